"""The staff bot and the end-run of Watch on the Tiber, on either side of it."""

from __future__ import annotations

from typing import Any

import pytest

from apennine.bots import RandomBot
from apennine.games.underbelly.staff.endrun import chances, is_promising, reaction
from apennine.games.underbelly.staff.goals import plan
from apennine.games.underbelly.staff.mind import Mind, staff_of
from apennine.games.underbelly.staff.weights import USUAL
from apennine.games.underbelly.table.position import ALLIED, GERMAN, TIBER, Table
from apennine.kernel.match import Match
from tests.games.underbelly.skirmish import GAME, WAR, at, begin, number, table, verbs, where

STAFF = GAME.bots["staff"]
FRONT = "46 Inf @ 2822; US 36 @ 2921; 1 Abn @ 4108; HG @ 2521"
BOX = "US 45, US 3, US 34, US VI, 78 Inf @ available"
LINE = "16 Pz @ 2320; 15 PG @ 2318; 3 PG @ 2316; 1 Para @ 2314; 2 Para @ 2311; 29 PG @ 2308"


def tiber(counters: str, side: int = ALLIED, **fields: Any) -> Match[Table]:
    given = {"scenario": TIBER, "turn": 16, "plot": 16}
    return begin(f"{FRONT}; {counters}", side, **given | fields)


def play_phase(match: Match[Table], side: int) -> None:
    """The bot plays a side to the end of its player turn."""
    bots = STAFF(1), RandomBot(1)
    turn = match.position.turn
    while match.decision and (match.position.turn, match.position.side) == (turn, side):
        seat = match.seat()
        match.choose(bots[seat.side != side](seat))


def mind_of(counters: str, side: int = ALLIED, **fields: Any) -> Mind:
    given = {"scenario": TIBER, "turn": 15, "plot": 16}
    return Mind(staff_of(WAR), table(f"{FRONT}; {counters}", side, **given | fields), side)


def test_the_note_names_a_turn_and_not_always_the_same():
    written: set[int] = set()
    for seed in range(12):
        match = tiber(BOX, phase="plot", turn=2, plot=-1)
        assert "plan the end-run" in verbs(match)
        match.choose(STAFF(seed)(match.seat()))
        written.add(match.position.plot)
    assert written == set(USUAL.notes)


def test_the_fewer_steps_the_germans_can_send_the_better_it_looks():
    mind = mind_of(BOX)
    won, lost = zip(*(chances(mind, steps) for steps in range(0, 12, 2)), strict=True)
    assert list(won) == sorted(won, reverse=True)
    assert list(lost) == sorted(lost)
    assert won[0] > 0.4 > won[-1]
    assert lost[-1] > 0.4 > lost[0]


def test_it_sails_when_naples_is_still_shut_and_the_wave_is_ready():
    match = tiber(BOX, phase="orders")
    play_phase(match, ALLIED)
    assert match.position.launched == 16
    sent = [u for u in WAR.members[ALLIED] if match.position.hex[u] == WAR.end_run]
    assert len(sent) == 5
    assert number("46 Inf") not in sent, "the beach would be empty"


def test_it_stays_when_naples_is_open_and_the_germans_have_reserves():
    held = mind_of("3 PG, 65 Inf, 94 Inf @ tenth; 56 Inf @ 2522", switched=True, control=WAR.prizes)
    alone = mind_of("56 Inf @ 2522", switched=True, control=WAR.prizes)
    assert reaction(held) > 4
    assert not is_promising(held)
    assert reaction(alone) < reaction(held)


@pytest.mark.parametrize(("plot", "waits"), [(16, True), (0, False)])
def test_before_the_launch_the_wave_waits_in_the_box(plot: int, waits: bool):
    mind = mind_of("US 45, US 3, US 34, US VI, 78 Inf @ available; 5 Inf @ 4420", plot=plot)
    wanted = plan(mind)
    landing = [name for name in ("US 45", "US 3", "US 34", "78 Inf") if number(name) in wanted]
    assert (landing == []) == waits


def test_divisions_that_lack_come_to_a_port():
    mind = mind_of("US 45, US 3 @ available; 5 Inf, 1 C, XIII Corps @ 3910")
    wanted = plan(mind)
    assert {wanted[number(name)].hex for name in ("5 Inf", "1 C")} == {at("4108")}
    assert wanted[number("XIII Corps")].hex == at("4108")


def test_reinforcements_sail_before_the_die_is_rolled():
    match = tiber(
        "US 45, US 3, US 34, 78 Inf, US VI @ end-run; 8 I, 56 Inf @ available",
        turn=17,
        launched=16,
        tac_active=True,
        tac=1,
    )
    chosen = STAFF(1)(match.seat())
    assert chosen.verb == "reinforce the end-run"
    while match.decision and match.position.reinforced < 2:
        match.choose(STAFF(1)(match.seat()))
    assert match.position.rolled < 17


def test_the_german_sends_his_reserve_from_the_box_against_it():
    match = tiber(
        f"{LINE}; US 45, US 3, US 34, 78 Inf, US VI @ end-run; 65 Inf, 94 Inf, 305 Inf @ tenth",
        GERMAN,
        launched=16,
    )
    play_phase(match, GERMAN)
    assert {where(match, name) for name in ("65 Inf", "94 Inf", "305 Inf")} == {"end-run"}


def test_the_german_line_stays_when_the_box_has_enough():
    match = tiber(
        f"{LINE}; US 45, US 3, US 34, 78 Inf, US VI @ end-run;"
        "65 Inf, 94 Inf, 305 Inf, 44 Inf @ tenth",
        GERMAN,
        launched=16,
    )
    play_phase(match, GERMAN)
    posts = ("16 Pz", "15 PG", "3 PG", "1 Para", "2 Para", "29 PG")
    assert "end-run" not in {where(match, name) for name in posts}
