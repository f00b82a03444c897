"""Chapters 1 and 8: the order of play, and victory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apennine.kernel.decision import Event
from apennine.kernel.game import Outcome, Procedure
from apennine.kernel.ledger import rule

from .combat import combat_phase
from .movement import charge_phase, movement_phase
from .position import ALLIED, GERMAN, LOST, Table
from .supply import supply_phase

if TYPE_CHECKING:
    from .game import Crossing


def end_phase(game: Crossing, pos: Table) -> Procedure:
    """1.1 and 1.2: the other side's half begins, or the next turn."""
    del game
    pos.moved = pos.fought = pos.attacked = 0
    pos.side = 1 - pos.side
    if pos.side == ALLIED:
        pos.turn += 1
        yield Event("turn", value=pos.turn, rule=rule("1.2"))
    pos.phase = "supply"


PHASES = {
    "charge": charge_phase,
    "supply": supply_phase,
    "movement": movement_phase,
    "combat": combat_phase,
    "end": end_phase,
}


def outcome(game: Crossing, pos: Table) -> Outcome | None:
    """Who has won, if anybody."""
    if pos.held == game.towns:
        return Outcome(ALLIED, "The Allies hold all three towns.", rule("8.2"))
    if pos.turn > pos.last_turn:
        held = pos.held.bit_count()
        winner = ALLIED if held >= pos.towns_to_win else GERMAN
        return Outcome(winner, f"The time is up, and the Allies hold {held} of 3.", rule("8.3"))
    if pos.hex.count(LOST) >= game.smaller_army:
        for side in (ALLIED, GERMAN):
            if not game.on_map(pos, side):
                reason = f"The {game.sides[side]} side has no units left."
                return Outcome(1 - side, reason, rule("8.4"))
    return None
