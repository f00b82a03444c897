"""B4G: retreats."""

from __future__ import annotations

from apennine.hexes import Mask, bits, first_bit, mask_of
from apennine.kernel.decision import Event, Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, Bars, Order, ask

from ..table.position import GERMAN, Table
from ..table.war import War
from .b4c_march import bounds
from .b4d_stacking import full_hexes, relieve
from .b4e_zones import there
from .b4f_steps import destroy
from .b4g_ways import EMBARK as EMBARK
from .b4g_ways import RETREATING, refuges, ways
from .c4_friendly import come_into
from .c7_sea import can_evacuate
from .c8_edges import depart
from .d9_breakout import BREAK_OUT, BREAK_OUT_ALONE, can_break_out
from .e13_support import forts_count
from .e19_edges import RETREAT_OFF, at_the_edge


def retreat(war: War, pos: Table, units: Mask, by: str) -> Procedure:
    """B4G1: units must retreat, each on a way of its own (B4G5); who has none is destroyed.

    Unless they hold a fort (D6C1), or may break out through enemy zones of control (D9C1).
    """
    pos.retreating |= units
    side = war.side_of[first_bit(units)] if units else 0
    while waiting := units & pos.retreating:
        saved = can_evacuate(war, pos, waiting) | in_forts(war, pos, waiting)
        saved |= at_the_edge(war, pos)
        for unit in bits(waiting & ~saved):
            if not refuges(war, pos, unit) and not can_break_out(war, pos, unit):
                yield from destroy(war, pos, unit, by)  # B4G3a, B4G3b, B4G4b
        if waiting & pos.retreating:
            prompt = "Retreat one or two hexes"
            orders = FALL_BACK, EMBARK, HOLD_FORT, BREAK_OUT, BREAK_OUT_ALONE, RETREAT_OFF
            yield from ask(war, pos, prompt, rule("B4G2a"), *orders, side=side)


def in_forts(war: War, pos: Table, units: Mask) -> Mask:
    """D6C1: the Germans of some units who are in forts, and need not retreat."""
    if not pos.works or not forts_count(pos):
        return 0
    return units & there(war, pos, GERMAN).among(pos.works)


class FallBack(Order[War, Table]):
    """B4G2a: a unit retreats one or two hexes, wherever its owner likes."""

    verb, names = "retreat", (UNIT, HEX)
    when, rule = RETREATING, "B4G1"

    def bars(self, war: War, pos: Table) -> Bars:
        # Who has withdrawn once may still embark, but not go to and fro for ever (D9F).
        going = pos.retreating | pos.withdrawing & pos.soft & ~pos.retreated
        yield going, "{unit} does not have to retreat now", "B4G1"
        able = mask_of(unit for unit in bits(going) if refuges(war, pos, unit))
        yield able, "{unit} has no way on which it would survive", "B4G4b"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        ends, here = refuges(war, pos, first), pos.hex[first]
        yield ends, self._no_refuge(war, pos, first, here)

    def _no_refuge(self, war: War, pos: Table, unit: int, here: int) -> Bars:
        ground, on = war.ground, bounds(war, pos, 1 << unit)
        yield ~(1 << here), "A retreat does not end where it began", "B4G2b"
        yield ground.stands, "Nobody can be in {hex}", "B4G3a"
        yield war.lattice.disc(here, 2), "{hex} is farther than two hexes", "B4G2a"
        yield ~(on.enemies | on.zone), "{hex} is in an enemy zone of control", "B4G4b"
        crowded = full_hexes(war, pos, war.side_of[unit], 1 << unit)
        yield ~crowded, "There is no room in {hex}, and elsewhere there is", "B4G4c"
        yield 0, "No way to {hex} is survived: over a river, a high ridge or enemy zones", "B4G3b0"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        return fall_back(war, pos, option.unit, option.hex)


def fall_back(war: War, pos: Table, unit: int, end: int) -> Procedure:
    """A unit goes its way; too many in a hex are given up there (B4G4c)."""
    pos.retreating &= ~(1 << unit)
    pos.withdrawing &= ~(1 << unit)
    pos.retreated |= 1 << unit
    if end >= war.lattice.size:
        yield from depart(war, pos, 1 << unit, end)
        return
    for hex, bound in ways(war, pos, unit)[end]:
        pos.hex[unit], pos.bank[unit] = hex, bound
        yield from come_into(war, pos, unit, hex)
    yield Event("retreats", unit, end, rule="B4G1")
    yield from relieve(war, pos, war.side_of[unit], 1 << end)


class HoldFort(Order[War, Table]):
    """D6C1: a German unit in a fort ignores the retreat."""

    verb, names = "hold the fort", (UNIT,)
    when, rule, needs = RETREATING, "D6C1", "forts"

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.retreating, "{unit} does not have to retreat now", "B4G1"
        yield in_forts(war, pos, pos.retreating), "{unit} is not in a fort", "D6C1"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.retreating &= ~(1 << option.unit)
        yield Event("holds the fort", option.unit, pos.hex[option.unit], rule=rule("D6C1"))


FALL_BACK, HOLD_FORT = FallBack(), HoldFort()
