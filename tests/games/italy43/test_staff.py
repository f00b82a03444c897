"""The staff bot of Italy '43: how it plays, what it may know, and how quick it is."""

from random import Random
from typing import Any

import pytest

from apennine.bots import RandomBot
from apennine.games.italy43.rules.c06_zones import zone
from apennine.games.italy43.staff.advance import guard_rear
from apennine.games.italy43.staff.bot import JUDGES
from apennine.games.italy43.staff.force import Force
from apennine.games.italy43.staff.hold import keep_back
from apennine.games.italy43.staff.mind import Mind, Plan, staff_of
from apennine.games.italy43.staff.weights import USUAL
from apennine.games.italy43.table.position import ALLIED, GERMAN, Table
from apennine.hexes import bits
from apennine.kernel.decision import Option
from apennine.kernel.match import Match
from apennine.lab import Series, play
from tests.games.italy43.drawing import GAME, WAR, at, begin, mask, number, table

STAFF = GAME.bots["staff"]


def mind_of(pos: Table, side: int) -> Mind:
    return Mind(staff_of(WAR, USUAL), pos, side, Plan(1))


def opening(scenario: str) -> Table:
    return Match(GAME, scenario, seed=1).position


def choice(match: Match[Table], seed: int = 1) -> Option:
    return STAFF(seed)(match.seat())


def after_german_moves(seed: str) -> Table:
    """The Bernhard Line once the Germans have moved for the first time."""
    match, bot = Match(GAME, "bernhard", seed=seed), STAFF(1)
    while match.position.side == GERMAN and match.position.phase != "combat":
        match.choose(bot(match.seat()))
    return match.position


@pytest.mark.parametrize("side", [ALLIED, GERMAN])
@pytest.mark.parametrize("scenario", ["volturno", "bernhard"])
def test_it_beats_the_random_bot_on_either_side(side: int, scenario: str):
    bots = ("staff", "random") if side == ALLIED else ("random", "staff")
    series = Series("italy43", scenario, bots=bots, games=2, seed="yardstick").checked()
    assert [play(series, number).winner for number in range(2)] == [side] * 2


def test_two_of_them_play_a_whole_game_without_a_fault():
    match = Match(GAME, "volturno", seed="quick")
    bots = STAFF(1), STAFF(2)
    while match.decision:
        seat = match.seat()
        match.choose(bots[seat.side](seat))
        if match.checkpoint.at == len(match.log):
            assert match.check() == []
    assert match.outcome is not None


def test_it_repeats_itself_for_the_same_seed():
    series = Series("italy43", "volturno", bots=("staff",), games=1, seed="again").checked()
    assert play(series, 0) == play(series, 0)


def test_it_has_a_judgement_for_every_verb_of_random_games_but_those_that_end_a_step():
    random = RandomBot(3, by_verb=True)
    met: set[str] = set()
    options = {switch.key: True for switch in GAME.switches}
    for scenario in ("volturno", "bernhard", "bernhard"):
        match = Match(GAME, scenario, options, seed=f"verbs/{scenario}/{len(met)}")
        while match.decision:
            seat = match.seat()
            met |= {o.verb for o in seat.decision.options if o != Option(o.verb)}
            match.choose(random(seat))
    assert len(met) > 30
    assert met <= set(JUDGES)


def test_it_can_take_over_in_the_middle_of_a_random_game():
    random, bot = RandomBot(5), STAFF(5)
    match = Match(GAME, "volturno", seed="take over")
    choice = Random(5)
    while match.decision:
        seat = match.seat()
        match.choose(bot(seat) if choice.random() < 0.3 else random(seat))
    assert match.outcome is not None


# How it thinks.


def test_every_division_has_a_road_of_its_own():
    aims = mind_of(opening("volturno"), ALLIED).aims
    assert len(aims) >= 5
    assert len(set(aims.values())) >= 3


def test_two_bots_do_not_make_for_the_same_places():
    pos = opening("volturno")
    staff = staff_of(WAR, USUAL)
    plans = [Mind(staff, pos, ALLIED, Plan(seed)).aims for seed in range(8)]
    assert any(plan != plans[0] for plan in plans)


def test_a_step_counts_less_when_less_is_left_to_do():
    early, late = (
        mind_of(table(scenario="campaign", turn=turn), GERMAN).step(GERMAN) for turn in (1, 32)
    )
    assert late < early


