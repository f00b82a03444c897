"""What stands in the data files, line by line; `book` checks how it fits together.

Turns are numbered from 1, Sept II 1943, to 79, Apr IV 1945 (`Book.turns[number - 1]`). Places are
hexes by their codes (`K57`) or boxes of the map (`Sicilia`, `Messina`, `Taranto`). Ports, invasion
zones, air bases and victory cities are places of the map, with kinds `port`, `invasion-zone`,
`basic-zone`, `second-zone`, `air-base`, `victory-i`, `victory-ii` and numbers `il`, `cap`, `bu`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Literal, NamedTuple

import msgspec

from apennine.mechanics.roster import Beginning, Count, Counter, Entry, Positive, where
from apennine.mechanics.roster import Nation as AnyNation
from apennine.mechanics.tables import Table

SIDES = ("Allied", "German")
PACES = ("good", "mud", "lift", "breakthrough", "breakthrough-mud")
"""The lines of a terrain chart: both weathers, the turn of a landing, and breakthroughs in both."""
DIRECTIONS = ("N", "NE", "SE", "S", "SW", "NW")
"""As the table of D9C names them, from 1 to 6."""

Turn = Annotated[int, msgspec.Meta(ge=1, le=79)]
Face = tuple[Count, Count, Positive]
"""Attack, defence and movement points."""
Rebuilds = Literal["", "all", "not armor"]
"""Whom a replacement rebuilds: nobody (it is none), all, or all but pure armor (C11B2, C11C4)."""
Placing = Literal["fixed", "listed", "anywhere", "north", "front", "reserve", "allied"]
"""Where a unit may be put at the start instead of where history had it; see `Start`."""


class Growth(Entry, frozen=True):
    """Strength that a unit cannot have before a turn (E7B)."""

    turn: Turn
    faces: Positive
    """So many of its first faces are closed before that turn."""
    stacking: Count
    """Its stacking number from that turn on."""


class Unit(Counter, frozen=True):
    """A unit, with a counter for each of its strengths (B4F4 to B4F9)."""

    nation: str
    troops: str
    size: str
    faces: tuple[Face, ...]
    """Its counters face up, from full strength to the weakest."""
    stacking: Count
    """The same at every strength, and inverted (B4F6)."""
    inverted: Literal["step", "cadre", "none"] = "step"
    """Whether its weakest counter inverted is one more step (B4F8); of replacements (C10A1b) it is
    not, and of regiments it is a cadre without a step (E9J2)."""
    mountain: bool = False
    """Underlined: moves and fights in mountains (D8A1)."""
    commando: bool = False
    """With a small c (D5A)."""
    parachute: bool = False
    """May be dropped (F8)."""
    foreign: bool = False
    """Enters as if neither British nor of the US, whatever its nation (E7A)."""
    worth: Count = 0
    """Infantry replacements for which it may be exchanged (E8I)."""
    regiments: tuple[str, ...] = ()
    """What a German division may be broken down into (E9)."""
    growth: Growth | None = None

    @property
    def steps(self) -> int:
        """Its steps at full strength: a face each, and one inverted."""
        return len(self.faces) + (self.inverted == "step")


class Nation(AnyNation, frozen=True):
    """A nationality (D7A)."""

    kin: tuple[str, ...]
    """The nationalities with which it stacks as one: itself; of the 1SSF two (D8A2)."""
    invades: bool = False
    """Whether its units may ever land in an invasion (C5A3)."""


class Troops(Entry, frozen=True):
    """A kind of troops, as the symbol on the counter shows it."""

    title: str
    armor: bool = False
    """Armor by D4A3; of the Germans also what only armor replacements rebuild (C11C5)."""
    rebuilds: Rebuilds = ""
    """Replacements: whom they rebuild."""
    once: bool = False
    """Replacements that never come again (E8H)."""


class Pace(Entry, frozen=True):
    """A line of the terrain chart: points to cross a hexside that has some of that ground.

    They are such as "1/2"; `all` takes all points, `half` half of them, `no` bars the way.
    """

    plain: str
    rough: str
    high: Literal["all", "half", "no"]
    major: str
    minor: str
    least: Count = 0
    """Points that one must have to cross a side all of High Apennine (C13E2)."""

    def price(self, name: str) -> Fraction:
        """The points of one of its plain prices.

        >>> pace = Pace(plain="1", rough="2", high="all", major="1/2", minor="1")
        >>> print(pace.price("major"), pace.price("rough"))
        1/2 2
        """
        return Fraction(getattr(self, name))


class Landing(Entry, frozen=True):
    """The turn of a landing (C5C, D5B)."""

    points: Positive
    """Movement points of the Initial Lift."""
    commando: Positive
    """Movement points of commandos."""
    beach: str
    rough: str
    swamp: Literal["all"]
    """What commandos pay to come ashore where there is no plain (D5B5)."""
    raids: Count
    """Commandos that may raid in a turn without an invasion (D5C2)."""


class Limits(Entry, frozen=True):
    """The most, and the least, of several things."""

    stack: Positive
    mixed: Positive
    """With several nationalities (D7A)."""
    strategic: Positive
    """Strategic Movement multiplies by this (B4C14a)."""
    retreat: Positive
    """Hexes (B4G2)."""
    rebuilding: Positive
    """Hexes from any enemy at which replacements are taken (C11A6)."""
    isolation: Positive
    """Turns (C9A7)."""
    carried: Positive
    """Turns for which Build-Up is kept (C5G6)."""
    least: str
    """The worst odds of an attack (B4E12)."""
    automatic: str
    """Odds at which the defenders are destroyed (C12A1)."""
    breakthrough: Positive
    """Points for each step that the defender has not (C13A)."""
    ports: Positive
    forts: Positive
    """Counters that there are."""
    foreign: Positive
    """By this Build-Up is counted for units neither British nor of the US (D7B)."""


class Support(Entry, frozen=True):
    """Supporting fire (D3): factors of each side in a player-turn, and those of certain turns."""

    naval: Count
    air: Count
    german_start: Count
    """Held over from before the first turn (D3C5)."""
    german_first: Count
    """In the turn of the first invasion (D3C6)."""
    german_second: Count
    """In the turn after the second (D3C7)."""
    german: Count
    """In every other good turn."""
    battle: Positive
    """The most of either side in one battle (D3A9)."""
    counters: tuple[Positive, Positive]
    """By side, the counters that there are (D3A1)."""


class Air(Entry, frozen=True):
    """Air superiority (D2); its bases and folds are on the map."""

    columns: Positive
    """German attacks are shifted by this."""
    islands: Turn
    """From this turn the Allies have it in the region `west-to-m` (D2F)."""
    region: str


class Outcome(NamedTuple):
    """A cell of the Step Reduction Table: both triangles (B4F2)."""

    attacker: int
    attacker_retreats: bool
    defender: int
    defender_retreats: bool

    def __str__(self) -> str:
        halves = (("A", self.attacker, self.attacker_retreats),)
        halves += (("D", self.defender, self.defender_retreats),)
        told = (f"{who}{steps or ''}{'R' * back}" for who, steps, back in halves if steps or back)
        return " ".join(told) or "-"


def read_outcome(text: str) -> Outcome:
    """A cell as the table writes it.

    >>> read_outcome("A1 D2R"), str(read_outcome("AR")), str(read_outcome("-"))
    (Outcome(attacker=1, attacker_retreats=False, defender=2, defender_retreats=True), 'AR', '-')
    """
    found = {"A": (0, False), "D": (0, False)}
    for half in text.replace("-", "").split():
        steps = half[1:].rstrip("R")
        if half[0] not in found or found[half[0]] != (0, False) or (steps and not steps.isdigit()):
            raise ValueError(f"{text!r} is not written like A1R D2")
        found[half[0]] = (int(steps or 0), half.endswith("R"))
    return Outcome(*found["A"], *found["D"])


class Week(Entry, frozen=True):
    """A turn of the calendar; what the Advanced Game alone uses stands at the end."""

    name: str
    mud: bool = False
    """The mark M of the Basic track (C1B2)."""
    allied: Count = 0
    """Replacements in Sicilia (C1A3)."""
    infantry: Count = 0
    armor: Count = 0
    """German replacements (C2B2)."""
    fort: bool = False
    """A fort may be built (D6B1)."""
    ports: Count = 0
    """Port counters at the start of the Allied turn (C1B3)."""
    mud_die: Count = 0
    """Advanced: the highest die that brings mud (E2A4)."""
    fort_die: Count = 0
    """Advanced: the highest die that allows a fort (E2A5)."""
    port: Count = 0
    """Advanced: port counters (E2A6)."""


class Invasion(Entry, frozen=True):
    """An invasion that a scenario allows (C5, C6)."""

    key: Literal["first", "second", "later"]
    first: Turn
    last: Turn
    percent: Positive
    """Of the Initial Lift, rounded up (C6E)."""
    zones: tuple[str, ...]
    """Kinds of places that it may be made at."""
    must: bool = False
    """The first must be made (C5A1)."""


class Start(Entry, frozen=True):
    """Where a unit begins, and the strength that is left to it.

    `at` is its place in history; `may` says where else its owner may put it:

    | `may` | places |
    |---|---|
    | fixed | nowhere else |
    | listed | the hexes of `hexes` |
    | anywhere | all playable hexes (C2A1) |
    | north | north of the Gustav Line (S-SHINGLEa) |
    | front | next to the front or two hexes from it, on the German side (S-SHINGLEb) |
    | reserve | behind the front, two of the reserves on it too (S-DIADEMa) |
    | allied | the Allied side of the front, out of German zones of control (S-DIADEMb) |
    """

    unit: str
    at: str
    lost: Count = 0
    """Steps lost."""
    may: Placing = "fixed"
    hexes: tuple[str, ...] = ()


class Setup(Entry, frozen=True):
    """A set-up."""

    units: tuple[Start, ...]
    forts: tuple[str, ...] = ()
    """Hexes; only with the rule on forts (D6)."""
    ports: tuple[str, ...] = ()
    """Ports and zones of the map with a counter at work."""
    hand: Count = 0
    """Port counters not yet used, besides those of the calendar."""
    friendly: tuple[str, ...] = ()
    """Regions of the map that are Allied; all else is German (C4)."""
    front: str = ""
    """The region of the map of German hexes along the front."""
    behind: str = ""
    """The region of the map on the German side of the front."""
    north: Count = 0
    """Combat units that may be placed `north` (S-SHINGLEa)."""
    forward: Count = 0
    """Reserves that may stand on the front (S-DIADEMa)."""
    beachhead: str = ""
    """The region in which only `points` Allied stacking points may start (S-DIADEMb)."""
    points: Count = 0


class Terms(Entry, frozen=True):
    """What the Allies need against one German order of battle (E21E)."""

    needed: Positive
    besides: tuple[str, ...] = ()
    """Places that do not count."""
    reached: tuple[str, ...] = ()
    """Places that must be in an Allied zone of control, if they are not taken."""
    isolated: tuple[str, ...] = ()
    """Places that must be cut off from German supply, if they are not taken."""


class Scenario(Beginning, frozen=True):
    """One way to start."""

    first: Turn
    last: Turn
    setup: str
    cities: str
    """Kind of the places that win."""
    needed: Positive
    """So many of them (C15B, E21E2)."""
    invasions: tuple[Invasion, ...] = ()
    invaded: bool = False
    """Whether the second invasion is over when it opens: no reaction comes."""
    advanced: Literal["", "southern", "central", "all"] = ""
    """Of the Advanced Game, the last section of the Allied card that it uses (E4A)."""
    terms: tuple[Terms, ...] = ()
    """Of the Advanced Game, by German order of battle, instead of `needed` alone."""
    front: bool = True
    """Whether the Germans must keep a front to the end (C15C, E21E3)."""


class Group(Entry, frozen=True):
    """Units that come in a turn (C1A2, C2A2), unless they are on the table already."""

    turn: Turn
    side: str
    units: tuple[str, ...]


class Reaction(Entry, frozen=True):
    """German units that the second invasion brings (C2A3)."""

    delay: Count
    """German turns after that of the invasion."""
    units: tuple[str, ...]


SECTIONS = ("southern", "central", "all")
"""The sections of the Allied card: a game uses its own and those before (E4A)."""
CARDS = "SRM"
"""The German orders of battle, weakest first: Standard, Reinforced and Maximum (E5B)."""


class AlliedLine(Entry, frozen=True):
    """A date of the Allied card (E4)."""

    turn: Turn
    card: Literal["southern", "central", "all"]
    event: Literal["arrive", "withdraw", "return", "exchange", "replacements"]
    units: tuple[str, ...] = ()
    instead: tuple[str, ...] = ()
    """Who is withdrawn if the unit cannot be; of an exchange, whose place it takes."""
    number: Count = 0
    """Of replacements."""


GermanEvent = Literal[
    "arrive",
    "garrison",
    "release",
    "leave",
    "withdraw",
    "exchange",
    "command",
    "corsica",
    "relief",
    "livorno",
]


class GermanLine(Entry, frozen=True):
    """A date of the German card (E5), or German turns after the second invasion."""

    turn: Count
    event: GermanEvent
    units: tuple[str, ...]
    cards: str = CARDS
    at: tuple[str, ...] = ()
    """Of a garrison, the hexes of its post."""
    radius: Count = 10
    """Of a garrison: Allies so near its post release it (E6B5)."""
    instead: tuple[str, ...] = ()
    to: Literal["", "Ligurian", "Adriatic"] = ""
    if_second: Literal["", "early", "late"] = ""
    """Only if the second invasion has come by the Allied turn `by`, or has not."""
    by: Count = 0
    entered: bool = False
    """Only of units that are no garrison (E8D)."""


class Site(Entry, frozen=True):
    """The highest dice on which Italians join the Allies, by where these land (E10B2)."""

    zones: tuple[str, ...]
    garrison: Count
    others: Count


class Defection(Entry, frozen=True):
    """Italians who may change sides (E10B)."""

    garrison: tuple[str, ...]
    """Those of Roma."""
    others: tuple[str, ...]
    sites: tuple[Site, ...]
    drop: tuple[str, ...]
    """The zones beside which a drop on Roma may be made (E12B)."""
    target: str
    """Where it is made."""
    airborne: tuple[str, ...]
    """Who drops there (E12A)."""


@dataclass(frozen=True)
class Book:
    """All that the data files say."""

    units: tuple[Unit, ...] = where("units.toml")
    nations: Mapping[str, Nation] = where("charts.toml")
    troops: Mapping[str, Troops] = where("charts.toml")
    movement: Mapping[str, Pace] = where("charts.toml", names=PACES)
    mountain: Mapping[str, Pace] = where("charts.toml", "mountain-movement", names=PACES)
    landing: Landing = where("charts.toml")
    limits: Limits = where("charts.toml")
    combat: Table[Outcome] = where("charts.toml", cell=read_outcome)
    support: Support = where("charts.toml")
    air: Air = where("charts.toml")
    unit_interdiction: Table[str] = where("charts.toml", "unit-interdiction", cell=str)
    hex_interdiction: Table[str] = where("charts.toml", "hex-interdiction", cell=str)
    direction: Table[str] = where("charts.toml", cell=str)
    turns: tuple[Week, ...] = where("charts.toml", "calendar.list")
    scenarios: tuple[Scenario, ...] = where("scenarios.toml")
    setups: Mapping[str, Setup] = where("scenarios.toml")
    arrivals: tuple[Group, ...] = where("scenarios.toml", "arrivals.list")
    reactions: tuple[Reaction, ...] = where("scenarios.toml", "reactions.list")
    allied_card: tuple[AlliedLine, ...] = where("scenarios.toml", "allied-card.list")
    bonus: Mapping[str, int] = where("scenarios.toml", "allied-card.bonus")
    german_card: tuple[GermanLine, ...] = where("scenarios.toml", "german-card.list")
    german_reaction: tuple[GermanLine, ...] = where("scenarios.toml", "german-reaction.list")
    defection: Defection = where("scenarios.toml")
