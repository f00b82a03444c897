"""Chapter 5: the movement phase, order by order."""

from typing import Any

import pytest

from apennine.games.italy43.rules.c05_control import enter
from apennine.games.italy43.rules.c16_supply import supplied_units
from apennine.games.italy43.table.position import (
    ALLIED,
    AWAY,
    DEAD,
    GERMAN,
    GONE,
    LOST,
    WITHDRAWN,
    Table,
)
from apennine.hexes import bits
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.italy43.drawing import (
    GAME,
    RAIN,
    WAR,
    at,
    begin,
    do,
    hexes,
    march,
    mask,
    names,
    number,
    offers,
    price,
    refused,
    table,
    told,
    units,
    verbs,
)

BYSTANDER = ("9 Cdo @ 2130", "44 Fus @ 3301")
"""Somebody who can always move, so that a phase does not end by itself."""


def moving(counters: str, side: int = ALLIED, **fields: Any) -> Match[Table]:
    """The movement phase of a side."""
    return begin(f"{counters}; {BYSTANDER[side]}", "movement", side, **fields)


def where(match: Match[Table], unit: str) -> str:
    return WAR.board.code(match.position.hex[number(unit)])


def go(match: Match[Table], unit: str, *hexes: str) -> None:
    """Pick a unit up and send it from hex to hex."""
    do(match, "move", unit)
    for hex in hexes:
        do(match, "go", unit, hex)


@rule("italy43", "3.0B2")
def test_units_move_in_any_number_and_order_until_the_phase_is_ended():
    match = moving("7/3 @ 2418; 15/3 @ 2618", supplied=units("7/3"))
    assert {"move", "load", "flee", "end movement"} <= verbs(match)
    go(match, "15/3", "2617")
    do(match, "halt", "15/3")
    assert names(match, "move") == {"7/3", "9 Cdo"}
    do(match, "end movement")
    assert match.position.phase != "movement"


@rule("italy43", "5.1d")
def test_one_move_is_finished_before_another_begins():
    match = moving("7/3 @ 2418; 15/3 @ 2618")
    do(match, "move", "7/3")
    assert "move" not in verbs(match)
    assert refused(match, "halt", "15/3").rule == "5.1d"
    assert refused(match, "drop", "7/3").rule == "5.1c"  # not before the stack has left
    do(match, "go", "7/3", "2419")
    assert refused(match, "drop", "7/3").rule == "5.1c"  # nobody else is left to go on
    assert refused(match, "go", "7/3", "2419").rule == "5.1a"


@rule("italy43", "5.1c")
def test_a_dropped_unit_moves_no_more_and_the_others_go_on():
    match = moving("7/3, 15/3 @ 2418")
    do(match, "move", "7/3")
    do(match, "take along", "15/3")
    assert "has not left" in refused(match, "drop", "15/3").sentence
    do(match, "go", "7/3", "2419")
    do(match, "drop", "15/3")
    do(match, "go", "7/3", "2420")
    assert (where(match, "15/3"), where(match, "7/3")) == ("2419", "2420")
    do(match, "halt", "7/3")
    assert refused(match, "move", "15/3").rule == "5.1c"


@rule("italy43", "5.1b")
def test_nobody_joins_a_stack_from_elsewhere_or_on_its_way():
    match = moving("7/3 @ 2418; 15/3 @ 2419")
    do(match, "move", "7/3")
    assert refused(match, "take along", "15/3").sentence == "15/3 is not where the moving stack is."
    match = moving("7/3 @ 2418; 15/3 @ 2419")
    go(match, "7/3", "2419")
    assert refused(match, "take along", "15/3").rule == "5.1b"


@rule("italy43", "5.4c")
def test_a_move_is_tactical_or_by_points_as_far_as_its_way_was_open_to_both():
    # Two hills cost a mechanised unit four of five points: one more by points, none tactically.
    match = moving("131/7 @ 1701")
    go(match, "131/7", "1802")
    assert (match.position.strides, match.position.points) == (0, WAR.ticks(1))
    # A trackless mountain is tactical, and nothing else leads on from there.
    match = moving("131/7 @ 2508")
    go(match, "131/7", "2608")
    assert (match.position.strides, match.position.points) == (1, -1)


