"""E19: the Germans leave the map over its northern edges, and come back."""

from __future__ import annotations

from apennine.hexes import Mask, bits, first_bit
from apennine.kernel.decision import Event, Option, Procedure
from apennine.kernel.order import UNIT, Bars, Order

from ..table.position import DUE, GERMAN, Table
from ..table.war import SCALE, War
from .b4e_zones import there


def at_the_edge(war: War, pos: Table) -> Mask:
    """E19B1: the German units at an edge over which they may leave."""
    if not war.is_advanced(pos):
        return 0
    return there(war, pos, GERMAN).among(war.ground.german_edge)


class GoOff(Order[War, Table]):
    """E19B1: the stack leaves the map; it may come back from the next turn on."""

    verb, names = "leave the map", (UNIT,)
    implied = (UNIT,)
    when, rule = "German units leave the map in their movement phase", "E19B1"

    def bars(self, war: War, pos: Table) -> Bars:
        lead = first_bit(pos.movers)
        yield 1 << lead, f"{war.names[lead]} leads the stack that moves, not {{unit}}", "B4C3"
        yield at_the_edge(war, pos), "{unit} is at no northern edge", "E19B1"
        yield not pos.frozen & pos.movers, "{unit} is on garrison duty", "E6B1"
        yield pos.points + pos.extra >= SCALE, "{unit} has too few points left", "E19B1"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        for unit in bits(pos.movers):
            yield from go_off(pos, unit)
        pos.movers = pos.points = pos.extra = 0
        pos.under_way = False


def go_off(pos: Table, unit: int) -> Procedure:
    """A unit is beyond the edge, as reinforcements are, until a later turn."""
    yield Event("leaves the map", unit, pos.hex[unit], rule="E19B1")
    pos.hex[unit] = DUE
    pos.moved |= 1 << unit


class RetreatOff(Order[War, Table]):
    """E19B1: a German unit retreats off the map. Allied ones cannot, and die (E19B2)."""

    verb, names = "retreat off the map", (UNIT,)
    when, rule = "Units retreat if a battle makes them", "E19B1"

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.retreating, "{unit} does not have to retreat now", "B4G1"
        yield at_the_edge(war, pos), "{unit} is at no edge over which it may leave", "E19B1"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        unit = 1 << option.unit
        pos.retreating &= ~unit
        pos.withdrawing &= ~unit
        pos.retreated |= unit
        yield from go_off(pos, option.unit)


GO_OFF, RETREAT_OFF = GoOff(), RetreatOff()
