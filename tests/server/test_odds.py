"""Odds over HTTP: on the sand table, and in a match without telling what its player cannot see."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from apennine.games import get
from apennine.kernel.decision import Choice
from apennine.kernel.match import Match
from apennine.mechanics.explorer import targets
from apennine.server import odds
from apennine.server.catalogue import Source
from apennine.server.errors import Refused
from apennine.server.state import Eyes
from tests.contracts.contracts import imagined
from tests.server.test_secrets import room_of


def attack_in(key: str, side: int) -> Match[Any]:
    """A moment of random play in which a side can attack."""
    for seed in range(40):
        match, random = Match(get(key), seed=seed), Random(seed)
        for _ in range(1500):
            decision = match.decision
            if not isinstance(decision, Choice):
                break
            if decision.side == side and targets(match):
                return match
            match.choose(decision.options[int(random.random() * len(decision.options))])
    raise AssertionError("nobody could attack")


def test_a_sand_table_says_what_may_be_set_and_what_it_comes_to():
    source = Source("underbelly")
    table = odds.lay(source)
    assert {"attack mountain", "defence tac", "bombers"} < {knob.key for knob in table.knobs}
    assert {troop.side for troop in table.troops} == {"Allied", "German"}
    found = odds.on_table(source, odds.AskOdds({}, ["US 36"], ["71 Inf"]))
    assert found.now is not None
    assert sum(Fraction(chance.exact) for chance in found.now.chances) == 1
    assert odds.on_table(source, odds.AskOdds()).refused.startswith("Guns alone")


@pytest.mark.parametrize("key", ["crossing", "underbelly", "italy1944"])
def test_in_a_match_the_same_is_told_whatever_the_other_side_hides(key: str):
    match = attack_in(key, 1)
    eyes = Eyes((1,), 1)
    aims = odds.in_match(room_of(match), eyes, odds.AskAttack()).targets
    assert aims
    told = [odds.in_match(room_of(match), eyes, odds.AskAttack(aim)) for aim in aims]
    assert any(each.now for each in told)
    for seed in range(3):
        twin = imagined(match, 1, Random(seed))
        again = [odds.in_match(room_of(twin), eyes, odds.AskAttack(aim)) for aim in aims]
        assert again == told


def test_who_is_not_asked_is_told_nothing():
    match = attack_in("crossing", 1)
    with pytest.raises(Refused, match="not for you to choose"):
        odds.in_match(room_of(match), Eyes((0,), 0), odds.AskAttack())
    with pytest.raises(Refused, match="not for you to choose"):
        odds.in_match(room_of(match), Eyes((), -1), odds.AskAttack())
