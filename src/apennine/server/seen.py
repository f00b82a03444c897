"""The log of a match as one side sees it, by number, so that any part is found at once."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

from apennine.kernel.decision import Event
from apennine.kernel.game import Game
from apennine.kernel.log import Chosen, Entry, Rolled
from apennine.kernel.match import Match
from apennine.kernel.view import HIDDEN, seen_entry
from apennine.kernel.words import describe, describe_event, spot_name, unit_name
from apennine.server.messages import LogEntry


class SeenLog:
    """Which entries of a match's log a side (-1: a spectator) sees, and as what.

    A run of secret choices of another side is one hidden entry, as in `kernel.view.seen_log`:
    numbers count what this side sees, never the entries themselves.
    """

    def __init__(self, side: int) -> None:
        self.side = side
        self.starts = array("I")
        """By number: which entry of the log it is; of a hidden run, the first."""
        self.chain = array("Q")
        """By number: a fingerprint of the seen log up to there."""
        self._length = 0
        self._hiding = -1

    def __len__(self) -> int:
        return len(self.starts)

    def cut(self, length: int, match: Match[Any]) -> None:
        """Forget what came after so many entries of the log."""
        if length < self._length:
            while self.starts and self.starts[-1] >= length:
                self.starts.pop()
                self.chain.pop()
            self._length = length
            self._hiding = self._hidden_side(match.log[length - 1]) if length else -1

    def read(self, match: Match[Any]) -> None:
        """Look at the entries that are new."""
        before = self.chain[-1] if self.chain else 0
        for entry in match.log[self._length :]:
            hidden = self._hidden_side(entry)
            if hidden < 0 or hidden != self._hiding:
                shown = _told(seen_entry(entry, self.side)) if hidden < 0 else (hidden, entry.rule)
                text = f"{before}{shown!r}".encode()
                before = int.from_bytes(blake2b(text, digest_size=8).digest())
                self.starts.append(self._length)
                self.chain.append(before)
            self._hiding = hidden
            self._length += 1

    def raw(self, number: int) -> int:
        """How long the log was when this side had seen so many entries."""
        return self.starts[number] if number < len(self.starts) else self._length

    def number(self, raw: int) -> int:
        """How many entries this side had seen when the log had this length."""
        low, high = 0, len(self.starts)
        while low < high:
            middle = (low + high) // 2
            if self.starts[middle] < raw:
                low = middle + 1
            else:
                high = middle
        return low

    def entries(self, match: Match[Any], start: int, stop: int) -> list[LogEntry]:
        """Some of the entries in words."""
        if start >= stop:
            return []
        first = self.starts[start]
        raws = match.log[first : self.starts[stop - 1] + 1]
        found: list[LogEntry] = []
        for number in range(start, stop):
            entry = raws[self.starts[number] - first]
            hidden = self._hidden_side(entry)
            if hidden >= 0:
                entry = Chosen(hidden, HIDDEN, entry.rule, secret=True)
            found.append(tell(match.game, number, seen_entry(entry, self.side)))
        return found

    def common(self, start: int, known: Sequence[int]) -> int:
        """Up to which number this log is one that was `known` from number `start` on."""
        number = start
        for mark in known:
            if number >= len(self.chain) or self.chain[number] != mark:
                break
            number += 1
        return number

    def _hidden_side(self, entry: Entry) -> int:
        """The side that chose this in secret from us, or -1."""
        if type(entry) is Chosen and entry.secret and entry.side != self.side:
            return entry.side
        return -1


def _told(entry: Entry) -> tuple[object, ...]:
    """All of an entry that a client is told of."""
    if type(entry) is Rolled:
        return entry.faces, entry.sides, entry.purpose, entry.rule
    if type(entry) is Chosen:
        return entry.side, entry.option, entry.rule
    return entry[:5]


def tell(game: Game[Any], number: int, entry: Entry) -> LogEntry:
    """An entry of the log for a client."""
    if type(entry) is Rolled:
        return LogEntry(
            n=number,
            kind="rolled",
            text=f"{entry.purpose}: {', '.join(map(str, entry.faces))}",
            rule=entry.rule,
            faces=list(entry.faces),
            sides=list(entry.sides),
            purpose=entry.purpose,
            column=entry.column,
            lines=[(line.text, line.value, line.rule) for line in entry.lines],
        )
    if type(entry) is Chosen:
        side = game.sides[entry.side]
        if entry.option == HIDDEN:
            return LogEntry(
                n=number, kind="hidden", side=side, text="chooses in secret", rule=entry.rule
            )
        text = describe(game, entry.option, spot_name)
        made = LogEntry(n=number, kind="chosen", side=side, text=text, rule=entry.rule)
        what = entry.option
    else:
        assert type(entry) is Event
        made = LogEntry(
            n=number, kind="event", text=describe_event(game, entry, spot_name), rule=entry.rule
        )
        what = entry
    if what.hex >= 0:
        made.hex = game.board.code(what.hex)
    if what.unit >= 0:
        made.unit = unit_name(game, what.unit)
    return made
