"""What goes over the wire about the games themselves."""

from __future__ import annotations

from msgspec import Struct


class GameScenario(Struct):
    """One way to start a game."""

    key: str
    title: str
    summary: str
    turns: int


class GameSwitch(Struct):
    """An optional rule."""

    key: str
    title: str
    rule: str
    default: bool


class GamePack(Struct):
    """A pack that is laid over a game."""

    name: str
    title: str
    source: str


class GameInfo(Struct):
    """A game for the lobby."""

    key: str
    title: str
    summary: str
    sides: list[str]
    scenarios: list[GameScenario]
    switches: list[GameSwitch]
    bots: list[str]
    bot: str
    bot_titles: dict[str, str]
    """What each of them is called: the level that it stands for, if it does."""
    length: str
    difficulty: str
    guided: bool
    odds: bool
    """Whether attacks can be put together from nothing."""
    overlays: list[str]
    map: str
    """The address of the drawn map, with its fingerprint."""
    style: str
    """The address of the map's style sheet."""
    thumbnail: str
    packs: list[GamePack] = []
    """Corrections that are laid over its data, in this order."""


class RuleRow(Struct):
    """A rule of the ledger, in our own words."""

    id: str
    scope: str
    kind: str
    obligation: str
    ruling: str = ""


class ChartTable(Struct):
    """A chart of the game."""

    key: str
    title: str
    source: str
    reconstructed: bool
    columns: list[str]
    rows: list[list[str]]
    note: str = ""
    rule: str = ""


class GuideHint(Struct):
    """A hint of the guided game, for the first time that this phase or verb comes up."""

    title: str
    text: str
    rule: str = ""
    phase: str = ""
    verb: str = ""


class HexInfo(Struct, omit_defaults=True):
    """Where a hex lies on the drawing, and what is there."""

    i: int
    """Its number, as options have it."""
    x: float
    y: float
    terrain: str
    place: str = ""


class BoxInfo(Struct):
    """A box beside the map."""

    name: str
    title: str
    i: int
    """Its number, as options have it."""
    x: float
    y: float
    w: float
    h: float


class BoardInfo(Struct):
    """The geometry of the drawn map, in the units of its SVG."""

    left: float
    top: float
    width: float
    height: float
    corners: list[tuple[float, float]]
    hexes: dict[str, HexInfo]
    boxes: list[BoxInfo]
    overlays: list[str]
    reconstructed: list[str]
