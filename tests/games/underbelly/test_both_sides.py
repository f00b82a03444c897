"""Rules that bind both sides, proven on the side that the chapters' own tests leave out."""

from __future__ import annotations

import pytest

from apennine.testing import rule
from tests.games.underbelly.drawing import (
    ALLIED,
    GERMAN,
    NOWHERE,
    aims,
    allowance,
    asked,
    attack,
    begin,
    do,
    fight_in_vain,
    fight_out,
    given,
    hexes,
    idle,
    is_supplied,
    march,
    named,
    price,
    reach,
    rolls,
    shoot_out,
    steps,
    units,
    verbs,
    where,
)

MISS = 10
RING = "US 36 @ 2409; US 45 @ 2412; US 3 @ 2110"
"""Zones all around 2310."""


# Zones of control


@rule("underbelly", "7.5b", "7.5c")
@pytest.mark.parametrize("friend", ["", "; 26 Pz @ 2622"])
def test_a_german_leaves_a_zone_only_to_a_hex_without_one_friends_or_not(friend: str):
    """2622 and 2822 are in the zone of 2721 too; guns bar 2823."""
    match = begin(f"1 Para @ 2722; US 36 @ 2721; US VI @ 2823{friend}", GERMAN)
    assert reach(match, "2722") == {"2723"}


@rule("underbelly", "7.6a")
@pytest.mark.parametrize(("friend", "may"), [("", False), ("; US 3 @ 3509", True)])
def test_an_allied_retreat_into_a_german_zone_needs_a_friend_there(friend: str, may: bool):
    ring = "16 Pz, HG @ 3309; 29 PG @ 3407; 26 Pz @ 3510; 15 PG @ 3310; 3 PG @ 3608"
    match = begin(f"{ring}; US 36, US 45 @ 3409{friend}", GERMAN)
    attack(match, "3309", "3409", dice=(*[MISS] * 4, 1, *[MISS] * 3))
    shoot_out(match)
    assert ("retreat" in verbs(match)) is may


@rule("underbelly", "7.6b")
def test_zones_do_not_hinder_a_german_advance():
    match = begin("16 Pz, HG @ 3309; US VI @ 3409; US 36 @ 3408; US 45 @ 3509", GERMAN)
    attack(match, "3309", "3409", dice=(MISS, 1, 1))
    while "advance" not in verbs(match):
        do(match, "fire on" if "fire on" in verbs(match) else "fire at")
    do(match, "advance", "16 Pz")
    assert where(match, "16 Pz") == "3409"


# Stacking and supply


@rule("underbelly", "6.2")
@pytest.mark.parametrize(("there", "room"), [("16 Pz, HG", True), ("16 Pz, HG, 15 PG", False)])
def test_germans_do_not_even_pass_a_full_hex(there: str, room: bool):
    """The ways out of 2723 are 2722, where friends are, and 2823, where guns stand."""
    match = begin(f"1 Para @ 2723; {there} @ 2722; US VI @ 2823", GERMAN)
    assert ("2721" in reach(match, "2723")) is room


@rule("underbelly", "11.1a", "11.3d")
def test_allied_zones_cut_a_german_line_and_he_moves_at_half_pace():
    match = begin(f"16 Pz @ 2310; {RING}", GERMAN)
    assert not is_supplied(match, "16 Pz")
    assert allowance(match, "2310") == 4
    guns = begin("16 Pz @ 2310; US VI @ 2409; US II @ 2412; X Corps @ 2110", GERMAN)
    assert is_supplied(guns, "16 Pz")
    assert allowance(guns, "2310") == 8


@rule("underbelly", "11.5a")
def test_german_guns_out_of_supply_do_not_fire_either():
    counters = "16 Pz, XIV Pz @ 2310; 46 Inf @ 2410"
    for side, way in ((GERMAN, ("2310", "2410")), (ALLIED, ("2410", "2310"))):
        assert "XIV Pz" in fight_in_vain(begin(counters, side), *way)
        cut_off = fight_in_vain(begin(f"{counters}; {RING}", side), *way)
        assert "16 Pz" in cut_off
        assert "XIV Pz" not in cut_off


