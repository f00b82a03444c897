"""Who holds the cities and the places with points, and what follows when units come into hexes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.decision import Event
from apennine.kernel.ledger import rule

from ..table.position import ALLIED, GERMAN, Table
from ..table.war import War
from .c02_pieces import occupied, there


def controlled(war: War, pos: Table, side: int) -> Mask:
    """The cities and places with points that a side controls (16.3.4a)."""
    return pos.control if side == ALLIED else war.ground.held & ~pos.control


def enter(war: War, pos: Table, side: int, hexes: Mask) -> Iterator[Event]:
    """Units of a side have come into some hexes, or through them.

    They take control (16.3.4a), end the fights for cities and forts (11.6a), raze enemy forts
    (18.2.3), and set frozen units free (S3.3.3).
    """
    fought = pos.battles & hexes & attackable(pos, side)
    pos.battles &= ~fought
    pos.second_battles &= ~fought
    taken = hexes & controlled(war, pos, 1 - side)
    if side == ALLIED:
        pos.control |= taken
    else:
        pos.control &= ~taken
    for hex in bits(taken):
        yield Event("is taken", hex=hex, value=side, rule=rule("16.3.4a"))
    if side == ALLIED:
        for hex in bits(hexes & (pos.forts | pos.works)):
            yield Event("the fortification is lost", hex=hex, rule=rule("18.2.3"))
            remove_fort(war, pos, 1 << hex)
        if pos.frozen:
            yield from thaw(war, pos, hexes)


def is_news(war: War, pos: Table, side: int, hexes: Mask) -> bool:
    """Whether anything follows from it that units of a side have come into some hexes."""
    return bool(hexes & newsworthy(war, pos, side))


def newsworthy(war: War, pos: Table, side: int) -> Mask:
    """The hexes where something follows when units of a side come through them."""
    found = pos.battles & attackable(pos, side) | controlled(war, pos, 1 - side)
    if side == ALLIED:
        found |= pos.forts | pos.works
        if pos.frozen:
            waiting = pos.frozen & ~war.held
            hexes = mask_of([pos.hex[unit] for unit in bits(waiting)])
            found |= _watched(war, hexes, bool(waiting & ~war.coast))
    return found


@lru_cache(64)
def _watched(war: War, frozen: Mask, river: bool) -> Mask:
    """Where somebody would free units in some hexes; if they watch the river, beyond it too."""
    return war.lattice.dilate(frozen, war.book.orders.near) | (war.ground.far_bank if river else 0)


def attackable(pos: Table, side: int) -> Mask:
    """Of the hexes with Battle markers, those that a side attacks: the other one defends them.

    Forts are German, and cities belong to whoever controls them.
    """
    return ~pos.control if side == ALLIED else pos.control


def remove_fort(war: War, pos: Table, hexes: Mask) -> None:
    """Markers of fortifications go back, under construction or completed (18.1.3a)."""
    pos.works &= ~hexes
    pos.forts &= ~hexes
    pos.upgrades &= ~hexes
    pos.strongholds &= ~hexes
    pos.battles &= ~hexes | war.ground.cities
    pos.second_battles &= pos.battles


def end_battles(war: War, pos: Table) -> None:
    """11.6b: when a Movement Phase ends, Battle markers go where no enemy is next to the hex."""
    for defender in (ALLIED, GERMAN):
        near = war.lattice.dilate(occupied(war, pos, 1 - defender))
        quiet = pos.battles & attackable(pos, 1 - defender) & ~near
        pos.battles &= ~quiet
        pos.second_battles &= ~quiet


# Units that are set free (S3.3).


def thaw(war: War, pos: Table, hexes: Mask) -> Iterator[Event]:
    """S3.3.3: Allied units free the frozen ones near them, and all by crossing the Volturno.

    All but the reconnaissance unit in Formia, which needs somebody near (S3.3.3d). Those that wait
    for turn 2 are no concern of theirs (S3.3.2).
    """
    waiting = pos.frozen & ~war.held
    crossed = bool(hexes & war.ground.far_bank)  # S3.3.3e
    near = war.lattice.dilate(hexes, war.book.orders.near)
    for unit in bits(waiting):
        if near & war.ground.bit[pos.hex[unit]]:
            yield from release(pos, 1 << unit, rule("S3.3.3a"))
        elif crossed and not war.coast >> unit & 1:
            yield from release(pos, 1 << unit, rule("S3.3.3b"))


def release(pos: Table, units: Mask, by: str) -> Iterator[Event]:
    """Units may move from now on."""
    free = units & (pos.frozen | pos.posted)
    pos.frozen &= ~units
    pos.posted &= ~units
    for unit in bits(free):
        yield Event("is released", unit, pos.hex[unit], rule=by)


def drive_out(war: War, pos: Table, units: Mask) -> Iterator[Event]:
    """Units that must retreat are free from then on (S3.3.3f, S3.3.4c).

    The whole garrison of Naples is, if one of them is driven from there (S3.3.5b).
    """
    garrison = units & war.airborne & pos.posted
    if garrison:
        yield from release(pos, war.airborne & pos.posted, rule("S3.3.5b"))
    yield from release(pos, units, rule("S3.3.3f"))


def turn_releases(war: War, pos: Table) -> Iterator[Event]:
    """What the turn sets free: S3.3.2, S3.3.4b, S3.3.5c."""
    orders = war.book.orders
    if pos.turn > 1:
        yield from release(pos, pos.frozen & war.held, rule("S3.3.2"))
    if pos.turn >= orders.coast.turn:
        yield from release(pos, war.coast, rule("S3.3.3c"))
    if pos.turn >= orders.naples.turn:
        yield from release(pos, 1 << war.number[orders.naples.unit], rule("S3.3.5c"))


def must_stay(war: War, pos: Table, leaving: Mask) -> Mask:
    """S3.3.4a: the last German unit in Formia, without which it would be empty, some leaving.

    Once the Allies have taken it no German unit is there.
    """
    rest = there(war, pos, GERMAN).stack(war.formia) & ~leaving if war.formia >= 0 else 0
    return rest if not rest & rest - 1 else 0
