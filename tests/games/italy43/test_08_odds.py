"""Chapters 8.3 to 8.6 and 9: strengths, shifts, the Main Assault Force and the final column."""

from __future__ import annotations

from typing import Any

from apennine.games.italy43.rules.c08_odds import (
    AUTOMATIC,
    BREAKTHROUGH,
    REGULAR,
    attachable,
    may_attack,
    odds,
)
from apennine.games.italy43.table.position import GERMAN, NAVAL, NOBODY, Table
from apennine.hexes import bits
from apennine.kernel.order import what_stays
from apennine.mechanics.odds import Odds
from apennine.testing import rule
from tests.games.italy43.drawing import ALLIED, MUD, RAIN, WAR, at, mask, number, table, units

TARGET = "2020"
"""A clear hex on the Campania plain with clear hexes around: 2019, 2120, 2121, 2021, 1921, 1920."""


def battle(
    counters: str,
    target: str,
    main: str,
    attached: str = "",
    *,
    side: int = ALLIED,
    attackers: str = "",
    **fields: Any,
) -> Table:
    """A battle in which all that stand next to the hex attack, artillery aside.

    All are at full strength unless told otherwise.
    """
    pos = table(counters, "combat", side, **{"steps": list(WAR.full)} | fields)
    pos.target = at(target)
    near = WAR.lattice.ring(pos.target, 1)
    own = [u for u in WAR.members[side] if pos.hex[u] >= 0 and near >> pos.hex[u] & 1]
    pos.attackers = units(attackers) if attackers else sum(1 << u for u in own) & ~WAR.artillery
    pos.main = number(main)
    pos.attached = units(attached) if attached else 0
    return pos


def weighed(*counters: str, kind: int = REGULAR, **fields: Any) -> Odds:
    return odds(WAR, battle(*counters, **fields), kind)


def strengths(*args: str, **fields: Any) -> tuple[int, int]:
    found = weighed(*args, **fields)
    return int(found.attack), int(found.defence)


def shifts(*args: str, **fields: Any) -> dict[str, int]:
    return {shift.rule: shift.columns for shift in weighed(*args, **fields).shifts}


# Odds (8.3).


@rule("italy43", "8.3.1a")
def test_odds_are_rounded_in_favour_of_the_defender():
    two = weighed("7/3, 100/34 @ 2019; 577/305 @ 2020", TARGET, "7/3", "100/34")
    assert (two.attack, two.defence, two.raw_label) == (9, 4, "2-1")
    one = weighed("7/3 @ 2019; 577/305 @ 2020", TARGET, "7/3")
    assert (one.attack, one.defence, one.raw_label) == (6, 4, "1-1")
    three = weighed("1/HG, Pz/HG, I/104/15 @ 2019; 2/509 @ 2020", TARGET, "1/HG", side=GERMAN)
    assert (three.attack, three.defence, three.raw_label) == (7, 2, "3-1")


@rule("italy43", "8.3.1b")
def test_a_weaker_attack_is_one_to_so_many_rounded_up():
    found = weighed("133/34 @ 2019; 129/15 @ 2020", TARGET, "133/34")
    assert (found.attack, found.defence, found.raw_label) == (5, 6, "1-2")


@rule("italy43", "8.3.2b", "9.9b")
def test_mud_shifts_left_and_the_chart_ends_at_1_3():
    found = weighed("133/34 @ 2019; 129/15, I/104/15 @ 2020", TARGET, "133/34", weather=MUD)
    assert found.raw_label == "1-2"
    assert [(s.rule, s.columns) for s in found.shifts] == [("9.9b", -1)]
    assert found.shifted_label == found.label == "1-3"
    lower = weighed(
        "133/34 @ 2019; 129/15, I/104/15 @ 2020",
        TARGET,
        "133/34",
        weather=MUD,
        forts=mask(TARGET),
    )
    assert (lower.shifted_label, lower.label) == ("1-4", "1-3")


SHATTERING = "I/104/15, II/104/15, III/104/15, 115 Pz/15 @ 2019; 8/3PG @ 2120; 1/HG @ 2021"
"""The six units of the example: 11 of the main force, and 3 and 2 of the others."""


