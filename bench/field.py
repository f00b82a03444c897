"""A made-up map of 1,500 hexes and a position of 100 units, for measuring the mechanics."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from random import Random

from apennine.hexes import Lattice, Numbering, mask_of
from apennine.kernel.position import Position
from apennine.mechanics.reach import Costs

LATTICE = Lattice(Numbering("columns", columns=(1, 50), rows=(1, 30)))


@dataclass(slots=True, eq=False, kw_only=True)
class HundredUnits(Position):
    """As much as a campaign game keeps: six numbers a unit, a queue, a dozen bitboards."""

    hex: list[int]
    steps: list[int]
    points: list[int]
    supply: list[int]
    morale: list[int]
    arrives: list[int]
    queue: list[tuple[int, int]]
    moved: int = 0
    fought: int = 0
    held: tuple[int, int] = (0, 0)
    dug: int = 0
    bridges: int = 0
    target: int = -1
    attackers: int = 0
    weather: int = 0
    score: int = 0


def hundred_units() -> HundredUnits:
    """A hundred units scattered over the map."""
    random = Random(1)
    hexes = random.sample(list(LATTICE), 100)
    numbers = [random.randrange(8) for _ in range(100)]
    return HundredUnits(
        hex=hexes,
        steps=numbers[:],
        points=numbers[:],
        supply=numbers[:],
        morale=numbers[:],
        arrives=numbers[:],
        queue=[(1, 2), (3, 4)],
        held=(mask_of(hexes[:50]), mask_of(hexes[50:])),
        dug=mask_of(hexes[::3]),
        bridges=mask_of(hexes[::4]),
    )


def costs() -> Costs:
    """Mixed terrain with a river across the map and two roads."""
    random = Random(2)
    kinds = {1: 0, 2: 0, 3: 0}
    for hex in LATTICE:
        kinds[random.choices((1, 2, 3), (6, 3, 1))[0]] |= 1 << hex
    river = [
        LATTICE.edge_between(a, b)
        for a in LATTICE
        for b in LATTICE.neighbours(a)
        if LATTICE.code(a)[2:] == "15" and LATTICE.code(b)[2:] == "16"
    ]
    roads = [
        LATTICE.edge_between(a, b)
        for start, end in (("2501", "2530"), ("0115", "5015"))
        for a, b in pairwise(LATTICE.line(LATTICE.parse(start), LATTICE.parse(end)))
    ]
    return Costs.build(
        LATTICE,
        kinds,
        extra=[(LATTICE.sides(river), 1)],
        flat=[(LATTICE.sides(roads), Fraction(1, 2))],
    )
