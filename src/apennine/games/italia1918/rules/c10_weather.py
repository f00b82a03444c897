"""Chapter 10: the weather of an Operational Sequence."""

from __future__ import annotations

from apennine.kernel.decision import Event, Procedure, Roll
from apennine.kernel.ledger import rule

from ..table.position import FAIR, POOR, Table
from ..table.war import War
from .c02_pieces import theatre

SKIES = ("Fair Weather", "Poor Weather")


def weather_phase(war: War, pos: Table) -> Procedure:
    """10.0: the scenario fixes the first weather, two dice the rest."""
    scenario = theatre(war, pos).scenario
    opening = pos.turn == scenario.first and pos.sequence == 1
    if opening:
        found = "fog"
    elif scenario.later:
        found = scenario.later
    else:
        dice = yield Roll((6, 6), "weather", rule("10.0a"))
        found = war.book.weather.cell(sum(dice))
    pos.fog = found == "fog"
    if opening and scenario.opening != "fog":
        pos.weather = POOR
    elif pos.fog:
        (die,) = yield Roll((6,), "weather after the fog", rule("10.0b"))
        pos.weather = POOR if die % 2 else FAIR
    else:
        pos.weather = POOR if found == "poor" else FAIR
    fog = "Morning Fog, then " if pos.fog else ""
    yield Event(f"weather: {fog}{SKIES[pos.weather]}", value=pos.weather, rule=rule("10.0a"))


def in_fog(war: War, pos: Table) -> bool:
    """Whether fog lies now: only in the phases of the side with the initiative (10.0h)."""
    return pos.fog and pos.side == theatre(war, pos).initiative


def may_fly(war: War, pos: Table) -> bool:
    """Whether air supports may be used at this moment (10.0c, 10.0f)."""
    return pos.flying and pos.weather == FAIR and not in_fog(war, pos)
