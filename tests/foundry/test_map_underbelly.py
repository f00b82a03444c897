"""The map of Soft Underbelly against its rulebook and against the country."""

from itertools import pairwise

import numpy as np
import pytest

from apennine.board import Board, read_map
from apennine.foundry.calibration import Calibration, calibrate, misplaced
from apennine.foundry.lattices import whole_lattice
from apennine.foundry.recipe import map_path, read_recipe
from apennine.hexes import Mask, Sides, bits


@pytest.fixture(scope="module")
def board() -> Board:
    return read_map(map_path("underbelly"))


@pytest.fixture(scope="module")
def calibration() -> Calibration:
    recipe = read_recipe("underbelly")
    return calibrate(recipe, whole_lattice(recipe))


def codes(board: Board, mask: Mask) -> set[str]:
    return {board.lattice.code(hex) for hex in bits(mask)}


def holds(board: Board, sides: Sides, a: str, b: str) -> bool:
    one, two = board.lattice.parse(a), board.lattice.parse(b)
    return bool(sides[board.lattice.direction(one, two)] >> one & 1)


def passable(board: Board, *barriers: str) -> Sides:
    """All hexsides but those with one of these features."""
    free = list(board.lattice.all_sides)
    for name in barriers:
        free = [sides & ~barred for sides, barred in zip(free, board.sides[name])]
    n, ne, se, s, sw, nw = free
    return n, ne, se, s, sw, nw


@pytest.mark.parametrize(
    ("place", "hex", "kinds"),
    [
        ("Naples", "2522", {"city", "port", "airbase"}),
        ("Taranto", "4108", {"city"}),
        ("Salerno", "2822", {"town", "port"}),
        ("Paestum", "2921", {"town", "port"}),
        ("Foggia", "2608", {"airbase"}),
        ("Bari", "3306", {"town", "port"}),
        ("Pizzo", "5122", set[str]()),
    ],
)
def test_every_place_of_the_book_is_what_and_where_the_book_says(
    board: Board, place: str, hex: str, kinds: set[str]
):
    assert codes(board, board.places[place].hexes) == {hex}
    assert kinds <= board.places[place].kinds


def test_the_earth_under_every_named_hex_is_the_place_of_that_name(calibration: Calibration):
    assert list(misplaced(calibration, calibration.lattice)) == []
    assert calibration.folds() == []


def test_naples_and_taranto_are_the_only_cities_and_naples_and_foggia_the_air_bases(board: Board):
    assert codes(board, board.kinds["city"]) == {"2522", "4108"}
    assert codes(board, board.kinds["airbase"]) == {"2522", "2608"}


@pytest.mark.parametrize(
    ("a", "b", "hexes"),
    [
        ("2822", "2921", 1),
        ("2822", "2823", 1),
        ("2921", "2823", 2),
        ("2522", "2822", 3),
        ("2522", "2921", 4),
        ("2522", "2608", 15),
        ("2608", "3306", 7),
        ("3306", "4108", 8),
        ("2522", "4108", 22),
        ("4108", "5122", 19),
        ("5122", "5322", 2),
        ("4921", "5319", 4),
        ("3117", "3118", 1),
        ("3117", "3218", 1),
        ("3118", "3218", 1),
        ("5019", "4918", 1),
    ],
)
def test_hexes_of_the_book_are_as_far_apart_as_its_numbers_say(
    board: Board, a: str, b: str, hexes: int
):
    assert board.lattice.distance(board.lattice.parse(a), board.lattice.parse(b)) == hexes


def test_a_road_leads_from_3218_into_the_mountains_of_3118_and_none_from_3117(board: Board):
    road = board.roads["road"]
    assert board.terrain_of(board.lattice.parse("3118")) == "mountain"
    assert holds(board, road, "3218", "3118")
    assert not holds(board, road, "3117", "3118")
    assert not holds(board, road, "3117", "3218")


def test_a_lake_parts_5019_from_4918(board: Board):
    assert holds(board, board.sides["lake"], "5019", "4918")
    assert {"5019", "4918"} <= codes(board, board.regions["land"])


@pytest.mark.parametrize("hex", ["2522", "2822", "2823", "2921", "3306", "4108", "5122"])
def test_hexes_that_ships_reach_are_coastal_land(board: Board, hex: str):
    assert hex in codes(board, board.regions["coast"])


def test_every_port_is_on_the_coast(board: Board):
    assert board.kinds["port"] & ~board.regions["coast"] == 0
    assert {"2522", "2822", "2921", "3306"} <= codes(board, board.kinds["port"])


def test_the_control_line_runs_from_coast_to_coast_between_4921_and_5319(board: Board):
    line = board.lines["control"]
    assert {"4921", "5319"} <= codes(board, board.regions["coast"])
    assert holds(board, line.sides, "4921", "5022")
    assert holds(board, line.sides, "5319", "5320")


def test_the_allies_begin_with_the_toe_and_nothing_else(board: Board):
    allied = board.regions["allied"]
    south = {"Reggio", "Gioia Tauro", "Locri", "Pizzo"}
    towns = {p.name: p.hexes for p in board.places.values() if {"town", "city"} & p.kinds}
    assert {name for name, hexes in towns.items() if hexes & allied} == south
    assert allied >> board.lattice.parse("5322") & 1


def test_the_british_begin_on_land_within_two_hexes_of_5322(board: Board):
    start = board.regions["british-start"]
    disc = board.lattice.disc(board.lattice.parse("5322"), 2)
    assert start == disc & board.regions["land"]
    assert start & ~board.regions["allied"] == 0


