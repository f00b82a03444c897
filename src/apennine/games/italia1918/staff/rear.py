"""Behind the front: bridges, depots, reserves of the High Command, reinforcements."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from apennine.bots.staff.judge import GLADLY, NEVER, Judge
from apennine.kernel.decision import Option

from ..rules.c02_pieces import theatre
from .mind import Mind


def bring_on(mind: Mind, option: Option) -> float:
    """As near to the front as can be, out of the enemy's zone."""
    hex = option.hex
    return 50.0 - mind.from_foe[hex] - 5.0 * (mind.zone >> hex & 1)


def bridge(mind: Mind, option: Option) -> float:
    """Over a river that lies before what the side lacks, where nobody holds the far bank."""
    if not mind.leads or mind.foe.closed >> option.hex & 1:
        return -1.0
    here = mind.pos.hex[(mind.pos.movers & -mind.pos.movers).bit_length() - 1]
    return 1.0 if mind.draw[option.hex] < mind.draw[here] else -1.0


def blow_up(mind: Mind, option: Option) -> float:
    """The side that holds: bridges that the enemy is to cross, with few friends before them."""
    if mind.leads:
        return -1.0
    ends = mind.war.ground.bridges[option.value].ends
    beyond = mind.war.lattice.dilate(ends, 3) & mind.zone
    return 0.5 if beyond else -1.0


def rebuild(mind: Mind, option: Option) -> float:
    """The side that goes forward."""
    del option
    return 1.0 if mind.leads else -1.0


def release(mind: Mind, option: Option) -> float:
    """When the enemy comes near, if the price is not too high."""
    pos, unit = mind.pos, option.unit
    price = theatre(mind.war, pos).scenario.reserves.get(str(pos.turn), 0)
    near = mind.from_foe[pos.hex[unit]]
    least = mind.weights.release + (price == 0) * 20 - price
    return 1.0 if near <= least else -1.0


def hide(mind: Mind, option: Option) -> float:
    """Always."""
    del mind, option
    return 0.2


def move_up(mind: Mind, option: Option) -> float:
    """Guns of the offensive follow it, behind their own front."""
    pos, unit = mind.pos, option.unit
    reach = mind.war.roster[unit].range
    here, there = pos.hex[unit], option.hex

    def served(hex: int) -> float:
        return (mind.enemy & mind.war.lattice.disc(hex, reach)).bit_count() - 0.3 * mind.draw[hex]

    safe = not mind.war.lattice.dilate(mind.zone) >> there & 1
    guarded = bool(mind.own.combat >> there & 1)
    return served(there) - served(here) - 0.4 if safe or guarded else -1.0


REAR_JUDGES: Mapping[str, Judge[Mind]] = MappingProxyType(
    {
        "bring on": bring_on,
        "bridge the river": bridge,
        "take up the bridge": NEVER,
        "blow up": blow_up,
        "rebuild": rebuild,
        "destroy": GLADLY,
        "release": release,
        "hide": hide,
        "move up": move_up,
    }
)
