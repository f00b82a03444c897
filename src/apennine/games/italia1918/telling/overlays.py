"""Sets of hexes to show over the map."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from apennine.hexes import Mask, bits

from ..rules.c02_pieces import theatre, there
from ..rules.c05_zones import zone
from ..rules.c09_supply import command, supplied
from ..rules.c11_march import allowance, find_reach, with_troops
from ..rules.c16_victory import held
from ..table.position import Table
from ..table.war import War


def reach_of(war: War, pos: Table, unit: int) -> Mask:
    """Where a unit could go if its move began now."""
    if unit >= 0 and pos.host[unit] >= 0:
        unit = pos.host[unit]  # 11.3.2a: it goes with its unit
    if (
        unit < 0
        or pos.hex[unit] < 0
        or (war.assault | war.aircraft | war.depots | war.batteries) >> unit & 1
    ):
        return 0
    points = allowance(war, pos, unit)
    return find_reach(war, pos, with_troops(war, pos, unit), pos.hex[unit], points, True).ends


def gun_range(war: War, pos: Table, side: int, unit: int) -> Mask:
    """The hexes in range of a gun, or of all guns of a side."""
    guns = there(war, pos, side).units & war.artillery
    if unit >= 0 and pos.hex[unit] >= 0 and war.artillery >> unit & 1:
        guns = 1 << unit
    found = 0
    for gun in bits(guns):
        found |= war.lattice.disc(pos.hex[gun], war.roster[gun].range)
    return found & theatre(war, pos).area


def _zone(war: War, pos: Table, side: int, _: int) -> Mask:
    return zone(war, pos, side) & theatre(war, pos).area


def _command(war: War, pos: Table, side: int, _: int) -> Mask:
    return command(war, pos, side) & theatre(war, pos).area


def _supply(war: War, pos: Table, side: int, _: int) -> Mask:
    return supplied(war, pos, side) & theatre(war, pos).area


def _reach(war: War, pos: Table, _: int, unit: int) -> Mask:
    return reach_of(war, pos, unit)


def _control(war: War, pos: Table, side: int, _: int) -> Mask:
    return held(war, pos, side) & theatre(war, pos).area


def _trenches(war: War, pos: Table, side: int, _: int) -> Mask:
    return theatre(war, pos).trenches[side]


OVERLAYS: Mapping[str, Callable[[War, Table, int, int], Mask]] = MappingProxyType(
    {
        "zone": _zone,
        "command": _command,
        "supply": _supply,
        "reach": _reach,
        "guns": gun_range,
        "trenches": _trenches,
        "control": _control,
        "playing area": lambda war, pos, _, __: theatre(war, pos).area,
    }
)
