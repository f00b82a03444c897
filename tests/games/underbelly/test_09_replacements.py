"""Chapter 9: replacements of both sides."""

from __future__ import annotations

from typing import Any

import pytest

from apennine.games.underbelly.rules import c09_rear as rear
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.underbelly.drawing import (
    ALLIED,
    GAME,
    GERMAN,
    HISTORICAL,
    LOST,
    NO_PORTS,
    TIBER,
    WAR,
    Table,
    attack,
    begin,
    bury,
    do,
    events,
    fight_out,
    given,
    halt,
    hexes,
    march,
    named,
    next_turn,
    number,
    options,
    order,
    pass_on,
    refused,
    stack,
    steps,
    table,
    verbs,
    where,
)

MISS = 10
FAR = "46 Inf @ 2822; US 36 @ 2921"
GRENADIERS = "76 Inf @ 1012; 26 Pz @ 2011"


def play(pos: Table) -> Match[Table]:
    return Match(GAME, position=pos, seed=1)


def allies(counters: str = "1 Abn @ 4108", dead: str = "78 Inf", **fields: Any) -> Match[Table]:
    """An Allied command phase with some in the dead pile."""
    return play(bury(f"{FAR}; {counters}", dead, **fields))


def germans(counters: str = "", dead: str = "15 PG", **fields: Any) -> Match[Table]:
    return play(bury(f"{FAR}; {GRENADIERS}; {counters}", dead, GERMAN, **fields))


# 9.16: Allied replacements


@rule("underbelly", "9.16a")
@pytest.mark.parametrize("turn", [1, 2])
def test_they_come_from_turn_two_on(turn: int):
    scenario = HISTORICAL if turn > 1 else 0
    counters = f"{FAR}; 5 Inf @ 4108 steps=1"
    pos = bury(counters, "78 Inf", GERMAN, turn=turn, scenario=scenario)
    pos.side = ALLIED
    found = {o.verb for order in rear.ALLIED_ORDERS for o in order.menu(WAR, pos)}
    assert found == ({"replenish", "reclaim"} if turn == 2 else set())


@rule("underbelly", "9.16a")
def test_there_are_as_many_as_can_be_paid_for():
    weak = ("46 Inf", "56 Inf", "US 36", "US 45", "5 Inf", "1 C", "1 Abn")
    match = begin(
        "46 Inf, 56 Inf @ 2822 steps=1; US 36, US 45 @ 2921 steps=1;"
        "5 Inf, 1 C, 1 Abn @ 4108 steps=1; 8 I @ 4107"
    )
    for unit in weak:
        do(match, "replenish", unit)
    assert [steps(match, unit) for unit in weak] == [2] * 7
    assert len(events(match, "is replenished")) == 7
    both = allies("5 Inf @ 3309 steps=1; 8 I @ 4107", "78 Inf, 2 NZ, V Corps")
    do(both, "replenish", "5 Inf")
    for unit in ("78 Inf", "2 NZ", "V Corps"):
        do(both, "reclaim", unit)
    assert stack(both, "available") == {"78 Inf", "2 NZ", "V Corps"}


@rule("underbelly", "9.16b")
@pytest.mark.parametrize("place", ["3309", "available"])
def test_a_point_restores_a_step_on_the_map_or_in_the_box(place: str):
    match = begin(f"{FAR}; 5 Inf @ {place} steps=1")
    assert named(match, "replenish") == {"5 Inf"}  # the others are whole
    do(match, "replenish", "5 Inf")
    assert steps(match, "5 Inf") == 2
    assert where(match, "5 Inf") == place
    assert match.position.points == 6
    assert refused(match, "replenish", "46 Inf").rule == "9.16b"


@rule("underbelly", "9.16c")
@pytest.mark.parametrize("unit", ["78 Inf", "V Corps"])
def test_two_points_bring_a_unit_back_to_the_box_at_one_step(unit: str):
    match = allies(dead=unit)
    do(match, "reclaim", unit)
    assert match.position.points == 5
    assert where(match, unit) == "available"
    assert steps(match, unit) == 1
    assert refused(match, "reclaim", "46 Inf").rule == "9.16c"  # it is alive


@rule("underbelly", "9.16d")
def test_who_comes_back_waits_a_turn_and_then_lands_in_a_port():
    match = allies()
    do(match, "reclaim", "78 Inf")
    assert not given(match, "available")
    assert refused(match, "move", hex="available").rule == "9.18"
    next_turn(match)
    pass_on(match, until="command", side=ALLIED)
    order(match, "move", "available")
    assert hexes(match, "come ashore") == {"2822", "2921", "4108", "5328"}
    do(match, "come ashore", hex="4108")
    assert where(match, "78 Inf") == "4108"


