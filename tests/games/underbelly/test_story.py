"""How a battle is told (13), and to whom (6.9)."""

from __future__ import annotations

from apennine.kernel.game import EVERYBODY
from apennine.kernel.story import Teller
from tests.games.underbelly.drawing import (
    ALLIED,
    GERMAN,
    attack,
    begin,
    do,
    faces,
    fight_out,
    order,
)

HIT, MISS = 1, 10


def told(match, side: int) -> str:
    """The first order that was carried out, as a side reads it."""
    return Teller(match, side).passages[0].text


def test_a_battle_is_one_line_with_its_hits_and_its_losses():
    match = begin("US 36, US 45 @ 3309; 16 Pz @ 3409; HG @ 3410")
    match.force(HIT, MISS, HIT, HIT, MISS, MISS)
    attack(match, "3309", "3409")
    fight_out(match)
    text = told(match, ALLIED)
    assert text == "Attack on Altamura (3409): 2 hits for 1; 16 Pz eliminated; US 36 loses a step"
    assert told(match, GERMAN) == told(match, EVERYBODY) == text


def test_an_attack_that_is_broken_off_says_so_and_who_recovers():
    match = begin("US 36 @ 3309; 16 Pz @ 3409")
    match.force(HIT, MISS)
    attack(match, "3309", "3409")
    do(match, "break off")
    assert told(match, GERMAN) == (
        "Attack on Altamura (3409): 0 hits for 1; attack is broken off at 3309; "
        "US 36 recovers a step at 3309"
    )


def test_bombers_and_aircraft_are_told_with_the_attack():
    match = begin("US 36 @ 2721; 16 Pz @ 2720", tac=1, tac_active=True)
    match.force(*[MISS] * 9)
    attack(match, "2721", "2720", bombers=True, air="Allied")
    fight_out(match)
    assert told(match, ALLIED).startswith(
        "Attack on 2720 with heavy bombers and Allied tactical air: 0 hits for none"
    )


def test_a_german_reads_who_fell_though_the_fog_has_come_back():
    """All of the battle lay on the Battle Board; who did not fight stays unknown (6.9b)."""
    match = begin("US 36, US 45 @ 3309; US 3, US 34 @ 3308; 16 Pz, HG @ 3409", GERMAN)
    match.force(MISS, MISS, MISS, MISS, *[HIT] * 2, *[MISS] * 9)
    attack(match, "3409", "3309")
    while "fire at" in {option.verb for option in match.decision.options}:
        do(match, "fire at", "US 45") if match.decision.side == GERMAN else do(match, "fire at")
    fight_out(match)
    assert faces(match, GERMAN, "3308") == ["?", "US 3"]
    text = told(match, GERMAN)
    assert text.startswith("Attack on 3309: 2 hits for none; US 45 eliminated")
    assert "US 34" not in text
    assert text == told(match, ALLIED)


def test_a_move_before_the_fight_comes_first():
    match = begin("46 Inf @ 2822; 5 Inf @ 3309; 76 Inf @ 1012; 16 Pz @ 3009", GERMAN)
    order(match, "move-fight", "3009")
    do(match, "go", hex="3209")
    match.force(*[MISS] * 9)
    do(match, "strike with", hex="3309")
    fight_out(match)
    text = told(match, ALLIED)
    assert text.startswith("16 Pz: 3009 to 3209; attack on 3309: 0 hits for none"), text


def test_a_port_that_nobody_guards_falls_without_a_battle():
    match = begin("US 3 @ 2822; 16 Pz @ 4107; 26 Pz @ 2017", GERMAN)
    do(match, "attack", hex="4107")
    assert told(match, ALLIED) == (
        "16 Pz: 4107 to Taranto (4108); port is lost at Taranto (4108); "
        "the Germans take the town at Taranto (4108)"
    )
