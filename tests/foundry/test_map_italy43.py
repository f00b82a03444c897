"""The map of Italy '43: every hex that the book names is what the book says.

Much else on it is reconstructed (Benevento's hex, points, sections, edges of entry areas): tests of
that hold the map to the choices made, and say so.
"""

import pytest

from apennine.board import Board, read_map
from apennine.foundry.calibration import calibrate
from apennine.foundry.lattices import whole_lattice
from apennine.foundry.recipe import map_path, read_recipe
from apennine.hexes import HexSet, Mask, bits

RIVERS = ("major-river", "minor-river", "canal")
ROADS = ("major-road", "minor-road")
NAPLES = ("2023", "2123", "2124")
BY_TURN_7 = ("Benevento", "Triflisco", "Capua", "Castel Volturno", "Caiazzo", "Amorosi")
BY_TURN_13 = ("Mondragone", "Teano", "Pignataro", "Piedimonte d'Alife")
BY_TURN_32 = (
    "Sessa Aurunca",
    "Vairano",
    "Venafro",
    "Mignano",
    "Monte Camino",
    "Monte Lungo",
    "San Pietro",
)
GUSTAV = {"Minturno": 1, "Formia": 2, "Sant'Angelo": 1, "Cassino": 2}


@pytest.fixture(scope="module")
def board() -> Board:
    return read_map(map_path("italy43"))


def hexes(board: Board, mask: Mask) -> set[str]:
    return set(HexSet(board.lattice, mask))


def sides(board: Board, *names: str) -> set[int]:
    """The hexsides of features or of roads."""
    both = {**board.sides, **board.roads}
    return {edge for name in names for edge in board.lattice.edges(both[name])}


def edge(board: Board, one: str, two: str) -> int:
    return board.lattice.edge_between(board.lattice.parse(one), board.lattice.parse(two))


def by_road(board: Board, start: Mask) -> Mask:
    """The hexes that roads of any class join to some hexes."""
    lattice = board.lattice
    return lattice.flood_sides(start, lattice.all, lattice.sides(sorted(sides(board, *ROADS))))


@pytest.mark.parametrize(
    ("place", "code"),
    [
        ("Formia", "1706"),
        ("Castel Volturno", "1815"),
        ("Minturno", "1908"),
        ("Monte Lungo", "2707"),
    ],
)
def test_a_place_lies_in_the_hex_that_the_book_gives(board: Board, place: str, code: str):
    assert hexes(board, board.places[place].hexes) == {code}


@pytest.mark.parametrize("code", ["1706", "1815", "1908", "1918", "2706", "2707", "3220", "3726"])
def test_every_hex_that_the_book_names_is_land(board: Board, code: str):
    hex = board.lattice.parse(code)
    assert board.terrain_of(hex) in {"clear", "hill", "marsh"}


def test_every_control_point_lies_in_its_hex_on_the_earth():
    recipe = read_recipe("italy43")
    whole = whole_lattice(recipe)
    calibration = calibrate(recipe, whole)
    found = {c.place: whole.code(calibration.hex_of(c.lat, c.lon)) for c in recipe.control}
    assert found == {c.place: c.hex for c in recipe.control}
    assert calibration.km_per_hex == pytest.approx(3.9, abs=0.2)
    assert calibration.north == pytest.approx(40, abs=2)


def test_monte_lungo_is_next_to_the_hex_where_panzergrenadiers_start(board: Board):
    lattice = board.lattice
    assert lattice.distance(lattice.parse("2706"), lattice.parse("2707")) == 1


def test_formia_is_a_city_on_the_coast_behind_the_gustav_line(board: Board):
    formia = 1 << board.lattice.parse("1706")
    assert board.kinds["minor-city"] & formia
    assert board.regions["behind-gustav"] & formia
    assert board.lattice.dilate(formia) & board.terrain["sea"]


def test_ships_reach_castel_volturno_and_not_cassino(board: Board):
    assert board.regions["naval"] & board.places["Castel Volturno"].hexes
    assert not board.regions["naval"] & board.places["Cassino"].hexes


