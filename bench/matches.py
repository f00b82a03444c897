"""What a match of each game costs: copies, forks at a checkpoint and deep in a battle, memory."""

from __future__ import annotations

import gc
import tracemalloc
from random import Random
from typing import Any

from apennine.kernel.decision import Choice
from apennine.kernel.game import Game
from apennine.kernel.match import Match
from bench.clock import microseconds

DEPTH = 20
"""Inputs since the last checkpoint: how deep a fork is to be, if the game ever goes so deep."""


def at_checkpoint(game: Game[Any], decisions: int = 40) -> Match[Any]:
    """A random match at its first checkpoint after so many decisions."""
    match, random = Match(game, seed=7), Random(3)
    while isinstance(match.decision, Choice) and (
        len(match.log) < decisions or not match.decision.checkpoint
    ):
        _step(match, random)
    return match


def deepest(game: Game[Any], games: int = 6) -> tuple[Match[Any], int]:
    """Of some random games the match farthest from its last checkpoint, up to `DEPTH` inputs."""
    best, depth = at_checkpoint(game), 0
    for seed in range(games):
        match, random = Match(game, seed=seed), Random(seed)
        while isinstance(match.decision, Choice) and depth < DEPTH:
            _step(match, random)
            since = len(match.log) - match.checkpoint.at
            if since > depth:
                best, depth = match.fork(), since
    return best, depth


def memory(game: Game[Any]) -> tuple[int, int]:
    """Bytes that come free with one finished random match, and its entries.

    What the game keeps for all its matches (charts worked out on the way) stays, and is not
    counted.
    """
    gc.collect()
    tracemalloc.start()
    match = _play(Match(game, seed=2))
    entries = len(match.log)
    gc.collect()
    held, _ = tracemalloc.get_traced_memory()
    del match
    gc.collect()
    left, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return held - left, entries


def figures(game: Game[Any]) -> list[tuple[str, float, str]]:
    """Name, value and unit of all of it."""
    match = at_checkpoint(game)
    deep, depth = deepest(game)
    size, entries = memory(game)
    return [
        ("copy", microseconds(match.position.copy), "us"),
        ("fork at a checkpoint", microseconds(match.fork), "us"),
        (
            f"fork {depth} entries deep, position made",
            microseconds(lambda: deep.fork().position),
            "us",
        ),
        ("memory of a match", size / 1000, "kB"),
        ("memory allowed", 500 + 0.12 * entries, "kB"),
    ]


def _step(match: Match[Any], random: Random) -> None:
    decision = match.decision
    assert isinstance(decision, Choice)
    options = decision.options
    match.choose(options[int(random.random() * len(options))])


def _play(match: Match[Any]) -> Match[Any]:
    random = Random(5)
    while match.decision is not None:
        _step(match, random)
    return match
