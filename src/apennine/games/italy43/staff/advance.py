"""The Allied way: take what is open, mass against the weak, close up."""

from __future__ import annotations

from apennine.bots.staff.ground import best_hex
from apennine.bots.staff.line import closed_by
from apennine.bots.staff.posts import NEVER, draw_near, garrison
from apennine.hexes import bits, mask_of

from ..rules.c16_supply import connected_hexes
from ..table.position import ALLIED
from .duties import bring_guns, rest
from .force import Force


def advance(force: Force) -> None:
    """Tired units go to the rear, others into open places, to attacks, and on."""
    mind = force.mind
    rest(force)
    force.walk_in(1 << hex for hex in bits(mind.lacking & ~mind.enemy))
    force.prepare(mind.enemy, mind.weights.good_enough[ALLIED])
    guard_rear(force)
    close_up(force)
    bring_guns(force)


def guard_rear(force: Force) -> None:
    """Somebody in each place with points that the enemy could drive back into; the weakest does."""
    mind = force.mind
    posts = mask_of(h for h, units in force.held.items() if units and h >= 0) & mind.ground.land
    free = mind.ground.land & ~closed_by(mind.ground, posts)
    roamed = mind.ground.spread(mind.enemy, mind.weights.pace, free)
    bare = mind.staff.prizes & mind.pos.control & roamed & ~posts

    def fit(unit: int, hex: int) -> float:
        usable = force.reach[unit] >> hex & 1 and not mind.war.artillery >> unit & 1
        return -float(mind.attack(unit)) if usable else NEVER

    garrison(force, sorted(bits(bare), key=lambda hex: (-mind.points(hex), hex)), fit)


def close_up(force: Force) -> None:
    """Everybody else goes on towards the objectives, in supply, neither alone nor in a heap."""
    mind = force.mind
    war, pos, weights = mind.war, mind.pos, mind.weights
    linked = connected_hexes(war, pos, mind.side)
    around: dict[int, int] = {}

    def arrive(unit: int, hex: int) -> None:
        for near in bits(war.lattice.disc(hex, 1)):
            around[near] = around.get(near, 0) + mind.defence(unit)

    for hex, units in force.held.items():
        if war.ground.bit[hex]:
            for unit in bits(units & ~war.artillery):
                arrive(unit, hex)

    def value(unit: int, draw: list[float], hex: int) -> float:
        friends = around.get(hex, 0)
        value = -0.4 * draw[hex] - 0.3 * mind.from_foe[hex]
        value -= weights.jam * max(0, friends - weights.enough)
        if not mind.supplied >> hex & 1:
            value -= 1.0 if linked >> hex & 1 else 6.0
        if mind.zone >> hex & 1:
            value -= max(0.0, 1.2 - 0.2 * friends)
        value += 0.3 * min(mind.strong[hex], 1.0) + 0.3 * (mind.breaks >> hex & 1)
        return value + 0.2 if hex == pos.hex[unit] else value

    def where(unit: int) -> int:
        if war.artillery >> unit & 1:
            return -1
        draw = mind.draw(unit)
        hex = best_hex(mask_of(force.ends(unit)), lambda hex: value(unit, draw, hex))
        if hex >= 0:
            arrive(unit, hex)
        return hex

    def away(unit: int) -> float:
        here = pos.hex[unit]
        return mind.draw(unit)[here] if war.ground.bit[here] else 99.0

    order = {unit: away(unit) for unit in force.free}
    force.free.sort(key=lambda u: (order[u], u))
    draw_near(force, where)
