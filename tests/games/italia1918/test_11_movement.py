"""Chapter 11: movement of combat units, on every kind of ground."""

import pytest

from apennine.games.italia1918.rules.c09_supply import supplied
from apennine.games.italia1918.rules.c11_movement import movement_begins, movement_phase
from apennine.games.italia1918.table.position import ENTENTE, LOST, POOR
from apennine.hexes import NO_SIDES
from apennine.testing import rule
from tests.games.italia1918.drawing import (
    WAR,
    at,
    codes,
    do,
    hexes,
    mask,
    names,
    number,
    play,
    price,
    reach,
    refused,
    table,
    told,
    units,
)
from tests.games.italia1918.moving import halt, moving


def step(pace: str, start: str, end: str, dug: int = 0, broken: int = 0, dry: bool = True) -> float:
    """What one step costs units of a pace, in points; -1 if there is none."""
    costs = WAR.costs(pace, False, dry, dug, broken, NO_SIDES)
    steps = costs.to_hex(at(end))
    prices = [p for p, _, first, before in steps if before >> at(start) & 1 and not first]
    return min(prices, default=-WAR.scale) / WAR.scale


# Ground


@rule("italia1918", "11.1.1c", "11.1.1d")
def test_a_cratered_wood_over_a_minor_river_costs_4():
    assert step("ordinary", "E2625", "E2626") == 3
    assert step("ordinary", "E2625", "E2626", dug=mask("E2626")) == 4


@rule("italia1918", "2.1b", "11.1.1c")
def test_trenches_and_craters_add_one_and_not_two():
    assert step("ordinary", "W0503", "W0603") == 1
    assert step("ordinary", "W0503", "W0603", dug=mask("W0603")) == 2
    theatre = WAR.theatres[5]
    both = WAR.ground.craters & theatre.trench_hexes
    assert both >> at("W2023") & 1
    assert step("ordinary", "W1923", "W2023", dug=theatre.dug) == 3  # mountain 2, dug 1


@pytest.mark.parametrize(
    ("start", "end", "ordinary", "mountain", "wheels"),
    [
        ("W0503", "W0603", 1, 1, 1),
        ("W0415", "W0516", 2, 2, 2),
        ("W0504", "W0604", 2, 1, 2),
        ("W2110", "W2210", 4, 2, -1),
        ("W0131", "W0132", 3, 3, 3),
        ("W1216", "W1317", 1, 1, 1),
    ],
)
def test_the_terrain_chart(start: str, end: str, ordinary: float, mountain: float, wheels: float):
    paces = [step(pace, start, end) for pace in ("ordinary", "mountain", "wheels")]
    assert paces == [ordinary, mountain, wheels]


def test_a_crest_costs_more_uphill():
    up = [step(pace, "W1812", "W1913") for pace in ("ordinary", "mountain", "wheels")]
    assert up == [3, 1, 4]
    assert step("ordinary", "W1913", "W1812") == 2


@rule("italia1918", "11.1.3a")
def test_a_road_costs_one_whatever_lies_on_it():
    assert step("ordinary", "W1414", "W1515") == 1
    assert WAR.ground.mountains >> at("W1515") & 1
    assert step("wheels", "E1605", "E1606") == 1  # over the bridge of Motta


@rule("italia1918", "11.1.3d", "10.0d")
def test_minor_roads_are_roads_in_fair_weather_alone():
    assert step("ordinary", "W0610", "W0711") == 1
    assert step("ordinary", "W0610", "W0711", dry=False) > 1
    assert price("22 DF @ W0610", "22 DF", "W0711", side=ENTENTE) == 1
    assert price("22 DF @ W0610", "22 DF", "W0711", side=ENTENTE, weather=POOR) > 1


@rule("italia1918", "11.1.3b")
def test_roads_that_meet_in_a_town_are_joined():
    assert step("ordinary", "W1134", "W1234") == 1
    found = reach(table("22 DF @ W1134", ENTENTE), "22 DF")
    assert found.cost(at("W1335")) / WAR.scale == 2  # through Treviso


@rule("italia1918", "11.1.3e")
def test_the_bridge_of_a_minor_road_stands_in_poor_weather():
    assert step("wheels", "W0936", "W0937", dry=False) == 1


# Rivers


