"""Chapters 9.4 to 9.6, 17 and 19.4: air, artillery and naval support; Major Assaults (25.1)."""

from __future__ import annotations

from typing import Any

from apennine.games.italy43.rules.c09_support import ATTACK, DEFENCE, STAND, Fire, Fly, NavalFire
from apennine.games.italy43.table.position import AIR, GERMAN, NAVAL, NOBODY, Table
from apennine.kernel.decision import Option
from apennine.kernel.match import Match
from apennine.kernel.order import Order
from apennine.testing import rule
from tests.games.italy43.drawing import (
    ALLIED,
    SHORT,
    WAR,
    asked,
    at,
    do,
    events,
    names,
    number,
    offers,
    refused,
    table,
    units,
    verbs,
)
from tests.games.italy43.fighting import answer, attack, combat

US, BR = 1 << 0, 1 << 1
"""Air markers, as the table has them."""
FRONT = "7/3 @ 2019; 577/305 @ 2020"
GUNS = "3 ASU, 34 ASU, II ASU, VI ASU, X ASU @ 2017"


def supported(counters: str, side: int = ALLIED, attackers: str = "7/3", **fields: Any) -> Table:
    """A battle for 2020, or for the hex that is told, in which support is declared now."""
    fields = {"steps": list(WAR.full), "target": at("2020"), "ready": -1} | fields
    pos = table(counters, "combat", side, **fields)
    pos.attackers = units(attackers)
    pos.main = number(attackers.split(",")[0])
    return pos


def guns(pos: Table, role: int) -> set[str]:
    return {WAR.names[option.unit] for option in Fire(role).menu(WAR, pos)}


def flies(pos: Table, role: int) -> set[int]:
    return {1 << option.value for option in Fly(role).menu(WAR, pos)}


def fires_ships(pos: Table, role: int) -> bool:
    return bool(NavalFire(role).menu(WAR, pos))


def by(order: Order[Any, Any], pos: Table, unit: str = "", value: int = 0) -> str:
    """The rule by which an order is refused."""
    option = Option(order.verb, number(unit) if unit else -1, value=value)
    refusal = order.refusal(WAR, pos, option)
    assert refusal is not None
    return refusal.rule


def carry_out(order: Order[Any, Any], pos: Table, unit: str = "", value: int = 0) -> None:
    effect = order.effect(WAR, pos, Option(order.verb, number(unit) if unit else -1, value=value))
    assert effect is not None
    list(effect)


# Air (9.4).


@rule("italy43", "9.4a", "8.6.1d", "8.6.2a")
def test_aircraft_fly_for_their_own_army():
    assert flies(supported(FRONT, air=US | BR), ATTACK) == {US}
    french = "4RTM/2 @ 2019; 577/305 @ 2020"
    assert flies(supported(french, attackers="4RTM/2", air=US | BR), ATTACK) == {US}
    british = "128/46 @ 2019; 577/305 @ 2020"
    assert flies(supported(british, attackers="128/46", air=US | BR), ATTACK) == {BR}


@rule("italy43", "9.4b")
def test_in_a_mixed_stack_either_army_flies():
    counters = "129/15 @ 2019; 7/3, 9 Cdo @ 2020"
    pos = supported(counters, GERMAN, "129/15", air=US | BR)
    assert flies(pos, DEFENCE) == {US, BR}
    pos.air = BR
    assert flies(pos, DEFENCE) == {BR}


@rule("italy43", "9.4a", "9.4c")
def test_an_air_marker_is_used_and_one_is_enough_for_a_battle():
    pos = supported("129/15 @ 2019; 7/3, 9 Cdo @ 2020", GERMAN, "129/15", air=US | BR)
    carry_out(Fly(DEFENCE), pos, value=0)
    assert pos.air == BR
    assert pos.defence[0] == 1
    assert by(Fly(DEFENCE), pos, value=1) == "9.4c"


@rule("italy43", "9.4d")
def test_only_the_allies_fly_and_once_a_battle_be_it_in_a_determined_defence():
    pos = supported("129/15 @ 2019; 7/3, 9 Cdo @ 2020", GERMAN, "129/15", air=US | BR)
    assert by(Fly(ATTACK), pos) == "9.4d"
    pos.lead = number("7/3")
    assert flies(pos, STAND) == {US}
    pos.defence[0] = 1
    assert by(Fly(STAND), pos) == "9.4c"


# Artillery (9.5, 17).


