"""C1 and C2: what a player-turn begins with: reinforcements, replacements, ports, fire."""

from __future__ import annotations

from collections.abc import Iterator

from apennine.hexes import bits
from apennine.kernel.decision import Event, Procedure

from ..table.position import ALLIED, AWAY, DUE, GERMAN, NOWHERE, Table
from ..table.war import War
from .b4e_zones import there
from .c5_ports import finish_ports
from .c11_replacements import receive
from .d3_fire import load_guns
from .e2_calendar import survey_forts


def arrivals_phase(war: War, pos: Table) -> Procedure:
    """B4C2: what comes at the start of the movement phase."""
    yield from reinforce(war, pos)
    yield from open_turn(war, pos)


def open_turn(war: War, pos: Table) -> Procedure:
    """What else a player-turn begins with, whoever has come: replacements, ports, fire, forts."""
    yield from receive(war, pos)
    load_guns(war, pos)
    if pos.side == ALLIED:
        pos.zone = NOWHERE
        pos.raids = pos.opened = 0
        pos.entered |= there(war, pos, ALLIED).units  # D7B1
        pos.landed[:] = [0] * len(pos.landed)
        pos.sailed[:] = [0] * len(pos.sailed)
        yield from finish_ports(war, pos)
    else:
        pos.built = False
        yield from survey_forts(war, pos)


def reinforce(war: War, pos: Table) -> Iterator[Event]:
    """C1A2, C2A2: Allied units come to Sicilia, German ones wait beyond the edge."""
    where = war.ground.sicilia if pos.side == ALLIED else DUE
    by = "C1A2" if pos.side == ALLIED else "C2A2"
    for group in war.book.arrivals:
        if group.turn == pos.turn and group.side == war.sides[pos.side]:
            yield from _come(war, pos, group.units, where, by)
    if pos.side == GERMAN:
        since = turns_since_second(war, pos)
        for reaction in war.book.reactions:
            if reaction.delay == since:
                yield from _come(war, pos, reaction.units, where, "C2A3")


def _come(war: War, pos: Table, names: tuple[str, ...], where: int, by: str) -> Iterator[Event]:
    for name in names:
        unit = war.number[name]
        if pos.hex[unit] == AWAY:  # who is on the table already does not come again
            pos.hex[unit] = where
            yield Event("arrives", unit, where if where >= 0 else -1, rule=by)


def turns_since_second(war: War, pos: Table) -> int:
    """How many turns ago the second invasion was; -1 if there has been none."""
    for number in bits(pos.invasions):
        if war.book.scenarios[pos.scenario].invasions[number].key == "second":
            return pos.turn - pos.invaded
    return -1
