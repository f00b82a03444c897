"""Chapters 12.4 and 14.0: advance after combat, and the markers of exploitation."""

from __future__ import annotations

from dataclasses import dataclass

from apennine.hexes import Mask, Sides, bits
from apennine.kernel.decision import Event, Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, Bars, Order, Plain, ask
from apennine.mechanics.ground import union

from ..table.position import Table
from ..table.war import War
from .c02_pieces import (
    attached,
    full_strength,
    in_the_field,
    storms,
    theatre,
    there,
    those_in,
    unready,
)
from .c05_zones import zone
from .c06_steps import disorganize, overrun
from .c09_supply import wide_rivers
from .c11_markers import formation
from .c11_movement import capture, hold, thaw

ADVANCING = "Attackers advance once the hex that they attacked is empty"
EXPLOITING = "Exploitation markers are placed after the advance of a combat"
AFTER_ELIMINATION = 2
"""The hexes of an advance with perfect coordination where nobody is left to retreat (12.4d)."""


def fresh(war: War, pos: Table) -> Mask:
    """Attackers at full strength and in good order: they may advance and exploit (12.4a, 14.0b)."""
    here = pos.attackers & there(war, pos, pos.side).units
    return full_strength(war, pos, here) & ~unready(pos)


def crests(war: War) -> Sides:
    """Crest lines, seen from below and from above (12.4i)."""
    lattice, uphill = war.lattice, war.ground.uphill
    return union((uphill, lattice.sides(lattice.edges(uphill))))


def advance(war: War, pos: Table, far: int) -> Procedure:
    """12.4: attackers go into the hex that they attacked, and on from there if `far` allows it."""
    if there(war, pos, 1 - pos.side).closed >> pos.target & 1:
        return  # 12.4b: somebody still holds it
    waiting = fresh(war, pos)
    while waiting:
        prompt = "Advance into the hex, or hold"
        chosen = yield from ask(war, pos, prompt, rule("12.4b"), Advance(waiting), REST)
        if chosen.verb == REST.verb:
            return
        waiting &= ~(1 << chosen.unit)
        yield from _go_on(war, pos, chosen.unit, far)


def _go_on(war: War, pos: Table, unit: int, far: int) -> Procedure:
    """The first hex is the attacked one, over whatever lies between (12.4e, 12.4k)."""
    start = pos.hex[unit]
    wet = wide_rivers(war, pos, pos.side)[war.lattice.direction(start, pos.target)] >> start & 1
    yield from _enter(war, pos, unit, pos.target)
    left = 0 if wet else far - 1  # 12.4h
    while left > 0 and not unready(pos) >> unit & 1:
        prompt = "Advance farther, or hold"
        chosen = yield from ask(war, pos, prompt, rule("12.4c"), Push(unit), REST)
        if chosen.verb == REST.verb:
            return
        steep = crests(war)[war.lattice.direction(pos.hex[unit], chosen.hex)]
        tiring = steep >> pos.hex[unit] & 1
        yield from _enter(war, pos, unit, chosen.hex)
        if tiring:  # 12.4i
            disorganize(war, pos, 1 << unit)
        left -= 1


def _enter(war: War, pos: Table, unit: int, hex: int) -> Procedure:
    """A unit and its assault troops come into a hex, and take it (12.4j)."""
    for each in bits(1 << unit | attached(war, pos, 1 << unit)):
        pos.hex[each] = hex
    hold(pos, hex)
    yield Event("advances", unit, hex, rule=rule("12.4b"))
    yield from capture(war, pos, hex)
    yield from overrun(war, pos, 1 - pos.side, 1 << hex)
    thaw(war, pos, hex)


@dataclass(slots=True)
class Advance(Order[War, Table]):
    """12.4b: an attacker occupies the hex that was attacked."""

    waiting: Mask

    verb, names = "advance", (UNIT,)
    when, rule = ADVANCING, "12.4b"

    def bars(self, war: War, pos: Table) -> Bars:
        yield from in_the_field(war, pos, pos.side)
        yield pos.attackers, "{unit} did not attack", "12.4b"
        whole = full_strength(war, pos, pos.attackers)
        yield whole, "{unit} is not at full strength", "12.4a"
        yield ~unready(pos), "{unit} is Disorganized", "12.5d"
        yield self.waiting, "{unit} has advanced", "12.4b"


@dataclass(slots=True)
class Push(Order[War, Table]):
    """12.4c: the unit that has advanced goes on."""

    unit: int

    verb, names = "push on", (HEX,)
    when, rule = ADVANCING, "12.4c"

    def bars(self, war: War, pos: Table) -> Bars:
        here, enemy = pos.hex[self.unit], 1 - pos.side
        yield war.lattice.cross(1 << here, war.ground.open), "{hex} is not the next hex", "12.4g"
        yield theatre(war, pos).area, "{hex} is outside the playing area", "SC.b"
        yield ~there(war, pos, enemy).closed, "The enemy is in {hex}", "12.4b"
        over = war.lattice.cross(1 << here, wide_rivers(war, pos, pos.side))
        yield ~over, "An unbridged major river is crossed in the first hex only", "12.4h"
        against = zone(war, pos, enemy)
        tied = against if against >> here & 1 and not storms(war, pos, self.unit) else 0
        yield ~tied, "No advance leads from one enemy zone straight to another", "12.4f"


# Exploitation markers


def exploit(war: War, pos: Table, markers: int) -> Procedure:
    """14.0a: after the advance so many markers are placed, a unit or a whole division each."""
    for _ in range(markers):
        if not candidates(war, pos):
            return
        prompt = "Place an Exploitation marker"
        chosen = yield from ask(war, pos, prompt, rule("14.0a"), EXPLOIT, ENOUGH)
        if chosen.verb == ENOUGH.verb:
            return


def candidates(war: War, pos: Table) -> Mask:
    """The attackers that may still get one (14.0b)."""
    marked = sum(pos.exploits)
    return fresh(war, pos) & ~marked


def together(war: War, pos: Table, unit: int) -> Mask:
    """The attackers that one marker on a unit serves.

    Those of its division in its hex, if no other combat unit is there (14.0c to 14.0e).
    """
    here = those_in(war, pos, pos.hex[unit], pos.side) & war.combat
    mine = formation(war, pos, unit)
    if any(formation(war, pos, other) != mine for other in bits(here)):
        return 1 << unit
    return here & candidates(war, pos)


class Exploit(Order[War, Table]):
    """14.0b: an attacker at full strength and in good order goes into exploitation."""

    verb, names = "exploit with", (UNIT,)
    when, rule = EXPLOITING, "14.0b"

    def bars(self, war: War, pos: Table) -> Bars:
        yield from in_the_field(war, pos, pos.side)
        yield pos.attackers, "{unit} did not take part in the combat", "14.0b"
        whole = full_strength(war, pos, pos.attackers)
        yield whole, "{unit} is not at full strength", "14.0b"
        yield ~unready(pos), "{unit} is Disorganized", "12.5d"
        yield ~sum(pos.exploits), "{unit} has a marker already", "14.0a"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.exploits.append(together(war, pos, option.unit))


REST, ENOUGH = Plain("hold", ADVANCING, "12.4b"), Plain("no more", EXPLOITING, "14.0a")
EXPLOIT = Exploit()
