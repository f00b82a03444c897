"""Chapter 8: which scenario is played, and the German armies that only one of them has."""

from __future__ import annotations

from typing import Any

import pytest

from apennine.games.underbelly.table.position import GONE, UNDECIDED
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.underbelly.drawing import (
    ALLIED,
    AWAY,
    GAME,
    GERMAN,
    HISTORICAL,
    TIBER,
    WAR,
    Table,
    asked,
    at,
    begin,
    do,
    events,
    fresh,
    halt,
    hexes,
    named,
    next_turn,
    number,
    options,
    order,
    pass_on,
    refusal,
    rolls,
    stack,
    verbs,
    where,
)

FRONT = "46 Inf, 56 Inf @ 2822; US 36 @ 2921; 16 Pz @ 2819"
CORPS = {"1 SS", "2 SS", "24 Pz SS", "II SS"}
ARMY = {unit.name for unit in WAR.roster if unit.group == "5Pz"}


def members(group: str) -> set[str]:
    return {unit.name for unit in WAR.roster if unit.group == group}


def place(match: Match[Table], unit: str) -> int:
    """The hex or box of a unit, or what became of it."""
    return match.position.hex[number(unit)]


def evening(turn: int, counters: str = FRONT, **fields: Any) -> Match[Table]:
    """The last German command phase before the next turn."""
    scenario = UNDECIDED if turn == 1 else TIBER
    plot = -1 if turn == 1 else 0
    given = {"turn": turn, "scenario": scenario, "plot": plot, "points": 6}
    return begin(counters, GERMAN, **given | fields)


def dawn(turn: int, *dice: int, counters: str = FRONT, **fields: Any) -> Match[Table]:
    """The start of a turn; these dice are thrown just before it."""
    match = evening(turn - 1, counters, **fields)
    match.force(*dice)
    do(match, "end")
    assert match.position.turn == turn
    return match


# 8.1 and 8.2: which scenario


@rule("underbelly", "8.1a", "8.2")
@pytest.mark.parametrize(
    ("die", "scenario"), [(1, HISTORICAL), (5, HISTORICAL), (6, TIBER), (10, TIBER)]
)
def test_a_die_decides_between_the_first_two_turns(die: int, scenario: int):
    match = fresh("campaign")
    pass_on(match, until="command", side=GERMAN)
    assert match.position.scenario == UNDECIDED
    assert match.view(ALLIED)["scenario"] == "not decided yet"
    before = len(rolls(match))
    match.force(die)
    do(match, "no drop this turn")
    do(match, "end")
    assert match.position.turn == 2
    assert match.position.scenario == scenario
    [roll] = rolls(match)[before:]
    assert (roll.faces, roll.rule) == ((die,), "8.2")


@rule("underbelly", "8.1a")
@pytest.mark.parametrize(("key", "scenario"), [("historical", HISTORICAL), ("wat", TIBER)])
def test_players_who_agreed_beforehand_throw_no_die(key: str, scenario: int):
    match = fresh(key)
    pass_on(match, until="command", side=GERMAN)
    assert match.position.scenario == UNDECIDED
    next_turn(match)
    assert match.position.scenario == scenario
    assert not [roll for roll in rolls(match) if roll.rule == "8.2"]


@rule("underbelly", "8.1a")
def test_the_scenario_is_decided_once():
    match = dawn(3, 10)
    assert not [roll for roll in rolls(match) if roll.rule == "8.2"]
    assert match.position.scenario == TIBER


@rule("underbelly", "8.1b")
def test_the_first_turn_is_the_same_whatever_is_played():
    starts = [fresh(key) for key in ("campaign", "historical", "wat")]
    shown = [match.view(ALLIED) | {"scenario": ""} for match in starts]
    assert shown[0] == shown[1] == shown[2]
    menus: list[Any] = []
    for match in starts:
        pass_on(match, until="command", side=GERMAN)
        do(match, "no drop this turn")
        menus.append(options(match))
    assert menus[0] == menus[1] == menus[2]


