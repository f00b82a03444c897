"""What the bot sees in the ground: marches, and the line that is best to hold."""

from __future__ import annotations

from functools import lru_cache
from heapq import heappop, heappush
from typing import NamedTuple

from apennine.hexes import Mask, bits, mask_of

from ..table.war import War

FAR = 99
"""Farther than anything on the map."""
POST = 1.0
"""What a post of a line costs on plain ground."""
STRONG = 0.3
"""What a point of its ground takes off."""
LOOSE = 0.9
"""What a gap of two hexes between two posts costs: a unit can slip through in two turns."""
OFFSHORE = 0.6
"""What it costs that the last post is not on the shore itself: the beach is a gap."""
GIVEN_UP = 0.07
"""What a hex of ground given up costs each post."""
HURRY, LATE = 1.0, 0.8
"""What each turn of marching to a post costs, and what it costs besides not to be there at once."""
MOVED = 0.2
"""What it costs that nobody stands in a post yet."""
FACED = 0.5
"""What each enemy stack next to a post costs: it can attack without moving up."""
KEY = 0.8
"""What a hex takes off that the line should hold."""
DEPTH = 7
"""How far behind its foremost post a line may run, in hexes."""
END = -2
"""Past the last post of a line."""


class Man(NamedTuple):
    """A division that can hold a line."""

    unit: int
    hex: int
    pace: int
    points: int
    """How far it goes with one command."""


@lru_cache(256)
def distances(war: War, sources: Mask) -> bytes:
    """By hex, how many hexes the nearest of some others is away overland."""
    found = bytearray([FAR]) * war.lattice.size
    wave, seen, length = sources & war.land, 0, 0
    while wave:
        for hex in bits(wave):
            found[hex] = length
        seen |= wave
        wave = war.lattice.cross(wave, war.open) & ~seen
        length += 1
    return bytes(found)


@lru_cache(8)
def _roads_back(war: War, pace: int) -> list[list[tuple[int, int]]]:
    """By hex, from where it can be entered by units of a mobility, and for how many points."""
    best: list[dict[int, int]] = [{} for _ in range(war.lattice.size)]
    for crossing in war.costs(1 << pace, True, False).crossings:
        for d, hexes in enumerate(crossing.sides):
            for hex in bits(hexes):
                there = war.lattice.neighbour(hex, d)
                for cost, entered in crossing.entry:
                    if entered >> there & 1:
                        best[there][hex] = min(cost, best[there].get(hex, FAR))
    return [list(ways.items()) for ways in best]


def survey(war: War) -> None:
    """Look at the ground beforehand, so that the first decision is as quick as the others."""
    for pace in range(len(war.moving_as)):
        _roads_back(war, pace)
    _links(war)
    shores(war)


@lru_cache(4096)
def marches(war: War, pace: int, goals: Mask, closed: Mask = 0) -> bytes:
    """By hex, the points that units of a mobility need to the nearest goal, past closed hexes."""
    ways = _roads_back(war, pace)
    found = bytearray([FAR]) * war.lattice.size
    # A hex costs a few points at most, so a shelf for each sum does the work of a heap.
    shelves: list[list[int]] = [[] for _ in range(FAR)]
    shelves[0] = list(bits(goals & war.land))
    for hex in shelves[0]:
        found[hex] = 0
    for cost, shelf in enumerate(shelves):
        for hex in shelf:
            if found[hex] < cost:
                continue
            for there, more in ways[hex]:
                total = cost + more
                if total < found[there] and not closed >> there & 1:
                    found[there] = total
                    shelves[total].append(there)
    return bytes(found)


@lru_cache(4)
def shores(war: War) -> tuple[Mask, Mask]:
    """The coasts of the two seas, where a line may begin and end: Tyrrhenian and Adriatic."""
    columns: dict[int, list[float]] = {}
    for hex in bits(war.land):
        x, y = war.lattice.pixel(hex)
        columns.setdefault(round(x), []).append(y)
    west = east = 0
    for hex in bits(war.coast):
        x, y = war.lattice.pixel(hex)
        rows = columns[round(x)]
        if 2 * y >= min(rows) + max(rows):
            west |= 1 << hex
        if 2 * y <= min(rows) + max(rows):
            east |= 1 << hex
    return west, east


@lru_cache(4)
def _links(war: War) -> list[tuple[Mask, Mask]]:
    """By hex, the next posts that a line can have: with one hex between them, and with two."""
    found: list[tuple[Mask, Mask]] = []
    for hex in range(war.lattice.size):
        one = war.around[hex]
        two = war.lattice.cross(one, war.open) & ~one & ~(1 << hex)
        three = war.lattice.cross(two, war.open) & ~two & ~one
        found.append((two, three))
    return found


