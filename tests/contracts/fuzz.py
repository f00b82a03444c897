"""Random games with forks, undos, saves and loads interleaved, and contracts held on the way."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from apennine.kernel.decision import Choice
from apennine.kernel.game import Game
from apennine.kernel.log import Entry
from apennine.kernel.match import Match, MatchError
from apennine.kernel.save import open_record, read
from tests.contracts import contracts
from tests.contracts.playthroughs import bot, play_on, ways_to_begin

MOST_INPUTS = 100_000
"""A phase that takes more inputs than this is taken to have no end."""


class EndlessPhase(AssertionError):
    """A phase that does not end."""


class Patience:
    """A watcher that counts the inputs of each phase and loses patience."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.inputs = 0
        self.where: tuple[int, str, int] | None = None

    def saw(self, match: Match[Any], entry: Entry) -> None:
        pos = match.position
        where = (pos.turn, pos.phase, pos.side)
        if where != self.where:
            self.where, self.inputs = where, 0
        self.inputs += 1
        if self.inputs > self.most:
            raise EndlessPhase(f"More than {self.most} inputs in {where}.")


class Fuzz:
    """Plays a game at random, does with the match all that can be done, and checks it."""

    def __init__(
        self, game: Game[Any], seed: int, folder: Path, most_inputs: int = MOST_INPUTS
    ) -> None:
        self.game = game
        self.folder = folder
        self.most_inputs = most_inputs
        self.random = Random(seed)
        self.decisions = self.games = 0
        self.match = self.begin()
        self.others: list[Match[Any]] = []

    def begin(self) -> Match[Any]:
        self.games += 1
        self.bot = bot(self.games)
        scenario, options = self.random.choice(ways_to_begin(self.game))
        match = Match(self.game, scenario, options, seed=self.random.getrandbits(30))
        match.watch(Patience(self.most_inputs))
        return match

    def run(self, decisions: int) -> None:
        """Take so many decisions; if something breaks, say where the save lies."""
        while self.decisions < decisions:
            try:
                self.step()
            except Exception as error:
                path = self.folder / f"{self.game.key}-{self.decisions}.jsonl"
                self.match.save(path)
                error.add_note(f"After {self.decisions} decisions; the match is saved in {path}.")
                raise

    def step(self) -> None:
        # A new match now and then, so that long games do not keep the others away.
        if self.match.decision is None or self.random.random() < 1 / 2000:
            self.match = self.begin()
        if self.random.random() < 0.08:
            self.random.choice(self.TRICKS)(self)
        if isinstance(self.match.decision, Choice):
            self.match.choose(self.bot(self.match.seat()))
            self.decisions += 1
        if self.random.random() < 0.04:
            contract = self.random.choice(contracts.EVERY_MOMENT)
            contract(self.match.fork(), self.random)

    def fork_and_go_on_with_either(self) -> None:
        fork = self.match.fork(self.random.choice([None, self.random.getrandbits(30)]))
        self.others = [*self.others[-5:], fork]

    def go_on_with_an_old_fork(self) -> None:
        if self.others:
            self.match = self.random.choice(self.others).fork()
            self.match.watch(Patience(self.most_inputs))

    def undo_some(self) -> int:
        """How many decisions were undone."""
        count = self.random.randint(1, 20)
        for undone in range(count):
            try:
                self.match.undo()
            except MatchError:
                return undone
        return count

    def undo_some_and_redo_some(self) -> None:
        before, count = contracts.present(self.match), self.undo_some()
        again = self.random.randint(0, count)
        for _ in range(again):
            self.match.redo()
        assert again < count or contracts.present(self.match) == before

    def take_back(self) -> None:
        for side in range(len(self.game.sides)):
            while self.match.may_take_back(side) and self.random.random() < 0.7:
                self.match.take_back(side)

    def roll_back(self) -> None:
        self.match.roll_back(max(0, len(self.match.log) - self.random.randint(0, 60)))

    def travel(self) -> None:
        before = contracts.present(self.match)
        past = self.match.at(self.random.randint(0, len(self.match.log)))
        play_on(past, 5, self.random)
        assert contracts.present(self.match) == before

    def save_and_open(self) -> None:
        path = self.folder / "match.jsonl"
        self.match.save(path)
        opened = open_record(read(path), self.game)
        assert opened.notes == ()
        assert contracts.present(opened) == contracts.present(self.match)
        self.match = opened
        self.match.watch(Patience(self.most_inputs))

    def dream(self) -> None:
        if isinstance(self.match.decision, Choice):
            play_on(self.match.seat().dream(self.random.getrandbits(30)), 10, self.random)

    TRICKS = (
        fork_and_go_on_with_either,
        go_on_with_an_old_fork,
        undo_some,
        undo_some_and_redo_some,
        take_back,
        roll_back,
        travel,
        save_and_open,
        dream,
    )
