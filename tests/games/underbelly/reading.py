"""A second reading of chapters 9, 11 and 12, slow and plain, to hold against the engine.

It knows the map and the counters, and goes through hexes one by one where the engine uses masks.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable

from apennine.games.underbelly.table.position import (
    AERIAL,
    ALLIED,
    COASTAL,
    COLUMN,
    GERMAN,
    HISTORICAL,
    LOST,
    MOVE,
    OVERLAND,
    UNSUPPLIED,
    Table,
)
from apennine.hexes import Sides, bits
from tests.games.underbelly.skirmish import WAR

UNITS = range(len(WAR.names))
SIDE = WAR.side_of
GROUP = [WAR.group_names[group] for group in WAR.group]
GUNS = {unit for unit in UNITS if WAR.supports >> unit & 1}
KIND = [("mountain", "foot", "mechanised")[mobility] for mobility in WAR.mobility]
PRICES = {
    "mountain": {"clear": 1, "mountain": 1, "marsh": 2, "river": 0},
    "foot": {"clear": 1, "mountain": 2, "marsh": 2, "river": 1},
    "mechanised": {"clear": 1, "mountain": 3, "marsh": 3, "river": 1},
}
NEXT = {hex: list(bits(WAR.around[hex])) for hex in bits(WAR.land)}
"""By hex those beside it, but for lakes and the sea."""
GROUND = {hex: next(name for name, mask in WAR.terrain.items() if mask >> hex & 1) for hex in NEXT}


def _between(sides: Sides) -> set[tuple[int, int]]:
    direction = WAR.lattice.direction
    return {(a, b) for a in NEXT for b in NEXT[a] if sides[direction(a, b)] >> a & 1}


RIVERS, RIDGES, ROADS = map(_between, (WAR.river, WAR.blocked, WAR.roads))


class Reading:
    """What the rules say of a position."""

    def __init__(self, pos: Table) -> None:
        self.pos = pos
        self.stacks: defaultdict[int, list[int]] = defaultdict(list)
        for unit in UNITS:
            if pos.hex[unit] >= 0:
                self.stacks[pos.hex[unit]].append(unit)
        self.held = [
            {hex for hex, stack in self.stacks.items() if hex in NEXT and SIDE[stack[0]] == side}
            for side in (ALLIED, GERMAN)
        ]
        self.zones = [self._zone(side) for side in (ALLIED, GERMAN)]
        groups = [WAR.group_names[group] for group in WAR.port_group]
        self.ports = {hex: group for hex, group in zip(pos.ports, groups) if hex >= 0}

    def _zone(self, side: int) -> set[int]:
        """7.1: the hexes next to divisions."""
        hexes = [hex for hex in self.held[side] if not GUNS.issuperset(self.stacks[hex])]
        return {near for hex in hexes for near in NEXT[hex]}

    def is_joined(self, hex: int, side: int, sources: set[int]) -> bool:
        """11.3: whether a path of hexes leads from here to a source."""
        enemy = 1 - side
        closed = self.held[enemy] | self.zones[enemy] - self.held[side]
        seen, waiting = {hex}, [hex]
        while waiting:
            here = waiting.pop()
            if here in sources:
                return True
            ahead = set(NEXT[here]) - closed - seen
            seen |= ahead
            waiting += ahead
        return False

    def supply(self, hex: int, side: int) -> int:
        """11.3 to 11.7; in a box there is always enough."""
        if hex not in NEXT:
            return OVERLAND
        north = set(bits(WAR.north)) - self.held[ALLIED]
        if self.is_joined(hex, side, set(self.ports) if side == ALLIED else north):
            return OVERLAND
        if side == ALLIED and self.pos.airlift == hex:
            return AERIAL
        return COASTAL if side == ALLIED and WAR.coast >> hex & 1 else UNSUPPLIED

    def is_excused(self, hex: int) -> bool:
        """6.5: a port, or the multi-national corps, whole and alone."""
        corps = {unit for unit in bits(self.pos.corps) if self.pos.hex[unit] != LOST}
        return hex in self.ports or (bool(corps) and corps == set(self.stacks[hex]))

    def is_mixed(self, hex: int) -> bool:
        """6.4: units of both Allied groupings."""
        groups = {GROUP[unit] for unit in self.stacks[hex]}
        return groups == {"US", "GB"} and not self.is_excused(hex)

    def is_crossed(self, hex: int, group: str) -> bool:
        """11.3: fed overland, but only by the ports of the other grouping."""
        if self.supply(hex, ALLIED) != OVERLAND or self.is_excused(hex):
            return False
        own = {port for port, owner in self.ports.items() if owner == group}
        return not self.is_joined(hex, ALLIED, own)

    def has_room(self, hex: int, units: Iterable[int]) -> bool:
        """6.3: three divisions and a corps support unit."""
        stack = set(self.stacks[hex]) | set(units)
        return len(stack & GUNS) <= 1 and len(stack - GUNS) <= 3

    def is_barred(self, hex: int, side: int) -> bool:
        """3.6: Germans keep out of the hex of the special forces."""
        return side == GERMAN and self.pos.special_forces and hex == WAR.special_forces

    def targets(self, hex: int) -> set[int]:
        """13.1, 11.12: whom a stack here may attack."""
        side = self.pos.side
        enemies = self.held[1 - side] | (set(self.ports) if side == GERMAN else set())
        found = {near for near in NEXT[hex] if near in enemies and not self.is_barred(near, side)}
        return {near for near in found if not self.pos.attacked >> near & 1}

    def drop_sites(self) -> set[int]:
        """12.9: clear ground without Germans or a fort, and with room."""
        return {
            hex
            for hex in NEXT
            if GROUND[hex] == "clear"
            and hex not in self.held[GERMAN]
            and not self.pos.forts >> hex & 1
            and self.has_room(hex, [WAR.airborne])
        }

    def fort_sites(self) -> set[int]:
        """9.8, at the turn and in the scenario that have forts."""
        return {
            hex
            for hex in NEXT
            if not WAR.cities >> hex & 1
            and GROUND[hex] != "marsh"
            and not self.pos.forts >> hex & 1
            and hex not in self.held[ALLIED]
            and hex not in self.pos.ports
            and not self.is_barred(hex, GERMAN)
            and (hex not in self.zones[ALLIED] or hex in self.held[GERMAN])
            and self.supply(hex, GERMAN) == OVERLAND
        }

    def allowance(self, unit: int) -> int:
        """The points of a unit with a number on it, under the present command (12.7, 11.5)."""
        pos = self.pos
        points = WAR.printed[unit] * (2 if pos.order == COLUMN else 1)
        if GROUP[unit] == "GB" and pos.scenario == HISTORICAL and 2 <= pos.turn <= 5:
            points //= 2
        if pos.supply in (COASTAL, UNSUPPLIED):
            points //= 2
        points -= pos.mixed + (pos.crossed >> WAR.group[unit] & 1)
        return max(points, 0)

    def reach(self) -> set[int]:
        """Chapter 12: where the units that move now can go."""
        pos, side = self.pos, self.pos.side
        movers = list(bits(pos.movers))
        start = pos.hex[movers[0]]
        enemy, zone = self.held[1 - side], self.zones[1 - side]
        climbs = all(KIND[u] == "mountain" for u in movers) and pos.order in (MOVE, COLUMN)
        costs, waiting, ends = {start: 0}, [(0, start)], set[int]()
        while waiting:
            spent, here = heapq.heappop(waiting)
            if spent > costs[here] or (here in zone and here != start):
                continue
            for near in NEXT[here]:
                if near in enemy or self.is_barred(near, side) or not self.has_room(near, movers):
                    continue
                if near in zone and (here in zone or pos.order == COLUMN):
                    continue
                if (here, near) in RIDGES:
                    if climbs and here == start and not pos.under_way and pos.moves_left:
                        ends.add(near)
                    continue
                cost = spent + self._price(here, near, movers)
                if cost <= pos.moves_left and cost < costs.get(near, cost + 1):
                    costs[near] = cost
                    heapq.heappush(waiting, (cost, near))
        ends |= set(costs) - {start}
        if side == ALLIED:
            return ends
        own = GROUP[movers[0]]
        return {hex for hex in ends if all(GROUP[unit] == own for unit in self.stacks[hex])}

    def _price(self, here: int, there: int, units: list[int]) -> int:
        if (here, there) in ROADS and not self.pos.landed:
            return 1
        lines = [PRICES[KIND[unit]] for unit in units]
        river = max(line["river"] for line in lines) if (here, there) in RIVERS else 0
        return max(line[GROUND[there]] for line in lines) + river
