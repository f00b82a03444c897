from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apennine
from apennine.board import read_map
from apennine.bots import RandomBot
from apennine.games import get, keys
from apennine.kernel.decision import Choice, Event, Option
from apennine.kernel.game import GameError
from apennine.kernel.log import Chosen, Rolled
from apennine.kernel.view import HIDDEN
from apennine.kernel.words import describe, describe_entry, describe_event, understand

GAME = get("crossing")
ARM = GAME.unit("6 Arm")
BRIDGE = GAME.board.parse("0304")


@pytest.mark.parametrize(
    ("option", "words"),
    [
        (Option("end movement"), "end movement"),
        (Option("move", ARM), "move 6 Arm"),
        (Option("go", ARM, BRIDGE), "go 6 Arm to 0304"),
        (Option("attack", hex=BRIDGE), "attack 0304"),
        (Option("attack with", ARM, BRIDGE), "attack with 6 Arm at 0304"),
        (Option("fire at", hex=BRIDGE), "fire at 0304"),
        (Option("lay the charge", hex=BRIDGE), "lay the charge at 0304"),
        (Option("lose a step", ARM), "lose a step: 6 Arm"),
        (Option("spend_points", value=3), "spend points (3)"),
        (Option("split", ARM, BRIDGE, 2), "split 6 Arm to 0304 (2)"),
    ],
)
def test_an_option_reads_as_an_order_and_its_words_mean_it_again(option: Option, words: str):
    assert describe(GAME, option) == words
    assert understand(GAME, words, [option.verb]) == option


def test_words_are_understood_in_any_case_and_spacing():
    assert understand(GAME, "  Attack  WITH 6 arm   at 0304 ") == Option("attack with", ARM, BRIDGE)


def test_the_longest_name_of_a_unit_wins():
    third = GAME.unit("III Gren")
    assert understand(GAME, "move III Gren") == Option("move", third)


def test_a_unit_that_nobody_knows_is_named_in_the_complaint():
    with pytest.raises(GameError, match="'9 arm' is no unit, hex or box of The Crossing"):
        understand(GAME, "move 9 Arm", ["move"])


@pytest.mark.parametrize("text", ["", "6 Arm"])
def test_words_without_a_verb_are_not_understood(text: str):
    with pytest.raises(GameError, match="begin with a verb"):
        understand(GAME, text)


def test_a_box_beside_the_map_is_understood_by_its_name():
    board = read_map(Path(__file__).parent / "data" / "ford.toml")
    game: Any = SimpleNamespace(board=board, units=["A"], verbs={}, orders=(), value_names={})
    assert board.boxes
    for box in board.boxes:
        option = Option("ship", 0, board.parse(box.name))
        assert understand(game, describe(game, option)) == option
        assert describe(game, option) == f"ship A to {box.title or box.name}"
        assert understand(game, f"ship A to {box.name.lower()}") == option


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (Event("turn", value=2), "turn 2"),
        (Event("bridge blown", hex=BRIDGE), "bridge blown at 0304"),
        (Event("loses a step", ARM, BRIDGE), "6 Arm loses a step at 0304"),
        (Event("loses steps", ARM, BRIDGE, 2), "6 Arm loses steps at 0304 (2)"),
        (Event("arrives", 99), "unit 99 arrives"),
    ],
)
def test_an_event_reads_as_a_sentence(event: Event, words: str):
    assert describe_event(GAME, event) == words


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (Chosen(0, Option("attack", hex=BRIDGE), "6.1"), "Allied: attack 0304 [6.1]"),
        (Chosen(1, HIDDEN, "5.1", secret=True), "German: chooses in secret [5.1]"),
        (Rolled((3, 5), (6, 6), "combat", "6.2", 0), "rolled 3, 5 for combat [6.2]"),
        (Rolled((4,), (6,), "rain", "", 1, given=True), "rolled 4 by hand for rain"),
        (Event("turn", value=2, rule="1.2"), "turn 2 [1.2]"),
    ],
)
def test_an_entry_of_the_log_names_its_rule(entry: Any, words: str):
    assert describe_entry(GAME, entry) == words


def test_a_game_may_say_how_its_orders_read():
    board = read_map(Path(__file__).parent / "data" / "ford.toml")
    said = {"place": ("in", "({})"), "leave": ("from", "({})"), "plan": (None, "for turn {}")}
    orders = {
        verb: SimpleNamespace(link=link, number=number) for verb, (link, number) in said.items()
    }
    game: Any = SimpleNamespace(
        board=board, units=["A"], verbs=orders, orders=orders.values(), value_names={}
    )
    here = next(iter(board.lattice))
    for option, words in (
        (Option("place", 0, here), f"place A in {board.code(here)}"),
        (Option("go", 0, here), f"go A to {board.code(here)}"),
        (Option("leave", hex=here), f"leave from {board.code(here)}"),
        (Option("plan", value=12), "plan for turn 12"),
        (Option("split", 0, value=2), "split A (2)"),
    ):
        assert describe(game, option) == words
        assert understand(game, words) == option


@pytest.mark.parametrize("key", keys())
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_every_option_met_in_play_is_understood_from_its_words(key: str, seed: int):
    match, bot, random = apennine.new(key, seed=seed), RandomBot(seed), Random(seed)
    game = match.game
    for _ in range(120):
        if not isinstance(match.decision, Choice):
            break
        options = match.decision.options
        option = random.choice(options)
        assert understand(game, describe(game, option), {o.verb for o in options}) == option
        match.choose(bot(match.seat()))
