"""Luck: a roll against what could be expected of it, as far as the record tells its odds."""

from __future__ import annotations

from typing import Any

import pytest

from apennine import games
from apennine.kernel.log import Rolled
from apennine.kernel.luck import fall_of, has_odds


def rolled(purpose: str, *faces: int, sides: int = 6, column: str = "") -> Rolled:
    return Rolled(faces, (sides,) * len(faces), purpose, "", 0, column=column)


@pytest.fixture
def game() -> Any:
    return games.get("crossing")


def test_a_result_is_read_from_its_column_and_compared_with_the_whole_column(game: Any):
    fall = fall_of(game, rolled("combat", 1, column="1-1"))
    assert fall is not None
    assert (fall.result, fall.gain) == ("2/0", -2)
    column = [fall_of(game, rolled("combat", face, column="1-1")) for face in range(1, 7)]
    assert sum(one.luck for one in column if one) == pytest.approx(0)


@pytest.mark.parametrize(
    ("purpose", "face", "result", "expected"),
    [
        ("15 PG at US 36, 6 or less", 6, "hit", 0.6),
        ("15 PG at US 36, 6 or less", 7, "miss", 0.6),
        ("rubble, 9 or more", 9, "hit", 0.2),
        ("rubble, 9 or more", 8, "miss", 0.2),
        ("a sure thing, 12 or less", 10, "hit", 1.0),
    ],
)
def test_a_shot_hits_by_the_number_that_it_names(
    game: Any, purpose: str, face: int, result: str, expected: float
):
    fall = fall_of(game, rolled(purpose, face, sides=10))
    assert fall is not None
    assert (fall.result, fall.expected) == (result, pytest.approx(expected))
    assert fall.gain == (result == "hit")


def test_a_result_that_is_a_code_is_read_from_the_chart_that_explains_it():
    fall = fall_of(games.get("italy43"), rolled("combat", 1, column="1-1"))
    assert fall is not None
    assert (fall.result, fall.gain) == ("A1", -1)
    assert fall.expected == pytest.approx((-1 - 1 + 0 - 1 + 0 + 0) / 6)


@pytest.mark.parametrize(
    ("column", "face", "result", "gain"),
    [("1-4", 1, "A1R D1", 0), ("1-2", 2, "-", 0), ("7-1", 1, "A1 D7R", 6), ("2-1", 2, "DR", 0)],
)
def test_a_result_of_letters_names_the_steps_of_each_side(
    column: str, face: int, result: str, gain: int
):
    fall = fall_of(games.get("anzio"), rolled("combat", face, column=column))
    assert fall is not None
    assert (fall.result, fall.gain) == (result, gain)


def test_a_roll_without_odds_has_no_luck(game: Any):
    march = rolled("movement of 11 Flak", 7, sides=10)
    assert not has_odds(march)
    assert fall_of(game, march) is None
    assert fall_of(game, rolled("combat", 3, column="no such column")) is None
