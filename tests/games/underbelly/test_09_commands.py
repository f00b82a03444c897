"""Chapter 9: command points, and the commands that they buy."""

from __future__ import annotations

import pytest

from apennine.kernel.decision import Option
from apennine.testing import rule
from tests.games.underbelly.drawing import (
    ALLIED,
    GERMAN,
    NO_PORTS,
    TIBER,
    WAR,
    Table,
    at,
    attack,
    begin,
    bury,
    commands,
    deploy,
    do,
    events,
    fight_out,
    given,
    halt,
    hexes,
    march,
    named,
    next_turn,
    order,
    pass_on,
    refused,
    stack,
    steps,
    verbs,
    where,
)

MISS = 10
BRITISH = "5 Inf, 1 C, XIII Corps @ 3309"
FAR = "46 Inf @ 2822; US 36 @ 2921"
"""The beaches are held, far from all that happens here."""
SPARE = "76 Inf @ 1012"
"""A German who could always be given a command, so that the phase does not end by itself."""


# 9.1 to 9.3: the points


@rule("underbelly", "9.1a", "9.2", "9.3")
def test_each_player_turn_begins_with_its_points_and_none_of_the_last():
    match = begin(f"{FAR}; 16 Pz @ 2011; {SPARE}")
    assert match.position.points == 7
    pass_on(match, until="command", side=GERMAN)
    assert match.position.points == 6
    march(match, "2011", "2010")
    assert match.position.points == 5
    next_turn(match)
    pass_on(match, until="orders")
    assert match.position.points == 7
    pass_on(match, until="command", side=GERMAN)
    assert match.position.points == 6


@rule("underbelly", "9.2")
def test_german_points_serve_all_organisations():
    match = begin(
        f"{FAR}; 16 Pz @ 2011; 1 SS @ 2109; 1 Pz @ 2013",
        GERMAN,
        scenario=TIBER,
        plot=0,
        ss_entered=True,
        army_entered=True,
    )
    for left, hex in ((5, "2011"), (4, "2109"), (3, "2013")):
        order(match, "move", hex)
        halt(match)
        assert match.position.points == left


@rule("underbelly", "9.3")
def test_allied_points_serve_both_groupings():
    match = begin(f"{FAR}; 1 Abn @ 4108")
    for left, hex in ((6, "2822"), (5, "2921")):
        order(match, "move", hex)
        halt(match)
        assert match.position.points == left


PRICES = {"move": 1, "column": 1, "attack": 2, "replenish": 1, "reclaim": 2, "airlift": 2}
PRICES |= {"ready the drop": 2}
GERMAN_PRICES = {"move": 1, "column": 1, "attack": 2, "move-fight": 3, "fight-move": 3}
GERMAN_PRICES |= {"build fort": 1, "replenish": 1, "reclaim": 2}


def offers(pos: Table) -> set[str]:
    """What can be bought in a position."""
    return {option.verb for option in commands(pos)} - {"end"}


def barred(pos: Table, verb: str, hex: str) -> str:
    """The rule that bars a command, also where nothing else is left but to end the phase."""
    found = commands(pos).order(verb)
    assert found
    refusal = found.refusal(WAR, pos, Option(verb, hex=at(hex)))
    assert refusal
    return refusal.rule


@rule("underbelly", "9.1b")
@pytest.mark.parametrize("points", range(4))
def test_the_allied_player_buys_only_what_he_can_pay_for(points: int):
    pos = bury(
        f"{FAR}; 5 Inf @ 3309; 8 I @ 4108 steps=1; 1 C @ 4704; 82 Abn @ available;"
        "16 Pz @ 3209; 26 Pz @ 4405",
        "78 Inf",
        points=points,
        tac_active=True,
    )
    assert offers(pos) == {verb for verb, cost in PRICES.items() if cost <= points}
    if points < 2:
        assert barred(pos, "attack", "3309") == "9.1b"


@rule("underbelly", "9.1b")
@pytest.mark.parametrize("points", range(4))
def test_the_german_player_buys_only_what_he_can_pay_for(points: int):
    pos = bury(
        f"{FAR}; 5 Inf @ 3309; 16 Pz @ 3209; 76 Inf @ 2010 steps=1",
        "15 PG",
        GERMAN,
        points=points,
        forts_left=14,
    )
    assert offers(pos) == {verb for verb, cost in GERMAN_PRICES.items() if cost <= points}
    if points < 3:
        assert barred(pos, "fight-move", "3209") == "9.1b"


@rule("underbelly", "9.1b", "9.13")
@pytest.mark.parametrize("points", [3, 4])
def test_bombers_need_two_points_besides_the_attack(points: int):
    match = begin(f"{BRITISH}; 16 Pz @ 3209", points=points, tac_active=True)
    do(match, "attack", hex="3309")
    do(match, "attack with", "5 Inf")
    assert ("send bombers" in verbs(match)) == (points == 4)


# 9.4: moves