@rule("italy43", "5.4b")
def test_tactical_movement_does_not_keep_a_unit_from_attacking():
    match = moving("7/3 @ 2419; 103 StuG @ 2317")
    go(match, "7/3", "2417")
    do(match, "end movement")
    assert hexes(match, "attack") == {"2317"}


@rule("italy43", "6.2a")
def test_a_move_ends_in_an_enemy_zone():
    match = moving("7/3 @ 2419; 8/3PG @ 2317")
    go(match, "7/3", "2417")
    assert not match.position.movers
    assert refused(match, "move", "7/3").rule == "5.1c"


@rule("italy43", "5.3a")
def test_having_spent_extended_movement_a_stack_enters_no_zone():
    match = moving("7/3 @ 2414; 8/3PG @ 3013")
    go(match, "7/3", "2814")
    assert match.position.extra == WAR.ticks(1)
    assert "2914" not in hexes(match, "go")
    assert refused(match, "go", "7/3", "2914").rule == "5.3a"


@rule("italy43", "16.3.4a")
def test_whoever_passes_through_a_city_controls_it():
    match = moving("131/7 @ 2517", control=0)
    go(match, "131/7", "2419")
    path_city = mask("2518 2519")
    assert match.position.control & path_city
    match = moving("26/26 @ 2621", GERMAN, control=mask("2620 2621"))
    go(match, "26/26", "2620")
    assert not match.position.control & mask("2620")


# Trucks


@rule("italy43", "5.7a")
def test_trucks_carry_two_units_on_foot_that_are_in_good_order_and_in_supply():
    counters = "7/3, 15/3, 30/3 @ 2418; 131/7 @ 2419; 141/36 @ 2420 disrupted; 142/36 @ 2421"
    fed = units("7/3, 15/3, 30/3, 131/7, 141/36")
    match = moving(counters, supplied=fed)
    assert names(match, "load") == {"7/3", "15/3", "30/3"}
    for unit in ("131/7", "141/36", "142/36"):
        assert refused(match, "load", unit).rule == "5.7a"
    do(match, "load", "7/3")
    do(match, "load", "15/3")
    assert refused(match, "load", "30/3").rule == "5.7a"


@rule("italy43", "5.7a")
def test_supply_for_trucks_is_judged_as_the_phase_begins():
    match = begin("7/3 @ 2124; 8/3PG @ 2518", "movement begins", control=mask("2124 2023 2123"))
    assert match.position.phase == "movement"
    assert match.position.supplied == supplied_units(WAR, match.position, ALLIED)
    assert match.position.supplied >> number("7/3") & 1


@rule("italy43", "5.7c")
def test_a_unit_in_trucks_may_end_in_a_zone():
    match = moving("7/3 @ 2517; 8/3PG @ 2513", supplied=units("7/3"))
    do(match, "load", "7/3")
    go(match, "7/3", "2514")
    assert where(match, "7/3") == "2514"


@rule("italy43", "5.7d")
def test_trucks_are_unloaded_in_the_recovery_phase():
    match = begin("7/3 @ 2124 trucked; 8/3PG @ 2512 trucked; X ASU @ 2124", "recovery", control=-1)
    assert match.position.trucked == units("8/3PG")


# Battle markers


@rule("italy43", "11.6a")
def test_a_battle_marker_goes_when_the_attacker_enters_the_hex():
    for unit, side, control, left in (
        ("7/3", ALLIED, 0, False),  # into a German city
        ("7/3", ALLIED, mask("2519"), True),  # into one that the Allies defend
        ("8/3PG", GERMAN, mask("2519"), False),
    ):
        pos = table(
            f"{unit} @ 2519", battles=mask("2519"), second_battles=mask("2519"), control=control
        )
        list(enter(WAR, pos, side, mask("2519")))
        assert bool(pos.battles) is left
        assert bool(pos.second_battles) is left


@rule("italy43", "11.6b")
def test_or_at_the_end_of_a_movement_phase_with_no_enemy_beside_it():
    for enemy, left in (("2520", True), ("2521", False)):
        counters = f"8/3PG @ 2519; 7/3 @ {enemy}"
        marked = {"battles": mask("2519"), "second_battles": mask("2519")}
        match = moving(counters, GERMAN, control=0, **marked)
        do(match, "end movement")
        pos = match.position
        assert (bool(pos.battles), bool(pos.second_battles)) == (left, left)


