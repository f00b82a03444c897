"""What players read: refusals that say what is wrong with this order, and previews."""

from __future__ import annotations

import pytest

from apennine.kernel.match import Match
from tests.games.underbelly.drawing import (
    GAME,
    GERMAN,
    LOST,
    TIBER,
    Table,
    at,
    attack,
    begin,
    do,
    mask,
    options,
    order,
    preview,
    refusal,
    table,
    verbs,
)

NAPLES_OPEN = [LOST, LOST, at("4108"), at("5328"), at("2522"), LOST]


def said(match: Match[Table], verb: str, unit: str = "", hex: str = "", value: int = 0) -> str:
    """A refusal as players read it: the sentence, and the rule."""
    found = refusal(match, verb, unit, hex, value)
    return f"{found.sentence} [{found.rule}]"


def shuffled(counters: str, hex: str) -> Match[Table]:
    """A position in which the stack of a hex has changed, so that its top must be named."""
    pos = table(counters)
    pos.shuffled = mask(hex)
    return Match(GAME, position=pos, seed=1)


# What must be answered first


def test_while_a_new_top_is_asked_for_everything_else_waits_for_it():
    match = shuffled("46 Inf, 56 Inf @ 2822; US 36 @ 2921; HG @ 1314", "2822")
    assert verbs(match) == {"on top"}
    first = "Asked now: Which division lies on top in Salerno (2822), for the German to see? ["
    for verb, unit, hex in (
        ("move", "", "2921"),
        ("attack", "", "2822"),
        ("replenish", "US 36", ""),
        ("go", "", "2821"),
        ("end", "", ""),
    ):
        assert first in said(match, verb, unit, hex)
    assert said(match, "on top", "US 36", "2921") == (
        "The question is who lies on top in Salerno (2822), and not in Paestum (2921). [6.9e]"
    )
    assert said(match, "on top", "US 36", "2822") == "US 36 is not in Salerno (2822). [6.9e]"
    do(match, "on top", "46 Inf")
    assert said(match, "move", hex="3221") == (
        "You have no units in Vallo della Lucania (3221). [9.4a]"
    )


def test_a_top_is_a_division():
    match = shuffled("46 Inf, 56 Inf, X Corps @ 2822", "2822")
    assert "X Corps is corps support" in said(match, "on top", "X Corps", "2822")


def test_a_command_under_way_names_itself():
    match = begin("46 Inf, 56 Inf @ 2822; US 36 @ 3221; HG @ 1314")
    do(match, "move", hex="2822")
    assert said(match, "move", hex="3221") == (
        "A stack is ordered to move between two other commands of its side. "
        "Asked now: Which units in Salerno (2822) move? [9.4a]"
    )
    do(match, "take", "46 Inf")
    assert said(match, "end") == (
        "A side ends its turn when it is asked for a command. "
        "Asked now: Where do the moving units go? [9.19]"
    )


def test_an_attack_under_way_asks_for_its_target_and_then_for_its_end():
    match = begin("46 Inf, 56 Inf @ 2822; HG @ 2821; 16 Pz @ 2721; US 36 @ 3221")
    do(match, "attack", hex="2822")
    if "target" in verbs(match):
        assert "Asked now: Which hex do you attack? [" in said(match, "end")
        do(match, "target", hex="2821")
    assert "Asked now: Who attacks 2821? [" in said(match, "move", hex="3221")
    assert "Asked now: Who attacks 2821? [" in said(match, "go", hex="3221")


def test_the_drop_is_asked_before_the_next_german_command():
    match = begin("82 Abn @ available; HG @ 2821", GERMAN, drop_ready=True, tac_active=True)
    assert "drop" in verbs(match)
    assert "Asked now: Drop the 82nd Airborne now? [" in said(match, "end")
    do(match, "no drop now")
    assert "end" in verbs(match)


def test_the_first_wave_is_completed_before_anything_else():
    force = "US 36, US 45, US 3, US 34, US VI @ available"
    given = {"scenario": TIBER, "plot": 13, "turn": 13, "switched": True, "ports": NAPLES_OPEN}
    match = begin(f"{force}; 46 Inf @ 2522", phase="orders", **given)
    do(match, "launch the end-run")
    do(match, "embark", "US 36")
    assert "Asked now: Send the first wave: four full-strength divisions" in said(match, "no air")