@rule("underbelly", "9.4a")
def test_one_point_moves_a_lone_unit_or_a_whole_stack():
    match = begin(f"{FAR}; {BRITISH}")
    order(match, "move", "2822")
    assert match.position.points == 6
    halt(match)
    march(match, "3309", "3411")
    assert match.position.points == 5
    assert stack(match, "3411") == {"5 Inf", "1 C", "XIII Corps"}


@rule("underbelly", "9.4b")
def test_the_units_of_a_stack_go_together_apart_or_not_at_all():
    match = begin(f"{FAR}; {BRITISH}")
    order(match, "move", "3309", "5 Inf")
    do(match, "go", hex="3209")
    do(match, "halt")
    do(match, "take", "1 C")
    do(match, "go", hex="3410")
    do(match, "halt")
    do(match, "done")
    places = [where(match, unit) for unit in ("5 Inf", "1 C", "XIII Corps")]
    assert places == ["3209", "3410", "3309"]
    assert match.position.points == 6


@rule("underbelly", "9.4b")
def test_nobody_is_picked_up_on_the_way():
    match = begin(f"{FAR}; {BRITISH}; 78 Inf @ 3409")
    order(match, "move", "3309", "5 Inf")
    assert named(match, "take along") == {"1 C", "XIII Corps"}
    do(match, "go", hex="3409")
    assert verbs(match) == {"go", "halt"}
    assert refused(match, "take along", "78 Inf").rule == "9.4b"
    assert refused(match, "take along", "1 C").rule == "9.4b"
    do(match, "go", hex="3509")
    assert where(match, "78 Inf") == "3409"


@rule("underbelly", "9.4c")
def test_one_point_brings_a_unit_or_one_stack_out_of_a_box():
    match = begin(f"{FAR}; 5 Inf, 1 C, 78 Inf, 8 I, V Corps, X Corps @ available")
    order(match, "move", "available", "5 Inf", "1 C", "V Corps")
    assert named(match, "take along") == {"78 Inf", "8 I"}  # one support unit fills its place
    do(match, "take along", "8 I")
    assert "take along" not in verbs(match)
    assert refused(match, "take along", "78 Inf").rule == "9.4c"
    do(match, "come ashore", hex="4108")
    halt(match)
    assert match.position.points == 6
    do(match, "on top", "5 Inf")
    assert stack(match, "4108") == {"5 Inf", "1 C", "8 I", "V Corps"}
    order(match, "move", "available", "78 Inf")
    assert match.position.points == 5
    assert "4108" not in hexes(match, "come ashore")


@rule("underbelly", "9.4d")
def test_who_was_left_behind_cannot_be_ordered_again():
    match = begin(f"{FAR}; {BRITISH}; 16 Pz @ 3209")
    march(match, "3309", "3509", units=["5 Inf"])
    assert stack(match, "3309") == {"1 C", "XIII Corps"}
    assert not given(match, "3309")
    assert refused(match, "move", hex="3309").rule == "9.18"


# 9.5: attacks


@rule("underbelly", "9.5a")
def test_two_points_attack_one_hex_next_to_the_stack():
    match = begin(f"{BRITISH}; 16 Pz @ 3209; 29 PG @ 3210; 26 Pz @ 3110; 76 Inf @ 3009")
    do(match, "attack", hex="3309")
    assert match.position.points == 5
    assert hexes(match, "target") == {"3209", "3210"}
    alone = begin(f"{FAR}; 5 Inf @ 3309; 16 Pz @ 3209")
    assert hexes(alone, "attack") == {"3309"}  # not those who have no enemy beside them
    attack(alone, "3309", "3209", dice=(MISS,) * 4)
    assert alone.position.points == 5
    quiet = begin(f"{FAR}; 5 Inf @ 3309; 16 Pz @ 3109")
    assert "attack" not in verbs(quiet)
    assert refused(quiet, "attack", hex="3309").rule == "13.1a"


@rule("underbelly", "9.5b")
def test_a_stack_attacks_one_hex_only():
    match = begin(f"{FAR}; {BRITISH}; 16 Pz @ 3209; 29 PG @ 3210")
    do(match, "attack", hex="3309")
    do(match, "target", hex="3209")
    deploy(match, "5 Inf", dice=(MISS,) * 4)
    fight_out(match)
    assert "attack" not in given(match, "3309")  # the others do not take on 3210
    assert refused(match, "attack", hex="3309").rule == "9.18"


@rule("underbelly", "9.5b")
def test_stacks_in_two_hexes_do_not_attack_together():
    match = begin(f"{FAR}; {BRITISH}; 78 Inf @ 3310; 16 Pz @ 3210")
    do(match, "attack", hex="3309")
    assert named(match, "attack with") == {"5 Inf", "1 C", "XIII Corps"}
    deploy(match, dice=(MISS,) * 7)
    fight_out(match)
    assert "attack" not in verbs(match)  # 78 Inf cannot attack the same hex afterwards either


