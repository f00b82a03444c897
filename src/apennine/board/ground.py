"""The lattice of a map, and what is drawn on it as a grid: terrain, hexside terrain, numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from apennine.hexes import Edge, Hex, HexError, Lattice, Mask, Numbering, Sheet, Sides

from .context import Context
from .grids import NO_HEX, Cell, Grids
from .notation import Notation
from .tables import GridTable, LatticeTable, NumbersTable

NO_SIDE = "-"
_WHOLE = re.compile(r"[+-]?[0-9]+")


def read_numbering(context: Context, table: LatticeTable) -> Numbering | None:
    """Read `[lattice]`."""
    fit = True
    for name in ("code", "shifted"):
        if table.kind != "oblique" and getattr(table, name) is None:
            context.notes.add("lattice", f"The key {name!r} is missing.")
            fit = False
    columns = _column_numbers(table)
    if columns is None:
        text = "Columns are two numbers, on an oblique map two letters."
        context.notes.add("lattice.columns", text)
    if columns is None or not fit:
        return None
    try:
        return Numbering(
            kind=table.kind,
            columns=columns,
            rows=table.rows,
            code=table.code or "CCRR",
            digits=table.digits,
            shifted=table.shifted or "odd",
            columns_grow=table.columns_grow,
            rows_grow=table.rows_grow,
            sheets=tuple(Sheet(s.prefix, s.columns, s.offset) for s in table.sheets),
        )
    except HexError as error:
        context.notes.add("lattice", str(error))
        return None


def _column_numbers(table: LatticeTable) -> tuple[int, int] | None:
    first, last = table.columns
    if table.kind != "oblique":
        return (first, last) if isinstance(first, int) and isinstance(last, int) else None
    if not (isinstance(first, str) and isinstance(last, str) and len(first) == len(last) == 1):
        return None
    return ord(first) - ord("A"), ord(last) - ord("A")


class Ground:
    """Reads `[terrain]`, which says what hexes there are, and the grids that lie over it."""

    def __init__(self, context: Context, numbering: Numbering, table: GridTable) -> None:
        self._context = context
        self._notes = context.notes
        self._grids = Grids(numbering, context.notes)
        self._legend = table.legend
        self._check_legend(table.legend, "terrain.legend", NO_HEX)
        self._letters = self._read_letters(table)
        self.lattice = Lattice(numbering, self._letters)
        self.terrain: dict[str, Mask] = dict.fromkeys(table.legend.values(), 0)
        names = [""] * self.lattice.size
        for code, letter in self._letters.items():
            if letter is not None:
                hex = self.lattice.parse(code)
                names[hex] = table.legend[letter]
                self.terrain[names[hex]] |= 1 << hex
        self.terrain_at = tuple(names)
        self._doubtful = {code for code, letter in self._letters.items() if letter is None}
        self.letters = {name: letter for letter, name in table.legend.items()}

    def _check_legend(self, legend: Mapping[str, str], key: str, reserved: str) -> None:
        names = list(legend.values())
        for letter, name in legend.items():
            if len(letter) != 1 or letter.isspace() or letter in reserved:
                self._notes.add(key, f"{letter!r} cannot stand for {name!r} in a grid.")
            self._context.check_name(name, key)
        for name in dict.fromkeys(name for name in names if names.count(name) > 1):
            self._notes.add(key, f"Two letters stand for {name!r}.")

    def _read_letters(self, table: GridTable) -> dict[str, str | None]:
        """The hexes of the map, each with its letter if the grid gives a good one."""
        letters: dict[str, str | None] = {}
        for code, letter in self._cells(table, "terrain", spaced=False):
            if letter == NO_HEX:
                continue
            if letter is not None and letter not in table.legend:
                text = f"The letter {letter!r} is not in the legend."
                self._notes.add("terrain.grid", text, code)
                letter = None
            letters[code] = letter
        return letters

    def _cells(self, table: GridTable | NumbersTable, key: str, *, spaced: bool) -> Iterator[Cell]:
        """The cells of a grid, and those of its single hexes that `set` gives anew."""
        given = dict(table.set)
        for cell in self._grids.cells(table.grid, table.by, f"{key}.grid", spaced=spaced):
            anew = given.pop(cell.code, None)
            yield cell if anew is None else Cell(cell.code, str(anew))
        for code in given:
            self._notes.add(f"{key}.set", "The map has no such hex.", code)

    def _over_terrain(
        self, table: GridTable | NumbersTable, key: str
    ) -> Iterator[tuple[Hex, str, str]]:
        """Yield hex, code and text of the cells of a grid that has a word for each hex."""
        for code, text in self._cells(table, key.removesuffix(".grid"), spaced=True):
            if text is None or (text == NO_HEX and code in self._doubtful):
                continue
            if code in self._letters:
                yield self.lattice.parse(code), code, text
            elif text != NO_HEX:
                self._notes.add(key, f"The terrain has no hex here: write {NO_HEX!r}.", code)

    def side_terrain(self, table: GridTable) -> dict[str, Sides]:
        """Read the grid that gives every hexside its terrain: three letters a hex, clockwise.

        They are the sides in the directions 0, 1 and 2, so that each side is named once.
        """
        key = "side-terrain.grid"
        self._check_legend(table.legend, "side-terrain.legend", NO_HEX + NO_SIDE)
        edges: dict[str, list[Edge]] = {name: [] for name in table.legend.values()}
        directions = Notation(self.lattice, self._notes).directions[:3]
        for hex, code, text in self._over_terrain(table, key):
            if len(text) != 3:
                text = f"{text!r} is not three letters, for {', '.join(directions)}."
                self._notes.add(key, text, code)
                continue
            for d, letter in enumerate(text):
                beyond = self.lattice.neighbour(hex, d)
                inner = beyond >= 0
                if inner and self.lattice.code(beyond) in self._doubtful:
                    continue
                if inner and letter in table.legend:
                    edges[table.legend[letter]].append(self.lattice.edge(hex, d))
                elif inner:
                    text = f"The letter {letter!r} of side {directions[d]} is not in the legend."
                    self._notes.add(key, text, code)
                elif letter != NO_SIDE:
                    text = f"Nothing lies {directions[d]} of it: write {NO_SIDE!r} there."
                    self._notes.add(key, text, code)
        return {name: self.lattice.sides(found) for name, found in edges.items()}

    def numbers(self, table: NumbersTable, key: str) -> dict[Hex, int]:
        """Read a grid of whole numbers."""
        key = f"{key}.grid"
        numbers: dict[Hex, int] = {}
        for hex, code, text in self._over_terrain(table, key):
            if _WHOLE.fullmatch(text):
                numbers[hex] = int(text)
            elif text != NO_HEX:
                self._notes.add(key, f"{text!r} is not a whole number.", code)
            elif table.default is not None:
                numbers[hex] = table.default
            else:
                self._notes.add(key, "The number is missing.", code)
        return numbers
