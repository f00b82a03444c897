"""The games that the contracts hold for, and random play of them, every decision kept."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

from apennine.bots import RandomBot
from apennine.games import keys
from apennine.kernel.decision import Choice, Option
from apennine.kernel.game import Game
from apennine.kernel.match import Match, Seat

REGISTERED = [f"apennine.games.{key}" for key in keys()]
MODULES = [*REGISTERED, "tests.torture", "tests.kernel.toy"]
"""Packages with a function `game()`: whatever is registered, and the two made for the kernel."""

MOST_DECISIONS = 600
"""Of a long game, only so much is looked at here; the fuzz plays to the end."""
ENOUGH = 2500
"""Decisions, after which no further game is played."""


@cache
def load(module: str) -> Game[Any]:
    return importlib.import_module(module).game()


def ways_to_begin(game: Game[Any]) -> list[tuple[str, dict[str, bool]]]:
    """Every scenario, with all optional rules off, on, and as the book recommends."""
    switches: list[dict[str, bool]] = [{}]
    if game.switches:
        switches += [{s.key: on for s in game.switches} for on in (False, True)]
    return [(scenario.key, options) for scenario in playable(game) for options in switches]


def playable(game: Game[Any]) -> list[Any]:
    """All scenarios but those of the toy that go wrong, or on for ever, on purpose."""
    return [known for known in game.scenarios if known.key not in ("trouble", "endless")]


class EagerBot:
    """Prefers options that do something with a unit or a hex: fewer phases end at once."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def __call__(self, seat: Seat[Any]) -> Option:
        options = seat.decision.options
        doing = [option for option in options if option.unit >= 0 or option.hex >= 0]
        return self.random.choice(doing if doing and self.random.random() < 0.9 else options)


def bot(number: int) -> Callable[[Seat[Any]], Option]:
    """Every other game is played eagerly."""
    return EagerBot(number) if number % 2 else RandomBot(number, by_verb=True)


def playthrough(game: Game[Any], number: int, most: int = MOST_DECISIONS) -> list[Match[Any]]:
    """A random game: forks of the match at each of its decisions, and at its end."""
    ways = ways_to_begin(game)
    scenario, options = ways[number // 2 % len(ways)]
    match = Match(game, scenario, options, seed=number)
    player = bot(number)
    forks = [match.fork()]
    while isinstance(match.decision, Choice) and len(forks) < most:
        match.choose(player(match.seat()))
        forks.append(match.fork())
    return forks


@cache
def moments(game: Game[Any]) -> dict[str, list[Match[Any]]]:
    """The decisions of a few random games by the rule that asks, the ends of games by ''.

    By rule, so that a test can look at rare decisions as often as at common ones.
    """
    found: dict[str, list[Match[Any]]] = {}
    decisions = 0
    for number in range(max(8, 2 * len(ways_to_begin(game)))):
        for fork in playthrough(game, number):
            found.setdefault(fork.decision.rule if fork.decision else "", []).append(fork)
            decisions += 1
        if decisions > ENOUGH:
            break
    return found


def play_on(match: Match[Any], count: int, random: Random) -> Match[Any]:
    """Answer at random this many times, or until the game is over."""
    for _ in range(count):
        if not isinstance(match.decision, Choice):
            break
        match.choose(random.choice(match.decision.options))
    return match
