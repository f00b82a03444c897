"""Who is ahead (4), how a battle is told (13), and the phrases that refusals hold in braces."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from apennine.hexes import Mask, bits, first_bit
from apennine.kernel.decision import Option
from apennine.kernel.game import EVERYBODY, Prize, Standing
from apennine.kernel.scene import Loss, Scene, told_events, told_losses, told_moves
from apennine.kernel.words import spot_name
from apennine.mechanics.phrases import counted

from ..rules.c05_turn_end import are_joined
from ..table.data import SIDES
from ..table.phrases import listed, names, place
from ..table.position import ALLIED, GERMAN, TIBER, UNDECIDED, Table
from ..table.war import War


def standing(war: War, pos: Table, _side: int) -> Standing:
    """What each side has of what it fights for; towns and lines are in everybody's sight."""
    scenario = pos.scenario or pos.agreed
    if scenario == TIBER:
        return in_tiber(war, pos)._replace(prizes=prizes(pos, war.prizes))
    held, towns = pos.control.bit_count(), war.towns.bit_count()
    score = f"The Allies control {held} of {towns} towns"
    if scenario == UNDECIDED:
        then = ". The die of turn 2 decides what wins."
    else:
        then = f" and must have all {towns} by the end of turn {war.book.turns}.{naples(war, pos)}"
    goals = towns, 1
    ahead = ALLIED if held == towns else GERMAN if scenario else EVERYBODY
    return Standing(
        score + then,
        (held, towns - held),
        goals,
        ahead,
        "4.1a",
        prizes(pos, war.towns),
    )


def prizes(pos: Table, towns: Mask) -> tuple[Prize, ...]:
    """Towns that count one each, and who controls them."""
    return tuple(
        Prize(town, 1, ALLIED if pos.control >> town & 1 else GERMAN) for town in bits(towns)
    )


def naples(war: War, pos: Table) -> str:
    """4.1f, 11.9: what must come before all else."""
    last = war.book.supply.last_turn
    return "" if pos.switched else f" Naples must be an Allied port by the end of turn {last}."


def in_tiber(war: War, pos: Table) -> Standing:
    """4.2: Naples and Taranto."""
    prizes = {hex: war.board.places_at(hex)[0].name for hex in bits(war.prizes)}
    allied = [name for hex, name in prizes.items() if pos.control >> hex & 1]
    german = [name for hex, name in prizes.items() if not pos.control >> hex & 1]
    score = len(allied), len(german)
    goals = len(prizes), len(prizes)
    if allied and german:
        text = f"{allied[0]} is Allied, {german[0]} German: a draw as things stand."
        return Standing(text + naples(war, pos), score, goals, EVERYBODY, "4.2f")
    both = " and ".join(prizes.values())
    if german:
        text = f"{both} are German, which wins from turn {war.book.victory.first_turn} on."
        return Standing(text, score, goals, GERMAN, "4.2a")
    if are_joined(war, pos):
        text = f"{both} are Allied and joined, which wins at the end."
        return Standing(text + naples(war, pos), score, goals, ALLIED, "4.2d")
    text = f"{both} are Allied, but no line joins them: a draw as things stand."
    return Standing(text + naples(war, pos), score, goals, EVERYBODY, "4.2d")


AIDS = {
    "heavy bombers fly": "heavy bombers",
    **{f"{side} tactical air supports the battle": f"{side} tactical air" for side in SIDES},
}
"""What takes part besides the units, by the event that tells of it."""
LOSSES = ("loses a step", "is eliminated")


def battle(game: Any, scene: Scene) -> str:
    """13: "Attack on Salerno (2822): 2 hits for 1; 16 Pz loses a step; US 36 advances".

    All of it lies on the Battle Board for both sides to see (6.9b), so the events tell the losses:
    a unit that is hidden again afterwards is not among those whose steps a side can compare.
    """
    fought = next((event for event in scene.events if event.verb == "battle"), None)
    if fought is None or scene.lead is None:
        return ""
    war: War = game.war
    attacker, target = scene.lead.side, fought.hex
    events = scene.events[scene.events.index(fought) + 1 :]
    hits = [0, 0]
    losses: dict[int, Loss] = {}
    for event in events:
        if event.verb in LOSSES or event.verb == "recovers a step":
            back = event.verb not in LOSSES
            lost = losses.get(event.unit, Loss(event.unit, 0, event.hex, gone=False))
            gone = event.verb == "is eliminated"
            losses[event.unit] = lost._replace(steps=lost.steps + (-1 if back else 1), gone=gone)
            hits[war.side_of[event.unit]] += not back
    aids = [AIDS[event.verb] for event in scene.events if event.verb in AIDS]
    helped = f" with {listed(aids)}" if aids else ""
    score = f"{counted(hits[1 - attacker], 'hit')} for {hits[attacker] or 'none'}"
    others = [event for event in events if event.verb not in (*AIDS, *LOSSES)]
    moves = [move for move in scene.moves if move.end != target]
    march = [move for move in moves if war.side_of[move.unit] == attacker]
    before = march if scene.lead.option.verb == "move-fight" else []
    told = [
        *told_moves(game, before),
        f"attack on {spot_name(game, target)}{helped}: {score}",
        *told_losses(game, [loss for loss in losses.values() if loss.steps or loss.gone]),
        *told_events(game, others),
        *told_moves(game, [move for move in moves if move not in before]),
    ]
    return "; ".join(told)


TALES: Mapping[str, Callable[[Any, Scene], str]] = MappingProxyType(
    dict.fromkeys(("attack", "move-fight", "fight-move"), battle)
)
"""By opening verb: what the story says instead of the kernel's own words."""


def _where(war: War, pos: Table, option: Option) -> str:
    hex = pos.hex[option.unit]
    return f"in {place(war, hex)}" if hex >= 0 else "not in play"


def _movers_have(war: War, pos: Table, _: Option) -> str:
    has = "have" if pos.movers & pos.movers - 1 else "has"
    return f"{names(war, bits(pos.movers))} {has}"


VOCABULARY: Mapping[str, Callable[[War, Table, Option], str]] = MappingProxyType(
    {
        "hex": lambda war, _, option: place(war, option.hex),
        "where it is": _where,  # the unit of an order, after "is"
        "origin": lambda war, pos, _: place(war, pos.origin),  # of the command under way
        "force": lambda war, pos, _: names(war, bits(pos.force)),  # all that it activated
        "movers": lambda war, pos, _: names(war, bits(pos.movers)),
        "movers have": _movers_have,  # "16 Pz has", "16 Pz and HG have"
        "here": lambda war, pos, _: place(war, pos.hex[first_bit(pos.movers)]),
        "target": lambda war, pos, _: place(war, pos.target),  # of the battle being fought
        "attackers": lambda war, pos, _: names(war, bits(pos.attackers)),
    }
)
