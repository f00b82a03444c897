"""Chapter 11.2: pontoon bridges, bridges destroyed and rebuilt; 15.5.1: depots blown up."""

import pytest

from apennine.games.italia1918.rules.c11_engineers import pontoon_modifier, rebuilding_modifier
from apennine.games.italia1918.table.position import CENTRAL, ENTENTE, LOST, POOR, Table
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.italia1918.drawing import (
    WAR,
    at,
    do,
    hexes,
    number,
    reach,
    refused,
    table,
    units,
    verbs,
)
from tests.games.italia1918.moving import go, halt, moving, working

LATTICE = WAR.lattice


def bridge(one: str, two: str) -> int:
    """The number of a bridge."""
    return WAR.ground.bridge_at[LATTICE.edge_between(at(one), at(two))]


def toward(one: str, two: str) -> int:
    return LATTICE.direction(at(one), at(two))


# Pontoon bridges: W1221 and W1322 have the Brenta between them, W0613 and W0714 a minor river.


def building(counters: str = "22 DF @ W1221", side: int = ENTENTE) -> Match[Table]:
    match = moving(counters, side)
    do(match, "move", "22 DF")
    return match


@rule("italia1918", "11.2.4a", "11.2.4f")
def test_a_point_and_a_die_build_a_pontoon_bridge():
    match = building("22 DF @ W0613")
    assert "W0714" in hexes(match, "bridge the river")
    do(match, "bridge the river", hex="W0714")
    match.roll(4)
    pos = match.position
    assert pos.left == 3 * WAR.scale
    assert pos.pontoons == [(ENTENTE, at("W0613"), toward("W0613", "W0714"))]


@rule("italia1918", "11.2.4a", "11.2.4g")
def test_a_failure_costs_the_point_and_the_unit_goes_on():
    match = building("22 DF @ W0613")
    do(match, "bridge the river", hex="W0714")
    match.roll(5)
    assert match.position.pontoons == []
    assert match.position.left == 3 * WAR.scale
    assert hexes(match, "go")


@rule("italia1918", "11.2.4g", "11.2.4k")
def test_one_crosses_a_new_bridge_at_once():
    match = building()
    do(match, "bridge the river", hex="W1322")
    match.roll(1)
    assert "W1322" in hexes(match, "go")
    do(match, "go", "22 DF", "W1322")
    assert match.position.left == WAR.scale  # 4 less the try, the hex and the bridge
    narrow = table(
        "22 DF @ W0613", ENTENTE, pontoons=[(ENTENTE, at("W0613"), toward("W0613", "W0714"))]
    )
    assert reach(narrow, "22 DF").cost(at("W0714")) == WAR.scale


@rule("italia1918", "11.2.4b", "11.2.4c", "11.2.4d")
@pytest.mark.parametrize(
    ("counters", "to", "weather", "modifier"),
    [
        ("22 DF @ W0613", "W0714", 0, 0),
        ("22 DF @ W0613", "W0714", POOR, 1),
        ("22 DF @ W1221", "W1322", 0, 1),
        ("22 DF @ W1221; 4 ID @ W1422", "W1322", 0, 2),
        ("22 DF @ W1221; 4 ID @ W1523", "W1322", 0, 1),
        ("22 DF @ W1221; CArt II K @ W1422", "W1322", POOR, 3),
    ],
)
def test_what_makes_it_harder(counters: str, to: str, weather: int, modifier: int):
    pos = table(counters, ENTENTE, weather=weather)
    here = pos.hex[number("22 DF")]
    assert pontoon_modifier(WAR, pos, here, at(to)) == modifier


@rule("italia1918", "11.2.4e")
def test_a_friend_on_the_far_bank_makes_it_easier():
    pos = table("22 DF @ W1221; 37 DF @ W1322", ENTENTE)
    assert pontoon_modifier(WAR, pos, at("W1221"), at("W1322")) == -1


@rule("italia1918", "11.2.4h")
def test_a_unit_and_a_hexside_are_tried_twice_in_a_phase():
    match = building("22 DF @ W1221")
    for _ in range(2):
        do(match, "bridge the river", hex="W1322")
        match.roll(6)
    assert refused(match, "bridge the river", hex="W1322").rule == "11.2.4h"
    halt(match, "22 DF")
    second = moving("22 DF, 37 DF @ W1221", ENTENTE)
    do(second, "move", "22 DF")
    for _ in range(2):
        do(second, "bridge the river", hex="W1322")
        second.roll(6)
    halt(second, "22 DF")
    do(second, "move", "37 DF")
    assert refused(second, "bridge the river", hex="W1322").rule == "11.2.4h"


@rule("italia1918", "11.2.4i")
def test_a_side_has_four_of_them():
    four = [(ENTENTE, at("W0525"), 0)] * 4
    match = moving("22 DF @ W1221", ENTENTE, pontoons=four)
    do(match, "move", "22 DF")
    assert refused(match, "bridge the river", hex="W1322").rule == "11.2.4i"
    others = moving("22 DF @ W1221", ENTENTE, pontoons=[(CENTRAL, at("W0525"), 0)] * 4)
    do(others, "move", "22 DF")
    assert hexes(others, "bridge the river")


