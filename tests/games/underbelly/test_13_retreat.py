"""Chapter 13: how a battle ends: retreat, extra hits, advance."""

from __future__ import annotations

import pytest

from apennine.games.underbelly.table.position import ALLIED, GERMAN, NOWHERE, TIBER
from apennine.testing import rule
from tests.games.underbelly.drawing import rolls
from tests.games.underbelly.skirmish import (
    asked,
    at,
    attack,
    begin,
    deploy,
    dice_rolled,
    do,
    events,
    fire,
    hexes,
    mask,
    named,
    refusal,
    shoot_out,
    steps,
    units,
    values,
    verbs,
    where,
)

MISS = 10
RING = "US 36 @ 3309; US 45 @ 3310; US 3 @ 3407; US 34 @ 3510"
"""Around 3409: zones everywhere but in 3508."""

NO_RETREAT = (
    "Defenders retreat after offensive fire that cost them a step, if all of them find a hex"
)


# Retreat


@rule("underbelly", "13.2/6a", "13.10c", "13.10d")
def test_a_retreat_gives_one_step_back_and_leaves_the_hex():
    match = begin("US 36, US 45 @ 3309; 16 Pz, 29 PG @ 3409")
    attack(match, "3309", "3409", dice=(*[MISS] * 4, 1, 1, MISS, MISS))
    fire(match, *["US 36"] * 4)
    fire(match, "16 Pz", "29 PG", "29 PG", "29 PG")
    assert asked(match) == GERMAN
    do(match, "retreat")
    assert asked(match) == GERMAN
    assert named(match, "recover") == {"16 Pz", "29 PG"}
    do(match, "recover", "16 Pz")
    assert (steps(match, "16 Pz"), steps(match, "29 PG")) == (2, 1)
    do(match, "retreat to", hex="3509")
    assert where(match, "16 Pz") == where(match, "29 PG") == "3509"
    assert named(match, "advance") == {"US 36", "US 45"}


@rule("underbelly", "13.2/6b")
def test_losses_to_the_barrage_alone_do_not_allow_a_retreat():
    match = begin("US 36, US 45, US VI @ 3309; 16 Pz, 29 PG @ 3409")
    attack(match, "3309", "3409", dice=(1, *[MISS] * 7))
    do(match, "shell", "16 Pz")
    shoot_out(match)
    assert not events(match, "defenders retreat")
    assert steps(match, "16 Pz") == 1
    assert "end" in verbs(match)
    assert refusal(match, "retreat")[0].startswith(NO_RETREAT)


@rule("underbelly", "13.2/6b")
def test_the_losses_of_the_attacker_do_not_let_the_defender_retreat():
    match = begin("US 36, US 45 @ 3309; US 34 @ 3207; 16 Pz, 29 PG @ 3409")
    attack(match, "3309", "3409", dice=(1, *[MISS] * 6))
    fire(match, *["US 36"] * 4)
    do(match, "fight on")
    fire(match, "16 Pz", "16 Pz")
    shoot_out(match)
    assert not events(match, "defenders retreat")
    assert steps(match, "US 36") == 1
    assert "end" in verbs(match)
    assert refusal(match, "retreat")[0].startswith(NO_RETREAT)


@rule("underbelly", "13.2/10")
def test_only_a_step_lost_to_the_divisions_comes_back():
    match = begin("US 36, US 45, US VI @ 3309; 16 Pz, 29 PG @ 3409")
    attack(match, "3309", "3409", dice=(1, *[MISS] * 3, 1, *[MISS] * 3))
    do(match, "shell", "16 Pz")
    fire(match, *["US 36"] * 3)
    fire(match, *["29 PG"] * 4)
    do(match, "retreat")
    # The barrage struck 16 Pz, the divisions 29 PG: there is nothing to choose.
    assert (steps(match, "16 Pz"), steps(match, "29 PG")) == (1, 2)
    assert verbs(match) == {"retreat to"}


@rule("underbelly", "13.2/8", "13.9/5", "13.9/11")
def test_all_survivors_leave_and_the_fort_stays_behind():
    for verb in ("stay", "advance"):
        match = begin("US 36, US 45 @ 3309; 16 Pz, 29 PG, XIV Pz @ 3409", forts=mask("3409"))
        attack(match, "3309", "3409", dice=(*[MISS] * 5, 1, *[MISS] * 3))
        fire(match, *["US 36"] * 5)
        fire(match, *["16 Pz"] * 4)
        do(match, "retreat")
        do(match, "retreat to", hex="3508")
        assert {where(match, unit) for unit in ("16 Pz", "29 PG", "XIV Pz")} == {"3508"}
        assert match.position.forts == mask("3409")
        do(match, verb)
        assert match.position.forts == (mask("3409") if verb == "stay" else 0)


