"""E10: the Italian army: who joins the Allies, and what its units may and may not do."""

from __future__ import annotations

from dataclasses import dataclass

from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.decision import Event, Option, Procedure, Roll
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, Bars, Order, Plain, ask

from ..table.position import ALLIED, DESTROYED, Table
from ..table.rivers import FREE
from ..table.war import War
from .b4d_stacking import full_hexes
from .b4e_zones import there
from .c4_friendly import come_into

DROPPING = "The 82nd may drop on Roma with a landing beside it, in the first turn"
ALL = 6


def italy_chooses(war: War, pos: Table) -> Procedure:
    """E10B2, E12: once the Allies have chosen a zone, a drop, and a die for each Italian unit."""
    base = war.ground.bases[pos.zone].name
    drops = False
    if base in war.book.defection.drop:
        prompt = "Does the 82nd drop on Roma?"
        orders = Drop(), NO_DROP
        drops = (yield from ask(war, pos, prompt, rule("E12A"), *orders)).verb == Drop.verb
    yield from defect(war, pos, base, drops)
    if drops:
        yield from drop(war, pos)


def defect(war: War, pos: Table, base: str, drops: bool) -> Procedure:
    """E10B2: who does not join the Allies disbands, for good (E10B1)."""
    site = next(site for site in war.book.defection.sites if base in site.zones)
    for units, most in zip(war.defectors, (site.garrison, site.others)):
        for unit in bits(units):
            if pos.hex[unit] < 0:
                continue
            die = 1
            if not drops and 0 < most < ALL:
                purpose = f"{war.names[unit]} joins the Allies on 1 to {most}"
                (die,) = yield Roll((6,), purpose, rule("E10B2"))
            if drops or die <= most:
                yield Event("joins the Allies", unit, pos.hex[unit], rule="E10B2")
            else:
                yield Event("disbands", unit, pos.hex[unit], rule="E10B1")
                pos.hex[unit], pos.steps[unit] = DESTROYED, 0


def held_back(war: War, pos: Table) -> Mask:
    """E10B3: the Italians who may not move yet."""
    return war.italians & war.army[ALLIED] if pos.turn == 1 and war.is_advanced(pos) else 0


def hold_ground(war: War, pos: Table) -> None:
    """E10B4e: from the second turn on, where Italians stand is friendly to the Allies."""
    ours = there(war, pos, ALLIED)
    for unit in bits(war.italians & ours.units):
        hex = 1 << pos.hex[unit]
        pos.italian |= hex & ~pos.friendly
        pos.friendly |= hex


def at_will(war: War, pos: Table) -> Mask:
    """Allied units that need not fight whom they are next to.

    Italians in the first turn (E10B4a), partisans always (E10D3).
    """
    if not war.is_advanced(pos):
        return 0
    return held_back(war, pos) | war.partisans


# The drop on Roma.


class Drop(Order[War, Table]):
    """E12A: all three regiments of the 82nd drop on Roma, beside the Initial Lift (E12D)."""

    verb = "drop on Roma"
    when, rule = DROPPING, "E12A"

    def bars(self, war: War, pos: Table) -> Bars:
        ready = all(pos.hex[unit] == war.ground.sicilia for unit in airborne(war))
        yield ready, "Not all of the 82nd is in Sicilia", "E12A"


NO_DROP = Plain("no drop", DROPPING, "E12A")
STAY = Plain("stay where they are", "Who has dropped may go on one hex", "E12C")


def airborne(war: War) -> list[int]:
    """The regiments of the 82nd."""
    return [war.number[name] for name in war.book.defection.airborne]


def drop(war: War, pos: Table) -> Procedure:
    """E12C: a regiment on each hex of Roma; each may then go on one hex."""
    city = war.board.places[war.book.defection.target].hexes
    for unit in airborne(war):
        taken = mask_of(pos.hex[other] for other in bits(pos.dropped))
        free = city & ~taken & ~full_hexes(war, pos, ALLIED, 1 << unit)
        prompt = f"Where does {war.names[unit]} drop?"
        yield from ask(war, pos, prompt, rule("E12C"), DropUnit(unit, free))
    for unit in airborne(war):
        prompt = f"Does {war.names[unit]} go on one hex?"
        yield from ask(war, pos, prompt, rule("E12C"), GoOn(unit), STAY)


@dataclass(slots=True)
class DropUnit(Order[War, Table]):
    """E12C: a regiment drops on a hex of Roma of its own."""

    unit: int
    free: Mask

    verb, names, link = "drop", (UNIT, HEX), "on"
    implied = (UNIT,)
    when, rule = DROPPING, "E12C"

    def bars(self, war: War, pos: Table) -> Bars:
        yield 1 << self.unit, f"{war.names[self.unit]} drops now, not {{unit}}", "E12C"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        yield war.board.places[war.book.defection.target].hexes, "{hex} is not Roma", "E12C"
        yield self.free, "A regiment drops on each hex of Roma", "E12C"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        yield from _set_down(war, pos, option.unit, option.hex)


@dataclass(slots=True)
class GoOn(Order[War, Table]):
    """E12C: who has dropped goes on one hex."""

    unit: int

    verb, names = "go on", (UNIT, HEX)
    implied = (UNIT,)
    when, rule = "Who has dropped may go on one hex", "E12C"

    def bars(self, war: War, pos: Table) -> Bars:
        yield 1 << self.unit, f"{war.names[self.unit]} goes on now, not {{unit}}", "E12C"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        near = war.ground.beside[pos.hex[first]] & war.ground.stands
        yield near, "{hex} is not next to the drop", "E12C"
        yield ~there(war, pos, 1 - ALLIED).occupied, "The enemy is in {hex}", "B4D4"
        yield ~full_hexes(war, pos, ALLIED, 1 << first), "There is no room in {hex}", "B4D1"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        yield from _set_down(war, pos, option.unit, option.hex)


def _set_down(war: War, pos: Table, unit: int, hex: int) -> Procedure:
    bit = 1 << unit
    pos.hex[unit], pos.bank[unit] = hex, FREE
    pos.dropped |= bit
    pos.moved |= bit
    pos.shipped |= bit
    pos.lift |= bit  # C5E1: who has come down needs no supply in this turn
    yield from come_into(war, pos, unit, hex)
