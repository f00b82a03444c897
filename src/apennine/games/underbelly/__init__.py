"""Soft Underbelly, the war in southern Italy in late 1943, by Ty Bomba.

A module a chapter of the rules; ids such as 13.2/4a are rows of `data/ledger.tsv`.
"""

from collections.abc import Sequence

from apennine.kernel.pack import Pack

from .game import Underbelly


def game(packs: Sequence[Pack] = ()) -> Underbelly:
    """The game, with its map, units and charts read from `data/`."""
    return Underbelly(packs)
