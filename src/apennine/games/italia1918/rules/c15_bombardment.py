"""Chapter 15.2: bombardment and Counter-battery fire; its steps in a combat are those of 12.2.2."""

from __future__ import annotations

from collections.abc import Iterator

from apennine.hexes import Mask, bits
from apennine.mechanics.odds import Shift

from ..table.position import ENTENTE, Table
from ..table.war import War
from .c02_pieces import bombards, theatre, there, those_in
from .c12_odds import defenders, doctrine

ARMY_COUNTS = 2
"""An army support counts as so many of corps artillery (12.2.2c)."""
MOST_ATTACKS = 4
"""Army artillery in Offensive mode supports so many attacks in a phase (15.2.2c)."""


def reaching(war: War, pos: Table, side: int) -> Mask:
    """The artillery of a side that has the attacked hex in its range (15.2.2b)."""
    found = 0
    for unit in bits(there(war, pos, side).units & war.artillery):
        near = war.lattice.distance(pos.hex[unit], pos.target) <= war.roster[unit].range
        found |= near << unit
    return found


def ready_guns(war: War, pos: Table, side: int) -> Mask:
    """Those that may still fire in this phase.

    Once, and army artillery in Offensive mode four times in attack (15.2.2c, 15.2.2d); not at all
    under a No Firing marker.
    """
    found = 0
    for unit in bits(reaching(war, pos, side) & ~pos.silent):
        tireless = side == pos.side and pos.firing >> unit & 1
        found |= (pos.shots[unit] < (MOST_ATTACKS if tireless else 1)) << unit
    return found


def may_counter(war: War, guns: Mask) -> Mask:
    """Only corps artillery fires Counter-battery (12.2.2d, 3.0i, 3.0k)."""
    return guns & war.corps_guns


def spare_guns(war: War, pos: Table) -> int:
    """How many corps supports the attacker may still flip to Counter-battery (12.2.2c, g).

    He keeps as many in bombardment as the defender has in Counter-battery; an army support counts
    as two.
    """
    shelling = pos.guns[0] & ~pos.counter
    corps, army = shelling & war.corps_guns, shelling & war.army_guns
    needed = (pos.guns[1] & pos.counter).bit_count()
    kept = corps.bit_count() + ARMY_COUNTS * army.bit_count()
    return max(min(kept - needed, corps.bit_count()), 0)


def strength(war: War, pos: Table, role: int) -> int:
    """What bombards in the end: the guns less the enemy's Counter-battery, never under 0 (15.2.2e).

    `role` is 0 for the attacker, 1 for the defender.
    """
    guns = [bombards(war, pos, unit) for unit in bits(pos.guns[role] & ~pos.counter)]
    against = [bombards(war, pos, unit) for unit in bits(pos.guns[1 - role] & pos.counter)]
    return max(sum(guns) - sum(against), 0) + bombs(war, pos, role)


def bombs(war: War, pos: Table, role: int) -> int:
    """What aircraft over the hex add, which no gun takes away (17.2c, 17.2d, 17.2e)."""
    side = pos.side if role == 0 else 1 - pos.side
    above = those_in(war, pos, pos.target, side) & pos.bombing
    return sum([war.roster[unit].value for unit in bits(above)])


def is_bruchmueller(war: War, pos: Table) -> bool:
    """Whether the marked gun reaches the hex, in the first sequence of the turn (15.2.2h)."""
    gun = pos.bruchmueller
    if gun < 0 or pos.hex[gun] < 0 or pos.sequence != 1 or war.side_of[gun] != pos.side:
        return False
    return war.lattice.distance(pos.hex[gun], pos.target) <= war.roster[gun].range


def shelling(war: War, pos: Table) -> Iterator[Shift]:
    """What changes the die of the attacker's bombardment, and of no other (15.2.2j, n)."""
    reasons: list[str] = []
    if is_bruchmueller(war, pos):
        reasons.append("bruchmueller")
    if theatre(war, pos).trench_hexes >> pos.target & 1:
        reasons.append("trench")
    if war.ground.cities >> pos.target & 1:
        reasons.append("city")
    if _sheltered(war, pos):
        reasons.append("diaz")
    for name in reasons:
        entry = war.book.shelling[name]
        yield Shift(entry.title, entry.modifier, entry.rule)


def _sheltered(war: War, pos: Table) -> bool:
    """Whether all defenders are Italian and under the doctrine of Diaz."""
    units = defenders(war, pos)
    italian = pos.side != ENTENTE and units and not units & ~war.nationals["It"]
    taught = [doctrine(war, pos, unit) for unit in bits(units)]
    return bool(italian) and all(each is not None and each.shelled for each in taught)


def column(war: War, pos: Table, role: int) -> int:
    """The column of a bombardment, -1 if none; an observer shifts it right (15.2.2i, k)."""
    points = strength(war, pos, role)
    side = pos.side if role == 0 else 1 - pos.side
    if not points:
        return -1
    observed = bool(those_in(war, pos, pos.target, side) & pos.observing)
    last = len(war.book.bombardment.columns) - 1
    return min(points - 1 + observed, last)


def hit_points(war: War, pos: Table, role: int, die: int) -> int:
    """The hit points of a bombardment with this die (15.2.2i, 15.2.2j)."""
    modifier = sum([shift.columns for shift in shelling(war, pos)]) if role == 0 else 0
    place = column(war, pos, role)
    return war.book.bombardment.cell(die + modifier, place) if place >= 0 else 0
