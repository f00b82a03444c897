"""What the bot thinks of a place for its logistic centre."""

from __future__ import annotations

from apennine.hexes import bits
from apennine.kernel.decision import Option

from ..rules.c06_logistics import LONG, LONGEST, away, centre_reach, lines_to
from ..table.position import ALLIED, GERMAN
from .mind import SHELTER, Mind

SAFE = 5
"""How far the German centre keeps from the enemy, in hexes."""
FORWARD_SAFE = 3
"""How far the Allied centre keeps from him."""
WORTH_MOVING = 4.0
"""Columns that a move of the Allied centre must save in the turns that are left."""


def centre_start(mind: Mind, option: Option) -> float:
    """The designated hex nearest to the front, but not in it."""
    away = mind.from_enemy[option.hex]
    return -float(away) if away >= FORWARD_SAFE else -50.0


def centre_value(mind: Mind, hex: int) -> float:
    """How well a centre would serve from a hex: short lines to the front, out of danger."""
    war, pos = mind.war, mind.pos
    found = lines_to(war, pos, mind.side, 1 << hex)
    near, far = found.within(LONG), found.within(LONGEST)
    hexes = mind.at_the_front
    lines = sum(0 if near >> h & 1 else 1 if far >> h & 1 else 2 for h in hexes) / len(hexes)
    safe = FORWARD_SAFE if mind.side == ALLIED else SAFE
    danger = max(0, safe - mind.from_enemy[hex])
    if mind.side == GERMAN and not mind.sheltered >> hex & 1:
        danger += SHELTER
    return -lines - (0.8 if mind.side == GERMAN else 3.0) * danger


def centre_gain(mind: Mind, hex: int) -> float:
    """What a move of the centre would save in columns, less what it costs to move away."""
    war, pos, side = mind.war, mind.pos, mind.side
    here = pos.centre[side]
    gain = centre_value(mind, hex) - centre_value(mind, here)
    if not away(war, side, here, hex):
        return gain - 0.2
    if side == GERMAN:
        return -1.0  # he has farther to fall back than to gain
    return gain * (pos.last_turn - pos.turn) - WORTH_MOVING


def _best_centre(mind: Mind) -> tuple[float, int]:
    ends = centre_reach(mind.war, mind.pos, mind.side).ends
    ahead = sorted(bits(ends), key=lambda h: mind.from_enemy[h])
    return max(((centre_gain(mind, hex), hex) for hex in ahead[:40]), default=(-1.0, -1))


def move_centre(mind: Mind, option: Option) -> float:
    """What the best move of the centre would gain."""
    del option
    return _best_centre(mind)[0]


def centre_to(mind: Mind, option: Option) -> float:
    """What a move of the centre to a hex would gain."""
    return centre_gain(mind, option.hex)


def return_centre(mind: Mind, option: Option) -> float:
    """A lost centre comes back as soon as it can, where it serves best."""
    return 100.0 + centre_value(mind, option.hex)
