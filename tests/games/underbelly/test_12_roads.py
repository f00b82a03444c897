"""Chapter 12: roads, and blocked hexsides."""

from __future__ import annotations

from typing import Any

import pytest

from apennine.games.underbelly.table.position import ATTACK, NO_ORDER
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.underbelly.drawing import (
    ALLIED,
    GAME,
    GERMAN,
    Table,
    asked,
    attack,
    begin,
    deploy,
    do,
    halt,
    hexes,
    named,
    order,
    preview,
    price,
    reach,
    shoot_out,
    verbs,
    where,
    zone,
)

MISS = 10
FAR = "46 Inf @ 2822; US 36 @ 2921"
SPARE = "44 Inf @ 1012"


def germans(counters: str, **fields: Any) -> Match[Table]:
    return begin(f"{FAR}; {SPARE}; {counters}", GERMAN, **fields)


def allies(counters: str, **fields: Any) -> Match[Table]:
    return begin(f"{FAR}; {counters}", **fields)


def way(match: Match[Table], to: str) -> list[str]:
    """The hexes that those who move now would go through."""
    return [GAME.board.code(hex) for hex in preview(match, "go", hex=to).path]


# 12.8: roads


@rule("underbelly", "12.8a")
@pytest.mark.parametrize("unit", ["16 Pz", "76 Inf", "5 Mtn"])
def test_along_a_road_a_mountain_costs_what_clear_ground_does(unit: str):
    assert price(germans(f"{unit} @ 3218"), "3218", "3118") == 1
    # The road from 2717 to 2817 has a bridge: mountains on both banks of the river.
    assert price(germans(f"{unit} @ 2717"), "2717", "2817") == 1


@rule("underbelly", "12.8a")
def test_only_over_a_side_that_the_road_crosses():
    # 3118 and 3119 are on one road; 3219 beside them is on none.
    assert price(germans("16 Pz @ 3119"), "3119", "3118") == 1
    off = germans("16 Pz @ 3219; X Corps @ 3119; XIII Corps @ 3218")
    assert price(off, "3219", "3118") == 3
    # From 3217 to 3317 leads no road, though both have one: it is the mountain that is left.
    assert price(germans("16 Pz @ 3417; X Corps @ 3317"), "3417", "3418") == 3


@rule("underbelly", "12.8b")
def test_the_book_goes_from_3117_to_3118_straight_and_by_the_road():
    # Guns in 3218 keep the road shut: the mountain costs three, and the river one more.
    straight = germans("16 Pz @ 3117; X Corps @ 3218")
    assert price(straight, "3117", "3118") == 4
    assert price(germans("16 Pz @ 3218"), "3218", "3118") == 1
    # Left to itself the division takes the road: a river into 3218, then one point.
    match = germans("16 Pz @ 3117")
    assert price(match, "3117", "3118") == 3
    order(match, "move", "3117")
    assert way(match, "3118") == ["3117", "3218", "3118"]


@rule("underbelly", "12.8c")
def test_columns_use_roads_and_stay_out_of_zones():
    match = germans("16 Pz @ 3218")
    order(match, "column", "3218")
    do(match, "go", hex="3118")
    assert match.position.moves_left == 15
    zoned = germans("16 Pz @ 3218; 5 Inf @ 3019")
    assert "3118" in reach(zoned, "3218")
    assert "3118" not in reach(zoned, "3218", verb="column")


@rule("underbelly", "12.8c", "9.6c")
def test_a_move_fight_uses_roads_and_may_end_in_a_zone():
    match = germans("16 Pz @ 3218; 5 Inf @ 3019")
    order(match, "move-fight", "3218")
    assert preview(match, "go", hex="3118").cost == "1 movement point"
    do(match, "go", hex="3118")
    assert where(match, "16 Pz") == "3118"
    assert hexes(match, "strike with") == {"3019"}


@rule("underbelly", "12.8c", "9.7c")
def test_a_fight_move_uses_roads():
    match = germans("16 Pz, 29 PG @ 3318; X Corps @ 3218; 5 Inf @ 3219")
    do(match, "fight-move", hex="3318")
    do(match, "target", hex="3218")
    deploy(match, dice=(MISS, 1))
    shoot_out(match)
    for verb in ("cease fire", "stand"):
        if verb in verbs(match):
            do(match, verb)
    do(match, "advance", "16 Pz")
    do(match, "advance", "29 PG")
    do(match, "take all")
    assert match.position.moves_left == 8
    assert preview(match, "go", hex="3117").cost == "2 movement points"
    assert preview(match, "go", hex="3018").cost == "3 movement points"  # by the road from 3117


# 12.10: blocked hexsides

SHUT = "X Corps @ 4117; XIII Corps @ 4018"
"""Guns in the two open sides of 4017: whoever goes there crosses a blocked one."""


def into_the_massif(unit: str, start: str = "4016", verb: str = "move") -> bool:
    match = germans(f"{unit} @ {start}; {SHUT}")
    match.force(8)
    return "4017" in reach(match, start, *unit.split(", "), verb=verb)


