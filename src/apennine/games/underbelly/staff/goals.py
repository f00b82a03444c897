"""What each side wants of its units.

The Allies: beaches and prizes held, towns taken, full stacks for the attack. The Germans: a line
from sea to sea, no raiders behind it, and attacks that win.
"""

from __future__ import annotations

from apennine.bots.staff.ground import FAR
from apennine.bots.staff.posts import Goals
from apennine.hexes import Mask, bits, mask_of

from ..table.position import ALLIED
from ..table.war import FIFTH_PANZER, SECOND_SS
from .endrun import gather, leave, stand_by
from .force import Force, ready, staging
from .mind import COLUMN, Mind, Staff


def plan(mind: Mind) -> Goals:
    """The goals of the player turn; new ones when the enemy or the units at hand change."""
    pos, foe = mind.pos, mind.foe
    alive = mask_of(unit for units in mind.stacks.values() for unit in bits(units))
    reasons = pos.turn, mind.side, foe.occupied, foe.divisions, alive, pos.owed, pos.launched
    think = allied_goals if mind.side == ALLIED else german_goals
    return mind.plan.goals.get(reasons, lambda: think(mind))


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
    roamed = mind.roamed(COLUMN)
    wanted = [h for h in bits(mind.ports) if roamed & (war.around[h] | 1 << h)]
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


# The Germans


def german_goals(mind: Mind) -> Goals:
    """10th Army hunts raiders and holds the line; the armies that Hitler sends attack."""
    war, weights = mind.war, mind.weights
    force = Force(mind, ready(mind))
    leave(force)
    stand_by(force)
    storm = Force(mind, [u for u in force.free if war.group[u] in (SECOND_SS, FIFTH_PANZER)])
    if storm.free:
        prizes = mind.beaches or war.prizes & mind.pos.control
        storm.prepare(sorted({*mind.enemies, *bits(prizes)}))
        force.take_over(storm)
    line, front, shut = german_line(mind), mind.staff.front, mind.front
    if front.leak(shut, front.tonight(line, mind.manned)):
        shut = 0
    hunt(force, mind.raiders & ~shut)
    needs = {hex: 0.3 + mind.threat(hex) + (mind.ring >> hex & 1) for hex in line}
    urgent = weights.shut if shut and mind.leaking else 0.0
    for _, man, hex in front.share_out(line, mind.manned):
        if man.unit in force.free and force.room(man.unit, hex):
            force.send(man.unit, hex, 1.0 + 0.4 * needs[hex] + urgent)
    force.reinforce(needs)
    return force.goals


def hunt(force: Force, raiders: Mask) -> None:
    """Divisions from near by against each raider in the rear."""
    for raider in bits(raiders):
        stage = staging(force.mind, raider)
        for _ in range(force.mind.weights.hunters):
            unit = force.nearest(stage, 1.5) if stage >= 0 else -1
            if unit >= 0:
                force.send(unit, stage, 3.0)


def german_line(mind: Mind) -> tuple[int, ...]:
    """The posts of the line from sea to sea: of several, one behind the other, the cheapest."""
    weights, staff, men = mind.weights, mind.staff, mind.manned
    naples = weights.naples * max(0.0, 1 - mind.pos.turn / weights.naples_until[mind.tiber])
    enemy, forts, ring, tiber = mind.front, mind.pos.forts, mind.ring, mind.tiber

    def more(line: tuple[int, ...], back: int) -> float:
        return weights.ground[tiber] * back - naples * bool(ring & mask_of(line))

    def choose() -> tuple[int, ...]:
        strong = staff.front.shelf.get(("strong", forts), lambda: strong_ground(staff, forts))
        return staff.front.best(enemy, men, strong, ring, more)

    return staff.front.shelf.get((enemy, forts, ring, men, naples, tiber), choose)


def strong_ground(staff: Staff, forts: Mask) -> list[int]:
    """By hex, by how much the ground lowers the fire of attackers (13.13a, 9.8i)."""
    war, modifiers = staff.war, staff.war.book.modifiers
    found = [0] * war.lattice.size
    masks = {name: war.terrain[name] for name in ("mountain", "marsh")}
    for name, mask in (masks | {"city": war.cities, "fort": forts}).items():
        for hex in bits(mask):
            found[hex] -= modifiers[name].attack
    return found
