"""The map of Italia 1917-1918 against its book."""

from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from apennine.board import Board, parse_map, read_map
from apennine.foundry.build import build
from apennine.foundry.calibration import calibrate
from apennine.foundry.lattices import whole_lattice
from apennine.foundry.mistakes import FoundryError
from apennine.foundry.recipe import Control, Overlay, Recipe, map_path, read_recipe
from apennine.hexes import Hex, Mask, Sides, bits, mask_of

KEY = "italia1918"
FRONTS = ("october-1917", "december-1917", "june-1918", "october-1918")
CADORNA = "1707-1712 1812-1813 1914-1921 2021-2027"
PLAYABLE = {"clear", "forest", "mountain", "high-mountain", "marsh", "town", "city"}


@cache
def board() -> Board:
    return read_map(map_path(KEY))


def at(code: str) -> Hex:
    return board().lattice.parse(code)


def codes(mask: Mask) -> list[str]:
    return [board().lattice.code(hex) for hex in bits(mask)]


def inside(region: str, code: str) -> bool:
    return bool(board().regions[region] >> at(code) & 1)


def has_side(sides: Sides, one: str, two: str) -> bool:
    return bool(sides[board().lattice.direction(at(one), at(two))] >> at(one) & 1)


def run_edges(name: str) -> set[int]:
    return {
        e for runs in board().runs.values() for run in runs if run.name == name for e in run.edges
    }


def row_of(hex: Hex) -> int:
    return int(board().lattice.code(hex)[1:3])


def along(name: str) -> Mask:
    return mask_of(h for edge in run_edges(name) for h in board().lattice.edge_hexes(edge))


# The numbering (2.1).


def test_the_eastern_sheet_goes_on_where_the_western_one_ends():
    lattice = board().lattice
    for row in range(10, 40):
        assert lattice.direction(at(f"W{row:02}38"), at(f"E{row:02}01")) >= 0


def test_rows_grow_northward_and_columns_eastward():
    pixel = board().lattice.pixel
    assert pixel(at("W2828"))[1] < pixel(at("W1728"))[1]
    assert pixel(at("W1728"))[0] < pixel(at("W1732"))[0]


def test_the_cadorna_line_is_unbroken_only_if_even_rows_stand_further_east():
    for one, two in (("W1712", "W1812"), ("W1813", "W1914"), ("W1921", "W2021")):
        assert board().lattice.direction(at(one), at(two)) >= 0


# The hexes that the book names.


@pytest.mark.parametrize(
    ("place", "code"),
    [
        ("Schio", "W1314"),
        ("Thiene", "W1317"),
        ("Bassano", "W1623"),
        ("Montebelluna", "W1629"),
        ("Il Montello", "W1732"),
        ("Treviso", "W1234"),
        ("Mestre", "W0534"),
        ("Venezia", "W0336"),
    ],
)
def test_the_eight_objectives_of_the_solstice_lie_behind_the_italian_front(place: str, code: str):
    there = board().places[place]
    assert there.hexes == 1 << at(code)
    assert "objective" in there.kinds
    assert there.numbers["crosses-1918"] > 0
    assert inside("solstice", code)
    assert inside("entente-june-1918", code)


@pytest.mark.parametrize("code", ["W1714", "W1920", "W1922", "W2024"])
def test_the_aims_of_radetzky_are_objectives_in_the_mountains(code: str):
    assert board().kinds["objective"] >> at(code) & 1
    assert inside("radetzky", code)
    assert inside("entente-june-1918", code)
    assert board().terrain_of(at(code)) in ("mountain", "town")
    assert board().numbers["elevation"][at(code)] >= 450


@pytest.mark.parametrize("code", ["W2024", "W2026"])
def test_the_summits_of_the_grappa_are_mountains_in_italian_hands(code: str):
    assert board().terrain_of(at(code)) == "mountain"
    assert inside("grappa", code)
    assert inside("entente-december-1917", code)
    assert board().kinds["objective"] >> at(code) & 1