def test_minturno_looks_over_the_garigliano_from_the_gustav_line(board: Board):
    assert board.regions["gustav-hexes"] & board.places["Minturno"].hexes
    river = edge(board, "1908", "1909")
    [garigliano] = [run for run in board.runs["major-river"] if run.name == "Garigliano"]
    assert river in garigliano.edges
    assert river in board.lattice.edges(board.lines["gustav"].sides)


def test_benevento_is_reconstructed_next_to_where_american_tanks_start(board: Board):
    [benevento] = bits(board.places["Benevento"].hexes)
    assert board.lattice.distance(benevento, board.lattice.parse("3726")) == 1


def test_a_major_road_joins_the_three_hexes_of_naples(board: Board):
    assert hexes(board, board.places["Naples"].hexes) == set(NAPLES)
    assert board.kinds["naples"] == board.places["Naples"].hexes
    assert not board.places["Naples"].hexes & ~board.kinds["major-city"]
    road = sides(board, "major-road")
    for one, two in (("2023", "2123"), ("2023", "2124"), ("2123", "2124")):
        assert edge(board, one, two) in road


def test_the_river_runs_through_benevento_and_not_round_it(board: Board):
    lattice = board.lattice
    [benevento] = bits(board.places["Benevento"].hexes)
    near = lattice.neighbours(benevento)
    rivers = sides(board, *RIVERS)
    assert not rivers & {lattice.edge_between(benevento, hex) for hex in near}
    calore = [run for run in board.runs["minor-river"] if run.name == "Calore"]
    ends = {hex for run in calore for e in run.edges for hex in lattice.edge_hexes(e)}
    assert len(calore) == 2
    assert ends & set(near)


def test_the_lower_volturno_ends_west_of_3220(board: Board):
    lattice = board.lattice
    [lower] = [run for run in board.runs["major-river"] if run.name == "Volturno"]
    columns = {int(lattice.code(h)[:2]) for e in lower.edges for h in lattice.edge_hexes(e)}
    assert max(columns) <= 31
    assert any(run.name == "Volturno" for run in board.runs["minor-river"])


def test_the_volturno_runs_from_the_mountains_to_the_sea_without_a_gap(board: Board):
    lattice = board.lattice
    runs = [r for name in RIVERS[:2] for r in board.runs[name] if r.name == "Volturno"]
    corners = [{frozenset(p) for p in _ends(board, run.edges)} for run in runs]
    assert len(runs) == 2
    assert corners[0] & corners[1]
    mouth = {h for run in runs for e in run.edges for h in lattice.edge_hexes(e)}
    assert any(lattice.dilate(1 << hex) & board.terrain["sea"] for hex in mouth)


def _ends(board: Board, edges: tuple[int, ...]) -> set[tuple[int, ...]]:
    """The corners of hexsides, each as the hexes that meet there."""
    lattice = board.lattice
    found: set[tuple[int, ...]] = set()
    for e in edges:
        one, two = lattice.edge_hexes(e)
        found |= {
            tuple(sorted((one, two, third)))
            for third in lattice.neighbours(one)
            if lattice.direction(two, third) >= 0
        }
    return found


def test_the_canal_crosses_the_campania_plain_to_the_sea(board: Board):
    [canal] = board.runs["canal"]
    lattice = board.lattice
    banks = {h for e in canal.edges for h in lattice.edge_hexes(e)}
    assert len(canal.edges) > 20
    assert {board.terrain_of(h) for h in banks} <= {"clear", "marsh"}
    assert any(lattice.dilate(1 << h) & board.terrain["sea"] for h in banks)
    assert set(canal.edges) & sides(board, "major-road")


def test_a_full_mountain_hex_has_mountains_on_all_sides(board: Board):
    lattice = board.lattice
    mountains = sides(board, "mountain")
    for hex in bits(board.terrain["mountain"]):
        for near in lattice.neighbours(hex):
            assert lattice.edge_between(hex, near) in mountains, lattice.code(hex)


def test_passes_lead_over_mountain_hexsides_that_no_road_crosses(board: Board):
    passes = sides(board, "pass")
    assert len(passes) >= 10
    assert passes <= sides(board, "mountain")
    assert not passes & sides(board, *ROADS)


