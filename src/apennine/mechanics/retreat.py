"""Retreats: the paths that a unit may take, under priorities in order.

A path must first of all be survived; steps and ends that would destroy the unit are not paths at
all. Among those that are left the first priority counts, then the second, and so on: a lower one
may be broken only to keep a higher one, and no more often than needed. `best_paths` lists what
remains, `next_steps` says the same hex by hex, for a player who picks one hex at a time, and for
whoever must be asked again because the board changed under way.

>>> from apennine.hexes import HexSet, Lattice, Numbering
>>> map = Lattice(Numbering("columns", columns=(1, 5), rows=(1, 5)))
>>> origin = map.parse("0303")
>>> enemy = 1 << map.parse("0302")
>>> terms = Retreat(map, origin, map.all_sides, 2, 2, blocked=enemy)
>>> terms = terms._replace(priorities=(farther(map, origin), toward(lambda hex: map.axial(hex)[0])))
>>> print(HexSet(map, next_steps(terms).hexes))
0203 0204
>>> [map.code(hex) for hex in best_paths(terms)[0]]
['0303', '0203', '0102']
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from typing import NamedTuple, TypeAlias

from apennine.hexes import NO_SIDES, Hex, Lattice, Mask, Sides

Path: TypeAlias = tuple[Hex, ...]
"""The hexes of a retreat in order, beginning with the one that is left."""


def _never(_: Path) -> int:
    return 0


class Priority(NamedTuple):
    """Something that a retreat must do if it can.

    `step` says how often the last step of a path breaks it (or how badly), `end` the same of
    ending the retreat there. Neither may be less than 0.
    """

    step: Callable[[Path], int] = _never
    end: Callable[[Path], int] = _never


class Retreat(NamedTuple):
    """The terms of one retreat.

    - `origin`: the hex that is left; `over`: the sides that the unit survives crossing.
    - `least`, `most`: how many hexes must, and may, be retreated.
    - `blocked`: hexes that it does not survive entering. It never enters a hex twice, and never
      its origin.
    - `apart`: hexes of which it does not survive entering two one after the other.
    - `ends_not`: hexes in which it does not survive ending.
    - `extra`: how many hexes it may go on beyond `most` while it stands where it may not end.
    - `may_end`, `may_end_over`: hexes, and sides behind which, it may end early.
    - `must_end`, `must_end_over`: the same, but it has to.
    - `fatal`: whether the last step of a path destroys it, for what masks cannot say.
    - `priorities`: what it must do beyond surviving, the most important first.
    """

    lattice: Lattice
    origin: Hex
    over: Sides
    least: int
    most: int
    blocked: Mask = 0
    apart: Mask = 0
    ends_not: Mask = 0
    extra: int = 0
    may_end: Mask = 0
    may_end_over: Sides = NO_SIDES
    must_end: Mask = 0
    must_end_over: Sides = NO_SIDES
    fatal: Callable[[Path], bool] | None = None
    priorities: tuple[Priority, ...] = ()


class Steps(NamedTuple):
    """What may come next on the way of a retreat."""

    hexes: Mask
    """The hexes that it may enter next."""
    may_end: bool
    """Whether it may end where it is."""


def farther(lattice: Lattice, origin: Hex) -> Priority:
    """Each hex is farther from the origin than the one before."""

    def step(path: Path) -> int:
        return int(lattice.distance(origin, path[-1]) <= lattice.distance(origin, path[-2]))

    return Priority(step)


def toward(distance: Callable[[Hex], int]) -> Priority:
    """Each hex is nearer than the one before by this measure, in which -1 is out of reach.

    The `distance` of a `Trace` is such a measure.
    """

    def step(path: Path) -> int:
        before, now = distance(path[-2]), distance(path[-1])
        return int(now < 0 or 0 <= before <= now)

    return Priority(step)


def avoids(mask: Mask) -> Priority:
    """No hex of the mask is entered."""

    def step(path: Path) -> int:
        return mask >> path[-1] & 1

    return Priority(step)


def ends_in(mask: Mask) -> Priority:
    """The last hex is in the mask."""

    def end(path: Path) -> int:
        return 1 - (mask >> path[-1] & 1)

    return Priority(end=end)


def no_extra(most: int) -> Priority:
    """No hex beyond so many: with this priority before others, extra hexes are a last resort."""

    def step(path: Path) -> int:
        return int(len(path) - 1 > most)

    return Priority(step)


def best_paths(terms: Retreat, so_far: Path = ()) -> list[Path]:
    """All paths that the unit survives and that keep the priorities as well as any can.

    With `so_far`, the best among the paths that begin like that. Empty if none is survived.
    """
    so_far = so_far or (terms.origin,)
    if so_far[0] != terms.origin:
        raise ValueError("A retreat begins with the hex that it leaves.")
    # The paths that break least come first, so the search ends with the best, none left out.
    queue: list[tuple[tuple[int, ...], Path, bool]] = [
        ((0,) * len(terms.priorities), so_far, False)
    ]
    best: tuple[int, ...] | None = None
    paths: list[Path] = []
    while queue:
        broken, path, complete = heappop(queue)
        if best is not None and broken > best:
            break
        if complete:
            best = broken
            paths.append(path)
            continue
        if _may_end(terms, path):
            cost = tuple(b + p.end(path) for b, p in zip(broken, terms.priorities))
            heappush(queue, (cost, path, True))
        for hex in _survivable(terms, path):
            longer = (*path, hex)
            if terms.fatal is None or not terms.fatal(longer):
                cost = tuple(b + p.step(longer) for b, p in zip(broken, terms.priorities))
                heappush(queue, (cost, longer, False))
    return paths


def next_steps(terms: Retreat, so_far: Path = ()) -> Steps:
    """The hexes from which the retreat can still be finished as well as any from here can."""
    so_far = so_far or (terms.origin,)
    hexes = 0
    may_end = False
    for path in best_paths(terms, so_far):
        if path == so_far:
            may_end = True
        else:
            hexes |= 1 << path[len(so_far)]
    return Steps(hexes, may_end)


def _may_end(terms: Retreat, path: Path) -> bool:
    here = path[-1]
    if len(path) == 1 or terms.ends_not >> here & 1:
        return False
    if len(path) > terms.least:
        return True
    early = terms.may_end >> here & 1 or _over(terms, terms.may_end_over, path)
    return bool(early) or _halted(terms, path)


def _halted(terms: Retreat, path: Path) -> bool:
    """Whether the last step was one that ends the retreat, come what may."""
    return bool(terms.must_end >> path[-1] & 1) or _over(terms, terms.must_end_over, path)


def _over(terms: Retreat, sides: Sides, path: Path) -> bool:
    """Whether the last step crossed one of these sides."""
    return bool(sides[terms.lattice.direction(path[-2], path[-1])] >> path[-2] & 1)


def _survivable(terms: Retreat, path: Path) -> list[Hex]:
    """The hexes that a path may go on to."""
    here = path[-1]
    entered = len(path) - 1
    if entered:
        if _halted(terms, path):
            return []
        spare = terms.extra if terms.ends_not >> here & 1 else 0
        if entered >= terms.most + spare:
            return []
    closed = terms.blocked
    if entered and terms.apart >> here & 1:
        closed |= terms.apart
    return [
        hex
        for d in range(6)
        if (hex := terms.lattice.neighbour(here, d)) >= 0
        and terms.over[d] >> here & 1
        and not closed >> hex & 1
        and hex not in path
    ]
