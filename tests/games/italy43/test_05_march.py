"""Chapter 5: what steps cost, and how far a stack can go."""

import pytest

from apennine.games.italy43.rules.c05_areas import closed_land, friendly_areas, friendly_sections
from apennine.games.italy43.table.position import ALLIED, GERMAN
from apennine.hexes import bits
from apennine.testing import rule
from tests.games.italy43.drawing import (
    CLOUDY,
    MUD,
    RAIN,
    WAR,
    at,
    codes,
    march,
    price,
    table,
    tactical,
)

# Terrain


@rule("italy43", "5.1a", "2.3.3a")
def test_a_unit_on_foot_pays_one_point_for_a_hex():
    assert price("7/3 @ 2418", "7/3", "2419") == 1
    assert price("7/3 @ 2418", "7/3", "2617") == 2
    assert price("7/3 @ 1505", "7/3", "1404") == 1  # a hill


@rule("italy43", "2.3.3b")
@pytest.mark.parametrize("unit", ["131/7", "22/7", "191 Tk", "11H/7", "3 ASU"])
def test_mechanised_units_pay_two_for_a_hill(unit: str):
    assert price(f"{unit} @ 1505", unit, "1404") == 2
    assert price(f"{unit} @ 2418", unit, "2419") == 1


@rule("italy43", "2.2.2c")
def test_a_full_mountain_hex_is_a_hill():
    assert not WAR.ground.terrain("mountain") & ~WAR.ground.hills
    assert "1905" in codes(WAR.ground.hills)


@rule("italy43", "2.2.3b")
def test_a_city_among_hills_is_a_city():
    benevento = WAR.board.places["Benevento"].hexes
    assert benevento & WAR.ground.cities
    assert not benevento & WAR.ground.hills


@rule("italy43", "5.1f")
def test_a_move_ends_in_a_marsh_unless_it_comes_by_road():
    assert price("7/3 @ 1917", "7/3", "1817") == 1
    assert price("7/3 @ 1917", "7/3", "1818") > 2  # not through the marsh of 1817
    assert price("131/7 @ 2010", "131/7", "1910") == 0.5
    assert price("131/7 @ 2010", "131/7", "2009") == 1  # on by the road from Cellole


@rule("italy43", "5.1b")
def test_a_stack_goes_at_the_rate_of_its_slowest_member():
    found = march("7/3, 131/7 @ 2517", "7/3", "131/7")
    assert found.points == WAR.ticks(3)
    assert found.cost(WAR.board.parse("2516")) == WAR.ticks(1)  # on foot, by road
    assert march("191 Tk, 128/46 @ 2517", "191 Tk", "128/46").points == WAR.ticks(3)


@rule("italy43", "5.1b")
def test_a_mixed_stack_pays_the_dearer_price_of_both():
    found = march("7/3, 131/7 @ 1505", "7/3", "131/7")
    assert found.cost(WAR.board.parse("1404")) == WAR.ticks(2)


@rule("italy43", "5.1e")
def test_no_unit_enters_a_hex_of_the_enemy():
    assert "2318" not in codes(march("7/3 @ 2418; 103 StuG @ 2318", "7/3").ends)


# Roads


@rule("italy43", "5.2.2b", "5.2.1a")
def test_far_from_the_enemy_mechanised_units_are_fast_on_roads():
    assert price("131/7 @ 2517", "131/7", "2514") == 1  # three hexes of major road
    assert price("131/7 @ 2010", "131/7", "2009") == 1  # two of minor road


@rule("italy43", "5.2.2a")
def test_within_two_hexes_of_an_enemy_they_pay_one_point():
    near = "131/7 @ 2517; 8/3PG @ 2513"
    assert price(near, "131/7", "2516") == pytest.approx(1 / 3)  # three hexes away
    assert price(near, "131/7", "2515") == pytest.approx(4 / 3)


@rule("italy43", "13.3.3")
def test_enemies_in_full_retreat_slow_the_roads_too():
    near = "131/7 @ 2517; 8/3PG @ 2513 routed"
    assert price(near, "131/7", "2515") == pytest.approx(4 / 3)


@rule("italy43", "5.2.2c")
def test_units_on_foot_pay_one_point_on_any_road():
    assert price("7/3 @ 2517", "7/3", "2514") == 3


@rule("italy43", "5.2.3b")
def test_a_major_road_joins_the_hexes_of_naples():
    assert price("131/7 @ 2124", "131/7", "2023") == pytest.approx(1 / 3)


