"""Towns, ports, airfields, objectives and zones, their names, and sources of supply."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from apennine.board import Place
from apennine.hexes import Hex, bits

from . import words
from .curves import PathText, Point, chance, length, number, polygon
from .labels import Box, text_width
from .page import RADIUS, Page
from .sheet import Sheet, along, attribute, defined, group, path, ref, text, use

RULES = """
    .label{paint-order:stroke;stroke:$halo;stroke-width:2.4;stroke-linejoin:round;stroke-opacity:.85}
    .label,.caption,.badge-text{font-stretch:condensed}
    .name-city{font-size:10.6px;font-weight:bold;fill:$ink;letter-spacing:.5px}
    .name-minor-city{font-size:9.4px;font-weight:bold;fill:$ink}
    .name-town{font-size:8.6px;fill:$ink}
    .name-village{font-size:7.8px;fill:$ink}
    .name-peak{font-size:7.4px;font-style:italic;fill:$relief-ink}
    .name-zone{font-size:8.4px;font-weight:bold;font-style:italic;fill:$zone}
    .caption{font-size:6.6px;fill:$faint;paint-order:stroke;stroke:$halo;stroke-width:1.8}
    .river-name{font-size:7.6px;font-style:italic;fill:$river-ink}
    .lake-name{font-size:7.4px;font-style:italic;fill:$sea-ink}
    .sea-name{fill:$sea-ink;font-style:italic;stroke:none;text-anchor:middle}
    .land-name{fill:$relief-ink;font-style:italic;text-anchor:middle}
    .serif{font-family:'DejaVu Serif',Georgia,'Times New Roman',serif}
    .built-up{fill:$built;fill-opacity:.42;stroke:$built;stroke-opacity:.55;stroke-width:.7}
    .icon-city{fill:$city;stroke:$halo;stroke-width:1.1}
    .icon-ring{fill:none;stroke:$city;stroke-width:1.2}
    .icon-heart{fill:$halo}
    .icon-town{fill:$halo;stroke:$town;stroke-width:1.5}
    .icon-mark{fill:$town;stroke:$halo;stroke-width:.7}
    .icon-port{fill:none;stroke:$port;stroke-width:1.35;stroke-linecap:round;stroke-linejoin:round}
    .icon-halo{fill:none;stroke:$halo;stroke-width:3.2;stroke-linecap:round;stroke-opacity:.9}
    .icon-air{fill:$port;stroke:$halo;stroke-width:.8;paint-order:stroke}
    .icon-beach{fill:$port;stroke:$halo;stroke-width:1;stroke-linejoin:round}
    .icon-peak{fill:$relief-ink;stroke:$halo;stroke-width:.8}
    .icon-star{fill:$badge;stroke:$halo;stroke-width:.9;stroke-linejoin:round}
    .badge{fill:$badge;stroke:$halo;stroke-width:1}
    .badge-text{font-size:7.4px;font-weight:bold;fill:$badge-ink;text-anchor:middle}
    .zone{fill:$zone;fill-opacity:.1;stroke:$zone;stroke-width:1.4;stroke-dasharray:3.2 2.2}
    .supply{stroke:$halo;stroke-width:.9;stroke-linejoin:round}
    .supply-0{fill:$supply-0}
    .supply-1{fill:$supply-1}
    .supply-2{fill:$supply-2}
    .region{display:none;fill:$zone;fill-opacity:.22;stroke:$zone;stroke-width:2}
    .region.shown{display:inline}
    """

_ANCHOR = "M0-3.6V4.6M-4.2 1.2Q-3.6 4.8 0 4.8Q3.6 4.8 4.2 1.2M-2.2-1.4H2.2"
_PLANE = (
    "M0-5.4Q.9-5.2.9-3.4V-1.7L5.4 1.3V2.6L.9 1.2V3.4L2.3 4.6V5.5L0 4.9L-2.3 5.5V4.6"
    "L-.9 3.4V1.2L-5.4 2.6V1.3L-.9-1.7V-3.4Q-.9-5.2 0-5.4Z"
)
_STAR = "M0-5L1.3-1.7 4.8-1.5 2.1.7 3 4.1 0 2.2-3 4.1-2.1.7-4.8-1.5-1.3-1.7Z"

_SHAPES: Mapping[words.Icon, str] = {
    "city": '<circle class="icon-ring" r="6.2"/><circle class="icon-city" r="4.6"/>'
    '<circle class="icon-heart" r="1.5"/>',
    "minor-city": '<circle class="icon-city" r="4.6"/><circle class="icon-heart" r="1.4"/>',
    "town": '<circle class="icon-town" r="3.1"/>',
    "village": '<circle class="icon-town" r="2.2"/>',
    "dot": '<circle class="icon-mark" r="2.2"/>',
    "port": f'<path class="icon-halo" d="{_ANCHOR}"/><path class="icon-port" d="{_ANCHOR}"/>'
    '<circle class="icon-port" cy="-4.8" r="1.2"/>',
    "airfield": f'<path class="icon-air" d="{_PLANE}"/>',
    "peak": '<path class="icon-peak" d="M-4 3L0-4.4 4 3Z"/>',
    "fort": '<path class="icon-mark" d="M-4 3.6V-3.6H-2V-1.8H-1V-3.6H1V-1.8H2V-3.6H4V3.6Z"/>',
    "beach": '<path class="icon-beach" d="M-1.5-6H1.5V-.5H4.4L0 5-4.4-.5H-1.5Z"/>',
    "crater": '<circle class="icon-port" r="3.6" stroke-dasharray="1.6 1.4"/>',
    "battery": '<path class="icon-mark" d="M-4.5 2.5H4.5V1H1.5L4.8-3 3.4-4 0 1H-4.5Z"/>',
    "depot": '<path class="icon-mark" d="M-4 3.5V-1.5L0-4.5 4-1.5V3.5Z"/>',
    "objective": f'<path class="icon-star" d="{_STAR}"/>',
}
_RADII: Mapping[words.Icon, float] = {"city": 6.5, "minor-city": 4.8, "town": 3.6, "village": 2.8}
_CENTRAL: tuple[words.Icon, ...] = ("city", "minor-city", "town", "village", "peak", "fort")
_TITLES: Mapping[words.Icon, str] = {
    "dot": "Place",
    "beach": "Landing place",
    "minor-city": "Minor city",
    "battery": "Guns",
}
# Where signs stand that do not stand in the middle of the hex, in parts of its radius.
_SLOTS = ((0.42, 0.46), (-0.42, 0.46), (0.0, 0.6), (0.62, 0.0), (-0.62, 0.0), (0.42, -0.3))
_SIZES = {"city": 10.6, "minor-city": 9.4, "town": 8.6, "village": 7.8, "peak": 7.4, "zone": 8.4}
_RIVER_SIZE = 7.6


class Site(NamedTuple):
    """A place with what is drawn of it."""

    place: Place
    hex: Hex
    """The hex that has the name."""
    point: Point
    icon: words.Icon


class Slots:
    """Which places for small signs are still free in each hex."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet

    def take(self, hex: Hex, half: float = 5.0) -> Point:
        """A free place in a hex for a sign of this half width, the best that there is."""
        x, y = self._sheet.page.centre(hex)
        points = [(x + dx * RADIUS, y + dy * RADIUS) for dx, dy in _SLOTS]
        boxes = [Box(px - half, py - 5, px + half, py + 5) for px, py in points]
        free = (i for i, box in enumerate(boxes) if self._sheet.labels.is_free(box))
        best = next(free, 0)
        self._sheet.labels.take(boxes[best])
        return points[best]


