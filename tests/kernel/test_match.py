from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apennine.kernel.decision import Choice, Event, Option, Roll
from apennine.kernel.dice import DiceError, SeededDice
from apennine.kernel.log import PACKED, Chosen, Entry, Rolled
from apennine.kernel.match import IllegalChoice, Match, MatchError, RulesError
from apennine.kernel.save import dump, open_record, parse
from tests.kernel.playing import in_another_process, play, present, start, step, take
from tests.kernel.toy import RESERVE, Lanes, Toy

SEEDS = st.integers(0, 10**6)


@st.composite
def matches(draw: st.DrawFn, most: int = 400) -> Match[Any]:
    """A match somewhere on its way, in the middle of a phase as often as not."""
    scenario = draw(st.sampled_from(["short", "endless"]))
    hand = draw(st.booleans())
    match = Match(Toy(), scenario, seed=draw(SEEDS), dice_by_hand=hand)
    return play(match, draw(st.integers(0, most)), draw(SEEDS))


def moments(match: Match[Any], count: int, seed: int = 1) -> list[Match[Any]]:
    """Forks of a match at each of its next decisions, the present first."""
    random = Random(seed)
    forks = [match.fork()]
    for _ in range(count):
        if match.decision is None:
            break
        step(match, random)
        forks.append(match.fork())
    return forks


