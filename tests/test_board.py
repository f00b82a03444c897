"""Maps: what a file says is what the board holds, and whatever is wrong with a file is told."""

from __future__ import annotations

import importlib
import re
import string
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apennine.board import (
    Board,
    MapError,
    draw_svg,
    draw_text,
    parse_map,
    read_map,
    to_png,
)
from apennine.hexes import NO_SIDES, HexError, HexSet, Lattice, Numbering, Sheet, bits, opposite

DATA = Path(__file__).parent / "data"
FORD = (DATA / "ford.toml").read_text()
SLANTING = (DATA / "slanting.toml").read_text()
TWO_SHEETS = (DATA / "two_sheets.toml").read_text()


@pytest.fixture(scope="module")
def ford() -> Board:
    return read_map(DATA / "ford.toml")


@pytest.fixture(scope="module")
def slanting() -> Board:
    return read_map(DATA / "slanting.toml")


@pytest.fixture(scope="module")
def two_sheets() -> Board:
    return read_map(DATA / "two_sheets.toml")


def codes(board: Board, mask: int) -> set[str]:
    return set(HexSet(board.lattice, mask))


def pairs(board: Board, sides: tuple[int, ...]) -> set[str]:
    """Hexsides as `1010/1011`, the lower code first, and seen from both hexes alike."""
    lattice = board.lattice
    found = {
        (lattice.code(hex), lattice.code(lattice.neighbour(hex, d)))
        for d in range(6)
        for hex in bits(sides[d])
    }
    assert found == {(b, a) for a, b in found}
    return {f"{a}/{b}" for a, b in found if a < b}


def over(board: Board, sides: tuple[int, ...]) -> set[str]:
    lattice = board.lattice
    return {
        f"{lattice.code(hex)}>{lattice.code(lattice.neighbour(hex, d))}"
        for d in range(6)
        for hex in bits(sides[d])
    }


def mistakes(text: str) -> list[tuple[str, str, str]]:
    with pytest.raises(MapError) as caught:
        parse_map(text)
    return [(mistake.key, mistake.hex, mistake.text) for mistake in caught.value.mistakes]


# What a sound file says


def test_terrain_stands_where_the_grid_draws_it(ford: Board) -> None:
    assert ford.terrain_of(ford.parse("1010")) == "mountain"
    assert ford.terrain_of(ford.parse("1712")) == "sea"
    assert codes(ford, ford.terrain["marsh"]) == {"1214", "1314"}
    assert sum(ford.terrain.values()) == ford.lattice.all
    assert ford.lattice.count == 8 * 6 - 3


def test_a_dot_is_no_hex(ford: Board) -> None:
    with pytest.raises(HexError, match="1415"):
        ford.lattice.parse("1415")


def test_numbers_of_hexes_and_their_default(ford: Board) -> None:
    elevation = ford.numbers["elevation"]
    assert elevation[ford.parse("1210")] == 800
    assert elevation[ford.parse("1712")] == 0
    assert set(elevation) == set(ford.lattice)


def test_a_river_runs_along_its_hexsides(ford: Board) -> None:
    (rio,) = ford.runs["minor-river"]
    assert rio.name == "Rio"
    assert pairs(ford, ford.sides["minor-river"]) == {
        "1111/1112",
        "1112/1211",
        "1211/1212",
        "1211/1312",
        "1311/1312",
    }
    assert ford.lattice.sides(rio.edges) == ford.sides["minor-river"]


def test_a_crest_knows_which_way_is_up(ford: Board) -> None:
    assert over(ford, ford.over["crest"]) == {
        "1310>1210",
        "1311>1210",
        "1211>1210",
        "1211>1111",
        "1112>1111",
    }
    assert ford.sides["crest"] != ford.over["crest"]
    assert "1210/1310" in pairs(ford, ford.sides["crest"])
    assert "major-river" not in ford.over


def test_roads_are_the_hexsides_and_hexes_of_their_courses(ford: Board) -> None:
    assert pairs(ford, ford.roads["major"]) == {
        "1013/1113",
        "1113/1212",
        "1212/1313",
        "1313/1412",
        "1412/1513",
    }
    assert codes(ford, ford.road_hexes["rail"]) == {
        "1115", "1214", "1314", "1313", "1312", "1411", "1511", "1510",
    }  # fmt: skip


def test_a_road_may_come_from_beyond_the_map(ford: Board) -> None:
    (via_nuova,) = ford.courses["major"]
    assert via_nuova.name == "Via Nuova"
    assert (via_nuova.enters, via_nuova.leaves) == (4, -1)
    assert ford.courses["minor"][0].leaves == 0


