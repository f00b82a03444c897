"""Chapter 11: the Movement Phase."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apennine.hexes import Mask, bits, first_bit
from apennine.kernel.decision import NONE, Each, Event, Option, Over, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, VALUE, Bars, Order, ask
from apennine.mechanics.phrases import counted
from apennine.mechanics.reach import Reach

from ..table.position import CENTRAL, LOST, Table
from ..table.war import War
from .c02_pieces import frozen, in_the_field, marked, theatre, there, those_in, unready
from .c04_stacking import settle_assault
from .c05_zones import zone, zone_felt
from .c06_steps import disorganize, eliminate, overrun
from .c11_engineers import BRIDGE, TAKE_UP, sink_pontoons
from .c11_flight import (
    EVACUATE,
    FLEE,
    FLEE_ALL,
    LEAVE_MAP,
    ORDER_RETREAT,
    STEADY_UP,
)
from .c11_march import (
    PURSUIT,
    allowance,
    closed_to,
    destinations,
    find_forced,
    find_reach,
    held_back,
    leaders,
    lone_depots,
    near_enemies,
    with_troops,
)
from .c11_trucks import LOAD, UNLOAD, unload_all

MOVING = "Units move in the Movement Phase"


def movement_begins(war: War, pos: Table) -> Procedure:
    """What holds for a Movement Phase begins anew; where stacks stand is noted (11.2.2d)."""
    pos.started = pos.under_way = pos.stopped = pos.forced = pos.covered = False
    pos.refugees = pos.tested = 0
    pos.moved = pos.done = pos.movers = pos.relief = pos.left = pos.worked = 0
    pos.tries = []
    pos.unloaded = -1
    stacks = there(war, pos, pos.side).stacks.items()
    crowded = [1 << hex for hex, units in stacks if hex >= 0 and _several(units & war.combat)]
    pos.crowded = sum(crowded)
    yield from ()


def _several(units: Mask) -> bool:
    return units & units - 1 != 0


def movement_phase(war: War, pos: Table) -> Procedure:
    """11.1.1a: the phasing side moves its units and stacks, one after the other."""
    while True:
        if not pos.movers:
            orders = MOVE, RELIEVE, RELEASE, TAKE_UP, ASSIGN, *RETREATING, END
            prompt = "Move a unit or stack, or end your movement"
            chosen = yield from ask(war, pos, prompt, rule("11.1.1a"), *orders, checkpoint=True)
            if chosen.verb == END.verb:
                return
            continue
        yield from move_stack(war, pos)


def move_stack(war: War, pos: Table) -> Procedure:
    """The next step of the stack that moves."""
    found = None if pos.stopped else march(war, pos)
    orders = Go(found), TAKE_ALONG, FORCE, COVER, BRIDGE, LOAD, UNLOAD, LEAVE_MAP, HALT
    prompt = f"Where does {war.names[first_bit(pos.movers)]} go?"
    yield from ask(war, pos, prompt, rule("11.1.1a"), *orders, checkpoint=True)


def place_of(pos: Table) -> int:
    """The hex of the stack that moves."""
    return pos.hex[(pos.movers & -pos.movers).bit_length() - 1]


def march(war: War, pos: Table) -> Reach:
    """Where the moving stack can go."""
    here = place_of(pos)
    if pos.forced:
        return find_forced(war, pos, here, pos.left)
    return find_reach(war, pos, pos.movers, here, pos.left, not pos.under_way)


# Who moves


def may_move(war: War, pos: Table) -> Bars:
    """The bars on a unit that is to move."""
    yield from in_the_field(war, pos, pos.side)
    yield ~pos.done, "{unit} has moved in this phase, or stands", "11.1.1a"
    yield ~war.assault, "{unit} moves with the unit that it is attached to", "11.3.2a"
    yield ~war.aircraft, "{unit} flies", "11.3.6a"
    yield ~frozen(pos), "{unit} is a reserve of the High Command", "11.2.10a"
    yield ~pos.slipping, "{unit} has a Disengagement marker and stays", "11.2.9a"
    if pos.phase == PURSUIT:
        exploiting = marked(pos.reserves) | marked(pos.exploits)
        yield exploiting, "{unit} has neither an Exploitation nor a Reserves marker", "14.0f"
    else:
        yield ~marked(pos.reserves), "{unit} has a Reserves marker and stays", "11.2.9a"
    yield ~pos.loaded, "{unit} is in the trucks", "11.3.4.1e"
    yield ~pos.firing, "{unit} is in Offensive mode and moves after exploitation only", "11.3.1.1a"
    yield ~war.batteries, "{unit} is a fixed battery", "S3.S5a"
    yield ~war.depots, "{unit} does not move", "11.3.5a"


def movable(war: War, pos: Table) -> Mask:
    """The units that these bars leave."""
    stay = pos.done | war.fixed | frozen(pos) | pos.slipping | pos.loaded | pos.firing
    own = there(war, pos, pos.side).units & ~stay
    if pos.phase == PURSUIT:
        return own & (marked(pos.reserves) | marked(pos.exploits))
    return own & ~marked(pos.reserves)


class Move(Order[War, Table]):
    """11.1.1: a unit is picked up."""

    verb, names = "move", (UNIT,)
    when, rule, opens = MOVING, "11.1.1a", True

    def bars(self, war: War, pos: Table) -> Bars:
        return may_move(war, pos)

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        return Each(self.verb, movable(war, pos))

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pick_up(war, pos, option.unit)


class TakeAlong(Order[War, Table]):
    """11.1.1b: a unit of the same hex joins the stack before that leaves."""

    verb, names = "take along", (UNIT,)
    when, rule = MOVING, "11.1.1b"

    def bars(self, war: War, pos: Table) -> Bars:
        yield not (pos.under_way or pos.forced), "The stack is on its way already", "11.1.1b"
        here = those_in(war, pos, place_of(pos), pos.side)
        yield here | ~war.army[pos.side], "{unit} did not begin where the stack did", "11.1.1b"
        yield ~pos.movers, "{unit} moves with the stack already", "11.1.1b"
        yield from may_move(war, pos)
        apart = war.barges | war.trucks
        alone = pos.movers & apart or here & apart
        yield ~alone, "{unit} and the others do not move as a stack", "11.1.1b"

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        if pos.under_way or pos.forced:
            return NONE
        here = those_in(war, pos, place_of(pos), pos.side)
        others = here & ~pos.movers
        if not others:
            return NONE
        apart = war.barges | war.trucks
        alone = pos.movers & apart or here & apart
        return Each(self.verb, others & movable(war, pos) & ~alone)

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pick_up(war, pos, option.unit)


def pick_up(war: War, pos: Table, unit: int) -> None:
    """A unit, and the assault troops with it, joins the stack that moves, at the slowest's rate."""
    before = pos.left if pos.movers else allowance(war, pos, unit)
    if not pos.movers:
        pos.under_way = pos.stopped = pos.forced = pos.covered = False
        pos.unloaded = -1
    pos.movers |= with_troops(war, pos, unit)
    pos.left = min(before, allowance(war, pos, unit))


