"""Named sites of a map: places on it, boxes beside it, and sources of supply."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from apennine.hexes import HexError, Lattice

from .context import Context
from .hexsets import HexSets
from .model import Box, Place, Supply
from .tables import BoxTable, KindTable, PlaceTable, SupplyTable


class Sites:
    """Reads `[places]`, `[boxes]` and `[supply]`."""

    def __init__(
        self, context: Context, lattice: Lattice, hexsets: HexSets, kinds: Mapping[str, KindTable]
    ) -> None:
        self._context = context
        self._notes = context.notes
        self._lattice = lattice
        self._hexsets = hexsets
        self._kinds = kinds

    def _check_numbers(self, entry: PlaceTable | BoxTable, key: str) -> None:
        """A place or box has the numbers that its kinds need, and none that they do not know."""
        kinds = [
            self._kinds[k]
            for k in self._context.known(entry.kinds, "There is no kind", self._kinds, key)
        ]
        needs = list(dict.fromkeys(name for kind in kinds for name in kind.needs))
        allowed = [*needs, *(name for kind in kinds for name in kind.may)]
        for name in needs:
            if name not in entry.numbers:
                self._notes.add(key, f"The number {name!r} is missing.")
        if len(kinds) == len(entry.kinds):
            self._context.known(entry.numbers, "Its kinds have no number", allowed, key)

    def places(self, entries: Iterable[Mapping[str, Any]]) -> dict[str, Place]:
        """Read the entries of `[places]`."""
        places: dict[str, Place] = {}
        for i, entry in enumerate(entries, 1):
            key = f"places.{entry.get('name', i)}"
            table = self._context.table(entry, PlaceTable, key)
            if table is None:
                continue
            if table.name in places:
                self._notes.add(key, "Two places have this name.")
            hexes, sure = self._hexsets.read(table.at, f"{key}.at")
            if not hexes and sure:
                self._notes.add(f"{key}.at", "The place has no hex.")
            self._check_numbers(table, key)
            numbers = MappingProxyType(table.numbers)
            places[table.name] = Place(table.name, hexes, frozenset(table.kinds), numbers)
        return places

    def boxes(self, entries: Iterable[Mapping[str, Any]]) -> tuple[Box, ...]:
        """Read the entries of `[boxes]`. A box next to another has that one next to it too."""
        tables: dict[str, BoxTable] = {}
        for i, entry in enumerate(entries, 1):
            key = f"boxes.{entry.get('name', i)}"
            table = self._context.table(entry, BoxTable, key)
            if table is None:
                self._notes.spoil(str(entry.get("name", "")))
            elif table.name in tables:
                self._notes.add(key, "Two boxes have this name.")
            else:
                self._check_box_name(table.name, key)
                tables[table.name] = table
        location = {name: self._lattice.size + i for i, name in enumerate(tables)}
        near: dict[str, set[int]] = {name: set() for name in tables}
        for name, table in tables.items():
            for other in self._context.known(
                table.boxes, "There is no box", tables, f"boxes.{name}.boxes"
            ):
                near[name].add(location[other])
                near[other].add(location[name])
        return tuple(
            self._box(table, location[name], tuple(sorted(near[name])))
            for name, table in tables.items()
        )

    def _check_box_name(self, name: str, key: str) -> None:
        if name.split() != [name]:
            self._notes.add(key, f"{name!r} is not the name of a box: it must be one word.")
        try:
            self._lattice.parse(name)
        except HexError:
            return
        self._notes.add(key, "A hex has this name already.", name)

    def _box(self, table: BoxTable, location: int, near: tuple[int, ...]) -> Box:
        key = f"boxes.{table.name}"
        hexes, sure = self._hexsets.read(table.hexes, f"{key}.hexes")
        self._check_numbers(table, key)
        if table.apart and (hexes or near):
            self._notes.add(key, "The box is said to be apart, but is next to something.")
        elif sure and not (table.apart or hexes or near or table.boxes):
            self._notes.add(
                key, "The box is next to nothing; if that is meant, add 'apart = true'."
            )
        numbers = MappingProxyType(table.numbers)
        title = table.title or table.name
        return Box(table.name, location, title, frozenset(table.kinds), numbers, hexes, near)

    def supply(self, table: SupplyTable, key: str, boxes: Mapping[str, int]) -> Supply:
        """Read `[supply.NAME]`."""
        hexes, sure = self._hexsets.read(table.hexes, f"{key}.hexes")
        near = self._context.known(table.boxes, "There is no box", boxes, f"{key}.boxes")
        if sure and not (hexes or table.boxes):
            self._notes.add(key, "The source of supply has neither a hex nor a box.")
        numbers = MappingProxyType(table.numbers)
        return Supply(table.side, hexes, tuple(boxes[name] for name in near), numbers)
