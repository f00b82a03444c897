"""The ground of a map whose hexsides all have a terrain of their own.

On such a map no terrain in a hex costs anything: what counts lies on the side that is crossed. So
the ground is tinted from side to side and not from hex to hex, and the middle of every side shows
what it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TypeAlias

from apennine.hexes import Edge, Hex, bits

from . import words
from .contours import higher_than
from .curves import number
from .page import RADIUS, Cell, Page
from .relief import Grid, Heights, finer, placed
from .sheet import Sheet, path

_OfHex: TypeAlias = Mapping[Hex, float]
_OfSide: TypeAlias = Mapping[tuple[Hex, int], float]

RULES = """
    .tint-1{fill:$rough;fill-opacity:.26}
    .tint-2{fill:$rough;fill-opacity:.42}
    .tint-3{fill:$mountain;fill-opacity:.3}
    .tint-4{fill:$alpine;fill-opacity:.5}
    .tint-marsh{fill:$marsh;fill-opacity:.6}
    """

KINDS: tuple[words.Side, ...] = ("clear", "rough", "mountain", "alpine", "marsh")
"""Kinds of hexsides that are ground."""
_LEVELS = (0.25, 0.75, 1.25, 1.75)
"""The tints begin where the ground, 0 in the plain and 2 in the heights, is worse than this."""
_STANDS_OUT = 0.75
_SMALLEST = (0.15 * RADIUS) ** 2
"""A single side may be a pass, so that small patches count."""


def side_tints(sheet: Sheet) -> list[str]:
    """The tints, the lightest first."""
    page, board = sheet.page, sheet.board
    names = [name for name in board.sides if words.side(name) in KINDS]
    worse = {name: _level(name) for name in names}
    drawn: list[str] = []
    ground = _tinted(page, worse)
    for i, level in enumerate(_LEVELS, 1):
        drawn.append(
            path(higher_than(ground, level, _SMALLEST), f"tint-{i}", ' fill-rule="evenodd"')
        )
    marsh = {name: 1.0 if words.side(name) == "marsh" else 0.0 for name in names}
    wet = higher_than(_tinted(page, marsh), 0.5)
    drawn.append(path(wet, "tint-marsh", ' fill-rule="evenodd"'))
    for name in sorted(names, key=lambda name: worse[name]):
        sheet.explain("Hexsides", words.heading(name), partial(_sample, worse[name], name))
    return drawn


def _level(name: str) -> float:
    """How bad the ground of a side is, by all the words of its name: "plain-rough" is 0.5."""
    heights = {"clear": 0.0, "rough": 1.0, "mountain": 1.5, "alpine": 2.0, "marsh": 0.0}
    found = [heights[kind] for part in name.split("-") if (kind := words.side(part)) in heights]
    return sum(found) / len(found)


def standing_out(page: Page) -> list[Edge]:
    """The sides that are much worse than the ground around them, so that no tint shows them."""
    names = [name for name in page.board.sides if words.side(name) in KINDS]
    of_hex, of_side = _ground(page, {name: _level(name) for name in names})
    lattice, found = page.lattice, list[Edge]()
    for (hex, d), level in of_side.items():
        other = lattice.neighbour(hex, d)
        if d < 3 and other >= 0 and level - (of_hex[hex] + of_hex[other]) / 2 >= _STANDS_OUT:
            found.append(lattice.edge(hex, d))
    return found


def _tinted(page: Page, levels: Mapping[str, float]) -> Heights:
    """A fine grid of levels, with those of the sides in the middle of each."""
    return placed(page, finer(_grid(page, *_ground(page, levels))), 4, 4)


def _ground(page: Page, levels: Mapping[str, float]) -> tuple[_OfHex, _OfSide]:
    """The level of every side, and in the middle of a hex the mean of its sides."""
    of_side: dict[tuple[Hex, int], float] = {}
    for name, level in levels.items():
        for d, hexes in enumerate(page.board.sides[name]):
            of_side |= {(hex, d): level for hex in bits(hexes)}
    of_hex: dict[Hex, float] = {}
    for hex in page.lattice:
        around = [of_side[hex, d] for d in range(6) if (hex, d) in of_side]
        of_hex[hex] = sum(around) / len(around) if around else 0.0
    return of_hex, of_side


def _grid(page: Page, of_hex: _OfHex, of_side: _OfSide) -> Grid:
    """Two rows a line and two columns a half step: centres and the middles of sides fill half.

    They lie like the squares of one colour on a chessboard; the others are means of the four
    around them.
    """
    known: dict[tuple[int, int], float] = {}
    for cell, hex in page.nearest.items():
        i, j = _at(page, cell)
        known[i, j] = of_hex[hex]
        for d, (dl, dh) in enumerate(page.steps):
            level = of_side.get((hex, d)) if page.hex_at.get(cell) == hex else None
            if level is not None:
                known[i + dl, j + dh] = level
            else:
                known.setdefault((i + dl, j + dh), of_hex[hex])
    rows, columns = 2 * len(page.lines) - 1, 2 * len(page.halves) - 1
    return [[_mean(known, i, j) for j in range(columns)] for i in range(rows)]


def _at(page: Page, cell: Cell) -> tuple[int, int]:
    return 2 * (cell[0] - page.lines[0]), 2 * (cell[1] - page.halves[0])


def _mean(known: Mapping[tuple[int, int], float], i: int, j: int) -> float:
    if (i, j) in known:
        return known[i, j]
    around = ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1))
    near = [known[place] for place in around if place in known]
    return sum(near) / len(near) if near else 0.0


def _sample(level: float, name: str, x: float, y: float) -> str:
    box = f"M{number(x - 14)} {number(y - 6)}h28v12h-28z"
    tints = [i for i, least in enumerate(_LEVELS, 1) if level > least]
    drawn = path(box, "swatch h1") + "".join(path(box, f"tint-{i}") for i in tints)
    return drawn + (path(box, "tint-marsh") if words.side(name) == "marsh" else "")
