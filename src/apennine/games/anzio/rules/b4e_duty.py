"""B4E9, B4E12 and C14: who must fight whom, in the first round and in those after it."""

from __future__ import annotations

from dataclasses import dataclass

from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.decision import Event, Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import UNIT, Bars, Order, ask

from ..table.position import Table
from ..table.war import War
from .b4e_division import Duty
from .b4e_zones import around, attackers_in, doomed, ghosts, strong_hexes, there
from .b4f_steps import destroy
from .c10_inverted import destroy_exposed
from .c12_automatic import committed, drop_claim
from .e10_italians import at_will, held_back
from .e13_support import most_rounds


def prepare(war: War, pos: Table) -> Procedure:
    """The first round begins: who cannot take part is destroyed before any battle is fought."""
    pos.fought = pos.defended = pos.joined = pos.forward = pos.pool = pos.retreated = 0
    pos.targets = pos.attackers = 0
    pos.round = 1
    yield from destroy_toothless(war, pos)
    pos.due = around(war, there_fighting(war, pos)) & foes(war, pos)


def there_fighting(war: War, pos: Table) -> Mask:
    """The hexes of the units that may attack in this round, and have not."""
    return mask_of(pos.hex[unit] for unit in bits(able(war, pos)))


def able(war: War, pos: Table) -> Mask:
    """The units that may attack in this round, and have not (B4E11).

    After the first round only those who have advanced (C14D4).
    """
    units = there(war, pos, pos.side).units & ~pos.fought & ~pos.rushed & ~committed(pos)
    return attackers_in(war, pos, units & pos.pool if pos.round > 1 else units)


def foes(war: War, pos: Table) -> Mask:
    """The hexes of enemies with a defence factor who have not been attacked in this round."""
    enemy = 1 - pos.side
    found = strong_hexes(war, pos, enemy) & ~doomed(pos)
    if pos.defended:
        fresh = there(war, pos, enemy).units & ~pos.defended & ~pos.soft
        found &= mask_of(pos.hex[unit] for unit in bits(fresh))
    return found


def destroy_toothless(war: War, pos: Table) -> Procedure:
    """C10B2b, C11C8: who is in a stack that must attack and cannot attack is destroyed before.

    So are units that have a defence factor alone, in an enemy zone of control (B4E12b). Units with
    neither stay beside an enemy who cannot attack them (C10B5).
    """
    present = there(war, pos, pos.side)
    enemies = strong_hexes(war, pos, 1 - pos.side) & ~doomed(pos)
    zone = around(war, enemies & ~ghosts(war, there(war, pos, 1 - pos.side)))
    fighters = attackers_in(war, pos, present.units)
    for hex in bits(present.occupied & zone):
        stack = present.stacks[hex]
        idle = stack & ~fighters
        if not stack & fighters:
            idle &= ~pos.soft
        for unit in bits(idle):
            yield from destroy(war, pos, unit, rule("C10B2b"))


def duty(war: War, pos: Table) -> Duty:
    """Who may and must fight whom now."""
    units, enemies = able(war, pos), foes(war, pos)
    if pos.round == 1:
        enemies &= pos.due
    beside, near = war.ground.beside, around(war, enemies)
    free = mask_of(unit for unit in bits(units) if near >> pos.hex[unit] & 1)
    met = 0
    for unit in bits(free):
        met |= beside[pos.hex[unit]]
    enemies &= met
    if pos.round > 1:
        return Duty(war, pos, free, pos.joined & free, enemies, 0, True)
    excused = doomed(pos)
    excused |= around(war, excused)
    must = mask_of(unit for unit in bits(free) if not excused >> pos.hex[unit] & 1)
    if not war.is_advanced(pos):
        return Duty(war, pos, free, must, enemies, enemies, False)
    must, due = _bound(war, pos, must, enemies)
    return Duty(war, pos, free, must, enemies, due, False, held_back(war, pos) & free)


