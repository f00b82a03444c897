"""Sets of hexes to show over the map."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from apennine.hexes import Mask, bits

from ..rules.c05_control import controlled
from ..rules.c05_march import find_march, means
from ..rules.c06_zones import zone
from ..rules.c07_bonds import bonds
from ..rules.c16_supply import supplied_hexes
from ..table.position import Table
from ..table.war import War


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


def _reach(war: War, pos: Table, _: int, unit: int) -> Mask:
    on_map = unit >= 0 and 0 <= pos.hex[unit] < war.lattice.size
    return reach_of(war, pos, unit) if on_map else 0


OVERLAYS: Mapping[str, Callable[[War, Table, int, int], Mask]] = MappingProxyType(
    {
        "zone": lambda war, pos, side, _: zone(war, pos, side),
        "bonds": lambda war, pos, side, _: bonded(war, pos, side),
        "supply": lambda war, pos, side, _: supplied_hexes(war, pos, side),
        "reach": _reach,
        "control": lambda war, pos, side, _: controlled(war, pos, side),
        "gustav line": lambda war, _, __, ___: war.ground.gustav,
    }
)