# Disrupted, in Full Retreat, out of supply, replaced


@rule("italy43", "13.2.1a")
def test_a_disrupted_unit_moves_tactically_only():
    match = moving("7/3 @ 2418 disrupted")
    do(match, "move", "7/3")
    assert "2420" in hexes(match, "go")
    assert refused(match, "go", "7/3", "2421").rule == "5.4a"
    match = moving("7/3 @ S1 disrupted")
    assert refused(match, "move", "7/3").rule == "21.3d"


@rule("italy43", "13.3.1")
def test_a_unit_in_full_retreat_moves_all_its_points_and_more():
    match = moving("7/3 @ 2414 routed")
    do(match, "move", "7/3")
    assert "2914" in hexes(match, "go")  # five hexes


@rule("italy43", "13.3.2b")
def test_it_goes_next_to_an_enemy_only_where_a_steadier_friend_is():
    counters = "7/3 @ 2419 routed; 8/3PG @ 2317; 15/3 @ 2416"
    match = moving(counters)
    do(match, "move", "7/3")
    assert refused(match, "go", "7/3", "2417").rule == "13.3.2b"
    match = moving("7/3 @ 2419 routed; 8/3PG @ 2317; 15/3 @ 2417")
    do(match, "move", "7/3")
    assert "2417" in hexes(match, "go")


@rule("italy43", "13.3.2b", "6.2b")
def test_it_leaves_an_enemy_zone_for_nothing():
    for routed, left in (("routed", 4), ("", 2)):
        match = moving(f"131/7 @ 2418 {routed}; 8/3PG @ 2318")
        go(match, "131/7", "2419")
        assert match.position.points == WAR.ticks(left)
        match = moving(f"7/3 @ 2418 {routed}; 8/3PG @ 2318")
        do(match, "move", "7/3")
        assert ("2421" in hexes(match, "go")) is bool(routed)  # four hexes with five points


@rule("italy43", "13.3.2c")
def test_it_enters_no_enemy_city():
    match = moving("7/3 @ 2517 routed", control=0)
    do(match, "move", "7/3")
    assert refused(match, "go", "7/3", "2518").rule == "13.3.2c"
    match = moving("7/3 @ 2517 routed", control=mask("2518"))
    do(match, "move", "7/3")
    assert "2518" in hexes(match, "go")


@rule("italy43", "13.3.2b")
def test_a_stack_leaves_nobody_in_full_retreat_alone_beside_an_enemy():
    # Next to a vehicle over a mountain without a track there is no zone in which to stop.
    for friend, left in (("", False), ("; 30/3 @ 2608", True)):
        match = moving(f"7/3 @ 2609; 15/3 @ 2609 routed; 103 StuG @ 2508{friend}")
        do(match, "move", "7/3")
        do(match, "take along", "15/3")
        do(match, "go", "7/3", "2608")
        assert ("15/3" in names(match, "drop")) is left
        if not left:
            assert refused(match, "drop", "15/3").rule == "13.3.2b"


@rule("italy43", "13.3.4a")
def test_units_that_have_not_moved_may_flee():
    match = moving("7/3 @ 2418; 15/3 @ 2420 disrupted; 30/3 @ 2422 routed")
    assert names(match, "flee") == {"7/3", "15/3", "9 Cdo"}
    assert refused(match, "flee", "44 Fus").rule == "1.0"
    do(match, "flee", "15/3")
    assert match.position.routed >> number("15/3") & 1
    assert not match.position.disrupted
    go(match, "7/3", "2419")
    do(match, "halt", "7/3")
    assert refused(match, "flee", "7/3").rule == "13.3.4a"


@rule("italy43", "13.3.4b")
def test_and_still_move_as_far_as_they_can():
    match = moving("7/3 @ 2414 disrupted")
    do(match, "flee", "7/3")
    do(match, "move", "7/3")
    assert "2914" in hexes(match, "go")


@rule("italy43", "16.4a")
def test_out_of_supply_mechanised_units_move_tactically_only():
    match = moving("131/7 @ 2414 hungry; 7/3 @ 2415 hungry")
    do(match, "move", "131/7")
    assert match.position.points == -1
    do(match, "halt", "131/7")
    do(match, "move", "7/3")
    assert match.position.points == WAR.ticks(3)


