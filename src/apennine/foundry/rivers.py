"""Rivers: from their real courses to hexsides, or to chains of hexes, from source to mouth.

Large rivers are laid first. Each takes the cheapest way near its real course that crosses no
river laid before, keeps to the right bank of towns, and ends in the sea, in a lake, at the edge of
the map, or at a corner of the river that it joins. So the rivers of a map form trees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from apennine.board import Course
from apennine.hexes import Edge, Hex

from .calibration import Calibration
from .draft import CoursesDraft, Draft, SideDraft
from .geodata import Geodata
from .geodata import Way as Feature
from .paths import Corners, Step, staged
from .recipe import River, RiverClass
from .spatial import Floats, Nearness, crossings, length_of
from .ways import apart, drawn, inside, main_stem, on_page, stretches

GAP = 1.0
"""How far the pieces of one river may be apart, in units of the page."""

STRETCH = 5.0
"""How long the stretches of a course are that a river must follow one after the other."""

CORRIDOR = 4.0
"""How far from its course a river may be laid."""

JOINS = 0.3
"""How near to another river a mouth must be to be a confluence, in units of the page."""


@dataclass
class Stream:
    """A river to be laid: its course on the page in order, and what it became."""

    title: str
    course: Floats
    basin: float
    river: RiverClass
    joins: str = ""
    enters: bool = False
    leaves: bool = False
    """Whether the course comes from, and goes, beyond the map."""
    edges: list[Edge] = field(default_factory=list[Edge])
    hexes: list[Hex] = field(default_factory=list[Hex])


class RiverLayer:
    """Lays all rivers of a map."""

    def __init__(self, draft: Draft, calibration: Calibration, geodata: Geodata) -> None:
        self._draft = draft
        self._lattice = draft.lattice
        self._calibration = calibration
        self._geodata = geodata
        self._corners = Corners(draft.lattice)
        self._laid: list[Stream] = []
        self._used_corners: set[int] = set()
        self._used_edges: set[Edge] = set()
        self.notes: list[str] = []
        """What could not be laid, in sentences."""
        wet = [any(map(draft.ends_rivers, near)) for near in self._corners.hexes]
        self._shore = [i for i, near in enumerate(wet) if near]
        self._banks = np.array(
            [
                [self._corners.points[i] for i in self._corners.ends[edge]]
                for edge in self._corners.edges
            ]
        )
        self._stands = draft.stands()

    def lay(self, classes: Iterable[RiverClass]) -> None:
        """Choose and lay the rivers of all classes, and put them into the draft."""
        classes = list(classes)
        streams = [stream for river in classes for stream in self._chosen(river, classes)]
        order = {river.name: i for i, river in enumerate(classes)}
        streams.sort(key=lambda s: (-s.basin, order[s.river.name], s.title))
        waiting: list[Stream] = []
        for stream in streams:
            if not self._lay(stream, waiting_allowed=True):
                waiting.append(stream)
        for stream in waiting:
            self._lay(stream, waiting_allowed=False)
        for river in classes:
            mine = [s for s in self._laid if s.river is river]
            if river.mode == "sides":
                runs = [(s.title, s.edges) for s in mine]
                self._draft.sides[river.name] = SideDraft(river.source, runs)
            else:
                self._draft.through[river.name] = CoursesDraft(
                    river.source, [self._course(s) for s in mine]
                )

    def _chosen(self, river: RiverClass, classes: list[RiverClass]) -> list[Stream]:
        entries = [River(name=r) if isinstance(r, str) else r for r in river.take]
        streams = [stream for entry in entries for stream in self._streams(entry, river)]
        if river.min_basin is None:
            return streams
        named = {
            r if isinstance(r, str) else r.name for other in classes for r in other.take
        } | set(river.skip)
        for feature in self._geodata.rivers:
            basin = float(feature.facts.get("basin_km2") or 0)
            if (
                feature.name
                and feature.name not in named
                and basin >= river.min_basin
                and float(feature.facts.get("km") or 0) >= river.min_km
                and not self._taken_by_basin(feature, river, classes)
            ):
                streams += [
                    stream
                    for pieces in apart(on_page(self._calibration, feature), GAP)
                    for stream in self._pieces(feature.name, self._stem(pieces), basin, river, "")
                ]
        return streams

    def _taken_by_basin(
        self, feature: Feature, river: RiverClass, classes: list[RiverClass]
    ) -> bool:
        """Whether a class before this one takes a river of this size."""
        basin = float(feature.facts.get("basin_km2") or 0)
        km = float(feature.facts.get("km") or 0)
        for other in classes[: classes.index(river)]:
            if other.min_basin is not None and basin >= other.min_basin and km >= other.min_km:
                return feature.name not in other.skip
        return False

    def _streams(self, entry: River, river: RiverClass) -> list[Stream]:
        title = entry.title or entry.name
        if entry.points:
            line = drawn(self._calibration, entry.points)
            return self._pieces(title, line, 1.0, river, entry.joins)
        names = {entry.name, *entry.parts}
        features = [f for f in self._geodata.rivers if f.name in names]
        if not features:
            self.notes.append(f"The data has no river {entry.name!r} in the window of the map.")
            return []
        pieces = [p for f in features for p in on_page(self._calibration, f)]
        rivers = apart(pieces, GAP)
        if entry.near is not None:
            spot = self._calibration.to_page(*(np.array([x]) for x in entry.near))
            chosen = min(rivers, key=lambda r: float(Nearness(np.vstack(r)).distance(spot)[0]))
        else:
            chosen = max(rivers, key=lambda r: sum(map(length_of, r)))
        basin = max(float(f.facts.get("basin_km2") or 0) for f in features)
        line = self._stem(chosen)
        if entry.start is not None:
            line = line[self._nearest(line, entry.start) :]
        if entry.end is not None:
            line = line[: self._nearest(line, entry.end) + 1]
        return self._pieces(title, line, basin, river, entry.joins)

    def _nearest(self, line: Floats, point: tuple[float, float]) -> int:
        spot = self._calibration.to_page(np.array([point[0]]), np.array([point[1]]))[0]
        return Nearness(line).nearest(spot)

    def _stem(self, pieces: list[Floats]) -> Floats:
        """The course in order, downstream."""
        line = main_stem(pieces)
        tenth = max(1, len(line) // 10)
        lat, lon = self._calibration.to_earth(np.vstack([line[:tenth], line[-tenth:]]))
        z = np.maximum(self._geodata.elevation.at(lat, lon).astype(np.float64), -10.0)
        return line if z[:tenth].mean() >= z[tenth:].mean() else line[::-1]

    def _pieces(
        self, title: str, line: Floats, basin: float, river: RiverClass, joins: str
    ) -> list[Stream]:
        """The stretches of a course that lie on the map."""
        return [
            Stream(title, line[a : b + 1], basin, river, joins, a > 0, b < len(line) - 1)
            for a, b in inside(self._lattice, line)
        ]

    def _lay(self, stream: Stream, *, waiting_allowed: bool) -> bool:
        """Lay one river; False if the river that it joins is not laid yet."""
        parent = self._parent(stream)
        if parent is None and stream.joins:
            if waiting_allowed:
                return False
            self.notes.append(f"{stream.title}: the river {stream.joins!r} is not on the map.")
        if stream.river.mode == "sides":
            return self._lay_sides(stream, parent, waiting_allowed)
        return self._lay_through(stream, parent, waiting_allowed)

    def _parent(self, stream: Stream) -> Stream | None:
        """The laid river into which this one runs."""
        mouth = stream.course[-1:]
        best: Stream | None = None
        least = JOINS
        for other in self._laid:
            if other.river.mode != stream.river.mode:
                continue
            if stream.joins and other.title == stream.joins:
                return other
            away = float(Nearness(other.course).distance(mouth)[0])
            if away < least:
                best, least = other, away
        return best

    def _lay_sides(self, stream: Stream, parent: Stream | None, waiting_allowed: bool) -> bool:
        corners = self._corners
        source, mouth = stream.course[0], stream.course[-1]
        free = set(range(len(corners.points))) - self._used_corners
        rim = [i for i in corners.on_edge if i in free]
        starts = self._near(source, rim if stream.enters else sorted(free), 1.0, 1.6)
        if parent is not None:
            ends = self._near(mouth, corners.corners_of(parent.edges), 3.0, 4.0)
        elif stream.leaves:
            ends = self._near(mouth, rim, 1.5, 2.5)
        else:
            ends = self._near(mouth, [i for i in self._shore if i in free], 0.5, 3.0)
            if not ends and waiting_allowed:
                return False
            if not ends:
                ends = self._near(mouth, sorted(free), 1.0, 1.6)
                self.notes.append(f"{stream.title} ends in the middle of the land.")
        joined = set[int]() if parent is None else set(corners.corners_of(parent.edges))
        starts = {c: cost for c, cost in starts.items() if c not in joined}
        barred = self._used_corners - set(ends)
        shore = set(self._shore) - set(ends)

        def stage(costs: Mapping[Edge, float]) -> Callable[[int], Iterable[Step]]:
            def steps(corner: int) -> Iterable[Step]:
                # A river stops where it meets the river that it joins.
                if corner in joined:
                    return
                for to, edge in corners.sides[corner]:
                    if to not in barred and edge in costs and edge not in self._used_edges:
                        yield Step(costs[edge] + (0.6 if to in shore else 0.0), to, edge)

            return steps

        parts = stretches(stream.course, STRETCH)
        stages = [stage(self._side_costs(stream.course, part)) for part in parts]
        gates = [self._near(part[-1], sorted(free - joined), 0.2, 2.5) for part in parts[:-1]]
        way = staged(starts, ends, stages, gates)
        if way is None:
            self.notes.append(f"{stream.title}: there is no way for it between the other rivers.")
            return True
        stream.edges = self._trimmed(way.edges)
        if len(stream.edges) < stream.river.min_sides:
            self.notes.append(f"{stream.title} is too short for the map and left out.")
            return True
        self._used_edges.update(stream.edges)
        self._used_corners.update(corners.corners_of(stream.edges))
        self._laid.append(stream)
        return True

    def _trimmed(self, edges: list[int]) -> list[Edge]:
        """A course without what runs along the coast or through water at its mouth."""
        while edges and any(map(self._draft.is_water, self._lattice.edge_hexes(edges[-1]))):
            edges = edges[:-1]
        return edges

    def _near(
        self, point: Floats, among: Iterable[int], weight: float, reach: float
    ) -> dict[int, float]:
        """Corners within reach of a point, each with a cost by the square of its distance."""
        square = self._corners.distances(point)
        return {i: weight * float(square[i]) for i in among if float(square[i]) <= reach * reach}

    def _side_costs(self, course: Floats, part: Floats) -> Mapping[Edge, float]:
        """What the hexsides near a part of the course cost a river.

        Little close to it, and where they part the hexes that the whole course parts.
        """
        near = Nearness(part)
        low, high = part.min(axis=0) - CORRIDOR, part.max(axis=0) + CORRIDOR
        middles = self._banks.mean(axis=1)
        close = np.flatnonzero(np.all((middles >= low) & (middles <= high), axis=1))
        a, b = self._banks[close, 0], self._banks[close, 1]
        away = [near.distance(a + (b - a) * t) ** 2 for t in (0.15, 0.5, 0.85)]
        square = (away[0] + 2 * away[1] + away[2]) / 4
        costs: dict[Edge, float] = {}
        for i, d in zip(close.tolist(), square.tolist()):
            if d > CORRIDOR * CORRIDOR:
                continue
            edge = self._corners.edges[i]
            one, two = self._lattice.edge_hexes(edge)
            wet = self._draft.is_water(one) + self._draft.is_water(two)
            if wet == 2:
                continue
            parts = d < 2.5 and crossings(course, self._stands[one], self._stands[two]) % 2
            costs[edge] = (0.12 + 0.6 * d if parts else 0.35 + 4.0 * d) + 5.0 * wet
        return costs

    def _lay_through(self, stream: Stream, parent: Stream | None, waiting_allowed: bool) -> bool:
        source, mouth = stream.course[0], stream.course[-1]
        hexes = list(self._lattice)
        land = [h for h in hexes if not self._draft.is_water(h)]
        rim = [h for h in hexes if len(self._lattice.neighbours(h)) < 6]
        starts = self._hexes_near(
            source, [h for h in rim if h in land] if stream.enters else land, 1.5
        )
        if parent is not None:
            targets = self._hexes_near(mouth, parent.hexes, 2.5)
        elif stream.leaves:
            targets = self._hexes_near(mouth, rim, 1.5)
        else:
            targets = self._hexes_near(mouth, filter(self._draft.ends_rivers, hexes), 3.0)
            if not targets and waiting_allowed:
                return False
            if not targets:
                targets = self._hexes_near(mouth, land, 1.2)
                self.notes.append(f"{stream.title} ends in the middle of the land.")
        taken = _steps(other.hexes for other in self._laid)
        ends = set(targets) if parent is not None else set(filter(self._draft.is_water, targets))

        def stage(part: Floats) -> Callable[[Hex], Iterable[Step]]:
            near = Nearness(part)
            spots = near.distance(np.array([self._lattice.pixel(h) for h in hexes]))
            away = dict(zip(hexes, spots.tolist()))

            def steps(hex: Hex) -> Iterable[Step]:
                if hex in ends:
                    return
                for to in self._lattice.neighbours(hex):
                    dry = to in targets or not self._draft.is_water(to)
                    if dry and (hex, to) not in taken and away[to] <= CORRIDOR:
                        yield Step(0.3 + 2.0 * away[to] ** 2, to)

            return steps

        parts = stretches(stream.course, STRETCH)
        gates = [self._hexes_near(part[-1], land, 2.0, 0.2) for part in parts[:-1]]
        way = staged(starts, targets, [stage(part) for part in parts], gates)
        if way is None or len(way.nodes) - 1 < stream.river.min_sides:
            self.notes.append(f"{stream.title} is too short for the map and left out.")
            return True
        stream.hexes = way.nodes
        if not stream.river.coast and self._draft.is_water(stream.hexes[-1]):
            stream.hexes = stream.hexes[:-1]
        self._laid.append(stream)
        return True

    def _hexes_near(
        self, point: Floats, among: Iterable[Hex], reach: float, weight: float = 2.0
    ) -> dict[Hex, float]:
        """Hexes within reach of a point, each with a cost by the square of its distance."""
        x, y = point.tolist()
        square: dict[Hex, float] = {}
        for hex in among:
            hx, hy = self._lattice.pixel(hex)
            square[hex] = (hx - x) ** 2 + (hy - y) ** 2
        return {h: weight * d for h, d in square.items() if d <= reach * reach}

    def _course(self, stream: Stream) -> Course:
        enters = self._beyond(stream.hexes[0], stream.course[0]) if stream.enters else -1
        leaves = self._beyond(stream.hexes[-1], stream.course[-1]) if stream.leaves else -1
        return Course(stream.title, tuple(stream.hexes), enters, leaves)

    def _beyond(self, hex: Hex, point: Floats) -> int:
        """The side of an edge hex over which a course goes beyond the map."""
        if self._draft.is_water(hex):
            return -1
        corners = self._lattice.corners(hex)
        off = [d for d in range(6) if self._lattice.neighbour(hex, d) < 0]
        if not off:
            return -1
        return min(off, key=lambda d: float(np.hypot(*(point - _middle(corners, d)))))


def _steps(chains: Iterable[list[Hex]]) -> set[tuple[Hex, Hex]]:
    """The steps of chains of hexes, in both directions."""
    pairs = [pair for chain in chains for pair in pairwise(chain)]
    return {*pairs, *((b, a) for a, b in pairs)}


def _middle(corners: tuple[tuple[float, float], ...], d: int) -> Floats:
    return (np.array(corners[d]) + np.array(corners[(d + 1) % 6])) / 2