class Diary:
    """A watcher that writes everything down."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.lengths: list[int] = []

    def saw(self, match: Match[Any], entry: Entry) -> None:
        self.entries.append(entry)
        self.lengths.append(len(match.log))


# What is asked, and what is not.


def test_a_match_begins_with_the_first_decision_that_somebody_really_has():
    match = start()
    decision = match.decision
    assert isinstance(decision, Choice)
    assert (decision.side, decision.rule, decision.secret) == (0, "2.1", True)
    assert [type(entry) for entry in match.log] == [Event, Rolled]


def test_a_choice_with_one_option_is_taken_by_the_match_and_logged():
    match = take(start(), "plan=2")
    assert match.log[-1] == Chosen(1, Option("plan", value=1), "2.2", secret=True, automatic=True)
    assert match.position.plan == [2, 1]
    assert match.decision.side == 0


def test_the_log_keeps_choices_dice_and_events_apart_with_purpose_and_rule():
    match = take(start(), "plan=2", "go/Red 2@H06", "snipe/Blue 1@H06")
    match = match.at(len(match.log))
    assert match.log[0] == Event("turn begins", value=1, rule="1.1")
    weather, shot = (entry for entry in match.log if type(entry) is Rolled)
    assert (weather.sides, weather.purpose, weather.rule) == ((6,), "weather", "1.1")
    assert (shot.sides, shot.purpose, shot.rule) == ((6, 6), "sniping", "3.4")
    assert (weather.nth, shot.nth, weather.given, shot.given) == (0, 1, False, False)
    made = [entry for entry in match.log if type(entry) is Chosen]
    assert [(entry.side, entry.option.verb, entry.automatic) for entry in made[:4]] == [
        (0, "plan", False),
        (1, "plan", True),
        (0, "go", False),
        (1, "snipe", False),
    ]


def test_a_finished_game_has_an_outcome_with_a_reason_and_asks_nothing_more():
    match = play(start())
    assert match.decision is None
    assert match.outcome.reason.endswith("points.")
    assert match.outcome.rule == "5.1"
    with pytest.raises(MatchError, match=r"The game is over: .* points"):
        match.choose(Option("end"))
    with pytest.raises(MatchError, match="The game is over"):
        match.seat()


def test_a_game_can_end_in_the_middle_of_a_shot():
    hex = [RESERVE, 4, 7, 9]
    pos = Lanes(phase="move", hex=hex, plan=[1, 1], points=[0, 0], shots=[])
    match = Match(Toy(), position=pos)
    match.force(6, 6)
    take(match, "go/Red 2@H06", "snipe/Blue 1@H06")
    assert match.outcome == (1, "Red has no runner left.", "5.2")
    assert match.decision is None
    assert match.position.phase == "move"
    assert type(match.log[-1]) is Event


def test_the_rules_cannot_be_answered_with_something_that_they_did_not_ask():
    match = start()
    with pytest.raises(MatchError, match="No dice are asked for now"):
        match.roll(3)
    by_hand = Match(Toy(), dice_by_hand=True)
    with pytest.raises(MatchError, match="The dice are asked for now, not a choice"):
        by_hand.choose(Option("plan", value=1))
    with pytest.raises(MatchError, match="The dice are asked for now, not a choice"):
        by_hand.seat()


# Illegal choices.


@pytest.mark.parametrize(
    ("option", "sentence", "rule"),
    [
        # Where a game does not ask by orders, all that can be said is which rule asks.
        (Option("go", 0, 11), "That is not one of the options (3.1).", "3.1"),
        (Option("fly", 0, 3), "That is not one of the options (3.1).", "3.1"),
        (Option("plan", value=1), "That is not one of the options (3.1).", "3.1"),
    ],
)
def test_an_illegal_choice_is_refused_with_its_rule_and_changes_nothing(
    option: Option, sentence: str, rule: str
):
    match = take(start(), "plan=1")
    before = present(match)
    with pytest.raises(IllegalChoice) as error:
        match.choose(option)
    assert str(error.value) == sentence
    assert error.value.refusal.rule == rule
    assert error.value.option == option
    assert present(match) == before
    take(match, "go/Red 1@H03")


# Rules that go wrong.

WRONG: list[tuple[str, type[Exception], str]] = [
    ("raise", ZeroDivisionError, "the rules went wrong"),
    ("empty", RulesError, r"The rules offer no option: Choose from nothing \(9\.9\)"),
    ("circle", RulesError, "The rules of Lanes run in a circle in 'trouble'"),
    ("junk", RulesError, "The rules yielded 'junk', which nobody can answer"),
    ("none", RulesError, "The rules yielded None, which nobody can answer"),
]


@pytest.mark.parametrize(("verb", "kind", "sentence"), WRONG, ids=[row[0] for row in WRONG])
def test_rules_that_go_wrong_leave_the_match_as_it_was(
    verb: str, kind: type[Exception], sentence: str
):
    match, twin = start("trouble"), start("trouble")
    diary = Diary()
    match.watch(diary)
    match.force(4)
    twin.force(4)
    before = present(match)
    for _ in range(2):
        with pytest.raises(kind, match=sentence):
            take(match, verb)
        assert present(match) == before
    assert diary.entries == []
    # And it can go on with another option, as if nothing had happened.
    assert present(play(take(match, "fine"), 5)) == present(play(take(twin, "fine"), 5))
    assert diary.entries == list(match.log)


def test_a_fork_of_a_match_whose_rules_went_wrong_goes_on_too():
    match = start("trouble")
    with pytest.raises(ZeroDivisionError):
        take(match, "raise")
    assert present(take(match.fork(), "fine")) == present(take(start("trouble"), "fine"))


def test_rules_that_go_wrong_at_once_let_no_match_begin():
    class Hasty(Toy):
        def weather(self, pos: Lanes) -> Any:
            yield Choice(0, [], "Nothing", "1.1")

    with pytest.raises(RulesError, match="offer no option"):
        Match(Hasty())


# Checkpoints.


@given(matches())
def test_the_last_checkpoint_and_the_answers_since_lead_to_the_present(match: Match[Any]):
    base = match.checkpoint
    again = Match[Any].resume(
        match.game, match.scenario, match.options, match.seed, match.log.fork(), base
    )
    assert present(again) == present(match)


@given(matches())
def test_at_a_checkpoint_the_restarted_phase_asks_the_same_at_once(match: Match[Any]):
    decision = match.decision
    if not isinstance(decision, Choice) or not decision.checkpoint:
        return
    assert match.checkpoint.at == len(match.log)
    assert match.checkpoint.position == match.position
    again = Match(match.game, match.scenario, position=match.position)
    assert again.decision == decision
    assert len(again.log) == 0


def test_a_match_can_begin_with_a_position_of_ones_own_and_keeps_its_hands_off_it():
    pos = Lanes(phase="move", hex=[5, 0, 7, 9], plan=[1, 1], points=[0, 0], shots=[])
    before = pos.copy()
    match = Match(Toy(), position=pos, seed=7)
    take(match, "go/Red 1@H06", "hold", "stop/Red 1")
    assert pos == before
    pos.hex[0] = 11
    match.undo()
    match.undo()
    match.undo()
    assert match.position.hex[0] == 5


# Forks.


@given(matches(), SEEDS)
@settings(max_examples=40)
def test_a_fork_and_its_original_agree_for_ever(match: Match[Any], seed: int):
    fork = match.fork()
    for first, second in zip(moments(match, 30, seed), moments(fork, 30, seed), strict=True):
        assert present(first) == present(second)


@given(matches(), SEEDS, SEEDS)
@settings(max_examples=40)
def test_what_happens_to_a_fork_does_not_happen_to_its_original(
    match: Match[Any], seed: int, other: int
):
    twin = match.fork()
    before = present(match)
    fork = match.fork(seed=other)
    assert present(fork) == before
    play(fork, 30, seed)
    assert present(match) == before
    assert present(play(match, 30, seed)) == present(play(twin, 30, seed))


def test_a_fork_with_a_new_seed_has_new_dice_to_come_and_the_old_ones_behind():
    match = play(start("endless"), 30)
    before = len(match.log)
    same, new = match.fork(), match.fork(seed=99)
    for other in (match, same, new):
        play(other, 60, seed=5)
    rolls = [
        [entry.faces for entry in other.log[before:] if type(entry) is Rolled]
        for other in (match, same, new)
    ]
    assert rolls[0] == rolls[1] != rolls[2]
    assert match.log[:before] == new.log[:before]
    assert new.commitment != match.commitment


def test_a_fork_shares_the_history_and_the_checkpoint():
    match = play(start("endless"), 3000)
    gc.collect()
    tracemalloc.start()
    forks = [match.fork() for _ in range(200)]
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size / len(forks) < 1500
    assert forks[0].checkpoint.position is match.checkpoint.position
    assert forks[0].log[-1] is match.log[-1]


def test_a_fork_of_a_fork_that_was_never_looked_at_is_as_good():
    match = take(start(), "plan=1", "go/Red 2@H06")
    assert present(match.fork().fork().fork()) == present(match)


def test_watchers_stay_with_the_original():
    match, diary = start(), Diary()
    match.watch(diary)
    fork = match.fork()
    play(fork, 5)
    assert diary.entries == []
    play(match, 5)
    assert diary.entries


# Undo and redo.


def test_undo_goes_back_decision_by_decision_to_the_beginning_and_redo_to_the_end():
    match = start("endless")
    past = [present(fork) for fork in moments(match, 350)]
    assert len(match.log) > 2 * PACKED
    for before in reversed(past[:-1]):
        match.undo()
        assert present(match) == before
    with pytest.raises(MatchError, match="nothing to undo"):
        match.undo()
    for after in past[1:]:
        match.redo()
        assert present(match) == after
    with pytest.raises(MatchError, match="nothing to redo"):
        match.redo()


@given(matches(), st.integers(1, 12), SEEDS)
@settings(max_examples=40)
def test_undo_then_redo_is_identity_and_the_future_is_the_same(
    match: Match[Any], depth: int, seed: int
):
    twin = match.fork()
    undone = 0
    for _ in range(depth):
        try:
            match.undo()
        except MatchError:
            break
        undone += 1
    for _ in range(undone):
        match.redo()
    assert present(match) == present(twin)
    assert present(play(match, 20, seed)) == present(play(twin, 20, seed))


def test_after_undo_the_same_choice_meets_the_same_dice():
    match = take(start(), "plan=1", "go/Red 2@H06", "snipe/Blue 1@H06")
    after = present(match)
    match.undo()
    take(match, "snipe/Blue 1@H06")
    assert present(match) == after


def test_a_new_choice_after_undo_leaves_nothing_to_redo():
    match = take(start(), "plan=1")
    match.undo()
    take(match, "plan=2")
    with pytest.raises(MatchError, match="nothing to redo"):
        match.redo()


def test_undo_reaches_behind_the_end_of_the_game():
    match = play(start())
    match.undo()
    assert match.outcome is None
    assert match.decision is not None
    match.redo()
    assert match.outcome is not None


def test_undo_goes_back_to_dice_that_were_given_by_hand():
    match = Match(Toy(), dice_by_hand=True)
    match.roll(4)
    take(match, "plan=1")
    match.undo()
    match.undo()
    assert match.decision == Roll((6,), "weather", "1.1")
    match.roll(1)
    assert match.position.rain


# A player's own undo.


class Nodding(Toy):
    """When a runner moves, something happens that the mover's undo may or may not pass."""

    happens: Callable[[int], Any]

    def go(self, pos: Lanes, unit: int, goal: int) -> Any:
        pos.moved |= 1 << unit
        pos.hex[unit] = goal
        yield self.happens(unit)


