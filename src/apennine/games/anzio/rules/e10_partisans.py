"""E10D: partisans, who rise where they like, and rise again."""

from __future__ import annotations

from dataclasses import dataclass

from apennine.hexes import Mask, bits
from apennine.kernel.decision import Event, Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, Bars, Order, ask

from ..table.position import ALLIED, AWAY, DESTROYED, GERMAN, Table
from ..table.rivers import FREE
from ..table.war import War
from .b4d_stacking import full_hexes
from .b4e_zones import occupied, soften

AGAIN, OFTEN = 56, 70
"""From Nov I 1944 partisans return on the first turn of a month, from Feb III 1945 on the third too
(E10D7)."""


def rising(war: War, pos: Table) -> Mask:
    """E10D2, E10D7: the partisans who appear in this turn: for the first time, or again."""
    called = {
        war.number[name]
        for line in war.book.allied_card
        if line.turn <= pos.turn and line.event == "arrive"
        for name in line.units
    }
    week = war.week(pos.turn).split()[1]
    back = (week == "I" and pos.turn >= AGAIN) or (week == "III" and pos.turn >= OFTEN)
    found = 0
    for unit in bits(war.partisans):
        first = pos.hex[unit] == AWAY and unit in called
        if first or (back and pos.hex[unit] == DESTROYED):
            found |= 1 << unit
    return found


def rise(war: War, pos: Table) -> Procedure:
    """E10D2: each appears anywhere but among the enemy."""
    for unit in bits(rising(war, pos)):
        prompt = f"Where does {war.names[unit]} rise?"
        yield from ask(war, pos, prompt, rule("E10D2"), Rise(unit))


@dataclass(slots=True)
class Rise(Order[War, Table]):
    """E10D2: a partisan brigade appears."""

    unit: int

    verb, names, link = "rise", (UNIT, HEX), "in"
    implied = (UNIT,)
    when, rule, opens = "Partisans rise as the Allied turn begins", "E10D2", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield 1 << self.unit, f"{war.names[self.unit]} rises now, not {{unit}}", "E10D2"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        yield war.ground.stands, "Nobody can be in {hex}", "B2F2b"
        yield ~occupied(war, pos, GERMAN), "The enemy is in {hex}", "E10D2"
        yield ~pos.works, "There is a fort in {hex}", "E10D9"
        yield ~full_hexes(war, pos, ALLIED, 1 << first), "There is no room in {hex}", "B4D1"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        unit = option.unit
        pos.hex[unit], pos.bank[unit], pos.steps[unit] = option.hex, FREE, war.full[unit]
        soften(war, pos, unit)
        pos.friendly |= 1 << option.hex
        pos.italian |= 1 << option.hex
        yield Event("rises", unit, option.hex, rule="E10D2")
