"""Where the bot wants its units: the Allies to mass and advance, the Germans to hold a line."""

from __future__ import annotations

from apennine.hexes import bits

from ..rules.c06_logistics import LONG, LONGEST, by_beaches, lines
from ..rules.c09_combat import defence_factor, is_moving_away
from ..table.position import ALLIED, Table
from ..table.war import War
from .force import Force, Goals, fit
from .ground import closest_line, distances, front, objectives, pull
from .line import hold
from .mass import mass

BEACH_GUARD = 2
"""Units that stay at a beachhead which the enemy is near."""
NEAR_BEACH = 6
"""How near the enemy must be for that, in hexes."""


def plan(war: War, pos: Table) -> Goals:
    """Where the units of the active side should go from here."""
    force = Force(war, pos)
    if pos.side == ALLIED:
        _advance(force)
    else:
        hold(force)
    return force.goals


def _advance(force: Force) -> None:
    """The Allied way: guard the beaches, take open towns, mass against the weak, then close up."""
    _guard_beaches(force)
    force.take_towns(deep=True)
    _form_line(force)
    if not is_moving_away(force.pos, ALLIED):
        mass(force, force.enemy, 0.0)
    _close_up(force)


def _guard_beaches(force: Force) -> None:
    war, pos = force.war, force.pos
    away = distances(war, force.enemy)
    for beach in pos.beaches:
        if beach < 0 or away[beach] > NEAR_BEACH:
            continue
        linked = front(war, pos) >> beach & 1
        guards = [u for u in force.free if pos.hex[u] == beach]
        guards.sort(key=lambda u: -defence_factor(war, pos, u))
        for unit in guards[: 1 if linked else BEACH_GUARD]:
            force.send(unit, beach)


def _form_line(force: Force) -> None:
    """One unit for each hex of the line, so that nobody slips through."""
    war, pos = force.war, force.pos
    for hex in closest_line(war, pos, force.all_reach()):
        if force.held[hex]:
            continue
        able = [u for u in force.free if force.reach[u] >> hex & 1]
        if able:
            force.send(max(able, key=lambda u: (fit(force, u, hex), -u)), hex)


def _close_up(force: Force) -> None:
    """Everybody else goes on towards the objectives, in supply and not alone among enemies."""
    war, pos = force.war, force.pos
    draw = pull(war, objectives(war, pos, force.side))
    found = lines(war, pos, force.side)
    near = found.within(LONG) | by_beaches(war, pos, force.side)
    far = found.within(LONGEST)
    ahead = distances(war, force.enemy)
    beach_fed = by_beaches(war, pos, ALLIED) & ~found.mask
    for unit in sorted(force.free, key=lambda u: draw[pos.hex[u]]):
        best, score = pos.hex[unit], -1000.0
        at_beach = beach_fed >> pos.hex[unit] & 1
        for hex in bits(force.reach[unit]):
            if not force.has_room(hex):
                continue
            value = -0.4 * draw[hex] - 0.6 * ahead[hex]
            if not near >> hex & 1:
                value -= 1.0 if far >> hex & 1 else 2.5 if found.mask >> hex & 1 else 8.0
            if at_beach and not beach_fed >> hex & 1:
                value -= 4.0
            if force.zone >> hex & 1:
                value -= max(0.0, 1.5 - 0.75 * force.held[hex])
            if hex == pos.hex[unit]:
                value += 0.2
            if value > score:
                best, score = hex, value
        force.send(unit, best)