# Movement


@rule("underbelly", "12.7a", "12.7b")
def test_an_allied_column_marches_twice_as_far_and_keeps_out_of_german_zones():
    match = begin("5 Inf @ 3009; 16 Pz @ 3309")
    assert (allowance(match, "3009"), allowance(match, "3009", verb="column")) == (8, 16)
    assert {"3209", "3210"} <= reach(match, "3009")
    assert not {"3209", "3210"} & reach(match, "3009", verb="column")


@rule("underbelly", "12.8a")
def test_an_allied_division_uses_the_road_into_the_hills():
    road = begin("5 Inf @ 3218; 16 Pz @ 1211")
    assert price(road, "3218", "3118") == 1
    no_road = begin("5 Inf @ 3117; 16 Pz @ 1211")
    assert price(no_road, "3117", "3118") == 3


@rule("underbelly", "12.1b")
def test_losses_do_not_slow_an_allied_division_down():
    match = begin("5 Inf @ 3309 steps=1; 1 Abn @ 3310 steps=1; 16 Pz @ 1211")
    assert (allowance(match, "3309"), allowance(match, "3310")) == (8, 4)


@rule("underbelly", "9.4b")
def test_germans_pick_up_nobody_on_the_way():
    match = begin("16 Pz, HG @ 2310; 29 PG @ 2309; US 36 @ 3309", GERMAN)
    do(match, "move", hex="2310")
    do(match, "take", "16 Pz")
    assert named(match, "take along") == {"HG"}
    do(match, "go", hex="2309")
    assert verbs(match) == {"go", "halt"}


# Battle


@rule("underbelly", "13.1b")
def test_germans_attack_a_hex_only_once_in_a_phase():
    match = begin("16 Pz, HG @ 3309; 29 PG @ 3408; 76 Inf @ 1012; US 36 @ 3409", GERMAN)
    assert "attack" in given(match, "3408")
    attack(match, "3309", "3409", dice=(MISS,) * 6)
    fight_out(match)
    assert "attack" not in given(match, "3408")


@rule("underbelly", "13.2/4a", "13.10d")
def test_a_german_attacker_breaks_off_and_gets_a_step_back():
    match = begin("16 Pz, HG @ 3309; US 36 @ 3409", GERMAN)
    attack(match, "3309", "3409", dice=(1, 1))
    for unit in ("16 Pz", "HG"):
        do(match, "fire at", unit)
    assert asked(match) == GERMAN
    do(match, "break off")
    assert named(match, "recover") == {"16 Pz", "HG"}
    do(match, "recover", "HG")
    assert (steps(match, "16 Pz"), steps(match, "HG")) == (1, 2)
    assert match.position.target == NOWHERE


@rule("underbelly", "13.2/6a")
def test_allied_defenders_retreat_and_get_a_step_back():
    match = begin("16 Pz, HG @ 3309; US 36, US 45 @ 3409", GERMAN)
    attack(match, "3309", "3409", dice=(*[MISS] * 4, 1, *[MISS] * 3))
    shoot_out(match, "US 36")
    assert (asked(match), verbs(match)) == (ALLIED, {"retreat", "stand"})
    do(match, "retreat")
    assert steps(match, "US 36") == 2


@rule("underbelly", "13.10a", "13.10b")
@pytest.mark.parametrize("extra", [True, False])
def test_a_german_attacker_fires_on_at_the_dead_to_bar_the_retreat(extra: bool):
    match = begin("16 Pz, HG @ 3309; US 36 @ 3409 steps=1", GERMAN)
    attack(match, "3309", "3409", dice=(MISS, 1, 1 if extra else MISS, MISS, MISS))
    while asked(match) == ALLIED:
        do(match, "fire at")
    do(match, "fire at", "US 36")
    assert verbs(match) == {"fire on", "cease fire"}
    do(match, "fire on")
    if not extra:
        do(match, "cease fire")
    assert ("retreat" in verbs(match)) is not extra


