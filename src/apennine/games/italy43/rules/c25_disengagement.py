"""Chapter 25.4, an option: units of the active side retreat from the enemy in the combat phase."""

from __future__ import annotations

from apennine.hexes import Mask, bits
from apennine.kernel.decision import Event, Line, Option, Procedure, Roll
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, Bars, Order, what_stays

from ..table.position import GERMAN, Table
from ..table.war import War
from .c02_pieces import elite, in_the_field, low, there, those_in
from .c05_control import must_stay
from .c10_steps import lose_one
from .c12_retreat import Errand, fall_back, ways
from .c13_disorder import beset, disrupt

WHEN = "Units disengage in their own combat phase, if that option is played"
FEWEST, MOST = 1, 2
"""The hexes of a retreat after a success (25.4.4)."""


def errand() -> Errand:
    """The retreat of units that disengage: they are Disrupted by it (25.4.4a)."""
    return Errand(MOST, FEWEST, rule("25.4.4a"), disrupt)


def leaving(war: War, pos: Table) -> Bars:
    """The bars on a unit that would disengage."""
    yield from in_the_field(war, pos, pos.side)
    near = there(war, pos, pos.side).among(beset(war, pos, pos.side))
    yield near, "{unit} is not next to an enemy", "25.4.3a"
    yield ~pos.attacked, "{unit} has attacked or tried to disengage already", "25.4.3a"
    yield ~pos.replaced, "{unit} has taken a replacement", "25.4.3a"
    yield ~(pos.frozen | pos.posted), "{unit} has to stay where it is", "S3.3.4a"
    yield ~must_stay(war, pos, 0), "{unit} is the last German unit in Formia", "S3.3.4a"
    yield sum([1 << u for u in bits(near) if ways(war, pos, u, errand())]), _TRAPPED, "25.4.4b"


_TRAPPED = "{unit} would not survive any retreat"


class Disengage(Order[War, Table]):
    """25.4.3b: one unit tries to get away."""

    verb, names = "disengage", (UNIT,)
    when, rule, opens = WHEN, "25.4.3a", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.disengagements, "Disengagement is an option that is not played", "25.4.3a"
        yield from leaving(war, pos)

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        return disengage(war, pos, 1 << option.unit)


class DisengageStack(Order[War, Table]):
    """25.4.3b: all units of a hex try it with one die."""

    verb, names = "disengage all", (HEX,)
    when, rule, opens = WHEN, "25.4.3b", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.disengagements, "Disengagement is an option that is not played", "25.4.3a"
        stacks = there(war, pos, pos.side).stacks
        on_map = [hex for hex in stacks if 0 <= hex < war.lattice.size]
        many = [hex for hex in on_map if stacks[hex] & stacks[hex] - 1]
        yield sum([1 << hex for hex in many]), "There is no stack of yours in {hex}", "25.4.3b"
        free = what_stays(leaving(war, pos))
        if pos.side == GERMAN and war.formia >= 0:
            yield ~(1 << war.formia), "A German unit must stay in {hex}", "S3.3.4a"
        whole = [hex for hex in many if not stacks[hex] & ~free]
        yield sum([1 << hex for hex in whole]), "Not all units in {hex} may disengage", "25.4.3a"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        return disengage(war, pos, those_in(war, pos, option.hex, pos.side))


def disengage(war: War, pos: Table, units: Mask) -> Procedure:
    """25.4.4: they fail, or retreat one or two hexes, perhaps with a step lost first."""
    pos.attacked |= units
    lines = disengagement_lines(war, pos, units)
    (die,) = yield Roll((6,), "disengagement", rule("25.4.2a"), "result", lines)
    total = die + sum(int(line.value) for line in lines)
    result = war.book.disengagement.cell(total)
    if result == "fail":
        for unit in bits(units):
            yield Event("fails to disengage", unit, pos.hex[unit], rule=rule("25.4.4a"))
        return
    if result == "step":
        yield from lose_one(war, pos, units, pos.side, rule("25.4.4a"))
    yield from fall_back(war, pos, units & there(war, pos, pos.side).units, errand())


def disengagement_lines(war: War, pos: Table, units: Mask) -> tuple[Line, ...]:
    """25.4.2b: what modifies the die; a stack needs all for a plus, and one for the minus."""
    found: list[Line] = []
    if not units & ~war.mechanised:
        found.append(Line("mechanised", "+1", rule("25.4.2b")))
    if not units & ~elite(war, pos):
        found.append(Line("elite", "+1", rule("25.4.2b")))
    if units & low(war, pos):
        found.append(Line("low quality", "-1", rule("25.4.2b")))
    return tuple(found)


DISENGAGE, DISENGAGE_ALL = Disengage(), DisengageStack()
