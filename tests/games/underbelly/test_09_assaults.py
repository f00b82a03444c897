"""Chapter 9: the German commands to move and fight, and to fight and move."""

from __future__ import annotations

from typing import Any

import pytest

from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.underbelly.drawing import (
    GERMAN,
    Table,
    at,
    begin,
    deploy,
    do,
    events,
    fight_out,
    given,
    halt,
    hexes,
    named,
    next_turn,
    options,
    order,
    pass_on,
    preview,
    refused,
    shoot_out,
    stack,
    verbs,
    where,
)

MISS = 10
BRITISH = "5 Inf, 1 C, XIII Corps @ 3309"
FAR = "46 Inf @ 2822; US 36 @ 2921"
"""The beaches are held, far from all that happens here."""
SPARE = "76 Inf @ 1012"
"""A German who could always be given a command, so that the phase does not end by itself."""


# 9.6: move and fight


def advance_guard(counters: str = "16 Pz, 29 PG @ 3009", **fields: Any) -> Match[Table]:
    return begin(f"{FAR}; 5 Inf @ 3309; {SPARE}; {counters}", GERMAN, **fields)


@rule("underbelly", "9.6a")
def test_a_move_fight_costs_three_points_and_is_german():
    match = advance_guard()
    order(match, "move-fight", "3009")
    assert match.position.points == 3
    allied = begin(f"{BRITISH}; 16 Pz @ 3109")
    assert not {"move-fight", "fight-move"} & verbs(allied)
    assert refused(allied, "move-fight", hex="3309").rule == "9.6a"


@rule("underbelly", "9.6a", "9.6d")
def test_there_is_one_such_command_a_phase_of_either_kind():
    match = advance_guard("16 Pz @ 3009; 29 PG @ 3010; 26 Pz @ 3210")
    assert given(match, "3010") >= {"move-fight"}
    assert given(match, "3210") >= {"attack", "fight-move"}
    order(match, "move-fight", "3009")
    halt(match)
    assert match.position.points == 3
    assert not {"move-fight", "fight-move"} & verbs(match)
    assert refused(match, "move-fight", hex="3010").rule == "9.6d"
    assert refused(match, "fight-move", hex="3210").rule == "9.6d"
    next_turn(match)
    pass_on(match, until="command", side=GERMAN)
    assert "move-fight" in given(match, "3010")  # it was for that phase


@rule("underbelly", "9.6b")
def test_a_move_fight_starts_in_supply_and_out_of_enemy_zones():
    zoned = advance_guard("16 Pz, 29 PG @ 3210; 26 Pz @ 3010")
    assert hexes(zoned, "move-fight") == {"3010", "1012"}  # a friend beside 16 Pz does not help
    assert refused(zoned, "move-fight", hex="3210").rule == "9.6b"
    beside = advance_guard("16 Pz @ 3210; 26 Pz @ 3110")  # nor does one whose zone reaches there
    assert hexes(beside, "move-fight") == {"3110", "1012"}
    # 1 C closes the heel: there is no way from it to the north.
    cut = advance_guard("1 C @ 4405; 26 Pz @ 4704")
    assert given(cut, "4704") == {"move"}
    assert refused(cut, "move-fight", hex="4704").rule == "9.6b"


@rule("underbelly", "9.6c")
def test_a_move_fight_moves_stops_in_the_first_zone_and_attacks_at_once():
    match = advance_guard()
    order(match, "move-fight", "3009")
    assert match.position.moves_left == 8  # not in column
    assert {"3209", "3210"} <= hexes(match, "go")
    do(match, "go", hex="3209")
    assert "go" not in verbs(match)
    assert hexes(match, "strike with") == {"3309"}
    do(match, "strike with", hex="3309")
    deploy(match, dice=(MISS,) * 6)
    fight_out(match)
    assert len(events(match, "battle")) == 1
    assert match.position.points == 3
    assert not {"move", "attack"} & given(match, "3209")


@rule("underbelly", "9.6c")
@pytest.mark.parametrize(("enemy", "stops"), [("78 Inf", True), ("V Corps", False)])
def test_a_move_fight_does_not_go_through_an_enemy_zone(enemy: str, stops: bool):
    """Between guns and the enemy in 3507 the way out of 3409 leads over 3408."""
    match = begin(f"{FAR}; 94 Inf @ 3409; {enemy} @ 3507; US VI @ 3308; X Corps @ 3309", GERMAN)
    order(match, "move-fight", "3409")
    assert "3408" in hexes(match, "go")
    assert ("3307" not in hexes(match, "go")) is stops


@rule("underbelly", "9.6c")
def test_a_move_fight_may_also_forgo_the_attack():
    match = advance_guard()
    order(match, "move-fight", "3009")
    do(match, "go", hex="3209")
    do(match, "no strike")
    assert match.position.order == 0
    assert not events(match, "battle")


@rule("underbelly", "9.6e")
def test_only_units_that_end_together_strike():
    match = advance_guard("16 Pz, 29 PG, XIV Pz @ 3009")
    match.force(8)
    order(match, "move-fight", "3009", "16 Pz")
    do(match, "go", hex="3209")
    do(match, "take", "29 PG")
    do(match, "go", hex="3210")
    do(match, "take", "XIV Pz")
    do(match, "go", hex="3209")
    strikes = {
        (o.hex, match.position.hex[o.unit]) for o in options(match) if o.verb == "strike with"
    }
    assert strikes == {(at("3309"), at("3209")), (at("3309"), at("3210"))}
    do(match, "strike with", "16 Pz", "3309")
    assert named(match, "attack with") == {"16 Pz", "XIV Pz"}  # 29 PG has merely moved