@rule("underbelly", "13.11")
def test_for_a_city_no_german_breaks_off_and_no_ally_retreats():
    match = begin("16 Pz, HG @ 2521; US 36, US 45 @ 2522", GERMAN)
    attack(match, "2521", "2522", dice=(1, *[MISS] * 3, 1, *[MISS] * 3))
    while asked(match) == ALLIED:
        do(match, "fire at", "HG")
    assert (asked(match), verbs(match)) == (GERMAN, {"fire at"})
    shoot_out(match, "US 36")
    assert steps(match, "US 36") == 1
    assert match.position.target == NOWHERE
    assert set(aims(match)) == {"16 Pz", "HG", "US 36", "US 45"}


@rule("underbelly", "13.3a")
def test_germans_who_attack_and_allies_who_defend_fire_a_shot_for_each_step():
    counters = "16 Pz @ 3309; HG @ 3309 steps=1; US 36 @ 3409; US 45 @ 3409 steps=1"
    match = begin(counters, GERMAN)
    attack(match, "3309", "3409", dice=(MISS,) * 6)
    fight_out(match)
    fired = [roll.purpose.partition(" at ")[0] for roll in rolls(match)]
    assert sorted(fired) == ["16 Pz", "16 Pz", "HG", "US 36", "US 36", "US 45"]


@rule("underbelly", "13.13a")
@pytest.mark.parametrize(
    ("origin", "target", "needed"),
    [("3309", "3409", 7), ("2410", "2411", 6), ("2710", "2810", 6), ("2521", "2522", 5)],
    ids=["clear", "mountain", "river", "city"],
)
def test_the_ground_lowers_german_fire_too(origin: str, target: str, needed: int):
    match = begin(f"16 Pz @ {origin}; US 36 @ {target}", GERMAN)
    assert fight_in_vain(match, origin, target)["16 Pz"] == needed


@rule("underbelly", "13.8b")
def test_german_guns_advance_only_after_a_division():
    match = begin("16 Pz, XIV Pz @ 3309; US 36 @ 3409 steps=1", GERMAN)
    attack(match, "3309", "3409", dice=(MISS, MISS, 1, MISS))
    while "advance" not in verbs(match):
        ways = ("shell", "fire at", "cease fire", "stand")
        do(match, next(verb for verb in ways if verb in verbs(match)))
    assert named(match, "advance") == {"16 Pz"}
    do(match, "advance", "16 Pz")
    assert named(match, "advance") == {"XIV Pz"}


@rule("underbelly", "13.9/3")
@pytest.mark.parametrize(("there", "may"), [("US 3, US 34", True), ("US 3, US 34, 46 Inf", False)])
def test_an_allied_retreat_finds_no_room_in_a_full_hex(there: str, may: bool):
    """Every hex but that of the friends is in a German zone."""
    ring = "16 Pz, HG @ 3309; 29 PG @ 3407; 26 Pz @ 3510; 15 PG @ 3310; 3 PG @ 3608"
    match = begin(f"{ring}; US 36 @ 3409; {there} @ 3509", GERMAN)
    attack(match, "3309", "3409", dice=(*[MISS] * 2, 1, *[MISS] * 3))
    shoot_out(match)
    assert ("retreat" in verbs(match)) is may


@rule("underbelly", "13.9/4")
def test_an_allied_retreat_goes_to_an_empty_hex_before_friends():
    match = begin("16 Pz, HG @ 3309; US 36, US 45 @ 3409; US 3 @ 3508", GERMAN)
    attack(match, "3309", "3409", dice=(*[MISS] * 4, 1, *[MISS] * 3))
    shoot_out(match)
    do(match, "retreat")
    assert hexes(match, "retreat to") == {"3408", "3509"}


