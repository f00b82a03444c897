"""Chapter 14.3: the markers of both sides are adjusted."""

from __future__ import annotations

from apennine.hexes import Mask, bits

from ..table.position import Table
from ..table.war import War
from .c02_pieces import there
from .c05_zones import zone


def in_enemy_zone(war: War, pos: Table, units: Mask) -> Mask:
    """Those of some units that stand in an enemy zone, friends beside them or not (14.3c)."""
    found = 0
    for side in (0, 1):
        against = zone(war, pos, 1 - side)
        for unit in bits(units & there(war, pos, side).units):
            found |= (against >> pos.hex[unit] & 1) << unit
    return found


def adjust_markers(war: War, pos: Table) -> None:
    """In this order, for the units of both sides (14.3a): who rallies now was not tired just now.

    The High Command's reserves are no markers of players, and stay (11.2.10e).
    """
    pos.reorganizing &= in_enemy_zone(war, pos, pos.reorganizing)
    pos.reorganizing |= pos.disorganized  # 14.3b
    pos.disorganized = 0
    pos.exploits = []
    pos.reserves = []
    pos.slipping = 0
    pos.pinned = 0
