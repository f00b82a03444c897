"""Chapter 8: the secret note, the launch of the end-run, and the duties that follow from it."""

from __future__ import annotations

from typing import Any

import pytest

from apennine.games.underbelly.table.position import INVASION_DEFEATED, INVASION_WINS, UNDECIDED
from apennine.kernel.log import Chosen
from apennine.kernel.match import Match
from apennine.kernel.view import seen_log
from apennine.testing import rule
from tests.games.underbelly.drawing import (
    ALLIED,
    AWAY,
    GAME,
    GERMAN,
    HISTORICAL,
    LOST,
    TIBER,
    WAR,
    Table,
    asked,
    at,
    attack,
    begin,
    do,
    events,
    halt,
    hexes,
    mask,
    named,
    next_turn,
    number,
    options,
    order,
    pass_on,
    refusal,
    refused,
    rolls,
    shoot_out,
    stack,
    units,
    verbs,
    where,
)

FRONT = "46 Inf @ 2822; US 36 @ 2921; 16 Pz @ 1022"
WAVE = "US 45, US 3, US 34, US VI @ available; 1 C, XIII Corps @ 4108"
SENT = "US 45, US 3, US 34, 1 C, US VI @ end-run"


def tiber(counters: str, side: int = ALLIED, phase: str = "command", **fields: Any) -> Match[Table]:
    given = {"scenario": TIBER, "turn": 13, "plot": 0}
    return begin(f"{FRONT}; {counters}", side, phase, **given | fields)


def due(counters: str = WAVE, **fields: Any) -> Match[Table]:
    """The start of the Allied command phase for which the note was written."""
    return tiber(counters, phase="orders", **{"plot": 13} | fields)


def launch(counters: str = WAVE, *wave: str, **fields: Any) -> Match[Table]:
    match = due(counters, **fields)
    do(match, "launch the end-run")
    for unit in wave or ("US 45", "US 3", "US 34", "1 C", "US VI"):
        if "embark" in verbs(match):
            do(match, "embark", unit)
    return match


def afloat(counters: str = "", side: int = ALLIED, **fields: Any) -> Match[Table]:
    """The turn after a launch in turn 13."""
    given = {"turn": 14, "plot": 13, "launched": 13, "tac_active": True, "tac": 1}
    points = {"points": 7 if side == ALLIED else 6}
    return tiber(f"{SENT}; {counters}", side, **given | points | fields)


def note(match: Match[Table], side: int) -> object:
    return match.view(side)["secret note"]


def winner(match: Match[Table]) -> tuple[int | None, str]:
    assert match.outcome is not None
    return match.outcome.winner, match.outcome.rule


# The note


@rule("underbelly", "8.9", "8.10a")
@pytest.mark.parametrize(("die", "writes"), [(5, False), (6, True)])
def test_the_note_is_written_as_soon_as_the_die_has_said_watch_on_the_tiber(die: int, writes: bool):
    match = begin(FRONT, GERMAN, turn=1, scenario=UNDECIDED)
    match.force(die)
    do(match, "end")
    assert match.position.turn == 2
    assert ("plan the end-run" in verbs(match)) == writes
    if writes:
        assert asked(match) == ALLIED
        match.choose(options(match)[3])
        assert match.log[-1].secret
        assert match.position.plot == 15


@rule("underbelly", "8.10a")
def test_the_note_is_never_changed():
    match = tiber("", phase="plot", turn=3, plot=15)
    assert match.position.phase == "orders"
    assert match.position.plot == 15
    written = tiber("", phase="plot", turn=2, plot=-1)
    do(written, "plan no end-run")
    for _ in range(6):
        next_turn(written)
    plans = [e for e in written.log if isinstance(e, Chosen) and "plan" in e.option.verb]
    assert len(plans) == 1
    assert written.position.plot == 0


@rule("underbelly", "8.10b")
def test_both_see_that_a_note_lies_there_and_only_its_writer_knows_it():
    for plot, says in ((0, "no end-run"), (17, "end-run in turn 17")):
        match = tiber("", plot=plot)
        assert note(match, ALLIED) == says
        assert note(match, GERMAN) == note(match, -1) == "face down"


@rule("underbelly", "8.11a")
def test_the_launch_shows_the_note_before_any_command():
    for turn in (12, 14):
        assert "launch the end-run" not in verbs(due(turn=turn))
    match = due()
    assert note(match, GERMAN) == "face down"
    assert verbs(match) == {"activate air", "no air", "launch the end-run"}
    do(match, "launch the end-run")
    assert note(match, GERMAN) == "end-run in turn 13"
    assert events(match, "end-run is launched")[0].reveals


