"""The Allied way: take what is open, mass against the weak, close up, and keep the sea behind."""

from __future__ import annotations

from apennine.bots.staff.ground import best_hex
from apennine.bots.staff.posts import draw_near
from apennine.hexes import bits, mask_of

from ..table.position import ALLIED
from .force import Force
from .landing import kept_back, ship
from .screen import screen


def advance(force: Force) -> None:
    """Worn units go to the rear, others into open places, to attacks, and on."""
    mind = force.mind
    force.rest()
    hold_places(force)
    walk_in(force)
    force.prepare(mind.strong_foe, mind.weights.good_enough[ALLIED])
    screen(force)
    force.rebuild()
    close_up(force)
    ship(force)
    force.tuck_in(list(bits(mind.bases)))


def walk_in(force: Force) -> None:
    """Open places are taken by who can hold them; in the last turns by anybody."""
    mind = force.mind
    war, pos = mind.war, mind.pos
    late = pos.turn + 1 >= war.book.scenarios[pos.scenario].last
    open_places = mind.lacking & ~(mind.strong_foe | mind.zone) & mind.fed
    for hex in bits(open_places):
        able = [u for u in force.free if force.reach[u] >> hex & 1 and mind.defence(u)]
        able = [u for u in able if not war.replacements >> u & 1 and force.room(u, hex)]
        safe = [u for u in able if late or mind.risk(1 << u, hex) <= mind.weights.alone]
        unit = min(safe, key=lambda u: (mind.attack(u), u), default=-1)
        if unit >= 0:
            force.send(unit, hex)


def hold_places(force: Force) -> None:
    """A place that wins, and a port at work, is not left alone while an enemy is near."""
    mind = force.mind
    mine = (mind.prizes | mind.bases & mind.war.ground.ports) & mind.pos.friendly
    for hex in bits(mine):
        near = mind.from_foe[hex] <= mind.weights.near
        if not near or force.count(hex) or mind.zone >> hex & 1:
            continue
        able = [u for u in force.free if force.reach[u] >> hex & 1 and mind.defence(u)]
        able = [u for u in able if not mind.war.replacements >> u & 1 and force.room(u, hex)]
        able = [u for u in able if mind.risk(1 << u, hex) <= mind.weights.alone]
        here = [u for u in able if mind.pos.hex[u] == hex]
        unit = min(here or able, key=lambda u: (mind.attack(u), u), default=-1)
        if unit >= 0:
            force.send(unit, hex)


def close_up(force: Force) -> None:
    """Everybody else goes on towards the places, in supply, not next to enemies, not alone."""
    mind = force.mind
    war, pos, draw, weights = mind.war, mind.pos, mind.draw, mind.weights
    kept = 0 if force.lift else kept_back(mind)

    def value(unit: int, hex: int) -> float:
        value = -0.4 * draw[hex]
        if not mind.fed >> hex & 1:
            value -= 6.0
        friends = force.held.get(hex, 0)
        risk = mind.risk(friends | 1 << unit, hex)
        value -= weights.exposed * max(0.0, min(risk, 8.0) - weights.bearable)
        value += 0.2 * bool(friends)
        return value + 0.1 if hex == pos.hex[unit] else value

    def where(unit: int) -> int:
        if (war.replacements | kept) >> unit & 1:
            return -1
        ends = force.reach[unit] & ~mind.zone
        if not ends:
            return -1
        room = mask_of(h for h in bits(ends) if force.room(unit, h))
        near = sorted(bits(room), key=lambda h: (draw[h], h))[:60]
        return best_hex(mask_of(near), lambda hex: value(unit, hex))

    def order(unit: int) -> tuple[float, int]:
        here = pos.hex[unit]
        on_map = 0 <= here < war.lattice.size
        return (draw[here] if on_map else 99.0) - 0.1 * mind.defence(unit), unit

    force.free.sort(key=order)
    draw_near(force, where)
