"""Behind the front: replacements, arrivals, departures, fortifications."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from apennine.bots.staff.judge import GLADLY, NEVER, Judge
from apennine.hexes import bits
from apennine.kernel.decision import Option

from ..table.position import LOST
from .guns import ready
from .mind import Mind


def replace(mind: Mind, option: Option) -> float:
    """The step that adds most; who is next to the enemy would not attack in this turn."""
    war, pos, unit = mind.war, mind.pos, option.unit
    gain = mind.value(unit, pos.steps[unit] + 1) - mind.value(unit, pos.steps[unit])
    if pos.hex[unit] == LOST:
        gain -= 1.0
    elif war.ground.bit[pos.hex[unit]] and mind.from_foe[pos.hex[unit]] < 2:
        gain -= 1.5 if mind.side == 0 else 0.0
    special = war.pools[option.value][1] == "special"
    return 10.0 + gain - 0.5 * special


def to_the_front(mind: Mind, option: Option) -> float:
    """As near to the front as can be; areas count as their edge."""
    war, hex = mind.war, option.hex
    if hex < war.lattice.size:
        return 50.0 - mind.from_foe[hex]
    edge = war.ground.edge[war.ground.area_names[hex]] & mind.ground.land
    return 20.0 - min((mind.from_foe[h] for h in bits(edge)), default=30)


NEAR = 5
"""Hexes from the enemy at which a fort is made stronger before others are completed."""


def fortify(mind: Mind, option: Option) -> float:
    """Where history did first, then on the best ground; the strong ones where he comes first."""
    staff, hex = mind.staff, option.hex
    terrain, pos, away = mind.war.ground, mind.pos, mind.from_foe[option.hex]
    value = 3.0 * (staff.sites >> hex & 1) + mind.points(hex) + min(mind.strong[hex], 2.0)
    value += 1.0 * (terrain.gustav >> hex & 1)
    if pos.forts >> hex & 1:
        return (36.0 if away <= NEAR else 6.0) + value - 0.3 * away
    if away < 2:
        value -= 2.0
    if mind.war.lattice.disc(hex, 1) & (pos.works | pos.forts):
        value -= 3.0
    return 5.0 + value - 0.2 * abs(away - 6)


def complete(mind: Mind, option: Option) -> float:
    """What the enemy comes to first."""
    return 40.0 - mind.from_foe[option.hex] + mind.points(option.hex)


REAR_JUDGES: Mapping[str, Judge[Mind]] = MappingProxyType(
    {
        "ready": lambda mind, option: ready(mind, option),
        "flip": GLADLY,
        "replace": replace,
        "return": to_the_front,
        "bring on": to_the_front,
        "relocate": to_the_front,
        "withdraw": GLADLY,
        "remove": GLADLY,
        "forfeit": GLADLY,
        "start a fortification": fortify,
        "complete the fortification": complete,
        "raze": NEVER,
    }
)