@pytest.mark.parametrize(
    ("happens", "passes"),
    [
        (lambda _: Event("dust", rule="3.1"), True),
        (lambda _: Event("found", rule="3.1", reveals=True), False),
        (lambda _: Roll((6,), "stumbling", "3.1"), False),
        (lambda _: Choice(0, [Option("nod")], "Nod", "3.3"), True),
        (lambda _: Choice(0, [Option("nod")], "Nod", "3.3", secret=True), True),
        (lambda _: Choice(1, [Option("nod")], "Nod", "3.3"), True),
        (lambda _: Choice(1, [Option("nod")], "Nod", "3.3", secret=True), False),
    ],
    ids=[
        "an event",
        "a revelation",
        "a die",
        "an own choice that was none",
        "an own secret choice that was none",
        "another side's choice that was none",
        "another side's secret choice, even with one option",
    ],
)
def test_a_player_takes_back_a_move_unless_behind_it_lies(
    happens: Callable[[int], Any], passes: bool
):
    match = take(Match(Nodding(happens=happens), seed=7), "plan=1")
    before = present(match)
    take(match, "go/Red 1@H03")
    assert match.may_take_back(0) is passes
    after = present(match)
    if passes:
        match.take_back(0)
        assert present(match) == before
        match.redo()
    else:
        with pytest.raises(MatchError, match="Red can take nothing back"):
            match.take_back(0)
    assert present(match) == after


