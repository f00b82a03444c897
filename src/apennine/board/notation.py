"""How a map file writes hexes, courses and hexsides: `1010..1015`, `Liri: 2419/2520,2519`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from apennine.hexes import Edge, Hex, HexError, Lattice, Sides

from .mistakes import Notes
from .model import Course, Run

FLAT_DIRECTIONS = ("N", "NE", "SE", "S", "SW", "NW")
POINTY_DIRECTIONS = ("NE", "E", "SE", "SW", "W", "NW")


class Pair(NamedTuple):
    """A hexside as it is written: from the first hex over the side into the second."""

    a: Hex
    b: Hex


class Notation:
    """Reads the hexes of one lattice, noting what is wrong under the key where it stands."""

    def __init__(self, lattice: Lattice, notes: Notes) -> None:
        self.lattice = lattice
        self.notes = notes
        self.directions = FLAT_DIRECTIONS if lattice.flat else POINTY_DIRECTIONS

    def hex(self, code: str, key: str) -> Hex:
        """The hex of a printed code; -1, and a note, if the map does not have it."""
        try:
            return self.lattice.parse(code)
        except HexError as error:
            self.notes.add(key, f"{str(error).rstrip('.')}.", code)
            return -1

    def hexes(self, text: str, key: str) -> list[Hex]:
        """The hexes of codes and straight stretches (`1010..1015`), less the wrong ones."""
        return [hex for hex in self._chain(text.split(), key) if hex >= 0]

    def _chain(self, words: Iterable[str], key: str) -> list[Hex]:
        """The hexes of codes and stretches, with -1 in place of what is wrong."""
        found: list[Hex] = []
        for word in words:
            first, stretch, last = word.partition("..")
            a = self.hex(first, key)
            b = self.hex(last, key) if stretch else a
            found += self._stretch(a, b, key) if a >= 0 and b >= 0 else [-1]
        return found

    def _stretch(self, a: Hex, b: Hex, key: str) -> list[Hex]:
        (q, r), (to_q, to_r) = self.lattice.axial(a), self.lattice.axial(b)
        steps = self.lattice.distance(a, b)
        if 0 not in (to_q - q, to_r - r, to_q - q + to_r - r):
            text = f"{self._name(a, b, '..')} is not straight; name the hexes between them."
            self.notes.add(key, text, self.lattice.code(a))
            return [a, -1, b]
        dq, dr = (to_q - q) // max(steps, 1), (to_r - r) // max(steps, 1)
        hexes = [self.lattice.at(q + dq * i, r + dr * i) for i in range(steps + 1)]
        if -1 in hexes:
            text = f"{self._name(a, b, '..')} runs off the map on its way."
            self.notes.add(key, text, self.lattice.code(a))
        return hexes

    def _name(self, a: Hex, b: Hex, between: str) -> str:
        return f"{self.lattice.code(a)}{between}{self.lattice.code(b)}"

    def course(self, text: str, key: str, shortest: int = 1) -> Course:
        """A chain of neighbours, written `Via Appia: (NW) 2419 2520..2524 (S)`.

        Ways beyond the map count as hexes towards the length of the shortest course allowed.
        """
        name, words = _split_name(text)
        enters = self._beyond(words.pop(0), key) if words and words[0].startswith("(") else -1
        leaves = self._beyond(words.pop(), key) if words and words[-1].startswith("(") else -1
        chain = self._chain(words, key)
        ends = (enters >= 0) + (leaves >= 0)
        for a, b in pairwise(chain):
            if a >= 0 and b >= 0 and self.lattice.direction(a, b) < 0:
                jump = f"The course jumps: {self._name(a, b, ' and ')} are not neighbours."
                self.notes.add(key, jump, self.lattice.code(a))
        hexes = tuple(hex for hex in chain if hex >= 0)
        if hexes:
            self._check_exit(hexes[0], enters, key)
            self._check_exit(hexes[-1], leaves, key)
            if len(chain) + ends < shortest:
                code = self.lattice.code(hexes[0])
                self.notes.add(key, "A course of one hex leads nowhere.", code)
        elif not words:
            self.notes.add(key, f"The course {text!r} names no hex.")
        return Course(name, hexes, enters, leaves)

    def _check_exit(self, hex: Hex, d: int, key: str) -> None:
        beyond = self.lattice.neighbour(hex, d) if d >= 0 else -1
        if beyond >= 0:
            text = f"{self.directions[d]} of it is not the edge of the map but a hex: "
            self.notes.add(key, f"{text}{self.lattice.code(beyond)}.", self.lattice.code(hex))

    def _beyond(self, word: str, key: str) -> int:
        direction = word.strip("()")
        if direction not in self.directions:
            self.notes.unknown(key, "There is no direction", direction, self.directions)
            return -1
        return self.directions.index(direction)

    def pairs(self, text: str, key: str, directed: bool = False) -> tuple[str, list[Pair | None]]:
        """The name of a run and its hexsides, written `Liri: 2419/2520,2519 2418/2519`.

        None stands for a hexside that is wrong.
        """
        name, words = _split_name(text)
        pairs: list[Pair | None] = []
        sign = ">" if directed else "/"
        for word in words:
            sides = word.split(sign)
            if len(sides) != 2:
                example = f"1010{sign}1011"
                self.notes.add(key, f"{word!r} is not a hexside; write it as {example}.")
                pairs.append(None)
                continue
            first, second = ([self.hex(code, key) for code in part.split(",")] for part in sides)
            pairs += [self._pair(a, b, key) for a in first for b in second]
        return name, pairs

    def _pair(self, a: Hex, b: Hex, key: str) -> Pair | None:
        if a < 0 or b < 0:
            return None
        if self.lattice.direction(a, b) < 0:
            text = f"{self._name(a, b, ' and ')} are not neighbours: there is no such hexside."
            self.notes.add(key, text, self.lattice.code(a))
            return None
        return Pair(a, b)

    def run(self, text: str, key: str, directed: bool = False) -> tuple[Run, list[Pair]]:
        """Hexsides that must follow each other corner to corner, as a run and as pairs."""
        name, pairs = self.pairs(text, key, directed)
        for one, two in pairwise(pairs):
            if one and two and set(one) != set(two) and not self._meet(one, two):
                places = f"{self._name(*one, '/')} and {self._name(*two, '/')}"
                text = f"The run jumps: {places} do not meet at a corner."
                self.notes.add(key, text, self.lattice.code(one.a))
        sound = [pair for pair in pairs if pair]
        return Run(name, tuple(self.lattice.edge_between(*pair) for pair in sound)), sound

    def _meet(self, one: Pair, two: Pair) -> bool:
        """Two hexsides share a corner if they share a hex and the other two touch."""
        rest = set(one) ^ set(two)
        return len(rest) == 2 and self.lattice.direction(*rest) >= 0

    def sides(self, pairs: Sequence[Pair], key: str) -> Sides:
        """The hexsides as six masks, seen from both hexes; each may be named only once."""
        edges: set[Edge] = set()
        for pair in pairs:
            edge = self.lattice.edge_between(*pair)
            if edge in edges:
                text = f"The hexside {self._name(*pair, '/')} is named twice."
                self.notes.add(key, text, self.lattice.code(pair.a))
            edges.add(edge)
        return self.lattice.sides(edges)

    def over(self, pairs: Iterable[Pair]) -> Sides:
        """The hexsides as six masks, each seen only from the hex named first."""
        masks = [0] * 6
        for a, b in pairs:
            masks[self.lattice.direction(a, b)] |= 1 << a
        n, ne, se, s, sw, nw = masks
        return n, ne, se, s, sw, nw

    def crossed(self, courses: Iterable[Course]) -> Sides:
        """The hexsides between successive hexes of courses."""
        steps = (step for course in courses for step in pairwise(course.hexes))
        edges = (self.lattice.edge_between(a, b) for a, b in steps)
        return self.lattice.sides({edge for edge in edges if edge >= 0})


def _split_name(text: str) -> tuple[str, list[str]]:
    name, colon, rest = text.partition(":")
    return (name.strip(), rest.split()) if colon else ("", text.split())
