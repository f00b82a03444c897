"""Chapter 5: how far a stack can go, by ordinary, Extended and Tactical Movement."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

from apennine.hexes import NO_SIDES, Mask, Sides, bits, mask_of
from apennine.kernel.decision import maker
from apennine.mechanics.ground import union
from apennine.mechanics.reach import NO_SURCHARGE, Costs, Reach, Surcharge, reach

from ..table.position import ALLIED, Table
from ..table.war import MECHANISED, War
from ..table.whereabouts import Presence
from .c02_pieces import mountaineers, occupied, there
from .c05_areas import closed_land
from .c05_control import controlled
from .c06_zones import zone
from .c07_bonds import Bonds, bonds
from .c25_options import pontoons, worn_sides


class March:
    """Where a stack can go from where it is."""

    __slots__ = ("_near", "_tactical", "ends", "here", "most", "on", "points", "runs", "strides")

    def __init__(
        self,
        on: Bounds,
        here: int,
        runs: tuple[Reach, ...],
        spend: Means,
        fresh: bool,
    ) -> None:
        self.on = on
        self.here = here
        self.runs = runs
        """By points, those of Extended Movement after the others; in two parts where that is barred
        from hexes through which ordinary movement leads (13.3.3)."""
        self.points = spend.points
        """The ticks of ordinary movement; -1 if the stack moves tactically only."""
        self.most = spend.points + spend.extra
        """The same with Extended Movement (5.3)."""
        self.strides = spend.strides
        self._near: Reach | None = None
        self._tactical = fresh
        self.ends: Mask = runs[0].ends if runs else 0
        if len(runs) > 1:
            self.ends |= runs[1].ends
        # Tactical Movement is looked at only if it could lead anywhere else.
        if spend.strides > 0 and on.plain.lattice.disc(here, spend.strides) & on.free & ~(
            self.ends | 1 << here
        ):
            self.ends |= self._go_near().ends

    @property
    def near(self) -> Reach | None:
        """By Tactical Movement (5.4); a tick is a hex."""
        if self.strides <= 0:
            return None
        return self._near or self._go_near()

    def _go_near(self) -> Reach:
        on = self.on
        self._near = reach(
            on.tactics,
            self.here,
            self.strides,
            blocked=~on.free,
            barred=on.barred,
            stops=on.zone,
            fresh=self._tactical,
        )
        return self._near

    def cost(self, hex: int) -> int:
        """What a hex costs by points, in ticks; -1 if they do not lead there."""
        for run in self.runs:
            cost = run.cost(hex)
            if cost >= 0:
                return cost
        return -1

    def is_ordinary(self, hex: int) -> bool:
        """Whether ordinary movement leads to a hex."""
        return 0 <= self.cost(hex) <= self.points

    def is_close(self, hex: int) -> bool:
        """Whether Tactical Movement might lead to a hex: it is no farther than its strides."""
        strides = self.strides
        return strides > 0 and bool(self.on.plain.lattice.disc(self.here, strides) >> hex & 1)

    def crossed(self, hex: int) -> tuple[int, Mask]:
        """What a hex costs by points, and all hexes through which the way there could lead."""
        run = self._run_to(hex)
        return run.cost(hex), run.nearer(hex) & ~(1 << self.here) | 1 << hex

    def path(self, hex: int, few: bool) -> list[int]:
        """The way to a hex from where the stack is: that which leaves it most to go on with.

        Artillery must not go far (17.3b): for it that with the fewest hexes.
        """
        return self.way(hex, few)[0]

    def way(self, hex: int, few: bool) -> tuple[list[int], int]:
        """The same, and what it costs by points; -1 if it is the way of Tactical Movement."""
        cost = self.cost(hex)
        near = self.near if self.is_close(hex) else None
        if near and near.ends >> hex & 1:
            tactical = near.path(hex)
            if few or not 0 <= cost <= self.points:
                return tactical, -1
            by_points = self._by_points(hex)
            left = self.points > cost
            return (by_points, cost) if left or len(by_points) == len(tactical) else (tactical, -1)
        return self._by_points(hex), cost

    def _by_points(self, hex: int) -> list[int]:
        return self._run_to(hex).path(hex)

    def _run_to(self, hex: int) -> Reach:
        for run in self.runs:
            if run.ends >> hex & 1:
                return run
        raise ValueError(f"{hex} is out of reach.")


def kinds_of(war: War, pos: Table, units: Mask) -> int:
    """The classes of a stack, as bits; units in trucks move as mechanised ones (5.7b)."""
    kinds, ridden = 0, units & pos.trucked
    if ridden:
        kinds, units = 1 << MECHANISED, units & ~ridden
    for kind, members in enumerate(war.of_class):
        if units & members:
            kinds |= 1 << kind
    return kinds


def allowance(war: War, pos: Table, unit: int) -> int:
    """The movement allowance of a unit in ticks (5.1a); of one in trucks theirs (5.7b)."""
    if pos.trucked >> unit & 1:
        return war.ticks(war.book.march.truck)
    return war.ticks_of[unit][pos.steps[unit]]


def extension(war: War, pos: Table, unit: int) -> int:
    """What Extended Movement adds for a unit, in ticks (5.3a)."""
    return war.extended[MECHANISED if pos.trucked >> unit & 1 else war.class_of[unit]]


class Means(NamedTuple):
    """What a stack may spend on a move."""

    points: int
    """Ticks; -1 if it moves tactically only."""
    extra: int
    """The ticks of Extended Movement."""
    strides: int
    """Hexes of Tactical Movement."""


def means(war: War, pos: Table, units: Mask) -> Means:
    """What units that start together may spend: as much as the slowest of them (5.1b).

    Disrupted units (13.2.1a) and mechanised ones out of supply (16.4a) move tactically only, those
    with a Replacement marker a single hex (20.4a). In Full Retreat one may move all of it (13.3.1).
    """
    march = war.book.march
    slow = pos.disrupted | pos.replaced | pos.hungry & war.mechanised
    strides = march.replaced if units & pos.replaced else march.tactical
    if units & slow:
        return Means(-1, 0, strides)
    each = [(allowance(war, pos, u), extension(war, pos, u)) for u in bits(units)]
    if len(each) == 1:
        return Means(*each[0], strides)
    points = min([first for first, _ in each])
    most = min([first + more for first, more in each])
    return Means(points, most - points, strides)


class Bounds(NamedTuple):
    """What bounds the moves of a stack at this moment."""

    enemies: Mask
    bonds: Bonds
    zone: Mask
    shy: Mask
    """Hexes next to enemies in Full Retreat, closed to Extended Movement (13.3.3)."""
    slow: Mask
    """Where roads are slow (5.2.2)."""
    closed: Mask
    """Hexes that it may not enter, beside those of the enemy and his Hex Bonds."""
    free: Mask
    """Hexes that it may enter."""
    barred: Sides
    """Sides that it may not cross, whatever the ground: Hexside Bonds of the enemy (7.2a)."""
    plain: Costs
    """By points."""
    tactics: Costs


new_bounds: Callable[[tuple[Any, ...]], Bounds] = maker(Bounds)


class Enemies(NamedTuple):
    """What the units of the other side mean for every stack that moves."""

    present: Presence
    bonds: Bonds
    routed: Mask
    turn: int
    zone: Mask
    shy: Mask
    """The hexes next to those in Full Retreat."""
    slow: Mask
    closed: Mask
    """The part of the 8th Army zone that is not to be entered."""
    free: Mask


def enemies_of(war: War, pos: Table, side: int) -> Enemies:
    """The enemies of a side, looked at again only if something has changed with them."""
    enemy, turn = 1 - side, pos.turn
    held = bonds(war, pos, enemy)
    present = war.lookouts.there[enemy]  # just looked at for the bonds
    routed = pos.routed & war.army[enemy]
    known: Enemies | None = war.enemies_known[side]
    if known:
        seen = known[:4]
        if seen[0] is present and seen[1] is held and seen[2] == routed and seen[3] == turn:
            return known
    occupied = present.occupied
    closed = closed_land(war, pos, side)
    known = Enemies(
        present,
        held,
        routed,
        turn,
        zone(war, pos, enemy),
        war.lattice.dilate(fleeing(war, pos, enemy)),
        war.near(occupied),
        closed,
        war.ground.land & ~(occupied | closed | held.hexes),
    )
    war.enemies_known[side] = known
    return known


def bounds(war: War, pos: Table, movers: Mask, here: int) -> Bounds:
    """What bounds a stack that is in a hex, or comes from an entry area."""
    side = pos.side
    present, held, _, _, stops, shy, slow, closed, free = enemies_of(war, pos, side)
    if side == ALLIED and here < war.lattice.size and closed >> here & 1:
        free |= closed & ~(present.occupied | held.hexes)
        closed = no_way_out(war, here)
        free &= ~closed
    if movers & pos.routed:
        closed |= shunned(war, pos, movers)
        free &= ~closed
    kinds, wet = kinds_of(war, pos, movers), war.wet[pos.weather]
    climbs = not movers & ~mountaineers(war, pos)
    barred, floats = held.sides, NO_SIDES
    if movers & pos.halved:
        barred = union((barred, worn_sides(war, pos, movers)))
    if pos.pontoons:
        floats = pontoons(war, pos, side, movers)
    plain, tactics = war.costs(kinds, wet, floats), war.tactics(kinds, climbs, wet, floats)
    found = present.occupied, held, stops, shy, slow, closed, free, barred, plain, tactics
    return new_bounds(found)


def no_way_out(war: War, here: int) -> Mask:
    """5.8.2c: the hexes of the 8th Army zone that do not lead out of it from a hex there."""
    depth = war.ground.depth
    return mask_of(hex for hex in bits(war.ground.eighth_army) if depth[hex] >= depth[here])


def shunned(war: War, pos: Table, movers: Mask) -> Mask:
    """What units in Full Retreat may not enter: enemy cities (13.3.2c), and hexes next to enemies.

    These only with a friend who is not in Full Retreat, there or among the movers (13.3.2b).
    """
    enemy = 1 - pos.side
    cities = controlled(war, pos, enemy) & war.ground.cities
    if movers & ~pos.routed:
        return cities
    present = there(war, pos, pos.side)
    steady = present.occupied
    for unit in bits(present.units & pos.routed):
        if not present.stacks[pos.hex[unit]] & ~pos.routed:
            steady &= ~(1 << pos.hex[unit])
    return cities | war.lattice.dilate(occupied(war, pos, enemy)) & ~steady


def find_march(
    war: War,
    pos: Table,
    movers: Mask,
    here: int,
    points: int,
    extra: int,
    strides: int,
    fresh: bool,
) -> March:
    """Where units that are together in a hex can go with so many ticks or hexes.

    `points` is -1 if they may not move by points, `strides` 0 or less if not tactically. They may
    pass through their own side's stacks, however high, and end in them (4.4a).
    """
    on = bounds(war, pos, movers, here)
    spend = Means(points, extra, strides)
    toll = (on.zone, war.leaving) if movers & ~pos.routed else NO_SURCHARGE  # 13.3.2b
    runs = _runs(on, here, spend, fresh, toll) if points >= 0 else ()
    found = March(on, here, runs, spend, fresh)
    if pos.half_effects and movers & war.vehicles:
        shun_second_rivers(war, found, bool(movers & war.artillery))
    return found


def over_ground(war: War, pos: Table, movers: Mask, here: int, spend: Means, fresh: bool) -> Mask:
    """Where a stack could go if no enemy were in its way; roads are slow near enemies all the same.

    To tell why it cannot.
    """
    on = bounds(war, pos, movers, here)
    barred, found = worn_sides(war, pos, movers), 0
    if spend.points >= 0:
        most = spend.points + spend.extra
        found |= reach(on.plain, here, most, fresh=fresh, area=on.slow, barred=barred).ends
    if spend.strides > 0:
        found |= reach(on.tactics, here, spend.strides, fresh=fresh, barred=barred).ends
    return found


def past_bonds(on: Bounds, here: int, spend: Means, fresh: bool) -> Mask:
    """Where a stack could go if enemies had no zones of control, but their bonds."""
    past = partial(reach, start=here, blocked=~on.free, barred=on.barred, fresh=fresh)
    found = 0
    if spend.points >= 0:
        found |= past(on.plain, points=spend.points + spend.extra, area=on.slow).ends
    if spend.strides > 0:
        found |= past(on.tactics, points=spend.strides).ends
    return found


def fleeing(war: War, pos: Table, side: int) -> Mask:
    """The hexes with units in Full Retreat, next to which nobody extends his movement (13.3.3)."""
    found = 0
    for unit in bits(pos.routed & war.army[side]):
        found |= war.ground.bit[pos.hex[unit]]
    return found


def _runs(on: Bounds, here: int, spend: Means, fresh: bool, toll: Surcharge) -> tuple[Reach, ...]:
    """By points. Those of Extended Movement lead neither into zones nor next to those who run."""
    points, extra, _ = spend
    stops, calm = on.zone, on.zone | on.shy
    way = partial(
        reach,
        on.plain,
        here,
        blocked=~on.free,
        barred=on.barred,
        leaving=toll,
        fresh=fresh,
        area=on.slow,
    )
    if extra > 0 and calm == stops:
        return (way(points + extra, stops=stops, early=(calm, points)),)
    plain = way(points, stops=stops)
    if extra <= 0:
        return (plain,)
    return plain, way(points + extra, blocked=~on.free | calm)


def shun_second_rivers(war: War, found: March, few: bool) -> None:
    """25.2d: vehicles do not go where the way leads over two rivers without a bridge."""
    unbridged, direction = war.ground.unbridged, war.lattice.direction
    for hex in bits(found.ends):
        path = found.path(hex, few)
        if sum(unbridged[direction(a, b)] >> a & 1 for a, b in pairwise(path)) > 1:
            found.ends &= ~(1 << hex)


class Step(NamedTuple):
    """A step from a hex to the next, by points and by Tactical Movement."""

    price: int
    """In ticks; -1 if points do not lead there."""
    halts: bool
    """Whether by points one must stop there, in a marsh (5.1f)."""
    strides: bool
    """Whether Tactical Movement leads there."""


def step(on: Bounds, here: int, hex: int, fresh: bool, tactically: bool) -> Step:
    """What a step costs a stack on its way, in either manner, if it still may go `tactically`."""
    price, halts = cheapest(on.plain, here, hex, fresh, on.slow) or (-1, False)
    near = tactically and cheapest(on.tactics, here, hex, fresh) is not None
    return Step(price, halts, near)


def cheapest(
    costs: Costs, here: int, hex: int, fresh: bool, slow: Mask = 0
) -> tuple[int, bool] | None:
    """The least price of a step and whether it ends the move; None if there is no such step."""
    best = None
    for price, halts, first, before in costs.to_hex(hex, slow):
        if before >> here & 1 and (fresh or not first):
            found = price, halts
            if best is None or found < best:
                best = found
    return best