@rule("italy43", "8.3.3a", "8.3.2d")
def test_the_automatic_ds_of_the_example_is_10_1_by_two_shifts():
    found = weighed(f"{SHATTERING}; 2/509 @ 2020", TARGET, "I/104/15", side=GERMAN, kind=AUTOMATIC)
    assert (found.attack, found.defence, found.raw_label) == (16, 2, "8-1")
    assert {shift.rule for shift in found.shifts} == {"9.2.1a", "9.3.1"}
    assert found.shifted_label == "10-1"


@rule("italy43", "8.3.2c")
def test_8_1_and_9_1_are_read_on_7_1():
    found = weighed(
        f"{SHATTERING}; 2/509 @ 2020",
        TARGET,
        "I/104/15",
        side=GERMAN,
        kind=AUTOMATIC,
        weather=MUD,
    )
    assert (found.shifted_label, found.label) == ("9-1", "7-1")


@rule("italy43", "8.3.3b")
def test_limits_are_applied_only_after_all_shifts_are_netted():
    # 8-1, two right, one left for mud: were it clamped to 7-1 first it would end elsewhere.
    found = weighed(f"{SHATTERING}; 1 Rgr @ 2020", TARGET, "I/104/15", side=GERMAN, weather=MUD)
    assert (found.raw_label, found.shifted_label) == ("8-1", "9-1")


@rule("italy43", "8.3.3c")
def test_the_germans_of_turn_3_would_attack_at_3_1():
    # 6 to 7 with shifts for tanks, elite troops and artillery.
    found = weighed(
        "I/104/15, II/104/15 @ 2019; Pz/HG @ 2019; 131/7 @ 2020; 15PG ASU @ 2019",
        TARGET,
        "I/104/15",
        "Pz/HG",
        side=GERMAN,
        support=[0, number("15PG ASU"), NOBODY],
    )
    assert (found.attack, found.defence, found.raw_label) == (6, 7, "1-2")
    assert {s.rule for s in found.shifts} == {"9.2.1a", "9.3.1", "9.5.1"}
    assert found.label == "3-1"


@rule("italy43", "8.1d")
def test_all_defenders_of_a_hex_are_attacked_together():
    assert strengths("7/3 @ 2019; 1/HG, I/104/15, Pz/HG @ 2020", TARGET, "7/3")[1] == 10


# The Main Assault Force (8.4).


@rule("italy43", "8.4.1b", "8.4.3c")
def test_a_division_with_a_tank_battalion_and_two_others_attack_with_19():
    counters = "7/3, 191 Tk @ 2019; 15/3 @ 2120; 135/34 @ 2021; 2/509 @ 1920; 577/305 @ 2020"
    assert strengths(counters, TARGET, "7/3", "191 Tk")[0] == 6 + 6 + 3 + 3 + 1 == 19
    assert strengths(counters, TARGET, "7/3")[0] == 6 + 6 + 2 + 3 + 1


@rule("italy43", "8.4.1a")
def test_the_formation_that_is_named_is_at_full_strength():
    counters = "7/3 @ 2019; 135/34, 133/34 @ 2120; 577/305 @ 2020"
    assert strengths(counters, TARGET, "7/3")[0] == 6 + 3 + 3
    assert strengths(counters, TARGET, "135/34")[0] == 6 + 5 + 3


@rule("italy43", "8.4.2")
def test_the_rangers_and_the_23rd_armoured_brigade_are_formations():
    assert (
        strengths("1 Rgr @ 2019; 3 Rgr @ 2120; 4 Rgr @ 2021; 1/HG @ 2020", TARGET, "3 Rgr")[0] == 9
    )
    brigade = "40 RTR @ 2019; Greys @ 2120; 11 KRRC @ 2021; 1/HG @ 2020"
    assert strengths(brigade, TARGET, "Greys")[0] == 6


@rule("italy43", "8.4.4a", "8.4.4c")
def test_an_independent_unit_is_a_main_force_by_itself_with_two_attachments():
    counters = "2/509, 191 Tk, 100/34, 1SSF @ 2019; 1/HG @ 2020"
    assert strengths(counters, TARGET, "2/509")[0] == 2 + 2 + 2 + 3
    assert strengths(counters, TARGET, "2/509", "191 Tk, 100/34")[0] == 2 + 3 + 3 + 3
    for name in ("2/509", "1SSF", "9 Cdo"):
        assert WAR.formation[number(name)][0] < 0