def test_it_knows_who_would_break_a_bond():
    bond = "8/3PG @ 2417; 29/3PG @ 2319"
    assert not mind_of(table(bond), ALLIED).breaks
    assert mind_of(table(f"{bond}; 7/3 @ 2318"), ALLIED).breaks == 1 << at("2418")


def test_trucks_bring_up_who_is_far_behind():
    match = begin("141/36 @ 2123; 577/305 @ 2707; 7/3 @ 2709", "movement", supplied=-1)
    assert choice(match) == Option("load", number("141/36"))


def test_who_is_near_the_enemy_goes_on_foot():
    match = begin("7/3 @ 2710; 577/305 @ 2707", "movement", supplied=-1)
    assert choice(match).verb != "load"


def test_a_battalion_gets_away_from_a_division_where_it_may():
    counters = "305 Fus @ 2711; 7/3, 15/3 @ 2712; 30/3, 751 Tk @ 2612"
    match = begin(counters, "combat", GERMAN, disengagements=True)
    assert choice(match) == Option("disengage", number("305 Fus"))


def test_guns_stay_out_of_reach_of_the_enemy():
    pos = after_german_moves("guns")
    front = zone(WAR, pos, ALLIED)
    guns = [u for u in bits(WAR.artillery & WAR.army[GERMAN]) if WAR.ground.bit[pos.hex[u]]]
    assert len(guns) > 5
    assert not [WAR.names[u] for u in guns if front >> pos.hex[u] & 1]


def test_the_line_of_november_is_held_and_not_given_up():
    before, pos = opening("bernhard"), after_german_moves("line")
    contact = zone(WAR, pos, ALLIED)
    foot = WAR.bonding & WAR.army[GERMAN]
    there = [u for u in bits(foot) if WAR.ground.bit[before.hex[u]]]
    touching = [u for u in there if contact >> pos.hex[u] & 1]
    assert 2 * len(touching) > len(there)


def movement(counters: str, side: int, **fields: Any) -> Force:
    """The units of a side that think of their movement."""
    return Force(mind_of(table(counters, "movement", side, supplied=-1, **fields), side))


def goals(force: Force) -> dict[str, str]:
    return {WAR.names[unit]: WAR.board.code(goal.hex) for unit, goal in force.goals.items()}


def test_a_reserve_on_wheels_stands_behind_the_post_that_covers_most():
    others = "I/104/15, II/104/15 @ 2509; III/104/15, 8/3PG @ 2508"
    force = movement(f"129/15 @ 2510; {others}; 7/3 @ 2713", GERMAN)
    keep_back(force, {at("2512"): 2, at("2710"): 1})
    ((unit, goal),) = force.goals.items()
    assert unit == number("129/15")  # the strongest
    assert 1 < WAR.lattice.distance(at("2512"), goal.hex) <= USUAL.reserve
    force = movement(f"129/15 @ 2510; {others}; 7/3 @ 2713", GERMAN)
    keep_back(force, {at("2512"): 0})  # nothing lies behind it
    assert not force.goals


def test_places_behind_the_front_are_guarded_by_the_weakest_who_can_get_there():
    counters = "33/15 @ 2510; 7/3, 1 Rgr, 756 Tk @ 2514; 15/3 @ 2719"
    force = movement(counters, ALLIED, control=mask("2512 2918"))
    guard_rear(force)
    assert goals(force) == {"756 Tk": "2512"}  # no enemy could drive to 2918


def test_minturno_is_fortified_before_what_lies_farther_back():
    pos = opening("bernhard")
    judge = JUDGES["start a fortification"]
    mind = mind_of(pos, GERMAN)
    assert judge(mind, Option("start a fortification", hex=at("1908"))) > judge(
        mind, Option("start a fortification", hex=at("2703"))
    )


def test_it_shatters_nobody_while_its_own_stacks_are_too_high_for_it():
    shatter = Option("shatter", hex=at("2020"))
    force = "7/3, 15/3 @ 2019; 30/3, 191 Tk @ 2120"
    full = dict[str, Any](steps=list(WAR.full))
    pos = table(f"{force}; II/FJ3 @ 2020", "movement", ALLIED, **full)
    assert JUDGES["shatter"](mind_of(pos, ALLIED), shatter) > 0
    crowd = f"{force}; 157/45, 180/45 @ 2120; II/FJ3 @ 2020"
    pos = table(crowd, "movement", ALLIED, **full)
    assert JUDGES["shatter"](mind_of(pos, ALLIED), shatter) < 0
