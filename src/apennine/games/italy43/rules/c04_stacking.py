"""Chapter 4: stacking, and what becomes of units that stand in a hex too many."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from apennine.hexes import Mask, bits
from apennine.kernel.decision import Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import UNIT, Bars, Order, ask

from ..table.position import Table
from ..table.war import War
from .c02_pieces import in_the_field, there, those_in
from .c10_steps import eliminate


def load(war: War, pos: Table, units: Mask) -> int:
    """What units count together: their values, and one for each silhouette but the first.

    Markers never count (4.1b); units of value 0 stack without limit (4.2b).
    """
    stacking, remnants = war.stacking, pos.remnants
    total = sum([stacking[unit][remnants >> unit & 1] for unit in bits(units)])
    return total + max((units & war.silhouettes).bit_count() - 1, 0)  # 4.3


def fits(war: War, pos: Table, units: Mask) -> bool:
    """Whether units may stay together in one hex (4.1a)."""
    return load(war, pos, units) <= war.book.limits.stack


def crowded(war: War, pos: Table, side: int, newcomers: Mask, within: Mask = -1) -> Mask:
    """The hexes where newcomers could not stay beside those of the side that are there.

    Only hexes `within` some are looked at.
    """
    return sum([1 << hex for hex in _over(war, pos, side, newcomers, within)])


def overstacked(war: War, pos: Table, side: int) -> Mask:
    """The hexes that hold more than may stay there."""
    return sum([1 << hex for hex in _over(war, pos, side, 0)])


def _over(war: War, pos: Table, side: int, newcomers: Mask, within: Mask = -1) -> Iterator[int]:
    present = there(war, pos, side)
    for hex in bits(present.occupied & within):  # entry areas have no limit (21.3a)
        together = present.stacks[hex] | newcomers
        many = together & together - 1  # no unit is too big alone
        if many and not fits(war, pos, together):
            yield hex


def correct_stacking(war: War, pos: Table, within: Mask = -1) -> Procedure:
    """4.4: the phasing player eliminates what stands in a hex too many, as he likes.

    Asked at the end of his Movement and Combat Phases, and `within` the hexes of a Breakthrough
    Combat or an Automatic DS when it is resolved.
    """
    while True:
        hexes = overstacked(war, pos, pos.side) & within
        if not hexes:
            return
        prompt = "Too many units are stacked: name one that is eliminated"
        yield from ask(war, pos, prompt, rule("4.4c"), GiveUp(hexes))


def correct_after_combat(war: War, pos: Table) -> Procedure:
    """At the end of the Combat Phase: who retreated into a full hex has time to move (12.1.4b)."""
    excused = 0
    for place in _over(war, pos, pos.side, 0):
        if fits(war, pos, those_in(war, pos, place, pos.side) & ~pos.retreated):
            excused |= 1 << place
    yield from correct_stacking(war, pos, ~excused)


@dataclass(slots=True)
class GiveUp(Order[War, Table]):
    """4.4c: a unit of an overstacked hex is eliminated."""

    hexes: Mask

    verb, names = "give up", (UNIT,)
    when, rule = "Units are given up where too many are stacked at the end of a phase", "4.4c"

    def bars(self, war: War, pos: Table) -> Bars:
        yield from in_the_field(war, pos, pos.side)
        there_too = there(war, pos, pos.side).among(self.hexes)
        yield there_too, "{unit} is in no hex with too many units", "4.4c"
        idle = 0
        for unit in bits(there_too):
            here = those_in(war, pos, pos.hex[unit], pos.side)
            if load(war, pos, here & ~(1 << unit)) == load(war, pos, here):
                idle |= 1 << unit
        yield ~idle, "Without {unit} the stack would count no less", "4.4c"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        return eliminate(pos, option.unit, rule("4.4c"))
