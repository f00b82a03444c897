"""The scenarios as they begin."""

import pytest

from apennine.games.italy43.rules.c04_stacking import overstacked
from apennine.games.italy43.table.position import ALLIED, AWAY, GERMAN, Table
from apennine.hexes import bits
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.italy43.drawing import CLEAR, GAME, RAIN, WAR, at, number, refused, units

KEYS = ("volturno", "bernhard", "campaign")


def start(key: str) -> Table:
    return GAME.setup(key, GAME.check_options({}))


def points(pos: Table) -> int:
    return sum(worth for hex, worth in WAR.ground.prizes.items() if pos.control >> hex & 1)


@rule("italy43", "S3.1b")
def test_the_campaign_starts_in_rain_with_one_german_supply_point():
    for key in ("volturno", "campaign"):
        pos = start(key)
        assert (pos.weather, pos.supply, pos.air, pos.naval) == (RAIN, [0, 1], 0, False)


@rule("italy43", "S2.1b")
def test_the_bernhard_line_starts_in_clear_weather_with_ten_points():
    pos = start("bernhard")
    assert (pos.weather, pos.supply, points(pos)) == (CLEAR + 1, [3, 1], 10)


@rule("italy43", "S3.1d")
def test_the_allies_hold_no_points_when_the_campaign_begins():
    assert points(start("campaign")) == 0


@rule("italy43", "S3.3.2", "S3.3.3a")
def test_nine_german_units_are_frozen():
    pos = start("campaign")
    seven = "33/15, I/104/15, II/104/15, III/104/15, 129/15, 115 Pz/15, 15PG ASU"
    assert pos.frozen == units(seven) | units("8/3PG, 103/3PG")
    assert pos.hex[number("8/3PG")] == pos.hex[number("103/3PG")] == at("2706")
    assert pos.hex[number("33/15")] == at("1706")


@rule("italy43", "S2.1c")
def test_all_forts_of_level_1_have_been_started_by_november():
    pos = start("bernhard")
    assert pos.planned
    assert (pos.works | pos.forts).bit_count() == 8
    assert not start("campaign").planned


@rule("italy43", "S3.3.5a", "S2.3.2b")
def test_airborne_units_garrison_naples():
    for key, garrison in (("campaign", "504/82, 505/82, 325G/82"), ("bernhard", "505/82, 325G/82")):
        pos = start(key)
        for unit in bits(units(garrison)):
            assert pos.posted >> unit & 1
            assert WAR.ground.naples >> pos.hex[unit] & 1


@pytest.mark.parametrize("key", KEYS)
def test_no_stack_is_too_high_and_nobody_who_should_be_there_is_missing(key: str):
    pos = start(key)
    assert not overstacked(WAR, pos, ALLIED) | overstacked(WAR, pos, GERMAN)
    for unit, place in enumerate(pos.hex):
        if place == AWAY:
            assert WAR.arrives[unit] >= pos.turn, WAR.names[unit]


LENGTHS = [("volturno", 1, 7), ("bernhard", 13, 32), ("campaign", 1, 32)]


@rule("italy43", "S1.1", "S2.1a", "S3.1a")
@pytest.mark.parametrize(("key", "first", "last"), LENGTHS)
def test_how_long_the_scenarios_are_and_with_which_cards(key: str, first: int, last: int):
    pos = start(key)
    assert (pos.turn, pos.last_turn) == (first, last)
    scenario = WAR.book.scenarios[pos.scenario]
    assert scenario.setup == ("bernhard" if key == "bernhard" else "campaign")


@rule("italy43", "S1.3.1")
def test_the_special_rules_of_the_campaign_hold_in_its_first_half_month():
    one, other = start("volturno"), start("campaign")
    assert (one.frozen, one.posted, one.hex) == (other.frozen, other.posted, other.hex)


@rule("italy43", "S2.3.3")
def test_formia_has_its_garrison_in_november_too():
    pos = start("bernhard")
    assert pos.posted & units("33/15, 267/94") == units("33/15, 267/94")
    pos.phase, pos.posted, pos.frozen = "movement", units("267/94"), 0
    pos.hex[number("267/94")] = AWAY
    match = Match(GAME, position=pos, seed=1)
    assert refused(match, "move", "33/15").rule == "S3.3.4a"


@rule("italy43", "S2.1c")
def test_some_of_the_forts_are_complete_and_the_others_under_construction():
    pos, sites = start("bernhard"), WAR.book.setups["bernhard"].forts
    for site in sites:
        assert bool(pos.forts >> at(site.hex) & 1) is site.complete
        assert bool(pos.works >> at(site.hex) & 1) is not site.complete
    assert {site.complete for site in sites} == {True, False}
