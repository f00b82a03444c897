"""Positions and matches made by hand, for stories and measurements."""

from __future__ import annotations

from typing import Any

from apennine.kernel.decision import Event
from apennine.kernel.match import Match

from .field import RED, Table
from .game import Torture


def drill(game: Torture, phase: str, side: int, drawing: str, **fields: Any) -> Match[Table]:
    """A match that begins with these units alone: drill(game, "move", RED, "Red 1 0303").

    So that nobody gives up, the limit of losses is out of reach unless it is given.
    """
    usual: dict[str, Any] = {"last_turn": 5, "limit": len(game.units), "pursuit": False}
    table = Table(phase=phase, side=side, **game.field.deploy(drawing) | usual | fields)
    return Match(game, position=table, seed=0)


LINE_UP = """
Red Guard 0402, Red Guns 0402, Red 1 0303, Red 2 0303, Red 3 0503, Red Horse 0503
Blue Guard 0403, Blue Guns 0403, Blue Reserve BlueCamp
"""
BRAVE = ("attack", "join", "fire with", "at", "stand")
DICE = (6, 1, 6, 6, 2, 6, 5, 6)


def deep_battle(game: Torture, inputs: int = 20) -> Match[Table]:
    """A match in the middle of a battle, at least so many inputs after its last checkpoint."""
    match = drill(game, "fight", RED, LINE_UP)
    match.force(*DICE)
    while inputs_since_checkpoint(match) < inputs:
        match.choose(next(o for o in match.seat().decision.options if o.verb in BRAVE))
    return match


def inputs_since_checkpoint(match: Match[Any]) -> int:
    """How many choices and rolls a fork must be fed before it can be played on."""
    return sum(not isinstance(entry, Event) for entry in match.log[match.checkpoint.at :])
