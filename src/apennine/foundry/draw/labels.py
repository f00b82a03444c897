"""Names placed clear of each other.

Every label tries places around its point, the best first, and takes the one that costs least:
overlapping another label or a sign is out of the question, crossing a coast, a road or a hex
number is bad, and the upper right is better than the lower left.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import cos, pi, sin
from typing import Literal, NamedTuple

from .curves import Point, Station, length, stations
from .page import RADIUS, Page

Anchor = Literal["start", "middle", "end"]

# Widths of letters in thousandths of the height of the type: those of DejaVu Sans, which is wider
# than most, so that another typeface keeps inside the boxes too.
_WIDTHS = {
    letter: width
    for width, letters in (
        (278, "ijlì'"),
        (330, "IJ .,·/:;|Ì"),
        (361, "-f"),
        (400, "()[]t!"),
        (411, "r"),
        (525, "sz"),
        (557, "cL?"),
        (600, "kvxyPF"),
        (615, "aeoàèéòöTYE"),
        (636, "hnubdgpqSùü0123456789È"),
        (690, "KAVXZBRCÀ"),
        (760, "UNHDÙ"),
        (787, "GOQÒ&"),
        (818, "w+="),
        (863, "M"),
        (980, "mW%@"),
    )
    for letter in letters
}
_CONDENSED = 0.9
_BOLD = 1.13
_CELL = 2 * RADIUS


class Box(NamedTuple):
    """A rectangle that something takes up."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        """Whether two rectangles overlap."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )


class Spot(NamedTuple):
    """Where a label goes: the point of its text and which part of the text is there."""

    point: Point
    anchor: Anchor
    box: Box


class Stretch(NamedTuple):
    """Where a label goes that follows a line, and how far below the line its letters stand."""

    line: list[Point]
    foot: float


def text_width(words: str, size: float, *, bold: bool = False, spacing: float = 0.0) -> float:
    """The width of condensed text, a little on the safe side.

    >>> text_width("Cassino", 10) < text_width("Cassino", 10, bold=True) < 60
    True
    """
    width = sum(_WIDTHS.get(letter, 700) for letter in words) * size / 1000
    return width * _CONDENSED * (_BOLD if bold else 1) + spacing * len(words)


