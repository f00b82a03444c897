"""Chapter 12.2.6: the defender brings up reserves."""

from __future__ import annotations

from dataclasses import dataclass

from apennine.hexes import Mask, bits
from apennine.kernel.decision import Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, Bars, Order, Plain, ask

from ..table.position import Table
from ..table.war import War
from .c02_pieces import frozen, in_the_field, those_in
from .c05_zones import zone
from .c11_march import allowance, find_reach, with_troops
from .c12_coordination import within_three

MOVING_UP = "The defender brings up reserves after his losses in a combat"


def bring_up_reserves(war: War, pos: Table, count: int) -> Procedure:
    """12.2.6t, 12.2.6x: so many units near by move up to half of their allowance."""
    moved = 0
    for _ in range(count):
        order = BringUp(moved)
        if not order.able(war, pos):
            return
        prompt = "Bring up a unit, or leave them"
        side = 1 - pos.side
        chosen = yield from ask(war, pos, prompt, rule("12.2.6t"), order, ENOUGH, side=side)
        if chosen.verb == ENOUGH.verb:
            return
        moved |= 1 << chosen.unit


@dataclass(slots=True)
class BringUp(Order[War, Table]):
    """12.2.6t: a combat unit within three hexes and in no enemy zone moves up."""

    moved: Mask

    verb, names = "bring up", (UNIT, HEX)
    when, rule = MOVING_UP, "12.2.6t"

    def able(self, war: War, pos: Table) -> Mask:
        """The units that may move."""
        side = 1 - pos.side
        near = within_three(war, pos, war.army[side] & war.combat)
        against = zone(war, pos, pos.side)
        calm = sum([1 << unit for unit in bits(near) if not against >> pos.hex[unit] & 1])
        here = those_in(war, pos, pos.target, side)
        return calm & ~(frozen(pos) | self.moved | here)  # 11.2.10f

    def bars(self, war: War, pos: Table) -> Bars:
        yield from in_the_field(war, pos, 1 - pos.side)
        yield ~frozen(pos), "{unit} is a reserve of the High Command", "11.2.10f"
        yield self.able(war, pos), "{unit} is too far, in an enemy zone, or has moved", "12.2.6t"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        half = war.ticks(1) * -(-allowance(war, pos, first) // (2 * war.scale))
        found = find_reach(war, pos, with_troops(war, pos, first), pos.hex[first], half, True)
        yield found.ends, "{hex} is out of reach with half of the allowance", "12.2.6t"
        held = those_in(war, pos, pos.target, 1 - pos.side) & war.combat
        lost = 0 if held else 1 << pos.target
        yield ~lost, "No defender is left in {hex}", "12.2.6u"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        for unit in bits(with_troops(war, pos, option.unit)):
            pos.hex[unit] = option.hex


ENOUGH = Plain("keep reserves back", MOVING_UP, "12.2.6q")
