"""Chapters 3.0B1 and 21.1: the initial phase, and reinforcements."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.decision import Event, Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, Bars, Order, ask
from apennine.mechanics.asking import until

from ..table.position import ALLIED, AWAY, GERMAN, WITHDRAWN, Table
from ..table.war import War
from .c02_pieces import occupied, there
from .c04_stacking import crowded
from .c05_areas import friendly_areas, friendly_sections
from .c05_control import enter, turn_releases
from .c13_disorder import disrupt
from .c17_ready import READY
from .c18_forts import COMPLETE, RAZE, START
from .c20_replacements import REPLACE, receive
from .c22_departures import REMOVE, WITHDRAW, to_remove, to_withdraw, withdrawal

ARRIVING = "Reinforcements arrive in the initial phase"


def muster(war: War, pos: Table) -> Procedure:
    """What an initial phase begins with: sections that change hands, releases, who comes."""
    if pos.side == GERMAN:
        yield from leave_sections(war, pos)
        pos.control |= friendly_sections(war, pos, ALLIED) & war.ground.held  # 5.8.1
    yield from turn_releases(war, pos)
    receive(war, pos)
    for unit in bits(expected(war, pos)):
        places = landing_places(war, pos, unit)
        if places and not places & places - 1:
            yield from come(war, pos, unit, places.bit_length() - 1)


def initial_phase(war: War, pos: Table) -> Procedure:
    """3.0B1a: in any order, as often as there is something to do."""
    prompt = "Ready artillery, use replacements, bring on and withdraw units; or go on"
    orders = WITHDRAW, REMOVE, BRING_ON, REPLACE, READY, START, COMPLETE, RAZE
    yield from until(END, war, pos, prompt, rule("3.0B1a"), *orders, checkpoint=True)


class End(Order[War, Table]):
    """3.0B1a: the initial phase is over once everybody has come and gone who must."""

    verb = "end the initial phase"
    when, rule = "The initial phase ends before movement", "3.0B1a"

    def bars(self, war: War, pos: Table) -> Bars:
        leave = ", ".join(group.units[0] for group in to_withdraw(war, pos))
        yield not leave, f"{leave} must still be withdrawn", "22.1a"
        leave = ", ".join(group.units[0] for group in to_remove(war, pos))
        yield not leave, f"{leave} must still be removed", "22.2.1"
        wait = [unit for unit in bits(expected(war, pos)) if landing_places(war, pos, unit)]
        name = war.names[wait[0]] if wait else ""
        yield not wait, f"{name} has still to be placed", "21.1.1"


# Reinforcements, and units that come back (22.1b).


def expected(war: War, pos: Table) -> Mask:
    """The units that are due to come by now."""
    present = there(war, pos, pos.side)
    return _due(war, pos.turn, present.stack(AWAY), present.stack(WITHDRAWN))


@lru_cache(256)
def _due(war: War, turn: int, away: Mask, withdrawn: Mask) -> Mask:
    found = mask_of(unit for unit in bits(away) if war.arrives[unit] <= turn)
    for unit in bits(withdrawn):
        group = withdrawal(war, turn, unit)
        if group is None or group.returns <= turn:
            found |= 1 << unit
    return found


def landing_places(war: War, pos: Table, unit: int) -> Mask:
    """Where a unit may come: the areas, or hexes without an enemy, of its card (21.1.1).

    In Naples within stacking limits while that is possible (21.1.2).
    """
    returning = pos.hex[unit] == WITHDRAWN
    group = withdrawal(war, pos.turn, unit) if returning else war.comes_at[unit]
    if group is None:
        return 0
    places = war.places(group)
    side = war.side_of[unit]
    hexes = places & war.ground.land
    if not hexes:
        return places & war.friendly_areas(side, pos.turn)
    free = hexes & ~occupied(war, pos, 1 - side)
    return free & ~crowded(war, pos, side, 1 << unit) or free


class BringOn(Order[War, Table]):
    """21.1.1: a unit that is due is placed where its card says."""

    verb, names, opens = "bring on", (UNIT, HEX), True
    when, rule = ARRIVING, "21.1.1"

    def bars(self, war: War, pos: Table) -> Bars:
        yield war.army[pos.side], "{unit} belongs to the other side", "1.0"
        yield expected(war, pos), "{unit} is not due to come now", "21.1.1"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        yield landing_places(war, pos, first), "{unit} does not come by way of {hex}", "21.1.1"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        return come(war, pos, option.unit, option.hex)


def come(war: War, pos: Table, unit: int, place: int) -> Procedure:
    """A unit arrives, artillery on its fired side (21.1.3c)."""
    pos.hex[unit] = place
    yield Event("arrives", unit, place, rule=rule("21.1.1"))
    if place < war.lattice.size:
        yield from enter(war, pos, pos.side, 1 << place)
        if war.names[unit] == war.book.orders.formia:
            pos.posted |= 1 << unit  # S3.3.4c


# Sections of the 8th Army zone that become Allied (5.8.1).


def leave_sections(war: War, pos: Table) -> Procedure:
    """5.8.1: German units in a section that is Allied by now go to the next one, Disrupted."""
    while True:
        units = stranded(war, pos)
        if not units:
            return
        prompt = "The 8th Army has come: move your units out of its section"
        yield from ask(war, pos, prompt, rule("5.8.1e"), Relocate(units))


def stranded(war: War, pos: Table) -> Mask:
    """German units in sections, or their entry areas, that are no longer friendly."""
    friendly, present = friendly_areas(war, pos, GERMAN), there(war, pos, GERMAN)
    found = 0
    for key, hexes in war.ground.sections.items():
        if key not in friendly:
            found |= present.among(hexes) | present.stack(war.ground.areas[key])
    return found


@dataclass(slots=True)
class Relocate(Order[War, Table]):
    """5.8.1b to 5.8.1e: to a hex of the next section, or to its entry area."""

    units: Mask

    verb, names = "relocate", (UNIT, HEX)
    when, rule = "Units leave sections of the 8th Army zone as these become Allied", "5.8.1e"

    def bars(self, war: War, pos: Table) -> Bars:
        yield self.units, "{unit} is in no section that has become Allied", "5.8.1b"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        ground, here = war.ground, pos.hex[first]
        key = next(
            key
            for key, hexes in ground.sections.items()
            if (hexes | 1 << ground.areas[key]) >> here & 1
        )
        onward = war.book.sections[key].next
        area = 1 << ground.areas[onward]
        yield ground.sections[onward] | area, f"{{hex}} is not in section {onward}", "5.8.1e"
        yield ~occupied(war, pos, ALLIED), "The enemy is in {hex}", "5.8.1e"
        full = crowded(war, pos, GERMAN, 1 << first)
        yield ~full, "{hex} would hold too many units", "5.8.1e"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.hex[option.unit] = option.hex
        disrupt(pos, 1 << option.unit)
        if option.hex < war.lattice.size:
            yield from enter(war, pos, GERMAN, 1 << option.hex)


BRING_ON, END = BringOn(), End()
