"""Italy 1944, the campaign in the peninsula from January to September 1944, by Javier Romero.

A module a chapter of the rules; ids such as 9.4f are rows of `data/ledger.tsv`.
"""

from .game import Italy1944


def game() -> Italy1944:
    """The game, with its map, units and charts read from `data/`."""
    return Italy1944()
