"""Chapter 8: what the Germans send against the end-run, and what a stalemate costs them."""

from __future__ import annotations

from typing import Any

import pytest

from apennine.games.underbelly.table.position import GONE, MOVE
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.underbelly.drawing import (
    ALLIED,
    GAME,
    GERMAN,
    TIBER,
    Table,
    at,
    begin,
    do,
    events,
    given,
    halt,
    hexes,
    named,
    number,
    options,
    order,
    pass_on,
    refusal,
    refused,
    stack,
    steps,
    units,
    verbs,
    where,
)

FRONT = "46 Inf @ 2822; US 36 @ 2921"
SENT = "US 45, US 3, US 34, 1 C, US VI @ end-run"


def reaction(counters: str, side: int = GERMAN, **fields: Any) -> Match[Table]:
    """The German command phase of the turn in which an invasion was launched."""
    given = {"turn": 13, "plot": 13, "launched": 13, "scenario": TIBER, "tac_active": True}
    given |= {"ss_entered": True, "army_entered": True, "army_aircraft": True}
    return begin(f"{FRONT}; {SENT}; {counters}", side, **given | fields)


def stalemate(counters: str, owed: int = 4, **fields: Any) -> Match[Table]:
    """The same after a final 8 or 9."""
    return reaction(
        counters, **{"turn": 14, "rolled": 14, "settled": 8, "owed": owed, "owed_by": 14} | fields
    )


def winner(match: Match[Table]) -> tuple[int | None, str]:
    assert match.outcome is not None
    return match.outcome.winner, match.outcome.rule


# 8.16: the reaction


@rule("underbelly", "8.16a")
@pytest.mark.parametrize("verb", ["move", "column"])
def test_units_of_tenth_army_march_off_the_map_against_the_invasion(verb: str):
    match = reaction("16 Pz, 29 PG, XIV Pz @ 1112; 26 Pz @ 1714")
    match.force(8)
    order(match, verb, "1112", "16 Pz", "29 PG", "XIV Pz")
    assert "exit" not in verbs(match)
    do(match, "go", hex="1012")
    do(match, "exit")
    assert stack(match, "end-run") >= {"16 Pz", "29 PG", "XIV Pz"}
    assert match.position.points == 5
    assert len(events(match, "marches against the end-run")) == 3


@rule("underbelly", "6.6a", "8.16b")
def test_they_leave_through_another_organisation_but_do_not_stop_there():
    match = reaction("15 PG @ 1112; 1 SS @ 1012; 1 Pz @ 1011; 26 Pz @ 1714")
    order(match, "move", "1112")
    assert {"1011", "1012"} <= hexes(match, "go")
    do(match, "go", hex="1012")
    assert verbs(match) == {"go", "exit"}
    assert refusal(match, "halt").rule == "6.6b"
    do(match, "exit")
    assert where(match, "15 PG") == "end-run"
    # Who may not leave, or would have no point left for it, does not come there at all.
    corps = reaction("1 SS @ 1112; 29 PG @ 1012; 26 Pz @ 1714")
    order(corps, "move", "1112")
    assert "1012" not in hexes(corps, "go")
    for points, may in ((3, True), (2, False)):
        foot = reaction("65 Inf @ 1113; 1 SS @ 1013; 26 Pz @ 1714")
        order(foot, "move", "1113")
        foot.position.moves_left = points  # and the mountains of 1013 take two
        assert ("1013" in hexes(Match(GAME, position=foot.position, seed=1), "go")) is may


def test_who_comes_to_leave_among_others_is_not_sent_to_where_he_is():
    match = reaction("16 Pz @ 1110; 1 SS @ 1010")
    do(match, "move", hex="1110")
    do(match, "go", hex="1010")
    assert given(match, "1010") == {"exit"}


@rule("underbelly", "8.16a")
def test_only_tenth_army_reacts():
    match = reaction("1 SS @ 1012; 1 Pz @ 1021; 16 Pz @ 1010")
    for hex, may in (("1012", False), ("1021", False), ("1010", True)):
        fork = match.fork()
        do(fork, "move", hex=hex)
        assert ("exit" in verbs(fork)) == may, hex
    do(match, "move", hex="1012")
    words = "Only 10th Army reacts to the end-run."
    assert refused(match, "exit", hex="1012") == (words, "8.16a")
    # Nor does an SS division that came back from the dead into the box of 10th Army.
    boxes = reaction("1 Pz @ fifth; 1 SS @ tenth steps=1; 15 PG, 26 Pz @ tenth; 16 Pz @ 1714")
    assert named(boxes, "send against the end-run") == {"15 PG", "26 Pz"}


