"""The saves of this release: `python -m tests.contracts.saves` writes them, once a release.

They stay for ever: every later version must open them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from apennine import __version__
from apennine.kernel.decision import Choice
from apennine.kernel.game import Game
from apennine.kernel.match import Match
from tests.contracts.golden import play
from tests.contracts.playthroughs import REGISTERED, load

FOLDER = Path(__file__).parent.parent / "saves"
SEED = 1943


def moments(game: Game[Any]) -> Iterator[tuple[str, Match[Any]]]:
    """A match at a checkpoint and in the middle of a phase, both past its half, and at its end."""
    forks = [match.fork() for match in play(game, SEED)]
    yield "end", forks[-1]
    for name, at_checkpoint in (("checkpoint", True), ("middle", False)):
        for fork in forks[len(forks) // 2 :]:
            decision = fork.decision
            if isinstance(decision, Choice) and decision.checkpoint == at_checkpoint:
                yield name, fork
                break


def write() -> None:
    folder = FOLDER / __version__
    folder.mkdir(parents=True, exist_ok=True)
    for module in REGISTERED:
        game = load(module)
        for name, match in moments(game):
            match.save(folder / f"{game.key}-{name}.jsonl")


if __name__ == "__main__":
    write()
