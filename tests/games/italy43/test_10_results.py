"""Chapters 10.1, 10.2 and 19.2: results of combat and who pays for them."""

from __future__ import annotations

from apennine.games.italy43.table.position import ALLIED, GERMAN, LOST, NOWHERE, Table
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.italy43.drawing import (
    MUD,
    WAR,
    asked,
    at,
    do,
    events,
    hexes,
    names,
    number,
    refused,
    steps,
    told,
    units,
    verbs,
)
from tests.games.italy43.fighting import answer, attack, combat, finish

ONE_TO_ONE = "7/3 @ 2019; 577/305 @ 2020"
"""6 to 4 on clear ground."""
STACKS = "7/3, 15/3 @ 2019; 129/15, 1/HG @ 2020"
"""12 to 11, all of normal quality but 129/15."""


def fought(counters: str, die: int, main: str = "", **fields: int) -> Match[Table]:
    """An attack by all that may, with this die, up to the first choice after it."""
    match = combat(counters, **fields)
    attack(match, "2020", main=main, dice=[die])
    answer(match)
    return match


def result(match: Match[Table]) -> str:
    return list(WAR.book.results)[events(match, "result")[0].value]


def is_at(match: Match[Table], unit: str, hex: str) -> bool:
    return match.position.hex[number(unit)] == at(hex)


@rule("italy43", "10.1j", "8.3.1d")
def test_a1_costs_the_attacker_a_step_and_nothing_else():
    match = fought(ONE_TO_ONE, 1)
    assert result(match) == "A1"
    assert (steps(match, "7/3"), steps(match, "577/305")) == (2, 3)
    assert is_at(match, "577/305", "2020")
    assert match.position.target == NOWHERE


@rule("italy43", "10.1h", "10.2.1")
def test_ex_costs_both_a_step_that_the_enemy_picks_and_nobody_retreats():
    match = fought(STACKS, 3)
    assert result(match) == "EX"
    assert asked(match).side == GERMAN
    assert names(match, "lose a step") == {"7/3", "15/3"}
    do(match, "lose a step", "15/3")
    assert asked(match).side == ALLIED
    assert names(match, "lose a step") == {"129/15", "1/HG"}
    do(match, "lose a step", "129/15")
    assert (steps(match, "15/3"), steps(match, "129/15")) == (2, 2)
    assert is_at(match, "1/HG", "2020")
    assert "attack" in verbs(match)


@rule("italy43", "10.2.2c", "10.2.2d")
def test_the_defending_player_picks_first_his_own_unit_or_the_attackers():
    match = combat("7/3, 15/3, 191 Tk @ 2019; 129/15, I/104/15 @ 2020")
    attack(match, "2020", main="7/3", attached=["191 Tk"], dice=[6])
    answer(match)
    assert result(match) == "A1/D1"  # 15 to 9 is 1-1, elite and tanks none; a tank shift makes 2-1
    assert asked(match).side == GERMAN
    assert names(match, "lose a step") == {"129/15", "I/104/15"}
    do(match, "lose a step", "I/104/15")
    assert asked(match).side == ALLIED
    assert names(match, "lose a step") == {"7/3", "15/3", "191 Tk"}


@rule("italy43", "10.1i", "14.2.3")
def test_an_exchange_with_the_only_step_lets_the_attacker_enter_the_hex_and_stop():
    match = fought("7/3 @ 2019; 577/305 @ 2020 steps=1", 2)
    assert result(match) == "EX"
    assert match.position.hex[number("577/305")] == LOST
    assert (match.position.advance, match.position.limited) == (1, True)
    assert hexes(match, "advance") == {"2020"}


@rule("italy43", "10.1g")
def test_a1_dr2_costs_the_attacker_a_step_and_the_defender_retreats():
    match = fought(ONE_TO_ONE, 4)
    assert result(match) == "A1/DR2"
    assert steps(match, "7/3") == 2
    assert asked(match).side == GERMAN
    assert verbs(match) == {"stand", "fall back"}


@rule("italy43", "10.1f")
def test_drx_costs_both_a_step_by_the_enemys_choice_and_the_defender_retreats():
    match = fought(STACKS, 5)
    assert result(match) == "DRX"
    assert asked(match).side == GERMAN
    do(match, "lose a step", "7/3")
    assert asked(match).side == ALLIED
    do(match, "lose a step", "1/HG")
    assert verbs(match) == {"stand", "fall back"}


