"""Chapter 4: movement."""

from __future__ import annotations

from itertools import pairwise

import pytest

from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.crossing.drawing import (
    ALLIED,
    GAME,
    GERMAN,
    at,
    codes,
    do,
    go,
    hexes,
    movement,
    names,
    offers,
    option,
    picked,
    preview,
    price,
    reach,
    verbs,
    where,
)

BOTH_GONE = 3
FOOT, TRACKS = "1 Inf", "6 Arm"
NORTH_BANK = {"0105", "0204", "0304", "0404", "0505", "0604", "0704", "0803", "0904"}


@rule("crossing", "4.1")
def test_the_units_of_the_active_side_move_one_after_the_other_each_once():
    match = movement("1 Inf @ 0508; 2 Inf @ 0407; 3 Inf @ 0608; I Gren @ 0101")
    assert names(match, "move") == {"1 Inf", "2 Inf", "3 Inf"}
    go(match, "1 Inf", "0507")
    assert where(match, "1 Inf") == "0507"
    assert names(match, "move") == {"2 Inf", "3 Inf"}
    go(match, "3 Inf", "0607")
    assert names(match, "move") == {"2 Inf"}


@rule("crossing", "4.1")
def test_the_side_may_end_the_phase_at_any_time():
    match = movement("1 Inf @ 0508; 2 Inf @ 0407; I Gren @ 0101")
    assert option("end movement") in offers(match)
    do(match, "end movement")
    assert match.position.side == GERMAN


def test_the_unit_that_moves_is_the_only_one_that_can_go_on():
    match = picked(movement("1 Inf @ 0508; 2 Inf @ 0407"), "1 Inf")
    assert names(match, "go") == {"1 Inf"}
    assert verbs(match) == {"go", "halt"}


@rule("crossing", "4.1")
def test_to_halt_is_to_have_moved():
    match = movement("1 Inf @ 0508; 2 Inf @ 0407")
    do(match, "move", "1 Inf")
    do(match, "halt", "1 Inf")
    assert where(match, "1 Inf") == "0508"
    assert names(match, "move") == {"2 Inf"}


@rule("crossing", "4.2")
@pytest.mark.parametrize(
    ("unit", "start", "end", "points"),
    [
        (FOOT, "0408", "0407", 1),
        (FOOT, "0207", "0206", 2),  # a hill
        (FOOT, "0202", "0303", 1.5),  # a town
        (TRACKS, "0408", "0407", 1),
        (TRACKS, "0207", "0206", 3),
        (TRACKS, "0202", "0303", 2),
        (FOOT, "0108", "0407", 3),
        (TRACKS, "0108", "0306", 3),
    ],
)
def test_the_terrain_has_its_price_for_each_kind_of_unit(
    unit: str, start: str, end: str, points: float
):
    assert price(movement(f"{unit} @ {start}"), unit, end) == points


@rule("crossing", "4.2")
def test_a_unit_goes_as_far_as_its_points_carry_it():
    # No road leads past 0808, and no hill stands near.
    found = reach(movement("1 Inf @ 0808", blown=BOTH_GONE), "1 Inf")
    assert {"0508", "0708", "0908", "0907"} <= found
    assert "0407" not in found
    assert "0407" in reach(movement("6 Arm @ 0808", blown=BOTH_GONE), "6 Arm")


@rule("crossing", "4.3")
@pytest.mark.parametrize("unit", [FOOT, TRACKS])
def test_a_step_along_a_road_costs_half_a_point_into_a_town_too(unit: str):
    match = movement(f"{unit} @ 0508")
    assert price(match, unit, "0507") == 0.5
    assert price(match, unit, "0306") == 1.5


@rule("crossing", "4.3")
@pytest.mark.parametrize("unit", [FOOT, TRACKS])
def test_the_road_goes_on_over_a_standing_bridge(unit: str):
    assert price(movement(f"{unit} @ 0305"), unit, "0304") == 0.5
    assert price(movement(f"{unit} @ 0704"), unit, "0705") == 0.5


@rule("crossing", "4.3")
def test_a_blown_bridge_carries_no_road():
    assert price(movement("1 Inf @ 0305", blown=BOTH_GONE), FOOT, "0304") == 3
    assert "0304" not in reach(movement("6 Arm @ 0305", blown=BOTH_GONE), TRACKS)


@rule("crossing", "4.3")
def test_who_comes_to_the_road_from_the_field_pays_for_the_field():
    assert price(movement("1 Inf @ 0407"), FOOT, "0406") == 1
    assert price(movement("1 Inf @ 0306"), FOOT, "0406") == 0.5