@rule("underbelly", "13.2/6c")
def test_allied_units_never_retreat_from_a_port():
    match = begin("16 Pz, 29 PG @ 2821; 46 Inf, 56 Inf @ 2822", GERMAN)
    attack(match, "2821", "2822", dice=(*[MISS] * 4, 1, MISS, MISS, MISS))
    fire(match, *["16 Pz"] * 4)
    shoot_out(match)
    assert steps(match, "46 Inf") + steps(match, "56 Inf") == 3
    assert where(match, "46 Inf") == where(match, "56 Inf") == "2822"
    assert not events(match, "defenders retreat")
    assert match.position.target == NOWHERE
    assert "from no city and no Allied port. Asked now" in refusal(match, "retreat")[0]


@rule("underbelly", "13.10a", "13.10b")
def test_an_extra_hit_bars_the_retreat():
    match = begin("US 36, US 45 @ 3309; 16 Pz @ 3409 steps=1")
    attack(match, "3309", "3409", dice=(MISS, 1, 1))
    fire(match, "US 36")
    fire(match, "16 Pz")
    assert verbs(match) == {"fire on", "cease fire"}
    do(match, "fire on")
    assert events(match, "scores an extra hit")
    assert where(match, "16 Pz") is None
    assert named(match, "advance") == {"US 36", "US 45"}


@rule("underbelly", "13.10b")
def test_shots_that_miss_the_dead_bar_nothing():
    match = begin("US 36, US 45 @ 3309; 16 Pz @ 3409 steps=1")
    attack(match, "3309", "3409", dice=(MISS, 1, MISS, MISS, MISS))
    fire(match, "US 36")
    fire(match, "16 Pz")
    while "fire on" in verbs(match):
        do(match, "fire on")
    assert dice_rolled(match) == 5
    assert (asked(match), verbs(match)) == (GERMAN, {"retreat", "stand"})


@rule("underbelly", "13.10a")
def test_nobody_fires_at_the_dead_where_no_retreat_could_save_them():
    match = begin("US 36, US 45 @ 2521; HG @ 2522 steps=1", switched=True)
    attack(match, "2521", "2522", dice=(MISS, 1))
    fire(match, "US 36")
    fire(match, "HG")
    assert verbs(match) == {"advance", "stay"}


@rule("underbelly", "13.10a", "13.10c")
def test_without_an_extra_hit_the_last_step_is_saved():
    match = begin("US 36, US 45 @ 3309; 16 Pz @ 3409 steps=1")
    attack(match, "3309", "3409", dice=(MISS, 1))
    fire(match, "US 36")
    fire(match, "16 Pz")
    do(match, "cease fire")
    assert asked(match) == GERMAN
    do(match, "retreat")
    assert (steps(match, "16 Pz"), where(match, "16 Pz")) == (1, "3409")
    assert verbs(match) == {"retreat to"}


@rule("underbelly", "13.9/2")
def test_nobody_retreats_into_an_enemy_zone_without_a_friend():
    match = begin("US 36, US 45 @ 3309; US 3 @ 3407; 16 Pz, 29 PG @ 3409")
    attack(match, "3309", "3409", dice=(*[MISS] * 4, 1, *[MISS] * 3))
    shoot_out(match)
    do(match, "retreat")
    # 3308 and 3410 are next to 3309, 3408 is next to 3407.
    assert hexes(match, "retreat to") == {"3508", "3509"}
    assert refusal(match, "retreat to", hex="3408").rule == "13.9/2"


@rule("underbelly", "13.9/2")
def test_germans_do_not_retreat_into_a_port():
    match = begin("US 36, US 45 @ 2820; 16 Pz, 29 PG @ 2821")
    attack(match, "2820", "2821", dice=(*[MISS] * 4, 1, *[MISS] * 3))
    shoot_out(match)
    do(match, "retreat")
    # Salerno is in 2822, Paestum in 2921; the attackers' zone is in 2720 and 2920.
    assert where(match, "16 Pz") == "2721"