@rule("underbelly", "9.16d")
def test_another_command_for_the_box_does_not_take_it_along():
    match = allies("5 Inf, 8 I @ available")
    do(match, "reclaim", "78 Inf")
    do(match, "move", hex="available")
    assert named(match, "take") == {"5 Inf", "8 I"}


@rule("underbelly", "9.16e")
def test_who_was_replenished_neither_moves_nor_attacks_in_that_turn():
    match = begin(f"{FAR}; 5 Inf @ 3309 steps=1; 1 C @ 3308; 16 Pz @ 3209")
    assert {"move", "attack"} <= given(match, "3309")
    do(match, "replenish", "5 Inf")
    assert not given(match, "3309")
    assert refused(match, "move", hex="3309").rule == "9.18"
    assert refused(match, "attack", hex="3309").rule == "9.18"
    assert "attack" in given(match, "3308")
    mixed = begin(f"{FAR}; 5 Inf @ 3309 steps=1; 1 C, 78 Inf @ 3309; 16 Pz @ 3209")
    do(mixed, "replenish", "5 Inf")
    do(mixed, "attack", hex="3309")
    assert named(mixed, "attack with") == {"1 C", "78 Inf"}


@rule("underbelly", "9.16f")
def test_nobody_is_both_brought_back_and_rebuilt_in_one_turn():
    match = allies()
    do(match, "reclaim", "78 Inf")
    assert "replenish" not in verbs(match)
    assert refused(match, "replenish", "78 Inf").rule == "9.18"
    next_turn(match)
    pass_on(match, until="command", side=ALLIED)
    assert named(match, "replenish") == {"78 Inf"}


@rule("underbelly", "9.16g")
def test_only_overland_supply_brings_replacements():
    # In the heel, behind 26 Pz: inland, on the coast, and supplied from the air.
    match = begin(
        f"{FAR}; 5 Inf @ 4604 steps=1; 1 C @ 4704 steps=1; 78 Inf @ 4804 steps=1;"
        "8 I @ 3309 steps=1; 16 Pz @ 3209; 26 Pz @ 4405",
        airlift=GAME.board.parse("4804"),
    )
    assert named(match, "replenish") == {"8 I"}  # in an enemy zone, but on the line to Taranto
    for unit in ("5 Inf", "1 C", "78 Inf"):
        assert refused(match, "replenish", unit).rule == "9.16g"


STATES = {
    "out of supply": ("4704", {}),
    "coastal": ("4604", {}),
    "aerial": ("4704", {"airlift": GAME.board.parse("4704")}),
    "overland": ("3309", {}),
}


@rule("underbelly", "9.16h")
@pytest.mark.parametrize("state", STATES)
def test_who_falls_without_overland_supply_never_comes_back(state: str):
    hex, fields = STATES[state]
    enemy = "3209" if state == "overland" else "4605"
    match = begin(
        f"{FAR}; 1 Abn @ 4108; 5 Inf @ {hex} steps=1; 16 Pz, 29 PG @ {enemy}; 26 Pz @ 4405",
        GERMAN,
        **fields,
    )
    attack(match, enemy, hex, dice=(MISS, 1, 1, 1, 1))
    fight_out(match)
    assert match.position.hex[number("5 Inf")] == LOST
    pass_on(match, until="command", side=ALLIED)
    assert ("reclaim" in verbs(match)) == (state == "overland")
    if state != "overland":
        assert refused(match, "reclaim", "5 Inf").rule == "9.16h"


@rule("underbelly", "9.16h")
def test_an_attacker_who_falls_out_of_supply_is_gone_too():
    match = begin(f"{FAR}; 5 Inf @ 4704 steps=1; 1 C @ 4704; 16 Pz, 29 PG @ 4804; 26 Pz @ 4405")
    attack(match, "4704", "4804", dice=(1, *[MISS] * 5))
    fight_out(match, "5 Inf")
    assert match.position.hex[number("5 Inf")] == LOST
    assert refused(match, "reclaim", "5 Inf").rule == "9.16h"


