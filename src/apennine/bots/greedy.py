"""A bot that tries a few options in its head and takes the one that looks best."""

from __future__ import annotations

from random import Random
from typing import Any

from apennine.kernel.decision import Choice, Option
from apennine.kernel.match import Match, Seat


class GreedyBot:
    """Plays each candidate option to the end of the step in dreams, and compares the scores.

    It looks at no more than `most` options of a menu, each in `dreams` dreams, and finishes
    a step that it has begun by random choices of its own side, up to `depth` of them.
    """

    def __init__(
        self, seed: int | None = None, *, most: int = 12, dreams: int = 2, depth: int = 4
    ) -> None:
        self._random = Random(seed)
        self._most = most
        self._dreams = dreams
        self._depth = depth

    def __call__(self, seat: Seat[Any]) -> Option:
        options = seat.decision.options
        count = len(options)
        # In any order, so that of options that look the same not the first is taken for ever.
        picks = self._random.sample(range(count), min(count, self._most))
        candidates = [options[k] for k in picks]
        seeds = [self._random.getrandbits(30) for _ in range(self._dreams)]
        return max(candidates, key=lambda option: self._worth(seat, option, seeds))

    def _worth(self, seat: Seat[Any], option: Option, seeds: list[int]) -> float:
        total = 0.0
        for seed in seeds:
            dream = seat.dream(seed)
            dream.choose(option)
            self._finish(dream, seat.side)
            total += self._score(dream, seat.side)
        return total

    def _finish(self, dream: Match[Any], side: int) -> None:
        """Play on until the step is over: a top-level menu, or the other side's turn."""
        for _ in range(self._depth):
            decision = dream.decision
            if not isinstance(decision, Choice) or decision.side != side or decision.checkpoint:
                return
            options = decision.options
            dream.choose(options[int(self._random.random() * len(options))])

    def _score(self, dream: Match[Any], side: int) -> float:
        if dream.outcome is not None:
            return {side: 1000.0, -1: 0.0}.get(dream.outcome.winner, -1000.0)
        return dream.game.score(dream.position, side)
