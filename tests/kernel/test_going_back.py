"""How long going back takes: counted in answers that are played again, which no clock disturbs."""

from __future__ import annotations

from typing import Any

import pytest

from apennine.games import get, keys
from apennine.kernel import match as match_module
from apennine.kernel.log import CLOSE, PACKED, SPACING
from apennine.kernel.match import Match, MatchError
from apennine.kernel.replay import feed
from apennine.kernel.save import dump, open_record, parse
from tests.kernel.playing import play, start
from tests.kernel.toy import Toy
from tests.torture import game as torture

SHORT = 30
"""No undo may play more answers again than this many."""

Counts = list[int]


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> Counts:
    """How many answers were played again, each time that some were."""
    counts: Counts = []

    def counting(game: Any, pos: Any, answers: Any, **how: Any) -> Any:
        given = list(answers)
        counts.append(len(given))
        return feed(game, pos, given, **how)

    monkeypatch.setattr(match_module, "feed", counting)
    return counts


def undo_all(match: Match[Any], played: Counts) -> Counts:
    """Undo to the beginning: the answers played again for each step."""
    found: Counts = []
    while True:
        played.clear()
        try:
            match.undo()
        except MatchError:
            return found
        _ = match.position
        found.append(sum(played))


@pytest.mark.parametrize("key", keys())
def test_a_random_game_is_undone_in_short_steps_to_its_beginning(key: str, played: Counts):
    for seed in (1, 2):
        match = play(Match(get(key), seed=seed), seed=seed)
        first = match.at(0)
        found = undo_all(match, played)
        assert len(found) > 50
        assert max(found) <= SHORT
        assert match.digest == first.digest


def test_so_is_a_game_that_is_hard_on_the_kernel(played: Counts):
    match = play(Match(torture(), seed=3), seed=3)
    between = max(later.at - earlier.at for later, earlier in zip(kept(match), kept(match)[1:]))
    assert max(undo_all(match, played)) <= between + SHORT


def kept(match: Match[Any]) -> list[Any]:
    return [match.checkpoint, *match.log.snapshots()]


def test_far_back_one_undo_of_a_whole_chunk_is_longer_and_the_rest_are_short(played: Counts):
    match = play(start("endless"), (CLOSE + 3) * PACKED)
    chunks = len(match.log) // PACKED
    assert chunks > CLOSE + 1
    found = undo_all(match, played)
    long = [count for count in found if count > SHORT]
    assert len(long) <= chunks - CLOSE
    assert max(long) <= PACKED + SPACING


def test_after_a_load_the_first_undo_may_be_long_and_the_rest_are_short(played: Counts):
    text = dump(play(start("endless"), 400))
    match = open_record(parse(text), Toy())
    found = undo_all(match, played)
    assert len([count for count in found if count > SHORT]) <= 1


def test_an_old_moment_is_found_from_the_checkpoint_next_to_it(played: Counts):
    match = play(start("endless"), 600)
    for n in range(0, len(match.log), 37):
        played.clear()
        there = match.at(n)
        assert sum(played) <= SHORT
        assert there.fork().digest == there.digest
