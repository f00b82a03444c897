"""Samples of the ground: tests name what they need of a hexside, not where it happens to be."""

from __future__ import annotations

from apennine.hexes import Mask, Sides, bits
from tests.games.anzio.drawing import WAR


def side_of(sides: Sides, without: Sides | None = None, within: Mask = -1) -> tuple[str, str]:
    """The first two hexes off all rivers with a side of one kind between them, not of another."""
    ground, lattice = WAR.ground, WAR.lattice
    calm = ground.stands & ~ground.rivers.hexes & within
    for d in range(6):
        left = sides[d] & ~(without[d] if without else 0)
        for hex in bits(left & calm):
            beyond = lattice.neighbour(hex, d)
            if calm >> beyond & 1:
                return lattice.code(hex), lattice.code(beyond)
    raise LookupError("The map has no such side.")
