"""From a goal to an option: what brings units nearer to where they should be."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence

from apennine.hexes import Mask, bits

from .posts import Goals
from .weights import MarchWeights

THERE = 100.0
"""How much the goal itself is liked, above any hex on the way."""


def headway(
    field: Sequence[int], here: int, there: int, goal: int, weights: MarchWeights, zone: Mask = 0
) -> float:
    """How much a move to a hex is liked: the goal itself most, then what is nearer to it.

    `field` is the way to the goal by hex; below 0 is not worth a move. In `zone`, hexes that the
    enemy is next to, nobody stops without need.
    """
    if there == goal:
        return THERE
    if goal in (-1, here):
        return -1.0
    exposed = weights.exposed if zone >> there & 1 else 0.0
    return field[here] - field[there] - weights.step - exposed


def best_end(
    field: Sequence[int],
    here: int,
    goal: int,
    ends: Mask,
    weights: MarchWeights,
    shunned: Iterable[tuple[Mask, float]] = (),
) -> tuple[int, float]:
    """The best hex to stop in on the way to a goal, and the points that are then still to go.

    `shunned` are hexes with what they count for besides, in points. -1 if it is best to stay.
    """
    if ends >> goal & 1:
        return goal, 0.0
    best, least = -1, field[here] - weights.step
    for hex in bits(ends):
        cost = float(field[hex])
        if cost >= least:
            continue
        for hexes, more in shunned:
            if hexes >> hex & 1:
                cost += more
        if cost < least:
            best, least = hex, cost
    return best, least


def parties(
    goals: Goals, units: Iterable[int], here: int, pace: Callable[[int], Hashable]
) -> list[tuple[int, Mask]]:
    """Those of a stack who go to the same hex at the same pace, with that hex; none who stays."""
    found: dict[tuple[int, Hashable], Mask] = {}
    for unit in units:
        goal = goals.get(unit)
        if goal is not None and goal.hex != here:
            key = goal.hex, pace(unit)
            found[key] = found.get(key, 0) | 1 << unit
    return [(hex, party) for (hex, _), party in found.items()]
