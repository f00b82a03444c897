from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from apennine.kernel.decision import Choice, Option
from apennine.kernel.game import Game
from apennine.kernel.save import open_record, read
from tests.contracts.fuzz import EndlessPhase, Fuzz
from tests.kernel.toy import Lanes, Toy


def test_random_games_break_no_contract(game: Game[Any], tmp_path: Path):
    fuzz = Fuzz(game, seed=1, folder=tmp_path)
    fuzz.run(5_000)
    for decisions in range(7_500, 30_000, 2_500):
        if fuzz.games > 1:
            break
        fuzz.run(decisions)  # long games: go on until a second one has begun
    assert fuzz.games > 1


@pytest.mark.proof
def test_a_hundred_thousand_random_decisions_break_no_contract(game: Game[Any], tmp_path: Path):
    Fuzz(game, seed=2, folder=tmp_path).run(100_000)


class Endless(Toy):
    """A phase in which one can go round and round."""

    def red_plan(self, pos: Lanes) -> Any:
        while True:
            menu = [Option("ponder"), Option("think")]
            yield Choice(0, menu, "Ponder or think", "2.1", checkpoint=True)


class Fragile(Toy):
    def reveal(self, pos: Lanes) -> Any:
        if pos.turn == 3:
            raise ZeroDivisionError("turn three")
        yield from super().reveal(pos)


def test_a_phase_without_end_is_noticed_and_the_match_is_saved(tmp_path: Path):
    fuzz = Fuzz(Endless(), seed=1, folder=tmp_path, most_inputs=60)
    with pytest.raises(EndlessPhase, match=r"More than 60 inputs in .*red_plan") as error:
        fuzz.run(5_000)
    assert "the match is saved in" in error.value.__notes__[0]


def test_when_rules_go_wrong_the_match_is_saved(tmp_path: Path):
    fuzz = Fuzz(Fragile(), seed=1, folder=tmp_path)
    with pytest.raises(ZeroDivisionError) as error:
        fuzz.run(5_000)
    [saved] = tmp_path.glob("toy-*.jsonl")
    assert str(saved) in error.value.__notes__[0]
    assert open_record(read(saved), Toy()).digest == fuzz.match.digest
