"""Everything that can be wrong with a position."""

from __future__ import annotations

from collections.abc import Iterator

from apennine.hexes import bits, mask_of
from apennine.kernel.game import Fault
from apennine.mechanics import showing
from apennine.mechanics.showing import Wrong

from ..rules.c03_zones import STACK, occupied, units_in
from ..table.position import ALLIED, GERMAN, LOST, NOBODY, Table
from ..table.war import War


def faults(war: War, pos: Table) -> list[Fault]:
    """Nothing at a checkpoint."""
    return showing.faults(war.board, war.names, pos.hex, wrong(war, pos))


def wrong(war: War, pos: Table) -> Iterator[Wrong]:
    """What is wrong, the sentence, and the rule: for each {unit}, or each {hex}."""
    for unit, (hex, steps) in enumerate(zip(pos.hex, pos.steps)):
        if hex != LOST:
            yield (hex not in war.lattice) << unit, "{unit} is nowhere", "4.1"
            yield (not 1 <= steps <= 2) << unit, f"{{unit}} has {steps} steps", "6.6"
    here = [occupied(war, pos, side) & war.lattice.all for side in (ALLIED, GERMAN)]
    yield here[ALLIED] & here[GERMAN], "Both sides are in {hex}", "4.5"
    for side, hexes in enumerate(here if pos.mover == NOBODY else ()):
        full = mask_of(h for h in bits(hexes) if len(units_in(war, pos, h, side)) > STACK)
        yield full, "Too many units are in {hex}", "2.1"
