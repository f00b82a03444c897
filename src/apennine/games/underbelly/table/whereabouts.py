"""Where the units of a side are, as sets of hexes: what stacking, zones and supply rest on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from apennine.hexes import Mask


class Crowd(NamedTuple):
    """Where the units of a side are: sets of hexes."""

    occupied: Mask
    divisions: tuple[Mask, ...]
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
