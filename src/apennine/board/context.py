"""What the readers of a map file share: its mistakes, its sources, and how a table is read."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any, TypeVar

from msgspec import Struct

from .mistakes import Notes
from .model import Source
from .tables import ListTable, SourceTable, read_table

_Table = TypeVar("_Table", bound=Struct)
_NAME = re.compile(r"[a-z0-9]+([-_][a-z0-9]+)*")


class Context:
    """Reads tables one by one, and finds the source of each."""

    def __init__(self, notes: Notes, sources: Mapping[str, object]) -> None:
        self.notes = notes
        self.sources: dict[str, Source] = {}
        self._known_sources: dict[str, SourceTable] = {}
        self._known_sources = self.tables(sources, SourceTable, "sources")

    def table(self, raw: object, cls: type[_Table], key: str) -> _Table | None:
        """Read a table and look its source up; None if its shape is wrong."""
        table = read_table(raw, cls, key, self.notes)
        source: str = getattr(table, "source", "")
        if source:
            name, _, detail = source.partition(":")
            if name in self._known_sources:
                known = self._known_sources[name]
                self.sources[key] = Source(known.kind, known.text, detail.strip())
            else:
                self.notes.unknown(key, "There is no source", name, self._known_sources)
        return table

    def optional(self, raw: object, cls: type[_Table], key: str) -> _Table | None:
        """As `table`; None also if there is no such table."""
        return None if raw is None else self.table(raw, cls, key)

    def tables(self, raw: Mapping[str, object], cls: type[_Table], group: str) -> dict[str, _Table]:
        """Read the tables `[group.NAME]`; those whose shape is wrong are left out."""
        found: dict[str, _Table] = {}
        for name, value in raw.items():
            key = f"{group}.{name}"
            self.check_name(name, key)
            table = self.table(value, cls, key)
            if table is None:
                self.notes.spoil(name)
            else:
                found[name] = table
        return found

    def entries(self, raw: object, key: str) -> list[dict[str, Any]]:
        """The raw entries of a table that is a list, such as `[places]`."""
        table = self.optional(raw, ListTable, key)
        return [] if table is None else table.entries

    def check_name(self, name: str, key: str) -> None:
        """Note a name that does not look like one."""
        if not _NAME.fullmatch(name):
            text = f"{name!r} is not a name: use small letters, digits, '-' and '_'."
            self.notes.add(key, text)

    def known(self, names: Iterable[str], lead: str, known: Collection[str], key: str) -> list[str]:
        """The names that the map knows, noting the others."""
        found: list[str] = []
        for name in names:
            if name in known:
                found.append(name)
            else:
                self.notes.unknown(key, lead, name, known)
        return found
