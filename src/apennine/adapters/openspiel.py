"""The games as games of OpenSpiel: `pyspiel.load_game("apennine(game=italy1944)")`.

Importing this module registers them. Every die is a chance node of its own, so that no node has
more outcomes than a die has faces. A player's information state is the log as he has seen it.
"""

# OpenSpiel comes without types.
# pyright: basic

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pyspiel

from apennine.games import get
from apennine.kernel.decision import Choice, Option, Roll
from apennine.kernel.log import Chosen, Log, Rolled, Snapshot
from apennine.kernel.match import Match
from apennine.kernel.save import dump, open_record, parse
from apennine.kernel.view import seen_log

MOST_FACES = 20
"""No die of any game has more."""
LONGEST = 1_000_000

_TYPE = pyspiel.GameType(
    short_name="apennine",
    long_name="Apennine",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"game": "crossing", "scenario": ""},
)


class Apennine(pyspiel.Game):
    """A game, in one of its scenarios; the first one, unless told another."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = params or {}
        self.game = get(params.get("game", "crossing"))
        scenario = params.get("scenario") or None
        self.start = Match(self.game, scenario, dice_by_hand=True)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.game.schema.size,
            max_chance_outcomes=MOST_FACES,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        super().__init__(_TYPE, info, params)

    def new_initial_state(self) -> State:
        return State(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        return Observer(self)


class Held:
    """A match, copied by a fork: so a state is cloned at no cost.

    `before` is what each player has seen of a log that is no longer there.
    """

    def __init__(self, match: Match[Any], before: tuple[str, str] = ("", "")) -> None:
        self.match = match
        self.before = before

    def __deepcopy__(self, memo: object) -> Held:
        return Held(self.match.fork(), self.before)

    def __reduce__(self) -> tuple[Callable[..., Held], tuple[str, str, tuple[str, str]]]:
        """As a save: that is how OpenSpiel writes states down."""
        return _opened, (self.match.game.key, dump(self.match), self.before)

    def seen(self, player: int, until: int | None = None) -> str:
        """What a player has seen so far."""
        entries = seen_log(self.match, player, until=until)
        return self.before[player] + "".join(f"{entry!r}\n" for entry in entries)


def _opened(key: str, text: str, before: tuple[str, str]) -> Held:
    return Held(open_record(parse(text), get(key)), before)


class State(pyspiel.State):
    """A moment of a match: a question, a die that is still to fall, or the end."""

    def __init__(self, game: Apennine) -> None:
        super().__init__(game)
        self.held = Held(game.start.fork())
        self.faces: tuple[int, ...] = ()
        """Of the dice that are asked for together, those that have fallen."""
        self.begun = -1
        """The first number of an order that is given in two; -1: none."""

    @property
    def match(self) -> Match[Any]:
        """The match. Look, do not touch."""
        return self.held.match

    def current_player(self) -> int:
        decision = self.match.decision
        if decision is None:
            return pyspiel.PlayerId.TERMINAL
        return decision.side if isinstance(decision, Choice) else pyspiel.PlayerId.CHANCE

    def _menu(self) -> dict[int, Option | None]:
        decision = self.match.decision
        assert isinstance(decision, Choice)
        return self.match.game.schema.numbered(decision.options, self.begun)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self._menu())

    def _die(self) -> int:
        """How many faces the next die has."""
        decision = self.match.decision
        assert isinstance(decision, Roll)
        return decision.sides[len(self.faces)]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        faces = self._die()
        return [(face, 1 / faces) for face in range(faces)]

    def _apply_action(self, action: int) -> None:
        decision = self.match.decision
        if isinstance(decision, Choice):
            option = self._menu()[action]
            self.begun = action if option is None else -1
            if option is not None:
                self.match.choose(option)
            return
        assert isinstance(decision, Roll)
        self.faces = (*self.faces, action + 1)
        if len(self.faces) == len(decision.sides):
            self.match.roll(*self.faces)
            self.faces = ()

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"die {action + 1}"
        return self.match.game.schema.describe(action)

    def is_terminal(self) -> bool:
        return self.match.decision is None

    def returns(self) -> list[float]:
        outcome = self.match.outcome
        if outcome is None or outcome.winner < 0:
            return [0.0, 0.0]
        return [1.0 if side == outcome.winner else -1.0 for side in (0, 1)]

    def information_state_string(self, player: int | None = None) -> str:
        asked = self.current_player() if player is None else player
        return f"{self.held.seen(asked)}dice {self.faces}, begun {self.begun_by(asked)}"

    def begun_by(self, player: int) -> int:
        """The first number of the order that a player is giving; nobody else knows it."""
        return self.begun if player == self.current_player() else -1

    def observation_string(self, player: int | None = None) -> str:
        asked = self.current_player() if player is None else player
        seen = self.match.game.encode(self.match.position, asked).hex()
        return f"{seen} {self.begun_by(asked)}"

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> State:
        """A state that this player could not tell from this one: a dream of his."""
        real = self.match
        base, random = real.checkpoint, Random(sampler())
        game = real.game
        imagined = game.imagine(base.position, player, random, real.position)
        log: Log[Any] = Log()
        dream = Match[Any].resume(
            game, real.scenario, real.options, None, log, Snapshot(0, imagined, base.rolls)
        )
        for entry in real.log[base.at :]:
            if type(entry) is Rolled:
                dream.roll(*entry.faces)
            elif type(entry) is Chosen and not entry.automatic:
                dream.choose(entry.option)
        before = ["", ""]
        before[player] = self.held.seen(player, base.at)
        other = State(self.get_game())
        other.held, other.faces = Held(dream, (before[0], before[1])), self.faces
        other.begun = self.begun_by(player)
        return other

    def __str__(self) -> str:
        match = self.match
        seen = "".join(f"{entry!r}\n" for entry in match.log[-3:])
        return f"{match.game.title}, entry {len(match.log)}\n{seen}dice {self.faces}"


class Observer:
    """What a player observes, in one row of numbers: the arrays of the encoder, what is begun."""

    def __init__(self, game: Apennine) -> None:
        self._encoder = game.game.encoder
        start = game.start.position
        one = self._encoder.arrays(game.game.encode(start, 0))
        arrays = {**one._asdict(), "begun": np.zeros(1)}
        self.tensor = np.zeros(sum(array.size for array in arrays.values()), np.float32)
        self.dict: dict[str, Any] = {}
        first = 0
        for name, array in arrays.items():
            part = self.tensor[first : first + array.size]
            self.dict[name] = part.reshape(array.shape)
            first += array.size

    def set_from(self, state: State, player: int) -> None:
        packed = state.match.game.encode(state.match.position, player)
        for name, array in self._encoder.arrays(packed)._asdict().items():
            self.dict[name][:] = array
        self.dict["begun"][:] = state.begun_by(player)

    def string_from(self, state: State, player: int) -> str:
        return state.observation_string(player)


def load(key: str, scenario: str = "") -> Any:
    """The game with this key, as one of OpenSpiel."""
    return pyspiel.load_game("apennine", {"game": key, "scenario": scenario})


pyspiel.register_game(_TYPE, Apennine)