@rule("italy43", "10.1e", "8.3.1e", "10.1k")
def test_dr2_makes_the_defender_retreat_two_hexes_disrupted_and_the_attacker_may_advance_two():
    match = fought(ONE_TO_ONE, 6)
    assert result(match) == "DR2"
    do(match, "fall back")
    assert asked(match).side == GERMAN
    do(match, "retreat", "577/305")
    pos = match.position
    assert WAR.lattice.distance(pos.hex[number("577/305")], at("2020")) == 2
    assert pos.disrupted == units("577/305")
    assert asked(match).side == ALLIED
    assert (pos.vacated, pos.advance, pos.limited) == (at("2020"), 2, False)


@rule("italy43", "8.3.1f", "12.4")
def test_the_advance_is_not_less_if_the_defender_is_eliminated():
    match = fought("7/3, 15/3 @ 2019; II/FJ3, III/FJ3 @ 2020", 6)
    assert result(match) == "D1"  # 12 to 4 is 3-1
    do(match, "lose a step", "II/FJ3")
    do(match, "fall back")
    finish_retreat(match)
    assert match.position.advance == 2


def finish_retreat(match: Match[Table]) -> None:
    while "retreat" in verbs(match):
        do(match, "retreat")


@rule("italy43", "10.1d")
def test_a1_d1_costs_both_a_step_of_their_own_choice():
    match = fought("7/3, 15/3 @ 2019; 577/305, 44 Fus @ 2020", 6)
    assert result(match) == "A1/D1"  # 12 to 6 is 2-1
    assert asked(match).side == GERMAN
    do(match, "lose a step", "577/305")
    assert asked(match).side == ALLIED
    do(match, "lose a step", "7/3")
    assert verbs(match) == {"stand", "fall back"}


@rule("italy43", "10.1c")
def test_d1_costs_the_defender_a_step_of_his_choice_then_he_retreats_or_stands():
    match = fought("7/3, 15/3 @ 2019; I/104/15, Reggio @ 2020", 6)
    assert result(match) == "D1"  # 12 to 4 is 3-1
    assert asked(match).side == GERMAN
    assert names(match, "lose a step") == {"I/104/15", "Reggio"}
    do(match, "lose a step", "Reggio")
    assert verbs(match) == {"stand", "fall back"}
    assert (steps(match, "7/3"), steps(match, "15/3")) == (3, 3)


@rule("italy43", "10.1b", "11.2.2b")
def test_dr4_is_a_full_retreat_without_a_determined_defence():
    match = fought("7/3, 15/3 @ 2019; I/104/15 @ 2020", 6)
    assert result(match) == "DR4"  # 12 to 3 is 4-1
    assert verbs(match) == {"retreat"}
    assert refused(match, "stand").rule == "11.1a"
    do(match, "retreat", "I/104/15")
    pos = match.position
    assert pos.routed == units("I/104/15")
    assert steps(match, "I/104/15") == 2
    assert WAR.lattice.distance(pos.hex[number("I/104/15")], at("2020")) == 4
    assert pos.advance == 3


@rule("italy43", "10.1a", "10.2.1")
def test_ds_costs_a_step_that_the_attacker_picks_and_the_rest_run():
    match = combat("7/3, 15/3, 191 Tk @ 2019; Reggio, II/FJ3 @ 2020")
    attack(match, "2020", main="7/3", attached=["191 Tk"], dice=[5])
    answer(match)
    assert result(match) == "DS"  # 15 to 3 is 5-1, and a shift for tanks
    assert asked(match).side == ALLIED
    do(match, "lose a step", "II/FJ3")
    finish_retreat(match)
    assert match.position.routed == units("Reggio")
    assert match.position.advance == 3


# Who loses a step (10.2.2).


@rule("italy43", "10.2.2a")
def test_only_the_main_force_loses_steps_of_the_attack():
    match = combat("7/3, 100/34 @ 2019; 135/34 @ 2120; 129/15, 1/HG @ 2020")
    attack(match, "2020", main="7/3", attached=["100/34"], dice=[1])
    answer(match)
    assert names(match, "lose a step") == {"7/3", "100/34"}
    assert refused(match, "lose a step", "135/34").rule == "10.2.2a"


