"""What the player is shown before a battle: every shift with its rule, and exact chances."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from apennine.games.italy43.table.position import GERMAN, NOBODY, Table
from apennine.kernel.decision import Option
from apennine.kernel.game import Preview
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.italy43.drawing import GAME, MUD, SHORT, WAR, at, begin, do, offers, table, units
from tests.games.italy43.fighting import answer, attack, combat


def shown(match: Match[Table], verb: str, unit: str = "", hex: str = "", value: int = 0) -> Preview:
    found = GAME.preview(match.position, SHORT.option(verb, unit, hex, value))
    assert found is not None
    assert sum(chance.probability for chance in found.chances) == 1
    return found


def lines(found: Preview) -> dict[str, str]:
    return {line.text: line.value for line in found.lines}


def test_the_way_of_a_move_and_of_an_advance_is_shown_with_its_cost():
    match = begin("22/7 @ 2222; 577/305 @ 2707", "movement")
    do(match, "move", "22/7")
    near = way(match, "go", "22/7", "2221")
    assert (codes_of(near), near.cost) == (["2222", "2221"], "1 point")
    far = way(match, "go", "22/7", "2018")
    assert far.path[-1] == at("2018")
    match = combat("7/3 @ 2019; 577/305 @ 2020 steps=1")
    attack(match, "2020", dice=[2])
    answer(match)
    entered = way(match, "advance", "7/3", "2020")
    assert (codes_of(entered), entered.cost) == (["2019", "2020"], "1 of 1 hexes")


def way(match: Match[Table], verb: str, unit: str, hex: str) -> Preview:
    return SHORT.preview(match, verb, unit, hex)


def codes_of(found: Preview) -> list[str]:
    return [WAR.lattice.code(hex) for hex in found.path]


STRONG = "7/3, 15/3, 191 Tk @ 2019; 135/34 @ 2120; 577/305 @ 2020"


def test_the_preview_of_an_attack_gives_strengths_shifts_with_rules_and_the_column():
    match = combat(STRONG, weather=MUD)
    found = shown(match, "attack", hex="2020")
    assert [(line.text, line.value, line.rule) for line in found.lines[:5]] == [
        ("attack", "18", "8.3.1a"),
        ("defence", "4", "8.3.1a"),
        ("odds", "4-1", "8.3.1a"),
        ("tanks", "+1", "9.3.1"),
        ("rain and mud", "-1", "9.9b"),
    ]
    assert found.column == "4-1"
    assert {chance.result for chance in found.chances} == {
        "A1/DR2 Adv 1",
        "DRX Adv 1",
        "DR2 Adv 2",
        "A1/D1 Adv 2",
        "D1 Adv 2",
        "DR4 Adv 2+",
    }
    assert {chance.probability for chance in found.chances} == {Fraction(1, 6)}


def test_behind_each_result_stands_the_chance_to_hold_and_its_price():
    match = combat("7/3 @ 2019; 15/3 @ 2120; 577/305 @ 2020")
    found = shown(match, "attack", hex="2020")
    stands = {line.text: line for line in found.lines if "holds" in line.text}
    dr2 = next(line for text, line in stands.items() if text.startswith("DR2"))
    # 8 or more on clear ground; eight and nine cost a step.
    assert dr2.value == "5/12 (42 %)"
    assert dr2.rule == "11.2.1d"
    assert "577/305 holds" in dr2.text
    d1 = next(line for text, line in stands.items() if text.startswith("D1"))
    assert d1.value == "5/18 (28 %)"  # orange
    assert not [text for text in stands if text.startswith(("DR4", "DS", "A1 "))]


def test_naming_attackers_and_the_main_force_changes_the_preview():
    match = combat(STRONG)
    do(match, "attack", hex="2020")
    assert lines(shown(match, "attack with", "7/3"))["attack"] == "6"
    do(match, "attack with", "7/3")
    do(match, "attack with", "135/34")
    do(match, "attack with", "191 Tk")
    assert lines(shown(match, "fight"))["attack"] == "12"
    do(match, "fight")
    assert lines(shown(match, "main assault", "135/34"))["attack"] == "11"
    do(match, "main assault", "7/3")
    assert lines(shown(match, "assemble"))["attack"] == "11"
    assert lines(shown(match, "attach", "191 Tk"))["attack"] == "12"


@rule("italy43", "9.4a", "9.5.1")
def test_support_is_shown_before_it_is_given():
    counters = "7/3, 3 ASU, VI ASU @ 2019; 15/3 @ 2120; 1/HG, HG ASU @ 2020"
    match = combat(counters, ready=units("3 ASU, VI ASU, HG ASU"), air=1, naval=False)
    attack(match, "2020")
    assert shown(match, "hold fire").column == "2-1"
    assert shown(match, "fire", "3 ASU").column == "3-1"
    assert shown(match, "fly", value=0).column == "3-1"
    do(match, "fire", "3 ASU")
    do(match, "hold fire")
    assert shown(match, "fire", "HG ASU").column == "2-1"


def test_a_major_assault_shows_the_best_of_its_dice():
    match = combat(
        "7/3, VI ASU @ 2019; 1/HG @ 2020",
        ready=units("VI ASU"),
        major_assaults=True,
        supply=[2, 0],
        air=0,
        naval=False,
    )
    attack(match, "2020")
    do(match, "fire", "VI ASU")
    found = shown(match, "major assault", value=2)
    best = {chance.result: chance.probability for chance in found.chances}
    assert best["A1/D1 Adv 2"] == 1 - Fraction(5, 6) ** 3


def test_at_10_1_the_preview_says_that_no_die_is_needed():
    match = combat("7/3, 15/3 @ 2019; 30/3, 191 Tk @ 2120; II/FJ3 @ 2020")
    found = shown(match, "attack", hex="2020")
    assert [chance.result for chance in found.chances] == ["DS Adv 2+"]
    assert lines(found)["no die is needed"] == "11-1"
    assert lines(found)["the hex falls"] == "1 (100 %)"


def test_an_automatic_ds_is_shown_in_the_movement_phase():
    six = "I/104/15, II/104/15, III/104/15, 115 Pz/15 @ 2019; 8/3PG @ 2120; 1/HG @ 2021"
    pos = table(f"{six}; 2/509 @ 2020", "movement", GERMAN, steps=list(WAR.full))
    found = GAME.preview(pos, SHORT.option("shatter", hex="2020"))
    assert found is not None
    assert lines(found)["odds"] == "8-1"
    assert lines(found)["no die is needed"] == "10-1"


def under_attack(**fields: Any) -> Match[Table]:
    match = combat(
        "7/3, 15/3 @ 2019; 577/305, II/FJ3, XIV ASU @ 2020",
        ready=units("XIV ASU"),
        air=0,
        naval=False,
        **fields,
    )
    attack(match, "2020", dice=[5])  # DR2 on 2-1
    answer(match)
    return match


def test_the_defender_sees_what_a_stand_is_worth():
    match = under_attack()
    found = shown(match, "stand")
    assert found.column == "clear"
    assert [line.rule for line in found.lines] == ["11.2.4a", "11.2.1d"]
    assert found.lines[-1].text.startswith("II/FJ3 holds")
    do(match, "stand")
    plain = shown(match, "lead", "577/305")
    assert plain.lines[-1].value == "5/12 (42 %)"
    do(match, "lead", "577/305")
    guns = shown(match, "fire", "XIV ASU")
    assert guns.lines[-1].value == "7/12 (58 %)"
    assert shown(match, "hold fire").lines[-1].value == "5/12 (42 %)"


def test_a_preview_changes_nothing():
    match = under_attack()
    before = match.digest
    for offered in offers(match):
        GAME.preview(match.position, offered)
    assert match.digest == before
    assert GAME.preview(match.position, Option("end combat")) is None
    assert match.position.lead == NOBODY
