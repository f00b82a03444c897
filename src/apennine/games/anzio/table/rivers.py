"""Rivers: they run through hexes, and who comes to one stays on his bank for a turn (B4C12).

Where a river runs through a hex it leaves by its *arms*, the sides that it crosses, the sea at its
mouth included. Between the arms lie the *banks*, numbered clockwise from the first arm. A unit in
the hex is free, or bound to some banks, as a set of bits: it may leave over the sides of these
banks and along the arms beside them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from apennine.board import Board, Course
from apennine.hexes import Mask, bits, opposite

FREE = 0
"""Bound to no bank: off all rivers, or free to leave to either side."""
BARRED = -1
"""No way there without crossing a river."""


class Stretch(NamedTuple):
    """The rivers in a hex."""

    arms: tuple[int, ...]
    """The sides that they cross, clockwise."""
    rivers: tuple[frozenset[int], ...]
    """By arm, the numbers of the rivers that cross there."""

    @property
    def all_banks(self) -> int:
        """All banks, as bits."""
        return (1 << len(self.arms)) - 1

    def bank(self, d: int) -> int:
        """The bank, as a bit, on which a side that is no arm lies: after the last arm before it."""
        before = [place for place, arm in enumerate(self.arms) if arm < d]
        return 1 << (before[-1] if before else len(self.arms) - 1)

    def after(self, arm: int) -> int:
        """The bank that begins clockwise of an arm, as a bit."""
        return 1 << self.arms.index(arm)

    def before(self, arm: int) -> int:
        """The bank that ends at an arm, as a bit."""
        return 1 << (self.arms.index(arm) - 1) % len(self.arms)

    def along(self, arm: int) -> int:
        """The banks of all rivers that cross an arm, as bits: who is free on them reaches these."""
        found = 0
        for other, rivers in zip(self.arms, self.rivers):
            if rivers & self.rivers[self.arms.index(arm)]:
                found |= self.after(other) | self.before(other)
        return found


class Rivers:
    """The rivers of the map: where they run, and what binds those who come to them."""

    def __init__(self, board: Board, land: Mask) -> None:
        lattice, through = board.lattice, board.through["river"]
        self._lattice = lattice
        self.hexes = through.hexes & land
        """Where a river runs; its headwaters are no hex of it (B2B5, B2B6)."""
        self.headwaters = through.headwaters & land
        self.bridges = board.bridges["road"].hexes & land
        """Where one crosses without delay (B2D3, B4C12c)."""
        self.at: Sequence[frozenset[int]] = [frozenset()] * lattice.size
        """By hex, the numbers of the rivers that run there."""
        self.stretches: dict[int, Stretch] = {}
        """By hex with at least two arms, what divides it into banks."""
        self._read(board)

    def _read(self, board: Board) -> None:
        lattice, courses = self._lattice, board.through["river"].courses
        names = {course.name: number for number, course in enumerate(courses)}
        at = [set[int]() for _ in range(lattice.size)]
        for course in courses:
            for hex in course.hexes:
                if self.hexes >> hex & 1:
                    at[hex].add(names[course.name])
        arms: list[dict[int, set[int]]] = [{} for _ in range(lattice.size)]
        for course in courses:
            for hex, d in self._arms(course, board.terrain["sea"], at):
                arms[hex].setdefault(d, set()).add(names[course.name])
        self.at = [frozenset(rivers) for rivers in at]
        for hex in bits(self.hexes):
            if len(arms[hex]) > 1:
                crossed = tuple(sorted(arms[hex]))
                rivers = tuple(frozenset(arms[hex][d]) for d in crossed)
                self.stretches[hex] = Stretch(crossed, rivers)

    def _arms(self, course: Course, sea: Mask, at: list[set[int]]) -> Iterator[tuple[int, int]]:
        """The sides that a river crosses, each seen from a hex of it."""
        lattice, last = self._lattice, course.hexes[-1]
        for a, b in pairwise(course.hexes):
            d = lattice.direction(a, b)
            yield a, d
            yield b, opposite(d)
        for hex, d in ((course.hexes[0], course.enters), (last, course.leaves)):
            if d >= 0:
                yield hex, d
        if course.leaves < 0 and len(at[last]) == 1:  # its mouth: it ends here, in no other river
            for d in range(6):
                beyond = lattice.neighbour(last, d)
                if beyond >= 0 and sea >> beyond & 1:
                    yield last, d

    def share(self, one: int, two: int) -> bool:
        """Whether two hexes lie on the same river (B4H5)."""
        return bool(self.at[one] & self.at[two])

    def leaves(self, hex: int, bound: int, d: int) -> bool:
        """Whether a unit bound to some banks of a hex may leave over a side."""
        stretch = self.stretches.get(hex)
        if not bound or stretch is None:
            return True
        if d in stretch.arms:
            return bool(bound & (stretch.after(d) | stretch.before(d)))
        return bool(bound & stretch.bank(d))

    def step(self, hex: int, bound: int, d: int) -> int:
        """What binds a unit that has gone over a side into the next hex; BARRED if it may not.

        Who comes from off the river is bound to the bank that he comes from (B4C12b1), who comes
        along it stays on his side of it, who started on it or comes from its headwaters is free on
        it (B4C12b2, B4G3b4); a bridge sets free (B4C12c).
        """
        if not self.leaves(hex, bound, d):
            return BARRED
        beyond, back = self._lattice.neighbour(hex, d), opposite(d)
        stretch = self.stretches.get(beyond)
        if stretch is None or self.bridges >> beyond & 1:
            return FREE
        here = self.stretches.get(hex)
        if back not in stretch.arms:
            free = not bound and self.share(hex, beyond)
            return FREE if free else self._bound(stretch, stretch.bank(back))
        if not bound or here is None:
            return self._bound(stretch, stretch.along(back))
        banks = 0
        if bound & here.before(d):  # the bank on the left of who goes along the arm
            banks |= stretch.after(back)
        if bound & here.after(d):
            banks |= stretch.before(back)
        both = bound & here.before(d) and bound & here.after(d)
        return self._bound(stretch, stretch.along(back) if both else banks)

    def _bound(self, stretch: Stretch, banks: int) -> int:
        return FREE if banks == stretch.all_banks else banks
