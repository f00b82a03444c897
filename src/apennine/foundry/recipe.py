"""The recipe of a map and its overlay of hand corrections: their keys and types.

A recipe says what is to be taken from the data; an overlay says where the data is wrong. Both are
TOML. Tables that a map file has too ([lattice], [sources], and all under [map]) are copied.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Struct, field

from .mistakes import FoundryError

Terms: TypeAlias = str | list[str]
"""Hexes in words, as in a map file: `block 1001 2010`, `within 2 of 1505`, `not 1203`."""

Point: TypeAlias = tuple[float, float]
"""Latitude and longitude in degrees."""

RECIPES = Path(__file__).parent / "recipes"
GAMES = Path(__file__).parent.parent / "games"


class Extent(Struct, forbid_unknown_fields=True):
    """Which hexes of the numbering's rectangle are on the map.

    `top` and `bottom` cut the page at a height, in hex heights below the top left hex of the
    rectangle (below A0 on an oblique map), centres of hexes counting; `left` and `right` in
    columns (half columns count). `hexes` are terms that start from all of these. `sea_margin`
    drops sea further than that many hexes from land.
    """

    top: float | None = None
    bottom: float | None = None
    left: float | None = None
    right: float | None = None
    hexes: list[str] = field(default_factory=lambda: ["all"])
    sea_margin: int | None = None


class Fit(Struct, forbid_unknown_fields=True):
    """How hexes are laid on the earth.

    A `similarity` (turned and scaled) or an `affine` map is fitted to the control points that the
    book gives. `slack` says how far from the centre of its hex a control point may lie before the
    warp pulls it in: 0 pins it to the centre, 1 allows it up to the hexsides.
    """

    kind: Literal["similarity", "affine"] = "affine"
    slack: float = 0.7


class Control(Struct, forbid_unknown_fields=True):
    """A place whose hex is known.

    `book` points come from the rulebook: they are fitted, warped to, and checked. An `anchor` is
    the map-maker's: it only steers the warp, where the book is silent.
    """

    place: str
    lat: float
    lon: float
    hex: str
    by: Literal["book", "anchor"] = "book"
    source: str = ""


class Rule(Struct, forbid_unknown_fields=True):
    """What a hex or hexside is when all conditions hold, such as `relief >= 250`."""

    name: str
    when: list[str] = []


class TerrainRecipe(Struct, forbid_unknown_fields=True):
    """`[terrain]`: the first rule that holds gives a hex its terrain.

    `land` is the share of land from which a hex counts as land; islands of fewer than
    `smallest_island` hexes drown unless one of their hexes is in `islands`, and enclosed sea of
    fewer hexes than `smallest_sea` is filled. `min_patch` merges patches of the terrains that it
    names, if they have fewer hexes, into what surrounds them most. Roads keep out of the sea and
    of the terrains in `water`, and rivers end there; rivers may also end in those in `lagoon`,
    which are land. A hex with a place counts as land, unless
    `towns_are_land` is off. `built` gives the terrain of hexes that hold a place of a kind, where a
    town is a terrain of its own.
    """

    source: str
    legend: dict[str, str]
    rules: list[Rule]
    land: float = 0.4
    sea: str = "sea"
    water: list[str] = field(default_factory=lambda: ["lake"])
    lagoon: list[str] = []
    islands: list[str] = []
    smallest_island: int = 4
    smallest_sea: int = 4
    min_patch: dict[str, int] = {}
    towns_are_land: bool = True
    built: dict[str, str] = {}
    by: Literal["rows", "columns"] = "rows"


class SideTerrainRecipe(Struct, forbid_unknown_fields=True):
    """`[side-terrain]`: the first rule that holds gives a hexside its terrain."""

    source: str
    legend: dict[str, str]
    rules: list[Rule]
    by: Literal["rows", "columns"] = "rows"


class SidesRecipe(Struct, forbid_unknown_fields=True):
    """`[[sides]]`: a hexside feature found by rule, such as mountain hexsides or crests.

    Connected pieces of fewer than `min_run` hexsides are dropped. Hexes of the terrains in `around`
    have the feature on all their sides to other land, whatever the rule says. A `directed` feature
    is written uphill, from the lower hex into the higher one.
    """

    name: str
    source: str
    when: list[str] = []
    around: list[str] = []
    min_run: int = 1
    directed: bool = False


class LakeRecipe(Struct, forbid_unknown_fields=True):
    """`[[lakes]]`: a lake too small for a hex, shown on the `sides` hexsides nearest to it."""

    name: str
    feature: str
    source: str
    title: str = ""
    sides: int = 1


class NumbersRecipe(Struct, forbid_unknown_fields=True):
    """`[numbers.NAME]`: a statistic of each hex, rounded; nothing is written for sea."""

    source: str
    stat: str
    step: int = 10
    sea: int = 0


class River(Struct, forbid_unknown_fields=True):
    """One river to take.

    `name` is the name in the data (`title` the one on the map), or, with `points`, a course drawn
    by hand as latitudes and longitudes from source to mouth. `parts` are further names in the data
    of the same course, such as the arm of a delta. Of several rivers of a name the longest is
    taken, or with `near` the one that comes nearest to the point. `start` and `end` cut the course
    at the points of it nearest to them. `joins` names the river it runs into where the data does
    not show it.
    """

    name: str
    title: str = ""
    parts: list[str] = []
    near: Point | None = None
    start: Point | None = None
    end: Point | None = None
    points: list[Point] = []
    joins: str = ""


class RiverClass(Struct, forbid_unknown_fields=True):
    """`[[rivers]]`: rivers of one class, on hexsides (`sides`) or through hexes (`through`).

    `take` are names or tables; `min_basin` (square kilometres) and `min_km` take all other named
    rivers of that size as well, but for those in `skip`. Courses of fewer than `min_sides` steps
    are dropped. With `coast` the last step of a river through hexes goes into the sea.
    """

    name: str
    source: str
    mode: Literal["sides", "through"] = "sides"
    take: list[str | River] = []
    min_basin: float | None = None
    min_km: float = 0.0
    skip: list[str] = []
    min_sides: int = 2
    coast: bool = True


class Route(Struct, forbid_unknown_fields=True):
    """A road or railway from place to place.

    `via` are names of places, hexes, or an edge hex with the direction in which the road leaves
    the map (`3424 (S)`). `follow` says which lines it keeps to: `statali 7` (a state road by its
    number), `main` or `secondary` (all such roads), `main SS62` (by reference), `rails` (railways
    opened up to `year` of the class), `rails-osm`, or nothing; `points` are a line drawn by hand.
    """

    via: list[str]
    name: str = ""
    follow: list[str] | str = []
    points: list[Point] = []


class Net(Struct, forbid_unknown_fields=True):
    """A network of unnamed roads between neighbouring places.

    All places of the `kinds` (without kinds: all) that are no more than `reach` hexes apart, with
    no third place between them, are joined where at least `share` of the way follows real lines.
    """

    follow: list[str] | str
    kinds: list[str] = []
    reach: int = 12
    share: float = 0.6


class RoadClass(Struct, forbid_unknown_fields=True):
    """`[[roads]]`: roads of one class. Steps that a class in `under` has are left out.

    `climb` is what a step into each terrain costs more than into others, and `bridge` what one over
    each hexside feature does: so a road beside a river keeps to its bank. With `within`, only steps
    into or out of these terrains are kept, where roads matter in mountains alone; `rest` names a
    class for all the other steps, so that they are drawn too. With `straight`, a route that only
    touches a hex on its way past leaves it aside.
    """

    name: str
    source: str
    routes: list[Route] = []
    nets: list[Net] = []
    under: list[str] = []
    climb: dict[str, float] = {}
    bridge: dict[str, float] = {}
    within: list[str] = []
    rest: str = ""
    straight: bool = False
    year: int = 1913


class PlaceRecipe(Struct, forbid_unknown_fields=True):
    """One of `places.list`: where it is by `hex`, by `at`, or by its name in the data.

    `known_as` is the name in the data if the map uses another; `hexes` are further hexes.
    """

    name: str
    kinds: list[str] = []
    numbers: dict[str, int] = {}
    hex: str = ""
    at: Point | None = None
    known_as: str = ""
    hexes: list[str] = []
    source: str = ""


class TownsRecipe(Struct, forbid_unknown_fields=True):
    """One of `places.towns`: all towns of that many people today become places of some kinds.

    Only one, the largest, is taken of those that are less than `apart` hexes from each other.
    """

    population: int
    kinds: list[str] = []
    apart: int = 1
    skip: list[str] = []


class PlacesRecipe(Struct, forbid_unknown_fields=True):
    """`[places]`."""

    source: str
    entries: list[PlaceRecipe] = field(name="list", default_factory=list[PlaceRecipe])
    towns: list[TownsRecipe] = []


class LineRecipe(Struct, forbid_unknown_fields=True):
    """`[[lines]]`: a fortified line, a front or a boundary drawn by hand as points.

    As `sides` it runs along hexsides, as `hexes` through hexes. `attacker` says on which hand of
    the drawn direction the attacker stands; the line then has a direction. `along` names features
    of hexsides, such as rivers, that the line keeps to where they are near. `scenes` are the
    scenarios or dates for which it is drawn.
    """

    name: str
    source: str
    points: list[Point]
    title: str = ""
    mode: Literal["sides", "hexes"] = "sides"
    attacker: Literal["left", "right"] | None = None
    along: list[str] = []
    scenes: list[str] = []


class Fact(Struct, forbid_unknown_fields=True):
    """`[[facts]]`: what the book says of a hex or a hexside, checked in the finished map.

    `hex` may name several hexes, `side` a hexside `2419/2520`. Of hexes: `terrain` (one of these),
    `place` (lies there), `kind`, `road` and `through` (classes that run there), `rivers` (how many
    courses run through), `headwater` (class that rises there), `region`, `coastal` (next to sea).
    Of hexsides: `has`, `lacks` (features), `road`, `no_road` (classes
    that cross there), `run` (name of a run there). `neighbours` lists hexes that each touch the
    next; `apart` two hexes and their distance; `line` is a line that a side or hex is part of.
    """

    source: str
    says: str = ""
    hex: str = ""
    side: str = ""
    terrain: list[str] | str = []
    place: str = ""
    kind: str = ""
    region: str = ""
    line: str = ""
    road: list[str] | str = []
    no_road: list[str] | str = []
    through: list[str] | str = []
    rivers: int | None = None
    headwater: str = ""
    has: list[str] | str = []
    lacks: list[str] | str = []
    run: str = ""
    coastal: bool | None = None
    neighbours: str = ""
    apart: tuple[str, str, int] | None = None


class AllowedWeave(Struct, forbid_unknown_fields=True):
    """A road that truly crosses one river more than once within a few steps, and why.

    `at` are the bridges, as hexsides: `2810/2910 2910/2909`.
    """

    road: str
    river: str
    at: str
    why: str


class Allowed(Struct, forbid_unknown_fields=True):
    """`[allowed]`: exceptions from the general checks, each with a reason in a comment.

    `stray` hexes may be single land or sea hexes; `islands` may be cut off from the largest land;
    `ends` are rivers that may end in the middle of the land; `apart` are classes of roads that
    need not hang together; places of the kinds in `at_sea` may lie in the sea; `weaves` are roads
    that cross one river again and again.
    """

    stray: list[str] = []
    islands: list[str] = []
    ends: list[str] = []
    apart: list[str] = []
    at_sea: list[str] = []
    weaves: list[AllowedWeave] = []


class Recipe(Struct, forbid_unknown_fields=True):
    """The whole recipe of a map."""

    title: str
    scale: str
    sources: dict[str, dict[str, str]]
    lattice: dict[str, Any]
    calibration: Fit
    control: list[Control]
    terrain: TerrainRecipe
    places: PlacesRecipe
    extent: Extent = field(default_factory=Extent)
    side_terrain: SideTerrainRecipe | None = field(default=None, name="side-terrain")
    sides: list[SidesRecipe] = []
    lakes: list[LakeRecipe] = []
    numbers: dict[str, NumbersRecipe] = {}
    rivers: list[RiverClass] = []
    roads: list[RoadClass] = []
    lines: list[LineRecipe] = []
    map: dict[str, Any] = {}
    facts: list[Fact] = []
    bands: dict[str, tuple[int, int]] = {}
    """How many hexes of a terrain the map should have: the least and the most."""
    allowed: Allowed = field(default_factory=Allowed)
    credits: list[str] = []


class CoursesEdit(Struct, forbid_unknown_fields=True):
    """What an edit adds to and removes from courses, runs and lines."""

    add: list[str] = []
    remove: list[str] = []
    replace: list[str] = []


class PlacesEdit(Struct, forbid_unknown_fields=True):
    """Places that an edit adds (as in a map file), changes (by name) and removes."""

    add: list[dict[str, Any]] = []
    change: dict[str, dict[str, Any]] = {}
    remove: list[str] = []


class Edit(Struct, forbid_unknown_fields=True):
    """`[[edit]]`: one correction, with its reason.

    Hexes are written as in a map file. `terrain` gives hexes by terrain and takes effect before
    rivers and roads are laid. In `sides`, `roads`, `through` and `lines`, `remove` takes hexsides
    (or steps between hexes) `2419/2520` away, `replace` puts new courses in the place of all those
    of the same name, and `add` adds courses. A feature that the recipe does not have needs a
    `source`.
    """

    why: str
    source: str = ""
    terrain: dict[str, Terms] = {}
    side_terrain: dict[str, list[str]] = field(
        default_factory=dict[str, list[str]], name="side-terrain"
    )
    numbers: dict[str, dict[str, int]] = {}
    sides: dict[str, CoursesEdit] = {}
    roads: dict[str, CoursesEdit] = {}
    through: dict[str, CoursesEdit] = {}
    lines: dict[str, CoursesEdit] = {}
    places: PlacesEdit = field(default_factory=PlacesEdit)


class Overlay(Struct, forbid_unknown_fields=True):
    """The whole overlay: edits, applied in order, last of all."""

    edit: list[Edit] = []


_File = TypeVar("_File", Recipe, Overlay)


def read_recipe(key: str, folder: Path = RECIPES) -> Recipe:
    """Read `KEY.toml`."""
    return _read(folder / f"{key}.toml", Recipe)


def read_overlay(key: str, folder: Path = RECIPES) -> Overlay:
    """Read `KEY-overlay.toml`; a map without that file has no corrections."""
    path = folder / f"{key}-overlay.toml"
    return _read(path, Overlay) if path.exists() else Overlay()


def map_path(key: str, games: Path = GAMES) -> Path:
    """Where the built map of a game lies."""
    return games / key / "data" / "map.toml"


def listed(value: list[str] | str) -> list[str]:
    """One word or several, as a list."""
    return [value] if isinstance(value, str) else value


def _read(path: Path, cls: type[_File]) -> _File:
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), cls)
    except FileNotFoundError:
        raise FoundryError(f"{path}: There is no such file.") from None
    except tomllib.TOMLDecodeError as error:
        raise FoundryError(f"{path}: This is not valid TOML: {error}.") from None
    except msgspec.ValidationError as error:
        raise FoundryError(f"{path}: {error}.") from None
