"""The torture game, mechanism by mechanism, and many random games of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

from apennine.bots import RandomBot
from apennine.kernel.decision import Choice, Event, Option
from apennine.kernel.game import GameError
from apennine.kernel.ledger import citations, coverage, proofs
from apennine.kernel.log import Chosen, Entry, Rolled
from apennine.kernel.match import IllegalChoice, Match, MatchError, Seat
from apennine.kernel.order import Offer
from apennine.kernel.save import dump, open_record, parse
from apennine.kernel.view import HIDDEN, seen_decision, seen_log, sent
from apennine.testing import rule
from tests import torture
from tests.torture.field import BLUE, BLUFF, DEAD, RED, Table

GAME = torture.game()
MOVE, FIGHT = "move", "fight"


def at(code: str) -> int:
    return GAME.board.parse(code)


def drill(phase: str, side: int, drawing: str, **fields: Any) -> Match[Table]:
    match = torture.drill(GAME, phase, side, drawing, **fields)
    assert GAME.check(match.checkpoint.position) == []
    return match


def choose(match: Match[Table], verb: str, unit: str = "", hex: str = "", value: int = 0) -> None:
    match.choose(option(verb, unit, hex, value))


def option(verb: str, unit: str = "", hex: str = "", value: int = 0) -> Option:
    return Option(verb, GAME.unit(unit) if unit else -1, at(hex) if hex else -1, value)


def asked(match: Match[Table]) -> Choice:
    assert isinstance(match.decision, Choice)
    return match.decision


def offered(match: Match[Table], verb: str) -> set[str]:
    """The units, or else the hexes, that go with a verb of the present menu."""
    options = [o for o in asked(match).options if o.verb == verb]
    by_hex = len({o.hex for o in options}) > 1 or all(o.unit < 0 for o in options)
    return {GAME.board.code(o.hex) if by_hex else GAME.units[o.unit] for o in options}


def verbs(match: Match[Table]) -> set[str]:
    return {o.verb for o in asked(match).options}


def told(match: Match[Table]) -> list[tuple[str, str]]:
    """What happened, and to whom."""
    events = [entry for entry in match.log if isinstance(entry, Event)]
    return [(event.verb, GAME.units[event.unit] if event.unit >= 0 else "") for event in events]


def where(match: Match[Table], unit: str) -> str:
    hex = match.position.hex[GAME.unit(unit)]
    return "dead" if hex == DEAD else GAME.board.code(hex)


def steps(match: Match[Table], unit: str) -> int:
    return match.position.steps[GAME.unit(unit)]


def in_rout(match: Match[Table], unit: str) -> bool:
    return bool(match.position.routed >> GAME.unit(unit) & 1)


def refused(match: Match[Table], refused: Option) -> tuple[str, str]:
    """The sentence and the rule that forbid an option."""
    before = match.digest
    with pytest.raises(IllegalChoice) as error:
        match.choose(refused)
    assert match.digest == before
    return error.value.refusal.sentence, error.value.refusal.rule


# A flight is an interrupt in the enemy's move, and sets off others.

FLIGHT = "Red 1 0202, Blue 2* 0204, Blue Guard 0707"


@rule("torture", "3.1", "3.2")
def test_a_unit_in_rout_flees_where_its_owner_likes_when_an_enemy_comes_near():
    match = drill(MOVE, RED, FLIGHT)
    choose(match, "activate", "Red 1")
    choose(match, "move", "Red 1", "0203")
    assert asked(match).side == BLUE
    assert not asked(match).checkpoint
    # Away from Red 1 and out of the lake.
    assert offered(match, "flee") == {"0305", "0205", "0105"}
    choose(match, "flee", "Blue 2", "0305")
    assert where(match, "Blue 2") == "0305"
    assert told(match) == [("stops", "Red 1"), ("flees", "Blue 2")]


@rule("torture", "4.2")
def test_a_mover_that_was_stopped_goes_on_with_the_points_that_are_left():
    match = drill(MOVE, RED, FLIGHT)
    choose(match, "activate", "Red 1")
    choose(match, "move", "Red 1", "0203")
    choose(match, "flee", "Blue 2", "0305")
    assert asked(match).side == RED
    assert match.position.left == 2
    assert "0205" in offered(match, "move")
    assert "0206" not in offered(match, "move")


def test_a_walk_ends_where_somebody_is_startled_though_a_further_hex_was_named():
    match = drill(MOVE, RED, "Red 1 0201, Blue 2* 0103, Blue Guard 0707")
    choose(match, "activate", "Red 1")
    choose(match, "move", "Red 1", "0204")
    assert told(match) == [("stops", "Red 1"), ("flees", "Blue 2")]
    assert where(match, "Red 1") == "0202"
    assert match.position.left == 2
    assert asked(match).side == RED


@rule("torture", "3.3")
def test_a_flight_can_set_off_the_movers_own_side_and_rout_the_mover():
    match = drill(MOVE, RED, FLIGHT + ", Red 3* 0104")
    match.force(3)
    choose(match, "activate", "Red 1")
    choose(match, "move", "Red 1", "0203")
    choose(match, "flee", "Blue 2", "0105")
    assert asked(match).side == RED
    assert "0203" in offered(match, "flee")
    choose(match, "flee", "Red 3", "0203")
    assert in_rout(match, "Red 1")
    assert told(match)[-2:] == [("flees", "Red 3"), ("panics", "Red 1")]
    # The move of Red 1 is over, with two points unspent.
    assert (match.position.mover, match.position.left) == (-1, 0)


def test_a_friend_with_steady_nerves_does_not_panic():
    match = drill(MOVE, RED, FLIGHT + ", Red 3* 0104")
    match.force(4)
    choose(match, "activate", "Red 1")
    choose(match, "move", "Red 1", "0203")
    choose(match, "flee", "Blue 2", "0105")
    choose(match, "flee", "Red 3", "0203")
    assert not in_rout(match, "Red 1")
    assert match.position.mover == GAME.unit("Red 1")


@rule("torture", "3.4")
def test_a_unit_that_must_flee_twice_in_one_chain_disperses():
    match = drill(MOVE, RED, FLIGHT + ", Red 3* 0106")
    choose(match, "activate", "Red 1")
    choose(match, "move", "Red 1", "0203")
    choose(match, "flee", "Blue 2", "0105")
    choose(match, "flee", "Red 3", "0205")
    assert told(match)[-1] == ("disperses", "Blue 2")
    assert where(match, "Blue 2") == "dead"


CORNERED = "Red 1 0302, Blue 2* 0101, Blue Guard 0707"


@rule("torture", "3.5")
def test_a_unit_with_nowhere_to_flee_may_give_up():
    match = drill(MOVE, RED, CORNERED)
    match.force(4)
    choose(match, "activate", "Red 1")
    choose(match, "move", "Red 1", "0201")
    assert told(match)[-1] == ("gives up", "Blue 2")
    assert where(match, "Blue 2") == "dead"
    assert asked(match).side == RED


def test_a_unit_with_nowhere_to_flee_may_turn_on_the_mover_who_is_displaced():
    match = drill(MOVE, RED, CORNERED)
    match.force(5)
    choose(match, "activate", "Red 1")
    choose(match, "move", "Red 1", "0201")
    assert not in_rout(match, "Blue 2")
    assert told(match)[-2:] == [("turns at bay", "Blue 2"), ("routed", "Red 1")]
    assert asked(match).side == RED
    choose(match, "flee", "Red 1", "0202")
    assert in_rout(match, "Red 1")
    assert match.position.mover == -1


def test_a_mover_can_vanish_in_the_middle_of_its_move():
    # Its own friends fill one way out, and Blue 1 watches the others.
    match = drill(MOVE, RED, CORNERED + ", Red 2 0301, Red 3 0301, Blue 1 0303")
    match.force(5, 4)
    choose(match, "activate", "Red 1")
    choose(match, "move", "Red 1", "0201")
    assert told(match)[-1] == ("gives up", "Red 1")
    assert where(match, "Red 1") == "dead"
    assert verbs(match) == {"activate", "done"}
    assert asked(match).checkpoint


# Overwhelming inside movement; the advance waits for the end of combat.

OVERWHELMING = "Red 1 0202, Blue Militia- 0204, Red 2 0605, Blue 3 0606"


@rule("torture", "4.3", "5.8")
def test_the_advance_for_overwhelming_waits_for_the_end_of_combat():
    match = drill(MOVE, RED, OVERWHELMING)
    choose(match, "activate", "Red 1")
    assert "overwhelm" not in verbs(match)
    choose(match, "move", "Red 1", "0203")
    choose(match, "overwhelm", "Red 1", "0204")
    assert where(match, "Blue Militia") == "dead"
    assert where(match, "Red 1") == "0203"
    assert match.position.advances == [(GAME.unit("Red 1"), at("0204"))]
    choose(match, "halt")
    choose(match, "done")
    assert offered(match, "attack") == {"0606"}
    choose(match, "done")
    assert asked(match).rule == "5.8"
    assert asked(match).checkpoint
    choose(match, "advance", "Red 1", "0204")
    assert where(match, "Red 1") == "0204"
    assert match.position.advances == []


def test_an_advance_lapses_when_the_unit_has_gone_elsewhere():
    match = drill(MOVE, RED, OVERWHELMING)
    choose(match, "activate", "Red 1")
    choose(match, "move", "Red 1", "0203")
    choose(match, "overwhelm", "Red 1", "0204")
    choose(match, "move", "Red 1", "0202")
    choose(match, "done")
    choose(match, "done")
    assert match.position.side == BLUE
    assert match.position.advances == []


def test_a_hill_saves_from_being_overwhelmed():
    match = drill(MOVE, RED, "Red 1 0402, Blue Militia- 0302, Blue Guard 0707")
    choose(match, "activate", "Red 1")
    assert "overwhelm" not in verbs(match)
    assert refused(match, option("overwhelm", "Red 1", "0302"))[1] == "4.3"


# Battles: shots one by one, and battles out of battles.

SHOOT_OUT = "Red Guard 0402, Red 1 0402, Blue 1 0403, Blue 2 0403"


def attack(match: Match[Table], hex: str, *units: str) -> None:
    """Attack with some units; the last one, if nobody else can, joins by itself."""
    choose(match, "attack", hex=hex)
    for unit in units:
        if isinstance(match.decision, Choice) and unit in offered(match, "join"):
            choose(match, "join", unit, hex)


@rule("torture", "5.1", "5.2", "5.3")
def test_shots_are_fired_one_by_one_at_targets_that_the_firing_side_picks():
    match = drill(FIGHT, RED, SHOOT_OUT + ", Red 2 0707")
    assert offered(match, "attack") == {"0403"}
    match.force(6, 6)
    attack(match, "0403", "Red Guard")
    assert offered(match, "fire with") == {"Red Guard", "Red 1"}
    choose(match, "fire with", "Red 1")
    assert offered(match, "at") == {"Blue 1", "Blue 2"}
    choose(match, "at", "Blue 2")
    # Red Guard fires by itself, the last one left.
    choose(match, "at", "Blue 2")
    assert asked(match).side == BLUE
    assert offered(match, "fire with") == {"Blue 1", "Blue 2"}


@rule("torture", "5.4")
def test_a_unit_that_breaks_off_gets_its_step_back():
    match = drill(FIGHT, RED, SHOOT_OUT)
    match.force(3)
    attack(match, "0403", "Red Guard")
    choose(match, "fire with", "Red 1")
    choose(match, "at", "Blue 2")
    assert asked(match).side == BLUE
    assert steps(match, "Blue 2") == 1
    choose(match, "break off", "Blue 2", "0404")
    assert steps(match, "Blue 2") == 2
    assert in_rout(match, "Blue 2")
    assert where(match, "Blue 2") == "0404"
    assert told(match)[:2] == [("loses a step", "Blue 2"), ("breaks off", "Blue 2")]


def test_a_unit_that_stands_keeps_its_loss():
    match = drill(FIGHT, RED, SHOOT_OUT)
    match.force(3)
    attack(match, "0403", "Red Guard")
    choose(match, "fire with", "Red 1")
    choose(match, "at", "Blue 2")
    choose(match, "stand")
    assert steps(match, "Blue 2") == 1
    assert offered(match, "at") == {"Blue 1", "Blue 2"}


@rule("torture", "5.5")
@pytest.mark.parametrize(
    ("faces", "picker", "victims"),
    [((6, 1), RED, {"Blue 1", "Blue 2"}), ((1, 6), BLUE, {"Red Guard", "Red 1"})],
)
def test_losses_in_a_melee_are_picked_by_the_opponent(
    faces: tuple[int, int], picker: int, victims: set[str]
):
    # Red has 10 and Blue 8 in strength; every shot misses.
    match = fire_all(drill(FIGHT, RED, SHOOT_OUT), *faces)
    assert asked(match).side == picker
    assert offered(match, "bleed") == victims


def fire_all(match: Match[Table], *melee: int) -> Match[Table]:
    """Let the two units of each side miss, and the melee come out so."""
    match.force(6, 6, 6, 6, *melee)
    attack(match, "0403", "Red Guard")
    for _ in range(2):
        match.choose(asked(match).options[0])
        match.choose(asked(match).options[0])
        match.choose(asked(match).options[0])
    return match


def test_a_melee_that_is_a_tie_costs_both_sides_and_routs_nobody():
    match = fire_all(drill(FIGHT, RED, SHOOT_OUT), 2, 4)
    choose(match, "bleed", "Blue 1")
    assert asked(match).side == BLUE
    choose(match, "bleed", "Red 1")
    assert match.position.routed == 0
    assert (steps(match, "Blue 1"), steps(match, "Red 1")) == (1, 1)


def test_beaten_defenders_lose_two_steps_by_a_margin_of_four_and_run():
    match = fire_all(drill(FIGHT, RED, SHOOT_OUT), 6, 4)
    choose(match, "bleed", "Blue 1")
    choose(match, "bleed", "Blue 1")
    assert where(match, "Blue 1") == "dead"
    assert told(match)[-2:] == [("routed", "Blue 2"), ("flees", "Blue 2")]
    assert where(match, "Blue 2") == "0404"
    assert offered(match, "advance") == {"Red Guard", "Red 1"}


PURSUIT = """
Red Guard 0402, Red 1 0402
Blue Militia- 0403, Blue 2- 0404, Blue 3- 0405, Blue Guard 0707
"""


def chase(**fields: Any) -> Match[Table]:
    """Red Guard shoots the defenders of one hex, takes it, and does so with the next."""
    match = drill(FIGHT, RED, PURSUIT, **fields)
    match.force(1, 1, 1)
    attack(match, "0403", "Red Guard")
    choose(match, "fire with", "Red Guard")
    choose(match, "advance", "Red Guard", "0403")
    choose(match, "stay")
    choose(match, "press on", hex="0404")
    choose(match, "advance", "Red Guard", "0404")
    return match


@rule("torture", "5.6", "5.7")
def test_an_advance_may_start_a_battle_inside_the_battle_but_only_one():
    match = chase()
    assert told(match) == [
        ("loses a step", "Blue Militia"),
        ("lost", "Blue Militia"),
        ("advances", "Red Guard"),
        ("presses on", ""),
        ("loses a step", "Blue 2"),
        ("lost", "Blue 2"),
        ("advances", "Red Guard"),
    ]
    # Red 1 has fought and Red Guard may not press on: the phase goes on at its top level.
    assert match.position.battles == []
    assert where(match, "Red Guard") == "0404"


def test_the_optional_rule_lets_battles_nest_three_deep():
    match = chase(pursuit=True)
    assert offered(match, "press on") == {"0405"}
    assert [GAME.board.code(hex) for hex, _ in match.position.battles] == ["0403", "0404"]
    choose(match, "press on", hex="0405")
    assert len(match.position.battles) == 3
    assert where(match, "Blue 3") == "dead"


def test_only_who_has_advanced_joins_a_battle_inside_a_battle():
    match = drill(FIGHT, RED, PURSUIT)
    match.force(1)
    attack(match, "0403", "Red Guard")
    choose(match, "fire with", "Red Guard")
    choose(match, "advance", "Red 1", "0403")
    choose(match, "stay")
    match.force(6)
    choose(match, "press on", hex="0404")
    assert match.position.battles[-1] == (at("0404"), 1 << GAME.unit("Red 1"))


def test_an_advance_owed_for_overwhelming_may_start_a_battle_too():
    match = drill("advance", RED, "Red Guard 0402, Blue 2- 0404", advances=[(0, at("0403"))])
    match.force(1)
    choose(match, "advance", "Red Guard", "0403")
    choose(match, "press on", hex="0404")
    assert ("lost", "Blue 2") in told(match)


@rule("torture", "1.3")
def test_a_side_gives_up_in_the_middle_of_a_battle_with_shots_to_come():
    # Each side has six units off the table already; the next one decides.
    match = drill(FIGHT, RED, "Red Guard 0402, Red 1 0402, Blue 1 0403, Blue 2- 0403", limit=7)
    match.force(1)
    attack(match, "0403", "Red Guard")
    choose(match, "fire with", "Red 1")
    assert match.outcome is None
    before = match.fork()
    choose(match, "at", "Blue 2")
    assert match.decision is None
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.rule) == (RED, "1.3")
    assert match.position.to_fire == 1 << GAME.unit("Red Guard")
    with pytest.raises(MatchError, match="over"):
        match.choose(Option("fire with", 0))
    # The end survives a save, and can be undone.
    assert open_record(parse(dump(match)), GAME).outcome == match.outcome
    match.undo()
    assert match.digest == before.digest


# The other side is asked between activations.

WATCHED = "Red 1 0401, Red 2 0501, Red 3 0601, Blue Guns 0404, Blue Guard 0707"


def move(match: Match[Table], unit: str, hex: str) -> None:
    choose(match, "activate", unit)
    choose(match, "move", unit, hex)
    if match.position.mover >= 0:
        choose(match, "halt")


@rule("torture", "4.4", "4.1")
def test_a_pass_holds_for_one_activation():
    match = drill(MOVE, RED, WATCHED)
    assert asked(match).side == RED
    move(match, "Red 1", "0402")
    assert asked(match).side == BLUE
    assert asked(match).checkpoint
    assert offered(match, "react") == {"Blue Guns"}
    choose(match, "pass")
    # The position does not keep such a pass, so this menu is no checkpoint.
    assert asked(match).side == RED
    assert not asked(match).checkpoint
    assert offered(match, "activate") == {"Red 2", "Red 3"}
    assert refused(match, option("activate", "Red 1")) == ("Red 1 has moved already.", "4.1")
    move(match, "Red 2", "0502")
    assert asked(match).side == BLUE


def test_a_pass_for_the_rest_of_the_phase_holds_for_the_rest_of_the_phase():
    match = drill(MOVE, RED, WATCHED)
    move(match, "Red 1", "0402")
    choose(match, "pass", value=1)
    assert asked(match).side == RED
    assert asked(match).checkpoint
    move(match, "Red 2", "0502")
    assert asked(match).side == RED
    choose(match, "done")
    assert not match.position.silent


def test_a_unit_reacts_once_in_a_phase():
    match = drill(MOVE, RED, WATCHED)
    move(match, "Red 1", "0402")
    match.force(5)
    choose(match, "react", "Blue Guns")
    assert told(match)[-1] == ("misses", "Blue Guns")
    assert asked(match).side == RED
    assert asked(match).checkpoint
    move(match, "Red 2", "0502")
    assert asked(match).side == RED


def test_who_is_hit_between_activations_may_break_off():
    match = drill(MOVE, RED, WATCHED)
    move(match, "Red 1", "0402")
    match.force(4)
    choose(match, "react", "Blue Guns")
    assert asked(match).side == RED
    choose(match, "break off", "Red 1", "0401")
    assert (steps(match, "Red 1"), where(match, "Red 1")) == (2, "0401")


# Plans are secret for two turns.


def pass_on(match: Match[Table], turn: int) -> None:
    """Do nothing until something is asked in that turn."""
    idle = ("bluff", "time", "done", "pass", "stay", "stand", "flee")
    while match.decision is not None and match.position.turn < turn:
        match.choose(next(o for v in idle for o in asked(match).options if o.verb == v))


def write_plans(red: str | None, blue: str | None) -> Match[Table]:
    match = Match(GAME, "ford", seed=3)
    for hex in (red, blue):
        choose(match, "aim", hex=hex) if hex else choose(match, "bluff")
        choose(match, "time", hex=hex or "", value=3)
    return match


@rule("torture", "2.1")
def test_a_plan_and_a_bluff_look_alike_to_the_other_side():
    plan, bluff = write_plans("0404", None), write_plans(None, None)
    assert plan.digest != bluff.digest
    for seen in (GAME.view(match.position, BLUE) for match in (plan, bluff)):
        assert seen["slips"][0] == {"side": "Red", "written": 1}
        assert seen["slips"][1] == {"side": "Blue", "written": 1, "at": None, "turn": 3}
    assert list(seen_log(plan, BLUE)) == list(seen_log(bluff, BLUE))
    assert next(iter(seen_log(plan, BLUE))) == Chosen(RED, HIDDEN, "2.1", secret=True)
    assert plan.view(RED)["slips"][0]["at"] == "0404"


def test_what_is_asked_while_planning_does_not_tell_a_plan_from_a_bluff():
    plan, bluff = Match(GAME, "ford", seed=3), Match(GAME, "ford", seed=3)
    choose(plan, "aim", hex="0404")
    choose(bluff, "bluff")
    assert seen_decision(plan, BLUE) == seen_decision(bluff, BLUE)
    assert seen_decision(plan, BLUE) != plan.decision
    assert refused(plan, Option("time", hex=at("0404"), value=5))[1] == "2.1"


@rule("torture", "2.2", "2.3")
def test_a_plan_is_turned_up_two_turns_later_and_carried_out():
    match = write_plans("0101", "0402")
    pass_on(match, 2)
    assert "at" not in match.view(BLUE)["slips"][0]
    assert not any(isinstance(entry, Event) and entry.reveals for entry in match.log)
    match.force(*[1] * 20)
    pass_on(match, 3)
    turned_up = [entry for entry in match.log if isinstance(entry, Event) and entry.reveals]
    assert turned_up == [
        Event("plan", hex=at("0101"), value=3, rule="2.2", reveals=True),
        Event("plan", hex=at("0402"), value=3, rule="2.2", reveals=True),
    ]
    assert match.view(BLUE)["slips"][0] == {
        "side": "Red", "written": 1, "at": "0101", "turn": 3,
    }  # fmt: skip
    shelled = {unit for verb, unit in told(match) if verb == "shelled"}
    assert {"Red 1", "Red Guard", "Red Militia"} <= shelled
    assert not any(match.may_take_back(side) for side in (RED, BLUE))


def test_a_bluff_is_turned_up_too_and_nothing_happens():
    match = write_plans(None, None)
    pass_on(match, 3)
    assert told(match).count(("bluff", "")) == 2
    assert ("barrage", "") not in told(match)


def test_dreams_know_no_more_of_a_plan_than_the_dreamer():
    match = write_plans("0404", "0202")
    assert asked(match).side == RED
    plans: set[tuple[int, ...]] = set()
    for seed in range(60):
        dream = match.seat().dream(seed)
        assert dream.view(RED) == match.view(RED)
        red, blue = dream.position.slips
        assert red == match.position.slips[0]
        assert GAME.check(dream.position) == []
        plans.add(blue)
    assert len(plans) > 30
    assert any(slip[2] == BLUFF for slip in plans)


def test_what_has_come_to_light_holds_in_a_dream_of_the_past():
    match = write_plans("0404", "0202")
    written = match.position.copy()
    pass_on(match, 3)
    imagined = GAME.imagine(written, RED, Random(1), match.position)
    assert imagined.slips == written.slips


def test_blue_is_sent_the_same_whatever_red_has_planned():
    one, other = write_plans("0404", "0202"), write_plans(None, "0202")
    bot, compared = RandomBot(5), 0
    while one.position.turn < 3:
        assert sent(one, BLUE) == sent(other, BLUE)
        option = bot(one.seat())
        one.choose(option)
        other.choose(option)
        compared += 1
    assert compared > 20
    assert sent(one, BLUE) != sent(other, BLUE)


# The order of play, camps, stacks, and the end.


@rule("torture", "1.1")
def test_the_phases_follow_each_other():
    match = Match(GAME, "panic", seed=1)
    seen: list[tuple[int, str, int]] = []
    idle = RandomBot(4)
    while match.decision is not None and match.position.turn < 3:
        pos = match.position
        if seen[-1:] != [(pos.turn, pos.phase, pos.side)]:
            seen.append((pos.turn, pos.phase, pos.side))
        last = asked(match).options[-1]
        match.choose(last if last.verb == "done" else idle(match.seat()))
    # Recovery and the end of a turn ask nobody; advances only if any are owed.
    asking = [moment for moment in seen if moment[1] != "advance"]
    plays = [(MOVE, RED), (FIGHT, RED), (MOVE, BLUE), (FIGHT, BLUE)]
    expected = [(1, "plan", RED), *((1, *play) for play in plays)]
    expected += [(2, "plan", RED), *((2, *play) for play in plays)]
    assert [moment for moment in expected if moment in asking] == asking
    assert len(asking) > 5


@rule("torture", "1.2")
def test_units_in_rout_rally_unless_an_enemy_is_next_to_them():
    match = drill("recover", RED, "Red 1* 0101, Red 2* 0707, Red 3* 0404, Blue 1 0405")
    rolls = [entry for entry in match.log if isinstance(entry, Rolled)]
    assert [roll.purpose for roll in rolls] == ["rally of Red 1", "rally of Red 2"]
    for roll, unit in zip(rolls, ("Red 1", "Red 2"), strict=True):
        assert in_rout(match, unit) == (roll.faces[0] > 3)
    assert in_rout(match, "Red 3")


@rule("torture", "1.4")
@pytest.mark.parametrize(
    ("red", "winner"), [("Red 1 0404", RED), ("Red 1 0101", BLUE), ("Red 1 0203", -1)]
)
def test_towns_decide_after_the_last_turn(red: str, winner: int):
    match = drill("end", BLUE, f"{red}, Blue 1 0605", turn=5)
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.rule) == (winner, "1.4")


@rule("torture", "4.5")
def test_a_reserve_enters_from_its_camp_when_its_turn_has_come():
    early = drill(MOVE, RED, "Red 1 0101, Red Reserve RedCamp, Blue 1 0707")
    assert offered(early, "activate") == {"Red 1"}
    reason = ("Red Reserve arrives in turn 2.", "4.5")
    assert refused(early, option("activate", "Red Reserve")) == reason
    match = drill(MOVE, RED, "Red 1 0101, Red Reserve RedCamp, Blue 1 0707", turn=2)
    choose(match, "activate", "Red Reserve")
    assert offered(match, "enter") == {"0301", "0401", "0501"}
    choose(match, "enter", "Red Reserve", "0401")
    assert match.position.left == 4
    assert "0404" in offered(match, "move")


def test_a_camp_that_is_near_is_a_refuge():
    match = drill(MOVE, BLUE, "Blue 1 0403, Red 1* 0401, Red 2 0707")
    choose(match, "activate", "Blue 1")
    choose(match, "move", "Blue 1", "0402")
    assert offered(match, "flee") == {"0301", "0501", "RedCamp"}
    choose(match, "flee", "Red 1", "RedCamp")
    assert where(match, "Red 1") == "RedCamp"


@rule("torture", "4.6")
def test_a_full_hex_takes_no_third_unit():
    match = drill(MOVE, RED, "Red 1 0101, Red 2 0102, Red 3 0102, Blue 1 0707")
    choose(match, "activate", "Red 1")
    assert "0102" not in offered(match, "move")
    reason = ("Hex 0102 has 2 units already.", "4.6")
    assert refused(match, option("move", "Red 1", "0102")) == reason


# What players are told.


@pytest.mark.parametrize(
    ("refuse", "sentence", "by"),
    [
        (option("activate", "Blue 1"), "Blue 1 is not Red's.", "1.1"),
        (option("activate", "Red 2"), "Red 2 is in rout.", "4.1"),
        (option("activate", "Red 3"), "Red 3 is lost.", "1.3"),
        (
            option("attack", hex="0404"),
            "Hexes are attacked in the combat phase. Asked now: Move a unit.",
            "5.1",
        ),
        (Option("dance"), "There is no order 'dance' in Two Lakes.", "4.1"),
        (Option("activate", 99), "The order 'activate' must name a unit of the game.", "4.1"),
    ],
)
def test_refusals_give_the_sentence_and_the_rule(refuse: Option, sentence: str, by: str):
    match = drill(MOVE, RED, "Red 1 0101, Red 2* 0102, Blue 1 0404")
    assert refused(match, refuse) == (sentence, by)


@pytest.mark.parametrize(
    ("hex", "sentence"),
    [
        ("0304", "Hex 0304 is a lake."),
        ("0404", "Hex 0404 is held by the enemy."),
        ("0707", "0707 is too far for 3 points."),
        ("RedCamp", "This is not a hex of the map."),
    ],
)
def test_refused_moves_say_what_stands_in_the_way(hex: str, sentence: str):
    match = drill(MOVE, RED, "Red 1 0303, Blue 1 0404")
    choose(match, "activate", "Red 1")
    assert refused(match, option("move", "Red 1", hex)) == (sentence, "4.2")


def test_every_verb_has_a_reason_for_being_refused_wherever_it_is_tried():
    match, bot = Match(GAME, "ford", seed=2), RandomBot(2, by_verb=True)
    tried: set[Option] = set()
    for _ in range(60):
        tried |= set(asked(match).options)
        match.choose(bot(match.seat()))
    for wrong in tried - set(asked(match).options):
        sentence, by = refused(match, wrong)
        assert sentence.endswith(".")
        assert by in GAME.ledger


@pytest.mark.parametrize(
    ("drawing", "shooter", "result", "chance"),
    [
        ("Red Guard 0402, Red 1- 0402, Blue 1 0403", "Red Guard", "loses a step", (1, 2)),
        ("Red Guard 0402, Red 1- 0402, Blue 1- 0403", "Red 1", "lost", (1, 3)),
        ("Red Guns 0402, Red 1 0402, Blue 1 0503", "Red Guns", "loses a step", (1, 2)),
    ],
)
def test_the_preview_of_a_shot_has_the_exact_chances(
    drawing: str, shooter: str, result: str, chance: tuple[int, int]
):
    match = drill(FIGHT, RED, drawing + ", Blue 2 " + drawing[-4:])
    attack(match, drawing[-4:], "Red 1")
    choose(match, "fire with", shooter)
    shot = option("at", "Blue 1")
    preview = match.preview(shot)
    assert preview is not None
    assert preview.chances[0] == (result, Fraction(*chance))
    assert sum(int(line.value) for line in preview.lines) == int(preview.column[0])
    # All six faces, one after the other, are as good as their word.
    hits = 0
    for face in range(1, 7):
        trial = match.fork()
        trial.force(face, *[6] * 9)
        trial.choose(shot)
        hits += ("loses a step", "Blue 1") in told(trial)
    assert preview.chances[0].probability == Fraction(hits, 6)
    assert sum(known.probability for known in preview.chances) == 1


def test_the_preview_of_a_move_has_its_path_and_cost():
    match = drill(MOVE, RED, "Red 1 0402, Blue 1 0707")
    choose(match, "activate", "Red 1")
    preview = match.preview(option("move", "Red 1", "0302"))
    assert preview is not None
    assert [GAME.board.code(hex) for hex in preview.path] == ["0402", "0302"]
    assert preview.cost == "2"


def test_warnings_overlay_and_score():
    match = drill(MOVE, RED, "Red 1* 0404, Red Reserve RedCamp, Blue 1 0706", turn=2)
    assert [(w.unit, w.rule) for w in match.warnings(RED)] == [
        (GAME.unit("Red 1"), "3.1"),
        (GAME.unit("Red Reserve"), "4.5"),
    ]
    assert match.warnings(BLUE) == []
    assert GAME.overlay(match.position, "danger", RED) == GAME.field.around[at("0706")]
    with pytest.raises(GameError, match="weather"):
        GAME.overlay(match.position, "weather", RED)
    # Red: one in rout, four in the camp, and six for two points of a town; Blue: four.
    assert GAME.score(match.position, RED) == 7
    assert GAME.score(match.position, BLUE) == -7


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        ({"hex": [DEAD] * 3}, "There are 3 places and 16 steps, not 16."),
        ({"routed": 1 << 15}, "Blue Reserve is lost and in rout."),
        ({"phase": "lunch"}, "There is no phase 'lunch'."),
        ({"side": 2}, "There is no side 2."),
        ({"turn": 9}, "There is no turn 9."),
        ({"battles": [(5, 1)]}, "Something is unfinished: battles."),
        ({"startled": [(1, 2)]}, "Something is unfinished: startled."),
        ({"mover": 1}, "A unit is moving or firing."),
        ({"phase": "plan", "advances": [(1, 2)]}, "Advances are owed in phase 'plan'."),
        ({"slips": [(0, 1, BLUFF, 3, 0)] * 2}, "A side has written two plans in one turn."),
        ({"slips": [(0, 1, at("0304"), 3, 0)]}, "A plan is aimed at no hex of dry land."),
        ({"slips": [(0, 1, BLUFF, 5, 0)]}, "A plan of turn 1 is for turn 5."),
        ({"slips": [(0, 1, BLUFF, 3, 1)]}, "A plan of turn 1 is turned up too early."),
    ],
)
def test_the_check_finds_what_is_wrong(spoil: dict[str, Any], sentence: str):
    pos = drill(MOVE, RED, "Red 1 0101, Red 2 0101, Blue 1 0707").position.copy()
    for name, value in spoil.items():
        setattr(pos, name, value)
    assert [fault.sentence for fault in GAME.check(pos)] == [sentence]


@pytest.mark.parametrize(
    ("hex", "steps", "sentence"),
    [
        ("0304", 2, "Red 3 is in a lake."),
        ("0101", 2, "There are 3 units in 0101."),
        ("0707", 2, "Both sides have units in 0707."),
        ("BlueCamp", 2, "Red 3 is neither on the map nor in its camp."),
        ("0102", 3, "Red 3 has 3 steps."),
        ("0102", 0, "Red 3 is lost but not both off the table and out of steps."),
    ],
)
def test_the_check_finds_units_where_they_cannot_be(hex: str, steps: int, sentence: str):
    pos = drill(MOVE, RED, "Red 1 0101, Red 2 0101, Blue 1 0707").position.copy()
    pos.hex[GAME.unit("Red 3")], pos.steps[GAME.unit("Red 3")] = at(hex), steps
    assert [fault.sentence for fault in GAME.check(pos)] == [sentence]


def test_every_rule_is_cited_from_the_ledger_and_proven_here():
    tests = Path(__file__).parent
    cited = {citation.id for citation in citations(tests / "torture")}
    assert cited == {row.id for row in GAME.ledger}
    assert coverage(GAME.ledger, proofs(tests, "torture")).missing == []


def test_the_deep_battle_stands_twenty_inputs_behind_its_checkpoint():
    match = torture.deep_battle(GAME)
    assert torture.inputs_since_checkpoint(match) >= 20
    assert match.position.battles
    fork = match.fork()
    choice = asked(match).options[-1]
    match.choose(choice)
    fork.choose(choice)
    assert fork.digest == match.digest


def test_a_fork_is_fed_without_building_a_menu(monkeypatch: pytest.MonkeyPatch):
    match = torture.deep_battle(GAME)
    fork, digest = match.fork(), match.digest

    def build(*_: object) -> None:
        raise AssertionError("A menu was built.")

    monkeypatch.setattr(Offer, "settle", build)
    assert fork.digest == digest


# Many random games.


class Tally:
    """Counts what happens in matches, by mechanism."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._mover = -1

    def saw(self, match: Match[Any], entry: Entry) -> None:
        for name in self._names(match, entry):
            self.counts[name] += 1

    def _names(self, match: Match[Any], entry: Entry) -> Iterator[str]:
        owner = GAME.field.owner
        match entry:
            case Chosen(option=Option("activate", unit)):
                self._mover = unit
            case Chosen(option=Option("done" | "halt")):
                self._mover = -1
            case Chosen(option=Option("react")):
                self._mover = -1
                yield "reaction"
            case Chosen(option=Option("pass", value=value)):
                self._mover = -1
                yield f"pass {value}"
            case Chosen(side, Option("flee")) if self._mover >= 0:
                ours = side == owner[self._mover]
                yield "flight set off by a flight" if ours else "flight in the enemy's move"
            case Chosen(option=Option("advance"), rule="5.8"):
                yield "advance after overwhelming"
            case Chosen(option=Option("at"), automatic=False):
                yield "target picked"
            case Chosen(side, Option("bleed", unit), automatic=False) if side != owner[unit]:
                yield "loss picked by the opponent"
            case Chosen(option=Option("enter")):
                yield "entry from a camp"
            case Event("panics" | "routed", unit) if unit == self._mover:
                yield "mover routed"
            case Event("flees", unit) if unit == self._mover:
                yield "mover displaced"
            case Event("gives up", unit) if unit == self._mover:
                yield "mover gone"
            case Event("presses on", value=depth):
                yield f"battle in battle {depth}"
            case Event(reveals=True):
                yield f"turned up: {entry.verb}"
            case Event():
                yield entry.verb
            case _:
                pass


