"""Chapter 9: which units of a stack move (9.4b)."""

from __future__ import annotations

from collections.abc import Sequence

from apennine.hexes import Mask, bits, first_bit, mask_of
from apennine.kernel.decision import Each, Option
from apennine.kernel.game import Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import UNIT, Bars, Order, ask

from ..table.phrases import place
from ..table.position import COLUMN, FIGHT_MOVE, GERMAN, MOVE_FIGHT, Table
from ..table.war import GB, War
from .c06_stacking import is_stack
from .c07_zones import force_in
from .c10_entry import is_army_entering, is_corps_due, is_enough
from .c12_movement import has_room, is_hesitant, may_take, pick_up

STACK = "three divisions and one corps support unit are all that one hex holds"


class PickUp(Order[War, Table]):
    """A unit of the place that was given the command sets out, alone or with others."""

    names = (UNIT,)

    def bars(self, war: War, pos: Table) -> Bars:
        side, origin, force = pos.side, pos.origin, pos.force
        yield war.units_of[side], "{unit} belongs to the other side", "9.4a"
        yield ~pos.movers, "{unit} is moving already", "9.4b"
        yield ~force | pos.waiting, "{unit} has had its move by this command already", "9.4b"
        elsewhere = "{unit} is {where it is}; the command is for {origin}"
        yield force_in(war, pos, origin, side), elsewhere, "9.4b"
        yield ~pos.acted | force, "{unit} has had its action in this turn", "9.18"
        if origin == war.available:
            by_air = "The 82nd comes by air: it enters only by its drop"
            yield ~(1 << war.airborne), by_air, "12.9a"
        if pos.order in (MOVE_FIGHT, FIGHT_MOVE):
            yield ~pos.rebuilt, "{unit} has had a step back, and makes only a regular move", "9.17d"
        if pos.order == COLUMN and is_hesitant(war, pos):
            british = "{unit} is British: caution still keeps it from going in column"
            yield ~war.grouped[GB], british, "5.5b"
        if force and not war.bit[origin]:
            if side == GERMAN:
                group = war.grouped[war.group[first_bit(force)]]
                yield group, "{unit} is not of the same organisation as {force}", "6.6b"
            fit = mask_of(u for u in bits(pos.waiting) if war.stack_fits(force | 1 << u))
            yield fit, f"{{unit}} is too much for one command: {STACK}", "9.4c"
        if is_army_entering(war, pos):
            yield takers(war, pos), "No hex of row 10xx has room for {unit} besides", "8.8a"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        return pick_up(war, pos, 1 << option.unit)

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        return Each(self.verb, takers(war, pos))


class Take(PickUp):
    """9.4b: the units of a stack move together, one by one, or stay."""

    verb = "take"
    when, rule = "The units of a stack are taken when it has been ordered to move", "9.4b"


class TakeAlong(PickUp):
    """12.4: before it sets out others may join a moving unit: the slowest sets the pace."""

    verb = "take along"
    when, rule = "Others are taken along before a moving unit sets out", "9.4b"

    def bars(self, war: War, pos: Table) -> Bars:
        gone = "{movers have} set out, and a force picks up nobody on its way"
        yield not pos.under_way, gone, "9.4b"
        yield from super().bars(war, pos)

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        return Each("take along", takers(war, pos)) if pos.waiting and not pos.under_way else ()


class TakeAll(Order[War, Table]):
    """All that are left go together."""

    verb = "take all"
    when, rule = "All of a stack are taken when it has been ordered to move", "9.4b"

    def bars(self, war: War, pos: Table) -> Bars:
        units = may_take(war, pos)
        several = units & units - 1 > 0
        yield several, "There are not two units left that could go together", "9.4b"
        fits = war.stack_fits(units | pos.force)
        yield fits, f"One command cannot move all of {{origin}}: {STACK}", "9.4c"
        one = is_stack(war, units | pos.force)
        yield one, "The units in {origin} are of several organisations", "6.6b"
        if is_army_entering(war, pos):
            room = several and one and has_room(war, pos, units, pos.order)
            yield room, "No hex of row 10xx has room for all of them together", "8.8c"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        return pick_up(war, pos, may_take(war, pos))


class Done(Order[War, Table]):
    """The others stay, but for 5th Panzer Army, all of which must enter the map (8.8c)."""

    verb = "done"
    when, rule = "Those who are not taken stay where they are", "9.4b"

    def bars(self, war: War, pos: Table) -> Bars:
        if is_army_entering(war, pos) and takers(war, pos):
            some = "The command is to bring units of 5th Panzer Army onto the map: take some"
            yield pos.force > 0, some, "8.8a"
            more = "Take more: the points left would not bring the rest of 5th Panzer Army in"
            yield is_enough(war, pos), more, "8.8c"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.waiting = 0


TAKE, TAKE_ALONG, TAKE_ALL, DONE = Take(), TakeAlong(), TakeAll(), Done()


def takers(war: War, pos: Table) -> Mask:
    """Who can be picked up; of 5th Panzer Army only those who find room to enter (8.8)."""
    units = may_take(war, pos)
    if units and is_army_entering(war, pos):
        movers, order = pos.movers, pos.order
        return mask_of(u for u in bits(units) if has_room(war, pos, movers | 1 << u, order))
    return units


def choose_movers(war: War, pos: Table) -> Procedure:
    """9.4b: the units of a stack move together, one by one, or stay."""
    units = may_take(war, pos)
    untouched = pos.force == (pos.waiting if war.bit[pos.origin] else 0)
    is_corps = pos.origin == war.tenth and is_corps_due(war, pos)
    if untouched and (not units & units - 1 or is_corps):
        yield from pick_up(war, pos, units)  # a lone unit; 8.6a: the whole corps
        return
    prompt = f"Which units in {place(war, pos.origin)} move?"
    yield from ask(war, pos, prompt, rule("9.4b"), TAKE, TAKE_ALL, DONE, checkpoint=True)
