from __future__ import annotations

import gc
import tracemalloc
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, rule

from apennine.kernel.decision import Event, Option
from apennine.kernel.log import PACKED, Chosen, Entry, Log, Rolled, Snapshot
from apennine.kernel.position import Position
from tests.kernel.playing import play, start


def entry(number: int) -> Entry:
    """Three kinds of entries, no two alike."""
    return (
        Chosen(number % 2, Option("go", number), "1"),
        Rolled((number,), (6,), "combat", "2", number),
        Event("falls", number),
    )[number % 3]


def filled(count: int) -> Log[Any]:
    """A log packed as a match does it."""
    log: Log[Any] = Log()
    for number in range(count):
        log.append(entry(number))
        log.pack(Snapshot(number + 1, Position(turn=number + 1), 0))
    return log


Pair = tuple[Log[Any], list[Entry]]
"""A log, and the plain list that it must not be told from."""


class LogsAgainstLists(RuleBasedStateMachine):
    """Logs are appended to, dropped from, forked, cut and packed in any order."""

    logs = Bundle("logs")

    def __init__(self) -> None:
        super().__init__()
        self.count = 0
        self.pairs: list[Pair] = []

    def keep(self, log: Log[Any], plain: list[Entry]) -> Pair:
        self.pairs.append((log, plain))
        return log, plain

    @initialize(target=logs)
    def begin(self) -> Pair:
        return self.keep(Log(), [])

    @rule(pair=logs, many=st.integers(1, 2 * PACKED))
    def append(self, pair: Pair, many: int) -> None:
        log, plain = pair
        for _ in range(many):
            self.count += 1
            log.append(entry(self.count))
            plain.append(entry(self.count))

    @rule(pair=logs, many=st.integers(1, 9))
    def append_and_drop(self, pair: Pair, many: int) -> None:
        log, _ = pair
        for _ in range(many):
            log.append(Event("never was"))
        log.drop(many)

    @rule(pair=logs)
    def pack(self, pair: Pair) -> None:
        log, plain = pair
        log.pack(Snapshot(len(plain), Position(turn=len(plain)), 0))

    @rule(target=logs, pair=logs)
    def fork(self, pair: Pair) -> Pair:
        log, plain = pair
        return self.keep(log.fork(), plain[:])

    @rule(target=logs, pair=logs, data=st.data())
    def cut(self, pair: Pair, data: st.DataObject) -> Pair:
        log, plain = pair
        length = data.draw(st.integers(0, len(plain)))
        return self.keep(log.cut(length), plain[:length])

    @rule(pair=logs, part=st.slices(3 * PACKED))
    def look_at_a_part(self, pair: Pair, part: slice) -> None:
        log, plain = pair
        assert log[part] == plain[part]

    def teardown(self) -> None:
        for log, plain in self.pairs:
            assert len(log) == len(plain)
            assert list(log) == plain
            assert list(reversed(log)) == plain[::-1]
            for index in range(-len(plain), len(plain), 97):
                assert log[index] == plain[index]
            assert all(kept.at <= len(plain) for kept in log.snapshots())


LogsAgainstLists.TestCase.settings = settings(max_examples=40, stateful_step_count=15)
TestLogsAgainstLists = LogsAgainstLists.TestCase


def test_beyond_its_ends_a_log_has_no_entry():
    log = filled(3)
    for index in (3, -4):
        with pytest.raises(IndexError, match="The log has 3 entries"):
            log[index]


def test_the_kept_snapshots_come_latest_first_and_none_is_far_from_the_next():
    kept = [snapshot.at for snapshot in filled(5 * PACKED + 7).snapshots()]
    assert kept == [5 * PACKED, 4 * PACKED, 3 * PACKED, 2 * PACKED, PACKED]


def test_a_fork_of_a_long_log_copies_none_of_it():
    log = filled(100 * PACKED + 200)
    gc.collect()
    tracemalloc.start()
    forks = [log.fork() for _ in range(100)]
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(forks[-1]) == len(log)
    assert size / len(forks) < 500


def test_a_long_match_takes_at_most_120_bytes_an_entry():
    match = play(start("endless"), 50)
    gc.collect()
    tracemalloc.start()
    before = len(match.log)
    play(match, 8000)
    gc.collect()
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    entries = len(match.log) - before
    assert entries > 12_000
    assert size / entries < 120
