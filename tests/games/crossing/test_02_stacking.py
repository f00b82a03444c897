"""Chapter 2: stacking."""

from __future__ import annotations

from apennine.games.crossing.rules.c03_zones import full
from apennine.games.crossing.table.position import WEST
from apennine.testing import rule
from tests.games.crossing.drawing import (
    GAME,
    at,
    attack,
    codes,
    combat,
    do,
    go,
    hexes,
    movement,
    names,
    picked,
    preview,
    reach,
    table,
    where,
)


@rule("crossing", "2.1")
def test_a_third_unit_may_march_through_a_full_hex_but_not_stay_in_it():
    match = movement("1 Inf @ 0508; 2 Inf, 3 Inf @ 0507")
    assert "0507" not in reach(match, "1 Inf")
    way = preview(picked(match, "1 Inf"), "go", "1 Inf", "0305").path
    assert at("0507") in way


def test_a_second_unit_may_stay():
    assert "0507" in reach(movement("1 Inf @ 0508; 2 Inf @ 0507"), "1 Inf")


def test_the_limit_is_for_each_side_and_each_hex():
    match = movement("1 Inf @ 0508; 2 Inf @ 0507; 3 Inf @ 0406; I Gren, II Gren @ 0101")
    assert {"0507", "0406"} <= reach(match, "1 Inf")


@rule("crossing", "2.1")
def test_a_retreat_does_not_end_in_a_full_hex_but_may_lead_through_it():
    counters = "1 Inf @ 0508; I Gren @ 0407; II Gren, III Gren @ 0307"
    short = combat(counters)
    attack(short, "0407", "1 Inf", die=4)
    assert hexes(short, "retreat") == {"0406", "0308"}
    long = combat(counters)
    attack(long, "0407", "1 Inf", die=5)
    assert "0307" in hexes(long, "retreat")


@rule("crossing", "2.1", "6.9")
def test_two_of_three_attackers_may_advance():
    match = combat("1 Inf, 2 Inf @ 0508; 3 Inf @ 0408; I Gren @ 0407 steps=1; V Pz @ 0501")
    attack(match, "0407", "1 Inf", "2 Inf", "3 Inf", die=3)
    do(match, "advance", "1 Inf", "0407")
    assert names(match, "advance") == {"2 Inf", "3 Inf"}
    do(match, "advance", "3 Inf", "0407")
    assert names(match, "advance") == set()
    assert where(match, "2 Inf") == "0508"


@rule("crossing", "2.1", "5.3")
def test_a_unit_stopped_at_the_bridge_among_two_others_goes_back_to_where_there_is_room():
    match = movement("1 Inf, 2 Inf @ 0305; 3 Inf @ 0507", charge=WEST)
    go(match, "3 Inf", "0304")
    do(match, "blow", hex="0305")
    assert where(match, "3 Inf") == "0306"
    assert match.position.left == 2 * GAME.war.ticks
    do(match, "halt", "3 Inf")
    assert match.check() == []


@rule("crossing", "2.1", "5.3")
def test_it_goes_back_to_where_it_started_if_all_of_its_way_is_full():
    match = movement("1 Inf, 2 Inf @ 0305; 4 Inf, 6 Arm @ 0306; 3 Inf @ 0206", charge=WEST)
    go(match, "3 Inf", "0304")
    do(match, "blow", hex="0305")
    assert where(match, "3 Inf") == "0206"
    assert match.position.left == 3 * GAME.war.ticks
    assert match.check() == []


def test_the_hexes_that_are_full():
    pos = table("movement", 0, "1 Inf, 2 Inf @ 0508; 3 Inf @ 0407; I Gren, II Gren @ 0101")
    assert codes(full(GAME.war, pos, 0)) == {"0508"}
    assert codes(full(GAME.war, pos, 1)) == {"0101"}
