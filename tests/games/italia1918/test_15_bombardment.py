"""Chapter 15.2: bombardment and Counter-battery fire."""

from typing import Any

import pytest

from apennine.games.italia1918.rules.c15_bombardment import (
    column,
    hit_points,
    may_counter,
    ready_guns,
    shelling,
    spare_guns,
    strength,
)
from apennine.games.italia1918.table.position import CENTRAL, ENTENTE, Table
from apennine.testing import rule
from tests.games.italia1918.drawing import WAR, number, units
from tests.games.italia1918.fighting import battle

PLAIN = "4 ID @ W0504; 22 DF @ W0505"
OURS = "AArt 6 A, CArt II K, CArt III K, CArt IV K"
THEIRS = "AArt II Armata, CArt I CdA"
GUNS = f"{PLAIN}; {OURS} @ W0503; {THEIRS} @ W0507"


def shots(counters: str = GUNS, **fields: Any) -> Table:
    given: dict[str, Any] = {"guns": (OURS, THEIRS)} | fields
    return battle(counters, "W0505", "4 ID", **given)


@rule("italia1918", "12.2.2e", "15.2.2e")
def test_the_books_example():
    pos = shots(counter=units("CArt I CdA, CArt IV K"))
    assert (strength(WAR, pos, 0), column(WAR, pos, 0)) == (5, 4)
    assert (strength(WAR, pos, 1), column(WAR, pos, 1)) == (1, 0)
    assert WAR.book.bombardment.columns[4] == "5"


@rule("italia1918", "15.2.2e")
def test_nothing_left_is_no_bombardment():
    pos = shots(guns=("CArt II K", "CArt I CdA"), counter=units("CArt I CdA"))
    assert strength(WAR, pos, 0) == 0
    assert column(WAR, pos, 0) == -1
    assert hit_points(WAR, pos, 0, 6) == 0


@rule("italia1918", "15.2.2b")
def test_guns_must_reach_the_hex():
    counters = f"{PLAIN}; CArt II K @ W0501; AArt 6 A @ W0510; CArt III K @ W0510"
    pos = battle(counters, "W0505", "4 ID")
    assert ready_guns(WAR, pos, CENTRAL) == units("CArt II K, AArt 6 A")


@rule("italia1918", "15.2.2d", "15.2.3a")
def test_most_guns_fire_once_a_phase():
    pos = shots()
    assert ready_guns(WAR, pos, CENTRAL) == units(OURS)
    for name in ("CArt II K", "AArt 6 A"):
        pos.shots[number(name)] = 1
    assert ready_guns(WAR, pos, CENTRAL) == units("CArt III K, CArt IV K")


@rule("italia1918", "15.2.2c", "15.2.3a")
def test_army_artillery_in_offensive_mode_fires_four_times_in_attack_and_once_in_defence():
    pos = shots(firing=units("AArt 6 A, AArt II Armata"))
    pos.shots[number("AArt 6 A")] = 3
    pos.shots[number("AArt II Armata")] = 1
    assert ready_guns(WAR, pos, CENTRAL) & units("AArt 6 A")
    assert not ready_guns(WAR, pos, ENTENTE) & units("AArt II Armata")
    pos.shots[number("AArt 6 A")] = 4
    assert not ready_guns(WAR, pos, CENTRAL) & units("AArt 6 A")


@rule("italia1918", "S1.S6a", "S5.S6c")
def test_silent_guns_do_not_fire():
    pos = shots(silent=units("CArt I CdA"))
    assert ready_guns(WAR, pos, ENTENTE) == units("AArt II Armata")


@rule("italia1918", "12.2.2d", "3.0i", "3.0j")
def test_only_corps_artillery_fires_counter_battery():
    assert may_counter(WAR, units(OURS)) == units("CArt II K, CArt III K, CArt IV K")


@rule("italia1918", "3.0k", "S3.S5a")
def test_barges_and_the_amalfi_battery_never_do():
    assert may_counter(WAR, units("Barges, Amalfi")) == 0