@rule("italy43", "20.4a")
def test_under_a_replacement_marker_a_unit_goes_one_hex():
    match = moving("131/7 @ 2418 replaced")
    do(match, "move", "131/7")
    assert hexes(match, "go") <= {"2318", "2417", "2419", "2518", "2519", "2319"}
    do(match, "go", "131/7", "2419")
    assert not match.position.movers


@rule("italy43", "20.4a")
def test_and_neither_enters_nor_leaves_an_area():
    match = moving("131/7 @ 2430 replaced")
    do(match, "move", "131/7")
    assert refused(match, "go off", "131/7", "S1").rule == "20.4a"
    match = moving("131/7 @ S1 replaced")
    assert refused(match, "move", "131/7").rule == "20.4a"


# Artillery


@rule("italy43", "17.3a", "17.3b")
@pytest.mark.parametrize(("to", "disrupted"), [("2515", False), ("2514", True)])
def test_artillery_that_goes_more_than_two_hexes_is_disrupted(to: str, disrupted: bool):
    match = moving("3 ASU @ 2517; 7/3 @ 2517")
    go(match, "3 ASU", to)
    do(match, "halt", "3 ASU") if match.position.movers else None
    assert bool(match.position.disrupted) is disrupted


@rule("italy43", "17.3b")
def test_so_is_artillery_that_a_stack_drops_on_its_way():
    match = moving("3 ASU, 131/7 @ 2517")
    do(match, "move", "3 ASU")
    do(match, "take along", "131/7")
    do(match, "go", first(match), "2514")
    do(match, "drop", "3 ASU")
    assert match.position.disrupted == units("3 ASU")


def first(match: Match[Table]) -> str:
    """The unit that leads the stack on the move."""
    return next(iter(names(match, "go")))


# Enemies in Full Retreat, as the stack comes near (13.3.2d)


@rule("italy43", "13.3.2d")
def test_enemies_in_full_retreat_give_way_and_the_stack_goes_on():
    match = moving("131/7 @ 2419; 8/3PG @ 2416 routed")
    do(match, "move", "131/7")
    do(match, "go", "131/7", "2417")
    while "retreat" in verbs(match):
        match.choose(offers(match)[0])
    assert where(match, "8/3PG") not in ("2416", "2417")
    assert where(match, "131/7") == "2417"
    assert match.position.movers == units("131/7")
    assert match.position.points == WAR.ticks(3)
    assert match.position.extra == 0  # no Extended Movement any more (13.3.3)


# Garrisons and frozen units


@rule("italy43", "S3.3.2")
def test_units_held_on_turn_1_are_free_on_turn_2():
    match = moving("8/3PG, 103/3PG @ 2706", GERMAN, frozen=WAR.held, turn=1)
    assert refused(match, "move", "8/3PG").rule == "S3.3.2"
    match = begin("8/3PG, 103/3PG @ 2706", "muster", GERMAN, frozen=WAR.held, turn=2)
    assert match.position.frozen == 0
    assert set(told(match, "is released")) == {"8/3PG", "103/3PG"}


@rule("italy43", "S3.3.2")
def test_an_allied_unit_near_them_does_not_free_them():
    match = moving("8/3PG, 103/3PG @ 2706; 7/3 @ 2710", frozen=WAR.held, turn=1)
    go(match, "7/3", "2709")
    assert match.position.frozen == WAR.held


FROZEN = "I/104/15 @ 1915; II/104/15 @ 2115; 33/15 @ 1706"


def frozen(counters: str = "", turn: int = 2, side: int = ALLIED) -> Match[Table]:
    ice = units("I/104/15, II/104/15, 33/15")
    return moving(f"{FROZEN}; {counters}", side, frozen=ice, posted=units("33/15"), turn=turn)


@rule("italy43", "S3.3.3a")
def test_frozen_units_stay_until_an_allied_unit_is_within_three_hexes():
    match = frozen("7/3 @ 1920")
    go(match, "7/3", "1919")
    assert match.position.frozen == units("I/104/15, II/104/15, 33/15")
    do(match, "go", "7/3", "1918")
    assert match.position.frozen == units("II/104/15, 33/15")
    assert refused(frozen(side=GERMAN), "move", "I/104/15").rule == "S3.3.3a"


