"""Games are found by key, or by the path of a folder."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import apennine
from apennine import games
from apennine.games import get, keys
from apennine.kernel.game import GameError
from tests.contracts.contracts import present
from tests.contracts.playthroughs import play_on

TORTURE = Path(__file__).parent.parent / "torture"


@pytest.mark.parametrize("key", keys())
def test_a_registered_game_is_found_by_its_own_key_and_made_once(key: str):
    assert get(key).key == key
    assert get(key) is get(key)


@pytest.mark.parametrize("key", keys())
def test_a_registered_game_is_played_saved_and_opened_by_its_key(key: str, tmp_path: Path):
    match = play_on(apennine.new(key, seed=3), 20, Random(1))
    match.save(tmp_path / "match.jsonl")
    assert present(apennine.load(tmp_path / "match.jsonl")) == present(match)


def test_a_game_of_ones_own_is_found_by_the_path_of_its_folder():
    match = apennine.new(str(TORTURE), seed=3)
    assert match.game.key == "torture"
    assert len(match.game.ledger) > 0
    play_on(match, 20, Random(1))


def test_a_key_that_nobody_knows_is_refused_with_those_that_there_are():
    with pytest.raises(GameError) as error:
        apennine.new("corssing")
    assert str(error.value) == f"There is no game 'corssing'; there are {', '.join(keys())}."


def test_a_registered_key_wins_over_a_folder_of_the_same_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "crossing").mkdir()
    monkeypatch.chdir(tmp_path)
    assert games._get.__wrapped__("crossing", ()).key == "crossing"


def test_a_folder_that_is_no_game_is_refused_in_a_sentence(tmp_path: Path):
    with pytest.raises(GameError, match=r"is not the folder of a game: it has no __init__\.py"):
        get(str(tmp_path))
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "__init__.py").write_text("")
    with pytest.raises(GameError, match=r"__init__\.py has no function game\(\)"):
        get(str(tmp_path / "empty"))
