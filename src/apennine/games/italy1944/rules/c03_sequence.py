"""Chapter 3: the sequence of play."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from apennine.kernel.decision import Event
from apennine.kernel.game import Procedure
from apennine.kernel.ledger import rule

from ..table.position import ALLIED, GERMAN, NOWHERE, Table
from ..table.war import War
from .c03_setup import centres_phase, deployment_phase
from .c06_logistics import centre_phase, return_phase, supply_check
from .c07_rrw import reinforcements_phase, replacements_phase, withdrawals_phase
from .c08_movement import movement_phase
from .c09_combat import combat_phase
from .c11_operations import disclosure_phase, operations_phase, planning_phase
from .c12_reserve import reserve_phase

PHASES: dict[str, Callable[[War, Table], Procedure]] = {
    "deploy": deployment_phase,
    "centres": centres_phase,
    "disclosure": disclosure_phase,
    "return": return_phase,
    "replacements": replacements_phase,
    "reinforcements": reinforcements_phase,
    "withdrawals": withdrawals_phase,
    "reserve": reserve_phase,
    "plans": planning_phase,
    "operations": operations_phase,
    "centre": centre_phase,
    "movement": movement_phase,
    "combat": combat_phase,
    "end": supply_check,
}

SET_UP = (("deploy", GERMAN), ("deploy", ALLIED), ("centres", GERMAN), ("centres", ALLIED))
RRW = (  # 7a; in the mutual phases the Allied player goes first (3b)
    ("disclosure", ALLIED),
    ("return", ALLIED),
    ("replacements", ALLIED),
    ("reinforcements", ALLIED),
    ("withdrawals", ALLIED),
    ("reserve", ALLIED),
    ("plans", ALLIED),
    ("return", GERMAN),
    ("replacements", GERMAN),
    ("reinforcements", GERMAN),
    ("withdrawals", GERMAN),
)
ACTION = (
    ("operations", ALLIED),
    ("centre", ALLIED),
    ("movement", ALLIED),
    ("combat", ALLIED),
    ("centre", GERMAN),
    ("movement", GERMAN),
    ("combat", GERMAN),
    ("end", ALLIED),
)
FIRST_TURN = (*SET_UP, ("plans", ALLIED), *ACTION)
"""Turn 1 has no RRW phase (3T1); its plans are written as the Allied phase begins (11Pc)."""
OTHER_TURNS = (*RRW, *ACTION)


def play(war: War, pos: Table) -> Procedure:
    """3a: run the present phase, then go on to the next one."""
    yield from PHASES[pos.phase](war, pos)
    yield from follow(pos)


def follow(pos: Table) -> Iterator[Event]:
    """Set what comes after the present phase."""
    order = FIRST_TURN if pos.turn == 1 else OTHER_TURNS
    here = order.index((pos.phase, pos.side))
    if here + 1 < len(order):
        pos.phase, pos.side = order[here + 1]
        return
    clear(pos)
    if pos.turn == pos.last_turn:
        pos.phase = "over"
        return
    pos.turn += 1
    pos.phase, pos.side = OTHER_TURNS[0]
    yield Event("turn", value=pos.turn, rule=rule("2b"))


def clear(pos: Table) -> None:
    """What holds for one turn ends with it."""
    pos.moved = pos.attacked = pos.defended = 0
    pos.landed = 0  # 11Li
    pos.offensive = NOWHERE  # 11Gf
    pos.moving_centres = 0  # 6.6k, 6.6l
    pos.air, pos.naval = [0, 0], 0  # 10.1g
    pos.spent = [0] * len(pos.spent)  # 7.1f
    pos.intake = [0] * len(pos.intake)
    pos.transferred = 0
