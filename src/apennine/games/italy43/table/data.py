"""What stands in the data files, line by line; `book` checks how it fits together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Literal, NamedTuple

import msgspec

from apennine.mechanics.odds import Reason
from apennine.mechanics.roster import Beginning, Count, Counter, Entry, Positive, where
from apennine.mechanics.roster import Nation as AnyNation
from apennine.mechanics.tables import Table

SIDES = ("Allied", "German")
SPACES = ("A", "B", "C", "D", "E", "F")
"""The spaces of the weather track (23.1)."""
KINDS = ("infantry", "special", "tank", "any")
"""Kinds of replacements (20.1.2); `any` serves every unit of its nation."""
LEVELS = (1, 2)
"""Levels of fortifications (18.1.2)."""

Face = tuple[Count, Count, Positive]
"""Attack, defence and movement allowance."""
Replacement = Literal["infantry", "special", "tank", "any"]
Quality = Literal["elite", "normal", "low"]


class Unit(Counter, frozen=True):
    """A counter (2.3.2)."""

    nation: str
    troops: str
    size: str
    faces: tuple[Face, ...]
    branch: str = ""
    formation: str = ""
    remnant: str = ""
    stacking: Annotated[int, msgspec.Meta(ge=0, le=4)] = 0
    quality: Quality = "normal"
    rating: Count = 0
    destroyer: bool = False
    silhouette: str = ""
    range: Count = 0
    replaced: tuple[Replacement, ...] = ()

    @property
    def full(self) -> int:
        """Its steps at full strength (2.3.5)."""
        return len(self.faces) + bool(self.remnant)


class Remnant(Entry, frozen=True):
    """The third step of some units, so many counters of a kind (10.4)."""

    kind: str
    troops: str
    face: Face
    stacking: Count
    count: Positive
    formation: str = ""
    quality: Quality = "normal"
    rating: Count = 0


class Troops(Entry, frozen=True):
    """A kind of troops (2.3.3), and the replacements that serve it (20.1.2)."""

    title: str
    replaced: tuple[Replacement, ...]
    mechanised: bool = False
    vehicle: bool = False
    infantry: bool = False
    mountain: bool = False
    artillery: bool = False


class Nation(AnyNation, frozen=True):
    """A nationality, its side, and the army with which it fights (2.3.4, 8.6)."""

    army: str


class Pace(Entry, frozen=True):
    """A line of the terrain chart; prices are points such as "1/3"."""

    clear: str
    hill: str
    city: str
    marsh: str
    major: str
    minor: str
    near: str
    river: str
    extended: Count

    pass_: str = msgspec.field(name="pass")

    def price(self, name: str) -> Fraction:
        """The points of one of its entries."""
        return Fraction(getattr(self, name))


class March(Entry, frozen=True):
    """Numbers of the chapters on movement and supply."""

    close: Positive
    leaving: Count
    tactical: Positive
    area: Positive
    trucks: Count
    truck: Positive
    replaced: Count
    overland: Positive


class Limits(Entry, frozen=True):
    """The most, and the least, of several things."""

    stack: Positive
    strength: Positive
    least: str
    shattered: str
    supply: Positive
    forts: tuple[Count, Count]
    naval: Positive


class Result(Entry, frozen=True):
    """What a result of combat means (10.1)."""

    title: str
    rule: str
    attacker: Count = 0
    defender: Count = 0
    enemy_picks: bool = False
    retreat: Count = 0


class Cell(NamedTuple):
    """A cell of the combat chart: the result, the advance, the colour (10.1, 11.2.2)."""

    result: str
    advance: int = 0
    """3 stands for 2+."""
    colour: str = ""

    def __str__(self) -> str:
        far = {0: "", 3: " Adv 2+"}.get(self.advance, f" Adv {self.advance}")
        return self.result + far


ADVANCES = {"0": 0, "1": 1, "2": 2, "2+": 3}


def read_outcome(text: str) -> Cell:
    """A cell as the chart writes it: `D1 2 orange`.

    >>> read_outcome("DS 2+ red"), str(read_outcome("DR2 2"))
    (Cell(result='DS', advance=3, colour='red'), 'DR2 Adv 2')
    """
    result, *rest = text.split()
    advance = rest[0] if rest else "0"
    colour = rest[1] if len(rest) > 1 else ""
    if advance not in ADVANCES or colour not in ("", "orange", "red"):
        raise ValueError(f"{text!r} has an unknown advance or colour")
    return Cell(result, ADVANCES[advance], colour)


class Stand(NamedTuple):
    """A cell of the determined defence table (11.4.1)."""

    attacker: int
    lead: int
    verdict: str
    """F fails, H holds, P is a partial success."""
    enemy_picks: bool = False
    """1*: the defender picks the attacker's loss."""

    def __str__(self) -> str:
        return f"{self.attacker}{'*' * self.enemy_picks}/{self.lead} {self.verdict}"


