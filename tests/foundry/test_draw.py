import os
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from itertools import combinations, count, pairwise
from math import cos, hypot, sin
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apennine.board import Board, Course, parse_map, read_map, to_png
from apennine.foundry.draw import LAYERS, RADIUS, THEMES, draw, small_png, ways
from apennine.foundry.draw.contours import higher_than
from apennine.foundry.draw.curves import PathText, chains, crossing
from apennine.foundry.draw.labels import text_width
from apennine.foundry.draw.page import Page
from apennine.foundry.draw.pictures import palette_png
from apennine.foundry.draw.relief import Heights, elevations, relief, shading
from apennine.foundry.draw.ways import joined

ROOT = Path(__file__).parents[2]
SAMPLES = {
    path.stem: path
    for path in (ROOT / "tests/data").glob("*.toml")
    if path.stem in ("ford", "two_sheets", "slanting")
}
GAMES = {
    path.parts[-3]: path for path in sorted((ROOT / "src/apennine/games").glob("*/data/map.toml"))
}
MAPS = {**SAMPLES, **GAMES}
SVG = "{http://www.w3.org/2000/svg}"


@cache
def board(name: str) -> Board:
    return read_map(MAPS[name])


@cache
def drawing(name: str) -> str:
    return draw(board(name))


@cache
def tree(name: str) -> ElementTree.Element:
    return ElementTree.fromstring(drawing(name))


def layer(root: ElementTree.Element, name: str) -> ElementTree.Element:
    found = root.find(f"{SVG}g[@id='layer-{name}']")
    assert found is not None, f"no layer {name}"
    return found


def of_class(root: ElementTree.Element, cls: str) -> list[ElementTree.Element]:
    return [element for element in root.iter() if cls in element.get("class", "").split()]


