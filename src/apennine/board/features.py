"""What runs along hexsides and across the map: rivers, mountains, roads, bridges, lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from apennine.hexes import NO_SIDES, Edge, Lattice, Mask, Sides, mask_of

from .context import Context
from .model import Bridges, Course, Line, Run, Through
from .notation import Notation, Pair
from .tables import BridgesTable, CoursesTable, LineTable, SidesTable


class SideFeature(NamedTuple):
    """A hexside feature: its sides, the directed view of them, and its named runs."""

    sides: Sides
    over: Sides
    runs: tuple[Run, ...]


class Road(NamedTuple):
    """A class of roads: its courses, the hexsides they cross, the hexes they touch."""

    courses: tuple[Course, ...]
    sides: Sides
    hexes: Mask


class Features:
    """Reads `[sides]`, `[roads]`, `[through]`, `[bridges]` and `[lines]`."""

    def __init__(self, context: Context, lattice: Lattice) -> None:
        self._context = context
        self._notes = context.notes
        self._lattice = lattice
        self._notation = Notation(lattice, context.notes)

    def side_feature(self, table: SidesTable, key: str) -> SideFeature:
        """Read `[sides.NAME]`: runs that follow corner to corner, and loose hexsides."""
        if not table.courses and not table.loose:
            self._notes.add(key, "The feature has neither courses nor loose hexsides.")
        runs, pairs = self._runs(table.courses, f"{key}.courses", table.directed)
        for text in table.loose:
            _, loose = self._notation.pairs(text, f"{key}.loose", table.directed)
            pairs += [pair for pair in loose if pair]
        over = self._notation.over(pairs) if table.directed else NO_SIDES
        return SideFeature(self._notation.sides(pairs, key), over, runs)

    def _runs(
        self, texts: Iterable[str], key: str, directed: bool
    ) -> tuple[tuple[Run, ...], list[Pair]]:
        found = [self._notation.run(text, key, directed) for text in texts]
        return tuple(run for run, _ in found), [pair for _, pairs in found for pair in pairs]

    def road(self, table: CoursesTable, key: str) -> Road:
        """Read `[roads.NAME]`."""
        if not table.courses:
            self._notes.add(f"{key}.courses", "There is no course.")
        read = self._notation.course
        courses = tuple(read(text, f"{key}.courses", shortest=2) for text in table.courses)
        return Road(courses, self._notation.crossed(courses), _hexes_of(courses))

    def through(self, table: CoursesTable, key: str) -> Through:
        """Read `[through.NAME]`; a course that does not come from beyond the map rises in a hex."""
        road = self.road(table, key)
        hexes = springs = 0
        for course in road.courses:
            rises = 1 if course.enters < 0 else 0
            springs |= mask_of(course.hexes[:rises])
            hexes |= mask_of(course.hexes[rises:])
        return Through(road.courses, road.sides, hexes, springs & ~hexes)

    def bridges(
        self,
        table: BridgesTable,
        key: str,
        roads: Mapping[str, Road],
        sides: Mapping[str, Sides],
        through: Mapping[str, Through],
    ) -> Bridges:
        """Read `[bridges.NAME]`: wherever roads cross rivers, and at single sites."""
        if table.crossings is None and not table.at:
            self._notes.add(key, "The table needs 'at' or 'crossings'.")
        edges, hexes = self._sites(table.at, f"{key}.at")
        if table.crossings is not None:
            where = f"{key}.crossings"
            known = self._context.known
            over = [
                roads[name]
                for name in known(table.crossings.roads, "There is no road", roads, where)
            ]
            for name in known(table.crossings.sides, "There is no hexside feature", sides, where):
                for road in over:
                    n, ne, se, s, sw, nw = (a & b for a, b in zip(road.sides, sides[name]))
                    edges.update(self._lattice.edges((n, ne, se, s, sw, nw)))
            for name in known(
                table.crossings.through, "There is no through feature", through, where
            ):
                for road in over:
                    hexes |= road.hexes & through[name].hexes
        lost_edges, lost_hexes = self._sites(table.except_at, f"{key}.except")
        if not lost_edges <= edges or lost_hexes & ~hexes:
            self._notes.add(f"{key}.except", "Not every site named here has a bridge to lose.")
        return Bridges(self._lattice.sides(edges - lost_edges), hexes & ~lost_hexes)

    def _sites(self, texts: Iterable[str], key: str) -> tuple[set[Edge], Mask]:
        edges: set[Edge] = set()
        hexes = 0
        for text in texts:
            if "/" in text:
                _, pairs = self._notation.pairs(text, key)
                edges |= {self._lattice.edge_between(*pair) for pair in pairs if pair}
            else:
                hexes |= mask_of(self._notation.hexes(text, key))
        return edges, hexes

    def line(self, table: LineTable, key: str) -> Line:
        """Read `[lines.NAME]`."""
        if not table.hexes and not table.sides:
            self._notes.add(key, "The line has neither hexes nor sides.")
        courses = tuple(self._notation.course(text, f"{key}.hexes") for text in table.hexes)
        runs, pairs = self._runs(table.sides, f"{key}.sides", table.directed)
        return Line(
            table.title,
            _hexes_of(courses),
            self._notation.sides(pairs, f"{key}.sides"),
            self._notation.over(pairs) if table.directed else NO_SIDES,
            courses,
            runs,
            tuple(table.scenes),
        )


def _hexes_of(courses: Iterable[Course]) -> Mask:
    return mask_of(hex for course in courses for hex in course.hexes)