def test_row_10_is_the_north_edge_and_the_source_of_german_supply(board: Board):
    north = codes(board, board.regions["north"])
    assert north == {f"10{row}" for row in range(10, 26)}
    assert board.supply["german"].hexes == board.regions["north"]
    assert all(board.lattice.code(hex) >= "1001" for hex in board.lattice)


def test_the_holding_boxes_of_the_book_are_there(board: Board):
    titles = {box.name: box.title for box in board.boxes}
    assert titles == {
        "available": "Allied Available Units",
        "tenth": "10th Army Available Units",
        "fifth": "5th Panzer Army",
        "end-run": "End-Run Invasion",
    }


@pytest.mark.parametrize("box", ["tenth", "fifth", "end-run"])
def test_germans_go_between_row_10_and_their_boxes(board: Board, box: str):
    for hex in bits(board.regions["north"]):
        assert box in {each.name for each in board.boxes_next_to(hex)}


def test_all_land_hangs_together(board: Board):
    assert len(board.lattice.components(board.regions["land"])) == 1


def test_roads_are_shown_in_the_mountains_only_with_ramps_into_the_hexes_beside(board: Board):
    mountain = board.terrain["mountain"]
    for course in board.courses["road"]:
        for a, b in pairwise(course.hexes):
            assert mountain >> a & 1 or mountain >> b & 1


def test_every_road_ends_in_the_open_at_the_edge_or_in_a_town(board: Board):
    ends: dict[int, int] = {}
    beyond: set[int] = set()
    for course in board.courses["road"]:
        beyond |= {course.hexes[0]} if course.enters >= 0 else set()
        beyond |= {course.hexes[-1]} if course.leaves >= 0 else set()
    for edge in board.lattice.edges(board.roads["road"]):
        for hex in board.lattice.edge_hexes(edge):
            ends[hex] = ends.get(hex, 0) + 1
    lost = [
        board.lattice.code(hex)
        for hex, count in ends.items()
        if count == 1
        and hex not in beyond
        and board.terrain_of(hex) == "mountain"
        and not board.places_at(hex)
    ]
    assert lost == []


def test_no_road_crosses_a_blocked_or_lake_hexside(board: Board):
    edges = board.lattice.edges
    roads = set(edges(board.roads["road"]))
    assert not roads & set(edges(board.sides["blocked"]))
    assert not roads & set(edges(board.sides["lake"]))


def test_blocked_hexsides_lie_between_mountains(board: Board):
    mountain = board.terrain["mountain"]
    blocked = board.lattice.edges(board.sides["blocked"])
    assert len(blocked) >= 20
    for edge in blocked:
        a, b = board.lattice.edge_hexes(edge)
        assert mountain >> a & mountain >> b & 1


def test_every_land_hex_is_reached_without_crossing_water_or_blocked_hexsides(board: Board):
    land = board.regions["land"]
    free = passable(board, "blocked", "lake")
    reached = board.lattice.flood_sides(board.places["Naples"].hexes, land, free)
    assert reached == land


def test_the_rivers_of_the_campaign_are_there(board: Board):
    names = {run.name for run in board.runs["river"]}
    assert {"Sangro", "Trigno", "Biferno", "Fortore", "Ofanto", "Volturno", "Garigliano"} <= names
    assert {"Sele", "Calore", "Liri", "Pescara", "Bradano", "Basento", "Crati", "Neto"} <= names


def test_the_sele_parts_the_british_from_the_american_beach(board: Board):
    edge = board.lattice.edge_between(*(board.lattice.parse(c) for c in ("2822", "2921")))
    assert any(run.name == "Sele" and edge in run.edges for run in board.runs["river"])


@pytest.mark.parametrize(
    "towns",
    [
        ("Pescara", "Ortona", "Vasto", "Termoli", "Manfredonia", "Barletta", "Bari", "Brindisi"),
        ("Anzio", "Terracina", "Formia", "Naples", "Salerno", "Paestum", "Sapri", "Paola", "Pizzo"),
        ("Avezzano", "Isernia", "Campobasso", "Benevento", "Potenza", "Castrovillari", "Cosenza"),
    ],
)
def test_towns_follow_each_other_down_the_peninsula(board: Board, towns: tuple[str, ...]):
    columns = [int(min(codes(board, board.places[town].hexes))[:2]) for town in towns]
    assert columns == sorted(columns)


@pytest.mark.parametrize(
    ("terrain", "hex", "where"),
    [
        ("mountain", "1413", "the Maiella"),
        ("mountain", "2016", "the Matese"),
        ("mountain", "4017", "the Pollino"),
        ("mountain", "4718", "the Sila"),
        ("mountain", "5427", "the Aspromonte"),
        ("clear", "2509", "the Tavoliere"),
        ("clear", "2421", "the plain of Campania"),
        ("clear", "1620", "the Liri valley"),
        ("marsh", "1324", "the Pontine marshes"),
        ("sea", "4511", "the gulf of Taranto"),
        ("sea", "2623", "the gulf of Naples"),
    ],
)
def test_ranges_plains_and_gulfs_are_where_they_belong(
    board: Board, terrain: str, hex: str, where: str
):
    assert board.terrain_of(board.lattice.parse(hex)) == terrain, where


def test_half_of_the_land_is_mountain(board: Board):
    land = board.regions["land"].bit_count()
    assert 600 <= land <= 700
    assert 0.4 <= board.terrain["mountain"].bit_count() / land <= 0.6


def test_every_hex_has_its_elevation(board: Board):
    elevation = board.numbers["elevation"]
    assert all(elevation[hex] == 0 for hex in bits(board.terrain["sea"]))
    heights = {
        name: np.mean([elevation[hex] for hex in bits(board.terrain[name])])
        for name in ("clear", "mountain", "marsh")
    }
    assert heights["marsh"] < 50 < heights["clear"] < 300 < heights["mountain"]