def points(d: str) -> list[list[tuple[float, float]]]:
    """The end points of a path's strokes, one list for every M."""
    strokes: list[list[tuple[float, float]]] = []
    x = y = 0.0
    for command, numbers in re.findall(r"([Mlqcz])([^Mlqcz]*)", d):
        values = [float(number) for number in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", numbers)]
        size = {"M": 2, "l": 2, "q": 4, "c": 6, "z": 1}[command]
        for i in range(0, len(values), size):
            dx, dy = values[i + size - 2 : i + size]
            x, y = (dx, dy) if command == "M" else (x + dx, y + dy)
            if command == "M":
                strokes.append([])
            strokes[-1].append((x, y))
    return strokes


VALLEY = """
format = 1
title = "Up & down <the valley>"
scale = "about 3 km to a hex"

[sources.own]
kind = "design"
text = "made for the tests"

[lattice]
source = "own"
kind = "columns"
shifted = "even"
code = "CCRR"
columns = [1, 8]
rows = [1, 5]

[terrain]
source = "own"
legend = { m = "mountain", c = "clear", s = "sea" }
grid = \"\"\"
1  mmcccccs
2  mmcccccs
3  mmcccccs
4  mmcccccs
5  mmcccccs
\"\"\"

[sides.river]
source = "own"
courses = [
    "Rio: 0202/0203,0303 0302/0303 0402/0303,0403,0503 0502/0503 0602/0503,0603,0703 0702/0703",
]

[sides.crest]
source = "own"
directed = true
loose = ["0301>0201"]

[roads.road]
source = "own"
courses = ["Via Alta: 0501..0505"]

[bridges.road]
source = "own"
crossings = { roads = ["road"], sides = ["river"] }

[places]
source = "own"
list = [{ name = "Monte & Valle", at = "0404" }]

[boxes]
source = "own"
list = [
    { name = "W", title = "West", hexes = ["0101..0105"] },
    { name = "away", title = "Far away", apart = true },
]

[regions.hills]
source = "own"
hexes = "terrain mountain"
"""


@cache
def valley() -> Board:
    return parse_map(VALLEY)


def great_map() -> str:
    """A peninsula of 2,500 hexes with mountains, rivers, roads and towns."""

    def height(column: int, row: int) -> int:
        spine = abs((column - 25) - (row - 25) * 0.4)
        bays = 3 * sin(row / 3.1) + 2 * cos(column / 2.3)
        return round(1500 - 115 * (spine + 0.6 * bays) + 260 * sin(column * 1.7) * cos(row * 1.3))

    span = range(1, 51)
    grid = {row: [height(column, row) for column in span] for row in span}

    def letter(metres: int) -> str:
        limits = ((0, "s"), (40, "w"), (400, "f" if metres % 7 == 0 else "c"), (900, "h"))
        return next((letter for limit, letter in limits if metres < limit), "m")

    terrain = "\n".join(f"{row:02} {''.join(map(letter, grid[row]))}" for row in span)
    numbers = "\n".join(
        f"{row:02} {' '.join(str(max(0, metres)) for metres in grid[row])}" for row in span
    )
    towns = "\n".join(
        f'{{ name = "Castello {column}{row}", at = "{column:02}{row:02}", kinds = ["town"] }},'
        for column in range(12, 40, 3)
        for row in range(3, 49, 3)
        if grid[row][column - 1] > 0
    )
    runs = ", ".join(
        f'"River {column}: '
        + " ".join(
            f"{column}{row}/{column + 1}{row - 1 + (column + 1) % 2},"
            f"{column + 1}{row + (column + 1) % 2}"
            for row in range(11, 40)
        )
        + '"'
        for column in (15, 21, 28, 37)
    )
    return f"""
format = 1
title = "The Great Peninsula"
scale = "4 km a hex"
[sources.own]
kind = "design"
text = "made for the tests"
[lattice]
source = "own"
kind = "columns"
code = "CCRR"
shifted = "even"
columns = [1, 50]
rows = [1, 50]
[terrain]
source = "own"
legend = {{ s = "sea", c = "clear", h = "hill", m = "mountain", w = "marsh", f = "forest" }}
grid = '''
{terrain}
'''
[numbers.elevation]
source = "own"
grid = '''
{numbers}
'''
[sides.river]
source = "own"
courses = [{runs}]
[roads.major]
source = "own"
courses = ["1802..1848", "2602..2648", "3402..3448"]
[roads.rail]
source = "own"
courses = ["1902..1948", "2602..2648"]
[kinds.town]
[places]
source = "own"
list = [
{towns}
]
"""


# What every drawing keeps to


def test_the_same_map_always_gives_the_same_bytes() -> None:
    program = (
        "import sys; from apennine.board import read_map; from apennine.foundry.draw import draw;"
        "sys.stdout.buffer.write(draw(read_map(sys.argv[1])).encode())"
    )
    # In another process sets have another order.
    drawn = subprocess.run(
        [sys.executable, "-c", program, str(MAPS["ford"])],
        env={**os.environ, "PYTHONHASHSEED": "1"},
        capture_output=True,
        check=True,
    )
    assert drawn.stdout.decode() == drawing("ford")


@pytest.mark.parametrize("name", MAPS)
def test_every_hex_and_every_box_can_be_found_by_its_id(name: str) -> None:
    root, map = tree(name), board(name)
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    hexes = {use.get("id"): use for use in layer(root, "hexes").iter(f"{SVG}use")}
    assert set(hexes) == {f"hex-{map.lattice.code(hex)}" for hex in map.lattice}
    page = Page(map)
    for hex in map.lattice:
        use = hexes[f"hex-{map.lattice.code(hex)}"]
        assert use.get("data-terrain") == map.terrain_of(hex)
        at = float(use.get("x", "")), float(use.get("y", ""))
        assert at == pytest.approx(page.centre(hex), abs=0.06)
    assert {f"box-{box.name}" for box in map.boxes} <= set(ids)


@pytest.mark.parametrize("name", MAPS)
def test_all_layers_are_there_from_the_bottom_up(name: str) -> None:
    groups = tree(name).findall(f"{SVG}g")
    assert [group.get("id") for group in groups] == [f"layer-{layer}" for layer in LAYERS]
    assert len(layer(tree(name), "units")) == 0


@pytest.mark.parametrize("name", MAPS)
def test_no_map_takes_two_megabytes(name: str) -> None:
    assert len(drawing(name).encode()) < 2_000_000


def test_a_bridge_is_looked_for_only_where_roads_and_rivers_come_near(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    map, compared = board("italia1918"), count()

    def counting(*about: Any) -> Any:
        next(compared)
        return crossing(*about)

    monkeypatch.setattr(ways, "crossing", counting)
    assert draw(map, relief=False, legend=False)
    bridges = sum(len(list(map.lattice.edges(kind.sides))) for kind in map.bridges.values())
    assert bridges > 100
    assert next(compared) < 10 * bridges


@pytest.mark.parametrize("name", MAPS)
def test_whatever_is_used_is_defined(name: str) -> None:
    text = drawing(name)
    ids = set(re.findall(r' id="([^"]+)"', text))
    used = set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', text))
    assert {first or second for first, second in used} <= ids


@pytest.mark.parametrize("name", MAPS)
def test_no_name_covers_another(name: str) -> None:
    sizes = {
        cls: float(size)
        for cls, size in re.findall(r"\.([\w-]+)\{font-size:([\d.]+)px", drawing(name))
    }
    boxes: list[tuple[str, float, float, float, float]] = []
    for text in layer(tree(name), "labels").iter(f"{SVG}text"):
        classes = text.get("class", "").split()
        if text.get("x") is None or "label" not in classes:
            continue
        size = float(text.get("font-size") or next(sizes[c] for c in classes if c in sizes))
        width = text_width(text.text or "", size)
        x, y = float(text.get("x", "")), float(text.get("y", ""))
        left = {"start": x, "middle": x - width / 2, "end": x - width}[
            text.get("text-anchor", "middle")
        ]
        boxes.append((text.text or "", left, y - 0.75 * size, left + width, y + 0.2 * size))
    for (a, *first), (b, *second) in combinations(boxes, 2):
        apart = (
            first[2] <= second[0]
            or second[2] <= first[0]
            or first[3] <= second[1]
            or second[3] <= first[1]
        )
        assert apart, f"{a} and {b} overlap"
    followed = {
        path.get("id"): path.get("d", "")
        for path in tree(name).iter(f"{SVG}path")
        if path.get("id")
    }
    # A name along a line: no other name lies across the line that it stands on.
    for along in layer(tree(name), "labels").iter(f"{SVG}textPath"):
        lift = -4.0 + float(next(iter_parents(tree(name), along)).get("dy", "0"))
        (line,) = points(followed[along.get("href", "")[1:]])
        for (ax, ay), (bx, by) in pairwise(line):
            reach = hypot(bx - ax, by - ay) or 1.0
            x, y = ax - (by - ay) / reach * lift, ay + (bx - ax) / reach * lift
            for words, left, top, right, bottom in boxes:
                assert not (left < x < right and top < y < bottom), f"{along.text} on {words}"


def iter_parents(root: ElementTree.Element, child: ElementTree.Element):
    return (parent for parent in root.iter() if child in list(parent))


@pytest.mark.parametrize("name", ["crossing", *SAMPLES])
def test_every_place_of_a_small_map_has_its_name(name: str) -> None:
    written = {text.text for text in layer(tree(name), "names").iter(f"{SVG}text")}
    assert set(board(name).places) <= written


def with_steps(work: Callable[[], str]) -> tuple[str, int]:
    """What some work makes, and how many calls of functions it takes: a measure of time by which
    every machine is equally fast."""
    steps = 0

    def step(_frame: object, event: str, _about: object) -> None:
        nonlocal steps
        steps += event == "call"

    sys.setprofile(step)
    try:
        made = work()
    finally:
        sys.setprofile(None)
    return made, steps


def test_a_great_map_is_drawn_in_good_time_and_in_less_than_two_megabytes() -> None:
    map = parse_map(great_map())
    assert map.lattice.count == 2500
    svg, steps = with_steps(lambda: draw(map))
    assert steps < 2_000_000
    assert len(svg.encode()) < 2_000_000
    ElementTree.fromstring(svg)


# Options


@pytest.mark.parametrize("theme", THEMES)
def test_each_theme_has_its_colours_with_and_without_variables(theme) -> None:
    svg = draw(valley(), theme=theme)
    sea = THEMES[theme]["sea"]
    assert f".apennine-map .sea{{fill:{sea}}}" in svg
    assert ".apennine-map .sea{fill:var(--sea)}" in svg
    assert f"data-theme={theme}]{{" in svg.partition("@supports")[2]
    assert ElementTree.fromstring(svg).get("data-theme") == theme


@pytest.mark.parametrize("theme", THEMES)
def test_a_picture_has_the_colours_of_the_theme(theme) -> None:
    pytest.importorskip("resvg_py")
    picture = small_png(to_png(draw(valley(), theme=theme, legend=False, size=10)))
    start = picture.index(b"PLTE") + 4
    size = int.from_bytes(picture[start - 8 : start - 4])
    palette = [tuple(picture[i : i + 3]) for i in range(start, start + size, 3)]
    for name in ("sea", "paper"):
        want = tuple(bytes.fromhex(THEMES[theme][name][1:]))
        off = min(max(abs(a - b) for a, b in zip(colour, want)) for colour in palette)
        assert off <= 4, f"{name} is not in the picture"


def test_hex_numbers_can_be_left_out() -> None:
    assert len(of_class(ElementTree.fromstring(draw(valley())), "hex-code")) == 40
    assert not of_class(ElementTree.fromstring(draw(valley(), codes=False)), "hex-code")


def test_the_legend_can_be_left_out_and_the_map_stays_where_it_is() -> None:
    full, bare = draw(valley()), draw(valley(), legend=False)
    assert len(layer(ElementTree.fromstring(full), "legend"))
    assert not len(layer(ElementTree.fromstring(bare), "legend"))
    hexes = [
        [(use.get("id"), use.get("x"), use.get("y")) for use in layer(root, "hexes").iter()]
        for root in map(ElementTree.fromstring, (full, bare))
    ]
    assert hexes[0] == hexes[1]


def test_only_the_layers_that_are_wanted_are_drawn() -> None:
    root = ElementTree.fromstring(draw(valley(), layers=["sea", "roads"]))
    assert [name for name in LAYERS if len(layer(root, name))] == ["sea", "roads"]


def test_unknown_layers_and_themes_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match="no layer 'cheese'"):
        draw(valley(), layers=["cheese"])
    with pytest.raises(ValueError, match="no theme 'pink'"):
        draw(valley(), theme="pink")  # pyright: ignore[reportArgumentType]


def test_the_size_changes_the_picture_and_not_the_coordinates() -> None:
    small, large = (ElementTree.fromstring(draw(valley(), size=size)) for size in (RADIUS, 48))
    assert float(large.get("width", "")) == pytest.approx(2 * float(small.get("width", "")), 1e-3)
    assert large.get("viewBox") == small.get("viewBox")


@pytest.mark.parametrize(("name", "north"), [("italy43", 40), ("anzio", 38), ("underbelly", -41)])
def test_a_map_that_is_turned_says_so(name: str, north: int) -> None:
    assert board(name).north == north
    assert of_class(tree(name), "north")


def test_numbers_of_hexes_lie_over_names_and_rivers() -> None:
    assert LAYERS.index("rivers") < LAYERS.index("labels") < LAYERS.index("names")
    assert LAYERS.index("names") < LAYERS.index("codes") < LAYERS.index("units")


def drawn_lines(board: Board, **options: Any) -> list[str | None]:
    root = ElementTree.fromstring(draw(board, legend=False, relief=False, **options))
    return [group.get("data-line") for group in layer(root, "lines")]


def test_only_the_lines_of_one_scenario_are_drawn() -> None:
    text = VALLEY + "".join(
        f'[lines.{name}]\nsource = "own"\ntitle = "{name}"\nhexes = ["0301..0305"]\n{scenes}'
        for name, scenes in (
            ("always", ""),
            ("spring", 'scenes = ["spring"]\n'),
            ("summer", 'scenes = ["summer", "autumn"]\n'),
        )
    )
    season = parse_map(text)
    before = drawn_lines(valley())
    assert drawn_lines(season) == [*before, "always", "spring"]
    assert drawn_lines(season, scene="autumn") == [*before, "always", "summer"]
    with pytest.raises(ValueError, match="belongs to 'winter'; there are spring, summer, autumn"):
        drawn_lines(season, scene="winter")


def test_each_front_of_italia_belongs_to_its_scenarios() -> None:
    scenes = {name: line.scenes for name, line in board("italia1918").lines.items()}
    assert scenes["front-june-1918"] == ("radetzky", "albrecht", "solstice")
    fronts = [name for name in scenes if name.startswith("front-")]
    assert sum("vittorio" in scenes[name] for name in fronts) == 1
    assert all(scenes[name] for name in fronts)


def test_the_trenches_of_a_front_are_drawn_on_both_sides_of_it() -> None:
    dug = draw(board("italia1918"), scene="albrecht", layers=["lines"], codes=False, relief=False)
    assert dug.count('class="trench"') == 2
    assert 'class="trench"' not in draw(valley(), layers=["lines"])


def test_a_zone_has_an_outline_and_guns_have_their_own_sign() -> None:
    zones = {path.get("data-name") for path in of_class(tree("anzio"), "zone")}
    assert {"Salerno zone", "Termoli zone"} <= zones
    guns = next(
        group
        for group in layer(tree("italia1918"), "places")
        if group.get("data-name") == "Batteria Amalfi"
    )
    assert [use.get("href", "").endswith("icon-battery") for use in guns.iter(f"{SVG}use")] == [
        True
    ]


def test_north_is_shown_if_it_is_known() -> None:
    assert not of_class(ElementTree.fromstring(draw(valley())), "north")
    arrow = of_class(ElementTree.fromstring(draw(valley(), north=40)), "north")
    assert len(arrow) == 1


def test_names_with_signs_that_xml_reserves_come_through() -> None:
    root = ElementTree.fromstring(draw(valley()))
    words = {text.text for text in root.iter(f"{SVG}text")}
    assert {"Up & down <the valley>", "Monte & Valle"} <= words


def test_the_scale_bar_speaks_of_the_distance_that_the_map_gives() -> None:
    root = ElementTree.fromstring(draw(valley()))
    labels = [text.text or "" for text in of_class(root, "scale-text")]
    assert labels[0] == "0"
    distance = float(labels[2].removesuffix(" km"))
    assert distance > 0
    quarter = re.search(r"h([\d.]+)v", of_class(root, "scale-dark")[0].get("d", ""))
    assert quarter is not None
    # Two hexes are three kilometres apart, and the square root of three times the radius.
    assert float(quarter[1]) * 4 == pytest.approx(distance / 3 * 3**0.5 * RADIUS, rel=0.02)


# The ground


def heights_at_centres(map: Board) -> list[tuple[float, float]]:
    page = Page(map)
    coarse = relief(page).coarse
    found: list[tuple[float, float]] = []
    for hex, height in elevations(map).items():
        x, y = page.centre(hex)
        row, column = (y - coarse.top) / coarse.dy, (x - coarse.left) / coarse.dx
        assert row == pytest.approx(round(row))
        assert column == pytest.approx(round(column))
        found.append((coarse.rows[round(row)][round(column)], height))
    return found


@pytest.mark.parametrize("name", ["ford", "two_sheets"])
def test_the_ground_in_the_middle_of_every_hex_is_as_high_as_the_map_says(name: str) -> None:
    for drawn, given_height in heights_at_centres(board(name)):
        assert drawn == pytest.approx(given_height)


def cone(size: int = 21) -> Heights:
    middle = size // 2
    rows = [[1000 - 90 * hypot(i - middle, j - middle) for j in range(size)] for i in range(size)]
    return Heights(rows, 0, 0, RADIUS / 4, RADIUS / 4)


def test_light_comes_from_the_upper_left() -> None:
    width, shades = shading(cone())
    upper_left, lower_right = shades[5 * width + 5], shades[15 * width + 15]
    level = shading(Heights([[0.0] * 5] * 5, 0, 0, 6, 6))[1][12]
    assert lower_right < level < upper_left


def test_contours_are_rings_around_what_is_higher() -> None:
    ring = points(higher_than(cone(), 500))
    assert len(ring) == 1
    for x, y in ring[0]:
        # A contour of the cone is a circle; the heights fall by 90 a step.
        assert hypot(x - 60, y - 60) == pytest.approx(500 / 90 * 6, rel=0.06)
    assert higher_than(cone(), 1000) == ""


def test_a_map_without_elevation_has_relief_and_tints_too() -> None:
    assert "elevation" not in valley().numbers
    root = ElementTree.fromstring(draw(valley()))
    (picture,) = layer(root, "relief").iter(f"{SVG}image")
    assert len(picture.get("href", "")) > 1000
    tints = [path.get("class") for path in of_class(root, "tints")[0]]
    assert tints[:5] == ["h0", "h1", "h2", "h3", "h4"]
    without = ElementTree.fromstring(draw(valley(), relief=False))
    assert not len(layer(without, "relief"))


@pytest.mark.parametrize("letter", ["s", "c", "m"])
def test_a_map_of_a_single_hex_can_be_drawn(letter: str) -> None:
    legend = {"s": "sea", "c": "clear", "m": "mountain"}
    text = f"""
format = 1
title = "One"
[sources.own]
kind = "design"
text = "made for the tests"
[lattice]
source = "own"
kind = "rows"
shifted = "odd"
code = "RRCC"
columns = [1, 1]
rows = [1, 1]
[terrain]
source = "own"
legend = {{ {letter} = "{legend[letter]}" }}
grid = "1 {letter}"
"""
    root = ElementTree.fromstring(draw(parse_map(text)))
    assert len(list(layer(root, "hexes").iter(f"{SVG}use"))) == 1


# What lies on it


def test_rivers_grow_towards_the_sea() -> None:
    reaches = [
        (float(path.get("stroke-width", "")), points(path.get("d", "")))
        for path in of_class(ElementTree.fromstring(draw(valley(), legend=False)), "river")
    ]
    assert len(reaches) > 2
    # The sea is in the east: the further east, the wider.
    reaches.sort(key=lambda reach: reach[0])
    easts = [max(x for stroke in strokes for x, _ in stroke) for _, strokes in reaches]
    assert easts == sorted(easts)
    assert reaches[-1][0] > 1.5 * reaches[0][0]


def test_a_bridge_stands_where_the_road_crosses_the_river() -> None:
    root = ElementTree.fromstring(draw(valley()))
    (bridge,) = layer(root, "bridges").iter(f"{SVG}use")
    x, y, turn = map(float, re.findall(r"-?[\d.]+", bridge.get("transform", "")))
    map_ = valley()
    page, lattice = Page(map_), map_.lattice
    a, b = lattice.parse("0502"), lattice.parse("0503")
    middle = page.side_middle(a, lattice.direction(a, b))
    assert hypot(x - middle[0], y - middle[1]) < 0.5 * RADIUS
    assert abs(turn % 180 - 90) < 30  # the road runs down the column


def test_the_teeth_of_a_crest_point_downhill() -> None:
    map = valley()
    page, lattice = Page(map), map.lattice
    low, high = page.centre(lattice.parse("0301")), page.centre(lattice.parse("0201"))
    (teeth,) = of_class(layer(ElementTree.fromstring(draw(map)), "sides"), "crest-teeth")
    for _, tip, _ in points(teeth.get("d", "")):
        assert hypot(tip[0] - low[0], tip[1] - low[1]) < hypot(tip[0] - high[0], tip[1] - high[1])


def test_boxes_stand_outside_the_frame_and_near_their_hexes() -> None:
    root, page = ElementTree.fromstring(draw(valley())), Page(valley())
    boxes = {group.get("id"): group.find(f"{SVG}rect") for group in layer(root, "boxes")}
    west, away = boxes["box-W"], boxes["box-away"]
    assert west is not None
    assert away is not None
    assert float(west.get("x", "")) + float(west.get("width", "")) < 0
    assert float(away.get("y", "")) > page.height


def test_regions_are_drawn_but_not_shown() -> None:
    svg = draw(valley())
    (region,) = layer(ElementTree.fromstring(svg), "regions")
    assert region.get("data-region") == "hills"
    assert ".region{display:none" in svg


def test_the_legend_names_what_the_map_has_and_nothing_else() -> None:
    entries = {text.text for text in of_class(tree("ford"), "entry")}
    assert {"Sea", "Marsh", "Hill", "Major river", "Crest (teeth downhill)", "Rail"} <= entries
    assert {"Winter Line", "Port", "Bridge", "Supply, red"} <= entries
    assert "Forest" not in entries
    assert "Canal" not in entries


# Tools


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=30))
def test_chains_go_over_every_link_once(pairs: list[tuple[int, int]]) -> None:
    links = {(min(a, b), max(a, b)) for a, b in pairs if a != b}
    walked = [(min(step), max(step)) for chain in chains(sorted(links)) for step in pairwise(chain)]
    assert sorted(walked) == sorted(links)


