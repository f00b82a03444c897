"""The games as games of OpenSpiel, by its own tests."""

# OpenSpiel comes without types.
# pyright: basic

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import mcts

from apennine.adapters import openspiel

CROSSING = openspiel.load("crossing")


def walked(state, random: np.random.RandomState, most: int = 100_000):
    """Random play, dice and all."""
    for _ in range(most):
        if state.is_terminal():
            break
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(random.choice(outcomes, p=chances)))
        else:
            state.apply_action(int(random.choice(state.legal_actions())))
    return state


def test_it_conforms_in_random_play(capfd: pytest.CaptureFixture[str]):
    pyspiel.random_sim_test(CROSSING, num_sims=2, serialize=True, verbose=False)


def test_every_die_is_a_chance_node_with_even_chances():
    state, random = CROSSING.new_initial_state(), np.random.RandomState(2)
    seen = 0
    while not state.is_terminal():
        if state.is_chance_node():
            seen += 1
            assert [chance for _, chance in state.chance_outcomes()] == [1 / 6] * 6
        walked(state, random, 1)
    assert seen
    assert sorted(state.returns()) in ([-1.0, 1.0], [0.0, 0.0])


def test_a_clone_goes_its_own_way():
    state = walked(CROSSING.new_initial_state(), np.random.RandomState(4), 60)
    before = state.match.digest
    clone = state.clone()
    assert clone.match.digest == before
    walked(clone, np.random.RandomState(5), 10)
    assert state.match.digest == before
    assert clone.match.digest != before


def test_a_resampled_state_looks_the_same_to_who_resampled_it():
    random, elsewhere = np.random.RandomState(7), set()
    for length in range(20, 160, 20):
        state = walked(CROSSING.new_initial_state(), random, length)
        if state.current_player() < 0:
            continue
        player = state.current_player()
        for _ in range(8):
            other = state.resample_from_infostate(player, random.random_sample)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.observation_string(player) == state.observation_string(player)
            assert other.legal_actions() == state.legal_actions()
            elsewhere.add((length, other.match.position.charge))
            walked(other, random, 5)
    charges = {length: len([1 for n, _ in elsewhere if n == length]) for length, _ in elsewhere}
    assert max(charges.values()) == 2, "the charge was never dreamt under the other bridge"


def test_where_the_charge_lies_is_in_the_information_of_its_side_alone():
    start = CROSSING.new_initial_state()
    assert start.current_player() == 1
    laid = [start.child(action) for action in start.legal_actions()]
    allied = {state.information_state_string(0) for state in laid}
    german = {state.information_state_string(1) for state in laid}
    assert (len(allied), len(german)) == (1, len(laid))


def test_half_an_order_is_in_the_information_of_who_gives_it_alone():
    game = openspiel.load("italy1944")
    state, random = game.new_initial_state(), np.random.RandomState(6)
    while state.current_player() < 0 or None not in state._menu().values():
        walked(state, random, 1)
    player = state.current_player()
    told = [state.information_state_string(side) for side in (0, 1)]
    first = next(number for number, option in state._menu().items() if option is None)
    half = state.child(first)
    assert half.current_player() == player
    assert half.match.digest == state.match.digest
    assert half.information_state_string(player) != told[player]
    assert half.information_state_string(1 - player) == told[1 - player]
    dreamt = half.resample_from_infostate(player, random.random_sample)
    assert dreamt.legal_actions() == half.legal_actions() != state.legal_actions()
    assert half.clone().legal_actions() == half.legal_actions()
    whole = half.child(half.legal_actions()[0])
    assert whole.match.digest != state.match.digest


def test_its_tree_search_plays_a_game():
    random = np.random.RandomState(1)
    rollouts = mcts.RandomRolloutEvaluator(1, random)
    bot = mcts.MCTSBot(CROSSING, 2.0, 2, rollouts, random_state=random)
    state, asked = CROSSING.new_initial_state(), 0
    while not state.is_terminal():
        if state.current_player() == 0 and asked < 40:
            asked += 1
            state.apply_action(bot.step(state))
        else:
            walked(state, random, 1)
    assert asked == 40
    assert sum(state.returns()) == 0


def test_an_observer_fills_one_row_of_numbers():
    observer = CROSSING.make_py_observer()
    state = CROSSING.new_initial_state()
    observer.set_from(state, 0)
    start = observer.tensor.copy()
    observer.set_from(walked(state, np.random.RandomState(3), 40), 0)
    assert observer.tensor.shape == start.shape
    assert not np.array_equal(observer.tensor, start)
    assert observer.dict["numbers"][0] == state.match.position.turn
