"""The schema of orders: every option by one number or two."""

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


@pytest.mark.parametrize("key", keys())
def test_the_numbers_of_a_game_are_few_enough_to_learn(key: str):
    game = get(key)
    assert game.schema.size < (17_000 if key == "italy1944" else 70_000)
    pairs = [verb for verb in game.schema.verbs if len(verb.fields) == 2]
    assert all(verb.size == sum(len(known) for _, known in verb.fields) for verb in pairs)


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
    (number,) = schema.numbers(Option("go", 3, hex))
    assert (number,) == schema.numbers(Option("go", 5, hex))
    assert schema.describe(number) == f"go, hex {hex}"


def bring_on(game: Any, *pairs: tuple[int, int]) -> list[Option]:
    """Units by number, where they may come on by its place in the list."""
    fields = next(verb.fields for verb in game.schema.verbs if verb.name == "bring on")
    hexes = dict(fields)["hex"]
    return [Option("bring on", unit, hexes[nth]) for unit, nth in pairs]


def test_an_order_that_leaves_two_things_open_has_two_numbers():
    game = get("italy1944")
    schema, (option,) = game.schema, bring_on(game, (3, 0))
    unit, hex = schema.numbers(option)
    assert schema.describe(unit) == "bring on, unit 3"
    assert schema.describe(hex) == f"bring on, hex {option.hex}"


def test_the_second_number_is_asked_for_where_the_first_leaves_several():
    game = get("italy1944")
    schema = game.schema
    menu = [*bring_on(game, (3, 0), (3, 1), (5, 0)), Option("halt")]
    first = schema.numbered(menu)
    several = [number for number, option in first.items() if option is None]
    assert [schema.describe(number) for number in several] == ["bring on, unit 3"]
    assert {option for option in first.values() if option} == {menu[2], menu[3]}
    second = schema.numbered(menu, several[0])
    assert list(second.values()) == menu[:2]
    assert list(schema.numbered(menu[:2]).items()) == list(second.items()), "unit 3 is no question"


@pytest.mark.parametrize(
    "option", [Option("fly"), Option("go", 3, -1), Option("move", 99), Option("stay", value=4)]
)
def test_what_is_not_declared_has_no_number(option: Option):
    with pytest.raises(GameError, match="outside of what is declared"):
        CROSSING.schema.numbers(option)


def test_a_verb_that_does_not_say_its_values_is_named():
    class Vote(Order[Any, Any]):
        verb, names = "vote", (VALUE,)

    game = copy(CROSSING)
    game.verbs = {"vote": Vote}
    with pytest.raises(GameError, match="'vote' does not say what values it names"):
        Schema(game)
