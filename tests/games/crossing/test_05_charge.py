"""Chapter 5: the charge under the bridge."""

from __future__ import annotations

from random import Random

import pytest

from apennine.games.crossing.table.position import EAST, SPENT, UNLAID, WEST, Table
from apennine.kernel.decision import Event
from apennine.kernel.game import EVERYBODY
from apennine.kernel.match import Match
from apennine.kernel.story import Teller
from apennine.kernel.view import HIDDEN, seen_decision, seen_log
from apennine.testing import rule
from tests.games.crossing.drawing import (
    ALLIED,
    GAME,
    GERMAN,
    asked,
    at,
    attack,
    combat,
    do,
    go,
    hexes,
    movement,
    pass_by,
    price,
    reach,
    table,
    verbs,
    where,
)

WEST_GONE = 1


@rule("crossing", "5.1")
@pytest.mark.parametrize(("hex", "bridge"), [("0305", WEST), ("0705", EAST)])
def test_before_the_first_turn_the_germans_lay_the_charge_at_one_of_the_bridges(
    hex: str, bridge: int
):
    match = Match(GAME, seed=1)
    assert asked(match).side == GERMAN
    assert hexes(match, "lay the charge") == {"0305", "0705"}
    assert match.position.charge == UNLAID
    do(match, "lay the charge", hex=hex)
    assert match.position.charge == bridge
    assert (match.position.turn, match.position.side) == (1, ALLIED)


@rule("crossing", "5.1")
@pytest.mark.parametrize("hex", ["0305", "0705"])
def test_only_the_germans_know_where_it_is(hex: str):
    match = Match(GAME, seed=1)
    do(match, "lay the charge", hex=hex)
    assert match.view(GERMAN)["charge"] == {"0305": "west", "0705": "east"}[hex]
    for other in (ALLIED, EVERYBODY):
        assert match.view(other)["charge"] == "hidden"
        (laid,) = seen_log(match, other)
        assert laid.option == HIDDEN


def test_everybody_knows_that_there_is_no_charge_yet_or_any_more():
    for charge, word in ((UNLAID, "not laid"), (SPENT, "blown")):
        pos = table("movement", ALLIED, "1 Inf @ 0508", charge=charge)
        assert {GAME.view(pos, side)["charge"] for side in (ALLIED, GERMAN, EVERYBODY)} == {word}


def at_the_bridge(charge: int, counters: str = "1 Inf, 2 Inf @ 0305") -> Match[Table]:
    """The first unit of the drawing sets out over the west bridge."""
    match = movement(counters, charge=charge)
    go(match, counters[:5], "0304")
    return match


@rule("crossing", "5.2")
def test_the_germans_may_blow_the_bridge_before_an_allied_unit_crosses():
    match = at_the_bridge(WEST)
    assert asked(match).side == GERMAN
    assert where(match, "1 Inf") == "0305"
    assert hexes(match, "blow") == {"0305"}
    do(match, "blow", hex="0305")
    assert match.position.blown == WEST_GONE
    assert match.position.charge == SPENT


@rule("crossing", "5.2")
def test_they_may_let_the_unit_pass_and_are_asked_again_for_the_next():
    match = at_the_bridge(WEST)
    do(match, "let pass")
    assert where(match, "1 Inf") == "0304"
    go(match, "2 Inf", "0304")
    assert "blow" in verbs(match)


def test_the_story_tells_the_way_over_the_bridge_hex_by_hex_though_the_germans_were_asked():
    match = movement("6 Arm @ 0306", charge=EAST)
    go(match, "6 Arm", "0303")
    do(match, "let pass")
    for side in (ALLIED, GERMAN):
        told = Teller(match, side).passages
        (move,) = [move for passage in told for move in passage.moves]
        assert [GAME.board.code(hex) for hex in move.path] == ["0306", "0305", "0304", "0303"]


@rule("crossing", "5.2")
def test_without_the_charge_there_is_nothing_to_blow_and_yet_the_question_is_put():
    match = at_the_bridge(EAST)
    assert verbs(match) == {"let pass", "let pass this phase"}
    assert asked(match).side == GERMAN
    # The Allies see the same as if the charge were here.
    assert seen_decision(match, ALLIED) == seen_decision(at_the_bridge(WEST), ALLIED)


@rule("crossing", "5.2")
def test_the_germans_may_let_everything_pass_until_the_phase_ends():
    match = at_the_bridge(WEST, "1 Inf, 2 Inf @ 0305; 3 Inf @ 0705")
    do(match, "let pass this phase")
    go(match, "2 Inf", "0304")
    assert where(match, "2 Inf") == "0304"
    go(match, "3 Inf", "0704")
    assert where(match, "3 Inf") == "0704"
    # All have moved, so it is the other side's half.
    pass_by(match)
    go(match, "1 Inf", "0305")
    assert "blow" in verbs(match)


