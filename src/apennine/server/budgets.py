"""How much one client may have: buckets that run dry, and fill again with time."""

from __future__ import annotations

import time
from collections import OrderedDict
from math import ceil

import msgspec

from apennine.server.errors import Refused

MOST_BUCKETS = 20_000
MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0


class Budget(msgspec.Struct, frozen=True):
    """So much in a minute and so much in a day; it comes back evenly."""

    a_minute: float
    a_day: float


class Buckets:
    """One bucket a client: a request takes something out, time puts it back."""

    def __init__(self, size: float, refill: float, *, enforced: bool = True) -> None:
        self._size = size
        self._refill = refill
        self._enforced = enforced
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, client: str, cost: float = 1.0) -> float:
        """Seconds until this client may have so much; 0.0: it may now."""
        level = self._level(client)
        # What costs more than a bucket holds is given when the bucket is full.
        return max(0.0, (min(cost, self._size) - level) / self._refill) if self._enforced else 0.0

    def spend(self, client: str, cost: float = 1.0) -> None:
        """Take so much out, whether it is there or not."""
        if self._enforced:
            self._levels[client] = (self._level(client) - cost, time.monotonic())
            self._levels.move_to_end(client)
            if len(self._levels) > MOST_BUCKETS:
                self._levels.popitem(last=False)

    def take(self, client: str, cost: float = 1.0) -> None:
        """Take so much out; Refused if it is not there."""
        wait = self.wait(client, cost)
        if wait > 0:
            raise too_much("That is too much at once", wait)
        self.spend(client, cost)

    def _level(self, client: str) -> float:
        now = time.monotonic()
        level, then = self._levels.get(client, (self._size, now))
        return min(self._size, level + (now - then) * self._refill)


class Spending:
    """What clients have had of one kind of thing, by the minute and by the day."""

    def __init__(self, what: str, budget: Budget, *, enforced: bool = True) -> None:
        self._what = what
        self._minute = Buckets(budget.a_minute, budget.a_minute / MINUTE, enforced=enforced)
        self._day = Buckets(budget.a_day, budget.a_day / DAY, enforced=enforced)

    def take(self, client: str, cost: float = 1.0) -> None:
        """Spend so much; Refused, with nothing spent, if it is not there."""
        for buckets, span in ((self._day, "one day"), (self._minute, "one minute")):
            wait = buckets.wait(client, cost)
            if wait > 0:
                raise too_much(f"That is too many {self._what} for {span}", wait)
        self._day.spend(client, cost)
        self._minute.spend(client, cost)


def too_much(what: str, seconds: float) -> Refused:
    """A refusal that says when to try again, in the sentence and in the header."""
    wait = max(1, ceil(seconds))
    headers = {"retry-after": str(wait)}
    return Refused(429, f"{what}; try again in {_span(wait)}.", headers=headers)


def _span(seconds: int) -> str:
    """A time as people say it.

    >>> _span(12), _span(300), _span(9000)
    ('12 s', '5 min', '3 h')
    """
    if seconds < 2 * MINUTE:
        return f"{seconds} s"
    if seconds < 2 * HOUR:
        return f"{ceil(seconds / MINUTE)} min"
    return f"{ceil(seconds / HOUR)} h"
