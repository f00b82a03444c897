"""Orders that break their contracts are noticed: each is put into The Crossing and played."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

import pytest

from apennine.games.crossing.game import Crossing
from apennine.games.crossing.rules import c04_movement
from apennine.games.crossing.rules.c04_movement import Move
from apennine.games.crossing.table.position import Table
from apennine.games.crossing.table.war import War
from apennine.hexes import first_bit
from apennine.kernel.decision import Each, Option
from apennine.kernel.order import Bars
from tests.contracts import contracts, orders
from tests.contracts.playthroughs import playthrough
from tests.kernel.toy import Toy


class MenuThatForgets(Move):
    """Gives a menu of its own without the first unit that the bars leave."""

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        units = orders_left(self, war, pos)
        return Each(self.verb, units & units - 1 or units)


class MenuThatAllowsMore(Move):
    """Gives a menu of its own with a unit that the bars shut out."""

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        units = orders_left(self, war, pos)
        more = war.army[pos.side] & ~units
        return Each(self.verb, units | (1 << first_bit(more) if more else 0))


class RefusesByNoRule(Move):
    def bars(self, war: War, pos: Table) -> Bars:
        for bar in super().bars(war, pos):
            yield (bar[0], bar[1], "99.9") if len(bar) == 3 else bar


class SpeaksOfTheUnknown(Move):
    def bars(self, war: War, pos: Table) -> Bars:
        for bar in super().bars(war, pos):
            yield (bar[0], "{colour} is not to be moved", bar[2]) if len(bar) == 3 else bar


class HalfTruth(Move):
    """A finer bar speaks against units that may move."""

    def bars(self, war: War, pos: Table) -> Bars:
        yield orders_left(Move(), war, pos), self.reasons()

    def reasons(self) -> Bars:
        yield 0, "{unit} is tired", "4.1"
        yield 0, "{unit} may not move", "4.1"


class FinerBarsThatLetPass(Move):
    def bars(self, war: War, pos: Table) -> Bars:
        yield orders_left(Move(), war, pos), iter(((-1, "{unit} may not move", "4.1"),))


class TellsWhereTheChargeIs(Move):
    """What is said to one side hangs on what it cannot see."""

    def bars(self, war: War, pos: Table) -> Bars:
        sentence = "{unit} fears the west" if pos.charge == 0 else "{unit} fears the east"
        yield orders_left(Move(), war, pos), sentence, "4.1"


def orders_left(order: Move, war: War, pos: Table) -> int:
    """The units that the bars leave."""
    return sum(1 << option.unit for option in order.left(war, pos))


MENU = orders.the_menu_is_what_the_bars_leave
SHUT_OUT = orders.what_is_illegal_is_shut_out_by_a_bar
SPOKEN = orders.every_sentence_can_be_spoken
BROKEN: list[tuple[Callable[..., None], type[Move], str]] = [
    (MENU, MenuThatForgets, "'move': "),
    (MENU, MenuThatAllowsMore, "'move': "),
    (SHUT_OUT, RefusesByNoRule, "'99.9' is no rule"),
    (SHUT_OUT, FinerBarsThatLetPass, "The finer bars let through"),
    (SPOKEN, SpeaksOfTheUnknown, "colour"),
    (SPOKEN, HalfTruth, "shuts out the legal"),
    (
        contracts.refusals_do_not_change_with_what_a_side_cannot_see,
        TellsWhereTheChargeIs,
        "a refusal tells a secret",
    ),
]


def held(contract: Callable[..., None], game: Crossing) -> None:
    """The contract at every decision of a few random games."""
    for seed in range(6):
        for k, match in enumerate(playthrough(game, seed, 60)):
            contract(match.fork(), Random(k))


@pytest.mark.parametrize(
    ("contract", "broken", "sentence"), BROKEN, ids=[broken.__name__ for _, broken, _ in BROKEN]
)
def test_a_broken_order_is_noticed(
    contract: Callable[..., None],
    broken: type[Move],
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(c04_movement, "MOVE", broken())
    with pytest.raises(Exception, match=re.escape(sentence)):
        held(contract, Crossing())


def test_a_game_that_declares_orders_asks_by_no_other():
    class Mixed(Toy):
        orders = (Move,)

    with pytest.raises(AssertionError, match="is not asked by orders"):
        orders.the_menu_is_what_the_bars_leave(playthrough(Mixed(), 0, 1)[0], Random(0))
