"""Why not now? Orders behind the front: set-up, chapters 7, 11 and 12.

Each function names the first rule that stands against an order that its phase knows.
"""

from __future__ import annotations

from collections.abc import Callable

from apennine.kernel.decision import Option
from apennine.kernel.game import Refusal
from apennine.kernel.ledger import rule

from ..rules.c04_zones import on_map
from ..table.position import AWAY, GONE, LOST, Table
from ..table.war import War

Reason = Callable[[War, Table, Option], Refusal]


def code_of(war: War, hex: int) -> str:
    """A hex as it is printed on the map."""
    return war.board.code(hex)


def _to_come(war: War, pos: Table, unit: int) -> Refusal:
    turn = war.roster[unit].arrives
    if turn <= pos.turn:
        return Refusal(f"{war.names[unit]} is still waiting to arrive.", rule("7.2a"))
    return Refusal(f"{war.names[unit]} arrives only in turn {turn}.", rule("7.2a"))


def absent_from_map(war: War, pos: Table, unit: int) -> Refusal | None:
    """A unit that is not in a hex can do nothing there."""
    if on_map(war, pos, unit):
        return None
    name = war.names[unit]
    if pos.hex[unit] == AWAY:
        return _to_come(war, pos, unit)
    if pos.hex[unit] == LOST:
        return Refusal(f"{name} is eliminated.", rule("9.1d"))
    if pos.hex[unit] == GONE:
        return Refusal(f"{name} has been withdrawn.", rule("7.3a"))
    return Refusal(f"{name} is in the strategic reserve.", rule("12d"))
