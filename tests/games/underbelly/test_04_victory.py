"""Chapter 4: how to win."""

from __future__ import annotations

from typing import Any

import pytest

from apennine.games.underbelly.rules.c04_victory import judge
from apennine.games.underbelly.rules.c05_sequence import line
from apennine.games.underbelly.table.position import UNDECIDED
from apennine.kernel.game import EVERYBODY
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.underbelly.drawing import (
    ALLIED,
    GERMAN,
    HISTORICAL,
    LOST,
    NO_PORTS,
    NOWHERE,
    TIBER,
    WAR,
    Table,
    all_towns,
    allowance,
    at,
    attack,
    begin,
    codes,
    deploy,
    do,
    events,
    fight_out,
    fresh,
    idle,
    march,
    mask,
    order,
    seen,
    shoot_out,
    table,
    towns,
    verbs,
    where,
)

MISS = 10
BOTH = pytest.mark.parametrize("scenario", [HISTORICAL, TIBER])
AFTER_SWITCH = [LOST, LOST, at("4108"), at("5328"), at("2522"), LOST]
"""The ports once Naples is open; Bari has been lost."""


def verdict(match: Match[Table]) -> tuple[int, str] | None:
    """Who has won, and by which rule; None if nobody has."""
    found = match.outcome
    return (found.winner, found.rule) if found else None


def last_moment(counters: str, **fields: Any) -> Match[Table]:
    """The end of Game Turn 23."""
    given: dict[str, Any] = {"turn": 23, "switched": True, "ports": AFTER_SWITCH}
    return begin(counters, GERMAN, phase="end", **given | fields)


# 4.1: the Historical Scenario


@rule("underbelly", "4.1a")
@pytest.mark.parametrize("turn", [2, 10, 23])
def test_the_last_town_wins_for_the_allies_at_once_even_out_of_supply(turn: int):
    match = begin(
        "US 36 @ 1211", turn=turn, control=all_towns("1109"), ports=NO_PORTS, switched=True
    )
    assert "out of supply" in seen(match, ALLIED, "US 36")["status"]
    order(match, "move", "1211")
    assert verdict(match) is None
    do(match, "go", hex="1210")  # next to Pescara
    assert verdict(match) == (ALLIED, "4.1a")


@rule("underbelly", "4.1a")
def test_one_town_short_is_not_enough_and_in_watch_on_the_tiber_towns_do_not_win():
    short = begin("US 36 @ 1211", control=all_towns("1109 2608"), switched=True)
    march(short, "1211", "1210")
    assert verdict(short) is None
    tiber = begin("US 36 @ 1211", control=all_towns("1109"), scenario=TIBER, switched=True)
    march(tiber, "1211", "1210")
    assert towns(tiber) == codes(WAR.towns)
    assert verdict(tiber) is None


@rule("underbelly", "4.1a")
def test_the_last_town_may_fall_to_a_battle():
    match = begin("US 36, US 45 @ 1210; XIV Pz @ 1109", control=all_towns("1109"), switched=True)
    attack(match, "1210", "1109", dice=(MISS, 1, 1))
    fight_out(match)
    assert verdict(match) == (ALLIED, "4.1a")


@rule("underbelly", "4.1b", "4.2e")
@BOTH
def test_an_allied_unit_that_leaves_the_map_to_the_north_wins_at_once(scenario: int):
    match = begin("US 36 @ 1111", turn=22, scenario=scenario, switched=True)
    order(match, "move", "1111")
    assert "exit" not in verbs(match)
    do(match, "go", hex="1011")
    assert verdict(match) is None
    do(match, "exit")
    assert verdict(match) == (ALLIED, "4.2e" if scenario == TIBER else "4.1b")
    assert seen(match, ALLIED, "US 36")["where"] == "out of play"


