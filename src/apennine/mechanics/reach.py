"""How far a unit can go: waves of whole bitboards, one for each cost.

`Costs` says what every step on the map costs one class of units. It is built once for a map (and
once more for mud, or for whatever else changes all costs), and never changes. `reach` then sends
one wave from a hex: all hexes that can be reached for 0, for 1, for 2 and so on, each as one mask.
Nothing is worked out hex by hex until somebody asks for the path to the one hex that was chosen.

Costs are exact. They may be fractions; inside they are whole numbers of ticks, `Costs.scale` of
them to a movement point. A search speaks in ticks throughout, so that a position can keep the
points left to a unit as one int.

>>> from fractions import Fraction
>>> from apennine.hexes import HexSet, Lattice, Numbering
>>> map = Lattice(Numbering("columns", columns=(1, 7), rows=(1, 3)))
>>> at = map.parse
>>> road = map.sides(
...     map.edge_between(at(a), at(b)) for a, b in [("0102", "0202"), ("0202", "0302")]
... )
>>> costs = Costs.build(map, {2: map.all}, flat=[(road, Fraction(1, 2))])
>>> costs.scale
2
>>> found = reach(costs, at("0102"), costs.ticks(3))
>>> print(HexSet(map, found.ends))
0101 0103 0201 0202 0203 0301 0302 0303 0402 0403
>>> [map.code(hex) for hex in found.path(at("0402"))], costs.points(found.cost(at("0402")))
(['0102', '0202', '0302', '0402'], Fraction(3, 1))
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import lcm
from typing import Final, NamedTuple, TypeAlias

from apennine.hexes import NO_SIDES, Hex, Lattice, Mask, Sides

Points: TypeAlias = int | Fraction
"""Movement points as a rulebook counts them."""

Surcharge: TypeAlias = tuple[Mask, int]
"""Hexes, and the ticks that they cost more."""

WHOLE: Final = -1
"""The cost of a crossing that takes the whole allowance, whatever that is."""

NO_SURCHARGE: Final[Surcharge] = (0, 0)


class Crossing(NamedTuple):
    """One way of stepping over some sides.

    - `sides`: read from the hex that is left, so that a slope can cost more uphill than down.
    - `entry`: pairs of a cost in ticks and the hexes that may be entered for it. Where a step is
      possible in several ways, the cheapest is taken.
    - `halts`: hexes in which a move that came this way must end.
    - `first`: only as the first step of a move. The cost may then be `WHOLE`: the step takes all
      that the unit has, surcharges included, and ends the move.
    """

    sides: Sides
    entry: tuple[tuple[int, Mask], ...]
    halts: Mask = 0
    first: bool = False


# Where each of the six shifts arrives over the sides of a crossing; its lowest cost and the hexes
# that it leaves; whether all arrivals cost that and none must halt; its entry and halts.
_Way: TypeAlias = tuple[
    Mask, Mask, Mask, Mask, Mask, Mask, int, Mask, bool, tuple[tuple[int, Mask], ...], Mask
]


# A cost, the hexes entered for it with leave to go on, and those only to end in.
_FirstSteps: TypeAlias = tuple[tuple[int, Mask, Mask], ...]


# A cost of entering a hex, whether one must halt there, whether by a first step only, from where.
_LastSteps: TypeAlias = tuple[tuple[int, bool, bool, Mask], ...]


class Costs:
    """What each step on a map costs one class of units. Built once, never changed."""

    __slots__ = (
        "_from_hex",
        "_to_hex",
        "all_ways",
        "crossings",
        "dearest",
        "first_ways",
        "lattice",
        "scale",
        "stride",
        "ways",
        "whole",
    )

    def __init__(self, lattice: Lattice, crossings: Iterable[Crossing], scale: int = 1) -> None:
        self.lattice = lattice
        self.crossings = tuple(crossings)
        self.scale = scale
        """Ticks to a movement point."""
        self.stride = max(lattice.steps)
        self.dearest = 0
        """The highest cost of one step in ticks, `WHOLE` left aside."""
        for crossing in self.crossings:
            for cost, _ in crossing.entry:
                self.dearest = max(self.dearest, cost)
                if cost < 1 and not (cost == WHOLE and crossing.first):
                    raise ValueError(f"A step costs at least one tick, not {cost}.")
        self.ways = tuple([self._way(c) for c in self.crossings if not c.first])
        self.first_ways = tuple([self._way(c) for c in self.crossings if c.first])
        self.all_ways = self.first_ways + self.ways
        self.whole = tuple(
            (crossing.sides, hexes)
            for crossing in self.crossings
            for cost, hexes in crossing.entry
            if cost == WHOLE
        )
        self._from_hex: dict[tuple[Hex, bool], _FirstSteps] = {}
        self._to_hex: dict[Hex, _LastSteps] = {}

    def from_hex(self, hex: Hex, fresh: bool) -> _FirstSteps:
        """Where one step leads from a hex, worked out once for each that a move starts from."""
        steps = self._from_hex.get((hex, fresh))
        if steps is None:
            live = [0] * (self.dearest + 1)
            halted = live.copy()
            ways = self.all_ways if fresh else self.ways
            _push(self.stride, ways, 1 << hex, 0, self.dearest, live, halted)
            steps = tuple(
                (cost, onward, last)
                for cost, (onward, last) in enumerate(zip(live, halted))
                if onward or last
            )
            self._from_hex[hex, fresh] = steps
        return steps

    def to_hex(self, hex: Hex) -> _LastSteps:
        """How a hex is entered, worked out once for each that a path leads through."""
        steps = self._to_hex.get(hex)
        if steps is None:
            bit, stride, openings = 1 << hex, self.stride, len(self.first_ways)
            found: list[tuple[int, bool, bool, Mask]] = []
            for number, (a, b, c, d, e, f, _, _, _, entry, halts) in enumerate(self.all_ways):
                # The shifts of `_push`, backwards.
                before = (
                    (bit & a) << 1
                    | (bit & b) >> 1
                    | (bit & c) >> stride
                    | (bit & d) << stride
                    | (bit & e) >> (stride - 1)
                    | (bit & f) << (stride - 1)
                )
                if before:
                    prices = [price for price, mask in entry if mask & bit]
                    how = bool(halts & bit), number < openings, before
                    found += [(price, *how) for price in prices]
            steps = self._to_hex[hex] = tuple(found)
        return steps

    @classmethod
    def build(
        cls,
        lattice: Lattice,
        enter: Mapping[Points, Mask],
        *,
        extra: Iterable[tuple[Sides, Points]] = (),
        flat: Iterable[tuple[Sides, Points]] = (),
        first: Sides = NO_SIDES,
        whole: Sides = NO_SIDES,
        forbidden: Sides = NO_SIDES,
        halts: Mask = 0,
        scale: int = 0,
    ) -> Costs:
        """The costs of a terrain chart.

        - `enter`: hexes by the points that it takes to enter them. A hex that is in none of the
          masks is entered along a flat side or not at all.
        - `extra`: sides, such as rivers, that cost more. On a side with several they add up.
        - `flat`: sides, such as those that a road crosses, with a cost of their own, whatever the
          terrain behind them and whatever else lies on the side. A unit need not use it.
        - `first`: sides that only the first step may cross, at the ordinary cost.
        - `whole`: sides that only the first step may cross, for the whole allowance.
        - `forbidden`: sides that nothing crosses, not even along a flat one.
        - `halts`: hexes that end the move, unless entered along a flat side.
        - `scale`: ticks to a point; if left out, the least that makes all costs whole.
        """
        extra, flat = tuple(extra), tuple(flat)
        prices = (*enter, *(price for _, price in extra), *(price for _, price in flat))
        scale = scale or lcm(*(Fraction(price).denominator for price in prices))
        terrain = [(_ticks(price, scale), mask & lattice.all) for price, mask in enter.items()]
        enterable = 0
        for _, mask in terrain:
            enterable |= mask
        crossable = _less(lattice.all_sides, forbidden)
        ordinary = {0: _less(_less(crossable, first), whole)}
        opening = {0: _less(_common(crossable, first), whole)}
        for sides, price in extra:
            ticks = _ticks(price, scale)
            ordinary = _dearer(ordinary, sides, ticks)
            opening = _dearer(opening, sides, ticks)
        crossings: list[Crossing] = []
        for classes, at_first in ((ordinary, False), (opening, True)):
            for ticks, sides in classes.items():
                entry = tuple((cost + ticks, mask) for cost, mask in terrain)
                crossings.append(Crossing(sides, entry, halts, at_first))
        for sides, price in flat:
            entry = ((_ticks(price, scale), lattice.all),)
            crossings.append(Crossing(_common(crossable, sides), entry))
        crossings.append(Crossing(_common(crossable, whole), ((WHOLE, enterable),), first=True))
        return cls(lattice, (c for c in crossings if any(c.sides)), scale)

    def ticks(self, points: Points) -> int:
        """Movement points in ticks; an error if that is not a whole number."""
        return _ticks(points, self.scale)

    def points(self, ticks: int) -> Fraction:
        """Ticks in movement points."""
        return Fraction(ticks, self.scale)

    def with_crossings(self, *crossings: Crossing) -> Costs:
        """The same with further ways of stepping, such as roads whose rate depends on the enemy."""
        return Costs(self.lattice, (*self.crossings, *crossings), self.scale)

    def without(self, barred: Sides) -> Costs:
        """The same with some sides closed."""
        crossings = (c._replace(sides=_less(c.sides, barred)) for c in self.crossings)
        return Costs(self.lattice, crossings, self.scale)

    def surcharged(self, mask: Mask, ticks: int) -> Costs:
        """The same with some hexes dearer to enter by any way but a `WHOLE` one."""
        crossings: list[Crossing] = []
        for crossing in self.crossings:
            entry: list[tuple[int, Mask]] = []
            for cost, hexes in crossing.entry:
                if cost == WHOLE:
                    entry.append((cost, hexes))
                else:
                    entry += (cost, hexes & ~mask), (cost + ticks, hexes & mask)
            kept = tuple(pair for pair in entry if pair[1])
            crossings.append(crossing._replace(entry=kept))
        return Costs(self.lattice, crossings, self.scale)

    def _way(self, crossing: Crossing) -> _Way:
        lattice = self.lattice
        everywhere, stride, slant = lattice.all, self.stride, self.stride - 1
        # The shifts of `_push`, which every lattice has, in whatever directions.
        if lattice.flat:
            up, right_up, right, down, left_down, left = crossing.sides
        else:
            right_up, right, down, left_down, left, up = crossing.sides
        a = (up & everywhere) >> 1 & everywhere
        b = (down & everywhere) << 1 & everywhere
        c = (right & everywhere) << stride & everywhere
        d = (left & everywhere) >> stride & everywhere
        e = (right_up & everywhere) << slant & everywhere
        f = (left_down & everywhere) >> slant & everywhere
        entry = tuple(sorted(pair for pair in crossing.entry if pair[0] != WHOLE))
        least = entry[0][0] if entry else 0
        leaves = up | down | right | left | right_up | left_down
        arriving, halts = a | b | c | d | e | f, crossing.halts
        even = len(entry) == 1 and not arriving & (halts | ~entry[0][1])
        return a, b, c, d, e, f, least, leaves, even, entry, halts


class Reach:
    """The outcome of one search: where a unit can go, for how much, and along which hexes."""

    __slots__ = (
        "_apart",
        "_costs",
        "_direct",
        "_fresh",
        "_halted",
        "_leaving",
        "_live",
        "_stops",
        "ends",
        "points",
        "reached",
        "start",
    )

    def __init__(
        self,
        costs: Costs,
        start: Hex,
        points: int,
        ends: Mask,
        reached: Mask,
        live: dict[int, Mask],
        halted: dict[int, Mask],
        direct: Mask,
        stops: Mask,
        apart: Mask,
        leaving: Surcharge,
        fresh: bool,
    ) -> None:
        self._costs = costs
        self.start = start
        self.points = points
        """The allowance, in ticks."""
        self.ends = ends
        """The hexes in which the move may end; never the one that it starts from."""
        self.reached = reached
        """The start and all hexes that can be entered, also those where the move may not end."""
        # By cost, the hexes first entered with leave to go on, and those only to end in.
        self._live = live
        self._halted = halted
        # Entered straight from the start for all that the unit has.
        self._direct = direct
        self._stops = stops
        self._apart = apart
        self._leaving = leaving
        self._fresh = fresh

    @property
    def levels(self) -> list[tuple[int, Mask]]:
        """Each cost in ticks with the hexes that can be entered for it and for no less."""
        if not any(self._halted.values()):
            return list(self._live.items())
        levels: list[tuple[int, Mask]] = []
        seen = 0
        for cost in sorted({*self._live, *self._halted}):
            wave = (self._live.get(cost, 0) | self._halted.get(cost, 0)) & ~seen
            if wave:
                levels.append((cost, wave))
                seen |= wave
        return levels

    def cost(self, hex: Hex) -> int:
        """The least cost of a hex in ticks, at most the whole allowance; -1 if out of reach."""
        bit = 1 << hex
        cost = -1
        for spent, wave in self._live.items():  # in ascending order
            if wave & bit:
                cost = spent
                break
        for spent, wave in self._halted.items():
            if wave & bit and (cost < 0 or spent < cost):
                return spent
        return cost

    def path(self, hex: Hex) -> list[Hex]:
        """A cheapest path from the start to a hex, both included; empty if it is out of reach.

        Of several that cost the same it is always the same one.
        """
        cost = self.cost(hex)
        if cost < 0:
            return []
        if cost == self.points and self._direct >> hex & 1:
            return [self.start, hex]
        halting = not self._live.get(cost, 0) >> hex & 1
        barred = self._stops & ~(1 << self.start)
        path = [hex]
        while hex != self.start:
            hex, cost = self._step_before(hex, cost, halting, barred)
            halting = False
            path.append(hex)
        path.reverse()
        return path

    def _step_before(self, hex: Hex, cost: int, halting: bool, barred: Mask) -> tuple[Hex, int]:
        """The hex from which this one is entered for `cost` in all, and that hex's own cost."""
        costs = self._costs
        tolled, toll = self._leaving
        if self._apart >> hex & 1:
            barred |= self._apart
        live = self._live
        for price, halts, first, before in costs.to_hex(hex):
            if halts is not halting or (first and not self._fresh):
                continue
            rest = cost - price
            near, tolled_near = live.get(rest, 0), 0
            if toll:
                near, tolled_near = near & ~tolled, live.get(rest - toll, 0) & tolled
            if not near and not tolled_near:
                continue
            before ^= before & barred
            if first:
                before &= 1 << self.start
            found = near & before
            if not found:
                found = tolled_near & before
                rest -= toll
            if found:
                return (found & -found).bit_length() - 1, rest
        raise AssertionError(f"No step leads to {costs.lattice.code(hex)} for {cost}.")


