"""Chapters 25.2 and 25.3: Half Effectiveness and Pontoon Bridges, where units cross hexsides."""

from __future__ import annotations

from apennine.hexes import NO_SIDES, Mask, Sides
from apennine.mechanics.ground import common, into, union

from ..table.position import Table
from ..table.war import War
from .c02_pieces import is_wet, mountaineers, occupied, there


def wear(war: War, pos: Table, units: Mask, here: int, hex: int) -> None:
    """25.2: units that have made a step get a marker for a trackless mountain side or a river.

    Mountain units cross mountains, and units that are no vehicles rivers, without one (19.3c).
    """
    ground, d = war.ground, war.lattice.direction(here, hex)
    if d < 0:
        return
    if ground.trackless[d] >> here & 1:
        pos.halved |= units & ~mountaineers(war, pos)
    if ground.unbridged[d] >> here & 1:
        pos.halved |= units & war.vehicles


def worn_sides(war: War, pos: Table, units: Mask) -> Sides:
    """The sides that would give one of some units its second marker in a turn (25.2d)."""
    worn = units & pos.halved
    if not worn:
        return NO_SIDES
    sides = NO_SIDES
    if worn & ~mountaineers(war, pos):
        sides = union((sides, war.ground.trackless))
    if worn & war.vehicles:
        sides = union((sides, war.ground.unbridged))
    return sides


def shake_off(war: War, pos: Table, units: Mask) -> None:
    """25.2f: who does not end his move next to an enemy needs no marker."""
    near = war.lattice.dilate(occupied(war, pos, 1 - pos.side))
    pos.halved &= ~(units & ~there(war, pos, pos.side).among(near))


def pontoons(war: War, pos: Table, side: int, units: Mask) -> Sides:
    """25.3: major rivers that some units can cross on a Pontoon Bridge, seen from where they are.

    Friends must be in both hexes; in the nearer one the units themselves are (25.3a). Rain washes
    every such bridge away (25.3e).
    """
    if not pos.pontoons or is_wet(war, pos):
        return NO_SIDES
    present, friends = there(war, pos, side), 0
    for hex, stack in present.stacks.items():
        if hex >= 0 and stack & ~units:
            friends |= war.ground.bit[hex]
    rivers = common(war.ground.major_rivers, war.ground.unbridged)
    return common(rivers, into(war.lattice, friends))
