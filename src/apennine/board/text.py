"""A map as plain text: every hex where it lies, staggered as on the page."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import wrap

from apennine.hexes import Hex, Lattice

from .model import Board


def draw_text(board: Board, units: Mapping[int, str] | None = None) -> str:
    """Draw a map with the letters of its terrain.

    `units` gives short labels for hexes and boxes; a label stands behind the letter of its hex.
    Each line begins with the code of its first hex and ends with that of its last one.
    """
    units = units or {}
    lattice = board.lattice
    cells = {hex: board.letters[board.terrain_of(hex)] + units.get(hex, "") for hex in lattice}
    pitch = max(map(len, cells.values())) + 1
    half = pitch if lattice.flat else (pitch + 1) // 2
    lines: dict[int, list[tuple[int, Hex]]] = {}
    for hex in lattice:
        x, y = _place(lattice, hex)
        lines.setdefault(y, []).append((x, hex))
    left = min(x for line in lines.values() for x, _ in line)
    margin = max(len(lattice.code(hex)) for hex in lattice)
    drawing = [board.title, ""]
    for y in range(min(lines), max(lines) + 1):
        row = sorted(lines.get(y, []))
        text = ""
        for x, hex in row:
            text = text.ljust((x - left) * half) + cells[hex]
        if row:
            first, last = lattice.code(row[0][1]), lattice.code(row[-1][1])
            text = f"{first:>{margin}}  {text}  {last}"
        drawing.append(text)
    drawing += ["", *wrap("   ".join(f"{a} {name}" for name, a in board.letters.items()), 100)]
    for box in board.boxes:
        drawing.append(f"[{box.name}] {box.title} {units.get(box.location, '')}".rstrip())
    return "\n".join(drawing) + "\n"


def _place(lattice: Lattice, hex: Hex) -> tuple[int, int]:
    """Where a hex stands: columns take two lines for each hex, rows two half cells."""
    q, r = lattice.axial(hex)
    return (q, 2 * r + q) if lattice.flat else (2 * q + r, r)
