"""Chapter 5: how far a stack can go, by ordinary, Extended and Tactical Movement."""

from __future__ import annotations

from functools import lru_cache

from apennine.hexes import Mask, Sides, bits
from apennine.mechanics.reach import Reach, reach

from ..table.position import Table
from ..table.war import MECHANISED, War
from .c02_pieces import is_wet, mountaineers, occupied
from .c05_areas import closed_land
from .c06_zones import zone
from .c07_bonds import bonds


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

    def way(self, hex: int) -> Reach:
        """The search that leads to a hex, the freest first: Tactical, ordinary, Extended."""
        for found in (self.near, self.plain, self.far):
            if found and found.ends >> hex & 1:
                return found
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

    `points` is -1 if they may not move by points, `strides` 0 or less if not tactically. A stack is
    as slow as its slowest member (5.1b); it may pass through its own side's stacks, however high,
    and end in them (4.4a).
    """
    enemy = 1 - pos.side
    enemies = occupied(war, pos, enemy)
    stops, closed = zone(war, pos, enemy), bonds(war, pos, enemy)
    climbs = not movers & ~mountaineers(war, pos)
    shy = war.lattice.dilate(fleeing(war, pos, enemy))
    return _march(
        war,
        kinds_of(war, pos, movers),
        climbs,
        is_wet(war, pos),
        here,
        (points, extra, strides, fresh),
        enemies,
        closed_land(war, pos, pos.side) | closed.hexes,
        closed.sides,
        stops,
        shy,
        bool(movers & pos.routed),
    )


def fleeing(war: War, pos: Table, side: int) -> Mask:
    """The hexes with units in Full Retreat, next to which nobody extends his movement (13.3.3)."""
    found = 0
    for unit in bits(pos.routed & war.army[side]):
        found |= war.ground.bit[pos.hex[unit]]
    return found


@lru_cache(2048)
def _march(
    war: War,
    kinds: int,
    climbs: bool,
    wet: bool,
    here: int,
    means: tuple[int, int, int, bool],
    enemies: Mask,
    closed: Mask,
    barred: Sides,
    stops: Mask,
    shy: Mask,
    routed: bool,
) -> March:
    points, extra, strides, fresh = means
    blocked = enemies | closed
    plain = far = near = None
    if points >= 0:
        costs = war.costs(kinds, wet, war.near(enemies), barred)
        toll = (0, 0) if routed else (stops, war.leaving)  # 13.3.2b
        plain = reach(costs, here, points, blocked=blocked, stops=stops, leaving=toll, fresh=fresh)
        if extra > 0:
            calm = blocked | stops | shy
            most = points + extra
            far = reach(costs, here, most, blocked=calm, leaving=toll, fresh=fresh)
    if strides > 0:
        steps = war.tactics(kinds, climbs, wet, barred)
        near = reach(steps, here, strides, blocked=blocked, stops=stops, fresh=fresh)
    return March(plain, far, near, stops)
