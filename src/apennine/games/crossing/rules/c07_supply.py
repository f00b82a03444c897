"""Chapter 7: supply."""

from __future__ import annotations

from apennine.hexes import Mask
from apennine.kernel.decision import Event, Procedure
from apennine.kernel.ledger import rule
from apennine.mechanics.trace import Line, trace
from apennine.mechanics.zoc import negated

from ..table.position import LOST, Table
from ..table.war import War
from .c03_zones import lose_step, occupied, on_map, zone


def supplied(war: War, pos: Table, side: int) -> Mask:
    """The hexes from which a line leads to the side's own map edge (7.1)."""
    free = war.lattice.all & ~closed(war, pos, side)
    return war.lattice.flood_sides(war.edge[side] & free, free, war.passable[pos.blown])


def closed(war: War, pos: Table, side: int) -> Mask:
    """The hexes that no line of a side enters (7.1)."""
    control = negated(zone(war, pos, 1 - side), by=occupied(war, pos, side))
    return occupied(war, pos, 1 - side) | control


def line(war: War, pos: Table, unit: int) -> list[int]:
    """The shortest line of supply of a unit, from its hex to the edge; empty if there is none."""
    if pos.hex[unit] == LOST or not supplied(war, pos, war.side_of[unit]) >> pos.hex[unit] & 1:
        return []
    side = war.side_of[unit]
    rules = Line(over=war.passable[pos.blown], blocked=closed(war, pos, side))
    return trace(war.lattice, war.edge[side] & ~rules.blocked, rules).line(pos.hex[unit])


def supply_phase(war: War, pos: Table) -> Procedure:
    """7.2: judged once, for the active side; it holds until that side's next supply phase."""
    before, lines = pos.cut, supplied(war, pos, pos.side)
    for unit in on_map(war, pos, pos.side):
        if lines >> pos.hex[unit] & 1:
            pos.cut &= ~(1 << unit)
            continue
        pos.cut |= 1 << unit
        yield Event("out of supply", unit, pos.hex[unit], rule=rule("7.2"))
        if before >> unit & 1:  # 7.3
            yield Event("starves", unit, pos.hex[unit], rule=rule("7.3"))
            lose_step(pos, unit)
    pos.phase = "movement"
