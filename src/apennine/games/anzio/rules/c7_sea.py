"""C7: movement by sea: Build-Up (C5G), amphibious transfer and evacuation."""

from __future__ import annotations

from dataclasses import dataclass

from apennine.hexes import Mask, bits, first_bit, mask_of
from apennine.kernel.decision import Event, Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, Bars, Order, ask

from ..table.position import AFLOAT, ALLIED, GERMAN, OPEN, Table
from ..table.rivers import FREE
from ..table.terrain import Entry
from ..table.war import SCALE, War
from .b4c_march import stack_place
from .b4d_stacking import full_hexes, load
from .b4e_zones import soften, strong_hexes, there, zone
from .c4_friendly import come_into
from .c9_supply import with_room
from .e18_seas import within_a_voyage

SAILING = "Allied units move by sea in their movement phase"
FIRST_HEX = SCALE
"""The first land hex costs a point (C7B6)."""


# What ports and beachheads take in and let out.


def intake(war: War, pos: Table, number: int) -> int:
    """C5B4, C5G6: the stacking points that may still come in through a base in this turn."""
    if pos.bases[number] != OPEN:
        return 0
    return war.ground.bases[number].build_up + pos.saved[number] - pos.landed[number]


def outlet(war: War, pos: Table, number: int) -> int:
    """C7B7, C7B8: those that may still leave by it; in and out do not hinder each other."""
    if pos.bases[number] != OPEN:
        return 0
    return war.ground.bases[number].build_up - pos.sailed[number]


def entry_intake(war: War, pos: Table, entry: Entry) -> int:
    """C8C: what Messina or Taranto take in: the lift as they are opened, Build-Up later (C8C2)."""
    most = entry.build_up if pos.entries >> entry.place & 1 else entry.lift
    if pos.opened >> entry.place & 1:
        most = entry.lift
    return most - pos.landed[_entry_slot(war, entry)]


def entry_outlet(war: War, pos: Table, entry: Entry) -> int:
    """What may still leave Messina or Taranto by sea."""
    return entry.build_up - pos.sailed[_entry_slot(war, entry)]


def _entry_slot(war: War, entry: Entry) -> int:
    """Where the account of Messina or Taranto is kept: after those of the bases."""
    return len(war.ground.bases) + war.ground.entries.index(entry)


def entry_at(war: War, place: int) -> Entry | None:
    """Messina or Taranto, if a place is one of them."""
    return next((entry for entry in war.ground.entries if entry.place == place), None)


def bulk(war: War, pos: Table, units: Mask) -> int:
    """D7B1: what units count against Build-Up; foreigners twice as they first enter the map."""
    more = load(war, units & war.foreign & ~pos.entered) if pos.nationalities else 0
    return load(war, units) + more * (war.book.limits.foreign - 1)


def roomy_entries(war: War, pos: Table, units: Mask, among: Mask) -> Mask:
    """C8C1: those of Messina and Taranto that take in so many stacking points."""
    points = load(war, units)
    return mask_of(
        entry.place
        for entry in war.ground.entries
        if among >> entry.place & 1 and points <= entry_intake(war, pos, entry)
    )


# Putting to sea.


def harbours(war: War, pos: Table, points: int) -> Mask:
    """C7B2: the hexes from which so many stacking points may sail."""
    held, found = zone(war, pos, GERMAN), 0
    for number, base in enumerate(war.ground.bases):
        if pos.bases[number] == OPEN and outlet(war, pos, number) >= points:
            found |= base.hexes
    return found & pos.friendly & ~held


def can_put_to_sea(war: War, pos: Table) -> Mask:
    """C6F: the Allied units that may leave by sea from where they are."""
    ground, present = war.ground, there(war, pos, ALLIED)
    found = present.stack(ground.sicilia)
    for entry in ground.entries:
        if pos.entries >> entry.place & 1:
            left = entry_outlet(war, pos, entry)
            found |= _small(war, present.stack(entry.place), left)
    for hex in bits(harbours(war, pos, 0) & present.occupied):
        left = max([outlet(war, pos, n) for n in ground.base_at[hex]])
        found |= _small(war, present.stack(hex), left)
    return found


def _small(war: War, units: Mask, most: int) -> Mask:
    return mask_of(unit for unit in bits(units) if war.stacking[unit] <= most)


def places_at_sea(war: War, pos: Table) -> Mask:
    """The Allied units beside the map: in Sicilia, Messina and Taranto."""
    present = there(war, pos, ALLIED)
    found = present.stack(war.ground.sicilia)
    for entry in war.ground.entries:
        found |= present.stack(entry.place)
    return found


