"""C10 and C11B: units without a defence factor in battle: they withdraw, or are destroyed."""

from __future__ import annotations

from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.decision import Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import Plain, ask

from ..table.position import ALLIED, Table
from ..table.war import War
from .b4e_zones import around, deadly_hexes, doomed, is_inverted, there, weak_hexes
from .b4f_steps import destroy
from .b4g_retreat import EMBARK, FALL_BACK, refuges
from .c7_sea import can_evacuate

STAND = Plain("stand", "Units without a defence factor may stay where they are", "C10B7")


def exposed(war: War, pos: Table, side: int) -> Mask:
    """C10B7, C10C3: the units of a side that an enemy with an attack factor next to them destroys.

    Enemies over whom an Automatic Victory is pending destroy nobody (C12B1).
    """
    present = there(war, pos, side)
    if not pos.soft & present.units:
        return 0
    deadly = deadly_hexes(war, pos, 1 - side)
    if side == pos.side:
        deadly &= ~doomed(pos)
    return present.among(weak_hexes(war, pos, side) & around(war, deadly))


def destroy_exposed(war: War, pos: Table, side: int) -> Procedure:
    """C10C3: who stands unprotected next to an enemy with an attack factor is destroyed."""
    for unit in bits(exposed(war, pos, side)):
        yield from destroy(war, pos, unit, rule("C10C3"))


def may_withdraw(war: War, pos: Table, units: Mask) -> Mask:
    """C10B7, C10B8, C10C9: those of some units that may retreat though no result makes them.

    Inverted counters, whether or not others protect them; Allied replacements only when nobody
    does (C11B6). Nobody retreats twice (D9F).
    """
    units &= pos.soft & ~pos.retreated & (there(war, pos, 0).units | there(war, pos, 1).units)
    if not units:
        return 0
    side = war.side_of[units.bit_length() - 1]
    alone = there(war, pos, side).among(weak_hexes(war, pos, side))
    able = mask_of(u for u in bits(units) if is_inverted(war, pos, u) or alone >> u & 1)
    return mask_of(u for u in bits(able) if refuges(war, pos, u))


def withdraw(war: War, pos: Table, units: Mask, side: int, afloat: Mask = -1) -> Procedure:
    """C10A6, C7C5: after a battle, who has no defence factor may retreat, Allies may embark.

    `units` are those who may retreat if they have none, `afloat` those who may embark: the same
    units, unless told others.
    """
    afloat = units if afloat < 0 else afloat
    while True:
        pos.withdrawing = may_withdraw(war, pos, units)
        if side == ALLIED and afloat:
            pos.withdrawing |= can_evacuate(war, pos, afloat)
        if not pos.withdrawing:
            return
        prompt = "Withdraw units that nothing holds here, or let them stand"
        orders = FALL_BACK, EMBARK, STAND
        chosen = yield from ask(war, pos, prompt, rule("C10B7"), *orders, side=side)
        if chosen.verb == STAND.verb:
            pos.withdrawing = 0
            return
