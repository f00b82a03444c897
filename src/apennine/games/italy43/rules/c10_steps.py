"""Chapter 10.2 to 10.4: who takes a loss, Remnants, elimination."""

from __future__ import annotations

from dataclasses import dataclass

from apennine.hexes import Mask, bits, first_bit
from apennine.kernel.decision import Event, Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import UNIT, Bars, Order, ask

from ..table.position import LOST, Table
from ..table.war import War

LOSING = "Steps are lost in battle"
WHEN = "A Remnant takes the place of a unit that loses its second step of three"


def lose_one(war: War, pos: Table, units: Mask, picker: int, by: str) -> Procedure:
    """10.2: one of some units loses a step, as a side picks it (10.2.1)."""
    alive = sum([1 << unit for unit in bits(units) if pos.steps[unit]])
    if alive:
        whose = "your" if war.army[picker] & alive else "the enemy's"
        prompt = f"Choose which of {whose} units loses a step"
        yield from ask(war, pos, prompt, rule("10.2.1"), LoseAStep(alive, by), side=picker)


@dataclass(slots=True)
class LoseAStep(Order[War, Table]):
    """10.2.2: a unit that has added strength to the battle, if there is one."""

    units: Mask
    by: str

    verb, names = "lose a step", (UNIT,)
    when, rule = LOSING, "10.2.2a"

    def bars(self, war: War, pos: Table) -> Bars:
        side = war.side_of[first_bit(self.units)]
        yield war.army[side], "The other side loses this step", "10.2.1"
        idle = "{unit} takes no loss before those who added strength, or led the assault"
        yield self.units, idle, "10.2.2a"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        return lose_step(war, pos, option.unit, self.by)


def lose_step(war: War, pos: Table, unit: int, by: str, lost: int = LOST) -> Procedure:
    """10.3: a unit is flipped, becomes a Remnant, or is eliminated.

    Whoever loses steps by isolation is lost for good: `lost` is then DEAD (16.5.6).
    """
    if pos.steps[unit] == 1 or (pos.steps[unit] == 2 and war.full[unit] == 3):
        if pos.steps[unit] == 2 and is_free(war, pos, unit):
            prompt = f"Does a Remnant take the place of {war.names[unit]}?"
            orders, side = (KeepARemnant(unit), Disband(unit, by, lost)), war.side_of[unit]
            yield from ask(war, pos, prompt, rule("10.4.2a"), *orders, side=side)
        else:
            yield from eliminate(pos, unit, by, lost)  # 10.4.2b, 10.4.3
        return
    pos.steps[unit] -= 1
    yield Event("loses a step", unit, pos.hex[unit], rule=by)


def is_free(war: War, pos: Table, unit: int) -> bool:
    """Whether a Remnant of a unit's kind is in the display (10.4.1a)."""
    kind = war.remnant_kind[unit]
    return kind >= 0 and used(war, pos, kind) < war.remnant_counts[kind]


def used(war: War, pos: Table, kind: int) -> int:
    """How many Remnants of a kind stand for a unit."""
    return (pos.remnants & war.of_remnant[kind]).bit_count()


@dataclass(slots=True)
class KeepARemnant(Order[War, Table]):
    """10.4.1a: the unit goes to the display, and a Remnant stands where it was."""

    unit: int

    verb, names = "keep a remnant", (UNIT,)
    when, rule = WHEN, "10.4.1a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield 1 << self.unit, f"{war.names[self.unit]} has lost the step, not {{unit}}", "10.4.1a"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.steps[option.unit] = 1
        pos.remnants |= 1 << option.unit
        yield Event("is reduced to a remnant", option.unit, pos.hex[option.unit], rule="10.4.1a")


@dataclass(slots=True)
class Disband(Order[War, Table]):
    """10.4.2a: no Remnant is used, and the unit is eliminated with its last two steps."""

    unit: int
    by: str
    lost: int = LOST

    verb, names = "disband", (UNIT,)
    when, rule = WHEN, "10.4.2a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield 1 << self.unit, f"{war.names[self.unit]} has lost the step, not {{unit}}", "10.4.2a"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        return eliminate(pos, option.unit, self.by, self.lost)


def eliminate(pos: Table, unit: int, by: str, lost: int = LOST) -> Procedure:
    """A unit goes to the Eliminated Box, its Remnant back to the display (10.4.3)."""
    yield Event("is eliminated", unit, pos.hex[unit], rule=by)
    pos.hex[unit], pos.steps[unit] = lost, 0
    unmark(pos, 1 << unit)


def unmark(pos: Table, units: Mask) -> None:
    """Units leave the map: nothing that marked them stays with them."""
    kept = ~units
    pos.remnants &= kept
    pos.disrupted &= kept
    pos.routed &= kept
    pos.hungry &= kept
    pos.isolated &= kept
    pos.ready &= kept
    pos.replaced &= kept
    pos.trucked &= kept
    pos.halved &= kept
    pos.frozen &= kept
    pos.posted &= kept
