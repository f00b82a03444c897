"""Chapter 8: victory."""

from __future__ import annotations

from apennine.kernel.game import Outcome
from apennine.kernel.ledger import rule

from ..table.position import ALLIED, GERMAN, LOST, Table
from ..table.war import SIDES, War
from .c03_zones import on_map


def outcome(war: War, pos: Table) -> Outcome | None:
    """Who has won, if anybody."""
    if pos.held == war.towns:
        return Outcome(ALLIED, "The Allies hold all three towns.", rule("8.2"))
    if pos.turn > pos.last_turn:
        held = pos.held.bit_count()
        winner = ALLIED if held >= pos.towns_to_win else GERMAN
        return Outcome(winner, f"The time is up, and the Allies hold {held} of 3.", rule("8.3"))
    if pos.hex.count(LOST) >= war.smaller_army:
        for side in (ALLIED, GERMAN):
            if not on_map(war, pos, side):
                reason = f"The {SIDES[side]} side has no units left."
                return Outcome(1 - side, reason, rule("8.4"))
    return None
