"""Sets of hexes to show over the map."""

from __future__ import annotations

from apennine.hexes import Mask, bits

from ..rules.c05_control import controlled
from ..rules.c05_march import find_march, means
from ..rules.c06_zones import zone
from ..rules.c07_bonds import bonds
from ..rules.c16_supply import supplied_hexes
from ..table.position import Table
from ..table.war import War

OVERLAYS = ("zone", "bonds", "supply", "reach", "control", "gustav line")


def overlay(war: War, pos: Table, name: str, side: int, unit: int) -> Mask | None:
    """A set of hexes to show over the map; None if there is no such overlay."""
    if name == "zone":
        return zone(war, pos, side)
    if name == "bonds":
        return bonded(war, pos, side)
    if name == "supply":
        return supplied_hexes(war, pos, side)
    if name == "control":
        return controlled(war, pos, side)
    if name == "gustav line":
        return war.ground.gustav
    if name == "reach":
        on_map = unit >= 0 and 0 <= pos.hex[unit] < war.lattice.size
        return reach_of(war, pos, unit) if on_map else 0
    return None


def bonded(war: War, pos: Table, side: int) -> Mask:
    """The hexes of a side's Hex Bonds, and those along its Hexside Bonds."""
    found = bonds(war, pos, side)
    hexes = found.hexes
    for d in range(6):
        for hex in bits(found.sides[d]):
            hexes |= 1 << hex
    return hexes & war.ground.land


def reach_of(war: War, pos: Table, unit: int) -> Mask:
    """Where a unit could go if its move began now."""
    asked = pos.copy()
    asked.side = war.side_of[unit]
    stack = 1 << unit
    return find_march(war, asked, stack, pos.hex[unit], *means(war, asked, stack), True).ends
