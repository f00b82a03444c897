"""The map as the rules see it: hexes and hexsides by what they do, and its bridges."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from apennine.board import Board
from apennine.hexes import Edge, Mask, Sides, bits, first_bit
from apennine.mechanics.ground import Ground, common, less, union, within

RIVERS = ("major-river", "minor-river")


class Bridge(NamedTuple):
    """Where a road or a railway crosses a river; both on one hexside are one bridge (11.2.5h)."""

    edge: Edge
    ends: Mask
    river: str
    major: bool
    road: bool
    """By road, a minor one or not; else by rail alone."""


class Terrain(Ground):
    """The hexes and hexsides of the map by what they do."""

    def __init__(self, board: Board) -> None:
        super().__init__(board, board.regions["land"], ("impassable-river",))
        self.clear = self.terrain("clear")
        self.forest = self.terrain("forest")
        self.towns = self.terrain("town")
        self.cities = self.terrain("city")
        self.mountains = self.terrain("mountain")
        self.high = self.terrain("high-mountain")
        self.marsh = self.terrain("marsh")
        self.by_name = {
            "clear": self.clear,
            "forest": self.forest,
            "town": self.towns,
            "city": self.cities,
            "mountain": self.mountains,
            "high": self.high,
            "marsh": self.marsh,
        }
        """By column of the terrain chart, its hexes."""
        self.craters = self.kind("crater")
        self.afloat = board.regions["barges"]
        """Where guns on barges may be (11.3.1.3), the lagoon between included."""
        self.by_water = within(board.lattice, self.afloat)
        self.boats = within(board.lattice, board.regions["lagoon-supply"])
        """Where boats carry supply."""
        self._read_sides()
        self._read_bridges()
        self.trenches = {
            front: (
                self.region(f"trenches-{front}-central-powers"),
                self.region(f"trenches-{front}-entente"),
            )
            for front in FRONTS
        }
        """By front and side, the hexes with its trenches."""

    def _read_sides(self) -> None:
        lattice = self.board.lattice
        self.road = self.roads("road")
        self.minor_road = less(self.roads("minor-road"), self.road)
        self.rail = self.roads("rail")
        self.road_hexes = self.board.road_hexes["road"] & self.land
        self.minor_road_hexes = self.board.road_hexes["minor-road"] & self.land & ~self.road_hexes
        self.rail_hexes = self.board.road_hexes["rail"] & self.land
        self.roaded = self.road_hexes | self.minor_road_hexes
        """On the road for supply, whatever the weather (9.1n)."""
        self.rough = (self.mountains | self.high | self.marsh) & ~self.roaded
        """Off the road, where a line of supply counts double (9.1)."""
        self.major = self.sides("major-river")
        self.minor = less(self.sides("minor-river"), self.major)
        self.rivers = union((self.major, self.minor))
        self.beside_rivers = lattice.cross(lattice.all, self.rivers)
        """Hexes on a bank."""
        self.uphill = common(self.board.over["crest"], self.open)
        """Crests, seen from below (12.2.4k)."""

    def _read_bridges(self) -> None:
        lattice, board = self.board.lattice, self.board
        names = {
            edge: run.name or name
            for name in RIVERS
            for run in board.runs[name]
            for edge in run.edges
        }
        wheeled = union((self.road, self.minor_road))
        crossed = common(self.rivers, union((wheeled, self.rail)))
        major, by_road = set(lattice.edges(self.major)), set(lattice.edges(wheeled))
        found: list[Bridge] = []
        for edge in sorted(lattice.edges(crossed)):
            one, two = lattice.edge_hexes(edge)
            ends = 1 << one | 1 << two
            found.append(Bridge(edge, ends, names[edge], edge in major, edge in by_road))
        self.bridges = tuple(found)
        """All bridges, by number."""
        self.bridge_at = {bridge.edge: number for number, bridge in enumerate(found)}
        self.bridged = crossed
        self.named_by: dict[int, Mask] = {}
        """By hex, the bridges that orders name by it: it is their end with the lower number."""
        for number, bridge in enumerate(found):
            first = first_bit(bridge.ends)
            self.named_by[first] = self.named_by.get(first, 0) | 1 << number
        self.over = lru_cache(512)(self._over)
        self.wide = lru_cache(512)(self._wide)
        self.wet = lru_cache(512)(self._wet)
        self.with_ends = lru_cache(512)(self._with_ends)
        self.named_at = lru_cache(512)(self._named_at)

    def _over(self, numbers: Mask) -> Sides:
        """The hexsides of some bridges."""
        return self.board.lattice.sides([self.bridges[number].edge for number in bits(numbers)])

    def _wide(self, broken: Mask, floats: Sides) -> Sides:
        """The major rivers without a bridge that stands, or floats for the side."""
        return less(less(self.major, less(self.bridged, self.over(broken))), floats)

    def _wet(self, broken: Mask, floats: Sides) -> Sides:
        """All rivers without a bridge of any kind."""
        return less(less(self.rivers, less(self.bridged, self.over(broken))), floats)

    def _with_ends(self, hexes: Mask, ends: int) -> Mask:
        """The bridges with so many ends among some hexes."""
        found = 0
        for number, bridge in enumerate(self.bridges):
            if (bridge.ends & hexes).bit_count() >= ends:
                found |= 1 << number
        return found

    def _named_at(self, numbers: Mask) -> Mask:
        """The hexes by which some bridges are named: of each the end with the lower number."""
        found = 0
        for number in bits(numbers):
            ends = self.bridges[number].ends
            found |= ends & -ends
        return found

    def numbered(self, edges: Iterable[Edge]) -> Mask:
        """The bridges on some hexsides, as a set of numbers."""
        return sum(1 << self.bridge_at[edge] for edge in set(edges))


FRONTS = ("october-1917", "december-1917", "june-1918", "october-1918")
"""The dates at which the map has fronts and trenches."""
