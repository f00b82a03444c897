"""Chapter 9: combat, fortified lines, concentric attacks, and what falls with its escort."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.italy1944.drawing import (
    ALLIED,
    GAME,
    GERMAN,
    LOST,
    WAR,
    Table,
    added,
    announce,
    asked,
    at,
    attack,
    begin,
    clash,
    combat,
    declare,
    do,
    events,
    go,
    halt,
    hexes,
    idle,
    march,
    mask,
    movement,
    names,
    next_turn,
    odds,
    offers,
    option,
    pass_on,
    picked,
    preview,
    results,
    shifts_of,
    steps,
    verbs,
    where,
)


def titles(match: Match[Table], hex: str, *units: str) -> dict[str, int]:
    """The columns of an attack by the names of their reasons, all of a name together."""
    return added((shift.name, shift.columns) for shift in odds(match, hex, *units).shifts)


# Who attacks whom


@rule("italy1944", "9a")
def test_a_side_may_attack_adjacent_enemies_and_need_not():
    match = clash("US 34 @ 1104; 356 ID @ 1105; 94 ID @ 1305")
    assert hexes(match, "attack") == {"1105"}
    do(match, "end combat")
    assert events(match, "result") == []
    assert steps(match, "356 ID") == 2
    assert match.position.side == GERMAN


@rule("italy1944", "9b")
def test_no_unit_attacks_twice_in_a_turn():
    match = clash("US 34 @ 1104; US 36 @ 1204; 356 ID @ 1105; 94 ID @ 1304")
    attack(match, "1105", "US 34", die=6)
    assert hexes(match, "attack") == {"1105", "1304"}
    do(match, "attack", hex="1105")
    assert match.position.attackers == 1 << GAME.unit("US 36")
    alone = clash("US 34 @ 1104; US 45 @ 0804; 356 ID @ 1105")
    attack(alone, "1105", "US 34", die=6)
    assert alone.position.side == GERMAN  # nobody is left who could attack


@rule("italy1944", "9c")
def test_other_units_may_attack_the_same_enemy_again():
    match = clash("US 34 @ 1104; US 36 @ 1204; 356 ID @ 1105")
    attack(match, "1105", "US 34", die=6)
    attack(match, "1105", "US 36", die=6)
    assert len(results(match)) == 2


@rule("italy1944", "9d")
def test_attacks_are_resolved_one_at_a_time_each_after_the_last():
    match = clash("US 34 @ 1104; US 36 @ 1204; 356 ID @ 1105 steps=1; 94 ID @ 1305")
    attack(match, "1105", "US 34", die=6)
    # The result is known before the next attack is announced, and the dead is no target.
    assert results(match) == ["1/2"]
    do(match, "stay")
    assert hexes(match, "attack") == {"1305"}
    do(match, "attack", hex="1305")
    assert "attack" not in verbs(match)


@rule("italy1944", "9e")
def test_one_attack_strikes_one_hex_and_all_in_it_defend_together():
    match = clash("US 34 @ 1104; 356 ID, 94 ID @ 1105; 305 ID @ 1204")
    assert odds(match, "1105", "US 34").defence == 18 + 18
    attack(match, "1105", "US 34", die=6)  # 1:2, 1/1
    assert names(match, "lose a step") == {"356 ID", "94 ID"}
    do(match, "lose a step", "356 ID")
    assert steps(match, "305 ID") == 2


@rule("italy1944", "9e")
def test_attackers_come_from_any_sides_and_a_stack_may_send_some_of_its_units():
    match = clash("US 34, US 36 @ 1104; US 45 @ 1204; US 3 @ 1304; 356 ID @ 1105; 94 ID @ 1305")
    do(match, "attack", hex="1105")
    assert names(match, "attack with") == {"US 34", "US 36", "US 45"}
    assert "fight" not in verbs(match)
    do(match, "attack with", "US 34", "1105")
    do(match, "attack with", "US 45", "1105")
    assert preview(match, "fight", hex="1105").column == "2:1"
    match.force(5)
    do(match, "fight", hex="1105")
    declare(match)
    # The one that stayed out may still attack, on its own.
    attack(match, "1105", "US 36", die=6)
    assert len(results(match)) == 2


@rule("italy1944", "9f")
@pytest.mark.parametrize(("here", "there"), [("2113", "2114"), ("2117", "2116"), ("2319", "2218")])
def test_nobody_attacks_over_a_lake(here: str, there: str):
    # A second pair lets the phase ask at all.
    match = clash(f"US 34 @ {here}; 356 ID @ {there}; US 36 @ 1104; 94 ID @ 1105")
    assert hexes(match, "attack") == {"1105"}


@rule("italy1944", "9f")
def test_who_is_across_a_lake_does_not_join_those_who_attack_by_land():
    # Lake Trasimeno lies between 2113 and 2114, and 2013 beside it.
    match = clash("US 34 @ 2113; US 36, US 45 @ 2013; 356 ID @ 2114")
    do(match, "attack", hex="2114")
    assert names(match, "attack with") == {"US 36", "US 45"}


# The odds and the chart


@rule("italy1944", "9.1a")
@pytest.mark.parametrize(
    ("attackers", "defenders", "column"),
    [
        ("6 Arm, 5 C Arm @ 1104", "356 ID @ 1105 steps=1", "4:1"),  # 44 to 9
        ("US 34 @ 1104", "356 ID @ 1105 steps=1", "2:1"),  # 18 to 9
        ("US 34 @ 1104", "44 HD @ 1105 steps=1", "1:1"),  # 18 to 10
        ("US 34 @ 1104", "356 ID @ 1105", "1:1"),  # 18 to 18
        ("US 34 @ 1104", "44 HD @ 1105", "1:2"),  # 18 to 19
        ("US 34 @ 1104", "356 ID, 94 ID @ 1105", "1:2"),  # 18 to 36
        ("US 34 @ 1104", "356 ID, 44 HD @ 1105", "1:3"),  # 18 to 37
    ],
)
def test_odds_are_rounded_for_the_defender(attackers: str, defenders: str, column: str):
    match = clash(f"{attackers}; {defenders}")
    assert preview(match, "attack", hex="1105").column == column


@rule("italy1944", "9.1b", "9.1c")
@pytest.mark.parametrize("die", range(1, 7))
def test_shifts_are_netted_and_one_die_is_rolled_on_the_column_without_more_ado(die: int):
    # 44 to 9 in rough ground, from opposite sides, an aircraft each: 4:1 after all.
    rough = "6 Arm @ 2216; 5 C Arm @ 2214; 356 ID @ 2215 steps=1"
    match = clash(rough)
    attack(match, "2215", "6 Arm", "5 C Arm", die=die, air=1, against=1)
    expected = ["1/1", "1/1", "0/1", "1/2", "0/2", "1/3"]
    assert results(match) == [expected[die - 1]]
    plain = clash("6 Arm, 5 C Arm @ 1104; 356 ID @ 1105 steps=1")
    attack(plain, "1105", "6 Arm", "5 C Arm", die=die)
    assert results(plain) == results(match)


@rule("italy1944", "9.1b")
@pytest.mark.parametrize(
    ("start", "target", "shifts"),
    [
        ("1104", "1105", {}),
        ("2217", "2216", {"rough": -1}),
        ("2618", "2617", {"mountain": -2}),
        ("2319", "2419", {"city": -1}),
        ("1405", "1305", {"all attackers across a river": -1}),
        ("2215", "2315", {"rough": -1, "all attackers across a river": -1}),
    ],
)
def test_terrain_shifts_the_column(start: str, target: str, shifts: dict[str, int]):
    match = clash(f"6 Arm @ {start}; 356 ID @ {target}")
    assert titles(match, target, "6 Arm") == shifts
    found = odds(match, target, "6 Arm")
    assert found.shifted == found.raw + sum(shifts.values())


def test_the_river_helps_only_if_all_attackers_must_cross_it():
    match = clash("6 Arm @ 1405; 5 C Arm @ 1304; 356 ID @ 1305")
    assert titles(match, "1305", "6 Arm") == {"all attackers across a river": -1}
    assert titles(match, "1305", "6 Arm", "5 C Arm") == {}


@rule("italy1944", "9.1c")
@pytest.mark.parametrize(
    ("start", "target", "air", "die", "result"),
    [
        ("1104", "1105", 2, 6, "0/3"),  # a six on 6:1; on 4:1 nothing is better than 1/3
        ("2618", "2617", 0, 1, "1/0"),  # a one on 2:1; on 4:1 nothing is worse than 1/1
    ],
)
def test_it_is_the_column_that_shifts_and_never_the_die(
    start: str, target: str, air: int, die: int, result: str
):
    match = clash(f"6 Arm, 5 C Arm @ {start}; 356 ID @ {target} steps=1")
    attack(match, target, "6 Arm", "5 C Arm", die=die, air=air)  # 44 to 9, 4:1
    assert results(match) == [result]


@rule("italy1944", "9.1c")
def test_shifts_are_counted_past_the_end_of_the_chart_before_it_is_read():
    # 96 to 9 is 10:1; two columns less is still beyond the last one.
    match = clash("6 Arm, 5 C Arm @ 2217; US 1 Arm, 6 SA @ 2117; 356 ID @ 2216 steps=1")
    found = odds(match, "2216", "6 Arm", "5 C Arm", "US 1 Arm", "6 SA")
    assert (found.raw_label, found.shifted_label, found.label) == ("10:1", "9:1", "7:1+")


@rule("italy1944", "9.1d")
def test_each_side_loses_the_steps_of_the_result():
    match = clash("6 Arm, 5 C Arm @ 1104; 356 ID, 162 T @ 1105 steps=1")
    attack(match, "1105", "6 Arm", "5 C Arm", die=6)  # 44 to 15, 2:1
    assert results(match) == ["1/2"]
    do(match, "lose a step", "6 Arm")
    assert steps(match, "6 Arm") + steps(match, "5 C Arm") == 3
    assert where(match, "356 ID") == where(match, "162 T") == "eliminated"


@rule("italy1944", "9.1d")
def test_a_step_lost_turns_the_counter_and_the_last_one_eliminates_it():
    match = clash("US 34, US 36 @ 1104; 356 ID @ 1105")
    attack(match, "1105", "US 34", "US 36", die=5)  # 2:1, 0/1
    assert (steps(match, "356 ID"), where(match, "356 ID")) == (1, "1105")
    again = clash("US 34 @ 1104; 356 ID, 44 HD @ 1105")
    attack(again, "1105", "US 34", die=2)  # 1:3, 2/0
    assert (steps(again, "US 34"), where(again, "US 34")) == (0, "eliminated")


@rule("italy1944", "9.1f")
def test_each_owner_says_who_of_his_units_takes_the_loss():
    match = clash("US 34 @ 1104; US 36 @ 1204; US 45 @ 1304; 356 ID, 94 ID @ 1105")
    attack(match, "1105", "US 34", "US 36", die=5)  # 1:1, 1/1
    assert asked(match).side == ALLIED
    assert names(match, "lose a step") == {"US 34", "US 36"}
    do(match, "lose a step", "US 36")
    assert asked(match).side == GERMAN
    assert names(match, "lose a step") == {"356 ID", "94 ID"}
    do(match, "lose a step", "94 ID")
    assert [steps(match, u) for u in ("US 34", "US 36", "356 ID", "94 ID")] == [2, 1, 2, 1]


@rule("italy1944", "9.1f")
@pytest.mark.parametrize(
    ("counters", "label"),
    [
        ("6 Arm, 5 C Arm, US 1 Arm, 6 SA @ 1104; 356 ID @ 1105 steps=1", "7:1+"),  # 90 to 9
        ("SSF @ 1104; 356 ID, 94 ID, 26 Pz @ 1105", "1:3"),  # 9 to 56
    ],
)
def test_odds_beyond_the_chart_are_read_on_its_last_column(counters: str, label: str):
    shown = preview(clash(counters), "attack", hex="1105")
    assert shown.column == label
    assert shown.lines[-1].rule == "9.1f"


def test_the_chances_of_the_preview_are_those_of_six_battles():
    counters = "US 34 @ 1104; US 36 @ 1204; 356 ID, 94 ID @ 1105"
    match = clash(counters)
    shown = preview(match, "attack", hex="1105")
    fought: dict[str, Fraction] = {}
    for die in range(1, 7):
        fork = match.fork()
        attack(fork, "1105", "US 34", "US 36", die=die)
        [result] = results(fork)
        fought[result] = fought.get(result, Fraction(0)) + Fraction(1, 6)
    assert fought == {chance.result: chance.probability for chance in shown.chances}


# Fortified lines

GUSTAV, CAESAR = ("3120", "3019"), ("2521", "2520")
BERNHARDT, GOTHIC = ("3220", "3120"), ("1710", "1609")


def at_the_line(start: str, target: str, **fields: Any) -> Match[Table]:
    return clash(f"US 34 @ {start}; 356 ID @ {target}", **fields)


@rule("italy1944", "9.4a", "9.4b", "9.4g")
@pytest.mark.parametrize(("start", "target"), [GUSTAV, CAESAR, BERNHARDT])
def test_three_lines_work_from_the_first_turn(start: str, target: str):
    match = at_the_line(start, target, turn=1)
    assert shifts_of(match, target, "US 34")["9.4a"] == -1


@rule("italy1944", "9.4a")
def test_only_germans_have_works():
    # The same hexes with the sides changed, and an attack from behind the line.
    match = clash("356 ID @ 2521; US 34 @ 2520", GERMAN)
    assert shifts_of(match, "2520", "356 ID") == {}
    behind = at_the_line("2520", "2521")
    assert shifts_of(behind, "2521", "US 34") == {}


@rule("italy1944", "9.4c", "9.4g")
@pytest.mark.parametrize(("turn", "works"), [(1, False), (6, False), (7, True), (9, True)])
def test_the_gothic_line_works_from_july_on(turn: int, works: bool):
    match = at_the_line(*GOTHIC, turn=turn)
    assert ("9.4a" in shifts_of(match, GOTHIC[1], "US 34")) is works


@rule("italy1944", "9.4d", "9.4h")
def test_an_allied_unit_in_it_before_july_means_that_it_never_works():
    # The westernmost hex of the line is entered in June; its other end is attacked in July.
    match = march("6 Arm @ 1311; PL 3 C @ 2310; 356 ID @ 2209; 94 ID @ 1505", turn=6)
    go(match, "1210", "6 Arm")
    halt(match)
    assert [event.hex for event in events(match, "enters the Gothic line")] == [at("1210")]
    pass_on(match, until="plans")
    assert match.position.turn == 7
    pass_on(match, until="combat", side=ALLIED)
    assert "9.4a" not in shifts_of(match, "2209", "PL 3 C")
    untouched = at_the_line("2310", "2209", turn=7)
    assert "9.4a" in shifts_of(untouched, "2209", "US 34")


@rule("italy1944", "9.4d")
def test_who_enters_it_in_july_takes_nothing_from_it():
    match = march("6 Arm @ 1311; US 34 @ 2310; 356 ID @ 2209", turn=7)
    go(match, "1210", "6 Arm")
    halt(match)
    assert match.position.gothic == 0
    pass_on(match, until="combat", side=ALLIED)
    assert "9.4a" in shifts_of(match, "2209", "US 34")


@rule("italy1944", "9.4h")
def test_a_hex_of_the_line_is_one_on_its_german_side():
    match = march("6 Arm @ 1711", turn=6)
    go(match, "1710", "6 Arm")
    assert match.position.gothic == 0
    match = march("6 Arm @ 1710", turn=6)
    go(match, "1609", "6 Arm")
    assert match.position.gothic == mask("1609")


@rule("italy1944", "9.4e")
def test_the_works_add_to_the_terrain():
    match = at_the_line(*GUSTAV)
    assert titles(match, "3019", "US 34") == {"mountain": -2, "fortified line": -1}
    found = odds(match, "3019", "US 34")
    assert found.shifted == found.raw - 3


@rule("italy1944", "9.4f", "9.4i")
def test_the_shift_is_lost_when_more_than_half_comes_around_the_works():
    match = clash("US 34 @ 2521; US 36, SSF @ 2420; 356 ID @ 2520")
    assert "9.4a" in shifts_of(match, "2520", "US 34", "SSF")
    assert "9.4a" in shifts_of(match, "2520", "US 34", "US 36")  # exactly half
    assert "9.4a" not in shifts_of(match, "2520", "US 34", "US 36", "SSF")
    assert "9.4a" not in shifts_of(match, "2520", "US 36")


@rule("italy1944", "9.4i")
def test_factors_are_compared_after_halving_for_want_of_supply():
    match = clash("US 34 @ 2521 cut; US 36 @ 2420; 356 ID @ 2520")
    assert "9.4a" not in shifts_of(match, "2520", "US 34", "US 36")
    other = clash("US 34 @ 2521; US 36 @ 2420 cut; SSF @ 2420; 356 ID @ 2520")
    assert "9.4a" in shifts_of(other, "2520", "US 34", "US 36", "SSF")


@rule("italy1944", "9.4.1", "9.4e")
def test_cassino_is_worth_two_columns_more_than_its_mountain_and_its_line():
    match = at_the_line("3121", "3020")
    assert titles(match, "3020", "US 34") == {"mountain": -2, "fortified line": -1, "Cassino": -2}
    around = at_the_line("2920", "3020")
    assert titles(around, "3020", "US 34") == {"mountain": -2, "Cassino": -2}


@rule("italy1944", "9.4.1")
def test_cassino_does_not_serve_the_allies():
    match = clash("94 ID @ 2920; US 34 @ 3020", GERMAN)
    assert titles(match, "3020", "94 ID") == {"mountain": -2}


# Concentric attacks


@rule("italy1944", "9.5", "9.5b")
@pytest.mark.parametrize(
    ("one", "other", "columns"),
    [("1004", "1205", 1), ("1204", "1005", 1), ("1004", "1204", 0), ("1004", "1104", 0)],
)
def test_an_attack_from_opposite_sides_gains_a_column(one: str, other: str, columns: int):
    match = clash(f"US 34 @ {one}; US 36 @ {other}; 356 ID @ 1105")
    assert shifts_of(match, "1105", "US 34", "US 36").get("9.5", 0) == columns
    # Whoever merely stands there does not count.
    assert "9.5" not in shifts_of(match, "1105", "US 34")


@rule("italy1944", "9.5b")
def test_two_pairs_of_opposite_sides_gain_no_more_than_one():
    counters = "US 34 @ 1004; US 36 @ 1205; US 45 @ 1204; US 3 @ 1005; 356 ID @ 1105"
    match = clash(counters)
    assert titles(match, "1105", "US 34", "US 36", "US 45", "US 3") == {"concentric attack": 1}


@rule("italy1944", "9.5")
def test_germans_attack_concentrically_too():
    match = clash("94 ID @ 1004; 356 ID @ 1205; US 34 @ 1105", GERMAN)
    assert shifts_of(match, "1105", "94 ID", "356 ID") == {"9.5": 1}


# Logistic centres and beachheads


@rule("italy1944", "9.6a")
def test_a_logistic_centre_falls_with_the_last_step_of_its_escort():
    counters = "6 Arm, 5 C Arm @ 2318; 356 ID, 94 ID @ 2418 steps=1"
    match = combat(counters, centres="2320 2418")
    attack(match, "2418", "6 Arm", "5 C Arm", die=5)  # 44 to 18, 2:1, 0/1
    do(match, "lose a step", "94 ID")
    assert match.position.centre[GERMAN] == at("2418")
    last = combat("6 Arm, 5 C Arm @ 2318; 356 ID @ 2418 steps=1", centres="2320 2418")
    attack(last, "2418", "6 Arm", "5 C Arm", die=4, air=1)
    assert last.position.centre[GERMAN] == LOST
    [event] = events(last, "logistic centre eliminated")
    assert (event.hex, event.rule) == (at("2418"), "9.6a")


@rule("italy1944", "9.6a", "9.6c")
def test_a_beachhead_falls_with_the_last_step_of_its_escort():
    match = clash("26 Pz, HG @ 2520; SSF @ 2521", GERMAN, beaches="2521", turn=2)
    before = match.view(GERMAN)["points"]["German"]
    attack(match, "2521", "26 Pz", "HG", die=6)
    assert where(match, "SSF") == "eliminated"
    assert match.position.beaches == [LOST]
    assert match.position.destroyed == 1
    assert match.view(GERMAN)["points"]["German"] == before + 10
    [event] = events(match, "beachhead eliminated")
    assert event.rule == "9.6a"


@rule("italy1944", "9.6b")
@pytest.mark.parametrize(("escort", "stands"), [("", False), ("; 94 ID @ 2418", True)])
def test_a_centre_without_escort_is_lost_when_an_enemy_comes_next_to_it(escort: str, stands: bool):
    match = movement(f"6 Arm @ 2520; 356 ID @ 1505{escort}", centres="3322 2418", allied="2419")
    go(match, "2419", "6 Arm")
    assert (match.position.centre[GERMAN] == at("2418")) is stands
    assert bool(events(match, "logistic centre eliminated")) is not stands


@rule("italy1944", "9.6b")
def test_the_enemy_need_not_stop_next_to_it():
    # Through Rome, which is next to the centre, to where it is two hexes off.
    match = movement("6 Arm @ 2520; 356 ID @ 1505", centres="3322 2418", allied="2419")
    assert WAR.lattice.distance(at("2320"), at("2418")) == 2
    assert at("2419") in preview(picked(match, "6 Arm"), "go", "6 Arm", "2320").path
    go(match, "2320", "6 Arm")
    assert match.position.centre[GERMAN] == LOST


@rule("italy1944", "9.6b")
def test_nor_need_he_stop_next_to_a_beachhead():
    match = march("26 Pz @ 2419", GERMAN, beaches="2521", turn=2)
    way = preview(picked(match, "26 Pz"), "go", "26 Pz", "2619").path
    assert way == tuple(map(at, ("2419", "2520", "2619")))
    go(match, "2619", "26 Pz")
    assert match.position.beaches == [LOST]


@rule("italy1944", "9.6b")
def test_an_enemy_two_hexes_away_does_no_harm():
    match = movement("6 Arm @ 2521; 356 ID @ 1505", centres="3322 2418", allied="2420")
    go(match, "2520", "6 Arm")
    assert match.position.centre[GERMAN] == at("2418")


@rule("italy1944", "9.6b", "9.6c")
@pytest.mark.parametrize(("escort", "stands"), [("", False), ("; SSF @ 2521", True)])
def test_a_beachhead_without_escort_is_lost_when_a_german_comes_next_to_it(
    escort: str, stands: bool
):
    match = march(f"26 Pz @ 2619{escort}", GERMAN, beaches="2521", turn=2)
    before = match.view(GERMAN)["points"]["German"]
    go(match, "2520", "26 Pz")
    assert match.position.beaches == ([at("2521")] if stands else [LOST])
    assert match.view(GERMAN)["points"]["German"] == before + (0 if stands else 10)


@rule("italy1944", "9.6c")
def test_every_beachhead_destroyed_counts():
    match = march("26 Pz @ 2619; 94 ID @ 2119", GERMAN, beaches="2521 1716", turn=4)
    before = match.view(GERMAN)["points"]["German"]
    go(match, "2520", "26 Pz")
    halt(match)
    go(match, "1816", "94 ID")
    assert match.position.destroyed == 2
    assert match.view(GERMAN)["points"]["German"] == before + 20


@rule("italy1944", "9.6d")
@pytest.mark.parametrize("side", [ALLIED, GERMAN])
def test_a_lost_centre_may_come_back_on_a_road_within_10_hexes_of_a_source(side: int):
    match = begin("return", side, "US 34 @ 3323; 356 ID @ 1505", centres="- -")
    offered = mask(" ".join(hexes(match, "return the centre")))
    lattice = WAR.lattice
    assert offered == WAR.road_hexes & lattice.dilate(WAR.sources[side], 10) & WAR.land
    assert offered
    code = sorted(hexes(match, "return the centre"))[0]
    do(match, "return the centre", hex=code)
    assert match.position.centre[side] == at(code)
    assert match.position.spent == [0] * len(WAR.nations)


@rule("italy1944", "9.6d")
def test_the_line_to_the_source_must_be_free():
    # Germans stand between the road and the sources of the south.
    wall = "94 ID @ 3820; 305 ID @ 3722; 356 ID @ 3824; 334 ID @ 3818"
    match = begin("return", ALLIED, f"US 34 @ 3323; {wall}", centres="- 2418")
    offered = hexes(match, "return the centre")
    assert "3719" not in offered
    assert "3323" not in offered


@rule("italy1944", "9.6d")
@pytest.mark.parametrize(("friend", "opened"), [("", set[str]()), ("; 78 Inf @ 3522", {"3522"})])
def test_it_does_not_come_back_among_enemies_nor_alone_in_their_zones(
    friend: str, opened: set[str]
):
    # The Via Appia: 94 ID stands in 3622, and looks on 3522 and 3722.
    match = begin("return", ALLIED, f"US 34 @ 3323; 94 ID @ 3622{friend}", centres="- 2418")
    offered = hexes(match, "return the centre")
    assert {"3622", "3522", "3722"} & offered == opened
    assert {"3822", "3719"} <= offered


@rule("italy1944", "9.6e")
def test_it_comes_back_in_its_owners_next_rrw_phase():
    match = movement("6 Arm @ 2520; 356 ID @ 1505", centres="3322 2418", allied="2419")
    go(match, "2419", "6 Arm")
    assert match.position.centre[GERMAN] == LOST
    asked_for: list[tuple[int, str, int]] = []
    while "return the centre" not in verbs(match):
        asked_for.append((match.position.turn, match.position.phase, asked(match).side))
        idle(match)
    # Not before the Allies have finished their part of the phase; and not too late for his.
    assert (match.position.turn, asked(match).side) == (3, GERMAN)
    assert (3, "plans", ALLIED) in asked_for
    assert not [phase for turn, phase, side in asked_for if (turn, side) == (3, GERMAN)]


@rule("italy1944", "9.6e")
def test_a_centre_that_waits_is_asked_for_again_in_the_next_turn():
    match = begin("return", GERMAN, "US 34 @ 3322; 356 ID @ 1505", centres="3322 -")
    do(match, "wait for the centre")
    assert match.position.phase != "return"
    pass_on(match, until="return")
    assert (match.position.turn, asked(match).side) == (3, GERMAN)
    do(match, "return the centre", hex="1505")
    next_turn(match)
    assert (match.position.turn, match.position.phase) != (3, "return")
    assert match.position.centre[GERMAN] == at("1505")


@rule("italy1944", "9.6e")
def test_that_of_the_allies_comes_back_in_theirs():
    match = movement("26 Pz @ 3121; US 34 @ 3719", GERMAN, centres="3222 2418")
    go(match, "3221", "26 Pz")
    assert match.position.centre[ALLIED] == LOST
    pass_on(match, until="return")
    assert (match.position.turn, asked(match).side) == (3, ALLIED)
    assert "return the centre" in verbs(match)


def test_a_battle_is_told_with_its_result_and_its_losses():
    match = clash("US 34 @ 1104; 356 ID @ 1105 steps=1; 94 ID @ 1705")
    announce(match, "1105", "US 34")
    assert option("no more support") in offers(match)
    match.force(6)
    declare(match)
    assert results(match) == ["1/2"]
    assert [GAME.units[event.unit] for event in events(match, "is eliminated")] == ["356 ID"]
    assert [GAME.units[event.unit] for event in events(match, "loses a step")] == ["US 34"]
