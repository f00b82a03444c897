"""Roads and railways, and the bridges they cross rivers by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from math import atan2, degrees
from typing import NamedTuple

from apennine.board import Course
from apennine.hexes import Edge, Hex, bits

from . import words
from .curves import (
    PathText,
    Point,
    Station,
    bend,
    chance,
    crossing,
    flattened_spline,
    number,
    polyline,
)
from .labels import Box
from .page import RADIUS, Page
from .sheet import Sheet, attribute, defined, path, ref

RULES = """
    .way{fill:none;stroke-linejoin:round;stroke-linecap:round}
    .way-major-case{stroke:$road;stroke-width:4.4}
    .way-major{stroke:$road-case;stroke-width:1.7}
    .way-road-case{stroke:$road-case;stroke-width:3.6;stroke-opacity:.75}
    .way-road{stroke:$road;stroke-width:1.9}
    .way-minor-case{stroke:$road-case;stroke-width:2.8;stroke-opacity:.6}
    .way-minor{stroke:$minor-road;stroke-width:1.3;stroke-dasharray:5 2.2;stroke-linecap:butt}
    .way-rail-case{stroke:$rail-light;stroke-width:3;stroke-opacity:.6}
    .way-rail{stroke:$rail;stroke-width:1.1}
    .way-ties{stroke:$rail;stroke-width:3.6;stroke-dasharray:.9 4.1;stroke-linecap:butt}
    .bridge{fill:none;stroke:$bridge;stroke-width:1.2;stroke-linecap:round;stroke-linejoin:round}
    .bridge-case{fill:none;stroke:$halo;stroke-width:3;stroke-linecap:round;stroke-opacity:.85}
    """

# The lesser first, so that the greater lie over them.
_ORDER: tuple[words.Way, ...] = ("minor", "rail", "road", "major")
_STROKES: Mapping[words.Way, tuple[str, ...]] = {
    "major": ("way-major-case", "way-major"),
    "road": ("way-road-case", "way-road"),
    "minor": ("way-minor-case", "way-minor"),
    "rail": ("way-rail-case", "way-ties", "way-rail"),
}


def paint_ways(sheet: Sheet) -> None:
    """All roads and railways, then the bridges."""
    board = sheet.board
    names = sorted(board.courses, key=lambda name: _ORDER.index(words.way(name)))
    lines = _Lines(sheet.page)
    drawn: dict[str, PathText] = {}
    # The greater take the ground: a lesser road along a greater one is not drawn again.
    for name in reversed(names):
        drawn[name] = lines.drawn(board.courses[name], words.way(name))
    for name in names:
        kind = words.way(name)
        for cls in _STROKES[kind]:
            sheet.add("roads", path(drawn[name], f"way {cls}", attribute("data-road", name)))
    for name in reversed(names):
        plain = any(word in name for word in ("road", "rail", "track", "way"))
        label = words.heading(name if plain else f"{name} road")
        sheet.explain("Roads and railways", label, _way_sample(words.way(name)))
    for curve in lines.curves:
        sheet.labels.mind(curve[::2])
    _paint_bridges(sheet, lines)


def joined(courses: Iterable[Course]) -> list[Course]:
    """Courses put end to end where one goes on as another and no third comes in.

    A road that a map file gives in pieces so bends as smoothly as one in a single piece.
    """
    pieces = list(courses)
    links = {frozenset(link) for course in pieces for link in pairwise(course.hexes)}
    ways = Counter(hex for link in links for hex in link)
    done: list[Course] = []
    while pieces:
        course = pieces.pop(0)
        other = next((piece for piece in pieces if _joint(course, piece, ways) >= 0), None)
        if other is None:
            done.append(course)
            continue
        pieces.remove(other)
        joint = _joint(course, other, ways)
        first = course if course.hexes[-1] == joint and course.leaves < 0 else _turned(course)
        second = other if other.hexes[0] == joint and other.enters < 0 else _turned(other)
        hexes = first.hexes + second.hexes[1:]
        pieces.insert(0, Course(course.name, hexes, first.enters, second.leaves))
    return done


def _joint(a: Course, b: Course, ways: Counter[Hex]) -> Hex:
    """The hex in which two courses end and from which only two ways lead, -1 if there is none."""
    shared = set(_ends(a)) & set(_ends(b))
    return min((hex for hex in shared if ways[hex] == 2), default=-1)


def _ends(course: Course) -> list[Hex]:
    """The hexes in which a course ends, on the map."""
    ends = [course.hexes[0]] if course.enters < 0 else []
    return [*ends, course.hexes[-1]] if course.leaves < 0 else ends


def _turned(course: Course) -> Course:
    return Course(course.name, course.hexes[::-1], course.leaves, course.enters)


class _Lines:
    """The curves of roads and railways, each stretch once."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._taken: dict[str, set[Edge]] = {"road": set(), "rail": set()}
        self.curves: list[list[Point]] = []
        """The courses of all roads, as they are drawn."""

    def drawn(self, courses: Iterable[Course], kind: words.Way) -> PathText:
        d = PathText()
        taken = self._taken["rail" if kind == "rail" else "road"]
        for course in joined(courses):
            points = self._points(course, kind)
            self.curves.append(flattened_spline(points, 6))
            first = 1 if course.enters >= 0 else 0
            for i in range(len(points) - 1):
                edge = self._edge(course, i - first)
                if edge >= 0:
                    if edge in taken:
                        continue
                    taken.add(edge)
                d.go_to(points[i])
                d.cubic(*bend(points, i), points[i + 1])
        return d

    def _points(self, course: Course, kind: words.Way) -> list[Point]:
        points = [self.stop(hex, kind) for hex in course.hexes]
        if course.enters >= 0:
            points.insert(0, self._page.beyond(course.hexes[0], course.enters, 0.35))
        if course.leaves >= 0:
            points.append(self._page.beyond(course.hexes[-1], course.leaves, 0.35))
        return points

    def stop(self, hex: Hex, kind: words.Way) -> Point:
        """Where a road passes through a hex: in the middle of a town, and elsewhere nearly so.

        Railways keep beside the roads, to that side which no direction of hexes leads to.
        """
        x, y = self._page.centre(hex)
        line, half = self._page.cell_of[hex]
        if not self._page.board.places_at(hex):
            x += 0.1 * RADIUS * chance(line, half, 31)
            y += 0.1 * RADIUS * chance(line, half, 32)
        aside = 0.2 * RADIUS if kind == "rail" else 0.0
        return (x + aside, y) if self._page.flat else (x, y + aside)

    def _edge(self, course: Course, i: int) -> Edge:
        if not 0 <= i < len(course.hexes) - 1:
            return -1
        return self._page.lattice.edge_between(course.hexes[i], course.hexes[i + 1])


