"""The log of a match: an append-only history that forks share and old parts of which are packed."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from typing import Generic, NamedTuple, Self, TypeVar, overload

import msgspec

from apennine.kernel.decision import Event, Line, Option
from apennine.kernel.position import Position

P = TypeVar("P", bound=Position)

PACKED = 256
"""Entries to a packed chunk: a few hundred, so that any moment is found again quickly."""


class Chosen(NamedTuple):
    """A choice that was made. `automatic`: it was the only option, and the match took it.

    `veil` names what of the option other sides do not see: "unit", "hex", "value".
    """

    side: int
    option: Option
    rule: str
    secret: bool = False
    automatic: bool = False
    veil: tuple[str, ...] = ()


class Rolled(NamedTuple):
    """Dice that fell: roll number `nth` of the match. `given`: by hand, not from the seed.

    `column` and `lines` are those of the `Roll`; saves from before there were any have none.
    """

    faces: tuple[int, ...]
    sides: tuple[int, ...]
    purpose: str
    rule: str
    nth: int
    given: bool = False
    column: str = ""
    lines: tuple[Line, ...] = ()


Entry = Chosen | Rolled | Event

HIDDEN = Option("hidden")
"""Stands in a log for what another side chose in secret."""
VEILED = -2
"""Stands in an option for a unit, a hex or a value that another side does not see."""


class Snapshot(msgspec.Struct, Generic[P], frozen=True):
    """A checkpoint: the position (never changed again) when the log had `at` entries."""

    at: int
    position: P
    rolls: int


class _Chunk(NamedTuple, Generic[P]):
    before: _Chunk[P] | None
    start: int
    end: int
    packed: bytes
    snapshot: Snapshot[P]

    def entries(self) -> list[Entry]:
        return _unpack(self.packed)


def _pack(entries: Sequence[Entry]) -> bytes:
    """Entries as bytes: plain tuples, which take a tenth of the time that named ones do."""
    plain = [
        (entry.side, tuple(entry.option), *entry[2:]) if type(entry) is Chosen else tuple(entry)
        for entry in entries
    ]
    return pickle.dumps(plain, protocol=pickle.HIGHEST_PROTOCOL)


def _unpack(packed: bytes) -> list[Entry]:
    """The entries again, told apart by their first fields: a side, faces, or a verb."""
    entries: list[Entry] = []
    for fields in pickle.loads(packed):
        first = fields[0]
        if type(first) is int:
            entries.append(Chosen(first, Option(*fields[1]), *fields[2:]))
        else:
            entries.append(Rolled(*fields) if type(first) is tuple else Event(*fields))
    return entries


class Log(Sequence[Entry], Generic[P]):
    """All that was chosen, rolled and told, in order.

    A fork costs three references. Entries older than a few hundred are kept packed, at about
    thirty bytes each, together with a snapshot from which they can be played again.
    """

    __slots__ = ("_before", "_count", "_start", "_tail")

    def __init__(self) -> None:
        self._before: _Chunk[P] | None = None
        self._start = 0
        self._tail: list[Entry] = []
        self._count = 0

    def append(self, entry: Entry) -> None:
        """Add an entry; a fork that shares the tail does not see it."""
        tail = self._tail
        if len(tail) != self._count:
            tail = self._tail = tail[: self._count]
        tail.append(entry)
        self._count += 1

    def fork(self) -> Self:
        """The same history, to be continued on its own."""
        other = object.__new__(type(self))
        other._before = self._before
        other._start = self._start
        other._tail = self._tail
        other._count = self._count
        return other

    def drop(self, count: int) -> None:
        """Forget the last entries, none of which is packed yet."""
        self._count -= count

    def pack(self, snapshot: Snapshot[P]) -> None:
        """Pack the tail if it is long; `snapshot` is the last checkpoint."""
        if self._count >= PACKED:
            entries = self._tail[: self._count]
            start, end = self._start, self._start + len(entries)
            packed = _pack(entries)
            self._before = _Chunk(self._before, start, end, packed, snapshot)
            self._start = end
            self._tail = []
            self._count = 0

    def cut(self, length: int) -> Self:
        """The first entries as a log of their own."""
        other = self.fork()
        while other._before is not None and length < other._before.end:
            chunk = other._before
            other._before = chunk.before
            other._start = chunk.start
            other._tail = chunk.entries()
        other._count = length - other._start
        return other

    def snapshots(self) -> Iterator[Snapshot[P]]:
        """The kept checkpoints, the latest first."""
        chunk = self._before
        while chunk is not None:
            yield chunk.snapshot
            chunk = chunk.before

    def __len__(self) -> int:
        return self._start + self._count

    @overload
    def __getitem__(self, index: int) -> Entry: ...
    @overload
    def __getitem__(self, index: slice) -> list[Entry]: ...
    def __getitem__(self, index: int | slice) -> Entry | list[Entry]:
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            if step != 1:
                return list(self)[index]
            return self._between(start, stop)
        size = len(self)
        if index < 0:
            index += size
        if not 0 <= index < size:
            raise IndexError(f"The log has {size} entries, there is no number {index}.")
        if index >= self._start:
            return self._tail[index - self._start]
        chunk = self._before
        while chunk is not None and index < chunk.start:
            chunk = chunk.before
        assert chunk is not None
        return chunk.entries()[index - chunk.start]

    def _between(self, start: int, stop: int) -> list[Entry]:
        parts = [self._tail[max(0, start - self._start) : max(0, stop - self._start)]]
        chunk = self._before
        while chunk is not None and start < chunk.end:
            if stop > chunk.start:
                first = max(0, start - chunk.start)
                parts.append(chunk.entries()[first : stop - chunk.start])
            chunk = chunk.before
        return [entry for part in reversed(parts) for entry in part]

    def __iter__(self) -> Iterator[Entry]:
        chunks: list[_Chunk[P]] = []
        chunk = self._before
        while chunk is not None:
            chunks.append(chunk)
            chunk = chunk.before
        for chunk in reversed(chunks):
            yield from chunk.entries()
        yield from self._tail[: self._count]

    def __reversed__(self) -> Iterator[Entry]:
        yield from reversed(self._tail[: self._count])
        chunk = self._before
        while chunk is not None:
            yield from reversed(chunk.entries())
            chunk = chunk.before
