"""Chapter 9: tactical air over two player turns, heavy bombers, and naval gunfire."""

from __future__ import annotations

from typing import Any

import pytest

from apennine.games.underbelly.table.position import NO_AIR_COVER
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.underbelly.drawing import (
    ALLIED,
    GAME,
    GERMAN,
    NO_PORTS,
    TIBER,
    WAR,
    Table,
    aims,
    asked,
    at,
    attack,
    begin,
    bury,
    dice_rolled,
    do,
    fight_out,
    fresh,
    named,
    next_turn,
    order,
    pass_on,
    refused,
    steps,
    table,
    values,
    verbs,
)

MISS = 10
FAR = "46 Inf @ 2822; US 36 @ 2921"
FRONT = f"{FAR}; 5 Inf, 1 C @ 3309; 16 Pz, 29 PG @ 3209"
SPARE = "76 Inf @ 1012"
TIBER_ARMY = {"scenario": TIBER, "plot": 0, "army_aircraft": True}


def air_numbers(match: Match[Table], origin: str, target: str, air: str = "") -> list[int]:
    """What the divisions of an attack must roll, after a defence that hits nobody."""
    attack(match, origin, target, air=air, dice=(MISS,) * 12)
    attacker = match.position.side
    while "fire at" not in verbs(match) or asked(match) != attacker:
        do(match, "shell" if "shell" in verbs(match) else "fire at")
    return sorted(set(values(match, "fire at")))


# 9.9: activation


@rule("underbelly", "9.9a")
def test_on_turn_one_the_air_is_active_without_a_decision():
    match = fresh("historical")
    assert match.position.turn == 1
    pass_on(match, until="command", side=GERMAN)
    assert match.position.tac_active
    assert match.position.tac == 1  # neither base is Allied
    assert "activate air" not in verbs(match)


@rule("underbelly", "9.9a")
def test_later_it_is_decided_at_the_very_start_or_not_at_all():
    match = fresh("historical")
    next_turn(match)
    pass_on(match, until="orders")
    assert verbs(match) == {"activate air", "no air"}
    assert match.position.points == 7
    do(match, "no air")
    assert not match.position.tac_active
    assert "move" in verbs(match)
    assert "activate air" not in verbs(match)
    assert refused(match, "activate air").rule == "9.9a"


@rule("underbelly", "9.9c")
def test_more_points_bring_no_more_aircraft_and_supply_does_not_matter():
    # Naples is in Allied hands, cut off from every port.
    match = begin(
        "US 36 @ 2522; 46 Inf @ 2822; 16 Pz @ 2420",
        phase="orders",
        ports=NO_PORTS,
        switched=True,
    )
    do(match, "activate air")
    assert match.position.tac == 2
    assert match.position.points == 6
    assert match.position.phase == "command"
    assert refused(match, "activate air").rule == "9.9a"
    assert "activate air" not in verbs(match)


@rule("underbelly", "9.9d")
@pytest.mark.parametrize("stack", ["US 45, US 34", "5 Inf, 1 C"])
def test_aircraft_support_either_grouping(stack: str):
    match = begin(f"{FAR}; {stack} @ 3309; 16 Pz, 29 PG @ 3209", tac_active=True, tac=1)
    calm = begin(f"{FAR}; {stack} @ 3309; 16 Pz, 29 PG @ 3209")
    with_air = air_numbers(match, "3309", "3209", "Allied")
    assert with_air == [number + 1 for number in air_numbers(calm, "3309", "3209")]


@rule("underbelly", "9.9e")
def test_in_the_historical_scenario_the_germans_have_no_aircraft():
    match = begin(f"{FRONT}; {SPARE}", phase="orders")
    do(match, "no air")
    assert match.position.german_tac == 0
    pass_on(match, until="command", side=GERMAN)
    assert match.position.german_tac == 0
    attack(match, "3209", "3309", dice=(MISS,) * 8)
    assert match.position.air_support == -1
    for answer in ("activate air", "no air"):  # nor in any later turn, whatever the Allies do
        later = begin(f"{FRONT}; {SPARE}", phase="orders")
        next_turn(later)
        pass_on(later, until="orders", side=ALLIED)
        do(later, answer)
        assert later.position.german_tac == 0


