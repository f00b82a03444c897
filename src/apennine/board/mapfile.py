"""Reading a map file. All that is wrong with it is gathered and told at once."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from apennine.hexes import Hex, HexError, bits

from .context import Context
from .features import Features
from .ground import Ground, read_numbering
from .hexsets import HexSets
from .mistakes import MapError, Notes
from .model import Board, Place
from .notation import Notation
from .sites import Sites
from .tables import (
    BridgesTable,
    CoursesTable,
    GridTable,
    KindTable,
    LatticeTable,
    LineTable,
    NumbersTable,
    RegionTable,
    SidesTable,
    SupplyTable,
    read_top,
)


def read_map(path: Path | str) -> Board:
    """Read a map file.

    Raises `MapError`, which lists every mistake in the file or says why it cannot be read.
    """
    notes = Notes(str(path))
    try:
        text = Path(path).read_text(encoding="utf-8")
    except FileNotFoundError:
        notes.add("", "There is no such file.")
    except UnicodeDecodeError:
        notes.add("", "The file is not UTF-8 text.")
    except OSError as error:
        notes.add("", f"The file cannot be read: {error.strerror}.")
    else:
        return parse_map(text, str(path))
    raise MapError(notes.mistakes)


def parse_map(text: str, file: str = "map.toml") -> Board:
    """Read a map from the text of a map file; messages call it by the name `file`."""
    notes = Notes(file)
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        notes.add("", f"This is not valid TOML: {error}.")
        raise MapError(notes.mistakes) from None
    return make_map(raw, file)


def make_map(raw: Mapping[str, Any], file: str = "map.toml") -> Board:
    """Make a map of the plain data of a map file, with corrections or without."""
    notes = Notes(file)
    board = _read(raw, notes)
    if board is None or notes.mistakes:
        raise MapError(notes.mistakes)
    return board


def _read(raw: Mapping[str, Any], notes: Notes) -> Board | None:
    """Read the tables in the order in which they build on each other."""
    top = read_top(raw, notes)
    context = Context(notes, top.sources)
    # The shape of every table is looked at first: it does not depend on the hexes.
    number_tables = context.tables(top.numbers, NumbersTable, "numbers")
    side_tables = context.tables(top.sides, SidesTable, "sides")
    road_tables = context.tables(top.roads, CoursesTable, "roads")
    through_tables = context.tables(top.through, CoursesTable, "through")
    bridge_tables = context.tables(top.bridges, BridgesTable, "bridges")
    line_tables = context.tables(top.lines, LineTable, "lines")
    region_tables = context.tables(top.regions, RegionTable, "regions")
    kind_tables = context.tables(top.kinds, KindTable, "kinds")
    supply_tables = context.tables(top.supply, SupplyTable, "supply")
    place_entries = context.entries(top.places, "places")
    box_entries = context.entries(top.boxes, "boxes")
    side_terrain_table = context.optional(top.side_terrain, GridTable, "side-terrain")
    terrain_table = context.optional(top.terrain, GridTable, "terrain")
    lattice_table = context.optional(top.lattice, LatticeTable, "lattice")
    numbering = None if lattice_table is None else read_numbering(context, lattice_table)
    if numbering is None or terrain_table is None:
        return None
    try:
        ground = Ground(context, numbering, terrain_table)
    except HexError as error:
        notes.add("terrain.grid", str(error))
        return None

    lattice = ground.lattice
    features = Features(context, lattice)
    sides = {} if side_terrain_table is None else ground.side_terrain(side_terrain_table)
    side_features = {
        name: features.side_feature(table, f"sides.{name}") for name, table in side_tables.items()
    }
    for name, feature in side_features.items():
        if name in sides:
            notes.add(f"sides.{name}", "[side-terrain] has a terrain of this name.")
        sides[name] = feature.sides
    roads = {name: features.road(table, f"roads.{name}") for name, table in road_tables.items()}
    through = {
        name: features.through(table, f"through.{name}") for name, table in through_tables.items()
    }
    lines = {name: features.line(table, f"lines.{name}") for name, table in line_tables.items()}
    region_terms = {name: table.hexes for name, table in region_tables.items()}
    streams = {name: feature.hexes | feature.headwaters for name, feature in through.items()}
    hexsets = HexSets(Notation(lattice, notes), ground.terrain, lines, region_terms, streams)
    sites = Sites(context, lattice, hexsets, kind_tables)
    regions = hexsets.regions()
    places = sites.places(place_entries)
    boxes = sites.boxes(box_entries)
    box_locations = {box.name: box.location for box in boxes}
    kinds = dict.fromkeys(kind_tables, 0)
    places_at: dict[Hex, tuple[Place, ...]] = {}
    for place in places.values():
        for kind in place.kinds & kinds.keys():
            kinds[kind] |= place.hexes
        for hex in bits(place.hexes):
            places_at[hex] = (*places_at.get(hex, ()), place)

    return Board(
        title=top.title,
        scale=top.scale,
        north=top.north,
        credits=tuple(top.credits),
        lattice=lattice,
        terrain=ground.terrain,
        letters=ground.letters,
        sides=sides,
        over={
            name: feature.over
            for name, feature in side_features.items()
            if side_tables[name].directed
        },
        runs={name: feature.runs for name, feature in side_features.items()},
        roads={name: road.sides for name, road in roads.items()},
        road_hexes={name: road.hexes for name, road in roads.items()},
        courses={name: road.courses for name, road in roads.items()},
        through=through,
        bridges={
            name: features.bridges(table, f"bridges.{name}", roads, sides, through)
            for name, table in bridge_tables.items()
        },
        numbers={
            name: MappingProxyType(ground.numbers(table, f"numbers.{name}"))
            for name, table in number_tables.items()
        },
        places=places,
        boxes=boxes,
        regions=regions,
        lines=lines,
        supply={
            name: sites.supply(table, f"supply.{name}", box_locations)
            for name, table in supply_tables.items()
        },
        sources=context.sources,
        kinds=kinds,
        _terrain_at=ground.terrain_at,
        _places_at=places_at,
        _box_locations=box_locations,
    )