def reach(
    costs: Costs,
    start: Hex,
    points: int,
    *,
    blocked: Mask = 0,
    barred: Sides = NO_SIDES,
    stops: Mask = 0,
    apart: Mask = 0,
    leaving: Surcharge = NO_SURCHARGE,
    entering: Surcharge = NO_SURCHARGE,
    minimum: bool = False,
    fresh: bool = True,
    ends_not: Mask = 0,
) -> Reach:
    """Where a unit in `start` can go with so many ticks.

    - `blocked`: hexes that may not be entered, such as those of the enemy.
    - `barred`: sides that may not be crossed this time.
    - `stops`: entering one of these hexes ends the move. Starting in one does not.
    - `apart`: no step leads from one of these hexes straight to another.
    - `leaving`, `entering`: hexes that cost more to leave or to enter.
    - `minimum`: one legal step is always allowed, however much it costs; it takes all the unit has.
    - `fresh`: the unit has not moved yet. If it has, there is no first step and no minimum any
      more: say so when a move goes on after an interruption.
    - `ends_not`: hexes that may be passed but not ended in, such as full stacks.
    """
    lattice = costs.lattice
    if start not in lattice:
        raise ValueError(f"A move starts from a hex of the map, and {start} is none.")
    if points < 0:
        raise ValueError(f"A move needs an allowance of 0 or more, not {points}.")
    if barred is not NO_SIDES:
        costs = costs.without(barred)
    if entering[1]:
        costs = costs.surcharged(*entering)
    tolled, toll = leaving
    special = apart | tolled
    origin = 1 << start
    unseen = enterable = lattice.all & ~(blocked | origin)
    # There is room for costs beyond the allowance too: the minimum needs those of the first step.
    live = [0] * (points + costs.dearest + toll + 1)
    halted = live.copy()

    spent = toll if tolled & origin else 0
    limit = len(live) if minimum else points
    stride, ways = costs.stride, costs.ways
    into = enterable & ~apart if apart & origin else enterable
    for cost, onward, last in costs.from_hex(start, fresh):
        cost += spent
        if cost > limit:
            break
        live[cost] |= onward & into
        halted[cost] |= last & into
    direct = 0
    if fresh and (points or minimum):
        for sides, hexes in costs.whole:
            direct |= lattice.cross(origin, sides) & hexes & into
    if fresh and minimum:
        for cost in range(points + 1, len(live)):
            direct |= (live[cost] | halted[cost]) & into
    halted[points] |= direct

    # What has been seen, or is blocked, is taken out of each wave when its turn comes.
    waves: dict[int, Mask] = {0: origin}
    last_waves: dict[int, Mask] = {}
    ended = 0
    for spent in range(points + 1):
        wave = live[spent] & unseen
        if wave:
            unseen ^= wave
            waves[spent] = wave
            wave ^= wave & stops
            if wave & special:
                for part, toll_paid in ((wave & ~tolled, 0), (wave & tolled, toll)):
                    cost = spent + toll_paid
                    free, tied = part & ~apart, part & apart
                    _push(stride, ways, free, cost, points, live, halted)
                    _push_apart(stride, ways, tied, cost, points, live, halted, apart)
            elif wave and spent < points:
                _push(stride, ways, wave, spent, points, live, halted)
        wave = halted[spent]
        if wave:
            wave &= unseen
            ended |= wave
            last_waves[spent] = wave
    entered = enterable ^ unseen | ended
    return Reach(
        costs,
        start,
        points,
        entered & ~ends_not,
        entered | origin,
        waves,
        last_waves,
        direct,
        stops,
        apart,
        leaving,
        fresh,
    )


