"""A bot that picks any option: the yardstick for better ones, and the fuzzer of the rules."""

from __future__ import annotations

from random import Random
from typing import Any

from apennine.kernel.decision import Option
from apennine.kernel.match import Seat


class RandomBot:
    """Every option equally likely; with `by_verb`, half of the time every verb equally likely.

    The second way meets rare verbs more often.
    """

    def __init__(self, seed: int | None = None, *, by_verb: bool = False) -> None:
        self._random = Random(seed)
        self._by_verb = by_verb

    def __call__(self, seat: Seat[Any]) -> Option:
        options = seat.decision.options
        if self._by_verb and self._random.random() < 0.5:
            verbs: dict[str, list[Option]] = {}
            for option in options:
                verbs.setdefault(option.verb, []).append(option)
            options = verbs[self._random.choice(list(verbs))]
        return options[int(self._random.random() * len(options))]
