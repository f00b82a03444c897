"""Where the units of a side are, as sets of hexes: what stacking, zones and supply rest on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from apennine.hexes import Mask


class Presence(NamedTuple):
    """Where the units of a side are, whatever their strength."""

    occupied: Mask
    units: Mask
    """The units that are in hexes."""
    stacks: Mapping[int, Mask]
    """By location, boxes and numbers below 0 included, the units that are there."""

    def stack(self, place: int) -> Mask:
        """The units in a hex or a box, or off the map, as a set."""
        return self.stacks.get(place, 0)

    def among(self, places: Mask) -> Mask:
        """The units in any of some hexes, as a set."""
        found = 0
        for place, units in self.stacks.items():
            if place >= 0 and places >> place & 1:
                found |= units
        return found
