"""What stands in the data files, line by line; `book` checks how it fits together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from apennine.mechanics.roster import Beginning, Count, Counter, Entry, Nation, Positive, where
from apennine.mechanics.tables import Table

SIDES = ("Allied", "German")
TERRAINS = ("clear", "mountain", "marsh")
MOBILITIES = ("mountain", "foot", "mechanised")
"""The three mobility categories (2.11a)."""
DIVISIONS, SUPPORTS = 3, 1
"""Units of each kind that may be in a hex (6.3a, 6.3b)."""
GROUPS = ("US", "GB", "10", "2SS", "5Pz")
"""Allied groupings and German organisations (1.3, 1.4)."""
DIE = 10


class Unit(Counter, frozen=True):
    """A counter: the to-hit number of its faces, full strength first, and its movement factor."""

    group: str
    troops: str
    fire: tuple[int, ...]
    moves: int | Literal["?"]
    code: str
    only: str = ""
    place: str = ""

    @property
    def full(self) -> int:
        """Its steps at full strength."""
        return len(self.fire)

    @property
    def movement(self) -> int:
        """The printed movement factor; 0 stands for the question mark (2.12a)."""
        return self.moves if isinstance(self.moves, int) else 0

    @property
    def arrives(self) -> int:
        """The turn in which it comes as a reinforcement, or 0 (3.2a, 3.3a)."""
        return int(self.code) if self.code.isdecimal() and len(self.code) <= 2 else 0

    @property
    def start(self) -> str:
        """The hex in which it begins, or nothing (3.2c); `place` is where free ones stood."""
        return self.place or (self.code if self.code.isdecimal() and len(self.code) > 2 else "")

    @property
    def available(self) -> bool:
        """Whether it begins in its box (3.2b, 3.3c)."""
        return self.code == "A"


class Group(Nation, frozen=True):
    """An organisation: its side, and the box where its units wait (1.3, 1.4)."""

    box: str


class Troops(Entry, frozen=True):
    """A kind of troops (1.5a, 2.6)."""

    title: str
    support: bool
    mountain: bool


class Pace(Entry, frozen=True):
    """What a mobility category pays on the terrain chart (2.11b)."""

    clear: Positive
    mountain: Positive
    marsh: Positive
    road: Positive
    river: Count
    blocked: Literal["all", "never"]


class March(Entry, frozen=True):
    """What else changes movement."""

    question_most: int
    column: Positive
    mixed: int
    cross_supplied: int
    exit: int
    landing: Positive


class Modifier(Entry, frozen=True):
    """A reason to change the to-hit number: of divisions, and of corps support (13.12a)."""

    title: str
    attack: int
    defence: int
    support: int
    support_defence: int
    rule: str

    def change(self, attacks: bool, support: bool) -> int:
        """What it does to the fire of a unit."""
        if attacks:
            return self.support if support else self.attack
        return self.support_defence if support else self.defence


ATTACK_ONLY = ("mountain", "marsh", "city", "river", "fort", "cross_supplied", "rubble")
"""Modifiers that defensive fire never answers to (11.3b, 13.6d, 13.13b)."""

MODIFIERS = frozenset(
    (
        *("mountain", "marsh", "city", "river", "fort", "tac", "naval", "rubble"),
        *("out_of_supply", "coastal_supply", "mixed", "cross_supplied"),
    )
)


class Bombers(Entry, frozen=True):
    """The highest roll that hits, and the lowest that makes rubble (13.6c, 13.6d)."""

    hit: int
    rubble: int


class Command(Entry, frozen=True):
    """Command points of each side a turn (9.2, 9.3)."""

    allied: Count
    german: Count


class Prices(Entry, frozen=True):
    """What command points buy."""

    move: Count
    attack: Count
    move_fight: Count
    fight_move: Count
    fort: Count
    tac: Count
    aerial_supply: Count
    drop: Count
    bombers: Count
    allied_step: Count
    allied_return: Count
    german_foot: Count
    german_mechanised: Count
    launch: Count
    resolve: Count


class Replacements(Entry, frozen=True):
    """The first turn, and how many steps of each class the Germans may take (9.16a, 9.17a)."""

    first_turn: Count
    german_foot: Count
    german_mechanised: Count


class Forts(Entry, frozen=True):
    """How many, and from when on (9.8a, 9.8h)."""

    counters: Count
    first_turn: Count


class Aircraft(Counter, frozen=True):
    """An air unit (9.9b, 13.6a)."""

    group: str
    kind: Literal["tactical", "heavy"]


class SecondSS(Entry, frozen=True):
    """Before which turns II SS Panzer Corps comes, on a roll up to what (8.5)."""

    before: tuple[int, ...]
    most: tuple[int, ...]
    rule: str = ""


class FifthArmy(Entry, frozen=True):
    """When units of 5th Panzer Army are rolled for (8.7)."""

    before: tuple[int, ...]
    every: int
    divisor: Positive
    units: int
    rule: str = ""


class EndRun(Entry, frozen=True):
    """What may be sent on the end-run invasion, and when (8.10a, 8.13a, 8.15a, 8.18e)."""

    first_turn: int
    last_turn: int
    divisions: int
    supports: int
    aircraft: int
    reinforcements: int
    deadline: int


class EndRunModifier(Entry, frozen=True):
    """What changes the roll: `value` for each `per` of what is counted, `most` times at most."""

    title: str
    value: int
    per: Positive
    most: Positive
    rule: str

    def worth(self, counted: int) -> int:
        """What so many are worth."""
        return self.value * min(counted // self.per, self.most)


END_RUN_MODIFIERS = frozenset(("reinforced", "air", "reaction", "winter"))


class Scenario(Beginning, frozen=True):
    """A way to begin; without an outcome the die decides after the first turn (8.1a)."""

    outcome: str


class Outcome(Entry, frozen=True):
    """What the die decides (8.2): who is in play, and which rules."""

    title: str
    rolls: tuple[int, int]
    groups: tuple[str, ...]
    forts: bool
    hesitancy: tuple[int, ...]
    withdrawals: bool
    final_check: bool


OUTCOMES = ("historical", "wat")


class Calendar(Entry, frozen=True):
    """The turns: their names and their days."""

    days: tuple[int, ...]
    names: tuple[str, ...]


class Port(Entry, frozen=True):
    """A port supply counter: where it lies, whose it is, and what becomes of it."""

    name: str
    hex: str
    group: str
    start: bool = False
    switch: bool = False
    becomes: str = ""
    opens: bool = False


class Supply(Entry, frozen=True):
    """How far Germans must be from a port that opens, and the last turn for Naples (11.9)."""

    clear: int
    last_turn: int


class Setup(Entry, frozen=True):
    """Special Forces, and where the free British units may stand (3.2d, 3.6a)."""

    special_forces: str
    british: str
    range: Count


class Withdrawal(Entry, frozen=True):
    """A unit that must leave in the Historical Scenario (10.4a)."""

    unit: str
    turn: int


class Victory(Entry, frozen=True):
    """The hexes that decide (4.1g, 4.2a), and the first turn in which the prizes count (4.2i)."""

    prizes: tuple[str, ...]
    beaches: tuple[str, ...]
    first_turn: int


def read_end_run(text: str) -> str:
    """A cell of the end-run table: `defeat`, `undecided`, `breakthrough` or `withdraw 4` steps."""
    word, _, steps = text.partition(" ")
    if text in ("defeat", "undecided", "breakthrough") or (
        word == "withdraw" and steps.isdecimal()
    ):
        return text
    raise ValueError(f"{text!r} is no result of an end-run")


UNITS, CHARTS, SCENARIOS = FILES = ("units.toml", "charts.toml", "scenarios.toml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """All that the data files say."""

    units: tuple[Unit, ...] = where(UNITS)
    groups: dict[str, Group] = where(CHARTS, names=GROUPS)
    troops: dict[str, Troops] = where(CHARTS)
    movement: dict[str, Pace] = where(CHARTS, names=MOBILITIES)
    march: March = where(CHARTS)
    modifiers: dict[str, Modifier] = where(CHARTS, names=MODIFIERS)
    bombers: Bombers = where(CHARTS)
    command: Command = where(CHARTS)
    prices: Prices = where(CHARTS)
    replacements: Replacements = where(CHARTS)
    forts: Forts = where(CHARTS)
    tactical: tuple[int, int, int] = where(CHARTS, "air.tactical")
    aircraft: tuple[Aircraft, ...] = where(CHARTS, "air.units")
    river_grace: int = where(CHARTS, "rivers.german_until")
    """Up to this turn rivers do not trouble a German attack (13.14)."""
    second_ss: SecondSS = where(CHARTS)
    fifth_army: FifthArmy = where(CHARTS)
    end_run: EndRun = where(CHARTS)
    end_run_table: Table[str] = where(CHARTS, cell=read_end_run)
    end_run_modifiers: dict[str, EndRunModifier] = where(CHARTS, names=END_RUN_MODIFIERS)
    raid: Table[str] = where(CHARTS, cell=str)
    raid_turns: tuple[int, ...] = where(CHARTS, "raids.turns")
    scenarios: tuple[Scenario, ...] = where(SCENARIOS)
    outcomes: dict[str, Outcome] = where(SCENARIOS, names=OUTCOMES)
    calendar: Calendar = where(SCENARIOS, "turns")
    ports: tuple[Port, ...] = where(SCENARIOS, "ports.list")
    supply: Supply = where(SCENARIOS)
    setup: Setup = where(SCENARIOS)
    withdrawals: tuple[Withdrawal, ...] = where(SCENARIOS, "withdrawals.list")
    victory: Victory = where(SCENARIOS)

    @property
    def turns(self) -> int:
        """How many there are."""
        return len(self.calendar.names)

    def mobility(self, unit: Unit) -> str:
        """The mobility category of a unit (2.11a)."""
        if self.troops[unit.troops].mountain:
            return "mountain"
        return "foot" if unit.moves == 4 else "mechanised"

    def support(self, unit: Unit) -> bool:
        """Whether it is a corps support unit and no division (1.5a)."""
        return self.troops[unit.troops].support
