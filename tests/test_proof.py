"""The long proofs, in small: they play, they count, and they stop at the first fault."""

from concurrent.futures import Executor, ThreadPoolExecutor

import pytest

from apennine.kernel.game import Fault
from apennine.lab.selfplay import Series, play
from bench import counts, proof
from bench.matches import figures
from tests.torture import game as torture


@pytest.fixture
def pool():
    with ThreadPoolExecutor(1) as pool:
        yield pool


def test_a_scenario_is_proven_by_random_games_and_bots(pool: Executor):
    found = proof.prove("crossing", "dawn", 20, pool)
    assert found["random"]["games"] == 20
    assert found["random"]["decisions"] > 20 * 20
    assert found["bots"]["games"] == 4
    for side in ("first", "second"):
        against = found[f"{side} side against random"]
        assert sum(against["wins"].values()) + against["draws"] == 2
    for thought in found["bots"]["a decision"].values():
        assert 0 < thought["mean, ms"] <= thought["worst, ms"]


def test_the_proof_plays_the_matches_of_self_play():
    series = Series("crossing", bots=("greedy", "random"), seed="3").checked()
    played, clocks = proof.bot_game(series, 1)
    assert played == play(series, 1)
    assert sum(clock.decisions for clock in clocks) == played.decisions


def test_a_fault_in_a_random_game_stops_the_proof(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(
        proof.get("crossing"), "check", lambda *_: [Fault("The river runs uphill.")]
    )
    with pytest.raises(AssertionError, match=r"crossing dawn, seed 3, entry 0: .*uphill"):
        proof.random_game("crossing", "dawn", 3)


def test_a_match_gives_its_memory_back_and_is_cheap_to_copy():
    found = {name: value for name, value, _ in figures(torture())}
    assert 1 < found["memory of a match"] < found["memory allowed"]
    assert found["copy"] > 0


def test_calls_and_answers_are_counted_the_same_every_time():
    first, second = (counts.calls(torture(), games=1) for _ in range(2))
    assert first == second
    assert first.python > first.decisions > 10
    assert counts.undone(torture(), undos=20).most_answers == (
        counts.undone(torture(), undos=20).most_answers
    )