@rule("italia1918", "11.2.4j")
def test_the_owner_takes_one_up_before_his_units_move():
    mine = [(ENTENTE, at("W1221"), toward("W1221", "W1322"))]
    match = moving("22 DF @ W1221; 37 DF @ W0613", ENTENTE, pontoons=mine)
    do(match, "take up the bridge", hex="W1221")
    assert match.position.pontoons == []
    late = moving("22 DF @ W1221; 37 DF @ W0613", ENTENTE, pontoons=mine)
    go(late, "37 DF", "W0612")
    assert refused(late, "take up the bridge", hex="W1221").rule == "11.2.4j"


@rule("italia1918", "11.2.4n", "11.2.4l")
def test_the_enemy_cannot_use_it_nor_can_guns():
    theirs = [(CENTRAL, at("W0613"), toward("W0613", "W0714"))]
    pos = table("22 DF @ W0613", ENTENTE, pontoons=theirs)
    assert reach(pos, "22 DF").cost(at("W0714")) == 2 * WAR.scale
    mine = [(ENTENTE, at("W1221"), toward("W1221", "W1322"))]
    guns = table("CArt I CdA @ W1221", ENTENTE, pontoons=mine)
    assert not reach(guns, "CArt I CdA").ends >> at("W1322") & 1


@rule("italia1918", "11.2.4m", "11.2.4o")
def test_an_empty_one_is_lost_when_an_enemy_ends_beside_it():
    theirs = [(CENTRAL, at("W1221"), toward("W1221", "W1322"))]
    match = moving("22 DF @ W1218", ENTENTE, pontoons=theirs)
    go(match, "22 DF", "W1220")
    assert match.position.pontoons == []
    held = moving("22 DF @ W1218; CArt II K, 4 ID @ W1221", ENTENTE, pontoons=theirs)
    go(held, "22 DF", "W1220")
    assert held.position.pontoons == theirs


@rule("italia1918", "11.2.4p")
def test_a_unit_that_may_not_leave_an_enemy_zone_may_still_build():
    match = moving("22 DF @ W1221; 4 ID @ W1222", ENTENTE)
    do(match, "move", "22 DF")
    assert hexes(match, "go") == set()
    assert "W1322" in hexes(match, "bridge the river")


@rule("italia1918", "11.2.4a")
def test_supports_build_none():
    match = moving("HQ I Armata @ W1221", ENTENTE)
    do(match, "move", "HQ I Armata")
    assert refused(match, "bridge the river", hex="W1322").rule == "11.2.4a"


# Bridges: E1605/E1606 is the bridge of Motta over the Livenza.

MOTTA = bridge("E1605", "E1606")
DEFENDED = "HQ III Armata @ E1602; 22 DF @ E1605; 4 ID @ {enemy}"


def named(number_of: int) -> str:
    """The hex by which a bridge is named."""
    ends = WAR.ground.bridges[number_of].ends
    return LATTICE.code((ends & -ends).bit_length() - 1)


@rule("italia1918", "11.2.5a", "11.2.5b", "11.2.5c")
def test_a_bridge_near_the_enemy_is_blown_up_on_1_to_4():
    match = working(DEFENDED.format(enemy="E1609"), ENTENTE)
    do(match, "blow up", hex=named(MOTTA), value=MOTTA)
    match.roll(4)
    assert match.position.broken == 1 << MOTTA
    again = working(DEFENDED.format(enemy="E1609"), ENTENTE)
    do(again, "blow up", hex=named(MOTTA), value=MOTTA)
    again.roll(5)
    assert again.position.broken == 0


@rule("italia1918", "11.2.5b")
def test_not_if_the_enemy_is_far_or_no_headquarters_near():
    far = working(DEFENDED.format(enemy="E1610"), ENTENTE)
    assert refused(far, "blow up", hex=named(MOTTA), value=MOTTA).rule == "11.2.5b"
    alone = working("22 DF @ E1605; 37 DF @ E1610; 4 ID @ E1608", ENTENTE)
    assert refused(alone, "blow up", hex=named(MOTTA), value=MOTTA).rule == "11.2.5b"


@rule("italia1918", "11.2.5j")
def test_each_bridge_is_tried_once_a_phase():
    match = working(DEFENDED.format(enemy="E1609"), ENTENTE)
    do(match, "blow up", hex=named(MOTTA), value=MOTTA)
    match.roll(6)
    assert refused(match, "blow up", hex=named(MOTTA), value=MOTTA).rule == "11.2.5j"


@rule("italia1918", "11.2.5k")
def test_either_side_may_blow_up_a_bridge():
    match = working("HQ Isonzo A @ E1610; 4 ID @ E1607; 22 DF @ E1604")
    assert named(MOTTA) in hexes(match, "blow up")


