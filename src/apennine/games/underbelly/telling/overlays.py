"""Sets of hexes that can be shown over the map."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from apennine.hexes import Mask
from apennine.kernel.order import what_stays

from ..rules.c04_victory import controlled
from ..rules.c05_sequence import line
from ..rules.c06_fog import hidden
from ..rules.c07_zones import on_map, there, zone
from ..rules.c09_air import drop_sites
from ..rules.c09_rear import fort_sites
from ..rules.c11_supply import net
from ..table.position import ALLIED, COLUMN, MOVE, Table
from ..table.war import War
from .outlook import reach_of


def _reach(war: War, pos: Table, side: int, unit: int, order: int = MOVE) -> Mask:
    """Where a unit that the side can see could go."""
    if unit < 0 or not on_map(war, pos, unit) or hidden(war, pos, side) >> unit & 1:
        return 0
    return reach_of(war, pos, unit, order)


def _threats(war: War, pos: Table, side: int, _: int) -> Mask:
    """The hexes that enemies could be next to after a regular move.

    Of those that the side cannot see, only where they are is counted.
    """
    enemy, unseen = 1 - side, hidden(war, pos, side)
    mask = there(war, pos, enemy).divisions[1]
    for other in war.members[enemy]:
        if on_map(war, pos, other) and not (unseen | war.supports) >> other & 1:
            mask |= reach_of(war, pos, other, alone=bool(unseen))
    return war.lattice.cross(mask, war.open)


def _fort_sites(war: War, pos: Table, *_: int) -> Mask:
    begun = pos.forts_left and pos.turn >= war.book.forts.first_turn
    return what_stays(fort_sites(war, pos)) if begun else 0


OVERLAYS: Mapping[str, Callable[[War, Table, int, int], Mask]] = MappingProxyType(
    {
        "zone": lambda war, pos, side, _: zone(war, pos, side),
        "supply": lambda war, pos, side, _: net(war, pos, side) & war.land,
        "reach": _reach,
        "control": lambda war, pos, side, _: controlled(war, pos, side),
        "threats": _threats,
        "column": lambda war, pos, side, unit: _reach(war, pos, side, unit, COLUMN),
        "fort sites": _fort_sites,
        "drop zone": lambda war, pos, side, _: drop_sites(war, pos) if side == ALLIED else 0,
        "line of communications": lambda war, pos, _, __: line(war, pos),
    }
)
"""By name: of a position, for a side, for a unit that is pointed at (or -1)."""
