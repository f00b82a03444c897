"""Chapter 7: ZOC Bonds.

The pictures of the book are lost; these situations have the features that its captions tell of.
"""

import pytest

from apennine.games.italy43.rules.c07_bonds import bonds, is_barred
from apennine.games.italy43.table.position import GERMAN
from apennine.testing import rule
from tests.games.italy43.drawing import (
    ALLIED,
    WAR,
    at,
    codes,
    hex_bonds,
    hexside_bonds,
    march,
    table,
    tactical,
)

# In the plain between the Volturno and the canal: 2418 lies straight between 2417 and 2419, and the
# side 2318/2418 between 2319 and 2417.
STRAIGHT = "8/3PG @ 2417; 29/3PG @ 2419"
SLANTED = "8/3PG @ 2319; 29/3PG @ 2417"


@rule("italy43", "7.1a", "7.1b")
def test_two_units_two_hexes_apart_in_a_line_form_a_hex_bond():
    assert hex_bonds(STRAIGHT, GERMAN) == {"2418"}
    assert hexside_bonds(STRAIGHT, GERMAN) == set()


@rule("italy43", "7.1b")
def test_two_units_with_two_hexes_between_form_a_bond_along_their_side():
    assert hexside_bonds(SLANTED, GERMAN) == {"2318/2418"}
    assert hex_bonds(SLANTED, GERMAN) == set()


@rule("italy43", "7.1b")
@pytest.mark.parametrize(
    ("other", "hexes", "sides"),
    [
        ("2416", {"2417"}, set()),
        ("2518", set(), {"2418/2518"}),
        ("2619", {"2519"}, set()),
        ("2520", set(), {"2419/2519"}),
    ],
)
def test_all_around_a_unit_the_two_kinds_alternate(other: str, hexes: set[str], sides: set[str]):
    counters = f"8/3PG @ 2418; 29/3PG @ {other}"
    if other == "2518":  # next to it: no bond is needed
        assert hexside_bonds(counters, GERMAN) == hex_bonds(counters, GERMAN) == set()
        return
    assert hex_bonds(counters, GERMAN) == hexes
    assert hexside_bonds(counters, GERMAN) == sides


@rule("italy43", "7.1a")
def test_three_hexes_apart_there_is_none():
    far = "8/3PG @ 2417; 29/3PG @ 2420"
    assert hex_bonds(far, GERMAN) == hexside_bonds(far, GERMAN) == set()


@rule("italy43", "7.1c")
@pytest.mark.parametrize("unit", ["191 Tk", "601 TD", "3 ASU", "X ASU", "Hv How"])
def test_silhouetted_tanks_and_artillery_form_none(unit: str):
    assert hex_bonds(f"7/3 @ 2417; {unit} @ 2419", ALLIED) == set()
    assert hexside_bonds(f"7/3 @ 2417; {unit} @ 2319", ALLIED) == set()


@rule("italy43", "2.3.2d")
@pytest.mark.parametrize("unit", ["22/7", "11H/7", "131/7", "1 Rgr", "1SSF"])
def test_every_other_unit_does(unit: str):
    assert hex_bonds(f"7/3 @ 2417; {unit} @ 2419", ALLIED) == {"2418"}


@rule("italy43", "7.1d")
@pytest.mark.parametrize("state", ["disrupted", "routed"])
def test_units_not_in_good_order_form_none_unless_a_companion_does(state: str):
    assert hex_bonds(f"8/3PG @ 2417; 29/3PG @ 2419 {state}", GERMAN) == set()
    steady = f"8/3PG @ 2417; 29/3PG @ 2419 {state}; 103/3PG @ 2419"
    assert hex_bonds(steady, GERMAN) == {"2418"}


@rule("italy43", "8.6.1c")
@pytest.mark.parametrize("unit", ["7/3", "128/46", "4RTM/2", "1 Mot It"])
def test_all_nationalities_of_the_allies_form_bonds_with_each_other(unit: str):
    assert hex_bonds(f"{unit} @ 2417; 167/56 @ 2419", ALLIED) == {"2418"}
    assert hex_bonds(f"{unit} @ 2417; 5RTM/2 @ 2419", ALLIED) == {"2418"}


# Their effect on movement


