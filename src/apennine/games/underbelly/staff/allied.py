"""What the Allies want: beaches and prizes held, towns taken, full stacks for the attack."""

from __future__ import annotations

from apennine.bots.staff.ground import FAR
from apennine.bots.staff.posts import Goals
from apennine.hexes import bits, mask_of

from .endrun import gather
from .force import Force, ready
from .mind import Mind


def allied_goals(mind: Mind) -> Goals:
    """Garrisons, a run for the north, towns that nobody holds, then attacks."""
    force = Force(mind, ready(mind))
    run_north(force, latest=1.0)
    secure(force, set(bits(mind.vital)))
    gather(force)
    garrisons(force)
    run_north(force, latest=mind.weights.run)
    seize_towns(force)
    force.prepare(sorted(mind.enemies))
    return force.goals


def run_north(force: Force, *, latest: float) -> None:
    """A unit that can get off the map before the enemy shuts the way goes."""
    mind = force.mind
    war, pos, ground = mind.war, mind.pos, mind.ground
    closed = mind.foe.occupied | mind.foe.zone
    runs: list[tuple[float, int, int]] = []
    for unit in force.free:
        hex = pos.hex[unit]
        if war.bit[hex] and not (pos.dropped and unit == war.airborne):
            away, door = ground.door(war.mobility[unit], hex, war.north, closed)
            if door >= 0:
                runs.append(((away + 1) / mind.staff.points(unit), unit, door))
    turns, unit, door = min(runs, default=(FAR, -1, -1))
    if turns <= latest:
        force.send(unit, door, 8.0 / max(turns, 0.5))


def garrisons(force: Force) -> None:
    """Who must not leave: the beaches before Naples is open, the prizes, ports in danger."""
    mind, weights = force.mind, force.mind.weights
    war = mind.war
    guarded = (mind.beaches or 1 << war.ports[war.naples] & mind.ports) | mind.prizes
    wanted = [h for h in bits(mind.ports) if mind.roamed & (war.around[h] | 1 << h)]
    needs = {
        hex: 0.3 + min(weights.garrison, 0.5 * mind.threat(hex))
        for hex in bits(guarded | mask_of(wanted))
    }
    order = sorted(needs, key=lambda h: (not mind.vital >> h & 1, -needs[h]))
    for hex in order:  # somebody everywhere before anybody is doubled
        if force.strength(hex) < needs[hex]:
            post(force, hex, needs[hex])
    for hex in order:
        while force.strength(hex) < needs[hex] and post(force, hex, needs[hex]):
            pass
        gun = force.nearest(hex, 0.0, support=True)
        if gun >= 0 and (needs[hex] > 1.0 or mind.vital >> hex & 1):
            force.send(gun, hex, 0.5)


def post(force: Force, hex: int, need: float) -> bool:
    """One more unit for a place that needs it, from as near as can be; whether there is one."""
    unit = force.nearest(hex, 1.0)
    unit = force.nearest(hex, 4.0) if unit < 0 else unit
    if unit >= 0:
        force.send(unit, hex, 2.0 + need)
    return unit >= 0


def secure(force: Force, places: set[int]) -> None:
    """One to each place, more to whichever is likeliest to be lost, until all are safe enough."""
    mind, weights = force.mind, force.mind.weights
    for hex in sorted(places):
        post(force, hex, 0.3)
    while places:
        perils = {hex: mind.peril(hex, force.held.get(hex, 0)) for hex in places}
        hex = max(places, key=lambda h: (perils[h], h))
        unit = force.nearest(hex, 1.0) if perils[hex] > weights.unsafe else -1
        if unit < 0:
            places.remove(hex)
        else:
            force.send(unit, hex, 2.0 + weights.alarm * perils[hex])


def seize_towns(force: Force) -> None:
    """German towns with an open way to them: first those with an airfield, and Naples."""
    mind, weights = force.mind, force.mind.weights
    war, pos = mind.war, mind.pos
    free = war.land & ~(mind.foe.occupied | mind.foe.zone)
    weighty = war.bases | war.prizes
    away: list[tuple[float, int, int]] = []
    for town in bits(war.towns & ~pos.control & free):
        region = mind.ground.flood(1 << town, free)
        region |= mind.ground.around(region)
        latest = weights.far_town if weighty >> town & 1 else weights.near_town
        for unit in force.free:
            if war.bit[pos.hex[unit]] & region and not war.supports >> unit & 1:
                turns = mind.turns(unit, town)
                if turns <= latest:
                    away.append((turns - latest, unit, town))
    sent: set[int] = set()
    for _, unit, town in sorted(away):
        if unit in force.free and town not in sent and len(sent) < weights.towns:
            force.send(unit, town, 1.2 if weighty >> town & 1 else 0.6)
            sent.add(town)
