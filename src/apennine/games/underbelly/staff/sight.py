"""The position as a side can know it: what is hidden is guessed, every time in the same way."""

from __future__ import annotations

from apennine.hexes import Mask, bits

from ..rules.c06_fog import hidden
from ..table.position import ALLIED, Table
from ..table.war import War

MARKS = ("acted", "rebuilt", "corps", "waiting", "tops")
"""What belongs to a place in a stack, whoever is there."""

Place = tuple[int, ...]
"""A hex or box, and for each of the marks whether who is there has it."""


def sighted(war: War, pos: Table, side: int) -> Table:
    """A position with the bot's guess in place of what a side cannot see.

    The guess rests on what is in sight alone, so that two positions that the side cannot tell
    apart become one. The Germans hide nothing; of the Allies the units under the top of a stack,
    those in the box and the note of the end-run are hidden (6.9, 8.10).
    """
    if side == ALLIED:
        return pos
    guess = pos.copy()
    if not (pos.launched or pos.verdict):
        guess.plot = 0
    unseen = hidden(war, pos, side) & ~(pos.force | 1 << war.airborne)
    for mark in MARKS:
        setattr(guess, mark, getattr(pos, mark) & ~unseen)
    for kind in (unseen & war.supports, unseen & ~war.supports):
        _deal(war, pos, guess, kind, unseen)
    return guess


def _deal(war: War, pos: Table, guess: Table, units: Mask, unseen: Mask) -> None:
    """Units in the order of the roster fill the places, each with its like if there is one left."""
    seen = pos.tops & ~unseen
    nation = {pos.hex[unit]: war.group[unit] for unit in bits(seen)}
    left = list(bits(units))
    for place in sorted(_place(pos, unit) for unit in bits(units)):
        hex, *marks = place
        wanted = nation.get(hex, -1) if war.bit[hex] else -1
        unit = next((u for u in left if war.group[u] == wanted), left[0])
        left.remove(unit)
        guess.hex[unit] = hex
        for mark, marked in zip(MARKS, marks, strict=True):
            setattr(guess, mark, getattr(guess, mark) | marked << unit)


def _place(pos: Table, unit: int) -> Place:
    return (pos.hex[unit], *(getattr(pos, mark) >> unit & 1 for mark in MARKS))
