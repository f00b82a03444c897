"""How far units could get: who might take a hex, or leave the map, in the player turn to come.

A side that cannot see some enemies reckons with those that it sees.
"""

from __future__ import annotations

from apennine.hexes import Mask, bits
from apennine.mechanics.reach import Reach

from ..rules.c07_zones import crowd, is_mixed, on_map, port_hexes, zone
from ..rules.c09_air import drop_sites
from ..rules.c09_points import kept
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
    asked = pos.copy()
    asked.side, asked.order, asked.movers = side, order, 1 << unit
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


def is_commanding(pos: Table, side: int) -> bool:
    """Whether a side is giving its commands now; else it will have all its points next."""
    return pos.phase == "command" and pos.side == side


class Outlook:
    """What the units that a side can see might do in this player turn or the next."""

    def __init__(self, war: War, pos: Table, unseen: Mask) -> None:
        self.war = war
        self.pos = pos
        self.unseen = unseen
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
        if is_commanding(self.pos, side):
            return self.pos.points - kept(self.war, self.pos)
        command = self.war.book.command
        return command.allied if side == ALLIED else command.german

    def has_turn(self, side: int) -> bool:
        """Whether a side is to act in this player turn or the next: the last of all is German."""
        return side == GERMAN or self.pos.side == ALLIED or self.pos.turn < self.war.book.turns

    def ready(self, side: int) -> list[int]:
        """The units of a side on the map, as far as seen, that can still be given orders."""
        barred = self.unseen | (self.pos.acted if is_commanding(self.pos, side) else 0)
        return [u for u in self.war.members[side] if self.is_out(u) and not barred >> u & 1]

    def is_out(self, unit: int) -> bool:
        """Whether a unit is on the map."""
        return on_map(self.war, self.pos, unit)

    def under_orders(self, side: int) -> list[int]:
        """The units that are carrying out a command.

        How far a force can still go that hides a unit, the other side is not told.
        """
        pos = self.pos
        if not is_commanding(pos, side) or pos.movers & self.unseen:
            return []
        return [u for u in bits((pos.force | pos.movers) & ~self.unseen) if self.is_out(u)]

    def distance(self, unit: int, hex: int) -> int:
        """The hexes from a unit to a hex; far for one that comes by air."""
        lattice = self.war.lattice
        return lattice.distance(self.pos.hex[unit], hex) if self.is_out(unit) else lattice.size

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
        war, pos, side = self.war, self.pos, self.war.side_of[unit]
        purse, prices, here = self.points(side), war.book.prices, pos.hex[unit]
        tame = war.supports | (pos.rebuilt if is_commanding(pos, side) else 0)
        fights = not tame >> unit & 1
        if fights and purse >= prices.attack and self.may_attack(here, hex, side):
            return bool(exits(war, here, 1 << unit) >> hex & 1)
        if purse < prices.move:
            return False
        span = war.printed[unit] or war.book.march.question_most
        far = self.distance(unit, hex) - 1
        if crowd(war, pos, 1 - side).occupied >> hex & 1:
            able = fights and far <= span and self.may_strike(unit, purse)
            return able and bool(self.reach(unit) & war.around[hex])
        if far <= span and self.gets(self.reach(unit), unit, hex):
            return True
        return far <= span * war.book.march.column and self.gets(
            self.reach(unit, COLUMN), unit, hex
        )

    def gets(self, ends: Mask, unit: int, hex: int) -> bool:
        """Whether a unit that can end its move in some hexes could take one that nobody holds."""
        if ends >> hex & 1:
            return True
        war, pos, side = self.war, self.pos, self.war.side_of[unit]
        shelter = crowd(war, pos, 1 - side).zone
        if side == GERMAN:
            shelter |= port_hexes(war, pos)  # 4.1i, 7.7
            if pos.special_forces:
                shelter |= 1 << war.special_forces
        if (war.supports >> unit | shelter >> hex) & 1:
            return False
        return bool(ends & war.around[hex])

    def may_attack(self, here: int, hex: int, side: int) -> bool:
        """Whether a hex can be attacked from another, in this phase or the one to come (13.1)."""
        war, pos = self.war, self.pos
        if not war.around[here] >> hex & 1:
            return False
        if not is_commanding(pos, side):
            pos = pos.copy()
            pos.attacked = 0
        return bool(attackable(war, pos, here, side) >> hex & 1)

    def may_strike(self, unit: int, purse: int) -> bool:
        """9.6: a German in overland supply and in no Allied zone may move up and attack at once."""
        war, pos, side = self.war, self.pos, self.war.side_of[unit]
        if side != GERMAN or purse < war.book.prices.move_fight:
            return False
        if is_commanding(pos, side) and pos.assaulted:
            return False
        hex = pos.hex[unit]
        return status(war, pos, hex, side) == OVERLAND and not zone(war, pos, ALLIED) >> hex & 1

    def is_taking(self, unit: int, hex: int) -> bool:
        """Whether the command under way could bring a unit of it into a hex, or its zone there."""
        war, pos = self.war, self.pos
        if pos.target != NOWHERE:
            return pos.target == hex and not war.supports >> unit & 1
        ends = 0
        if pos.waiting >> unit & 1:
            ends = self.reach(unit, COLUMN if pos.order == COLUMN else MOVE)
        elif pos.movers >> unit & 1 and not pos.stopped:
            ends = march(war, pos).ends
        if crowd(war, pos, 1 - war.side_of[unit]).occupied >> hex & 1:
            fights = pos.order == MOVE_FIGHT and not war.supports >> unit & 1
            return fights and bool((ends | 1 << pos.hex[unit]) & war.around[hex])
        return self.gets(ends, unit, hex)

    def drops_on(self, hex: int) -> bool:
        """Whether the 82nd, made ready, could take a hex by dropping on it or beside it (12.9)."""
        war, pos = self.war, self.pos
        if not pos.drop_ready or pos.hex[war.airborne] != war.available:
            return False
        return self.gets(drop_sites(war, pos), war.airborne, hex)

    def near_naples(self, hex: int) -> list[int]:
        """The Germans who could be within two hexes of a port when their turn is over (11.9d)."""
        war, pos = self.war, self.pos
        near = war.lattice.disc(hex, war.book.supply.clear)
        found = [u for u in self.under_orders(GERMAN) if pos.movers >> u & 1 and not pos.stopped]
        found = [unit for unit in found if march(war, pos).ends & near]
        if self.points(GERMAN) >= war.book.prices.move:
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
            found += [unit for unit in self.under_orders(ALLIED) if self.is_leaving(unit)]
        return found

    def can_leave(self, unit: int) -> bool:
        """Whether a unit that is ordered to move could leave the map."""
        war, pos = self.war, self.pos
        if unit == war.airborne and pos.dropped:
            return False  # 12.9g
        span = war.printed[unit] or war.book.march.question_most
        if not war.lattice.disc(pos.hex[unit], span) & war.north:
            return False
        return self.leads_off(stride(war, pos, unit, alone=bool(self.unseen)))

    def is_leaving(self, unit: int) -> bool:
        """Whether a unit of the command under way could still leave the map."""
        war, pos = self.war, self.pos
        if unit == war.airborne and pos.dropped:
            return False
        if pos.waiting >> unit & 1:
            return self.can_leave(unit)
        moves = pos.movers >> unit & 1 and not pos.stopped
        return bool(moves) and self.leads_off(march(war, pos))

    def leads_off(self, found: Reach | None) -> bool:
        """Whether a march comes to row 10xx, out of German zones, with the point that it takes."""
        if not found:
            return False
        war = self.war
        spare = found.points - war.book.march.exit
        if war.north >> found.start & 1 and spare >= 0:
            return True
        open_ends = found.ends & war.north & ~zone(war, self.pos, GERMAN)
        return any(found.cost(hex) <= spare for hex in bits(open_ends))
