"""Scenarios 2 to 4, June 1918: what may be chosen before the first turn, and their own rules."""

from typing import Any

import pytest

from apennine.games.italia1918.rules.c06_steps import overrun
from apennine.games.italia1918.rules.c08_offensives import declaration_phase, turn_begins
from apennine.games.italia1918.rules.c11_markers import formation
from apennine.games.italia1918.rules.c11_movement import movement_begins, movement_phase
from apennine.games.italia1918.rules.c12_odds import offensive_modifier
from apennine.games.italia1918.rules.c15_bombardment import may_counter
from apennine.games.italia1918.rules.c18_choices import choices_phase
from apennine.games.italia1918.rules.c18_setup import set_up
from apennine.games.italia1918.table.position import AWAY, CENTRAL, ENTENTE, LOST, Table
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.italia1918.drawing import (
    SCENARIOS,
    WAR,
    at,
    begin,
    do,
    names,
    number,
    play,
    refused,
    table,
    verbs,
)


def choosing(key: str, side: int, **options: bool) -> Match[Table]:
    """A side before the first turn of a scenario."""
    pos = set_up(WAR, SCENARIOS.index(key), options)
    pos.side = side
    return play(pos, choices_phase)


FOUR = ("1 Alpini", "5 Alpini", "9 Alpini", "10 Alpini")


@rule("italia1918", "S2.S5")
def test_the_entente_may_display_52_df_in_w1621():
    match = choosing("radetzky", ENTENTE)
    assert {match.position.hex[number(name)] for name in FOUR} == {at("W1621")}
    assert len({formation(WAR, match.position, number(name)) for name in FOUR}) == 4
    do(match, "display the division")
    assert {formation(WAR, match.position, number(name)) for name in FOUR} == {"52 DF"}
    assert choosing("radetzky", CENTRAL).outcome
    assert choosing("albrecht", ENTENTE).outcome


@rule("italia1918", "S4.I2")
def test_the_entente_may_place_the_trucks_with_1_da():
    match = choosing("solstice", ENTENTE)
    assert match.position.hex[number("Trucks")] == AWAY
    do(match, "place", "Trucks")
    assert match.position.hex[number("Trucks")] == at("W0422")
    assert "place" not in verbs(match)


@rule("italia1918", "S4.S4a", "S4.S4b")
def test_frozen_reserves_of_the_solstice_cost_a_point_a_marker():
    pos = begin("solstice")
    assert len(pos.frozen) > 3
    pos.phase, pos.side, pos.turn = "movement", ENTENTE, 26
    match = play(pos, movement_begins, movement_phase)
    unit = sorted(names(match, "release"))[0]
    before = len(match.position.frozen)
    do(match, "release", unit)
    assert len(match.position.frozen) == before - 1
    assert match.position.points == [1, 0]


@rule("italia1918", "S4.S4c")
def test_the_amalfi_battery_is_in_the_solstice_with_its_rules():
    pos = begin("solstice")
    gun = number("Amalfi")
    assert pos.hex[gun] == at("E0402")
    assert not may_counter(WAR, 1 << gun)
    alone = table("Amalfi @ E0402; 4 ID @ E0403", CENTRAL, scenario="solstice")
    match = play(alone, lambda war, pos: overrun(war, pos, ENTENTE, 1 << at("E0403")))
    assert match.position.hex[gun] == LOST
    assert match.position.points == [1, 0]


# The option of the Solstice


def gathered(**fields: Any) -> Match[Table]:
    """The Central Powers before the Solstice, with their means in one sector."""
    return choosing("solstice", CENTRAL, gathered=True, **fields)


@rule("italia1918", "S4.S6a")
def test_three_elite_divisions_change_places_with_divisions_of_morale_4():
    match = gathered()
    elite = sorted(names(match, "swap"))
    assert elite
    assert refused(match, "swap", "AArt 6 A", value=number("17 ID")).rule == "S4.S6a"
    one = elite[0]
    here = match.position.hex[number(one)]
    other = next(option.value for option in match.decision.options if option.verb == "swap")
    there = match.position.hex[other]
    do(match, "swap", one, value=other)
    assert match.position.hex[number(one)] == there
    assert match.position.hex[other] == here
    assert one not in names(match, "swap")
    for _ in range(2):
        if "swap" in verbs(match):
            do(match, "swap")
    assert "swap" not in verbs(match)
    assert choosing("solstice", CENTRAL).outcome  # without the option


@rule("italia1918", "S4.S6b")
@pytest.mark.parametrize(("option", "modifier", "most"), [(True, 3, 2), (False, 2, 4)])
def test_the_offensive_of_turn_24_by_option(option: bool, modifier: int, most: int):
    pos = set_up(WAR, SCENARIOS.index("solstice"), {"gathered": option})
    match = play(pos, turn_begins, declaration_phase)
    for _ in range(most):
        do(match, "activate")
    assert match.position.firing.bit_count() == most
    assert "activate" not in verbs(match)
    pos = match.position
    gun = (pos.firing & -pos.firing).bit_length() - 1
    pos.target = pos.hex[gun]
    assert offensive_modifier(WAR, pos) == modifier


@rule("italia1918", "S4.S6c")
def test_the_option_brings_bruchmueller():
    pos = set_up(WAR, SCENARIOS.index("solstice"), {"gathered": True})
    match = play(pos, turn_begins, declaration_phase)
    do(match, "activate")
    assert "give to Bruchmüller" in verbs(match)
    plain = play(begin("solstice"), turn_begins, declaration_phase)
    do(plain, "activate")
    assert "give to Bruchmüller" not in verbs(plain)


@rule("italia1918", "S4.S6b")
def test_the_option_is_of_the_solstice_alone():
    assert not set_up(WAR, SCENARIOS.index("radetzky"), {"gathered": True}).gathered