@rule("underbelly", "8.1b")
def test_tenth_army_gets_its_reinforcements_in_both_scenarios():
    dated = [unit for unit in WAR.roster if unit.group == "10" and unit.arrives > 1]
    assert len(dated) > 10
    for turn in sorted({unit.arrives for unit in dated if unit.name != "24 Pz"}):
        due = {unit.name for unit in dated if unit.arrives == turn}
        for scenario, plot in ((HISTORICAL, -1), (TIBER, 0)):
            match = begin(
                FRONT, GERMAN, "arrivals", scenario=scenario, plot=plot, turn=turn, switched=True
            )
            came = {GAME.units[event.unit] for event in events(match, "arrives")}
            assert came - {"24 Pz"} == due - {"24 Pz"}, (turn, scenario)
            assert stack(match, "tenth") == came


# 8.3 and 8.4: the orders of battle


@rule("underbelly", "8.3a", "8.3b")
def test_the_historical_scenario_leaves_the_german_reserves_out():
    match = dawn(2, 1)
    for unit in CORPS | ARMY | {"52 Mtn"}:
        assert place(match, unit) == GONE, unit
    assert place(match, "24 Pz") == AWAY
    assert place(match, "US 34") == AWAY
    assert match.position.forts_left == 14


@rule("underbelly", "8.3a")
def test_no_reserves_are_rolled_for_and_no_german_aircraft_fly_in_history():
    for turn in (3, 6, 11):
        match = dawn(turn, scenario=HISTORICAL, plot=-1)
        assert not rolls(match)
        pass_on(match, until="orders")
        do(match, "no air")
        assert match.position.german_tac == 0


@rule("underbelly", "8.3b", "8.4d")
@pytest.mark.parametrize(("die", "comes"), [(1, False), (6, True)])
def test_the_52nd_mountain_division_comes_in_watch_on_the_tiber_alone(die: int, comes: bool):
    pos = dawn(2, die).position.copy()
    assert (pos.hex[number("52 Mtn")] == AWAY) == comes
    pos.turn, pos.phase, pos.side = 14, "arrivals", ALLIED
    pos.plot = 0 if comes else -1
    match = Match(GAME, position=pos, seed=1)
    assert (where(match, "52 Mtn") == "available") == comes


@rule("underbelly", "8.4a")
def test_watch_on_the_tiber_has_no_forts():
    match = dawn(2, 6)
    assert match.position.forts_left == 0
    later = evening(8, forts_left=0)
    assert "build fort" not in verbs(later)
    assert refusal(later, "build fort", hex="2017").rule == "8.4a"
    historical = evening(8, scenario=HISTORICAL, plot=-1, forts_left=14)
    assert "2017" in hexes(historical, "build fort")


@rule("underbelly", "8.4b", "8.4c")
def test_watch_on_the_tiber_has_all_german_reserves_but_one_24th_panzer():
    match = dawn(2, 6)
    assert place(match, "24 Pz") == GONE
    for unit in CORPS | ARMY:
        assert place(match, unit) == AWAY, unit
    assert not match.position.army_aircraft
    tenth = members("10") - {"24 Pz", "16 Pz"}
    assert {unit for unit in tenth if place(match, unit) == AWAY} == tenth


@rule("underbelly", "8.4b")
def test_the_24th_panzer_does_not_come_with_tenth_army_as_well():
    pos = dawn(2, 6).position.copy()
    pos.turn, pos.phase, pos.side, pos.plot = 10, "arrivals", GERMAN, 0
    match = Match(GAME, position=pos, seed=1)
    assert place(match, "24 Pz") == GONE
    history = dawn(2, 5).position.copy()
    history.turn, history.phase, history.side = 10, "arrivals", GERMAN
    assert where(Match(GAME, position=history, seed=1), "24 Pz") == "tenth"


@rule("underbelly", "8.4e")
@pytest.mark.parametrize("somewhere", ["2017", "tenth"])
def test_the_24th_panzer_of_tenth_army_is_taken_up_wherever_it_is(somewhere: str):
    match = dawn(2, 6, counters=f"{FRONT}; 24 Pz @ {somewhere}")
    assert place(match, "24 Pz") == GONE
    stays = dawn(2, 5, counters=f"{FRONT}; 24 Pz @ {somewhere}")
    assert where(stays, "24 Pz") == somewhere


# 8.5: when II SS Panzer Corps comes


