"""Everything that can be wrong with a position."""

from __future__ import annotations

from collections.abc import Iterator

from apennine.hexes import bits
from apennine.kernel.game import Fault
from apennine.kernel.ledger import rule

from ..rules.c03_zones import STACK, occupied, units_in
from ..table.position import ALLIED, GERMAN, LOST, NOBODY, Table
from ..table.war import War


def faults(war: War, pos: Table) -> Iterator[Fault]:
    """Nothing at a checkpoint."""
    for unit, hex in enumerate(pos.hex):
        name = war.names[unit]
        if hex == LOST:
            continue
        if hex not in war.lattice:
            yield Fault(f"{name} is nowhere.", unit=unit)
        if not 1 <= pos.steps[unit] <= 2:
            yield Fault(f"{name} has {pos.steps[unit]} steps.", unit=unit, hex=hex)
    for side in (ALLIED, GERMAN):
        for hex in bits(occupied(war, pos, side) & war.lattice.all):
            code = war.board.code(hex)
            if len(units_in(war, pos, hex, side)) > STACK and pos.mover == NOBODY:
                yield Fault(f"Too many units are in {code}.", rule("2.1"), hex=hex)
            if side == ALLIED and units_in(war, pos, hex, GERMAN):
                yield Fault(f"Both sides are in {code}.", rule("4.5"), hex=hex)
