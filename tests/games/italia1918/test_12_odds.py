"""Chapter 12.2.4: the odds of a combat."""

from fractions import Fraction
from typing import Any

import pytest

from apennine.games.italia1918.rules.c12_odds import (
    attack_strength,
    defence_strength,
    doctrine,
    offensive_modifier,
)
from apennine.games.italia1918.table.position import CENTRAL, ENTENTE
from apennine.testing import rule
from tests.games.italia1918.drawing import WAR, at, number, table, units
from tests.games.italia1918.fighting import battle, found, reasons

# W0505 is clear ground without a river; 4 ID attacks with 9, 22 DF defends with 10; morale 4.
PLAIN = "4 ID @ W0504; 22 DF @ W0505"


@rule("italia1918", "12.2.4b")
def test_the_books_ratios():
    ladder = WAR.ladder
    assert ladder.label(ladder.column(35, 10)) == "3/1"
    assert ladder.label(ladder.column(6, 10)) == "1/2"


@rule("italia1918", "12.2.4a")
def test_all_defenders_and_the_committed_attackers_count():
    counters = "4 ID, 13 SchD @ W0504; 33 ID @ W0404; 22 DF, 3 Alpini @ W0505"
    pos = battle(counters, "W0505", "4 ID, 33 ID")
    assert attack_strength(WAR, pos) == 17
    assert defence_strength(WAR, pos) == 14
    reduced = battle(f"{PLAIN} steps=2", "W0505", "4 ID")
    assert defence_strength(WAR, reduced) == 5


@rule("italia1918", "12.2.4a", "12.2.4k", "12.2.4n")
def test_fractions_are_kept():
    pos = battle("55 ID/26, 3 ID/216 @ W1812; 22 DF @ W1913", "W1913", "55 ID/26, 3 ID/216")
    assert attack_strength(WAR, pos) == Fraction(9, 2)


@rule("italia1918", "12.2.4c", "12.2.4d")
def test_shifts_lead_through_virtual_columns():
    result = found("55 ID/26 @ W0903; 22 DF, 3 Alpini @ W0803", "W0803", "55 ID/26")
    assert result.raw_label == "1/4"
    assert result.shifted == result.raw + sum(reasons(result).values())
    assert result.shifted < 0  # the attack is cancelled
    saved = found("4 ID @ W0903; 22 DF @ W0803", "W0803", "4 ID")
    assert (saved.raw_label, saved.shifted_label) == ("1/2", "1/3")


@rule("italia1918", "12.2.4aa")
def test_above_the_last_column_one_reads_the_last():
    result = found(
        "4 ID, 3 ID/216 @ W0504; 13 SchD @ W0404; Fant 1 @ W0505", "W0505", "4 ID, 13 SchD"
    )
    assert result.label == "8/1+"


# Terrain


@rule("italia1918", "12.2.4e", "12.2.4g", "12.2.4h")
@pytest.mark.parametrize(
    ("start", "target", "cited"),
    [("W0808", "W0809", "12.2.4e"), ("W0332", "W0333", "12.2.4g"), ("W1316", "W1317", "12.2.4h")],
)
def test_forest_marsh_and_town_shift_one_left(start: str, target: str, cited: str):
    result = found(f"4 ID @ {start}; 22 DF @ {target}", target, "4 ID")
    assert reasons(result)[cited] == -1


@rule("italia1918", "12.2.4f")
@pytest.mark.parametrize(("start", "target"), [("W0902", "W0903"), ("W2209", "W2210")])
def test_mountains_high_or_not_shift_one_left(start: str, target: str):
    result = found(f"4 ID @ {start}; 22 DF @ {target}", target, "4 ID")
    assert reasons(result) == {"12.2.4f": -1}


def test_clear_ground_shifts_nothing():
    assert reasons(found(PLAIN, "W0505", "4 ID")) == {}


@rule("italia1918", "12.2.4i")
def test_a_city_doubles_the_defence():
    pos = battle("4 ID @ W0224; 22 DF @ W0225", "W0225", "4 ID")
    assert defence_strength(WAR, pos) == 20


@rule("italia1918", "12.2.4j", "S5.S3b", "S3.S3b")
@pytest.mark.parametrize("unit", ["22 DF", "1 DA/1", "7 Div/20", "23 DI/78"])
def test_trenches_treble_the_entente_under_diaz(unit: str):
    pos = battle(f"4 ID @ W1933; {unit} @ W1832", "W1832", "4 ID")
    plain = WAR.faces[number(unit)][WAR.full[number(unit)]][1]
    assert WAR.theatres[5].trenches[ENTENTE] >> at("W1832") & 1
    assert defence_strength(WAR, pos) == 3 * plain


