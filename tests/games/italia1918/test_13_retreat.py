"""Chapters 12.3 and 13: retreats and disengagement."""

from typing import Any

import pytest

from apennine.games.italia1918.rules.c12_retreat import Retreat, abandon, withdraw
from apennine.games.italia1918.rules.c13_disengagement import (
    disengagement_phase,
    is_surrounded,
    modifiers,
)
from apennine.games.italia1918.table.position import CENTRAL, ENTENTE, LOST, Table
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.italia1918.drawing import (
    WAR,
    asked,
    at,
    codes,
    do,
    hexes,
    names,
    number,
    play,
    refused,
    steps,
    table,
    told,
    units,
    verbs,
)


def retreating(
    counters: str,
    who: str,
    least: int,
    most: int,
    guide: int = CENTRAL,
    free: bool = True,
    **fields: Any,
) -> Match[Table]:
    """Units of the Central Powers go back."""
    pos = table(counters, ENTENTE, phase="combat", **fields)
    group = Retreat(CENTRAL, units(who), least, most, guide, free)
    return play(pos, lambda war, pos: withdraw(war, pos, group))


NORTH = {"E2407", "E2408"}
"""The hexes next to E2308 on the way to the northern edge."""


@rule("italia1918", "12.3a", "12.3d")
def test_a_retreat_leads_towards_supply_and_costs_no_points():
    match = retreating("4 ID @ E2308", "4 ID", 2, 3)
    assert hexes(match, "fall back") == NORTH
    assert refused(match, "fall back", "4 ID", "E2309").rule == "12.3d"
    assert "stand" not in verbs(match)
    do(match, "fall back", "4 ID", "E2408")
    do(match, "fall back", "4 ID", sorted(hexes(match, "fall back"))[0][0:5])
    assert "stand" in verbs(match)  # two were needed, three are allowed
    do(match, "stand")
    assert match.outcome


@rule("italia1918", "12.3d", "12.3e")
def test_it_avoids_enemy_zones_and_may_turn_aside_for_that_after_combat():
    blocked = "4 ID @ E2308; 22 DF @ E2507; 37 DF @ E2509"
    match = retreating(blocked, "4 ID", 1, 1)
    aside = hexes(match, "fall back")
    assert aside
    assert not aside & NORTH  # both are in zones
    slipping = retreating(blocked, "4 ID", 1, 1, free=False)
    assert hexes(slipping, "fall back") == NORTH


@rule("italia1918", "12.3f", "12.3o", "13.0i")
def test_each_enemy_zone_without_a_friend_costs_a_step():
    blocked = "4 ID, 3 ID/216 @ E2308; 22 DF @ E2507; 37 DF @ E2509"
    match = retreating(blocked, "4 ID, 3 ID/216", 1, 1, free=False)
    do(match, "fall back", hex="E2408")
    assert names(match, "lose a step") == {"4 ID", "3 ID/216"}  # one of the stack, not each
    do(match, "lose a step", "4 ID")
    assert (steps(match, "4 ID"), steps(match, "3 ID/216")) == (2, 2)
    held = retreating(f"{blocked}; Geb 1 @ E2408", "4 ID, 3 ID/216", 1, 1, free=False)
    do(held, "fall back", hex="E2408")
    assert (steps(held, "4 ID"), steps(held, "3 ID/216")) == (3, 2)


@rule("italia1918", "12.3b")
def test_units_of_a_stack_may_take_different_paths():
    match = retreating("4 ID, 3 ID/216 @ E2308", "4 ID, 3 ID/216", 1, 1)
    do(match, "split off", "3 ID/216")
    do(match, "fall back", "4 ID", "E2407")
    do(match, "fall back", "3 ID/216", "E2408")
    pos = match.position
    assert pos.hex[number("4 ID")] == at("E2407")
    assert pos.hex[number("3 ID/216")] == at("E2408")


@rule("italia1918", "12.3c", "11.3.1c")
def test_assault_troops_go_along_and_other_supports_are_lost():
    hosts = {"SturmB 1": "4 ID"}
    stack = "4 ID, SturmB 1, CArt II K, HQ 6 Armee @ E2308; 22 DF @ E2208"
    match = retreating(stack, "4 ID", 1, 1, hosts=hosts)
    do(match, "fall back", "4 ID", "E2408")
    assert match.position.hex[number("SturmB 1")] == at("E2408")
    left = play(match.position, lambda war, pos: abandon(war, pos, at("E2308"), CENTRAL))
    assert set(told(left, "is eliminated")) == {"CArt II K", "HQ 6 Armee"}


