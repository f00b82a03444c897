"""Chapter 3: the sequence of play."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from apennine.kernel.decision import Event, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.sequence import Turn

from ..table.position import ALLIED, GERMAN, NOWHERE, Table
from ..table.war import War
from . import (
    c03_setup,
    c06_logistics,
    c07_rrw,
    c08_movement,
    c09_combat,
    c11_operations,
    c12_reserve,
)

PHASES: dict[str, Callable[[War, Table], Procedure]] = {
    "deploy": c03_setup.deployment_phase,
    "centres": c03_setup.centres_phase,
    "disclosure": c11_operations.disclosure_phase,
    "return": c06_logistics.return_phase,
    "replacements": c07_rrw.replacements_phase,
    "reinforcements": c07_rrw.reinforcements_phase,
    "withdrawals": c07_rrw.withdrawals_phase,
    "reserve": c12_reserve.reserve_phase,
    "plans": c11_operations.planning_phase,
    "operations": c11_operations.operations_phase,
    "centre": c06_logistics.centre_phase,
    "movement": c08_movement.movement_phase,
    "combat": c09_combat.combat_phase,
    "end": c06_logistics.supply_check,
}

SET_UP = ("deploy", GERMAN), ("deploy", ALLIED), ("centres", GERMAN), ("centres", ALLIED)
BOTH = ("return", "replacements", "reinforcements", "withdrawals")
RRW = (  # 7a; in the mutual phases the Allied player goes first (3b)
    *((phase, ALLIED) for phase in ("disclosure", *BOTH, "reserve", "plans")),
    *((phase, GERMAN) for phase in BOTH),
)
ACTION = (
    *((phase, ALLIED) for phase in ("operations", "centre", "movement", "combat")),
    *((phase, GERMAN) for phase in ("centre", "movement", "combat")),
    ("end", ALLIED),
)
FIRST_TURN = Turn(*SET_UP, ("plans", ALLIED), *ACTION)
"""Turn 1 has no RRW phase (3T1); its plans are written as the Allied phase begins (11Pc)."""
OTHER_TURNS = Turn(*RRW, *ACTION)


def play(war: War, pos: Table) -> Procedure:
    """3a: run the present phase, then go on to the next one."""
    yield from PHASES[pos.phase](war, pos)
    yield from follow(pos)


def follow(pos: Table) -> Iterator[Event]:
    """Set what comes after the present phase."""
    if (FIRST_TURN if pos.turn == 1 else OTHER_TURNS).go_on(pos):
        return
    clear(pos)
    if pos.turn == pos.last_turn:
        pos.phase = "over"
        return
    pos.turn += 1
    OTHER_TURNS.begin(pos)
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
