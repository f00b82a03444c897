"""Hexes on the earth: from the hex numbers of a book to latitude and longitude, and back.

A similarity or an affine map is fitted to the places whose hexes the book names, and a thin-plate
warp then moves each of them into its hex, bending the rest of the map as little as it can. Only
what a control point lies outside the inner part of its hex is warped away, so a place that the
fit puts well inside its hex stays where it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from apennine.hexes import Hex, HexError, Lattice

from .mistakes import FoundryError
from .recipe import Recipe
from .spatial import Floats

EARTH_KM = 6371.0


class ControlPoint(NamedTuple):
    """A place whose hex is known; only those to be `fitted` decide on scale and turn."""

    place: str
    lat: float
    lon: float
    hex: str
    fitted: bool = True


class Plane:
    """The country on a plane, in kilometres from its middle: stereographic, true to angles."""

    def __init__(self, lat: float, lon: float) -> None:
        self._sin, self._cos = np.sin(np.radians(lat)), np.cos(np.radians(lat))
        self._lon = lon

    def project(self, lat: Floats, lon: Floats) -> Floats:
        """East and north of the middle, in kilometres."""
        phi, turn = np.radians(lat), np.radians(lon - self._lon)
        sin, cos = np.sin(phi), np.cos(phi)
        k = 2 * EARTH_KM / (1 + self._sin * sin + self._cos * cos * np.cos(turn))
        east = k * cos * np.sin(turn)
        north = k * (self._cos * sin - self._sin * cos * np.cos(turn))
        return np.stack([east, north], axis=-1)

    def unproject(self, points: Floats) -> tuple[Floats, Floats]:
        """Latitude and longitude of points of the plane."""
        east, north = points[..., 0], points[..., 1]
        rho = np.maximum(np.hypot(east, north), 1e-12)
        c = 2 * np.arctan(rho / (2 * EARTH_KM))
        sin, cos = np.sin(c), np.cos(c)
        lat = np.degrees(np.arcsin(cos * self._sin + north * sin * self._cos / rho))
        turn = np.arctan2(east * sin, rho * self._cos * cos - north * self._sin * sin)
        return lat, self._lon + np.degrees(turn)


class Calibration:
    """From latitude and longitude to the page of a lattice (its pixel units), and back."""

    def __init__(
        self,
        lattice: Lattice,
        points: Sequence[ControlPoint],
        *,
        similarity: bool = False,
        slack: float = 0.7,
    ) -> None:
        self.lattice = lattice
        self.points = tuple(points)
        fitted = [p for p in points if p.fitted]
        if len(points) < 3 or len(fitted) < (2 if similarity else 3):
            raise FoundryError(
                "A calibration needs three control points, and as many to fit an affine map "
                "(two for a similarity)."
            )
        lat = np.array([p.lat for p in points])
        lon = np.array([p.lon for p in points])
        self._plane = Plane(float(lat.mean()), float(lon.mean()))
        places = self._plane.project(lat, lon)
        centres = np.array([self._centre(p) for p in points])
        chosen = np.array([p.fitted for p in points])
        self._matrix, self._offset = _fitted(places[chosen], centres[chosen], similarity)
        fit = places @ self._matrix + self._offset
        targets = np.array(
            [_pulled_in(lattice, tuple(c), tuple(f), slack) for c, f in zip(centres, fit)]
        )
        self.residuals = np.hypot(*(fit - centres).T) / np.sqrt(3.0)
        """How far the fit alone puts each control point from the centre of its hex, in hexes."""
        self._knots = places
        self._weights, self._bend = _warp(places, targets - fit)

    def _centre(self, point: ControlPoint) -> tuple[float, float]:
        try:
            return self.lattice.pixel(self.lattice.parse(point.hex))
        except HexError as error:
            raise FoundryError(f"The control point {point.place}: {error}") from None

    def to_page(self, lat: Floats, lon: Floats) -> Floats:
        """The points of the page where latitudes and longitudes lie."""
        return self._on_page(self._plane.project(np.asarray(lat), np.asarray(lon)))

    def _on_page(self, places: Floats) -> Floats:
        page = places @ self._matrix + self._offset
        page = page + self._bend[0] + places @ self._bend[1:]
        for knot, weight in zip(self._knots, self._weights):
            square = ((places - knot) ** 2).sum(axis=-1)
            page = page + _plate(square)[..., None] * weight
        return page

    def _slope(self, places: Floats) -> Floats:
        """How the page moves with the place: for each point a matrix of derivatives."""
        slope = np.broadcast_to(
            (self._matrix + self._bend[1:]).T, (*places.shape[:-1], 2, 2)
        ).copy()
        for knot, weight in zip(self._knots, self._weights):
            away = places - knot
            square = (away**2).sum(axis=-1)
            grow = (np.log(np.maximum(square, 1e-18)) + 1.0)[..., None] * away
            slope += weight[:, None] * grow[..., None, :]
        return slope

    def to_earth(self, page: Floats) -> tuple[Floats, Floats]:
        """Latitude and longitude of points of the page."""
        page = np.asarray(page, dtype=np.float64)
        places = (page - self._offset) @ np.linalg.inv(self._matrix)
        for _ in range(60):
            off = page - self._on_page(places)
            if float(np.abs(off).max(initial=0.0)) < 1e-9:
                return self._plane.unproject(places)
            step = np.linalg.solve(self._slope(places), off[..., None])[..., 0]
            # A long step may leap over a bend of the warp; half a hex at a time does not.
            reach = np.hypot(step[..., 0], step[..., 1])[..., None]
            limit = 0.5 * self.km_per_hex
            places = places + step * np.minimum(1.0, limit / np.maximum(reach, 1e-12))
        raise FoundryError("The warp folds: some hexes have no place on the earth. Move anchors.")

    @property
    def km_per_hex(self) -> float:
        """The distance from hex to hex, in kilometres, that the fit found."""
        return float(np.sqrt(3.0 / abs(np.linalg.det(self._matrix))))

    @property
    def north(self) -> float:
        """Where north lies on the page: degrees clockwise from its top."""
        x, y = self._matrix[1]
        return float(np.degrees(np.arctan2(x, -y)))

    def hex_of(self, lat: float, lon: float) -> Hex:
        """The hex in which a point lies, -1 if it is off the lattice."""
        x, y = self.to_page(np.array([lat]), np.array([lon]))[0].tolist()
        return self.lattice.hex_at(x, y)

    def folds(self, lattice: Lattice | None = None) -> list[str]:
        """Where neighbouring hexes lose their order on the earth: nothing, if the warp is sane."""
        lattice = lattice or self.lattice
        hexes = list(lattice)
        lat, lon = self.to_earth(np.array([lattice.pixel(hex) for hex in hexes]))
        flat = self._plane.project(lat, lon)
        where = {hex: flat[i] for i, hex in enumerate(hexes)}
        sense = np.sign(np.linalg.det(self._matrix))
        found: list[str] = []
        for hex in hexes:
            for d in range(6):
                a, b = lattice.neighbour(hex, d), lattice.neighbour(hex, (d + 1) % 6)
                if a < 0 or b < 0:
                    continue
                one, two = where[a] - where[hex], where[b] - where[hex]
                turn = one[0] * two[1] - one[1] * two[0]
                if turn * sense <= 0:
                    codes = " ".join(lattice.code(h) for h in (hex, a, b))
                    found.append(f"The warp folds at {codes}.")
        return found


def calibrate(recipe: Recipe, lattice: Lattice) -> Calibration:
    """The calibration of a recipe on the lattice of its whole rectangle."""
    points = [ControlPoint(c.place, c.lat, c.lon, c.hex, c.by == "book") for c in recipe.control]
    fit = recipe.calibration
    return Calibration(lattice, points, similarity=fit.kind == "similarity", slack=fit.slack)


def _plate(square: Floats) -> Floats:
    """The thin plate, r² log r², of the square of r."""
    return square * np.log(np.maximum(square, 1e-18))


def _fitted(places: Floats, centres: Floats, similarity: bool) -> tuple[Floats, Floats]:
    """The matrix and the offset that take places best to the centres of their hexes."""
    n = len(places)
    if not similarity:
        terms = np.hstack([places, np.ones((n, 1))])
        solution = np.asarray(np.linalg.lstsq(terms, centres, rcond=None)[0], dtype=np.float64)
        return solution[:2], solution[2]
    # On the page y grows downward: x = aE + bN + c and y = bE - aN + d keep the shape.
    east, north = places.T
    zero, one = np.zeros(n), np.ones(n)
    terms = np.vstack(
        [
            np.stack([east, north, one, zero], axis=1),
            np.stack([-north, east, zero, one], axis=1),
        ]
    )
    a, b, c, d = np.linalg.lstsq(terms, np.concatenate(centres.T), rcond=None)[0].tolist()
    return np.array([[a, b], [b, -a]]), np.array([c, d])


def _warp(places: Floats, moves: Floats) -> tuple[Floats, Floats]:
    """Weights of the thin plates at the places, and the flat part: 1, east, north."""
    n = len(places)
    square = ((places[:, None] - places[None]) ** 2).sum(axis=-1)
    flat = np.hstack([np.ones((n, 1)), places])
    left = np.block([[_plate(square), flat], [flat.T, np.zeros((3, 3))]])
    if np.linalg.matrix_rank(flat) < 3 or float(np.min(square + 1e9 * np.eye(n))) < 1e-6:
        raise FoundryError("The control points of a calibration must not all lie in one line.")
    right = np.vstack([moves, np.zeros((3, 2))])
    solution = np.asarray(np.linalg.solve(left, right), dtype=np.float64)
    return solution[:n], solution[n:]


def _pulled_in(
    lattice: Lattice, centre: tuple[float, ...], point: tuple[float, ...], slack: float
) -> tuple[float, float]:
    """The point itself if it is in the inner part of the hex, or the nearest point of that."""
    inner = max(0.02, min(slack, 0.98))
    turns = [(d - 2 if lattice.flat else d - 1.5) * np.pi / 3 for d in range(6)]
    corners = [
        (centre[0] + inner * float(np.cos(t)), centre[1] + inner * float(np.sin(t))) for t in turns
    ]
    best, least = (centre[0], centre[1]), float("inf")
    inside = True
    for i, (ax, ay) in enumerate(corners):
        bx, by = corners[(i + 1) % 6]
        if (bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax) < 0:
            inside = False
        t = (point[0] - ax) * (bx - ax) + (point[1] - ay) * (by - ay)
        t = max(0.0, min(1.0, t / ((bx - ax) ** 2 + (by - ay) ** 2)))
        near = (ax + t * (bx - ax), ay + t * (by - ay))
        off = (near[0] - point[0]) ** 2 + (near[1] - point[1]) ** 2
        if off < least:
            best, least = near, off
    return (point[0], point[1]) if inside else best


def misplaced(calibration: Calibration, lattice: Lattice) -> Iterable[str]:
    """The control points that do not lie in their hexes."""
    for point in calibration.points:
        hex = calibration.hex_of(point.lat, point.lon)
        if hex < 0 or lattice.code(hex) != point.hex:
            found = lattice.code(hex) if hex >= 0 else "off the map"
            yield f"{point.place} lies in {found}, not in {point.hex}."
