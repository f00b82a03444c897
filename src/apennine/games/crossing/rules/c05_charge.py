"""Chapter 5: the charge under the bridge."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from apennine.hexes import mask_of
from apennine.kernel.decision import Choice, Event, Procedure, Roll
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, Bars, Order, Plain, ask

from ..table.position import ALLIED, EAST, GERMAN, SPENT, WEST, Table
from ..table.war import BRIDGES, War

AT_A_BRIDGE = "when the Allies are about to cross a standing bridge"


class LayCharge(Order[War, Table]):
    """5.1: one of the two bridges is mined."""

    verb, names, opens = "lay the charge", (HEX,), True
    when, rule = "The charge is laid before the first turn", "5.1"

    def bars(self, war: War, pos: Table) -> Bars:
        yield mask_of(war.bridge_hex), "The charge is laid at a bridge, and {hex} has none", "5.1"


class Blow(Order[War, Table]):
    """5.2: the bridge goes up."""

    verb, names = "blow", (HEX,)
    implied = (HEX,)
    when, rule = f"A bridge is blown {AT_A_BRIDGE}", "5.2"

    __slots__ = ("bridge",)

    def __init__(self, bridge: int) -> None:
        self.bridge = bridge

    def bars(self, war: War, pos: Table) -> Bars:
        yield 1 << war.bridge_hex[self.bridge], "Nobody is about to cross at {hex}", "5.2"
        yield pos.charge == self.bridge, "The charge is at the other bridge", "5.2"
        yield not pos.waved, "Everything is let pass until the phase ends", "5.2"


class LetAllPass(Order[War, Table]):
    """5.2: the question is not put again in this phase."""

    verb = "let pass this phase"
    when, rule = f"The Germans let everything pass {AT_A_BRIDGE}", "5.2"

    def bars(self, war: War, pos: Table) -> Bars:
        yield not pos.waved, "Everything is let pass already", "5.2"


LAY_CHARGE, LET_ALL_PASS = LayCharge(), LetAllPass()
LET_PASS = Plain("let pass", f"The Germans let a unit pass {AT_A_BRIDGE}", "5.2")


def charge_phase(war: War, pos: Table) -> Procedure:
    """5.1: the charge is laid in secret before the first turn."""
    prompt = "Lay the demolition charge at one of the bridges"
    chosen = yield from ask(
        war, pos, prompt, rule("5.1"), LAY_CHARGE, side=GERMAN, checkpoint=True, secret=True
    )
    pos.charge = WEST if chosen.hex == war.bridge_hex[WEST] else EAST
    pos.phase = "supply"


def blow(war: War, pos: Table, bridge: int) -> Generator[Choice | Roll | Event, Any, bool]:
    """5.2: the bridge may go up under the Allies.

    The question is put at every standing bridge and until the charge is spent, with the same
    answers but one: its absence would tell the Allies where the charge is not.
    """
    if pos.side != ALLIED or pos.blown >> bridge & 1 or pos.charge == SPENT:
        return False
    prompt = f"{war.names[pos.mover]} is about to cross the {BRIDGES[bridge]} bridge"
    answers = LET_PASS, LET_ALL_PASS, Blow(bridge)
    chosen = yield from ask(war, pos, prompt, rule("5.2"), *answers, side=GERMAN, secret=True)
    pos.waved |= chosen.verb == LET_ALL_PASS.verb
    if chosen.verb != Blow.verb:
        return False
    pos.blown |= 1 << bridge
    pos.charge = SPENT
    yield Event("bridge blown", hex=war.bridge_hex[bridge], rule=rule("5.3"), reveals=True)
    return True
