"""Who is ahead (4), how a battle is told (13), and the phrases that refusals hold in braces."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from apennine.hexes import Mask, bits, first_bit
from apennine.kernel.decision import Option
from apennine.kernel.game import EVERYBODY, Prize, Standing
from apennine.kernel.ledger import rule
from apennine.kernel.scene import Loss, Scene, told_events, told_losses, told_moves
from apennine.kernel.words import spot_name
from apennine.mechanics.phrases import counted, listed

from ..rules.c05_sequence import are_joined
from ..table.data import SIDES
from ..table.phrases import names, place, town
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
    points, goals = (held, towns - held), (towns, 1)
    ahead = ALLIED if held == towns else GERMAN if scenario else EVERYBODY
    return Standing(score + then, points, goals, ahead, "4.1a", prizes(pos, war.towns))


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
    allied = [town(war, hex) for hex in bits(war.prizes & pos.control)]
    german = [town(war, hex) for hex in bits(war.prizes & ~pos.control)]
    both, by, ahead = " and ".join(allied + german), rule("4.2d"), EVERYBODY
    if not allied:
        text = f"{both} are German, which wins from turn {war.book.victory.first_turn} on."
        ahead, by = GERMAN, rule("4.2a")
    elif german:
        text = f"{allied[0]} is Allied, {german[0]} German: a draw as things stand."
        by = rule("4.2f")
    elif are_joined(war, pos):
        text, ahead = f"{both} are Allied and joined, which wins at the end.", ALLIED
    else:
        text = f"{both} are Allied, but no line joins them: a draw as things stand."
    score, goals = (len(allied), len(german)), (len(allied + german),) * 2
    return Standing(text + (naples(war, pos) if allied else ""), score, goals, ahead, by)


AIDS = {
    "heavy bombers fly": "heavy bombers",
    **{f"{side} tactical air supports the battle": f"{side} tactical air" for side in SIDES},
}
"""What takes part besides the units, by the event that tells of it."""
LOSSES = {"loses a step": 1, "is eliminated": 1, "recovers a step": -1}
"""By event, the steps that are lost by it."""


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
        if change := LOSSES.get(event.verb):
            lost = losses.get(event.unit, Loss(event.unit, 0, event.hex, gone=False))
            gone = event.verb == "is eliminated"
            losses[event.unit] = lost._replace(steps=lost.steps + change, gone=gone)
            hits[war.side_of[event.unit]] += change > 0
    aids = [AIDS[event.verb] for event in scene.events if event.verb in AIDS]
    helped = f" with {listed(aids)}" if aids else ""
    score = f"{counted(hits[1 - attacker], 'hit')} for {hits[attacker] or 'none'}"
    hushed = {*AIDS, "loses a step", "is eliminated"}
    others = [event for event in events if event.verb not in hushed]
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
