"""Stacking: how much stands in each hex, where there is room for more, and where there is too much.

Units are numbers, and plain sequences say where each is and what it counts. A game's stacking rule
is one `Limit` or several that hold together: points in all, and so many of each class. Locations
below 0 are nowhere and count for nothing; boxes beside the map are locations like any other.

>>> points, guns = [3, 2, 0, 1], [0, 0, 1, 0]
>>> limits = [Limit(6, points), Limit(1, guns)]
>>> hexes = [7, 7, 7, 9]
>>> loads(hexes, limits[0], range(4))
{7: 5, 9: 1}
>>> bin(room(hexes, limits, [3], range(4), within=0b11 << 7))
'0b110000000'
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from apennine.hexes import Hex, Mask, mask_of


class Limit(NamedTuple):
    """The most that may stand in one hex.

    - `points`: what each unit counts. 0 for those that stack freely; 1 for the members of a class,
      to limit their number; less than 0 for units that make room, such as carriers.
    - `one_free`: units of which the dearest in each hex counts for nothing.
    """

    most: int
    points: Sequence[int]
    one_free: Collection[int] = ()


def loads(hexes: Sequence[int], limit: Limit, units: Iterable[int]) -> dict[Hex, int]:
    """What the units count, by location."""
    sums, free = _counted(hexes, limit, units)
    for hex, saved in free.items():
        sums[hex] -= saved
    return sums


def overfull(hexes: Sequence[int], limits: Iterable[Limit], units: Collection[int]) -> Mask:
    """The locations with more than some limit allows."""
    full = 0
    for limit in limits:
        for hex, load in loads(hexes, limit, units).items():
            if load > limit.most:
                full |= 1 << hex
    return full


def room(
    hexes: Sequence[int],
    limits: Iterable[Limit],
    newcomers: Collection[int],
    units: Collection[int],
    within: Mask,
) -> Mask:
    """The hexes where the newcomers, together, could join those of the units that are there.

    Newcomers that are among the units do not stand in their own way.
    """
    others = [unit for unit in units if unit not in newcomers]
    fits = within
    for limit in limits:
        most, points, one_free = limit
        sums, free = _counted(hexes, limit, others)
        dearest = max((points[unit] for unit in newcomers if unit in one_free), default=0)
        # What may be there already.
        spare = most - sum(points[unit] for unit in newcomers)
        if spare + dearest < 0:
            # Too much for an empty hex: only beside units that make room.
            fits &= mask_of(sums)
        if free or dearest:
            for hex in sums:
                sums[hex] -= max(free.get(hex, 0), dearest)
        fits &= ~mask_of([hex for hex, load in sums.items() if load > spare])
    return fits


def _counted(
    hexes: Sequence[int], limit: Limit, units: Iterable[int]
) -> tuple[dict[Hex, int], dict[Hex, int]]:
    """By location, what the units count, and what the dearest of the free ones does."""
    _, points, one_free = limit
    sums: dict[Hex, int] = {}
    free: dict[Hex, int] = {}
    for unit in units:
        hex = hexes[unit]
        if hex >= 0:
            sums[hex] = sums.get(hex, 0) + points[unit]
            if one_free and unit in one_free:
                free[hex] = max(free.get(hex, 0), points[unit])
    return sums, free
