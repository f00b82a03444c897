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

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import chain
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

NEVER_LATE: Final = (0, -2)


class Crossing(NamedTuple):
    """One way of stepping over some sides.

    - `sides`: read from the hex that is left, so that a slope can cost more uphill than down.
    - `entry`: pairs of a cost in ticks and the hexes that may be entered for it. Where a step is
      possible in several ways, the cheapest is taken.
    - `halts`: hexes in which a move that came this way must end.
    - `first`: only as the first step of a move. The cost may then be `WHOLE`: the step takes all
      that the unit has, surcharges included, and ends the move.
    - `inside`, `outside`: further sides, crossed so only into the area that a search is told, or
      only into the hexes outside it, such as bridges, which lead to the own bank. So what changes
      with every move need not change the costs.
    """

    sides: Sides
    entry: tuple[tuple[int, Mask], ...]
    halts: Mask = 0
    first: bool = False
    inside: Sides = NO_SIDES
    outside: Sides = NO_SIDES


# Where each of the six shifts arrives over some sides.
_Arrivals: TypeAlias = tuple[Mask, Mask, Mask, Mask, Mask, Mask]


# All steps of one cost: where each of the six shifts arrives, the cost, the hexes that are left,
# whether one must halt.
_Way: TypeAlias = tuple[Mask, Mask, Mask, Mask, Mask, Mask, int, Mask, bool]


_Ways: TypeAlias = tuple[tuple[_Way, ...], tuple[_Way, ...]]


class _Class(NamedTuple):
    """The same before the area of a search is known: arrivals anyhow, inside and outside it."""

    cost: int
    leaves: Mask
    halts: bool
    arrivals: tuple[_Arrivals, _Arrivals, _Arrivals]


# A cost of entering a hex, whether one must halt there, whether by a first step only, from where.
_LastSteps: TypeAlias = tuple[tuple[int, bool, bool, Mask], ...]