# Where they go


@dataclass(slots=True)
class Go(Order[War, Table]):
    """11.1 to 11.3: the stack goes to a hex within reach, unless it had to stop."""

    found: Reach | None

    verb, names = "go", (UNIT, HEX)
    implied = (UNIT,)
    when, rule = MOVING, "11.1.1a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.movers & -pos.movers, "{unit} does not lead the stack that moves", "11.1.1a"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        here = pos.hex[first]
        yield self.found is not None, "The stack has entered an enemy zone and stops", "11.2.1a"
        alone, stack = held_back(war, pos, pos.movers, here)
        yield not alone, "A unit alone in an enemy zone leaves it only if relieved", "11.2.2a"
        yield not stack, "One combat unit of the stack must stay in the enemy zone", "11.2.2d"
        if self.found is not None:
            ends = self.found.ends
            yield ends, self._out_of_reach(war, pos, here, ends)
            yield destinations(war, pos, pos.movers, self.found), self._astray(war, pos)

    def _out_of_reach(self, war: War, pos: Table, here: int, ends: Mask) -> Bars:
        yield ~(1 << here), "The stack is in {hex} already, and may halt", "11.1.1a"
        yield theatre(war, pos).area | ends, "{hex} is outside the playing area", "SC.b"
        enemy = there(war, pos, 1 - pos.side)
        yield ~enemy.closed, "The enemy is in {hex}", "11.1.1g"
        shut = closed_to(war, pos, pos.movers) & ~ends
        yield ~(shut & war.ground.high), "Supports never enter high mountains", "11.3.1e"
        yield ~shut, "Supports keep out of enemy zones", "11.3.1a"
        if pos.forced:
            yield (
                ~near_enemies(war, pos),
                "{hex} is too near to the enemy for a forced march",
                "11.2.6a",
            )
            yield ends, "No road of a forced march leads to {hex}", "11.2.6a"
        against = zone(war, pos, 1 - pos.side)
        straight = against if against >> here & 1 else 0
        beside = war.lattice.dilate(1 << here) & straight & ~ends
        yield ~beside, "No move leads from one enemy zone straight to another", "11.2.1b"
        points = counted(pos.left / war.scale, "point")
        yield 0, f"{{hex}} is out of reach with {points}", "11.1.1a"

    def _astray(self, war: War, pos: Table) -> Bars:
        if pos.movers & pos.hungry:
            yield 0, "A unit out of supply goes back into supply by the quickest way", "9.2c"
        yield 0, "In Retreat mode every move leads towards a source of supply", "11.4e"

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        if self.found is None or any(held_back(war, pos, pos.movers, place_of(pos))):
            return NONE
        ends = destinations(war, pos, pos.movers, self.found)
        return Over(self.verb, ends, first_bit(pos.movers))

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        assert self.found
        return walk(war, pos, self.found, option.hex)


