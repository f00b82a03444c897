"""Chapter 11: supply lines, and what becomes of units without one."""

from __future__ import annotations

from typing import Any

import pytest

from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.underbelly.drawing import (
    ALLIED,
    AWAY,
    GAME,
    GERMAN,
    LOST,
    NO_PORTS,
    Table,
    allowance,
    asked,
    at,
    attack,
    begin,
    do,
    halt,
    hexes,
    is_supplied,
    next_turn,
    order,
    seen,
    steps,
    values,
    verbs,
    where,
)

SALERNO = [at("2822"), LOST, LOST, LOST, AWAY, AWAY]
"""Only a British port is left."""
TARANTO = [LOST, LOST, at("4108"), LOST, AWAY, AWAY]
RING = "29 PG @ 3109; 26 Pz @ 3408; 15 PG @ 3411"
"""Their zones close every hex around 3309, which is inland, and not 3309 itself."""
NORTH = ("1011", "1013", "1015", "1017", "1019", "1021", "1023")
"""From here and from 1025 zones reach all of the northern row."""
MISS = 10


def state(match: Match[Table], unit: str) -> list[str]:
    return seen(match, ALLIED, unit)["status"]


def numbers(
    match: Match[Table], origin: str, target: str, *attackers: str, air: str = ""
) -> tuple[dict[str, int], dict[str, int]]:
    """What the divisions need in an attack in which nobody hits: the defenders, the attackers."""
    fork = match.fork()
    attack(fork, origin, target, *attackers, air=air)
    while "shell" in verbs(fork):
        fork.force(MISS)
        do(fork, "shell")
    side = fork.position.side
    defence = dict(fork.position.volley) if asked(fork) != side else {}
    while asked(fork) != side and "fire at" in verbs(fork):
        fork.force(MISS)
        do(fork, "fire at")
    offence = dict(fork.position.volley) if "fire at" in verbs(fork) else {}
    return _named(defence), _named(offence)


def _named(found: dict[int, int]) -> dict[str, int]:
    return {GAME.units[unit]: number for unit, number in found.items()}


def allied_attack(who: str = "46 Inf, 78 Inf", hex: str = "3309", to: str = "3409", **fields: Any):
    """What Allied attackers need against two German divisions."""
    match = begin(f"{who} @ {hex}; 16 Pz, 29 PG @ {to}", **fields)
    return numbers(match, hex, to, *who.split(", "))[1]


def allied_defence(who: str = "46 Inf, 78 Inf", hex: str = "3309", by: str = "3409", **fields: Any):
    """What Allied defenders need against two German divisions."""
    match = begin(f"{who} @ {hex}; 16 Pz, 29 PG @ {by}", GERMAN, **fields)
    return numbers(match, by, hex, "16 Pz", "29 PG")[0]


# 11.1 and 11.2: what supply is, and when it is checked


@rule("underbelly", "11.1a", "11.3a")
def test_a_unit_without_a_line_to_a_port_is_out_of_supply():
    supplied = begin("46 Inf, 78 Inf @ 3309; 16 Pz, 29 PG @ 3409")
    assert state(supplied, "46 Inf") == []
    assert allied_attack() == {"46 Inf": 5, "78 Inf": 6}
    assert allowance(begin("46 Inf @ 3309"), "3309") == 8
    cut = begin("46 Inf, 78 Inf @ 3309; 16 Pz, 29 PG @ 3409", ports=NO_PORTS)
    assert state(cut, "46 Inf") == ["out of supply"]
    assert allied_attack(ports=NO_PORTS) == {"46 Inf": 3, "78 Inf": 4}
    assert allowance(begin("46 Inf @ 3309", ports=NO_PORTS), "3309") == 4


@rule("underbelly", "11.1b")
def test_no_unit_dies_of_hunger():
    match = begin(f"46 Inf @ 3309; 78 Inf @ 2411 steps=1; {RING}; 65 Inf @ 2308", ports=NO_PORTS)
    for _ in range(3):
        next_turn(match)
    assert (steps(match, "46 Inf"), steps(match, "78 Inf")) == (2, 1)
    assert (where(match, "46 Inf"), where(match, "78 Inf")) == ("3309", "2411")
    assert state(match, "46 Inf") == ["out of supply"]


@rule("underbelly", "11.1b")
def test_units_may_march_out_of_supply():
    match = begin(f"46 Inf @ 3410; {RING}", ports=TARANTO)
    assert is_supplied(match, "46 Inf")
    order(match, "move", "3410")
    do(match, "go", hex="3309")  # into the middle of the ring
    halt(match)
    assert "out of supply" in state(match, "46 Inf")
    landed = begin("46 Inf @ 3306; 16 Pz @ 2017", ports=NO_PORTS)
    order(landed, "move", "3306")
    assert {"3307", "3308", "3309"} <= hexes(landed, "go")  # inland, where nothing feeds it


