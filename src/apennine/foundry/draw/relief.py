"""The shape of the ground: a fine grid of heights made from one height a hex, and its shading.

Between the centres of hexes the ground is rounded off and roughened, more in mountains than in
plains, so that it looks like country and not like a quilt. The small forms are made up; the height
in the middle of every hex is the map's.
"""

from __future__ import annotations

from base64 import b64encode
from math import sqrt
from typing import NamedTuple, TypeAlias

from apennine.board import Board
from apennine.hexes import Hex, bits

from . import words
from .curves import Point, chance
from .page import RADIUS, Page
from .pictures import Colour, palette_png

Grid: TypeAlias = list[list[float]]
"""Rows of numbers, from the top of the page down."""

_STRIDE = 1.5 * RADIUS
_HALF_STEP = sqrt(3.0) / 2 * RADIUS
# Slopes steeper than this, in metres of height over the radius of a hex, always look steep; on a
# flatter map the steepest do.
_STEEP = 260.0
_SHADES = 25


class Heights(NamedTuple):
    """Heights in metres at the points of a grid: its top left and the steps between points."""

    rows: Grid
    left: float
    top: float
    dx: float
    dy: float

    def point(self, row: float, column: float) -> Point:
        """Where a point of the grid lies on the page."""
        return self.left + column * self.dx, self.top + row * self.dy


class Relief(NamedTuple):
    """The ground in two grades: coarse for contours, fine for shading."""

    coarse: Heights
    fine: Heights


def elevations(board: Board) -> dict[Hex, float]:
    """The height of every hex: the map's number, or else what its terrain lets expect."""
    given = board.numbers.get("elevation")
    heights: dict[Hex, float] = {}
    for hex in board.lattice:
        kind = words.ground(board.terrain_of(hex))
        if kind == "sea":
            heights[hex] = 0.0
        elif given is not None:
            heights[hex] = float(given[hex])
        else:
            # No two hills are quite alike.
            q, r = board.lattice.axial(hex)
            heights[hex] = words.HEIGHTS[kind] * (1 + 0.22 * chance(q, r, 7))
    return heights


def relief(page: Page) -> Relief:
    """The shape of the ground in the whole frame."""
    heights, roughness = _grids(page)
    # One value a half step along every line, and one line in between two: nearly square.
    heights, roughness = _finer_rows(heights), _finer_rows(roughness)
    heights, roughness = finer(heights), finer(roughness)
    _raise_ridges(page, heights)
    _roughen(heights, roughness, 0.85, 1)
    coarse = placed(page, heights, 4, 2)
    heights, roughness = finer(heights), finer(roughness)
    _roughen(heights, roughness, 0.28, 2)
    return Relief(coarse, placed(page, heights, 8, 4))


def _grids(page: Page) -> tuple[Grid, Grid]:
    """Height and roughness by line and half step along it."""
    board = page.board
    heights = elevations(board)
    rough = {hex: _roughness(page, hex, heights) for hex in board.lattice}
    return _filled(page, heights), _filled(page, rough)


def _roughness(page: Page, hex: Hex, heights: dict[Hex, float]) -> float:
    kind = words.ground(page.board.terrain_of(hex))
    if kind in ("sea", "lake", "marsh"):
        return 0.0
    around = [abs(heights[hex] - heights[other]) for other in page.lattice.neighbours(hex)]
    steepness = sum(around) / len(around) if around else 0.0
    return words.ROUGHNESS.get(kind, 3.0) + 0.1 * min(steepness, 600.0)


def _filled(page: Page, values: dict[Hex, float]) -> Grid:
    """The values of cells, and between two cells of a line the mean of the four around."""
    lines, halves = page.lines, page.halves
    known = {cell: values[hex] for cell, hex in page.nearest.items()}

    def at(line: int, half: int) -> float:
        value = known.get((line, half))
        if value is not None:
            return value
        pairs = (((0, -1), 3), ((0, 1), 3), ((-1, 0), 1), ((1, 0), 1))
        near = [
            (known[line + dl, half + dh], weight)
            for (dl, dh), weight in pairs
            if (line + dl, half + dh) in known
        ]
        return sum(v * weight for v, weight in near) / sum(weight for _, weight in near)

    return [[at(line, half) for half in halves] for line in lines]


def finer(grid: Grid) -> Grid:
    """A grid with smoothly interpolated values between those that it has."""
    return _finer_rows([_finer_row(row) for row in grid])


def _finer_row(row: list[float]) -> list[float]:
    """A row with a smoothly interpolated value between every two."""
    before = [row[0], *row]
    after = [*row[1:], row[-1], row[-1]]
    fine = [0.0] * (2 * len(row) - 1)
    fine[::2] = row
    fine[1::2] = [
        0.5625 * (b + c) - 0.0625 * (a + d) for a, b, c, d in zip(before, row, row[1:], after[1:])
    ]
    return fine