def test_a_player_does_not_take_back_behind_a_choice_that_the_other_side_really_had():
    match = take(start(), "plan=1", "go/Red 2@H06", "hold")
    assert not match.may_take_back(0)
    assert match.may_take_back(1)
    match.take_back(1)
    assert match.decision.side == 1


def test_a_player_may_take_back_a_move_while_the_other_side_is_being_asked():
    match = take(start(), "plan=1", "go/Red 2@H06")
    assert match.decision.side == 1
    assert match.may_take_back(0)
    assert not match.may_take_back(1)


def test_a_player_takes_back_several_moves_one_by_one():
    match = take(start(), "plan=1")
    before = present(match)
    take(match, "go/Red 1@H03", "go/Red 2@H05")
    assert match.decision.side == 1
    match.take_back(0)
    match.take_back(0)
    assert present(match) == before
    # Behind it lies Blue's plan, which had one option and is secret.
    assert not match.may_take_back(0)


def test_at_the_beginning_nobody_can_take_anything_back():
    assert not start().may_take_back(0)
    assert not start().may_take_back(1)


# Time travel.


def test_at_shows_the_last_decision_with_at_most_n_entries():
    match = start("endless")
    past = moments(match, 500)
    match.choose(match.decision.options[0])
    now = present(match)
    for n in range(0, len(match.log), 7):
        expected = max(
            (fork for fork in past if len(fork.log) <= n),
            key=lambda fork: len(fork.log),
            default=past[0],
        )
        assert present(match.at(n)) == present(expected)
    assert present(match.at(len(match.log))) == now
    assert present(match) == now