def _bound(war: War, pos: Table, must: Mask, enemies: Mask) -> tuple[Mask, Mask]:
    """E10B4a, E10D3: who must fight and be fought, if Italians and partisans need not.

    If an Italian has attacked in the first turn, all in his zone must be attacked as well.
    """
    will, beside = at_will(war, pos), war.ground.beside
    due = enemies & ~ghosts(war, there(war, pos, 1 - pos.side))
    bound = mask_of(u for u in bits(must & ~will) if beside[pos.hex[u]] & due)
    near = pos.fought & held_back(war, pos) & there(war, pos, pos.side).units
    met = 0
    for unit in bits(bound | near):
        met |= beside[pos.hex[unit]]
    return bound, due & met


def current(war: War, pos: Table, found: Duty) -> Duty:
    """What was found for a question, or the same of a fork of the match, which has moved apart."""
    return found if found.pos is pos else duty(war, pos)


def attackable(pos: Table, found: Duty) -> Mask:
    """The hexes against which a battle may begin: in later rounds such that all ends well."""
    if pos.round == 1 and found.open == found.due:
        return found.open | doomed(pos)
    # E10B4a, E10D3: in the first round too, if somebody need not fight or be fought.
    more = doomed(pos) if pos.round == 1 else 0
    return more | mask_of(hex for hex in bits(found.open) if found.can_complete(0, 1 << hex))


def joiners(war: War, pos: Table, targets: Mask, found: Duty) -> Mask:
    """C12B3: who may join an automatic victory: from next to its hexes, or from within them."""
    beside, units = war.ground.beside, 0
    for unit in bits(able(war, pos)):
        here = pos.hex[unit]
        if (beside[here] | 1 << here) & targets == targets:
            units |= 1 << unit
    return mask_of(u for u in bits(units) if not found.free >> u & 1 or found.can_leave(u))


def next_round(war: War, pos: Table) -> None:
    """C14E: a round is over; those who advanced in it may fight in the next, if there is one."""
    pos.pool = pos.forward & there(war, pos, pos.side).units
    pos.fought = pos.defended = pos.due = pos.joined = pos.forward = 0
    pos.retreated &= war.army[pos.side]
    pos.round += 1
    over = pos.round > most_rounds(pos)  # E14E
    if over or not around(war, there_fighting(war, pos)) & foes(war, pos):
        pos.round = pos.pool = 0


def clear(war: War, pos: Table) -> Procedure:
    """Before every battle, nobody is left whom the rules destroy without one.

    So are the defeated of an automatic victory whose victors have been given up (C12D).
    """
    for hexes, units, _ in pos.claims:
        if not units:
            drop_claim(pos, hexes)
            for unit in bits(there(war, pos, 1 - pos.side).among(hexes)):
                yield from destroy(war, pos, unit, rule("C12A1"))
    yield from sacrifice(war, pos)
    for side in (1 - pos.side, pos.side):
        yield from destroy_exposed(war, pos, side)


def sacrifice(war: War, pos: Table) -> Procedure:
    """B4E12b: as long as somebody would have to attack at worse than 1-4, a unit is given up."""
    while pos.round == 1:
        units = hopeless(duty(war, pos))
        if not units:
            return
        prompt = "Not all can attack at 1-4 or better: give a unit up"
        yield from ask(war, pos, prompt, rule("B4E12b"), Sacrifice(units))


def hopeless(found: Duty) -> Mask:
    """The units of which one must be given up; none if all can be divided as they must.

    They are those without whom the first stretch of the front that cannot be divided could be.
    """
    if found.can_divide():
        return 0
    if units := found.beyond_all():
        return units
    for part in found.growing():
        if not part.can_divide():
            fitting = [unit for unit in bits(part.free) if part.without(1 << unit)]
            return mask_of(fitting) or part.free
    raise AssertionError("A front cannot be divided, but the whole of it can.")


@dataclass(slots=True)
class Sacrifice(Order[War, Table]):
    """B4E12b: a unit that would have to attack at worse than 1-4 is eliminated."""

    units: Mask

    verb, names = "sacrifice", (UNIT,)
    when, rule = "Units too weak to attack are eliminated before the first battle", "B4E12b"

    def bars(self, war: War, pos: Table) -> Bars:
        yield self.units, "{unit} does not have to be given up", "B4E12b"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        yield Event("cannot attack", option.unit, pos.hex[option.unit], rule="B4E12b")
        yield from destroy(war, pos, option.unit, rule("B4E12b"))
