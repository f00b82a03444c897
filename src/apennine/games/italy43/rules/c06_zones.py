"""Chapter 6: zones of control."""

from __future__ import annotations

from typing import NamedTuple

from apennine.hexes import Mask, bits

from ..table.position import Table
from ..table.war import War
from .c02_pieces import there


class Exerting(NamedTuple):
    """The hexes from which a side has a zone of control."""

    foot: Mask
    """With a unit that is no vehicle."""
    vehicles: Mask
    """With vehicles alone: their zone needs a way over mountains (6.1d)."""


def exerting(war: War, pos: Table, side: int) -> Exerting:
    """Every combat unit has a zone (6.1a), but those in Full Retreat have none (13.3.2a)."""
    present = there(war, pos, side)
    foot, every = present.foot, present.occupied
    for unit in bits(pos.routed & present.units):
        hex = pos.hex[unit]
        steady = present.stack(hex) & ~pos.routed
        if not steady:
            every &= ~(1 << hex)
        if not steady & ~war.vehicles:
            foot &= ~(1 << hex)
    return Exerting(foot, every & ~foot)


def zone(war: War, pos: Table, side: int) -> Mask:
    """The zone of control of a side: over no all-sea side (6.1b), else over every one (6.1c, d).

    Friendly units do not cancel it for movement and advances; for retreats and supply those do that
    stand in the hex: `zone(...) & ~occupied(...)` (12.2d, 16.3.2e).
    """
    present, routed = there(war, pos, side), pos.routed & war.army[side]
    known = war.zones_known[side]
    if known is None or known[0] is not present or known[1] != routed:
        known = present, routed, war.zone(*exerting(war, pos, side))
        war.zones_known[side] = known
    return known[2]


def zone_from(war: War, pos: Table, hex: int, side: int) -> Mask:
    """The zone of the one stack of a side in a hex (14.4.1a)."""
    foot, vehicles = exerting(war, pos, side)
    return war.zone(foot & 1 << hex, vehicles & 1 << hex)
