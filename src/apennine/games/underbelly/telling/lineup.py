"""A battle on the map as a forecast of its chances sees it."""

from __future__ import annotations

from apennine.hexes import Mask, bits

from ..rules.c13_battle import is_city, may_retreat
from ..rules.c13_fire import barrage_number, edge, gunners, is_silent, leaves_rubble
from ..rules.c13_retreat import can_retreat
from ..table.data import DIE
from ..table.position import Table
from ..table.war import War
from .battle_chances import Lineup, State
from .default_play import Fighter


def in_line(war: War, units: Mask) -> list[int]:
    """Units in the order of a lineup: divisions by their numbers, then corps support."""
    return [*bits(units & ~war.supports), *bits(units & war.supports)]


def fighter(war: War, pos: Table, unit: int) -> Fighter:
    """A unit of the battle with what its shots must roll, two steps and one.

    A defender's corps support out of supply is silent (11.5a).
    """
    numbers, support = war.fire[unit], bool(war.supports >> unit & 1)
    defends = war.side_of[unit] != pos.side
    more = edge(war, pos, unit)
    if defends and is_silent(war, unit, pos.defence_supply):
        more = -DIE
    # The last of his force, he needs a hex to retreat to.
    retreats = defends and may_retreat(war, pos) and can_retreat(war, pos, 1 << unit)
    return Fighter(numbers[-1] + more, numbers[1] + more, pos.steps[unit], support, retreats)


def lineup(war: War, pos: Table) -> Lineup:
    """The battle that is deployed in this position."""
    defenders = tuple(fighter(war, pos, unit) for unit in in_line(war, pos.defenders))
    return lineup_against(war, pos, defenders)


def lineup_against(war: War, pos: Table, defenders: tuple[Fighter, ...]) -> Lineup:
    """The attackers of this position against defenders that are given."""
    guns = gunners(war, pos)
    bombers = war.book.bombers
    ruins = pos.bomber and leaves_rubble(war, pos)
    return Lineup(
        tuple(fighter(war, pos, unit) for unit in in_line(war, pos.attackers)),
        defenders,
        barrage=max(0, barrage_number(war, pos, guns[0])) if guns else 0,
        bombs=bombers.hit if pos.bomber else 0,
        rubble=DIE + 1 - bombers.rubble if ruins else 0,
        cover=-war.book.modifiers["rubble"].attack,
        city=is_city(war, pos),
    )


def state(war: War, pos: Table) -> State:
    """The steps that are left in the battle under way."""
    attackers, defenders = in_line(war, pos.attackers), in_line(war, pos.defenders)
    return State(
        tuple(pos.steps[unit] for unit in attackers),
        tuple(pos.steps[unit] for unit in defenders),
        defenders.index(pos.rubble) if pos.rubble >= 0 else -1,
    )
