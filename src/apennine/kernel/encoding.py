"""Positions as numbers, for learners: what a side may see of one, in bytes of a fixed layout.

A game declares which of its fields are seen, and by which names: `Encoding`. From that a function
is written out that packs a position in a few microseconds; who needs arrays of many positions
unpacks them all at once with `Encoder.arrays`.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from apennine.hexes import bits
from apennine.kernel.game import Game, GameError
from apennine.kernel.position import Position

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Source = str | Callable[[Any, Any, int], int]
"""A field of the position ("control", "air[0]"), or a function of the war, it and a side.

"left while mover" is told only while the other field is not negative, "loss if targets" only if it
is anything at all; else it is 0. What a battle has left behind is nothing that a side is shown.
"""

UNSEEN = -9
"""What stands in the rows of a unit that the side cannot tell."""
_UNSEEN_COUNT = 255
_FIELD = re.compile(r"([a-z_]+(?:\[\d+\])?)(?: (while|if) ([a-z_]+))?")
_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Encoding(NamedTuple):
    """What a game's positions are made of, as far as sides may see it. Every name is free."""

    planes: Mapping[str, Source] = _NOTHING
    """Sets of hexes."""
    rows: Mapping[str, str] = MappingProxyType({"place": "hex"})
    """Lists with a number for each unit; "place" is where it is."""
    counts: Mapping[str, str] = MappingProxyType({"steps": "steps"})
    """Lists with a small number, 0 to 254, for each unit."""
    marks: Mapping[str, Source] = _NOTHING
    """Sets of units."""
    numbers: Mapping[str, Source] = _NOTHING
    """Single numbers, besides those that all games have: the turn, the phase, whose it is, who
    looks."""
    phases: Sequence[str] = ()
    """The names of the phases, in the order of their numbers."""
    owners: Callable[[Any], Sequence[int]] = lambda war: war.side_of
    """The side of each unit, by the war."""
    unseen: Callable[[Any, Any, int], int] | None = None
    """Units of which a side is told nothing: their rows say `UNSEEN`, and nothing marks them."""


class Arrays(NamedTuple):
    """Positions unpacked, each array with an axis for the positions first if there are several."""

    planes: NDArray[np.uint8]
    """By plane and place (hexes, then boxes): the declared ones, then how many counters of each
    side are there, as far as they are seen."""
    units: NDArray[np.int16]
    """By unit and column: the declared rows, the counts, then the marks."""
    numbers: NDArray[np.int32]