@rule("italia1918", "12.2.4j", "S0.S4b", "S1.S5b")
@pytest.mark.parametrize(
    ("scenario", "target", "unit"),
    [
        ("grappa", "W2023", "22 DF"),
        ("grappa", "W2026", "47 DI/GpA"),
        ("caporetto", "E2128", "22 DF"),
    ],
)
def test_and_double_it_under_the_older_doctrines(scenario: str, target: str, unit: str):
    start = {"W2023": "W2124", "W2026": "W2127", "E2128": "E2129"}[target]
    pos = battle(f"4 ID @ {start}; {unit} @ {target}", target, "4 ID", scenario=scenario)
    plain = WAR.faces[number(unit)][WAR.full[number(unit)]][1]
    assert defence_strength(WAR, pos) == 2 * plain


@rule("italia1918", "S2.S3b", "S4.S3b")
@pytest.mark.parametrize("scenario", ["radetzky", "solstice"])
def test_in_june_trenches_treble(scenario: str):
    pos = battle("4 ID @ W2124; 47 DI/GpA @ W2024", "W2024", "4 ID", scenario=scenario)
    assert WAR.theatres[pos.scenario].trenches[ENTENTE] >> at("W2024") & 1
    assert defence_strength(WAR, pos) == 12


@rule("italia1918", "12.2.4j", "12.2.4y")
def test_the_central_powers_are_trebled_in_any_trench_whoever_dug_it():
    for target, start in (("W1930", "W1830"), ("W1832", "W1833")):
        pos = battle(f"22 DF @ {start}; 4 ID @ {target}", target, "22 DF", side=ENTENTE)
        assert defence_strength(WAR, pos) == 30


@rule("italia1918", "12.2.4k", "12.2.4l")
def test_only_those_who_attack_uphill_are_halved():
    counters = "4 ID @ W1812; 13 SchD @ W1912; 22 DF @ W1913"
    pos = battle(counters, "W1913", "4 ID, 13 SchD")
    level = WAR.lattice.direction(at("W1912"), at("W1913"))
    assert not WAR.ground.uphill[level] >> at("W1912") & 1
    assert attack_strength(WAR, pos) == Fraction(9, 2) + 8
    down = battle("4 ID @ W1913; 22 DF @ W1812", "W1812", "4 ID")
    assert attack_strength(WAR, down) == 9


@rule("italia1918", "12.2.4n")
def test_only_those_who_attack_over_a_major_river_are_halved():
    counters = "4 ID @ W1221; 13 SchD @ W1323; 22 DF @ W1322"
    pos = battle(counters, "W1322", "4 ID, 13 SchD")
    assert attack_strength(WAR, pos) == Fraction(9, 2) + 8


@rule("italia1918", "12.2.4x")
def test_factors_multiply():
    trench = WAR.theatres[1].trenches[ENTENTE] & WAR.ground.cities
    assert trench >> at("E2228") & 1
    pos = battle("4 ID @ E2229; 22 DF @ E2228", "E2228", "4 ID", scenario="caporetto")
    assert defence_strength(WAR, pos) == 40


@rule("italia1918", "12.2.4m")
def test_a_minor_river_helps_only_if_all_attack_over_it():
    all_over = found("4 ID @ W0613; 22 DF @ W0714", "W0714", "4 ID")
    assert reasons(all_over)["12.2.4m"] == -1
    some = found("4 ID @ W0613; 13 SchD @ W0715; 22 DF @ W0714", "W0714", "4 ID, 13 SchD")
    assert "12.2.4m" not in reasons(some)


@rule("italia1918", "12.2.4w")
def test_all_over_a_minor_river_against_a_mountain_is_two_left():
    result = found("4 ID @ W1411; 22 DF @ W1512", "W1512", "4 ID")
    assert sum(reasons(result).values()) == -2


# Other modifiers


@rule("italia1918", "12.2.4o", "15.3.1c", "15.3.2c")
@pytest.mark.parametrize("troops", ["SturmB 1", "SturmB 1, SturmB 2", "Stoss 1"])
def test_assault_troops_shift_one_right_and_no_more(troops: str):
    result = found(PLAIN, "W0505", "4 ID", shock=units(troops))
    assert reasons(result) == {"12.2.4o": 1}


@rule("italia1918", "12.2.4p", "12.2.3k")
@pytest.mark.parametrize(
    ("one", "two", "columns"),
    [("AlpK Leib", "22 DF", 2), ("4 ID", "3 Alpini", -1), ("4 ID", "22 DF", 0)],
)
def test_the_morale_of_the_lead_units(one: str, two: str, columns: int):
    counters = "4 ID @ W0504; AlpK Leib @ W0404; 22 DF, 3 Alpini @ W0505"
    result = found(counters, "W0505", "4 ID, AlpK Leib", leads=(one, two))
    assert reasons(result).get("12.2.4p", 0) == columns


@rule("italia1918", "12.2.4q", "9.2b")
def test_a_hungry_defender_is_one_column_worse():
    assert reasons(found(f"{PLAIN} hungry", "W0505", "4 ID")) == {"12.2.4q": 1}


