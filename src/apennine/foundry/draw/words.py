"""What the names on a map mean to a draughtsman.

Maps name their terrain, hexsides, roads, lines and places as their books do. The first word of a
list that is part of a name decides how the thing is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias, TypeVar

_Kind = TypeVar("_Kind", bound=str)

Ground: TypeAlias = Literal[
    "sea",
    "lake",
    "marsh",
    "city",
    "town",
    "forest",
    "alpine",
    "mountain",
    "hill",
    "rough",
    "desert",
    "beyond",
    "clear",
]
"""A kind of terrain in a hex."""

Side: TypeAlias = Literal[
    "major-river",
    "minor-river",
    "river",
    "canal",
    "lake",
    "sea",
    "crest",
    "pass",
    "blocked",
    "alpine",
    "mountain",
    "marsh",
    "rough",
    "trench",
    "fort",
    "clear",
    "other",
]
"""A kind of hexside."""

Way: TypeAlias = Literal["rail", "major", "road", "minor"]
"""A class of road or rail."""

Trace: TypeAlias = Literal["front", "boundary", "trench", "fortified"]
"""A kind of line that the book draws."""

Icon: TypeAlias = Literal[
    "city",
    "minor-city",
    "town",
    "village",
    "port",
    "airfield",
    "peak",
    "fort",
    "beach",
    "crater",
    "battery",
    "depot",
    "objective",
    "dot",
]
"""What stands for a place."""

_GROUNDS: Mapping[str, Ground] = {
    "sea": "sea",
    "ocean": "sea",
    "lake": "lake",
    "lagoon": "lake",
    "water": "sea",
    "marsh": "marsh",
    "swamp": "marsh",
    "city": "city",
    "town": "town",
    "village": "town",
    "forest": "forest",
    "wood": "forest",
    "alp": "alpine",
    "high": "alpine",
    "mountain": "mountain",
    "hill": "hill",
    "rough": "rough",
    "broken": "rough",
    "desert": "desert",
    "crater": "desert",
    "beyond": "beyond",
    "unplayable": "beyond",
    "out-of-play": "beyond",
}

_SIDES: Mapping[str, Side] = {
    "major-river": "major-river",
    "main-river": "major-river",
    "minor-river": "minor-river",
    "stream": "minor-river",
    "river": "river",
    "canal": "canal",
    "lake": "lake",
    "sea": "sea",
    "water": "sea",
    "crest": "crest",
    "ridge": "crest",
    "cliff": "crest",
    "escarpment": "crest",
    "slope": "crest",
    "pass": "pass",
    "block": "blocked",
    "barrier": "blocked",
    "impassable": "blocked",
    "prohibited": "blocked",
    "high": "alpine",
    "alp": "alpine",
    "mountain": "mountain",
    "swamp": "marsh",
    "marsh": "marsh",
    "rough": "rough",
    "hill": "rough",
    "trench": "trench",
    "fort": "fort",
    "wall": "fort",
    "plain": "clear",
    "clear": "clear",
    "open": "clear",
    "low": "clear",
}

_WAYS: Mapping[str, Way] = {
    "rail": "rail",
    "train": "rail",
    "minor": "minor",
    "secondary": "minor",
    "track": "minor",
    "plain": "minor",
    "path": "minor",
    "major": "major",
    "main": "major",
    "primary": "major",
    "highway": "major",
}

_TRACES: Mapping[str, Trace] = {
    "front": "front",
    "trench": "trench",
    "bound": "boundary",
    "fold": "boundary",
    "control": "boundary",
    "limit": "boundary",
    "section": "boundary",
    "sector": "boundary",
    "edge": "boundary",
    "border": "boundary",
}

_ICONS: Mapping[str, Icon] = {
    "minor-city": "minor-city",
    "city": "city",
    "capital": "city",
    "town": "town",
    "village": "village",
    "port": "port",
    "harbour": "port",
    "air": "airfield",
    "peak": "peak",
    "summit": "peak",
    "mount": "peak",
    "fort": "fort",
    "beach": "beach",
    "landing": "beach",
    "invasion": "beach",
    "crater": "crater",
    "battery": "battery",
    "gun": "battery",
    "depot": "depot",
    "objective": "objective",
}

# Kinds of places that are an area or a name only, and have no sign in the middle of a hex.
_WATERS = ("sea", "gulf", "bay", "lake", "lagoon", "strait")
_LANDS = ("range", "massif", "plain", "valley", "region", "country", "area")
_ZONES = ("zone", "section", "sector")

HEIGHTS: Mapping[Ground, int] = {
    "sea": 0,
    "lake": 40,
    "marsh": 8,
    "city": 90,
    "town": 110,
    "clear": 70,
    "desert": 90,
    "beyond": 90,
    "forest": 170,
    "rough": 330,
    "hill": 380,
    "mountain": 950,
    "alpine": 1800,
}
"""How high ground is taken to be, in metres, where a map does not give its elevation."""

ROUGHNESS: Mapping[Ground, float] = {
    "forest": 14,
    "rough": 45,
    "hill": 40,
    "mountain": 105,
    "alpine": 170,
}
"""By how many metres ground goes up and down within a hex."""


def ground(terrain: str) -> Ground:
    """The kind of ground that a terrain is.

    >>> ground("high-mountain"), ground("plain")
    ('alpine', 'clear')
    """
    return _first(_GROUNDS, terrain) or "clear"


def side(name: str) -> Side:
    """The kind of hexside that a feature is.

    >>> side("high-apennine"), side("major-river"), side("tank-trap")
    ('alpine', 'major-river', 'other')
    """
    return _first(_SIDES, name) or "other"


def have_ground(sides: Iterable[str]) -> bool:
    """Whether a map says of every hexside what ground it is on, of plain ones too.

    >>> have_ground(["plain", "rough"]), have_ground(["mountain", "river"])
    (True, False)
    """
    return any(side(name) == "clear" for name in sides)


def way(name: str) -> Way:
    """The class of a road or railway."""
    return _first(_WAYS, name) or "road"


def trace(name: str, title: str) -> Trace:
    """The kind of a line, from its name or else from its title."""
    return _first(_TRACES, name) or _first(_TRACES, title.lower()) or "fortified"


def icons(kinds: Iterable[str]) -> list[Icon]:
    """What stands for a place of these kinds, the most important first.

    >>> icons({"port", "major-city"})
    ['city', 'port']
    """
    found = {icon for kind in kinds if (icon := _first(_ICONS, kind))}
    return [icon for icon in dict.fromkeys(_ICONS.values()) if icon in found]


def is_water_name(kinds: Iterable[str]) -> bool:
    """Whether a place is a stretch of water that only has a name."""
    return _any(_WATERS, kinds)


def is_land_name(kinds: Iterable[str]) -> bool:
    """Whether a place is a stretch of country that only has a name."""
    return _any(_LANDS, kinds)


def is_zone(kinds: Iterable[str]) -> bool:
    """Whether a place is a zone: an area with an outline."""
    return any(kind == zone or kind.endswith(f"-{zone}") for kind in kinds for zone in _ZONES)


def heading(name: str) -> str:
    """A name of the map file as a person would write it.

    >>> heading("major-river")
    'Major river'
    """
    words = name.replace("-", " ").replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def _first(known: Mapping[str, _Kind], name: str) -> _Kind | None:
    return next((kind for word, kind in known.items() if word in name), None)


def _any(words: Iterable[str], kinds: Iterable[str]) -> bool:
    return any(word == kind for kind in kinds for word in words)
