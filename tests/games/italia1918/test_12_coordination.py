"""Chapter 12.2.6: Tactical Coordination."""

from typing import Any

import pytest

from apennine.games.italia1918.rules.c12_coordination import (
    ATTACKING,
    DEFENDING,
    MISUNDERSTOOD,
    NONE,
    PARTIAL,
    PERFECT,
    grade,
    modifiers,
    retreat_limit,
    within_three,
)
from apennine.games.italia1918.table.position import CENTRAL, ENTENTE, Table
from apennine.testing import rule
from tests.games.italia1918.drawing import WAR, number, units
from tests.games.italia1918.fighting import battle

PLAIN = "4 ID @ W0504; 22 DF @ W0505"


def changes(pos: Table, role: int) -> dict[str, int]:
    """What changes a die, by rule."""
    return {shift.rule: shift.columns for shift in modifiers(WAR, pos, role)}


def both(*args: Any, **fields: Any) -> tuple[dict[str, int], dict[str, int]]:
    """The changes for attacker and defender."""
    pos = battle(*args, **fields)
    return changes(pos, ATTACKING), changes(pos, DEFENDING)


def test_two_plain_divisions():
    assert both(PLAIN, "W0505", "4 ID") == ({}, {})


@rule("italia1918", "12.2.6c")
def test_trenches_help_the_defender():
    attacking, defending = both("4 ID @ W1933; 22 DF @ W1832", "W1832", "4 ID")
    assert defending["12.2.6c"] == 2
    assert "12.2.6c" not in attacking


@rule("italia1918", "12.2.6d")
def test_an_elite_lead_unit_helps_either_side():
    attacking, defending = both("AlpK Leib @ W0504; 3 Alpini @ W0505", "W0505", "AlpK Leib")
    assert attacking["12.2.6d"] == defending["12.2.6d"] == 1


@rule("italia1918", "12.2.6e")
def test_aircraft_over_the_hex_help_their_side_and_hurt_the_other():
    attacking, defending = both("4 ID @ W0504; 22 DF, Air It1 @ W0505", "W0505", "4 ID")
    assert (attacking["12.2.6e"], defending["12.2.6e"]) == (-1, 1)
    attacking, defending = both("4 ID @ W0504; 22 DF, Air AH1 @ W0505", "W0505", "4 ID")
    assert (attacking["12.2.6e"], defending["12.2.6e"]) == (1, -1)


@rule("italia1918", "12.2.6f")
@pytest.mark.parametrize("state", ["disorganized", "reorganizing"])
def test_a_disorganized_defender_hurts(state: str):
    counters = f"4 ID @ W0504; 22 DF @ W0505; 3 Alpini @ W0505 {state}"
    assert both(counters, "W0505", "4 ID")[1]["12.2.6f"] == -1


GRAPPA = "4 ID @ W2526; {units} @ W2525"


@rule("italia1918", "12.2.6g", "S0.S5a")
def test_different_nationalities_are_strained_under_the_evolving_doctrine():
    mixed = both(GRAPPA.format(units="22 DF, 47 DI/GpA"), "W2525", "4 ID", scenario="grappa")
    assert mixed[1]["12.2.6g"] == -1
    guns = GRAPPA.format(units="22 DF") + "; CArt XXXI CA @ W2424"
    helped = both(guns, "W2525", "4 ID", scenario="grappa", guns=("", "CArt XXXI CA"))
    assert helped[1]["12.2.6g"] == -1
    alone = both(GRAPPA.format(units="22 DF"), "W2525", "4 ID", scenario="grappa")
    assert "12.2.6g" not in alone[1]


@rule("italia1918", "S2.S3c", "S4.S3c", "S5.S3c")
@pytest.mark.parametrize("scenario", ["radetzky", "solstice", "vittorio"])
def test_and_not_at_all_under_diaz(scenario: str):
    counters = "4 ID @ W1016; 22 DF, 23 DI/78 @ W1015"
    assert "12.2.6g" not in both(counters, "W1015", "4 ID", scenario=scenario)[1]


@rule("italia1918", "S0.S6", "S1.S5c")
@pytest.mark.parametrize(
    ("scenario", "spots"), [("grappa", "W2526 W2525"), ("caporetto", "E2308 E2309")]
)
def test_germans_and_austrians_are_one(scenario: str, spots: str):
    start, target = spots.split()
    counters = f"4 ID, AlpK Leib @ {start}; 22 DF @ {target}"
    assert "12.2.6g" not in both(counters, target, "4 ID, AlpK Leib", scenario=scenario)[0]


@rule("italia1918", "12.2.6h")
def test_bruchmueller_hurts_the_defender():
    counters = "4 ID @ E2308; 22 DF @ E2309; AArt XIV A/1 @ E2305 firing"
    gun = number("AArt XIV A/1")
    fields: dict[str, Any] = {"scenario": "caporetto", "bruchmueller": gun}
    assert both(counters, "E2309", "4 ID", **fields)[1]["12.2.6h"] == -2
    assert "12.2.6h" not in both(counters, "E2309", "4 ID", **fields, sequence=2)[1]
    far = counters.replace("E2305", "E2303")
    assert "12.2.6h" not in both(far, "E2309", "4 ID", **fields)[1]