@rule("underbelly", "13.2/2a", "13.2/3a")
def test_german_guns_open_the_attack_and_allied_guns_fire_in_defence():
    match = begin("16 Pz, XIV Pz @ 3309; US 36, US VI @ 3409", GERMAN)
    attack(match, "3309", "3409", dice=(MISS,) * 6)
    fight_out(match)
    fired = [roll.purpose.partition(" at ")[0] for roll in rolls(match)]
    assert fired[0] == "XIV Pz"
    assert sorted(fired[1:]) == ["16 Pz", "16 Pz", "US 36", "US 36", "US VI"]


@rule("underbelly", "13.5b", "9.5c")
def test_german_guns_need_a_division_and_who_is_left_out_is_not_fired_at():
    match = begin("16 Pz, HG, XIV Pz @ 3309; US 36, US 45 @ 3409", GERMAN)
    do(match, "attack", hex="3309")
    do(match, "attack with", "XIV Pz")
    assert "fight" not in verbs(match)
    do(match, "attack with", "16 Pz")
    match.force(*[MISS] * 3)
    do(match, "fight")
    do(match, "shell")
    assert asked(match) == ALLIED
    assert named(match, "fire at") == {"16 Pz"}


@rule("underbelly", "13.2/9", "13.8a")
def test_any_german_attacker_may_take_a_hex_that_is_free_or_stay():
    match = begin("16 Pz, HG @ 3309; US VI @ 3409", GERMAN)
    attack(match, "3309", "3409", dice=(MISS, 1, 1))
    while "advance" not in verbs(match):
        do(match, "fire on" if "fire on" in verbs(match) else "fire at")
    assert named(match, "advance") == {"16 Pz", "HG"}
    do(match, "advance", "HG")
    do(match, "stay")
    assert (where(match, "16 Pz"), where(match, "HG")) == ("3309", "3409")


@rule("underbelly", "13.9/1")
def test_no_allied_division_retreats_over_a_lake():
    match = begin("16 Pz, 29 PG @ 5119; US 36 @ 5019", GERMAN)
    attack(match, "5119", "5019", dice=(MISS, MISS, 1, *[MISS] * 3))
    shoot_out(match)
    do(match, "retreat")
    assert hexes(match, "retreat to") == {"4919", "5018"}


# Losses


@rule("underbelly", "2.13b", "2.13c")
def test_a_german_division_is_flipped_by_one_hit_and_eliminated_by_the_next():
    for dice, left in (((1, MISS, MISS), 1), ((1, 1, MISS), 0)):
        match = begin("US 36, US 45 @ 3309; 16 Pz, HG @ 3409")
        attack(match, "3309", "3409", dice=(*[MISS] * 4, *dice, MISS))
        shoot_out(match, "HG")
        assert steps(match, "HG") == left
        assert (where(match, "HG") == "3409") is bool(left)
    guns = begin("US 36, US 45 @ 3309; XIV Pz @ 3409")
    attack(guns, "3309", "3409", dice=(MISS, 1))
    shoot_out(guns)
    assert (steps(guns, "XIV Pz"), where(guns, "XIV Pz")) == (0, None)


@rule("underbelly", "9.16h")
@pytest.mark.parametrize(("ring", "barred"), [("", 0), (f"; {RING}", units("16 Pz"))])
def test_a_german_who_falls_out_of_supply_never_comes_back(ring: str, barred: int):
    match = begin(f"46 Inf, 56 Inf @ 2410; 16 Pz @ 2310 steps=1; 29 PG @ 2310{ring}")
    attack(match, "2410", "2310", dice=(*[MISS] * 3, 1, *[MISS] * 3))
    shoot_out(match, "46 Inf", "16 Pz")
    while match.position.target != NOWHERE:
        idle(match)
    assert where(match, "16 Pz") is None
    assert match.position.barred == barred


@rule("underbelly", "9.4d")
def test_germans_who_were_left_behind_cannot_be_ordered_again():
    match = begin("16 Pz, HG @ 2310; 76 Inf @ 1012; US 36 @ 3309", GERMAN)
    march(match, "2310", "2309", units=["16 Pz"])
    assert not given(match, "2310")
    assert not given(match, "2309")
