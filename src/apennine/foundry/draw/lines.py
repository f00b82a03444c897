"""Lines of the book: fronts, fortified lines, trenches and boundaries, with their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from apennine.board import Board, Line
from apennine.hexes import Edge, Hex, bits, mask_of

from . import words
from .curves import (
    PathText,
    Point,
    beside,
    calmed,
    chains,
    cut_corners,
    flattened_spline,
    length,
    polyline,
    straightened,
)
from .labels import text_width
from .page import RADIUS, Node, Page
from .rivers import walk
from .sheet import Sheet, along, attribute, group, path, text
from .sides import battlement

RULES = (
    """
    .line{fill:none;stroke-linejoin:round}
    .line-case{fill:none;stroke:$halo;stroke-opacity:.75;stroke-linejoin:round}
    .line-front-case{stroke-width:5.4}
    .line-front{stroke:$front;stroke-width:3;stroke-dasharray:7 3.4}
    .line-boundary-case{stroke-width:4}
    .line-boundary{stroke:$boundary;stroke-width:1.8;stroke-dasharray:9 2.6 1.8 2.6}
    .line-fortified-case{stroke-width:4.6}
    .line-fortified{stroke-width:2}
    .line-teeth{stroke-width:1.5;fill:none;stroke-linejoin:miter}
    .line-trench-case{stroke-width:3.4}
    .line-name{font-size:8.4px;font-weight:bold;letter-spacing:1.2px}
    .name-front{fill:$front}
    .name-boundary{fill:$boundary}
    """
    + "\n".join(f".own-{i}{{stroke:$line-{i}}}" for i in range(6))
    + "\n"
    + "\n".join(f".name-{i}{{fill:$line-{i}}}" for i in range(6))
)

_NAME_SIZE = 8.4
_SPACING = 1.2
# Lines that share hexsides run beside each other.
_ASIDE = (0.0, 4.4, -4.4, 8.8, -8.8)
_TRENCHES = (6.6, -6.6)


def paint_lines(sheet: Sheet, scene: str | None) -> None:
    """The lines of a scene; those that share hexsides run beside each other."""
    shown = lines_of(sheet.board, scene)
    slots = _slots(shown)
    colours = _colours(shown)
    for name, line in shown.items():
        kind, colour = words.trace(name, line.title), colours[name]
        pieces = _pieces(sheet.page, line, _ASIDE[slots[name] % len(_ASIDE)])
        if not pieces:
            continue
        sheet.add("lines", group(_strokes(pieces, kind, colour), attribute("data-line", name)))
        if _has_trenches(sheet.board, line):
            _paint_trenches(sheet, line)
        title = line.title or words.heading(name)
        sheet.explain("Lines", title, _line_sample(kind, colour))
        for piece in pieces:
            sheet.labels.mind(piece)
        if line.title:
            sheet.titles.append((title, max(pieces, key=length), f"name-{colour}"))


def _has_trenches(board: Board, line: Line) -> bool:
    """Whether the map has trenches along a front, as regions on both sides of it."""
    dug = 0
    for name, hexes in board.regions.items():
        if words.trace(name, "") == "trench":
            dug |= hexes
    near = mask_of(
        h for run in line.runs for edge in run.edges for h in board.lattice.edge_hexes(edge)
    )
    return near != 0 and not near & board.regions.get("land", near) & ~dug


def _paint_trenches(sheet: Sheet, line: Line) -> None:
    """The trenches of both sides, before and behind a front."""
    for aside in _TRENCHES:
        teeth = PathText()
        for piece in _pieces(sheet.page, line, aside):
            battlement(piece, 3.4, 2.4, teeth)
        sheet.add("lines", path(teeth, "trench"))
    sheet.explain("Lines", "Trenches", _trench_sample)


def _trench_sample(x: float, y: float) -> str:
    teeth = PathText()
    battlement([(x - 15, y), (x + 15, y)], 3.4, 2.4, teeth)
    return path(teeth, "trench")


def lines_of(board: Board, scene: str | None) -> dict[str, Line]:
    """The lines that belong to a scenario or date: the first that the map names, unless given.

    Raises `ValueError` if no line of the map belongs to it.
    """
    scenes = list(dict.fromkeys(s for line in board.lines.values() for s in line.scenes))
    if scene is not None and scene not in scenes:
        known = ", ".join(scenes) or "none"
        raise ValueError(f"No line of {board.title} belongs to {scene!r}; there are {known}.")
    scene = scene or next(iter(scenes), None)
    return {
        name: line for name, line in board.lines.items() if not line.scenes or scene in line.scenes
    }


def write_names(sheet: Sheet) -> None:
    """The name of each line beside it."""
    for title, piece, colour in sheet.titles:
        width = text_width(title, _NAME_SIZE, bold=True, spacing=_SPACING)
        cls = f"label line-name {colour}"
        course = straightened(piece, 1.8 * RADIUS)
        stretch = sheet.labels.along(course, width, _NAME_SIZE * 1.2, 8.0)
        if stretch:
            sheet.add("labels", along(sheet, title, stretch, cls))
            continue
        # At one of its ends, which often is on the coast, or else anywhere beside it.
        for point in (piece[-1], piece[0], piece[len(piece) // 2]):
            spot = sheet.labels.around(point, width, _NAME_SIZE * 1.3, 6, spread=RADIUS)
            if spot:
                anchor = f' text-anchor="{spot.anchor}"'
                sheet.add("labels", text(title, spot.point, cls, anchor))
                break


def _colours(lines: Mapping[str, Line]) -> dict[str, str]:
    """Boundaries are alike, and so is the front; other lines, and other fronts, differ."""
    colours: dict[str, str] = {}
    own = 0
    for name, line in lines.items():
        kind = words.trace(name, line.title)
        if kind == "boundary" or (kind == "front" and "front" not in colours.values()):
            colours[name] = kind
        else:
            colours[name] = str(own % 6)
            own += 1
    return colours


def _slots(lines: Mapping[str, Line]) -> dict[str, int]:
    """Which of the tracks side by side each line takes."""
    slots: dict[str, int] = {}
    ground: dict[str, set[tuple[str, int]]] = {}
    for name, line in lines.items():
        mine = {("edge", edge) for run in line.runs for edge in run.edges}
        mine |= {("hex", hex) for hex in bits(line.hexes)}
        taken = {slots[other] for other in slots if mine & ground[other]}
        slots[name] = next(slot for slot in range(len(lines)) if slot not in taken)
        ground[name] = mine
    return slots


def _pieces(page: Page, line: Line, aside: float) -> list[list[Point]]:
    """A line on the page, with its front, if it has one, on the right as it goes."""
    pieces: list[list[Point]] = []
    before = {
        page.lattice.edge(hex, d): page.side(hex, d) for d in range(6) for hex in bits(line.over[d])
    }
    for run in line.runs:
        nodes = walk([page.edge_nodes(edge) for edge in run.edges])
        if before and _against(run.edges, nodes, before):
            nodes.reverse()
        pieces.append(cut_corners(calmed([page.at(node) for node in nodes], by=0.28), 2))
    loose = set(page.lattice.edges(line.sides)) - {e for run in line.runs for e in run.edges}
    for chain in chains([page.edge_nodes(edge) for edge in sorted(loose)]):
        pieces.append(cut_corners(calmed([page.at(node) for node in chain], by=0.28), 2))
    for course in line.courses:
        points = [_beside_centre(page, hex) for hex in course.hexes]
        if course.enters >= 0:
            points.insert(0, page.beyond(course.hexes[0], course.enters))
        if course.leaves >= 0:
            points.append(page.beyond(course.hexes[-1], course.leaves))
        pieces.append(flattened_spline(points, 4) if len(points) > 1 else [])
    return [_moved(piece, aside) for piece in pieces if len(piece) > 1]


def _against(
    edges: Sequence[Edge], nodes: Sequence[Node], before: Mapping[Edge, tuple[Node, Node]]
) -> bool:
    """Whether most of a run goes with the ground before it on the left."""
    wrong = sum(
        1 if before[edge] != step else -1
        for edge, step in zip(edges, pairwise(nodes))
        if edge in before
    )
    return wrong > 0


def _beside_centre(page: Page, hex: Hex) -> Point:
    """A line through hexes passes below the middle, where towns and counters are."""
    x, y = page.centre(hex)
    return x, y + 0.42 * RADIUS


def _moved(piece: list[Point], aside: float) -> list[Point]:
    """A line moved aside, to the same side of the page whichever way it goes."""
    (ax, ay), (bx, by) = piece[0], piece[-1]
    forward = (bx - ax) + 0.5 * (by - ay) >= 0
    return beside(piece, aside if forward else -aside)


def _strokes(pieces: Sequence[Sequence[Point]], kind: words.Trace, colour: str) -> list[str]:
    plain = PathText()
    for piece in pieces:
        polyline(piece, plain)
    own = f" own-{colour}" if colour.isdigit() else ""
    drawn = [path(plain, f"line-case line-{kind}-case")]
    if kind in ("front", "boundary"):
        return [*drawn, path(plain, f"line line-{kind}{own}")]
    teeth = PathText()
    for piece in pieces:
        battlement(piece, 4.2, 3.6, teeth)
    if kind == "fortified":
        drawn.append(path(plain, f"line line-fortified{own}"))
    return [*drawn, path(teeth, f"line-teeth{own}")]


def _line_sample(kind: words.Trace, colour: str) -> Callable[[float, float], str]:
    def sample(x: float, y: float) -> str:
        return "".join(_strokes([[(x - 15, y - 1), (x + 15, y - 1)]], kind, colour))

    return sample
