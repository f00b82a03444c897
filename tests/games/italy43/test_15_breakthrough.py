"""Chapter 15: Breakthrough Combat."""

from typing import Any

from apennine.games.italy43.rules import c08_combat, c14_advance
from apennine.games.italy43.rules.c10_results import Verdict
from apennine.games.italy43.table.position import Table
from apennine.kernel.decision import Roll
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.italy43.drawing import (
    ALLIED,
    WAR,
    asked,
    at,
    do,
    hexes,
    names,
    number,
    play,
    refused,
    table,
    told,
    units,
    verbs,
)


def won(
    counters: str, attackers: str, vacated: str, far: int = 2, limited: bool = False, **fields: Any
) -> Match[Table]:
    """A battle has emptied a hex, and its attackers may advance."""
    pos = table(counters, "combat", ALLIED, **fields)
    pos.target, pos.attackers = at(vacated), units(attackers)
    pos.attacked = pos.attackers
    verdict = Verdict(True, far, limited)
    return play(pos, lambda war, pos: c14_advance.advance(war, pos, verdict))


def rolled(match: Match[Table]) -> Roll:
    """The dice that are asked for."""
    assert isinstance(match.decision, Roll)
    return match.decision


CLOSE = "7/3 @ 2321; 15/3 @ 2420; 30/3 @ 2220; 103/3PG @ 2319 steps=1"
"""Three attackers of 2320, and an enemy behind it."""
ALL = "7/3, 15/3, 30/3"


@rule("italy43", "15.1a")
def test_only_an_advance_of_two_or_more_hexes_allows_it():
    assert "spearhead" in verbs(won(CLOSE, ALL, "2320", 2))
    assert "spearhead" not in verbs(won(CLOSE, ALL, "2320", 1))
    assert "spearhead" not in verbs(won(CLOSE, ALL, "2320", 1, limited=True))


@rule("italy43", "15.2.1a", "15.2.3")
def test_the_group_is_formed_in_the_vacated_hex_and_goes_before_the_others():
    # The example of 15.2.3: with the second hex it fights, and may enter the hex that it wins.
    match = won(CLOSE, ALL, "2320")
    assert "advance" not in verbs(match)
    do(match, "spearhead", "7/3")
    do(match, "spearhead", "15/3")
    assert match.position.hex[number("7/3")] == match.position.hex[number("15/3")] == at("2320")
    assert "spearhead" not in verbs(match)  # there is no room for a third
    assert hexes(match, "break through") == {"2319"}
    do(match, "stop")
    assert names(match, "advance") == {"30/3"}


def fought(match: Match[Table], die: int, *group: str) -> None:
    """A group forms up, breaks through to 2319, and the die falls."""
    for unit in group:
        do(match, "spearhead", unit)
    if "set out" in verbs(match):
        do(match, "set out")
    do(match, "break through", hex="2319")
    match.roll(die)


@rule("italy43", "15.1b")
def test_units_that_have_attacked_attack_again():
    again = units("103/3PG")
    match = won(CLOSE, ALL, "2320", defended=again)
    do(match, "spearhead", "7/3")
    do(match, "spearhead", "15/3")
    assert match.position.attacked & units("7/3, 15/3") == units("7/3, 15/3")
    assert hexes(match, "break through") == {"2319"}


def _events(match: Match[Table]) -> list[Any]:
    return [entry for entry in match.log if hasattr(entry, "verb")]


@rule("italy43", "15.2.1c", "15.2.6d")
def test_a_group_that_wins_may_enter_the_hex_for_nothing_and_stop():
    match = won(CLOSE, ALL, "2320", disrupted=units("103/3PG"))
    fought(match, 6, "7/3", "15/3")
    while asked(match).side != ALLIED:
        do(match, asked(match).options[-1].verb)
    assert names(match, "enter") == {"7/3", "15/3"}
    do(match, "enter", "7/3")
    assert match.position.hex[number("7/3")] == at("2319")
    do(match, "stop")
    assert match.position.hex[number("15/3")] == at("2320")
    assert names(match, "advance") == {"30/3"}


@rule("italy43", "15.2.8", "15.2.1b")
def test_a_group_that_loses_stays_where_it_attacked_from():
    match = won(CLOSE.replace("103/3PG @ 2319 steps=1", "129/15, I/104/15 @ 2319"), ALL, "2320")
    fought(match, 1, "7/3")
    while "lose a step" in verbs(match) or "keep a remnant" in verbs(match):
        do(match, asked(match).options[0].verb)
    assert match.position.hex[number("7/3")] == at("2320")
    assert not {"break through", "push", "enter"} & verbs(match)
    assert names(match, "advance") == {"15/3", "30/3"}


@rule("italy43", "15.1c")
def test_who_has_survived_it_may_still_be_attacked_by_others():
    counters = CLOSE.replace("103/3PG @ 2319 steps=1", "129/15, I/104/15 @ 2319")
    match = won(counters, ALL, "2320")
    fought(match, 1, "7/3")
    assert c08_combat.attacked_hexes(WAR, match.position) == 0


