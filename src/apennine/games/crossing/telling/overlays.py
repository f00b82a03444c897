"""Sets of hexes to show over the map, and warnings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from apennine.hexes import Mask, mask_of
from apennine.kernel.game import Warning
from apennine.kernel.ledger import rule

from ..rules.c03_zones import occupied, on_map, zone
from ..rules.c04_movement import allowance, reach_of
from ..rules.c07_supply import line, supplied
from ..rules.c08_victory import held
from ..table.position import LOST, NOBODY, Table
from ..table.war import War


def supply(war: War, pos: Table, side: int, unit: int) -> Mask:
    """The hexes in supply, or the line of one unit."""
    return supplied(war, pos, side) if unit == NOBODY else mask_of(line(war, pos, unit))


def reachable(war: War, pos: Table, _: int, unit: int) -> Mask:
    """Where a unit can go, with what it has left if it is moving."""
    if unit == NOBODY or pos.hex[unit] == LOST:
        return 0
    points = pos.left if unit == pos.mover else allowance(war, pos, unit)
    return reach_of(war, pos, unit, points).ends


def threats(war: War, pos: Table, side: int, _: int) -> Mask:
    """The hexes whose units the enemy could cut off in one move, if it came where it can."""
    own, near = occupied(war, pos, side), 0
    for unit in on_map(war, pos, 1 - side):
        near |= reach_of(war, pos, unit, allowance(war, pos, unit)).ends | 1 << pos.hex[unit]
    free = war.lattice.all & ~(near | war.zone(near, pos.blown) & ~own)
    fed = war.lattice.flood_sides(war.edge[side] & free, free, war.passable[pos.blown])
    return own & supplied(war, pos, side) & ~fed


OVERLAYS: Mapping[str, Callable[[War, Table, int, int], Mask]] = MappingProxyType(
    {
        "zone": lambda war, pos, side, _: zone(war, pos, side),
        "supply": supply,
        "reach": reachable,
        "held": lambda war, pos, side, _: held(war, pos, side),
        "threats": threats,
    }
)


def warnings(war: War, pos: Table, side: int) -> list[Warning]:
    """Units that would be found out of supply as things stand."""
    lines = supplied(war, pos, side)
    sentence = "{} would be out of supply now."
    return [
        Warning(sentence.format(war.names[unit]), rule("7.1"), unit, pos.hex[unit])
        for unit in on_map(war, pos, side)
        if not lines >> pos.hex[unit] & 1
    ]
