"""The errata and chapters 1 and 2: who the units are, how they move, and what a hit does."""

from __future__ import annotations

from copy import deepcopy

import pytest

from apennine.games.underbelly.table.book import read_book
from apennine.games.underbelly.table.position import UNDECIDED
from apennine.games.underbelly.table.war import War
from apennine.hexes import bits
from apennine.kernel.data import DataFile
from apennine.kernel.dice import DiceError
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.underbelly.drawing import (
    ALLIED,
    GAME,
    GERMAN,
    HISTORICAL,
    LOST,
    NO_PORTS,
    NOWHERE,
    TIBER,
    WAR,
    allowance,
    at,
    attack,
    begin,
    codes,
    do,
    fresh,
    hexes,
    named,
    next_turn,
    number,
    order,
    pass_on,
    price,
    reach,
    rolls,
    seen,
    shoot_out,
    stack,
    steps,
    verbs,
    where,
    zone,
)

MISS = 10


@rule("underbelly", "Errata")
@pytest.mark.parametrize("name", ["65 Inf", "76 Inf", "94 Inf", "305 Inf", "334 Inf"])
def test_the_five_divisions_of_the_errata_march_four_hexes_on_foot(name: str):
    match = begin(f"{name} @ 2310", GERMAN)
    assert allowance(match, "2310") == 4
    assert price(match, "2310", "2311") == 2  # a mountain hex, on foot


# Who belongs together


@rule("underbelly", "1.3")
def test_each_german_unit_is_of_the_organisation_that_it_shows():
    match = fresh()
    shown = {unit["name"]: unit["nation"] for unit in match.view(GERMAN)["units"]}
    assert {shown[name] for name in ("16 Pz", "24 Pz", "5 Mtn", "11 Flak")} == {"10"}
    assert {shown[name] for name in ("1 SS", "24 Pz SS", "II SS")} == {"2SS"}
    assert {shown[name] for name in ("1 Pz", "9 SS", "LI Mtn")} == {"5Pz"}


@rule("underbelly", "1.3b")
@pytest.mark.parametrize(("scenario", "out"), [("historical", True), ("wat", False)])
def test_only_10th_army_fights_in_the_historical_scenario(scenario: str, out: bool):
    match = fresh(scenario)
    pass_on(match, until="orders")
    others = [u for u in WAR.members[GERMAN] if WAR.roster[u].group != "10"]
    assert len(others) == 18
    gone = {seen(match, GERMAN, GAME.units[unit])["where"] == "out of play" for unit in others}
    assert gone == {out}
    assert seen(match, GERMAN, "16 Pz")["where"] == "on the map"


@rule("underbelly", "1.3b")
def test_it_is_the_organisation_that_keeps_the_others_out():
    """Also if no counter were marked for one scenario alone."""
    raw = deepcopy(GAME.read_file("units.toml").data)
    for counter in raw["units"]:
        counter.pop("only", None)
    others = (GAME.read_file(name) for name in ("charts.toml", "scenarios.toml"))
    war = War(GAME.board, read_book(GAME.board, DataFile("units.toml", raw), *others))
    out = {war.roster[unit].group for unit in bits(war.left_out[HISTORICAL])}
    assert out == {"2SS", "5Pz"}
    assert not war.left_out[TIBER]


@rule("underbelly", "1.4")
def test_the_french_are_us_and_the_indians_are_british():
    both = begin("FX Mtn, 8 I @ 3309", turn=21)
    assert allowance(both, "3309", "FX Mtn") == 4 - 1  # a mixed stack
    french = begin("FX Mtn, US 3 @ 3309; 8 I, 2 NZ, 5 C Arm @ 3409", turn=21)
    assert allowance(french, "3309", "FX Mtn") == 4
    assert allowance(french, "3409", "8 I") == 8


