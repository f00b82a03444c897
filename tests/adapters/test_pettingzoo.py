"""The games as environments of PettingZoo, by its own tests."""

# PettingZoo comes without types.
# pyright: basic

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, seed_test
from pettingzoo.utils import parallel_to_aec

from apennine.adapters.pettingzoo import env, parallel_env

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning:pettingzoo")


@pytest.mark.parametrize(("key", "cycles"), [("crossing", 400), ("italy1944", 120)])
def test_the_environment_conforms(key: str, cycles: int):
    api_test(env(key), num_cycles=cycles)


def test_the_same_seed_gives_the_same_episode():
    seed_test(lambda: env("crossing"), num_cycles=150)


def test_the_parallel_environment_conforms():
    parallel_api_test(parallel_env("crossing"), num_cycles=200)


def test_an_episode_is_cut_off_after_so_many_cycles():
    def parallel(max_cycles: int) -> Any:
        return parallel_env("crossing", max_cycles=max_cycles)

    def alternating(max_cycles: int) -> Any:
        return parallel_to_aec(parallel(max_cycles))

    max_cycles_test(SimpleNamespace(env=alternating, parallel_env=parallel))


def walked(table: Any, seed: int, most: int) -> list[tuple[str, float]]:
    """An episode of random actions: who acted, and what the rewards added up to."""
    table.reset(seed=seed)
    random, found = np.random.default_rng(seed), []
    for agent in table.agent_iter(most):
        seen, reward, ended, cut, _ = table.last()
        found.append((agent, reward))
        legal = np.flatnonzero(seen["action_mask"])
        table.step(None if ended or cut else int(random.choice(legal)))
    return found


def test_who_is_cut_off_has_neither_won_nor_lost():
    found = walked(env("crossing", max_cycles=7), 3, 100)
    assert len(found) == 7 + 2
    assert {reward for _, reward in found} == {0.0}


def test_a_game_that_is_over_gives_each_side_its_reward_once():
    table = env("crossing")
    for seed in range(3):
        found = walked(table, seed, 5000)
        last = dict(found[-2:])
        winner = table.unwrapped.match.outcome.winner
        names = table.possible_agents
        assert last == {name: (side == winner) * 2.0 - 1 for side, name in enumerate(names)}
        assert all(reward == 0 for _, reward in found[:-2])


def test_an_action_that_is_not_in_the_menu_changes_nothing():
    table = env("crossing")
    table.reset(seed=1)
    before = table.unwrapped.match.digest
    illegal = int(np.flatnonzero(table.last()[0]["action_mask"] == 0)[0])
    with pytest.raises(ValueError, match="is not in the menu"):
        table.step(illegal)
    assert table.unwrapped.match.digest == before


def test_half_an_order_is_seen_by_who_gives_it_and_changes_nothing_yet():
    table, random = env("italy1944"), np.random.default_rng(5)
    table.reset(seed=4)
    halves = 0
    for agent in table.agent_iter(3000):
        seen, _, ended, cut, _ = table.last()
        assert seen["observation"]["begun"][0] == -1
        if ended or cut or halves == 5:
            break
        raw = table.unwrapped
        two = [number for number, option in raw.menu.items() if option is None]
        action = int(random.choice(two or np.flatnonzero(seen["action_mask"])))
        before = raw.match.digest
        table.step(action)
        if not two:
            continue
        halves += 1
        assert (raw.match.digest, table.agent_selection) == (before, agent)
        other = next(name for name in table.possible_agents if name != agent)
        assert table.observe(agent)["observation"]["begun"][0] == action
        assert table.observe(other)["observation"]["begun"][0] == -1
        legal = np.flatnonzero(table.observe(agent)["action_mask"])
        assert len(legal) > 1
        table.step(int(legal[0]))
        assert raw.match.digest != before
    assert halves == 5


def test_only_who_is_asked_has_a_menu():
    table = env("crossing")
    table.reset(seed=1)
    other = next(name for name in table.possible_agents if name != table.agent_selection)
    assert table.observe(table.agent_selection)["action_mask"].sum() > 1
    assert table.observe(other)["action_mask"].sum() == 0
