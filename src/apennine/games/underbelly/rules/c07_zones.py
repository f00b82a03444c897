"""Chapter 7: zones of control and control of hexes; and who is where, on which they rest."""

from __future__ import annotations

from collections.abc import Iterator

from apennine.hexes import Mask, bits, first_bit
from apennine.kernel.decision import Event
from apennine.kernel.ledger import rule
from apennine.kernel.order import Bars
from apennine.mechanics.whereabouts import both as both
from apennine.mechanics.whereabouts import occupied as occupied
from apennine.mechanics.whereabouts import there as there
from apennine.mechanics.whereabouts import those_among as those_among
from apennine.mechanics.whereabouts import those_in as those_in
from apennine.mechanics.whereabouts import units_in as units_in

from ..table.position import ALLIED, GERMAN, GONE, LOST, NOWHERE, OVERLAND, Table
from ..table.war import GB, US, War
from .c04_victory import judge


def zone(war: War, pos: Table, side: int) -> Mask:
    """The zone of control of a side: the hexes next to its divisions, not over sea or lake.

    Corps support units, markers and forts have none (7.2); friendly units never cancel it for
    movement (7.5), but for supply, retreats and lines of communication they do (7.4, 7.6).
    """
    return there(war, pos, side).zone


def on_land(war: War, by: str) -> Bars:
    """The bars on places where no ground unit can be."""
    yield ~war.boxes, "{hex} is not on the map", "2.3"
    yield war.land, "{hex} is at sea", by


def on_map(war: War, pos: Table, unit: int) -> bool:
    """Whether a unit is in a hex."""
    return war.bit[pos.hex[unit]] != 0


def port_hexes(war: War, pos: Table) -> Mask:
    """The hexes with a port supply marker."""
    return war.harbours(tuple(pos.ports))[-1]


def is_mixed(war: War, pos: Table, hex: int) -> bool:
    """Whether units in this hex pay for the two Allied groups being there together (6.4).

    Not where a port supply marker is, and not the multi-national corps (6.5).
    """
    groups = there(war, pos, ALLIED).groups
    if not groups[US] & groups[GB] & 1 << hex:
        return False
    return not is_excused(war, pos, hex)


def is_excused(war: War, pos: Table, hex: int) -> bool:
    """6.5a, 6.5b, 6.5f: a port, or the named corps as long as it stays together by itself."""
    if hex in pos.ports:
        return True
    if not pos.corps or those_in(war, pos, hex, ALLIED) & ~pos.corps:
        return False
    return all(pos.hex[unit] in (hex, LOST) for unit in bits(pos.corps))


def put(war: War, pos: Table, units: Mask, hex: int) -> None:
    """Units go to a hex or box, or off the map: who lies on top of the stacks changes (6.9)."""
    changed = {hex}
    places = pos.hex
    for unit in bits(units):
        changed.add(places[unit])
        places[unit] = hex
    if units & war.units_of[ALLIED]:
        if not war.bit[hex]:
            pos.tops &= ~units
        for place in sorted(changed):
            if war.bit[place]:
                restack(war, pos, place, units)


def restack(war: War, pos: Table, hex: int, moved: Mask = 0) -> None:
    """One unit of a changed stack lies on top: a division if there is one (6.9e).

    Whoever lay on top stays there, and who comes goes under. The Allied player may have it
    otherwise (`restacked`), and must say so where none of several divisions was seen before
    (`shuffled`).
    """
    here = those_in(war, pos, hex, ALLIED)
    divisions = here & ~war.supports
    fit = divisions or here
    old = pos.tops & fit & ~moved or pos.tops & fit
    top = old or fit
    pos.tops = pos.tops & ~here | top & -top
    bit = 1 << hex
    if pos.shuffled | pos.restacked:
        pos.shuffled &= ~bit
        pos.restacked &= ~bit
    if divisions & divisions - 1:
        if not old:
            pos.shuffled |= bit
        elif here != moved:
            pos.restacked |= bit


def place(war: War, pos: Table, units: Mask, hex: int) -> Iterator[Event]:
    """Units come into a hex by retreat, advance, drop or landing, with all that follows."""
    put(war, pos, units, hex)
    side = ALLIED if units & war.units_of[ALLIED] else GERMAN
    yield from enter(war, pos, side, 1 << hex)
    yield from settle(war, pos, force=True)


def enter(war: War, pos: Table, side: int, hexes: Mask) -> Iterator[Event]:
    """What ground units do to the markers in the hexes that they come through."""
    if side == ALLIED:
        if pos.special_forces and hexes >> war.special_forces & 1:
            pos.special_forces = False
            yield Event("special forces leave", hex=war.special_forces, rule="3.6a")
        for hex in bits(pos.forts & hexes):
            yield Event("fort is removed", hex=hex, rule="9.8f")
        pos.forts &= ~hexes
    else:
        for hex in bits(port_hexes(war, pos) & hexes):
            yield from lose_port(war, pos, hex, rule("7.7d"))


