"""Chapter 13: disruption, Full Retreat and recovery."""

from typing import Any

import pytest

from apennine.games.italy43.rules import c07_bonds, c10_results, c12_retreat, c13_disorder
from apennine.games.italy43.rules.c02_pieces import unready
from apennine.games.italy43.rules.c08_odds import REGULAR
from apennine.games.italy43.table.position import GERMAN, LOST, Table
from apennine.games.italy43.table.war import War
from apennine.kernel.decision import Procedure, Roll
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.italy43.drawing import (
    ALLIED,
    WAR,
    asked,
    at,
    codes,
    do,
    hexes,
    mask,
    names,
    number,
    play,
    table,
    told,
    units,
)


def retreated(counters: str, unit: str, length: int = 2, **fields: Any) -> Table:
    """The table after a retreat of a unit by a result of combat."""
    pos = table(counters, "combat", ALLIED, **fields)
    gone = units(unit)
    match = play(pos, lambda war, pos: c12_retreat.retreat(war, pos, gone, length, "10.1e"))
    do(match, "retreat", unit)
    return match.position


ATTACKED = "8/3PG @ 2318; 7/3 @ 2319"


@rule("italy43", "13.1.1a", "13.1.2")
@pytest.mark.parametrize("length", [2, 4])
def test_a_retreat_leaves_a_unit_disrupted_or_in_full_retreat(length: int):
    pos = retreated(ATTACKED, "8/3PG", length)
    marked = units("8/3PG")
    assert (pos.disrupted, pos.routed) == ((marked, 0) if length == 2 else (0, marked))


@rule("italy43", "13.1.3", "13.1.1a")
def test_who_is_disrupted_and_disrupted_again_goes_into_full_retreat():
    pos = retreated(ATTACKED.replace("2318", "2318 disrupted"), "8/3PG")
    assert (pos.disrupted, pos.routed) == (0, units("8/3PG"))


@rule("italy43", "13.3.2h", "13.1.1a")
def test_a_further_retreat_does_a_unit_in_full_retreat_no_harm():
    pos = retreated(ATTACKED.replace("2318", "2318 routed"), "8/3PG")
    assert (pos.disrupted, pos.routed) == (0, units("8/3PG"))


@rule("italy43", "13.1.1b")
def test_good_order_is_not_lost_by_company():
    counters = "7/3 @ 2318 disrupted; 191 Tk @ 2318 routed; 15/3 @ 2318; 30/3 @ 2320"
    pos = table(counters)
    assert not unready(pos) & units("15/3")
    assert codes(c07_bonds.bonds(WAR, pos, ALLIED).hexes) == {"2319"}


def comes(counters: str, hex: str, side: int = ALLIED, **fields: Any) -> Match[Table]:
    """A unit has come into a hex."""
    pos = table(counters, "movement", side, **fields)
    return play(pos, lambda war, pos: c12_retreat.scare(war, pos, at(hex), side))


@rule("italy43", "13.3.2d")
def test_units_in_full_retreat_run_two_hexes_from_an_enemy_who_comes_next_to_them():
    match = comes("8/3PG, 29/3PG @ 2318 routed; 7/3 @ 2319", "2319")
    assert asked(match).side == GERMAN
    assert names(match, "retreat") == {"8/3PG", "29/3PG"}
    assert hexes(match, "retreat", "8/3PG") == {"2216", "2316", "2416"}
    do(match, "retreat", "8/3PG", "2216")
    do(match, "retreat", "29/3PG", "2416")
    assert match.decision is None
    assert match.position.routed == units("8/3PG, 29/3PG")


@rule("italy43", "13.3.2d")
@pytest.mark.parametrize("friend", ["129/15 @ 2318", "129/15 @ 2318 disrupted"])
def test_a_steadier_friend_in_the_hex_keeps_them_there(friend: str):
    match = comes(f"8/3PG @ 2318 routed; 7/3 @ 2319; {friend}", "2319")
    assert match.decision is None
    assert match.position.hex[number("8/3PG")] == at("2318")


@rule("italy43", "13.3.2d")
def test_nobody_runs_who_is_steady_or_two_hexes_away():
    counters = "8/3PG @ 2318 disrupted; 29/3PG @ 2317 routed; 7/3 @ 2319"
    assert comes(counters, "2319").decision is None


@rule("italy43", "13.3.2d")
def test_a_unit_that_retreats_makes_enemies_in_full_retreat_run_and_then_goes_on():
    pos = table("8/3PG @ 2318; 7/3 @ 2319; 15/3 @ 2116 routed", "combat", ALLIED)
    gone = units("8/3PG")
    match = play(pos, lambda war, pos: c12_retreat.retreat(war, pos, gone, 2, "10.1e"))
    do(match, "retreat", "8/3PG", "2216")
    assert told(match, "retreats") == ["15/3", "8/3PG"]
    assert match.position.hex[number("8/3PG")] == at("2216")
    assert match.position.disrupted == gone


