"""Who is ahead (13), how a battle is told, and the phrases that refusals hold in braces."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from apennine.hexes import first_bit
from apennine.kernel.decision import Option
from apennine.kernel.game import EVERYBODY, Prize, Standing
from apennine.kernel.ledger import rule
from apennine.kernel.scene import Scene

from ..rules.c04_zones import controlled
from ..rules.c08_movement import stack_name
from ..rules.c13_victory import points
from ..table.data import Result
from ..table.position import ALLIED, GERMAN, Table
from ..table.war import War


def standing(war: War, pos: Table, _side: int) -> Standing:
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
            prizes(war, pos),
        )
    more = german + war.prizes.strategic - allied
    strategic = f"{more} more win strategically" if more > 0 else "strategically"
    return Standing(
        f"{score}. The Allies would win, {strategic}; the Germans lack {-lack + 1}.",
        (allied, german),
        goals,
        ALLIED,
        rule("13e") if more <= 0 else rule("13d"),
        prizes(war, pos),
    )


def prizes(war: War, pos: Table) -> tuple[Prize, ...]:
    """13a: the places that count, and who controls them."""
    held = [controlled(war, pos, side) for side in (ALLIED, GERMAN)]
    return tuple(
        Prize(
            first_bit(hexes),
            worth,
            next((side for side in (ALLIED, GERMAN) if hexes & held[side]), EVERYBODY),
        )
        for hexes, worth in war.prizes_on_map
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


def arrival(war: War, pos: Table, option: Option) -> str:
    """The turn in which a unit comes."""
    del pos
    return str(war.roster[option.unit].arrives)


def nation(war: War, pos: Table, option: Option) -> str:
    """Whose replacement points a unit needs: "Polish"."""
    del pos
    return war.nations[war.roster[option.unit].nation].title


def target(war: War, pos: Table, option: Option) -> str:
    """The hex that is attacked."""
    del option
    return war.board.code(pos.target)


def movers(war: War, pos: Table, one: str, several: str) -> str:
    """The moving units by name, and what they do."""
    return f"{stack_name(war, pos)} {several if pos.movers & pos.movers - 1 else one}"


VOCABULARY: Mapping[str, Callable[[War, Table, Option], str]] = MappingProxyType(
    {
        "arrival": arrival,
        "nation": nation,
        "target": target,
        "movers are": lambda war, pos, _: movers(war, pos, "is", "are"),
        "movers have": lambda war, pos, _: movers(war, pos, "has", "have"),
    }
)
