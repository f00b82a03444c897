"""How far units could get: who might take a hex, or leave the map, in the player turn to come.

A side that cannot see some enemies reckons with those that it sees.
"""

from __future__ import annotations

from apennine.hexes import Mask, bits
from apennine.mechanics.reach import Reach
from apennine.mechanics.showing import imagined

from ..rules.c05_sequence import begin_player_turn
from ..rules.c07_zones import is_mixed, on_map, port_hexes, there, those_among, zone
from ..rules.c09_air import drop_sites
from ..rules.c09_assaults import MOVE_FIGHT_COMMAND
from ..rules.c09_points import spendable
from ..rules.c11_supply import crossed_groups, status
from ..rules.c12_movement import allowance, is_hesitant, march
from ..rules.c13_battle import attackable
from ..rules.c13_retreat import exits
from ..table.position import (
    AERIAL,
    ALLIED,
    COLUMN,
    GERMAN,
    MOVE,
    MOVE_FIGHT,
    NOWHERE,
    OVERLAND,
    Table,
)
from ..table.war import GB, War


def stride(
    war: War, pos: Table, unit: int, order: int = MOVE, *, alone: bool = False
) -> Reach | None:
    """How a unit on the map could go if it were ordered to move now.

    A question mark rolls its best; `alone` leaves aside who else is in its hex. None if it may not
    move so.
    """
    hex, side = pos.hex[unit], war.side_of[unit]
    asked = imagined(pos, side=side, order=order, movers=1 << unit)
    asked.under_way = asked.stopped = asked.landed = False
    asked.supply = status(war, pos, hex, side)
    asked.mixed = side == ALLIED and not alone and is_mixed(war, pos, hex)
    asked.crossed = crossed_groups(war, pos, hex) if side == ALLIED else 0
    if asked.supply == AERIAL:
        return None  # 11.7c
    if order == COLUMN:
        slow = war.group[unit] == GB and is_hesitant(war, pos)
        if asked.supply != OVERLAND or zone(war, pos, 1 - side) >> hex & 1 or slow:
            return None
    asked.moves_left = allowance(war, asked, unit, war.book.march.question_most)
    return march(war, asked)


def reach_of(war: War, pos: Table, unit: int, order: int = MOVE, *, alone: bool = False) -> Mask:
    """Where a unit could end such a move."""
    found = stride(war, pos, unit, order, alone=alone)
    return found.ends if found else 0


def in_command(war: War, pos: Table, side: int) -> Table:
    """The position in which a side gives its commands: this one, or that of its turn to come."""
    if pos.phase == "command" and pos.side == side:
        return pos
    asked = imagined(pos, side=side)
    begin_player_turn(war, asked)
    return asked