@rule("underbelly", "9.9f")
def test_activated_aircraft_last_till_the_end_of_the_game_turn():
    match = begin(f"{FRONT}; {SPARE}", phase="orders")
    do(match, "activate air")
    pass_on(match, until="command", side=GERMAN)
    assert match.position.tac_active
    assert match.position.tac == 1
    do(match, "attack", hex="3209")
    do(match, "attack with", "16 Pz")
    do(match, "fight")
    assert asked(match) == ALLIED
    assert verbs(match) == {"air support", "no air support"}
    do(match, "no air support")
    next_turn(match)
    assert match.position.turn == 11
    assert not match.position.tac_active
    assert match.position.tac == 0
    do(match, "no air")
    assert "send bombers" not in _offers(match)


def _offers(match: Match[Table]) -> set[str]:
    do(match, "attack", hex="3309")
    do(match, "attack with", "5 Inf")
    return verbs(match)


# 9.10: Watch on the Tiber


@rule("underbelly", "9.10a")
def test_after_an_end_run_to_spare_the_point_for_air_loses_the_game():
    def start(**fields: Any) -> Match[Table]:
        return begin(FAR, phase="orders", scenario=TIBER, turn=14, **fields)

    match = start(plot=13, launched=13, rolled=0)
    do(match, "no air")
    assert match.position.verdict == NO_AIR_COVER
    assert match.outcome is not None
    assert match.outcome.winner == GERMAN
    kept = start(plot=13, launched=13, rolled=0)
    do(kept, "activate air")
    assert kept.outcome is None
    calm = start(plot=0)
    do(calm, "no air")
    assert calm.outcome is None


@rule("underbelly", "9.10b")
@pytest.mark.parametrize(
    ("entered", "verb", "aircraft"),
    [(True, "no air", 1), (True, "activate air", 0), (False, "no air", 0)],
)
def test_the_germans_fly_when_the_allies_do_not(entered: bool, verb: str, aircraft: int):
    match = begin(f"{FRONT}; {SPARE}", phase="orders", army_entered=entered, **TIBER_ARMY)
    do(match, verb)
    assert match.position.german_tac == aircraft
    pass_on(match, until="command", side=GERMAN)
    assert match.position.german_tac == aircraft
    assert match.position.points == 6  # for nothing
    next_turn(match)
    assert match.position.german_tac == 0


@rule("underbelly", "9.10c")
@pytest.mark.parametrize("stack", ["16 Pz, 29 PG", "1 SS, 2 SS", "1 Pz, 14 Pz"])
def test_the_german_aircraft_serve_every_organisation(stack: str):
    match = begin(
        f"{FAR}; 5 Inf @ 3309; {stack} @ 3209; {SPARE}",
        GERMAN,
        army_entered=True,
        ss_entered=True,
        german_tac=1,
        **TIBER_ARMY,
    )
    do(match, "attack", hex="3209")
    while "attack with" in verbs(match):
        do(match, "attack with")
    assert asked(match) == GERMAN
    assert verbs(match) == {"air support", "no air support"}


@rule("underbelly", "9.10d")
@pytest.mark.parametrize("active", [False, True])
def test_on_the_turn_of_its_entry_the_army_brings_its_aircraft_at_once(active: bool):
    match = begin(
        f"{FAR}; 1 Pz @ fifth; 14 Pz @ fifth; {SPARE}",
        GERMAN,
        army_due=True,
        tac_active=active,
        **TIBER_ARMY,
    )
    assert match.position.german_tac == 0
    order(match, "move", "fifth", "1 Pz", "14 Pz")
    do(match, "enter", hex="1021")
    assert match.position.army_entered
    assert match.position.german_tac == int(not active)


# 9.11 to 9.13


@rule("underbelly", "9.12")
def test_the_82nd_drops_once_a_game():
    match = begin(f"{FAR}; 82 Abn @ available", tac_active=True, dropped=5)
    assert not {"ready the drop", "drop"} & verbs(match)
    assert "ready the drop" in verbs(begin(f"{FAR}; 82 Abn @ available", tac_active=True))
    pos = bury(FAR, "82 Abn", tac_active=True, dropped=5)
    assert "reclaim" not in verbs(Match(GAME, position=pos, seed=1))


def heavy(counters: str = FRONT, **fields: Any) -> Match[Table]:
    match = begin(counters, **fields)
    do(match, "attack", hex="3309")
    do(match, "attack with", "5 Inf")
    return match


@rule("underbelly", "9.13")
def test_bombers_cost_two_points_and_need_tactical_air():
    match = heavy(tac_active=True)
    assert match.position.points == 5
    do(match, "send bombers")
    assert match.position.points == 3
    assert match.position.bomber
    assert "send bombers" not in verbs(match)
    assert "send bombers" not in verbs(heavy())
    german = begin(FRONT, GERMAN, tac_active=True)
    do(german, "attack", hex="3209")
    do(german, "attack with", "16 Pz")
    assert "send bombers" not in verbs(german)


