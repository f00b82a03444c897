"""A scene of the story: what a side saw of an order carried out, and the line that tells it.

Nothing here knows a game. Moves and losses come from what every position has: `hex` says where each
unit is (a negative number is off the map, `LOST` for good), `steps` how strong it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from apennine.hexes import bits
from apennine.kernel.decision import Event
from apennine.kernel.game import REFEREE, Game
from apennine.kernel.log import HIDDEN, Chosen, Entry, Rolled
from apennine.kernel.luck import has_odds
from apennine.kernel.words import describe, describe_event, spot_name, unit_name

LOST = -1
"""In `hex` of a position: a unit that has left the game for good."""
TURN = "turn"
"""The event with which every game tells that a turn has begun: the chapter says it too."""
FEW = 3
"""So many dice, events or units are told one by one; more are counted."""


class Move(NamedTuple):
    """A unit that is elsewhere now: from where, by which stops, to where. -1: off the map."""

    unit: int
    path: tuple[int, ...]

    @property
    def start(self) -> int:
        return self.path[0]

    @property
    def end(self) -> int:
        return self.path[-1]


class Loss(NamedTuple):
    """Steps that a unit has lost, and where; `gone` if it has left the game."""

    unit: int
    steps: int
    hex: int
    gone: bool


class Sight(NamedTuple):
    """What a side knows of the units at some moment, and what everybody knows of the hexes."""

    hex: Sequence[int]
    steps: Sequence[int]
    unseen: int
    control: tuple[int, ...]


def look(game: Game[Any], pos: Any, side: int) -> Sight:
    """What a side sees of a position that will change."""
    return Sight(
        tuple(getattr(pos, "hex", ())),
        tuple(getattr(pos, "steps", ())),
        0 if side == REFEREE else game.unseen(pos, side),
        tuple(game.control(pos, each) for each in range(len(game.sides))),
    )


@dataclass(frozen=True)
class Scene:
    """All that a side saw between two cuts of the story: what a tale is made of."""

    game: Game[Any]
    before: Sight
    after: Sight
    entries: Sequence[Entry]
    stops: Sequence[tuple[int, int]]
    """Units that were seen to stop on their way, and where."""

    @cached_property
    def lead(self) -> Chosen | None:
        """The order that it is about: the first one that somebody really chose."""
        chosen = [entry for entry in self.entries if type(entry) is Chosen]
        seen = [entry for entry in chosen if entry.option != HIDDEN]
        asked = (entry for entry in seen if not entry.automatic)
        return next(asked, seen[0] if seen else chosen[0] if chosen else None)

    @cached_property
    def rolls(self) -> list[Rolled]:
        """The dice, in order."""
        return [entry for entry in self.entries if type(entry) is Rolled]

    @cached_property
    def events(self) -> list[Event]:
        """The events, in order."""
        return [entry for entry in self.entries if type(entry) is Event]

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """The units that are elsewhere now, as far as the side can tell."""
        if self.before.hex == self.after.hex:
            return ()
        return tuple(
            Move(unit, self._path(unit, start, end))
            for unit, start, end in self._seen(self.before.hex, self.after.hex)
            if end != LOST
        )

    def _path(self, unit: int, start: int, end: int) -> tuple[int, ...]:
        path = [max(start, -1)]
        for stop in [hex for each, hex in self.stops if each == unit] + [max(end, -1)]:
            if stop != path[-1]:
                path.append(stop)
        return tuple(path) if len(path) > 1 else (path[0], path[0])

    @cached_property
    def losses(self) -> tuple[Loss, ...]:
        """The units that have lost steps or have left the game, as far as the side can tell."""
        before, after = self.before, self.after
        if before.steps == after.steps and before.hex == after.hex:
            return ()
        found = {
            unit: Loss(unit, steps - now, before.hex[unit], after.hex[unit] == LOST)
            for unit, steps, now in self._seen(before.steps, after.steps)
            if now < steps
        }
        for unit, hex, now in self._seen(before.hex, after.hex):
            if now == LOST and unit not in found:
                found[unit] = Loss(unit, before.steps[unit], hex, gone=True)
        return tuple(found[unit] for unit in sorted(found))

    def _seen(self, old: Sequence[int], new: Sequence[int]) -> Iterator[tuple[int, int, int]]:
        """What is another number now, of units that the side knew and knows."""
        unseen = self.before.unseen | self.after.unseen
        for unit, (was, now) in enumerate(zip(old, new, strict=True)):
            if was != now and not unseen >> unit & 1:
                yield unit, was, now

    @cached_property
    def sighted(self) -> tuple[tuple[int, int], ...]:
        """The units that the side could not place before and sees in a hex now."""
        places, is_box = self.after.hex, self.game.board.is_box
        new = bits(self.before.unseen & ~self.after.unseen) if self.before.unseen else ()
        found = ((unit, places[unit]) for unit in new)
        return tuple((unit, hex) for unit, hex in found if hex >= 0 and not is_box(hex))

    @property
    def taken(self) -> tuple[tuple[int, int], ...]:
        """The hexes that have changed hands: which, and the side that holds them now."""
        before, after = self.before.control, self.after.control
        return tuple(
            (hex, side)
            for side, (held, holds) in enumerate(zip(before, after, strict=True))
            for hex in bits(holds & ~held)
        )

    @property
    def is_battle(self) -> bool:
        """Whether an order was fought out by dice whose odds are known."""
        return self.lead is not None and any(has_odds(roll) for roll in self.rolls)

    @property
    def is_quiet(self) -> bool:
        """Whether nothing came of it: somebody passed or had nothing to choose, a turn began."""
        lead = self.lead
        happened = [event for event in self.events if event.verb != TURN]
        if self.rolls or happened or self.moves or self.losses:
            return False
        return lead is None or lead.automatic or lead.option[1:] == (-1, -1, 0)

    # In words.

    def text(self) -> str:
        """The scene in one line: the game's own words, or those that do for every game."""
        lead = self.lead
        told = ""
        if lead is not None and lead.option != HIDDEN:
            tale = self.game.tales.get(lead.option.verb)
            told = tale(self.game, self) if tale is not None else ""
        return capital(told or self._plain())

    def outline(self) -> str:
        """What came of many orders that cannot be told one by one: losses and moves."""
        parts = [*told_losses(self.game, self.losses), *told_moves(self.game, self.moves)]
        return "; ".join(parts) if parts else "nothing that can be seen"

    def _plain(self) -> str:
        parts = [*self.opening(), *self.outcome()]
        return "; ".join(parts) if parts else "nothing"

    def opening(self) -> Iterator[str]:
        """What was ordered, unless its moves tell that; with the dice that it was about."""
        lead = self.lead
        dice = told_dice(self.rolls)
        if lead is None:
            yield from dice
        elif lead.option == HIDDEN:
            yield "chooses in secret"
            yield from dice
        elif self.rolls or not self._told_by_moves(lead):
            order = describe(self.game, lead.option, spot_name)
            yield f"{order}, {dice[0]}" if dice else order
            yield from dice[1:]

    def _told_by_moves(self, lead: Chosen) -> bool:
        """Not if a single unit is put somewhere: "place 6 Arm in Termoli" says more."""
        unit, hex = lead.option.unit, lead.option.hex
        placed = [move for move in self.moves if move.start < 0]
        return bool(self.moves) and not any(m.unit == unit and m.end == hex for m in placed)

    def attack(self, result: str, besides: Collection[str] = ()) -> str:
        """An attack that was fought out with one roll on a table, for the tales of games.

        `besides` are the verbs of events that need no words of their own.
        """
        lead, roll = self.lead, self.rolls[0]
        assert lead is not None
        dice = ", ".join(map(str, roll.faces))
        where = spot_name(self.game, lead.option.hex)
        head = f"attack on {where}, {roll.column}: die {dice}, {result}"
        return "; ".join([head, *self.outcome(besides)])

    def outcome(self, besides: Collection[str] = ()) -> Iterator[str]:
        """What came of it: the moves first if they are what it was about."""
        lead = self.lead
        about = lead is not None and not self.rolls and self._told_by_moves(lead)
        touched = {each.unit for each in (*self.moves, *self.losses)}
        touched |= {unit for unit, _ in self.sighted}
        moves = list(self.moves)
        if lead is not None and not about:
            moves = [move for move in moves if (move.unit, move.end) != lead.option[1:3]]
        if about:
            yield from told_moves(self.game, moves)
        events = [e for e in self.events if e.unit not in touched and e.verb not in besides]
        yield from told_events(self.game, events)
        for unit, hex in self.sighted:
            yield f"{unit_name(self.game, unit)} seen at {spot_name(self.game, hex)}"
        yield from told_losses(self.game, self.losses)
        if not about:
            yield from told_moves(self.game, moves)

    @property
    def places(self) -> tuple[int, ...]:
        """The hexes and boxes that it is about, each once."""
        hexes = [entry.hex for entry in self.events]
        hexes += [hex for _, hex in self.sighted]
        hexes += [loss.hex for loss in self.losses]
        hexes += [hex for move in self.moves for hex in (move.start, move.end)]
        if self.lead is not None:
            hexes.insert(0, self.lead.option.hex)
        return tuple(dict.fromkeys(hex for hex in hexes if hex >= 0))