@rule("italia1918", "12.2.6i", "12.2.6b")
def test_cadorna_helps_attackers_and_hurts_defenders_by_the_lead_unit():
    counters = "23 DI/78, 22 DF @ W0504; 4 ID @ W0505"
    french = battle(counters, "W0505", "23 DI/78, 22 DF", side=ENTENTE)
    assert changes(french, ATTACKING)["12.2.6i"] == 1
    led = ("22 DF", "4 ID")
    italian = battle(counters, "W0505", "23 DI/78, 22 DF", leads=led, side=ENTENTE)
    assert "12.2.6i" not in changes(italian, ATTACKING)
    held = battle("4 ID @ W0504; 23 DI/78 @ W0505", "W0505", "4 ID")
    assert changes(held, DEFENDING)["12.2.6i"] == -1


@rule("italia1918", "12.2.6j", "S0.S5b")
def test_diaz_hampers_attackers_alone():
    pos = battle("22 DF @ W0504; 4 ID @ W0505", "W0505", "22 DF", side=ENTENTE)
    assert changes(pos, ATTACKING)["12.2.6j"] == -1
    assert changes(battle(PLAIN, "W0505", "4 ID"), DEFENDING) == {}


@rule("italia1918", "12.2.6b")
def test_the_central_powers_have_no_doctrine():
    pos = battle("22 DF @ W0504; 4 ID @ W0505", "W0505", "22 DF", side=ENTENTE)
    assert changes(pos, DEFENDING) == {}


@rule("italia1918", "12.2.6k", "15.3.1c", "15.3.2c")
@pytest.mark.parametrize("troops", ["SturmB 1", "Stoss 1"])
def test_storm_troops_help(troops: str):
    assert both(PLAIN, "W0505", "4 ID", shock=units(troops))[0] == {"12.2.6k": 1}


@rule("italia1918", "12.2.6l", "15.3.3d")
def test_arditi_do_not():
    counters = "22 DF @ W0504; 4 ID @ W0505"
    pos = battle(counters, "W0505", "22 DF", side=ENTENTE, shock=units("Arditi 1"))
    assert "12.2.6k" not in changes(pos, ATTACKING)


@rule("italia1918", "12.2.6m")
def test_the_offensive_modifier_helps_the_attacker():
    counters = "4 ID @ E2308; 22 DF @ E2309; AArt XIV A/1 @ E2305 firing"
    pos = battle(counters, "E2309", "4 ID", scenario="caporetto", turn=1, offensive=True)
    assert changes(pos, ATTACKING)["12.2.6m"] == 3
    assert "12.2.6m" not in changes(pos, DEFENDING)


@rule("italia1918", "12.2.6n")
@pytest.mark.parametrize(
    ("attackers", "value"),
    [("4 ID", 0), ("4 ID, 12 rtSchD", -1), ("4 ID, 63 ID", -2), ("4 ID, 12 rtSchD, 63 ID", -2)],
)
def test_low_morale_among_the_attackers_hurts_once(attackers: str, value: int):
    counters = "4 ID @ W0504; 12 rtSchD @ W0404; 63 ID @ W0506; 22 DF @ W0505"
    assert both(counters, "W0505", attackers)[0].get("12.2.6n", 0) == value


# Results


@rule("italia1918", "12.2.6o")
@pytest.mark.parametrize(
    ("die", "modifier", "result"),
    [
        *((5, 1, PERFECT), (6, -4, PERFECT), (4, 3, PERFECT)),
        *((3, 0, PARTIAL), (5, 0, PARTIAL), (2, 1, PARTIAL)),
        *((2, 0, NONE), (4, -2, NONE), (3, -2, NONE)),
        *((2, -2, MISUNDERSTOOD), (3, -4, MISUNDERSTOOD)),
    ],
)
def test_what_a_die_means(die: int, modifier: int, result: str):
    assert grade(WAR, die, modifier) == result


@rule("italia1918", "12.2.6p", "12.2.6as")
@pytest.mark.parametrize(
    ("modifier", "result"), [(0, NONE), (5, NONE), (-1, MISUNDERSTOOD), (-3, MISUNDERSTOOD)]
)
def test_a_natural_one_is_never_better_than_none(modifier: int, result: str):
    assert grade(WAR, 1, modifier) == result


@rule("italia1918", "12.2.6r", "12.2.6w")
def test_how_far_coordination_lets_the_defender_go():
    pos = battle(PLAIN, "W0505", "4 ID")
    limits = [retreat_limit(WAR, pos, result) for result in (PERFECT, PARTIAL, NONE, MISUNDERSTOOD)]
    assert limits == [3, 2, 0, 0]


@rule("italia1918", "12.2.6s", "12.2.6w", "12.2.6ao")
@pytest.mark.parametrize(
    "counters",
    [
        "4 ID @ W0504; 23 DI/78 @ W0505",
        f"{PLAIN} disorganized",
        f"{PLAIN} reorganizing",
        "4 ID @ W0504; 23 DI/78 @ W0505 disorganized",
    ],
)
def test_cadorna_and_disorder_cost_a_hex_once(counters: str):
    pos = battle(counters, "W0505", "4 ID")
    assert [retreat_limit(WAR, pos, result) for result in (PERFECT, PARTIAL)] == [2, 1]


def test_units_within_three_hexes_of_the_battle():
    pos = battle(f"{PLAIN}; 37 DF @ W0508; 4 DF @ W0509", "W0505", "4 ID")
    assert within_three(WAR, pos, WAR.army[ENTENTE]) == units("22 DF, 37 DF")
    assert within_three(WAR, pos, WAR.army[CENTRAL]) == units("4 ID")