@rule("underbelly", "4.1c")
def test_leaving_takes_one_point():
    match = begin("1 Abn @ 1011")
    order(match, "move", "1011")
    for hex in ("1010", "1011", "1010"):
        assert "exit" in verbs(match)
        do(match, "go", hex=hex)
    assert match.position.moves_left == 1
    assert "exit" in verbs(match)
    do(match, "go", hex="1011")  # the last point
    assert "exit" not in verbs(match)
    # Hesitant, mixed and without supply, the same division has no point at all.
    weak = begin("1 Abn, US 36 @ 1011", turn=3, ports=NO_PORTS, switched=True)
    assert allowance(weak, "1011", "1 Abn") == 0
    order(weak, "move", "1011", "1 Abn")
    assert "exit" not in verbs(weak)


@rule("underbelly", "4.1c")
def test_nobody_leaves_in_column_and_supply_does_not_matter():
    column = begin("US 36 @ 1011")
    order(column, "column", "1011")
    assert "exit" not in verbs(column)
    do(column, "go", hex="1010")
    assert "exit" not in verbs(column)
    starving = begin("US 36 @ 1011", ports=NO_PORTS, switched=True)
    assert "out of supply" in seen(starving, ALLIED, "US 36")["status"]
    order(starving, "move", "1011")
    do(starving, "exit")
    assert verdict(starving) == (ALLIED, "4.1b")


CUT_OFF = "US 36 @ 2409; US 45 @ 2412; US 3 @ 2110"
"""A ring of zones around 2310."""


@rule("underbelly", "4.1d")
def test_at_the_last_moment_unsupplied_germans_are_removed():
    match = last_moment(f"16 Pz, XIV Pz @ 2310; 29 PG @ 1109; {CUT_OFF}")
    assert (where(match, "16 Pz"), where(match, "XIV Pz")) == (None, None)
    assert where(match, "29 PG") == "1109"
    assert [event.hex for event in events(match, "Germans are cut off")] == [at("2310")]


SAPRI = "16 Pz @ 3519; US 36 @ 3319; US 45 @ 3618"
"""A division cut off in Sapri; its zone and an Allied one are in Lagonegro (3518)."""


@rule("underbelly", "4.1d")
@pytest.mark.parametrize(("counters", "end"), [(SAPRI, (ALLIED, "4.1a")), ("16 Pz @ 3519", None)])
def test_hex_and_zone_of_the_starving_fall_to_the_allies(counters: str, end: object):
    match = last_moment(counters, control=all_towns("3519 3518"))
    assert verdict(match) == (end or (GERMAN, "4.1e"))
    assert ({"3519", "3518"} <= towns(match)) is bool(end)


@rule("underbelly", "4.1d")
def test_corps_support_that_starves_gives_up_only_its_own_hex():
    """The 29th Panzergrenadier, in supply, still contests Lagonegro."""
    guns = SAPRI.replace("16 Pz", "XIV Pz")
    match = last_moment(f"{guns}; 29 PG @ 3517", control=all_towns("3519 3518"))
    assert codes(WAR.towns) - towns(match) == {"3518"}
    assert where(match, "XIV Pz") is None


@rule("underbelly", "4.1h")
def test_the_zone_of_the_starving_falls_though_a_supplied_german_reaches_there_too():
    match = last_moment(f"{SAPRI}; 29 PG @ 3517", control=all_towns("3519 3518"))
    assert where(match, "29 PG") == "3517"
    assert verdict(match) == (ALLIED, "4.1a")


@rule("underbelly", "4.1h")
def test_what_a_supplied_german_stands_in_stays_german():
    match = last_moment(f"{SAPRI}; 29 PG @ 1109", control=all_towns("3519 3518 1109"))
    assert codes(WAR.towns) - towns(match) == {"1109"}
    assert verdict(match) == (GERMAN, "4.1e")


@rule("underbelly", "4.1e")
def test_who_has_not_won_by_the_end_of_the_year_has_lost():
    match = last_moment("16 Pz @ 1109; US 36 @ 2522", control=all_towns("1109"))
    assert verdict(match) == (GERMAN, "4.1e")
    earlier = last_moment("16 Pz @ 1109; US 36 @ 2522", control=all_towns("1109"), turn=22)
    assert verdict(earlier) is None


