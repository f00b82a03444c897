"""Chapter 5: the movement phase."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apennine.hexes import Mask, bits, first_bit
from apennine.kernel.decision import NONE, Each, Event, Option, Over, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, Bars, Order, ask
from apennine.mechanics.phrases import MOVED, ON_THE_MOVE, PICKED_UP, counted

from ..table.position import ALLIED, GERMAN, Table
from ..table.war import War
from .c02_pieces import occupied, off_the_map, there, those_in, unready
from .c04_stacking import correct_stacking
from .c05_control import end_battles, must_stay
from .c05_march import March, Means, bounds, find_march, means, over_ground, past_bonds
from .c05_stack import (
    StackOrder,
    march,
    march_to,
    pick_up,
    put_down,
    settle,
    stack_name,
    stack_place,
)
from .c08_automatic import SHATTER
from .c13_disorder import destroy_exposed, rout
from .c16_supply import supplied_units
from .c18_forts import RAZE
from .c21_entry import COME_ON, GO_OFF, TRANSFER


def movement_begins(war: War, pos: Table) -> Procedure:
    """What is judged as the phase begins: enemies that did not get away, and supply for trucks."""
    yield from destroy_exposed(war, pos)  # 13.3.2f
    pos.supplied = supplied_units(war, pos, pos.side)  # 5.7a


def movement_phase(war: War, pos: Table) -> Procedure:
    """3.0B2: the active side moves its units and stacks, one after the other (5.1d)."""
    prompt = "Move a unit or stack, or end your movement"
    while True:
        if not pos.movers:
            orders = MOVE, LOAD, FLEE, SHATTER, RAZE, END
            chosen = yield from ask(war, pos, prompt, rule("3.0B2"), *orders, checkpoint=True)
            if chosen.verb == END.verb:
                return
            continue
        where = f"Where does {stack_name(war, pos)} go?"
        yield from ask(war, pos, where, rule("5.1a"), *ways(war, pos), checkpoint=True)


def ways(war: War, pos: Table) -> tuple[Order[War, Table], ...]:
    """What the stack that moves may do."""
    here = stack_place(pos)
    if here >= war.lattice.size:
        return COME_ON, TRANSFER, TAKE_ALONG, Halt()
    found = None if pos.stopped else march(war, pos)
    return Go(found), GO_OFF, TAKE_ALONG, DROP, Halt(found)


def movement_ends(war: War, pos: Table) -> Procedure:
    """4.4b, 11.6b: what stands too high is given up, and fights that nobody goes on with end."""
    yield from correct_stacking(war, pos)
    end_battles(war, pos)


# Orders.


class End(Order[War, Table]):
    """3.0B2: no more units move."""

    verb = "end movement"
    when, rule = MOVED, "3.0B2"

    def bars(self, war: War, pos: Table) -> Bars:
        for unit in bits(astray(war, pos)):
            must = f"{war.names[unit]} must leave the zone of the 8th Army, and can"
            yield False, must, "5.8.2c"

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        return NONE if astray(war, pos) else ENDED


def astray(war: War, pos: Table) -> Mask:
    """5.8.2c: Allied units in the zone of the 8th Army that have not moved and have a way out."""
    found = 0
    if pos.side != ALLIED or not occupied(war, pos, ALLIED) & war.ground.eighth_army:
        return 0
    for unit in bits(there(war, pos, ALLIED).among(war.ground.eighth_army) & ~pos.moved):
        if find_march(war, pos, 1 << unit, pos.hex[unit], *means(war, pos, 1 << unit), True).ends:
            found |= 1 << unit
    return found


def may_move(war: War, pos: Table) -> Bars:
    """The bars on a unit that is to move, in a hex or an entry area."""
    side = pos.side
    present = there(war, pos, side)
    areas = present.in_areas
    yield war.army[side], "{unit} belongs to the other side", "1.0"
    yield present.units | areas, off_the_map(war, pos, side)
    yield ~pos.moved, "{unit} has moved in this phase", "5.1c"
    yield ~(pos.frozen & war.held), "{unit} may not move on turn 1", "S3.3.2"
    yield ~pos.frozen, "{unit} is frozen until it is released", "S3.3.3a"
    yield ~(pos.posted & war.airborne), "{unit} must stay in Naples until released", "S3.3.5a"
    yield ~pos.posted, "{unit} is the garrison of Formia", "S3.3.4c"
    last = must_stay(war, pos, pos.movers)
    yield ~last, "{unit} is the last German unit in Formia", "S3.3.4a"
    yield ~(areas & unready(pos)), "{unit} stays in its area until in Good Order", "21.3d"
    yield ~(areas & pos.replaced), "{unit} has a Replacement marker and stays in its area", "20.4a"


def movable(war: War, pos: Table) -> Mask:
    """The units that these bars leave."""
    side = pos.side
    present = there(war, pos, side)
    areas = present.in_areas
    held = pos.moved | pos.frozen | pos.posted
    if side == GERMAN:
        held |= must_stay(war, pos, pos.movers)
    if areas:
        held |= areas & (pos.disrupted | pos.routed | pos.replaced)
    return (present.units | areas) & ~held


class Move(Order[War, Table]):
    """5.1: a unit that has not moved in this phase is picked up."""

    verb, names = "move", (UNIT,)
    when, rule, opens = PICKED_UP, "5.1a", True

    def bars(self, war: War, pos: Table) -> Bars:
        return may_move(war, pos)

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        return Each(self.verb, movable(war, pos))

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pick_up(war, pos, option.unit)


class TakeAlong(Order[War, Table]):
    """5.1b: a unit of the same place joins the stack before that leaves."""

    verb, names = "take along", (UNIT,)
    when, rule = ON_THE_MOVE, "5.1b"

    def bars(self, war: War, pos: Table) -> Bars:
        yield not pos.under_way, "The stack is on its way already", "5.1b"
        here = those_in(war, pos, stack_place(pos), pos.side)
        yield here | ~war.army[pos.side], "{unit} is not where the moving stack is", "5.1b"
        yield ~pos.movers, "{unit} moves with the stack already", "5.1b"
        yield from may_move(war, pos)

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        if pos.under_way:
            return NONE
        here = those_in(war, pos, stack_place(pos), pos.side) & ~pos.moved
        return Each(self.verb, here & movable(war, pos)) if here else NONE

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pick_up(war, pos, option.unit)


class Load(Order[War, Table]):
    """5.7a: trucks carry a unit on foot, in Good Order and in supply when the phase began."""

    verb, names = "load", (UNIT,)
    when, rule = "Trucks are loaded in the movement phase", "5.7a"

    def bars(self, war: War, pos: Table) -> Bars:
        carried = (pos.trucked & war.army[pos.side]).bit_count()
        most = war.book.march.trucks
        yield carried < most, f"Trucks carry no more than {counted(most, 'unit')} a turn", "5.7a"
        yield from may_move(war, pos)
        yield ~war.mechanised, "{unit} is mechanised and needs no trucks", "5.7a"
        yield ~pos.trucked, "{unit} has trucks already", "5.7a"
        yield ~unready(pos), "{unit} is not in Good Order", "5.7a"
        yield pos.supplied, "{unit} was not in supply when the phase began", "5.7a"

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        if (pos.trucked & war.army[pos.side]).bit_count() >= war.book.march.trucks:
            return NONE
        taken = pos.moved | pos.trucked | pos.disrupted | pos.routed
        fit = pos.supplied & ~(war.mechanised | taken)
        return Each(self.verb, fit & movable(war, pos)) if fit else NONE

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.trucked |= 1 << option.unit


class Flee(Order[War, Table]):
    """13.3.4: a unit that has not moved goes into Full Retreat of its own will."""

    verb, names = "flee", (UNIT,)
    when, rule = "Units go into Full Retreat by choice in the movement phase", "13.3.4a"
    by_name = True

    def bars(self, war: War, pos: Table) -> Bars:
        yield war.army[pos.side], "{unit} belongs to the other side", "1.0"
        yield there(war, pos, pos.side).units, off_the_map(war, pos, pos.side)
        yield ~pos.moved, "{unit} has moved in this phase", "13.3.4a"
        yield ~pos.routed, "{unit} is in Full Retreat already", "13.3.4a"

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        return Each(self.verb, there(war, pos, pos.side).units & ~(pos.moved | pos.routed))

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        rout(pos, 1 << option.unit)
        yield Event("goes into full retreat", option.unit, pos.hex[option.unit], rule="13.3.4a")


@dataclass(slots=True)
class Go(StackOrder):
    """5.1 to 5.6: the stack goes to a hex within reach, unless it had to stop."""

    found: March | None

    verb, names = "go", (UNIT, HEX)
    implied = (UNIT,)

    def then(self, war: War, pos: Table, first: int) -> Bars:
        yield ~(1 << pos.hex[first]), "The stack is in {hex} already, and may halt", "5.1a"
        found = self.found
        yield found is not None, "The stack has entered an enemy zone or a marsh and stops", "6.2a"
        ends = found.ends if found else 0
        yield ends, self._out_of_reach(war, pos, pos.hex[first], ends)

    def _out_of_reach(self, war: War, pos: Table, here: int, ends: Mask) -> Bars:
        on = bounds(war, pos, pos.movers, here)
        fresh, zone = not pos.under_way, on.zone
        eighth = war.ground.eighth_army & on.closed
        yield war.ground.land, "{hex} is no ground of this campaign", "5.1a"
        yield ~on.enemies, "The enemy is in {hex}", "5.1e"
        allied = "Allied units keep out of the zone of the 8th Army, and leave it if they are there"
        german = "{hex} is in a section of the 8th Army zone that is Allied by now"
        yield ~eighth, *((allied, "5.8.2a") if pos.side == ALLIED else (german, "5.8.3"))
        cities = on.closed & war.ground.cities & ~eighth
        yield ~cities, "Units in Full Retreat do not enter enemy cities", "13.3.2c"
        alone = "Units in Full Retreat go next to enemies only where a steadier friend is"
        yield ~on.closed, alone, "13.3.2b"
        yield ~on.bonds.hexes, "{hex} lies in a ZOC Bond of the enemy", "7.2a"
        spend = Means(pos.points, pos.extra, pos.strides)
        tactical, near = pos.points < 0, war.lattice.disc(here, max(pos.strides, 0))
        only = "The stack may only use Tactical Movement, and {hex} is too far for that"
        yield near | ends if tactical else True, only, "5.4a"
        ground = over_ground(war, pos, pos.movers, here, spend, fresh) | ends
        across = "Mountain sides or rivers that the stack cannot cross lie before {hex}"
        yield ground | ~near, across, "5.6a"
        points = counted((max(pos.points, 0) + pos.extra) / war.scale, "point")
        yield ground, f"{{hex}} is too far for {points}", "5.1a"
        free = past_bonds(on, here, spend, fresh) | ends
        yield free, "Enemies and their ZOC Bonds bar the way to {hex}", "7.2a"
        calm = "Only Extended Movement leads that far, and {hex} is in an enemy zone of control"
        ordinary = past_bonds(on, here, spend._replace(extra=0), fresh)
        yield ~zone | ordinary | ends, calm, "5.3a"
        yield (
            0,
            "Enemy zones, in which one stops and which cost two points to leave, bar it",
            "6.2a",
        )

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        return Over(self.verb, self.found.ends if self.found else 0, first_bit(pos.movers))

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        assert self.found
        return march_to(war, pos, self.found, option.hex)


class Drop(Order[War, Table]):
    """5.1c: a unit stays behind, and moves no more in this phase."""

    verb, names = "drop", (UNIT,)
    when, rule = "A stack drops units on its way", "5.1c"

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.under_way, "The stack has not left yet", "5.1c"
        yield pos.movers, "{unit} does not move with the stack", "5.1c"
        yield pos.movers & pos.movers - 1 != 0, "{unit} moves alone, and may halt", "5.1c"
        inside = pos.side == ALLIED and war.ground.eighth_army >> stack_place(pos) & 1
        yield not inside, "{unit} must leave the zone of the 8th Army", "5.8.2c"
        alone = "{unit} would be in Full Retreat next to an enemy, without a steadier friend"
        yield ~deserted(war, pos), alone, "13.3.2b"

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        return self.left(war, pos) if pos.under_way and pos.movers & pos.movers - 1 else NONE

    def effect(self, war: War, pos: Table, option: Option) -> None:
        settle(war, pos, 1 << option.unit)


def deserted(war: War, pos: Table) -> Mask:
    """Units in Full Retreat on the move that could not be left here next to an enemy (13.3.2b)."""
    here = stack_place(pos)
    near = war.lattice.dilate(occupied(war, pos, 1 - pos.side)) >> here & 1
    stay = those_in(war, pos, here, pos.side) & ~pos.movers & ~pos.routed
    return pos.movers & pos.routed if near and not stay else 0


@dataclass(slots=True)
class Halt(StackOrder):
    """5.1: the stack moves no farther."""

    found: March | None = None

    verb, names = "halt", (UNIT,)

    def bars(self, war: War, pos: Table) -> Bars:
        yield from StackOrder.bars(self, war, pos)
        inside = war.ground.eighth_army >> stack_place(pos) & 1
        out = pos.side == ALLIED and inside and self.found and self.found.ends
        yield not out, "{unit} must leave the zone of the 8th Army, and can", "5.8.2c"

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        if pos.side == ALLIED and war.ground.eighth_army >> stack_place(pos) & 1:
            return self.left(war, pos)
        return Each(self.verb, pos.movers & -pos.movers)

    def effect(self, war: War, pos: Table, option: Option) -> None:
        put_down(war, pos)


ENDED = (Option(End.verb),)
MOVE, TAKE_ALONG, LOAD, FLEE, DROP, END = Move(), TakeAlong(), Load(), Flee(), Drop(), End()