@rule("italy43", "15.2.1d")
def test_the_others_advance_but_do_not_fight():
    match = won(CLOSE, ALL, "2320")
    do(match, "set out")
    assert verbs(match) == {"advance", "stay"}


@rule("italy43", "15.2.2a")
def test_the_group_is_one_stack():
    match = won(
        "191 Tk, 131/7 @ 2321; 22/7 @ 2420; 103/3PG @ 2318", "191 Tk, 131/7, 22/7", "2320", 3
    )
    do(match, "turn round", "131/7")
    assert names(match, "turn round") == {"191 Tk"}
    assert refused(match, "spearhead", "22/7").rule == "15.2.2a"
    assert refused(match, "turn round", "22/7").rule == "15.2.2a"


@rule("italy43", "15.2.2b")
def test_any_attacker_may_join_main_assault_force_or_not():
    match = won(CLOSE, ALL, "2320", main=number("30/3"))
    assert names(match, "spearhead") == {"7/3", "15/3", "30/3"}


@rule("italy43", "15.2.4")
def test_a_group_drops_units_and_picks_none_up():
    match = won("131/7, 191 Tk @ 2321; 1 Rgr @ 2319; 103/3PG @ 2317", "131/7, 191 Tk", "2320", 3)
    do(match, "spearhead", "131/7")
    do(match, "spearhead", "191 Tk")
    do(match, "drop off", "191 Tk")
    do(match, "push", hex="2319")
    pos = match.position
    assert pos.hex[number("131/7")] == at("2319")
    assert pos.hex[number("191 Tk")] == at("2320")
    assert "1 Rgr" not in names(match, "drop off")
    assert "191 Tk" not in names(match, "advance")


TURNING = "191 Tk @ 2321; 103/3PG @ 2520"


@rule("italy43", "15.2.5")
def test_turning_round_costs_a_hex():
    # The example of 15.2.5: Adv 2+, turn round, one hex, and Breakthrough Combat with the third.
    match = won(TURNING, "191 Tk", "2320", 3)
    do(match, "turn round", "191 Tk")
    assert "2520" not in hexes(match, "break through")
    do(match, "push", hex="2420")
    assert hexes(match, "break through") == {"2520"}
    assert not hexes(match, "push")
    do(match, "break through", hex="2520")
    assert match.position.strides_left == 0
    assert "turn round" not in verbs(won(TURNING, "191 Tk", "2320", 2))


@rule("italy43", "15.2.6a")
def test_a_group_attacks_what_it_has_moved_next_to():
    match = won("7/3 @ 2321; 129/15 @ 2319 steps=1 disrupted", "7/3", "2320")
    do(match, "spearhead", "7/3")
    assert hexes(match, "break through") == {"2319"}  # those that it has just driven back
    near = "191 Tk @ 2321; 103/3PG @ 2421"
    match = won(near, "191 Tk", "2320", 3)
    do(match, "turn round", "191 Tk")
    assert refused(match, "break through", hex="2421").rule == "15.2.6a"


@rule("italy43", "15.2.6b")
def test_it_does_not_attack_where_it_could_not_advance():
    # The third hex is for mechanised units, on clear ground or by road.
    match = won("7/3, 191 Tk @ 2322; 103/3PG @ 2319", "7/3, 191 Tk", "2321", 3)
    do(match, "spearhead", "7/3")
    do(match, "spearhead", "191 Tk")
    do(match, "push", hex="2320")
    assert refused(match, "break through", hex="2319").rule == "15.2.6d"
    do(match, "drop off", "7/3")
    assert hexes(match, "break through") == {"2319"}


@rule("italy43", "15.2.6c")
def test_it_does_not_attack_over_rivers_and_mountains_off_the_roads():
    # Between 2118 and 2117 is a river without a bridge.
    match = won("7/3 @ 2119; 103/3PG @ 2117 steps=1; 15/3 @ 2020", "7/3, 15/3", "2118")
    do(match, "spearhead", "7/3")
    if "set out" in verbs(match):
        do(match, "set out")
    assert "2117" not in hexes(match, "break through")
    assert refused(match, "break through", hex="2117").rule == "15.2.6c"


@rule("italy43", "15.2.7a")
def test_no_support_shifts_count_but_tanks_and_quality_do():
    guns = "3 ASU, VI ASU @ 2322; 15PG ASU @ 2317"
    match = won(
        f"7/3, 191 Tk @ 2321; 103/3PG @ 2319 steps=1; {guns}",
        "7/3, 191 Tk",
        "2320",
        ready=units("3 ASU, VI ASU, 15PG ASU"),
        air=3,
    )
    do(match, "spearhead", "7/3")
    do(match, "spearhead", "191 Tk")
    do(match, "break through", hex="2319")
    while not isinstance(match.decision, Roll):
        do(match, asked(match).options[0].verb)
    shifts = {line.rule for line in rolled(match).lines}
    assert shifts & {"9.3.1"}
    assert not shifts & {"9.4a", "9.5.1", "9.5.2a", "9.5.4a"}


