"""The units of a game as its data files list them, and readers for all that stands beside them.

A game declares its lines as subclasses of `Entry` and all of its files as one dataclass, whose
fields say `where` they are read. What does not fit is a DataError, one sentence that names the
file, the key and the reason, raised when the game is made and not in the middle of a match.
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, fields
from itertools import chain
from typing import Annotated, Any, Generic, NamedTuple, Protocol, TypeVar, cast, get_type_hints

import msgspec

from apennine.board import Board
from apennine.hexes import HexError, Mask, bits, mask_of
from apennine.kernel.data import DataError, DataFile
from apennine.mechanics.tables import Table, TableError, read_table

Count = Annotated[int, msgspec.Meta(ge=0)]
Positive = Annotated[int, msgspec.Meta(ge=1)]
B = TypeVar("B")
T = TypeVar("T")


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Any line of a data file; it may say where it comes from."""

    source: str = ""


class Counter(Entry, frozen=True):
    """A counter: what it is called on the map and in full, and its side."""

    name: str
    title: str
    side: str


class Beginning(Entry, frozen=True):
    """A scenario, as players choose one."""

    key: str
    title: str
    summary: str


class Listed(Protocol):
    """What a roster asks of a unit: each game says more."""

    @property
    def name(self) -> str: ...
    @property
    def side(self) -> str: ...


class Nation(Entry, frozen=True):
    """A nationality and its side; a game may know more of one."""

    title: str
    side: str


class Enlisted(Listed, Protocol):
    """A unit of a nation."""

    @property
    def nation(self) -> str: ...


U = TypeVar("U", bound=Listed)


class Roster(Generic[U]):
    """All units by number, those of a side one after the other.

    >>> class Battalion(Entry, frozen=True):
    ...     name: str
    ...     side: str
    >>> units = [Battalion(name="1", side="Red"), Battalion(name="I", side="Blue")]
    >>> roster = Roster(units, ("Red", "Blue"), DataFile("units.toml", {}))
    >>> roster.names, roster.side_of, roster.armies
    (('1', 'I'), (0, 1), (1, 2))
    """

    def __init__(self, units: Sequence[U], sides: Sequence[str], file: DataFile) -> None:
        self.units = tuple(units)
        self.names = tuple(unit.name for unit in units)
        refuse(file, twice(self.names, "units"))
        for unit in units:
            if unit.side not in sides:
                raise file.refuse(f"units: {unit.name} is of no side: {unit.side!r}.")
        self.side_of = tuple(sides.index(unit.side) for unit in units)
        self.members = tuple(self._together(side, name, file) for side, name in enumerate(sides))
        """By side, the numbers of its units."""
        self.armies = tuple(map(mask_of, self.members))
        """By side, the set of its units."""

    def _together(self, side: int, name: str, file: DataFile) -> range:
        numbers = [unit for unit, owner in enumerate(self.side_of) if owner == side]
        found = range(numbers[0], numbers[-1] + 1) if numbers else range(0)
        if len(found) != len(numbers):
            raise file.refuse(f"units: those of the {name} side do not stand together.")
        return found

    def those(self, test: Callable[[U], object]) -> Mask:
        """The set of the units that pass a test."""
        return mask_of(number for number, unit in enumerate(self.units) if test(unit))

    def each(self, what: Callable[[U], T], kinds: Iterable[T]) -> tuple[Mask, ...]:
        """By kind, the set of the units of which this is so."""
        found = [what(unit) for unit in self.units]
        return tuple(mask_of(u for u, of in enumerate(found) if of == kind) for kind in kinds)

    def by_turn(self, turn: Callable[[U], int]) -> tuple[dict[int, tuple[int, ...]], ...]:
        """By side and by the turn of each unit, its units; those of turn 0 are left out."""
        turns = sorted({found for unit in self.units if (found := turn(unit)) > 0})
        masks = self.each(turn, turns)
        return tuple(
            {of: tuple(bits(units & army)) for of, units in zip(turns, masks) if units & army}
            for army in self.armies
        )


# Readers.


class _Where(NamedTuple):
    file: str
    key: str
    names: Iterable[str]
    cell: Callable[[str], Any] | None


def where(
    file: str, key: str = "", *, names: Iterable[str] = (), cell: Callable[[str], Any] | None = None
) -> Any:
    """Where a field of a book is read: in which file, under which key (else its own name).

    With `names` it is a table that must have an entry for each of them and no others; with `cell`
    it is a chart, whose cells are read by that.
    """
    return field(metadata={"where": _Where(file, key, names, cell)})


def read_book(kind: type[B], *files: DataFile) -> B:
    """All that the data files say, field by field, as a dataclass declares it."""
    known = {file.name: file for file in files}
    hints = get_type_hints(kind)
    values: dict[str, Any] = {}
    for each in fields(cast("Any", kind)):
        place: _Where = each.metadata["where"]
        file, key = known[place.file], place.key or each.name
        if place.cell is not None:
            values[each.name] = read_chart(file, key, place.cell)
            continue
        found = values[each.name] = file.read(key, hints[each.name])
        for name in sorted(set(place.names) ^ set(found) if place.names else ()):
            raise file.refuse(f"{key}.{name} is {'unknown' if name in found else 'missing'}.")
    return kind(**values)


def read_chart(file: DataFile, key: str, cell: Callable[[str], T]) -> Table[T]:
    """A chart that dice are rolled on."""
    try:
        return read_table(key, file.data.get(key), cell, file.name)
    except TableError as error:
        raise DataError(error.mistakes[0]) from error


def read_place(board: Board, text: str, file: DataFile, who: str, among: Mask = -1) -> int:
    """A hex or box by its code or name, one of a set of them if told so."""
    try:
        place = board.parse(text)
    except HexError as error:
        raise file.refuse(f"{who}: {error}") from error
    if not among >> place & 1:
        raise file.refuse(f"{who}: {text} is the wrong sort of hex.")
    return place


# What files must have in common, as sentences about what does not fit.


def refuse(file: DataFile, *checks: Iterable[str]) -> None:
    """Raise the first fault of a file that some checks find."""
    for fault in chain.from_iterable(checks):
        raise file.refuse(fault)


def strays(units: Iterable[Enlisted], nations: Mapping[str, Nation]) -> Iterator[str]:
    """Units whose nation is on the other side, or is none."""
    for unit in units:
        nation = nations.get(unit.nation)
        if nation is None or nation.side != unit.side:
            yield f"units: {unit.name} is of no nation of its side."


def twice(names: Iterable[str], key: str, does: str = "is there") -> Iterator[str]:
    """Names that a list has more than once."""
    for name, count in collections.Counter(names).items():
        if count > 1:
            yield f"{key}: {name} {does} twice."


def known_unit(units: Mapping[str, U], name: str, file: DataFile, key: str) -> U:
    """The unit that a file names."""
    if name not in units:
        raise file.refuse(f"{key}: there is no unit {name!r}.")
    return units[name]
