"""What it is worth to take a hex, and to attack it."""

from __future__ import annotations

from apennine.hexes import Mask, bits

from ..table.position import ALLIED, GERMAN
from .mind import Mind


def urgency(mind: Mind) -> float:
    """How near the Allies are to running out of time, from 0 to 1."""
    last = mind.war.book.turns
    hurried = mind.side == ALLIED and (not mind.tiber or not mind.pos.switched)
    return max(0.0, 1 - (last - mind.pos.turn) / mind.weights.hurry) if hurried else 0.0


def prize(mind: Mind, hex: int) -> float:
    """What it is worth to take a hex from the enemy, in steps."""
    war, pos, bit, value = mind.war, mind.pos, 1 << hex, 0.6
    if mind.side == GERMAN:
        if mind.beaches & bit:
            return mind.weights.win
        if mind.tiber and war.prizes & bit:
            return 6.0 if mind.prizes & ~bit else mind.weights.win
        if mind.ports & bit:
            value += 3.0
        if mind.raiders & bit:
            value += mind.weights.win if war.north & bit else 3.0
        return value + 0.3 if war.towns & pos.control & bit else value
    if mind.ring & bit:
        value += 2.5 + 0.2 * max(0, pos.turn - 6)
    if mind.foe.divisions[1] & bit:
        opened = mind.leak(mind.foe.divisions[1] & ~bit)
        value += mind.weights.breach * (1 + urgency(mind)) * opened
    return value + 0.8 if war.towns & ~pos.control & bit else value


def step_cost(mind: Mind) -> float:
    """What a step lost costs; less while there are points to buy it back."""
    war, pos, weights = mind.war, mind.pos, mind.weights
    cost = weights.own_step[mind.side] * (1 - 0.6 * urgency(mind))
    on_map = [u for hex, units in mind.stacks.items() if war.bit[hex] for u in bits(units)]
    lacking = sum(war.full[unit] - pos.steps[unit] for unit in on_map)
    return cost * weights.bought_back if lacking < weights.spare_steps else cost


def attack_gain(mind: Mind, origin: int, target: int, force: Mask, *, bombs: bool = False) -> float:
    """What an attack is worth in steps, with or without heavy bombers."""
    worth = prize(mind, target)
    if target not in mind.enemies:
        return worth
    found = mind.odds(origin, target, force, bombs=bombs)
    now_or_never = mind.side == GERMAN and mind.war.north >> target & 1
    if found.taken < mind.weights.gamble and not now_or_never:
        worth = min(worth, 3.0)
    own = step_cost(mind) + (0.4 if mind.beaches >> origin & 1 else 0.0)
    return found.taken * worth + found.enemy - own * found.own
