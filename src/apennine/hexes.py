"""Hex maps: printed numbers, neighbours, distances, and sets of hexes as integers.

A hex is a small integer, and a set of hexes is one big integer in which bit *i* stands for
hex *i*. Such a set is called a mask: union, intersection and difference are ``|``, ``&`` and
``& ~``, and a step of the whole set in one direction is a shift.

Hexes are stored in axial coordinates, ``index = (q - q0) * stride + (r - r0)``, because there
a step in a given direction is the same shift everywhere, whichever rows or columns are staggered.
Every line of the board ends with a cell that is never on the map, and a whole line of such cells
lies before the first and after the last. A step over the edge therefore lands on a cell that is
not in `Lattice.all`, and is masked away. Indices are not dense.

>>> rome = Lattice(Numbering("columns", columns=(20, 30), rows=(15, 25), shifted="even"))
>>> tiber = rome.parse("2419"), rome.parse("2520")
>>> rome.distance(*tiber)
1
>>> print(HexSet(rome, rome.disc(tiber[0], 1)))
2319 2320 2418 2419 2420 2519 2520
"""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import cos, pi, sin, sqrt
from typing import Literal, TypeAlias, TypeVar

Hex: TypeAlias = int
"""The index of a hex: its bit in a mask. Where a function may find none, it returns -1."""

Mask: TypeAlias = int
"""A set of hexes: bit *i* is set if hex *i* is in it."""

Edge: TypeAlias = int
"""The id of a hexside. Both hexes that share a side give it the same id."""

Sides: TypeAlias = tuple[Mask, Mask, Mask, Mask, Mask, Mask]
"""A set of hexsides: for each direction, the hexes that have the feature on that side."""

Span: TypeAlias = tuple[int, int]
"""First and last of a run of printed numbers, both included."""

NO_SIDES: Sides = (0, 0, 0, 0, 0, 0)

_SQRT3 = sqrt(3.0)
_LETTERS = string.ascii_uppercase

# Clockwise, as (q, r) on a page whose y grows downward.
_FLAT = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))  # N NE SE S SW NW
_POINTY = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))  # NE E SE SW W NW

# How to halve a mask of up to 2**k bits until a byte is left: the width of the lower half and the
# bits in it, for each half to come. And where the bits of that byte are.
_HALVES = [(1 << k, (1 << (1 << k)) - 1) for k in range(19, 2, -1)]
_HALVINGS = [_HALVES[20 - k :] if k > 3 else [] for k in range(21)]
_IN_BYTE = [tuple(i for i in range(8) if byte >> i & 1) for byte in range(256)]

_T = TypeVar("_T")


class HexError(ValueError):
    """A hex number, a hexside or a numbering that does not make sense."""


def opposite(d: int) -> int:
    """The direction that leads back.

    >>> opposite(1)
    4
    """
    return (d + 3) % 6


def first_bit(mask: Mask) -> int:
    """The lowest bit of a mask, -1 if it is empty."""
    return (mask & -mask).bit_length() - 1


def bits(mask: Mask) -> Iterator[int]:
    """The bits of a mask in ascending order.

    >>> list(bits(0b10110))
    [1, 2, 4]
    """
    if mask < 0:
        raise ValueError("The complement of a mask has no last bit; intersect it with the map.")
    # From the top, because the integer then gets shorter with every bit.
    found: list[int] = []
    while mask:
        top = mask.bit_length() - 1
        found.append(top)
        mask ^= 1 << top
    return reversed(found)


FEW = 6
"""So many bits are cleared one by one more quickly than a mask is halved."""


def nth_bit(mask: Mask, k: int) -> int:
    """The bit with *k* others below it: ``list(bits(mask))[k]`` without the list.

    >>> nth_bit(0b10110, 2)
    4
    """
    if not 0 <= k < mask.bit_count():
        raise IndexError(f"bit {k} of a mask that has {mask.bit_count()}")
    if k < FEW:
        for _ in range(k):
            mask &= mask - 1
        return (mask & -mask).bit_length() - 1
    base = 0
    for width, lower in _HALVINGS[(mask.bit_length() - 1).bit_length()]:
        low = mask & lower
        below = low.bit_count()
        if k < below:
            mask = low
        else:
            k -= below
            mask >>= width
            base += width
    return base + _IN_BYTE[mask][k]


