"""Chapter 4: zones of control; and who is where, on which they and most orders rest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.decision import Event, Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, Bars, Order
from apennine.mechanics.whereabouts import occupied as occupied
from apennine.mechanics.whereabouts import there as there
from apennine.mechanics.whereabouts import those_among as those_among
from apennine.mechanics.whereabouts import those_in as those_in
from apennine.mechanics.whereabouts import units_in as units_in

from ..table.position import ALLIED, AWAY, GERMAN, GONE, LOST, Table
from ..table.war import War


def zone(war: War, pos: Table, side: int) -> Mask:
    """The zone of control of a side (4a to 4d).

    Every combat unit has one, no marker does, and it ends at lakes. Friendly units never cancel it
    for movement (4.1d); for lines of communication they do (4.2).
    """
    return war.zone(occupied(war, pos, side))


def on_map(war: War, pos: Table, unit: int) -> bool:
    """Whether a unit is in a hex."""
    return 0 <= pos.hex[unit] != war.reserve


def units_on_map(war: War, pos: Table, side: int) -> list[int]:
    """The units of a side that are in hexes."""
    return list(bits(there(war, pos, side).units))


def in_the_field(war: War, pos: Table, side: int) -> Bars:
    """The bars on a unit that must be of a side and in a hex."""
    yield war.army[side], "{unit} belongs to the other side", "3a"
    yield there(war, pos, side).units, off_the_map(war, pos, side)


def off_the_map(war: War, pos: Table, side: int) -> Bars:
    """Where else than in a hex a unit is."""
    away = units_in(war, pos, AWAY, side)
    late = mask_of(u for u in away if war.roster[u].arrives > pos.turn)
    yield ~late, "{unit} arrives only in turn {arrival}", "7.2a"
    yield ~mask_of(away), "{unit} is still waiting to arrive", "7.2a"
    yield ~those_in(war, pos, LOST, side), "{unit} is eliminated", "9.1d"
    yield ~those_in(war, pos, GONE, side), "{unit} has been withdrawn", "7.3a"
    yield 0, "{unit} is in the strategic reserve", "12d"


@dataclass(slots=True)
class Whither(Order[War, Table]):
    """The second half of an order: the question has fixed the unit, and asks for its hex."""

    unit: int

    names = (UNIT, HEX)
    implied = (UNIT,)

    def bars(self, war: War, pos: Table) -> Bars:
        yield war.army[war.side_of[self.unit]], "{unit} belongs to the other side", "3a"
        yield 1 << self.unit, f"{war.names[self.unit]} is asked for, not {{unit}}", self.rule

    def effect(self, war: War, pos: Table, option: Option) -> Procedure | None:
        return place(war, pos, option.unit, option.hex)


def controlled(war: War, pos: Table, side: int) -> Mask:
    """The hexes that a side controls (8.1d)."""
    return pos.control if side == ALLIED else war.land & ~pos.control


def enter(war: War, pos: Table, side: int, hexes: Mask) -> Iterator[Event]:
    """Units of a side come through some hexes and take control of them (8.1d).

    Whatever they come next to that has no escort is lost (9.6b), and Allied units in the Gothic
    line before it works are remembered (9.4d, 13g).
    """
    if side == ALLIED:
        pos.control |= hexes
        if pos.turn < war.gothic_turn and hexes & war.gothic & ~pos.gothic:
            for hex in bits(hexes & war.gothic & ~pos.gothic):
                yield Event("enters the Gothic line", hex=hex, rule=rule("9.4d"))
            pos.gothic |= hexes & war.gothic
    else:
        pos.control &= ~hexes
    enemy = 1 - side
    centre = pos.centre[enemy]
    if centre >= 0 or (side == GERMAN and pos.beaches):
        threatened = war.zone(hexes) | hexes
        if centre >= 0 and threatened >> centre & 1 and not units_in(war, pos, centre, enemy):
            yield from lose_centre(pos, enemy, rule("9.6b"))
        if side == GERMAN:
            for number, beach in enumerate(pos.beaches):
                if beach >= 0 and threatened >> beach & 1 and not units_in(war, pos, beach, ALLIED):
                    yield from lose_beachhead(pos, number, rule("9.6b"))


def place(war: War, pos: Table, unit: int, hex: int) -> Procedure:
    """A unit comes into a hex, with all that follows."""
    pos.hex[unit] = hex
    yield from enter(war, pos, war.side_of[unit], 1 << hex)


def lose_centre(pos: Table, side: int, by: str) -> Iterator[Event]:
    """A logistic centre is eliminated; it may come back (9.6d)."""
    yield Event("logistic centre eliminated", hex=pos.centre[side], value=side, rule=by)
    pos.centre[side] = LOST


def lose_beachhead(pos: Table, number: int, by: str) -> Iterator[Event]:
    """A beachhead is eliminated, which is worth points to the German side (9.6c)."""
    yield Event("beachhead eliminated", hex=pos.beaches[number], rule=by)
    pos.beaches[number] = LOST
    pos.destroyed += 1