@rule("italy43", "7.2a")
def test_no_enemy_enters_a_hex_bond():
    found = march(f"131/7 @ 2518; {STRAIGHT}", "131/7")
    assert "2418" not in codes(found.ends)
    assert "2418" in codes(march("131/7 @ 2518; 8/3PG @ 2417", "131/7").ends)


@rule("italy43", "7.2a", "5.4d")
def test_no_enemy_crosses_a_hexside_bond_tactically_or_otherwise():
    assert "2318" not in tactical(f"131/7 @ 2418; {SLANTED}", "131/7")
    assert "2318" in tactical("131/7 @ 2418; 8/3PG @ 2319", "131/7")
    found = march(f"131/7 @ 2418; {SLANTED}", "131/7")
    assert "2318" not in codes(found.ends)


@rule("italy43", "7.2a")
def test_own_bonds_hinder_nobody():
    assert "2418" in tactical("131/7 @ 2518; 7/3 @ 2417; 15/3 @ 2419", "131/7")


def test_a_step_is_barred_into_the_hex_or_over_the_side():
    lines = bonds(WAR, table(STRAIGHT), GERMAN)
    assert is_barred(lines, WAR, at("2518"), at("2418"))
    assert not is_barred(lines, WAR, at("2518"), at("2519"))
    lines = bonds(WAR, table(SLANTED), GERMAN)
    assert is_barred(lines, WAR, at("2418"), at("2318"))
    assert is_barred(lines, WAR, at("2318"), at("2418"))
    assert not is_barred(lines, WAR, at("2418"), at("2518"))


# Breaking them


@rule("italy43", "7.3a", "7.3c")
def test_a_hexside_bond_is_broken_while_enemies_stand_on_both_of_its_sides():
    assert hexside_bonds(f"{SLANTED}; 7/3 @ 2318", GERMAN) == {"2318/2418"}
    assert hexside_bonds(f"{SLANTED}; 7/3 @ 2418", GERMAN) == {"2318/2418"}
    assert hexside_bonds(f"{SLANTED}; 7/3 @ 2318; 15/3 @ 2418", GERMAN) == set()


@rule("italy43", "7.3b", "7.3c")
def test_a_hex_bond_is_broken_while_an_enemy_stands_in_it():
    assert hex_bonds(f"{STRAIGHT}; 7/3 @ 2418", GERMAN) == set()
    assert "2418" in tactical(f"15/3 @ 2518; {STRAIGHT}; 7/3 @ 2418", "15/3")


@rule("italy43", "7.3a")
def test_units_in_full_retreat_break_a_bond_too():
    assert hex_bonds(f"{STRAIGHT}; 7/3 @ 2418 routed", GERMAN) == set()


@rule("italy43", "7.4")
def test_intersecting_bonds_both_hold():
    crossed = f"{STRAIGHT}; 7/3 @ 2318; 15/3 @ 2519"
    assert hex_bonds(crossed, GERMAN) == hex_bonds(crossed, ALLIED) == {"2418"}
    assert "2418" not in tactical(f"{crossed}; 30/3 @ 2518", "30/3")


# Entry areas


@rule("italy43", "7.5a")
def test_a_unit_near_the_edge_forms_a_hexside_bond_with_its_entry_area():
    assert hexside_bonds("8/3PG @ 1702", GERMAN) == {"1601/1701", "1701/1801"}
    assert hexside_bonds("7/3 @ 2429", ALLIED) == {"2330/2430", "2430/2530"}


@rule("italy43", "7.5a")
def test_but_no_hex_bond():
    assert hex_bonds("8/3PG @ 1702; 29/3PG @ 1802", GERMAN) == set()


@rule("italy43", "7.5b")
def test_none_with_an_area_of_the_enemy_nor_with_a_neutral_edge():
    assert hexside_bonds("7/3 @ 1702", ALLIED) == set()
    assert hexside_bonds("8/3PG @ 2429", GERMAN) == set()
    assert hexside_bonds("7/3 @ 1815", ALLIED) == set()


@rule("italy43", "7.5a", "5.8.1b")
def test_east_areas_change_hands_with_their_sections():
    for turn, allied in ((7, False), (8, True)):
        found = hexside_bonds("7/3 @ 4218", ALLIED, turn=turn)
        assert bool(found) is allied
        assert bool(hexside_bonds("8/3PG @ 4218", GERMAN, turn=turn)) is not allied


