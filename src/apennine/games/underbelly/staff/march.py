"""Where units could go if they were given a command."""

from __future__ import annotations

from apennine.hexes import Mask, bits, first_bit
from apennine.mechanics.reach import Reach

from ..rules.c06_stacking import full_for
from ..rules.c09_commands import begin
from ..rules.c10_entry import gates
from ..rules.c12_movement import allowance, march
from ..table.position import ALLIED, Table
from .ground import marches
from .mind import USUAL, Mind


def drawn(mind: Mind, order: int, origin: int) -> Table:
    """The position once a stack has been given an order."""
    there = mind.pos.copy()
    there.points = max(there.points, mind.war.price[order])
    begin(mind.war, there, order, origin)
    return there


def reach(mind: Mind, ordered: Table, unit: int) -> Reach:
    """Where a unit of the stack that has its order could go by itself."""
    return reach_from(mind, ordered, 1 << unit)


def reach_from(mind: Mind, ordered: Table, units: Mask) -> Reach:
    """Where some of its units could go together."""
    there = ordered.copy()
    there.movers = units
    there.moves_left = min(allowance(mind.war, there, u, USUAL) for u in bits(units))
    return march(mind.war, there)


def landfall(mind: Mind, ordered: Table, units: Mask, goal: int) -> int:
    """The port or the hex of row 10xx by which units from a box get to a goal soonest; -1: none."""
    war, pos = mind.war, mind.pos
    field = marches(war, mind.pace(first_bit(units)), 1 << goal)
    if mind.side == ALLIED:
        doors = mind.ports & ~full_for(war, pos, units)
    else:
        doors = gates(war, pos, units, ordered.order)
    return min(bits(doors), key=lambda hex: (field[hex], hex), default=-1)
