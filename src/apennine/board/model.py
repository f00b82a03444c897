"""A map as the rules see it: masks of hexes, hexside features, roads, named places and boxes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Literal, NamedTuple, cast

from apennine.hexes import Edge, Hex, HexError, Lattice, Mask, Sides

SourceKind = Literal["rulebook", "printed", "history", "geography", "reconstructed", "design"]


class Source(NamedTuple):
    """Where the numbers of one table of the map come from."""

    kind: SourceKind
    text: str
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.kind}: {self.text}" + (f", {self.detail}" if self.detail else "")


class Course(NamedTuple):
    """A road, or a river that runs through hexes: a chain of neighbours from one end to the other.

    `enters` and `leaves` are the directions of the sides of the first and the last hex over which
    it comes from, or goes, beyond the map; -1 where it begins or ends in the hex.
    """

    name: str
    hexes: tuple[Hex, ...]
    enters: int = -1
    leaves: int = -1


class Run(NamedTuple):
    """A feature along hexsides: edges that follow each other corner to corner."""

    name: str
    edges: tuple[Edge, ...]


class Through(NamedTuple):
    """A feature that runs through hexes, such as a river with banks inside each hex."""

    courses: tuple[Course, ...]
    sides: Sides
    """The hexsides that it crosses."""
    hexes: Mask
    """The hexes that it runs through, headwaters left out."""
    headwaters: Mask
    """The hexes where a course rises and which no course runs through."""


class Bridges(NamedTuple):
    """Crossings of one class: on hexsides, or inside hexes where the river runs through them."""

    sides: Sides
    hexes: Mask


class Place(NamedTuple):
    """A town, port, airfield, objective or zone: a name, its hexes, what it is, its numbers."""

    name: str
    hexes: Mask
    kinds: frozenset[str]
    numbers: Mapping[str, int]


class Box(NamedTuple):
    """A space beside the map. Its `location` comes after those of all hexes."""

    name: str
    location: int
    title: str
    kinds: frozenset[str]
    numbers: Mapping[str, int]
    hexes: Mask
    """The hexes next to the box."""
    boxes: tuple[int, ...]
    """The boxes next to it."""


class Line(NamedTuple):
    """A front, a fortified line or a boundary, as hexes, as hexsides, or as both."""

    title: str
    hexes: Mask
    """The hexes of its chains."""
    sides: Sides
    over: Sides
    """If the line has a front: for each direction, the hexes before it, looking over that side."""
    courses: tuple[Course, ...]
    runs: tuple[Run, ...]
    scenes: tuple[str, ...] = ()
    """The scenarios or dates to which it belongs; none if it belongs to all."""


class Supply(NamedTuple):
    """A supply source of one side."""

    side: str
    hexes: Mask
    boxes: tuple[int, ...]
    numbers: Mapping[str, int]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Board:
    """A map that was read and found without a mistake. It never changes; matches share it.

    Names of terrain, features, regions and so on are those of the map file. A name that the map
    does not know raises `KeyError`, so that a rule with a slip of the pen fails in its first test.
    """

    title: str
    scale: str
    north: int | None
    """Which way north is, in degrees clockwise from the top of the page, if the map says so."""
    credits: tuple[str, ...]
    lattice: Lattice
    terrain: Mapping[str, Mask]
    letters: Mapping[str, str]
    """The letter of each terrain in the map file."""
    sides: Mapping[str, Sides]
    over: Mapping[str, Sides]
    """Features with a direction, such as crests: the hexes from which side d leads up or out."""
    runs: Mapping[str, tuple[Run, ...]]
    """The named courses of each hexside feature."""
    roads: Mapping[str, Sides]
    """By class of road or rail: the hexsides that it crosses."""
    road_hexes: Mapping[str, Mask]
    courses: Mapping[str, tuple[Course, ...]]
    """The named courses of each class of road."""
    through: Mapping[str, Through]
    bridges: Mapping[str, Bridges]
    numbers: Mapping[str, Mapping[Hex, int]]
    """Numbers of each hex, such as its elevation."""
    places: Mapping[str, Place]
    boxes: tuple[Box, ...]
    regions: Mapping[str, Mask]
    lines: Mapping[str, Line]
    supply: Mapping[str, Supply]
    sources: Mapping[str, Source]
    """By table of the map file, such as `terrain` or `sides.river`, or entry: `places.Roma`."""
    kinds: Mapping[str, Mask]
    """By kind of place: the hexes of all places of that kind."""
    _terrain_at: tuple[str, ...]
    _places_at: Mapping[Hex, tuple[Place, ...]]
    _box_locations: Mapping[str, int]

    def __post_init__(self) -> None:
        for field in fields(self):
            value: object = getattr(self, field.name)
            if isinstance(value, dict):
                frozen = MappingProxyType(cast("dict[str, object]", value))
                object.__setattr__(self, field.name, frozen)

    def __repr__(self) -> str:
        return f"<Board {self.title}: {self.lattice.count} hexes, {len(self.boxes)} boxes>"

    @property
    def size(self) -> int:
        """One more than the highest location: the bits of the lattice, then the boxes."""
        return self.lattice.size + len(self.boxes)

    def __contains__(self, location: object) -> bool:
        """Whether a location is a hex of the map or a box beside it."""
        size = self.lattice.size
        return location in self.lattice or (
            isinstance(location, int) and size <= location < self.size
        )

    def terrain_of(self, hex: Hex) -> str:
        """The name of the terrain of a hex."""
        return self._terrain_at[hex]

    def code(self, location: int) -> str:
        """The printed code of a hex, or the name of a box."""
        size = self.lattice.size
        return self.lattice.code(location) if location < size else self.boxes[location - size].name

    def parse(self, text: str) -> int:
        """The location that a code or a box's name stands for.

        Raises `HexError` if the map has neither.
        """
        box = self._box_locations.get(text)
        if box is not None:
            return box
        try:
            return self.lattice.parse(text)
        except HexError as error:
            raise HexError(f"{text!r} is neither a hex nor a box of {self.title}.") from error

    def is_box(self, location: int) -> bool:
        """Whether a location is a box beside the map."""
        return location >= self.lattice.size

    def box(self, name: str) -> Box:
        """The box of that name; `KeyError` if there is none."""
        return self.boxes[self._box_locations[name] - self.lattice.size]

    def boxes_next_to(self, location: int) -> tuple[Box, ...]:
        """The boxes next to a hex or to another box."""
        if self.is_box(location):
            near = self.boxes[location - self.lattice.size].boxes
            return tuple(self.boxes[box - self.lattice.size] for box in near)
        return tuple(box for box in self.boxes if box.hexes >> location & 1)

    def places_at(self, hex: Hex) -> tuple[Place, ...]:
        """The places in a hex, in the order of the map file."""
        return self._places_at.get(hex, ())
