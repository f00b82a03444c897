"""Points and curves, and the short text of SVG paths."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from itertools import pairwise
from math import atan2, hypot
from typing import NamedTuple, TypeAlias, TypeVar

Point: TypeAlias = tuple[float, float]

_Node = TypeVar("_Node", bound=Hashable)


class Station(NamedTuple):
    """A place along a curve: where it is, and which way the curve goes there (radians)."""

    x: float
    y: float
    angle: float


def chance(i: int, j: int, salt: int = 0) -> float:
    """A number from -1 to 1 that looks random but always is the same for the same place."""
    mixed = (i * 374761393 + j * 668265263 + salt * 2246822519) & 0xFFFFFFFF
    mixed = (mixed ^ mixed >> 13) * 1274126177 & 0xFFFFFFFF
    return (mixed ^ mixed >> 16) / 0x7FFFFFFF - 1.0


def number(value: float) -> str:
    """A number in the fewest characters, with one decimal at most.

    >>> number(12.04), number(-0.46), number(0.04)
    ('12', '-.5', '0')
    """
    return _tenths(round(value * 10))


def _tenths(tenths: int) -> str:
    whole, tenth = divmod(abs(tenths), 10)
    sign = "-" if tenths < 0 else ""
    if not tenth:
        return f"{sign}{whole}"
    return f"{sign}{whole or ''}.{tenth}"


class PathText:
    """The `d` of a path under way: relative commands, no character too many.

    >>> path = PathText()
    >>> path.move((10, 10))
    >>> path.line((12.5, 10))
    >>> path.line((12.5, 4))
    >>> path.close()
    >>> str(path)
    'M10 10l2.5 0 0-6z'
    """

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._x = self._y = 0
        self._start = (0, 0)
        self._command = ""

    def __str__(self) -> str:
        return "".join(self._parts)

    def move(self, point: Point) -> None:
        x, y = _rounded(point)
        self._parts.append(f"M{_tenths(x)}{_joined(_tenths(y))}")
        self._x, self._y = self._start = x, y
        self._command = "M"

    def line(self, point: Point) -> None:
        self._draw("l", point)

    def quadratic(self, control: Point, point: Point) -> None:
        self._draw("q", control, point)

    def cubic(self, first: Point, second: Point, point: Point) -> None:
        self._draw("c", first, second, point)

    def close(self) -> None:
        self._parts.append("z")
        self._x, self._y = self._start
        self._command = "z"

    def is_at(self, point: Point) -> bool:
        """Whether the pen is down at this point, so that a line may go on from it."""
        return bool(self._parts) and self._command != "z" and _rounded(point) == (self._x, self._y)

    def go_to(self, point: Point) -> None:
        """Move, unless the pen is there."""
        if not self.is_at(point):
            self.move(point)

    def _draw(self, command: str, *points: Point) -> None:
        numbers: list[str] = []
        for point in points:
            x, y = _rounded(point)
            numbers += (_tenths(x - self._x), _tenths(y - self._y))
        self._x, self._y = _rounded(points[-1])
        first = numbers[0]
        # A command that is the same as the last one need not be said again.
        self._parts.append(_joined(first) if command == self._command else command + first)
        self._parts += map(_joined, numbers[1:])
        self._command = command


def _rounded(point: Point) -> tuple[int, int]:
    return round(point[0] * 10), round(point[1] * 10)


def _joined(text: str) -> str:
    return text if text[0] == "-" else f" {text}"


def polyline(points: Iterable[Point], path: PathText | None = None) -> PathText:
    """A path straight from point to point."""
    path = path or PathText()
    for i, point in enumerate(points):
        path.line(point) if i else path.move(point)
    return path


def polygon(points: Iterable[Point], path: PathText | None = None) -> PathText:
    """A closed path straight from point to point."""
    path = polyline(points, path)
    path.close()
    return path


def rounded(
    points: Sequence[Point], path: PathText | None = None, *, closed: bool = False
) -> PathText:
    """A path that bends round each point, touching the middle of every stretch."""
    path = path or PathText()
    if len(points) < 3:
        return polyline(points, path)
    if closed:
        path.move(middle(points[-1], points[0]))
        for here, there in zip(points, (*points[1:], points[0])):
            path.quadratic(here, middle(here, there))
        path.close()
        return path
    path.move(points[0])
    for here, there in pairwise(points[1:-1]):
        path.quadratic(here, middle(here, there))
    path.quadratic(points[-2], points[-1])
    return path


def spline(points: Sequence[Point], path: PathText | None = None) -> PathText:
    """A smooth path through all points."""
    path = path or PathText()
    if len(points) < 3:
        return polyline(points, path)
    path.go_to(points[0])
    for i in range(len(points) - 1):
        path.cubic(*bend(points, i), points[i + 1])
    return path


def bend(points: Sequence[Point], i: int) -> tuple[Point, Point]:
    """The control points of stretch *i* of the smooth curve through all points."""
    a, b = points[max(i - 1, 0)], points[i]
    c, d = points[i + 1], points[min(i + 2, len(points) - 1)]
    first = b[0] + (c[0] - a[0]) / 6, b[1] + (c[1] - a[1]) / 6
    second = c[0] - (d[0] - b[0]) / 6, c[1] - (d[1] - b[1]) / 6
    return first, second


def on_spline(points: Sequence[Point], i: int, t: float) -> Point:
    """The point at *t*, from 0 to 1, of stretch *i* of the smooth curve through all points."""
    b, c = points[i], points[i + 1]
    first, second = bend(points, i)
    u = 1 - t
    weights = u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t
    xs, ys = zip(b, first, second, c)
    return sum(map(float.__mul__, weights, xs)), sum(map(float.__mul__, weights, ys))


def flattened_spline(points: Sequence[Point], steps: int = 4) -> list[Point]:
    """The smooth curve through all points as many short straight stretches."""
    if len(points) < 3:
        return list(points)
    flat = [on_spline(points, i, k / steps) for i in range(len(points) - 1) for k in range(steps)]
    return [*flat, points[-1]]


def middle(a: Point, b: Point) -> Point:
    """The point half way between two."""
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def calmed(points: Sequence[Point], *, closed: bool = False, by: float = 0.4) -> list[Point]:
    """A line whose zigzag is calmed, though what it encloses keeps its size.

    Each point first moves towards its neighbours' middle, then a little more back: the zigzag of
    hexsides goes and the wider bends stay.
    """
    calm = list(points)
    for share in (by, -by - 0.02):
        last = calm
        calm = [
            _towards(here, middle(last[i - 1], last[(i + 1) % len(last)]), share)
            if closed or 0 < i < len(last) - 1
            else here
            for i, here in enumerate(last)
        ]
    return calm


def _towards(here: Point, there: Point, share: float) -> Point:
    return here[0] + (there[0] - here[0]) * share, here[1] + (there[1] - here[1]) * share


def cut_corners(points: Sequence[Point], times: int = 2, *, closed: bool = False) -> list[Point]:
    """A line with its corners cut again and again, until it looks like a curve."""
    line = list(points)
    for _ in range(times):
        if len(line) < 3:
            return line
        pairs = list(zip(line, (*line[1:], line[0]) if closed else line[1:]))
        cut = [p for a, b in pairs for p in (_towards(a, b, 0.25), _towards(a, b, 0.75))]
        line = cut if closed else [line[0], *cut[1:-1], line[-1]]
    return line


def straightened(points: Sequence[Point], reach: float) -> list[Point]:
    """Where a line goes on the whole, without the bends that are shorter than `reach`."""
    path = [(x, y) for x, y, _ in stations(points, reach / 8)]
    half = 8
    smooth: list[Point] = []
    for i in range(len(path)):
        # As far to both sides as the nearer end allows, so that the ends stay.
        wide = min(half, i, len(path) - 1 - i)
        near = path[i - wide : i + wide + 1]
        smooth.append((sum(x for x, _ in near) / len(near), sum(y for _, y in near) / len(near)))
    return smooth


def crossing(a: Sequence[Point], b: Sequence[Point], near: Point, reach: float) -> Station | None:
    """Where line *a* crosses line *b* within reach of a point, and which way *a* goes there."""
    for p, q in pairwise(a):
        if max(abs(p[0] - near[0]), abs(p[1] - near[1])) > 2 * reach:
            continue
        for r, s in pairwise(b):
            found = _intersection(p, q, r, s)
            if found and hypot(found[0] - near[0], found[1] - near[1]) < reach:
                return Station(*found, atan2(q[1] - p[1], q[0] - p[0]))
    return None


def _intersection(p: Point, q: Point, r: Point, s: Point) -> Point | None:
    ux, uy, vx, vy = q[0] - p[0], q[1] - p[1], s[0] - r[0], s[1] - r[1]
    cross = ux * vy - uy * vx
    if abs(cross) < 1e-9:
        return None
    wx, wy = r[0] - p[0], r[1] - p[1]
    t, u = (wx * vy - wy * vx) / cross, (wx * uy - wy * ux) / cross
    if not (0 <= t <= 1 and 0 <= u <= 1):
        return None
    return p[0] + t * ux, p[1] + t * uy


def length(points: Sequence[Point]) -> float:
    """The length of a line."""
    return sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points))


def stations(points: Sequence[Point], step: float, start: float = 0.0) -> list[Station]:
    """Places along a line, `step` apart."""
    found: list[Station] = []
    due = start
    gone = 0.0
    for a, b in pairwise(points):
        dx, dy = b[0] - a[0], b[1] - a[1]
        reach = hypot(dx, dy)
        while reach and due <= gone + reach:
            t = (due - gone) / reach
            found.append(Station(a[0] + dx * t, a[1] + dy * t, atan2(dy, dx)))
            due += step
        gone += reach
    return found


def beside(points: Sequence[Point], distance: float) -> list[Point]:
    """A line that runs along another at a distance: to its right as it goes, on a page."""
    if not distance or len(points) < 2:
        return list(points)
    line: list[Point] = []
    for i, (x, y) in enumerate(points):
        ax, ay = points[max(i - 1, 0)]
        bx, by = points[min(i + 1, len(points) - 1)]
        reach = hypot(bx - ax, by - ay) or 1.0
        line.append((x - (by - ay) / reach * distance, y + (bx - ax) / reach * distance))
    return line


def chains(links: Iterable[tuple[_Node, _Node]]) -> list[list[_Node]]:
    """Links joined end to end into the longest chains that do not cross a fork.

    A ring comes with its first node repeated at the end.
    """
    pairs = list(dict.fromkeys(links))
    at: dict[_Node, list[int]] = defaultdict(list)
    for i, (a, b) in enumerate(pairs):
        at[a].append(i)
        at[b].append(i)
    free = [True] * len(pairs)

    def walk(node: _Node) -> list[_Node]:
        chain = [node]
        while True:
            link = next((i for i in at[chain[-1]] if free[i]), -1)
            if link < 0:
                return chain
            free[link] = False
            a, b = pairs[link]
            chain.append(b if a == chain[-1] else a)
            if len(at[chain[-1]]) != 2:
                return chain

    # From forks and loose ends first; what is left over is rings.
    starts = [node for node in at for _ in at[node] if len(at[node]) != 2]
    found = [walk(node) for node in [*starts, *at]]
    return [chain for chain in found if len(chain) > 1]


def loops(steps: dict[_Node, _Node]) -> list[list[_Node]]:
    """The rings of a walk that gives each node its next one."""
    left = dict(steps)
    found: list[list[_Node]] = []
    while left:
        first = next(iter(left))
        ring = [first]
        node = left.pop(first)
        while node != first:
            ring.append(node)
            node = left.pop(node)
        found.append(ring)
    return found


def area(points: Sequence[Point]) -> float:
    """The area inside a ring; negative if it goes round against the clock on a page."""
    pairs = zip(points, (*points[1:], points[0]))
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in pairs) / 2
