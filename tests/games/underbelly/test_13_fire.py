"""Chapter 13: the fire of both sides, what a shot must roll, and breaking off."""

from __future__ import annotations

import pytest

from apennine.games.underbelly.table.position import ALLIED, GERMAN, NOWHERE
from apennine.kernel.decision import Option
from apennine.testing import rule
from tests.games.underbelly.drawing import rolls
from tests.games.underbelly.skirmish import (
    GAME,
    asked,
    at,
    attack,
    begin,
    deploy,
    dice_rolled,
    do,
    events,
    fire,
    lines,
    mask,
    named,
    number,
    preview,
    refusal,
    shoot_out,
    steps,
    units,
    values,
    verbs,
    where,
)

MISS = 10


def shoot_out_of(match, side):
    """Let a side fire all its shots."""
    while asked(match) == side and "fire at" in verbs(match):
        do(match, "fire at")


def numbers_of(match):
    """What the shots of this step must roll, by the name of who fires."""
    return {GAME.units[unit]: needed for unit, needed in match.position.volley}


# Defensive fire, and breaking off


@rule("underbelly", "13.2/3a")
def test_the_defender_aims_each_shot_at_an_attacking_division():
    match = begin("US 36, US 45, US VI @ 3309; 16 Pz @ 3409")
    attack(match, "3309", "3409", dice=(MISS, 1, 1))
    assert asked(match) == GERMAN
    assert named(match, "fire at") == {"US 36", "US 45"}
    fire(match, "US 45", "US 36")
    assert steps(match, "US 36") == steps(match, "US 45") == 1


@rule("underbelly", "13.2/3a")
def test_defending_divisions_and_their_corps_support_all_fire():
    match = begin("US 36, US 45 @ 3309; 16 Pz, 29 PG, XIV Pz @ 3409")
    attack(match, "3309", "3409")
    divisions = [*[(number("16 Pz"), 7)] * 2, *[(number("29 PG"), 6)] * 2]
    assert sorted(match.position.volley) == sorted([*divisions, (number("XIV Pz"), 5)])


@rule("underbelly", "13.3b")
def test_each_shot_has_its_firer_and_its_target_before_it_is_rolled():
    match = begin("US 36, US 45 @ 3309; 16 Pz, 29 PG @ 3409")
    attack(match, "3309", "3409", dice=(1, *[MISS] * 3))  # a hit does not bind the other shots
    assert dice_rolled(match) == 0
    for rolled, (unit, needed) in enumerate([("US 36", 7), ("US 45", 6), ("US 45", 7)], 1):
        match.choose(Option("fire at", number(unit), -1, needed))
        assert dice_rolled(match) == rolled
    assert values(match, "fire at") == [6, 6]  # one shot of 29 PG is left
    fire(match, "US 36")
    # Both divisions have fired at two targets.
    assert [roll.purpose for roll in rolls(match)] == [
        "16 Pz at US 36, 7 or less",
        "29 PG at US 45, 6 or less",
        "16 Pz at US 45, 7 or less",
        "29 PG at US 36, 6 or less",
    ]


@rule("underbelly", "13.4")
def test_a_hit_counts_at_once_and_the_board_is_gone_through_once():
    match = begin("US 36 @ 3309 steps=1; US 45, US 3 @ 3309; 16 Pz @ 3409; US 34 @ 3207")
    attack(match, "3309", "3409", dice=(1, *[MISS] * 5))
    fire(match, "US 36")
    assert steps(match, "US 36") == 0
    assert named(match, "fire at") == {"US 45", "US 3"}
    assert refusal(match, "fire at", "US 36", value=7).rule == "13.4"
    fire(match, "US 45")
    do(match, "fight on")
    shoot_out(match)
    # Two shots of the defender and four of the attackers left; then nobody fires again.
    assert dice_rolled(match) == 6
    assert (match.position.target, steps(match, "16 Pz")) == (NOWHERE, 2)


@rule("underbelly", "13.5a")
def test_the_shots_left_go_at_corps_support_when_no_division_stands():
    match = begin("US 36 @ 3309 steps=1; US VI @ 3309; 16 Pz, 29 PG @ 3409")
    attack(match, "3309", "3409", dice=(MISS, 1))
    do(match, "shell", "16 Pz")
    assert named(match, "fire at") == {"US 36"}
    assert refusal(match, "fire at", "US VI", value=7).rule == "13.5a"
    fire(match, "US 36")
    assert named(match, "fire at") == {"US VI"}


