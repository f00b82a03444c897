"""Chapter 12: the Allied strategic reserve."""

from __future__ import annotations

from random import Random

from apennine.hexes import Mask
from apennine.kernel.decision import Among, Choice, Later, Menu, Over, done
from apennine.kernel.game import Procedure
from apennine.kernel.ledger import rule

from ..table.position import ALLIED, GERMAN, GONE, Table, with_item
from ..table.war import War
from .c04_zones import enter, occupied, units_in, units_on_map, zone, zone_of
from .c05_stacking import full
from .c06_logistics import lines_to
from .c07_rrw import come_ashore, landing_places

END = done("end transfers")


def reserve_phase(war: War, pos: Table) -> Procedure:
    """Step 4 of the RRW phase: units go into the box and come out of it (7a, 12f)."""
    while True:
        chosen = yield Choice(
            ALLIED,
            Later(lambda: _transfers(war, pos)),
            "Send units to the strategic reserve, release others from it, or end",
            rule("12a"),
            checkpoint=True,
        )
        if chosen.verb == "end transfers":
            return
        pos.transferred |= 1 << chosen.unit
        if chosen.verb == "send to reserve":
            to_reserve(war, pos, chosen.unit)
        else:
            yield from release(war, pos, chosen.unit)


def release(war: War, pos: Table, unit: int) -> Procedure:
    """A unit comes out of the box: to a town in the rear, or ashore (12d, 12e)."""
    place = yield Choice(
        ALLIED,
        Later(lambda: Over("place", release_sites(war, pos, unit), unit)),
        f"Where does {war.names[unit]} go?",
        rule("12d"),
    )
    leave_reserve(pos, unit, place.hex)
    if place.hex in pos.beaches:
        come_ashore(war, pos, unit, place.hex)
    yield from enter(war, pos, ALLIED, 1 << place.hex)


def _transfers(war: War, pos: Table) -> Menu:
    return Menu(
        Among("send to reserve", sendable(war, pos)), Among("release", releasable(war, pos)), END
    )


def to_reserve(war: War, pos: Table, unit: int) -> None:
    """Put a unit into the box; there nobody is out of supply."""
    pos.hex[unit] = war.reserve
    pos.entered = with_item(pos.entered, unit, pos.turn)
    pos.cut &= ~(1 << unit)


def leave_reserve(pos: Table, unit: int, hex: int) -> None:
    """Take a unit out of the box."""
    pos.hex[unit] = hex
    pos.entered = with_item(pos.entered, unit, -1)
    pos.transferred |= 1 << unit


def sendable(war: War, pos: Table) -> list[int]:
    """12c: not next to an enemy, with a line to the centre or to a supply hex."""
    units = [u for u in units_on_map(war, pos, ALLIED) if not pos.transferred >> u & 1]
    centre = pos.centre[ALLIED]
    ends = war.sources[ALLIED] | (1 << centre if centre >= 0 else 0)
    fit = lines_to(war, pos, ALLIED, ends).mask & ~zone(war, pos, GERMAN) & pos.control
    return [u for u in units if fit >> pos.hex[u] & 1]


def in_reserve(war: War, pos: Table) -> list[int]:
    """The units in the box."""
    return units_in(war, pos, war.reserve, ALLIED)


def releasable(war: War, pos: Table) -> list[int]:
    """Units of the box that did not enter it in this phase and have somewhere to go (12f)."""
    units = [u for u in in_reserve(war, pos) if not pos.transferred >> u & 1]
    if not units:
        return units
    towns = towns_in_the_rear(war, pos)
    return units if towns else [u for u in units if release_sites(war, pos, u)]


def towns_in_the_rear(war: War, pos: Table) -> Mask:
    """12d: Allied towns and cities with room that are not next to an enemy.

    Towns with a beachhead are left aside: there the limits of the beachhead hold (12f).
    """
    enemy = occupied(war, pos, GERMAN)
    closed = enemy | zone_of(war, enemy) | full(war, pos, ALLIED)
    for beach in pos.beaches:
        if beach >= 0:
            closed |= 1 << beach
    return war.towns & pos.control & ~closed


def release_sites(war: War, pos: Table, unit: int) -> Mask:
    """12d, 12e: towns in the rear, and beachheads that can take the unit in."""
    beaches = landing_places(war, pos, unit) & ~full(war, pos, ALLIED)
    return towns_in_the_rear(war, pos) | beaches & ~occupied(war, pos, GERMAN)


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
            and alike(war, u, gone)
            and seen.hex[u] == war.reserve
            and not seen.transferred >> u & 1
        ]
        other = random.choice([gone, *unseen])
        pos.hex[gone] = war.reserve
        pos.hex[other] = GONE
        order = pos.left[gone]
        pos.left = with_item(with_item(pos.left, gone, 0), other, order)


def alike(war: War, one: int, other: int) -> bool:
    """Whether two units are of the same nation, kind and size: a withdrawal may take either."""
    a, b = war.roster[one], war.roster[other]
    return (a.nation, war.counts_as[one], a.size) == (b.nation, war.counts_as[other], b.size)
