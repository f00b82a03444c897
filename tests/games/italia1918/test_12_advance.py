"""Chapters 12.4 and 14.0: advance after combat, and the markers of exploitation."""

from typing import Any

import pytest

from apennine.games.italia1918.rules.c12_advance import (
    AFTER_ELIMINATION,
    advance,
    crests,
    exploit,
    together,
)
from apennine.games.italia1918.table.position import CENTRAL, LOST, Table
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.italia1918.drawing import (
    WAR,
    at,
    do,
    hexes,
    names,
    number,
    play,
    refused,
    table,
    told,
    units,
    verbs,
)


def advancing(
    counters: str, attackers: str, far: int = 1, target: str = "W0505", **fields: Any
) -> Match[Table]:
    """Attackers of the Central Powers before a hex that they have attacked."""
    pos = table(counters, phase="combat", **fields)
    pos.target, pos.attackers = at(target), units(attackers)
    return play(pos, lambda war, pos: advance(war, pos, far))


PAIR = "4 ID @ W0504; 13 SchD @ W0604"


@rule("italia1918", "12.4b", "12.4e")
def test_one_or_all_attackers_occupy_the_hex():
    match = advancing(PAIR, "4 ID, 13 SchD")
    assert names(match, "advance") == {"4 ID", "13 SchD"}
    do(match, "advance", "4 ID")
    assert match.position.hex[number("4 ID")] == at("W0505")
    do(match, "hold")
    assert match.position.hex[number("13 SchD")] == at("W0604")
    assert match.position.control >> at("W0505") & 1


@rule("italia1918", "12.4b")
def test_nobody_advances_while_a_defender_is_left():
    assert advancing(f"{PAIR}; Fant 1 @ W0505", "4 ID, 13 SchD").outcome


@rule("italia1918", "12.4a", "12.5d")
def test_only_whole_and_ordered_attackers_advance():
    stack = "4 ID @ W0504 steps=2; 13 SchD @ W0604; 33 ID @ W0605 disorganized; 28 ID @ W0506"
    match = advancing(stack, "4 ID, 13 SchD, 33 ID")
    assert names(match, "advance") == {"13 SchD"}
    assert refused(match, "advance", "4 ID").rule == "12.4a"
    assert refused(match, "advance", "33 ID").rule == "12.5d"
    assert refused(match, "advance", "28 ID").rule == "12.4b"


@rule("italia1918", "12.4c", "12.4g")
def test_with_perfect_coordination_one_goes_as_far_as_the_defender():
    match = advancing(PAIR, "4 ID, 13 SchD", far=3)
    do(match, "advance", "4 ID")
    do(match, "push on", hex="W0506")
    do(match, "push on", hex="W0507")
    assert "push on" not in verbs(match)
    assert match.position.hex[number("4 ID")] == at("W0507")


@rule("italia1918", "12.4d")
def test_two_hexes_if_nobody_was_left_to_retreat():
    match = advancing(PAIR, "4 ID, 13 SchD", far=AFTER_ELIMINATION)
    do(match, "advance", "4 ID")
    do(match, "push on", hex="W0506")
    assert names(match, "advance") == {"13 SchD"}


@rule("italia1918", "12.4f", "15.3.3c")
def test_past_the_first_hex_no_zone_leads_to_another():
    match = advancing(f"{PAIR}; 22 DF @ W0507", "4 ID", far=3)
    do(match, "advance", "4 ID")
    do(match, "push on", hex="W0506")
    assert refused(match, "push on", hex="W0606").rule == "12.4f"


@rule("italia1918", "12.4f", "15.3.1b", "15.3.2b")
@pytest.mark.parametrize(
    ("unit", "troops", "free"),
    [
        ("AlpK Leib", "Stoss 1", True),
        ("3 ID/216", "SturmB 1", True),
        ("4 ID", "SturmB 1", False),
        ("3 ID/216", "", False),
    ],
)
def test_storm_troops_with_a_regiment_or_brigade_ignore_zones(unit: str, troops: str, free: bool):
    stack = f"{unit}, {troops} @ W0504" if troops else f"{unit} @ W0504"
    hosts = {troops: unit} if troops else {}
    match = advancing(f"{stack}; 22 DF @ W0507", unit, far=3, hosts=hosts)
    do(match, "advance", unit)
    do(match, "push on", hex="W0506")
    assert ("W0606" in hexes(match, "push on")) == free


@rule("italia1918", "12.4k")
def test_the_first_hex_may_be_entered_whatever_the_zones():
    match = advancing(f"{PAIR}; 22 DF @ W0603; 37 DF @ W0506", "4 ID")
    do(match, "advance", "4 ID")
    assert match.position.hex[number("4 ID")] == at("W0505")


