"""What the Allies want: beaches and prizes held, towns taken, full stacks for the attack."""

from __future__ import annotations

from apennine.bots.staff.ground import FAR
from apennine.hexes import bits

from .endrun import gather
from .force import Force, ready
from .mind import Goals, Mind


def allied_goals(mind: Mind) -> Goals:
    """Garrisons, a run for the north, towns that nobody holds, then attacks."""
    force = Force(mind, ready(mind))
    run_north(force, latest=1.0)
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
    runs: list[tuple[float, int]] = []
    for unit in force.free:
        hex = pos.hex[unit]
        if war.bit[hex] and not (pos.dropped and unit == war.airborne):
            away = ground.marches(war.mobility[unit], war.north & ~closed, closed)[hex]
            runs.append(((away + 1) / mind.staff.points(unit) if away < FAR else FAR, unit))
    turns, unit = min(runs, default=(FAR, -1))
    if turns <= latest:
        exits = bits(war.north & ~closed)
        here, pace = pos.hex[unit], war.mobility[unit]
        door = min(exits, key=lambda h: (ground.marches(pace, 1 << h, closed)[here], h))
        force.send(unit, door, 8.0 / max(turns, 0.5))


def garrisons(force: Force) -> None:
    """Who must not leave: the beaches before Naples is open, the prizes, ports in danger."""
    mind, weights = force.mind, force.mind.weights
    war = mind.war
    guarded = (mind.beaches or 1 << war.ports[war.naples] & mind.ports) | mind.prizes
    needs: dict[int, float] = {}
    for hex in bits(guarded | mind.ports):
        if mind.vital >> hex & 1:
            most = weights.beachhead if mind.beaches >> hex & 1 else weights.last_prize
            need = max(0.8 * mind.threat(hex), 0.6 * mind.looming(hex))
            needs[hex] = 0.3 + min(most, need)
        elif guarded >> hex & 1 or mind.roamed & (war.around[hex] | 1 << hex):
            needs[hex] = 0.3 + min(weights.garrison, 0.5 * mind.threat(hex))
    order = sorted(needs, key=lambda h: -needs[h])
    for doubled in (False, True):  # somebody everywhere before anybody is doubled
        for hex in order:
            while force.strength(hex) < needs[hex]:
                unit = force.nearest(hex, 1.0) if mind.vital >> hex & 1 else -1
                unit = force.nearest(hex, 4.0) if unit < 0 else unit
                if unit < 0:
                    break
                force.send(unit, hex, 2.0 + needs[hex])
                if not doubled:
                    break
    for hex in order:
        gun = force.nearest(hex, 0.0, support=True)
        if gun >= 0 and needs[hex] > 1.0:
            force.send(gun, hex, 0.5)


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
