"""Lines of the data on the page: rivers in order from source to mouth, roads in pieces."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from itertools import combinations, pairwise

import numpy as np

from apennine.hexes import Hex, Lattice

from .calibration import Calibration
from .geodata import Way
from .recipe import Point
from .spatial import Floats, Nearness, densified, length_of

STEP = 0.05
"""How far apart the points of a line are, in units from the centre of a hex to its corner."""


def on_page(calibration: Calibration, way: Way) -> list[Floats]:
    """The pieces of a way on the page, with points close to each other."""
    return [densified(calibration.to_page(piece[:, 1], piece[:, 0]), STEP) for piece in way.pieces]


def drawn(calibration: Calibration, points: Sequence[Point]) -> Floats:
    """A line drawn by hand, on the page."""
    degrees = np.array(points, dtype=np.float64)
    return densified(calibration.to_page(degrees[:, 0], degrees[:, 1]), STEP)


def apart(pieces: Sequence[Floats], gap: float) -> list[list[Floats]]:
    """Pieces sorted into groups that are further from each other than a gap, the longest first."""
    clouds = [Nearness(piece) for piece in pieces]
    groups: list[list[int]] = []
    for i, piece in enumerate(pieces):
        near = [
            group
            for group in groups
            if any(float(clouds[j].distance(piece).min()) <= gap for j in group)
        ]
        groups = [group for group in groups if group not in near]
        groups.append([j for group in near for j in group] + [i])
    found = [[pieces[i] for i in sorted(group)] for group in groups]
    return sorted(found, key=lambda group: -sum(map(length_of, group)))


def main_stem(pieces: Sequence[Floats]) -> Floats:
    """One line from end to end through pieces in any order, with gaps, arms and islands.

    The points are joined into a tree by the shortest links, those along the pieces first; the
    stem is the longest way through the tree.
    """
    thinned = [_thinned(piece) for piece in pieces]
    points = np.vstack(thinned)
    links: list[tuple[float, int, int]] = []
    ends: list[int] = []
    first = 0
    for piece in thinned:
        links += [
            (0.5 * float(np.hypot(*(points[i + 1] - points[i]))), i, i + 1)
            for i in range(first, first + len(piece) - 1)
        ]
        ends += [first, first + len(piece) - 1]
        first += len(piece)
    links += _bridges(points, ends)
    tree = _tree(len(points), sorted(links))
    return points[_far(tree, points, _far(tree, points, 0)[-1])]


def _thinned(line: Floats) -> Floats:
    """A line with a point every two steps or so."""
    keep = [0]
    gone = 0.0
    for i in range(1, len(line)):
        gone += float(np.hypot(*(line[i] - line[i - 1])))
        if gone >= 2 * STEP or i == len(line) - 1:
            keep.append(i)
            gone = 0.0
    return line[keep]


def _bridges(points: Floats, ends: Sequence[int]) -> list[tuple[float, int, int]]:
    """Links between points near each other, whichever pieces they are on, and between all ends."""
    pairs = Nearness(points).pairs(4 * STEP) + list(combinations(ends, 2))
    return [(float(np.hypot(*(points[i] - points[j]))), i, j) for i, j in pairs]


def _tree(count: int, links: Sequence[tuple[float, int, int]]) -> list[list[int]]:
    """The spanning tree of the shortest links (a forest, if they do not join all)."""
    root = list(range(count))

    def find(i: int) -> int:
        while root[i] != i:
            root[i] = root[root[i]]
            i = root[i]
        return i

    tree: list[list[int]] = [[] for _ in range(count)]
    for _, i, j in links:
        a, b = find(i), find(j)
        if a != b:
            root[a] = b
            tree[i].append(j)
            tree[j].append(i)
    return tree


def _far(tree: list[list[int]], points: Floats, start: int) -> list[int]:
    """The way to the point furthest away in the tree."""
    came = {start: -1}
    best, far = start, 0.0
    queue = [(0.0, start)]
    while queue:
        gone, i = heapq.heappop(queue)
        if gone > far:
            best, far = i, gone
        for j in tree[i]:
            if j not in came:
                came[j] = i
                heapq.heappush(queue, (gone + float(np.hypot(*(points[j] - points[i]))), j))
    way = [best]
    while came[way[-1]] >= 0:
        way.append(came[way[-1]])
    return way[::-1]


def hexes_under(lattice: Lattice, line: Floats) -> list[Hex]:
    """The hexes of the map that a line passes, in order, -1 where it is off the map."""
    passed: list[Hex] = []
    for x, y in line.tolist():
        hex = lattice.hex_at(x, y)
        if not passed or passed[-1] != hex:
            passed.append(hex)
    return passed


def steps_under(lattice: Lattice, lines: Sequence[Floats]) -> set[tuple[Hex, Hex]]:
    """The steps from hex to hex that lines make, in both directions."""
    steps: set[tuple[Hex, Hex]] = set()
    for line in lines:
        for a, b in pairwise(hexes_under(lattice, line)):
            if a >= 0 and b >= 0:
                steps |= {(a, b), (b, a)}
    return steps


def stretches(line: Floats, length: float) -> list[Floats]:
    """A line cut into stretches of about this length, each beginning where the last one ends."""
    gone = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    count = max(1, round(float(gone[-1]) / length))
    goals = [float(gone[-1]) * i / count for i in range(count)]
    cuts = [int(i) for i in np.searchsorted(gone, goals)] + [len(line) - 1]
    return [line[a : b + 1] for a, b in pairwise(cuts) if b > a]


def inside(lattice: Lattice, line: Floats) -> list[tuple[int, int]]:
    """The stretches of a line that lie on the map, as first and last index of their points.

    Stretches shorter than a hexside, at a corner of the map, are left out.
    """
    on = [lattice.hex_at(x, y) >= 0 for x, y in line.tolist()]
    found: list[tuple[int, int]] = []
    start = -1
    for i, here in enumerate([*on, False]):
        if here and start < 0:
            start = i
        elif not here and start >= 0:
            if length_of(line[start:i]) >= 1.0:
                found.append((start, i - 1))
            start = -1
    return found
