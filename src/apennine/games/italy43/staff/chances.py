"""What battles promise: the chances of both charts, weighed out to averages and kept.

The previews give every end of a battle that is declared; to think of hundreds that might be,
averages for a column, the ground and a lead unit are enough.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import NamedTuple

from ..table.data import Cell
from ..table.war import War


class Stack(NamedTuple):
    """What counts of a defender once the column is known."""

    ground: int
    """The column of the determined defence table."""
    lead: int
    """What is added to its dice; `NO_LEAD` if nobody can lead."""
    steps: int
    borne: int = 0
    """The Partial Successes that the hex still takes."""
    trapped: bool = False
    """Nobody could retreat."""


NO_LEAD = -99


class Promise(NamedTuple):
    """What a battle brings on average."""

    falls: float
    """The chance that the defender loses the hex."""
    attacker: float
    defender: float
    """The steps that each side loses."""


class Chances:
    """The charts of a war, asked for averages."""

    def __init__(self, war: War) -> None:
        self._book = war.book
        self._last = len(war.book.combat.columns) - 1
        self._shattered = war.ladder.index(war.book.limits.shattered)
        self.attack = lru_cache(8192)(self._attack)
        self.stand = lru_cache(2048)(self._stand)

    def _attack(self, column: int, stack: Stack) -> Promise:
        """An attack in a column, after all shifts, on defenders who stand if they may."""
        if column >= self._shattered:
            return Promise(1.0, 0.0, float(stack.steps if stack.trapped else min(1, stack.steps)))
        at = max(0, min(column, self._last))
        cells = [self._book.combat.cell(die, at) for die in range(1, 7)]
        ends = [self._after(cell, stack) for cell in cells]
        return Promise(*(sum(parts) / len(ends) for parts in zip(*ends)))

    def _after(self, cell: Cell, stack: Stack) -> Promise:
        result = self._book.results[cell.result]
        lost = min(result.defender, stack.steps)
        own, left = float(result.attacker), stack.steps - lost
        if not left:
            return Promise(1.0, own, float(lost))
        if not result.retreat:
            return Promise(0.0, own, float(lost))
        stands = cell.colour != "red" and stack.lead > NO_LEAD
        if not stands:
            return Promise(1.0, own, float(stack.steps if stack.trapped else lost))
        lead = stack.lead - (cell.colour == "orange")
        falls, more, theirs = self.stand(stack._replace(lead=lead, steps=left))
        return Promise(falls, own + more, lost + theirs)

    def _stand(self, stack: Stack) -> Promise:
        """A determined defence: one roll, or until they hold or die if they cannot retreat."""
        table = self._book.determined
        falls = own = theirs = 0.0
        for dice in product(range(1, 7), repeat=2):
            found = table.cell(sum(dice) + stack.lead, stack.ground)
            holds = found.verdict == "H" or (found.verdict == "P" and stack.borne > 0)
            lost = min(found.lead, stack.steps)
            if not holds and stack.trapped:
                left = stack.steps - 1
                again = self.stand(stack._replace(steps=left)) if left else Promise(1.0, 0.0, 0.0)
                falls, own, theirs = falls + again[0], own + again[1], theirs + 1 + again[2]
                continue
            falls += not holds or lost == stack.steps
            own, theirs = own + found.attacker, theirs + lost
        return Promise(falls / 36, own / 36, theirs / 36)
