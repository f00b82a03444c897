"""What the staff bot may know: its choice never rests on what its side cannot see."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from apennine.games.underbelly.rules.c06_fog import hidden
from apennine.games.underbelly.staff.sight import sighted
from apennine.games.underbelly.table.position import ALLIED, GERMAN, Table
from apennine.kernel.decision import Choice, Option
from apennine.kernel.match import Match, Seat
from tests.games.underbelly.skirmish import GAME, WAR, at, number, table

STAFF = GAME.bots["staff"]
EVERY = 6
"""Of so many decisions one is looked at."""


def decisions(scenario: str, seed: str, side: int, until: int) -> Iterator[Match[Table]]:
    """Some of a side's decisions in a match of two staff bots."""
    match = Match(GAME, scenario=scenario, seed=seed)
    bots = STAFF(1), STAFF(2)
    count = 0
    while match.decision and match.position.turn < until:
        seat = match.seat()
        count += seat.side == side
        if seat.side == side and count % EVERY == 0:
            yield match
        match.choose(bots[seat.side](seat))


@pytest.mark.parametrize(("scenario", "seed"), [("historical", "fog/1"), ("wat", "fog/2")])
def test_the_german_chooses_the_same_whatever_lies_under_the_allied_tops(scenario: str, seed: str):
    looked_at = differing = 0
    for match in decisions(scenario, seed, GERMAN, until=11):
        chosen = STAFF(3)(match.seat())
        for dream in range(1, 5):
            other = match.seat().dream(dream)
            differing += other.position.hex != match.position.hex
            assert STAFF(3)(other.seat()) == chosen
        looked_at += 1
    assert looked_at >= 10
    assert differing >= looked_at


def test_what_the_german_guesses_is_the_same_for_all_that_looks_the_same():
    """The notes differ, and who is where under the tops and in the box."""
    notes: set[int] = set()
    places: set[tuple[int, ...]] = set()
    for match in decisions("wat", "fog/3", GERMAN, until=7):
        guess = sighted(WAR, match.position, GERMAN).state()
        for dream in range(1, 5):
            pos = match.seat().dream(dream).position
            assert sighted(WAR, pos, GERMAN).state() == guess
            notes.add(pos.plot)
            places.add(tuple(pos.hex))
    assert len(notes) > 3
    assert len(places) > 20


def test_the_guess_keeps_what_is_in_sight_and_gives_a_stack_units_of_its_own_nation():
    pos = table(
        "US 36, US 45, US VI @ 2921; 46 Inf, 56 Inf, X Corps @ 2822; US 3, 7 Arm @ available;"
        "HG @ 2521"
    )
    pos.tops = 1 << number("US 36") | 1 << number("46 Inf")
    guess = sighted(WAR, pos, GERMAN)
    assert guess.hex[number("US 36")] == at("2921")
    assert guess.hex[number("46 Inf")] == at("2822")
    assert guess.hex[number("HG")] == at("2521")
    for code, nation in (("2921", "US"), ("2822", "GB")):
        there = [u for u in WAR.members[ALLIED] if guess.hex[u] == at(code)]
        assert len(there) == 3
        assert {WAR.book.units[u].group for u in there} == {nation}


def test_the_germans_hide_nothing_so_the_allied_bot_looks_at_the_position_itself():
    for match in decisions("wat", "fog/4", ALLIED, until=5):
        pos = match.position
        assert hidden(WAR, pos, ALLIED) == 0
        assert GAME.imagine(pos, ALLIED, Random(1), pos).state() == pos.state()
        assert sighted(WAR, pos, ALLIED) is pos


class Keyhole:
    """A seat with nothing but what was asked, and a dream of the position."""

    def __init__(self, seat: Seat[Table]) -> None:
        self._seat = seat
        self.side = seat.side
        self.decision: Choice = seat.decision

    def dream(self, seed: int) -> Match[Table]:
        dreamt = self._seat.dream(seed)
        assert dreamt.seed != self._seat.dream(seed + 1).seed, "the real dice show"
        return dreamt


@pytest.mark.parametrize("side", [ALLIED, GERMAN])
def test_it_asks_its_seat_for_the_decision_and_a_dream_and_no_more(side: int):
    for match in decisions("historical", "fog/5", side, until=6):
        keyhole: Any = Keyhole(match.seat())
        chosen: Option = STAFF(4)(keyhole)
        assert chosen == STAFF(4)(match.seat())
