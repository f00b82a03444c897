"""Chapter 11: determined defence, Battle markers; and the heavy howitzers (19.4b)."""

from __future__ import annotations

from typing import Any

import pytest

from apennine.games.italy43.rules.c08_odds import BREAKTHROUGH, REGULAR
from apennine.games.italy43.rules.c10_results import resolve
from apennine.games.italy43.rules.c11_determined import StandFast, bonus, column, modifiers
from apennine.games.italy43.table.position import AIR, ALLIED, GERMAN, LOST, Table
from apennine.kernel.decision import Option
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.italy43.drawing import (
    SHORT,
    WAR,
    asked,
    at,
    do,
    hexes,
    mask,
    names,
    number,
    steps,
    table,
    told,
    units,
    verbs,
)
from tests.games.italy43.fighting import Answers, answer, attack, combat

DR2 = "7/3 @ 2019; 577/305 @ 2020"
"""6 to 4 on clear ground: a 6 is DR2."""
AROUND = "15/3 @ 2120; 30/3 @ 2121; 141/36 @ 2021; 142/36 @ 1921; 143/36 @ 1920"
"""With 7/3 in 2019 nobody gets out of 2020."""


def stood(
    counters: str,
    *dice: int,
    target: str = "2020",
    attackers: tuple[str, ...] = (),
    main: str = "",
    **fields: Any,
) -> Match[Table]:
    """An attack that makes the defender retreat, and his determined defence with these dice."""
    match = combat(counters, **fields)
    attack(match, target, *attackers, main=main, dice=dice)
    answer(match, "stand")
    return match


def is_at(match: Match[Table], unit: str, hex: str = "2020") -> bool:
    return match.position.hex[number(unit)] == at(hex)


@rule("italy43", "11.1a", "11.1b")
def test_a_defence_that_holds_cancels_retreat_disruption_and_advance():
    match = combat(DR2)
    attack(match, "2020", dice=[6, 5, 6])
    answer(match)
    assert asked(match).side == GERMAN
    assert verbs(match) == {"stand", "fall back"}
    do(match, "stand")
    assert told(match, "holds") == ["577/305"]
    assert is_at(match, "577/305")
    assert not match.position.disrupted
    assert "advance" not in verbs(match)
    assert "attack" in verbs(match)


@rule("italy43", "11.1b", "11.2.1a")
def test_losses_of_the_result_come_first_and_stay():
    match = combat("7/3, 15/3 @ 2019; 577/305, 44 Fus @ 2020")
    attack(match, "2020", dice=[6, 6, 6])
    answer(match, ("lose a step", "577/305"), ("lose a step", "7/3"))
    assert steps(match, "577/305") == 2  # before the roll
    answer(match, "stand", ("lead", "577/305"))
    assert told(match, "holds") == ["577/305"]
    assert steps(match, "577/305") == 2


@rule("italy43", "11.2.1b", "11.2.3a")
def test_the_defender_names_the_lead_unit_and_it_takes_the_loss():
    match = combat("7/3, 15/3 @ 2019; 577/305, 578/305 @ 2020")
    attack(match, "2020", dice=[6, 4, 5])
    answer(match, "stand")
    assert names(match, "lead") == {"577/305", "578/305"}
    do(match, "lead", "578/305")
    assert (steps(match, "577/305"), steps(match, "578/305")) == (3, 2)


@rule("italy43", "11.2.1c")
@pytest.mark.parametrize(
    ("hex", "name"),
    [("2020", "clear"), ("2121", "other"), ("2707", "other"), ("1918", "other"), ("2519", "city")],
)
def test_the_ground_gives_the_column(hex: str, name: str):
    # 2121 is clear ground with a town.
    assert WAR.book.determined.columns[column(WAR, table(), at(hex))] == name


@rule("italy43", "11.2.1c", "18.2.2b")
def test_a_completed_fortification_gives_the_column_of_cities():
    fort = mask("2020")
    names = WAR.book.determined.columns
    assert names[column(WAR, table(forts=fort), at("2020"))] == "city"
    assert names[column(WAR, table(works=fort), at("2020"))] == "clear"


