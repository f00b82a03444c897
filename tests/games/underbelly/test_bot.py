"""The staff bot of Soft Underbelly: how it plays, what it may know, and how quick it is."""

from itertools import pairwise
from random import Random

import pytest

from apennine.bots import RandomBot
from apennine.bots.staff.posts import Goal
from apennine.bots.staff.weights import changed
from apennine.games.underbelly.rules.c07_zones import occupied, there, those_in
from apennine.games.underbelly.rules.c11_supply import net
from apennine.games.underbelly.staff.bot import VERBS
from apennine.games.underbelly.staff.endrun import can_leave
from apennine.games.underbelly.staff.force import Force
from apennine.games.underbelly.staff.goals import german_line, plan
from apennine.games.underbelly.staff.mind import Mind, Plan, battle, odds, staff_of
from apennine.games.underbelly.staff.orders import attacks, marching
from apennine.games.underbelly.staff.weights import USUAL
from apennine.games.underbelly.table.position import ALLIED, GERMAN, TIBER, Table
from apennine.games.underbelly.table.war import SECOND_SS
from apennine.hexes import bits
from apennine.kernel.decision import Choice, Option
from apennine.kernel.match import Match
from apennine.lab import Series, play
from tests.games.underbelly.skirmish import GAME, WAR, at, begin, number, table, units

STAFF = GAME.bots["staff"]
STAFF_ROOM = staff_of(WAR)


def played_until(seed: int, *, turn: int, side: int, scenario: str = "historical") -> Match[Table]:
    """A match of two staff bots up to the first command of a player turn."""
    match = Match(GAME, scenario=scenario, seed=f"bot/{seed}")
    bots = STAFF(seed), STAFF(seed + 1)
    while not is_at(match, turn, side):
        assert match.decision, "the turn never came"
        seat = match.seat()
        match.choose(bots[seat.side](seat))
    return match


def is_at(match: Match[Table], turn: int, side: int) -> bool:
    """Whether a side is asked for its first command in a turn."""
    pos, decision = match.position, match.decision
    if (pos.turn, pos.phase, pos.side) != (turn, "command", side):
        return False
    return isinstance(decision, Choice) and decision.rule == "9.19"


def commands(match: Match[Table], side: int, seed: int = 1) -> list[Option]:
    """What the bot orders in the rest of a side's command phase; random play answers it."""
    bots = STAFF(seed), RandomBot(seed)
    found: list[Option] = []
    while match.decision and (match.position.phase, match.position.side) == ("command", side):
        seat = match.seat()
        option = bots[seat.side != side](seat)
        if seat.side == side:
            found.append(option)
        match.choose(option)
    return found


def worth_of_attack(match: Match[Table], origin: str) -> float:
    """What the Allied bot thinks the attack of a stack is worth, in steps."""
    mind = Mind(STAFF_ROOM, match.position, ALLIED)
    (order,) = attacks(mind, 1 << at(origin))
    return order.gain


@pytest.mark.parametrize("scenario", ["historical", "wat"])
@pytest.mark.parametrize("side", [ALLIED, GERMAN])
def test_it_beats_the_random_bot_on_either_side(side: int, scenario: str):
    bots = ("staff", "random") if side == ALLIED else ("random", "staff")
    series = Series("underbelly", scenario=scenario, bots=bots, games=2, seed="yardstick").checked()
    assert [play(series, number).winner for number in range(2)] == [side] * 2


@pytest.mark.parametrize("scenario", ["historical", "wat"])
def test_two_of_them_play_a_whole_game_without_a_fault(scenario: str):
    match = Match(GAME, scenario=scenario, seed="quick")
    bots = STAFF(1), STAFF(2)
    while match.decision:
        seat = match.seat()
        match.choose(bots[seat.side](seat))
        if match.checkpoint.at == len(match.log):
            assert match.check() == []
    assert match.outcome is not None


def test_it_repeats_itself_for_the_same_seed():
    series = Series("underbelly", bots=("staff",), games=1, seed="again").checked()
    assert play(series, 0) == play(series, 0)


def test_it_has_a_judgement_for_every_verb_that_random_games_meet():
    random = RandomBot(3, by_verb=True)
    met: set[str] = set()
    for game in range(8):
        match = Match(GAME, scenario=("historical", "wat")[game % 2], seed=f"verbs/{game}")
        while match.decision:
            seat = match.seat()
            met |= {option.verb for option in seat.decision.options}
            match.choose(random(seat))
    assert len(met) > 40
    assert met <= VERBS


