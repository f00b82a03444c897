"""Chapters 5.8 and 21.2: entry areas, and the zone of the 8th Army, as they change hands."""

from __future__ import annotations

from apennine.hexes import Mask

from ..table.position import ALLIED, GERMAN, Table
from ..table.war import War


def friendly_areas(war: War, pos: Table, side: int) -> tuple[str, ...]:
    """The entry areas of a side: north ones are German, south ones Allied for good (21.2.1).

    East ones go with their sections (5.8.1).
    """
    return war.friendly(side, pos.turn)


def friendly_sections(war: War, pos: Table, side: int) -> Mask:
    """The hexes of the 8th Army zone in sections of a side (5.8.1)."""
    return war.friendly_ground(side, pos.turn)


def closed_land(war: War, pos: Table, side: int) -> Mask:
    """What a side may not enter of its own will: Allies the zone (5.8.2a), Germans what they lost.

    German units operate only in sections still friendly to them (5.8.3).
    """
    if side == ALLIED:
        return war.ground.eighth_army
    return war.ground.eighth_army & ~friendly_sections(war, pos, GERMAN)
