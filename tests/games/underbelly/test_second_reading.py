"""The engine against a second, plain reading of the rules, in positions drawn by lot."""

from __future__ import annotations

from collections import defaultdict
from random import Random
from typing import Any

import pytest

from apennine.games.underbelly.rules.c09_activation import begin
from apennine.games.underbelly.rules.c12_movement import march, pick_up
from apennine.games.underbelly.rules.c13_battle import fight
from apennine.games.underbelly.table.position import (
    AERIAL,
    ALLIED,
    ATTACK,
    COLUMN,
    FIGHT_MOVE,
    GERMAN,
    HISTORICAL,
    LOST,
    MOVE,
    MOVE_FIGHT,
    OVERLAND,
    Table,
)
from apennine.hexes import bits
from apennine.kernel.decision import Event, Option, Roll
from apennine.testing import rule
from tests.games.underbelly.board_reading import DIE, Board
from tests.games.underbelly.lots import draw
from tests.games.underbelly.reading import GROUP, GUNS, KIND, NEXT, SIDE, UNITS, Reading
from tests.games.underbelly.skirmish import WAR, commands

SEEDS = range(4)
EACH = 16


def offered(pos: Table) -> dict[str, set[int]]:
    """By verb, the hexes that the menu offers, or the units where it names units alone."""
    found: dict[str, set[int]] = defaultdict(set)
    for option in commands(pos):
        found[option.verb].add(option.hex if option.hex >= 0 else option.unit)
    return found


def idle(pos: Table) -> list[int]:
    """The units that can still be given a command (9.18, 12.9)."""
    units = [unit for unit in UNITS if SIDE[unit] == pos.side and pos.hex[unit] >= 0]
    airborne = WAR.airborne if pos.hex[WAR.airborne] == WAR.available else -1
    return [unit for unit in units if not pos.acted >> unit & 1 and unit != airborne]


def is_cautious(pos: Table, unit: int) -> bool:
    """5.5: the British in the first turns of the Historical Scenario."""
    return GROUP[unit] == "GB" and pos.scenario == HISTORICAL and 2 <= pos.turn <= 5


@rule("underbelly", "9.4a", "12.7a", "11.7c")
@pytest.mark.parametrize("seed", SEEDS)
def test_who_may_move_and_who_may_go_in_column(seed: int):
    random = Random(seed)
    for _ in range(EACH):
        pos = draw(random)
        book, found, side = Reading(pos), offered(pos), pos.side
        hexes = {pos.hex[unit] for unit in idle(pos)}
        moving = {hex for hex in hexes if book.supply(hex, side) != AERIAL}
        if not book.ports:
            moving.discard(WAR.available)
        assert found["move"] == moving
        quick = {pos.hex[unit] for unit in idle(pos) if not is_cautious(pos, unit)}
        fed = {hex for hex in moving & quick if book.supply(hex, side) == OVERLAND}
        assert found["column"] == fed - book.zones[1 - side] - {WAR.available}


@rule("underbelly", "9.5a", "9.6b", "9.7b")
@pytest.mark.parametrize("seed", SEEDS)
def test_who_may_attack_and_how(seed: int):
    random = Random(seed)
    for _ in range(EACH):
        pos = draw(random)
        book, found, side = Reading(pos), offered(pos), pos.side
        hexes = {pos.hex[unit] for unit in idle(pos) if unit not in GUNS}
        attacking = {hex for hex in hexes if hex in NEXT and book.targets(hex)}
        assert found["attack"] == attacking
        dear = side == GERMAN and pos.points >= 3
        fed = {hex for hex in hexes if dear and book.supply(hex, side) == OVERLAND}
        assert found["move-fight"] == fed - book.zones[ALLIED]
        assert found["fight-move"] == fed & attacking & book.zones[ALLIED]


@rule("underbelly", "9.16g", "9.17a", "9.16h")
@pytest.mark.parametrize("seed", SEEDS)
def test_who_gets_replacements(seed: int):
    random = Random(seed)
    for _ in range(EACH):
        pos = draw(random)
        pos.mechanised_steps = pos.side and random.randint(0, 1)
        book, found, side = Reading(pos), offered(pos), pos.side
        weak: set[int] = set()
        dead: set[int] = set()
        for unit in UNITS:
            dear = KIND[unit] == "mechanised" or unit in GUNS
            price = 1 + dear if side == GERMAN else 1 + (pos.hex[unit] == LOST)
            rationed = side == GERMAN and KIND[unit] == "mechanised" and pos.mechanised_steps
            if SIDE[unit] != side or price > pos.points or rationed:
                continue
            if pos.hex[unit] == LOST and not pos.barred >> unit & 1:
                dead.add(unit)
            reduced = pos.steps[unit] == 1 and unit not in GUNS and pos.hex[unit] >= 0
            if reduced and book.supply(pos.hex[unit], side) == OVERLAND:
                weak.add(unit)
        assert (found["replenish"], found["reclaim"]) == (weak, dead)


@rule("underbelly", "9.8c", "11.7a", "12.9c")
@pytest.mark.parametrize("seed", SEEDS)
def test_where_forts_are_built_supplies_flown_and_the_82nd_dropped(seed: int):
    random = Random(seed)
    for _ in range(EACH):
        pos = draw(random)
        book, found, german = Reading(pos), offered(pos), pos.side == GERMAN
        building = german and pos.scenario == HISTORICAL and pos.turn >= 8
        assert found["build fort"] == (book.fort_sites() if building else set())
        flying = not german and pos.tac_active and not pos.airlifted
        hungry = {hex for hex in book.held[ALLIED] if book.supply(hex, ALLIED) != OVERLAND}
        assert found["airlift"] == (hungry if flying else set())
        ready = flying and pos.drop_ready and pos.hex[WAR.airborne] == WAR.available
        assert found["drop"] == (book.drop_sites() if ready else set())


