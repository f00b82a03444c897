"""The map of Anzio: every hex that the book names is what the book says."""

from itertools import pairwise
from pathlib import Path

import pytest

from apennine.board import Board, parse_map, read_map
from apennine.foundry.build import build
from apennine.foundry.calibration import calibrate
from apennine.foundry.lattices import whole_lattice
from apennine.foundry.recipe import Overlay, Recipe, Route, map_path, read_recipe
from apennine.hexes import Hex, HexSet, Mask, bits, mask_of

LAND = {"plain", "rough", "high", "mountain", "swamp"}
SIDE_TERRAIN = ("plain", "plain-rough", "rough", "rough-high", "high", "swamp", "water")
CLASSES = ("major", "minor")


@pytest.fixture(scope="module")
def anzio() -> Board:
    return read_map(map_path("anzio"))


def hexes(board: Board, words: str) -> Mask:
    return mask_of(board.lattice.parse(word) for word in words.split())


def names(board: Board, mask: Mask) -> set[str]:
    return set(HexSet(board.lattice, mask))


def side(board: Board, a: str, b: str) -> str:
    """The terrain of the hexside between two hexes."""
    one, two = board.lattice.parse(a), board.lattice.parse(b)
    d = board.lattice.direction(one, two)
    (found,) = [name for name in SIDE_TERRAIN if board.sides[name][d] >> one & 1]
    return found


def height(code: str) -> float:
    """How far down the board a hex lies, in hex heights."""
    return int(code[1:]) + (ord(code[0]) - ord("A")) / 2


def shore(board: Board, hex: Hex) -> set[str]:
    """The terrain of a hex's sides toward the sea."""
    near = names(board, mask_of(board.lattice.neighbours(hex)) & board.terrain["sea"])
    return {side(board, board.lattice.code(hex), code) for code in near}


# The grid


def test_the_board_has_25_columns_between_its_edges(anzio: Board):
    codes = names(anzio, anzio.lattice.all)
    assert {code[0] for code in codes} == set("ABCDEFGHIJKLMNOPQRSTUVWXY")
    assert min(map(height, codes)) == 12
    assert max(map(height, codes)) == 80.5
    assert len(codes) == 25 * 69


@pytest.mark.parametrize(
    ("a", "b", "direction"),
    [
        ("T26", "T25", 0),
        ("T25", "T24", 0),
        ("S27", "T26", 1),
        ("R25", "S25", 2),
        ("T26", "U26", 2),
        ("U26", "U27", 3),
        ("I58", "J58", 2),
        ("A14", "B14", 2),
    ],
)
def test_the_neighbours_of_the_examples_touch(anzio: Board, a: str, b: str, direction: int):
    lattice = anzio.lattice
    assert lattice.direction(lattice.parse(a), lattice.parse(b)) == direction


@pytest.mark.parametrize(
    ("place", "code"),
    [(c.place, c.hex) for c in read_recipe("anzio").control if c.by == "book"],
)
def test_the_places_of_the_book_lie_in_their_hexes(anzio: Board, place: str, code: str):
    assert code in names(anzio, anzio.places[place].hexes)


def test_every_control_point_is_exact():
    recipe = read_recipe("anzio")
    lattice = whole_lattice(recipe)
    calibration = calibrate(recipe, lattice)
    for point in recipe.control:
        assert lattice.code(calibration.hex_of(point.lat, point.lon)) == point.hex, point.place
    assert calibration.km_per_hex == pytest.approx(11.4, abs=0.8)


@pytest.mark.parametrize(
    ("a", "b", "far"), [("L23", "V21", 10), ("V40", "V44", 4), ("W43", "W28", 15)]
)
def test_distances_of_the_book(anzio: Board, a: str, b: str, far: int):
    assert anzio.lattice.distance(anzio.lattice.parse(a), anzio.lattice.parse(b)) == far


# The ground


