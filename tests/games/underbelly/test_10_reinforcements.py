"""Chapter 10: reinforcements, and the Allied units that are withdrawn."""

from __future__ import annotations

from typing import Any

import pytest

from apennine.games.underbelly.table.position import GONE
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.underbelly.drawing import (
    ALLIED,
    AWAY,
    GAME,
    GERMAN,
    HISTORICAL,
    LOST,
    NO_PORTS,
    NOWHERE,
    TIBER,
    WAR,
    Table,
    asked,
    at,
    begin,
    codes,
    do,
    events,
    halt,
    hexes,
    named,
    number,
    order,
    pass_on,
    refused,
    stack,
    table,
    verbs,
    where,
)

FRONT = "46 Inf @ 2822; US 36 @ 2921; 16 Pz @ 2017"
ROW = codes(WAR.north)


def came(match: Match[Table]) -> set[str]:
    return {GAME.units[event.unit] for event in events(match, "arrives")}


def germans(counters: str, **fields: Any) -> Match[Table]:
    return begin(f"{FRONT}; {counters}", GERMAN, **fields)


# 10.2: Germans from the north


@rule("underbelly", "10.2a")
def test_german_reinforcements_come_to_their_box_for_nothing():
    match = begin(FRONT, GERMAN, "arrivals", turn=5)
    assert came(match) == {"2 Para"}
    assert where(match, "2 Para") == "tenth"
    assert match.position.points == 6
    assert place(match, "76 Inf") == AWAY  # it is due later
    assert begin(FRONT, GERMAN, "arrivals", turn=6).position.hex[number("2 Para")] == AWAY


def place(match: Match[Table], unit: str) -> int:
    return match.position.hex[number(unit)]


@rule("underbelly", "10.2a")
@pytest.mark.parametrize("verb", ["move", "column", "move-fight"])
def test_they_enter_by_any_hex_of_the_northern_row(verb: str):
    match = germans("15 PG @ tenth")
    order(match, verb, "tenth")
    assert hexes(match, "enter") == ROW
    assert len(ROW) == 16
    assert refused(match, "enter", hex="1112").rule == "10.2a"
    do(match, "enter", hex="1021")
    assert where(match, "15 PG") == "1021"
    assert "attack" not in {o.verb for o in match.decision.options if o.hex == at("tenth")}


@rule("underbelly", "10.2a")
def test_a_road_that_leads_in_is_used_by_those_who_enter():
    match = germans("15 PG @ tenth")
    order(match, "move", "tenth")
    do(match, "enter", hex="1014")
    assert match.position.moves_left == 7
    do(match, "go", hex="1113")
    assert match.position.moves_left == 6


@rule("underbelly", "10.2b")
def test_the_first_hex_is_paid_for():
    for hex, left in (("1012", 7), ("1013", 5)):
        match = germans("15 PG @ tenth")
        order(match, "move", "tenth")
        do(match, "enter", hex=hex)
        assert match.position.moves_left == left
    foot = germans("76 Inf @ tenth")
    order(foot, "move", "tenth")
    do(foot, "enter", hex="1013")
    assert foot.position.moves_left == 2
    slow = germans("11 Flak @ tenth")
    slow.force(2)
    order(slow, "move", "tenth")  # the mountains cost three
    assert hexes(slow, "enter") == codes(WAR.north & ~WAR.terrain["mountain"]) | {"1014", "1017"}


@rule("underbelly", "10.2b")
def test_entering_an_enemy_zone_ends_the_move():
    match = germans("15 PG @ tenth; US 3 @ 1111")
    order(match, "move", "tenth")
    assert {"1011", "1012"} <= hexes(match, "enter")
    do(match, "enter", hex="1012")
    assert where(match, "15 PG") == "1012"
    assert match.position.movers == 0
    assert "go" not in verbs(match)
    occupied = germans("15 PG @ tenth; US 3 @ 1012")
    order(occupied, "move", "tenth")
    assert "1012" not in hexes(occupied, "enter")
    free = germans("15 PG @ tenth")
    order(free, "move", "tenth")
    do(free, "enter", hex="1012")
    assert "go" in verbs(free)


