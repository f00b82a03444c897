"""The attacks that a side prepares: which hex is attacked from where, and by whom."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from apennine.hexes import Mask, bits, mask_of

from ..table.data import DIVISIONS
from ..table.position import ALLIED, GERMAN
from .mind import Goal, Mind
from .posts import Posts
from .worth import attack_gain

AXES = 4
"""The most attacks that are prepared at once."""
FAR_OFF = 0.8
"""What each turn of marching takes off an attack's worth."""
PACE = 0.5
"""What each turn of marching takes off a unit's fitness for an attack."""
RESERVE = 0.35
"""What it is worth that a unit without a task comes up behind the nearest attack."""


class Axis(NamedTuple):
    """An attack that could be made in a few turns."""

    worth: float
    target: int
    stage: int
    """The hex from which the target is attacked."""
    force: Mask


def prepare(posts: Posts, targets: Iterable[int]) -> None:
    """Full stacks beside the targets that promise most; who is left comes up behind them."""
    mind = posts.mind
    war = mind.war
    groups = {war.group[unit] for unit in posts.free}
    thought: dict[tuple[int, int], Axis | None] = {}
    pairs = [(target, group) for target in targets for group in sorted(groups)]
    stages: dict[int, int] = {}
    while len(stages) < AXES:
        for pair in pairs:
            known = thought.get(pair)
            stale = known is not None and any(unit not in posts.free for unit in bits(known.force))
            if pair not in thought or stale:
                thought[pair] = axis(posts, *pair)
        open_axes = [a for a in thought.values() if a is not None and a.stage not in stages]
        if not open_axes:
            break
        best = max(open_axes)
        weight = max(0.3, 0.6 + 0.3 * best.worth)
        for unit in bits(best.force):
            posts.send(unit, best.stage, weight)
        stages[best.stage] = war.group[next(bits(best.force))]
        pairs = [pair for pair in pairs if pair[0] != best.target]
        thought = {pair: a for pair, a in thought.items() if pair[0] != best.target}
    for unit in sorted(posts.free):
        fellows = [s for s, group in stages.items() if group == war.group[unit]]
        if fellows or stages:
            near = min(fellows or stages, key=lambda s: (mind.turns(unit, s), s))
            posts.goals[unit] = Goal(near, RESERVE)


def axis(posts: Posts, target: int, group: int) -> Axis | None:
    """The best attack on a target that the free units of a group could make."""
    mind = posts.mind
    war = mind.war
    units = mask_of(unit for unit in posts.free if war.group[unit] == group)
    if not units & ~war.supports:
        return None
    stage = staging(mind, target, group)
    if stage < 0:
        return None
    fit: dict[int, float] = {}
    for unit in bits(units):
        fit[unit] = mind.power(1 << unit) - PACE * mind.turns(unit, stage)
    order = sorted(fit, key=lambda unit: (-fit[unit], unit))
    alone = not mind.enemies.get(target, 0) & ~war.supports
    divisions = [unit for unit in order if not war.supports >> unit & 1]
    divisions = divisions[: 1 if alone else DIVISIONS]
    latest = max(mind.turns(unit, stage) for unit in divisions)
    guns = [unit for unit in order if war.supports >> unit & 1 and not alone][:1]
    force = mask_of(divisions + [gun for gun in guns if mind.turns(gun, stage) <= latest + 2])
    worth = attack_gain(mind, stage, target, force) - FAR_OFF * latest
    return Axis(worth, target, stage, force)


def staging(mind: Mind, target: int, group: int = -1) -> int:
    """The hex from which a target is best attacked, by a group; -1 if there is none."""
    war, pos = mind.war, mind.pos
    best, most = -1, -99.0
    free = war.around[target] & ~mind.foe.occupied
    # From one enemy zone nobody goes straight into another (7.5).
    free &= mind.own.occupied | war.lattice.cross(mind.within & ~mind.foe.zone, war.open)
    if mind.side == GERMAN and pos.special_forces:
        free &= ~(1 << war.special_forces)
    if group >= 0:
        others = war.units_of[mind.side] & ~war.grouped[group]
        taken = mask_of(hex for hex, units in mind.stacks.items() if units & others)
        free &= ~(taken & ~mind.ports) if mind.side == ALLIED else ~taken
    river_free = mind.side == GERMAN and pos.turn <= war.book.river_grace
    for hex in bits(free):
        value = 0.5 * mind.power(mind.stacks.get(hex, 0))
        if not mind.net >> hex & 1:
            value -= 1.0
        if not river_free and war.river[war.lattice.direction(hex, target)] >> hex & 1:
            value -= 0.7
        value -= 0.3 * (war.around[hex] & mind.foe.divisions[1]).bit_count()
        if mind.side == ALLIED and mind.beaches >> hex & 1:
            value += 0.5
        if value > most:
            best, most = hex, value
    return best
