"""The sequence of play: phases and the sides that play them, one after the other.

>>> turn = Turn(("supply", 0), ("combat", 0), ("combat", 1))
>>> pos = Position(phase="combat", side=0)
>>> turn.go_on(pos), pos.phase, pos.side
(True, 'combat', 1)
>>> turn.go_on(pos)
False
"""

from __future__ import annotations

from itertools import pairwise

from apennine.kernel.position import Position


class Turn:
    """The phases of a game turn in their order, each with the side that is active in it.

    A phase and a side name a step, so no pair may come twice.
    """

    def __init__(self, *steps: tuple[str, int]) -> None:
        self.steps = steps
        self._next = dict(pairwise(steps))
        if len(set(steps)) < len(steps):
            raise ValueError("A step of a turn comes twice.")

    def begin(self, pos: Position) -> None:
        """Set the first step."""
        pos.phase, pos.side = self.steps[0]

    def go_on(self, pos: Position) -> bool:
        """Set the step after the present one; False, and nothing, if that was the last."""
        following = self._next.get((pos.phase, pos.side))
        if following is None:
            return False
        pos.phase, pos.side = following
        return True
