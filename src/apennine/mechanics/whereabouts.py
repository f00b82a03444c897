"""Whereabouts: where the units of a side are, as sets, kept step by step as they move.

Stacking, zones and supply rest on who is where, and are asked for several times between two moves.
A `Lookout` compares the places of the units with those that it saw last, at the speed of comparing
two lists, and looks again at nothing but the stacks that have changed. So it makes no difference
which position is looked at after which, and a position need not keep what follows from it.

>>> bit = [*(1 << place for place in range(9)), 0]
>>> lookout = Lookout(bit, range(4), 2, {"guns": (0b1000, 1)})
>>> there = lookout.find([7, 7, 2, -1])
>>> bin(there.occupied), bin(there.at_least(2)), bin(there.units), bin(there.stack(7))
('0b10000100', '0b10000000', '0b111', '0b11')
>>> bin(lookout.find([7, 2, 2, 7]).at_least(1, "guns"))
'0b10000000'

`Lookouts` are those of all sides. What each of them finds may be read at once into whatever a game
wants to know of it, so that this too is worked out only when somebody has moved.

>>> sides = Lookouts([lookout, Lookout(bit, range(4, 6), 1)], lambda side, there: there.occupied)
>>> [bin(hexes) for hexes in sides.find([7, 7, 2, -1, 3, 4])]
['0b10000100', '0b11000']

At the end stand the questions that the rules of every game ask, of its war and a position.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import compress
from operator import ne
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.decision import maker

T = TypeVar("T")
ALL = ""
"""The kind that every unit is of."""
NO_KINDS: Mapping[str, tuple[Mask, int]] = MappingProxyType({})


class Whereabouts(NamedTuple):
    """Where the units of a side are."""

    occupied: Mask
    """The hexes with units."""
    units: Mask
    """The units that are in hexes."""
    stacks: Mapping[int, Mask]
    """By location, boxes and numbers below 0 included, the units that are there."""
    counts: Sequence[Mask]
    """Kind after kind, the hexes with at least one, two, ... units of it."""
    starts: Mapping[str, int]
    """By kind, where its counts start."""

    def at_least(self, count: int, kind: str = ALL) -> Mask:
        """The hexes with so many units, of a kind if one is named."""
        return self.counts[self.starts[kind] + count - 1]

    def stack(self, place: int) -> Mask:
        """The units in a hex or a box, or off the map, as a set."""
        return self.stacks.get(place, 0)

    def among(self, places: Mask) -> Mask:
        """The units in any of some hexes and boxes, as a set."""
        return among(self.stacks, places)


new_whereabouts: Callable[[tuple[Any, ...]], Whereabouts] = maker(Whereabouts)


class Lookout:
    """Looks where the units of one side are, and only at the stacks that have changed since.

    `bit` is the mask of each location, empty for boxes, and for numbers below 0 from its end;
    all units are counted as far as `depth`, and some of them apart: `kinds` are sets of units, each
    with a depth of its own.
    """

    def __init__(
        self,
        bit: Sequence[Mask],
        units: range,
        depth: int,
        kinds: Mapping[str, tuple[Mask, int]] = NO_KINDS,
    ) -> None:
        self.span = slice(units.start, units.stop)
        """Where its units are in a list of all."""
        self._bit = bit
        everybody, starts, size = mask_of(units), dict[str, int](), 0
        counted: list[tuple[Mask, int, int]] = []
        for kind, (members, deep) in {ALL: (everybody, depth), **kinds}.items():
            starts[kind] = size
            counted.append((members, size - 1, deep))
            size += deep
        # Where a hex with anybody is all that is asked of all, stacks tell without counting.
        self._plain = depth == 1
        if self._plain:
            del counted[0]
        # Each unit with its kinds: who is in them, where their counts start, less one, how many.
        self._each = [
            (1 << unit, [kind for kind in counted if kind[0] >> unit & 1]) for unit in units
        ]
        self.known = [-1] * len(units)
        """Where they were when they were last looked for."""
        self._there = Whereabouts(0, 0, {-1: everybody}, [0] * size, starts)

    def find(self, places: list[int]) -> Whereabouts:
        """All that is to be known of the side's units in these places, a list of their own."""
        if places != self.known:
            self._there = self._look(self._there, places)
            self.known = places
        return self._there

    def _look(self, there: Whereabouts, places: list[int]) -> Whereabouts:
        bit, known, plain = self._bit, self.known, self._plain
        _, units, stacks, counts, starts = there
        stacks, counts = dict(stacks), list(counts)
        for old, new, each in compress(zip(known, places, self._each), map(ne, known, places)):
            unit, kinds = each
            left, joined, gone, come = stacks[old], stacks.get(new, 0), bit[old], bit[new]
            for members, before, depth in kinds:
                # What was the last of so many leaves the hexes with so many, and the other way.
                if gone and (count := (left & members).bit_count()) <= depth:
                    counts[before + count] ^= gone
                if come and (count := (joined & members).bit_count()) < depth:
                    counts[before + count + 1] |= come
            if plain and not joined:
                counts[0] |= come
            if left == unit:
                del stacks[old]
                if plain:
                    counts[0] ^= gone
            else:
                stacks[old] = left ^ unit
            stacks[new] = joined | unit
            units = units | unit if come else units & ~unit
        return new_whereabouts((counts[0], units, stacks, counts, starts))