def test_trento_is_austrian_until_the_end():
    assert board().places["Trento"].hexes == 1 << at("W2709")
    assert board().places["Trento"].numbers["cockades"] > 0
    assert all(inside(f"central-powers-{front}", "W2709") for front in FRONTS)


def test_venezia_has_two_hexes_and_supplies_the_entente():
    assert board().lattice.direction(at("W0336"), at("W0337")) >= 0
    assert [board().terrain_of(at(code)) for code in ("W0336", "W0337")] == ["city", "city"]
    assert board().supply["venezia"].hexes == 1 << at("W0337")
    assert board().supply["venezia"].side == "Entente"


def test_one_can_walk_to_venezia_over_the_causeway_alone():
    lattice, land = board().lattice, board().regions["land"]
    assert lattice.flood(1 << at("W0336"), land) >> at("W0534") & 1
    cut = land & ~(1 << at("W0435"))
    assert not lattice.flood(1 << at("W0336"), cut) >> at("W0534") & 1
    assert board().road_hexes["rail"] >> at("W0435") & 1


def test_the_depot_is_at_udine():
    assert board().places["Udine"].hexes == board().kinds["depot"] == 1 << at("E2720")
    assert inside("caporetto", "E2720")
    assert inside("east-of-tagliamento", "E2720")


def test_the_silent_guns_stand_where_artillery_may_stand_behind_the_isonzo_front():
    assert board().terrain_of(at("E2930")) in PLAYABLE - {"high-mountain"}
    assert inside("caporetto", "E2930")
    assert inside("entente-october-1917", "E2930")


def test_the_amalfi_battery_is_on_the_strand_behind_the_front():
    assert board().places["Batteria Amalfi"].hexes == 1 << at("E0402")
    assert inside("coast", "E0402")
    assert inside("albrecht", "E0402")
    assert inside("behind-entente-june-1918", "E0402")


@pytest.mark.parametrize("code", ["W1226", "W1227", "W1621", "W0422"])
def test_italian_reserves_stand_behind_the_trenches_of_june(code: str):
    assert inside("behind-entente-june-1918", code)
    assert board().terrain_of(at(code)) in PLAYABLE - {"high-mountain"}


def test_the_army_artillery_of_vittorio_veneto_stands_behind_the_grappa():
    assert board().terrain_of(at("W1824")) in PLAYABLE - {"high-mountain"}
    assert inside("behind-entente-october-1918", "W1824")


def test_the_cadorna_line_is_the_hexes_of_the_book_and_the_bank_of_the_piave():
    listed = [
        f"W{row}{column:02}"
        for part in CADORNA.split()
        for row, first, last in [(part[:2], int(part[2:4]), int(part[7:9]))]
        for column in range(first, last + 1)
    ]
    (course,) = board().lines["cadorna"].courses
    line = [board().lattice.code(hex) for hex in course.hexes]
    assert line[: len(listed)] == listed
    assert len(listed) == 23
    assert all(board().lattice.direction(a, b) >= 0 for a, b in pairwise(course.hexes))
    bank = course.hexes[len(listed) - 1 :]
    assert mask_of(bank) & ~along("Piave") == 0
    assert mask_of(bank) & ~board().regions["entente-october-1918"] == 0
    assert inside("coast", line[-1])


# Where things lie on the earth.


@pytest.mark.parametrize("control", read_recipe(KEY).control, ids=lambda control: control.place)
def test_the_named_place_lies_in_the_named_hex(control: Control):
    recipe = read_recipe(KEY)
    calibration = calibrate(recipe, whole_lattice(recipe))
    assert calibration.lattice.code(calibration.hex_of(control.lat, control.lon)) == control.hex


def test_the_fit_puts_every_control_point_within_a_hex_of_its_own():
    recipe = read_recipe(KEY)
    assert calibrate(recipe, whole_lattice(recipe)).residuals.max() < 1.0