@rule("underbelly", "10.2c")
def test_units_enter_as_a_stack_or_one_by_one():
    counters = "15 PG, 26 Pz, 29 PG, XIV Pz, 3 PG @ tenth"
    together = germans(counters)
    together.force(8)
    order(together, "move", "tenth", "15 PG", "26 Pz", "29 PG", "XIV Pz")
    assert "take along" not in verbs(together)  # no more than a stack
    do(together, "enter", hex="1012")
    halt(together)
    assert together.position.points == 5
    assert stack(together, "1012") == {"15 PG", "26 Pz", "29 PG", "XIV Pz"}
    alone = germans(counters)
    for points, unit in enumerate(("15 PG", "26 Pz", "29 PG"), 1):
        order(alone, "move", "tenth", unit)
        do(alone, "enter", hex="1012")
        halt(alone)
        assert alone.position.points == 6 - points
    assert stack(alone, "tenth") == {"XIV Pz", "3 PG"}


@rule("underbelly", "10.2d")
def test_who_enters_is_in_supply_and_in_no_zone():
    # Allied divisions hold the row or reach all of it: on the map nobody has supply.
    allies = zip(
        ("US 45", "US 3", "US 34", "1 C", "5 Inf", "56 Inf", "8 I", "7 Arm"),
        ("1011", "1013", "1015", "1017", "1019", "1021", "1023", "1025"),
    )
    ring = "; ".join(f"{unit} @ {hex}" for unit, hex in allies)
    match = germans(f"15 PG, 26 Pz @ tenth; {ring}")
    assert "2017" not in hexes(match, "column") | hexes(match, "move-fight")
    for verb, moves in (("move", 8), ("column", 16), ("move-fight", 8)):
        assert "tenth" in hexes(match, verb)
        fork = match.fork()
        order(fork, verb, "tenth", "15 PG")
        assert fork.position.moves_left == moves


# 10.3: Allies from the sea


@rule("underbelly", "10.3a")
def test_allied_reinforcements_wait_in_the_box_and_land_in_a_port():
    match = begin(FRONT, ALLIED, "arrivals", turn=7)
    assert came(match) == {"US 34", "78 Inf", "V Corps"}
    assert stack(match, "available") == {"US 34", "78 Inf", "V Corps"}
    do(match, "no air")
    assert match.position.points == 7
    order(match, "move", "available", "US 34")
    assert hexes(match, "come ashore") == {"2822", "2921", "4108", "5328"}
    assert refused(match, "come ashore", hex="3306").rule == "12.6b"
    do(match, "come ashore", hex="2822")
    assert where(match, "US 34") == "2822"
    halt(match)
    assert match.position.points == 6
    assert "available" not in hexes(match, "attack")


@rule("underbelly", "10.3a")
def test_without_a_port_nobody_lands():
    match = begin(f"{FRONT}; US 34 @ available", ports=NO_PORTS)
    assert "available" not in hexes(match, "move")


@rule("underbelly", "10.3b")
@pytest.mark.parametrize(("unit", "left"), [("US 34", 4), ("FX Mtn", 2)])
def test_landing_takes_half_the_movement_factor(unit: str, left: int):
    match = begin(f"{FRONT}; {unit} @ available")
    order(match, "move", "available")
    do(match, "come ashore", hex="4108")
    assert match.position.moves_left == left
    assert "go" in verbs(match)


@rule("underbelly", "10.3b")
def test_landing_in_an_enemy_zone_ends_the_move():
    match = begin(f"{FRONT}; US 34 @ available; 26 Pz @ 5327")  # whose zone spares 5429
    order(match, "move", "available")
    do(match, "come ashore", hex="5328")
    assert where(match, "US 34") == "5328"
    assert match.position.movers == 0
    assert match.position.order == 0


