"""The scene of one decision: where both sides stand, who can get where, and what a move changes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple, Protocol

from apennine.hexes import Mask

from .ground import Field, Ground
from .judge import Shelf


class Host(Protocol):
    """Where the units of a side are."""

    @property
    def occupied(self) -> Mask:
        """The hexes with units."""
        ...

    @property
    def zone(self) -> Mask:
        """The hexes that they control."""
        ...


class Places(NamedTuple):
    """The same, for a game that keeps no more."""

    occupied: Mask
    zone: Mask


class Scene:
    """Two hosts on the ground, and whatever was worked out about them `once`.

    By `entries` units come on to the map that are not on it.
    """

    def __init__(self, ground: Ground, own: Host, foe: Host, entries: Mask = 0) -> None:
        self.ground = ground
        self._own, self._foe, self.entries = own, foe, entries
        self.once = Shelf(4096).get

    @cached_property
    def from_foe(self) -> Field:
        """By hex, how far the nearest enemy is."""
        return self.ground.distances(self._foe.occupied)

    def roamed(self, hexes: int) -> Mask:
        """The hexes that the enemy gets to by so many steps: our zones stop him."""
        free = self.ground.land & ~(self._own.zone | self._own.occupied)
        return self.ground.spread(self._foe.occupied, hexes, free)

    @cached_property
    def within(self) -> Mask:
        """The hexes that the side can get to without passing the enemy or his zones."""
        friends = self._own.occupied
        free = self.ground.land & ~(self._foe.occupied | self._foe.zone)
        start = friends | self.entries | self.ground.around(friends) & free
        return self.ground.flood(start, free | friends)


def moved(stacks: Mapping[int, Mask], origin: int, ends: Mapping[int, int]) -> dict[int, Mask]:
    """The stacks that a move from a hex changes, as they will be; `ends` is who goes where.

    >>> moved({5: 0b110, 7: 0b1}, 5, {1: 7})
    {5: 4, 7: 3}
    """
    found = {origin: stacks.get(origin, 0)}
    for unit, hex in ends.items():
        found[origin] &= ~(1 << unit)
        found[hex] = found.get(hex, stacks.get(hex, 0)) | 1 << unit
    return found
