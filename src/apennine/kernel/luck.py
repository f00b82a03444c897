"""How the dice fell, measured by what could be expected of them. Nothing here knows a game.

Two kinds of rolls have odds that the record tells: those read from a column of a chart, whose cells
are losses as "attacker/defender" or "A1 D2", or results that another chart explains in columns
"attacker" and "defender"; and shots, whose purpose ends in "6 or less" or "6 or more".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple

from apennine.kernel.charts import Chart
from apennine.kernel.game import Game
from apennine.kernel.log import Rolled

_LOSSES = re.compile(r"(\d+)/(\d+)")
_CODED = re.compile(r"(?=[AD-])(?:A(\d*)R?)? ?(?:D(\d*)R?)?-?")
"""Steps of attacker and defender behind their letters, "R" for a retreat, "-" for nothing."""
_TARGET = re.compile(r"(\d+) or (less|more)$")


class Fall(NamedTuple):
    """A roll against what could be expected: steps that it cost the enemy beyond one's own."""

    result: str
    """What the chart says, or "hit" and "miss"."""
    gain: float
    expected: float

    @property
    def luck(self) -> float:
        """By how much it was better than what could be expected, for who rolled."""
        return self.gain - self.expected


def has_odds(roll: Rolled) -> bool:
    """Whether the record tells what could be expected of a roll."""
    return bool(roll.column) or _TARGET.search(roll.purpose) is not None


def fall_of(game: Game[Any], roll: Rolled) -> Fall | None:
    """How a roll fell; None if its odds are not known."""
    target = _TARGET.search(roll.purpose)
    if target is not None:
        return _shot(roll, int(target[1]), less=target[2] == "less")
    found = cells(game.charts, roll.column)
    return _read(roll, found, game.charts) if found else None


def cells(charts: Sequence[Chart], column: str) -> dict[int, str]:
    """By the die: what the column of this name says, in the first chart that has one."""
    for chart in charts:
        if column and column in chart.columns[1:]:
            at = chart.columns.index(column)
            return {int(row[0]): row[at] for row in chart.rows if row[0].isdecimal()}
    return {}


def _shot(roll: Rolled, number: int, *, less: bool) -> Fall | None:
    if len(roll.faces) != 1:
        return None
    (face,), (sides,) = roll.faces, roll.sides
    hits = min(sides, number) if less else max(0, sides - number + 1)
    hit = face <= number if less else face >= number
    return Fall("hit" if hit else "miss", float(hit), hits / sides)


def _read(roll: Rolled, column: dict[int, str], charts: Sequence[Chart]) -> Fall | None:
    """The sum of the dice is the row."""
    rows = [sum(faces) for faces in product(*(range(1, sides + 1) for sides in roll.sides))]
    gains = {row: _gain(cell, charts) for row, cell in column.items()}
    known = [gain for row in rows if (gain := gains.get(row)) is not None]
    fell = sum(roll.faces)
    gain = gains.get(fell)
    if gain is None or len(known) < len(rows):
        return None
    return Fall(column[fell], gain, sum(known) / len(known))


def _gain(cell: str, charts: Sequence[Chart]) -> float | None:
    losses = _LOSSES.match(cell)
    if losses is not None:
        return float(int(losses[2]) - int(losses[1]))
    for chart in charts:
        if {"attacker", "defender"} <= set(chart.columns):
            own, theirs = map(chart.columns.index, ("attacker", "defender"))
            for row in chart.rows:
                lost = row[theirs] or "0", row[own] or "0"
                if row[0] == cell.partition(" ")[0] and all(map(str.isdecimal, lost)):
                    return float(int(lost[0]) - int(lost[1]))
    coded = _CODED.fullmatch(cell)
    if coded is not None:
        return float(int(coded[2] or 0) - int(coded[1] or 0))
    return None