@rule("underbelly", "4.1f", "4.2h")
@BOTH
def test_without_the_switch_the_allies_lose_after_turn_20(scenario: int):
    late = begin("HG @ 2522; US 36 @ 3309", GERMAN, "end", turn=20, scenario=scenario)
    assert verdict(late) == (GERMAN, "11.9c")
    early = begin("HG @ 2522; US 36 @ 3309", GERMAN, "end", turn=19, scenario=scenario)
    assert verdict(early) is None
    in_time = begin("HG @ 1211; US 36 @ 2522", GERMAN, "end", turn=20, scenario=scenario)
    assert in_time.position.switched
    assert verdict(in_time) is None


@rule("underbelly", "4.1g", "4.2b")
@pytest.mark.parametrize("scenario", [UNDECIDED, HISTORICAL, TIBER])
@pytest.mark.parametrize(("start", "beach"), [("2721", "2822"), ("3022", "2921")])
def test_a_german_in_salerno_or_paestum_wins_at_once(scenario: int, start: str, beach: str):
    turn = 10 if scenario else 1
    match = begin(f"16 Pz @ {start}; US 36 @ 3309", GERMAN, scenario=scenario, turn=turn)
    order(match, "move", start)
    do(match, "go", hex=beach)
    assert verdict(match) == (GERMAN, "4.2b" if scenario == TIBER else "4.1g")
    assert match.position.points == 5  # the rest of the turn is not played


@rule("underbelly", "4.1g", "4.2b")
@BOTH
def test_after_the_switch_the_beaches_are_towns_as_others_are(scenario: int):
    fields: dict[str, Any] = {"switched": True, "ports": AFTER_SWITCH, "scenario": scenario}
    match = begin("16 Pz @ 2721; US 36 @ 2522", GERMAN, **fields)
    match.position.control |= mask("2822 2921")
    march(match, "2721", "2822")
    assert verdict(match) is None
    assert "2822" not in towns(match)


@rule("underbelly", "4.1i")
@pytest.mark.parametrize("marker", [True, False])
def test_a_zone_takes_a_beach_only_if_its_marker_is_gone(marker: bool):
    """A German comes to Paestum, or an Allied division goes away from it or dies beside it."""
    ports = [at("2822"), at("2921") if marker else LOST, at("4108"), at("5328"), -2, -2]
    lost = None if marker else (GERMAN, "4.1g")
    coming = begin("16 Pz @ 3120; US 36 @ 3309", GERMAN, ports=ports)
    march(coming, "3120", "3021")
    assert verdict(coming) == lost
    going = begin("US 36 @ 3022; 16 Pz @ 3021", ports=ports)
    march(going, "3022", "3122")
    assert verdict(going) == lost
    dying = begin("16 Pz, HG @ 3021; US 36 @ 3022 steps=1", GERMAN, ports=ports)
    attack(dying, "3021", "3022", dice=(MISS, 1))
    fight_out(dying)
    assert where(dying, "US 36") is None
    assert verdict(dying) == lost


@rule("underbelly", "4.1j")
def test_nobody_leaves_the_map_by_a_retreat_or_an_advance():
    match = begin("16 Pz, 29 PG @ 1110; US 36, US 45 @ 1010; US VI @ 1011", GERMAN)
    attack(match, "1110", "1010", dice=(*[MISS] * 4, 1, *[MISS] * 3))
    shoot_out(match)
    do(match, "retreat")
    assert (where(match, "US 36"), verdict(match)) == ("1011", None)  # the one way is to friends
    winners = begin("US 36, US 45 @ 1110; XIV Pz @ 1010", switched=True)
    attack(winners, "1110", "1010", dice=(MISS, 1))
    shoot_out(winners)
    do(winners, "advance", "US 36")
    idle(winners)
    assert (where(winners, "US 36"), verdict(winners)) == ("1010", None)
    assert "exit" not in verbs(winners)