@rule("underbelly", "8.16a")
def test_the_reaction_may_come_in_any_later_turn_and_be_any_number():
    match = reaction("15 PG, 26 Pz, 29 PG, 3 PG, 2 Para, XIV Pz @ tenth; 16 Pz @ 1714", turn=17)
    for unit in ("15 PG", "26 Pz", "29 PG", "XIV Pz"):
        do(match, "send against the end-run", unit)
    assert match.position.points == 5  # a full stack for one command
    do(match, "send against the end-run", "3 PG")
    do(match, "send against the end-run", "2 Para")
    assert match.position.points == 4
    assert stack(match, "tenth") == set()
    poor = reaction("15 PG @ tenth; 16 Pz @ 1714 steps=1", points=0)
    assert "send against the end-run" not in verbs(poor)


@rule("underbelly", "8.16a")
def test_without_a_launch_nobody_leaves():
    given = {"scenario": TIBER, "turn": 13, "plot": 0}
    match = begin(f"{FRONT}; 16 Pz @ 1012; 15 PG @ tenth", GERMAN, **given)
    assert "send against the end-run" not in verbs(match)
    do(match, "move", hex="1012")
    assert "exit" not in verbs(match)
    words = "Germans leave the map only to meet an end-run, or because they must after it."
    assert refused(match, "exit", hex="1012") == (words, "10.5")


@rule("underbelly", "8.16b")
def test_leaving_costs_a_movement_point():
    for points in (0, 1):
        match = reaction(
            "94 Inf @ 1012; 16 Pz @ 1714",
            order=MOVE,
            origin=at("1112"),
            force=units("94 Inf"),
            movers=units("94 Inf"),
            under_way=True,
            moves_left=points,
        )
        assert ("exit" in verbs(match)) == (points == 1)
    fresh = reaction("94 Inf @ 1109; 16 Pz @ 1714")
    order(fresh, "move", "1109")
    do(fresh, "go", hex="1010")
    assert fresh.position.moves_left == 2  # the river has cost one
    do(fresh, "exit")
    assert where(fresh, "94 Inf") == "end-run"


@rule("underbelly", "8.16b")
def test_a_box_is_left_for_the_other_at_the_price_of_a_move():
    match = reaction("15 PG, 26 Pz @ tenth; 16 Pz @ 1714")
    do(match, "send against the end-run", "15 PG")
    do(match, "send no more")
    assert match.position.points == 5
    assert (where(match, "15 PG"), where(match, "26 Pz")) == ("end-run", "tenth")
    assert refusal(match, "send against the end-run", "16 Pz").rule == "8.16b"


@rule("underbelly", "8.16c")
def test_who_has_gone_against_the_invasion_never_comes_back():
    match = reaction("15 PG, 26 Pz @ end-run; 3 PG @ end-run steps=1; 16 Pz @ 1714")
    assert "end-run" not in hexes(match, "move") | hexes(match, "column")
    gone = {number("15 PG"), number("26 Pz"), number("3 PG")}
    assert not gone & {option.unit for option in options(match)}  # nor is it replenished
    assert refusal(match, "move", hex="end-run").rule == "8.16c"
    # Neither who was sent from the box nor who marched off goes back to the box.
    going = reaction("15 PG @ tenth; 29 PG @ 1012; 16 Pz @ 1714")
    do(going, "send against the end-run", "15 PG")
    order(going, "move", "1012")
    do(going, "exit")
    assert stack(going, "end-run") >= {"15 PG", "29 PG"}
    assert "tenth" not in hexes(going, "move")
    pass_on(match, until="command", side=ALLIED)
    assert where(match, "15 PG") == "end-run"


@rule("underbelly", "8.16d")
def test_german_units_may_leave_in_column_and_allied_ones_may_not():
    match = reaction("16 Pz @ 1712; 26 Pz @ 1920")
    order(match, "column", "1712")
    do(match, "go", hex="1012")
    do(match, "exit")
    assert where(match, "16 Pz") == "end-run"
    allied = begin("46 Inf @ 1012; US 36 @ 2921; 16 Pz @ 2017", turn=13)
    order(allied, "column", "1012")
    words = "A column may not leave the map: order a plain move."
    assert refused(allied, "exit", hex="1012") == (words, "4.1c")
    regular = begin("46 Inf @ 1012; US 36 @ 2921; 16 Pz @ 2017", turn=13)
    order(regular, "move", "1012")
    assert "exit" in verbs(regular)


@rule("underbelly", "8.16a", "8.16d")
def test_only_a_regular_move_or_a_column_leaves_the_map():
    match = reaction("16 Pz @ 1012; 26 Pz @ 1920")
    order(match, "move-fight", "1012")
    assert "exit" not in verbs(match)
    words = "Germans leave the map by a plain move or in column, not by an assault."
    assert refused(match, "exit", hex="1012") == (words, "8.16a")


# 8.18: a stalemate


