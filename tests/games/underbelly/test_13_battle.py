"""Chapter 13: who attacks whom, the deployment, the barrage and the bombers."""

from __future__ import annotations

import pytest

from apennine.games.underbelly.table.position import ALLIED, GERMAN, TIBER
from apennine.testing import rule
from tests.games.underbelly.drawing import aims, next_turn, pass_on, rolls
from tests.games.underbelly.skirmish import (
    asked,
    at,
    attack,
    begin,
    dice_rolled,
    do,
    fire,
    hexes,
    mask,
    named,
    number,
    refusal,
    shoot_out,
    steps,
    units,
    values,
    verbs,
    where,
)

MISS = 10


# Who attacks whom


@rule("underbelly", "13.1a")
def test_an_attack_is_on_one_adjacent_hex_with_enemies():
    match = begin("US 36 @ 3309; 16 Pz @ 3409; 29 PG @ 3410; 26 Pz @ 3508")
    do(match, "attack", hex="3309")
    assert hexes(match, "target") == {"3409", "3410"}
    assert refusal(match, "target", hex="3508").rule == "13.1a"  # two hexes away
    assert refusal(match, "target", hex="3308").rule == "13.1a"


@rule("underbelly", "13.1a")
def test_nobody_must_attack_and_nobody_does_out_of_turn():
    match = begin("US 36 @ 3309; US 45 @ 3207; 16 Pz @ 3409")
    assert hexes(match, "attack") == {"3309"}
    assert refusal(match, "attack", hex="3207").rule == "13.1a"
    assert refusal(match, "attack", hex="3409").rule == "9.4a"
    do(match, "end")
    pass_on(match, until="command", side=GERMAN)
    assert dice_rolled(match) == 0
    assert hexes(match, "attack") == {"3409"}
    assert "end" in verbs(match)


@rule("underbelly", "13.1b")
def test_a_hex_is_attacked_only_once_in_a_phase():
    match = begin("US 36, US 45 @ 3309; US 3, US 34 @ 3408; 16 Pz @ 3409; 26 Pz @ 3507")
    attack(match, "3309", "3409", dice=(MISS,) * 6)
    shoot_out(match)
    do(match, "attack", hex="3408")
    assert match.position.target == at("3507")  # the only enemy that is left to attack
    assert match.position.attacked == mask("3409 3507")


@rule("underbelly", "13.1b")
def test_the_same_hex_may_be_attacked_again_in_the_next_phase():
    match = begin("US 36, US 45 @ 3309; US 3, US 34 @ 3408; 16 Pz @ 3409")
    attack(match, "3309", "3409", dice=(MISS,) * 6)
    shoot_out(match)
    assert "attack" not in verbs(match)
    assert refusal(match, "attack", hex="3408").rule == "13.1b"
    do(match, "end")
    pass_on(match, until="command", side=GERMAN)
    do(match, "end")
    pass_on(match, until="command", side=ALLIED)
    assert hexes(match, "attack") == {"3309", "3408"}


@rule("underbelly", "13.1c")
def test_no_attack_goes_over_a_lake():
    match = begin("US 36, US 45 @ 5019; 16 Pz @ 4918; 29 PG @ 5018")
    do(match, "attack", hex="5019")
    assert match.position.target == at("5018")
    alone = begin("US 36, US 45 @ 5019; 16 Pz @ 4918")
    assert "attack" not in verbs(alone)


@rule("underbelly", "9.5c", "13.2/1a")
def test_a_division_left_behind_is_not_fired_at():
    """The stack of the book: two infantry divisions and corps artillery; one stays behind."""
    match = begin("US 36, US 45, US VI @ 3309; 16 Pz, 29 PG @ 3409")
    attack(match, "3309", "3409", "US 36", "US VI", dice=(MISS, 1, 1, 1, MISS))
    do(match, "shell", "16 Pz")
    shoot_out(match, "US 36")
    # Three hits: both steps of the division, and the guns behind it; one step comes back.
    assert named(match, "recover") == {"US 36", "US VI"}
    do(match, "recover", "US VI")
    assert (steps(match, "US 36"), steps(match, "US VI"), steps(match, "US 45")) == (0, 1, 2)


