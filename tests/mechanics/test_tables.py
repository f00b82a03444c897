import itertools
import tomllib
from collections import Counter
from fractions import Fraction
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apennine.mechanics.odds import Ladder
from apennine.mechanics.tables import (
    Distribution,
    Table,
    TableError,
    certain,
    distribution,
    never_worse,
    read_table,
    read_tables,
)

CHARTS = tomllib.loads("""
[battle]
source = "reconstructed"
note = "made for these tests"
columns = ["1-2", "1-1", "2-1", "3-1"]
[battle.rows]
1 = ["A2", "A1", "A1", "EX"]
2 = ["A1", "A1", "EX", "-"]
3 = ["A1", "EX", "-", "D1"]
4 = ["EX", "-", "D1", "D1"]
5 = ["-", "D1", "D1", "D2"]
6 = ["D1", "D1", "D2", "D2"]

[weather]
source = "4.1"
[weather.rows]
"2-4" = "fair"
"5-6" = "poor"
7 = "fog"
"8-9" = "fair"
"10-12" = "poor"

[barrage]
source = "15.2"
columns = ["1", "2", "3+"]
[barrage.rows]
"0 or less" = [0, 0, 1]
"1-3" = [0, 1, 2]
"4" = [1, 2, 3]
"5 or more" = [2, 3, 5]
""")

WORTH = {"A2": -2, "A1": -1, "EX": 0, "-": 0, "D1": 1, "D2": 2}


def losses(cell: object) -> tuple[int, int]:
    known = {"A2": (2, 0), "A1": (1, 0), "EX": (1, 1), "-": (0, 0), "D1": (0, 1), "D2": (0, 2)}
    if cell not in known:
        raise ValueError(f"{cell!r} is not a result.")
    return known[str(cell)]


@pytest.fixture
def battle() -> Table[str]:
    return read_table("battle", CHARTS["battle"], str)


@pytest.fixture
def barrage() -> Table[int]:
    return read_table("barrage", CHARTS["barrage"], int)


def test_a_table_keeps_its_source_and_every_cell(battle: Table[str]):
    assert battle.source == "reconstructed"
    written = CHARTS["battle"]["rows"]
    for die in range(1, 7):
        for column, label in enumerate(battle.columns):
            assert battle.cell(die, battle.column(label)) == written[str(die)][column]


def test_the_columns_of_a_table_make_its_ladder(battle: Table[str]):
    ladder = Ladder(battle.columns)
    assert battle.cell(3, ladder.odds(26, 9).column) == "-"


def test_totals_beyond_the_rows_and_columns_read_the_outermost(barrage: Table[int]):
    assert barrage.cell(-7, 1) == barrage.cell(0, 1) == 0
    assert barrage.cell(12, 1) == barrage.cell(5, 1) == 3
    assert barrage.cell(4, -3) == 1
    assert barrage.cell(4, 9) == 3


def test_a_range_of_totals_is_one_row(barrage: Table[int]):
    assert [barrage.cell(total, 2) for total in range(-1, 7)] == [1, 1, 2, 2, 2, 3, 5, 5]


def test_a_table_without_columns_has_one_cell_a_row():
    weather = read_table("weather", CHARTS["weather"], str)
    assert [weather.cell(total) for total in (2, 4, 5, 7, 9, 12)] == [
        *("fair", "fair", "poor", "fog", "fair", "poor")
    ]
    assert weather.chances(0, (6, 6)) == {
        "fair": Fraction(15, 36),
        "poor": Fraction(15, 36),
        "fog": Fraction(6, 36),
    }


def test_an_unknown_column_is_named_with_those_there_are(battle: Table[str]):
    with pytest.raises(ValueError, match="battle has no column '9-1', only 1-2, 1-1, 2-1, 3-1"):
        battle.column("9-1")


def test_chances_of_a_modified_die(barrage: Table[int]):
    assert barrage.chances(2, (6,)) == {
        2: Fraction(1, 2),
        3: Fraction(1, 6),
        5: Fraction(1, 3),
    }
    assert barrage.chances(2, (6,), modifier=-2) == {
        1: Fraction(1, 3),
        2: Fraction(1, 2),
        3: Fraction(1, 6),
    }


