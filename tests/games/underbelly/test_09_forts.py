"""Chapter 9: German fortifications."""

from __future__ import annotations

from typing import Any

import pytest

from apennine.games.underbelly.table.position import NOWHERE, TIBER
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.underbelly.drawing import (
    GERMAN,
    NO_PORTS,
    Table,
    asked,
    at,
    attack,
    begin,
    do,
    events,
    fresh,
    given,
    hexes,
    is_supplied,
    march,
    markers,
    mask,
    next_turn,
    order,
    pass_on,
    price,
    reach,
    refused,
    values,
    verbs,
    where,
    zone,
)

MISS = 10
FAR = "46 Inf @ 2822; US 36 @ 2921"


def builders(counters: str = "76 Inf @ 2010", **fields: Any) -> Match[Table]:
    """A German command phase with ten forts to build, after the turn in which they come."""
    return begin(f"{FAR}; {counters}", GERMAN, **{"forts_left": 10, **fields})


@rule("underbelly", "9.8a")
def test_from_turn_eight_on_a_fort_costs_one_point():
    early = builders(turn=7)
    assert "build fort" not in verbs(early)
    assert refused(early, "build fort", hex="2010").rule == "9.8a"
    match = builders(turn=8)
    do(match, "build fort", hex="2010")
    assert match.position.points == 5
    assert markers(match, "FORT") == {"2010"}
    assert match.position.forts_left == 9


@rule("underbelly", "9.8a", "9.8h")
@pytest.mark.parametrize(("scenario", "counters"), [("historical", 14), ("wat", 0)])
def test_the_fourteen_forts_are_of_the_historical_scenario(scenario: str, counters: int):
    match = fresh(scenario)
    next_turn(match)
    assert match.position.turn == 2
    assert match.position.forts_left == counters
    tiber = builders(scenario=TIBER, plot=0, forts_left=0)
    assert "build fort" not in verbs(tiber)


@rule("underbelly", "9.8b")
def test_there_are_no_forts_in_cities_and_marsh():
    match = builders()
    sites = hexes(match, "build fort")
    assert not {"2522", "4108", "1423", "1323", "2807", "2222"} & sites
    assert {"2010", "1615", "1512", "2608", "4117"} <= sites  # mountains and towns will do
    assert refused(match, "build fort", hex="2522").rule == "9.8b"
    assert refused(match, "build fort", hex="1423").rule == "9.8b"


@rule("underbelly", "9.8c")
def test_in_an_allied_zone_a_fort_needs_a_german_unit_to_build_it():
    match = builders("76 Inf @ 2010; 5 Inf @ 3309; 16 Pz @ 3209; XIV Pz @ 3210")
    sites = hexes(match, "build fort")
    assert {"3209", "3210"} <= sites  # a division, and guns
    assert {"3208", "3110", "3009"} <= sites  # nobody is there, and nobody need be
    assert not {"3308", "3310", "3309"} & sites
    assert refused(match, "build fort", hex="3308").rule == "9.8c"


@rule("underbelly", "9.8c")
def test_no_fort_is_built_on_an_allied_port_even_if_nobody_guards_it():
    open_bari = builders(ports=[NOWHERE] * 5 + [at("3306")])
    assert "3306" not in hexes(open_bari, "build fort")
    assert refused(open_bari, "build fort", hex="3306") == (
        "An Allied port is at work in Bari (3306).",
        "9.8c",
    )
    assert "3306" in hexes(builders(ports=NO_PORTS), "build fort")


@rule("underbelly", "9.8d")
def test_a_fort_needs_a_supply_line():
    match = builders("76 Inf @ 2010; 5 Inf @ 4405; 16 Pz @ 4704")
    assert not {"4704", "4804"} & hexes(match, "build fort")
    assert refused(match, "build fort", hex="4704").rule == "9.8d"
    assert "4704" in hexes(builders("76 Inf @ 2010; 16 Pz @ 4704"), "build fort")


@rule("underbelly", "9.8e")
def test_a_fort_is_nothing_but_a_shelter():
    lone = builders("76 Inf @ 1012; 5 Inf @ 3309", forts=mask("3210"))
    assert not {"3309", "3209", "3110"} & zone(lone, GERMAN)
    held = builders("76 Inf @ 3210; 5 Inf @ 3309", forts=mask("3210"))
    assert {"3309", "3209", "3110"} <= zone(held, GERMAN)
    # So a lone one stops nobody, and a division in one those on the way past it to 3307.
    for place, stops in (("1012", False), ("3507", True)):
        walker = begin(
            f"1 Abn @ 3409; XIV Pz @ 3308; 76 Inf @ {place}",
            forts=mask("3507"),
            ports=NO_PORTS,
            switched=True,
        )
        assert "3408" in reach(walker, "3409")
        assert ("3307" not in reach(walker, "3409")) is stops
    # It takes no place in a stack.
    match = builders("26 Pz, 29 PG, XIV Pz @ 3009; 16 Pz @ 3008", forts=mask("3009"))
    assert "3009" in reach(match, "3008")
    march(match, "3008", "3009")
    assert not events(match, "is eliminated")
    # Nor does it cut an Allied line: 1 C in the heel is supplied from Taranto past the fort.
    line = builders("76 Inf @ 1012; 1 C @ 4704", forts=mask("4404 4405 4406 4407"))
    assert is_supplied(line, "1 C")


