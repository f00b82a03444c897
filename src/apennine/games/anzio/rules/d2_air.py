"""D2: air superiority."""

from __future__ import annotations

from apennine.hexes import Mask, bits

from ..table.position import GERMAN, Table
from ..table.war import War


def has_base(war: War, pos: Table) -> bool:
    """D2A: whether the Allies hold one of the six air bases."""
    return bool(pos.friendly & ~pos.italian & war.ground.air_bases)  # E10B4f


def note_bases(war: War, pos: Table) -> None:
    """D2D1: a base that is Allied as a game-turn ends counts from the next one on."""
    pos.air = int(has_base(war, pos))


def allied_sky(war: War, pos: Table) -> Mask:
    """D2B, D2F, D3C4a: where the Allies have air cover.

    From Sicilia to the bottom fold, from Oct II over column M and all west of it, from bases
    everywhere.
    """
    if pos.air:
        return war.ground.land
    south = war.ground.bottom_south
    return (
        south | war.ground.region(war.book.air.region)
        if pos.turn >= war.book.air.islands
        else south
    )


def german_sky(war: War, pos: Table) -> Mask:
    """D2C1: the hexes from which Germans attack a column higher; none in mud (D2D2).

    They lose them in the turn after the Allies have taken a base, and have them again as soon as
    all bases are theirs (D2E).
    """
    if not pos.air_superiority or war.in_mud(pos) or (pos.air and has_base(war, pos)):
        return 0
    north, air = war.ground.bottom_north, war.book.air
    return north & ~war.ground.region(air.region) if pos.turn >= air.islands else north


def air_columns(war: War, pos: Table, attackers: Mask) -> int:
    """D2C2: the columns by which an attack is shifted: half of its units must have cover."""
    if not pos.air_superiority or not attackers & war.army[GERMAN]:
        return 0
    sky = german_sky(war, pos)
    aloft = sum([sky >> pos.hex[unit] & 1 for unit in bits(attackers)])
    return war.book.air.columns if 2 * aloft >= attackers.bit_count() else 0
