"""What stands in the data files."""

from __future__ import annotations

from typing import NamedTuple

from apennine.mechanics.odds import Reason
from apennine.mechanics.roster import Beginning, Counter, Entry

SIDES = ("Allied", "German")
TERRAINS = ("clear", "rough", "mountain")
STACK = 4
"""Units of any size that may stay in a hex; markers do not count (5a, 5d)."""
BARRIERS = ("lake", "sea", "strait")
"""Hexsides that nothing crosses (4d, 8e), as far as the map has them."""


class Unit(Counter, frozen=True):
    """A counter: attack, defence and movement factors of its faces, full strength first."""

    nation: str
    troops: str
    size: str
    faces: tuple[tuple[int, int, int], ...]
    arrives: int
    start: str


class Troops(Entry, frozen=True):
    """A kind of troops: how it moves, and as what it counts in withdrawals (7.3)."""

    title: str
    moves: str
    counts_as: str


class Pace(Entry, frozen=True):
    """A line of the terrain chart: points to enter a hex, along a road, more over a river."""

    clear: float
    rough: float
    mountain: float
    road: float
    river: float


class Modifier(Reason, frozen=True):
    """A reason to shift the odds, and how often it may count."""

    most: int = 0


class Withdrawal(Entry, frozen=True):
    """An order to withdraw a unit of some kind (7.3); `unit` is the one that left in 1944."""

    turn: int
    nation: str
    counts_as: str
    size: str
    unit: str
    returns: int = 0


class Marker(Counter, frozen=True):
    """An air or naval support marker."""

    nation: str


class Centre(Entry, frozen=True):
    """A logistic centre and the hexes where it may start (3Sd)."""

    side: str
    name: str
    title: str
    hexes: tuple[str, ...]


class Start(Beginning, frozen=True):
    """A scenario."""

    turns: int
    centres: tuple[Centre, ...]


class Prizes(Entry, frozen=True):
    """What wins (13)."""

    beachhead: int
    gothic_points: int
    gothic_hexes: int
    win: int
    strategic: int


class Result(NamedTuple):
    """A cell of the combat chart: steps that the attacker and the defender lose (9.1d)."""

    attacker: int
    defender: int

    def __str__(self) -> str:
        return f"{self.attacker}/{self.defender}"


def read_result(text: str) -> Result:
    """A cell as the chart writes it: `1/2`."""
    attacker, _, defender = str(text).partition("/")
    return Result(int(attacker), int(defender))
