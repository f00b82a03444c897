"""Rivers that grow from source to mouth, along hexsides or through hexes, and canals."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from math import exp

from apennine.board import Course
from apennine.hexes import Edge, Hex

from . import words
from .curves import (
    PathText,
    Point,
    chains,
    chance,
    cut_corners,
    flattened_spline,
    middle,
    polyline,
    rounded,
    spline,
)
from .page import RADIUS, Node, Page
from .relief import elevations
from .sheet import Sheet, attribute, group, path, ref

RULES = """
    .river{fill:none;stroke:$river;stroke-linecap:round;stroke-linejoin:round}
    .canal{fill:none;stroke:$river;stroke-width:2.4}
    .canal-case{fill:none;stroke:$halo;stroke-width:4.2;stroke-opacity:.8}
    .lake-side{fill:none;stroke:$lake;stroke-width:8;stroke-linecap:round;stroke-linejoin:round}
    .lake-shore{fill:none;stroke:$coast;stroke-width:9.8;stroke-linecap:round}
    .sea-side{fill:none;stroke:$coast;stroke-width:3;stroke-linecap:round;stroke-opacity:.8}
    """

_RIVERS: Mapping[words.Side, tuple[float, float]] = {
    "major-river": (0.11, 0.22),
    "river": (0.05, 0.18),
    "minor-river": (0.045, 0.12),
}
"""How wide a river is at its source and at its widest, in parts of the radius of a hex."""

# Widths come in steps of this, which the eye does not see.
_STEP = 0.4
# A river that comes from beyond the map has come a long way already.
_FROM_AFAR = 9.0


class _Pen:
    """Strokes of several widths, each width one path."""

    def __init__(self) -> None:
        self._paths: dict[int, PathText] = defaultdict(PathText)

    def width(self, width: float) -> PathText:
        return self._paths[max(1, round(width / _STEP))]

    def elements(self, cls: str) -> list[str]:
        return [
            path(d, cls, f' stroke-width="{steps * _STEP:.3g}"')
            for steps, d in sorted(self._paths.items())
        ]


def paint_rivers(sheet: Sheet) -> None:
    """Rivers and canals, on hexsides and through hexes; lakes and sea on hexsides."""
    board = sheet.board
    rivers: dict[str, words.Side] = {}
    for name in board.sides:
        kind = words.side(name)
        if kind in _RIVERS:
            rivers[name] = kind
    drawn = _river_sides(sheet, rivers) if rivers else []
    for name in board.through:
        kind = words.side(name)
        if kind != "canal":
            rivers[name] = kind if kind in _RIVERS else "river"
            drawn += _through(sheet, name, rivers[name])
    sheet.add("rivers", group(drawn, f' clip-path="url(#{ref("land")})"'))
    for name, kind in rivers.items():
        sheet.explain("Water", words.heading(name), _river_sample(kind))
    _paint_canals(sheet)
    _paint_wet_sides(sheet)


def width_after(kind: words.Side, way: float) -> float:
    """The width of a river after so many hexsides."""
    least, most = _RIVERS[kind]
    return RADIUS * (least + (most - least) * (1 - exp(-way / 11)))


# Rivers on hexsides


def _river_sides(sheet: Sheet, rivers: Mapping[str, words.Side]) -> list[str]:
    page = sheet.page
    links: dict[tuple[Node, Node], words.Side] = {}
    for name, kind in rivers.items():
        for edge in page.lattice.edges(sheet.board.sides[name]):
            links[page.edge_nodes(edge)] = kind
    net = _Net(page, links)
    pen = _Pen()
    net.draw(pen)
    for name in rivers:
        for run in sheet.board.runs[name]:
            nodes = [page.edge_nodes(edge) for edge in run.edges]
            line = cut_corners([net.at(node) for node in walk(nodes)], 2)
            sheet.labels.mind(line[::2])
            sheet.streams.append(line)
            if run.name:
                sheet.names.append((run.name, line))
    return pen.elements("river")


def walk(links: Sequence[tuple[Node, Node]]) -> list[Node]:
    """The nodes that links which follow each other lead along."""
    if len(links) == 1:
        return list(links[0])
    first, second = links[0], links[1]
    nodes = list(first if first[1] in second else first[::-1])
    for link in links[1:]:
        nodes.append(link[1] if link[0] == nodes[-1] else link[0])
    return nodes


class _Net:
    """All rivers of a map as trees that drain into the sea, or off the map, or into the ground."""

    def __init__(self, page: Page, links: Mapping[tuple[Node, Node], words.Side]) -> None:
        self._page = page
        self._kinds = links
        self._near: dict[Node, list[Node]] = defaultdict(list)
        for a, b in links:
            self._near[a].append(b)
            self._near[b].append(a)
        self._hexes = _hexes_at(page, self._near)
        self._heights = elevations(page.board)
        self._down: dict[Node, Node] = {}
        self._mouths: list[Node] = []
        for part in self._parts():
            self._drain(part)
        self._way = self._ways()

    def _parts(self) -> list[list[Node]]:
        seen: set[Node] = set()
        parts: list[list[Node]] = []
        for node in self._near:
            if node not in seen:
                part = [node]
                seen.add(node)
                for here in part:
                    for there in self._near[here]:
                        if there not in seen:
                            seen.add(there)
                            part.append(there)
                parts.append(part)
        return parts

    def _drain(self, part: list[Node]) -> None:
        """Let the water of a connected part run to its mouth."""
        ends = [node for node in part if len(self._near[node]) == 1] or part[:1]
        at_sea = [node for node in part if self._touches(node, "sea")]
        in_lake = [node for node in ends if self._touches(node, "lake")]
        mouths = at_sea or in_lake or [min(ends, key=self._height)]
        self._mouths += mouths
        queue = deque(mouths)
        seen = set(mouths)
        while queue:
            here = queue.popleft()
            for there in self._near[here]:
                if there not in seen:
                    seen.add(there)
                    self._down[there] = here
                    queue.append(there)

    def _touches(self, node: Node, kind: words.Ground) -> bool:
        page = self._page
        return any(words.ground(page.board.terrain_of(hex)) == kind for hex in self._hexes[node])

    def _height(self, node: Node) -> tuple[float, Node]:
        hexes = self._hexes[node]
        return sum(self._heights[hex] for hex in hexes) / len(hexes), node

    def _ways(self) -> dict[Node, float]:
        """For every node the length of all river above it."""
        above: dict[Node, list[Node]] = defaultdict(list)
        for node, down in self._down.items():
            above[down].append(node)
        order = list(self._mouths)
        for node in order:
            order += above[node]
        way: dict[Node, float] = {}
        for node in reversed(order):
            afar = not above[node] and len(self._hexes[node]) < 3
            way[node] = sum(way[up] + 1 for up in above[node]) + (_FROM_AFAR if afar else 0)
        return way

    def at(self, node: Node) -> Point:
        """Where the river passes a corner: a little off, towards its neighbours."""
        x, y = self._page.at(node)
        near = self._near[node]
        if len(near) == 2:
            (ax, ay), (bx, by) = (self._page.at(other) for other in near)
            x, y = x + 0.3 * ((ax + bx) / 2 - x), y + 0.3 * ((ay + by) / 2 - y)
        stray = 0.06 * RADIUS
        return x + stray * chance(*node, 11), y + stray * chance(*node, 12)

    def draw(self, pen: _Pen) -> None:
        above: dict[Node, list[Node]] = defaultdict(list)
        for node, down in self._down.items():
            above[down].append(node)
        for node, ups in above.items():
            ups.sort(key=lambda up: (-self._way[up], up))
            self._draw_corner(pen, node, ups)
        for node in self._down:
            if node not in above:
                # A spring: half a hexside that begins in nothing.
                half = self._middle(node, self._down[node])
                start = self.at(node)
                if self._way[node]:
                    start = _onward(half, start, 0.9 * RADIUS)
                polyline([start, half], pen.width(self._width(node)))
        for a, b in self._kinds:
            if self._down.get(a) != b and self._down.get(b) != a:
                polyline([self.at(a), self.at(b)], pen.width(self._width(a)))

    def _draw_corner(self, pen: _Pen, node: Node, ups: list[Node]) -> None:
        """The river from the middle of the hexsides above a corner to that of the one below."""
        here = self.at(node)
        down = self._down.get(node)
        if down is None:
            sea = self._way_out(node, ups[0])
            for up in ups:
                stroke = pen.width(self._width(up) * 1.15)
                stroke.move(self._middle(up, node))
                stroke.quadratic(here, sea)
            return
        below = self._middle(node, down)
        main, *others = ups
        first = self._middle(main, node)
        stroke = pen.width(self._width(main))
        stroke.go_to(first)
        stroke.quadratic(here, below)
        # A tributary comes to where the main river really is.
        meeting = (
            0.25 * first[0] + 0.5 * here[0] + 0.25 * below[0],
            0.25 * first[1] + 0.5 * here[1] + 0.25 * below[1],
        )
        for other in others:
            polyline([self._middle(other, node), meeting], pen.width(self._width(other)))

    def _way_out(self, node: Node, up: Node) -> Point:
        """Where the mouth opens: out in the sea, or beyond the edge of the map."""
        here = self.at(node)
        sea = [
            self._page.centre(hex)
            for hex in self._hexes[node]
            if words.ground(self._page.board.terrain_of(hex)) in ("sea", "lake")
        ]
        if sea:
            x, y = sum(x for x, _ in sea) / len(sea), sum(y for _, y in sea) / len(sea)
            return here[0] + 0.5 * (x - here[0]), here[1] + 0.5 * (y - here[1])
        if len(self._hexes[node]) < 3:
            return _onward(self.at(up), here, 0.9 * RADIUS)
        return here

    def _middle(self, a: Node, b: Node) -> Point:
        return middle(self.at(a), self.at(b))

    def _width(self, node: Node) -> float:
        """The width of the river from a node down."""
        down = self._down.get(node)
        if down is None:
            return width_after("river", 0)
        kind = self._kinds.get((node, down)) or self._kinds[down, node]
        return width_after(kind, self._way[node])


def _onward(a: Point, b: Point, distance: float) -> Point:
    """The point beyond *b* on the way from *a*."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    reach = (dx * dx + dy * dy) ** 0.5 or 1.0
    return b[0] + dx / reach * distance, b[1] + dy / reach * distance


