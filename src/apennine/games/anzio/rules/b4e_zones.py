"""B4E, C10 and C11: who is where, who has factors, and zones of control."""

from __future__ import annotations

from functools import lru_cache

from apennine.hexes import Mask, bits
from apennine.kernel.order import Bars
from apennine.mechanics.whereabouts import Whereabouts
from apennine.mechanics.whereabouts import occupied as occupied
from apennine.mechanics.whereabouts import there as there
from apennine.mechanics.whereabouts import those_in as those_in

from ..table.position import AWAY, DESTROYED, DUE, POOL, Table
from ..table.war import Front, War


def attack_of(war: War, pos: Table, unit: int) -> int:
    """The attack factor of a unit; none of an inverted counter (C10B1)."""
    return war.faces[unit][pos.steps[unit]][0]


def defence_of(war: War, pos: Table, unit: int) -> int:
    """Its defence factor."""
    return war.faces[unit][pos.steps[unit]][1]


def is_inverted(war: War, pos: Table, unit: int) -> bool:
    """Whether only the inverted counter of a unit is left (B4F8)."""
    return pos.steps[unit] == (war.inverts >> unit & 1) and pos.hex[unit] != DESTROYED  # E9J2


def soften(war: War, pos: Table, unit: int) -> None:
    """A unit has gained or lost steps: note whether it has a defence factor."""
    if war.faces[unit][pos.steps[unit]][1]:
        pos.soft &= ~(1 << unit)
    else:
        pos.soft |= 1 << unit


def front(war: War, pos: Table, side: int) -> Front:
    """Where a side has units with a defence factor, where others, and its zone of control.

    Kept until somebody of it moves or loses that factor: every question asks for it several times.
    """
    lookouts = war.lookouts
    present = (lookouts.there if pos.hex == lookouts.known else lookouts.find(pos.hex))[side]
    soft, known = pos.soft & present.units, war.fronts[side]
    if known is not None and known.there is present and known.soft == soft:
        return known
    weak, lonely = 0, soft
    while lonely:
        low = lonely & -lonely
        hex = pos.hex[low.bit_length() - 1]
        stack = present.stacks[hex]
        if not stack & ~soft:
            weak |= 1 << hex
        lonely &= ~stack
    strong = present.occupied & ~weak
    held = around(war, strong & ~ghosts(war, present))
    found = war.fronts[side] = Front(present, soft, weak, strong, held)
    return found


def ghosts(war: War, present: Whereabouts) -> Mask:
    """E10D3: the hexes where nobody is but partisans, who have no zone of control."""
    found, left = 0, present.units & war.partisans
    while left:
        low = left & -left
        for hex, stack in present.stacks.items():
            if stack & low and not stack & ~war.partisans:
                found |= 1 << hex
        left ^= low
    return found


def weak_hexes(war: War, pos: Table, side: int) -> Mask:
    """The hexes where a side has units, but none with a defence factor (C10C1, C11B3a)."""
    return front(war, pos, side).weak


def strong_hexes(war: War, pos: Table, side: int) -> Mask:
    """The hexes where a side has a unit with a defence factor.

    Those over which an Automatic Victory is pending are ignored while units move (C12B1).
    """
    found = front(war, pos, side).strong
    if pos.claims and side != pos.side and pos.phase == "movement":
        found &= ~doomed(pos)
    return found


def doomed(pos: Table) -> Mask:
    """The hexes over which an Automatic Victory is pending."""
    found = 0
    for hexes, _, _ in pos.claims:
        found |= hexes
    return found


def zone(war: War, pos: Table, side: int) -> Mask:
    """B4E2: the zone of control of a side, that of units with a defence factor (C10B3, C11B4).

    Not over barriers (B2F4) nor out to sea (C5D3); rivers do not matter (B4E2b).
    """
    known = front(war, pos, side)
    strong = strong_hexes(war, pos, side) if pos.claims else known.strong
    if strong == known.strong:
        return known.zone
    return around(war, strong & ~ghosts(war, known.there))


@lru_cache(2048)
def around(war: War, hexes: Mask) -> Mask:
    """The hexes next to some others over open sides."""
    return war.lattice.cross(hexes, war.ground.open) & war.ground.land


def deadly_hexes(war: War, pos: Table, side: int) -> Mask:
    """The hexes where a side has a unit with an attack factor (C10C3)."""
    present = there(war, pos, side)
    units = present.units
    found = strong_hexes(war, pos, side)
    toothless = units & war.toothless & ~pos.soft
    while toothless:
        low = toothless & -toothless
        hex = pos.hex[low.bit_length() - 1]
        stack = present.stacks[hex]
        if not stack & ~(pos.soft | war.toothless):
            found &= ~(1 << hex)
        toothless &= ~stack
    return found


def off_the_map(war: War, pos: Table, side: int, but: Mask = 0) -> Bars:
    """Where else than in a hex a unit is; nothing is said of some that may be there."""
    present = there(war, pos, side)
    yield ~present.stack(AWAY) | but, "{unit} has not come yet", "C2A2"
    yield ~present.stack(DESTROYED) | but, "{unit} is destroyed for good", "C10A3"
    yield ~present.stack(POOL) | but, "{unit} is among the replacements not used", "C11A12"
    yield ~present.stack(DUE) | but, "{unit} waits to enter over the edge", "C2A2"
    yield but, "{unit} is in a box beside the map", "B2G1"


def attackers_in(war: War, pos: Table, units: Mask) -> Mask:
    """Those of some units that have an attack factor."""
    faces, steps, found = war.faces, pos.steps, 0
    for unit in bits(units & ~pos.soft):
        if faces[unit][steps[unit]][0]:
            found |= 1 << unit
    return found
