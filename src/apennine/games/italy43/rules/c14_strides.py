"""Chapters 14.2 to 14.5: the hexes that a unit may enter when it advances, one after the other."""

from __future__ import annotations

from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.decision import Procedure
from apennine.kernel.order import Bars, what_stays

from ..table.position import GERMAN, Table
from ..table.war import War
from .c02_pieces import is_wet, mountaineers, occupied, there
from .c04_stacking import crowded
from .c05_areas import closed_land, friendly_areas
from .c06_zones import zone, zone_from
from .c07_bonds import bonds
from .c12_retreat import matters, step

FAR = 3
"""The hexes of Adv 2+ (14.2.2)."""


def limit(war: War, pos: Table, unit: int) -> int:
    """How many hexes a unit may advance (14.2): the third of Adv 2+ is for mechanised units.

    Out of supply it is two at most (16.4c), at half effectiveness one (25.2c).
    """
    mark = 1 << unit
    if mark & pos.halved:
        return min(pos.advance, 1)
    if mark & pos.hungry or mark & ~war.mechanised:
        return min(pos.advance, FAR - 1)
    return pos.advance


def areas_beside(war: War, pos: Table, here: int, side: int) -> Mask:
    """The own entry areas that lie along a hex, by their locations (21.4.1)."""
    return war.ground.areas_along[here] & war.friendly_areas(side, pos.turn)


def strides(war: War, pos: Table, unit: int, here: int, used: int) -> Bars:
    """The bars on the next hex of an advance, of which so many have been entered (14.3)."""
    side = war.side_of[unit]
    vacated = 1 << pos.vacated
    yield (
        war.ground.beside[here] | areas_beside(war, pos, here, side),
        "{hex} is not the next hex of an advance",
        "14.1b",
    )
    if pos.limited:
        yield vacated, "Only the hex that the defender has lost may be entered", "14.2.3"
    if here == war.formia and side == GERMAN:
        stay = there(war, pos, side).stack(here) & ~(pos.group | 1 << unit)
        yield stay > 0, "A German unit must stay in Formia", "S3.3.4a"
    yield ~occupied(war, pos, 1 - side), "Enemies are in {hex}", "14.5a"
    closed = bonds(war, pos, 1 - side)
    bonded = closed.hexes | war.lattice.cross(1 << here, closed.sides)
    yield ~bonded | vacated, "An enemy ZOC Bond closes the way to {hex}", "7.2c"
    if here != pos.vacated:
        same = beside_the_same(war, pos, here, side)
        between = "The enemy next to whom the advance is controls {hex} too"
        yield ~same | vacated, between, "14.4.1a"
    yield from ground_bars(war, pos, unit, here, used)


def beside_the_same(war: War, pos: Table, here: int, side: int) -> Mask:
    """The hexes in the zone of an enemy stack that controls a hex (14.4.1a)."""
    found = 0
    for hex in bits(war.ground.beside[here] & occupied(war, pos, 1 - side)):
        controlled = zone_from(war, pos, hex, 1 - side)
        if controlled >> here & 1:
            found |= controlled
    return found


def ground_bars(war: War, pos: Table, unit: int, here: int, used: int) -> Bars:
    """14.5: what the ground forbids an advancing unit, in Breakthrough Combat too (15.2.6b)."""
    ground, mark, start = war.ground, 1 << unit, 1 << here
    side = war.side_of[unit]
    yield ~closed_land(war, pos, side), "{hex} is land of the 8th Army zone", "14.5a"
    first = 1 << pos.vacated if not used else 0
    trackless = ground.over_trackless[here]
    if mark & war.vehicles:
        yield ~trackless, "Vehicles need a road or a pass over the mountains to {hex}", "14.5c"
        if is_wet(war, pos):
            flooded = war.lattice.cross(start, ground.unbridged)
            yield ~flooded, "In rain vehicles need a bridge to {hex}", "14.5e"
    else:
        climb = "Mountains are crossed only first of all, into the hex that was attacked"
        yield ~trackless | first, climb, "14.5c"
    river = "A major river is crossed only first of all, into the hex that was attacked"
    yield ~ground.over_rivers[here] | first, river, "14.5d"
    if mark & pos.halved:
        tiring = _tiring(war, pos, unit, here)
        yield ~tiring, "The unit is at half effectiveness already", "25.2d"
    by_road = ground.by_road[here]
    if used and ground.marsh & start:
        yield by_road, "Only a road leads an advance on through a marsh", "14.5b"
    if used >= FAR - 1:
        exits = areas_beside(war, pos, here, side) if _has_exit(war, pos, here, side) else 0
        third = "The third hex is entered by road, or is clear"
        yield ground.clear | by_road | exits, third, "14.2.2"


