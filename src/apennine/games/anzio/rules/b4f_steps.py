"""B4F: steps lost, and destruction."""

from __future__ import annotations

from dataclasses import dataclass

from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.decision import Event, Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import UNIT, Bars, Order, ask

from ..table.position import DESTROYED, POOL, Table
from ..table.rivers import FREE
from ..table.war import War
from .b4e_zones import is_inverted, soften


def lose_steps(war: War, pos: Table, units: Mask, steps: int, side: int) -> Procedure:
    """B4F10: a side loses steps among some units, as it likes; returns when all are taken or gone.

    Allied replacements go last (C11B5); inverted counters in any order (C10B6, C10C2).
    """
    # E9J2: the cadre of a regiment is worth no step.
    pos.losers, pos.loss = mask_of(unit for unit in bits(units) if pos.steps[unit]), steps
    while pos.loss and pos.losers:
        left = f"{pos.loss} step{'s' if pos.loss > 1 else ''} to lose: choose a unit"
        yield from ask(war, pos, left, rule("B4F10"), LOSE_A_STEP, side=side)
        pos.losers = mask_of(unit for unit in bits(pos.losers) if pos.steps[unit])
    pos.losers = pos.loss = 0


class LoseAStep(Order[War, Table]):
    """B4F4: a unit loses a step of those that its side has to lose."""

    verb, names = "lose a step", (UNIT,)
    when, rule = "Steps are lost in battle", "B4F4"

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.losers, "{unit} takes no part in this battle", "B4F10"
        italians = pos.losers & war.italians
        yield italians or pos.losers, "Italians lose their steps first", "E10A2a"
        others = pos.losers & ~war.helpless
        last = "{unit} can be lost only when all others of the stack are gone"
        yield others or pos.losers, last, "C11B5"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.loss -= 1
        return lose_step(war, pos, option.unit, rule("B4F4"))


LOSE_A_STEP = LoseAStep()


def lose_step(war: War, pos: Table, unit: int, by: str) -> Procedure:
    """B4F4 to B4F9: the next weaker counter, then the inverted one, then none."""
    if pos.steps[unit] == 1 and not war.cadres >> unit & 1:
        yield from destroy(war, pos, unit, by)
        return
    pos.steps[unit] -= 1
    soften(war, pos, unit)
    verb = "is inverted" if is_inverted(war, pos, unit) else "loses a step"
    yield Event(verb, unit, pos.hex[unit], rule=by)


def destroy(war: War, pos: Table, unit: int, by: str) -> Procedure:
    """A unit is out of the game for good (C10A3); a replacement counter is used again (C11A5)."""
    yield Event("is destroyed", unit, pos.hex[unit], rule=by)
    remove(war, pos, unit)


def remove(war: War, pos: Table, unit: int) -> None:
    """A unit leaves the map, and nothing that marked it stays."""
    gone = ~(1 << unit)
    pos.bank[unit] = FREE
    if (war.replacements & ~war.once) >> unit & 1:
        pos.hex[unit], pos.steps[unit] = POOL, 1
    else:
        pos.hex[unit], pos.steps[unit] = DESTROYED, 0
        pos.soft &= gone
    pos.hungry &= gone
    pos.over &= gone
    pos.guarded &= gone
    pos.naval_guarded &= gone
    pos.attackers &= gone
    pos.retreating &= gone
    pos.withdrawing &= gone
    pos.advancing &= gone
    pos.forward &= gone
    pos.pool &= gone
    pos.movers &= gone
    pos.joined &= gone
    if pos.claims:
        pos.claims = tuple((hexes, units & gone, trap) for hexes, units, trap in pos.claims)


@dataclass(slots=True)
class Disband(Order[War, Table]):
    """B4F11: a unit is destroyed by its owner, at the end of his turn."""

    verb, names = "disband", (UNIT,)
    when, rule = "Units are disbanded at the end of one's own turn", "B4F11"
    by_name = True

    def bars(self, war: War, pos: Table) -> Bars:
        yield war.army[pos.side], "{unit} belongs to the other side", "B4F11"
        alive = mask_of(u for u in bits(war.army[pos.side]) if pos.hex[u] >= 0)
        yield alive, "{unit} is not on the table", "B4F11"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        return destroy(war, pos, option.unit, rule("B4F11"))


DISBAND = Disband()
