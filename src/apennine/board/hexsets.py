"""Sets of hexes in words: `block 1001 2010`, `within 2 of region naples`, `not terrain sea`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType

from apennine.hexes import HexError, Mask, Sides, bits, mask_of

from .mistakes import Notes
from .model import Line
from .notation import Notation
from .tables import Terms

_NONE: Mapping[str, Mask] = MappingProxyType({})


class HexSets:
    """Reads sets of hexes. A region may speak of terrain, rivers, lines and other regions."""

    def __init__(
        self,
        notation: Notation,
        terrain: Mapping[str, Mask],
        lines: Mapping[str, Line],
        regions: Mapping[str, Terms],
        through: Mapping[str, Mask] = _NONE,
    ) -> None:
        self._notation = notation
        self._lattice = notation.lattice
        self._notes: Notes = notation.notes
        self._terrain = terrain
        self._lines = lines
        self._through = through
        self._raw = regions
        self._regions: dict[str, Mask] = {}
        self._open: list[str] = []
        self._doubts = 0
        self._doubtful: set[str] = set()
        numbering = self._lattice.numbering
        height = numbering.rows[1] - numbering.rows[0] + 1
        self._printed = {code: divmod(i, height) for i, code in enumerate(numbering.codes())}
        self._words: dict[str, Callable[[str, str], Mask]] = {
            "all": self._all,
            "edge": self._edge,
            "block": self._block,
            "within": self._within,
            "terrain": self._named_terrain,
            "through": self._named_through,
            "region": self._named_region,
            "line": self._named_line,
            "side": self._side,
        }

    def regions(self) -> dict[str, Mask]:
        """All regions; one without a hex is a mistake."""
        for name in self._raw:
            if not self.region(name) and name not in self._doubtful:
                self._notes.add(f"regions.{name}", "The region has no hex.")
        return self._regions

    def region(self, name: str) -> Mask:
        """A region of the file, worked out when first asked for."""
        if name not in self._regions:
            self._open.append(name)
            terms, key = self._raw[name], f"regions.{name}.hexes"
            self._regions[name], sure = self.read(terms, key)
            if not sure:
                self._doubtful.add(name)
            self._open.pop()
        return self._regions[name]

    def read(self, terms: Terms, key: str) -> tuple[Mask, bool]:
        """The hexes of terms read in order: each adds; `not` takes away, `only` keeps.

        The second value is False if a mistake makes them doubtful: what would follow from it
        is then not to be told as a mistake of its own.
        """
        before = self._trouble()
        mask = 0
        for term in [terms] if isinstance(terms, str) else terms:
            word, _, rest = term.strip().partition(" ")
            if word == "not":
                mask &= ~self._term(rest, key)
            elif word == "only":
                mask &= self._term(rest, key)
            else:
                mask |= self._term(term, key)
        return mask, self._trouble() == before

    def _trouble(self) -> int:
        return len(self._notes.mistakes) + self._doubts

    def _term(self, term: str, key: str) -> Mask:
        word, _, rest = term.strip().partition(" ")
        if not word:
            self._notes.add(key, "A term is empty.")
            return 0
        if word in self._words:
            return self._words[word](rest.strip(), key)
        if word.isalpha() and word.islower():
            self._notes.unknown(key, "There is no word", word, [*self._words, "not", "only"])
            return 0
        return mask_of(self._notation.hexes(term, key))

    def _all(self, rest: str, key: str) -> Mask:
        self._nothing_after("all", rest, key)
        return self._lattice.all

    def _edge(self, rest: str, key: str) -> Mask:
        self._nothing_after("edge", rest, key)
        return mask_of(hex for hex in self._lattice if len(self._lattice.neighbours(hex)) < 6)

    def _nothing_after(self, word: str, rest: str, key: str) -> None:
        if rest:
            self._notes.add(key, f"Nothing may follow {word!r}, but {rest!r} does.")

    def _block(self, rest: str, key: str) -> Mask:
        """All hexes whose printed column and row lie between those of two corners."""
        codes = rest.split()
        if len(codes) != 2:
            self._notes.add(key, f"A block has two corners: 'block 1001 2010', not {rest!r}.")
            return 0
        corners = [self._corner(code, key) for code in codes]
        if None in corners:
            return 0
        columns, rows = (sorted(numbers) for numbers in zip(*filter(None, corners)))
        mask = 0
        for hex in self._lattice:
            column, row = self._printed[self._lattice.code(hex)]
            if columns[0] <= column <= columns[1] and rows[0] <= row <= rows[1]:
                mask |= 1 << hex
        return mask

    def _corner(self, code: str, key: str) -> tuple[int, int] | None:
        if code not in self._printed:
            try:
                self._lattice.parse(code)
            except HexError as error:
                self._notes.add(key, str(error), code)
        return self._printed.get(code)

    def _within(self, rest: str, key: str) -> Mask:
        distance, of, term = rest.partition(" of ")
        if not of or not distance.isdecimal():
            self._notes.add(key, f"A distance is written 'within 2 of 2419', not {rest!r}.")
            return 0
        mask = 0
        for hex in bits(self._term(term, key)):
            mask |= self._lattice.disc(hex, int(distance))
        return mask

    def _knows(self, what: str, names: Collection[str], name: str, key: str) -> bool:
        if name in names:
            return True
        self._notes.unknown(key, f"There is no {what}", name, names)
        self._doubts += 1
        return False

    def _named_terrain(self, name: str, key: str) -> Mask:
        return self._terrain[name] if self._knows("terrain", self._terrain, name, key) else 0

    def _named_through(self, name: str, key: str) -> Mask:
        known = self._knows("through feature", self._through, name, key)
        return self._through[name] if known else 0

    def _named_region(self, name: str, key: str) -> Mask:
        if name in self._open:
            self._notes.add(key, f"The region speaks of itself: {' > '.join(self._open)} > {name}.")
            return 0
        if not self._knows("region", self._raw, name, key):
            return 0
        mask = self.region(name)
        self._doubts += name in self._doubtful
        return mask

    def _named_line(self, name: str, key: str) -> Mask:
        if not self._knows("line", self._lines, name, key):
            return 0
        mask = self._lines[name].hexes
        for side in self._lines[name].sides:
            mask |= side
        return mask

    def _side(self, rest: str, key: str) -> Mask:
        """All that a line parts from the rest, on the side of a given hex."""
        before = self._trouble()
        name, _, where = rest.partition(" of ")
        code, _, area = where.partition(" in ")
        if not code:
            self._notes.add(key, f"A side is written 'side gustav of 2419', not {rest!r}.")
            return 0
        within = self._named_region(area, key) if area else self._lattice.all
        if not self._knows("line", self._lines, name, key):
            return 0
        seed = self._notation.hex(code, key)
        if self._trouble() > before:
            return 0
        line = self._lines[name]
        within &= ~line.hexes
        if not within >> seed & 1:
            self._notes.add(key, f"The hex is not on a side of the line {name!r}.", code)
            return 0
        inner, barred = self._lattice.all_sides, line.sides
        n, ne, se, s, sw, nw = (a & ~b for a, b in zip(inner, barred))
        free: Sides = (n, ne, se, s, sw, nw)
        mask = self._lattice.flood_sides(1 << seed, within, free)
        beyond = self._lattice.neighbours_of(line.hexes) & within & ~mask
        if self._lattice.cross(mask, barred) & mask or (line.hexes and not beyond):
            self._notes.add(key, f"The line {name!r} does not part the map: one can walk round it.")
        return mask