def read_stand(text: str) -> Stand:
    """A cell as the chart writes it.

    >>> read_stand("1*/1 P")
    Stand(attacker=1, lead=1, verdict='P', enemy_picks=True)
    """
    losses, verdict = text.split()
    attacker, lead = losses.split("/")
    if verdict not in ("F", "H", "P"):
        raise ValueError(f"{text!r} neither fails, holds nor is a partial success")
    return Stand(int(attacker.rstrip("*")), int(lead), verdict, "*" in attacker)


class Space(Entry, frozen=True):
    """A space of the weather track (23.1 to 23.4)."""

    title: str
    sky: Literal["clear", "cloudy", "rain", "mud"]
    allied: Count
    german: Count
    air: tuple[str, ...] = ()
    naval: bool = False


class Port(Entry, frozen=True):
    """What the port of Naples adds, from which turns (23.3.2)."""

    turns: tuple[Positive, ...]
    points: tuple[Count, ...]


class Section(Entry, frozen=True):
    """A section of the 8th Army zone, and when it becomes Allied (5.8.1)."""

    region: str
    turn: Count = 0
    next: str = ""


class Calendar(Entry, frozen=True):
    """The turn record track."""

    names: tuple[str, ...]
    benchmarks: tuple[Count, ...]


class Victory(Entry, frozen=True):
    """Automatic victory (24.2)."""

    first_turn: Positive
    margin: Positive
    most: Positive


class Scenario(Beginning, frozen=True):
    """One way to start."""

    first: Positive
    last: Positive
    setup: str
    wins: Positive
    forts: bool = True


class Start(Entry, frozen=True):
    """Where a unit begins, and in what state."""

    unit: str
    hex: str
    reduced: bool = False
    ready: bool = False


class Site(Entry, frozen=True):
    """A fortification at the start."""

    hex: str
    complete: bool


class Setup(Entry, frozen=True):
    """A set-up card."""

    supply: tuple[Count, Count]
    weather: str
    allied: tuple[str, ...]
    frozen: tuple[str, ...]
    held: tuple[str, ...]
    garrison: tuple[str, ...]
    units: tuple[Start, ...]
    forts: tuple[Site, ...]


class Release(Entry, frozen=True):
    """A unit that is set free in a turn."""

    unit: str
    turn: Positive


class Standing(Entry, frozen=True):
    """Standing orders of the scenarios (S3.3)."""

    formia: str
    coast: Release
    naples: Release
    near: Positive


class Group(Entry, frozen=True):
    """Units that come (`at` a place), leave (and return), or are removed in a turn (21, 22)."""

    turn: Positive
    side: str
    units: tuple[str, ...]
    at: str = ""
    returns: Count = 0


@dataclass(frozen=True)
class Book:
    """All that the data files say."""

    units: tuple[Unit, ...] = where("units.toml")
    remnants: tuple[Remnant, ...] = where("units.toml")
    nations: Mapping[str, Nation] = where("charts.toml")
    formations: Mapping[str, str] = where("charts.toml")
    troops: Mapping[str, Troops] = where("charts.toml")
    movement: Mapping[str, Pace] = where("charts.toml", names=("leg", "mechanised"))
    march: March = where("charts.toml")
    limits: Limits = where("charts.toml")
    shifts: Mapping[str, Reason] = where("charts.toml")
    results: Mapping[str, Result] = where("charts.toml")
    combat: Table[Cell] = where("charts.toml", cell=read_outcome)
    determined: Table[Stand] = where("charts.toml", cell=read_stand)
    rally: Table[str] = where("charts.toml", cell=str)
    attrition: Table[int] = where("charts.toml", cell=int)
    construction: Table[str] = where("charts.toml", cell=str)
    disengagement: Table[str] = where("charts.toml", cell=str)
    weather: Table[str] = where("charts.toml", cell=str)
    track: Mapping[str, Space] = where("charts.toml", names=SPACES)
    port: Port = where("charts.toml")
    sections: Mapping[str, Section] = where("charts.toml")
    air: Mapping[str, str] = where("charts.toml")
    replacements: Mapping[str, Mapping[Replacement, tuple[Count, ...]]] = where("charts.toml")
    calendar: Calendar = where("charts.toml", "turns")
    victory: Victory = where("charts.toml")
    scenarios: tuple[Scenario, ...] = where("scenarios.toml")
    setups: Mapping[str, Setup] = where("scenarios.toml")
    orders: Standing = where("scenarios.toml")
    arrivals: tuple[Group, ...] = where("scenarios.toml", "arrivals.list")
    withdrawals: tuple[Group, ...] = where("scenarios.toml", "withdrawals.list")
    removals: tuple[Group, ...] = where("scenarios.toml", "removals.list")
