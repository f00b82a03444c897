"""E15: when the Allies may land, and with how much."""

from __future__ import annotations

from ..table.data import Invasion
from ..table.position import Table
from ..table.war import War

APART = 7
"""Six full turns lie between two invasions (E15F)."""


def chances(war: War, pos: Table) -> list[tuple[int, Invasion]]:
    """E2A7, E15D: the invasions that may be made in this turn, each with its number.

    In the Basic Game there is never more than one.
    """
    if war.is_advanced(pos) and pos.invaded and pos.turn - pos.invaded < APART:
        return []
    return [
        (number, invasion)
        for number, invasion in enumerate(war.book.scenarios[pos.scenario].invasions)
        if invasion.first <= pos.turn <= invasion.last and not pos.invasions >> number & 1
    ]


def latest(war: War, pos: Table) -> Invasion:
    """The invasion made last."""
    number = pos.wave if war.is_advanced(pos) else pos.invasions.bit_length() - 1
    return war.book.scenarios[pos.scenario].invasions[number]


def note_second(pos: Table) -> None:
    """E5D3: the second invasion brings the Germans units, those after it none."""
    if pos.invasions.bit_count() == 2 and not pos.second:
        pos.second = pos.turn