def paint_places(sheet: Sheet) -> list[Site]:
    """The signs of all places and sources of supply; the outlines of regions, not shown."""
    slots = Slots(sheet)
    _paint_zones(sheet)
    sites = _paint_sites(sheet, slots)
    _paint_supply(sheet)
    for name, mask in sheet.board.regions.items():
        outline = PathText()
        for ring in sheet.page.rings(sheet.page.cells(mask)):
            polygon([sheet.page.at(node) for node in ring], outline)
        sheet.add("regions", path(outline, "region", attribute("data-region", name)))
    return sites


def _named_only(place: Place) -> bool:
    return words.is_water_name(place.kinds) or words.is_land_name(place.kinds)


def _is_zone(place: Place) -> bool:
    return words.is_zone(place.kinds) and not set(words.icons(place.kinds)) & set(_CENTRAL)


def _signs(place: Place) -> tuple[words.Icon, list[words.Icon]]:
    """The sign in the middle of a place's hexes, and those beside it."""
    icons = words.icons(place.kinds)
    # What a place is worth stands on its badge; a star besides would say it twice.
    others: list[words.Icon] = [
        icon for icon in icons if icon not in _CENTRAL and icon != "objective"
    ]
    for icon in _CENTRAL:
        if icon in icons:
            return icon, [*others, "objective"] if _unrated(place, icons) else others
    # A place that is only guns, a depot or a crater wears that sign itself, and no village's.
    if others and others[0] not in ("beach", "port", "airfield"):
        return others[0], others[1:]
    return ("village" if others or "objective" not in icons else "objective"), others


