"""Sets of hexes to show over the map."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from apennine.hexes import Mask, bits, mask_of

from ..rules.b4c_march import find_march, gait
from ..rules.b4c_movement import strategic
from ..rules.b4e_zones import attack_of, defence_of, there, zone
from ..rules.c9_supply import allied_sources, fed_hexes, line_hexes
from ..table.position import ALLIED, GERMAN, Table
from ..table.rivers import BARRED, FREE
from ..table.war import War


def fed(war: War, pos: Table, side: int) -> Mask:
    """Where units of a side have a line of supply; Capacity is not counted here (C9A4)."""
    sources = war.german_edge(pos)
    if side == ALLIED:
        sources = 0
        for hexes, _ in allied_sources(war, pos):
            sources |= hexes
    return fed_hexes(war, sources, line_hexes(war, pos, side))


def friendly(war: War, pos: Table, side: int) -> Mask:
    """The hexes that are friendly to a side (C4)."""
    return war.ground.land & (pos.friendly if side == ALLIED else ~pos.friendly)


def reach_of(war: War, pos: Table, unit: int) -> Mask:
    """Where a unit on the map could go if its move began now."""
    here = pos.hex[unit]
    if not 0 <= here < war.lattice.size:
        return 0
    asked = pos.copy()
    asked.side, asked.movers, asked.claims = war.side_of[unit], 0, ()
    how = gait(war, asked, unit)
    node = war.node[here, asked.bank[unit] if asked.side == pos.side else FREE]
    extra = 0
    if strategic(asked, unit) and not zone(war, asked, 1 - asked.side) >> here & 1:
        extra = how.allowance * (war.book.limits.strategic - 1)
    found = find_march(war, asked, how, node, how.allowance, extra, True, 1 << unit)
    return found.ends


def threatened(war: War, pos: Table, side: int) -> Mask:
    """The stacks of a side on which enemies within reach could bring 7-1: Automatic Victory."""
    enemy = 1 - side
    times = war.ladder.index(war.book.limits.automatic) - war.ladder.index("1-1") + 1
    reaches = {
        unit: (reach_of(war, pos, unit) | 1 << pos.hex[unit], attack_of(war, pos, unit))
        for unit in bits(there(war, pos, enemy).units)
        if attack_of(war, pos, unit)
    }
    found = 0
    for hex, stack in there(war, pos, side).stacks.items():
        if not 0 <= hex < war.lattice.size:
            continue
        defence = sum([defence_of(war, pos, unit) for unit in bits(stack)])
        defence *= 1 + (war.ground.mountains >> hex & 1)
        near = war.ground.beside[hex]
        attack = sum([factor for ends, factor in reaches.values() if ends & near])
        if attack >= times * defence:
            found |= 1 << hex
    return found


def banks(war: War, pos: Table, unit: int) -> Mask:
    """The hexes next to a unit that its river lets it leave for; all river hexes if none is meant.

    Who came to a river in this turn stays on his bank of it (B4C12b).
    """
    ground = war.ground
    if unit < 0 or not 0 <= pos.hex[unit] < war.lattice.size:
        return ground.rivers.hexes
    here, bound = pos.hex[unit], pos.bank[unit]
    return mask_of(
        war.lattice.neighbour(here, d)
        for d in range(6)
        if ground.open[d] >> here & 1 and ground.rivers.step(here, bound, d) != BARRED
    )


OVERLAYS: Mapping[str, Callable[[War, Table, int, int], Mask]] = MappingProxyType(
    {
        "zone": lambda war, pos, side, _: zone(war, pos, side),
        "supply": lambda war, pos, side, _: fed(war, pos, side),
        "reach": lambda war, pos, _, unit: reach_of(war, pos, unit) if unit >= 0 else 0,
        "friendly": lambda war, pos, side, _: friendly(war, pos, side),
        "automatic victory": lambda war, pos, side, _: threatened(war, pos, side),
        "river banks": lambda war, pos, _, unit: banks(war, pos, unit),
        "forts": lambda _, pos, side, __: pos.works if side == GERMAN else 0,
    }
)