@rule("italia1918", "12.4h")
def test_an_unbridged_major_river_is_crossed_in_the_first_hex_and_ends_it():
    match = advancing("4 ID @ W1221; 13 SchD @ W1323", "4 ID, 13 SchD", far=3, target="W1322")
    do(match, "advance", "4 ID")
    assert names(match, "advance") == {"13 SchD"}  # 4 ID has stopped
    do(match, "advance", "13 SchD")
    assert refused(match, "push on", hex="W1221").rule == "12.4h"


@rule("italia1918", "12.4i")
def test_a_crest_in_a_later_hex_disorganizes():
    steep = crests(WAR)[WAR.lattice.direction(at("W1812"), at("W1913"))]
    assert steep >> at("W1812") & 1
    match = advancing("4 ID @ W1811; 13 SchD @ W1711", "4 ID, 13 SchD", far=2, target="W1812")
    do(match, "advance", "4 ID")
    do(match, "push on", hex="W1913")
    assert match.position.disorganized == units("4 ID")


@rule("italia1918", "12.4j")
def test_only_assault_troops_go_along():
    hosts = {"SturmB 1": "4 ID"}
    match = advancing(
        "4 ID, SturmB 1, CArt II K @ W0504; 13 SchD @ W0604", "4 ID, 13 SchD", hosts=hosts
    )
    do(match, "advance", "4 ID")
    pos = match.position
    assert pos.hex[number("SturmB 1")] == at("W0505")
    assert pos.hex[number("CArt II K")] == at("W0504")


def test_an_advance_overruns_supports_and_takes_depots():
    match = advancing("4 ID @ W0504; CArt I CdA @ W0506; Depot Udine @ W0505", "4 ID")
    do(match, "advance", "4 ID")
    assert told(match, "is eliminated") == ["CArt I CdA"]
    assert match.position.hex[number("Depot Udine")] == LOST
    assert match.position.points[CENTRAL] == 2


# Exploitation markers


def placing(counters: str, attackers: str, markers: int, **fields: Any) -> Match[Table]:
    pos = table(counters, phase="combat", **fields)
    pos.target, pos.attackers = at("W0505"), units(attackers)
    return play(pos, lambda war, pos: exploit(war, pos, markers))


@rule("italia1918", "14.0b")
def test_only_whole_and_ordered_attackers_get_a_marker():
    stack = "4 ID @ W0504 steps=2; 13 SchD @ W0604; 33 ID @ W0605 disorganized; 28 ID @ W0506"
    match = placing(stack, "4 ID, 13 SchD, 33 ID", 2)
    assert names(match, "exploit with") == {"13 SchD"}
    assert refused(match, "exploit with", "28 ID").rule == "14.0b"
    assert refused(match, "exploit with", "4 ID").rule == "14.0b"


@rule("italia1918", "14.0c")
def test_regiments_of_one_division_alone_in_their_hex_share_a_marker():
    match = placing(
        "44 SchD/44, 44 SchD/87 @ W0504; 4 ID @ W0604", "44 SchD/44, 44 SchD/87, 4 ID", 1
    )
    do(match, "exploit with", "44 SchD/44")
    assert match.position.exploits == [units("44 SchD/44, 44 SchD/87")]


@rule("italia1918", "14.0d")
def test_the_books_second_example():
    stack = "44 SchD/44, 44 SchD/87, AlpK Leib @ W0504"
    match = placing(stack, "44 SchD/44, 44 SchD/87, AlpK Leib", 2)
    do(match, "exploit with", "44 SchD/44")
    assert names(match, "exploit with") == {"44 SchD/87", "AlpK Leib"}
    do(match, "exploit with", "AlpK Leib")
    assert match.position.exploits == [units("44 SchD/44"), units("AlpK Leib")]
    assert match.outcome


@rule("italia1918", "14.0e")
@pytest.mark.parametrize("displayed", [True, False])
def test_a_display_division_shares_a_marker(displayed: bool):
    alpini = "1 Alpini, 5 Alpini, 9 Alpini, 10 Alpini"
    pos = table(f"{alpini} @ W0504", 1, displayed=units(alpini) if displayed else 0)
    pos.attackers = units(alpini)
    shared = units(alpini) if displayed else units("1 Alpini")
    assert together(WAR, pos, number("1 Alpini")) == shared


@rule("italia1918", "14.0a")
def test_nobody_must_place_his_markers():
    match = placing(PAIR, "4 ID, 13 SchD", 2)
    do(match, "no more")
    assert match.position.exploits == []
