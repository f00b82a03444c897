"""Levels of play that are made of one staff: easy, as it is, and hard."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random
from types import MappingProxyType
from typing import Any, TypeVar

from apennine.kernel.decision import Option
from apennine.kernel.seat import Seat

from .search import HardBot, Heeding

W = TypeVar("W")
Bot = Callable[[Seat[Any]], Option]


class EasyBot:
    """The staff, careless and with a short memory.

    It forgets its plans from one player turn to the next, has another taste then, and `slips` now
    and then: it takes any option.
    """

    def __init__(self, staff: Callable[[int], Bot], seed: int, *, slips: float = 0.08) -> None:
        self._make, self._slips = staff, slips
        self._random = Random(seed)
        self._staff: Bot | None = None
        self._last: tuple[int, int] | None = None

    def __call__(self, seat: Seat[Any]) -> Option:
        if self._staff is None or seat.moment != self._last:
            self._last = seat.moment
            self._staff = self._make(self._random.getrandbits(30))
        chosen, options = self._staff(seat), seat.decision.options
        if self._random.random() >= self._slips:
            return chosen
        return options[int(self._random.random() * len(options))]


def levels(
    staff: Callable[..., Heeding[W]], plans: Sequence[Sequence[W]] = ()
) -> Mapping[str, Callable[[int], Bot]]:
    """The bots of a game by name: its staff, which is the normal level, then easy and hard.

    `staff` makes one of a seed, and of weights. Without `plans` there is no hard one; whether one
    plays as its name says only games show, and until then it is on trial.
    """
    found: dict[str, Callable[[int], Bot]] = {"staff": staff, "easy": partial(EasyBot, staff)}
    if plans:
        found["hard"] = partial(HardBot, staff, plans)
    return MappingProxyType(found)