@rule("underbelly", "4.1j")
def test_the_move_of_a_fight_move_does_not_lead_off_the_map():
    """A German could leave against an end-run, but only by a move command."""
    fields: dict[str, Any] = {"plot": 13, "launched": 13, "turn": 14, "scenario": TIBER}
    match = begin("16 Pz, 29 PG @ 1111; US 36 @ 1011 steps=1", GERMAN, **fields)
    do(match, "fight-move", hex="1111")
    deploy(match, dice=(MISS, 1, 1))
    while match.position.target != NOWHERE:
        do(match, next(v for v in ("fire at", "fire on", "advance") if v in verbs(match)))
    do(match, "take all")
    assert where(match, "16 Pz") == "1011"
    assert "exit" not in verbs(match)
    regular = begin("16 Pz, 29 PG @ 1011", GERMAN, **fields)
    order(regular, "move", "1011")
    assert "exit" in verbs(regular)


@rule("underbelly", "4.1j")
def test_an_allied_unit_leaves_only_by_a_regular_move_that_has_a_point_left():
    for verb, may in (("move", True), ("column", False)):
        match = begin("US 36 @ 1011")
        order(match, verb, "1011")
        assert ("exit" in verbs(match)) is may
    spent = begin("1 Abn, US 36 @ 1011", turn=3, ports=NO_PORTS, switched=True)
    order(spent, "move", "1011", "1 Abn")
    assert spent.position.moves_left == 0
    assert "exit" not in verbs(spent)


# 4.2: Watch on the Tiber


PRIZE_HUNT = "16 Pz @ 4107; HG @ 2522; US 36 @ 1010"


@rule("underbelly", "4.2a")
@pytest.mark.parametrize("supplied", [True, False])
def test_naples_and_taranto_in_german_hands_win_at_once(supplied: bool):
    ring = "" if supplied else "; US 45 @ 3906; US 3 @ 3907"
    match = begin(PRIZE_HUNT + ring, GERMAN, scenario=TIBER, turn=22, switched=True)
    assert ("out of supply" in seen(match, GERMAN, "16 Pz")["status"]) is not supplied
    order(match, "move", "4107")
    do(match, "go", hex="4108")
    assert verdict(match) == (GERMAN, "4.2a")


@rule("underbelly", "4.2a")
def test_one_prize_is_not_enough_and_in_the_historical_scenario_they_are_none():
    one = begin("16 Pz @ 4107; US 36 @ 2522", GERMAN, scenario=TIBER, switched=True)
    march(one, "4107", "4108")
    assert verdict(one) is None
    historical = begin(PRIZE_HUNT, GERMAN, scenario=HISTORICAL, switched=True)
    march(historical, "4107", "4108")
    assert verdict(historical) is None


@rule("underbelly", "4.2a")
@pytest.mark.parametrize("german", ["2522", "4108"])
def test_no_other_city_or_town_stands_in_for_a_prize(german: str):
    """Bari falls to the Germans, who hold one of the two prizes."""
    allied = "4108" if german == "2522" else "2522"
    match = begin(
        f"HG @ {german}; US 36 @ {allied}; 16 Pz @ 3308",
        GERMAN,
        scenario=TIBER,
        switched=True,
        ports=NO_PORTS,
        control=all_towns(german),
    )
    march(match, "3308", "3306")
    assert "3306" not in towns(match)
    assert verdict(match) is None


@rule("underbelly", "4.2c")
def test_no_allied_exit_can_follow_a_german_win():
    """The 36th stands in 1010, one point from leaving the map; the match is over before."""
    match = begin(PRIZE_HUNT, GERMAN, scenario=TIBER, switched=True)
    order(match, "move", "4107")
    do(match, "go", hex="4108")
    assert match.decision is None
    assert match.position.points == 5
    beach = begin("16 Pz @ 2721; US 36 @ 1010", GERMAN, scenario=TIBER)
    order(beach, "move", "2721")
    do(beach, "go", hex="2822")
    assert (beach.decision, verdict(beach)) == (None, (GERMAN, "4.2b"))


