"""Whereabouts: where the units of a side are, as sets, kept step by step as they move.

Stacking, zones and supply rest on who is where, and are asked for several times between two moves.
A `Lookout` compares the places of the units with those that it saw last, at the speed of comparing
two lists, and looks again at nothing but the stacks that have changed. So it makes no difference
which position is looked at after which, and a position need not keep what follows from it.

>>> bit = [*(1 << place for place in range(9)), 0]
>>> lookout = Lookout(bit, range(4), {"guns": 0b1000}, depth=2)
>>> there = lookout.find([7, 7, 2, -1])
>>> bin(there.occupied), bin(there.at_least(2)), bin(there.units), bin(there.stack(7))
('0b10000100', '0b10000000', '0b111', '0b11')
>>> bin(lookout.find([7, 2, 2, 7]).at_least(1, "guns"))
'0b10000000'
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import compress
from operator import ne
from typing import NamedTuple

from apennine.hexes import Mask

ALL = ""
"""The kind that every unit is of."""


class Whereabouts(NamedTuple):
    """Where the units of a side are."""

    occupied: Mask
    """The hexes with units."""
    units: Mask
    """The units that are in hexes."""
    counts: Mapping[str, tuple[Mask, ...]]
    """By kind, the hexes with at least one, two, ... units of it."""
    first: int
    """The number of the side's first unit."""
    places: list[int]
    """Where its units are, one after the other. Not to be changed."""

    def at_least(self, count: int, kind: str = ALL) -> Mask:
        """The hexes with so many units, of a kind if one is named."""
        return self.counts[kind][count - 1]

    def stack(self, place: int) -> Mask:
        """The units in a hex or a box, or off the map, as a set."""
        units, nth = 0, -1
        for _ in range(self.places.count(place)):
            nth = self.places.index(place, nth + 1)
            units |= 1 << self.first + nth
        return units

    def among(self, places: Mask) -> Mask:
        """The units in any of some hexes and boxes, as a set."""
        units, unit = 0, 1 << self.first
        for place in self.places:
            if place >= 0 and places >> place & 1:
                units |= unit
            unit <<= 1
        return units


class Lookout:
    """Looks where the units of one side are, and only at the stacks that have changed since.

    `bit` is the mask of each location, empty for boxes, and for numbers below 0 from its end;
    `kinds` are sets of units that are counted apart, and `depth` is how far all are counted.
    """

    def __init__(
        self, bit: Sequence[Mask], units: range, kinds: Mapping[str, Mask], depth: int
    ) -> None:
        self._bit = bit
        self._units = [1 << unit for unit in units]
        self._kinds = list(kinds.items())
        self._depth = depth
        counts = dict.fromkeys((ALL, *kinds), (0,) * depth)
        self._there = Whereabouts(0, 0, counts, units.start, [-1] * len(units))

    def find(self, places: list[int]) -> Whereabouts:
        """All that is to be known of the side's units in these places, a list of their own."""
        there = self._there
        if places != there.places:
            there = self._there = self._look(there, places)
        return there

    def _look(self, there: Whereabouts, places: list[int]) -> Whereabouts:
        bit, (_, units, before, first, known) = self._bit, there
        changed: set[int] = set()
        for old, new, unit in compress(zip(known, places, self._units), map(ne, known, places)):
            units = units | unit if bit[new] else units & ~unit
            changed.add(old)
            changed.add(new)
        stale = 0
        for place in changed:
            stale |= bit[place]
        # To take away what two sets share is quicker than to meet a complement.
        ladder = [hexes ^ hexes & stale for hexes in before[ALL]]
        for place in changed:
            if here := bit[place]:
                for nth in range(min(places.count(place), self._depth)):
                    ladder[nth] |= here
        counts = {ALL: tuple(ladder)}
        there = Whereabouts(ladder[0], units, counts, first, places)
        for kind, members in self._kinds:
            ladder = [hexes ^ hexes & stale for hexes in before[kind]]
            for place in changed:
                if here := bit[place]:
                    count = (there.stack(place) & members).bit_count()
                    for nth in range(min(count, self._depth)):
                        ladder[nth] |= here
            counts[kind] = tuple(ladder)
        return there