@rule("italy43", "11.2.1d")
def test_two_dice_are_added():
    match = stood(DR2, 6, 5, 6)
    roll = SHORT.rolls(match)[1]
    assert (roll.purpose, roll.faces) == ("determined defence", (5, 6))
    assert told(stood(DR2, 6, 3, 4), "cannot hold") == ["577/305"]
    assert told(stood(DR2, 6, 4, 4), "cannot hold") == []


def modified(lead: str, **fields: Any) -> int:
    pos = table(f"{lead} @ 2020", steps=list(WAR.full), **fields)
    return bonus(modifiers(WAR, pos, number(lead)))


@rule("italy43", "11.2.4a", "11.2.4b")
def test_quality_colour_and_support_modify_the_dice():
    assert modified("577/305") == 0
    assert modified("I/104/15") == 1
    assert modified("8/3PG") == -1
    assert modified("577/305", orange=True) == -1
    assert modified("577/305", stand=AIR) == 1
    assert modified("I/104/15", stand=AIR) == 2


@rule("italy43", "11.2.2a", "11.2.4a")
def test_an_elite_lead_holds_where_an_orange_result_would_break_others():
    # 12 to 4 is 3-1; a 6 is D1, orange. 5 + 3 - 1 is no more than 7, which fails on clear ground.
    plain = "7/3, 15/3 @ 2019; 577/305 @ 2020"
    match = stood(plain, 6, 5, 3)
    assert told(match, "cannot hold") == ["577/305"]
    match = combat("7/3, 15/3 @ 2019; I/104/15, II/104/15 @ 2020 steps=1")
    attack(match, "2020", dice=[6, 5, 3])
    answer(match, ("lose a step", "II/104/15"), "stand")
    assert told(match, "holds") == ["I/104/15"]


@rule("italy43", "11.2.2b")
def test_a_red_result_forbids_a_determined_defence():
    pos = table(DR2, "combat", target=at("2020"))
    assert StandFast(REGULAR, "orange").menu(WAR, pos)
    red = StandFast(REGULAR, "red")
    assert not red.menu(WAR, pos)
    refusal = red.refusal(WAR, pos, Option("stand"))
    assert refusal is not None
    assert refusal.rule == "11.2.2b"


@rule("italy43", "11.2.3b")
def test_neither_artillery_nor_units_out_of_order_lead():
    match = combat("7/3, 15/3 @ 2019; 577/305, HG ASU @ 2020; 578/305 @ 2020 disrupted")
    attack(match, "2020", dice=[5, 6, 6])
    answer(match, "stand")
    assert told(match, "holds") == ["577/305"]
    match = combat("7/3 @ 2019; HG ASU @ 2020; 578/305 @ 2020 disrupted")
    attack(match, "2020", dice=[4])  # DR2 on 3-1
    answer(match)
    assert "stand" not in verbs(match)
    finish_retreat(match)
    assert told(match, "holds") == told(match, "cannot hold") == []
    assert not is_at(match, "578/305")


# Results (11.4).


@rule("italy43", "11.4.1a", "11.4.1b")
def test_0_1_h_costs_the_lead_unit_a_step_and_holds():
    match = stood(DR2, 6, 4, 4)
    assert steps(match, "577/305") == 2
    assert steps(match, "7/3") == 3
    assert is_at(match, "577/305")


@rule("italy43", "11.4.1c")
def test_1_star_1_h_costs_both_and_the_defender_picks_the_attackers():
    match = stood("7/3, 15/3 @ 2019; 129/15, 1/HG @ 2020", 6, 5, 3)
    do(match, "lead", "129/15")  # elite: 9 on clear ground
    assert asked(match).side == GERMAN
    assert names(match, "lose a step") == {"7/3", "15/3"}
    do(match, "lose a step", "15/3")
    assert (steps(match, "15/3"), steps(match, "129/15")) == (2, 2)