@rule("crossing", "5.2")
def test_german_units_cross_without_a_question():
    match = movement("I Gren @ 0304", side=GERMAN, charge=WEST)
    go(match, "I Gren", "0305")
    assert where(match, "I Gren") == "0305"
    assert match.position.blown == 0


def test_nobody_is_asked_who_does_not_cross_a_bridge_or_after_it_was_blown():
    waded = movement("1 Inf @ 0205", charge=WEST, blown=2)
    go(waded, "1 Inf", "0105")
    assert where(waded, "1 Inf") == "0105"
    ruin = movement("1 Inf @ 0305", charge=SPENT, blown=WEST_GONE)
    go(ruin, "1 Inf", "0304")
    assert where(ruin, "1 Inf") == "0304"
    other = movement("1 Inf @ 0705", charge=SPENT, blown=WEST_GONE)
    go(other, "1 Inf", "0704")
    assert where(other, "1 Inf") == "0704"


@rule("crossing", "5.2")
def test_advances_and_retreats_are_too_quick_for_the_charge():
    match = combat("1 Inf, 2 Inf @ 0305; I Gren @ 0304; II Gren @ 0501", charge=WEST)
    attack(match, "0304", "1 Inf", "2 Inf", die=3)
    do(match, "advance", "1 Inf", "0304")
    assert where(match, "1 Inf") == "0304"
    assert asked(match).side == ALLIED
    counters = "1 Inf @ 0304; 2 Inf @ 0508; I Gren @ 0403; II Gren @ 0203"
    driven = combat(counters, side=GERMAN, charge=WEST)
    attack(driven, "0304", "I Gren", "II Gren", die=4)
    assert where(driven, "1 Inf") == "0305"
    assert driven.position.blown == 0


@rule("crossing", "5.3")
def test_the_unit_stops_before_the_blown_bridge_and_has_its_other_points_left():
    match = movement("1 Inf @ 0406", charge=WEST)
    go(match, "1 Inf", "0303")
    do(match, "blow", hex="0305")
    assert where(match, "1 Inf") == "0305"
    # One point is spent on the road, two are left; three would be needed to wade.
    assert match.position.left == 2 * GAME.war.ticks
    assert {"0205", "0405", "0307", "0507"} <= hexes(match, "go")
    assert "0304" not in hexes(match, "go")
    do(match, "go", "1 Inf", "0205")
    assert where(match, "1 Inf") == "0205"


@rule("crossing", "5.3")
def test_a_blown_bridge_is_gone_for_good():
    match = at_the_bridge(WEST)
    do(match, "blow", hex="0305")
    do(match, "halt", "1 Inf")
    pass_by(match, halves=2)
    assert match.position.blown == WEST_GONE
    assert price(match, "1 Inf", "0304") == 2 + 1
    tracks = movement("6 Arm @ 0305", charge=SPENT, blown=WEST_GONE)
    assert "0304" not in reach(tracks, "6 Arm")


@rule("crossing", "5.3")
def test_the_other_bridge_still_stands():
    match = at_the_bridge(WEST)
    do(match, "blow", hex="0305")
    assert match.view(ALLIED)["blown"] == ["west"]
    assert price(movement("1 Inf @ 0705", blown=WEST_GONE, charge=SPENT), "1 Inf", "0704") == 0.5


def test_the_explosion_is_told_to_all_and_nobody_takes_a_move_back_past_it():
    match = at_the_bridge(WEST)
    do(match, "blow", hex="0305")
    told_of = [entry for entry in match.log if isinstance(entry, Event)]
    assert told_of == [Event("bridge blown", hex=at("0305"), rule="5.3", reveals=True)]
    assert not match.may_take_back(ALLIED)


def test_who_does_not_know_the_charge_imagines_it_at_either_bridge():
    pos = table("movement", ALLIED, "1 Inf @ 0508", charge=WEST)
    before = pos.copy()
    for side in (ALLIED, EVERYBODY):
        dreams = [GAME.imagine(pos, side, Random(seed), pos) for seed in range(20)]
        assert {dream.charge for dream in dreams} == {WEST, EAST}
        assert all(GAME.view(dream, side) == GAME.view(pos, side) for dream in dreams)
    assert pos == before


def test_the_germans_imagine_nothing_and_what_came_to_light_is_known():
    pos = table("movement", ALLIED, "1 Inf @ 0508", charge=WEST)
    blown = table("movement", ALLIED, "1 Inf @ 0508", charge=SPENT, blown=WEST_GONE)
    for seed in range(20):
        assert GAME.imagine(pos, GERMAN, Random(seed), pos) == pos
        assert GAME.imagine(pos, ALLIED, Random(seed), blown).charge == WEST
        assert GAME.imagine(blown, ALLIED, Random(seed), blown) == blown