def may_attach(counters: str, main: str, attached: str = "", **fields: Any) -> set[str]:
    pos = battle(counters, TARGET, main, attached, **fields)
    left = what_stays(attachable(WAR, pos, pos.main, pos.attackers, pos.attached))
    return {WAR.names[unit] for unit in bits(left)}


STACK = "7/3, 191 Tk, 753 Tk, 100/34, 22/7 @ 2019; 135/34 @ 2120; 577/305 @ 2020"


@rule("italy43", "8.4.3a", "8.4.3b", "8.4.3d")
def test_one_silhouetted_tank_and_one_infantry_unit_of_the_stack_may_be_attached():
    # 22/7 has no silhouette, 135/34 is in another hex.
    assert may_attach(STACK, "7/3") == {"191 Tk", "753 Tk", "100/34"}
    assert may_attach(STACK, "7/3", "191 Tk") == {"100/34"}
    assert may_attach(STACK, "7/3", "100/34") == {"191 Tk", "753 Tk"}
    assert may_attach(STACK, "7/3", "191 Tk, 100/34") == set()


@rule("italy43", "8.4.3d")
def test_infantry_types_and_reconnaissance_may_be_attached():
    counters = "129/15, 26/26, I/9/26, II/FJ3 @ 2019; 7/3 @ 2020"
    assert may_attach(counters, "129/15", side=GERMAN) == {"26/26", "I/9/26", "II/FJ3"}


@rule("italy43", "8.6.2b", "8.6.2c")
def test_an_american_may_join_the_french_and_they_him_but_not_the_italians():
    counters = "4RTM/2, 1 Mot It, 100/34, 191 Tk @ 2019; 577/305 @ 2020"
    assert may_attach(counters, "4RTM/2") == {"100/34", "191 Tk"}
    assert may_attach(counters, "1 Mot It") == {"100/34", "191 Tk"}
    assert may_attach(counters, "100/34") == {"4RTM/2", "1 Mot It", "191 Tk"}


@rule("italy43", "8.5a", "8.5b")
def test_no_side_counts_more_than_twenty_points():
    # 21 are capped; the silhouetted tanks are not doubled on the hill.
    counters = "22/7 @ 2607; 131/7, 167/56 @ 2708; 169/56 @ 2706; 11H/7 @ 2706"
    counters += "; 577/305, Pz/HG @ 2707"
    found = weighed(counters, "2707", "22/7", "167/56", defence=[0, number("71 NW")])
    assert sum((6, 5, 5, 3, 2)) == 21
    assert (found.attack, found.defence, found.raw_label) == (20, 10, "2-1")
    assert [s.rule for s in found.shifts] == ["9.5.4a"]
    assert found.label == "1-1"
    most = "7/3 @ 2708; 129/15, 115/15, 1/HG @ 2707"
    assert strengths(most, "2707", "7/3")[1] == 20


@rule("italy43", "8.5c")
def test_eleven_points_of_defence_allow_1_1_at_best():
    counters = "7/3, 15/3 @ 2019; 30/3, 191 Tk @ 2120; 141/36 @ 2021; 129/15, 2/HG @ 2020"
    found = weighed(counters, TARGET, "7/3", "191 Tk")
    assert (found.attack, found.defence, found.raw_label) == (20, 11, "1-1")


# Who may attack (8.1, 8.6).


def joiners(counters: str, target: str, kind: int = REGULAR, **fields: Any) -> set[str]:
    pos = table(counters, "combat", fields.pop("side", ALLIED), **fields)
    return {WAR.names[unit] for unit in bits(may_attack(WAR, pos, at(target), kind))}


@rule("italy43", "8.6.1a")
def test_british_units_attack_alone():
    counters = "7/3, 128/46 @ 2019; 4RTM/2 @ 2120; 577/305 @ 2020"
    assert joiners(counters, TARGET) == {"7/3", "128/46", "4RTM/2"}
    assert joiners(counters, TARGET, attackers=units("128/46")) == set()
    assert joiners(counters, TARGET, attackers=units("7/3")) == {"4RTM/2"}


@rule("italy43", "8.6.1b")
def test_british_and_americans_defend_together():
    assert strengths("129/15 @ 2019; 7/3, 9 Cdo @ 2020", TARGET, "129/15", side=GERMAN)[1] == 8


