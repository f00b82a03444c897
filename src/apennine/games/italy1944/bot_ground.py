"""What the bot sees in the ground: distances, objectives, and the line that is best to hold."""

from __future__ import annotations

from functools import lru_cache
from heapq import heappop, heappush

from apennine.hexes import Mask, bits

from .combat import works
from .logistics import LONG, LONGEST, lines, lines_to
from .position import ALLIED, GERMAN, Table
from .war import War
from .zones import controlled, occupied, zone_of

FAR = 99
"""Farther than anything on the map."""
LINK = 2.0
"""What a hex of a line costs on plain ground."""
SHIFT = 0.5
"""What a column of its terrain or works takes off."""
LOSS = 0.35
"""What each hex between the enemy and the line adds: ground given up."""
GAP = 0.9
"""What a hole of one hex between two hexes of the line adds."""
BEYOND_REACH = 2.5
"""What a hex adds that nobody can get to in this turn."""


@lru_cache(512)
def distances(war: War, sources: Mask) -> list[int]:
    """By hex, how many hexes the nearest of some others is away overland."""
    found = [FAR] * war.lattice.size
    wave, seen, length = sources & war.land, 0, 0
    while wave:
        for hex in bits(wave):
            found[hex] = length
        seen |= wave
        wave = zone_of(war, wave) & ~seen
        length += 1
    return found


@lru_cache(64)
def pull(war: War, goals: tuple[tuple[Mask, int], ...]) -> list[float]:
    """By hex, how far the most rewarding goal is: its points draw as if it were nearer."""
    found = [float(FAR)] * war.lattice.size
    for hexes, points in goals:
        for hex, distance in enumerate(distances(war, hexes)):
            found[hex] = min(found[hex], distance - points / 5)
    return found


def objectives(war: War, pos: Table, side: int) -> tuple[tuple[Mask, int], ...]:
    """The towns worth points that the enemy of a side controls; if none is left, his sources."""
    held = controlled(war, pos, 1 - side)
    goals = tuple((hexes, points) for hexes, points in war.prizes_on_map if hexes & held)
    return goals or ((war.sources[1 - side], 0),)


def strength_of_ground(war: War, pos: Table, hex: int) -> int:
    """The columns by which terrain and works help a German defender (9.4, 9.1b)."""
    total = 0
    terrain = war.board.terrain_of(hex)
    if terrain in war.modifiers:
        total -= war.modifiers[terrain].columns
    if war.cities >> hex & 1:
        total -= war.modifiers["city"].columns
    if war.cassino >> hex & 1:
        total -= war.modifiers["cassino"].columns
    if war.lattice.cross(war.land, works(war, pos)) >> hex & 1:
        total -= war.modifiers["fortified"].columns
    return total


@lru_cache(1)
def coasts(war: War) -> tuple[Mask, Mask]:
    """The rims of the peninsula, west and east: where a line may begin and end."""
    west = east = 0
    rows: dict[int, list[float]] = {}
    for hex in bits(war.land):
        x, y = war.lattice.pixel(hex)
        rows.setdefault(round(y), []).append(x)
    ends = war.sources[ALLIED] | war.sources[GERMAN]
    for hex in bits(war.land & ~ends):
        if zone_of(war, 1 << hex).bit_count() == 6:
            continue
        x, y = war.lattice.pixel(hex)
        row = rows[round(y)]
        if 2 * x <= min(row) + max(row):
            west |= 1 << hex
        if 2 * x >= min(row) + max(row):
            east |= 1 << hex
    return west, east


def front(war: War, pos: Table) -> Mask:
    """What the Allies control in one piece with their sources: a beachhead is no part of it."""
    return war.lattice.flood_sides(war.sources[ALLIED] & pos.control, pos.control, war.open)


def best_line(war: War, pos: Table, reachable: Mask) -> list[int]:
    """The hexes from coast to coast where the Germans hold best, the cheapest by their costs."""
    enemy = occupied(war, pos, ALLIED)
    free = lines_to(war, pos, GERMAN, war.sources[GERMAN]).mask & ~pos.control & ~enemy
    behind = distances(war, front(war, pos))
    cost: dict[int, float] = {}
    for hex in bits(free):
        price = LINK - SHIFT * strength_of_ground(war, pos, hex)
        price += LOSS * max(0, behind[hex] - 1)
        if not reachable >> hex & 1:
            price += BEYOND_REACH
        cost[hex] = max(0.1, price)
    return _cheapest(war, free, cost, enemy)


def closest_line(war: War, pos: Table, reachable: Mask) -> list[int]:
    """The hexes from coast to coast where the Allies stand nearest to the enemy, in supply."""
    enemy = occupied(war, pos, GERMAN)
    found = lines(war, pos, ALLIED)
    near, far = found.within(LONG), found.within(LONGEST)
    free = reachable & found.mask & ~enemy
    ahead = distances(war, enemy)
    cost: dict[int, float] = {}
    for hex in bits(free):
        price = LINK + LOSS * max(0, ahead[hex] - 1)
        cost[hex] = price if near >> hex & 1 else price + 1 if far >> hex & 1 else price + 3
    return _cheapest(war, free, cost, enemy)


def _cheapest(war: War, free: Mask, cost: dict[int, float], enemy: Mask) -> list[int]:
    """The cheapest chain of hexes from one coast to the other, with holes of one hex at most."""
    west, east = coasts(war)
    queue: list[tuple[float, int, int]] = []
    for hex in bits(free & west):
        heappush(queue, (cost[hex], hex, -1))
    before: dict[int, int] = {}
    while queue:
        total, hex, last = heappop(queue)
        if hex in before:
            continue
        before[hex] = last
        if east >> hex & 1:
            return _way_back(before, hex)
        near = zone_of(war, 1 << hex)
        for there in bits(near & free):
            if there not in before:
                heappush(queue, (total + cost[there], there, hex))
        for there in bits(zone_of(war, near & ~enemy) & free & ~near):
            if there not in before:
                heappush(queue, (total + GAP + cost[there], there, hex))
    return []


def _way_back(before: dict[int, int], hex: int) -> list[int]:
    line: list[int] = []
    while hex >= 0:
        line.append(hex)
        hex = before[hex]
    return line