@rule("underbelly", "8.11b", "8.12a")
@pytest.mark.parametrize(("plot", "says"), [(0, "no end-run"), (13, "end-run in turn 13")])
def test_a_note_that_launched_nothing_is_shown_at_the_end(plot: int, says: str):
    match = tiber("16 Pz @ 1022", phase="end", side=GERMAN, turn=20, plot=plot)
    assert winner(match) == (GERMAN, "11.9c")
    assert note(match, GERMAN) == says


@rule("underbelly", "8.12a")
def test_a_cancellation_stays_secret():
    logs: list[Any] = []
    for plot in (13, 0, 19):
        match = due(plot=plot)
        do(match, "no air")
        pass_on(match, until="command", side=GERMAN)
        assert note(match, GERMAN) == "face down"
        logs.append([list(seen_log(match, GERMAN)), match.view(GERMAN)])
    assert logs[0] == logs[1] == logs[2]


@rule("underbelly", "8.12a", "8.12b")
def test_an_invasion_is_launched_in_its_turn_or_never():
    assert "launch the end-run" not in verbs(due(turn=12))
    assert "launch the end-run" not in verbs(due(turn=14))
    match = due()
    do(match, "activate air")
    assert "launch the end-run" not in verbs(match)
    pass_on(match, until="orders")
    assert match.position.turn == 14
    assert verbs(match) == {"activate air", "no air"}
    assert refused(match, "launch the end-run").rule == "8.11a"
    assert refusal(match, "plan the end-run", value=16).rule == "8.10a"
    pass_on(match, until="plot", side=ALLIED)
    assert match.position.plot == 13


# The launch


@rule("underbelly", "8.13a")
def test_the_wave_is_four_full_divisions_and_one_corps_support():
    match = due(f"{WAVE}; 78 Inf @ available steps=1")
    do(match, "launch the end-run")
    ready = {"US 45", "US 3", "US 34", "1 C", "46 Inf", "US VI", "XIII Corps", "US 36"}
    assert named(match, "embark") == ready
    assert refusal(match, "embark", "78 Inf").rule == "8.15b"
    do(match, "embark", "US VI")
    assert named(match, "embark") == ready - {"US VI", "XIII Corps"}
    for unit in ("US 45", "US 3", "US 34", "1 C"):
        assert match.position.phase == "orders"
        do(match, "embark", unit)
    assert stack(match, "end-run") == {"US 45", "US 3", "US 34", "1 C", "US VI"}
    assert match.position.phase == "command"
    guns_last = launch(WAVE, "US 45", "US 3", "US 34", "1 C")
    assert named(guns_last, "embark") == {"US VI", "XIII Corps"}
    # And one of the three aircraft that Naples and Foggia give goes with it.
    assert launch(control=mask("2822 2921 4108 2522 2608")).position.tac == 2


@rule("underbelly", "8.13a")
def test_there_is_no_launch_without_such_a_wave():
    # The two divisions on the beaches are in ports, and count.
    assert "launch the end-run" in verbs(due("US 45, US 3, US VI @ available"))
    assert "launch the end-run" not in verbs(due("US 45, US 3 @ available"))
    assert "launch the end-run" not in verbs(due("US 45, US VI @ available"))
    weak = due("US 45, US VI @ available; US 3 @ available steps=1")
    assert "launch the end-run" not in verbs(weak)


@rule("underbelly", "8.13b")
def test_the_wave_starts_in_the_box_or_in_a_port():
    match = due(f"{WAVE}; 78 Inf @ 4107")
    do(match, "launch the end-run")
    assert {"1 C", "US 45"} <= named(match, "embark")  # Taranto, the box
    assert "78 Inf" not in named(match, "embark")  # beside Taranto
    assert refusal(match, "embark", "78 Inf").rule == "8.13b"


@rule("underbelly", "8.13b", "8.13d")
def test_no_unit_embarks_where_a_german_zone_reaches():
    match = due(f"{WAVE}; 8 I @ 4108; 26 Pz @ 4107; US II @ available; 78 Inf @ available")
    do(match, "launch the end-run")
    assert not {"1 C", "XIII Corps", "8 I"} & named(match, "embark")
    assert refusal(match, "embark", "1 C").rule == "8.13d"
    guns = due(f"{WAVE}; LXXVI Pz @ 4107")  # corps support has no zone of control
    do(guns, "launch the end-run")
    assert {"1 C", "XIII Corps"} <= named(guns, "embark")


