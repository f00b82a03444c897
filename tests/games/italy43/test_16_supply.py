"""Chapter 16: supply and isolation."""

from typing import Any

import pytest

from apennine.games.italy43.rules.c16_supply import (
    attrition_modifier,
    connected_hexes,
    supplied_hexes,
    supplied_units,
)
from apennine.games.italy43.table.position import ALLIED, DEAD, GERMAN, LOST, Table
from apennine.kernel.decision import Choice, Roll
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.italy43.drawing import (
    CLEAR,
    CLOUDY,
    GAME,
    WAR,
    begin,
    codes,
    mask,
    names,
    number,
    table,
    told,
    units,
)

ALL = -1
"""Control of everything."""
NAPLES = "2023 2123 2124"
ROADS_CUT = "8/3PG @ 1922; 29/3PG @ 1919; 15/29 @ 1920"
"""Germans whose zones cut the roads west of Naples: from 1721 it is five hexes to an open one."""


def fed(counters: str, side: int = ALLIED, mountain: bool = False, **fields: Any) -> set[str]:
    """The hexes from which a Line of Supply leads to a source."""
    given: dict[str, Any] = {"control": ALL if side == ALLIED else 0}
    pos = table(counters, side=side, **given | fields)
    return codes(supplied_hexes(WAR, pos, side, mountain))


def reached(counters: str, side: int = ALLIED, **fields: Any) -> set[str]:
    """The hexes with a Line of Communications."""
    given: dict[str, Any] = {"control": ALL if side == ALLIED else 0}
    return codes(connected_hexes(WAR, table(counters, side=side, **given | fields), side))


# Sources


@rule("italy43", "16.2.1")
def test_german_supply_comes_from_the_north_and_from_friendly_areas_in_the_east():
    assert {"2001", "2518", "1706"} <= fed("8/3PG @ 2518", GERMAN)
    assert "4326" in fed("26/26 @ 4326", GERMAN, turn=7)
    assert "4326" not in fed("26/26 @ 4326", GERMAN, turn=8)


SOUTH_CUT = "7/3 @ 2120; 8/3PG @ 2226; 29/3PG @ 2424; 15/29 @ 2722"


@rule("italy43", "16.2.2")
def test_allied_supply_comes_from_naples_and_the_south():
    assert "2120" in fed(SOUTH_CUT, control=mask(NAPLES))
    assert "2120" not in fed(SOUTH_CUT, control=0)
    assert {"2430", "3030"} <= fed(SOUTH_CUT, control=0)


@rule("italy43", "16.2.2", "5.8.2d")
def test_and_from_the_east_once_the_8th_army_is_there():
    assert "4321" not in fed("7/3 @ 3926", turn=7)
    assert "4321" in fed("7/3 @ 3926", turn=8)


@rule("italy43", "5.8.3")
def test_german_lines_run_through_friendly_sections_only():
    assert "4118" in fed("8/3PG @ 4118", GERMAN, turn=7)
    assert "4118" not in fed("8/3PG @ 4118", GERMAN, turn=8)


# The overland part


@rule("italy43", "16.3.2a", "16.3.1")
def test_it_has_five_hexes_at_most():
    assert "1721" in fed(ROADS_CUT)
    assert "1720" not in fed(ROADS_CUT)


@rule("italy43", "16.3.2a")
def test_an_area_entered_off_the_road_is_one_of_them():
    # From 1506 it is five hexes to the edge of the map, and the area would be the sixth.
    enemies = "7/3 @ 1805; 15/3 @ 1902; 30/3 @ 1401; 141/36 @ 3108"
    assert "1506" not in fed(f"{enemies}; 8/3PG @ 1506", GERMAN)


@rule("italy43", "16.3.2b")
def test_a_marsh_counts_as_two():
    # From 1917 every way leads through 1817, 1818 or 1918.
    assert "1917" not in fed("8/3PG @ 1920; 29/3PG @ 1916; 15/29 @ 2017")


@rule("italy43", "16.3.2c", "16.3.2f")
def test_it_crosses_mountains_by_roads_and_passes_only():
    assert {"1905", "3512"} & fed("7/3 @ 2418") == set()
    assert "3312" in fed("7/3 @ 2418")  # a pass leads there
    assert "1905" in reached("7/3 @ 2418")
    assert "3101" not in fed("8/3PG @ 2518", GERMAN)  # beside an entry area


@rule("italy43", "19.3d")
def test_mountain_units_trace_over_one_mountain_side():
    assert "1905" in fed("1SSF @ 1905", mountain=True)
    counters = "1SSF, 7/3 @ 1905"
    pos = table(counters, control=ALL)
    assert supplied_units(WAR, pos, ALLIED) == units("1SSF")
    assert not supplied_units(WAR, table("1SSF @ 1905 steps=1", control=ALL), ALLIED)


