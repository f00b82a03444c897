"""The scenarios: how each begins (SC.a, SC.c)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..table.data import Start
from ..table.position import AVAILABLE, AWAY, CENTRAL, NOBODY, Table
from ..table.war import Theatre, War
from .c04_stacking import settle_assault


def set_up(war: War, number: int, options: Mapping[str, bool]) -> Table:
    """The position with which a scenario begins; air supports wait in their boxes (17.1a)."""
    theatre = war.theatres[number]
    count = len(war.roster)
    pos = Table(
        scenario=number,
        turn=theatre.scenario.first,
        side=CENTRAL,
        phase="choices",
        veterans=options.get("veterans", False),
        flying=theatre.scenario.air and options.get("air", True),
        gathered=theatre.gathered != theatre.offensives and options.get("gathered", False),
        hex=[AWAY] * count,
        steps=list(war.full),
        host=[NOBODY] * count,
        shots=[0] * count,
        control=theatre.central,
        broken=theatre.broken,
    )
    for start in theatre.starts:
        if not start.optional:
            put(war, pos, start)
    for ferry in theatre.pontoons:
        hex, beyond = war.board.parse(ferry.hex), war.board.parse(ferry.to)
        d = war.lattice.direction(hex, beyond)
        pos.pontoons.append((war.sides.index(ferry.side), hex, d))
    for side in (0, 1):
        for hex in sorted({pos.hex[u] for u in war.members[side] if pos.hex[u] >= 0}):
            settle_assault(war, pos, hex, side)
    pos.frozen = frozen_markers(war, theatre)
    return pos


def put(war: War, pos: Table, start: Start) -> None:
    """A unit in its hex and state."""
    unit = war.number[start.unit]
    pos.hex[unit] = war.board.parse(start.hex) if start.hex else AVAILABLE
    pos.steps[unit] -= start.reduced
    pos.disorganized |= start.disorganized << unit
    pos.silent |= start.silent << unit
    pos.displayed |= bool(start.display) << unit


def frozen_markers(war: War, theatre: Theatre) -> list[int]:
    """The High Command's reserves: a marker for each two units of a hex (11.2.10)."""
    by_hex: dict[str, list[int]] = {}
    for start in theatre.starts:
        if start.frozen:
            by_hex.setdefault(start.hex, []).append(war.number[start.unit])
    sharing = war.book.limits.sharing
    return [marker for units in by_hex.values() for marker in _shared(units, sharing)]


def _shared(units: list[int], sharing: int) -> Iterable[int]:
    for first in range(0, len(units), sharing):
        yield sum(1 << unit for unit in units[first : first + sharing])
