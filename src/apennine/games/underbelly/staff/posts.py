"""Posts to be manned, and who goes to which of them."""

from __future__ import annotations

from collections.abc import Iterable

from apennine.hexes import Mask, bits

from ..table.data import DIVISIONS
from ..table.position import ALLIED, GERMAN
from .mind import Goal, Mind

SLOW = 0.5
"""What a turn of marching takes off a unit's fitness for a post, in steps."""
TOGETHER = 0.6
"""What it is worth that units of one stack go to the same post."""
URGENT = 0.1
"""What a threat to a post counts against the march to it, in turns."""

STRAGGLER = 0.4
"""What it is worth that a unit without a post comes up to the nearest."""


def ready(mind: Mind) -> list[int]:
    """The side's units that are in play and can be moved about."""
    war, pos = mind.war, mind.pos
    closed = {war.end_run} if pos.army_entered or pos.army_due else {war.end_run, war.fifth}
    start, stop = war.spans[mind.side]
    units = [u for u in range(start, stop) if pos.hex[u] >= 0 and pos.hex[u] not in closed]
    return [u for u in units if u != war.airborne or war.bit[pos.hex[u]]]


class Posts:
    """Hexes with the strength that each needs, filled unit by unit."""

    def __init__(self, mind: Mind, units: Iterable[int]) -> None:
        self.mind = mind
        self.free = set(units)
        self.goals: dict[int, Goal] = {}
        self.held: dict[int, Mask] = {}

    def room(self, unit: int, hex: int) -> bool:
        """Whether a unit still fits into a post: by numbers, and by its group (6.4, 6.6)."""
        war, held = self.mind.war, self.held.get(hex, 0)
        if war.supports >> unit & 1:
            if held & war.supports:
                return False
        elif (held & ~war.supports).bit_count() >= DIVISIONS:
            return False
        if held and (self.mind.side == GERMAN or not self.mind.ports >> hex & 1):
            return war.group[next(bits(held))] == war.group[unit]
        return True

    def send(self, unit: int, hex: int, weight: float) -> None:
        """A unit gets its goal."""
        self.goals[unit] = Goal(hex, weight)
        self.held[hex] = self.held.get(hex, 0) | 1 << unit
        self.free.discard(unit)

    def best(self, hex: int, *, support: bool = False, latest: float = 9.0) -> int:
        """Of those still free, who serves a post best: strong, and soon there; -1 if nobody."""
        war, mind = self.mind.war, self.mind
        found, most = -1, -99.0
        for unit in sorted(self.free):
            if bool(war.supports >> unit & 1) != support or not self.room(unit, hex):
                continue
            turns = mind.turns(unit, hex)
            value = mind.power(1 << unit) - SLOW * turns
            if mind.pos.hex[unit] == hex:
                value += 1.0
            fellows = bits(self.held.get(hex, 0))
            if mind.side == ALLIED and mind.pos.hex[unit] in {mind.pos.hex[u] for u in fellows}:
                value += TOGETHER
            if value > most and turns <= latest:
                found, most = unit, value
        return found

    def man(self, needs: dict[int, float], *, most: int = DIVISIONS) -> None:
        """One division for each post, then the others where most is lacking, then the guns."""
        mind = self.mind
        self._first(needs)
        open_posts = set(needs)
        while open_posts and any(not mind.war.supports >> u & 1 for u in self.free):
            hex = max(open_posts, key=lambda h: (needs[h] / (0.5 + self.strength(h)), h))
            unit = self.best(hex)
            full = (self.held.get(hex, 0) & ~mind.war.supports).bit_count() >= most
            if unit < 0 or full:
                open_posts.remove(hex)
                continue
            self.send(unit, hex, 0.5 + 0.3 * needs[hex])
        for hex in sorted(needs, key=lambda h: -needs[h]):
            unit = self.best(hex, support=True)
            if unit >= 0 and mind.own.divisions[1] >> hex & 1:
                self.send(unit, hex, 0.4 + 0.1 * needs[hex])
        for unit in sorted(self.free):  # nobody stays behind
            near = min(needs, key=lambda h: (mind.turns(unit, h), h), default=-1)
            if near >= 0:
                self.goals[unit] = Goal(near, STRAGGLER)

    def _first(self, needs: dict[int, float]) -> None:
        """The shortest marches first, so that who stands in a post stays there."""
        mind, supports = self.mind, self.mind.war.supports
        pairs = [
            (mind.turns(unit, hex) - URGENT * need, unit, hex)
            for hex, need in needs.items()
            for unit in self.free
            if not supports >> unit & 1
        ]
        for _, unit, hex in sorted(pairs):
            manned = self.held.get(hex, 0) & ~supports
            if unit in self.free and not manned and self.room(unit, hex):
                self.send(unit, hex, 1.0 + 0.4 * needs[hex])

    def strength(self, hex: int) -> float:
        """The volley of those who are sent to a post."""
        return self.mind.power(self.held.get(hex, 0))