@rule("italia1918", "11.2.3c", "11.2.3a")
def test_rivers_by_bridge():
    assert step("ordinary", "W0613", "W0714") == 2  # a minor one without
    assert step("ordinary", "W0837", "W0938") in (1, 3)  # by rail, clear or marsh, nothing more
    assert step("ordinary", "E1605", "E1606") == 1  # a major one, by road


@rule("italia1918", "11.1.4d", "11.2.3a")
def test_a_railway_bridge_over_a_major_river_costs_one_more():
    assert step("ordinary", "E1406", "E1407") == 2
    assert step("ordinary", "W1022", "W1123") == 2


@rule("italia1918", "11.2.3b")
def test_an_unbridged_major_river_takes_the_whole_allowance_from_beside_it():
    pos = table("22 DF @ W1221", ENTENTE)
    found = reach(pos, "22 DF")
    assert found.cost(at("W1322")) == found.points
    farther = table("22 DF @ W1220", ENTENTE)
    assert not reach(farther, "22 DF").ends >> at("W1322") & 1
    match = moving("22 DF @ W1221", ENTENTE)
    do(match, "move", "22 DF")
    do(match, "go", "22 DF", "W1322")
    assert match.position.left == 0
    assert hexes(match, "go") == set()


# The allowance


@rule("italia1918", "11.1.1a")
def test_units_move_within_their_allowance():
    match = moving("4 ID @ E2310")
    do(match, "move", "4 ID")
    assert all(WAR.lattice.distance(at("E2310"), at(hex)) <= 4 for hex in hexes(match, "go"))
    assert refused(match, "go", "4 ID", "E2320").rule == "11.1.1a"
    halt(match, "4 ID")
    assert names(match, "move") == {"Geb 12"}


@rule("italia1918", "11.1.1f")
def test_points_are_not_kept():
    match = moving("4 ID @ E2310")
    do(match, "move", "4 ID")
    do(match, "go", "4 ID", "E2311")
    halt(match, "4 ID")
    assert refused(match, "move", "4 ID").rule == "11.1.1a"


@rule("italia1918", "11.1.1b")
def test_a_stack_begins_together_and_goes_at_the_rate_of_the_slowest():
    match = moving("4 ID, 3 ID/216 @ E2310; 13 SchD @ E2410")
    do(match, "move", "3 ID/216")
    assert match.position.left == 5 * WAR.scale
    assert refused(match, "take along", "13 SchD").rule == "11.1.1b"
    do(match, "take along", "4 ID")
    assert match.position.left == 4 * WAR.scale
    do(match, "go", hex="E2311")
    assert match.position.hex[number("4 ID")] == match.position.hex[number("3 ID/216")]


@rule("italia1918", "11.1.1e")
def test_friends_are_passed_for_nothing():
    alone = price("4 ID @ E2310", "4 ID", "E2513")
    assert price("4 ID @ E2310; 13 SchD, 3 ID/216 @ E2411; 33 ID @ E2412", "4 ID", "E2513") == alone


@rule("italia1918", "11.1.1g")
def test_nobody_enters_a_hex_of_the_enemy():
    match = moving("4 ID @ E2310; 22 DF @ E2313")
    do(match, "move", "4 ID")
    assert refused(match, "go", "4 ID", "E2313").rule == "11.1.1g"


@rule("italia1918", "11.1.2a")
def test_one_hex_is_always_possible():
    pos = table("12 rtSchD @ W2110", disorganized=units("12 rtSchD"))
    assert reach(pos, "12 rtSchD").ends >> at("W2210") & 1  # high mountain, 4 points of 2
    barred = table("CArt II K @ W2110")
    assert not reach(barred, "CArt II K").ends >> at("W2210") & 1


@rule("italia1918", "12.5b", "12.5h")
@pytest.mark.parametrize("state", ["disorganized", "reorganizing"])
def test_disorganized_units_have_half_rounded_down(state: str):
    match = moving(f"3 ID/216 @ E2310 {state}")
    do(match, "move", "3 ID/216")
    assert match.position.left == 2 * WAR.scale


@rule("italia1918", "11.4a")
def test_retreat_mode_gives_two_points_more():
    match = moving("22 DF @ E2310 fleeing", ENTENTE, scenario="caporetto")
    do(match, "move", "22 DF")
    assert match.position.left == 6 * WAR.scale