@rule("underbelly", "4.2c")
def test_what_the_german_wins_goes_before_what_the_allies_win():
    """At one and the same instant every town but Salerno is Allied, and Salerno falls."""
    pos = table("US 36 @ 3309", control=all_towns("2822"))
    judge(WAR, pos)
    assert pos.verdict
    judged = pos.verdict
    pos.control = WAR.towns
    judge(WAR, pos)
    assert pos.verdict == judged


PRIZES = "US 36 @ 2522; 1 Abn @ 4108"
AROUND_TARANTO = "16 Pz @ 4207; 29 PG @ 4007"


@rule("underbelly", "4.2d")
def test_both_prizes_joined_win_and_apart_they_are_a_draw():
    joined = last_moment(f"{PRIZES}; 16 Pz @ 3309", scenario=TIBER)
    assert verdict(joined) == (ALLIED, "4.2d")
    apart = last_moment(f"{PRIZES}; {AROUND_TARANTO}", scenario=TIBER)
    assert verdict(apart) == (EVERYBODY, "4.2d")
    earlier = last_moment(f"{PRIZES}; 16 Pz @ 3309", scenario=TIBER, turn=22)
    assert verdict(earlier) is None
    # A line to a prize that is German wins nothing.
    for control in ("2522", "4108"):
        half = last_moment("US 36 @ 3309", scenario=TIBER, control=mask(control))
        assert verdict(half) == (EVERYBODY, "4.2f")


@rule("underbelly", "4.2f")
@pytest.mark.parametrize("held", ["2522", "4108"])
def test_one_prize_at_the_end_is_a_draw(held: str):
    other = "4108" if held == "2522" else "2522"
    match = last_moment(
        f"US 36 @ {held}; HG @ {other}", scenario=TIBER, ports=[*NO_PORTS[:5], LOST]
    )
    assert verdict(match) == (EVERYBODY, "4.2f")


@rule("underbelly", "4.2g")
@pytest.mark.parametrize(("scenario", "stays"), [(TIBER, True), (HISTORICAL, False)])
def test_only_the_historical_scenario_ends_with_a_supply_check(scenario: int, stays: bool):
    match = last_moment(f"16 Pz @ 2310; {CUT_OFF}; 1 Abn @ 4108", scenario=scenario)
    assert (where(match, "16 Pz") == "2310") is stays


@rule("underbelly", "4.2i")
def test_taranto_is_allied_at_the_start_and_the_prizes_count_from_turn_2():
    match = fresh("wat")
    assert {"4108"} == {"2522", "4108"} & towns(match)
    pos = table("HG @ 2522; 16 Pz @ 4108", GERMAN, turn=1, scenario=UNDECIDED, ports=NO_PORTS)
    pos.scenario, pos.switched = TIBER, True
    judge(WAR, pos)
    assert not pos.verdict
    pos.turn = 2
    judge(WAR, pos)
    assert pos.verdict


@rule("underbelly", "4.2i")
def test_prizes_taken_in_turn_1_win_as_soon_as_the_scenario_is_known():
    match = begin(
        "HG @ 2522; 16 Pz @ 4108; US 36 @ 3309",
        GERMAN,
        "end",
        turn=1,
        scenario=UNDECIDED,
        ports=[at("2822"), at("2921"), LOST, at("5328"), -2, -2],
        agreed=TIBER,
    )
    assert match.position.turn == 2
    assert verdict(match) == (GERMAN, "4.2a")


# 4.3: the line of communications


WALL = "HG @ 3008; 15 PG @ 3011; 26 Pz @ 3013; 29 PG @ 3015; 16 Pz @ 3019; 1 Para @ 3022"
"""From sea to sea; the only hexsides without a German zone on both banks, at 3017, are blocked."""


