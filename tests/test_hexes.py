"""Maps of hexes: the numbering of five printed maps, and everything else against a naive model.

The naive model knows nothing of axial coordinates or integers as sets. It puts every printed
number on the page as a point, calls two hexes neighbours if their points lie one hex apart, and
does the rest by walking from neighbour to neighbour.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise, product
from math import hypot, sqrt
from string import ascii_uppercase
from typing import Literal

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from apennine.hexes import (
    NO_SIDES,
    HexError,
    HexSet,
    Lattice,
    Numbering,
    Sheet,
    bits,
    first_bit,
    mask_of,
    nth_bit,
    opposite,
)

Point = tuple[int, int]

# The six steps on the page, clockwise from the top, in halves of the width and height of a hex
# that make every centre a pair of whole numbers.
FLAT_STEPS: list[Point] = [(0, -2), (3, -1), (3, 1), (0, 2), (-3, 1), (-3, -1)]
POINTY_STEPS: list[Point] = [(1, -3), (2, 0), (1, 3), (-1, 3), (-2, 0), (-1, -3)]


@dataclass
class Naive:
    """A map as points on the page, by printed number."""

    steps: list[Point]
    points: dict[str, Point]

    @cached_property
    def codes(self) -> dict[Point, str]:
        return {point: code for code, point in self.points.items()}

    def beyond(self, code: str, d: int) -> Point:
        return _moved(self.points[code], self.steps[d])

    def neighbour(self, code: str, d: int) -> str | None:
        return self.codes.get(self.beyond(code, d))

    def neighbours(self, code: str) -> list[str]:
        around = (self.neighbour(code, d) for d in range(6))
        return [other for other in around if other is not None]

    def distances(self, start: str) -> dict[str, int]:
        """Steps from one hex to all others over an endless page."""
        reached = {self.points[start]: 0}
        missing = set(self.codes) - set(reached)
        wave = list(reached)
        for n in range(1, 1000):
            if not missing:
                break
            wave = [_moved(point, step) for point in wave for step in self.steps]
            wave = [point for point in dict.fromkeys(wave) if point not in reached]
            reached.update(dict.fromkeys(wave, n))
            missing.difference_update(wave)
        return {code: reached[point] for code, point in self.points.items()}

    def flood(
        self,
        seeds: Iterable[str],
        within: set[str],
        is_open: Callable[[str, int], bool] | None = None,
    ) -> set[str]:
        reached = set(seeds) & within
        waiting = list(reached)
        while waiting:
            code = waiting.pop()
            for d in range(6):
                other = self.neighbour(code, d)
                if other not in within or other in reached:
                    continue
                if is_open is None or is_open(code, d):
                    reached.add(other)
                    waiting.append(other)
        return reached


def _moved(point: Point, step: Point) -> Point:
    return point[0] + step[0], point[1] + step[1]


def naive(numbering: Numbering, present: Iterable[str] | None = None) -> Naive:
    """Read the numbering as a player does: off the page, line by line."""
    points: dict[str, Point] = {}
    sheets = numbering.sheets or (Sheet("", numbering.columns),)
    for sheet in sheets:
        for printed in range(sheet.columns[0], sheet.columns[1] + 1):
            column = printed + sheet.offset
            for row in range(numbering.rows[0], numbering.rows[1] + 1):
                x = -column if numbering.columns_grow == "left" else column
                y = -row if numbering.rows_grow == "up" else row
                remainder = 1 if numbering.shifted == "odd" else 0
                if numbering.kind == "oblique":
                    code, point = f"{ascii_uppercase[column]}{row}", (3 * x, 2 * y + x)
                else:
                    pair = (printed, row) if numbering.code == "CCRR" else (row, printed)
                    code = sheet.prefix + "".join(str(n).zfill(numbering.digits) for n in pair)
                    if numbering.kind == "columns":
                        point = 3 * x, 2 * y + (column % 2 == remainder)
                    else:
                        point = 2 * x + (row % 2 == remainder), 3 * y
                points[code] = point
    if present is not None:
        points = {code: points[code] for code in present}
    return Naive(POINTY_STEPS if numbering.kind == "rows" else FLAT_STEPS, points)


@dataclass
class World:
    """A map built twice."""

    lattice: Lattice
    model: Naive

    def mask(self, codes: Iterable[str]) -> int:
        return mask_of(map(self.lattice.parse, codes))

    def codes(self, mask: int) -> set[str]:
        return set(HexSet(self.lattice, mask))

    def __repr__(self) -> str:
        return f"World({self.lattice.numbering}, {sorted(self.model.points)})"


@st.composite
def numberings(draw: st.DrawFn) -> Numbering:
    kind = draw(st.sampled_from(["columns", "rows", "oblique"]))
    column, row = draw(st.integers(0, 11)), draw(st.integers(0, 11))
    width, height = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    columns, rows = (column, column + width - 1), (row, row + height - 1)
    if kind == "oblique":
        return Numbering(kind, columns, rows)
    sheets: tuple[Sheet, ...] = ()
    if draw(st.booleans()):
        seam = draw(st.integers(column, columns[1]))
        sheets = (Sheet("W", (1, seam - column + 1), column - 1),)
        if seam < columns[1]:
            sheets += (Sheet("E", (1, columns[1] - seam), seam),)
    return Numbering(
        kind,
        columns,
        rows,
        code=draw(st.sampled_from(["CCRR", "RRCC"])),
        digits=draw(st.integers(2, 3)),
        shifted=draw(st.sampled_from(["odd", "even"])),
        columns_grow=draw(st.sampled_from(["right", "left"])),
        rows_grow=draw(st.sampled_from(["down", "up"])),
        sheets=sheets,
    )


def rectangles() -> st.SearchStrategy[World]:
    whole = numberings().filter(lambda numbering: numbering.kind != "oblique")
    return whole.map(lambda numbering: World(Lattice(numbering), naive(numbering)))


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """Maps of any numbering and any outline: holes, islands, single hexes."""
    numbering = draw(numberings())
    if numbering.kind != "oblique" and draw(st.booleans()):
        return World(Lattice(numbering), naive(numbering))
    codes = list(numbering.codes())
    chosen = draw(st.integers(1, (1 << len(codes)) - 1))
    present = [code for i, code in enumerate(codes) if chosen >> i & 1]
    return World(Lattice(numbering, present), naive(numbering, present))


def subset(data: st.DataObject, codes: Iterable[str]) -> set[str]:
    ordered = sorted(codes)
    chosen = data.draw(st.integers(0, (1 << len(ordered)) - 1))
    return {code for i, code in enumerate(ordered) if chosen >> i & 1}


def some_hex(data: st.DataObject, world: World) -> str:
    return data.draw(st.sampled_from(sorted(world.model.points)))


property_test = settings(max_examples=60, deadline=None)


ITALY_1944 = Lattice(Numbering("columns", columns=(1, 45), rows=(1, 35), shifted="even"))
UNDERBELLY = Lattice(Numbering("columns", columns=(10, 56), rows=(1, 30), shifted="odd"))
ITALY_43 = Lattice(Numbering("columns", columns=(1, 45), rows=(1, 30), shifted="even"))
ITALIA_1918 = Lattice(
    Numbering(
        "rows",
        columns=(1, 78),
        rows=(1, 37),
        code="RRCC",
        shifted="even",
        rows_grow="up",
        sheets=(Sheet("W", (1, 39), 0), Sheet("E", (1, 39), 39)),
    )
)
# The board is a sheet with straight edges north and south, so the numbers in each lettered column
# begin and end half a line further up than in the one before.
ANZIO = Lattice(
    Numbering("oblique", columns=(0, 24), rows=(0, 80)),
    [
        f"{letter}{number}"
        for q, letter in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXY")
        for number in range(81)
        if 24 <= 2 * number + q <= 161
    ],
)


def distance(lattice: Lattice, a: str, b: str) -> int:
    return lattice.distance(lattice.parse(a), lattice.parse(b))


def adjacent(lattice: Lattice, a: str, b: str) -> bool:
    return lattice.parse(b) in lattice.neighbours(lattice.parse(a))


def around(lattice: Lattice, code: str) -> list[str]:
    return [lattice.code(hex) for hex in lattice.neighbours(lattice.parse(code))]


def test_italy1944_the_tiber_runs_between_2419_and_2520() -> None:
    assert adjacent(ITALY_1944, "2419", "2520")
    assert adjacent(ITALY_1944, "2519", "2419")
    assert adjacent(ITALY_1944, "2519", "2520")
    assert around(ITALY_1944, "2419") == ["2418", "2519", "2520", "2420", "2320", "2319"]


def test_italy1944_2418_and_2317_are_two_hexes_apart() -> None:
    assert distance(ITALY_1944, "2418", "2317") == 2
    assert adjacent(ITALY_1944, "2418", "2417")
    assert adjacent(ITALY_1944, "2417", "2317")


def test_underbelly_three_hexes_touch_at_one_corner() -> None:
    for a, b in (("3117", "3118"), ("3117", "3218"), ("3118", "3218"), ("5019", "4918")):
        assert adjacent(UNDERBELLY, a, b)


@pytest.mark.parametrize(
    ("a", "b", "hexes"),
    [
        ("2822", "2921", 1),
        ("2822", "2823", 1),
        ("2921", "2823", 2),
        ("2522", "2822", 3),
        ("2522", "2823", 3),
        ("2522", "2921", 4),
        ("2522", "2608", 15),
        ("2608", "3306", 7),
        ("3306", "4108", 8),
        ("2522", "4108", 22),
        ("4108", "5122", 19),
        ("5122", "5322", 2),
        ("4921", "5319", 4),
    ],
)
def test_underbelly_distances_between_named_places(a: str, b: str, hexes: int) -> None:
    assert distance(UNDERBELLY, a, b) == hexes


def test_underbelly_read_with_the_sheet_upright_has_the_same_neighbours() -> None:
    upright = Lattice(Numbering("rows", columns=(1, 30), rows=(10, 56), code="RRCC"))
    for code in UNDERBELLY.numbering.codes():
        assert set(around(upright, code)) == set(around(UNDERBELLY, code))


def test_italy43_named_hexes_and_the_stagger_of_its_columns() -> None:
    assert adjacent(ITALY_43, "2706", "2707")
    assert around(ITALY_43, "1815") == ["1814", "1915", "1916", "1816", "1716", "1715"]
    assert around(ITALY_43, "1706") == ["1705", "1805", "1806", "1707", "1606", "1605"]


def test_italia1918_the_cadorna_line_has_no_gap() -> None:
    line = [f"W17{c:02}" for c in range(7, 13)] + ["W1812", "W1813"]
    line += [f"W19{c:02}" for c in range(14, 22)] + [f"W20{c:02}" for c in range(21, 28)]
    assert len(line) == 23
    for a, b in pairwise(line):
        assert adjacent(ITALIA_1918, a, b), (a, b)


def test_italia1918_rows_grow_northward_and_even_rows_stand_east() -> None:
    assert around(ITALIA_1918, "W1813") == ["W1914", "W1814", "W1714", "W1713", "W1812", "W1913"]
    assert around(ITALIA_1918, "W1712") == ["W1812", "W1713", "W1612", "W1611", "W1711", "W1811"]
    for a, b in (("W1712", "W1812"), ("W1813", "W1914"), ("W1921", "W2021")):
        assert adjacent(ITALIA_1918, a, b)


def test_italia1918_the_two_sheets_join() -> None:
    assert adjacent(ITALIA_1918, "W1639", "E1601")
    assert around(ITALIA_1918, "W1639") == ["E1701", "E1601", "E1501", "W1539", "W1638", "W1739"]
    assert distance(ITALIA_1918, "W1628", "E1610") == 21
    west, east = ITALIA_1918.parse("W0439"), ITALIA_1918.parse("E0401")
    assert ITALIA_1918.code(ITALIA_1918.neighbour(west, 1)) == "E0401"
    assert ITALIA_1918.direction(east, west) == 4


@pytest.mark.parametrize(
    "path", ["T26 T25 T24", "S25 R25", "S27 T26", "U26 T26", "U27 U26 U25", "J58 I58", "A14 B14"]
)
def test_anzio_named_neighbours(path: str) -> None:
    for a, b in pairwise(path.split()):
        assert adjacent(ANZIO, a, b)


def test_anzio_directions_and_distances() -> None:
    assert around(ANZIO, "K57") == ["K56", "L56", "L57", "K58", "J58", "J57"]
    assert distance(ANZIO, "W43", "W28") == 15
    assert "W28" in HexSet(ANZIO, ANZIO.ring(ANZIO.parse("W43"), 15))
    assert distance(ANZIO, "V40", "V44") == 4


def test_anzio_half_hexes_lie_level_along_both_short_edges() -> None:
    north = ["A12", "C11", "E10", "G9", "I8", "K7", "M6", "O5", "Q4", "S3", "U2", "W1", "Y0"]
    top = min(ANZIO.pixel(hex)[1] for hex in ANZIO)
    for code in north:
        assert ANZIO.pixel(ANZIO.parse(code))[1] == pytest.approx(top)
    for code in (*north, "N74", "P73", "R72", "T71"):
        assert len(around(ANZIO, code)) < 6
    for code in ("A11", "C10", "N75", "T72"):
        with pytest.raises(HexError, match="outside the outline"):
            ANZIO.parse(code)


@pytest.mark.parametrize(
    ("lattice", "code", "reason"),
    [
        (ITALY_1944, "9919", "columns run from 1 to 45"),
        (ITALY_1944, "2499", "rows run from 1 to 35"),
        (ITALY_1944, "0000", "columns run from 1 to 45"),
        (ITALY_1944, "241", "column and row, 2 digits each"),
        (ITALY_1944, "24 19", "column and row, 2 digits each"),
        (ITALY_1944, "-419", "column and row, 2 digits each"),
        (ITALY_1944, "٢٤١٩", "column and row, 2 digits each"),
        (ITALIA_1918, "1629", "W or E, then row and column, 2 digits each"),
        (ITALIA_1918, "X1629", "W or E, then row and column, 2 digits each"),
        (ITALIA_1918, "W1640", "columns run from 1 to 39"),
        (ITALIA_1918, "E3801", "rows run from 1 to 37"),
        (ANZIO, "Z10", "columns run from A to Y"),
        (ANZIO, "K81", "rows run from 0 to 80"),
        (ANZIO, "K07", "a letter and a number"),
        (ANZIO, "57", "a letter and a number"),
        (ANZIO, "K", "a letter and a number"),
        (ANZIO, "", "a letter and a number"),
    ],
)
def test_a_number_that_is_not_on_the_map_is_refused_with_the_reason(
    lattice: Lattice, code: str, reason: str
) -> None:
    with pytest.raises(HexError) as refusal:
        lattice.parse(code)
    assert str(refusal.value).startswith(f"{code!r} is not a hex of this map: ")
    assert reason in str(refusal.value)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: Numbering("columns", (5, 4), (1, 9)), "Columns 5 to 4 are not a range"),
        (lambda: Numbering("columns", (1, 9), (-1, 9)), "Rows -1 to 9 are not a range"),
        (lambda: Numbering("rows", (1, 9), (1, 100)), "Rows 1 to 100 do not fit into 2 digits"),
        (lambda: Numbering("rows", (1, 100), (1, 9)), "Columns 1 to 100 do not fit"),
        (lambda: Numbering("oblique", (0, 26), (0, 9)), "columns 0 \\(A\\) to 25 \\(Z\\)"),
        (
            lambda: Numbering("oblique", (0, 4), (0, 9), sheets=(Sheet("W", (0, 4)),)),
            "has one sheet",
        ),
        (
            lambda: Numbering("rows", (1, 9), (1, 9), sheets=(Sheet("W", (1, 4)),)),
            "do not cover columns 1 to 9",
        ),
        (
            lambda: Numbering(
                "rows", (1, 9), (1, 9), sheets=(Sheet("W", (1, 5)), Sheet("E", (1, 5), 4))
            ),
            "do not cover columns 1 to 9",
        ),
        (
            lambda: Numbering(
                "rows", (1, 9), (1, 9), sheets=(Sheet("W", (1, 5)), Sheet("W", (1, 4), 5))
            ),
            "same prefix",
        ),
        (lambda: Lattice(Numbering("oblique", (0, 4), (0, 9))), "needs the list of its hexes"),
        (lambda: Lattice(Numbering("columns", (1, 9), (1, 9)), []), "at least one hex"),
        (lambda: Lattice(Numbering("columns", (1, 9), (1, 9)), ["0110"]), "'0110' is not a hex"),
    ],
)
def test_a_numbering_that_makes_no_sense_is_refused(
    make: Callable[[], object], reason: str
) -> None:
    with pytest.raises(HexError, match=reason):
        make()


def test_a_sheet_may_number_more_columns_than_two_digits_hold_on_the_whole_map() -> None:
    sheets = (Sheet("W", (1, 60)), Sheet("E", (1, 60), 60))
    wide = Lattice(Numbering("rows", (1, 120), (1, 2), code="RRCC", sheets=sheets))
    assert distance(wide, "W0101", "E0160") == 119


@pytest.mark.parametrize(
    "ask",
    [
        lambda map, hex: map.code(hex),
        lambda map, hex: map.axial(hex),
        lambda map, hex: map.pixel(hex),
        lambda map, hex: map.neighbours(hex),
        lambda map, hex: map.neighbour(hex, 0),
        lambda map, hex: map.disc(hex, 1),
        lambda map, hex: map.distance(hex, map.parse("2419")),
        lambda map, hex: map.edge(hex, 0),
        lambda map, hex: map.edge_hexes(3 * hex),
    ],
)
@pytest.mark.parametrize("hex", [-1, 0, 10**6])
def test_an_index_that_is_no_hex_is_refused(
    ask: Callable[[Lattice, int], object], hex: int
) -> None:
    assert hex not in ITALY_1944
    with pytest.raises(HexError):
        ask(ITALY_1944, hex)


@property_test
@given(worlds())
def test_numbers_indices_and_axial_coordinates_name_the_same_hexes(world: World) -> None:
    lattice = world.lattice
    assert {lattice.code(hex) for hex in lattice} == set(world.model.points)
    assert len(lattice) == lattice.count == len(world.model.points)
    assert list(lattice) == list(bits(lattice.all)) == sorted(lattice)
    for hex in lattice:
        assert hex in lattice
        assert lattice.parse(lattice.code(hex)) == hex
        assert lattice.at(*lattice.axial(hex)) == hex
        assert all(0 <= hex + step < lattice.size for step in lattice.steps)


@property_test
@given(worlds(), st.integers(-30, 30), st.integers(-30, 30))
def test_at_finds_only_hexes_of_the_map(world: World, q: int, r: int) -> None:
    there = {world.lattice.axial(hex): hex for hex in world.lattice}
    assert world.lattice.at(q, r) == there.get((q, r), -1)


@property_test
@given(worlds())
def test_pixels_are_the_points_of_the_page(world: World) -> None:
    lattice, points = world.lattice, world.model.points
    wide, high = (0.5, sqrt(3) / 2) if lattice.flat else (sqrt(3) / 2, 0.5)
    first = next(iter(points))
    x0, y0 = lattice.pixel(lattice.parse(first))
    for code, (x, y) in points.items():
        expected = x0 + wide * (x - points[first][0]), y0 + high * (y - points[first][1])
        assert lattice.pixel(lattice.parse(code)) == pytest.approx(expected)


@property_test
@given(rectangles())
def test_the_top_left_hex_of_the_rectangle_is_the_origin(world: World) -> None:
    numbering = world.lattice.numbering
    x = min if numbering.columns_grow == "right" else max
    y = min if numbering.rows_grow == "down" else max
    corner = x(numbering.columns), y(numbering.rows)
    plain = replace(numbering, sheets=(), code="CCRR", digits=3)
    map = Lattice(plain)
    assert map.pixel(map.parse("".join(f"{n:03}" for n in corner))) == (0.0, 0.0)


@property_test
@given(worlds(), st.integers(1, 8))
def test_a_point_of_the_page_is_in_the_hex_around_it(world: World, n: int) -> None:
    lattice = world.lattice
    for hex in lattice:
        x, y = lattice.pixel(hex)
        corners = lattice.corners(hex)
        for i in range(6 * n):
            # Points just inside, n to a side.
            (ax, ay), (bx, by) = corners[i // n], corners[(i // n + 1) % 6]
            along = i % n / n
            to_x, to_y = ax + along * (bx - ax), ay + along * (by - ay)
            assert lattice.hex_at(x + 0.999 * (to_x - x), y + 0.999 * (to_y - y)) == hex


@property_test
@given(worlds())
def test_sides_run_between_corners_and_face_the_neighbour(world: World) -> None:
    lattice = world.lattice
    for hex, d in product(lattice, range(6)):
        x, y = lattice.pixel(hex)
        corners = lattice.corners(hex)
        (ax, ay), (bx, by) = corners[d], corners[(d + 1) % 6]
        assert hypot(ax - x, ay - y) == pytest.approx(1)
        assert hypot(ax - bx, ay - by) == pytest.approx(1)
        # Twice the way to the middle of the side is the centre of the neighbour.
        assert lattice.hex_at(ax + bx - x, ay + by - y) == lattice.neighbour(hex, d)


@property_test
@given(worlds())
def test_a_lattice_survives_the_way_to_another_process(world: World) -> None:
    copy = pickle.loads(pickle.dumps(world.lattice))
    assert (copy.all, copy.steps, copy.all_sides) == (
        world.lattice.all,
        world.lattice.steps,
        world.lattice.all_sides,
    )
    assert [copy.code(hex) for hex in copy] == [world.lattice.code(hex) for hex in world.lattice]


@property_test
@given(worlds())
def test_neighbours_are_one_hex_apart_on_the_page(world: World) -> None:
    lattice, model = world.lattice, world.model
    for code in model.points:
        hex = lattice.parse(code)
        assert [lattice.code(h) for h in lattice.neighbours(hex)] == model.neighbours(code)
        for d in range(6):
            expected = model.neighbour(code, d)
            found = lattice.neighbour(hex, d)
            assert found == (-1 if expected is None else lattice.parse(expected))
            if found >= 0:
                assert lattice.neighbour(found, opposite(d)) == hex
                assert found == hex + lattice.steps[d]


@property_test
@given(worlds())
def test_direction_leads_from_a_hex_to_its_neighbour_and_nowhere_else(world: World) -> None:
    lattice, model = world.lattice, world.model
    for a, b in product(model.points, repeat=2):
        expected = next((d for d in range(6) if model.neighbour(a, d) == b), -1)
        assert lattice.direction(lattice.parse(a), lattice.parse(b)) == expected
    for hex in lattice:
        assert lattice.direction(hex, -1) == lattice.direction(-1, hex) == -1


@property_test
@given(worlds(), st.data())
def test_distances_discs_and_rings_count_steps_on_the_page(
    world: World, data: st.DataObject
) -> None:
    lattice = world.lattice
    start = some_hex(data, world)
    hex = lattice.parse(start)
    steps = world.model.distances(start)
    for code, n in steps.items():
        assert lattice.distance(hex, lattice.parse(code)) == n
        assert lattice.distance(lattice.parse(code), hex) == n
    for n in range(-1, max(steps.values()) + 2):
        assert world.codes(lattice.disc(hex, n)) == {c for c, m in steps.items() if m <= n}
        assert world.codes(lattice.ring(hex, n)) == {c for c, m in steps.items() if m == n}


@property_test
@given(rectangles(), st.integers(0, 12), st.data())
def test_on_a_whole_rectangle_spreading_fills_the_disc(
    world: World, n: int, data: st.DataObject
) -> None:
    hex = world.lattice.parse(some_hex(data, world))
    assert world.lattice.dilate(1 << hex, n) == world.lattice.disc(hex, n)


def test_distance_is_straight_but_a_set_spreads_around_a_bay() -> None:
    bay = Lattice(
        Numbering("columns", (1, 3), (1, 3)),
        ["0101", "0102", "0103", "0203", "0301", "0302", "0303"],
    )
    west, east = bay.parse("0101"), bay.parse("0301")
    assert bay.distance(west, east) == 2
    assert "0301" in HexSet(bay, bay.disc(west, 2))
    assert "0301" not in HexSet(bay, bay.dilate(1 << west, 3))
    assert "0301" in HexSet(bay, bay.dilate(1 << west, 4))


def nearest(world: World, a: str, b: str) -> Iterator[set[Point]]:
    """For each step of the straight line from a to b: the point, or the two, it comes nearest."""
    model = world.model
    (ax, ay), (bx, by) = model.points[a], model.points[b]
    n = model.distances(a)[b]
    # Along and across a side the units differ by a factor whose square is 3.
    square = (1, 3) if world.lattice.flat else (3, 1)
    for i in range(n + 1):
        part = Fraction(i, max(n, 1))
        x, y = ax + part * (bx - ax), ay + part * (by - ay)
        columns = range(int(x) - 4, int(x) + 5)
        rows = range(int(y) - 4, int(y) + 5)
        cells = [p for p in product(columns, rows) if _is_centre(p, (ax, ay), model.steps)]
        gap = {p: square[0] * (p[0] - x) ** 2 + square[1] * (p[1] - y) ** 2 for p in cells}
        yield {p for p in cells if gap[p] == min(gap.values())}


def _is_centre(point: Point, other: Point, steps: list[Point]) -> bool:
    """Whether a point is the centre of a hex, given another that is."""
    x, y = point[0] - other[0], point[1] - other[1]
    along, across = (x, y) if steps is FLAT_STEPS else (y, x)
    return along % 3 == 0 and (across - along // 3) % 2 == 0


@property_test
@given(worlds(), st.data())
def test_a_line_takes_the_hexes_nearest_to_it(world: World, data: st.DataObject) -> None:
    lattice = world.lattice
    a, b = some_hex(data, world), some_hex(data, world)
    line = [lattice.code(hex) for hex in lattice.line(lattice.parse(a), lattice.parse(b))]
    assert line[0] == a
    assert line[-1] == b
    there = [
        {world.model.codes[p] for p in step if p in world.model.codes}
        for step in nearest(world, a, b)
    ]
    expected = [step for step in there if step]
    assert len(line) == len(expected)
    assert all(code in step for code, step in zip(line, expected, strict=True))
    back = lattice.line(lattice.parse(b), lattice.parse(a))
    assert [lattice.code(hex) for hex in reversed(back)] == line


@pytest.mark.parametrize("kind", ["columns", "rows"])
@pytest.mark.parametrize("shifted", ["odd", "even"])
def test_on_a_whole_rectangle_a_line_is_a_shortest_path_even_along_the_ragged_edges(
    kind: Literal["columns", "rows"], shifted: Literal["odd", "even"]
) -> None:
    lattice = Lattice(Numbering(kind, (1, 6), (1, 5), shifted=shifted))
    for a, b in product(lattice, repeat=2):
        line = lattice.line(a, b)
        assert len(line) == lattice.distance(a, b) + 1
        assert all(lattice.direction(*step) >= 0 for step in pairwise(line))


@property_test
@given(worlds(), st.data())
def test_a_shift_moves_every_hex_and_loses_those_that_leave(
    world: World, data: st.DataObject
) -> None:
    codes = subset(data, world.model.points)
    for d in range(6):
        moved = {world.model.neighbour(code, d) for code in codes} - {None}
        assert world.codes(world.lattice.shift(world.mask(codes), d)) == moved


@property_test
@given(worlds(), st.integers(0, 3), st.data())
def test_spreading_and_wearing_away(world: World, n: int, data: st.DataObject) -> None:
    lattice, model = world.lattice, world.model
    codes = subset(data, model.points)
    grown, worn = set(codes), set(codes)
    for _ in range(n):
        grown |= {other for code in grown for other in model.neighbours(code)}
        worn = {code for code in worn if set(model.neighbours(code)) <= worn}
    mask = world.mask(codes)
    assert world.codes(lattice.dilate(mask, n)) == grown
    assert world.codes(lattice.erode(mask, n)) == worn
    assert not lattice.dilate(mask, n) & ~lattice.all


@property_test
@given(worlds(), st.data())
def test_the_border_of_a_set_and_the_hexes_around_it(world: World, data: st.DataObject) -> None:
    model = world.model
    codes = subset(data, model.points)
    outside = set(model.points) - codes
    mask = world.mask(codes)
    rim = {code for code in codes if outside & set(model.neighbours(code))}
    beyond = {code for code in outside if codes & set(model.neighbours(code))}
    assert world.codes(world.lattice.border(mask)) == rim
    assert world.codes(world.lattice.neighbours_of(mask)) == beyond


@property_test
@given(worlds(), st.data())
def test_a_flood_reaches_what_is_connected_to_a_seed(world: World, data: st.DataObject) -> None:
    within, seeds = subset(data, world.model.points), subset(data, world.model.points)
    expected = world.model.flood(seeds, within)
    assert world.codes(world.lattice.flood(world.mask(seeds), world.mask(within))) == expected


@property_test
@given(worlds(), st.data())
def test_a_complement_is_as_good_as_the_set_of_all_other_hexes(
    world: World, data: st.DataObject
) -> None:
    lattice = world.lattice
    complement = ~world.mask(subset(data, world.model.points))
    others = complement & lattice.all
    seeds = world.mask(subset(data, world.model.points))
    sides = lattice.all_sides
    assert lattice.dilate(complement) == lattice.dilate(others)
    assert lattice.dilate(complement, 0) == others
    assert lattice.erode(complement) == lattice.erode(others)
    assert lattice.border(complement) == lattice.border(others)
    assert lattice.neighbours_of(complement) == lattice.neighbours_of(others)
    assert lattice.components(complement) == lattice.components(others)
    assert lattice.cross(complement, sides) == lattice.cross(others, sides)
    assert lattice.flood(seeds, complement) == lattice.flood(seeds, others)
    assert lattice.flood(complement, seeds) == lattice.flood(others, seeds)
    flooded = lattice.flood_sides(seeds, complement, sides)
    assert flooded == lattice.flood_sides(seeds, others, sides) == lattice.flood(seeds, others)
    for d in range(6):
        assert lattice.shift(complement, d) == lattice.shift(others, d)


@property_test
@given(worlds(), st.data())
def test_components_are_the_connected_parts(world: World, data: st.DataObject) -> None:
    codes = subset(data, world.model.points)
    parts = world.lattice.components(world.mask(codes))
    assert sum(parts) == world.mask(codes)
    assert [first_bit(part) for part in parts] == sorted(first_bit(part) for part in parts)
    for part in parts:
        a_hex = world.lattice.code(first_bit(part))
        assert world.codes(part) == world.model.flood([a_hex], codes)


@property_test
@given(worlds())
def test_a_hexside_has_one_id_and_two_hexes_or_one(world: World) -> None:
    lattice, model = world.lattice, world.model
    owners: dict[int, set[frozenset[Point]]] = {}
    for code, d in product(model.points, range(6)):
        hex = lattice.parse(code)
        edge = lattice.edge(hex, d)
        owners.setdefault(edge, set()).add(frozenset((model.points[code], model.beyond(code, d))))
        other = lattice.neighbour(hex, d)
        assert set(lattice.edge_hexes(edge)) == {hex, other}
        assert lattice.edge_hexes(edge)[0] >= 0
        if other >= 0:
            assert lattice.edge_between(hex, other) == lattice.edge_between(other, hex) == edge
    # Every id stands for one side of the page, every side of the page has one id.
    assert all(len(sides) == 1 for sides in owners.values())
    assert len(owners) == len(set.union(*owners.values()))


@property_test
@given(worlds(), st.data())
def test_hexes_that_do_not_touch_have_no_side_between_them(
    world: World, data: st.DataObject
) -> None:
    a, b = some_hex(data, world), some_hex(data, world)
    assume(b not in world.model.neighbours(a))
    assert world.lattice.edge_between(world.lattice.parse(a), world.lattice.parse(b)) == -1


def all_edges(world: World) -> list[int]:
    return sorted({world.lattice.edge(hex, d) for hex in world.lattice for d in range(6)})


@property_test
@given(worlds(), st.data())
def test_sets_of_sides_hold_each_side_from_both_hexes(world: World, data: st.DataObject) -> None:
    lattice = world.lattice
    edges = data.draw(st.lists(st.sampled_from(all_edges(world)), unique=True))
    sides = lattice.sides(edges)
    for hex, d in product(lattice, range(6)):
        assert bool(sides[d] >> hex & 1) == (lattice.edge(hex, d) in edges)
    assert lattice.edges(sides) == sorted(edges)


@property_test
@given(worlds())
def test_all_sides_are_those_between_two_hexes(world: World) -> None:
    inner = [e for e in all_edges(world) if world.lattice.edge_hexes(e)[1] >= 0]
    assert world.lattice.edges(world.lattice.all_sides) == inner
    assert world.lattice.sides(inner) == world.lattice.all_sides
    assert world.lattice.sides([]) == NO_SIDES


@property_test
@given(worlds(), st.data())
def test_crossing_goes_over_the_sides_given_and_no_others(
    world: World, data: st.DataObject
) -> None:
    lattice, model = world.lattice, world.model
    edges = set(data.draw(st.lists(st.sampled_from(all_edges(world)))))
    codes = subset(data, model.points)
    expected = {
        model.neighbour(code, d)
        for code, d in product(codes, range(6))
        if lattice.edge(lattice.parse(code), d) in edges
    } - {None}
    reached = lattice.cross(world.mask(codes), lattice.sides(edges))
    assert world.codes(reached) == expected
    assert not reached & ~lattice.all


@property_test
@given(worlds(), st.data())
def test_sides_that_lead_one_way_are_crossed_one_way(world: World, data: st.DataObject) -> None:
    lattice, model = world.lattice, world.model
    leaving = [subset(data, model.points) for _ in range(6)]
    n, ne, se, s, sw, nw = map(world.mask, leaving)
    sides = n, ne, se, s, sw, nw
    codes, within = subset(data, model.points), subset(data, model.points)
    reached = {model.neighbour(c, d) for c in codes for d in range(6) if c in leaving[d]} - {None}
    assert world.codes(lattice.cross(world.mask(codes), sides)) == reached
    left = {c for d in range(6) for c in leaving[d] if model.neighbour(c, d) in codes}
    assert world.codes(lattice.before(world.mask(codes), sides)) == left
    flooded = lattice.flood_sides(world.mask(codes), world.mask(within), sides)
    assert world.codes(flooded) == model.flood(codes, within, lambda c, d: c in leaving[d])


@property_test
@given(worlds(), st.data())
def test_a_flood_over_open_sides_stops_at_closed_ones(world: World, data: st.DataObject) -> None:
    lattice, model = world.lattice, world.model
    edges = set(data.draw(st.lists(st.sampled_from(all_edges(world)))))
    seeds, within = subset(data, model.points), subset(data, model.points)
    flooded = lattice.flood_sides(world.mask(seeds), world.mask(within), lattice.sides(edges))
    expected = model.flood(
        seeds, within, lambda code, d: lattice.edge(lattice.parse(code), d) in edges
    )
    assert world.codes(flooded) == expected


big_masks = st.sets(st.integers(0, 4000)).map(sorted)


@property_test
@given(big_masks)
def test_bits_come_in_order_and_by_number(places: list[int]) -> None:
    mask = mask_of(places)
    assert list(bits(mask)) == places
    assert [nth_bit(mask, k) for k in range(len(places))] == places
    assert first_bit(mask) == (places[0] if places else -1)


@pytest.mark.parametrize("width", [1, 7, 8, 9, 255, 256, 257, 2911])
def test_the_last_bit_of_a_full_mask(width: int) -> None:
    assert nth_bit((1 << width) - 1, width - 1) == width - 1
    assert nth_bit(1 << width, 0) == width


@pytest.mark.parametrize(("mask", "k"), [(0, 0), (0b1011, 3), (0b1011, -1), (1 << 3000, 1)])
def test_a_bit_that_is_not_there_is_refused(mask: int, k: int) -> None:
    with pytest.raises(IndexError, match=f"bit {k} of a mask that has {mask.bit_count()}"):
        nth_bit(mask, k)


def test_the_bits_of_a_complement_never_end_and_are_refused() -> None:
    with pytest.raises(ValueError, match="complement"):
        bits(~0b101)


@property_test
@given(worlds(), st.data())
def test_a_hexset_behaves_as_a_set_of_numbers(world: World, data: st.DataObject) -> None:
    lattice, everything = world.lattice, set(world.model.points)
    a, b = subset(data, everything), subset(data, everything)
    left, right = HexSet(lattice, world.mask(a)), HexSet(lattice, world.mask(b))
    assert set(left | right) == a | b
    assert set(left & right) == a & b
    assert set(left - right) == a - b
    assert set(left ^ right) == a ^ b
    assert set(~left) == everything - a
    assert len(left) == len(a)
    assert bool(left) == bool(a)
    assert (left == right) == (a == b)
    assert (left | right) - right == left - right
    assert hash(left) == hash(HexSet(lattice, left.mask))
    for code in everything:
        assert (code in left) == (code in a)
        assert (lattice.parse(code) in left) == (code in a)


def test_a_hexset_shows_its_numbers() -> None:
    hexes = HexSet(ITALY_1944, mask_of(map(ITALY_1944.parse, ["2520", "2419"])))
    assert str(hexes) == "2419 2520"
    assert repr(hexes) == "HexSet(2419 2520)"
    assert list(hexes) == ["2419", "2520"]


def test_a_hexset_knows_its_map() -> None:
    mine, other = HexSet(ITALY_1944, ITALY_1944.all), HexSet(ITALY_43, ITALY_43.all)
    with pytest.raises(HexError, match="different maps"):
        mine | other
    with pytest.raises(TypeError):
        mine | ITALY_1944.all
    assert mine != other
    assert HexSet(ITALY_1944, -1) == mine
    assert -1 not in mine
    with pytest.raises(HexError, match="'9999' is not a hex"):
        assert "9999" in mine
