"""Chapter 7: supply."""

from __future__ import annotations

import pytest

from apennine.games.crossing.table.position import WEST
from apennine.testing import rule
from tests.games.crossing.drawing import (
    ALLIED,
    GAME,
    GERMAN,
    at,
    codes,
    do,
    go,
    movement,
    pass_by,
    price,
    reach,
    steps,
    supply,
    table,
    told,
    where,
)

EAST_GONE, BOTH_GONE = 2, 3


def is_supplied(counters: str, side: int = ALLIED, **fields: int) -> bool:
    """Whether the first unit of the drawing is found in supply in its supply phase."""
    match = supply(counters, side, **fields)
    first = counters.partition(" @")[0]
    return not match.position.cut >> GAME.unit(first) & 1


@rule("crossing", "7.1")
@pytest.mark.parametrize(
    ("counters", "fed"),
    [
        ("1 Inf @ 0303", True),
        # The zone of an enemy at the bridge ...
        ("1 Inf @ 0303; I Gren @ 0405", False),
        # ... but not where a friend stands.
        ("1 Inf @ 0303; 2 Inf @ 0305; I Gren @ 0405", True),
        # In an enemy zone itself, a unit is its own friend.
        ("1 Inf @ 0407; I Gren @ 0307", True),
        # An enemy in the line, with friends before and behind him.
        ("1 Inf @ 0304; 2 Inf @ 0306; 3 Inf @ 0205; 4 Inf @ 0405; I Gren @ 0305", False),
    ],
)
def test_a_line_is_free_of_enemies_and_of_their_zones_where_no_friend_stands(
    counters: str, fed: bool
):
    assert is_supplied(counters, blown=EAST_GONE) is fed


@rule("crossing", "7.1")
@pytest.mark.parametrize(("blown", "fed"), [(0, True), (1, True), (2, True), (BOTH_GONE, False)])
def test_a_line_crosses_the_river_only_on_a_standing_bridge(blown: int, fed: bool):
    assert is_supplied("1 Inf @ 0204", blown=blown) is fed


@rule("crossing", "7.1")
def test_each_side_needs_its_own_edge_of_the_map():
    assert is_supplied("1 Inf @ 0508", ALLIED, blown=BOTH_GONE)
    assert not is_supplied("1 Inf @ 0501", ALLIED, blown=BOTH_GONE)
    assert is_supplied("I Gren @ 0501", GERMAN, blown=BOTH_GONE)
    assert not is_supplied("I Gren @ 0508", GERMAN, blown=BOTH_GONE)


@rule("crossing", "7.2")
def test_supply_is_judged_for_the_active_side_alone():
    counters = "1 Inf @ 0501; I Gren @ 0508"
    match = supply(counters, ALLIED, blown=BOTH_GONE)
    assert told(match, "out of supply") == ["1 Inf"]
    assert match.position.cut == 1 << GAME.unit("1 Inf")
    match = supply(counters, GERMAN, blown=BOTH_GONE)
    assert told(match, "out of supply") == ["I Gren"]


@rule("crossing", "7.2")
def test_it_holds_until_the_next_supply_phase_of_the_side():
    # 1 Inf is on its own map edge again, but that will only be seen next turn.
    match = movement("1 Inf @ 0808 cut")
    assert "0508" not in reach(match, "1 Inf")
    pass_by(match)
    assert match.position.cut
    pass_by(match)
    assert not match.position.cut
    assert "0508" in reach(match, "1 Inf")


@rule("crossing", "7.2")
def test_who_is_cut_off_later_has_his_supply_for_this_turn():
    match = supply("1 Inf @ 0204; 2 Inf @ 0305", blown=EAST_GONE, charge=WEST)
    go(match, "2 Inf", "0304")
    do(match, "blow", hex="0305")
    do(match, "halt", "2 Inf")
    assert [warning.unit for warning in match.warnings(ALLIED)] == [GAME.unit("1 Inf")]
    assert match.position.cut == 0
    assert price(match, "1 Inf", "0502") == 2.5


@rule("crossing", "7.3")
def test_a_unit_out_of_supply_twice_running_loses_a_step():
    match = supply("1 Inf @ 0501", blown=BOTH_GONE)
    assert steps(match, "1 Inf") == 2
    pass_by(match, halves=2)
    assert told(match, "starves") == ["1 Inf"]
    assert steps(match, "1 Inf") == 1
    pass_by(match, halves=2)
    assert match.outcome is not None
    assert steps(match, "1 Inf") == 0


@rule("crossing", "7.3")
def test_a_unit_that_was_fed_in_between_starts_anew():
    match = supply("1 Inf @ 0508 cut; 2 Inf @ 0501 cut; 3 Inf @ 0502", blown=BOTH_GONE)
    assert told(match, "starves") == ["2 Inf"]
    assert [steps(match, unit) for unit in ("1 Inf", "2 Inf", "3 Inf")] == [2, 1, 2]


@rule("crossing", "7.3")
def test_a_reduced_unit_starves_to_death():
    match = supply("1 Inf @ 0501 steps=1 cut; 2 Inf @ 0508", blown=BOTH_GONE)
    assert where(match, "1 Inf") == "lost"


def test_a_warning_names_the_units_that_would_be_out_of_supply_now():
    pos = table("movement", ALLIED, "1 Inf @ 0501; 2 Inf @ 0508; I Gren @ 0502", blown=BOTH_GONE)
    (warning,) = GAME.warnings(pos, ALLIED)
    assert warning.sentence == "1 Inf would be out of supply now."
    assert (warning.rule, warning.unit, warning.hex) == ("7.1", GAME.unit("1 Inf"), at("0501"))
    assert GAME.warnings(pos, GERMAN) == []


def test_the_overlay_shows_the_hexes_in_supply():
    pos = table("movement", ALLIED, "1 Inf @ 0508; I Gren @ 0101", blown=BOTH_GONE)
    allied, german = (codes(GAME.overlay(pos, "supply", side)) for side in (ALLIED, GERMAN))
    assert {"0508", "0305", "0506"} <= allied
    assert {"0101", "0304", "0505"} <= german
    assert not allied & german


def test_the_view_tells_who_is_in_supply():
    view = GAME.view(table("movement", ALLIED, "1 Inf @ 0508 cut; 2 Inf @ 0407"), GERMAN)
    shown = {unit["name"]: unit["status"] for unit in view["units"]}
    assert (shown["1 Inf"], shown["2 Inf"]) == (["out of supply"], [])


def test_the_overlay_of_one_unit_shows_its_line_to_the_edge():
    pos = table("movement", ALLIED, "1 Inf @ 0505; 2 Inf @ 0407; I Gren @ 0101")
    line = codes(GAME.overlay(pos, "supply", ALLIED, GAME.unit("1 Inf")))
    assert {"0505", "0704", "0705", "0706"} <= line
    assert [code for code in line if code.endswith("08")]
    assert len(line) == 7
    assert not GAME.overlay(pos, "supply", ALLIED, GAME.unit("3 Inf"))


def test_units_that_the_enemy_could_cut_off_in_one_move_are_threatened():
    pos = table("movement", ALLIED, "1 Inf @ 0402; 2 Inf @ 0507; I Gren @ 0601; II Gren @ 0203")
    assert codes(GAME.overlay(pos, "threats", ALLIED)) == {"0402"}
    alone = table("movement", ALLIED, "1 Inf @ 0402; 2 Inf @ 0507; I Gren @ 0901")
    assert GAME.overlay(alone, "threats", ALLIED) == 0
