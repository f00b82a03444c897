"""Where things lie on the page: hexes, corners and the cells around the map."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from math import sqrt
from typing import TypeAlias

from apennine.board import Board
from apennine.hexes import Edge, Hex, Mask, bits

from .curves import Point, loops, middle

Cell: TypeAlias = tuple[int, int]
"""A place for a hex, on the map or off it: which line, and how many half steps along it.

A line is a column of a map of columns and a row of a map of rows; the parity of both numbers is
the same.
"""

Node: TypeAlias = tuple[int, int]
"""A centre or corner in whole numbers, so that hexes that share a corner agree on it."""

RADIUS = 24.0
"""From the centre of a hex to its corner, in the units of the drawing."""

_HALF = RADIUS / 2
_HEIGHT = RADIUS * sqrt(3.0) / 2
_MARGIN = 0.7 * RADIUS

# In the order of the hex's directions, which count clockwise from the top.
_FLAT_STEPS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
_POINTY_STEPS = ((-1, 1), (0, 2), (1, 1), (1, -1), (0, -2), (-1, -1))
_FLAT_CORNERS = ((-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0))
_POINTY_CORNERS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))


class Page:
    """The frame of a map and the cells in it, in units of which a hex has `RADIUS`.

    The top left of the frame is (0, 0). The frame is a little wider than the map; the cells in it
    that are not on the map follow the hex next to them, so that coasts go on to the frame.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.lattice = board.lattice
        self.flat = self.lattice.flat
        self.steps = _FLAT_STEPS if self.flat else _POINTY_STEPS
        self._corners = _FLAT_CORNERS if self.flat else _POINTY_CORNERS
        self._unit = (_HALF, _HEIGHT) if self.flat else (_HEIGHT, _HALF)
        self.cell_of = {hex: self._cell(hex) for hex in self.lattice}
        self.hex_at = {cell: hex for hex, cell in self.cell_of.items()}
        nodes = [node for cell in self.hex_at for node in self.corners(cell)]
        left, top = min(x for x, _ in nodes), min(y for _, y in nodes)
        right, bottom = max(x for x, _ in nodes), max(y for _, y in nodes)
        self._origin = left, top
        self.width = (right - left) * self._unit[0] + 2 * _MARGIN
        self.height = (bottom - top) * self._unit[1] + 2 * _MARGIN
        # Enough cells to reach beyond the frame on every side.
        lines = [line for line, _ in self.hex_at]
        halves = [half for _, half in self.hex_at]
        self.lines = range(min(lines) - 2, max(lines) + 3)
        self.halves = range(min(halves) - 4, max(halves) + 5)
        self.nearest = self._nearest()

    def _cell(self, hex: Hex) -> Cell:
        q, r = self.lattice.axial(hex)
        return (q, 2 * r + q) if self.flat else (r, 2 * q + r)

    def _nearest(self) -> dict[Cell, Hex]:
        """For every cell in the frame the hex itself, or else the one nearest to it."""
        nearest = dict(self.hex_at)
        queue = deque(sorted(nearest))
        while queue:
            cell = queue.popleft()
            for other in self.around(cell):
                if other not in nearest and other[0] in self.lines and other[1] in self.halves:
                    nearest[other] = nearest[cell]
                    queue.append(other)
        return nearest

    def around(self, cell: Cell) -> Iterator[Cell]:
        """The six cells next to one, in the order of directions."""
        line, half = cell
        return ((line + dl, half + dh) for dl, dh in self.steps)

    def node(self, cell: Cell) -> Node:
        """The centre of a cell."""
        line, half = cell
        return (3 * line, half) if self.flat else (half, 3 * line)

    def corners(self, cell: Cell) -> list[Node]:
        """The corners of a cell; side *d* runs from corner *d* to corner *d* + 1."""
        x, y = self.node(cell)
        return [(x + dx, y + dy) for dx, dy in self._corners]

    def at(self, node: Node) -> Point:
        """Where a node lies on the page."""
        return (
            (node[0] - self._origin[0]) * self._unit[0] + _MARGIN,
            (node[1] - self._origin[1]) * self._unit[1] + _MARGIN,
        )

    def centre(self, hex: Hex) -> Point:
        """The centre of a hex."""
        return self.at(self.node(self.cell_of[hex]))

    def centre_of(self, hexes: Mask) -> Point:
        """The middle of some hexes."""
        points = [self.centre(hex) for hex in bits(hexes)]
        return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)

    def side(self, hex: Hex, d: int) -> tuple[Node, Node]:
        """The two corners of a side."""
        corners = self.corners(self.cell_of[hex])
        return corners[d], corners[(d + 1) % 6]

    def side_middle(self, hex: Hex, d: int) -> Point:
        """The middle of a side."""
        a, b = self.side(hex, d)
        return middle(self.at(a), self.at(b))

    def edge_of(self, edge: Edge) -> tuple[Hex, int]:
        """A hex at a hexside, and the direction in which the side lies from it."""
        hex, d = divmod(edge, 3)
        return (hex, d) if hex in self.lattice else (hex + self.lattice.steps[d], d + 3)

    def edge_nodes(self, edge: Edge) -> tuple[Node, Node]:
        """The two corners of a hexside."""
        return self.side(*self.edge_of(edge))

    def outline(self, hex: Hex) -> list[Point]:
        """The corners of a hex on the page."""
        return [self.at(node) for node in self.corners(self.cell_of[hex])]

    def beyond(self, hex: Hex, d: int, share: float = 0.5) -> Point:
        """A point outside a side: `share` of the way from the side to the next cell's centre."""
        x, y = self.centre(hex)
        mx, my = self.side_middle(hex, d)
        return mx + (mx - x) * share, my + (my - y) * share

    def rings(self, cells: Iterable[Cell]) -> list[list[Node]]:
        """The corners around a set of cells, ring by ring."""
        inside = set(cells)
        steps: dict[Node, Node] = {}
        for cell in sorted(inside):
            corners = self.corners(cell)
            for d, other in enumerate(self.around(cell)):
                if other not in inside:
                    steps[corners[d]] = corners[(d + 1) % 6]
        return loops(steps)

    def cells_where(self, holds: Callable[[Hex], bool]) -> set[Cell]:
        """The cells in the frame whose hex, or nearest hex, is as wanted."""
        return {cell for cell, hex in self.nearest.items() if holds(hex)}

    def cells(self, hexes: Mask) -> set[Cell]:
        """The cells of some hexes."""
        return {self.cell_of[hex] for hex in bits(hexes)}

    def cell_under(self, point: Point) -> Cell:
        """The cell under a point of the page."""
        x = (point[0] - _MARGIN) / self._unit[0] + self._origin[0]
        y = (point[1] - _MARGIN) / self._unit[1] + self._origin[1]
        across, along = (x / 3, y) if self.flat else (y / 3, x)
        line, half = round(across), round(along)
        # The nearest centre is among the cells around the nearest line and half step.
        near = [
            (line + dl, half + dh)
            for dl in (-1, 0, 1)
            for dh in (-1, 0, 1)
            if (line + dl + half + dh) % 2 == 0
        ]
        return min(near, key=lambda cell: _apart(self.at(self.node(cell)), point))


def _apart(a: Point, b: Point) -> float:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2