@rule("italia1918", "12.2.2c", "12.2.2g")
@pytest.mark.parametrize(
    ("ours", "theirs", "spare"),
    [
        (OURS, "CArt I CdA", 3),  # the army support alone counts as two
        ("CArt II K, CArt III K, CArt IV K", "CArt I CdA", 2),
        ("CArt II K", "CArt I CdA", 0),
        ("CArt II K", "CArt I CdA, CArt II CdA", 0),
        ("AArt 6 A, CArt II K", "CArt I CdA, CArt II CdA, CArt IV CdA", 0),
    ],
)
def test_how_many_the_attacker_may_flip(ours: str, theirs: str, spare: int):
    counters = f"{PLAIN}; {ours} @ W0503; {theirs} @ W0507"
    pos = battle(counters, "W0505", "4 ID", guns=(ours, theirs), counter=units(theirs))
    assert spare_guns(WAR, pos) == spare


# Dice


def reasons(pos: Table) -> dict[str, int]:
    return {shift.name: shift.columns for shift in shelling(WAR, pos)}


@rule("italia1918", "15.2.2h")
def test_bruchmueller_adds_three_in_reach_of_his_gun_and_in_the_first_sequence():
    counters = "4 ID @ E2308; 22 DF @ E2309; AArt XIV A/1 @ {gun} firing"
    gun = number("AArt XIV A/1")

    def bonus(where: str, sequence: int) -> int:
        pos = battle(
            counters.format(gun=where),
            "E2309",
            "4 ID",
            scenario="caporetto",
            bruchmueller=gun,
            sequence=sequence,
        )
        return sum(reasons(pos).values())

    assert bonus("E2305", 1) == 3
    assert bonus("E2305", 2) == 0
    assert bonus("E2303", 1) == 0


@rule("italia1918", "15.2.2j")
def test_trenches_cities_and_diaz_shelter_the_defender():
    trench = battle("4 ID @ W1933; 22 DF @ W1832", "W1832", "4 ID")
    assert reasons(trench) == {"trenches": -2, "Italians under Diaz": -1}
    city = battle("4 ID @ W0224; 7 Div/20 @ W0225", "W0225", "4 ID")
    assert reasons(city) == {"city": -1}


@rule("italia1918", "15.2.2j")
@pytest.mark.parametrize(
    ("stack", "sheltered"),
    [("22 DF", True), ("22 DF, 7 Div/20", False), ("22 DF, 1 DA/1", False), ("23 DI/78", False)],
)
def test_diaz_shelters_only_if_all_are_italians_of_his(stack: str, sheltered: bool):
    pos = battle(f"4 ID @ W0504; {stack} @ W0505", "W0505", "4 ID")
    assert ("Italians under Diaz" in reasons(pos)) == sheltered


@rule("italia1918", "15.2.2i")
@pytest.mark.parametrize(("die", "points"), [(1, 2), (4, 3), (6, 4)])
def test_the_cell_of_the_net_strength_and_the_modified_die(die: int, points: int):
    pos = shots(counter=units("CArt I CdA, CArt IV K"))  # column 5, Diaz: one less
    assert hit_points(WAR, pos, 0, die) == points


@rule("italia1918", "15.2.2i")
def test_six_points_and_more_read_the_last_column():
    assert column(WAR, shots(), 0) == 5  # nine points


@rule("italia1918", "15.2.2k", "15.2.2n")
def test_an_observer_shifts_a_column_for_either_side():
    one = shots(f"{GUNS}; Air AH1 @ W0505 observing", counter=units("CArt I CdA, CArt IV K"))
    assert (column(WAR, one, 0), column(WAR, one, 1)) == (5, 0)
    two = shots(f"{GUNS}; Air It1 @ W0505 observing", counter=units("CArt I CdA, CArt IV K"))
    assert (column(WAR, two, 0), column(WAR, two, 1)) == (4, 1)


@rule("italia1918", "15.2.2n")
def test_the_dice_of_the_defender_are_never_changed():
    pos = battle(
        "4 ID @ W1933; 22 DF @ W1832; CArt I CdA @ W1731",
        "W1832",
        "4 ID",
        guns=("", "CArt I CdA"),
    )
    assert hit_points(WAR, pos, 1, 6) == 3
    assert WAR.book.bombardment.cell(6, 1) == 3


@rule("italia1918", "11.4c")
def test_guns_in_retreat_mode_do_less_but_never_nothing():
    pos = shots(guns=("AArt 6 A, CArt II K, CArt XXI K", ""), fleeing=-1)
    assert strength(WAR, pos, 0) == 2 + 1 + 1
