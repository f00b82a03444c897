"""The outlook: a side's chance to win, as many games have shown.

A game tells *clues* of a position, figures that everybody at the table can read off it. From games
between bots a fit has found what each of them weighs, now and as the end comes nearer; the file
`outlook.toml` holds these weights, with how they were found and how well they foretold games that
the fit had not seen. `apennine lab outlook` makes it anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import exp
from operator import mul
from typing import Any, NamedTuple

import msgspec

from apennine.kernel.data import DataFile
from apennine.kernel.game import Game

FILE = "outlook.toml"


class Clues(NamedTuple):
    """What a game tells of its positions: nothing that a side could not see."""

    names: Sequence[str]
    """Of the clues, in their order; the first one is the part of the game that is over."""
    tell: Callable[[Any, Any], Sequence[float]]
    """The clues, of the war and a position."""
    scenario: Callable[[Any, Any], str]
    """The scenario that a position belongs to: each has a fit of its own."""


class Third(msgspec.Struct, frozen=True):
    """How well a fit foretells games that it has not seen, from a moment of them."""

    over: float
    """The part of the game that is over."""
    games: int
    """Games that were foretold and not drawn."""
    auc: float
    """How often a game that was won looked better than one that was lost; 0.5 is chance."""
    low: float
    high: float
    """Its 95 % interval."""
    off: float
    """By how much chances and shares of wins differ on average, in five groups of chances."""


class Fit(msgspec.Struct, frozen=True):
    """What the clues of a scenario weigh, for the first side."""

    scenario: str
    games: int
    base: float
    weights: dict[str, tuple[float, float]]
    """By clue, what one weighs at the start, and what is added to that by the end."""
    thirds: tuple[Third, ...] = ()


class Fits(msgspec.Struct, frozen=True):
    """The whole file."""

    source: str
    date: str
    fits: tuple[Fit, ...]


class Outlook:
    """The chances of a game's positions."""

    def __init__(self, clues: Clues, fits: Fits, file: DataFile) -> None:
        self.fits = fits
        self._tell, self._scenario = clues.tell, clues.scenario
        self._known: Mapping[str, tuple[float, tuple[float, ...], tuple[float, ...]]] = {}
        for fit in fits.fits:
            if [*fit.weights] != [*clues.names]:
                raise file.refuse(f"fits: {fit.scenario}: the clues are not those of the game.")
            start, more = zip(*fit.weights.values(), strict=True)
            self._known = {**self._known, fit.scenario: (fit.base, start, more)}

    def chance(self, war: Any, pos: Any) -> float | None:
        """The first side's chance, a draw being half of a win; None if no fit covers it."""
        found = self._known.get(self._scenario(war, pos))
        if found is None:
            return None
        base, start, more = found
        told = self._tell(war, pos)
        worth = base + sum(map(mul, told, start)) + told[0] * sum(map(mul, told, more))
        return 1.0 / (1.0 + exp(-max(-30.0, min(30.0, worth))))


def read_outlook(game: Game[Any]) -> Outlook | None:
    """A game's outlook; None if it tells no clues, or if nobody has fitted them."""
    if game.clues is None or not (game.data / FILE).is_file():
        return None
    file = DataFile.open(game.data / FILE)
    try:
        fits = msgspec.convert(file.data, Fits)
    except msgspec.ValidationError as error:
        raise file.refuse(f"{error}.") from error
    return Outlook(game.clues, fits, file)