@rule("underbelly", "11.2a")
def test_the_supply_of_a_stack_holds_throughout_its_command():
    match = begin(f"46 Inf, 78 Inf @ 3309; {RING}", ports=TARANTO)
    assert not is_supplied(match, "78 Inf")
    order(match, "move", "3309", "46 Inf")
    assert match.position.moves_left == 4
    do(match, "go", hex="3410")
    # The first division has opened a line, but the command was given without one.
    assert is_supplied(match, "78 Inf")
    do(match, "take", "78 Inf")
    assert match.position.moves_left == 4
    halt(match)
    later = begin(f"46 Inf @ 3410; 78 Inf @ 3309; {RING}", ports=TARANTO)
    assert allowance(later, "3309") == 8


@rule("underbelly", "11.2b")
def test_the_defenders_supply_is_checked_when_their_battle_begins():
    counters = "46 Inf, 78 Inf @ 3309; 16 Pz, 29 PG @ 3409; 26 Pz @ 4106"
    match = begin(counters, GERMAN, ports=TARANTO)
    assert numbers(match, "3409", "3309")[0] == {"46 Inf": 5, "78 Inf": 6}
    order(match, "move", "4106")
    do(match, "go", hex="4108")  # the port falls
    halt(match)
    assert numbers(match, "3409", "3309")[0] == {"46 Inf": 4, "78 Inf": 5}
    ring = "5 Inf, 1 C @ 3308; 46 Inf @ 3109; 78 Inf @ 3408"
    for last, number in (("", 7), ("; 56 Inf @ 3411", 6)):  # Germans, with one way out or none
        german = begin(f"16 Pz @ 3309; {ring}{last}")
        assert numbers(german, "3308", "3309")[0] == {"16 Pz": number}


# 11.3: Allied lines


@rule("underbelly", "11.3a")
def test_a_line_may_be_as_long_as_the_map():
    reggio = [LOST, LOST, LOST, at("5328"), AWAY, AWAY]
    match = begin("46 Inf @ 1211; 16 Pz @ 1920", ports=reggio)
    assert is_supplied(match, "46 Inf")
    assert not is_supplied(begin("46 Inf @ 1211; 16 Pz @ 1920", ports=NO_PORTS), "46 Inf")


@rule("underbelly", "11.3b")
def test_the_ports_of_the_other_grouping_feed_badly():
    assert allied_attack("US 36, US 45", ports=SALERNO) == {"US 36": 4, "US 45": 5}
    assert allied_attack(ports=SALERNO) == {"46 Inf": 5, "78 Inf": 6}
    assert allied_attack("US 36, US 45") == {"US 36": 5, "US 45": 6}
    assert allied_defence("US 36, US 45", ports=SALERNO) == {"US 36": 5, "US 45": 6}
    for unit, moves in (("US 36", 7), ("46 Inf", 8)):
        assert allowance(begin(f"{unit} @ 3309; 16 Pz @ 2017", ports=SALERNO), "3309") == moves
    shown = begin("US 36 @ 3309; 16 Pz @ 2017", ports=SALERNO)
    assert state(shown, "US 36") == ["supplied by the other grouping"]
    paestum = [LOST, at("2921"), LOST, LOST, AWAY, AWAY]
    assert allied_attack(ports=paestum) == {"46 Inf": 4, "78 Inf": 5}
    for ports, number in ((SALERNO, 5), (paestum, 6)):  # corps support too, in the barrage
        guns = begin("US 36, US VI @ 3309; 16 Pz, 29 PG @ 3409", ports=ports)
        attack(guns, "3309", "3409")
        assert set(values(guns, "shell")) == {number}


@rule("underbelly", "11.3c")
def test_a_line_crosses_a_blocked_hexside():
    # Nothing is open around 1413 but 1313, where friends cancel the zone, over a blocked side.
    ring = "26 Pz @ 1213; 29 PG @ 1511; 15 PG @ 1514"
    match = begin(f"46 Inf @ 1413; 78 Inf @ 1313; {ring}")
    assert is_supplied(match, "78 Inf")
    assert is_supplied(match, "46 Inf")
    assert not is_supplied(begin(f"46 Inf @ 1413; {ring}"), "46 Inf")