@pytest.mark.parametrize(
    ("code", "terrain"),
    [
        ("K13", "rough"),
        ("Q12", "plain"),
        ("D12", "mountain"),
        ("F51", "swamp"),
        ("W43", "plain"),
        ("Y46", "plain"),
        ("S4", "lake"),
        ("T3", "lake"),
    ],
)
def test_the_terrain_that_the_book_names(anzio: Board, code: str, terrain: str):
    assert anzio.terrain_of(anzio.lattice.parse(code)) == terrain


@pytest.mark.parametrize(
    "code",
    [
        "C13",
        "F17",
        "Q16",
        "X52",
        "E47",
        "G46",
        "J52",
        "M55",
        "M58",
        "Q62",
        "R70",
        "B33",
        "B34",
        "A31",
    ],
)
def test_units_of_the_order_of_battle_stand_on_land(anzio: Board, code: str):
    assert anzio.terrain_of(anzio.lattice.parse(code)) in LAND


def test_every_hexside_has_one_terrain(anzio: Board):
    for d, inner in enumerate(anzio.lattice.all_sides):
        found = [anzio.sides[name][d] for name in SIDE_TERRAIN]
        assert sum(mask.bit_count() for mask in found) == inner.bit_count()
        assert all(mask & ~inner == 0 for mask in found)


def test_water_sides_are_those_between_two_hexes_of_water(anzio: Board):
    wet = anzio.terrain["sea"] | anzio.terrain["lake"]
    for d in range(6):
        both = wet & anzio.lattice.shift(wet, (d + 3) % 6)
        assert anzio.sides["water"][d] == both


def test_high_apennine_follows_the_ranges(anzio: Board):
    assert side(anzio, "D12", "E12") == "high"
    assert side(anzio, "F50", "G49") == "swamp"
    assert side(anzio, "Q12", "Q13") == "plain"
    lattice = anzio.lattice
    touched = mask_of(h for d in range(6) for h in bits(anzio.sides["high"][d]))
    for city in ("Bologna", "Roma", "Napoli", "Foggia", "Mantova", "Pescara"):
        assert not lattice.dilate(anzio.places[city].hexes) & touched, city
    heights = anzio.numbers["elevation"]
    mean = sum(heights[h] for h in bits(touched)) / touched.bit_count()
    assert mean > 700