class Outlook:
    """What the units that a side can see might do in this player turn or the next."""

    def __init__(self, war: War, pos: Table, unseen: Mask) -> None:
        self.war = war
        self.pos = pos
        self.unseen = unseen
        self.turns = [in_command(war, pos, side) for side in (ALLIED, GERMAN)]
        """By side, the position in which it gives its commands."""
        self._ends: dict[tuple[int, int], Mask] = {}

    def reach(self, unit: int, order: int = MOVE) -> Mask:
        """Where a unit could end a move that it were ordered to make."""
        known = self._ends.get((unit, order))
        if known is None:
            alone = bool(self.unseen)
            known = reach_of(self.war, self.pos, unit, order, alone=alone)
            self._ends[unit, order] = known
        return known

    def points(self, side: int) -> int:
        """The command points that a side can spend in its player turn, this one or the next."""
        return spendable(self.war, self.turns[side])

    def has_turn(self, side: int) -> bool:
        """Whether a side is to act in this player turn or the next: the last of all is German."""
        return side == GERMAN or self.pos.side == ALLIED or self.pos.turn < self.war.book.turns

    def seen(self, side: int) -> Mask:
        """The units of a side on the map, as far as seen."""
        return those_among(self.war, self.pos, self.war.land, side) & ~self.unseen

    def ready(self, side: int) -> list[int]:
        """Those of them that can still be given orders."""
        return list(bits(self.seen(side) & ~self.turns[side].acted))

    def under_orders(self, side: int) -> list[int]:
        """The units that are carrying out a command.

        How far a force can still go that hides a unit, the other side is not told.
        """
        pos = self.pos
        if pos is not self.turns[side] or pos.movers & self.unseen:
            return []
        return list(bits((pos.force | pos.movers) & self.seen(side)))

    def under_way(self, unit: int) -> Reach | None:
        """How a unit of the command under way can go on; None if it is not moving."""
        moves = self.pos.movers >> unit & 1 and not self.pos.stopped
        return march(self.war, self.pos) if moves else None

    def distance(self, unit: int, hex: int) -> int:
        """The hexes from a unit to a hex; far for one that comes by air."""
        lattice, here = self.war.lattice, self.pos.hex[unit]
        return lattice.distance(here, hex) if on_map(self.war, self.pos, unit) else lattice.size

    # Who could take a hex

    def takers(self, hex: int, side: int) -> list[int]:
        """The units that could take a hex from the enemy, nearest first.

        By entering it, by a zone of control that nobody contests (7.7), or by an attack (13.8).
        """
        found = [unit for unit in self.ready(side) if self.can_take(unit, hex)]
        found += [unit for unit in self.under_orders(side) if self.is_taking(unit, hex)]
        if side == ALLIED and self.drops_on(hex):
            found.append(self.war.airborne)
        return sorted(found, key=lambda unit: self.distance(unit, hex))

    def can_take(self, unit: int, hex: int) -> bool:
        """Whether a unit that waits for orders could take a hex by them."""
        war, side, here = self.war, self.war.side_of[unit], self.pos.hex[unit]
        turn, purse, prices = self.turns[side], self.points(side), war.book.prices
        fights = not (war.supports | turn.rebuilt) >> unit & 1
        if fights and purse >= prices.attack and attackable(war, turn, here, side) >> hex & 1:
            return bool(exits(war, here, 1 << unit) >> hex & 1)
        if purse < prices.move:
            return False
        span = war.printed[unit] or war.book.march.question_most
        far = self.distance(unit, hex) - 1
        if there(war, turn, 1 - side).occupied >> hex & 1:
            strikes = side == GERMAN and fights and purse >= prices.move_fight  # 9.6
            able = strikes and far <= span and MOVE_FIGHT_COMMAND.able(war, turn) >> here & 1
            return bool(able and self.reach(unit) & war.around[hex])
        if far <= span and self.gets(self.reach(unit), unit, hex):
            return True
        column = far <= span * war.book.march.column
        return column and self.gets(self.reach(unit, COLUMN), unit, hex)

    def gets(self, ends: Mask, unit: int, hex: int) -> bool:
        """Whether a unit that can end its move in some hexes could take one that nobody holds."""
        war, pos, side = self.war, self.pos, self.war.side_of[unit]
        if ends >> hex & 1:
            return True
        shelter = there(war, pos, 1 - side).zone
        if side == GERMAN:  # 4.1i, 7.7
            shelter |= port_hexes(war, pos) | pos.special_forces << war.special_forces
        guns = war.supports >> unit & 1
        return not (guns or shelter >> hex & 1) and bool(ends & war.around[hex])

    def is_taking(self, unit: int, hex: int) -> bool:
        """Whether the command under way could bring a unit of it into a hex, or its zone there."""
        war, pos = self.war, self.pos
        if pos.target != NOWHERE:
            return pos.target == hex and not war.supports >> unit & 1
        ends = 0
        if pos.waiting >> unit & 1:
            ends = self.reach(unit, COLUMN if pos.order == COLUMN else MOVE)
        elif found := self.under_way(unit):
            ends = found.ends
        if there(war, pos, 1 - war.side_of[unit]).occupied >> hex & 1:
            fights = pos.order == MOVE_FIGHT and not war.supports >> unit & 1
            return fights and bool((ends | 1 << pos.hex[unit]) & war.around[hex])
        return self.gets(ends, unit, hex)

    def drops_on(self, hex: int) -> bool:
        """Whether the 82nd, made ready, could take a hex by dropping on it or beside it (12.9)."""
        war, pos = self.war, self.pos
        ready = pos.drop_ready and pos.hex[war.airborne] == war.available
        return ready and self.gets(drop_sites(war, pos), war.airborne, hex)

    def near_naples(self, hex: int) -> list[int]:
        """The Germans who could be within two hexes of a port when their turn is over (11.9d)."""
        near = self.war.lattice.disc(hex, self.war.book.supply.clear)
        moving = [(unit, self.under_way(unit)) for unit in self.under_orders(GERMAN)]
        found = [unit for unit, way in moving if way and way.ends & near]
        if self.points(GERMAN) >= self.war.book.prices.move:
            for unit in self.ready(GERMAN):
                if (self.reach(unit) | self.reach(unit, COLUMN)) & near:
                    found.append(unit)
        return found

    # Who could leave the map

    def leavers(self) -> list[int]:
        """The Allied units that could leave the map to the north (4.1c)."""
        if not self.has_turn(ALLIED):
            return []
        waiting = self.ready(ALLIED) if self.points(ALLIED) else []
        found = [unit for unit in waiting if self.can_leave(unit)]
        if self.pos.order == MOVE:
            for unit in self.under_orders(ALLIED):
                waits = self.pos.waiting >> unit & 1
                if self.can_leave(unit) if waits else self.leads_off(unit, self.under_way(unit)):
                    found.append(unit)
        return found

    def can_leave(self, unit: int) -> bool:
        """Whether a unit that is ordered to move could leave the map."""
        war, pos = self.war, self.pos
        span = war.printed[unit] or war.book.march.question_most
        if not war.lattice.disc(pos.hex[unit], span) & war.north:
            return False
        return self.leads_off(unit, stride(war, pos, unit, alone=bool(self.unseen)))

    def leads_off(self, unit: int, found: Reach | None) -> bool:
        """Whether a march comes to row 10xx, out of German zones, with the point that it takes."""
        war, pos = self.war, self.pos
        if not found or (unit == war.airborne and pos.dropped):
            return False  # 12.9g
        spare = found.points - war.book.march.exit
        if war.north >> found.start & 1 and spare >= 0:
            return True
        open_ends = found.ends & war.north & ~zone(war, pos, GERMAN)
        return any(found.cost(hex) <= spare for hex in bits(open_ends))