def _push(
    stride: int,
    ways: tuple[_Way, ...],
    wave: Mask,
    spent: int,
    limit: int,
    live: list[Mask],
    halted: list[Mask],
) -> None:
    """Step from every hex of a wave in every way; note the arrivals under their costs."""
    # The shifts are the dear part and serve all ways. What leaves the map lands on cells that no
    # way arrives in.
    up = wave >> 1
    down = wave << 1
    right = wave << stride
    left = wave >> stride
    right_up = right >> 1
    left_down = left << 1
    for a, b, c, d, e, f, least, leaves, even, entry, halts in ways:
        if spent + least > limit or not wave & leaves:
            continue
        arrived = up & a | down & b | right & c | left & d | right_up & e | left_down & f
        if even:
            live[spent + least] |= arrived
            continue
        if halts:
            last = arrived & halts
            arrived ^= last
            for cost, mask in entry:
                halted[spent + cost] |= last & mask
        for cost, mask in entry:  # the cheapest first
            if spent + cost > limit:
                break
            live[spent + cost] |= arrived & mask


def _push_apart(
    stride: int,
    ways: tuple[_Way, ...],
    wave: Mask,
    spent: int,
    limit: int,
    live: list[Mask],
    halted: list[Mask],
    apart: Mask,
) -> None:
    """As `_push`, but into none of the hexes of `apart`."""
    onward, last = [0] * len(live), [0] * len(live)
    _push(stride, ways, wave, spent, limit, onward, last)
    for cost in range(len(live)):
        live[cost] |= onward[cost] & ~apart
        halted[cost] |= last[cost] & ~apart


def _ticks(points: Points, scale: int) -> int:
    ticks = points * scale
    if ticks != int(ticks):
        raise ValueError(f"{points} movement points are not a whole number of 1/{scale} points.")
    return int(ticks)


def _less(sides: Sides, gone: Sides) -> Sides:
    a, b, c, d, e, f = (has & ~lost for has, lost in zip(sides, gone))
    return a, b, c, d, e, f


def _common(one: Sides, other: Sides) -> Sides:
    a, b, c, d, e, f = (x & y for x, y in zip(one, other))
    return a, b, c, d, e, f


def _dearer(classes: dict[int, Sides], sides: Sides, ticks: int) -> dict[int, Sides]:
    """Classes of sides by extra cost, after some sides have become dearer."""
    parted: dict[int, Sides] = {}
    for extra, members in classes.items():
        for cost, part in (
            (extra, _less(members, sides)),
            (extra + ticks, _common(members, sides)),
        ):
            a, b, c, d, e, f = (x | y for x, y in zip(parted.get(cost, NO_SIDES), part))
            parted[cost] = a, b, c, d, e, f
    return parted
