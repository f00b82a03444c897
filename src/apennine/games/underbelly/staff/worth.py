"""What it is worth to take a hex, and to attack it."""

from __future__ import annotations

from apennine.hexes import Mask

from ..table.position import ALLIED, GERMAN
from .mind import Mind

OWN_STEP = (0.5, 1.15)
"""What a step lost costs each side, against one of the enemy: the Allies can buy theirs back."""
WIN = 25.0
"""What a hex is worth that wins the game."""
GAMBLE = 0.15
"""The least chance for which it is worth to attack for the game itself."""
BOMBS = 0.9
"""The least that the heavy bombers must add to an attack, in steps."""
BREACH = 0.25
"""The share of what an open way to the north is worth that counts for the hex that opens it."""

HURRY = 10
"""So many turns before the end the Allies begin to mind their losses less."""


def urgency(mind: Mind) -> float:
    """How near the Allies are to running out of time, from 0 to 1."""
    last = mind.war.book.turns
    hurried = mind.side == ALLIED and (not mind.tiber or not mind.pos.switched)
    return max(0.0, 1 - (last - mind.pos.turn) / HURRY) if hurried else 0.0


def prize(mind: Mind, hex: int) -> float:
    """What it is worth to take a hex from the enemy, in steps."""
    war, pos = mind.war, mind.pos
    bit = 1 << hex
    value = 0.6
    if mind.side == GERMAN:
        if mind.beaches & bit:
            return WIN
        if mind.tiber and war.prizes & bit:
            return 6.0 if war.prizes & pos.control & ~bit else WIN
        if mind.ports & bit:
            value += 3.0
        if mind.raiders & bit:
            value += 12.0 if war.north & bit else 3.0
        if war.towns & pos.control & bit:
            value += 0.3
        return value
    if mind.ring & bit:
        value += 2.5 + 0.2 * max(0, pos.turn - 6)
    if mind.foe.divisions[1] & bit:
        value += BREACH * (1 + urgency(mind)) * mind.leak(mind.foe.divisions[1] & ~bit)
    if war.towns & ~pos.control & bit:
        value += 0.8
    return value


def attack_gain(mind: Mind, origin: int, target: int, force: Mask, *, bombs: bool = False) -> float:
    """What an attack is worth in steps, with or without heavy bombers."""
    worth = prize(mind, target)
    if target not in mind.enemies:
        return worth
    found = mind.odds(origin, target, force, worth, bombs=bombs)
    if found.taken < GAMBLE:
        worth = min(worth, 3.0)
    own = OWN_STEP[mind.side] * (1 - 0.6 * urgency(mind))
    if mind.beaches >> origin & 1:
        own += 0.4
    return found.taken * worth + found.enemy - own * found.own
