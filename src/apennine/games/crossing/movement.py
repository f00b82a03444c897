"""Chapters 4 and 5: movement, and the charge under the bridge."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from apennine.hexes import mask_of
from apennine.kernel.decision import Among, Choice, Event, Later, Menu, Option, Over, done
from apennine.kernel.game import Procedure
from apennine.kernel.ledger import rule
from apennine.mechanics.reach import Reach, reach

from .position import ALLIED, EAST, GERMAN, LOST, NOBODY, SPENT, WEST, Table

if TYPE_CHECKING:
    from .game import Crossing

BRIDGES = ("west", "east")
END = done("end movement")


def movement_phase(game: Crossing, pos: Table) -> Procedure:
    """4.1: the units of the active side move one after the other."""
    while True:
        if pos.mover == NOBODY:
            chosen = yield Choice(
                pos.side,
                Later(lambda: Menu(Among("move", unmoved(game, pos)), END)),
                "Move a unit, or end your movement",
                rule("4.1"),
                checkpoint=True,
            )
            if chosen.verb == "end movement":
                break
            pos.mover = chosen.unit
            pos.left = allowance(game, pos, chosen.unit)
            pos.moved |= 1 << chosen.unit
        yield from move(game, pos)
    pos.waved = False
    pos.phase = "combat"


def unmoved(game: Crossing, pos: Table) -> list[int]:
    """The units that may still move."""
    return [u for u in game.members[pos.side] if pos.hex[u] != LOST and not pos.moved >> u & 1]


def allowance(game: Crossing, pos: Table, unit: int) -> int:
    """In ticks; half, rounded up to a whole point, for a unit out of supply (4.7)."""
    points = game.paces[game.kind[unit]].points
    if pos.cut >> unit & 1:
        points = (points + 1) // 2
    return points * game.ticks


def reach_of(game: Crossing, pos: Table, unit: int, points: int) -> Reach:
    """Where the unit can go with these ticks."""
    side = game.side_of[unit]
    zone = game.zone(pos, 1 - side)
    return reach(
        game.costs(pos, unit),
        pos.hex[unit],
        points,
        blocked=game.occupied(pos, 1 - side),  # 4.5
        stops=zone,  # 3.2
        apart=zone,  # 3.3
        minimum=True,  # 4.6
        fresh=points == allowance(game, pos, unit),
        ends_not=game.full(pos, side),  # 2.1
    )


def move(game: Crossing, pos: Table) -> Procedure:
    """One move: name a hex within reach; the unit walks there unless something stops it."""
    unit = pos.mover
    found = reach_of(game, pos, unit, pos.left)
    chosen = yield Choice(
        pos.side,
        Menu(Over("go", found.ends, unit), [Option("halt", unit)]),
        f"Where does {game.units[unit]} go?",
        rule("4.2"),
        checkpoint=True,
    )
    if chosen.verb == "halt":
        pos.mover = NOBODY
        return
    way = found.path(chosen.hex)
    for walked, hex in enumerate(way[1:], 1):
        bridge = game.bridge_between(pos.hex[unit], hex)
        if bridge != NOBODY and (yield from blow(game, pos, bridge)):
            # 5.3: the move goes on from here with what is left; from farther back if two others
            # stand here, for it might end at once (2.1).
            room = found.ends | 1 << found.start
            pos.hex[unit] = next(back for back in reversed(way[:walked]) if room >> back & 1)
            pos.left -= found.cost(pos.hex[unit])
            return
        game.enter(pos, unit, hex)
    pos.mover = NOBODY


def blow(game: Crossing, pos: Table, bridge: int) -> Generator[Choice | Event, Any, bool]:
    """5.2: the bridge may go up under the Allies.

    The question is put at every standing bridge and until the charge is spent, with the same
    answers but one: its absence would tell the Allies where the charge is not.
    """
    if pos.side != ALLIED or pos.blown >> bridge & 1 or pos.charge == SPENT:
        return False
    answers = [Option("let pass")]
    if not pos.waved:
        answers.append(Option("let pass this phase"))
        if pos.charge == bridge:
            answers.append(Option("blow", hex=game.bridge_hex[bridge]))
    chosen = yield Choice(
        GERMAN,
        answers,
        f"{game.units[pos.mover]} is about to cross the {BRIDGES[bridge]} bridge",
        rule("5.2"),
        secret=True,
    )
    pos.waved |= chosen.verb == "let pass this phase"
    if chosen.verb != "blow":
        return False
    pos.blown |= 1 << bridge
    pos.charge = SPENT
    yield Event("bridge blown", hex=game.bridge_hex[bridge], rule=rule("5.3"), reveals=True)
    return True


def charge_phase(game: Crossing, pos: Table) -> Procedure:
    """5.1: the charge is laid in secret before the first turn."""
    chosen = yield Choice(
        GERMAN,
        Over("lay the charge", mask_of(game.bridge_hex)),
        "Lay the demolition charge at one of the bridges",
        rule("5.1"),
        checkpoint=True,
        secret=True,
    )
    pos.charge = WEST if chosen.hex == game.bridge_hex[WEST] else EAST
    pos.phase = "supply"