@rule("crossing", "4.4")
def test_units_on_foot_pay_for_the_river_and_for_the_hex():
    match = movement("1 Inf @ 0205", blown=BOTH_GONE)
    assert price(match, FOOT, "0204") == 2 + 1
    assert price(movement("1 Inf @ 0305", blown=BOTH_GONE), FOOT, "0304") == 2 + 1


@rule("crossing", "4.4")
def test_tracked_units_cannot_cross_the_river_where_there_is_no_bridge():
    assert reach(movement("1 Inf @ 0205", blown=BOTH_GONE), FOOT) & NORTH_BANK
    assert not reach(movement("6 Arm @ 0205", blown=BOTH_GONE), TRACKS) & NORTH_BANK
    way = preview(picked(movement("6 Arm @ 0205"), TRACKS), "go", TRACKS, "0204").path
    assert way == tuple(map(at, ("0205", "0305", "0304", "0204")))


@rule("crossing", "4.5")
@pytest.mark.parametrize("unit", [FOOT, TRACKS])
def test_no_unit_enters_a_hex_with_an_enemy(unit: str):
    assert "0507" in reach(movement(f"{unit} @ 0508; I Gren @ 0101"), unit)
    assert "0507" not in reach(movement(f"{unit} @ 0508; I Gren @ 0507"), unit)


@rule("crossing", "4.6")
def test_a_unit_may_always_move_one_hex_though_it_cannot_pay():
    # A river and a hill: four points, and the unit has three.
    match = movement("1 Inf @ 0405", blown=BOTH_GONE)
    assert "0505" in reach(match, FOOT)
    go(match, FOOT, "0505")
    assert where(match, FOOT) == "0505"


@rule("crossing", "4.6")
def test_it_is_the_only_step_of_its_move():
    beside = reach(movement("1 Inf @ 0406", blown=BOTH_GONE), FOOT)
    assert "0405" in beside
    assert "0505" not in beside
    assert "0504" not in reach(movement("1 Inf @ 0405", blown=BOTH_GONE), FOOT)


def test_one_hex_means_one_that_the_unit_could_enter():
    match = movement("6 Arm @ 0405; I Gren @ 0406; II Gren @ 0305", blown=BOTH_GONE)
    # Not over the river on tracks, not into the enemies, not from zone to zone.
    assert reach(match, TRACKS) == set()


@rule("crossing", "4.7")
def test_a_unit_out_of_supply_has_half_its_points_rounded_up():
    foot = reach(movement("1 Inf @ 0808 cut"), FOOT)
    assert {"0807", "0608"} <= foot
    assert "0508" not in foot
    tracks = reach(movement("6 Arm @ 0908 cut"), TRACKS)
    assert "0608" in tracks
    assert "0508" not in tracks


@rule("crossing", "4.8")
@pytest.mark.parametrize(("boats", "points"), [(False, 3), (True, 2)])
def test_with_assault_boats_the_river_costs_one_point_on_foot(boats: bool, points: int):
    match = movement("1 Inf @ 0205", blown=BOTH_GONE, options={"boats": boats})
    assert price(match, FOOT, "0204") == points


@rule("crossing", "4.8")
def test_boats_are_left_at_home_unless_asked_for_and_carry_no_tanks():
    assert not Match(GAME, seed=1).position.boats
    match = movement("6 Arm @ 0205", blown=BOTH_GONE, options={"boats": True})
    assert "0204" not in reach(match, TRACKS)


def test_the_preview_of_a_move_shows_the_way_and_its_price():
    shown = preview(picked(movement("1 Inf @ 0508"), FOOT), "go", FOOT, "0305")
    assert [GAME.board.code(hex) for hex in shown.path] == ["0508", "0507", "0406", "0306", "0305"]
    assert shown.cost == "2 points"
    assert preview(picked(movement("1 Inf @ 0408"), FOOT), "go", FOOT, "0407").cost == "1 point"


def test_every_hex_in_reach_has_a_way_that_the_unit_can_pay():
    match = picked(movement("1 Inf @ 0508; I Gren @ 0501"), FOOT)
    for code in hexes(match, "go"):
        shown = preview(match, "go", FOOT, code)
        assert (shown.path[0], shown.path[-1]) == (at("0508"), at(code))
        assert all(GAME.board.lattice.distance(a, b) == 1 for a, b in pairwise(shown.path))
        assert 0 < float(shown.cost.split()[0]) <= 3


def test_the_overlay_shows_where_a_unit_can_go():
    match = movement("1 Inf @ 0508; I Gren @ 0406")
    pos = match.position
    shown = codes(GAME.overlay(pos, "reach", ALLIED, GAME.unit(FOOT)))
    assert shown == reach(match, FOOT)
    assert GAME.overlay(pos, "reach", ALLIED) == 0
    assert GAME.overlay(pos, "reach", ALLIED, GAME.unit("2 Inf")) == 0