def test_terrain_counts_are_those_of_italy(anzio: Board):
    counts = {name: mask.bit_count() for name, mask in anzio.terrain.items()}
    assert counts["lake"] == 6
    assert counts["lake-road"] == 2
    assert 110 <= counts["mountain"] <= 180
    assert counts["rough"] > counts["plain"] > counts["mountain"] > counts["high"]
    sides = {name: sum(map(int.bit_count, anzio.sides[name])) // 2 for name in SIDE_TERRAIN}
    assert 200 <= sides["high"] <= 350
    assert sides["rough"] > sides["plain-rough"] > sides["rough-high"]


def test_every_land_hex_has_its_height(anzio: Board):
    heights = anzio.numbers["elevation"]
    assert heights[anzio.lattice.parse("Q12")] < 50
    assert max(heights[h] for h in anzio.lattice) > 1300
    mountains = [heights[h] for h in bits(anzio.terrain["mountain"])]
    assert sum(mountains) / len(mountains) > 700


def test_the_land_hangs_together(anzio: Board):
    assert len(anzio.lattice.components(anzio.regions["land"])) == 1
    barrier = anzio.sides["barrier"]
    sides = tuple(inner & ~wall for inner, wall in zip(anzio.lattice.all_sides, barrier))
    n, ne, se, s, sw, nw = sides
    playable = anzio.regions["playable"]
    start = anzio.lattice.parse("Q15")
    assert anzio.lattice.flood_sides(1 << start, playable, (n, ne, se, s, sw, nw)) == playable


def test_lakes(anzio: Board):
    assert names(anzio, anzio.places["Lago di Garda"].hexes) == {"S4", "T3"}
    trasimeno = anzio.places["Lago di Trasimeno"].hexes
    assert trasimeno.bit_count() == 3
    assert (trasimeno & anzio.road_hexes["minor"]).bit_count() == 2
    assert trasimeno & anzio.road_hexes["minor"] == anzio.terrain["lake-road"]
    for lake in ("Lago di Bolsena", "Lago di Bracciano", "Valli di Comacchio"):
        assert anzio.places[lake].hexes.bit_count() == 1
    shut = anzio.terrain["lake"] | anzio.terrain["lake-road"]
    assert anzio.kinds["lake"] == shut


def test_edge_hexes_that_are_playable(anzio: Board):
    playable = anzio.regions["playable"]
    north = hexes(anzio, "A12 C11 E10 G9 I8 K7 M6 O5 Q4 S3 U2 W1 Y0")
    assert north & ~playable == 0
    assert names(anzio, playable) & {f"A{n}" for n in range(13, 81)} == {"A13", "A14", "A31"}
    assert hexes(anzio, "N74 P73 R72 T71") & ~playable == 0


def test_the_barrier_of_the_promontory(anzio: Board):
    a, b = (anzio.lattice.parse(code) for code in ("I58", "J58"))
    barriers = anzio.lattice.edges(anzio.sides["barrier"])
    assert barriers == [anzio.lattice.edge_between(a, b)]


# The coast


def test_beach_and_coast(anzio: Board):
    lattice = anzio.lattice
    for code in ("A14", "B14"):
        assert shore(anzio, lattice.parse(code)) & {"plain", "plain-rough"}, code
    assert shore(anzio, lattice.parse("C15")) == {"rough"}
    assert hexes(anzio, "B33 B34 A31 E20 J58 N74 Y13 Y46") & ~anzio.regions["coast"] == 0


def test_beaches_are_the_hexes_with_plain_ground_on_the_sea(anzio: Board):
    plain = {"plain", "plain-rough"}
    found = mask_of(hex for hex in bits(anzio.regions["coast"]) if shore(anzio, hex) & plain)
    assert anzio.regions["beach"] == found
    assert not found & hexes(anzio, "C15")


def test_hexes_with_hardly_any_land_are_sea(anzio: Board):
    small = anzio.regions["too-small"]
    assert small & ~anzio.terrain["sea"] == 0
    assert small & ~anzio.lattice.neighbours_of(anzio.regions["land"]) == 0


def test_thirteen_invasion_zones_of_beaches(anzio: Board):
    zones = [place for place in anzio.places.values() if "invasion-zone" in place.kinds]
    assert len(zones) == 13
    for zone in zones:
        assert zone.hexes & ~anzio.regions["coast"] == 0, zone.name
        for hex in bits(zone.hexes):
            found = shore(anzio, hex)
            assert found & {"plain", "plain-rough"}, f"{zone.name} {anzio.lattice.code(hex)}"
        assert len(anzio.lattice.components(zone.hexes)) == 1, zone.name
    for one, two in pairwise(zones):
        assert not one.hexes & two.hexes
    assert sum("west-coast" in zone.kinds for zone in zones) == 10
    assert sum("east-coast" in zone.kinds for zone in zones) == 3


def test_six_zones_lie_south_of_the_middle_fold(anzio: Board):
    south = anzio.regions["south-of-middle-fold"]
    zones = [place for place in anzio.places.values() if "invasion-zone" in place.kinds]
    wholly = {zone.name for zone in zones if zone.hexes & ~south == 0}
    assert wholly == {zone.name for zone in zones if "basic-zone" in zone.kinds}
    assert len(wholly) == 6
    roma = anzio.places["Roma zone"]
    assert roma.hexes & south
    assert roma.hexes & anzio.regions["north-of-middle-fold"]


@pytest.mark.parametrize(
    ("zone", "lift"),
    [("Genova", 14), ("Rimini", 10), ("Napoli", 18), ("Pescara", 14)],
)
def test_lift_of_the_zones_that_the_rules_name(anzio: Board, zone: str, lift: int):
    assert anzio.places[f"{zone} zone"].numbers["il"] == lift


PORTS = {
    "Genova": (80, 12),
    "La Spezia": (40, 6),
    "Livorno": (60, 10),
    "Piombino": (30, 4),
    "Civitavecchia": (40, 6),
    "Lido di Roma": (40, 8),
    "Anzio": (40, 8),
    "Terracina": (30, 8),
    "Gaeta": (40, 8),
    "Napoli": (100, 24),
    "Salerno": (40, 12),
    "Sapri": (10, 4),
    "Termoli": (30, 6),
    "Pescara": (30, 8),
    "Ancona": (40, 6),
}


def test_ports_lie_on_the_coast_with_their_figures(anzio: Board):
    ports = {p.name: p for p in anzio.places.values() if "port" in p.kinds}
    found = {name: (p.numbers["cap"], p.numbers["bu"]) for name, p in ports.items()}
    assert found == PORTS
    for name, port in ports.items():
        assert port.hexes & anzio.regions["coast"], name


def test_six_of_the_nine_victory_cities_of_game_one_are_ports(anzio: Board):
    cities = {p.name: p for p in anzio.places.values() if "victory-i" in p.kinds}
    assert set(cities) == {
        *("Salerno", "Foggia", "Napoli", "Termoli", "Cassino"),
        *("Terracina", "Pescara", "Anzio", "Roma"),
    }
    assert sum("port" in city.kinds for city in cities.values()) == 6


def test_victory_cities_of_games_two_and_three(anzio: Board):
    two = {p.name for p in anzio.places.values() if "victory-ii" in p.kinds}
    assert two == {
        *("Napoli", "Cassino", "Pescara", "Roma", "Perugia"),
        *("Ancona", "Livorno", "Firenze", "Rimini"),
    }
    three = {p.name for p in anzio.places.values() if "victory-iii" in p.kinds}
    assert three == {p.name for p in anzio.places.values() if "major-city" in p.kinds}
    assert {"Piacenza", "Brescia", "Vicenza", "La Spezia", "Modena", "Ferrara"} <= three


def test_cities_of_several_hexes(anzio: Board):
    roma = anzio.places["Roma"].hexes
    assert roma.bit_count() == 3
    assert roma & ~anzio.regions["south-of-middle-fold"] == 0
    assert anzio.places["Livorno"].hexes.bit_count() == 2
    for city in ("Roma", "Livorno"):
        assert len(anzio.lattice.components(anzio.places[city].hexes)) == 1


def test_six_air_bases(anzio: Board):
    bases = {p.name for p in anzio.places.values() if "air-base" in p.kinds}
    assert bases == {"Pisa", "Foggia", "Napoli", "Roma"}
    assert anzio.kinds["air-base"].bit_count() == 6


# Rivers, roads and bridges


@pytest.mark.parametrize("code", ["D14", "R25", "S27"])
def test_headwaters_are_no_river_hexes(anzio: Board, code: str):
    river = anzio.through["river"]
    assert river.headwaters >> anzio.lattice.parse(code) & 1
    assert not river.hexes >> anzio.lattice.parse(code) & 1


@pytest.mark.parametrize("code", ["E22", "D45", "F50", "S9", "S25", "T26", "U26"])
def test_river_hexes_of_the_book(anzio: Board, code: str):
    assert anzio.through["river"].hexes >> anzio.lattice.parse(code) & 1


@pytest.mark.parametrize("code", ["H20", "J36", "J38", "L39", "V25"])
def test_hexes_with_two_rivers(anzio: Board, code: str):
    hex = anzio.lattice.parse(code)
    found = [course for course in anzio.through["river"].courses if hex in course.hexes]
    assert len({course.name for course in found}) == 2
    assert all(hex != course.hexes[0] for course in found)


def test_the_river_of_the_retreat_examples(anzio: Board):
    lattice = anzio.lattice
    river = {
        course.name: [lattice.code(h) for h in course.hexes]
        for course in anzio.through["river"].courses
    }
    assert river["Candigliano"][:3] == ["S27", "T26", "U26"]
    assert river["Metauro"][:2] == ["R25", "S25"]
    # From U27 a unit on U26 may go on to any neighbour but U25.
    here = lattice.parse("U26")
    enters = lattice.direction(here, lattice.parse("T26"))
    leaves = lattice.direction(here, lattice.parse("V25"))
    across = {d % 6 for d in range(enters + 1, enters + (leaves - enters) % 6)}
    assert {lattice.code(lattice.neighbour(here, d)) for d in across} == {"U25"}


def test_no_river_ends_in_the_middle_of_the_land(anzio: Board):
    courses = anzio.through["river"].courses
    wet = anzio.terrain["sea"] | anzio.terrain["lake"]
    for course in courses:
        others = mask_of(h for other in courses if other is not course for h in other.hexes)
        mouth = course.hexes[-1]
        assert course.leaves >= 0 or (wet | others) >> mouth & 1, course.name
        assert len(set(course.hexes)) == len(course.hexes), course.name
    assert len(courses) >= 55


def test_the_rivers_of_the_printed_map_are_there(anzio: Board):
    named = {course.name for course in anzio.through["river"].courses}
    assert named >= {
        *("Serchio", "Tevere", "Marecchia", "Savio", "Montone", "Lamone", "Conca", "Foglia"),
        *("Nera", "Tronto", "Aso", "Chienti", "Esino", "Cesano", "Metauro", "Tordino", "Sacco"),
        *("Liri", "Rapido", "Pescara", "Sangro", "Trigno", "Biferno", "Volturno", "Calore"),
        *("Fortore", "Ofanto", "Canale Mussolini", "Oglio", "Po", "Arno"),
    }


def test_german_supply_of_late_1944_lies_east_of_the_oglio(anzio: Board):
    (oglio,) = [c for c in anzio.through["river"].courses if c.name == "Oglio"]
    late = anzio.regions["german-edge-late"]
    assert not mask_of(oglio.hexes) & late
    first, o5 = oglio.hexes[0], anzio.lattice.parse("O5")
    assert anzio.lattice.axial(first)[0] < anzio.lattice.axial(o5)[0]


def road_sides(board: Board, hex: Hex) -> set[int]:
    return {d for name in CLASSES for d in range(6) if board.roads[name][d] >> hex & 1}


def test_a_road_that_goes_from_bank_to_bank_has_a_bridge(anzio: Board):
    bridges = anzio.bridges["road"].hexes
    found = 0
    for course in anzio.through["river"].courses:
        for before, hex, after in zip(course.hexes, course.hexes[1:], course.hexes[2:]):
            enters = anzio.lattice.direction(hex, before)
            leaves = anzio.lattice.direction(hex, after)
            left = {d % 6 for d in range(enters + 1, enters + (leaves - enters) % 6)}
            right = set(range(6)) - left - {enters, leaves}
            roads = road_sides(anzio, hex)
            if roads & left and roads & right:
                found += 1
                assert bridges >> hex & 1, anzio.lattice.code(hex)
    assert found > 50


def test_bridges_stand_in_river_hexes_with_a_road_or_a_city(anzio: Board):
    bridges = anzio.bridges["road"].hexes
    roads = anzio.road_hexes["major"] | anzio.road_hexes["minor"]
    cities = anzio.kinds["major-city"] | anzio.kinds["minor-city"]
    assert bridges & ~anzio.through["river"].hexes == 0
    assert bridges & ~(roads | cities) == 0
    parted = anzio.through["river"].hexes & cities & ~hexes(anzio, "D45")
    assert parted & ~bridges == 0


def test_bridges_of_the_book(anzio: Board):
    bridges = names(anzio, anzio.bridges["road"].hexes)
    assert {"E22", "S9", "T25", "F45"} <= bridges
    assert not {"D45", "U26"} & bridges


def test_roads_of_the_book(anzio: Board):
    major, minor = (anzio.road_hexes[name] for name in CLASSES)
    assert major >> anzio.lattice.parse("B14") & 1
    assert minor >> anzio.lattice.parse("B12") & 1
    assert not major >> anzio.lattice.parse("B12") & 1
    firenze = anzio.places["Firenze"].hexes
    cassia = [c for c in anzio.courses["major"] if c.name == "2 Via Cassia"]
    assert any(mask_of(c.hexes) & firenze for c in cassia)


def test_no_hexside_has_both_classes_of_road(anzio: Board):
    for one, two in zip(anzio.roads["major"], anzio.roads["minor"]):
        assert one & two == 0


def test_roads_lead_from_edge_to_edge_and_to_every_major_city(anzio: Board):
    major = anzio.roads["major"]
    dry = anzio.regions["playable"]
    net = anzio.lattice.flood_sides(anzio.places["Bologna"].hexes, dry, major)
    for place in anzio.places.values():
        if "major-city" in place.kinds:
            assert net & place.hexes, place.name
    assert net & anzio.regions["german-edge"]
    assert net & anzio.regions["messina-entry"]
    assert net & anzio.regions["taranto-entry"]


# Folds, entries, supply


def test_the_folds_quarter_the_board(anzio: Board):
    for fold, y in (("middle", 46), ("bottom", 63)):
        north = anzio.regions[f"north-of-{fold}-fold"]
        south = anzio.regions[f"south-of-{fold}-fold"]
        assert names(anzio, north) == {
            code for code in names(anzio, anzio.lattice.all) if height(code) < y
        }
        assert names(anzio, south) == {
            code for code in names(anzio, anzio.lattice.all) if height(code) > y
        }
    assert "top-fold" in anzio.lines
    assert anzio.regions["south-of-middle-fold"] >> anzio.lattice.parse("F44") & 1
    assert anzio.places["Napoli"].hexes & ~anzio.regions["north-of-bottom-fold"] == 0


def test_entries_from_messina_and_taranto(anzio: Board):
    messina, taranto = anzio.box("Messina"), anzio.box("Taranto")
    assert dict(messina.numbers) == {"il": 8, "cap": 20, "bu": 8}
    assert dict(taranto.numbers) == {"il": 4, "cap": 20, "bu": 8}
    assert messina.hexes == anzio.regions["messina-entry"]
    assert taranto.hexes == anzio.regions["taranto-entry"]
    assert taranto.hexes & ~anzio.regions["playable"] == 0
    assert names(anzio, taranto.hexes) == {f"Y{n}" for n in range(46, 66)}
    assert names(anzio, anzio.regions["taranto-sept-iv"]) == {f"Y{n}" for n in range(56, 66)}
    assert names(anzio, anzio.regions["taranto-sept-iii"]) == {f"Y{n}" for n in range(60, 66)}
    assert names(anzio, anzio.regions["parachute-setup"]) == {f"Y{n}" for n in range(48, 55)}
    assert anzio.box("Sicilia").hexes == 0


def test_the_south_edge_is_messinas_as_far_as_it_is_land(anzio: Board):
    last = hexes(anzio, "N74 O73 P73 Q72 R72 S71 T71 U69 V69")
    assert last & anzio.regions["playable"] == anzio.regions["messina-entry"] == last
    beyond = hexes(anzio, "U70 V70 W69 X67 Y66")
    assert not beyond & anzio.regions["playable"]


def test_german_edges(anzio: Board):
    early, late = (anzio.regions[name] for name in ("german-edge", "german-edge-late"))
    assert late & ~early == 0
    assert early & ~anzio.regions["playable"] == 0
    assert {"O5", "Y0", "Y12"} <= names(anzio, late)
    assert {"A13", "N6"} <= names(anzio, early & ~late)
    liguria = anzio.regions["ligurian-entry"]
    assert liguria & anzio.places["Brescia"].hexes
    assert names(anzio, anzio.regions["adriatic-entry"]) == {f"Y{n}" for n in range(8)}


def test_three_stretches_of_sea_make_up_the_coast(anzio: Board):
    parts = [anzio.regions[f"sea-area-{n}"] for n in (1, 2, 3)]
    assert parts[0] | parts[1] | parts[2] == anzio.regions["coast"]
    assert sum(part.bit_count() for part in parts) == anzio.regions["coast"].bit_count()
    assert parts[0] & anzio.places["Genova zone"].hexes
    assert parts[1] & anzio.places["Napoli"].hexes
    assert parts[2] & anzio.places["Rimini"].hexes


def test_the_gustav_line_parts_the_peninsula(anzio: Board):
    north = anzio.regions["north-of-gustav"]
    assert north & anzio.places["Cassino"].hexes
    assert north & anzio.places["Pescara"].hexes
    assert not north & anzio.places["Termoli"].hexes
    assert not north & anzio.places["Napoli"].hexes


def test_the_fronts_of_1944_have_a_german_and_an_allied_side(anzio: Board):
    north, south = anzio.regions["north-of-gustav"], anzio.regions["south-of-gustav"]
    assert not north & south
    assert (north | south) & anzio.regions["playable"] == anzio.regions["playable"]
    assert names(anzio, anzio.regions["front-shingle"]) >= {"M50", "L50", "V40", "K52"}
    german = anzio.regions["behind-diadem"]
    assert not german & anzio.regions["beachhead"]
    assert names(anzio, anzio.regions["front-diadem"]) >= {"M50", "F47", "G48"}
    assert anzio.regions["front-diadem"] & ~german == 0
    assert set(anzio.lines["gustav"].scenes) == {"gustav", "shingle", "diadem"}


def test_the_beachhead_holds_the_points_of_diadem(anzio: Board):
    beachhead = anzio.regions["beachhead"]
    assert 8 * beachhead.bit_count() >= 56
    ring = anzio.lattice.neighbours_of(beachhead) & anzio.regions["land"]
    free = beachhead & ~anzio.lattice.neighbours_of(ring)
    assert names(anzio, free) == {"D50", "E49", "E50"}


def test_no_river_hex_lies_in_the_sea(anzio: Board):
    river, streams = anzio.regions["river-hexes"], anzio.through["river"]
    wet = anzio.terrain["sea"] | anzio.terrain["lake"]
    assert river == (streams.hexes | streams.headwaters) & ~wet
    assert streams.hexes & anzio.terrain["sea"]


def test_the_ground_that_players_of_the_printed_map_speak_of(anzio: Board):
    assert names(anzio, anzio.terrain["mountain"]) >= {"H33", "U47", "M49"}
    assert names(anzio, anzio.terrain["plain"]) >= {"M66", "L50"}
    assert names(anzio, anzio.regions["river-hexes"]) >= {"U46", "V46", "V44", "W43"}
    assert not names(anzio, anzio.regions["river-hexes"]) & {"U47", "V42", "V43"}


# The option of the foundry that keeps these roads from winding


def test_a_straight_road_leaves_out_the_hexes_that_it_only_touches(recipe: Recipe, geodata: Path):
    stops = ["Porto", "Monte"]
    winding = [(42.3, 12.6), (42.46, 12.72), (42.3, 12.86), (42.5, 13.1)]
    recipe.roads = recipe.roads[:1]
    recipe.roads[0].routes = [Route(stops, name="Via", points=winding)]

    def corners(board: Board) -> int:
        (road,) = board.courses["road"]
        places = mask_of(h for stop in stops for h in bits(board.places[stop].hexes))
        return sum(
            board.lattice.direction(a, c) >= 0 and not places >> b & 1
            for a, b, c in zip(road.hexes, road.hexes[1:], road.hexes[2:])
        )

    assert corners(parse_map(build(recipe, Overlay(), geodata, "valley").text)) > 0
    recipe.roads[0].straight = True
    assert corners(parse_map(build(recipe, Overlay(), geodata, "valley").text)) == 0