@rule("underbelly", "8.18a")
@pytest.mark.parametrize(("die", "steps_owed"), [(8, 4), (9, 8)])
def test_an_eight_or_a_nine_ends_the_rolling_for_good(die: int, steps_owed: int):
    match = reaction("16 Pz @ 1012", ALLIED, turn=14, points=7)
    match.force(die)
    do(match, "roll for the end-run")
    assert (match.position.settled, match.position.owed) == (die, steps_owed)
    assert match.outcome is None
    later = reaction("16 Pz @ 1012", ALLIED, turn=15, rolled=14, settled=die, points=2)
    assert "roll for the end-run" not in verbs(later)
    assert "end" in verbs(later)
    assert "attack" not in verbs(later)
    assert "move" in verbs(later)  # no points are kept back
    assert refusal(later, "roll for the end-run").rule == "8.18a"


@rule("underbelly", "8.18b")
def test_any_organisation_pays_by_marching_off_the_map():
    match = stalemate("1 SS @ 1012; 1 Pz @ 1021; 16 Pz @ 1010; 15 PG @ tenth", owed=8)
    assert "send against the end-run" not in verbs(match)  # a box is not the map
    for hex, owed in (("1012", 6), ("1021", 4), ("1010", 2)):
        do(match, "column" if hex == "1021" else "move", hex=hex)
        do(match, "exit")
        assert match.position.owed == owed
    assert match.position.points == 3
    assert match.position.hex[number("1 SS")] == GONE
    assert len(events(match, "is withdrawn")) == 3


@rule("underbelly", "8.18b")
def test_when_the_debt_is_paid_nobody_else_may_leave():
    match = stalemate("1 SS, 2 SS @ 1012; 16 Pz @ 1010", owed=2)
    order(match, "move", "1012", "1 SS")
    do(match, "exit")
    assert match.position.owed == 0
    halt(match)
    do(match, "move", hex="1010")
    assert refused(match, "exit", hex="1010").rule == "10.5"


@rule("underbelly", "8.18b")
def test_a_stack_that_pays_too_much_is_withdrawn_as_a_whole():
    match = stalemate("1 SS, 2 SS, II SS @ 1012; 16 Pz @ 1010", owed=1)
    order(match, "move", "1012")
    do(match, "exit")
    assert match.position.owed == 0
    for unit in ("1 SS", "2 SS", "II SS"):
        assert match.position.hex[number(unit)] == GONE


@rule("underbelly", "8.18c")
def test_a_reduced_division_is_one_step_and_a_full_one_goes_whole():
    match = stalemate("1 SS @ 1012 steps=1; 16 Pz @ 1010; 26 Pz @ 1022; XIV Pz @ 1024", owed=4)
    for hex, owed in (("1012", 3), ("1010", 1), ("1022", 0)):
        do(match, "move", hex=hex)
        do(match, "exit")
        assert match.position.owed == owed
    assert steps(match, "26 Pz") == 2  # it was not reduced to give the one step
    assert match.position.hex[number("26 Pz")] == GONE
    full = stalemate("26 Pz @ 1022; 16 Pz @ 1010", owed=1)
    assert not {"reduce", "detach"} & verbs(full)
    do(full, "move", hex="1022")
    assert verbs(full) == {"go", "exit", "halt"}


@rule("underbelly", "8.18d")
@pytest.mark.parametrize("owed", [1, 4])
def test_a_debt_of_a_single_step_loses_the_game(owed: int):
    match = stalemate("16 Pz @ 1010; 26 Pz @ 1022; 29 PG @ 1024 steps=1", owed=owed)
    if owed == 4:
        for hex in ("1010", "1024"):
            do(match, "move", hex=hex)
            do(match, "exit")
        assert match.position.owed == 1
    do(match, "end")
    assert winner(match) == (ALLIED, "8.18d")


@rule("underbelly", "8.18d", "8.18e")
def test_who_pays_by_the_end_of_his_next_turn_plays_on():
    match = reaction("16 Pz @ 1010; 26 Pz @ 1022; 15 PG @ 1316", ALLIED, turn=14, points=7)
    match.force(8)
    do(match, "roll for the end-run")
    assert (match.position.owed, match.position.owed_by) == (4, 14)
    pass_on(match, until="command", side=GERMAN)
    assert match.position.turn == 14
    unpaid = match.fork()
    for hex in ("1010", "1022"):
        do(match, "move", hex=hex)
        do(match, "exit")
    do(match, "end")
    assert match.outcome is None
    do(unpaid, "end")
    assert winner(unpaid) == (ALLIED, "8.18d")


@rule("underbelly", "8.18e")
@pytest.mark.parametrize("deadline", [14, 15])
def test_the_debt_is_called_in_at_its_deadline_and_not_before(deadline: int):
    match = stalemate("16 Pz @ 1010; 26 Pz @ 1022", owed_by=deadline)
    do(match, "end")
    assert (match.outcome is not None) == (deadline == 14)
