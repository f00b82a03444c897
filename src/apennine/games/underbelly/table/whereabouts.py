"""Where the units of a side are, as sets of hexes: what stacking, zones and supply rest on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import compress
from operator import ne
from typing import NamedTuple

from apennine.hexes import Lattice, Mask, Sides

from .data import DIVISIONS, SUPPORTS


class Crowd(NamedTuple):
    """Where the units of a side are: sets of hexes."""

    occupied: Mask
    divisions: tuple[Mask, Mask, Mask, Mask]
    """All hexes, then those with at least one, two, three divisions."""
    supports: Mask
    """The hexes with a corps support unit."""
    groups: tuple[Mask, ...]
    """By group, the hexes with a unit of it."""
    zone: Mask
    """The zone of control (7.1)."""
    illegal: Mask
    """The hexes with more units than may be there, or that may not be together (6.3, 6.6)."""
    stacks: Mapping[int, Mask]
    """By location, boxes included, the units that are there."""


class Ready(NamedTuple):
    """Where units of a side are that have not acted yet: sets of hexes and boxes."""

    units: Mask
    fighters: Mask
    """Those with a division that may attack."""
    calm: Mask
    """The hexes in overland supply and in no enemy zone, and the boxes (9.6b, 10.2d, 12.7a)."""
    enemy: Crowd


class Lookout:
    """Looks where the units of one side are, and only at the stacks that have changed since.

    What it was told last is compared unit by unit with what it is told now, so that it makes no
    difference which position is looked at after which.
    """

    def __init__(
        self,
        lattice: Lattice,
        open: Sides,
        bit: Sequence[Mask],
        land: Mask,
        units: range,
        supports: Mask,
        groups: Sequence[Mask],
        *,
        mingle: bool,
    ) -> None:
        self._lattice = lattice
        self._open = open
        self._bit = bit
        self._units = [1 << unit for unit in units]
        self._supports = supports
        everybody = sum(self._units)
        self._groups = [(n, group) for n, group in enumerate(groups) if group & everybody]
        self._mingle = mingle
        """Whether units of several groups may be in one hex (6.4, 6.6)."""
        self.nobody = Crowd(0, (land, 0, 0, 0), 0, (0,) * len(groups), 0, 0, {-1: everybody})
        """What there is to see when all units are off the map."""
        self._latest = [-1] * len(units), self.nobody

    def find(self, places: list[int]) -> Crowd:
        """All that is to be known of the side's units in these places."""
        known, there = self._latest
        if places != known:
            there = self._look(there, known, places)
            self._latest = places, there
        return there

    def _look(self, there: Crowd, known: list[int], places: list[int]) -> Crowd:
        bit = self._bit
        _, (land, before, two, three), supports, all_groups, zone, illegal, stacks = there
        stacks = dict(stacks)
        changed: set[int] = set()
        moves = zip(known, places, self._units)
        for old, new, unit in compress(moves, map(ne, known, places)):
            stacks[old] ^= unit
            stacks[new] = stacks.get(new, 0) | unit
            changed.add(old)
            changed.add(new)
        stale = 0
        for place in changed:
            stale |= bit[place]
        # To take away what two sets share is quicker than to meet a complement.
        one, two, three = before ^ before & stale, two ^ two & stale, three ^ three & stale
        supports, illegal = supports ^ supports & stale, illegal ^ illegal & stale
        groups = [hexes ^ hexes & stale for hexes in all_groups]
        for place in changed:
            here, units = bit[place], stacks[place]
            if not units:
                del stacks[place]
            elif here:
                guns = (units & self._supports).bit_count()
                divisions = units.bit_count() - guns
                if divisions:
                    one |= here
                    if divisions > 1:
                        two |= here
                        if divisions > 2:
                            three |= here
                if guns:
                    supports |= here
                parties = 0
                for group, members in self._groups:
                    if units & members:
                        groups[group] |= here
                        parties += 1
                if divisions > DIVISIONS or guns > SUPPORTS or (parties > 1 and not self._mingle):
                    illegal |= here
        if one != before:
            zone = self._lattice.cross(one, self._open)
        divided = land, one, two, three
        return Crowd(one | supports, divided, supports, tuple(groups), zone, illegal, stacks)