@rule("underbelly", "9.16i")
def test_a_lost_port_marker_stays_lost():
    ports = list(table(FAR).ports)
    ports[WAR.bari] = WAR.ports[WAR.bari]
    raid = germans("16 Pz @ 3308", ports=ports)
    march(raid, "3308", "3306")
    ports = raid.position.ports
    assert ports[WAR.bari] == LOST
    match = begin(
        f"{FAR}; 5 Inf @ 3306; 1 C @ 3309; 76 Inf @ 1012", ports=ports, switched=False, turn=10
    )
    assert not [o for o in options(match) if o.verb == "reclaim"]
    turn = match.position.turn
    while match.position.turn == turn:
        assert "open Bari" not in verbs(match)
        do(match, _idle(match))
    assert match.position.ports[WAR.bari] == LOST
    # Nor is the counter of Paestum, once lost, turned over and laid in Naples.
    ports = list(table(FAR).ports)
    ports[WAR.port_names.index("Paestum")] = LOST
    naples = begin("46 Inf @ 2822; 5 Inf @ 2522; 76 Inf @ 1012", GERMAN, ports=ports)
    next_turn(naples)
    assert naples.position.switched
    assert naples.position.ports[WAR.naples] < 0
    fresh = begin(f"{FAR}; 5 Inf @ 3306; 1 C @ 3309; 76 Inf @ 1012")
    pass_on(fresh, until="end")
    assert "open Bari" in verbs(fresh)  # as it could have been


def _idle(match: Match[Table]) -> str:
    return next(v for v in ("no port", "end", "no air", "halt") if v in verbs(match))


@rule("underbelly", "9.16j")
def test_the_box_of_available_units_is_always_in_supply():
    match = begin(
        "5 Inf @ available steps=1; 1 C @ 3309 steps=1; 46 Inf @ 3308; 16 Pz @ 2011",
        ports=NO_PORTS,
        switched=True,
    )
    assert named(match, "replenish") == {"5 Inf"}


# 9.17: German replacements


@rule("underbelly", "9.17a")
def test_one_mechanised_and_one_other_step_a_turn():
    match = germans("16 Pz, 29 PG @ 2109 steps=1; 305 Inf, 94 Inf @ 2110 steps=1", dead="44 Inf")
    assert named(match, "replenish") == {"16 Pz", "29 PG", "305 Inf", "94 Inf"}
    do(match, "replenish", "16 Pz")
    assert named(match, "replenish") == {"305 Inf", "94 Inf"}
    assert refused(match, "replenish", "29 PG").rule == "9.17a"
    do(match, "replenish", "94 Inf")
    assert not {"replenish", "reclaim"} & verbs(match)  # the dead count as well
    assert refused(match, "reclaim", "44 Inf").rule == "9.17a"
    next_turn(match)
    pass_on(match, until="command", side=GERMAN)
    assert named(match, "replenish") == {"29 PG", "305 Inf"}


@rule("underbelly", "9.17b")
@pytest.mark.parametrize(("unit", "cost"), [("305 Inf", 1), ("16 Pz", 2)])
def test_a_step_costs_one_point_or_two_for_the_mechanised(unit: str, cost: int):
    match = germans(f"{unit} @ 2109 steps=1")
    do(match, "replenish", unit)
    assert match.position.points == 6 - cost
    assert steps(match, unit) == 2


@rule("underbelly", "9.17b")
@pytest.mark.parametrize(("unit", "cost"), [("305 Inf", 1), ("16 Pz", 2), ("XIV Pz", 2)])
def test_so_does_a_unit_from_the_dead_pile(unit: str, cost: int):
    match = germans(dead=unit)
    do(match, "reclaim", unit)
    assert match.position.points == 6 - cost


@rule("underbelly", "9.17b")
def test_corps_support_costs_two_however_it_moves(monkeypatch: pytest.MonkeyPatch):
    guns = number("XIV Pz")
    monkeypatch.setattr(WAR, "mechanised", WAR.mechanised & ~(1 << guns))
    assert rear.cost(WAR, guns, "reclaim") == 2


@rule("underbelly", "9.17c")
def test_mountain_units_count_with_the_infantry():
    match = germans("5 Mtn, 1 Para @ 2109 steps=1; 16 Pz @ 2110 steps=1; 305 Inf @ 2108 steps=1")
    do(match, "replenish", "5 Mtn")
    assert match.position.points == 5
    assert named(match, "replenish") == {"16 Pz"}


