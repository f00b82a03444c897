"""Chapter 11.4 and scenario 1: the Retreat order, Retreat mode, and leaving the map."""

from __future__ import annotations

from collections.abc import Sequence

from apennine.hexes import Mask, bits, first_bit
from apennine.kernel.decision import NONE, Event, Option, Procedure, Roll
from apennine.kernel.ledger import rule
from apennine.kernel.order import UNIT, Bars, Order

from ..table.position import CENTRAL, ENTENTE, EXITED, Table
from ..table.war import War
from .c02_pieces import attached, in_the_field, is_poor, theatre, there
from .c06_steps import clear
from .c11_march import held_back
from .c16_victory import running

FLEEING = "Retreats are ordered before any unit moves"
STEADY = 1
"""A modified die up to this ends Retreat mode (11.4f)."""
ROAD, RAIL, NEITHER = -1, -2, 1
"""What changes that die (11.4f)."""


def in_time(pos: Table) -> Bars:
    """The bar on what is done before anything moves."""
    yield pos.side == ENTENTE, "Only Italy retreats so", "S1.S13a"
    yield not pos.started, "A unit has moved already in this phase", "11.4f"


class OrderRetreat(Order[War, Table]):
    """S1.S13: Italy gives the Retreat order, for points that depend on the turn (S1.S14)."""

    verb = "order the retreat"
    when, rule = FLEEING, "S1.S13a"

    def bars(self, war: War, pos: Table) -> Bars:
        prices = theatre(war, pos).scenario.retreat
        yield bool(prices), "No retreat is ordered in this scenario", "S1.S13a"
        yield not pos.ordered, "The retreat is ordered", "S1.S13a"
        yield str(pos.turn) in prices, "The retreat may be ordered from turn 2", "S1.S13a"
        yield from in_time(pos)

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        price = retreat_price(war, pos)
        pos.ordered = True
        pos.points[CENTRAL] += price
        yield Event("the retreat is ordered", value=price, rule=rule("S1.S14a"))


def retreat_price(war: War, pos: Table) -> int:
    """The points that the Retreat order costs now (S1.S14)."""
    scenario = theatre(war, pos).scenario
    early, late = scenario.retreat[str(pos.turn)]
    return early if running(war, pos) < scenario.retreat_mark else late


def fugitives(war: War, pos: Table) -> Mask:
    """The units that may be put into Retreat mode now (11.4d, 11.4h)."""
    kinds = war.combat | war.headquarters | war.artillery & ~war.batteries
    return there(war, pos, pos.side).units & kinds & ~(pos.fleeing | pos.tested)


class Flee(Order[War, Table]):
    """S1.S13b: a unit is put into Retreat mode."""

    verb, names, needs = "retreat with", (UNIT,), "ordered"
    when, rule = FLEEING, "S1.S13b"
    by_name = True

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.ordered, "The retreat is not ordered", "S1.S13b"
        yield from in_time(pos)
        yield from in_the_field(war, pos, pos.side)
        able = war.combat | war.headquarters | war.artillery
        yield able, "{unit} has no Retreat mode", "11.4d"
        yield ~pos.fleeing, "{unit} is in Retreat mode", "S1.S13b"
        yield fugitives(war, pos), "{unit} has just left Retreat mode, or is fixed", "11.4h"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        put_to_flight(pos, 1 << option.unit)


class FleeAll(Order[War, Table]):
    """S1.S13b: all units are put into Retreat mode at once."""

    verb, needs = "retreat with all", "ordered"
    when, rule = FLEEING, "S1.S13b"

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.ordered, "The retreat is not ordered", "S1.S13b"
        yield from in_time(pos)
        yield fugitives(war, pos) != 0, "No unit is left to be put into Retreat mode", "S1.S13b"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        put_to_flight(pos, fugitives(war, pos))