def test_bridges_are_where_roads_cross_rivers_but_for_those_taken_away(ford: Board) -> None:
    assert pairs(ford, ford.bridges["road"].sides) == {"1313/1412"}
    assert pairs(ford, ford.bridges["rail"].sides) == {"1312/1411"}


def test_places_have_hexes_kinds_and_numbers(ford: Board) -> None:
    port = ford.places["Porto d'Oro"]
    assert codes(ford, port.hexes) == {"1513"}
    assert port.kinds == {"city", "port"}
    assert dict(port.numbers) == {"vp": 1, "cap": 40, "bu": 8}
    assert codes(ford, ford.places["Spiaggia"].hexes) == {"1115", "1215", "1315"}
    assert codes(ford, ford.kinds["city"]) == {"1411", "1511", "1513"}
    assert [place.name for place in ford.places_at(ford.parse("1511"))] == ["Borgo"]


def test_boxes_come_after_the_hexes_and_have_names_like_them(ford: Board) -> None:
    reserve = ford.parse("reserve")
    assert reserve == ford.size - 1 >= ford.lattice.size
    assert ford.code(reserve) == "reserve"
    assert ford.code(ford.parse("1313")) == "1313"
    assert ford.is_box(reserve)
    assert not ford.is_box(ford.parse("1313"))
    with pytest.raises(HexError, match="neither a hex nor a box of The Ford"):
        ford.parse("N9")


def test_boxes_are_next_to_hexes_and_to_each_other(ford: Board) -> None:
    north, second = ford.box("N1"), ford.box("N2")
    assert codes(ford, north.hexes) == {"1010", "1110", "1210", "1310", "1410", "1510", "1610"}
    assert ford.boxes_next_to(ford.parse("1110")) == (north,)
    assert ford.boxes_next_to(ford.parse("1313")) == ()
    assert ford.boxes_next_to(north.location) == (second,)
    assert ford.boxes_next_to(second.location) == (north,)


def test_a_line_has_a_front_and_parts_the_land(ford: Board) -> None:
    winter = ford.lines["winter"]
    assert winter.title == "Winter Line"
    assert "1013>1012" in over(ford, winter.over)
    assert "1012>1013" not in over(ford, winter.over)
    north = codes(ford, ford.regions["north"])
    assert {"1012", "1112", "1412", "1612"} <= north
    assert north.isdisjoint({"1013", "1113", "1313", "1513", "1712"})
    trenches = ford.lines["trenches"]
    assert codes(ford, trenches.hexes) == {"1014", "1114", "1213", "1314"}
    assert trenches.sides == trenches.over == NO_SIDES


def test_regions_are_built_from_words(ford: Board) -> None:
    assert ford.regions["land"] == ford.lattice.all & ~ford.terrain["sea"]
    near = codes(ford, ford.lattice.disc(ford.parse("1313"), 1))
    outside = near - codes(ford, ford.regions["north"])
    assert codes(ford, ford.regions["bridgehead"]) == outside | {"1115"}
    coast = ford.lattice.neighbours_of(ford.terrain["sea"])
    assert ford.regions["coast"] == coast


def test_supply_has_a_side_hexes_boxes_and_numbers(ford: Board) -> None:
    assert ford.supply["north"].side == "red"
    assert ford.supply["north"].boxes == (ford.parse("N1"),)
    assert codes(ford, ford.supply["south"].hexes) == {"1115", "1315"}
    assert ford.supply["south"].numbers["capacity"] == 6


def test_every_table_says_where_it_comes_from(ford: Board) -> None:
    assert str(ford.sources["lattice"]) == "rulebook: The Ford, first edition, 2.1"
    assert ford.sources["sides.pass"].kind == "reconstructed"
    assert ford.sources["places"].kind == "geography"
    assert ford.sources["places.Porto d'Oro"].kind == "reconstructed"
    assert "places.Ponte" not in ford.sources


def test_nothing_of_a_board_can_be_changed(ford: Board) -> None:
    with pytest.raises(AttributeError):
        ford.title = "Another"  # pyright: ignore[reportAttributeAccessIssue]
    for table in (ford.terrain, ford.sides, ford.places, ford.places["Borgo"].numbers):
        with pytest.raises(TypeError):
            table["ford"] = 0  # pyright: ignore[reportIndexIssue]


def test_rows_that_grow_upward_on_two_sheets(two_sheets: Board) -> None:
    assert two_sheets.terrain_of(two_sheets.parse("W0501")) == "high-mountain"
    assert two_sheets.terrain_of(two_sheets.parse("W0103")) == "city"
    assert codes(two_sheets, two_sheets.regions["join"]) == {
        "W0204", "E0201", "W0304", "E0301", "W0404", "E0401",
    }  # fmt: skip
    assert len(codes(two_sheets, two_sheets.regions["west"])) == 4 * 5
    assert pairs(two_sheets, two_sheets.bridges["road"].sides) == {"W0304/W0404"}


