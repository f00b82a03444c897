"""The charts of a game as tables that a player can read, each with its source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

RECONSTRUCTED = "reconstructed"
_ABOUT = frozenset(("source", "rule", "note", "title", "dice"))
"""What a table says about itself, beside what it holds."""


class Chart(NamedTuple):
    """One chart: its cells as text, where they come from, and whether that was our own guess."""

    key: str
    title: str
    source: str
    reconstructed: bool
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    rule: str = ""


def read_charts(tables: Mapping[str, Any]) -> list[Chart]:
    """The tables of a charts file, in its order.

    >>> [chart] = read_charts(
    ...     {
    ...         "combat": {
    ...             "source": "reconstructed: from history",
    ...             "columns": ["1-1", "2-1"],
    ...             "rows": {"1": ["AE", "DR"]},
    ...         }
    ...     }
    ... )
    >>> chart.title, chart.columns, chart.rows, chart.reconstructed
    ('Combat', ('', '1-1', '2-1'), (('1', 'AE', 'DR'),), True)
    """
    return [chart for key, table in tables.items() for chart in _charts(key, table)]


def _charts(key: str, table: Mapping[str, Any]) -> Iterator[Chart]:
    held = {name: value for name, value in table.items() if name not in _ABOUT}
    if "columns" in held and "rows" in held:
        rows = cast("Mapping[str, Sequence[Any]]", held.pop("rows"))
        columns = ("", *map(str, held.pop("columns")))
        yield _chart(key, table, columns, [(name, *map(_text, row)) for name, row in rows.items()])
    lists = {name: value for name, value in held.items() if _is_list_of_tables(value)}
    plain = {name: value for name, value in held.items() if name not in lists}
    if plain:
        yield _chart(key, table, *_grid(plain))
    for name, entries in lists.items():
        columns = tuple(dict.fromkeys(column for entry in entries for column in entry))
        rows = [tuple(_text(entry.get(column)) for column in columns) for entry in entries]
        yield _chart(f"{key} {name}", table, columns, rows)


def _chart(
    key: str, table: Mapping[str, Any], columns: tuple[str, ...], rows: Sequence[tuple[str, ...]]
) -> Chart:
    source = str(table.get("source", ""))
    guessed = source.startswith(RECONSTRUCTED) or any(
        cell.startswith(RECONSTRUCTED) for row in rows for cell in row
    )
    title = key.replace("_", " ")
    columns = tuple(column.replace("_", " ") for column in columns)
    rule = str(table.get("rule", ""))
    return Chart(key, title[:1].upper() + title[1:], source, guessed, columns, tuple(rows), rule)


def _grid(held: Mapping[str, Any]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """One row for each entry; entries that are tables themselves share their columns."""
    tables = [cast("dict[str, Any]", value) for value in held.values() if isinstance(value, dict)]
    columns = tuple(dict.fromkeys(column for table in tables for column in table))
    width = max((len(value) for value in held.values() if isinstance(value, list)), default=1)  # pyright: ignore[reportUnknownArgumentType]
    if not columns:
        columns = tuple(map(str, range(1, width + 1))) if width > 1 else ("",)
    rows: list[tuple[str, ...]] = []
    for name, value in held.items():
        cells: list[Any]
        if isinstance(value, dict):
            entry = cast("dict[str, Any]", value)
            cells = [entry.get(column) for column in columns]
        else:
            cells = cast("list[Any]", value) if isinstance(value, list) else [value]
        texts = [_text(cell) for cell in cells]
        rows.append((name.replace("_", " "), *texts, *[""] * (len(columns) - len(texts))))
    return ("", *columns), rows


def _is_list_of_tables(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(entry, dict) for entry in cast("list[Any]", value)
    )


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(_text, cast("list[Any]", value)))
    if isinstance(value, dict):
        items = cast("dict[str, Any]", value)
        return ", ".join(f"{name} {_text(item)}" for name, item in items.items())
    return str(value)
