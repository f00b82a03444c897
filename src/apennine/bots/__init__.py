"""Bots: anything that takes a seat and returns one of its options."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from apennine.bots.greedy import GreedyBot
from apennine.bots.random import RandomBot
from apennine.kernel.decision import Option
from apennine.kernel.game import Game, GameError
from apennine.kernel.match import Seat

__all__ = ["BOTS", "Bot", "GreedyBot", "RandomBot", "bots_of", "make_bot"]

Bot = Callable[[Seat[Any]], Option]

BOTS: Mapping[str, Callable[[int], Bot]] = MappingProxyType(
    {"greedy": GreedyBot, "random": RandomBot}
)
"""The bots that play any game, by name; each is made with a seed of its own."""


def bots_of(game: Game[Any]) -> list[str]:
    """The names of the bots that play a game, its own first: the first one is the best."""
    return [*game.bots, *BOTS]


def make_bot(name: str, seed: int, game: Game[Any] | None = None) -> Bot:
    """The bot with this name, of those for any game and the game's own; GameError if none."""
    known = {**BOTS, **game.bots} if game else BOTS
    if name not in known:
        raise GameError(f"There is no bot {name!r}; there are {', '.join(known)}.")
    return known[name](seed)