@rule("italia1918", "11.4e", "11.4i")
def test_in_retreat_mode_one_must_go_towards_a_source():
    match = moving("22 DF @ E2312 fleeing; 37 DF @ E2512", ENTENTE, scenario="caporetto")
    assert refused(match, "end movement").rule == "11.4e"
    do(match, "move", "22 DF")
    assert refused(match, "go", "22 DF", "E2313").rule == "11.4e"
    assert "E2311" in hexes(match, "go")
    do(match, "go", "22 DF", "E2311")
    halt(match, "22 DF")
    do(match, "end movement")
    held = moving("22 DF @ E2316 fleeing; 4 ID @ E2317", ENTENTE, scenario="caporetto")
    do(held, "end movement")  # alone in an enemy zone, it cannot go


@rule("italia1918", "9.2c", "SOP.c", "SOP.d")
def test_a_unit_out_of_supply_goes_back_by_the_quickest_way():
    out = "22 DF @ E2318 hungry; HQ II Armata @ {staff}; 4 ID @ E2520"
    match = moving(out.format(staff="E2707"), ENTENTE, scenario="caporetto")
    do(match, "move", "22 DF")
    fed = supplied(WAR, match.position, ENTENTE)
    reached = hexes(match, "go")
    found = reach(match.position, "22 DF").ends
    assert found & fed
    assert reached == codes(found & fed)


@rule("italia1918", "SC.b", "S2.A")
def test_nobody_leaves_the_playing_area():
    match = moving("22 DF @ W1013", ENTENTE, scenario="radetzky")
    do(match, "move", "22 DF")
    assert refused(match, "go", "22 DF", "W1012").rule == "SC.b"
    assert "W1014" in hexes(match, "go")


# Zones of control


@rule("italia1918", "11.2.1a")
def test_one_stops_in_an_enemy_zone_even_beside_a_friend():
    match = moving("4 ID @ E2308; 13 SchD @ E2310; 22 DF @ E2312")
    do(match, "move", "4 ID")
    assert "E2310" in hexes(match, "go")
    assert not {"E2312", "E2313"} & hexes(match, "go")  # nobody goes on beyond E2311
    do(match, "go", "4 ID", "E2311")
    assert not match.position.movers  # it has stopped
    friend = moving("4 ID @ E2309; 13 SchD @ E2311; 22 DF @ E2312")
    do(friend, "move", "4 ID")
    do(friend, "go", "4 ID", "E2311")
    assert not friend.position.movers
    assert friend.position.left > 0


@rule("italia1918", "11.2.1b")
def test_no_move_leads_from_one_enemy_zone_to_another():
    around = "22 DF @ E2312; 37 DF @ E2210; 4 DF @ E2511"
    match = moving(f"4 ID, 3 ID/216 @ E2311; {around}")
    do(match, "move", "4 ID")
    assert hexes(match, "go") == set()
    assert refused(match, "go", "4 ID", "E2410").rule == "11.2.1b"


@rule("italia1918", "11.2.1c")
def test_zones_cost_nothing_to_enter_or_to_leave():
    alone = price("4 ID @ E2309", "4 ID", "E2311")
    assert price("4 ID @ E2309; 22 DF @ E2312", "4 ID", "E2311") == alone
    out = price("4 ID, 13 SchD @ E2311", "4 ID", "E2309")
    assert price("4 ID, 13 SchD @ E2311; 22 DF @ E2312", "4 ID", "E2309") == out


# Relief


@rule("italia1918", "11.2.2a")
def test_a_unit_alone_in_an_enemy_zone_stays():
    match = moving("4 ID, CArt II K @ E2311; 22 DF @ E2312")
    do(match, "move", "4 ID")
    assert refused(match, "go", "4 ID", "E2310").rule == "11.2.2a"


@rule("italia1918", "11.2.2a", "11.2.2b")
def test_a_relief_sets_it_free_and_stops_there():
    match = moving("4 ID @ E2311; 13 SchD @ E2309; 22 DF @ E2312")
    do(match, "relieve", "4 ID")
    do(match, "move", "13 SchD")
    do(match, "go", "13 SchD", "E2311")
    assert not match.position.movers  # it stops
    do(match, "move", "4 ID")
    assert match.position.left == 4 * WAR.scale
    assert "E2309" in hexes(match, "go")


