"""Chapter 13: how to win."""

from __future__ import annotations

from typing import Any

import pytest

from apennine.games.italy1944.rules import c13_victory as victory
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.italy1944.drawing import (
    ALLIED,
    GAME,
    GERMAN,
    LOST,
    WAR,
    Table,
    begin,
    go,
    halt,
    march,
    mask,
    pass_on,
    table,
)

SOUTH = ("Naples", "Foggia")
"""What the Allies hold from the start: 10 points."""
PLACES = WAR.board.places


def won(*allied: str, **fields: Any) -> Match[Table]:
    """The end of the last turn, with the Allies in control of these places and of the south."""
    held = " ".join(hex_of(name) for name in (*allied, *SOUTH))
    return begin("end", ALLIED, "US 34 @ 3322; 94 ID @ 1505", turn=9, allied=held, **fields)


def hex_of(name: str) -> str:
    hexes = PLACES[name].hexes
    return WAR.board.code(hexes.bit_length() - 1)


def score(match: Match[Table]) -> tuple[int, int]:
    pos = match.position
    return victory.points(WAR, pos, ALLIED), victory.points(WAR, pos, GERMAN)


@rule("italy1944", "13a")
@pytest.mark.parametrize(
    ("name", "points"),
    [("Rome", 15), ("Bologna", 10), ("Florence", 5), ("Ancona", 5), ("Pisa", 5), ("Cassino", 0)],
)
def test_rome_is_worth_15_bologna_10_and_the_others_5(name: str, points: int):
    before, after = won(), won(name)
    assert score(before) == (10, 70)
    assert score(after) == (10 + points, 70 - points)


@rule("italy1944", "13a")
def test_there_are_13_victory_hexes_all_the_others_worth_5():
    numbers = {name: place.numbers["vp"] for name, place in PLACES.items() if place.numbers}
    assert len(numbers) == 13
    assert {name for name, worth in numbers.items() if worth != 5} == {"Rome", "Bologna"}


@rule("italy1944", "13b")
@pytest.mark.parametrize("destroyed", [0, 1, 2])
def test_the_germans_score_10_for_each_beachhead_destroyed(destroyed: int):
    pos = table("end", ALLIED, "US 34 @ 3322; 94 ID @ 1505", turn=9)
    pos.beaches, pos.intake = [LOST] * destroyed, [0] * destroyed
    pos.launched, pos.destroyed = [1, 3][:destroyed], destroyed
    assert victory.points(WAR, pos, GERMAN) == 70 + 10 * destroyed


@rule("italy1944", "13c", "13g")
@pytest.mark.parametrize(("entered", "bonus"), [("", 0), ("1210 1310", 0), ("1210 1310 1409", 10)])
def test_three_hexes_of_the_gothic_line_are_worth_10(entered: str, bonus: int):
    match = won(gothic=mask(entered))
    assert score(match) == (10 + bonus, 70)


@rule("italy1944", "13g")
def test_the_hexes_need_not_be_held_nor_taken_at_one_time_and_count_once():
    # Three hexes in turns 5 and 6, each left again; a fourth changes nothing.
    match = march("6 Arm @ 1410; US 34 @ 3323; 94 ID @ 1505", turn=5)
    go(match, "1310", "6 Arm")
    halt(match)
    pass_on(match, until="plans")
    pass_on(match, until="movement")
    assert match.position.turn == 6
    go(match, "1409", "6 Arm")
    halt(match)
    assert score(match)[0] == 10
    third = march("6 Arm @ 1410; 94 ID @ 1505", turn=6, gothic=mask("1310 1409"), german="1310")
    go(third, "1510", "6 Arm")
    assert score(third)[0] == 10 + 10
    assert third.position.gothic.bit_count() == 3
    fourth = won(gothic=mask("1310 1409 1510 1609 1709 1809"), german="1310 1409")
    assert score(fourth)[0] == 10 + 10


@rule("italy1944", "13c", "13g")
@pytest.mark.parametrize(("turn", "bonus"), [(6, 10), (7, 0)])
def test_a_hex_entered_in_june_counts_and_one_entered_in_july_does_not(turn: int, bonus: int):
    match = march("6 Arm @ 1410; 94 ID @ 1505", turn=turn, gothic=mask("1310 1409"))
    go(match, "1510", "6 Arm")
    assert score(match)[0] == 10 + bonus