def _paint_bridges(sheet: Sheet, lines: _Lines) -> None:
    page = sheet.page
    shape = "M-6-5.6L-3.6-3H3.6L6-5.6M-6 5.6L-3.6 3H3.6L6 5.6"
    sheet.defs.append(defined("bridge", path(shape, "bridge-case") + path(shape, "bridge")))
    roads, rivers = _framed(lines.curves), _framed(sheet.streams)
    for name, bridges in sheet.board.bridges.items():
        known = attribute("data-bridge", name)
        for edge in page.lattice.edges(bridges.sides):
            hex, d = page.edge_of(edge)
            x, y = page.side_middle(hex, d)
            bx, by = page.beyond(hex, d)
            across = Station(x, y, atan2(by - y, bx - x))
            _add_bridge(sheet, _crossing(roads, rivers, (x, y)) or across, known)
        for hex in bits(bridges.hexes):
            x, y = page.centre(hex)
            _add_bridge(sheet, _crossing(roads, rivers, (x, y)) or Station(x, y, 0.0), known)
    if sheet.board.bridges:
        sheet.explain("Roads and railways", "Bridge", _bridge_sample)


class _Framed(NamedTuple):
    """A line and the box that it lies in."""

    box: Box
    line: list[Point]


def _framed(lines: Iterable[list[Point]]) -> list[_Framed]:
    framed: list[_Framed] = []
    for line in filter(None, lines):
        xs, ys = [x for x, _ in line], [y for _, y in line]
        framed.append(_Framed(Box(min(xs), min(ys), max(xs), max(ys)), line))
    return framed


def _near(lines: list[_Framed], near: Point, reach: float) -> list[list[Point]]:
    """The lines that may come so near to a point: of a great map, few."""
    x, y = near
    return [
        line
        for (left, top, right, bottom), line in lines
        if left - reach <= x <= right + reach and top - reach <= y <= bottom + reach
    ]


def _crossing(roads: list[_Framed], rivers: list[_Framed], near: Point) -> Station | None:
    """Where a road really crosses a river, near a point."""
    reach = 0.8 * RADIUS
    streams = _near(rivers, near, reach)
    for curve in _near(roads, near, 2 * reach):
        for stream in streams:
            found = crossing(curve, stream, near, reach)
            if found:
                return found
    return None


def _add_bridge(sheet: Sheet, at: Station, known: str) -> None:
    x, y, angle = at
    move = f"translate({number(x)} {number(y)}) rotate({round(degrees(angle))})"
    sheet.add("bridges", f'<use href="#{ref("bridge")}" transform="{move}"{known}/>')
    sheet.labels.take(Box(x - 4, y - 4, x + 4, y + 4))


def _way_sample(kind: words.Way) -> Callable[[float, float], str]:
    def sample(x: float, y: float) -> str:
        line = polyline([(x - 15, y + 2), (x - 5, y - 1), (x + 5, y + 1), (x + 15, y - 2)])
        return "".join(path(line, f"way {cls}") for cls in _STROKES[kind])

    return sample


def _bridge_sample(x: float, y: float) -> str:
    river = f'<path class="river" stroke-width="3.2" d="M{number(x)} {number(y - 8)}v16"/>'
    return f'{river}<use href="#{ref("bridge")}" x="{number(x)}" y="{number(y)}"/>'
