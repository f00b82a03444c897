"""Chapter 12: the Allied strategic reserve."""

from __future__ import annotations

from random import Random

from apennine.hexes import Mask, mask_of
from apennine.kernel.decision import Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import UNIT, Bars, Order, Plain, ask
from apennine.mechanics.asking import until

from ..table.position import ALLIED, GERMAN, GONE, Table, with_item
from ..table.war import War
from .c04_zones import in_the_field, occupied, those_among, those_in, units_in, zone
from .c05_stacking import full
from .c06_logistics import closed
from .c07_rrw import Place, beachheads, come_on, landing_places

WHEN = "Units go into the reserve and come out of it in the reserve step"
END = Plain("end transfers", WHEN, "12f")


def reserve_phase(war: War, pos: Table) -> Procedure:
    """Step 4 of the RRW phase: units go into the box and come out of it (7a, 12f)."""
    prompt = "Send units to the strategic reserve, release others from it, or end"
    orders = SendToReserve(), Release()
    yield from until(END, war, pos, prompt, rule("12a"), *orders, checkpoint=True)


class SendToReserve(Order[War, Table]):
    """12c: a unit goes into the box, where nobody is out of supply."""

    verb, names = "send to reserve", (UNIT,)
    when, rule, opens = WHEN, "12c", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield from in_the_field(war, pos, ALLIED)
        yield ~pos.transferred, "{unit} has only just come out of the reserve", "12f"
        felt = those_among(war, pos, zone(war, pos, GERMAN), ALLIED)
        yield ~felt, "{unit} is next to an enemy", "12c"
        fit = those_among(war, pos, rear(war, pos), ALLIED)
        yield fit, "{unit} has no line to the logistic centre or a supply hex", "12c"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        unit = option.unit
        pos.transferred |= 1 << unit
        pos.hex[unit] = war.reserve
        pos.entered = with_item(pos.entered, unit, pos.turn)
        pos.cut &= ~(1 << unit)


def rear(war: War, pos: Table) -> Mask:
    """The hexes with a line to the Allied centre or to a supply hex."""
    ends = war.sources[ALLIED] | war.ground.bit[pos.centre[ALLIED]]
    return war.net(closed(war, pos, ALLIED), ends)


class Release(Order[War, Table]):
    """12d, 12f: a unit that did not enter the box in this phase comes out of it."""

    verb, names = "release", (UNIT,)
    when, rule, opens = WHEN, "12d", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield from waiting_in_reserve(war, pos, rule("12d"))
        yield ~pos.transferred, "{unit} has only just gone into the reserve", "12f"
        towns, room = towns_in_the_rear(war, pos), ~full(war, pos, ALLIED)
        boxed = in_reserve(war, pos)
        able = mask_of(u for u in boxed if towns or landing_places(war, pos, u) & room)
        yield able, "No town in the rear and no beachhead has room for {unit}", "12d"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.transferred |= 1 << option.unit
        prompt = f"Where does {war.names[option.unit]} go?"
        yield from ask(war, pos, prompt, rule("12d"), PlaceReleased(option.unit))


def towns_in_the_rear(war: War, pos: Table) -> Mask:
    """12d: towns with room for any unit; those with a beachhead are left aside (12f)."""
    enemy = occupied(war, pos, GERMAN)
    shut = enemy | war.zone(enemy) | full(war, pos, ALLIED) | beachheads(pos)
    return war.towns & pos.control & ~shut


class PlaceReleased(Place):
    """12d, 12e: in a town in the rear or, within its limits (12f), at a beachhead."""

    rule = "12d"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        beaches, enemy = beachheads(pos), occupied(war, pos, GERMAN)
        yield war.towns | beaches, "{hex} is neither a town nor a beachhead", "12d"
        yield ~enemy, "The enemy holds {hex}", "12d"
        yield pos.control | beaches, "{hex} is not under Allied control", "12d"
        yield ~war.zone(enemy) | beaches, "{hex} is next to an enemy", "12d"
        open = ~beaches | landing_places(war, pos, first)
        yield open, "The beachhead in {hex} does not take in {unit} too in this turn", "11Ld"
        yield ~full(war, pos, ALLIED), "{hex} holds four units already", "5a"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        leave_reserve(pos, option.unit)
        return come_on(war, pos, option.unit, option.hex)


def leave_reserve(pos: Table, unit: int) -> None:
    """Take a unit out of the box."""
    pos.entered = with_item(pos.entered, unit, -1)
    pos.transferred |= 1 << unit


def in_reserve(war: War, pos: Table) -> list[int]:
    """The units in the box."""
    return units_in(war, pos, war.reserve, ALLIED)


def waiting_in_reserve(war: War, pos: Table, by: str) -> Bars:
    """The bars on a unit that must be in the box."""
    yield war.army[ALLIED], "{unit} belongs to the other side", "3a"
    yield those_in(war, pos, war.reserve, ALLIED), "{unit} is not in the reserve", by


def imagine_reserve(war: War, pos: Table, random: Random, seen: Table) -> None:
    """Make of a box another one that the German could not tell from it (12b).

    He sees what comes and goes. But who was withdrawn straight out of the box he does not know: it
    could as well have been another of the same nation, kind and size that was in it then, and
    that has not been seen since.
    """
    for gone in war.members[ALLIED]:
        if pos.hex[gone] != GONE or pos.entered[gone] < 0:
            continue
        turn = war.withdrawals[pos.left[gone] - 1].turn
        unseen = [
            u
            for u in in_reserve(war, pos)
            if pos.entered[u] < turn
            and war.kind[u] == war.kind[gone]
            and seen.hex[u] == war.reserve
            and not seen.transferred >> u & 1
        ]
        other = random.choice([gone, *unseen])
        pos.hex[gone] = war.reserve
        pos.hex[other] = GONE
        order = pos.left[gone]
        pos.left = with_item(with_item(pos.left, gone, 0), other, order)