def mask_of(hexes: Iterable[Hex]) -> Mask:
    """The mask of some hexes."""
    mask = 0
    for hex in hexes:
        mask |= 1 << hex
    return mask


@dataclass(frozen=True)
class Sheet:
    """One sheet of a map printed on several: its own prefix, its own column numbers.

    Printed column *c* of this sheet is column ``c + offset`` of the whole map.
    """

    prefix: str
    columns: Span
    offset: int = 0


@dataclass(frozen=True)
class Numbering:
    """How the printed hex numbers of a map lie on the page.

    - `kind`: ``columns`` (flat-top hexes in straight columns), ``rows`` (pointy-top hexes in
      straight rows), or ``oblique`` (flat-top hexes; lettered columns crossed by numbered lines
      that slant down to the right, so that B14 lies south-east of A14).
    - `columns`, `rows`: the printed numbers of the bounding rectangle, both ends included. The
      columns of an oblique map count from 0 for A.
    - `code`: whether the column or the row is printed first; `digits`: the digits of each.
    - `shifted`: which printed columns stand half a hex further down the page (for ``rows``, which
      printed rows stand half a hex further right).
    - `columns_grow`, `rows_grow`: which way the printed numbers grow on the page.
    - `sheets`: the sheets of a map that has several. `columns` and `shifted` then speak of the
      columns of the whole map.

    An oblique numbering needs its kind, columns and rows only.

    >>> Numbering("columns", columns=(10, 55), rows=(1, 30)).cell("3117")
    (21, 6)
    """

    kind: Literal["columns", "rows", "oblique"]
    columns: Span
    rows: Span
    code: Literal["CCRR", "RRCC"] = "CCRR"
    digits: int = 2
    shifted: Literal["odd", "even"] = "odd"
    columns_grow: Literal["right", "left"] = "right"
    rows_grow: Literal["down", "up"] = "down"
    sheets: tuple[Sheet, ...] = ()

    def __post_init__(self) -> None:
        printed = [("Columns", sheet.columns) for sheet in self._all_sheets]
        for name, (first, last) in [("Rows", self.rows), ("Columns", self.columns), *printed]:
            if not 0 <= first <= last:
                raise HexError(f"{name} {first} to {last} are not a range of hex numbers.")
        if self.kind == "oblique":
            if self.sheets or self.columns[1] >= len(_LETTERS):
                raise HexError("An oblique numbering has one sheet, and columns 0 (A) to 25 (Z).")
            return
        for name, (first, last) in [("Rows", self.rows), *printed]:
            if last >= 10**self.digits:
                raise HexError(f"{name} {first} to {last} do not fit into {self.digits} digits.")
        covered = sorted(c + s.offset for s in self._all_sheets for c in _range(s.columns))
        if covered != list(_range(self.columns)):
            first, last = self.columns
            raise HexError(f"The sheets do not cover columns {first} to {last} just once each.")
        if len({sheet.prefix for sheet in self.sheets}) < len(self.sheets):
            raise HexError("Two sheets have the same prefix.")

    @property
    def flat(self) -> bool:
        """Whether the hexes stand on a flat side."""
        return self.kind != "rows"

    def cell(self, code: str) -> tuple[int, int]:
        """The axial coordinates of a printed number; (0, 0) is the top left of the rectangle.

        On an oblique map (0, 0) is A0.
        """
        sheet, column, row = self._read(code)
        spans = (("columns", column, sheet.columns), ("rows", row, self.rows))
        for name, number, (first, last) in spans:
            if not first <= number <= last:
                if self.kind == "oblique" and name == "columns":
                    first, last = _LETTERS[first], _LETTERS[last]
                raise HexError(f"{_refused(code)} its {name} run from {first} to {last}.")
        return self._axial(column + sheet.offset, row)

    def codes(self) -> dict[str, tuple[int, int]]:
        """All printed numbers of the bounding rectangle, each with its axial coordinates.

        They come column by column, in each by ascending row.
        """
        return {
            self._written(sheet, column, row): self._axial(column + sheet.offset, row)
            for sheet in sorted(self._all_sheets, key=lambda s: s.columns[0] + s.offset)
            for column in _range(sheet.columns)
            for row in _range(self.rows)
        }

    @property
    def _all_sheets(self) -> tuple[Sheet, ...]:
        return self.sheets or (Sheet("", self.columns),)

    def _axial(self, column: int, row: int) -> tuple[int, int]:
        if self.kind == "oblique":
            return column, row
        left, right = self.columns
        top, bottom = self.rows
        x = column - left if self.columns_grow == "right" else right - column
        y = row - top if self.rows_grow == "down" else bottom - row
        # The axis slants by half a hex a line, the printed lines only to and fro.
        if self.kind == "columns":
            return x, y - self._slant(x, column)
        return x - self._slant(y, row), y

    def _slant(self, line: int, number: int) -> int:
        """How many hexes the axis has slanted away at this line, which has this printed number."""
        odd = self.shifted == "odd"
        shifted = (number & 1) == odd
        # The first line's number differs from this one's by `line`, up or down.
        first_shifted = (number + line & 1) == odd
        return (line - shifted + first_shifted) // 2

    def _written(self, sheet: Sheet, column: int, row: int) -> str:
        if self.kind == "oblique":
            return f"{_LETTERS[column]}{row}"
        first, second = (column, row) if self.code == "CCRR" else (row, column)
        return f"{sheet.prefix}{first:0{self.digits}}{second:0{self.digits}}"

    def _read(self, code: str) -> tuple[Sheet, int, int]:
        """The sheet, column and row of a printed number, which need not be on the map."""
        if self.kind == "oblique":
            column, number = _LETTERS.find(code[:1]), code[1:]
            if not code or column < 0 or not _is_number(number) or str(int(number)) != number:
                raise HexError(f"{_refused(code)} its hexes are a letter and a number, as in K57.")
            return self._all_sheets[0], column, int(number)
        for sheet in self._all_sheets:
            number = code.removeprefix(sheet.prefix)
            if (
                code == sheet.prefix + number
                and len(number) == 2 * self.digits
                and _is_number(number)
            ):
                first, second = int(number[: self.digits]), int(number[self.digits :])
                column, row = (first, second) if self.code == "CCRR" else (second, first)
                return sheet, column, row
        prefixes = " or ".join(sheet.prefix for sheet in self.sheets)
        order = "column and row" if self.code == "CCRR" else "row and column"
        shape = f"{prefixes}, then {order}" if prefixes else order
        raise HexError(f"{_refused(code)} its hexes are {shape}, {self.digits} digits each.")


