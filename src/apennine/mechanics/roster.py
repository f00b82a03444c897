"""Roster: the units of a game as its data file lists them, and what is read off the list.

>>> from typing import NamedTuple
>>> class Division(NamedTuple):
...     name: str
...     side: str
>>> roster = Roster([Division("1 US", "Allied"), Division("HG", "German")], ("Allied", "German"))
>>> roster.names, roster.side_of, roster.members[1], bin(roster.army[1])
(('1 US', 'HG'), (0, 1), range(1, 2), '0b10')
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, Protocol, TypeVar

from apennine.hexes import Mask, mask_of


class Counter(Protocol):
    """What every unit of a data file has."""

    @property
    def name(self) -> str: ...
    @property
    def side(self) -> str: ...


C = TypeVar("C", bound=Counter)


class RosterError(ValueError):
    """A list of units that cannot be. One sentence."""


class Roster(Generic[C]):
    """The units in the order of their numbers, those of each side together."""

    def __init__(self, counters: Iterable[C], sides: Sequence[str]) -> None:
        self.counters = tuple(counters)
        self.names = tuple(counter.name for counter in self.counters)
        if len(set(self.names)) < len(self.names):
            raise RosterError("two units have the same name.")
        for counter in self.counters:
            if counter.side not in sides:
                raise RosterError(f"{counter.name} is of no side: {counter.side!r}.")
        self.side_of = tuple(sides.index(counter.side) for counter in self.counters)
        self.members = tuple(self._together(side, name) for side, name in enumerate(sides))
        """By side, its units."""
        self.army: tuple[Mask, ...] = tuple(mask_of(members) for members in self.members)
        """The same as sets."""

    def __len__(self) -> int:
        return len(self.counters)

    def __getitem__(self, unit: int) -> C:
        return self.counters[unit]

    def _together(self, side: int, name: str) -> range:
        numbers = [unit for unit, owner in enumerate(self.side_of) if owner == side]
        found = range(numbers[0], numbers[-1] + 1) if numbers else range(0)
        if len(found) != len(numbers):
            raise RosterError(f"the {name} units do not stand together.")
        return found

    def those(self, fits: Callable[[C], bool]) -> Mask:
        """The units that fit, as a set."""
        return mask_of(unit for unit, counter in enumerate(self.counters) if fits(counter))

    def arriving(self, side: int, turns: range, when: Callable[[C], int]) -> dict[int, list[int]]:
        """By turn, the units of a side that arrive in it."""
        return {
            turn: [unit for unit in self.members[side] if when(self.counters[unit]) == turn]
            for turn in turns
        }