@rule("italy43", "S3.3.3b", "S3.3.3e")
def test_an_allied_unit_beyond_the_volturno_frees_all_but_the_one_in_formia():
    match = frozen("7/3 @ 3020")
    go(match, "7/3", "3019")  # the far bank, by Tactical Movement
    assert match.position.frozen == units("33/15")
    match = frozen("7/3 @ 3022")
    go(match, "7/3", "3021")
    assert match.position.frozen == units("I/104/15, II/104/15, 33/15")


@rule("italy43", "S3.3.3c")
def test_the_reconnaissance_unit_in_formia_is_free_on_turn_14():
    for turn, free in ((13, False), (14, True)):
        counters = "33/15, 267/94 @ 1706"
        stays = units("33/15")
        match = begin(
            counters, "muster", GERMAN, turn=turn, frozen=stays, posted=units("33/15, 267/94")
        )
        assert (not match.position.frozen) is free
        assert match.position.posted == (units("267/94") if free else units("33/15, 267/94"))


@rule("italy43", "S3.3.3d", "S3.3.4b")
def test_enemies_near_formia_free_it_too_but_formia_may_not_be_empty():
    match = frozen("7/3 @ 2008", side=ALLIED)
    go(match, "7/3", "1908")
    assert not match.position.frozen >> number("33/15") & 1
    for others, free in (("", False), ("267/94 @ 1706", True)):
        match = moving(f"33/15 @ 1706; {others}", GERMAN, control=0)
        assert ("33/15" in names(match, "move")) is free
    match = moving("33/15 @ 1706", GERMAN, control=0)
    assert refused(match, "move", "33/15").rule == "S3.3.4a"


@rule("italy43", "S3.3.4a")
def test_nor_does_a_whole_stack_leave_formia():
    match = moving("33/15, 129/15 @ 1706", GERMAN, control=0)
    do(match, "move", "33/15")
    assert refused(match, "take along", "129/15").rule == "S3.3.4a"


@rule("italy43", "S3.3.4c")
def test_the_regiment_in_formia_stays():
    match = moving("33/15, 267/94 @ 1706", GERMAN, posted=units("267/94"))
    assert refused(match, "move", "267/94").rule == "S3.3.4c"


@rule("italy43", "S3.3.5a", "S2.3.2a")
def test_the_garrison_of_naples_does_not_move():
    match = moving("504/82 @ 2123; 505/82 @ 2023", posted=units("504/82, 505/82"))
    assert refused(match, "move", "504/82").rule == "S3.3.5a"
    for turn, free in ((10, False), (11, True)):
        posted = units("504/82, 505/82")
        match = begin("504/82 @ 2123; 505/82 @ 2023", "muster", posted=posted, turn=turn)
        assert match.position.posted == (units("505/82") if free else posted)


@rule("italy43", "S3.3.5c")
def test_the_504th_is_free_on_turn_11():
    match = begin("504/82 @ 2123", "muster", posted=units("504/82"), turn=11)
    assert told(match, "is released") == ["504/82"]


# The zone of the 8th Army


@rule("italy43", "5.8.2c")
def test_allied_units_in_the_zone_leave_it_as_fast_as_they_can():
    match = moving("7/3 @ 4118; 15/3 @ 2418", turn=20)
    assert refused(match, "end movement").rule == "5.8.2c"
    do(match, "move", "7/3")
    assert refused(match, "halt", "7/3").rule == "5.8.2c"
    depth = WAR.ground.depth
    assert all(depth[at(hex)] < depth[at("4118")] for hex in hexes(match, "go"))
    match.choose(min(offers(match), key=lambda o: depth[o.hex] if o.verb == "go" else 99))
    while match.position.movers:
        match.choose(min(offers(match), key=lambda o: depth[o.hex] if o.verb == "go" else 99))
    do(match, "end movement")


# Options


@rule("italy43", "25.2a", "19.3c")
def test_crossing_a_trackless_mountain_halves_all_but_mountain_units():
    for unit, halved in (("7/3", True), ("1SSF", False)):
        match = moving(f"{unit} @ 1804; 8/3PG @ 2005", half_effects=True)
        go(match, unit, "1905")
        assert bool(match.position.halved) is halved
    match = moving("7/3 @ 1804; 8/3PG @ 2005")
    go(match, "7/3", "1905")
    assert not match.position.halved


