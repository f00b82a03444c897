"""Chapters 2 and 3: who is where, how many a hex holds, and zones of control."""

from __future__ import annotations

from apennine.hexes import Mask, mask_of

from ..table.position import ALLIED, LOST, Table
from ..table.war import War

STACK = 2


def on_map(war: War, pos: Table, side: int) -> list[int]:
    """The units of a side that are not lost."""
    return [unit for unit in war.members[side] if pos.hex[unit] != LOST]


def alive(war: War, pos: Table, side: int) -> Mask:
    """The same as a set of units."""
    mask = 0
    for unit in war.members[side]:
        if pos.hex[unit] != LOST:
            mask |= 1 << unit
    return mask


def units_in(war: War, pos: Table, hex: int, side: int) -> list[int]:
    """The units of a side in a hex."""
    return [unit for unit in war.members[side] if pos.hex[unit] == hex]


def units_at(war: War, pos: Table, hexes: Mask, side: int) -> Mask:
    """The units of a side in some hexes, as a set of units."""
    return mask_of(unit for unit in on_map(war, pos, side) if hexes >> pos.hex[unit] & 1)


def occupied(war: War, pos: Table, side: int, besides: int = LOST) -> Mask:
    """The hexes with units of a side, one hex left out if asked for."""
    mask = 0
    for unit in war.members[side]:
        hex = pos.hex[unit]
        if hex >= 0 and hex != besides:
            mask |= 1 << hex
    return mask


def full(war: War, pos: Table, side: int) -> Mask:
    """The hexes that hold two units of a side, as many as may stay there (2.1)."""
    once = twice = 0
    for unit in war.members[side]:
        if pos.hex[unit] != LOST:
            bit = 1 << pos.hex[unit]
            twice |= once & bit
            once |= bit
    return twice


def zone(war: War, pos: Table, side: int) -> Mask:
    """The zone of control of a side (3.1)."""
    return war.zone(occupied(war, pos, side), pos.blown)


def enter(war: War, pos: Table, unit: int, hex: int) -> None:
    """A unit comes into a hex; a town is then its side's (8.1)."""
    pos.hex[unit] = hex
    town = war.towns & 1 << hex
    pos.held = pos.held | town if war.side_of[unit] == ALLIED else pos.held & ~town


def lose_step(pos: Table, unit: int) -> None:
    """A unit without steps is lost."""
    pos.steps[unit] -= 1
    if pos.steps[unit] == 0:
        pos.hex[unit] = LOST
