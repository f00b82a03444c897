"""Ground and hexsides, against looking at one hexside after the other."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from apennine.games import board
from apennine.hexes import NO_SIDES
from apennine.mechanics.ground import UNREACHED, Ground, common, into, less, union, within
from apennine.mechanics.trace import Line, in_supply, trace

BOARD = board("italy1944")
LATTICE = BOARD.lattice
EDGES = LATTICE.edges(LATTICE.all_sides)


@pytest.mark.parametrize("seed", range(5))
def test_sets_of_hexsides_are_sets(seed: int):
    random = Random(seed)
    one, two = (set(random.sample(EDGES, 60)) for _ in range(2))
    a, b = LATTICE.sides(one), LATTICE.sides(two)
    assert union([a, b]) == LATTICE.sides(one | two)
    assert common(a, b) == LATTICE.sides(one & two)
    assert less(a, b) == LATTICE.sides(one - two)
    assert union([]) == NO_SIDES


def test_hexsides_within_a_set_and_into_it():
    some = LATTICE.disc(LATTICE.parse("2419"), 2)
    inner = [e for e in EDGES if all(some >> hex & 1 for hex in LATTICE.edge_hexes(e))]
    assert within(LATTICE, some) == LATTICE.sides(inner)
    for d, hex in product(range(6), LATTICE):
        there = LATTICE.neighbour(hex, d)
        assert bool(into(LATTICE, some)[d] >> hex & 1) == (there >= 0 and bool(some >> there & 1))


def test_the_ground_is_crossed_over_sides_with_land_on_both_banks_and_no_barrier():
    land = BOARD.regions["allied"] | BOARD.regions["german"]
    ground = Ground(BOARD, land, ("lake", "not on this map"))
    lakes = set(LATTICE.edges(BOARD.sides["lake"]))
    dry = {e for e in EDGES if all(land >> hex & 1 for hex in LATTICE.edge_hexes(e))} - lakes
    assert set(LATTICE.edges(ground.open)) == dry
    assert ground.beside[LATTICE.parse("2419")] == LATTICE.cross(
        1 << LATTICE.parse("2419"), ground.open
    )
    assert set(LATTICE.edges(ground.sides("river"))) == dry & set(
        LATTICE.edges(BOARD.sides["river"])
    )
    assert set(LATTICE.edges(ground.roads("road"))) == dry & set(LATTICE.edges(BOARD.roads["road"]))
    assert ground.bit[LATTICE.parse("2419")] == 1 << LATTICE.parse("2419")
    assert ground.bit[BOARD.box("reserve").location] == ground.bit[-1] == ground.bit[-3] == 0
    assert ground.kind("town", "city") == (BOARD.kinds["town"] | BOARD.kinds["city"]) & land


def test_how_far_hexes_are_by_cheap_and_by_dear_ways():
    land = LATTICE.all
    ground = Ground(BOARD, land)
    start = LATTICE.parse("2419")
    far = ground.spread(1 << start, [(ground.open, 1)])
    rings = [1 << start]
    while rings[-1]:
        rings.append(LATTICE.neighbours_of(rings[-1]) & LATTICE.all & ~sum(rings))
    assert all(rings[far[hex]] >> hex & 1 for hex in LATTICE)
    roads = ground.roads("road")
    dear = ground.spread(1 << start, [(roads, 1), (ground.open, 100)])
    assert all(dear[hex] >= far[hex] for hex in LATTICE)
    assert all(
        dear[hex] < 100
        for hex in LATTICE
        if LATTICE.flood_sides(1 << start, land, roads) >> hex & 1
    )
    lonely = Ground(BOARD, 1 << start)
    assert lonely.spread(1 << start, [(lonely.open, 1)])[LATTICE.parse("2420")] == UNREACHED


@pytest.mark.parametrize("seed", range(3))
def test_a_net_of_supply_is_that_of_a_trace_whatever_was_asked_before(seed: int):
    random, ground = Random(seed), Ground(BOARD, BOARD.regions["land"], ("lake",))
    hexes = [hex for hex in LATTICE if ground.land >> hex & 1]
    sources, blocked = sum(1 << hex for hex in random.sample(hexes, 3)), 0
    for _ in range(60):
        blocked ^= sum(1 << hex for hex in random.sample(hexes, 4))
        line = Line(ground.open, blocked=blocked)
        expected = in_supply(LATTICE, sources, line)
        assert ground.net(blocked, sources) == expected
        assert ground.trace(blocked, sources).mask == trace(LATTICE, sources, line).mask == expected
        assert ground.zone(blocked) == LATTICE.cross(blocked, ground.open)
