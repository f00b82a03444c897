"""Chapter 8: towns and victory."""

from __future__ import annotations

import pytest

from apennine.games.crossing.table.position import EAST
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.crossing.drawing import (
    ALLIED,
    GAME,
    GERMAN,
    attack,
    codes,
    combat,
    do,
    go,
    held,
    mask,
    movement,
    pass_by,
    table,
    verbs,
)

PIETRA, MONTEVERDE, SOLARA = "0303", "0502", "0703"
ALL = f"{PIETRA} {MONTEVERDE} {SOLARA}"


@rule("crossing", "8.1")
def test_the_three_towns_start_german():
    pos = Match(GAME, seed=1).position
    assert codes(GAME.overlay(pos, "held", GERMAN)) == {PIETRA, MONTEVERDE, SOLARA}
    assert GAME.overlay(pos, "held", ALLIED) == 0


@rule("crossing", "8.1")
def test_a_town_is_taken_by_marching_through_it():
    match = movement("1 Inf @ 0304")
    go(match, "1 Inf", "0402")
    assert held(match) == {PIETRA}


@rule("crossing", "8.2")
def test_everybody_is_warned_when_one_town_is_all_that_the_allies_lack():
    match = movement("1 Inf @ 0304; I Gren @ 0702", held=mask(MONTEVERDE))
    assert match.view(GERMAN)["warnings"] == []
    go(match, "1 Inf", PIETRA)
    assert match.view(GERMAN)["warnings"] == ["With one more town the Allies win at once."]


@rule("crossing", "8.1")
def test_it_stays_with_the_side_that_was_last_in_it():
    match = movement("1 Inf @ 0303; 2 Inf @ 0508", held=mask(PIETRA))
    go(match, "1 Inf", "0402")
    assert held(match) == {PIETRA}
    back = movement("I Gren @ 0202", side=GERMAN, held=mask(ALL.replace(SOLARA, "")))
    go(back, "I Gren", PIETRA)
    assert held(back) == {MONTEVERDE}


@rule("crossing", "8.1")
def test_an_advance_and_a_retreat_take_towns_too():
    match = combat("1 Inf @ 0402; I Gren @ 0303; II Gren @ 0901")
    attack(match, PIETRA, "1 Inf", die=3)
    do(match, "advance", "1 Inf", PIETRA)
    assert held(match) == {PIETRA}
    match = combat("1 Inf @ 0404; I Gren @ 0304", held=mask(PIETRA))
    attack(match, "0304", "1 Inf", die=4)
    do(match, "retreat", "I Gren", "0203")
    assert held(match) == {PIETRA}
    match = combat("1 Inf @ 0305; I Gren @ 0304", held=mask(PIETRA))
    attack(match, "0304", "1 Inf", die=4)
    do(match, "retreat", "I Gren", PIETRA)
    assert held(match) == set()


@rule("crossing", "8.1")
def test_only_the_three_count_not_the_town_in_the_south():
    match = movement("1 Inf @ 0508")
    go(match, "1 Inf", "0507")
    assert held(match) == set()


@rule("crossing", "8.2")
def test_the_allies_win_at_once_when_they_hold_all_three():
    match = movement("1 Inf @ 0304; 2 Inf @ 0508", held=mask(f"{MONTEVERDE} {SOLARA}"))
    go(match, "1 Inf", PIETRA)
    assert match.decision is None
    assert (match.outcome.winner, match.outcome.rule) == (ALLIED, "8.2")


@rule("crossing", "8.2")
def test_they_win_in_the_middle_of_a_move_that_was_to_go_on():
    match = movement("1 Inf @ 0402; 2 Inf @ 0508", held=mask(f"{PIETRA} {SOLARA}"), charge=EAST)
    go(match, "1 Inf", "0501")
    assert match.outcome is not None
    assert match.position.held == GAME.war.towns


@rule("crossing", "8.2")
def test_two_towns_do_not_end_the_game():
    match = movement("1 Inf @ 0304; 2 Inf @ 0508", held=mask(SOLARA))
    go(match, "1 Inf", PIETRA)
    assert held(match) == {PIETRA, SOLARA}
    assert match.outcome is None


def at_the_end(turn: int, **fields: int) -> Match:
    """The German side has done nothing in its half of a turn."""
    match = movement("1 Inf @ 0508; I Gren @ 0101", side=GERMAN, turn=turn, last_turn=4, **fields)
    pass_by(match)
    return match


@rule("crossing", "8.3")
@pytest.mark.parametrize(
    ("towns", "needed", "winner"),
    [
        (f"{PIETRA} {SOLARA}", 2, ALLIED),
        (PIETRA, 2, GERMAN),
        ("", 2, GERMAN),
        (PIETRA, 1, ALLIED),
    ],
)
def test_after_the_last_turn_the_towns_decide(towns: str, needed: int, winner: int):
    match = at_the_end(4, held=mask(towns), towns_to_win=needed)
    assert (match.outcome.winner, match.outcome.rule) == (winner, "8.3")
    assert f"hold {len(towns.split())} of 3" in match.outcome.reason


@rule("crossing", "8.3")
def test_before_that_the_number_decides_nothing():
    assert at_the_end(3, held=mask(f"{PIETRA} {SOLARA}")).outcome is None


@rule("crossing", "8.4")
def test_a_side_without_units_has_lost():
    match = combat("1 Inf, 2 Inf @ 0508; I Gren @ 0407")
    attack(match, "0407", "1 Inf", "2 Inf", die=3)
    assert verbs(match) == set()
    assert (match.outcome.winner, match.outcome.rule) == (ALLIED, "8.4")
    match = combat("1 Inf @ 0508; I Gren, II Gren @ 0407")
    attack(match, "0407", "1 Inf", die=1)
    assert (match.outcome.winner, match.outcome.rule) == (GERMAN, "8.4")


@rule("crossing", "8.4")
def test_one_unit_is_enough_to_go_on():
    match = combat("1 Inf, 2 Inf @ 0508; I Gren @ 0407; II Gren @ 0901 steps=1")
    attack(match, "0407", "1 Inf", "2 Inf", die=3)
    assert match.outcome is None


def test_the_score_likes_towns_steps_and_the_way_to_a_town():
    def score(counters: str, **fields: int) -> float:
        pos = table("movement", ALLIED, counters, **fields)
        assert GAME.score(pos, ALLIED) == -GAME.score(pos, GERMAN)
        return GAME.score(pos, ALLIED)

    start = score("1 Inf @ 0508; I Gren @ 0101")
    assert score("1 Inf @ 0508; I Gren @ 0101", held=mask(PIETRA)) > start
    assert score("1 Inf @ 0508 steps=1; I Gren @ 0101") < start
    assert score("1 Inf @ 0508; I Gren @ 0101 steps=1") > start
    assert score("1 Inf @ 0305; I Gren @ 0101") > start