def _has_exit(war: War, pos: Table, here: int, side: int) -> bool:
    exits = war.ground.exits
    return any(exits[name] >> here & 1 for name in friendly_areas(war, pos, side))


def _tiring(war: War, pos: Table, unit: int, here: int) -> Mask:
    """25.2: the hexes into which a unit earns a Half Effectiveness marker."""
    if not pos.half_effects:
        return 0
    ground, mark = war.ground, 1 << unit
    if mark & mountaineers(war, pos):
        return 0
    found = ground.over_trackless[here]  # 25.2a
    if mark & war.vehicles:
        found |= war.lattice.cross(1 << here, ground.unbridged)  # 25.2b
    return found


def must_stop(war: War, pos: Table, unit: int, here: int, hex: int) -> bool:
    """Whether an advance ends in a hex: in enemy zones but in the vacated hex (14.4.1b).

    In cities, in marshes off the road (14.5b), in an entry area (21.4.1), and wherever it costs
    half its effectiveness, which allows one hex (25.2c).
    """
    ground = war.ground
    if hex >= war.lattice.size:
        return True
    bit = 1 << hex
    if hex != pos.vacated and zone(war, pos, 1 - war.side_of[unit]) & bit:
        return True
    off_road = bit & ground.marsh & ~ground.by_road[here]
    return bool(bit & ground.cities or off_road or bit & _tiring(war, pos, unit, here))


def routes(war: War, pos: Table, unit: int) -> dict[int, tuple[int, ...]]:
    """By hex that a unit can reach in its advance, the shortest way there, its own hex first."""
    start = pos.hex[unit]
    found: dict[int, tuple[int, ...]] = {start: (start,)}
    wave = [start]
    for used in range(limit(war, pos, unit)):
        reached: list[int] = []
        for here in wave:
            for hex in bits(what_stays(strides(war, pos, unit, here, used))):
                if hex not in found:
                    found[hex] = (*found[here], hex)
                    if not must_stop(war, pos, unit, here, hex):
                        reached.append(hex)
        wave = reached
    return found


def ways_to(war: War, pos: Table, unit: int, end: int) -> list[tuple[int, ...]]:
    """All ways of an advance to a hex, in any direction and never twice through a hex (14.3).

    The shortest come first, and of these that of `routes`; where nothing would come of another way
    it is the only one.
    """
    found, start = [routes(war, pos, unit)[end]], pos.hex[unit]
    if not matters(war, pos, war.side_of[unit]) & war.lattice.disc(start, limit(war, pos, unit)):
        return found
    wave = [(start,)]
    for used in range(limit(war, pos, unit)):
        longer: list[tuple[int, ...]] = []
        leads: dict[int, tuple[Mask, list[int]]] = {}  # by hex, where ways may end, and go on
        for way in wave:
            here = way[-1]
            if here not in leads:
                nexts = what_stays(strides(war, pos, unit, here, used))
                on = [hex for hex in bits(nexts) if not must_stop(war, pos, unit, here, hex)]
                leads[here] = nexts, on
            nexts, on = leads[here]
            if nexts >> end & 1:
                found.append((*way, end))
            longer += [(*way, hex) for hex in on if hex != end and hex not in way]
        wave = longer
    return found


def ends(war: War, pos: Table, unit: int) -> Mask:
    """Where an advance of a unit may end: in other hexes than its own, and with room (14.1c)."""
    found = mask_of(routes(war, pos, unit)) & ~(1 << pos.hex[unit])
    return found & ~crowded(war, pos, war.side_of[unit], 1 << unit, found)


def can_advance(war: War, pos: Table, unit: int) -> bool:
    """Whether an advance of a unit may end anywhere; mostly it may after the first hex."""
    nexts = what_stays(strides(war, pos, unit, pos.hex[unit], 0)) if limit(war, pos, unit) else 0
    full = crowded(war, pos, war.side_of[unit], 1 << unit, nexts)
    return bool(nexts & ~full or (nexts and ends(war, pos, unit)))


def stride(war: War, pos: Table, unit: int, hex: int) -> Procedure:
    """A unit goes one hex of its advance, and may lose half its effectiveness by it (25.2)."""
    if _tiring(war, pos, unit, pos.hex[unit]) >> hex & 1:
        pos.halved |= 1 << unit
    yield from step(war, pos, unit, hex)