@rule("italy43", "11.4.1d", "10.2.2a")
def test_1_0_h_costs_the_attacker_a_step_of_his_choice():
    match = stood("7/3, 15/3 @ 2019; 129/15, 1/HG @ 2020", 6, 6, 6)
    do(match, "lead", "129/15")  # elite: 13
    assert asked(match).side == ALLIED
    assert names(match, "lose a step") == {"7/3", "15/3"}


@rule("italy43", "11.4.2", "14.2.3")
def test_a_defence_that_holds_with_its_last_step_leaves_a_limited_advance():
    match = combat("7/3 @ 2019; 577/305 @ 2020 steps=1")
    attack(match, "2020", dice=[5, 4, 6])  # DR2 on 2-1; low quality: 9
    answer(match, "stand")
    assert match.position.hex[number("577/305")] == LOST
    assert (match.position.advance, match.position.limited) == (1, True)
    assert hexes(match, "advance") == {"2020"}


@rule("italy43", "11.4.3a")
def test_a_defence_that_fails_must_retreat():
    match = stood(DR2, 6, 3, 3)
    assert verbs(match) == {"retreat"}
    do(match, "retreat")
    assert match.position.disrupted == units("577/305")
    assert match.position.advance == 2


@rule("italy43", "11.4.3b", "11.4.3c")
def test_who_cannot_retreat_rolls_again_and_loses_a_step_each_time():
    match = stood(f"{DR2}; {AROUND}", 6, 3, 3, 3, 3, 6, 6, attackers=("7/3",))
    # The first failure costs a step by 11.4.3b, the second counts as 0/1 F.
    answer(match, "keep a remnant")
    assert told(match, "cannot hold") == ["577/305", "577/305"]
    assert steps(match, "577/305") == 1
    assert told(match, "holds") == ["577/305"]
    assert is_at(match, "577/305")


@rule("italy43", "11.4.3b")
def test_a_failure_that_costs_a_step_by_itself_costs_no_other():
    match = stood(f"{DR2}; {AROUND}", 6, 1, 1, 6, 6, attackers=("7/3",))
    assert steps(match, "577/305") == 2
    assert told(match, "holds") == ["577/305"]


@rule("italy43", "11.4.3c", "12.4")
def test_it_rolls_until_nobody_is_left_and_the_advance_is_whole():
    counters = f"7/3 @ 2019; II/FJ3, III/FJ3 @ 2020; {AROUND}"
    match = combat(counters)
    attack(match, "2020", "7/3", dice=[6, 1, 1, 1, 1])
    answer(match, "stand", ("lead", "II/FJ3"))
    assert told(match, "is eliminated") == ["II/FJ3", "III/FJ3"]
    assert (match.position.advance, match.position.limited) == (2, False)


@rule("italy43", "11.4.3e")
def test_another_unit_leads_when_the_lead_unit_is_gone():
    match = combat(f"7/3 @ 2019; II/FJ3, III/FJ3, III/FJ6 @ 2020; {AROUND}")
    attack(match, "2020", "7/3", "15/3", dice=[5, 1, 1, 6, 6])
    answer(match, "stand", ("lead", "II/FJ3"))
    assert names(match, "lead") == {"III/FJ3", "III/FJ6"}
    do(match, "lead", "III/FJ3")
    assert told(match, "holds") == ["III/FJ3"]


@rule("italy43", "11.4.3e")
def test_without_another_leader_those_left_are_lost():
    match = combat(f"7/3 @ 2019; II/FJ3, HG ASU @ 2020; {AROUND}")
    attack(match, "2020", "7/3", dice=[4, 1, 1])  # DR2 on 3-1
    answer(match, "stand")
    assert told(match, "is eliminated") == ["II/FJ3", "HG ASU"]