@rule("underbelly", "10.3c")
def test_those_who_land_use_no_road():
    match = begin(f"{FRONT}; 7 Arm @ available; 78 Inf @ 5328")
    order(match, "move", "available")
    do(match, "come ashore", hex="5328")
    # Mountains all around: three points each of the four that are left.
    assert hexes(match, "go") == {"5327", "5428", "5429"}
    settled = begin(f"{FRONT}; 78 Inf @ 5328")
    order(settled, "move", "5328")
    assert "5326" in hexes(settled, "go")
    do(settled, "go", hex="5327")
    assert settled.position.moves_left == 7


@rule("underbelly", "10.3c")
def test_those_who_land_do_not_go_in_column():
    match = begin(f"{FRONT}; 7 Arm @ available; 78 Inf @ 5328")
    assert hexes(match, "column") == {"2822", "2921", "5328"}
    assert refused(match, "column", hex="available").rule == "10.3c"


# 10.4: withdrawals


def leaving(turn: int, counters: str, **fields: Any) -> Match[Table]:
    """The Allied reinforcement phase of a turn with withdrawals."""
    given = {"turn": turn, "switched": True, "points": 0}
    return begin(f"{FRONT}; {counters}", ALLIED, "arrivals", **given | fields)


def withdrawn(match: Match[Table]) -> list[str]:
    return [GAME.units[event.unit] for event in events(match, "is withdrawn")]


@rule("underbelly", "10.4a")
@pytest.mark.parametrize(("turn", "unit"), [(19, "7 Arm"), (20, "82 Abn"), (21, "1 Abn")])
def test_the_record_sheet_calls_units_home(turn: int, unit: str):
    dropped = {"dropped": 12} if unit == "82 Abn" else {}
    match = leaving(turn, f"{unit} @ 2721", **dropped)
    assert withdrawn(match) == [unit]
    assert place(match, unit) == GONE
    assert match.position.points == 7
    for other in (turn - 1, turn + 1):
        assert unit not in withdrawn(leaving(other, f"{unit} @ 2721", **dropped))


@rule("underbelly", "10.4a")
def test_withdrawal_comes_before_the_arrivals_and_is_for_good():
    match = leaving(20, "82 Abn @ 2721", dropped=12)
    told = [e.verb for e in match.log if getattr(e, "verb", "") in ("is withdrawn", "arrives")]
    assert told == ["is withdrawn", "arrives"]
    pass_on(match, until="command", side=GERMAN)
    pass_on(match, until="command", side=ALLIED)
    assert match.position.turn == 21
    assert place(match, "82 Abn") == GONE
    assert "82 Abn" not in named(match, "reclaim")


POCKETS = """
    29 PG @ 3109; 26 Pz @ 3408; 15 PG @ 3411    # around 3309, inland
    3 PG @ 1810; 2 Para @ 2108                  # around 1908, by the sea
    76 Inf @ 2211; 65 Inf @ 2509; 94 Inf @ 2512 # around 2411, inland
    305 Inf @ 2505                              # around 2404, by the sea
"""


def in_trouble(trouble: str) -> Table:
    """7th Armoured cannot leave; other British units are all over the place."""
    seat = {"out of supply": "3309", "coastal": "1908", "aerial": "3309", "dead": "2423"}[trouble]
    others = "56 Inf, 8 I @ 2721; US 3 @ 2622; 5 Inf @ available; 78 Inf @ 2411; 1 C @ 2404"
    pos = table(
        f"{FRONT}; 7 Arm @ {seat}; {others}; {POCKETS}",
        ALLIED,
        "arrivals",
        turn=19,
        airlift=at("3309") if trouble == "aerial" else NOWHERE,
    )
    if trouble == "dead":
        pos.tops &= ~(1 << number("7 Arm"))
        pos.hex[number("7 Arm")], pos.steps[number("7 Arm")] = LOST, 0
    return pos


