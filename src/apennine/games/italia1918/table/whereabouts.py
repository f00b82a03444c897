"""Where the units of a side are, as sets of hexes: what stacking, zones and supply rest on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from apennine.hexes import Mask
from apennine.mechanics.whereabouts import among

COMBAT, GROUND, FIRM = "combat", "ground", "firm"
"""Kinds that a lookout counts: combat units; all but air supports; of these all but depots."""


class Presence(NamedTuple):
    """Where the units of a side are, whatever their state."""

    units: Mask
    """The units that are in hexes."""
    stacks: Mapping[int, Mask]
    """By location, numbers below 0 included, the units that are there."""
    combat: Mask
    """Hexes with a combat unit."""
    ground: Mask
    """Hexes with any unit but an air support."""
    closed: Mask
    """Hexes that the enemy may not enter: a depot alone does not close them (15.5.2)."""
    zone: Mask
    """The hexes next to its combat units: its zone of control (5.0)."""

    def stack(self, place: int) -> Mask:
        """The units in a hex, or off the map, as a set."""
        return self.stacks.get(place, 0)

    def among(self, places: Mask) -> Mask:
        """The units in any of some hexes, as a set."""
        return among(self.stacks, places)
