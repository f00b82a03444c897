"""What each side wants of its units."""

from __future__ import annotations

from .bot_allied import allied_goals
from .bot_german import german_goals
from .bot_mind import Goal, Mind
from .position import ALLIED


def goals(mind: Mind) -> dict[int, Goal]:
    """The goal of every unit that has one."""
    return allied_goals(mind) if mind.side == ALLIED else german_goals(mind)