def _unrated(place: Place, icons: list[words.Icon]) -> bool:
    return "objective" in icons and not _badge(place)


def _paint_sites(sheet: Sheet, slots: Slots) -> list[Site]:
    """The signs of all places; returns the places, the greater first."""
    page = sheet.page
    order = {icon: i for i, icon in enumerate(_SHAPES)}
    sites: list[Site] = []
    for place in sheet.board.places.values():
        if not _named_only(place) and not _is_zone(place):
            hex = _named_hex(page, list(bits(place.hexes)))
            sites.append(Site(place, hex, page.centre(hex), _signs(place)[0]))
    # Of equals those with the longer names first, which find room less easily.
    sites.sort(key=lambda site: (order[site.icon], -len(site.place.name), site.place.name))
    shown: set[words.Icon] = set()
    settled: set[Hex] = set()
    for site in sites:
        _paint_site(sheet, site, slots, settled)
        settled.update(bits(site.place.hexes))
        central, others = _signs(site.place)
        shown.update([central, *others])
    for icon, shape in _SHAPES.items():
        if icon in shown:
            sheet.defs.append(defined(f"icon-{icon}", shape))
            label = _TITLES.get(icon) or words.heading(icon)
            sheet.explain("Places", label, _icon_sample(icon))
    if any(_badge(site.place) for site in sites):
        sheet.explain("Places", "Victory points", _badge_sample)
    return sites


def _paint_site(sheet: Sheet, site: Site, slots: Slots, settled: set[Hex]) -> None:
    """The signs of one place; where another is in the middle of a hex already, beside it."""
    page, place = sheet.page, site.place
    central, others = _signs(place)
    drawn: list[str] = []
    for hex in bits(place.hexes):
        if hex in settled:
            drawn.append(use(f"icon-{central}", slots.take(hex)))
            continue
        if central in ("city", "minor-city"):
            drawn.append(_built_up(page, hex, central))
        drawn.append(use(f"icon-{central}", page.centre(hex)))
        _take(sheet, page.centre(hex), _RADII.get(central, 5.0))
    for icon in others:
        if icon == "beach":
            drawn += [_arrow(sheet, hex, slots) for hex in bits(place.hexes)]
        else:
            drawn.append(use(f"icon-{icon}", slots.take(site.hex)))
    badge = _badge(place)
    if badge:
        half = _badge_half(badge)
        drawn.append(_badge_shape(badge, slots.take(site.hex, half), half))
    kinds = " ".join(f"kind-{kind}" for kind in sorted(place.kinds))
    about = attribute("class", f"place {kinds}".strip()) + attribute("data-name", place.name)
    sheet.add("places", group(drawn, about))


def _named_hex(page: Page, hexes: list[Hex]) -> Hex:
    """The hex in the middle of some."""
    x = sum(page.centre(hex)[0] for hex in hexes) / len(hexes)
    y = sum(page.centre(hex)[1] for hex in hexes) / len(hexes)

    def off(hex: Hex) -> tuple[float, Hex]:
        cx, cy = page.centre(hex)
        return round((cx - x) ** 2 + (cy - y) ** 2, 3), hex

    return min(hexes, key=off)


def _take(sheet: Sheet, point: Point, radius: float) -> None:
    x, y = point
    sheet.labels.take(Box(x - radius, y - radius, x + radius, y + radius))


