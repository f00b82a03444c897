"""Chapter 9: stacks that are given a command, and the regular move (9.4, 9.18, 12.7)."""

from __future__ import annotations

from collections.abc import Sequence

from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.decision import Option, Over
from apennine.kernel.order import HEX, Bars, Order

from ..table.position import (
    AERIAL,
    ALLIED,
    ATTACK,
    COLUMN,
    FIGHT_MOVE,
    GERMAN,
    MOVE,
    MOVE_FIGHT,
    NO_ORDER,
    NOWHERE,
    OVERLAND,
    Table,
)
from ..table.war import SECOND_SS, US, War
from ..table.whereabouts import Ready
from .c07_zones import crowd, crowds, force_in, is_mixed, on_map, port_hexes
from .c09_points import spendable, too_dear
from .c10_entry import is_corps_due
from .c11_supply import crossed_groups, net, status
from .c12_movement import is_hesitant, put_down


def ready(war: War, pos: Table) -> Ready:
    """The stacks of the active side that can be given a command (9.18)."""
    # The five commands of a menu ask one after the other.
    there, ports = crowds(war, pos), pos.ports
    side, acted, rebuilt, entered = key = pos.side, pos.acted, pos.rebuilt, pos.army_entered
    known, state, found = war.ready
    if known is there and state == (*key, ports):
        return found
    if pos.hex[war.airborne] == war.available:
        acted |= 1 << war.airborne  # 12.9a: it only drops
    idle, able = ~acted, ~(acted | rebuilt | war.supports)
    units = fighters = 0
    for place, stack in there[side].stacks.items():
        if stack & idle and place >= 0:
            units |= 1 << place
            if stack & able:
                fighters |= 1 << place
    closed = 1 << war.end_run
    if not entered:
        closed |= 1 << war.fifth  # 8.8d
    enemy = there[1 - side]
    calm = net(war, pos, side) & ~enemy.zone | war.boxes
    found = Ready(units & ~closed, fighters & ~closed, calm, enemy)
    war.ready = there, (*key, ports.copy()), found
    return found


class Command(Order[War, Table]):
    """All units in a hex or box are activated: they have had their action then (9.4 to 9.7)."""

    names, link = (HEX,), "from"
    opens = True
    kind: int
    called: str
    """The command as the subject of a sentence."""

    def bars(self, war: War, pos: Table) -> Bars:
        price, there = war.price[self.kind], crowd(war, pos, pos.side)
        yield spendable(war, pos) >= price, too_dear(war, pos, price, self.called)
        manned = there.occupied | mask_of(box for box in bits(war.boxes) if box in there.stacks)
        yield manned, "You have no units in {hex}", "9.4a"
        by = "8.16c" if pos.side == GERMAN else "8.15d"
        yield ~(1 << war.end_run), "Nobody comes back from {hex}", by
        yield ready(war, pos).units, self._used(war, pos)

    def _used(self, war: War, pos: Table) -> Bars:
        if not pos.army_entered:
            waits = "5th Panzer Army waits until all of it has assembled"
            yield ~(1 << war.fifth), waits, "8.8d"
        if force_in(war, pos, war.available, pos.side) & ~pos.acted:
            by_air = "The 82nd comes by air: it enters only by its drop"
            yield ~(1 << war.available) | ready(war, pos).units, by_air, "12.9a"
        yield 0, "The units in {hex} have had their action in this turn", "9.18"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        begin(war, pos, self.kind, option.hex)

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        affordable = spendable(war, pos) >= war.price[self.kind]
        return Over(self.verb, self.able(war, pos)) if affordable else ()

    def able(self, war: War, pos: Table) -> Mask:
        """Where it can be given, if there are points for it."""
        raise NotImplementedError


