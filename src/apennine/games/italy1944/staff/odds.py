"""What the bot thinks of a battle: the exact chances of the chart, weighed in steps."""

from __future__ import annotations

from collections.abc import Sequence

from apennine.bots.staff.mass import leanest
from apennine.hexes import bits

from ..rules.c04_zones import those_among, units_in
from ..rules.c05_stacking import fighting
from ..rules.c09_combat import attack_factor, odds, ready
from ..rules.c10_support import air_limit
from ..table.position import ALLIED, GERMAN
from .mind import Mind

MOST_SUPPORT = 2
"""Markers that count in a battle (10.1e)."""


def prize(mind: Mind, hex: int, side: int) -> float:
    """What it is worth to a side to empty a hex of its enemies."""
    war, pos, weights = mind.war, mind.pos, mind.weights
    value = weights.emptied[side]
    value += weights.point * sum(vp for hexes, vp in war.prizes_on_map if hexes >> hex & 1)
    if pos.centre[1 - side] == hex:
        value += weights.centre
    if side == GERMAN and hex in pos.beaches:
        value += weights.point * 2 * war.prizes.beachhead
    return value


def steps_in(mind: Mind, hex: int) -> int:
    """The steps that defend a hex against the active side."""
    pos = mind.pos
    return sum(pos.steps[u] for u in fighting(mind.war, pos, hex, 1 - pos.side))


def markers_left(mind: Mind, side: int, *, coast: bool) -> int:
    """The support markers that a side can still bring to a battle."""
    war, pos = mind.war, mind.pos
    air = max(0, air_limit(war, pos, side) - pos.air[side])
    return air + (war.naval_markers - pos.naval if side == ALLIED and coast else 0)


def keeps_ships(mind: Mind) -> bool:
    """Whether the naval markers are kept for a beachhead that the enemy can attack in strength."""
    war, pos = mind.war, mind.pos

    def is_menaced(beach: int) -> bool:
        germans = bits(those_among(war, pos, war.lattice.disc(beach, 2), GERMAN))
        guards = sum(map(mind.defence, units_in(war, pos, beach, ALLIED)))
        return sum(map(mind.attack, germans)) > mind.weights.menace * guards

    return any(beach >= 0 and is_menaced(beach) for beach in pos.beaches)


def hoped_support(mind: Mind, target: int, attackers: Sequence[int]) -> int:
    """The columns that markers will shift if both sides use what they have left."""
    pos, coasts = mind.pos, mind.war.coast
    if pos.side == ALLIED:  # the one German marker cannot be everywhere
        coast = any(coasts >> pos.hex[u] & 1 for u in attackers) and not keeps_ships(mind)
        return min(MOST_SUPPORT, markers_left(mind, ALLIED, coast=coast))
    coast = bool(coasts >> target & 1)
    own, theirs = (min(MOST_SUPPORT, markers_left(mind, s, coast=coast)) for s in (GERMAN, ALLIED))
    return own - theirs


def hoped_column(mind: Mind, target: int, attackers: Sequence[int]) -> int:
    """The column of an attack with the support that can be hoped for, before the chart ends."""
    shifted = odds(mind.war, mind.pos, target, attackers).shifted
    return shifted + hoped_support(mind, target, attackers)


def attack_worth(mind: Mind, target: int, attackers: Sequence[int]) -> float:
    """What an attack by these units is worth, with the support that can be hoped for."""
    side, column = mind.pos.side, hoped_column(mind, target, attackers)
    return mind.staff.worth(side, column, steps_in(mind, target), prize(mind, target, side))


def force(mind: Mind, target: int) -> list[int]:
    """The units that should attack a hex: all but those without which the odds are the same."""
    war, pos = mind.war, mind.pos
    units = [*bits(pos.attackers), *ready(war, pos, target)]
    units.sort(key=lambda u: (attack_factor(war, pos, u), u))
    return leanest(units, lambda those: odds(war, pos, target, those).shifted, pos.attackers)


def battle_worth(mind: Mind, extra: int = 0) -> float:
    """The battle under way as the attacker sees it, if one side adds so many markers."""
    war, pos = mind.war, mind.pos
    imagined = pos.copy()
    imagined.support[pos.supporting] += extra
    column = odds(war, imagined, pos.target, tuple(bits(pos.attackers))).column
    prized = prize(mind, pos.target, pos.side)
    return mind.staff.worth(pos.side, column, steps_in(mind, pos.target), prized)
