"""What battles promise: a column of the Step Reduction Table weighed out to averages, and kept.

The previews give every end of a battle that is declared; to think of hundreds that might be,
averages are enough.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from ..table.war import War


class Stack(NamedTuple):
    """What counts of a defender once the column is known."""

    steps: int
    doubled: bool
    """Attackers lose twice (B4H9)."""
    trapped: bool = False
    """Nobody could retreat."""
    fort: bool = False
    """Nobody has to (D6C1)."""


class Promise(NamedTuple):
    """What a battle brings on average."""

    falls: float
    """The chance that the defender loses the hex."""
    attacker: float
    defender: float
    """The steps that each side loses."""
    thrown_back: float
    """The chance that the attackers must retreat."""
    surge: float
    """Points of breakthrough."""


class Chances:
    """The table of a war, asked for averages."""

    def __init__(self, war: War) -> None:
        self._rows = war.rows
        self._last = len(war.rows) - 1
        self._automatic = war.ladder.index(war.book.limits.automatic)
        self._points = war.book.limits.breakthrough
        self.attack = lru_cache(8192)(self._attack)

    def _attack(self, column: int, stack: Stack) -> Promise:
        """An attack in a column on a stack."""
        rows = self._rows[max(0, min(column, self._last))]
        falls = own = theirs = back = surge = 0.0
        for cell in rows:
            lost = min(cell.defender, stack.steps)
            gone = lost == stack.steps or column >= self._automatic
            flees = cell.defender_retreats and not stack.fort
            if gone or (flees and stack.trapped):
                lost, gone = stack.steps, True
            falls += gone or flees
            own += cell.attacker * (2 if stack.doubled else 1)
            theirs += lost
            back += cell.attacker_retreats
            surge += self._points * max(0, cell.defender - stack.steps)
        count = len(rows)
        return Promise(falls / count, own / count, theirs / count, back / count, surge / count)