@rule("underbelly", "9.5c")
def test_who_is_withheld_cannot_be_hit():
    # The book: two divisions and the artillery; one division and the guns attack.
    match = begin("46 Inf @ 2822; US 36, US 45, US VI @ 3309; 16 Pz @ 3209")
    attack(match, "3309", "3209", "US 36", "US VI", dice=(MISS, 1, 1))
    fight_out(match, "US 45")
    assert events(match, "battle")
    assert steps(match, "US 45") == 2
    assert steps(match, "US 36") < 2
    assert where(match, "US 45") == "3309"


# 9.18, 9.19


@rule("underbelly", "9.18")
def test_a_stack_has_one_action_a_player_turn():
    match = begin(f"{FAR}; 5 Inf @ 3309; 16 Pz @ 3109")
    march(match, "3309", "3209")
    assert not given(match, "3209")  # no attack after the move
    assert refused(match, "attack", hex="3209").rule == "9.18"
    fought = begin(f"{FAR}; 5 Inf @ 3309 steps=1; 16 Pz @ 3209")
    assert "5 Inf" in named(fought, "replenish")
    attack(fought, "3309", "3209", dice=(MISS,) * 3)
    fight_out(fought)
    assert not given(fought, "3309")
    assert "replenish" not in verbs(fought)
    assert refused(fought, "replenish", "5 Inf").rule == "9.18"
    next_turn(fought)
    pass_on(fought, until="command", side=ALLIED)
    assert "attack" in given(fought, "3309")


@rule("underbelly", "9.18")
def test_who_has_acted_does_not_act_again_with_others_of_his_hex():
    match = begin(f"{FAR}; 5 Inf @ 3309 steps=1; 1 C @ 3309; 16 Pz @ 1211")
    do(match, "replenish", "5 Inf")
    order(match, "move", "3309")  # the Canadians alone
    do(match, "go", hex="3308")
    halt(match)
    assert (where(match, "5 Inf"), where(match, "1 C")) == ("3309", "3308")


@rule("underbelly", "9.18")
def test_who_came_ashore_or_onto_the_map_has_had_his_action():
    ashore = begin("46 Inf @ 2822; US 45 @ available; 16 Pz @ 1211")
    order(ashore, "move", "available")
    do(ashore, "come ashore", hex="2921")
    halt(ashore)
    assert where(ashore, "US 45") == "2921"
    assert not given(ashore, "2921")
    entered = begin(f"{FAR}; 16 Pz @ tenth; {SPARE}", GERMAN)
    order(entered, "move", "tenth")
    do(entered, "enter", hex="1017")
    halt(entered)
    assert not given(entered, "1017")


@rule("underbelly", "9.18")
def test_a_german_stack_has_one_action_too():
    match = begin(f"{FAR}; 5 Inf @ 3309; 16 Pz @ 3209; {SPARE}", GERMAN)
    attack(match, "3209", "3309", dice=(MISS,) * 4)
    fight_out(match)
    assert not given(match, "3209")
    assert refused(match, "move", hex="3209").rule == "9.18"


@rule("underbelly", "9.18b")
def test_help_from_the_air_is_no_action_of_those_whom_it_helps():
    match = begin(
        "US 36, US 45 @ 3309; 16 Pz @ 3409", ports=NO_PORTS, switched=True, tac_active=True, tac=1
    )
    do(match, "airlift", hex="3309")
    assert "attack" in given(match, "3309")
    attack(match, "3309", "3409", bombers=True, air="Allied", dice=(MISS,))
    assert match.position.air_support == ALLIED
    assert match.position.bomber
    assert match.position.points == 7 - 2 - 2 - 2


@rule("underbelly", "9.19")
def test_commands_come_in_any_order_each_decided_after_the_last():
    # The book: one stack attacks, and when the battle is over another moves.
    match = begin(f"{BRITISH}; 78 Inf @ 3410; 16 Pz @ 3209; 8 I @ 3411 steps=1")
    attack(match, "3309", "3209", "5 Inf", "1 C", dice=(MISS,) * 6)
    assert verbs(match) == {"fire at"}  # one thing after the other
    assert match.position.points == 5  # nothing else is paid for yet
    fight_out(match)
    assert {"move", "column"} <= given(match, "3410")
    march(match, "3410", "3510")
    do(match, "replenish", "8 I")
    other = begin(f"{BRITISH}; 78 Inf @ 3410; 16 Pz @ 3209; 8 I @ 3411 steps=1")
    do(other, "replenish", "8 I")
    march(other, "3410", "3510")
    assert "attack" in given(other, "3309")
    assert other.position.points == 5
    german = begin(f"{FAR}; 16 Pz @ 2109; 29 PG @ 2010 steps=1; {SPARE}", GERMAN)
    march(german, "2109", "2209")
    do(german, "replenish", "29 PG")
    assert "move" in given(german, "1012")