def _built_up(page: Page, hex: Hex, icon: words.Icon) -> str:
    """The houses of a city: a patch with a broken outline."""
    x, y = page.centre(hex)
    line, half = page.cell_of[hex]
    size = (0.56 if icon == "city" else 0.42) * RADIUS
    points: list[Point] = []
    for i, (px, py) in enumerate(
        ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
    ):
        reach = size * (0.82 + 0.2 * chance(line * 8 + i, half, 51)) * (0.78 if px and py else 1)
        points.append((x + px * reach, y + py * reach))
    steps: list[Point] = []
    for a, b in zip(points, (*points[1:], points[0])):
        steps += [a, (b[0], a[1])]
    return path(polygon(steps), "built-up")


def _arrow(sheet: Sheet, hex: Hex, slots: Slots) -> str:
    """An arrow from the sea, if there is sea next to the hex."""
    page = sheet.page
    for d in (2, 3, 4, 1, 5, 0):
        other = page.lattice.neighbour(hex, d)
        if other >= 0 and words.ground(page.board.terrain_of(other)) == "sea":
            x, y = page.centre(hex)
            mx, my = page.side_middle(hex, d)
            px, py = x + 0.86 * (mx - x), y + 0.86 * (my - y)
            break
    else:
        px, py = slots.take(hex)
        d = 0
    # The arrow of the sign points down: to the middle of the hex, seen from a side at the top.
    turn = 60 * d + (0 if page.flat else 30)
    _take(sheet, (px, py), 4.6)
    move = f"translate({number(px)} {number(py)}) rotate({turn % 360})"
    return f'<use href="#{ref("icon-beach")}" transform="{move}"/>'


def _badge(place: Place) -> str:
    """The points that a place is worth, if any."""
    values = [
        str(value)
        for key, value in place.numbers.items()
        if key.startswith("vp") or key in ("value", "points") or "objective" in place.kinds
    ]
    return "/".join(values)


def _badge_half(words: str) -> float:
    return max(5.2, text_width(words, 7.4, bold=True) / 2 + 2.4)


def _badge_shape(words: str, point: Point, half: float) -> str:
    x, y = point
    corner = f'x="{number(x - half)}" y="{number(y - 4.8)}"'
    size = f'width="{number(2 * half)}" height="9.6" rx="4.8"'
    return f'<rect class="badge" {corner} {size}/>' + text(words, (x, y + 2.7), "badge-text")


# Zones


def _paint_zones(sheet: Sheet) -> None:
    page = sheet.page
    zones = [place for place in sheet.board.places.values() if _is_zone(place)]
    for place in zones:
        outline = PathText()
        for ring in page.rings(page.cells(place.hexes)):
            polygon([page.at(node) for node in ring], outline)
        sheet.add("places", path(outline, "zone", attribute("data-name", place.name)))
    if zones:
        sheet.explain(
            "Places", "Zone", lambda x, y: path(f"M{x - 13:g} {y - 6:g}h26v12h-26z", "zone")
        )


def _write_zones(sheet: Sheet) -> None:
    for place in sheet.board.places.values():
        if _is_zone(place):
            hex = _named_hex(sheet.page, list(bits(place.hexes)))
            _write_name(sheet, Site(place, hex, sheet.page.centre(hex), "dot"), "zone")


# Names


def _caption(place: Place) -> str:
    """The numbers of a place in a few letters."""
    badge = _badge(place)
    parts = [
        f"{key.upper() if len(key) <= 3 else words.heading(key)} {value}"
        for key, value in place.numbers.items()
        if not (badge and (key.startswith("vp") or key in ("value", "points")))
        and "objective" not in place.kinds
    ]
    return " · ".join(parts)


def write_names(sheet: Sheet, sites: Iterable[Site]) -> None:
    """The names of places and zones, each clear of all that is there."""
    for site in sites:
        _write_name(sheet, site)
    _write_zones(sheet)


