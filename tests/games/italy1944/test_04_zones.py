"""Chapter 4: zones of control."""

from __future__ import annotations

from typing import Any

import pytest

from apennine.games.italy1944.rules.c06_logistics import lines_to
from apennine.testing import rule
from tests.games.italy1944.drawing import (
    ALLIED,
    GAME,
    GERMAN,
    WAR,
    at,
    attack,
    codes,
    combat,
    cut,
    do,
    go,
    hexes,
    movement,
    names,
    picked,
    price,
    reach,
    refused,
    table,
    turn_end,
    verbs,
    where,
)

# The plain north of the Po: clear hexes, no roads, no rivers, and the map ends north of row 04.
# A unit in 1105 leaves no way past it but far round by the south.
AROUND_1105 = {"1104", "1204", "1205", "1106", "1005", "1004"}

# 94 ID and 71 ID, north and south of it, look on all hexes around US 34.
TRAP = "US 34 @ 3619; 94 ID @ 3618; 71 ID @ 3620"


def zone(counters: str, side: int, **fields: Any) -> set[str]:
    return codes(GAME.overlay(table("movement", side, counters, **fields), "zone", side))


# Who has a zone, and where


@rule("italy1944", "4a")
@pytest.mark.parametrize("unit", ["26 Pz", "94 ID", "90 PG"])
def test_armour_infantry_and_mechanised_infantry_control_the_six_hexes_around_them(unit: str):
    assert zone(f"{unit} @ 1105", GERMAN) == AROUND_1105
    assert price(movement("US 34 @ 1304"), "US 34", "0904") == 4
    assert price(movement(f"US 34 @ 1304; {unit} @ 1105"), "US 34", "0904") > 4


@rule("italy1944", "4c")
@pytest.mark.parametrize("unit", ["1 FJ", "5 GJ", "114 J", "Lehr", "508 Pz"])
def test_so_do_airborne_mountain_and_light_infantry_of_any_size(unit: str):
    assert zone(f"{unit} @ 1105", GERMAN) == AROUND_1105
    assert price(movement(f"US 34 @ 1304; {unit} @ 1105"), "US 34", "0904") > 4


@rule("italy1944", "4c")
@pytest.mark.parametrize("unit", ["SSF", "Rangers", "1 C AB", "RM"])
def test_so_do_special_forces_and_brigades(unit: str):
    assert zone(f"{unit} @ 1105", ALLIED) == AROUND_1105
    assert "1004" in reach(movement("94 ID @ 1304", GERMAN), "94 ID")
    assert "1004" not in reach(movement(f"94 ID @ 1304; {unit} @ 1105", GERMAN), "94 ID")


@rule("italy1944", "4b")
def test_a_logistic_centre_has_no_zone():
    assert zone("", GERMAN, centres="3322 2418") == set()
    near, far = (movement("US 34 @ 2320", centres=f"3322 {hex}") for hex in ("2418", "1607"))
    assert reach(near, "US 34") - {"2418"} == reach(far, "US 34") - {"2418"}


@rule("italy1944", "4b", "4c")
def test_a_beachhead_has_no_zone():
    assert zone("", ALLIED, beaches="2521") == set()
    there = movement("94 ID @ 2419", GERMAN, beaches="2521")
    assert reach(there, "94 ID") == reach(movement("94 ID @ 2419", GERMAN, allied="2521"), "94 ID")


@rule("italy1944", "4b")
def test_support_markers_are_in_no_hex_and_control_none():
    match = combat("US 34 @ 3222; 94 ID @ 3122")
    before = codes(GAME.overlay(match.position, "zone", ALLIED))
    do(match, "attack", hex="3122")
    do(match, "air support", hex="3122")
    do(match, "naval support", hex="3122")
    assert codes(GAME.overlay(match.position, "zone", ALLIED)) == before


@rule("italy1944", "4d")
def test_a_zone_ends_at_a_lake():
    # Lake Bolsena lies between 2116 and 2117.
    assert zone("94 ID @ 2117", GERMAN) == {"2216", "2217", "2118", "2017", "2016"}
    assert "2117" not in zone("94 ID @ 2116", GERMAN)
    match = movement("94 ID @ 2116; US 34 @ 2117", GERMAN)
    # So its unit does not start in a zone, and may enter one.
    assert "2216" in reach(match, "94 ID")


@rule("italy1944", "4d")
@pytest.mark.parametrize(
    ("start", "end", "enemy", "length"),
    [
        ("2013", "2214", "2113", 2),  # over 2114: Lake Trasimeno is between it and the enemy
        ("2216", "2015", "2117", 2),  # over 2116, past Lake Bolsena
        ("2015", "2216", "2016", 3),  # no lake: around him, over 2115
    ],
)
def test_across_a_lake_a_zone_bars_no_line_of_communication(
    start: str, end: str, enemy: str, length: int
):
    pos = movement(f"94 ID @ 1004; US 34 @ {enemy}", GERMAN).position
    assert lines_to(WAR, pos, GERMAN, 1 << at(end)).distance(at(start)) == length


@rule("italy1944", "4d")
def test_a_zone_ends_at_the_sea():
    assert zone("94 ID @ 2119", GERMAN) == {"2118", "2218", "2219"}


# Zones and movement


@rule("italy1944", "4.1a")
def test_a_unit_that_enters_an_enemy_zone_stops_there():
    match = movement("94 ID @ 1304; 71 ID @ 1404; US 34 @ 1105", GERMAN)
    assert {"1204", "1205"} <= reach(match, "94 ID")
    assert "0904" not in reach(match, "94 ID")
    go(match, "1204", "94 ID")
    assert names(match, "move") == {"71 ID"}
    assert refused(match, "move", "94 ID").rule == "8a"