@rule("underbelly", "8.5a")
@pytest.mark.parametrize(("die", "comes"), [(1, True), (4, True), (5, False), (10, False)])
def test_the_corps_comes_before_turn_3_on_a_4(die: int, comes: bool):
    match = dawn(3, die)
    assert [roll.faces for roll in rolls(match)] == [(die,)]
    assert stack(match, "tenth") == (CORPS if comes else set())


@rule("underbelly", "8.5b")
@pytest.mark.parametrize(("die", "comes"), [(1, True), (8, True), (9, False)])
def test_it_is_rolled_for_again_before_turn_4(die: int, comes: bool):
    match = dawn(4, die)
    assert len(rolls(match)) == 1
    assert stack(match, "tenth") == (CORPS if comes else set())


@rule("underbelly", "8.5b", "8.5c")
def test_a_corps_that_has_come_is_not_rolled_for_again():
    for turn in (4, 5):
        match = dawn(turn, counters=f"{FRONT}; 1 SS, 2 SS, 24 Pz SS, II SS @ 1714", ss_entered=True)
        assert not rolls(match)
        assert where(match, "1 SS") == "1714"


@rule("underbelly", "8.5c")
def test_before_turn_5_it_comes_without_a_roll():
    match = dawn(5)
    assert not rolls(match)
    assert stack(match, "tenth") == CORPS
    assert not rolls(dawn(2, 6))[1:]


# 8.6: how it is committed

WAITING = f"{FRONT}; 1 SS, 2 SS, 24 Pz SS, II SS @ tenth; 11 Flak @ tenth; 26 Pz @ 1714"


def summoned(counters: str = WAITING, **fields: Any) -> Match[Table]:
    """A German command phase that begins with the corps in the box."""
    return evening(4, counters, **fields)


@rule("underbelly", "8.6a")
def test_the_first_point_brings_the_whole_corps_onto_the_map():
    match = summoned()
    assert {(o.verb, o.hex) for o in options(match)} == {
        (verb, at("tenth")) for verb in ("move", "column", "move-fight")
    }
    assert refusal(match, "move", hex="1714").rule == "8.6a"
    for other in (refusal(match, "end"), refusal(match, "fight-move", hex="tenth")):
        assert "Bring II SS Panzer Corps onto the map, before all else" in other.sentence
    do(match, "move", hex="tenth")
    assert match.position.movers == sum(1 << number(unit) for unit in CORPS)
    assert verbs(match) == {"enter"}
    do(match, "enter", hex="1012")
    assert stack(match, "1012") == CORPS
    halt(match)
    assert match.position.points == 5
    assert {"move", "end"} <= verbs(match)
    assert hexes(match, "move") == {"1714", "2819", "tenth"}


@rule("underbelly", "8.6a")
@pytest.mark.parametrize(("verb", "points"), [("column", 5), ("move-fight", 3)])
def test_it_may_come_in_column_or_with_a_move_fight(verb: str, points: int):
    match = summoned()
    do(match, verb, hex="tenth")
    do(match, "enter", hex="1012")
    assert match.position.points == points
    assert stack(match, "1012") == CORPS


@rule("underbelly", "8.6a")
def test_a_corps_that_waits_binds_no_allied_stack_together():
    match = begin(
        "46 Inf, 56 Inf, X Corps @ 2822; 1 SS, 2 SS, 24 Pz SS, II SS @ tenth; 26 Pz @ 1714",
        scenario=TIBER,
        turn=3,
    )
    do(match, "move", hex="2822")
    assert named(match, "take") == {"46 Inf", "56 Inf", "X Corps"}


NORTH = [f"10{column}" for column in range(10, 26)]
"""Row 10xx, every hex of which is land."""


def holding(units: list[str], hexes: list[str]) -> str:
    """One unit in each of these hexes."""
    assert len(units) >= len(hexes)
    return "; ".join(f"{unit} @ {hex}" for unit, hex in zip(units, hexes))


def allies() -> list[str]:
    """Allied units that can stand anywhere: not those of the front, and not the 82nd."""
    busy = {"46 Inf", "56 Inf", "US 36", "82 Abn"}
    return [unit for unit in sorted(members("US") | members("GB")) if unit not in busy]


