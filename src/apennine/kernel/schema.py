"""The schema of orders: every option that a game can ever offer, by one number.

Only what an order really leaves open is counted. Who moves is fixed when it is asked where to, so
that "go" has a number for each hex and not for each pair of a unit and a hex.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import Any, NamedTuple

from apennine.hexes import bits
from apennine.kernel.decision import Option
from apennine.kernel.game import Game, GameError
from apennine.kernel.order import NOTHING, Declared, Name

FIELDS: tuple[Name, ...] = ("unit", "hex", "value")


class Verb(NamedTuple):
    """One verb: its first number, and what it names besides what the question has fixed."""

    name: str
    first: int
    fields: tuple[tuple[Name, tuple[int, ...]], ...]
    """Each field that it names, with all that may stand there, the one that varies least first."""

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return prod(len(numbers) for _, numbers in self.fields)


class Schema:
    """The verbs of a game, and the number of each option: its action, in the words of learners."""

    def __init__(self, game: Game[Any]) -> None:
        self._title = game.title
        found: list[Verb] = []
        size = 0
        for order in game.verbs.values():
            verb = Verb(order.verb, size, tuple(_fields(game, order)))
            found.append(verb)
            size += verb.size
        self.verbs: Sequence[Verb] = tuple(found)
        """In the order of their numbers."""
        self.size = size
        """How many numbers there are."""
        count = {"unit": len(game.units), "hex": game.board.size}
        self._terms = {verb.name: (verb.first, *_terms(verb, count)) for verb in found}

    def number(self, option: Option) -> int:
        """The number of an option; GameError if its order never said that it could be given."""
        verb, unit, hex, value = option
        try:
            first, units, hexes, values = self._terms[verb]
            # What is outside of the lists, or None in them, is no number that could be added.
            return first + units[unit] + hexes[hex] + values[value]
        except (KeyError, IndexError, TypeError):
            raise GameError(f"{self._title}: {option} is outside of what is declared.") from None

    def numbered(self, menu: Iterable[Option]) -> dict[int, Option]:
        """The options of a menu by their numbers."""
        number = self.number
        return {number(option): option for option in menu}

    def describe(self, number: int) -> str:
        """What a number stands for, as "go, hex 212"; what the question fixes is left out."""
        if not 0 <= number < self.size:
            raise GameError(f"{self._title} has {self.size} actions, and no number {number}.")
        verb = next(each for each in reversed(self.verbs) if each.first <= number)
        rest, words = number - verb.first, [verb.name]
        for name, numbers in reversed(verb.fields):
            rest, index = divmod(rest, len(numbers))
            words.insert(1, f"{name} {numbers[index]}")
        return ", ".join(words)


def _fields(game: Game[Any], order: Declared) -> Iterable[tuple[Name, tuple[int, ...]]]:
    for name in order.names:
        if name in order.implied:
            continue
        known = dict(order.ranges).get(name, name)
        if known == "unit":
            yield name, tuple(range(len(game.units)))
        elif known == "hex":
            board = game.board
            yield name, (*board.lattice, *range(board.lattice.size, board.size))
        elif isinstance(known, str):
            raise GameError(f"{game.title}: {order.verb!r} does not say what values it names.")
        else:
            numbers = known(game.war) if callable(known) else known
            yield name, tuple(bits(numbers) if isinstance(numbers, int) else numbers)


def _terms(verb: Verb, count: dict[str, int]) -> list[list[Any]]:
    """For each field of an option: what it adds to the number, by what stands there.

    Minus one is the last of a list. What an order does not leave open adds nothing.
    """
    step, found = verb.size, dict[Name, list[Any]]()
    for name, numbers in verb.fields:
        step //= max(1, len(numbers))
        terms: list[Any] = [None] * (max(numbers, default=-1) + 2)
        for index, number in enumerate(numbers):
            terms[number] = index * step
        found[name] = terms
    return [
        found.get(name) or [0] * (count.get(name, 0) + 1 if name in count else 1 + NOTHING[name])
        for name in FIELDS
    ]
