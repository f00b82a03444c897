"""Chapter 5: the sequence of play, and the hesitant British."""

from __future__ import annotations

import pytest

from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.underbelly.drawing import (
    ALLIED,
    GERMAN,
    HISTORICAL,
    NO_PORTS,
    TIBER,
    Table,
    allowance,
    asked,
    at,
    begin,
    do,
    fresh,
    hexes,
    idle,
    march,
    named,
    next_turn,
    number,
    options,
    order,
    pass_on,
    refused,
    seen,
    told,
    verbs,
)


def phases(match: Match[Table], turns: int = 1) -> list[tuple[int, str, int]]:
    """Play idly for some turns; every phase in which somebody was asked."""
    last = match.position.turn + turns
    found: list[tuple[int, str, int]] = []
    while match.position.turn < last and match.decision is not None:
        pos = match.position
        if (pos.turn, pos.phase, pos.side) not in found:
            found.append((pos.turn, pos.phase, pos.side))
        idle(match)
    return found


BOTH_SIDES = "US 36 @ 3309; 16 Pz @ 1211"


@rule("underbelly", "5.1", "5.2")
def test_in_each_turn_the_allies_act_first_and_then_the_germans():
    match = begin(BOTH_SIDES, GERMAN, "interlude", turn=10)
    assert phases(match, turns=2) == [
        (10, "orders", ALLIED),
        (10, "command", ALLIED),
        (10, "command", GERMAN),
        (11, "orders", ALLIED),
        (11, "command", ALLIED),
        (11, "command", GERMAN),
    ]


@rule("underbelly", "5.1")
def test_what_is_done_is_not_done_again():
    match = begin("US 36, US 3 @ 3309; US 45 @ 3310; 16 Pz @ 1211", turn=10)
    march(match, "3309", "3308", units=["US 36"])
    assert hexes(match, "move") == {"3310"}  # the 36th has moved, and the 3rd has stayed behind
    assert refused(match, "move", hex="3308")
    do(match, "end")
    assert asked(match) == GERMAN
    assert {option.unit for option in options(match)} & {number("US 36")} == set()
    do(match, "move", hex="1211")
    assert not match.may_take_back(ALLIED)


@rule("underbelly", "5.2")
def test_reinforcements_come_before_command_points_are_spent():
    """The 7th Armoured comes in turn 4, the 2nd Parachute in turn 5, each in its own phase."""
    match = begin(BOTH_SIDES, GERMAN, "interlude", turn=4)
    pass_on(match, until="orders", side=ALLIED)
    assert [event.unit for event in told(match, "arrives")] == [number("7 Arm")]
    next_turn(match)
    pass_on(match, until="command", side=ALLIED)
    arrived = [event.unit for event in told(match, "arrives")]
    assert number("US 3") in arrived
    assert number("2 Para") not in arrived  # not in the Allied half of the turn
    pass_on(match, until="command", side=GERMAN)
    assert told(match, "arrives")[-1].unit == number("2 Para")
    order(match, "move", "tenth")
    assert hexes(match, "enter")


@rule("underbelly", "5.3")
def test_the_turn_is_over_when_the_german_has_ended_his():
    match = begin(BOTH_SIDES, ALLIED, turn=10)
    do(match, "end")
    assert (match.position.turn, told(match, "turn")) == (10, [])
    do(match, "end")
    assert match.position.turn == 11
    assert [event.value for event in told(match, "turn")] == [11]
    # What is judged at the end of a turn waits for the end of the German's: here the switch.
    naples = begin("US 36 @ 2522; 16 Pz @ 1211", turn=10)
    do(naples, "end")
    assert (naples.position.side, naples.position.switched) == (GERMAN, False)
    do(naples, "end")
    assert naples.position.switched


