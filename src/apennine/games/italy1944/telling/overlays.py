"""Sets of hexes to show over the map."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from apennine.hexes import Mask, bits, mask_of

from ..rules.c04_zones import controlled, occupied, on_map, units_on_map, zone
from ..rules.c05_stacking import fighting, full
from ..rules.c06_logistics import (
    BEACH_LINE,
    by_beaches,
    centre_in_supply,
    lines,
    lines_to,
    supplied,
)
from ..rules.c08_movement import march_of
from ..rules.c09_combat import attack_factor, defence_factor, ground, works
from ..table.data import STACK
from ..table.position import ALLIED, Table
from ..table.war import War

AVERAGE = 4
"""The roll by which a threat is judged."""


def _supply(war: War, pos: Table, side: int, unit: int) -> Mask:
    if pos.phase in ("deploy", "centres"):
        return 0
    if unit >= 0:
        return supply_line(war, pos, unit) if on_map(war, pos, unit) else 0
    return supplied(war, pos, side) | by_beaches(war, pos, side)


def _reach(war: War, pos: Table, _: int, unit: int) -> Mask:
    return reach_of(war, pos, unit) if unit >= 0 and on_map(war, pos, unit) else 0


def reach_of(war: War, pos: Table, unit: int) -> Mask:
    """Where a unit could go if its move began now."""
    return march_of(war, pos, unit, full(war, pos, war.side_of[unit])).ends


def supply_line(war: War, pos: Table, unit: int) -> Mask:
    """The hexes of a unit's line of communication, to a beachhead if that is what feeds it."""
    side, hex = war.side_of[unit], pos.hex[unit]
    found = lines(war, pos, side)
    if not found.mask >> hex & 1 and side == ALLIED:
        for beach in pos.beaches:
            if beach >= 0 and lines_to(war, pos, side, 1 << beach).within(BEACH_LINE) >> hex & 1:
                found = lines_to(war, pos, side, 1 << beach)
    return mask_of(found.line(hex))


def threats(war: War, pos: Table, side: int) -> Mask:
    """The hexes whose units the enemy could cut off or overrun next turn.

    Cut off: no line would be left if the enemy came wherever its units can come. Overrun: those
    that can come next to it would take all its steps with a roll of 4, terrain counted.
    """
    foe, own = 1 - side, occupied(war, pos, side)
    ends = {u: reach_of(war, pos, u) | 1 << pos.hex[u] for u in units_on_map(war, pos, foe)}
    near = 0
    for mask in ends.values():
        near |= mask
    sources = war.sources[side]
    if pos.centre[side] >= 0 and centre_in_supply(war, pos, side):
        sources |= 1 << pos.centre[side]
    fed = war.trace(near | war.zone(near) & ~own, sources).mask | by_beaches(war, pos, side)
    found = own & supplied(war, pos, side) & ~fed
    for hex in bits(own & ~found):
        if could_overrun(war, pos, hex, side, [u for u in ends if ends[u] & war.beside[hex]]):
            found |= 1 << hex
    return found


def could_overrun(war: War, pos: Table, hex: int, side: int, attackers: Sequence[int]) -> bool:
    """Whether these units, as many as have room around a hex, would take all steps in it."""
    defenders = fighting(war, pos, hex, side)
    room = STACK * (war.beside[hex] & war.land & ~occupied(war, pos, side)).bit_count()
    factors = sorted((attack_factor(war, pos, u) for u in attackers), reverse=True)
    defence = sum(defence_factor(war, pos, u) for u in defenders)
    asked = pos.copy()
    asked.side, asked.phase = 1 - side, "combat"
    found = war.ladder.odds(sum(factors[:room]), defence, ground(war, asked, hex, ()))
    lost = war.combat.cell(AVERAGE, found.column).defender
    return lost >= sum(pos.steps[u] for u in defenders)


OVERLAYS: Mapping[str, Callable[[War, Table, int, int], Mask]] = MappingProxyType(
    {
        "zone": lambda war, pos, side, _: zone(war, pos, side),
        "supply": _supply,
        "reach": _reach,
        "control": lambda war, pos, side, _: controlled(war, pos, side),
        "fort lines": lambda war, pos, _, __: war.lattice.cross(war.land, works(war, pos)),
        "threats": lambda war, pos, side, _: threats(war, pos, side),
    }
)
