"""The map of Soft Underbelly as the rules use it: every hex the book names, and the regions."""

import re
from pathlib import Path

import pytest

import apennine
from apennine.games import board
from apennine.hexes import Sides, bits
from apennine.testing import rule

MAP = board("underbelly")
LATTICE = MAP.lattice
LAND, COAST = MAP.regions["land"], MAP.regions["coast"]
FILES = [
    Path(apennine.__file__).parent / "games" / "underbelly" / "data" / "map.toml",
    *(Path(apennine.__file__).parent / "foundry" / "recipes").glob("underbelly*.toml"),
]


def codes(mask: int) -> set[str]:
    return {LATTICE.code(hex) for hex in bits(mask)}


def holds(sides: Sides, a: str, b: str) -> bool:
    one, two = LATTICE.parse(a), LATTICE.parse(b)
    return bool(sides[LATTICE.direction(one, two)] >> one & 1)


# Every hex that the book names


@rule("underbelly", "2.3")
def test_salerno_is_2822_and_every_hex_has_a_number_of_its_own():
    assert codes(MAP.places["Salerno"].hexes) == {"2822"}
    numbers = [LATTICE.code(hex) for hex in LATTICE]
    assert all(re.fullmatch(r"\d{4}", number) for number in numbers)
    assert len(set(numbers)) == len(numbers) == LATTICE.count


@pytest.mark.parametrize(
    ("hex", "name", "kinds"),
    [
        ("2522", "Naples", {"city", "port", "airbase"}),
        ("2608", "Foggia", {"town", "airbase"}),
        ("2822", "Salerno", {"town", "port"}),
        ("2921", "Paestum", {"town", "port"}),
        ("3306", "Bari", {"town", "port"}),
        ("4108", "Taranto", {"city", "port"}),
        ("5122", "Pizzo", {"town"}),
    ],
)
def test_the_places_of_the_book_are_where_and_what_it_says(hex: str, name: str, kinds: set[str]):
    [place] = [p for p in MAP.places_at(LATTICE.parse(hex)) if p.kinds]
    assert (place.name, set(place.kinds)) == (name, kinds)


@rule("underbelly", "4.3d")
def test_salerno_is_a_town_and_naples_and_taranto_are_the_two_cities():
    assert codes(MAP.kinds["city"]) == {"2522", "4108"}
    assert MAP.kinds["town"] >> LATTICE.parse("2822") & 1


def test_2823_of_the_special_forces_is_coast_beside_salerno():
    assert COAST >> LATTICE.parse("2823") & 1
    assert LATTICE.distance(LATTICE.parse("2823"), LATTICE.parse("2822")) == 1


def test_5322_is_inland_in_the_allied_toe_and_the_port_of_the_toe_is_reggio():
    inland = LATTICE.parse("5322")
    assert LAND >> inland & 1
    assert not COAST >> inland & 1
    assert MAP.regions["allied"] >> inland & 1
    assert codes(MAP.kinds["port"] & MAP.regions["allied"]) == {"5328"}


def test_british_units_begin_on_the_land_within_two_hexes_of_5322():
    start = MAP.regions["british-start"]
    assert start == LATTICE.disc(LATTICE.parse("5322"), 2) & LAND
    assert "5122" in codes(start)


def test_3117_3118_and_3218_are_as_in_the_example_of_the_road():
    road = MAP.roads["road"]
    assert MAP.terrain_of(LATTICE.parse("3118")) == "mountain"
    assert [MAP.terrain_of(LATTICE.parse(hex)) for hex in ("3117", "3218")] == ["clear", "clear"]
    assert holds(road, "3218", "3118")
    assert not holds(road, "3117", "3118")
    assert not holds(road, "3117", "3218")
    assert not holds(MAP.sides["blocked"], "3117", "3118")


def test_a_lake_lies_between_5019_and_4918_which_touch():
    assert LATTICE.direction(LATTICE.parse("5019"), LATTICE.parse("4918")) >= 0
    assert holds(MAP.sides["lake"], "5019", "4918")
    assert {"5019", "4918"} <= codes(LAND)