@given(
    column=st.integers(-2, 6),
    sides=st.lists(st.integers(1, 10), min_size=1, max_size=3),
    modifier=st.integers(-8, 8),
)
def test_chances_count_every_fall_of_the_dice(column: int, sides: list[int], modifier: int):
    battle = read_table("battle", CHARTS["battle"], str)
    falls = list(itertools.product(*(range(1, side + 1) for side in sides)))
    counted = Counter(battle.cell(sum(dice) + modifier, column) for dice in falls)
    chances = battle.chances(column, sides, modifier)
    assert sum(chances.values()) == 1
    assert chances == {cell: Fraction(n, len(falls)) for cell, n in counted.items()}


def test_natural_rolls_of_a_coloured_die_override_its_modifier():
    def drill(dice: tuple[int, ...]) -> tuple[int, str]:
        white, red, blue = dice
        modified = blue - 3
        if blue == 6 or modified >= 6:
            return white + red, "perfect"
        if blue == 1 or modified <= 2:
            return white + red, "none"
        return white + red, "partial"

    both = distribution((6, 6, 6), drill)
    assert both[7, "perfect"] == Fraction(6, 36) * Fraction(1, 6)
    assert both.map(lambda fall: fall[1]) == {
        "perfect": Fraction(1, 6),
        "none": Fraction(5, 6),
    }


def test_a_ten_sided_die_hits_on_its_factor_or_less():
    assert distribution((10,), lambda dice: dice[0] <= 7)[True] == Fraction(7, 10)


def test_no_dice_leave_no_doubt():
    assert distribution((), sum) == certain(0) == {0: Fraction(1)}


def test_shots_one_after_the_other_stop_when_the_target_is_gone():
    """Three shots of 7 in 10 at a target of two steps."""

    def shoot(steps: int) -> Distribution[int]:
        hit = distribution((10,), lambda dice: dice[0] <= 7)
        return hit.map(lambda hit: steps - hit) if steps else certain(0)

    left = certain(2)
    for _ in range(3):
        left = left.chain(shoot)
    miss = Fraction(3, 10)
    assert left[2] == miss**3
    assert left[1] == 3 * (1 - miss) * miss**2
    assert left[0] == 1 - left[1] - left[2]


def test_a_stand_that_is_rolled_again_after_each_failure_until_it_holds_or_dies():
    """Two dice hold on 7 or more; each failure costs one of three steps."""

    def stand(steps: int) -> Distribution[tuple[str, int]]:
        if steps == 0:
            return certain(("dead", 0))
        roll = distribution((6, 6), lambda dice: sum(dice) >= 7)
        return roll.chain(lambda holds: certain(("held", steps)) if holds else stand(steps - 1))

    fails = Fraction(15, 36)
    chances = stand(3)
    assert chances["dead", 0] == fails**3
    assert chances["held", 1] == fails**2 * (1 - fails)
    assert chances.chance(lambda end: end[0] == "held") == 1 - fails**3
    assert sum(chances.values()) == 1


@given(st.integers(1, 8), st.integers(1, 8))
def test_chained_dice_are_the_dice_thrown_together(first: int, second: int):
    together = distribution((first, second), prod)
    chained = distribution((first,), prod).chain(
        lambda die: distribution((second,), lambda dice: die * dice[0])
    )
    assert chained == together
    assert chained.mean(lambda product: product) == Fraction(first + 1, 2) * Fraction(second + 1, 2)


def test_expected_losses_of_a_column():
    battle = read_table("battle", CHARTS["battle"], losses)
    chances = battle.chances(battle.column("2-1"), (6,))
    assert chances.mean(lambda cell: cell[0]) == Fraction(2, 6)
    assert chances.mean(lambda cell: cell[1]) == Fraction(5, 6)


def test_better_odds_are_never_worse_here(battle: Table[str]):
    assert never_worse(battle, battle.columns, WORTH.__getitem__) == []
    assert never_worse(battle, battle.columns, WORTH.__getitem__, dice=(6,)) == []


def spoilt(battle: Table[str], **cells: str) -> Table[str]:
    """The table with other results at 3-1, by die: spoilt(battle, on_5="A1")."""
    rows = {str(die): list(row) for die, row in enumerate(battle.rows, 1)}
    for die, cell in cells.items():
        rows[die.removeprefix("on_")][3] = cell
    return read_table("spoilt", {"source": "-", "columns": battle.columns, "rows": rows}, str)


