"""B4B: the order of play."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from apennine.kernel.decision import Event, Procedure
from apennine.kernel.sequence import Turn

from ..table.position import ALLIED, GERMAN, Table
from ..table.war import War
from . import (
    b4b_end,
    b4c_movement,
    b4e_combat,
    c1_arrivals,
    c9_supply,
    c11_replacements,
    c16_setup,
    d3_fire,
    e2_calendar,
    e4_cards,
    e4_withdrawals,
    e5_choice,
    e8_replacements,
    e9_regiments,
)

PHASES: dict[str, Callable[[War, Table], Procedure]] = {
    "deployment": c16_setup.deployment_phase,
    "first guard": d3_fire.first_guard,
    "arrivals": c1_arrivals.arrivals_phase,
    "supply": c9_supply.supply_begins,
    "replacements": c11_replacements.raising_phase,
    "movement begins": b4c_movement.movement_begins,
    "movement": b4c_movement.movement_phase,
    "rebuilding": c11_replacements.rebuilding_phase,
    "combat": b4e_combat.combat_phase,
    "shelter": b4b_end.shelter_phase,
    "end": b4b_end.end_phase,
    "settling": b4b_end.settle,
    "isolation": c9_supply.supply_ends,
    # Of the Advanced Game.
    "weather": e2_calendar.weather_phase,
    "order of battle": e5_choice.choice_phase,
    "cards": e4_cards.cards_phase,
    "withdrawals": e4_withdrawals.withdrawals_phase,
    "reinforcing": e8_replacements.reinforcing_phase,
    "refitting": e9_regiments.refitting_phase,
}
"""What each step of a turn does. What must happen once, as a phase of the book begins or ends, is a
step of its own, so that a phase that is taken up again asks the same question."""


def player_turn(side: int) -> tuple[tuple[str, int], ...]:
    """B4B2: movement, then combat; and what comes before, between and after them."""
    return (
        ("arrivals", side),  # B4C2
        ("supply", side),
        ("replacements", side),
        ("movement begins", side),
        ("movement", side),
        ("rebuilding", side),  # C11A11
        ("combat", side),
        ("shelter", side),
        ("end", side),
        ("settling", side),
        ("isolation", side),
    )


SET_UP = ("deployment", GERMAN), ("first guard", GERMAN), ("deployment", ALLIED)
"""C16C: the Germans set up first."""
GAME_TURN = (*player_turn(ALLIED), *player_turn(GERMAN))
OTHER_TURNS = Turn(*GAME_TURN)
"""B4B1: the Allies, then the Germans."""
FIRST_TURN = Turn(*SET_UP, *GAME_TURN)


def advanced_turn(side: int, *before: tuple[str, int]) -> tuple[tuple[str, int], ...]:
    """E2A4, E4B2, E5E: a player-turn with cards instead of arrivals, and with withdrawals."""
    usual = player_turn(side)
    names = {"replacements": "reinforcing", "rebuilding": "refitting"}
    rest = [(names.get(phase, phase), who) for phase, who in usual[2:]]
    return *before, ("cards", side), usual[1], ("withdrawals", side), *rest


ADVANCED_TURN = (
    *advanced_turn(ALLIED, ("weather", ALLIED)),
    *advanced_turn(GERMAN),
)
ADVANCED_FIRST_TURN = Turn(
    *SET_UP,
    *advanced_turn(ALLIED, ("weather", ALLIED)),
    *advanced_turn(GERMAN, ("order of battle", GERMAN)),
)
ADVANCED_TURNS = Turn(*ADVANCED_TURN)


def play(war: War, pos: Table) -> Procedure:
    """Run the present step, then go on to the next one."""
    yield from PHASES[pos.phase](war, pos)
    yield from follow(war, pos)


def follow(war: War, pos: Table) -> Iterator[Event]:
    """Set what comes after the present step; the last German turn ends the game (C15B1)."""
    scenario = war.book.scenarios[pos.scenario]
    first, others = FIRST_TURN, OTHER_TURNS
    if scenario.advanced:
        first, others = ADVANCED_FIRST_TURN, ADVANCED_TURNS
    if (first if pos.turn == scenario.first else others).go_on(pos):
        return
    if pos.turn == scenario.last:
        pos.phase = "over"
        return
    pos.turn += 1
    others.begin(pos)
    yield Event("turn", value=pos.turn, rule="B4B1")
