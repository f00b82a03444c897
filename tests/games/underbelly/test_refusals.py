"""What stands against an order at its own question: battles, the rear, the air, the end-run."""

from __future__ import annotations

from typing import Any

import pytest

from apennine.kernel.match import Match
from tests.games.underbelly.drawing import (
    ALLIED,
    GAME,
    GERMAN,
    TIBER,
    Table,
    attack,
    begin,
    bury,
    do,
    hexes,
    mask,
    named,
    refusal,
    shoot_out,
    verbs,
)

MISS = 10
RING = "US 36 @ 3309; US 45 @ 3310; US 3 @ 3407; US 34 @ 3510"
"""Around 3409: zones everywhere but in 3508."""
SENT = "US 45, US 3, US 34, 1 C, US VI @ end-run"


def said(match: Match[Table], verb: str, unit: str = "", hex: str = "", value: int = 0) -> str:
    found = refusal(match, verb, unit, hex, value)
    return f"{found.sentence} [{found.rule}]"


def mustering(**fields: Any) -> Match[Table]:
    """An attack on 3409 for which nobody has been named."""
    match = begin("US 36, US 45, US VI @ 3309; US 34 @ 3207; 16 Pz, XIV Pz @ 3409", **fields)
    do(match, "attack", hex="3309")
    assert "attack with" in verbs(match)
    return match


def afloat(counters: str, side: int = ALLIED, **fields: Any) -> Match[Table]:
    """The turn after a launch in turn 13."""
    given = {"scenario": TIBER, "turn": 14, "plot": 13, "launched": 13, "tac_active": True}
    given |= {"ss_entered": True, "army_entered": True, "army_aircraft": True}
    front = "46 Inf @ 2822; US 36 @ 2921; 16 Pz @ 1022"
    return begin(f"{front}; {SENT}; {counters}", side, **given | fields)


# Battles


def test_who_attacks_and_with_what():
    match = mustering(tac_active=True)
    assert said(match, "attack with", "US 34", "3409") == (
        "US 34 is not among the units in 3309 that were ordered to attack. [9.5b]"
    )
    assert said(match, "attack with", "US 36", "3408") == (
        "This attack is on Altamura (3409). [9.5b]"
    )
    assert said(match, "fight", hex="3409") == "Nobody attacks without a division: add one. [13.5b]"
    do(match, "attack with", "US VI")
    assert said(match, "send bombers", hex="3409") == (
        "Heavy bombers never attack alone: add a division first. [13.6a]"
    )
    do(match, "attack with", "US 36")
    assert said(match, "attack with", "US 36", "3409") == "US 36 takes part already. [13.2/1a]"
    do(match, "send bombers")
    assert said(match, "send bombers", hex="3409") == (
        "The heavy bombers have flown in this phase already. [13.6a]"
    )


def test_no_bombers_without_tactical_air_and_none_for_germans():
    match = mustering()
    do(match, "attack with", "US 36")
    assert said(match, "send bombers", hex="3409").endswith("activated tactical air. [9.13]")
    german = begin("16 Pz, 29 PG @ 3409; US 36 @ 3309", GERMAN)
    do(german, "attack", hex="3409")
    assert said(german, "send bombers", hex="3309") == (
        "The Allies send heavy bombers while they say who attacks. "
        "Asked now: Who attacks 3309? [13.6a]"
    )


def test_a_shot_names_somebody_who_can_be_hit_and_a_number_that_hits():
    match = begin("US 36, US 45, US VI @ 3309; 16 Pz, 29 PG, XIV Pz @ 3409")
    attack(match, "3309", "3409", dice=(MISS,))
    assert said(match, "shell", "US 36", value=6).startswith("US 36 is not among those who are")
    assert said(match, "shell", "XIV Pz", value=6) == (
        "XIV Pz is safe as long as a division stands before it. [13.5a]"
    )
    assert said(match, "shell", "16 Pz", value=9) == ("No shot at 16 Pz hits on 9 or less. [13.3a]")
    do(match, "shell", "16 Pz")
    assert said(match, "shell", "16 Pz", value=6).startswith("Corps artillery fires in the")
    assert said(match, "fire at", "US VI", value=7).endswith("stands before it. [13.5a]")
    match.force(1, 1)
    do(match, "fire at", "US 36")
    do(match, "fire at", "US 36")
    assert said(match, "fire at", "US 36", value=7) == "US 36 has been eliminated already. [13.4]"


