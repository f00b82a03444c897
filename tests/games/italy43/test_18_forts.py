"""Chapter 18: fortifications, as they are built and removed."""

from typing import Any

import pytest

from apennine.games.italy43.rules.c05_control import enter
from apennine.games.italy43.rules.c18_forts import level_1
from apennine.games.italy43.table.position import ALLIED, GERMAN, Table
from apennine.kernel.decision import Roll
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.italy43.drawing import (
    GAME,
    WAR,
    at,
    begin,
    do,
    hexes,
    mask,
    refused,
    table,
    verbs,
)

EIGHT = "2508 2706 2807 1908 2208 2505 2504 2703"


def initial(counters: str = "8/3PG @ 2512", side: int = GERMAN, **fields: Any) -> Match[Table]:
    return begin(counters, "initial", side, **{"control": 0} | fields)


@rule("italy43", "18.1.1")
def test_one_fortification_a_turn_is_started_or_completed_in_any_land_hex():
    match = initial()
    assert {"2504", "2706", "1701", "2012"} <= hexes(match, "start a fortification")  # cities too
    do(match, "start a fortification", hex="2504")
    assert match.position.works == mask("2504")
    assert refused(match, "start a fortification", hex="2505").rule == "18.1.1"
    assert refused(initial(), "start a fortification", hex="1708").rule == "18.1.1"  # sea


@rule("italy43", "18.1.1", "18.1.3e")
def test_none_is_completed_before_all_eight_are_started():
    seven = " ".join(EIGHT.split()[:7])
    match = initial(works=mask(seven))
    assert refused(match, "complete the fortification", hex="2508").rule == "18.1.3e"
    do(match, "start a fortification", hex="2703")
    assert match.position.planned
    match = initial(works=mask(EIGHT), planned=True)
    assert hexes(match, "complete the fortification") == set(EIGHT.split())
    do(match, "complete the fortification", hex="2508")
    assert match.position.forts == mask("2508")
    assert match.position.works == mask(" ".join(EIGHT.split()[1:]))  # the marker is turned over
    assert level_1(match.position) == mask(EIGHT)


@rule("italy43", "18.1.3g")
def test_that_gate_is_passed_once_for_all():
    match = initial(works=mask("2508"), planned=True)
    assert hexes(match, "complete the fortification") == {"2508"}


@rule("italy43", "18.1.3a")
def test_there_are_eight_of_level_1_and_four_of_level_2():
    match = initial(works=mask(EIGHT))
    assert refused(match, "start a fortification", hex="2404").rule == "18.1.3a"
    second = mask("2404 2403 2402 2302")
    match = initial(forts=second | mask("2504"), strongholds=second, planned=True)
    assert refused(match, "start a fortification", hex="2504").rule == "18.1.3a"
    match = initial(forts=mask("2508"), planned=True)
    do(match, "raze", hex="2508")
    assert "2508" in hexes(match, "start a fortification")  # removed ones are built again


@rule("italy43", "18.1.2")
def test_level_2_goes_on_top_of_level_1_and_frees_its_marker():
    match = initial(forts=mask("2504 2505"), planned=True)
    do(match, "start a fortification", hex="2504")
    pos = match.position
    assert (pos.upgrades, pos.forts) == (mask("2504"), mask("2504 2505"))
    assert level_1(pos) == mask("2504 2505")
    match = initial(forts=mask("2504 2505"), upgrades=mask("2504"), planned=True)
    do(match, "complete the fortification", hex="2504")
    assert match.position.strongholds == mask("2504")
    assert level_1(match.position) == mask("2505")


@rule("italy43", "18.1.3f", "18.1.3h")
def test_level_2_is_built_on_or_behind_the_gustav_line():
    match = initial(forts=mask("2504 2706 2402"), planned=True)
    offered = hexes(match, "start a fortification")
    assert {"2504", "2402"} <= offered
    assert refused(match, "start a fortification", hex="2706").rule == "18.1.3f"


