"""The ground: how far it is overland, by march and by sea, and the cheapest chain across it.

A game makes one `Ground` of its map. What has been worked out is kept in it, so that nothing is
shared between games and nothing depends on weights.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from heapq import heapify, heappop, heappush
from math import inf
from typing import NamedTuple, Protocol, TypeAlias

from apennine.hexes import Lattice, Mask, Sides, bits, mask_of

FAR = 999
"""Farther than anything on a map."""
END = -2
"""Past the last post of a chain."""

Field: TypeAlias = "array[int]"
"""By hex, how far something is; `FAR` where there is no way."""
Ways: TypeAlias = Sequence[Sequence[tuple[int, int]]]
"""By hex, from where it can be entered, and for how many points."""


class Step(Protocol):
    """One way of stepping over some sides, as a game's movement costs list them."""

    @property
    def sides(self) -> Sides:
        """The sides, read from the hex that is left."""
        ...

    @property
    def entry(self) -> Sequence[tuple[int, Mask]]:
        """Pairs of a cost and the hexes that may be entered for it."""
        ...


class Lane(NamedTuple):
    """A sea: from each of its ports to each other, for a price."""

    ports: Mask
    price: int


def ways_back(lattice: Lattice, steps: Iterable[Step], whole: int = FAR) -> Ways:
    """From where each hex can be entered, and for how much, by a class of units.

    A step that takes all that a unit has (a cost below 0) counts as `whole`.
    """
    best: list[dict[int, int]] = [{} for _ in range(lattice.size)]
    for step in steps:
        for d, hexes in enumerate(step.sides):
            for hex in bits(hexes):
                there = lattice.neighbour(hex, d)
                for cost, entered in step.entry:
                    if there >= 0 and entered >> there & 1:
                        price = whole if cost < 0 else cost
                        best[there][hex] = min(price, best[there].get(hex, FAR))
    return [list(ways.items()) for ways in best]


class Ground:
    """A map as marches and lines see it, with all that has been worked out about it.

    - `land`: the hexes that count; `open`: the hexsides that units and their zones cross.
    - `ways`: for each class of units (a key of the game's choice) what marches cost it.
    """

    def __init__(
        self, lattice: Lattice, land: Mask, open: Sides, ways: Mapping[Hashable, Ways] | None = None
    ) -> None:
        self.lattice, self.land, self.open = lattice, land, open
        self.ways = ways or {}
        self.distances = lru_cache(1024)(self._distances)
        self.marches = lru_cache(4096)(self._marches)
        self.between = lru_cache(4096)(self._between)

    def around(self, hexes: Mask) -> Mask:
        """The hexes next to some, over open sides."""
        return self.lattice.cross(hexes, self.open)

    def flood(self, seeds: Mask, within: Mask) -> Mask:
        """All hexes of a region that are joined, inside it, to a seed inside it."""
        return self.lattice.flood_sides(seeds, within, self.open)

    def spread(self, seeds: Mask, hexes: int, through: Mask) -> Mask:
        """All that is no more than so many hexes from a seed, if only some hexes are passed."""
        wave = seen = seeds
        for _ in range(hexes):
            wave = self.around(wave) & ~seen
            seen |= wave
            wave &= through
        return seen

    def _distances(self, sources: Mask, closed: Mask = 0, lanes: tuple[Lane, ...] = ()) -> Field:
        """By hex, how many hexes the nearest of some others is away, past closed ones."""
        found = array("H", [FAR]) * self.lattice.size
        free = self.land & ~closed
        wave, seen, length = sources & self.land, 0, 0
        due: dict[int, Mask] = {}
        sailed: set[Lane] = set()
        while wave or due:
            for hex in bits(wave):
                found[hex] = length
            seen |= wave
            for lane in lanes:
                if lane.ports & wave and lane not in sailed:
                    sailed.add(lane)
                    landed = length + max(1, lane.price)
                    due[landed] = due.get(landed, 0) | lane.ports & free
            length += 1
            wave = (self.around(wave) & free | due.pop(length, 0)) & ~seen
        return found

    def _marches(
        self, pace: Hashable, goals: Mask, closed: Mask = 0, lanes: tuple[Lane, ...] = ()
    ) -> Field:
        """By hex, the points that units of a class need to the nearest goal, past closed hexes."""
        ways = self.ways[pace]
        found = [FAR] * self.lattice.size
        for hex in bits(closed & self.land):
            found[hex] = -1  # nearer than any way there, so that nobody goes
        # A step costs a few points at most, so a shelf for each sum does the work of a heap.
        shelves: list[list[int]] = [list(bits(goals & self.land))]
        for hex in shelves[0]:
            found[hex] = 0
        waiting, harbours = set(lanes), 0
        for lane in lanes:
            harbours |= lane.ports
        cost = 0
        while cost < min(len(shelves), FAR):
            for hex in shelves[cost]:
                if found[hex] < cost:
                    continue
                steps = ways[hex]
                if harbours >> hex & 1:
                    steps = [*steps, *self._sail(hex, waiting)]
                for there, price in steps:
                    total = cost + price
                    if total < found[there]:
                        found[there] = total
                        while total >= len(shelves):
                            shelves.append([])
                        shelves[total].append(there)
            cost += 1
        return array("H", [FAR if points < 0 else points for points in found])

    @staticmethod
    def _sail(hex: int, waiting: set[Lane]) -> list[tuple[int, int]]:
        """Where the lanes lead that nobody has sailed before; they need no second look."""
        taken = {lane for lane in waiting if lane.ports >> hex & 1}
        waiting -= taken
        return [(port, max(1, lane.price)) for lane in taken for port in bits(lane.ports)]

    def door(self, pace: Hashable, here: int, doors: Mask, closed: Mask) -> tuple[int, int]:
        """The points from a hex to the nearest of some doors past closed hexes, and that door.

        FAR and -1 if there is no way.
        """
        field = self.marches(pace, doors & ~closed, closed)
        if field[here] >= FAR:
            return FAR, -1
        hex = here
        while field[hex]:  # down the field, as the cheapest march goes
            hex = next(
                there
                for there in self.lattice.neighbours(hex)
                for before, price in self.ways[pace][there]
                if before == hex and field[there] + price == field[hex]
            )
        return field[here], hex

    @cached_property
    def links(self) -> list[tuple[Mask, Mask, Mask]]:
        """By hex, the hexes one, two and three steps away."""
        found: list[tuple[Mask, Mask, Mask]] = []
        for hex in range(self.lattice.size):
            here = 1 << hex & self.land
            one = self.around(here)
            two = self.around(one) & ~one & ~here
            found.append((one, two, self.around(two) & ~two & ~one))
        return found

    @cached_property
    def rim(self) -> Mask:
        """The land with water, or the edge of the map, beside it."""
        around = self.lattice.neighbours
        inner = (h for h in bits(self.land) if (mask_of(around(h)) & self.land).bit_count() == 6)
        return self.land & ~mask_of(inner)

    def pull(self, goals: Iterable[tuple[Mask, float]], rate: float) -> list[float]:
        """By hex, how far the best goal is: each point of its worth counts as `rate` hexes less."""
        found = [float(FAR)] * self.lattice.size
        for hexes, worth in goals:
            less = worth * rate
            found = [min(best, away - less) for best, away in zip(found, self.distances(hexes))]
        return found

    def _between(self, a: int, b: int) -> Mask:
        """The hexes of the hole between two posts that are three steps apart."""
        near, beside = self.links[a][0], self.links[b][0]
        return near & self.around(beside) | beside & self.around(near)