@rule("italy43", "25.2b")
def test_so_do_rivers_for_vehicles():
    for unit, halved in (("22/7", True), ("131/7", False)):
        match = moving(f"{unit} @ 2113; 8/3PG @ 2115", half_effects=True)
        go(match, unit, "2114")
        assert bool(match.position.halved) is halved


@rule("italy43", "25.2d")
def test_a_second_marker_in_a_turn_is_not_earned():
    match = moving("22/7 @ 2113 halved", half_effects=True)
    do(match, "move", "22/7")
    direct = [o for o in offers(match) if o.verb == "go" and o.hex == at("2114")]
    match.choose(direct[0]) if direct else None
    river = WAR.ground.unbridged
    d = WAR.lattice.direction(at("2113"), at("2114"))
    assert river[d] >> at("2113") & 1
    assert not direct or match.position.points < WAR.ticks(2)  # round by a bridge


@rule("italy43", "25.2d")
def test_no_move_leads_a_vehicle_over_two_rivers_without_a_bridge():
    for halves, reached in ((False, True), (True, False)):
        match = moving("22/7 @ 3122", half_effects=halves)
        do(match, "move", "22/7")
        assert ("3123" in hexes(match, "go")) is reached


@rule("italy43", "25.2f")
def test_nobody_needs_a_marker_away_from_the_enemy():
    match = moving("22/7 @ 2113", half_effects=True)
    go(match, "22/7", "2114")
    do(match, "halt", "22/7")
    assert not match.position.halved


@rule("italy43", "25.3a", "25.3b")
def test_friends_on_the_far_bank_make_a_pontoon_bridge():
    for option, friend, crosses in (
        (True, "2215", True),
        (True, "2315", False),
        (False, "2215", False),
    ):
        match = moving(f"7/3 @ 2217 disrupted; 15/3 @ {friend}", pontoons=option)
        do(match, "move", "7/3")
        assert ("2215" in hexes(match, "go")) is crosses


@rule("italy43", "25.3e")
def test_rain_washes_it_away():
    match = moving("7/3 @ 2217 disrupted; 15/3 @ 2215", pontoons=True, weather=RAIN)
    do(match, "move", "7/3")
    assert "2215" not in hexes(match, "go")


@rule("italy43", "25.3d")
def test_who_made_the_bridge_may_move_afterwards():
    match = moving("7/3 @ 2217; 15/3 @ 2215", pontoons=True)
    go(match, "7/3", "2215")
    do(match, "halt", "7/3") if match.position.movers else None
    assert "15/3" in names(match, "move")


@rule("italy43", "25.0")
def test_the_options_are_switches_and_off_unless_chosen():
    keys = [switch.key for switch in GAME.switches]
    assert len(keys) == 4
    for chosen in (set[str](), {keys[0]}, {keys[1], keys[3]}, set(keys)):
        pos = GAME.setup("campaign", GAME.check_options(dict.fromkeys(chosen, True)))
        assert {key for key in keys if getattr(pos, key)} == chosen


# The examples of movement (lines 375-377 of the book); the picture is lost, so the hexes are ours.


@rule("italy43", "5.1f")
def test_example_a_a_unit_stops_in_a_marsh():
    match = moving("7/3 @ 1917")
    go(match, "7/3", "1817")
    assert not match.position.movers


def test_example_b_extended_movement_spends_five_points():
    match = moving("7/3 @ 2414")
    go(match, "7/3", "2914")
    assert where(match, "7/3") == "2914"
    assert not match.position.movers


@rule("italy43", "5.4e", "6.2b")
def test_example_d_out_of_a_zone_two_hexes_would_cost_four_points():
    counters = "7/3 @ 2418; 8/3PG @ 2318"
    match = moving(counters)
    do(match, "move", "7/3")
    found = march(counters, "7/3")
    assert found.cost(at("2520")) == WAR.ticks(4)
    assert found.points == WAR.ticks(3)
    do(match, "go", "7/3", "2520")
    assert where(match, "7/3") == "2520"


@rule("italy43", "5.5c", "5.6a")
def test_example_e_over_a_mountain_but_not_then_over_the_river():
    match = moving("7/3 @ 2508")
    go(match, "7/3", "2608")
    assert (match.position.points, match.position.strides) == (-1, 1)  # not by points
    match = moving("7/3 @ 2217 disrupted")
    go(match, "7/3", "2216")
    assert "2215" not in hexes(match, "go")  # it did not start beside the Volturno


