"""Chapter 4: stacking."""

from apennine.games.italy43.rules.c04_stacking import crowded, load, overstacked
from apennine.testing import rule
from tests.games.italy43.drawing import (
    ALLIED,
    WAR,
    asked,
    begin,
    codes,
    do,
    names,
    offers,
    refused,
    table,
    told,
    units,
)


def points(stack: str, **fields: int) -> int:
    return load(WAR, table(f"{stack} @ 2318", **fields), units(stack))


def is_overstacked(stack: str, hex: str = "2318") -> bool:
    return bool(overstacked(WAR, table(f"{stack} @ {hex}"), ALLIED))


@rule("italy43", "4.1a")
def test_six_points_may_share_a_hex_and_seven_may_not():
    assert points("7/3, 15/3") == 6
    assert not is_overstacked("7/3, 15/3")
    assert points("7/3, 15/3, 1 Rgr") == 7
    assert is_overstacked("7/3, 15/3, 1 Rgr")


@rule("italy43", "4.1a", "4.2a")
def test_the_armoured_brigade_and_the_lorried_brigade_cannot_stack():
    assert points("22/7") == 4
    assert points("131/7") == 3
    assert is_overstacked("22/7, 131/7")


@rule("italy43", "4.2a")
def test_a_unit_counts_its_printed_value_and_a_remnant_its_own():
    assert points("133/34") == 2
    assert load(WAR, table("7/3 @ 2318 steps=1"), units("7/3")) == 1


@rule("italy43", "4.2b")
def test_artillery_stacks_without_limit():
    guns = "3 ASU, 34 ASU, 36 ASU, 45 ASU, II ASU, VI ASU, Hv How"
    assert points(guns) == 0
    assert not is_overstacked(f"7/3, 15/3, {guns}")


@rule("italy43", "4.3")
def test_the_first_silhouetted_tank_is_free_and_the_others_count_one_each():
    assert points("191 Tk") == 0
    assert points("191 Tk, 751 Tk") == 1
    assert points("7/3, 133/34, 191 Tk, 751 Tk") == 6  # as in the picture of 4.3
    assert is_overstacked("7/3, 15/3, 191 Tk, 751 Tk")


@rule("italy43", "4.1b")
def test_markers_take_no_room():
    hex = 1 << WAR.board.parse("2318")
    pos = table("7/3, 15/3 @ 2318", forts=hex, battles=hex, replaced=units("7/3"))
    assert not overstacked(WAR, pos, ALLIED)


@rule("italy43", "4.3")
def test_newcomers_find_no_room_where_they_would_count_too_much():
    pos = table("7/3, 133/34 @ 2318; 751 Tk @ 2319; 15/3 @ 2320")
    assert codes(crowded(WAR, pos, ALLIED, units("191 Tk"))) == set()
    assert codes(crowded(WAR, pos, ALLIED, units("100/34"))) == set()
    assert codes(crowded(WAR, pos, ALLIED, units("30/3"))) == {"2318"}
    assert codes(crowded(WAR, pos, ALLIED, units("22/7"))) == {"2318", "2320"}


@rule("italy43", "21.3a")
def test_an_entry_area_holds_any_number():
    assert not is_overstacked("7/3, 15/3, 30/3, 22/7", "S1")


OVERFULL = "7/3, 15/3, 100/34, 191 Tk @ 2318; 30/3 @ 2319"


@rule("italy43", "4.4b", "4.4c")
def test_at_the_end_of_movement_the_owner_eliminates_what_is_too_much():
    match = begin(OVERFULL, "movement ends")
    assert asked(match).side == ALLIED
    assert names(match, "give up") == {"7/3", "15/3", "100/34"}
    do(match, "give up", "100/34")
    assert told(match, "is eliminated") == ["100/34"]
    assert not overstacked(WAR, match.position, ALLIED)
    assert match.position.phase != "movement ends"


@rule("italy43", "4.4c")
def test_only_units_of_the_overfull_hex_that_count_may_be_given_up():
    match = begin(OVERFULL, "combat ends")
    before = offers(match)
    free = refused(match, "give up", "191 Tk")
    assert (free.sentence, free.rule) == ("Without 191 Tk the stack would count no less.", "4.4c")
    assert "is in no hex with too many units" in refused(match, "give up", "30/3").sentence
    assert offers(match) == before


@rule("italy43", "4.4a")
def test_nobody_is_given_up_before_the_phase_ends():
    match = begin("7/3, 15/3 @ 2318", "movement ends")
    assert match.position.phase != "movement ends"
    assert told(match, "is eliminated") == []