@rule("italy43", "8.1f", "9.7c")
def test_vehicles_attack_over_mountains_only_at_a_road_or_pass():
    # 1902-1802 is a pass, 1903-1802 is not; a road leads from 2004 to 2105.
    counters = "191 Tk, 7/3 @ 1902; 753 Tk, 15/3 @ 1903; 577/305 @ 1802"
    assert joiners(counters, "1802") == {"191 Tk", "7/3", "15/3"}
    assert joiners("191 Tk @ 2004; 577/305 @ 2105", "2105") == {"191 Tk"}


@rule("italy43", "8.1f")
def test_in_rain_vehicles_attack_over_bridges_only():
    counters = "191 Tk, 7/3 @ 2115; 753 Tk @ 2216; 577/305 @ 2116"
    assert joiners(counters, "2116") == {"191 Tk", "7/3", "753 Tk"}
    assert joiners(counters, "2116", weather=RAIN) == {"7/3", "753 Tk"}
    assert joiners("191 Tk @ 2320; 577/305 @ 2219", "2219", weather=RAIN) == {"191 Tk"}


@rule("italy43", "8.1f")
def test_the_allies_may_not_attack_into_the_zone_of_the_8th_army():
    zone = WAR.ground.eighth_army
    hex = next(
        h for h in bits(zone) if WAR.ground.beside[h] & ~zone and WAR.ground.open[0] >> h & 1
    )
    beside = next(bits(WAR.ground.beside[hex] & ~zone))
    code = WAR.lattice.code
    assert joiners(f"7/3 @ {code(beside)}; 577/305 @ {code(hex)}", code(hex)) == set()
    assert joiners(f"7/3 @ {code(hex)}; 577/305 @ {code(beside)}", code(hex), side=GERMAN) == {
        "577/305"
    }


@rule("italy43", "13.2.1b", "17.7a", "5.7c")
def test_units_out_of_order_in_trucks_and_artillery_do_not_attack():
    counters = "7/3 @ 2019 disrupted; 15/3 @ 2019 trucked; 30/3, 3 ASU @ 2019; 577/305 @ 2020"
    assert joiners(counters, TARGET) == {"30/3"}


@rule("italy43", "20.4b", "20.4c")
def test_a_replacement_marker_stops_every_attack_out_of_its_hex():
    counters = "7/3 @ 2019 replaced; 15/3 @ 2019; 30/3 @ 2120; 577/305 @ 2020"
    assert joiners(counters, TARGET) == {"30/3"}


@rule("italy43", "25.2e")
def test_at_half_effectiveness_nobody_attacks_over_mountains_nor_vehicles_over_rivers():
    counters = "7/3 @ 2906 halved; 15/3 @ 2807 halved; 577/305 @ 2806"
    assert joiners(counters, "2806") == {"15/3"}
    counters = "191 Tk, 7/3 @ 2117 halved; 577/305 @ 2118"
    assert joiners(counters, "2118") == {"7/3"}


@rule("italy43", "15.2.6c", "15.2.2a")
def test_a_breakthrough_needs_a_road_over_rivers_and_is_of_the_group_alone():
    counters = "7/3, 15/3 @ 2016; 577/305 @ 2017; 578/305 @ 2117"
    group = units("7/3")
    assert joiners(counters, "2017", BREAKTHROUGH, group=group) == {"7/3"}
    counters = "7/3 @ 2117; 577/305 @ 2118; 578/305 @ 2116"
    assert joiners(counters, "2118", BREAKTHROUGH, group=group) == set()
    assert joiners(counters, "2116", BREAKTHROUGH, group=group) == {"7/3"}


@rule("italy43", "15.2.6c")
def test_a_breakthrough_over_mountains_needs_a_road_or_a_pass():
    group = units("7/3")
    assert joiners("7/3 @ 1902; 577/305 @ 1802", "1802", BREAKTHROUGH, group=group) == {"7/3"}
    assert joiners("7/3 @ 1903; 577/305 @ 1802", "1802", BREAKTHROUGH, group=group) == set()


# Halving and doubling (9.1, 9.7, 9.8).