@rule("underbelly", "13.5b")
def test_corps_support_never_attacks_alone():
    match = begin("US 36, US 45, US VI @ 3309; 16 Pz @ 3409")
    do(match, "attack", hex="3309")
    do(match, "attack with", "US VI")
    assert verbs(match) == {"attack with"}
    assert refusal(match, "fight", hex="3409").rule == "13.5b"
    lone = begin("US VI @ 3309; US 45 @ 3207; 16 Pz @ 3409")
    assert "attack" not in verbs(lone)
    # British divisions do not lead American guns.
    mixed = begin("US VI, 46 Inf, 56 Inf @ 3309; 16 Pz @ 3409")
    do(mixed, "attack", hex="3309")
    assert named(mixed, "attack with") == {"46 Inf", "56 Inf"}
    assert refusal(mixed, "attack with", "US VI", "3409").rule == "13.5b"


@rule("underbelly", "6.5d", "6.5e")
def test_the_two_groupings_do_not_attack_together():
    match = begin("US 36, 46 Inf, X Corps @ 3309; 16 Pz @ 3409")
    do(match, "attack", hex="3309")
    assert named(match, "attack with") == {"US 36", "46 Inf", "X Corps"}
    do(match, "attack with", "46 Inf")
    assert named(match, "attack with") == {"X Corps"}
    assert refusal(match, "attack with", "US 36", "3409").rule == "6.5d"


@rule("underbelly", "13.2/1a")
def test_every_unit_in_the_attacked_hex_defends():
    match = begin("US 36, US 3 @ 3309; 16 Pz, 29 PG, XIV Pz @ 3409")
    attack(match, "3309", "3409")
    assert match.position.defenders == units("16 Pz, 29 PG, XIV Pz")


@rule("underbelly", "13.2/1b")
def test_defence_is_free_and_every_place_on_the_board_is_alike():
    match = begin("46 Inf, 56 Inf, 5 Inf @ 3309; US 34 @ 3207; HG, 29 PG, 26 Pz @ 3409")
    attack(match, "3309", "3409", dice=(MISS,) * 12)
    while asked(match) == GERMAN:
        assert named(match, "fire at") == {"46 Inf", "56 Inf", "5 Inf"}
        assert set(values(match, "fire at")) == {6}  # whichever stands in the centre
        do(match, "fire at")
    while "fire at" in verbs(match):
        assert named(match, "fire at") == {"HG", "29 PG", "26 Pz"}
        assert set(values(match, "fire at")) == {5}
        do(match, "fire at")
    assert match.position.points == 5  # the attack alone cost two
    do(match, "end")
    pass_on(match, until="command", side=GERMAN)
    assert match.position.points == 6


# The barrage


@rule("underbelly", "13.2/2a", "13.2/2c")
def test_the_barrage_comes_first_and_its_hits_count_at_once():
    match = begin("US 36, US 45, US VI @ 3309; 16 Pz, 29 PG @ 3409")
    attack(match, "3309", "3409")
    assert named(match, "shell") == {"16 Pz", "29 PG"}
    match.force(6)
    do(match, "shell", "16 Pz")
    assert steps(match, "16 Pz") == 1
    # The reduced division has one shot that needs 6, the full one two.
    assert match.position.volley == [(number("16 Pz"), 6), *[(number("29 PG"), 6)] * 2]


@rule("underbelly", "13.2/2a")
@pytest.mark.parametrize(("first", "second"), [("shell", "bomb"), ("bomb", "shell")])
def test_corps_artillery_and_bombers_fire_once_each_in_any_order(first, second):
    match = begin("US 36, US VI @ 3309; 16 Pz, 29 PG @ 3409", tac_active=True)
    attack(match, "3309", "3409", bombers=True, dice=(MISS, MISS))
    assert verbs(match) == {"shell", "bomb"}
    do(match, first)
    assert verbs(match) == {second}
    do(match, second)
    assert dice_rolled(match) == 2
    assert (asked(match), verbs(match)) == (GERMAN, {"fire at"})


