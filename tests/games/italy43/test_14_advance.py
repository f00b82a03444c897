"""Chapter 14: Advance After Combat."""

from typing import Any

import pytest

from apennine.games.italy43.rules import c14_advance
from apennine.games.italy43.rules.c10_results import Verdict
from apennine.games.italy43.rules.c14_strides import must_stop, routes
from apennine.games.italy43.table.position import GERMAN, Table
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.italy43.drawing import (
    ALLIED,
    RAIN,
    WAR,
    asked,
    at,
    begin,
    do,
    hexes,
    mask,
    names,
    number,
    offers,
    play,
    refused,
    table,
    told,
    units,
    verbs,
)


def won(
    counters: str,
    attackers: str,
    vacated: str,
    far: int = 2,
    side: int = ALLIED,
    limited: bool = False,
    **fields: Any,
) -> Match[Table]:
    """A battle has emptied a hex; its attackers may advance, and form no Breakthrough Group."""
    pos = table(counters, "combat", side, **fields)
    pos.target, pos.attackers = at(vacated), units(attackers)
    verdict = Verdict(True, far, limited)
    match = play(pos, lambda war, pos: c14_advance.advance(war, pos, verdict))
    if "set out" in verbs(match):
        do(match, "set out")
    return match


def reach(*args: Any, **fields: Any) -> set[str]:
    """Where the first attacker may advance."""
    match = won(*args, **fields)
    return hexes(match, "advance", args[1].split(",")[0])


PLAIN = "131/7 @ 2319; 7/3 @ 2320"
"""Two attackers of 2318; the first is mechanised."""


@rule("italy43", "14.1a")
def test_whoever_took_part_may_advance_but_artillery_does_not():
    match = won("7/3, 15/3, 3 ASU @ 2319; 30/3 @ 2417", "7/3, 15/3, 3 ASU", "2318")
    assert names(match, "advance") == {"7/3", "15/3"}
    assert "has no advance" in refused(match, "advance", "30/3", "2318").sentence


@rule("italy43", "14.1b")
def test_an_advance_counts_hexes_and_no_points():
    # Two hexes of hills would cost a mechanised unit four points; it has moved all it could.
    assert "2704" in reach("131/7 @ 2706", "131/7", "2705", moved=units("131/7"))


@rule("italy43", "14.1c", "4.4d")
def test_an_advance_ends_where_there_is_room():
    match = won("7/3 @ 2319; 15/3, 30/3 @ 2318", "7/3", "2318")
    crowded = refused(match, "advance", "7/3", "2318")
    assert (crowded.sentence, crowded.rule) == ("There is no room for 7/3 in 2318.", "14.1c")
    assert "2317" in hexes(match, "advance")  # through them


@rule("italy43", "14.2.1")
@pytest.mark.parametrize("far", [1, 2])
def test_adv_1_and_2_give_so_many_hexes(far: int):
    found = reach("7/3 @ 2319", "7/3", "2318", far)
    distances = {WAR.lattice.distance(at("2319"), at(hex)) for hex in found}
    assert max(distances) == far


@rule("italy43", "14.2.2")
def test_the_third_hex_is_for_mechanised_units_by_road_or_onto_clear_ground():
    assert "2320" in reach("131/7 @ 2323", "131/7", "2322", 3)
    assert "2320" not in reach("7/3 @ 2323", "7/3", "2322", 3)
    pos = table("131/7 @ 2819", "combat", ALLIED, vacated=at("2818"), advance=3)
    third = [way for way in routes(WAR, pos, number("131/7")).values() if len(way) == 4]
    assert third
    for way in third:
        by_road = WAR.lattice.cross(1 << way[2], WAR.ground.all_roads)
        assert (WAR.ground.clear | by_road) >> way[3] & 1


@rule("italy43", "14.2.3")
def test_a_limited_advance_goes_into_the_vacated_hex_and_nowhere_else():
    match = won(PLAIN, "131/7, 7/3", "2318", 1, limited=True)
    assert hexes(match, "advance", "131/7") == {"2318"}
    assert refused(match, "advance", "131/7", "2418").rule == "14.2.3"


@rule("italy43", "14.3")
def test_otherwise_units_advance_in_any_direction():
    assert {"2318", "2418", "2321", "2119"} <= reach(PLAIN, "131/7", "2318")


@rule("italy43", "14.4.1a")
def test_no_step_between_two_hexes_in_the_zone_of_one_and_the_same_enemy():
    # 2418 and 2419 are both next to the German in 2519.
    match = won("7/3 @ 2418; 129/15 @ 2519", "7/3", "2318", 1)
    assert refused(match, "advance", "7/3", "2419").rule == "14.4.1a"
    assert "2419" in reach("7/3 @ 2418", "7/3", "2318", 1)


@rule("italy43", "14.4.1c")
def test_two_enemies_who_control_one_of_the_hexes_each_do_not_hinder_it():
    # 2320 is in the zone of 2221 alone, 2420 in that of 2521 alone.
    assert "2420" in reach("7/3 @ 2320; 129/15 @ 2221; I/104/15 @ 2521", "7/3", "2319", 1)


