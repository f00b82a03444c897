"""Puts a drawing together."""

from __future__ import annotations

from collections.abc import Collection

from apennine.board import Board

from . import frame, ground, lines, places, rivers, sides, tints, ways
from .curves import number
from .labels import Box
from .page import RADIUS
from .sheet import LAYERS, Sheet, attribute, ref
from .themes import ROOT, SANS, THEMES, style_sheet

_RULES = "\n".join(
    part.RULES for part in (ground, tints, rivers, sides, ways, lines, places, frame)
)
# A page that shows the map small says so on the root: numbers and signs go, and the grid fades.
_ZOOM = f"""\
.{ROOT}[data-zoom=far] .hex-code,.{ROOT}[data-zoom=middle] .hex-code{{display:none}}
.{ROOT}[data-zoom=far] .signs,.{ROOT}[data-zoom=far] .caption{{display:none}}
.{ROOT}[data-zoom=far] .grid{{stroke-opacity:.15}}"""
_MARGIN = 14.0
# What may reach beyond the frame of the map.
_UNFRAMED = ("boxes", "units", "legend")


def draw(
    board: Board,
    *,
    theme: str = "light",
    codes: bool = True,
    legend: bool = True,
    layers: Collection[str] | None = None,
    relief: bool = True,
    size: float = RADIUS,
    north: float | None = None,
    scene: str | None = None,
) -> str:
    """Draw a map as it might be printed, as SVG; the same map always gives the same text.

    - `theme`: `light`, `dark`, `contrast` or `print`. All four are in the style sheet: on a web
      page `data-theme` on the root element changes between them.
    - `codes`: print the number of every hex. With `data-zoom` on the root, `far` or `middle`, they
      hide; with `near`, or without it, they show.
    - `legend`: the title, the legend, the scale and the credits around the map.
    - `layers`: the names of those to draw, from `LAYERS`; all of them unless given. Those left out
      are empty groups.
    - `relief`: shade the ground by its height, in the light of the upper left.
    - `size`: from the centre of a hex to its corner, in pixels.
    - `north`: which way north is, in degrees clockwise from the top of the page, for an arrow in
      the legend; what the map says unless given. Without either there is no arrow.
    - `scene`: the scenario or date whose fronts and lines are drawn, besides those that belong to
      all; the first that the map names unless given.

    Every layer is a group `layer-NAME`; the names of places have one of their own, `layer-names`,
    that a page may lift above its counters. Every hex is an element `hex-CODE` with its terrain and
    elevation as data attributes, and every box `box-NAME`. The coordinates are the same for all
    options: a hex always has a radius of `RADIUS` units, and the frame of the map begins at (0, 0).
    """
    _check(theme, layers)
    sheet = Sheet(board)
    ground.paint_ground(sheet, shaded=relief)
    sides.paint_sides(sheet)
    rivers.paint_rivers(sheet)
    ground.paint_grid(sheet)
    ways.paint_ways(sheet)
    lines.paint_lines(sheet, scene)
    if codes:
        ground.paint_codes(sheet)
    sites = places.paint_places(sheet)
    places.write_wide_names(sheet)
    lines.write_names(sheet)
    places.write_names(sheet, sites)
    places.write_rivers(sheet)
    ground.paint_hexes(sheet)
    room = frame.paint_boxes(sheet)
    if legend:
        room = frame.paint_legend(sheet, room, board.north if north is None else north)
    return _written(sheet, room, theme, layers if layers is not None else LAYERS, size / RADIUS)


def _check(theme: str, layers: Collection[str] | None) -> None:
    if theme not in THEMES:
        raise ValueError(f"There is no theme {theme!r}; there are {', '.join(THEMES)}.")
    for name in layers or ():
        if name not in LAYERS:
            raise ValueError(f"There is no layer {name!r}; there are {', '.join(LAYERS)}.")


def _written(sheet: Sheet, room: Box, theme: str, layers: Collection[str], scale: float) -> str:
    left, top = room.left - _MARGIN, room.top - _MARGIN
    width, height = room.right + _MARGIN - left, room.bottom + _MARGIN - top
    corner = f"{number(left)} {number(top)}"
    area = f'width="{number(width)}" height="{number(height)}"'
    root = "".join(
        attribute(name, value)
        for name, value in (
            ("class", ROOT),
            ("data-theme", theme),
            ("width", number(width * scale)),
            ("height", number(height * scale)),
            ("viewBox", f"{corner} {number(width)} {number(height)}"),
            ("font-family", SANS),
            ("role", "img"),
            ("aria-label", sheet.board.title),
        )
    )
    framed = f' clip-path="url(#{ref("frame")})"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg"{root}>',
        "<style>",
        style_sheet(_RULES, theme),
        _ZOOM,
        "</style>",
        "<defs>",
        *sheet.defs,
        "</defs>",
        f'<rect class="paper" x="{number(left)}" y="{number(top)}" {area}/>',
    ]
    for name, elements in sheet.layers.items():
        clip = "" if name in _UNFRAMED else framed
        lines.append(f'<g id="layer-{name}" class="layer"{clip}>')
        lines += elements if name in layers else ()
        lines.append("</g>")
    lines.append("</svg>")
    return "\n".join(lines) + "\n"
