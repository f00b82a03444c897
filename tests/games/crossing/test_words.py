"""Why not? Every refusal is a sentence and names the rule that forbids the order."""

from __future__ import annotations

from random import Random

import pytest

from apennine.games import get
from apennine.kernel.decision import Choice, Option
from apennine.kernel.match import Match
from tests.games.crossing.drawing import (
    GAME,
    attack,
    combat,
    do,
    go,
    movement,
    picked,
    refused,
)

VERBS = [
    *("move", "go", "halt", "end movement"),
    *("attack", "attack with", "fight", "end combat"),
    *("blow", "let pass", "let pass this phase", "lay the charge"),
    *("lose a step", "retreat", "advance", "stay"),
    "surrender",
]


NOW = "Asked now: Move a unit, or end your movement."


@pytest.mark.parametrize(
    ("counters", "hex", "rule", "sentence"),
    [
        ("1 Inf @ 0508; 2 Inf, 3 Inf @ 0507", "0507", "2.1", "0507 is full: two units are there."),
        (
            "1 Inf @ 0306; I Gren @ 0405; II Gren @ 0207",
            "0307",
            "3.3",
            "1 Inf and 0307 are both in enemy zones of control.",
        ),
        ("1 Inf @ 0508", "0501", "4.2", "0501 is too far for 1 Inf."),
        (
            "1 Inf @ 0108; I Gren @ 0106; II Gren @ 0307",
            "0206",
            "3.2",
            "Enemies and their zones of control bar the way to 0206.",
        ),
        ("1 Inf @ 0508", "0508", "4.2", "1 Inf is in 0508 already; it may halt."),
        ("1 Inf @ 0508; I Gren @ 0507", "0507", "4.5", "An enemy is in 0507."),
    ],
)
def test_why_a_unit_does_not_go_there(counters: str, hex: str, rule: str, sentence: str):
    match = picked(movement(counters), "1 Inf")
    assert refused(match, "go", "1 Inf", hex) == (sentence, rule)


def test_why_tanks_do_not_cross_the_river():
    match = picked(movement("6 Arm @ 0205", blown=3), "6 Arm")
    assert refused(match, "go", "6 Arm", "0204") == (
        "6 Arm cannot cross the river without a bridge.",
        "4.4",
    )


def test_why_a_unit_does_not_move():
    match = movement("1 Inf @ 0508; 2 Inf @ 0407; 3 Inf @ 0608; I Gren @ 0101")
    go(match, "1 Inf", "0507")
    assert refused(match, "move", "1 Inf") == ("1 Inf has moved in this phase.", "4.1")
    assert refused(match, "move", "I Gren") == ("I Gren belongs to the other side.", "4.1")
    assert refused(match, "move", "4 Inf") == ("4 Inf is lost.", "4.1")
    assert refused(match, "go", "2 Inf", "0408") == (
        f"A unit goes to a hex in the movement phase, after it was picked up. {NOW}",
        "4.1",
    )
    assert refused(match, "attack", hex="0101") == (
        f"Hexes are attacked one after the other in the combat phase. {NOW}",
        "6.1",
    )
    do(match, "move", "2 Inf")
    assert refused(match, "go", "3 Inf", "0607") == ("2 Inf is moving, and not 3 Inf.", "4.1")
    assert refused(match, "halt", "3 Inf") == ("2 Inf is moving, and not 3 Inf.", "4.1")
    assert refused(match, "end movement") == (
        "Movement is ended in the movement phase, when no unit moves. "
        "Asked now: Where does 2 Inf go?",
        "4.1",
    )


def test_why_there_is_no_attack():
    weak = "3 Inf @ 0207 steps=1; II Gren, III Gren @ 0206"
    match = combat(f"1 Inf @ 0508; V Pz @ 0407; 2 Inf @ 0405; I Gren @ 0404; {weak}")
    assert refused(match, "attack", hex="0404") == (
        "No unit that could attack is next to 0404.",
        "6.2",
    )
    assert refused(match, "attack", hex="0206") == ("2 against 8 in 0206 is less than 1-2.", "6.3")
    assert refused(match, "attack", hex="0408") == ("There is no enemy in 0408.", "6.1")
    assert refused(match, "attack with", "1 Inf", "0404").rule == "6.1"
    assert refused(match, "fight", hex="0404").rule == "6.1"
    assert refused(match, "move", "1 Inf").sentence.startswith("Units move one after the other")


def test_why_a_hex_or_a_unit_does_not_fight_again():
    germans = "I Gren @ 0307; II Gren @ 0507"
    match = combat(f"1 Inf, 3 Inf @ 0407; 2 Inf @ 0406; 4 Inf @ 0508; {germans}")
    attack(match, "0307", "1 Inf", "2 Inf", die=6)
    assert refused(match, "attack", hex="0307") == ("0307 has been attacked in this phase.", "6.1")
    do(match, "attack", hex="0507")
    assert refused(match, "attack with", "1 Inf", "0507") == (
        "1 Inf attacks only once in a phase.",
        "6.1",
    )


