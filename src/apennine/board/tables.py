"""The shape of a map file: which tables it has, which keys are in them, and their types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias, TypeVar, cast, get_args, get_origin

import msgspec
from msgspec import Struct, field

from .mistakes import Notes
from .model import SourceKind

FORMAT = 1

Terms: TypeAlias = str | list[str]
By: TypeAlias = Literal["rows", "columns"]


class SourceTable(Struct):
    """`[sources.NAME]`."""

    kind: SourceKind
    text: str


class SheetTable(Struct, forbid_unknown_fields=True):
    """One of `lattice.sheets`."""

    prefix: str
    columns: tuple[int, int]
    offset: int


class LatticeTable(Struct):
    """`[lattice]`."""

    source: str
    kind: Literal["columns", "rows", "oblique"]
    columns: tuple[int | str, int | str]
    rows: tuple[int, int]
    code: Literal["CCRR", "RRCC"] | None = None
    shifted: Literal["odd", "even"] | None = None
    digits: int = 2
    columns_grow: Literal["right", "left"] = "right"
    rows_grow: Literal["down", "up"] = "down"
    sheets: list[SheetTable] = []


class GridTable(Struct):
    """`[terrain]` and `[side-terrain]`."""

    source: str
    legend: dict[str, str]
    grid: str
    by: By = "rows"
    set: dict[str, str] = {}


class NumbersTable(Struct):
    """`[numbers.NAME]`."""

    source: str
    grid: str
    by: By = "rows"
    default: int | None = None
    set: dict[str, int] = {}


class SidesTable(Struct):
    """`[sides.NAME]`."""

    source: str
    courses: list[str] = []
    loose: list[str] = []
    directed: bool = False


class CoursesTable(Struct):
    """`[roads.NAME]` and `[through.NAME]`."""

    source: str
    courses: list[str]


class CrossingsTable(Struct, forbid_unknown_fields=True):
    """`bridges.NAME.crossings`."""

    roads: list[str]
    sides: list[str] = []
    through: list[str] = []


class BridgesTable(Struct):
    """`[bridges.NAME]`."""

    source: str
    crossings: CrossingsTable | None = None
    at: list[str] = []
    except_at: list[str] = field(default_factory=list[str], name="except")


class KindTable(Struct):
    """`[kinds.NAME]`."""

    needs: list[str] = []
    may: list[str] = []


class ListTable(Struct):
    """`[places]` and `[boxes]`."""

    source: str
    entries: list[dict[str, Any]] = field(name="list")


class PlaceTable(Struct):
    """One of `places.list`."""

    name: str
    at: Terms
    kinds: list[str] = []
    numbers: dict[str, int] = {}
    source: str = ""


class BoxTable(Struct):
    """One of `boxes.list`."""

    name: str
    title: str = ""
    kinds: list[str] = []
    numbers: dict[str, int] = {}
    hexes: Terms = []
    boxes: list[str] = []
    apart: bool = False
    source: str = ""


class RegionTable(Struct):
    """`[regions.NAME]`."""

    source: str
    hexes: Terms


class LineTable(Struct):
    """`[lines.NAME]`."""

    source: str
    title: str = ""
    hexes: list[str] = []
    sides: list[str] = []
    directed: bool = False
    scenes: list[str] = []


class SupplyTable(Struct):
    """`[supply.NAME]`."""

    source: str
    side: str
    hexes: Terms = []
    boxes: list[str] = []
    numbers: dict[str, int] = {}


class MapTable(Struct):
    """The whole file. Its tables are read one by one: a mistake in one hides none in another."""

    format: int | None = None
    title: str = ""
    lattice: dict[str, Any] | None = None
    terrain: dict[str, Any] | None = None
    scale: str = ""
    north: int | None = None
    credits: list[str] = []
    sources: dict[str, Any] = {}
    side_terrain: dict[str, Any] | None = field(default=None, name="side-terrain")
    numbers: dict[str, Any] = {}
    sides: dict[str, Any] = {}
    roads: dict[str, Any] = {}
    through: dict[str, Any] = {}
    bridges: dict[str, Any] = {}
    kinds: dict[str, Any] = {}
    places: dict[str, Any] | None = None
    boxes: dict[str, Any] | None = None
    regions: dict[str, Any] = {}
    lines: dict[str, Any] = {}
    supply: dict[str, Any] = {}


_Table = TypeVar("_Table", bound=Struct)


def read_table(raw: object, cls: type[_Table], key: str, notes: Notes) -> _Table | None:
    """Turn a raw table into its type, noting every key that is unknown, missing or ill-typed.

    Only a missing source leaves the table fit for further checks; otherwise None is returned.
    """
    if not isinstance(raw, dict):
        notes.add(key, "This must be a table.")
        return None
    table = cast("Mapping[str, Any]", raw)
    values, fit = _read_values(table, cls, key, notes)
    for name, f in _fields(cls).items():
        if f.required and name == "source" and not table.get(name):
            notes.add(key, "The table has no source.")
            values[name] = ""
        elif f.required and name not in table:
            notes.add(key, f"The key {name!r} is missing.")
            fit = False
    return cls(**values) if fit else None


def read_top(table: Mapping[str, Any], notes: Notes) -> MapTable:
    """Turn the whole file into its tables, passing over those that are no tables at all."""
    values, _ = _read_values(table, MapTable, "", notes)
    for name in ("format", "title", "lattice", "terrain"):
        if name not in table:
            notes.add("", f"The key {name!r} is missing.")
    top = MapTable(**values)
    if top.format not in (None, FORMAT):
        notes.add("format", f"Maps of format {FORMAT} can be read, not of {top.format}.")
    return top


def _fields(cls: type[Struct]) -> dict[str, msgspec.structs.FieldInfo]:
    return {f.encode_name: f for f in msgspec.structs.fields(cls)}


def _read_values(
    table: Mapping[str, Any], cls: type[Struct], key: str, notes: Notes
) -> tuple[dict[str, Any], bool]:
    """The values that have the right type, and whether all have."""
    fields = _fields(cls)
    values: dict[str, Any] = {}
    fit = True
    for name, value in table.items():
        if name not in fields:
            notes.unknown(key, "There is no key", name, fields)
            continue
        try:
            values[fields[name].name] = msgspec.convert(value, fields[name].type)
        except msgspec.ValidationError as error:
            choices = _choices(fields[name].type)
            text = f"{value!r} is not one of {', '.join(choices)}" if choices else _plain(error)
            notes.add(f"{key}.{name}" if key else name, f"{text}.")
            fit = False
    return values, fit


def _choices(type_: Any) -> list[str]:
    """The words that a key may have, if it may not have others."""
    if get_origin(type_) is Literal:
        return [str(word) for word in get_args(type_)]
    return [word for part in get_args(type_) for word in _choices(part)]


_PLAIN_WORDS = {"`object`": "a table", "`array`": "a list", "`str`": "text", "`int`": "a number"}


def _plain(error: msgspec.ValidationError) -> str:
    """What msgspec says, in the words of TOML."""
    reason, _, place = str(error).partition(" - at `$")
    for word, plain in _PLAIN_WORDS.items():
        reason = reason.replace(word, plain)
    return f"{reason} (at {place[:-1]})" if place else reason
