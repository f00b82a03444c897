"""Chapter 6: zones of control."""

import pytest

from apennine.games.italy43.rules.c06_zones import zone_from
from apennine.games.italy43.table.position import GERMAN
from apennine.testing import rule
from tests.games.italy43.drawing import (
    ALLIED,
    WAR,
    at,
    codes,
    march,
    price,
    table,
    zone,
)

AROUND_2318 = {"2317", "2417", "2418", "2319", "2218", "2217"}


@rule("italy43", "6.1a")
@pytest.mark.parametrize("unit", ["7/3", "131/7", "22/7", "191 Tk", "11H/7", "3 ASU", "1 Rgr"])
def test_every_combat_unit_has_a_zone_in_the_six_hexes_around_it(unit: str):
    assert zone(f"{unit} @ 2318", ALLIED) == AROUND_2318


@rule("italy43", "6.1c")
def test_the_zone_of_infantry_crosses_mountains_and_rivers():
    assert "1905" in zone("129/15 @ 1804", GERMAN)  # trackless
    assert {"2115", "2215"} <= zone("7/3 @ 2116", ALLIED)  # over the Volturno


@rule("italy43", "6.1d")
@pytest.mark.parametrize("unit", ["22/7", "191 Tk", "11H/7", "3 ASU"])
def test_that_of_vehicles_crosses_mountains_only_by_road_or_pass(unit: str):
    assert "1905" not in zone(f"{unit} @ 1804", ALLIED)
    assert "1902" in zone(f"{unit} @ 1802", ALLIED)  # the pass of Campodimele
    assert "2105" in zone(f"{unit} @ 2004", ALLIED)  # a road


@rule("italy43", "6.1d")
def test_infantry_in_the_same_hex_looks_over_the_mountains_for_them():
    assert "1905" in zone("22/7, 1 Rgr @ 1804", ALLIED)
    assert "1905" not in zone("22/7 @ 1804; 1 Rgr @ 1801", ALLIED)


@rule("italy43", "6.1b")
def test_no_zone_reaches_the_sea():
    land = codes(WAR.ground.land)
    assert zone("7/3 @ 1815", ALLIED) <= land
    assert zone("7/3 @ 1506", ALLIED) <= land


@rule("italy43", "13.3.2a")
def test_a_unit_in_full_retreat_has_none_but_its_companions_do():
    assert zone("7/3 @ 2318 routed", ALLIED) == set()
    assert zone("7/3 @ 2318 routed; 15/3 @ 2318", ALLIED) == AROUND_2318
    assert zone("1 Rgr @ 1804 routed; 22/7 @ 1804", ALLIED) == zone("22/7 @ 1804", ALLIED)


@rule("italy43", "13.2.2")
def test_a_disrupted_unit_keeps_its_zone():
    assert zone("7/3 @ 2318 disrupted", ALLIED) == AROUND_2318


@rule("italy43", "21.3b")
def test_no_zone_leads_out_of_an_entry_area():
    assert zone("7/3 @ S1", ALLIED) == set()


@rule("italy43", "6.2a")
def test_a_unit_must_stop_in_an_enemy_zone_but_pays_nothing_to_enter_it():
    free = "7/3 @ 2520"
    assert price(f"{free}; 8/3PG @ 2318", "7/3", "2417") == price(free, "7/3", "2417") == 3
    found = march(f"{free}; 8/3PG @ 2318", "7/3")
    assert found.is_ordinary(at("2417"))
    assert price("7/3 @ 2418; 8/3PG @ 2318", "7/3", "2416") > price("7/3 @ 2418", "7/3", "2416")


@rule("italy43", "6.2b")
def test_it_costs_two_points_more_to_leave_one():
    assert price("131/7 @ 2418", "131/7", "2519") == 1
    assert price("131/7 @ 2418; 8/3PG @ 2318", "131/7", "2519") == 3


@rule("italy43", "6.2c")
def test_a_unit_may_go_straight_from_one_enemy_zone_into_another_and_stop():
    counters = "131/7 @ 2418; 8/3PG @ 2318; 29/3PG @ 2617"
    assert price(counters, "131/7", "2417") == 3
    found = march(counters, "131/7")
    assert found.is_ordinary(at("2417"))
    assert found.path(at("2417"), False) == [at("2418"), at("2417")]


def test_the_zone_of_one_stack_is_its_own():
    pos = table("7/3 @ 2318; 15/3 @ 2320")
    assert codes(zone_from(WAR, pos, at("2318"), ALLIED)) == AROUND_2318
