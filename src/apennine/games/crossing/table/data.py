"""What stands in the data files."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import msgspec


class Unit(msgspec.Struct, frozen=True):
    """A battalion: attack and defence factors of its two sides, full strength first."""

    name: str
    side: str
    kind: str
    faces: tuple[tuple[int, int], tuple[int, int]]
    start: str

    def attack(self, steps: int) -> int:
        return self.faces[2 - steps][0]

    def defence(self, steps: int) -> int:
        return self.faces[2 - steps][1]


class Pace(msgspec.Struct, frozen=True):
    """One line of the movement chart: what a kind of unit has and pays."""

    points: int
    clear: float
    hill: float
    town: float
    road: float
    river: float | None = None
    boats: float | None = None

    def price(self, name: str) -> Fraction:
        return Fraction(getattr(self, name))

    def wade(self, boats: bool) -> float | None:
        """What the river costs on top of the hex; None if it cannot be crossed (4.4, 4.8)."""
        return self.boats if boats else self.river


class Start(msgspec.Struct, frozen=True):
    """A scenario."""

    key: str
    title: str
    summary: str
    turns: int
    towns: int


class Result(NamedTuple):
    """A cell of the combat chart: steps lost by each side, hexes that the defender retreats."""

    attacker: int
    defender: int
    retreat: int

    def __str__(self) -> str:
        text = f"{self.attacker}/{self.defender}"
        return f"{text} R{self.retreat}" if self.retreat else text


def read_result(text: str) -> Result:
    """A cell as the chart writes it: `1/0`, `0/1 R2`."""
    losses, _, retreat = text.partition(" R")
    attacker, _, defender = losses.partition("/")
    return Result(int(attacker), int(defender), int(retreat or 0))
