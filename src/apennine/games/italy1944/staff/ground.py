"""What the bot sees in the ground: distances, objectives, and the line that is best to hold."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from heapq import heapify, heappop, heappush

from apennine.hexes import Mask, Sides, bits

from ..rules.c04_zones import controlled, occupied, zone_of
from ..rules.c06_logistics import LONG, LONGEST, lines
from ..rules.c09_combat import works
from ..table.position import ALLIED, GERMAN, Table
from ..table.war import War

FAR = 99
"""Farther than anything on the map."""
LINK = 2.0
"""What a hex of a line costs on plain ground."""
SHIFT = 0.5
"""What a column of its terrain or works takes off."""
LOSS = 0.35
"""What each hex between the enemy and the line adds: ground given up."""
GAP = 0.9
"""What a hole of one hex between two posts of a line adds, or one between a post and the sea."""
WIDE = 2.5
"""What a hole of two hexes adds."""
HOLES = (0.0, 0.0, GAP, WIDE)
"""By the distance of two posts."""
BEYOND_REACH = 12.0
"""What a post adds that nobody can man in this turn."""
END = -2
"""Past the last post of a line."""


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


@lru_cache(4)
def strong_ground(war: War, works: Sides) -> list[int]:
    """By hex, the columns by which terrain and works help a German defender (9.4, 9.1b)."""
    fortified = war.lattice.cross(war.land, works)
    found = [0] * war.lattice.size
    for hex in bits(war.land):
        keys = [war.board.terrain_of(hex)]
        keys += ["city"] * (war.cities >> hex & 1) + ["cassino"] * (war.cassino >> hex & 1)
        keys += ["fortified"] * (fortified >> hex & 1)
        found[hex] = -sum(war.modifiers[key].columns for key in keys if key in war.modifiers)
    return found


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
        if len([there for there in war.lattice.neighbours(hex) if war.land >> there & 1]) == 6:
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


@lru_cache(1)
def links(war: War) -> list[tuple[tuple[int, int, Mask], ...]]:
    """By hex, the next posts that a line can have: each with its distance and what lies between.

    Up to two hexes between two posts are in the zone of one or the other, so nobody walks through.
    """
    found: list[tuple[tuple[int, int, Mask], ...]] = []
    for hex in range(war.lattice.size):
        one = zone_of(war, 1 << hex) if war.land >> hex & 1 else 0
        two = zone_of(war, one) & ~one & ~(1 << hex)
        three = zone_of(war, two) & ~two & ~one
        posts = [(there, 1, 0) for there in bits(one)]
        posts += [(there, 2, 0) for there in bits(two)]
        posts += [(there, 3, _between(war, one, there)) for there in bits(three)]
        found.append(tuple(posts))
    return found


def _between(war: War, near: Mask, post: int) -> Mask:
    """The hexes of a hole of two hexes, given those next to the post on one side of it."""
    beside = zone_of(war, 1 << post)
    return near & zone_of(war, beside) | beside & zone_of(war, near)


def best_line(
    war: War, pos: Table, free: Mask, loss: float, spared: Mask, away: Sequence[int]
) -> list[int]:
    """The posts from coast to coast where the Germans hold best, the cheapest by their costs.

    `free` are the hexes to choose from, `loss` what a hex of ground is worth, `spared` the hexes
    that nobody can man, and `away` says how far each is from the enemy's front.
    """
    enemy = occupied(war, pos, ALLIED)
    strong = strong_ground(war, works(war, pos))
    cost: dict[int, float] = {}
    for hex in bits(free):
        price = LINK - SHIFT * strong[hex] + loss * max(0, away[hex] - 1)
        cost[hex] = max(0.1, price) + (BEYOND_REACH if spared >> hex & 1 else 0.0)
    return _cheapest(war, cost, enemy)


def closest_line(war: War, pos: Table, reachable: Mask) -> list[int]:
    """The hexes from coast to coast where the Allies stand nearest to the enemy, in supply."""
    enemy = occupied(war, pos, GERMAN)
    found = lines(war, pos, ALLIED)
    near, far = found.within(LONG), found.within(LONGEST)
    ahead = distances(war, enemy)
    cost: dict[int, float] = {}
    for hex in bits(reachable & found.mask & ~enemy):
        price = LINK + LOSS * max(0, ahead[hex] - 1)
        cost[hex] = price if near >> hex & 1 else price + 1 if far >> hex & 1 else price + 3
    return _cheapest(war, cost, enemy)


def _cheapest(war: War, cost: dict[int, float], enemy: Mask) -> list[int]:
    """The cheapest chain of posts from one coast to the other that nobody walks through."""
    west, east = coasts(war)
    shores = zone_of(war, west & ~enemy), zone_of(war, east & ~enemy)
    queue: list[tuple[float, int, int]] = []
    for hex in cost:
        if west >> hex & 1:
            queue.append((cost[hex], hex, -1))
        elif shores[0] >> hex & 1:
            queue.append((cost[hex] + GAP, hex, -1))
    heapify(queue)
    before: dict[int, int] = {}
    steps = links(war)
    while queue:
        total, hex, last = heappop(queue)
        if hex in before:
            continue
        if hex == END:
            return _way_back(before, last)
        before[hex] = last
        if east >> hex & 1:
            heappush(queue, (total, END, hex))
        elif shores[1] >> hex & 1:
            heappush(queue, (total + GAP, END, hex))
        for there, distance, hole in steps[hex]:
            if there in cost and there not in before and not hole & enemy:
                heappush(queue, (total + cost[there] + HOLES[distance], there, hex))
    return []


def _way_back(before: dict[int, int], hex: int) -> list[int]:
    line: list[int] = []
    while hex >= 0:
        line.append(hex)
        hex = before[hex]
    return line