def test_only_a_step_just_lost_comes_back():
    match = begin("US 36, US 45, US 3 @ 3309; 16 Pz, 29 PG @ 3409")
    attack(match, "3309", "3409", dice=(1, 1, MISS, MISS))
    do(match, "fire at", "US 36")
    do(match, "fire at", "US 45")
    shoot_out(match)
    do(match, "break off")
    assert said(match, "recover", "US 3") == (
        "US 3 has not lost a step in the fire just now. [13.10d]"
    )


def test_a_dead_unit_for_which_there_is_no_room_does_not_recover():
    friends = "26 Pz @ 3508; 15 PG, 3 PG, 44 Inf @ 3509"
    defenders = "16 Pz @ 3409 steps=1; 29 PG, 90 PG @ 3409"
    match = begin(f"{RING}; US 1 Arm @ 3309; {defenders}; {friends}")
    attack(match, "3309", "3409", dice=(*[MISS] * 5, 1, 1, 1, MISS))
    while "US 36" in named(match, "fire at"):
        do(match, "fire at", "US 36")
    for unit in ("16 Pz", "29 PG", "90 PG", "90 PG"):
        do(match, "fire at", unit)
    do(match, "retreat")
    assert named(match, "recover") == {"29 PG", "90 PG"}
    assert said(match, "recover", "16 Pz") == (
        "16 Pz would leave somebody without a hex to retreat to. [13.9/12]"
    )


def test_a_hex_that_the_others_need_is_closed_to_the_first_who_goes():
    # Of 4017 only the sides of 4018 and 4117 are open to 76 Inf, and 4117 has room for one.
    around = "65 Inf @ 3916; 94 Inf @ 3917; 305 Inf @ 4016; 44 Inf @ 4116; 26 Pz, 90 PG @ 4117"
    match = begin(f"5 Inf, 1 C @ 4018; 1 Para, 76 Inf @ 4017; {around}; 1 Abn @ 4108")
    attack(match, "4018", "4017", dice=(*[MISS] * 4, 1, *[MISS] * 3))
    shoot_out(match)
    do(match, "retreat")
    assert "4016" in hexes(match, "retreat to")
    assert said(match, "retreat to", hex="4117") == (
        "With Castrovillari (4117) taken not all of the others would find a place. [13.9/12]"
    )


def test_the_second_shot_at_a_force_that_is_gone_has_its_number():
    match = begin("US 36, US 45 @ 3309; 16 Pz @ 3409 steps=1")
    attack(match, "3309", "3409", dice=(MISS, 1))
    do(match, "fire at", "US 36")
    do(match, "fire at", "16 Pz")
    assert said(match, "fire on", value=9) == "No shot that is left hits on 9 or less. [13.10a]"


def test_an_advance_is_led_by_a_division_and_made_once():
    match = begin("US 36, US 45, US VI @ 3309; XIV Pz @ 3409")
    attack(match, "3309", "3409", dice=(1,))
    assert said(match, "advance", "US VI", "3409") == (
        "US VI advances only after a division. [13.8b]"
    )
    do(match, "advance", "US 45")
    assert said(match, "advance", "US 45", "3409") == "US 45 has advanced already. [13.8a]"
    assert said(match, "advance", "US 36", "3408") == (
        "US 36 advances to Altamura (3409), if anywhere. [13.8a]"
    )


# The rear and the air


def test_no_step_for_who_is_whole_dead_or_not_there():
    pos = bury("46 Inf @ 2822 steps=1; 56 Inf @ 2822; HG @ 1314", "78 Inf")
    match = Match(GAME, position=pos, seed=1)
    assert said(match, "replenish", "56 Inf") == "56 Inf is at full strength. [9.16b]"
    assert said(match, "replenish", "78 Inf").endswith("have to be reclaimed. [9.16c]")
    assert said(match, "replenish", "7 Arm") == "7 Arm is not in play. [9.16b]"
    assert said(match, "replenish", "HG") == "HG belongs to the other side. [9.4a]"


@pytest.mark.parametrize(
    ("side", "unit", "by"), [(ALLIED, "US 3", "8.15d"), (GERMAN, "HG", "8.16c")]
)
def test_nothing_reaches_the_end_run_box(side: int, unit: str, by: str):
    match = afloat("HG @ end-run", side)
    match.position.steps[match.game.unit(unit)] = 1
    assert said(match, "replenish", unit) == (
        f"{unit} has gone to the End-Run box for good, and gets nothing more. [{by}]"
    )


