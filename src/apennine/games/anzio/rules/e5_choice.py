"""E5E: the Germans choose their order of battle, once the Allies have landed."""

from __future__ import annotations

from apennine.kernel.decision import Event, Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import VALUE, Bars, Order, ask

from ..table.data import CARDS
from ..table.position import Table
from ..table.war import War

ORDERS_OF_BATTLE = ("", "Standard", "Reinforced", "Maximum")


class ChooseOrderOfBattle(Order[War, Table]):
    """E5B, E5C: any of the three, whatever the length of the game."""

    verb, names, number = "choose", (VALUE,), "the {} order of battle"
    ranges = ((VALUE, range(1, 1 + len(CARDS))),)
    when, rule = "The Germans choose their order of battle before their first move", "E5E"
    opens = True

    def bars(self, war: War, pos: Table) -> Bars:
        yield not pos.oob, "The order of battle has been chosen", "E5E"
        yield 0b1110, "There are three orders of battle", "E5B"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.oob = option.value
        yield Event("chosen", value=option.value, rule="E5E")


CHOOSE = ChooseOrderOfBattle()


def choice_phase(war: War, pos: Table) -> Procedure:
    """E5E: after the Allied turn and what it has done to the Italians."""
    while not pos.oob:
        prompt = "Choose your order of battle"
        yield from ask(war, pos, prompt, rule("E5E"), CHOOSE, checkpoint=True)
