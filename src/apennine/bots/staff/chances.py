"""What battles promise by a chart whose results are steps that both sides lose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Result(NamedTuple):
    """One result of a column, with its chance."""

    chance: float
    own: int
    theirs: int


def attack_worth(column: Sequence[Result], steps: int, prize: float, own_step: float) -> float:
    """An attack on so many steps, in enemy steps: gains less losses, and the hex if it is emptied.

    `own_step` is what a lost step of one's own counts.
    """
    total = 0.0
    for chance, own, theirs in column:
        gain = min(theirs, steps) - own_step * own
        total += chance * (gain + prize if theirs >= steps else gain)
    return total