@rule("underbelly", "9.17d")
def test_a_german_division_moves_also_in_column_after_its_step():
    match = germans("16 Pz @ 2109 steps=1")
    do(match, "replenish", "16 Pz")
    assert {"move", "column"} <= given(match, "2109")
    order(match, "column", "2109")
    assert match.position.moves_left == 16
    do(match, "go", hex="2509")
    do(match, "halt")
    assert where(match, "16 Pz") == "2509"
    assert match.position.points == 6 - 2 - 1
    assert not given(match, "2509")


@rule("underbelly", "9.17d")
@pytest.mark.parametrize("verb", ["move", "column"])
def test_or_it_moves_first_and_gets_its_step_then(verb: str):
    match = germans("16 Pz @ 2108 steps=1; 29 PG @ 2110 steps=1; 5 Inf @ 2211")
    order(match, verb, "2108")
    do(match, "go", hex="2208")
    halt(match)
    assert "16 Pz" in named(match, "replenish")
    attack(match, "2110", "2211", dice=(MISS,) * 6)
    fight_out(match)
    assert named(match, "replenish") == {"16 Pz"}  # an attack is another thing
    do(match, "replenish", "16 Pz")
    assert not given(match, "2208")


@rule("underbelly", "9.17d")
def test_or_it_enters_the_map_by_a_regular_move_and_gets_its_step_there():
    for verb in ("move", "column", "move-fight"):
        match = germans("16 Pz @ tenth steps=1")
        order(match, verb, "tenth")
        if verb == "move":
            waiting = match.fork()
            halt(waiting)
            assert "16 Pz" not in named(waiting, "replenish")  # it has not left its box
        do(match, "enter", hex="1021")
        halt(match)
        assert ("16 Pz" in named(match, "replenish")) == (verb != "move-fight")
        if verb != "move-fight":
            do(match, "replenish", "16 Pz")
            assert (steps(match, "16 Pz"), match.position.points) == (2, 6 - 1 - 2)
            assert not given(match, "1021") & {"move", "column", "attack"}


@rule("underbelly", "9.17d")
def test_but_it_does_not_attack():
    match = germans("16 Pz @ 3209 steps=1; 29 PG @ 3009 steps=1; 5 Inf @ 3309; 94 Inf @ 2109")
    assert {"attack", "fight-move"} <= given(match, "3209")
    do(match, "replenish", "16 Pz")
    assert given(match, "3209") == {"move"}
    assert refused(match, "attack", hex="3209").rule == "9.17d"
    other = germans("16 Pz @ 3209; 29 PG @ 3009 steps=1; 5 Inf @ 3309; 94 Inf @ 2109")
    do(other, "replenish", "29 PG")
    assert given(other, "3009") == {"move", "column"}
    beside = germans("16 Pz @ 3209 steps=1; 29 PG, 15 PG @ 3209; 5 Inf @ 3309", dead="44 Inf")
    do(beside, "replenish", "16 Pz")
    do(beside, "attack", hex="3209")
    assert named(beside, "attack with") == {"29 PG", "15 PG"}


@rule("underbelly", "9.17d")
def test_in_a_box_it_stays_where_it_is():
    match = germans("16 Pz @ tenth steps=1")
    assert "move" in given(match, "tenth")
    do(match, "replenish", "16 Pz")
    assert not given(match, "tenth")


@rule("underbelly", "9.17e")
@pytest.mark.parametrize(
    ("unit", "box"), [("16 Pz", "tenth"), ("1 Pz", "fifth"), ("1 SS", "tenth")]
)
def test_the_german_dead_come_back_to_the_box_of_their_organisation(unit: str, box: str):
    match = germans(
        dead=f"{unit}, 29 PG",
        scenario=TIBER,
        plot=0,
        ss_entered=True,
        army_entered=True,
        army_aircraft=True,
    )
    do(match, "reclaim", unit)
    assert where(match, unit) == box
    assert steps(match, unit) == 1
    assert not given(match, box)  # not in this turn
    assert "reclaim" not in verbs(match)  # 29 PG is mechanised too
    assert "replenish" not in verbs(match)
    next_turn(match)
    pass_on(match, until="command", side=GERMAN)
    assert "move" in given(match, box)


@rule("underbelly", "9.17e")
def test_not_in_the_first_turn():
    assert "reclaim" in verbs(germans(turn=2))
    first = germans("16 Pz @ 2109 steps=1", turn=1, scenario=0)
    assert not {"reclaim", "replenish"} & verbs(first)
    assert refused(first, "reclaim", "15 PG").rule == "9.16a"
    assert stack(first, "2109") == {"16 Pz"}
