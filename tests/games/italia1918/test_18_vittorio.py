"""Scenario 5, Vittorio Veneto: an army that falls apart."""

from typing import Any

import pytest

from apennine.games.italia1918.rules.c08_offensives import turn_begins
from apennine.games.italia1918.rules.c09_supply import supply_phase
from apennine.games.italia1918.rules.c11_march import find_reach
from apennine.games.italia1918.rules.c18_vittorio import desertion, hunger_phase, silence_phase
from apennine.games.italia1918.table.position import CENTRAL, ENTENTE, LOST, Table
from apennine.hexes import bits
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.italia1918.drawing import (
    WAR,
    asked,
    at,
    begin,
    do,
    names,
    number,
    play,
    refused,
    table,
    told,
    units,
)


@rule("italia1918", "S5.I1")
def test_some_units_begin_reduced_and_the_bridges_of_the_piave_destroyed():
    pos = begin("vittorio")
    here = [u for u, hex in enumerate(pos.hex) if hex >= 0]
    assert any(0 < pos.steps[u] < WAR.full[u] for u in here)
    assert {WAR.ground.bridges[n].river for n in bits(pos.broken)} == {"Piave"}
    assert pos.broken == WAR.theatres[5].broken


# Hunger


HINTERLAND = "4 ID @ E2314; 28 ID @ E2316; 13 SchD @ E2320; 33 ID @ E2311; 22 DF @ E2312"


def starving(counters: str = HINTERLAND, turn: int = 32, **fields: Any) -> Match[Table]:
    """The end of the Supply Phase."""
    return play(table(counters, ENTENTE, turn=turn, **fields), hunger_phase)


@rule("italia1918", "S5.S5a", "S5.S5c")
def test_the_entente_starves_two_units_near_it_but_out_of_its_zone():
    match = starving(f"{HINTERLAND}; 6 ID @ E2414; 1 ID @ E2514")
    assert asked(match).side == ENTENTE
    assert names(match, "starve") == {"4 ID", "28 ID", "6 ID", "1 ID"}
    assert refused(match, "starve", "33 ID").rule == "S5.S5c"  # in a zone of the Entente
    assert refused(match, "starve", "13 SchD").rule == "S5.S5a"  # farther than five hexes
    do(match, "starve", "4 ID")
    do(match, "starve", "28 ID")
    assert match.outcome  # two, and no more
    assert match.position.hungry == units("4 ID, 28 ID")


@rule("italia1918", "S5.S5a")
def test_it_begins_in_turn_32_and_with_units_in_supply():
    assert starving(turn=31).outcome
    match = starving(hungry=units("4 ID"))
    assert refused(match, "starve", "4 ID").rule == "S5.S5a"
    pos = table(turn=33, starved=2)
    assert play(pos, turn_begins).position.starved == 0  # anew in each turn


@rule("italia1918", "S5.S5b")
def test_who_has_a_line_in_the_next_supply_phase_is_free_again():
    pos = table("4 ID @ E3514; HQ 6 Armee @ E3515", ENTENTE, turn=33, hungry=units("4 ID"))
    match = play(pos, supply_phase)
    assert match.position.hungry == 0
    assert match.position.hex[number("4 ID")] == at("E3514")


# Silent guns


GUNS = "CArt IV K @ E2314; CArt II K @ E2315; AArt 6 A @ E2316; CArt IV CdA @ E2210"


def silencing(*dice: int, turn: int = 32, sequence: int = 2) -> Match[Table]:
    """The start of an Operational Sequence with these dice, the green and the blue one."""
    match = play(table(GUNS, ENTENTE, turn=turn, sequence=sequence), silence_phase)
    if dice:
        match.roll(*dice)
    return match


@rule("italia1918", "S5.S6a")
def test_each_side_picks_austrian_guns_by_its_own_die():
    match = silencing(3, 3)
    assert asked(match).side == CENTRAL
    assert names(match, "silence") == {"CArt IV K", "CArt II K"}
    assert refused(match, "silence", "CArt IV CdA").rule == "1.0a"
    do(match, "silence", "CArt II K")
    assert match.position.silent == units("CArt IV K, CArt II K")  # the last by itself
    blue = silencing(1, 3)
    assert asked(blue).side == ENTENTE
    assert silencing(turn=31).outcome
    assert silencing(sequence=1).outcome
    assert silencing(sequence=3).outcome


@rule("italia1918", "S5.S6b")
@pytest.mark.parametrize(
    ("die", "silent"),
    [(1, ""), (2, ""), (4, "AArt 6 A"), (5, "CArt IV K, CArt II K")],
)
def test_the_die_tells_how_many_fall_silent(die: int, silent: str):
    match = silencing(die, 1)
    while match.decision:
        do(match, "silence")
    assert match.position.silent == (units(silent) if silent else 0)


# Hungary


@rule("italia1918", "S5.S7", "S5.S10")
def test_hungarians_go_home_by_their_morale_as_the_central_powers_begin_to_move():
    counters = "38 HID @ E2314; 70 HID @ E2315; 39 HIBrig @ E2316; 4 ID @ E2317"
    match = play(table(counters, CENTRAL, turn=33), desertion)
    for die in (5, 3, 6):  # morale 4, 3 and 4
        match.roll(die)
    assert match.outcome
    assert told(match, "is eliminated") == ["38 HID", "39 HIBrig"]
    assert match.position.hex[number("38 HID")] == LOST
    assert play(table(counters, CENTRAL, turn=32), desertion).outcome
    assert play(table(counters, ENTENTE, turn=33), desertion).outcome


# The ride


@rule("italia1918", "S5.S8")
@pytest.mark.parametrize(
    ("unit", "fields", "cost"),
    [
        ("1 DC", {"turn": 34}, 1),
        ("1 DC", {"turn": 33}, 2),
        ("1 DC", {"turn": 34, "hungry": units("1 DC")}, 2),
        ("37 DF", {"turn": 34}, 2),
    ],
)
def test_supplied_italian_cavalry_rides_at_half_the_price_in_the_last_turn(
    unit: str, fields: dict[str, int], cost: int
):
    pos = table(f"{unit} @ E2209", ENTENTE, **fields)
    found = find_reach(WAR, pos, units(unit), at("E2209"), 4 * WAR.scale, True)
    assert found.cost(at("E2311")) == cost * WAR.scale