@rule("italia1918", "11.3.1c", "15.5b")
def test_supports_with_a_combat_unit_and_depots_stay():
    pos = table("4 ID, CArt II K @ E2308; Depot Udine @ E2720", scenario="vittorio")
    kept = play(pos, lambda war, pos: abandon(war, pos, at("E2308"), CENTRAL))
    assert told(kept, "is eliminated") == []
    depot = play(pos, lambda war, pos: abandon(war, pos, at("E2720"), ENTENTE))
    assert told(depot, "is eliminated") == []


@rule("italia1918", "12.3g", "12.3n")
def test_a_full_hex_is_passed_if_the_guide_wants():
    match = retreating("4 ID @ E2308; 13 SchD, 3 ID/216 @ E2408", "4 ID", 1, 1)
    do(match, "fall back", "4 ID", "E2408")
    assert hexes(match, "fall back")  # one more hex, and another, until there is room
    do(match, "fall back", "4 ID", sorted(hexes(match, "fall back"))[0])
    assert match.outcome
    assert match.position.disorganized & units("4 ID")


@rule("italia1918", "12.3h")
def test_passing_through_friends_disorganizes_all():
    match = retreating("4 ID @ E2308; 3 ID/216 @ E2408", "4 ID", 2, 2, free=False)
    do(match, "fall back", "4 ID", "E2408")
    do(match, "fall back", "4 ID", sorted(hexes(match, "fall back"))[0])
    assert match.position.disorganized == units("4 ID, 3 ID/216")
    ends = retreating("4 ID @ E2308; 3 ID/216 @ E2408", "4 ID", 1, 1)
    do(ends, "fall back", "4 ID", "E2408")
    assert ends.position.disorganized == 0


@rule("italia1918", "12.3i")
@pytest.mark.parametrize(("far", "tired"), [(1, False), (2, True)])
def test_two_hexes_after_combat_disorganize(far: int, tired: bool):
    match = retreating("4 ID @ E2308", "4 ID", far, far)
    for _ in range(far):
        do(match, "fall back", "4 ID", sorted(hexes(match, "fall back"))[0])
    assert bool(match.position.disorganized) == tired


@rule("italia1918", "12.3j")
def test_an_unbridged_major_river_ends_the_retreat_and_disorganizes():
    start, beyond = "W1537", "W1637"
    river = WAR.ground.major[WAR.lattice.direction(at(start), at(beyond))]
    assert river >> at(start) & 1
    match = retreating(f"4 ID @ {start}", "4 ID", 2, 3)
    do(match, "fall back", "4 ID", beyond)
    assert match.outcome
    assert match.position.hex[number("4 ID")] == at(beyond)
    assert match.position.disorganized == units("4 ID")


@rule("italia1918", "12.3l")
def test_an_aircraft_of_the_enemy_costs_a_step():
    match = retreating("4 ID @ E2308; Air It1 @ E2408 interdicting", "4 ID", 1, 1)
    do(match, "fall back", "4 ID", "E2408")
    assert steps(match, "4 ID") == 2


RING = "22 DF @ E2307; 37 DF @ E2309; 4 DF @ E2407; 48 DF @ E2408; 54 DF @ E2207; 17 DF @ E2208"


@rule("italia1918", "12.3m")
def test_who_must_retreat_and_cannot_is_eliminated():
    match = retreating(f"4 ID @ E2308; {RING}", "4 ID", 1, 1)
    assert match.position.hex[number("4 ID")] == LOST


@rule("italia1918", "2.1e", "SC.b")
def test_nobody_retreats_over_the_adige_or_off_the_map():
    ring = "4 ID @ W2710; 13 SchD @ W2609; 33 ID @ W2809; 28 ID @ W2610"
    pos = table(f"22 DF @ W2709; {ring}", CENTRAL, phase="combat")
    beside = WAR.lattice.cross(1 << at("W2709"), WAR.ground.open)
    assert "W2708" not in codes(beside)
    for code in codes(beside):
        if not pos.hex.count(at(code)):
            pos.hex[number("10 ID")] = at(code)
    group = Retreat(ENTENTE, units("22 DF"), 1, 1, ENTENTE)
    match = play(pos, lambda war, pos: withdraw(war, pos, group))
    assert match.position.hex[number("22 DF")] == LOST


# Disengagement


def slipping(counters: str, who: str, **fields: Any) -> Match[Table]:
    pos = table(counters, phase="disengagement", slipping=units(who), **fields)
    return play(pos, disengagement_phase)