def test_terrain_of_every_hexside(slanting: Board) -> None:
    named = [slanting.sides[name] for name in ("plain", "rough", "high-apennine", "swamp", "water")]
    for d, inner in enumerate(slanting.lattice.all_sides):
        masks = [sides[d] for sides in named]
        assert sum(masks) == inner
        assert sum(mask.bit_count() for mask in masks) == inner.bit_count()
    assert "C3/C4" in pairs(slanting, slanting.sides["high-apennine"])


def test_a_river_through_hexes_has_headwaters_unless_it_comes_from_beyond(slanting: Board) -> None:
    river = slanting.through["river"]
    assert codes(slanting, river.headwaters) == {"B4", "A2"}
    assert codes(slanting, river.hexes) == {
        "B3", "C3", "C2", "C1", "A5", "B5", "C5", "C6", "A3", "A4",
    }  # fmt: skip
    assert "B3/C3" in pairs(slanting, river.sides)
    assert [(course.enters, course.leaves) for course in river.courses] == [
        (-1, 0),
        (5, -1),
        (-1, -1),
    ]
    assert codes(slanting, slanting.bridges["stone"].hexes) == {"C2"}


def test_a_line_of_hexes_parts_the_map(slanting: Board) -> None:
    north = codes(slanting, slanting.regions["north"])
    assert {"A3", "B3", "C2", "D2", "E1"} <= north
    assert north.isdisjoint({"A4", "C3", "A5", "B5", "C4"})


# What is wrong with a file


def test_ten_mistakes_get_ten_messages_at_once() -> None:
    with pytest.raises(MapError) as caught:
        read_map(DATA / "broken.toml")
    file = str(DATA / "broken.toml")
    found = [(mistake.key, mistake.hex) for mistake in caught.value.mistakes]
    assert found == [
        ("sides.crest", ""),
        ("terrain.grid", "0402"),
        ("terrain.grid", "0504"),
        ("sides.river.courses", "0202"),
        ("roads.major.courses", "0202"),
        ("regions.lagoon", ""),
        ("places.Porto", ""),
        ("places.Lontano.at", "0909"),
        ("places.Porto", ""),
        ("boxes.reserve", ""),
    ]
    lines = str(caught.value).splitlines()
    assert len(lines) == 10
    assert all(line.startswith(f"{file}: ") and line.endswith(".") for line in lines)
    assert lines[1] == f"{file}: terrain.grid: hex 0402: The letter 'x' is not in the legend."


def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(MapError) as caught:
        read_map(tmp_path / "nowhere.toml")
    assert str(caught.value) == f"{tmp_path / 'nowhere.toml'}: There is no such file."


def test_a_folder_or_a_picture_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(MapError, match=r"cannot be read: .*\.$"):
        read_map(tmp_path)
    picture = tmp_path / "map.toml"
    picture.write_bytes(b"\x89PNG\r\n")
    with pytest.raises(MapError, match=r": The file is not UTF-8 text\.$"):
        read_map(picture)


def test_a_slip_in_the_toml_is_one_sentence_with_its_line() -> None:
    with pytest.raises(MapError) as caught:
        parse_map("format = 1\ntitle =\n", "valley.toml")
    (line,) = str(caught.value).splitlines()
    assert line.startswith("valley.toml: This is not valid TOML: ")
    assert "line 2" in line