@rule("underbelly", "11.3c")
@pytest.mark.parametrize(
    "counters",
    [
        "46 Inf @ 5019; 78 Inf @ 4918; 16 Pz @ 4919; 29 PG @ 5118",  # a lake
        "46 Inf @ 2206; 78 Inf @ 2207; 16 Pz @ 2305",  # the sea
    ],
)
def test_no_line_crosses_water(counters: str):
    match = begin(counters)
    assert is_supplied(match, "78 Inf")
    assert not is_supplied(match, "46 Inf")


@rule("underbelly", "11.3d")
def test_a_line_goes_through_no_enemy():
    # Two hexes lead to 2404; guns have no zone of control.
    both = begin("46 Inf @ 2404; XIV Pz @ 2504; LXXVI Pz @ 2405")
    assert state(both, "46 Inf") == ["coastal supply"]
    one = begin("46 Inf @ 2404; XIV Pz @ 2504")
    assert is_supplied(one, "46 Inf")


@rule("underbelly", "11.3d")
def test_a_line_goes_through_an_enemy_zone_only_where_friends_are():
    assert state(begin(f"46 Inf @ 3309; {RING}"), "46 Inf") == ["out of supply"]
    for friend in ("78 Inf", "X Corps"):
        match = begin(f"46 Inf @ 3309; {friend} @ 3410; {RING}")
        assert is_supplied(match, "46 Inf")


@rule("underbelly", "11.3e")
def test_a_port_excuses_from_the_other_groupings_supply():
    found = allied_attack("US 36, US 45", "2822", "2821", ports=SALERNO)
    assert found == {"US 36": 4, "US 45": 5}  # the mountain costs one
    assert allowance(begin("US 36 @ 2822; 16 Pz @ 2017", ports=SALERNO), "2822") == 8


@rule("underbelly", "11.3e")
def test_the_multi_national_corps_is_excused_and_other_mixed_stacks_pay_twice():
    counters = "US 36, US 45, 46 Inf @ 3309; 16 Pz, 29 PG @ 3409"
    match = begin(counters, ports=SALERNO)
    assert numbers(match, "3309", "3409", "US 36", "US 45")[1] == {"US 36": 3, "US 45": 4}
    do(match, "name corps", hex="3309")
    assert numbers(match, "3309", "3409")[1] == {"US 36": 5, "US 45": 6, "46 Inf": 5}
    march = begin("US 36, 46 Inf @ 3309; 16 Pz @ 2017", ports=SALERNO)
    assert allowance(march, "3309", "US 36") == 6
    assert allowance(march, "3309", "46 Inf") == 7
    do(march, "name corps", hex="3309")
    assert allowance(march, "3309", "US 36") == 8


# 11.4: German lines


def fence(last: str) -> str:
    """Allied divisions whose zones close the northern row up to 1024, and one more unit."""
    names = ("US 45", "US 3", "US 34", "1 C", "5 Inf", "56 Inf", "8 I")
    return "; ".join([*(f"{unit} @ {hex}" for unit, hex in zip(names, NORTH)), last])


@rule("underbelly", "11.4a")
def test_german_lines_run_to_the_northern_row():
    assert is_supplied(begin("46 Inf @ 2822; 16 Pz @ 4815"), "16 Pz")
    # Where a German stands, the zone is no hindrance: he is a source for all.
    closed = begin(f"16 Pz @ 2017; {fence('7 Arm @ 1025')}")
    assert state(closed, "16 Pz") == ["out of supply"]
    held = begin(f"16 Pz @ 2017; XIV Pz @ 1012; {fence('7 Arm @ 1025')}")
    assert is_supplied(held, "XIV Pz")
    open_end = begin(f"16 Pz @ 2017; {fence('7 Arm @ 2822')}")
    assert is_supplied(open_end, "16 Pz")


@rule("underbelly", "11.4a")
def test_german_lines_obey_the_same_rules():
    ring = "46 Inf @ 3109; 78 Inf @ 3408; 56 Inf @ 3411"
    assert state(begin(f"16 Pz @ 3309; {ring}"), "16 Pz") == ["out of supply"]
    assert is_supplied(begin(f"16 Pz @ 3309; XIV Pz @ 3308; {ring}"), "16 Pz")
    lake = begin("16 Pz @ 5019; 29 PG @ 4918; 46 Inf @ 4919; 78 Inf @ 5118")
    assert is_supplied(lake, "29 PG")
    assert not is_supplied(lake, "16 Pz")


@rule("underbelly", "11.4b")
def test_a_hex_that_the_allies_leave_is_a_source_again():
    match = begin(f"16 Pz @ 2017; {fence('US VI @ 1025')}")  # guns have no zone
    assert state(match, "16 Pz") == ["out of supply"]
    order(match, "move", "1025")
    do(match, "go", hex="1125")
    halt(match)
    assert is_supplied(match, "16 Pz")