def lose_port(war: War, pos: Table, hex: int, by: str) -> Iterator[Event]:
    """A port supply marker is eliminated; it never comes back (9.16i)."""
    del war
    if hex in pos.ports:
        number = pos.ports.index(hex)
        yield Event("port is lost", hex=hex, rule=by)
        pos.ports[number] = LOST


def settle(war: War, pos: Table, *, force: bool = False) -> Iterator[Event]:
    """7.7: units hold the hex they are in, divisions also where their zone is uncontested.

    What is contested keeps its last owner. A port with its marker, and the hex of the special
    forces, cannot be taken by a zone alone. While a battle is fought the hexes on both sides of it
    are taken to be as they were, until its losses are final: then it is settled by `force`.
    """
    if pos.target != NOWHERE and not force:
        return iter(())
    allied, german = both(war, pos)
    ours = allied.occupied | allied.zone & ~(german.zone | german.occupied)
    shelter = port_hexes(war, pos) | pos.special_forces << war.special_forces  # 3.6e
    theirs = german.zone & ~(allied.zone | allied.occupied | shelter)
    return take(war, pos, ours, theirs | german.occupied)


def take(war: War, pos: Table, ours: Mask, theirs: Mask) -> Iterator[Event]:
    """The Allies and the Germans hold these hexes now; what was won or lost is told and judged."""
    gained = war.towns & ours & ~pos.control
    lost = pos.control & theirs & ~gained
    if not gained | lost:
        return
    pos.control = pos.control & ~lost | gained
    judge(war, pos)
    for hex in bits(gained | lost):
        verb = "the Allies take" if gained >> hex & 1 else "the Germans take"
        yield Event(f"{verb} the town", hex=hex, rule="7.7b")


def sweep(war: War, pos: Table, units: Mask, path: list[int]) -> Iterator[Event]:
    """7.7: control changes at every hex of a way, also by a zone that only passes.

    The units are put where the way ends.
    """
    first = first_bit(units)
    side, origin = war.side_of[first], pos.hex[first]
    there = both(war, pos)
    enemy, friends = there[1 - side], there[side]
    staying = friends.stacks[origin] & ~units
    leaving = 0 if staying & ~war.supports else 1 << origin
    occupied = friends.occupied & ~(0 if staying else leaving)
    cross, has_zone, towns = war.lattice.cross, bool(units & ~war.supports), war.towns
    zone = cross(friends.divisions[1] & ~leaving, war.open) if has_zone else friends.zone
    shelter = port_hexes(war, pos) | pos.special_forces << war.special_forces  # 3.6e
    theirs = enemy.zone | enemy.occupied
    if side == GERMAN:
        theirs |= shelter
        shelter = 0
    for hex in path:
        here = occupied | 1 << hex
        around = zone | war.around[hex] if has_zone else zone
        ours = here | around & ~theirs
        lost = enemy.occupied | enemy.zone & ~(around | here | shelter)
        gain, loss = (ours, lost) if side == ALLIED else (lost, ours)
        if towns & gain & ~pos.control or pos.control & loss:
            yield from take(war, pos, gain, loss)
    put(war, pos, units, path[-1])


def leave_map(war: War, pos: Table, units: Mask, where: int = GONE) -> Iterator[Event]:
    """Units go out of play, or into a box."""
    put(war, pos, units, where)
    yield from settle(war, pos)


def lose_step(war: War, pos: Table, unit: int, state: int, by: str) -> Iterator[Event]:
    """2.13: a full division is flipped; a reduced one or corps support is eliminated.

    `state` is the supply in which the unit stands or fights.
    """
    if pos.steps[unit] > 1:
        pos.steps[unit] -= 1
        yield Event("loses a step", unit, pos.hex[unit], rule=by)
    else:
        yield from eliminate(war, pos, unit, state, by)


def eliminate(war: War, pos: Table, unit: int, state: int, by: str) -> Iterator[Event]:
    """A unit goes to the dead pile, for good if it was not in overland supply (9.16h)."""
    yield Event("is eliminated", unit, pos.hex[unit], rule=by)
    pos.steps[unit] = 0
    if state != OVERLAND:
        pos.barred |= 1 << unit
    put(war, pos, 1 << unit, LOST)
    yield from settle(war, pos)


def revive(war: War, pos: Table, unit: int, hex: int) -> Iterator[Event]:
    """13.10c: a step lost in this battle comes back, if need be from the dead pile."""
    pos.steps[unit] += 1
    if pos.hex[unit] == LOST:
        pos.barred &= ~(1 << unit)
        put(war, pos, 1 << unit, hex)
    yield Event("recovers a step", unit, hex, rule="13.10c")
    yield from settle(war, pos)