@given(st.lists(st.tuples(st.floats(-500, 500), st.floats(-500, 500)), min_size=1, max_size=20))
def test_a_path_ends_where_it_was_led_however_short_its_text(line) -> None:
    path = PathText()
    for i, point in enumerate(line):
        path.line(point) if i else path.move(point)
    (drawn,) = points(str(path))
    assert len(drawn) == len(line)
    for is_at, wanted in zip(drawn, line):
        assert is_at == pytest.approx(wanted, abs=0.051)


def test_a_picture_with_few_colours_keeps_them_all() -> None:
    pytest.importorskip("resvg_py")
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20">'
        '<rect width="40" height="20" fill="#123456"/><rect width="9" height="20" fill="#fedcba"/>'
        "</svg>"
    )
    dots = b"".join(b"\0" * 9 + b"\1" * 31 for _ in range(20))
    small = small_png(to_png(svg))
    either = [
        palette_png(40, dots, [(0xFE, 0xDC, 0xBA), (0x12, 0x34, 0x56)]),
        palette_png(
            40,
            dots.translate(bytes([1, 0, *range(2, 256)])),
            [(0x12, 0x34, 0x56), (0xFE, 0xDC, 0xBA)],
        ),
    ]
    assert small in either


def test_pieces_of_a_road_are_joined_where_no_other_road_comes_in() -> None:
    a, b, c = Course("", (1, 2, 3)), Course("", (5, 4, 3), leaves=-1), Course("", (5, 6), leaves=2)
    assert joined([a, b, c]) == [Course("", (1, 2, 3, 4, 5, 6), -1, 2)]
    side_road = Course("", (9, 3))
    assert joined([a, b, side_road]) == [a, b, side_road]
    off_the_map = Course("", (3, 2, 1), enters=0)
    assert joined([off_the_map, Course("", (3, 4))]) == [off_the_map, Course("", (3, 4))]


def test_two_fronts_on_one_map_have_two_colours() -> None:
    text = VALLEY + "".join(
        f'[lines.front-{year}]\nsource = "own"\ntitle = "Front {year}"\nhexes = ["0301..0305"]\n'
        for year in (1917, 1918)
    )
    root = ElementTree.fromstring(draw(parse_map(text), legend=False))
    strokes = [path.get("class") for path in of_class(layer(root, "lines"), "line-front")]
    assert strokes == ["line line-front", "line line-front own-0"]


def test_ground_on_every_hexside_is_tinted_and_not_hatched() -> None:
    root = tree("anzio")
    for cls in ("hachure", "band", "tint-1", "tint-2", "tint-3", "tint-4", "tint-marsh"):
        assert bool(of_class(root, cls)) == cls.startswith("tint"), cls
    assert not of_class(root, "ground-rough")  # the hexes themselves have no tint
    assert not of_class(tree("italy43"), "tint-1")
