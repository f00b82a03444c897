"""Who is ahead (13), and how a battle is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from apennine.kernel.game import Standing
from apennine.kernel.ledger import rule
from apennine.kernel.scene import Scene

from ..rules.c13_victory import points
from ..table.data import Result
from ..table.position import ALLIED, GERMAN, Table
from ..table.war import War


def standing(war: War, pos: Table) -> Standing:
    """13d, 13e: the Allies must lead by so much at the end; nothing of it is secret."""
    allied, german = points(war, pos, ALLIED), points(war, pos, GERMAN)
    goals = german + war.prizes.win, max(0, allied - war.prizes.win + 1)
    score = f"Victory points: Allied {allied}, German {german}"
    lack = goals[ALLIED] - allied
    if lack > 0:
        return Standing(
            f"{score}. The Allies must lead by {war.prizes.win} at the end and lack {lack}.",
            (allied, german),
            goals,
            GERMAN,
            rule("13d"),
        )
    more = german + war.prizes.strategic - allied
    strategic = f"{more} more win strategically" if more > 0 else "strategically"
    return Standing(
        f"{score}. The Allies would win, {strategic}; the Germans lack {-lack + 1}.",
        (allied, german),
        goals,
        ALLIED,
        rule("13e") if more <= 0 else rule("13d"),
    )


def attack(game: Any, scene: Scene) -> str:
    """9.1: "Attack on Cassino (3020), 2-1: die 5, 0/2; 94 ID eliminated"."""
    war: War = game.war
    if not scene.rolls or scene.rolls[0].column not in war.ladder.labels:
        return ""
    roll = scene.rolls[0]
    result: Result = war.combat.cell(roll.faces[0], war.ladder.labels.index(roll.column))
    return scene.attack(f"{result.attacker}/{result.defender}", besides=("result",))


TALES: dict[str, Callable[[Any, Scene], str]] = {"attack": attack}
"""By opening verb: what the story says instead of the kernel's own words."""
