"""How one file of a pack is laid over a data file: tables key by key, lists by name.

Four marks say what is not a plain correction: `add`, with `after` for its place in a list,
`remove`, and `replace`, which takes a table as it is in the pack and leaves nothing of the old one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from difflib import get_close_matches
from typing import Any, NamedTuple, TypeGuard

from apennine.board import grid_rows

Table = dict[str, Any]

MARKS = ("add", "after", "remove", "replace")
NEW = "; if it is new, write 'add = true' in it"
THERE = "it is there already, and needs no 'add = true'"
NATURAL_KEYS = ("key", "name", "id", "unit")
"""What tells the tables of a list apart: the first of these that they all have."""


class Change(NamedTuple):
    """One value that a pack changes; None stands for a value that is not there."""

    pack: str
    file: str
    key: str
    was: Any
    now: Any


class Laying:
    """One file of a pack on its way over the data. It leaves what it is given as it is.

    The map has a reader that knows each of its keys; in other files, a key that neither the table
    nor its like have is a mistake, and so is a value of another type.
    """

    def __init__(self, pack: str, file: str, source: str, *, is_map: bool) -> None:
        self.changes: list[Change] = []
        self.mistakes: list[str] = []
        self._pack = pack
        self._file = file
        self._source = source
        self._is_map = is_map
        self._unsourced = 0
        """Changes for which no table on the way up has named a source yet."""

    def lay(self, old: Table, new: Table) -> Table:
        """The data of a file with those of the pack over them."""
        for mark in sorted(self._marks(new, "") - {"replace"}):
            self._mistake(mark, "a whole file is neither added nor removed")
        if self._is_map:
            old = self._with_own_source(old)
        return self._table(old, new, "", ())

    def _with_own_source(self, old: Table) -> Table:
        """A map has its sources by name: the pack's source is there under the pack's name."""
        sources: Table = old.get("sources", {})
        if self._pack in sources:
            self._mistake("sources", "the map has a source of this name: call the pack another")
        kind, _, text = self._source.partition(":")
        own = {"kind": kind, "text": text.strip()}
        return old | {"sources": sources | {self._pack: own}}

    def _mistake(self, key: str, reason: str) -> None:
        place = ", ".join(filter(None, (f"Pack {self._pack}", self._file, key)))
        self.mistakes.append(f"{place}: {reason}.")

    def _unknown(self, key: str, name: str, known: Iterable[str], advice: str = "") -> None:
        near = get_close_matches(name, list(known), n=1)
        hint = f"; perhaps {near[0]!r} is meant" if near else ""
        self._mistake(key, f"there is no such entry to correct{hint}{advice}")

    def _change(self, key: str, was: Any, now: Any) -> None:
        if was != now:
            self.changes.append(Change(self._pack, self._file, key, was, now))
            self._unsourced += key.rpartition(".")[2] != "source"

    def _marks(self, new: Table, key: str) -> set[str]:
        """The marks of a table; `after` has a name, the others are true."""
        marks = {mark for mark in MARKS if mark in new}
        for mark in marks - {"after"}:
            if new[mark] is not True:
                self._mistake(_join(key, mark), f"write '{mark} = true', or leave it away")
        if len(marks - {"after"}) > 1 or ("after" in marks and "add" not in marks):
            self._mistake(key, f"the marks {' and '.join(sorted(marks))} do not go together")
        return marks

    def _table(self, old: Table, new: Table, key: str, known: Collection[str]) -> Table:
        """A table laid over another; `known` are the keys that others of its kind have."""
        settled = self._unsourced
        if "replace" in new:
            merged = self._replaced(old, new, key)
        else:
            merged = dict(old)
            for name, value in _without_marks(new).items():
                self._value(merged, name, value, _join(key, name), known)
        if self._unsourced > settled and "source" in old and "source" not in new:
            if "replace" in new:
                merged["source"] = self._pack if self._is_map else self._source
                self._change(_join(key, "source"), old["source"], merged["source"])
            else:
                text: str = old["source"]
                between = "," if ":" in text else ":"
                merged["source"] = f"{text}{between} corrected in part by pack {self._pack}"
        if "source" in merged:
            self._unsourced = settled
        return merged

    def _replaced(self, old: Table, new: Table, key: str) -> Table:
        merged = _without_marks(new)
        for name in (*old, *(name for name in merged if name not in old)):
            if name != "source" or name in merged:
                self._change(_join(key, name), old.get(name), merged.get(name))
        return merged

    def _value(
        self, merged: Table, name: str, value: Any, key: str, known: Collection[str]
    ) -> None:
        """Lay one value over that of the same name in `merged`, or put it there."""
        if isinstance(value, dict):
            self._subtable(merged, name, value, key, known)  # pyright: ignore[reportUnknownArgumentType]
            return
        there = name in merged
        if not there and not self._is_map and name not in known and name != "source":
            self._unknown(key, name, {*merged, *known})
            return
        old = merged.get(name)
        if there and not self._is_map and _type(old) != _type(value):
            self._mistake(key, f"it is {_type(old)}, and cannot become {_type(value)}")
        elif value and _is_tables(value) and _is_tables(old):
            merged[name] = self._entries(old, value, key)
        elif self._is_map and name == "grid" and isinstance(old, str) and isinstance(value, str):
            merged[name] = self._grid(old, value, key)
        else:
            merged[name] = value
            self._change(key, old, value)

    def _subtable(
        self, merged: Table, name: str, new: Table, key: str, known: Collection[str]
    ) -> None:
        old = merged.get(name)
        if isinstance(old, list) and self._is_map:
            merged[name] = self._courses(old, new, key)  # pyright: ignore[reportUnknownArgumentType]
            return
        marks = self._marks(new, key)
        like = _keys(merged.values()) if "." in key else ()  # top tables have nothing in common
        if old is None:
            if "add" not in marks and name not in known and not (self._is_map and name == "set"):
                self._unknown(key, name, {*merged, *known}, NEW)
                return
            merged[name] = _without_marks(new)
            self._change(key, None, merged[name])
        elif not isinstance(old, dict):
            self._mistake(key, f"it is {_type(old)}, and cannot become a table")
        elif "add" in marks:
            self._mistake(key, THERE)
        elif "remove" in marks:
            self._change(key, merged.pop(name), None)
        else:
            merged[name] = self._table(old, new, key, like)  # pyright: ignore[reportUnknownArgumentType]

    def _entries(self, old: list[Table], new: list[Table], key: str) -> list[Table]:
        """A list of tables, corrected by what tells its tables apart; else taken as a whole."""
        by = _natural_key(old or new)
        if by is None:
            if _keys(new) & set(MARKS):
                self._mistake(key, "its entries have no names: give the list whole, without marks")
            self._change(key, old, new)
            return new
        merged = {entry[by]: entry for entry in old}
        order = list(merged)
        known = _keys(old)
        for entry in new:
            name = entry.get(by)
            place = _join(key, str(name))
            if name is None:
                self._mistake(key, f"an entry has no {by!r}, by which it would be found")
            elif "add" in self._marks(entry, place):
                if name in merged:
                    self._mistake(place, THERE)
                    continue
                merged[name] = _without_marks(entry)
                order.insert(self._place(entry.get("after"), order, place), name)
                self._change(place, None, merged[name])
            elif name not in merged:
                self._unknown(place, str(name), map(str, merged), NEW)
            elif "remove" in entry:
                order.remove(name)
                self._change(place, merged.pop(name), None)
            else:
                merged[name] = self._table(merged[name], entry, place, known)
        return [merged[name] for name in order]

    def _place(self, after: Any, order: list[Any], key: str) -> int:
        if after is None:
            return len(order)
        if after not in order:
            self._mistake(_join(key, "after"), f"there is no entry {after!r}")
            return len(order)
        return order.index(after) + 1

    def _grid(self, old: str, new: str, key: str) -> str:
        """A drawn grid: the rows (or columns) of the pack take the place of those so labelled."""
        rows = dict(grid_rows(old))
        seen: set[str] = set()
        for label, row in grid_rows(new):
            if label in seen:
                self._mistake(_join(key, label), "it is drawn twice")
            seen.add(label)
            self._change(_join(key, label), rows.get(label), row)
            rows[label] = row
        return "\n".join(f"{label} {row}" for label, row in rows.items())

    def _courses(self, old: list[Any], new: Table, key: str) -> list[Any]:
        """A list of courses such as "Po: 0806/0805", corrected by a table with their names."""
        merged = list(old)
        for name, value in new.items():
            place = _join(key, name)
            found = [c for c in merged if isinstance(c, str) and c.startswith(f"{name}:")]
            added: Any = value.get("add") if isinstance(value, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
            if isinstance(added, str) and not found:
                merged.append(f"{name}: {added}")
                self._change(place, None, added)
            elif not found:
                names = [c.partition(":")[0] for c in merged if isinstance(c, str) and ":" in c]
                self._unknown(place, name, names, '; if it is new, write { add = "..." }')
            elif value == {"remove": True}:
                merged = [course for course in merged if course not in found]
                self._change(place, "; ".join(found), None)
            elif not isinstance(value, str):
                self._mistake(place, "a course is text, or { remove = true }")
            elif len(found) > 1:
                self._mistake(place, f"{len(found)} courses have this name: give the whole list")
            else:
                at = merged.index(found[0])
                merged[at] = f"{name}: {value}"
                self._change(place, found[0].partition(":")[2].strip(), value)
        return merged


def _join(key: str, name: str) -> str:
    return f"{key}.{name}" if key else name


def _without_marks(table: Table) -> Table:
    return {name: value for name, value in table.items() if name not in MARKS}


def _is_tables(value: Any) -> TypeGuard[list[Table]]:
    return isinstance(value, list) and all(isinstance(entry, dict) for entry in value)  # pyright: ignore[reportUnknownVariableType]


def _keys(tables: Iterable[Any]) -> set[str]:
    """All keys that some of these tables have."""
    return {name for table in tables if isinstance(table, dict) for name in table}  # pyright: ignore[reportUnknownVariableType]


def _natural_key(entries: list[Table]) -> str | None:
    for key in NATURAL_KEYS:
        names = [entry.get(key) for entry in entries]
        if None not in names and len(set(map(str, names))) == len(names):
            return key
    return None


def _type(value: Any) -> str:
    """The type of a value in the words of TOML; whole and broken numbers are one."""
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int | float):
        return "a number"
    names = {"str": "text", "list": "a list", "dict": "a table"}
    return names.get(type(value).__name__, "a date")