@rule("italy43", "5.2.2a", "5.3a")
def test_example_f_near_enemies_eight_hexes_of_road_cost_eight_points():
    counters = "131/7 @ 1815; 8/3PG @ 1819; 29/3PG @ 1817"
    assert price(counters, "131/7", "1821") == 8
    match = moving(counters)
    go(match, "131/7", "1821")
    assert where(match, "131/7") == "1821"
    assert not match.position.movers


# Why not


REFUSALS = [
    ("22/7 @ 1804", "22/7", "1905", "5.6a"),
    ("7/3 @ 2418", "7/3", "2706", "5.1a"),
    ("7/3 @ 2418; 8/3PG @ 2318", "7/3", "2318", "5.1e"),
    ("7/3 @ 2418; 8/3PG @ 2416; 29/3PG @ 2616", "7/3", "2515", "7.2a"),
    ("7/3 @ 2418; 8/3PG @ 2318", "7/3", "2421", "6.2a"),
    ("7/3 @ 3926", "7/3", "4026", "5.8.2a"),
]


@pytest.mark.parametrize(("counters", "unit", "hex", "by"), REFUSALS)
def test_a_refusal_names_what_really_bars_the_way(counters: str, unit: str, hex: str, by: str):
    match = moving(counters)
    do(match, "move", unit)
    assert refused(match, "go", unit, hex).rule == by


@rule("italy43", "7.2a")
def test_a_hex_in_a_bond_is_refused_as_such():
    match = moving("7/3 @ 2518; 8/3PG @ 2415; 29/3PG @ 2616")
    do(match, "move", "7/3")
    assert "lies in a ZOC Bond" in refused(match, "go", "7/3", "2516").sentence


@rule("italy43", "5.8.2c")
def test_the_germans_do_not_wait_for_allied_units_in_the_zone():
    match = begin("7/3 @ 4118; 8/3PG @ 2318", "movement", GERMAN, turn=20)
    assert "end movement" in verbs(match)


@rule("italy43", "5.1a")
def test_what_is_beyond_all_points_is_refused_as_too_far():
    match = moving("7/3 @ 2418")
    do(match, "move", "7/3")
    refusal = refused(match, "go", "7/3", "2408")
    assert (refusal.rule, "too far for 5 points" in refusal.sentence) == ("5.1a", True)


@rule("italy43", "25.2d")
def test_only_vehicles_earn_a_marker_by_a_river():
    match = moving("7/3 @ 2113 halved", half_effects=True)
    do(match, "move", "7/3")
    assert "2114" in hexes(match, "go")
    assert WAR.ground.unbridged[WAR.lattice.direction(at("2113"), at("2114"))] >> at("2113") & 1


@rule("italy43", "13.3.2b")
def test_a_stack_leaves_a_zone_for_nothing_only_if_all_of_it_is_in_full_retreat():
    def price_of(*stack: str) -> float:
        counters = "8/3PG @ 2418 routed; 29/3PG @ 2418; 7/3 @ 2419"
        return march(counters, *stack, side=GERMAN).cost(at("2417")) / WAR.scale

    assert price_of("8/3PG", "29/3PG") == price_of("29/3PG") == price_of("8/3PG") + 2


@rule("italy43", "5.1a")
def test_the_sea_and_the_own_hex_are_no_goals_of_a_move():
    match = moving("7/3 @ 2023")
    do(match, "move", "7/3")
    sea = next(WAR.board.code(h) for h in bits(WAR.lattice.disc(at("2023"), 6) & ~WAR.ground.land))
    assert "is no ground" in refused(match, "go", "7/3", sea).sentence
    assert "already" in refused(match, "go", "7/3", "2023").sentence


@rule("italy43", "21.1.1", "22.2.1")
@pytest.mark.parametrize(
    ("place", "by"),
    [(AWAY, "21.1.1"), (GONE, "22.2.1"), (LOST, "10.3"), (DEAD, "16.5.6"), (WITHDRAWN, "22.1a")],
)
def test_who_is_off_the_map_does_not_move(place: int, by: str):
    pos = table("7/3 @ 2418")
    pos.hex[number("15/3")] = place
    assert refused(Match(GAME, position=pos, seed=1), "move", "15/3").rule == by
