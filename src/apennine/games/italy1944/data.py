"""The data files: what stands in them, and how they are read."""

from __future__ import annotations

import tomllib
from importlib.resources.abc import Traversable
from typing import Any, NamedTuple, TypeVar, cast

import msgspec

from apennine.kernel.game import GameError

SIDES = ("Allied", "German")
TERRAINS = ("clear", "rough", "mountain")
STACK = 4
"""Units of any size that may stay in a hex; markers do not count (5a, 5d)."""
BARRIERS = ("lake", "sea", "strait")
"""Hexsides that nothing crosses (4d, 8e), as far as the map has them."""

_T = TypeVar("_T")


class DataError(GameError):
    """What is wrong in which data file, in one sentence."""


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Any line of a data file may say where it comes from."""

    source: str = ""


class Unit(Entry, frozen=True):
    """A counter: attack, defence and movement factors of its faces, full strength first."""

    name: str
    title: str
    side: str
    nation: str
    troops: str
    size: str
    faces: tuple[tuple[int, int, int], ...]
    arrives: int
    start: str

    @property
    def full(self) -> int:
        """Its steps at full strength."""
        return len(self.faces)


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


class Nation(Entry, frozen=True):
    """A nationality and its side (1.4a)."""

    title: str
    side: str


class Modifier(Entry, frozen=True):
    """A reason to shift the odds."""

    title: str
    columns: int
    rule: str
    most: int = 0


class Withdrawal(Entry, frozen=True):
    """An order to withdraw a unit of some kind (7.3); `unit` is the one that left in 1944."""

    turn: int
    nation: str
    counts_as: str
    size: str
    unit: str
    returns: int = 0


class Marker(Entry, frozen=True):
    """An air or naval support marker."""

    name: str
    title: str
    side: str
    nation: str


class Centre(Entry, frozen=True):
    """A logistic centre and the hexes where it may start (3Sd)."""

    side: str
    name: str
    title: str
    hexes: tuple[str, ...]


class Start(Entry, frozen=True):
    """A scenario."""

    key: str
    title: str
    summary: str
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


class File:
    """A data file as plain data; what does not fit is an error that names the file and the key."""

    def __init__(self, file: Traversable) -> None:
        self.name = file.name
        try:
            self.data: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise DataError(f"{self.name} cannot be read: {error}.") from error

    def read(self, key: str, kind: type[_T]) -> _T:
        """What stands under a key such as `schedule.withdrawals`."""
        value: Any = self.data
        for part in key.split("."):
            if not isinstance(value, dict) or part not in value:
                raise DataError(f"{self.name}: {key} is missing.")
            value = cast("dict[str, Any]", value)[part]
        try:
            return msgspec.convert(_without_source(value), kind)
        except msgspec.ValidationError as error:
            raise DataError(f"{self.name}: {key}: {error}.") from error

    def refuse(self, sentence: str) -> DataError:
        return DataError(f"{self.name}: {sentence}")


def _without_source(value: Any) -> Any:
    """A table without the note of where it comes from, which none of its lines needs."""
    if not isinstance(value, dict):
        return value
    table = cast("dict[str, Any]", value)
    return {key: entry for key, entry in table.items() if key != "source"}
