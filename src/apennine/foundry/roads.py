"""Roads and railways as chains of hexes from place to place, near the real lines, never at sea."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from apennine.board import Course
from apennine.board.notation import FLAT_DIRECTIONS, POINTY_DIRECTIONS
from apennine.hexes import Hex, HexError

from .calibration import Calibration
from .draft import CoursesDraft, Draft, without_steps
from .geodata import Geodata, Way
from .mistakes import FoundryError
from .paths import Step, cheapest
from .recipe import Net, RoadClass, Route, listed
from .spatial import Floats, Nearness
from .ways import drawn, on_page, steps_under

_STOP = re.compile(r"(.*?)\s*(?:\(([A-Z]+)\))?")


class RoadLayer:
    """Lays all roads and railways of a map."""

    def __init__(self, draft: Draft, calibration: Calibration, geodata: Geodata) -> None:
        self._draft = draft
        self._lattice = draft.lattice
        self._calibration = calibration
        self._geodata = geodata
        self._directions = FLAT_DIRECTIONS if draft.lattice.flat else POINTY_DIRECTIONS
        self._hexes = [h for h in self._lattice if not draft.is_water(h)]
        self._centres = np.array([self._lattice.pixel(h) for h in self._hexes])
        self._lines: dict[str, _Lines] = {}
        self.notes: list[str] = []

    def lay(self, classes: Iterable[RoadClass]) -> None:
        """Lay the roads of all classes, and put them into the draft."""
        for road in classes:
            taken: set[tuple[Hex, Hex]] = set()
            for other in road.under:
                taken |= self._draft.roads[other].steps()
            courses: list[Course] = []
            for route in road.routes:
                courses.append(self._route(route, road, _steps(courses) | taken))
            for net in road.nets:
                courses += self._net(net, road, _steps(courses) | taken)
            if road.within:
                outside = {
                    (a, b)
                    for a, b in _steps(courses)
                    if not {self._draft.terrain[a], self._draft.terrain[b]} & set(road.within)
                }
                if road.rest:
                    others = without_steps(courses, taken | (_steps(courses) - outside))
                    self._draft.roads[road.rest] = CoursesDraft(road.source, others)
                taken |= outside
            courses = without_steps(courses, taken) if taken else courses
            self._draft.roads[road.name] = CoursesDraft(road.source, courses)

    def _followed(self, follow: Sequence[str], year: int) -> list[_Lines]:
        """The lines that a road keeps to, on the page."""
        found: list[_Lines] = []
        for text in follow:
            key = f"{text} {year}"
            if key not in self._lines:
                ways = self._ways(text, year)
                if not ways:
                    self.notes.append(f"The data has no line {text!r} in the window of the map.")
                lines = [piece for way in ways for piece in on_page(self._calibration, way)]
                self._lines[key] = _Lines(lines, steps_under(self._lattice, lines))
            found.append(self._lines[key])
        return found

    def _ways(self, text: str, year: int) -> list[Way]:
        layer, _, which = text.partition(" ")
        data = self._geodata
        layers: dict[str, Callable[[], list[Way]]] = {
            "statali": lambda: data.state_roads,
            "main": lambda: data.main_roads,
            "secondary": lambda: data.secondary_roads,
            "rails": lambda: data.railways(year),
            "rails-osm": lambda: data.modern_railways,
        }
        if layer not in layers:
            raise FoundryError(f"A road cannot follow {text!r}; there are {', '.join(layers)}.")
        ways = layers[layer]()
        if not which:
            return ways
        field = {"statali": "ss", "rails": "line"}.get(layer, "ref")
        if layer == "rails":
            return [way for way in ways if which in str(way.facts.get(field))]
        return [way for way in ways if which in str(way.facts.get(field)).split(";")]

    def _costs(self, lines: Sequence[_Lines], road: RoadClass) -> _Costs:
        bridges = _bridges(self._draft, road)
        return _Costs(self._draft, self._hexes, self._centres, lines, road.climb, bridges)

    def _route(self, route: Route, road: RoadClass, reuse: set[tuple[Hex, Hex]]) -> Course:
        lines = self._followed(listed(route.follow), road.year)
        if route.points:
            own = [drawn(self._calibration, route.points)]
            lines = [*lines, _Lines(own, steps_under(self._lattice, own))]
        costs = self._costs(lines, road)
        stops = [self._stop(stop, route) for stop in route.via]
        if len(stops) < 2:
            raise FoundryError(f"The road {route.name!r} needs two places at least.")
        hexes = [stops[0][0]]
        for (a, _), (b, _) in pairwise(stops):
            if a == b:
                continue
            way = cheapest({a: 0.0}, {b: 0.0}, lambda hex: costs.steps(hex, reuse))
            if way is None:
                codes = f"{self._lattice.code(a)} and {self._lattice.code(b)}"
                raise FoundryError(f"The road {route.name!r} finds no land between {codes}.")
            hexes += way.nodes[1:]
        if road.straight:
            hexes = self._straightened(hexes, {hex for hex, _ in stops}, road, reuse)
        return Course(route.name, tuple(hexes), stops[0][1], stops[-1][1])

    def _straightened(
        self, hexes: Sequence[Hex], stops: set[Hex], road: RoadClass, reuse: set[tuple[Hex, Hex]]
    ) -> list[Hex]:
        """A way without the hexes that it only touches, where the ones around them are neighbours.

        A real road that winds along a line of hexsides would else go to and fro between the hexes.
        None is left out to which the road has kept to stay on its bank.
        """
        bridges = _bridges(self._draft, road)
        way = list(hexes[:2])
        for hex in hexes[2:]:
            while (
                len(way) > 1
                and way[-1] not in stops
                and self._lattice.direction(way[-2], hex) >= 0
                and not _pairs(way, hex) & reuse
                and not ((way[-2], hex) in bridges and not bridges.keys() & _pairs(way, hex))
            ):
                way.pop()
            way.append(hex)
        return way

    def _stop(self, text: str, route: Route) -> tuple[Hex, int]:
        found = _STOP.fullmatch(text.strip())
        name, direction = found.groups() if found else (text, None)
        where = f"The road {route.name!r} goes through {text!r},"
        if direction is not None and direction not in self._directions:
            raise FoundryError(f"{where} but there is no direction {direction!r}.")
        d = self._directions.index(direction) if direction else -1
        if name in self._draft.places:
            hex = self._draft.places[name].hexes[0]
        else:
            try:
                hex = self._lattice.parse(name)
            except HexError:
                raise FoundryError(f"{where} which is neither a place nor a hex.") from None
        if d >= 0 and self._lattice.neighbour(hex, d) >= 0:
            raise FoundryError(f"{where} but {direction} of it is no edge of the map.")
        if self._draft.is_water(hex):
            raise FoundryError(f"{where} which is water.")
        return hex, d

    def _net(self, net: Net, road: RoadClass, reuse: set[tuple[Hex, Hex]]) -> list[Course]:
        """Roads between neighbouring places, cut where they run along each other."""
        costs = self._costs(self._followed(listed(net.follow), road.year), road)
        towns = sorted(
            {
                place.hexes[0]
                for place in self._draft.places.values()
                if (not net.kinds or set(net.kinds) & set(place.kinds))
                and not self._draft.is_water(place.hexes[0])
            }
        )
        courses: list[Course] = []
        known = set(reuse)

        def steps(hex: Hex) -> Iterable[Step]:
            return costs.steps(hex, known)

        for a, b in self._neighbours(towns, net.reach):
            way = cheapest({a: 0.0}, {b: 0.0}, steps)
            if way is None or len(way.nodes) - 1 > 2 * self._lattice.distance(a, b) + 2:
                continue
            walked = list(pairwise(way.nodes))
            real = sum(step in costs.real or step in known for step in walked)
            if real < net.share * len(walked):
                continue
            nodes = way.nodes
            if road.straight:
                nodes = self._straightened(nodes, set(towns), road, known)
            course = Course("", tuple(nodes))
            courses += without_steps([course], _steps(courses))
            known |= _steps([course])
        return courses

    def _neighbours(self, towns: Sequence[Hex], reach: int) -> list[tuple[Hex, Hex]]:
        """Pairs of towns with no third one in the circle over the two, the nearest first."""
        spots = {hex: np.array(self._lattice.pixel(hex)) for hex in towns}
        pairs: list[tuple[int, Hex, Hex]] = []
        for i, a in enumerate(towns):
            for b in towns[i + 1 :]:
                far = self._lattice.distance(a, b)
                if far > reach:
                    continue
                middle = (spots[a] + spots[b]) / 2
                radius = float(((spots[a] - middle) ** 2).sum()) - 1e-6
                others = (c for c in towns if c not in (a, b))
                if all(float(((spots[c] - middle) ** 2).sum()) >= radius for c in others):
                    pairs.append((far, a, b))
        return [(a, b) for _, a, b in sorted(pairs)]


class _Lines(NamedTuple):
    """Lines on the page, and the steps from hex to hex that they make."""

    lines: list[Floats]
    steps: set[tuple[Hex, Hex]]


class _Costs:
    """What each step from hex to hex costs a road that keeps to some lines."""

    def __init__(
        self,
        draft: Draft,
        hexes: Sequence[Hex],
        centres: Floats,
        followed: Sequence[_Lines],
        climb: Mapping[str, float],
        bridges: Mapping[tuple[Hex, Hex], float],
    ) -> None:
        self._draft = draft
        self._climb = climb
        self._bridges = bridges
        self.real = set[tuple[Hex, Hex]]().union(*(each.steps for each in followed))
        lines = [line for each in followed for line in each.lines]
        self._follows = bool(lines)
        if lines:
            away = Nearness(np.vstack(lines)).distance(centres)
            self._away = {h: float(d) for h, d in zip(hexes, away)}
        else:
            self._away = dict.fromkeys(hexes, 0.0)

    def steps(self, hex: Hex, reuse: set[tuple[Hex, Hex]]) -> Iterable[Step]:
        """The steps from a hex over land."""
        for to in self._draft.lattice.neighbours(hex):
            if self._draft.is_water(to):
                continue
            cost = 1.0 + self._climb.get(self._draft.terrain[to], 0.0)
            if self._follows:
                # On the line a step costs little; beside it, more with the distance.
                cost = 0.5 * cost if (hex, to) in self.real else 1.5 * cost
                cost += 1.5 * max(0.0, self._away[to] - 0.3) ** 2
            cost += self._bridges.get((hex, to), 0.0)
            yield Step(0.75 * cost if (hex, to) in reuse else cost, to)


def _pairs(way: Sequence[Hex], hex: Hex) -> set[tuple[Hex, Hex]]:
    """The last two steps of a way that goes on into a hex."""
    return {(way[-2], way[-1]), (way[-1], hex)}


def _steps(courses: Iterable[Course]) -> set[tuple[Hex, Hex]]:
    return CoursesDraft("", list(courses)).steps()


def _bridges(draft: Draft, road: RoadClass) -> dict[tuple[Hex, Hex], float]:
    """What steps over rivers cost a class of roads, both ways."""
    costs: dict[tuple[Hex, Hex], float] = {}
    for name, cost in road.bridge.items():
        if name not in draft.sides:
            raise FoundryError(f"The roads {road.name!r} cross {name!r}, which no hexside has.")
        for edge in sorted(draft.sides[name].edges()):
            a, b = draft.lattice.edge_hexes(edge)
            costs[a, b] = costs[b, a] = cost
    return costs