@rule("italy43", "14.4.1a", "14.4.1b")
def test_the_vacated_hex_may_be_entered_and_left_and_does_not_stop_an_advance():
    # As the tank of the example: two hexes straight on, both in the zone of the same enemy.
    counters = "191 Tk @ 2321; 129/15 @ 2219"
    assert "2319" in reach(counters, "191 Tk", "2320")
    assert "2319" not in reach(counters, "191 Tk", "2420")


@rule("italy43", "14.4.1b")
def test_an_advance_ends_on_entering_an_enemy_zone_even_beside_a_friend():
    def stops(counters: str, vacated: str) -> bool:
        pos = table(counters, "combat", ALLIED, vacated=at(vacated))
        return must_stop(WAR, pos, number("7/3"), at("2420"), at("2419"))

    friend = "7/3 @ 2420; 1 Rgr @ 2419"
    assert not stops(friend, "2320")
    assert stops(f"{friend}; 129/15 @ 2418", "2320")
    assert not stops(f"{friend}; 129/15 @ 2418", "2419")


@rule("italy43", "14.4.2", "7.2c")
def test_no_advance_into_or_over_an_enemy_bond_but_into_the_vacated_hex():
    # The bond closes the side between 2320 and 2319.
    bond = "7/3 @ 2321; 129/15 @ 2219; I/104/15 @ 2419"
    assert "2319" not in hexes(won(bond, "7/3", "2320"), "advance")
    broken = bond.replace("@ 2419", "@ 2419 disrupted")
    assert "2319" in hexes(won(broken, "7/3", "2320"), "advance")
    # 2320 is a Hex Bond now: that does not matter if it is the hex that was attacked.
    middle = "7/3 @ 2420; 129/15 @ 2319; I/104/15 @ 2321"
    assert "2320" in hexes(won(middle, "7/3", "2320", 1), "advance")
    assert "2320" not in hexes(won(middle, "7/3", "2520", 1), "advance")


@rule("italy43", "14.5a")
def test_no_advance_where_movement_may_not_go():
    zone = "7/3 @ 4126"
    match = won(zone, "7/3", "4127", 1)
    assert all(not WAR.ground.eighth_army >> at(hex) & 1 for hex in hexes(match, "advance"))
    match = won("7/3 @ 2319; 129/15 @ 2318", "7/3", "2320", 1)
    assert refused(match, "advance", "7/3", "2318").rule == "14.5a"


@rule("italy43", "14.5b")
def test_a_city_or_a_marsh_off_the_road_ends_an_advance():
    assert "2318" in reach("7/3 @ 2320", "7/3", "2319")
    assert "2219" not in reach("7/3 @ 2221", "7/3", "2220")  # beyond Aversa
    assert "1817" in reach("7/3 @ 1819", "7/3", "1818")  # by the road through the marsh
    assert "1918" in reach("7/3 @ 1919", "7/3", "1918")
    assert "1917" not in reach("7/3 @ 1919", "7/3", "1918")


@rule("italy43", "14.5c")
def test_mountains_are_crossed_first_of_all_and_into_the_hex_attacked():
    assert "1904" in reach("7/3 @ 1905", "7/3", "1904", 1)
    assert "1904" not in reach("7/3 @ 1905", "7/3", "1906", 1)
    match = won("191 Tk, 7/3 @ 1905", "191 Tk, 7/3", "1904", 1)
    assert names(match, "advance") == {"7/3"}
    assert refused(match, "advance", "191 Tk", "1904").rule == "14.5c"


@rule("italy43", "14.5d")
def test_so_are_major_rivers():
    match = won("7/3 @ 2116", "7/3", "2115", 1)
    assert "2115" in hexes(match, "advance")
    assert refused(match, "advance", "7/3", "2215").rule == "14.5d"


@rule("italy43", "14.5e")
def test_in_rain_vehicles_need_bridges():
    counters = "191 Tk @ 2118"
    assert "2117" in reach(counters, "191 Tk", "2117", 1)
    assert "2117" not in reach(counters, "191 Tk", "2117", 1, weather=RAIN)


@rule("italy43", "16.4c")
def test_out_of_supply_two_hexes_are_the_most():
    assert "2320" in reach("131/7 @ 2323", "131/7", "2322", 3)
    assert "2320" not in reach("131/7 @ 2323 hungry", "131/7", "2322", 3)


@rule("italy43", "25.2c", "25.2d")
def test_at_half_effectiveness_one_hex_is_the_most_and_no_mountain():
    assert "2321" not in reach("7/3 @ 2323 halved", "7/3", "2322", 2, half_effects=True)
    counters = "7/3 @ 1905 halved"
    assert "1904" not in reach(counters, "7/3", "1904", 1, half_effects=True)


@rule("italy43", "25.2a")
def test_an_advance_over_a_mountain_costs_half_the_effectiveness_and_ends():
    match = won("7/3 @ 1905", "7/3", "1904", 2, half_effects=True)
    assert "1803" not in hexes(match, "advance")
    do(match, "advance", "7/3", "1904")
    assert match.position.halved == units("7/3")
    match = won("7/3 @ 1905", "7/3", "1904", 2)
    do(match, "advance", "7/3", "1904")
    assert match.position.halved == 0


