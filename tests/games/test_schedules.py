"""Who comes and goes, in one shape for every game."""

import pytest

from apennine.games import get, keys
from apennine.kernel.game import EVERYBODY, Posting
from apennine.kernel.match import Match
from apennine.testing import rule


@pytest.mark.parametrize("key", keys())
def test_a_schedule_names_units_of_the_side_and_is_in_order(key: str) -> None:
    match = Match(get(key), seed="schedule")
    game, pos = match.game, match.position
    sides = {
        unit["name"]: unit["side"]
        for side in range(len(game.sides))
        for unit in match.view(side)["units"]
    }
    for side in range(EVERYBODY, len(game.sides)):
        listed = game.schedule(pos, side)
        assert [line.turn for line in listed] == sorted(line.turn for line in listed)
        for line in listed:
            assert line.units
            assert {sides[game.units[unit]] for unit in line.units} == {game.sides[line.side]}
            assert line.rule in game.ledger


@rule("italy1944", "7.2a")
def test_who_is_to_come_in_italy_1944_stands_under_the_turn_on_its_counter() -> None:
    match = Match(get("italy1944"), seed="schedule")
    game = match.game
    (german,) = [line for line in game.schedule(match.position, 0) if line[:3] == (2, 1, True)]
    assert {"114 J", "715 ID"} <= {game.units[unit] for unit in german.units}


def lines(scenario: str) -> list[Posting]:
    match = Match(get("underbelly"), scenario, seed="schedule")
    return list(match.game.schedule(match.position, EVERYBODY))


@rule("underbelly", "10.4a", "10.4d")
def test_nobody_is_withdrawn_in_watch_on_the_tiber() -> None:
    units = get("underbelly").units
    gone = [units[line.units[0]] for line in lines("historical") if not line.comes]
    assert gone == ["7 Arm", "82 Abn", "1 Abn"]
    assert [line for line in lines("wat") if not line.comes] == []


def test_a_unit_of_the_other_scenario_is_not_in_the_schedule() -> None:
    unit = get("underbelly").unit("52 Mtn")
    assert any(unit in line.units for line in lines("wat"))
    assert not any(unit in line.units for line in lines("historical"))
