"""Hexsides of high or bad ground: ridges, crests, passes, barriers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import atan2, cos, degrees, sin

from apennine.hexes import Hex, bits

from . import words
from .curves import (
    PathText,
    Point,
    calmed,
    chains,
    chance,
    cut_corners,
    number,
    polygon,
    polyline,
    stations,
)
from .page import Node, Page
from .rivers import side_chains
from .sheet import Sheet, attribute, defined, group, path, ref
from .tints import KINDS, standing_out

RULES = """
    .ridge-glow{fill:none;stroke:$ridge;stroke-opacity:.3;stroke-linecap:round;stroke-linejoin:round}
    .ridge-mountain{stroke-width:10}
    .ridge-alpine{stroke-width:13}
    .ridge-lit{fill:$ridge-light}
    .ridge-dark{fill:$ridge}
    .band{fill:none;stroke-linecap:round;stroke-linejoin:round;stroke-width:6.5}
    .band-rough{stroke:$rough;stroke-opacity:.5}
    .band-marsh{stroke:$marsh;stroke-opacity:.6}
    .hachure{fill:none;stroke:$ridge;stroke-width:.8;stroke-linecap:round}
    .crest{fill:none;stroke:$crest;stroke-width:1.7;stroke-linecap:round;stroke-linejoin:round}
    .crest-teeth{fill:$crest}
    .blocked{fill:none;stroke:$blocked;stroke-width:3.4;stroke-linecap:butt}
    .blocked-case{fill:none;stroke:$halo;stroke-width:5.2;stroke-opacity:.8}
    .pass-case{fill:none;stroke:$halo;stroke-width:4.6;stroke-linecap:round}
    .pass{fill:none;stroke:$pass;stroke-width:2;stroke-linecap:round}
    .trench{fill:none;stroke:$trench;stroke-width:1.3;stroke-linejoin:miter}
    .other-side{fill:none;stroke-width:2.6;stroke-linecap:round;stroke-dasharray:4 2.4}
    """ + "\n".join(f".other-{i}{{stroke:$line-{i}}}" for i in range(6))


def paint_sides(sheet: Sheet) -> None:
    """All hexside features but water, and but the ground of maps on which every side has one."""
    board = sheet.board
    tinted = words.have_ground(board.sides)
    painted = KINDS if tinted else ()
    if tinted:
        _paint_standing_out(sheet)
    painters: dict[words.Side, Callable[[Sheet, str], None]] = {
        "rough": _paint_rough,
        "marsh": _paint_marsh,
        "mountain": _paint_ridge,
        "alpine": _paint_ridge,
        "crest": _paint_crest,
        "blocked": _paint_blocked,
        "trench": _paint_trench,
        "fort": _paint_trench,
        "pass": _paint_pass,
        "other": _paint_other,
    }
    for kind, painter in painters.items():
        for name in board.sides:
            if words.side(name) == kind and kind not in painted and any(board.sides[name]):
                painter(sheet, name)


def _lines(sheet: Sheet, name: str) -> list[list[Point]]:
    """The hexsides of a feature as calm lines."""
    page = sheet.page
    edges = [
        edge
        for edge in page.lattice.edges(sheet.board.sides[name])
        if any(_is_land(page, hex) for hex in page.lattice.edge_hexes(edge))
    ]
    return [cut_corners(calmed(line, by=0.25), 2) for line in side_chains(sheet.page, edges)]


def _is_land(page: Page, hex: Hex) -> bool:
    return hex >= 0 and words.ground(page.board.terrain_of(hex)) not in ("sea", "lake")


def _paint_ridge(sheet: Sheet, name: str) -> None:
    kind = words.side(name)
    high = kind == "alpine"
    lines = _lines(sheet, name)
    glow, lit, dark = PathText(), PathText(), PathText()
    for line in lines:
        polyline(line, glow)
        _peaks(line, 8.5 if high else 7.0, 11.0 if high else 8.5, lit, dark)
    drawn = [
        path(glow, f"ridge-glow ridge-{kind}"),
        path(lit, "ridge-lit"),
        path(dark, "ridge-dark"),
    ]
    sheet.add("sides", group(drawn, attribute("data-side", name)))
    sheet.explain("Hexsides", words.heading(name), _ridge_sample(high))


def _paint_standing_out(sheet: Sheet) -> None:
    """A ridge on sides that are much worse than what lies around them."""
    page = sheet.page
    lit, dark = PathText(), PathText()
    for line in side_chains(page, standing_out(page)):
        _peaks(line, 7.0, 8.5, lit, dark)
    sheet.add("sides", path(lit, "ridge-lit"), path(dark, "ridge-dark"))


def _peaks(
    line: Sequence[Point], step: float, height: float, lit: PathText, dark: PathText
) -> None:
    """A row of peaks along a line, in the light of the upper left."""
    found = stations(line, step, step / 2)
    # From the back to the front, as mountains overlap.
    for x, y, _ in sorted(found, key=lambda station: station.y):
        size = height * (1 + 0.18 * chance(round(x), round(y), 41))
        w, foot = 0.52 * size, y + 0.4 * size
        top = (x, foot - size)
        fold = (x + 0.2 * w, foot - 0.4 * size)
        base = (x - 0.15 * w, foot)
        polygon([(x - w, foot), top, fold, base], lit)
        polygon([top, (x + w, foot), base, fold], dark)


def _paint_rough(sheet: Sheet, name: str) -> None:
    band, marks = PathText(), PathText()
    for line in _lines(sheet, name):
        polyline(line, band)
        for x, y, angle in stations(line, 5.2, 2.6):
            turn = angle + 1.57 + 0.35 * chance(round(x), round(y), 42)
            dx, dy = 2.4 * cos(turn), 2.4 * sin(turn)
            polyline([(x - dx, y - dy), (x + dx, y + dy)], marks)
    drawn = [path(band, "band band-rough"), path(marks, "hachure")]
    sheet.add("sides", group(drawn, attribute("data-side", name)))
    sheet.explain("Hexsides", words.heading(name), _band_sample("rough"))


def _paint_marsh(sheet: Sheet, name: str) -> None:
    band, marks = PathText(), PathText()
    for line in _lines(sheet, name):
        polyline(line, band)
        for x, y, _ in stations(line, 7, 3.5):
            polyline([(x - 2.4, y + 1), (x + 2.4, y + 1)], marks)
            polyline([(x, y), (x, y - 3)], marks)
    drawn = [path(band, "band band-marsh"), path(marks, "reed")]
    sheet.add("sides", group(drawn, attribute("data-side", name)))
    sheet.explain("Hexsides", words.heading(name), _band_sample("marsh"))


def _paint_crest(sheet: Sheet, name: str) -> None:
    """A crest: a line with teeth down the slope."""
    page = sheet.page
    line, teeth = PathText(), PathText()
    for points in _crest_lines(sheet, name):
        polyline(points, line)
        for x, y, angle in stations(points, 4.6, 2.3):
            tooth = [(x + 1.5 * cos(angle), y + 1.5 * sin(angle))]
            tooth.append((x - 4.2 * sin(angle), y + 4.2 * cos(angle)))
            tooth.append((x - 1.5 * cos(angle), y - 1.5 * sin(angle)))
            polygon(tooth, teeth)
    drawn = [path(teeth, "crest-teeth"), path(line, "crest")]
    sheet.add("sides", group(drawn, attribute("data-side", name)))
    label = words.heading(name) + (" (teeth downhill)" if name in page.board.over else "")
    sheet.explain("Hexsides", label, _crest_sample)


def _crest_lines(sheet: Sheet, name: str) -> list[list[Point]]:
    """The lines of a crest, each with the low ground on its right as it goes."""
    page, board = sheet.page, sheet.board
    over = board.over.get(name)
    if over is None:
        return _lines(sheet, name)
    # Seen from the low hex the corners of a side go clockwise around it: it lies to the right.
    steps = {page.side(hex, d) for d in range(6) for hex in bits(over[d])}
    found: list[list[Point]] = []
    for chain in chains(sorted(steps)):
        ahead = [step in steps for step in pairwise(chain)]
        # A chain of steps that do not all agree falls into pieces that do.
        start = 0
        for i in range(1, len(ahead) + 1):
            if i == len(ahead) or ahead[i] != ahead[start]:
                nodes = chain[start : i + 1]
                found.append(_calm(page, nodes if ahead[start] else nodes[::-1]))
                start = i
    return found


def _calm(page: Page, nodes: Sequence[Node]) -> list[Point]:
    return cut_corners(calmed([page.at(node) for node in nodes], by=0.25), 2)


def _paint_blocked(sheet: Sheet, name: str) -> None:
    d = PathText()
    for line in _lines(sheet, name):
        polyline(line, d)
    sheet.add("sides", path(d, "blocked-case"), path(d, "blocked", attribute("data-side", name)))
    sheet.explain("Hexsides", words.heading(name), _strokes_sample("blocked-case", "blocked"))


def _paint_trench(sheet: Sheet, name: str) -> None:
    d = PathText()
    for line in _crest_lines(sheet, name):
        battlement(line, 4.0, 3.0, d)
    sheet.add("sides", path(d, "trench", attribute("data-side", name)))
    sheet.explain("Hexsides", words.heading(name), _trench_sample)


def battlement(line: Sequence[Point], step: float, height: float, d: PathText) -> None:
    """A line that goes to and fro like the top of a wall, to its right as it goes."""
    points: list[Point] = []
    for i, (x, y, angle) in enumerate(stations(line, step)):
        out = (x - height * sin(angle), y + height * cos(angle))
        points += [(x, y), out] if i % 2 == 0 else [out, (x, y)]
    if len(points) > 1:
        polyline(points, d)


def _paint_pass(sheet: Sheet, name: str) -> None:
    """Two brackets, back to back, that let one through."""
    page = sheet.page
    shape = "M-7-5Q-1.5 0-7 5M7-5Q1.5 0 7 5"
    sheet.defs.append(defined("pass", path(shape, "pass-case") + path(shape, "pass")))
    drawn: list[str] = []
    for edge in page.lattice.edges(sheet.board.sides[name]):
        a, b = (page.at(node) for node in page.edge_nodes(edge))
        turn = degrees(atan2(b[1] - a[1], b[0] - a[0]))
        x, y = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
        move = f"translate({number(x)} {number(y)}) rotate({round(turn)})"
        drawn.append(f'<use href="#{ref("pass")}" transform="{move}"/>')
    sheet.add("sides", group(drawn, attribute("data-side", name)))
    sheet.explain(
        "Hexsides",
        words.heading(name),
        lambda x, y: f'<use href="#{ref("pass")}" x="{number(x)}" y="{number(y)}"/>',
    )


def _paint_other(sheet: Sheet, name: str) -> None:
    others = [other for other in sheet.board.sides if words.side(other) == "other"]
    cls = f"other-side other-{others.index(name) % 6}"
    d = PathText()
    for line in _lines(sheet, name):
        polyline(line, d)
    sheet.add("sides", path(d, cls, attribute("data-side", name)))
    sheet.explain("Hexsides", words.heading(name), _strokes_sample(cls))


# Samples for the legend


def _sample_line(x: float, y: float) -> list[Point]:
    return [(x - 12, y + 1), (x - 4, y - 1), (x + 4, y + 1), (x + 12, y - 1)]


def _ridge_sample(high: bool) -> Callable[[float, float], str]:
    def sample(x: float, y: float) -> str:
        lit, dark = PathText(), PathText()
        line = _sample_line(x, y)
        _peaks(line, 8.5 if high else 7.0, 11.0 if high else 8.5, lit, dark)
        glow = path(polyline(line), f"ridge-glow ridge-{'alpine' if high else 'mountain'}")
        return glow + path(lit, "ridge-lit") + path(dark, "ridge-dark")

    return sample


def _band_sample(kind: str) -> Callable[[float, float], str]:
    def sample(x: float, y: float) -> str:
        line = _sample_line(x, y)
        marks = PathText()
        for sx, sy, _ in stations(line, 5.2, 2.6):
            if kind == "rough":
                polyline([(sx, sy - 2.4), (sx + 0.6, sy + 2.4)], marks)
            else:
                polyline([(sx, sy), (sx, sy - 3)], marks)
        marked = path(marks, "hachure" if kind == "rough" else "reed")
        return path(polyline(line), f"band band-{kind}") + marked

    return sample


def _crest_sample(x: float, y: float) -> str:
    line = [(x - 14, y - 2), (x + 14, y - 2)]
    teeth = PathText()
    for sx, sy, _ in stations(line, 4.6, 2.3):
        polygon([(sx - 1.5, sy), (sx, sy + 4.2), (sx + 1.5, sy)], teeth)
    return path(teeth, "crest-teeth") + path(polyline(line), "crest")


def _trench_sample(x: float, y: float) -> str:
    d = PathText()
    battlement([(x - 14, y - 1), (x + 14, y - 1)], 4.0, 3.0, d)
    return path(d, "trench")


def _strokes_sample(*classes: str) -> Callable[[float, float], str]:
    def sample(x: float, y: float) -> str:
        line = polyline(_sample_line(x, y))
        return "".join(path(line, cls) for cls in classes)

    return sample
