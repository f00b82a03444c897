"""Chapter 3: the sequence of play."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from apennine.kernel.decision import Event, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.sequence import Turn

from ..table.position import ALLIED, GERMAN, Table
from ..table.war import War
from . import (
    c04_stacking,
    c05_movement,
    c08_combat,
    c13_disorder,
    c14_advance,
    c16_supply,
    c17_ready,
    c21_arrivals,
    c23_weather,
    c24_victory,
)

PHASES: dict[str, Callable[[War, Table], Procedure]] = {
    "weather": c23_weather.weather_phase,
    "flips": c17_ready.flips_phase,
    "muster": c21_arrivals.muster,
    "initial": c21_arrivals.initial_phase,
    "movement begins": c05_movement.movement_begins,
    "movement": c05_movement.movement_phase,
    "movement ends": c05_movement.movement_ends,
    "combat begins": c08_combat.combat_begins,
    "combat": c08_combat.combat_phase,
    "triumphs": c14_advance.triumphs_phase,
    "combat ends": c04_stacking.correct_after_combat,
    "recovery": c13_disorder.recovery_phase,
    "supply": c16_supply.supply_phase,
    "resupply": c17_ready.resupply_phase,
    "victory": c24_victory.victory_phase,
}
"""What each step of a turn does. What must happen once, as a phase of the book begins or ends, is a
step of its own, so that a phase that is taken up again asks the same question."""


def player_turn(side: int) -> tuple[tuple[str, int], ...]:
    """3.0B, 3.0C: the phases of a player turn, the same for both sides."""
    return (
        ("muster", side),  # what the initial phase begins with
        ("initial", side),
        ("movement begins", side),
        ("movement", side),
        ("movement ends", side),
        ("combat begins", side),
        ("combat", side),
        ("triumphs", side),  # 8.7.2: advances of Automatic DS come last
        ("combat ends", side),
        ("recovery", side),
        ("supply", side),
        ("resupply", side),
    )


GAME_TURN = (*player_turn(GERMAN), *player_turn(ALLIED), ("victory", ALLIED))
FIRST_TURN = Turn(*GAME_TURN)
"""The first turn of a scenario begins with the German player turn (S2.3.1, S3.3.1)."""
OTHER_TURNS = Turn(("weather", GERMAN), ("flips", GERMAN), ("flips", ALLIED), *GAME_TURN)
"""3.0a: weather, the German player turn, the Allied one, the victory check."""


def play(war: War, pos: Table) -> Procedure:
    """Run the present step, then go on to the next one."""
    yield from PHASES[pos.phase](war, pos)
    yield from follow(war, pos)


def follow(war: War, pos: Table) -> Iterator[Event]:
    """Set what comes after the present step."""
    if pos.verdict:
        pos.phase = "over"
        return
    first = war.book.scenarios[pos.scenario].first
    before = pos.phase
    if (FIRST_TURN if pos.turn == first else OTHER_TURNS).go_on(pos):
        if before == "movement ends":
            end_movement(pos)
        elif before == "combat ends":
            end_combat(pos)
        return
    if pos.turn == pos.last_turn:
        pos.phase = "over"
        return
    pos.turn += 1
    pos.built = False
    OTHER_TURNS.begin(pos)
    yield Event("turn", value=pos.turn, rule=rule("3.0D"))


def end_movement(pos: Table) -> None:
    """What holds for a movement phase ends with it; who has retreated in it may do so again."""
    pos.moved = pos.supplied = pos.retreated = 0


def end_combat(pos: Table) -> None:
    """What holds for a combat phase ends with it."""
    pos.attacked = pos.defended = pos.retreated = pos.spared = 0
