"""Chapter 11: supply."""

from __future__ import annotations

from apennine.hexes import Mask

from ..table.position import AERIAL, ALLIED, COASTAL, OVERLAND, UNSUPPLIED, Table
from ..table.war import GB, US, War
from .c07_zones import both, is_excused, there


def closed(war: War, pos: Table, side: int) -> Mask:
    """The hexes that no supply path of a side may enter (11.3): enemies, and their zones.

    A friendly ground unit cancels the zone in its own hex (7.4).
    """
    there = both(war, pos)
    enemy, friends = there[1 - side], there[side]
    return enemy.occupied | enemy.zone & ~friends.occupied


def net(war: War, pos: Table, side: int) -> Mask:
    """The hexes in overland supply of a side, from whichever source."""
    if side == ALLIED:
        return war.net(closed(war, pos, ALLIED), war.harbours(tuple(pos.ports))[-1])
    sources = war.sources & ~there(war, pos, ALLIED).occupied  # 11.4
    return war.net(closed(war, pos, side), sources)


def status(war: War, pos: Table, hex: int, side: int) -> int:
    """How units of a side in this hex are supplied now; a box is always well supplied."""
    if not war.bit[hex]:
        return OVERLAND  # 9.16j, 10.2d
    if net(war, pos, side) >> hex & 1:
        return OVERLAND  # 11.6c
    if side == ALLIED:
        if pos.airlift == hex:
            return AERIAL
        if war.coast >> hex & 1:
            return COASTAL
    return UNSUPPLIED


def crossed_groups(war: War, pos: Table, hex: int) -> int:
    """The Allied groups, as bits, that here live on the other group's ports alone (11.3).

    None do in a port, and not the multi-national corps (11.3e).
    """
    here, groups = war.bit[hex], there(war, pos, ALLIED).groups
    if not net(war, pos, ALLIED) & here:
        return 0
    blocked, harbours = closed(war, pos, ALLIED), war.harbours(tuple(pos.ports))
    crossed = 0
    for group in (US, GB):
        if groups[group] & here and not war.net(blocked, harbours[group]) & here:
            crossed |= 1 << group
    return 0 if crossed and is_excused(war, pos, hex) else crossed