def told_dice(rolls: Sequence[Rolled]) -> list[str]:
    """Dice as "2:1: die 5"; many of them only by their number."""
    if len(rolls) > FEW:
        return [f"{len(rolls)} rolls"]
    return [
        f"{roll.column or roll.purpose}: {'die' if len(roll.faces) == 1 else 'dice'} "
        + ", ".join(map(str, roll.faces))
        for roll in rolls
    ]


def told_events(game: Game[Any], events: Sequence[Event]) -> list[str]:
    """Events in words, each once; of many, the first ones."""
    told = list(dict.fromkeys(describe_event(game, event, spot_name) for event in events))
    more = len(told) - FEW
    return told if more <= 1 else [*told[:FEW], f"{more} more events"]


def told_losses(game: Game[Any], losses: Iterable[Loss]) -> Iterator[str]:
    """Losses as "94 ID eliminated", "HG loses 2 steps"."""
    losses = list(losses)
    gone = [unit_name(game, loss.unit) for loss in losses if loss.gone]
    if gone:
        yield f"{listed(gone)} eliminated"
    for count in sorted({loss.steps for loss in losses if not loss.gone}, reverse=True):
        who = [
            unit_name(game, each.unit) for each in losses if (each.steps, each.gone) == (count, 0)
        ]
        verb = "lose" if len(who) > 1 else "loses"
        yield f"{listed(who)} {verb} {'a step' if count == 1 else f'{count} steps'}"