FORD_FAULTS = [
    # The file as a whole
    ("format = 1", "format = 7", "format", "", "not of 7"),
    ("format = 1\n", "", "", "", "'format' is missing"),
    ('title = "The Ford"\n', "", "", "", "'title' is missing"),
    ("[roads.rail]", "[road.rail]", "", "", "perhaps 'roads' is meant"),
    ('scale = "2 km a hex"', "scale = 2", "scale", "", "Expected text, got a number"),
    # Sources
    ('kind = "geography"', 'kind = "legend"', "sources.survey.kind", "", "not one of rulebook,"),
    ('source = "book: 7"', 'source = "bock: 7"', "lines.winter", "", "perhaps 'book' is meant"),
    ('source = "book: 7"\n', "", "lines.winter", "", "has no source"),
    ('source = "book: 7"', 'source = ""', "lines.winter", "", "has no source"),
    # The lattice
    ('shifted = "even"\n', "", "lattice", "", "'shifted' is missing"),
    ('kind = "columns"', 'kind = "colums"', "lattice.kind", "", "not one of columns, rows"),
    ("columns = [10, 17]", "columns = [17, 10]", "lattice", "", "17 to 10"),
    ("columns = [10, 17]", 'columns = ["A", "H"]', "lattice.columns", "", "two numbers"),
    # Grids
    ("11  mmhhccc.", "11  mmhh?cc.", "terrain.grid", "1411", "'?' is not in the legend"),
    ("11  mmhhccc.", "11  mmhhccc", "terrain.grid", "1711", "has 7 cells instead of 8"),
    ("11  mmhhccc.", "11  mmhhccc.c", "terrain.grid", "1711", "has 9 cells instead of 8"),
    ("11  mmhhccc.\n", "", "terrain.grid", "", "row 11 is missing"),
    ("15  cccc.sss", "15  cccc.sss\n16  cccccccc", "terrain.grid", "", "no row '16'"),
    ("15  cccc.sss", "15  cccc.sss\n15  cccc.sss", "terrain.grid", "", "row 15 is drawn twice"),
    ('h = "hill"', 'h = "hill"\nk = "hill"', "terrain.legend", "", "Two letters stand for 'hill'"),
    ('h = "hill"', 'h = "hill"\nkk = "moor"', "terrain.legend", "", "'kk' cannot stand for"),
    ('h = "hill"', 'h = "hill"\n"." = "void"', "terrain.legend", "", "'.' cannot stand for"),
    ('h = "hill"', 'h = "hill"\nk = "The Moor"', "terrain.legend", "", "is not a name"),
    ("900 850 800", "900 85o 800", "numbers.elevation.grid", "1110", "'85o' is not a whole"),
    ("14  400 120  10  10  30   .", "14  400 120  10  10  30", "numbers.elevation.grid", "1714",
     "has 7 cells"),
    ("90   .\n11", "90  7\n11", "numbers.elevation.grid", "1710", "The terrain has no hex here"),
    # Hexsides
    ("1311/1312", "1311/1313", "sides.minor-river.courses", "1311", "not neighbours"),
    ("1311/1312", "1311-1312", "sides.minor-river.courses", "", "write it as 1010/1011"),
    ("1311/1312", "1310/1311", "sides.minor-river.courses", "1211", "do not meet at a corner"),
    ("1311/1312", "1311/1912", "sides.minor-river.courses", "1912", "not a hex of this map"),
    ("1311/1312", "1311/1312 1312/1311", "sides.minor-river", "1312", "named twice"),
    ('loose = ["1112/1111"]', 'loose = ["1112/1111", "1111/1112"]', "sides.pass", "1111", "twice"),
    ('loose = ["1112/1111"]', "", "sides.pass", "", "neither courses nor loose"),
    ('loose = ["1112/1111"]', 'lose = ["1112/1111"]\ncourses = ["1112/1111"]', "sides.pass", "",
     "perhaps 'loose' is meant"),
    ("1112>1111", "1112/1111", "sides.crest.courses", "", "write it as 1010>1011"),
    # Roads and bridges
    ("1212 1313 1412 1513", "1212 1412 1513", "roads.major.courses", "1212", "jumps"),
    ("(SW) 1013", "(NE) 1013", "roads.major.courses", "1013", "but a hex: 1113"),
    ("(SW) 1013", "(W) 1013", "roads.major.courses", "", "no direction 'W'"),
    ("1113..1115", "1113..1315", "roads.minor.courses", "1113", "is not straight"),
    ("1113..1115", "Corta: 1113", "roads.minor.courses", "1113", "leads nowhere"),
    ("1113..1115", "Vuota:", "roads.minor.courses", "", "names no hex"),
    ('roads = ["major", "minor"]', 'roads = ["mayor", "minor"]', "bridges.road.crossings", "",
     "perhaps 'major' is meant"),
    ('except = ["1111/1112"]', 'except = ["1013/1014"]', "bridges.road.except", "", "to lose"),
    ('at = ["1312/1411"]', "", "bridges.rail", "", "needs 'at' or 'crossings'"),
    # Places and boxes
    ('at = "1313", kinds', 'at = "1319", kinds', "places.Ponte.at", "1319", "not a hex"),
    ('at = "1313", kinds', "at = [], kinds", "places.Ponte.at", "", "has no hex"),
    ('at = "1313", kinds', "kinds", "places.Ponte", "", "'at' is missing"),
    ('name = "Ponte"', 'name = "Borgo"', "places.Borgo", "", "Two places"),
    ('kinds = ["town"]', 'kinds = ["towm"]', "places.Ponte", "", "perhaps 'town' is meant"),
    ('{ vp = 3 }', "{}", "places.Borgo", "", "number 'vp' is missing"),
    ('{ vp = 3 }', "{ vp = 3, pv = 2 }", "places.Borgo", "", "have no number 'pv'"),
    ('{ vp = 3 }', '{ vp = "3" }', "places.Borgo.numbers", "", "Expected a number, got text"),
    ('{ vp = 3 }', "{ vp = true }", "places.Borgo.numbers", "", "Expected a number"),
    ("lift = 12 } }", 'lift = 12 }, hue = "red" }', "places.Spiaggia", "", "no key 'hue'"),
    ('{ name = "N2" }', '{ name = "N2" },\n{ name = "N2" }', "boxes.N2", "", "Two boxes"),
    ('name = "reserve"', 'name = "1313"', "boxes.1313", "1313", "A hex has this name"),
    ('name = "reserve"', 'name = "the reserve"', "boxes.the reserve", "", "must be one word"),
    (", apart = true", "", "boxes.reserve", "", "next to nothing"),
    ("apart = true", "apart = true, boxes = ['N1']", "boxes.reserve", "", "said to be apart"),
    ('boxes = ["N2"] }', 'boxes = ["N2", "N3"] }', "boxes.N1.boxes", "", "no box 'N3'"),
    # Regions, lines and supply
    ('"not region north"', '"not region nord"', "regions.bridgehead.hexes", "", "'north' is meant"),
    ('"not region north"', '"not region bridgehead"', "regions.bridgehead.hexes", "",
     "speaks of itself: bridgehead > bridgehead"),
    ('"not terrain sea"', '"not terrain see"', "regions.land.hexes", "", "perhaps 'sea' is meant"),
    ('"not terrain sea"', '"not terain sea"', "regions.land.hexes", "", "no word 'terain'"),
    ('"not terrain sea"', '"not "', "regions.land.hexes", "", "A term is empty"),
    ('"all", "not', '"all hexes", "not', "regions.land.hexes", "", "Nothing may follow 'all'"),
    ("within 1 of 1313", "within one of 1313", "regions.bridgehead.hexes", "", "is written"),
    ("block 1010 1610", "block 1010", "boxes.N1.hexes", "", "two corners"),
    ("block 1010 1610", "block 1010 1910", "boxes.N1.hexes", "1910", "not a hex"),
    ("side winter of 1010 in land", "side winter", "regions.north.hexes", "", "is written"),
    ("side winter of 1010 in land", "side wintre of 1010", "regions.north.hexes", "", "'winter'"),
    ("side winter of 1010 in land", "side winter of 1010", "regions.north.hexes", "", "round it"),
    ("side winter of 1010 in land", "side winter of 1713 in land", "regions.north.hexes", "1713",
     "not on a side"),
    ("side winter of 1010", "side trenches of 1010", "regions.north.hexes", "", "round it"),
    ('hexes = ["1014 1114 1213 1314"]', "", "lines.trenches", "", "neither hexes nor sides"),
    ('hexes = ["1115 1315"]', "", "supply.south", "", "neither a hex nor a box"),
    ('boxes = ["N1"]', 'boxes = ["N7"]', "supply.north.boxes", "", "no box 'N7'"),
    ("[regions.coast]", "[regions.Coast]", "regions.Coast", "", "is not a name"),
    ("[kinds.town]", "[kinds]\ntown = 3", "kinds.town", "", "must be a table"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "key", "hex", "text"), FORD_FAULTS)
