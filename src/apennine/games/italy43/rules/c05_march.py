"""Chapter 5: how far a stack can go, by ordinary, Extended and Tactical Movement."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from apennine.hexes import Mask, bits, mask_of
from apennine.mechanics.ground import union
from apennine.mechanics.reach import Costs, Reach, reach

from ..table.position import ALLIED, Table
from ..table.war import MECHANISED, War
from .c02_pieces import is_wet, mountaineers, occupied, there
from .c05_areas import closed_land
from .c05_control import controlled
from .c06_zones import zone
from .c07_bonds import Bonds, bonds
from .c25_options import pontoons, worn_sides


class March:
    """Where a stack can go from where it is."""

    __slots__ = ("ends", "far", "near", "plain", "zone")

    def __init__(
        self, plain: Reach | None, far: Reach | None, near: Reach | None, zone: Mask
    ) -> None:
        self.plain = plain
        """By ordinary movement."""
        self.far = far
        """By Extended Movement (5.3)."""
        self.near = near
        """By Tactical Movement (5.4); a tick is a hex."""
        self.zone = zone
        """The enemy zone of control, in which the stack must stop (6.2a)."""
        self.ends: Mask = 0
        for found in (plain, far, near):
            if found:
                self.ends |= found.ends

    def path(self, hex: int, few: bool) -> list[int]:
        """The way to a hex from where the stack is: that which leaves it most to go on with.

        Artillery must not go far (17.3b): for it that with the fewest hexes.
        """
        near, plain = self.near, self.plain
        if near and near.ends >> hex & 1:
            tactical = near.path(hex)
            if few or not plain or not plain.ends >> hex & 1:
                return tactical
            by_points = plain.path(hex)
            left = plain.points > plain.cost(hex)
            return by_points if left or len(by_points) == len(tactical) else tactical
        for found in (plain, self.far):
            if found and found.ends >> hex & 1:
                return found.path(hex)
        raise ValueError(f"{hex} is out of reach.")


def kinds_of(war: War, pos: Table, units: Mask) -> int:
    """The classes of a stack, as bits; units in trucks move as mechanised ones (5.7b)."""
    kinds = 0
    for unit in bits(units):
        kinds |= 1 << (MECHANISED if pos.trucked >> unit & 1 else war.class_of[unit])
    return kinds


def allowance(war: War, pos: Table, unit: int) -> int:
    """The movement allowance of a unit in ticks (5.1a); of one in trucks theirs (5.7b)."""
    if pos.trucked >> unit & 1:
        return war.ticks(war.book.march.truck)
    return war.ticks(war.moves[unit][pos.steps[unit]])


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
    points = min([allowance(war, pos, unit) for unit in bits(units)])
    most = min([allowance(war, pos, u) + extension(war, pos, u) for u in bits(units)])
    return Means(points, most - points, strides)


class Bounds(NamedTuple):
    """What bounds the moves of a stack at this moment."""

    enemies: Mask
    bonds: Bonds
    zone: Mask
    shy: Mask
    """Hexes next to enemies in Full Retreat, closed to Extended Movement (13.3.3)."""
    closed: Mask
    """Other hexes that it may not enter."""
    plain: Costs
    """By points."""
    tactics: Costs


def bounds(war: War, pos: Table, movers: Mask, here: int) -> Bounds:
    """What bounds a stack that is in a hex, or comes from an entry area."""
    enemy = 1 - pos.side
    enemies, held = occupied(war, pos, enemy), bonds(war, pos, enemy)
    kinds, wet = kinds_of(war, pos, movers), is_wet(war, pos)
    barred = held.sides
    worn = movers & pos.halved
    if worn:
        barred = union((barred, worn_sides(war, pos, worn)))
    floats = pontoons(war, pos, pos.side, movers)
    climbs = not movers & ~mountaineers(war, pos)
    closed = closed_land(war, pos, pos.side)
    if pos.side == ALLIED and here < war.lattice.size and closed >> here & 1:
        closed = no_way_out(war, here)
    if movers & pos.routed:
        closed |= shunned(war, pos, movers)
    return Bounds(
        enemies,
        held,
        zone(war, pos, enemy),
        war.lattice.dilate(fleeing(war, pos, enemy)),
        closed,
        war.costs(kinds, wet, war.near(enemies), barred, floats),
        war.tactics(kinds, climbs, wet, barred, floats),
    )


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
    steady = 0
    for unit in bits(there(war, pos, pos.side).units & ~pos.routed):
        steady |= war.ground.bit[pos.hex[unit]]
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
    blocked = on.enemies | on.closed | on.bonds.hexes
    spend, calm = (points, extra, strides, fresh), on.zone | on.shy
    routed = bool(movers & pos.routed)
    found = _march(on.plain, on.tactics, war.leaving, here, spend, blocked, on.zone, calm, routed)
    if pos.half_effects and movers & war.vehicles:
        return without_second_rivers(war, found, bool(movers & war.artillery))
    return found


def over_ground(war: War, pos: Table, movers: Mask, here: int, spend: Means, fresh: bool) -> Mask:
    """Where a stack could go if no enemy were in its way; roads are slow near enemies all the same.

    To tell why it cannot.
    """
    kinds, wet = kinds_of(war, pos, movers), is_wet(war, pos)
    near = war.near(occupied(war, pos, 1 - pos.side))
    climbs = not movers & ~mountaineers(war, pos)
    barred, floats = worn_sides(war, pos, movers), pontoons(war, pos, pos.side, movers)
    found = 0
    if spend.points >= 0:
        costs = war.costs(kinds, wet, near, barred, floats)
        found |= reach(costs, here, spend.points + spend.extra, fresh=fresh).ends
    if spend.strides > 0:
        tactics = war.tactics(kinds, climbs, wet, barred, floats)
        found |= reach(tactics, here, spend.strides, fresh=fresh).ends
    return found


def past_bonds(on: Bounds, here: int, spend: Means, fresh: bool) -> Mask:
    """Where a stack could go if enemies had no zones of control, but their bonds."""
    shut, found = on.enemies | on.closed | on.bonds.hexes, 0
    if spend.points >= 0:
        most = spend.points + spend.extra
        found |= reach(on.plain, here, most, blocked=shut, fresh=fresh).ends
    if spend.strides > 0:
        found |= reach(on.tactics, here, spend.strides, blocked=shut, fresh=fresh).ends
    return found


def fleeing(war: War, pos: Table, side: int) -> Mask:
    """The hexes with units in Full Retreat, next to which nobody extends his movement (13.3.3)."""
    found = 0
    for unit in bits(pos.routed & war.army[side]):
        found |= war.ground.bit[pos.hex[unit]]
    return found


@lru_cache(2048)
def _march(
    costs: Costs,
    tactics: Costs,
    leaving: int,
    here: int,
    spend: tuple[int, int, int, bool],
    blocked: Mask,
    stops: Mask,
    calm: Mask,
    routed: bool,
) -> March:
    points, extra, strides, fresh = spend
    plain = far = near = None
    if points >= 0:
        toll = (0, 0) if routed else (stops, leaving)  # 13.3.2b
        plain = reach(costs, here, points, blocked=blocked, stops=stops, leaving=toll, fresh=fresh)
        if extra > 0:
            most, shut = points + extra, blocked | calm
            far = reach(costs, here, most, blocked=shut, leaving=toll, fresh=fresh)
    if strides > 0:
        near = reach(tactics, here, strides, blocked=blocked, stops=stops, fresh=fresh)
    return March(plain, far, near, stops)


def without_second_rivers(war: War, found: March, few: bool) -> March:
    """25.2d: vehicles do not go where the way leads over two rivers without a bridge."""
    unbridged, direction = war.ground.unbridged, war.lattice.direction
    left = March(found.plain, found.far, found.near, found.zone)
    for hex in bits(found.ends):
        path = found.path(hex, few)
        if sum(unbridged[direction(a, b)] >> a & 1 for a, b in pairwise(path)) > 1:
            left.ends &= ~(1 << hex)
    return left


class Step(NamedTuple):
    """A step from a hex to the next, by points and by Tactical Movement."""

    price: int
    """In ticks; -1 if points do not lead there."""
    halts: bool
    """Whether by points one must stop there, in a marsh (5.1f)."""
    strides: bool
    """Whether Tactical Movement leads there."""
    ends: bool
    """Whether by Tactical Movement one must stop there."""


def step(on: Bounds, here: int, hex: int, fresh: bool) -> Step:
    """What a step costs a stack on its way, in either manner."""
    plain, tactical = (cheapest(costs, here, hex, fresh) for costs in (on.plain, on.tactics))
    price, halts = plain or (-1, False)
    return Step(price, halts, bool(tactical), bool(tactical and tactical[1]))


def cheapest(costs: Costs, here: int, hex: int, fresh: bool) -> tuple[int, bool] | None:
    """The least price of a step and whether it ends the move; None if there is no such step."""
    return min(
        (
            (price, halts)
            for price, halts, first, before in costs.to_hex(hex)
            if before >> here & 1 and (fresh or not first)
        ),
        default=None,
    )
