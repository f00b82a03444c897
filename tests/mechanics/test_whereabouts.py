"""Whereabouts, against counting everybody anew."""

from __future__ import annotations

from random import Random

import pytest

from apennine.mechanics.whereabouts import Lookout, Lookouts, Whereabouts

HEXES, BOXES = 12, 2
BIT = [*(1 << hex for hex in range(HEXES)), *[0] * BOXES, *[0] * 3]
UNITS = range(5, 25)
GUNS = 0b1010 << 10
DEPTH, GUN_DEPTH = 3, 2


def counted(places: list[int], count: int, kind: int = -1) -> int:
    """The hexes with so many units of a kind."""
    mask = 0
    for hex in range(HEXES):
        units = [u for u, place in zip(UNITS, places) if place == hex and kind >> u & 1]
        mask |= (len(units) >= count) << hex
    return mask


@pytest.mark.parametrize("seed", range(20))
def test_what_is_kept_is_what_is_counted_whichever_position_is_looked_at(seed: int):
    random = Random(seed)
    lookout = Lookout(BIT, UNITS, DEPTH, {"guns": (GUNS, GUN_DEPTH)})
    tables = [[-1] * len(UNITS) for _ in range(3)]
    for _ in range(200):
        places = random.choice(tables)
        for _ in range(random.randint(0, 3)):
            places[random.randrange(len(UNITS))] = random.randrange(-3, HEXES + BOXES)
        there = lookout.find(places[:])
        for count in range(1, DEPTH + 1):
            assert there.at_least(count) == counted(places, count)
        for count in range(1, GUN_DEPTH + 1):
            assert there.at_least(count, "guns") == counted(places, count, GUNS)
        assert there.occupied == counted(places, 1)
        assert there.units == sum(1 << u for u, at in zip(UNITS, places) if 0 <= at < HEXES)
        for place in range(-3, HEXES + BOXES):
            stack = sum(1 << u for u, at in zip(UNITS, places) if at == place)
            assert there.stack(place) == stack
        some = random.getrandbits(HEXES + BOXES)
        among = sum(1 << u for u, at in zip(UNITS, places) if at >= 0 and some >> at & 1)
        assert there.among(some) == among


def test_an_answer_stays_what_it_was_when_another_position_is_looked_at():
    lookout = Lookout(BIT, UNITS, DEPTH)
    first = lookout.find([3] * len(UNITS))
    lookout.find([4] * len(UNITS))
    assert (first.occupied, first.stack(3)) == (1 << 3, sum(1 << u for u in UNITS))


def test_lookouts_of_two_sides_find_whatever_position_is_looked_at_and_read_only_what_moved():
    read: list[int] = []

    def reading(side: int, there: Whereabouts) -> int:
        read.append(side)
        return there.occupied

    sides = Lookouts([Lookout(BIT, range(3), 1), Lookout(BIT, range(3, 5), 1)], reading)
    places = [4, 4, -1, 7, 12]
    assert sides.find(places) == [1 << 4, 1 << 7]
    assert sides.find(places.copy()) == [1 << 4, 1 << 7]
    read.clear()
    places[2] = 5
    assert sides.find(places) == [0b11 << 4, 1 << 7]
    assert sides.find(places.copy()) == [0b11 << 4, 1 << 7]
    assert read == [0]
