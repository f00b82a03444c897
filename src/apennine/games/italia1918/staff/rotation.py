"""Who goes out of the line to come into order, and who takes his place (11.2.2, 14.3)."""

from __future__ import annotations

from apennine.bots.staff.ground import best_hex
from apennine.bots.staff.posts import Goal
from apennine.hexes import Mask, bits, mask_of

from ..rules.c02_pieces import unready
from ..rules.c11_march import allowance, destinations, find_reach, with_troops
from .force import Force
from .mind import Mind

FIRST = 30.0
"""The weight of a goal for whose sake others wait."""


def rest(force: Force) -> Mask:
    """Units in disorder leave the enemy's zone, where alone they come into order again.

    One combat unit of a stack must stay. Who is alone waits for a fresh one that takes his hex:
    those who are to be relieved are returned, for that is announced before anything moves.
    """
    mind = force.mind
    war, pos = mind.war, mind.pos
    tired = unready(pos) & mind.own.units & war.combat
    relieved = 0
    for hex in bits(mind.zone & mind.own.combat):
        here = mind.own.stack(hex) & war.combat
        worn = here & tired
        if not worn:
            continue
        if here & here - 1:
            _thin_out(force, here, worn)
        elif not pos.started:
            relieved |= _relieve(force, hex, worn)
    for unit in tuple(force.free):
        if tired >> unit & 1 and not mind.zone >> pos.hex[unit] & 1:
            force.send(unit, pos.hex[unit])  # where it is, it is in order soon
    return relieved


def _thin_out(force: Force, here: Mask, worn: Mask) -> None:
    """All of a stack who are in disorder go, but for one if nobody else is there."""
    mind = force.mind
    stays = here & ~worn or 1 << max(bits(worn), key=mind.guard)
    for unit in bits(worn & ~stays):
        if unit in force.free:
            away = _refuge(mind, unit, mask_of(force.ends(unit)))
            if away >= 0:
                force.send(unit, away)


def _relieve(force: Force, hex: int, worn: Mask) -> Mask:
    """A fresh unit takes the place of one that is alone, if both ways are open."""
    mind = force.mind
    war, pos, unit = mind.war, mind.pos, worn.bit_length() - 1

    def fresh(other: int, there: int) -> float:
        able = other in force.fighters and not mind.zone >> pos.hex[other] & 1
        return force.fit(other, there) if able else -99.0

    if pos.done & worn or unit in force.goals:
        return 0
    stack = with_troops(war, pos, unit)
    found = find_reach(war, pos, stack, hex, allowance(war, pos, unit), True)
    away = _refuge(mind, unit, destinations(war, pos, stack, found))
    if away < 0:
        return 0
    force.goals[unit] = Goal(away)
    other = force.best(hex, fresh, -50.0)
    if other < 0:
        del force.goals[unit]
        return 0
    force.send(other, hex, FIRST)
    return worn


def _refuge(mind: Mind, unit: int, ends: Mask) -> int:
    """Near by, out of the enemy's zone, under command; -1 if there is no such hex."""
    here, distance = mind.pos.hex[unit], mind.war.lattice.distance

    def value(hex: int) -> float:
        return 1.0 * (mind.commanded >> hex & 1) - 0.3 * distance(here, hex)

    return best_hex(ends & ~mind.zone & ~(1 << here), value)