@rule("italy43", "9.5.1", "17.6.3b")
def test_division_artillery_supports_attacks_of_its_division():
    pos = supported(f"{FRONT}; {GUNS}; 135/34 @ 2120")
    assert guns(pos, ATTACK) == {"3 ASU", "II ASU", "VI ASU"}
    assert by(Fire(ATTACK), pos, "34 ASU") == "17.6.3b"
    pos.attackers |= units("135/34")  # not of the main force
    assert guns(pos, ATTACK) == {"3 ASU", "34 ASU", "II ASU", "VI ASU"}


@rule("italy43", "9.5.2b", "8.6.1d")
def test_corps_artillery_supports_its_own_army():
    pos = supported(f"{FRONT}; {GUNS}")
    assert by(Fire(ATTACK), pos, "X ASU") == "9.5.2b"
    british = supported(f"128/46 @ 2019; 577/305 @ 2020; {GUNS}", attackers="128/46")
    assert guns(british, ATTACK) == {"X ASU"}


@rule("italy43", "9.5.2a", "9.5.3", "17.6.1")
def test_one_division_and_one_corps_support_an_attack_and_are_spent():
    pos = supported(f"{FRONT}; {GUNS}; 135/34 @ 2120", attackers="7/3, 135/34")
    carry_out(Fire(ATTACK), pos, "3 ASU")
    assert guns(pos, ATTACK) == {"II ASU", "VI ASU"}
    assert by(Fire(ATTACK), pos, "34 ASU") == "9.5.3"
    carry_out(Fire(ATTACK), pos, "II ASU")
    assert guns(pos, ATTACK) == set()
    assert by(Fire(ATTACK), pos, "VI ASU") == "9.5.3"
    assert not pos.ready & units("3 ASU, II ASU")


@rule("italy43", "9.5.4a", "9.5.4b", "17.1")
def test_the_defender_fires_once_with_a_division_of_the_hex_or_a_corps():
    pos = supported("7/3 @ 2019; 1/HG @ 2020; HG ASU, 305 ASU, XIV ASU, 71 NW @ 2018")
    assert guns(pos, DEFENCE) == {"HG ASU", "XIV ASU", "71 NW"}
    assert by(Fire(DEFENCE), pos, "305 ASU") == "17.6.3b"
    carry_out(Fire(DEFENCE), pos, "HG ASU")
    assert pos.defence == [0, number("HG ASU")]
    assert not pos.ready & units("HG ASU")
    assert by(Fire(DEFENCE), pos, "XIV ASU") == "9.5.4b"


@rule("italy43", "19.1a")
def test_nebelwerfers_support_like_a_corps():
    pos = supported("1/HG @ 2019; 7/3 @ 2020; 71 NW, XIV ASU @ 2018", GERMAN, "1/HG")
    assert guns(pos, ATTACK) == {"71 NW", "XIV ASU"}
    carry_out(Fire(ATTACK), pos, "71 NW")
    assert pos.support == [0, NOBODY, number("71 NW")]
    assert by(Fire(ATTACK), pos, "XIV ASU") == "9.5.3"


@rule("italy43", "17.4a", "17.4b")
def test_range_is_counted_to_the_defenders_hex_through_anything():
    reach = WAR.roster[number("3 ASU")].range
    assert reach == 4
    counters = f"{FRONT}; 577/305 @ 2020; 578/305 @ 2022; 3 ASU @ "
    assert guns(supported(f"{counters}2024"), ATTACK) == {"3 ASU"}
    far = supported(f"{counters}2225")
    assert WAR.lattice.distance(at("2225"), at("2020")) == 6
    assert by(Fire(ATTACK), far, "3 ASU") == "17.4a"


@rule("italy43", "17.5a", "17.6.3a")
def test_only_ready_artillery_in_good_order_fires():
    pos = supported(f"{FRONT}; {GUNS}", ready=units("VI ASU, 3 ASU"))
    assert guns(pos, ATTACK) == {"3 ASU", "VI ASU"}
    assert by(Fire(ATTACK), pos, "II ASU") == "17.5a"
    pos.disrupted = units("VI ASU")
    assert by(Fire(ATTACK), pos, "VI ASU") == "17.6.3a"


@rule("italy43", "17.6.3a", "20.4c")
def test_artillery_fires_next_to_the_enemy_and_beside_a_replacement():
    pos = supported("7/3 @ 2019; 15/3 @ 2120 replaced; 3 ASU @ 2120; 577/305 @ 2020")
    assert guns(pos, ATTACK) == {"3 ASU"}


