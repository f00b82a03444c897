"""Chapter 7: replacements, reinforcements and withdrawals."""

from __future__ import annotations

from typing import Any

import pytest

from apennine.games.italy1944.rules.c07_rrw import due
from apennine.games.italy1944.table.position import AWAY
from apennine.kernel.log import Chosen
from apennine.testing import rule
from tests.games.italy1944.drawing import (
    ALLIED,
    GAME,
    GERMAN,
    WAR,
    Match,
    Table,
    asked,
    at,
    begin,
    codes,
    cut,
    do,
    hexes,
    names,
    next_turn,
    offers,
    pass_on,
    picked,
    points,
    price,
    reach,
    refused,
    steps,
    told,
    verbs,
    where,
)

ALLIED_SOURCES = {"3725", "3825", "3920", "3921", "3922", "3923", "3924", "3925"}
GERMAN_SOURCES = {f"{column:02}04" for column in range(8, 21)}
AROUND_3322 = {"3322", "3321", "3421", "3422", "3323", "3222", "3221"}


def replacements(counters: str, side: int = ALLIED, **fields: Any) -> Match[Table]:
    return begin("replacements", side, counters, **fields)


def withdrawals(counters: str, side: int = GERMAN, **fields: Any) -> Match[Table]:
    return begin("withdrawals", side, counters, **{"turn": 8} | fields)


def left(match: Match[Table], nation: str) -> int:
    """The replacement points of a nation that are not spent."""
    return match.view(ALLIED)["replacements left"][nation]


def rebuilding(match: Match[Table], unit: str) -> set[int]:
    """With how many steps a unit may come back."""
    return {o.value for o in offers(match) if (o.verb, o.unit) == ("rebuild", GAME.unit(unit))}


def rebuild(match: Match[Table], unit: str, hex: str, value: int = 1) -> None:
    do(match, "rebuild", unit, value=value)
    do(match, "place", unit, hex)


# The phase


@rule("italy1944", "7a")
def test_each_side_takes_replacements_then_reinforcements_then_withdraws_then_the_reserve():
    match = replacements("78 Inf, US 34 @ 3322; 94 ID, 168 ID @ 2419", turn=8)
    pass_on(match, until="centre")
    steps: dict[str, list[str]] = {"Allied": [], "German": []}
    for entry in match.log:
        if isinstance(entry, Chosen) and entry.option.verb not in steps[GAME.sides[entry.side]]:
            steps[GAME.sides[entry.side]].append(entry.option.verb)
    assert steps["German"] == ["end replacements", "bring on", "withdraw"]
    assert steps["Allied"] == ["end replacements", "bring on", "withdraw", "end transfers"]


@rule("italy1944", "7a")
def test_a_unit_that_was_rebuilt_may_be_withdrawn_in_the_same_phase():
    match = replacements("56 Inf, US 34 @ 3322", lost="46 Inf", turn=3)
    rebuild(match, "46 Inf", "3322")
    pass_on(match, until="withdrawals")
    assert match.position.turn == 3
    assert names(match, "withdraw") >= {"56 Inf", "46 Inf"}


# Replacements


@rule("italy1944", "7.1a")
@pytest.mark.parametrize("turn", [2, 5, 7, 9])
def test_each_nation_gets_the_points_of_the_table_in_each_turn(turn: int):
    match = begin("movement", ALLIED, "US 34 @ 3322", turn=turn)
    for nation, line in WAR.replacements.items():
        assert left(match, nation) == line[turn - 1]


@rule("italy1944", "7.1a", "7.1b")
def test_a_point_restores_a_step_and_there_are_no_more_steps_than_points():
    worn = "5 Inf @ 3322 steps=1; 46 Inf @ 3322 steps=1; 56 Inf @ 3322 steps=1; 4 I @ 3322 steps=1"
    match = replacements(worn)
    assert left(match, "CW") == 3
    for unit in ("5 Inf", "46 Inf", "56 Inf"):
        assert unit in names(match, "replace")
        do(match, "replace", unit)
        assert steps(match, unit) == 2
    assert left(match, "CW") == 0
    assert steps(match, "4 I") == 1
    assert match.position.phase != "replacements"  # nothing is left to decide


