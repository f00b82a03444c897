"""What combats promise: the charts weighed out to averages, and kept.

The previews give every end of a combat that is declared; to think of hundreds that might be,
averages for a column and the coordination of both sides are enough.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from ..rules.c12_coordination import grade
from ..rules.c12_orders import RELIEF
from ..table.war import War


class Promise(NamedTuple):
    """What a combat brings on average."""

    taken: float
    """The chance that the attacker gets the hex."""
    attacker: float
    defender: float
    """The hit points that each side pays."""


class Chances:
    """The charts of a war, asked for averages."""

    def __init__(self, war: War) -> None:
        self._war, self._book = war, war.book
        self.shells = lru_cache(512)(self._shells)
        self.grades = lru_cache(64)(self._grades)
        self.combat = lru_cache(16384)(self._combat)

    def _shells(self, column: int, modifier: int) -> float:
        """The hit points of a bombardment."""
        if column < 0:
            return 0.0
        found = self._book.bombardment.chances(column, (6,), modifier)
        return float(found.mean(lambda points: points))

    def _grades(self, modifier: int) -> list[tuple[float, int, bool]]:
        """The chances of a coordination, how far a defender may go, whether an attacker goes on."""
        found: dict[str, int] = {}
        for die in range(1, 7):
            result = grade(self._war, die, modifier)
            found[result] = found.get(result, 0) + 1
        results = self._book.results
        return [
            (count / 6, results[name].retreat, bool(results[name].units))
            for name, count in found.items()
        ]

    def _combat(
        self, column: int, attacking: int, defending: int, whole: int, hampered: bool
    ) -> Promise:
        """A column, the modifiers of both coordinations, and what destroys the defender.

        He gives ground when half of him is at stake, and a hex less if he is hampered.
        """
        chart, bearable = self._book.combat, (whole - 1) // 2
        on = sum(chance for chance, _, goes_on in self.grades(attacking) if goes_on)
        taken = owed = paid = 0.0
        for cell, chance in chart.chances(column, (6, 6)).items():
            weight = float(chance)
            owed += weight * cell.attacker
            if cell.defender >= whole:
                taken += weight * on
                paid += weight * whole
                continue
            for share, retreat, _ in self.grades(defending):
                excess = -(-(cell.defender - bearable) // RELIEF)
                back = min(max(excess, 0), max(retreat - hampered, 0))
                paid += weight * share * (cell.defender - RELIEF * back)
                taken += weight * share * on * (back > 0)
        return Promise(taken, owed, paid)