def walk(war: War, pos: Table, found: Reach, hex: int) -> Procedure:
    """The stack goes hex by hex, takes control of what it passes and drives off lone supports."""
    path, spent = found.path(hex), found.cost(hex)
    pos.started |= not pos.relief
    pos.under_way = True
    pos.left -= spent
    pos.moved |= pos.movers
    stack = pos.movers | pos.loaded if pos.movers & war.trucks else pos.movers
    marching = list(bits(stack))
    fights = stack & war.combat & ~pos.loaded
    near = startled(war, pos) if fights else 0
    for step in path[1:]:
        if fights:
            hold(pos, step)
        # Where it drives nobody off the stack need not be seen.
        if near >> step & 1:
            for unit in marching:
                pos.hex[unit] = step
            yield from overrun(war, pos, 1 - pos.side, 1 << step)
            thaw(war, pos, step)
    for unit in marching:
        pos.hex[unit] = hex
    lone = lone_depots(war, pos, pos.side)
    pos.stopped = bool((zone_felt(war, pos, stack) | lone) >> hex & 1)
    if lone >> hex & 1:
        yield from capture(war, pos, hex)


def startled(war: War, pos: Table) -> Mask:
    """The hexes next to lone supports of the enemy, and to frozen reserves that can thaw."""
    enemy = there(war, pos, 1 - pos.side)
    alone = enemy.ground & ~enemy.combat
    if pos.frozen and theatre(war, pos).scenario.thaw:
        for unit in bits(frozen(pos) & enemy.units):
            alone |= 1 << pos.hex[unit]
    return war.lattice.dilate(alone) if alone else 0


def thaw(war: War, pos: Table, hex: int) -> None:
    """S1.S8a: reserves of the High Command are free once an enemy comes next to them."""
    if pos.frozen and theatre(war, pos).scenario.thaw:
        near = there(war, pos, 1 - pos.side).among(war.lattice.dilate(1 << hex))
        pos.frozen = [marker for marker in pos.frozen if not marker & near]


def hold(pos: Table, hex: int) -> None:
    """S0.V6: a combat unit that enters a hex takes control of it."""
    if pos.side == CENTRAL:
        pos.control |= 1 << hex
    else:
        pos.control &= ~(1 << hex)


