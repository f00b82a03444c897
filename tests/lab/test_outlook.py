"""The outlook: what a fit finds, what it says of itself, and what a game answers by it."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import Mock

import msgspec
import pytest

from apennine.cli import main
from apennine.games import get, keys
from apennine.games.crossing.game import Crossing
from apennine.games.crossing.table.position import Table
from apennine.games.crossing.table.war import War
from apennine.kernel.data import DataError, DataFile
from apennine.kernel.game import GameError, Outcome
from apennine.kernel.match import Match
from apennine.kernel.outlook import Clues, Fit, Fits, Outlook
from apennine.lab.sampling import sampled
from apennine.lab.selfplay import Series

np = pytest.importorskip("numpy")

NAMES = ("over", "towns", "noise")


def clues_of(war: War, pos: Table) -> list[float]:
    return [(pos.turn - 1) / pos.last_turn, pos.held.bit_count(), pos.hex[0] % 7]


def dawn(_war: Any, _pos: Any) -> str:
    return "dawn"


def dusk(_war: Any, _pos: Any) -> str:
    return "dusk"


CLUES = Clues(NAMES, clues_of, dawn)


class Clued(Crossing):
    clues = CLUES

    @property
    def data(self) -> Any:
        return get("crossing").data


def told(games: int, seed: int = 1) -> Any:
    """Made-up games: the second clue decides more and more, the third one says nothing."""
    from apennine.lab.outlook import Told

    random, rows = Random(seed), list[list[float]]()
    numbers, won = list[int](), list[float]()
    for game in range(games):
        lead = random.gauss(0, 1)
        winner = float(random.random() < 1 / (1 + 2.718281828 ** (-3 * lead)))
        for turn in range(10):
            over = turn / 10
            rows.append([over, over * lead + random.gauss(0, 0.3), random.gauss(0, 1)])
            numbers.append(game)
            won.append(winner)
    return Told(np.array(rows), np.array(numbers), np.array(won), NAMES)


def test_a_fit_finds_what_decides_and_says_how_well_it_foretells():
    from apennine.lab.outlook import fit

    found = fit("dawn", told(200))
    start, more = found.weights["towns"]
    assert start + more > 1.0
    noise, more_noise = found.weights["noise"]
    assert abs(noise + 0.5 * more_noise) < 0.3
    early, late = found.thirds
    assert early.games == late.games == 200
    assert 0.6 < early.auc < late.auc < 1.0
    assert late.low < late.auc < late.high
    assert late.off < 0.15


def test_of_games_that_nothing_decides_it_does_not_claim_to_know_more_than_chance():
    from apennine.lab.outlook import fit

    known = told(120)
    order = Random(3).sample(range(120), 120)
    ends = known.won[::10][order]
    found = fit("dawn", known._replace(won=np.repeat(ends, 10)))
    for third in found.thirds:
        assert third.low < 0.5


def test_a_game_that_is_left_out_is_left_out_whole():
    from apennine.lab.outlook import folds

    known = told(23)
    times = np.zeros(len(known.game))
    for out in folds(known):
        inside, outside = set(known.game[~out].tolist()), set(known.game[out].tolist())
        assert not inside & outside
        times += out
    assert set(times.tolist()) == {1.0}


def test_the_weights_that_are_written_give_the_chances_of_the_fit(tmp_path: Path):
    from apennine.lab.outlook import chances, choose, fit, solve, written

    known = told(80)
    found = fit("dawn", known)
    text = written(Fits("made up", "2026-01-01", (found,)))
    path = tmp_path / "outlook.toml"
    path.write_text(text)
    file = DataFile.open(path)
    fits = msgspec.convert(file.data, Fits)
    assert fits.fits == (found,)
    rows: Iterator[list[float]] = iter(known.clues.tolist())

    def tell(_war: Any, _pos: Any) -> list[float]:
        return next(rows)

    outlook = Outlook(Clues(NAMES, tell, dawn), fits, file)
    expected = chances(solve(known, choose(known)), known)
    for each in expected.tolist():
        assert outlook.chance(None, None) == pytest.approx(each, abs=1e-3)


def test_clues_that_are_not_those_of_the_file_are_refused():
    fit = Fit("dawn", 1, 0.0, {"over": (0.0, 0.0), "mood": (1.0, 0.0)})
    with pytest.raises(DataError, match="dawn: the clues are not those of the game"):
        Outlook(CLUES, Fits("", "", (fit,)), DataFile("outlook.toml", {}))


def test_a_game_answers_for_both_sides_and_for_no_scenario_without_a_fit():
    game = Clued()
    pos = Match(game, seed=1).position
    assert game.outlook(pos, 0) is None
    fit = Fit("dawn", 1, 0.5, {"over": (0.0, 0.0), "towns": (1.0, 0.0), "noise": (0.0, 0.0)})
    game.forecast = Outlook(CLUES, Fits("", "", (fit,)), DataFile("outlook.toml", {}))
    one, two = game.outlook(pos, 0), game.outlook(pos, 1)
    assert one is not None
    assert two is not None
    assert one > 0.6
    assert one + two == pytest.approx(1.0)
    other = CLUES._replace(scenario=dusk)
    game.forecast = Outlook(other, Fits("", "", (fit,)), DataFile("outlook.toml", {}))
    assert game.outlook(pos, 0) is None


def test_what_is_decided_is_no_chance_any_more(monkeypatch: pytest.MonkeyPatch):
    game = Clued()
    fit = Fit("dawn", 1, 0.5, {"over": (0.0, 0.0), "towns": (1.0, 0.0), "noise": (0.0, 0.0)})
    game.forecast = Outlook(CLUES, Fits("", "", (fit,)), DataFile("outlook.toml", {}))
    pos = Match(game, seed=1).position
    for winner, expected in ((0, 1.0), (1, 0.0), (-1, 0.5)):
        ended = Outcome(winner, "It is over.")
        monkeypatch.setattr(game, "outcome", Mock(return_value=ended))
        assert game.outlook(pos, 0) == expected
        assert game.outlook(pos, 1) == 1.0 - expected


def test_games_that_are_kept_are_not_played_again(tmp_path: Path):
    path, series = tmp_path / "games.gz", Series("crossing", games=3, seed="kept")
    first = list(sampled(series, path))
    size = path.stat().st_size
    assert list(sampled(series, path)) == first
    assert path.stat().st_size == size
    more = list(sampled(series._replace(games=5), path))
    assert more[:3] == first
    assert more == list(sampled(series._replace(games=5), tmp_path / "again.gz"))
    assert all(len(sample.positions) > 2 for sample in more)
    other = list(sampled(series._replace(seed="other"), path))
    assert [sample.winner for sample in other] != [None] * 3
    assert len(other) == 3


def test_a_file_that_ends_in_the_middle_of_a_game_says_so(tmp_path: Path):
    path, series = tmp_path / "games.gz", Series("crossing", games=2, seed="cut")
    list(sampled(series, path))
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(GameError, match="in the middle of a game"):
        list(sampled(series, path))


def test_the_outlook_is_no_rule_and_leaves_the_fingerprint_of_the_data_alone(tmp_path: Path):
    class Elsewhere(Crossing):
        @property
        def data(self) -> Any:
            return tmp_path

    for file in get("crossing").data.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    before = Elsewhere().data_digest
    (tmp_path / "outlook.toml").write_text('source = "a fit"\ndate = "2026-01-01"\nfits = []\n')
    assert Elsewhere().data_digest == before == get("crossing").data_digest


def test_the_command_says_what_it_cannot_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(get("crossing"), "clues", None, raising=False)
    kept = ["--samples", str(tmp_path / "k.gz"), "--out", str(tmp_path / "o.toml")]
    assert main(["lab", "outlook", "crossing", "--games", "10", *kept]) != 0
    assert "tells no clues" in capsys.readouterr().err
    assert not (tmp_path / "o.toml").exists()


@pytest.mark.parametrize("key", keys())
def test_what_is_shipped_fits_the_game_and_says_where_it_comes_from(key: str):
    game = get(key)
    assert game.clues is not None
    if not (game.data / "outlook.toml").is_file():
        pytest.skip(f"{key} has no outlook yet")
    known = game.forecast
    assert known is not None
    assert known.fits.source.startswith("self-play: ")
    keys = {scenario.key for scenario in game.scenarios}
    assert {fit.scenario for fit in known.fits.fits} <= keys
    for fit in known.fits.fits:
        pos = Match(game, fit.scenario, seed=1).position
        chance = game.outlook(pos, 0)
        assert chance is None or 0.01 < chance < 0.99, "nothing is decided before the first turn"
        assert json.loads(json.dumps(chance)) == chance