def arrivals(
    ground: Ground, units: Iterable[tuple[int, Hashable, float]], never: float = 9.0
) -> list[float]:
    """By hex, the turns until the first of some units can be there.

    Each unit is where it is, its class, and the points that it goes in a turn.
    """
    starts: dict[tuple[Hashable, float], Mask] = {}
    for hex, pace, points in units:
        starts[pace, points] = starts.get((pace, points), 0) | 1 << hex
    found = [never] * ground.lattice.size
    for (pace, points), hexes in starts.items():
        # From a unit to a hex is taken to be as far as from the hex to the unit.
        field = ground.marches(pace, hexes)
        for hex in bits(ground.land):
            found[hex] = min(found[hex], field[hex] / points)
    return found


def rims(ground: Ground, rim: Mask, across: int) -> tuple[Mask, Mask]:
    """A rim of the land cut along its middle: where its x (`across` 0) or y (1) is low, and high.

    A hex in the very middle belongs to both.
    """
    spans: dict[int, list[float]] = {}
    for hex in bits(ground.land):
        at = ground.lattice.pixel(hex)
        spans.setdefault(round(at[1 - across]), []).append(at[across])
    low = high = 0
    for hex in bits(rim & ground.land):
        at = ground.lattice.pixel(hex)
        span = spans[round(at[1 - across])]
        middle = min(span) + max(span)
        low |= (2 * at[across] <= middle) << hex
        high |= (2 * at[across] >= middle) << hex
    return low, high


def chain(
    ground: Ground,
    price: Mapping[int, float],
    ends: tuple[Mask, Mask],
    gaps: Sequence[float],
    offshore: float,
    enemy: Mask = 0,
) -> list[int]:
    """The cheapest posts from one end to the other, of those that have a price; [] if none.

    `gaps` is what a link over one, two and three hexes costs (`math.inf`: not so); up to two hexes
    between posts lie in the zones of one or the other. A chain begins and ends in a hex of its
    ends or, for `offshore`, beside one that no enemy holds; no hole has an enemy in it.
    """
    first, last = ends
    near_first, near_last = ground.around(first & ~enemy), ground.around(last & ~enemy)
    queue: list[tuple[float, int, int]] = []
    for hex, cost in price.items():
        if first >> hex & 1:
            queue.append((cost, hex, -1))
        elif near_first >> hex & 1:
            queue.append((cost + offshore, hex, -1))
    heapify(queue)
    before: dict[int, int] = {}
    # Posts come off the queue by cost, so the first link of a length to a post is the best of it.
    left = [0 if gap == inf else mask_of(price) for gap in gaps]
    while queue:
        total, hex, came = heappop(queue)
        if hex in before:
            continue
        if hex == END:
            return _way_back(before, came)
        before[hex] = came
        if last >> hex & 1:
            heappush(queue, (total, END, hex))
        elif near_last >> hex & 1:
            heappush(queue, (total + offshore, END, hex))
        for reach, gap in enumerate(gaps):
            linked = 0
            for there in bits(ground.links[hex][reach] & left[reach]):
                if reach == 2 and enemy and ground.between(hex, there) & enemy:
                    continue
                linked |= 1 << there
                heappush(queue, (total + price[there] + gap, there, hex))
            for other, more in enumerate(gaps):
                if more >= gap:
                    left[other] &= ~linked
    return []


def _way_back(before: Mapping[int, int], hex: int) -> list[int]:
    posts: list[int] = []
    while hex >= 0:
        posts.append(hex)
        hex = before[hex]
    return posts


def best_hex(hexes: Mask, value: Callable[[int], float], least: float = -inf) -> int:
    """The hex with the highest value above a least one, the first of several; -1 if none."""
    best = -1
    for hex in bits(hexes):
        worth = value(hex)
        if worth > least:
            best, least = hex, worth
    return best