@rule("italy43", "11.4.3d")
def test_support_serves_every_roll():
    match = combat(f"{DR2}; {AROUND}; XIV ASU @ 2018", ready=units("XIV ASU"), air=0, naval=False)
    attack(match, "2020", "7/3", dice=[6, 3, 3, 4, 4])
    do(match, "hold fire")  # no shift: the artillery is kept for the stand
    do(match, "stand")
    do(match, "fire", "XIV ASU")
    rolls = [roll for roll in SHORT.rolls(match) if roll.purpose == "determined defence"]
    assert [[line.rule for line in roll.lines] for roll in rolls] == [["11.3a"], ["11.3a"]]
    assert told(match, "holds") == ["577/305"]  # 8 + 1 on clear ground


@rule("italy43", "11.4.4")
def test_who_can_retreat_must_and_the_others_stand_on():
    # The tanks are shut in by mountains without a road; the infantry climbs out.
    counters = "1SSF @ 2427; I/104/15, Pz/HG @ 2327; 7/3 @ 2427"
    match = combat(counters)
    attack(match, "2327", main="1SSF", dice=[6, 1, 2, 6, 6])
    answer(match, "stand", ("lead", "I/104/15"))
    finish_retreat(match)
    assert not is_at(match, "I/104/15", "2327")
    assert is_at(match, "Pz/HG", "2327")
    assert told(match, "holds") == ["Pz/HG"]


def finish_retreat(match: Match[Table]) -> None:
    while "retreat" in verbs(match):
        do(match, "retreat")


# Battle markers (11.5).


CITY = "7/3, 15/3 @ 2419; 577/305 @ 2519"
"""12 to 8 against a minor city: 1-1."""


@rule("italy43", "11.5.1a", "11.5.2a")
def test_a_partial_success_in_a_minor_city_marks_it_and_cancels_the_retreat():
    match = stood(CITY, 6, 3, 3, target="2519")
    assert told(match, "holds in part") == ["577/305"]
    assert match.position.battles == mask("2519")
    assert is_at(match, "577/305", "2519")
    assert not match.position.disrupted


@rule("italy43", "11.5.2b")
def test_a_second_one_drives_the_defender_out_for_a_limited_advance():
    match = stood(CITY, 6, 3, 3, target="2519", battles=mask("2519"))
    finish_retreat(match)
    assert match.position.battles == 0
    assert match.position.disrupted == units("577/305")
    assert (match.position.advance, match.position.limited) == (1, True)


@rule("italy43", "11.5.1b")
def test_a_failure_in_a_city_is_a_retreat_whatever_the_marker():
    match = stood(CITY, 6, 1, 2, target="2519")
    finish_retreat(match)
    assert match.position.disrupted == units("577/305")
    assert match.position.battles == 0
    assert not match.position.limited


@rule("italy43", "11.5.3a")
def test_a_major_city_takes_two_partial_successes():
    city = mask("2620")
    counters = "7/3, 15/3 @ 2619; 577/305 @ 2620"
    match = stood(counters, 6, 3, 3, target="2620", battles=city)
    assert match.position.second_battles == match.position.battles == city
    assert is_at(match, "577/305", "2620")
    match = stood(counters, 6, 3, 3, target="2620", battles=city, second_battles=city)
    finish_retreat(match)
    assert match.position.battles == match.position.second_battles == 0
    assert not is_at(match, "577/305", "2620")
    assert match.position.limited


@rule("italy43", "11.5.3b")
def test_after_a_partial_success_the_attackers_stay_outside():
    match = stood(CITY, 6, 3, 3, target="2519")
    assert "attack" in verbs(match)
    assert is_at(match, "7/3", "2419")
    assert told(match, "advances") == []


FORT = "7/3, 15/3 @ 2019; 577/305 @ 2020"


@rule("italy43", "11.5.2a", "11.5.3a")
def test_forts_take_as_many_as_their_level():
    fort = mask("2020")
    one = stood("7/3, 15/3 @ 2019; 129/15 @ 2020", 6, 2, 3, forts=fort)
    assert told(one, "holds in part") == ["129/15"]
    one = stood(FORT, 5, 3, 3, forts=fort, battles=fort)
    finish_retreat(one)
    assert one.position.battles == 0
    assert not is_at(one, "577/305")
    two = stood(FORT, 6, 3, 3, forts=fort, strongholds=fort, battles=fort)
    assert two.position.second_battles == fort


