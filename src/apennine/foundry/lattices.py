"""The lattice of a recipe: the whole rectangle of its numbering."""

from __future__ import annotations

from apennine.board.context import Context
from apennine.board.ground import read_numbering
from apennine.board.mistakes import Notes
from apennine.board.tables import LatticeTable
from apennine.hexes import Lattice

from .mistakes import FoundryError
from .recipe import Recipe


def whole_lattice(recipe: Recipe) -> Lattice:
    """All hexes of the rectangle, on the map or not."""
    notes = Notes("recipe")
    context = Context(notes, recipe.sources)
    table = context.table(recipe.lattice, LatticeTable, "lattice")
    numbering = None if table is None else read_numbering(context, table)
    if numbering is None or notes.mistakes:
        raise FoundryError(str(notes.mistakes[0]))
    return Lattice(numbering, numbering.codes())
