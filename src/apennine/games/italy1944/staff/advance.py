"""The Allied way: guard the beaches, take open towns, mass against the weak, then close up."""

from __future__ import annotations

from apennine.bots.staff.ground import best_hex, chain
from apennine.bots.staff.line import prices
from apennine.bots.staff.posts import Goals, draw_near
from apennine.hexes import Mask, bits, mask_of

from ..rules.c06_logistics import LONG, LONGEST, by_beaches, is_moving_away, lines
from ..table.position import ALLIED
from .force import Force
from .hold import hold
from .mind import Mind


def plan(mind: Mind) -> Goals:
    """Where the units of the active side should go from here."""
    force = Force(mind)
    if mind.side == ALLIED:
        _advance(force)
    else:
        hold(force)
    return force.goals


def _advance(force: Force) -> None:
    mind = force.mind
    _guard_beaches(force)
    force.take_towns()
    for hex in _closest_line(mind, force.within()):
        unit = -1 if force.count(hex) else force.best(hex, force.fit)
        if unit >= 0:
            force.send(unit, hex)
    if not is_moving_away(mind.pos, ALLIED):
        force.prepare(mind.enemy, 0.0)
    _close_up(force)


def _guard_beaches(force: Force) -> None:
    mind = force.mind
    for beach in mind.pos.beaches:
        if beach < 0 or mind.from_foe[beach] > mind.weights.near_beach:
            continue
        there = [u for u in force.free if mind.pos.hex[u] == beach]
        there.sort(key=lambda u: -mind.defence(u))
        for unit in there[: 1 if mind.front >> beach & 1 else mind.weights.guards]:
            force.send(unit, beach)


def _closest_line(mind: Mind, reachable: Mask) -> list[int]:
    """The hexes from coast to coast where the Allies stand nearest to the enemy, in supply."""
    line, found = mind.weights.line, lines(mind.war, mind.pos, ALLIED)
    near, far = found.within(LONG), found.within(LONGEST)
    size = mind.war.lattice.size
    length = [0.0 if near >> h & 1 else 1.0 if far >> h & 1 else 3.0 for h in range(size)]
    ahead = [max(0, away - 1) + more / line.loss for away, more in zip(mind.from_foe, length)]
    hexes = reachable & found.mask & ~mind.enemy
    price = prices(mind.ground, hexes, line, [0.0] * size, ahead)
    return chain(mind.ground, price, mind.staff.coasts, line.gaps, line.offshore, mind.enemy)


def _close_up(force: Force) -> None:
    """Everybody else goes on towards the objectives, in supply and not alone among enemies."""
    mind = force.mind
    war, pos = mind.war, mind.pos
    found = lines(war, pos, ALLIED)
    by_sea = by_beaches(war, pos, ALLIED)
    near, far = found.within(LONG) | by_sea, found.within(LONGEST)
    beach_fed = by_sea & ~found.mask

    def value(unit: int, hex: int) -> float:
        value = -0.4 * mind.draw[hex] - 0.6 * mind.from_foe[hex]
        if not near >> hex & 1:
            value -= 1.0 if far >> hex & 1 else 2.5 if found.mask >> hex & 1 else 8.0
        if beach_fed >> pos.hex[unit] & 1 and not beach_fed >> hex & 1:
            value -= 4.0
        if mind.zone >> hex & 1:
            value -= max(0.0, 1.5 - 0.75 * force.count(hex))
        return value + 0.2 if hex == pos.hex[unit] else value

    def where(unit: int) -> int:
        room = mask_of(hex for hex in bits(force.reach[unit]) if force.room(unit, hex))
        return best_hex(room, lambda hex: value(unit, hex))

    force.free.sort(key=lambda u: mind.draw[pos.hex[u]])
    draw_near(force, where)
