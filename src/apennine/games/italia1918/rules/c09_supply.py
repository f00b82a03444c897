"""Chapter 9: supply, and the Command Radius on which it and much else rests."""

from __future__ import annotations

from functools import lru_cache

from apennine.hexes import NO_SIDES, Mask, Sides, bits
from apennine.kernel.decision import Event, Procedure, Roll
from apennine.kernel.ledger import rule
from apennine.mechanics.ground import less, union

from ..table.position import Pontoon, Table
from ..table.war import War
from .c02_pieces import attached, theatre, there
from .c05_zones import zone, zone_on_lines
from .c06_steps import eliminate


def closed_to_lines(war: War, pos: Table, side: int) -> Mask:
    """What no line of a side traverses: enemy units, and their zone where no friend is (9.1j)."""
    area = theatre(war, pos).area | war.board.regions["lagoon-supply"]
    enemies = there(war, pos, 1 - side).ground
    return enemies | zone_on_lines(war, pos, 1 - side) | ~area & war.lattice.all


def float_sides(war: War, pos: Table, side: int) -> Sides:
    """The hexsides of the pontoon bridges of a side (11.2.4n)."""
    return _floating(war, side, tuple(pos.pontoons)) if pos.pontoons else NO_SIDES


@lru_cache(512)
def _floating(war: War, side: int, pontoons: tuple[Pontoon, ...]) -> Sides:
    lattice = war.lattice
    return lattice.sides([lattice.edge(hex, d) for owner, hex, d in pontoons if owner == side])


def wide_rivers(war: War, pos: Table, side: int) -> Sides:
    """Major rivers without a bridge of any kind that serves a side."""
    return war.ground.wide(pos.broken, float_sides(war, pos, side))


def dry_sides(war: War, pos: Table, side: int) -> tuple[Sides, Sides]:
    """The hexsides that lines cross, and major rivers that only their last step does (9.1k)."""
    wide = wide_rivers(war, pos, side)
    return _crossed(war, wide), wide


@lru_cache(512)
def _crossed(war: War, wide: Sides) -> Sides:
    return union((less(war.ground.open, wide), war.ground.boats))


@lru_cache(512)
def _spread(war: War, ends: Mask, radius: int, shut: Mask, over: Sides, wide: Sides) -> Mask:
    """The hexes that lines of so many hexes reach; mountains and marsh off the road count double.

    Counted from the source, its hex not included, to the hex of the unit (9.1g); over a major
    river without a bridge they lead one hex and no farther (9.1k).
    """
    lattice, rough = war.lattice, war.ground.rough
    heavy = war.book.supply.rough
    waves: dict[int, Mask] = {0: ends & ~shut}
    seen = reached = 0
    for length in range(radius + 1):
        wave = waves.pop(length, 0) & ~seen
        seen |= wave
        reached |= wave
        onward = lattice.cross(wave, over) & ~(shut | seen)
        across = lattice.cross(wave, wide) & ~shut
        for price, hexes in ((1, ~rough), (heavy, rough)):
            if length + price <= radius:
                waves[length + price] = waves.get(length + price, 0) | onward & hexes
                reached |= across & hexes
    return reached


def command(war: War, pos: Table, side: int, staffs: Mask = -1) -> Mask:
    """The hexes within the Command Radius of any headquarters of a side, or of some (9.1g)."""
    shut, ways = closed_to_lines(war, pos, side), dry_sides(war, pos, side)
    reached = 0
    for unit in bits(there(war, pos, side).units & war.headquarters & staffs):
        reached |= _spread(war, 1 << pos.hex[unit], war.roster[unit].value, shut, *ways)
    return reached


def sources(war: War, pos: Table, side: int) -> Mask:
    """The sources at the edges that no enemy closes (9.1c, 9.1d)."""
    return theatre(war, pos).sources[side] & ~closed_to_lines(war, pos, side)


def supplied(war: War, pos: Table, side: int, staffs: Mask = -1) -> Mask:
    """The hexes in supply: by a headquarters, or straight from an edge or a depot (9.1i)."""
    shut, ways = closed_to_lines(war, pos, side), dry_sides(war, pos, side)
    depots = 0
    for unit in bits(there(war, pos, side).units & war.depots):
        depots |= 1 << pos.hex[unit]
    near = sources(war, pos, side) | depots
    return command(war, pos, side, staffs) | _spread(war, near, war.book.supply.radius, shut, *ways)


