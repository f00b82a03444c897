"""Italia 1917-1918, from Caporetto to Vittorio Veneto, by Stéphane Sénéchal.

A module a chapter of the rules; ids such as 12.2.6ab are rows of `data/ledger.tsv`.
"""

from collections.abc import Sequence

from apennine.kernel.pack import Pack

from .game import Italia1918


def game(packs: Sequence[Pack] = ()) -> Italia1918:
    """The game, with its map, units and charts read from `data/`, and packs laid over them."""
    return Italia1918(packs)