def charge_departure(war: War, pos: Table, units: Mask) -> None:
    """C7B7: units leave by sea; Build-Up is used at the place that they leave."""
    here, points = pos.hex[first_bit(units)], load(war, units)
    entry = entry_at(war, here)
    if entry:
        pos.sailed[_entry_slot(war, entry)] += points
    elif here < war.lattice.size:
        fits = [n for n in war.ground.base_at[here] if outlet(war, pos, n) >= points]
        pos.sailed[fits[0]] += points


# Coming ashore.


def landings(war: War, pos: Table, units: Mask, transfer: bool) -> Mask:
    """C5G3: the hexes where units may come ashore by sea, Capacity left aside.

    Through friendly hexes of ports and beachheads that operate, within their Build-Up; in a German
    zone only by Build-Up from Sicilia (C5G4), and only with a defence factor (C10B2a).
    """
    points, found = bulk(war, pos, units), 0
    for number, base in enumerate(war.ground.bases):
        if pos.bases[number] == OPEN and intake(war, pos, number) >= points:
            found |= base.hexes
    found &= pos.friendly & ~strong_hexes(war, pos, GERMAN)
    if transfer or units & pos.soft:
        found &= ~zone(war, pos, GERMAN)
    return found & ~full_hexes(war, pos, ALLIED, units)


def charge_arrival(war: War, pos: Table, units: Mask, hex: int) -> None:
    """C5G1: Build-Up is used; where a hex is port and beach, the port's first."""
    points = bulk(war, pos, units)
    fits = [n for n in war.ground.base_at[hex] if intake(war, pos, n) >= points]
    pos.landed[fits[0]] += points


class Sail(Order[War, Table]):
    """C5G, C7B: the stack sails to a port or beachhead, to Messina, Taranto or Sicilia."""

    verb, names = "sail", (UNIT, HEX)
    implied = (UNIT,)
    when, rule = SAILING, "C7B2"

    def bars(self, war: War, pos: Table) -> Bars:
        lead, here = first_bit(pos.movers), stack_place(pos)
        yield 1 << lead, f"{war.names[lead]} leads the stack that moves, not {{unit}}", "B4C3"
        points, entry = load(war, pos.movers), entry_at(war, here)
        yield ~(pos.shipped & pos.movers), "{unit} has been at sea in this turn", "C7B4"
        if here < war.lattice.size:
            port = here in war.ground.base_at and harbours(war, pos, points) >> here & 1 != 0
            yield port, "No port or beachhead is open here, or its Build-Up is used", "C7B2"
        elif entry:
            left = entry_outlet(war, pos, entry)
            yield points <= left, f"Only {left} stacking points may still leave", "C7B7"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        ground, here, units = war.ground, stack_place(pos), pos.movers
        boxes = mask_of((ground.sicilia, *(entry.place for entry in ground.entries)))
        transfer = here != ground.sicilia
        shores = landings(war, pos, units, transfer)
        takes = roomy_entries(war, pos, units, -1)
        yield ~(1 << here), "{unit} is there already", "C7B2"
        yield within_a_voyage(war, pos, here), "{hex} is too far by sea for one turn", "E18B"
        yield boxes | self._bases(war, pos), "No port or beachhead is open in {hex}", "C5G3"
        yield shores | takes | 1 << ground.sicilia, self._shut(war, pos, transfer, takes)
        yield pos.points >= FIRST_HEX or ~shores, "Too few points are left to land", "C7B6"
        yield (
            with_room(war, pos, units, shores) | boxes,
            "There is no supply for more units there",
            "C9C6",
        )

    def _bases(self, war: War, pos: Table) -> Mask:
        found = 0
        for number, base in enumerate(war.ground.bases):
            found |= base.hexes if pos.bases[number] == OPEN else 0
        return found

    def _shut(self, war: War, pos: Table, transfer: bool, takes: Mask) -> Bars:
        """Why no port, and no box but those that take the stack, is open to it."""
        units = pos.movers
        boxes = mask_of(entry.place for entry in war.ground.entries)
        yield ~boxes | takes, "More stacking points than are left would come to {hex}", "C8C1"
        yield pos.friendly | ~war.lattice.all, "{hex} is not friendly", "C5G3"
        held = zone(war, pos, GERMAN)
        barred = transfer or bool(units & pos.soft)
        yield ~held if barred else -1, "{hex} is in a German zone of control", "C7B2"
        yield ~full_hexes(war, pos, ALLIED, units), "There is no room in {hex}", "B4D1"
        yield 0, "The Build-Up of {hex} is used for this turn", "C5B4"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        return sail(war, pos, option.hex)