@rule("italy43", "18.1.3b")
def test_german_supply_must_reach_the_hex():
    match = initial()
    assert refused(match, "start a fortification", hex="2502").rule == "18.1.3b"
    match = initial(works=mask("2502"), planned=True)
    assert refused(match, "complete the fortification", hex="2502").rule == "18.1.3b"


@rule("italy43", "18.1.3c")
def test_in_an_enemy_zone_only_where_a_german_unit_is():
    match = initial("8/3PG @ 2512; 7/3 @ 2513")
    assert "2512" in hexes(match, "start a fortification")
    assert refused(match, "start a fortification", hex="2413").rule == "18.1.3c"


@rule("italy43", "18.1.3d")
def test_not_in_a_hex_that_is_fought_for():
    match = initial(battles=mask("2504"))
    assert refused(match, "start a fortification", hex="2504").rule == "18.1.3d"


@rule("italy43", "18.1.4")
@pytest.mark.parametrize(("die", "built"), [(2, False), (3, True), (6, True)])
def test_next_to_an_enemy_a_die_decides(die: int, built: bool):
    pos = table("8/3PG @ 2512; 7/3 @ 2513", "initial", GERMAN, control=0)
    match = Match(GAME, position=pos, dice_by_hand=True)
    do(match, "start a fortification", hex="2512")
    assert isinstance(match.decision, Roll)
    match.roll(die)
    assert match.position.works == (mask("2512") if built else 0)
    assert match.position.built


@rule("italy43", "3.0B1b")
def test_only_the_german_side_builds():
    match = begin("7/3, 3 ASU @ 2124", "initial", ALLIED, control=-1, supply=[1, 0])
    assert refused(match, "start a fortification", hex="2124").rule == "3.0B1b"


@rule("italy43", "3.0B1c")
def test_and_in_the_initial_phase_not_while_moving():
    match = begin("8/3PG @ 2512; 29/3PG @ 2510", "movement", GERMAN, control=0)
    assert "start a fortification" not in verbs(match)
    assert "start a fortification" in verbs(initial())


@rule("italy43", "S1.3.2")
def test_there_are_none_in_across_the_volturno():
    match = initial("8/3PG @ 2512; XIV ASU @ 2510", scenario="volturno")
    assert refused(match, "start a fortification", hex="2504").rule == "S1.3.2"


@rule("italy43", "18.2.3")
def test_the_owner_razes_them_and_an_enemy_who_enters_does():
    match = initial(forts=mask("2508"), strongholds=mask("2508"))
    do(match, "raze", hex="2508")
    assert not match.position.forts | match.position.strongholds
    moving = begin("8/3PG @ 2512; 29/3PG @ 2510", "movement", GERMAN, works=mask("2508"), control=0)
    assert hexes(moving, "raze") == {"2508"}
    assert refused(moving, "raze", hex="2505").rule == "18.2.3"
    pos = table("7/3 @ 2508", forts=mask("2508 2706"), works=mask("2505"), control=0)
    list(enter(WAR, pos, ALLIED, mask("2508 2505")))
    assert (pos.forts, pos.works) == (mask("2706"), 0)


@rule("italy43", "18.2.1a")
def test_a_vacant_fort_stops_nobody():
    match = begin("7/3 @ 2418; 15/3 @ 2618", "movement", forts=mask("2419"), control=-1)
    do(match, "move", "7/3")
    do(match, "go", "7/3", "2420")
    assert match.position.hex[match.position.movers.bit_length() - 1] == at("2420")
    assert match.position.points == WAR.ticks(1)


@rule("italy43", "S3.1c")
def test_all_markers_are_there_from_the_start():
    pos = GAME.setup("campaign", GAME.check_options({}))
    assert not pos.remnants | pos.works | pos.forts | pos.trucked
    assert WAR.book.limits.forts == (8, 4)


@rule("italy43", "18.2.3")
def test_what_is_built_on_top_goes_with_the_fort():
    match = initial(forts=mask("2508"), upgrades=mask("2508"))
    do(match, "raze", hex="2508")
    assert not match.position.forts | match.position.upgrades