def told_moves(game: Game[Any], moves: Iterable[Move]) -> Iterator[str]:
    """Moves as "HG, 94 ID: Frosinone (2419) to Formia (2520)", units that go together in one."""
    together: dict[tuple[int, int], list[str]] = {}
    for move in moves:
        together.setdefault((move.start, move.end), []).append(unit_name(game, move.unit))
    for (start, end), units in together.items():
        many = len(units) > 1
        if end < 0:
            yield f"{listed(units)} {'leave' if many else 'leaves'} the map"
        elif start < 0:
            yield f"{listed(units)} {'arrive' if many else 'arrives'} at {spot_name(game, end)}"
        else:
            yield f"{listed(units)}: {spot_name(game, start)} to {spot_name(game, end)}"


def listed(names: Sequence[str]) -> str:
    """Names in a row, the last ones of many as a number.

    >>> listed(["HG", "94 ID"]), listed([str(n) for n in range(9)])
    ('HG, 94 ID', '0, 1, 2, 3 and 5 more')
    """
    if len(names) <= FEW + 2:
        return ", ".join(names)
    return f"{', '.join(names[: FEW + 1])} and {len(names) - FEW - 1} more"


def capital(text: str) -> str:
    """With a capital first letter, the rest as it is."""
    return text[:1].upper() + text[1:]
