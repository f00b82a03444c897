"""Chapters 8.1, 8.2, 8.4 and 8.7: attacks are declared, and Automatic DS."""

from __future__ import annotations

from typing import Any

from apennine.games.italy43.rules import c08_automatic
from apennine.games.italy43.rules.c08_odds import AUTOMATIC, may_attack
from apennine.games.italy43.table.position import GERMAN, LOST, NOWHERE, Table
from apennine.kernel.decision import Option
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.italy43.drawing import (
    MUD,
    WAR,
    at,
    do,
    hexes,
    mask,
    names,
    number,
    offers,
    refused,
    table,
    units,
    verbs,
)
from tests.games.italy43.fighting import Answers, answer, attack, combat, finish

TWO_FRONTS = "7/3, 15/3 @ 2019; 30/3 @ 2120; 577/305 @ 2020; 578/305 @ 2018"


@rule("italy43", "8.1a", "8.1e")
def test_attacks_are_voluntary_and_only_on_enemies_next_to_own_units():
    match = combat(f"{TWO_FRONTS}; 131/44 @ 2510")
    assert hexes(match, "attack") == {"2020", "2018", "2712"}
    assert "end combat" in verbs(match)
    assert refused(match, "attack", hex="2510").rule == "8.1a"
    assert refused(match, "attack", hex="2021").sentence.startswith("There is no enemy in")


@rule("italy43", "8.1c", "8.2b")
def test_units_of_a_stack_may_attack_different_hexes():
    match = combat(TWO_FRONTS)
    attack(match, "2020", "7/3", dice=[1])
    answer(match)
    assert match.position.attacked == units("7/3")
    match.force(1)
    do(match, "attack", hex="2018")  # with 15/3, the only one left who may
    answer(match)
    assert match.position.attacked == units("7/3, 15/3")


@rule("italy43", "8.1b")
def test_no_hex_is_attacked_twice_in_a_phase():
    match = combat("7/3 @ 2019; 15/3 @ 2120; 129/15 @ 2020; 577/305 @ 2119")
    attack(match, "2020", "7/3", dice=[1])
    answer(match)
    assert hexes(match, "attack") == {"2119", "2712"}
    assert refused(match, "attack", hex="2020").rule == "8.1b"


@rule("italy43", "8.1b", "12.5a")
def test_friends_of_retreated_units_may_still_be_attacked():
    match = combat(
        "7/3 @ 2019; 577/305 @ 2020; 115/15 @ 2020 disrupted retreated; 578/305 @ 2018",
        defended=units("115/15, 578/305"),
    )
    assert hexes(match, "attack") == {"2020", "2712"}


@rule("italy43", "8.2a")
def test_one_hex_is_attacked_from_all_sides():
    around = "7/3 @ 2019; 15/3 @ 2120; 30/3 @ 2121; 141/36 @ 2021; 142/36 @ 1921; 143/36 @ 1920"
    match = combat(f"{around}; 577/305 @ 2020")
    do(match, "attack", hex="2020")
    assert len(names(match, "attack with")) == 6


@rule("italy43", "8.3.2a")
def test_an_attack_worse_than_1_3_is_not_offered():
    match = combat("2/509 @ 2708; 129/15 @ 2707; 7/3 @ 2019; 577/305 @ 2020")
    assert hexes(match, "attack") == {"2020", "2712"}
    assert refused(match, "attack", hex="2707").rule == "8.3.2a"
    match = combat("2/509 @ 2708; 7/3 @ 2706; 15/3 @ 2606; 129/15 @ 2707")
    do(match, "attack", hex="2707")
    do(match, "attack with", "2/509")
    assert refused(match, "fight").rule == "8.3.2a"
    do(match, "attack with", "7/3")
    assert "fight" in verbs(match)


@rule("italy43", "8.3.2a", "8.6.1a")
def test_an_army_that_is_too_weak_alone_is_not_named():
    match = combat("9 Cdo @ 2708; 7/3 @ 2706; 129/15 @ 2707")
    do(match, "attack", hex="2707")
    assert "9 Cdo" not in names(match, "attack with")