@rule("underbelly", "13.9/2", "6.1a", "6.6b")
def test_why_a_hex_is_no_refuge():
    tiber = {"scenario": TIBER, "plot": 0, "ss_entered": True}
    match = begin("US 36, US 45 @ 3309; X Corps @ 3408; 16 Pz @ 3409; 1 SS @ 3410", **tiber)
    attack(match, "3309", "3409", dice=(MISS, MISS, 1, *[MISS] * 3))
    shoot_out(match)
    do(match, "retreat")
    assert hexes(match, "retreat to") == {"3508", "3509"}
    assert refusal(match, "retreat to", hex="3408").rule == "6.1a"
    assert refusal(match, "retreat to", hex="3410").rule == "6.6b"
    port = begin("US 36, US 45 @ 4007; 16 Pz @ 4107")
    attack(port, "4007", "4107", dice=(MISS, MISS, 1, *[MISS] * 3))
    shoot_out(port)
    do(port, "retreat")
    assert hexes(port, "retreat to") == {"4207", "4208"}
    assert refusal(port, "retreat to", hex="4108").rule == "13.9/2"


@rule("underbelly", "13.9/1")
@pytest.mark.parametrize("defender", ["16 Pz", "1 Para"])
def test_nobody_retreats_over_a_lake(defender):
    match = begin(f"US 36, US 45 @ 5119; {defender} @ 5019")
    attack(match, "5119", "5019", dice=(MISS, MISS, 1, *[MISS] * 3))
    shoot_out(match)
    do(match, "retreat")
    assert hexes(match, "retreat to") == {"4919", "5018"}
    assert refusal(match, "retreat to", hex="4918").rule == "13.9/1"


@rule("underbelly", "13.9/6")
def test_a_retreat_is_one_hex_long():
    match = begin("US 36, US 45 @ 3309; 16 Pz @ 3409")
    attack(match, "3309", "3409", dice=(MISS, MISS, 1, *[MISS] * 3))
    shoot_out(match)
    do(match, "retreat")
    assert hexes(match, "retreat to") == {"3408", "3508", "3509"}
    assert refusal(match, "retreat to", hex="3609").rule == "13.9/6"
    do(match, "retreat to", hex="3508")
    assert verbs(match) == {"advance", "stay"}
    assert where(match, "16 Pz") == "3508"


@rule("underbelly", "13.9/4")
def test_an_empty_hex_goes_before_friends():
    match = begin("US 36, US 45 @ 3309; 16 Pz @ 3409; 29 PG @ 3509")
    attack(match, "3309", "3409", dice=(MISS, MISS, 1, MISS, MISS, MISS))
    shoot_out(match)
    do(match, "retreat")
    assert "3509" not in hexes(match, "retreat to")
    assert "3508" in hexes(match, "retreat to")
    assert refusal(match, "retreat to", hex="3509").rule == "13.9/4"


@rule("underbelly", "13.9/3", "13.9/7")
def test_who_has_no_hex_to_retreat_to_stays():
    # Enemy zones all around but for one hex, and that is full.
    full = "26 Pz, HG, 15 PG @ 3508"
    match = begin(f"US 36 @ 3309; US 45 @ 3310; US 3 @ 3407; US 34 @ 3509; 16 Pz @ 3409; {full}")
    attack(match, "3309", "3409", dice=(MISS, MISS, 1, MISS))
    assert (steps(match, "16 Pz"), where(match, "16 Pz")) == (1, "3409")
    assert match.position.target == NOWHERE  # the battle is over, and nobody was asked


@rule("underbelly", "13.9/3", "13.9/12")
@pytest.mark.parametrize(
    ("defenders", "shots", "friends"),
    [
        ("16 Pz, 29 PG @ 3409", 4, "26 Pz, HG @ 3508; 15 PG, 3 PG, 44 Inf @ 3509"),
        ("16 Pz, XIV Pz @ 3409", 3, "26 Pz, LXXVI Pz @ 3508; 15 PG, 3 PG, 44 Inf, 1P @ 3509"),
        ("16 Pz @ 3409 steps=1; 29 PG @ 3409", 3, "26 Pz, HG @ 3508; 15 PG, 3 PG, 44 Inf @ 3509"),
    ],
    ids=["room for one division", "room for no corps support", "no room for the one restored"],
)
def test_no_retreat_unless_everybody_finds_a_place(defenders, shots, friends):
    match = begin(f"{RING}; US 1 Arm @ 3207; {defenders}; {friends}")
    attack(match, "3309", "3409", dice=(*[MISS] * shots, 1, MISS))
    shoot_out(match, "16 Pz")
    assert dice_rolled(match) == shots + 2
    assert not events(match, "defenders retreat")
    assert "end" in verbs(match)


