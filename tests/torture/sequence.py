"""Chapter 1: the order of play, and how it ends."""

from __future__ import annotations

from apennine.kernel.decision import Event, Roll
from apennine.kernel.game import EVERYBODY, Outcome, Procedure
from apennine.kernel.ledger import rule

from .combat import combat, owed_advances
from .field import BLUE, RED, SIDES, Field, Table
from .movement import movement
from .plans import planning, turning_up

RALLY = 3


def recovery(field: Field, pos: Table) -> Procedure:  # 1.2
    """Units in rout that no enemy is next to may rally. A phase of its own, for it rolls."""
    for unit in field.of_side[pos.side]:
        if pos.hex[unit] >= 0 and pos.routed >> unit & 1 and not field.next_to_enemy(pos, unit):
            (face,) = yield Roll((6,), f"rally of {field.names[unit]}", rule("1.2"))
            if face <= RALLY:
                pos.routed &= ~(1 << unit)
                yield Event("rallies", unit, pos.hex[unit], rule=rule("1.2"))
    pos.phase = "move"


def end_of_player_turn(field: Field, pos: Table) -> Procedure:  # 1.1
    """Blue plays after Red, and then the next turn begins."""
    if pos.side == RED:
        pos.side, pos.phase = BLUE, "recover"
    elif pos.turn < pos.last_turn:
        pos.turn += 1
        pos.side, pos.phase = RED, "reveal"
        yield Event("turn", value=pos.turn, rule=rule("1.1"))
    else:
        pos.phase = "over"


PHASES = {
    "reveal": turning_up,
    "plan": planning,
    "recover": recovery,
    "move": movement,
    "fight": combat,
    "advance": owed_advances,
    "end": end_of_player_turn,
}


def outcome(field: Field, pos: Table) -> Outcome | None:
    """A side gives up the moment it has lost too many units; otherwise towns decide."""
    gave_up = [field.lost(pos, side) >= pos.limit for side in (RED, BLUE)]
    if all(gave_up):
        return Outcome(EVERYBODY, "Both sides have lost too many units.", rule("1.3"))
    if any(gave_up):
        loser = gave_up.index(True)
        reason = f"{SIDES[loser]} has lost {field.lost(pos, loser)} units and gives up."
        return Outcome(1 - loser, reason, rule("1.3"))
    if pos.phase != "over":
        return None
    red, blue = field.points(pos, RED), field.points(pos, BLUE)
    if red == blue:
        return Outcome(EVERYBODY, f"Both sides hold {red} points of towns.", rule("1.4"))
    winner = RED if red > blue else BLUE
    towns = f"{max(red, blue)} points of towns against {min(red, blue)}"
    return Outcome(winner, f"{SIDES[winner]} holds {towns}.", rule("1.4"))
