"""Positions and matches of the Advanced Game."""

from __future__ import annotations

from typing import Any

from apennine.games.anzio.rules.e4_cards import cards_phase
from apennine.games.anzio.rules.e4_withdrawals import withdrawals_phase
from apennine.games.anzio.table.position import ALLIED, GOOD_WEATHER, Table
from apennine.kernel.decision import Choice
from apennine.kernel.match import Match
from tests.games.anzio.drawing import WAR, Field, Scenery, events, number, play, table

SCENARIOS = {scenario.key: scenario for scenario in WAR.book.scenarios}
STANDARD, REINFORCED, MAXIMUM = 1, 2, 3
SUPPLEMENTS = dict.fromkeys(
    (
        *("air_superiority", "supporting_fire", "armor", "commandos"),
        *("forts", "nationalities", "mountain", "zone_retreat"),
    ),
    True,
)


def turn_of(name: str) -> int:
    """The number of a turn, such as "Jan I 1944"."""
    return next(n for n, week in enumerate(WAR.book.turns, 1) if week.name == name)


def field(
    counters: str = "",
    turn: str = "Sept III 1943",
    side: int = ALLIED,
    phase: str = "movement",
    game: str = "game-3",
    oob: int = STANDARD,
    **fields: Any,
) -> Table:
    """A position of the Advanced Game with these counters alone."""
    given: dict[str, Any] = {"weather": GOOD_WEATHER, "oob": oob, **SUPPLEMENTS}
    pos = table(counters, phase, side, turn=turn_of(turn), **given | fields)
    pos.scenario = [scenario.key for scenario in WAR.book.scenarios].index(game)
    return pos


def draw_cards(side: int, turn: str, counters: str = "", **fields: Any) -> Match[Table]:
    """The cards of a turn."""
    return play(field(counters, turn, side, "cards", **fields), cards_phase)


def call_away(side: int, turn: str, counters: str = "", **fields: Any) -> Match[Table]:
    """The withdrawals of a turn."""
    return play(field(counters, turn, side, "withdrawals", **fields), withdrawals_phase)


def come(match: Match[Table]) -> set[str]:
    """Who has arrived."""
    return {WAR.names[event.unit] for event in events(match, "arrives")}


def gone(match: Match[Table]) -> set[str]:
    """Who has been withdrawn."""
    return {WAR.names[event.unit] for event in events(match, "is withdrawn")}


def place(match: Match[Table], unit: str) -> int:
    """Where a unit is."""
    return match.position.hex[number(unit)]


def thrown(pos: Table, scene: Scenery, *dice: int) -> Match[Table]:
    """A match that is one procedure, with dice by hand: so far as they go, or to a question."""
    match = Match(Field(scene, WAR), position=pos, dice_by_hand=True)
    for die in dice:
        match.roll(die)
    return match


def asks(match: Match[Table]) -> bool:
    """Whether somebody must choose now."""
    return isinstance(match.decision, Choice)
