"""Chapter 12: retreats."""

from typing import Any

import pytest

from apennine.games.italy43.rules import c12_retreat
from apennine.games.italy43.rules.c13_disorder import disrupt
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
    play,
    refused,
    table,
    told,
    units,
)


def ways(counters: str, unit: str, length: int = 2, **fields: Any) -> list[list[str]]:
    """The ways of a unit that retreats in the combat phase of the other side."""
    side = 1 - WAR.side_of[number(unit)]
    pos = table(counters, "combat", side, **fields)
    errand = c12_retreat.Errand(length, length, "12.1.1", disrupt)
    found = c12_retreat.ways(WAR, pos, number(unit), errand)
    return [[WAR.board.code(hex) for hex in path] for path in found]


def ends(counters: str, unit: str, length: int = 2, **fields: Any) -> set[str]:
    """Where its retreat may end; nowhere if it is eliminated."""
    return {path[-1] for path in ways(counters, unit, length, **fields)}


def driven(counters: str, stack: str, length: int = 2, **fields: Any) -> Match[Table]:
    """A result of combat makes a stack retreat."""
    side = 1 - WAR.side_of[number(stack.split(",")[0])]
    pos = table(counters, fields.pop("phase", "combat"), side, **fields)
    gone = units(stack)
    return play(pos, lambda war, pos: c12_retreat.retreat(war, pos, gone, length, "10.1e"))


@rule("italy43", "12.1.1")
def test_the_owner_moves_a_retreating_unit_as_far_as_the_result_says():
    match = driven("8/3PG @ 2318; 7/3 @ 2319", "8/3PG")
    assert asked(match).side == GERMAN
    assert hexes(match, "retreat") == {"2216", "2316", "2416"}
    do(match, "retreat", "8/3PG", "2316")
    assert match.position.hex[number("8/3PG")] == at("2316")
    assert hexes(driven("8/3PG @ 2318; 7/3 @ 2319", "8/3PG", 4), "retreat") == {
        "2214",
        "2314",
        "2414",
    }


@rule("italy43", "12.1.2a")
def test_a_retreat_may_stop_in_an_own_city_or_fort_or_over_a_mountain():
    germans = "8/3PG @ 2321; 7/3 @ 2322"
    assert "2220" not in ends(germans, "8/3PG", 4, control=mask("2220"))
    assert "2220" in ends(germans, "8/3PG", 4)
    plain = "8/3PG @ 2318; 7/3 @ 2319"
    assert "2217" in ends(plain, "8/3PG", forts=mask("2217"))
    assert "2217" not in ends(plain, "8/3PG", works=mask("2217"))
    assert "1904" in ends("129/15 @ 1905; 7/3 @ 1906", "129/15")


@rule("italy43", "12.1.2a")
def test_the_allies_find_no_shelter_in_a_german_fort():
    assert "2319" not in ends("7/3 @ 2318; 8/3PG @ 2317", "7/3", forts=mask("2319"))


@rule("italy43", "12.1.2b")
def test_nobody_stops_early_in_an_enemy_zone_unless_a_friend_is_there():
    pressed = "8/3PG @ 2321; 7/3 @ 2322; 15/3 @ 2120"
    assert "2220" not in ends(pressed, "8/3PG", 4)
    assert "2220" in ends(f"{pressed}; 29/3PG @ 2220", "8/3PG", 4)


@rule("italy43", "12.1.3a")
def test_guidelines_count_in_order_survival_then_distance_then_supply():
    free = "8/3PG @ 2318; 7/3 @ 2319"
    # Away from the old hex, and every step nearer to the north.
    assert ends(free, "8/3PG") == {"2216", "2316", "2416"}
    # With the north shut it goes aside: farther off is still possible, nearer to supply is not.
    shut = "8/3PG @ 2318; 7/3 @ 2317; 15/3 @ 2319"
    assert ends(shut, "8/3PG") == {"2117", "2118", "2517", "2518"}


@rule("italy43", "12.1.3a")
def test_where_ways_are_equal_a_unit_ends_in_supply():
    pos = table("8/3PG @ 2504; 7/3 @ 2505", "combat", ALLIED)
    full_mountain = at("2502")  # as far off, and as near to the north as the others
    assert not c12_retreat.supplied_hexes(WAR, pos, GERMAN) >> full_mountain & 1
    assert ends("8/3PG @ 2504; 7/3 @ 2505", "8/3PG") == {"2402", "2602"}


