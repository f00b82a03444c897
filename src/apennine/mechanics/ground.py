"""Ground: what of the map units can be in and cross, and the algebra of hexsides.

Sets of hexsides are six masks, one for each direction; they are joined, met and taken from each
other as sets of hexes are.

>>> from apennine.hexes import Lattice, Numbering
>>> lattice = Lattice(Numbering("columns", columns=(1, 3), rows=(1, 3), shifted="even"))
>>> river = lattice.sides([lattice.edge_between(lattice.parse("0101"), lattice.parse("0102"))])
>>> [lattice.code(hex) for hex in bits(lattice.cross(1 << lattice.parse("0101"), river))]
['0102']
>>> less(river, river) == NO_SIDES, union([river, NO_SIDES]) == river
(True, True)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from apennine.board import Board
from apennine.hexes import NO_SIDES, Lattice, Mask, Sides, bits, opposite
from apennine.mechanics.trace import Line, Trace, trace


def union(features: Iterable[Sides]) -> Sides:
    """The hexsides that are in any of some sets."""
    a, b, c, d, e, f = NO_SIDES
    for sides in features:
        a, b, c, d, e, f = (x | y for x, y in zip((a, b, c, d, e, f), sides))
    return a, b, c, d, e, f


def common(one: Sides, other: Sides) -> Sides:
    """The hexsides that are in both sets."""
    a, b, c, d, e, f = (x & y for x, y in zip(one, other))
    return a, b, c, d, e, f


def less(sides: Sides, gone: Sides) -> Sides:
    """The hexsides of one set that are not in another."""
    a, b, c, d, e, f = (x & ~y for x, y in zip(sides, gone))
    return a, b, c, d, e, f


def into(lattice: Lattice, hexes: Mask) -> Sides:
    """The hexsides, seen from outside, over which one enters some hexes."""
    a, b, c, d, e, f = (lattice.shift(hexes, opposite(d)) for d in range(6))
    return a, b, c, d, e, f


def within(lattice: Lattice, hexes: Mask) -> Sides:
    """The hexsides between two hexes of a set."""
    a, b, c, d, e, f = (hexes & side for side in into(lattice, hexes))
    return a, b, c, d, e, f


class Ground:
    """The hexes that ground units can be in, and the hexsides that they can cross.

    `barriers` are the names of the hexsides that nothing crosses, as far as the map has them.
    """

    def __init__(self, board: Board, land: Mask, barriers: Iterable[str] = ()) -> None:
        lattice = board.lattice
        self.board = board
        self.land = land
        barred = union(board.sides[name] for name in barriers if name in board.sides)
        self.open = less(within(lattice, land), barred)
        """The hexsides with land on both banks that no barrier shuts."""
        self.beside: Sequence[Mask] = [
            lattice.cross(1 << hex, self.open) if hex in lattice else 0
            for hex in range(lattice.size)
        ]
        """By hex, those next to it over such sides."""
        self.bit: Sequence[Mask] = [
            1 << place if place in lattice else 0 for place in range(board.size + NOWHERES)
        ]
        """By location, its mask; empty for boxes and, from the end of the list, for no place."""
        self.zone = lru_cache(1024)(self._zone)
        self.trace = lru_cache(1024)(self._trace)
        self.net = lru_cache(1024)(self._net)
        self._last_net = 0, 0

    def _zone(self, hexes: Mask) -> Mask:
        """The hexes next to some over open sides: the zone of control of who is there."""
        return self.board.lattice.cross(hexes, self.open)

    def _trace(self, blocked: Mask, sources: Mask) -> Trace:
        """Lines of supply over open sides to some sources, past hexes that they may not enter."""
        return trace(self.board.lattice, sources, Line(self.open, blocked=blocked))

    def _net(self, blocked: Mask, sources: Mask) -> Mask:
        """The hexes from which such lines lead, however long they are: found more quickly."""
        lattice, (fed, net) = self.board.lattice, self._last_net
        # As long as it loses none of its hexes the net can but grow, from what it was.
        seeds = sources | net if sources == fed and not net & blocked else sources
        net = lattice.flood_sides(seeds & ~blocked, lattice.all & ~blocked, self.open)
        self._last_net = sources, net
        return sources & lattice.all | net | lattice.cross(net, self.open)

    def sides(self, name: str) -> Sides:
        """Those of the open hexsides that have a feature, such as a river."""
        return common(self.board.sides[name], self.open)

    def roads(self, name: str) -> Sides:
        """Those of the open hexsides that a road crosses."""
        return common(self.board.roads[name], self.open)

    def kind(self, *names: str) -> Mask:
        """The hexes of the ground with a place of one of some kinds."""
        mask = 0
        for name in names:
            mask |= self.board.kinds[name]
        return mask & self.land

    def region(self, name: str) -> Mask:
        """The hexes of the ground in a region of the map."""
        return self.board.regions[name] & self.land

    def terrain(self, name: str) -> Mask:
        """The hexes of the ground with a terrain."""
        return self.board.terrain.get(name, 0) & self.land

    def spread(self, seeds: Mask, ways: Iterable[tuple[Sides, int]]) -> list[int]:
        """By hex, how far it is from some others over several kinds of ways, each with its price.

        Hexes that cannot be reached, and those that are none, are farther than any other.
        """
        lattice, steps = self.board.lattice, list(ways)
        distance = [UNREACHED] * lattice.size
        waves: dict[int, Mask] = {0: seeds}
        unseen = self.land
        while waves:
            length = min(waves)
            wave = waves.pop(length) & unseen
            unseen &= ~wave
            for hex in bits(wave):
                distance[hex] = length
            if wave:
                for sides, price in steps:
                    due = length + price
                    waves[due] = waves.get(due, 0) | lattice.cross(wave, sides) & unseen
        return distance


NOWHERES = 8
"""How many negative numbers, from -1 down, may stand for places off the map and the boxes."""
UNREACHED = 1_000_000