def test_why_a_unit_does_not_join_an_attack():
    match = combat("1 Inf @ 0305; 2 Inf @ 0204; 3 Inf @ 0404; 4 Inf @ 0405; I Gren, II Gren @ 0304")
    do(match, "attack", hex="0304")
    assert refused(match, "attack with", "4 Inf", "0304") == (
        "4 Inf cannot attack into 0304.",
        "6.2",
    )
    assert refused(match, "attack with", "1 Inf", "0303") == ("The attack is on 0304.", "6.1")
    assert refused(match, "attack with", "I Gren", "0304").sentence.startswith("I Gren belongs")
    assert refused(match, "end combat").sentence.startswith(
        "Combat is ended in the combat phase, when no attack is under way. Asked now: Name"
    )
    assert refused(match, "fight", hex="0304") == ("0 against 8 in 0304 is less than 1-2.", "6.3")


def test_the_sentence_counts_the_attackers_named_so_far():
    germans = "I Gren @ 0307; II Gren @ 0307 steps=1"
    match = combat(f"1 Inf @ 0407 steps=1; 2 Inf @ 0407; 3 Inf @ 0406; {germans}")
    do(match, "attack", hex="0307")
    do(match, "attack with", "1 Inf", "0307")
    assert refused(match, "fight", hex="0307") == ("2 against 6 in 0307 is less than 1-2.", "6.3")


@pytest.mark.parametrize(
    ("friends", "hex", "sentence"),
    [
        ("", "0405", "0405 is not next to I Gren."),
        ("", "0408", "0408 is in an enemy zone of control."),
        ("", "0508", "An enemy is in 0508."),
        ("II Gren, III Gren @ 0307", "0307", "0307 is full: two units are there."),
    ],
)
def test_why_a_unit_does_not_retreat_there(friends: str, hex: str, sentence: str):
    match = combat(f"1 Inf @ 0508; I Gren @ 0407; {friends}")
    attack(match, "0407", "1 Inf", die=4)
    assert refused(match, "retreat", "II Gren", hex).sentence == (
        "II Gren is not the one that retreats now."
    )
    assert refused(match, "retreat", "I Gren", hex) == (sentence, "6.7")


def test_why_a_long_retreat_does_not_lead_there():
    match = combat("1 Inf @ 0508; 2 Inf @ 0108; I Gren @ 0407")
    attack(match, "0407", "1 Inf", die=5)
    assert refused(match, "retreat", "I Gren", "0308").sentence == (
        "From 0308 the retreat could not be finished."
    )
    do(match, "retreat", "I Gren", "0307")
    assert refused(match, "retreat", "I Gren", "0308").sentence == (
        "0308 is no farther from the battle."
    )


def test_the_river_is_in_the_way_of_a_retreat():
    match = combat("1 Inf @ 0506; I Gren @ 0405; II Gren @ 0406")
    attack(match, "0405", "1 Inf", die=4)
    assert refused(match, "retreat", "I Gren", "0404").sentence == "The river is in the way."


def test_only_attackers_advance_and_only_into_the_hex_that_they_emptied():
    match = combat("1 Inf @ 0508; 2 Inf @ 0708; I Gren @ 0407")
    attack(match, "0407", "1 Inf", die=4)
    do(match, "retreat", "I Gren", "0307")
    assert refused(match, "advance", "2 Inf", "0407").rule == "6.9"
    assert refused(match, "advance", "1 Inf", "0408") == (
        "The hex that was emptied is 0407.",
        "6.9",
    )


def test_orders_about_the_charge_are_refused_by_their_own_rules():
    match = movement("1 Inf @ 0508")
    assert refused(match, "blow", hex="0305").rule == "5.2"
    assert refused(match, "let pass").rule == "5.2"
    assert refused(match, "lay the charge", hex="0305").rule == "5.1"
    assert refused(Match(GAME, seed=1), "lay the charge", hex="0508") == (
        "The charge is laid at a bridge, and 0508 has none.",
        "5.1",
    )
    assert refused(match, "surrender") == ("There is no order 'surrender' in The Crossing.", "4.1")


@pytest.mark.parametrize("seed", range(5))
def test_in_a_random_game_every_refusal_has_a_sentence_and_a_rule_of_the_ledger(seed: int):
    game = get("crossing")
    random = Random(seed)
    match = Match(game, seed=seed)
    units = [-1, *range(len(game.units)), 99]
    hexes = [-1, 10_000, *game.board.lattice]
    while isinstance(match.decision, Choice):
        for verb in VERBS:
            order = Option(verb, random.choice(units), random.choice(hexes))
            if order not in match.decision.options:
                refusal = match.why_not(order)
                assert refusal
                assert refusal.sentence
                assert refusal.rule in game.ledger
        match.choose(random.choice(match.decision.options))