@rule("underbelly", "1.5a", "7.2a")
@pytest.mark.parametrize("name", ["US VI", "US II", "X Corps", "XIII Corps", "V Corps"])
def test_units_with_the_artillery_symbol_are_corps_support_and_have_no_zone(name: str):
    match = begin(f"{name} @ 3309")
    assert seen(match, ALLIED, name)["size"] == "corps"
    assert zone(match, ALLIED) == set()
    assert "attack" not in verbs(begin(f"{name} @ 3309; 16 Pz @ 3409"))


@rule("underbelly", "1.5b")
def test_the_flak_and_the_french_corps_are_divisions():
    match = begin("FX Mtn @ 3309; 11 Flak @ 2211", turn=21)
    assert zone(match, ALLIED) == {"3308", "3409", "3410", "3310", "3210", "3209"}
    assert len(zone(match, GERMAN)) == 6
    assert {seen(match, ALLIED, name)["size"] for name in ("FX Mtn", "11 Flak")} == {"division"}
    # As divisions they attack alone, and leave room for corps support.
    assert "attack" in verbs(begin("FX Mtn @ 3309; 16 Pz @ 3409", turn=21))
    assert "attack" in verbs(begin("11 Flak @ 3409; US 36 @ 3309", GERMAN))
    crowded = begin("11 Flak @ 2211; XIV Pz @ 2210; 16 Pz, HG, 15 PG @ 2310", GERMAN)
    assert "2211" in reach(begin("11 Flak @ 2211; XIV Pz @ 2210", GERMAN), "2210")
    assert "2310" not in reach(crowded, "2211")


# The die


@rule("underbelly", "2.2")
def test_all_chance_is_a_die_of_ten_sides():
    """A march, a battle with bombers for a city, the rolls between turns, and an end-run."""
    front = "46 Inf @ 2822; US 36 @ 2921; 16 Pz @ 1022"
    march = begin("XIV Pz @ 2310", GERMAN)
    order(march, "move", "2310")
    battle = begin("US 36, US VI @ 2521; 16 Pz, HG @ 2522", tac_active=True)
    attack(battle, "2521", "2522", bombers=True, dice=(MISS,) * 9)
    while battle.position.target != NOWHERE:
        do(battle, next(iter(verbs(battle) - {"shell"}), "shell"))
    between = [
        begin(front, GERMAN, "end", turn=1, scenario=UNDECIDED),
        begin(front, GERMAN, "interlude", turn=3, scenario=TIBER, plot=0),
        begin(front, GERMAN, "interlude", turn=6, scenario=TIBER, plot=0, ss_entered=True),
        begin(front, GERMAN, "interlude", turn=21, switched=True),
    ]
    afloat = "US 45, US 3, US 34, 1 C, US VI @ end-run"
    end_run = begin(f"{front}; {afloat}", scenario=TIBER, turn=14, plot=13, launched=13)
    do(end_run, "roll for the end-run")
    found = [roll for match in (march, battle, *between, end_run) for roll in rolls(match)]
    assert {roll.rule for roll in found} == {
        *("2.12a", "8.2", "8.5a", "8.7a", "8.17a", "11.11a"),
        *("13.2/2c", "13.2/3a", "13.2/5a", "13.6c", "13.6d"),
    }
    assert {roll.sides for roll in found} == {(10,)}


@rule("underbelly", "2.2")
def test_a_die_shows_one_to_ten_and_no_nought():
    position = begin("XIV Pz @ 2310", GERMAN).position
    match = Match(GAME, position=position, dice_by_hand=True)
    do(match, "move", hex="2310")
    for face in (0, 11):
        with pytest.raises(DiceError):
            match.roll(face)
    match.roll(10)
    assert match.position.moves_left == 8


# Units on the map


@rule("underbelly", "2.3")
def test_a_unit_that_marches_is_in_one_hex_and_no_longer_in_the_other():
    match = begin("US 36 @ 3309")
    order(match, "move", "3309")
    do(match, "go", hex="3409")
    assert where(match, "US 36") == "3409"
    assert (stack(match, "3309"), stack(match, "3409")) == (set(), {"US 36"})
    assert seen(match, GERMAN, "US 36")["hex"] == "3409"


