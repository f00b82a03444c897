"""C4: friendly hexes, and all else that happens as a unit comes into a hex."""

from __future__ import annotations

from apennine.hexes import Mask, bits
from apennine.kernel.decision import Event, Procedure
from apennine.kernel.ledger import rule

from ..table.position import ALLIED, CLOSED, GERMAN, UNDER_WAY, Table
from ..table.war import War
from .b4e_zones import around, attack_of, defence_of, there, weak_hexes, zone
from .b4f_steps import destroy
from .e6_alarm import take_note


def come_into(war: War, pos: Table, unit: int, hex: int) -> Procedure:
    """A unit has come into a hex, in passing or to stay, by a move, an advance or a retreat.

    The hex becomes friendly (C4a); enemies there or next to it without a defence factor die, if it
    has an attack factor (C10C3, C10C4, C10C12); ports and forts may be destroyed.
    """
    side, bit = war.side_of[unit], 1 << hex
    if attack_of(war, pos, unit):
        yield from sweep(war, pos, side, bit)
        if side == ALLIED and pos.works & bit and not war.partisans >> unit & 1:  # E10D9
            pos.works &= ~bit
            yield Event("fort destroyed", unit, hex, rule=rule("D6B8"))
    claim_hexes(war, pos, unit, bit)
    if side == GERMAN and any(pos.bases):
        yield from endanger_ports(war, pos, unit, hex)


def claim_hexes(war: War, pos: Table, unit: int, hexes: Mask) -> None:
    """C4a: hexes that a unit has come through are friendly to its side."""
    if war.side_of[unit] == GERMAN:
        pos.friendly &= ~hexes
        pos.italian &= ~hexes
        return
    if war.is_advanced(pos):
        take_note(war, pos, unit, hexes)
        if war.italians >> unit & 1:
            if pos.turn == 1:  # E10B4e
                return
            pos.italian |= hexes & ~(pos.friendly & ~pos.italian)
        else:
            pos.italian &= ~hexes
    pos.friendly |= hexes


def goes_quietly(war: War, pos: Table, unit: int, hexes: Mask) -> bool:
    """Whether nothing but the friendship of hexes changes as a unit goes through them."""
    side = war.side_of[unit]
    weak, allied = weak_hexes(war, pos, 1 - side), side == ALLIED
    if not weak and (allied or not any(pos.bases)):
        return not (allied and pos.works & hexes)
    near = hexes | around(war, hexes)
    if weak & near:
        return False
    if allied:
        return not pos.works & hexes
    for state, base in zip(pos.bases, war.ground.bases):
        beachhead = state == UNDER_WAY and not base.is_port
        if state != CLOSED and (beachhead or base.hexes & near):
            return False
    return True


def sweep(war: War, pos: Table, side: int, hexes: Mask) -> Procedure:
    """C10C3, C10C6: units of a side in some hexes destroy all unprotected enemies next to them."""
    enemy = 1 - side
    if not pos.soft & there(war, pos, enemy).units:
        return
    near = weak_hexes(war, pos, enemy) & (around(war, hexes) | hexes)
    for hex in bits(near):
        for unit in bits(there(war, pos, enemy).stack(hex)):
            yield from destroy(war, pos, unit, rule("C10C3"))


def endanger_ports(war: War, pos: Table, unit: int, hex: int) -> Procedure:
    """C5F5, C5F6: a German unit has come into a hex.

    A port under construction is lost if it comes into a German zone of control, a finished one if
    its hexes become German; a beachhead if all coastal hexes of its zone do, and in the turn of its
    landing if all that are friendly come into such zones.
    """
    reached = 1 << hex | (around(war, 1 << hex) if defence_of(war, pos, unit) else 0)
    for number, state in enumerate(pos.bases):
        if state == CLOSED:
            continue
        base = war.ground.bases[number]
        if base.is_port and state == UNDER_WAY:
            lost = bool(base.hexes & reached)  # C5F5a
        else:
            lost = not base.hexes & pos.friendly  # C5F5b, C5F6b
            if state == UNDER_WAY and not base.is_port:
                lost = not base.hexes & pos.friendly & ~zone(war, pos, GERMAN)  # C5F6a
        if lost:
            yield from close_base(war, pos, number)


def close_base(war: War, pos: Table, number: int) -> Procedure:
    """C5F8: the counter of a port or beachhead is lost."""
    pos.bases[number] = CLOSED
    pos.saved[number] = 0
    pos.fresh &= ~(1 << number)
    hexes = war.ground.bases[number].hexes
    yield Event("port lost", hex=(hexes & -hexes).bit_length() - 1, value=number, rule="C5F5b")


def friendly_hexes(war: War, pos: Table, side: int) -> Mask:
    """The hexes that are friendly to a side."""
    return pos.friendly if side == ALLIED else war.ground.land & ~pos.friendly
