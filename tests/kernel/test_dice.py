from __future__ import annotations

from collections import Counter
from hashlib import sha256
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apennine.kernel.dice import DiceError, SeededDice, check_faces, make_seed
from tests.kernel.playing import in_another_process

SEEDS = st.integers() | st.text() | st.binary()
DICE = st.lists(st.integers(1, 100), min_size=1, max_size=5).map(tuple)


@given(SEEDS, st.integers(0, 10**9), DICE)
def test_every_die_shows_a_face_that_it_has(seed: int, n: int, sides: tuple[int, ...]):
    check_faces(SeededDice(make_seed(seed)).roll(n, sides), sides)


@given(SEEDS, st.lists(st.integers(0, 99), min_size=1))
def test_a_roll_depends_on_its_number_and_not_on_the_rolls_before(seed: int, order: list[int]):
    dice = SeededDice(make_seed(seed))
    alone = {n: SeededDice(make_seed(seed)).roll(n, (6, 6)) for n in order}
    assert all(dice.roll(n, (6, 6)) == alone[n] for n in order)


def test_all_pairs_of_faces_come_up_about_equally_often():
    dice = SeededDice(make_seed("fair"))
    count = Counter(dice.roll(n, (6, 6)) for n in range(7200))
    assert set(count) == set(product(range(1, 7), repeat=2))
    # Each is expected 200 times; the sum of squares is below 62 in 99.7 % of fair sequences.
    assert sum((seen - 200) ** 2 / 200 for seen in count.values()) < 62


def test_dice_of_different_kinds_in_one_roll_keep_their_order():
    dice = SeededDice(make_seed(1))
    rolls = [dice.roll(n, (2, 100)) for n in range(200)]
    assert {first for first, _ in rolls} == {1, 2}
    assert max(second for _, second in rolls) > 50


def test_different_seeds_give_different_dice():
    rolls = {
        tuple(SeededDice(make_seed(seed)).roll(n, (6, 6, 6)) for n in range(8))
        for seed in (1, 2, "1 ", b"2 ", None, None)
    }
    assert len(rolls) == 6


def test_a_seed_may_be_typed_as_text_or_as_a_number():
    assert make_seed(7) == make_seed("7") == make_seed(b"7")


def test_a_revealed_seed_is_taken_as_it_is():
    seed = make_seed(None)
    assert len(seed) == 32
    assert make_seed(seed) == seed


def test_the_commitment_is_the_hash_of_the_seed():
    dice = SeededDice(make_seed(7))
    assert dice.commitment == sha256(dice.seed).hexdigest()


def test_the_dice_fall_alike_in_another_process():
    rolls = [list(SeededDice(make_seed("x")).roll(n, (6, 10))) for n in range(20)]
    assert rolls == in_another_process(
        "from apennine.kernel.dice import SeededDice, make_seed\n"
        "result = [SeededDice(make_seed('x')).roll(n, (6, 10)) for n in range(20)]"
    )


@pytest.mark.parametrize(
    ("faces", "sides", "sentence"),
    [
        ((6,), (6, 6), "2 dice are asked for, 1 were given."),
        ((0,), (6,), "A die with 6 sides cannot show 0."),
        ((3, 11), (6, 10), "A die with 10 sides cannot show 11."),
    ],
)
def test_dice_that_cannot_be_are_refused_in_a_sentence(
    faces: tuple[int, ...], sides: tuple[int, ...], sentence: str
):
    with pytest.raises(DiceError) as error:
        check_faces(faces, sides)
    assert str(error.value) == sentence
