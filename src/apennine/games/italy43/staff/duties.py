"""What both sides do in their movement: rest who is worn out, bring up the guns."""

from __future__ import annotations

from functools import partial

from apennine.bots.staff.ground import best_hex
from apennine.bots.staff.line import closed_by
from apennine.hexes import Mask, bits, mask_of

from .force import Force


def rest(force: Force) -> None:
    """Who is in disorder, or worn out, goes where the enemy is not near."""
    mind, far = force.mind, force.mind.weights.rest

    def where(ends: Mask) -> int:
        def value(hex: int) -> float:
            return min(mind.from_foe[hex], far) - 0.1 * mind.staff.from_naples[hex]

        return best_hex(ends, value)

    for unit in tuple(force.free):
        here = mind.pos.hex[unit]
        if not mind.is_tired(unit) or mind.war.artillery >> unit & 1:
            continue
        if here < mind.war.lattice.size and mind.from_foe[here] < far:
            ends = mask_of(force.ends(unit)) & mind.supplied & ~mind.zone
            hex = where(ends)
            if hex >= 0:
                force.send(unit, hex)


def bring_guns(force: Force) -> None:
    """Artillery in range of the enemy, but where he does not get at it: its loss costs points."""
    mind = force.mind
    war, pos, distance = mind.war, mind.pos, mind.war.lattice.distance
    posts = mask_of(h for h, units in force.held.items() if units & ~war.artillery and h >= 0)
    posts &= mind.ground.land
    free = mind.ground.land & ~closed_by(mind.ground, posts)
    roamed = mind.ground.spread(mind.enemy, mind.weights.pace, free)
    unsafe = war.lattice.dilate(roamed) | mind.zone
    doubtful = war.lattice.dilate(unsafe)

    def value(unit: int, hex: int) -> float:
        reach, here = war.roster[unit].range, pos.hex[unit]
        targets = mind.enemy & war.lattice.disc(hex, reach)
        value = 0.3 * min(targets.bit_count(), 5) - 0.3 * max(0, mind.from_foe[hex] - reach)
        if doubtful >> hex & 1:
            guard = sum(map(mind.defence, bits(force.held.get(hex, 0) & ~war.artillery)))
            value -= max(1.0, 4.0 - 0.4 * guard) * (1.0 if unsafe >> hex & 1 else 0.4)
        value -= 0.3 * (force.held.get(hex, 0) & war.artillery & ~(1 << unit)).bit_count()
        value -= 2.0 if mind.zone >> hex & 1 else 0.0
        if war.divisional >> unit & 1:
            near = min((distance(hex, place) for place in division(force, unit)), default=0)
            value -= 0.6 * max(0, near - reach + 1)
        if not mind.supplied >> hex & 1:
            value -= 2.0
        far = war.ground.bit[here] and distance(hex, here) > war.book.march.tactical
        return value + 0.6 * (hex == here) - 0.6 * bool(far)

    for unit in tuple(force.free):
        if war.artillery >> unit & 1:
            hex = best_hex(force.reach[unit], partial(value, unit))
            if hex >= 0:
                force.send(unit, hex)


def division(force: Force, unit: int) -> list[int]:
    """Where the units of an artillery unit's division will be."""
    war = force.mind.war
    own = war.formation[unit][0]
    places = [force.place(u) for u in force.units if war.formation[u][0] == own and u != unit]
    return [place for place in places if war.ground.bit[place]]