@rule("underbelly", "5.4a")
def test_the_first_turn_begins_with_the_germans_once_the_allies_are_set_up():
    match = fresh()
    assert (asked(match), match.position.phase) == (ALLIED, "setup")
    while match.position.phase == "setup":
        idle(match)
    # The 82nd may drop between German activations; no other Allied order is asked for.
    assert (match.position.turn, match.position.side) == (1, GERMAN)
    played = phases(match)
    assert played == [(1, "command", GERMAN)]
    assert (match.position.turn, match.position.phase) == (2, "orders")


@rule("underbelly", "5.4b")
def test_in_the_first_turn_one_air_unit_is_active_and_the_82nd_ready_to_drop():
    match = fresh()
    while match.position.phase == "setup":
        idle(match)
    pos = match.position
    assert (pos.tac_active, pos.tac) == (True, 1)
    assert (asked(match), named(match, "drop")) == (ALLIED, {"82 Abn"})
    assert seen(match, ALLIED, "82 Abn")["where"] == "available"
    next_turn(match)
    assert match.view(ALLIED)["82nd Airborne"] == "not ready"


# 5.5: British hesitancy


BRITISH = "46 Inf @ 3309; 1 Abn @ 3310; US 36 @ 3710"
AND_TARANTO = [at("2822"), at("2921"), at("4108"), at("5328"), -2, -2]


@rule("underbelly", "5.5a")
@pytest.mark.parametrize(
    ("turn", "scenario", "found"),
    [
        (2, HISTORICAL, (4, 2, 8)),
        (5, HISTORICAL, (4, 2, 8)),
        (6, HISTORICAL, (8, 4, 8)),
        (2, TIBER, (8, 4, 8)),
        (5, TIBER, (8, 4, 8)),
    ],
)
def test_the_british_move_half_in_turns_2_to_5_of_the_historical_scenario(
    turn: int, scenario: int, found: tuple[int, ...]
):
    match = begin(BRITISH, turn=turn, scenario=scenario, ports=AND_TARANTO)
    assert tuple(allowance(match, hex) for hex in ("3309", "3310", "3710")) == found


@rule("underbelly", "5.5b")
@pytest.mark.parametrize(
    ("turn", "scenario", "may"),
    [
        (2, HISTORICAL, False),
        (5, HISTORICAL, False),
        (6, HISTORICAL, True),
        (3, TIBER, True),
    ],
)
def test_the_british_do_not_march_in_column_then(turn: int, scenario: int, may: bool):
    match = begin("46 Inf @ 3309; US 36 @ 3710", turn=turn, scenario=scenario)
    assert ("3309" in hexes(match, "column")) is may
    assert "3710" in hexes(match, "column")
    if may:
        assert allowance(match, "3309", verb="column") == 16
    else:
        assert refused(match, "column", hex="3309").rule == "5.5b"


@rule("underbelly", "5.5b")
def test_of_a_mixed_stack_only_the_americans_march_in_column_then():
    match = begin("46 Inf, US 36, US 45 @ 3309", turn=3)
    do(match, "column", hex="3309")
    assert named(match, "take") == {"US 36", "US 45"}
    do(match, "take", "US 36")
    assert named(match, "take along") == {"US 45"}
    later = begin("46 Inf, US 36, US 45 @ 3309", turn=6)
    do(later, "column", hex="3309")
    assert named(later, "take") == {"46 Inf", "US 36", "US 45"}


@rule("underbelly", "5.5c")
def test_the_halves_for_hesitancy_and_for_supply_follow_one_another():
    """8, 4, 2; and of 4 points one is left."""
    match = begin(BRITISH, turn=3, ports=NO_PORTS, switched=True)
    assert "out of supply" in seen(match, ALLIED, "46 Inf")["status"]
    assert [allowance(match, hex) for hex in ("3309", "3310", "3710")] == [2, 1, 4]
    late = begin(BRITISH, turn=6, ports=NO_PORTS, switched=True)
    assert [allowance(late, hex) for hex in ("3309", "3310", "3710")] == [4, 2, 4]
    assert "column" not in verbs(match)
