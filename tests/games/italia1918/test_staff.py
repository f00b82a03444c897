"""The staff bot of Italia 1917-1918: how it plays, what it knows of the charts."""

# pyright: basic

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from apennine.bots import Bot, RandomBot
from apennine.games import get
from apennine.games.italia1918.rules.c12_odds import odds
from apennine.games.italia1918.rules.c16_victory import total
from apennine.games.italia1918.staff.bot import JUDGES
from apennine.games.italia1918.staff.force import Force
from apennine.games.italia1918.staff.mind import Assault, Mind, Plan, staff_of
from apennine.games.italia1918.staff.plans import plan
from apennine.games.italia1918.staff.weights import USUAL
from apennine.games.italia1918.table.position import CENTRAL, ENTENTE, Table
from apennine.hexes import bits
from apennine.kernel.decision import Option
from apennine.kernel.match import Match
from apennine.kernel.seat import Seat
from tests.games.italia1918.drawing import SCENARIOS, WAR, at, number, table
from tests.games.italia1918.fighting import battle

GAME = get("italia1918")
STAFF = GAME.bots["staff"]


def mind_of(pos: Table, side: int, seed: int = 1) -> Mind:
    return Mind(staff_of(WAR, USUAL), pos, side, Plan(seed))


def judged(pos: Table, side: int, *options: Option) -> Option:
    """Which of some options the bot likes best."""
    mind = mind_of(pos, side)
    return max(options, key=lambda option: JUDGES.get(option.verb, lambda *_: 0.0)(mind, option))


def fought(scenario: str, bots: tuple[Bot, Bot], seed: str) -> Match[Table]:
    match = Match(GAME, scenario, seed=seed)
    while match.decision:
        seat = match.seat()
        match.choose(bots[seat.side](seat))
        if match.checkpoint.at == len(match.log):
            assert match.check() == []
    return match


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_it_plays_every_scenario_to_an_end_without_a_fault(scenario: str):
    assert fought(scenario, (STAFF(1), STAFF(2)), "whole").outcome is not None


def test_it_repeats_itself_for_the_same_seed():
    one, two = (fought("grappa", (STAFF(1), STAFF(2)), "again") for _ in range(2))
    assert one.digest == two.digest


def test_it_can_take_over_in_the_middle_of_a_random_game():
    random, bot, choice = RandomBot(5), STAFF(5), Random(5)

    def now_and_then(seat: Seat[Any]) -> Option:
        return bot(seat) if choice.random() < 0.3 else random(seat)

    assert fought("radetzky", (now_and_then, now_and_then), "take over").outcome is not None


def test_it_has_a_judgement_for_every_verb_but_those_that_end_a_step():
    named = {order.verb for order in GAME.orders if order.names}
    assert named <= set(JUDGES)
    assert set(JUDGES) <= {order.verb for order in GAME.orders}


# What it thinks.


def test_it_masses_where_the_offensive_has_its_guns():
    match = Match(GAME, "caporetto", seed="mass")
    bot = STAFF(1)
    while match.position.phase != "combat":
        match.choose(bot(match.seat()))
    mind = mind_of(match.position, CENTRAL)
    assert match.position.firing.bit_count() == 2
    force = Force(mind)
    inside, outside = [], []
    for target in bits(mind.enemy & WAR.lattice.dilate(mind.own.combat)):
        found = force.lineup(target)
        if found:
            (inside if mind.offensive >> target & 1 else outside).append(found[1])
    assert inside
    assert max(inside) > max(outside, default=-99.0)


def test_who_holds_a_trench_stays_in_it():
    match = Match(GAME, "grappa", seed="hold")
    pos = match.position.copy()
    pos.phase, pos.side = "movement", ENTENTE
    mind = mind_of(pos, ENTENTE)
    front = mind.own.among(WAR.lattice.dilate(mind.enemy)) & WAR.combat
    going = [WAR.names[u] for u, goal in plan(mind).goals.items() if goal.hex != pos.hex[u]]
    assert not [name for name in going if front >> number(name) & 1]


def test_ground_is_given_when_hit_points_would_cost_more():
    pos = battle("4 ID @ W0507; 64 DF @ W0406", "W0406", "4 ID")
    options = (Option("give ground", value=1), Option("give ground", value=2), Option("stand fast"))
    pos.hits = [0, 1]
    assert judged(pos, ENTENTE, *options).verb == "stand fast"
    pos.hits = [0, 6]
    assert judged(pos, ENTENTE, *options).verb == "give ground"


def test_who_is_worn_pays_before_who_is_fresh():
    pos = battle("4 ID, 33 ID @ W0507; 64 DF @ W0406", "W0406", "4 ID, 33 ID")
    pos.steps[number("33 ID")] = 2
    options = [Option("lose a step", number(name)) for name in ("4 ID", "33 ID")]
    assert judged(pos, CENTRAL, *options).unit == number("33 ID")


def test_frozen_reserves_wait_until_the_enemy_is_near():
    pos = table("22 DF @ W0406; 4 ID @ W1509", side=ENTENTE, scenario="albrecht", turn=24)
    option = Option("release", number("22 DF"))
    assert JUDGES["release"](mind_of(pos, ENTENTE), option) < 0
    near = table("22 DF @ W0406; 4 ID @ W0508", side=ENTENTE, scenario="albrecht", turn=24)
    assert JUDGES["release"](mind_of(near, ENTENTE), option) > 0