class Encoder:
    """Packs the positions of a game, and unpacks what was packed."""

    def __init__(self, game: Game[Any]) -> None:
        declared = game.encoding
        if declared is None:
            raise GameError(f"{game.title} does not say how its positions are encoded.")
        self.places, self._units = game.board.size, len(game.units)
        self.sides = game.sides
        self.planes = (*declared.planes, *(f"{side} counters" for side in game.sides))
        """The names of the planes."""
        self.units = (*declared.rows, *declared.counts, *declared.marks)
        """The names of the columns of units."""
        self.numbers = ("turn", "phase", "active side", "observer", *declared.numbers)
        """The names of the numbers."""
        self._declared = declared
        self._owner = tuple(declared.owners(game.war))
        self._bytes = (self.places + 7) // 8, (self._units + 7) // 8
        counts = len(declared.planes), len(declared.marks), len(declared.rows)
        across, along = self._bytes
        layout = f"<{counts[0] * f'{across}s'}{counts[1] * f'{along}s'}"
        layout += f"{len(declared.counts) * f'{self._units}s'}"
        layout += f"{counts[2] * self._units}h{len(self.numbers)}i"
        self._layout = struct.Struct(layout)
        self.size = self._layout.size
        """How many bytes a position takes."""
        self.encode = self._write(game)
        """Packs a position as a side (-1: a spectator) sees it."""

    def _write(self, game: Game[Any]) -> Callable[[Position, int], bytes]:
        """Write the function out field by field: a loop over the names takes four times as long."""
        declared, war = self._declared, game.war
        scope: dict[str, Any] = {"war": war, "pack": self._layout.pack, "blank": _blank}
        scope["phases"] = {name: number for number, name in enumerate(declared.phases)}

        def value(source: Source) -> str:
            if isinstance(source, str):
                found = _FIELD.fullmatch(source)
                if not found:
                    raise GameError(f"{game.title}: {source!r} is no field of a position.")
                name, when, other = found.groups()
                if not when:
                    return f"pos.{name}"
                return f"(pos.{name} if pos.{other}{' >= 0' if when == 'while' else ''} else 0)"
            name = f"f{len(scope)}"
            scope[name] = source
            return f"{name}(war, pos, side)"

        across, along = self._bytes
        seen = " & seen" if declared.unseen else ""
        parts = [f"{value(s)}.to_bytes({across}, 'little')" for s in declared.planes.values()]
        parts += [
            f"({value(s)}{seen}).to_bytes({along}, 'little')" for s in declared.marks.values()
        ]
        parts += [f"bytes(count{number})" for number in range(len(declared.counts))]
        parts += [f"*row{number}" for number in range(len(declared.rows))]
        parts += ["pos.turn", "phases.get(pos.phase, -1)", "pos.side", "side"]
        parts += [value(source) for source in declared.numbers.values()]
        lines = ["def encode(pos, side):"]
        lists = {f"row{n}": source for n, source in enumerate(declared.rows.values())}
        small = {f"count{n}": source for n, source in enumerate(declared.counts.values())}
        lines += [f" {name} = {value(source)}" for name, source in (lists | small).items()]
        if declared.unseen:
            lines += [f" unseen = {value(declared.unseen)}", " seen = ~unseen", " if unseen:"]
            lines += [f"  {name} = blank({name}, unseen, {UNSEEN})" for name in lists]
            lines += [f"  {name} = blank({name}, unseen, {_UNSEEN_COUNT})" for name in small]
        lines.append(f" return pack({', '.join(parts)})")
        exec("\n".join(lines), scope)
        return scope["encode"]

    def arrays(self, packed: bytes | Sequence[bytes]) -> Arrays:
        """A packed position, or many at once, as arrays. Needs numpy."""
        import numpy as np

        many = not isinstance(packed, bytes)
        data = b"".join(packed) if many else packed
        declared, (across, along) = self._declared, self._bytes
        kind = np.dtype(
            [
                ("planes", "u1", (len(declared.planes), across)),
                ("marks", "u1", (len(declared.marks), along)),
                ("counts", "u1", (len(declared.counts), self._units)),
                ("rows", "<i2", (len(declared.rows), self._units)),
                ("numbers", "<i4", (len(self.numbers),)),
            ]
        )
        found = np.frombuffer(data, kind)
        planes = np.unpackbits(found["planes"], axis=-1, count=self.places, bitorder="little")
        marks = np.unpackbits(found["marks"], axis=-1, count=self._units, bitorder="little")
        rows = found["rows"].astype(np.int16)
        counts = found["counts"].astype(np.int16)
        counts[counts == _UNSEEN_COUNT] = UNSEEN
        columns = np.concatenate([rows, counts, marks.astype(np.int16)], axis=1)
        units = columns.swapaxes(1, 2)
        stacks = self._stacks(rows[:, list(declared.rows).index("place")])
        arrays = Arrays(
            np.concatenate([planes, stacks], axis=1), units, found["numbers"].astype(np.int32)
        )
        return arrays if many else Arrays(*(array[0] for array in arrays))

    def _stacks(self, places: NDArray[np.int16]) -> NDArray[np.uint8]:
        """How many counters of each side are in each place."""
        import numpy as np

        many, sides = len(places), len(self.sides)
        found = np.zeros((many, sides, self.places), np.uint8)
        at, unit = np.nonzero(places >= 0)
        np.add.at(found, (at, np.array(self._owner, np.intp)[unit], places[at, unit]), 1)
        return found


def _blank(row: list[int], unseen: int, by: int) -> list[int]:
    """The row without those that are not seen."""
    row = row[:]
    for unit in _members(unseen):
        row[unit] = by
    return row


@lru_cache(1024)
def _members(units: int) -> tuple[int, ...]:
    """Who is unseen changes far more seldom than anything else."""
    return tuple(bits(units))
