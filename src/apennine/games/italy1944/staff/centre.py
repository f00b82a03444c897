"""What the bot thinks of a place for its logistic centre."""

from __future__ import annotations

from apennine.bots.staff.line import closed_by, walked
from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.decision import Option

from ..rules.c06_logistics import LONG, LONGEST, away, centre_reach, lines_to
from ..table.position import ALLIED, GERMAN
from .force import Force
from .hold import choose_line
from .mind import Mind


def centre_start(mind: Mind, option: Option) -> float:
    """The designated hex nearest to the front, but not in it."""
    away = mind.from_foe[option.hex]
    return -float(away) if away >= mind.weights.safe[ALLIED] else -50.0


def centre_value(mind: Mind, hex: int) -> float:
    """How well a centre would serve from a hex: short lines to the front, out of danger."""
    war, pos = mind.war, mind.pos
    found = lines_to(war, pos, mind.side, 1 << hex)
    near, far = found.within(LONG), found.within(LONGEST)
    lengths = [0 if near >> h & 1 else 1 if far >> h & 1 else 2 for h in mind.at_the_front]
    lines = sum(lengths) / max(1, len(lengths))
    weights, away = mind.weights, mind.from_foe[hex]
    danger = max(0, weights.safe[mind.side] - away)
    if mind.side == GERMAN:
        lines -= weights.depth * away
        if not mind.once("sheltered", lambda: sheltered(mind)) >> hex & 1:
            danger += weights.shelter
    return -lines - weights.danger[mind.side] * danger


def sheltered(mind: Mind) -> Mask:
    """Where a German centre is out of harm's way: well behind the line that will be held."""
    posts = mask_of(choose_line(Force(mind)))
    front = walked(mind.ground, mind.enemy, closed_by(mind.ground, posts)) | posts
    return mind.war.land & ~mind.war.lattice.dilate(front, mind.weights.shelter)


def centre_gain(mind: Mind, hex: int) -> float:
    """What a move of the centre would save in columns, less what it costs to move away."""
    war, pos, side = mind.war, mind.pos, mind.side
    here = pos.centre[side]
    gain = centre_value(mind, hex) - centre_value(mind, here)
    if not away(war, side, here, hex):
        return gain - 0.2
    if side == GERMAN:
        return -1.0  # he has farther to fall back than to gain
    return gain * (pos.last_turn - pos.turn) - mind.weights.worth_moving


def move_centre(mind: Mind) -> float:
    """What the best move of the centre would gain."""
    ends = centre_reach(mind.war, mind.pos, mind.side).ends
    ahead = sorted(bits(ends), key=lambda h: mind.from_foe[h])
    return max((centre_gain(mind, hex) for hex in ahead[:40]), default=-1.0)


def return_centre(mind: Mind, option: Option) -> float:
    """A lost centre comes back as soon as it can, where it serves best."""
    return 100.0 + centre_value(mind, option.hex)
