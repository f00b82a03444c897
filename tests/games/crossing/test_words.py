"""Why not? Every refusal is a sentence and names the rule that forbids the order."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from apennine.games import get
from apennine.kernel.decision import Choice, Option
from apennine.kernel.match import Match
from tests.games.crossing.drawing import (
    ALLIED,
    GAME,
    GERMAN,
    attack,
    combat,
    do,
    go,
    movement,
    picked,
    refused,
    table,
)

VERBS = [
    *("move", "go", "halt", "end movement"),
    *("attack", "attack with", "fight", "end combat"),
    *("blow", "let pass", "let pass this phase", "lay the charge"),
    *("lose a step", "retreat", "advance", "stay"),
    "surrender",
]


@pytest.mark.parametrize(
    ("counters", "hex", "rule", "sentence"),
    [
        ("1 Inf @ 0508; 2 Inf, 3 Inf @ 0507", "0507", "2.1", "0507 is full: two units are there"),
        (
            "1 Inf @ 0306; I Gren @ 0405; II Gren @ 0207",
            "0307",
            "3.3",
            "0307 is in an enemy zone of control, and 1 Inf starts in one",
        ),
        (
            "1 Inf @ 0508",
            "0501",
            "4.2",
            "0501 is too far for 1 Inf, or behind an enemy zone of control",
        ),
        ("1 Inf @ 0508", "0508", "4.2", "1 Inf is in 0508 already; it may halt"),
        ("1 Inf @ 0508; I Gren @ 0507", "0507", "4.5", "An enemy is in 0507"),
    ],
)
def test_why_a_unit_does_not_go_there(counters: str, hex: str, rule: str, sentence: str):
    match = picked(movement(counters), "1 Inf")
    assert refused(match, "go", "1 Inf", hex) == (sentence, rule)


def test_why_tanks_do_not_cross_the_river():
    match = picked(movement("6 Arm @ 0205", blown=3), "6 Arm")
    assert refused(match, "go", "6 Arm", "0204") == (
        "6 Arm cannot cross the river to 0204 without a bridge",
        "4.4",
    )


def test_why_a_unit_does_not_move():
    match = movement("1 Inf @ 0508; 2 Inf @ 0407; 3 Inf @ 0608; I Gren @ 0101")
    go(match, "1 Inf", "0507")
    assert refused(match, "move", "1 Inf") == ("1 Inf has moved in this phase", "4.1")
    assert refused(match, "move", "I Gren") == ("I Gren belongs to the other side", "4.1")
    assert refused(match, "move", "V Pz") == ("No unit of yours that could move is named", "4.1")
    assert refused(match, "go", "2 Inf", "0408") == (
        "Pick 2 Inf before you say where it goes",
        "4.1",
    )
    assert refused(match, "attack", hex="0101") == ("Units fight only in the combat phase", "1.1")
    do(match, "move", "2 Inf")
    assert refused(match, "move", "3 Inf") == ("2 Inf must finish its move first", "4.1")
    assert refused(match, "end movement").rule == "4.1"


def test_why_there_is_no_attack():
    weak = "3 Inf @ 0207 steps=1; II Gren, III Gren @ 0206"
    match = combat(f"1 Inf @ 0508; V Pz @ 0407; 2 Inf @ 0405; I Gren @ 0404; {weak}")
    assert refused(match, "attack", hex="0404") == (
        "No unit that could attack is next to 0404",
        "6.2",
    )
    assert refused(match, "attack", hex="0206") == ("2 against 8 in 0206 is less than 1-2", "6.3")
    assert refused(match, "attack", hex="0408") == (
        "There is no enemy to attack in that hex",
        "6.1",
    )
    assert refused(match, "attack with", "1 Inf", "0404").rule == "6.1"
    assert refused(match, "fight", hex="0404") == ("No attack on 0404 is under way", "6.1")
    assert refused(match, "move", "1 Inf") == ("Units move only in the movement phase", "1.1")


def test_why_a_hex_or_a_unit_does_not_fight_again():
    germans = "I Gren @ 0307; II Gren @ 0507"
    match = combat(f"1 Inf, 3 Inf @ 0407; 2 Inf @ 0406; 4 Inf @ 0508; {germans}")
    attack(match, "0307", "1 Inf", "2 Inf", die=6)
    assert refused(match, "attack", hex="0307") == ("0307 has been attacked in this phase", "6.1")
    do(match, "attack", hex="0507")
    assert refused(match, "attack with", "1 Inf", "0507") == (
        "1 Inf attacks only once in a phase",
        "6.1",
    )


def test_why_a_unit_does_not_join_an_attack():
    match = combat("1 Inf @ 0305; 2 Inf @ 0204; 3 Inf @ 0404; 4 Inf @ 0405; I Gren, II Gren @ 0304")
    do(match, "attack", hex="0304")
    assert refused(match, "attack with", "4 Inf", "0304") == (
        "4 Inf cannot attack into 0304",
        "6.2",
    )
    assert refused(match, "attack with", "I Gren", "0304") == ("No unit of yours is named", "6.1")
    assert refused(match, "end combat") == ("The attack under way must be fought first", "6.1")
    assert refused(match, "fight", hex="0304") == ("0 against 8 in 0304 is less than 1-2", "6.3")


def test_the_sentence_counts_the_attackers_named_so_far():
    germans = "I Gren @ 0307; II Gren @ 0307 steps=1"
    match = combat(f"1 Inf @ 0407 steps=1; 2 Inf @ 0407; 3 Inf @ 0406; {germans}")
    do(match, "attack", hex="0307")
    do(match, "attack with", "1 Inf", "0307")
    assert refused(match, "fight", hex="0307") == ("2 against 6 in 0307 is less than 1-2", "6.3")


def test_orders_of_the_battle_are_refused_by_their_own_rules():
    match = combat("1 Inf @ 0508; I Gren @ 0407")
    attack(match, "0407", "1 Inf", die=4)
    assert refused(match, "retreat", "I Gren", "0408") == (
        "0408 is no way out for this unit",
        "6.7",
    )
    assert refused(match, "lose a step", "1 Inf").rule == "6.6"
    assert refused(match, "advance", "1 Inf", "0407").rule == "6.9"
    assert refused(match, "fight", hex="0407") == ("The battle for 0407 is being fought", "6.1")


def test_orders_about_the_charge_are_refused_by_their_own_rules():
    match = movement("1 Inf @ 0508")
    assert refused(match, "blow", hex="0305").rule == "5.2"
    assert refused(match, "let pass").rule == "5.2"
    assert refused(match, "lay the charge", hex="0305").rule == "5.1"
    assert refused(Match(GAME, seed=1), "lay the charge", hex="0508").rule == "5.1"
    assert refused(match, "surrender") == ("There is no order 'surrender' in this game", "1.1")


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
                refusal = game.why_not(match.position, order)
                assert refusal.sentence
                assert refusal.rule in game.ledger
        match.choose(random.choice(match.decision.options))


@pytest.mark.parametrize("phase", ["charge", "movement", "combat"])
@pytest.mark.parametrize("side", [ALLIED, GERMAN])
def test_no_order_whatever_is_refused_without_a_word(phase: str, side: int):
    weak = "2 Inf @ 0407 steps=1; II Gren @ 0408 steps=1"
    pos = table(phase, side, f"1 Inf @ 0305; I Gren @ 0304; {weak}")
    units = [-1, GAME.unit("1 Inf"), GAME.unit("I Gren"), GAME.unit("V Pz"), 99]
    hexes = [-1, 10_000, *(GAME.board.parse(code) for code in ("0304", "0305", "0408", "0101"))]
    for verb, unit, hex in product(VERBS, units, hexes):
        refusal = GAME.why_not(pos, Option(verb, unit, hex))
        assert refusal.sentence
        assert refusal.rule in GAME.ledger
