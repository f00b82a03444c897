"""What the one client of all games relies on: the shape of views, charts and guides."""

from __future__ import annotations

from itertools import chain, islice
from typing import Any

import pytest

from apennine import games
from apennine.kernel.decision import Choice
from apennine.kernel.game import Game
from tests.contracts.contracts import everybody
from tests.contracts.playthroughs import playthrough

PLAIN = (str, int, float, bool, type(None))
COUNTER = {
    "name": str,
    "title": str,
    "side": str,
    "nation": str,
    "troops": str,
    "size": str,
    "where": str,
    "steps": int,
    "full": int,
    "factors": dict,
    "status": list,
}


@pytest.fixture(params=games.keys())
def game(request: pytest.FixtureRequest) -> Game[Any]:
    return games.get(request.param)


def test_a_view_has_what_every_client_draws(game: Game[Any]):
    for match in islice(playthrough(game, 5, 400), 0, None, 13):
        for side in everybody(match):
            view = match.view(side)
            assert {"turn", "track", "phase", "side", "units", "markers", "battle"} <= set(view)
            assert 1 <= view["turn"] <= len(view["track"])
            assert view["side"] in game.sides
            for unit in view["units"]:
                check_counter(game, unit)
            for marker in view["markers"]:
                assert set(marker) == {"hex", "name", "title", "side"}
                assert game.board.parse(marker["hex"]) >= 0
                assert 1 <= len(marker["name"]) <= 4
                assert marker["side"] in (*game.sides, None)
            if view["battle"]:
                assert game.board.parse(view["battle"]["hex"]) >= 0


def check_counter(game: Game[Any], unit: dict[str, Any]) -> None:
    assert set(unit) == {*COUNTER, "hex"}
    for key, kind in COUNTER.items():
        assert isinstance(unit[key], kind), key
    assert unit["name"] in (*game.units, "?")
    assert unit["side"] in game.sides
    assert unit["hex"] is None or game.board.parse(unit["hex"]) >= 0
    assert (unit["where"] == "on the map") == (unit["hex"] is not None)
    assert 0 <= unit["steps"] <= unit["full"]
    assert all(isinstance(factor, PLAIN) for factor in unit["factors"].values())
    assert all(isinstance(word, str) for word in unit["status"])


def test_every_chart_says_where_it_comes_from(game: Game[Any]):
    assert game.charts
    for chart in game.charts:
        assert chart.source.partition(":")[0] in {
            *("rulebook", "reconstructed", "history", "geography", "design"),
        }, chart.key
        assert {len(row) for row in chart.rows} == {len(chart.columns)}, chart.key


def test_a_newcomer_learns_how_long_and_how_hard_it_is(game: Game[Any]):
    assert game.length
    assert game.difficulty in {"easy", "medium", "hard"}


def test_the_hints_of_a_guide_have_their_moment(game: Game[Any]):
    assert len(game.guide) >= 12
    for hint in game.guide:
        assert hint.rule in game.ledger, hint.title
        assert hint.side in (*game.sides, ""), hint.title
    missing = {hint.title for hint in game.guide if hint.phase or hint.verb}
    for match in chain.from_iterable(playthrough(game, seed, 5_000) for seed in range(48)):
        if isinstance(match.decision, Choice):
            verbs = {option.verb for option in match.decision.options}
            for hint in game.guide:
                if match.position.phase == hint.phase or hint.verb in verbs:
                    missing.discard(hint.title)
        if not missing:
            break
    assert not missing