@rule("italia1918", "11.2.5d", "S1.S16")
@pytest.mark.parametrize(("turn", "die", "down"), [(1, 2, True), (1, 3, False), (2, 4, True)])
def test_the_bridges_of_the_isonzo_are_hard_to_blow_up_at_first(turn: int, die: int, down: bool):
    number_of = bridge("E2227", "E2228")
    counters = "HQ III Armata @ E2224; 22 DF @ E2228; 4 ID @ E2230"
    match = working(counters, ENTENTE, scenario="caporetto", turn=turn)
    do(match, "blow up", hex=named(number_of), value=number_of)
    match.roll(die)
    assert bool(match.position.broken) == down


BROKEN = 1 << MOTTA


@rule("italia1918", "11.2.5e", "11.2.5g")
def test_a_bridge_with_a_friend_on_one_end_is_rebuilt():
    match = working("HQ III Armata @ E1602; 22 DF @ E1605", ENTENTE, broken=BROKEN)
    do(match, "rebuild", hex=named(MOTTA), value=MOTTA)
    match.roll(3)  # and one for a major river
    assert match.position.broken == 0
    fails = working("HQ III Armata @ E1602; 22 DF @ E1605", ENTENTE, broken=BROKEN)
    do(fails, "rebuild", hex=named(MOTTA), value=MOTTA)
    fails.roll(4)
    assert fails.position.broken == BROKEN


@rule("italia1918", "11.2.5e")
def test_somebody_must_be_there_and_the_far_end_safe():
    nobody = working("HQ III Armata @ E1602; 22 DF @ E1604", ENTENTE, broken=BROKEN)
    assert refused(nobody, "rebuild", hex=named(MOTTA), value=MOTTA).rule == "11.2.5e"
    exposed = working("HQ III Armata @ E1602; 22 DF @ E1605; 4 ID @ E1607", ENTENTE, broken=BROKEN)
    assert refused(exposed, "rebuild", hex=named(MOTTA), value=MOTTA).rule == "11.2.5e"
    both = "HQ III Armata @ E1602; 22 DF @ E1605; 37 DF @ E1606; 4 ID @ E1607"
    held = working(both, ENTENTE, broken=BROKEN)
    assert named(MOTTA) in hexes(held, "rebuild")


@rule("italia1918", "11.2.5f", "11.2.5l")
def test_both_ends_must_be_under_command():
    match = working("22 DF @ E1605; HQ III Armata @ W0534", ENTENTE, broken=BROKEN)
    assert refused(match, "rebuild", hex=named(MOTTA), value=MOTTA).rule == "11.2.5f"
    beyond = working("HQ III Armata @ E1602; 22 DF @ E1605", ENTENTE, broken=BROKEN)
    assert named(MOTTA) in hexes(beyond, "rebuild")  # the line reaches over the broken bridge


@rule("italia1918", "11.2.5i", "10.0e")
@pytest.mark.parametrize(
    ("enemy", "weather", "modifier"), [("", 0, 1), ("", POOR, 2), ("; 4 ID @ E1607", POOR, 4)]
)
def test_what_makes_rebuilding_harder(enemy: str, weather: int, modifier: int):
    pos = table(f"22 DF @ E1605; 37 DF @ E1606{enemy}", ENTENTE, weather=weather, broken=BROKEN)
    assert rebuilding_modifier(WAR, pos, MOTTA) == modifier


def test_a_broken_bridge_is_no_road():
    intact = reach(table("CArt I CdA @ E1605", ENTENTE), "CArt I CdA")
    assert intact.cost(at("E1606")) == WAR.scale
    down = reach(table("CArt I CdA @ E1605", ENTENTE, broken=BROKEN), "CArt I CdA")
    assert not down.ends >> at("E1606") & 1


# Depots

UDINE = "Depot Udine @ E2720; HQ II Armata @ E2718; 4 ID @ {enemy}"


@rule("italia1918", "15.5.1a", "15.5.1b", "15.5.1d")
def test_a_depot_near_the_enemy_is_blown_up():
    match = working(UDINE.format(enemy="E2723"), ENTENTE, scenario="caporetto")
    do(match, "destroy", "Depot Udine")
    match.roll(4)
    assert match.position.hex[number("Depot Udine")] == LOST
    assert match.position.points == [0, 0]


@rule("italia1918", "15.5.1a", "15.5.1c")
def test_there_is_one_attempt_and_a_failure_leaves_it_working():
    match = working(UDINE.format(enemy="E2723"), ENTENTE, scenario="caporetto")
    do(match, "destroy", "Depot Udine")
    match.roll(5)
    pos = match.position
    assert pos.tried == units("Depot Udine")
    assert pos.hex[number("Depot Udine")] == at("E2720")
    assert refused(match, "destroy", "Depot Udine").rule == "15.5.1a"


@rule("italia1918", "15.5.1a")
def test_not_while_the_enemy_is_far_nor_without_a_headquarters():
    far = working(UDINE.format(enemy="E2724") + "; 22 DF @ E2820", ENTENTE, scenario="caporetto")
    assert "destroy" not in verbs(far)
    alone = working(
        "Depot Udine @ E2720; 4 ID @ E2723; 22 DF @ E2620", ENTENTE, scenario="caporetto"
    )
    assert "destroy" not in verbs(alone)
