"""Chapter 16: supply and isolation."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from apennine.hexes import NO_SIDES, Mask, Sides, bits
from apennine.kernel.decision import Event, Procedure, Roll
from apennine.kernel.ledger import rule
from apennine.mechanics.ground import less
from apennine.mechanics.trace import Line, in_supply

from ..table.position import ALLIED, DEAD, Table
from ..table.war import War
from .c02_pieces import mountaineers, occupied, sky, there
from .c05_areas import friendly_areas, friendly_sections
from .c05_control import controlled
from .c06_zones import zone
from .c07_bonds import bonds
from .c10_steps import eliminate, lose_step


def supplied_hexes(war: War, pos: Table, side: int, mountain: bool = False) -> Mask:
    """The hexes from which a Line of Supply leads to a source at this moment (16.3).

    For a mountain unit it may begin over a mountain side without a track (19.3d).
    """
    return to_sources(war, pos, side, war.book.march.overland, mountain)


def connected_hexes(war: War, pos: Table, side: int) -> Mask:
    """The hexes with a Line of Communications: overland without limit (16.5.1a)."""
    return to_sources(war, pos, side, None, True)


def to_sources(war: War, pos: Table, side: int, limit: int | None, climbs: bool) -> Mask:
    """The hexes with a line to a supply source of the side: an entry area, or Naples (16.2)."""
    naples = war.ground.naples & pos.control if side == ALLIED else 0
    areas = friendly_areas(war, pos, side)
    return _lines(war, naples, areas, limit, climbs, *_obstacles(war, pos, side))


def lines_to(war: War, pos: Table, side: int, ends: Mask) -> Mask:
    """The hexes with a Line of Supply to one of some hexes (16.5.2c, 16.5.5a)."""
    limit = war.book.march.overland
    return _lines(war, ends, (), limit, False, *_obstacles(war, pos, side))


def _obstacles(war: War, pos: Table, side: int) -> tuple[Mask, Sides, Mask]:
    """Hexes that no line enters, sides it does not cross, and the enemy zone of control.

    Enemy units and Hex Bonds (16.3.2d), cities and places with points of the enemy (16.3.4b),
    fortifications for the Allies (18.2.1b), sections of the 8th Army zone that are not friendly
    (5.8.2d, 5.8.3). Own units cancel the zone in their hexes (16.3.2e, 16.3.3b).
    """
    enemy = 1 - side
    closed = bonds(war, pos, enemy)
    shut = occupied(war, pos, enemy) | closed.hexes | controlled(war, pos, enemy)
    shut |= war.ground.eighth_army & ~friendly_sections(war, pos, side)
    if side == ALLIED:
        shut |= pos.forts
    return shut, closed.sides, zone(war, pos, enemy) & ~occupied(war, pos, side)


@lru_cache(1024)
def _lines(
    war: War,
    ends: Mask,
    areas: tuple[str, ...],
    limit: int | None,
    climbs: bool,
    shut: Mask,
    barred: Sides,
    apart: Mask,
) -> Mask:
    """The hexes with a line to some hexes or entry areas.

    Roads lead straight into an area (16.3.3a); overland it is entered from the hexes along it, and
    counts as a hex more (16.3.2a). From a full mountain hex it is not (16.3.2f).
    """
    ground = war.ground
    roads = less(ground.all_roads, barred)
    line = Line(
        over=less(less(ground.open, ground.trackless), barred),  # 16.3.2c
        limit=limit,
        blocked=shut,
        apart=apart,
        weights=((2, ground.marsh),),  # 16.3.2b
        even=roads,
        first=less(ground.trackless, barred) if climbs else NO_SIDES,
        roads=roads,
        road_blocked=shut | apart,
    )
    exits = edges = 0
    for area in areas:
        exits |= ground.exits[area]
        edges |= ground.edge[area] & ~ground.terrain("mountain")
    found = in_supply(war.lattice, ends | exits & ~(shut | apart), line)
    short = None if limit is None else limit - 1
    return found | in_supply(war.lattice, edges, line._replace(limit=short, roads=NO_SIDES))


def supplied_units(war: War, pos: Table, side: int) -> Mask:
    """The units of a side that are in supply at this moment; all in entry areas are (16.2)."""
    present, climbers = there(war, pos, side), mountaineers(war, pos)
    found = present.among(supplied_hexes(war, pos, side))
    if present.units & ~found & climbers:
        found |= present.among(supplied_hexes(war, pos, side, mountain=True)) & climbers
    return found | present.in_areas


def supply_phase(war: War, pos: Table) -> Procedure:
    """16.1, 16.5: who is out of supply, who is isolated, and what isolation costs."""
    before = pos.isolated
    yield from mark_supply(war, pos)
    yield from abandon_artillery(war, pos)
    yield from attrition(war, pos, before & pos.isolated)  # 16.5.2b


def mark_supply(war: War, pos: Table) -> Iterator[Event]:
    """16.1: markers are placed and removed in the own supply phase, and only there."""
    side, own = pos.side, war.army[pos.side]
    present = there(war, pos, side)
    hungry = present.units & ~supplied_units(war, pos, side)
    isolated = hungry and hungry & ~present.among(connected_hexes(war, pos, side))
    for unit in bits(pos.hungry & own & ~hungry):
        yield Event("is in supply again", unit, pos.hex[unit], rule=rule("16.1b"))
    for unit in bits(isolated & ~pos.isolated):
        yield Event("is isolated", unit, pos.hex[unit], rule=rule("16.5.1b"))
    for unit in bits(hungry & ~pos.hungry & ~isolated):
        yield Event("is out of supply", unit, pos.hex[unit], rule=rule("16.1a"))
    pos.hungry = pos.hungry & ~own | hungry
    pos.isolated = pos.isolated & ~own | isolated


def abandon_artillery(war: War, pos: Table) -> Procedure:
    """16.5.2c: isolated artillery is lost unless it is with, or has a line to, other units."""
    side = pos.side
    lone = pos.isolated & war.army[side] & war.artillery
    if not lone:
        return
    present = there(war, pos, side)
    friends = 0
    for unit in bits(present.units & ~war.artillery):
        friends |= war.ground.bit[pos.hex[unit]]
    safe = present.among(lines_to(war, pos, side, friends))
    for unit in bits(lone & ~safe):
        yield from eliminate(pos, unit, rule("16.5.2c"))


def attrition(war: War, pos: Table, units: Mask) -> Procedure:
    """16.5.2a: a die for each isolated unit next to an enemy, artillery left aside."""
    side = pos.side
    threatened = war.lattice.dilate(occupied(war, pos, 1 - side))
    table = war.book.attrition
    for unit in bits(units & war.army[side] & ~war.artillery):
        if not threatened & war.ground.bit[pos.hex[unit]]:
            continue
        (die,) = yield Roll((6,), f"isolation of {war.names[unit]}", rule("16.5.4"))
        if table.cell(die + attrition_modifier(war, pos, unit)):
            yield from lose_step(war, pos, unit, rule("16.5.3"), DEAD)  # 16.5.6


def attrition_modifier(war: War, pos: Table, unit: int) -> int:
    """16.5.5: a depot within reach, and supply from the air for the Allies in clear weather."""
    side, hex = war.side_of[unit], pos.hex[unit]
    depots = controlled(war, pos, side) & war.ground.cities
    for corps in bits(war.corps & war.army[side]):
        depots |= war.ground.bit[pos.hex[corps]]
    depot = lines_to(war, pos, side, depots) >> hex & 1
    return 2 * depot + (side == ALLIED and sky(war, pos) == "clear")
