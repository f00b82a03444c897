"""Positions as numbers: a fixed layout, of what a side sees."""

import re
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from apennine.games import get, keys
from apennine.kernel.encoding import UNSEEN, Encoder
from apennine.kernel.game import EVERYBODY, GameError
from apennine.kernel.match import Match
from tests.kernel.toy import game as toy

CROSSING = get("crossing")


def played(key: str, decisions: int) -> Match:
    match, random = Match(get(key), seed="encoding"), Random(5)
    for _ in range(decisions):
        if match.decision:
            match.choose(random.choice(match.decision.options))
    return match


@pytest.mark.parametrize("key", [key for key in keys() if get(key).encoding])
def test_every_position_has_the_same_shape(key: str):
    game = get(key)
    encoder, match = game.encoder, played(key, 60)
    packed = [
        game.encode(pos, side)
        for pos in (match.start, match.position)
        for side in range(EVERYBODY, len(game.sides))
    ]
    arrays = encoder.arrays(packed)
    assert {len(each) for each in packed} == {encoder.size}
    assert arrays.planes.shape == (6, len(encoder.planes), game.board.size)
    assert arrays.units.shape == (6, len(game.units), len(encoder.units))
    assert arrays.numbers.shape == (6, len(encoder.numbers))
    for many, one in zip(arrays, encoder.arrays(packed[1]), strict=True):
        assert np.array_equal(many[1], one)


def test_the_arrays_say_what_the_position_says():
    match = played("crossing", 30)
    game, pos = match.game, match.position
    arrays = game.encoder.arrays(game.encode(pos, 0))
    columns = game.encoder.units
    assert list(arrays.units[:, columns.index("place")]) == pos.hex
    assert list(arrays.units[:, columns.index("steps")]) == pos.steps
    moved = arrays.units[:, columns.index("moved")]
    assert [bool(mark) for mark in moved] == [bool(pos.moved >> u & 1) for u in range(len(moved))]
    numbers = dict(zip(game.encoder.numbers, arrays.numbers.tolist(), strict=True))
    assert (numbers["turn"], numbers["active side"]) == (pos.turn, pos.side)
    for side, name in enumerate(game.sides):
        plane = arrays.planes[game.encoder.planes.index(f"{name} counters")]
        there = [hex for u, hex in enumerate(pos.hex) if hex >= 0 and game.war.side_of[u] == side]
        assert {hex: plane[hex] for hex in there} == {hex: there.count(hex) for hex in there}
        assert plane.sum() == len(there)


def test_of_units_in_the_reserve_the_germans_are_given_nothing():
    match = played("italy1944", 200)
    game, pos = match.game, match.position
    hidden = game.unseen(pos, 1)
    assert hidden
    germans = game.encoder.arrays(game.encode(pos, 1)).units
    allies = game.encoder.arrays(game.encode(pos, 0)).units
    for unit in range(len(game.units)):
        if hidden >> unit & 1:
            assert germans[unit, 0] == germans[unit, 1] == UNSEEN
            assert not germans[unit, 2:].any()
        assert allies[unit, 0] == pos.hex[unit]


def test_where_the_charge_lies_is_told_to_its_own_side_alone():
    pos = Match(CROSSING, seed=1).position.copy()
    codes = []
    for pos.charge in (0, 1):
        codes.append([CROSSING.encode(pos, side) for side in (EVERYBODY, 0, 1)])
    assert [a == b for a, b in zip(*codes, strict=True)] == [True, True, False]


def test_a_game_that_gives_nothing_to_learners_says_so():
    with pytest.raises(GameError, match="does not say how its positions are encoded"):
        Encoder(toy())


def test_the_examples_of_the_page_run():
    page = Path(__file__).parents[2] / "docs" / "learning.md"
    scope: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL):
        exec(block, scope)
    assert scope["planes"].shape[0] == 2