@rule("underbelly", "9.8f")
def test_allied_units_that_come_through_raze_a_fort_for_good():
    match = begin(f"{FAR}; 5 Inf @ 3309", forts=mask("3310"), forts_left=3)
    march(match, "3309", "3310", "3311")
    assert match.position.forts == 0
    assert len(events(match, "fort is removed")) == 1
    assert match.position.forts_left == 3  # the counter does not come back


@rule("underbelly", "9.8f")
def test_an_advance_razes_the_fort():
    match = begin(f"{FAR}; 5 Inf, 1 C @ 3309; XIV Pz @ 3209", forts=mask("3209"))
    attack(match, "3309", "3209", dice=(MISS, 1, MISS))
    while "advance" not in verbs(match):
        do(match, next(v for v in ("fire at", "cease fire", "stand") if v in verbs(match)))
    assert match.position.forts == mask("3209")  # firing alone does not hurt it
    do(match, "advance", "5 Inf")
    assert match.position.forts == 0
    assert where(match, "5 Inf") == "3209"


@rule("underbelly", "9.8f")
def test_germans_may_come_and_go_in_a_fort():
    match = builders("76 Inf @ 2010; 305 Inf @ tenth; 94 Inf @ 2109", forts=mask("2009 1012"))
    march(match, "2010", "2009")
    order(match, "move", "tenth")
    do(match, "enter", hex="1012")
    assert where(match, "305 Inf") == "1012"
    assert match.position.forts == mask("2009 1012")


@rule("underbelly", "9.8g")
def test_the_allies_build_no_forts_and_walk_over_empty_ones():
    match = begin(f"{FAR}; 5 Inf @ 3309", forts=mask("3310"), forts_left=10)
    assert "build fort" not in verbs(match)
    assert refused(match, "build fort", hex="3309").rule == "9.8g"
    bare = begin(f"{FAR}; 5 Inf @ 3309", forts_left=10)
    assert price(match, "3309", "3310") == price(bare, "3309", "3310") == 1
    assert reach(match, "3309") == reach(bare, "3309")
    assert reach(match, "3309", verb="column") == reach(bare, "3309", verb="column")


@rule("underbelly", "9.8h")
def test_one_fort_to_a_hex_and_as_many_in_a_phase_as_there_are_points_and_counters():
    match = builders(forts=mask("2009"), forts_left=5)
    assert "2009" not in hexes(match, "build fort")
    assert refused(match, "build fort", hex="2009").rule == "9.8h"
    for count, hex in enumerate(("2010", "2011", "1909", "1910", "1911"), 1):
        do(match, "build fort", hex=hex)
        assert match.position.points == 6 - count
    assert match.position.points == 1
    assert "build fort" not in verbs(match)  # no counter is left
    assert refused(match, "build fort", hex="1810").rule == "9.8h"
    # Nor does a counter come back that the Allies have razed.
    razed = begin(f"{FAR}; 5 Inf @ 3309; 76 Inf @ 1012", forts=mask("3310"), forts_left=0)
    march(razed, "3309", "3310")
    pass_on(razed, until="command", side=GERMAN)
    assert razed.position.forts == 0
    assert "build fort" not in verbs(razed)


@rule("underbelly", "9.8j")
def test_building_is_no_action_of_the_units_in_the_hex():
    match = builders("76 Inf @ 2010; 16 Pz @ 2009")
    do(match, "build fort", hex="2010")
    assert {"move", "column"} <= given(match, "2010")
    march(match, "2010", "2011")
    do(match, "build fort", hex="2011")  # and where units have acted one can be built too
    assert match.position.forts == mask("2010 2011")


def numbers(match: Match[Table], origin: str, target: str) -> list[int]:
    """What the attacking divisions must roll, after a defence that hits nobody."""
    attack(match, origin, target, dice=(MISS,) * 12)
    side = 1 - asked(match) if "fire at" in verbs(match) else asked(match)
    while "fire at" not in verbs(match) or asked(match) != side:
        do(match, next(v for v in ("shell", "fire at") if v in verbs(match)))
    return sorted(set(values(match, "fire at")))


DEFENDERS = "16 Pz, 29 PG"


@rule("underbelly", "9.8i")
@pytest.mark.parametrize(
    ("origin", "target", "bare", "fortified"),
    [("3309", "3209", [5, 6], [4, 5]), ("3111", "3112", [4, 5], [3, 4])],
    ids=["clear", "mountain"],
)
def test_a_fort_lowers_allied_fire_besides_all_else(
    origin: str, target: str, bare: list[int], fortified: list[int]
):
    counters = f"{FAR}; 5 Inf, 1 C @ {origin}; {DEFENDERS} @ {target}"
    assert numbers(begin(counters), origin, target) == bare
    assert numbers(begin(counters, forts=mask(target)), origin, target) == fortified


@rule("underbelly", "9.8i")
def test_a_fort_shelters_from_guns_too_and_lowers_no_german_fire():
    counters = f"{FAR}; 5 Inf, 1 C, XIII Corps @ 3309; {DEFENDERS} @ 3209"
    for forts, shells in (("", 6), ("3209", 5)):
        match = begin(counters, forts=mask(forts))
        attack(match, "3309", "3209", dice=(MISS,))
        assert set(values(match, "shell")) == {shells}
        do(match, "shell", "16 Pz")
        assert sorted(set(values(match, "fire at"))) == [6, 7]
    german = begin(f"{FAR}; 5 Inf, 1 C @ 3309; {DEFENDERS} @ 3209", GERMAN, forts=mask("3209"))
    assert numbers(german, "3209", "3309") == [6, 7]  # from a fort one attacks as ever