@pytest.mark.parametrize("scenario", ["historical", "wat"])
def test_it_can_take_over_in_the_middle_of_a_random_game(scenario: str):
    random, bot = RandomBot(5), STAFF(5)
    match = Match(GAME, scenario=scenario, seed="take over")
    choice = Random(5)
    while match.decision:
        seat = match.seat()
        match.choose(bot(seat) if choice.random() < 0.3 else random(seat))
    assert match.outcome is not None


def test_the_german_line_runs_from_sea_to_sea_with_no_gap_of_three_hexes():
    match = played_until(4, turn=3, side=GERMAN)
    pos = match.position
    line = german_line(Mind(STAFF_ROOM, pos, GERMAN))
    east, west = STAFF_ROOM.shores
    near = (WAR.lattice.dilate(west), WAR.lattice.dilate(east))
    assert near[0] >> line[0] & 1
    assert near[1] >> line[-1] & 1
    for here, after in pairwise(line):
        assert WAR.lattice.distance(here, after) <= 3
    assert not sum(1 << hex for hex in line) & occupied(WAR, pos, ALLIED)


def test_the_german_shuts_the_way_to_the_north_by_the_sixth_turn():
    match = played_until(4, turn=7, side=ALLIED)
    pos = match.position
    german, allied = there(WAR, pos, GERMAN), there(WAR, pos, ALLIED)
    assert STAFF_ROOM.front.leak(allied.divisions[1], german.divisions[1]) == 0


def test_the_line_does_not_count_on_the_corps_that_attacks():
    pos = table(
        "46 Inf @ 2822; US 36 @ 2921; 1 Abn @ 4108; HG @ 2522; 16 Pz @ 2520;"
        "1 SS, 2 SS, 24 Pz SS, II SS @ 2517",
        GERMAN,
        scenario=TIBER,
        ss_entered=True,
    )
    men = {man.unit for man in Mind(STAFF_ROOM, pos, GERMAN).manned}
    assert men == {number("HG"), number("16 Pz")}


def test_the_line_is_shut_before_anybody_is_hunted():
    match = begin(
        "8 I @ 2319; US 34 @ 2419; 46 Inf, 78 Inf, XIII Corps @ 2422; 56 Inf, 5 Inf @ 2620;"
        "US 3 @ 2719; 7 Arm @ 2822; US 36, US 45 @ 2921; 1 Abn @ 4108;"
        "3 PG @ 2708; 26 Pz @ 2710; 11 Flak @ 2712; 1 Para @ 2714; 29 PG @ 2717; 16 Pz @ 2318;"
        "HG, 2 Para, 76 Inf @ tenth",
        GERMAN,
        turn=9,
    )
    commands(match, GERMAN)
    german, allied = (there(WAR, match.position, side) for side in (GERMAN, ALLIED))
    assert STAFF_ROOM.front.leak(allied.occupied, german.divisions[1]) == 0


def test_it_costs_the_german_a_way_to_the_north_to_march_guns_out_of_a_gap():
    """Between 16 Pz and HG one hex is in nobody's zone."""
    posts = "3 PG @ 2008; 15 PG @ 2011; 16 Pz @ 2014; HG @ 2018; 26 Pz @ 2021; LXXVI Pz @ 2016"
    pos = table(f"US 36 @ 2216; 46 Inf @ 2822; {posts}", GERMAN, turn=9, switched=True)
    mind = Mind(STAFF_ROOM, pos, GERMAN)
    assert mind.leaking == 0
    assert mind.closing(at("2016"), {number("LXXVI Pz"): at("1916")}) < -5


def test_the_german_does_not_give_up_naples_for_a_lone_division_far_inland():
    pos = table(
        "82 Abn, X Corps @ 2822; US 36, US VI @ 2921; US 45 @ 2722; 46 Inf @ 2811; 56 Inf @ 2919;"
        "1 Abn @ 4108; 11 Flak @ 2114; HG @ 2618; 16 Pz @ 2621; 15 PG @ 2719; 1 Para @ 2808;"
        "29 PG @ 2916; 26 Pz @ 5021; 3 PG @ tenth",
        GERMAN,
        scenario=TIBER,
        turn=2,
        dropped=1,
    )
    match = Match(GAME, position=pos, seed=1)
    commands(match, GERMAN)
    mind = Mind(STAFF_ROOM, match.position, GERMAN)
    assert mind.ring & mind.own.divisions[1]