class Move(Command):
    """9.4: the units of a stack move, together or one by one; from a box one stack comes."""

    verb, kind, called = "move", MOVE, "A move"
    when, rule = "A stack is ordered to move between two other commands of its side", "9.4a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield from super().bars(war, pos)
        if pos.side == ALLIED:
            airlift = pos.airlift
            if airlift != NOWHERE and status(war, pos, airlift, ALLIED) == AERIAL:
                fed = "The units in {hex} live on supply from the air, and may not move"
                yield ~(1 << airlift), fed, "11.7c"
            if not port_hexes(war, pos):
                shut = "You have no port left to come ashore in"
                yield ~(1 << war.available), shut, "12.6b"

    def able(self, war: War, pos: Table) -> Mask:
        movable = ready(war, pos).units
        if pos.side == ALLIED:
            airlift = pos.airlift
            if airlift != NOWHERE and status(war, pos, airlift, ALLIED) == AERIAL:
                movable &= ~(1 << airlift)
            if not port_hexes(war, pos):
                movable &= ~(1 << war.available)
        return movable


class Column(Move):
    """12.7: a move at double pace, past all enemy zones."""

    verb, kind, called = "column", COLUMN, "A move in column"
    when, rule = "A stack is ordered to go in column between two other commands", "12.7a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield from super().bars(war, pos)
        ashore = "Units that come ashore may not go in column"
        yield ~(1 << war.available), ashore, "10.3c"
        supply = "A column must start in overland supply, and {hex} has none"
        yield net(war, pos, pos.side) | war.boxes, supply, "12.7a"
        zone = "{hex} is in an enemy zone of control, where no column starts"
        yield ready(war, pos).calm, zone, "12.7a"
        if pos.side == ALLIED and is_hesitant(war, pos):
            slow = "Those ready in {hex} are British: caution still keeps them from going in column"
            yield quick(war, pos), slow, "5.5b"

    def able(self, war: War, pos: Table) -> Mask:
        # Who lives on supply from the air has no other, and so no calm.
        stacks = ready(war, pos)
        marchable = stacks.units & stacks.calm & ~(1 << war.available)
        if pos.side == ALLIED and is_hesitant(war, pos):
            marchable &= quick(war, pos)
        return marchable


def quick(war: War, pos: Table) -> Mask:
    """5.5b: the hexes with Americans who are ready: they go in column while the British do not."""
    ready = bits(war.grouped[US] & ~pos.acted)
    return mask_of(pos.hex[unit] for unit in ready if on_map(war, pos, unit))


MOVE_COMMAND, COLUMN_COMMAND = Move(), Column()


def begin(war: War, pos: Table, order: int, hex: int) -> None:
    """A stack is activated; its supply is judged now, for the whole command (11.2a)."""
    side = pos.side
    assert war.price[order] <= pos.points  # 9.1b
    pos.points -= war.price[order]
    pos.order, pos.origin = order, hex
    units = force_in(war, pos, hex, side) & ~pos.acted
    if order in (ATTACK, MOVE_FIGHT, FIGHT_MOVE):
        units &= ~pos.rebuilt  # 9.17d: only a regular move
    if order in (MOVE_FIGHT, FIGHT_MOVE):
        pos.assaulted = True
    if war.bit[hex]:
        pos.force = units
        pos.acted |= units  # 9.4d
        if side == GERMAN and order in (MOVE, COLUMN):
            pos.marched |= units
        pos.supply = status(war, pos, hex, side)
        if side == ALLIED:
            pos.mixed = is_mixed(war, pos, hex)
            pos.crossed = crossed_groups(war, pos, hex)
    elif side == ALLIED:
        units &= ~(1 << war.airborne)
    elif is_corps_due(war, pos):
        units &= war.grouped[SECOND_SS]
    if order in (MOVE, COLUMN, MOVE_FIGHT):
        pos.waiting = units


def finish(war: War, pos: Table) -> None:
    """The command is carried out."""
    put_down(pos)
    pos.order, pos.origin, pos.supply = NO_ORDER, NOWHERE, OVERLAND
    pos.force = pos.waiting = pos.crossed = 0
    pos.mixed = pos.fought = pos.drop_asked = False
    if pos.army_due and not force_in(war, pos, war.fifth, GERMAN):
        pos.army_due = False
