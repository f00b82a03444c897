"""Chapter 22: withdrawals, returns and removals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
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


def withdrawal(war: War, turn: int, unit: int) -> Group | None:
    """The last withdrawal of a unit by some turn."""
    name, last = war.names[unit], None
    for group in war.book.withdrawals:
        if group.turn <= turn and name in group.units:
            last = group
    return last


def is_withdrawn(war: War, pos: Table, unit: int) -> bool:
    """Whether a unit is out of play for a time, or would be if it were not eliminated (22.1c)."""
    group = withdrawal(war, pos.turn, unit)
    return group is not None and pos.turn < group.returns


def to_withdraw(war: War, pos: Table) -> Iterator[Group]:
    """The groups that must still be withdrawn."""
    for group in _due(war, pos, war.book.withdrawals):
        here = any(pos.hex[war.number[name]] >= 0 for name in group.units)
        if here and pos.turn < group.returns:
            yield group


def to_remove(war: War, pos: Table) -> Iterator[Group]:
    """The groups that must still be removed, those eliminated among them (22.2.2)."""
    for group in _due(war, pos, war.book.removals):
        if any(pos.hex[war.number[name]] not in (AWAY, GONE, DEAD) for name in group.units):
            yield group


def _due(war: War, pos: Table, groups: Iterable[Group]) -> Iterator[Group]:
    side = war.sides[pos.side]
    return (group for group in groups if group.side == side and group.turn <= pos.turn)


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


class Departure(Order[War, Table]):
    """A group leaves the map, by the number of any of its units."""

    names, opens, when = (UNIT,), True, LEAVING
    groups: Callable[[War, Table], Iterator[Group]]
    """Those that must leave."""

    def bars(self, war: War, pos: Table) -> Bars:
        yield war.army[pos.side], "{unit} belongs to the other side", "1.0"
        leaving = 0
        for group in self.groups(war, pos):
            leaving |= members(war, group)
        yield leaving, f"It is not the time to {self.verb} {{unit}}", self.rule

    def group(self, war: War, pos: Table, unit: int) -> Group:
        """The group of a unit that must leave."""
        each = self.groups(war, pos)
        return next(group for group in each if members(war, group) >> unit & 1)


class Withdraw(Departure):
    """22.1a: a group leaves, wherever it is, with the steps that it has."""

    verb, rule = "withdraw", "22.1a"
    groups = staticmethod(to_withdraw)

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        for unit in bits(members(war, self.group(war, pos, option.unit))):
            if pos.hex[unit] >= 0:
                yield Event("is withdrawn", unit, pos.hex[unit], rule=rule("22.1a"))
                pos.hex[unit] = WITHDRAWN
                remnant = pos.remnants & 1 << unit
                unmark(pos, 1 << unit)
                pos.remnants |= remnant


class Remove(Departure):
    """22.2.1: a group leaves for good; replacements may be forfeited for it (22.2.2)."""

    verb, rule = "remove", "22.2.1"
    groups = staticmethod(to_remove)

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        group = self.group(war, pos, option.unit)
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
    ranges = ((VALUE, lambda war: range(len(war.pools))),)
    when, rule = "Replacements are forfeited for units that are removed", "22.2.2a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield self.pools, "None of these are due to the nation of the removed unit", "22.2.2c"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.due[option.value] -= 1


WITHDRAW, REMOVE = Withdraw(), Remove()
