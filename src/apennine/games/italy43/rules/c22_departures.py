"""Chapter 22: withdrawals, returns and removals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.decision import Event, Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import UNIT, VALUE, Bars, Order, ask

from ..table.data import Group
from ..table.position import AWAY, DEAD, GONE, LOST, WITHDRAWN, Table
from ..table.war import War
from .c02_pieces import there
from .c10_steps import unmark

LEAVING = "Units are withdrawn and removed in the initial phase"


def members(war: War, group: Group) -> Mask:
    """The units of a group."""
    return mask_of(war.number[name] for name in group.units)


def withdrawal(war: War, pos: Table, unit: int) -> Group | None:
    """The last withdrawal of a unit so far."""
    name, last = war.names[unit], None
    for group in war.book.withdrawals:
        if group.turn <= pos.turn and name in group.units:
            last = group
    return last


def is_withdrawn(war: War, pos: Table, unit: int) -> bool:
    """Whether a unit is out of play for a time, or would be if it were not eliminated (22.1c)."""
    group = withdrawal(war, pos, unit)
    return group is not None and pos.turn < group.returns


def to_withdraw(war: War, pos: Table) -> Iterator[Group]:
    """The groups that must still be withdrawn."""
    side = war.sides[pos.side]
    for group in war.book.withdrawals:
        here = any(pos.hex[war.number[name]] >= 0 for name in group.units)
        if group.side == side and group.turn <= pos.turn < group.returns and here:
            yield group


def to_remove(war: War, pos: Table) -> Iterator[Group]:
    """The groups that must still be removed, those eliminated among them (22.2.2)."""
    side = war.sides[pos.side]
    for group in war.book.removals:
        left = any(pos.hex[war.number[name]] not in (AWAY, GONE, DEAD) for name in group.units)
        if group.side == side and group.turn <= pos.turn and left:
            yield group


def spent(war: War, pos: Table, group: Group) -> Mask:
    """Those of a group in the Eliminated Box or in the Remnant Display (22.2.2a)."""
    side = pos.side
    return members(war, group) & (there(war, pos, side).stack(LOST) | pos.remnants)


def forfeiting(war: War, pos: Table) -> Mask:
    """The units of nations that are to forfeit replacements by a removal that is still due.

    So nobody uses them first: it is those due in this turn that are forfeited (22.2.2a).
    """
    found = 0
    for group in to_remove(war, pos):
        for unit in bits(spent(war, pos, group)):
            found |= war.nationals[war.roster[unit].nation]
    return found


class Withdraw(Order[War, Table]):
    """22.1a: a group leaves, wherever it is, with the steps that it has."""

    verb, names, opens = "withdraw", (UNIT,), True
    when, rule = LEAVING, "22.1a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield war.army[pos.side], "{unit} belongs to the other side", "1.0"
        leaving = 0
        for group in to_withdraw(war, pos):
            leaving |= members(war, group)
        yield leaving, "{unit} need not be withdrawn now", "22.1a"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        group = next(g for g in to_withdraw(war, pos) if members(war, g) >> option.unit & 1)
        for unit in bits(members(war, group)):
            if pos.hex[unit] >= 0:
                yield Event("is withdrawn", unit, pos.hex[unit], rule=rule("22.1a"))
                pos.hex[unit] = WITHDRAWN
                remnant = pos.remnants & 1 << unit
                unmark(pos, 1 << unit)
                pos.remnants |= remnant


class Remove(Order[War, Table]):
    """22.2.1: a group leaves for good; replacements may be forfeited for it (22.2.2)."""

    verb, names, opens = "remove", (UNIT,), True
    when, rule = LEAVING, "22.2.1"

    def bars(self, war: War, pos: Table) -> Bars:
        yield war.army[pos.side], "{unit} belongs to the other side", "1.0"
        leaving = 0
        for group in to_remove(war, pos):
            leaving |= members(war, group)
        yield leaving, "{unit} need not be removed now", "22.2.1"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        group = next(g for g in to_remove(war, pos) if members(war, g) >> option.unit & 1)
        gone = spent(war, pos, group)
        for unit in bits(members(war, group)):
            if pos.hex[unit] != DEAD:
                yield Event("is removed", unit, pos.hex[unit], rule=rule("22.2.1"))
                pos.hex[unit] = GONE
                unmark(pos, 1 << unit)
        for nation, nationals in war.nationals.items():
            yield from forfeit(war, pos, nation, (gone & nationals).bit_count())


def forfeit(war: War, pos: Table, nation: str, count: int) -> Procedure:
    """22.2.2: one of a nation's replacements for one such unit, all of them for more."""
    pools = mask_of(p for p, (of, _) in enumerate(war.pools) if of == nation and pos.due[p])
    if count >= 2:
        for pool in bits(pools):
            yield Event("replacements are forfeited", value=pos.due[pool], rule=rule("22.2.2b"))
            pos.due[pool] = 0
    elif count and pools:
        yield from ask(war, pos, "Which Replacement is lost?", rule("22.2.2a"), Forfeit(pools))


@dataclass(slots=True)
class Forfeit(Order[War, Table]):
    """22.2.2a: the owner picks which of the nation's replacements is lost."""

    pools: Mask

    verb, names = "forfeit", (VALUE,)
    when, rule = "Replacements are forfeited for units that are removed", "22.2.2a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield self.pools, "None of these are due to the nation of the removed unit", "22.2.2c"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.due[option.value] -= 1


WITHDRAW, REMOVE = Withdraw(), Remove()