def sail(war: War, pos: Table, place: int) -> Procedure:
    """The stack crosses the sea; it may go on inland with the points that it has left (C7B5)."""
    units = pos.movers
    charge_departure(war, pos, units)
    pos.shipped |= units
    pos.extra = 0
    if place >= war.lattice.size:
        yield from into_box(war, pos, units, place)
        pos.movers = pos.points = 0
        return
    charge_arrival(war, pos, units, place)
    pos.points -= FIRST_HEX
    pos.under_way = True
    for unit in bits(units):
        pos.hex[unit], pos.bank[unit] = place, FREE
    yield from come_into(war, pos, first_bit(units), place)
    if zone(war, pos, GERMAN) >> place & 1 or pos.points <= 0:  # C5G4
        pos.movers = pos.points = 0
        pos.under_way = False


def into_box(war: War, pos: Table, units: Mask, place: int) -> Procedure:
    """Units come to Sicilia, or to Messina or Taranto, which are open from then on (C8A)."""
    entry = entry_at(war, place)
    if entry:
        if not pos.entries >> place & 1:
            pos.entries |= 1 << place
            pos.opened |= 1 << place
            yield Event("entry opens", hex=place, rule="C8A")
        pos.landed[_entry_slot(war, entry)] += load(war, units)
    for unit in bits(units):
        pos.hex[unit], pos.bank[unit] = place, FREE
        yield Event("sails", unit, place, rule="C7B2")


# Evacuation (C7C).


def evacuation_hexes(war: War, pos: Table, points: int = 1) -> Mask:
    """C7C2: where so many stacking points of Allied units may be evacuated.

    From beaches without a counter, and ports without one, which count as such; from ports and
    beachheads with a counter in a German zone of control, or when their Build-Up does not suffice
    (C7B9); never from coast hexes (C7C3).
    """
    ground, opened, roomy = war.ground, 0, 0
    for number, base in enumerate(ground.bases):
        if pos.bases[number] == OPEN:
            opened |= base.hexes
            roomy |= base.hexes if outlet(war, pos, number) >= points else 0
    shores = ground.beaches | ground.ports
    return shores & (~opened | zone(war, pos, GERMAN) | ~roomy)


def can_evacuate(war: War, pos: Table, units: Mask) -> Mask:
    """C7C6: those of some units that may be evacuated from where they are; only inverted ones."""
    found, shores = 0, dict[int, Mask]()
    for unit in bits(units & war.inverts & there(war, pos, ALLIED).units):
        points = war.stacking[unit]
        if points not in shores:
            shores[points] = evacuation_hexes(war, pos, points)
        found |= (shores[points] >> pos.hex[unit] & 1) << unit
    return found


def evacuate(war: War, pos: Table, unit: int) -> Procedure:
    """C7C4, C7C6: a unit goes aboard as an inverted counter, and lands elsewhere.

    In the German turn that is Sicilia (C7C5c).
    """
    yield Event("is evacuated", unit, pos.hex[unit], rule="C7C6")
    bit, here = 1 << unit, pos.hex[unit]
    pos.hex[unit], pos.bank[unit], pos.steps[unit] = AFLOAT, FREE, 1
    soften(war, pos, unit)
    pos.moved |= bit
    pos.shipped |= bit
    pos.attackers &= ~bit
    pos.retreating &= ~bit
    pos.withdrawing &= ~bit
    pos.advancing &= ~bit
    pos.forward &= ~bit
    if pos.side == ALLIED:
        prompt = f"Where does {war.names[unit]} land?"
        yield from ask(war, pos, prompt, rule("C7C4"), ComeAshore(unit, here), side=ALLIED)
    else:
        pos.hex[unit] = war.ground.sicilia


@dataclass(slots=True)
class ComeAshore(Order[War, Table]):
    """C7C4: an evacuated unit lands where transfers do."""

    unit: int
    here: int

    verb, names = "come ashore", (UNIT, HEX)
    implied = (UNIT,)
    when, rule = "Evacuated units come ashore at once", "C7C4"

    def bars(self, war: War, pos: Table) -> Bars:
        yield 1 << self.unit, f"{war.names[self.unit]} is at sea, not {{unit}}", "C7C4"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        unit = 1 << first
        shores = landings(war, pos, unit, transfer=True)
        boxes = roomy_entries(war, pos, unit, pos.entries) | 1 << war.ground.sicilia
        yield shores | boxes, "{unit} cannot land in {hex}", "C7C7"
        near = within_a_voyage(war, pos, self.here)
        yield near, "{hex} is too far by sea for one turn", "E18B"
        fed = with_room(war, pos, unit, shores)
        yield fed | boxes, "There is no supply for more units there", "C9C6"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        if option.hex < war.lattice.size:
            charge_arrival(war, pos, 1 << option.unit, option.hex)
            pos.hex[option.unit] = option.hex
            yield from come_into(war, pos, option.unit, option.hex)
        elif option.hex == war.ground.sicilia:
            pos.hex[option.unit] = option.hex
        else:
            yield from into_box(war, pos, 1 << option.unit, option.hex)


SAIL = Sail()
