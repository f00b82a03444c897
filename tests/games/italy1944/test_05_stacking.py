"""Chapter 5: stacking."""

from __future__ import annotations

import pytest

from apennine.testing import rule
from tests.games.italy1944.drawing import (
    ALLIED,
    GAME,
    GERMAN,
    Match,
    Table,
    announce,
    asked,
    combat,
    cut,
    do,
    factors,
    go,
    hexes,
    movement,
    names,
    picked,
    preview,
    reach,
    refused,
    steps,
    told,
    verbs,
    where,
)

FOUR = "71 ID, 305 ID, 334 ID, 362 ID"
FIVE = f"{FOUR}, 94 ID"


# How many


@rule("italy1944", "5a")
def test_a_fifth_unit_does_not_stay_in_a_hex():
    match = movement(f"{FOUR} @ 1205; 94 ID @ 1304", GERMAN)
    assert "1205" not in reach(match, "94 ID")
    assert refused(picked(match, "94 ID"), "go", "94 ID", "1205").rule == "5a"


@rule("italy1944", "5a")
def test_a_fourth_unit_does_but_not_a_stack_of_two():
    match = movement("71 ID, 305 ID, 334 ID @ 1205; 94 ID, 362 ID @ 1304", GERMAN)
    assert "1205" in reach(match, "94 ID")
    assert "1205" not in reach(match, "94 ID", "362 ID")
    go(match, "1205", "94 ID")
    do(match, "halt", "94 ID")
    assert "1205" not in reach(match, "362 ID")


@rule("italy1944", "5b")
def test_a_unit_may_pass_through_a_full_hex():
    match = movement(f"{FOUR} @ 1205; 94 ID @ 1306", GERMAN)
    way = preview(picked(match, "94 ID"), "go", "94 ID", "1105").path
    assert [GAME.board.code(hex) for hex in way] == ["1306", "1205", "1105"]


@rule("italy1944", "5c")
def test_allies_of_all_nations_stack_together():
    match = movement("US 34, 78 Inf, 2 DIM @ 1205; PL 3 C @ 1304; RM @ 1305")
    assert "1205" in reach(match, "PL 3 C")
    go(match, "1205", "PL 3 C")
    do(match, "halt", "PL 3 C")
    assert where(match, "PL 3 C") == "1205"
    assert "1205" not in reach(match, "RM")  # they are four all the same


@rule("italy1944", "5d")
def test_centres_and_beachheads_do_not_count():
    match = movement(
        "US 34, 78 Inf, 2 DIM @ 3323; SSF, RM @ 3422", centres="3323 2418", beaches="3323"
    )
    assert "3323" in reach(match, "SSF")
    go(match, "3323", "SSF")
    do(match, "halt", "SSF")
    assert "3323" not in reach(match, "RM")


@rule("italy1944", "5d")
def test_a_brigade_or_a_battalion_counts_as_much_as_a_division():
    match = movement("Rangers, SSF, 2 Cdo, 24 G @ 3422; 504 Para, US 34 @ 3322")
    assert "3422" not in reach(match, "504 Para")
    match = movement("508 Pz, Lehr, 94 ID, 71 ID @ 1205; 1 FJ @ 1304", GERMAN)
    assert "1205" not in reach(match, "1 FJ")


# Too many

NORTH_OF_1105 = {"1104", "1004", "1204"}
SOUTH_OF_1105 = {"1106", "1005", "1205"}


def overfull(defenders: str = f"{FIVE} @ 1105") -> Match[Table]:
    """The Allies attack 1105; one of their air markers is left, so that they are asked."""
    return combat(f"US 34, US 36 @ 1205; {defenders}", centres="- 2418", air=[4, 1])


def defence(match: Match[Table]) -> int:
    """The defence factors in the battle under way."""
    lines = {line.text: line.value for line in preview(match, "no more support").lines}
    return int(lines["defence"])


@rule("italy1944", "5.1a")
def test_units_over_the_limit_do_not_add_to_the_defence():
    four = factors(overfull(f"{FOUR} @ 1105"), "1105")
    assert four == (36, 19 + 18 + 18 + 18)
    assert factors(overfull(f"{FOUR}, Lehr @ 1105"), "1105") == four


