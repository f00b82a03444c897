"""The staff bot of Anzio: what it plans, how it plays, and that it repeats itself."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from apennine.bots import RandomBot
from apennine.bots.staff.line import closed_by, walked
from apennine.games import get
from apennine.games.anzio.rules.b4e_zones import there
from apennine.games.anzio.rules.c15_victory import way_past_the_front
from apennine.games.anzio.staff.bot import JUDGES, StaffBot, goals, plan
from apennine.games.anzio.staff.chances import Chances, Stack
from apennine.games.anzio.staff.force import Force, divide
from apennine.games.anzio.staff.hold import main_body, plans_of
from apennine.games.anzio.staff.mind import Mind, Plan, staff_of
from apennine.games.anzio.staff.weights import USUAL
from apennine.games.anzio.table.position import ALLIED, GERMAN, OPEN, Table
from apennine.hexes import mask_of
from apennine.kernel.decision import Option
from apennine.kernel.match import Match
from apennine.lab import Series, play
from tests.games.anzio.drawing import WAR, at, base, mask, number, table
from tests.games.anzio.playing import begin, pass_on

GAME: Any = get("anzio")
GUSTAV = (
    "15 PzG @ L51; HG @ N49; 2 Para @ P47; 26 Pz @ R47; 29 PzG @ T45; 1 Para @ V44; 16 Pz @ J51"
)
DIE_COLUMNS = len(WAR.ladder)


def mind(pos: Table, side: int, seed: int = 1) -> Mind:
    return Mind(staff_of(WAR, USUAL), pos, side, Plan(seed), goals)


def ashore(counters: str, **fields: Any) -> Table:
    pos = table(counters, **fields)
    salerno = base("Salerno zone")
    pos.bases[salerno] = OPEN
    pos.friendly |= WAR.ground.bases[salerno].hexes
    return pos


# What it thinks.


def test_better_odds_promise_more():
    chances = Chances(WAR)
    promises = [chances.attack(column, Stack(4, doubled=False)) for column in range(DIE_COLUMNS)]
    falls = [promise.falls for promise in promises]
    assert falls == sorted(falls)
    doubled = chances.attack(5, Stack(4, doubled=True))
    assert doubled.attacker == 2 * promises[5].attacker
    assert chances.attack(7, Stack(4, doubled=False, trapped=True)).defender == 4


def test_everybody_next_to_an_enemy_gets_a_battle_and_every_enemy_an_attacker():
    pos = table("56 Br, 36 US @ W53; 45 US @ V53; 29 PzG @ W52; Ers inf 1 @ V52", "combat")
    able = [number(name) for name in ("56 Br", "36 US", "45 US")]
    found = divide(mind(pos, ALLIED), able, mask("W52 V52"))
    assert set(found) == set(able)
    assert set(found.values()) == {at("W52"), at("V52")}


def test_an_attack_takes_no_more_than_it_needs():
    pos = ashore("56 Br, 36 US @ N62; 45 US, 46 Br @ O62; 5 Br, 78 Br @ N63; Ers inf 1 @ Q61")
    found = Force(mind(pos, ALLIED)).lineup(at("Q61"))
    assert found is not None
    assert found.worth > 0
    assert found.force.bit_count() < 6


def test_germans_man_a_line_that_no_port_looks_past():
    pos = ashore(f"56 Br, 36 US @ N60; 45 US @ N61; {GUSTAV}", side=GERMAN)
    thought = mind(pos, GERMAN)
    found = plan(thought)
    after = pos.copy()
    for unit, goal in found.items():
        after.hex[unit] = goal.hex
    assert not way_past_the_front(WAR, after)


SOUTH = "56 Br, 36 US @ K54; 45 US, 34 US @ M52; 78 Br @ P49; 1 Cdn @ U43; 8 Ind @ S46"


def test_the_allies_shut_the_ways_to_their_ports():
    match = begin("shingle")
    pass_on(match, until="movement")
    pos = match.position
    after = pos.copy()
    for unit, goal in plan(mind(pos, ALLIED)).items():
        after.hex[unit] = goal.hex
    closed = closed_by(mind(pos, ALLIED).ground, there(WAR, after, ALLIED).occupied)
    foes = there(WAR, after, GERMAN).occupied
    assert not walked(mind(pos, ALLIED).ground, foes, closed) & mind(pos, ALLIED).bases


def test_germans_keep_their_line_and_ring_a_landing_behind_it():
    pos = ashore(f"{SOUTH}; 3 US, 1 Br @ D50; {GUSTAV}; 3 PzG @ G47; 4 Para @ F46", side=GERMAN)
    for port in (base("Roma zone"), base("Napoli", port=True)):
        pos.bases[port] = OPEN
        pos.friendly |= WAR.ground.bases[port].hexes
    one, both = plans_of(mind(pos, GERMAN))
    assert len(one) == 1
    assert both[0].body >> at("M52") & 1
    assert both[1].body >> at("D50") & 1
    assert not both[1].body >> at("M52") & 1


def test_an_attack_that_leaves_no_way_out_is_worth_more():
    spread = table("45 US @ W51; 36 US @ X52; 3 US @ V53; Fras @ W52", "combat")
    massed = table("45 US, 36 US @ W51; 3 US @ V52; Fras @ W52", "combat")
    attackers = mask_of(number(name) for name in ("45 US", "36 US", "3 US"))
    worths = [mind(pos, ALLIED).worth(pos, attackers, 1 << at("W52")) for pos in (spread, massed)]
    assert worths[0] >= worths[1]


def test_it_claims_an_automatic_victory_once_and_no_more():
    pos = ashore("45 US, 36 US @ W51; 3 US @ V52; Fras @ W52; 56 Br @ W48; 16 Pz @ W40")
    match = Match(GAME, position=pos, seed=1)
    bot, chosen = StaffBot(WAR, 1), list[str]()
    while match.decision and match.position.phase == "movement" and len(chosen) < 40:
        option = bot(match.seat())
        chosen.append(option.verb)
        match.choose(option)
    assert chosen.count("overwhelm") == 1
    assert match.position.claims


def test_a_loose_unit_far_ahead_does_not_draw_the_line_back():
    pos = ashore("56 Br, 36 US @ N60; 2SS @ L25; 15 PzG @ L51", side=GERMAN)
    assert not main_body(mind(pos, GERMAN)) >> at("L25") & 1
    assert main_body(mind(pos, GERMAN)) >> at("N60") & 1


def test_inverted_counters_go_away_from_the_enemy():
    pos = ashore("56 Br @ N61 steps=1; 36 US, 45 US @ N60; 29 PzG @ P60")
    found = plan(mind(pos, ALLIED))
    goal = found[number("56 Br")].hex
    assert not mind(pos, ALLIED).zone >> goal & 1
    assert WAR.lattice.distance(goal, at("P60")) >= WAR.lattice.distance(at("N61"), at("P60"))


def test_bots_of_different_tastes_choose_different_beaches():
    zones = set[int]()
    for seed in range(12):
        match = Match(GAME, "basic", seed=1)
        bots = StaffBot(WAR, seed), StaffBot(WAR, 1)
        while match.position.invasions == 0:
            seat = match.seat()
            match.choose(bots[seat.side](seat))
        zones.add(match.position.zone)
    assert len(zones) > 1


def test_a_first_landing_fills_the_lift_and_takes_a_beach():
    match = Match(GAME, "basic", seed=1)
    bots = StaffBot(WAR, 4), StaffBot(WAR, 4)
    while match.position.phase != "combat" and not match.position.round:
        seat = match.seat()
        if seat.side == GERMAN and match.position.phase == "movement":
            break
        match.choose(bots[seat.side](seat))
    pos = match.position
    lift = WAR.ground.bases[pos.zone].lift if pos.zone >= 0 else pos.lifted
    assert pos.lifted >= lift - 2
    assert any(pos.bases)


# How it plays.


@pytest.mark.parametrize("side", [ALLIED, GERMAN])
def test_it_beats_the_random_bot_on_either_side(side: int):
    bots = ("staff", "random") if side == ALLIED else ("random", "staff")
    series = Series("anzio", "diadem", bots=bots, games=1, seed="yardstick").checked()
    assert play(series, 0).winner == side


@pytest.mark.parametrize("scenario", ["basic", "diadem"])
def test_two_of_them_play_a_whole_game_without_a_fault(scenario: str):
    match = Match(GAME, scenario, seed="quick")
    bots = StaffBot(WAR, 1), StaffBot(WAR, 2)
    while match.decision:
        seat = match.seat()
        match.choose(bots[seat.side](seat))
        if match.checkpoint.at == len(match.log):
            assert match.check() == []
    assert match.outcome is not None


def test_it_repeats_itself_for_the_same_seed():
    series = Series("anzio", "diadem", bots=("staff",), games=1, seed="again").checked()
    assert play(series, 0) == play(series, 0)


def test_it_has_a_judgement_for_every_verb_of_random_games_but_those_that_end_a_step():
    random = RandomBot(3, by_verb=True)
    met: set[str] = set()
    options = {switch.key: True for switch in GAME.switches}
    for scenario in ("basic", "diadem"):
        match = Match(GAME, scenario, options, seed=f"verbs/{scenario}")
        while match.decision:
            seat = match.seat()
            met |= {o.verb for o in seat.decision.options if o != Option(o.verb)}
            match.choose(random(seat))
    assert len(met) > 20
    assert met <= set(JUDGES)


def test_it_can_take_over_in_the_middle_of_a_random_game():
    random, bot = RandomBot(5), StaffBot(WAR, 5)
    match = Match(GAME, "diadem", seed="take over")
    choice = Random(5)
    while match.decision:
        seat = match.seat()
        match.choose(bot(seat) if choice.random() < 0.3 else random(seat))
    assert match.outcome is not None