def test_roads_cross_some_mountains_and_some_rivers(board: Board):
    roads = sides(board, *ROADS)
    assert roads & sides(board, "mountain")
    bridges = set(board.lattice.edges(board.bridges["road"].sides))
    assert bridges == roads & sides(board, *RIVERS)


def test_victory_points_are_those_of_the_reconstruction(board: Board):
    points = {p.name: p.numbers["vp"] for p in board.places.values() if "vp" in p.kinds}
    assert points == {**dict.fromkeys([*BY_TURN_7, *BY_TURN_13, *BY_TURN_32], 1), **GUSTAV}
    short = [p for name, p in points.items() if name not in GUSTAV]
    assert sum(short) == 17
    assert sum(points.values()) >= 20


def test_no_two_places_with_points_share_a_hex(board: Board):
    count = sum("vp" in place.kinds for place in board.places.values())
    assert board.kinds["vp"].bit_count() == count


@pytest.mark.parametrize("place", [*BY_TURN_7, *BY_TURN_13, *BY_TURN_32])
def test_this_place_with_points_is_short_of_the_gustav_line(board: Board, place: str):
    assert not board.regions["behind-gustav"] & board.places[place].hexes


@pytest.mark.parametrize("place", sorted(GUSTAV))
def test_this_place_is_on_or_behind_the_gustav_line(board: Board, place: str):
    assert board.regions["behind-gustav"] & board.places[place].hexes


def test_the_gustav_line_has_a_front_and_its_hexes_lie_behind_it(board: Board):
    line = board.lines["gustav"]
    behind = board.regions["behind-gustav"]
    lattice = board.lattice
    for d, mask in enumerate(line.over):
        for hex in bits(mask):
            assert not behind >> hex & 1
            assert behind >> lattice.neighbour(hex, d) & 1
    assert board.regions["gustav-hexes"].bit_count() > 15


def test_s2_is_not_next_to_e1(board: Board):
    assert board.box("E1").location not in board.box("S2").boxes
    assert board.box("S2").location not in board.box("E1").boxes


def test_entry_areas_follow_each_other_round_the_edge_as_reconstructed(board: Board):
    names = {box.location: box.name for box in board.boxes}
    assert {box.name: {names[near] for near in box.boxes} for box in board.boxes} == {
        "N1": {"N2"},
        "N2": {"N1", "N3"},
        "N3": {"N2", "N4"},
        "N4": {"N3", "E3"},
        "E3": {"N4", "E2"},
        "E2": {"E3", "E1"},
        "E1": {"E2"},
        "S1": {"S2"},
        "S2": {"S1"},
    }


def test_entry_areas_lie_along_the_edges_and_share_no_hex(board: Board):
    edges = {"N": {"01"}, "S": {"30"}}
    seen: Mask = 0
    for box in board.boxes:
        assert box.hexes
        assert not box.hexes & seen, box.name
        assert not box.hexes & board.terrain["sea"]
        seen |= box.hexes
        codes = hexes(board, box.hexes)
        if box.name == "N4":
            assert all(code[2:] == "01" or code[:2] == "43" for code in codes)
        elif box.name[0] == "E":
            assert {code[:2] for code in codes} == {"43"}
        else:
            assert {code[2:] for code in codes} == edges[box.name[0]]


@pytest.mark.parametrize(
    ("place", "section"),
    [
        ("Campobasso", "section-e1"),
        ("Vinchiaturo", "section-e1"),
        ("Boiano", "section-e2"),
        ("Isernia", "section-e3"),
        ("Castel di Sangro", "section-n4"),
        ("Alfedena", "section-n4"),
    ],
)
def test_this_town_is_in_its_reconstructed_section(board: Board, place: str, section: str):
    assert board.regions[section] & board.places[place].hexes


def test_the_four_sections_make_up_the_zone_of_the_8th_army(board: Board):
    sections = [board.regions[f"section-{name}"] for name in ("e1", "e2", "e3", "n4")]
    zone = board.regions["eighth-army"]
    assert sum(s.bit_count() for s in sections) == zone.bit_count()
    assert sections[0] | sections[1] | sections[2] | sections[3] == zone
    assert all(len(list(board.lattice.components(s))) == 1 for s in sections)


