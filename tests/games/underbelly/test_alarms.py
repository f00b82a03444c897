"""What both sides are told of an end that is near: a danger in reach, or a deadline."""

from __future__ import annotations

from typing import Any

import pytest

from apennine.kernel.game import EVERYBODY
from apennine.kernel.match import Match
from tests.games.underbelly.drawing import (
    ALLIED,
    AWAY,
    GERMAN,
    LOST,
    TIBER,
    Table,
    all_towns,
    at,
    attack,
    begin,
    do,
    faces,
    fresh,
    idle,
    mask,
    order,
    units,
)

BOTH_SIDES = pytest.mark.parametrize("eyes", [ALLIED, GERMAN, EVERYBODY])
NAPLES_OPEN: dict[str, Any] = {
    "switched": True,
    "ports": [LOST, LOST, at("4108"), at("5328"), at("2522"), LOST],
}


def alerts(match: Match[Table], eyes: int = ALLIED, about: str = "") -> list[str]:
    """The warnings that a side sees, those with these words."""
    shown: list[str] = match.view(eyes)["warnings"]
    return [sentence for sentence in shown if about in sentence]


# 4.1g: the beaches


@BOTH_SIDES
def test_a_german_two_hexes_from_salerno_is_named_to_everybody(eyes: int):
    match = begin("46 Inf @ 2822; 16 Pz @ 2820; US 36 @ 2921")
    [sentence] = alerts(match, eyes, "Salerno")
    assert (
        sentence
        == "A German who enters Salerno (2822) wins the game: 16 Pz is two hexes away. [4.1g]"
    )


def test_a_german_far_from_the_beaches_alarms_nobody():
    assert alerts(begin("46 Inf @ 2822; US 36 @ 2921; 16 Pz @ 1314")) == []


def test_the_beaches_are_of_no_account_once_naples_is_open():
    match = begin("46 Inf @ 2822; US 36 @ 2522; 16 Pz @ 2820", **NAPLES_OPEN)
    assert alerts(match, about="Salerno") == []


def test_an_empty_beach_is_in_danger_from_far_away():
    """In column 16 Pz goes sixteen hexes along a road, and nobody is in its way."""
    empty = begin("46 Inf @ 5328; 16 Pz @ 2113")
    [sentence] = alerts(empty, about="Salerno")
    assert sentence.endswith("Nobody guards it. [4.1g]")
    assert alerts(begin("46 Inf @ 2822; 16 Pz @ 2113"), about="Salerno") == []


def test_guns_alone_do_not_threaten_a_garrison():
    assert alerts(begin("46 Inf @ 2822; US 36 @ 2921; XIV Pz @ 2820")) == []
    assert alerts(begin("46 Inf @ 5328; US 36 @ 2921; XIV Pz @ 2820"), about="Salerno")


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({}, True),
        ({"acted": units("16 Pz")}, False),
        ({"points": 1}, False),
        ({"attacked": mask("2822")}, False),
    ],
)
def test_in_the_german_phase_only_what_can_still_be_ordered_is_a_danger(
    fields: dict[str, Any], told: bool
):
    """94 Inf, in the north, keeps the phase going."""
    counters = "46 Inf @ 2822; US 36 @ 3021; 16 Pz @ 2821; 94 Inf @ 1314"
    match = begin(counters, GERMAN, **fields)
    assert bool(alerts(match, about="Salerno")) is told


def test_a_move_fight_reaches_further_than_an_attack():
    """A German in no Allied zone may move up and attack at once, for three points, once."""
    near = begin("46 Inf @ 2822; US 36 @ 3221; 16 Pz @ 2819", GERMAN)
    assert alerts(near, about="Salerno")
    for fields in ({"points": 2}, {"assaulted": True}):
        match = begin("46 Inf @ 2822; US 36 @ 3221; 16 Pz @ 2819", GERMAN, **fields)
        assert alerts(match, about="Salerno") == []


def test_a_beach_with_its_marker_is_not_taken_by_a_zone():
    """94 Inf gets next to Salerno in one move, and not into it (4.1i)."""
    assert alerts(begin("46 Inf @ 5328; 94 Inf @ 2716"), about="Salerno") == []
    lost = [LOST, at("2921"), at("4108"), at("5328"), AWAY, AWAY]
    assert alerts(begin("46 Inf @ 5328; 94 Inf @ 2716", ports=lost), about="Salerno")


def test_what_was_attacked_before_can_be_attacked_in_the_next_turn():
    match = begin(
        "46 Inf @ 2822; US 36 @ 3221; 16 Pz @ 2821", phase="orders", attacked=mask("2822")
    )
    assert alerts(match, about="Salerno")