# Terrain


@rule("italy43", "7.6.1a")
def test_no_hex_bond_runs_over_two_trackless_mountain_sides():
    assert hex_bonds("8/3PG @ 1906; 29/3PG @ 1904", GERMAN) == set()  # over 1905
    assert hex_bonds("8/3PG @ 1602; 29/3PG @ 1801", GERMAN) == {"1702"}  # over one of them


@rule("italy43", "7.6.1a")
def test_a_pass_counts_as_a_way():
    assert hex_bonds("8/3PG @ 2503; 29/3PG @ 2702", GERMAN) == {"2602"}  # a pass and a mountain


@rule("italy43", "7.6.1b")
def test_a_hexside_bond_is_pushed_to_the_side_where_it_holds():
    # From 1804 to 2004: over 1905 it would cross two trackless sides, over 1904 it crosses none.
    pair = "8/3PG @ 1804; 29/3PG @ 2004"
    assert hexside_bonds(pair, GERMAN) == {"1904/1905"}
    assert hexside_bonds(f"{pair}; 7/3 @ 1905", GERMAN) == {"1904/1905"}


@rule("italy43", "7.6.1b")
def test_but_never_into_a_hex_with_an_enemy():
    assert hexside_bonds("8/3PG @ 1804; 29/3PG @ 2004; 7/3 @ 1904", GERMAN) == set()


@rule("italy43", "7.6.1b")
def test_with_two_trackless_sides_either_way_there_is_none():
    assert hexside_bonds("8/3PG @ 1805; 29/3PG @ 2005", GERMAN) == set()


@rule("italy43", "7.6.1c")
def test_vehicles_need_a_road_over_any_mountain_and_a_pass_is_not_enough():
    assert hex_bonds("22/7 @ 1602; 7/3 @ 1801", ALLIED) == set()  # one trackless side
    assert hex_bonds("22/7 @ 1703; 7/3 @ 1902", ALLIED) == set()  # one pass
    assert hex_bonds("7/3 @ 1703; 15/3 @ 1902", ALLIED) == {"1802"}
    assert hex_bonds("22/7 @ 2004; 11H/7 @ 2205", ALLIED) == {"2105"}  # one road


@rule("italy43", "7.6.1c")
def test_infantry_stacked_with_a_vehicle_forms_the_bond_itself():
    assert hex_bonds("22/7, 1 Rgr @ 1602; 7/3 @ 1801", ALLIED) == {"1702"}
    assert hex_bonds("22/7 @ 1602; 1 Rgr @ 1602 disrupted; 7/3 @ 1801", ALLIED) == set()


@rule("italy43", "7.6.3")
@pytest.mark.parametrize(
    ("one", "other", "between", "holds"),
    [
        ("2407", "2405", "2406", False),  # two major rivers
        ("2917", "2919", "2918", True),  # one
        ("2017", "2015", "2016", True),  # one major, one minor
        ("2305", "2506", "2405", True),  # two minor
    ],
)
def test_only_two_major_rivers_stop_a_bond(one: str, other: str, between: str, holds: bool):
    assert (between in hex_bonds(f"7/3 @ {one}; 15/3 @ {other}", ALLIED)) is holds


@rule("italy43", "7.6.2")
def test_no_bond_is_anchored_on_the_coast_or_crosses_the_sea():
    assert hexside_bonds("7/3 @ 1815", ALLIED) == hex_bonds("7/3 @ 1815", ALLIED) == set()
    assert hex_bonds("7/3 @ 1506; 15/3 @ 1706", ALLIED) == set()


@rule("italy43", "7.2a")
def test_a_hexside_bond_is_crossed_from_neither_side():
    assert "2418" not in tactical(f"131/7 @ 2318; {SLANTED}", "131/7")
    assert "2318" not in tactical(f"131/7 @ 2418; {SLANTED}", "131/7")


@rule("italy43", "7.1d")
def test_infantry_in_good_order_forms_the_bond_beside_infantry_that_is_not():
    pair = "1 Rgr @ 1602; 3 Rgr @ 1602 disrupted; 7/3 @ 1801"  # over a trackless side
    assert hex_bonds(pair, ALLIED) == {"1702"}
