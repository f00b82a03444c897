"""A plain drawing of everything a map file says, to check the map by eye."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar
from xml.sax.saxutils import escape, quoteattr

from apennine.hexes import Hex, Sides, bits

from .model import Board, Course

_Value = TypeVar("_Value")

_FONT = "font-family='DejaVu Sans, Verdana, Arial, sans-serif'"
_MARGIN = 16.0
_TITLE_HEIGHT = 34.0
_LETTER_WIDTH = 7.2


class Style(NamedTuple):
    """How a feature is drawn; `width` is in parts of the size of a hex."""

    colour: str
    width: float = 0.1
    dash: str = ""


# The first word that is in a feature's name decides; other names take what is left in turn.
_TERRAIN = {
    "sea": "#b7d5e8",
    "lake": "#9cc6e3",
    "marsh": "#c3d3ae",
    "swamp": "#c3d3ae",
    "city": "#d3a79b",
    "town": "#e2c3b0",
    "forest": "#b4cd9c",
    "wood": "#b4cd9c",
    "high": "#ab8861",
    "mountain": "#c7a77f",
    "hill": "#ddc89c",
    "rough": "#ddc89c",
    "clear": "#f3edd8",
    "plain": "#f3edd8",
}
_OTHER_TERRAIN = ("#e8e0c0", "#d8d4c8", "#c9d6c9", "#d9c7d6", "#c7cfdc", "#e6cfa8")
_SIDES = {
    "major-river": Style("#2467a8", 0.22),
    "river": Style("#3d83c4", 0.12),
    "canal": Style("#3d83c4", 0.1, "4 2"),
    "sea": Style("#5a9bd0", 0.14),
    "lake": Style("#5a9bd0", 0.14),
    "water": Style("#5a9bd0", 0.14),
    "crest": Style("#6b4423", 0.12),
    "high": Style("#6b4423", 0.16),
    "mountain": Style("#7d5028", 0.2),
    "pass": Style("#2e8b57", 0.16),
    "blocked": Style("#a11d1d", 0.14),
    "barrier": Style("#a11d1d", 0.14),
    "swamp": Style("#6f8f4e", 0.12),
    "rough": Style("#b99a5b", 0.1),
    "plain": Style("#ddd5b8", 0.06),
}
_ROADS = {
    "rail": Style("#333333", 0.06, "5 3"),
    "major": Style("#a03c28", 0.14),
    "minor": Style("#a03c28", 0.06, "3 2"),
    "road": Style("#a03c28", 0.1),
}
_OTHER = (
    Style("#7b3fa0", 0.12),
    Style("#b0307a", 0.12),
    Style("#1f7a6d", 0.12),
    Style("#8a6d00", 0.12),
    Style("#4a4a8c", 0.12),
)


def draw_svg(
    board: Board,
    *,
    size: float = 24.0,
    codes: bool = True,
    regions: Sequence[str] = (),
    units: Mapping[int, str] | None = None,
) -> str:
    """Draw a map as SVG; the same map always gives the same text.

    `size` is the distance from the centre of a hex to its corner, `codes` prints the number of
    every hex, `regions` names the regions to be shaded, and `units` gives short labels for hexes
    and boxes. Every layer is a group with an id, every feature in it has a class of its own, and
    every hex an id (`hex-2419`).
    """
    return _Drawing(board, size).draw(codes, regions, units or {})


def to_png(svg: str) -> bytes:
    """Turn an SVG drawing into a PNG picture.

    Raises `ImportError` if the package `resvg-py`, which is needed for it, is not installed.
    """
    try:
        resvg = importlib.import_module("resvg_py")
    except ImportError:
        raise ImportError("A PNG picture needs a package more: pip install resvg-py.") from None
    return bytes(resvg.svg_to_bytes(svg_string=svg))


class _Drawing:
    """One drawing under way: lines of SVG, and the legend that grows with them."""

    def __init__(self, board: Board, size: float) -> None:
        self.board = board
        self.lattice = board.lattice
        self.size = size
        corners = [corner for hex in self.lattice for corner in self.lattice.corners(hex)]
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        self.left, self.top = min(xs), min(ys)
        self.right = (max(xs) - self.left) * size + _MARGIN
        self.bottom = (max(ys) - self.top) * size + _MARGIN + _TITLE_HEIGHT
        self.css: list[str] = []
        self.body: list[str] = []
        self.legend: list[tuple[str, str]] = []

    def draw(self, codes: bool, regions: Sequence[str], units: Mapping[int, str]) -> str:
        self.terrain()
        self.regions(regions)
        self.sides()
        self.through()
        self.roads()
        self.bridges()
        self.lines()
        self.supply()
        self.places()
        if codes:
            self.codes()
        self.units(units)
        self.boxes(units)
        self.key()
        longest = max(len(label) for _, label in self.legend)
        width = self.right + 2 * _MARGIN + 32 + longest * _LETTER_WIDTH
        legend_height = _TITLE_HEIGHT + _MARGIN + 20 * (len(self.legend) + 1)
        height = max(self.bottom + _MARGIN, legend_height)
        box = f"width='{_n(width)}' height='{_n(height)}' viewBox='0 0 {_n(width)} {_n(height)}'"
        subtitle = f" ({self.board.scale})" if self.board.scale else ""
        return "\n".join(
            [
                f"<svg xmlns='http://www.w3.org/2000/svg' {box} {_FONT}>",
                "<style>",
                "path, line { fill: none; stroke-linecap: round; stroke-linejoin: round }",
                "text { text-anchor: middle }",
                *self.css,
                "</style>",
                "<rect id='paper' width='100%' height='100%' fill='#ffffff'/>",
                f"<text id='title' x='{_n(_MARGIN)}' y='24' font-size='18' "
                f"style='text-anchor: start'>{escape(self.board.title + subtitle)}</text>",
                *self.body,
                "</svg>\n",
            ]
        )

    # Places on the page

    def point(self, x: float, y: float) -> tuple[float, float]:
        return (
            (x - self.left) * self.size + _MARGIN,
            (y - self.top) * self.size + _TITLE_HEIGHT + _MARGIN / 2,
        )

    def centre(self, hex: Hex) -> tuple[float, float]:
        return self.point(*self.lattice.pixel(hex))

    def side(self, hex: Hex, d: int) -> tuple[tuple[float, float], tuple[float, float]]:
        corners = self.lattice.corners(hex)
        return self.point(*corners[d]), self.point(*corners[(d + 1) % 6])

    def middle(self, hex: Hex, d: int) -> tuple[float, float]:
        (ax, ay), (bx, by) = self.side(hex, d)
        return (ax + bx) / 2, (ay + by) / 2

    # Layers

    def layer(self, name: str, lines: Iterable[str]) -> None:
        found = list(lines)
        if found:
            self.body += [f"<g id='{name}'>", *found, "</g>"]

    def style(self, cls: str, css: str, label: str) -> None:
        """A class, and its line in the legend."""
        self.css.append(f".{cls} {{ {css} }}")
        self.legend.append((cls, label))

    def stroke(self, cls: str, style: Style, label: str, extra: str = "") -> None:
        dash = f"; stroke-dasharray: {style.dash}" if style.dash else ""
        width = _n(style.width * self.size)
        self.style(cls, f"stroke: {style.colour}; stroke-width: {width}{dash}{extra}", label)

    def terrain(self) -> None:
        others = iter(_OTHER_TERRAIN * len(self.board.terrain))
        for name in self.board.terrain:
            colour = _by_name(_TERRAIN, name) or next(others)
            letter = self.board.letters[name]
            css = f"fill: {colour}; stroke: #8a8372; stroke-width: 0.5"
            self.style(f"terrain-{name}", css, f"{name} ({letter})")
        self.layer("terrain", map(self.hexagon, self.lattice))

    def hexagon(self, hex: Hex) -> str:
        code, name = self.lattice.code(hex), self.board.terrain_of(hex)
        title = " ".join([code, name, *(place.name for place in self.board.places_at(hex))])
        path = self.outline(hex)
        return (
            f"<path id='hex-{code}' class='terrain-{name}' d='{path}'>"
            f"<title>{escape(title)}</title></path>"
        )

    def outline(self, hex: Hex) -> str:
        return _path([self.point(*corner) for corner in self.lattice.corners(hex)]) + "Z"

    def regions(self, names: Sequence[str]) -> None:
        shapes: list[str] = []
        for name, style in zip(names, _OTHER * len(names)):
            css = f"fill: {style.colour}; fill-opacity: 0.3; stroke: none"
            self.style(f"region-{name}", css, f"region {name}")
            path = "".join(map(self.outline, bits(self.board.regions[name])))
            shapes.append(f"<path class='region-{name}' d='{path}'/>")
        self.layer("regions", shapes)

    def sides(self) -> None:
        shapes: list[str] = []
        for name, style in _styles(self.board.sides, _SIDES):
            ticks = " (ticks: the side it leads to)" if name in self.board.over else ""
            self.stroke(f"side-{name}", style, f"{name}{ticks}")
            path = self.side_path(self.board.sides[name])
            path += self.ticks(self.board.over.get(name))
            shapes.append(f"<path class='side-{name}' d='{path}'/>")
        self.layer("sides", shapes)

    def side_path(self, sides: Sides) -> str:
        # Every side is seen from two hexes: three of the six directions draw each once.
        return "".join(_path(self.side(hex, d)) for d in range(3) for hex in bits(sides[d]))

    def ticks(self, over: Sides | None) -> str:
        path = ""
        for d, mask in enumerate(over or ()):
            for hex in bits(mask):
                (x, y), (mx, my) = self.centre(hex), self.middle(hex, d)
                path += _path([(mx, my), (mx + (mx - x) * 0.25, my + (my - y) * 0.25)])
        return path

    def course(self, course: Course) -> str:
        points = [self.centre(hex) for hex in course.hexes]
        if course.enters >= 0:
            points.insert(0, self.middle(course.hexes[0], course.enters))
        if course.leaves >= 0:
            points.append(self.middle(course.hexes[-1], course.leaves))
        return _path(points)

    def through(self) -> None:
        shapes: list[str] = []
        for name, style in _styles(self.board.through, _SIDES):
            self.stroke(f"through-{name}", style, f"{name} (through hexes)")
            for course in self.board.through[name].courses:
                title = f"<title>{escape(course.name)}</title>"
                path = self.course(course)
                shapes.append(f"<path class='through-{name}' d='{path}'>{title}</path>")
        self.layer("through", shapes)

    def roads(self) -> None:
        shapes: list[str] = []
        for name, style in _styles(self.board.roads, _ROADS):
            self.stroke(f"road-{name}", style, f"{name} (road)")
            path = "".join(map(self.course, self.board.courses[name]))
            shapes.append(f"<path class='road-{name}' d='{path}'/>")
        self.layer("roads", shapes)

    def bridges(self) -> None:
        radius = _n(0.13 * self.size)
        shapes: list[str] = []
        for name, bridges in self.board.bridges.items():
            css = "fill: #ffffff; stroke: #222222; stroke-width: 1"
            self.style(f"bridge-{name}", css, f"{name} (bridge)")
            sites = [self.middle(hex, d) for d in range(3) for hex in bits(bridges.sides[d])]
            sites += [self.centre(hex) for hex in bits(bridges.hexes)]
            shapes += [
                f"<circle class='bridge-{name}' cx='{_n(x)}' cy='{_n(y)}' r='{radius}'/>"
                for x, y in sites
            ]
        self.layer("bridges", shapes)

    def lines(self) -> None:
        shapes: list[str] = []
        for name, style in zip(self.board.lines, _OTHER * len(self.board.lines)):
            line = self.board.lines[name]
            wide = Style(style.colour, 0.24, "7 3")
            extra = "; stroke-opacity: 0.6; stroke-linecap: butt"
            self.stroke(f"line-{name}", wide, line.title or name, extra)
            path = self.side_path(line.sides) + self.ticks(line.over)
            path += "".join(map(self.course, line.courses))
            shapes.append(f"<path class='line-{name}' d='{path}'/>")
        self.layer("lines", shapes)

    def supply(self) -> None:
        shapes: list[str] = []
        r = 0.2 * self.size
        for name, style in zip(self.board.supply, _OTHER * len(self.board.supply)):
            supply = self.board.supply[name]
            css = f"fill: {style.colour}; stroke: #ffffff; stroke-width: 0.7"
            self.style(f"supply-{name}", css, f"{name} (supply of {supply.side})")
            for hex in bits(supply.hexes):
                x, y = self.centre(hex)
                y += 0.55 * self.size
                path = _path([(x, y - r), (x + r, y), (x, y + r), (x - r, y)]) + "Z"
                shapes.append(f"<path class='supply-{name}' d='{path}'/>")
        self.layer("supply", shapes)

    def places(self) -> None:
        self.css.append(".place circle { fill: #222222 }")
        self.css.append(
            f".place text {{ font-size: {_n(0.36 * self.size)}px; font-weight: bold;"
            " paint-order: stroke; stroke: #ffffff; stroke-width: 2 }"
        )
        self.layer("places", (line for name in self.board.places for line in self.place(name)))

    def place(self, name: str) -> Iterator[str]:
        place = self.board.places[name]
        centres = [self.centre(hex) for hex in bits(place.hexes)]
        numbers = ", ".join(f"{key} {value}" for key, value in place.numbers.items())
        kinds = " ".join(sorted(place.kinds))
        yield f"<g class='place {kinds}'><title>{escape(f'{name}: {kinds} {numbers}')}</title>"
        for x, y in centres:
            yield f"<circle cx='{_n(x)}' cy='{_n(y)}' r='{_n(0.14 * self.size)}'/>"
        x = sum(x for x, _ in centres) / len(centres)
        y = sum(y for _, y in centres) / len(centres) + 0.5 * self.size
        for line in filter(None, (name, numbers)):
            yield f"<text x='{_n(x)}' y='{_n(y)}'>{escape(line)}</text>"
            y += 0.34 * self.size
        yield "</g>"

    def codes(self) -> None:
        size = _n(0.3 * self.size)
        self.css.append(f"#codes text {{ font-size: {size}px; fill: #6a6454 }}")
        lift = (0.6 if self.lattice.flat else 0.4) * self.size
        points = ((hex, *self.centre(hex)) for hex in self.lattice)
        self.layer(
            "codes",
            (
                f"<text x='{_n(x)}' y='{_n(y - lift)}'>{self.lattice.code(hex)}</text>"
                for hex, x, y in points
            ),
        )

    def units(self, units: Mapping[int, str]) -> None:
        self.css.append(
            ".unit rect { fill: #fffbe6; stroke: #222222; stroke-width: 1 } "
            f".unit text {{ font-size: {_n(0.4 * self.size)}px }}"
        )
        half = 0.45 * self.size
        shapes: list[str] = []
        for hex in self.lattice:
            if hex in units:
                x, y = self.centre(hex)
                shapes.append(
                    f"<g class='unit'><rect x='{_n(x - half)}' y='{_n(y - half)}' "
                    f"width='{_n(2 * half)}' height='{_n(2 * half)}'/>"
                    f"<text x='{_n(x)}' y='{_n(y + 0.14 * self.size)}'>{escape(units[hex])}</text>"
                    "</g>"
                )
        self.layer("units", shapes)

    def boxes(self, units: Mapping[int, str]) -> None:
        """Boxes stand in rows below the map."""
        css = "fill: #f7f4ea; stroke: #555555; stroke-width: 1"
        self.css.append(f".box rect {{ {css} }} .box text {{ font-size: 11px }}")
        labels = [f"{box.title} {units.get(box.location, '')}" for box in self.board.boxes]
        longest = max(map(len, labels), default=0)
        width, height = max(140.0, 16 + longest * _LETTER_WIDTH), 38.0
        a_row = max(1, int((self.right - _MARGIN) // (width + 8)))
        shapes: list[str] = []
        top = self.bottom + 8
        for i, (box, label) in enumerate(zip(self.board.boxes, labels)):
            x, y = _MARGIN + i % a_row * (width + 8), top + i // a_row * (height + 8)
            near = [f"{box.hexes.bit_count()} hexes"] if box.hexes else []
            near += [self.board.code(other) for other in box.boxes]
            beside = f"{box.name}: " + (f"next to {', '.join(near)}" if near else "apart")
            shapes += [
                f"<g class='box' id={quoteattr(f'box-{box.name}')}>",
                f"<rect x='{_n(x)}' y='{_n(y)}' width='{_n(width)}' height='{_n(height)}' rx='5'/>",
                f"<text x='{_n(x + width / 2)}' y='{_n(y + 15)}'>{escape(label)}</text>",
                f"<text x='{_n(x + width / 2)}' y='{_n(y + 30)}'>{escape(beside)}</text>",
                "</g>",
            ]
            self.bottom = y + height
        self.layer("boxes", shapes)

    def key(self) -> None:
        """The legend, to the right of the map."""
        self.css.append("#legend text { font-size: 12px; text-anchor: start }")
        x = self.right + _MARGIN
        shapes: list[str] = []
        for i, (cls, label) in enumerate(self.legend):
            y = _TITLE_HEIGHT + _MARGIN + 20 * i
            if cls.startswith(("side", "road", "through", "line")):
                sign = f"<path class='{cls}' d='{_path([(x, y + 6), (x + 24, y + 6)])}'/>"
            else:
                sign = f"<rect class='{cls}' x='{_n(x)}' y='{_n(y)}' width='24' height='12'/>"
            shapes.append(f"{sign}<text x='{_n(x + 32)}' y='{_n(y + 10)}'>{escape(label)}</text>")
        self.layer("legend", shapes)


def _by_name(known: Mapping[str, _Value], name: str) -> _Value | None:
    return next((value for word, value in known.items() if word in name), None)


def _styles(names: Iterable[str], known: Mapping[str, Style]) -> Iterator[tuple[str, Style]]:
    """Each name with the style that its words call for, or else with one not yet taken."""
    names = list(names)
    others = iter(_OTHER * len(names))
    for name in names:
        yield name, _by_name(known, name) or next(others)


def _path(points: Iterable[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in points)


def _n(number: float) -> str:
    """A number for SVG: one decimal, and only if it is needed."""
    return f"{number:.1f}".removesuffix(".0")
