"""Tactical air, supply from the air, and the drop of the 82nd."""

from __future__ import annotations

import pytest

from apennine.games.underbelly.rules import c09_air as airpower
from apennine.games.underbelly.table.position import ALLIED, GERMAN, TIBER
from apennine.testing import rule
from tests.games.underbelly.drawing import fight_out, pass_on
from tests.games.underbelly.skirmish import (
    GAME,
    WAR,
    asked,
    at,
    attack,
    begin,
    do,
    events,
    fire,
    hexes,
    mask,
    number,
    options,
    refusal,
    steps,
    table,
    values,
    verbs,
    where,
)

MISS = 10
BASES = {"": 1, "2522": 2, "2608": 2, "2522 2608": 3}


@rule("underbelly", "9.9a", "9.9b")
@pytest.mark.parametrize("bases", BASES)
def test_activation_gives_aircraft_by_the_bases_in_allied_hands(bases: str):
    pos = table("US 36 @ 2822", phase="orders")
    pos.control = WAR.beaches | mask(bases)
    match = begin("US 36 @ 2822", phase="orders", control=pos.control)
    do(match, "activate air")
    assert match.position.points == 6
    assert match.position.tac == BASES[bases]
    without = begin("US 36 @ 2822", phase="orders", control=pos.control)
    do(without, "no air")
    assert (without.position.points, without.position.tac) == (7, 0)


@rule("underbelly", "9.14c", "9.9f")
def test_each_aircraft_supports_one_battle_also_in_the_german_turn():
    match = begin(
        "16 Pz, 29 PG @ 3409; HG, 15 PG @ 3411; 46 Inf @ 3309; 5 Inf @ 3310",
        GERMAN,
        tac_active=True,
        tac=1,
    )
    do(match, "attack", hex="3409")
    do(match, "attack with", "16 Pz")
    match.force(*[MISS] * 4)
    do(match, "fight")
    assert asked(match) == ALLIED
    assert verbs(match) == {"air support", "no air support"}
    do(match, "air support")
    assert match.position.tac == 0
    do(match, "attack", hex="3411")
    do(match, "attack with", "HG")
    match.force(*[MISS] * 4)
    do(match, "fight")
    assert "air support" not in verbs(match)
    # Who has flown in the Allied half of the turn does not fly again in the German one.
    spent = begin("46 Inf, 56 Inf @ 3309; 16 Pz, 29 PG @ 3409", tac_active=True, tac=2)
    attack(spent, "3309", "3409", air="Allied", dice=(MISS,) * 8)
    fight_out(spent)
    pass_on(spent, until="command", side=GERMAN)
    assert spent.position.tac == 1


@rule("underbelly", "9.14a", "9.10c")
def test_german_aircraft_support_any_german_battle():
    match = begin(
        "16 Pz, 29 PG @ 3409; 46 Inf @ 3309", GERMAN, scenario=TIBER, plot=0, german_tac=1
    )
    do(match, "attack", hex="3409")
    do(match, "attack with", "16 Pz")
    do(match, "attack with", "29 PG")
    assert asked(match) == GERMAN
    match.force(MISS, MISS)
    do(match, "air support")
    assert match.position.air_support == GERMAN
    assert match.position.german_tac == 0


@rule("underbelly", "9.11", "11.7a")
def test_an_airlift_costs_two_points_and_makes_up_for_the_lines_that_are_cut():
    match = begin(
        "US 36, US 45 @ 3309; 16 Pz @ 3409", ports=[-1] * 6, switched=True, tac_active=True
    )
    assert hexes(match, "airlift") == {"3309"}
    do(match, "airlift", hex="3309")
    assert match.position.points == 5
    assert "airlift" not in verbs(match)
    attack(match, "3309", "3409", dice=(MISS, MISS))
    fire(match, "US 36", "US 36")
    assert values(match, "fire at") == [6, 5]  # no penalty for supply


@rule("underbelly", "9.11")
def test_no_airlift_without_tactical_air():
    match = begin("US 36 @ 3309; 16 Pz @ 3409", ports=[-1] * 6, switched=True)
    assert "airlift" not in verbs(match)
    assert refusal(match, "airlift", hex="3309").rule == "9.11"


@rule("underbelly", "11.7a")
def test_who_has_an_overland_line_needs_no_airlift():
    match = begin("US 36 @ 3309; 46 Inf @ 4108; 16 Pz @ 3409", tac_active=True)
    assert "airlift" not in verbs(match)
    assert refusal(match, "airlift", hex="3309").rule == "11.7a"


@rule("underbelly", "11.7f")
def test_who_lives_by_air_does_not_advance():
    match = begin(
        "US 36, US 45 @ 3309; XIV Pz @ 3409", airlift=at("3309"), ports=[-1] * 6, switched=True
    )
    attack(match, "3309", "3409", dice=(MISS, 1, 1))
    while "fire at" in verbs(match) or "fire on" in verbs(match):
        do(match, "fire at" if "fire at" in verbs(match) else "fire on")
    assert where(match, "XIV Pz") is None
    assert where(match, "US 36") == where(match, "US 45") == "3309"


