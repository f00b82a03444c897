"""E6B5, E4A4, E8A1: what it sets off when Allied units come somewhere for the first time."""

from __future__ import annotations

from apennine.hexes import Mask, bits

from ..table.position import DESTROYED, LIVORNO_NEAR, TAKEN, Table
from ..table.war import War


def take_note(war: War, pos: Table, unit: int, hexes: Mask) -> None:
    """An Allied unit goes through hexes: garrisons are released for good, bonuses are earned.

    Italians do neither (E6B5, E10B4f). The radius is counted straight, from every hex that the unit
    goes through (E6B5b), and from the post, wherever the garrison is (E6B5a).
    """
    if war.italians >> unit & 1:
        return
    for guard in bits(pos.frozen):
        if pos.hex[guard] != DESTROYED and war.post_of(pos, guard).alarm & hexes:
            pos.frozen &= ~(1 << guard)
    if war.livorno.alarm & hexes:
        pos.marks |= LIVORNO_NEAR
    for number, city in enumerate(war.cities.values()):
        if city & hexes:
            pos.marks |= 1 << TAKEN + number