@rule("italy43", "9.1a", "9.7h")
def test_over_a_major_river_everybody_is_halved_but_once():
    counters = "7/3, 135/34 @ 2115; 577/305 @ 2116"
    assert strengths(counters, "2116", "7/3") == (3 + 3, 8)


@rule("italy43", "9.1b")
def test_halving_is_by_unit_with_fractions_rounded_up():
    counters = "7/3 @ 2019; 133/34 @ 2120; 1 Rgr @ 2021; 3 Rgr @ 1920; 577/305 @ 2020"
    assert strengths(counters, TARGET, "7/3")[0] == 6 + 3 + 2 + 2


@rule("italy43", "9.1c", "9.1e")
def test_a_disrupted_unit_is_halved_and_in_a_city_as_printed():
    assert strengths("7/3 @ 2019; 115/15 @ 2020 disrupted", TARGET, "7/3")[1] == 3
    assert strengths("7/3 @ 2419; 115/15 @ 2519 disrupted", "2519", "7/3")[1] == 5
    assert strengths("7/3 @ 2419; 115/15 @ 2519", "2519", "7/3")[1] == 10


@rule("italy43", "9.1d", "9.7g")
def test_vehicles_are_halved_over_minor_rivers_and_infantry_is_not():
    counters = "7/3, 191 Tk @ 2117; 577/305 @ 2118"
    assert strengths(counters, "2118", "7/3", "191 Tk")[0] == 6 + 2
    bridged = "22/7 @ 2320; 577/305 @ 2219"
    assert strengths(bridged, "2219", "22/7")[0] == 3


@rule("italy43", "16.4b", "25.2c")
def test_units_out_of_supply_or_at_half_effectiveness_are_halved():
    assert strengths("133/34 @ 2019 hungry; 577/305 @ 2020", TARGET, "133/34")[0] == 3
    assert strengths("133/34 @ 2019 halved; 577/305 @ 2020", TARGET, "133/34")[0] == 3


@rule("italy43", "16.4e")
def test_out_of_supply_a_unit_defends_with_all_its_strength_and_tanks():
    counters = "7/3 @ 2019; 577/305, Pz/HG @ 2020 hungry"
    assert strengths(counters, TARGET, "7/3")[1] == 6
    assert shifts(counters, TARGET, "7/3") == {"9.3.2": -1}


@rule("italy43", "9.7a")
def test_hills_and_cities_double_all_but_silhouetted_tanks_and_artillery():
    city = "7/3 @ 2419; 115/15, I/104/15 @ 2519"
    assert strengths(city, "2519", "7/3")[1] == 16
    assert strengths("7/3 @ 2708; 115/15, Pz/HG @ 2707", "2707", "7/3")[1] == 12
    assert strengths("7/3 @ 2708; HG ASU @ 2707", "2707", "7/3")[1] == 1
    assert strengths("115 Pz/15 @ 2708; 22/7 @ 2707", "2707", "115 Pz/15", side=GERMAN)[1] == 12


@rule("italy43", "9.7a")
def test_seven_points_in_a_city_are_fourteen_and_the_allies_get_1_1():
    counters = "7/3, 15/3 @ 2419; 30/3 @ 2418; 135/34 @ 2520; I/104/15, II/104/15, Reggio @ 2519"
    found = weighed(counters, "2519", "7/3")
    assert (found.attack, found.defence, found.label) == (20, 14, "1-1")
    guns = weighed(counters, "2519", "7/3", defence=[0, number("XIV ASU")])
    assert guns.label == "1-2"


@rule("italy43", "9.7b", "19.3b")
def test_mountain_sides_halve_all_but_mountain_troops_even_at_a_pass():
    counters = "7/3, 191 Tk @ 1902; 577/305 @ 1802"
    assert strengths(counters, "1802", "7/3", "191 Tk")[0] == 3 + 2
    assert strengths("1SSF @ 1903; 577/305 @ 1802", "1802", "1SSF")[0] == 5
    remnant = "1SSF @ 1903 steps=1; 577/305 @ 1802"
    assert strengths(remnant, "1802", "1SSF")[0] == 1


@rule("italy43", "9.7b")
def test_the_third_division_attacks_over_the_mountains_with_10_against_6():
    counters = "7/3, 756 Tk @ 1902; 15/3 @ 1903; 30/3 @ 1803; I/104/15 @ 1802"
    found = weighed(counters, "1802", "7/3", "756 Tk")
    assert found.attack == 3 + 1 + 3 + 3 == 10
    assert (found.defence, found.raw_label) == (6, "1-1")