@rule("italy1944", "7.1b")
def test_a_point_rebuilds_an_eliminated_unit_and_nobody_needs_more_than_all_his_steps():
    match = replacements("78 Inf @ 3322; 56 Inf @ 3322 steps=1", lost="46 Inf")
    assert names(match, "replace") == {"56 Inf"}
    assert refused(match, "replace", "78 Inf").rule == "7.1b"
    assert refused(match, "rebuild", "78 Inf", value=1).rule == "7.1b"
    rebuild(match, "46 Inf", "3321")
    assert (where(match, "46 Inf"), steps(match, "46 Inf")) == ("3321", 1)
    assert left(match, "CW") == 2


@rule("italy1944", "7.1c")
@pytest.mark.parametrize(("hex", "near"), [("2520", True), ("2419", False), ("3322", True)])
def test_a_unit_is_replenished_within_8_hexes_of_its_centre(hex: str, near: bool):
    match = replacements(f"US 34 @ {hex} steps=1; US 36 @ 3322 steps=1")
    assert ("US 34" in names(match, "replace")) is near
    if not near:
        assert refused(match, "replace", "US 34").rule == "7.1c"


@rule("italy1944", "7.1c")
def test_to_be_near_a_source_is_not_enough_and_enemy_zones_cut_the_line():
    match = replacements("94 ID @ 1104 steps=1; 71 ID @ 2419 steps=1", GERMAN)
    assert names(match, "replace") == {"71 ID"}
    trap = "US 34 @ 3619 steps=1; 94 ID @ 3618; 71 ID @ 3620"
    assert GAME.board.lattice.distance(at("3619"), at("3322")) <= 8
    match = replacements(f"{trap}; US 36 @ 3322 steps=1")
    assert names(match, "replace") == {"US 36"}


@rule("italy1944", "7.1d")
def test_a_rebuilt_unit_comes_back_at_or_next_to_a_source_or_its_centre():
    match = replacements("US 36 @ 3322", lost="US 34")
    do(match, "rebuild", "US 34", value=1)
    near_sources = codes(GAME.board.lattice.dilate(WAR.sources[ALLIED]) & WAR.land)
    assert near_sources > ALLIED_SOURCES
    assert hexes(match, "place") == near_sources | AROUND_3322
    assert refused(match, "place", "US 34", "3121").rule == "7.1d"
    do(match, "place", "US 34", "3323")
    assert where(match, "US 34") == "3323"


@rule("italy1944", "7.1d")
def test_germans_come_back_at_their_own_sources_and_centre():
    match = replacements("94 ID @ 2419", GERMAN, lost="71 ID")
    do(match, "rebuild", "71 ID", value=1)
    assert GERMAN_SOURCES | {"0805", "2418", "2419", "2318"} <= hexes(match, "place")
    assert not {"3322", "3923", "2217", "1607"} & hexes(match, "place")


@rule("italy1944", "7.1e")
def test_a_rebuilt_unit_moves_in_the_same_turn_and_an_allied_one_operationally():
    match = replacements("US 36 @ 3421; 94 ID @ 2419", lost="US 34, 71 ID")
    rebuild(match, "US 34", "3322")
    pass_on(match, until="movement", side=ALLIED)
    assert match.position.turn == 2
    assert "US 34" in names(match, "move")
    fork = picked(match, "US 34")
    assert fork.view(ALLIED)["moving"]["points"] == 2 * points(fork) == 16
    assert max(price(match, "US 34", hex) for hex in reach(match, "US 34")) > 8


@rule("italy1944", "7.1e")
def test_a_rebuilt_german_unit_moves_in_the_same_turn_too():
    match = replacements("94 ID @ 2419; US 34 @ 3322", GERMAN, lost="71 ID")
    rebuild(match, "71 ID", "2418")
    pass_on(match, until="movement", side=GERMAN)
    assert match.position.turn == 2
    assert picked(match, "71 ID").view(GERMAN)["moving"]["points"] == 8


@rule("italy1944", "7.1f")
def test_points_that_are_not_spent_are_lost():
    match = replacements("US 34 @ 3322 steps=1; US 36 @ 3322 steps=1; 94 ID @ 2419")
    do(match, "replace", "US 34")
    assert (left(match, "US"), left(match, "CW")) == (1, 3)
    next_turn(match)
    assert match.position.turn == 3
    # In March as in February: neither more for what was saved nor less for what was spent.
    assert (left(match, "US"), left(match, "CW")) == (2, 3)


