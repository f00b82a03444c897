"""What players read: refusals that say what is wrong with this order, and previews."""

from __future__ import annotations

from random import Random

import pytest

from apennine.games.underbelly.telling.words import REASONS
from apennine.kernel.decision import Choice, Option
from apennine.kernel.match import Match
from tests.games.underbelly.drawing import (
    GAME,
    GERMAN,
    LOST,
    TIBER,
    WAR,
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
    first = "First say which division lies on top in Salerno (2822), for the German to see. [6.9e]"
    for verb, unit, hex in (
        ("move", "", "2921"),
        ("attack", "", "2822"),
        ("replenish", "US 36", ""),
        ("go", "", "2821"),
        ("end", "", ""),
    ):
        assert said(match, verb, unit, hex) == first
    assert said(match, "on top", "US 36", "2921") == (
        "The question is who lies on top in Salerno (2822), and not in Paestum (2921). [6.9e]"
    )
    assert said(match, "on top", "US 36", "2822") == "US 36 is not in Salerno (2822). [6.9e]"
    do(match, "on top", "46 Inf")
    assert not said(match, "move", hex="3221").startswith("First")


def test_a_top_is_a_division():
    match = shuffled("46 Inf, 56 Inf, X Corps @ 2822", "2822")
    assert "X Corps is corps support" in said(match, "on top", "X Corps", "2822")


def test_a_command_under_way_names_itself():
    match = begin("46 Inf, 56 Inf @ 2822; US 36 @ 3221; HG @ 1314")
    do(match, "move", hex="2822")
    assert said(match, "move", hex="3221") == (
        "First say which units in Salerno (2822) move, or that you are done. [9.19]"
    )
    do(match, "take", "46 Inf")
    assert said(match, "end") == "First finish the move of 46 Inf. [9.19]"
    assert said(match, "move", hex="3221") == "First finish the move of 46 Inf. [9.19]"


def test_an_attack_under_way_asks_for_its_target_and_then_for_its_end():
    match = begin("46 Inf, 56 Inf @ 2822; HG @ 2821; 16 Pz @ 2721; US 36 @ 3221")
    do(match, "attack", hex="2822")
    if "target" in verbs(match):
        assert said(match, "end").startswith(
            "First say which hex the units in Salerno (2822) attack"
        )
        do(match, "target", hex="2821")
    assert said(match, "move", hex="3221") == "First fight out the battle for 2821. [13.2/1a]"
    assert said(match, "go", hex="3221") == "First fight out the battle for 2821. [13.2/1a]"


def test_the_drop_is_asked_before_the_next_german_command():
    match = begin("82 Abn @ available; HG @ 2821", GERMAN, drop_ready=True, tac_active=True)
    assert "drop" in verbs(match)
    assert said(match, "end") == "First say whether the 82nd Airborne drops now. [12.9d]"
    do(match, "no drop now")
    assert "end" in verbs(match)


def test_the_first_wave_is_completed_before_anything_else():
    force = "US 36, US 45, US 3, US 34, US VI @ available"
    given = {"scenario": TIBER, "plot": 13, "turn": 13, "switched": True, "ports": NAPLES_OPEN}
    match = begin(f"{force}; 46 Inf @ 2522", phase="orders", **given)
    do(match, "launch the end-run")
    do(match, "embark", "US 36")
    assert said(match, "no air") == (
        "First send the rest of the first wave: 3 divisions and a corps support unit. [8.13a]"
    )


def test_too_many_units_in_a_hex_come_before_the_next_command():
    match = begin("US 36 @ 2921; HG @ 2821; 16 Pz @ 2720", GERMAN)
    match.position.hex[GAME.unit("24 Pz SS")] = at("2821")
    told = GAME.why_not(match.position, Option("move", hex=at("2720")))
    assert told.sentence == "First say who is eliminated in 2821, where too many units are."
    assert told.rule == "6.8"


# Moves


@pytest.mark.parametrize(
    ("hex", "words"),
    [
        ("2923", "2923 is at sea. [12.3b]"),
        ("2821", "Enemies are in 2821: it can only be attacked, from a hex beside it. [12.3a]"),
        ("1109", "Pescara (1109) is out of reach: 46 Inf has 8 movement points left. [12.1a]"),
        ("2822", "46 Inf has got to Salerno (2822) already: halt there. [12.1a]"),
    ],
)
def test_a_move_is_refused_for_what_is_wrong_with_it(hex: str, words: str):
    match = begin("46 Inf @ 2822; HG @ 2821")
    order(match, "move", "2822")
    assert said(match, "go", hex=hex) == words


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
    assert said(match, "take", "US 36") == "Order the stack of US 36 to move first. [9.4a]"
    do(match, "move", hex="2822")
    start = "the command is for Salerno (2822). [9.4b]"
    assert said(match, "take", "US 36") == f"US 36 is in Paestum (2921); {start}"
    assert said(match, "take", "7 Arm") == f"7 Arm is in the Available box; {start}"
    assert said(match, "take", "US 3") == f"US 3 is not in play; {start}"
    assert (
        said(match, "take along", "46 Inf") == "The order is to take 46 Inf by itself now. [9.4b]"
    )
    do(match, "take", "46 Inf")
    assert said(match, "take", "46 Inf") == "46 Inf is moving already. [9.4b]"
    assert said(match, "take", "56 Inf") == "The order is to take 56 Inf along now. [9.4b]"
    assert said(match, "take all").startswith("46 Inf has begun to move")


def test_units_in_a_box_are_told_how_to_come():
    match = begin("7 Arm, 78 Inf @ available; 46 Inf @ 2822; HG @ 1314")
    order(match, "move", "available", "7 Arm")
    assert said(match, "go", hex="2821") == "7 Arm has to land in a port first. [10.2a]"
    assert said(match, "come ashore", hex="2821") == (
        "There is no Allied port marker in 2821. [12.6b]"
    )
    assert said(match, "exit") == "7 Arm has not come onto the map yet. [4.1c]"


def test_an_attack_has_no_target_while_units_come_from_a_box():
    match = begin("94 Inf, 65 Inf @ tenth; US 36 @ 2921", GERMAN)
    do(match, "move", hex="tenth")
    assert said(match, "target", hex="2921") == (
        "Order a stack to attack before you pick its target. [9.5a]"
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


# Every refusal, whatever is asked


@pytest.mark.parametrize("seed", range(3))
def test_every_order_that_is_not_in_the_menu_is_refused_in_a_sentence_with_its_rule(seed: int):
    random = Random(seed)
    match = Match(GAME, random.choice(["historical", "wat"]), seed=seed)
    ledger, places = GAME.ledger, [h for h in range(WAR.lattice.size) if h in WAR.lattice]
    boxes = [WAR.available, WAR.tenth, WAR.fifth, WAR.end_run]
    for _ in range(250):
        decision = match.decision
        if not isinstance(decision, Choice):
            break
        menu = list(decision.options)
        for verb in random.sample(sorted(REASONS), 6):
            names = REASONS[verb][1]
            unit = random.randrange(len(GAME.units)) if "u" in names else -1
            hexes = places + boxes * 40 if "b" in names else places
            hex = random.choice(hexes) if "h" in names else -1
            option = Option(verb, unit, hex)
            if option in menu:
                continue
            told = GAME.why_not(match.position, option)
            assert told.rule in ledger, (option, told)
            assert told.sentence.endswith("."), (option, told)
            assert told.sentence[0].isupper() or told.sentence[0].isdigit(), (option, told)
        match.choose(random.choice(menu))


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
