"""Bots: anything that takes a seat and returns one of its options."""

from collections.abc import Callable, Mapping
from math import inf
from types import MappingProxyType
from typing import Any, cast

from apennine.bots.greedy import GreedyBot
from apennine.bots.random import RandomBot
from apennine.bots.staff.search import HardBot
from apennine.kernel.decision import Option
from apennine.kernel.game import Game, GameError
from apennine.kernel.match import Seat

__all__ = [
    "AHEAD",
    "BOTS",
    "LEVELS",
    "SECONDS",
    "Bot",
    "GreedyBot",
    "RandomBot",
    "bots_of",
    "check_bot",
    "make_bot",
    "offered",
    "title_of",
]

AHEAD = "hard"
"""The bot that looks ahead."""
SECONDS = 2.0
"""For so long it does, before a turn against a person who does not say how long."""
LONGEST = 60.0

Bot = Callable[[Seat[Any]], Option]

BOTS: Mapping[str, Callable[[int], Bot]] = MappingProxyType(
    {"greedy": GreedyBot, "random": RandomBot}
)
"""The bots that play any game, by name; each is made with a seed of its own."""
LEVELS: Mapping[str, str] = MappingProxyType({"easy": "easy", "staff": "normal", "hard": "hard"})
"""The level that a game's own bot stands for, by its name."""


def bots_of(game: Game[Any]) -> list[str]:
    """The names of the bots that play a game, its own first: the first one is the best."""
    return [*game.bots, *BOTS]


def offered(game: Game[Any]) -> list[str]:
    """Those of them that a player may choose: none that is still on trial."""
    return [name for name in bots_of(game) if name not in game.on_trial]


def title_of(name: str) -> str:
    """What a bot is called on the screen: by its level if it stands for one.

    >>> title_of("staff"), title_of("hard:5")
    ('Normal', 'Hard')
    """
    kind = name.partition(":")[0]
    return LEVELS.get(kind, kind).capitalize()


def check_bot(name: str, game: Game[Any] | None = None) -> tuple[str, float | None]:
    """The name of a bot, and the seconds that it may think before a turn if they are said with it.

    "hard:5" thinks for five. GameError if there is no such bot, or if it does not look ahead.
    """
    kind, _, seconds = name.partition(":")
    known = bots_of(game) if game else [*BOTS]
    if kind not in known:
        raise GameError(f"There is no bot {kind!r}; there are {', '.join(known)}.")
    if not seconds:
        return kind, None
    try:
        time = float(seconds)
    except ValueError:
        time = 0.0
    if kind != AHEAD or not 0.0 < time <= LONGEST:
        raise GameError(f"There is no bot {name!r}: {AHEAD}:5 is one that thinks for 5 seconds.")
    return kind, time


def make_bot(name: str, seed: int, game: Game[Any] | None = None, seconds: float = inf) -> Bot:
    """The bot with this name, of those for any game and the game's own; GameError if none.

    One that looks ahead does so for no more than so many seconds before a turn, or as its name
    says; where neither does it thinks to the end, and plays the same on every machine.
    """
    kind, time = check_bot(name, game)
    bot = {**BOTS, **game.bots}[kind](seed) if game else BOTS[kind](seed)
    if isinstance(bot, HardBot):
        cast("HardBot[Any]", bot).seconds = time or seconds
    return cast("Bot", bot)
