"""What stands in the data files, line by line; `book` checks how it fits together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple

import msgspec

from apennine.mechanics.roster import Beginning, Count, Counter, Entry, Nation, Positive, where
from apennine.mechanics.tables import Table

SIDES = ("Central Powers", "Entente")
PACES = ("ordinary", "mountain", "staff", "wheels", "afloat")
"""The lines of the terrain chart."""
TERRAINS = ("clear", "forest", "town", "city", "mountain", "high", "marsh")
"""Its columns of terrain."""

Face = tuple[Count, Count, Positive, Positive]
"""Attack, defence, movement and morale."""
Price = str
"""Movement points such as "1/2", or "no"."""
Cooperation = Literal["none", "strained", "full"]


class Unit(Counter, frozen=True):
    """A counter (2.2)."""

    nation: str
    kind: str
    size: str = ""
    tag: str = ""
    faces: tuple[Face, ...] = ()
    division: str = ""
    value: Count = 0
    range: Count = 0
    moves: Count = 0
    points: Count = 0

    @property
    def full(self) -> int:
        """Its steps at full strength (6.0); supports other than assault troops have none.

        Those of a division hang on its printed morale, which Retreat mode does not change.
        """
        if not self.faces:
            return 0
        strong = self.size == "division" and self.faces[0][3] == STRONG
        return len(self.faces) + strong


STRONG = 4
"""Divisions of this morale have a third step (6.0)."""


class Kind(Entry, frozen=True):
    """What a counter is (2.2)."""

    title: str
    pace: str
    combat: bool = False
    artillery: bool = False
    assault: bool = False


class Size(Entry, frozen=True):
    """The size of a combat unit: what it counts in a stack (4.0), what its steps cost (12.2.8)."""

    title: str
    symbol: str
    stacking: tuple[Count, Count]
    price: Positive
    prices: Mapping[str, Positive] = msgspec.field(default_factory=dict[str, Positive])


class Host(Entry, frozen=True):
    """Whom assault troops may join (15.3)."""

    nation: str
    size: str
    morale: tuple[Positive, ...] = ()


class Pace(Entry, frozen=True):
    """A line of the terrain chart."""

    clear: Price
    forest: Price
    town: Price
    city: Price
    mountain: Price
    high: Price
    marsh: Price
    dug: Price
    crest: Price
    river: Price

    def price(self, name: str) -> Fraction | None:
        """The points of one of its entries; None where it is barred."""
        written: str = getattr(self, name)
        return None if written == "no" else Fraction(written)


class March(Entry, frozen=True):
    """Numbers of the chapter on movement."""

    road: Price
    fast_road: Price
    rail_bridge: Price
    pontoon: Price
    interdiction: Price
    forced: Positive
    quiet: Positive
    reserves: Positive
    flight: Positive
    unloading: Positive


class Limits(Entry, frozen=True):
    """The most of several things."""

    stack: Positive
    detachments: Positive
    pontoons: Positive
    tries: Positive
    reserves: tuple[Count, Count]
    cavalry_reserves: tuple[Count, Count]
    sharing: Positive


class Lines(Entry, frozen=True):
    """How far supply reaches (9.1)."""

    radius: Positive
    rough: Positive


class Works(Entry, frozen=True):
    """A task of engineers: the die that it needs, and what changes that."""

    target: Positive
    near: Count = 0
    enemy: int = 0
    major: int = 0
    poor: int = 0
    friend: int = 0
    zone: int = 0


class Surprise(Entry, frozen=True):
    """Where bridges are harder to blow up, and when (11.2.5)."""

    river: str
    turn: Positive
    modifier: int


class Shift(Entry, frozen=True):
    """A reason to shift the column (12.2.4)."""

    title: str
    columns: int
    rule: str


class Modifier(Entry, frozen=True):
    """A reason to change a die."""

    title: str
    modifier: int
    rule: str


class Factors(Entry, frozen=True):
    """What terrain makes of factors (12.2.4)."""

    city: Positive
    trench: Positive
    crest: str
    river: str


class Doctrine(Entry, frozen=True):
    """How the Entente fights (3.0)."""

    trench: Positive
    cooperation: Cooperation
    columns: int = 0
    losses: int = 0
    attacking: int = 0
    defending: int = 0
    retreat: int = 0
    shelled: int = 0


class Cue(Entry, frozen=True):
    """A reason to change the dice of Tactical Coordination (12.2.6)."""

    title: str
    rule: str
    attacking: int = 0
    defending: int = 0


class Grade(Entry, frozen=True):
    """A result of Tactical Coordination (12.2.6)."""

    title: str
    least: int
    retreat: Count = 0
    units: Count = 0


class Cell(NamedTuple):
    """A cell of the combat chart: hit points of both sides, and the asterisk (12.2.5)."""

    attacker: int
    defender: int
    asterisk: bool = False

    def __str__(self) -> str:
        return f"A{self.attacker}{'*' * self.asterisk} D{self.defender}"


def read_cell(text: str) -> Cell:
    """A cell as the chart writes it.

    >>> read_cell("A6* D2"), str(read_cell("A0 D10"))
    (Cell(attacker=6, defender=2, asterisk=True), 'A0 D10')
    """
    attacker, defender = text.split()
    if attacker[0] != "A" or defender[0] != "D":
        raise ValueError(f"{text!r} is no pair of hit points")
    return Cell(int(attacker[1:].rstrip("*")), int(defender[1:]), attacker.endswith("*"))


class Squadrons(Entry, frozen=True):
    """What changes the die for the air, from which turns (17.1)."""

    turns: tuple[Positive, ...]
    modifiers: tuple[int, ...]


class Goal(Entry, frozen=True):
    """Hexes so many of which give a level of victory."""

    level: str
    hexes: tuple[str, ...]
    needed: Positive


class Scenario(Beginning, frozen=True):
    """One way to start."""

    first: Positive
    last: Positive
    setup: str
    area: str
    front: str
    initiative: str
    prizes: str
    sources: Mapping[str, tuple[str, ...]]
    doctrines: Mapping[str, str]
    opening: Literal["fog", "fog then poor"]
    part: str = ""
    later: Literal["", "poor"] = ""
    air: bool = True
    venezia: bool = False
    broken: str = ""
    assault: str = ""
    bruchmueller: Count = 0
    reserves: Mapping[str, Count] = msgspec.field(default_factory=dict[str, Count])
    thaw: Count = 0
    superiority: tuple[Positive, ...] = ()
    display: str = ""
    rommel: str = ""
    collapse: tuple[Count, Count] = (0, 0)
    refugees: Count = 0
    sabotage: Count = 0
    retreat: Mapping[str, tuple[Count, Count]] = msgspec.field(
        default_factory=dict[str, tuple[Count, Count]]
    )
    retreat_mark: Count = 0
    exit: str = ""
    strikes: bool = False
    hunger: Count = 0
    silence: Count = 0
    desertion: Count = 0
    gallop: Count = 0
    bands: Mapping[str, int] = msgspec.field(default_factory=dict[str, int])
    goal: Goal | None = None
    breakout: bool = False
    heights: Count = 0
    trenches: bool = False
    bridges: bool = False
    behind: bool = False
    tally: str = ""
    capital: str = ""
    armistice: bool = False
    seats: Mapping[str, str] = msgspec.field(default_factory=dict[str, str])


class Offensive(Entry, frozen=True):
    """An offensive that must be declared (8.0)."""

    scenario: str
    turn: Positive
    modifiers: tuple[int, int, int]
    supports: Positive
    guns: tuple[str, ...] = ()
    west: Count = 0
    gathered: bool = False


class Arrival(Entry, frozen=True):
    """Reinforcements (11.1.5)."""

    scenario: str
    turn: Positive
    sequence: Positive
    units: tuple[str, ...]
    at: str = ""


class Start(Entry, frozen=True):
    """Where a unit begins, and in what state; air supports have no hex."""

    unit: str
    hex: str = ""
    reduced: bool = False
    disorganized: bool = False
    frozen: bool = False
    silent: bool = False
    optional: bool = False
    display: str = ""
    parts: tuple[str, ...] = ()


class Ferry(Entry, frozen=True):
    """A pontoon bridge at the start: from the hex with its marker to another."""

    side: str
    hex: str
    to: str
    parts: tuple[str, ...] = ()


class Setup(Entry, frozen=True):
    """A set-up aid."""

    units: tuple[Start, ...]
    pontoons: tuple[Ferry, ...] = ()


@dataclass(frozen=True)
class Book:
    """All that the data files say."""

    units: tuple[Unit, ...] = where("units.toml")
    nations: Mapping[str, Nation] = where("charts.toml")
    kinds: Mapping[str, Kind] = where("charts.toml")
    sizes: Mapping[str, Size] = where("charts.toml")
    attaching: Mapping[str, tuple[Host, ...]] = where("charts.toml")
    movement: Mapping[str, Pace] = where("charts.toml", names=PACES)
    march: March = where("charts.toml")
    limits: Limits = where("charts.toml")
    supply: Lines = where("charts.toml")
    engineering: Mapping[str, Works] = where("charts.toml")
    surprise: Surprise = where("charts.toml")
    weather: Table[str] = where("charts.toml", cell=str)
    bombardment: Table[int] = where("charts.toml", cell=int)
    shelling: Mapping[str, Modifier] = where("charts.toml")
    combat: Table[Cell] = where("charts.toml", cell=read_cell)
    shifts: Mapping[str, Shift] = where("charts.toml")
    factors: Factors = where("charts.toml")
    doctrines: Mapping[str, Doctrine] = where("charts.toml")
    coordination: Mapping[str, Cue] = where("charts.toml")
    results: Mapping[str, Grade] = where("charts.toml")
    misunderstood: Table[str] = where("charts.toml", cell=str)
    disengagement: Table[str] = where("charts.toml", cell=str)
    slipping: Mapping[str, Modifier] = where("charts.toml")
    superiority: Table[str] = where("charts.toml", cell=str)
    squadrons: Squadrons = where("charts.toml")
    silence: Table[int] = where("charts.toml", cell=int)
    turns: Mapping[str, str] = where("charts.toml")
    scenarios: tuple[Scenario, ...] = where("scenarios.toml")
    offensives: tuple[Offensive, ...] = where("scenarios.toml", "offensives.list")
    arrivals: tuple[Arrival, ...] = where("scenarios.toml", "arrivals.list")
    setups: Mapping[str, Setup] = where("scenarios.toml")
