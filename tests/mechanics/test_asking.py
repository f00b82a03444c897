"""Asking again, driven by hand: a counter that may be raised three times."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from apennine.kernel.decision import Choice, Option, Procedure
from apennine.kernel.order import Bars, Order, Plain
from apennine.kernel.position import Position
from apennine.mechanics.asking import until, while_possible

MOST = 3
DONE = Plain("done", "Counting ends when it is done", "1")


class Raise(Order[None, Position]):
    verb = "raise"
    when, rule = "Turns are raised one by one", "1"

    def bars(self, war: None, pos: Position) -> Bars:
        yield pos.turn < MOST, "That is enough", "1"

    def effect(self, war: None, pos: Position, option: Option) -> None:
        pos.turn += 1


def menus(procedure: Procedure, *answers: str) -> Iterator[list[str]]:
    """The verbs of each question, each given the next answer."""
    choice: Any = next(procedure)
    for answer in answers:
        assert isinstance(choice, Choice)
        yield [option.verb for option in choice.options]
        try:
            choice = procedure.send(Option(answer))
        except StopIteration:
            return
    assert isinstance(choice, Choice)
    yield [option.verb for option in choice.options]


def test_a_question_is_put_again_until_the_last_order_on_its_menu_is_given():
    pos = Position(turn=1)
    asked = until(DONE, None, pos, "Raise, or end", "1", Raise(), checkpoint=True)
    both, last = ["raise", "done"], ["done"]
    assert list(menus(asked, "raise", "raise", "done")) == [both, both, last]
    assert pos.turn == MOST


def test_it_is_not_put_when_nothing_but_to_end_is_left():
    pos = Position(turn=1)
    asked = while_possible(DONE, None, pos, "Raise, or end", "1", Raise())
    assert list(menus(asked, "raise", "raise", "done")) == [["raise", "done"]] * 2
    with pytest.raises(StopIteration):
        next(while_possible(DONE, None, pos, "Raise, or end", "1", Raise()))


def test_it_ends_early_when_that_is_asked_for_and_another_side_may_be_asked():
    pos = Position(turn=1, side=0)
    asked = while_possible(DONE, None, pos, "Raise, or end", "1", Raise(), side=1)
    choice = next(asked)
    assert isinstance(choice, Choice)
    assert choice.side == 1
    with pytest.raises(StopIteration):
        asked.send(Option("done"))
    assert pos.turn == 1