@rule("underbelly", "13.3a", "13.3c")
def test_a_unit_has_as_many_shots_as_steps():
    match = begin("US 36, US 45 @ 3309; 16 Pz @ 3409 steps=1; 29 PG @ 3409")
    attack(match, "3309", "3409")
    assert match.position.volley == [(number("16 Pz"), 6), *[(number("29 PG"), 6)] * 2]
    match.force(1, MISS, MISS)
    shoot_out(match, "US 45")
    do(match, "fight on")
    # The step that was lost does not fire.
    assert match.position.volley == [*[(number("US 36"), 5)] * 2, (number("US 45"), 5)]


@rule("underbelly", "13.3a")
def test_a_hit_is_a_roll_at_most_the_number():
    match = begin("US 36, US 45 @ 3309; 16 Pz @ 3409")
    attack(match, "3309", "3409", dice=(7, 8))
    assert values(match, "fire at", "US 36") == [7]
    fire(match, "US 36", "US 45")
    assert (steps(match, "US 36"), steps(match, "US 45")) == (1, 2)


@rule("underbelly", "2.13b", "2.13c")
def test_the_first_hit_reduces_the_second_eliminates():
    match = begin("US 36, US 45 @ 3309; 16 Pz @ 3409")
    attack(match, "3309", "3409", dice=(1, 1))
    fire(match, "US 36")
    assert steps(match, "US 36") == 1
    fire(match, "US 36")
    assert where(match, "US 36") is None
    assert steps(match, "US 36") == 0


@rule("underbelly", "13.2/4a", "13.2/4c", "13.10d")
def test_breaking_off_gives_a_step_back_and_ends_the_battle():
    match = begin("US 36, US 45, US 3 @ 3309; 16 Pz @ 3409")
    attack(match, "3309", "3409", dice=(1, 1))
    fire(match, "US 36", "US 45")
    rolled = dice_rolled(match)
    do(match, "break off")
    assert asked(match) == ALLIED
    assert named(match, "recover") == {"US 36", "US 45"}  # the 3rd has lost nothing
    do(match, "recover", "US 45")
    assert (steps(match, "US 36"), steps(match, "US 45")) == (1, 2)
    assert dice_rolled(match) == rolled  # nobody has fired at the Germans
    assert match.position.target == NOWHERE
    assert "end" in verbs(match)
    assert [where(match, unit) for unit in ("US 36", "US 45", "16 Pz")] == ["3309", "3309", "3409"]


@rule("underbelly", "13.2/4b")
def test_who_lost_nothing_may_not_break_off():
    match = begin("US 36, US 45 @ 3309; 16 Pz, 29 PG @ 3409")
    attack(match, "3309", "3409", dice=(MISS,) * 4)
    for _ in range(4):
        do(match, "fire at", "US 36")
    assert asked(match) == ALLIED
    assert verbs(match) == {"fire at"}
    sentence, by = refusal(match, "break off")
    assert sentence.startswith("An attack is broken off after defensive fire that cost it a step")
    assert by == "13.2/4a"


@rule("underbelly", "13.2/4b")
def test_who_has_only_corps_support_left_must_break_off():
    match = begin("US 36, US VI @ 3309; 16 Pz @ 3409")
    attack(match, "3309", "3409", dice=(MISS, 1, 1))
    # Both steps of the division are lost; one comes back without a question.
    assert events(match, "attack is broken off")
    assert steps(match, "US 36") == 1
    assert where(match, "US 36") == "3309"


@rule("underbelly", "13.2/4d")
def test_an_attacker_who_is_wiped_out_saves_one_step():
    match = begin("US 36 @ 3309 steps=1; 16 Pz @ 3409")
    attack(match, "3309", "3409", dice=(1,))
    assert steps(match, "US 36") == 1
    assert where(match, "US 36") == "3309"


@rule("underbelly", "13.2/4d")
def test_at_a_city_corps_support_left_alone_stays_and_holds_its_fire():
    match = begin("US 36 @ 2521 steps=1; US VI @ 2521; 16 Pz, 29 PG @ 2522", switched=True)
    attack(match, "2521", "2522", dice=(MISS, 1, *[MISS] * 3))
    do(match, "shell", "16 Pz")
    shoot_out(match)
    assert not events(match, "attack is broken off")
    assert (steps(match, "US 36"), steps(match, "US VI")) == (0, 1)
    assert where(match, "US VI") == "2521"
    assert dice_rolled(match) == 5
    assert steps(match, "16 Pz") == steps(match, "29 PG") == 2


