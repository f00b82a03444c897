"""Coming onto the map: by ports (12.6), by row 10xx (10.2), on Hitler's orders (8.6, 8.8)."""

from __future__ import annotations

from apennine.hexes import Mask, bits

from ..table.position import ALLIED, COLUMN, GERMAN, Table
from ..table.war import SECOND_SS, War
from .c06_stacking import full_for, strangers
from .c07_zones import crowd, force_in, port_hexes


def entries(war: War, pos: Table) -> Mask:
    """The hexes in which the moving units can come onto the map from their box, and stay."""
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


def is_bound(war: War, pos: Table) -> bool:
    """Whether the moving units are under orders to enter the map, and have not yet (8.6, 8.8)."""
    if pos.under_way or pos.side != GERMAN or war.bit[pos.origin]:
        return False
    return is_corps_due(war, pos) or is_army_entering(war, pos)


def is_army_entering(war: War, pos: Table) -> bool:
    """Whether the command under way brings 5th Panzer Army onto the map, as it must (8.8)."""
    return pos.army_due and pos.origin == war.fifth


def is_enough(war: War, pos: Table) -> bool:
    """8.8c: so many units enter by one command that the points left do for the rest."""
    rest = force_in(war, pos, war.fifth, GERMAN) & ~pos.force
    return war.stacks_needed(rest) <= pos.points
