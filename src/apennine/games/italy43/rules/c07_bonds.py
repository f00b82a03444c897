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
from ..table.terrain import ahead
from ..table.war import War
from .c02_pieces import both, there, unready
from .c05_areas import friendly_areas


class Bonds(NamedTuple):
    """The bonds of a side that hold at this moment."""

    hexes: Mask
    """The hexes of Hex Bonds, which the enemy may not enter."""
    sides: Sides
    """The sides of Hexside Bonds, which he may not cross."""


class Frame(NamedTuple):
    """Where the bonds of a side run as long as no enemy breaks them."""

    hexes: Mask
    slants: tuple[tuple[int, Mask, Mask], ...]
    """Directions, and the hexes from which a Hexside Bond may run so by its left and right."""
    touched: Mask
    """Where an enemy would break a bond, or push it aside."""


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
    """The bonds of a side. Those of both sides may intersect: then both hold (7.4).

    They are worked out again only if its own units have moved or changed their order, or enemies
    have come to where they matter, or left.
    """
    sides = both(war, pos)
    present, shaken, turn = sides[side], unready(pos) & war.army[side], pos.turn
    known = war.bonds_known[side]
    if known is not None:
        seen, frame, intruders, found = known
        if seen[0] is present and seen[1] == shaken and seen[2] == turn:
            now = sides[1 - side].occupied & frame.touched
            if now == intruders:
                return found
    frame = _frame(war, ends(war, pos, side), friendly_areas(war, pos, side))
    intruders = sides[1 - side].occupied & frame.touched
    found = _unbroken(war, frame, intruders)
    war.bonds_known[side] = (present, shaken, turn), frame, intruders, found
    return found


def breakers(war: War, pos: Table, side: int) -> Mask:
    """The hexes in which one enemy more would break a bond of a side, or push it aside (7.3)."""
    held = bonds(war, pos, side)
    frame = _frame(war, ends(war, pos, side), friendly_areas(war, pos, side))
    enemies = both(war, pos)[1 - side].occupied
    found = 0
    for hex in bits(frame.touched & ~(frame.hexes | enemies)):
        if _unbroken(war, frame, (enemies | 1 << hex) & frame.touched) != held:
            found |= 1 << hex
    return found


@lru_cache(256)
def _frame(war: War, ends: Ends, areas: tuple[str, ...]) -> Frame:
    """Hex Bonds halfway between two units; Hexside Bonds between two, or with an area (7.5)."""
    every, foot = ends
    ground, lattice, shift = war.ground, war.lattice, war.lattice.shift
    hexes = 0
    for axis in range(3):
        hexes |= shift(foot, axis) & shift(foot, axis + 3) & ground.straight[axis]
        hexes |= shift(every, axis) & shift(every, axis + 3) & ground.straight_vehicles[axis]
    anchors, vehicle_anchors = war.anchors(areas, False), war.anchors(areas, True)
    touched, slants = hexes, list[tuple[int, Mask, Mask]]()
    for d in range(6):
        links = [(foot, anchors[d]), (every, vehicle_anchors[d])]
        if d < 3:  # the others are the same pairs seen from the other end
            links.append((foot & ahead(lattice, foot, d + 3, d + 4), ground.slanted[d]))
            pairs = every & ahead(lattice, every, d + 3, d + 4)
            links.append((pairs, ground.slanted_vehicles[d]))
        left = right = 0
        for hexes_from, (by_left, by_right) in links:
            left |= hexes_from & by_left
            right |= hexes_from & by_right
        if left | right:
            slants.append((d, left, right))
            touched |= ahead(lattice, left, d) | ahead(lattice, right, d + 1)
    return Frame(hexes, tuple(slants), touched)


def _unbroken(war: War, frame: Frame, enemies: Mask) -> Bonds:
    """The bonds that enemies leave: no Hex Bond with one in its hex (7.3b).

    A Hexside Bond is pushed into the hex on its left or on its right, never into one with an enemy,
    and holds if it holds there (7.6.1b). So with enemies in both it is broken (7.3a).
    """
    lattice, sides = war.lattice, list(NO_SIDES)
    for d, left, right in frame.slants:
        held = left & ~ahead(lattice, enemies, d + 3) | right & ~ahead(lattice, enemies, d + 4)
        sides[(d + 2) % 6] |= ahead(lattice, held, d)
        sides[(d + 5) % 6] |= ahead(lattice, held, d + 1)
    a, b, c, e, f, g = sides
    crossed = (a, b, c, e, f, g) if any(sides) else NO_SIDES  # what bars nothing costs nothing
    return Bonds(frame.hexes & ~enemies, crossed)


def is_barred(bonds: Bonds, war: War, here: int, hex: int) -> bool:
    """Whether a step enters a Hex Bond or crosses a Hexside Bond of the enemy (7.2)."""
    d = war.lattice.direction(here, hex)
    return bool(bonds.hexes >> hex & 1 or (d >= 0 and bonds.sides[d] >> here & 1))