def test_a_beach_under_attack_is_told_until_the_attack_is_over():
    match = begin("46 Inf @ 2822; US 36 @ 3221; 16 Pz, HG @ 2821; 94 Inf @ 1314", GERMAN)
    attack(match, "2821", "2822")
    assert alerts(match, about="Salerno (2822) is under attack")
    match.force(*(10,) * 12)
    while match.position.target >= 0:
        idle(match)
    assert alerts(match, about="Salerno") == []


# 4.2a: Naples and Taranto


def test_the_last_prize_is_told_when_a_german_can_take_it():
    match = begin("46 Inf @ 4108; 1 Para @ 4008; HG @ 2522", scenario=TIBER)
    [sentence] = alerts(match, about="Taranto")
    assert "hold Naples and win the game if they take Taranto (4108) too" in sentence
    assert "1 Para is next to it" in sentence
    far = begin("46 Inf @ 4108; 1 Para @ 1314; HG @ 2522", scenario=TIBER)
    assert alerts(far, about="Taranto") == []


def test_who_is_cut_off_makes_no_move_fight():
    """26 Pz in the heel could get next to Taranto, but has no overland supply (9.6b)."""
    heel = "46 Inf @ 4108; 26 Pz @ 4405; HG @ 2522"
    assert alerts(begin(heel, scenario=TIBER), about="Taranto")
    cut = begin(f"{heel}; US 36 @ 3606; US 45 @ 3807", scenario=TIBER)
    assert alerts(cut, about="Taranto") == []


def test_both_prizes_must_be_in_reach():
    one = "US 36 @ 2522; 46 Inf @ 4108; HG @ 2422"
    assert alerts(begin(one, scenario=TIBER, **NAPLES_OPEN), about="both") == []
    two = begin(f"{one}; 1 Para @ 4008", scenario=TIBER, **NAPLES_OPEN)
    [sentence] = alerts(two, about="both Naples and Taranto")
    assert "Naples: HG is next to it" in sentence
    assert "Taranto: 1 Para is next to it" in sentence


def test_the_prizes_are_nothing_in_the_historical_scenario():
    assert alerts(begin("46 Inf @ 4108; 1 Para @ 4008; HG @ 2522"), about="Taranto") == []


def test_before_the_die_the_danger_to_taranto_is_told_as_a_possibility():
    match = fresh()
    while match.position.phase != "command":
        idle(match)
    pos = match.position
    pos.hex[match.game.unit("1 Para")] = at("4008")
    assert alerts(match, about="if the die brings Watch on the Tiber")
    pos.agreed = 1
    assert alerts(match, about="Taranto") == []


# 4.1a: the last towns


@BOTH_SIDES
def test_the_last_town_is_told_when_an_ally_can_take_it(eyes: int):
    match = begin("US 36 @ 1211", control=all_towns("1109"), **NAPLES_OPEN)
    [sentence] = alerts(match, eyes, "every town")
    assert sentence.startswith("If Pescara (1109) falls the Allies hold every town and win: US 36")


def test_a_town_out_of_reach_or_held_by_germans_far_off_is_no_last_town_yet():
    far = begin("US 36 @ 2921", control=all_towns("1109"), **NAPLES_OPEN)
    assert alerts(far, about="every town") == []
    held = begin("US 36 @ 1411; HG @ 1109", control=all_towns("1109"), **NAPLES_OPEN)
    assert alerts(held, about="every town") == []
    beside = begin("US 36 @ 1210; HG @ 1109", control=all_towns("1109"), **NAPLES_OPEN)
    assert alerts(beside, about="every town")


def test_all_towns_that_are_left_must_be_in_reach():
    two = begin("US 36 @ 1211; US 45 @ 2609", control=all_towns("1109 2608"), **NAPLES_OPEN)
    [sentence] = alerts(two, about="every town")
    assert "Pescara (1109) and Foggia (2608)" in sentence
    one = begin("US 36 @ 1211; 1 Abn @ 3218", control=all_towns("1109 2608"), **NAPLES_OPEN)
    assert alerts(one, about="every town") == []
    tiber = begin("US 36 @ 1211", control=all_towns("1109"), scenario=TIBER, **NAPLES_OPEN)
    assert alerts(tiber, about="every town") == []


def test_the_82nd_can_take_the_last_town_from_the_air():
    given: dict[str, Any] = {"control": all_towns("2608"), "tac_active": True, **NAPLES_OPEN}
    ready = begin("82 Abn @ available; US 36 @ 5328", drop_ready=True, **given)
    assert "82 Abn can drop there" in alerts(ready, about="every town")[0]
    idle_unit = begin("82 Abn @ available; 1 Abn @ 5328", **given)
    assert alerts(idle_unit, about="every town") == []