@rule("italy43", "5.2.1b")
def test_a_road_over_a_river_is_a_bridge():
    assert price("131/7 @ 1815", "131/7", "1814") == 0.5  # over the Volturno at its mouth
    assert price("22/7 @ 1815", "22/7", "1814", weather=RAIN) == 0.5


@rule("italy43", "5.2.1c")
def test_the_road_rate_holds_into_and_out_of_a_zone():
    counters = "131/7 @ 2517; 8/3PG @ 2615"
    assert price(counters, "131/7", "2516") == 1
    assert price("131/7 @ 2516; 8/3PG @ 2615", "131/7", "2517") == 1 + 2


@rule("italy43", "5.2.1d")
def test_roads_and_open_ground_mix_in_one_move():
    assert price("131/7 @ 2517", "131/7", "2415") == pytest.approx(1 / 3 + 1)


# Extended and Tactical Movement


@rule("italy43", "5.3a")
def test_extended_movement_adds_two_points_on_foot_and_three_mechanised():
    assert price("7/3 @ 2414", "7/3", "2914") == 5
    assert price("7/3 @ 2414", "7/3", "3013") == -1
    assert march("131/7 @ 2418", "131/7").most == WAR.ticks(8)


@rule("italy43", "5.3a", "5.3c")
def test_but_leads_into_no_enemy_zone():
    assert price("7/3 @ 2414; 8/3PG @ 3014", "7/3", "2914") == -1
    assert price("7/3 @ 2414; 8/3PG @ 3014", "7/3", "2814") == 4


@rule("italy43", "13.3.3")
def test_nor_next_to_enemies_in_full_retreat():
    found = march("7/3 @ 2414; 8/3PG @ 3014 routed", "7/3")
    assert found.cost(at("2914")) == -1
    far = {hex for hex in bits(found.ends) if found.cost(hex) > found.points}
    assert far  # it leads elsewhere all the same


@rule("italy43", "5.3b")
def test_out_of_a_zone_it_needs_a_first_step_into_the_open():
    # From 2418 the way leads out of the zone of 2318 at once, and costs two points more.
    assert price("7/3 @ 2418; 8/3PG @ 2318", "7/3", "2521") == 3 + 2
    # With 2519 and 2419 in zones as well there is no such step.
    shut = "7/3 @ 2418; 8/3PG @ 2318; 29/3PG @ 2620; 15/29 @ 2617; 71/29 @ 2320"
    assert price(shut, "7/3", "2521") == -1


@rule("italy43", "5.4a", "5.4e")
def test_tactical_movement_is_one_or_two_hexes_whatever_they_cost():
    reached = tactical("131/7 @ 1701", "131/7")
    assert all(
        WAR.lattice.distance(WAR.board.parse(c), WAR.board.parse("1701")) <= 2 for c in reached
    )
    assert "1802" in reached  # two hills, which would cost four points
    assert "2520" in tactical("7/3 @ 2418; 8/3PG @ 2318", "7/3")  # out of a zone


@rule("italy43", "5.4d")
def test_it_stops_in_an_enemy_zone():
    assert "2417" in tactical("7/3 @ 2419; 8/3PG @ 2317", "7/3")
    assert "2416" not in tactical("7/3 @ 2418; 8/3PG @ 2317", "7/3")


# Rivers


@rule("italy43", "5.5a", "5.5b")
def test_a_minor_river_costs_one_point_more_on_foot_and_two_mechanised():
    assert price("7/3 @ 2113", "7/3", "2114") == 2
    assert price("131/7 @ 2113", "131/7", "2114") == 3


@rule("italy43", "5.5d")
def test_a_canal_is_a_minor_river():
    assert price("22/7 @ 1916", "22/7", "2017", weather=CLOUDY) > 0
    assert WAR.ground.minor_rivers != WAR.board.sides["minor-river"]
    canal = set(WAR.lattice.edges(WAR.board.sides["canal"]))
    assert canal <= set(WAR.lattice.edges(WAR.ground.minor_rivers))


@rule("italy43", "5.5c")
def test_a_major_river_is_crossed_by_tactical_movement_as_the_first_step():
    assert "2215" in tactical("7/3 @ 2216", "7/3")
    assert "2215" not in tactical("7/3 @ 2217", "7/3")
    assert price("7/3 @ 2216", "7/3", "2215") == 5  # by points only round by a bridge
    assert "2215" not in tactical("7/3 @ 2216", "7/3", fresh=False)