def test_a_division_does_not_march_back_to_where_it_came_from_for_little():
    pos = table("46 Inf @ 2822; US 36 @ 2921; 5 Inf @ 3717; HG @ 2318; 1 Abn @ 4108", turn=6)
    unit, back = number("5 Inf"), at("3317")

    def gain(came_from: str) -> float:
        keep = Plan()
        keep.memory.note("stood", 5, {unit: at(came_from)})
        mind = Mind(STAFF_ROOM, pos, ALLIED, keep)
        goals = {unit: Goal(back)}
        (order,) = marching(mind, goals, "column", at("3717"), 1 << unit)
        assert order.goals == {unit: back}
        return order.gain

    assert gain("3317") == pytest.approx(gain("3717") - USUAL.retraced)
    assert gain("3718") == gain("3717")  # what was a step is no shuttle


def test_of_lines_as_good_the_german_keeps_the_one_that_he_holds():
    pos = table(
        "46 Inf @ 2822; US 36 @ 2921; 1 Abn @ 4108; HG @ 2522; 16 Pz @ 2520; 15 PG @ 2318;"
        "26 Pz @ 2515; 29 PG @ 2512; 1 Para @ 2509; 3 PG @ 2316",
        GERMAN,
        turn=9,
    )
    loyal = staff_of(WAR, changed(USUAL, {"stay": 50.0}))

    def line(before: tuple[int, ...]) -> tuple[int, ...]:
        keep = Plan()
        keep.memory.note("line", 8, dict.fromkeys(before, 0))
        return german_line(Mind(loyal, pos, GERMAN, keep))

    mind, first = Mind(loyal, pos, GERMAN), line(())
    flat = [0] * WAR.lattice.size
    backs = USUAL.front.backs
    lines = [mind.lines.line(mind.front, mind.manned, flat, 0, back) for back in backs]

    def along(line: tuple[int, ...], other: tuple[int, ...]) -> float:
        near = WAR.lattice.dilate(sum(1 << hex for hex in other))
        return sum(near >> hex & 1 for hex in line) / len(line)

    other = min((each for each in lines if each), key=lambda each: along(first, each))
    assert along(first, other) < 0.5
    assert along(line(other), other) > 0.8


def test_a_march_past_the_enemy_is_not_counted_on_tonight():
    """HG could be in 2522 tonight if 46 Inf were not on the road."""
    far = table("46 Inf @ 2822; US 36 @ 2921; HG @ 2319", GERMAN, turn=9)
    near = table("46 Inf @ 2422; US 36 @ 2420; HG @ 2319", GERMAN, turn=9)
    there = [
        Mind(STAFF_ROOM, pos, GERMAN).manned[0].tonight >> at("2522") & 1 for pos in (far, near)
    ]
    assert there == [1, 0]


def test_a_division_near_a_port_counts_on_the_sea_and_makes_for_the_port():
    pos = table("5 Inf @ 5122; 1 Abn @ 4108; 46 Inf @ 2822; US 36 @ 2921; HG @ 2720", turn=6)
    mind, unit = Mind(STAFF_ROOM, pos, ALLIED), number("5 Inf")
    overland = STAFF_ROOM.ground.marches(WAR.mobility[unit], 1 << at("2822"))
    way = mind.way(unit, 1 << at("2822"))
    assert way[at("5122")] < overland[at("5122")]
    assert way[at("5328")] < way[at("5122")], "Reggio is on the way"


def test_a_stack_sails_in_part_when_the_port_has_no_room_for_all_of_it():
    match = begin(
        "5 Inf, 1 C, XIII Corps @ 5328; 46 Inf, X Corps @ 2822; US 36, US 45, US VI @ 2921;"
        "1 Abn @ 4108; HG @ 2521; 16 Pz @ 2519",
        turn=8,
    )
    commands(match, ALLIED)
    pos = match.position
    assert pos.hex[number("XIII Corps")] == at("5328"), "both beaches have corps support"
    assert at("5328") not in (pos.hex[number("5 Inf")], pos.hex[number("1 C")])


def test_a_march_goes_round_the_enemy_and_leaves_his_zone_but_does_not_pass_him():
    pos = table("46 Inf @ 2822; US 36 @ 2921; 7 Arm @ 2621; HG @ 2520; 16 Pz @ 2522; 15 PG @ 2518")
    mind, unit = Mind(STAFF_ROOM, pos, ALLIED), number("7 Arm")
    straight = STAFF_ROOM.ground.marches(WAR.mobility[unit], 1 << at("2421"))
    assert mind.foe.zone >> at("2621") & 1
    assert straight[at("2621")] < mind.way(unit, 1 << at("2421"))[at("2621")]
    assert mind.way(unit, 1 << at("2721"))[at("2621")] < 4


