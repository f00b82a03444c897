"""Chapter 8.7: Automatic DS, in the movement phase."""

from __future__ import annotations

from apennine.hexes import Mask, bits
from apennine.kernel.decision import Event, Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, Bars, Order

from ..table.position import Table
from ..table.war import War
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
        enemies = occupied(war, pos, 1 - pos.side)
        yield enemies, "There is no enemy in {hex}", "8.7.1a"
        near = war.lattice.dilate(occupied(war, pos, pos.side))
        yield near, "None of your units is next to {hex}", "8.7.1a"
        weak = weak_hexes(war, pos, enemies & near)
        sure = [hex for hex in bits(weak) if self._is_sure(war, pos, hex)]
        yield sum([1 << hex for hex in sure]), "10-1 against {hex} is not certain", "8.7.1a"

    def _is_sure(self, war: War, pos: Table, hex: int) -> bool:
        more = may_attack(war, pos, hex, AUTOMATIC)
        return bool(more) and can_be_attacked(war, pos, AUTOMATIC, hex, 0, more)

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        return automatic_ds(war, pos, option.hex)


SHATTER = Shatter()


def weak_hexes(war: War, pos: Table, hexes: Mask) -> Mask:
    """Those of some enemy hexes that the most that can attack might shatter."""
    limits, found = war.book.limits, 0
    needed = int(limits.shattered.split("-")[0]) - MOST_SHIFTS
    most = limits.strength // needed
    for hex in bits(hexes):
        if defence_total(war, pos, hex, AUTOMATIC, 0) <= most:
            found |= 1 << hex
    return found
