"""What each side wants of its units."""

from __future__ import annotations

from ..table.position import ALLIED
from .allied import allied_goals
from .german import german_goals
from .mind import Goal, Mind


def goals(mind: Mind) -> dict[int, Goal]:
    """The goal of every unit that has one."""
    return allied_goals(mind) if mind.side == ALLIED else german_goals(mind)
