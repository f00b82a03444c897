"""B4C: how far units can go, by ordinary and by Strategic Movement."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import compress
from typing import NamedTuple, cast

from apennine.hexes import Mask

from ..table.position import GERMAN, NOWHERE, Table
from ..table.war import GOOD, MUD, TRAIL, Step, War
from .b4e_zones import attackers_in, doomed, front, strong_hexes, zone

ONE = ord("1")
DIGITS = b"0" + b"1" * 255
"""By what has changed in a byte, a binary digit."""
NO_NODES = bytearray()


class Gait(NamedTuple):
    """How units move: what must be the same for all that move together."""

    allowance: int
    """Half points, interdiction counted (D3D1c)."""
    climbs: bool
    """As mountain units (D8B)."""
    soft: bool
    """Without a defence factor: barred from enemy zones (C10B2a, C11B7)."""
    armed: bool
    """With an attack factor: goes through those who have no defence (C10C5)."""


def gait(war: War, pos: Table, unit: int) -> Gait:
    """How a unit moves."""
    bit, points = 1 << unit, war.allowance[unit]
    if pos.slowed & bit:
        points //= 2
    climbs = pos.mountain and war.mountaineers & bit != 0
    return _gait(points, climbs, pos.soft & bit != 0, war.faces[unit][pos.steps[unit]][0] > 0)


_gait = lru_cache(None)(Gait)  # few, made many times a decision


class Reach:
    """Where units can go from where they are, for how much, and along which hexes."""

    __slots__ = ("_origin", "_rest", "_taken", "_war", "ends", "points")

    def __init__(
        self,
        war: War,
        points: int,
        origin: int = NOWHERE,
        rest: bytearray = NO_NODES,
        taken: Sequence[Sequence[Step]] = (),
        ends: Mask = 0,
    ) -> None:
        self._war = war
        self._origin = origin
        self.points = points
        self.ends = ends
        """The hexes in which the move may end."""
        # By node one more than is left there of the points; by that, the steps that led there.
        self._rest = rest
        self._taken = taken

    def _cheapest(self, hex: int) -> int:
        """The node of a hex that costs least to reach."""
        return max(self._war.nodes_of[hex], key=self._rest.__getitem__)

    def cost(self, hex: int) -> int:
        """The half points to a hex; -1 if it is out of reach."""
        return self.points + 1 - self._rest[self._cheapest(hex)] if self.ends >> hex & 1 else -1

    def among(self, hexes: Mask) -> Reach:
        """The same as far as it ends in some hexes."""
        return Reach(
            self._war, self.points, self._origin, self._rest, self._taken, self.ends & hexes
        )

    def path(self, hex: int) -> list[int]:
        """The nodes of the cheapest way to a hex, without that where it begins."""
        found = [self._cheapest(hex)]
        while (before := self._before(found[-1])) not in (NOWHERE, self._origin):
            found.append(before)
        return found[::-1]

    def _before(self, node: int) -> int:
        """From where one comes to a node."""
        for target, _, _, before in self._taken[self._rest[node]]:
            if target == node:
                return before
        raise ValueError(f"{node} is out of reach.")


def reach(
    war: War,
    starts: Sequence[tuple[int, int]],
    points: int,
    pace: str,
    climbs: bool,
    blocked: Mask,
    stops: Mask,
    climb: int,
    least: int = 0,
) -> Reach:
    """All that can be reached from some nodes, each with the half points spent so far.

    Nobody goes into `blocked` hexes, or on from `stops` ones, which are entered only while at
    `least` so many half points are left. `climb` is what a side all of High Apennine costs: 0 if it
    cannot be crossed, and all that there is if it ends the move (then it must be the first step).
    """
    paths = war.paths(pace, climbs)
    base, unchanged, halts = war.reach_base(blocked, stops, least)
    rest = base[:]
    steps, steep = paths.steps, paths.climbs
    # By what is left and one, the steps that have been taken.
    taken: list[list[Step]] = [[] for _ in range(points + 2)]
    for node, spent in starts:
        left = points - spent + 1
        if left > rest[node]:
            rest[node] = left
            taken[left].append((node, spent, steps[node], NOWHERE))
    first = len(starts) == 1 and not starts[0][1]
    origin = starts[0][0] if first else NOWHERE
    for left in range(points + 1, 1, -1):
        for node, _, following, _ in taken[left]:
            if rest[node] != left or (halts[node] and node != origin):
                continue
            for step in following:
                target, price, _, _ = step
                after = left - price
                if after > rest[target]:
                    rest[target] = after
                    taken[after].append(step)
            if climb and climb < left:
                after = left - climb
                for target in steep[node]:
                    if after > rest[target]:
                        rest[target] = after
                        taken[after].append((target, climb, steps[target], node))
    # Where anything has changed one has come. All nodes at once, from the last to the first.
    changed = (int.from_bytes(rest, "little") ^ unchanged).to_bytes(len(rest), "big")
    size = war.lattice.size
    marks = bytearray(changed[-size:].translate(DIGITS))
    for hex in compress(war.bound_hexes, changed):
        marks[~hex] = ONE
    return Reach(war, points, origin, rest, taken, int(marks, 2))


class Bounds(NamedTuple):
    """What bounds the moves of some units at this moment."""

    enemies: Mask
    """Hexes that they may not enter."""
    zone: Mask
    """The enemy zone of control."""


def bounds(war: War, pos: Table, movers: Mask) -> Bounds:
    """What bounds the moves of units of one side."""
    enemy = 1 - war.side_of[(movers & -movers).bit_length() - 1]
    met = front(war, pos, enemy)
    if movers & war.partisans:  # E10D3: no zone stops them
        return Bounds(strong_hexes(war, pos, enemy), 0)
    if not (met.soft or pos.claims):
        return Bounds(met.strong, met.zone)
    enemies = strong_hexes(war, pos, enemy)
    if not attackers_in(war, pos, movers):
        enemies |= met.weak | doomed(pos)  # C10B5: they do not stack
    return Bounds(enemies, zone(war, pos, enemy))


class March:
    """Where a stack can go: by ordinary movement, and by Strategic Movement."""

    __slots__ = ("ends", "far", "near", "zone")

    def __init__(self, near: Reach | None, far: Reach | None, zone: Mask, shut: Mask) -> None:
        self.near = near
        """By ordinary movement; of hexes that are reached by either, no more than is needed."""
        self.far = far
        self.zone = zone
        self.ends: Mask = 0
        for found in (near, far):
            if found:
                self.ends |= found.ends
        self.ends &= ~shut

    def path(self, hex: int) -> tuple[list[int], int]:
        """The nodes to a hex, and what they cost in half points."""
        for found in (self.near, self.far):
            if found and found.ends >> hex & 1:
                return found.path(hex), found.cost(hex)
        raise ValueError(f"{hex} is out of reach.")


def pace_of(war: War, pos: Table) -> str:
    """The line of the terrain chart for the weather (C3)."""
    return MUD if war.in_mud(pos) else GOOD


def find_march(
    war: War, pos: Table, how: Gait, node: int, points: int, extra: int, fresh: bool, movers: Mask
) -> March:
    """Where units with a gait can go from a node with so many half points.

    Who starts in an enemy zone goes to no other straight away (B4E14); who enters one stops
    (B4E2); by Strategic Movement none is entered at all, since one does not fight (B4C14b).
    """
    on, closed, pace = bounds(war, pos, movers), watched(war, pos, movers), pace_of(war, pos)
    if movers & war.partisans:
        pace += TRAIL  # E10D4
    question = node, points, extra, fresh, how, pace, on, closed
    asked, known = war.marched
    if asked == question:  # a move asks whether there is a way on, and its next menu which ways
        return cast("March", known)
    found = _march(war, how, node, points, extra, fresh, on, closed, pace)
    war.marched = question, found
    return found


def _march(
    war: War,
    how: Gait,
    node: int,
    points: int,
    extra: int,
    fresh: bool,
    on: Bounds,
    closed: Mask,
    pace: str,
) -> March:
    here, held = war.node_hex[node], on.zone
    shut = (on.enemies | held if how.soft else on.enemies) & ~(1 << here)
    stays = 1 << here | war.ground.passing
    starts, most = [(node, 0)], points + extra
    from_zone = held >> here & 1 and not how.soft
    steep = how.climbs or (fresh and war.paths(pace, how.climbs).climbs[node])
    if points > 0 and extra > 0 and not (from_zone or steep or closed):
        # One search for both: it enters zones only for the points of ordinary movement.
        whole = reach(war, starts, most, pace, how.climbs, shut, held, 0, extra)
        return March(whole.among(held), whole.among(~held), held, stays)
    near = far = None
    if from_zone and points > 0:
        near = _from_zone(war, how, node, points, on, fresh, pace)
    elif points > 0:
        climb = _climb(how, points, fresh)
        near = reach(war, starts, points, pace, how.climbs, shut, held, climb)
    if extra > 0:
        shut = (on.enemies | held | closed) & ~(1 << here)
        climb = _climb(how, most, fresh, 2)
        far = reach(war, starts, most, pace, how.climbs, shut, 0, climb)
    return March(near, far, held, stays)


def watched(war: War, pos: Table, movers: Mask) -> Mask:
    """D3D2: interdicted hexes, through which no German unit goes by Strategic Movement."""
    return pos.watched if movers & war.army[GERMAN] else 0


def _climb(how: Gait, points: int, fresh: bool, times: int = 1) -> int:
    """What a side all of High Apennine costs: all, at the start alone (B4C11c); half (D8B3)."""
    if how.climbs:
        return how.allowance * times // 2
    return points if fresh else 0


def _from_zone(
    war: War, how: Gait, node: int, points: int, on: Bounds, fresh: bool, pace: str
) -> Reach:
    """B4E14: from an enemy zone, the first step leads to a hex that is free of such zones."""
    paths = war.paths(pace, how.climbs)
    shut = on.enemies | on.zone
    starts = [(target, price) for target, price in paths.edges[node]]
    climb = _climb(how, points, fresh)
    if climb:
        starts += [(target, climb) for target in paths.climbs[node]]
    free = [(t, p) for t, p in starts if not shut >> war.node_hex[t] & 1 and p <= points]
    if not free:
        return Reach(war, points)
    steep = climb if how.climbs else 0
    return reach(war, free, points, pace, how.climbs, on.enemies, on.zone, steep)


def stack_place(pos: Table) -> int:
    """The hex or box of the stack that moves."""
    return pos.hex[(pos.movers & -pos.movers).bit_length() - 1]
