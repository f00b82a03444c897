"""Chapter 1: the order of play."""

from __future__ import annotations

from collections.abc import Callable

from apennine.kernel.decision import Event, Procedure
from apennine.kernel.ledger import rule

from ..table.position import ALLIED, Table
from ..table.war import War
from .c04_movement import movement_phase
from .c05_charge import charge_phase
from .c06_combat import combat_phase
from .c07_supply import supply_phase


def end_phase(war: War, pos: Table) -> Procedure:
    """1.1 and 1.2: the other side's half begins, or the next turn."""
    del war
    pos.moved = pos.fought = pos.attacked = 0
    pos.side = 1 - pos.side
    if pos.side == ALLIED:
        pos.turn += 1
        yield Event("turn", value=pos.turn, rule=rule("1.2"))
    pos.phase = "supply"


PHASES: dict[str, Callable[[War, Table], Procedure]] = {
    "charge": charge_phase,
    "supply": supply_phase,
    "movement": movement_phase,
    "combat": combat_phase,
    "end": end_phase,
}