def put_to_flight(pos: Table, units: Mask) -> None:
    """Units go into Retreat mode; the High Command's markers on them lapse (S1.S8b)."""
    pos.fleeing |= units
    pos.tested |= units
    pos.frozen = [marker for marker in pos.frozen if not marker & units]


class Steady(Order[War, Table]):
    """11.4f: a unit tries to leave Retreat mode, once in a Movement Phase (11.4h)."""

    verb, names, needs = "steady", (UNIT,), "fleeing"
    when, rule = FLEEING, "11.4f"

    def bars(self, war: War, pos: Table) -> Bars:
        yield from in_time(pos)
        yield from in_the_field(war, pos, pos.side)
        yield pos.fleeing, "{unit} is not in Retreat mode", "11.4f"
        yield ~pos.tested, "{unit} has been tested in this phase, or flees since now", "11.4h"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.tested |= 1 << option.unit
        (die,) = yield Roll((6,), "leaving Retreat mode", rule("11.4f"))
        if die + steadiness(war, pos, pos.hex[option.unit]) <= STEADY:
            pos.fleeing &= ~(1 << option.unit)
            yield Event("is steady", option.unit, pos.hex[option.unit], rule=rule("11.4f"))


def steadiness(war: War, pos: Table, hex: int) -> int:
    """What changes the die in a hex (11.4f)."""
    ground = war.ground
    ways = ground.road_hexes if is_poor(pos) else ground.roaded
    by_road, by_rail = ways >> hex & 1, ground.rail_hexes >> hex & 1
    return ROAD * by_road + RAIL * by_rail or NEITHER


class Evacuate(Order[War, Table]):
    """S1.S15: under the Retreat order one artillery support a sequence is taken away."""

    verb, names, needs = "take away", (UNIT,), "ordered"
    when, rule = FLEEING, "S1.S15"

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.ordered, "The retreat is not ordered", "S1.S15"
        yield from in_time(pos)
        yield not pos.evacuated, "One support has been taken away in this sequence", "S1.S15"
        yield from in_the_field(war, pos, pos.side)
        yield war.artillery, "{unit} is no artillery", "S1.S15"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.evacuated = True
        yield from leave(war, pos, 1 << option.unit)


class LeaveMap(Order[War, Table]):
    """S1.V6: a stack at the western edge leaves for good, at the price of a clear hex."""

    verb = "leave the map"
    when, rule = "Italian units leave by the western edge as they move", "S1.V6"

    def bars(self, war: War, pos: Table) -> Bars:
        gates = theatre(war, pos).gates
        yield gates != 0 and pos.side == ENTENTE, "Nobody leaves the map here", "S1.V6"
        here = pos.hex[first_bit(pos.movers)]
        yield gates >> here & 1 != 0, "The stack is not at the western edge", "S1.V6"
        yield pos.phase == "movement", "The map is left in the Movement Phase", "S1.V6"
        yield not pos.stopped, "The stack has stopped", "11.2.1a"
        held = held_back(war, pos, pos.movers, here)
        yield not any(held), "The stack may not leave the enemy zone", "11.2.2a"
        yield pos.left >= war.scale, "Leaving costs a movement point", "S1.V6"

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        return self.left(war, pos) if theatre(war, pos).gates else NONE

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        units, pos.movers = pos.movers, 0
        pos.started |= not pos.relief
        yield from leave(war, pos, units)


def leave(war: War, pos: Table, units: Mask) -> Procedure:
    """Units are gone by the western edge (S1.V3)."""
    units |= attached(war, pos, units)
    for unit in bits(units):
        yield Event("leaves the map", unit, pos.hex[unit], rule=rule("S1.V6"))
        pos.hex[unit] = EXITED
    clear(pos, units)


ORDER_RETREAT, FLEE, FLEE_ALL, STEADY_UP = OrderRetreat(), Flee(), FleeAll(), Steady()
EVACUATE, LEAVE_MAP = Evacuate(), LeaveMap()