ROAD_TO_40 = ("Rome", "Bologna", "Florence", "Perugia", "Ancona", "Pescara")
"""With the south 55 points, against 25."""


@rule("italy1944", "13d")
def test_the_example_of_the_book_60_against_20_wins():
    match = won(*ROAD_TO_40, "Livorno")
    assert score(match) == (60, 20)
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.rule) == (ALLIED, "13d")


@rule("italy1944", "13d")
def test_a_lead_of_less_than_40_is_a_german_victory():
    match = won(*ROAD_TO_40)
    assert score(match) == (55, 25)
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.rule) == (GERMAN, "13d")


@rule("italy1944", "13e")
def test_a_lead_of_50_is_a_strategic_victory():
    match = won(*ROAD_TO_40, "Livorno", "Pisa")
    assert score(match) == (65, 15)
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.rule) == (ALLIED, "13e")
    assert "strategic" in match.outcome.reason


@rule("italy1944", "13e", "13b")
def test_a_lost_beachhead_may_cost_the_strategic_victory():
    pos = table("end", ALLIED, "US 34 @ 3322; 94 ID @ 1505", turn=9)
    pos.control |= sum(PLACES[name].hexes for name in (*ROAD_TO_40, "Livorno", "Pisa"))
    pos.beaches, pos.intake, pos.launched, pos.destroyed = [LOST], [0], [1], 1
    outcome = Match(GAME, position=pos, seed=1).outcome
    assert outcome is not None
    assert (outcome.winner, outcome.rule) == (ALLIED, "13d")


@rule("italy1944", "13f")
def test_points_are_for_the_hexes_controlled_at_the_end_of_turn_9():
    # Rome is taken in September, and nobody need be left in it.
    match = march("6 Arm @ 2420; 94 ID @ 1505", turn=9)
    go(match, "2319", "6 Arm")
    pass_on(match, until="over")
    assert match.outcome is not None
    assert score(match)[0] == 10 + 15
    lost = march("94 ID @ 2418; 6 Arm @ 3323", GERMAN, turn=9, allied="2419")
    go(lost, "2419", "94 ID")
    pass_on(lost, until="over")
    assert lost.outcome is not None
    assert score(lost)[0] == 10
    # Naples was Allied from the start, and counts for the Germans if they take it.
    fallen = march("94 ID @ 3422; 6 Arm @ 3719", GERMAN, turn=9)
    go(fallen, "3323", "94 ID")
    pass_on(fallen, until="over")
    assert score(fallen) == (10 - 5, 70 + 5)


@rule("italy1944", "13h")
@pytest.mark.parametrize("turn", [1, 5, 8])
def test_nothing_is_decided_before_the_last_turn(turn: int):
    held = " ".join(map(hex_of, (*ROAD_TO_40, "Livorno", "Pisa")))
    match = begin(
        "end",
        ALLIED,
        "US 34 @ 3322; 94 ID @ 1505",
        turn=turn,
        allied=held,
    )
    assert score(match) == (65, 15)
    assert match.outcome is None
    assert match.position.turn == turn + 1


def test_the_view_shows_the_points():
    match = begin("combat", ALLIED, "US 34 @ 1104; 94 ID @ 1105")
    assert match.view(GERMAN)["points"] == {"Allied": 10, "German": 70}


@pytest.mark.parametrize(("turn", "words"), [(7, ""), (8, "the next turn"), (9, "this turn")])
def test_the_last_two_turns_tell_both_sides_what_the_end_would_bring(turn: int, words: str):
    match = begin("combat", ALLIED, "US 34 @ 1104; 94 ID @ 1105", turn=turn)
    found = match.view(GERMAN)["warnings"]
    assert found == match.view(ALLIED)["warnings"]
    assert bool(found) is bool(words)
    if found:
        [sentence] = found
        assert sentence.startswith(
            f"The game ends with {words}. As things stand: Germany holds out"
        )
        assert "10 points against 70" in sentence


def test_the_warning_follows_the_towns_and_ends_with_the_game():
    held = " ".join(map(hex_of, (*ROAD_TO_40, "Livorno", "Pisa")))
    match = begin("combat", ALLIED, "US 34 @ 3322; 94 ID @ 1505", turn=9, allied=held)
    assert "A strategic victory" in match.view(ALLIED)["warnings"][0]
    pass_on(match, until="over")
    assert match.view(ALLIED)["warnings"] == []
