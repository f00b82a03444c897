"""A bot that asks, for each option of a menu, the judge of its verb, and takes the best one.

A game's bot is a *mind* (the position as its side may know it, and what follows from it), a table
of judges by verb, and a function that makes the mind of a seat:

    bot = JudgingBot(lambda seat: Mind(war, sighted(seat), seat.side), JUDGES)

A judge says how much an option is liked. By custom 0 is to end a step, so that whatever is below
is left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from random import Random
from typing import Any, Generic, TypeAlias, TypeVar

from apennine.kernel.decision import Option
from apennine.kernel.match import Seat

M = TypeVar("M")
T = TypeVar("T")
Judge: TypeAlias = Callable[[M, Option], float]
"""How much an option is liked."""


def always(value: float) -> Judge[Any]:
    """The same, whatever the position."""

    def judge(mind: Any, option: Option) -> float:
        del mind, option
        return value

    return judge


DONE: Judge[Any] = always(0.0)
"""To end a step: better than what is not worth while."""
GLADLY: Judge[Any] = always(1.0)
NEVER: Judge[Any] = always(-1.0)


def overall(value: Callable[[M], float]) -> Judge[M]:
    """A judge who looks at the position alone, whatever the option names."""

    def judge(mind: M, option: Option) -> float:
        del option
        return value(mind)

    return judge


def by_default(mind: Any, option: Option) -> float:
    """For a verb that nobody has an opinion on: to end the step rather than to do anything."""
    del mind
    return -1.0 if option.unit >= 0 or option.hex >= 0 or option.value else 0.0


def decide(
    mind: M,
    options: Sequence[Option],
    judges: Mapping[str, Judge[M]],
    default: Judge[M] = by_default,
) -> Option:
    """The option that its judge likes best; the first of several."""
    return max(options, key=lambda option: judges.get(option.verb, default)(mind, option))


class JudgingBot(Generic[M]):
    """A bot of a mind and judges: `think` makes the mind of a seat."""

    def __init__(
        self,
        think: Callable[[Seat[Any]], M],
        judges: Mapping[str, Judge[M]],
        default: Judge[M] = by_default,
    ) -> None:
        self._think, self._judges, self._default = think, judges, default

    def __call__(self, seat: Seat[Any]) -> Option:
        return decide(self._think(seat), seat.decision.options, self._judges, self._default)


class Kept(Generic[T]):
    """Something that is thought of once and kept as long as its reasons are the same."""

    def __init__(self) -> None:
        self._kept: tuple[Hashable, T] | None = None

    def get(self, reasons: Hashable, make: Callable[[], T]) -> T:
        """What was made for these reasons, made anew if they are others."""
        if self._kept is None or self._kept[0] != reasons:
            self._kept = reasons, make()
        return self._kept[1]


class Shelf:
    """Whatever was worked out, each thing for its reasons; cleared when there is too much of it."""

    def __init__(self, most: int = 512) -> None:
        self._most = most
        self._kept: dict[Hashable, Any] = {}

    def get(self, reasons: Hashable, make: Callable[[], T]) -> T:
        """What was made for these reasons, or is now."""
        if reasons not in self._kept:
            if len(self._kept) > self._most:
                self._kept.clear()
            self._kept[reasons] = make()
        return self._kept[reasons]


def taste(seed: int, *what: Hashable) -> float:
    """What a bot with this seed thinks of something, from 0 to 1: always the same.

    A plan that is chosen by it needs no memory, and depends on nothing that the bot cannot see.
    """
    return Random(repr((seed, *what))).random()


def of_nearly_equal(
    worths: Mapping[T, float], within: float, liked: Callable[[T], float], least: float = 0.0
) -> T | None:
    """Of the things worth nearly as much as the best, the one that is liked most.

    None if nothing is worth more than `least`.
    """
    good: Iterable[T] = [thing for thing, worth in worths.items() if worth > least]
    best = max((worths[thing] for thing in good), default=least)
    near = [thing for thing in good if worths[thing] >= best - within]
    return max(near, key=liked, default=None)
