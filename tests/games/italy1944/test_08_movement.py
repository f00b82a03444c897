"""Chapter 8: movement, bridges, mobile attacks, operational movement."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from apennine.games import get
from apennine.games.italy1944.game import Italy1944
from apennine.games.italy1944.rules.c06_logistics import lines_to
from apennine.hexes import NO_SIDES
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.italy1944.drawing import (
    ALLIED,
    GAME,
    GERMAN,
    WAR,
    Table,
    asked,
    at,
    attack,
    begin,
    clash,
    codes,
    do,
    events,
    go,
    go_on,
    halt,
    hexes,
    lead,
    march,
    mask,
    mobile_attack,
    names,
    odds,
    option,
    pick,
    picked,
    points,
    preview,
    price,
    reach,
    results,
    set_of,
    shifts_of,
    steps,
    verbs,
    where,
    with_points,
)

FOOT, TRACKS = "94 ID", "26 Pz"
BOTH = 1 << ALLIED | 1 << GERMAN
"""As `moving_centres`: armoured units of either side have two points (6.6d)."""


# The allowance and the price of terrain. German units show it best: they never move operationally.


def costs(match: Match[Table], unit: str) -> dict[str, float]:
    """What each hex in reach costs a unit."""
    fork = picked(match, unit)
    return {hex: price(match, unit, hex) for hex in hexes(fork, "go")}


@rule("italy1944", "8a")
@pytest.mark.parametrize(("unit", "allowance"), [(FOOT, 8), ("90 PG", 10), (TRACKS, 12)])
def test_a_unit_spends_the_points_on_its_counter_and_no_more(unit: str, allowance: int):
    assert max(costs(march(f"{unit} @ 1914", GERMAN), unit).values()) == allowance


@rule("italy1944", "8a")
def test_the_points_may_be_spent_leg_by_leg_but_only_once_in_a_turn():
    match = march("94 ID @ 0804; 5 GJ @ 1404", GERMAN)
    pick(match, "94 ID")
    go_on(match, "1104")
    assert points(match) == 8 - 3
    assert "1604" in hexes(match, "go")
    assert "1704" not in hexes(match, "go")
    go_on(match, "1604")
    assert not match.position.movers
    assert names(match, "move") == {"5 GJ"}


@rule("italy1944", "8b")
@pytest.mark.parametrize(
    ("unit", "start", "end", "points"),
    [
        (FOOT, "1004", "1105", 1),
        (TRACKS, "1004", "1105", 1),
        (FOOT, "2216", "2215", 2),  # rough
        (TRACKS, "2216", "2215", 3),
        (FOOT, "2518", "2617", 4),  # mountain
        (TRACKS, "2518", "2617", 6),
        (FOOT, "1305", "1405", 1 + 2),  # over the Po
        (TRACKS, "1305", "1405", 1 + 3),
        (FOOT, "2215", "2315", 2 + 2),  # over the Tiber, into rough
        (TRACKS, "2215", "2315", 3 + 3),
    ],
)
def test_a_hex_costs_its_terrain_and_the_river_on_the_way(
    unit: str, start: str, end: str, points: float
):
    # Every bridge of the Po is out of use, and that of Perugia: one bank of it is not German.
    match = march(f"{unit} @ {start}", GERMAN, allied="1206 1406 1506 2314")
    assert price(match, unit, end) == points


@rule("italy1944", "8c")
def test_a_unit_may_always_move_one_hex_though_it_cannot_pay():
    match = march("26 Pz @ 2518", GERMAN, moving_centres=BOTH)
    assert points(picked(match, "26 Pz")) == 2
    assert {"2617", "2618"} <= reach(match, "26 Pz")  # mountains, 6 points
    pick(match, "26 Pz")
    go_on(match, "2617")
    assert where(match, "26 Pz") == "2617"
    assert not match.position.movers


@rule("italy1944", "8c")
def test_the_one_hex_is_the_whole_move():
    match = march("26 Pz @ 2518", GERMAN, moving_centres=BOTH)
    assert "2719" not in reach(match, "26 Pz")  # behind 2618
    pick(match, "26 Pz")
    go_on(match, "2517")  # half a point along the road
    assert not {"2617", "2516"} & hexes(match, "go")


@rule("italy1944", "8d")
def test_a_stack_goes_at_the_pace_of_its_slowest_unit():
    match = march("26 Pz, 94 ID @ 0804", GERMAN)
    assert "1704" in reach(match, "26 Pz")
    assert "1704" not in reach(match, "26 Pz", "94 ID")
    assert reach(match, "94 ID", "26 Pz") == reach(match, "26 Pz", "94 ID")
    go(match, "1604", "26 Pz", "94 ID")
    halt(match)
    assert (where(match, "26 Pz"), where(match, "94 ID")) == ("1604", "1604")
    assert names(match, "move") == set()


@rule("italy1944", "8f")
def test_who_is_picked_up_and_let_go_in_his_hex_has_not_moved():
    match = march("26 Pz, 94 ID @ 0804; 5 GJ @ 1404", GERMAN)
    pick(match, "26 Pz", "94 ID")
    halt(match)
    assert match.position.moved == 0
    assert names(match, "move") == {"26 Pz", "94 ID", "5 GJ"}
    assert points(picked(match, "26 Pz")) == 12
    go(match, "0904", "26 Pz")
    halt(match)
    assert names(match, "move") == {"94 ID", "5 GJ"}


@rule("italy1944", "8f")
def test_who_attacked_on_the_move_has_moved_though_he_stayed_in_his_hex():
    match = march("6 Arm, US 34 @ 1004; 356 ID @ 1105")
    pick(match, "6 Arm")
    mobile_attack(match, "1105", die=6)
    assert (where(match, "6 Arm"), names(match, "move")) == ("1004", {"US 34"})


def test_only_units_of_the_same_hex_that_have_not_moved_may_be_taken_along():
    match = march("26 Pz, 94 ID, 5 GJ @ 0804; 305 ID @ 0904", GERMAN)
    go(match, "0904", "5 GJ")
    halt(match)
    do(match, "move", "94 ID")
    assert names(match, "take along") == {"26 Pz"}
    go_on(match, "0904")
    assert "take along" not in verbs(match)


@rule("italy1944", "5a")
def test_no_more_than_four_move_together_out_of_a_hex_with_too_many():
    match = march("26 Pz, 94 ID, 5 GJ, 305 ID, 334 ID @ 0804", GERMAN)
    pick(match, "26 Pz", "94 ID", "5 GJ", "305 ID")
    assert "take along" not in verbs(match)


@rule("italy1944", "8e")
@pytest.mark.parametrize("unit", [FOOT, TRACKS])
def test_nobody_enters_a_hex_of_the_enemy_or_the_sea(unit: str):
    free = reach(march(f"{unit} @ 2521", GERMAN), unit)
    assert "2620" in free
    held = reach(march(f"{unit} @ 2521; US 34 @ 2620", GERMAN), unit)
    assert "2620" not in held
    assert not {"2522", "2421"} & (free | held)
    assert not mask(" ".join(free)) & ~WAR.land


@rule("italy1944", "8e", "8.4b")
@pytest.mark.parametrize(("here", "there"), [("2113", "2114"), ("2117", "2116"), ("2319", "2218")])
def test_nobody_crosses_a_lake(here: str, there: str):
    assert GAME.board.lattice.distance(at(here), at(there)) == 1
    match = picked(march(f"94 ID @ {here}", GERMAN), FOOT)
    way = preview(match, "go", FOOT, there).path
    assert len(way) > 2


@rule("italy1944", "8.4b")
def test_a_lake_is_no_way_out_even_for_the_minimum_of_one_hex():
    # With two points tanks get into the hills by the least move alone; 2116 is behind Lake Bolsena.
    match = march("26 Pz @ 2117", GERMAN, moving_centres=BOTH)
    assert "2216" in reach(match, TRACKS)
    assert "2116" not in reach(match, TRACKS)


@rule("italy1944", "8.4a")
@pytest.mark.parametrize(("here", "there"), [("2113", "2114"), ("2117", "2116"), ("2319", "2218")])
def test_a_line_of_communication_goes_around_a_lake(here: str, there: str):
    pos = march("94 ID @ 1004", GERMAN).position
    found = lines_to(WAR, pos, GERMAN, 1 << at(there))
    assert found.distance(at(here)) == 2
    around = WAR.lattice.disc(at(there), 1) & WAR.land & ~mask(f"{here} {there}")
    assert all(found.distance(hex) == 1 for hex in map(at, codes(around)))


# Bridges and control


@pytest.fixture
def no_roads(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """So that every hex has the price of its terrain."""
    with monkeypatch.context() as patch:
        patch.setattr(WAR, "roads", NO_SIDES)
        WAR.costs.cache_clear()
        yield
    WAR.costs.cache_clear()


@rule("italy1944", "8.1a", "8.1c")
@pytest.mark.usefixtures("no_roads")
@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("1307", "1406"),  # the railway
        ("1205", "1206"),  # Parma on the other bank
        ("1206", "1205"),  # and on this one
        ("1605", "1706"),  # Ferrara
        ("1706", "1605"),
    ],
)
@pytest.mark.parametrize(("unit", "river"), [(FOOT, 2), (TRACKS, 3)])
def test_a_bridge_between_two_own_hexes_saves_the_price_of_the_river(
    start: str, end: str, unit: str, river: int
):
    assert price(march(f"{unit} @ {start}", GERMAN), unit, end) == 1
    others = " ".join(codes(WAR.lattice.disc(at(start), 1)) - {start})
    lost = march(f"{unit} @ {start}", GERMAN, allied=others)
    assert price(lost, unit, end) == 1 + river


@rule("italy1944", "8.1c")
@pytest.mark.parametrize(("unit", "river"), [(FOOT, 2), (TRACKS, 3)])
def test_a_road_alone_is_no_bridge(unit: str, river: int):
    # 1505 to 1506, over the Po: no railway, and no town in either.
    assert price(march(f"{unit} @ 1505", GERMAN), unit, "1506") == 0.5 + river


@rule("italy1944", "8.1a", "8.1b")
@pytest.mark.usefixtures("no_roads")
@pytest.mark.parametrize(("one", "other"), [("1307", "1406"), ("2419", "2520")])
@pytest.mark.parametrize("lost", [False, True])
def test_a_bridge_serves_those_who_hold_both_banks(one: str, other: str, lost: bool):
    for here, there in ((one, other), (other, one)):
        others = " ".join(codes(WAR.lattice.disc(at(here), 1)) - {here, one, other})
        allied = f"{others} {there}" if lost else others
        match = march(f"94 ID @ {here}", GERMAN, allied=allied)
        assert price(match, FOOT, there) == 1 + 2 * lost


@rule("italy1944", "8.1c")
def test_a_town_must_be_on_one_of_the_two_banks_not_merely_near():
    # Ferrara is next to 1605 and to 1705, which the Po parts.
    match = march("26 Pz @ 1705", GERMAN, allied="1706 1606")
    assert price(match, TRACKS, "1605") == 1 + 3


@rule("italy1944", "8.1b")
@pytest.mark.usefixtures("no_roads")
@pytest.mark.parametrize("unit", [FOOT, TRACKS])
@pytest.mark.parametrize(("start", "end"), [("2419", "2520"), ("2520", "2419")])
def test_the_tiber_at_rome_costs_one_point_in_all(unit: str, start: str, end: str):
    assert price(march(f"{unit} @ {start}", GERMAN), unit, end) == 1


@rule("italy1944", "8.3f")
@pytest.mark.parametrize(
    ("start", "end"), [("2419", "2520"), ("3120", "3219"), ("2317", "2416"), ("3421", "3420")]
)
def test_over_a_bridge_of_ones_own_the_road_rate_holds(start: str, end: str):
    own = f"{start} {end}"
    assert price(march(f"26 Pz @ {start}", GERMAN, german=own), TRACKS, end) == 0.5


@rule("italy1944", "8.3f")
def test_over_a_river_without_a_bridge_the_river_is_paid_besides_the_road_rate():
    # 3421 to 3420, over the Calore: Benevento is a town, so all hangs on who holds it.
    for own, river in (("3421 3420", 0), ("3421", 3)):
        match = march("26 Pz @ 3421", GERMAN, german=own)
        assert price(match, TRACKS, "3420") == 0.5 + river
    centre = begin("centre", GERMAN, "94 ID @ 1004; US 34 @ 3924", centres="3924 3421")
    do(centre, "move the centre")
    assert preview(centre, "centre to", hex="3420").cost == "2.5 points"


@rule("italy1944", "8.1b")
@pytest.mark.usefixtures("no_roads")
@pytest.mark.parametrize("lost", ["2419", "2520"])
def test_at_rome_too_both_banks_must_be_friendly(lost: str):
    start = "2520" if lost == "2419" else "2419"
    match = march(f"26 Pz @ {start}", GERMAN, allied=f"{lost} 2420 2519 2320 2319")
    assert price(match, TRACKS, lost) == 1 + 3


@rule("italy1944", "8.1e")
def test_a_move_uses_the_bridges_that_it_takes_on_the_way():
    # The far bank is Allied, the near one is taken by who comes through.
    counters = {"allied": "2419", "german": "2520"}
    match = march("6 Arm @ 2620; 94 ID @ 1004", **counters)
    at_once = price(match, "6 Arm", "2419")
    pick(match, "6 Arm")
    by_legs = price_of_leg(match, "2520") + price_of_leg(match, "2419")
    assert at_once == by_legs == 0.5 + 0.5


def price_of_leg(match: Match[Table], hex: str) -> float:
    """What the stack that is moving pays for its next leg."""
    cost = float(preview(match, "go", lead(match), hex).cost.split()[0])
    go_on(match, hex)
    return cost


@rule("italy1944", "8.1e")
@pytest.mark.parametrize("seed", range(6))
def test_no_two_legs_are_cheaper_than_one_move(seed: int):
    random, match = Random(seed), Match(GAME, seed=f"legs {seed}")
    while match.decision and match.position.turn < 4:
        options = asked(match).options
        if match.position.movers and not match.position.under_way and random.random() < 0.1:
            there = {o.hex: o for o in options if o.verb == "go"}
            cost = {hex: GAME.preview(match.position, o).cost for hex, o in there.items()}
            for leg in random.sample(list(there.values()), min(3, len(there))):
                fork = match.fork()
                before = fork.position.points + fork.position.extra
                fork.choose(leg)
                if fork.position.movers != match.position.movers:
                    continue
                spent = before - fork.position.points - fork.position.extra
                for o in asked(fork).options:
                    if o.verb == "go" and o.hex in cost and fork.position.extra:
                        more = float(GAME.preview(fork.position, o).cost.split()[0])
                        assert float(cost[o.hex].split()[0]) <= spent / WAR.scale + more
        match.choose(random.choice(options))


@rule("italy1944", "8.1d")
def test_control_begins_with_the_front_of_january():
    pos = begin("movement", ALLIED, "US 34 @ 3323").position
    assert pos.control == GAME.board.regions["allied"]
    assert not pos.control & GAME.board.regions["german"]


@rule("italy1944", "8.1d")
def test_a_hex_belongs_to_the_last_who_came_through_and_zones_change_nothing():
    match = march("6 Arm @ 1004; 94 ID @ 1705", allied="1004")
    go(match, "1304", "6 Arm")
    halt(match)
    taken = codes(match.position.control & ~WAR.home[ALLIED])
    assert taken == {"1004", "1104", "1204", "1304"}
    go(match, "1404", "94 ID")
    halt(match)
    assert where(match, "94 ID") == "1404"
    # Next to 1304, and yet that stays Allied.
    assert codes(match.position.control & ~WAR.home[ALLIED]) == taken
    back = march("94 ID @ 1104", GERMAN, allied="1004 1005 1204")
    go(back, "0904", "94 ID")
    halt(back)
    assert codes(back.position.control & ~WAR.home[ALLIED]) == {"1005", "1204"}


# Mobile attacks


@rule("italy1944", "9.1e", "8.2c", "8.2f")
def test_example_3_a_mobile_attack_as_in_the_book():
    # On the real chart: 356 ID, one step lost, is in 2519.
    game = get("italy1944")
    assert isinstance(game, Italy1944)
    pos = march("6 Arm, 5 C Arm @ 2618; 356 ID @ 2519 steps=1").position
    match = Match(game, position=pos, seed=1)
    pick(match, "6 Arm", "5 C Arm")
    shown = preview(match, "mobile attack", lead(match), "2519")
    assert shown.cost == "3 points"  # clear, and two more
    chart = game.war.combat
    match.force(next(die for die in range(1, 7) if chart.cell(die, chart.column("3:1")) == (1, 2)))
    do(match, "mobile attack", lead(match), "2519")
    do(match, "air support", hex="2519")
    found = odds(match, "2519", "6 Arm", "5 C Arm")
    assert (found.attack, found.defence, found.raw_label, found.label) == (44, 9, "4:1", "3:1")
    assert {shift.rule: shift.columns for shift in found.shifts} == {"10.1d": +1, "8.2d": -2}
    do(match, "no more support")  # the attacker
    do(match, "no more support")  # the defender
    assert results(match) == ["1/2"]
    do(match, "lose a step", "6 Arm")
    assert where(match, "356 ID") == "eliminated"
    assert (steps(match, "6 Arm"), steps(match, "5 C Arm")) == (1, 2)
    assert events(match, "front breakthrough") == []
    assert points(match) == 9
    assert asked(match).side == ALLIED
    assert "go" in verbs(match)


@rule("italy1944", "8.2a")
@pytest.mark.parametrize(
    ("unit", "able"), [("6 Arm", True), ("43 Gurkha", True), ("US 34", False), ("SSF", False)]
)
def test_only_armoured_and_mechanised_units_attack_on_the_move(unit: str, able: bool):
    match = march(f"{unit} @ 1104; 356 ID @ 1105")
    assert ("mobile attack" in verbs(picked(match, unit))) is able


@rule("italy1944", "8.2a")
def test_a_stack_with_infantry_in_it_attacks_only_in_the_combat_phase():
    match = march("6 Arm, US 34 @ 1104; 356 ID @ 1105")
    assert "mobile attack" not in verbs(picked(match, "6 Arm", "US 34"))
    assert "mobile attack" in verbs(picked(match, "6 Arm"))
    assert "mobile attack" not in verbs(clash("6 Arm @ 1104; 356 ID @ 1105"))


@rule("italy1944", "8.2b")
def test_they_must_have_begun_together_but_not_next_to_the_enemy():
    match = march("6 Arm, 5 C Arm @ 0804; 6 SA @ 1104; 7 AB @ 1204; 356 ID @ 1205 steps=1")
    pick(match, "6 Arm", "5 C Arm")
    assert "mobile attack" not in verbs(match)
    go_on(match, "1104")
    # 6 SA is in the hex, but began the phase elsewhere.
    assert "take along" not in verbs(match)
    go_on(match, "1204")
    # Nor does 7 AB join in, though it is in the hex from which they attack.
    mobile_attack(match, "1205", die=6)
    took_part = match.position.attacked
    assert took_part == set_of("6 Arm", "5 C Arm")


@rule("italy1944", "8.2c")
@pytest.mark.parametrize(
    ("start", "target", "cost"),
    [
        ("1104", "1105", 1 + 2),
        ("1106", "1105", 1 + 3 + 2),  # over the Po
        ("2217", "2216", 3 + 2),  # rough
        ("2618", "2718", 6 + 2),  # mountain, though a road leads there
        ("2419", "2520", 1 + 3 + 2),  # no bridge is of use whose other bank is the enemy's
    ],
)
def test_a_mobile_attack_costs_the_hex_and_two_points(start: str, target: str, cost: int):
    match = march(f"6 Arm @ {start}; 356 ID @ {target}")
    pick(match, "6 Arm")
    assert preview(match, "mobile attack", "6 Arm", target).cost == f"{cost} points"
    do(match, "mobile attack", "6 Arm", target)
    assert points(match) == 12 - cost


@rule("italy1944", "8.2c")
def test_who_has_not_the_points_does_not_attack():
    match = march("6 Arm @ 0804; 356 ID @ 1804")
    pick(match, "6 Arm")
    (straight := match.fork()).choose(option("go", "6 Arm", "1704"))
    assert (points(straight), hexes(straight, "mobile attack")) == (3.5, {"1804"})
    go_on(match, "0805")
    go_on(match, "1704")
    assert (where(match, "6 Arm"), match.position.movers) == ("1704", 0)
    near = march("6 Arm @ 1004; 356 ID @ 1305")
    pick(near, "6 Arm")
    go_on(near, "1204")
    assert hexes(near, "mobile attack") == {"1305"}
    poor = march("6 Arm @ 1204; 356 ID @ 1305", moving_centres=BOTH)
    assert hexes(picked(poor, "6 Arm"), "mobile attack") == set()


@rule("italy1944", "8.2c")
@pytest.mark.parametrize(("points", "targets"), [(2, set[str]()), (3, {"1105"})])
def test_just_enough_points_are_enough(
    monkeypatch: pytest.MonkeyPatch, points: int, targets: set[str]
):
    with_points(monkeypatch, "6 Arm", points)
    match = picked(march("6 Arm @ 1104; 356 ID @ 1105"), "6 Arm")
    assert hexes(match, "mobile attack") == targets


@rule("italy1944", "8.2c")
def test_the_target_must_be_adjacent():
    match = march("6 Arm @ 1104; 356 ID @ 1205; 94 ID @ 1106")
    pick(match, "6 Arm")
    assert hexes(match, "mobile attack") == set()
    go_on(match, "1105")
    assert hexes(match, "mobile attack") == {"1205", "1106"}


@rule("italy1944", "8.2d")
def test_a_mobile_attack_has_two_columns_less_than_an_attack():
    counters = "6 Arm @ 1104; 356 ID @ 1105 steps=1"
    moving = shifts_of(march(counters), "1105", "6 Arm")
    assert moving == {"8.2d": -2}
    assert shifts_of(clash(counters), "1105", "6 Arm") == {}


@rule("italy1944", "8.2e", "8.2h")
def test_when_the_hex_is_empty_the_stack_enters_it_free_and_goes_on():
    match = march("6 Arm, 5 C Arm @ 1004; 356 ID @ 1105 steps=1; 94 ID @ 1305 steps=1")
    pick(match, "6 Arm", "5 C Arm")
    mobile_attack(match, "1105", die=6, air=1)
    assert where(match, "6 Arm") == where(match, "5 C Arm") == "1105"
    assert points(match) == 12 - 3
    assert match.position.control >> at("1105") & 1
    go_on(match, "1204")
    assert points(match) == 12 - 3 - 1
    mobile_attack(match, "1305", die=6, air=1)
    assert where(match, "94 ID") == "eliminated"
    assert where(match, "6 Arm") == "1305"
    assert points(match) == 12 - 3 - 1 - 3
    go_on(match, "1404")
    assert where(match, "5 C Arm") == "1404"


@rule("italy1944", "8.2h", "8.2e")
def test_where_a_defender_stands_the_stack_stays_and_its_move_ends():
    match = march("6 Arm, 5 C Arm @ 1004; 356 ID @ 1105")
    pick(match, "6 Arm", "5 C Arm")
    mobile_attack(match, "1105", die=6)
    do(match, "lose a step", "6 Arm")
    assert steps(match, "356 ID") == 1
    assert where(match, "6 Arm") == "1004"
    assert not match.position.movers
    assert asked(match).side == GERMAN  # nobody else was there to move


@rule("italy1944", "8.2f")
def test_ships_and_the_defenders_aircraft_take_part_in_a_mobile_attack():
    match = march("6 Arm @ 3617; 356 ID @ 3618")
    pick(match, "6 Arm")
    do(match, "mobile attack", "6 Arm", "3618")
    assert verbs(match) == {"air support", "naval support", "no more support"}
    do(match, "naval support", hex="3618")
    assert shifts_of(match, "3618", "6 Arm") == {"10.1d": +1, "8.2d": -2}
    do(match, "no more support")
    assert asked(match).side == GERMAN
    assert verbs(match) == {"air support", "no more support"}


@rule("italy1944", "8.2g")
def test_excess_losses_in_a_mobile_attack_are_no_breakthrough():
    match = march("6 Arm, 5 C Arm @ 1004; 25 TB @ 0804; 356 ID @ 1105 steps=1")
    pick(match, "6 Arm", "5 C Arm")
    mobile_attack(match, "1105", die=6, air=2)
    assert results(match) == ["1/3"]  # three steps, and there was one
    do(match, "lose a step", "6 Arm")
    assert where(match, "6 Arm") == "1105"
    assert events(match, "front breakthrough") == []
    assert match.position.breakthrough == 0
    assert verbs(match) == {"go", "halt"}


@rule("italy1944", "8.2i")
def test_who_had_to_stop_next_to_the_enemy_may_still_attack():
    match = march("6 Arm, 5 C Arm @ 0804; 356 ID @ 1105 steps=1; 94 ID @ 1106")
    pick(match, "6 Arm", "5 C Arm")
    go_on(match, "1004")
    assert match.position.stopped
    assert verbs(match) == {"mobile attack", "halt"}
    mobile_attack(match, "1105", die=6, air=1)
    # Into the emptied hex, though that is in the zone of 94 ID.
    assert where(match, "6 Arm") == "1105"
    # The zone of the dead is gone; straight on in the zone of 94 ID is not allowed.
    for hex, length in (("1204", 1), ("1104", 1), ("1205", 2), ("1005", 2)):
        assert len(preview(match, "go", lead(match), hex).path) == 1 + length


@rule("italy1944", "8.2i")
def test_after_the_attack_the_stack_stops_again_where_it_meets_another_zone():
    match = march("6 Arm, 5 C Arm @ 1004; 356 ID @ 1105 steps=1; 94 ID @ 1305")
    pick(match, "6 Arm", "5 C Arm")
    mobile_attack(match, "1105", die=6, air=1)
    go_on(match, "1204")
    assert match.position.stopped
    assert verbs(match) == {"mobile attack", "halt"}


@rule("italy1944", "8.2j")
def test_who_attacked_on_the_move_does_not_attack_again_in_the_combat_phase():
    match = march("6 Arm @ 1004; 5 C Arm @ 1104; 356 ID @ 1105")
    pick(match, "6 Arm")
    mobile_attack(match, "1105", die=6)
    assert steps(match, "356 ID") == 1
    do(match, "end movement")
    do(match, "attack", hex="1105")
    assert option("attack with", "6 Arm", "1105") not in asked(match).options
    assert match.position.attackers == set_of("5 C Arm")


@rule("italy1944", "8.2j")
def test_several_mobile_attacks_may_be_made_and_none_afterwards():
    match = march("6 Arm, 5 C Arm @ 1004; 356 ID @ 1105 steps=1; 94 ID @ 1305; 305 ID @ 1404")
    pick(match, "6 Arm", "5 C Arm")
    mobile_attack(match, "1105", die=6, air=1)
    go_on(match, "1204")
    mobile_attack(match, "1305", die=6)
    do(match, "lose a step", "6 Arm")
    assert len(results(match)) == 2
    assert match.position.side == GERMAN  # nobody is left who could move or attack


@rule("italy1944", "8.2k")
def test_a_hex_that_is_empty_without_all_being_dead_lets_the_stack_go_on():
    # Five units are one too many: 94 ID falls back, and the four others, starving, are destroyed.
    weak = "508 Pz, 504 Pz, Lehr @ 1105 cut; 162 T @ 1105 steps=1 cut; 94 ID @ 1105"
    match = march(f"6 Arm, 5 C Arm, 6 SA @ 1205; {weak}")
    pick(match, "6 Arm", "5 C Arm", "6 SA")
    match.force(6)
    do(match, "mobile attack", lead(match), "1105")
    do(match, "excess", "94 ID")
    do(match, "retreat", "94 ID", "1104")
    do(match, "air support", hex="1105")
    do(match, "air support", hex="1105")
    do(match, "no more support")
    do(match, "no more support")
    assert events(match, "result")[0].value == 4
    assert (where(match, "94 ID"), steps(match, "94 ID")) == ("1104", 1)
    assert where(match, "6 Arm") == "1105"
    assert points(match) == 12 - 3
    assert match.position.movers == set_of("6 Arm", "5 C Arm", "6 SA")


# Operational movement


@rule("italy1944", "8.3a", "8.3b")
@pytest.mark.usefixtures("no_roads")
@pytest.mark.parametrize(("unit", "allowance"), [("US 34", 8), ("6 Arm", 12)])
def test_away_from_enemies_an_allied_unit_has_twice_its_points(unit: str, allowance: int):
    match = march(f"{unit} @ 1914", allied=" ".join(codes(WAR.land)))
    assert max(costs(match, unit).values()) == 2 * allowance


@rule("italy1944", "8.3a")
def test_who_starts_next_to_an_enemy_does_not_move_operationally():
    assert "1704" in reach(march("US 34 @ 0804; 94 ID @ 1007"), "US 34")
    assert "1704" not in reach(march("US 34 @ 0804; 94 ID @ 0805"), "US 34")


@rule("italy1944", "8.3a")
def test_operational_movement_does_not_end_next_to_an_enemy():
    far = march("US 34 @ 0804; 94 ID @ 1806")
    assert {"1704", "1804"} <= reach(far, "US 34")
    assert "1805" not in reach(far, "US 34")
    near = march("US 34 @ 0804; 94 ID @ 1705")
    assert "1604" in reach(near, "US 34")  # eight points: an ordinary move
    assert "1704" not in reach(near, "US 34")


def test_a_move_that_became_operational_cannot_end_next_to_an_enemy_on_a_later_leg():
    match = march("US 34 @ 0804; 94 ID @ 1905")
    pick(match, "US 34")
    go_on(match, "1704")
    assert points(match) < 0
    assert "1804" not in hexes(match, "go")
    halt(match)
    assert where(match, "US 34") == "1704"


@rule("italy1944", "8.3b")
def test_the_preview_says_when_a_move_is_operational():
    match = picked(march("US 34 @ 0804"), "US 34")
    assert preview(match, "go", "US 34", "1604").lines == ()
    [line] = preview(match, "go", "US 34", "1704").lines
    assert line.rule == "8.3b"


@rule("italy1944", "8.3c")
def test_operational_movement_goes_by_road_at_half_a_point():
    # Half a point a hex through the mountains behind Salerno, and on from there.
    match = march("US 34 @ 3924")
    assert price(match, "US 34", "3622") == 4 * 0.5
    fork = picked(match, "US 34")
    shown = preview(fork, "go", "US 34", "2416")
    assert [line.rule for line in shown.lines] == ["8.3b"]
    assert 8 < float(shown.cost.split()[0]) <= 16
    assert len(shown.path) > 9


@rule("italy1944", "8.3d")
@pytest.mark.parametrize("unit", [FOOT, TRACKS])
def test_germans_never_move_operationally(unit: str):
    match = march(f"{unit} @ 1914", GERMAN)
    assert max(costs(match, unit).values()) == WAR.moves[GAME.unit(unit)][2]


@rule("italy1944", "8.3e")
@pytest.mark.parametrize("unit", [FOOT, TRACKS])
def test_the_road_rate_is_for_any_unit_in_any_terrain(unit: str):
    match = march(f"{unit} @ 2818", GERMAN)
    assert price(match, unit, "2718") == 0.5
    assert price(match, unit, "2519") == 3 * 0.5
    beside = march(f"{unit} @ 2719", GERMAN)
    assert price(beside, unit, "2718") == {FOOT: 4, TRACKS: 6}[unit]


@rule("italy1944", "8.3e")
def test_the_road_rate_is_for_a_logistic_centre_too():
    match = begin("centre", ALLIED, "US 34 @ 3323", centres="3923 2418")
    do(match, "move the centre")
    assert preview(match, "centre to", hex="3622").cost == "1.5 points"


@rule("italy1944", "8.5")
@pytest.mark.parametrize(
    ("unit", "cost"), [("2 DIM", 2), ("4 DMM", 2), ("1 DMI", 3), ("US 34", 4), ("6 Arm", 6)]
)
def test_the_french_pay_for_mountains_as_for_rough(unit: str, cost: int):
    assert price(march(f"{unit} @ 3117"), unit, "3118") == cost


def test_a_mixed_stack_pays_what_its_slowest_unit_pays():
    match = picked(march("2 DIM, US 34 @ 3117"), "2 DIM", "US 34")
    assert preview(match, "go", lead(match), "3118").cost == "4 points"


def test_the_overlay_shows_where_a_unit_can_go():
    match = march("US 34 @ 0804; 94 ID @ 1806")
    shown = GAME.overlay(match.position, "reach", ALLIED, GAME.unit("US 34"))
    assert codes(shown) == reach(match, "US 34")


def test_a_unit_that_did_not_attack_on_the_move_may_attack_in_the_combat_phase():
    match = march("6 Arm @ 0804; 356 ID @ 1105 steps=1")
    go(match, "1004", "6 Arm")
    halt(match)
    attack(match, "1105", "6 Arm", die=6)
    assert where(match, "356 ID") == "eliminated"