@rule("underbelly", "13.9/12", "13.10d")
def test_only_a_step_that_leaves_room_for_all_can_be_restored():
    """The dead division would find no place, but the other can retreat with its step restored."""
    friends = "26 Pz, HG @ 3508; 15 PG, 3 PG, 44 Inf @ 3509"
    match = begin(f"{RING}; 16 Pz @ 3409 steps=1; 29 PG @ 3409; {friends}")
    attack(match, "3309", "3409", dice=(*[MISS] * 3, 1, 1))
    shoot_out(match, "16 Pz")
    do(match, "retreat")
    assert where(match, "16 Pz") is None
    assert (where(match, "29 PG"), steps(match, "29 PG")) == ("3508", 2)


@rule("underbelly", "13.9/8", "13.9/9", "13.9/10")
def test_a_retreat_is_free_and_who_retreated_defends_again_without_his_aircraft():
    others = "US 3 @ 3507; US 34 @ 3609"
    match = begin(f"US 36, US 45 @ 3309; {others}; 16 Pz, 29 PG @ 3409; 26 Pz @ 3508", german_tac=1)
    attack(match, "3309", "3409", air="German", dice=(*[MISS] * 4, 1, *[MISS] * 3))
    assert values(match, "fire at", "US 36") == [7, 6]  # cut off, but with aircraft
    shoot_out(match)
    points = match.position.points
    do(match, "retreat")  # only 3508 is left, where a friend cancels the zone
    assert {where(match, unit) for unit in ("16 Pz", "29 PG", "26 Pz")} == {"3508"}
    assert match.position.points == points == 5
    assert not match.position.acted & units("16 Pz, 29 PG")
    assert match.position.german_tac == 0
    do(match, "stay")
    attack(match, "3507", "3508")
    assert match.position.defenders == units("16 Pz, 29 PG, 26 Pz")
    assert values(match, "fire at", "US 3") == [6, 5]
    assert len(match.position.volley) == 6


@rule("underbelly", "13.9/2", "13.9/5")
def test_a_stack_splits_only_if_no_hex_takes_it_whole():
    friends = "26 Pz, HG @ 3508; 15 PG, 3 PG @ 3509"
    match = begin(f"{RING}; 16 Pz, 29 PG @ 3409; {friends}")
    attack(match, "3309", "3409", dice=(*[MISS] * 4, 1, MISS))
    while "fire at" in verbs(match):
        do(match, "fire at")
    do(match, "retreat")
    assert hexes(match, "retreat to") == {"3508", "3509"}
    do(match, "retreat to", hex="3508")
    assert where(match, "29 PG") == "3509"


@rule("underbelly", "13.9/5", "13.9/4")
def test_mountain_units_stay_with_their_stack_though_a_ridge_leads_to_an_empty_hex():
    # Of 4017 only the sides of 4018 and 4117 are open, the others blocked.
    match = begin("5 Inf, 1 C @ 4018; 5 Mtn, 76 Inf @ 4017; 26 Pz @ 4117; 1 Abn @ 4108")
    attack(match, "4018", "4017", dice=(*[MISS] * 4, 1, *[MISS] * 3))
    shoot_out(match)
    do(match, "retreat")
    assert {where(match, unit) for unit in ("5 Mtn", "76 Inf", "26 Pz")} == {"4117"}
    alone = begin("5 Inf, 1 C @ 4018; 5 Mtn @ 4017; 26 Pz @ 4117; 1 Abn @ 4108")
    attack(alone, "4018", "4017", dice=(*[MISS] * 2, 1, *[MISS] * 3))
    shoot_out(alone)
    do(alone, "retreat")
    assert "4016" in hexes(alone, "retreat to")
    assert "4117" not in hexes(alone, "retreat to")


