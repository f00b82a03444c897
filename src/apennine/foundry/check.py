"""Checks a finished map against its recipe: everything wrong with it, in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from apennine.board import Board, MapError, read_map
from apennine.board.mistakes import Notes
from apennine.board.notation import Notation
from apennine.hexes import Edge, Hex, HexError, HexSet, Lattice, Mask, Sides, bits, mask_of

from .calibration import calibrate, misplaced
from .lattices import whole_lattice
from .mistakes import FoundryError
from .paths import Corners
from .recipe import AllowedWeave, Fact, Recipe, listed
from .weaving import weaves


class Fault(NamedTuple):
    """One thing that is wrong with a map: which check found it, and a sentence."""

    check: str
    text: str

    def __str__(self) -> str:
        return f"{self.check}: {self.text}"


def check_map(path: Path, recipe: Recipe) -> list[Fault]:
    """Read a map file and check it; the list is empty if the map is sound."""
    try:
        board = read_map(path)
    except MapError as error:
        return [Fault("file", str(mistake)) for mistake in error.mistakes]
    return check_board(board, recipe)


def check_board(board: Board, recipe: Recipe) -> list[Fault]:
    """Check a map that was read."""
    return list(_Checks(board, recipe).run())


class _Checks:
    def __init__(self, board: Board, recipe: Recipe) -> None:
        self._board = board
        self._lattice = board.lattice
        self._recipe = recipe
        self._sea = board.terrain.get(recipe.terrain.sea, 0)
        self._water = self._sea
        for name in recipe.terrain.water:
            self._water |= board.terrain.get(name, 0)
        self._mouths = self._water
        for name in recipe.terrain.lagoon:
            self._mouths |= board.terrain.get(name, 0)

    def run(self) -> Iterator[Fault]:
        checks: Sequence[tuple[str, Callable[[], Iterable[str]]]] = (
            ("control", self._control),
            ("land", self._land),
            ("terrain", self._bands),
            ("roads", self._roads),
            ("roads", self._weaves),
            ("rivers", self._rivers),
            ("rivers", self._rivers_through),
            ("places", self._places),
            ("facts", self._facts),
        )
        for name, check in checks:
            for text in check():
                yield Fault(name, text)

    def _names(self, mask: Mask, most: int = 6) -> str:
        codes = list(HexSet(self._lattice, mask))
        more = f" and {len(codes) - most} more" if len(codes) > most else ""
        return ", ".join(codes[:most]) + more

    def _control(self) -> Iterable[str]:
        """The named town lies in the named hex, and the warp nowhere folds."""
        whole = whole_lattice(self._recipe)
        try:
            calibration = calibrate(self._recipe, whole)
            yield from misplaced(calibration, whole)
            yield from calibration.folds(self._lattice)
        except FoundryError as error:
            yield str(error)
        for control in self._recipe.control:
            place = self._board.places.get(control.place)
            if place is None or control.by != "book":
                continue
            try:
                there = place.hexes >> self._lattice.parse(control.hex) & 1
            except HexError as error:
                yield f"{control.place}: {error}"
                continue
            if not there:
                yield f"{control.place} is in {self._names(place.hexes)}, not in {control.hex}."

    def _land(self) -> Iterable[str]:
        allowed = self._recipe.allowed
        land = self._lattice.all & ~self._sea
        parts = sorted(self._lattice.components(land), key=lambda p: -p.bit_count())
        islands = self._parsed([*allowed.islands, *allowed.stray, *self._recipe.terrain.islands])
        for part in parts[1:]:
            if not part & islands:
                what = "a stray land hex" if part.bit_count() == 1 else "an island"
                yield f"{self._names(part)}: {what} that the recipe does not list."
        for part in self._lattice.components(self._sea):
            if part.bit_count() == 1 and not part & islands and not part & self._rim():
                yield f"{self._names(part)}: a stray sea hex that the recipe does not list."

    def _rim(self) -> Mask:
        return mask_of(h for h in self._lattice if len(self._lattice.neighbours(h)) < 6)

    def _parsed(self, codes: Iterable[str]) -> Mask:
        return mask_of(self._lattice.parse(code) for code in codes)

    def _bands(self) -> Iterable[str]:
        for name, (least, most) in self._recipe.bands.items():
            count = self._board.terrain.get(name, 0).bit_count()
            if not least <= count <= most:
                yield f"{count} hexes are {name}; {least} to {most} are expected."

    def _roads(self) -> Iterable[str]:
        for name, courses in self._board.courses.items():
            for course in courses:
                wet = mask_of(course.hexes) & self._water
                if wet:
                    title = f"The {name} {course.name}".rstrip()
                    yield f"{title} runs into water at {self._names(wet)}."
        under = {road.name: road.under for road in self._recipe.roads}
        for name in self._board.courses:
            if name in self._recipe.allowed.apart:
                continue
            edges: set[Edge] = set()
            for each in (name, *under.get(name, [])):
                edges.update(self._lattice.edges(self._board.roads[each]))
            parts = self._connected(edges)
            islands = self._parsed(self._recipe.terrain.islands)
            for part in parts[1:]:
                if not self._lattice.flood(part, self._lattice.all & ~self._sea) & islands:
                    yield f"The {name} at {self._names(part)} hangs together with no other."

    def _weaves(self) -> Iterable[str]:
        """Roads that cross a river and soon cross it back; what is allowed must be there."""
        unused = {
            (a.road, a.river, site) for a in self._recipe.allowed.weaves for site in _sites(a)
        }
        allowed = frozenset(unused)
        for weave in weaves(self._board, self._recipe):
            sites = {(weave.road, weave.river, _unordered(site)) for site in weave.sites}
            unused -= sites
            if not sites <= allowed:
                yield str(weave)
        for road, river, site in sorted(unused):
            yield f"{road} does not weave over the river {river} at {site}, as the recipe allows."

    def _connected(self, edges: Iterable[Edge]) -> list[Mask]:
        """The hexes that steps join, in connected parts, the largest first."""
        sides = self._lattice.sides(edges)
        left = mask_of(h for edge in edges for h in self._lattice.edge_hexes(edge))
        parts: list[Mask] = []
        while left:
            part = self._lattice.flood_sides(left & -left, left, sides)
            parts.append(part)
            left &= ~part
        return sorted(parts, key=lambda p: -p.bit_count())

    def _rivers(self) -> Iterable[str]:
        names = [r.name for r in self._recipe.rivers if r.mode == "sides"]
        runs = [run for name in names for run in self._board.runs.get(name, ())]
        if not runs:
            return
        corners = Corners(self._lattice)
        loops = _Loops()
        for run in runs:
            for edge in run.edges:
                a, b = corners.ends[edge]
                if not loops.join(a, b):
                    codes = "/".join(self._lattice.code(h) for h in self._lattice.edge_hexes(edge))
                    yield f"{run.name or 'A river'} closes a loop at {codes}."
        wet = {
            i
            for i, hexes in enumerate(corners.hexes)
            if mask_of(hexes) & self._mouths or len(corners.sides[i]) < 3
        }
        reached = {loops.root(i) for i in wet}
        lost: dict[int, list[str]] = {}
        for run in runs:
            root = loops.root(corners.ends[run.edges[0]][0])
            if root not in reached:
                lost.setdefault(root, []).append(run.name or "a river without a name")
        yield from self._dry(lost.values())

    def _dry(self, groups: Iterable[list[str]]) -> Iterable[str]:
        for group in groups:
            if not set(group) <= set(self._recipe.allowed.ends):
                together = ", ".join(dict.fromkeys(group))
                yield f"{together}: no sea, lake, edge of the map or other river is reached."

    def _rivers_through(self) -> Iterable[str]:
        names = [r.name for r in self._recipe.rivers if r.mode == "through"]
        found = [self._board.through[name] for name in names if name in self._board.through]
        loops = _Loops()
        reached: set[int] = set()
        for course in (c for each in found for c in each.courses):
            for a, b in pairwise(course.hexes):
                if not loops.join(a, b):
                    codes = f"{self._lattice.code(a)} and {self._lattice.code(b)}"
                    yield f"{course.name or 'A river'} closes a loop between {codes}."
        for course in (c for each in found for c in each.courses):
            shore = self._lattice.dilate(mask_of(course.hexes[-1:])) & self._mouths
            if shore or course.leaves >= 0 or course.enters >= 0:
                reached.add(loops.root(course.hexes[-1]))
        lost: dict[int, list[str]] = {}
        for course in (c for each in found for c in each.courses):
            root = loops.root(course.hexes[0])
            if root not in reached and root not in {loops.root(r) for r in reached}:
                lost.setdefault(root, []).append(course.name or "a river without a name")
        yield from self._dry(lost.values())

    def _places(self) -> Iterable[str]:
        for place in self._board.places.values():
            if place.kinds & set(self._recipe.allowed.at_sea):
                continue
            if place.hexes & self._sea:
                yield f"{place.name} lies in the sea at {self._names(place.hexes & self._sea)}."

    def _facts(self) -> Iterable[str]:
        for fact in self._recipe.facts:
            try:
                for text in _FactCheck(self._board, self._sea, fact).run():
                    yield f"{text} ({fact.source})"
            except HexError as error:
                yield f"{error} ({fact.source})"
            except KeyError as error:
                yield f"The map knows nothing called {error}. ({fact.source})"


def _sites(allowed: AllowedWeave) -> list[str]:
    return [_unordered(site) for site in allowed.at.split()]


def _unordered(site: str) -> str:
    """A hexside by the lesser of its hexes first, so that it is written in one way."""
    return "/".join(sorted(site.split("/")))


class _Loops:
    """Joins nodes one by one, and tells when two are joined already."""

    def __init__(self) -> None:
        self._root: dict[int, int] = {}

    def root(self, node: int) -> int:
        self._root.setdefault(node, node)
        while self._root[node] != node:
            self._root[node] = self._root[self._root[node]]
            node = self._root[node]
        return node

    def join(self, a: int, b: int) -> bool:
        one, two = self.root(a), self.root(b)
        self._root[one] = two
        return one != two


class _FactCheck:
    """Holds one fact against the map."""

    def __init__(self, board: Board, sea: Mask, fact: Fact) -> None:
        self._board = board
        self._lattice: Lattice = board.lattice
        self._sea = sea
        self._fact = fact

    def run(self) -> Iterator[str]:
        notes = Notes("facts")
        notation = Notation(self._lattice, notes)
        for hex in notation.hexes(self._fact.hex, "hex"):
            yield from self._of_hex(hex)
        pairs = notation.pairs(self._fact.side, "side")[1] if self._fact.side else []
        for pair in pairs:
            if pair is not None:
                yield from self._of_side(*pair)
        chain = notation.hexes(self._fact.neighbours, "neighbours")
        for a, b in pairwise(chain):
            if self._lattice.direction(a, b) < 0:
                yield f"{self._code(a)} and {self._code(b)} are not neighbours."
        if self._fact.apart is not None:
            one, two, far = self._fact.apart
            found = self._lattice.distance(self._lattice.parse(one), self._lattice.parse(two))
            if found != far:
                yield f"{one} and {two} are {found} hexes apart, not {far}."
        for mistake in notes.mistakes:
            yield mistake.text

    def _code(self, hex: Hex) -> str:
        return self._lattice.code(hex)

    def _of_hex(self, hex: Hex) -> Iterator[str]:
        fact, board = self._fact, self._board
        terrains = listed(fact.terrain)
        if terrains and board.terrain_of(hex) not in terrains:
            yield f"{self._code(hex)} is {board.terrain_of(hex)}, not {' or '.join(terrains)}."
        if fact.place and not board.places[fact.place].hexes >> hex & 1:
            yield f"{fact.place} is not in {self._code(hex)}."
        if fact.kind and not board.kinds[fact.kind] >> hex & 1:
            yield f"{self._code(hex)} has no {fact.kind}."
        if fact.region and not board.regions[fact.region] >> hex & 1:
            yield f"{self._code(hex)} is not in the region {fact.region}."
        for name in listed(fact.road):
            if not board.road_hexes[name] >> hex & 1:
                yield f"{self._code(hex)} has no {name}."
        for name in listed(fact.no_road):
            if board.road_hexes[name] >> hex & 1:
                yield f"{self._code(hex)} has a {name}, against the book."
        for name in listed(fact.through):
            found = board.through[name]
            if not (found.hexes | found.headwaters) >> hex & 1:
                yield f"No {name} runs through {self._code(hex)}."
        if fact.rivers is not None:
            courses = [c for each in board.through.values() for c in each.courses]
            found = sum(hex in course.hexes for course in courses)
            if found != fact.rivers:
                yield f"{found} rivers run through {self._code(hex)}, not {fact.rivers}."
        if fact.headwater and not board.through[fact.headwater].headwaters >> hex & 1:
            yield f"No {fact.headwater} rises in {self._code(hex)}."
        if fact.line and not board.lines[fact.line].hexes >> hex & 1:
            yield f"{self._code(hex)} is not on the line {fact.line}."
        if fact.coastal is not None:
            coastal = bool(self._lattice.dilate(1 << hex) & self._sea)
            if coastal != fact.coastal:
                yield f"{self._code(hex)} is {'' if coastal else 'not '}on the coast."

    def _of_side(self, a: Hex, b: Hex) -> Iterator[str]:
        fact, board = self._fact, self._board
        d = self._lattice.direction(a, b)
        side = f"{self._code(a)}/{self._code(b)}"

        def on(sides: Sides) -> bool:
            return bool(sides[d] >> a & 1)

        for name in listed(fact.has):
            if not on(board.sides[name]):
                yield f"{side} has no {name}."
        for name in listed(fact.lacks):
            if on(board.sides[name]):
                yield f"{side} has a {name}, against the book."
        for name in listed(fact.road):
            if not on(board.roads[name]):
                yield f"No {name} leads over {side}."
        for name in listed(fact.no_road):
            if on(board.roads[name]):
                yield f"A {name} leads over {side}, against the book."
        if fact.line and not on(board.lines[fact.line].sides):
            yield f"{side} is not on the line {fact.line}."
        if fact.run:
            edge = self._lattice.edge_between(a, b)
            names = {r.name for runs in board.runs.values() for r in runs if edge in r.edges}
            if fact.run not in names:
                yield f"{fact.run} does not run along {side}."


def terrain_counts(board: Board) -> dict[str, int]:
    """How many hexes of each terrain a map has."""
    return {name: sum(1 for _ in bits(mask)) for name, mask in board.terrain.items()}
