"""What lies on the table, and what can be read off it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from itertools import pairwise
from typing import Any

import msgspec

from apennine.board import Board
from apennine.hexes import mask_of
from apennine.kernel.game import GameError
from apennine.kernel.position import Position
from apennine.mechanics.reach import Costs, Reach, reach

RED, BLUE = 0, 1
SIDES = ("Red", "Blue")
A_SIDE = 8
"""Units of a side: Red's come first."""

DEAD = -1
STEPS = 2
STACK = 2
PLANS_BEFORE = 2
"""A plan is turned up so many turns after it was written."""

BLUFF = -1
Slip = tuple[int, int, int, int, int]
"""A written plan: side, turn of writing, hex or BLUFF, turn it is for, 1 once turned up."""

_ENTRY = re.compile(r"(.+?)(-?)(\*?) (\w+)")


@dataclass(slots=True, eq=False, kw_only=True)
class Table(Position):
    """Everything that lies on the table. Masks of units have bit u for unit u."""

    last_turn: int
    limit: int
    pursuit: bool
    hex: list[int]
    steps: list[int]
    routed: int
    slips: list[Slip] = field(default_factory=list[Slip])

    moved: int = 0
    reacted: int = 0
    silent: bool = False
    """The side that does not move declined to be asked again in this phase."""
    mover: int = -1
    left: int = 0
    advances: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """Owed for overwhelming: unit, hex."""

    startled: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """Must flee: unit, and the enemy that came near (-1: none in particular)."""
    fled: int = 0

    fought: int = 0
    battles: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """Each begun in an advance out of the one before: hex, attackers."""
    to_fire: int = 0
    firing: int = -1


class Kind(msgspec.Struct, forbid_unknown_fields=True):
    """What all units of a kind can do."""

    strength: int
    moves: int
    range: int
    reacts: bool = False


class Counter(msgspec.Struct, forbid_unknown_fields=True):
    """One unit of the data file."""

    kind: str
    arrives: int = 1


class UnitsFile(msgspec.Struct, forbid_unknown_fields=True):
    """`units.toml`."""

    source: str
    kinds: dict[str, Kind]
    Red: dict[str, Counter]
    Blue: dict[str, Counter]


