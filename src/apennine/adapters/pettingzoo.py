"""The games as environments of PettingZoo: `env("italy1944")`.

The side that is asked acts. An observation has the arrays of `Game.encoder` and the mask of the
actions that are in the menu; the reward comes at the end, 1 to who wins and -1 to who loses.
"""

# PettingZoo comes without types.
# pyright: basic

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers

from apennine.games import get
from apennine.kernel.decision import Choice, Option
from apennine.kernel.match import Match
from apennine.kernel.pack import Pack

Observation = dict[str, Any]


def env(key: str, **asked: Any) -> Any:
    """The environment of a game, with the guards of PettingZoo around it."""
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(Raw(key, **asked)))


class Raw(AECEnv[str, Observation, int]):
    """The environment itself. An action that is not in the menu is refused: use the mask."""

    metadata = {  # noqa: RUF012  (PettingZoo has it on the instance)
        "name": "apennine_v0",
        "is_parallelizable": False,
        "render_modes": ["ansi"],
    }

    def __init__(
        self,
        key: str,
        scenario: str | None = None,
        options: Mapping[str, bool] | None = None,
        *,
        packs: Iterable[Pack] = (),
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.game = get(key, packs)
        self.scenario = self.game.check_scenario(scenario)
        self.options = self.game.check_options(options or {})
        self.max_cycles = max_cycles
        """Actions after which an episode is cut off."""
        self.render_mode = render_mode
        self.possible_agents = list(self.game.sides)
        encoder, schema = self.game.encoder, self.game.schema
        one = encoder.arrays(self.game.encode(Match(self.game, self.scenario).position, 0))
        wide = np.iinfo(np.int32)
        self.space = spaces.Dict(
            {
                "observation": spaces.Dict(
                    {
                        "planes": spaces.Box(0, 255, one.planes.shape, np.uint8),
                        "units": spaces.Box(-(1 << 15), (1 << 15) - 1, one.units.shape, np.int16),
                        "numbers": spaces.Box(wide.min, wide.max, one.numbers.shape, np.int32),
                        "begun": spaces.Box(-1, schema.size, (1,), np.int32),
                    }
                ),
                "action_mask": spaces.Box(0, 1, (schema.size,), np.int8),
            }
        )
        self._actions = {agent: spaces.Discrete(schema.size) for agent in self.possible_agents}
        self._sides = {agent: side for side, agent in enumerate(self.possible_agents)}
        self._random = np.random.default_rng()
        self.menu: dict[int, Option | None] = {}
        """The options of the present question by their numbers; None: by another one more."""
        self.begun = -1
        """The first number of an order that is given in two; -1: none."""

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.space

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        if seed is not None:
            self._random = np.random.default_rng(seed)
        dice = int(self._random.integers(1 << 62))
        self.match = Match(self.game, self.scenario, self.options, seed=dice)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: dict[str, Any]() for agent in self.agents}
        self._cycles, self.begun = 0, -1
        self._ask()

    def _ask(self) -> None:
        """Turn to the side that must act, or end the episode."""
        decision = self.match.decision
        if isinstance(decision, Choice):
            self.menu = self.game.schema.numbered(decision.options, self.begun)
            self.agent_selection = self.possible_agents[decision.side]
            return
        self.menu = {}
        outcome = self.match.outcome
        assert outcome is not None
        for agent, side in self._sides.items():
            self.rewards[agent] = float((outcome.winner == side) - (outcome.winner == 1 - side))
        self.terminations = dict.fromkeys(self.agents, True)

    def observe(self, agent: str) -> Observation:
        side = self._sides[agent]
        game = self.game
        arrays = game.encoder.arrays(game.encode(self.match.position, side))
        mask: NDArray[np.int8] = np.zeros(game.schema.size, np.int8)
        begun = np.full(1, -1, np.int32)  # nobody else knows of half an order
        if agent == self.agent_selection:
            mask[list(self.menu)] = 1
            begun[0] = self.begun
        return {"observation": {**arrays._asdict(), "begun": begun}, "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)  # pyright: ignore[reportArgumentType]
            return
        if action is None or int(action) not in self.menu:
            raise ValueError(
                f"Action {action} of {agent} is not in the menu: the mask tells which are."
            )
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        option = self.menu[int(action)]
        self.begun = int(action) if option is None else -1
        if option is not None:
            self.match.choose(option)
        self._cycles += 1
        self._ask()
        if self.max_cycles is not None and self._cycles >= self.max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()

    def render(self) -> str | None:
        """What a spectator would be told: the turn, the phase, who is asked what."""
        decision = self.match.decision
        asked = decision.prompt if isinstance(decision, Choice) else "The game is over."
        pos = self.match.position
        return f"Turn {pos.turn}, {pos.phase}: {asked}"

    def close(self) -> None:
        """Nothing is held open."""


def parallel_env(key: str, **asked: Any) -> Parallel:
    """The environment in which both sides give an action in every cycle."""
    return Parallel(Raw(key, **asked))


class Parallel(ParallelEnv[str, Observation, int]):
    """Both sides act at once: who is not asked waits, by the last action of the space.

    An action that is not in the menu stands for the next one in it, in a circle; so no mask is
    needed, and anything that who is not asked may say does nothing.
    """

    metadata = {"name": "apennine_parallel_v0", "render_modes": ["ansi"]}  # noqa: RUF012  (as above)

    def __init__(self, table: Raw) -> None:
        self._table = table
        self.possible_agents = table.possible_agents
        self.render_mode = table.render_mode
        self._wait = table.game.schema.size
        mask = spaces.Box(0, 1, (self._wait + 1,), np.int8)
        inner = table.space["observation"]
        self._space = spaces.Dict({"observation": inner, "action_mask": mask})
        self._actions = {agent: spaces.Discrete(self._wait + 1) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._space

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._actions[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        self._table.reset(seed, options)
        self.agents = self._table.agents[:]
        return self._observed(), {agent: {} for agent in self.agents}

    def _observed(self) -> dict[str, Observation]:
        found = {agent: self._table.observe(agent) for agent in self.agents}
        for each in found.values():
            waits = not each["action_mask"].any()
            each["action_mask"] = np.append(each["action_mask"], np.int8(waits))
        return found

    def step(self, actions: dict[str, int]) -> tuple[Any, Any, Any, Any, Any]:
        table = self._table
        menu = sorted(table.menu)
        wanted = actions[table.agent_selection]
        table.step(next((number for number in menu if number >= wanted), menu[0]))
        seen, infos = self._observed(), {agent: dict[str, Any]() for agent in self.agents}
        told = table.rewards, table.terminations, table.truncations
        if any(table.terminations.values()) or any(table.truncations.values()):
            self.agents = []
        rewards, ended, cut = (dict(each) for each in told)
        return seen, rewards, ended, cut, infos

    def render(self) -> str | None:
        return self._table.render()