@rule("underbelly", "9.13")
def test_bombers_fly_once_a_turn():
    counters = f"{FRONT}; 78 Inf, 8 I @ 3410; 26 Pz @ 3510"
    match = heavy(counters, tac_active=True)
    do(match, "send bombers")
    match.force(*[MISS] * 12)
    do(match, "fight")
    fight_out(match)
    do(match, "attack", hex="3410")
    do(match, "attack with", "78 Inf")
    assert "send bombers" not in verbs(match)
    first = heavy(counters, tac_active=True)
    match = begin(counters, tac_active=True)
    do(match, "attack", hex="3410")
    do(match, "attack with", "78 Inf")
    assert "send bombers" in verbs(first)
    assert "send bombers" in verbs(match)


# 9.14: in battle


@rule("underbelly", "9.14a")
def test_one_tactical_air_unit_is_all_that_a_battle_sees():
    match = begin(FRONT, tac_active=True, tac=3)
    bare = air_numbers(begin(FRONT), "3309", "3209")
    assert air_numbers(match, "3309", "3209", "Allied") == [number + 1 for number in bare]
    assert match.position.tac == 2


@rule("underbelly", "9.14a", "9.14d")
@pytest.mark.parametrize("side", [ALLIED, GERMAN])
def test_never_those_of_both_sides_and_the_attacker_is_asked_first(side: int):
    # It cannot come to this by 9.10: were there aircraft of both sides, one alone would fly.
    hexes = ("3309", "3209") if side == ALLIED else ("3209", "3309")
    pos = table(FRONT, side, tac_active=True, tac=1, **TIBER_ARMY)
    pos.german_tac = 1
    match = Match(GAME, position=pos, seed=1)
    do(match, "attack", hex=hexes[0])
    while "attack with" in verbs(match):
        do(match, "attack with")
    if "fight" in verbs(match):
        do(match, "fight")
    assert asked(match) == side
    other = match.fork()
    do(match, "air support")
    assert "air support" not in verbs(match)
    assert match.position.air_support == side
    do(other, "no air support")
    assert "air support" in verbs(other)
    assert asked(other) == 1 - side


@rule("underbelly", "9.14b")
def test_tactical_air_helps_attacking_divisions_not_guns_and_bombers():
    counters = f"{FAR}; 5 Inf, 1 C, XIII Corps @ 3309; 16 Pz, 29 PG @ 3209"
    for air, divisions in (("", [5, 6]), ("Allied", [6, 7])):
        match = begin(counters, tac_active=True, tac=1)
        attack(match, "3309", "3209", bombers=True, air=air, dice=(MISS,) * 12)
        assert set(values(match, "shell")) == {6}
        assert set(values(match, "bomb")) == {5}
        while "fire at" not in verbs(match) or asked(match) != ALLIED:
            do(match, next(v for v in ("shell", "bomb", "fire at") if v in verbs(match)))
        assert sorted(set(values(match, "fire at"))) == divisions
        assert aims(match)["Heavy bombers"] == 5  # what they rolled against


@rule("underbelly", "9.14b")
@pytest.mark.parametrize(("air", "numbers"), [("", [5, 6]), ("Allied", [6])])
def test_it_helps_defending_divisions_and_not_their_guns(air: str, numbers: list[int]):
    match = begin(
        f"{FAR}; 5 Inf, XIII Corps @ 3309; 16 Pz, 29 PG @ 3209", GERMAN, tac_active=True, tac=1
    )
    attack(match, "3209", "3309", air=air)
    assert asked(match) == ALLIED
    assert sorted(set(values(match, "fire at"))) == numbers


@rule("underbelly", "9.14c")
def test_the_one_german_unit_supports_one_battle_a_turn():
    match = begin(
        f"{FAR}; 5 Inf @ 3309; 1 C @ 3411; 16 Pz, 29 PG @ 3209; 26 Pz, 15 PG @ 3412; {SPARE}",
        GERMAN,
        army_entered=True,
        german_tac=1,
        **TIBER_ARMY,
    )
    attack(match, "3209", "3309", air="German", dice=(MISS,) * 6)
    assert match.position.air_support == GERMAN
    fight_out(match)
    attack(match, "3412", "3411", air="German", dice=(MISS,) * 6)
    assert match.position.target == at("3411")
    assert match.position.air_support == -1


