"""The position as a side can know it: what is hidden is guessed, every time in the same way."""

from __future__ import annotations

from apennine.hexes import bits

from ..rules.c06_fog import hidden
from ..table.position import ALLIED, Table
from ..table.war import War

MARKS = ("acted", "rebuilt", "corps", "waiting", "tops")
"""What belongs to a place in a stack, whoever is there."""


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
    nation = {pos.hex[unit]: war.group[unit] for unit in bits(pos.tops & ~unseen)}
    for kind in (unseen & war.supports, unseen & ~war.supports):
        # In the order of the roster they fill the places, each with its like if there is one left.
        left = list(bits(kind))
        for hex, *marks in sorted(_place(pos, unit) for unit in left):
            wanted = nation.get(hex, -1) if war.bit[hex] else -1
            unit = next((u for u in left if war.group[u] == wanted), left[0])
            left.remove(unit)
            guess.hex[unit] = hex
            for mark, marked in zip(MARKS, marks, strict=True):
                setattr(guess, mark, getattr(guess, mark) | marked << unit)
    return guess


def _place(pos: Table, unit: int) -> tuple[int, ...]:
    """The hex or box of a unit, and for each of the marks whether it has it."""
    return (pos.hex[unit], *(getattr(pos, mark) >> unit & 1 for mark in MARKS))