def test_too_many_units_in_a_hex_come_before_the_next_command():
    pos = table("US 36 @ 2921; HG @ 2821; 16 Pz @ 2720", GERMAN)
    pos.hex[GAME.unit("24 Pz SS")] = at("2821")
    match = Match(GAME, position=pos, seed=1)
    first = "Asked now: Too many units are in 2821: eliminate one. ["
    assert first in said(match, "move", hex="2720")
    assert said(match, "shed", "16 Pz", "2821") == "16 Pz is not in 2821. [6.8]"


# Moves


@pytest.mark.parametrize(
    ("hex", "words"),
    [
        ("2923", "2923 is at sea. [12.3b]"),
        ("2821", "Enemies are in 2821: it can only be attacked, from a hex beside it. [12.3a]"),
        ("1109", "Pescara (1109) is out of reach: 46 Inf has 8 movement points left. [12.1a]"),
        ("2822", "46 Inf has got to Salerno (2822) already: halt there. [12.1a]"),
        ("2719", "Enemies and their zones of control bar every way to 2719 within reach. [7.5a]"),
    ],
)
def test_a_move_is_refused_for_what_is_wrong_with_it(hex: str, words: str):
    match = begin("46 Inf @ 2822; HG @ 2821")
    order(match, "move", "2822")
    assert said(match, "go", hex=hex) == words


def test_a_stack_beside_a_lake_attacks_nobody_across_it():
    match = begin("16 Pz @ 2206; 29 PG @ 2107; 46 Inf @ 2207; US 36 @ 2921", GERMAN)
    words = "Water lies between 2206 and the enemies next to it. [13.1c]"
    assert said(match, "attack", hex="2206") == words


def test_a_stack_in_a_box_attacks_nobody():
    match = begin("94 Inf @ tenth; 16 Pz @ 2821; US 36 @ 2921", GERMAN)
    words = "The units in the box of 10th Army are not on the map. [7.7a]"
    assert said(match, "attack", hex="tenth") == words


def test_two_hexes_in_enemy_zones_are_both_named():
    match = begin("46 Inf @ 2822; HG @ 2821")
    order(match, "move", "2822")
    into = next(hex for hex in ("2721", "2921", "2922") if hex not in _reach(match))
    assert "are both in an enemy zone of control" in said(match, "go", hex=into)
    assert "Salerno (2822)" in said(match, "go", hex=into)


def _reach(match: Match[Table]) -> set[str]:
    return {GAME.board.code(option.hex) for option in options(match) if option.verb == "go"}


def test_who_is_elsewhere_is_told_where_he_is():
    match = begin("46 Inf, 56 Inf @ 2822; US 36 @ 2921; 7 Arm @ available; HG @ 1314")
    assert said(match, "take", "US 36").startswith(
        "The units of a stack are taken when it has been ordered to move. Asked now: Give a command"
    )
    do(match, "move", hex="2822")
    start = "the command is for Salerno (2822). [9.4b]"
    assert said(match, "take", "US 36") == f"US 36 is in Paestum (2921); {start}"
    assert said(match, "take", "7 Arm") == f"7 Arm is in the Available box; {start}"
    assert said(match, "take", "US 3") == f"US 3 is not in play; {start}"
    do(match, "take", "46 Inf")
    assert said(match, "take along", "46 Inf") == "46 Inf is moving already. [9.4b]"
    assert said(match, "take along", "US 36") == f"US 36 is in Paestum (2921); {start}"


def test_units_in_a_box_are_told_how_to_come():
    match = begin("7 Arm, 78 Inf @ available; 46 Inf @ 2822; HG @ 1314")
    order(match, "move", "available", "7 Arm")
    assert said(match, "go", hex="2821") == (
        "Moving units go from hex to hex once they are on the map. "
        "Asked now: Where do the moving units come onto the map? [12.1a]"
    )
    assert said(match, "come ashore", hex="2821") == (
        "There is no Allied port marker in 2821. [12.6b]"
    )


def test_an_attack_has_no_target_while_units_come_from_a_box():
    match = begin("94 Inf, 65 Inf @ tenth; US 36 @ 2921", GERMAN)
    do(match, "move", hex="tenth")
    assert said(match, "target", hex="2921") == (
        "A target is picked when a stack has been ordered to attack. "
        "Asked now: Which units in the box of 10th Army move? [9.5a]"
    )


# Commands


@pytest.mark.parametrize(
    ("verb", "words"),
    [
        ("attack", "An attack takes 2 command points, and you have 1 left. [9.1b]"),
        ("move-fight", "A move-fight takes 3 command points, and you have 1 left. [9.1b]"),
    ],
)
def test_a_command_that_is_too_dear_tells_its_price(verb: str, words: str):
    match = begin("46 Inf @ 2822; HG @ 2821", GERMAN, points=1)
    assert said(match, verb, hex="2821") == words