@rule("underbelly", "13.2/2b")
def test_the_barrage_spares_corps_support_behind_a_division():
    match = begin("US 36, US VI @ 3309; 16 Pz, 29 PG, XIV Pz @ 3409", german_tac=1)
    attack(match, "3309", "3409", air="German")
    assert named(match, "shell") == {"16 Pz", "29 PG"}  # and no aircraft
    assert refusal(match, "shell", "XIV Pz", value=6).rule == "13.5a"
    alone = begin("US 36, US VI @ 3309; XIV Pz @ 3409")
    attack(alone, "3309", "3409", dice=(1,))
    assert where(alone, "XIV Pz") is None
    bombers = begin("US 36, US VI @ 3309; 16 Pz, XIV Pz @ 3409", tac_active=True)
    attack(bombers, "3309", "3409", bombers=True)
    assert named(bombers, "shell") == {"16 Pz"}
    assert named(bombers, "bomb") == {"16 Pz", "XIV Pz"}  # only bombers reach the guns


@rule("underbelly", "13.2/2c", "13.13a")
def test_the_barrage_heeds_the_terrain_and_neither_river_nor_aircraft():
    river = begin("US 36, US VI @ 2710; 16 Pz, 29 PG @ 2810", tac_active=True)
    attack(river, "2710", "2810", bombers=True)
    assert (values(river, "shell"), values(river, "bomb")) == ([6, 6], [5, 5])
    flown = begin("US 36, US VI @ 3309; 16 Pz, 29 PG @ 3409", tac_active=True, tac=1)
    attack(flown, "3309", "3409", air="Allied", bombers=True)
    assert (values(flown, "shell"), values(flown, "bomb")) == ([6, 6], [5, 5])
    hills = begin("US 36, US VI @ 2410; 16 Pz, 29 PG @ 2411", tac_active=True)
    attack(hills, "2410", "2411", bombers=True)
    assert (values(hills, "shell"), values(hills, "bomb")) == ([5, 5], [5, 5])
    city = begin("US 36, US VI @ 2521; 16 Pz, 29 PG @ 2522", tac_active=True)
    attack(city, "2521", "2522", bombers=True)
    assert (values(city, "shell"), values(city, "bomb")) == ([4, 4], [5, 5])
    for match in (river, hills, city):
        do(match, "bomb")
        assert aims(match)["Heavy bombers"] == 5  # what was rolled against


@rule("underbelly", "11.5a", "13.2/2a")
def test_corps_support_out_of_supply_is_silent():
    match = begin(
        "US 36, US 45, US VI @ 3309; 16 Pz, XIV Pz @ 3409; 29 PG @ 3410",
        ports=[-1] * 6,
        switched=True,
    )
    attack(match, "3309", "3409")
    assert (asked(match), dice_rolled(match)) == (GERMAN, 0)  # no barrage
    cut_off = begin(
        "16 Pz, 29 PG @ 3309; 46 Inf, 56 Inf, X Corps @ 3409",
        GERMAN,
        ports=[-1] * 6,
        switched=True,
    )
    attack(cut_off, "3309", "3409")
    firing = {unit for unit, _ in cut_off.position.volley}
    assert firing == {number("46 Inf"), number("56 Inf")}


@rule("underbelly", "13.2/10")
def test_a_hex_emptied_by_the_barrage_is_free_at_once():
    match = begin("US 36, US VI @ 3309; 16 Pz @ 3409 steps=1")
    attack(match, "3309", "3409", dice=(1,))
    assert steps(match, "16 Pz") == 0
    assert named(match, "advance") == {"US 36"}
    assert dice_rolled(match) == 1


# Heavy bombers


