"""Roads that weave: they cross a river, and soon cross it back.

Each crossing is a bridge to the rules. A road laid hex by hex beside a river may have one bridge
after another where the real road keeps to its bank.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from apennine.board import Board
from apennine.hexes import Edge, Hex, Lattice

from .recipe import Recipe, RoadClass

NEAR = 4
"""How many steps of a road after one bridge the next one over the same river is suspect."""


_Rivers: TypeAlias = dict[Edge, set[str]]
"""The rivers along each hexside."""


class Crossing(NamedTuple):
    """A bridge of a road: how many steps along it, over which river, and on which hexside."""

    step: int
    river: str
    site: str


class Weave(NamedTuple):
    """Two bridges of one road over one river that are too close to each other."""

    road: str
    river: str
    sites: tuple[str, str]

    def __str__(self) -> str:
        one, two = self.sites
        return f"{self.road} crosses the river {self.river} at {one} and again at {two}."


def weaves(board: Board, recipe: Recipe) -> list[Weave]:
    """Every bridge of a road that soon follows another one over the same river.

    Rivers that run through hexes are left out: the map names their bridges one by one.
    """
    rivers: _Rivers = {}
    for river in recipe.rivers:
        for run in board.runs.get(river.name, ()):
            for edge in run.edges:
                rivers.setdefault(edge, set()).add(run.name or river.name)
    found: dict[Weave, None] = {}
    for family in _families(recipe.roads):
        for name, hexes in _ways(board, family):
            road = name or f"A {family[0]} without a name"
            for one, two in pairwise(_crossings(board.lattice, rivers, hexes)):
                if one.river == two.river and two.step - one.step <= NEAR:
                    found[Weave(road, one.river, (one.site, two.site))] = None
    return list(found)


def _crossings(lattice: Lattice, rivers: _Rivers, hexes: Sequence[Hex]) -> Iterator[Crossing]:
    """The bridges of a road over each river, river by river, from its first hex to its last."""
    over: dict[str, list[Crossing]] = {}
    for step, (a, b) in enumerate(pairwise(hexes)):
        for river in sorted(rivers.get(lattice.edge_between(a, b), ())):
            site = f"{lattice.code(a)}/{lattice.code(b)}"
            over.setdefault(river, []).append(Crossing(step, river, site))
    return (crossing for found in over.values() for crossing in found)


def _families(classes: Iterable[RoadClass]) -> list[list[str]]:
    """Classes that share their ways: one with those whose steps it leaves out."""
    families: list[list[str]] = []
    for road in classes:
        home = next((f for f in families if set(f) & set(road.under)), None)
        if home is None:
            families.append([road.name])
        else:
            home.append(road.name)
    return families


def _ways(board: Board, family: Iterable[str]) -> Iterator[tuple[str, list[Hex]]]:
    """The roads of some classes by name, the pieces into which they were cut joined again."""
    pieces: dict[str, list[list[Hex]]] = {}
    for course in (course for name in family for course in board.courses.get(name, ())):
        if course.name:
            pieces.setdefault(course.name, []).append(list(course.hexes))
        else:
            yield "", list(course.hexes)
    for name, found in pieces.items():
        while found:
            way = found.pop(0)
            while joined := _joined(way, found):
                way, rest = joined
                found.remove(rest)
            yield name, way


def _joined(way: list[Hex], pieces: Iterable[list[Hex]]) -> tuple[list[Hex], list[Hex]] | None:
    """A way made longer by the first piece that begins or ends at one of its ends."""
    for piece in pieces:
        for one in (way, way[::-1]):
            for two in (piece, piece[::-1]):
                if one[-1] == two[0]:
                    return one + two[1:], piece
    return None
