"""Hitler's orders to enter the map at once (8.6, 8.8), and how they can be obeyed."""

from __future__ import annotations

from apennine.hexes import bits
from apennine.kernel.decision import Option

from ..table.position import ARMY_KEPT_BACK, CORPS_KEPT_BACK, GERMAN, MOVE_FIGHT, ORDERS, Table
from ..table.war import SECOND_SS, War
from .c04_victory import decide
from .c07_zones import force_in
from .c10_entry import is_corps_due
from .c12_movement import has_room

ENTRIES = {verb: ORDERS[verb] for verb in ("move", "column", "move-fight")}
"""The commands by which Germans may enter the map (8.6a, 8.8a, 10.2a)."""


def entry_orders(war: War, pos: Table, box: int) -> list[Option]:
    """The commands that can bring the units of a box onto the map as they must be.

    The corps enters as one stack (8.6a); of the army a unit at least must find a way in.
    """
    units = force_in(war, pos, box, GERMAN)
    if box == war.tenth:
        parties = [units & war.grouped[SECOND_SS]]
        needed = 1
    else:
        parties = [1 << unit for unit in bits(units)]
        needed = war.stacks_needed(units)
    return [
        Option(verb, hex=box)
        for verb, order in ENTRIES.items()
        if pos.points - war.price[order] >= needed - 1
        and not (order == MOVE_FIGHT and pos.assaulted)
        and any(has_room(war, pos, party, order) for party in parties)
    ]


def is_shut_out(war: War, pos: Table) -> bool:
    """8.6b, 8.8b: who must enter the map and cannot, by points or by hexes, loses the game."""
    corps = is_corps_due(war, pos)
    if not (corps or pos.army_due) or entry_orders(war, pos, war.tenth if corps else war.fifth):
        return False
    decide(pos, CORPS_KEPT_BACK if corps else ARMY_KEPT_BACK)
    return True
