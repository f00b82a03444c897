import pytest

from apennine.kernel.game import GameError
from apennine.kernel.match import Match, MatchError
from apennine.lab import BOTS, Played, Series, make_bot, play, run, summarise

SERIES = Series("crossing", games=6, seed="11").checked()


def test_a_series_plays_every_match_to_its_end():
    played = list(run(SERIES))
    assert len(played) == 6
    assert all(result.reason and result.decisions > 20 for result in played)


def test_the_matches_of_a_series_differ_from_each_other_and_from_another_seed():
    played = list(run(SERIES))
    assert len(set(played)) > 1
    assert played != list(run(SERIES._replace(seed="12")))


def test_two_processes_play_the_same_series_as_one():
    assert list(run(SERIES, jobs=2)) == list(run(SERIES))


def test_a_match_is_the_same_however_long_the_series_is():
    assert play(SERIES, 4) == list(run(SERIES._replace(games=5)))[4]


def test_one_bot_named_plays_all_sides():
    assert SERIES.bots == ("random", "random")
    mixed = Series("crossing", bots=("greedy", "random")).checked()
    assert mixed.bots == ("greedy", "random")


def test_defaults_are_filled_in_before_the_first_match():
    assert SERIES.scenario == "dawn"
    assert SERIES.options == {"boats": False}


@pytest.mark.parametrize(
    ("series", "complaint"),
    [
        (Series("crossing", bots=("random",) * 3), "has 2 sides, but 3 bots are named"),
        (Series("crossing", bots=("hal",)), "no bot 'hal'; there are greedy, random"),
        (Series("crossing", scenario="dusk"), "no scenario 'dusk'"),
        (Series("crossing", options={"rain": True}), "no optional rule 'rain'"),
        (Series("chess"), "no game 'chess'"),
    ],
)
def test_a_series_that_cannot_be_played_is_refused_before_it_starts(series: Series, complaint: str):
    with pytest.raises(GameError, match=complaint):
        list(run(series))


def test_the_summary_counts_wins_reasons_and_decisions():
    played = [
        Played(0, "All towns.", 10),
        Played(1, "Time.", 20),
        Played(1, "Time.", 30),
        Played(1, "No units.", 20),
        Played(-1, "Both are spent.", 20),
    ]
    summary = summarise(SERIES, played, seconds=4.0)
    assert summary.games == 5
    assert summary.wins == {"Allied": 1, "German": 3}
    assert summary.draws == 1
    assert summary.reasons == {
        "Allied": {"All towns.": 1},
        "German": {"Time.": 2, "No units.": 1},
        "draw": {"Both are spent.": 1},
    }
    assert summary.decisions == 100
    assert summary.decisions_per_second == 25.0
    assert summary.mean_length == 20.0


def test_decisions_are_the_choices_that_a_bot_was_asked_for(monkeypatch: pytest.MonkeyPatch):
    asked = 0
    choose = Match.choose

    def counting(match: Match, option: object) -> None:
        nonlocal asked
        assert len(match.decision.options) >= 2
        asked += 1
        choose(match, option)

    monkeypatch.setattr(Match, "choose", counting)
    assert play(SERIES, 0).decisions == asked


def test_a_match_that_goes_wrong_is_named(monkeypatch: pytest.MonkeyPatch):
    def refuse(match: Match, option: object) -> None:
        raise MatchError("The rules stumble.")

    monkeypatch.setattr(Match, "choose", refuse)
    with pytest.raises(MatchError, match=r"Match 3 of seed '11': The rules stumble\."):
        play(SERIES, 3)


@pytest.mark.parametrize("name", BOTS)
def test_every_bot_repeats_itself_for_the_same_seed(name: str):
    series = SERIES._replace(bots=(name, "random"))
    assert play(series, 1) == play(series, 1)


def test_an_unknown_bot_is_refused():
    with pytest.raises(GameError, match="There is no bot 'hal'"):
        make_bot("hal", 1)