@rule("underbelly", "8.13c")
def test_the_launch_costs_three_points_and_brings_the_tactical_air():
    match = launch()
    assert match.position.points == 4
    assert match.position.tac_active
    poor = due(points=2)
    assert verbs(poor) == {"activate air", "no air"}


@rule("underbelly", "8.14")
def test_after_a_launch_the_air_must_be_active_in_every_turn():
    match = launch()
    for turn in (14, 15):
        pass_on(match, until="orders")
        assert match.position.turn == turn
        do(match, "activate air")
        match.force(5)
        do(match, "roll for the end-run")
    pass_on(match, until="orders")
    do(match, "no air")
    assert winner(match) == (GERMAN, "8.14")
    peaceful = due()
    do(peaceful, "no air")
    assert peaceful.outcome is None


@rule("underbelly", "8.14b")
@pytest.mark.parametrize(("bases", "aircraft"), [("", 1), ("2522", 2), ("2522 2608", 2)])
def test_one_aircraft_stays_with_the_invasion(bases: str, aircraft: int):
    control = mask(f"2822 2921 4108 {bases}")
    match = tiber(SENT, phase="orders", plot=13, launched=13, turn=14, control=control)
    do(match, "activate air")
    assert match.position.tac == aircraft
    before = due(plot=0, control=control)
    do(before, "activate air")
    assert before.position.tac == 1 + len(bases.split())
    assert launch(control=control).position.tac == aircraft


@rule("underbelly", "8.14c")
def test_the_duty_to_fly_outlasts_the_invasion():
    match = tiber(SENT, phase="orders", plot=13, launched=13, turn=16, rolled=14, settled=8)
    do(match, "no air")
    assert winner(match) == (GERMAN, "8.14")


# Reinforcement


@rule("underbelly", "8.15a")
def test_up_to_two_divisions_follow_over_one_turn_or_two():
    match = afloat("US 1 Arm, 78 Inf, 2 NZ, V Corps @ available")
    assert named(match, "reinforce the end-run") >= {"US 1 Arm", "78 Inf", "2 NZ"}
    assert "V Corps" not in named(match, "reinforce the end-run")
    do(match, "reinforce the end-run", "US 1 Arm")
    do(match, "send no more")
    match.force(5)
    do(match, "roll for the end-run")
    pass_on(match, until="orders")
    do(match, "activate air")
    do(match, "reinforce the end-run", "78 Inf")  # of the other nationality, a turn later
    assert stack(match, "end-run") >= {"US 1 Arm", "78 Inf"}
    assert refusal(match, "reinforce the end-run", "2 NZ").rule == "8.15a"
    assert "reinforce the end-run" not in verbs(match)


@rule("underbelly", "8.15a")
def test_nobody_follows_in_the_turn_of_the_launch():
    match = launch(f"{WAVE}; 78 Inf @ available")
    assert match.position.phase == "command"
    assert "reinforce the end-run" not in verbs(match)


@rule("underbelly", "8.15b")
def test_reduced_divisions_and_more_guns_do_not_follow():
    match = afloat("78 Inf @ available steps=1; 2 NZ, V Corps @ available")
    assert named(match, "reinforce the end-run") == {"2 NZ", "46 Inf", "US 36"}
    assert refusal(match, "reinforce the end-run", "78 Inf").rule == "8.15b"
    full = afloat("2 NZ, V Corps @ available; 78 Inf, 8 I @ end-run", reinforced=2)
    assert "reinforce the end-run" not in verbs(full)
    divisions = units("US 45, US 3, US 34, 1 C, 78 Inf, 8 I")
    assert mask_in(full, "end-run") & ~WAR.supports == divisions


def mask_in(match: Match[Table], place: str) -> int:
    return sum(1 << number(unit) for unit in stack(match, place))


@rule("underbelly", "8.15c")
def test_who_follows_starts_in_the_box_or_in_a_port_without_a_german_zone():
    match = afloat("78 Inf @ available; 2 NZ @ 4108; 8 I @ 5328; 26 Pz @ 5428; 7 Arm @ 4107")
    assert named(match, "reinforce the end-run") == {"78 Inf", "2 NZ", "46 Inf", "US 36"}
    assert refusal(match, "reinforce the end-run", "7 Arm").rule == "8.13b"
    assert refusal(match, "reinforce the end-run", "8 I").rule == "8.13d"
    march = afloat("78 Inf @ 4107; 26 Pz @ 1714")
    order(march, "move", "4107")
    do(march, "go", hex="4108")
    halt(march)
    assert "78 Inf" not in named(march, "reinforce the end-run")