def test_the_control_line_has_its_ends_at_4921_and_5319():
    line = MAP.lines["control"].sides
    ends = LATTICE.parse("4921"), LATTICE.parse("5319")
    assert all(COAST >> hex & 1 and any(side >> hex & 1 for side in line) for hex in ends)
    assert not any(MAP.regions["allied"] >> hex & 1 for hex in ends)


def test_row_10_is_the_north_edge_where_germans_enter_draw_supply_and_all_may_leave():
    north = MAP.regions["north"]
    assert codes(north) == {f"10{row}" for row in range(10, 26)}
    assert MAP.supply["german"].hexes == north
    assert all(code >= "10" for code in codes(LATTICE.all))
    for hex in bits(north):
        assert {"tenth", "fifth", "end-run"} <= {box.name for box in MAP.boxes_next_to(hex)}


# What the rules need besides


def test_four_boxes_stand_beside_the_map_and_the_end_run_is_next_to_both_armies():
    assert {box.name for box in MAP.boxes} == {"available", "tenth", "fifth", "end-run"}
    end_run = MAP.box("end-run").location
    assert {"available", "tenth"} <= {box.name for box in MAP.boxes_next_to(end_run)}


def test_ports_are_the_six_coastal_hexes_where_a_counter_may_lie():
    assert codes(MAP.kinds["port"]) == {"2522", "2822", "2921", "3306", "4108", "5328"}
    assert MAP.kinds["port"] & ~COAST == 0


def test_naples_and_foggia_are_the_air_bases():
    assert codes(MAP.kinds["airbase"]) == {"2522", "2608"}


def test_coast_is_the_land_that_touches_the_sea():
    assert LATTICE.dilate(MAP.terrain["sea"]) & LAND == COAST
    assert LATTICE.all & ~MAP.terrain["sea"] == LAND


def test_the_82nd_may_drop_on_clear_ground_alone():
    drop = MAP.regions["drop-zone"]
    assert drop == MAP.terrain["clear"]
    assert {"2522", "2822", "2921", "4108"} <= codes(drop)
    assert not drop & MAP.places["Potenza"].hexes


def test_forts_are_built_anywhere_but_in_cities_and_marshes():
    sites = MAP.regions["fort-sites"]
    assert sites == LAND & ~MAP.kinds["city"] & ~MAP.terrain["marsh"]
    assert MAP.terrain["marsh"]
    assert sites & MAP.places["Cassino"].hexes


def test_towns_to_take_lie_all_over_the_map_and_only_four_are_allied_at_first():
    towns = MAP.kinds["town"] | MAP.kinds["city"]
    assert towns.bit_count() == 53
    assert towns & ~LAND == 0
    assert (towns & MAP.regions["allied"]).bit_count() == 4
    assert towns & LATTICE.dilate(MAP.regions["north"], 2)


def test_every_town_can_be_reached_without_crossing_blocked_or_lake_hexsides():
    barred = [a | b for a, b in zip(MAP.sides["blocked"], MAP.sides["lake"], strict=True)]
    n, ne, se, s, sw, nw = (
        side & ~bar for side, bar in zip(LATTICE.all_sides, barred, strict=True)
    )
    reached = LATTICE.flood_sides(MAP.regions["north"], LAND, (n, ne, se, s, sw, nw))
    assert reached == LAND


def test_mechanised_units_get_from_the_toe_to_the_north_along_roads_and_open_ground():
    easy = MAP.terrain["clear"] | MAP.road_hexes["road"]
    start = LATTICE.parse("5122")
    assert LATTICE.flood(1 << start, easy & LAND) & MAP.regions["north"]


def test_rivers_and_blocked_hexsides_lie_between_land_hexes():
    for name in ("river", "blocked", "lake"):
        for edge in LATTICE.edges(MAP.sides[name]):
            assert all(LAND >> hex & 1 for hex in LATTICE.edge_hexes(edge))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_sources_name_sections_of_the_book_and_no_lines(file: Path):
    assert re.findall(r"\blines? \d+", file.read_text("utf-8")) == []


def test_there_are_a_recipe_an_overlay_and_a_map():
    assert sorted(file.name for file in FILES) == [
        "map.toml",
        "underbelly-overlay.toml",
        "underbelly.toml",
    ]
