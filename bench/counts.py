"""What single decisions cost: Python calls, which no clock disturbs, the longest, and undo."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from functools import partial
from random import Random
from statistics import median
from time import process_time
from types import FrameType
from typing import Any, NamedTuple

from apennine.kernel import match as match_module
from apennine.kernel.game import Game
from apennine.kernel.match import Match
from bench.play import match_of

GAMES = 3
UNDOS = 300


class Calls(NamedTuple):
    """What random play came to."""

    decisions: int
    python: int
    native: int


def calls(game: Game[Any], games: int = GAMES) -> Calls:
    """The calls of Python functions and of built-in ones in random games of fixed seeds.

    A game is played first that is not counted: what is worked out once for all matches of a game
    is no part of a decision.
    """
    for _ in match_of(game)(Random(99)):
        pass
    python = native = decisions = 0

    def count(_frame: FrameType, event: str, _of: object) -> None:
        nonlocal python, native
        if event == "call":
            python += 1
        elif event == "c_call":
            native += 1

    for seed in range(games):
        random = Random(seed)
        match = Match(game, seed=random.getrandbits(30))
        before = sys.getprofile()
        sys.setprofile(count)
        try:
            while match.decision is not None:
                options = match.decision.options
                match.choose(options[int(random.random() * len(options))])
                decisions += 1
        finally:
            sys.setprofile(before)
    return Calls(decisions, python, native)


def longest(game: Game[Any], games: int = GAMES) -> float:
    """The milliseconds of the longest decision of random games, what is found out once left out."""
    for _ in match_of(game)(Random(99)):
        pass
    most = 0.0
    gc.collect()
    gc.disable()
    try:
        for seed in range(games):
            random = Random(seed)
            match = Match(game, seed=random.getrandbits(30))
            while match.decision is not None:
                options = match.decision.options
                option = options[int(random.random() * len(options))]
                most = max(most, _timed(partial(match.choose, option)))
    finally:
        gc.enable()
    return most * 1000


class Undone(NamedTuple):
    """What going back step by step came to."""

    most_answers: int
    """The answers that the longest undo played again."""
    usual: float
    longest: float
    """Times, in decisions of the same game on the same machine."""


def undone(game: Game[Any], undos: int = UNDOS) -> Undone:
    """Undo a random game step by step, from its end."""
    random = Random(3)
    match = Match(game, seed=7)
    decisions, begun = 0, process_time()
    while match.decision is not None:
        options = match.decision.options
        match.choose(options[int(random.random() * len(options))])
        decisions += 1
    one = (process_time() - begun) / decisions
    twin = match.fork()
    steps = min(undos, decisions)
    most = max(_counted(match.undo) for _ in range(steps))
    gc.collect()
    gc.disable()  # a collection of everything takes longer than any undo, and falls on one of them
    try:
        times = [_timed(twin.undo) / one for _ in range(steps)]
    finally:
        gc.enable()
    return Undone(most, median(times), max(times))


def _timed(action: Callable[[], object]) -> float:
    begun = process_time()
    action()
    return process_time() - begun


def _counted(action: Callable[[], object]) -> int:
    """The answers that were played again meanwhile."""
    played = 0
    feed = match_module.feed

    def counting(game: Any, pos: Any, answers: Any, **how: Any) -> Any:
        nonlocal played
        given = list(answers)
        played += len(given)
        return feed(game, pos, given, **how)

    match_module.feed = counting
    try:
        action()
    finally:
        match_module.feed = feed
    return played


def figures(game: Game[Any]) -> list[tuple[str, float, str]]:
    """Name, value and unit of all of it."""
    made, back = calls(game), undone(game)
    return [
        ("Python calls", made.python / made.decisions, "calls/decision"),
        ("calls of built-ins", made.native / made.decisions, "calls/decision"),
        ("longest decision", longest(game), "ms"),
        ("undo, answers played again", back.most_answers, "at most"),
        ("undo, usual", back.usual, "decisions"),
        ("undo, longest", back.longest, "decisions"),
    ]