def test_nobody_marches_away_from_the_front_for_a_small_town():
    control = WAR.towns & ~(1 << at("3519"))
    pos = table(
        "46 Inf, 56 Inf @ 2822; US 36, US 45 @ 2921; US 3 @ 3121; HG @ 2720", control=control
    )
    goals = plan(Mind(STAFF_ROOM, pos, ALLIED))
    assert goals[number("US 3")].hex != at("3519")


def test_who_has_prepared_an_attack_is_kept_to_it_when_the_line_shifts_by_a_hex():
    memory, us = Plan(), (number("US 45"), number("US 3"))
    worths: list[float] = []
    for turn, code, kept in ((9, "2011", memory), (10, "2012", memory), (10, "2012", Plan())):
        pos = table(f"US 45, US 3 @ 2214; 46 Inf @ 2822; US 36 @ 2921; HG @ {code}", turn=turn)
        force = Force(Mind(STAFF_ROOM, pos, ALLIED, kept), us)
        attack = force.attack(at(code), WAR.group[us[0]])
        assert attack
        worths.append(attack.worth)
        force.prepare([at(code)])
    assert worths[1] == pytest.approx(worths[2] + USUAL.loyalty)


def test_who_would_come_from_afar_counts_on_finding_the_place_guarded():
    corps = "1 SS, 2 SS, 24 Pz SS, II SS"
    counters = f"{corps} @ 2608; 1 Abn @ 4108; 46 Inf @ 2822; US 36 @ 2921"
    pos = table(counters, GERMAN, scenario=TIBER, ss_entered=True, control=1 << at("4108"))
    worths: list[float] = []
    for share in (1.0, USUAL.surprise):
        staff = staff_of(WAR, changed(USUAL, {"surprise": share}))
        attack = Force(Mind(staff, pos, GERMAN), bits(units(corps))).attack(at("4108"), SECOND_SS)
        assert attack
        worths.append(attack.worth)
    assert 0 < worths[1] < worths[0] / 2


def test_bots_differ_a_little_in_the_sector_where_they_like_to_attack():
    pos = table("US 45, US 3 @ 2214; 46 Inf @ 2822; US 36 @ 2921; HG @ 2012; 15 PG @ 2020")
    units = (number("US 45"), number("US 3"))
    found: dict[str, set[float]] = {"2012": set(), "2020": set()}
    for seed in range(6):
        for code, worths in found.items():
            force = Force(Mind(STAFF_ROOM, pos, ALLIED, Plan(seed)), units)
            attack = force.attack(at(code), WAR.group[units[0]])
            assert attack
            worths.add(attack.worth)
    for worths in found.values():
        assert len(worths) > 3
        assert max(worths) - min(worths) <= USUAL.whim


def test_guns_do_not_stay_behind_for_fear_of_the_march():
    match = begin("LXXVI Pz @ 3616; HG @ 2720; 46 Inf @ 2822; US 36 @ 2921; 1 Abn @ 4108", GERMAN)
    commands(match, GERMAN)
    home = STAFF_ROOM.front.home
    assert home[match.position.hex[number("LXXVI Pz")]] < home[at("3616")]


def test_divisions_sail_to_the_last_prize_when_it_is_in_danger():
    match = begin(
        "1 Abn @ 4108; 46 Inf, 56 Inf, 5 Inf @ 2822; US 36, US 45, US 3 @ 2921; 7 Arm @ 2721;"
        "1 SS, 2 SS, 24 Pz SS, II SS @ 3907; HG @ 2522; 16 Pz @ 2520; 15 PG @ 2517",
        scenario=TIBER,
        turn=6,
        control=1 << at("4108"),
        plot=16,
    )
    commands(match, ALLIED)
    assert those_in(WAR, match.position, at("4108"), ALLIED).bit_count() >= 3


def test_an_open_way_to_the_north_is_worse_the_shorter_it_is():
    near, far = (STAFF_ROOM.front.leak(1 << at(code), 0) for code in ("1115", "1515"))
    assert near > far > 0
    assert STAFF_ROOM.front.leak(1 << at("1515"), WAR.land & ~WAR.north) == 0