@rule("italy1944", "7.1g")
def test_points_are_for_units_of_their_own_nation():
    match = replacements("2 DIM, 3 DIA, US 34, 78 Inf @ 3322 steps=1")
    assert names(match, "replace") == {"2 DIM", "3 DIA", "US 34", "78 Inf"}
    do(match, "replace", "2 DIM")  # the only French point
    assert names(match, "replace") == {"US 34", "78 Inf"}
    assert refused(match, "replace", "3 DIA").rule == "7.1g"
    assert (left(match, "US"), left(match, "CW"), left(match, "FR")) == (2, 3, 0)


@rule("italy1944", "7.1g")
def test_a_unit_is_not_rebuilt_with_points_of_two_nations():
    match = replacements("US 36 @ 3322", lost="2 DIM, US 34")
    assert rebuilding(match, "US 34") == {1, 2}
    assert rebuilding(match, "2 DIM") == {1}  # one French point, whatever the others have
    assert refused(match, "rebuild", "2 DIM", value=2).rule == "7.1g"


@rule("italy1944", "7.1h")
def test_commonwealth_points_serve_all_its_nations():
    worn = "78 Inf, 4 I, 2 NZ, 1 C @ 3322 steps=1; 6 SA, US 34 @ 3323 steps=1"
    match = replacements(worn, turn=5)
    commonwealth = {"78 Inf", "4 I", "2 NZ", "1 C", "6 SA"}
    assert names(match, "replace") == commonwealth | {"US 34"}
    for unit in ("4 I", "2 NZ", "6 SA"):
        do(match, "replace", unit)
    assert names(match, "replace") == {"US 34"}  # all three come out of one purse


@rule("italy1944", "7.1i")
@pytest.mark.parametrize("value", [1, 2])
def test_one_point_brings_a_unit_back_reduced_and_two_at_full_strength(value: int):
    match = replacements("78 Inf @ 3322", lost="46 Inf, 201 G")
    assert rebuilding(match, "46 Inf") == {1, 2}
    assert rebuilding(match, "201 G") == {1}
    assert refused(match, "rebuild", "201 G", value=2).rule == "7.1i"
    rebuild(match, "46 Inf", "3322", value)
    assert steps(match, "46 Inf") == value
    assert left(match, "CW") == 3 - value


@rule("italy1944", "7.1j")
def test_the_special_service_force_uses_american_points():
    match = replacements("US 36 @ 3322", lost="SSF")
    rebuild(match, "SSF", "3322")
    assert (left(match, "US"), left(match, "CW")) == (1, 3)
    spent = [0] * len(WAR.nation_names)
    spent[WAR.nation_names.index("US")] = 2
    match = replacements("US 36 @ 3322; 78 Inf @ 3322 steps=1", lost="SSF", spent=spent)
    assert rebuilding(match, "SSF") == set()
    assert refused(match, "rebuild", "SSF", value=1).rule == "7.1g"


@rule("italy1944", "7.1k")
def test_nobody_is_rebuilt_among_enemies_nor_where_there_is_no_room():
    crowd = "US 36, 78 Inf, 2 DIM, RM @ 3322"
    match = replacements(f"{crowd}; 94 ID @ 3221", lost="US 34")
    do(match, "rebuild", "US 34", value=1)
    assert not {"3322", "3221"} & hexes(match, "place")
    assert refused(match, "place", "US 34", "3322").rule == "7.1k"
    assert refused(match, "place", "US 34", "3221").rule == "7.1k"


@rule("italy1944", "7.1k")
@pytest.mark.parametrize("friend", ["", "; 78 Inf @ 3222"])
def test_in_an_enemy_zone_a_unit_is_rebuilt_only_with_a_friend(friend: str):
    # 94 ID in 3221 looks on 3222, 3321 and the centre, which US 36 guards.
    match = replacements(f"US 36 @ 3322; 94 ID @ 3221{friend}", lost="US 34")
    do(match, "rebuild", "US 34", value=1)
    assert "3322" in hexes(match, "place")
    assert "3321" not in hexes(match, "place")
    assert ("3222" in hexes(match, "place")) is bool(friend)


