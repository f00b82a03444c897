"""Chapter 5: zones of control."""

from __future__ import annotations

from apennine.hexes import Mask, bits
from apennine.mechanics.zoc import negated
from apennine.mechanics.zoc import zone as zone_of

from ..table.position import Table
from ..table.war import War
from .c02_pieces import storms, there


def zone(war: War, pos: Table, side: int) -> Mask:
    """The zone of control of a side: all hexes next to its combat units.

    Over every hexside (5.0c), into hexes of friend and foe (5.0d); supports have none (5.0b). This
    is what units feel that move: friends do not cancel it (5.0e).
    """
    return there(war, pos, side).zone


def zone_felt(war: War, pos: Table, units: Mask) -> Mask:
    """The enemy zone that stops and holds moving units.

    Regiments and brigades with storm troops do not feel that of Pinned units (12.2.6an).
    """
    enemy = 1 - war.side_of[(units & -units).bit_length() - 1]
    if not pos.pinned:
        return there(war, pos, enemy).zone
    fighters = units & war.combat
    if not fighters or not all(storms(war, pos, u) for u in bits(fighters)):
        return zone(war, pos, enemy)
    present = there(war, pos, enemy)
    awake = present.units & war.combat & ~pos.pinned
    hexes = [1 << hex for hex, stack in present.stacks.items() if hex >= 0 and stack & awake]
    return zone_of(war.lattice, sum(hexes))


def zone_on_lines(war: War, pos: Table, side: int) -> Mask:
    """The same where the other side's units cancel it in their hexes: for supply, for retreats."""
    return negated(zone(war, pos, side), by=there(war, pos, 1 - side).ground)