@rule("italy43", "17.6.3a", "17.7b")
def test_artillery_supports_its_own_hex_even_after_an_attack():
    pos = supported("7/3 @ 2019; 1/HG, HG ASU @ 2020", defended=units("HG ASU"))
    assert guns(pos, DEFENCE) == {"HG ASU"}
    alone = supported("7/3 @ 2019; HG ASU @ 2020")
    assert guns(alone, DEFENCE) == {"HG ASU"}


@rule("italy43", "21.3c")
def test_artillery_in_an_entry_area_is_silent():
    pos = supported(f"{FRONT}; 3 ASU @ S1")
    assert by(Fire(ATTACK), pos, "3 ASU") == "21.3c"


@rule("italy43", "17.6.2", "11.3e")
def test_another_gun_than_that_of_the_shift_supports_the_determined_defence():
    pos = supported("7/3 @ 2019; 1/HG @ 2020; HG ASU, XIV ASU @ 2018", lead=number("1/HG"))
    carry_out(Fire(DEFENCE), pos, "HG ASU")
    assert guns(pos, STAND) == {"XIV ASU"}
    assert by(Fire(STAND), pos, "HG ASU") == "17.5a"
    carry_out(Fire(STAND), pos, "XIV ASU")
    assert (pos.defence[1], pos.stand) == (number("HG ASU"), number("XIV ASU"))


# Determined defence support (11.3).


MIXED = "129/15 @ 2019; 7/3, 9 Cdo @ 2020; 3 ASU, VI ASU, X ASU @ 2021"


@rule("italy43", "11.3b")
def test_support_of_a_determined_defence_is_of_the_lead_units_army():
    pos = supported(MIXED, GERMAN, "129/15", lead=number("9 Cdo"), air=US | BR)
    assert guns(pos, STAND) == {"X ASU"}
    assert by(Fire(STAND), pos, "VI ASU") == "11.3b"
    assert flies(pos, STAND) == {BR}
    pos.lead = number("7/3")
    assert guns(pos, STAND) == {"3 ASU", "VI ASU"}


@rule("italy43", "11.3c")
def test_a_division_supports_it_if_a_unit_of_it_is_there_leading_or_not():
    pos = supported(f"{MIXED}; 34 ASU @ 2021", GERMAN, "129/15", lead=number("7/3"))
    pos.hex[number("2/509")] = at("2020")
    pos.lead = number("2/509")
    assert "3 ASU" in guns(pos, STAND)
    assert by(Fire(STAND), pos, "34 ASU") == "11.3c"


@rule("italy43", "11.3a", "11.3d")
def test_one_thing_supports_a_determined_defence_and_is_spent():
    pos = supported(MIXED, GERMAN, "129/15", lead=number("7/3"), air=US, naval=True)
    carry_out(Fly(STAND), pos, value=0)
    assert (pos.stand, pos.air) == (AIR, 0)
    assert by(Fire(STAND), pos, "3 ASU") == "11.3a"


# Naval support (9.6).


def off_the_coast(**fields: Any) -> Table:
    counters = "128/46, X ASU @ 1816; 577/305 @ 1815; 7/3 @ 1816"
    return supported(counters, attackers="128/46", target=at("1815"), naval=True, **fields)


@rule("italy43", "9.6a", "9.6b")
def test_ships_reach_castel_volturno_and_not_the_plain():
    pos = off_the_coast()
    assert fires_ships(pos, ATTACK)
    carry_out(NavalFire(ATTACK), pos)
    assert not pos.naval
    assert pos.support[2] == NAVAL
    inland = supported(FRONT, naval=True, target=at("2222"))
    assert by(NavalFire(ATTACK), inland) == "9.6b"
    assert by(NavalFire(ATTACK), pos) == "9.6a"


@rule("italy43", "9.6c")
def test_ships_and_a_corps_do_not_fire_together():
    pos = off_the_coast()
    carry_out(Fire(ATTACK), pos, "X ASU")
    assert by(NavalFire(ATTACK), pos) == "9.6c"
    pos = off_the_coast()
    carry_out(NavalFire(ATTACK), pos)
    assert by(Fire(ATTACK), pos, "X ASU") == "9.5.3"


@rule("italy43", "9.6d")
def test_ships_support_both_armies():
    pos = off_the_coast()
    pos.attackers = units("7/3")
    assert fires_ships(pos, ATTACK)