@rule("italy43", "8.4.1a", "8.4.3a")
def test_the_main_force_is_asked_for_if_there_is_a_choice():
    match = combat("7/3, 100/34, 191 Tk @ 2019; 15/3 @ 2120; 577/305 @ 2020")
    do(match, "attack", hex="2020")
    for name in ("7/3", "100/34", "191 Tk"):
        do(match, "attack with", name)
    do(match, "fight")
    assert names(match, "main assault") == {"7/3", "100/34", "191 Tk"}
    do(match, "main assault", "7/3")
    assert names(match, "attach") == {"100/34", "191 Tk"}
    do(match, "attach", "191 Tk")
    assert names(match, "attach") == {"100/34"}
    assert refused(match, "attach", "191 Tk").rule == "8.4.3a"
    before = match.position.attached
    assert before == units("191 Tk")


def test_a_restarted_phase_asks_for_the_attackers_again():
    match = combat(TWO_FRONTS)
    do(match, "attack", hex="2020")
    do(match, "attack with", "7/3")
    again = Match(match.game, position=match.position.copy(), seed=3)
    assert offers(again) == offers(match)


# Automatic DS (8.7).


SIX = "I/104/15, II/104/15, III/104/15, 115 Pz/15 @ 2019; 8/3PG @ 2120; 1/HG @ 2021"


def german(counters: str, **fields: Any) -> Table:
    return table(counters, "movement", GERMAN, **{"steps": list(WAR.full)} | fields)


def sure(pos: Table) -> set[str]:
    return {WAR.lattice.code(option.hex) for option in c08_automatic.SHATTER.menu(WAR, pos)}


@rule("italy43", "8.7.1a", "8.7.1b")
def test_an_automatic_ds_needs_10_1_for_certain():
    assert sure(german(f"{SIX}; 2/509 @ 2020")) == {"2020"}
    assert sure(german(f"{SIX}; 2/509 @ 2020", weather=MUD)) == set()
    assert sure(german(f"{SIX.partition(';')[0]}; 2/509 @ 2020")) == set()
    refusal = c08_automatic.SHATTER.refusal(
        WAR, german(f"{SIX}; 7/3 @ 2020"), Option("shatter", hex=at("2020"))
    )
    assert refusal is not None
    assert refusal.rule == "8.7.1a"


@rule("italy43", "8.7.1b")
def test_a_fortification_counts_against_an_automatic_ds_and_artillery_not_for_it():
    counters = "7/3, 15/3 @ 2019; 191 Tk, 30/3 @ 2120; 3 ASU, VI ASU @ 2120; Reggio @ 2020"
    pos = table(counters, "movement", steps=list(WAR.full), ready=units("3 ASU, VI ASU"), air=1)
    assert sure(pos) == {"2020"}
    pos.forts = mask("2020")
    assert sure(pos) == {"2020"}  # 20-1 needs no shift
    two = table(
        counters.replace("Reggio", "II/FJ3"), "movement", steps=list(WAR.full), air=1, ready=-1
    )
    assert sure(two) == {"2020"}  # 10-1 and a tank shift
    two.strongholds = two.forts = mask("2020")
    assert sure(two) == set()


@rule("italy43", "8.7.1c", "10.1a")
def test_the_battalion_of_the_example_is_eliminated_at_once():
    pos = german(f"{SIX}; 2/509 @ 2020")
    answers = Answers(
        *(("attack with", name) for name in ("I/104/15", "II/104/15", "III/104/15")),
        ("attack with", "115 Pz/15"),
        ("attack with", "8/3PG"),
        ("attack with", "1/HG"),
        ("main assault", "I/104/15"),
    )
    answers.run(c08_automatic.automatic_ds(WAR, pos, at("2020")))
    assert pos.hex[number("2/509")] == LOST
    assert answers.rolls == []
    attackers = units("I/104/15, II/104/15, III/104/15, 115 Pz/15, 8/3PG, 1/HG")
    assert pos.triumphs == [(at("2020"), attackers)]
    assert pos.target == NOWHERE


