"""Armies in a few figures: how strong each side is, how far it has come, who touches whom.

Such figures are the clues of an outlook; games add what counts in them alone. They are read off the
lists of a position in a few passes.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from math import fsum, log
from operator import mul
from typing import Any

from apennine.hexes import Lattice, Mask, bits

MUSTERED = (
    *("strength 0", "reach 0", "van 0", "strength 1", "reach 1", "van 1"),
    *("superiority", "stacks 0", "stacks 1", "pressed 0", "pressed 1"),
)
"""What a muster tells, in its order; sides by number.

The strength on the map; the place on the axis where that strength lies on average, and its three
foremost units; the logarithm of the ratio of strengths; the hexes with units, and those of them
next to the enemy.
"""
NOWHERES = 8
"""Numbers below 0 that may stand for places off the map."""
VAN = 3


class Muster:
    """Musters the armies of a war.

    `spans` are the units of the two sides, `worth` what a unit is worth by the steps left, `axis`
    by hex how far the first side has come who stands there.
    """

    def __init__(
        self,
        lattice: Lattice,
        places: int,
        spans: Sequence[range],
        worth: Sequence[Sequence[float]],
        axis: Sequence[float],
    ) -> None:
        self._lattice = lattice
        nowhere = [0.0] * (places - lattice.size + NOWHERES)
        self._there = [*([1.0] * lattice.size), *nowhere]
        self._axis = [*axis, *nowhere]
        self._sides = [
            (slice(span.start, span.stop), [worth[unit] for unit in span], bool(side))
            for side, span in enumerate(spans)
        ]

    def tell(self, pos: Any, occupied: Sequence[Mask]) -> list[float]:
        """The figures of a position, in which the sides occupy some hexes."""
        there, axis, found = self._there, self._axis, list[float]()
        for span, worth, falling in self._sides:
            places: list[int] = pos.hex[span]
            left: list[int] = pos.steps[span]
            each = zip(worth, left, places)
            strength = [track[steps] * there[place] for track, steps, place in each]
            # Summed exactly: in which order the units stand is nobody's business.
            total = fsum(strength)
            along = [axis[place] for place in places]
            mean = fsum(map(mul, strength, along)) / total if total else 0.0
            van = sorted(compress(along, strength), reverse=not falling)[:VAN]
            found += total, mean, sum(van) / len(van) if van else 0.0
        one, two = occupied
        near = self._lattice.dilate
        return [
            *found,
            log((found[0] + 1.0) / (found[3] + 1.0)),
            one.bit_count(),
            two.bit_count(),
            (near(two) & one).bit_count(),
            (near(one) & two).bit_count(),
        ]


def away_from(lattice: Lattice, seeds: Mask, land: Mask) -> list[float]:
    """By hex, how many hexes of land the nearest seed is away; one more than all where none is."""
    found, wave, seen, length = [-1.0] * lattice.size, seeds & land, 0, 0
    while wave:
        for hex in bits(wave):
            found[hex] = float(length)
        seen |= wave
        wave = lattice.dilate(wave) & land & ~seen
        length += 1
    return [float(length) if away < 0 else away for away in found]


def within_reach(
    lattice: Lattice, prizes: Sequence[tuple[Mask, int]], occupied: Mask, hexes: int
) -> float:
    """What the places are worth that some units have within so many hexes."""
    near = lattice.dilate(occupied, hexes)
    return float(sum([worth for place, worth in prizes if place & near]))
