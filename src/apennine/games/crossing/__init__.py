"""The Crossing: a small game of our own, the reference for how a game package reads.

Seven Allied battalions must cross a river held by five German ones. `docs/tutorial.md` builds
this package step by step.
"""

from collections.abc import Sequence

from apennine.kernel.pack import Pack

from .game import Crossing


def game(packs: Sequence[Pack] = ()) -> Crossing:
    """The game, with its map, units and charts read from `data/`, and packs laid over them."""
    return Crossing(packs)
