from __future__ import annotations

import gc
import tracemalloc
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, rule

from apennine.kernel import log as logs
from apennine.kernel.decision import Event, Option
from apennine.kernel.log import CLOSE, PACKED, SPACING, Chosen, Entry, Log, Rolled, Snapshot
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
    """A log with a checkpoint after every entry."""
    log: Log[Any] = Log()
    for number in range(count):
        log.append(entry(number))
        log.keep(Snapshot(number + 1, Position(turn=number + 1), 0))
    return log


Pair = tuple[Log[Any], list[Entry]]
"""A log, and the plain list that it must not be told from."""


class LogsAgainstLists(RuleBasedStateMachine):
    """Logs are appended to, extended, forked and cut in any order, and checkpoints kept."""

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

    @rule(pair=logs, many=st.integers(0, 3 * PACKED))
    def extend(self, pair: Pair, many: int) -> None:
        log, plain = pair
        entries = [entry(self.count + k) for k in range(many)]
        self.count += many
        log.extend(entries)
        plain.extend(entries)

    @rule(pair=logs)
    def meet_a_checkpoint(self, pair: Pair) -> None:
        log, plain = pair
        log.keep(Snapshot(len(plain), Position(turn=len(plain)), 0))

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
            kept = [snapshot.at for snapshot in log.snapshots()]
            assert all(at <= len(plain) for at in kept)
            assert all(later - SPACING >= at for later, at in pairwise(kept))


LogsAgainstLists.TestCase.settings = settings(max_examples=40, stateful_step_count=15)
TestLogsAgainstLists = LogsAgainstLists.TestCase


def test_beyond_its_ends_a_log_has_no_entry():
    log = filled(3)
    for index in (3, -4):
        with pytest.raises(IndexError, match="The log has 3 entries"):
            log[index]


def test_checkpoints_are_kept_close_together_and_the_oldest_far_apart():
    log = filled(20 * PACKED + 7)
    kept = [snapshot.at for snapshot in log.snapshots()]
    gaps = [later - at for later, at in pairwise(kept)]
    near = CLOSE * PACKED // SPACING
    assert set(gaps[:near]) == {SPACING}
    assert set(gaps[near:]) == {PACKED}


def test_a_cut_log_goes_on_with_the_checkpoints_that_it_had_then():
    log = filled(3 * PACKED + 9)
    for length in (0, 1, SPACING, PACKED - 1, PACKED, PACKED + 1, 3 * PACKED + 2):
        part = log.cut(length)
        again = filled(length)
        assert [kept.at for kept in part.snapshots()] == [kept.at for kept in again.snapshots()]
        assert part.due == again.due


def test_a_cut_unpacks_one_chunk_at_most(monkeypatch: pytest.MonkeyPatch):
    long = filled(40 * PACKED)
    unpacked: list[bytes] = []
    unpack = logs._unpack
    monkeypatch.setattr(logs, "_unpack", lambda packed: unpacked.append(packed) or unpack(packed))
    part = long.cut(100)
    assert len(unpacked) == 1
    assert len(list(part)) == 100
    assert part.cut(50)[-1] == entry(49)
    assert len(unpacked) == 1


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
