"""Sets of hexes to show over the map, and warnings."""

from __future__ import annotations

from apennine.hexes import Mask, mask_of
from apennine.kernel.game import Warning
from apennine.kernel.ledger import rule

from ..rules.c03_zones import occupied, on_map, zone
from ..rules.c04_movement import allowance, reach_of
from ..rules.c07_supply import line, supplied
from ..table.position import ALLIED, LOST, NOBODY, Table
from ..table.war import War

OVERLAYS = ("zone", "supply", "reach", "held", "threats")


def overlay(war: War, pos: Table, name: str, side: int, unit: int) -> Mask | None:
    """The hexes of an overlay, for one unit if asked so; None if there is no such overlay."""
    match name:
        case "zone":
            return zone(war, pos, side)
        case "supply":
            return supplied(war, pos, side) if unit == NOBODY else mask_of(line(war, pos, unit))
        case "reach":
            return reachable(war, pos, unit)
        case "held":
            return pos.held if side == ALLIED else war.towns & ~pos.held
        case "threats":
            return threats(war, pos, side)
        case _:
            return None


def reachable(war: War, pos: Table, unit: int) -> Mask:
    """Where a unit can go, with what it has left if it is moving."""
    if unit == NOBODY or pos.hex[unit] == LOST:
        return 0
    points = pos.left if unit == pos.mover else allowance(war, pos, unit)
    return reach_of(war, pos, unit, points).ends


def threats(war: War, pos: Table, side: int) -> Mask:
    """The hexes whose units the enemy could cut off in one move, if it came where it can."""
    own, near = occupied(war, pos, side), 0
    for unit in on_map(war, pos, 1 - side):
        near |= reach_of(war, pos, unit, allowance(war, pos, unit)).ends | 1 << pos.hex[unit]
    free = war.lattice.all & ~(near | war.zone(near, pos.blown) & ~own)
    fed = war.lattice.flood_sides(war.edge[side] & free, free, war.passable[pos.blown])
    return own & supplied(war, pos, side) & ~fed


def warnings(war: War, pos: Table, side: int) -> list[Warning]:
    """Units that would be found out of supply as things stand."""
    lines = supplied(war, pos, side)
    sentence = "{} would be out of supply now."
    return [
        Warning(sentence.format(war.names[unit]), rule("7.1"), unit, pos.hex[unit])
        for unit in on_map(war, pos, side)
        if not lines >> pos.hex[unit] & 1
    ]
