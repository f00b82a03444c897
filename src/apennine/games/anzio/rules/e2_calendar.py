"""E2: the Time Record Card: weather, forts and ports that are not fixed."""

from __future__ import annotations

from apennine.kernel.decision import Event, Procedure, Roll
from apennine.kernel.ledger import rule

from ..table.position import CLOSED, GERMAN, GOOD_WEATHER, MUD_WEATHER, Table
from ..table.war import War

CERTAIN = 6
"""The highest die that allows a fort where the card has an X (E2A5a)."""


def weather_phase(war: War, pos: Table) -> Procedure:
    """E2A4: from October to April a die says whether there is mud for the whole turn.

    What the Germans have kept of their air for the defence is lost in mud (E13C4).
    """
    pos.weather, most = GOOD_WEATHER, war.book.turns[pos.turn - 1].mud_die
    if not most:
        return
    (die,) = yield Roll((6,), f"Weather: mud on 1 to {most}", rule("E2A4"))
    if die <= most:
        pos.weather = MUD_WEATHER
        pos.guarded &= ~war.army[GERMAN]
        yield Event("mud", value=die, rule="E2A4")


def fort_turn(war: War, pos: Table) -> bool:
    """D6B1, E2A5: whether the calendar has a fort for this turn."""
    week = war.book.turns[pos.turn - 1]
    return bool(week.fort_die) if war.is_advanced(pos) else week.fort


def survey_forts(war: War, pos: Table) -> Procedure:
    """E2A5b: on some turns of 1943 a die says whether the Germans may build a fort."""
    most = war.book.turns[pos.turn - 1].fort_die
    if not pos.forts or not war.is_advanced(pos) or most in (0, CERTAIN):
        return
    (die,) = yield Roll((6,), f"A fort on 1 to {most}", rule("E2A5b"))
    pos.built = die > most


def new_counters(war: War, pos: Table) -> int:
    """C1B3, E2A6, E16A: new port counters; never more than the game has, in use and in hand."""
    week = war.book.turns[pos.turn - 1]
    if not war.is_advanced(pos):
        return week.ports
    used = len(pos.bases) - pos.bases.count(CLOSED) + pos.ports
    return min(week.port, war.book.limits.ports - used)
