"""The log of a match: a history that forks share and old parts of which are packed."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Generic, NamedTuple, Self, TypeVar, overload

import msgspec

from apennine.kernel.decision import Event, Line, Option, maker, new_option
from apennine.kernel.dice import Faces
from apennine.kernel.position import Position

P = TypeVar("P", bound=Position)

PACKED = 256
"""Entries to a packed chunk: a few hundred, so that any moment is found again quickly."""

SPACING = 16
"""Entries between kept checkpoints, at least: so few that going back plays hardly any again."""

CLOSE = 6
"""Packed chunks with all the checkpoints kept in them; of an older one only the first stays."""


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


new_chosen: Callable[[tuple[int, Option, str, bool, bool, tuple[str, ...]]], Chosen] = maker(Chosen)
new_rolled: Callable[[tuple[Faces, Faces, str, str, int, bool, str, tuple[Line, ...]]], Rolled] = (
    maker(Rolled)
)
_new_event: Callable[[tuple[Any, ...]], Event] = maker(Event)


class _Chunk(NamedTuple, Generic[P]):
    before: _Chunk[P] | None
    start: int
    end: int
    packed: bytes
    kept: list[Snapshot[P]]

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
            entries.append(new_chosen((first, new_option(fields[1]), *fields[2:])))
        else:
            entries.append(new_rolled(fields) if type(first) is tuple else _new_event(fields))
    return entries


class Log(Sequence[Entry], Generic[P]):
    """All that was chosen, rolled and told, in order, and checkpoints to play it again from.

    A fork costs a few references. Entries older than a few hundred are kept packed, at about
    thirty bytes each. Checkpoints are kept close together for the last thousand entries or more,
    and far apart before.
    """

    __slots__ = ("_before", "_kept", "_start", "_tail", "due", "length")

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._before: _Chunk[P] | None = None
        self._start = 0
        self._tail: list[Entry] = []
        self._kept: tuple[Snapshot[P], ...] = ()
        self.length = 0
        """How many entries there are: what `len` says, without a call."""
        self.due = 0
        """Checkpoints before this length are too near to the last one kept."""
        self.extend(entries)

    def append(self, entry: Entry) -> None:
        """Add an entry; a fork does not see it."""
        self.extend((entry,))

    def extend(self, entries: Iterable[Entry]) -> None:
        """Add some entries; a fork does not see them."""
        tail = self._tail
        count = self.length - self._start
        if len(tail) != count:
            # A fork shares the tail and has gone on, or this log was cut.
            tail = self._tail = tail[:count]
        tail.extend(entries)
        self.length = self._start + len(tail)
        if len(tail) >= PACKED:
            self._pack()

    def _pack(self) -> None:
        """Pack the tail, but for what is less than a chunk."""
        while len(self._tail) >= PACKED:
            start, end = self._start, self._start + PACKED
            kept = [snapshot for snapshot in self._kept if snapshot.at < end]
            packed = _pack(self._tail[:PACKED])
            self._before = _Chunk(self._before, start, end, packed, kept)
            self._kept = self._kept[len(kept) :]
            self._tail = self._tail[PACKED:]
            self._start = end
            self._thin_out()

    def _thin_out(self) -> None:
        """Let go of all checkpoints but the first in the chunk that is close no more."""
        chunk = self._before
        for _ in range(CLOSE):
            if chunk is None:
                return
            chunk = chunk.before
        if chunk is not None:
            del chunk.kept[1:]

    def keep(self, snapshot: Snapshot[P]) -> None:
        """Keep a checkpoint, unless the last one kept is near or later."""
        if snapshot.at >= self.due:
            self._kept = (*self._kept, snapshot)
            self.due = snapshot.at + SPACING

    def fork(self) -> Self:
        """The same history, to be continued on its own."""
        other = object.__new__(type(self))
        other._before = self._before
        other._start = self._start
        other._tail = self._tail
        other._kept = self._kept
        other.length = self.length
        other.due = self.due
        return other

    def cut(self, length: int) -> Self:
        """The first entries as a log of their own. At most one chunk is unpacked for it."""
        other = self.fork()
        other.length = length
        kept: Sequence[Snapshot[P]] = self._kept
        chunk = self._before
        if chunk is not None and length < chunk.end:
            while chunk.before is not None and length < chunk.before.end:
                chunk = chunk.before
            # Some that were found again on the way back may lie in this chunk, between its own.
            all_kept = {snapshot.at: snapshot for snapshot in (*chunk.kept, *kept)}
            kept = [all_kept[at] for at in sorted(all_kept)]
            other._before = chunk.before
            other._start = chunk.start
            other._tail = chunk.entries()
        other._kept = tuple(snapshot for snapshot in kept if snapshot.at <= length)
        last = next(other.snapshots(), None)
        other.due = 0 if last is None else last.at + SPACING
        return other

    def snapshots(self) -> Iterator[Snapshot[P]]:
        """The kept checkpoints, the latest first."""
        yield from reversed(self._kept)
        chunk = self._before
        while chunk is not None:
            yield from reversed(chunk.kept)
            chunk = chunk.before

    def __len__(self) -> int:
        return self.length

    @overload
    def __getitem__(self, index: int) -> Entry: ...
    @overload
    def __getitem__(self, index: slice) -> list[Entry]: ...
    def __getitem__(self, index: int | slice) -> Entry | list[Entry]:
        if isinstance(index, slice):
            start, stop, step = index.indices(self.length)
            if step != 1:
                return list(self)[index]
            return self._between(start, stop)
        size = self.length
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
        yield from self._tail[: self.length - self._start]

    def __reversed__(self) -> Iterator[Entry]:
        yield from reversed(self._tail[: self.length - self._start])
        chunk = self._before
        while chunk is not None:
            yield from reversed(chunk.entries())
            chunk = chunk.before