@rule("italy43", "5.9")
@pytest.mark.parametrize("weather", [RAIN, MUD])
def test_in_rain_vehicles_cross_no_river_without_a_bridge(weather: int):
    assert "2215" in tactical("22/7 @ 2216", "22/7")
    assert "2215" not in tactical("22/7 @ 2216", "22/7", weather=weather)
    assert "2114" in tactical("22/7 @ 2113", "22/7")
    assert "2114" not in tactical("22/7 @ 2113", "22/7", weather=weather)
    assert price("22/7 @ 2113", "22/7", "2114") == 3
    assert price("22/7 @ 2113", "22/7", "2114", weather=weather) != 3


@rule("italy43", "5.9", "2.3.3d")
def test_but_panzergrenadiers_are_no_vehicles():
    assert "2215" in tactical("131/7 @ 2216", "131/7", weather=RAIN)
    assert price("131/7 @ 2113", "131/7", "2114", weather=RAIN) == 3


# Mountains


@rule("italy43", "5.6a")
@pytest.mark.parametrize("unit", ["7/3", "131/7"])
def test_infantry_crosses_a_trackless_mountain_only_as_a_first_tactical_step(unit: str):
    assert "1905" in tactical(f"{unit} @ 1804", unit)
    assert price(f"{unit} @ 1804", unit, "1905") == -1
    assert "1905" not in tactical(f"{unit} @ 1803", unit)


@rule("italy43", "19.3a")
def test_mountain_units_need_not_start_beside_it():
    assert "1905" in tactical("1SSF @ 1803", "1SSF")
    assert "1905" not in tactical("1SSF @ 1803 steps=1", "1SSF")  # a Remnant


@rule("italy43", "5.6b")
def test_vehicles_cross_mountains_by_roads_and_passes():
    assert "1905" not in tactical("22/7 @ 1804", "22/7")
    assert price("22/7 @ 1904", "22/7", "2004") == 3  # a pass, for one point more
    assert price("22/7 @ 2004", "22/7", "2105") == 0.5  # a road


# Trucks


@rule("italy43", "5.7b")
def test_a_unit_in_trucks_moves_as_a_mechanised_one():
    trucked = "7/3 @ 2517 trucked"
    assert price(trucked, "7/3", "2514") == 1
    found = march(trucked, "7/3")
    assert (found.points, found.most) == (WAR.ticks(5), WAR.ticks(8))


@rule("italy43", "5.7e")
def test_but_is_no_vehicle():
    assert "1905" in tactical("7/3 @ 1804 trucked", "7/3")
    assert "2215" in tactical("7/3 @ 2216 trucked", "7/3", weather=RAIN)


# The zone of the 8th Army


@rule("italy43", "5.8.1a", "21.2.1")
def test_all_sections_and_east_areas_are_german_at_first():
    pos = table(turn=1)
    assert set(friendly_areas(WAR, pos, GERMAN)) == {"N1", "N2", "N3", "N4", "E1", "E2", "E3"}
    assert set(friendly_areas(WAR, pos, ALLIED)) == {"S1", "S2"}
    assert friendly_sections(WAR, pos, GERMAN) == WAR.ground.eighth_army


@rule("italy43", "5.8.1b", "5.8.1c", "5.8.1d")
def test_sections_become_allied_on_turns_8_11_and_15():
    found = {turn: friendly_areas(WAR, table(turn=turn), ALLIED) for turn in (7, 8, 10, 11, 14, 15)}
    east = {turn: [name for name in names if name[0] == "E"] for turn, names in found.items()}
    assert east == {
        7: [],
        8: ["E1"],
        10: ["E1"],
        11: ["E1", "E2"],
        14: ["E1", "E2"],
        15: ["E1", "E2", "E3"],
    }


@rule("italy43", "5.8.2a")
def test_allied_units_never_enter_the_zone():
    for turn in (1, 20):
        assert closed_land(WAR, table(turn=turn), ALLIED) == WAR.ground.eighth_army
    assert "4026" not in codes(march("191 Tk @ 3926", "191 Tk", turn=20).ends)


@rule("italy43", "5.8.3")
def test_german_units_operate_in_the_sections_that_are_still_theirs():
    assert "4026" in codes(march("26/26 @ 3926", "26/26", side=GERMAN, turn=7).ends)
    assert "4026" not in codes(march("26/26 @ 3926", "26/26", side=GERMAN, turn=8).ends)
