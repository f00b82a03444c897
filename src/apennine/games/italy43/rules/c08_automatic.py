"""Chapter 8.7: Automatic DS, in the movement phase."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from apennine.hexes import Mask, bits
from apennine.kernel.decision import NONE, Event, Option, Over, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, Bars, Order

from ..table.position import Table
from ..table.war import War
from ..table.whereabouts import Presence
from .c02_pieces import occupied, there
from .c04_stacking import correct_stacking
from .c08_declaration import declare, end_battle
from .c08_odds import (
    AUTOMATIC,
    can_be_attacked,
    defence_total,
    is_shattering,
    may_attack,
    odds,
)
from .c10_results import resolve

MOST_SHIFTS = 2
"""Shifts right without support: elite and tanks (8.7.1b)."""


def automatic_ds(war: War, pos: Table, target: int) -> Procedure:
    """8.7.1: the units that make 10-1 sure are named; the defenders are shattered at once.

    They move no more and do not fight in the Combat Phase (8.7.1d), at whose end they advance.
    """
    pos.target = target
    yield from declare(war, pos, AUTOMATIC)
    hexes = sum({1 << pos.hex[unit] for unit in bits(pos.attackers)})
    yield from correct_stacking(war, pos, hexes)  # 4.4c
    pos.attackers &= there(war, pos, pos.side).units
    pos.attached &= pos.attackers
    if is_shattering(war, odds(war, pos, AUTOMATIC)):
        pos.moved |= pos.attackers
        pos.attacked |= pos.attackers
        verdict = yield from resolve(war, pos, AUTOMATIC)
        if verdict.vacated:
            pos.triumphs.append((target, pos.attackers))
    else:
        yield Event("does not suffice", hex=target, rule=rule("4.4c"))
    end_battle(pos)


class Shatter(Order[War, Table]):
    """8.7.1a: on a hex that units next to it attack at 10-1 for certain."""

    verb, names = "shatter", (HEX,)
    when, rule, opens = "An Automatic DS is declared in the movement phase", "8.7.1a", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield occupied(war, pos, 1 - pos.side), "There is no enemy in {hex}", "8.7.1a"
        near = war.lattice.dilate(occupied(war, pos, pos.side))
        yield near, "None of your units is next to {hex}", "8.7.1a"
        sure = self._sure(war, pos, weak_hexes(war, pos))
        yield sure, "10-1 against {hex} is not certain", "8.7.1a"

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        weak = weak_hexes(war, pos)
        return Over(self.verb, self._sure(war, pos, weak)) if weak else NONE

    def _sure(self, war: War, pos: Table, weak: Mapping[int, int]) -> Mask:
        """Those of some hexes against which 10-1 is certain."""
        sure, present, beside = 0, there(war, pos, pos.side), war.ground.beside
        touched = present.occupied
        for hex, least in weak.items():
            if not beside[hex] & touched:
                continue
            near = present.among(beside[hex]) & ~pos.attacked
            if near and strongest(war, pos, near) >= least:
                more = may_attack(war, pos, hex, AUTOMATIC)
                if more and can_be_attacked(war, pos, AUTOMATIC, hex, 0, more):
                    sure |= 1 << hex
        return sure

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        return automatic_ds(war, pos, option.hex)


SHATTER = Shatter()


def strongest(war: War, pos: Table, units: Mask) -> int:
    """The most that units could count in an attack."""
    return sum([war.attack[unit][pos.steps[unit]] for unit in bits(units)])


def weak_hexes(war: War, pos: Table) -> Mapping[int, int]:
    """The enemy hexes that the most that can attack might shatter, with the least that could.

    Worked out again only if something has changed with the enemy.
    """
    enemy = 1 - pos.side
    army, present = war.army[enemy], there(war, pos, enemy)
    order, steps = (pos.routed & army, pos.disrupted & army), pos.steps[war.span[enemy]]
    known: tuple[Presence, tuple[Mask, Mask], list[int], dict[int, int]] | None
    known = war.weak_known[enemy]
    if known and known[0] is present and known[1] == order and known[2] == steps:
        return known[3]
    limits = war.book.limits
    needed = int(limits.shattered.split("-")[0]) - MOST_SHIFTS
    found: dict[int, int] = {}
    for hex in bits(present.occupied & ~_firm(war, pos, enemy, limits.strength // needed)):
        attack = needed * defence_total(war, pos, hex, AUTOMATIC, 0)
        if attack <= limits.strength:
            found[hex] = attack
    war.weak_known[enemy] = present, order, steps, found
    return found


def _firm(war: War, pos: Table, side: int, most: int) -> Mask:
    """Hexes where one steady unit alone defends with more than that, so that nobody adds up."""
    found, strength, bit = 0, war.strength, war.ground.bit
    count = there(war, pos, side).units & ~(pos.routed | pos.disrupted | war.artillery)
    for unit in bits(count):
        if strength[unit][pos.steps[unit]] > most:
            found |= bit[pos.hex[unit]]
    return found