# Land and water.


def test_all_land_hangs_together():
    assert len(board().lattice.components(board().regions["land"])) == 1


def test_towns_and_cities_are_terrain():
    for kind in ("town", "city"):
        assert board().kinds[kind] == board().terrain[kind]


def test_every_land_hex_has_an_elevation_that_fits_its_terrain():
    heights = board().numbers["elevation"]
    assert all(heights[hex] >= 1400 for hex in bits(board().terrain["high-mountain"]))
    assert all(heights[hex] <= 20 for hex in bits(board().terrain["marsh"]))


def test_the_adige_parts_the_map_from_what_is_beyond():
    lattice = board().lattice
    beyond, land = board().terrain["beyond"], board().regions["land"]
    touching = lattice.dilate(beyond) & land
    adige = board().sides["impassable-river"]
    for d in range(6):
        shore = lattice.shift(touching & ~adige[d], d) & beyond
        assert codes(shore) == [], "one walks over the Adige"
    assert touching == board().regions["adige"]


def test_beyond_the_adige_nothing_leads():
    beyond = board().terrain["beyond"]
    assert all(not hexes & beyond for hexes in board().road_hexes.values())
    assert not any(place.hexes & beyond for place in board().places.values())
    assert not any(source.hexes & beyond for source in board().supply.values())
    assert not any(has & beyond for has in board().sides["crest"])


@pytest.mark.parametrize(
    ("river", "feature"),
    [
        ("Adige", "impassable-river"),
        ("Piave", "major-river"),
        ("Brenta", "major-river"),
        ("Tagliamento", "major-river"),
        ("Isonzo", "major-river"),
        ("Livenza", "major-river"),
        ("Sile", "minor-river"),
        ("Piave Vecchia", "minor-river"),
        ("Natisone", "minor-river"),
        ("Torre", "minor-river"),
        ("Vipacco", "minor-river"),
        ("Astico", "minor-river"),
        ("Cismon", "minor-river"),
        ("Meduna", "minor-river"),
    ],
)
def test_the_rivers_are_there(river: str, feature: str):
    assert river in {run.name for run in board().runs[feature]}


@pytest.mark.parametrize("river", ["Piave", "Tagliamento", "Isonzo", "Livenza"])
def test_great_rivers_reach_the_sea(river: str):
    wet = board().terrain["sea"] | board().terrain["lagoon"]
    assert board().lattice.dilate(along(river)) & wet


@pytest.mark.parametrize(
    ("town", "bank"),
    [
        ("San Donà", "left"),
        ("Musile", "right"),
        ("Ponte di Piave", "left"),
        ("Fagarè", "right"),
        ("Nervesa", "right"),
        ("Susegana", "left"),
        ("Valdobbiadene", "left"),
        ("Pederobba", "right"),
    ],
)
def test_towns_of_the_piave_stand_on_their_bank(town: str, bank: str):
    # In October 1918 the whole lower Piave was the front.
    side = "entente" if bank == "right" else "central-powers"
    assert board().places[town].hexes & board().regions[f"{side}-october-1918"]


def test_quero_stands_on_the_right_bank_above_the_front():
    assert board().places["Quero"].hexes == 1 << at("W2128")
    assert has_side(board().sides["major-river"], "W2128", "W2129")


def test_the_piave_is_the_front_of_1918_from_the_hills_to_the_sea():
    river = run_edges("Piave")
    for front, delta in (("june-1918", False), ("october-1918", True)):
        line = {e for run in board().lines[f"front-{front}"].runs for e in run.edges}
        for one, two in (("W1833", "W1834"), ("W1735", "W1736"), ("E1103", "E1104")):
            edge = board().lattice.edge_between(at(one), at(two))
            assert edge in river & line
        mouth = board().lattice.edge_between(at("E0806"), at("E0807"))
        assert mouth in river
        assert (mouth in line) == delta