def test_nothing_bars_a_unit_in_the_last_row_from_leaving():
    assert STAFF_ROOM.front.leak(1 << at("1015"), WAR.land) > 0


def test_a_unit_in_the_last_row_leaves_the_map_and_wins():
    match = begin("US 45 @ 1015; HG @ 1315; US 36 @ 2921; 46 Inf @ 2822")
    commands(match, ALLIED)
    assert match.outcome is not None
    assert match.outcome.winner == ALLIED


def test_a_german_next_to_an_empty_beach_takes_it():
    match = begin("HG @ 2920; 56 Inf @ 2822", GERMAN)
    commands(match, GERMAN)
    assert match.outcome is not None
    assert match.outcome.winner == GERMAN


def test_a_beach_that_is_threatened_keeps_a_garrison():
    match = begin("46 Inf, 56 Inf @ 2822; US 36, US 45 @ 2921; HG, 16 Pz @ 2720; 15 PG @ 2919")
    commands(match, ALLIED)
    pos = match.position
    assert those_in(WAR, pos, at("2822"), ALLIED)
    assert those_in(WAR, pos, at("2921"), ALLIED)


def peril(pos: Table, code: str) -> float:
    """The chance that the Allies lose a place in the German turn to come."""
    mind = Mind(STAFF_ROOM, pos, ALLIED)
    return mind.peril(at(code), mind.stacks.get(at(code), 0))


BESIEGED = (
    "US VI, 8 I @ 2921; 78 Inf, 5 Inf @ 2822; 1 C @ 4108; 52 Mtn @ available;"
    "1 SS, 2 SS, 24 Pz SS, II SS @ 3020; HG @ 2522; 16 Pz @ 2520; 15 PG @ 2517"
)


def test_a_beach_that_would_fall_is_reinforced_before_anything_else():
    match = begin(BESIEGED, scenario=TIBER, turn=15, control=1 << at("4108"), plot=16)
    assert peril(match.position, "2921") > 0.5
    commands(match, ALLIED)
    assert peril(match.position, "2921") < 0.1
    assert those_in(WAR, match.position, at("2822"), ALLIED) & ~WAR.supports


def test_nobody_leaves_a_beach_bare_for_others_who_are_still_to_come():
    """With one point there is no relief: who stands on the beach stays."""
    pos = table(
        "5 Inf, X Corps @ 2822; US VI, 7 Arm @ 2921; 1 Abn @ 4108; 78 Inf, 8 I @ 2520;"
        "3 PG, 2 Para @ 2622; 76 Inf @ 2519; 15 PG @ 2619"
    )
    pos.points = 1
    match = Match(GAME, position=pos, seed=1)
    commands(match, ALLIED)
    assert those_in(WAR, match.position, at("2822"), ALLIED) & ~WAR.supports


def test_moves_are_judged_by_what_they_bare_and_what_they_guard():
    pos = begin(BESIEGED, scenario=TIBER, turn=15, control=1 << at("4108"), plot=16).position
    mind = Mind(STAFF_ROOM, pos, ALLIED)
    leaving = mind.baring(at("2921"), {number("8 I"): at("3021")})
    joining = mind.baring(at("2822"), {number("78 Inf"): at("2921")})
    assert leaving > 0.1
    assert joining < -0.3
    assert mind.baring(at("4108"), {number("1 C"): at("4008")}) == 0, "the war goes on without it"


def test_reserves_come_on_to_the_map_fighting_whoever_would_leave_it():
    match = begin("US 34 @ 1017; 46 Inf @ 2822; US 36 @ 2921; 16 Pz, 26 Pz, 29 PG @ tenth", GERMAN)
    chosen = commands(match, GERMAN)
    assert chosen[0] == Option("move-fight", hex=WAR.tenth)
    assert Option("strike with", unit=number("16 Pz"), hex=at("1017")) in chosen


def test_good_odds_are_taken_and_bad_ones_are_not():
    strong = begin("US 45, US 3, US 36, US VI @ 2920; 11 Flak @ 2919; 46 Inf @ 2822; 1 C @ 2921")
    weak = begin("US 36 @ 2920; HG, 16 Pz, 26 Pz @ 2919; 46 Inf @ 2822; 1 C @ 2921")
    assert worth_of_attack(strong, "2920") > 1
    assert worth_of_attack(weak, "2920") < 0
    assert Option("attack", hex=at("2920")) not in commands(weak, ALLIED)


