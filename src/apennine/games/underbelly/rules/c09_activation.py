"""Chapter 9: stacks that are given a command, and the regular move (9.4, 9.18, 12.7)."""

from __future__ import annotations

from collections.abc import Sequence

from apennine.hexes import Mask, bits, first_bit, mask_of
from apennine.kernel.decision import Each, Option, Over
from apennine.kernel.game import Procedure
from apennine.kernel.order import HEX, UNIT, Bars, Name, Order, ask, what_stays

from ..table.phrases import place
from ..table.position import (
    AERIAL,
    ALLIED,
    ASSAULTS,
    COLUMN,
    GERMAN,
    MARCHES,
    MOVE,
    MOVE_FIGHT,
    NO_ORDER,
    NOWHERE,
    OVERLAND,
    Table,
)
from ..table.war import GB, SECOND_SS, US, Ready, War
from .c06_fog import veil
from .c07_zones import both, is_mixed, on_map, port_hexes, there, those_in
from .c09_points import afford, kept
from .c10_arrivals import is_army_entering, is_corps_due
from .c11_supply import crossed_groups, net, status
from .c12_movement import has_room, is_hesitant, may_take, pick_up, put_down


def ready(war: War, pos: Table) -> Ready:
    """The stacks of the active side that can be given a command (9.18)."""
    # The five commands of a menu ask one after the other.
    there, side, acted, rebuilt = both(war, pos), pos.side, pos.acted, pos.rebuilt
    state, known = (side, acted, rebuilt, pos.army_entered), war.ready
    if known and known[0] is there and known[1] == state and known[2] == pos.ports:
        return known[3]
    if pos.hex[war.airborne] == war.available:
        acted |= 1 << war.airborne  # 12.9a: it only drops
    idle, able = ~acted, ~(acted | rebuilt | war.supports)
    fighters = others = 0
    for where, stack in there[side].stacks.items():
        if stack & able and where >= 0:
            fighters |= 1 << where
        elif stack & idle and where >= 0:
            others |= 1 << where
    closed = 1 << war.end_run
    if not pos.army_entered:
        closed |= 1 << war.fifth  # 8.8d
    enemy = there[1 - side]
    calm = net(war, pos, side) & ~enemy.zone | war.boxes
    found = Ready((fighters | others) & ~closed, fighters & ~closed, calm, enemy)
    war.ready = there, state, pos.ports[:], found
    return found


class Command(Order[War, Table]):
    """All units in a hex or box are activated: they have had their action then (9.4 to 9.7)."""

    names, link, opens = (HEX,), "from", True
    kind: int
    called: str
    """The command as the subject of a sentence."""

    def idle(self, war: War, pos: Table) -> Bars:
        """Why no stack is ready in a place."""
        own = there(war, pos, pos.side)
        manned = own.occupied | mask_of(box for box in bits(war.boxes) if box in own.stacks)
        yield manned, "You have no units in {hex}", "9.4a"
        by = "8.16c" if pos.side == GERMAN else "8.15d"
        yield ~(1 << war.end_run), "Nobody comes back from {hex}", by
        if not pos.army_entered:
            waits = "5th Panzer Army waits until all of it has assembled"
            yield ~(1 << war.fifth), waits, "8.8d"
        if those_in(war, pos, war.available, pos.side) & ~pos.acted:
            by_air = "The 82nd comes by air: it enters only by its drop"
            yield ~(1 << war.available) | ready(war, pos).units, by_air, "12.9a"
        yield 0, "The units in {hex} have had their action in this turn", "9.18"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        begin(war, pos, self.kind, option.hex)

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        points = pos.points - kept(war, pos) if pos.launched else pos.points
        return Over(self.verb, self.able(war, pos)) if points >= war.price[self.kind] else ()

    def able(self, war: War, pos: Table) -> Mask:
        """Where it can be given, if there are points for it."""
        raise NotImplementedError


class Move(Command):
    """9.4: the units of a stack move, together or one by one; from a box one stack comes."""

    verb, kind, called = "move", MOVE, "A move"
    when, rule = "A stack is ordered to move between two other commands of its side", "9.4a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield afford(war, pos, war.price[self.kind], self.called)
        yield ready(war, pos).units, self.idle
        if pos.side == ALLIED:
            yield from self.grounded(war, pos)

    def grounded(self, war: War, pos: Table) -> Bars:
        """The bars on Allied units that nothing lets go."""
        airlift = pos.airlift
        if airlift != NOWHERE and status(war, pos, airlift, ALLIED) == AERIAL:
            fed = "The units in {hex} live on supply from the air, and may not move"
            yield ~(1 << airlift), fed, "11.7c"
        if not port_hexes(war, pos):
            yield ~(1 << war.available), "You have no port left to come ashore in", "12.6b"

    def able(self, war: War, pos: Table) -> Mask:
        units = ready(war, pos).units
        return units & what_stays(self.grounded(war, pos)) if pos.side == ALLIED else units


