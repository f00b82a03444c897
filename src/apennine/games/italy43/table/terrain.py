"""The map as the rules see it: hexes and hexsides by what they do, and where bonds may run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from apennine.board import Board
from apennine.hexes import Hex, Lattice, Mask, Sides, bits, mask_of
from apennine.mechanics.ground import Ground, common, less, union

from .data import Section

RIVERS = ("major-river", "minor-river", "canal")
ROADS = ("major-road", "minor-road")
CROSSING = 40
"""How much farther a way is that crosses the Volturno, to tell its banks apart."""


Holds = Callable[[Sequence[tuple[Hex, int]]], bool]
"""Whether a bond holds over some hexsides, each seen from the hex before it."""


class Links(NamedTuple):
    """By hex, where a bond may run over the ground between it and a hex two away (7.6).

    A Hexside Bond has two ways, by the hex on its left or on its right: it is pushed to one of them
    (7.6.1). Masks are of the hex from which one looks.
    """

    left: Mask
    right: Mask

    def joined(self, other: Links) -> Links:
        """The links of both."""
        return Links(self.left | other.left, self.right | other.right)


NO_LINKS = Links(0, 0)


class Terrain(Ground):
    """The hexes and hexsides of the map by what they do."""

    def __init__(self, board: Board, sections: Mapping[str, Section]) -> None:
        super().__init__(board, board.regions["land"])
        lattice = board.lattice
        self.major_cities = self.kind("major-city")
        self.cities = self.major_cities | self.kind("minor-city")
        self.towns = self.kind("town")
        self.naples = self.kind("naples")
        self.marsh = self.terrain("marsh") & ~self.cities
        self.hills = (self.terrain("hill") | self.terrain("mountain")) & ~self.cities
        """Hills, and full mountain hexes, which are hills among mountain sides (2.2.2c); a city is
        a city for every purpose (2.2.3b)."""
        self.clear = self.land & ~(self.cities | self.marsh | self.hills)
        self.rough = self.hills | self.cities
        """Where defenders are doubled (9.7a)."""
        self.prizes = {
            hex: place.numbers["vp"]
            for place in board.places.values()
            if "vp" in place.kinds
            for hex in bits(place.hexes)
        }
        """Victory points by hex (24.1)."""
        self.held = self.cities | mask_of(self.prizes)
        """Where control is kept account of (16.3.4a)."""
        self.naval = self.region("naval")
        self.gustav = self.region("behind-gustav")
        """On or behind the Gustav Line (18.1.3f)."""
        self.sections = {key: self.region(section.region) for key, section in sections.items()}
        self.eighth_army = self.region("eighth-army")
        self.depth = self.spread(self.land & ~self.eighth_army, ((self.open, 1),))
        """By hex, how many steps it is from the ground outside the zone of the 8th Army."""
        self._read_sides()
        self._read_areas()
        self.far_bank = self._beyond_the_volturno()
        self.straight, self.straight_vehicles = self._straight()
        self.slanted = tuple(self._slanted(d, self._holds_foot) for d in range(3))
        self.slanted_vehicles = tuple(self._slanted(d, self._holds_vehicle) for d in range(3))
        self.anchors = {box: self._anchors(box, self._holds_foot) for box in self.areas}
        self.vehicle_anchors = {box: self._anchors(box, self._holds_vehicle) for box in self.areas}
        self.within_two = [lattice.disc(h, 2) if h in lattice else 0 for h in range(lattice.size)]

    def _read_sides(self) -> None:
        self.major_roads = self.roads("major-road")
        self.minor_roads = less(self.roads("minor-road"), self.major_roads)
        self.all_roads = union((self.major_roads, self.minor_roads))
        self.road_hexes = self.land & (
            self.board.road_hexes["major-road"] | self.board.road_hexes["minor-road"]
        )
        self.major_rivers = self.sides("major-river")
        self.minor_rivers = union((self.sides("minor-river"), self.sides("canal")))
        """A canal is a minor river in all respects (5.5d)."""
        self.rivers = union((self.major_rivers, self.minor_rivers))
        self.unbridged = less(self.rivers, self.all_roads)
        """Rivers where no road has a bridge (5.2.1b)."""
        self.mountains = self.sides("mountain")
        self.passes = common(self.sides("pass"), self.mountains)
        self.roadless = less(self.mountains, self.all_roads)
        """Mountain sides without a road, passes or not."""
        self.trackless = less(self.roadless, self.passes)
        """Mountain sides with neither road nor pass."""
        self.vehicle_sides = less(self.open, self.trackless)
        """Where vehicle units, and their zones, cross at all (5.6b, 6.1d)."""
        self.wet_vehicle_sides = less(self.vehicle_sides, self.unbridged)
        """The same when it rains (5.9)."""
        self.dry_vehicle_sides = less(self.vehicle_sides, common(self.unbridged, self.major_rivers))
        """Where vehicles retreat in dry weather: not over major rivers without a bridge (12.3)."""
        self.tracked = less(less(self.open, self.trackless), self.unbridged)
        """Where mountains have a road or pass, and rivers a bridge (15.2.6c)."""

        self.over_trackless, self.over_rivers, self.by_road = map(
            self._over, (self.trackless, self.major_rivers, self.all_roads)
        )
        """By hex, those next to it over mountains without a track, a major river, along a road."""

    def _over(self, sides: Sides) -> list[Mask]:
        lattice = self.board.lattice
        return [
            lattice.cross(1 << hex, sides) if hex in lattice else 0 for hex in range(lattice.size)
        ]

    def _read_areas(self) -> None:
        self.areas = {box.name: box.location for box in self.board.boxes}
        """The entry areas by name (21.2)."""
        self.area_names = {location: name for name, location in self.areas.items()}
        self.edge = {box.name: box.hexes & self.land for box in self.board.boxes}
        """By area, the hexes that it lies along."""
        major, minor = (
            mask_of(
                course.hexes[end]
                for course in self.board.courses[name]
                for end, side in ((0, course.enters), (-1, course.leaves))
                if side >= 0
            )
            for name in ROADS
        )
        self.major_exits = major
        """Where a major road leads off the map."""
        self.exits = {name: hexes & (major | minor) for name, hexes in self.edge.items()}
        """By area, the hexes where a road leads into it."""
        self.areas_along = [0] * self.board.lattice.size
        """By hex, the entry areas that lie along it, as a set."""
        for name, hexes in self.edge.items():
            for hex in bits(hexes):
                self.areas_along[hex] |= 1 << self.areas[name]
        self.next_areas = {
            box.name: tuple(self.area_names[near] for near in box.boxes) for box in self.board.boxes
        }

    def _beyond_the_volturno(self) -> Mask:
        """The hexes on the German bank of the Volturno, where Allied units set others free."""
        lattice = self.board.lattice
        river = [
            edge
            for name in RIVERS[:2]
            for run in self.board.runs[name]
            if run.name == "Volturno"
            for edge in run.edges
        ]
        sides = lattice.sides(river)
        # One can go round its upper course, so each side is looked at by itself: the bank that is
        # farther from Naples, the river being dear to cross, is the German one.
        ways = (less(self.open, sides), 1), (self.open, CROSSING)
        distance = self.spread(self.naples, ways)
        far = 0
        for edge in river:
            one, two = lattice.edge_hexes(edge)
            far |= 1 << (one if distance[one] > distance[two] else two)
        return far & self.land

    # Bonds (7.6).

    def _holds_foot(self, sides: Sequence[tuple[Hex, int]]) -> bool:
        """Whether a bond of units that are no vehicles holds over these sides.

        Not over two mountain sides with neither road nor pass (7.6.1a), nor over two major rivers
        (7.6.3), nor over all-sea sides (7.6.2).
        """
        return (
            all(self.open[d] >> hex & 1 for hex, d in sides)
            and sum(self.trackless[d] >> hex & 1 for hex, d in sides) < 2
            and sum(self.major_rivers[d] >> hex & 1 for hex, d in sides) < 2
        )

    def _holds_vehicle(self, sides: Sequence[tuple[Hex, int]]) -> bool:
        """The same for vehicle units: over no mountain side without a road at all (7.6.1c)."""
        over = any(self.roadless[d] >> hex & 1 for hex, d in sides)
        return not over and self._holds_foot(sides)

    def _straight(self) -> tuple[tuple[Mask, ...], tuple[Mask, ...]]:
        """By axis, the hexes in the middle of which a Hex Bond holds: on foot, and of vehicles."""
        lattice = self.board.lattice
        foot, vehicles = [0, 0, 0], [0, 0, 0]
        for axis in range(3):
            for hex in bits(self.land):
                before, after = lattice.neighbour(hex, axis + 3), lattice.neighbour(hex, axis)
                if before < 0 or after < 0:
                    continue
                crossed = (before, axis), (hex, axis)
                foot[axis] |= self._holds_foot(crossed) << hex
                vehicles[axis] |= self._holds_vehicle(crossed) << hex
        return tuple(foot), tuple(vehicles)

    def _slanted(self, d: int, holds: Holds) -> Links:
        """For Hexside Bonds from a hex to the one beyond its sides d and d + 1."""
        lattice = self.board.lattice
        left = right = 0
        for hex in bits(self.land):
            one, two = lattice.neighbour(hex, d), lattice.neighbour(hex, d + 1)
            if one >= 0 and lattice.neighbour(one, d + 1) >= 0:
                left |= holds(((hex, d), (one, d + 1))) << hex
            if two >= 0 and lattice.neighbour(two, d) >= 0:
                right |= holds(((hex, d + 1), (two, d))) << hex
        return Links(left, right)

    def _anchors(self, area: str, holds: Holds) -> tuple[Links, ...]:
        """By direction, for Hexside Bonds with an entry area beyond the sides d and d + 1 (7.5)."""
        lattice, edge = self.board.lattice, self.edge[area]
        found: list[Links] = []
        for d in range(6):
            left = right = 0
            for hex in bits(self.land):
                one, two = lattice.neighbour(hex, d), lattice.neighbour(hex, (d + 1) % 6)
                on_land = one >= 0 and two >= 0 and self.land >> one & self.land >> two & 1
                if not on_land or lattice.neighbour(one, (d + 1) % 6) >= 0:
                    continue
                if edge & (1 << one | 1 << two):
                    left |= holds(((hex, d),)) << hex
                    right |= holds(((hex, (d + 1) % 6),)) << hex
            found.append(Links(left, right))
        return tuple(found)


def ahead(lattice: Lattice, mask: Mask, *directions: int) -> Mask:
    """The hexes that lie so from those of a mask, one step after the other."""
    for d in directions:
        mask = lattice.shift(mask, d % 6)
    return mask
