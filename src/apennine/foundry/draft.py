"""A map in the making: what the foundry has found so far, before it is written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from apennine.board import Course
from apennine.hexes import Edge, Hex, Lattice


@dataclass
class SideDraft:
    """A hexside feature: named runs, corner to corner, and hexsides that stand alone.

    If it is directed, `uphill` gives for each hexside the hex from which it is written.
    """

    source: str
    runs: list[tuple[str, list[Edge]]] = field(default_factory=list[tuple[str, list[Edge]]])
    loose: list[Edge] = field(default_factory=list[Edge])
    uphill: dict[Edge, Hex] | None = None

    def edges(self) -> set[Edge]:
        """All hexsides of the feature."""
        return {edge for _, run in self.runs for edge in run} | set(self.loose)


@dataclass
class CoursesDraft:
    """Roads of one class, or rivers through hexes."""

    source: str
    courses: list[Course] = field(default_factory=list[Course])

    def steps(self) -> set[tuple[Hex, Hex]]:
        """The steps of all courses, each in both directions."""
        return {
            step
            for course in self.courses
            for a, b in zip(course.hexes, course.hexes[1:])
            for step in ((a, b), (b, a))
        }


@dataclass
class LineDraft:
    """A fortified line, front or boundary; a directed one knows the attacker's hex of each side."""

    source: str
    title: str
    hexes: list[Course] = field(default_factory=list[Course])
    runs: list[tuple[str, list[Edge]]] = field(default_factory=list[tuple[str, list[Edge]]])
    attacker: dict[Edge, Hex] | None = None
    scenes: list[str] = field(default_factory=list[str])


@dataclass
class PlaceDraft:
    """A place: its hexes, the first of them where it stands, and the point on the page."""

    name: str
    hexes: list[Hex]
    kinds: list[str]
    numbers: dict[str, int]
    source: str
    point: tuple[float, float]


@dataclass
class Draft:
    """The whole map in the making."""

    lattice: Lattice
    terrain: dict[Hex, str]
    north: int = 0
    sea: str = "sea"
    water: frozenset[str] = frozenset({"lake"})
    lagoon: frozenset[str] = frozenset()
    side_terrain: dict[Edge, str] = field(default_factory=dict[Edge, str])
    numbers: dict[str, dict[Hex, int]] = field(default_factory=dict[str, dict[Hex, int]])
    sides: dict[str, SideDraft] = field(default_factory=dict[str, SideDraft])
    roads: dict[str, CoursesDraft] = field(default_factory=dict[str, CoursesDraft])
    through: dict[str, CoursesDraft] = field(default_factory=dict[str, CoursesDraft])
    lines: dict[str, LineDraft] = field(default_factory=dict[str, LineDraft])
    places: dict[str, PlaceDraft] = field(default_factory=dict[str, PlaceDraft])
    tables: dict[str, Any] = field(default_factory=dict[str, Any])

    def is_water(self, hex: Hex) -> bool:
        """Whether a hex is sea or other water."""
        return self.terrain[hex] == self.sea or self.terrain[hex] in self.water

    def ends_rivers(self, hex: Hex) -> bool:
        """Whether a river may end here: in water, or in a lagoon that counts as land."""
        return self.is_water(hex) or self.terrain[hex] in self.lagoon

    def is_sea(self, hex: Hex) -> bool:
        """Whether a hex is sea."""
        return self.terrain[hex] == self.sea

    def stands(self) -> dict[Hex, tuple[float, float]]:
        """The points that stand for hexes: of each its first place, or its centre.

        Rivers keep to the right side of them, so that a town stays on its bank.
        """
        points = {hex: self.lattice.pixel(hex) for hex in self.lattice}
        for place in reversed(self.places.values()):
            points[place.hexes[0]] = place.point
        return points


def chains(lattice: Lattice, edges: Iterable[Edge]) -> list[list[Edge]]:
    """Sort hexsides into runs that follow each other corner to corner, the longest first.

    Every hexside is in just one run.
    """
    left = set(edges)
    touching = {edge: [e for e in meeting(lattice, edge) if e in left] for edge in sorted(left)}
    runs: list[list[Edge]] = []
    while left:
        best: list[Edge] = []
        # From the ends first: there a run begins that is not cut in two.
        starts = sorted(left, key=lambda e: (sum(n in left for n in touching[e]), e))
        for start in starts[:12]:
            run = _walk(lattice, start, left, touching)
            if len(run) > len(best):
                best = run
        left -= set(best)
        runs.append(best)
    return runs


def _walk(
    lattice: Lattice, start: Edge, left: set[Edge], touching: dict[Edge, list[Edge]]
) -> list[Edge]:
    run = [start]
    used = {start}
    corner: frozenset[Hex] | None = None
    while True:
        here = run[-1]
        nexts = sorted(
            (next_, shared)
            for next_ in touching[here]
            if next_ in left and next_ not in used
            for shared in [tuple(sorted(_corner(lattice, here, next_)))]
            if corner is None or frozenset(shared) != corner
        )
        if not nexts:
            return run
        next_, shared = nexts[0]
        corner = frozenset(shared)
        run.append(next_)
        used.add(next_)


def _corner(lattice: Lattice, one: Edge, two: Edge) -> set[Hex]:
    """The three hexes around the corner where two sides meet."""
    return set(lattice.edge_hexes(one)) | set(lattice.edge_hexes(two))


def meeting(lattice: Lattice, edge: Edge) -> list[Edge]:
    """The inner hexsides that meet a hexside at either of its corners."""
    a, b = lattice.edge_hexes(edge)
    found: list[Edge] = []
    for c in lattice.neighbours(a):
        if c != b and lattice.direction(b, c) >= 0:
            found += [lattice.edge_between(a, c), lattice.edge_between(b, c)]
    return found


def clusters(lattice: Lattice, edges: Iterable[Edge]) -> list[list[Edge]]:
    """The connected pieces of a set of hexsides."""
    left = set(edges)
    pieces: list[list[Edge]] = []
    seen: set[Edge] = set()
    for edge in sorted(left):
        if edge in seen:
            continue
        piece, queue = [edge], [edge]
        seen.add(edge)
        while queue:
            for near in meeting(lattice, queue.pop()):
                if near in left and near not in seen:
                    seen.add(near)
                    piece.append(near)
                    queue.append(near)
        pieces.append(sorted(piece))
    return pieces


def without_steps(courses: Sequence[Course], taken: set[tuple[Hex, Hex]]) -> list[Course]:
    """Courses cut where their steps are taken; pieces of one hex are dropped."""
    cut: list[Course] = []
    for course in courses:
        piece = [course.hexes[0]]
        enters = course.enters
        for a, b in zip(course.hexes, course.hexes[1:]):
            if (a, b) in taken:
                if len(piece) > 1 or enters >= 0:
                    cut.append(Course(course.name, tuple(piece), enters, -1))
                piece, enters = [b], -1
            else:
                piece.append(b)
        if len(piece) > 1 or (course.leaves >= 0 or enters >= 0):
            cut.append(Course(course.name, tuple(piece), enters, course.leaves))
    return cut
