"""Parts of what every game shows: markers, ways, the chances of a battle, faults of a position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Protocol

from apennine.board import Board
from apennine.hexes import Mask, bits
from apennine.kernel.game import Chance, Fault, Line, Preview
from apennine.mechanics.odds import Odds
from apennine.mechanics.phrases import counted
from apennine.mechanics.tables import Table

# Views.


def markers(board: Board, found: Iterable[tuple[int, str, str, str]]) -> list[dict[str, object]]:
    """Markers as a view has them, of their hex, name, title and side; not those off the map."""
    return [
        {"hex": board.code(hex), "name": name, "title": title, "side": side}
        for hex, name, title, side in found
        if hex >= 0
    ]


def named(names: Sequence[str], units: Mask) -> list[str]:
    """A set of units by name.

    >>> named(("1 Inf", "2 Inf", "V Pz"), 0b101)
    ['1 Inf', 'V Pz']
    """
    return [names[unit] for unit in bits(units)]


# Previews.


class Ways(Protocol):
    """What a search for ways has found: a `Reach`, or what a game makes of several."""

    def path(self, hex: int) -> list[int]: ...
    def cost(self, hex: int) -> int: ...


def way(found: Ways, hex: int, scale: int = 1, lines: Sequence[Line] = ()) -> Preview:
    """The cheapest way to a hex and what it costs, at so many ticks to a point."""
    cost = counted(found.cost(hex) / scale, "point")
    return Preview(path=tuple(found.path(hex)), cost=cost, lines=tuple(lines))


def chances(found: Mapping[Any, Fraction]) -> tuple[Chance, ...]:
    """The chance of each result, by what it is called."""
    return tuple(Chance(str(result), chance) for result, chance in found.items())


def attack(
    found: Odds, chart: Table[Any], dice: Sequence[int], by: str, cost: str = "", end: str = ""
) -> Preview:
    """An attack: factors and odds, by a rule, every shift, the column and the exact chances.

    With `end` the rule is cited by which a chart ends where the shifts would go beyond it.
    """
    lines = [
        Line("attack", str(found.attack), by),
        Line("defence", str(found.defence), by),
        Line("odds", found.raw_label, by),
        *found.lines,
    ]
    if end and found.column != found.shifted:
        lines.append(Line("the chart ends at", found.label, end))
    return Preview(
        cost=cost,
        lines=tuple(lines),
        column=found.label,
        chances=chances(chart.chances(found.column, tuple(dice))),
    )


# Faults.


def wrong_steps(
    names: Sequence[str], hex: Sequence[int], steps: Sequence[int], full: Sequence[int], by: str
) -> Iterator[Fault]:
    """Units with more steps than their faces, or with none though they are not lost (at -1)."""
    for unit, (place, left) in enumerate(zip(hex, steps, strict=True)):
        if not 0 <= left <= full[unit] or (place == -1) != (left == 0):
            yield Fault(f"{names[unit]} has {left} steps.", by, unit)


def shared_hexes(board: Board, one: Mask, other: Mask, by: str) -> Iterator[Fault]:
    """Hexes in which both sides are."""
    for hex in bits(one & other):
        yield Fault(f"Both sides are in {board.code(hex)}.", by, hex=hex)