@rule("italy43", "12.1.3b")
def test_a_guideline_is_broken_only_to_keep_a_higher_one():
    match = driven("8/3PG @ 2318; 7/3 @ 2319", "8/3PG")
    aside = refused(match, "retreat", "8/3PG", "2117")
    assert aside.rule == "12.1.3b"
    match = driven("8/3PG @ 2318; 7/3 @ 2317; 15/3 @ 2319", "8/3PG")
    do(match, "retreat", "8/3PG", "2117")
    assert match.position.hex[number("8/3PG")] == at("2117")


@rule("italy43", "12.1.4a")
def test_a_retreat_may_end_in_a_full_hex_until_its_owner_has_moved():
    full = "8/3PG @ 2318; 7/3 @ 2319; 129/15, I/104/15, II/104/15, III/104/15 @ 2316"
    assert "2316" in ends(full, "8/3PG")
    crowd = "8/3PG, 129/15, I/104/15, II/104/15, III/104/15 @ 2316"
    assert begin(crowd, "combat ends", ALLIED).position.hex[number("8/3PG")] == at("2316")
    assert "8/3PG" in names(begin(crowd, "movement ends", GERMAN), "give up")


@rule("italy43", "12.1.5")
def test_a_stack_may_split_and_go_through_friends():
    match = driven("8/3PG, 29/3PG @ 2318; 7/3 @ 2319; 129/15 @ 2317", "8/3PG, 29/3PG")
    do(match, "retreat", "8/3PG", "2216")
    do(match, "retreat", "29/3PG", "2416")
    pos = match.position
    assert pos.hex[number("8/3PG")] == at("2216")
    assert pos.hex[number("29/3PG")] == at("2416")
    assert pos.disrupted == units("8/3PG, 29/3PG")


@rule("italy43", "12.2a")
@pytest.mark.parametrize("bonded", [False, True])
def test_a_unit_hemmed_in_by_enemies_or_their_bonds_is_eliminated(bonded: bool):
    ring = "7/3 @ 2317; 15/3 @ 2417; 30/3 @ 2418; 133/34 @ 2319; 135/34 @ 2218; 168/34 @ 2217"
    if bonded:
        ring = "7/3 @ 2317; 15/3 @ 2418; 30/3 @ 2218"
    match = driven(f"8/3PG @ 2318; {ring}", "8/3PG")
    assert told(match, "is eliminated") == ["8/3PG"]


@rule("italy43", "7.2b")
def test_a_retreat_never_goes_into_or_over_an_enemy_bond():
    # The bond of two units in 2216 and 2416 closes the side between 2317 and 2316.
    bonded = "8/3PG @ 2318; 7/3 @ 2319; 15/3 @ 2216; 30/3 @ 2416; 129/15 @ 2316"
    assert "2316" not in ends(bonded, "8/3PG")
    assert "2316" in ends(bonded.replace("@ 2416", "@ 2416 disrupted"), "8/3PG")
    match = driven("8/3PG @ 2318; 7/3 @ 2319; 15/3 @ 2116; 30/3 @ 2118", "8/3PG")
    assert refused(match, "retreat", "8/3PG", "2117").rule == "7.2b"


@rule("italy43", "12.2b", "12.2e")
def test_two_vacant_hexes_in_enemy_zones_one_after_the_other_destroy_a_unit():
    # Unit A of the second example; the third hex, 1818, would be free, and does not help.
    assert ends("8/3PG @ 1815; 7/3 @ 1917; 15/3 @ 1915; 30/3 @ 2018", "8/3PG") == set()


@rule("italy43", "12.2c")
def test_a_unit_does_not_come_back_to_a_hex_of_its_retreat():
    for path in ways("8/3PG @ 2318; 7/3 @ 2317; 15/3 @ 2319", "8/3PG", 4):
        assert len(set(path)) == len(path)
    # A pocket of one hex: the only way on would be back.
    pocket = "7/3 @ 1601 disrupted; 8/3PG @ 1702; 29/3PG @ 1501; 129/15 @ 1502; 71/29 @ 1603"
    assert ends(pocket, "7/3", 2) == set()


