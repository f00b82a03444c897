"""Chapter 7: the sequence of play."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from apennine.kernel.decision import Event, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.sequence import Turn

from ..table.position import CENTRAL, ENTENTE, Table
from ..table.war import War
from .c02_pieces import theatre
from .c04_stacking import correct_stacking
from .c08_offensives import declaration_phase, sequences, turn_begins
from .c09_supply import supply_phase
from .c10_weather import weather_phase
from .c11_arrivals import arrivals_phase
from .c11_markers import veterans_phase, works_phase
from .c11_movement import movement_begins, movement_phase
from .c12_combat import combat_phase
from .c12_declaration import combat_begins
from .c13_disengagement import disengagement_phase
from .c14_adjustment import adjustment_phase
from .c14_exploitation import batteries_phase, exploitation_phase, pursuit_phase
from .c16_victory import running
from .c17_air import landing_phase, missions_phase, superiority_phase
from .c18_caporetto import harassment_phase
from .c18_choices import choices_phase
from .c18_vittorio import desertion, hunger_phase, silence_phase

ADMINISTRATION = ("turn", "offensives", "supply", "hunger", "air")
"""The phases of the Administrative Sequence (7.0b)."""
OPERATIONS = (
    "opening",
    "missions",
    "harassment",
    "arrivals",
    "markers",
    "movement",
    "works",
    "combat",
    "disengagement",
    "exploitation",
    "pursuit",
    "batteries",
    "adjustment",
)
"""Those of a side in an Operational Sequence (7.0c)."""
CROWDING = {"works", "combat", "disengagement", "pursuit"}
"""Those after which stacks are put right (4.0f)."""
FIGHTING = {"combat", "exploitation"}
"""Those in which attacks and shots are counted anew."""
CLOSING = "victory"


def _steps(first: int) -> tuple[Turn, Turn]:
    """The Administrative and an Operational Sequence, by the side with the initiative."""
    both = [(phase, side) for side in (first, 1 - first) for phase in OPERATIONS]
    return (
        Turn(*[(phase, first) for phase in ADMINISTRATION]),
        Turn(("silence", first), ("weather", first), *both, ("landing", first)),
    )


CHOICES = Turn(("choices", CENTRAL), ("choices", ENTENTE))
"""What comes before the first turn."""
STEPS = {side: _steps(side) for side in (CENTRAL, ENTENTE)}


def play(war: War, pos: Table) -> Procedure:
    """Play a phase, and set the one that comes next."""
    yield from PHASES[pos.phase](war, pos)
    if pos.phase in CROWDING:
        yield from correct_stacking(war, pos)
    go_on(war, pos)
    if pos.phase in FIGHTING:
        combat_begins(war, pos)


def go_on(war: War, pos: Table) -> None:
    """The next phase: of this sequence, or the first of the next sequence or turn (7.0a)."""
    administration, operations = STEPS[theatre(war, pos).initiative]
    if pos.phase == CLOSING:
        if pos.turn == theatre(war, pos).scenario.last:
            pos.phase = "over"
        else:
            pos.turn += 1
            administration.begin(pos)
    elif pos.phase == "choices":
        if not CHOICES.go_on(pos):
            administration.begin(pos)
    elif pos.phase in ADMINISTRATION:
        if not administration.go_on(pos):
            operations.begin(pos)
    elif is_armistice(war, pos):
        pos.phase, pos.side = CLOSING, theatre(war, pos).initiative
    elif not operations.go_on(pos):
        if pos.sequence < sequences(pos):
            pos.sequence += 1
            operations.begin(pos)
            pos.evacuated = False
        else:
            pos.phase, pos.side = CLOSING, theatre(war, pos).initiative


def is_armistice(war: War, pos: Table) -> bool:
    """S5.S9: the last sequence of Vittorio Veneto ends with the Entente's movement."""
    scenario = theatre(war, pos).scenario
    ends = (pos.turn, pos.sequence, pos.phase) == (scenario.last, sequences(pos), "works")
    return scenario.armistice and ends


def opening_phase(war: War, pos: Table) -> Procedure:
    """What holds for a Movement Phase begins anew, and Hungarians go home."""
    yield from movement_begins(war, pos)
    yield from desertion(war, pos)


def closing_phase(war: War, pos: Table) -> Procedure:
    """16.0a: the points of the turn are told."""
    yield Event("points", value=running(war, pos), rule=rule("16.0a"))


PHASES: Mapping[str, Callable[[War, Table], Procedure]] = {
    "choices": choices_phase,
    "turn": turn_begins,
    "offensives": declaration_phase,
    "supply": supply_phase,
    "hunger": hunger_phase,
    "air": superiority_phase,
    "weather": weather_phase,
    "silence": silence_phase,
    "opening": opening_phase,
    "missions": missions_phase,
    "harassment": harassment_phase,
    "arrivals": arrivals_phase,
    "markers": veterans_phase,
    "movement": movement_phase,
    "works": works_phase,
    "combat": combat_phase,
    "disengagement": disengagement_phase,
    "exploitation": exploitation_phase,
    "pursuit": pursuit_phase,
    "batteries": batteries_phase,
    "adjustment": adjustment_phase,
    "landing": landing_phase,
    CLOSING: closing_phase,
}