@rule("underbelly", "11.2a", "6.4a", "11.3b")
@pytest.mark.parametrize("seed", SEEDS)
def test_what_a_command_finds_of_supply_and_of_mixed_stacks(seed: int):
    random = Random(seed)
    for _ in range(EACH):
        pos = draw(random)
        book = Reading(pos)
        for hex in sorted(book.held[pos.side]):
            given = pos.copy()
            begin(WAR, given, MOVE, hex)
            assert given.supply == book.supply(hex, pos.side)
            if pos.side == GERMAN:
                continue
            assert given.mixed == book.is_mixed(hex)
            groups = {GROUP[unit] for unit in book.stacks[hex]}
            crossed = [group in groups and book.is_crossed(hex, group) for group in ("US", "GB")]
            assert [bool(given.crossed >> group & 1) for group in range(2)] == crossed


@rule("underbelly", "12.1a", "12.4", "12.10a")
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("order", [MOVE, COLUMN, MOVE_FIGHT, FIGHT_MOVE])
def test_how_far_units_move(seed: int, order: int):
    random = Random(seed)
    for _ in range(EACH // 2):
        pos = draw(random)
        if order > COLUMN:
            pos.side, pos.points = GERMAN, 6
        for hex in sorted(Reading(pos).held[pos.side]):
            given = pos.copy()
            begin(WAR, given, order, hex)
            stack = list(bits(given.waiting or given.force))
            units = random.sample(stack, random.randint(1, len(stack)))
            for step in pick_up(WAR, given, sum(1 << unit for unit in units)):
                assert isinstance(step, Roll)
                break  # a question mark: its die is another matter
            else:
                book = Reading(given)
                assert given.moves_left == min(map(book.allowance, units))
                assert set(bits(march(WAR, given).ends)) == book.reach()


def an_attack(random: Random) -> Table | None:
    """A position in which an attack has just been ordered; None if nobody could."""
    pos = draw(random)
    book = Reading(pos)
    hexes = [pos.hex[unit] for unit in idle(pos) if unit not in GUNS and pos.hex[unit] in NEXT]
    ways = [(hex, near) for hex in hexes for near in NEXT[hex] if near in book.held[1 - pos.side]]
    ways = [(hex, near) for hex, near in ways if near in book.targets(hex)]
    if not ways:
        return None
    origin, target = random.choice(ways)
    begin(WAR, pos, ATTACK, origin)
    pos.target = target
    return pos


@rule("underbelly", "13.2/1a", "13.4", "13.12a")
@pytest.mark.parametrize("seed", range(5))
def test_battles_go_shot_by_shot_as_the_book_has_them(seed: int):
    random = Random(seed)
    fought = 0
    while fought < 60:
        pos = an_attack(random)
        if pos:
            fought += 1
            fight_along(random, pos)


def fight_along(random: Random, pos: Table) -> None:
    """Fight a battle with the engine and with the second reading, step by step."""
    battle, board, play, wanted = fight(WAR, pos), None, None, None
    answer: Any = None
    while True:
        try:
            step = battle.send(answer)
        except StopIteration:
            break
        answer = None
        if isinstance(step, Event):
            if step.verb == "battle":
                board = Board(pos.copy(), list(bits(pos.attackers)), pos.bomber)
                play = board.play()
                wanted = next(play, None)
        elif isinstance(step, Roll):
            assert wanted == DIE
            face = random.randint(1, 10)
            answer, wanted = (face,), tell(play, face)
        else:
            menu = list(step.options)
            answer = random.choice(menu)
            if wanted:
                found = {(option.verb, option.unit, option.value) for option in menu}
                assert (step.side, found) == wanted
                wanted = tell(play, answer)
            elif board:
                check_the_end(board, pos, menu)
    assert board
    assert wanted is None
    assert pos.steps == board.steps
    for unit in board.dead():
        assert pos.hex[unit] == LOST
        assert bool(pos.barred >> unit & 1) == board.is_gone_for_good(unit)
    for unit in board.alive(board.defenders):
        assert (pos.hex[unit] != board.target) == board.retreats
    if board.side == GERMAN and board.target in board.book.ports:
        assert (board.target in pos.ports) == bool(board.alive(board.defenders))


def tell(play: Any, answer: Any) -> Any:
    """What the second reading asks for next; None if it is done."""
    try:
        return play.send(answer)
    except StopIteration:
        return None


def check_the_end(board: Board, pos: Table, menu: list[Option]) -> None:
    """Steps eight and nine: nothing is asked but who retreats where, and who advances."""
    verbs = {option.verb for option in menu}
    if verbs == {"retreat to"}:
        whole = list(bits(pos.retreating))
        here = Reading(pos)
        board.book = here
        together = {hex for hex in board.refuges(whole) if here.has_room(hex, whole)}
        assert not together or {option.hex for option in menu} == together
        return
    assert verbs == {"advance", "stay"}
    assert not board.broken_off
    assert board.retreats or not board.alive(board.defenders)
    assert pos.supply != AERIAL
    advancing = {option.unit for option in menu if option.verb == "advance"}
    assert advancing == board.advancers(pos.hex)
