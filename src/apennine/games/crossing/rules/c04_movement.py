"""Chapter 4: movement."""

from __future__ import annotations

from collections.abc import Sequence

from apennine.hexes import Mask
from apennine.kernel.decision import Option, Over, Procedure
from apennine.kernel.order import HEX, UNIT, Bars, Order, Plain, ask
from apennine.mechanics.reach import Reach, reach

from ..table.position import NOBODY, Table
from ..table.war import War
from .c03_zones import alive, enter, full, occupied, zone
from .c05_charge import blow


class Move(Order[War, Table]):
    """4.1: a unit is picked up; where it goes is asked next."""

    verb, names, opens = "move", (UNIT,), True
    when, rule = "Units move one after the other in the movement phase", "4.1"

    def bars(self, war: War, pos: Table) -> Bars:
        yield war.army[pos.side], "{unit} belongs to the other side", "4.1"
        yield ~pos.moved, "{unit} has moved in this phase", "4.1"
        yield alive(war, pos, pos.side), "{unit} is lost", "4.1"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.mover = option.unit
        pos.left = allowance(war, pos, option.unit)
        pos.moved |= 1 << option.unit


class Go(Order[War, Table]):
    """4.2: the unit that was picked up walks to a hex within reach."""

    verb, names = "go", (UNIT, HEX)
    implied = (UNIT,)
    when, rule = "A unit goes to a hex in the movement phase, after it was picked up", "4.1"

    __slots__ = ("found",)

    def __init__(self, found: Reach) -> None:
        self.found = found

    def bars(self, war: War, pos: Table) -> Bars:
        yield 1 << pos.mover, "{mover} is moving, and not {unit}", "4.1"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        yield self.found.ends, self.out_of_reach(war, pos, first)

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        return Over(self.verb, self.found.ends, pos.mover)

    def out_of_reach(self, war: War, pos: Table, unit: int) -> Bars:
        """Why a hex is not among those that the unit can go to."""
        found, here, lattice = self.found, 1 << pos.hex[unit], war.lattice
        enemies = occupied(war, pos, 1 - pos.side)
        yield ~enemies, "An enemy is in {hex}", "4.5"
        yield ~here, "{unit} is in {hex} already; it may halt", "4.2"
        yield found.ends | ~found.reached, "{hex} is full: two units are there", "2.1"
        if war.paces[war.kind[unit]].wade(pos.boats) is None:
            across = lattice.cross(here, war.unbridged[pos.blown])
            yield ~across | found.ends, "{unit} cannot cross the river without a bridge", "4.4"
        free = reach(war.costs(war.kind[unit], pos.blown, pos.boats), found.start, pos.left)
        yield free.reached | found.ends, "{hex} is too far for {unit}", "4.2"
        zones = zone(war, pos, 1 - pos.side)
        beside = lattice.cross(here, war.passable[pos.blown]) & zones if here & zones else 0
        yield ~beside | found.ends, "{unit} and {hex} are both in enemy zones of control", "3.3"
        yield 0, "Enemies and their zones of control bar the way to {hex}", "3.2"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        unit, found = option.unit, self.found
        way = found.path(option.hex)
        for walked, hex in enumerate(way[1:], 1):
            bridge = war.bridge_between(pos.hex[unit], hex)
            if bridge != NOBODY and (yield from blow(war, pos, bridge)):
                # 5.3: the move goes on from here with what is left; from farther back if two
                # others stand here, for it might end at once (2.1).
                room = found.ends | 1 << found.start
                pos.hex[unit] = next(back for back in reversed(way[:walked]) if room >> back & 1)
                pos.left -= found.cost(pos.hex[unit])
                return
            enter(war, pos, unit, hex)
        pos.mover = NOBODY


class Halt(Order[War, Table]):
    """4.2: the unit that was picked up stays where it is."""

    verb, names = "halt", (UNIT,)
    implied = (UNIT,)
    when, rule = "A unit halts in the movement phase, after it was picked up", "4.1"

    def bars(self, war: War, pos: Table) -> Bars:
        yield 1 << pos.mover, "{mover} is moving, and not {unit}", "4.1"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.mover = NOBODY


MOVE, HALT = Move(), Halt()
END = Plain("end movement", "Movement is ended in the movement phase, when no unit moves", "4.1")


def movement_phase(war: War, pos: Table) -> Procedure:
    """4.1: the units of the active side move one after the other."""
    while True:
        if pos.mover == NOBODY:
            prompt = "Move a unit, or end your movement"
            chosen = yield from ask(war, pos, prompt, "4.1", MOVE, END, checkpoint=True)
            if chosen.verb == END.verb:
                break
        go = Go(reach_of(war, pos, pos.mover, pos.left))
        prompt = f"Where does {war.names[pos.mover]} go?"
        yield from ask(war, pos, prompt, "4.2", go, HALT, checkpoint=True)
    pos.waved = False
    pos.phase = "combat"


def allowance(war: War, pos: Table, unit: int) -> int:
    """In ticks; half, rounded up to a whole point, for a unit out of supply (4.7)."""
    points = war.paces[war.kind[unit]].points
    if pos.cut >> unit & 1:
        points = (points + 1) // 2
    return points * war.ticks


def reach_of(war: War, pos: Table, unit: int, points: int) -> Reach:
    """Where the unit can go with these ticks."""
    side = war.side_of[unit]
    enemies = occupied(war, pos, 1 - side)
    control: Mask = war.zone(enemies, pos.blown)
    return reach(
        war.costs(war.kind[unit], pos.blown, pos.boats),
        pos.hex[unit],
        points,
        blocked=enemies,  # 4.5
        stops=control,  # 3.2
        apart=control,  # 3.3
        minimum=True,  # 4.6
        fresh=points == allowance(war, pos, unit),
        ends_not=full(war, pos, side),  # 2.1
    )