def test_one_fault_gives_one_message(old: str, new: str, key: str, hex: str, text: str) -> None:
    assert old in FORD
    found = mistakes(FORD.replace(old, new, 1))
    assert len(found) == 1, found
    assert found[0][:2] == (key, hex)
    assert text in found[0][2]


SLANTING_FAULTS = [
    ("prh rhr", "prh rhx", "side-terrain.grid", "B4", "'x' of side SE is not in the legend"),
    ("prh rhr", "prh rh-", "side-terrain.grid", "B4", "'-' of side SE is not in the legend"),
    ("prh rhr", "prh rhrr", "side-terrain.grid", "B4", "not three letters, for N, NE, SE"),
    ("A   .   .   -pp", "A   .   .   ppp", "side-terrain.grid", "A2", "Nothing lies N of it"),
    ('h = "high-apennine"', 'h = "high-apennine"\n"-" = "none"', "side-terrain.legend", "", "'-'"),
    ("A  ..lllll\n", "", "terrain.grid", "", "The column A is missing"),
    ("A4 B4 C3 D3 E2", "A4 B4 C3 D3", "regions.north.hexes", "", "round it"),
    ('through = ["river"]', 'through = ["rivers"]', "bridges.stone.crossings", "", "'river'"),
    ('columns = ["A", "E"]', "columns = [0, 4]", "lattice.columns", "", "two letters"),
    ("[through.river]", "[sides.swamp]\nsource = 'own'\nloose = ['A3/A4']\n[through.river]",
     "sides.swamp", "", "[side-terrain] has a terrain of this name"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "key", "hex", "text"), SLANTING_FAULTS)