def test_before_the_first_decision_there_is_only_the_first_decision():
    match = start()
    assert len(match.log) == 2
    for n in (0, 1, 2):
        assert present(match.at(n)) == present(match)


@pytest.mark.parametrize("n", [-1, 3])
def test_there_is_no_moment_beyond_the_log(n: int):
    with pytest.raises(MatchError, match=f"The log has 2 entries, there is no moment {n}"):
        start().at(n)


def test_what_is_done_in_the_past_does_not_change_the_present():
    match = play(start("endless"), 100)
    now = present(match)
    play(match.at(20), 50, seed=9)
    assert present(match) == now


# Rolling back by agreement.


def used(match: Match[Any]) -> set[int]:
    return {entry.nth for entry in match.log if type(entry) is Rolled}


def rolled_back() -> tuple[Match[Any], set[int]]:
    """A match rolled back over some dice, and the numbers of all dice seen before."""
    match = play(start("endless"), 200)
    seen = used(match)
    match.roll_back(len(match.log) // 2)
    assert used(match) < seen
    return match, seen


def test_after_a_roll_back_no_die_comes_up_twice():
    match, seen = rolled_back()
    kept = used(match)
    with pytest.raises(MatchError, match="nothing to redo"):
        match.redo()
    play(match, 200, seed=4)
    assert not (used(match) - kept) & seen
    assert used(match) - kept


@pytest.mark.parametrize("how", ["undo", "take back", "fork", "save"])
def test_no_die_comes_up_twice_after_a_roll_back_whatever_is_done_next(how: str):
    match, seen = rolled_back()
    if how == "undo":
        for _ in range(5):
            match.undo()
    elif how == "take back":
        while not any(match.may_take_back(side) for side in (0, 1)):
            match.undo()
        match.take_back(0 if match.may_take_back(0) else 1)
    elif how == "fork":
        match = match.fork()
    else:
        match = open_record(parse(dump(match)), match.game)
    kept = used(match)
    play(match, 200, seed=4)
    assert used(match) - kept
    assert not (used(match) - kept) & seen


def test_a_roll_back_of_nothing_is_nothing():
    match = play(start("endless"), 50)
    twin = match.fork()
    match.roll_back(len(match.log))
    assert present(play(match, 50)) == present(play(twin, 50))


# Dice.


def test_the_same_seed_and_choices_give_the_same_match_in_another_process():
    match = play(start("endless", seed=11), 120, seed=3)
    digest, log = in_another_process(
        "from tests.kernel.playing import play, start\n"
        "match = play(start('endless', seed=11), 120, seed=3)\n"
        "result = [match.digest, repr(list(match.log))]"
    )
    assert digest == match.digest
    assert log == repr(list(match.log))


def test_the_digest_tells_positions_and_answers_apart():
    match = take(start(), "plan=1")
    digests = {match.digest}
    for move in ("go/Red 1@H03", "go/Red 2@H05", "go/Red 2@H06"):
        digests.add(take(match.fork(), move).digest)
    # The same position, but another answer on the way to it: other answers may follow.
    held = take(match.fork(), "go/Red 2@H06", "hold")
    digests.add(held.digest)
    assert len(digests) == 5


def test_dice_by_hand_are_asked_for_checked_and_marked():
    match = Match(Toy(), dice_by_hand=True)
    assert match.decision == Roll((6,), "weather", "1.1")
    assert match.seed is None
    assert match.commitment == ""
    before = present(match)
    with pytest.raises(DiceError, match="A die with 6 sides cannot show 7"):
        match.roll(7)
    with pytest.raises(DiceError, match="1 dice are asked for, 2 were given"):
        match.roll(1, 1)
    assert present(match) == before
    match.roll(1)
    assert match.position.rain
    assert match.log[1] == Rolled((1,), (6,), "weather", "1.1", 0, given=True)


def test_forced_dice_come_up_in_order_and_then_the_seed_goes_on():
    match = take(start(), "plan=1", "go/Red 2@H06")
    match.force(3, 4)
    match.force(1)
    take(match, "snipe/Blue 1@H06", "stop/Red 2", "end", "end", "plan=1", "plan=1", "end", "end")
    rolls = [entry for entry in match.log if type(entry) is Rolled]
    assert [roll.given for roll in rolls] == [False, True, True, False]
    assert [roll.faces for roll in rolls[1:3]] == [(3, 4), (1,)]
    assert rolls[3].faces == SeededDice(match.seed).roll(3, (6,))


def test_a_forced_die_that_cannot_be_is_refused_and_nothing_changes():
    match = take(start(), "plan=1", "go/Red 2@H06")
    match.force(9, 9)
    before = present(match)
    with pytest.raises(DiceError, match="cannot show 9"):
        take(match, "snipe/Blue 1@H06")
    assert present(match) == before


def test_committed_dice_can_be_checked_by_anybody_when_the_seed_is_told():
    match = Match(Toy(), "short")
    published = match.commitment
    play(match)
    assert match.outcome is not None
    dice = SeededDice(match.seed)
    assert dice.commitment == published
    for entry in match.log:
        if type(entry) is Rolled:
            assert dice.roll(entry.nth, entry.sides) == entry.faces


def test_without_a_seed_every_match_has_dice_of_its_own():
    assert len({Match(Toy()).commitment for _ in range(5)}) == 5


# Watchers.


def test_a_watcher_sees_every_entry_once_in_order_and_after_its_step():
    match, diary = start("endless"), Diary()
    match.watch(diary)
    begun = len(match.log)
    for seed in range(400):
        seen = len(diary.entries)
        play(match, 1, seed)
        assert set(diary.lengths[seen:]) == {len(match.log)}
    assert diary.entries == match.log[begun:]


def test_a_watcher_hears_nothing_of_refused_choices_and_of_going_back():
    match, diary = take(start(), "plan=1"), Diary()
    match.watch(diary)
    with pytest.raises(IllegalChoice):
        match.choose(Option("fly"))
    match.undo()
    match.redo()
    match.at(0)
    assert diary.entries == []
    take(match, "go/Red 1@H03")
    assert diary.entries == [match.log[-1]]


# Seats.


def test_a_seat_shows_the_decision_and_the_view_of_the_side_that_must_choose():
    match = take(start(), "plan=2", "end")
    seat = match.seat()
    assert seat.side == 1
    assert seat.decision is match.decision
    assert seat.game is match.game
    assert seat.view() == match.view(1)
    assert seat.view()["plans"] == [None, 1]
    assert seat.preview(Option("go", 2, 5)).path == (5, 6, 7)


def test_a_dream_asks_the_same_and_knows_neither_the_secret_nor_the_dice():
    match = take(start("endless"), "plan=2", "end", "go/Blue 1@H05")
    before = present(match)
    seat = match.fork().seat()
    blue = take(start("endless"), "plan=2", "end").seat()
    plans, rolls = set(), set()
    for seed in range(40):
        dream = blue.dream(seed)
        assert dream.decision == blue.decision
        assert dream.view(1) == blue.view()
        plans.add(dream.position.plan[0])
        play(dream, 20)
        rolls.add(tuple(entry.faces for entry in dream.log if type(entry) is Rolled))
        assert seat.dream(seed).decision == match.decision
    assert plans == {1, 2, 3}
    assert len(rolls) > 20
    assert present(match) == before


def test_a_dream_in_the_middle_of_a_phase_remembers_the_answers_since_the_checkpoint():
    match = take(start(), "plan=1", "go/Red 2@H06", "hold")
    dream = match.seat().dream(3)
    assert dream.decision == match.decision
    assert dream.position.hex == match.position.hex
    take(dream, "stop/Red 2")
    dream.undo()
    dream.undo()
    assert [option.verb for option in dream.decision.options] == ["snipe", "hold"]


def test_forced_dice_are_not_dreamt_of():
    match = take(start(), "plan=1", "go/Red 2@H06")
    match.force(6, 6)
    faces = set()
    for seed in range(20):
        dream = take(match.seat().dream(seed), "snipe/Blue 1@H06")
        faces.update(entry.faces for entry in dream.log if type(entry) is Rolled)
    assert len(faces) > 5
