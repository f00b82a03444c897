"""A combat put together from nothing: factors on the combat chart, with its shifts (12.2.4)."""

from __future__ import annotations

from collections.abc import Iterator

from apennine.kernel.ledger import rule
from apennine.mechanics.odds import Shift
from apennine.mechanics.sandtable import Chart, on_ladder

from ..table.war import War


def chart(war: War) -> Chart:
    """The chart and its dice."""
    return Chart(war.ladder, war.book.combat, (6, 6), rule("12.2.4b"))


def reasons(war: War) -> dict[str, tuple[Shift, int]]:
    """All shifts of the chart."""
    shifts = war.book.shifts.items()
    return {key: (Shift(known.title, known.columns, known.rule), 1) for key, known in shifts}


def troops(war: War) -> Iterator[tuple[str, int, int, int]]:
    """The combat units at full strength."""
    for unit, name in enumerate(war.names):
        if war.combat >> unit & 1:
            attack, defence = war.faces[unit][war.full[unit]][:2]
            yield name, war.side_of[unit], attack, defence


SAND_TABLE = on_ladder(
    chart,
    reasons,
    troops,
    "The dice of the chart alone: bombardment and coordination are told in a match.",
)