@rule("underbelly", "10.4b")
@pytest.mark.parametrize("trouble", ["out of supply", "coastal", "aerial", "dead"])
def test_for_a_unit_that_cannot_leave_the_german_names_another(trouble: str):
    match = Match(GAME, position=in_trouble(trouble), seed=1)
    assert withdrawn(match) == []
    assert asked(match) == GERMAN
    # Of the same grouping, on the map, in overland supply, and on top of its stack.
    assert named(match, "withdraw") == {"46 Inf", "56 Inf"}
    hidden = ("5 Inf", "8 I")
    for other in ("US 3", "78 Inf", "1 C", *hidden):
        assert refused(match, "withdraw", other).rule == ("6.9b" if other in hidden else "10.4b")
    do(match, "withdraw", "56 Inf")
    assert place(match, "56 Inf") == GONE
    assert place(match, "7 Arm") != GONE
    assert match.position.phase == "orders"


@rule("underbelly", "10.4c")
def test_its_strength_does_not_matter():
    match = leaving(19, "7 Arm @ 2721 steps=1")
    assert withdrawn(match) == ["7 Arm"]
    pos = in_trouble("dead")
    pos.steps[number("56 Inf")] = 1
    substitute = Match(GAME, position=pos, seed=1)
    assert "56 Inf" in named(substitute, "withdraw")


@rule("underbelly", "10.4d")
@pytest.mark.parametrize("scenario", [HISTORICAL, TIBER])
def test_nobody_is_withdrawn_in_watch_on_the_tiber(scenario: int):
    plot = 0 if scenario == TIBER else -1
    match = leaving(19, "7 Arm @ 2721", scenario=scenario, plot=plot)
    assert withdrawn(match) == (["7 Arm"] if scenario == HISTORICAL else [])
    assert (where(match, "7 Arm") == "2721") == (scenario == TIBER)


@rule("underbelly", "10.4e")
def test_a_unit_in_the_box_is_withdrawn_from_there():
    match = leaving(19, "7 Arm @ available")
    assert withdrawn(match) == ["7 Arm"]
    assert place(match, "7 Arm") == GONE


@rule("underbelly", "10.4e")
def test_without_a_substitute_nobody_leaves():
    pos = in_trouble("dead")
    for unit in ("46 Inf", "56 Inf"):
        pos.tops &= ~(1 << number(unit))
        pos.hex[number(unit)] = at("available")
    match = Match(GAME, position=pos, seed=1)
    assert withdrawn(match) == []
    assert match.position.phase == "orders"
    assert where(match, "56 Inf") == "available"


@rule("underbelly", "10.4e")
def test_a_unit_that_left_for_another_is_itself_replaced_when_its_turn_comes():
    pos = table(f"{FRONT}; 78 Inf @ 4108", ALLIED, "arrivals", turn=21, switched=True)
    pos.hex[number("1 Abn")] = GONE
    match = Match(GAME, position=pos, seed=1)
    assert asked(match) == GERMAN
    assert named(match, "withdraw") == {"46 Inf", "78 Inf"}
    do(match, "withdraw", "78 Inf")
    assert place(match, "78 Inf") == GONE


# 10.5


@rule("underbelly", "10.5")
@pytest.mark.parametrize("scenario", [HISTORICAL, TIBER])
def test_no_german_leaves_the_map_without_an_end_run(scenario: int):
    plot = 0 if scenario == TIBER else -1
    match = germans("15 PG @ 1012", scenario=scenario, plot=plot)
    for verb in ("move", "column", "move-fight"):
        fork = match.fork()
        order(fork, verb, "1012")
        assert verbs(fork) == {"go", "halt"}
        assert refused(fork, "exit", hex="1012").rule == "10.5"


@rule("underbelly", "10.5")
def test_no_allied_unit_goes_back_to_the_box():
    match = begin(f"{FRONT}; US 3 @ 2822")
    order(match, "move", "2822", "US 3")
    boxes = {"available", "tenth", "fifth", "end-run"}
    assert not boxes & (hexes(match, "go") | hexes(match, "sail"))
    assert verbs(match) == {"go", "sail", "take along", "halt"}
