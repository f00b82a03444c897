"""Chapter 13: disruption, Full Retreat and recovery."""

from __future__ import annotations

from apennine.hexes import Mask, bits
from apennine.kernel.decision import Event, Line, Procedure, Roll
from apennine.kernel.ledger import rule

from ..table.position import Table
from ..table.war import War
from .c02_pieces import elite, low, occupied, there
from .c06_zones import zone
from .c10_steps import eliminate

# Who else writes these marks: nobody but those who take units off the map (c10, c21, c22).


def disrupt(pos: Table, units: Mask) -> None:
    """13.1.2: units become Disrupted; who is so already goes into Full Retreat (13.1.3)."""
    again = units & pos.disrupted
    pos.disrupted = (pos.disrupted | units) & ~(again | pos.routed)
    pos.routed |= again


def rout(pos: Table, units: Mask) -> None:
    """13.1.3: units go into Full Retreat, and are Disrupted no longer (13.1.1)."""
    pos.disrupted &= ~units
    pos.routed |= units


def exposed(war: War, pos: Table, side: int) -> Mask:
    """Units in Full Retreat with no steadier friend in their hex (13.3.2b)."""
    present = there(war, pos, side)
    found = 0
    for unit in bits(pos.routed & present.units):
        if not present.stack(pos.hex[unit]) & ~pos.routed:
            found |= 1 << unit
    return found


def beset(war: War, pos: Table, side: int) -> Mask:
    """The hexes next to units of the other side."""
    return war.lattice.cross(occupied(war, pos, 1 - side), war.ground.open)


def destroy_exposed(war: War, pos: Table) -> Procedure:
    """13.3.2f: the enemy's Movement or Combat Phase begins, and finds units that did not get away.

    Those of the side that is not active and stand next to an enemy are eliminated.
    """
    side = 1 - pos.side
    near = beset(war, pos, side)
    for unit in bits(exposed(war, pos, side)):
        if near >> pos.hex[unit] & 1:
            yield from eliminate(pos, unit, rule("13.3.2f"))


def recovery_phase(war: War, pos: Table) -> Procedure:
    """13.4: units recover one level, in an enemy zone of control only if they rally.

    Markers of replacements, trucks and half effectiveness come off (20.4d, 5.7d, 25.2f).
    """
    own = war.army[pos.side]
    zones = zone(war, pos, 1 - pos.side)
    for unit in bits((pos.disrupted | pos.routed) & own):
        if war.ground.bit[pos.hex[unit]] & zones:
            (die,) = yield rally_roll(war, pos, unit)
            if war.book.rally.cell(die + rally_modifier(war, pos, unit)) != "yes":
                yield Event("does not rally", unit, pos.hex[unit], rule=rule("13.5a"))
                continue
        yield recover(pos, unit)
    pos.replaced &= ~own
    pos.trucked &= ~own
    pos.halved &= ~own


def recover(pos: Table, unit: int) -> Event:
    """13.4a: from Full Retreat to Disrupted, or from Disrupted to Good Order."""
    mark = 1 << unit
    if pos.routed & mark:
        pos.routed &= ~mark
        pos.disrupted |= mark
        return Event("steadies itself", unit, pos.hex[unit], rule=rule("13.4a"))
    pos.disrupted &= ~mark
    return Event("recovers", unit, pos.hex[unit], rule=rule("13.4a"))


def rally_roll(war: War, pos: Table, unit: int) -> Roll:
    """The die of a unit that tries to rally."""
    lines = tuple(rally_lines(war, pos, unit))
    return Roll((6,), f"rally of {war.names[unit]}", rule("13.5a"), "recovers", lines)


def rally_lines(war: War, pos: Table, unit: int) -> list[Line]:
    """13.5b: what modifies the die."""
    here, found = war.ground.bit[pos.hex[unit]], list[Line]()
    if here & (war.ground.cities | pos.forts):
        found.append(Line("city or fortification", "+2", rule("13.5b")))
    if elite(war, pos) >> unit & 1:
        found.append(Line("elite", "+1", rule("13.5b")))
    if low(war, pos) >> unit & 1:
        found.append(Line("low quality", "-1", rule("13.5b")))
    return found


def rally_modifier(war: War, pos: Table, unit: int) -> int:
    """What is added to the die of a unit that tries to rally (13.5b)."""
    return sum(int(line.value) for line in rally_lines(war, pos, unit))
