"""What the bot thinks of a battle: the exact chances of the chart, weighed in steps."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from apennine.hexes import bits

from ..rules.c04_zones import occupied, zone_of
from ..rules.c05_stacking import fighting
from ..rules.c09_combat import attack_factor, odds, ready
from ..rules.c10_support import air_limit
from ..table.position import ALLIED, GERMAN, Table
from ..table.war import War

OWN_STEP = (0.26, 0.95)
"""What a lost step of its own is worth to each side, against 1 for one of the enemy."""
GROUND = (0.6, 0.1)
"""What an emptied hex is worth to each side, whatever lies in it."""
POINT = 0.15
"""What a victory point is worth in steps."""
CENTRE = 5.0
"""What the enemy's logistic centre is worth: without it his whole army starves for a turn."""
MOST_SUPPORT = 2
"""Markers that count in a battle (10.1e)."""


@lru_cache(256)
def results(war: War, column: int) -> tuple[tuple[float, int, int], ...]:
    """A column of the chart: each chance with the losses of attacker and defender."""
    chances = war.combat.chances(column, war.dice)
    return tuple((float(p), cell.attacker, cell.defender) for cell, p in chances.items())


@lru_cache(4096)
def worth(war: War, side: int, column: int, steps: int, ground: float) -> float:
    """An attack by a side on so many steps, in enemy steps: losses against gains, and the hex."""
    total = 0.0
    for chance, own, theirs in results(war, column):
        gain = min(theirs, steps) - OWN_STEP[side] * own
        total += chance * (gain + ground if theirs >= steps else gain)
    return total


def prize(war: War, pos: Table, hex: int, side: int) -> float:
    """What it is worth to a side to empty a hex of its enemies."""
    value = GROUND[side]
    for hexes, points in war.prizes_on_map:
        if hexes >> hex & 1:
            value += POINT * points
    if pos.centre[1 - side] == hex:
        value += CENTRE
    if side == GERMAN and hex in pos.beaches:
        value += POINT * 2 * war.prizes.beachhead
    return value


def steps_in(war: War, pos: Table, hex: int) -> int:
    """The steps that defend a hex against the active side."""
    return sum(pos.steps[u] for u in fighting(war, pos, hex, 1 - pos.side))


def markers_left(war: War, pos: Table, side: int, *, coast: bool) -> int:
    """The support markers that a side can still bring to a battle."""
    air = max(0, air_limit(war, pos, side) - pos.air[side])
    return air + (war.naval_markers - pos.naval if side == ALLIED and coast else 0)


def keeps_ships(war: War, pos: Table) -> bool:
    """Whether the naval markers are kept for a beachhead with enemies around it."""
    enemy = occupied(war, pos, GERMAN)
    near = enemy | zone_of(war, enemy) | zone_of(war, zone_of(war, enemy))
    return any(beach >= 0 and near >> beach & 1 for beach in pos.beaches)


def hoped_support(war: War, pos: Table, target: int, attackers: Sequence[int]) -> int:
    """The columns that markers will shift if both sides use what they have left."""
    side = pos.side
    if side == ALLIED:
        coast = any(war.coast >> pos.hex[u] & 1 for u in attackers) and not keeps_ships(war, pos)
    else:
        coast = bool(war.coast >> target & 1)
    own = min(MOST_SUPPORT, markers_left(war, pos, side, coast=coast))
    theirs = min(MOST_SUPPORT, markers_left(war, pos, 1 - side, coast=coast))
    if side == ALLIED:
        theirs = 0  # the one German marker cannot be everywhere
    return own - theirs


def hoped_column(war: War, pos: Table, target: int, attackers: Sequence[int]) -> int:
    """The column of an attack with the support that can be hoped for, before the chart ends."""
    shifted = odds(war, pos, target, attackers).shifted
    return shifted + hoped_support(war, pos, target, attackers)


def attack_worth(war: War, pos: Table, target: int, attackers: Sequence[int]) -> float:
    """What an attack by these units is worth, with the support that can be hoped for."""
    column = war.ladder.clamp(hoped_column(war, pos, target, attackers))
    ground = prize(war, pos, target, pos.side)
    return worth(war, pos.side, column, steps_in(war, pos, target), ground)


def force(war: War, pos: Table, target: int) -> list[int]:
    """The units that should attack a hex: all but those without which the odds are the same."""
    units = [*bits(pos.attackers), *ready(war, pos, target)]
    units.sort(key=lambda u: (attack_factor(war, pos, u), u))
    best = odds(war, pos, target, units).shifted
    for unit in tuple(units):
        fewer = [u for u in units if u != unit]
        if not pos.attackers >> unit & 1 and fewer:
            if odds(war, pos, target, fewer).shifted < best:
                break  # any stronger one would be missed as much
            units = fewer
    return units


def battle_worth(war: War, pos: Table, extra: int = 0) -> float:
    """The battle under way as the attacker sees it, if one side adds so many markers."""
    imagined = pos.copy()
    imagined.support[pos.supporting] += extra
    column = odds(war, imagined, pos.target, tuple(bits(pos.attackers))).column
    ground = prize(war, pos, pos.target, pos.side)
    return worth(war, pos.side, column, steps_in(war, pos, pos.target), ground)