@rule("italy1944", "7.2b")
@pytest.mark.parametrize("friend", ["", "; 2 DIM @ 3720"])
def test_at_a_centre_that_is_cut_off_nobody_is_rebuilt(friend: str):
    counters = f"US 36 @ 3619; 94 ID @ 3618; 71 ID @ 3620{friend}"
    match = replacements(counters, lost="US 34", centres="3619 2418")
    do(match, "rebuild", "US 34", value=1)
    assert hexes(match, "place") >= ALLIED_SOURCES
    assert ("3619" in hexes(match, "place")) is bool(friend)


# Reinforcements


@rule("italy1944", "7.2a")
def test_a_reinforcement_arrives_in_its_turn_on_a_supply_hex_of_its_side():
    match = begin("reinforcements", ALLIED, "US 34 @ 3322; 94 ID @ 2419")
    # The mountain division is due in February, the 88th in March.
    assert names(match, "bring on") == {"4 DMM"}
    assert hexes(match, "bring on", "4 DMM") == ALLIED_SOURCES
    assert refused(match, "bring on", "US 88", "3923").rule == "7.2a"
    assert refused(match, "bring on", "4 DMM", "3322").rule == "7.2a"
    do(match, "bring on", "4 DMM", "3923")
    assert where(match, "4 DMM") == "3923"
    pass_on(match, until="reinforcements", side=GERMAN)
    assert names(match, "bring on") == {"114 J", "715 ID", "Lehr", "508 Pz"}
    assert hexes(match, "bring on", "114 J") == GERMAN_SOURCES


@rule("italy1944", "7.2a")
@pytest.mark.parametrize("turn", [3, 4])
def test_every_unit_comes_in_the_turn_that_is_printed_on_it(turn: int):
    everybody = begin("reinforcements", ALLIED, "US 34 @ 3322", turn=turn)
    due = {unit.name for unit in WAR.roster if unit.side == "Allied" and 0 < unit.arrives <= turn}
    assert names(everybody, "bring on") == due
    assert {"US 88", "4 Inf", "6 Arm"} <= due
    assert ("PL 3 C" in due) is (turn == 4)


def before_april(units: set[str]) -> list[set[str]]:
    """Which of some Allied units could be deployed, or brought on in February, March, April."""
    match = Match(GAME, seed=1)
    do(match, "historical deployment")
    months = [names(match, "deploy") & units]
    for turn in (2, 3, 4):
        match = begin("reinforcements", ALLIED, "US 34 @ 3322", turn=turn)
        months.append(names(match, "bring on") & units)
    return months


@rule("italy1944", "14a")
def test_the_poles_are_not_there_before_april():
    poles = {"PL 2 W", "PL 3 C", "PL 5 K"}
    assert before_april(poles) == [set(), set(), set(), poles]


@rule("italy1944", "14c")
def test_the_motorised_group_is_there_at_once_and_the_italian_divisions_come_in_april():
    assert before_april({"RM", "Ut", "Ne"})[0] == {"RM"}
    assert before_april({"Ut", "Ne"}) == [set(), set(), set(), {"Ut", "Ne"}]


@rule("italy1944", "7.2c")
def test_who_finds_no_place_waits_for_the_next_turn():
    enemies = ("94 ID", "71 ID", "305 ID", "334 ID", "1 FJ", "5 GJ", "26 Pz", "90 PG")
    blockade = "; ".join(f"{u} @ {hex}" for u, hex in zip(enemies, sorted(ALLIED_SOURCES)))
    match = begin("reinforcements", ALLIED, f"US 34 @ 3322; {blockade}", centres="- 2418")
    assert "bring on" not in verbs(match)
    assert where(match, "4 DMM") == "to come"
    assert match.position.hex[GAME.unit("4 DMM")] == AWAY
    match = begin("reinforcements", ALLIED, "US 34 @ 3322", turn=3)
    assert "4 DMM" in names(match, "bring on")