@rule("italy43", "12.2d")
def test_a_friend_who_has_not_retreated_lifts_the_enemy_zone_in_his_hex():
    counters = "8/3PG @ 2318; 7/3 @ 2319; 15/3 @ 2415; 30/3 @ 2215; 129/15 @ 2316"
    assert "2316" in ends(counters, "8/3PG")
    assert "2316" not in ends(counters, "8/3PG", retreated=units("129/15"))


@rule("italy43", "12.2e")
def test_a_third_hex_is_gone_if_the_second_is_in_an_enemy_zone():
    # Unit B of the second example: through its friend C, and one hex more.
    counters = "8/3PG @ 1815; 129/15 @ 1816; 7/3 @ 1917; 15/3 @ 1915; 30/3 @ 2018"
    assert ways(counters, "8/3PG") == [["1815", "1816", "1817", "1818"]]


@rule("italy43", "12.2f")
def test_an_own_entry_area_ends_a_retreat_at_once_and_no_other_edge_does():
    assert ways("7/3 @ 2529; 8/3PG @ 2528", "7/3", 4) == [["2529", "2530", "S1"]]
    # The coast is no way out, nor is an area of the enemy.
    assert all(end != "N2" for end in ends("7/3 @ 2401; 8/3PG @ 2402", "7/3"))
    assert ends("7/3 @ 1301; 8/3PG @ 1302; 29/3PG @ 1402; 129/15 @ 1401", "7/3") == set()


@rule("italy43", "21.3d")
def test_a_unit_that_comes_into_its_area_is_marked_there():
    match = driven("7/3 @ 2529; 8/3PG @ 2528", "7/3", 4)
    assert match.position.hex[number("7/3")] == at("S1")
    assert match.position.routed == units("7/3")
    match = driven("7/3 @ 2318; 8/3PG @ 2317", "7/3")
    assert refused(match, "retreat", "7/3", "N2").rule == "21.3d"


@rule("italy43", "5.8.2b")
def test_allies_do_not_survive_a_german_section_of_the_8th_army_zone():
    chased = "7/3 @ 4225; 8/3PG @ 4226; 29/3PG @ 4125"
    assert WAR.ground.sections["E1"] >> at("4224") & 1
    assert ends(chased, "7/3", turn=7) == set()
    assert ends(chased, "7/3", turn=8)


@rule("italy43", "12.2g")
def test_units_in_full_retreat_do_not_survive_a_city_of_the_enemy():
    counters = "8/3PG @ 2321; 7/3 @ 2322"
    routed = f"{counters.replace('2321', '2321 routed')}"
    assert any("2220" in path for path in ways(counters, "8/3PG", 4, control=mask("2220")))
    assert not any("2220" in path for path in ways(routed, "8/3PG", 4, control=mask("2220")))


@rule("italy43", "12.3.1a")
def test_vehicles_do_not_survive_major_rivers_without_a_bridge_nor_minor_ones_in_rain():
    assert "115 Pz/15" in WAR.names
    major = "{} @ 2116; 7/3 @ 2117; 15/3 @ 2017; 30/3 @ 2216; 133/34 @ 1917"
    assert ends(major.format("8/3PG"), "8/3PG") == {"2014", "2114", "2214"}
    # By land to the bridge of Cancello, and over it.
    assert ways(major.format("115 Pz/15"), "115 Pz/15") == [["2116", "2016", "2015"]]
    minor = "{} @ 2118; 7/3 @ 2019; 15/3 @ 2219"
    dry, wet = (
        {path[1] for path in ways(minor.format("115 Pz/15"), "115 Pz/15", weather=space)}
        for space in (0, RAIN)
    )
    assert "2117" in dry
    assert "2117" not in wet


@rule("italy43", "12.3.1b")
def test_rivers_do_not_hinder_others():
    counters = "8/3PG @ 2116; 7/3 @ 2117; 15/3 @ 2017; 30/3 @ 2216"
    assert ends(counters, "8/3PG", weather=RAIN)


@rule("italy43", "25.3c", "25.3e")
def test_a_pontoon_bridge_saves_vehicles_when_it_is_dry():
    counters = "115 Pz/15 @ 2116; 7/3 @ 2117; 15/3 @ 2017; 30/3 @ 2216; 133/34 @ 1917; 8/3PG @ 2115"
    assert ends(counters, "115 Pz/15") == {"2015"}
    assert ends(counters, "115 Pz/15", pontoons=True) == {"2014", "2114", "2214"}
    assert ends(counters, "115 Pz/15", pontoons=True, weather=RAIN) == {"2015"}


