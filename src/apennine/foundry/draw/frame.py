"""What stands around the map: title, legend, scale, north arrow, boxes and credits."""

from __future__ import annotations

import re
from math import cos, radians, sin, sqrt

from apennine.board import Box as MapBox
from apennine.hexes import bits

from . import words
from .curves import PathText, number, polyline
from .labels import Box, text_width
from .page import RADIUS
from .sheet import Entry, Sheet, attribute, group, path, text
from .themes import LEVELS

RULES = """
    .title{font-size:22px;font-weight:bold;fill:$ink;letter-spacing:1px}
    .subtitle{font-size:10px;fill:$faint}
    .chapter{font-size:9.4px;font-weight:bold;fill:$ink;letter-spacing:.6px}
    .entry{font-size:9.2px;fill:$ink;font-stretch:condensed}
    .small{font-size:6.8px;fill:$faint;font-stretch:condensed}
    .scale-dark{fill:$ink}
    .scale-light{fill:$card;stroke:$ink;stroke-width:.7}
    .scale-text{font-size:7.6px;fill:$ink;text-anchor:middle}
    .north{fill:$ink}
    .north-light{fill:$card;stroke:$ink;stroke-width:.8;stroke-linejoin:round}
    .north-text{font-size:11px;font-weight:bold;fill:$ink;text-anchor:middle}
    .box{fill:$card;stroke:$rule;stroke-width:1.2}
    .box-title{font-size:9.6px;font-weight:bold;fill:$ink;text-anchor:middle;font-stretch:condensed}
    .box-name{font-size:8px;fill:$faint;text-anchor:middle;font-stretch:condensed}
    .box-reach{fill:none;stroke:$front;stroke-width:3;stroke-opacity:.5;stroke-linecap:round}
    .box-way{fill:none;stroke:$front;stroke-width:1.2;stroke-opacity:.55;stroke-dasharray:2.4 2.4}
    """

_GAP = 14.0
_ENTRY = 21.0
_BOX_HEIGHT = 3.1 * RADIUS


def paint_boxes(sheet: Sheet) -> Box:
    """The boxes beside the map, each near its hexes; returns the room that map and boxes take."""
    page = sheet.page
    width, height = page.width, page.height
    beside: dict[str, list[tuple[float, MapBox]]] = {
        "left": [],
        "right": [],
        "top": [],
        "bottom": [],
    }
    apart: list[MapBox] = []
    for box in sheet.board.boxes:
        if not box.hexes:
            apart.append(box)
            continue
        x, y = page.centre_of(box.hexes)
        off = {"left": x, "right": width - x, "top": y, "bottom": height - y}
        side = min(off, key=lambda name: off[name])
        beside[side].append((y if side in ("left", "right") else x, box))
    room = Box(0, 0, width, height)
    for side, wanted in beside.items():
        room = _paint_side(sheet, side, wanted, room)
    return _paint_rows(sheet, apart, room)


def _box_width(box: MapBox) -> float:
    widest = max(text_width(box.title, 9.6, bold=True), text_width(box.name, 8))
    return max(4.4 * RADIUS, widest + 18)


def _paint_side(sheet: Sheet, side: str, wanted: list[tuple[float, MapBox]], room: Box) -> Box:
    """Boxes in a row along one side, each as near to its hexes as the others let it."""
    if not wanted:
        return room
    upright = side in ("left", "right")
    limit = sheet.page.height if upright else sheet.page.width
    sizes = [_BOX_HEIGHT if upright else _box_width(box) for _, box in wanted]
    order = sorted(range(len(wanted)), key=lambda i: (wanted[i][0], i))
    starts: dict[int, float] = {}
    free = 0.0
    for i in order:
        starts[i] = max(free, wanted[i][0] - sizes[i] / 2)
        free = starts[i] + sizes[i] + _GAP / 2
    free = max(limit, free - _GAP / 2) if free > limit + sum(sizes) else limit
    for i in reversed(order):
        starts[i] = min(starts[i], free - sizes[i])
        free = starts[i] - _GAP / 2
    deep = max(_box_width(box) for _, box in wanted) if upright else _BOX_HEIGHT
    for i, (_, box) in enumerate(wanted):
        if side == "left":
            place = Box(-_GAP - deep, starts[i], -_GAP, starts[i] + sizes[i])
        elif side == "right":
            right = sheet.page.width + _GAP
            place = Box(right, starts[i], right + deep, starts[i] + sizes[i])
        elif side == "top":
            place = Box(starts[i], -_GAP - deep, starts[i] + sizes[i], -_GAP)
        else:
            below = sheet.page.height + _GAP
            place = Box(starts[i], below, starts[i] + sizes[i], below + deep)
        _paint_box(sheet, box, place)
        room = _around(room, place)
    return room