@rule("italy43", "16.3.2d", "7.2d")
def test_it_enters_no_enemy_bond():
    # 1915 has a way to the south only through the bond of 1914 and 1916.
    assert "1915" not in fed("8/3PG @ 1916; 29/3PG @ 2014; 15/29 @ 1914")
    assert "1915" in fed("8/3PG @ 1916 disrupted; 29/3PG @ 2014; 15/29 @ 1914")


@rule("italy43", "16.3.2e")
def test_it_enters_no_two_zone_hexes_one_after_the_other_unless_a_friend_is_there():
    counters = "8/3PG @ 1819; 29/3PG @ 1922"
    assert "1720" not in fed(counters)
    assert "1720" in fed(f"{counters}; 7/3 @ 1820")


# The road part


@rule("italy43", "16.3.3b")
def test_a_road_in_an_enemy_zone_is_no_part_of_it_unless_a_friend_is_there():
    assert WAR.ground.road_hexes & mask("1822")
    assert "1720" not in fed(f"{ROADS_CUT}; 7/3 @ 1720")
    assert "1720" in fed(f"{ROADS_CUT}; 7/3 @ 1720; 15/3 @ 1822")


@rule("italy43", "16.3.3a", "16.3.3c")
def test_roads_run_any_distance_but_through_no_enemy_city_or_place_with_points():
    assert "1301" in fed("7/3 @ 1301")  # the other corner of the map
    # The two roads there lead through Formia and Cassino.
    assert "1301" in fed("7/3 @ 1301", control=~mask("1706"))
    assert "1301" not in fed("7/3 @ 1301", control=~mask("1706 2504"))


@rule("italy43", "16.3.4b")
def test_no_line_runs_through_a_vacant_enemy_city():
    assert "1721" in fed(ROADS_CUT)
    assert "1721" not in fed(ROADS_CUT, control=~mask("1722"))  # Pozzuoli


@rule("italy43", "18.2.1b", "18.2.2c")
def test_completed_forts_block_allied_lines_and_works_do_not():
    way = mask("1722 1822 1821 1720 1820")
    assert "1721" in fed(ROADS_CUT)
    assert "1721" not in fed(ROADS_CUT, forts=way)
    assert "1721" in fed(ROADS_CUT, works=way)


# Markers


def supply(counters: str, side: int = ALLIED, **fields: Any) -> Match[Table]:
    given: dict[str, Any] = {"control": ALL if side == ALLIED else 0}
    return begin(counters, "supply", side, **given | fields)


@rule("italy43", "16.1a")
def test_who_cannot_trace_a_line_is_out_of_supply():
    match = supply(f"{ROADS_CUT}; 7/3 @ 1720; 15/3 @ 2126")
    assert match.position.hungry == units("7/3")
    assert not match.position.isolated
    assert told(match, "is out of supply") == ["7/3"]


@rule("italy43", "16.1b")
def test_who_can_again_loses_his_marker_and_the_enemy_keeps_his():
    match = supply("7/3 @ 2126 hungry isolated; 8/3PG @ 1905 hungry")
    assert match.position.hungry == units("8/3PG")
    assert not match.position.isolated


CUT = "8/3PG @ 1916; 29/3PG @ 2014; 15/29 @ 1914; 7/3 @ 1915"
"""A unit in a ring of enemies and their bonds."""


@rule("italy43", "16.5.1a", "16.5.1b")
def test_who_has_no_line_of_any_length_is_isolated():
    match = supply(CUT)
    assert match.position.hungry == match.position.isolated == units("7/3")
    assert "1905" in reached("7/3 @ 1905")  # over one mountain side beside it
    assert "1720" in reached(ROADS_CUT)  # however long


# Attrition


def rolled(counters: str, *dice: int, **fields: Any) -> Match[Table]:
    """The supply phase of the Allies with these attrition dice, in cloudy weather."""
    given: dict[str, Any] = {"control": 0, "weather": CLOUDY} | fields
    match = Match(GAME, position=table(counters, "supply", **given), dice_by_hand=True)
    for die in dice:
        assert asks_attrition(match)
        match.roll(die)
    assert not asks_attrition(match)
    return match


def asks_attrition(match: Match[Table]) -> bool:
    return isinstance(match.decision, Roll) and match.decision.rule == "16.5.4"


