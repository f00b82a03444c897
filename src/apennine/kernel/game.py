"""The contract that every game fulfils, and what it says to players."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, partial
from hashlib import sha256
from importlib import resources
from importlib.resources.abc import Traversable
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar, cast

from apennine.board import Board, make_map
from apennine.kernel.charts import Chart, read_charts
from apennine.kernel.data import DataFile
from apennine.kernel.decision import Line, Option, Procedure
from apennine.kernel.guide import Hint, read_guide
from apennine.kernel.laying import Change
from apennine.kernel.ledger import Ledger
from apennine.kernel.order import Declared, hides
from apennine.kernel.pack import MAP, WORDS, Laid, Pack, lay
from apennine.kernel.position import Position

if TYPE_CHECKING:
    from apennine.kernel.encoding import Encoder, Encoding
    from apennine.kernel.outlook import Clues, Outlook
    from apennine.kernel.sandtable import SandTable
    from apennine.kernel.schema import Schema

P = TypeVar("P", bound=Position)
T = TypeVar("T")

EVERYBODY = -1
"""As a side: nobody in particular. A draw has this winner, a spectator this seat."""
REFEREE = -2
"""As a side that looks: somebody who may see everything, such as the reader of a save."""


class Outcome(NamedTuple):
    """How a game ended: the winning side (-1: a draw), and the reason as a sentence."""

    winner: int
    reason: str
    rule: str = ""


class Prize(NamedTuple):
    """A place that counts: where, how much, and the side that has it (-1: neither)."""

    hex: int
    worth: int
    holder: int


class Standing(NamedTuple):
    """Who is ahead, as far as a side may know: in numbers and in one sentence.

    `points` and `goals` have a number for each side: what it has of what wins, and how much of it
    wins. Both are empty, and there is no sentence, for a game that does not say.
    """

    sentence: str = ""
    points: tuple[int, ...] = ()
    goals: tuple[int, ...] = ()
    ahead: int = EVERYBODY
    """The side that would win as things stand; -1: neither."""
    rule: str = ""
    prizes: tuple[Prize, ...] = ()
    """The places that points are given for, if the game names them."""

    @property
    def missing(self) -> tuple[int, ...]:
        """What each side still lacks.

        >>> Standing("One more town wins.", points=(2, 1), goals=(3, 1)).missing
        (1, 0)
        """
        return tuple(max(0, goal - has) for has, goal in zip(self.points, self.goals, strict=True))


class Fault(NamedTuple):
    """Something wrong with a position."""

    sentence: str
    rule: str = ""
    unit: int = -1
    hex: int = -1


class Warning(NamedTuple):
    """Something legal that a player will want to know before it hurts."""

    sentence: str
    rule: str = ""
    unit: int = -1
    hex: int = -1


class Chance(NamedTuple):
    """One possible result and its exact probability."""

    result: str
    probability: Fraction


class Preview(NamedTuple):
    """What an option would lead to: the path and cost of a move, or the chances of a battle."""

    path: tuple[int, ...] = ()
    cost: str = ""
    lines: tuple[Line, ...] = ()
    column: str = ""
    chances: tuple[Chance, ...] = ()


class Posting(NamedTuple):
    """A line of the order of battle: what comes or goes in a turn.

    `units` are those meant, or those that a rule names as an example; `text` tells what their
    counters do not: what kind must go, whether they come back.
    """

    turn: int
    side: int
    comes: bool
    units: tuple[int, ...]
    text: str = ""
    rule: str = ""


class Scenario(NamedTuple):
    """One way to start a game."""

    key: str
    title: str
    summary: str
    turns: int


class Switch(NamedTuple):
    """An optional rule of a new match."""

    key: str
    title: str
    rule: str
    default: bool = False


class GameError(ValueError):
    """A request that this game cannot meet: an unknown scenario, switch, unit or place."""


class OfWar(Generic[T]):
    """What a function of the war answers, as a method of a game: see `of_war`."""

    def __init__(self, answer: Callable[..., T]) -> None:
        self._answer = answer
        self._name = ""

    def __set_name__(self, _owner: type, name: str) -> None:
        self._name = name

    def __get__(self, game: Any, _kind: type | None = None) -> Callable[..., T]:
        if game is None:
            return self._answer
        # Found there from now on, without a call in between: `phase` and `outcome` are hot.
        bound = game.__dict__[self._name] = partial(self._answer, game.war)
        return bound


def of_war(answer: Callable[..., T]) -> Callable[..., T]:
    """A method of a game that is answered by a function of its war.

    So a game that shows itself by a function `show(war, pos, side)` says `view = of_war(show)`.
    """
    return cast("Callable[..., T]", OfWar(answer))


class Game(ABC, Generic[P]):
    """One game: its board, units, scenarios and rules. Static, shared by all its matches.

    Every method that takes a position leaves it as it is, except `phase`, whose procedure
    plays on it.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    sides: ClassVar[tuple[str, ...]]
    length: ClassVar[str] = ""
    """About how long a game between two people takes: "3 hours"."""
    difficulty: ClassVar[str] = ""
    """How hard it is to learn: easy, medium or hard."""
    position_type: type[P]

    war: Any = None
    """All that never changes in a match, as its rules and what tells of them know it."""
    board: Board
    units: Sequence[str]
    scenarios: Sequence[Scenario]
    switches: Sequence[Switch] = ()
    value_names: Mapping[str, Sequence[str]] = MappingProxyType({})
    """By the verb of an order or event, what its values are called that stand for something."""
    overlays: Mapping[str, Callable[[Any, Any, int, int], int]] = MappingProxyType({})
    """By name: a set of hexes to show over the map, of the war and a position, for a side and a
    unit that is pointed at (or -1)."""
    previews: Mapping[str, Callable[[Any, Any, Option], Preview | None]] = MappingProxyType({})
    """By verb: what an option would lead to, of the war and a position."""
    orders: Sequence[Declared] = ()
    """Every verb, declared once: see `apennine.kernel.order.orders_in`."""
    vocabulary: Mapping[str, Callable[[Any, Any, Option], str]] = MappingProxyType({})
    """What the sentences of bars may hold in braces besides {unit}, {hex} and {value}.

    A game with words of its own for these three ("Salerno (2822)") gives them here too.
    """
    tales: Mapping[str, Callable[[Any, Any], str]] = MappingProxyType({})
    """By opening verb: how the story tells it in one line, given the game and the `Scene`; where it
    gives "", and for all other verbs, the kernel's own words do."""
    encoding: Encoding | None = None
    """What learners are given of its positions; None in a game that does not say."""
    clues: Clues | None = None
    """What its outlook is read off; None in a game that tells none."""
    sand_table: SandTable | None = None
    """On which attacks are put together from nothing; None in a game that has none."""
    unbuilt: Sequence[str] = ()
    """Scopes of its ledger whose rules it does not keep yet, such as an advanced game; only rows of
    these may say "later"."""
    packs: Sequence[Pack] = ()
    """The corrections that were laid over the data files, in this order."""
    bots: Mapping[str, Callable[[int], Callable[[Any], Option]]] = MappingProxyType({})
    """Bots of its own by name: each is made with a seed, takes a `Seat` and returns an option."""
    on_trial: Sequence[str] = ()
    """Those of them that have not been shown to play as their names say: no lobby offers them."""

    _laid = Laid({}, [])

    def __init__(self, packs: Sequence[Pack] = ()) -> None:
        """A game whose data are read with these packs laid over them."""
        self.packs = tuple(packs)
        if packs:
            self._laid = lay(packs, self.key, self.data)

    @abstractmethod
    def setup(self, scenario: str, options: Mapping[str, bool]) -> P:
        """The position in which a scenario starts. Both arguments have been checked."""

    @abstractmethod
    def phase(self, pos: P) -> Procedure:
        """Play `pos.phase` on this position, and set the phase that comes next."""

    @abstractmethod
    def view(self, pos: P, side: int) -> dict[str, Any]:
        """What that side (-1: a spectator) may see, a battle under way included. JSON-able."""

    @abstractmethod
    def outcome(self, pos: P) -> Outcome | None:
        """How the game ended, or None. Asked before every decision, so it must be quick."""

    @cached_property
    def verbs(self) -> Mapping[str, Declared]:
        """The orders by verb."""
        return {order.verb: order for order in self.orders}

    @cached_property
    def schema(self) -> Schema:
        """Every option that could ever be offered, by one number."""
        from apennine.kernel.schema import Schema

        return Schema(self)

    @cached_property
    def encoder(self) -> Encoder:
        """Positions as numbers: their layout, and arrays of them. GameError if it gives none."""
        from apennine.kernel.encoding import Encoder

        return Encoder(self)

    @cached_property
    def encode(self) -> Callable[[P, int], bytes]:
        """What a side (-1: a spectator) may see of a position, in bytes of a fixed layout."""
        return self.encoder.encode

    @cached_property
    def veiled(self) -> frozenset[str]:
        """The verbs of orders that may have something to hide from the other sides."""
        return frozenset(order.verb for order in self.orders if hides(order))

    @cached_property
    def by_name(self) -> frozenset[str]:
        """The verbs of orders that a mere click on a unit does not mean."""
        return frozenset(order.verb for order in self.orders if order.by_name)

    def check(self, pos: P) -> list[Fault]:
        """Everything that is wrong with a position; nothing at a checkpoint."""
        del pos
        return []

    def preview(self, pos: P, option: Option) -> Preview | None:
        """What an option of the present menu would lead to, if there is something to say."""
        known = self.previews.get(option.verb)
        return known(self.war, pos, option) if known else None

    def warnings(self, pos: P, side: int) -> list[Warning]:
        """What this side should look at before it goes on."""
        del pos, side
        return []

    def overlay(self, pos: P, name: str, side: int, unit: int = -1) -> int:
        """A set of hexes to show over the map, as a bitboard: one of `overlays`."""
        known = self.overlays.get(name)
        if known is None:
            raise GameError(f"{self.title} has no overlay called {name!r}.")
        return known(self.war, pos, side, unit)

    def imagine(self, pos: P, side: int, random: Random, seen: P) -> P:
        """Another position that this side could not tell from this one.

        `seen` is the present, which may be later than `pos`: what has come to light by then
        must hold in the imagined position. A game without secrets keeps this default.
        """
        del side, random, seen
        return pos.copy()

    def unseen(self, pos: P, side: int) -> int:
        """The units, as a mask, of which this side (-1: a spectator) cannot tell where they are."""
        del pos, side
        return 0

    def control(self, pos: P, side: int) -> int:
        """The hexes that a side holds, as everybody knows; none in a game that does not say."""
        del pos, side
        return 0

    def standing(self, pos: P, side: int) -> Standing:
        """Who is ahead, as far as this side (-1: a spectator) may know."""
        del pos, side
        return Standing()

    @cached_property
    def forecast(self) -> Outlook | None:
        """What games between bots have shown of the chances to win; None if nobody has looked."""
        from apennine.kernel.outlook import read_outlook

        return read_outlook(self)

    def outlook(self, pos: P, side: int) -> float | None:
        """A side's chance to win, 0 to 1, by what all can see; None in a game that gives none."""
        found = self.forecast.chance(self.war, pos) if self.forecast else None
        if found is not None and (outcome := self.outcome(pos)) is not None:
            found = {0: 1.0, EVERYBODY: 0.5}.get(outcome.winner, 0.0)
        return found if found is None or side == 0 else 1.0 - found

    def schedule(self, pos: P, side: int) -> Sequence[Posting]:
        """Who comes and goes, turn by turn, as far as this side (-1: a spectator) may know.

        The whole schedule of the match, what is past included; none if everybody is there from the
        start to the end.
        """
        del pos, side
        return ()

    def score(self, pos: P, side: int) -> float:
        """How good a position looks to a side, for bots that look ahead. Zero is even."""
        del pos, side
        return 0.0

    def side(self, name: str) -> int:
        """The number of the side with this name."""
        return _find(name, self.sides, f"{self.title} has no side called")

    def unit(self, name: str) -> int:
        """The number of the unit with this name."""
        try:
            return self._unit_numbers[name]
        except KeyError:
            raise GameError(f"{self.title} has no unit called {name!r}.") from None

    @cached_property
    def _unit_numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.units)}

    def check_scenario(self, scenario: str | None) -> str:
        """The scenario's key, the first one's for None; GameError if there is none such."""
        keys = [known.key for known in self.scenarios]
        if scenario is None:
            return keys[0]
        if scenario not in keys:
            raise GameError(f"{self.title} has no scenario {scenario!r}; it has {', '.join(keys)}.")
        return scenario

    def check_options(self, options: Mapping[str, bool]) -> dict[str, bool]:
        """Every optional rule, on or off: as asked, or as the book recommends."""
        known = {switch.key: switch.default for switch in self.switches}
        for key in options:
            if key not in known:
                has = ", ".join(known) if known else "none"
                raise GameError(f"{self.title} has no optional rule {key!r}; it has {has}.")
        return known | {key: bool(value) for key, value in options.items()}

    @property
    def data(self) -> Traversable:
        """The folder of the game's data files."""
        package = sys.modules[type(self).__module__].__package__ or type(self).__module__
        return resources.files(package) / "data"

    def read_file(self, name: str) -> DataFile:
        """A data file such as `units.toml`, with the packs laid over it."""
        return self._laid.files.get(name) or DataFile.open(self.data / name)

    def read_map(self) -> Board:
        """The map in `map.toml`, with the packs laid over it."""
        return make_map(self.read_file(MAP).data, MAP if self.packs else str(self.data / MAP))

    @property
    def corrections(self) -> Sequence[Change]:
        """Every value that the packs have changed."""
        return self._laid.changes

    @cached_property
    def ledger(self) -> Ledger:
        """The game's rules, one row each."""
        with resources.as_file(self.data / "ledger.tsv") as path:
            return Ledger.read(path, self.key)

    @cached_property
    def charts(self) -> list[Chart]:
        """The tables of the charts file as a player can read them, with their sources."""
        has_charts = (self.data / "charts.toml").is_file()
        return read_charts(self.read_file("charts.toml").data) if has_charts else []

    @cached_property
    def guide(self) -> list[Hint]:
        """The hints of a guided first game; none if the game has no guide."""
        return read_guide(self.data / "guide.toml")

    @cached_property
    def data_digest(self) -> str:
        """A fingerprint of the data, packs included: the same numbers, the same digest.

        Files of words, the ledger and the guide, are left out.
        """
        digest = sha256()
        for entry in sorted(self.data.iterdir(), key=lambda entry: entry.name):
            if entry.is_file() and entry.name not in WORDS:
                digest.update(entry.name.encode() + b"\0" + entry.read_bytes() + b"\0")
        for pack in self.packs:
            digest.update(pack.label.encode() + b"\0")
        return digest.hexdigest()[:32]


def _find(name: str, names: Sequence[str], sentence: str) -> int:
    for number, known in enumerate(names):
        if known.casefold() == name.casefold():
            return number
    raise GameError(f"{sentence} {name!r}; it has {', '.join(names)}.")
