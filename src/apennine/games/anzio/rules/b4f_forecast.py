"""B4F, C12 and C13: what each die brings, before it is rolled."""

from __future__ import annotations

from typing import NamedTuple

from apennine.hexes import Mask, bits

from ..table.data import Outcome
from ..table.position import Table
from ..table.war import SCALE, War
from .b4e_zones import there
from .b4g_retreat import in_forts, refuges
from .b4h_odds import Weight, weigh
from .c7_sea import can_evacuate
from .d9_breakout import is_surrounded


class Plight(NamedTuple):
    """What the defenders of some hexes can bear."""

    units: Mask
    steps: int
    """All that they have, inverted counters and replacements included."""
    guard: int
    """As many as they can lose and still have a defence factor left: the rest is inverted."""
    escapes: Mask
    """Those who can retreat or be evacuated."""
    holds: bool
    """They are in forts, and retreat only if they like (D6C1)."""
    toll: int
    """Steps that a retreat costs those who cannot escape: all, or less through zones (D9G)."""
    breaks: bool
    """They could retreat through zones of control only (D9C1)."""


def plight(war: War, pos: Table, targets: Mask) -> Plight:
    """What the defenders of some hexes can bear."""
    units = there(war, pos, 1 - pos.side).among(targets)
    steps = sum([pos.steps[unit] for unit in bits(units)])
    last = steps - sum([pos.steps[unit] for unit in bits(units & war.helpless)])  # C11B5
    keep = 2
    for unit in bits(units & ~pos.soft):
        if pos.steps[unit] == 1 or not war.inverts >> unit & 1:
            keep = 1
    escapes = can_evacuate(war, pos, units)
    for unit in bits(units & ~escapes):
        escapes |= bool(refuges(war, pos, unit)) << unit
    breaks = pos.zone_retreat and not escapes
    breaks = breaks and any(not is_surrounded(war, pos, unit) for unit in bits(units))
    toll = war.book.limits.retreat if breaks else steps  # a step for every die, at least two dice
    holds = bool(in_forts(war, pos, units))
    return Plight(units, steps, last - keep, escapes, holds, toll, breaks)


def annihilates(war: War, column: int, outcome: Outcome, those: Plight) -> bool:
    """C12A: whether a result destroys all defenders, however they share their losses."""
    if column >= war.ladder.index(war.book.limits.automatic):
        return True  # C12A1
    loss = outcome.defender
    if loss >= those.steps:
        return True  # C12A2
    if those.escapes or those.holds:
        return False
    if outcome.defender_retreats and loss + those.toll >= those.steps:
        return True  # C12A2c
    return loss > those.guard  # C12A2d


def surge_of(war: War, outcome: Outcome, those: Plight) -> int:
    """C13A: the half points of breakthrough: two points for each step that is not there.

    Two points at least if they lack the steps for a retreat through zones of control (D9D7).
    """
    excess = max(outcome.defender - those.steps, 0)
    if those.breaks and outcome.defender_retreats and not those.holds:
        excess = max(excess, int(outcome.defender + those.toll >= those.steps))
    return excess * war.book.limits.breakthrough * SCALE


def attacker_loss(outcome: Outcome, weight: Weight) -> int:
    """B4H9a: twice what the table says, never three times, if a defender is doubled or tripled."""
    return outcome.attacker * (2 if weight.doubled else 1)


class Prospect(NamedTuple):
    """What a die brings."""

    attacker: int
    """Steps that the attackers lose, doubled where terrain doubles them (B4H9a)."""
    attacker_retreats: bool
    defender: int
    """Steps by the table; what is beyond those that the defenders have is breakthrough."""
    defender_retreats: bool
    destroyed: bool
    """All defenders are destroyed for certain: too many steps, 7-1, or no way out."""
    surge: int
    """Points of breakthrough for each attacker (C13A)."""


def forecast(
    war: War, pos: Table, attackers: Mask, targets: Mask, column: int, witnesses: Mask = 0
) -> tuple[Prospect, ...]:
    """The results of the six dice on a column."""
    weight, those = weigh(war, pos, attackers, targets, witnesses), plight(war, pos, targets)
    return tuple(
        Prospect(
            attacker_loss(outcome, weight),
            outcome.attacker_retreats,
            outcome.defender,
            outcome.defender_retreats,
            annihilates(war, column, outcome, those),
            surge_of(war, outcome, those) // SCALE,
        )
        for outcome in war.rows[column]
    )
