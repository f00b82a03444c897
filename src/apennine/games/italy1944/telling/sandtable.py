"""An attack put together from nothing: factors on the combat chart, with its shifts (9.1)."""

from __future__ import annotations

from collections.abc import Iterator

from apennine.kernel.ledger import rule
from apennine.mechanics.odds import Shift
from apennine.mechanics.sandtable import Chart, on_ladder

from ..table.war import War


def chart(war: War) -> Chart:
    """The chart and its dice."""
    return Chart(war.ladder, war.combat, war.dice, rule("9.1a"))


def reasons(war: War) -> dict[str, tuple[Shift, int]]:
    """All shifts of the chart, each with how often it may count."""
    return {key: (known.shift(), known.most or 1) for key, known in war.modifiers.items()}


def troops(war: War) -> Iterator[tuple[str, int, int, int]]:
    """The units at full strength."""
    for unit, name in enumerate(war.names):
        full = war.full[unit]
        yield name, war.side_of[unit], war.attack[unit][full], war.defence[unit][full]


SAND_TABLE = on_ladder(chart, reasons, troops)
