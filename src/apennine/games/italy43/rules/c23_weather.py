"""Chapter 23: the weather phase."""

from __future__ import annotations

from apennine.hexes import mask_of
from apennine.kernel.decision import Event, Procedure, Roll
from apennine.kernel.ledger import rule

from ..table.data import SPACES
from ..table.position import ALLIED, GERMAN, Table
from ..table.war import War
from .c02_pieces import there


def weather_phase(war: War, pos: Table) -> Procedure:
    """3.0A1: the roll, the markers of air and navy, the supply points; the flips come after."""
    table = war.book.weather
    (die,) = yield Roll((6,), "weather", rule("23.1a"))
    pos.flips = table.cell(die, table.column("flip")) == "yes"
    moved = pos.weather + int(table.cell(die, table.column("spaces")))
    pos.weather = moved % len(SPACES)
    space = war.book.track[SPACES[pos.weather]]
    yield Event("the weather is", value=pos.weather, rule=rule("23.1c"))
    if moved >= len(SPACES):
        ready_divisions(war, pos)
    pos.air = mask_of(war.army_names.index(army) for army in space.air)  # 23.2a
    pos.naval = space.naval  # 23.2b
    gain(war, pos, ALLIED, space.allied + port(war, pos.turn))
    gain(war, pos, GERMAN, space.german)


def ready_divisions(war: War, pos: Table) -> None:
    """23.3.4: past F all Division artillery on the map is readied, that of both sides.

    What arrives in this turn is not there yet, nor are units that are eliminated.
    """
    present = there(war, pos, ALLIED).units | there(war, pos, GERMAN).units
    for side in (ALLIED, GERMAN):
        stacks = there(war, pos, side).stacks
        for location in war.ground.area_names:
            present |= stacks.get(location, 0)
    pos.ready |= war.divisional & present


def port(war: War, turn: int) -> int:
    """23.3.2: what the port of Naples adds in a turn."""
    port = war.book.port
    return max((more for first, more in zip(port.turns, port.points) if turn >= first), default=0)


def gain(war: War, pos: Table, side: int, points: int) -> None:
    """23.3.1: supply points are kept, up to a limit."""
    pos.supply[side] = min(pos.supply[side] + points, war.book.limits.supply)
