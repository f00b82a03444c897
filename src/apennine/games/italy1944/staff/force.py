"""The units that a bot can still move, where each can go, and what has been decided so far."""

from __future__ import annotations

from apennine.hexes import Mask, bits

from ..rules.c04_zones import bridges, occupied, units_on_map, zone_of
from ..rules.c06_logistics import allowance
from ..rules.c08_movement import find_march, may_march, unmoved
from ..rules.c09_combat import defence_factor
from ..table.data import STACK
from ..table.position import Table
from ..table.war import War
from .ground import objectives

Goals = dict[int, int]
"""Where each unit should go; who has none stays."""


class Force:
    """The units that can still move, where each can go, and what has been decided so far."""

    def __init__(self, war: War, pos: Table) -> None:
        self.war, self.pos, self.side = war, pos, pos.side
        self.enemy = occupied(war, pos, 1 - pos.side)
        self.zone = zone_of(war, self.enemy)
        self.free = unmoved(war, pos)
        self.reach = {unit: self._reach(unit) for unit in self.free}
        self.goals: Goals = {}
        self.busy: Mask = 0
        """Units that are to attack."""
        self.held = [0] * (war.board.size + 1)
        """Units that will be in each hex: those that cannot move, and those with a goal."""
        movable = set(self.free)
        self.settled = [u for u in units_on_map(war, pos, pos.side) if u not in movable]
        """Units that have moved."""
        for unit in self.settled:
            self.held[pos.hex[unit]] += 1

    def _reach(self, unit: int) -> Mask:
        war, pos = self.war, self.pos
        points = allowance(war, pos, unit)
        asked = pos.copy()
        asked.movers = 1 << unit
        found = find_march(
            war,
            war.pace[unit],
            bridges(war, pos, self.side),
            pos.hex[unit],
            points,
            points if may_march(war, asked) else 0,
            True,
            self.enemy,
            0,
        )
        return found.ends | 1 << pos.hex[unit]

    def send(self, unit: int, hex: int) -> None:
        """A unit gets its goal."""
        self.goals[unit] = hex
        self.free.remove(unit)
        self.held[hex] += 1

    def has_room(self, hex: int, limit: int = STACK) -> bool:
        return self.held[hex] < limit

    def all_reach(self) -> Mask:
        """The hexes that somebody can get to."""
        mask = 0
        for reached in self.reach.values():
            mask |= reached
        return mask

    def take_towns(self, *, deep: bool) -> None:
        """Whoever can walk into an enemy town worth points does so; the Germans not too far."""
        war, pos = self.war, self.pos
        for hexes, _ in objectives(war, pos, self.side):
            open_towns = hexes & ~self.enemy
            for unit in self.free:
                town = self.reach[unit] & open_towns
                if town and (deep or zone_of(war, town) & ~pos.control):
                    self.send(unit, next(bits(town)))
                    break


def fit(force: Force, unit: int, hex: int) -> float:
    """How gladly a unit takes a post: strong ones, and those that are there already."""
    here = force.pos.hex[unit]
    value = float(defence_factor(force.war, force.pos, unit))
    return value + 8 if here == hex else value - force.war.lattice.distance(here, hex)