@rule("underbelly", "8.15c")
def test_a_port_that_is_freed_during_the_turn_is_too_late():
    counters = "2 NZ @ 4108; US 1 Arm, 78 Inf @ 4207; 26 Pz @ 4107 steps=1"
    match = tiber(f"{SENT}; {counters}", phase="orders", turn=14, plot=13, launched=13)
    pos = match.position.copy()
    pos.phase = "arrivals"
    match = Match(GAME, position=pos, seed=1)
    do(match, "activate air")
    attack(match, "4207", "4107", "US 1 Arm", dice=(10, 1, 1, 1))
    shoot_out(match)
    while idle := {"cease fire", "stand", "stay", "on top"} & verbs(match):
        do(match, idle.pop())
    assert where(match, "26 Pz") is None
    assert named(match, "reinforce the end-run") == {"46 Inf", "US 36"}
    assert refusal(match, "reinforce the end-run", "2 NZ").rule == "8.15c"


@rule("underbelly", "8.15c")
def test_a_division_that_has_only_just_arrived_waits_a_turn():
    match = tiber(f"{SENT}; 78 Inf @ available", phase="orders", turn=14, plot=13, launched=13)
    pos = match.position.copy()
    pos.phase = "arrivals"
    match = Match(GAME, position=pos, seed=1)
    do(match, "activate air")
    assert where(match, "52 Mtn") == "available"  # it came in this turn, and did not start it here
    assert "78 Inf" in named(match, "reinforce the end-run")
    assert "52 Mtn" not in named(match, "reinforce the end-run")
    assert refusal(match, "reinforce the end-run", "52 Mtn").rule == "8.15c"
    match.force(5)
    do(match, "roll for the end-run")
    pass_on(match, until="orders")
    do(match, "activate air")
    assert "52 Mtn" in named(match, "reinforce the end-run")


@rule("underbelly", "8.13b")
def test_who_arrives_in_the_turn_of_the_launch_may_be_of_the_first_wave():
    match = tiber(WAVE, phase="orders", turn=14, plot=14)
    pos = match.position.copy()
    pos.phase = "arrivals"
    match = Match(GAME, position=pos, seed=1)
    do(match, "launch the end-run")
    assert "52 Mtn" in named(match, "embark")


@rule("underbelly", "8.15d")
def test_who_is_on_the_end_run_never_comes_back():
    match = launch()
    for turn in (13, 14, 15):
        assert match.position.turn == turn
        ours = {o.unit for o in options(match)} & {number(u) for u in stack(match, "end-run")}
        assert not ours
        assert "end-run" not in hexes(match, "move") | hexes(match, "column")
        assert refusal(match, "move", hex="end-run").rule == "8.15d"
        pass_on(match, until="orders")
        do(match, "activate air")
        match.force(5)
        do(match, "roll for the end-run")
    assert len(stack(match, "end-run")) == 5
    settled = afloat(settled=8, rolled=14, turn=15)
    assert "end-run" not in hexes(settled, "move")


@rule("underbelly", "8.15e")
def test_one_point_sends_what_goes_from_one_place():
    match = afloat("78 Inf, 2 NZ @ available; 8 I @ 4108")
    do(match, "reinforce the end-run", "78 Inf")
    assert named(match, "reinforce the end-run") == {"2 NZ"}  # not who waits elsewhere
    do(match, "send no more")
    assert match.position.points == 6
    do(match, "reinforce the end-run", "8 I")
    assert match.position.points == 5
    together = afloat("78 Inf, 2 NZ @ available")
    do(together, "reinforce the end-run", "78 Inf")
    do(together, "reinforce the end-run", "2 NZ")
    assert together.position.points == 6
    poor = afloat("78 Inf @ available", points=2, rolled=13)
    assert "reinforce the end-run" not in verbs(poor)  # the two points are for the roll


# Resolution


@rule("underbelly", "8.17a")
def test_the_table_is_consulted_from_the_next_turn_on_whenever_one_likes():
    match = launch()
    assert "roll for the end-run" not in verbs(match)
    assert "end" in verbs(match)
    pass_on(match, until="orders")
    do(match, "activate air")
    assert "end" not in verbs(match)
    assert refused(match, "end").rule == "8.17a"
    do(match, "move", hex="2822")
    halt(match)
    match.force(5)
    do(match, "roll for the end-run")
    [roll] = [r for r in rolls(match) if r.rule == "8.17a"]
    assert roll.faces == (5,)
    assert "end" in verbs(match)
    assert "roll for the end-run" not in verbs(match)


