"""Who is ahead (24), and how a battle is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from apennine.kernel.game import Prize, Standing
from apennine.kernel.ledger import rule
from apennine.kernel.scene import Scene
from apennine.mechanics.phrases import counted

from ..rules.c24_victory import benchmark, score
from ..table.position import ALLIED, GERMAN, Table
from ..table.war import War


def standing(war: War, pos: Table, _side: int) -> Standing:
    """24.2.1, S1.2, S2.2: the points that the Allies have, need in the end, and should have now.

    What they have not the Germans keep: so many of all points that there are.
    """
    points, wins = score(war, pos), war.book.scenarios[pos.scenario].wins
    mark, victory = benchmark(war, pos.turn), war.book.victory
    every = sum(war.ground.prizes.values())
    lack = wins - points
    have, need = counted(points, "point"), f"need {wins} at the end"
    state = f"and lack {lack}" if lack > 0 else "and would win"
    now = f"The mark of turn {pos.turn} is {mark}: {victory.margin} more or less end the game."
    return Standing(
        f"The Allies have {have}, {need} {state}. {now}",
        (points, every - points),
        (wins, every - wins + 1),
        GERMAN if lack > 0 else ALLIED,
        rule("24.2.1a"),
        prizes(war, pos),
    )


def prizes(war: War, pos: Table) -> tuple[Prize, ...]:
    """24.1.1a: the places that count, and who controls them."""
    return tuple(
        Prize(hex, worth, ALLIED if pos.control >> hex & 1 else GERMAN)
        for hex, worth in war.ground.prizes.items()
    )


def attack(game: Any, scene: Scene) -> str:
    """8.3: "Attack on Capua (2519), 2-1: die 5, DR2 Adv 2; 8/3PG to 2417"."""
    war: War = game.war
    if not scene.rolls or scene.rolls[0].column not in war.book.combat.columns:
        return ""
    roll = scene.rolls[0]
    die, *more = roll.faces
    if more:  # a Major Assault takes one die of several (25.1.2)
        return ""
    cell = war.book.combat.cell(die, war.book.combat.column(roll.column))
    return scene.attack(str(cell), besides=("result",))


TALES: Mapping[str, Callable[[Any, Scene], str]] = MappingProxyType({"attack": attack})
"""By opening verb: what the story says instead of the kernel's own words."""