@rule("italy1944", "5.1a", "5.1c")
def test_the_owner_says_who_is_in_excess_and_the_others_defend():
    match = overfull()
    announce(match, "1105", "US 34", "US 36")
    assert asked(match).side == GERMAN
    assert names(match, "excess") == set(FIVE.split(", "))
    do(match, "excess", "71 ID")
    do(match, "retreat", "71 ID", "1104")
    assert defence(match) == 4 * 18


@rule("italy1944", "5.1b")
def test_a_german_unit_in_excess_loses_a_step_and_retreats_north():
    match = overfull()
    announce(match, "1105", "US 34", "US 36")
    do(match, "excess", "94 ID")
    assert steps(match, "94 ID") == 1
    assert hexes(match, "retreat") == NORTH_OF_1105
    do(match, "retreat", "94 ID", "1004")
    assert where(match, "94 ID") == "1004"
    assert [steps(match, unit) for unit in FOUR.split(", ")] == [2, 2, 2, 2]


@rule("italy1944", "5.1b")
def test_an_allied_unit_in_excess_loses_a_step_and_retreats_south():
    match = combat(
        "US 34, 78 Inf, 2 DIM, PL 3 C, US 36 @ 1105; 94 ID @ 1004", GERMAN, air=[5, 1], naval=2
    )
    announce(match, "1105", "94 ID")
    assert asked(match).side == ALLIED
    do(match, "excess", "US 34")
    assert steps(match, "US 34") == 1
    assert hexes(match, "retreat") == SOUTH_OF_1105


@rule("italy1944", "5.1b")
def test_with_its_last_step_a_unit_in_excess_is_eliminated():
    match = overfull(f"{FOUR}, Lehr @ 1105")
    announce(match, "1105", "US 34", "US 36")
    do(match, "excess", "Lehr")
    assert where(match, "Lehr") == "eliminated"
    assert defence(match) == 73


@rule("italy1944", "5.1b")
def test_every_unit_over_the_limit_goes():
    match = overfull(f"{FIVE}, Lehr @ 1105")
    announce(match, "1105", "US 34", "US 36")
    do(match, "excess", "94 ID")
    assert names(match, "excess") == {*FOUR.split(", "), "Lehr"}
    do(match, "excess", "Lehr")
    do(match, "retreat", "94 ID", "1104")
    assert told(match, "loses a step") == ["94 ID"]
    assert told(match, "is eliminated") == ["Lehr"]


def test_nobody_goes_if_nobody_attacks_or_the_stack_is_not_too_high():
    match = overfull(f"{FOUR} @ 1105")
    announce(match, "1105", "US 34", "US 36")
    assert "air support" in verbs(match)
    match = overfull()
    do(match, "end combat")
    assert (where(match, "94 ID"), steps(match, "94 ID")) == ("1105", 2)


@rule("italy1944", "5.1c")
def test_a_retreat_goes_no_farther_than_to_the_nearest_room():
    match = overfull(f"{FIVE} @ 1105; 15 PG, 44 HD, 5 GJ, 26 Pz @ 1104; 1 FJ @ 1004")
    announce(match, "1105", "US 34", "US 36")
    do(match, "excess", "94 ID")
    assert hexes(match, "retreat") == {"1004", "1204"}


@rule("italy1944", "5.1c")
def test_if_there_is_no_room_beside_a_retreat_goes_past_friends_but_not_past_enemies():
    crowds = "15 PG, 44 HD, 5 GJ, 26 Pz @ 1104; 1 FJ, 90 PG, HG, 29 PG @ 1004"
    match = overfull(f"{FIVE} @ 1105; {crowds}; 78 Inf @ 1204")
    announce(match, "1105", "US 34", "US 36")
    do(match, "excess", "94 ID")
    # From 1004; 1304 lies behind 78 Inf. A single way out is not asked for.
    assert where(match, "94 ID") == "0904"


@rule("italy1944", "5.1c")
@pytest.mark.parametrize("marks", ["", " cut"])
def test_with_no_room_at_all_towards_its_edge_a_unit_is_eliminated(marks: str):
    match = overfull(f"{FOUR} @ 1104; 94 ID @ 1104{marks}; 78 Inf @ 1105")
    announce(match, "1104", "78 Inf")
    do(match, "excess", "94 ID")
    assert where(match, "94 ID") == "eliminated"
    assert (steps(match, "94 ID"), cut(match)) == (0, set())
