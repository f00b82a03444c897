"""Random play: our games, and python-chess as the yardstick, in turns within one run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from time import process_time
from typing import Any, NamedTuple

import chess

from apennine.kernel.game import Game
from apennine.kernel.match import Match


class Rate(NamedTuple):
    """What random play came to."""

    decisions: int
    options: int
    games: int
    seconds: float

    @property
    def per_second(self) -> float:
        return self.decisions / self.seconds


def chess_game(random: Random) -> Iterator[int]:
    """A random game of chess as its documentation plays it: the number of moves, move by move.

    Both this and our matches ask their rules before every move whether the game is over.
    """
    board = chess.Board()
    while not board.is_game_over():
        moves = list(board.legal_moves)
        board.push(moves[int(random.random() * len(moves))])
        yield len(moves)


def lean_chess_game(random: Random) -> Iterator[int]:
    """The same without `is_game_over`, which is a third of the time: chess at its quickest."""
    board = chess.Board()
    while True:
        moves = list(board.legal_moves)
        if not moves or board.halfmove_clock >= 150 or board.is_insufficient_material():
            return
        board.push(moves[int(random.random() * len(moves))])
        yield len(moves)


def match_of(game: Game[Any]) -> Callable[[Random], Iterator[int]]:
    """Random games of one of ours: the number of options, decision by decision."""

    def play(random: Random) -> Iterator[int]:
        match = Match(game, seed=random.getrandbits(30))
        while match.decision is not None:
            options = match.decision.options
            match.choose(options[int(random.random() * len(options))])
            yield len(options)

    return play


def race(players: dict[str, Callable[[Random], Iterator[int]]], seconds: float) -> dict[str, Rate]:
    """Let each play for some seconds, in turns and slices, so that all see the same machine.

    Seconds of this process alone, so that other work on the machine counts little.
    """
    rates = {name: Rate(0, 0, 0, 0.0) for name in players}
    randoms = {name: Random(7) for name in players}
    while min(rate.seconds for rate in rates.values()) < seconds:
        for name, play in players.items():
            rates[name] = _slice(rates[name], play, randoms[name], 0.25)
    return rates


def _slice(
    rate: Rate, play: Callable[[Random], Iterator[int]], random: Random, seconds: float
) -> Rate:
    decisions, options, games = rate.decisions, rate.options, rate.games
    start = process_time()
    while process_time() - start < seconds:
        for count in play(random):
            decisions += 1
            options += count
        games += 1
    return Rate(decisions, options, games, rate.seconds + process_time() - start)
