"""Chapter 12: the Allied strategic reserve."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from apennine.games.italy1944.table.position import GONE
from apennine.kernel.game import EVERYBODY
from apennine.kernel.match import Match
from apennine.kernel.view import seen_log
from apennine.testing import rule
from tests.games.italy1944.drawing import (
    ALLIED,
    GAME,
    GERMAN,
    WAR,
    Table,
    begin,
    codes,
    do,
    hexes,
    movement,
    names,
    number,
    offers,
    pass_on,
    refused,
    set_of,
    table,
    verbs,
    where,
)

FRONT = "94 ID @ 3021"


def transfers(counters: str, **fields: Any) -> Match[Table]:
    """Step 4 of an Allied RRW phase."""
    return begin("reserve", ALLIED, f"{counters}; {FRONT}", **fields)


def released(match: Match[Table], unit: str) -> set[str]:
    """Where a unit may come out of the reserve."""
    fork = match.fork()
    do(fork, "release", unit)
    return hexes(fork, "place")


@rule("italy1944", "12a")
def test_the_reserve_holds_as_many_units_as_one_likes():
    units = ("US 34", "US 36", "SSF", "US 3", "US 45", "5 Inf", "46 Inf", "56 Inf")
    match = transfers("US 34, US 36, SSF, US 3 @ 3323; US 45, 5 Inf, 46 Inf, 56 Inf @ 3322")
    for unit in units:
        do(match, "send to reserve", unit)
    assert {where(match, unit) for unit in units} == {"reserve"}


@rule("italy1944", "12b")
def test_the_german_player_does_not_see_what_is_in_the_reserve():
    pos = table("movement", GERMAN, f"US 3, 24 G @ reserve; US 34 @ 3323; {FRONT}")
    for viewer in (GERMAN, EVERYBODY):
        seen = {unit["name"]: unit["where"] for unit in GAME.view(pos, viewer)["units"]}
        assert seen["US 34"] == "on the map"
        # In the box, never deployed, withdrawn from it: all look the same.
        assert seen["US 3"] == seen["24 G"] == seen["US 45"] == "off the map"
    own = {unit["name"]: unit["where"] for unit in GAME.view(pos, ALLIED)["units"]}
    assert own["US 3"] == own["24 G"] == "reserve"


@rule("italy1944", "12b")
def test_who_leaves_the_box_for_good_leaves_it_unseen():
    # In turn 3 a Commonwealth infantry division must go: 1 Inf and 5 Inf are both in the box.
    counters = f"1 Inf, 5 Inf @ reserve; {FRONT}"
    match = begin("withdrawals", ALLIED, counters, turn=3)
    other = match.fork()
    do(match, "withdraw", "1 Inf")
    do(other, "withdraw", "5 Inf")
    assert where(match, "1 Inf") == where(other, "5 Inf") == "withdrawn"
    for viewer in (GERMAN, EVERYBODY):
        assert match.view(viewer) == other.view(viewer)
        assert list(seen_log(match, viewer)) == list(seen_log(other, viewer))


@rule("italy1944", "12b")
def test_he_imagines_any_box_that_he_could_not_tell_from_the_true_one():
    match = begin("withdrawals", ALLIED, f"1 Inf, 5 Inf @ reserve; {FRONT}", turn=3)
    do(match, "withdraw", "1 Inf")
    pos = match.position
    dreams = [GAME.imagine(pos, GERMAN, Random(seed), pos) for seed in range(20)]
    gone = {dream.hex[number("1 Inf")] == GONE for dream in dreams}
    assert gone == {True, False}
    assert all(GAME.view(dream, GERMAN) == GAME.view(pos, GERMAN) for dream in dreams)


@rule("italy1944", "12c")
def test_a_unit_next_to_an_enemy_does_not_go_into_the_reserve():
    match = transfers("US 34 @ 3122; US 36 @ 3222")
    assert names(match, "send to reserve") == {"US 36"}
    do(match, "send to reserve", "US 36")
    assert where(match, "US 36") == "reserve"


@rule("italy1944", "12c")
@pytest.mark.parametrize(
    ("centres", "able"),
    [
        ("3719 2418", {"US 36"}),  # US 34 is encircled, and the centre is outside
        ("3222 2418", {"US 34", "US 36"}),  # the centre is with it, though cut off
    ],
)
def test_a_unit_without_a_line_to_centre_or_source_does_not_either(centres: str, able: set[str]):
    # Capua, Caserta and Naples are cut off from the south.
    ring = "15 PG @ 3421; 44 HD @ 3423; 5 GJ @ 3320; 305 ID @ 3220"
    match = transfers(f"US 34 @ 3222; US 36 @ 3719; {ring}", centres=centres)
    assert names(match, "send to reserve") == able


@rule("italy1944", "12c")
def test_units_go_into_the_reserve_in_the_rrw_phase_only():
    match = movement(f"US 34 @ 3323; {FRONT}")
    assert refused(match, "send to reserve", "US 34") == (
        "Units go into the reserve and come out of it in the reserve step. "
        "Asked now: Move a unit or stack, or end your movement.",
        "12c",
    )
    assert "send to reserve" not in verbs(match)


@rule("italy1944", "12d")
def test_a_unit_comes_out_in_any_allied_town_that_is_not_next_to_an_enemy():
    match = transfers("US 3 @ reserve; US 34 @ 3323", allied="2922 2521")
    beside = WAR.lattice.disc(WAR.board.parse("3021"), 1)
    expected = codes(WAR.towns & match.position.control & ~beside)
    assert released(match, "US 3") == expected
    assert {"3222", "3323", "2521"} <= expected
    assert not {"2922", "2119", "3221"} & expected
    do(match, "release", "US 3")
    do(match, "place", "US 3", "2521")
    assert where(match, "US 3") == "2521"
    assert match.position.landed == 0


@rule("italy1944", "12d")
def test_a_full_town_takes_nobody():
    match = transfers("US 3 @ reserve; US 34, US 36, SSF, US 45 @ 3323")
    assert "3323" not in released(match, "US 3")


@rule("italy1944", "12e")
def test_a_unit_may_be_placed_with_a_beachhead_even_next_to_enemies():
    match = transfers("US 3 @ reserve; US 34 @ 2521; 356 ID @ 2520", beaches="2521")
    assert "2521" in released(match, "US 3")
    do(match, "release", "US 3")
    do(match, "place", "US 3", "2521")
    assert where(match, "US 3") == "2521"
    assert match.position.landed == set_of("US 3")


@rule("italy1944", "12e")
def test_within_the_stacking_limit():
    full = "US 34, US 36, SSF, US 45 @ 2521"
    match = transfers(f"US 3 @ reserve; {full}; 356 ID @ 2520", beaches="2521")
    assert "2521" not in released(match, "US 3")


@rule("italy1944", "12f")
def test_release_belongs_to_step_4_of_the_rrw_phase():
    match = begin("replacements", ALLIED, f"US 3 @ reserve; US 34 @ 3323 steps=1; {FRONT}", turn=2)
    assert "release" not in verbs(match)
    do(match, "end replacements")
    while match.position.phase != "reserve":
        assert "release" not in verbs(match)
        match.choose(offers(match)[0])
    assert names(match, "release") == {"US 3"}
    do(match, "end transfers")
    assert match.position.phase == "plans"


@rule("italy1944", "12f")
def test_nobody_goes_in_and_out_in_one_phase():
    match = transfers("US 3 @ reserve; US 34 @ 3323; US 36 @ 3322")
    do(match, "send to reserve", "US 34")
    assert names(match, "release") == {"US 3"}
    do(match, "release", "US 3")
    do(match, "place", "US 3", "3323")
    assert names(match, "send to reserve") == {"US 36"}


@rule("italy1944", "12f")
def test_in_the_next_phase_they_may():
    match = transfers("US 34 @ 3323; US 36 @ 3322")
    do(match, "send to reserve", "US 34")
    pass_on(match, until="movement")
    pass_on(match, until="reserve")
    assert match.position.turn == 3
    assert "US 34" in names(match, "release")


@rule("italy1944", "12f")
def test_the_town_of_a_beachhead_is_no_way_around_its_limit():
    # Anzio is a town in the rear, and yet no more than a division comes in over the beach.
    match = transfers("US 3, US 45, 24 G @ reserve; US 34 @ 2521", beaches="2521")
    do(match, "release", "US 3")
    do(match, "place", "US 3", "2521")
    assert "2521" not in released(match, "US 45")
    assert "2521" not in released(match, "24 G")


@rule("italy1944", "12g")
def test_units_in_the_reserve_get_no_replacements():
    counters = f"US 3 @ reserve steps=1; US 34 @ 3323 steps=1; {FRONT}"
    match = begin("replacements", ALLIED, counters, turn=2)
    assert names(match, "replace") == {"US 34"}
    assert refused(match, "replace", "US 3").rule == "12g"
