"""Chapter 6: stacking."""

from __future__ import annotations

from dataclasses import dataclass

from apennine.hexes import Mask, bits, first_bit, mask_of
from apennine.kernel.decision import Option
from apennine.kernel.game import Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, Bars, Order, ask

from ..table.data import DIVISIONS
from ..table.phrases import place
from ..table.position import ALLIED, GERMAN, Table
from ..table.war import FIFTH_PANZER, TENTH, Crowd, War
from .c07_zones import both, eliminate, there, those_in
from .c11_supply import status


def full_for(war: War, pos: Table, units: Mask) -> Mask:
    """The hexes without room for some units, which all are of one side (6.3)."""
    return no_room(war, there(war, pos, war.side_of[first_bit(units)]), units)


def no_room(war: War, friends: Crowd, units: Mask) -> Mask:
    """The same, if one knows where the others of their side are."""
    supports = (units & war.supports).bit_count()
    divisions = units.bit_count() - supports
    mask = friends.divisions[DIVISIONS + 1 - divisions] if divisions else 0
    return mask | friends.supports if supports else mask


def strangers(war: War, pos: Table, units: Mask) -> Mask:
    """The hexes with Germans of another organisation: to be passed, not to stop in (6.6)."""
    return 0 if units & war.units_of[ALLIED] else others(war, there(war, pos, GERMAN), units)


def others(war: War, germans: Crowd, units: Mask) -> Mask:
    """The same for German units, if one knows where the others are."""
    mask = 0
    for group, hexes in enumerate(germans.groups):
        if hexes and units & ~war.grouped[group]:
            mask |= hexes
    return mask


def overstacked(war: War, pos: Table) -> Mask:
    """The hexes of either side whose stack is not allowed (6.3, 6.6)."""
    allied, german = both(war, pos)
    return allied.illegal | german.illegal


@dataclass(slots=True)
class Shed(Order[War, Table]):
    """6.8: the owner eliminates a unit of a stack that is not allowed."""

    hex: int
    side: int

    verb, names = "shed", (HEX, UNIT)
    implied = (HEX,)
    when, rule, opens = "Units are shed where too many are in one hex", "6.8", True

    def bars(self, war: War, pos: Table) -> Bars:
        first = f"First one of the units in {place(war, self.hex)} goes, which are too many"
        yield 1 << self.hex, first, "6.8"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        here = those_in(war, pos, first, self.side)
        yield here, "{unit} is not in {hex}", "6.8"
        more = "More units than needed would have to go if {unit} went: eliminate another"
        best = fewest(war, here)
        yield mask_of(u for u in bits(here) if fewest(war, here & ~(1 << u)) < best), more, "6.8"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        state = status(war, pos, self.hex, self.side)
        yield from eliminate(war, pos, option.unit, state, rule("6.8"))


def shed(war: War, pos: Table) -> Procedure:
    """6.8: as few units go as will do."""
    hex = first_bit(overstacked(war, pos))
    side = ALLIED if there(war, pos, ALLIED).illegal >> hex & 1 else GERMAN
    prompt = f"Too many units are in {war.board.code(hex)}: eliminate one"
    yield from ask(war, pos, prompt, "6.8", Shed(hex, side), side=side, checkpoint=True)


def fewest(war: War, units: Mask) -> int:
    """How many of these units at least are too many for one hex."""
    if units & war.units_of[ALLIED]:
        return _surplus(war, units)
    parties = [units & war.grouped[group] for group in range(TENTH, FIFTH_PANZER + 1)]
    stay = [party.bit_count() - _surplus(war, party) for party in parties]
    return units.bit_count() - max(stay)


def _surplus(war: War, units: Mask) -> int:
    supports = (units & war.supports).bit_count()
    return max(units.bit_count() - supports - DIVISIONS, 0) + max(supports - 1, 0)
