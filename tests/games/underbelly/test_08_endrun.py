"""Chapter 8: the end-run invasion."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from apennine.games.underbelly.rules import c08_endrun as endrun
from apennine.games.underbelly.table.position import (
    ALLIED,
    GERMAN,
    HISTORICAL,
    INVASION_DEFEATED,
    INVASION_WINS,
    TIBER,
    Table,
)
from apennine.kernel.decision import Choice
from apennine.kernel.match import Match
from apennine.kernel.view import seen_decision, seen_log
from apennine.testing import rule
from tests.games.underbelly.skirmish import (
    GAME,
    WAR,
    at,
    begin,
    do,
    events,
    lines,
    named,
    number,
    options,
    preview,
    refusal,
    table,
    units,
    values,
    verbs,
    where,
)

WAVE = "US 36, US 45, US 3, US VI @ available; 46 Inf, X Corps @ 4108; 16 Pz @ 1022"


def tiber(counters: str, side: int = ALLIED, phase: str = "command", **fields: Any) -> Match[Table]:
    return begin(counters, side, phase, scenario=TIBER, **{"turn": 14, "plot": 0} | fields)


def afloat(side: int = ALLIED, counters: str = "US 45 @ 2822; 16 Pz @ 1022", **fields: Any):
    """An invasion launched last turn: four divisions and their artillery in the box."""
    sent = "US 36, 46 Inf, 56 Inf, 5 Inf, X Corps @ end-run"
    given = {"turn": 14, "plot": 13, "launched": 13, "tac_active": True, "tac": 1}
    return tiber(f"{sent}; {counters}", side, **given | fields)


# The note


@rule("underbelly", "8.10a")
def test_the_note_says_none_or_a_turn_from_13_to_22():
    match = tiber("US 36 @ 2822; 16 Pz @ 1022", phase="plot", turn=2, plot=-1)
    assert verbs(match) == {"plan no end-run", "plan the end-run"}
    assert values(match, "plan the end-run") == list(range(13, 23))
    do(match, "plan no end-run")
    assert match.position.plot == 0
    assert "plan the end-run" not in verbs(match)


@rule("underbelly", "8.9")
def test_only_watch_on_the_tiber_has_an_end_run():
    match = begin("US 36 @ 2822; 16 Pz @ 1022", ALLIED, "plot", scenario=HISTORICAL, turn=2)
    assert "plan the end-run" not in verbs(match)
    assert match.position.plot == -1


@rule("underbelly", "8.10b", "8.11b")
def test_the_german_sees_that_a_note_is_written_and_not_what_it_says():
    seen: list[Any] = []
    for place in (0, 5):
        match = tiber("US 36 @ 2822; 16 Pz @ 1022", phase="plot", turn=2, plot=-1)
        decision = seen_decision(match, GERMAN)
        assert isinstance(decision, Choice)
        assert decision.options == ()
        match.choose(options(match)[place])
        seen.append((match.view(GERMAN), list(seen_log(match, GERMAN))))
    assert seen[0] == seen[1]


@rule("underbelly", "8.12b")
def test_an_imagined_note_is_one_that_could_have_been_written():
    pos = table("US 36 @ 2822; 16 Pz @ 1022", scenario=TIBER, plot=15, turn=9)
    found = set()
    random = Random(3)
    for _ in range(200):
        other = pos.copy()
        endrun.imagine_plot(WAR, other, random, pos)
        found.add(other.plot)
    assert found == {0, *range(13, 23)}


# The launch


@rule("underbelly", "8.13a", "8.13c")
def test_a_launch_sends_four_divisions_and_a_corps_support_for_three_points():
    match = tiber(WAVE, phase="orders", turn=13, plot=13)
    do(match, "launch the end-run")
    assert match.position.points == 4
    assert match.position.tac_active
    while "embark" in verbs(match):
        do(match, "embark")
    box = [unit for unit in GAME.units if where(match, unit) == "end-run"]
    assert len(box) == 5
    assert sum(WAR.supports >> number(unit) & 1 for unit in box) == 1
    assert events(match, "end-run is launched")[0].reveals


@rule("underbelly", "8.12a", "8.13a")
def test_an_invasion_not_launched_on_its_turn_is_off():
    early = tiber(WAVE, phase="orders", turn=13, plot=14)
    assert "launch the end-run" not in verbs(early)
    due = tiber(WAVE, phase="orders", turn=13, plot=13)
    do(due, "activate air")
    assert "launch the end-run" not in verbs(due)
    assert due.position.launched == 0


@rule("underbelly", "8.13b")
def test_the_wave_waits_in_the_box_or_in_a_port():
    inland = WAVE.replace("46 Inf, X Corps @ 4108", "46 Inf, X Corps @ 3309")
    assert "launch the end-run" not in verbs(tiber(inland, phase="orders", turn=13, plot=13))
    assert "launch the end-run" in verbs(tiber(WAVE, phase="orders", turn=13, plot=13))


@rule("underbelly", "8.13d")
def test_a_german_zone_bars_a_port_even_with_allied_units_there():
    near = WAVE.replace("16 Pz @ 1022", "16 Pz @ 4107")
    assert "launch the end-run" not in verbs(tiber(near, phase="orders", turn=13, plot=13))


@rule("underbelly", "8.15b")
def test_reduced_divisions_do_not_go():
    weak = f"{WAVE}; 46 Inf @ 4108 steps=1"
    assert "launch the end-run" not in verbs(tiber(weak, phase="orders", turn=13, plot=13))


@rule("underbelly", "8.14")
def test_who_leaves_the_invasion_without_air_loses_at_once():
    match = tiber(
        "US 36, 46 Inf, 56 Inf, 5 Inf, X Corps @ end-run; US 45 @ 2822",
        phase="orders",
        plot=13,
        launched=13,
    )
    do(match, "no air")
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.rule) == (GERMAN, "8.14")


# Reinforcement


@rule("underbelly", "8.15a", "8.15e")
def test_two_divisions_may_follow_one_command_for_each_place():
    match = afloat(counters="US 45, US 3 @ available; 1 C, XIII Corps @ 4108; 16 Pz @ 1022")
    assert named(match, "reinforce the end-run") == {"US 45", "US 3", "1 C"}
    do(match, "reinforce the end-run", "US 3")
    assert named(match, "reinforce the end-run") == {"US 45"}
    do(match, "reinforce the end-run", "US 45")
    assert match.position.points == 6
    assert where(match, "US 3") == where(match, "US 45") == "end-run"
    assert "reinforce the end-run" not in verbs(match)
    assert refusal(match, "reinforce the end-run", "1 C").rule == "8.15a"


@rule("underbelly", "8.15a")
def test_reinforcements_do_not_go_with_the_first_wave():
    match = afloat(turn=13, counters="US 45 @ available; 16 Pz @ 1022")
    assert "reinforce the end-run" not in verbs(match)
    assert refusal(match, "reinforce the end-run", "US 45").rule == "8.15a"


@rule("underbelly", "8.17a")
def test_the_beachhead_may_be_reinforced_before_its_battle_is_resolved():
    """The example of the book: first the reinforcement, then the roll, which it helps."""
    match = afloat(counters="US 45, US 3 @ available; 16 Pz @ 1022")
    do(match, "reinforce the end-run", "US 45")
    do(match, "send no more")
    shown = lines(preview(match, "roll for the end-run"))
    assert shown == {"Allied divisions beyond the first four": "+1"}
    match.force(7)
    do(match, "roll for the end-run")
    assert match.position.settled == 8


# Resolution


@rule("underbelly", "8.17a", "8.17d")
def test_the_roll_must_be_made_and_the_first_is_free():
    match = afloat()
    assert "end" not in verbs(match)
    match.force(5)
    do(match, "roll for the end-run")
    assert match.position.points == 7
    assert match.outcome is None
    assert "roll for the end-run" not in verbs(match)
    assert "end" in verbs(match)


@rule("underbelly", "8.17b", "8.17c")
def test_an_undecided_invasion_costs_two_points_a_turn():
    match = afloat(turn=15, rolled=14, points=3)
    # Of three points two are spoken for: a move can be paid, an attack cannot.
    assert "move" in verbs(match)
    assert "attack" not in verbs(match)
    match.force(5)
    do(match, "roll for the end-run")
    assert match.position.points == 1
    assert match.position.rolled == 15


@rule("underbelly", "8.17e")
@pytest.mark.parametrize(
    ("die", "turn", "verdict"), [(10, 14, INVASION_WINS), (2, 21, INVASION_DEFEATED)]
)
def test_the_ends_of_the_table_decide_the_game(die: int, turn: int, verdict: int):
    match = afloat(turn=turn, rolled=turn - 1, switched=True)
    match.force(die)
    do(match, "roll for the end-run")
    assert match.position.verdict == verdict
    assert match.outcome is not None
    assert match.outcome.winner == (ALLIED if verdict == INVASION_WINS else GERMAN)


@rule("underbelly", "8.17a")
def test_german_steps_in_the_box_count_against_it():
    match = afloat(counters="US 45 @ 2822; 15 PG @ end-run; 26 Pz @ end-run steps=1; 16 Pz @ 1022")
    found = preview(match, "roll for the end-run")
    assert lines(found) == {"German steps in the box, every two": "-1"}
    chances = {chance.result: chance.probability for chance in found.chances}
    assert chances == {
        "defeat": Fraction(1, 5),
        "undecided": Fraction(3, 5),
        "withdraw 4": Fraction(1, 10),
        "withdraw 8": Fraction(1, 10),
    }


# The German side


@rule("underbelly", "8.16a", "8.16b")
def test_tenth_army_sends_a_stack_from_its_box_for_one_point():
    counters = "US 45 @ 2822; 15 PG, 26 Pz, LXXVI Pz @ tenth; 16 Pz @ 1022"
    match = afloat(GERMAN, counters, points=6)
    assert named(match, "send against the end-run") == {"15 PG", "26 Pz", "LXXVI Pz"}
    do(match, "send against the end-run", "15 PG")
    do(match, "send against the end-run", "LXXVI Pz")
    do(match, "send no more")
    assert match.position.points == 5
    assert where(match, "15 PG") == where(match, "LXXVI Pz") == "end-run"
    assert where(match, "26 Pz") == "tenth"


@rule("underbelly", "8.16a")
def test_nobody_goes_north_before_a_launch():
    match = tiber("US 45 @ 2822; 15 PG @ tenth; 16 Pz @ 1022", GERMAN)
    assert "send against the end-run" not in verbs(match)
    assert refusal(match, "send against the end-run", "15 PG").rule == "8.16a"
    do(match, "move", hex="1022")
    assert "exit" not in verbs(match)
    assert refusal(match, "exit", hex="1022").rule == "10.5"


@rule("underbelly", "8.18a", "8.18b")
def test_a_stalemate_obliges_the_german_to_withdraw_steps():
    match = afloat()
    match.force(9)
    do(match, "roll for the end-run")
    pos = match.position
    assert (pos.settled, pos.owed, pos.owed_by) == (9, 8, 14)
    assert "roll for the end-run" not in verbs(match)
    later = afloat(turn=15, settled=9, rolled=14)
    assert "roll for the end-run" not in verbs(later)


@rule("underbelly", "8.18b", "8.18c")
def test_units_of_any_organisation_pay_with_the_steps_they_have():
    pos = table(
        "16 Pz @ 1022; 15 PG @ 1022 steps=1",
        GERMAN,
        scenario=TIBER,
        plot=13,
        launched=13,
        turn=14,
        settled=8,
        owed=4,
        owed_by=14,
    )
    list(endrun.has_left(WAR, pos, units("16 Pz, 15 PG")))
    assert pos.owed == 1
    assert pos.hex[number("16 Pz")] == -3


@rule("underbelly", "8.18d", "8.18e")
def test_who_still_owes_steps_at_the_end_of_his_turn_forfeits_the_game():
    match = afloat(GERMAN, settled=8, owed=4, owed_by=14, points=6)
    do(match, "end")
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.rule) == (ALLIED, "8.18d")


@rule("underbelly", "8.15d")
def test_units_on_the_end_run_are_out_of_play():
    match = afloat()
    assert number("US 36") not in {option.unit for option in options(match)}
    box = at("end-run")
    assert not [o for o in options(match) if o.hex == box and o.verb in ("move", "column")]
