"""Why not? Every refusal is a sentence and names the rule that forbids the order."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from apennine.games.italy1944.table.position import LANDING, NOWHERE, OFFENSIVE
from apennine.kernel.decision import Choice, Option
from apennine.kernel.match import Match
from tests.games.italy1944.drawing import (
    ALLIED,
    GAME,
    GERMAN,
    WAR,
    Table,
    announce,
    at,
    attack,
    begin,
    clash,
    do,
    go,
    lead,
    march,
    pass_on,
    pick,
    refused,
    set_of,
)

ALLIES, GERMANS = "US 34 @ 3323", "94 ID @ 1505"


def rrw(phase: str, counters: str = "", side: int = ALLIED, **fields: Any) -> Match[Table]:
    return begin(phase, side, f"{ALLIES}; {GERMANS}; {counters}", **fields)


# Movement


@pytest.mark.parametrize(
    ("counters", "hex", "rule", "sentence"),
    [
        ("", "1104", "8a", "6 Arm is in 1104 already, and may halt"),
        ("", "2522", "8e", "2522 is no ground of this campaign"),
        ("; 94 ID @ 1105", "1105", "8e", "The enemy holds 1105"),
        (
            "; US 34, US 36, US 45, US 3 @ 1004",
            "1004",
            "5a",
            "1004 would hold more than four units",
        ),
        (
            "; 94 ID @ 1105",
            "1004",
            "4.1c",
            "Both 1104 and 1004 are in enemy zones of control, "
            "and no step leads from one to another",
        ),
        (
            "; 94 ID @ 1611",
            "1610",
            "8.3a",
            "1610 is next to an enemy, and only operational movement leads that far",
        ),
        ("; 94 ID @ 2518", "2519", "8a", "2519 is too far for 24 points"),
        (
            "; 94 ID @ 1308; 71 ID @ 1507",
            "1407",
            "4.1a",
            "Enemies and their zones of control bar every way to 1407 within reach",
        ),
        ("", "3323", "8a", "3323 is too far for 24 points"),
    ],
)
def test_why_a_unit_does_not_go_there(counters: str, hex: str, rule: str, sentence: str):
    match = march(f"6 Arm @ 1104{counters}")
    pick(match, "6 Arm")
    assert refused(match, "go", "6 Arm", hex) == (sentence + ".", rule)


def test_why_a_unit_does_not_cross_a_lake():
    ring = "US 34 @ 2112; US 36 @ 2212; US 45 @ 2213; US 3 @ 2013; US 85 @ 2012"
    match = march(f"94 ID, 5 GJ @ 2113; {ring}", GERMAN)
    pick(match, "94 ID")
    assert refused(match, "go", "94 ID", "2114") == (
        "Water lies between 2113 and 2114, and no way within reach leads round it.",
        "8.4b",
    )


def test_why_a_unit_goes_no_further():
    match = march("6 Arm @ 0804; 94 ID @ 1105")
    pick(match, "6 Arm")
    do(match, "go", "6 Arm", "1004")
    assert refused(match, "go", "6 Arm", "0904") == (
        "6 Arm has entered an enemy zone of control and must stop.",
        "4.1a",
    )


def test_why_a_unit_does_not_move():
    match = march("US 34, US 45 @ 1104; US 36 @ 1004; US 3 @ reserve; 94 ID @ 1505", lost="US 85")
    assert refused(match, "move", "94 ID") == ("94 ID belongs to the other side.", "3a")
    assert refused(match, "move", "US 85") == ("US 85 is eliminated.", "9.1d")
    assert refused(match, "move", "US 91") == ("US 91 arrives only in turn 7.", "7.2a")
    assert refused(match, "move", "US 3") == ("US 3 is in the strategic reserve.", "12d")
    assert refused(match, "go", "US 34", "1204").rule == "8a"
    go(match, "0904", "US 36")
    assert refused(match, "move", "US 34") == (
        "Units are picked up one after the other in the movement phase. "
        "Asked now: Where does US 36 go?",
        "8a",
    )
    assert refused(match, "go", "94 ID", "0905") == ("94 ID belongs to the other side.", "3a")
    assert refused(match, "go", "US 34", "1204") == (
        "US 36 leads the stack that moves, not US 34.",
        "8d",
    )
    assert refused(match, "take along", "US 34") == ("The stack is on its way already.", "8d")
    do(match, "halt", "US 36")
    assert refused(match, "move", "US 36") == ("US 36 has moved in this turn.", "8a")
    idle = (
        "A stack picked up in the movement phase goes on, takes others along or halts. "
        "Asked now: Move a unit or stack, or end your movement."
    )
    assert refused(match, "halt", "US 36") == (idle, "8a")
    assert refused(match, "take along", "US 36") == (idle, "8d")
    do(match, "move", "US 34")
    assert refused(match, "take along", "US 34") == ("US 34 moves with the stack already.", "8d")
    assert refused(match, "take along", "US 36") == (
        "US 36 is not in the hex of the moving stack.",
        "8d",
    )
    assert refused(match, "end movement") == (
        "Movement is ended in the movement phase, when no stack is on the move. "
        "Asked now: Where does US 34 go?",
        "8a",
    )


def test_why_a_withdrawn_unit_does_not_move():
    match = rrw("withdrawals", "HG @ 1605; 26 Pz @ 1604", GERMAN, turn=7)
    do(match, "withdraw", "HG")
    pass_on(match, until="movement", side=GERMAN)
    assert refused(match, "move", "HG") == ("HG has been withdrawn.", "7.3a")


def test_why_there_is_no_mobile_attack():
    counters = "6 Arm @ 1104; US 34 @ 1204; 5 C Arm @ 1004 cut; 94 ID @ 1105; 305 ID @ 1506"
    match = march(counters)
    assert refused(match, "mobile attack", "6 Arm", "1105") == (
        "A stack picked up in the movement phase makes mobile attacks. "
        "Asked now: Move a unit or stack, or end your movement.",
        "8.2a",
    )
    do(match, "move", "6 Arm")
    assert refused(match, "mobile attack", "6 Arm", "1506").rule == "8.2c"
    assert refused(match, "mobile attack", "6 Arm", "1205") == (
        "There is no enemy in 1205.",
        "8.2c",
    )
    do(match, "halt", "6 Arm")
    do(match, "move", "US 34")
    assert refused(match, "mobile attack", "US 34", "1105").rule == "8.2a"
    do(match, "halt", "US 34")
    do(match, "move", "5 C Arm")
    assert refused(match, "mobile attack", "5 C Arm", "1105").rule == "6.3d"
    poor = march("6 Arm, 5 C Arm @ 1104; 94 ID @ 1105", moving_centres=3)
    do(poor, "move", "6 Arm")
    assert refused(poor, "mobile attack", "6 Arm", "1105") == (
        "An attack on 1105 costs 3 points, and the stack has 2 left.",
        "8.2c",
    )


# Combat


def test_why_there_is_no_attack():
    match = clash("US 34 @ 1104; US 36 @ 1204; 94 ID @ 1105; 305 ID @ 1304; 356 ID @ 1505")
    assert refused(match, "attack", hex="1205") == ("There is no enemy in 1205.", "9a")
    assert refused(match, "attack", hex="1505").rule == "9b"
    idle = (
        "Attackers are named, and fight, after an attack on a hex is announced. "
        "Asked now: Attack an enemy hex, or end your combat."
    )
    assert refused(match, "attack with", "US 34", "1105") == (idle, "9e")
    assert refused(match, "fight", hex="1105") == (idle, "9e")
    assert refused(match, "go", "US 34", "1004") == (
        "A stack picked up in the movement phase goes on, takes others along or halts. "
        "Asked now: Attack an enemy hex, or end your combat.",
        "8a",
    )
    do(match, "attack", hex="1105")
    busy = "Asked now: Name the attackers, then fight."
    turn = f"Hexes are attacked one after the other in the combat phase. {busy}"
    assert refused(match, "attack", hex="1304") == (turn, "9a")
    over = f"Combat is ended in the combat phase, when no attack is under way. {busy}"
    assert refused(match, "end combat") == (over, "9d")
    assert refused(match, "fight", hex="1105") == ("No attacker has been named.", "9e")


def test_why_a_unit_does_not_join_an_attack():
    counters = "US 34 @ 1104; US 36, US 45 @ 1204; US 3 @ 1404; 94 ID @ 1105; 305 ID @ 1304"
    match = clash(counters)
    attack(match, "1105", "US 36", die=4)
    do(match, "attack", hex="1105")
    assert refused(match, "attack with", "US 36", "1105") == (
        "US 36 has attacked in this turn.",
        "9b",
    )
    assert refused(match, "attack with", "US 3", "1105") == ("US 3 is not next to 1105.", "9a")
    assert refused(match, "attack with", "US 34", "1304") == (
        "The battle is for 1105, not for 1304.",
        "9e",
    )
    assert refused(match, "attack with", "US 85", "1105").rule == "7.2a"


def test_why_nobody_attacks_over_a_lake():
    match = clash("US 34 @ 2113; US 36, US 45 @ 2013; 94 ID @ 2114")
    do(match, "attack", hex="2114")
    assert refused(match, "attack with", "US 34", "2114") == (
        "Water lies between US 34 and 2114.",
        "9f",
    )


def test_orders_of_the_battle_are_refused_by_their_own_rules():
    match = clash("US 34, US 36 @ 1104; 94 ID, 305 ID @ 1105")
    announce(match, "1105", "US 34", "US 36")
    assert refused(match, "naval support", hex="1105") == (
        "Ships support only units in coastal hexes.",
        "10.1.1a",
    )
    assert refused(match, "air support", hex="1104") == (
        "The battle is for 1105, not for 1104.",
        "10.1b",
    )
    match.force(4)
    do(match, "no more support")
    do(match, "no more support")
    asked_now = "Asked now: Choose who loses a step."
    assert refused(match, "no more support") == (
        f"Aircraft and ships support battles. {asked_now}",
        "10.1c",
    )
    for verb, rule in (
        ("excess", "5.1c"),
        ("retreat", "5.1b"),
        ("advance", "9.2a"),
        ("stay", "9.2a"),
        ("break through", "9.3b"),
        ("break to", "9.3c"),
        ("exploit", "9.3f"),
        ("exploit to", "9.3i"),
        ("end exploitation", "9.3g"),
    ):
        refusal = refused(match, verb, "US 34", "1105")
        assert refusal == (f"{GAME.verbs[verb].when}. {asked_now}", rule)


def test_why_a_unit_loses_no_step():
    match = clash("US 34, US 36 @ 1104; US 45 @ 1204; 94 ID @ 1105 steps=1; 305 ID @ 1105 steps=1")
    attack(match, "1105", "US 34", "US 36", die=3)  # 2:1, 1/1
    assert refused(match, "lose a step", "94 ID") == ("94 ID belongs to the other side.", "3a")
    assert refused(match, "lose a step", "US 45") == (
        "US 45 takes no part in this battle.",
        "9.1f",
    )
    do(match, "lose a step", "US 34")
    assert refused(match, "lose a step", "US 34").rule == "3a"


def test_why_a_unit_is_not_in_excess_and_does_not_retreat_there():
    stack = "71 ID, 94 ID, 305 ID, 334 ID, 356 ID @ 1105; 15 PG, 44 HD, 5 GJ, 26 Pz @ 1104"
    match = clash(f"US 34, US 36 @ 1205; {stack}; 1 FJ @ 1004; US 45 @ 0904")
    announce(match, "1105", "US 34", "US 36")
    assert refused(match, "excess", "US 34") == ("US 34 belongs to the other side.", "3a")
    assert refused(match, "excess", "1 FJ") == (
        "1 FJ is not in the hex that is attacked.",
        "5.1c",
    )
    do(match, "excess", "94 ID")
    assert refused(match, "retreat", "71 ID", "1004") == ("94 ID is asked for, not 71 ID.", "5.1b")
    for hex, rule, sentence in (
        ("1205", "5.1c", "The enemy holds 1205."),
        ("1104", "5.1c", "1104 holds four units already."),
        ("1106", "5.1b", "No way past all enemies leads to 1106 towards your edge of the map."),
        ("1304", "5.1c", "There is room nearer than 1304."),
    ):
        assert refused(match, "retreat", "94 ID", hex) == (sentence, rule)


def test_why_a_unit_does_not_advance():
    match = clash("US 34, US 36 @ 1104; US 45 @ 1204; 356 ID @ 1105 steps=1; 94 ID @ 1305")
    attack(match, "1105", "US 34", "US 36", die=5)  # 4:1, 0/2
    assert refused(match, "advance", "US 45", "1105") == (
        "US 45 took no part in the attack.",
        "9.2a",
    )
    assert refused(match, "advance", "US 34", "1205") == (
        "The hex that was emptied is 1105, not 1205.",
        "9.2a",
    )
    assert refused(match, "break through", "US 34") == (
        "US 34 is neither armoured nor mechanised.",
        "9.3b",
    )
    do(match, "advance", "US 34", "1105")
    assert refused(match, "advance", "US 34", "1105") == ("US 34 is in 1105 already.", "9.2a")


def test_why_a_unit_does_not_break_through_or_exploit():
    near = "US 1 Arm @ 0804; 6 SA @ 1104; US 34 @ 0804; 24 G @ 1004"
    match = clash(f"6 Arm, 5 C Arm @ 1004; {near}; 356 ID @ 1105 steps=1; 94 ID @ 1204")
    attack(match, "1105", "6 Arm", "5 C Arm", die=6, air=1)  # 5:1, 0/3
    assert refused(match, "break through", "6 SA").rule == "9.2a"
    do(match, "break through", "6 Arm")
    for hex, rule, sentence in (
        ("1105", "9.3c", "1105 is not beyond the hex that was emptied."),
        ("1204", "9.3c", "The enemy holds 1204."),
        ("1610", "9.3c", "1610 is too far from 1105 for 2 points."),
    ):
        assert refused(match, "break to", "6 Arm", hex) == (sentence, rule)
    do(match, "break to", "6 Arm", "1205")
    for verb in ("advance", "break through"):
        hex = "1105" if verb == "advance" else ""
        sentence = "6 Arm has broken through already."
        assert refused(match, verb, "6 Arm", hex) == (sentence, "9.3c")
    do(match, "stay")
    for unit, rule, sentence in (
        ("US 34", "9.3f", "US 34 is neither armoured nor mechanised."),
        ("5 C Arm", "9.3l", "5 C Arm has fought in this turn."),
        ("6 SA", "9.3f", "6 SA is next to an enemy."),
    ):
        assert refused(match, "exploit", unit) == (sentence, rule)
    do(match, "exploit", "US 1 Arm")
    assert refused(match, "exploit to", "US 1 Arm", "1204") == ("The enemy holds 1204.", "9.3f")
    assert refused(match, "exploit to", "US 1 Arm", "1610") == (
        "No way through 1105 leads to 1610 with 6 points.",
        "9.3i",
    )


def test_why_there_is_no_support():
    coast = clash("US 34, US 36 @ 2521; 94 ID @ 2520", naval=2)
    announce(coast, "2520", "US 34", "US 36")
    assert refused(coast, "naval support", hex="2520") == (
        "All naval markers have been used in this turn.",
        "10.1b",
    )
    do(coast, "no more support")
    assert refused(coast, "naval support", hex="2520") == ("Only the Allies have ships.", "10.1.1a")
    flown = clash("US 34, US 36 @ 2521; 94 ID @ 2520", air=list(WAR.air_markers))
    announce(flown, "2520", "US 34", "US 36")
    assert refused(flown, "air support", hex="2520") == (
        "All your aircraft have flown in this turn.",
        "10.1b",
    )


# Logistics, replacements, reinforcements, withdrawals


def test_why_a_beachhead_does_not_feed_a_unit():
    landed = "US 3, 1 Inf, US 45 @ 2521; US 1 Arm, 56 Inf, 46 Inf @ 2420"
    match = begin("end", ALLIED, f"{landed}; US 34 @ 1104", centres="- 2418", beaches="2521")
    assert refused(match, "feed", "US 34") == (
        "US 34 has no line of at most 2 hexes to a beachhead.",
        "6.7f",
    )
    do(match, "feed", "US 3")
    assert refused(match, "feed", "US 3") == ("US 3 is fed already.", "6.7d")
    ring = "94 ID @ 2319; 71 ID @ 2619; 305 ID @ 2721"
    full = "US 3, 1 Inf, US 45, US 1 Arm @ 2521; 56 Inf, 46 Inf @ 2420"
    cut_off = begin("end", ALLIED, f"{full}; {ring}; US 34 @ 3323", beaches="2521")
    assert refused(cut_off, "feed", "US 34") == (
        "US 34 is in supply without a beachhead.",
        "6.2a",
    )


def test_why_the_centre_does_not_go_there():
    match = begin("centre", ALLIED, "US 34 @ 3323; 94 ID @ 3020", centres="3322 2418")
    assert refused(match, "centre to", hex="3323") == (
        "A logistic centre moves before the units of its side do. "
        "Asked now: Move your logistic centre along roads before your units move, or leave it.",
        "6.6i",
    )
    do(match, "move the centre")
    assert refused(match, "centre to", hex="3321") == (
        "A logistic centre keeps to roads, and 3321 has none.",
        "6.6b",
    )
    assert refused(match, "centre to", hex="3322") == (
        "The logistic centre is in 3322 already.",
        "6.6b",
    )
    assert refused(match, "centre to", hex="3020") == ("The enemy holds 3020.", "6.6m")
    assert refused(match, "centre to", hex="3121").rule == "6.6m"
    assert refused(match, "centre to", hex="1706") == (
        "1706 is more than 8 points away by road.",
        "6.6h",
    )
    # Rome is near enough by road, but the bridges on the way are not held on both banks.
    assert refused(match, "centre to", hex="2419") == (
        "Without a bridge of yours 2419 is more than 8 points away by road.",
        "8.1a",
    )
    assert refused(match, "leave the centre").rule == "6.6i"
    assert refused(match, "move the centre").rule == "6.6i"


def test_why_the_centre_does_not_move_past_the_enemy():
    germans = "94 ID @ 3318; 5 GJ @ 3119"
    match = begin("centre", ALLIED, f"US 34 @ 3323; {germans}", centres="3322 2418")
    do(match, "move the centre")
    assert refused(match, "centre to", hex="3216") == (
        "The enemy bars every road to 3216 within 8 points.",
        "6.6m",
    )


def test_why_the_centre_does_not_come_back_there():
    match = begin("return", ALLIED, f"{ALLIES}; {GERMANS}", centres="- 2418")
    assert refused(match, "return the centre", hex="3321") == (
        "A logistic centre needs a road, and 3321 has none.",
        "9.6d",
    )
    assert refused(match, "return the centre", hex="2520").rule == "9.6d"
    assert refused(match, "return the centre", hex="1505") == ("The enemy holds 1505.", "9.6d")


def test_why_nobody_breaks_through_to_an_enemy():
    match = clash("6 Arm, 5 C Arm @ 1004; 356 ID @ 1105 steps=1; 94 ID @ 1205")
    attack(match, "1105", "6 Arm", "5 C Arm", die=6, air=1)
    do(match, "break through", "6 Arm")
    assert refused(match, "break to", "6 Arm", "1205") == ("The enemy holds 1205.", "9.3c")


def test_why_no_aircraft_fly_while_the_centre_moves():
    flown = {"moving_centres": 1 << ALLIED, "air": [2, 0]}
    match = clash("US 34, US 36 @ 2521; 94 ID @ 2520", **flown)
    announce(match, "2520", "US 34")
    assert refused(match, "air support", hex="2520") == (
        "Two air markers have flown, and no more do while the logistic centre moves away.",
        "6.6g",
    )


def test_a_landing_in_the_gothic_line_is_announced_to_the_german_before_it_hurts():
    open_port = begin("movement", GERMAN, f"{ALLIES}; {GERMANS}")
    [warning] = [w for w in GAME.warnings(open_port.position, GERMAN) if w.rule == "9.4h"]
    assert warning.hex == at("2209")
    assert warning.sentence == "A landing at Rimini before July would undo the whole Gothic Line."
    for fields in ({"turn": 7}, {"launched": [1, 3], "turn": 4}, {"gothic": 1 << at("2209")}):
        other = begin("movement", GERMAN, f"{ALLIES}; {GERMANS}", **fields)
        assert "9.4h" not in [w.rule for w in GAME.warnings(other.position, GERMAN)]
    held = begin("movement", GERMAN, f"{ALLIES}; {GERMANS}; 362 ID @ 2209")
    assert "9.4h" not in [w.rule for w in GAME.warnings(held.position, GERMAN)]
    assert "9.4h" not in [w.rule for w in GAME.warnings(open_port.position, ALLIED)]


def test_why_there_are_no_replacements():
    counters = "US 36 @ 2119 steps=1; US 45 @ 3322; US 3 @ reserve steps=1; PL 3 C @ 3322 steps=1"
    match = rrw("replacements", f"{counters}; US 85 @ 3322 steps=1", lost="2 DIM, PL 2 W")
    assert refused(match, "replace", "US 45") == ("US 45 is at full strength.", "7.1b")
    assert refused(match, "replace", "US 3").rule == "12g"
    assert refused(match, "replace", "PL 3 C").rule == "7.1g"
    assert refused(match, "replace", "US 36").rule == "7.1c"
    assert refused(match, "replace", "US 91").rule == "7.2a"
    assert refused(match, "rebuild", "US 45", value=1).rule == "7.1b"
    assert refused(match, "rebuild", "PL 2 W", value=1) == (
        "No Polish replacement points are left.",
        "7.1g",
    )
    assert refused(match, "rebuild", "2 DIM", value=2) == (
        "2 DIM would cost 2 French points at such strength, more than the 1 left.",
        "7.1g",
    )
    assert refused(match, "rebuild", "2 DIM", value=0) == (
        "2 DIM comes back with one step or more.",
        "7.1i",
    )
    assert refused(match, "rebuild", "2 DIM", value=3) == (
        "2 DIM has only 2 steps at full strength.",
        "7.1i",
    )


def test_why_a_rebuilt_unit_is_not_placed_there():
    full = "US 36, US 45, US 3, US 85 @ 3322"
    match = rrw("replacements", f"{full}; 305 ID @ 3222; US 88 @ 3622", lost="2 DIM")
    do(match, "rebuild", "2 DIM", value=1)
    assert refused(match, "place", "2 DIM", "3322").rule == "7.1k"
    assert refused(match, "place", "2 DIM", "3222").rule == "7.1k"
    assert refused(match, "place", "2 DIM", "3221") == (
        "3221 is next to an enemy, with no unit of yours there.",
        "7.1k",
    )
    assert refused(match, "place", "2 DIM", "3519") == (
        "3519 is neither at nor next to a supply hex or a centre in supply.",
        "7.1d",
    )
    assert refused(match, "place", "US 36", "3323") == (
        "2 DIM is asked for, not US 36.",
        "7.1d",
    )
    assert refused(match, "end replacements") == (
        "Units are replenished and rebuilt in the replacement step. "
        "Asked now: Where does 2 DIM come back?",
        "7.1f",
    )


def test_why_nobody_comes_back_where_everything_is_full():
    sources = ("3725", "3825", "3920", "3921", "3922", "3923", "3924", "3925")
    germans = ("94 ID", "71 ID", "305 ID", "334 ID", "1 FJ", "5 GJ", "26 Pz", "90 PG")
    blockade = "; ".join(f"{unit} @ {hex}" for unit, hex in zip(germans, sources))
    match = begin("replacements", ALLIED, f"US 34 @ 3323 steps=1; {blockade}", lost="2 DIM")
    assert refused(match, "rebuild", "2 DIM", value=1) == (
        "No hex where 2 DIM could come back has room.",
        "7.1k",
    )


def test_why_a_reinforcement_does_not_come():
    match = rrw("reinforcements", turn=3)
    assert refused(match, "bring on", "US 88", "3323").rule == "7.2a"
    assert refused(match, "bring on", "US 91", "3725") == ("US 91 arrives only in turn 7.", "7.2a")
    assert refused(match, "bring on", "US 34", "3725") == (
        "US 34 is not among your reinforcements now.",
        "7.2a",
    )
    full = rrw("reinforcements", "US 36, US 45, US 3, US 85 @ 3725", turn=3)
    assert refused(full, "bring on", "US 88", "3725").rule == "7.2c"


def test_why_another_unit_is_not_withdrawn():
    # US infantry must go; SSF is a brigade, and US 36 is cut off at Anzio.
    match = rrw("withdrawals", "US 45 @ 3322; US 36 @ 2521; 305 ID @ 2520; 334 ID @ 2620", turn=7)
    assert refused(match, "withdraw", "US 91").rule == "7.3b"
    assert refused(match, "withdraw", "US 36").rule == "7.3b"
    tanks = rrw("withdrawals", "US 45 @ 3322; 6 Arm @ 3322", turn=7)
    assert refused(tanks, "withdraw", "6 Arm").rule == "7.3c"


# The reserve and the operations


def test_why_a_unit_does_not_go_into_the_reserve_or_out_of_it():
    counters = "US 36 @ 3122; US 45 @ 2521; US 3, 24 G @ reserve; 305 ID @ 3021; 334 ID @ 2419"
    match = rrw("reserve", f"{counters}; 356 ID @ 2720; 26 Pz @ 2621")
    assert refused(match, "send to reserve", "US 36") == ("US 36 is next to an enemy.", "12c")
    assert refused(match, "send to reserve", "US 3").rule == "12d"
    assert refused(match, "release", "US 34").rule == "12d"
    do(match, "send to reserve", "US 34")
    assert refused(match, "release", "US 34").rule == "12f"
    do(match, "release", "US 3")
    assert refused(match, "release", "24 G") == (
        "Units go into the reserve and come out of it in the reserve step. "
        "Asked now: Where does US 3 go?",
        "12d",
    )
    assert refused(match, "place", "24 G", "3323") == ("US 3 is asked for, not 24 G.", "12d")
    assert refused(match, "place", "US 3", "3321") == (
        "3321 is neither a town nor a beachhead.",
        "12d",
    )
    assert refused(match, "place", "US 3", "2419") == ("The enemy holds 2419.", "12d")
    assert refused(match, "place", "US 3", "2217") == ("2217 is not under Allied control.", "12d")
    do(match, "place", "US 3", "3323")
    assert refused(match, "send to reserve", "US 3") == (
        "US 3 has only just come out of the reserve.",
        "12f",
    )


def test_why_nobody_else_is_sent_while_a_released_unit_waits_for_its_place():
    match = rrw("reserve", "US 3 @ reserve; US 36 @ 3322")
    do(match, "release", "US 3")
    assert refused(match, "send to reserve", "US 36") == (
        "Units go into the reserve and come out of it in the reserve step. "
        "Asked now: Where does US 3 go?",
        "12c",
    )


def test_why_a_unit_cut_off_does_not_go_into_the_reserve():
    ring = "305 ID @ 2520; 334 ID @ 2722"
    match = rrw("reserve", f"US 36 @ 2521; US 3 @ 2119; {ring}")
    assert refused(match, "send to reserve", "US 36").rule == "12c"


@pytest.mark.parametrize(
    ("verb", "hex", "turn", "rule"),
    [
        ("plan an offensive", "", 4, "11Pa"),
        ("plan an offensive", "", 10, "11Pa"),
        ("plan a landing", "2419", 5, "11Lb"),
        ("plan a landing", "3323", 9, "11Lb"),
        ("plan a landing", "", 5, "11Pd"),
        ("plan a landing", "2521", 8, "11b"),
        ("plan an offensive", "2521", 9, "11Pd"),
    ],
)
def test_why_a_plan_is_not_written(verb: str, hex: str, turn: int, rule: str):
    match = rrw("plans", turn=3, notes=[(OFFENSIVE, NOWHERE, 7, 2, 0)])
    do(match, "write a note")
    assert refused(match, verb, hex=hex, value=turn).rule == rule


def test_why_a_third_operation_is_not_planned():
    match = rrw("plans", turn=5, launched=[1, 3])
    do(match, "write a note")
    assert refused(match, "plan an offensive", value=8).rule == "11a"


def test_why_there_is_no_landing_there():
    match = rrw("operations", "305 ID @ 2119", turn=1)
    assert refused(match, "land", hex="2419").rule == "11Lb"
    assert refused(match, "land", hex="2119").rule == "11Lh"
    assert refused(match, "land", hex="3323") == ("The Allies control 3323 already.", "11Lb")
    planned = rrw("operations", turn=4, notes=[(LANDING, at("2521"), 4, 2, 1)])
    assert refused(planned, "land", hex="2119").rule == "11La"
    assert refused(planned, "offensive", hex="2119").rule == "11Ga"
    assert refused(planned, "land with", "US 34", "2521").rule == "11Lc"
    assert refused(planned, "commit", "US 34").rule == "11Gc"
    waiting = rrw("operations", "US 3 @ reserve", turn=4, notes=[(LANDING, at("2521"), 4, 2, 1)])
    assert refused(waiting, "land with", "US 3", "2521") == (
        "The first wave goes ashore when its landing has been ordered. "
        "Asked now: Make the landing that was planned, or let it lapse.",
        "11Lc",
    )
    assert refused(waiting, "commit", "US 3") == (
        "The reserve is committed when a general offensive has been opened. "
        "Asked now: Make the landing that was planned, or let it lapse.",
        "11Gc",
    )
    assert refused(planned, "end landing").rule == "11Lc"
    assert refused(planned, "end commitment").rule == "11Gc"


def test_why_a_unit_does_not_land():
    reserve = "US 3, US 45, 24 G, 2 Cdo @ reserve"
    match = rrw("operations", reserve, turn=4, notes=[(LANDING, at("2521"), 4, 2, 1)])
    do(match, "land", hex="2521")
    before = "Landings and general offensives begin before the Allied units move. "
    ashore = f"{before}Asked now: Land up to two divisions from the reserve."
    assert refused(match, "land", hex="2521") == (ashore, "11La")
    assert refused(match, "no operation") == (ashore, "11Pe")
    assert refused(match, "land with", "US 34", "2521") == ("US 34 is not in the reserve.", "11Lc")
    assert refused(match, "land with", "US 3", "2119") == (
        "The first wave goes ashore in 2521.",
        "11Lc",
    )
    do(match, "land with", "US 3", "2521")
    do(match, "land with", "24 G", "2521")
    assert refused(match, "land with", "US 45", "2521") == (
        "US 45 is more than may still land with the first wave.",
        "11Lc",
    )


def test_why_an_offensive_does_not_open_there():
    match = rrw("operations", "US 3 @ reserve", turn=4, notes=[(OFFENSIVE, NOWHERE, 4, 2, 1)])
    assert refused(match, "offensive", hex="2521").rule == "11Ga"
    far = rrw("operations", allied="1505 1605", turn=4, notes=[(OFFENSIVE, NOWHERE, 4, 2, 1)])
    assert refused(far, "offensive", hex="1605").rule == "11Gb"
    assert refused(rrw("operations", turn=1), "offensive", hex="3323") == (
        "Landings and general offensives begin before the Allied units move. "
        "Asked now: Make a landing now, without a plan, or none.",
        "11Ga",
    )
    do(match, "offensive", hex="3122")
    assert refused(match, "offensive", hex="3122").rule == "11Ga"
    assert refused(match, "commit", "US 34") == ("US 34 is not in the reserve.", "11Gc")
    do(match, "commit", "US 3")
    assert refused(match, "commit", "US 3") == (
        "The reserve is committed when a general offensive has been opened. "
        "Asked now: Where does US 3 go?",
        "11Gc",
    )
    assert refused(match, "end commitment") == refused(match, "commit", "US 3")
    assert refused(match, "place", "US 3", "3322") == (
        "3322 is neither at nor next to the marker of the offensive.",
        "11Gc",
    )
    assert refused(match, "no operation").rule == "11Pe"


# Set-up


def test_why_a_unit_is_not_deployed_there():
    match = Match(GAME, seed=1)
    assert refused(match, "deploy", "US 34") == ("US 34 belongs to the other side.", "3a")
    assert refused(match, "deploy", "98 ID") == ("98 ID arrives only in turn 8.", "7.2a")
    assert refused(match, "hold the rest in reserve").rule == "3Sb"
    assert refused(match, "set up", "94 ID", "3020").rule == "3Sa"
    do(match, "deploy", "94 ID")
    assert refused(match, "deploy", "71 ID") == (
        "Units are deployed in the set-up, before the first turn. "
        "Asked now: Where does 94 ID stand?",
        "3Sa",
    )
    assert refused(match, "set up", "71 ID", "3020") == ("94 ID is asked for, not 71 ID.", "3Sa")
    assert refused(match, "set up", "94 ID", "3323").rule == "3Sc"
    do(match, "set up", "94 ID", "3020")
    assert refused(match, "deploy", "94 ID").rule == "3Sa"
    assert refused(match, "historical deployment").rule == "3Sa"


def test_why_the_centre_is_not_placed_there():
    match = Match(GAME, seed=1)
    pass_on(match, until="centres")
    assert refused(match, "place the centre", hex="3020") == (
        "Your logistic centre starts in 2217, 2416 or 2418, not in 3020.",
        "3Sd",
    )


# Everything


@pytest.mark.parametrize(
    ("verb", "phase", "side", "sentence", "rule"),
    [
        (
            "mobile attack",
            "combat",
            ALLIED,
            "A stack picked up in the movement phase makes mobile attacks. "
            "Asked now: Attack an enemy hex, or end your combat.",
            "8.2a",
        ),
        (
            "attack",
            "movement",
            GERMAN,
            "Hexes are attacked one after the other in the combat phase. "
            "Asked now: Move a unit or stack, or end your movement.",
            "9a",
        ),
        (
            "deploy",
            "reserve",
            ALLIED,
            "Units are deployed in the set-up, before the first turn. "
            "Asked now: Send units to the strategic reserve, release others from it, or end.",
            "3Sa",
        ),
        (
            "set up",
            "centres",
            GERMAN,
            "Units are deployed in the set-up, before the first turn. "
            "Asked now: Place your logistic centre.",
            "3Sa",
        ),
    ],
)
def test_an_order_for_another_phase_is_told_which_one(
    verb: str, phase: str, side: int, sentence: str, rule: str
):
    match = begin(phase, side, "US 34 @ 1104; 94 ID @ 1105; US 36 @ 3322", turn=1)
    assert refused(match, verb, "US 34", "1105") == (sentence, rule)


def test_nonsense_is_refused_too():
    match = march("US 34, US 36 @ 1104; 94 ID @ 1505")
    assert refused(match, "surrender") == ("There is no order 'surrender' in Italy 1944.", "8a")
    assert match.why_not(Option("move", 999)) == (
        "The order 'move' must name a unit of the game.",
        "8a",
    )
    assert refused(match, "move", "US 34", "1105") == ("The order 'move' names no hex.", "8a")
    pick(match, "US 34", "US 36")
    assert match.why_not(Option("go", GAME.unit("US 34"), 99_999)).rule == "8a"
    assert match.position.movers == set_of("US 34", "US 36")
    assert lead(match) == "US 34"


@pytest.mark.parametrize("seed", range(2))
def test_in_a_random_game_every_refusal_has_a_sentence_and_a_rule_of_the_ledger(seed: int):
    random = Random(seed)
    match = Match(GAME, seed=seed)
    units = [-1, *range(len(GAME.units)), 999]
    hexes = [-1, 99_999, *GAME.board.lattice]
    verbs = [*GAME.verbs, "surrender"]
    asked = 0
    while isinstance(match.decision, Choice) and asked < 600:
        asked += 1
        for verb in random.sample(verbs, 8):
            order = Option(verb, random.choice(units), random.choice(hexes), random.randrange(10))
            if order not in match.decision.options:
                refusal = match.why_not(order)
                assert refusal.sentence.endswith((".", "?", match.decision.prompt))
                assert refusal.rule in GAME.ledger
        match.choose(random.choice(match.decision.options))
    assert asked == 600


@pytest.mark.parametrize("verb", sorted(GAME.verbs))
def test_every_order_of_the_game_is_refused_with_a_rule_in_every_phase(verb: str):
    for phase in ("centres", "replacements", "reserve", "plans", "centre", "movement", "combat"):
        counters = f"{ALLIES}; {GERMANS}; US 3 @ reserve; US 36 @ 3322 steps=1; 71 ID @ 3222"
        match = begin(phase, ALLIED, counters)
        assert match.position.phase == phase
        for unit in ("US 34", "US 3", "US 91", "94 ID"):
            for hex in (-1, at("3323"), at("2419"), at("1505")):
                option = Option(verb, GAME.unit(unit), hex, 1)
                assert isinstance(match.decision, Choice)
                if option not in match.decision.options:
                    refusal = match.why_not(option)
                    assert refusal.sentence
                    assert refusal.rule in GAME.ledger