@rule("italia1918", "11.2.2c")
def test_reliefs_are_announced_before_anything_else_moves():
    match = moving("4 ID, CArt II K @ E2311; 13 SchD @ E2309; 33 ID @ E2509; 22 DF @ E2312")
    do(match, "move", "33 ID")
    do(match, "go", "33 ID", "E2508")
    halt(match, "33 ID")
    assert refused(match, "relieve", "4 ID").rule == "11.2.2c"
    do(match, "move", "13 SchD")
    do(match, "go", "13 SchD", "E2311")
    halt(match, "13 SchD")
    do(match, "move", "4 ID")
    assert refused(match, "go", "4 ID", "E2310").rule == "11.2.2a"


@rule("italia1918", "11.2.2d")
def test_of_a_stack_one_unit_stays():
    match = moving("4 ID, 3 ID/216, CArt II K @ E2311; 22 DF @ E2312")
    do(match, "move", "4 ID")
    do(match, "go", "4 ID", "E2310")
    halt(match, "4 ID")
    do(match, "move", "3 ID/216")
    assert refused(match, "go", "3 ID/216", "E2310").rule == "11.2.2d"


@rule("italia1918", "11.2.2e")
def test_a_detachment_holds_the_hex_and_a_support_does_not():
    match = moving("4 ID, Geb 1 @ E2311; 22 DF @ E2312")
    do(match, "move", "4 ID")
    assert hexes(match, "go")
    guns = moving("4 ID, CArt II K @ E2311; 22 DF @ E2312")
    do(guns, "move", "4 ID")
    assert refused(guns, "go", "4 ID", "E2310").rule == "11.2.2a"


@rule("italia1918", "11.2.2g")
def test_arditi_do_not_lead_from_one_enemy_zone_to_another():
    around = "4 ID @ E2312; 13 SchD @ E2210; 33 ID @ E2511"
    pos = table(
        f"22 DF, Arditi 1, CArt I CdA @ E2311; {around}", ENTENTE, hosts={"Arditi 1": "22 DF"}
    )
    match = play(pos, movement_begins, movement_phase)
    do(match, "move", "22 DF")
    do(match, "give up to cover", "Arditi 1")
    assert refused(match, "go", "22 DF", "E2410").rule == "11.2.1b"


@rule("italia1918", "11.2.2f")
def test_arditi_cover_italians_who_leave():
    pos = table("22 DF, Arditi 1 @ E2311; 4 ID @ E2312", ENTENTE, hosts={"Arditi 1": "22 DF"})
    match = play(pos, movement_begins, movement_phase)
    do(match, "move", "22 DF")
    assert refused(match, "go", "22 DF", "E2310").rule == "11.2.2a"
    do(match, "give up to cover", "Arditi 1")
    assert told(match, "is eliminated") == ["Arditi 1"]
    do(match, "go", "22 DF", "E2310")


# Forced marches


@rule("italia1918", "11.2.6a")
def test_a_forced_march_doubles_the_allowance_along_roads():
    match = moving("4 ID @ E2312")
    do(match, "move", "4 ID")
    do(match, "force the march")
    assert match.position.left == 8 * WAR.scale
    ways = hexes(match, "go")
    assert ways
    assert mask(" ".join(ways)) & ~WAR.ground.roaded == 0
    assert refused(match, "go", "4 ID", "E2412").rule in ("11.2.6a", "11.1.1a")


@rule("italia1918", "11.2.6a", "11.2.6d")
def test_who_makes_no_forced_march():
    near = moving("4 ID @ E2312; CArt I CdA @ E2314")
    do(near, "move", "4 ID")
    assert refused(near, "force the march").rule == "11.2.6a"
    guns = moving("CArt II K @ E2312")
    do(guns, "move", "CArt II K")
    assert refused(guns, "force the march").rule == "11.2.6a"
    tired = moving("4 ID @ E2312 reorganizing")
    do(tired, "move", "4 ID")
    assert refused(tired, "force the march").rule == "11.2.6d"


@rule("italia1918", "11.2.6b")
@pytest.mark.parametrize("offensive", [True, False])
def test_a_forced_march_tires_while_an_offensive_goes_on(offensive: bool):
    match = moving("4 ID @ E2312", offensive=offensive)
    do(match, "move", "4 ID")
    do(match, "force the march")
    do(match, "go", hex=sorted(hexes(match, "go"))[0])
    halt(match, "4 ID")
    assert bool(match.position.disorganized) == offensive


# Control and depots