@rule("italy43", "16.5.2b")
def test_nobody_rolls_in_the_phase_in_which_he_is_cut_off():
    match = rolled(CUT)
    assert match.position.isolated == units("7/3")
    assert match.position.steps[number("7/3")] == 3


@rule("italy43", "16.5.2a", "16.5.3")
@pytest.mark.parametrize(("die", "steps"), [(1, 2), (4, 2), (5, 3), (6, 3)])
def test_afterwards_a_die_of_1_to_4_costs_a_step(die: int, steps: int):
    match = rolled(f"{CUT} hungry isolated", die)
    assert match.position.steps[number("7/3")] == steps


@rule("italy43", "16.5.2a")
def test_isolated_units_away_from_the_enemy_do_not_roll():
    ring = "8/3PG @ 2416; 29/3PG @ 2617; 103/3PG @ 2619; 15/29 @ 2420; 71/29 @ 2219; 131/44 @ 2217"
    match = rolled(f"{ring}; 7/3 @ 2418 hungry isolated")
    assert match.position.isolated == units("7/3")


@rule("italy43", "16.5.4")
def test_each_unit_of_a_stack_rolls_and_may_lose_its_last_step():
    ring = "8/3PG @ 1916; 29/3PG @ 2014; 15/29 @ 1914"
    match = rolled(f"{ring}; 7/3, 9 Cdo @ 1915 hungry isolated", 6, 1)
    assert match.position.steps[number("7/3")] == 3
    assert match.position.steps[number("9 Cdo")] == 0


@rule("italy43", "16.5.6")
def test_who_dies_so_is_never_replaced():
    ring = "8/3PG @ 1916; 29/3PG @ 2014; 15/29 @ 1914"
    match = rolled(f"{ring}; 9 Cdo @ 1915 hungry isolated", 1)
    assert match.position.hex[number("9 Cdo")] == DEAD


@rule("italy43", "16.5.5a")
def test_a_city_or_corps_artillery_within_reach_adds_two():
    def modifier(counters: str, **fields: Any) -> int:
        given: dict[str, Any] = {"control": 0, "weather": CLOUDY} | fields
        return attrition_modifier(WAR, table(counters, **given), number("7/3"))

    assert modifier(CUT) == 0
    assert modifier(f"{CUT}; X ASU @ 1915") == 2
    assert modifier(f"{CUT}; 3 ASU @ 1915") == 0  # a division's
    assert modifier("7/3 @ 2518", control=mask("2518")) == 2
    assert modifier("7/3, X ASU @ 2518", control=mask("2518")) == 2


@rule("italy43", "16.5.5b")
def test_clear_weather_adds_one_for_the_allies():
    for weather, more in ((CLEAR, 1), (CLEAR + 1, 1), (CLOUDY, 0)):
        pos = table(f"{CUT}; 129/15 @ 2518", control=mask("2518"), weather=weather)
        assert attrition_modifier(WAR, pos, number("7/3")) == more
        assert attrition_modifier(WAR, table("129/15 @ 2512", control=-1), number("129/15")) == 0


@rule("italy43", "16.5.2c")
def test_isolated_artillery_dies_unless_it_reaches_other_units():
    ring = "8/3PG @ 1916; 29/3PG @ 2014; 15/29 @ 1914"
    match = rolled(f"{ring}; 3 ASU @ 1915")
    assert match.position.hex[number("3 ASU")] == LOST
    match = rolled(f"{ring}; 3 ASU, 7/3 @ 1915")
    assert match.position.hex[number("3 ASU")] != LOST
    match = rolled(f"{ring}; 3 ASU, 7/3 @ 1915 hungry isolated", 6)
    assert match.position.hex[number("3 ASU")] != LOST


@rule("italy43", "3.0B5")
def test_the_supply_phase_judges_then_rolls_then_readies():
    ring = "8/3PG @ 1916; 29/3PG @ 2014; 15/29 @ 1914"
    cut = f"{ring}; 7/3 @ 1915 hungry isolated; 3 ASU @ 2124; 15/3 @ 2123 hungry"
    pos = table(cut, "supply", control=mask(NAPLES), weather=CLOUDY, supply=[1, 0])
    match = Match(GAME, position=pos, dice_by_hand=True)
    assert asks_attrition(match)
    assert match.position.hungry == units("7/3")  # 15/3 is in supply again
    assert not isinstance(match.decision, Choice)
    match.roll(6)
    assert names(match, "ready") == {"3 ASU"}


@rule("italy43", "18.2.1b")
def test_german_forts_do_not_block_german_lines():
    assert fed("8/3PG @ 2318", GERMAN) == fed("8/3PG @ 2318", GERMAN, forts=mask("2317 2217 2417"))