def test_crests_lead_uphill():
    lattice, heights = board().lattice, board().numbers["elevation"]
    steps = [
        (low, lattice.neighbour(low, d))
        for d, mask in enumerate(board().over["crest"])
        for low in bits(mask)
    ]
    assert 200 <= len(steps) <= 450
    assert all(heights[low] <= heights[high] for low, high in steps)
    mountains = board().terrain["mountain"] | board().terrain["high-mountain"]
    assert sum(mountains >> high & 1 for _, high in steps) > 0.9 * len(steps)


# Roads.


def test_roads_and_minor_roads_are_one_net():
    lattice = board().lattice
    roads = board().road_hexes["road"] | board().road_hexes["minor-road"]
    both = lattice.sides(
        [*lattice.edges(board().roads["road"]), *lattice.edges(board().roads["minor-road"])]
    )
    assert lattice.flood_sides(1 << at("W1234"), roads, both) == roads


def test_minor_roads_are_where_no_road_is():
    for road, minor in zip(board().roads["road"], board().roads["minor-road"]):
        assert road & minor == 0


def test_every_town_has_a_road():
    roads = board().road_hexes["road"] | board().road_hexes["minor-road"]
    towns = board().kinds["town"] | board().kinds["city"]
    assert codes(towns & ~roads) == []


def test_railways_join_the_towns_that_had_one():
    lattice = board().lattice
    rail = board().road_hexes["rail"]
    net = lattice.flood_sides(1 << at("W0534"), rail, board().roads["rail"])
    for town in ("Venezia", "Udine", "Trento", "Belluno", "Gorizia", "Schio", "Verona", "Motta"):
        assert net & board().places[town].hexes, town


@pytest.mark.parametrize("front", FRONTS)
def test_both_sides_are_supplied_at_the_front_by_road(front: str):
    lattice = board().lattice
    roads = lattice.sides(
        [*lattice.edges(board().roads["road"]), *lattice.edges(board().roads["minor-road"])]
    )
    for side in ("central-powers", "entente"):
        own = board().regions[f"{side}-{front}"]
        net = lattice.flood_sides(board().supply[side].hexes & own, own, roads)
        assert net & board().regions[f"trenches-{front}-{side}"], side


def test_the_piave_had_bridges_and_no_bridge_is_over_the_adige():
    lattice = board().lattice
    bridged = {e for name in board().bridges for e in lattice.edges(board().bridges[name].sides)}
    assert len(bridged & run_edges("Piave")) >= 6
    assert bridged & run_edges("Isonzo")
    assert not bridged & run_edges("Adige")


# Fronts and trenches.


@pytest.mark.parametrize("front", FRONTS)
def test_a_front_parts_all_land(front: str):
    ours, theirs = (board().regions[f"{side}-{front}"] for side in ("entente", "central-powers"))
    assert ours & theirs == 0
    assert ours | theirs == board().regions["land"]


@pytest.mark.parametrize("front", FRONTS)
def test_trenches_face_each_other_along_the_whole_front(front: str):
    lattice = board().lattice
    for side, enemy in (("entente", "central-powers"), ("central-powers", "entente")):
        trenches = board().regions[f"trenches-{front}-{side}"]
        assert 40 <= trenches.bit_count() <= 80
        assert trenches & ~board().regions[f"{side}-{front}"] == 0
        assert trenches & ~lattice.dilate(board().regions[f"trenches-{front}-{enemy}"]) == 0


def test_caporetto_and_cividale_are_italian_in_october_1917_and_tolmino_is_not():
    for town in ("Caporetto", "Cividale", "Plezzo", "Gorizia", "Asiago", "Udine"):
        assert board().places[town].hexes & board().regions["entente-october-1917"], town
    for town in ("Tolmino", "Santa Lucia", "Trieste", "Rovereto", "Borgo"):
        assert board().places[town].hexes & board().regions["central-powers-october-1917"], town


