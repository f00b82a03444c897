"""The schema of orders: every option that a game can ever offer, by numbers.

Only what an order really leaves open is counted. Who moves is fixed when it is asked where to, so
that "go" has a number for each hex and not for each pair of a unit and a hex. An order that leaves
two things open, who and where to, is given in two numbers, one after the other: so there are as
many as units and hexes together, and not one for each pair.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
    """Each field that it names, with all that may stand there: the numbers of one come after those
    of the other."""

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return sum(len(numbers) for _, numbers in self.fields) if self.fields else 1


class Schema:
    """The verbs of a game, and the numbers of each option: its actions, as learners call them."""

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
        self._legs = {verb.name: tuple(_legs(verb, count)) for verb in found}

    def numbers(self, option: Option) -> tuple[int, ...]:
        """The one or two numbers of an option; GameError if its order never said there was one."""
        verb, unit, hex, value = option
        try:
            # What is outside of the lists, or None in them, is no number that could be added.
            return tuple(
                [
                    first + units[unit] + hexes[hex] + values[value]
                    for first, units, hexes, values in self._legs[verb]
                ]
            )
        except (KeyError, IndexError, TypeError):
            raise GameError(f"{self._title}: {option} is outside of what is declared.") from None

    def numbered(self, menu: Iterable[Option], begun: int = -1) -> dict[int, Option | None]:
        """The options of a menu by their numbers, or by their second ones when one has `begun`.

        None stands for several, which the next number tells apart. What they all begin with is
        not asked: the second numbers are given at once.
        """
        found: dict[int, Option | None] = {}
        told = [(self.numbers(option), option) for option in menu]
        for numbers, option in told:
            if begun < 0:
                found[numbers[0]] = None if numbers[0] in found else option
            elif numbers[0] == begun:
                found[numbers[-1]] = option
        if len(found) == 1 and None in found.values():
            return {numbers[-1]: option for numbers, option in told}
        return found

    def describe(self, number: int) -> str:
        """What a number stands for, as "go, hex 212"; what the question fixes is left out."""
        if not 0 <= number < self.size:
            raise GameError(f"{self._title} has {self.size} actions, and no number {number}.")
        verb = next(each for each in reversed(self.verbs) if each.first <= number)
        rest = number - verb.first
        for name, numbers in verb.fields:
            if rest < len(numbers):
                return f"{verb.name}, {name} {numbers[rest]}"
            rest -= len(numbers)
        return verb.name


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


def _legs(verb: Verb, count: dict[str, int]) -> Iterable[tuple[Any, ...]]:
    """For each number of an option: where its numbers begin, and what each field adds to that.

    A field that is told by the other number, or that an order does not leave open, adds nothing.
    Minus one is the last of a list.
    """
    tables = {name: [0] * (count[name] + 1) for name in count}
    tables["value"] = [0] * (1 + NOTHING["value"])
    tables |= {name: [0] * (max(numbers, default=-1) + 2) for name, numbers in verb.fields}
    if not verb.fields:
        yield verb.first, *[tables[field] for field in FIELDS]
    first = verb.first
    for name, numbers in verb.fields:
        added: list[Any] = [None] * len(tables[name])
        for index, number in enumerate(numbers):
            added[number] = index
        yield first, *[added if field == name else tables[field] for field in FIELDS]
        first += len(numbers)