@rule("italy43", "9.7d", "9.7e")
def test_a_marsh_doubles_the_defence_if_all_come_out_of_it_and_halves_vehicles():
    counters = "7/3, 191 Tk @ 1918; 577/305 @ 1919"
    assert strengths(counters, "1919", "7/3", "191 Tk") == (6 + 2, 8)
    assert strengths(f"15/3 @ 2019; {counters}", "1919", "7/3", "191 Tk")[1] == 4


@rule("italy43", "9.7f")
def test_a_river_doubles_the_defence_if_all_attack_over_it_bridged_or_not():
    assert strengths("7/3 @ 2117; 577/305 @ 2118", "2118", "7/3")[1] == 8
    assert strengths("7/3 @ 2117; 15/3 @ 2119; 577/305 @ 2118", "2118", "7/3")[1] == 4
    assert strengths("7/3 @ 2320; 577/305 @ 2219", "2219", "7/3")[1] == 8


@rule("italy43", "9.7i")
def test_rivers_and_marshes_and_mountains_double_together():
    # 2017 is over a river from 2117 and next to the marsh 1918.
    both = "7/3 @ 2117; 15/3 @ 1918; 577/305 @ 2017"
    assert strengths(both, "2017", "7/3")[1] == 8
    assert strengths(f"{both}; 30/3 @ 2018", "2017", "7/3")[1] == 4


@rule("italy43", "9.7j")
def test_mountains_double_silhouetted_tanks_too():
    assert strengths("7/3 @ 2906; Pz/HG @ 2806", "2806", "7/3")[1] == 4
    assert strengths("7/3 @ 2807; Pz/HG @ 2806", "2806", "7/3")[1] == 2


@rule("italy43", "9.8a", "9.8b")
def test_artillery_defends_only_if_it_is_alone_and_then_one_of_it():
    assert strengths("7/3 @ 2019; 577/305, HG ASU @ 2020", TARGET, "7/3")[1] == 4
    assert strengths("7/3 @ 2019; HG ASU, 71 NW @ 2020", TARGET, "7/3")[1] == 1


@rule("italy43", "9.9a", "13.3.2g")
def test_units_in_full_retreat_add_neither_strength_nor_tanks():
    counters = "7/3 @ 2019; 577/305 @ 2020; 115 Pz/15 @ 2020 routed"
    assert strengths(counters, TARGET, "7/3")[1] == 4
    assert shifts(counters, TARGET, "7/3") == {}


@rule("italy43", "12.5a", "12.5c", "15.3a")
def test_who_has_retreated_to_friends_counts_only_in_breakthrough_combat():
    pos = battle("7/3 @ 2019; 577/305 @ 2020; 115/15 @ 2020 disrupted retreated", TARGET, "7/3")
    assert odds(WAR, pos, REGULAR).defence == 4
    assert odds(WAR, pos, BREAKTHROUGH).defence == 4 + 3


@rule("italy43", "15.3b")
def test_units_over_the_stacking_limit_add_nothing_against_a_breakthrough():
    pos = battle("7/3 @ 2019; 577/305, 115/15 @ 2020; Pz/HG @ 2020", TARGET, "7/3")
    pos.excess = units("115/15, Pz/HG")
    found = odds(WAR, pos, BREAKTHROUGH)
    assert (found.defence, found.shifts) == (4, ())


# Quality and tanks (9.2, 9.3).


@rule("italy43", "9.2.1a")
def test_most_units_of_the_main_force_must_be_elite():
    both = "I/104/15 @ 2019; 33/15 @ 2120; 7/3 @ 2020"
    assert shifts(both, TARGET, "I/104/15", side=GERMAN) == {}
    three = f"II/104/15 @ 2021; {both}"
    assert shifts(three, TARGET, "I/104/15", side=GERMAN) == {"9.2.1a": 1}
    aside = "I/104/15 @ 2019; 577/305 @ 2120; 7/3 @ 2020"
    assert shifts(aside, TARGET, "577/305", side=GERMAN) == {}