def test_a_retreat_to_the_piave_lies_between_the_two_autumns():
    before, after = (board().regions[f"entente-{front}"] for front in FRONTS[:2])
    assert after & ~before == 0
    assert (before & ~after).bit_count() > 1000


def test_the_delta_was_taken_back_in_the_summer_of_1918():
    won = board().regions["entente-october-1918"] & board().regions["central-powers-june-1918"]
    assert board().places["Jesolo"].hexes & won


def test_the_ground_that_was_fought_over_for_years_is_cratered():
    craters = board().kinds["crater"]
    assert 10 <= craters.bit_count() <= 30
    for peak in ("Monte Pasubio", "Monte Ortigara", "Monte San Michele", "Monte San Gabriele"):
        assert craters & board().places[peak].hexes


# Objectives, playing areas and supply.


def test_the_cockades_add_up_to_39():
    points = [place.numbers.get("cockades", 0) for place in board().places.values()]
    assert sum(points) == 39


def test_cockades_are_behind_the_austrian_front_and_crosses_behind_the_italian_one():
    for place in board().places.values():
        if "cockades" in place.numbers:
            assert place.hexes & board().regions["central-powers-october-1918"], place.name
        if "crosses-1917" in place.numbers:
            assert place.hexes & board().regions["entente-october-1917"], place.name
            assert place.hexes & board().regions["caporetto"], place.name
        if "crosses-1918" in place.numbers:
            assert place.hexes & board().regions["entente-june-1918"], place.name


@pytest.mark.parametrize("area", ["radetzky", "albrecht", "solstice"])
def test_no_cross_of_the_piave_is_won_at_the_start(area: str):
    held = board().regions[area] & board().regions["central-powers-june-1918"]
    places = [place for place in board().places.values() if place.hexes & held]
    assert sum(place.numbers.get("crosses-1918", 0) for place in places) == 0


def test_every_bridge_over_the_lower_piave_is_destroyed_in_1918():
    lattice, river = board().lattice, run_edges("Piave")
    front = {e for run in board().lines["front-june-1918"].runs for e in run.edges}
    bridges = {
        edge
        for kind in ("road", "rail")
        for edge in lattice.edges(board().bridges[kind].sides)
        if edge in river
    }
    destroyed = set(lattice.edges(board().bridges["destroyed-1918"].sides))
    south = {e for e in bridges if min(row_of(hex) for hex in lattice.edge_hexes(e)) < 17}
    assert destroyed == south
    assert bridges & front <= destroyed


def test_the_bridgehead_of_tolmino_is_austrian_in_october_1917():
    assert inside("central-powers-october-1917", "E3131")
    assert inside("entente-october-1917", "E3130")
    assert inside("entente-october-1917", "E3230")
    edge = board().lattice.edge_between(at("E3131"), at("E3231"))
    assert edge in run_edges("Isonzo")


def test_the_lagoon_joins_amalfi_to_venezia():
    lattice, lagoon = board().lattice, board().regions["lagoon-supply"]
    assert lattice.flood(1 << at("W0337"), lagoon) >> at("E0402") & 1


def test_caporetto_stands_on_the_right_bank_and_the_railway_crosses_at_cornino():
    lattice = board().lattice
    assert lattice.edge_between(at("E3427"), at("E3428")) not in run_edges("Isonzo")
    assert lattice.edge_between(at("E3428"), at("E3429")) in run_edges("Isonzo")
    crossed = {
        lattice.edge_between(a, b)
        for course in board().courses["rail"]
        if course.name == "Pinzano-Gemona"
        for a, b in pairwise(course.hexes)
    }
    assert len(crossed & run_edges("Tagliamento")) == 1


