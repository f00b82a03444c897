"""Places: where the recipe's towns, cities and other sites lie on the map."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from apennine.hexes import Hex, HexError, Lattice

from .calibration import Calibration
from .draft import Draft, PlaceDraft
from .geodata import Geodata
from .mistakes import FoundryError
from .recipe import PlaceRecipe, Recipe, TerrainRecipe


class Site(NamedTuple):
    """Where a place lies: on the page, and in which hex of the whole rectangle."""

    entry: PlaceRecipe
    point: tuple[float, float]
    code: str


class PlaceFinder:
    """Finds places by hex, by latitude and longitude, or by name."""

    def __init__(
        self, recipe: Recipe, lattice: Lattice, calibration: Calibration, geodata: Geodata
    ) -> None:
        self._recipe = recipe
        self._lattice = lattice
        self._calibration = calibration
        self._geodata = geodata
        self._controls = {c.place: (c.lat, c.lon) for c in recipe.control}

    def sites(self) -> list[Site]:
        """All places of the recipe, and the towns taken by their size after them."""
        sites = [self._site(entry) for entry in self._recipe.places.entries]
        names = {site.entry.name for site in sites}
        for rule in self._recipe.places.towns:
            for town in self._geodata.towns:
                if town.population < rule.population or town.name in names | set(rule.skip):
                    continue
                entry = PlaceRecipe(town.name, list(rule.kinds), at=(town.lat, town.lon))
                hex, point = self._located(town.lat, town.lon)
                if hex < 0:
                    continue
                near = (self._lattice.distance(hex, self._lattice.parse(s.code)) for s in sites)
                if min(near, default=rule.apart) >= rule.apart:
                    sites.append(Site(entry, point, self._lattice.code(hex)))
                    names.add(town.name)
        return sites

    def _site(self, entry: PlaceRecipe) -> Site:
        where = f"The place {entry.name!r}"
        degrees = entry.at or self._controls.get(entry.name)
        if degrees is None and not entry.hex:
            degrees = self._looked_up(entry.known_as or entry.name)
            if degrees is None:
                raise FoundryError(
                    f"{where} is not in the data under the map; give it 'at' or 'hex'."
                )
        hex, point = self._located(*degrees) if degrees else (-1, (0.0, 0.0))
        if entry.hex:
            try:
                named = self._lattice.parse(entry.hex)
            except HexError as error:
                raise FoundryError(f"{where}: {error}") from None
            if hex != named:
                hex, point = named, self._lattice.pixel(named)
        if hex < 0:
            raise FoundryError(f"{where} lies off the map.")
        return Site(entry, point, self._lattice.code(hex))

    def _located(self, lat: float, lon: float) -> tuple[Hex, tuple[float, float]]:
        x, y = self._calibration.to_page(np.array([lat]), np.array([lon]))[0].tolist()
        return self._lattice.hex_at(x, y), (x, y)

    def _looked_up(self, name: str) -> tuple[float, float] | None:
        """The largest town of that name on the map, or the first smaller place."""
        for town in [*self._geodata.towns, *self._geodata.hamlets]:
            if town.name == name and self._located(town.lat, town.lon)[0] >= 0:
                return town.lat, town.lon
        return None


def put_places(draft: Draft, sites: list[Site]) -> list[str]:
    """Put places into the draft; a town in the sea moves to the nearest land next to it."""
    lattice = draft.lattice
    notes: list[str] = []
    for site in sites:
        entry = site.entry
        try:
            hexes = [lattice.parse(code) for code in [site.code, *entry.hexes]]
        except HexError as error:
            raise FoundryError(f"The place {entry.name!r}: {error}") from None
        point = site.point
        if draft.is_sea(hexes[0]) and not entry.hex:
            shore = [h for h in lattice.neighbours(hexes[0]) if not draft.is_sea(h)]
            if not shore:
                raise FoundryError(f"The place {entry.name!r} lies in the sea, far from land.")
            hexes[0] = min(shore, key=lambda h: (_square(lattice.pixel(h), point), h))
            moved = f"from {site.code} to {lattice.code(hexes[0])}"
            notes.append(f"{entry.name} was moved {moved}, out of the sea.")
            point = lattice.pixel(hexes[0])
        if entry.name in draft.places:
            raise FoundryError(f"Two places are called {entry.name!r}.")
        draft.places[entry.name] = PlaceDraft(
            entry.name, hexes, list(entry.kinds), dict(entry.numbers), entry.source, point
        )
    return notes


def settle(draft: Draft, recipe: TerrainRecipe) -> None:
    """Give the hexes of towns their terrain, where a town is a terrain."""
    for kind, terrain in recipe.built.items():
        if terrain not in recipe.legend.values():
            raise FoundryError(f"The legend of the terrain has no letter for {terrain!r}.")
        for place in draft.places.values():
            if kind in place.kinds:
                draft.terrain.update(dict.fromkeys(place.hexes, terrain))


def _square(a: tuple[float, float], b: tuple[float, float]) -> float:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2
