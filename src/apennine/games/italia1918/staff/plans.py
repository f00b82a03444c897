"""Where the units of a side go in its movement: forward or into the line, guns, headquarters."""

from __future__ import annotations

from functools import partial

from apennine.bots.staff.ground import best_hex
from apennine.bots.staff.line import shut
from apennine.bots.staff.posts import Goals, draw_near, relieve
from apennine.hexes import Mask, bits, mask_of

from ..rules.c02_pieces import full_strength, unready
from ..rules.c09_supply import supplied
from ..rules.c11_march import PURSUIT
from .force import Force
from .mind import Mind, Movement
from .rotation import rest


def plan(mind: Mind) -> Movement:
    """Where everybody goes from here."""
    force = Force(mind)
    kept = 0
    if mind.flees:
        return Movement(flee(force), kept)
    relieved = rest(force)
    if mind.leads:
        kept = drive(force)
    else:
        hold(force)
    bring_guns(force)
    bring_staffs(force)
    return Movement(force.goals, kept, relieved)


# Forward.


def drive(force: Force) -> Mask:
    """Into open places, to attacks, into reserve behind the offensive, and on."""
    mind = force.mind
    if mind.pos.phase != PURSUIT:
        force.prepare(targets(mind), mind.weights.least[0])
    walk_in(force, mind.lacking & ~mind.foe.closed)
    kept = reserves(force)
    close_up(force)
    return kept


def targets(mind: Mind) -> list[int]:
    """The enemy hexes that could be attacked, those first that lie on the way or in gun range."""
    near = mind.war.lattice.dilate(mind.own.combat, mind.weights.near)

    def worth(hex: int) -> float:
        return mind.points(hex) - mind.draw[hex] + 4.0 * (mind.offensive >> hex & 1)

    return sorted(bits(mind.enemy & near), key=worth, reverse=True)[: mind.weights.targets]


def walk_in(force: Force, places: Mask) -> None:
    """One combat unit into each place that somebody can simply walk into."""
    for hex in sorted(bits(places), key=lambda hex: (-force.mind.points(hex), hex)):
        if not force.count(hex):
            unit = force.best(hex, force.fit)
            if unit >= 0:
                force.send(unit, hex, force.mind.points(hex))


def reserves(force: Force) -> Mask:
    """Fresh units behind the offensive that have no other business wait for the break."""
    mind = force.mind
    war, pos = mind.war, mind.pos
    if not mind.offensive or pos.phase == PURSUIT or pos.veterans:
        return 0
    fit = full_strength(war, pos, mask_of(force.free)) & ~unready(pos)
    fit &= mind.own.among(mind.offensive & ~mind.zone)
    kept, room = 0, war.book.limits.reserves[mind.side]
    order = sorted(bits(fit), key=lambda unit: (mind.draw[pos.hex[unit]], unit))
    for unit in order:
        if kept.bit_count() >= room:
            break
        kept |= 1 << unit
        force.send(unit, pos.hex[unit])
    return kept


def close_up(force: Force) -> None:
    """Everybody else goes on towards the objectives, in supply, not in a heap."""
    mind = force.mind
    war, pos, weights = mind.war, mind.pos, mind.weights
    fed = supplied(war, pos, mind.side)
    around: dict[int, int] = {}

    def arrive(unit: int, hex: int) -> None:
        for near in bits(war.lattice.disc(hex, 1)):
            around[near] = around.get(near, 0) + mind.guard(unit)

    for hex, units in force.held.items():
        for unit in bits(units & war.combat):
            arrive(unit, hex)

    def value(unit: int, hex: int) -> float:
        value = -mind.draw[hex] - weights.jam * max(0, around.get(hex, 0) - 4 * weights.enough)
        if not fed >> hex & 1:
            value -= 6.0
        if not mind.commanded >> hex & 1:
            value -= 0.5
        if mind.zone >> hex & 1:
            value += 0.4 if around.get(hex, 0) > 4 else -0.6
        if mind.beyond >> hex & 1 and mind.fresh >> unit & 1:
            value += weights.beyond
        return value + 0.2 if hex == pos.hex[unit] else value

    def where(unit: int) -> int:
        if not war.combat >> unit & 1:
            return -1
        hex = best_hex(mask_of(force.ends(unit)), partial(value, unit))
        if hex >= 0:
            arrive(unit, hex)
        return hex

    force.free.sort(key=lambda unit: (mind.draw[pos.hex[unit]], unit))
    draw_near(force, where)


# Away.


def flee(force: Force) -> Goals:
    """Everybody to the gates, who is nearest first, so that the roads are free."""
    mind = force.mind

    def where(unit: int) -> int:
        ends = force.ends(unit)
        return min(ends, key=lambda hex: (mind.home[hex], hex), default=-1)

    force.free.sort(key=lambda unit: (mind.home[mind.pos.hex[unit]], unit))
    draw_near(force, where)
    return force.goals


# The line.