class Lookouts(Generic[T]):
    """The lookouts of all sides, and what is read from what each of them sees."""

    def __init__(self, sides: Sequence[Lookout], read: Callable[[int, Whereabouts], T]) -> None:
        self.sides = sides
        self._read = read
        self.known = [-1] * max(lookout.span.stop for lookout in sides)
        """Where all units were when they were last looked for."""
        seen = [lookout.find(self.known[lookout.span]) for lookout in sides]
        self.there: Sequence[T] = [read(side, there) for side, there in enumerate(seen)]
        """By side, what was found then."""

    def find(self, places: list[int]) -> Sequence[T]:
        """By side, what there is to be known, if all units are in these places."""
        if places != self.known:
            found = list(self.there)
            for side, lookout in enumerate(self.sides):
                here = places[lookout.span]
                if here != lookout.known:
                    found[side] = self._read(side, lookout.find(here))
            self.there, self.known = found, places.copy()
        return self.there


class Placed(Protocol):
    """A position: for each unit, where it is."""

    hex: list[int]


class Watched(Protocol[T]):
    """A war with its lookouts."""

    @property
    def lookouts(self) -> Lookouts[T]: ...


class Stacked(Protocol):
    """What a game knows of a side: at least who is where."""

    @property
    def stacks(self) -> Mapping[int, Mask]: ...


class Spread(Protocol):
    """The same with the hexes that are taken."""

    @property
    def occupied(self) -> Mask: ...


S = TypeVar("S", bound=Stacked)
H = TypeVar("H", bound=Spread)


def both(war: Watched[T], pos: Placed) -> Sequence[T]:
    """Where the units of both sides are."""
    # To compare lists here, and in all that follow, saves most calls of a question.
    lookouts = war.lookouts
    return lookouts.there if pos.hex == lookouts.known else lookouts.find(pos.hex)


def there(war: Watched[T], pos: Placed, side: int) -> T:
    """Where the units of a side are."""
    lookouts = war.lookouts
    return (lookouts.there if pos.hex == lookouts.known else lookouts.find(pos.hex))[side]


def occupied(war: Watched[H], pos: Placed, side: int) -> Mask:
    """The hexes with units of a side."""
    lookouts = war.lookouts
    return (lookouts.there if pos.hex == lookouts.known else lookouts.find(pos.hex))[side].occupied


def those_in(war: Watched[S], pos: Placed, place: int, side: int) -> Mask:
    """The units of a side in a hex or a box, or off the map, as a set."""
    lookouts = war.lookouts
    there = lookouts.there if pos.hex == lookouts.known else lookouts.find(pos.hex)
    return there[side].stacks.get(place, 0)


def units_in(war: Watched[S], pos: Placed, place: int, side: int) -> list[int]:
    """The same as a list."""
    return list(bits(those_in(war, pos, place, side)))


def those_among(war: Watched[S], pos: Placed, places: Mask, side: int) -> Mask:
    """The units of a side in any of some hexes and boxes, as a set."""
    lookouts = war.lookouts
    there = lookouts.there if pos.hex == lookouts.known else lookouts.find(pos.hex)
    return among(there[side].stacks, places)


def among(stacks: Mapping[int, Mask], places: Mask) -> Mask:
    """The units in any of some hexes and boxes, as a set, if one knows who is where."""
    found = 0
    for place, units in stacks.items():
        if place >= 0 and places >> place & 1:
            found |= units
    return found
