"""Who is ahead, and how an attack is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from apennine.kernel.game import Standing
from apennine.kernel.ledger import rule
from apennine.kernel.scene import Scene

from ..table.data import Result
from ..table.position import ALLIED, GERMAN, Table
from ..table.war import War


def standing(war: War, pos: Table, _side: int) -> Standing:
    """8.1 to 8.3: the towns that the Allies hold, and how many they must hold at the end."""
    held, towns, goal = pos.held.bit_count(), war.towns.bit_count(), pos.towns_to_win
    lack = max(0, goal - held)
    then = f"lack {lack}" if lack else "have them"
    return Standing(
        f"The Allies hold {held} of {towns} towns; they need {goal} at the end and {then}.",
        points=(held, towns - held),
        goals=(goal, towns - goal + 1),
        ahead=GERMAN if lack else ALLIED,
        rule=rule("8.3"),
    )


def attack(game: Any, scene: Scene) -> str:
    """6.3: "Attack on 0304, 2-1: die 5, 0/1 R1; II Gren loses a step"."""
    war: War = game.war
    if not scene.rolls or scene.rolls[0].column not in war.ladder.labels:
        return ""
    roll = scene.rolls[0]
    result: Result = war.combat.cell(roll.faces[0], war.ladder.labels.index(roll.column))
    return scene.attack(str(result))


TALES: dict[str, Callable[[Any, Scene], str]] = {"attack": attack}
"""By opening verb: what the story says instead of the kernel's own words."""