@rule("italy43", "9.2.1b")
def test_elite_infantry_with_a_tank_unit_earns_the_shift_too():
    counters = "7/3, 100/34, 191 Tk @ 2707; 15/3 @ 2606; 577/305 @ 2706"
    assert shifts(counters, "2706", "7/3", "100/34") == {}
    assert shifts(counters, "2706", "7/3", "100/34, 191 Tk") == {"9.2.1a": 1}


@rule("italy43", "9.2.1c")
def test_the_elite_shift_is_one_column_whoever_defends():
    counters = "1 Rgr, 191 Tk @ 2707; 3 Rgr @ 2606; II/FJ3 @ 2706"
    assert shifts(counters, "2706", "1 Rgr", "191 Tk") == {"9.2.1a": 1}


@rule("italy43", "9.2.2")
def test_an_attack_by_low_quality_alone_shifts_left():
    counters = "8/3PG @ 2019; 7/3 @ 2020"
    assert shifts(counters, TARGET, "8/3PG", side=GERMAN) == {"9.2.2": -1}
    assert shifts(f"577/305 @ 2120; {counters}", TARGET, "8/3PG", side=GERMAN) == {}


@rule("italy43", "9.3.1")
def test_the_better_tank_earns_the_attacker_a_shift():
    assert shifts("7/3, 191 Tk @ 2019; 577/305 @ 2020", TARGET, "7/3", "191 Tk") == {"9.3.1": 1}
    better = "1/HG, Pz/HG @ 2019; 7/3, 191 Tk @ 2020"
    assert shifts(better, TARGET, "1/HG", side=GERMAN) == {"9.3.1": 1}
    idle = "7/3 @ 2019; 191 Tk @ 2120; 577/305 @ 2020"
    assert shifts(idle, TARGET, "7/3") == {}


@rule("italy43", "9.3.2")
def test_the_better_tank_of_the_defender_shifts_left_and_equal_ones_do_nothing():
    assert shifts("7/3 @ 2019; 577/305, Pz/HG @ 2020", TARGET, "7/3") == {"9.3.2": -1}
    weaker = "7/3, 191 Tk @ 2019; 577/305, Pz/HG @ 2020"
    assert shifts(weaker, TARGET, "7/3", "191 Tk") == {"9.3.2": -1}
    same = "1/HG, Pz/HG @ 2019; 7/3, 601 TD @ 2020"
    assert shifts(same, TARGET, "1/HG", side=GERMAN) == {}


@rule("italy43", "9.3.3a")
def test_hills_cities_marshes_and_forts_allow_no_tank_shift():
    hill = "7/3, 191 Tk @ 2708; 577/305 @ 2707"
    assert shifts(hill, "2707", "7/3", "191 Tk") == {}
    assert shifts("7/3, 191 Tk @ 2419; 577/305 @ 2519", "2519", "7/3", "191 Tk") == {}
    assert shifts("7/3, 191 Tk @ 2018; 577/305 @ 1918", "1918", "7/3", "191 Tk") == {}
    assert shifts("7/3 @ 2708; 577/305, Pz/HG @ 2707", "2707", "7/3") == {}


@rule("italy43", "9.3.3b")
def test_tanks_over_a_river_earn_no_shift_but_deny_it():
    counters = "7/3, 191 Tk @ 2117; 15/3 @ 2119; 577/305 @ 2118"
    assert shifts(counters, "2118", "7/3", "191 Tk") == {}
    assert shifts(f"{counters}; Pz/HG @ 2118", "2118", "7/3") == {"9.3.2": -1}
    assert shifts(f"{counters}; Pz/HG @ 2118", "2118", "7/3", "191 Tk") == {}


@rule("italy43", "9.3.4")
def test_tank_destroyers_count_one_less_when_they_attack():
    attacking = "7/3, 601 TD @ 2019; 577/305, Pz/HG @ 2020"
    assert shifts(attacking, TARGET, "7/3", "601 TD") == {"9.3.2": -1}
    defending = "1/HG, Pz/HG @ 2019; 7/3, 601 TD @ 2020"
    assert shifts(defending, TARGET, "1/HG", side=GERMAN) == {}


@rule("italy43", "13.2.2")
def test_a_disrupted_tank_still_denies_the_shift():
    counters = "7/3 @ 2019; 577/305 @ 2020; Pz/HG @ 2020 disrupted"
    assert shifts(counters, TARGET, "7/3") == {"9.3.2": -1}