@rule("italy43", "8.7.1d", "8.7.1e")
def test_its_units_move_and_fight_no_more_but_others_do():
    pos = german(f"{SIX}; 33/15 @ 1921; 2/509 @ 2020")
    answers = Answers(
        *(("attack with", name) for name in ("I/104/15", "II/104/15", "III/104/15")),
        ("attack with", "115 Pz/15"),
        ("attack with", "8/3PG"),
        ("attack with", "1/HG"),
        ("fight", ""),
        ("main assault", "I/104/15"),
    )
    answers.run(c08_automatic.automatic_ds(WAR, pos, at("2020")))
    marked = units("I/104/15, II/104/15, III/104/15, 115 Pz/15, 8/3PG, 1/HG")
    assert pos.moved == pos.attacked == marked
    pos.phase = "combat"
    pos.hex[number("1 Rgr")] = at("2020")
    assert may_attack(WAR, pos, at("2020"), AUTOMATIC) == units("33/15")


@rule("italy43", "8.7.1c")
def test_survivors_of_an_automatic_ds_go_into_full_retreat():
    counters = "7/3, 15/3 @ 2019; 30/3, 191 Tk @ 2120; 2/509 @ 2121; I/104/15 @ 2020 disrupted"
    pos = table(counters, "movement", steps=list(WAR.full))
    wanted = [("attack with", name) for name in ("7/3", "15/3", "30/3", "191 Tk", "2/509")]
    answers = Answers(*wanted, ("main assault", "7/3"), ("attach", "191 Tk"))
    answers.run(c08_automatic.automatic_ds(WAR, pos, at("2020")))
    unit = number("I/104/15")
    assert pos.steps[unit] == 1
    assert pos.routed == 1 << unit
    assert WAR.lattice.distance(pos.hex[unit], at("2020")) == 4


@rule("italy43", "4.4b", "8.7.1a")
def test_overstacked_attackers_are_given_up_before_and_10_1_may_be_lost_thereby():
    crowd = "7/3, 15/3, 100/34, 191 Tk @ 2019; 30/3 @ 2120; II/FJ3 @ 2020"
    wanted = [("attack with", name) for name in ("7/3", "15/3", "100/34", "191 Tk", "30/3")]
    main = ("main assault", "7/3"), ("attach", "191 Tk")
    pos = table(crowd, "movement", steps=list(WAR.full))
    Answers(*wanted, *main, ("give up", "100/34")).run(
        c08_automatic.automatic_ds(WAR, pos, at("2020"))
    )
    assert pos.hex[number("100/34")] == LOST
    assert pos.triumphs == [(at("2020"), units("7/3, 15/3, 191 Tk, 30/3"))]
    pos = table(crowd.replace("; 30/3 @ 2120", ""), "movement", steps=list(WAR.full))
    assert sure(pos) == {"2020"}
    Answers(*wanted[:-1], *main, ("attach", "100/34"), ("give up", "7/3")).run(
        c08_automatic.automatic_ds(WAR, pos, at("2020"))
    )
    assert pos.hex[number("II/FJ3")] == at("2020")
    assert pos.triumphs == []


@rule("italy43", "8.7.2d")
def test_10_1_in_the_combat_phase_is_an_ordinary_attack_without_a_die():
    match = combat("7/3, 15/3 @ 2019; 30/3, 191 Tk @ 2120; II/FJ3 @ 2020")
    assert "shatter" not in verbs(match)
    assert refused(match, "shatter", hex="2020").rule == "8.7.1a"
    attack(match, "2020", main="7/3", attached=["191 Tk"])
    finish(match)
    assert match.position.hex[number("II/FJ3")] == LOST
    assert match.position.triumphs == []
