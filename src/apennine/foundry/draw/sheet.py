"""The sheet that the painters work on: layers, definitions, legend and labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from apennine.board import Board

from .curves import PathText, Point, number, rounded
from .labels import Labels, Stretch
from .page import Page
from .themes import ROOT

LAYERS = (
    "sea",
    "terrain",
    "relief",
    "symbols",
    "sides",
    "rivers",
    "water",
    "grid",
    "roads",
    "bridges",
    "regions",
    "lines",
    "supply",
    "places",
    "labels",
    "names",
    "codes",
    "hexes",
    "boxes",
    "units",
    "legend",
)
"""All layers, from the bottom up. Each is a group with an id such as `layer-sea`."""


class Entry(NamedTuple):
    """A line of the legend: what it shows, in words, and a sample drawn around a point."""

    chapter: str
    label: str
    sample: Callable[[float, float], str]


class Sheet:
    """A drawing under way."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.page = Page(board)
        self.labels = Labels(self.page)
        self.layers: dict[str, list[str]] = {name: [] for name in LAYERS}
        self.defs: list[str] = []
        self.rules: list[str] = []
        self.legend: list[Entry] = []
        self.names: list[tuple[str, list[Point]]] = []
        """Names of rivers, to be written along their courses."""
        self.streams: list[list[Point]] = []
        """The courses of all rivers, as they are drawn."""
        self.titles: list[tuple[str, list[Point], str]] = []
        """Names of lines, each with its line and the class of its colour."""
        self.waters: list[tuple[str, list[Point]]] = []
        """Names of lakes that lie along hexsides."""

    def add(self, layer: str, *elements: str) -> None:
        """Draw elements on a layer, over what it has."""
        self.layers[layer] += elements

    def explain(self, chapter: str, label: str, sample: Callable[[float, float], str]) -> None:
        """Give something a line in the legend."""
        self.legend.append(Entry(chapter, label, sample))


def ref(name: str) -> str:
    """The id of a definition: ids are shared with the page that the drawing is put into."""
    return f"{ROOT}-{name}"


def defined(name: str, content: str) -> str:
    """A group to be used by its name.

    It has the class of the root: a browser matches selectors inside what is used as if nothing
    stood around it, and every rule of the style sheet begins with that class.
    """
    return f'<g id="{ref(name)}" class="{ROOT}">{content}</g>'


def path(d: PathText | str, cls: str, extra: str = "", title: str = "") -> str:
    """A path element."""
    head = f'<path class="{cls}" d="{d}"{extra}'
    return f"{head}><title>{escape(title)}</title></path>" if title else f"{head}/>"


def use(name: str, point: Point, extra: str = "") -> str:
    """A definition used at a point."""
    return f'<use href="#{ref(name)}" x="{number(point[0])}" y="{number(point[1])}"{extra}/>'


def text(words: str, point: Point, cls: str, extra: str = "") -> str:
    """A text element."""
    x, y = number(point[0]), number(point[1])
    return f'<text class="{cls}" x="{x}" y="{y}"{extra}>{escape(words)}</text>'


def along(sheet: Sheet, words: str, stretch: Stretch, cls: str) -> str:
    """A text element that follows a line, which it keeps among the definitions."""
    name = ref(f"way-{len(sheet.defs)}")
    sheet.defs.append(f'<path id="{name}" d="{rounded(stretch.line)}"/>')
    return (
        f'<text class="{cls}" dy="{number(stretch.foot)}"><textPath href="#{name}">'
        f"{escape(words)}</textPath></text>"
    )


def group(elements: Iterable[str], attributes: str = "") -> str:
    """A group element."""
    return f"<g{attributes}>{''.join(elements)}</g>"


def attribute(name: str, value: object) -> str:
    """An attribute, with a blank before it."""
    return f" {name}={quoteattr(str(value))}"
