"""Parts of what every game shows."""

from __future__ import annotations

from fractions import Fraction

from apennine.games.crossing.game import Crossing
from apennine.kernel.game import Chance, Fault, Line, Posting
from apennine.mechanics.odds import Ladder, Shift
from apennine.mechanics.showing import (
    arrivals,
    attack,
    chances,
    faults,
    markers,
    named,
    way,
    wrong_steps,
)
from apennine.mechanics.tables import read_table

BOARD = Crossing().board
LADDER = Ladder(["1-2", "1-1", "2-1"])
CHART = read_table(
    "combat",
    {
        "source": "design: for tests",
        "columns": ["1-2", "1-1", "2-1"],
        "rows": {"1": ["1/0", "1/0", "0/1"], "2": ["1/0", "0/1", "0/1"]},
    },
    str,
)


class Road:
    """Two hexes of half a point each."""

    def path(self, hex: int) -> list[int]:
        return [hex - 2, hex - 1, hex]

    def cost(self, hex: int) -> int:
        return 2


def test_markers_off_the_map_are_not_shown():
    hex = BOARD.parse("0304")
    found = [(hex, "LC", "Logistic centre", "Allied"), (-1, "OFF", "Offensive", "Allied")]
    assert markers(BOARD, found) == [
        {"hex": "0304", "name": "LC", "title": "Logistic centre", "side": "Allied"}
    ]
    assert named(("1 Inf", "2 Inf", "V Pz"), 0b110) == ["2 Inf", "V Pz"]


def test_a_way_has_its_path_and_its_cost_in_points():
    shown = way(Road(), 7, scale=2, lines=[Line("in column", "x2")])
    assert (shown.path, shown.cost) == ((5, 6, 7), "1 point")
    assert shown.lines == (Line("in column", "x2"),)


def test_an_attack_has_its_factors_its_shifts_and_exact_chances():
    found = LADDER.odds(4, 4, [Shift("river", -1, "8.2")])
    shown = attack(found, CHART, (2,), "9.1", cost="2 points")
    assert [(line.text, line.value, line.rule) for line in shown.lines] == [
        ("attack", "4", "9.1"),
        ("defence", "4", "9.1"),
        ("odds", "1-1", "9.1"),
        ("river", "-1", "8.2"),
    ]
    assert (shown.column, shown.cost) == ("1-2", "2 points")
    assert shown.chances == (Chance("1/0", Fraction(1)),)


def test_where_the_chart_ends_is_said_if_a_rule_is_given():
    found = LADDER.odds(8, 4, [Shift("air", 2, "10")])
    end = Line("the chart ends at", "2-1", "9.2")
    assert attack(found, CHART, (2,), "9.1", end="9.2").lines[-1] == end
    assert end not in attack(found, CHART, (2,), "9.1").lines
    assert chances({"hit": Fraction(1, 3)}) == (Chance("hit", Fraction(1, 3)),)


def test_steps_out_of_range_and_lost_units_with_steps_are_faults():
    places, steps = [5, 5, -1, -1, 7], [2, 0, 0, 1, 3]
    found = faults(BOARD, "ABCDE", places, wrong_steps(places, steps, (2,) * 5, "2.1"))
    assert found == [
        Fault("B has 0 steps.", "2.1", 1, 5),
        Fault("D has 1 steps.", "2.1", 3, -1),
        Fault("E has 3 steps.", "2.1", 4, 7),
    ]


def test_what_is_wrong_is_told_for_each_unit_or_hex_that_a_sentence_names():
    hex = BOARD.parse("0304")
    wrong = [
        (1 << hex | 1 << hex + 1, "Both sides are in {hex}", "6.1"),
        (0b110, "{unit} is at sea", "8.1"),
        (0b110, "Units are at sea", "8.1"),
        (False, "There is no turn 3", "5.1"),
    ]
    assert faults(BOARD, "ABC", [4, 5, 6], wrong) == [
        Fault("Both sides are in 0304.", "6.1", hex=hex),
        Fault(f"Both sides are in {BOARD.code(hex + 1)}.", "6.1", hex=hex + 1),
        Fault("B is at sea.", "8.1", 1, 5),
        Fault("C is at sea.", "8.1", 2, 6),
        Fault("Units are at sea.", "8.1"),
    ]


def test_who_comes_is_listed_by_side_and_turn_but_for_those_left_out():
    due = {2: (0, 1), 3: (2,)}, {2: (3,)}
    found = list(arrivals(due, ("7.1", "7.2"), but=0b0110))
    assert found == [Posting(2, 0, True, (0,), rule="7.1"), Posting(2, 1, True, (3,), rule="7.2")]
