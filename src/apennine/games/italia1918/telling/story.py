"""Who is ahead (16.0), and how combats are told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from apennine.kernel.game import Prize, Standing
from apennine.kernel.ledger import rule
from apennine.kernel.scene import Scene, spot_name

from ..rules.c02_pieces import theatre
from ..rules.c16_victory import BEATEN, LEVELS, held, total, verdict
from ..table.position import Table
from ..table.war import War


def standing(war: War, pos: Table, _side: int) -> Standing:
    """What the side with the initiative has reached, if it were over, and what more it needs.

    The other side holds what the first still lacks of its lowest victory.
    """
    here = theatre(war, pos)
    side, bands = here.initiative, here.scenario.bands
    points, found = total(war, pos), verdict(war, pos)
    wins = min(least for name, least in bands.items() if LEVELS.index(name) > 0)
    lowest = min(bands.values())
    name, other = war.sides[side], war.sides[1 - side]
    result = {BEATEN: f"a victory of the {other}", 0: "a draw"}.get(found.level)
    level = result or f"a {LEVELS[found.level]} victory of the {name}"
    ahead = side if found.level > 0 else -1 if found.level == 0 else 1 - side
    both = points, max(wins - points, 0)
    goals = wins, wins - lowest + 1
    if side:
        both, goals = both[::-1], goals[::-1]
    steps = ", ".join(f"{least} {key}" for key, least in sorted(bands.items(), key=lambda p: p[1]))
    sentence = (
        f"The {name} have {points} points. If it ended now: {level}, for {found.reason}. "
        f"Points that are needed: {steps}."
    )
    return Standing(sentence, both, goals, ahead, rule("16.0a"), prizes(war, pos))


def prizes(war: War, pos: Table) -> tuple[Prize, ...]:
    """The objective hexes, and who controls them."""
    one = held(war, pos, 0)
    places = theatre(war, pos).prizes.items()
    return tuple(Prize(hex, worth, 0 if one >> hex & 1 else 1) for hex, worth in places)


# Combats


def attack(game: Any, scene: Scene) -> str:
    """12.2: "Attack on Tolmino (E2834), 3/1: dice 3, 5; ... perfect coordination; ...".

    The four dice are those of the combat and, coloured, of the coordination.
    """
    war: War = game.war
    lead = scene.lead
    fought = [roll for roll in scene.rolls if len(roll.faces) == 4]
    if lead is None:
        return ""
    where = spot_name(game, lead.option.hex)
    told = [event.verb for event in scene.events]
    said = [verb for verb in told if verb.startswith(TOLD)]
    if fought:
        one, two = fought[0].faces[:2]
        column = war.book.combat.column(fought[0].column)
        cell = war.book.combat.cell(one + two, column)
        head = f"attack on {where}, {fought[0].column}: dice {one}, {two}, {cell}"
    elif any("cancelled" in verb for verb in told):
        head = f"attack on {where}: cancelled"
    else:
        head = f"attack on {where}"
    return "; ".join([head, *said, *scene.outcome(besides=[*told])])


TOLD = ("the attacker: ", "the defender: ", "misunderstood orders")
"""What events that are told of a combat begin with; losses and moves say the rest."""
TALES: Mapping[str, Callable[[Any, Scene], str]] = MappingProxyType({"attack": attack})
"""By opening verb: what the story says instead of the kernel's own words."""
