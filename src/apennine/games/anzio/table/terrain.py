"""The map as the rules see it: hexes and hexsides by what they do, ports, zones and edges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from apennine.board import Board, Place
from apennine.hexes import Mask, Sides, bits, mask_of
from apennine.mechanics.ground import Ground, common, less, union

from .rivers import Rivers

WEST, EAST, BOTH = 1, 2, 3
"""Coasts, as bits (D5B1)."""
ENTRIES = ("Messina", "Taranto")


class Base(NamedTuple):
    """A port, or the beaches of an invasion zone: what a port counter opens (C5F)."""

    name: str
    hexes: Mask
    is_port: bool
    lift: int
    capacity: int
    build_up: int
    coast: int
    kinds: frozenset[str]


class Entry(NamedTuple):
    """Messina or Taranto (C8)."""

    name: str
    place: int
    lift: int
    capacity: int
    build_up: int
    edge: Mask


class Terrain(Ground):
    """The hexes and hexsides of the map by what they do."""

    def __init__(self, board: Board) -> None:
        road_only = board.terrain["lake-road"]
        super().__init__(board, board.regions["playable"], ("barrier", "water"))
        lattice = board.lattice
        self.passing = road_only & self.land
        """Where roads lead through a lake: nobody stops there (B2F1b)."""
        self.stands = self.land & ~self.passing
        """Where units may be."""
        self.sea = board.terrain["sea"]
        self.coast = board.regions["coast"] & self.stands
        self.rivers = Rivers(board, self.land)
        self.mountains = self.terrain("mountain") & self.stands
        """Hexes with slopes (B2C1)."""
        self.major_cities = self.kind("major-city")
        self.air_bases = self.kind("air-base")
        self._read_sides()
        self._read_shores()
        self._read_bases()
        self.german_edge = self.region("german-edge")
        self.late_edge = self.region("german-edge-late")
        self.middle_north = self.region("north-of-middle-fold")
        self.bottom_north = self.region("north-of-bottom-fold")
        self.bottom_south = self.region("south-of-bottom-fold")
        self.places = {
            kind: {p.name: p.hexes for p in board.places.values() if kind in p.kinds}
            for kind in ("victory-i", "victory-ii", "victory-iii")
        }
        """By kind, the cities that win, each with its hexes (C15A)."""
        self.within = tuple(
            [lattice.disc(h, n) if h in lattice else 0 for h in range(lattice.size)] for n in (1, 2)
        )
        self._exits = {
            name: mask_of(
                course.hexes[end]
                for course in board.courses[name]
                for end, side in ((0, course.enters), (-1, course.leaves))
                if side >= 0
            )
            for name in ("major", "minor")
        }

    def _read_sides(self) -> None:
        sides = self.sides
        lake = less(self.open, self._lake_sides())
        self.major = self.roads("major")
        self.minor = less(self.roads("minor"), self.major)
        self.all_roads = union((self.major, self.minor))
        self.open = union((lake, self.all_roads))
        """The hexsides that one crosses: over the lake only by road (B2F1b)."""
        self.plain = common(union((sides("plain"), sides("plain-rough"))), self.open)
        self.rough = common(union((sides("rough"), sides("rough-high"))), self.open)
        """Hexsides without plain that are not all High Apennine (B4C11b)."""
        self.high = common(union((sides("high"), sides("swamp"))), self.open)
        """All of High Apennine or swamp, which is the same (B2B1)."""
        self.swamp = common(sides("swamp"), self.open)
        self.roadless_high = less(self.high, self.all_roads)
        """Where no road makes them passable (B4C11d, B4G3e)."""
        self.beside = [
            self.board.lattice.cross(1 << hex, self.open) if hex in self.board.lattice else 0
            for hex in range(self.board.lattice.size)
        ]

    def _lake_sides(self) -> Sides:
        """The sides of the hexes in which one follows the road."""
        lattice = self.board.lattice
        edges = [
            lattice.edge(hex, d)
            for hex in bits(self.passing)
            for d in range(6)
            if lattice.neighbour(hex, d) >= 0
        ]
        return lattice.sides(edges)

    def _read_shores(self) -> None:
        """What lies on the sides toward the sea: plain makes a beach (B2D7, B2D8)."""
        board, lattice = self.board, self.board.lattice
        found: dict[str, Mask] = {"plain": 0, "rough": 0, "high": 0}
        kinds = {
            "plain": ("plain", "plain-rough"),
            "rough": ("rough", "rough-high"),
            "high": ("high", "swamp"),
        }
        for hex in bits(self.coast):
            for d in range(6):
                beyond = lattice.neighbour(hex, d)
                if beyond >= 0 and self.sea >> beyond & 1:
                    for shore, names in kinds.items():
                        if any(board.sides[name][d] >> hex & 1 for name in names):
                            found[shore] |= 1 << hex
        zones = self.kind("invasion-zone")
        self.beaches = (found["plain"] | zones) & self.stands
        """Beach hexes; those of the zones are such by definition (C5C2)."""
        self.rough_shore = (found["rough"] | self.coast & ~found["high"]) & ~self.beaches
        self.high_shore = self.coast & ~self.beaches & ~self.rough_shore

    def _read_bases(self) -> None:
        board = self.board
        self.bases: tuple[Base, ...] = tuple(
            self._base(place, kind == "port")
            for kind in ("port", "invasion-zone")
            for place in board.places.values()
            if kind in place.kinds
        )
        self.base_at: Mapping[int, tuple[int, ...]] = {
            hex: tuple(n for n, base in enumerate(self.bases) if base.hexes >> hex & 1)
            for hex in bits(self.kind("port", "invasion-zone"))
        }
        """By hex, the numbers of its bases: the port first."""
        self.ports = self.kind("port")
        self.zones = self.kind("invasion-zone")
        self.entries = tuple(
            Entry(
                name,
                box.location,
                box.numbers["il"],
                box.numbers["cap"],
                box.numbers["bu"],
                box.hexes & self.stands,
            )
            for name in ENTRIES
            for box in (board.box(name),)
        )
        self.sicilia = board.box("Sicilia").location

    def _base(self, place: Place, is_port: bool) -> Base:
        coast = WEST * ("west-coast" in place.kinds) | EAST * ("east-coast" in place.kinds)
        numbers = place.numbers
        return Base(
            place.name,
            place.hexes & self.stands,
            is_port,
            numbers.get("il", 0),
            numbers["cap"],
            numbers["bu"],
            coast,
            place.kinds,
        )

    def exit_road(self, hex: int) -> str:
        """The road that leads off the map from a hex: major, minor, or none."""
        return next((name for name, hexes in self._exits.items() if hexes >> hex & 1), "")
