"""B4D: stacking, and D7A: stacks of several nationalities."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from apennine.hexes import Mask, bits, first_bit
from apennine.kernel.decision import Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import UNIT, Bars, Order, ask

from ..table.position import ALLIED, Table
from ..table.war import War
from .b4e_zones import there
from .b4f_steps import destroy


@lru_cache(4096)
def load(war: War, units: Mask) -> int:
    """The stacking points of some units."""
    stacking = war.stacking
    return sum([stacking[unit] for unit in bits(units)])


def limit(war: War, pos: Table, side: int, units: Mask) -> int:
    """The most stacking points of these units in a hex (B4D1, D7A)."""
    limits = war.book.limits
    if not pos.nationalities or side != ALLIED:
        return limits.stack
    common = -1
    for unit in bits(units):
        common &= war.kin[unit]
    return limits.stack if common else limits.mixed


def fits_a_hex(war: War, pos: Table, side: int, units: Mask) -> bool:
    """Whether some units are few enough for one hex."""
    return load(war, units) <= limit(war, pos, side, units)


def full_hexes(war: War, pos: Table, side: int, newcomers: Mask) -> Mask:
    """The hexes where newcomers would be too many with those who are there already (B4D2)."""
    found, size, mixed = 0, war.lattice.size, pos.nationalities
    room = limit(war, pos, side, newcomers) - load(war, newcomers)
    light = not mixed and room >= max(war.stacking)
    for place, units in there(war, pos, side).stacks.items():
        if light and not units & units - 1:
            continue  # one unit alone always leaves room
        others = units & ~newcomers
        if not others or not 0 <= place < size:
            continue
        if mixed:
            if not fits_a_hex(war, pos, side, others | newcomers):
                found |= 1 << place
        elif load(war, others) > room:
            found |= 1 << place
    return found


def fits_into(war: War, pos: Table, side: int, newcomers: Mask, hex: int) -> bool:
    """Whether newcomers fit into a hex with those who are there already."""
    others = there(war, pos, side).stack(hex) & ~newcomers
    return not others or fits_a_hex(war, pos, side, others | newcomers)


def overloaded(war: War, pos: Table, side: int, hex: int) -> bool:
    """Whether more units of a side are in a hex than may be."""
    return not fits_a_hex(war, pos, side, there(war, pos, side).stack(hex))


def relieve(war: War, pos: Table, side: int, hexes: Mask) -> Procedure:
    """B4D3, B4G4c: the owner destroys units of his choice until no hex holds too many."""
    for hex in bits(hexes):
        while overloaded(war, pos, side, hex):
            units = there(war, pos, side).stack(hex)
            prompt = f"Too many units are in {war.board.code(hex)}: destroy one of them"
            yield from ask(war, pos, prompt, rule("B4D3"), GiveUp(units), side=side)


@dataclass(slots=True)
class GiveUp(Order[War, Table]):
    """B4D3: a unit of an overcrowded hex is destroyed."""

    units: Mask

    verb, names = "give up", (UNIT,)
    when, rule = "Units are given up where too many of them are in a hex", "B4D3"

    def bars(self, war: War, pos: Table) -> Bars:
        here = war.board.code(pos.hex[first_bit(self.units)])
        yield self.units, f"{{unit}} is not in {here}, where too many are", "B4D3"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        return destroy(war, pos, option.unit, rule("B4D3"))
