"""Chapters 21.1.3 and 21.4: movement from, into and between entry areas."""

from __future__ import annotations

from collections.abc import Sequence

from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.decision import NONE, Option, Procedure
from apennine.kernel.order import HEX, UNIT, Bars
from apennine.mechanics.phrases import ON_THE_MOVE

from ..table.position import ALLIED, Table
from ..table.war import War
from .c05_areas import friendly_areas
from .c05_march import Step, bounds, kinds_of
from .c05_stack import StackOrder, arrive, pay, put_down, rest, stack_place, toll


def open_areas(war: War, pos: Table, side: int) -> Mask:
    """The entry areas that a side's units may enter: friendly ones (21.2.1).

    The Allies do not enter those of the 8th Army (5.8.2a).
    """
    names = friendly_areas(war, pos, side)
    return mask_of(
        war.ground.areas[name] for name in names if side != ALLIED or name not in war.book.sections
    )


class ComeOn(StackOrder):
    """21.1.3a: the stack enters the map, paying for the first hex, and may go on from there."""

    verb, names = "come on", (UNIT, HEX)
    implied = (UNIT,)
    when, rule = ON_THE_MOVE, "21.1.3a"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        area = war.ground.area_names[pos.hex[first]]
        on = bounds(war, pos, pos.movers, pos.hex[first])
        yield war.ground.edge[area], f"{{hex}} does not lie along {area}", "21.1.3a"
        yield ~on.enemies, "The enemy is in {hex}", "5.1e"
        yield ~on.bonds.hexes, "{hex} lies in a ZOC Bond of the enemy", "21.3b"
        eighth = "The zone of the 8th Army is closed there"
        yield ~on.closed, eighth, "5.8.2a" if pos.side == ALLIED else "5.8.3"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        here = stack_place(pos)
        on = bounds(war, pos, pos.movers, here)
        near, exits = on.slow, war.ground.exits[war.ground.area_names[here]]
        price, halts = war.entry_price(kinds_of(war, pos, pos.movers), option.hex, near, exits)
        pay(pos, on, option.hex, Step(price, halts, True))
        yield from arrive(war, pos, option.hex, 1 << option.hex)
        rest(war, pos)


class GoOff(StackOrder):
    """21.4.1: the stack enters a friendly area, and stays there for this turn."""

    verb, names = "go off", (UNIT, HEX)
    implied = (UNIT,)
    when, rule = ON_THE_MOVE, "21.4.1a"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        here = pos.hex[first]
        yield war.ground.areas_along[here], "{hex} is no entry area next to the stack", "21.4.1a"
        yield open_areas(war, pos, pos.side), "{hex} is closed to this side", "21.2.1"
        yield not pos.stopped, "The stack has entered an enemy zone or a marsh and stops", "6.2a"
        marked = "Units with a Replacement marker do not enter an area"
        yield not pos.movers & pos.replaced, marked, "20.4a"
        price = self.price(war, pos, here)
        paid = pos.points >= 0 and price <= pos.points + pos.extra
        yield paid or pos.strides > 0, "The stack has nothing left to enter {hex} with", "21.4.1a"

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        return self.left(war, pos) if war.ground.areas_along[stack_place(pos)] else NONE

    def price(self, war: War, pos: Table, here: int) -> int:
        """A point, and what it costs to leave an enemy zone."""
        on = bounds(war, pos, pos.movers, here)
        return war.ticks(war.book.march.area) + toll(war, pos, on, here)

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.strides -= 1
        move_to_area(war, pos, option.hex)


class Transfer(StackOrder):
    """21.4.2: the stack goes to the next area, with its whole allowance."""

    verb, names = "transfer", (UNIT, HEX)
    implied = (UNIT,)
    when, rule = ON_THE_MOVE, "21.4.2a"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        ground = war.ground
        here = ground.area_names[pos.hex[first]]
        near = mask_of(ground.areas[name] for name in ground.next_areas[here])
        yield near, f"{{hex}} is not next to {here}", "21.4.2b"
        yield open_areas(war, pos, pos.side), "{hex} is closed to this side", "21.2.1"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        move_to_area(war, pos, option.hex)


def move_to_area(war: War, pos: Table, area: int) -> None:
    """The stack is in an area, and its move is over (21.4.1b)."""
    for unit in bits(pos.movers):
        pos.hex[unit] = area
    put_down(war, pos)


COME_ON, GO_OFF, TRANSFER = ComeOn(), GoOff(), Transfer()
