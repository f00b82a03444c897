"""Matches of the game itself, from its set-ups."""

from __future__ import annotations

from typing import Any

from apennine.games import get
from apennine.games.anzio.table.position import Table
from apennine.kernel.match import Match
from apennine.testing import Shorthand

PLAYED: Any = get("anzio")
IDLE = (
    *("historical deployment", "begin the game", "keep replacements", "end movement"),
    *("end rebuilding", "stand", "end turn", "halt", "end combat"),
)
SHORT = Shorthand[Table](PLAYED, IDLE)
pass_on, next_turn = SHORT.pass_on, SHORT.next_turn


def begin(scenario: str = "basic", **options: bool) -> Match[Table]:
    """A match at its first question."""
    return Match(PLAYED, scenario, options, seed=1)


def open_basic(hex: str = "N61", unit: str = "56 Br", **options: bool) -> Match[Table]:
    """The Basic Game with the historical set-up, and one unit landed."""
    match = begin(**options)
    pass_on(match, until="movement")
    SHORT.do(match, "invade", hex=hex)
    SHORT.do(match, "land", unit, hex)
    return match


def start(scenario: str = "basic", **options: bool) -> Table:
    """The position in which a scenario begins."""
    return PLAYED.setup(scenario, PLAYED.check_options(options))