def others() -> list[str]:
    """Divisions of 10th Army, and two of the corps, that can stand anywhere."""
    busy = {"24 Pz", "16 Pz", "26 Pz", "11 Flak", "XIV Pz", "LXXVI Pz", "1P"}
    return [*(unit for unit in sorted(members("10")) if unit not in busy), "1 SS", "2 SS"]


@rule("underbelly", "8.6b")
def test_a_corps_that_cannot_enter_loses_the_game():
    blockers = holding(allies(), NORTH)
    match = summoned(f"{FRONT}; 1 SS, 2 SS, 24 Pz SS, II SS @ tenth; {blockers}")
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.rule) == (ALLIED, "8.6b")


@rule("underbelly", "6.2", "8.6b")
def test_a_whole_corps_does_not_pass_through_others_who_would_overstack_it():
    guns = "XIV Pz @ 1024; LXXVI Pz @ 1025"
    held = holding(others(), NORTH[:14])
    match = summoned(f"{FRONT}; 1 SS, 2 SS, 24 Pz SS, II SS @ tenth; {held}; {guns}")
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.rule) == (ALLIED, "8.6b")


@rule("underbelly", "6.6a", "10.2a")
def test_units_enter_through_another_organisation_but_do_not_stop_there():
    counters = f"{FRONT}; 1 SS, II SS @ tenth; 15 PG @ 1012; 29 PG @ 1016; US 3 @ 1115"
    match = evening(9, counters, ss_entered=True)
    order(match, "move", "tenth", "1 SS", "II SS")
    assert "1012" in hexes(match, "enter")
    # An Allied zone would stop them in 1016 among strangers.
    assert "1016" not in hexes(match, "enter")
    assert refusal(match, "enter", hex="1016").rule == "6.6b"
    do(match, "enter", hex="1012")
    assert verbs(match) == {"go"}
    assert refusal(match, "halt").rule == "6.6b"
    do(match, "go", hex="1112")
    assert "halt" in verbs(match)
    halt(match)
    assert stack(match, "1112") == {"1 SS", "II SS"}


@rule("underbelly", "6.6b", "10.2b")
def test_who_has_no_points_to_go_on_does_not_enter_among_strangers():
    counters = f"{FRONT}; 71 Inf @ fifth; 15 PG @ 1013; 29 PG @ 1012"
    match = evening(16, counters, army_entered=True, army_aircraft=True)
    do(match, "move", hex="fifth")
    assert "1012" in hexes(match, "enter")  # one point of four
    assert "1013" in hexes(match, "enter")  # a mountain for two, with two left
    match.position.moves_left = 2
    again = Match(GAME, position=match.position, seed=1)
    assert "1012" in hexes(again, "enter")
    assert "1013" not in hexes(again, "enter")
    assert "1014" in hexes(again, "enter")


@rule("underbelly", "8.6c")
def test_the_corps_fits_into_one_hex():
    units = sum(1 << number(unit) for unit in CORPS)
    assert units == WAR.grouped[WAR.group_names.index("2SS")]
    assert WAR.stack_fits(units)


# 8.7: 5th Panzer Army assembles


@rule("underbelly", "8.7a")
@pytest.mark.parametrize("turn", [6, 9, 11, 12, 13, 20])
def test_half_the_die_says_how_many_units_assemble(turn: int):
    for die, count in ((1, 0), (2, 1), (5, 2), (9, 4), (10, 5)):
        match = dawn(turn, die, switched=True)
        assert [roll.rule for roll in rolls(match) if roll.rule != "11.11a"] == ["8.7a"]
        assert match.position.assembling == count
        if count:
            assert asked(match) == GERMAN
            assert named(match, "assemble") == ARMY


@rule("underbelly", "8.7a")
@pytest.mark.parametrize("turn", [3, 4, 5, 7, 8, 10])
def test_there_is_no_roll_before_other_turns(turn: int):
    match = dawn(turn, 10, 10, 10)
    assert "8.7a" not in [roll.rule for roll in rolls(match)]
    assert stack(match, "fifth") == set()


@rule("underbelly", "8.7a")
def test_the_german_chooses_which_units_assemble():
    match = dawn(6, 7)
    do(match, "assemble", "9 SS")
    assert "9 SS" not in named(match, "assemble")
    do(match, "assemble aircraft")
    assert "assemble aircraft" not in verbs(match)
    do(match, "assemble", "LI Mtn")
    assert stack(match, "fifth") == {"9 SS", "LI Mtn"}
    assert match.position.army_aircraft
    assert match.position.phase != "assembly"


