"""The staff bot of Italy 1944: how it plays, what it may know, and how quick it is."""

from itertools import pairwise
from random import Random

import pytest

from apennine.bots import RandomBot
from apennine.bots.staff.mass import Memory
from apennine.bots.staff.posts import Goals
from apennine.games import get
from apennine.games.italy1944.game import Italy1944
from apennine.games.italy1944.rules.c04_zones import occupied, units_on_map
from apennine.games.italy1944.rules.c06_logistics import supply_check
from apennine.games.italy1944.staff.bot import JUDGES, severed
from apennine.games.italy1944.staff.force import Force
from apennine.games.italy1944.staff.hold import choose_line, is_open
from apennine.games.italy1944.staff.mind import Mind, staff_of
from apennine.games.italy1944.staff.weights import USUAL
from apennine.games.italy1944.table.position import (
    ALLIED,
    GERMAN,
    LANDING,
    LOST,
    NOWHERE,
    OFFENSIVE,
    Table,
)
from apennine.hexes import bits, mask_of
from apennine.kernel.decision import Option
from apennine.kernel.match import Match
from apennine.lab import Series, make_bot, play
from tests.games.italy1944.drawing import march

GAME = Italy1944()
WAR = GAME.war
STAFF = GAME.bots["staff"]
ROOM = staff_of(WAR, USUAL)
SWITCHES = {switch.key: switch.default for switch in GAME.switches}


START = GAME.setup("campaign", SWITCHES)


def nowhere(mind: Mind) -> Goals:
    """A plan by which everybody stays where he is."""
    return {}


def mind_of(pos: Table, side: int) -> Mind:
    return Mind(ROOM, pos, side, nowhere, Memory())


def played_until(seed: int, *, turn: int, phase: str, side: int) -> Match[Table]:
    """A match of two staff bots up to the first question of a phase."""
    match = Match(GAME, seed=f"bot/{seed}")
    bots = STAFF(seed), STAFF(seed + 1)
    while (match.position.turn, match.position.phase, match.position.side) != (turn, phase, side):
        assert match.decision, "the phase never came, or asked for nothing"
        seat = match.seat()
        match.choose(bots[seat.side](seat))
    return match


@pytest.mark.parametrize("side", [ALLIED, GERMAN])
def test_it_beats_the_random_bot_on_either_side(side: int):
    bots = ("staff", "random") if side == ALLIED else ("random", "staff")
    series = Series("italy1944", bots=bots, games=4, seed="yardstick").checked()
    assert [play(series, number).winner for number in range(4)] == [side] * 4


def test_two_of_them_play_a_whole_game_without_a_fault():
    match = Match(GAME, seed="quick")
    bots = STAFF(1), STAFF(2)
    while match.decision:
        seat = match.seat()
        match.choose(bots[seat.side](seat))
        if match.checkpoint.at == len(match.log):
            assert match.check() == []
    assert match.outcome is not None


def test_it_repeats_itself_for_the_same_seed():
    series = Series("italy1944", bots=("staff",), games=1, seed="again").checked()
    assert play(series, 0) == play(series, 0)


def test_it_is_found_by_its_name_in_its_own_game_alone():
    assert make_bot("staff", 1, GAME)
    with pytest.raises(ValueError, match="There is no bot 'staff'"):
        make_bot("staff", 1, get("crossing"))


def test_it_has_a_judgement_for_every_verb_of_random_games_but_those_that_end_a_step():
    random = RandomBot(3, by_verb=True)
    met: set[str] = set()
    for number in range(8):
        match = Match(GAME, seed=f"verbs/{number}")
        while match.decision:
            seat = match.seat()
            met |= {o.verb for o in seat.decision.options if o != Option(o.verb)}
            match.choose(random(seat))
    assert len(met) > 30
    assert met <= set(JUDGES)


def test_it_can_take_over_in_the_middle_of_a_random_game():
    random, bot = RandomBot(5), STAFF(5)
    match = Match(GAME, seed="take over")
    choice = Random(5)
    while match.decision:
        seat = match.seat()
        match.choose(bot(seat) if choice.random() < 0.3 else random(seat))
    assert match.outcome is not None


