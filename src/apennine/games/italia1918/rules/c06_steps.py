"""Chapter 6: step losses, and what goes with a unit that is lost."""

from __future__ import annotations

from apennine.hexes import Mask, bits
from apennine.kernel.decision import Event, Procedure
from apennine.kernel.ledger import rule

from ..table.position import LOST, NOBODY, Table
from ..table.war import War
from .c02_pieces import attached, there, those_in
from .c05_zones import zone


def lose_step(war: War, pos: Table, unit: int, cited: str) -> Procedure:
    """A unit loses a step, and is eliminated with its last (6.0a to 6.0d)."""
    if pos.steps[unit] > 1:
        pos.steps[unit] -= 1
        yield Event("loses a step", unit, pos.hex[unit], pos.steps[unit], cited)
    else:
        yield from eliminate(war, pos, unit, cited)


def eliminate(war: War, pos: Table, unit: int, cited: str) -> Procedure:
    """A unit leaves the game, and assault troops that were attached to it (15.3)."""
    here = pos.hex[unit]
    yield Event("is eliminated", unit, here, 0, cited)
    clear(pos, 1 << unit)
    pos.hex[unit], pos.steps[unit], pos.host[unit] = LOST, 0, NOBODY
    for support in bits(attached(war, pos, 1 << unit)):
        yield from eliminate(war, pos, support, rule("15.3.1f"))
    if war.batteries >> unit & 1:
        pos.points[1 - war.side_of[unit]] += war.roster[unit].points  # S3.S5c


def clear(pos: Table, units: Mask) -> None:
    """Take all markers off some units."""
    pos.disorganized &= ~units
    pos.reorganizing &= ~units
    pos.hungry &= ~units
    pos.fleeing &= ~units
    pos.hidden &= ~units
    pos.firing &= ~units
    pos.silent &= ~units
    pos.slipping &= ~units
    pos.pinned &= ~units
    pos.loaded &= ~units
    pos.displayed &= ~units
    pos.movers &= ~units
    pos.relief &= ~units
    pos.frozen = [left for marker in pos.frozen if (left := marker & ~units)]
    pos.reserves = [left for marker in pos.reserves if (left := marker & ~units)]
    pos.exploits = [left for marker in pos.exploits if (left := marker & ~units)]


def disorganize(war: War, pos: Table, units: Mask) -> None:
    """Combat units become Disorganized, Reorganizing ones again; supports never (12.5a, 12.5f)."""
    units &= war.combat
    pos.disorganized |= units
    pos.reorganizing &= ~units


def overrun(war: War, pos: Table, side: int, next_to: Mask) -> Procedure:
    """Supports of a side with no combat unit are eliminated when an enemy comes next to them.

    `next_to` are the hexes that the enemy has come to. Depots stay (15.5b), assault troops never
    are alone, air supports are above it.
    """
    spared = war.depots | war.assault | war.aircraft
    present = there(war, pos, side)
    near = war.lattice.dilate(next_to) & zone(war, pos, 1 - side)
    alone = near & present.ground & ~present.combat
    for hex in bits(alone):
        for unit in bits(those_in(war, pos, hex, side) & ~spared):
            yield from eliminate(war, pos, unit, rule("11.3.1b"))
