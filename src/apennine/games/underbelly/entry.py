"""Coming onto the map: by ports (12.6), by row 10xx (10.2), on Hitler's orders (8.6, 8.8)."""

from __future__ import annotations

from apennine.hexes import Mask, bits
from apennine.kernel.decision import Option

from .position import (
    ALLIED,
    ARMY_KEPT_BACK,
    COLUMN,
    CORPS_KEPT_BACK,
    GERMAN,
    MOVE_FIGHT,
    ORDERS,
    Table,
)
from .stacking import full_for, strangers
from .victory import decide
from .war import SECOND_SS, War
from .zones import crowd, force_in, port_hexes

ENTRIES = {verb: ORDERS[verb] for verb in ("move", "column", "move-fight")}
"""The commands by which Germans may enter the map (8.6a, 8.8a, 10.2a)."""


def entries(war: War, pos: Table) -> Mask:
    """The hexes in which the moving units can come onto the map from their box."""
    movers = pos.movers
    if pos.side == ALLIED:
        return port_hexes(war, pos) & ~full_for(war, pos, movers)  # 12.6
    doors = gates(war, pos, movers, pos.order)
    return war.enterable(war.paces(movers), pos.moves_left) & doors


def gates(war: War, pos: Table, units: Mask, order: int) -> Mask:
    """10.2: the hexes of row 10xx that are open to German units; a column shuns enemy zones."""
    enemy = crowd(war, pos, ALLIED)
    closed = enemy.occupied | full_for(war, pos, units) | strangers(war, pos, units)
    if order == COLUMN:
        closed |= enemy.zone  # 12.7b
    return war.north & ~closed


def is_corps_due(war: War, pos: Table) -> bool:
    """8.6: II SS Panzer Corps is in the box, and must enter before all else."""
    if pos.ss_entered:
        return False
    return any(pos.hex[unit] == war.tenth for unit in bits(war.grouped[SECOND_SS]))


def entry_orders(war: War, pos: Table, box: int) -> list[Option]:
    """The commands that can bring the units of a box onto the map as they must be."""
    units = force_in(war, pos, box, GERMAN)
    if box == war.tenth:
        units &= war.grouped[SECOND_SS]
    needed = war.stacks_needed(units)
    # The corps enters as one stack (8.6a); of the army a unit at least must find a way in.
    first = units if needed == 1 else units & -units
    return [
        Option(verb, hex=box)
        for verb, order in ENTRIES.items()
        if pos.points - war.price[order] >= needed - 1
        and not (order == MOVE_FIGHT and pos.assaulted)
        and gates(war, pos, first, order)
    ]


def is_shut_out(war: War, pos: Table) -> bool:
    """8.6b, 8.8b: who must enter the map and cannot, by points or by hexes, loses the game."""
    corps = is_corps_due(war, pos)
    if not (corps or pos.army_due) or entry_orders(war, pos, war.tenth if corps else war.fifth):
        return False
    decide(pos, CORPS_KEPT_BACK if corps else ARMY_KEPT_BACK)
    return True


def is_bound(war: War, pos: Table) -> bool:
    """Whether the moving units are under orders to enter the map, and have not yet (8.6, 8.8)."""
    if pos.under_way or pos.side != GERMAN or war.bit[pos.origin]:
        return False
    return is_corps_due(war, pos) or (pos.army_due and pos.origin == war.fifth)


def is_enough(war: War, pos: Table) -> bool:
    """8.8c: so many units enter at once that the points left do for the rest of 5th Army."""
    if not (pos.army_due and pos.origin == war.fifth):
        return True
    rest = force_in(war, pos, war.fifth, GERMAN) & ~pos.force
    return war.stacks_needed(rest) <= pos.points
