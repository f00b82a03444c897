"""What each side wants of its units.

The Allies: beaches and prizes held, towns taken, full stacks for the attack. The Germans: a line
from sea to sea, no raiders behind it, and attacks that win.
"""

from __future__ import annotations

from functools import partial
from math import inf

from apennine.bots.staff.line import closed_by
from apennine.bots.staff.posts import Goals, first_come, garrison, relieve
from apennine.hexes import Mask, bits, mask_of

from ..table.position import ALLIED
from ..table.war import FIFTH_PANZER, SECOND_SS
from .endrun import gather, leave, stand_by, way_out
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
    secure(force)
    gather(force)
    garrisons(force)
    run_north(force, latest=mind.weights.run)
    seize_towns(force)
    force.prepare(sorted(mind.enemies))
    return force.goals


def run_north(force: Force, *, latest: float) -> None:
    """A unit that can get off the map before the enemy shuts the way goes."""
    mind, runs = force.mind, list[tuple[float, int, int]]()
    for unit in force.free:
        away, door = way_out(mind, unit)
        if door >= 0 and not (mind.pos.dropped and unit == mind.war.airborne):
            runs.append(((away + 1) / mind.staff.points(unit), unit, door))
    turns, unit, door = min(runs, default=(inf, -1, -1))
    if turns <= latest:
        force.send(unit, door, 8.0 / max(turns, 0.5))


def secure(force: Force) -> None:
    """One to each vital place, more to whichever is likeliest to be lost, until all are safe."""
    mind, weights, places = force.mind, force.mind.weights, set(bits(force.mind.vital))
    relieve(force, places, lambda h: 1.0 - force.count(h), force.relief, lambda _hex, _lack: 2.3)
    relieve(
        force, places, lambda hex: mind.peril(hex, force.held.get(hex, 0)),
        partial(force.nearest, latest=1.0), lambda _, peril: 2.0 + weights.alarm * peril,
        weights.unsafe,
    )  # fmt: skip


def garrisons(force: Force) -> None:
    """Who must not leave: the beaches before Naples is open, the prizes, ports in danger."""
    mind, war, most = force.mind, force.mind.war, force.mind.weights.garrison
    guarded = (mind.beaches or 1 << war.ports[war.naples] & mind.ports) | mind.prizes
    guarded |= mind.ports & closed_by(mind.ground, mind.roamed(COLUMN))
    needs = {hex: 0.3 + min(most, 0.5 * mind.threat(hex)) for hex in bits(guarded)}
    relieve(
        force, needs, lambda hex: needs[hex] - mind.power(force.held.get(hex, 0)),
        force.relief, lambda hex, _: 2.0 + needs[hex],
    )  # fmt: skip
    for hex in sorted(needs, key=lambda h: (not mind.vital >> h & 1, -needs[h])):
        gun = force.nearest(hex, 0.0, support=True)
        if gun >= 0 and (needs[hex] > 1.0 or mind.vital >> hex & 1):
            force.send(gun, hex, 0.5)


def seize_towns(force: Force) -> None:
    """German towns with an open way to them: first those with an airfield, and Naples."""
    mind, war, weights = force.mind, force.mind.war, force.mind.weights
    free = war.land & ~(mind.foe.occupied | mind.foe.zone)
    weighty = war.bases | war.prizes
    ground, towns = mind.ground, war.towns & ~mind.pos.control & free
    near = {town: closed_by(ground, ground.flood(1 << town, free)) for town in bits(towns)}

    def spare(unit: int, town: int) -> float:
        turns, here = mind.turns(unit, town), war.bit[mind.pos.hex[unit]]
        latest = weights.far_town if weighty >> town & 1 else weights.near_town
        able = turns <= latest and here & near[town] and not war.supports >> unit & 1
        if able and not weighty >> town & 1:  # not away from the front
            able = mind.from_foe[town] <= mind.from_foe[mind.pos.hex[unit]]
        return turns - latest if able else inf

    needs = {town: 1.2 if weighty >> town & 1 else 0.6 for town in near}
    first_come(force, needs, spare, most=weights.towns)


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
    line, front, shut = german_line(mind), mind.lines, mind.front
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
        stage, most = staging(force.mind, raider), force.mind.weights.hunters
        if stage >= 0:
            garrison(force, (stage,), partial(force.fit, latest=1.5), count=most, weight=3.0)


def german_line(mind: Mind) -> tuple[int, ...]:
    """The posts of the line from sea to sea: of several, one behind the other, the cheapest."""
    weights, staff, men = mind.weights, mind.staff, mind.manned
    enemy, forts, ring, tiber = mind.front, mind.pos.forts, mind.ring, mind.tiber
    naples = weights.naples[tiber] * max(0.0, 1 - mind.pos.turn / weights.naples_until[tiber])
    memory, turn = mind.plan.memory, mind.pos.turn
    before = mind.war.lattice.dilate(mask_of(memory.noted("line", turn)))

    def more(line: tuple[int, ...], back: int) -> float:
        cost = weights.ground[tiber] * back - naples * bool(ring & mask_of(line))
        return cost - weights.stay * (before & mask_of(line)).bit_count() / len(line)

    def choose() -> tuple[int, ...]:
        strong = mind.lines.shelf.get(("strong", forts), lambda: strong_ground(staff, forts))
        return mind.lines.best(enemy, men, strong, ring, more)

    line = mind.lines.shelf.get((enemy, forts, ring, men, naples, tiber, before), choose)
    memory.note("line", turn, dict.fromkeys(line, turn))
    return line


def strong_ground(staff: Staff, forts: Mask) -> list[int]:
    """By hex, by how much the ground lowers the fire of attackers (13.13a, 9.8i)."""
    war, modifiers = staff.war, staff.war.book.modifiers
    found = [0] * war.lattice.size
    masks = {name: war.terrain[name] for name in ("mountain", "marsh")}
    for name, mask in (masks | {"city": war.cities, "fort": forts}).items():
        for hex in bits(mask):
            found[hex] -= modifiers[name].attack
    return found