def gathered(but: int = 0) -> str:
    """All of the army in its box, but for some units."""
    return f"{FRONT}; {', '.join(sorted(ARMY)[but:])} @ fifth"


@rule("underbelly", "8.7b")
def test_the_rolls_end_when_fifteen_units_are_there():
    match = dawn(15, 10, counters=gathered(2), army_aircraft=True)
    assert match.position.assembling == 2
    # The aircraft is the fifteenth unit, and comes by itself.
    last = dawn(15, 10, counters=gathered())
    assert [roll.rule for roll in rolls(last)] == ["8.7a"]
    assert last.position.army_aircraft
    entered = dawn(15, counters=f"{FRONT}; {placed()}", army_aircraft=True, army_entered=True)
    assert not rolls(entered)


def placed() -> str:
    """All of the army on the map."""
    stacks = ["1 Pz, 14 Pz, 25 Pz, LVIII Pz", "9 SS, 10 SS, FHH, LI Mtn", "16 SS, 1 Mtn, 100 Jg"]
    rest = ["71 Inf, 371 Inf, LXXXVII"]
    return "; ".join(f"{units} @ 1{n}14" for n, units in enumerate([*stacks, *rest], 1))


# 8.8: how it is committed


def mustered(counters: str = "", **fields: Any) -> Match[Table]:
    """A German command phase in which all of the army is in its box."""
    given = {"army_aircraft": True, "army_due": True}
    return evening(15, f"{gathered()}; 26 Pz @ 1714; {counters}", **given | fields)


@rule("underbelly", "8.8a")
def test_with_all_fifteen_in_the_box_the_army_must_enter_at_once():
    match = dawn(15, 10, counters=gathered(2), army_aircraft=True)
    do(match, "assemble")  # the other one is the last, and comes by itself
    assert match.position.army_due
    pass_on(match, until="command", side=GERMAN)
    assert {(o.verb, o.hex) for o in options(match)} == {
        (verb, at("fifth")) for verb in ("move", "column", "move-fight")
    }
    short = dawn(15, 2, counters=gathered(2), army_aircraft=True)
    assert named(short, "assemble") == set(sorted(ARMY)[:2])
    do(short, "assemble")
    assert not short.position.army_due


@rule("underbelly", "8.8a")
def test_all_fourteen_enter_before_anything_else_and_at_the_usual_price():
    match = mustered()
    assert refusal(match, "move", hex="1714").rule == "8.8a"
    for other in (refusal(match, "end"), refusal(match, "attack", hex="1714")):
        assert "Bring 5th Panzer Army onto the map, before all else" in other.sentence
    stacks = [
        ("1010", "1 Pz, 14 Pz, 25 Pz, LVIII Pz"),
        ("1011", "9 SS, 10 SS, FHH, LI Mtn"),
        ("1012", "16 SS, 1 Mtn, 100 Jg"),
        ("1021", "71 Inf, 371 Inf, LXXXVII"),
    ]
    for number_of, (hex, names) in enumerate(stacks, 1):
        order(match, "column" if hex == "1011" else "move", "fifth", *names.split(", "))
        do(match, "enter", hex=hex)
        halt(match)
        assert match.position.points == 6 - number_of
    assert stack(match, "fifth") == set()
    assert not match.position.army_due
    assert {"move", "end"} <= verbs(match)
    assert "1714" in hexes(match, "move")


@rule("underbelly", "8.8a")
def test_one_of_its_stacks_may_come_with_a_move_fight():
    match = mustered()
    order(match, "move-fight", "fifth", "1 Pz", "14 Pz", "25 Pz", "LVIII Pz")
    do(match, "enter", hex="1010")
    halt(match)
    assert match.position.points == 3
    assert verbs(match) == {"move", "column"}  # three points for the three stacks that wait


