"""What a judgement of an option is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from apennine.kernel.decision import Option

from .mind import Mind

Judge: TypeAlias = Callable[[Mind, Option], float]
"""How much a side likes an option."""


def always(value: float) -> Judge:
    """The same, whatever the position."""

    def judge(mind: Mind, option: Option) -> float:
        del mind, option
        return value

    return judge