@rule("underbelly", "13.2/4d", "13.8b")
def test_at_a_city_the_last_attackers_die_and_no_defender_comes_out():
    match = begin("US 36 @ 2521 steps=1; US 45 @ 3309; 16 Pz @ 2522", switched=True)
    attack(match, "2521", "2522", dice=(1,))
    assert not events(match, "attack is broken off")
    assert where(match, "US 36") is None
    assert where(match, "16 Pz") == "2522"
    assert (asked(match), match.position.target) == (ALLIED, NOWHERE)
    assert "end" in verbs(match)


@rule("underbelly", "13.11")
def test_before_a_city_nobody_breaks_off_or_retreats():
    match = begin("US 36, US 45 @ 2521; 16 Pz, 29 PG @ 2522", switched=True)
    attack(match, "2521", "2522", dice=(1, MISS, MISS, MISS, 1, MISS, MISS))
    fire(match, *["US 45"] * 4)
    assert (asked(match), verbs(match)) == (ALLIED, {"fire at"})
    assert "that cost it a step, and never on a city. Asked now" in refusal(match, "break off")[0]
    shoot_out(match)
    assert "and from no city and no Allied port. Asked now: Give a" in refusal(match, "retreat")[0]
    assert steps(match, "16 Pz") == 1
    assert where(match, "16 Pz") == "2522"
    assert "end" in verbs(match)


# Offensive fire


@rule("underbelly", "13.2/5a", "13.5a")
def test_corps_support_is_a_target_only_when_no_division_is_left():
    match = begin("US 36, US 45 @ 3309; 16 Pz @ 3409 steps=1; XIV Pz @ 3409")
    attack(match, "3309", "3409", dice=(MISS, MISS, 1))
    fire(match, "US 36", "US 36")
    assert named(match, "fire at") == {"16 Pz"}
    fire(match, "16 Pz")
    assert named(match, "fire at") == {"XIV Pz"}


@rule("underbelly", "13.2/5a")
def test_corps_support_that_fired_in_the_barrage_does_not_fire_again():
    match = begin("US 36, US VI @ 3309; 16 Pz, 29 PG @ 3409")
    attack(match, "3309", "3409", dice=(MISS,) * 5)
    do(match, "shell")
    shoot_out_of(match, GERMAN)
    assert match.position.volley == [(number("US 36"), 5)] * 2


# Numbers


def needed(shown: str) -> str:
    """What a unit must roll, without the number that is printed on it."""
    return shown.split(" (")[0]


CASES = [
    ("open ground", "US 36, US 3 @ 3309; 16 Pz, 29 PG @ 3409", ("3309", "3409"), {}, ("US 36", 5)),
    ("hills", "US 36, US 3 @ 2410; 16 Pz, 29 PG @ 2411", ("2410", "2411"), {}, ("US 36", 4)),
    ("a river", "US 36, US 3 @ 2710; 16 Pz, 29 PG @ 2810", ("2710", "2810"), {}, ("US 36", 4)),
    (
        "a city by the sea",
        "US 36, US 3 @ 2521; 16 Pz, HG @ 2522",
        ("2521", "2522"),
        {},
        ("US 36", 4),
    ),
    (
        "a marsh by the sea",
        "US 36, US 3 @ 2907; 16 Pz, 29 PG @ 2807",
        ("2907", "2807"),
        {},
        ("US 36", 5),
    ),
    ("the coast", "US 36, US 3 @ 3208; 16 Pz, 29 PG @ 3207", ("3208", "3207"), {}, ("US 36", 6)),
    (
        "a fort",
        "US 36, US 3 @ 3309; 16 Pz, 29 PG @ 3409",
        ("3309", "3409"),
        {"forts": mask("3409")},
        ("US 36", 4),
    ),
    (
        "out of supply",
        "US 36, US 3 @ 3309; 16 Pz, 29 PG @ 3409",
        ("3309", "3409"),
        {"ports": [-1] * 6, "switched": True},
        ("US 36", 3),
    ),
    (
        "coastal supply",
        "US 36, US 3 @ 3207; 16 Pz, 29 PG @ 3208",
        ("3207", "3208"),
        {"ports": [-1] * 6, "switched": True},
        ("US 36", 4),
    ),
    (
        "the other grouping's port",
        "46 Inf, 56 Inf @ 3309; 16 Pz, 29 PG @ 3409",
        ("3309", "3409"),
        {"ports": [-1, at("2921"), -1, -1, -2, -2]},
        ("46 Inf", 4),
    ),
    (
        "mixed in one hex",
        "US 36, 46 Inf @ 3309; 16 Pz, 29 PG @ 3409",
        ("3309", "3409"),
        {},
        ("US 36", 4),
    ),
]