@rule("italy43", "15.3a")
def test_units_driven_back_before_defend_and_may_retreat_again():
    match = won(CLOSE, ALL, "2320", retreated=units("103/3PG"), disrupted=units("103/3PG"))
    fought(match, 6, "7/3", "15/3")
    while not isinstance(match.decision, Roll) and asked(match).side != ALLIED:
        do(match, asked(match).options[-1].verb)
    assert told(match, "retreats") + told(match, "is eliminated")
    assert "12.5b" not in {entry.rule for entry in _events(match)}


@rule("italy43", "15.3b")
def test_of_defenders_over_the_limit_their_owner_leaves_some_out():
    crowd = "129/15, I/104/15, II/104/15, III/104/15, 103/3PG"
    match = won(f"7/3, 15/3 @ 2321; {crowd} @ 2319 disrupted", "7/3, 15/3", "2320")
    do(match, "spearhead", "7/3")
    do(match, "spearhead", "15/3")
    do(match, "break through", hex="2319")
    assert asked(match).side == 1 - ALLIED
    assert names(match, "leave out") <= set(crowd.split(", "))
    do(match, "leave out", "129/15")
    assert match.position.excess & units("129/15")


@rule("italy43", "14.1c")
def test_a_group_forms_only_where_there_is_room():
    full = "7/3, 131/7 @ 2321; 15/3, 30/3 @ 2320; 103/3PG @ 2319 steps=1"
    assert "spearhead" not in verbs(won(full, "7/3", "2320"))


@rule("italy43", "8.7.2b", "15.4")
def test_an_automatic_ds_has_one_group_at_most():
    pos = table(CLOSE, "triumphs", ALLIED, triumphs=[(at("2320"), units(ALL))])
    match = play(pos, c14_advance.triumphs_phase)
    do(match, "spearhead", "7/3")
    do(match, "set out")
    do(match, "stop")
    assert verbs(match) == {"advance", "stay"}


@rule("italy43", "15.2.1c")
def test_nobody_else_enters_the_hex_that_the_group_has_won():
    match = won(CLOSE, ALL, "2320")
    fought(match, 6, "7/3", "15/3")
    while "retreat" in verbs(match):
        do(match, "retreat")
    assert refused(match, "enter", "30/3").rule == "15.2.1c"


@rule("italy43", "14.2.1")
def test_a_group_goes_no_farther_than_its_advance():
    match = won("131/7, 191 Tk @ 2321; 103/3PG @ 2517", "131/7, 191 Tk", "2320", 2)
    do(match, "spearhead", "131/7")
    do(match, "spearhead", "191 Tk")
    do(match, "push", hex="2319")
    assert "push" not in verbs(match)
    assert match.position.strides_left == 0


@rule("italy43", "15.2.4")
def test_who_goes_no_farther_drops_nobody():
    match = won("131/7, 191 Tk, 7/3 @ 2321; 103/3PG @ 2318", "131/7, 191 Tk, 7/3", "2320", 2)
    do(match, "spearhead", "131/7")
    do(match, "spearhead", "191 Tk")
    do(match, "set out")
    do(match, "push", hex="2319")
    assert "drop off" not in verbs(match)


@rule("italy43", "15.3b")
def test_who_is_left_out_is_named_once_and_must_count():
    crowd = "129/15, I/104/15, II/104/15, III/104/15, 8/3PG, XIV ASU"
    match = won(f"7/3, 15/3 @ 2321; {crowd} @ 2319 disrupted", "7/3, 15/3", "2320")
    do(match, "spearhead", "7/3")
    do(match, "spearhead", "15/3")
    do(match, "break through", hex="2319")
    assert refused(match, "leave out", "XIV ASU").sentence.startswith("Without XIV ASU")
    do(match, "leave out", "II/104/15")
    assert refused(match, "leave out", "II/104/15").sentence == "II/104/15 is left out already."


@rule("italy43", "14.4.1b")
def test_a_group_that_has_entered_an_enemy_zone_goes_no_farther():
    match = won("131/7 @ 2321; 103/3PG @ 2317", "131/7", "2320", 3)
    do(match, "spearhead", "131/7")
    if "set out" in verbs(match):
        do(match, "set out")
    do(match, "push", hex="2319")
    assert match.position.strides_left == 1
    assert "push" in verbs(match)
    do(match, "push", hex="2318")  # next to 2317
    assert match.position.strides_left == 0


@rule("italy43", "14.4.1b")
def test_the_refusal_says_that_it_had_to_stop():
    match = won("131/7 @ 2321; 103/3PG @ 2318", "131/7", "2320", 3)
    do(match, "spearhead", "131/7")
    if "set out" in verbs(match):
        do(match, "set out")
    do(match, "push", hex="2319")
    assert refused(match, "push", hex="2419").rule == "14.4.1b"
