"""Chapters 21 and 5.8: reinforcements, entry areas, and the sections of the 8th Army."""

from typing import Any

import pytest

from apennine.games.italy43.rules.c04_stacking import overstacked
from apennine.games.italy43.rules.c06_zones import zone
from apennine.games.italy43.table.position import ALLIED, AWAY, GERMAN, Table
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.italy43.drawing import (
    RAIN,
    WAR,
    at,
    begin,
    codes,
    do,
    hexes,
    mask,
    names,
    number,
    refused,
    table,
    told,
    units,
    verbs,
)

BYSTANDER = ("9 Cdo @ 2130", "44 Fus @ 3301")


def moving(counters: str, side: int = ALLIED, **fields: Any) -> Match[Table]:
    return begin(f"{counters}; {BYSTANDER[side]}", "movement", side, **fields)


def where(match: Match[Table], unit: str) -> str:
    return WAR.board.code(match.position.hex[number(unit)])


# Reinforcements


@rule("italy43", "21.1.1")
def test_reinforcements_come_to_the_area_of_their_card():
    match = begin("X ASU @ 2124", "muster", turn=1, supply=[1, 0], control=-1)
    assert match.position.phase == "initial"
    british, american = {"201/56", "44R/56", "46R/46", "40 RTR", "Greys"}, {"133/34"}
    assert set(told(match, "arrives")) == british | american
    assert (where(match, "201/56"), where(match, "133/34")) == ("S1", "S2")
    assert match.position.hex[number("157/45")] == AWAY  # on turn 2


@rule("italy43", "21.1.1")
def test_a_range_of_areas_is_a_choice_and_they_must_come():
    match = begin("XIV ASU @ 2201; 56 NW @ 2202", "muster", GERMAN, turn=14, control=0)
    assert hexes(match, "bring on", "III/FJ6") == {"N2", "N3"}
    assert refused(match, "end the initial phase").rule == "21.1.1"
    assert refused(match, "bring on", "III/FJ6", "N1").rule == "21.1.1"
    do(match, "bring on", "III/FJ6", "N3")
    assert where(match, "III/FJ6") == "N3"
    assert refused(match, "bring on", "15/29", "N2").rule == "21.1.1"  # on turn 16


@rule("italy43", "21.1.2")
def test_in_naples_they_stack_within_the_limit_while_they_can():
    full = "504/82, 505/82 @ 2123; 325G/82, 7/3 @ 2124"
    match = begin(full, "muster", turn=8, control=-1)
    assert where(match, "168/56") == "2023"  # the one hex with room
    match = begin(
        f"{full}; 15/3, 30/3 @ 2023; X ASU @ 2123", "muster", turn=8, control=-1, supply=[1, 0]
    )
    assert hexes(match, "bring on", "168/56") == {"2023", "2123", "2124"}
    do(match, "bring on", "168/56", "2023")
    do(match, "end the initial phase")
    do(match, "move", "168/56")
    assert hexes(match, "go")  # and move on


@rule("italy43", "21.1.3c")
def test_artillery_comes_fired():
    match = begin("X ASU @ 2124", "muster", turn=2, control=-1, supply=[1, 0])
    assert where(match, "3 ASU") == "S2"
    assert not match.position.ready


@rule("italy43", "21.2.2")
def test_nobody_comes_by_the_east():
    codes = {group.at for group in (*WAR.book.arrivals, *WAR.book.withdrawals)}
    assert not any("E" in code for code in codes)


@rule("italy43", "S3.3.4c")
def test_the_regiment_that_comes_to_formia_is_its_garrison():
    fields = {"turn": 12, "control": mask("1706")}
    match = begin("XIV ASU @ 2201", "muster", GERMAN, **fields)
    assert where(match, "267/94") == "1706"
    assert not match.position.control & mask("1706")  # who comes to a city takes it (16.3.4a)
    assert match.position.posted >> number("267/94") & 1


# From and into areas


@rule("italy43", "21.1.3a")
def test_a_unit_enters_the_map_for_the_price_of_the_first_hex():
    match = moving("131/7 @ S1; 7/3 @ S1")
    do(match, "move", "131/7")
    assert {"2430", "2630", "2530"} <= hexes(match, "come on")
    do(match, "come on", "131/7", "2430")  # by a major road
    assert match.position.points == WAR.ticks(5) - WAR.ticks(1) // 3
    assert match.position.extra == WAR.ticks(3)  # with Extended Movement
    do(match, "halt", "131/7")
    do(match, "move", "7/3")
    do(match, "come on", "7/3", "2430")
    assert match.position.points == WAR.ticks(2)
    assert hexes(match, "go")


@rule("italy43", "21.1.3a")
def test_near_the_enemy_and_off_the_road_it_is_dearer():
    match = moving("131/7 @ S1; 8/3PG @ 2428")
    do(match, "move", "131/7")
    do(match, "come on", "131/7", "2430")
    assert match.position.points == WAR.ticks(4)


@rule("italy43", "21.3b", "6.1b")
def test_zones_do_not_reach_into_areas_but_stop_who_comes_on():
    match = moving("7/3 @ S1; 8/3PG @ 2429")
    assert zone(WAR, match.position, GERMAN) >> at("2430") & 1
    do(match, "move", "7/3")
    do(match, "come on", "7/3", "2430")
    assert where(match, "7/3") == "2430"
    assert not match.position.movers


@rule("italy43", "21.3b")
def test_nobody_comes_on_into_a_bond():
    match = moving("26/26 @ E1; 7/3 @ 4319; 15/3 @ 4321", GERMAN)
    do(match, "move", "26/26")
    assert refused(match, "come on", "26/26", "4320").rule == "21.3b"
    assert refused(match, "come on", "26/26", "4321").rule == "5.1e"


