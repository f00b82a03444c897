"""Sea and land: coasts, tints by height, terrain and its signs, shading, the grid of hexes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from xml.sax.saxutils import escape

from . import words
from .contours import higher_than
from .curves import PathText, Point, calmed, chance, middle, number, polygon, polyline, rounded
from .labels import Box
from .page import RADIUS, Cell, Node, Page
from .relief import Heights, Relief, relief, shading_picture
from .sheet import Sheet, attribute, defined, group, path, ref, text, use
from .themes import LEVELS
from .tints import side_tints

RULES = """
    .paper{fill:$paper}
    .swatch{stroke:$rule;stroke-width:.7}
    .card{fill:$card;stroke:$rule;stroke-width:.8}
    .sea{fill:$sea}
    .shallow{fill:none;stroke:$shallow;stroke-linejoin:round}
    .coast{fill:none;stroke:$coast;stroke-width:1.1;stroke-linejoin:round}
    .lake{fill:$lake;stroke:$coast;stroke-width:.9}
    .ground-mountain{fill:$mountain;fill-opacity:.26}
    .ground-alpine{fill:$alpine;fill-opacity:.34}
    .ground-hill{fill:$hill;fill-opacity:.26}
    .ground-rough{fill:$rough;fill-opacity:.22}
    .ground-forest{fill:$forest;fill-opacity:.45}
    .ground-marsh{fill:$marsh;fill-opacity:.42}
    .ground-town,.ground-city{fill:$built;fill-opacity:.2}
    .ground-desert{fill:$desert;fill-opacity:.4}
    .ground-beyond{fill:$veil;fill-opacity:$veil-opacity}
    .ground-clear{fill:none}
    .relief{opacity:$relief}
    .sign{fill:none;stroke:$sign;stroke-width:.9;stroke-linecap:round;stroke-linejoin:round}
    .shade{fill:$sign;fill-opacity:.75}
    .light{fill:$sign-light;fill-opacity:.6}
    .tree{fill:$tree;fill-opacity:.75}
    .reed{fill:none;stroke:$reed;stroke-width:.9;stroke-linecap:round}
    .block{fill:$built;fill-opacity:.7}
    .signs{opacity:.5}
    .signs-alone{opacity:.9}
    .veil{fill:$veil;fill-opacity:$veil-opacity;fill-rule:evenodd}
    .haze{fill:$veil;fill-opacity:.2;fill-rule:evenodd}
    .grid{fill:none;stroke:$grid;stroke-opacity:$grid-opacity;stroke-width:.7}
    .edge{fill:none;stroke:$ink;stroke-width:1.2;stroke-opacity:.55;stroke-linejoin:round}
    .frame{fill:none;stroke:$rule;stroke-width:2}
    .hexes{fill:none;pointer-events:all}
    .hex-code{font-size:6.8px;fill:$code;text-anchor:middle;paint-order:stroke;stroke:$halo;stroke-width:2;stroke-opacity:.75}
    """ + "\n".join(f".h{i}{{fill:$h{i}}}" for i in range(len(LEVELS)))

_WATER = ("sea", "lake")
# What a map whose sides have their own ground shows by these.
_ON_SIDES = ("clear", "rough", "alpine", "marsh")


def paint_ground(sheet: Sheet, *, shaded: bool) -> None:
    """Everything that lies under rivers, roads and towns."""
    page = sheet.page
    dry = page.cells_where(lambda hex: _ground(page, hex) != "sea")
    coast = _shore(page, dry, 0.07)
    frame = f"M0 0H{number(page.width)}V{number(page.height)}H0z"
    sheet.defs += [
        f'<path id="{ref("coast")}" d="{coast}"/>',
        f'<clipPath id="{ref("land")}"><use href="#{ref("coast")}"/></clipPath>',
        f'<clipPath id="{ref("frame")}"><path d="{frame}"/></clipPath>',
    ]
    ground = relief(page)
    _paint_sea(sheet, frame)
    _paint_land(sheet, ground)
    if shaded:
        _paint_shading(sheet, ground.fine)
    _paint_signs(sheet)
    _paint_water(sheet)
    sheet.labels.flood(set(page.nearest) - dry)


def _ground(page: Page, hex: int) -> words.Ground:
    return words.ground(page.board.terrain_of(hex))


def _paint_sea(sheet: Sheet, frame: str) -> None:
    sheet.add("sea", path(frame, "sea"))
    # The nearer to the coast, the lighter: three strokes over one another.
    for width, opacity in ((34, 0.3), (20, 0.4), (9, 0.5)):
        extra = f' class="shallow" stroke-width="{width}" stroke-opacity="{opacity:g}"'
        sheet.add("sea", f'<use href="#{ref("coast")}"{extra}/>')
    if any(words.ground(name) == "sea" for name in sheet.board.terrain):
        sheet.explain("Terrain", "Sea", lambda x, y: _swatch(x, y, "sea"))


def _paint_land(sheet: Sheet, ground: Relief) -> None:
    page, board = sheet.page, sheet.board
    by_side = words.have_ground(board.sides)
    tints: list[str] = [f'<use href="#{ref("coast")}" class="h{2 * by_side}"/>']
    tints += side_tints(sheet) if by_side else _height_tints(ground)
    land = [group(tints, ' class="tints"')]
    for name in _in_order(board.terrain):
        kind = words.ground(name)
        if kind not in _WATER and board.terrain[name] and not (by_side and kind in _ON_SIDES):
            if not by_side:
                area = _outline(page, page.cells(board.terrain[name]), 0.3, 0.0)
                land.append(path(area, f"ground-{kind}", attribute("data-terrain", name)))
            sample = _terrain_sample(kind)
            sheet.explain("Terrain", words.heading(name), sample)
    sheet.add("terrain", group(land, f' clip-path="url(#{ref("land")})"'))


def _height_tints(ground: Relief) -> list[str]:
    drawn: list[str] = []
    for i, level in enumerate(LEVELS[1:], 1):
        outline = higher_than(ground.coarse, level)
        if outline:
            drawn.append(path(outline, f"h{i}", ' fill-rule="evenodd"'))
    return drawn


def _in_order(terrain: Iterable[str]) -> list[str]:
    """The lowest ground first, as a legend has it."""
    return sorted(terrain, key=lambda name: words.HEIGHTS[words.ground(name)])


def _paint_shading(sheet: Sheet, fine: Heights) -> None:
    columns, rows = len(fine.rows[0]), len(fine.rows)
    # Each value stands for the middle of a dot of the picture.
    box = "".join(
        attribute(name, number(value))
        for name, value in (
            ("x", fine.left - fine.dx / 2),
            ("y", fine.top - fine.dy / 2),
            ("width", columns * fine.dx),
            ("height", rows * fine.dy),
        )
    )
    picture = f'<image class="relief" preserveAspectRatio="none"{box}'
    picture += f' href="{shading_picture(fine)}"/>'
    sheet.add("relief", group([picture], f' clip-path="url(#{ref("land")})"'))


def _paint_water(sheet: Sheet) -> None:
    page, board = sheet.page, sheet.board
    for name, mask in board.terrain.items():
        if words.ground(name) == "lake" and mask:
            shore = _outline(page, page.cells(mask), 0.34, 0.06)
            sheet.add("water", path(shore, "lake", attribute("data-terrain", name)))
            sheet.explain("Terrain", words.heading(name), lambda x, y: _swatch(x, y, "lake"))
    sheet.add("water", f'<use href="#{ref("coast")}" class="coast"/>')


def _shore(page: Page, cells: set[Cell], wild: float) -> str:
    return _outline(page, cells, 0.4, wild)


def _outline(page: Page, cells: set[Cell], calm: float, wild: float) -> str:
    """The rounded outline of some cells; `wild` is how far it strays, in parts of a hex."""
    outline = PathText()
    for ring in page.rings(cells):
        points = calmed([page.at(node) for node in ring], closed=True, by=calm)
        if wild:
            points = _strayed(ring, points, wild * RADIUS)
        rounded(points, outline, closed=True)
    return str(outline)


def _strayed(ring: list[Node], points: list[Point], by: float) -> list[Point]:
    """A ring of twice as many points, none quite where it was: no coast is as even as hexes."""
    strayed: list[Point] = []
    for i, here in enumerate(points):
        there = points[(i + 1) % len(points)]
        x, y = ring[i]
        ex, ey = x + ring[(i + 1) % len(ring)][0], y + ring[(i + 1) % len(ring)][1]
        strayed.append((here[0] + by * chance(x, y, 1), here[1] + by * chance(x, y, 2)))
        mx, my = middle(here, there)
        strayed.append((mx + 1.5 * by * chance(ex, ey, 3), my + 1.5 * by * chance(ex, ey, 4)))
    return strayed


# Signs


def _peak(x: float, y: float, height: float) -> str:
    """A peak in the light of the upper left."""
    w = 0.62 * height
    lit = [(x - w, y), (x, y - height), (x + 0.22 * w, y - 0.42 * height), (x - 0.12 * w, y)]
    dark = [(x, y - height), (x + w, y), (x - 0.12 * w, y), (x + 0.22 * w, y - 0.42 * height)]
    return path(polygon(lit), "light") + path(polygon(dark), "shade")


def _hillock(x: float, y: float, width: float) -> str:
    top = y - 0.62 * width
    arc = f"M{number(x - width)} {number(y)}Q{number(x)} {number(top - 2)} "
    arc += f"{number(x + width)} {number(y)}"
    strokes = "".join(
        f"M{number(x + dx)} {number(y - 2.6 + dy)}l{number(0.7)} {number(2.2)}"
        for dx, dy in ((width * 0.25, 0.0), (width * 0.55, 0.9))
    )
    return path(arc + strokes, "sign")


def _stones(*points: Point) -> str:
    marks = PathText()
    for x, y in points:
        polyline([(x - 2.2, y + 1), (x, y - 1.8), (x + 2.2, y + 1)], marks)
    return path(marks, "sign")


def _trees(*points: Point) -> str:
    return "".join(
        f'<circle class="tree" cx="{number(x)}" cy="{number(y)}" r="{number(2.3)}"/>'
        for x, y in points
    )


def _reeds(*points: Point) -> str:
    marks = "".join(
        f"M{number(x - 3.2)} {number(y)}h6.4m-3.2-1v-3m-1.6 3.2l-1-2.2m4.2 2.2l1-2.2"
        for x, y in points
    )
    return path(marks, "reed")


def _blocks(*boxes: tuple[float, float, float, float]) -> str:
    return path("".join(f"M{x:g} {y:g}h{w:g}v{h:g}h{-w:g}z" for x, y, w, h in boxes), "block")


_SIGNS: dict[words.Ground, tuple[str, ...]] = {
    "mountain": (
        _peak(-8, 4, 11) + _peak(6, 0, 13) + _peak(-1, 14, 10),
        _peak(-5, -1, 13) + _peak(9, 6, 10) + _peak(-7, 14, 10),
        _peak(7, -1, 11) + _peak(-7, 6, 13) + _peak(6, 14, 10),
    ),
    "alpine": (
        _peak(-7, 2, 15) + _peak(7, 7, 17) + _peak(-6, 15, 11),
        _peak(6, 1, 15) + _peak(-7, 8, 17) + _peak(7, 15, 11),
    ),
    "hill": (
        _hillock(-7, 1, 5.5) + _hillock(7, 5, 6) + _hillock(-4, 12, 5),
        _hillock(6, -1, 5.5) + _hillock(-7, 7, 6) + _hillock(6, 13, 5),
    ),
    "rough": (
        _stones((-9, -2), (4, -5), (10, 5), (-3, 6), (2, 14)),
        _stones((-6, -5), (8, -2), (-10, 7), (3, 5), (-2, 14)),
        _stones((1, -4), (-10, 1), (11, 3), (-3, 9), (7, 13)),
    ),
    "forest": (
        _trees((-8, -3), (-4, -5), (6, -2), (9, 2), (-9, 7), (-4, 9), (4, 8), (1, 14), (6, 13)),
        _trees((-7, 1), (-10, 4), (-1, -4), (4, -5), (9, 6), (5, 8), (-4, 11), (0, 13), (10, -1)),
    ),
    "marsh": (
        _reeds((-8, 0), (7, -3), (-2, 8), (9, 9), (-9, 14)),
        _reeds((6, 1), (-7, -3), (-8, 9), (3, 9), (8, 15)),
    ),
    "town": (_blocks((-9, 1, 4, 4), (-3, 5, 5, 4), (5, 0, 4, 5), (-6, 10, 4, 3), (4, 9, 5, 4)),),
    "city": (
        _blocks(
            *((x, y, 4.6, 4.6) for x in (-14, -8, 4, 10) for y in (-3, 3)),
            *((x, y, 4.6, 4.6) for x in (-8, -2, 4) for y in (9, 14)),
        ),
    ),
}


def _paint_signs(sheet: Sheet) -> None:
    page, board = sheet.page, sheet.board
    by_side = words.have_ground(board.sides)
    used: list[str] = []
    kinds: set[words.Ground] = set()
    for name, mask in board.terrain.items():
        kind = words.ground(name)
        variants = _SIGNS.get(kind)
        if variants is None or not mask or (by_side and kind in _ON_SIDES):
            continue
        kinds.add(kind)
        for cell in sorted(page.cells(mask)):
            variant = int((chance(*cell, 5) + 1) * 0.4999 * len(variants))
            used.append(use(f"{kind}-{variant}", page.at(page.node(cell))))
    for kind in _SIGNS:
        if kind in kinds:
            for i, sign in enumerate(_SIGNS[kind]):
                sheet.defs.append(defined(f"{kind}-{i}", sign))
    if used:
        # Without a tint of their own only the signs tell mountains from other hexes.
        alone = " signs-alone" if by_side else ""
        sheet.add("symbols", group(used, f' class="signs{alone}"'))


def _terrain_sample(kind: words.Ground) -> Callable[[float, float], str]:
    def sample(x: float, y: float) -> str:
        base = "h1" if kind in ("clear", "marsh", "town", "city") else "h2"
        base = {"mountain": "h4", "alpine": "h6", "hill": "h3"}.get(kind, base)
        signs = ""
        if kind in _SIGNS:
            at = f' transform="translate({number(x)} {number(y - 2)}) scale(.62)" class="signs"'
            signs = group([use(f"{kind}-0", (0, 0))], at)
        return _swatch(x, y, base) + _swatch(x, y, f"ground-{kind}") + signs

    return sample


def _swatch(x: float, y: float, cls: str) -> str:
    """A small hex in the legend."""
    points = [(-14, 0), (-7, -9), (7, -9), (14, 0), (7, 9), (-7, 9)]
    return path(polygon([(x + dx, y + dy) for dx, dy in points]), f"swatch {cls}")


# The grid


def paint_grid(sheet: Sheet) -> None:
    """The lines between hexes, the edge of the map, and a veil over what lies beyond it."""
    page = sheet.page
    lines = PathText()
    for cell in sorted(page.hex_at):
        corners = [page.at(node) for node in page.corners(cell)]
        # Three sides of every hex draw each side once, but for those at the edge.
        inner = [other in page.hex_at for other in page.around(cell)]
        for d in range(3):
            if inner[d]:
                lines.go_to(corners[d])
                lines.line(corners[d + 1])
    edge = PathText()
    for ring in page.rings(page.hex_at):
        polygon([page.at(node) for node in ring], edge)
    frame = f"M0 0H{number(page.width)}V{number(page.height)}H0z"
    beyond = f"{frame}{edge}"
    sheet.add("grid", path(beyond, "haze"))
    sheet.add("grid", path(beyond, "veil", f' clip-path="url(#{ref("land")})"'))
    sheet.add("grid", path(lines, "grid"), path(edge, "edge"), path(frame, "frame"))


def paint_codes(sheet: Sheet) -> None:
    """The number of every hex, at its top."""
    page, lattice = sheet.page, sheet.board.lattice
    lift = (0.6 if page.flat else 0.52) * RADIUS
    for hex in lattice:
        x, y = page.centre(hex)
        sheet.add("codes", text(lattice.code(hex), (x, y - lift), "hex-code"))
        sheet.labels.mind_number(Box(x - 8.5, y - lift - 5, x + 8.5, y - lift + 1))


def paint_hexes(sheet: Sheet) -> None:
    """One shape for every hex that can be pointed at, with what the hex is."""
    page, board = sheet.page, sheet.board
    shape = polygon([(x, y) for x, y in _around_centre(page)])
    sheet.defs.append(f'<path id="{ref("hex")}" d="{shape}"/>')
    heights = board.numbers.get("elevation")
    shapes: list[str] = []
    for hex in board.lattice:
        code, terrain = board.lattice.code(hex), board.terrain_of(hex)
        known = attribute("id", f"hex-{code}") + attribute("data-terrain", terrain)
        about = [code, *(place.name for place in board.places_at(hex)), words.heading(terrain)]
        if heights is not None and words.ground(terrain) not in _WATER:
            known += attribute("data-elevation", heights[hex])
            about.append(f"{heights[hex]} m")
        x, y = page.centre(hex)
        shapes.append(
            f'<use href="#{ref("hex")}"{known} x="{number(x)}" y="{number(y)}">'
            f"<title>{escape(', '.join(about))}</title></use>"
        )
    sheet.add("hexes", group(shapes, ' class="hexes"'))


def _around_centre(page: Page) -> list[Point]:
    hex = next(iter(page.lattice))
    x, y = page.centre(hex)
    return [(px - x, py - y) for px, py in page.outline(hex)]
