"""Scenario 5: an army that falls apart: hunger, silent guns, and Hungarians who go home."""

from __future__ import annotations

from dataclasses import dataclass

from apennine.hexes import Mask, bits
from apennine.kernel.decision import Option, Procedure, Roll
from apennine.kernel.ledger import rule
from apennine.kernel.order import UNIT, Bars, Order, Plain, ask
from apennine.mechanics.asking import until

from ..table.position import CENTRAL, ENTENTE, Table
from ..table.war import War
from .c02_pieces import in_the_field, morale, theatre, there
from .c05_zones import zone
from .c06_steps import eliminate

STARVING = "Units of the enemy are cut off from supply in the Supply Phase"
SILENCING = "Guns fall silent as a second Operational Sequence begins"
UNITS = 2
"""The units that starve in a turn (S5.S5a)."""
FAR = 5
"""How far from a unit of the Entente at most (S5.S5a)."""


def has_come(war: War, pos: Table, since: int) -> bool:
    """Whether a rule that holds from a turn on, 0 for never, holds now."""
    del war
    return 0 < since <= pos.turn


# Hunger behind the front


def hunger_phase(war: War, pos: Table) -> Procedure:
    """S5.S5a: behind the front the supply of the Austro-Hungarians breaks down."""
    if has_come(war, pos, theatre(war, pos).scenario.hunger):
        prompt = "Cut units of the enemy off from supply, or leave them"
        cited = rule("S5.S5a")
        yield from until(SPARE, war, pos, prompt, cited, STARVE, checkpoint=True, side=ENTENTE)


class Starve(Order[War, Table]):
    """S5.S5a: a unit in supply gets an Out of Supply marker until the next Supply Phase."""

    verb, names = "starve", (UNIT,)
    when, rule = STARVING, "S5.S5a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.starved < UNITS, f"{UNITS} units starve in a turn", "S5.S5a"
        yield from in_the_field(war, pos, CENTRAL)
        yield war.combat & war.nationals["AH"], "{unit} is no Austro-Hungarian unit", "S5.S5a"
        yield ~pos.hungry, "{unit} is out of supply already", "S5.S5a"
        enemy = there(war, pos, CENTRAL)
        yield enemy.among(~zone(war, pos, ENTENTE)), "{unit} is in a zone of yours", "S5.S5c"
        near = war.lattice.dilate(there(war, pos, ENTENTE).ground, FAR)
        yield enemy.among(near), f"{{unit}} is farther than {FAR} hexes away", "S5.S5a"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.starved += 1
        pos.hungry |= 1 << option.unit


# Silent guns


def silence_phase(war: War, pos: Table) -> Procedure:
    """S5.S6a: two dice, one a side, silence guns of the Austro-Hungarians."""
    if not (pos.sequence == 2 and has_come(war, pos, theatre(war, pos).scenario.silence)):
        return
    dice = yield Roll((6, 6), "silent guns: the green die and the blue", rule("S5.S6a"))
    table = war.book.silence
    for side, die in zip((CENTRAL, ENTENTE), dice):
        for kind, guns in (("corps", war.corps_guns), ("army", war.army_guns)):
            for _ in range(table.cell(die, table.column(kind))):
                yield from _silence(war, pos, side, guns)


def _silence(war: War, pos: Table, side: int, guns: Mask) -> Procedure:
    loud = guns & war.nationals["AH"] & there(war, pos, CENTRAL).units & ~pos.silent
    if loud:
        prompt = "Which guns of the Austro-Hungarians fall silent?"
        yield from ask(war, pos, prompt, rule("S5.S6a"), Silence(loud), side=side)


@dataclass(slots=True)
class Silence(Order[War, Table]):
    """S5.S6a: an artillery support gets a No Firing marker."""

    guns: Mask

    verb, names = "silence", (UNIT,)
    when, rule = SILENCING, "S5.S6a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield from in_the_field(war, pos, CENTRAL)
        yield self.guns, "{unit} is not of the guns that fall silent, or is silent", "S5.S6b"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.silent |= 1 << option.unit


# Hungary calls its soldiers home (S5.S7)


def desertion(war: War, pos: Table) -> Procedure:
    """S5.S7: each Hungarian unit throws a die, and is gone if that is above its morale."""
    since = theatre(war, pos).scenario.desertion
    if pos.side != CENTRAL or not has_come(war, pos, since):  # S5.S10
        return
    for unit in bits(there(war, pos, CENTRAL).units & war.hungarians):
        (die,) = yield Roll((6,), f"does {war.names[unit]} stay?", rule("S5.S7"))
        if die > morale(war, pos, unit):
            yield from eliminate(war, pos, unit, rule("S5.S7"))


SPARE = Plain("let them be", STARVING, "S5.S5a")
STARVE = Starve()