def test_the_german_plays_alike_whatever_the_allies_hide():
    match = played_until(7, turn=3, phase="movement", side=GERMAN)
    seat = match.seat()
    first = STAFF(1)(seat)
    for seed in range(5):
        dream = seat.dream(seed)
        assert STAFF(1)(dream.seat()) == first


def test_the_german_line_runs_from_coast_to_coast_and_every_post_can_be_manned():
    match = played_until(4, turn=2, phase="movement", side=GERMAN)
    pos = match.position
    mind = mind_of(pos, GERMAN)
    force = Force(mind)
    manned = choose_line(force)
    posts = mask_of(manned)
    assert len(set(manned.values())) == len(manned)
    assert all(force.reach[unit] >> hex & 1 for hex, unit in manned.items())
    assert not posts & occupied(WAR, pos, ALLIED)
    west, east = ROOM.coasts
    covered = posts | WAR.zone(posts)
    assert covered & west
    assert covered & east
    assert not is_open(mind, mind.enemy & mind.front, posts)


def test_a_line_with_a_hole_of_three_hexes_is_open():
    row = [GAME.board.parse(code) for code in ("2419", "2818", "3016")]
    allied = 1 << GAME.board.parse("3323")
    assert is_open(mind_of(START, GERMAN), allied, mask_of(row))


def test_it_lands_in_january_but_not_at_the_same_town_in_every_game():
    towns: set[str] = set()
    for seed in range(12):
        match, bots = Match(GAME, seed="january"), (STAFF(seed), STAFF(seed))
        while not match.position.launched:
            seat = match.seat()
            match.choose(bots[seat.side](seat))
        towns |= {GAME.board.code(hex) for hex in match.position.beaches}
    assert len(towns) >= 3
    assert "2521" in towns, "Anzio is one of them"


def test_its_second_operation_does_not_come_in_the_same_turn_in_every_game():
    seasons = {Mind(ROOM, START, ALLIED, nowhere, Memory(), seed).season for seed in range(20)}
    assert seasons == set(USUAL.seasons)


def test_it_plans_no_third_operation_and_keeps_nobody_in_the_reserve_for_it():
    pos = START.copy()
    pos.turn, pos.launched, pos.notes = 6, [1], [(OFFENSIVE, NOWHERE, 6, 4, 1)]
    plan = Option("plan an offensive", value=8)
    assert JUDGES["plan an offensive"](mind_of(pos, ALLIED), plan) < 0
    pos.notes = []
    assert JUDGES["plan an offensive"](mind_of(pos, ALLIED), plan) > 0, "there is one left"
    division = next(u for u in WAR.members[ALLIED] if WAR.halves[u] == 2)
    pos.hex[division] = WAR.reserve
    pos.notes = [(LANDING, GAME.board.parse("2610"), 8, 6, 0)]
    assert mind_of(pos, ALLIED).kept == 1 << division
    pos.launched = [1, 6]
    assert not mind_of(pos, ALLIED).kept
    assert JUDGES["release"](mind_of(pos, ALLIED), Option("release", unit=division)) > 0


def test_it_knows_whom_a_raider_would_cut_off_as_the_end_of_turn_would_find_it():
    match = played_until(9, turn=4, phase="combat", side=ALLIED)
    pos = match.position
    mind = mind_of(pos, ALLIED)
    raider = next(u for u in units_on_map(WAR, pos, ALLIED) if WAR.tracks >> u & 1)
    germans = units_on_map(WAR, pos, GERMAN)
    found: list[int] = []
    for hex in list(bits(WAR.land & ~pos.control & ~mind.enemy))[::4]:
        after = []
        for there in (pos.hex[raider], hex):
            moved = pos.copy()
            moved.hex[raider] = there
            list(supply_check(WAR, moved))
            after.append(sum(pos.steps[u] for u in germans if moved.cut >> u & 1))
        found.append(after[1] - after[0])
        assert max(0, found[-1]) == severed(mind, raider, hex)
    assert max(found) > 0, "somewhere there are lines to cut"