@rule("italy1944", "7.2c")
def test_a_supply_hex_with_four_units_has_no_room():
    match = begin("reinforcements", ALLIED, "US 34, US 36, 78 Inf, 2 DIM @ 3923")
    assert hexes(match, "bring on") == ALLIED_SOURCES - {"3923"}
    assert refused(match, "bring on", "4 DMM", "3923").rule == "7.2c"


@rule("italy1944", "7.2c")
def test_an_arrival_may_go_on_to_the_reserve_in_the_same_phase():
    match = begin("reinforcements", ALLIED, "US 34 @ 3322")
    do(match, "bring on", "4 DMM", "3923")
    pass_on(match, until="reserve")
    do(match, "send to reserve", "4 DMM")
    assert where(match, "4 DMM") == "reserve"


# Withdrawals


@rule("italy1944", "7.3a")
def test_units_leave_in_the_turn_that_the_schedule_says():
    counters = "56 Inf, 46 Inf, US 34 @ 3322"
    match = withdrawals(counters, ALLIED, turn=3)
    assert names(match, "withdraw") == {"56 Inf", "46 Inf"}
    assert verbs(match) == {"withdraw"}  # it must be
    do(match, "withdraw", "56 Inf")
    assert where(match, "56 Inf") == "withdrawn"
    assert told(match, "leaves the map") == ["56 Inf"]
    assert match.position.phase != "withdrawals"  # one is enough
    assert "withdraw" not in verbs(withdrawals(counters, ALLIED, turn=2))


@rule("italy1944", "7.3a")
def test_both_sides_withdraw_in_the_rrw_phase():
    match = begin("end", ALLIED, "78 Inf, 56 Inf @ 3322; 168 ID, 71 ID @ 1607", turn=7)
    for side, unit in ((ALLIED, "78 Inf"), (GERMAN, "168 ID")):
        pass_on(match, until="withdrawals", side=side)
        assert (match.position.turn, asked(match).side) == (8, side)
        do(match, "withdraw", unit)
        assert where(match, unit) == "withdrawn"


@rule("italy1944", "7.3a")
def test_a_marker_does_not_stay_behind():
    match = withdrawals("56 Inf @ 3322 cut; 46 Inf @ 3322", ALLIED, turn=3)
    do(match, "withdraw", "56 Inf")
    assert cut(match) == set()


def test_the_two_divisions_that_go_to_rest_come_back_in_july_whoever_they_were():
    match = withdrawals("56 Inf, 46 Inf @ 3322", ALLIED, turn=3)
    do(match, "withdraw", "46 Inf")
    later = match.position.copy()
    for turn in (6, 7):
        later.turn = turn
        assert (GAME.unit("46 Inf") in due(WAR, later, ALLIED)) is (turn == 7)


@rule("italy1944", "7.3b")
def test_who_is_dead_or_cut_off_does_not_leave_and_another_goes_instead():
    # 168 ID is eliminated, 65 ID is trapped; 278 ID and 362 ID are free.
    trapped = "65 ID @ 2419; US 34 @ 2418; US 36 @ 2420"
    match = withdrawals(f"{trapped}; 278 ID, 362 ID @ 1607", lost="168 ID", centres="3322 1711")
    assert names(match, "withdraw") == {"278 ID", "362 ID"}
    assert refused(match, "withdraw", "168 ID").rule == "7.3b"
    assert refused(match, "withdraw", "65 ID").rule == "7.3b"


@rule("italy1944", "7.3b")
def test_a_line_of_any_length_to_a_supply_hex_will_do_even_without_a_centre():
    match = withdrawals("278 ID @ 2419; 362 ID @ 1607", centres="3322 -")
    assert names(match, "withdraw") == {"278 ID", "362 ID"}


@rule("italy1944", "7.3c", "7.3f")
def test_the_example_of_the_book_another_division_leaves_for_the_168th():
    match = withdrawals("168 ID @ 1507; 5 GJ @ 1607 steps=1; 92 ID, 26 Pz @ 1607")
    # The 168th could go, but the owner chooses: another kind, reduced, or with other factors.
    assert names(match, "withdraw") == {"168 ID", "5 GJ", "92 ID"}
    do(match, "withdraw", "5 GJ")
    assert where(match, "5 GJ") == "withdrawn"
    assert where(match, "168 ID") == "1507"