@rule("italy43", "21.1.3b", "21.4.2a")
def test_or_goes_to_the_next_area_with_all_it_has():
    match = moving("131/7, 7/3 @ S1; 15/3 @ S1 disrupted")
    do(match, "move", "131/7")
    assert refused(match, "take along", "15/3").rule == "21.3d"
    do(match, "take along", "7/3")
    do(match, "transfer", next(iter(names(match, "transfer"))), "S2")
    assert {where(match, "131/7"), where(match, "7/3")} == {"S2"}
    assert not match.position.movers


@rule("italy43", "21.4.2b")
def test_s2_and_e1_are_not_adjacent():
    match = moving("131/7 @ S2", turn=20)
    do(match, "move", "131/7")
    assert hexes(match, "transfer") == {"S1"}
    assert refused(match, "transfer", "131/7", "E1").rule == "21.4.2b"


@rule("italy43", "21.2.1")
def test_no_unit_enters_an_enemy_area():
    match = moving("26/26 @ N4", GERMAN, turn=14, control=0)
    do(match, "move", "26/26")
    assert hexes(match, "transfer") == {"N3", "E3"}
    match = moving("26/26 @ N4", GERMAN, turn=15, control=0)
    do(match, "move", "26/26")
    assert refused(match, "transfer", "26/26", "E3").rule == "21.2.1"
    match = moving("7/3 @ 2201", turn=2)
    do(match, "move", "7/3")
    assert refused(match, "go off", "7/3", "N2").rule == "21.2.1"


@rule("italy43", "21.4.1a", "21.4.1b")
def test_to_enter_an_area_costs_a_point_and_ends_the_move():
    match = moving("131/7 @ 2428")
    do(match, "move", "131/7")
    assert refused(match, "go off", "131/7", "S1").rule == "21.4.1a"  # not from here
    do(match, "go", "131/7", "2430")
    assert refused(match, "go off", "131/7", "S2").rule == "21.4.1a"
    do(match, "go off", "131/7", "S1")
    assert where(match, "131/7") == "S1"
    assert refused(match, "move", "131/7").rule == "5.1c"


@rule("italy43", "21.4.1a")
def test_or_one_hex_of_tactical_movement():
    match = moving("131/7 @ 2430 disrupted")
    do(match, "move", "131/7")
    do(match, "go off", "131/7", "S1")
    assert where(match, "131/7") == "S1"
    match = moving("7/3 @ 2430; 8/3PG @ 2429")  # out of a zone: three points, or a hex
    do(match, "move", "7/3")
    assert "go off" in verbs(match)


@rule("italy43", "21.3a")
def test_areas_have_no_stacking_limit():
    pos = table("7/3, 15/3, 30/3, 141/36, 142/36 @ S1")
    assert not overstacked(WAR, pos, ALLIED)


@rule("italy43", "21.3d")
def test_units_out_of_order_stay_in_their_area():
    for mark in ("disrupted", "routed"):
        match = moving(f"7/3 @ S1 {mark}")
        assert refused(match, "move", "7/3").rule == "21.3d"


@rule("italy43", "5.8.2a")
def test_the_allies_do_not_use_areas_of_the_8th_army():
    match = moving("7/3 @ 4320; 15/3 @ 2418", turn=20)
    do(match, "move", "7/3")
    assert refused(match, "go off", "7/3", "E1").rule == "21.2.1"


# Sections that become Allied


@rule("italy43", "5.8.1b", "5.8.1e")
def test_on_turn_8_germans_leave_section_e1_for_e2_disrupted():
    match = begin("26/26 @ 4118; I/9/26 @ E1; XIV ASU @ 2201", "muster", GERMAN, turn=8, control=0)
    assert verbs(match) == {"relocate"}
    assert "E2" in hexes(match, "relocate", "26/26")
    assert refused(match, "relocate", "26/26", "3710").rule == "5.8.1e"
    do(match, "relocate", "26/26", "3911")
    do(match, "relocate", "I/9/26", "E2")
    assert (where(match, "26/26"), where(match, "I/9/26")) == ("3911", "E2")
    assert match.position.disrupted == units("26/26, I/9/26")


@rule("italy43", "5.8.1c", "5.8.1d", "5.8.1e")
@pytest.mark.parametrize(("turn", "hex", "to"), [(11, "3911", "E3"), (15, "3907", "N4")])
def test_so_on_turns_11_and_15(turn: int, hex: str, to: str):
    match = begin(f"26/26 @ {hex}; XIV ASU @ 2201", "muster", GERMAN, turn=turn - 1, control=0)
    assert "relocate" not in verbs(match)
    match = begin(f"26/26 @ {hex}; XIV ASU @ 2201", "muster", GERMAN, turn=turn, control=0)
    assert hexes(match, "relocate") <= {to, *(section(to))}
    do(match, "relocate", "26/26", to)
    assert match.position.disrupted == units("26/26")


def section(key: str) -> set[str]:
    return codes(WAR.ground.sections[key])


@rule("italy43", "5.8.1e")
def test_not_into_a_hex_of_the_enemy_or_one_that_is_full():
    counters = "26/26 @ 4118; 7/3 @ 3911; 129/15, 8/3PG @ 3912; XIV ASU @ 2201"
    match = begin(counters, "muster", GERMAN, turn=8, control=0)
    offered = hexes(match, "relocate", "26/26")
    assert "3911" not in offered
    assert "3912" not in offered


@rule("italy43", "5.8.1a", "16.3.4a")
def test_cities_of_a_section_go_with_it():
    for turn, allied in ((7, False), (8, True)):
        match = begin("XIV ASU @ 2201", "muster", GERMAN, turn=turn, control=0, weather=RAIN)
        assert bool(match.position.control & mask("4214")) is allied  # Campobasso