class Column(Move):
    """12.7: a move at double pace, past all enemy zones."""

    verb, kind, called = "column", COLUMN, "A move in column"
    when, rule = "A stack is ordered to go in column between two other commands", "12.7a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield afford(war, pos, war.price[self.kind], self.called)
        stacks = ready(war, pos)
        yield stacks.units, self.idle
        yield stacks.calm & ~(1 << war.available), self.in_trouble
        if pos.side == ALLIED and is_hesitant(war, pos):
            slow = "Those ready in {hex} are British: caution still keeps them from going in column"
            yield quick(war, pos), slow, "5.5b"

    def in_trouble(self, war: War, pos: Table) -> Bars:
        """Why no column starts in a place."""
        if pos.side == ALLIED:
            yield from self.grounded(war, pos)
        ashore = "Units that come ashore may not go in column"
        yield ~(1 << war.available), ashore, "10.3c"
        supply = "A column must start in overland supply, and {hex} has none"
        yield net(war, pos, pos.side) | war.boxes, supply, "12.7a"
        yield 0, "{hex} is in an enemy zone of control, where no column starts", "12.7a"

    def able(self, war: War, pos: Table) -> Mask:
        stacks = ready(war, pos)
        units = stacks.units & stacks.calm & ~(1 << war.available)
        return units & quick(war, pos) if pos.side == ALLIED and is_hesitant(war, pos) else units


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
    units = those_in(war, pos, hex, side) & ~pos.acted
    if order not in MARCHES:
        units &= ~pos.rebuilt  # 9.17d: only a regular move
    if order in ASSAULTS:
        pos.assaulted = True
    if war.bit[hex]:
        pos.force = units
        pos.acted |= units  # 9.4d
        if side == GERMAN and order in MARCHES:
            pos.marched |= units
        pos.supply = status(war, pos, hex, side)
        if side == ALLIED:
            pos.mixed = is_mixed(war, pos, hex)
            pos.crossed = crossed_groups(war, pos, hex)
    elif side == ALLIED:
        units &= ~(1 << war.airborne)
    elif is_corps_due(war, pos):
        units &= war.grouped[SECOND_SS]
    if order in (*MARCHES, MOVE_FIGHT):
        pos.waiting = units


def finish(war: War, pos: Table) -> None:
    """The command is carried out."""
    put_down(pos)
    pos.order, pos.origin, pos.supply = NO_ORDER, NOWHERE, OVERLAND
    pos.force = pos.waiting = pos.crossed = 0
    pos.mixed = pos.fought = pos.drop_asked = False
    if pos.army_due and not those_in(war, pos, war.fifth, GERMAN):
        pos.army_due = False


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
        yield those_in(war, pos, origin, side), elsewhere, "9.4b"
        yield ~pos.acted | force, "{unit} has had its action in this turn", "9.18"
        if origin == war.available:
            by_air = "The 82nd comes by air: it enters only by its drop"
            yield ~(1 << war.airborne), by_air, "12.9a"
        if pos.order in ASSAULTS:
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

    def veil(self, war: War, pos: Table, option: Option) -> tuple[Name, ...]:
        """6.9e: the German sees which stack is taken apart, and of its units only the top one."""
        return veil(war, pos, option.unit)

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
        groups = {war.group[unit] for unit in bits((units | pos.force) & war.units_of[GERMAN])}
        one = fits and len(groups) < 2
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
            rest = those_in(war, pos, war.fifth, GERMAN) & ~pos.force
            yield war.stacks_needed(rest) <= pos.points, more, "8.8c"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.waiting = 0


TAKE, TAKE_ALONG, TAKE_ALL, DONE = Take(), TakeAlong(), TakeAll(), Done()


def takers(war: War, pos: Table) -> Mask:
    """Who can be picked up; of 5th Panzer Army only those who find room to enter (8.8)."""
    units = may_take(war, pos)
    if units and is_army_entering(war, pos):
        movers, order = pos.movers, pos.order
        return mask_of([u for u in bits(units) if has_room(war, pos, movers | 1 << u, order)])
    return units


def choose_movers(war: War, pos: Table, units: Mask) -> Procedure:
    """9.4b: the units of a stack that may move do so together, one by one, or stay."""
    untouched = pos.force == (pos.waiting if war.bit[pos.origin] else 0)
    is_corps = pos.origin == war.tenth and is_corps_due(war, pos)
    if untouched and (not units & units - 1 or is_corps):
        yield from pick_up(war, pos, units)  # a lone unit; 8.6a: the whole corps
        return
    prompt = f"Which units in {place(war, pos.origin)} move?"
    yield from ask(war, pos, prompt, "9.4b", TAKE, TAKE_ALL, DONE, checkpoint=True)