@rule("italy43", "12.3.2a", "12.3.2b")
def test_mountains_without_a_track_kill_vehicles_and_let_infantry_through():
    caught = "{} @ 1905; 7/3 @ 1906"
    assert ends(caught.format("115 Pz/15"), "115 Pz/15") == set()
    two_mountains = [path for path in ways(caught.format("129/15"), "129/15", 4) if len(path) > 2]
    assert ends(caught.format("129/15"), "129/15")
    assert any(path[1] == "1904" for path in two_mountains)


TWICE = "8/3PG, 129/15 @ 2318; 7/3 @ 2319"


@rule("italy43", "12.5b")
def test_a_unit_driven_back_twice_by_regular_combat_is_eliminated():
    match = driven(TWICE, "8/3PG, 129/15", retreated=units("8/3PG"))
    assert told(match, "is eliminated") == ["8/3PG"]
    assert names(match, "retreat") == {"129/15"}
    pos = table(TWICE, "combat", ALLIED, retreated=units("8/3PG"))
    assert c12_retreat.is_trapped(WAR, pos, number("8/3PG"), 2)
    assert not c12_retreat.is_trapped(WAR, pos, number("129/15"), 2)


@rule("italy43", "12.5c")
def test_but_not_by_breakthrough_combat():
    outer = ((at("2320"), units("7/3"), number("7/3"), 2, 0, 0),)
    match = driven(TWICE, "8/3PG, 129/15", retreated=units("8/3PG"), outer=outer)
    assert told(match, "is eliminated") == []


@rule("italy43", "S3.3.5b")
def test_the_garrison_of_naples_is_free_when_one_of_it_is_driven_out():
    counters = "504/82 @ 2123; 505/82 @ 2124; 325G/82 @ 2023; 8/3PG @ 2122"
    garrison = units("504/82, 505/82, 325G/82")
    match = driven(counters, "504/82", posted=garrison)
    assert match.position.posted == 0
    assert told(match, "is released") == ["504/82", "505/82", "325G/82"]


def test_the_first_example_of_the_book_a_has_one_way_by_c_and_b_has_four():
    # The picture is lost: this fits what the text says of A (8/3PG), B (29/3PG), C, D and E.
    friends = "129/15 @ 2417; I/104/15 @ 2018; II/104/15 @ 2419"
    enemies = "7/3 @ 2017; 15/3 @ 2117; 30/3 @ 2020; 133/34 @ 2321; 135/34 @ 2316; 168/34 @ 2517"
    counters = f"8/3PG @ 2319; 29/3PG @ 2219; {friends}; {enemies}"
    both = units("8/3PG, 29/3PG")
    assert ends(counters, "8/3PG", retreating=both) == {"2417"}
    assert ends(counters, "29/3PG", retreating=both) == {"2018", "2318", "2418", "2419"}


@rule("italy43", "12.1.1")
def test_the_owner_leads_a_retreat_by_the_way_he_likes_where_that_matters():
    # Through 2617, where the Allies lose control of it, or past it.
    for way, control in (("2617", 0), ("2517", mask("2617"))):
        match = driven("8/3PG @ 2518; 7/3 @ 2519", "8/3PG", control=mask("2617"))
        do(match, "retreat", "8/3PG", "2616")
        assert asked(match).side == GERMAN
        assert hexes(match, "by way of") == {"2517", "2617"}
        assert refused(match, "by way of", hex="2417").rule == "12.1.1"
        do(match, "by way of", hex=way)
        assert match.position.hex[number("8/3PG")] == at("2616")
        assert match.position.control == control
    match = driven("8/3PG @ 2518; 7/3 @ 2519", "8/3PG", control=0)
    do(match, "retreat", "8/3PG", "2616")
    assert match.position.hex[number("8/3PG")] == at("2616")  # nothing depends on the way


@rule("italy43", "13.3.2d")
def test_he_may_lead_it_past_enemies_in_full_retreat_or_next_to_them():
    match = driven("8/3PG @ 2318; 7/3 @ 2319; 15/3 @ 2518 routed", "8/3PG")
    do(match, "retreat", "8/3PG", "2416")
    assert hexes(match, "by way of") == {"2317", "2417"}
    do(match, "by way of", hex="2317")
    assert match.position.hex[number("15/3")] == at("2518")  # it was not met
