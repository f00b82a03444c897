"""Hitler's orders to enter the map at once (8.6, 8.8), and how they can be obeyed."""

from __future__ import annotations

from apennine.hexes import Mask, bits
from apennine.kernel.order import Bars, what_stays

from ..table.position import ARMY_KEPT_BACK, CORPS_KEPT_BACK, GERMAN, MOVE_FIGHT, Table
from ..table.war import SECOND_SS, War
from .c04_victory import decide
from .c07_zones import those_in
from .c09_activation import Column, Command, Move
from .c09_assaults import ONE_ASSAULT, MoveFight
from .c09_points import afford
from .c10_arrivals import is_corps_due
from .c12_movement import has_room

CORPS, ARMY = "II SS Panzer Corps", "5th Panzer Army"


def summoned(war: War, pos: Table) -> str:
    """Who must enter the map now, if anybody must."""
    return CORPS if is_corps_due(war, pos) else ARMY if pos.army_due else ""


class Entry(Command):
    """A command that can bring the units of a box onto the map as they must be (8.6a, 8.8a).

    The corps enters as one stack; of the army a unit at least must find a way in.
    """

    def bars(self, war: War, pos: Table) -> Bars:
        corps = is_corps_due(war, pos)
        box, by = (war.tenth, "8.6a") if corps else (war.fifth, "8.8a")
        name = summoned(war, pos)
        yield 1 << box, f"{name} must enter the map before anybody else acts", by
        units, price = those_in(war, pos, box, GERMAN), war.price[self.kind]
        yield afford(war, pos, price, self.called)
        needed = 1 if corps else war.stacks_needed(units)
        rest = f"After a {self.verb} the points left would not bring the rest of {name} in"
        yield pos.points - price >= needed - 1, rest, "8.8c"
        if self.kind == MOVE_FIGHT:
            yield not pos.assaulted, ONE_ASSAULT, "9.6d"
        parties = [units & war.grouped[SECOND_SS]] if corps else [1 << unit for unit in bits(units)]
        room = any(has_room(war, pos, party, self.kind) for party in parties)
        yield room, f"No hex of row 10xx has room for {name} to enter by {self.verb}", by

    def able(self, war: War, pos: Table) -> Mask:
        return what_stays(self.bars(war, pos))


class MoveIn(Entry, Move):
    """By a regular move."""


class ColumnIn(Entry, Column):
    """In column."""


class MoveFightIn(Entry, MoveFight):
    """By a move-fight."""


ENTRIES = (MoveIn(), ColumnIn(), MoveFightIn())
"""The commands by which Germans may enter the map (8.6a, 8.8a, 10.2a)."""


def is_shut_out(war: War, pos: Table) -> bool:
    """8.6b, 8.8b: who must enter the map and cannot, by points or by hexes, loses the game."""
    if any(entry.menu(war, pos) for entry in ENTRIES):
        return False
    decide(pos, CORPS_KEPT_BACK if is_corps_due(war, pos) else ARMY_KEPT_BACK)
    return True