def test_an_attack_over_a_blocked_hexside_takes_nothing_but_for_mountain_units():
    for unit, told in (("US 36", False), ("FX Mtn", True)):
        counters = f"{unit} @ 2620; HG @ 2619"
        match = begin(counters, control=all_towns("2619"), **NAPLES_OPEN)
        assert bool(alerts(match, about="every town")) is told


# 4.1b: the way off the map


@BOTH_SIDES
def test_an_ally_who_can_leave_the_map_is_named(eyes: int):
    match = begin("US 36 @ 1111", **NAPLES_OPEN)
    [sentence] = alerts(match, eyes, "leaves the map")
    assert "US 36 can." in sentence


def test_who_has_no_point_to_spare_or_has_acted_cannot_leave():
    assert alerts(begin("1 Abn @ 1411", **NAPLES_OPEN), about="leaves the map") == []
    """From 1311 the four points of 1 Abn bring it to row 10xx, and no further."""
    assert alerts(begin("1 Abn @ 1311", **NAPLES_OPEN), about="leaves the map") == []
    acted = begin("US 36 @ 1111; 1 Abn @ 4108", acted=units("US 36"), **NAPLES_OPEN)
    assert alerts(acted, about="leaves the map") == []
    german_turn = begin("US 36 @ 1111; 94 Inf @ 2220", GERMAN, acted=units("US 36"), **NAPLES_OPEN)
    assert alerts(german_turn, about="leaves the map")


def test_in_the_last_german_turn_nobody_leaves_any_more():
    match = begin("US 36 @ 1111; 94 Inf @ 2220", GERMAN, turn=23, **NAPLES_OPEN)
    assert alerts(match, about="leaves the map") == []


def test_a_german_zone_before_the_edge_stops_who_would_leave():
    free = begin("1 Abn @ 1110", **NAPLES_OPEN)
    assert alerts(free, about="leaves the map")
    guarded = begin("1 Abn @ 1110; 94 Inf @ 1011", **NAPLES_OPEN)
    assert alerts(guarded, about="leaves the map") == []


def test_how_far_a_force_can_go_that_hides_a_unit_is_not_told():
    match = begin("US 36, 1 Abn @ 1111", **NAPLES_OPEN)
    order(match, "move", "1111")
    assert alerts(match, ALLIED, "leaves the map")
    assert alerts(match, GERMAN, "leaves the map") == []


def test_the_82nd_never_leaves_once_it_has_dropped():
    match = begin("82 Abn @ 1011", dropped=3, **NAPLES_OPEN)
    assert alerts(match, about="leaves the map") == []


def test_a_fast_division_under_a_slow_one_is_kept_from_the_german():
    """7 Arm has the points to leave, 1 Abn on top of it has not (6.9b)."""
    match = begin("1 Abn, 7 Arm @ 1411", **NAPLES_OPEN)
    assert faces(match, GERMAN, "1411") == ["1 Abn", "?"]
    assert "7 Arm can." in alerts(match, ALLIED, "leaves the map")[0]
    assert alerts(match, GERMAN, "leaves the map") == []
    assert alerts(match, EVERYBODY, "leaves the map") == []
    order(match, "move", "1411", "7 Arm")
    assert alerts(match, ALLIED, "leaves the map")
    assert alerts(match, GERMAN, "leaves the map") == []


# 11.9c, 4.2h: the port of Naples


@pytest.mark.parametrize(
    ("turn", "words"),
    [(17, ""), (18, "two turns from now"), (19, "the next"), (20, "this one")],
)
def test_the_deadline_of_naples_is_told_from_two_turns_before(turn: int, words: str):
    match = begin("46 Inf @ 2822; US 36 @ 2522; HG @ 2421", turn=turn)
    found = alerts(match, about="port by the end of turn 20")
    assert bool(found) is bool(words)
    if found:
        assert words in found[0]
        assert "HG is within two hexes of it" in found[0]


def test_a_free_naples_is_no_danger_unless_a_german_can_come_back_on_turn_20():
    assert alerts(begin("US 36 @ 2522; HG @ 1314", turn=19), about="Naples") == []
    back = begin("US 36 @ 2522; HG @ 2220", GERMAN, turn=20)
    [sentence] = alerts(back, about="within two hexes of Naples at the end of this turn")
    assert "HG can come so near" in sentence
    gone = begin("US 36 @ 2522; HG @ 2220; 94 Inf @ 1314", GERMAN, turn=20, acted=units("HG"))
    assert alerts(gone, about="within two hexes") == []
    assert alerts(begin("US 36 @ 2522; HG @ 2421", turn=20, **NAPLES_OPEN), about="port") == []


# 4.1e, 4.2d, 4.2f: the end of the game


