"""Reads the directory of geographic data. Its files and their fields are in docs/foundry.md.

Everything is read when first asked for, and lines and areas are kept only as far as they touch
the window of the map.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .mistakes import FoundryError
from .spatial import Area, Floats

SEA = -32768


class Window(NamedTuple):
    """What part of the earth a map needs, in degrees."""

    south: float
    west: float
    north: float
    east: float

    def overlaps(self, south: float, west: float, north: float, east: float) -> bool:
        """Whether a box of degrees touches the window."""
        return not (
            south > self.north or north < self.south or west > self.east or east < self.west
        )


class Raster(NamedTuple):
    """A grid of cells, the northern row first."""

    values: npt.NDArray[Any]
    north: float
    west: float
    step: float

    def at(self, lat: Floats, lon: Floats) -> npt.NDArray[Any]:
        """The values of the cells in which points lie; of the nearest cell beyond the grid."""
        rows, columns = self.values.shape
        i = np.clip(((self.north - lat) / self.step).astype(np.intp), 0, rows - 1)
        j = np.clip(((lon - self.west) / self.step).astype(np.intp), 0, columns - 1)
        return self.values[i, j]


class Way(NamedTuple):
    """A river, road or railway: what is known of it, and its pieces as longitude, latitude."""

    facts: dict[str, Any]
    pieces: list[Floats]

    @property
    def name(self) -> str:
        """Its name, if it has one."""
        return str(self.facts.get("name") or "")


class Named(NamedTuple):
    """An area with a name: a lake, a piece of land, a marsh."""

    name: str
    area: Area
    facts: dict[str, Any]


class Town(NamedTuple):
    """A town of the gazetteer."""

    name: str
    lat: float
    lon: float
    population: int
    kind: str


class Peak(NamedTuple):
    """A summit."""

    name: str
    lat: float
    lon: float
    height: float


class Geodata:
    """One directory of geographic data, seen through the window of a map."""

    def __init__(self, folder: Path | str, window: Window) -> None:
        self._folder = Path(folder)
        self._window = window
        if not self._folder.is_dir():
            raise FoundryError(f"{folder}: There is no such directory of geographic data.")

    def _path(self, name: str) -> Path:
        path = self._folder / name
        if not path.exists():
            raise FoundryError(f"{path}: The geographic data lacks this file.")
        return path

    def _raster(self, name: str, field: str) -> Raster:
        with np.load(self._path(name)) as data:
            north, west = float(data["lat_north"]), float(data["lon_west"])
            return Raster(data[field], north, west, float(data["step_deg"]))

    @cached_property
    def elevation(self) -> Raster:
        """Mean elevation of land in metres; `SEA` at sea."""
        return self._raster("elev_12s.npz", "z")

    @cached_property
    def lowest(self) -> Raster:
        """The lowest point of each cell of 30 seconds."""
        return self._raster("relief_30s.npz", "zmin")

    @cached_property
    def highest(self) -> Raster:
        """The highest point of each cell of 30 seconds."""
        return self._raster("relief_30s.npz", "zmax")

    @cached_property
    def landcover(self) -> Raster:
        """Classes of land cover, numbered as in `COVER`."""
        return self._raster("landcover_15s.npz", "lc")

    @cached_property
    def slope(self) -> Raster:
        """Steepness of the ground, as rise over run between neighbouring cells."""
        z = np.where(self.elevation.values == SEA, 0, self.elevation.values).astype(np.float32)
        step = np.radians(self.elevation.step) * 6371000.0
        rows = np.arange(z.shape[0], dtype=np.float32)
        lat = np.radians(self.elevation.north - (rows + 0.5) * self.elevation.step)
        down, across = np.gradient(z)
        across = across / np.cos(lat)[:, None]
        slope = np.hypot(down, across) / np.float32(step)
        return Raster(slope, self.elevation.north, self.elevation.west, self.elevation.step)

    def _features(self, name: str) -> list[dict[str, Any]]:
        try:
            found: list[dict[str, Any]] = json.loads(self._path(name).read_text(encoding="utf-8"))[
                "features"
            ]
        except (json.JSONDecodeError, KeyError):
            raise FoundryError(f"{self._folder / name}: This is no GeoJSON collection.") from None
        return found

    def _ways(self, name: str) -> list[Way]:
        ways: list[Way] = []
        for feature in self._features(name):
            geometry = feature["geometry"]
            raw: Sequence[Any] = geometry["coordinates"]
            parts: Sequence[Any] = [raw] if geometry["type"] == "LineString" else raw
            lines = [np.asarray(part, dtype=np.float64)[:, :2] for part in parts if len(part) > 1]
            pieces = [line for line in lines if self._sees(line)]
            if pieces:
                ways.append(Way(feature["properties"], pieces))
        return ways

    def _sees(self, line: Floats) -> bool:
        (west, south), (east, north) = line.min(axis=0), line.max(axis=0)
        return self._window.overlaps(float(south), float(west), float(north), float(east))

    def _areas(
        self, name: str, keep: Callable[[dict[str, Any]], bool] | None = None
    ) -> list[Named]:
        areas: list[Named] = []
        for feature in self._features(name):
            facts = feature["properties"]
            if keep is not None and not keep(facts):
                continue
            area = Area(feature["geometry"])
            west, south, east, north = area.bounds
            if self._window.overlaps(south, west, north, east):
                areas.append(Named(str(facts.get("name") or ""), area, facts))
        return areas

    @cached_property
    def land(self) -> list[Named]:
        """Land, in polygons."""
        return self._areas("land.geojson")

    @cached_property
    def lakes(self) -> list[Named]:
        """Lakes and lagoons, without reservoirs that are marked as modern."""
        return self._areas("lakes.geojson", lambda facts: not facts.get("modern_reservoir"))

    @cached_property
    def marshes(self) -> list[Named]:
        """Wetlands of today and, roughly, of before the drainage."""
        return self._areas("wetlands_osm.geojson") + self._areas("historic_wetlands_approx.geojson")

    @cached_property
    def rivers(self) -> list[Way]:
        """Rivers, with `name`, `km` and `basin_km2`."""
        return self._ways("rivers.geojson")

    @cached_property
    def main_roads(self) -> list[Way]:
        """Trunk and primary roads with `ref` and `name`; motorways are left out as modern."""
        ways = self._ways("roads_main.geojson")
        return [way for way in ways if way.facts.get("class") != "motorway"]

    @cached_property
    def secondary_roads(self) -> list[Way]:
        """Secondary roads with `ref`."""
        return self._ways("roads_secondary.geojson")

    @cached_property
    def state_roads(self) -> list[Way]:
        """The old state roads, with their number `ss` and `name`."""
        return self._ways("roads_statali.geojson")

    @cached_property
    def _old_railways(self) -> list[Way]:
        return self._ways("railways_1839_1913.geojson")

    def railways(self, year: int) -> list[Way]:
        """Railways opened up to a year, 1913 at the latest."""
        return [way for way in self._old_railways if int(way.facts["opened"]) <= year]

    @cached_property
    def modern_railways(self) -> list[Way]:
        """Railways of today."""
        return self._ways("railways_osm.geojson")

    def _table(self, name: str) -> list[dict[str, str]]:
        with self._path(name).open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        window = self._window
        return [
            row
            for row in rows
            if window.overlaps(*(float(row[f]) for f in ("lat", "lon", "lat", "lon")))
        ]

    @cached_property
    def towns(self) -> list[Town]:
        """Towns of the gazetteer, the largest first; wards of cities are left out."""
        towns = [
            Town(
                row["name"],
                float(row["lat"]),
                float(row["lon"]),
                int(row["population"] or 0),
                row["osm_class"],
            )
            for row in self._table("towns_geonames.csv")
            if row["osm_class"]
        ]
        return sorted(towns, key=lambda town: (-town.population, town.name, town.lat))

    @cached_property
    def hamlets(self) -> list[Town]:
        """All places down to hamlets and suburbs; their populations are not known."""
        return [
            Town(row["name"], float(row["lat"]), float(row["lon"]), 0, row["class"])
            for row in self._table("places_osm.csv")
        ]

    @cached_property
    def peaks(self) -> list[Peak]:
        """Summits, the highest first."""
        return [
            Peak(row["name"], float(row["lat"]), float(row["lon"]), float(row["ele_m"]))
            for row in self._table("peaks_osm.csv")
        ]


COVER = {
    "water": (0,),
    "crops": (1, 2, 9),
    "forest": (3,),
    "shrub": (4,),
    "grass": (5,),
    "bare": (6,),
    "urban": (7,),
    "snow": (8,),
}
"""The classes of land cover that make up each statistic."""
