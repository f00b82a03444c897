"""Turns of speech that the refusals of every game share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from apennine.kernel.game import Refusal


def always(sentence: str, by: str) -> Callable[[Any, Any, Any], Refusal]:
    """A reason against an option that is the same whatever the position.

    >>> always("The game is over.", "5.3")(None, None, None).sentence
    'The game is over.'
    """

    def reason(war: Any, pos: Any, option: Any) -> Refusal:
        del war, pos, option
        return Refusal(sentence, by)

    return reason


def counted(number: float, thing: str) -> str:
    """So many of something.

    >>> counted(1, "step"), counted(2, "step"), counted(0.5, "point")
    ('1 step', '2 steps', '0.5 points')
    """
    return f"{number:g} {thing}" if number == 1 else f"{number:g} {thing}s"