def linked(war: War, pos: Table, side: int) -> Mask:
    """The hexes from which a headquarters has a line to a source, of any length (9.1a, 9.1b)."""
    shut = closed_to_lines(war, pos, side)
    over = union((war.ground.open, war.ground.boats))
    return war.lattice.flood_sides(sources(war, pos, side), war.lattice.all & ~shut, over)


# The Supply Phase


def supply_phase(war: War, pos: Table) -> Procedure:
    """7.0b: headquarters first, then all other units of both sides (9.1)."""
    for side in (pos.side, 1 - pos.side):
        yield from displace_headquarters(war, pos, side)
    for side in (pos.side, 1 - pos.side):
        yield from check_units(war, pos, side)


def displace_headquarters(war: War, pos: Table, side: int) -> Procedure:
    """9.1e: a headquarters without a line goes back until it has one again."""
    for unit in bits(there(war, pos, side).units & war.headquarters):
        if not linked(war, pos, side) >> pos.hex[unit] & 1:
            hex = refuge(war, pos, unit)
            if hex < 0:
                yield from eliminate(war, pos, unit, rule("9.1f"))
                continue
            pos.hex[unit] = hex
            yield Event("is displaced", unit, hex, rule=rule("9.1e"))


def refuge(war: War, pos: Table, unit: int) -> int:
    """Where a headquarters without a line goes: the first fit hex on a shortest way to a source.

    Whatever lies on the way; fit is a hex with a line, free of enemies, their zones and high
    mountain (9.1f). -1 if there is none.
    """
    side, ground = war.side_of[unit], war.ground
    enemy = 1 - side
    shut = there(war, pos, enemy).ground | zone(war, pos, enemy) | ground.high
    fit = linked(war, pos, side) & theatre(war, pos).area & ~shut
    away = ground.spread(theatre(war, pos).sources[side], ((ground.open, 1),))
    path, wave = away[pos.hex[unit]], 1 << pos.hex[unit]
    for length in range(path, -1, -1):
        if found := wave & fit:
            return (found & -found).bit_length() - 1
        nearer = war.lattice.cross(wave, ground.open)
        wave = sum([1 << hex for hex in bits(nearer) if away[hex] == length - 1])
    return -1


def check_units(war: War, pos: Table, side: int) -> Procedure:
    """9.1o, 9.2d, 9.3: units without a line are marked; marked ones and supports are lost."""
    fed = supplied(war, pos, side)
    present = there(war, pos, side).units
    starving = sum([1 << unit for unit in bits(present) if not fed >> pos.hex[unit] & 1])
    spared = war.headquarters | war.depots | war.aircraft | war.assault  # 9.3b to 9.3d
    for unit in bits(starving & war.supports & ~spared):
        yield from eliminate(war, pos, unit, rule("9.3a"))
    for unit in bits(starving & war.combat & pos.hungry):
        yield from eliminate(war, pos, unit, rule("9.2d"))
    pos.hungry &= ~(present & ~starving)  # 9.2e
    for unit in bits(starving & war.combat & ~pos.hungry & there(war, pos, side).units):
        if deserts(war, pos, unit):
            (die,) = yield Roll((6,), f"does {war.names[unit]} hold together?", rule("S1.S12a"))
            if die <= theatre(war, pos).scenario.collapse[1]:
                yield from eliminate(war, pos, unit, rule("S1.S12a"))
                continue
        pos.hungry |= 1 << unit
        yield Event("is out of supply", unit, pos.hex[unit], rule=rule("9.1o"))


def deserts(war: War, pos: Table, unit: int) -> bool:
    """S1.S12: an Italian unit newly out of supply may fall apart in the retreat."""
    since = theatre(war, pos).scenario.collapse[0]
    return 0 < since <= pos.turn and bool(war.nationals["It"] >> unit & 1)


def hungry_troops(war: War, pos: Table) -> Mask:
    """Assault troops out of supply: those of units that are (9.3c)."""
    return attached(war, pos, pos.hungry)
