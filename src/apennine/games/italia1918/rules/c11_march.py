"""Chapter 11: how far units can go."""

from __future__ import annotations

from apennine.hexes import NO_SIDES, Mask, bits
from apennine.mechanics.reach import Costs, Reach, reach

from ..table.position import Table
from ..table.war import War
from .c02_pieces import attached, is_poor, marked, theatre, there, those_in, unready
from .c05_zones import zone_felt
from .c09_supply import float_sides, supplied


def allowance(war: War, pos: Table, unit: int) -> int:
    """The movement allowance of a unit in ticks.

    More in Retreat mode (11.4a); half, rounded down, if Disorganized or Reorganizing (12.5b).
    """
    if war.combat >> unit & 1:
        points = war.faces[unit][pos.steps[unit]][2]
    else:
        points = war.roster[unit].moves
    if pos.fleeing >> unit & 1:
        points += war.book.march.flight
    if unready(pos) >> unit & 1:
        points //= 2
    if pos.refugees >> unit & 1:
        points //= 2  # S1.S10b
    if pos.phase == PURSUIT:
        if marked(pos.reserves) >> unit & 1:
            points += war.book.march.reserves  # 14.2b
        else:
            points -= points // 2  # 14.2a
    return war.ticks(points)


PURSUIT = "pursuit"
"""The phase in which marked units move after exploitation combat (14.2)."""


def leaders(war: War, units: Mask) -> Mask:
    """The units of a stack that set its pace: assault troops go at that of their unit (11.3.2a)."""
    return units & ~war.assault


def owner(war: War, units: Mask) -> int:
    """The side of some units: the defender moves too, by his coordination (12.2.6t)."""
    return war.side_of[(units & -units).bit_length() - 1]


def costs_for(war: War, pos: Table, units: Mask) -> Costs:
    """What steps cost a stack: it goes at the pace of its clumsiest unit."""
    led, side = leaders(war, units), owner(war, units)
    if led & led - 1:
        paces = {war.pace[unit] for unit in bits(led)}
        pace = next(pace for pace in CLUMSY if pace in paces)
    else:
        pace = war.pace[led.bit_length() - 1]
    here = theatre(war, pos)
    riders = gallopers(war, pos) if here.scenario.gallop == pos.turn else 0
    fast = not led & ~(war.trucks | pos.loaded | riders)
    floats = float_sides(war, pos, side) if pace != "wheels" else NO_SIDES
    watched = interdicted(war, pos, side) if pos.interdicting else 0
    dry = not is_poor(pos)
    return war.costs(pace, fast, dry, here.dug, pos.broken, floats, watched)


def gallopers(war: War, pos: Table) -> Mask:
    """S5.S8: in the last turn Italian cavalry divisions in supply ride as fast as trucks."""
    return war.cavalry & war.divisions & war.nationals["It"] & ~pos.hungry


def interdicted(war: War, pos: Table, side: int) -> Mask:
    """The hexes that a side enters for a point more (17.2a)."""
    found = 0
    for unit in bits(pos.interdicting & war.army[1 - side]):
        found |= 1 << pos.hex[unit]
    return found


CLUMSY = ("wheels", "afloat", "staff", "ordinary", "mountain")
"""Paces, the clumsiest first: a stack moves no better than any of its units."""


def closed_to(war: War, pos: Table, units: Mask) -> Mask:
    """The hexes that a stack may not enter.

    Those of enemies, but for a depot alone (11.1.1g), and what is not played on (SC.b). Supports
    keep out of enemy zones, whoever else is there (11.3.1a, 11.3.3c, 11.3.4b), and of high
    mountains, road or no road (11.3.1e, 11.3.3b, 11.3.4a).
    """
    enemy = there(war, pos, 1 - owner(war, units))
    beyond = theatre(war, pos).beyond
    if units & war.barges:
        beyond &= ~war.ground.afloat
    shut = enemy.closed | beyond
    if units & war.columns:
        shut |= enemy.zone | war.ground.high
    return shut


def lone_depots(war: War, pos: Table, side: int) -> Mask:
    """The hexes of enemy depots alone, in which whoever enters must stop (15.5.2a)."""
    present = there(war, pos, 1 - side)
    return present.ground & ~present.closed


def find_reach(war: War, pos: Table, units: Mask, here: int, left: int, fresh: bool) -> Reach:
    """Where a stack can go with so many ticks.

    It stops in an enemy zone (11.2.1a) and never goes straight from one such hex to another
    (11.2.1b); one step is always allowed (11.1.2a).
    """
    against = zone_felt(war, pos, units)
    return reach(
        costs_for(war, pos, units),
        here,
        left,
        blocked=closed_to(war, pos, units),
        stops=against | lone_depots(war, pos, owner(war, units)),
        apart=against,
        minimum=fresh,
        fresh=fresh,
    )


def find_forced(war: War, pos: Table, here: int, left: int) -> Reach:
    """Where a forced march leads: along roads, never within two hexes of an enemy (11.2.6a)."""
    costs = war.road_costs(not is_poor(pos), pos.broken)
    if pos.interdicting:
        dear = war.ticks(war.book.march.interdiction)
        costs = costs.surcharged(interdicted(war, pos, pos.side), dear)
    return reach(costs, here, left, blocked=~theatre(war, pos).area | near_enemies(war, pos))


def near_enemies(war: War, pos: Table) -> Mask:
    """The hexes within two of any enemy unit, air supports left aside (11.2.6a)."""
    enemies = there(war, pos, 1 - pos.side).ground
    return war.lattice.dilate(enemies, war.book.march.quiet)


def destinations(war: War, pos: Table, units: Mask, found: Reach) -> Mask:
    """Where a move may lead, of all that a stack can reach.

    Out of supply, back into it or as near to it as can be (9.2c); in Retreat mode, nearer to a
    source at the edge (11.4e).
    """
    ends = found.ends
    if units & pos.hungry:
        fed = supplied(war, pos, pos.side)
        ends = ends & fed or nearest(war, ends, fed)
    if units & pos.fleeing:
        away = war.ground.spread(theatre(war, pos).sources[pos.side], ((war.ground.open, 1),))
        ends = sum([1 << hex for hex in bits(ends) if away[hex] < away[found.start]])
    return ends


def nearest(war: War, hexes: Mask, goal: Mask) -> Mask:
    """Those of some hexes that are nearest to a goal over the ground."""
    away = war.ground.spread(goal, ((war.ground.open, 1),))
    least = min((away[hex] for hex in bits(hexes)), default=0)
    return sum([1 << hex for hex in bits(hexes) if away[hex] == least])


def held_back(war: War, pos: Table, units: Mask, here: int) -> tuple[Mask, Mask]:
    """Why a stack may not leave an enemy zone: the units alone there, and those of a stack.

    Who began the phase alone needs a relief that was announced and has come (11.2.2a); of a stack
    one combat unit must stay (11.2.2d). Only combat units hold a hex (11.2.2e).
    """
    fighters = units & war.combat
    if not fighters or pos.covered or not zone_felt(war, pos, units) >> here & 1:
        return 0, 0
    others = those_in(war, pos, here, pos.side) & war.combat & ~units
    if pos.crowded >> here & 1:
        return 0, (0 if others & ~pos.moved else fighters)
    relieved = pos.relief if others else 0
    return fighters & ~relieved & ~pos.moved, 0


def with_troops(war: War, pos: Table, unit: int) -> Mask:
    """A unit and the assault troops that go with it (11.3.2a)."""
    return 1 << unit | attached(war, pos, 1 << unit)