def _paint_rows(sheet: Sheet, boxes: list[MapBox], room: Box) -> Box:
    """Boxes that lie apart, in rows under the map."""
    x, y = 0.0, room.bottom + _GAP
    for box in boxes:
        width = max(_box_width(box), 6 * RADIUS)
        if x and x + width > sheet.page.width:
            x, y = 0.0, y + _BOX_HEIGHT + _GAP / 2
        place = Box(x, y, x + width, y + _BOX_HEIGHT)
        _paint_box(sheet, box, place)
        room = _around(room, place)
        x += width + _GAP / 2
    return room


def _around(a: Box, b: Box) -> Box:
    return Box(
        min(a.left, b.left), min(a.top, b.top), max(a.right, b.right), max(a.bottom, b.bottom)
    )


def _paint_box(sheet: Sheet, box: MapBox, place: Box) -> None:
    page = sheet.page
    drawn: list[str] = []
    outer = [
        page.side(hex, d)
        for hex in bits(box.hexes)
        for d in range(6)
        if page.lattice.neighbour(hex, d) < 0
    ]
    if outer:
        reach = PathText()
        for a, b in outer:
            reach.go_to(page.at(a))
            reach.line(page.at(b))
        sheet.add("boxes", path(reach, "box-reach"))
    elif box.hexes:
        middle = (place.left + place.right) / 2, (place.top + place.bottom) / 2
        sheet.add("boxes", path(polyline([middle, page.centre_of(box.hexes)]), "box-way"))
    x = (place.left + place.right) / 2
    shape = "".join(
        attribute(name, number(value))
        for name, value in (
            ("x", place.left),
            ("y", place.top),
            ("width", place.right - place.left),
            ("height", place.bottom - place.top),
        )
    )
    drawn.append(f'<rect class="box" rx="5"{shape}/>')
    drawn.append(text(box.title, (x, place.top + 14), "box-title"))
    # A name in small letters is for the rules, not for the eye.
    if box.name != box.title and box.name != box.name.lower():
        drawn.append(text(box.name, (x, place.bottom - 6), "box-name"))
    about = attribute("id", f"box-{box.name}") + attribute("data-box", box.name)
    sheet.add("boxes", group(drawn, about))


# The legend


_CHAPTERS = ("Terrain", "Hexsides", "Water", "Roads and railways", "Lines", "Places")


def paint_legend(sheet: Sheet, room: Box, north: float | None) -> Box:
    """Title, legend, scale and credits around what is drawn; returns the room of it all."""
    # On a large map all this is larger, or it would be lost beside it.
    scale = min(1.9, max(1.0, sheet.page.height / 1000))
    room = _paint_title(sheet, room, scale)
    width = 46 + max(
        [text_width(entry.label, 9.2) for entry in sheet.legend]
        + [text_width(chapter, 9.4, bold=True, spacing=0.6) - 22 for chapter in _CHAPTERS]
    )
    columns = _columns(sheet, max(sheet.page.height / scale, 420.0) - 80)
    across = width * len(columns)
    card: list[str] = []
    bottom = 0.0
    for i, column in enumerate(columns):
        x, y = 10 + i * width, 16.0
        for line in column:
            if isinstance(line, str):
                y += 4
                card.append(text(line, (x, y), "chapter"))
                y += 17
            else:
                card.append(line.sample(x + 17, y - 3))
                card.append(text(line.label, (x + 40, y), "entry"))
                y += _ENTRY
        bottom = max(bottom, y)
    bottom = _paint_heights(sheet, card, bottom, across)
    bottom = _paint_scale(sheet, card, bottom, across, scale, north)
    shape = f'<rect class="card" width="{number(across + 8)}" height="{number(bottom)}" rx="4"/>'
    left = room.right + _GAP
    move = f' transform="translate({number(left)} 0) scale({number(scale)})"'
    sheet.add("legend", group([shape, *card], move))
    room = _around(room, Box(left, 0, left + (across + 8) * scale, bottom * scale))
    return _paint_credits(sheet, room)


