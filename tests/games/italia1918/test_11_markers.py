"""Chapter 11.2: Disengagement and Reserves markers."""

import pytest

from apennine.games.italia1918.rules.c11_markers import veterans_phase
from apennine.games.italia1918.rules.c11_movement import movement_begins, movement_phase
from apennine.games.italia1918.table.position import ENTENTE
from apennine.testing import rule
from tests.games.italia1918.drawing import do, names, play, refused, table, units, verbs
from tests.games.italia1918.moving import working

GUNS = "AArt 6 A @ E2312 firing"


@rule("italia1918", "11.2.7a")
def test_units_that_stayed_in_an_enemy_zone_prepare_to_disengage():
    match = working("4 ID, 3 ID/216, CArt II K @ E2311; 13 SchD @ E2309; 22 DF @ E2312")
    assert names(match, "prepare to disengage") == {"4 ID", "3 ID/216", "Geb 12"}
    do(match, "prepare to disengage", "4 ID")
    assert match.position.slipping == units("4 ID")
    assert refused(match, "prepare to disengage", "13 SchD").rule == "11.2.7a"
    assert refused(match, "prepare to disengage", "CArt II K").rule == "13.0a"
    moved = working("4 ID, 3 ID/216 @ E2311; 22 DF @ E2312", moved=units("4 ID"))
    assert refused(moved, "prepare to disengage", "4 ID").rule == "11.2.7a"


@rule("italia1918", "11.2.7c")
def test_overlapping_zones_make_no_difference():
    match = working("4 ID @ E2311; 22 DF @ E2312; 37 DF @ E2210; 4 DF @ E2411")
    assert names(match, "prepare to disengage") == {"4 ID", "Geb 12"}


@rule("italia1918", "11.2.8a")
@pytest.mark.parametrize(
    ("counters", "fields", "why"),
    [
        (f"4 ID @ E2313 steps=2; {GUNS}", {}, "full strength"),
        (f"4 ID @ E2313 disorganized; {GUNS}", {}, "Disorganized"),
        (f"4 ID @ E2313; {GUNS}", {"moved": units("4 ID")}, "moved"),
        (f"4 ID, 3 ID/216 @ E2313; 22 DF @ E2314; {GUNS}", {}, "enemy zone"),
        ("4 ID @ E2313; AArt 6 A @ E2312", {}, "Offensive mode"),
        (f"4 ID @ E2318; {GUNS}", {}, "Offensive mode"),
    ],
)
def test_who_may_not_be_put_in_reserve(counters: str, fields: dict[str, int], why: str):
    match = working(f"{counters}; 33 ID @ E2311", **fields)
    refusal = refused(match, "put in reserve", "4 ID")
    assert refusal.rule == "11.2.8a"
    assert why in refusal.sentence


@rule("italia1918", "11.2.8a", "11.2.8h")
def test_a_fresh_unit_within_range_may_and_a_reorganizing_one_not():
    match = working(f"4 ID, 13 SchD @ E2313; {GUNS}", reorganizing=units("13 SchD"))
    assert names(match, "put in reserve") == {"4 ID"}
    assert refused(match, "put in reserve", "13 SchD").rule == "11.2.8h"


@rule("italia1918", "11.2.8e")
def test_supports_never():
    match = working(f"CArt II K, 4 ID @ E2313; {GUNS}")
    assert refused(match, "put in reserve", "CArt II K").rule == "11.2.8e"


def markers(stack: str, side: int = 0, displayed: str = "", gun: str = GUNS) -> int:
    """How many markers a stack takes."""
    fields = {"displayed": units(displayed)} if displayed else {}
    match = working(f"{stack} @ E2313; {gun}", side, **fields)
    for unit in stack.split(", "):
        do(match, "put in reserve", unit)
    return len(match.position.reserves)


ITALIAN = "AArt II Armata @ E2312 firing"


@rule("italia1918", "11.2.8b", "11.2.8c")
def test_the_books_examples():
    alpini = "3 Alpini, 4 Alpini, 7 Alpini, 8 Alpini"
    assert markers(alpini, ENTENTE, gun=ITALIAN) == 2
    assert markers("22 DF, Como Bde", ENTENTE, gun=ITALIAN) == 1
    assert markers("3 ID/216, 3 ID/217, 55 ID/26, 55 ID/38") == 1
    assert markers("AlpK 1, DJD 11, 200 ID J3, 26 ID(G) GR119") == 2
    assert markers("3 ID/216, 3 ID/217, AlpK 1, DJD 11") == 2


@rule("italia1918", "3.0o", "11.2.8b")
def test_the_regiments_of_a_display_are_one_unit_only_while_it_stands_for_them():
    alpini = "1 Alpini, 5 Alpini, 9 Alpini, 10 Alpini"
    assert markers(alpini, ENTENTE, gun=ITALIAN) == 2
    assert markers(alpini, ENTENTE, displayed=alpini, gun=ITALIAN) == 1


@rule("italia1918", "11.2.8d")
def test_the_markers_of_a_side_run_out():
    spots = ("E2313", "E2413", "E2412", "E2411", "E2212", "E2211", "E2213")
    names_of = ("4 ID", "13 SchD", "33 ID", "6 ID", "1 ID", "28 ID", "52 ID")
    stacks = "; ".join(f"{unit} @ {hex}" for unit, hex in zip(names_of, spots))
    match = working(f"{stacks}; {GUNS}")
    for unit in names_of[:6]:
        do(match, "put in reserve", unit)
    assert refused(match, "put in reserve", "52 ID").rule == "11.2.8d"


@rule("italia1918", "11.2.8f")
def test_cavalry_has_markers_of_its_own():
    spots = ("E2313", "E2413", "E2412", "E2411", "E2212", "E2211", "E2213")
    names_of = ("22 DF", "37 DF", "4 DF", "48 DF", "54 DF", "1 DC", "2 DC")
    stacks = "; ".join(f"{unit} @ {hex}" for unit, hex in zip(names_of, spots))
    match = working(f"{stacks}; {ITALIAN}", ENTENTE)
    for unit in names_of[:4]:
        do(match, "put in reserve", unit)
    assert refused(match, "put in reserve", "54 DF").rule == "11.2.8d"
    do(match, "put in reserve", "1 DC")
    do(match, "put in reserve", "2 DC")
    assert len(match.position.reserves) == 6


@rule("italia1918", "11.2.9a")
def test_in_the_variant_markers_come_before_movement_and_marked_units_stay():
    stacks = f"4 ID, 3 ID/216 @ E2313; 33 ID @ E2308; 22 DF @ E2307; {GUNS}"
    pos = table(stacks, veterans=True)
    match = play(pos, veterans_phase, movement_begins, movement_phase)
    do(match, "put in reserve", "4 ID")
    do(match, "prepare to disengage", "33 ID")
    do(match, "go on to movement")
    assert refused(match, "move", "4 ID").rule == "11.2.9a"
    assert refused(match, "move", "33 ID").rule == "11.2.9a"
    assert names(match, "move") == {"3 ID/216"}
    late = working(f"{stacks}; HQ 6 Armee @ E1606; 37 DF @ E1604", veterans=True)
    assert not {"put in reserve", "prepare to disengage"} & verbs(late)


def test_without_the_variant_nobody_is_asked_before_movement():
    pos = table(f"4 ID, 3 ID/216 @ E2313; {GUNS}")
    match = play(pos, veterans_phase, movement_begins, movement_phase)
    assert "put in reserve" not in verbs(match)