def test_one_fault_of_a_slanting_map_gives_one_message(
    old: str, new: str, key: str, hex: str, text: str
) -> None:
    assert old in SLANTING
    ((found_key, found_hex, found_text),) = mistakes(SLANTING.replace(old, new, 1))
    assert (found_key, found_hex) == (key, hex)
    assert text in found_text


def test_a_hex_number_without_a_value_is_missing_if_there_is_no_default() -> None:
    found = mistakes(FORD.replace("default = 0\n", ""))
    assert ("numbers.elevation.grid", "1712", "The number is missing.") in found
    assert {key for key, _, _ in found} == {"numbers.elevation.grid"}


def test_a_table_that_cannot_be_read_is_not_called_missing_elsewhere() -> None:
    text = FORD.replace('title = "Winter Line"', "title = 3")
    assert mistakes(text) == [("lines.winter.title", "", "Expected text, got a number.")]


def test_mistakes_in_the_lattice_do_not_hide_those_in_the_shape_of_other_tables() -> None:
    text = FORD.replace('shifted = "even"\n', "").replace("directed = true", "directed = 1")
    assert [key for key, _, _ in mistakes(text)] == [
        "sides.crest.directed",
        "lines.winter.directed",
        "lattice",
    ]


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_damaged_file_is_read_or_refused_with_reasons(data: st.DataObject) -> None:
    """Whatever is lost or changed in a file, nothing but a `MapError` comes out of it."""
    text = data.draw(st.sampled_from([FORD, SLANTING, TWO_SHEETS]))
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text) - 1))
        if data.draw(st.booleans()):
            end = text.find("\n", start) + 1
            text = text[:start] + text[end:]
        else:
            text = (
                text[:start]
                + data.draw(st.sampled_from('019AZ./,>():[]{}"#- c'))
                + text[start + 1 :]
            )
    reasons = ["It is sound."]
    try:
        parse_map(text)
    except MapError as error:
        reasons = [mistake.text for mistake in error.mistakes]
    assert reasons
    assert all(reason.endswith(".") for reason in reasons)


@pytest.mark.parametrize("key", ["lattice", "terrain", "side-terrain", "places"])
def test_an_empty_table_is_not_the_same_as_none(key: str) -> None:
    text = re.sub(rf"^\[{key}\]\n(?:[^\[].*\n|\n)*", f"[{key}]\n", SLANTING, flags=re.MULTILINE)
    text = re.sub(rf"^\[{key}\.legend\]\n(?:.*=.*\n)*", "", text, flags=re.MULTILINE)
    if f"[{key}]" not in text:
        text += f"[{key}]\n"
    assert (key, "", "The table has no source.") in mistakes(text)


def test_the_example_in_the_documentation_is_a_sound_map() -> None:
    page = (Path(__file__).parents[1] / "docs" / "map-format.md").read_text()
    examples = re.findall(r"^```toml\n(.*?)^```", page, flags=re.DOTALL | re.MULTILINE)
    board = parse_map(examples[0], "docs/map-format.md")
    assert board.lattice.count > 20


# Properties


NUMBERINGS = st.one_of(
    st.builds(
        Numbering,
        kind=st.sampled_from(["columns", "rows"]),
        columns=st.tuples(st.integers(0, 3), st.integers(4, 9)),
        rows=st.tuples(st.integers(0, 3), st.integers(4, 9)),
        code=st.sampled_from(["CCRR", "RRCC"]),
        shifted=st.sampled_from(["odd", "even"]),
        columns_grow=st.sampled_from(["right", "left"]),
        rows_grow=st.sampled_from(["down", "up"]),
    ),
    st.builds(
        Numbering,
        kind=st.just("oblique"),
        columns=st.tuples(st.integers(0, 2), st.integers(3, 6)),
        rows=st.tuples(st.integers(0, 3), st.integers(4, 9)),
    ),
    st.just(
        Numbering(
            kind="rows",
            columns=(1, 9),
            rows=(2, 6),
            code="RRCC",
            rows_grow="up",
            sheets=(Sheet("W", (1, 5), 0), Sheet("E", (1, 4), 5)),
        )
    ),
)


def printed(numbering: Numbering, code: str) -> tuple[str, str]:
    """The column and the row of a code, as they are printed."""
    if numbering.kind == "oblique":
        return code[0], code[1:]
    prefix, first, second = code[:-4], code[-4:-2], code[-2:]
    return (prefix + first, second) if numbering.code == "CCRR" else (prefix + second, first)


