"""The schema of orders: every option by one number."""

from copy import copy
from typing import Any

import pytest

from apennine.games import get, keys
from apennine.kernel.decision import Option
from apennine.kernel.game import GameError
from apennine.kernel.order import VALUE, Order
from apennine.kernel.schema import Schema

CROSSING = get("crossing")


def test_what_the_question_has_fixed_is_not_counted():
    by_name = {verb.name: verb for verb in CROSSING.schema.verbs}
    places = CROSSING.board.lattice.count
    assert by_name["go"].size == places
    assert [name for name, _ in by_name["go"].fields] == ["hex"]
    assert by_name["attack with"].size == len(CROSSING.units)
    assert by_name["end movement"].size == 1


def test_the_numbers_of_italy_1944_are_few_enough_to_learn():
    assert get("italy1944").schema.size < 17_000


@pytest.mark.parametrize("key", keys())
def test_every_number_stands_for_one_thing(key: str):
    schema = get(key).schema
    ends = [verb.first + verb.size for verb in schema.verbs]
    assert [verb.first for verb in schema.verbs] == [0, *ends[:-1]]
    assert ends[-1] == schema.size
    shown = {schema.describe(number) for number in range(0, schema.size, 97)}
    assert len(shown) == len(range(0, schema.size, 97))


def test_a_number_is_told_in_words():
    schema, hex = CROSSING.schema, CROSSING.board.parse("0304")
    number = schema.number(Option("go", 3, hex))
    assert number == schema.number(Option("go", 5, hex))
    assert schema.describe(number) == f"go, hex {hex}"


@pytest.mark.parametrize(
    "option", [Option("fly"), Option("go", 3, -1), Option("move", 99), Option("stay", value=4)]
)
def test_what_is_not_declared_has_no_number(option: Option):
    with pytest.raises(GameError, match="outside of what is declared"):
        CROSSING.schema.number(option)


def test_a_verb_that_does_not_say_its_values_is_named():
    class Vote(Order[Any, Any]):
        verb, names = "vote", (VALUE,)

    game = copy(CROSSING)
    game.verbs = {"vote": Vote}
    with pytest.raises(GameError, match="'vote' does not say what values it names"):
        Schema(game)
