"""Anzio, the struggle for Italy 1943 to 1945, by Dave Williams and Tom Oleson.

A module a section of the rules; ids such as C5F4a are rows of `data/ledger.tsv`.
"""

from collections.abc import Sequence

from apennine.kernel.pack import Pack

from .game import Anzio


def game(packs: Sequence[Pack] = ()) -> Anzio:
    """The game, with its map, units and charts read from `data/`, and packs laid over them."""
    return Anzio(packs)
