"""Posts to be manned, and who goes to which of them.

`Posts` keeps the books: who is still free, who goes where, who will be in each hex. A game says by
a *fit* how gladly a unit takes a post (`NEVER`: it cannot), and the functions here share out units.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf
from typing import NamedTuple, TypeAlias

from apennine.hexes import Mask, bits

NEVER = -inf
"""The fit of a unit that cannot take a post."""

Fit: TypeAlias = Callable[[int, int], float]
"""How gladly a unit takes a post; of those who can, the highest goes."""


class Goal(NamedTuple):
    """Where a unit should go, and what it is worth that it gets there."""

    hex: int
    weight: float = 1.0


Goals: TypeAlias = dict[int, Goal]
"""Where each unit should go; who has none stays."""


class Posts:
    """Who is free, who goes where, and who will be in each hex.

    `room` says whether a unit fits into a hex beside those who will be there.
    """

    def __init__(self, units: Iterable[int], room: Callable[[int, int, Mask], bool]) -> None:
        self.free = sorted(units)
        self.goals: Goals = {}
        self.held: dict[int, Mask] = {}
        self._room = room

    def settle(self, unit: int, hex: int) -> None:
        """Note that a unit stays where it is, whatever is planned."""
        self.held[hex] = self.held.get(hex, 0) | 1 << unit

    def send(self, unit: int, hex: int, weight: float = 1.0) -> None:
        """A unit gets its goal, and is free no more."""
        self.goals[unit] = Goal(hex, weight)
        self.settle(unit, hex)
        self.free.remove(unit)

    def take_over(self, other: Posts) -> None:
        """What was shared out there is settled here too."""
        self.free = [unit for unit in self.free if unit not in other.goals]
        self.goals |= other.goals
        for hex, units in other.held.items():
            self.held[hex] = self.held.get(hex, 0) | units

    def room(self, unit: int, hex: int, coming: Mask = 0) -> bool:
        """Whether a unit still fits into a hex, with others who are thought of for it."""
        return self._room(unit, hex, self.held.get(hex, 0) | coming)

    def count(self, hex: int) -> int:
        """How many units will be in a hex."""
        return self.held.get(hex, 0).bit_count()

    def occupied(self) -> Mask:
        """The hexes where somebody will be."""
        mask = 0
        for hex, units in self.held.items():
            mask |= bool(units) << hex
        return mask

    def best(self, hex: int, fit: Fit, least: float = NEVER) -> int:
        """The free unit with room that fits a post best; -1 if nobody is better than `least`."""
        found = -1
        for unit in self.free:
            value = fit(unit, hex)
            if value > least and self.room(unit, hex):
                found, least = unit, value
        return found


class Movers(Posts):
    """Units that move once before they fight: `reach` says where each could go."""

    def __init__(
        self,
        units: Iterable[int],
        room: Callable[[int, int, Mask], bool],
        reach: Mapping[int, Mask],
    ) -> None:
        super().__init__(units, room)
        self.reach = reach

    def within(self) -> Mask:
        """The hexes that somebody who is free can get to."""
        mask = 0
        for unit in self.free:
            mask |= self.reach[unit]
        return mask

    def ends(self, unit: int) -> list[int]:
        """The hexes that a unit can get to and that have room for it."""
        return [hex for hex in bits(self.reach[unit]) if self.room(unit, hex)]

    def walk_in(self, places: Iterable[Mask]) -> None:
        """One unit into each of some places that somebody can simply walk into."""
        for hexes in places:
            unit = next((u for u in self.free if self.reach[u] & hexes), -1)
            if unit >= 0:
                self.send(unit, next(bits(self.reach[unit] & hexes)))


def match(
    hexes: Iterable[int], units: Sequence[int], fit: Fit, *, at_most: int = 99
) -> dict[int, int]:
    """A unit for each post if all can be manned at once, else for as many as possible.

    Each post asks the `at_most` units that fit it best.
    """
    able: dict[int, list[int]] = {}
    for hex in hexes:
        fits = [(fit(unit, hex), unit) for unit in units]
        ranked = sorted(((-value, unit) for value, unit in fits if value > NEVER))
        able[hex] = [unit for _, unit in ranked[:at_most]]
    taken: dict[int, int] = {}

    def find(hex: int, tried: set[int]) -> bool:
        for unit in able[hex]:
            if unit not in tried:
                tried.add(unit)
                if unit not in taken or find(taken[unit], tried):
                    taken[unit] = hex
                    return True
        return False

    for hex in sorted(able, key=lambda h: (len(able[h]), h)):
        find(hex, set())
    return {hex: unit for unit, hex in taken.items()}


def garrison(
    posts: Posts, hexes: Iterable[int], fit: Fit, *, count: int = 1, weight: float = 1.0
) -> None:
    """So many units in each of some hexes, the best that can be had."""
    for hex in hexes:
        while posts.count(hex) < count:
            unit = posts.best(hex, fit)
            if unit < 0:
                break
            posts.send(unit, hex, weight)


def first_come(
    posts: Posts, needs: Mapping[int, float], turns: Fit, urgency: float = 0.0, most: int = 99
) -> None:
    """One unit for each post, the shortest marches first, so that who stands in a post stays.

    A post that needs more is served as if it were nearer, by `urgency` a point of its need; no
    more than so many units go.
    """
    pairs = [
        (turns(unit, hex) - urgency * need, unit, hex)
        for hex, need in needs.items()
        for unit in posts.free
    ]
    for away, unit, hex in sorted(pairs):
        able = unit in posts.free and not posts.count(hex) and posts.room(unit, hex)
        if away < inf and most and able:
            posts.send(unit, hex, needs[hex])
            most -= 1


def strengthen(
    posts: Posts,
    needs: Mapping[int, float],
    fit: Fit,
    strength: Callable[[int], float],
    *,
    most: int = 99,
    floor: float = 1.0,
    weight: Callable[[int], float] | None = None,
) -> None:
    """Unit by unit to the post that lacks most, from who can get there.

    `strength` is what a unit adds to a post; a post with nobody counts as having `floor`. The
    `weight` of a goal is what the post needs, if it is not given.
    """
    there = {hex: sum(map(strength, bits(posts.held.get(hex, 0)))) for hex in needs}
    wanting = set(needs)
    while posts.free and wanting:
        hex = max(wanting, key=lambda h: (needs[h] / (there[h] + floor), h))
        unit = posts.best(hex, fit) if posts.count(hex) < most else -1
        if unit < 0:
            wanting.remove(hex)
            continue
        there[hex] += strength(unit)
        posts.send(unit, hex, weight(hex) if weight else needs[hex])


def relieve(
    posts: Posts,
    hexes: Iterable[int],
    lack: Callable[[int], float],
    who: Callable[[int], int],
    weight: Callable[[int, float], float],
    enough: float = 0.0,
) -> None:
    """Unit by unit to the post that lacks most, until none lacks more than is `enough`.

    `who` is the unit that comes to a post next (-1: nobody), `weight` what its goal is worth, given
    the post and what it lacks.
    """
    wanting = set(hexes)
    while wanting:
        lacks = {hex: lack(hex) for hex in wanting}
        hex = max(wanting, key=lambda h: (lacks[h], h))
        unit = who(hex) if lacks[hex] > enough else -1
        if unit < 0:
            wanting.remove(hex)
        else:
            posts.send(unit, hex, weight(hex, lacks[hex]))


def draw_near(posts: Posts, where: Callable[[int], int], weight: float = 1.0) -> None:
    """Everybody who is left goes where he is told; -1: he stays free."""
    for unit in tuple(posts.free):
        hex = where(unit)
        if hex >= 0:
            posts.send(unit, hex, weight)
