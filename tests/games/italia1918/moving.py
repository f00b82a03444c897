"""Movement Phases of Italia 1917-1918 in a few words."""

from __future__ import annotations

from typing import Any

from apennine.games.italia1918.rules.c11_markers import works_phase
from apennine.games.italia1918.rules.c11_movement import movement_begins, movement_phase
from apennine.games.italia1918.table.position import CENTRAL, Table
from apennine.kernel.match import Match
from tests.games.italia1918.drawing import do, play, table


def moving(counters: str, side: int = CENTRAL, **fields: Any) -> Match[Table]:
    """A Movement Phase with these counters, and a detachment far away that could move too."""
    spot = "W0520" if fields.get("scenario") == "radetzky" else "E3510"
    other = "Geb 12" if side == CENTRAL else "Fant 4"
    pos = table(f"{counters}; {other} @ {spot}", side, **fields)
    return play(pos, movement_begins, movement_phase)


def working(counters: str, side: int = CENTRAL, **fields: Any) -> Match[Table]:
    """What is done once movement is over; far away two detachments face each other."""
    one, two = ("Geb 12", "Fant 4") if side == CENTRAL else ("Fant 4", "Geb 12")
    return play(table(f"{counters}; {one} @ E3510; {two} @ E3511", side, **fields), works_phase)


def halt(match: Match[Table], unit: str) -> None:
    """A stack ends its move, unless that was all it could do."""
    if match.position.movers:
        do(match, "halt", unit)


def go(match: Match[Table], unit: str, hex: str) -> None:
    """A unit alone moves to a hex and halts there."""
    do(match, "move", unit)
    do(match, "go", unit, hex)
    halt(match, unit)