MECHANISMS = {
    "flight in the enemy's move", "flight set off by a flight", "mover routed", "mover displaced",
    "panics", "disperses", "gives up", "turns at bay",
    "overwhelmed", "advance after overwhelming",
    "battle in battle 1",
    "target picked", "breaks off",
    "reaction", "pass 0", "pass 1",
    "turned up: plan", "turned up: bluff", "barrage",
    "loss picked by the opponent",
    "end with shots to come", "end by towns", "entry from a camp",
}  # fmt: skip


IDLE = ("done", "halt", "go", "stay", "hold", "pass")


class Bold:
    """Picks any option that does something; random play alone seldom goes three battles deep."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def __call__(self, seat: Seat[Any]) -> Option:
        options = seat.decision.options
        return self._random.choice([o for o in options if o.verb not in IDLE] or list(options))


def play(number: int, bot: Callable[[Seat[Any]], Option], tally: Tally) -> None:
    """One game to its end, every checkpoint tested."""
    scenario, pursuit = GAME.scenarios[number % 2].key, number % 3 == 0
    match = Match(GAME, scenario, {"pursuit": pursuit}, seed=number)
    match.watch(tally)
    while match.decision is not None:
        if asked(match).checkpoint:
            assert_checkpoint(match)
        match.choose(bot(match.seat()))
    assert match.outcome is not None
    tally.counts["end with shots to come"] += match.position.to_fire > 0
    tally.counts["end by towns"] += match.outcome.rule == "1.4"


def test_in_random_games_every_checkpoint_is_one_and_every_mechanism_occurs():
    tally = Tally()
    for number in range(200):
        play(number, RandomBot(number, by_verb=True), tally)
    assert {name for name in MECHANISMS if not tally.counts[name]} == set()


def test_bold_players_get_three_battles_deep():
    tally = Tally()
    for number in range(60):
        play(number, Bold(number), tally)
    assert tally.counts["battle in battle 2"]


def assert_checkpoint(match: Match[Table]) -> None:
    """The phase, restarted on a copy, asks the same first and changes nothing before."""
    assert match.check() == []
    copy = match.position.copy()
    first = next(GAME.phase(copy))
    assert isinstance(first, Choice)
    now = asked(match)
    assert first._replace(options=()) == now._replace(options=())
    assert list(first.options) == list(now.options)
    assert copy == match.position