@rule("underbelly", "2.5")
def test_the_1st_armored_comes_in_turn_17_with_what_its_counter_says():
    match = begin("US 36 @ 3309", phase="interlude", side=GERMAN, turn=16, switched=True)
    pass_on(match, until="command", side=ALLIED)
    assert where(match, "US 1 Arm") is None
    next_turn(match)
    assert match.position.turn == 17
    pass_on(match, until="command", side=ALLIED)
    assert where(match, "US 1 Arm") == "available"
    shown = seen(match, ALLIED, "US 1 Arm")
    assert (shown["steps"], shown["factors"]) == (2, {"fire": 7, "moves": 8})


@rule("underbelly", "2.6")
@pytest.mark.parametrize("name", ["1 Para", "2 Para"])
def test_german_parachutists_climb_and_never_drop(name: str):
    match = begin(f"{name} @ 2310", GERMAN)
    assert price(match, "2310", "2311") == 1
    # From the box it comes by road or over the edge, as all Germans do; there is no drop for it.
    waiting = begin(f"{name} @ tenth; 16 Pz @ 2211", GERMAN)
    assert not {"drop", "ready the drop"} & verbs(waiting)
    order(waiting, "move", "tenth")
    assert hexes(waiting, "enter") <= codes(WAR.north)


@rule("underbelly", "2.6")
def test_the_82nd_alone_can_drop():
    match = begin("82 Abn, US 45 @ available", drop_ready=True, tac_active=True)
    assert named(match, "drop") == {"82 Abn"}


# Mobility


@rule("underbelly", "2.11a")
@pytest.mark.parametrize(
    ("unit", "cost"),
    [("1 Para", 1), ("5 Mtn", 1), ("76 Inf", 2), ("16 Pz", 3), ("29 PG", 3)],
)
def test_mountain_foot_and_mechanised_units_pay_the_book_s_price_for_a_mountain(
    unit: str, cost: int
):
    match = begin(f"{unit} @ 2310", GERMAN)
    assert price(match, "2310", "2311") == cost


@rule("underbelly", "2.11b")
def test_the_category_decides_the_price_of_every_hex_on_the_way():
    """12.2: one point into a mountain hex for mountain troops, two on foot, three on wheels."""
    for unit, mountain in (("FX Mtn", 1), ("82 Abn", 2), ("US 36", 3)):
        match = begin(f"{unit} @ 2310", turn=21, dropped=3, ports=[*NO_PORTS[:5], at("3306")])
        assert price(match, "2310", "2311") == mountain
        assert price(match, "2310", "2309") == 1


QUESTION_MARKS = ["11 Flak", "XIV Pz", "LXXVI Pz", "1P"]


@rule("underbelly", "2.12a")
@pytest.mark.parametrize("name", QUESTION_MARKS)
def test_a_question_mark_moves_what_the_die_says_but_no_more_than_eight(name: str):
    match = begin(f"{name} @ 2310", GERMAN)
    found = [allowance(match, "2310", die=die) for die in range(1, 11)]
    assert found == [1, 2, 3, 4, 5, 6, 7, 8, 8, 8]
    match.force(8)
    order(match, "move", "2310")
    do(match, "go", hex="2311")
    assert match.position.moves_left == 8 - 3  # mechanised in a mountain


@rule("underbelly", "2.12a")
def test_the_die_is_rolled_anew_each_time_and_for_no_other_unit():
    assert {name for u, name in enumerate(GAME.units) if not WAR.printed[u]} == set(QUESTION_MARKS)
    match = begin("XIV Pz, 16 Pz @ 2211", GERMAN, scenario=HISTORICAL)
    match.force(3)
    order(match, "move", "2211", "XIV Pz", "16 Pz")
    assert len(rolls(match)) == 1
    assert match.position.moves_left == 3  # the slowest sets the pace
    do(match, "halt")
    pass_on(match, until="command", side=ALLIED)
    pass_on(match, until="command", side=GERMAN)
    match.force(6)
    order(match, "move", "2211", "XIV Pz", "16 Pz")
    assert len(rolls(match)) == 2
    assert match.position.moves_left == 6


