"""Contours: the outlines of all that is higher than a given height."""

from __future__ import annotations

from typing import TypeAlias

from .curves import PathText, Point, area, loops, rounded
from .page import RADIUS
from .relief import Heights

_Crossing: TypeAlias = tuple[int, int, bool]
"""Where a contour crosses the grid: from a point to its right, or (True) to the one below."""

SMALLEST = (0.35 * RADIUS) ** 2
# For the four corners of a square (top left 1, top right 2, bottom right 4, bottom left 8, added
# where high): the sides that the contour enters and leaves by, high ground on its right.
_TOP, _RIGHT, _BOTTOM, _LEFT = range(4)
_TURNS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((_TOP, _LEFT),),
    2: ((_RIGHT, _TOP),),
    3: ((_RIGHT, _LEFT),),
    4: ((_BOTTOM, _RIGHT),),
    5: ((_TOP, _LEFT), (_BOTTOM, _RIGHT)),
    6: ((_BOTTOM, _TOP),),
    7: ((_BOTTOM, _LEFT),),
    8: ((_LEFT, _BOTTOM),),
    9: ((_TOP, _BOTTOM),),
    10: ((_RIGHT, _TOP), (_LEFT, _BOTTOM)),
    11: ((_RIGHT, _BOTTOM),),
    12: ((_LEFT, _RIGHT),),
    13: ((_TOP, _RIGHT),),
    14: ((_LEFT, _TOP),),
}


def higher_than(heights: Heights, level: float, smallest: float = SMALLEST) -> str:
    """The path around all ground higher than a level; empty if there is none.

    Ground beyond the grid counts as low, so that every contour closes. What is smaller than an area
    is left out.
    """
    rings = loops(_steps(heights, level))
    path = PathText()
    for ring in rings:
        points = _thinned([_point(heights, level, crossing) for crossing in ring])
        if len(points) > 3 and abs(area(points)) > smallest:
            rounded(points, path, closed=True)
    return str(path)


def _steps(heights: Heights, level: float) -> dict[_Crossing, _Crossing]:
    steps: dict[_Crossing, _Crossing] = {}
    width = len(heights.rows[0])
    above = [False] * (width + 2)
    low = [False] * width
    for i, row in enumerate([*heights.rows, None]):
        high = low if row is None else [height > level for height in row]
        below = [False, *high, False]
        if any(above) or any(below):
            for j in range(width + 1):
                corners = above[j] + 2 * above[j + 1] + 4 * below[j + 1] + 8 * below[j]
                if 0 < corners < 15:
                    crossings = (
                        (i - 1, j - 1, False),
                        (i - 1, j, True),
                        (i, j - 1, False),
                        (i - 1, j - 1, True),
                    )
                    for enter, leave in _TURNS[corners]:
                        steps[crossings[enter]] = crossings[leave]
        above = below
    return steps


def _point(heights: Heights, level: float, crossing: _Crossing) -> Point:
    row, column, down = crossing
    here = _height(heights, row, column)
    there = _height(heights, row + down, column + (not down))
    if here is None or there is None:
        t = 0.5
    else:
        t = (level - here) / (there - here)
    return heights.point(row + t, column) if down else heights.point(row, column + t)


def _height(heights: Heights, row: int, column: int) -> float | None:
    if 0 <= row < len(heights.rows) and 0 <= column < len(heights.rows[0]):
        return heights.rows[row][column]
    return None


def _thinned(points: list[Point]) -> list[Point]:
    """The points without those that lie next to the one before."""
    near = (0.22 * RADIUS) ** 2
    kept = [points[0]]
    for point in points[1:]:
        x, y = kept[-1]
        if (point[0] - x) ** 2 + (point[1] - y) ** 2 > near:
            kept.append(point)
    return kept