def test_points_kept_for_the_end_run_are_told():
    given = {"scenario": TIBER, "launched": 13, "plot": 13, "turn": 15, "rolled": 14}
    match = begin("46 Inf @ 2822; HG @ 2821", points=3, tac_active=True, **given)
    assert said(match, "attack", hex="2822") == (
        "An attack takes 2 command points, and 2 of your 3 are kept for the end-run roll. [9.1b]"
    )


def test_a_stack_next_to_none_but_those_attacked_is_told_so():
    match = begin("46 Inf @ 2822; US 36 @ 2921; HG @ 2821", attacked=mask("2821"))
    assert said(match, "attack", hex="2822") == (
        "Every enemy next to Salerno (2822) has been attacked in this phase already. [13.1b]"
    )
    assert (
        said(match, "attack", hex="3221")
        == "You have no units in Vallo della Lucania (3221). [9.4a]"
    )


def test_a_german_step_that_is_used_up_names_its_kind():
    match = begin("HG @ 2220 steps=1; 94 Inf @ 1314; US 36 @ 2921", GERMAN, mechanised_steps=1)
    assert said(match, "replenish", "HG") == (
        "HG is mechanised, and your mechanised step of this turn is used up. [9.17a]"
    )


def test_boxes_are_called_by_their_names():
    match = begin("46 Inf @ 2822; HG @ 1314")
    assert said(match, "move", hex="available") == "You have no units in the Available box. [9.4a]"
    assert said(match, "move", hex="tenth") == "You have no units in the box of 10th Army. [9.4a]"


# Previews


def test_an_attack_with_one_target_shows_its_chances_before_it_is_ordered():
    """A lone unit against another is asked nothing more: this is the last moment to look."""
    match = begin("US 36 @ 3309; 16 Pz @ 3409")
    found = preview(match, "attack", hex="3309")
    assert found.cost == "2 command points"
    assert sum(chance.probability for chance in found.chances) == 1
    shown = {line.text: line.value for line in found.lines}
    assert shown["target"] == "Altamura (3409)"
    assert shown["attack: US 36, 2 shots"] == "5 or less"
    assert shown["defence: 16 Pz, 2 shots"] == "7 or less"


def test_an_attack_with_a_choice_of_targets_compares_them():
    match = begin("US 36, US 45 @ 3309; 16 Pz @ 3409; 94 Inf @ 3410 steps=1")
    found = preview(match, "attack", hex="3309")
    strong, weak = (float(line.value.split()[-1].rstrip("%")) for line in found.lines)
    assert strong < weak
    fork = match.fork()
    do(fork, "attack", hex="3309")
    exact = {c.result: c.probability for c in preview(fork, "target", hex="3410").chances}
    assert weak == round(100 * exact["the hex is taken"])


def test_a_modifier_names_those_it_is_not_for():
    """Guns take no part in the crossing of a river."""
    match = begin("US 36, US VI @ 2710; 16 Pz @ 2810")
    shown = {line.text: line.value for line in preview(match, "attack", hex="2710").lines}
    assert shown["attack: across a river, not for US VI"] == "-1"
    assert shown["attack: US 36, 2 shots"] == "4 or less (printed 5)"
    assert shown["attack: US VI"] == "6 or less"


def test_breaking_off_shows_whose_step_comes_back():
    match = begin("US 36, US 45 @ 3309; 16 Pz @ 3409")
    attack(match, "3309", "3409", dice=(1, 10))
    while "fire at" in verbs(match):
        do(match, "fire at", "US 45")
    shown = {line.text: line.value for line in preview(match, "break off").lines}
    assert shown == {"one step comes back": "US 45"}
    rest = preview(match, "fight on")
    assert sum(chance.probability for chance in rest.chances) == 1
    assert [line.text for line in rest.lines] == ["US 36, 2 shots", "US 45, 1 shot"]


def test_bombs_on_a_city_may_leave_rubble():
    match = begin("US 36, US 45 @ 2521; HG @ 2522", tac_active=True, tac=1)
    do(match, "attack", hex="2521")
    do(match, "attack with", "US 36")
    shown = {line.text: line.value for line in preview(match, "send bombers").lines}
    assert shown["heavy bombers"] == "5 or less"
    assert shown["heavy bombers: rubble for their target"] == "6 or more"
