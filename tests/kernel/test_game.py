from __future__ import annotations

import pytest

from apennine.kernel.decision import Option
from apennine.kernel.game import GameError
from apennine.kernel.match import Match
from tests.kernel.playing import take
from tests.kernel.toy import Toy


def test_a_match_has_the_first_scenario_and_the_default_switches_unless_told():
    match = Match(Toy(), seed=1)
    assert match.scenario == "short"
    assert match.options == {"keen": False}


def test_a_scenario_that_is_not_there_is_refused_with_those_that_are():
    with pytest.raises(GameError) as error:
        Match(Toy(), "shrot")
    assert (
        str(error.value) == "Lanes has no scenario 'shrot'; it has short, long, endless, trouble."
    )


def test_an_optional_rule_that_is_not_there_is_refused_with_those_that_are():
    with pytest.raises(GameError) as error:
        Match(Toy(), options={"kene": True})
    assert str(error.value) == "Lanes has no optional rule 'kene'; it has keen."
    with pytest.raises(GameError, match="it has none"):
        Match(Toy(switches=()), options={"keen": True})


def test_an_optional_rule_that_is_switched_on_is_played():
    for keen in (False, True):
        match = take(Match(Toy(), options={"keen": keen}, seed=7), "plan=1", "go/Red 2@H03", "end")
        assert Option("go", 2, 5) in match.decision.options
        assert (Option("go", 2, 4) in match.decision.options) is keen


def test_units_and_sides_are_found_by_name():
    toy = Toy()
    assert toy.unit("Blue 1") == 2
    assert toy.side("blue") == 1
    with pytest.raises(GameError, match="Lanes has no unit called 'Green 1'"):
        toy.unit("Green 1")
    with pytest.raises(GameError, match="Lanes has no side called 'Green'; it has Red, Blue"):
        toy.side("Green")


def test_an_overlay_that_is_not_there_is_refused():
    match = Match(Toy())
    with pytest.raises(GameError, match="Lanes has no overlay called 'mud'"):
        match.game.overlay(match.position, "mud", 0)


def test_a_position_is_checked_for_everything_that_is_wrong_at_once():
    match = Match(Toy())
    assert match.check() == []
    pos = match.position.copy()
    pos.hex[:] = [3, 3, 40, 9]
    sentences = [fault.sentence for fault in match.game.check(pos)]
    assert sentences == ["H03 is crowded.", "H03 is crowded.", "Blue 1 is nowhere."]