# Fortifications and support.


@rule("italy43", "18.2.2a")
def test_a_fortification_shifts_by_its_level_besides_the_terrain():
    counters = "7/3 @ 2708; I/104/15 @ 2707"
    fort = mask("2707")
    one = weighed(counters, "2707", "7/3", forts=fort)
    assert (one.defence, [s.columns for s in one.shifts]) == (6, [-1])
    two = weighed(counters, "2707", "7/3", forts=fort, strongholds=fort)
    assert [s.columns for s in two.shifts] == [-2]


@rule("italy43", "18.2.2c")
def test_a_fortification_under_construction_does_nothing():
    counters = "7/3, 191 Tk @ 2019; 577/305 @ 2020"
    assert shifts(counters, TARGET, "7/3", "191 Tk", works=mask(TARGET)) == {"9.3.1": 1}


@rule("italy43", "18.2.2b")
def test_a_fortification_denies_the_tank_shift():
    counters = "7/3, 191 Tk @ 2019; 577/305 @ 2020"
    assert shifts(counters, TARGET, "7/3", "191 Tk", forts=mask(TARGET)) == {"18.2.2a": -1}


ALL_GUNS: dict[str, Any] = {
    "support": [1, number("3 ASU"), number("VI ASU")],
    "defence": [0, number("XIV ASU")],
}


@rule("italy43", "18.2.2a", "9.5.3")
def test_three_shifts_against_a_stronghold_with_artillery_come_to_nothing():
    fort = mask("2707")
    counters = "7/3, 15/3 @ 2708; 30/3 @ 2606; 141/36 @ 2706; 129/15 @ 2707"
    found = weighed(counters, "2707", "7/3", forts=fort, strongholds=fort, **ALL_GUNS)
    assert (found.defence, found.raw_label, found.label) == (12, "1-1", "1-1")
    assert sum(shift.columns for shift in found.shifts) == 0


@rule("italy43", "9.5.3", "9.6c")
def test_twenty_against_twelve_with_four_shifts_is_5_1_and_with_artillery_4_1():
    counters = (
        "504/82, 505/82 @ 2708; 1 Rgr, 3 Rgr @ 2606; 325G/82 @ 2706; 2/509 @ 2607; 129/15 @ 2707"
    )
    support = [1, number("3 ASU"), NAVAL]
    found = weighed(counters, "2707", "504/82", support=support)
    assert (found.defence, found.raw_label, found.label) == (12, "1-1", "5-1")
    less = weighed(counters, "2707", "504/82", support=support, defence=[0, number("71 NW")])
    assert less.label == "4-1"


@rule("italy43", "15.2.7a", "8.7.1b")
def test_support_counts_in_regular_combat_alone():
    pos = battle("7/3, 191 Tk @ 2019; 577/305 @ 2020", TARGET, "7/3", "191 Tk", weather=MUD)
    pos.support, pos.defence = [1, number("3 ASU"), number("VI ASU")], [0, number("XIV ASU")]
    regular = {shift.rule for shift in odds(WAR, pos, REGULAR).shifts}
    assert regular == {"9.3.1", "9.9b", "9.4a", "9.5.1", "9.5.2a", "9.5.4a"}
    for kind in (AUTOMATIC, BREAKTHROUGH):
        assert {shift.rule for shift in odds(WAR, pos, kind).shifts} == {"9.3.1", "9.9b"}


@rule("italy43", "9.7a", "9.3.1")
def test_the_attack_in_the_mud_of_turn_2_is_3_1():
    counters = "22/7, 11H/7 @ 1920; 40 RTR, Greys @ 1921; HG Rcn @ 2020"
    found = weighed(counters, TARGET, "22/7", weather=MUD)
    assert (found.attack, found.defence, found.raw_label, found.label) == (10, 3, "3-1", "3-1")


@rule("italy43", "9.7a")
def test_nine_against_the_reconnaissance_in_benevento_is_1_1():
    counters = "179/45, 191 Tk @ 3526; 129R/29 @ 3625"
    found = weighed(counters, "3625", "179/45", "191 Tk")
    assert (found.attack, found.defence, found.label) == (9, 6, "1-1")
