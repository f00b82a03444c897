"""E18: the three seas: no voyage of one turn leads from the first to the third."""

from __future__ import annotations

from functools import lru_cache

from apennine.hexes import Mask

from ..table.position import Table
from ..table.war import War

WEST, SOUTH, EAST = 0, 1, 2
REGIONS = ("sea-area-1", "sea-area-2", "sea-area-3")


@lru_cache(4)
def seas(war: War) -> tuple[Mask, Mask, Mask]:
    """E18A: the hexes and boxes of each; Sicilia and Messina are of the second."""
    west, south, east = (war.ground.region(name) for name in REGIONS)
    south |= 1 << war.ground.sicilia
    for entry in war.ground.entries:
        if entry.name == "Taranto":
            east |= 1 << entry.place
        else:
            south |= 1 << entry.place
    return west, south, east


def within_a_voyage(war: War, pos: Table, place: int) -> Mask:
    """E18B: the hexes and boxes that can be reached by sea in one turn, and all that is inland."""
    if place < 0 or not war.is_advanced(pos):
        return -1
    west, _, east = seas(war)
    if west >> place & 1:
        return ~east
    return ~west if east >> place & 1 else -1