def test_a_fort_is_told_what_is_wrong_with_its_hex():
    match = begin("US 36 @ 2921; HG @ 1314", GERMAN, forts=mask("1315"), forts_left=13)
    assert said(match, "build fort", hex="2921") == "Allied units are in Paestum (2921). [9.8c]"
    assert said(match, "build fort", hex="1315") == "1315 has a fort already. [9.8h]"
    none = begin("US 36 @ 2921; HG @ 1314", GERMAN, forts_left=0)
    assert said(none, "build fort", hex="1314") == "All 14 forts have been built. [9.8h]"


def test_the_drop_is_made_ready_once_and_by_one_unit():
    match = begin("82 Abn @ available; US 36 @ 2921; HG @ 1314", tac_active=True)
    assert said(match, "drop", "82 Abn", "2720").endswith("not been made ready to drop. [12.9a]")
    assert said(match, "ready the drop", "US 36") == "Only the 82nd drops from the air. [12.9a]"
    do(match, "ready the drop")
    assert said(match, "ready the drop", "82 Abn") == "The 82nd is ready to drop already. [9.12]"


# The end-run


def test_the_note_names_one_of_ten_turns():
    match = begin("46 Inf @ 2822; HG @ 1314", phase="plot", scenario=TIBER, turn=2, plot=-1)
    assert said(match, "plan the end-run", value=12) == (
        "An end-run is planned for one of the turns 13 to 22. [8.10a]"
    )


def test_a_launch_needs_its_note_its_price_and_its_wave():
    given = {"scenario": TIBER, "turn": 13, "plot": 13, "phase": "orders"}
    few = begin("46 Inf @ 2822; HG @ 1314", **given)
    assert said(few, "launch the end-run") == (
        "Four full-strength divisions and a corps support unit must be able to sail, and are not. "
        "[8.13a]"
    )
    assert said(
        begin("46 Inf @ 2822; HG @ 1314", **given | {"plot": 14}), "launch the end-run"
    ) == ("Your note does not name this turn. [8.11a]")


def test_the_wave_takes_so_many_of_each_kind():
    wave = "US 45, US 3, US 34, US 36, US VI @ available; 1 C, XIII Corps @ 4108; HG @ 1314"
    given = {"scenario": TIBER, "turn": 13, "plot": 13, "phase": "orders"}
    match = begin(wave, **given)
    do(match, "launch the end-run")
    do(match, "embark", "US VI")
    assert said(match, "embark", "XIII Corps") == (
        "The first wave needs no more corps support. [8.13a]"
    )
    assert said(match, "embark", "US VI") == "US VI has sailed already. [8.15d]"
    assert said(match, "embark", "HG") == "HG belongs to the other side. [9.4a]"
    assert said(match, "embark", "7 Arm") == "7 Arm is not in play. [8.13b]"


def test_one_command_reinforces_from_one_place():
    match = afloat("78 Inf, 7 Arm, 5 Inf @ available; 1 Abn @ 4108; XIII Corps @ available")
    assert said(match, "reinforce the end-run", "XIII Corps") == (
        "Only divisions reinforce the end-run. [8.15a]"
    )
    do(match, "reinforce the end-run", "78 Inf")
    assert said(match, "reinforce the end-run", "1 Abn") == (
        "One command sends the divisions of one place, and 1 Abn is in Taranto (4108). [8.15e]"
    )
    do(match, "reinforce the end-run", "7 Arm")
    assert said(match, "reinforce the end-run", "5 Inf") == (
        "Two divisions have followed the first wave, and no more may. [8.15a]"
    )


def test_the_end_run_is_rolled_for_once_a_turn():
    match = afloat("")
    match.force(5)
    do(match, "roll for the end-run")
    assert said(match, "roll for the end-run") == (
        "The end-run has been rolled for in this turn. [8.17a]"
    )


def test_a_stack_against_the_end_run_is_a_stack():
    match = afloat("HG, 15 PG, 29 PG, 3 PG, XIV Pz, LXXVI Pz @ tenth", GERMAN)
    assert said(match, "send against the end-run", "16 Pz") == (
        "16 Pz is in 1022: units are sent from the box of 10th Army, or leave by row 10xx. [8.16b]"
    )
    for unit in ("HG", "15 PG", "29 PG"):
        do(match, "send against the end-run", unit)
    assert said(match, "send against the end-run", "3 PG") == (
        "3 PG is too much for one stack. [8.16b]"
    )