def _columns(sheet: Sheet, limit: float) -> list[list[str | Entry]]:
    """The lines of the legend, chapter by chapter, in as few columns as the height lets."""
    chapters = [
        [chapter, *(entry for entry in sheet.legend if entry.chapter == chapter)]
        for chapter in _CHAPTERS
    ]
    columns: list[list[str | Entry]] = [[]]
    for chapter in chapters:
        if len(chapter) == 1:
            continue
        if columns[-1] and _ENTRY * (len(columns[-1]) + len(chapter)) > limit:
            columns.append([])
        columns[-1] += chapter
    return columns


def _paint_title(sheet: Sheet, room: Box, scale: float) -> Box:
    board = sheet.board
    y = room.top - 16 * scale
    drawn = [text(board.title, (0, 0), "title")]
    if board.scale:
        x = text_width(board.title, 22, bold=True, spacing=1) * 1.12 + 16
        drawn.append(text(words.heading(board.scale), (x, 0), "subtitle"))
    sheet.add(
        "legend", group(drawn, f' transform="translate(0 {number(y)}) scale({number(scale)})"')
    )
    return _around(room, Box(0, y - 26 * scale, 0, 0))


def _paint_heights(sheet: Sheet, card: list[str], y: float, width: float) -> float:
    """The tints of heights, if the map knows its heights and is tinted by them."""
    heights = sheet.board.numbers.get("elevation")
    if heights is None or words.have_ground(sheet.board.sides):
        return y
    highest = max(heights.values())
    levels = [level for level in LEVELS if level <= highest]
    step = min(24.0, (width - 12) / len(levels))
    y += 4
    card.append(text("Height in metres", (10, y), "chapter"))
    for i, level in enumerate(levels):
        x = 10 + i * step
        tint = f"M{number(x)} {number(y + 8)}h{number(step)}v9h{number(-step)}z"
        card.append(path(tint, f"h{i}"))
        if level:
            card.append(text(str(level), (x, y + 26), "small", ' text-anchor="middle"'))
    return y + 44


_DISTANCE = re.compile(r"(\d+(?:[.,]\d+)?)\s*(km|kilomet|mile|metre|meter|m\b)", re.IGNORECASE)
_UNITS = {"km": "km", "kilomet": "km", "mile": "miles"}


def _paint_scale(
    sheet: Sheet, card: list[str], y: float, width: float, scale: float, north: float | None
) -> float:
    """A bar of round length, if the scale of the map says how far a hex is; a north arrow."""
    if north is not None:
        _paint_north(card, width - 16, y + 14, north)
    found = _DISTANCE.search(sheet.board.scale)
    if found is None:
        return y if north is None else y + 44
    unit = _UNITS.get(found[2].lower(), "m")
    step = sqrt(3.0) * RADIUS / scale / float(found[1].replace(",", "."))
    free = width - (50 if north is not None else 24)
    rounds = [m * 10**power for power in range(-1, 6) for m in (1, 2, 3, 4, 5)]
    whole = max([distance for distance in rounds if distance * step <= free], default=rounds[0])
    quarter = whole * step / 4
    for i in range(4):
        bar = f"M{number(14 + i * quarter)} {number(y + 8)}h{number(quarter)}v5"
        cls = "scale-light" if i % 2 else "scale-dark"
        card.append(path(f"{bar}h{number(-quarter)}z", cls))
    for share in (0, 0.5, 1):
        label = f"{whole * share:g}" + (f" {unit}" if share == 1 else "")
        card.append(text(label, (14 + 4 * share * quarter, y + 23), "scale-text"))
    return y + (34 if north is None else 44)


def _paint_north(card: list[str], x: float, y: float, north: float) -> None:
    move = f' transform="translate({number(x)} {number(y)}) rotate({number(north)})"'
    halves = [path("M0-14L5.5 9 0 4.5Z", "north"), path("M0-14L-5.5 9 0 4.5Z", "north-light")]
    turn = radians(north)
    card.append(group(halves, move))
    card.append(text("N", (x + 20 * sin(turn), y - 20 * cos(turn) + 4), "north-text"))


def _paint_credits(sheet: Sheet, room: Box) -> Box:
    y = room.bottom + 16
    width = sheet.page.width
    for credit in sheet.board.credits:
        line = ""
        for word in credit.split():
            if line and text_width(f"{line} {word}", 6.8) > width:
                sheet.add("legend", text(line, (0, y), "small"))
                line, y = word, y + 9
            else:
                line = f"{line} {word}".strip()
        sheet.add("legend", text(line, (0, y), "small"))
        y += 10
    return _around(room, Box(0, 0, 0, y - 4))
