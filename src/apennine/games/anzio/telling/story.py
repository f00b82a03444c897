"""Who is ahead (C15), and how a battle is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from apennine.hexes import first_bit
from apennine.kernel.game import Prize, Standing
from apennine.kernel.scene import Scene
from apennine.kernel.words import spot_name

from ..rules.c15_victory import (
    cities_won,
    has_front,
    judgement,
    other_goals,
    places_of,
    terms_of,
    way_past_the_front,
)
from ..table.position import ALLIED, GERMAN, Table
from ..table.war import War


def standing(war: War, pos: Table, _side: int) -> Standing:
    """C15B, C15C: the places that the Allies have of those that they need, and the way past."""
    places = places_of(war, pos)
    won = cities_won(war, pos)
    has, needed, every = len(won), terms_of(war, pos).needed, len(places)
    lack = needed - has
    state = f"and lack {lack}" if lack > 0 else "and would win"
    held = f" ({', '.join(won)})" if won else ""
    sentence = f"The Allies hold {has} of {every} places in supply{held}, need {needed} {state}."
    if more := other_goals(war, pos):
        sentence += f" They also lack {', '.join(more)}."
    if has_front(war, pos) and way_past_the_front(war, pos):
        sentence += " No German front bars the way from their ports to the north, which wins too."
    winner, _, by = judgement(war, pos)
    goals = needed, every - needed + 1
    return Standing(sentence, (has, every - has), goals, winner, by, prizes(war, pos))


def prizes(war: War, pos: Table) -> tuple[Prize, ...]:
    """C15A: the places that count, one hex of each, and whether the Allies have them in supply."""
    places = places_of(war, pos)
    won = set(cities_won(war, pos))
    return tuple(
        Prize(first_bit(hexes & pos.friendly or hexes), 1, ALLIED if name in won else GERMAN)
        for name, hexes in places.items()
    )


def battle(game: Any, scene: Scene) -> str:
    """B4F: "Attack on Salerno (N60), 3-1: die 2, A1 D2R; 16 Pz loses 2 steps; 16 Pz: N60 to O58".

    Where a target or an attacker was the only one, another order opens the battle: its result
    tells where it was fought.
    """
    war: War = game.war
    chart = war.book.combat
    rolls = [roll for roll in scene.rolls if roll.column in chart.columns]
    results = [event for event in scene.events if event.verb == RESULT]
    if not rolls or len(rolls) != len(results):
        return ""
    told: list[str] = []
    for roll, event in zip(rolls, results, strict=True):
        cell = chart.cell(roll.faces[0], chart.column(roll.column))
        where = spot_name(game, event.hex)
        told.append(f"attack on {where}, {roll.column}: die {roll.faces[0]}, {cell}")
    return "; ".join([*told, *scene.outcome(besides=(RESULT,))])


RESULT = "fights"
"""The event that tells where a die fell, and how."""
OPENING = ("attack", "attack with", "also attack", "support", "fight", "fight at")
TALES: Mapping[str, Callable[[Any, Scene], str]] = MappingProxyType(dict.fromkeys(OPENING, battle))
"""By opening verb: what the story says instead of the kernel's own words."""