@rule("underbelly", "8.17a")
@pytest.mark.parametrize(
    ("fields", "counters", "final"),
    [
        ({}, "", 5),
        ({"reinforced": 1}, "78 Inf @ end-run", 6),
        ({"reinforced": 2}, "78 Inf, 8 I @ end-run", 7),
        ({"control": mask("2822 2921 4108 2522 2608")}, "", 6),
        ({"control": mask("2822 2921 4108 2522")}, "", 5),
        ({}, "15 PG @ end-run", 4),
        ({}, "15 PG @ end-run steps=1", 5),
        ({}, "15 PG, 29 PG, XIV Pz @ end-run", 3),
        ({"turn": 20}, "", 5),
        ({"turn": 21}, "", 4),
    ],
)
def test_the_roll_is_modified_by_what_is_in_the_box(
    fields: dict[str, Any], counters: str, final: int
):
    match = afloat(counters, **{"rolled": 0} | fields)
    match.force(5)
    do(match, "roll for the end-run")
    assert [event.value for event in events(match, "end-run: undecided")] == [final]


@rule("underbelly", "8.17b")
@pytest.mark.parametrize(("die", "turn"), [(3, 21), (2, 14), (7, 14)])
def test_from_two_to_seven_the_invasion_is_undecided(die: int, turn: int):
    match = afloat(turn=turn, rolled=turn - 1)
    match.force(die)
    do(match, "roll for the end-run")
    assert match.outcome is None
    assert (match.position.settled, match.position.owed) == (0, 0)


@rule("underbelly", "8.17c")
def test_while_it_is_undecided_every_turn_has_its_paid_roll():
    match = afloat(rolled=13)
    for turn in (14, 15, 16):
        assert match.position.turn == turn
        before = match.position.points
        assert "end" not in verbs(match)
        match.force(4)
        do(match, "roll for the end-run")
        assert match.position.points == before - 2
        pass_on(match, until="orders")
        do(match, "activate air")
        assert match.position.points == 6


@rule("underbelly", "8.17c")
def test_the_two_points_cannot_be_spent_on_anything_else():
    counters = "78 Inf @ 4107 steps=1; 5 Inf, 56 Inf @ 3409; 29 PG @ 3309; 2 NZ @ 3718"
    cut = {"ports": [at("2822"), LOST, at("4108"), LOST, AWAY, AWAY], "rolled": 13}
    cheap = {"move", "column", "replenish", "reinforce the end-run", "roll for the end-run"}
    assert verbs(afloat(counters, points=4, **cut)) == cheap | {"attack"}
    assert verbs(afloat(counters, points=3, **cut)) == cheap
    poor = afloat(counters, points=2, **cut)
    first = next(entry for entry in poor.log if isinstance(entry, Chosen))
    assert first.option.verb == "roll for the end-run"  # there was nothing else to do


@rule("underbelly", "8.17d")
def test_the_first_roll_is_free():
    match = afloat(points=1)
    match.force(4)
    do(match, "roll for the end-run")
    assert match.position.points == 1
    assert match.position.rolled == 14
    again = afloat(turn=15, rolled=14, points=3)
    again.force(4)
    do(again, "roll for the end-run")
    assert again.position.points == 1


@rule("underbelly", "8.17e")
@pytest.mark.parametrize(
    ("die", "reinforced", "verdict"),
    [(1, 0, INVASION_DEFEATED), (10, 0, INVASION_WINS), (10, 2, INVASION_WINS)],
)
def test_one_or_less_is_a_defeat_and_ten_or_more_a_victory(die: int, reinforced: int, verdict: int):
    match = afloat(reinforced=reinforced)
    match.force(die)
    do(match, "roll for the end-run")
    assert match.position.verdict == verdict
    assert winner(match) == (ALLIED if verdict == INVASION_WINS else GERMAN, "8.17e")


@rule("underbelly", "8.17e")
def test_a_die_that_falls_below_one_is_a_defeat_too():
    match = afloat("15 PG, 29 PG, 26 Pz @ end-run", turn=21, rolled=20)
    match.force(3)
    do(match, "roll for the end-run")
    assert winner(match) == (GERMAN, "8.17e")


@rule("underbelly", "8.9")
def test_history_has_no_end_run():
    match = begin(f"{FRONT}; {WAVE}", ALLIED, "orders", scenario=HISTORICAL, turn=13)
    assert verbs(match) == {"activate air", "no air"}
    assert refusal(match, "launch the end-run").rule == "8.9"
