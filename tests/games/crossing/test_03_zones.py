"""Chapter 3: zones of control."""

from __future__ import annotations

import pytest

from apennine.testing import rule
from tests.games.crossing.drawing import (
    ALLIED,
    GAME,
    GERMAN,
    at,
    codes,
    movement,
    picked,
    preview,
    reach,
    table,
)

WEST_GONE = 1


def zone(counters: str, side: int, **fields: int) -> set[str]:
    return codes(GAME.overlay(table("movement", ALLIED, counters, **fields), "zone", side))


@rule("crossing", "3.1")
def test_a_unit_has_a_zone_over_the_six_hexes_next_to_it():
    around = {"0406", "0408", "0307", "0308", "0507", "0508"}
    assert zone("1 Inf @ 0407", ALLIED) == around
    assert zone("V Pz @ 0407 steps=1", GERMAN) == around


@rule("crossing", "3.1")
def test_a_zone_does_not_reach_over_the_river():
    assert zone("I Gren @ 0404", GERMAN) == {"0403", "0304", "0504", "0505"}


@rule("crossing", "3.1")
@pytest.mark.parametrize(("blown", "reaches"), [(0, True), (WEST_GONE, False), (2, True)])
def test_a_zone_reaches_over_a_bridge_as_long_as_it_stands(blown: int, reaches: bool):
    assert ("0305" in zone("I Gren @ 0304", GERMAN, blown=blown)) is reaches


@rule("crossing", "3.2")
def test_a_unit_that_enters_an_enemy_zone_goes_no_farther():
    # The bridge is two steps away, but the first of them leads past the enemy in 0405.
    alone = movement("1 Inf @ 0205")
    assert {"0305", "0304", "0303"} <= reach(alone, "1 Inf")
    watched = movement("1 Inf @ 0205; I Gren @ 0405")
    assert "0305" in reach(watched, "1 Inf")
    assert not {"0304", "0303"} & reach(watched, "1 Inf")


def test_an_enemy_beyond_the_river_stops_nobody():
    assert "0304" in reach(movement("1 Inf @ 0205; I Gren @ 0404", blown=2), "1 Inf")


@rule("crossing", "3.3")
def test_a_unit_in_an_enemy_zone_does_not_step_straight_into_another_hex_of_it():
    match = picked(movement("1 Inf @ 0306; I Gren @ 0405"), "1 Inf")
    # 0305 is next door and in the same zone: the way there leads out of the zone and back.
    way = preview(match, "go", "1 Inf", "0305").path
    assert way == (at("0306"), at("0205"), at("0305"))


@rule("crossing", "3.3")
def test_it_does_not_step_into_the_zone_of_another_enemy_either():
    match = movement("1 Inf @ 0306; I Gren @ 0405; II Gren @ 0207")
    assert not {"0307", "0406"} & reach(match, "1 Inf")


def test_it_may_walk_away():
    assert {"0206", "0205", "0307"} <= reach(movement("1 Inf @ 0306; I Gren @ 0405"), "1 Inf")