@rule("italia1918", "S0.V6")
def test_a_combat_unit_takes_control_of_what_it_passes():
    match = moving("22 DF @ E2308", ENTENTE, control=-1)
    do(match, "move", "22 DF")
    do(match, "go", "22 DF", "E2311")
    assert not match.position.control >> at("E2311") & 1
    assert not match.position.control >> at("E2310") & 1
    assert match.position.control >> at("E2312") & 1
    guns = moving("CArt I CdA @ E2308", ENTENTE, control=-1)
    do(guns, "move", "CArt I CdA")
    do(guns, "go", "CArt I CdA", "E2309")
    assert guns.position.control >> at("E2309") & 1


@rule("italia1918", "15.5.2a", "15.5.2b")
def test_a_depot_alone_is_captured_by_who_enters():
    match = moving("AlpK Leib @ E2718; Depot Udine @ E2720", scenario="caporetto")
    do(match, "move", "AlpK Leib")
    do(match, "go", "AlpK Leib", "E2720")
    pos = match.position
    assert pos.hex[number("Depot Udine")] == LOST
    assert pos.points == [2, 0]
    assert not pos.movers
    assert pos.left > 0
    assert not pos.disorganized


@rule("italia1918", "15.5.2c", "15.5.2d")
def test_austrians_plunder_a_depot_and_germans_do_not():
    match = moving("4 ID @ E2718; Depot Udine @ E2720", scenario="caporetto")
    do(match, "move", "4 ID")
    do(match, "go", "4 ID", "E2720")
    assert match.position.disorganized == units("4 ID")


@rule("italia1918", "15.5.2a")
def test_a_depot_with_a_unit_is_closed():
    match = moving("4 ID @ E2718; Depot Udine, 22 DF @ E2720", scenario="caporetto")
    do(match, "move", "4 ID")
    assert refused(match, "go", "4 ID", "E2720").rule == "11.1.1g"


# Frozen reserves


@rule("italia1918", "11.2.10a", "11.2.10d")
def test_frozen_units_do_not_move():
    pos = table("22 DF, 3 Alpini @ E2310; 37 DF @ E2312", ENTENTE)
    pos.frozen = [units("22 DF")]
    match = play(pos, movement_begins, movement_phase)
    assert refused(match, "move", "22 DF").rule == "11.2.10a"
    assert refused(match, "release", "37 DF").rule == "11.2.10d"
    assert names(match, "move") == {"3 Alpini", "37 DF"}


@rule("italia1918", "11.2.10b", "11.2.10c", "11.2.10f")
def test_a_marker_taken_off_gives_the_enemy_points_and_frees_its_units():
    pos = table("22 DF, 3 Alpini @ W1226; 37 DF @ W1227", ENTENTE, scenario="radetzky")
    pos.frozen = [units("22 DF, 3 Alpini")]
    match = play(pos, movement_begins, movement_phase)
    do(match, "release", "3 Alpini")
    assert match.position.points == [1, 0]
    assert match.position.frozen == []
    assert {"22 DF", "3 Alpini"} <= names(match, "move")


@rule("italia1918", "S1.S7b", "S2.S4b", "S3.S4b")
@pytest.mark.parametrize(
    ("scenario", "turn", "points"),
    [
        ("caporetto", 1, 2),
        ("caporetto", 2, 1),
        ("radetzky", 24, 1),
        ("albrecht", 25, 1),
        ("solstice", 26, 1),
    ],
)
def test_the_price_of_a_release(scenario: str, turn: int, points: int):
    where = {"caporetto": "E2310", "albrecht": "W1333"}.get(scenario, "W1226")
    pos = table(f"22 DF @ {where}", ENTENTE, scenario=scenario, turn=turn)
    pos.frozen = [units("22 DF")]
    match = play(pos, movement_begins, movement_phase)
    do(match, "release", "22 DF")
    assert match.position.points == [points, 0]


@rule("italia1918", "11.2.10f")
def test_releases_come_before_moves():
    pos = table("22 DF @ E2310; 37 DF @ E2312; 4 DF @ E2712", ENTENTE)
    pos.frozen = [units("22 DF")]
    match = play(pos, movement_begins, movement_phase)
    do(match, "move", "37 DF")
    do(match, "go", "37 DF", "E2313")
    halt(match, "37 DF")
    assert refused(match, "release", "22 DF").rule == "11.2.10f"