@rule("italy43", "13.3.2d")
def test_who_finds_no_way_to_run_is_eliminated():
    ring = "7/3 @ 2317; 15/3 @ 2418; 30/3 @ 2218"
    match = comes(f"8/3PG @ 2318 routed; {ring}", "2317")
    assert told(match, "is eliminated") == ["8/3PG"]


@rule("italy43", "13.3.2e")
def test_an_exchange_that_takes_the_last_steady_step_lets_the_others_run():
    counters = "7/3 @ 2321; 8/3PG @ 2320 routed; 103/3PG @ 2320 steps=1"
    pos = table(counters, "combat", ALLIED, target=at("2320"), attackers=units("7/3"))
    pos.main = number("7/3")
    match = play(pos, resolved)
    assert isinstance(match.decision, Roll)
    column = WAR.book.combat.column(match.decision.column)
    dice = [die for die in range(1, 7) if WAR.book.combat.cell(die, column).result == "EX"]
    match.roll(dice[0])
    assert told(match, "is eliminated") == ["103/3PG"]
    assert names(match, "retreat") == {"8/3PG"}
    assert {WAR.lattice.distance(at("2320"), at(hex)) for hex in hexes(match, "retreat")} == {2}


def resolved(war: War, pos: Table) -> Procedure:
    yield from c10_results.resolve(war, pos, REGULAR)


@rule("italy43", "13.3.2f")
@pytest.mark.parametrize("side", [ALLIED, GERMAN])
def test_who_begins_an_enemy_phase_next_to_him_in_full_retreat_is_eliminated(side: int):
    counters = """
        8/3PG @ 2318 routed; 7/3 @ 2319
        29/3PG @ 2416 routed; 129/15 @ 2416 disrupted; 15/3 @ 2417
        71/29 @ 2014 routed; 30/3 @ 2212 routed"""
    pos = table(counters, "combat begins", side)
    match = play(pos, c13_disorder.destroy_exposed)
    assert told(match, "is eliminated") == (["8/3PG"] if side == ALLIED else [])


@rule("italy43", "13.3.2f")
def test_the_phase_of_its_own_side_does_it_no_harm():
    pos = table("8/3PG @ 2318; 7/3 @ 2319 routed", "movement begins", ALLIED)
    assert play(pos, c13_disorder.destroy_exposed).position.hex[number("7/3")] != LOST


def recovery(counters: str, side: int = ALLIED, **fields: Any) -> Match[Table]:
    return play(table(counters, "recovery", side, **fields), c13_disorder.recovery_phase)


@rule("italy43", "13.4a", "3.0B4a")
def test_units_away_from_the_enemy_recover_one_level_without_a_die():
    match = recovery("7/3 @ 2318 disrupted; 15/3 @ 2319 routed; 30/3 @ S1 disrupted; 8/3PG @ 2314")
    assert match.decision is None
    assert match.position.disrupted == units("15/3")
    assert match.position.routed == 0


@rule("italy43", "13.4a")
def test_only_the_side_whose_phase_it_is_recovers():
    match = recovery("7/3 @ 2318 disrupted; 8/3PG @ 2314 disrupted")
    assert match.position.disrupted == units("8/3PG")


@rule("italy43", "13.4b", "13.5a")
@pytest.mark.parametrize(("die", "left"), [(4, True), (5, False)])
def test_in_an_enemy_zone_a_unit_must_rally(die: int, left: bool):
    match = recovery("7/3 @ 2318 disrupted; 8/3PG @ 2317")
    assert isinstance(match.decision, Roll)
    match.roll(die)
    assert bool(match.position.disrupted) == left


@rule("italy43", "13.5a")
def test_a_routed_unit_that_rallies_is_disrupted_still():
    match = recovery("7/3 @ 2318 routed; 8/3PG @ 2317")
    match.roll(6)
    assert match.position.disrupted == units("7/3")


@rule("italy43", "13.5b")
def test_cities_forts_and_quality_help_a_unit_to_rally():
    def modifier(unit: str, hex: str, **fields: Any) -> int:
        pos = table(f"{unit} @ {hex} disrupted", **fields)
        return c13_disorder.rally_modifier(WAR, pos, number(unit))

    low = next(WAR.names[unit] for unit in range(len(WAR.names)) if WAR.low[0] >> unit & 1)
    assert modifier("7/3", "2318") == 0
    assert modifier("7/3", "2220") == 2
    assert modifier("129/15", "2318", forts=mask("2318")) == 2 + modifier("129/15", "2318")
    assert modifier("129/15", "2318", works=mask("2318")) == modifier("129/15", "2318")
    assert modifier("1 Rgr", "2318") == 1
    assert modifier(low, "2318") == -1


@rule("italy43", "20.4d", "25.2f", "3.0B4b")
def test_markers_of_the_turn_come_off_in_the_recovery_phase():
    both = units("7/3, 8/3PG")
    match = recovery("7/3 @ 2318; 8/3PG @ 2314", replaced=both, trucked=both, halved=both)
    pos = match.position
    assert pos.replaced == pos.trucked == pos.halved == units("8/3PG")
