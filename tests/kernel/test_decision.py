from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apennine.hexes import bits
from apennine.kernel.decision import (
    Among,
    Choice,
    Each,
    Later,
    Menu,
    Option,
    Over,
    done,
    new_choice,
    new_option,
)
from apennine.kernel.match import Match
from apennine.kernel.order import Offer, Order, Plain
from apennine.kernel.position import Position
from tests.kernel.playing import play, start, take
from tests.kernel.toy import Toy


class Model(NamedTuple):
    """A lazy menu, and the plain list that it must not be told from."""

    menu: Sequence[Option]
    plain: list[Option]


VERBS = st.sampled_from(["go", "stay"])
SMALL = st.integers(-1, 3)
MASKS = st.integers(0, 1 << 12) | st.integers(0, 1 << 300)


@st.composite
def overs(draw: st.DrawFn) -> Model:
    verb, mask, unit, value = draw(st.tuples(VERBS, MASKS, SMALL, SMALL))
    plain = [Option(verb, unit, hex, value) for hex in bits(mask)]
    return Model(Over(verb, mask, unit, value), plain)


@st.composite
def amongs(draw: st.DrawFn) -> Model:
    verb, hex, value = draw(st.tuples(VERBS, SMALL, SMALL))
    units = draw(st.lists(st.integers(0, 5)))
    return Model(Among(verb, units, hex, value), [Option(verb, u, hex, value) for u in units])


@st.composite
def eaches(draw: st.DrawFn) -> Model:
    verb, mask, hex, value = draw(st.tuples(VERBS, MASKS, SMALL, SMALL))
    plain = [Option(verb, unit, hex, value) for unit in bits(mask)]
    return Model(Each(verb, mask, hex, value), plain)


class Known(Order[Any, Any]):
    """An order with these options."""

    verb, when, rule = "go", "Now", "1"

    def __init__(self, menu: Sequence[Option]) -> None:
        self.given = menu

    def menu(self, war: Any, pos: Any) -> Sequence[Option]:
        return self.given


def offered(parts: list[Model]) -> Model:
    orders = [Known(part.menu) for part in parts]
    offer = Offer(None, Position(), [*orders, Plain("end", "Now", "1")])
    return Model(offer, [*together(parts).plain, Option("end")])


def plains() -> st.SearchStrategy[Model]:
    options = st.builds(Option, VERBS, SMALL, SMALL, SMALL)
    return st.lists(options, max_size=4).map(lambda plain: Model(plain, plain))


def together(parts: list[Model]) -> Model:
    return Model(Menu(*(part.menu for part in parts)), [o for part in parts for o in part.plain])


def later(model: Model) -> Model:
    return Model(Later(lambda: model.menu), model.plain)


LAZY = st.recursive(
    overs() | eaches() | amongs(),
    lambda inner: (
        st.lists(inner | plains(), max_size=3).map(together)
        | st.lists(inner | plains(), max_size=3).map(offered)
        | inner.map(later)
    ),
    max_leaves=5,
)
ANY_OPTION = st.builds(Option, VERBS, SMALL, st.integers(-1, 14), SMALL)


@given(LAZY)
def test_a_lazy_menu_has_the_length_and_the_options_of_the_plain_list(model: Model):
    menu, plain = model
    assert len(menu) == len(plain)
    assert list(menu) == plain
    assert [menu[k] for k in range(len(plain))] == plain
    assert [menu[-k] for k in range(1, len(plain) + 1)] == plain[::-1]
    assert list(reversed(menu)) == plain[::-1]
    assert menu == plain
    assert menu != [*plain, Option("more")]


@given(LAZY, ANY_OPTION)
def test_a_lazy_menu_contains_its_own_options_and_no_other(model: Model, option: Option):
    menu, plain = model
    assert all(own in menu for own in plain)
    assert (option in menu) == (option in plain)
    assert "go" not in menu
    assert None not in menu


@given(LAZY, ANY_OPTION)
def test_what_was_picked_by_number_is_in_the_menu_and_nothing_else_with_it(
    model: Model, option: Option
):
    menu, plain = model
    for k, own in enumerate(plain):
        assert menu[k] in menu
        assert own in menu
        assert (option in menu) == (option in plain)


