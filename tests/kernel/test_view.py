from __future__ import annotations

import json
from typing import Any

import pytest

from apennine.kernel.decision import Choice, Option, Roll
from apennine.kernel.game import EVERYBODY
from apennine.kernel.log import Chosen
from apennine.kernel.match import Match
from apennine.kernel.view import HIDDEN, seen_decision, seen_log, sent
from tests.kernel.playing import play, start, take
from tests.kernel.toy import Lanes, Toy

RED, BLUE = 0, 1
EVERYONE = (RED, BLUE, EVERYBODY)


class Schemer(Toy):
    """Red plans step by step, and may stop early: even the number of steps is a secret."""

    def red_plan(self, pos: Lanes) -> Any:
        more = True
        while more and pos.plan[0] < 3:
            menu = [Option("more"), *([Option("enough")] if pos.plan[0] < 2 else [])]
            chosen = yield Choice(0, menu, "More?", "2.1", checkpoint=True, secret=True)
            more = chosen.verb == "more"
            pos.plan[0] += 1
        pos.phase = "blue_plan"


def told(match: Match[Any], side: int) -> str:
    return json.dumps(sent(match, side))


def test_a_side_sees_its_own_secret_and_nobody_elses():
    match = take(start(), "plan=3")
    assert match.view(RED)["plans"] == [3, None]
    assert match.view(BLUE)["plans"] == [None, 1]
    assert match.view(EVERYBODY)["plans"] == [None, None]


def test_in_the_log_a_secret_of_another_side_is_hidden_with_nothing_but_its_rule():
    match = take(start(), "plan=3")
    own = Chosen(RED, Option("plan", value=3), "2.1", secret=True)
    hidden = Chosen(RED, HIDDEN, "2.1", secret=True)
    assert list(seen_log(match, RED))[2] == own
    assert list(seen_log(match, BLUE))[2] == hidden
    assert list(seen_log(match, EVERYBODY))[2] == hidden


def test_whether_a_secret_choice_had_one_option_is_hidden_too():
    match = take(start(), "plan=3")
    assert match.log[3].automatic
    assert list(seen_log(match, RED))[3] == Chosen(BLUE, HIDDEN, "2.2", secret=True)
    assert list(seen_log(match, BLUE))[3] == match.log[3]


def test_secrets_of_two_sides_in_a_row_are_two_hidden_entries_to_a_spectator():
    match = take(start(), "plan=3")
    hidden = [entry.side for entry in seen_log(match, EVERYBODY) if entry[1] == HIDDEN]
    assert hidden == [RED, BLUE]


@pytest.mark.parametrize("side", [BLUE, EVERYBODY])
def test_how_many_secret_choices_were_made_in_a_row_does_not_show(side: int):
    one, two, three = (
        take(Match(Schemer(), seed=7), *steps)
        for steps in (["enough"], ["more", "enough"], ["more", "more"])
    )
    assert len(three.log) - len(one.log) == 2
    assert told(one, side) == told(two, side) == told(three, side)
    assert told(one, RED) != told(two, RED)


def test_the_log_since_an_entry_is_the_end_of_the_log():
    match = take(start(), "plan=3", "go/Red 1@H03")
    assert list(seen_log(match, RED, since=4)) == match.log[4:]


def test_the_menu_is_shown_to_the_side_that_must_choose_alone():
    match = take(start(), "plan=3")
    assert seen_decision(match, RED) == match.decision
    for side in (BLUE, EVERYBODY):
        shown = seen_decision(match, side)
        assert len(shown.options) == 0
        assert (shown.side, shown.prompt, shown.rule) == (RED, match.decision.prompt, "3.1")


def test_of_a_secret_choice_others_learn_who_makes_it():
    shown = seen_decision(start(), BLUE)
    assert shown.prompt == "Red makes a secret choice"
    assert (shown.side, shown.rule, len(shown.options)) == (RED, "2.1", 0)
    assert seen_decision(start(), RED).prompt == "Plan in secret"


def test_dice_that_are_thrown_by_hand_are_asked_of_everybody():
    match = Match(Toy(), dice_by_hand=True)
    for side in EVERYONE:
        assert seen_decision(match, side) == Roll((6,), "weather", "1.1")
        assert sent(match, side)["seed"] is None


@pytest.mark.parametrize("side", EVERYONE)
def test_the_commitment_is_sent_first_and_the_seed_only_when_the_game_is_over(side: int):
    match = start()
    commitment, secret = match.commitment, match.seed.hex()
    while match.decision is not None:
        data = sent(match, side)
        assert data["commitment"] == commitment
        assert data["seed"] is None
        assert secret not in json.dumps(data)
        play(match, 1, seed=len(match.log))
    assert sent(match, side)["seed"] == secret


@pytest.mark.parametrize("side", EVERYONE)
def test_digests_which_cover_secrets_are_not_sent(side: int):
    match = take(start(), "plan=3")
    assert match.digest not in told(match, side)
    assert match.position.digest not in told(match, side)


def test_what_is_sent_is_json_with_everything_that_a_client_draws():
    match = take(start(), "plan=2", "go/Red 2@H06")
    data = json.loads(told(match, BLUE))
    assert data["view"]["units"]["Red 2"] == "H06"
    assert data["decision"] == {
        "is": "Choice",
        "side": BLUE,
        "options": [["snipe", 2, 6, 0], ["hold", -1, -1, 0]],
        "prompt": "Snipe at the runner?",
        "rule": "3.3",
        "secret": False,
    }
    assert [entry["is"] for entry in data["log"]] == ["Event", "Rolled", *["Chosen"] * 3]
    assert data["log"][-1]["option"] == ["go", 1, 6, 0]
    assert data["outcome"] is None


def test_each_side_is_told_whether_it_may_take_something_back():
    match = take(start(), "plan=2", "go/Red 1@H03")
    assert [sent(match, side)["may_take_back"] for side in EVERYONE] == [True, False, False]


def test_at_the_end_everybody_is_told_the_outcome():
    match = play(start())
    for side in EVERYONE:
        data = json.loads(told(match, side))
        assert data["decision"] is None
        assert data["outcome"] == {
            "winner": match.outcome.winner,
            "reason": match.outcome.reason,
            "rule": "5.1",
        }
