"""Help for tests of games: the rules that they prove, positions, and short ways to play on."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from apennine.hexes import HexSet, mask_of
from apennine.kernel.decision import Choice, Event, Option
from apennine.kernel.game import Game, Preview
from apennine.kernel.ledger import MOST_RULES
from apennine.kernel.log import Rolled
from apennine.kernel.match import IllegalChoice, Match
from apennine.kernel.order import Refusal
from apennine.kernel.position import Position

if TYPE_CHECKING:
    import pytest

P = TypeVar("P", bound=Position)
MOST_IDLE = 200
"""So many questions nobody passes on idly without the phase that he waits for."""


def rule(key: str, *ids: str) -> pytest.MarkDecorator:
    """Say which rules of a game a pytest test proves, as `@rule("tutorial", "4.2")`.

    The ids are those of the game's ledger; a test names one to three.
    """
    if not 1 <= len(ids) <= MOST_RULES:
        raise ValueError(f"A test proves one to {MOST_RULES} rules, but this names {len(ids)}.")
    try:
        import pytest
    except ImportError as error:
        raise ImportError("Tests need pytest: install apennine with its dev extra.") from error
    return pytest.mark.rule(key, ids)


def arrange(
    game: Game[P],
    drawing: str,
    *,
    scenario: str | None = None,
    options: Mapping[str, bool] | None = None,
    others: int | str | None = -1,
    where: str = "hex",
    check: bool = True,
    **fields: Any,
) -> P:
    """A position from a few counters, a line or a part between semicolons for each place.

    Names, `@`, a hex or a box, then what is special about these units: `steps=1` sets an item
    of a list with one item for each unit, a bare word sets the units' bits in a mask of units.

        arrange(game, '''
            1 Inf, 2 Inf @ 0306
            V Pz @ 0304 steps=1 cut      # reduced, and out of supply
            ''', phase="combat", side=0)

    Everything else is as the scenario begins, but for `fields` of the position given by name,
    and for the other units, which go to the place `others` (None: they stay). The names of
    places are read by the board; `where` is the list of the places of units. Unless told not to
    `check`, it refuses a position with which the game finds fault.
    """
    key = game.check_scenario(scenario)
    pos = game.setup(key, game.check_options(options or {}))
    for name, value in fields.items():
        _field(pos, name)
        setattr(pos, name, value)
    places = _per_unit(game, pos, where)
    if others is not None:
        places[:] = [_place(game, others)] * len(places)
    for line in re.split(r"[;\n]", drawing):
        counters = line.partition("#")[0].strip()
        if counters:
            _put(game, pos, places, counters)
    faults = [fault.sentence for fault in game.check(pos)] if check else []
    if faults:
        raise ValueError(f"The game finds fault with this position: {' '.join(faults)}")
    return pos


def _put(game: Game[P], pos: P, places: list[int], counters: str) -> None:
    names, sign, rest = counters.partition("@")
    if not sign:
        raise ValueError(f"{counters!r} does not say where: write `unit, unit @ place marks`.")
    units = [game.unit(name.strip()) for name in names.split(",")]
    place, marks = _place_and_marks(game, rest.split())
    for unit in units:
        places[unit] = place
        for mark in marks:
            name, sign, value = mark.partition("=")
            if sign:
                _per_unit(game, pos, name)[unit] = int(value)
            else:
                setattr(pos, name, _mask(pos, name) | 1 << unit)


def _place_and_marks(game: Game[Any], words: list[str]) -> tuple[int, list[str]]:
    """The place that the words begin with, which may have a long name, and the other words."""
    for length in range(len(words), 1, -1):
        try:
            return game.board.parse(" ".join(words[:length])), words[length:]
        except ValueError:
            continue
    return game.board.parse(" ".join(words[:1])), words[1:]


def _place(game: Game[Any], place: int | str) -> int:
    return game.board.parse(place) if isinstance(place, str) else place


def _field(pos: Position, name: str) -> Any:
    state = pos.state()
    if name not in state:
        raise ValueError(f"{type(pos).__name__} has no field {name!r}; it has {', '.join(state)}.")
    return state[name]


def _per_unit(game: Game[Any], pos: Position, name: str) -> list[int]:
    value = _field(pos, name)
    if not isinstance(value, list) or len(value) != len(game.units):  # pyright: ignore[reportUnknownArgumentType]
        raise ValueError(f"{type(pos).__name__}.{name} is not a list with an item for each unit.")
    return value  # pyright: ignore[reportUnknownVariableType]


def _mask(pos: Position, name: str) -> int:
    value = _field(pos, name)
    if type(value) is not int:
        raise ValueError(f"{type(pos).__name__}.{name} is not a mask of units.")
    return value


class Shorthand(Generic[P]):
    """Short ways to look at the matches of a game and to play on: units and places by name.

        short = Shorthand(game, idle=("halt", "end movement"))
        short.do(match, "move", "1 Inf")
        assert short.hexes(match, "go") == {"0305", "0306"}

    `idle` are the verbs by which somebody does nothing, whatever is asked.
    """

    def __init__(self, game: Game[P], idle: Collection[str] = ()) -> None:
        self.game = game
        self._idle = idle

    # Names.

    def at(self, place: str) -> int:
        """A hex or box by its code or name."""
        return self.game.board.parse(place)

    def mask(self, codes: str) -> int:
        """A set of hexes: `mask("0303 0502")`."""
        return mask_of(map(self.at, codes.split()))

    def codes(self, mask: int) -> set[str]:
        """The hexes of a set by their numbers."""
        return set(HexSet(self.game.board.lattice, mask))

    def number(self, unit: str) -> int:
        """The number of a unit."""
        return self.game.unit(unit)

    def units(self, names: str) -> int:
        """A set of units: `units("1 Inf, 2 Inf")`."""
        return mask_of(self.number(name.strip()) for name in names.split(","))

    def option(self, verb: str, unit: str = "", hex: str = "", value: int = 0) -> Option:
        """An order that names just this."""
        return Option(verb, self.number(unit) if unit else -1, self.at(hex) if hex else -1, value)

    # What is asked.

    def offers(self, match: Match[P]) -> list[Option]:
        """The present menu; nothing if the match is over or waits for dice."""
        return list(match.decision.options) if isinstance(match.decision, Choice) else []

    def asked(self, match: Match[P]) -> Choice:
        """The present question."""
        assert isinstance(match.decision, Choice), f"nothing is asked: {match.outcome}"
        return match.decision

    def verbs(self, match: Match[P]) -> set[str]:
        """The verbs of the present menu."""
        return {offer.verb for offer in self.offers(match)}

    def hexes(self, match: Match[P], verb: str, unit: str = "") -> set[str]:
        """The places that the menu offers with a verb, to a certain unit if one is named."""
        offers = self.found(match, verb, unit)
        return {self.game.board.code(offer.hex) for offer in offers}

    def names(self, match: Match[P], verb: str) -> set[str]:
        """The units that the menu offers with a verb."""
        return {self.game.units[offer.unit] for offer in self.found(match, verb)}

    def found(
        self, match: Match[P], verb: str, unit: str = "", hex: str = "", value: int = 0
    ) -> list[Option]:
        """The offers with this verb, and with this unit, hex and value as far as they are named."""
        _, number, place, _ = self.option(verb, unit, hex)
        return [
            offer
            for offer in self.offers(match)
            if offer.verb == verb
            and (not unit or offer.unit == number)
            and (not hex or offer.hex == place)
            and (not value or offer.value == value)
        ]

    # Playing on.

    def do(self, match: Match[P], verb: str, unit: str = "", hex: str = "", value: int = 0) -> None:
        """Take the first offer with what is named; if there is none, the match says why not."""
        found = self.found(match, verb, unit, hex, value)
        match.choose(found[0] if found else self.option(verb, unit, hex, value))

    def refused(
        self, match: Match[P], verb: str, unit: str = "", hex: str = "", value: int = 0
    ) -> Refusal:
        """Why just this order is refused; nothing changes by it."""
        before, order = match.digest, self.option(verb, unit, hex, value)
        try:
            match.choose(order)
        except IllegalChoice as error:
            assert match.digest == before, "a refused order has changed something"
            return error.refusal
        raise AssertionError(f"{order} is not refused.")

    def preview(
        self, match: Match[P], verb: str, unit: str = "", hex: str = "", value: int = 0
    ) -> Preview:
        """What the first offer with what is named would lead to."""
        found = self.found(match, verb, unit, hex, value)
        assert found, f"{self.option(verb, unit, hex, value)} is not offered"
        shown = match.preview(found[0])
        assert shown is not None, f"nothing is to be said of {found[0]}"
        return shown

    def idle(self, match: Match[P]) -> None:
        """Do nothing, or else the first thing that must be done."""
        menu = self.offers(match)
        match.choose(next((offer for offer in menu if offer.verb in self._idle), menu[0]))

    def pass_on(self, match: Match[P], *, until: str, side: int | None = None) -> None:
        """Stay idle until a phase of this name (of this side) asks, or the match is over."""
        for _ in range(MOST_IDLE):
            pos = match.position
            if match.decision is None or (pos.phase == until and side in (None, pos.side)):
                return
            self.idle(match)
        raise AssertionError(f"The phase {until} never comes.")

    def next_turn(self, match: Match[P]) -> None:
        """Stay idle to the first question of the next turn, or to the end of the match."""
        turn = match.position.turn
        while match.decision is not None and match.position.turn == turn:
            self.idle(match)

    # What happened.

    def steps(self, match: Match[P], unit: str) -> int:
        """How many steps a unit has left."""
        return _per_unit(self.game, match.position, "steps")[self.number(unit)]

    def events(self, match: Match[P], verb: str) -> list[Event]:
        """The events of this kind in the log."""
        return [entry for entry in match.log if type(entry) is Event and entry.verb == verb]

    def told(self, match: Match[P], verb: str) -> list[str]:
        """The units of which the log tells this."""
        return [self.game.units[event.unit] for event in self.events(match, verb)]

    def rolls(self, match: Match[P]) -> list[Rolled]:
        """The dice of the match, in order."""
        return [entry for entry in match.log if type(entry) is Rolled]