@rule("underbelly", "12.10d")
def test_only_mountain_units_retreat_and_advance_over_a_blocked_side():
    match = begin("FX Mtn, US 36 @ 2818; 16 Pz @ 2817 steps=1")
    attack(match, "2818", "2817", dice=(MISS, 1, *[1] * 3))
    while "fire at" in verbs(match) or "fire on" in verbs(match):
        do(match, "fire at" if "fire at" in verbs(match) else "fire on")
    assert named(match, "advance") == {"FX Mtn"}
    assert refusal(match, "advance", "US 36", "2817").rule == "12.10d"


# Redeployment and advance


@rule("underbelly", "13.2/7")
def test_after_the_fire_all_go_back_and_nothing_stays_on_the_board():
    match = begin(
        "US 36, US 45, US VI @ 3309; US 3 @ 3408; 16 Pz, 29 PG @ 3409; 26 Pz @ 3507",
        tac_active=True,
        tac=1,
        forts=mask("3409"),
    )
    attack(match, "3309", "3409", bombers=True, air="Allied")
    match.force(MISS, 10, MISS, 1, *[MISS] * 3, 1, *[MISS] * 2)
    do(match, "bomb", "16 Pz")
    do(match, "shell", "29 PG")
    fire(match, *["US 45"] * 4)
    do(match, "fight on")
    fire(match, *["29 PG"] * 3)
    do(match, "stand")
    assert match.view(ALLIED)["battle"] is None
    assert [where(match, unit) for unit in ("US 36", "US 45", "US VI")] == ["3309"] * 3
    assert where(match, "16 Pz") == where(match, "29 PG") == "3409"
    assert [steps(match, unit) for unit in ("US 45", "16 Pz", "29 PG")] == [1, 2, 1]
    pos = match.position
    assert (pos.rubble, pos.air_support, pos.bomber, pos.tac) == (-1, -1, False, 0)
    # The next battle has no part of it.
    attack(match, "3408", "3507", dice=(MISS,) * 4)
    assert [roll.purpose for roll in rolls(match)][-2:] == ["US 3 at 26 Pz, 6 or less"] * 2


@rule("underbelly", "13.2/9")
def test_nobody_advances_while_a_defender_stands():
    match = begin("US 36, US 45 @ 3309; US 34 @ 3207; 16 Pz, 29 PG @ 3409")
    attack(match, "3309", "3409", dice=(*[MISS] * 4, 1, 1, MISS, MISS))
    fire(match, *["US 36"] * 4)
    fire(match, *["16 Pz"] * 2)
    assert verbs(match) == {"retreat", "stand"}
    do(match, "stand")
    assert "end" in verbs(match)
    assert where(match, "US 36") == where(match, "US 45") == "3309"
    sentence, by = refusal(match, "advance", "US 36", "3409")
    assert sentence.startswith("Attackers advance into a hex that their battle has cleared.")
    assert by == "13.8a"


@rule("underbelly", "13.2/9", "13.8a", "13.8b")
def test_corps_support_advances_after_a_division():
    match = begin("US 36, US 45, US VI @ 3309; XIV Pz @ 3409")
    attack(match, "3309", "3409", dice=(1,))
    assert named(match, "advance") == {"US 36", "US 45"}
    do(match, "advance", "US 45")
    assert named(match, "advance") == {"US 36", "US VI"}
    do(match, "advance", "US VI")
    do(match, "stay")
    assert [where(match, unit) for unit in ("US 36", "US 45", "US VI")] == ["3309", "3409", "3409"]


@rule("underbelly", "13.8a")
def test_an_advance_is_free_at_once_and_only_for_those_who_fought():
    match = begin("US 36, US 45, US VI @ 3309; US 34 @ 3207; XIV Pz @ 3409; 26 Pz @ 3508")
    attack(match, "3309", "3409", "US 36", "US VI", dice=(1,))
    assert verbs(match) == {"advance", "stay"}
    assert (named(match, "advance"), hexes(match, "advance")) == ({"US 36"}, {"3409"})
    assert refusal(match, "advance", "US 36", "3308").rule == "13.8a"
    assert refusal(match, "advance", "US 45", "3409").rule == "13.8a"
    do(match, "advance", "US 36")
    do(match, "advance", "US VI")
    assert where(match, "US 36") == where(match, "US VI") == "3409"
    assert (where(match, "US 45"), match.position.points) == ("3309", 5)