@rule("underbelly", "13.6a")
def test_heavy_bombers_cost_two_points_and_fly_once_a_phase():
    match = begin(
        "US 36, US 45 @ 3309; US 3, US 34 @ 3408; 16 Pz @ 3409; 29 PG @ 3507", tac_active=True
    )
    do(match, "attack", hex="3309")
    do(match, "attack with", "US 36")
    assert "send bombers" in verbs(match)
    do(match, "send bombers")
    assert match.position.points == 3
    match.force(*[MISS] * 5)
    do(match, "fight")
    shoot_out(match)
    do(match, "attack", hex="3408")
    do(match, "attack with", "US 3")
    assert "fight" in verbs(match)
    assert "send bombers" not in verbs(match)
    assert refusal(match, "send bombers", hex="3507").rule == "13.6a"
    # Nor with points enough.
    flown = begin("US 36, US 45 @ 3309; 16 Pz @ 3409", tac_active=True, bombed=True)
    do(flown, "attack", hex="3309")
    do(flown, "attack with", "US 36")
    assert "send bombers" not in verbs(flown)
    rested = begin("US 36, US 45 @ 3309; 16 Pz @ 3409", tac_active=True, bombed=True)
    next_turn(rested)
    pass_on(rested, until="orders", side=ALLIED)
    do(rested, "activate air")
    do(rested, "attack", hex="3309")
    do(rested, "attack with", "US 36")
    assert "send bombers" in verbs(rested)


@rule("underbelly", "13.6a")
def test_heavy_bombers_help_either_grouping_but_no_german_and_no_defence():
    british = begin("46 Inf, 56 Inf @ 3309; 16 Pz @ 3409", tac_active=True)
    do(british, "attack", hex="3309")
    assert "send bombers" not in verbs(british)  # never alone
    do(british, "attack with", "46 Inf")
    assert "send bombers" in verbs(british)
    german = begin("16 Pz, 29 PG @ 3409; 46 Inf @ 3309", GERMAN, tac_active=True)
    do(german, "attack", hex="3409")
    do(german, "attack with", "16 Pz")
    assert "send bombers" not in verbs(german)
    assert refusal(german, "send bombers", hex="3309").rule == "13.6a"
    do(german, "attack with", "29 PG")
    assert (asked(german), verbs(german)) == (ALLIED, {"fire at"})
    poor = begin("US 36, US 45 @ 3309; 16 Pz @ 3409", tac_active=True, points=3)
    do(poor, "attack", hex="3309")
    do(poor, "attack with", "US 36")
    assert "send bombers" not in verbs(poor)
    assert refusal(poor, "send bombers", hex="3409").rule == "9.1b"


@rule("underbelly", "13.6b")
def test_no_bombers_fly_while_german_aircraft_do():
    for active in (False, True):
        match = begin(
            "US 36, US 45 @ 3309; 16 Pz @ 3409",
            scenario=TIBER,
            army_entered=True,
            tac_active=active,
            german_tac=0 if active else 1,
        )
        do(match, "attack", hex="3309")
        do(match, "attack with", "US 36")
        assert ("send bombers" in verbs(match)) == active
        if not active:
            assert refusal(match, "send bombers", hex="3409").rule == "13.6b"


@rule("underbelly", "13.6c")
def test_bombs_fall_on_anybody_and_no_terrain_helps():
    match = begin("US 36, US 3 @ 2410; 16 Pz, XIV Pz @ 2411", tac_active=True)
    attack(match, "2410", "2411", bombers=True)
    assert named(match, "bomb") == {"16 Pz", "XIV Pz"}
    assert values(match, "bomb") == [5, 5]
    match.force(5)
    do(match, "bomb", "XIV Pz")
    assert where(match, "XIV Pz") is None
    missed = begin("US 36, US 3 @ 3309; 16 Pz, XIV Pz @ 3409", tac_active=True, tac=1)
    attack(missed, "3309", "3409", bombers=True, air="Allied")
    missed.force(6)
    do(missed, "bomb", "XIV Pz")
    assert steps(missed, "XIV Pz") == 1


