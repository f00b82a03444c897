"""Tables: what a die finds in a column, and the exact chance of each result.

A `Table` has a row for each (modified) total of the dice and a column for each case. Lookups clamp:
a total below the first row reads the first, above the last the last, and columns likewise.

>>> table = read_table(
...     "raid",
...     {
...         "source": "made up",
...         "columns": ["weak", "strong"],
...         "rows": {"1-3": ["miss", "miss"], "4 or more": ["miss", "hit"]},
...     },
...     str,
... )
>>> table.cell(9, table.column("strong"))
'hit'
>>> print(table.chances(1, (6,), modifier=1)["hit"])
2/3

Chances are `Distribution`s: exact fractions over any outcome of any dice. What follows from a
result, with more dice or none, is chained to it:

>>> def again(result):
...     return table.chances(1, (6,)) if result == "miss" else certain(result)
>>> print(table.chances(1, (6,)).chain(again)["hit"])
3/4
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, Generic, TypeVar, cast

import msgspec

T = TypeVar("T", bound=Hashable)
U = TypeVar("U", bound=Hashable)
Cell = TypeVar("Cell", bound=Hashable)

_ROW = re.compile(r"(-?\d+)(?:-(-?\d+)| or (less|more))?")


class Distribution(dict[T, Fraction]):
    """Outcomes with their chances, which add up to one."""

    def chain(self, follow: Callable[[T], Mapping[U, Fraction]]) -> Distribution[U]:
        """The outcomes of what follows each outcome of this."""
        chances: Distribution[U] = Distribution()
        for outcome, chance in self.items():
            for last, share in follow(outcome).items():
                chances[last] = chances.get(last, Fraction(0)) + chance * share
        return chances

    def map(self, outcome: Callable[[T], U]) -> Distribution[U]:
        """The same chances of renamed outcomes; those that become equal add up."""
        return self.chain(lambda old: certain(outcome(old)))

    def chance(self, event: Callable[[T], bool]) -> Fraction:
        """How likely it is that the outcome satisfies `event`."""
        return sum((chance for outcome, chance in self.items() if event(outcome)), Fraction(0))

    def mean(self, value: Callable[[T], int | Fraction]) -> Fraction:
        """The expected value, such as the steps lost."""
        return sum((value(outcome) * chance for outcome, chance in self.items()), Fraction(0))


def certain(outcome: T) -> Distribution[T]:
    """The one outcome there can be."""
    return Distribution({outcome: Fraction(1)})


def distribution(sides: Sequence[int], outcome: Callable[[tuple[int, ...]], T]) -> Distribution[T]:
    """Every fall of the dice, counted; `outcome` gets the dice as a roll would give them.

    So dice of different colours, and natural rolls that override modifiers, need nothing special:

    >>> def drill(dice):
    ...     (die,) = dice
    ...     return "good" if die == 6 or (die != 1 and die - 2 >= 3) else "bad"
    >>> print(distribution((6,), drill)["good"])
    1/3
    """
    ways: dict[T, int] = {}
    for dice in itertools.product(*(range(1, side + 1) for side in sides)):
        result = outcome(dice)
        ways[result] = ways.get(result, 0) + 1
    return _shares(ways)


def _shares(ways: Mapping[T, int]) -> Distribution[T]:
    total = sum(ways.values())
    return Distribution({outcome: Fraction(count, total) for outcome, count in ways.items()})


@lru_cache(maxsize=64)
def _totals(sides: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """Every sum of the dice with the number of ways to roll it."""
    rolls = itertools.product(*(range(1, side + 1) for side in sides))
    return tuple(Counter(map(sum, rolls)).items())


class Table(msgspec.Struct, Generic[Cell], frozen=True):
    """A chart: `rows[0]` is the row of the total `lowest`, and rows go up by one."""

    key: str
    source: str
    columns: tuple[str, ...]
    lowest: int
    rows: tuple[tuple[Cell, ...], ...]

    def cell(self, total: int, column: int = 0) -> Cell:
        """What is printed for a total of the dice, modifiers included; both clamp."""
        row = self.rows[min(max(total - self.lowest, 0), len(self.rows) - 1)]
        return row[min(max(column, 0), len(row) - 1)]

    def column(self, label: str) -> int:
        """The number of the column with this label."""
        try:
            return self.columns.index(label)
        except ValueError:
            named = ", ".join(self.columns)
            raise ValueError(f"Table {self.key} has no column {label!r}, only {named}.") from None

    def chances(self, column: int, sides: Sequence[int], modifier: int = 0) -> Distribution[Cell]:
        """The exact chance of each cell when the dice are added up, with a modifier."""
        ways: dict[Cell, int] = {}
        for total, count in _totals(tuple(sides)):
            cell = self.cell(total + modifier, column)
            ways[cell] = ways.get(cell, 0) + count
        return _shares(ways)


class TableError(ValueError):
    """Every mistake of the tables read, a sentence each."""

    def __init__(self, mistakes: Sequence[str]) -> None:
        super().__init__("\n".join(mistakes))
        self.mistakes = list(mistakes)


def read_tables(
    charts: Mapping[str, object],
    cells: Mapping[str, Callable[[Any], Cell]],
    where: str = "charts.toml",
) -> dict[str, Table[Cell]]:
    """The tables named by `cells`, each with the reader of its cells; see `read_table`."""
    tables: dict[str, Table[Cell]] = {}
    mistakes: list[str] = []
    for key, cell in cells.items():
        try:
            tables[key] = read_table(key, charts.get(key), cell, where)
        except TableError as error:
            mistakes += error.mistakes
    if mistakes:
        raise TableError(mistakes)
    return tables


def read_table(
    key: str, data: object, cell: Callable[[Any], Cell], where: str = "charts.toml"
) -> Table[Cell]:
    """A table from the plain data of a chart file, checked whole.

    `source` says where the numbers come from. `columns` are labels, and `rows` have a list of as
    many cells for each total: "3", "2-4", "0 or less", "7 or more". Without `columns` there is one,
    and a row is the cell itself. Other entries are left to the game. `cell` makes a result of what
    is written, and raises ValueError, with the reason, if it cannot.

    >>> read_table("rout", {"rows": {"1": "run", "3-4": "walk", "4": 7}}, str)
    Traceback (most recent call last):
    apennine.mechanics.tables.TableError: charts.toml: rout has no source.
    charts.toml: rout.rows has no row for 2.
    charts.toml: rout.rows has two rows for 4: '3-4' and '4'.
    """
    reader = _Reader(f"{where}: {key}")
    table = reader.table(key, data, cell)
    if table is None or reader.mistakes:
        raise TableError(reader.mistakes)
    return table


class _Reader:
    """Reads one table and collects what is wrong with it, each mistake with its place."""

    def __init__(self, place: str) -> None:
        self.place = place
        self.mistakes: list[str] = []

    def wrong(self, what: str) -> None:
        self.mistakes.append(f"{self.place}{what}")

    def table(self, key: str, data: object, cell: Callable[[Any], Cell]) -> Table[Cell] | None:
        if not isinstance(data, Mapping):
            self.wrong(" is not a table." if data is not None else " is missing.")
            return None
        entries = cast("Mapping[str, object]", data)
        source = entries.get("source", "")
        if not isinstance(source, str) or not source.strip():
            self.wrong(" has no source.")
        columns = self.columns(entries["columns"]) if "columns" in entries else None
        rows = entries.get("rows")
        if not isinstance(rows, Mapping) or not rows:
            self.wrong(" has no rows.")
            return None
        spans: list[tuple[int, int, str, tuple[Cell, ...]]] = []
        for name, written in cast("Mapping[str, object]", rows).items():
            span = self.span(name)
            line = self.line(name, written, columns, cell)
            if span and line is not None:
                spans.append((*span, name, line))
        if not spans:
            return None
        spans.sort(key=lambda entry: entry[:2])
        self.joined([(low, high, name) for low, high, name, _ in spans])
        lines = tuple(line for low, high, _, line in spans for _ in range(low, high + 1))
        return Table(key, str(source), columns or ("",), spans[0][0], lines)

    def columns(self, written: object) -> tuple[str, ...]:
        listed = cast("list[object]", written) if isinstance(written, list | tuple) else []
        labels = tuple(map(str, listed))
        if not labels:
            self.wrong(".columns is not a list of labels.")
        for label in sorted({label for label in labels if labels.count(label) > 1}):
            self.wrong(f".columns has {label!r} more than once.")
        return labels

    def span(self, name: str) -> tuple[int, int] | None:
        match = _ROW.fullmatch(name)
        low = int(match[1]) if match else 0
        high = int(match[2]) if match and match[2] else low
        if match is None or high < low:
            self.wrong(
                f".rows.{name} is not the name of a row: "
                'write "3", "2-4", "0 or less" or "7 or more".'
            )
            return None
        return low, high

    def line(
        self,
        name: str,
        written: object,
        columns: tuple[str, ...] | None,
        cell: Callable[[Any], Cell],
    ) -> tuple[Cell, ...] | None:
        if columns is None:
            labels, values = [""], [written]
        else:
            labels = [f" under {label}" for label in columns]
            listed = isinstance(written, list | tuple)
            values = cast("list[object]", written) if listed else [written]
            if len(values) != len(labels) or not listed:
                self.wrong(f".rows.{name} has {len(values)} cells for {len(labels)} columns.")
                return None
        line: list[Cell] = []
        for label, value in zip(labels, values, strict=True):
            try:
                line.append(cell(value))
            except ValueError as error:
                self.wrong(f".rows.{name}{label}: {error}")
        return tuple(line)

    def joined(self, spans: Sequence[tuple[int, int, str]]) -> None:
        """Rows must cover every total once, and only the outer ones may be open."""
        for (_, high, before), (low, _, name) in itertools.pairwise(spans):
            if low <= high:
                self.wrong(f".rows has two rows for {low}: {before!r} and {name!r}.")
            elif low > high + 1:
                gap = f"{high + 1}" if low == high + 2 else f"{high + 1} to {low - 1}"
                self.wrong(f".rows has no row for {gap}.")
        for _, _, name in spans[1:]:
            if name.endswith("less"):
                self.wrong(f".rows.{name} is not the lowest row.")
        for _, _, name in spans[:-1]:
            if name.endswith("more"):
                self.wrong(f".rows.{name} is not the highest row.")


def never_worse(
    table: Table[Cell],
    columns: Iterable[str],
    score: Callable[[Cell], int | Fraction],
    dice: Sequence[int] = (),
) -> list[str]:
    """Where a later column is worse than the one before it; nothing if better is never worse.

    `columns` go from worst to best, and a higher `score` is better. Every row must hold by itself
    or, when `dice` are given, the mean over them must.
    """
    faults: list[str] = []
    for worse, better in itertools.pairwise(columns):
        left, right = table.column(worse), table.column(better)
        if dice:
            low, high = (table.chances(column, dice).mean(score) for column in (left, right))
            if high < low:
                faults.append(f"{better} scores {high} on average, less than {worse} with {low}.")
            continue
        for total, row in enumerate(table.rows, table.lowest):
            if score(row[right]) < score(row[left]):
                faults.append(
                    f"On {total}, {better} ({row[right]}) is worse than {worse} ({row[left]})."
                )
    return faults
