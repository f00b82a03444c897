"""Builds a map: from a recipe, an overlay and a directory of geographic data to a map file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from apennine.hexes import Lattice, mask_of

from .calibration import Calibration, calibrate
from .draft import Draft
from .geodata import Geodata, Window
from .lattices import whole_lattice
from .lines import lay_lakes, lay_lines, lay_sides
from .mistakes import FoundryError
from .overlay import correct, correct_terrain
from .places import PlaceFinder, Site, put_places, settle
from .recipe import Overlay, Recipe
from .rivers import RiverLayer
from .roads import RoadLayer
from .sample import HexSurvey, Rules, SideSurvey, Stats, known_side_stats
from .terrain import land_of, outlined, terrain_of
from .write import map_text


class Built(NamedTuple):
    """The text of a map file, and what the map-maker should know of how it came about."""

    text: str
    notes: list[str]


def build(recipe: Recipe, overlay: Overlay, geodata: Path | str, key: str) -> Built:
    """Build a map."""
    whole = whole_lattice(recipe)
    calibration = calibrate(recipe, whole)
    if folds := calibration.folds():
        raise FoundryError(folds[0])
    data = Geodata(geodata, _window(whole, calibration))
    stats: Mapping[str, Stats] = HexSurvey(whole, calibration, data).stats
    sites = PlaceFinder(recipe, whole, calibration, data).sites()
    land = land_of(whole, stats, recipe.terrain, _dry_towns(whole, sites, stats))
    lattice = Lattice(whole.numbering, outlined(whole, recipe.extent, land))
    on_land = mask_of(h for h in lattice if land >> whole.parse(lattice.code(h)) & 1)
    draft = Draft(
        lattice,
        terrain_of(lattice, on_land, stats, recipe.terrain),
        _north(whole, calibration),
        recipe.terrain.sea,
        frozenset(recipe.terrain.water),
        frozenset(recipe.terrain.lagoon),
        tables=_copied(recipe.map),
    )
    correct_terrain(draft, overlay, recipe.terrain.legend.values())
    present = {lattice.code(hex) for hex in lattice}
    notes = put_places(draft, [site for site in sites if site.code in present])
    settle(draft, recipe.terrain)
    for name, numbers in recipe.numbers.items():
        draft.numbers[name] = {
            hex: _stepped(stats[lattice.code(hex)][numbers.stat], numbers.step)
            for hex in lattice
            if not draft.is_sea(hex)
        }
    rivers = RiverLayer(draft, calibration, data)
    rivers.lay(recipe.rivers)
    lay_lakes(draft, calibration, data, recipe.lakes)
    if recipe.sides or recipe.side_terrain is not None:
        survey = SideSurvey(lattice, calibration, data, stats, draft.is_water)
        lay_sides(draft, survey, stats, recipe.sides)
        _side_terrain(draft, recipe, survey)
    lay_lines(draft, calibration, recipe.lines)
    roads = RoadLayer(draft, calibration, data)
    roads.lay(recipe.roads)
    correct(draft, overlay)
    return Built(map_text(draft, recipe, key), notes + rivers.notes + roads.notes)


def _north(lattice: Lattice, calibration: Calibration) -> int:
    """Which way north is in the middle of the map, in degrees clockwise from the top."""
    middle = np.array([lattice.pixel(hex) for hex in lattice]).mean(axis=0)[None, :]
    lat, lon = calibration.to_earth(middle)
    (x, y), (to_x, to_y) = calibration.to_page(np.append(lat, lat + 0.1), np.append(lon, lon))
    return round(float(np.degrees(np.arctan2(to_x - x, y - to_y))))


def _window(lattice: Lattice, calibration: Calibration) -> Window:
    """The part of the earth under the map, and a little more."""
    lat, lon = calibration.to_earth(np.array([lattice.pixel(hex) for hex in lattice]))
    margin = calibration.km_per_hex / 80.0
    return Window(
        float(lat.min()) - margin,
        float(lon.min()) - margin,
        float(lat.max()) + margin,
        float(lon.max()) + margin,
    )


def _dry_towns(whole: Lattice, sites: list[Site], stats: Mapping[str, Stats]) -> list[int]:
    """The hexes that must be land because a place is there, and some land with it."""
    return [whole.parse(site.code) for site in sites if stats[site.code]["land"] >= 0.1]


def _stepped(value: float, step: int) -> int:
    return round(value / step) * step


def _side_terrain(draft: Draft, recipe: Recipe, survey: SideSurvey) -> None:
    if recipe.side_terrain is None:
        return
    rules = Rules(recipe.side_terrain.rules, known_side_stats())
    known = set(recipe.side_terrain.legend.values())
    for edge, stats in survey.stats.items():
        name = rules.name(stats)
        if name not in known:
            codes = "/".join(draft.lattice.code(h) for h in draft.lattice.edge_hexes(edge))
            raise FoundryError(f"No rule of the hexside terrain fits {codes}.")
        draft.side_terrain[edge] = name


def _copied(tables: Mapping[str, Any]) -> dict[str, Any]:
    known = ("bridges", "kinds", "boxes", "lines", "regions", "supply")
    for name in tables:
        if name not in known:
            raise FoundryError(f"[map.{name}] cannot be copied; it is one of {', '.join(known)}.")
    return dict(tables)
