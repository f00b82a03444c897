"""Chapter 5: stacking, and what becomes of units that stand in a hex too many."""

from __future__ import annotations

from apennine.hexes import Mask, bits
from apennine.kernel.decision import Among, Choice, Event, Over
from apennine.kernel.game import Procedure
from apennine.kernel.ledger import rule

from ..table.data import STACK
from ..table.position import ALLIED, LOST, Table
from ..table.war import War
from .c04_zones import enter, lose_beachhead, lose_centre, next_to, occupied, units_in, zone_of


def full(war: War, pos: Table, side: int, newcomers: int = 1) -> Mask:
    """The hexes without room for so many more units of a side (5a)."""
    return at_least(war, pos, side, STACK + 1 - newcomers)


def at_least(war: War, pos: Table, side: int, count: int) -> Mask:
    """The hexes with at least so many units of a side, up to four."""
    members = war.members[side]
    return war.crowds(tuple(pos.hex[members.start : members.stop]))[count - 1]


def overstacked(war: War, pos: Table, side: int) -> Mask:
    """The hexes that hold more units of a side than may stay there."""
    mask = 0
    for hex in bits(full(war, pos, side)):
        if len(units_in(war, pos, hex, side)) > STACK:
            mask |= 1 << hex
    return mask


def fighting(war: War, pos: Table, hex: int, side: int) -> list[int]:
    """The units that defend a hex with their factors: those in excess do not (5.1a).

    Until the owner has named the excess, the weakest are taken for it.
    """
    units = units_in(war, pos, hex, side)
    if len(units) <= STACK:
        return units
    named = [u for u in units if not pos.excess >> u & 1]
    named.sort(key=lambda u: -war.defence[u][pos.steps[u]])
    return sorted(named[:STACK])


def shed_excess(war: War, pos: Table, hex: int, side: int) -> Procedure:
    """5.1: in an attacked hex the owner names the excess; each loses a step and retreats."""
    count = len(units_in(war, pos, hex, side)) - STACK
    while pos.excess.bit_count() < count:
        chosen = yield Choice(
            side,
            Among("excess", [u for u in units_in(war, pos, hex, side) if not pos.excess >> u & 1]),
            "Name a unit in excess of the stack: it loses a step and retreats",
            rule("5.1c"),
        )
        pos.excess |= 1 << chosen.unit
    for unit in tuple(bits(pos.excess)):
        yield from lose_step(war, pos, unit, rule("5.1b"))
        if pos.hex[unit] == hex:
            yield from fall_back(war, pos, unit, side)
    pos.excess = 0


def fall_back(war: War, pos: Table, unit: int, side: int) -> Procedure:
    """5.1c: the fewest hexes towards the own edge of the map, to where there is room."""
    ends = refuges(war, pos, pos.hex[unit], side)
    if not ends:
        yield Event("is eliminated", unit, pos.hex[unit], rule=rule("5.1c"))
        pos.hex[unit], pos.steps[unit] = LOST, 0
        pos.cut &= ~(1 << unit)
        return
    chosen = yield Choice(
        side, Over("retreat", ends, unit), f"Where does {war.names[unit]} retreat?", rule("5.1b")
    )
    pos.hex[unit] = chosen.hex
    yield from enter(war, pos, side, 1 << chosen.hex)


def refuges(war: War, pos: Table, hex: int, side: int) -> Mask:
    """The nearest hexes with room, each step towards the own edge and past no enemy."""
    rows, down = war.south, 1 if side == ALLIED else -1
    closed = occupied(war, pos, 1 - side)
    crowded = full(war, pos, side)
    wave = 1 << hex
    while wave:
        ahead = 0
        for here in bits(wave):
            for there in bits(next_to(war, here) & ~closed):
                if (rows[there] - rows[here]) * down > 0:
                    ahead |= 1 << there
        if ahead & ~crowded:
            return ahead & ~crowded
        wave = ahead
    return 0


def lose_step(war: War, pos: Table, unit: int, by: str) -> Procedure:
    """A unit loses a step; with its last one it is eliminated (9.1d)."""
    hex, side = pos.hex[unit], war.side_of[unit]
    pos.steps[unit] -= 1
    if pos.steps[unit]:
        yield Event("loses a step", unit, hex, rule=by)
        return
    yield Event("is eliminated", unit, hex, rule=by)
    pos.hex[unit] = LOST
    pos.cut &= ~(1 << unit)
    yield from lose_markers(war, pos, hex, side)


def lose_markers(war: War, pos: Table, hex: int, side: int) -> Procedure:
    """9.6a: a centre or beachhead falls with the last unit stacked with it."""
    if units_in(war, pos, hex, side):
        return
    if pos.centre[side] == hex:
        yield from lose_centre(pos, side, rule("9.6a"))
    if side == ALLIED and hex in pos.beaches:
        yield from lose_beachhead(pos, pos.beaches.index(hex), rule("9.6a"))


def room_around(war: War, pos: Table, hexes: Mask, side: int) -> Mask:
    """Of these hexes, those that a new unit may be placed in (7.1k).

    Not with enemies, not over the stacking limit, in an enemy zone only with a friend.
    """
    enemy = occupied(war, pos, 1 - side)
    zone = zone_of(war, enemy) & ~occupied(war, pos, side)
    return hexes & war.land & ~(enemy | zone | full(war, pos, side))