@rule("underbelly", "9.14d")
@pytest.mark.parametrize("side", [ALLIED, GERMAN])
def test_aircraft_are_committed_before_any_die(side: int):
    counters = f"{FAR}; 5 Inf, 1 C, XIII Corps @ 3309; 16 Pz, 29 PG, XIV Pz @ 3209"
    match = begin(counters, side, tac_active=True, tac=1)
    do(match, "attack", hex="3309" if side == ALLIED else "3209")
    while "attack with" in verbs(match):
        do(match, "attack with")
    if "fight" in verbs(match):
        do(match, "fight")
    assert verbs(match) == {"air support", "no air support"}
    assert asked(match) == ALLIED
    assert dice_rolled(match) == 0
    match.force(MISS)
    do(match, "air support")
    shooting = {"shell", "fire at"}
    assert shooting & verbs(match)


@rule("underbelly", "9.15")
def test_aircraft_are_no_units_and_come_back_whatever_happens():
    assert not {plane.name for plane in WAR.book.aircraft} & set(GAME.units)
    # They take no place in the stack, cannot be aimed at, and fly to any hex of the map.
    full = "5 Inf, 1 C, 78 Inf, XIII Corps"
    match = begin(f"{FAR}; {full} @ 1511; 16 Pz, 29 PG @ 1411", tac_active=True, tac=1)
    attack(match, "1511", "1411", air="Allied", dice=(MISS,) * 2)
    assert match.position.air_support == ALLIED
    do(match, "shell")
    assert named(match, "fire at") == {"5 Inf", "1 C", "78 Inf"}
    beaten = begin(f"{FAR}; 5 Inf @ 3309 steps=1; 16 Pz, 29 PG @ 3209; {SPARE}", GERMAN, tac=1)
    attack(beaten, "3209", "3309", air="Allied", dice=(MISS, 1, 1, 1, 1))
    fight_out(beaten)
    assert steps(beaten, "5 Inf") == 0
    next_turn(beaten)
    do(beaten, "activate air")
    assert beaten.position.tac == 1


# 9.20: naval gunfire


@rule("underbelly", "9.20")
def test_ships_help_whoever_attacks_into_a_coastal_hex_for_nothing_and_every_time():
    counters = (
        f"{FAR}; 5 Inf, 1 C, XIII Corps @ 3307; 16 Pz, 29 PG @ 3207;"
        "78 Inf, 8 I @ 3407; 26 Pz, 15 PG @ 3406"
    )
    match = begin(counters)
    attack(match, "3307", "3207", dice=(MISS,) * 12)
    assert set(values(match, "shell")) == {6}  # not the guns on land
    while "fire at" not in verbs(match) or asked(match) != ALLIED:
        do(match, "shell" if "shell" in verbs(match) else "fire at")
    assert sorted(set(values(match, "fire at"))) == [6, 7]
    match.force(*[MISS] * 4)
    fight_out(match)
    assert match.position.points == 5
    assert air_numbers(match, "3407", "3406") == [6, 7]
    assert match.position.points == 3


@rule("underbelly", "9.20")
def test_ships_help_whoever_defends_a_coastal_hex():
    for hex, enemy, numbers in (("3207", "3208", [6]), ("3309", "3209", [5, 6])):
        match = begin(f"{FAR}; 5 Inf, X Corps @ {hex}; 16 Pz, 29 PG @ {enemy}", GERMAN)
        attack(match, enemy, hex)
        assert asked(match) == ALLIED
        assert sorted(set(values(match, "fire at"))) == numbers  # 5 and the guns' 6


@rule("underbelly", "9.20")
def test_ships_do_not_reach_inland_and_are_not_german():
    inland = begin(f"{FAR}; 5 Inf, 1 C @ 3207; 16 Pz, 29 PG @ 3208")
    assert air_numbers(inland, "3207", "3208") == [5, 6]  # from the coast, but not into it
    german = begin(f"{FAR}; 5 Inf, 1 C @ 3207; 16 Pz, 29 PG @ 3208", GERMAN)
    assert air_numbers(german, "3208", "3207") == [6, 7]
    defence = begin(f"{FAR}; 5 Inf, 1 C @ 3307; 16 Pz, 29 PG @ 3207")
    attack(defence, "3307", "3207")
    assert asked(defence) == GERMAN
    assert sorted(set(values(defence, "fire at"))) == [6, 7]
