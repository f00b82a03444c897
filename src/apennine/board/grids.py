"""The drawn part of a map file: a line for each printed row (or column), a cell for each hex."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from apennine.hexes import Numbering

from .mistakes import Notes
from .tables import By

NO_HEX = "."


class Cell(NamedTuple):
    """What a grid says of one hex: the text of the cell, or None where the grid fails to say."""

    code: str
    text: str | None


class Grids:
    """Finds the hex of every cell. Cells stand as on the page: leftmost (or topmost) first."""

    def __init__(self, numbering: Numbering, notes: Notes) -> None:
        self._notes = notes
        codes = list(numbering.codes())
        height = numbering.rows[1] - numbering.rows[0] + 1
        columns = [codes[i : i + height] for i in range(0, len(codes), height)]
        rows = [list(row) for row in zip(*columns)]
        upward, leftward = numbering.rows_grow == "up", numbering.columns_grow == "left"
        self._lines: dict[By, dict[str, list[str]]] = {
            "rows": {
                str(numbering.rows[0] + i): row[::-1] if leftward else row
                for i, row in enumerate(rows)
            },
            "columns": {
                _column_label(numbering, column[0]): column[::-1] if upward else column
                for column in columns
            },
        }

    def cells(self, text: str, by: By, key: str, *, spaced: bool) -> Iterator[Cell]:
        """Yield every cell of the bounding rectangle.

        Cells are single letters, which may be set apart by spaces, or with `spaced` words. What
        is missing or too much is noted, and the cells that are missing come with None.
        """
        expected = self._lines[by]
        kind = by.removesuffix("s")
        found: dict[str, list[str]] = {}
        for label, row in grid_rows(text):
            words = row.split()
            if label not in expected:
                self._notes.add(key, f"The map has no {kind} {label!r}.")
            elif label in found:
                self._notes.add(key, f"The {kind} {label} is drawn twice.")
            else:
                found[label] = words if spaced else list("".join(words))
        for label, codes in expected.items():
            cells = found.get(label)
            if cells is None:
                self._notes.add(key, f"The {kind} {label} is missing.")
            elif len(cells) != len(codes):
                text = f"The {kind} {label} has {len(cells)} cells instead of {len(codes)}."
                self._notes.add(key, text, codes[min(len(cells), len(codes) - 1)])
            for i, code in enumerate(codes):
                yield Cell(code, cells[i] if cells and i < len(cells) else None)


def grid_rows(text: str) -> Iterator[tuple[str, str]]:
    """The lines of a grid, each with its label in its plain form; comments are left out."""
    for line in text.splitlines():
        words = line.split(maxsplit=1)
        if words and not words[0].startswith("#"):
            yield _plain(words[0]), "".join(words[1:]).rstrip()


def _plain(label: str) -> str:
    """A label without leading zeros: W04 and W4 are the same column."""
    return re.sub(r"^(\D*)0+(?=\d)", r"\1", label)


def _column_label(numbering: Numbering, code: str) -> str:
    if numbering.kind == "oblique":
        return code[0]
    digits = numbering.digits
    prefix, numbers = code[: -2 * digits], code[-2 * digits :]
    column = numbers[:digits] if numbering.code == "CCRR" else numbers[digits:]
    return _plain(prefix + column)
