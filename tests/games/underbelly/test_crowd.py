"""Where the units are: what is found bit by bit is what one finds by looking at everything."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from apennine.games.underbelly.rules.c07_zones import there, those_in
from apennine.games.underbelly.table.position import Table
from apennine.hexes import bits, mask_of
from apennine.kernel.match import Match
from tests.games.underbelly.drawing import ALLIED, GAME, GERMAN

WAR = GAME.war


def played(seed: int, count: int) -> list[Table]:
    """The positions of a random game, one at every third decision."""
    match, random = Match(GAME, seed=seed), Random(seed)
    positions: list[Table] = []
    for number in range(count):
        if match.decision is None:
            break
        options = match.decision.options
        match.choose(options[int(random.random() * len(options))])
        if number % 3 == 0:
            positions.append(match.position.copy())
    return positions


def with_at_least(stacks: Counter[int], number: int) -> int:
    return mask_of(hex for hex, units in stacks.items() if units >= number)


def check(pos: Table, side: int) -> None:
    found = there(WAR, pos, side)
    on_map = [unit for unit in WAR.members[side] if WAR.bit[pos.hex[unit]]]
    divisions = Counter(pos.hex[unit] for unit in on_map if not WAR.supports >> unit & 1)
    supports = Counter(pos.hex[unit] for unit in on_map if WAR.supports >> unit & 1)
    groups = [
        mask_of(pos.hex[unit] for unit in on_map if WAR.group[unit] == group)
        for group in range(len(WAR.grouped))
    ]
    zone = 0
    for hex in divisions:
        zone |= WAR.around[hex]
    illegal = with_at_least(divisions, 4) | with_at_least(supports, 2)
    if side == GERMAN:
        for hex in {pos.hex[unit] for unit in on_map}:
            illegal |= 1 << hex if sum(group >> hex & 1 for group in groups) > 1 else 0
    assert found.occupied == mask_of(pos.hex[unit] for unit in on_map)
    assert found.divisions[1:] == tuple(with_at_least(divisions, n) for n in (1, 2, 3))
    assert found.supports == with_at_least(supports, 1)
    assert found.groups == tuple(groups)
    assert found.zone == zone
    assert found.illegal == illegal
    for place in set(pos.hex):
        here = list(bits(those_in(WAR, pos, place, side)))
        assert here == [unit for unit in WAR.members[side] if pos.hex[unit] == place]


@pytest.mark.parametrize("seed", range(3))
def test_units_are_found_whichever_position_is_looked_at_after_which(seed: int):
    positions = played(seed, 300) + played(seed + 10, 300)
    Random(seed).shuffle(positions)
    for pos in positions:
        for side in (ALLIED, GERMAN):
            check(pos, side)


def test_a_stack_that_is_too_big_is_found_and_forgotten_again():
    [pos] = played(1, 1)
    units = [unit for unit in WAR.members[GERMAN] if not WAR.supports >> unit & 1]
    for unit in units[:9]:
        pos.hex[unit] = WAR.special_forces
        check(pos, GERMAN)
    assert there(WAR, pos, GERMAN).illegal >> WAR.special_forces & 1
    for unit in units[:9]:
        pos.hex[unit] = WAR.tenth
        check(pos, GERMAN)
    assert not there(WAR, pos, GERMAN).occupied >> WAR.special_forces & 1
