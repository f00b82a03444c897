"""Chapter 5: stacking, and what becomes of units that stand in a hex too many."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.decision import Event, Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import UNIT, Bars, Order, ask

from ..table.data import STACK
from ..table.position import ALLIED, LOST, Table
from ..table.war import War
from .c04_zones import Whither, lose_beachhead, lose_centre, occupied, there, those_in, units_in


def full(war: War, pos: Table, side: int, newcomers: int = 1) -> Mask:
    """The hexes without room for so many more units of a side (5a)."""
    return at_least(war, pos, side, STACK + 1 - newcomers)


def at_least(war: War, pos: Table, side: int, count: int) -> Mask:
    """The hexes with at least so many units of a side, up to five."""
    return there(war, pos, side).counts[count - 1]


def overstacked(war: War, pos: Table, side: int) -> Mask:
    """The hexes that hold more units of a side than may stay there."""
    return at_least(war, pos, side, STACK + 1)


def fighting(war: War, pos: Table, hex: int, side: int) -> list[int]:
    """The units that defend a hex with their factors: those in excess do not (5.1a).

    Until the owner has named the excess, the weakest are taken for it.
    """
    units = units_in(war, pos, hex, side)
    if len(units) <= STACK:
        return units
    named = [u for u in units if not pos.excess >> u & 1]
    named.sort(key=lambda u: -war.defence[u][pos.steps[u]])
    return sorted(named[:STACK])


def shed_excess(war: War, pos: Table, hex: int, side: int) -> Procedure:
    """5.1: in an attacked hex the owner names the excess; each loses a step and retreats."""
    count = len(units_in(war, pos, hex, side)) - STACK
    while pos.excess.bit_count() < count:
        prompt = "Name a unit in excess of the stack: it loses a step and retreats"
        yield from ask(war, pos, prompt, rule("5.1c"), Excess(hex, side), side=side)
    for unit in tuple(bits(pos.excess)):
        yield from lose_step(war, pos, unit, rule("5.1b"))
        if pos.hex[unit] == hex:
            yield from fall_back(war, pos, unit, side)
    pos.excess = 0


@dataclass(slots=True)
class Excess(Order[War, Table]):
    """5.1c: the owner of an overfull hex that is attacked names who is too many."""

    hex: int
    side: int

    verb, names = "excess", (UNIT,)
    when, rule = "Units in excess of a stack are named when their hex is attacked", "5.1c"

    def bars(self, war: War, pos: Table) -> Bars:
        yield war.army[self.side], "{unit} belongs to the other side", "3a"
        here = those_in(war, pos, self.hex, self.side)
        yield here, "{unit} is not in the hex that is attacked", "5.1c"
        yield ~pos.excess, "{unit} is named already", "5.1c"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.excess |= 1 << option.unit


def fall_back(war: War, pos: Table, unit: int, side: int) -> Procedure:
    """5.1c: the fewest hexes towards the own edge of the map, to where there is room."""
    if not refuges(war, pos, pos.hex[unit], side):
        yield from eliminate(war, pos, unit, rule("5.1c"))
        return
    prompt = f"Where does {war.names[unit]} retreat?"
    yield from ask(war, pos, prompt, rule("5.1b"), Retreat(unit), side=side)


class Retreat(Whither):
    """5.1b, 5.1c: to the nearest room behind the unit."""

    verb = "retreat"
    when, rule = "Units in excess of a stack retreat when their hex is attacked", "5.1b"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        yield refuges(war, pos, pos.hex[first], war.side_of[first]), self._no_refuge(war, pos)

    def _no_refuge(self, war: War, pos: Table) -> Bars:
        side, here = war.side_of[self.unit], pos.hex[self.unit]
        yield ~occupied(war, pos, 1 - side), "The enemy holds {hex}", "5.1c"
        yield ~full(war, pos, side), "{hex} holds four units already", "5.1c"
        behind = 0
        for wave in backwards(war, pos, here, side):
            behind |= wave
        yield behind, "No way past all enemies leads to {hex} towards your edge of the map", "5.1b"
        yield 0, "There is room nearer than {hex}", "5.1c"


def refuges(war: War, pos: Table, hex: int, side: int) -> Mask:
    """The nearest hexes with room, each step towards the own edge and past no enemy."""
    crowded = full(war, pos, side)
    return next((w & ~crowded for w in backwards(war, pos, hex, side) if w & ~crowded), 0)


def backwards(war: War, pos: Table, hex: int, side: int) -> Iterator[Mask]:
    """The hexes that are one step, two, three and so on towards a side's own edge of the map."""
    rows, down = war.south, 1 if side == ALLIED else -1
    closed = occupied(war, pos, 1 - side)
    wave = 1 << hex
    while wave:
        wave = mask_of(
            there
            for here in bits(wave)
            for there in bits(war.beside[here] & ~closed)
            if (rows[there] - rows[here]) * down > 0
        )
        yield wave


def lose_step(war: War, pos: Table, unit: int, by: str) -> Procedure:
    """A unit loses a step; with its last one it is eliminated (9.1d)."""
    if pos.steps[unit] > 1:
        pos.steps[unit] -= 1
        yield Event("loses a step", unit, pos.hex[unit], rule=by)
    else:
        yield from eliminate(war, pos, unit, by)


def eliminate(war: War, pos: Table, unit: int, by: str) -> Procedure:
    """A unit is out; a centre or beachhead falls with the last one stacked with it (9.6a)."""
    hex, side = pos.hex[unit], war.side_of[unit]
    yield Event("is eliminated", unit, hex, rule=by)
    pos.hex[unit], pos.steps[unit] = LOST, 0
    pos.cut &= ~(1 << unit)
    if units_in(war, pos, hex, side):
        return
    if pos.centre[side] == hex:
        yield from lose_centre(pos, side, rule("9.6a"))
    if side == ALLIED and hex in pos.beaches:
        yield from lose_beachhead(pos, pos.beaches.index(hex), rule("9.6a"))