class Costs:
    """What each step on a map costs one class of units. Built once, never changed."""

    __slots__ = (
        "_classes",
        "_firsts",
        "_steps",
        "_to_hex",
        "_ways_in",
        "crossings",
        "dearest",
        "halting",
        "lattice",
        "least",
        "scale",
        "stride",
        "varied",
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
            if crossing.first and any(crossing.inside + crossing.outside):
                raise ValueError("A first step does not depend on the area of a search.")
        # Crossing after crossing, the first steps before the others: where one arrives over its
        # sides, and over those that lead inside and outside the area of a search.
        by_first = sorted(self.crossings, key=lambda crossing: not crossing.first)
        self._steps = tuple(
            (crossing, tuple(map(self._arrive, (crossing.sides, *crossing[-2:]))))
            for crossing in by_first
        )
        self._classes, self._firsts = self._by_cost(False), self._by_cost(True)
        self.ways = self._varied_ways(0, NO_SIDES)
        self.halting = any(kind.halts for kind in (*self._classes, *self._firsts))
        """Whether any step ends a move."""
        self.least = min([kind.cost for kind in self._classes], default=1)
        """The lowest cost of a step that is not a first one."""
        self.whole = tuple(
            (crossing.sides, hexes)
            for crossing in self.crossings
            for cost, hexes in crossing.entry
            if cost == WHOLE
        )
        self.varied: Mask = 0
        """The hexes that are entered in one way inside the area of a search, in another outside."""
        for crossing in self.crossings:
            for sides in (crossing.inside, crossing.outside):
                if any(sides):
                    self.varied |= lattice.cross(lattice.all, sides)
        self._ways_in = lru_cache(256)(self._varied_ways)
        self._to_hex: dict[int, _LastSteps] = {}  # a hex, doubled; 1 more inside the area

    def ways_in(self, area: Mask, barred: Sides = NO_SIDES) -> _Ways:
        """The ways of all steps in a search with this area, those of first ones alone apart.

        None of them leads over a barred side.
        """
        if self.varied or barred is not NO_SIDES:
            return self._ways_in(area & self.varied, barred)
        return self.ways

    def _varied_ways(self, area: Mask, barred: Sides) -> _Ways:
        shut = NO_SIDES if barred is NO_SIDES else self._arrive(barred)
        return _ways(self._classes, area, shut), _ways(self._firsts, area, shut)

    def to_hex(self, hex: Hex, area: Mask = 0) -> _LastSteps:
        """How a hex is entered, worked out once for each that a path leads through."""
        here = area >> hex & 1 if self.varied >> hex & 1 else 0
        steps = self._to_hex.get(hex << 1 | here)
        if steps is None:
            bit, stride = 1 << hex, self.stride
            found: list[tuple[int, bool, bool, Mask]] = []
            for crossing, arrivals in self._steps:
                before = 0
                for part in (arrivals[0], arrivals[1 if here else 2]):
                    if part is NO_SIDES:
                        continue
                    a, b, c, d, e, f = part
                    # The shifts of `_push`, backwards.
                    before |= (bit & a) << 1 | (bit & b) >> 1
                    before |= (bit & c) >> stride | (bit & d) << stride
                    before |= (bit & e) >> (stride - 1) | (bit & f) << (stride - 1)
                if before:
                    prices = sorted({price for price, mask in crossing.entry if mask & bit})
                    how = bool(crossing.halts & bit), crossing.first, before
                    found += [(price, *how) for price in prices if price != WHOLE]
            steps = self._to_hex[hex << 1 | here] = tuple(found)
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
        crossings = (
            c._replace(
                sides=_less(c.sides, barred),
                inside=_less(c.inside, barred),
                outside=_less(c.outside, barred),
            )
            for c in self.crossings
        )
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

    def _by_cost(self, first: bool) -> list[_Class]:
        """All steps, first ones or others, by their costs; none that is cheaper in another way."""
        found: dict[tuple[int, bool], list[Mask]] = {}
        for crossing, arrivals in self._steps:
            if crossing.first is not first:
                continue
            for cost, hexes in crossing.entry:
                for halts in (False, True):
                    into = hexes & (crossing.halts if halts else ~crossing.halts)
                    if cost != WHOLE and into:
                        known = found.get((cost, halts), [0] * 18)
                        flat = chain.from_iterable(arrivals)
                        found[cost, halts] = [old | new & into for old, new in zip(known, flat)]
        classes: list[_Class] = []
        cheaper = [0] * 6
        for (cost, halts), known in sorted(found.items()):
            masks = [mask & ~cheaper[n % 6] for n, mask in enumerate(known)]
            if any(masks):
                parts = _six(masks[:6]), _six(masks[6:12]), _six(masks[12:])
                classes.append(_Class(cost, self._left_by(parts), halts, parts))
            if not halts:
                cheaper = [old | new for old, new in zip(cheaper, masks)]
        return classes

    def _left_by(self, parts: Iterable[_Arrivals]) -> Mask:
        """The hexes from which steps arrive so."""
        stride, found = self.stride, 0
        for a, b, c, d, e, f in parts:
            found |= a << 1 | b >> 1 | c >> stride | d << stride
            found |= e >> (stride - 1) | f << (stride - 1)
        return found

    def _arrive(self, sides: Sides) -> _Arrivals:
        if sides is NO_SIDES:
            return NO_SIDES
        lattice = self.lattice
        everywhere, stride, slant = lattice.all, self.stride, self.stride - 1
        # The shifts of `_push`, which every lattice has, in whatever directions.
        if lattice.flat:
            up, right_up, right, down, left_down, left = sides
        else:
            right_up, right, down, left_down, left, up = sides
        return (
            (up & everywhere) >> 1 & everywhere,
            (down & everywhere) << 1 & everywhere,
            (right & everywhere) << stride & everywhere,
            (left & everywhere) >> stride & everywhere,
            (right_up & everywhere) << slant & everywhere,
            (left_down & everywhere) >> slant & everywhere,
        )


class Reach:
    """The outcome of one search: where a unit can go, for how much, and along which hexes."""

    __slots__ = (
        "_apart",
        "_area",
        "_barred",
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
        area: Mask,
        barred: Sides = NO_SIDES,
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
        self._area = area
        self._barred = barred

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

    def nearer(self, hex: Hex) -> Mask:
        """The hexes that cost less than this one: all that a path there could lead through."""
        cost, mask = self.cost(hex), 0
        for spent, wave in self._live.items():  # in ascending order
            if spent >= cost:
                break
            mask |= wave
        return mask

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
        shut = self._stops & ~(1 << self.start)
        path = [hex]
        while hex != self.start:
            hex, cost = self._step_before(hex, cost, halting, shut)
            halting = False
            path.append(hex)
        path.reverse()
        return path

    def _step_before(self, hex: Hex, cost: int, halting: bool, shut: Mask) -> tuple[Hex, int]:
        """The hex from which this one is entered for `cost` in all, and that hex's own cost."""
        costs = self._costs
        tolled, toll = self._leaving
        if self._apart >> hex & 1:
            shut |= self._apart
        if self._barred is not NO_SIDES:
            shut |= costs.lattice.before(1 << hex, self._barred)
        live = self._live
        for price, halts, first, before in costs.to_hex(hex, self._area):
            if halts is not halting or (first and not self._fresh):
                continue
            rest = cost - price
            near, tolled_near = live.get(rest, 0), 0
            if toll:
                near, tolled_near = near & ~tolled, live.get(rest - toll, 0) & tolled
                if not near and not tolled_near:
                    continue
            elif not near:
                continue
            before ^= before & shut
            if first:
                before &= 1 << self.start
            found = near & before
            if not found and toll:
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
    early: tuple[Mask, int] = NEVER_LATE,
    area: Mask = 0,
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
    - `early`: hexes that may be entered for no more than so many ticks, such as enemy zones into
      which the points of a forced march do not lead.
    - `area`: the hexes that some crossings lead `inside`, and others `outside`.
    """
    lattice = costs.lattice
    everywhere = lattice.all
    if start < 0 or not everywhere >> start & 1:
        raise ValueError(f"A move starts from a hex of the map, and {start} is none.")
    if points < 0:
        raise ValueError(f"A move needs an allowance of 0 or more, not {points}.")
    if entering[1]:
        costs = costs.surcharged(*entering)
    origin = 1 << start
    if leaving[1] and not leaving[0] & (~stops | origin):  # nobody who must stop there leaves
        leaving = NO_SURCHARGE
    tolled, toll = leaving
    special = apart | tolled
    unseen = enterable = everywhere & ~(blocked | origin)
    # There is room for costs beyond the allowance too: the minimum needs those of the first step.
    live = [0] * (points + costs.dearest + toll + 1)
    halted = live.copy()

    spent = toll if tolled & origin else 0
    limit = len(live) - 1 if minimum else points
    stride, into = costs.stride, enterable
    ways, firsts = (
        costs.ways_in(area, barred) if costs.varied or barred is not NO_SIDES else costs.ways
    )
    if apart & origin:
        into &= ~apart
        _push_apart(stride, ways, origin, spent, limit, live, halted, apart)
        if fresh and firsts:
            _push_apart(stride, firsts, origin, spent, limit, live, halted, apart)
    else:
        _push(stride, ways, origin, spent, limit, live, halted)
        if fresh and firsts:
            _push(stride, firsts, origin, spent, limit, live, halted)
    direct = 0
    if fresh and (points or minimum):
        for sides, hexes in costs.whole:
            if barred is not NO_SIDES:
                sides = _less(sides, barred)
            direct |= lattice.cross(origin, sides) & hexes & into
    if fresh and minimum:
        for cost in range(points + 1, len(live)):
            direct |= (live[cost] | halted[cost]) & into
    if direct:
        halted[points] |= direct

    # What has been seen, or is blocked, is taken out of each wave when its turn comes.
    waves: dict[int, Mask] = {0: origin}
    last_waves: dict[int, Mask] = {}
    ended = shut = 0
    soon, late = early[0], early[1] + 1
    last_push, halting = points - costs.least, costs.halting or direct
    for spent in range(points + 1):
        if spent == late:
            shut = unseen & soon
            unseen ^= shut
        wave = live[spent] & unseen
        if wave:
            unseen ^= wave
            waves[spent] = wave
            wave ^= wave & stops
            if wave & special:
                for part, toll_paid in ((wave & ~tolled, 0), (wave & tolled, toll)):
                    cost = spent + toll_paid
                    free, tied = part & ~apart, part & apart
                    if free:
                        _push(stride, ways, free, cost, points, live, halted)
                    if tied:
                        _push_apart(stride, ways, tied, cost, points, live, halted, apart)
            elif wave and spent <= last_push:
                # As `_push`, which is not called because this is done many times a decision.
                up = wave >> 1
                down = wave << 1
                right = wave << stride
                left = wave >> stride
                right_up = right >> 1
                left_down = left << 1
                for a, b, c, d, e, f, cost, leaves, halts in ways:
                    cost += spent
                    if cost > points:
                        break
                    if wave & leaves:
                        into = up & a | down & b | right & c | left & d | right_up & e
                        into |= left_down & f
                        if halts:
                            halted[cost] |= into
                        else:
                            live[cost] |= into
        if halting and halted[spent]:
            wave = halted[spent] & unseen
            ended |= wave
            last_waves[spent] = wave
    entered = enterable ^ (unseen | shut) | ended
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
        area,
        barred,
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
    for a, b, c, d, e, f, cost, leaves, halts in ways:
        cost += spent
        if cost > limit:
            return
        if wave & leaves:
            arrived = up & a | down & b | right & c | left & d | right_up & e | left_down & f
            if halts:
                halted[cost] |= arrived
            else:
                live[cost] |= arrived


def _ways(classes: Iterable[_Class], area: Mask, barred: _Arrivals) -> tuple[_Way, ...]:
    """The ways of steps in a search with an area, over none of the barred sides."""
    u, v, w, x, y, z = barred
    beyond = ~area
    ways: list[_Way] = []
    for cost, leaves, halts, ((a, b, c, d, e, f), inside, outside) in classes:
        if any(inside):
            g, h, i, j, k, m = inside
            a, b, c = a | g & area, b | h & area, c | i & area
            d, e, f = d | j & area, e | k & area, f | m & area
        if any(outside):
            g, h, i, j, k, m = outside
            a, b, c = a | g & beyond, b | h & beyond, c | i & beyond
            d, e, f = d | j & beyond, e | k & beyond, f | m & beyond
        if barred is not NO_SIDES:
            a, b, c, d, e, f = a & ~u, b & ~v, c & ~w, d & ~x, e & ~y, f & ~z
        ways.append((a, b, c, d, e, f, cost, leaves, halts))
    return tuple(ways)


def _six(masks: Sequence[Mask]) -> _Arrivals:
    a, b, c, d, e, f = masks
    return a, b, c, d, e, f


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