@rule("italia1918", "12.2.4r", "S1.S5a")
@pytest.mark.parametrize(
    ("lead", "scenario", "columns"),
    [("22 DF", "caporetto", 1), ("22 DF", "vittorio", 0), ("23 DI/78", "vittorio", 1)],
)
def test_cadorna_attacks_one_column_better(lead: str, scenario: str, columns: int):
    spots = ("E2308", "E2309") if scenario == "caporetto" else ("W0504", "W0505")
    counters = f"{lead} @ {spots[0]}; 4 ID @ {spots[1]}"
    result = found(counters, spots[1], lead, side=ENTENTE, scenario=scenario)
    assert reasons(result).get("12.2.4r", 0) == columns


OFFENSIVE: dict[str, Any] = {"scenario": "caporetto", "turn": 1, "offensive": True}


@rule("italia1918", "12.2.4s", "8.0d")
@pytest.mark.parametrize(("sequence", "columns"), [(1, 3), (2, 2), (3, 1)])
def test_the_offensive_modifier_of_the_sequence(sequence: int, columns: int):
    counters = "4 ID @ E2308; 22 DF @ E2309; AArt XIV A/1 @ E2305 firing"
    result = found(counters, "E2309", "4 ID", **OFFENSIVE, sequence=sequence)
    assert reasons(result)["12.2.4s"] == columns


@rule("italia1918", "12.2.4s", "12.2.4z")
def test_the_gun_must_reach_and_be_in_offensive_mode_and_two_give_no_more():
    def modifier(guns: str) -> int:
        counters = f"4 ID @ E2308; 22 DF @ E2309; {guns}"
        return offensive_modifier(WAR, battle(counters, "E2309", "4 ID", **OFFENSIVE))

    assert modifier("AArt XIV A/1 @ E2304 firing") == 3
    assert modifier("AArt XIV A/1 @ E2303 firing") == 0
    assert modifier("AArt XIV A/1 @ E2305") == 0
    assert modifier("AArt XIV A/1, AArt XIV A/2 @ E2305 firing") == 3


RING = "4 ID @ W0504; 13 SchD @ W0506; 22 DF @ W0505"


@rule("italia1918", "12.2.4t")
def test_a_concentric_attack():
    assert reasons(found(RING, "W0505", "4 ID"))["12.2.4t"] == 1
    assert "12.2.4t" not in reasons(found(PLAIN, "W0505", "4 ID"))


@rule("italia1918", "12.2.4u")
def test_a_friend_beside_the_defender_cancels_it():
    assert "12.2.4t" not in reasons(found(f"{RING}; 3 Alpini @ W0604", "W0505", "4 ID"))


@rule("italia1918", "12.2.4ab")
def test_the_edge_of_the_map_is_never_covered():
    counters = "4 ID @ W0114; 13 SchD @ W0116; 33 ID @ W0214; 28 ID @ W0215; 22 DF @ W0115"
    assert "12.2.4t" not in reasons(found(counters, "W0115", "4 ID"))


@rule("italia1918", "S1.S9b", "S1.S9d")
def test_rommel_makes_any_attack_concentric_and_no_more():
    friend = "AlpK Leib @ W0504; 22 DF @ W0505; 3 Alpini @ W0604"
    assert reasons(found(friend, "W0505", "AlpK Leib", rommel=True))["12.2.4t"] == 1
    assert reasons(found(RING, "W0505", "4 ID", rommel=True))["12.2.4t"] == 1


# Doctrines


@rule("italia1918", "S5.S3a", "S4.S3a", "S2.S3a")
@pytest.mark.parametrize(
    ("scenario", "unit", "columns", "attacking"),
    [
        *(("vittorio", "22 DF", 0, -1), ("vittorio", "7 Div/20", 0, 0)),
        *(
            ("vittorio", "23 DI/78", 1, 1),
            ("vittorio", "332 US", 1, 1),
            ("vittorio", "2 DA/1", 1, 1),
        ),
        *(
            ("solstice", "1 DA/1", 1, 1),
            ("radetzky", "23 Div/68", 0, 0),
            ("radetzky", "24 DI/50", 1, 1),
        ),
    ],
)
def test_the_doctrine_of_a_unit(scenario: str, unit: str, columns: int, attacking: int):
    taught = doctrine(WAR, table(scenario=scenario), number(unit))
    assert taught
    assert (taught.columns, taught.attacking) == (columns, attacking)


@rule("italia1918", "S3.S3a", "S0.S4a", "3.0f")
def test_italians_of_june_and_of_the_grappa_and_no_doctrine_of_the_central_powers():
    june, grappa = table(scenario="albrecht"), table(scenario="grappa")
    diaz, cadorna = WAR.book.doctrines["Diaz"], WAR.book.doctrines["Cadorna/Foch"]
    assert doctrine(WAR, june, number("22 DF")) == diaz
    assert doctrine(WAR, june, number("1 DA/1")) == cadorna
    assert doctrine(WAR, grappa, number("22 DF")) == WAR.book.doctrines["Evolving"]
    assert doctrine(WAR, grappa, number("47 DI/GpA")) == cadorna
    assert doctrine(WAR, june, number("4 ID")) is None
    assert WAR.side_of[number("4 ID")] == CENTRAL
