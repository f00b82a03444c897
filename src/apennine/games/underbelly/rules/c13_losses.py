"""Steps lost and won back (2.13, 9.16, 13.10)."""

from __future__ import annotations

from collections.abc import Iterator

from apennine.kernel.decision import Event
from apennine.kernel.ledger import rule

from ..table.position import LOST, OVERLAND, Table
from ..table.war import War
from .c07_zones import put, settle


def lose_step(war: War, pos: Table, unit: int, state: int, by: str) -> Iterator[Event]:
    """2.13: a full division is flipped; a reduced one or corps support is eliminated.

    `state` is the supply in which the unit stands or fights.
    """
    if pos.steps[unit] > 1:
        pos.steps[unit] -= 1
        yield Event("loses a step", unit, pos.hex[unit], rule=by)
    else:
        yield from eliminate(war, pos, unit, state, by)


def eliminate(war: War, pos: Table, unit: int, state: int, by: str) -> Iterator[Event]:
    """A unit goes to the dead pile, for good if it was not in overland supply (9.16h)."""
    yield Event("is eliminated", unit, pos.hex[unit], rule=by)
    pos.steps[unit] = 0
    if state != OVERLAND:
        pos.barred |= 1 << unit
    put(war, pos, 1 << unit, LOST)
    yield from settle(war, pos)


def revive(war: War, pos: Table, unit: int, hex: int) -> Iterator[Event]:
    """13.10c: a step lost in this battle comes back, if need be from the dead pile."""
    pos.steps[unit] += 1
    if pos.hex[unit] == LOST:
        pos.barred &= ~(1 << unit)
        put(war, pos, 1 << unit, hex)
    yield Event("recovers a step", unit, hex, rule=rule("13.10c"))
    yield from settle(war, pos)