@rule("underbelly", "8.8c")
def test_no_order_may_leave_more_units_behind_than_the_points_can_bring():
    match = mustered(points=4)
    assert verbs(match) == {"move", "column"}
    order(match, "move", "fifth", "1 Pz")
    do(match, "enter", hex="1010")
    do(match, "halt")
    # Ten divisions are left: four stacks, and three points.
    assert verbs(match) == {"take"}
    assert refusal(match, "done").rule == "8.8c"
    order_more(match, "14 Pz", "1011")
    assert "done" in verbs(match)


def order_more(match: Match[Table], unit: str, *way: str) -> None:
    """Another unit of the box comes on with the same command."""
    do(match, "take", unit)
    for verb, hex in zip(("enter", "go"), way):
        do(match, verb, hex=hex)
    do(match, "halt")


@rule("underbelly", "8.8b", "8.8c")
def test_an_army_without_the_points_to_enter_loses_the_game():
    match = mustered(points=3)
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.rule) == (ALLIED, "8.8b")


@rule("underbelly", "8.8b")
def test_an_army_without_a_hex_to_enter_loses_the_game():
    match = mustered(holding(allies(), NORTH))
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.rule) == (ALLIED, "8.8b")


@rule("underbelly", "6.6a", "8.8a")
def test_the_army_enters_through_the_units_of_tenth_army():
    match = mustered(holding(others(), NORTH), ss_entered=True)
    order(match, "move", "fifth", "1 Pz", "14 Pz")
    assert named(match, "take along") == {"LVIII Pz", "LI Mtn", "LXXXVII"}  # no room for a third
    do(match, "enter", hex="1012")
    do(match, "go", hex="1112")
    do(match, "halt")
    order_more(match, "25 Pz", "1011", "1111")
    assert stack(match, "1112") == {"1 Pz", "14 Pz"}
    assert match.position.points == 5
    assert match.outcome is None


GATE = {"army_aircraft": True, "army_due": True, "army_entered": True}
"""Part of the army is on the map, and the rest must follow in this turn."""


@rule("underbelly", "8.8c")
def test_a_stack_is_taken_no_larger_than_the_room_in_the_north():
    held = holding(allies(), NORTH[1:])
    counters = f"{FRONT}; {held}; 1 Pz, 14 Pz @ 1010; 25 Pz, LVIII Pz, FHH @ fifth"
    match = evening(15, counters, **GATE)
    do(match, "move", hex="fifth")
    assert "take all" not in verbs(match)
    do(match, "take", "25 Pz")
    assert named(match, "take along") == {"LVIII Pz"}  # of divisions one more, but the guns besides
    assert refusal(match, "take along", "FHH").rule == "8.8a"
    do(match, "enter", hex="1010")
    assert stack(match, "1010") == {"1 Pz", "14 Pz", "25 Pz"}


@rule("underbelly", "8.8b", "8.8c")
def test_units_that_find_no_room_in_the_north_lose_the_game():
    held = holding(allies(), NORTH[1:])
    counters = f"{FRONT}; {held}; 1 Pz, 14 Pz @ 1010; 25 Pz, FHH @ fifth"
    match = evening(15, counters, **GATE)
    order(match, "move", "fifth", "25 Pz")  # in 1010, the only hex; the other finds it full
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.rule) == (ALLIED, "8.8b")


@rule("underbelly", "8.8c")
def test_who_finds_room_enters_though_others_do_not():
    """Three divisions fill the only hex; the guns still come in, and then the game is lost."""
    held = holding(allies(), NORTH[1:])
    counters = f"{FRONT}; {held}; 1 Pz, 14 Pz, 9 SS @ 1010; 25 Pz, LVIII Pz @ fifth"
    match = evening(15, counters, **GATE)
    do(match, "move", hex="fifth")  # there is nothing to choose after that
    assert stack(match, "1010") == {"1 Pz", "14 Pz", "9 SS", "LVIII Pz"}
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.rule) == (ALLIED, "8.8b")


@rule("underbelly", "8.8d")
def test_no_part_of_the_army_enters_early():
    match = evening(9, f"{gathered(3)}; 26 Pz @ 1714; 11 Flak @ tenth")
    assert {"tenth"} == hexes(match, "move") & {"tenth", "fifth"}
    assert "fifth" not in hexes(match, "column") | hexes(match, "move-fight")
    assert refusal(match, "move", hex="fifth").rule == "8.8d"
    assert refusal(match, "column", hex="fifth").rule == "8.8d"
