"""Italy 1944, the campaign in the peninsula from January to September 1944, by Javier Romero.

A module a chapter of the rules; ids such as 9.4f are rows of `data/ledger.tsv`.
"""

from collections.abc import Sequence

from apennine.kernel.pack import Pack

from .game import Italy1944


def game(packs: Sequence[Pack] = ()) -> Italy1944:
    """The game, with its map, units and charts read from `data/`, and packs laid over them."""
    return Italy1944(packs)
