"""A made-up coast, as geographic data and as a recipe: mountains in the east, the sea in the west.

About 10 km a hex. One river, the Fiume, winds from the mountains to the sea; the Rio joins it.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

NORTH, WEST, STEP = 43.0, 12.0, 0.01
HEIGHT, WIDTH = 140, 160
COAST = 12.55  # longitude

RECIPE = """
title = "The Valley"
scale = "10 km to a hex"
credits = ["Nobody else."]

[sources.book]
kind = "rulebook"
text = "The Valley, first edition"

[sources.survey]
kind = "geography"
text = "a survey"

[lattice]
source = "book"
kind = "columns"
code = "CCRR"
shifted = "even"
columns = [10, 19]
rows = [10, 18]

[calibration]
kind = "similarity"

[[control]]
place = "Porto"
lat = 42.3
lon = 12.6
hex = "1415"

[[control]]
place = "Monte"
lat = 42.5
lon = 13.1
hex = "1812"

[[control]]
place = "Borgo"
lat = 42.15
lon = 12.9
hex = "1716"
by = "anchor"

[terrain]
source = "survey"
legend = { c = "clear", m = "mountain", "~" = "sea", l = "lake" }
rules = [
    { name = "lake", when = ["lake >= 0.5"] },
    { name = "mountain", when = ["elevation >= 700"] },
    { name = "clear" },
]

[numbers.elevation]
source = "survey"
stat = "elevation"

[[rivers]]
name = "river"
source = "survey"
take = ["Fiume", "Rio"]

[[roads]]
name = "road"
source = "survey"
routes = [
    { name = "Via Nuova", follow = "statali 7", via = ["Porto", "Borgo", "Monte"] },
]

[[roads]]
name = "track"
source = "survey"
under = ["road"]
nets = [{ follow = "main" }]

[[roads]]
name = "rail"
source = "survey"
year = 1890
routes = [{ name = "Ferrovia", follow = "rails", via = ["Porto", "Borgo"] }]

[places]
source = "survey"
list = [
    { name = "Porto", kinds = ["town"], numbers = { vp = 3 } },
    { name = "Borgo", kinds = ["town"] },
    { name = "Monte" },
]
towns = [{ population = 5000, kinds = ["town"] }]

[[lines]]
name = "winter"
source = "book"
title = "Winter Line"
attacker = "right"
points = [[42.42, 12.5], [42.42, 12.9], [42.4, 13.3]]

[map.kinds.town]
may = ["vp"]

[map.supply.south]
source = "book"
side = "blue"
hexes = ["block 1018 1918", "not terrain sea"]

[allowed]
weaves = [{ road = "Via Nuova", river = "Fiume", at = "1716/1715 1715/1814", why = "two bridges" }]

[[facts]]
source = "rule 3"
hex = "1415"
place = "Porto"
terrain = "clear"
coastal = true
"""


def line(name: str, *points: tuple[float, float], **facts: Any) -> dict[str, Any]:
    """A feature of lines, its points given as latitude and longitude."""
    coordinates = [[[lon, lat] for lat, lon in points]]
    geometry = {"type": "MultiLineString", "coordinates": coordinates}
    return {"type": "Feature", "properties": {"name": name, **facts}, "geometry": geometry}


def box(name: str, south: float, west: float, north: float, east: float) -> dict[str, Any]:
    """A rectangle as an area."""
    ring = [[west, south], [east, south], [east, north], [west, north], [west, south]]
    geometry = {"type": "Polygon", "coordinates": [ring]}
    return {"type": "Feature", "properties": {"name": name}, "geometry": geometry}


FIUME = [(42.62, 13.2), (42.5, 12.95), (42.25, 12.95), (42.22, 12.75), (42.4, 12.72), (42.4, 12.5)]


def write_geodata(folder: Path) -> Path:
    """Write all files of a directory of geographic data."""
    lon = WEST + (np.arange(WIDTH) + 0.5) * STEP
    rise = np.clip((lon - 12.9) * 3000, 20, 1500)
    z = np.where(lon < COAST, -32768, rise)
    grid = {"lat_north": NORTH, "lon_west": WEST, "step_deg": STEP}
    flat = np.tile(z, (HEIGHT, 1))
    np.savez(folder / "elev_12s.npz", z=flat.astype(np.int16), **grid)
    tops = np.maximum(flat, 0).astype(np.int16)
    np.savez(folder / "relief_30s.npz", zmin=tops, zmax=tops, **grid)
    cover = np.where(lon > 13.2, 3, 1)
    np.savez(folder / "landcover_15s.npz", lc=np.tile(cover, (HEIGHT, 1)).astype(np.uint8), **grid)
    collections: dict[str, list[dict[str, Any]]] = {
        "land": [box("mainland", 41.6, COAST, 43.0, 13.6), box("rock", 42.30, 12.1, 42.34, 12.15)],
        "lakes": [box("Lago", 42.0, 13.0, 42.03, 13.04)],
        "wetlands_osm": [],
        "historic_wetlands_approx": [box("Palude", 42.0, 12.6, 42.2, 12.7)],
        # The course comes in two pieces, upside down, with a gap, as such data does.
        "rivers": [
            line("Fiume", *reversed(FIUME[3:]), km=60, basin_km2=900),
            line("Fiume", *FIUME[:3], (42.225, 12.8), km=60, basin_km2=900),
            line("Rio", (42.05, 13.1), (42.1, 12.95), (42.235, 12.9), km=30, basin_km2=200),
            line("Rio", (41.7, 13.5), (41.7, 13.3), km=10, basin_km2=20),
        ],
        "roads_statali": [line("Via Nuova", (42.3, 12.6), (42.15, 12.9), (42.5, 13.1), ss=7)],
        "roads_main": [
            line("", (42.6, 12.7), (42.3, 12.6), ref="SP1", **{"class": "primary"}),
            line("Autostrada", (42.6, 12.7), (42.5, 13.1), ref="A1", **{"class": "motorway"}),
        ],
        "roads_secondary": [],
        "railways_1839_1913": [
            line("", (42.3, 12.6), (42.1, 12.7), (42.15, 12.9), opened=1880, line="Porto-Borgo"),
            line("", (42.3, 12.6), (42.5, 13.1), opened=1905, line="Porto-Monte"),
        ],
        "railways_osm": [],
    }
    for name, features in collections.items():
        text = json.dumps({"type": "FeatureCollection", "features": features})
        (folder / f"{name}.geojson").write_text(text, encoding="utf-8")
    (folder / "towns_geonames.csv").write_text(
        "geonameid,name,lat,lon,country,admin1,population,osm_class\n"
        "1,Campo,42.6,12.7,IT,1,9000,town\n2,Ward,42.6,12.71,IT,1,90000,\n",
        encoding="utf-8",
    )
    (folder / "places_osm.csv").write_text(
        "name,lat,lon,class,osm_extract\nBorgo,42.15,12.9,village,x\n", encoding="utf-8"
    )
    (folder / "peaks_osm.csv").write_text("name,lat,lon,ele_m\n", encoding="utf-8")
    return folder
