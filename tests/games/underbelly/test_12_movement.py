"""Chapter 12: movement by land and from port to port."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.underbelly.drawing import (
    ALLIED,
    GAME,
    GERMAN,
    LOST,
    NO_PORTS,
    WAR,
    Table,
    allowance,
    at,
    begin,
    codes,
    do,
    events,
    given,
    halt,
    hexes,
    next_turn,
    order,
    pass_on,
    preview,
    price,
    reach,
    refused,
    stack,
    table,
    verbs,
    where,
)

FAR = "46 Inf @ 2822; US 36 @ 2921"
SPARE = "44 Inf @ 1012"


def germans(counters: str, **fields: Any) -> Match[Table]:
    """A German command phase; 44 Inf in the north has nothing to do with it."""
    return begin(f"{FAR}; {SPARE}; {counters}", GERMAN, **fields)


def allies(counters: str, **fields: Any) -> Match[Table]:
    return begin(f"{FAR}; {counters}", **fields)


def way(match: Match[Table], to: str) -> list[str]:
    """The hexes that those who move now would go through."""
    path = preview(match, "go", hex=to).path
    return [GAME.board.code(hex) for hex in path]


# 12.1, 12.2: points


@rule("underbelly", "12.1a")
def test_a_unit_moves_hex_by_hex_as_far_as_its_points_go():
    match = germans("76 Inf @ 3409")
    assert allowance(match, "3409") == 4
    found = reach(match, "3409")
    assert {"3509", "3609", "3709", "3809"} <= found
    assert "3909" not in found
    assert max(WAR.lattice.distance(at("3409"), at(hex)) for hex in found) == 4
    assert price(match, "3409", "3509") == 1
    order(match, "move", "3409")
    assert refused(match, "go", hex="3909").rule == "12.1a"
    path = way(match, "3809")
    assert all(WAR.lattice.distance(at(a), at(b)) == 1 for a, b in pairwise(path))
    do(match, "go", hex="3809")
    assert match.position.movers == 0


@rule("underbelly", "12.1a")
def test_nobody_jumps_over_the_enemy():
    ring = "X Corps @ 3508; XIII Corps @ 3509; V Corps @ 3408; US VI @ 3410; US II @ 3308"
    match = germans(f"76 Inf @ 3409; 5 Inf @ 3309; {ring}")
    order(match, "move", "3409")
    assert "go" not in verbs(match)


@rule("underbelly", "12.1b")
def test_losses_do_not_slow_a_unit_down():
    for steps in (1, 2):
        assert allowance(germans(f"16 Pz @ 3409 steps={steps}"), "3409") == 8
        assert allowance(germans(f"76 Inf @ 3409 steps={steps}"), "3409") == 4


@rule("underbelly", "12.1b")
def test_points_are_neither_lent_nor_saved():
    match = germans("76 Inf, 16 Pz @ 3409")
    order(match, "move", "3409", "76 Inf")
    do(match, "go", hex="3509")
    do(match, "halt")  # three of its points are left
    do(match, "take", "16 Pz")
    assert match.position.moves_left == 8
    do(match, "go", hex="3510")
    do(match, "halt")
    next_turn(match)
    pass_on(match, until="command", side=GERMAN)
    assert allowance(match, "3509") == 4
    assert allowance(match, "3510") == 8
    together = germans("76 Inf, 16 Pz @ 3409")
    for first, second in (("76 Inf", "16 Pz"), ("16 Pz", "76 Inf")):
        assert allowance(together, "3409", first, second) == 4  # nobody lends points to another


COSTS = {
    "clear": ("3409", "3509", {"5 Mtn": 1, "76 Inf": 1, "16 Pz": 1}),
    "mountain": ("3111", "3112", {"5 Mtn": 1, "76 Inf": 2, "16 Pz": 3}),
    "marsh": ("2808", "2807", {"5 Mtn": 2, "76 Inf": 2, "16 Pz": 3}),
    "river": ("2608", "2708", {"5 Mtn": 1, "76 Inf": 2, "16 Pz": 2}),
    "mountain over a river": ("3311", "3312", {"5 Mtn": 1, "76 Inf": 3, "16 Pz": 4}),
}


@rule("underbelly", "12.2")
@pytest.mark.parametrize("ground", COSTS)
def test_what_a_hex_costs(ground: str):
    start, to, costs = COSTS[ground]
    for unit, cost in costs.items():
        assert price(germans(f"{unit} @ {start}"), start, to) == cost


# 12.3: where nobody goes


@rule("underbelly", "12.3a")
@pytest.mark.parametrize("enemy", ["5 Inf", "XIII Corps"])
def test_no_unit_enters_an_enemy_hex(enemy: str):
    match = germans(f"16 Pz @ 3409; {enemy} @ 3509")
    assert "3509" not in reach(match, "3409")
    order(match, "move", "3409")
    assert refused(match, "go", hex="3509").rule == "12.3a"
    allied = allies("5 Inf @ 3409; XIV Pz @ 3509")
    assert "3509" not in reach(allied, "3409")


@rule("underbelly", "12.3a")
def test_germans_run_over_a_port_that_nobody_guards_and_go_on():
    match = germans("16 Pz @ 4006")
    order(match, "move", "4006")
    do(match, "go", hex="4108")
    assert at("4108") not in match.position.ports
    assert match.position.ports[WAR.port_names.index("Taranto")] == LOST
    assert [event.hex for event in events(match, "port is lost")] == [at("4108")]
    assert "go" in verbs(match)
    do(match, "go", hex="4207")
    assert where(match, "16 Pz") == "4207"
    guarded = germans("16 Pz @ 4006; 1 Abn @ 4108")
    assert "4108" not in reach(guarded, "4006")


@rule("underbelly", "12.3b")
@pytest.mark.parametrize(("one", "other"), [("2206", "2207"), ("4918", "5019"), ("2305", "2405")])
def test_no_unit_crosses_a_lake(one: str, other: str):
    match = germans(f"1 Para @ {one}")
    assert WAR.lattice.distance(at(one), at(other)) == 1
    order(match, "move", one)
    if other in hexes(match, "go"):
        assert len(way(match, other)) > 2


@rule("underbelly", "12.3b")
def test_no_unit_crosses_the_sea():
    # Over the gulf it is four hexes from 4008 to 4012, by land more.
    match = germans("76 Inf @ 4008")
    assert WAR.lattice.distance(at("4008"), at("4012")) == 4
    found = reach(match, "4008")
    assert "4108" in found
    assert "4012" not in found
    assert found <= codes(WAR.land)
    order(match, "move", "4008")
    assert refused(match, "go", hex="4010").rule == "12.3b"


# 12.4: stacks


@rule("underbelly", "12.4")
def test_each_unit_of_a_stack_goes_at_its_own_price_or_all_at_the_dearest():
    match = germans("16 Pz, 5 Mtn @ 3111")
    assert price(match, "3111", "3112", "5 Mtn") == 1
    assert price(match, "3111", "3112", "16 Pz") == 3
    assert price(match, "3111", "3112", "5 Mtn", "16 Pz") == 3
    assert allowance(match, "3111", "5 Mtn", "16 Pz") == 4  # the slower one sets the pace
    assert allowance(match, "3111", "16 Pz", "5 Mtn") == 4
    order(match, "move", "3111", "16 Pz")
    do(match, "go", hex="3112")
    do(match, "halt")
    do(match, "take", "5 Mtn")
    do(match, "go", hex="3112")
    assert match.position.moves_left == 3
    assert stack(match, "3112") == {"16 Pz", "5 Mtn"}


# 12.5, 12.6: by sea


@rule("underbelly", "12.5a")
def test_ships_take_a_force_from_port_to_port_whatever_the_zones():
    match = allies("56 Inf @ 2822; 16 Pz @ 2821; 29 PG @ 4107; 1 Abn @ 4008")
    order(match, "move", "2822", "46 Inf", "56 Inf")
    assert hexes(match, "sail") == {"2921", "4108", "5328"}
    do(match, "sail", hex="4108")
    assert stack(match, "4108") == {"46 Inf", "56 Inf"}
    inland = allies("5 Inf @ 2919")
    order(inland, "move", "2919")
    assert "sail" not in verbs(inland)
    assert refused(inland, "sail", hex="4108").rule == "12.5a"
    column = allies("5 Inf @ 4108")
    order(column, "column", "4108")
    assert "sail" not in verbs(column)


@rule("underbelly", "12.5a")
def test_only_ports_with_a_marker_count():
    ports = list(begin(FAR).position.ports)
    ports[WAR.port_names.index("Reggio")] = LOST
    match = allies("5 Inf @ 4108", ports=ports)
    order(match, "move", "4108")
    assert hexes(match, "sail") == {"2822", "2921"}
    assert refused(match, "sail", hex="5328").rule == "12.5a"
    for place in ("5328", "4008"):  # a port without a marker, and a coast without a port
        ashore = allies(f"5 Inf @ {place}", ports=ports)
        order(ashore, "move", place)
        assert "go" in verbs(ashore)
        assert "sail" not in verbs(ashore)


@rule("underbelly", "12.5b")
def test_the_port_of_arrival_needs_room_and_the_move_is_over():
    match = allies("5 Inf @ 5328; 78 Inf, 8 I, 1 C @ 4108")
    order(match, "move", "5328")
    assert hexes(match, "sail") == {"2822", "2921"}
    assert refused(match, "sail", hex="4108").rule == "12.5b"
    do(match, "sail", hex="2921")
    assert match.position.movers == 0
    assert "go" not in verbs(match)
    moved = allies("5 Inf @ 5328")
    order(moved, "move", "5328")
    do(moved, "go", hex="5327")
    assert "sail" not in verbs(moved)  # the whole allowance it would take


@rule("underbelly", "12.5b")
def test_germans_do_not_sail():
    # Germans in a port have destroyed its marker; even if they had not they would stay.
    pos = table(f"{FAR}; {SPARE}; 16 Pz @ 4108; 29 PG @ 4107", GERMAN, ports=NO_PORTS)
    pos.ports = table(FAR).ports
    match = Match(GAME, position=pos, seed=1)
    order(match, "move", "4108")
    assert "sail" not in verbs(match)
    assert refused(match, "sail", hex="2822").rule == "12.5a"


@rule("underbelly", "12.6a")
def test_coming_ashore_takes_half_the_allowance_and_leaves_the_rest():
    match = allies("US 45, 1 Abn @ available")
    assert "column" not in given(match, "available")
    order(match, "move", "available", "US 45")
    do(match, "come ashore", hex="2921")
    assert match.position.moves_left == 4
    do(match, "go", hex="2919")
    assert where(match, "US 45") == "2919"
    halt(match)
    slow = allies("1 Abn @ available")
    order(slow, "move", "available")
    do(slow, "come ashore", hex="4108")
    assert slow.position.moves_left == 2


@rule("underbelly", "12.6b")
def test_ports_are_the_only_way_in():
    match = allies("US 45 @ available; 1 Abn @ 4008")
    order(match, "move", "available")
    assert hexes(match, "come ashore") == {"2822", "2921", "4108", "5328"}
    assert refused(match, "come ashore", hex="2522").rule == "12.6b"
    assert not {"go", "enter"} & verbs(match)
    shut = allies("US 45 @ available; 1 Abn @ 4008", ports=NO_PORTS, switched=True)
    assert not given(shut, "available")
    assert refused(shut, "move", hex="available").rule == "12.6b"


@rule("underbelly", "12.6c")
def test_who_lands_in_an_enemy_zone_stops_there():
    match = allies("US 45 @ available; 16 Pz @ 2920")
    order(match, "move", "available")
    assert "2921" in hexes(match, "come ashore")
    do(match, "come ashore", hex="2921")
    assert where(match, "US 45") == "2921"
    assert match.position.movers == 0
    assert "go" not in verbs(match)


# 12.7: in column


@rule("underbelly", "12.7a")
def test_a_column_doubles_the_factor():
    for unit, factor in (("16 Pz", 8), ("76 Inf", 4), ("5 Mtn", 4)):
        match = germans(f"{unit} @ 3409")
        assert allowance(match, "3409") == factor
        assert allowance(match, "3409", verb="column") == 2 * factor


@rule("underbelly", "12.7a")
def test_a_column_starts_in_supply_and_out_of_enemy_zones():
    zoned = germans("16 Pz, 29 PG @ 3209; 26 Pz @ 3109; 5 Inf @ 3309")
    assert "column" in given(zoned, "3109")
    assert "column" not in given(zoned, "3209")  # friends do not help
    assert refused(zoned, "column", hex="3209").rule == "12.7a"
    cut = germans("16 Pz @ 4704; 1 C @ 4405")
    assert given(cut, "4704") == {"move"}
    assert refused(cut, "column", hex="4704").rule == "12.7a"
    # Allied units behind 26 Pz in the heel live by the sea, or by nothing.
    heel = allies("5 Inf @ 4704; 1 C @ 4804; 26 Pz @ 4405")
    assert given(heel, "4704") == given(heel, "4804") == {"move"}


@rule("underbelly", "12.7b")
def test_a_column_keeps_out_of_enemy_zones_even_at_its_end():
    match = germans("76 Inf @ 3009; 5 Inf @ 3309")
    zone = {"3209", "3210", "3308", "3310", "3409", "3410"}
    assert {"3209", "3210"} <= reach(match, "3009")
    column = reach(match, "3009", verb="column")
    assert not zone & column
    assert {"3208", "3211", "3408", "3411"} & column
    order(match, "column", "3009")
    assert refused(match, "go", hex="3209").rule == "12.7b"
    for hex in hexes(match, "go"):
        assert not zone & set(way(match, hex))
    # Nor does it enter the map there, as a regular move may.
    for verb, may in (("move", True), ("column", False)):
        entering = germans("16 Pz @ tenth; 5 Inf @ 1117")
        order(entering, verb, "tenth")
        assert ("1017" in hexes(entering, "enter")) is may
        assert "1014" in hexes(entering, "enter")


@rule("underbelly", "12.7c")
@pytest.mark.parametrize("side", [ALLIED, GERMAN])
def test_columns_are_for_both_sides_as_often_as_they_like_at_the_price_of_a_move(side: int):
    counters = "5 Inf @ 3409; 1 C @ 3410; 16 Pz @ 2109; 29 PG @ 2110"
    match = begin(f"{FAR}; {SPARE}; {counters}", side)
    first, second = ("3409", "3410") if side == ALLIED else ("2109", "2110")
    points = match.position.points
    for count, hex in enumerate((first, second), 1):
        order(match, "column", hex)
        assert match.position.moves_left == 16
        halt(match)
        assert match.position.points == points - count


@rule("underbelly", "12.7c")
def test_a_column_goes_through_any_terrain_but_over_blocked_sides_as_ever():
    assert price_in_column("16 Pz", "3111", "3112") == 3
    assert price_in_column("16 Pz", "2808", "2807") == 3
    # 4017 can only be entered over blocked sides here.
    shut = "X Corps @ 4117; XIII Corps @ 4018"
    assert "4017" not in reach(germans(f"76 Inf @ 4016; {shut}"), "4016", verb="column")
    match = germans(f"5 Mtn @ 4016; {shut}")
    order(match, "column", "4016")
    do(match, "go", hex="4017")
    assert match.position.movers == 0  # all eight points
    far = germans(f"5 Mtn @ 4015; {shut}")
    assert "4017" not in reach(far, "4015", verb="column")


def price_in_column(unit: str, start: str, to: str) -> int:
    match = germans(f"{unit} @ {start}")
    order(match, "column", start)
    before = match.position.moves_left
    do(match, "go", hex=to)
    return before - match.position.moves_left


@rule("underbelly", "12.7d")
def test_the_factor_is_doubled_before_a_point_is_taken_off():
    match = begin("US 36, 46 Inf @ 3409; 56 Inf @ 2822; 1 Abn @ 4108")
    assert allowance(match, "3409") == 7  # both groupings in one hex
    assert allowance(match, "3409", verb="column") == 15