# The 82nd


def paratroops(side: int = ALLIED, counters: str = "46 Inf @ 2822; 16 Pz, 29 PG @ 3409", **fields):
    given = {"tac_active": True, "tac": 1, "drop_ready": True}
    return begin(f"82 Abn @ available; {counters}", side, **given | fields)


@rule("underbelly", "9.12", "12.9b")
def test_the_drop_is_bought_for_a_turn_with_tactical_air():
    match = paratroops(drop_ready=False)
    assert "drop" not in verbs(match)
    do(match, "ready the drop")
    assert match.position.points == 5
    assert "drop" in verbs(match)
    assert "ready the drop" not in verbs(match)  # once is enough
    grounded = paratroops(drop_ready=False, tac_active=False, tac=0)
    assert "ready the drop" not in verbs(grounded)
    assert refusal(grounded, "ready the drop", "82 Abn").rule == "9.12"


@rule("underbelly", "12.9c")
def test_it_drops_on_clear_ground_without_germans_or_a_fort():
    match = paratroops(forts=mask("3308"))
    sites = hexes(match, "drop")
    assert {"3309", "2522", "2822"} <= sites  # next to the enemy, into a city, among friends
    assert not {"3409", "3308", "2411"} & sites
    assert refusal(match, "drop", "82 Abn", "2411").rule == "12.9c"
    assert refusal(match, "drop", "82 Abn", "3409").rule == "12.9c"
    crowded = paratroops(counters="46 Inf, 56 Inf, 5 Inf @ 2822; 16 Pz @ 3409")
    assert "2822" not in hexes(crowded, "drop")


@rule("underbelly", "12.9e", "12.9f", "11.7d")
def test_after_the_drop_it_is_supplied_from_the_air_and_does_nothing_more():
    match = paratroops()
    do(match, "drop", hex="3309")
    assert where(match, "82 Abn") == "3309"
    assert match.position.airlift == at("3309")
    here = at("3309")
    assert not [o for o in options(match) if o.hex == here and o.verb in ("move", "attack")]
    assert "airlift" not in verbs(match)
    assert refusal(match, "airlift", hex="2822").rule == "11.7d"


@rule("underbelly", "12.9d")
def test_the_allied_player_may_drop_between_two_german_commands():
    match = paratroops(GERMAN)
    assert asked(match) == ALLIED
    assert {"drop", "no drop now", "no drop this turn"} == verbs(match)
    do(match, "no drop now")
    assert asked(match) == GERMAN
    do(match, "move", hex="3409")
    while asked(match) == GERMAN and "end" not in verbs(match):
        do(match, "take all" if "take all" in verbs(match) else "go")
    assert asked(match) == ALLIED  # after the activation he is asked again
    do(match, "drop", hex="2910")
    assert where(match, "82 Abn") == "2910"
    assert not [e for e in options(match) if e.verb == "no drop now"]


@rule("underbelly", "12.9d")
def test_who_declines_for_the_turn_is_not_asked_again():
    match = paratroops(GERMAN, "46 Inf @ 2822; 16 Pz @ 3409; 29 PG @ 3608")
    do(match, "no drop this turn")
    do(match, "move", hex="3409")
    do(match, "go")
    while "end" not in verbs(match):
        do(match, "halt" if "halt" in verbs(match) else "go")
    assert asked(match) == GERMAN


@rule("underbelly", "12.9j")
def test_nobody_retreats_from_the_hex_of_the_82nd_in_the_turn_of_its_drop():
    match = begin(
        "82 Abn, 46 Inf @ 3309; 16 Pz, 29 PG @ 3409",
        GERMAN,
        dropped=10,
        airlift=at("3309"),
        tac_active=True,
    )
    attack(match, "3409", "3309", dice=(*[MISS] * 4, 1, MISS, MISS, MISS))
    while "fire at" in verbs(match):
        do(match, "fire at")
    assert steps(match, "82 Abn") + steps(match, "46 Inf") == 3
    assert not events(match, "defenders retreat")
    later = begin("82 Abn, 46 Inf @ 3309; 16 Pz, 29 PG @ 3409", GERMAN, dropped=9)
    attack(later, "3409", "3309", dice=(*[MISS] * 4, 1, MISS, MISS, MISS))
    while "fire at" in verbs(later):
        do(later, "fire at")
    assert "retreat" in verbs(later)


@rule("underbelly", "8.14b")
def test_an_end_run_keeps_one_aircraft():
    pos = table("US 36 @ 2822", scenario=TIBER, plot=13, launched=13, turn=14)
    pos.control = WAR.towns
    airpower.activate(WAR, pos)
    assert pos.tac == 2
    pos.launched = 0
    airpower.activate(WAR, pos)
    assert pos.tac == 3


def test_the_airborne_division_is_the_82nd():
    assert GAME.units[WAR.airborne] == "82 Abn"
    assert number("82 Abn") == WAR.airborne