@lru_cache(2)
def strong_ground(war: War, forts: Mask) -> list[int]:
    """By hex, by how much the ground lowers the fire of attackers (13.13a, 9.8i)."""
    found = [0] * war.lattice.size
    modifiers = war.book.modifiers
    masks = [(war.terrain[name], modifiers[name]) for name in ("mountain", "marsh")]
    masks += [(war.cities, modifiers["city"]), (forts, modifiers["fort"])]
    for mask, modifier in masks:
        for hex in bits(mask):
            found[hex] -= modifier.attack
    return found


@lru_cache(128)
def best_line(
    war: War,
    enemy: Mask,
    forts: Mask,
    keys: Mask,
    manned: tuple[Man, ...],
    back: int = 0,
) -> tuple[int, ...]:
    """The posts of the cheapest line from sea to sea between the enemy and the north.

    - `keys`: hexes of which the line should hold some
    - `manned`: the defenders: a post that one gets to soon is cheaper
    - `back`: how many hexes farther from the enemy than it could be
    """
    home, away = distances(war, war.north), distances(war, enemy)
    most = min((home[hex] for hex in bits(enemy)), default=FAR) - 1
    ground, soon = strong_ground(war, forts), arrivals(war, manned)
    west, east = shores(war)
    price: dict[int, float] = {}
    for hex in bits(war.land & ~enemy):
        if most + away[hex] - back >= home[hex] >= most - back - DEPTH:
            cost = POST - STRONG * ground[hex] + GIVEN_UP * (most + 4 - home[hex])
            cost += HURRY * soon[hex] + (LATE if soon[hex] > 1 else MOVED if soon[hex] else 0.0)
            if away[hex] == 1:
                cost += FACED * (war.around[hex] & enemy).bit_count()
            price[hex] = max(0.1, cost - KEY if keys >> hex & 1 else cost)
    return _cheapest(war, price, west, east)


@lru_cache(64)
def arrivals(war: War, manned: tuple[Man, ...]) -> list[float]:
    """By hex, the turns until the first of some units can be there, in column if they may."""
    starts: dict[int, Mask] = {}
    for _, start, pace, _ in manned:
        starts[pace] = starts.get(pace, 0) | 1 << start
    fields = [(marches(war, pace, hexes), 16 if pace == 2 else 8) for pace, hexes in starts.items()]
    found = [9.0] * war.lattice.size
    for hex in bits(war.land):
        for field, points in fields:
            turns = field[hex] / points
            if turns < found[hex]:
                found[hex] = turns
    return found


def run_length(war: War, closed: Mask, runners: Mask) -> int:
    """The hexes between the edge in the north and the first of some units, past closed ones.

    Nothing keeps a unit in the last row from leaving.
    """
    if war.north & runners:
        return 0
    cross, open_sides = war.lattice.cross, war.open
    free = war.land & ~closed
    wave = seen = war.north & free
    length = 1
    while wave:
        wave = cross(wave, open_sides)
        if (wave | seen) & runners:
            return length
        wave &= free & ~seen
        seen |= wave
        length += 1
    return FAR


def leak(war: War, runners: Mask, divisions: Mask) -> float:
    """What it costs the German, with divisions in these hexes, that the north lies open."""
    hexes = run_length(war, divisions | war.lattice.cross(divisions, war.open), runners)
    if hexes >= FAR:
        return 0.0
    return max(4.0, 16.0 - 0.5 * hexes) if hexes else 20.0


def _cheapest(war: War, price: dict[int, float], west: Mask, east: Mask) -> tuple[int, ...]:
    links = _links(war)
    heap: list[tuple[float, int, int]] = []
    begin = west | war.lattice.cross(west, war.open)
    shore = east | war.lattice.cross(east, war.open)
    for hex, cost in price.items():
        if begin >> hex & 1:
            heappush(heap, (cost if west >> hex & 1 else cost + OFFSHORE, hex, -1))
    before: dict[int, int] = {}
    # Posts come off the heap in the order of their cost, so that the first link of a kind to a
    # post is the best of its kind.
    tight = loose = mask_of(price)
    while heap:
        cost, hex, last = heappop(heap)
        if hex == END:
            posts = [last]
            while before[posts[-1]] >= 0:
                posts.append(before[posts[-1]])
            return tuple(posts)
        if hex in before:
            continue
        before[hex] = last
        if shore >> hex & 1:
            heappush(heap, (cost if east >> hex & 1 else cost + OFFSHORE, END, hex))
        two, three = links[hex]
        for there in bits(two & tight):
            heappush(heap, (cost + price[there], there, hex))
        tight &= ~two
        loose &= tight
        for there in bits(three & loose):
            heappush(heap, (cost + LOOSE + price[there], there, hex))
        loose &= ~three
    return ()