@rule("underbelly", "2.12b")
def test_the_rolled_factor_is_halved_out_of_supply():
    match = begin("XIV Pz @ 2310; US 36 @ 2409; US 45 @ 2412; US 3 @ 2110", GERMAN)
    assert "out of supply" in seen(match, GERMAN, "XIV Pz")["status"]
    assert [allowance(match, "2310", die=die) for die in (2, 7, 8, 10)] == [1, 3, 4, 4]


@rule("underbelly", "2.12c")
def test_the_roll_comes_after_the_column_is_declared_and_is_capped_before_it_doubles():
    match = begin("XIV Pz, LXXVI Pz @ tenth; 11 Flak @ 2211", GERMAN)
    for die, points in ((3, 6), (8, 16), (10, 16)):
        assert allowance(match, "2211", verb="column", die=die) == points
    # Nothing is rolled before the mode is known, and once for each unit in an activation.
    assert rolls(match) == []
    match.force(4)
    order(match, "column", "2211")
    assert [roll.faces for roll in rolls(match)] == [(4,)]
    do(match, "go", hex="2210")
    do(match, "go", hex="2209")
    assert len(rolls(match)) == 1
    starving = begin("11 Flak @ 2310; US 36 @ 2409; US 45 @ 2412; US 3 @ 2110", GERMAN)
    for die, points in ((7, 3), (8, 4), (10, 4)):  # capped, then halved and rounded down
        assert allowance(starving, "2310", die=die) == points


# Steps


@rule("underbelly", "2.13a")
def test_a_reduced_division_shows_one_step_and_its_lower_number():
    match = begin("US 36 @ 3309; US VI @ 3309; US 45 @ 3308 steps=1")
    faces = {name: seen(match, ALLIED, name) for name in ("US 36", "US VI", "US 45")}
    assert {name: (shown["steps"], shown["full"]) for name, shown in faces.items()} == {
        "US 36": (2, 2),
        "US VI": (1, 1),
        "US 45": (1, 2),
    }
    assert faces["US 45"]["factors"]["fire"] == 5
    fault = begin("US 36 @ 3309").position
    fault.steps[number("US VI")] = 2
    assert any("2 steps" in found.sentence for found in GAME.check(fault))


@rule("underbelly", "2.13b")
def test_a_hit_flips_a_full_division_where_it_stands():
    match = begin("US 36, US 45 @ 3309; 16 Pz @ 3409", scenario=TIBER)
    attack(match, "3309", "3409", dice=(1, MISS, *[MISS] * 4))
    do(match, "fire at", "US 45")
    assert (steps(match, "US 45"), where(match, "US 45")) == (1, "3309")
    assert steps(match, "US 36") == 2


@rule("underbelly", "2.13c")
def test_a_hit_on_corps_support_or_on_a_reduced_division_is_its_end():
    match = begin("US 36, US 45 @ 3309; 16 Pz @ 3409 steps=1; XIV Pz @ 3409")
    attack(match, "3309", "3409", dice=(MISS, MISS, 1, 1, MISS, MISS))
    shoot_out(match, "US 36", "16 Pz", "XIV Pz")
    for name in ("16 Pz", "XIV Pz"):
        assert steps(match, name) == 0
        assert seen(match, ALLIED, name)["where"] == "eliminated"


@rule("underbelly", "2.13d")
def test_a_division_printed_on_one_side_is_still_a_division():
    raw = deepcopy(GAME.read_file("units.toml").data)
    [counter] = [unit for unit in raw["units"] if unit["name"] == "3 PG"]
    counter["fire"] = [5]
    others = (GAME.read_file(name) for name in ("charts.toml", "scenarios.toml"))
    war = War(GAME.board, read_book(GAME.board, DataFile("units.toml", raw), *others))
    unit = war.names.index("3 PG")
    assert war.full[unit] == 1
    places = [at("2310") if other == unit else LOST for other in range(len(war.roster))]
    assert war.lookouts.find(places)[GERMAN].zone.bit_count() == 6
