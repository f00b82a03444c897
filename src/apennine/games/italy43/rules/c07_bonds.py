"""Chapter 7: ZOC Bonds, the lines between two units that no enemy enters or crosses.

A Hex Bond joins two units in a straight line, and its hex is closed to the enemy. A Hexside Bond
joins two whose hexes have two hexes between them, and the side where these meet is closed. Where
the ground lets a bond run is known beforehand (`Terrain`); here whole maps of unit hexes are laid
over that by shifting them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from apennine.hexes import NO_SIDES, Mask, Sides, bits

from ..table.position import Table
from ..table.terrain import Links, ahead
from ..table.war import War
from .c02_pieces import occupied, there, unready
from .c05_areas import friendly_areas


class Bonds(NamedTuple):
    """The bonds of a side that hold at this moment."""

    hexes: Mask
    """The hexes of Hex Bonds, which the enemy may not enter."""
    sides: Sides
    """The sides of Hexside Bonds, which he may not cross."""


class Ends(NamedTuple):
    """The hexes of units that form bonds: those of any, and those with one that is no vehicle."""

    every: Mask
    foot: Mask


def ends(war: War, pos: Table, side: int) -> Ends:
    """Units in Good Order, without silhouettes and artillery (7.1a, 7.1c, 7.1d)."""
    present = there(war, pos, side)
    every, foot = present.bonding, present.bonding_foot
    for unit in bits(unready(pos) & war.bonding & present.units):
        hex = pos.hex[unit]
        others = present.stack(hex) & war.bonding & ~unready(pos)
        if not others:
            every &= ~(1 << hex)
        if not others & ~war.vehicles:
            foot &= ~(1 << hex)
    return Ends(every, foot)


def bonds(war: War, pos: Table, side: int) -> Bonds:
    """The bonds of a side. Those of both sides may intersect: then both hold (7.4)."""
    enemies = occupied(war, pos, 1 - side)
    return _bonds(war, ends(war, pos, side), enemies, friendly_areas(war, pos, side))


@lru_cache(1024)
def _bonds(war: War, ends: Ends, enemies: Mask, areas: tuple[str, ...]) -> Bonds:
    every, foot = ends
    return Bonds(
        _hex_bonds(war, every, foot, enemies), _hexside_bonds(war, every, foot, enemies, areas)
    )


def _hex_bonds(war: War, every: Mask, foot: Mask, enemies: Mask) -> Mask:
    """The hexes halfway between two units, unless an enemy is there (7.3b)."""
    ground, shift = war.ground, war.lattice.shift
    found = 0
    for axis in range(3):
        found |= shift(foot, axis) & shift(foot, axis + 3) & ground.straight[axis]
        found |= shift(every, axis) & shift(every, axis + 3) & ground.straight_vehicles[axis]
    return found & ~enemies


def _hexside_bonds(
    war: War, every: Mask, foot: Mask, enemies: Mask, areas: tuple[str, ...]
) -> Sides:
    """The sides halfway between two units, or between a unit and an area (7.5).

    A bond is pushed into the hex on its left or on its right, never into one with an enemy, and
    holds if it holds there (7.6.1b). So with enemies in both it is broken (7.3a).
    """
    ground, lattice = war.ground, war.lattice
    sides = list(NO_SIDES)
    anchors, vehicle_anchors = war.anchors(areas, False), war.anchors(areas, True)
    for d in range(6):
        left_free = ~ahead(lattice, enemies, d + 3)
        right_free = ~ahead(lattice, enemies, d + 4)
        held = foot & _held(anchors[d], left_free, right_free)
        held |= every & _held(vehicle_anchors[d], left_free, right_free)
        if d < 3:  # the others are the same pairs seen from the other end
            pairs = foot & ahead(lattice, foot, d + 3, d + 4)
            held |= pairs & _held(ground.slanted[d], left_free, right_free)
            pairs = every & ahead(lattice, every, d + 3, d + 4)
            held |= pairs & _held(ground.slanted_vehicles[d], left_free, right_free)
        if held:
            sides[(d + 2) % 6] |= ahead(lattice, held, d)
            sides[(d + 5) % 6] |= ahead(lattice, held, d + 1)
    a, b, c, e, f, g = sides
    return a, b, c, e, f, g


def _held(links: Links, left_free: Mask, right_free: Mask) -> Mask:
    return links.left & left_free | links.right & right_free


def is_barred(bonds: Bonds, war: War, here: int, hex: int) -> bool:
    """Whether a step enters a Hex Bond or crosses a Hexside Bond of the enemy (7.2)."""
    d = war.lattice.direction(here, hex)
    return bool(bonds.hexes >> hex & 1 or (d >= 0 and bonds.sides[d] >> here & 1))