@rule("italy1944", "4.1a")
def test_the_way_past_an_enemy_does_not_lead_through_his_zone_not_even_through_one_hex_of_it():
    # The Via Salaria goes by 2616, which 2717 looks on; before and behind it nobody is near.
    salaria = "94 ID @ 2517"
    assert price(movement(salaria, GERMAN), "94 ID", "2615") == 2 * 0.5
    match = movement(f"{salaria}; US 34 @ 2717", GERMAN)
    assert price(match, "94 ID", "2616") == 0.5
    assert price(match, "94 ID", "2615") > 2


@rule("italy1944", "4.1a")
def test_tanks_that_stopped_may_only_attack_or_halt():
    match = movement("26 Pz @ 1304; US 34 @ 1105", GERMAN)
    go(match, "1204", "26 Pz")
    assert verbs(match) == {"mobile attack", "halt"}
    assert refused(match, "go", "26 Pz", "1304").rule == "4.1a"


def test_a_unit_that_stops_short_of_the_zone_may_go_on():
    match = movement("94 ID @ 1404; US 34 @ 1105", GERMAN)
    go(match, "1304", "94 ID")
    assert "1204" in hexes(match, "go")


@rule("italy1944", "4.1c")
def test_a_unit_does_not_go_straight_from_one_enemy_zone_hex_to_another():
    # From 1205 to 1204 by way of 1305, which is free.
    assert price(movement("94 ID @ 1205", GERMAN), "94 ID", "1204") == 1
    assert price(movement("94 ID @ 1205; US 34 @ 1105", GERMAN), "94 ID", "1204") == 2


@rule("italy1944", "4.1c")
def test_a_unit_with_enemy_zones_all_around_stays_where_it_is():
    match = picked(movement(f"{TRAP}; 2 DIM, SSF @ 3619"), "US 34")
    assert verbs(match) == {"take along", "halt"}
    assert refused(match, "go", "US 34", "3720").rule == "4.1c"


@rule("italy1944", "4.1d")
def test_friends_do_not_cancel_an_enemy_zone_for_movement():
    friends = "71 ID @ 1204; 1 FJ @ 1104; 5 GJ @ 1004"
    match = movement(f"94 ID @ 1304; {friends}; US 34 @ 1105", GERMAN)
    assert "1204" in reach(match, "94 ID")
    assert not {"1104", "1004", "0904"} & reach(match, "94 ID")


@rule("italy1944", "4.1d")
def test_a_units_own_side_never_stops_it():
    match = movement("94 ID @ 1304; 71 ID @ 1105", GERMAN)
    assert price(match, "94 ID", "0904") == 4


@rule("italy1944", "4.1e")
def test_the_least_move_of_one_hex_does_not_lead_from_zone_to_zone():
    # With 2 points, tanks climb a mountain only by the least move of one hex (8c).
    free = movement("26 Pz @ 2817", GERMAN, moving_centres=1 << GERMAN)
    assert {"2816", "2717"} <= reach(free, "26 Pz")
    match = movement("26 Pz @ 2817; US 34 @ 2917", GERMAN, moving_centres=1 << GERMAN)
    assert "2717" in reach(match, "26 Pz")
    assert not {"2816", "2918"} & reach(match, "26 Pz")
    assert refused(picked(match, "26 Pz"), "go", "26 Pz", "2816").rule == "4.1c"


# After a victory

# 94 ID in 1305 looks on 1205, 1204, 1304 and 1306; 71 ID in 1004 on the attackers in 1105. With no
# centre the Allies have no line that could be too long.
GAP = "6 Arm @ 1105; Lehr @ 1205; 94 ID @ 1305; 71 ID @ 1004"


@rule("italy1944", "4.1b")
def test_an_advance_after_combat_leads_from_zone_to_zone():
    match = combat(GAP, centres="- 2418", air=[5, 1])
    attack(match, "1205", "6 Arm", die=5)  # 0/2 at 4:1
    do(match, "advance", "6 Arm", "1205")
    assert where(match, "6 Arm") == "1205"


@rule("italy1944", "4.1b")
def test_a_breakthrough_goes_through_enemy_zones():
    match = combat(GAP, centres="- 2418", air=[5, 1])
    attack(match, "1205", "6 Arm", die=6)  # 1/3 at 4:1, two steps more than were there
    do(match, "break through", "6 Arm")
    assert {"1204", "1304", "1306"} <= hexes(match, "break to")


@rule("italy1944", "4.1b")
def test_exploitation_goes_through_enemy_zones():
    match = combat(GAP.replace("71 ID @ 1004", "5 C Arm @ 1005"), centres="- 2418", air=[5, 1])
    attack(match, "1205", "6 Arm", die=6)
    do(match, "stay")
    do(match, "exploit", "5 C Arm")
    assert {"1205", "1204", "1304"} <= hexes(match, "exploit to")


# Zones and lines of communication


@rule("italy1944", "4.2")
def test_a_line_runs_through_an_enemy_zone_only_where_a_friend_stands():
    assert cut(turn_end(TRAP)) == {"US 34"}
    assert cut(turn_end(f"{TRAP}; 2 DIM @ 3720")) == set()
    # A friend farther off, in no zone, opens nothing.
    assert cut(turn_end(f"{TRAP}; 2 DIM @ 3819")) == {"US 34"}


@rule("italy1944", "4.2")
def test_a_zone_that_a_friend_cancels_for_supply_still_stops_units():
    match = movement(f"{TRAP}; 2 DIM @ 3720")
    assert "3619" in codes(GAME.overlay(match.position, "supply", ALLIED))
    assert "3720" not in reach(match, "US 34")
