"""Chapter 22: withdrawals, returns and removals."""

from typing import Any

from apennine.games.italy43.table.position import ALLIED, GERMAN, GONE, LOST, WITHDRAWN, Table
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.italy43.drawing import (
    WAR,
    begin,
    do,
    hexes,
    names,
    number,
    refused,
    steps,
    told,
    units,
    verbs,
)

POOLS = {f"{nation} {kind}": pool for pool, (nation, kind) in enumerate(WAR.pools)}


def muster(counters: str, turn: int, side: int = GERMAN, **fields: Any) -> Match[Table]:
    """The initial phase of a turn; artillery keeps it open."""
    idle = ("X ASU @ 2124", "XIV ASU @ 2201")[side]
    given = {"control": -1 if side == ALLIED else 0, "supply": [1, 1], "turn": turn}
    return begin(f"{counters}; {idle}", "muster", side, **given | fields)


@rule("italy43", "22.1a")
def test_a_withdrawn_unit_leaves_from_wherever_it_is_with_its_steps():
    match = muster("I/9/26 @ 1905 steps=1 hungry; II/9/26, 26/26 @ N1", 7)
    assert refused(match, "end the initial phase").rule == "22.1a"
    do(match, "withdraw", "26/26")
    pos = match.position
    assert {pos.hex[number(name)] for name in ("I/9/26", "II/9/26", "26/26")} == {WITHDRAWN}
    assert steps(match, "I/9/26") == 1
    assert not pos.hungry
    do(match, "end the initial phase")


@rule("italy43", "22.1a")
def test_nobody_is_withdrawn_before_his_turn():
    match = muster("I/9/26 @ 2512", 6)
    assert refused(match, "withdraw", "I/9/26").rule == "22.1a"


@rule("italy43", "22.1b")
def test_it_returns_like_a_reinforcement_as_it_left():
    match = muster("I/9/26 @ 2512 steps=1; 267/94 @ 1706", 7)
    do(match, "withdraw", "I/9/26")
    match.position.turn, match.position.phase = 14, "muster"
    again = begin_from(match.position)
    assert hexes(again, "bring on", "I/9/26") == {"N2", "N3"}
    do(again, "bring on", "I/9/26", "N2")
    assert steps(again, "I/9/26") == 1


def begin_from(pos: Table) -> Match[Table]:
    from tests.games.italy43.drawing import GAME

    return Match(GAME, position=pos.copy(), seed=1)


@rule("italy43", "22.1b")
def test_a_remnant_stays_one_while_it_is_away():
    match = muster("1/HG @ 2512 steps=1; 2/HG @ 2512", 15)
    do(match, "withdraw", "2/HG")
    assert match.position.remnants == units("1/HG")


@rule("italy43", "22.1c")
def test_who_is_eliminated_then_does_not_come_back_by_himself():
    match = muster("II/9/26 @ 2512", 7, lost="I/9/26")
    do(match, "withdraw", "II/9/26")
    assert match.position.hex[number("I/9/26")] == LOST
    match.position.turn, match.position.phase = 14, "muster"
    again = begin_from(match.position)
    assert "I/9/26" not in names(again, "bring on")


@rule("italy43", "22.2.1")
def test_removed_units_leave_for_good():
    match = muster("II/FJ3 @ 2512; III/FJ3 @ 1905", 3)
    assert refused(match, "end the initial phase").rule == "22.2.1"
    do(match, "remove", "II/FJ3")
    assert {match.position.hex[number(name)] for name in ("II/FJ3", "III/FJ3")} == {GONE}
    assert set(told(match, "is removed")) == {"II/FJ3", "III/FJ3"}
    do(match, "end the initial phase")


@rule("italy43", "22.2.2a")
def test_for_one_that_is_eliminated_a_replacement_is_forfeited():
    # Turn 3 of the extended example: one of two is lost, and the one Replacement is gone.
    match = muster("II/FJ3 @ 2512; 8/3PG @ 2512 steps=2", 3, lost="III/FJ3")
    pool = POOLS["Ge infantry"]
    assert match.position.due[pool] == 1
    assert refused(match, "replace", "8/3PG", value=pool).rule == "22.2.2a"
    do(match, "remove", "II/FJ3")
    assert match.position.due[pool] == 0


@rule("italy43", "22.2.2a")
def test_none_is_forfeited_for_those_who_stay():
    match = muster("II/FJ3, III/FJ3 @ 2512", 3, lost="1/HG")
    do(match, "remove", "II/FJ3")
    assert match.position.due[POOLS["Ge infantry"]] == 1


@rule("italy43", "22.2.2a")
def test_so_for_a_remnant_and_the_owner_picks_which():
    match = muster("8/3PG @ 2512 steps=1; 29/3PG @ 2511; 103/3PG, 103 StuG, 3PG ASU @ 2510", 22)
    before = match.position.due
    assert [before[POOLS[f"Ge {kind}"]] for kind in ("infantry", "special")] == [2, 1]
    do(match, "remove", "8/3PG")
    assert verbs(match) == {"forfeit"}
    do(match, "forfeit", value=POOLS["Ge special"])
    after = match.position.due
    assert [after[POOLS[f"Ge {kind}"]] for kind in ("infantry", "special")] == [2, 0]
    assert not match.position.remnants  # it is back in the display
    assert not match.check()


@rule("italy43", "22.2.2b")
def test_for_two_of_a_group_all_of_that_nation_are():
    match = muster("103/3PG, 103 StuG, 3PG ASU @ 2510", 22, lost="8/3PG, 29/3PG")
    do(match, "remove", "103/3PG")
    assert sum(match.position.due) == 0


@rule("italy43", "22.2.2c")
def test_but_none_of_another_nation_and_none_for_units_that_are_only_reduced():
    # 7th Armoured is British: turn 15 has replacements of both nations.
    match = muster("131/7, 11H/7 @ 2123", 15, ALLIED, lost="22/7, 7 Br ASU")
    due = match.position.due
    assert due[POOLS["US infantry"]] == due[POOLS["Br infantry"]] == 1
    do(match, "remove", "131/7")
    assert match.position.due[POOLS["US infantry"]] == 1
    assert match.position.due[POOLS["Br infantry"]] == 0
    match = muster("131/7 @ 2123 steps=2; 11H/7, 22/7, 7 Br ASU @ 2124", 15, ALLIED)
    do(match, "remove", "131/7")
    assert match.position.due[POOLS["Br infantry"]] == 1


@rule("italy43", "3.0B1a")
def test_all_that_is_done_in_the_initial_phase_is_done_in_any_order():
    counters = "II/FJ3, III/FJ3 @ 2512; 8/3PG @ 2201 steps=2"
    match = muster(counters, 3)
    assert {"ready", "replace", "remove", "start a fortification"} <= verbs(match)
    do(match, "replace", "8/3PG", value=POOLS["Ge infantry"])
    do(match, "ready", "XIV ASU")
    do(match, "remove", "II/FJ3")
    do(match, "start a fortification", hex="2504")
    do(match, "end the initial phase")
    assert match.position.phase == "movement"