@given(st.builds(Option, VERBS, SMALL, SMALL, SMALL))
def test_named_tuples_made_of_plain_ones_are_those_that_are_called_for(option: Option):
    quick = new_option((option.verb, option.unit, option.hex, option.value))
    assert (type(quick), quick, quick.hex) == (Option, option, option.hex)
    choice = Choice(1, [option], "Go", "2.1", True, False)
    assert new_choice((1, [option], "Go", "2.1", True, False)) == choice
    assert len(new_option(tuple(option))) == len(Option._fields)
    assert len(new_choice(tuple(choice))) == len(Choice._fields)


@given(LAZY, st.slices(20))
def test_a_slice_of_a_lazy_menu_is_the_slice_of_the_list(model: Model, part: slice):
    assert list(model.menu[part]) == model.plain[part]


@given(LAZY)
def test_beyond_the_ends_of_a_menu_there_is_nothing(model: Model):
    for index in (len(model.plain), -len(model.plain) - 1):
        with pytest.raises(IndexError, match=f"{len(model.plain)} options"):
            model.menu[index]


def test_a_menu_says_how_long_it_is_and_shows_no_more_than_its_beginning():
    shown = repr(Over("go", (1 << 1000) - 1))
    assert shown.startswith("<1000 options: ")
    assert shown.count("Option(") == 5


def test_the_option_that_ends_a_step_is_a_menu_of_one():
    assert done() == (Option("done"),)
    assert done("end combat", 3) == (Option("end combat", value=3),)


class Counting:
    """Makes a menu, and counts how often."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self) -> Sequence[Option]:
        self.calls += 1
        return [Option("go"), Option("stay")]


@pytest.mark.parametrize(
    "look",
    [len, list, repr, lambda menu: menu[0], lambda menu: Option("go") in menu],
    ids=["length", "options", "text", "first", "membership"],
)
def test_a_later_menu_is_made_at_the_first_look_and_once(look: Callable[[Any], Any]):
    make = Counting()
    menu = Menu(Later(make), done())
    assert make.calls == 0
    look(menu)
    list(menu)
    assert make.calls == 1


def test_no_later_menu_is_made_while_recorded_answers_are_fed_again():
    toy = Toy()
    match = take(Match(toy, seed=7), "plan=1", "go/Red 2@H06")
    assert match.decision is not None
    toy.menus_built = 0
    fork = match.fork()
    assert fork.position == match.position
    assert toy.menus_built == 0


def test_going_back_makes_the_menu_that_is_asked_again_and_no_other():
    toy = Toy()
    match = play(Match(toy, "endless", seed=7), 400)
    toy.menus_built = 0
    match.undo()
    match.at(300)
    assert toy.menus_built <= 2


def test_a_menu_stays_as_it_was_shown_when_the_rules_go_on():
    match = play(start("endless"), 20)
    shown: list[tuple[Sequence[Option], list[Option]]] = []
    for seed in range(300):
        assert match.decision is not None
        shown.append((match.decision.options, list(match.decision.options)))
        play(match, 1, seed)
    assert any(option.verb == "snipe" for _, options in shown for option in options)
    assert all(list(menu) == options for menu, options in shown)


@pytest.mark.parametrize(
    "menu_of",
    [
        lambda options: options,
        lambda options: Menu(options),
        lambda options: Later(lambda: options),
        lambda options: Menu(Later(lambda: options), []),
    ],
    ids=["list", "menu", "later", "nested"],
)
def test_a_fork_keeps_its_menu_though_the_rules_shorten_their_list(menu_of: Any):
    class Shortening(Toy):
        def red_plan(self, pos: Any) -> Any:
            plans = [Option("plan", value=value) for value in (1, 2, 3)]
            while plans:
                plan = yield Choice(0, menu_of(plans), "Plan", "2.1", checkpoint=len(plans) == 3)
                plans.remove(plan)
            pos.phase = "blue_plan"

    match = Match(Shortening(), seed=7)
    fork = match.fork()
    take(match, "plan=2")
    assert [option.value for option in fork.decision.options] == [1, 2, 3]
    take(fork, "plan=2")
    assert fork.digest == match.digest


def test_the_units_of_a_menu_do_not_change_with_the_list_that_they_came_from():
    units = [1, 2]
    menu = Among("snipe", units)
    units.clear()
    assert len(menu) == 2
