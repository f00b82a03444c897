"""Chapter 8: movement and mobile attacks."""

from __future__ import annotations

from functools import lru_cache

from apennine.hexes import Mask, Sides, bits, first_bit, mask_of
from apennine.kernel.decision import Among, Choice, Later, Menu, Option, Over, done
from apennine.kernel.game import Procedure
from apennine.kernel.ledger import rule
from apennine.mechanics.reach import Costs, Reach, reach

from ..table.data import STACK
from ..table.position import ALLIED, NOWHERE, Table
from ..table.war import War
from .c04_zones import (
    bridges,
    controlled,
    enter,
    next_to,
    occupied,
    on_map,
    units_in,
    units_on_map,
    zone_of,
)
from .c05_stacking import at_least, full
from .c06_logistics import allowance
from .c09_combat import battle

MOBILE_ATTACK = 2
"""Points that a mobile attack costs beyond those of the hex (8.2c)."""

END = done("end movement")


def movement_phase(war: War, pos: Table) -> Procedure:
    """8: the active side moves its stacks one after the other."""
    while True:
        if not pos.movers:
            chosen = yield Choice(
                pos.side,
                Later(lambda: Menu(Among("move", unmoved(war, pos)), END)),
                "Move a unit or stack, or end your movement",
                rule("8a"),
                checkpoint=True,
            )
            if chosen.verb == "end movement":
                return
            pick_up(war, pos, chosen.unit)
        yield from move(war, pos)


def unmoved(war: War, pos: Table) -> list[int]:
    """The units that have not moved in this turn."""
    moved = pos.moved
    return [u for u in units_on_map(war, pos, pos.side) if not moved >> u & 1]


def pick_up(war: War, pos: Table, unit: int) -> None:
    """A unit begins its move, or joins a stack that does (8d: the slowest sets the pace)."""
    first = not pos.movers
    points = allowance(war, pos, unit)
    pos.points = points if first else min(pos.points, points)
    pos.movers |= 1 << unit
    pos.moved |= 1 << unit
    pos.extra = pos.points if may_march(war, pos) else 0


def put_down(pos: Table) -> None:
    """The move is over."""
    pos.movers = pos.points = pos.extra = 0
    pos.under_way = pos.stopped = False


def may_march(war: War, pos: Table) -> bool:
    """8.3a, 8.3d: Allied units that do not start next to an enemy may move operationally."""
    if pos.side != ALLIED or pos.landed & pos.movers:  # 11Lf
        return False
    here = stack_hex(pos)
    return not next_to(war, here) & occupied(war, pos, 1 - pos.side)


def stack_hex(pos: Table) -> int:
    """Where the moving stack is."""
    return pos.hex[first_bit(pos.movers)]


class March:
    """Where a stack can go: at its ordinary speed or, away from enemies, operationally (8.3)."""

    __slots__ = ("_fast", "_points", "_slow", "ends", "zone")

    def __init__(self, slow: Reach | None, fast: Reach | None, points: int, zone: Mask) -> None:
        self._slow = slow
        self._fast = fast
        self._points = points
        self.zone = zone
        """The enemy zone of control."""
        self.ends: Mask = slow.ends if slow else 0
        if fast:
            self.ends |= fast.ends & ~zone  # 8.3a: not to end next to an enemy
            if slow is None and fast.ends & zone:
                for cost, wave in fast.levels:
                    if cost <= points:
                        self.ends |= wave & fast.ends

    def _way(self, hex: int) -> Reach:
        if self._slow and (self._fast is None or self._slow.ends >> hex & 1):
            return self._slow
        assert self._fast
        return self._fast

    @property
    def reached(self) -> Mask:
        """All hexes on any way."""
        return (self._slow.reached if self._slow else 0) | (self._fast.reached if self._fast else 0)

    def path(self, hex: int) -> list[int]:
        """The hexes of the way, the first one included."""
        return self._way(hex).path(hex)

    def cost(self, hex: int) -> int:
        """What the way costs, in ticks."""
        return self._way(hex).cost(hex)

    def is_operational(self, hex: int) -> bool:
        """Whether the way needs operational movement."""
        return self._way(hex) is self._fast and self.cost(hex) > self._points


def march(war: War, pos: Table) -> March:
    """Where the moving stack can go from here."""
    side = pos.side
    return find_march(
        war,
        paces_of(war, pos.movers),
        bridges(war, pos, side),
        stack_hex(pos),
        pos.points,
        pos.extra,
        not pos.under_way,
        occupied(war, pos, 1 - side),
        full(war, pos, side, pos.movers.bit_count()),
    )


def paces_of(war: War, movers: Mask) -> int:
    """The ways in which the units of a stack pay for terrain."""
    if not movers & movers - 1:
        return war.pace[first_bit(movers)]
    paces = 0
    for unit in bits(movers):
        paces |= war.pace[unit]
    return paces


@lru_cache(16)
def find_march(
    war: War,
    paces: int,
    bridges: Sides,
    start: int,
    points: int,
    extra: int,
    fresh: bool,
    enemy: Mask,
    crowded: Mask,
) -> March:
    """The ways of a stack past its enemies and their zones; crowded hexes may be passed (5b)."""
    costs = war.costs(paces, bridges)
    zone = war.zone(enemy)
    if extra and points >= 0 and points < costs.dearest and fresh:
        # The minimum of one hex is for ordinary movement, so that is looked at apart.
        slow = _reach(costs, start, points, enemy, zone, crowded, minimum=True, fresh=fresh)
        fast = _reach(costs, start, points + extra, enemy | zone, 0, crowded, fresh=fresh)
        return March(slow, fast, points, zone)
    if extra:
        fast = _reach(costs, start, points + extra, enemy, zone, crowded, fresh=fresh)
        return March(None, fast, points, zone)
    slow = _reach(costs, start, points, enemy, zone, crowded, minimum=fresh, fresh=fresh)
    return March(slow, None, points, zone)