def _refused(code: str) -> str:
    return f"{code!r} is not a hex of this map:"


def _range(span: Span) -> range:
    return range(span[0], span[1] + 1)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal()


class _PerHex(dict[Hex, _T]):
    """What is known about each hex; asking about anything else is an error with a sentence."""

    def __missing__(self, hex: Hex) -> _T:
        raise HexError(f"{hex} is not the index of a hex of this map.")


class Lattice:
    """The hexes of one map: their numbers, where they lie, and how sets of them spread.

    `present` lists the printed numbers that are on the map; without it the map is the whole
    rectangle of the numbering. Directions count clockwise from the top: N NE SE S SW NW on
    flat-top maps, NE E SE SW W NW on pointy-top ones.

    Hexes given to a method must be hexes of this map. Masks may hold anything, so that ``~mask``
    will do for a complement; what is off the map is ignored.

    >>> cadorna = Lattice(
    ...     Numbering("rows", (1, 39), (1, 36), "RRCC", shifted="even", rows_grow="up")
    ... )
    >>> [cadorna.code(h) for h in cadorna.neighbours(cadorna.parse("1813"))]
    ['1914', '1814', '1714', '1713', '1812', '1913']
    """

    numbering: Numbering
    flat: bool
    """Whether the hexes stand on a flat side (columns) or on a corner (rows)."""
    all: Mask
    """Every hex of the map."""
    size: int
    """How many bit positions a mask may use, cells off the map included."""
    count: int
    """How many hexes the map has."""
    steps: tuple[int, int, int, int, int, int]
    """What a step in each direction adds to a hex index."""
    all_sides: Sides
    """Every side between two hexes of the map."""

    def __init__(self, numbering: Numbering, present: Iterable[str] | None = None) -> None:
        if present is not None:
            cells = {code: numbering.cell(code) for code in present}
        elif numbering.kind == "oblique":
            raise HexError("An oblique map needs the list of its hexes.")
        else:
            cells = numbering.codes()
        if not cells:
            raise HexError("A map needs at least one hex.")
        self.numbering = numbering
        self.flat = numbering.flat
        self.count = len(cells)
        self._lay_out(cells)
        self._link()

    def _lay_out(self, cells: dict[str, tuple[int, int]]) -> None:
        """Give every cell its index, with cells off the map all around."""
        columns = [q for q, _ in cells.values()]
        rows = [r for _, r in cells.values()]
        self._q0, self._r0 = min(columns), min(rows)
        self._width, self._height = max(columns) - self._q0 + 1, max(rows) - self._r0 + 1
        self._stride = stride = self._height + 1
        self.size = (self._width + 2) * stride
        indexed = sorted(
            ((q - self._q0 + 1) * stride + r - self._r0, q, r, code)
            for code, (q, r) in cells.items()
        )
        self._cells = _PerHex[tuple[int, int]]({i: (q, r) for i, q, r, _ in indexed})
        self._codes = _PerHex[str]({i: code for i, _, _, code in indexed})
        self._by_code = {code: i for i, _, _, code in indexed}
        a, b, c, d, e, f = (dq * stride + dr for dq, dr in (_FLAT if self.flat else _POINTY))
        self.steps = (a, b, c, d, e, f)
        self._directions = {step: d for d, step in enumerate(self.steps)}
        self.all = mask_of(self._cells)
        line = (1 << self._height) - 1
        # The smallest parallelogram around the map: in it no shortest path leads outside.
        self._frame = mask_of(stride * k for k in range(1, self._width + 1)) * line
        self._discs: dict[tuple[Hex, int], Mask] = {}

    def _link(self) -> None:
        """Neighbours and inner sides, worked out once."""
        self._adjacent = _PerHex[tuple[Hex, ...]]()
        self._neighbours = _PerHex[tuple[Hex, ...]]()
        for hex in self._cells:
            around = tuple(hex + step if hex + step in self._cells else -1 for step in self.steps)
            self._adjacent[hex] = around
            self._neighbours[hex] = tuple(h for h in around if h >= 0)
        a, b, c, d, e, f = (self.shift(self.all, opposite(k)) for k in range(6))
        self.all_sides = (a, b, c, d, e, f)

    def __repr__(self) -> str:
        return f"<Lattice of {self.count} hexes, {self.numbering.kind}>"

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[Hex]:
        """The hexes in ascending order."""
        return iter(self._cells)

    def __contains__(self, hex: object) -> bool:
        return hex in self._cells

    def parse(self, code: str) -> Hex:
        """The hex with this printed number."""
        hex = self._by_code.get(code, -1)
        if hex < 0:
            self.numbering.cell(code)
            raise HexError(f"{_refused(code)} it lies outside the outline.")
        return hex

    def code(self, hex: Hex) -> str:
        """The printed number of a hex."""
        return self._codes[hex]

    def axial(self, hex: Hex) -> tuple[int, int]:
        """Axial coordinates (q, r)."""
        return self._cells[hex]

    def at(self, q: int, r: int) -> Hex:
        """The hex at axial coordinates, -1 if there is none."""
        q -= self._q0
        r -= self._r0
        if not (0 <= q < self._width and 0 <= r < self._height):
            return -1
        hex = (q + 1) * self._stride + r
        return hex if hex in self._cells else -1

    def pixel(self, hex: Hex) -> tuple[float, float]:
        """The centre of a hex on the page, in units of the distance from centre to corner.

        x grows to the right and y downward; (0, 0) is the centre of the top left hex of the
        numbering's rectangle (of A0 on an oblique map).
        """
        q, r = self._cells[hex]
        if self.flat:
            return 1.5 * q, _SQRT3 * (r + q / 2)
        return _SQRT3 * (q + r / 2), 1.5 * r

    def corners(self, hex: Hex) -> tuple[tuple[float, float], ...]:
        """The six corners, clockwise; side *d* runs from corner *d* to corner *d* + 1."""
        x, y = self.pixel(hex)
        turns = [(d - 2 if self.flat else d - 1.5) * pi / 3 for d in range(6)]
        return tuple((x + cos(turn), y + sin(turn)) for turn in turns)

    def hex_at(self, x: float, y: float) -> Hex:
        """The hex that covers a point of the page, -1 if none does."""
        if self.flat:
            q = x / 1.5
            r = y / _SQRT3 - q / 2
        else:
            r = y / 1.5
            q = x / _SQRT3 - r / 2
        return self.at(*_nearest_cell(q, r))

    def neighbour(self, hex: Hex, d: int) -> Hex:
        """The hex next to this one in direction *d*, -1 over the edge of the map."""
        return self._adjacent[hex][d]

    def neighbours(self, hex: Hex) -> tuple[Hex, ...]:
        """The hexes next to this one, clockwise."""
        return self._neighbours[hex]

    def direction(self, a: Hex, b: Hex) -> int:
        """The direction from *a* to its neighbour *b*, -1 if they are not neighbours."""
        return self._directions.get(b - a, -1)

    def distance(self, a: Hex, b: Hex) -> int:
        """The number of steps from *a* to *b*, straight even where the outline lies between."""
        aq, ar = self._cells[a]
        bq, br = self._cells[b]
        q = aq - bq
        r = ar - br
        return max(abs(q), abs(r), abs(q + r))

    def disc(self, hex: Hex, n: int) -> Mask:
        """All hexes at a distance of *n* or less."""
        disc = self._discs.get((hex, n))
        if disc is None:
            disc = self._discs[hex, n] = self._disc(hex, n)
        return disc

    def _disc(self, hex: Hex, n: int) -> Mask:
        self.axial(hex)  # refuses what is no hex
        if n < 0:
            return 0
        stride = self._stride
        disc = 1 << hex
        for _ in range(n):
            up = disc | disc << 1
            down = disc | disc >> 1
            disc = (up | down | down << stride | up >> stride) & self._frame
        return disc & self.all

    def ring(self, hex: Hex, n: int) -> Mask:
        """All hexes at a distance of exactly *n*."""
        return self.disc(hex, n) ^ self.disc(hex, n - 1)

    def line(self, a: Hex, b: Hex) -> list[Hex]:
        """The hexes under a straight line from centre to centre, both ends included.

        Where the line runs along a hexside it takes one hex of the two, the same one from both
        ends, and the one that is on the map if only one is. Cells off the map are left out.
        """
        aq, ar = self._cells[a]
        bq, br = self._cells[b]
        n = self.distance(a, b)
        if n == 0:
            return [a]
        line: list[Hex] = []
        for i in range(n + 1):
            # In units of 1/8n, where a nudge of a few units settles a tie and nothing else.
            q = 8 * (aq * (n - i) + bq * i)
            r = 8 * (ar * (n - i) + br * i)
            for nudge in (1, -1):
                hex = self.at(*_nearest_scaled_cell(q + nudge, r + 2 * nudge, 8 * n))
                if hex >= 0:
                    line.append(hex)
                    break
        return line

    def shift(self, mask: Mask, d: int) -> Mask:
        """Every hex of a set moved one step in direction *d*; what leaves the map is lost."""
        step = self.steps[d]
        mask &= self.all
        return (mask << step if step > 0 else mask >> -step) & self.all

    def dilate(self, mask: Mask, n: int = 1) -> Mask:
        """A set and all that is at most *n* steps from it, each step on the map."""
        stride = self._stride
        mask &= self.all
        for _ in range(n):
            # Six steps in four shifts: up and down carry one along each line, the rest across.
            up = mask | mask << 1
            down = mask | mask >> 1
            mask = (up | down | down << stride | up >> stride) & self.all
        return mask

    def erode(self, mask: Mask, n: int = 1) -> Mask:
        """The hexes of a set more than *n* steps from any hex outside it.

        Only hexes of the map count as outside: the edge of the map does not eat into a set.
        """
        return self.all & ~self.dilate(self.all & ~mask, n)

    def neighbours_of(self, mask: Mask) -> Mask:
        """The hexes outside a set that are next to it."""
        return self.dilate(mask) & ~mask

    def border(self, mask: Mask) -> Mask:
        """The hexes of a set that are next to a hex outside it."""
        return mask & self.dilate(self.all & ~mask)

    def flood(self, seeds: Mask, within: Mask) -> Mask:
        """All hexes of `within` connected, inside it, to a seed inside it."""
        across = self._stride
        slant = across - 1
        within &= self.all
        reached = seeds & within
        while True:
            # Axis by axis, so that what one axis adds goes on along the next in the same round.
            wider = reached | (reached << 1 | reached >> 1) & within
            wider |= (wider << across | wider >> across) & within
            wider |= (wider << slant | wider >> slant) & within
            if wider == reached:
                return reached
            reached = wider

    def flood_sides(self, seeds: Mask, within: Mask, open: Sides) -> Mask:
        """As `flood`, but only across the open sides."""
        across = self._stride
        slant = across - 1
        within &= self.all
        if self.flat:
            n, ne, se, s, sw, nw = open
        else:
            ne, se, s, sw, nw, n = open
        # The sides that lead from one hex to another of those within.
        s, n = s & within >> 1, n & within << 1
        se, nw = se & within >> across, nw & within << across
        ne, sw = ne & within >> slant, sw & within << slant
        reached = seeds & within
        while True:
            wider = reached | (reached & s) << 1 | (reached & n) >> 1
            wider |= (wider & se) << across | (wider & nw) >> across
            wider |= (wider & ne) << slant | (wider & sw) >> slant
            if wider == reached:
                return reached
            reached = wider

    def components(self, mask: Mask) -> list[Mask]:
        """The connected parts of a set, in the order of their first hexes."""
        parts: list[Mask] = []
        mask &= self.all
        while mask:
            part = self.flood(mask & -mask, mask)
            parts.append(part)
            mask ^= part
        return parts

    def edge(self, hex: Hex, d: int) -> Edge:
        """The id of side *d* of a hex, also where no hex lies beyond it."""
        self.axial(hex)  # refuses what is no hex
        # Of the two cells at a side the one that sees it in direction 0, 1 or 2 gives the id.
        return 3 * hex + d if d < 3 else 3 * (hex + self.steps[d]) + d - 3

    def edge_between(self, a: Hex, b: Hex) -> Edge:
        """The id of the side between two hexes, -1 if they are not neighbours."""
        d = self.direction(a, b)
        return self.edge(a, d) if d >= 0 else -1

    def edge_hexes(self, edge: Edge) -> tuple[Hex, Hex]:
        """The hexes at a side; the second is -1 if the side is on the edge of the map."""
        a, d = divmod(edge, 3)
        b = a + self.steps[d]
        if a not in self._cells:
            a, b = b, -1
        elif b not in self._cells:
            b = -1
        if a not in self._cells:
            raise HexError(f"{edge} is not a hexside of this map.")
        return a, b

    def sides(self, edges: Iterable[Edge]) -> Sides:
        """A set of hexsides from their ids."""
        masks = [0, 0, 0, 0, 0, 0]
        for edge in edges:
            d = edge % 3
            for hex in self.edge_hexes(edge):
                if hex >= 0:
                    masks[d if hex == edge // 3 else d + 3] |= 1 << hex
        a, b, c, d, e, f = masks
        return a, b, c, d, e, f

    def edges(self, sides: Sides) -> list[Edge]:
        """The ids of a set of hexsides, in ascending order."""
        return sorted({self.edge(hex, d) for d in range(6) for hex in bits(sides[d])})

    def cross(self, mask: Mask, sides: Sides) -> Mask:
        """The hexes reached from a set by one step over any of these sides."""
        across = self._stride
        slant = across - 1
        if self.flat:
            n, ne, se, s, sw, nw = sides
        else:
            # The axes are the same; only the count of directions begins one later.
            ne, se, s, sw, nw, n = sides
        return (
            (mask & n) >> 1
            | (mask & ne) << slant
            | (mask & se) << across
            | (mask & s) << 1
            | (mask & sw) >> slant
            | (mask & nw) >> across
        ) & self.all

    def before(self, mask: Mask, sides: Sides) -> Mask:
        """The hexes from which one step over any of these sides leads into a set."""
        across = self._stride
        slant = across - 1
        if self.flat:
            n, ne, se, s, sw, nw = sides
        else:
            ne, se, s, sw, nw, n = sides
        return (
            mask << 1 & n
            | mask >> slant & ne
            | mask >> across & se
            | mask >> 1 & s
            | mask << slant & sw
            | mask << across & nw
        ) & self.all


def _nearest_cell(q: float, r: float) -> tuple[int, int]:
    """The cell that covers a point given in axial coordinates."""
    # Fine enough that rounding never shows on a map of any size that people print.
    scale = 1 << 30
    return _nearest_scaled_cell(round(q * scale), round(r * scale), scale)


def _nearest_scaled_cell(q: int, r: int, scale: int) -> tuple[int, int]:
    """As `_nearest_cell` for coordinates in whole units of 1/scale: exact."""
    s = -q - r
    near_q, near_r, near_s = ((2 * c + scale) // (2 * scale) for c in (q, r, s))
    off_q, off_r, off_s = (
        abs(near * scale - c) for near, c in ((near_q, q), (near_r, r), (near_s, s))
    )
    # The three must add up to nothing; the one rounded furthest follows from the other two.
    if off_q > off_r and off_q > off_s:
        return -near_r - near_s, near_r
    if off_r > off_s:
        return near_q, -near_q - near_s
    return near_q, near_r


class HexSet:
    """A set of hexes with a face: a mask that knows its map, for people and for tests.

    >>> map = Lattice(Numbering("columns", columns=(1, 5), rows=(1, 5)))
    >>> near = HexSet(map, map.disc(map.parse("0101"), 1))
    >>> near
    HexSet(0101 0102 0201 0202)
    >>> "0102" in near, len(near - HexSet(map, 1 << map.parse("0101")))
    (True, 3)
    """

    __slots__ = ("lattice", "mask")

    def __init__(self, lattice: Lattice, mask: Mask = 0) -> None:
        self.lattice = lattice
        self.mask = mask & lattice.all

    def _combined(self, other: object, operation: Callable[[Mask, Mask], Mask]) -> HexSet:
        if not isinstance(other, HexSet):
            return NotImplemented
        if other.lattice is not self.lattice:
            raise HexError("Sets of hexes of two different maps cannot be combined.")
        return HexSet(self.lattice, operation(self.mask, other.mask))

    def __or__(self, other: object) -> HexSet:
        return self._combined(other, int.__or__)

    def __and__(self, other: object) -> HexSet:
        return self._combined(other, int.__and__)

    def __sub__(self, other: object) -> HexSet:
        return self._combined(other, lambda mine, theirs: mine & ~theirs)

    def __xor__(self, other: object) -> HexSet:
        return self._combined(other, int.__xor__)

    def __invert__(self) -> HexSet:
        """All other hexes of the map."""
        return HexSet(self.lattice, ~self.mask)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, HexSet):
            return NotImplemented
        return self.lattice is other.lattice and self.mask == other.mask

    def __hash__(self) -> int:
        return hash((id(self.lattice), self.mask))

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __contains__(self, hex: Hex | str) -> bool:
        """Whether a hex, given by its index or its printed number, is in the set."""
        if isinstance(hex, str):
            hex = self.lattice.parse(hex)
        return hex >= 0 and bool(self.mask >> hex & 1)

    def __iter__(self) -> Iterator[str]:
        """The printed numbers, in the order of the hexes."""
        return map(self.lattice.code, bits(self.mask))

    def __str__(self) -> str:
        return " ".join(self)

    def __repr__(self) -> str:
        return f"HexSet({self})"