@rule("underbelly", "13.8b")
def test_no_enemy_zone_stops_an_advance():
    match = begin("US 36, US 45 @ 3309; 26 Pz @ 3508; 29 PG @ 3410; XIV Pz @ 3409")
    attack(match, "3309", "3409", dice=(MISS, 1))
    fire(match, "US 36")
    fire(match, "XIV Pz")
    while "cease fire" in verbs(match):
        do(match, "cease fire")
    if "stand" in verbs(match):
        do(match, "stand")
    assert named(match, "advance") == {"US 36", "US 45"}
    do(match, "advance", "US 36")
    assert where(match, "US 36") == "3409"


@rule("underbelly", "13.9/11")
def test_an_abandoned_fort_falls_when_the_allies_advance():
    match = begin("US 36, US VI @ 3309; 16 Pz @ 3409 steps=1", forts=mask("3409"))
    attack(match, "3309", "3409", dice=(1,))
    assert match.position.forts
    do(match, "advance", "US 36")
    assert not match.position.forts


@rule("underbelly", "11.12")
def test_a_port_that_nobody_guards_falls_to_any_attack():
    match = begin("16 Pz, XIV Pz @ 4107; 46 Inf @ 3306", GERMAN)
    attack(match, "4107", "4108")
    assert dice_rolled(match) == 0
    assert where(match, "16 Pz") == where(match, "XIV Pz") == "4108"
    assert at("4108") not in match.position.ports


@rule("underbelly", "13.7")
def test_a_port_marker_dies_with_its_last_defender():
    match = begin("16 Pz, 29 PG, LXXVI Pz @ 4107; 46 Inf @ 4108 steps=1", GERMAN)
    attack(match, "4107", "4108", dice=(1,))
    assert where(match, "46 Inf") is None
    assert at("4108") not in match.position.ports
    assert named(match, "advance") == {"16 Pz", "29 PG"}
    held = begin("16 Pz, 29 PG, LXXVI Pz @ 4107; 46 Inf @ 4108", GERMAN)
    attack(held, "4107", "4108", dice=(1, *[MISS] * 5))
    shoot_out(held)
    assert steps(held, "46 Inf") == 1
    assert at("4108") in held.position.ports


@rule("underbelly", "9.7c", "9.7e")
def test_a_fight_move_goes_on_only_if_the_whole_force_advances():
    won = begin("16 Pz, 29 PG @ 3409; US 36 @ 3309 steps=1", GERMAN)
    do(won, "fight-move", hex="3409")
    deploy(won, dice=(MISS, 1, 1))
    fire(won, "16 Pz")
    shoot_out(won)
    do(won, "fire on")
    do(won, "advance", "16 Pz")
    do(won, "advance", "29 PG")
    assert verbs(won) & {"take", "take all", "go"}
    part = begin("16 Pz, 29 PG @ 3409; US 36 @ 3309 steps=1", GERMAN)
    do(part, "fight-move", hex="3409")
    deploy(part, "16 Pz", dice=(MISS, 1, 1))
    do(part, "fire on")
    do(part, "advance", "16 Pz")
    assert part.position.side == ALLIED  # nobody is left who could act, so the turn is over


@rule("underbelly", "13.7")
def test_guns_that_outlive_their_division_keep_the_port():
    match = begin("US 36 @ 4108 steps=1; X Corps @ 4108; 16 Pz, HG @ 4107", GERMAN, switched=True)
    attack(match, "4107", "4108", dice=(MISS, MISS, 1, *[MISS] * 3))
    while match.position.target != -1:
        do(match, next(v for v in ("fire at", "stand", "stay") if v in verbs(match)))
    assert (where(match, "US 36"), where(match, "X Corps")) == (None, "4108")
    assert at("4108") in match.position.ports


@rule("underbelly", "13.10c")
def test_a_death_that_is_cancelled_leaves_no_trace():
    """Without supply the dead never come back, but who is restored at once was never dead."""
    counters = "46 Inf @ 3309 steps=1; 56 Inf @ 3309; 16 Pz @ 3409"
    match = begin(counters, ports=[-1] * 6, switched=True)
    attack(match, "3309", "3409", dice=(1, MISS))
    shoot_out(match, "46 Inf")
    assert (where(match, "46 Inf"), match.position.barred) == (None, units("46 Inf"))
    do(match, "break off")
    assert (where(match, "46 Inf"), steps(match, "46 Inf")) == ("3309", 1)
    assert match.position.barred == 0