def _write_name(sheet: Sheet, site: Site, style: str = "") -> None:
    """A name beside its place, and under it, smaller, the place's numbers."""
    style = style or (site.icon if site.icon in _SIZES else "village")
    size = _SIZES[style]
    name, caption = site.place.name, _caption(site.place)
    bold = style in ("city", "minor-city", "zone")
    width = text_width(name, size, bold=bold, spacing=0.5 if style == "city" else 0)
    width = max(width, text_width(caption, 6.6)) + 1.5
    height = 1.12 * size + (7.4 if caption else 0)
    gap = _RADII.get(site.icon, 4.5) + 1.6
    if style == "zone":
        gap = -height / 2
    spot = sheet.labels.around(site.point, width, height, gap, spread=2.2 * RADIUS)
    if spot is None:
        return
    x = spot.point[0]
    anchor = f' text-anchor="{spot.anchor}"'
    foot = spot.box.top + 0.86 * size
    sheet.add("names", text(name, (x, foot), f"label name-{style}", anchor))
    if caption:
        sheet.add("names", text(caption, (x, foot + 7.2), "caption", anchor))


def write_wide_names(sheet: Sheet) -> None:
    """Seas and ranges, in wide letters across their hexes."""
    page = sheet.page
    for place in sheet.board.places.values():
        if not _named_only(place):
            continue
        hexes = place.hexes.bit_count()
        size = min(22.0, 8.5 + 1.4 * hexes)
        cls = "sea-name" if words.is_water_name(place.kinds) else "land-name"
        x, y = page.centre_of(place.hexes)
        spacing = 0.22 * size
        for scale in (1.0, 0.8, 0.62):
            width = text_width(place.name, size * scale, spacing=spacing * scale) * 1.12
            height = 1.2 * size * scale
            box = Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)
            if sheet.labels.is_free(box):
                sheet.labels.take(box)
                style = f' font-size="{number(size * scale)}"'
                style += f' letter-spacing="{number(spacing * scale)}"'
                at = (x, y + 0.3 * size * scale)
                sheet.add("labels", text(place.name, at, f"label serif {cls}", style))
                break


def write_rivers(sheet: Sheet) -> None:
    """The names of lakes on hexsides and of rivers, where there is still room."""
    for name, line in sheet.waters:
        width = text_width(name, 7.4) * 1.1
        spot = sheet.labels.around(line[len(line) // 2], width, 8.6, 7, spread=RADIUS)
        if spot:
            anchor = f' text-anchor="{spot.anchor}"'
            sheet.add("labels", text(name, spot.point, "label serif lake-name", anchor))
    for name, line in sorted(sheet.names, key=lambda item: -length(item[1])):
        width = text_width(name, _RIVER_SIZE) * 1.12
        stretch = sheet.labels.along(line, width, _RIVER_SIZE, 2.6, most=3.5)
        if stretch:
            sheet.add("labels", along(sheet, name, stretch, "label serif river-name"))


# Supply


def _paint_supply(sheet: Sheet) -> None:
    page = sheet.page
    sides = list(dict.fromkeys(supply.side for supply in sheet.board.supply.values()))
    shape = "M0-4.6L4.6 0 0 4.6-4.6 0Z"
    if sheet.board.supply:
        sheet.defs.append(f'<path id="{ref("supply")}" d="{shape}"/>')
    for name, supply in sheet.board.supply.items():
        cls = f"supply supply-{sides.index(supply.side) % 3}"
        drawn: list[str] = []
        for hex in bits(supply.hexes):
            x, y = page.centre(hex)
            y += (0.62 if page.flat else 0.58) * RADIUS
            drawn.append(use("supply", (x, y)))
            _take(sheet, (x, y), 4.6)
        about = attribute("class", cls) + attribute("data-supply", name)
        about += attribute("data-for", supply.side)
        if drawn:
            sheet.add("supply", group(drawn, about))
    for i, side in enumerate(sides):
        if any(s.hexes for s in sheet.board.supply.values() if s.side == side):
            sheet.explain("Places", f"Supply, {side}", _supply_sample(i % 3))


def _supply_sample(i: int) -> Callable[[float, float], str]:
    return lambda x, y: use("supply", (x, y), f' class="supply supply-{i}"')


def _icon_sample(icon: words.Icon) -> Callable[[float, float], str]:
    return lambda x, y: use(f"icon-{icon}", (x, y))


def _badge_sample(x: float, y: float) -> str:
    return _badge_shape("5", (x, y), 5.2)