@rule("underbelly", "12.10a")
def test_only_mountain_units_cross_a_blocked_side():
    assert into_the_massif("5 Mtn")
    assert not into_the_massif("76 Inf")
    assert not into_the_massif("16 Pz")
    assert not into_the_massif("5 Mtn, 76 Inf")  # not in such company
    allied = allies("FX Mtn @ 4016; 5 Inf @ 4116; XIV Pz @ 4117; LXXVI Pz @ 4018")
    assert "4017" in reach(allied, "4016")
    assert "4017" not in reach(allied, "4116")


@rule("underbelly", "12.10a")
def test_they_begin_beside_it_and_it_takes_all_their_points():
    match = germans("5 Mtn @ 4016; X Corps @ 4117")
    order(match, "move", "4016")
    do(match, "go", hex="4017")
    assert where(match, "5 Mtn") == "4017"
    assert match.position.movers == 0  # though the way on to 4018 is free
    assert not into_the_massif("5 Mtn", "4015")
    near = germans(f"5 Mtn @ 4015; {SHUT}")
    order(near, "move", "4015")
    do(near, "go", hex="4016")
    assert near.position.moves_left == 3
    assert "4017" not in hexes(near, "go")


@rule("underbelly", "12.10b")
def test_not_in_a_move_fight():
    assert not into_the_massif("5 Mtn", verb="move-fight")


@rule("underbelly", "12.10b")
def test_not_after_the_fight_of_a_fight_move():
    # 5 Mtn wins 4016 from 4015; X Corps and XIII Corps hold the open ways to 4017.
    match = germans(f"5 Mtn @ 4015; US VI @ 4016; {SHUT}; 5 Inf @ 3915")
    do(match, "fight-move", hex="4015")
    match.force(MISS, 1)
    do(match, "target", hex="4016")
    for verb in ("cease fire", "stand"):
        if verb in verbs(match):
            do(match, verb)
    do(match, "advance", "5 Mtn")
    assert where(match, "5 Mtn") == "4016"
    assert match.position.moves_left == 4
    assert "4017" not in hexes(match, "go")
    halt(match)


@rule("underbelly", "12.10c")
@pytest.mark.parametrize(("unit", "crosses"), [("1 Para", True), ("2 Para", True), ("1P", False)])
def test_the_parachute_divisions_climb_and_their_corps_guns_do_not(unit: str, crosses: bool):
    assert into_the_massif(unit) == crosses


@rule("underbelly", "12.10d")
def test_zones_and_attacks_cross_blocked_sides():
    match = germans("16 Pz @ 4016; 5 Inf @ 4017")
    assert "4017" in zone(match, GERMAN)
    assert "4016" in zone(match, ALLIED)
    assert "4016" in hexes(match, "attack")


def overrun(attackers: str) -> Match[Table]:
    """Guns in 4017 are wiped out over the blocked side of 4016."""
    match = germans(f"{attackers} @ 4016; X Corps @ 4017; 5 Inf @ 3915")
    attack(match, "4016", "4017", dice=(MISS, 1))
    shoot_out(match)
    for verb in ("cease fire", "stand"):
        if verb in verbs(match):
            do(match, verb)
    return match


@rule("underbelly", "12.10d")
def test_only_mountain_units_advance_over_one():
    match = overrun("5 Mtn, 16 Pz")
    assert named(match, "advance") == {"5 Mtn"}
    stuck = overrun("26 Pz, 16 Pz")
    assert where(stuck, "X Corps") is None
    assert "advance" not in verbs(stuck)
    assert where(stuck, "16 Pz") == "4016"


@rule("underbelly", "12.10b", "12.10d")
@pytest.mark.parametrize("verb", ["attack", "fight-move", "move-fight"])
def test_nobody_advances_over_one_in_a_move_fight_or_fight_move(verb: str):
    # Without 5 Inf in 3915 the hex of 5 Mtn is in no Allied zone, as a move-fight wants it.
    near = "" if verb == "move-fight" else "; 5 Inf @ 3915"
    match = germans(f"5 Mtn @ 4016; X Corps @ 4017{near}")
    match.force(MISS, 1)
    do(match, verb, hex="4016")
    if verb == "move-fight":
        do(match, "halt")
    do(match, "strike with" if verb == "move-fight" else "target", hex="4017")
    while {"fire at", "cease fire", "stand"} & verbs(match):
        do(match, next(v for v in ("fire at", "cease fire", "stand") if v in verbs(match)))
    assert where(match, "X Corps") is None
    assert ("advance" in verbs(match)) == (verb == "attack")
    assert where(match, "5 Mtn") == "4016"
    assert match.position.order == (ATTACK if verb == "attack" else NO_ORDER)


@rule("underbelly", "12.10d")
@pytest.mark.parametrize(("unit", "free"), [("5 Mtn", True), ("16 Pz", False)])
def test_only_mountain_units_retreat_over_one(unit: str, free: bool):
    # Attacked from 4018, with guns in 4117: all other sides of 4017 are blocked.
    match = allies(f"5 Inf, 1 C @ 4018; X Corps @ 4117; {unit} @ 4017; {SPARE}")
    attack(match, "4018", "4017", dice=(MISS, MISS, 1, MISS, MISS, MISS))
    while "fire at" in verbs(match):
        do(match, "fire at")
    if free:
        assert asked(match) == GERMAN
        do(match, "retreat")
        assert hexes(match, "retreat to") == {"3916", "3917", "4016", "4116"} - zone(match, ALLIED)
    else:
        assert "retreat" not in verbs(match)
