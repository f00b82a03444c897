"""A bot that tries whole plans of a player turn in its head, and follows the best of them.

A plan is a temper: weights with which the game's own staff would play the turn. Before its first
order the bot plays each of them on in dreams, by the staff on both sides, until the other side has
had its turn too; the outlook says how good that is. All plans are tried in the same dreams, so that
they are told apart by what they do and not by luck. The small steps then cost no more thought than
the staff's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, sqrt
from random import Random
from time import perf_counter
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from apennine.kernel.decision import Option
from apennine.kernel.match import Match
from apennine.kernel.seat import Seat

W = TypeVar("W")
Given = TypeVar("Given", contravariant=True)


class Heeding(Protocol[Given]):
    """A bot that can be given other weights in the middle of a match."""

    def __call__(self, seat: Seat[Any], /) -> Option:
        """One of the options."""
        ...

    def heed(self, weights: Given) -> None:
        """From now on weigh things like this; what is remembered stays."""
        ...


class Effort(NamedTuple):
    """How hard to think before a turn."""

    dreams: int = 5
    """In how many each plan is played on, at most."""
    least: int = 3
    """After so many a plan that is clearly worse than another is tried no more."""
    clearly: float = 1.5
    """By how many standard errors that is."""
    doubt: float = 0.5
    """By how many the usual plan must be beaten."""


USUAL = Effort()


class HardBot(Generic[W]):
    """The staff of a game with a plan for each of its turns, chosen by looking ahead.

    `plans` are the weights to choose from, by side, the usual ones first. It thinks for no more
    than so many `seconds` before a turn; unless these are given, the time does not count, and it
    plays the same on every machine.
    """

    def __init__(
        self,
        staff: Callable[[int, W], Heeding[W]],
        plans: Sequence[Sequence[W]],
        seed: int,
        effort: Effort = USUAL,
        *,
        seconds: float = inf,
    ) -> None:
        self._make, self._plans, self._seed = staff, plans, seed
        self._effort, self.seconds = effort, seconds
        self._random = Random(seed)
        self._staff: Heeding[W] | None = None
        self._last: tuple[int, int] | None = None

    def __call__(self, seat: Seat[Any]) -> Option:
        plans = self._plans[seat.side]
        if self._staff is None:
            self._staff = self._make(self._seed, plans[0])
        now = seat.moment
        if now != self._last:
            self._last = now
            if now[1] == seat.side and len(plans) > 1:
                self._staff.heed(plans[self._chosen(seat, len(plans))])
        return self._staff(seat)

    def _chosen(self, seat: Seat[Any], count: int) -> int:
        """The number of the plan to follow."""
        effort, until = self._effort, perf_counter() + self.seconds
        found: list[list[float]] = [[] for _ in range(count)]
        tried = [*range(count)]
        for done in range(effort.dreams):
            seed, worths = self._random.getrandbits(30), list[float]()
            for plan in tried:
                if perf_counter() > until:
                    break
                worths.append(self._worth(seat, plan, seed))
            if len(worths) < len(tried):  # a dream that not all plans were tried in tells nothing
                break
            for plan, worth in zip(tried, worths, strict=True):
                found[plan].append(worth)
            if done + 1 >= effort.least:
                tried = self._left(found, tried)
            if len(tried) == 1:
                break
        if not found[0]:
            return 0
        best = max(tried, key=lambda plan: sum(found[plan]))
        if best and 0 in tried:
            gain, error = difference(found[best], found[0])
            return best if gain > effort.doubt * error else 0
        return best

    def _left(self, found: Sequence[Sequence[float]], tried: Sequence[int]) -> list[int]:
        """The plans that are not clearly worse than the best."""
        best = max(tried, key=lambda plan: sum(found[plan]))
        pairs = ((plan, difference(found[best], found[plan])) for plan in tried)
        clearly = self._effort.clearly
        return [plan for plan, (gain, error) in pairs if plan == best or gain < clearly * error]

    def _worth(self, seat: Seat[Any], plan: int, seed: int) -> float:
        """The chance to win once a dream of this turn and the next one has been played."""
        side, dream = seat.side, seat.dream(seed)
        bots = [
            self._make(self._seed, plans[plan]) if one == side else self._make(seed, plans[0])
            for one, plans in enumerate(self._plans)
        ]
        return played_on(dream, bots, side)


def played_on(match: Match[Any], bots: Sequence[Callable[[Seat[Any]], Option]], side: int) -> float:
    """A side's chance to win when this player turn is over and the next one too."""
    turns, last = 0, None
    while match.decision is not None:
        seat = match.seat()
        now = seat.moment
        if last is not None and now != last:
            turns += 1
            if turns == 2:
                break
        last = now
        match.choose(bots[seat.side](seat))
    if match.outcome is not None:
        return {side: 1.0, -1: 0.5}.get(match.outcome.winner, 0.0)
    chance = match.game.outlook(match.position, side)
    return 0.5 if chance is None else chance


def difference(one: Sequence[float], two: Sequence[float]) -> tuple[float, float]:
    """By how much values are greater than others got in the same dreams, and its standard error.

    >>> difference([0.5, 0.75], [0.5, 0.25])
    (0.25, 0.25)
    """
    pairs = [a - b for a, b in zip(one, two, strict=True)]
    mean = sum(pairs) / len(pairs)
    spread = sum((gain - mean) ** 2 for gain in pairs) / max(1, len(pairs) - 1)
    return mean, sqrt(spread / len(pairs))