def _finer_rows(grid: Grid) -> Grid:
    """A grid with a smoothly interpolated row between every two."""
    fine: Grid = []
    last = len(grid) - 1
    for i, row in enumerate(grid):
        fine.append(row)
        if i < last:
            a, b, c, d = grid[max(i - 1, 0)], row, grid[i + 1], grid[min(i + 2, last)]
            fine.append([0.5625 * (q + r) - 0.0625 * (p + s) for p, q, r, s in zip(a, b, c, d)])
    return fine


def _roughen(heights: Grid, roughness: Grid, share: float, salt: int) -> None:
    """Move what lies between the known heights a little up and down."""
    for i, (row, rough) in enumerate(zip(heights, roughness)):
        for j, r in enumerate(rough):
            if r > 1.0 and (i & 1 or j & 1):
                row[j] += r * share * chance(i, j, salt)


def _raise_ridges(page: Page, grid: Grid) -> None:
    """Where mountains are on hexsides the ground rises towards them."""
    if words.have_ground(page.board.sides):
        return
    lift: dict[tuple[int, int], float] = {}
    for name, sides in page.board.sides.items():
        rise = {"mountain": 520.0, "alpine": 620.0, "rough": 160.0}.get(words.side(name))
        if rise is None:
            continue
        for d in range(3):
            for hex in bits(sides[d]):
                _lift_side(page, hex, d, rise, lift)
    for (i, j), rise in lift.items():
        if 0 <= i < len(grid) and 0 <= j < len(grid[0]):
            grid[i][j] += rise


def _lift_side(
    page: Page, hex: Hex, d: int, rise: float, lift: dict[tuple[int, int], float]
) -> None:
    line, half = page.cell_of[hex]
    dl, dh = page.steps[d]
    # In steps of the grid: four to a line and two to a half step.
    across, along = (line - page.lines[0]) * 4 + 2 * dl, (half - page.halves[0]) * 2 + dh
    for i in range(across - 3, across + 4):
        for j in range(along - 3, along + 4):
            # The ridge runs square to the way from centre to centre.
            x, y = (i - across) * 0.375, (j - along) * 0.433
            ux, uy = dl * 1.5, dh * 0.866
            reach = sqrt(ux * ux + uy * uy)
            off, on = abs(x * ux + y * uy) / reach, abs(x * uy - y * ux) / reach
            height = rise * max(0.0, 1 - off / 0.62) * min(1.0, max(0.0, 1.5 - on / 0.5))
            if height > lift.get((i, j), 0.0):
                lift[i, j] = height


def placed(page: Page, grid: Grid, per_line: int, per_half: int) -> Heights:
    """A grid of lines turned into rows of the page."""
    x, y = page.at(page.node((page.lines[0], page.halves[0])))
    across, along = _STRIDE / per_line, _HALF_STEP / per_half
    if page.flat:
        return Heights([list(row) for row in zip(*grid)], x, y, across, along)
    return Heights(grid, x, y, along, across)


def shading(heights: Heights) -> tuple[int, bytes]:
    """Light from the top left: the width of the grid, and one byte for each of its points.

    The byte counts from 0, the deepest shadow, over `_SHADES` // 2, level ground, to the
    brightest light.
    """
    rows, dx, dy = heights.rows, heights.dx / RADIUS, heights.dy / RADIUS
    slopes: list[tuple[list[float], list[float]]] = []
    steepest: list[float] = []
    last = len(rows) - 1
    for i, row in enumerate(rows):
        above, below = rows[max(i - 1, 0)], rows[min(i + 1, last)]
        down = [(b - a) / (2 * dy) for a, b in zip(above, below)]
        right = [(b - a) / (2 * dx) for a, b in zip([row[0], *row], [*row[1:], row[-1]])]
        slopes.append((right, down))
        steepest += [g * g + h * h for g, h in zip(right[::3], down[::3])]
    steepest.sort()
    # The slope that only a few are steeper than, so that one cliff does not flatten the rest.
    steep = max(sqrt(steepest[int(0.93 * len(steepest))]), _STEEP)
    level, half = sqrt(0.5), _SHADES // 2
    shades = bytearray()
    for right, down in slopes:
        for g, h in zip(right, down):
            if -4 < g < 4 and -4 < h < 4:
                shades.append(half)
                continue
            g, h = g / steep, h / steep
            light = (0.5 * (g + h) + level) / sqrt(1 + g * g + h * h) - level
            shade = half + (light * 1.25 if light < 0 else light * 2.6) * half
            shades.append(max(0, min(_SHADES - 1, round(shade))))
    return len(rows[0]), bytes(shades)


def shading_picture(heights: Heights) -> str:
    """The shading as a picture to lay over the land: see-through dark and light, as a data URI."""
    width, shades = shading(heights)
    half = _SHADES // 2
    colours: list[Colour] = []
    opacity: list[int] = []
    for shade in range(_SHADES):
        depth = (shade - half) / half
        colours.append((52, 36, 22) if depth < 0 else (255, 250, 232))
        opacity.append(round(127 * abs(depth)))
    picture = palette_png(width, shades, colours, opacity)
    return "data:image/png;base64," + b64encode(picture).decode("ascii")