@rule("italy43", "12.4")
def test_an_eliminated_defender_does_not_reduce_the_advance():
    ring = "15/3 @ 2217; 30/3 @ 2317; 133/34 @ 2418; 135/34 @ 2218"
    match = begin(f"7/3 @ 2319; 33/15 @ 2318 steps=1; {ring}", "combat", ALLIED)
    do(match, "attack", hex="2318")
    for name in ("7/3", "15/3", "30/3", "133/34", "135/34"):
        if name in names(match, "attack with"):
            do(match, "attack with", name)
    match.force(6)
    while not {"advance", "spearhead"} & verbs(match):
        match.choose(offers(match)[-1])
    assert told(match, "is eliminated") == ["33/15"]
    assert match.position.advance >= 2


@rule("italy43", "8.7.2a", "8.7.2c")
def test_advances_of_automatic_ds_come_after_all_combats_and_go_three_hexes():
    shattered = [(at("2318"), units("131/7"))]
    match = begin("131/7 @ 2319; 8/3PG @ 3001", "triumphs", ALLIED, triumphs=shattered)
    if "set out" in verbs(match):
        do(match, "set out")
    far = {WAR.lattice.distance(at("2319"), at(hex)) for hex in hexes(match, "advance")}
    assert max(far) == 3
    do(match, "stay")
    assert match.position.triumphs == []


@rule("italy43", "S3.3.5a")
def test_the_garrison_of_naples_does_not_advance():
    match = won("504/82, 7/3 @ 2123", "504/82, 7/3", "2122", posted=units("504/82"))
    assert names(match, "advance") == {"7/3"}


@rule("italy43", "21.4.1a")
def test_an_advance_may_go_into_an_own_entry_area():
    match = won("7/3 @ 2530", "7/3", "2529", 1)
    do(match, "advance", "7/3", "S1")
    assert match.position.hex[number("7/3")] == at("S1")


@rule("italy43", "13.3.2d")
def test_who_advances_next_to_units_in_full_retreat_makes_them_run():
    match = won("7/3 @ 2319; 8/3PG @ 2316 routed", "7/3", "2318", 2)
    do(match, "advance", "7/3", "2317")
    assert hexes(match, "retreat", "8/3PG")
    assert asked(match).side == GERMAN
    do(match, "retreat", "8/3PG")
    assert match.position.hex[number("7/3")] == at("2317")


@rule("italy43", "14.3")
def test_a_unit_advances_by_the_way_its_owner_likes_where_that_matters():
    # Straight to 2412, or through the place in the vacated hex, which is taken so.
    for way, control in (("2512", mask("2512")), ("2412", 0)):
        match = won("7/3 @ 2513; 8/3PG @ 3001", "7/3", "2512", 2, control=0)
        do(match, "advance", "7/3", "2412")
        assert hexes(match, "by way of") == {"2412", "2512"}
        do(match, "by way of", hex=way)
        assert match.position.hex[number("7/3")] == at("2412")
        assert match.position.control == control


@rule("italy43", "14.2.1")
def test_farther_hexes_are_refused_as_too_far():
    match = won(PLAIN, "131/7, 7/3", "2318", 1)
    refusal = refused(match, "advance", "7/3", "2316")
    assert (refusal.rule, "more than 1 hexes" in refusal.sentence) == ("14.2.1", True)


@rule("italy43", "14.5a")
def test_a_near_hex_to_which_no_way_leads_is_refused_as_such():
    match = won("7/3 @ 2513; 8/3PG @ 2411", "7/3", "2512", 2)
    refusal = refused(match, "advance", "7/3", "2312")  # 2412 lies in the enemy's zone
    assert (refusal.rule, "No way" in refusal.sentence) == ("14.5a", True)


@rule("italy43", "S3.3.4a")
def test_the_last_german_unit_does_not_advance_out_of_formia():
    pair = won("129/15, 33/15 @ 1706; 7/3 @ 2001", "129/15, 33/15", "1806", side=GERMAN)
    do(pair, "advance", "129/15")
    assert "33/15" not in names(pair, "advance")
    alone = won("129/15 @ 1706; 33/15 @ 1805; 7/3 @ 2001", "129/15, 33/15", "1806", side=GERMAN)
    assert names(alone, "advance") == {"33/15"}
    assert refused(alone, "advance", "129/15", "1806").rule == "S3.3.4a"


@rule("italy43", "25.2b")
def test_an_advance_over_a_river_costs_vehicles_alone_their_effectiveness():
    d = WAR.lattice.direction(at("2113"), at("2114"))
    assert WAR.ground.unbridged[d] >> at("2113") & 1
    for unit, halved in (("22/7", True), ("7/3", False)):
        match = won(f"{unit} @ 2113; 8/3PG @ 3001", unit, "2114", 1, half_effects=True)
        do(match, "advance", unit, "2114")
        assert bool(match.position.halved) is halved