@rule("italy1944", "7.3c")
def test_who_leaves_must_be_of_the_kind():
    match = withdrawals("168 ID, 92 ID, 26 Pz @ 1607; Lehr @ 1507")
    assert refused(match, "withdraw", "26 Pz").rule == "7.3c"
    assert refused(match, "withdraw", "Lehr").rule == "7.3c"  # no division


@rule("italy1944", "7.3c")
def test_who_leaves_must_be_of_the_nation_that_the_schedule_names():
    # In July three American infantry divisions leave: not British, French or Italian ones.
    others = "56 Inf, 2 DIM, Ut @ 3322"
    match = withdrawals(f"US 34, US 36, US 45, US 88 @ 3323; {others}", ALLIED, turn=7)
    assert names(match, "withdraw") == {"US 34", "US 36", "US 45", "US 88"}
    assert refused(match, "withdraw", "56 Inf").rule == "7.3c"


@rule("italy1944", "7.3c")
def test_who_leaves_may_have_another_number_of_steps(monkeypatch: pytest.MonkeyPatch):
    # No division of the game has one step only, so one is made such.
    full = [1 if name == "92 ID" else steps for name, steps in zip(WAR.names, WAR.full)]
    monkeypatch.setattr(WAR, "full", tuple(full))
    match = withdrawals("168 ID @ 1607; 92 ID @ 1607 steps=1")
    assert names(match, "withdraw") == {"168 ID", "92 ID"}


@rule("italy1944", "7.3d")
@pytest.mark.parametrize("unit", ["71 ID", "114 J", "5 GJ"])
def test_infantry_light_infantry_and_mountain_troops_are_of_one_kind(unit: str):
    match = withdrawals(f"168 ID, {unit} @ 1607")
    assert names(match, "withdraw") == {"168 ID", unit}


@rule("italy1944", "7.3e")
def test_in_august_the_german_must_withdraw_an_infantry_division():
    match = withdrawals("168 ID, 71 ID @ 1607")
    assert asked(match).side == GERMAN
    assert verbs(match) == {"withdraw"}
    do(match, "withdraw", "168 ID")
    assert told(match, "leaves the map") == ["168 ID"]
    for turn in (7, 9):
        assert told(withdrawals("168 ID, 71 ID @ 1607", turn=turn), "leaves the map") == []


@rule("italy1944", "7.3f")
def test_the_owner_may_always_choose_any_matching_unit():
    match = withdrawals("56 Inf, 4 I, 2 NZ, 1 C @ 3322; 5 Inf @ reserve", ALLIED, turn=3)
    assert asked(match).side == ALLIED
    assert names(match, "withdraw") == {"56 Inf", "4 I", "2 NZ", "1 C", "5 Inf"}
    do(match, "withdraw", "2 NZ")
    assert where(match, "56 Inf") == "3322"


@rule("italy1944", "7.3g")
def test_airborne_and_special_forces_count_as_infantry():
    match = withdrawals("168 ID, 1 FJ @ 1607")
    assert names(match, "withdraw") == {"168 ID", "1 FJ"}
    # One American brigade of infantry leaves in March: in 1944 it was the Rangers.
    match = withdrawals("Rangers, SSF, 504 Para, US 34 @ 3322", ALLIED, turn=3)
    assert names(match, "withdraw") == {"Rangers", "SSF", "504 Para"}


@rule("italy1944", "7.3g")
def test_mechanised_and_armoured_are_kinds_of_their_own():
    # Three orders in August: an infantry division and two mechanised ones.
    match = withdrawals("26 Pz, HG, 90 PG, 15 PG, 29 PG @ 1607")
    assert names(match, "withdraw") == {"90 PG", "15 PG", "29 PG"}
    # One in July: an armoured one.
    match = withdrawals("26 Pz, HG, 90 PG, 94 ID @ 1607", turn=7)
    assert names(match, "withdraw") == {"26 Pz", "HG"}


@rule("italy1944", "7.3g")
def test_if_nobody_matches_nobody_leaves():
    match = withdrawals("26 Pz, HG @ 1607")
    assert told(match, "leaves the map") == []
    assert {where(match, unit) for unit in ("26 Pz", "HG")} == {"1607"}
