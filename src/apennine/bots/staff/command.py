"""Commands that cost points: each with its purpose, and what it brings for a point."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from apennine.hexes import Mask
from apennine.kernel.decision import Option


class Command(NamedTuple):
    """An option that starts something, with what is to become of it."""

    option: Option
    gain: float
    """What it is worth."""
    cost: int
    goals: Mapping[int, int] = MappingProxyType({})
    """Where the units go."""
    target: int = -1
    """The hex that they attack."""
    force: Mask = 0
    """Those who attack it."""

    @property
    def rate(self) -> float:
        """What a point brings."""
        return self.gain / self.cost
