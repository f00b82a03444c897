"""Lines drawn by hand, along hexsides or through hexes, and hexside features found by rule."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from apennine.board import Course
from apennine.hexes import Edge, Hex

from .calibration import Calibration
from .draft import Draft, LineDraft, SideDraft, chains, clusters
from .geodata import Geodata
from .mistakes import FoundryError
from .paths import Corners, Step, cheapest
from .recipe import LakeRecipe, LineRecipe, SidesRecipe
from .sample import SideSurvey, Stats, side_ends
from .spatial import Floats, Nearness, crossings
from .ways import drawn


def lay_lines(draft: Draft, calibration: Calibration, recipes: Iterable[LineRecipe]) -> None:
    """Lay the lines of a recipe, and put them into the draft."""
    corners = Corners(draft.lattice)
    for recipe in recipes:
        course = drawn(calibration, recipe.points)
        line = LineDraft(recipe.source, recipe.title, scenes=list(recipe.scenes))
        if recipe.mode == "hexes":
            line.hexes = [_through(draft, recipe, course)]
        else:
            nodes, edges = _along(draft, corners, recipe, course)
            line.runs = [("", edges)]
            if recipe.attacker is not None:
                line.attacker = {
                    edge: _hand(draft, corners, edge, nodes[i], recipe.attacker)
                    for i, edge in enumerate(edges)
                }
        draft.lines[recipe.name] = line


def _along(
    draft: Draft, corners: Corners, recipe: LineRecipe, course: Floats
) -> tuple[list[int], list[Edge]]:
    lattice = draft.lattice
    ends = np.array([[corners.points[i] for i in corners.ends[e]] for e in corners.edges])
    near = Nearness(course)
    a, b = ends[:, 0], ends[:, 1]
    away = [near.distance(a + (b - a) * t) ** 2 for t in (0.15, 0.5, 0.85)]
    square = (away[0] + 2 * away[1] + away[2]) / 4
    costs: dict[Edge, float] = {}
    stands = draft.stands()
    banks = {edge for name in recipe.along for edge in _feature(draft, recipe, name).edges()}
    for i, edge in enumerate(corners.edges):
        one, two = lattice.edge_hexes(edge)
        d = float(square[i])
        parts = d < 2.5 and crossings(course, stands[one], stands[two]) % 2
        wet = draft.is_sea(one) + draft.is_sea(two)
        costs[edge] = (0.12 + 0.6 * d if parts else 0.35 + 4.0 * d) + 5.0 * wet
        if edge in banks:
            costs[edge] = 0.04 + 0.05 * d

    def steps(corner: int) -> Iterable[Step]:
        for to, edge in corners.sides[corner]:
            yield Step(costs[edge], to, edge)

    # A line that ends on the coast or at the edge of the map must reach it, or it parts nothing.
    outer = [
        i
        for i, hexes in enumerate(corners.hexes)
        if i in set(corners.on_edge) or any(map(draft.is_sea, hexes))
    ]
    way = cheapest(
        _terminals(corners, course[0], outer), _terminals(corners, course[-1], outer), steps
    )
    if way is None:
        raise FoundryError(f"The line {recipe.name!r} finds no way over the map.")
    return way.nodes, way.edges


def _feature(draft: Draft, recipe: LineRecipe, name: str) -> SideDraft:
    if name not in draft.sides:
        raise FoundryError(f"The line {recipe.name!r} runs along {name!r}, which is no hexside.")
    return draft.sides[name]


def _terminals(corners: Corners, point: Floats, outer: Sequence[int]) -> dict[int, float]:
    square = corners.distances(point)
    near = [i for i in outer if float(square[i]) <= 2.25]
    among = near or range(len(square))
    return {i: 2.0 * float(square[i]) for i in among}


def _hand(draft: Draft, corners: Corners, edge: Edge, start: int, hand: str) -> Hex:
    """The hex on the left or right of a hexside walked from a corner."""
    a, b = corners.ends[edge]
    begin, end = (a, b) if a == start else (b, a)
    dx, dy = (corners.points[end] - corners.points[begin]).tolist()
    x, y = corners.points[begin].tolist()
    one, two = draft.lattice.edge_hexes(edge)
    ox, oy = draft.lattice.pixel(one)
    # y grows downward, so a quarter turn to the right of (dx, dy) is (-dy, dx).
    right = -dy * (ox - x) + dx * (oy - y) > 0
    return one if right == (hand == "right") else two


def _through(draft: Draft, recipe: LineRecipe, course: Floats) -> Course:
    lattice = draft.lattice
    hexes = list(lattice)
    centres = np.array([lattice.pixel(h) for h in hexes])
    away = dict(zip(hexes, Nearness(course).distance(centres).tolist()))

    def steps(hex: Hex) -> Iterable[Step]:
        for to in lattice.neighbours(hex):
            yield Step(0.3 + 3.0 * away[to] ** 2, to)

    first, last = (
        int(np.argmin(((centres - point) ** 2).sum(axis=1))) for point in (course[0], course[-1])
    )
    way = cheapest({hexes[first]: 0.0}, {hexes[last]: 0.0}, steps)
    if way is None:
        raise FoundryError(f"The line {recipe.name!r} finds no way over the map.")
    return Course("", tuple(way.nodes))


def lay_sides(
    draft: Draft,
    survey: SideSurvey,
    stats: Mapping[str, Stats],
    recipes: Iterable[SidesRecipe],
) -> None:
    """Find hexside features by their rules, as runs, and put them into the draft."""
    lattice = draft.lattice
    for recipe in recipes:
        ringed = [
            edge
            for edge in survey.edges
            if any(draft.terrain[hex] in recipe.around for hex in lattice.edge_hexes(edge))
            and not any(map(draft.is_water, lattice.edge_hexes(edge)))
        ]
        found = survey.found(recipe.when, lambda hex: not draft.is_water(hex))
        found = sorted({*found, *ringed})
        kept = [
            edge
            for piece in clusters(lattice, found)
            if len(piece) >= recipe.min_run
            for edge in piece
        ]
        feature = SideDraft(recipe.source)
        for run in chains(lattice, kept):
            if len(run) > 1:
                feature.runs.append(("", run))
            else:
                feature.loose += run
        if recipe.directed:
            feature.uphill = {}
            for edge in kept:
                one, two = lattice.edge_hexes(edge)
                heights = [stats[lattice.code(h)]["elevation"] for h in (one, two)]
                feature.uphill[edge] = one if heights[0] <= heights[1] else two
        draft.sides[recipe.name] = feature


def lay_lakes(
    draft: Draft, calibration: Calibration, geodata: Geodata, recipes: Iterable[LakeRecipe]
) -> None:
    """Show lakes smaller than a hex on the hexsides nearest to them."""
    lattice = draft.lattice
    edges = lattice.edges(lattice.all_sides)
    middles = np.array([sum(side_ends(lattice, edge)) / 2 for edge in edges])
    for recipe in recipes:
        lake = max(
            (named for named in geodata.lakes if named.name == recipe.name),
            key=lambda named: named.area.size,
            default=None,
        )
        if lake is None:
            raise FoundryError(f"The data has no lake {recipe.name!r}.")
        lon, lat = lake.area.centre
        spot = calibration.to_page(np.array([lat]), np.array([lon]))[0]
        feature = draft.sides.setdefault(recipe.feature, SideDraft(recipe.source))
        taken = feature.edges()
        order = np.argsort(((middles - spot) ** 2).sum(axis=1), kind="stable")
        nearest = [edges[int(i)] for i in order]
        free = [
            edge
            for edge in nearest
            if edge not in taken and not any(map(draft.is_water, lattice.edge_hexes(edge)))
        ]
        title = recipe.title or recipe.name
        chosen = free[: recipe.sides]
        feature.runs += [(title, run) for run in chains(lattice, chosen)]
