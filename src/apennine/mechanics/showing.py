"""Parts of what every game shows: markers, ways, the chances of a battle, faults of a position."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Protocol, TypeVar

from apennine.board import Board
from apennine.hexes import Mask, bits
from apennine.kernel.game import Chance, Fault, Line, Posting, Preview
from apennine.kernel.position import Position
from apennine.mechanics.odds import Odds
from apennine.mechanics.phrases import counted
from apennine.mechanics.tables import Table

P = TypeVar("P", bound=Position)

# Views.


def markers(
    board: Board, found: Iterable[tuple[int, str, str, str | None]]
) -> list[dict[str, object]]:
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


def marks(unit: int, marked: Iterable[tuple[str, Mask]]) -> list[str]:
    """What marks a unit, of words and the units that they hold for.

    >>> marks(2, [("moved", 0b100), ("attacked", 0b010)])
    ['moved']
    """
    return [word for word, units in marked if units >> unit & 1]


# Previews.


class Ways(Protocol):
    """What a search for ways has found: a `Reach`, or what a game makes of several."""

    def path(self, hex: int) -> list[int]: ...
    def cost(self, hex: int) -> int: ...


def way(found: Ways, hex: int, scale: int = 1, lines: Sequence[Line] = ()) -> Preview:
    """The cheapest way to a hex and what it costs, at so many ticks to a point."""
    cost = counted(found.cost(hex) / scale, "point")
    return Preview(path=tuple(found.path(hex)), cost=cost, lines=tuple(lines))


def imagined(pos: P, **fields: Any) -> P:
    """A position with other values in some fields; the one that is shown stays as it is."""
    other = pos.copy()
    for name, value in fields.items():
        setattr(other, name, value)
    return other


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


# Schedules.


def arrivals(
    due: Sequence[Mapping[int, Sequence[int]]], by: Sequence[str], but: Mask = 0
) -> Iterator[Posting]:
    """Who comes, of the units of each side by turn, and by which rule; some units left out."""
    for side, turns in enumerate(due):
        for turn, units in turns.items():
            coming = tuple(unit for unit in units if not but >> unit & 1)
            if coming:
                yield Posting(turn, side, True, coming, rule=by[side])


# Faults.

Wrong = tuple[int, str, str]
"""What is wrong (a set of units or of hexes, or a bool), the sentence, the rule: as bars are."""


def faults(
    board: Board, names: Sequence[str], places: Sequence[int], found: Iterable[Wrong]
) -> list[Fault]:
    """What is wrong with a position: a fault for each {unit}, or each {hex}, that a sentence names.

    `places` are the hexes of all units. Sentences are without their full stop.
    """
    told: list[Fault] = []
    for wrong, sentence, by in found:
        if "{unit}" in sentence:
            for unit in bits(wrong):
                told.append(Fault(f"{sentence.format(unit=names[unit])}.", by, unit, places[unit]))
        elif "{hex}" in sentence:
            for hex in bits(wrong):
                told.append(Fault(f"{sentence.format(hex=board.code(hex))}.", by, hex=hex))
        elif wrong:
            told.append(Fault(f"{sentence}.", by))
    return told


def wrong_steps(
    places: Sequence[int],
    steps: Sequence[int],
    full: Sequence[int],
    by: str,
    lost: Collection[int] = (-1,),
) -> Iterator[Wrong]:
    """Units with more steps than their faces, or with none though they are not among the lost."""
    for unit, (place, left) in enumerate(zip(places, steps, strict=True)):
        wrong = not 0 <= left <= full[unit] or (place in lost) != (left == 0)
        yield wrong << unit, f"{{unit}} has {left} steps", by