@pytest.mark.parametrize(
    ("area", "within", "without"),
    [
        ("radetzky", "W2813 W2828 W0113 W0128", "W2913 W2829 W1512 W2012"),
        ("albrecht", "W2528 E2510 W0128 E1210", "W2628 E2610 W2527 E2511"),
        ("solstice", "W2810 E2837 W0113", "W2910 E2937"),
        ("vittorio", "W3914 E3937 W0113 W2709", "W2708"),
        ("grappa", "W2024 W2026 W1824 W2527", "W1921 W2028 W2709"),
        ("caporetto", "E2720 E2930 E3427 E3727 E2228", "W1234 E2303"),
    ],
)
def test_playing_areas_end_where_the_book_says(area: str, within: str, without: str):
    assert all(inside(area, code) for code in within.split())
    assert not any(inside(area, code) for code in without.split())


def test_the_grappa_area_lies_between_the_brenta_and_the_piave():
    lattice, area = board().lattice, board().regions["grappa"]
    rivers = lattice.sides(run_edges("Brenta") | run_edges("Piave"))
    assert lattice.cross(area, rivers) & area == 0
    assert lattice.flood(1 << at("W2024"), area) == area


def test_the_tagliamento_parts_the_caporetto_area():
    west, east = (board().regions[f"{side}-of-tagliamento"] for side in ("west", "east"))
    assert west & east == 0
    assert west | east == board().regions["caporetto"]
    assert east & board().places["Codroipo"].hexes
    assert east & board().places["Latisana"].hexes
    assert west & board().places["Spilimbergo"].hexes
    assert board().regions["caporetto-west-edge"] & ~west == 0


def test_supply_comes_from_the_edges_of_the_book():
    supply, regions = board().supply, board().regions
    assert supply["central-powers"].hexes == regions["north-edge"] | regions["east-edge"]
    assert supply["entente"].hexes == regions["south-edge"] | regions["west-edge"]
    assert supply["central-powers"].hexes & supply["entente"].hexes == 0
    for code in codes(regions["north-edge"]):
        assert code[1:3] == "39"
    for code in codes(regions["south-edge"]):
        assert code[1:3] == "01"


def test_barges_find_their_way_about_the_lagoon():
    lattice, water = board().lattice, board().regions["barges"]
    assert lattice.flood(1 << at("W0336"), water) >> at("E0402") & 1


# What the foundry learned for this map, on the small valley.


def built(recipe: Recipe, geodata: Path) -> Board:
    return parse_map(build(recipe, Overlay(), geodata, "valley").text)


def test_a_town_can_be_a_terrain_of_its_own(recipe: Recipe, geodata: Path):
    recipe.terrain.legend["t"] = "town"
    recipe.terrain.built = {"town": "town"}
    valley = built(recipe, geodata)
    assert valley.terrain["town"] == valley.kinds["town"] != 0
    recipe.terrain.built = {"town": "city"}
    with pytest.raises(FoundryError, match="no letter for 'city'"):
        built(recipe, geodata)


def test_a_line_keeps_to_a_river_if_it_is_told_to(recipe: Recipe, geodata: Path):
    def shared(valley: Board) -> int:
        river = {edge for run in valley.runs["river"] for edge in run.edges}
        return len(river & {edge for run in valley.lines["winter"].runs for edge in run.edges})

    # A line across the bends of the Fiume.
    recipe.lines[0].points = [
        (42.4, 12.5),
        (42.31, 12.75),
        (42.33, 12.9),
        (42.5, 13.0),
        (42.6, 13.3),
    ]
    beside = shared(built(recipe, geodata))
    recipe.lines[0].along = ["river"]
    assert shared(built(recipe, geodata)) > beside
    recipe.lines[0].along = ["canal"]
    with pytest.raises(FoundryError, match="'canal', which is no hexside"):
        built(recipe, geodata)


def test_long_terms_of_a_recipe_may_be_broken_into_lines(recipe: Recipe, geodata: Path):
    hexes = "1614\n    1615"
    recipe.map["regions"] = {"plain": {"source": "book", "hexes": [hexes]}}
    assert built(recipe, geodata).regions["plain"].bit_count() == 2
