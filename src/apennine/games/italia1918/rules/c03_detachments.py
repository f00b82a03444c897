"""Chapter 3: detachments hide their factors, and combat brings them to light."""

from __future__ import annotations

from apennine.hexes import Mask, bits
from apennine.kernel.decision import Event, Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import UNIT, Bars, Order

from ..table.position import Table
from ..table.war import War
from .c02_pieces import in_the_field, there
from .c05_zones import zone


class Hide(Order[War, Table]):
    """3.0c: a detachment outside every enemy zone is turned over."""

    verb, names = "hide", (UNIT,)
    when, rule = "Detachments hide when their movement is over", "3.0c"

    def bars(self, war: War, pos: Table) -> Bars:
        yield from in_the_field(war, pos, pos.side)
        yield war.detachments, "{unit} is no detachment", "3.0c"
        yield ~pos.hidden, "{unit} is hidden already", "3.0c"
        quiet = there(war, pos, pos.side).among(~zone(war, pos, 1 - pos.side))
        yield quiet, "{unit} is in an enemy zone", "3.0c"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.hidden |= 1 << option.unit


def reveal(pos: Table, units: Mask) -> Procedure:
    """3.0d: hidden detachments show their factors once their combat has been declared."""
    for unit in bits(units & pos.hidden):
        pos.hidden &= ~(1 << unit)
        yield Event("shows its factors", unit, pos.hex[unit], rule=rule("3.0d"), reveals=True)


HIDE = Hide()