def test_italy_orders_the_retreat_in_time_and_not_too_early():
    order = Option("order the retreat")
    for turn, wanted in ((2, False), (3, True), (4, True)):
        pos = table("64 DF @ E2720", side=ENTENTE, scenario="caporetto", turn=turn)
        assert (JUDGES[order.verb](mind_of(pos, ENTENTE), order) > 0) == wanted


def test_an_army_under_the_retreat_order_makes_for_the_western_edge():
    match = Match(GAME, "caporetto", seed="away")
    pos = match.position.copy()
    pos.phase, pos.side, pos.turn, pos.ordered = "movement", ENTENTE, 3, True
    pos.frozen = []
    mind = mind_of(pos, ENTENTE)
    goals = plan(mind).goals
    moving = [(u, goal.hex) for u, goal in goals.items() if goal.hex != pos.hex[u]]
    assert len(moving) > 20
    assert all(mind.home[hex] < mind.home[pos.hex[unit]] for unit, hex in moving)


def test_averages_agree_with_the_charts():
    chances = staff_of(WAR, USUAL).chances
    even, better = (chances.combat(column, 0, 0, 6, False) for column in (1, 4))
    assert better.taken > even.taken
    assert better.defender > even.defender
    assert better.attacker < even.attacker
    assert chances.shells(-1, 0) == 0
    assert chances.shells(3, 3) > chances.shells(3, 0)


def test_two_bots_do_not_think_alike():
    pos = Match(GAME, "vittorio", seed=1).position
    target = at("W1933")
    assert len({mind_of(pos, ENTENTE, seed).liked(target) for seed in range(5)}) == 5


def test_the_side_that_attacks_wins_more_ground_than_chance_would():
    won = fought("caporetto", (STAFF(1), RandomBot(2)), "ground")
    assert total(WAR, won.position) > 15
    assert won.outcome
    assert won.outcome.winner == CENTRAL


@pytest.mark.parametrize("scenario", ["grappa", "radetzky"])
def test_it_beats_the_random_bot_in_defence(scenario: str):
    held = fought(scenario, (RandomBot(1), STAFF(2)), "held")
    assert held.outcome
    assert held.outcome.winner == ENTENTE


# Rotation, and attacks that keep to what was decided.


def test_who_is_in_disorder_leaves_the_zone_while_others_hold_the_hex():
    pos = table("4 ID, 55 ID/26 @ W0507; 64 DF @ W0406; HQ 11 Armee @ W0810", turn=24)
    pos.disorganized = 1 << number("55 ID/26")
    pos.phase, pos.crowded = "movement", 1 << at("W0507")
    goals = plan(mind_of(pos, CENTRAL)).goals
    assert number("55 ID/26") in goals
    near = WAR.lattice.dilate(1 << at("W0406"))
    assert not near >> goals[number("55 ID/26")].hex & 1
    assert number("4 ID") not in goals or goals[number("4 ID")].hex == at("W0507")


def test_who_is_alone_and_in_disorder_is_relieved_by_a_fresh_unit():
    pos = table("4 ID @ W0507; 55 ID/26 @ W0609; 64 DF @ W0406; HQ 11 Armee @ W0810", turn=24)
    pos.disorganized, pos.phase = 1 << number("4 ID"), "movement"
    found = plan(mind_of(pos, CENTRAL))
    assert found.relieved == 1 << number("4 ID")
    assert found.goals[number("55 ID/26")].hex == at("W0507")
    assert judged(pos, CENTRAL, Option("relieve", number("4 ID")), Option("end movement")).unit >= 0


def test_in_exploitation_only_marked_units_are_thought_of():
    pos = battle("4 ID, 33 ID @ W0507; 64 DF @ W0406", "W0406", "4 ID, 33 ID")
    pos.target, pos.attackers, pos.phase = -1, 0, "exploitation"
    pos.exploits = [1 << number("33 ID")]
    assert Force(mind_of(pos, CENTRAL)).fighters == [number("33 ID")]


def test_an_attack_of_an_earlier_sequence_is_not_made_again():
    pos = battle("4 ID, 33 ID @ W0507; 64 DF @ W0406", "W0406", "4 ID, 33 ID")
    pos.attackers, mind = 0, mind_of(pos, CENTRAL)
    mind.plan.assault = Assault(at("W0406"), 1 << number("13 SchD"), 0)
    options = [Option("attack with", number(name)) for name in ("4 ID", "33 ID")]
    assert any(JUDGES["attack with"](mind, option) > 0 for option in options)


STAFF_NEAR = "HQ 11 Armee @ W0810"


def test_a_division_alone_fears_to_lose_its_lead_to_guns():
    alone, three = (
        mind_of(battle(f"{units} @ W0507; 64 DF @ W0406; {STAFF_NEAR}", "W0406", units), CENTRAL)
        for units in ("4 ID", "55 ID/26, 55 ID/38, 3 ID/216")
    )
    fears = [mind.chance_of_repulse(mind.pos, odds(WAR, mind.pos), 1.5) for mind in (alone, three)]
    assert fears[0] > fears[1]


def test_trento_is_worth_more_than_its_points():
    mind = mind_of(table("26 DF @ W1806; 19 ID @ W1907", ENTENTE, scenario="vittorio"), ENTENTE)
    capital = WAR.theatres[mind.pos.scenario].capital
    assert mind.score(capital) > WAR.theatres[mind.pos.scenario].prizes[capital]


def test_italy_begins_to_go_back_before_the_order():
    for turn, back in ((1, False), (2, True)):
        pos = table("64 DF @ E2720", side=ENTENTE, scenario="caporetto", turn=turn)
        assert mind_of(pos, ENTENTE).flees == back
