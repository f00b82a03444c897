"""E5D5a, E8H and E8I: German replacements by other ways than the Basic Game has."""

from __future__ import annotations

from apennine.hexes import bits, mask_of
from apennine.kernel.decision import Event, Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, Bars, Order
from apennine.mechanics.asking import while_possible

from ..table.position import ALLIED, DUE, GERMAN, POOL, WITHDRAWN, Table
from ..table.war import War
from .b4d_stacking import full_hexes
from .b4e_zones import is_inverted, there, zone
from .c9_supply import german_unfed
from .c11_replacements import INFANTRY, KEEP, RAISE, RAISING, depots, kind_of


class CallUp(Order[War, Table]):
    """E5D5a: a replacement counter comes over the edge instead of into a city."""

    verb, names = "call up", (UNIT,)
    ranges = ((UNIT, lambda war: war.army[GERMAN] & war.replacements),)
    when, rule, opens = RAISING, "E5D5a", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield war.is_advanced(pos), "Replacements come to cities in the Basic Game", "C11C2"
        ours = war.army[GERMAN] & war.replacements & ~war.once
        yield ours, "{unit} is no German replacement of the calendar", "E5D5a"
        free = mask_of(u for u in bits(ours) if pos.hex[u] == POOL)
        yield free, "{unit} is on the table already", "C11A4"
        paid = mask_of(u for u in bits(free) if pos.credit[kind_of(war, u)])
        yield paid, "There is no such replacement to come", "C11A12"
        # The counters of a kind are alike: the first will do.
        first = {kind_of(war, u): u for u in reversed(list(bits(paid)))}
        yield mask_of(first.values()), "Another counter of this kind comes first", "C11A12"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.credit[kind_of(war, option.unit)] -= 1
        pos.hex[option.unit] = DUE
        yield Event("arrives", option.unit, rule="E5D5a")


class Quarter(Order[War, Table]):
    """E8H: Czech, Slovak and Italian replacements may come to a city instead of over the edge."""

    verb, names, link = "quarter", (UNIT, HEX), "in"
    ranges = ((UNIT, lambda war: war.once), (HEX, lambda war: war.ground.major_cities))
    when, rule, opens = RAISING, "E5D5a", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield war.is_advanced(pos), "They are of the Advanced Game", "E8H"
        yield war.once, "{unit} is no replacement that serves once", "E8H"
        waiting = there(war, pos, GERMAN).stack(DUE)
        yield waiting, "{unit} does not wait beyond the edge", "E5D5a"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        yield war.ground.major_cities, "{hex} is no major city", "C11C2"
        yield ~pos.friendly, "{hex} is not friendly", "C11C2"
        yield ~zone(war, pos, ALLIED), "{hex} is in an Allied zone of control", "C2A5a"
        yield depots(war, pos), "{hex} is cut off from supply", "C11C2"
        yield ~full_hexes(war, pos, GERMAN, 1 << first), "There is no room in {hex}", "B4D1"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.hex[option.unit] = option.hex


class Dissolve(Order[War, Table]):
    """E8I: an ersatz division becomes replacements, for good."""

    verb, names = "dissolve", (UNIT,)
    when, rule, opens = "Ersatz divisions are exchanged as a German turn begins", "E8I", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield mask_of(war.worth), "{unit} is no ersatz division", "E8I"
        present = there(war, pos, GERMAN)
        here = present.units | present.stack(DUE)
        yield here, "{unit} is not there", "E8I"
        yield ~german_unfed(war, pos), "{unit} is isolated", "E8I"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        unit = option.unit
        pos.credit[INFANTRY] += war.worth[unit] - is_inverted(war, pos, unit)
        yield Event("is dissolved", unit, pos.hex[unit] if pos.hex[unit] >= 0 else -1, rule="E8I")
        pos.hex[unit] = WITHDRAWN


CALL_UP, QUARTER, DISSOLVE = CallUp(), Quarter(), Dissolve()


def reinforcing_phase(war: War, pos: Table) -> Procedure:
    """C11C2, E5D5a: replacements come as a German turn begins; what is not taken is kept."""
    if pos.side == GERMAN:
        prompt, orders = "Bring replacements, or keep them", (RAISE, CALL_UP, QUARTER, DISSOLVE)
        yield from while_possible(KEEP, war, pos, prompt, rule("E5D5a"), *orders, checkpoint=True)
