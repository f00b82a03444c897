"""Levels: easy, and hard, which looks ahead; on a small game whose staff is made up here."""

from collections.abc import Callable
from copy import copy
from random import Random
from typing import Any

import pytest

from apennine.bots import check_bot, make_bot, offered, title_of
from apennine.bots.staff.levels import EasyBot, levels
from apennine.bots.staff.search import Effort, HardBot, difference, played_on
from apennine.games import get
from apennine.kernel.decision import Option
from apennine.kernel.game import GameError
from apennine.kernel.match import Match
from apennine.kernel.seat import Seat
from apennine.server.errors import Refused
from apennine.server.founding import read_seats

CROSSING = get("crossing")


class Marcher:
    """A staff of the tests: its one weight is how likely it is to do nothing at all."""

    def __init__(self, seed: int, idle: float = 0.0) -> None:
        self.random, self.idle = Random(seed), idle
        self.heeded: list[float] = []

    def heed(self, weights: float) -> None:
        self.idle = weights
        self.heeded.append(weights)

    def __call__(self, seat: Seat[Any]) -> Option:
        options = seat.decision.options
        if self.random.random() < self.idle:
            return options[-1]  # which ends the step
        return options[int(self.random.random() * len(options))]


def towns(pos: Any, side: int) -> float:
    """An outlook for the tests."""
    share = (1 + pos.held.bit_count()) / 5
    return share if side == 0 else 1 - share


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How each dream ended, as the outlook of the tests saw it."""
    found: list[float] = []

    def outlook(pos: Any, side: int) -> float:
        found.append(towns(pos, side))
        return found[-1]

    monkeypatch.setattr(CROSSING, "outlook", outlook, raising=False)
    return found


def first_seat(side: int, seed: int = 3) -> tuple[Match[Any], Seat[Any]]:
    """The first question of a side in a turn of its own."""
    match, random = Match(CROSSING, seed=seed), Random(seed)
    while match.decision and (match.seat().side, match.seat().moment[1]) != (side, side):
        options = match.seat().decision.options
        match.choose(options[int(random.random() * len(options))])
    return match, match.seat()


def hard(made: list[Marcher], effort: Effort, **more: Any) -> HardBot[float]:
    def staff(seed: int, idle: float) -> Marcher:
        made.append(Marcher(seed, idle))
        return made[-1]

    return HardBot(staff, ((0.05, 0.0, 0.1), (0.05, 0.1)), 7, effort, **more)


def test_a_plan_is_chosen_once_a_turn_and_kept_for_its_small_steps(seen: list[float]):
    match, _ = first_seat(0)
    made: list[Marcher] = []
    bot = hard(made, Effort(dreams=2, least=2))
    steps = 0
    turn = match.seat().moment
    while match.decision and match.seat().moment == turn:
        seat = match.seat()
        if seat.side == 0:
            match.choose(bot(seat))
            steps += 1
        else:
            match.choose(seat.decision.options[0])
    assert steps > 3
    assert len(made[0].heeded) == 1
    # Two dreams of three plans, each played by a staff a side; the first is the bot's own.
    assert len(made) == 1 + 2 * 3 * 2
    assert len(seen) <= 6


def test_who_thinks_without_a_clock_plays_the_same_everywhere(seen: list[float]):
    def choices() -> list[Option]:
        match, _ = first_seat(0)
        bot, found = hard([], Effort(dreams=2, least=2)), list[Option]()
        other = Marcher(1)
        for _ in range(30):
            if not match.decision:
                break
            seat = match.seat()
            found.append((bot if seat.side == 0 else other)(seat))
            match.choose(found[-1])
        return found

    assert choices() == choices()


def test_a_plan_that_is_clearly_better_is_followed(monkeypatch: pytest.MonkeyPatch):
    _, seat = first_seat(0)
    made: list[Marcher] = []
    bot = hard(made, Effort(dreams=3, least=3))
    worth = {0: 0.3, 1: 0.6, 2: 0.1}

    def told(_seat: Seat[Any], plan: int, seed: int) -> float:
        return worth[plan] + seed % 7 * 0.001

    monkeypatch.setattr(bot, "_worth", told)
    bot(seat)
    assert made[0].heeded == [0.0]


def test_the_usual_plan_is_kept_while_another_is_not_surely_better(
    monkeypatch: pytest.MonkeyPatch,
):
    _, seat = first_seat(0)
    made: list[Marcher] = []
    bot = hard(made, Effort(dreams=4, least=4, doubt=1.0))
    values = {0: [0.5, 0.5, 0.5, 0.5], 1: [0.9, 0.2, 0.9, 0.2], 2: [0.5, 0.4, 0.5, 0.4]}
    found = {plan: iter(each) for plan, each in values.items()}

    def told(_seat: Seat[Any], plan: int, _seed: int) -> float:
        return next(found[plan])

    monkeypatch.setattr(bot, "_worth", told)
    bot(seat)
    assert made[0].heeded == [0.05]


def test_a_clock_that_has_run_out_ends_the_thinking(
    seen: list[float], monkeypatch: pytest.MonkeyPatch
):
    _, seat = first_seat(0)
    ticks = iter(range(100))
    monkeypatch.setattr("apennine.bots.staff.search.perf_counter", lambda: next(ticks))
    for seconds, dreams, heeded in ((0.5, 0, 0.05), (2.5, 2, 0.05), (4.0, 4, None)):
        made: list[Marcher] = []
        hard(made, Effort(dreams=50, least=50), seconds=seconds)(seat)
        # A tick passes before each try of a plan; a dream of only some of the plans is left aside.
        assert len(made) == 1 + 2 * dreams
        assert heeded in (None, made[0].heeded[0])


def test_a_dream_ends_when_the_other_side_has_had_its_turn(seen: list[float]):
    match, seat = first_seat(0)
    dream = seat.dream(5)
    turn = dream.position.turn
    chance = played_on(dream, [Marcher(1), Marcher(2)], 0)
    if dream.outcome is None:
        assert (dream.position.turn, dream.position.side) == (turn + 1, 0)
        assert chance == towns(dream.position, 0)
    assert match.position.turn == turn


def test_the_difference_of_two_plans_has_a_standard_error():
    assert difference([1.0, 1.0, 1.0], [0.5, 0.5, 0.5]) == (0.5, 0.0)
    mean, error = difference([0.0, 1.0, 0.0, 1.0], [0.0, 0.0, 0.0, 0.0])
    assert mean == 0.5
    assert error == pytest.approx((1 / 3 / 4) ** 0.5)


def test_easy_forgets_from_turn_to_turn_and_slips():
    made: list[int] = []

    def staff(seed: int) -> Callable[[Seat[Any]], Option]:
        made.append(seed)
        return lambda seat: seat.decision.options[-1]

    match, _ = first_seat(0)
    careful, careless = EasyBot(staff, 1, slips=0.0), EasyBot(staff, 1, slips=1.0)
    turns, differs = set[tuple[int, int]](), 0
    for _ in range(80):
        if not match.decision:
            break
        seat = match.seat()
        turns.add(seat.moment)
        chosen = careful(seat)
        assert chosen == seat.decision.options[-1]
        differs += careless(seat) != chosen
        match.choose(chosen)
    assert differs > 3
    assert len(made) == 2 * len(turns) > 4
    assert len(set(made)) > 2


def test_a_game_without_plans_has_no_hard_level():
    assert [*levels(Marcher)] == ["staff", "easy"]
    assert [*levels(Marcher, ((0.0,), (0.0,)))] == ["staff", "easy", "hard"]


def test_a_bot_on_trial_is_not_offered():
    game = copy(CROSSING)
    game.bots = levels(Marcher, ((0.0, 0.1), (0.0, 0.1)))
    assert offered(game) == ["staff", "easy", "hard", "greedy", "random"]
    game.on_trial = ("hard",)
    assert offered(game) == ["staff", "easy", "greedy", "random"]
    with pytest.raises(Refused, match="on trial"):
        read_seats(game, dict.fromkeys(game.sides, "bot:hard"), "")
    assert isinstance(make_bot("hard", 1, game), HardBot), "the laboratory may try it"


def test_the_time_to_think_is_said_with_the_name():
    game = copy(CROSSING)
    game.bots = levels(Marcher, ((0.0, 0.1), (0.0, 0.1)))
    assert check_bot("hard:2.5", game) == ("hard", 2.5)
    bot = make_bot("hard:2.5", 1, game)
    assert isinstance(bot, HardBot)
    assert bot.seconds == 2.5
    usual = make_bot("hard", 1, game, 4.0)
    assert isinstance(usual, HardBot)
    assert usual.seconds == 4.0
    for name in ("hard:0", "hard:x", "hard:9999", "staff:2"):
        with pytest.raises(GameError, match=name):
            check_bot(name, game)
    assert title_of("staff") == "Normal"
