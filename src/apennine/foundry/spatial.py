"""The few things that shapely and scipy do for the foundry, with types.

Neither library tells its types; whatever is untyped stays in this file.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Bools: TypeAlias = npt.NDArray[np.bool_]
Ints: TypeAlias = npt.NDArray[np.intp]

_shapely: Any = importlib.import_module("shapely")
_kd: Any = importlib.import_module("scipy.spatial").KDTree


class Area:
    """A polygon with holes, or several, in longitude and latitude."""

    def __init__(self, geometry: dict[str, Any]) -> None:
        self._shape: Any = _shapely.geometry.shape(geometry)
        _shapely.prepare(self._shape)
        west, south, east, north = self._shape.bounds
        self.bounds: tuple[float, float, float, float] = (west, south, east, north)

    @property
    def size(self) -> float:
        """Its area in square degrees, good for ranking only."""
        return float(self._shape.area)

    @property
    def centre(self) -> tuple[float, float]:
        """Longitude and latitude of a point that is surely inside."""
        point: Any = self._shape.representative_point()
        return float(point.x), float(point.y)

    def holds(self, lon: Floats, lat: Floats) -> Bools:
        """Which of the points lie inside."""
        west, south, east, north = self.bounds
        found = np.zeros(lon.shape, dtype=np.bool_)
        near = (lon >= west) & (lon <= east) & (lat >= south) & (lat <= north)
        if near.any():
            found[near] = _shapely.contains_xy(self._shape, lon[near], lat[near])
        return found


def covered(areas: Iterable[Area], lon: Floats, lat: Floats) -> Bools:
    """Which of the points lie in any of the areas."""
    order = np.argsort(lon, axis=None, kind="stable")
    lons, lats = lon.ravel()[order], lat.ravel()[order]
    sorted_found = np.zeros(lons.shape, dtype=np.bool_)
    for area in areas:
        # Most areas are small: only the points between their meridians are looked at.
        first, last = np.searchsorted(lons, (area.bounds[0], area.bounds[2]))
        sorted_found[first:last] |= area.holds(lons[first:last], lats[first:last])
    found = np.empty(lons.shape, dtype=np.bool_)
    found[order] = sorted_found
    return found.reshape(lon.shape)


class Nearness:
    """How far points are from a cloud of points."""

    def __init__(self, points: Floats) -> None:
        self.points = points
        self._tree: Any = _kd(points)

    def distance(self, points: Floats) -> Floats:
        """The distance of each point to the nearest of the cloud."""
        distance, _ = self._tree.query(points)
        return np.asarray(distance, dtype=np.float64)

    def pairs(self, reach: float) -> list[tuple[int, int]]:
        """All pairs of points of the cloud at most that far apart, in order."""
        found: Any = self._tree.query_pairs(reach, output_type="ndarray")
        return sorted((int(i), int(j)) for i, j in found.tolist())

    def nearest(self, point: Sequence[float] | Floats) -> int:
        """The index of the nearest point of the cloud."""
        _, index = self._tree.query(point)
        return int(index)


def densified(line: Floats, step: float) -> Floats:
    """A line with points at most `step` apart, all of its own among them."""
    if len(line) < 2:
        return line
    lengths = np.hypot(*np.diff(line, axis=0).T)
    counts = np.maximum(1, np.ceil(lengths / step)).astype(np.intp)
    pieces: list[Floats] = []
    for i in range(len(line) - 1):
        n = int(counts[i])
        pieces.append(line[i] + (line[i + 1] - line[i]) * (np.arange(n) / n)[:, None])
    return np.vstack([*pieces, line[-1:]])


def length_of(line: Floats) -> float:
    """The length of a line."""
    return float(np.hypot(*np.diff(line, axis=0).T).sum()) if len(line) > 1 else 0.0


def crossings(line: Floats, a: tuple[float, float], b: tuple[float, float]) -> int:
    """How often a line crosses the stretch from a to b."""
    lo = np.minimum(a, b)
    hi = np.maximum(a, b)
    p, q = line[:-1], line[1:]
    near = np.all((np.maximum(p, q) >= lo) & (np.minimum(p, q) <= hi), axis=1)
    p, q = p[near], q[near]
    if not len(p):
        return 0
    ax, ay = a
    bx, by = b

    def side(points: Floats) -> Floats:
        return (bx - ax) * (points[:, 1] - ay) - (by - ay) * (points[:, 0] - ax)

    along = q - p
    to_a = along[:, 0] * (ay - p[:, 1]) - along[:, 1] * (ax - p[:, 0])
    to_b = along[:, 0] * (by - p[:, 1]) - along[:, 1] * (bx - p[:, 0])
    meets = ((side(p) > 0) != (side(q) > 0)) & ((to_a > 0) != (to_b > 0))
    return int(meets.sum())