@rule("underbelly", "13.12a", "13.13a")
@pytest.mark.parametrize(("name", "counters", "way", "fields", "found"), CASES)
def test_every_reason_adds_up(name, counters, way, fields, found):
    match = begin(counters, **fields)
    do(match, "attack", hex=way[0])
    shown = lines(preview(match, "attack with", found[0]))
    assert needed(shown[f"attack: {found[0]}, 2 shots"]) == f"{found[1]} or less", name
    deploy(match, found[0], dice=(MISS,) * 4)
    shoot_out_of(match, GERMAN)
    assert match.position.volley == [(number(found[0]), found[1])] * 2, name


@rule("underbelly", "9.14b", "13.2/5b")
def test_tactical_air_helps_divisions_alone():
    match = begin("US 36, US 45, US VI @ 3309; 16 Pz, 29 PG @ 3409", tac_active=True, tac=1)
    attack(match, "3309", "3409", air="Allied", dice=(MISS,) * 5)
    assert values(match, "shell") == [6, 6]
    do(match, "shell")
    assert match.position.tac == 0
    while asked(match) == GERMAN:
        do(match, "fire at")
    assert values(match, "fire at", "16 Pz") == [7, 6]  # 6 and 5, and one more


@rule("underbelly", "13.2/5b")
def test_ships_and_aircraft_help_an_allied_attack_together():
    match = begin("US 36, US 45, US VI @ 3208; 16 Pz, 29 PG @ 3207", tac_active=True, tac=1)
    attack(match, "3208", "3207", air="Allied", dice=(MISS,) * 5)
    assert values(match, "shell") == [6, 6]
    do(match, "shell")
    shoot_out_of(match, GERMAN)
    assert values(match, "fire at", "16 Pz") == [8, 7]  # 6 and 5, and two more
    # Germans have aircraft now and then, but never ships.
    german = begin("16 Pz, 29 PG @ 3208; 46 Inf, 56 Inf @ 3207", GERMAN, german_tac=1)
    attack(german, "3208", "3207", air="German", dice=(MISS,) * 4)
    shoot_out_of(german, ALLIED)
    assert values(german, "fire at", "46 Inf") == [8, 7]


@rule("underbelly", "13.2/3b")
def test_ships_and_aircraft_help_a_defence_together():
    match = begin("16 Pz, 29 PG @ 3208; 46 Inf, X Corps @ 3207", GERMAN, tac_active=True, tac=1)
    attack(match, "3208", "3207", air="Allied")
    # The division 5 and 1 and 1, the guns of the corps 6 and no more.
    assert match.position.volley == [*[(number("46 Inf"), 7)] * 2, (number("X Corps"), 6)]
    german = begin("US 36, US 45 @ 3208; 16 Pz, XIV Pz @ 3207", german_tac=1)
    attack(german, "3208", "3207", air="German")
    # No ships for a German: 7 and 1 for the aircraft.
    assert numbers_of(german) == {"16 Pz": 8, "XIV Pz": 5}


@rule("underbelly", "11.5b", "13.13b")
def test_a_defender_out_of_supply_fires_at_one_less_whatever_the_ground():
    supplied = begin("US 36, US 45 @ 2410; 16 Pz @ 2411")
    attack(supplied, "2410", "2411")
    assert values(supplied, "fire at", "US 36") == [7]  # the hills do not count for it
    fort = begin("US 36, US 45 @ 2710; 16 Pz @ 2810", forts=mask("2810"))
    attack(fort, "2710", "2810")
    assert values(fort, "fire at", "US 36") == [7]  # nor do a river and a fort
    city = begin("US 36, US 45 @ 2521; 16 Pz @ 2522", switched=True)
    attack(city, "2521", "2522")
    assert values(city, "fire at", "US 36") == [7]
    ring = "US 3 @ 2311; US 34 @ 2512; 46 Inf @ 2311; 56 Inf @ 2512"
    cut_off = begin(f"US 36, US 45 @ 2410; 16 Pz @ 2411; {ring}")
    attack(cut_off, "2410", "2411")
    assert values(cut_off, "fire at", "US 36") == [6]


