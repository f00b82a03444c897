"""An attack put together from nothing: strengths on the combat chart, with its shifts."""

from __future__ import annotations

from collections.abc import Iterator

from apennine.kernel.ledger import rule
from apennine.mechanics.odds import Shift
from apennine.mechanics.sandtable import Chart, on_ladder

from ..table.war import War

MOST = 3
"""So often a support may count."""
ONCE = ("elite", "low", "fort_1", "fort_2", "mud")


def chart(war: War) -> Chart:
    """The chart and its die."""
    return Chart(war.ladder, war.book.combat, (6,), rule("8.3.1a"))


def reasons(war: War) -> dict[str, tuple[Shift, int]]:
    """All shifts of the chart; air, guns and ships may count several times."""
    shifts = war.book.shifts.items()
    return {key: (known.shift(), 1 if key in ONCE else MOST) for key, known in shifts}


def troops(war: War) -> Iterator[tuple[str, int, int, int]]:
    """The units at full strength."""
    for unit, name in enumerate(war.names):
        full = war.full[unit]
        yield name, war.side_of[unit], war.attack[unit][full], war.strength[unit][full]


SAND_TABLE = on_ladder(
    chart,
    reasons,
    troops,
    "The first die alone: what determined defence makes of it is told in a match.",
)