def test_a_column_that_gets_worse_is_found_in_its_row(battle: Table[str]):
    table = spoilt(battle, on_5="A1")
    assert never_worse(table, table.columns, WORTH.__getitem__) == [
        "On 5, 3-1 (A1) is worse than 2-1 (D1)."
    ]


def test_by_the_mean_other_rows_make_up_for_a_bad_one_but_not_for_two(battle: Table[str]):
    one, two = spoilt(battle, on_5="A1"), spoilt(battle, on_5="A1", on_6="A1")
    assert never_worse(one, one.columns, WORTH.__getitem__, dice=(6,)) == []
    assert never_worse(two, two.columns, WORTH.__getitem__, dice=(6,)) == [
        "3-1 scores 0 on average, less than 2-1 with 1/2."
    ]


def test_all_mistakes_of_all_tables_are_listed_at_once():
    charts = tomllib.loads("""
    [battle]
    columns = ["1-1", "2-1", "2-1"]
    [battle.rows]
    1 = ["A1", "D1", "D1"]
    2 = ["A1", "D1"]
    3 = "A1"
    4 = ["A1", "B1", "D9"]
    six = ["A1", "D1", "D1"]
    7 = ["A1", "D1", "D1"]
    "9-7" = ["A1", "D1", "D1"]
    [weather]
    source = "4.1"
    [weather.rows]
    "1-3" = "A1"
    "3-4" = "A1"
    "5 or less" = "A1"
    "8 or more" = "A1"
    "9" = "D1"
    [empty]
    source = " "
    columns = []
    rows = {}
    [text]
    """)
    charts["text"] = "not a table"
    keys = ["battle", "weather", "empty", "text", "absent"]
    with pytest.raises(TableError) as caught:
        read_tables(charts, dict.fromkeys(keys, losses), where="charts.toml")
    name_help = 'write "3", "2-4", "0 or less" or "7 or more".'
    assert caught.value.mistakes == [
        "charts.toml: battle has no source.",
        "charts.toml: battle.columns has '2-1' more than once.",
        "charts.toml: battle.rows.2 has 2 cells for 3 columns.",
        "charts.toml: battle.rows.3 has 1 cells for 3 columns.",
        "charts.toml: battle.rows.4 under 2-1: 'B1' is not a result.",
        "charts.toml: battle.rows.4 under 2-1: 'D9' is not a result.",
        f"charts.toml: battle.rows.six is not the name of a row: {name_help}",
        f"charts.toml: battle.rows.9-7 is not the name of a row: {name_help}",
        "charts.toml: battle.rows has no row for 2 to 3.",
        "charts.toml: battle.rows has no row for 5 to 6.",
        "charts.toml: weather.rows has two rows for 3: '1-3' and '3-4'.",
        "charts.toml: weather.rows has no row for 6 to 7.",
        "charts.toml: weather.rows.5 or less is not the lowest row.",
        "charts.toml: weather.rows.8 or more is not the highest row.",
        "charts.toml: empty has no source.",
        "charts.toml: empty.columns is not a list of labels.",
        "charts.toml: empty has no rows.",
        "charts.toml: text is not a table.",
        "charts.toml: absent is missing.",
    ]
    assert str(caught.value).count("\n") == len(caught.value.mistakes) - 1


def test_only_the_outermost_rows_may_be_open():
    rows = {"1 or more": "A1", "2 or less": "A1", "4": "A1"}
    with pytest.raises(TableError) as caught:
        read_table("battle", {"source": "-", "rows": rows}, losses)
    assert caught.value.mistakes == [
        "charts.toml: battle.rows has no row for 3.",
        "charts.toml: battle.rows.2 or less is not the lowest row.",
        "charts.toml: battle.rows.1 or more is not the highest row.",
    ]


def test_several_tables_are_read_each_with_its_own_cells():
    tables = read_tables(CHARTS, {"battle": losses, "barrage": int})
    assert tables["battle"].cell(6, 3) == (0, 2)
    assert tables["barrage"].cell(6, 2) == 5