@rule("underbelly", "4.3a")
def test_a_german_zone_cuts_the_line_unless_an_allied_unit_stands_in_it():
    open_door = WALL.replace("1 Para @ 3022", "XIV Pz @ 3022")
    assert verdict(last_moment(f"{PRIZES}; {open_door}", scenario=TIBER)) == (ALLIED, "4.2d")
    closed = last_moment(f"{PRIZES}; {WALL}", scenario=TIBER)
    assert verdict(closed) == (EVERYBODY, "4.2d")
    held = last_moment(f"{PRIZES}; US 45 @ 3010; US 3 @ 2909; {WALL}", scenario=TIBER)
    assert verdict(held) is not None
    through = f"{PRIZES}; US 45 @ 3009; US 3 @ 2909; US 34 @ 3109; US VI @ 3110; {WALL}"
    assert verdict(last_moment(through, scenario=TIBER)) == (ALLIED, "4.2d")


@rule("underbelly", "4.3a")
def test_german_units_themselves_bar_the_line_though_they_have_no_zone():
    """Three corps of artillery stand on the three ways out of Taranto."""
    guns = "XIV Pz @ 4107; LXXVI Pz @ 4208; 1P @ 4008"
    assert verdict(last_moment(f"{PRIZES}; {guns}", scenario=TIBER)) == (EVERYBODY, "4.2d")
    two = guns.replace("; 1P @ 4008", "")
    assert verdict(last_moment(f"{PRIZES}; {two}", scenario=TIBER)) == (ALLIED, "4.2d")


@rule("underbelly", "4.3a")
@pytest.mark.parametrize(
    ("front", "guard"), [("16 Pz @ 2422", "US 36 @ 2522"), ("16 Pz @ 4208", "1 Abn @ 4108")]
)
def test_the_two_cities_belong_to_the_line(front: str, guard: str):
    """A German zone in Naples or Taranto itself cuts it, unless an Allied unit stands there."""
    alone = last_moment(front, scenario=TIBER, control=all_towns())
    assert verdict(alone) == (EVERYBODY, "4.2d")
    held = last_moment(f"{front}; {guard}", scenario=TIBER, control=all_towns())
    assert verdict(held) == (ALLIED, "4.2d")


@rule("underbelly", "4.3b")
def test_the_line_does_not_cross_blocked_hexsides():
    match = last_moment(f"{PRIZES}; {WALL}", scenario=TIBER)
    assert verdict(match) == (EVERYBODY, "4.2d")
    # The hexes on both banks of the blocked sides are free.
    german = WAR.lookouts.find(match.position.hex)[GERMAN]
    assert not (german.zone | german.occupied) & mask("2916 2917 3017")


@rule("underbelly", "4.3b")
def test_the_line_does_not_cross_a_lake():
    """Guns stand on all ways to 5019 but the one over the lake from 4918."""
    guns = "XIV Pz @ 5018; LXXVI Pz @ 5118; 1P @ 5119; II SS @ 5020; LVIII Pz @ 4919"
    fields: dict[str, Any] = {"scenario": TIBER, "army_entered": True, "ss_entered": True}
    found = codes(line(WAR, table(f"{PRIZES}; {guns}", **fields)))
    assert "4918" in found
    assert "5019" not in found
    one_less = codes(line(WAR, table(f"{PRIZES}; {guns.partition('; ')[2]}", **fields)))
    assert "5019" in one_less


@rule("underbelly", "4.3c")
def test_the_line_runs_from_naples_to_taranto_not_to_salerno():
    around_salerno = "16 Pz @ 2721; HG @ 2821; 29 PG @ 3021"
    assert verdict(last_moment(f"{PRIZES}; {around_salerno}", scenario=TIBER)) == (ALLIED, "4.2d")
    match = last_moment(f"{PRIZES}; {AROUND_TARANTO}", scenario=TIBER)
    assert verdict(match) == (EVERYBODY, "4.2d")
