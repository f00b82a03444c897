"""Italy '43, the advance of the Fifth Army to the Gustav Line, by Mark Simonitch.

A module a chapter of the rules; ids such as 8.7.1a are rows of `data/ledger.tsv`.
"""

from collections.abc import Sequence

from apennine.kernel.pack import Pack

from .game import Italy43


def game(packs: Sequence[Pack] = ()) -> Italy43:
    """The game, with its map, units and charts read from `data/`, and packs laid over them."""
    return Italy43(packs)