def test_the_allies_make_for_one_town_until_it_is_theirs_or_long_out_of_reach():
    match = Match(GAME, seed="thrust")
    memory = Memory()
    bots = STAFF(3), STAFF(4)
    aims: list[tuple[int, int]] = []
    while match.decision:
        seat, pos = match.seat(), match.position
        if pos.phase == "movement" and pos.side == ALLIED and pos.turn > len(aims):
            mind = Mind(ROOM, pos, ALLIED, nowhere, memory, 3)
            assert mind.objectives
            aims.append((memory.aims["thrust"].target, pos.control))
        match.choose(bots[seat.side](seat))
    changes = [(old, held) for (old, _), (new, held) in pairwise(aims) if old != new]
    untaken = [old for old, held in changes if not held >> old & 1]
    assert len({aim for aim, _ in aims}) > 1
    assert len(untaken) <= 2


def test_a_side_without_units_still_decides():
    pos = START.copy()
    for unit in WAR.members[GERMAN]:
        pos.hex[unit] = LOST
    pos.centre[GERMAN], pos.side = GAME.board.parse("2418"), GERMAN
    assert JUDGES["move the centre"](mind_of(pos, GERMAN), Option("move the centre")) < 99


@pytest.mark.parametrize("column", range(9))
def test_it_weighs_battles_by_the_exact_chances_of_the_chart(column: int):
    assert sum(chance for chance, _, _ in ROOM.results(column)) == pytest.approx(1)
    exact = WAR.combat.chances(column, WAR.dice).mean(lambda cell: cell.defender)
    assert sum(p * theirs for p, _, theirs in ROOM.results(column)) == pytest.approx(float(exact))


@pytest.mark.parametrize("side", [ALLIED, GERMAN])
def test_better_odds_are_worth_more_to_it_and_the_worst_are_worth_nothing(side: int):
    values = [ROOM.worth(side, column, 2, 0.0) for column in range(9)]
    assert values == sorted(values)
    assert values[0] < 0 < values[-1]


def test_every_attack_that_it_orders_is_worth_more_than_it_costs():
    match = played_until(6, turn=2, phase="combat", side=ALLIED)
    bot = STAFF(6)
    columns: list[str] = []
    while match.position.phase == "combat" and match.position.side == ALLIED:
        seat = match.seat()
        option = bot(seat)
        if option.verb == "no more support" and seat.side == ALLIED:
            preview = match.preview(option)
            assert preview
            columns.append(preview.column)
        match.choose(option)
    assert columns
    assert not {"1:3"} & set(columns)


def test_units_that_are_told_to_go_are_told_within_their_reach():
    match = played_until(5, turn=4, phase="movement", side=ALLIED)
    bot = STAFF(5)
    before = tuple(match.position.hex)
    while match.position.phase == "movement" and match.position.side == ALLIED:
        match.choose(bot(match.seat()))
    moved = [u for u in WAR.members[ALLIED] if match.position.hex[u] != before[u]]
    assert len(moved) > 5
    enemy = occupied(WAR, match.position, GERMAN)
    near = WAR.zone(enemy)
    in_contact = [hex for hex in bits(near) if hex in match.position.hex]
    assert in_contact


@pytest.mark.parametrize("name", ["staff", "greedy"])
def test_nobody_picks_up_a_unit_that_cannot_stir_for_ever(name: str):
    ring = "US 34 @ 1104; US 36 @ 1204; US 45 @ 1205; US 3 @ 1106; US 85 @ 1005; US 88 @ 1004"
    pos = march(f"94 ID @ 1105; {ring}", GERMAN).position
    match, bot = Match(GAME, position=pos, seed=1), make_bot(name, 1, GAME)
    for _ in range(100):
        if match.position.phase != "movement":
            break
        match.choose(bot(match.seat()))
    assert match.position.phase != "movement"