class Field:
    """The map and the units: what never changes, and questions about a position on it."""

    def __init__(self, board: Board, units: Traversable) -> None:
        file = msgspec.toml.decode(units.read_bytes(), type=UnitsFile)
        counters = {**file.Red, **file.Blue}
        kinds = [file.kinds[counter.kind] for counter in counters.values()]
        self.board = board
        self.names = tuple(counters)
        self.owner = (RED,) * A_SIDE + (BLUE,) * A_SIDE
        self.of_side = (range(A_SIDE), range(A_SIDE, 2 * A_SIDE))
        self.arrives = tuple(counter.arrives for counter in counters.values())
        self.factor = tuple(kind.strength for kind in kinds)
        self.moves = tuple(kind.moves for kind in kinds)
        self.range = tuple(kind.range for kind in kinds)
        self.reacts = tuple(kind.reacts for kind in kinds)

        lattice = board.lattice
        self.lattice = lattice
        self.lake, self.hill = board.terrain["lake"], board.terrain["hill"]
        self.land = lattice.all & ~self.lake
        clear = self.land & ~self.hill
        self.costs = Costs.build(lattice, {1: clear, 2: self.hill})
        # By location; nothing is next to a box.
        around = [0] * board.size
        for hex in lattice:
            around[hex] = mask_of(lattice.neighbours(hex))
        self.around = tuple(around)
        self.camps = board.boxes
        self.camp = tuple(box.location for box in board.boxes)
        self.towns = tuple(
            (place.hexes, place.numbers["points"]) for place in board.places.values()
        )

    def deploy(self, drawing: str) -> dict[str, Any]:
        """The fields of a position from a text such as "Red 1 0303, Red 2* 0402, Red 3-* 0402".

        A minus marks a unit that has lost a step, a star one in rout. Units that the text does
        not name are dead.
        """
        hex, steps = [DEAD] * len(self.names), [0] * len(self.names)
        routed = 0
        for entry in re.split(r"[,\n]\s*", drawing.strip()):
            match = _ENTRY.fullmatch(entry)
            if match is None or match[1] not in self.names:
                raise GameError(f"{entry!r} does not say where a unit is.")
            unit = self.names.index(match[1])
            hex[unit] = self.board.parse(match[4])
            steps[unit] = STEPS - len(match[2])
            routed |= len(match[3]) << unit
        return {"hex": hex, "steps": steps, "routed": routed}

    def on_map(self, pos: Table, unit: int) -> bool:
        """Whether a unit is neither dead nor in a camp."""
        return 0 <= pos.hex[unit] < self.lattice.size

    def steady(self, pos: Table, unit: int) -> bool:
        """Whether a unit is on the map and in order."""
        return 0 <= pos.hex[unit] < self.lattice.size and not pos.routed >> unit & 1

    def held(self, pos: Table, side: int) -> int:
        """The hexes in which a side has units."""
        mask = 0
        for hex in pos.hex[A_SIDE * side : A_SIDE * (side + 1)]:
            if hex >= 0:
                mask |= 1 << hex
        return mask & self.lattice.all

    def feared(self, pos: Table, side: int) -> int:
        """The hexes next to steady units of a side."""
        around = self.around
        mask = 0
        for unit in self.of_side[side]:
            if self.steady(pos, unit):
                mask |= around[pos.hex[unit]]
        return mask

    def units_in(self, pos: Table, location: int) -> list[int]:
        """The units in a hex or a box."""
        return [unit for unit, hex in enumerate(pos.hex) if hex == location]

    def full(self, pos: Table, side: int) -> int:
        """The hexes that take no more units of a side."""
        once = twice = 0
        for hex in pos.hex[A_SIDE * side : A_SIDE * (side + 1)]:
            if hex >= 0:
                twice |= once & 1 << hex
                once |= 1 << hex
        return twice & self.lattice.all

    def room(self, pos: Table, side: int) -> int:
        """The hexes that a unit of a side may enter."""
        return self.land & ~self.held(pos, 1 - side) & ~self.full(pos, side)

    def next_to_enemy(self, pos: Table, unit: int) -> bool:
        """Whether an enemy is in a hex next to a unit on the map."""
        return bool(self.around[pos.hex[unit]] & self.held(pos, 1 - self.owner[unit]))

    def refuges(self, pos: Table, unit: int) -> int:
        """Where a unit can flee or break off to: away from steady enemies, or to its camp."""
        side, hex = self.owner[unit], pos.hex[unit]
        mask = self.around[hex] & self.room(pos, side) & ~self.feared(pos, 1 - side)
        if self.camps[side].hexes >> hex & 1:
            mask |= 1 << self.camp[side]
        return mask

    def strength(self, pos: Table, unit: int) -> int:
        """What a unit counts in a melee; one in rout counts one."""
        return 1 if pos.routed >> unit & 1 else self.factor[unit] * pos.steps[unit]

    def defence(self, pos: Table, hex: int) -> int:
        """What the units in a hex count together, doubled on a hill."""
        total = sum(self.strength(pos, unit) for unit in self.units_in(pos, hex))
        return 2 * total if self.hill >> hex & 1 else total

    def attackers(self, pos: Table, side: int, hex: int) -> list[int]:
        """The steady units of a side next to a hex."""
        near = self.around[hex]
        return [
            unit
            for unit in self.of_side[side]
            if self.steady(pos, unit) and near >> pos.hex[unit] & 1
        ]

    def reach(self, pos: Table, unit: int) -> Reach:
        """Where the mover can go with the points that are left."""
        side = self.owner[unit]
        return reach(
            self.costs,
            pos.hex[unit],
            pos.left,
            blocked=self.lattice.all & ~self.room(pos, side),
            leaving=(self.feared(pos, 1 - side), 1),
        )

    def points(self, pos: Table, side: int) -> int:
        """The points of the towns in which a side has units."""
        held = self.held(pos, side)
        return sum(points for hexes, points in self.towns if hexes & held)

    def lost(self, pos: Table, side: int) -> int:
        """How many units a side has lost."""
        return pos.hex[A_SIDE * side : A_SIDE * (side + 1)].count(DEAD)


def in_mask(units: int) -> list[int]:
    """The units of a mask."""
    return [unit for unit in range(2 * A_SIDE) if units >> unit & 1]


class ScenarioTable(msgspec.Struct, forbid_unknown_fields=True):
    """One table of `scenarios.toml`."""

    title: str
    summary: str
    turns: int
    limit: int
    at: str


def read_scenarios(file: Traversable) -> Mapping[str, ScenarioTable]:
    """All scenarios by key."""
    tables = msgspec.toml.decode(file.read_bytes())
    tables.pop("source")
    return msgspec.convert(tables, dict[str, ScenarioTable])


def steps_along(found: Reach, to: int) -> list[tuple[int, int]]:
    """The hexes on the way to one, each with what the step into it costs."""
    path = found.path(to)
    return [(b, found.cost(b) - found.cost(a)) for a, b in pairwise(path)]