def _reach(
    costs: Costs,
    start: int,
    points: int,
    blocked: Mask,
    zone: Mask,
    crowded: Mask,
    *,
    minimum: bool = False,
    fresh: bool,
) -> Reach:
    return reach(
        costs,
        start,
        points,
        blocked=blocked,  # 8e
        stops=zone,  # 4.1a
        apart=zone,  # 4.1c, 4.1e
        minimum=minimum,  # 8c
        fresh=fresh,
        ends_not=crowded,  # 5a
    )


def move(war: War, pos: Table) -> Procedure:
    """One leg of a move: go somewhere, attack on the way, take others along, or halt."""
    found: March | None = None

    def menu() -> Menu:
        nonlocal found
        found = march(war, pos)
        return ways_on(war, pos, found)

    chosen = yield Choice(
        pos.side,
        Later(menu),
        f"Where does {stack_name(war, pos)} go?",
        rule("8b"),
        checkpoint=True,
    )
    if chosen.verb == "halt":
        put_down(pos)
    elif chosen.verb == "take along":
        pick_up(war, pos, chosen.unit)
    elif chosen.verb == "go":
        yield from walk(war, pos, chosen.hex, found or march(war, pos))
    else:
        yield from mobile_attack(war, pos, chosen.hex)


def stack_name(war: War, pos: Table) -> str:
    """The moving units by name."""
    return ", ".join(war.names[u] for u in bits(pos.movers))


def ways_on(war: War, pos: Table, found: March) -> Menu:
    """All that the moving stack can do now."""
    lead = first_bit(pos.movers)
    parts: list[Over | Among] = []
    if not pos.stopped:
        parts.append(Over("go", found.ends, lead))
    targets = mobile_targets(war, pos)
    if targets:
        parts.append(Over("mobile attack", targets, lead))
    if not pos.under_way:
        parts.append(Among("take along", companions(war, pos)))
    return Menu(*parts, [Option("halt", lead)])


def companions(war: War, pos: Table) -> list[int]:
    """Units of the same hex that have not moved and may join the stack, up to a full one (5a)."""
    count = pos.movers.bit_count()
    hex = stack_hex(pos)
    if count >= STACK or not at_least(war, pos, pos.side, count + 1) >> hex & 1:
        return []
    here = units_in(war, pos, hex, pos.side)
    return [u for u in here if not pos.moved >> u & 1]


def walk(war: War, pos: Table, to: int, found: March) -> Procedure:
    """Hex by hex to the one named; the stack may go on from there if nothing stops it."""
    way = way_to(war, pos, found, to)
    pos.points -= found.cost(to)
    for unit in bits(pos.movers):
        pos.hex[unit] = to
    pos.under_way = True
    yield from enter(war, pos, pos.side, way)
    if found.zone >> to & 1:
        pos.stopped, pos.extra = True, 0
    over = pos.stopped or pos.points + pos.extra <= 0
    if over and not mobile_targets(war, pos):
        put_down(pos)


def way_to(war: War, pos: Table, found: March, to: int) -> Mask:
    """The hexes that the stack comes through.

    Where all within reach is the side's own, with no marker of the enemy beside it, the way there
    makes no difference and need not be found.
    """
    enemy = 1 - pos.side
    reached = found.reached
    if not reached & ~controlled(war, pos, pos.side):
        beside = zone_of(war, reached)
        markers = [pos.centre[enemy], *(pos.beaches if enemy == ALLIED else ())]
        if not any(hex >= 0 and beside >> hex & 1 for hex in markers):
            return 1 << to
    return mask_of(found.path(to)[1:])


def mobile_targets(war: War, pos: Table) -> Mask:
    """8.2a to 8.2c: enemies next to a stack of tracks in supply that has the points.

    Its units have begun the phase together, for only such can be taken along.
    """
    movers = pos.movers
    if movers & ~war.tracks or movers & pos.cut:  # 6.3d
        return 0
    here = stack_hex(pos)
    near = next_to(war, here) & occupied(war, pos, 1 - pos.side)
    mask = 0
    for hex in bits(near):
        if mobile_price(war, pos, hex) <= pos.points:
            mask |= 1 << hex
    return mask


def mobile_price(war: War, pos: Table, hex: int) -> int:
    """8.2c: the cost of the hex and 2 points, in ticks."""
    paces = paces_of(war, pos.movers)
    return war.price(paces, stack_hex(pos), hex) + MOBILE_ATTACK * war.scale


def mobile_attack(war: War, pos: Table, hex: int) -> Procedure:
    """8.2: a battle on the move, with support like any other (8.2f).

    If it empties the hex the stack goes in and may go on (8.2e, 8.2h, 8.2k). Its units do not
    attack again in the combat phase (8.2j).
    """
    pos.points -= mobile_price(war, pos, hex)
    pos.under_way, pos.extra = True, 0
    pos.target, pos.attackers = hex, pos.movers
    yield from battle(war, pos)  # 8.2g: no breakthrough, whatever the excess
    pos.target, pos.attackers = NOWHERE, 0
    pos.movers = mask_of(u for u in bits(pos.movers) if on_map(war, pos, u))
    if not pos.movers or units_in(war, pos, hex, 1 - pos.side):
        put_down(pos)
        return
    for unit in bits(pos.movers):
        pos.hex[unit] = hex
    pos.stopped = False  # 8.2i
    yield from enter(war, pos, pos.side, 1 << hex)