def hold(force: Force) -> None:
    """Shut what is open, man what is threatened, strike back, keep the rest near by."""
    mind = force.mind
    war, pos = mind.war, mind.pos
    exits = mind.kept
    keep_posts(force)
    if mind.pos.phase != PURSUIT:
        shut(mind.ground, force, mind.enemy, exits & mind.ground.land & ~mind.enemy, force.fit)
        force.prepare(targets(mind)[:12], mind.weights.least[1])
    walk_in(force, mind.lacking & ~mind.foe.closed)
    front = mask_of(hex for hex, units in force.held.items() if units & war.combat)
    front &= mind.war.lattice.dilate(mind.enemy)
    wanted = {hex: threat(mind, hex) for hex in bits(front)}

    def lack(hex: int) -> float:
        there = sum(map(mind.guard, bits(force.held.get(hex, 0) & war.combat)))
        strong = there * ground_factor(mind, hex)
        return (wanted[hex] - strong) * (1.0 + 0.1 * mind.points(hex))

    def who(hex: int) -> int:
        return force.best(hex, force.fit)

    relieve(force, bits(front), lack, who, lambda _, lacking: lacking)
    away = mind.ground.distances(front or mind.kept or mind.enemy)

    def behind(unit: int) -> int:
        if not war.combat >> unit & 1 or away[pos.hex[unit]] <= 2:
            return -1
        ends = [hex for hex in force.ends(unit) if not mind.zone >> hex & 1]
        return min(ends, key=lambda hex: (max(away[hex], 1), hex), default=-1)

    draw_near(force, behind)


def keep_posts(force: Force) -> None:
    """Who stands next to the enemy, or in a trench before him, stays there."""
    mind = force.mind
    dug = mind.here.trenches[mind.side]
    for unit in tuple(force.free):
        here = mind.pos.hex[unit]
        near = mind.from_foe[here]
        if mind.war.combat >> unit & 1 and (near <= 1 or (near <= 3 and dug >> here & 1)):
            force.send(unit, here)


def threat(mind: Mind, hex: int) -> float:
    """The attack factors that stand next to a hex, or could soon."""
    foes = mind.foe.among(mind.war.lattice.disc(hex, 2)) & mind.war.combat
    distance, pos = mind.war.lattice.distance, mind.pos
    return sum(
        mind.strength(unit) / (1 if distance(pos.hex[unit], hex) < 2 else 2) for unit in bits(foes)
    )


def ground_factor(mind: Mind, hex: int) -> float:
    """What the ground makes of a defence."""
    war, here = mind.war, mind.here
    factor = 1.0 + 0.4 * ((war.ground.mountains | war.ground.high | war.ground.forest) >> hex & 1)
    if here.trench_hexes >> hex & 1:
        factor *= here.entente_trench if mind.side else war.book.factors.trench
    return factor


# Behind the front.


def bring_guns(force: Force) -> None:
    """Guns in range of the enemy, with a guard, and where he does not get at them."""
    mind = force.mind
    war, pos = mind.war, mind.pos
    posts = mask_of(hex for hex, units in force.held.items() if units & war.combat)
    shy = war.lattice.dilate(mind.zone)

    def value(unit: int, hex: int) -> float:
        reach = war.roster[unit].range
        near = mind.enemy & war.lattice.disc(hex, reach)
        value = 0.5 * min(near.bit_count(), 6) - 0.4 * max(0, mind.from_foe[hex] - reach)
        if shy >> hex & 1 and not posts >> hex & 1:
            value -= 3.0
        if not mind.commanded >> hex & 1:
            value -= 1.0
        value -= 0.3 * (force.held.get(hex, 0) & war.artillery & ~(1 << unit)).bit_count()
        if mind.leads:
            value -= 0.15 * mind.draw[hex]
        return value + 0.7 * (hex == pos.hex[unit])

    for unit in tuple(force.free):
        if war.artillery >> unit & 1:
            hex = best_hex(force.reach[unit], partial(value, unit))
            if hex >= 0:
                force.send(unit, hex)


def bring_staffs(force: Force) -> None:
    """Headquarters a little behind the front, so that as many units as can be are in reach."""
    mind = force.mind
    war, pos = mind.war, mind.pos
    fighters = [force.place(unit) for unit in force.units if war.combat >> unit & 1]

    def value(unit: int, hex: int) -> float:
        radius, distance = war.roster[unit].value, war.lattice.distance
        served = sum(distance(hex, place) <= radius - 2 for place in fighters)
        safe = min(mind.from_foe[hex], mind.weights.back)
        return 0.1 * served + 0.8 * safe + 0.3 * (hex == pos.hex[unit])

    for unit in tuple(force.free):
        if war.headquarters >> unit & 1:
            ends = force.reach[unit] & ~war.lattice.dilate(mind.zone)
            hex = best_hex(ends & near_home(mind, unit), partial(value, unit))
            if hex >= 0:
                force.send(unit, hex)


def near_home(mind: Mind, unit: int) -> Mask:
    """The hexes that a headquarters thinks of: its own, and some on the way to the front."""
    here, ways = mind.pos.hex[unit], mind.war.ground.roaded
    return (mind.war.lattice.disc(here, 4) & ways) | 1 << here