def capture(war: War, pos: Table, hex: int) -> Procedure:
    """15.5.2: a depot alone is captured by whoever enters its hex, and scores for him."""
    enemy = 1 - pos.side
    for depot in bits(those_in(war, pos, hex, enemy) & war.depots):
        pos.hex[depot] = LOST
        pos.points[pos.side] += war.roster[depot].points
        yield Event("is captured", depot, hex, war.roster[depot].points, rule("15.5.2b"))
        if pos.side == CENTRAL and war.nationals["It"] >> depot & 1:
            disorganize(war, pos, pos.movers & war.nationals["AH"])  # 15.5.2c


class Force(Order[War, Table]):
    """11.2.6: a forced march doubles the allowance along roads, far from the enemy."""

    verb = "force the march"
    when, rule = "A forced march is chosen before a stack moves", "11.2.6a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.phase != PURSUIT, "No march is forced in exploitation", "14.2c"
        yield not pos.under_way, "The stack is on its way already", "11.2.6a"
        yield not pos.forced, "The stack is on a forced march already", "11.2.6a"
        supports = leaders(war, pos.movers) & ~war.combat
        yield not supports, "Only combat units make forced marches", "11.2.6a"
        yield not pos.movers & pos.disorganized, "Disorganized units cannot be forced", "11.2.6a"
        yield not pos.movers & unready(pos), "Reorganizing units cannot be forced", "11.2.6d"
        here = 1 << place_of(pos)
        yield not here & near_enemies(war, pos), "An enemy is within two hexes", "11.2.6a"
        doubled = pos.left * war.book.march.forced
        found = find_forced(war, pos, place_of(pos), doubled)
        yield found.ends != 0, "No road leads from here", "11.2.6a"
        yield destinations(war, pos, pos.movers, found) != 0, "No road leads the right way", "9.2c"

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        if pos.under_way or pos.forced or pos.movers & war.columns:
            return NONE
        return self.left(war, pos)

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.forced = True
        pos.left *= war.book.march.forced


class Cover(Order[War, Table]):
    """11.2.2f: Arditi are given up to cover Italians who leave an enemy zone."""

    verb, names = "give up to cover", (UNIT,)
    when, rule = "Arditi cover a stack that leaves an enemy zone", "11.2.2f"

    def bars(self, war: War, pos: Table) -> Bars:
        yield not pos.under_way, "The stack is on its way already", "11.2.2f"
        held = held_back(war, pos, pos.movers, place_of(pos))
        yield any(held), "The stack may leave without being covered", "11.2.2f"
        yield war.arditi, "{unit} is no Arditi support", "11.2.2f"
        yield pos.movers, "{unit} is not with the stack that moves", "11.2.2f"

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        if pos.under_way or not pos.movers & war.arditi:
            return NONE
        return self.left(war, pos)

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.covered = True
        return eliminate(war, pos, option.unit, rule("11.2.2f"))


class Halt(Order[War, Table]):
    """11.1.1f: the stack moves no farther; what it has left is lost."""

    verb, names = "halt", (UNIT,)
    when, rule = MOVING, "11.1.1f"

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.movers & -pos.movers, "{unit} does not lead the stack that moves", "11.1.1f"

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        return Each(self.verb, pos.movers & -pos.movers)

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        return put_down(war, pos)


def put_down(war: War, pos: Table) -> Procedure:
    """The move of a stack ends: forced marches tire, empty pontoon bridges next to it are lost."""
    movers, hex = pos.movers, place_of(pos)
    pos.done |= movers
    pos.movers = 0
    if movers & war.trucks:
        unload_all(pos)
    if pos.forced and pos.under_way and pos.offensive:
        disorganize(war, pos, movers)  # 11.2.6b
    settle_assault(war, pos, hex, pos.side)
    if movers & war.combat and pos.under_way:
        sink_pontoons(war, pos, hex)
    pos.forced = pos.stopped = pos.covered = False
    yield from ()


# Before anything moves


