"""Chapter 11.2: what is done once movement is over: bridges, Disengagement and Reserves markers."""

from __future__ import annotations

from apennine.hexes import Mask, bits
from apennine.kernel.decision import Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import UNIT, Bars, Order, Plain
from apennine.mechanics.asking import until

from ..table.position import Table
from ..table.war import War
from .c02_pieces import full_strength, in_the_field, there, unready
from .c03_detachments import HIDE
from .c05_zones import zone
from .c11_engineers import BLOW_UP, DEMOLISH, REBUILD

MARKING = "Markers are placed once movement is over, or before it in the variant"


def works_phase(war: War, pos: Table) -> Procedure:
    """SOP.b: bridges and depots, then Disengagement and Reserves markers, once movement is over."""
    markers = () if pos.veterans else (SLIP, RESERVE)
    prompt = "Blow up or rebuild bridges, place markers, or go on to combat"
    orders = DEMOLISH, REBUILD, BLOW_UP, HIDE, *markers
    yield from until(DONE, war, pos, prompt, rule("SOP.b"), *orders, checkpoint=True)


def veterans_phase(war: War, pos: Table) -> Procedure:
    """11.2.9: in the variant for experienced players markers are placed before anything moves."""
    if pos.veterans:
        prompt = "Place Reserves and Disengagement markers before your units move"
        yield from until(READY, war, pos, prompt, rule("11.2.9a"), SLIP, RESERVE, checkpoint=True)


class Slip(Order[War, Table]):
    """11.2.7: a unit that stayed in an enemy zone gets a Disengagement marker."""

    verb, names = "prepare to disengage", (UNIT,)
    when, rule = MARKING, "11.2.7a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield from in_the_field(war, pos, pos.side)
        yield war.combat, "{unit} is a support, and supports do not disengage", "13.0a"
        yield ~pos.moved, "{unit} has moved in this phase", "11.2.7a"
        yield ~pos.slipping, "{unit} is marked already", "11.2.7a"
        near = there(war, pos, pos.side).among(zone(war, pos, 1 - pos.side))
        yield near, "{unit} is in no enemy zone", "11.2.7a"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.slipping |= 1 << option.unit


class Reserve(Order[War, Table]):
    """11.2.8: a fresh unit behind the offensive goes into reserve."""

    verb, names = "put in reserve", (UNIT,)
    when, rule = MARKING, "11.2.8a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield from in_the_field(war, pos, pos.side)
        yield war.combat, "{unit} is a support", "11.2.8e"
        own = there(war, pos, pos.side)
        yield full_strength(war, pos, own.units), "{unit} is not at full strength", "11.2.8a"
        yield ~pos.disorganized, "{unit} is Disorganized", "11.2.8a"
        yield ~unready(pos), "{unit} is Reorganizing", "11.2.8h"
        yield ~pos.moved, "{unit} has moved in this phase", "11.2.8a"
        frozen = sum(pos.frozen)
        yield ~frozen, "{unit} is a reserve of the High Command", "11.2.10d"
        yield ~sum(pos.reserves), "{unit} is in reserve already", "11.2.8a"
        quiet = own.among(~zone(war, pos, 1 - pos.side))
        yield quiet, "{unit} is in an enemy zone", "11.2.8a"
        yield (
            own.among(in_range(war, pos)),
            "No army artillery in Offensive mode reaches {unit}",
            "11.2.8a",
        )
        room = -1
        if len(pos.reserves) >= war.book.limits.reserves[pos.side]:
            room = sum([1 << u for u in bits(own.units & war.combat) if _room(war, pos, u)])
        yield room, "There is no Reserves marker left for {unit}", "11.2.8d"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.reserves = with_reserve(war, pos, option.unit)


def in_range(war: War, pos: Table) -> Mask:
    """The hexes that the side's army artillery in Offensive mode reaches (11.2.8a)."""
    found = 0
    for unit in bits(pos.firing & there(war, pos, pos.side).units):
        found |= war.lattice.disc(pos.hex[unit], war.roster[unit].range)
    return found


def formation(war: War, pos: Table, unit: int) -> str:
    """What counts as one unit under a marker: a division with all of its parts (11.2.8b).

    The regiments of a display division are one only while it stands for them (3.0o).
    """
    listed = war.roster[unit]
    whole = listed.division and (listed.division not in DISPLAYS or pos.displayed >> unit & 1)
    return listed.division if whole else listed.name


DISPLAYS = ("23 DF", "52 DF", "80 DF")
"""Divisions that are counters of their own beside their regiments (3.0o)."""


def with_reserve(war: War, pos: Table, unit: int) -> list[Mask]:
    """The markers once a unit has been put in reserve.

    It joins one of its hex that has its division or room for another unit, or gets a new one.
    """
    markers = list(pos.reserves)
    mine, here = formation(war, pos, unit), pos.hex[unit]
    best = -1
    for number, marker in enumerate(markers):
        if pos.hex[(marker & -marker).bit_length() - 1] != here:
            continue
        names = {formation(war, pos, other) for other in bits(marker)}
        if mine in names:
            best = number
            break
        if best < 0 and len(names) < war.book.limits.sharing and _alike(war, marker, unit):
            best = number
    if best < 0:
        markers.append(1 << unit)
    else:
        markers[best] |= 1 << unit
    return markers


def _alike(war: War, marker: Mask, unit: int) -> bool:
    """Whether a unit may share a marker: cavalry has markers that nobody else may use (11.2.8f)."""
    return bool(marker & war.cavalry) == bool(war.cavalry >> unit & 1)


def _room(war: War, pos: Table, unit: int) -> bool:
    """Whether there are markers enough for one more unit in reserve (11.2.8d, 11.2.8f)."""
    limits, side = war.book.limits, pos.side
    markers = with_reserve(war, pos, unit)
    mounted = sum(not marker & ~war.cavalry for marker in markers)
    needed = len(markers) - min(mounted, limits.cavalry_reserves[side])
    return needed <= limits.reserves[side]


DONE = Plain("go on to combat", MARKING, "SOP.b")
READY = Plain("go on to movement", MARKING, "11.2.9a")
SLIP, RESERVE = Slip(), Reserve()
