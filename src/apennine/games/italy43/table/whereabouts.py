"""Where the units of a side are, as sets of hexes: what stacking, zones and bonds rest on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from apennine.hexes import Mask, bits
from apennine.kernel.decision import maker

FOOT, BOND, BOND_FOOT, SILHOUETTES = "foot", "bond", "bond on foot", "silhouettes"
"""Kinds that a lookout counts: units that are no vehicles; those that form bonds; of these, those
that are no vehicles; silhouetted tanks."""


class Presence(NamedTuple):
    """Where the units of a side are, whatever their state."""

    occupied: Mask
    units: Mask
    """The units that are in hexes."""
    stacks: Mapping[int, Mask]
    """By location, entry areas and numbers below 0 included, the units that are there."""
    foot: Mask
    """Hexes with a unit that is no vehicle."""
    bonding: Mask
    """Hexes with a unit that forms bonds when in good order (7.1)."""
    bonding_foot: Mask
    """Hexes with one that is no vehicle."""
    in_areas: Mask
    """The units that are in entry areas."""

    def stack(self, place: int) -> Mask:
        """The units in a hex or an entry area, or off the map, as a set."""
        return self.stacks.get(place, 0)

    def among(self, places: Mask) -> Mask:
        """The units in any of some hexes, as a set."""
        stacks, found = self.stacks, 0
        for hex in bits(places & self.occupied):
            found |= stacks[hex]
        return found


new_presence: Callable[[tuple[Any, ...]], Presence] = maker(Presence)