def as_file(numbering: Numbering, terrain: dict[str, str], by: str) -> str:
    """A map file written from where the hexes lie on the page."""
    whole = Lattice(numbering, numbering.codes())
    along = 1 if by == "rows" else 0
    across = 1 - along
    lines: dict[str, list[tuple[float, str]]] = {}
    for hex in whole:
        code = whole.code(hex)
        cell = whole.pixel(hex)[across], terrain.get(code, ".")
        lines.setdefault(printed(numbering, code)[along], []).append(cell)
    if numbering.kind == "oblique":
        letters = string.ascii_uppercase
        columns = str([letters[c] for c in numbering.columns])
    else:
        columns = str(list(numbering.columns))
    sheets = ", ".join(
        f'{{ prefix = "{s.prefix}", columns = {list(s.columns)}, offset = {s.offset} }}'
        for s in numbering.sheets
    )
    grid = "\n".join(f"{k} {' '.join(c for _, c in sorted(line))}" for k, line in lines.items())
    return f'''
        format = 1
        title = "Random"
        sources.own = {{ kind = "design", text = "a property" }}
        [lattice]
        source = "own"
        kind = "{numbering.kind}"
        code = "{numbering.code}"
        shifted = "{numbering.shifted}"
        columns = {columns}
        rows = {list(numbering.rows)}
        columns_grow = "{numbering.columns_grow}"
        rows_grow = "{numbering.rows_grow}"
        sheets = [{sheets}]
        [terrain]
        source = "own"
        by = "{by}"
        legend = {{ c = "clear", m = "mountain", "~" = "sea" }}
        grid = """
        {grid}
        """
    '''


@st.composite
def random_maps(draw: st.DrawFn) -> tuple[Numbering, dict[str, str], str]:
    numbering = draw(NUMBERINGS)
    cells = list(numbering.codes())
    letters = draw(st.lists(st.sampled_from("cm~."), min_size=len(cells), max_size=len(cells)))
    terrain = {code: letter for code, letter in zip(cells, letters) if letter != "."}
    terrain.setdefault(cells[0], "c")
    return numbering, terrain, draw(st.sampled_from(["rows", "columns"]))


@settings(max_examples=60, deadline=None)
@given(random_maps())
def test_a_grid_is_read_as_it_lies_on_the_page(
    drawn: tuple[Numbering, dict[str, str], str],
) -> None:
    numbering, terrain, by = drawn
    board = parse_map(as_file(numbering, terrain, by))
    names = {"c": "clear", "m": "mountain", "~": "sea"}
    assert {board.code(hex): board.terrain_of(hex) for hex in board.lattice} == {
        code: names[letter] for code, letter in terrain.items()
    }


@settings(max_examples=60, deadline=None)
@given(random_maps())
def test_the_text_drawing_shows_every_hex_between_its_neighbours(
    drawn: tuple[Numbering, dict[str, str], str],
) -> None:
    board = parse_map(as_file(*drawn))
    lattice = board.lattice
    labels = dict(zip(lattice, (chr(0x4E00 + i) for i in range(lattice.count))))
    lines = draw_text(board, labels).splitlines()
    found = {c: (x, y) for y, line in enumerate(lines) for x, c in enumerate(line) if c >= "\u4e00"}
    assert len(found) == lattice.count
    spot = {hex: found[label] for hex, label in labels.items()}
    for hex in lattice:
        x, y = spot[hex]
        assert lines[y][x - 1] == board.letters[board.terrain_of(hex)]
        for d in range(6):
            other = lattice.neighbour(hex, d)
            if other >= 0:
                steps = [(0, -2), (3, -1), (3, 1)] if lattice.flat else [(2, -1), (4, 0), (2, 1)]
                dx, dy = steps[d % 3]
                sign = 1 if d < 3 else -1
                assert spot[other] == (x + sign * dx, y + sign * dy)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_walk_written_as_a_road_and_as_hexsides_is_read_back(data: st.DataObject) -> None:
    board = read_map(DATA / "ford.toml")
    lattice = board.lattice
    walk = [data.draw(st.sampled_from(list(lattice)))]
    for _ in range(data.draw(st.integers(1, 8))):
        walk.append(data.draw(st.sampled_from(lattice.neighbours(walk[-1]))))
    steps = list(pairwise(walk))
    edges = {lattice.edge_between(a, b) for a, b in steps}
    once = {lattice.edge_between(a, b): (a, b) for a, b in steps}.values()
    text = (
        FORD
        + f"""
        [roads.walk]
        source = "survey"
        courses = ["Giro: {" ".join(map(lattice.code, walk))}"]
        [sides.walk]
        source = "survey"
        directed = true
        loose = {[f"{lattice.code(a)}>{lattice.code(b)}" for a, b in once]}
    """
    )
    read = parse_map(text)
    assert read.courses["walk"][0].hexes == tuple(walk)
    assert read.roads["walk"] == read.sides["walk"] == lattice.sides(edges)
    for a, b in once:
        d = lattice.direction(a, b)
        assert read.over["walk"][d] >> a & 1
        assert not read.over["walk"][opposite(d)] >> b & 1


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_stretch_is_the_straight_way_from_hex_to_hex(data: st.DataObject) -> None:
    board = read_map(DATA / "two_sheets.toml")
    lattice = board.lattice
    start = data.draw(st.sampled_from(list(lattice)))
    d = data.draw(st.integers(0, 5))
    way = [start]
    while len(way) < 5 and lattice.neighbour(way[-1], d) >= 0:
        way.append(lattice.neighbour(way[-1], d))
    stretch = f"{lattice.code(way[0])}..{lattice.code(way[-1])}"
    text = TWO_SHEETS + f'[regions.way]\nsource = "own"\nhexes = "{stretch}"\n'
    assert codes(board, parse_map(text).regions["way"]) == {lattice.code(hex) for hex in way}