@rule("italy43", "11.5.3c")
def test_the_better_of_city_and_fortification_counts():
    hex = mask("2519")
    counters = "504/82, 505/82 @ 2419; 325G/82 @ 2418; Reggio @ 2519"
    match = combat(counters, forts=hex, strongholds=hex, battles=hex)
    # 14 to 2 is 7-1; elite and the fort make 6-1, where a 1 is DR2.
    attack(match, "2519", dice=[1, 3, 3])
    answer(match, "stand")
    assert match.position.second_battles == hex


SHUT_IN = "128/46 @ 2518; 138/46 @ 2618; 139/46 @ 2619; 131/7 @ 2520; 167/56 @ 2418"


@rule("italy43", "11.5.2c")
def test_who_is_driven_out_and_cannot_go_rolls_on_and_partial_successes_fail():
    match = combat(f"{CITY}; {SHUT_IN}", battles=mask("2519"))
    # 0/0 P costs no step; then 0/0 P counts as 0/1 F; then it holds.
    attack(match, "2519", "7/3", "15/3", dice=[6, 3, 3, 3, 3, 4, 5])
    answer(match, "stand")
    assert told(match, "holds in part") == ["577/305", "577/305"]
    assert steps(match, "577/305") == 2
    assert told(match, "holds") == ["577/305"]
    assert match.position.battles == 0


@rule("italy43", "11.5.2c", "14.2.3")
def test_if_nobody_of_them_is_left_the_advance_is_limited():
    match = combat(f"{CITY} steps=1; {SHUT_IN}", battles=mask("2519"))
    attack(match, "2519", "7/3", "15/3", dice=[5, 3, 4, 3, 3])
    answer(match, "stand")
    assert match.position.hex[number("577/305")] == LOST
    assert match.position.limited


# The heavy howitzers (19.4b).


def shelled(*dice: int) -> Match[Table]:
    match = combat(
        "7/3 @ 2019; VI ASU, Hv How @ 2018; 129/15 @ 2020",
        ready=units("VI ASU, Hv How"),
        air=0,
        naval=False,
    )
    attack(match, "2020", dice=dice)
    do(match, "fire", "VI ASU")
    do(match, "fire", "Hv How")
    answer(match, "stand")
    return match


@rule("italy43", "19.4b")
def test_the_howitzers_make_a_six_be_rolled_again_once():
    match = shelled(5, 6, 3, 1)  # DR2 on 2-1
    assert [roll.purpose for roll in SHORT.rolls(match)[1:3]] == [
        "determined defence",
        "heavy howitzers",
    ]
    assert told(match, "cannot hold") == ["129/15"]
    both = shelled(5, 6, 6, 6, 4)  # a 6 that comes again stays: 6 + 4 + 1
    assert told(both, "holds") == ["129/15"]
    assert [roll.faces for roll in SHORT.rolls(both)[1:3]] == [(6, 6), (6, 4)]
    none = shelled(5, 5, 5)
    assert len(SHORT.rolls(none)) == 2


@rule("italy43", "15.2.7b", "15.2.7a")
def test_against_a_breakthrough_a_determined_defence_may_be_supported_though_no_shift_is():
    pos = table(f"{DR2}; XIV ASU @ 2018", "combat", steps=list(WAR.full), ready=units("XIV ASU"))
    pos.target, pos.attackers, pos.main = at("2020"), units("7/3"), number("7/3")
    answers = Answers(("stand", ""), ("fire", "XIV ASU"), dice=[6, 4, 4])
    verdict = answers.run(resolve(WAR, pos, BREAKTHROUGH))
    assert not pos.ready & units("XIV ASU")
    assert not verdict.vacated  # 4 + 4 + 1 holds
    assert answers.rolls == ["combat", "determined defence"]