@rule("italy43", "10.2.2b", "9.8c")
def test_artillery_loses_no_step_while_others_are_there():
    match = fought("7/3, 15/3 @ 2019; I/104/15, HG ASU @ 2020", 4)
    assert result(match) == "A1/D1"
    assert told(match, "loses a step")[0] == "I/104/15"
    alone = fought("7/3, 15/3 @ 2019; HG ASU, 71 NW @ 2020", 6)
    assert names(alone, "lose a step") == {"HG ASU", "71 NW"}


@rule("italy43", "12.5a")
def test_units_driven_back_before_take_no_losses():
    match = fought("7/3, 15/3 @ 2019; 577/305 @ 2020; I/104/15 @ 2020 disrupted retreated", 6)
    assert result(match) == "D1"
    assert told(match, "loses a step") == ["577/305"]


@rule("italy43", "13.3.2e")
def test_an_exchange_that_leaves_only_units_in_full_retreat_makes_them_run():
    match = fought("7/3 @ 2019; 577/305 @ 2020 steps=1; I/104/15 @ 2020 routed", 2)
    assert result(match) == "EX"
    finish_retreat(match)
    assert not is_at(match, "I/104/15", "2020")
    assert match.position.limited


# Reconnaissance (19.2).


@rule("italy43", "19.2a", "19.2d")
def test_the_reconnaissance_of_turn_2_ignores_the_loss_and_must_retreat():
    match = combat("22/7 @ 1920; 131/7 @ 1921; HG Rcn @ 2020", weather=MUD)
    attack(match, "2020", dice=[6])
    answer(match)
    assert result(match) == "D1"
    assert steps(match, "HG Rcn") == 1
    finish_retreat(match)
    assert told(match, "retreats") == ["HG Rcn"]
    assert match.position.disrupted == units("HG Rcn")


@rule("italy43", "19.2a", "19.2c")
def test_several_reconnaissance_units_ignore_a_ds_and_one_with_others_does_not():
    alone = fought("7/3, 15/3, 191 Tk @ 2019; 95/5G @ 2020 steps=1; 30/3 @ 2120", 5, main="7/3")
    assert result(alone) == "DS"
    assert steps(alone, "95/5G") == 1
    both = fought("7/3, 15/3 @ 2019; 30/3 @ 2120; HG Rcn, 33/15 @ 2020", 6)
    assert result(both) == "D1"
    assert both.position.spared == units("HG Rcn, 33/15")
    mixed = fought("7/3, 15/3 @ 2019; HG Rcn, Reggio @ 2020", 6)
    assert names(mixed, "lose a step") == {"HG Rcn", "Reggio"}


@rule("italy43", "19.2b")
def test_reconnaissance_takes_the_losses_of_an_exchange():
    match = fought("7/3 @ 2019; HG Rcn @ 2020", 2)
    assert result(match) == "EX"
    assert match.position.hex[number("HG Rcn")] == LOST


@rule("italy43", "10.1h", "10.2.2a", "10.2.1")
def test_the_attack_of_the_third_division_over_the_mountains():
    # 10 to 6 is 1-1 and a 3 is EX: the German picks an infantry regiment.
    match = combat("7/3, 756 Tk @ 1902; 15/3, 30/3 @ 1903; I/104/15 @ 1802")
    attack(match, "1802", main="7/3", attached=["756 Tk"], dice=[3])
    answer(match)
    assert match.log
    assert result(match) == "EX"
    do(match, "lose a step", "15/3")
    assert (steps(match, "15/3"), steps(match, "I/104/15")) == (2, 1)
    assert "attack" in verbs(match)


def test_a_battle_leaves_nothing_on_the_table():
    match = fought(STACKS, 6)
    finish(match)
    pos = match.position
    assert (pos.target, pos.attackers, pos.attached, pos.main) == (NOWHERE, 0, 0, -1)
    assert (pos.support, pos.defence, pos.dice) == ([0, -1, -1], [0, -1], 1)
    assert (pos.lead, pos.stand, pos.howitzers) == (-1, -1, False)