@rule("underbelly", "9.6e")
def test_who_was_in_the_hex_before_does_not_join_the_strike():
    match = advance_guard("16 Pz, 26 Pz @ 3009; 29 PG @ 3209")
    order(match, "move-fight", "3009")
    do(match, "go", hex="3209")
    do(match, "strike with", hex="3309")
    assert named(match, "attack with") == {"16 Pz", "26 Pz"}


# 9.7: fight and move


def breakthrough(
    counters: str = "16 Pz, 29 PG @ 3210; X Corps @ 3310", **fields: Any
) -> Match[Table]:
    """Guns alone hold 3310, with 5 Inf behind them: they are easily overrun."""
    return begin(f"{FAR}; 5 Inf @ 3211; {SPARE}; {counters}", GERMAN, **fields)


def win(match: Match[Table], *force: str) -> None:
    do(match, "fight-move", hex="3210")
    if "target" in verbs(match):
        do(match, "target", hex="3310")
    deploy(match, *force, dice=(MISS, 1))
    shoot_out(match)
    for verb in ("cease fire", "stand"):
        if verb in verbs(match):
            do(match, verb)


@rule("underbelly", "9.7a")
def test_a_fight_move_costs_three_points_and_is_german():
    match = breakthrough()
    do(match, "fight-move", hex="3210")
    assert match.position.points == 3
    allied = begin(f"{BRITISH}; 16 Pz @ 3209")
    assert "fight-move" not in verbs(allied)
    assert refused(allied, "fight-move", hex="3309").rule == "9.7a"


@rule("underbelly", "9.7a", "9.6d")
def test_after_a_fight_move_there_is_no_other():
    match = breakthrough("16 Pz, 29 PG @ 3210; X Corps @ 3310; 26 Pz @ 3010; 15 PG @ 3111")
    assert "move-fight" in given(match, "3010")
    assert "fight-move" in given(match, "3111")
    win(match)
    do(match, "stay")
    assert match.position.points == 3
    assert not {"move-fight", "fight-move"} & verbs(match)


@rule("underbelly", "9.7b")
def test_a_fight_move_starts_in_supply_and_in_an_enemy_zone():
    calm = breakthrough("16 Pz @ 3210; X Corps @ 3308; 26 Pz @ 3208")
    assert hexes(calm, "attack") == {"3210", "3208"}
    assert hexes(calm, "fight-move") == {"3210"}  # the guns in 3308 have no zone
    assert refused(calm, "fight-move", hex="3208").rule == "9.7b"
    cut = breakthrough("1 C @ 4405; 26 Pz @ 4504")
    assert given(cut, "4504") == {"move", "attack"}
    assert refused(cut, "fight-move", hex="4504").rule == "9.7b"


@rule("underbelly", "9.7c")
def test_a_force_that_takes_the_hex_whole_moves_on():
    match = breakthrough()
    win(match)
    do(match, "advance", "16 Pz")
    do(match, "advance", "29 PG")
    do(match, "take all")
    assert match.position.moves_left == 8  # not in column
    do(match, "go", hex="3409")
    halt(match)
    assert stack(match, "3409") == {"16 Pz", "29 PG"}
    assert match.position.points == 3


@rule("underbelly", "9.7c")
def test_a_force_that_leaves_someone_behind_does_not():
    match = breakthrough()
    win(match)
    do(match, "advance", "16 Pz")
    do(match, "stay")
    assert match.position.order == 0
    assert "take" not in verbs(match)
    assert refused(match, "move", hex="3310").rule == "9.18"
    beaten = breakthrough()
    do(beaten, "fight-move", hex="3210")
    do(beaten, "target", hex="3310")
    deploy(beaten, dice=(MISS,) * 5)
    fight_out(beaten)
    assert beaten.position.order == 0  # nobody advanced at all


@rule("underbelly", "9.7e")
def test_who_withholds_a_unit_forfeits_the_move():
    match = breakthrough()
    win(match, "16 Pz")
    do(match, "advance", "16 Pz")
    assert where(match, "16 Pz") == "3310"
    assert match.position.order == 0
    assert "go" not in verbs(match)


@rule("underbelly", "9.7d")
def test_from_a_zone_the_move_goes_only_where_there_is_none():
    match = breakthrough()
    win(match)
    do(match, "advance", "16 Pz")
    do(match, "advance", "29 PG")
    do(match, "take all")
    # 5 Inf in 3211 reaches 3310, 3311 and 3210: from one of these to another is no straight way.
    for hex in ("3210", "3311"):
        assert len(preview(match, "go", hex=hex).path) == 3
    assert len(preview(match, "go", hex="3411").path) == 2
    ringed = breakthrough("16 Pz, 29 PG @ 3210; X Corps @ 3310; 1 C @ 3409; 78 Inf @ 3412")
    win(ringed)
    do(ringed, "advance", "16 Pz")
    do(ringed, "advance", "29 PG")
    do(ringed, "take all")
    assert "go" not in verbs(ringed)


@rule("underbelly", "9.7d")
def test_the_move_after_the_attack_stops_in_the_next_enemy_zone():
    """From 3409 every way is a zone, of 78 Inf or of 8 I, or has guns in it."""
    guns = "V Corps @ 3409; US VI @ 3308; X Corps @ 3309"
    match = begin(f"{FAR}; 94 Inf @ 3410; {guns}; 78 Inf @ 3507; 8 I @ 3510", GERMAN)
    do(match, "fight-move", hex="3410")
    match.force(MISS, 1, MISS)
    do(match, "target", hex="3409")
    while match.position.target != -1:
        can = verbs(match)
        do(match, next(v for v in ("fire at", "cease fire", "stand", "advance") if v in can))
    assert where(match, "94 Inf") == "3409"
    assert hexes(match, "go") == {"3408", "3508", "3509", "3410"}
