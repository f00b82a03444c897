"""What a battle promises if both sides fight it as they usually do."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from apennine.hexes import Mask, bits

from ..rules.c07_zones import force_in, is_mixed
from ..rules.c11_supply import crossed_groups, status
from ..table.position import GERMAN, Table
from ..table.war import War
from ..telling.battle_chances import TAKEN, Lineup, average_losses, forecast, summary
from ..telling.lineup import lineup


class Odds(NamedTuple):
    """What is to be expected of a battle."""

    taken: float
    """The chance that the hex is free for an advance."""
    own: float
    enemy: float
    """The steps that the attacker and the defender lose on average."""


@lru_cache(16384)
def odds(fight: Lineup) -> Odds:
    """The exact chances of a battle, as numbers that are quick to reckon with."""
    ends = forecast(fight)
    own, enemy = average_losses(ends)
    return Odds(float(summary(ends).get(TAKEN, 0)), float(own), float(enemy))


def battle(
    war: War,
    pos: Table,
    origin: int,
    target: int,
    units: Mask,
    *,
    air: bool,
    cover: bool,
    bombs: bool = False,
) -> Lineup:
    """An attack that might be ordered, with `air` for it and `cover` against it."""
    there = pos.copy()
    side = war.side_of[next(bits(units))]
    there.side, there.origin, there.target, there.bomber = side, origin, target, bombs
    there.attackers = there.force = units
    there.defenders = force_in(war, pos, target, 1 - side)
    there.supply = status(war, pos, origin, side)
    there.defence_supply = status(war, pos, target, 1 - side)
    if side == GERMAN:
        there.defence_mixed = is_mixed(war, pos, target)
    else:
        there.mixed = is_mixed(war, pos, origin)
        there.crossed = crossed_groups(war, pos, origin)
    there.air_support = side if air else 1 - side if cover else -1
    return lineup(war, there)
