"""Chapter 11.3.4: the trucks of the Entente."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from apennine.hexes import Mask, bits, first_bit
from apennine.kernel.decision import NONE, Option
from apennine.kernel.order import UNIT, Bars, Order

from ..table.position import Table
from ..table.war import War
from .c02_pieces import attached, in_the_field, those_in

TRUCKING = "Trucks load and unload as they move"
ROOM = {"division": Fraction(1), "brigade": Fraction(1, 2), "regiment": Fraction(1, 4)}
"""What part of the trucks a unit fills, by its size (11.3.4.1a)."""


def filled(war: War, units: Mask) -> Fraction:
    """How full some units make the trucks."""
    room = Fraction(0)
    for unit in bits(units & ~war.assault):
        room += 1 if war.artillery >> unit & 1 else ROOM.get(war.roster[unit].size, 0)
    return room


class Load(Order[War, Table]):
    """11.3.4.1: a unit in the hex of the trucks gets in, before they leave."""

    verb, names = "load", (UNIT,)
    when, rule = TRUCKING, "11.3.4.1c"

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.movers & war.trucks != 0, "Only trucks carry units", "15.4a"
        yield not pos.under_way, "The trucks are on their way already", "11.3.4.1c"
        yield from in_the_field(war, pos, pos.side)
        here = pos.hex[first_bit(pos.movers)]
        yield those_in(war, pos, here, pos.side), "{unit} is not where the trucks are", "11.3.4.1c"
        yield ~(pos.loaded | pos.movers), "{unit} is in the trucks already", "11.3.4.1a"
        yield ~pos.done, "{unit} has moved in this phase", "11.3.4.1c"
        guns = war.artillery & ~(war.barges | war.batteries) & ~pos.firing
        yield war.combat | guns, "Trucks carry only infantry and artillery", "15.4a"
        small = (war.brigades | war.regiments) & ~war.nationals["It"]
        yield (
            ~(small | war.detachments),
            "Only divisions and Italian brigades or regiments ride",
            "11.3.4.1a",
        )
        fits = 0
        for unit in bits(those_in(war, pos, here, pos.side) & (war.combat | war.artillery)):
            if filled(war, pos.loaded | 1 << unit) <= 1:
                fits |= 1 << unit
        yield fits, "There is no room for {unit} in the trucks", "11.3.4.1a"
        full = bool(pos.loaded & war.assault)
        troops = sum([1 << host for host in pos.host if host >= 0]) if full else 0
        yield ~troops, "One support of assault troops rides, and no more", "11.3.4.1b"

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        return self.left(war, pos) if pos.movers & war.trucks else NONE

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.loaded |= 1 << option.unit | attached(war, pos, 1 << option.unit)


class Unload(Order[War, Table]):
    """11.3.4.1d: units get out; the first of a stop costs points, the others nothing."""

    verb, names = "unload", (UNIT,)
    when, rule = TRUCKING, "11.3.4.1d"

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.movers & war.trucks != 0, "Only trucks carry units", "15.4a"
        yield pos.loaded & ~war.assault, "{unit} is not in the trucks", "11.3.4.1d"
        here = pos.hex[first_bit(pos.movers)]
        price = war.ticks(war.book.march.unloading)
        paid = pos.unloaded == here or pos.left >= price
        yield paid, f"A stop costs {war.book.march.unloading} points", "11.3.4.1d"

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        return self.left(war, pos) if pos.movers & war.trucks else NONE

    def effect(self, war: War, pos: Table, option: Option) -> None:
        here = pos.hex[first_bit(pos.movers)]
        if pos.unloaded != here:
            pos.left -= war.ticks(war.book.march.unloading)
            pos.unloaded = here
        out = 1 << option.unit | attached(war, pos, 1 << option.unit)
        pos.loaded &= ~out
        pos.done |= out  # 11.3.4.1e
        pos.moved |= out


def unload_all(pos: Table) -> None:
    """Units that stay in the trucks do not move by themselves in this phase (11.3.4.1e)."""
    pos.done |= pos.loaded
    pos.moved |= pos.loaded


LOAD, UNLOAD = Load(), Unload()