def changes(counters: str, unit: str, **fields: Any) -> dict[str, int]:
    pos = table(counters, phase="disengagement", slipping=-1, **fields)
    return {shift.name: shift.columns for shift in modifiers(WAR, pos, number(unit))}


@rule("italia1918", "13.0a")
def test_marked_units_may_try_and_nobody_else():
    match = slipping("4 ID, 3 ID/216 @ E2308; 13 SchD @ E2310; 22 DF @ E2309", "4 ID")
    assert names(match, "disengage with") == {"4 ID"}
    assert refused(match, "disengage with", "13 SchD").rule == "13.0a"
    do(match, "stay")
    assert match.outcome


@rule("italia1918", "13.0b")
@pytest.mark.parametrize(
    ("unit", "value"),
    [("63 ID", -2), ("12 rtSchD", -1), ("4 ID", 0), ("3 ID/216", 1), ("AlpK 1", 2)],
)
def test_the_morale_of_one_unit_counts(unit: str, value: int):
    assert sum(changes(f"{unit} @ E2308; 22 DF @ E2309", unit).values()) == value


@rule("italia1918", "13.0c")
def test_what_else_changes_the_die():
    assert changes("4 ID @ W1931", "4 ID") == {"out of trenches": 3}
    assert changes("4 ID @ E2720", "4 ID") == {"out of a city": 1}
    tired = changes("4 ID @ E2308; 3 ID/216 @ E2308 reorganizing", "4 ID")
    assert tired == {"a disorganized unit": -2}
    assert changes("1 DC @ E2308", "1 DC", side=ENTENTE)["cavalry"] == 2
    assert changes("4 ID @ E2308 fleeing", "4 ID") == {"morale 3": -1, "Retreat mode": 1}


@rule("italia1918", "13.0c", "13.0d")
def test_surrounded_units_unless_a_friend_is_beside_them():
    around = "4 ID @ E2308; 22 DF @ E2307; 37 DF @ E2309"
    assert is_surrounded(WAR, table(around), at("E2308"))
    assert changes(around, "4 ID") == {"surrounded": -3}
    assert not is_surrounded(WAR, table(f"{around}; 13 SchD @ E2408"), at("E2308"))


PAIR = "4 ID, 3 ID/216 @ E2308; 22 DF @ E2208"


@rule("italia1918", "13.0f", "13.0g", "13.0j")
def test_a_bad_die_costs_the_chosen_unit_a_step_and_leads_one_hex():
    match = slipping("63 ID, 3 ID/216 @ E2308; 22 DF @ E2208", "63 ID, 3 ID/216")
    do(match, "disengage with", "63 ID")
    match.roll(2)  # morale 2: two less
    assert steps(match, "63 ID") == 1
    do(match, "fall back", hex="E2408")
    assert match.outcome
    assert steps(match, "3 ID/216") == 2


@rule("italia1918", "13.0h")
def test_after_r3_the_enemy_leads_all_three_hexes_and_the_units_are_disorganized():
    match = slipping(PAIR, "4 ID, 3 ID/216")
    do(match, "disengage with", "4 ID")
    match.roll(2)
    for _ in range(3):
        assert asked(match).side == ENTENTE
        assert "stand" not in verbs(match)
        do(match, "fall back", hex=sorted(hexes(match, "fall back"))[0])
    assert match.position.disorganized == units("4 ID, 3 ID/216")


@rule("italia1918", "13.0g")
@pytest.mark.parametrize(("die", "most"), [(3, 2), (6, 3)])
def test_the_owner_goes_as_far_as_he_likes(die: int, most: int):
    match = slipping(PAIR, "4 ID, 3 ID/216")
    do(match, "disengage with", "4 ID")
    match.roll(die)
    assert asked(match).side == CENTRAL
    for gone in range(most):
        assert ("stand" in verbs(match)) == (gone >= 1)
        do(match, "fall back", hex=sorted(hexes(match, "fall back"))[0])
    assert match.outcome
    assert match.position.disorganized == 0


@rule("italia1918", "13.0l")
def test_all_marked_units_of_the_hex_go_and_the_others_stay():
    match = slipping("4 ID, 3 ID/216, Geb 1 @ E2308; 22 DF @ E2208", "4 ID, Geb 1")
    do(match, "disengage with", "4 ID")
    match.roll(3)
    do(match, "fall back", hex="E2408")
    do(match, "stand")
    pos = match.position
    assert pos.hex[number("Geb 1")] == at("E2408")
    assert pos.hex[number("3 ID/216")] == at("E2308")
