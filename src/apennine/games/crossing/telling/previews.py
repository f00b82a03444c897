"""What an order would lead to, and how good a position looks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from apennine.hexes import bits
from apennine.kernel.decision import Option
from apennine.kernel.game import Preview
from apennine.kernel.ledger import rule
from apennine.mechanics.odds import Shift
from apennine.mechanics.sandtable import Chart, on_ladder
from apennine.mechanics.showing import attack, way

from ..rules.c04_movement import reach_of
from ..rules.c06_combat import odds, ready
from ..table.position import ALLIED, LOST, Table
from ..table.war import War


def go(war: War, pos: Table, option: Option) -> Preview:
    """The way and its cost."""
    return way(reach_of(war, pos, option.unit, pos.left), option.hex, war.ticks)


def battle(war: War, pos: Table, target: int, units: int) -> Preview:
    """6.3: factors, shifts, column, and the exact chance of each result."""
    return attack(odds(war, pos, target, bits(units)), war.combat, (6,), rule("6.3"))


PREVIEWS: Mapping[str, Callable[[War, Table, Option], Preview]] = MappingProxyType(
    {
        "go": go,
        "attack": lambda war, pos, o: battle(war, pos, o.hex, ready(war, pos, o.hex)),
        "attack with": lambda war, pos, o: battle(war, pos, o.hex, pos.attackers | 1 << o.unit),
        "fight": lambda war, pos, o: battle(war, pos, o.hex, pos.attackers),
    }
)
"""By verb, all that has something to say."""


def chart(war: War) -> Chart:
    """For attacks put together from nothing: the combat chart and its die."""
    return Chart(war.ladder, war.combat, (6,), rule("6.3"))


def reasons(_war: War) -> Mapping[str, tuple[Shift, int]]:
    """6.4: what shifts the column, and how often it may count."""
    return {
        "terrain": (Shift("a hill or a town", -1, rule("6.4")), 1),
        "bridge": (Shift("over the bridge", -1, rule("6.4")), 1),
    }


def troops(war: War) -> Iterator[tuple[str, int, int, int]]:
    """The units at full strength."""
    for unit, side in zip(war.roster, war.side_of, strict=True):
        yield unit.name, side, unit.attack(2), unit.defence(2)


SAND_TABLE = on_ladder(chart, reasons, troops)


def score(war: War, pos: Table, side: int) -> float:
    """Towns, then steps, then how near the Allies are to the towns they lack."""
    distance = war.lattice.distance
    worth = 6.0 * pos.held.bit_count()
    for unit, hex in enumerate(pos.hex):
        if hex == LOST:
            continue
        ally = war.side_of[unit] == ALLIED
        worth += pos.steps[unit] if ally else -pos.steps[unit]
        goals = war.towns & ~pos.held if ally else war.towns
        if goals:
            near = 0.2 * min(distance(hex, town) for town in bits(goals))
            worth -= near if ally else -near
    return worth if side == ALLIED else -worth