@rule("italy43", "9.6e")
def test_ships_support_allied_defenders_as_a_corps_would():
    counters = "577/305 @ 1816; 128/46, 7/3 @ 1815; X ASU @ 1814"
    pos = supported(counters, GERMAN, "577/305", target=at("1815"), naval=True)
    assert fires_ships(pos, DEFENCE)
    pos.lead = number("7/3")
    assert fires_ships(pos, STAND)
    carry_out(Fire(DEFENCE), pos, "X ASU")
    assert by(NavalFire(DEFENCE), pos) == "9.5.4b"
    german = supported("128/46 @ 1816; 577/305 @ 1815", attackers="128/46", target=at("1815"))
    german.naval = True
    assert by(NavalFire(DEFENCE), german) == "9.6a"


# Heavy howitzers (19.4).


HEAVY = "7/3 @ 2019; VI ASU, Hv How @ 2018; II ASU @ 2017; 577/305 @ 2020"


@rule("italy43", "19.4a", "19.4b")
def test_the_howitzers_fire_only_with_the_corps_artillery_in_their_hex():
    pos = supported(HEAVY)
    assert by(Fire(ATTACK), pos, "Hv How") == "19.4b"
    carry_out(Fire(ATTACK), pos, "II ASU")
    assert by(Fire(ATTACK), pos, "Hv How") == "19.4b"
    pos = supported(HEAVY)
    carry_out(Fire(ATTACK), pos, "VI ASU")
    assert guns(pos, ATTACK) == {"Hv How"}


@rule("italy43", "19.4c", "19.4a")
def test_the_howitzers_are_spent_when_they_fire_and_shift_nothing():
    pos = supported(HEAVY)
    carry_out(Fire(ATTACK), pos, "VI ASU")
    carry_out(Fire(ATTACK), pos, "Hv How")
    assert pos.howitzers
    assert not pos.ready & units("Hv How")
    assert pos.support == [0, NOBODY, number("VI ASU")]


@rule("italy43", "19.4a")
def test_the_howitzers_never_help_a_defence():
    pos = supported("129/15 @ 2019; 7/3 @ 2020; Hv How, VI ASU @ 2020", GERMAN, "129/15")
    pos.lead = number("7/3")
    assert by(Fire(DEFENCE), pos, "Hv How") == "19.4a"
    assert by(Fire(STAND), pos, "Hv How") == "19.4a"


# The order of it (8.3.1).


def declared(**fields: Any) -> Match[Table]:
    counters = "7/3, 3 ASU, VI ASU @ 2019; 1/HG, HG ASU @ 2020"
    ready = units("3 ASU, VI ASU, HG ASU")
    match = combat(counters, ready=ready, air=0, naval=False, **fields)
    attack(match, "2020")
    return match


@rule("italy43", "8.3.1c")
def test_the_attacker_declares_support_first_then_the_defender_then_the_die_is_rolled():
    match = declared()
    assert asked(match).side == ALLIED
    assert names(match, "fire") == {"3 ASU", "VI ASU"}
    do(match, "fire", "3 ASU")
    do(match, "hold fire")
    assert asked(match).side == GERMAN
    assert names(match, "fire") == {"HG ASU"}
    assert refused(match, "attack", hex="2020").sentence.startswith("Hexes are attacked")
    do(match, "fire", "HG ASU")
    roll = SHORT.rolls(match)[0]
    assert [line.rule for line in roll.lines] == ["9.5.1", "9.5.4a"]


# Major Assaults (25.1).


@rule("italy43", "25.1.1", "25.1.3")
def test_a_major_assault_needs_a_corps_that_fires_and_supply_points():
    match = declared(major_assaults=True, supply=[1, 0])
    assert refused(match, "major assault", value=1).rule == "25.1.3"
    do(match, "fire", "VI ASU")
    assert refused(match, "major assault", value=2).rule == "25.1.1"
    do(match, "major assault", value=1)
    assert match.position.supply == [0, 0]
    assert match.position.dice == 2
    assert "major assault" not in verbs(match)


@rule("italy43", "25.1.1")
def test_without_the_option_there_are_no_major_assaults():
    match = declared(supply=[5, 0])
    do(match, "fire", "VI ASU")
    assert "major assault" not in verbs(match)


@rule("italy43", "25.1.2")
def test_the_attacker_takes_any_of_three_dice():
    match = declared(major_assaults=True, supply=[2, 0])
    do(match, "fire", "3 ASU")
    do(match, "fire", "VI ASU")
    do(match, "major assault", value=2)
    match.force(1, 6, 3)
    answer(match)
    assert {offer.value for offer in offers(match)} == {1, 3, 6}
    assert refused(match, "take the die", value=2).rule == "25.1.2"
    do(match, "take the die", value=6)
    assert match.position.dice == 3
    assert events(match, "result")[0].rule == "10.1c"  # D1 on 3-1: 6 to 5 and two shifts
