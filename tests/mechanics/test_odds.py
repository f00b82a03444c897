from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apennine.mechanics.odds import HOPELESS, UNOPPOSED, Ladder, Shift

LADDER = Ladder(["1-3", "1-2", "1-1", "2-1", "3-1", "4-1", "5-1", "6-1", "7-1"])

whole = st.integers(1, 400)
strengths = whole | st.fractions(Fraction(1, 8), 400, max_denominator=8)
columns = st.integers(-40, 40)


@pytest.mark.parametrize(
    ("attack", "defence", "label"),
    [
        (35, 10, "3-1"),
        (6, 10, "1-2"),
        (9, 4, "2-1"),
        (7, 2, "3-1"),
        (6, 4, "1-1"),
        (5, 6, "1-2"),
        (6, 7, "1-2"),
        (26, 9, "2-1"),
        (2, 5, "1-3"),
        (4, 3, "1-1"),
        (44, 9, "4-1"),
        (10, 10, "1-1"),
        (20, 2, "10-1"),
        (1, 9, "1-9"),
        (Fraction(5, 2), 5, "1-2"),
        (Fraction(5, 2), Fraction(1, 2), "5-1"),
        (Fraction(9, 2), 5, "1-2"),
    ],
)
def test_strengths_are_rounded_for_the_defender(
    attack: int | Fraction, defence: int | Fraction, label: str
):
    assert LADDER.label(LADDER.column(attack, defence)) == label


@given(strengths, strengths)
def test_the_column_is_the_best_one_that_the_strengths_reach(
    attack: int | Fraction, defence: int | Fraction
):
    column = LADDER.column(attack, defence)

    def ratio(column: int) -> Fraction:
        left, right = LADDER.label(column).split("-")
        return Fraction(int(left), int(right))

    assert ratio(column) <= Fraction(attack) / Fraction(defence) < ratio(column + 1)


@given(whole, whole, whole)
def test_only_the_proportion_counts(attack: int, defence: int, times: int):
    assert LADDER.column(attack, defence) == LADDER.column(attack * times, defence * times)


@given(columns)
def test_labels_and_columns_name_each_other_beyond_both_ends(column: int):
    assert LADDER.index(LADDER.label(column)) == column


def test_the_ladder_goes_on_where_the_print_ends():
    ladder = Ladder(["1/2", "1/1", "2/1+"])
    assert [ladder.label(column) for column in range(-3, 6)] == [
        *("1/5", "1/4", "1/3"),
        *("1/2", "1/1", "2/1+"),
        *("3/1", "4/1", "5/1"),
    ]


def test_a_ladder_of_one_column_still_has_virtual_ones():
    assert [Ladder(["1-1"]).label(column) for column in (-1, 0, 1)] == ["1-2", "1-1", "2-1"]


def test_shifts_are_netted_before_anything_is_clamped():
    shifts = [Shift("fortress", -4, "9.1"), Shift("bombers", 3, "9.2")]
    odds = LADDER.odds(1, 2, shifts)
    assert (odds.raw_label, odds.shifted_label, odds.label) == ("1-2", "1-3", "1-3")


def test_a_far_shift_left_is_read_on_the_first_column_and_right_on_the_last():
    assert LADDER.odds(1, 3, [Shift("mud", -2, "5")]).label == "1-3"
    assert LADDER.odds(6, 1, [Shift("surprise", 3, "5")]).label == "7-1"


def test_a_least_column_can_be_tested_before_the_shifts_or_after_them():
    helped = LADDER.odds(1, 5, [Shift("bombers", 2, "9.2")])
    hindered = LADDER.odds(1, 3, [Shift("mud", -1, "5")])
    least = LADDER.index("1-3")
    assert (helped.raw >= least, helped.shifted >= least) == (False, True)
    assert (hindered.raw >= least, hindered.shifted >= least) == (True, False)


def test_an_automatic_result_can_wait_beyond_the_printed_columns():
    odds = LADDER.odds(16, 2, [Shift("armour", 1, "8.4"), Shift("elite", 1, "8.5")])
    assert odds.raw_label == "8-1"
    assert odds.shifted >= LADDER.index("10-1")
    assert odds.label == "7-1"


@given(strengths, strengths, st.lists(st.integers(-6, 6), max_size=6))
def test_odds_keep_all_three_columns_and_every_reason(
    attack: int | Fraction, defence: int | Fraction, by: list[int]
):
    odds = LADDER.odds(attack, defence, [Shift("reason", columns, "1") for columns in by])
    assert odds.raw == LADDER.column(attack, defence)
    assert odds.shifted == odds.raw + sum(by)
    assert odds.column == sorted([0, odds.shifted, len(LADDER) - 1])[1]
    assert [shift.columns for shift in odds.shifts] == by
    assert odds.label == LADDER.labels[odds.column]


def test_no_defence_is_beyond_every_column_whatever_the_shifts():
    odds = LADDER.odds(1, 0, [Shift("fortress", -20, "9.1")])
    assert odds.raw == odds.shifted == UNOPPOSED
    assert odds.shifted > LADDER.index("1000-1")
    assert (odds.shifted_label, odds.label) == ("1-0", "7-1")


@pytest.mark.parametrize("defence", [0, 5])
def test_no_attack_is_short_of_every_column_even_against_nothing(defence: int):
    odds = LADDER.odds(0, defence, [Shift("surprise", 20, "9.1")])
    assert odds.raw == odds.shifted == HOPELESS
    assert odds.shifted < LADDER.index("1-1000")
    assert (odds.shifted_label, odds.label) == ("0-1", "1-3")


def test_odds_tell_how_they_came_about():
    shifts = [Shift("river", -2, "4.2"), Shift("surprise", 1, "6.1")]
    assert str(LADDER.odds(Fraction(7, 2), 3)) == "7/2 to 3 is 1-1"
    assert (
        str(LADDER.odds(9, 4, shifts))
        == "9 to 4 is 2-1; river 2 left (4.2); surprise 1 right (6.1); 1-1"
    )
    assert str(LADDER.odds(8, 1)) == "8 to 1 is 8-1; 8-1, read on 7-1"


@pytest.mark.parametrize(
    ("labels", "complaint"),
    [
        ([], "at least one column"),
        (["1-1", "3-1"], "'3-1' should be '2-1'"),
        (["2-1", "1-1"], "'1-1' should be '3-1'"),
        (["1-1", "2:1"], "'2:1' should be '2-1'"),
        (["1-1+", "2-1"], r"'1-1\+' should be '1-1'"),
        (["3-2"], "'3-2' is not of the form"),
        (["0-1"], "'0-1' is not of the form"),
        (["even"], "'even' is not of the form"),
    ],
)
def test_a_broken_ladder_is_refused_with_its_reason(labels: list[str], complaint: str):
    with pytest.raises(ValueError, match=complaint):
        Ladder(labels)


def test_negative_and_inexact_strengths_are_refused():
    with pytest.raises(ValueError, match="cannot be negative: -1 against 3"):
        LADDER.column(-1, 3)
    inexact: list[object] = [2.5, 0.5]
    for strength in inexact:
        with pytest.raises(TypeError, match="must be whole numbers or fractions"):
            LADDER.column(strength, 1)  # pyright: ignore[reportArgumentType]