class Relieve(Order[War, Table]):
    """11.2.2c: a unit alone in an enemy zone is to be relieved; announced before others move."""

    verb, names = "relieve", (UNIT,)
    when, rule = "Reliefs are announced before any other unit moves", "11.2.2c"

    def bars(self, war: War, pos: Table) -> Bars:
        yield not pos.started, "A unit has moved already in this phase", "11.2.2c"
        yield from in_the_field(war, pos, pos.side)
        yield war.combat, "{unit} is a support and may leave", "11.2.2a"
        yield ~(pos.moved | pos.done), "{unit} has moved or stands", "11.2.2c"
        yield ~pos.relief, "{unit} is to be relieved already", "11.2.2c"
        present = there(war, pos, pos.side)
        lone = zone(war, pos, 1 - pos.side) & ~pos.crowded
        yield present.among(lone), "{unit} is not alone in an enemy zone", "11.2.2a"

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        return NONE if pos.started else self.left(war, pos)

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.relief |= 1 << option.unit


class Release(Order[War, Table]):
    """11.2.10: the High Command's reserves are set free, and that gives the enemy points."""

    verb, names, needs = "release", (UNIT,), "frozen"
    when, rule = "Frozen reserves are released as a Movement Phase begins", "11.2.10f"

    def bars(self, war: War, pos: Table) -> Bars:
        yield not pos.started, "A unit has moved already in this phase", "11.2.10f"
        yield from in_the_field(war, pos, pos.side)
        yield frozen(pos), "{unit} is no reserve of the High Command", "11.2.10d"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        marker = next(marker for marker in pos.frozen if marker >> option.unit & 1)
        pos.frozen = [other for other in pos.frozen if other != marker]
        price = theatre(war, pos).scenario.reserves.get(str(pos.turn), 0)
        pos.points[1 - pos.side] += price
        yield Event("is released", option.unit, pos.hex[option.unit], price, rule("11.2.10b"))


class Assign(Order[War, Table]):
    """11.3.2b: assault troops go over to another unit of their hex, which `value` names."""

    verb, names, number = "assign", (UNIT, VALUE), "to unit {}"
    ranges = ((VALUE, UNIT),)
    when, rule = "Assault troops are assigned as a phase begins", "11.3.2b"

    def bars(self, war: War, pos: Table) -> Bars:
        yield at_start(pos), "Units have moved or attacked already in this phase", "11.3.2b"
        yield from in_the_field(war, pos, pos.side)
        yield war.assault, "{unit} is not of assault troops", "11.3.2b"
        yield ~pos.done, "{unit} has been assigned in this phase", "11.3.2b"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        here = those_in(war, pos, pos.hex[first], pos.side)
        taken = sum([1 << host for host in pos.host if host >= 0])
        yield here, "That unit is not in the same hex", "11.3.2b"
        yield war.hosts[first], "That unit cannot have such assault troops", "11.3.2a"
        yield ~taken, "That unit has assault troops already", "11.3.2c"

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        return self.left(war, pos) if at_start(pos) else NONE

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.host[option.unit] = option.value
        pos.done |= 1 << option.unit


def at_start(pos: Table) -> bool:
    """Whether nothing has moved, or attacked, in this phase."""
    return not (pos.struck if pos.phase in ("combat", "exploitation") else pos.started)


class End(Order[War, Table]):
    """11.1.1a: no more units move."""

    verb = "end movement"
    when, rule = MOVING, "11.1.1a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield not dawdling(war, pos), "Units in Retreat mode must move towards supply", "11.4e"


def dawdling(war: War, pos: Table) -> Mask:
    """11.4e: units in Retreat mode that have not moved and could get nearer to a source (11.4i)."""
    if pos.phase == PURSUIT:
        return 0
    found = 0
    held = pos.done | frozen(pos) | war.assault | war.batteries | war.depots | pos.firing
    for unit in bits(pos.fleeing & there(war, pos, pos.side).units & ~held):
        stack, here = with_troops(war, pos, unit), pos.hex[unit]
        if not any(held_back(war, pos, stack, here)):
            reach = find_reach(war, pos, stack, here, allowance(war, pos, unit), True)
            found |= (destinations(war, pos, stack, reach) != 0) << unit
    return found


RETREATING = ORDER_RETREAT, FLEE, FLEE_ALL, STEADY_UP, EVACUATE
"""What is ordered in scenario 1 before anything moves."""
MOVE, TAKE_ALONG, FORCE, COVER, HALT = Move(), TakeAlong(), Force(), Cover(), Halt()
RELIEVE, RELEASE, ASSIGN, END = Relieve(), Release(), Assign(), End()