def test_points_that_would_be_lost_bring_divisions_back_to_strength():
    pos = table("46 Inf @ 2822; US 45 @ 2921; HG @ 2720; 15 PG @ 2919")
    pos.steps[number("US 45")] = 1
    match = Match(GAME, position=pos, seed=1)
    assert Option("replenish", number("US 45")) in commands(match, ALLIED)


def test_corps_enters_at_once_when_hitler_orders_it():
    match = begin(
        "1 SS, 2 SS, 24 Pz SS, II SS @ tenth; HG @ 2522; 46 Inf @ 2822; US 36 @ 2921; 1 Abn @ 4108",
        GERMAN,
        scenario=TIBER,
    )
    commands(match, GERMAN)
    assert match.outcome is None or match.outcome.winner != ALLIED
    assert match.position.ss_entered


def test_steps_that_an_end_run_demands_are_withdrawn_in_time():
    match = begin(
        "HG, 16 Pz @ 1215; 26 Pz @ 1320; 46 Inf @ 2822; US 36 @ 2921; 1 Abn @ 4108",
        GERMAN,
        scenario=TIBER,
        turn=16,
        launched=14,
        rolled=16,
        settled=8,
        owed=4,
        owed_by=16,
        plot=14,
    )
    commands(match, GERMAN)
    assert match.position.owed == 0
    assert match.outcome is None


def owing(counters: str, steps: int) -> Match[Table]:
    """The German turn in which steps must leave the map."""
    return begin(
        f"{counters}; 46 Inf @ 2822; US 36 @ 2921; 1 Abn @ 4108",
        GERMAN,
        scenario=TIBER,
        turn=16,
        launched=14,
        rolled=16,
        settled=8,
        owed=steps,
        owed_by=16,
        plot=14,
    )


def test_those_leave_who_can_be_off_the_map_this_turn_not_those_who_are_nearest():
    match = owing("76 Inf @ 1915; 65 Inf @ 2015; 16 Pz, 26 Pz @ 2215; XIV Pz @ 2115", 4)
    commands(match, GERMAN)
    assert match.position.owed == 0
    assert match.outcome is None


def test_a_whole_stack_leaves_with_one_command_when_points_are_short():
    match = owing("76 Inf @ 1109; 16 Pz, 26 Pz, 29 PG @ 1215; 15 PG @ 1318; HG @ 1519", 8)
    pos = match.position.copy()
    pos.points = 2
    short = Match(GAME, position=pos, seed=1)
    commands(short, GERMAN)
    assert short.position.owed == 0


def test_while_an_invasion_is_open_some_stay_near_enough_to_leave():
    pos = owing("16 Pz, 26 Pz @ 2720; 29 PG @ 3008; 76 Inf @ 2815", 4).position.copy()
    pos.owed = pos.settled = 0
    mind = Mind(STAFF_ROOM, pos, GERMAN)
    assert not any(can_leave(mind, number(name)) for name in ("16 Pz", "26 Pz", "29 PG", "76 Inf"))
    wanted = plan(mind)
    assert len([u for u, goal in wanted.items() if WAR.north >> goal.hex & 1]) >= 3


def test_units_are_told_to_hold_a_line_or_to_attack_and_nearly_all_have_a_goal():
    match = played_until(6, turn=8, side=ALLIED)
    pos = match.position
    for side in (ALLIED, GERMAN):
        wanted = plan(Mind(STAFF_ROOM, pos, side))
        divisions = [u for u in WAR.members[side] if WAR.bit[pos.hex[u]]]
        divisions = [u for u in divisions if not WAR.supports >> u & 1]
        assert len([u for u in divisions if u in wanted]) * 4 >= len(divisions) * 3


def test_it_keeps_most_of_its_army_in_supply():
    match = played_until(3, turn=9, side=ALLIED)
    pos = match.position
    for side in (ALLIED, GERMAN):
        held = occupied(WAR, pos, side)
        fed = held & net(WAR, pos, side)
        assert fed.bit_count() * 3 >= held.bit_count() * 2


def test_a_stronger_attack_is_never_thought_worse():
    force = ("46 Inf", "56 Inf", "7 Arm", "X Corps")
    pos = table(f"{', '.join(force)} @ 2721; HG @ 2720")
    taken = [
        odds(battle(*(WAR, pos, at("2721"), at("2720"), units(", ".join(force[:count]))), -1)).taken
        for count in (1, 2, 3, 4)
    ]
    assert taken == sorted(taken)
    assert taken[0] < 0.2 < taken[-1]