@pytest.mark.parametrize(("turn", "words"), [(21, ""), (22, "(the next)"), (23, "(this one)")])
def test_the_end_of_the_game_is_told_with_what_it_would_bring(turn: int, words: str):
    match = begin("US 36 @ 2522", turn=turn, control=all_towns("1109 1117"), **NAPLES_OPEN)
    found = alerts(match, about="The game ends")
    assert bool(found) is bool(words)
    if found:
        assert words in found[0]
        assert "two of them are" in found[0]


@pytest.mark.parametrize(
    ("counters", "words"),
    [
        ("US 36 @ 2522; 46 Inf @ 4108", "the Allies would win"),
        ("US 36 @ 2522; 46 Inf @ 4108; HG @ 2521; 16 Pz @ 2422", "would be a draw"),
        ("US 36 @ 2921; HG @ 2522", "since Naples (2522) is German"),
    ],
)
def test_in_watch_on_the_tiber_the_prizes_decide_at_the_end(counters: str, words: str):
    ports = [LOST, LOST, at("4108"), at("5328"), AWAY, LOST]
    match = begin(counters, turn=23, scenario=TIBER, switched=True, ports=ports)
    [sentence] = alerts(match, about="The game ends")
    assert words in sentence


# Chapter 8: Hitler's orders, the end-run


def wall(hexes: int) -> str:
    """Allied units in so many hexes of row 10xx, one in each."""
    names = (
        *("US 36", "US 45", "US 3", "US 34", "US 1 Arm", "FX Mtn", "46 Inf", "56 Inf", "5 Inf"),
        *("1 C", "1 Abn", "7 Arm", "78 Inf", "8 I", "2 NZ"),
    )
    return "; ".join(f"{name} @ {1010 + n}" for n, name in enumerate(names[:hexes]))


def test_a_corps_that_may_be_shut_out_is_told():
    corps = "1 SS, 2 SS, 24 Pz SS, II SS @ tenth"
    shut = begin(f"{wall(15)}; {corps}", GERMAN, scenario=TIBER, **NAPLES_OPEN)
    [sentence] = alerts(shut, about="II SS Panzer Corps")
    assert "or the Allies win" in sentence
    assert "one of the hexes of row 10xx is open" in sentence
    wide = begin(f"{wall(14)}; {corps}", GERMAN, scenario=TIBER, **NAPLES_OPEN)
    assert alerts(wide, about="II SS Panzer Corps") == []


LANDED: dict[str, Any] = {"scenario": TIBER, "launched": 13, "plot": 13, "turn": 14, **NAPLES_OPEN}


def test_the_duty_to_fly_is_told_until_it_is_done():
    match = begin("US 36 @ 2522", phase="orders", **LANDED)
    assert alerts(match, about="tactical air")
    do(match, "activate air")
    assert alerts(match, about="tactical air") == []


def test_the_roll_for_the_end_run_is_told_with_its_chances():
    """No modifiers: 10 breaks out, 1 is thrown back into the sea."""
    match = begin("US 36 @ 2522", tac_active=True, air_asked=True, **LANDED)
    [sentence] = alerts(match, about="end-run")
    assert "1 in 10 that the Allies win and 1 in 10 that the Germans win" in sentence
    match.force(5)
    do(match, "roll for the end-run")
    assert alerts(match, about="end-run") == []
    waiting = begin("US 36 @ 2522; 94 Inf @ 1314", GERMAN, rolled=14, **LANDED)
    assert "the next roll" in alerts(waiting, about="end-run")[0]
    winter = begin("US 36 @ 2522; 94 Inf @ 1314", GERMAN, rolled=20, **LANDED | {"turn": 20})
    assert "1 in 5 that the Germans win." in alerts(winter, about="end-run")[0]  # -1 from turn 21
    settled = begin("US 36 @ 2522; 94 Inf @ 1314", GERMAN, rolled=14, settled=8, **LANDED)
    assert alerts(settled, about="end-run") == []


def test_steps_owed_are_told_until_they_have_left():
    match = begin("US 36 @ 2522; HG @ 1010", GERMAN, owed=2, owed_by=14, settled=8, **LANDED)
    [sentence] = alerts(match, about="2 more steps")
    assert "turn 14 (this one)" in sentence
    order(match, "move", "1010")
    do(match, "exit")
    assert alerts(match, about="more step") == []


def test_nothing_is_told_at_the_set_up_and_when_the_game_is_over():
    assert alerts(fresh()) == []
    match = begin("US 36 @ 1111", **NAPLES_OPEN)
    order(match, "move", "1111")
    do(match, "go", hex="1011")
    do(match, "exit")
    assert match.outcome
    assert alerts(match) == []


def test_the_side_to_act_finds_the_same_among_its_warnings():
    match = begin("46 Inf @ 2822; 16 Pz @ 2820; US 36 @ 2921")
    found = [f"{warning.sentence} [{warning.rule}]" for warning in match.warnings(ALLIED)]
    assert set(alerts(match)) <= set(found)
