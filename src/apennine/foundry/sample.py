"""What the ground is like: statistics of every hex and every hexside, and rules over them."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

import numpy as np

from apennine.hexes import Edge, Hex, Lattice

from .calibration import Calibration
from .geodata import COVER, SEA, Geodata
from .mistakes import FoundryError
from .recipe import Rule
from .spatial import Floats, covered

RINGS = 10
FLAT_SLOPE = 0.05

HEX_STATS = {
    "land": "share of land, lakes counted in",
    "lake": "share of lakes and lagoons",
    "marsh": "share of wetlands of today and before drainage",
    "elevation": "mean elevation of the land, metres",
    "low": "10th percentile of elevation",
    "floor": "20th percentile of elevation",
    "middle": "median of elevation",
    "high": "90th percentile of elevation",
    "peak": "highest point",
    "relief": "high less low",
    "slope": "mean slope, rise over run",
    "flat": "share of ground with a slope under 5 %",
    **{name: f"share of {name}" for name in COVER},
    "lat": "latitude of the centre",
    "lon": "longitude of the centre",
}

SIDE_STATS = {
    "mean": "mean elevation along the side",
    "low": "10th percentile along it: the pass",
    "high": "90th percentile along it",
    "rise": "median along it less the higher of the two hexes' floors",
    "step": "difference of the two hexes' mean elevations",
    "slope": "mean slope along it",
    "flat": "share of ground along it with a slope under 5 %",
    "land": "share of land along it",
    "lake": "share of lakes along it",
    "marsh": "share of wetlands along it",
    "wet": "how many of the two hexes are water: 0, 1 or 2",
    "min.NAME": "the lesser of a statistic of the two hexes",
    "max.NAME": "the greater of a statistic of the two hexes",
}

_SIGNS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_CONDITION = re.compile(r"\s*([a-z.]+)\s*(<=|>=|<|>)\s*(-?[0-9.]+)\s*")

Stats = Mapping[str, float]


class Condition:
    """One condition of a rule, such as `relief >= 250`."""

    def __init__(self, text: str, known: Iterable[str]) -> None:
        found = _CONDITION.fullmatch(text)
        if found is None:
            raise FoundryError(f"{text!r} is not a condition; write it as 'relief >= 250'.")
        self.name, sign, number = found.groups()
        if self.name.removeprefix("min.").removeprefix("max.") not in set(known):
            raise FoundryError(f"There is no statistic {self.name!r}, as in {text!r}.")
        self._holds, self._number = _SIGNS[sign], float(number)

    def holds(self, stats: Stats) -> bool:
        """Whether a hex or side with these statistics fulfils the condition."""
        return self._holds(stats[self.name], self._number)


class Rules:
    """Rules in order; the first that holds names a hex or a side."""

    def __init__(self, rules: Sequence[Rule], known: Iterable[str]) -> None:
        known = list(known)
        self._rules = [(r.name, [Condition(text, known) for text in r.when]) for r in rules]

    def name(self, stats: Stats) -> str | None:
        """The name that the first fitting rule gives."""
        for name, conditions in self._rules:
            if all(condition.holds(stats) for condition in conditions):
                return name
        return None


class Ground:
    """The values of the data at points of the page."""

    def __init__(self, calibration: Calibration, geodata: Geodata, page: Floats) -> None:
        self._geodata = geodata
        self.lat, self.lon = calibration.to_earth(page)

    @cached_property
    def land(self) -> Floats:
        """1 on land and on lakes, 0 at sea."""
        areas = [named.area for named in self._geodata.land]
        return covered(areas, self.lon, self.lat).astype(np.float64)

    @cached_property
    def lake(self) -> Floats:
        """1 on lakes and lagoons."""
        areas = [named.area for named in self._geodata.lakes]
        return covered(areas, self.lon, self.lat).astype(np.float64)

    @cached_property
    def marsh(self) -> Floats:
        """1 on wetlands."""
        areas = [named.area for named in self._geodata.marshes]
        return covered(areas, self.lon, self.lat).astype(np.float64)

    @cached_property
    def elevation(self) -> Floats:
        """Elevation of land; not a number at sea."""
        z = self._geodata.elevation.at(self.lat, self.lon).astype(np.float64)
        return np.where(z == SEA, np.nan, z)

    @cached_property
    def highest(self) -> Floats:
        """The highest point of the cell around."""
        return self._geodata.highest.at(self.lat, self.lon).astype(np.float64)

    @cached_property
    def slope(self) -> Floats:
        """Slope of the ground."""
        return self._geodata.slope.at(self.lat, self.lon).astype(np.float64)

    def cover(self, classes: Sequence[int]) -> Floats:
        """1 where the land cover is one of these classes."""
        return np.isin(self._geodata.landcover.at(self.lat, self.lon), classes).astype(np.float64)


class HexSurvey:
    """The statistics of every hex of a lattice, by printed code."""

    def __init__(self, lattice: Lattice, calibration: Calibration, geodata: Geodata) -> None:
        self._calibration = calibration
        self._geodata = geodata
        hexes = list(lattice)
        codes = [lattice.code(hex) for hex in hexes]
        spots = _spots(lattice)
        page = np.array([lattice.pixel(hex) for hex in hexes])[:, None, :] + spots[None]
        ground = Ground(calibration, geodata, page)
        columns = _statistics(ground)
        lat, lon = calibration.to_earth(page[:, 0])
        columns["lat"], columns["lon"] = lat, lon
        self.stats: dict[str, dict[str, float]] = {
            code: {name: float(values[i]) for name, values in columns.items()}
            for i, code in enumerate(codes)
        }


def _statistics(ground: Ground) -> dict[str, Floats]:
    """Statistics along the last axis of the points."""
    z = ground.elevation
    dry = ~np.isnan(z)
    # A hex all at sea gets zeros rather than warnings.
    z = np.where(dry.any(axis=-1, keepdims=True), z, 0.0)
    low, floor, middle, high = np.nanpercentile(z, [10, 20, 50, 90], axis=-1)
    land = ground.land.mean(axis=-1)
    grounds = np.maximum(dry.sum(axis=-1), 1)
    slope = np.where(dry, ground.slope, 0.0)
    return {
        "land": land,
        "lake": ground.lake.mean(axis=-1),
        "marsh": ground.marsh.mean(axis=-1),
        "elevation": np.nanmean(z, axis=-1),
        "low": low,
        "floor": floor,
        "middle": middle,
        "high": high,
        "peak": np.where(dry, ground.highest, 0.0).max(axis=-1),
        "relief": high - low,
        "slope": slope.sum(axis=-1) / grounds,
        "flat": ((slope < FLAT_SLOPE) & dry).sum(axis=-1) / grounds,
        **{name: ground.cover(classes).mean(axis=-1) for name, classes in COVER.items()},
    }


def _spots(lattice: Lattice) -> Floats:
    """Points spread evenly over a hex around (0, 0), its centre first."""
    step = 1.0 / RINGS
    turns = [(d - 2 if lattice.flat else d - 1.5) * np.pi / 3 for d in range(6)]
    # A point is inside if it lies on the inner side of all six sides, which are this far away.
    middles = [(np.cos(t + np.pi / 6), np.sin(t + np.pi / 6)) for t in turns]
    spots: list[tuple[float, float]] = [(0.0, 0.0)]
    for i in range(-RINGS, RINGS + 1):
        for j in range(-RINGS, RINGS + 1):
            if (i, j) == (0, 0):
                continue
            x, y = step * (i + j / 2), step * j * np.sqrt(3) / 2
            if all(x * mx + y * my < 0.866 for mx, my in middles):
                spots.append((x, float(y)))
    return np.array(spots)


class SideSurvey:
    """The statistics of every inner hexside of a lattice."""

    def __init__(
        self,
        lattice: Lattice,
        calibration: Calibration,
        geodata: Geodata,
        hexes: Mapping[str, Stats],
        is_water: Callable[[Hex], bool],
    ) -> None:
        self._lattice = lattice
        self.edges = lattice.edges(lattice.all_sides)
        page = np.array([_band(lattice, edge) for edge in self.edges])
        ground = Ground(calibration, geodata, page)
        z = np.where(np.isnan(ground.elevation), 0.0, ground.elevation)
        low, middle, high = np.percentile(z, [10, 50, 90], axis=-1)
        columns = {
            "mean": z.mean(axis=-1),
            "low": low,
            "high": high,
            "slope": ground.slope.mean(axis=-1),
            "flat": (ground.slope < FLAT_SLOPE).mean(axis=-1),
            "land": ground.land.mean(axis=-1),
            "lake": ground.lake.mean(axis=-1),
            "marsh": ground.marsh.mean(axis=-1),
        }
        self.stats: dict[Edge, dict[str, float]] = {}
        for i, edge in enumerate(self.edges):
            stats = {name: float(values[i]) for name, values in columns.items()}
            one, two = (hexes[lattice.code(hex)] for hex in lattice.edge_hexes(edge))
            stats["wet"] = float(sum(map(is_water, lattice.edge_hexes(edge))))
            stats["rise"] = float(middle[i]) - max(one["floor"], two["floor"])
            stats["step"] = abs(one["elevation"] - two["elevation"])
            for name in one:
                stats[f"min.{name}"] = min(one[name], two[name])
                stats[f"max.{name}"] = max(one[name], two[name])
            self.stats[edge] = stats

    def found(self, when: Sequence[str], among: Callable[[Hex], bool]) -> list[Edge]:
        """The sides between two hexes of a kind for which all conditions hold."""
        conditions = [Condition(text, known_side_stats()) for text in when]
        return [
            edge
            for edge, stats in self.stats.items()
            if all(among(hex) for hex in self._lattice.edge_hexes(edge))
            and all(condition.holds(stats) for condition in conditions)
        ]


def known_side_stats() -> list[str]:
    """The names that conditions on hexsides may use, less the prefixes min. and max."""
    return [*SIDE_STATS, *HEX_STATS]


def side_ends(lattice: Lattice, edge: Edge) -> tuple[Floats, Floats]:
    """The two corners at the ends of a hexside."""
    hex, other = lattice.edge_hexes(edge)
    d = lattice.direction(hex, other)
    corners = lattice.corners(hex)
    return np.array(corners[d]), np.array(corners[(d + 1) % 6])


def _band(lattice: Lattice, edge: Edge) -> Floats:
    """Points along a hexside and a little to both sides of it."""
    a, b = side_ends(lattice, edge)
    along = np.linspace(0.04, 0.96, 15)[:, None]
    line = a + (b - a) * along
    across = np.array([-(b - a)[1], (b - a)[0]])
    return np.vstack([line + across * off for off in (-0.1, 0.0, 0.1)])
