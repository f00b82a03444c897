"""Timing of small things."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter


def microseconds(action: Callable[[], object], *, rounds: int = 7, each: float = 0.02) -> float:
    """The time of one call: the best of several rounds, each long enough for the clock."""
    calls = 1
    while True:
        start = perf_counter()
        for _ in range(calls):
            action()
        if perf_counter() - start > each / 4:
            break
        calls *= 2
    best = float("inf")
    for _ in range(rounds):
        start = perf_counter()
        for _ in range(calls):
            action()
        best = min(best, perf_counter() - start)
    return best / calls * 1e6


def microseconds_after(prepare: Callable[[], object], action: Callable[[object], object]) -> float:
    """The time of an action on something that must be made anew for each call: the median."""
    times: list[float] = []
    for _ in range(400):
        subject = prepare()
        start = perf_counter()
        action(subject)
        times.append(perf_counter() - start)
    return sorted(times)[len(times) // 2] * 1e6