@rule("underbelly", "13.6d")
def test_bombs_on_a_fort_may_leave_rubble_that_shelters():
    match = begin(
        "US 36, US 45, US VI @ 3309; 16 Pz, 29 PG @ 3409", tac_active=True, forts=mask("3409")
    )
    attack(match, "3309", "3409", bombers=True)
    match.force(MISS, 6)
    do(match, "bomb", "16 Pz")
    assert match.position.rubble == number("16 Pz")
    assert values(match, "shell", "16 Pz") == [4]  # 6, fort, rubble
    assert values(match, "shell", "29 PG") == [5]
    match.force(*[MISS] * 5)
    do(match, "shell", "29 PG")
    while asked(match) == GERMAN:
        do(match, "fire at")
    assert values(match, "fire at", "16 Pz") == [4, 3]  # 6 and 5, fort, rubble
    assert values(match, "fire at", "29 PG") == [5, 4]


@rule("underbelly", "13.6d")
def test_no_rubble_without_fort_or_city_or_on_a_low_roll():
    plain = begin("US 36, US 45 @ 3309; 16 Pz, 29 PG @ 3409", tac_active=True)
    attack(plain, "3309", "3409", bombers=True)
    do(plain, "bomb", "16 Pz")
    assert dice_rolled(plain) == 1
    fort = begin("US 36, US 45 @ 3309; 16 Pz, 29 PG @ 3409", tac_active=True, forts=mask("3409"))
    attack(fort, "3309", "3409", bombers=True)
    fort.force(1, 5)
    do(fort, "bomb", "16 Pz")
    assert dice_rolled(fort) == 2
    assert fort.position.rubble == -1
    assert steps(fort, "16 Pz") == 1


@rule("underbelly", "13.6d")
def test_bombs_on_a_city_may_leave_rubble_too():
    match = begin("US 36, US 45 @ 2521; 16 Pz, 29 PG @ 2522", tac_active=True, switched=True)
    attack(match, "2521", "2522", bombers=True)
    match.force(1, 10, *[MISS] * 3)
    do(match, "bomb", "16 Pz")
    assert steps(match, "16 Pz") == 1
    assert match.position.rubble == number("16 Pz")
    while asked(match) == GERMAN:
        do(match, "fire at")
    # 6 and 5, city -2, ships +1, and rubble.
    assert values(match, "fire at", "29 PG") == [5, 4]
    assert values(match, "fire at", "16 Pz") == [4, 3]


@rule("underbelly", "13.6d")
def test_rubble_shelters_the_dead_only_if_there_is_nobody_else():
    alone = begin("US 36, US 45 @ 3309; 16 Pz @ 3409 steps=1", tac_active=True, forts=mask("3409"))
    attack(alone, "3309", "3409", bombers=True, dice=(MISS, 6, MISS, 1))
    fire(alone, "US 36", "16 Pz")
    assert values(alone, "fire on") == [4, 3]  # 6 and 5, fort, rubble
    two = begin(
        "US 36, US 45 @ 3309; 16 Pz, 29 PG @ 3409 steps=1", tac_active=True, forts=mask("3409")
    )
    attack(two, "3309", "3409", bombers=True, dice=(MISS, 6, MISS, MISS, 1, 1))
    do(two, "bomb", "16 Pz")
    fire(two, "US 36", "US 36", "29 PG", "16 Pz")
    assert values(two, "fire on") == [4]  # US 36 fires at the dead of 29 PG


@rule("underbelly", "13.6d", "13.12b")
def test_nobody_fires_into_rubble_that_he_cannot_hit():
    """Out of supply, before hills and a fort, a five is a one; rubble makes it nothing."""
    for defenders, fired in (("HG, 15 PG", 4), ("HG", 0)):
        match = begin(
            f"US 36, US 34 @ 2410; {defenders} @ 2411",
            ports=[-1] * 6,
            switched=True,
            tac_active=True,
            forts=mask("2411"),
        )
        attack(match, "2410", "2411", bombers=True, dice=(MISS, 6, *[MISS] * 8))
        if "bomb" in verbs(match):
            do(match, "bomb", "HG")
        shoot_out(match)
        offensive = [roll.purpose for roll in rolls(match) if roll.purpose.startswith("US")]
        assert all(purpose.endswith("at 15 PG, 1 or less") for purpose in offensive)
        assert len(offensive) == fired