class Labels:
    """What is on the page already, and where there is room for one more label."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.frame = Box(0, 0, page.width, page.height)
        self._taken: dict[tuple[int, int], list[Box]] = defaultdict(list)
        self._lines: dict[tuple[int, int], list[Point]] = defaultdict(list)
        self._numbers: dict[tuple[int, int], list[Box]] = defaultdict(list)
        self._water: set[tuple[int, int]] = set()

    def take(self, box: Box) -> None:
        """Keep labels off a rectangle."""
        for cell in _cells(box):
            self._taken[cell].append(box)

    def mind(self, points: Iterable[Point]) -> None:
        """Keep labels off a line if it can be helped."""
        for x, y in points:
            self._lines[int(x // _CELL), int(y // _CELL)].append((x, y))

    def mind_number(self, box: Box) -> None:
        """Keep labels off a hex number if it can be helped."""
        for cell in _cells(box):
            self._numbers[cell].append(box)

    def flood(self, cells: Iterable[tuple[int, int]]) -> None:
        """Say which cells are water."""
        self._water.update(cells)

    def is_free(self, box: Box) -> bool:
        """Whether nothing is in the way."""
        inside = (
            box.left >= self.frame.left
            and box.top >= self.frame.top
            and box.right <= self.frame.right
            and box.bottom <= self.frame.bottom
        )
        return inside and not any(
            box.meets(other) for cell in _cells(box) for other in self._taken.get(cell, ())
        )

    def around(
        self, point: Point, width: float, height: float, gap: float, *, spread: float = 0.0
    ) -> Spot | None:
        """The best free place for a label around a point, and take it; None if there is none.

        `gap` is the radius of the sign at the point, `spread` how much further away the label may
        go if it must.
        """
        best: Spot | None = None
        least = 1e9
        for cost, spot in _spots(point, width, height, gap, spread):
            if cost >= least or not self.is_free(spot.box):
                continue
            cost += self._burden(spot.box, point)
            if cost < least:
                best, least = spot, cost
        if best:
            self.take(best.box)
        return best

    def along(
        self,
        line: Sequence[Point],
        width: float,
        height: float,
        lift: float,
        *,
        most: float = 1e9,
    ) -> Stretch | None:
        """The best free stretch of a line for a label that follows it, and take it.

        `lift` is how far the label keeps from the line, above it or below; `most` is what the
        place may cost at most.
        """
        reach = length(line)
        if reach < width * 1.04:
            return None
        step = height / 2
        path = stations(line, step)
        need = int(width / step) + 2
        best: Stretch | None = None
        taken: list[Box] = []
        least = most
        for start in range(0, len(path) - need + 1, 2):
            stretch = path[start : start + need]
            bend = _bend(stretch)
            if bend > 1.9:
                continue
            if cos(stretch[need // 2].angle) < 0:
                stretch = [Station(x, y, angle + pi) for x, y, angle in reversed(stretch)]
            # The middle of the line is the best place, a straight stretch better than a bend.
            own = bend + abs(start + need / 2 - len(path) / 2) / len(path)
            # The foot of the letters is as far above the line as their head would be below it.
            for foot, worse in ((-lift, 0.0), (lift + 0.72 * height, 0.5)):
                middle = 0.36 * height - foot
                boxes = [_letter(station, height, middle) for station in stretch]
                if own + worse >= least or not all(map(self.is_free, boxes)):
                    continue
                cost = own + worse + 0.35 * sum(self._burden(box, None) for box in boxes)
                if cost < least:
                    best = Stretch([(x, y) for x, y, _ in stretch], foot)
                    taken, least = boxes, cost
        for box in taken:
            self.take(box)
        return best

    def _burden(self, box: Box, origin: Point | None) -> float:
        cost = 0.0
        for cell in _cells(box):
            for x, y in self._lines.get(cell, ()):
                if box.left < x < box.right and box.top < y < box.bottom:
                    cost += 0.16
        numbers = {
            other
            for cell in _cells(box)
            for other in self._numbers.get(cell, ())
            if box.meets(other)
        }
        cost += 0.8 * len(numbers)
        if origin is not None:
            wet = self._wetness(box)
            # All in the water or all on land, but not half and half; better on the water, if the
            # place lies at the coast.
            cost += 6.0 * min(wet, 1 - wet) - 0.8 * (wet > 0.95)
        return cost

    def _wetness(self, box: Box) -> float:
        steps = max(2, round((box.right - box.left) / (0.5 * RADIUS)))
        y = (box.top + box.bottom) / 2
        wet = sum(
            self.page.cell_under((box.left + (box.right - box.left) * i / steps, y)) in self._water
            for i in range(steps + 1)
        )
        return wet / (steps + 1)


def _cells(box: Box) -> Iterator[tuple[int, int]]:
    for i in range(int(box.left // _CELL), int(box.right // _CELL) + 1):
        for j in range(int(box.top // _CELL), int(box.bottom // _CELL) + 1):
            yield i, j


def _spots(
    point: Point, width: float, height: float, gap: float, spread: float
) -> Iterator[tuple[float, Spot]]:
    """Places around a point with what each costs by itself, nearest first."""
    x, y = point
    rings = [(0.0, 0.0)]
    while rings[-1][0] < spread:
        rings.append((rings[-1][0] + height / 2, rings[-1][1] + 1.6))
    for further, far in rings:
        g = gap + further
        slant = 0.72 * g
        # Right, left, above, below and the four corners: the offset of the box's nearest point.
        yield far + 0.0, _spot(x + g, y, "start", 0, width, height)
        yield far + 0.3, _spot(x + slant, y - slant, "start", 1, width, height)
        yield far + 0.4, _spot(x + slant, y + slant, "start", -1, width, height)
        yield far + 0.6, _spot(x - g, y, "end", 0, width, height)
        yield far + 0.7, _spot(x - slant, y - slant, "end", 1, width, height)
        yield far + 0.8, _spot(x - slant, y + slant, "end", -1, width, height)
        yield far + 0.5, _spot(x, y + g, "middle", -1, width, height)
        yield far + 0.6, _spot(x, y - g, "middle", 1, width, height)


def _spot(x: float, y: float, anchor: Anchor, above: int, width: float, height: float) -> Spot:
    left = {"start": x, "middle": x - width / 2, "end": x - width}[anchor]
    top = y - height / 2 - above * height / 2
    box = Box(left, top, left + width, top + height)
    # The foot of the letters is about a quarter above the bottom of the box.
    return Spot((x, box.bottom - 0.25 * height), anchor, box)


def _letter(station: Station, height: float, above: float) -> Box:
    """The room of one letter whose middle is so far above a line."""
    x, y, angle = station
    x, y = x + sin(angle) * above, y - cos(angle) * above
    half = 0.5 * height
    return Box(x - half, y - half, x + half, y + half)


def _bend(stretch: Sequence[Station]) -> float:
    """How much a line turns in all, in radians."""
    turn = 0.0
    for a, b in pairwise(stretch):
        turn += abs((b.angle - a.angle + pi) % (2 * pi) - pi)
    return turn
