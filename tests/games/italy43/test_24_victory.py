"""Chapter 24: victory points and how scenarios end."""

from typing import Any

import pytest

from apennine.games.italy43.rules.c24_victory import (
    ALLIED_AHEAD,
    ALLIED_GOAL,
    GERMAN_AHEAD,
    GERMAN_GOAL,
    UNDECIDED,
    judge,
    judgement,
    score,
)
from apennine.games.italy43.table.position import ALLIED, DEAD, GERMAN, Table
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.italy43.drawing import GAME, WAR, at, mask, number, table

NAPLES = "2023 2123 2124"


def points(held: str, counters: str = "7/3 @ 2124", **fields: Any) -> int:
    """The score with Naples and these hexes in Allied hands, Capua and Amorosi among them."""
    return score(WAR, table(counters, control=mask(f"{NAPLES} {held}"), **fields))


def verdict(turn: int, total: int, scenario: str = "campaign") -> int:
    last = 7 if scenario == "volturno" else 32
    return judge(WAR, table(turn=turn, last_turn=last, score=total, scenario=scenario))


@rule("italy43", "24.1.1a")
def test_the_allies_score_for_the_places_that_they_control():
    roads = "2220 2519 2620 2621 2726 2127 2228 2130 3130"
    assert points("") == 0
    assert points(f"{roads} 2518 3119") == 2
    assert points(f"{roads} 2518 3119 3625") == 3


@rule("italy43", "24.1.1b")
def test_only_with_a_line_of_supply():
    held = "2220 2519 2620 2621 2726 2127 2228 2130 3130 2518"
    assert points(held) == 1
    # Six units two hexes away, bonded all around.
    lattice, names = WAR.lattice, ("8/3PG", "29/3PG", "103/3PG", "15/29", "71/29", "131/44")
    ends = [lattice.neighbour(lattice.neighbour(at("2518"), d), d) for d in range(6)]
    ring = "; ".join(f"{name} @ {lattice.code(hex)}" for name, hex in zip(names, ends))
    assert points(held, ring) == 0


@rule("italy43", "24.1.2a")
def test_an_eliminated_airborne_regiment_costs_a_point():
    assert points("", lost="504/82") == -1
    assert points("", lost="325G/82, 505/82") == -2
    assert points("", "504/82 @ 2123 steps=1") == 0  # a Remnant
    assert points("", lost="2/509, 7/3") == 0  # a battalion; no airborne


@rule("italy43", "24.1.2b")
def test_eliminated_artillery_counts_for_and_against():
    assert points("", lost="3 ASU") == -1
    assert points("", lost="XIV ASU, 71 NW") == 2


@rule("italy43", "24.1.2c", "16.5.6")
def test_who_comes_back_counts_no_more_and_who_died_of_isolation_does():
    pos = table("7/3 @ 2124", control=mask(NAPLES), lost="3 ASU")
    assert score(WAR, pos) == -1
    pos.hex[number("3 ASU")] = DEAD
    assert score(WAR, pos) == -1
    pos.hex[number("3 ASU")] = pos.hex[number("7/3")]
    assert score(WAR, pos) == 0


MARKS = WAR.book.calendar.benchmarks


@rule("italy43", "24.2.1a")
def test_the_allies_win_at_once_five_above_the_benchmark_or_with_twenty():
    assert verdict(10, MARKS[9] + 4) == UNDECIDED
    assert verdict(10, MARKS[9] + 5) == ALLIED_AHEAD
    assert verdict(25, 19) == UNDECIDED
    assert verdict(25, 20) == ALLIED_AHEAD
    assert verdict(1, 20) == UNDECIDED  # from turn 2 on


@rule("italy43", "24.2.1b")
def test_the_germans_five_below():
    assert verdict(20, MARKS[19] - 4) == UNDECIDED
    assert verdict(20, MARKS[19] - 5) == GERMAN_AHEAD
    assert verdict(1, -6) == UNDECIDED


ENDS = [("volturno", 7, 6, GERMAN_GOAL), ("volturno", 7, 7, ALLIED_GOAL)]


@rule("italy43", "S1.2a", "S1.1")
@pytest.mark.parametrize(("scenario", "turn", "total", "end"), ENDS)
def test_across_the_volturno_needs_seven_points(scenario: str, turn: int, total: int, end: int):
    assert verdict(turn, total, scenario) == end


@rule("italy43", "S1.2b")
def test_automatic_victory_holds_there_too():
    assert verdict(5, MARKS[4] + 5, "volturno") == ALLIED_AHEAD
    assert verdict(7, MARKS[6] - 5, "volturno") == GERMAN_AHEAD


@rule("italy43", "S2.2", "S3.2")
@pytest.mark.parametrize("scenario", ["bernhard", "campaign"])
def test_the_others_need_eighteen_after_turn_32(scenario: str):
    assert verdict(31, 17, scenario) == UNDECIDED
    assert verdict(32, 17, scenario) == GERMAN_GOAL
    assert verdict(32, 18, scenario) == ALLIED_GOAL


@rule("italy43", "3.0D")
def test_the_match_ends_where_a_victory_check_finds_a_winner():
    pos = table("7/3 @ 2124", "victory", turn=20, control=mask(NAPLES))
    match = Match(GAME, position=pos, seed=1)
    assert match.position.phase == "over"
    found = judgement(WAR, match.position)
    assert found
    assert found[0] == GERMAN
    assert "turn 20" in found[1]
    pos = table("7/3 @ 2124", "victory", turn=2, control=mask(NAPLES))
    match = Match(GAME, position=pos, seed=1)
    assert (match.position.turn, match.position.verdict) == (3, UNDECIDED)


def test_who_wins_is_told_with_the_reason():
    for end, winner in ((ALLIED_GOAL, ALLIED), (GERMAN_GOAL, GERMAN), (ALLIED_AHEAD, ALLIED)):
        pos: Table = table(turn=32, verdict=end, score=18)
        found = judgement(WAR, pos)
        assert found
        assert found[0] == winner
        ahead = end == ALLIED_AHEAD
        assert ("mark is" in found[1], "At the end" in found[1]) == (ahead, not ahead)
    assert judgement(WAR, table()) is None


def test_a_single_point_is_told_as_one():
    pos = table(verdict=GERMAN_AHEAD, score=1, turn=5)
    told = judgement(WAR, pos)
    assert told is not None
    assert told[1].startswith("The Allies have 1 point in turn 5")