# Drawings


def test_the_text_drawing_of_columns_is_staggered(ford: Board) -> None:
    drawing = draw_text(ford, {ford.parse("1313"): "2A", ford.parse("reserve"): "HQ"})
    assert drawing.startswith("The Ford\n")
    assert "1013  h       c       c       s  1613\n" in drawing
    assert "1113      c       c2A     c       s  1713\n" in drawing
    assert "[reserve] Strategic Reserve HQ\n" in drawing
    assert "m mountain" in drawing


def test_the_svg_drawing_is_layered_and_always_the_same(ford: Board) -> None:
    svg = draw_svg(ford, regions=["north"], units={ford.parse("1114"): "1/3"})
    assert svg == draw_svg(
        read_map(DATA / "ford.toml"), regions=["north"], units={ford.parse("1114"): "1/3"}
    )
    root = ElementTree.fromstring(svg)
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    layers = ["terrain", "regions", "sides", "roads", "bridges", "lines", "supply", "places"]
    assert [id for id in ids if id in layers] == layers
    assert {"codes", "units", "boxes", "legend", "hex-1313", "box-reserve"} <= set(ids)
    assert len(ids) == len(set(ids))
    classes = {name for element in root.iter() for name in element.get("class", "").split()}
    assert {"terrain-marsh", "side-major-river", "road-rail", "line-winter", "port"} <= classes
    text = " ".join(root.itertext())
    assert "Porto d'Oro" in text
    assert "vp 3" in text


def test_the_svg_drawing_leaves_out_what_is_not_wanted(ford: Board) -> None:
    root = ElementTree.fromstring(draw_svg(ford, codes=False))
    ids = {element.get("id") for element in root.iter()}
    assert ids.isdisjoint({"codes", "regions", "units"})


def test_each_hexside_of_the_svg_drawing_lies_between_its_two_hexes(two_sheets: Board) -> None:
    size = 10.0
    root = ElementTree.fromstring(draw_svg(two_sheets, size=size))
    by_id = {element.get("id"): element for element in root.iter()}
    outline = by_id["hex-W0403"].get("d", "")
    corners = re.findall(r"[ML]([\d.]+ [\d.]+)", outline)
    river = next(e for e in root.iter() if e.get("class") == "side-major-river" and e.get("d"))
    sides = [set(side.split("L")) for side in river.get("d", "")[1:].split("M")]
    assert len(sides) == len(two_sheets.runs["major-river"][0].edges)
    # NE and NW lead to row 05, E to W0404; corners go clockwise from the start of side NE.
    for d in (0, 1, 5):
        assert {corners[d], corners[(d + 1) % 6]} in sides
    for d in (2, 3, 4):
        assert {corners[d], corners[(d + 1) % 6]} not in sides


def test_a_drawing_becomes_a_picture(two_sheets: Board) -> None:
    pytest.importorskip("resvg_py")
    assert to_png(draw_svg(two_sheets)).startswith(b"\x89PNG\r\n")


def test_without_its_package_a_picture_is_refused_in_one_sentence(
    two_sheets: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = importlib.import_module

    def without(name: str, package: str | None = None) -> object:
        if name == "resvg_py":
            raise ImportError(name)
        return real(name, package)

    monkeypatch.setattr(importlib, "import_module", without)
    with pytest.raises(ImportError, match=r"^A PNG picture needs .*pip install resvg-py\.$"):
        to_png(draw_svg(two_sheets))