@rule("underbelly", "13.14")
def test_rivers_do_not_trouble_a_german_attack_in_the_first_three_turns():
    for turn, expected in ((3, "7 or less"), (4, "6 or less")):
        match = begin("16 Pz, 29 PG @ 2710; 46 Inf @ 2810", GERMAN, turn=turn)
        do(match, "attack", hex="2710")
        shown = lines(preview(match, "attack with", "16 Pz"))
        assert needed(shown["attack: 16 Pz, 2 shots"]) == expected
    allied = begin("US 36, US 3 @ 2710; 16 Pz @ 2810", turn=3)
    do(allied, "attack", hex="2710")
    shown = lines(preview(allied, "attack with", "US 36"))
    assert shown["attack: US 36, 2 shots"] == "4 or less (printed 5)"


@rule("underbelly", "13.12b")
def test_a_unit_that_cannot_hit_still_stands_on_the_board():
    """A reduced division of 4 in its hex by the river, without supply, at a city by the sea."""
    match = begin(
        "46 Inf @ 2521 steps=1; 56 Inf @ 2521 steps=1; HG @ 2522; 15 PG @ 2522",
        ports=[-1] * 6,
        switched=True,
    )
    do(match, "attack", hex="2521")
    shown = lines(preview(match, "attack with", "46 Inf"))
    assert shown["attack: 46 Inf"] == "1 or less (printed 4)"  # 4, city -2, ships +1, supply -2
    fort = begin(
        "46 Inf @ 2410 steps=1; 56 Inf @ 2410 steps=1; HG, 15 PG @ 2411",
        ports=[-1] * 6,
        switched=True,
        forts=mask("2411"),
    )
    attack(fort, "2410", "2411", dice=(1, *[MISS] * 3))
    shown = [line.value for line in preview(fort, "fire at").lines]
    assert shown == ["6 or less"]
    shoot_out(fort, "46 Inf")
    do(fort, "fight on")
    # 4, hills -1, fort -1, supply -2: no shot is fired at the Germans.
    assert dice_rolled(fort) == 4
    assert fort.position.target == NOWHERE


@rule("underbelly", "9.16h")
def test_who_dies_out_of_supply_never_comes_back():
    match = begin("US 36, US 45 @ 3309; 16 Pz @ 3409", ports=[-1] * 6, switched=True)
    attack(match, "3309", "3409", dice=(1, 1))
    fire(match, "US 36", "US 36")
    assert match.position.barred == units("US 36")
    do(match, "break off")
    assert match.position.barred == 0  # the last step came back
    fed = begin("US 36, US 45 @ 3309; 16 Pz @ 3409")
    attack(fed, "3309", "3409", dice=(1, 1))
    fire(fed, "US 36", "US 36")
    assert fed.position.barred == 0


@rule("underbelly", "13.11")
def test_before_a_town_both_do():
    """Matera is a town and no city."""
    match = begin("US 36, US 45 @ 3609; 16 Pz, 29 PG @ 3610", switched=True)
    attack(match, "3609", "3610", dice=(1, MISS, MISS, MISS, 1, MISS, MISS))
    fire(match, *["US 45"] * 4)
    assert verbs(match) == {"break off", "fight on"}
    do(match, "fight on")
    shoot_out(match, "16 Pz")
    assert (asked(match), verbs(match)) == (GERMAN, {"retreat", "stand"})


@rule("underbelly", "13.12a")
def test_every_reason_adds_up_for_a_defender_too():
    """5, and 1 each for ships off 3207 and for aircraft, less 1 for the mixed stack."""
    match = begin("US 36, 46 Inf @ 3207; 16 Pz, 29 PG @ 3208", GERMAN, tac_active=True, tac=1)
    attack(match, "3208", "3207", air="Allied")
    assert numbers_of(match) == {"US 36": 6, "46 Inf": 6}


@rule("underbelly", "13.13b")
def test_the_ground_of_the_attacker_does_not_count_for_the_defender():
    """2411 is in the hills, 2410 is not."""
    match = begin("US 36, US 45 @ 2411; 16 Pz @ 2410")
    attack(match, "2411", "2410")
    assert values(match, "fire at", "US 36") == [7]
