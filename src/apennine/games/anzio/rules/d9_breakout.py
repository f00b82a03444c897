"""D9: retreat through zones of control, hex by hex where the die sends it."""

from __future__ import annotations

from apennine.hexes import Mask, bits, first_bit, mask_of
from apennine.kernel.decision import Event, Option, Procedure, Roll
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, Bars, Order, Plain, ask

from ..table.data import DIRECTIONS
from ..table.position import ALLIED, Table
from ..table.rivers import BARRED
from ..table.war import War
from .b4d_stacking import relieve
from .b4e_zones import attackers_in, strong_hexes, there
from .b4f_steps import lose_steps
from .b4g_ways import EMBARK, RETREATING, refuges
from .c4_friendly import come_into
from .c7_sea import can_evacuate

ROLL_ON = Plain("roll on", "A retreat through zones of control goes on hex by hex", "D9D5")


def next_hex(war: War, pos: Table, unit: int, d: int) -> tuple[int, int]:
    """D9D2: the hex in a direction and what binds a unit there; below 0 if it cannot go there.

    Not where an enemy is, out to sea, over barriers and lakes, or over a river.
    """
    here, ground = pos.hex[unit], war.ground
    if not ground.open[d] >> here & 1:
        return -1, 0
    beyond = war.lattice.neighbour(here, d)
    enemies = there(war, pos, 1 - war.side_of[unit]).occupied
    bound = ground.rivers.step(here, pos.bank[unit], d)
    if (enemies | ground.passing) >> beyond & 1 or bound == BARRED:
        return -1, 0
    return beyond, bound


def is_surrounded(war: War, pos: Table, unit: int) -> bool:
    """D9B: whether enemies with a defence factor, or ground where it cannot go, are all around."""
    here, ground = pos.hex[unit], war.ground
    strong = strong_hexes(war, pos, 1 - war.side_of[unit])
    for d in range(6):
        if ground.open[d] >> here & 1:
            beyond = war.lattice.neighbour(here, d)
            shut = (strong | ground.passing) >> beyond & 1
            if not shut and ground.rivers.step(here, pos.bank[unit], d) != BARRED:
                return False
    return True


def can_break_out(war: War, pos: Table, unit: int) -> bool:
    """D9C1: whether a unit that must retreat, and has no other way, goes through enemy zones."""
    if not pos.zone_retreat or is_surrounded(war, pos, unit):
        return False
    return not refuges(war, pos, unit)


def stuck(war: War, pos: Table) -> Mask:
    """Those who must retreat and can only break out, or be evacuated."""
    if not pos.zone_retreat:
        return 0
    return mask_of(unit for unit in bits(pos.retreating) if can_break_out(war, pos, unit))


class BreakOut(Order[War, Table]):
    """D9D1: the units of a hex go together where the die sends them."""

    verb, names = "break out", (HEX,)
    when, rule, needs = RETREATING, "D9D1", "zone_retreat"

    def bars(self, war: War, pos: Table) -> Bars:
        hexes = mask_of(pos.hex[unit] for unit in bits(stuck(war, pos)))
        yield hexes, "No units in {hex} have to retreat through zones of control", "D9C1"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        here = [unit for unit in bits(stuck(war, pos)) if pos.hex[unit] == option.hex]
        return break_out(war, pos, mask_of(here))


class BreakOutAlone(Order[War, Table]):
    """D9D1: a unit of a stack goes its own way."""

    verb, names = "break out alone", (UNIT,)
    when, rule, needs = RETREATING, "D9D1", "zone_retreat"

    def bars(self, war: War, pos: Table) -> Bars:
        units = stuck(war, pos)
        yield units, "{unit} does not have to retreat through zones of control", "D9C1"
        hexes = [pos.hex[unit] for unit in bits(units)]
        shared = mask_of(unit for unit in bits(units) if hexes.count(pos.hex[unit]) > 1)
        yield shared, "{unit} is the only one there, and just breaks out", "D9D1"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        return break_out(war, pos, 1 << option.unit)


BREAK_OUT, BREAK_OUT_ALONE = BreakOut(), BreakOutAlone()


def break_out(war: War, pos: Table, units: Mask) -> Procedure:
    """D9D: a die for every hex, and a step lost for every die, until two hexes are behind them."""
    side, gone = war.side_of[first_bit(units)], 0
    pos.broken |= units
    while units := units & pos.retreating:
        if side == ALLIED and can_evacuate(war, pos, units):  # D9D10
            prompt = "Embark, or roll on"
            chosen = yield from ask(war, pos, prompt, rule("D9D10"), EMBARK, ROLL_ON, side=side)
            if chosen.verb == EMBARK.verb:
                continue
        (die,) = yield Roll((6,), "retreat through zones of control", rule("D9C2"), "direction")
        d = DIRECTIONS.index(war.book.direction.cell(die, 0))
        lead = first_bit(units)
        hex, bound = next_hex(war, pos, lead, d)
        if hex >= 0:
            gone += 1
            ridge = war.ground.roadless_high[d] >> pos.hex[lead] & 1
            for unit in bits(units):
                pos.hex[unit], pos.bank[unit] = hex, bound
            yield Event("is driven", lead, hex, rule="D9D2")
            armed = attackers_in(war, pos, units)
            yield from come_into(war, pos, first_bit(armed or units), hex)
            if ridge and units & ~(war.mountaineers if pos.mountain else 0):
                gone = max(gone, war.book.limits.retreat)  # B4G3c1
        yield from lose_steps(war, pos, units, 1, side)  # D9D4
        units &= pos.retreating
        if gone >= war.book.limits.retreat and units and not _waits(war, pos, units, side):
            break
    pos.retreating &= ~units
    pos.retreated |= units
    if units:
        yield from relieve(war, pos, side, 1 << pos.hex[first_bit(units)])


def _waits(war: War, pos: Table, units: Mask, side: int) -> bool:
    """D9E4: whether friends who are still to be attacked in this round are in the same hex."""
    here = pos.hex[first_bit(units)]
    friends = there(war, pos, side).stack(here) & ~units & ~pos.soft & ~pos.defended
    return side != pos.side and bool(friends) and bool(pos.due >> here & 1)
