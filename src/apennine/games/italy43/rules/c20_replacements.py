"""Chapter 20: replacements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.decision import NONE, Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, VALUE, Bars, Order, ask

from ..table.position import AWAY, DEAD, GONE, LOST, WITHDRAWN, Table
from ..table.war import War
from .c02_pieces import occupied, there, unready
from .c05_control import enter
from .c10_steps import is_free
from .c16_supply import supplied_hexes, supplied_units
from .c21_entry import open_areas
from .c22_departures import forfeiting, is_withdrawn

INITIAL = "Replacements are used in the initial phase"


def receive(war: War, pos: Table) -> None:
    """20.1.1b: the replacements of this turn; what was left of others is lost."""
    side, nations = war.sides[pos.side], war.book.nations
    pos.due = [
        line[pos.turn - 1] if nations[nation].side == side else 0
        for (nation, _), line in zip(war.pools, war.incoming)
    ]


class Replace(Order[War, Table]):
    """20.1.1a: a step for a reduced unit, or the lowest step of an eliminated one."""

    verb, names, opens = "replace", (UNIT, VALUE), True
    ranges = ((VALUE, lambda war: range(len(war.pools))),)
    when, rule = INITIAL, "20.1.1a"

    def bars(self, war: War, pos: Table) -> Bars:
        side = pos.side
        present = there(war, pos, side)
        yield war.army[side], "{unit} belongs to the other side", "1.0"
        yield ~present.stack(AWAY), "{unit} has not come yet", "21.1.1"
        yield ~present.stack(GONE), "{unit} has been removed", "22.2.1"
        yield ~present.stack(DEAD), "{unit} was lost by isolation and is never replaced", "16.5.6"
        steps = zip(war.members[side], pos.steps[war.span[side]], war.full[war.span[side]])
        reduced = mask_of([unit for unit, left, full in steps if left < full])
        yield reduced, "{unit} is at full strength", "20.1.1a"
        yield ~pos.replaced, "{unit} has had its Replacement in this turn", "20.2b"
        served = 0
        for units, left in zip(war.served, pos.due):
            served |= units if left else 0
        yield served, "No Replacement that serves {unit} is left", "20.1.3"
        first = "Units of its nation that are eliminated or Remnants must be removed first"
        yield ~forfeiting(war, pos), first, "22.2.2a"
        on_map = present.units | present.in_areas
        yield ~(on_map & unready(pos)), "{unit} is not in Good Order", "20.2a"
        yield ~(on_map & pos.hungry), "{unit} has an Out of Supply marker", "16.4d"
        yield ~on_map | supplied_units(war, pos, side), "{unit} is not in supply", "20.2a"
        lost = present.stack(LOST)
        barren = mask_of(u for u in bits(lost) if war.full[u] == 3 and not is_free(war, pos, u))
        yield ~barren, "No Remnant is free as which {unit} could come back", "20.3.4"

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        return self.left(war, pos) if any(pos.due) else NONE

    def then(self, war: War, pos: Table, first: int) -> Bars:
        pools = range(len(war.pools))
        yield (1 << len(war.pools)) - 1, "There are no such Replacements", "20.1.2a"
        serves = mask_of(p for p in pools if war.served[p] >> first & 1)
        yield serves, "Such Replacements do not serve {unit}", "20.1.2a"
        yield mask_of(p for p in pools if pos.due[p]), "None of these are left", "20.1.1b"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        unit, mark = option.unit, 1 << option.unit
        pos.due[option.value] -= 1
        pos.replaced |= mark  # 20.4
        if pos.hex[unit] != LOST:
            pos.steps[unit] += 1
            pos.remnants &= ~mark  # 20.3.5
            return
        pos.steps[unit] = 1
        if war.full[unit] == 3:  # 20.3.4
            pos.remnants |= mark
        if is_withdrawn(war, pos, unit):
            pos.hex[unit] = WITHDRAWN  # 22.1c
            return
        prompt = f"Where does {war.names[unit]} come back?"
        yield from ask(war, pos, prompt, rule("20.3.1a"), Return(unit))


@dataclass(slots=True)
class Return(Order[War, Table]):
    """20.3.1: an eliminated unit comes back in an area, or with a corps' or its own artillery."""

    unit: int

    verb, names, link = "return", (UNIT, HEX), "in"
    implied = (UNIT,)
    when, rule = "Eliminated units return when they get a Replacement", "20.3.1a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield 1 << self.unit, f"{war.names[self.unit]} comes back now, not {{unit}}", "20.3.1a"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        side, areas = pos.side, open_areas(war, pos, pos.side)
        posts = staffs(war, pos, first)
        no_post = "{hex} has neither Corps artillery nor that of the unit's division"
        yield areas | posts, no_post, "20.3.1a"
        yield areas | supplied_hexes(war, pos, side), "{hex} is not in supply", "20.3.1a"
        near = war.lattice.dilate(occupied(war, pos, 1 - side))
        yield ~near, "{hex} is next to an enemy unit", "20.3.1b"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.hex[option.unit] = option.hex
        if option.hex < war.lattice.size:
            yield from enter(war, pos, pos.side, 1 << option.hex)


def staffs(war: War, pos: Table, unit: int) -> Mask:
    """The hexes with Corps artillery, or with that of a unit's own division (17.2c)."""
    own = war.formation[unit][0]
    hexes = 0
    for guns in bits(there(war, pos, war.side_of[unit]).units & (war.corps | war.divisional)):
        if war.corps >> guns & 1 or (own >= 0 and war.formation[guns][0] == own):
            hexes |= 1 << pos.hex[guns]
    return hexes


REPLACE = Replace()