@rule("underbelly", "11.4b")
def test_germans_have_no_supply_from_the_sea_or_the_air():
    match = begin("16 Pz @ 1908; 46 Inf @ 1810; 78 Inf @ 2108", GERMAN, airlift=at("1908"))
    assert state(match, "16 Pz") == ["out of supply"]
    assert "airlift" not in verbs(match)


# 11.5: out of supply


@rule("underbelly", "11.5a")
def test_guns_out_of_supply_are_silent():
    counters = "46 Inf, 78 Inf, X Corps @ 3309; 16 Pz, 29 PG @ 3409"
    for ports, fires in ((NO_PORTS, False), (TARANTO, True)):
        match = begin(counters, ports=ports)
        attack(match, "3309", "3409")
        assert ("shell" in verbs(match)) == fires
        defence = numbers(begin(counters, GERMAN, ports=ports), "3409", "3309")[0]
        assert ("X Corps" in defence) == fires


@rule("underbelly", "11.5b")
def test_divisions_out_of_supply_hit_less():
    assert allied_attack(ports=NO_PORTS) == {"46 Inf": 3, "78 Inf": 4}
    assert allied_defence(ports=NO_PORTS) == {"46 Inf": 4, "78 Inf": 5}
    around = "1 C @ 3508; 56 Inf @ 3511; 5 Inf @ 3610; 8 I @ 3307"
    pocket = f"16 Pz, 29 PG @ 3409; 46 Inf, 78 Inf @ 3309; {around}"
    assert numbers(begin(pocket), "3309", "3409")[0] == {"16 Pz": 6, "29 PG": 5}
    assert numbers(begin(pocket, GERMAN), "3409", "3309")[1] == {"16 Pz": 5, "29 PG": 4}
    free = "16 Pz, 29 PG @ 3409; 46 Inf, 78 Inf @ 3309"
    assert numbers(begin(free), "3309", "3409")[0] == {"16 Pz": 7, "29 PG": 6}
    assert numbers(begin(free, GERMAN), "3409", "3309")[1] == {"16 Pz": 7, "29 PG": 6}


@rule("underbelly", "11.5c")
def test_units_out_of_supply_move_half():
    for unit, moves in (("46 Inf", 4), ("FX Mtn", 2)):
        assert allowance(begin(f"{unit} @ 3309; {RING}"), "3309") == moves
    ring = "46 Inf @ 3109; 78 Inf @ 3408; 56 Inf @ 3411"
    for die, moves in ((10, 4), (7, 3), (5, 2), (2, 1)):
        match = begin(f"XIV Pz, 65 Inf @ 3309; {ring}", GERMAN)
        assert allowance(match, "3309", "XIV Pz", die=die) == moves
    panzers = begin(f"16 Pz @ 3309; {ring}", GERMAN)
    assert allowance(panzers, "3309") == 4


# 11.6: coastal supply

BARI = {"hex": "3306", "ports": NO_PORTS}
"""By the sea, and 3307 beside it is not."""


@rule("underbelly", "11.6a")
def test_allied_units_by_the_sea_are_fed_from_it():
    match = begin("46 Inf @ 3306; 78 Inf @ 3307; 16 Pz @ 2017", ports=NO_PORTS)
    assert state(match, "46 Inf") == ["coastal supply"]
    assert state(match, "78 Inf") == ["out of supply"]


@rule("underbelly", "11.6b")
def test_coastal_supply_is_enough_for_defence():
    assert allied_attack(to="3307", **BARI) == {"46 Inf": 4, "78 Inf": 5}
    assert allied_defence(by="3307", **BARI) == {"46 Inf": 6, "78 Inf": 7}  # ships help
    assert allowance(begin("46 Inf @ 3306; 16 Pz @ 2017", ports=NO_PORTS), "3306") == 4


@rule("underbelly", "11.6c")
def test_who_has_an_overland_line_uses_it():
    assert allied_attack(to="3307", hex="3306") == {"46 Inf": 5, "78 Inf": 6}
    match = begin("46 Inf @ 3306; 16 Pz @ 2017")
    assert state(match, "46 Inf") == []
    assert allowance(match, "3306") == 8


@rule("underbelly", "11.6d")
def test_guns_by_the_sea_fire():
    counters = "46 Inf, X Corps @ 3306; 16 Pz, 29 PG @ 3307"
    match = begin(counters, ports=NO_PORTS)
    attack(match, "3306", "3307")
    assert set(values(match, "shell")) == {5}
    defence = numbers(begin(counters, GERMAN, ports=NO_PORTS), "3307", "3306")[0]
    assert defence["X Corps"] == 6
