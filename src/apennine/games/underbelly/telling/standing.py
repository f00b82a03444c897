"""Who is ahead, by the scenario that is played (4)."""

from __future__ import annotations

from apennine.hexes import bits
from apennine.kernel.game import EVERYBODY, Standing
from apennine.kernel.ledger import rule

from ..rules.c05_turn_end import are_joined
from ..table.position import ALLIED, GERMAN, TIBER, UNDECIDED, Table
from ..table.war import War


def standing(war: War, pos: Table) -> Standing:
    """What each side has of what it fights for; towns and lines are in everybody's sight."""
    scenario = pos.scenario or pos.agreed
    if scenario == TIBER:
        return in_tiber(war, pos)
    held, towns = pos.control.bit_count(), war.towns.bit_count()
    score = f"The Allies control {held} of {towns} towns"
    if scenario == UNDECIDED:
        then = ". The die of turn 2 decides what wins."
    else:
        then = f" and must have all {towns} by the end of turn {war.book.turns}.{naples(war, pos)}"
    goals = towns, 1
    ahead = ALLIED if held == towns else GERMAN if scenario else EVERYBODY
    return Standing(score + then, (held, towns - held), goals, ahead, rule("4.1a"))


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
        return Standing(text + naples(war, pos), score, goals, EVERYBODY, rule("4.2f"))
    both = " and ".join(prizes.values())
    if german:
        text = f"{both} are German, which wins from turn {war.book.victory.first_turn} on."
        return Standing(text, score, goals, GERMAN, rule("4.2a"))
    if are_joined(war, pos):
        text = f"{both} are Allied and joined, which wins at the end."
        return Standing(text + naples(war, pos), score, goals, ALLIED, rule("4.2d"))
    text = f"{both} are Allied, but no line joins them: a draw as things stand."
    return Standing(text + naples(war, pos), score, goals, EVERYBODY, rule("4.2d"))