def test_no_place_with_points_is_in_the_zone_of_the_8th_army(board: Board):
    assert not board.kinds["vp"] & board.regions["eighth-army"]


def test_all_land_hangs_together(board: Board):
    land = board.regions["land"]
    assert len(list(board.lattice.components(land))) == 1
    assert land | board.regions["sea"] == board.lattice.all


def test_every_city_and_every_place_with_points_but_the_summit_is_on_a_road(board: Board):
    roads = board.road_hexes["major-road"] | board.road_hexes["minor-road"]
    towns = board.kinds["major-city"] | board.kinds["minor-city"] | board.kinds["vp"]
    assert hexes(board, towns & ~roads) == hexes(board, board.places["Monte Camino"].hexes)


def test_roads_join_every_entry_area_to_naples(board: Board):
    net = by_road(board, board.places["Naples"].hexes)
    for box in board.boxes:
        assert net & box.hexes, box.name


def test_supply_comes_from_the_areas_of_the_book(board: Board):
    names = {box.location: box.name for box in board.boxes}
    found = {key: {names[b] for b in source.boxes} for key, source in board.supply.items()}
    assert found == {
        "german": {"N1", "N2", "N3", "N4"},
        "allied": {"S1", "S2"},
        "east": {"E1", "E2", "E3"},
    }
    assert hexes(board, board.supply["allied"].hexes) == set(NAPLES)


def test_heights_are_those_of_the_country(board: Board):
    heights = board.numbers["elevation"]

    def height(place: str) -> int:
        return heights[next(iter(bits(board.places[place].hexes)))]

    assert height("Castel Volturno") <= 20
    assert height("Cassino") < 200
    assert height("Monte Camino") > 400
    assert height("Vesuvius") > 500
    assert height("Monte Miletto") > 1300
    inland = board.regions["land"] & ~board.lattice.dilate(board.terrain["sea"], 3)
    assert all(heights[hex] > 0 for hex in bits(inland))


def test_there_is_marsh_only_near_the_coast(board: Board):
    assert not board.terrain["marsh"] & ~board.lattice.dilate(board.terrain["sea"], 3)


def test_no_hexside_between_two_land_hexes_is_all_sea(board: Board):
    """So the map has no layer of such sides: each has land at one end at least."""
    lattice, sea = board.lattice, board.terrain["sea"]
    found: set[tuple[str, str]] = set()
    for one in bits(board.regions["land"]):
        for two in lattice.neighbours(one):
            ends = set(lattice.neighbours(one)) & set(lattice.neighbours(two))
            if board.regions["land"] >> two & 1 and all(sea >> hex & 1 for hex in ends):
                found.add((lattice.code(min(one, two)), lattice.code(max(one, two))))
    # The coast south of Castellammare, at the edge: land goes on beyond the map.
    assert found == {("2030", "2130")}


@pytest.mark.parametrize(
    ("code", "terrain"),
    [
        ("2605", "hill"),  # Monte Trocchio
        ("2502", "mountain"),  # Monte Cairo
        ("3616", "mountain"),  # Monte Mutria
        ("1905", "mountain"),  # the massif of Monte Petrella, whose top is in 1906
        ("1906", "hill"),
        ("3322", "mountain"),  # that of Monte Taburno, whose top is in 3223
        ("3223", "hill"),
    ],
)
def test_summits_stand_on_high_ground(board: Board, code: str, terrain: str):
    assert board.terrain_of(board.lattice.parse(code)) == terrain


def test_in_the_plain_only_crossings_of_the_volturno_have_points(board: Board):
    lattice = board.lattice
    runs = [run for run in board.runs["major-river"] if run.name == "Volturno"]
    banks = {hex for run in runs for e in run.edges for hex in lattice.edge_hexes(e)}
    plain = {p.name for p in board.places.values() if "vp" in p.kinds and p.name in BY_TURN_7}
    on_river = {name for name in plain if set(bits(board.places[name].hexes)) & banks}
    assert plain - on_river == {"Benevento", "Amorosi"}


def test_the_source_of_the_lattice_says_that_its_parity_is_inferred(board: Board):
    assert "inferred" in str(board.sources["lattice"])
