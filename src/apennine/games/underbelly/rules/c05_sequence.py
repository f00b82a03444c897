"""Chapter 5: the sequence of play."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from apennine.kernel.decision import Event
from apennine.kernel.game import Procedure
from apennine.kernel.sequence import Turn

from ..table.position import ALLIED, GERMAN, NOWHERE, Table
from ..table.war import War
from . import c03_setup, c05_turn_end, c08_endrun, c09_commands, c10_arrivals
from .c07_zones import port_hexes, zone

GERMAN_TURN = (("arrivals", GERMAN), ("command", GERMAN), ("end", GERMAN))
FIRST_TURN = Turn(("setup", ALLIED), *GERMAN_TURN)
"""5.4: the Allied player turn is over when his set-up is."""
OTHER_TURNS = Turn(
    ("interlude", GERMAN),
    ("assembly", GERMAN),
    ("plot", ALLIED),
    ("arrivals", ALLIED),
    ("orders", ALLIED),
    ("command", ALLIED),
    *GERMAN_TURN,
)


PHASES: dict[str, Callable[[War, Table], Procedure]] = {
    "setup": c03_setup.setup_phase,
    "interlude": c10_arrivals.interlude_phase,
    "assembly": c10_arrivals.assembly_phase,
    "plot": c08_endrun.plot_phase,
    "arrivals": c10_arrivals.arrivals_phase,
    "orders": c08_endrun.orders_phase,
    "command": c09_commands.command_phase,
    "end": c05_turn_end.end_phase,
}


def play(war: War, pos: Table) -> Procedure:
    """5.2: run the present phase, then go on to the next one."""
    yield from PHASES[pos.phase](war, pos)
    yield from follow(war, pos)


def follow(war: War, pos: Table) -> Iterator[Event]:
    """Set what comes after the present phase."""
    if (FIRST_TURN if pos.turn == 1 else OTHER_TURNS).go_on(pos):
        if pos.phase == "orders" or (pos.phase, pos.side) == ("command", GERMAN):
            begin_player_turn(war, pos)
        return
    if pos.verdict:
        return
    end_turn(pos)
    pos.turn += 1
    OTHER_TURNS.begin(pos)
    yield Event("turn", value=pos.turn, rule="5.3")


def begin_player_turn(war: War, pos: Table) -> None:
    """9.2, 9.3: new command points; none are carried over (9.1a)."""
    command = war.book.command
    pos.points = command.allied if pos.side == ALLIED else command.german
    pos.acted = pos.rebuilt = pos.marched = pos.attacked = 0
    pos.assaulted = pos.bombed = pos.drop_asked = False
    if pos.side == ALLIED:
        pos.airlift = NOWHERE  # 11.7b
        pos.corps, pos.corps_named = 0, False  # 6.5f
        pos.sealed = port_hexes(war, pos) & zone(war, pos, GERMAN)  # 8.15c


def end_turn(pos: Table) -> None:
    """What holds for one game turn ends with it."""
    pos.tac = pos.german_tac = 0
    pos.tac_active = pos.air_asked = False  # 9.9f
    pos.airlifted = pos.drop_ready = pos.drop_waived = False  # 12.9b
    pos.mechanised_steps = pos.foot_steps = pos.left = 0
