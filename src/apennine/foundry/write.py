"""Writes a finished map as a map file, the same text for the same map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from apennine.board import Course
from apennine.board.notation import FLAT_DIRECTIONS, POINTY_DIRECTIONS
from apennine.hexes import Edge, Hex, Lattice, Numbering

from .credits import CREDITS
from .draft import Draft
from .recipe import Recipe

_WIDTH = 100


def map_text(draft: Draft, recipe: Recipe, key: str) -> str:
    """The text of the map file."""
    return _Writer(draft, recipe, key).text()


class _Writer:
    def __init__(self, draft: Draft, recipe: Recipe, key: str) -> None:
        self._draft = draft
        self._lattice = draft.lattice
        self._recipe = recipe
        self._key = key
        self._lines: list[str] = []

    def text(self) -> str:
        recipe, draft = self._recipe, self._draft
        self._lines += [
            f"# Built by `python -m apennine.foundry build {self._key}`: correct the recipe or the",
            "# overlay in src/apennine/foundry/recipes, not this file.",
            "format = 1",
            f"title = {_value(recipe.title)}",
            f"scale = {_value(recipe.scale)}",
            f"north = {draft.north}",
        ]
        self._list("credits", [*CREDITS, *recipe.credits])
        for name, source in recipe.sources.items():
            self._head(f"sources.{name}", source)
        self._head("lattice", recipe.lattice)
        self._terrain()
        self._side_terrain()
        for name, values in draft.numbers.items():
            self._numbers(name, values)
        for name, side in draft.sides.items():
            if not side.runs and not side.loose:
                continue
            self._head(f"sides.{name}", {"source": side.source})
            if side.uphill is not None:
                self._lines.append("directed = true # written uphill, into the higher hex")
            self._list("courses", [run_text(self._lattice, *run, side.uphill) for run in side.runs])
            self._list("loose", _loose(self._lattice, sorted(side.loose), side.uphill))
        for group, tables in (("through", draft.through), ("roads", draft.roads)):
            for name, courses in tables.items():
                if courses.courses:
                    self._head(f"{group}.{name}", {"source": courses.source})
                    texts = [_course(self._lattice, course) for course in courses.courses]
                    self._list("courses", texts)
        self._tables("bridges")
        self._tables("kinds")
        self._places()
        self._boxes()
        self._line_tables()
        self._tables("regions")
        self._tables("supply")
        return "\n".join(self._lines) + "\n"

    def _head(self, name: str, table: Mapping[str, Any]) -> None:
        self._lines += ["", f"[{name}]"]
        for key, value in table.items():
            line = f"{key} = {_value(value)}"
            if isinstance(value, list) and len(line) > _WIDTH:
                self._list(key, cast("list[Any]", value))
            else:
                self._lines.append(line)

    def _list(self, key: str, values: Sequence[Any]) -> None:
        if not values:
            return
        line = f"{key} = [{', '.join(map(_value, values))}]"
        if len(line) <= _WIDTH:
            self._lines.append(line)
        else:
            self._lines += [f"{key} = [", *(f"    {_value(v)}," for v in values), "]"]

    def _tables(self, group: str) -> None:
        for name, table in self._draft.tables.get(group, {}).items():
            self._head(f"{group}.{name}", table)

    def _terrain(self) -> None:
        terrain = self._recipe.terrain
        letters = {name: letter for letter, name in terrain.legend.items()}
        self._lines += ["", "[terrain]", f"source = {_value(terrain.source)}"]
        self._lines.append(f"legend = {_value(terrain.legend)}")
        cells = {
            self._lattice.code(hex): letters[name] for hex, name in self._draft.terrain.items()
        }
        self._grid(cells, terrain.by)

    def _side_terrain(self) -> None:
        recipe = self._recipe.side_terrain
        if recipe is None:
            return
        letters = {name: letter for letter, name in recipe.legend.items()}
        self._lines += ["", "[side-terrain]", f"source = {_value(recipe.source)}"]
        self._lines.append(f"legend = {_value(recipe.legend)}")
        cells: dict[str, str] = {}
        for hex in self._lattice:
            cells[self._lattice.code(hex)] = "".join(
                letters[self._draft.side_terrain[self._lattice.edge(hex, d)]]
                if self._lattice.neighbour(hex, d) >= 0
                else "-"
                for d in range(3)
            )
        self._grid(cells, recipe.by)

    def _numbers(self, name: str, values: Mapping[Hex, int]) -> None:
        recipe = self._recipe.numbers[name]
        self._head(f"numbers.{name}", {"source": recipe.source, "default": recipe.sea})
        cells = {self._lattice.code(hex): str(values[hex]) for hex in values}
        self._grid(cells, self._recipe.terrain.by)

    def _grid(self, cells: Mapping[str, str], by: str) -> None:
        if by != "rows":
            self._lines.append(f"by = {_value(by)}")
        labels, lines = grid_lines(self._lattice.numbering, by)
        width = max(len(cell) for cell in cells.values())
        margin = max(map(len, labels))
        self._lines.append('grid = """')
        for label, codes in zip(labels, lines):
            row = " ".join(cells.get(code, ".").rjust(width) for code in codes)
            self._lines.append(f"{label:>{margin}}  {row}")
        self._lines.append('"""')

    def _places(self) -> None:
        entries: list[dict[str, Any]] = []
        for place in self._draft.places.values():
            entry: dict[str, Any] = {
                "name": place.name,
                "at": " ".join(self._lattice.code(hex) for hex in place.hexes),
            }
            for key in ("kinds", "numbers", "source"):
                if value := getattr(place, key):
                    entry[key] = value
            entries.append(entry)
        if entries:
            self._lines += ["", "[places]", f"source = {_value(self._recipe.places.source)}"]
            self._lines += ["list = [", *(f"    {_value(entry)}," for entry in entries), "]"]

    def _boxes(self) -> None:
        boxes = self._draft.tables.get("boxes")
        if boxes:
            self._head("boxes", boxes)

    def _line_tables(self) -> None:
        for name, line in self._draft.lines.items():
            table: dict[str, Any] = {"source": line.source}
            table |= {"title": line.title} if line.title else {}
            table |= {"scenes": line.scenes} if line.scenes else {}
            self._head(f"lines.{name}", table)
            if line.attacker is not None:
                self._lines.append("directed = true # written from the attacker's side")
            self._list("hexes", [_course(self._lattice, course) for course in line.hexes])
            self._list("sides", [run_text(self._lattice, *run, line.attacker) for run in line.runs])
        self._tables("lines")