def _hexes_at(page: Page, nodes: Iterable[Node]) -> dict[Node, list[Hex]]:
    """The hexes of the map that meet at each of some corners."""
    found: dict[Node, list[Hex]] = {node: [] for node in nodes}
    for cell, hex in page.hex_at.items():
        for node in page.corners(cell):
            if node in found:
                found[node].append(hex)
    return found


# Rivers through hexes


def ford(page: Page, hex: Hex) -> Point:
    """Where rivers pass through a hex: beside its middle, which is for towns and roads."""
    x, y = page.centre(hex)
    line, half = page.cell_of[hex]
    dx = 0.24 + 0.08 * chance(line, half, 21)
    dy = 0.2 + 0.1 * chance(line, half, 22)
    return x - dx * RADIUS, y + dy * RADIUS


def _through(sheet: Sheet, name: str, kind: words.Side) -> list[str]:
    page = sheet.page
    pen = _Pen()
    # Where rivers meet the water adds up: the longest first.
    courses = sorted(sheet.board.through[name].courses, key=lambda course: len(course.hexes))
    gained: dict[Hex, float] = defaultdict(float)
    for course in courses:
        points = through_points(page, course)
        way = _FROM_AFAR if course.enters >= 0 else 0.0
        first = 1 if course.enters >= 0 else 0
        line = flattened_spline(points, 6)
        for i, (a, b) in enumerate(pairwise(line)):
            if i % 6 == 0:
                hex = course.hexes[min(max(i // 6 - first, 0), len(course.hexes) - 1)]
                way += gained.get(hex, 0.0)
            way += 0.24
            stroke = pen.width(width_after(kind, way))
            stroke.go_to(a)
            stroke.line(b)
        gained[course.hexes[-1]] += way
        sheet.labels.mind(line)
        sheet.streams.append(line)
        if course.name:
            sheet.names.append((course.name, line))
    return pen.elements("river")


def through_points(page: Page, course: Course) -> list[Point]:
    """The points that a river through hexes passes."""
    points = [ford(page, hex) for hex in course.hexes]
    if course.enters >= 0:
        points.insert(0, page.beyond(course.hexes[0], course.enters, 0.7))
    if course.leaves >= 0:
        points.append(page.beyond(course.hexes[-1], course.leaves, 0.7))
    return points


# Other water


def _paint_canals(sheet: Sheet) -> None:
    page, board = sheet.page, sheet.board
    for name in board.sides:
        if words.side(name) == "canal":
            d = PathText()
            for chain in side_chains(page, page.lattice.edges(board.sides[name])):
                rounded(chain, d)
            _add_canal(sheet, name, d)
    for name, through in board.through.items():
        if words.side(name) == "canal":
            d = PathText()
            for course in through.courses:
                spline(through_points(page, course), d)
            _add_canal(sheet, name, d)


def _add_canal(sheet: Sheet, name: str, d: PathText) -> None:
    sheet.add("rivers", path(d, "canal-case"), path(d, "canal", attribute("data-side", name)))
    sheet.explain("Water", words.heading(name), _stroke_sample("canal-case", "canal"))


def side_chains(page: Page, edges: Iterable[Edge]) -> list[list[Point]]:
    """Hexsides as lines on the page, as long as may be."""
    links = [page.edge_nodes(edge) for edge in edges]
    return [[page.at(node) for node in chain] for chain in chains(links)]


def _paint_wet_sides(sheet: Sheet) -> None:
    page, board = sheet.page, sheet.board
    for name in board.sides:
        kind = words.side(name)
        if kind not in ("lake", "sea"):
            continue
        # A hexside at the coast is wet anyhow: it needs no sign.
        edges = [
            edge for edge in page.lattice.edges(board.sides[name]) if _between_land(page, edge)
        ]
        if not edges:
            continue
        d = PathText()
        for chain in side_chains(page, edges):
            polyline(cut_corners(chain, 1), d)
        label = f"{words.heading(name)} hexside"
        if kind == "lake":
            sheet.add(
                "water", path(d, "lake-shore"), path(d, "lake-side", attribute("data-side", name))
            )
            sheet.explain("Water", label, _stroke_sample("lake-shore", "lake-side"))
        else:
            sheet.add("water", path(d, "sea-side", attribute("data-side", name)))
            sheet.explain("Water", label, _stroke_sample("sea-side"))
        for run in board.runs.get(name, ()):
            if run.name:
                nodes = walk([page.edge_nodes(edge) for edge in run.edges])
                sheet.waters.append((run.name, [page.at(node) for node in nodes]))


def _between_land(page: Page, edge: Edge) -> bool:
    return all(
        hex >= 0 and words.ground(page.board.terrain_of(hex)) not in ("sea", "lake")
        for hex in page.lattice.edge_hexes(edge)
    )


def _river_sample(kind: words.Side) -> Callable[[float, float], str]:
    def sample(x: float, y: float) -> str:
        pen = _Pen()
        line = [(x - 15 + 3 * i, y + 2.5 * (-1) ** (i // 2)) for i in range(11)]
        curve = cut_corners(line, 1)
        for i, (a, b) in enumerate(pairwise(curve)):
            stroke = pen.width(width_after(kind, 1.4 * i))
            stroke.go_to(a)
            stroke.line(b)
        return "".join(pen.elements("river"))

    return sample


def _stroke_sample(*classes: str) -> Callable[[float, float], str]:
    def sample(x: float, y: float) -> str:
        line = polyline([(x - 11, y), (x + 11, y)])
        return "".join(path(line, cls) for cls in classes)

    return sample
