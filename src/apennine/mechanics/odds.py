"""Odds: two strengths become a column of a combat table, then are shifted along it.

A `Ladder` is the row of odds printed above a table, such as 1-3, 1-2, 1-1, 2-1, 3-1. Its columns
are numbered from 0. The numbers go on at both ends: -1 is the *virtual* column left of the first
one (here 1-4), and so on without end. Shifts are counted along this open scale and only the last
column is clamped to what is printed. Games differ in when they test a least or greatest column, so
`Odds` keeps the raw, the shifted and the clamped column apart:

>>> ladder = Ladder(["1-3", "1-2", "1-1", "2-1", "3-1"])
>>> odds = ladder.odds(6, 10, [Shift("storm", -3, "7.2"), Shift("surprise", 1, "7.5")])
>>> odds.raw_label, odds.shifted_label, odds.label
('1-2', '1-4', '1-3')
>>> odds.raw >= ladder.index("1-3"), odds.shifted >= ladder.index("1-3")
(True, False)
>>> print(odds)
6 to 10 is 1-2; storm 3 left (7.2); surprise 1 right (7.5); 1-4, read on 1-3
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Final, NamedTuple, TypeAlias

from apennine.kernel.decision import Line
from apennine.mechanics.roster import Entry

Strength: TypeAlias = int | Fraction

UNOPPOSED: Final = 1_000_000
"""The column of any strength against none: beyond all others, and no shift leads back from it."""

HOPELESS: Final = -UNOPPOSED
"""The column of no strength at all, even against none: short of all others, whatever the shifts."""

_LABEL = re.compile(r"(\d+)([-:/])(\d+)\+?")


class Shift(NamedTuple):
    """One reason to leave the column that the strengths give: `columns` right (+) or left (-)."""

    name: str
    columns: int
    rule: str

    def __str__(self) -> str:
        direction = "left" if self.columns < 0 else "right"
        return f"{self.name} {abs(self.columns)} {direction} ({self.rule})"


class Reason(Entry, frozen=True):
    """A line of a chart of shifts.

    >>> print(Reason(title="river", columns=-1, rule="9.4b").shift(2))
    river 2 left (9.4b)
    """

    title: str
    columns: int
    rule: str

    def shift(self, times: int = 1) -> Shift:
        """What it does to a column, once or several times."""
        return Shift(self.title, self.columns * times, self.rule)


class Odds(NamedTuple):
    """How a column was found: all that a player needs to check it by hand."""

    ladder: Ladder
    attack: Strength
    defence: Strength
    raw: int
    """The column of the strengths alone; it may be virtual."""
    shifts: tuple[Shift, ...]
    shifted: int
    """The column after all shifts are netted; it may be virtual."""
    column: int
    """The printed column to roll on."""

    @property
    def raw_label(self) -> str:
        return self.ladder.label(self.raw)

    @property
    def shifted_label(self) -> str:
        return self.ladder.label(self.shifted)

    @property
    def label(self) -> str:
        return self.ladder.label(self.column)

    @property
    def lines(self) -> tuple[Line, ...]:
        """The shifts as the log keeps them with the roll."""
        return tuple(Line(shift.name, f"{shift.columns:+d}", shift.rule) for shift in self.shifts)

    def __str__(self) -> str:
        parts = [f"{self.attack} to {self.defence} is {self.raw_label}", *map(str, self.shifts)]
        if self.column != self.shifted:
            parts.append(f"{self.shifted_label}, read on {self.label}")
        elif self.shifts:
            parts.append(self.label)
        return "; ".join(parts)


class Ladder:
    """Printed odds columns, worst for the attacker first, going up by whole odds.

    Labels may be written 3-1, 3:1 or 3/1, the last one with a plus (7-1+).

    >>> ladder = Ladder(["1/2", "1/1", "2/1", "3/1", "4/1+"])
    >>> ladder.label(ladder.column(35, 10))
    '3/1'
    >>> ladder.label(-2), ladder.label(6), ladder.index("10/1")
    ('1/4', '6/1', 10)
    """

    __slots__ = ("_base", "_separator", "labels")

    def __init__(self, labels: Iterable[str]) -> None:
        self.labels: Final = tuple(labels)
        if not self.labels:
            raise ValueError("A ladder of odds needs at least one column.")
        self._base, self._separator = _read(self.labels[0])
        for place, label in enumerate(self.labels):
            expected = _write(self._base + place, self._separator)
            if label != expected and not (label == f"{expected}+" and label == self.labels[-1]):
                raise ValueError(
                    f"Odds column {label!r} should be {expected!r}: columns go up by whole odds."
                )

    def __len__(self) -> int:
        return len(self.labels)

    def __repr__(self) -> str:
        return f"Ladder({list(self.labels)})"

    def column(self, attack: Strength, defence: Strength) -> int:
        """The column of two strengths, rounded in the defender's favour; it may be virtual.

        No attack at all is `HOPELESS`; otherwise no defence at all is `UNOPPOSED`.

        >>> ladder = Ladder(["1-2", "1-1", "2-1"])
        >>> [ladder.label(ladder.column(a, d)) for a, d in [(9, 4), (5, 6), (26, 9), (3, 0)]]
        ['2-1', '1-2', '2-1', '1-0']
        """
        if attack < 0 or defence < 0:
            raise ValueError(f"Strengths cannot be negative: {attack} against {defence}.")
        if attack == 0:
            return HOPELESS
        if defence == 0:
            return UNOPPOSED
        # Whole odds n-1 are step n - 1 of an endless scale, and 1-n are step 1 - n.
        step = attack // defence - 1 if attack >= defence else 1 + (-defence) // attack
        try:
            return operator.index(step) - self._base
        except TypeError:
            raise TypeError(
                f"Strengths must be whole numbers or fractions: {attack!r} against {defence!r}."
            ) from None

    def shift(self, column: int, by: int) -> int:
        """The column `by` places to the right (+) or left (-), printed or virtual."""
        return column if column in (HOPELESS, UNOPPOSED) else column + by

    def clamp(self, column: int) -> int:
        """The printed column nearest to this one."""
        return min(max(column, 0), len(self.labels) - 1)

    def label(self, column: int) -> str:
        """What is printed above a column, or would be if it were there."""
        if 0 <= column < len(self.labels):
            return self.labels[column]
        if column == UNOPPOSED:
            return f"1{self._separator}0"
        if column == HOPELESS:
            return f"0{self._separator}1"
        return _write(self._base + column, self._separator)

    def index(self, label: str) -> int:
        """The number of a column, printed or virtual: a limit to compare columns with."""
        return _read(label)[0] - self._base

    def odds(self, attack: Strength, defence: Strength, shifts: Iterable[Shift] = ()) -> Odds:
        """The column of a battle, with everything that led to it."""
        shifts = tuple(shifts)
        raw = self.column(attack, defence)
        shifted = self.shift(raw, sum(shift.columns for shift in shifts))
        return Odds(self, attack, defence, raw, shifts, shifted, self.clamp(shifted))


def _read(label: str) -> tuple[int, str]:
    """The step of a label on the endless scale of whole odds (1-1 is 0), and its separator."""
    match = _LABEL.fullmatch(label)
    left, right = (int(match[1]), int(match[3])) if match else (0, 0)
    if match is None or min(left, right) != 1:
        raise ValueError(f"Odds column {label!r} is not of the form 3-1 or 1-3.")
    return left - right, match[2]


def _write(step: int, separator: str) -> str:
    return f"{1 + max(step, 0)}{separator}{1 + max(-step, 0)}"