def grid_lines(numbering: Numbering, by: str) -> tuple[list[str], list[list[str]]]:
    """The labels and the codes of the lines of a grid, as they stand on the page."""
    codes = list(numbering.codes())
    height = numbering.rows[1] - numbering.rows[0] + 1
    columns = [codes[i : i + height] for i in range(0, len(codes), height)]
    upward, leftward = numbering.rows_grow == "up", numbering.columns_grow == "left"
    if by == "columns":
        labels = [_column_label(numbering, column[0]) for column in columns]
        lines = [column[::-1] if upward else column for column in columns]
        return (labels[::-1], lines[::-1]) if leftward else (labels, lines)
    rows = [list(row) for row in zip(*columns)]
    labels = [f"{numbering.rows[0] + i:0{numbering.digits}}" for i in range(height)]
    lines = [row[::-1] if leftward else row for row in rows]
    return (labels[::-1], lines[::-1]) if upward else (labels, lines)


def _column_label(numbering: Numbering, code: str) -> str:
    if numbering.kind == "oblique":
        return code[0]
    digits = numbering.digits
    prefix, numbers = code[: -2 * digits], code[-2 * digits :]
    return prefix + (numbers[:digits] if numbering.code == "CCRR" else numbers[digits:])


def _value(value: Any) -> str:
    """A value as TOML on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        # Long terms of a recipe are broken into lines; white space means nothing in them.
        flat = " ".join(value.split()) if "\n" in value else value
        escaped = flat.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    if isinstance(value, Mapping):
        table = cast("Mapping[str, Any]", value)
        return "{ " + ", ".join(f"{_name(k)} = {_value(v)}" for k, v in table.items()) + " }"
    return "[" + ", ".join(map(_value, value)) + "]"


def _name(key: str) -> str:
    plain = all(c.isascii() and (c.isalnum() or c in "-_") for c in key)
    return key if plain and key else f'"{key}"'


def _course(lattice: Lattice, course: Course) -> str:
    directions = FLAT_DIRECTIONS if lattice.flat else POINTY_DIRECTIONS
    words = [lattice.code(hex) for hex in course.hexes]
    if course.enters >= 0:
        words.insert(0, f"({directions[course.enters]})")
    if course.leaves >= 0:
        words.append(f"({directions[course.leaves]})")
    return _titled(course.name, " ".join(words))


def _titled(name: str, text: str) -> str:
    return f"{name}: {text}" if name else text


def run_text(
    lattice: Lattice, name: str, edges: Sequence[Edge], toward: Mapping[Edge, Hex] | None
) -> str:
    """Hexsides in order; those in a row that share a hex are written together: 1410/1310,1311."""
    groups: list[tuple[Hex, list[Hex], bool]] = []
    for edge in edges:
        a, b = lattice.edge_hexes(edge)
        if toward is not None and toward[edge] == b:
            a, b = b, a
        if groups:
            hub, rim, first = groups[-1]
            # A lone pair may still turn out to fan around either of its hexes.
            if len(rim) == 1 and hub not in (a, b) and rim[0] in (a, b):
                hub, rim, first = rim[0], [hub], not first
            if hub in (a, b) and (toward is None or (hub == a) == first):
                groups[-1] = (hub, [*rim, b if hub == a else a], first)
                continue
        groups.append((a, [b], True))
    sign = ">" if toward is not None else "/"
    words: list[str] = []
    for hub, rim, first in groups:
        sides = [lattice.code(hub), ",".join(lattice.code(hex) for hex in rim)]
        words.append(sign.join(sides if first else sides[::-1]))
    return _titled(name, " ".join(words))


def _loose(lattice: Lattice, edges: Sequence[Edge], toward: Mapping[Edge, Hex] | None) -> list[str]:
    """Single hexsides, ten to a line."""
    words = [run_text(lattice, "", [edge], toward) for edge in edges]
    return [" ".join(words[i : i + 10]) for i in range(0, len(words), 10)]
