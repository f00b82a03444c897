"""Chapter 13: disengagement."""

from __future__ import annotations

from collections.abc import Iterator

from apennine.hexes import Mask
from apennine.kernel.decision import Event, Line, Option, Procedure, Roll
from apennine.kernel.ledger import rule
from apennine.kernel.order import UNIT, Bars, Order, Plain
from apennine.mechanics.asking import while_possible
from apennine.mechanics.odds import Shift

from ..table.position import Table
from ..table.war import War
from .c02_pieces import in_the_field, morale, theatre, there, those_in, unready
from .c05_zones import zone
from .c06_steps import lose_step
from .c12_retreat import Retreat, withdraw

SLIPPING = "Units disengage at the end of the Combat Phase"


def disengagement_phase(war: War, pos: Table) -> Procedure:
    """13.0a: marked units of the phasing side try to get away, stack by stack."""
    prompt = "Disengage a marked stack, or leave the rest where they are"
    yield from while_possible(REST, war, pos, prompt, rule("13.0a"), DISENGAGE, checkpoint=True)


def marked_with(war: War, pos: Table, unit: int) -> Mask:
    """The marked units of a unit's hex, which go together (13.0l)."""
    return those_in(war, pos, pos.hex[unit], pos.side) & pos.slipping & war.combat


def modifiers(war: War, pos: Table, unit: int) -> Iterator[Shift]:
    """What changes the die: the morale of one unit, and what holds for the stack (13.0b, 13.0c)."""
    hex, stack = pos.hex[unit], marked_with(war, pos, unit)
    reasons = [f"morale_{morale(war, pos, unit)}"]
    if war.cavalry >> unit & 1:
        reasons.append("cavalry")
    if theatre(war, pos).trench_hexes >> hex & 1:
        reasons.append("trench")
    if war.ground.cities >> hex & 1:
        reasons.append("city")
    if is_surrounded(war, pos, hex):
        reasons.append("surrounded")
    if stack & unready(pos):
        reasons.append("disorganized")
    if stack & pos.fleeing:
        reasons.append("flight")
    for name in reasons:
        if entry := war.book.slipping.get(name):
            yield Shift(entry.title, entry.modifier, entry.rule)


def is_surrounded(war: War, pos: Table, hex: int) -> bool:
    """Whether enemies or their zones are all around, and no friend beside (13.0c, 13.0d)."""
    ring = war.lattice.dilate(1 << hex) & ~(1 << hex)
    enemy = 1 - pos.side
    against = zone(war, pos, enemy) & ~there(war, pos, pos.side).ground
    return not ring & ~(there(war, pos, enemy).combat | against)


class Disengage(Order[War, Table]):
    """13.0b: a marked stack tries to get away, with the morale of one of its units."""

    verb, names = "disengage with", (UNIT,)
    when, rule, opens = SLIPPING, "13.0a", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield from in_the_field(war, pos, pos.side)
        yield war.combat, "{unit} is a support, and supports do not disengage", "13.0a"
        yield pos.slipping, "{unit} has no Disengagement marker", "13.0a"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        return slip_away(war, pos, option.unit)


def slip_away(war: War, pos: Table, unit: int) -> Procedure:
    """The die, the table, the retreat (13.0e to 13.0h)."""
    stack = marked_with(war, pos, unit)
    changes = list(modifiers(war, pos, unit))
    lines = tuple(Line(each.name, f"{each.columns:+d}", each.rule) for each in changes)
    (die,) = yield Roll((6,), "disengagement", rule("13.0b"), lines=lines)
    column = war.book.disengagement.column("Retreat mode" if stack & pos.fleeing else "otherwise")
    total = die + sum([each.columns for each in changes])
    result = war.book.disengagement.cell(total, column)
    yield Event(f"disengagement: {result}", unit, pos.hex[unit], total, rule("13.0e"))
    pos.slipping &= ~stack
    if result.startswith("*"):
        yield from lose_step(war, pos, unit, rule("13.0f"))
        stack &= there(war, pos, pos.side).units
    far = int(result[-1])
    if not stack:
        return
    led = result.startswith("R")  # 13.0h: the enemy leads it, all the way
    guide = 1 - pos.side if led else pos.side
    least = far if led else 1
    yield from withdraw(
        war, pos, Retreat(pos.side, stack, least, far, guide, free=False, tires=led)
    )


REST = Plain("stay", SLIPPING, "13.0a")
DISENGAGE = Disengage()
