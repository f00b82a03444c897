"""Shares with their error bars, and whether two settings differ: no more than the lab needs."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, sqrt
from typing import NamedTuple

Z = 1.959964
"""Of a normal distribution, 95 % lie within so many standard deviations."""


class Interval(NamedTuple):
    """A figure, and where it lies with a confidence of 95 %."""

    value: float
    low: float
    high: float


def share(count: int, total: int) -> Interval:
    """A share and its interval after Wilson, which holds for few games and for shares near 0 and 1.

    >>> share(112, 200)
    Interval(value=0.56, low=0.49..., high=0.62...)
    """
    if not total:
        return Interval(0.0, 0.0, 1.0)
    p, z2 = count / total, Z * Z
    middle = (p + z2 / (2 * total)) / (1 + z2 / total)
    half = Z * sqrt(p * (1 - p) / total + z2 / (4 * total * total)) / (1 + z2 / total)
    return Interval(p, max(0.0, middle - half), min(1.0, middle + half))


def mean(values: Sequence[float]) -> Interval:
    """A mean and its interval."""
    total = len(values)
    if not total:
        return Interval(0.0, 0.0, 0.0)
    middle = sum(values) / total
    spread = sqrt(sum((value - middle) ** 2 for value in values) / max(1, total - 1) / total)
    return Interval(middle, middle - Z * spread, middle + Z * spread)


def sign_test(first: int, second: int) -> float:
    """How likely it is that of pairs that differ one side is ahead so far, if neither is better.

    Exact, on both sides: McNemar's test of pairs played with the same dice.

    >>> sign_test(5, 5), round(sign_test(0, 6), 5)
    (1.0, 0.03125)
    """
    total = first + second
    tail = sum(comb(total, k) for k in range(min(first, second) + 1))
    return min(1.0, 2 * tail / 2**total)


class Difference(NamedTuple):
    """What a setting changes, against another with the same dice."""

    pairs: int
    gained: int
    """Games that the side wins in the second setting alone."""
    lost: int
    """Games that it wins in the first alone."""
    share: Interval
    """By how much its share of wins differs."""
    p: float


def paired(first: Sequence[bool], second: Sequence[bool]) -> Difference:
    """The difference of two series of wins, pair by pair.

    >>> paired([True, False, False], [True, True, False]).gained
    1
    """
    gained = sum(b and not a for a, b in zip(first, second, strict=True))
    lost = sum(a and not b for a, b in zip(first, second, strict=True))
    steps = [float(b) - float(a) for a, b in zip(first, second, strict=True)]
    return Difference(len(first), gained, lost, mean(steps), sign_test(gained, lost))
