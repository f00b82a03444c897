"""Chapter 12.3: retreats, after combat and by disengagement."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from apennine.hexes import Mask, bits, first_bit
from apennine.kernel.decision import Choice, Event, Procedure, Roll
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, Bars, Order, Plain, ask
from apennine.mechanics.ground import UNREACHED

from ..table.position import Table
from ..table.war import War
from .c02_pieces import attached, in_the_field, theatre, there, those_in
from .c04_stacking import fits
from .c05_zones import zone, zone_on_lines
from .c06_steps import disorganize, eliminate, lose_step
from .c09_supply import wide_rivers
from .c12_losses import Pay

Stepping = Generator[Choice | Roll | Event, Any, bool]
"""A step of a retreat, and whether it must end there."""
RETREATING = "Units retreat after combat and by disengagement"


@dataclass(slots=True)
class Retreat:
    """Units that go back together: how far, who leads them, and where they have been."""

    side: int
    units: Mask
    """Combat units; their assault troops go with them (12.3c)."""
    least: int
    most: int
    guide: int
    """The side that chooses the path: the enemy's, after R3 (13.0h)."""
    free: bool = True
    """It may turn another way to avoid an enemy zone: not in a disengagement (12.3e, 13.0i)."""
    tires: bool = False
    """It is Disorganized however far it goes (13.0h)."""
    path: list[int] = field(default_factory=list[int])
    lengths: list[int] = field(default_factory=list[int])
    """How far each group of those who began together has gone."""

    def place(self, pos: Table) -> int:
        """Where they are."""
        return pos.hex[first_bit(self.units)]


@lru_cache(64)
def _away(war: War, goals: Mask) -> Sequence[int]:
    """By hex, how far it is over the ground to some others."""
    return war.ground.spread(goals, ((war.ground.open, 1),))


def homeward(war: War, pos: Table, side: int, here: int) -> Sequence[int]:
    """By hex, how far it is to a source of supply, or failing that to a headquarters (12.3d)."""
    away = _away(war, theatre(war, pos).sources[side])
    if away[here] < UNREACHED:
        return away
    staffs = there(war, pos, side).units & war.headquarters
    return _away(war, sum([1 << pos.hex[unit] for unit in bits(staffs)]))


def ways_back(war: War, pos: Table, group: Retreat) -> Mask:
    """Where a retreat may lead next.

    Towards supply and out of enemy zones; if no such hex is there a free retreat may turn aside to
    avoid a zone, others go through it (12.3d, 12.3e).
    """
    here, side = group.place(pos), group.side
    beside = war.lattice.cross(1 << here, war.ground.open) & theatre(war, pos).area
    been = sum([1 << hex for hex in set(group.path)])
    beside &= ~(there(war, pos, 1 - side).closed | been)
    away = homeward(war, pos, side, here)
    nearer = sum([1 << hex for hex in bits(beside) if away[hex] < away[here]])
    calm = ~zone_on_lines(war, pos, 1 - side)
    if group.free:
        return nearer & calm or beside & calm or nearer or beside
    return nearer & calm or nearer or beside & calm or beside


def withdraw(war: War, pos: Table, retreat: Retreat) -> Procedure:
    """Units go back hex by hex; the guide may send some of them another way (12.3b)."""
    groups = [retreat]
    while groups:
        group = groups.pop()
        yield from _go_back(war, pos, group, groups)


def _go_back(war: War, pos: Table, group: Retreat, others: list[Retreat]) -> Procedure:
    group.path = [group.place(pos)]
    while group.units:
        gone, here = len(group.path) - 1, group.place(pos)
        crowded = not fits(war, pos, those_in(war, pos, here, group.side))
        if gone >= group.most and not (crowded and gone):
            break
        ways = ways_back(war, pos, group)
        if not ways:
            if gone < group.least:  # 12.3m
                for unit in bits(group.units):
                    yield from eliminate(war, pos, unit, rule("12.3m"))
                return
            break
        split = SplitOff(group) if gone == 0 and group.units & group.units - 1 else None
        stay = (STAND,) if gone >= group.least else ()
        orders = FallBack(group, ways), *((split,) if split else ()), *stay
        prompt = "Where do the retreating units go?"
        chosen = yield from ask(war, pos, prompt, rule("12.3a"), *orders, side=group.guide)
        if chosen.verb == STAND.verb:
            break
        if split and chosen.verb == split.verb:
            group.units &= ~(1 << chosen.unit)
            others.append(replace(group, units=1 << chosen.unit, path=[]))
            continue
        if (yield from _step_back(war, pos, group, chosen.hex)):
            break
    far = len(group.path) - 1
    group.lengths.append(far)
    if group.tires or (group.free and far >= TIRING):  # 12.3i, 13.0h
        disorganize(war, pos, group.units)


TIRING = 2
"""Units that retreat so many hexes after combat become Disorganized (12.3i)."""


def _step_back(war: War, pos: Table, group: Retreat, hex: int) -> Stepping:
    """One hex of a retreat; returns whether it must stop there."""
    here, side = group.place(pos), group.side
    friends = those_in(war, pos, here, side) & war.combat & ~group.units
    if friends and len(group.path) > 1:  # 12.3h: it has passed through them
        disorganize(war, pos, friends | group.units)
    d = war.lattice.direction(here, hex)
    wide = wide_rivers(war, pos, side)
    for unit in bits(group.units | attached(war, pos, group.units)):
        pos.hex[unit] = hex
    group.path.append(hex)
    yield Event("retreats", first_bit(group.units), hex, rule=rule("12.3a"))
    if exposed(war, pos, group) >> hex & 1:
        yield from _suffer(war, pos, group, rule("12.3f"))
    if group.units and those_in(war, pos, hex, 1 - side) & pos.interdicting:
        yield from _suffer(war, pos, group, rule("12.3l"))
    if wide[d] >> here & 1:  # 12.3j
        disorganize(war, pos, group.units)
        return True
    return False


def exposed(war: War, pos: Table, group: Retreat) -> Mask:
    """The enemy zone where no friend but the retreating units themselves is (12.3f, 12.3o)."""
    own = group.units | attached(war, pos, group.units) | war.aircraft
    stacks = there(war, pos, group.side).stacks.items()
    friends = sum([1 << hex for hex, units in stacks if hex >= 0 and units & ~own])
    return zone(war, pos, 1 - group.side) & ~friends


def _suffer(war: War, pos: Table, group: Retreat, cited: str) -> Procedure:
    """The retreating units lose a step, as their owner likes."""
    prompt = "The retreat costs a step: who loses it?"
    order = Pay(group.side, group.units)
    chosen = yield from ask(war, pos, prompt, cited, order, side=group.side)
    yield from lose_step(war, pos, chosen.unit, cited)
    group.units &= there(war, pos, group.side).units


def abandon(war: War, pos: Table, hex: int, side: int) -> Procedure:
    """11.3.1c, 12.3c: supports that a combat leaves alone in the defender's hex are eliminated."""
    units = those_in(war, pos, hex, side)
    if not units & war.combat:
        for unit in bits(units & ~(war.depots | war.aircraft)):
            yield from eliminate(war, pos, unit, rule("11.3.1c"))


@dataclass(slots=True)
class FallBack(Order[War, Table]):
    """12.3: the retreating units go to a hex."""

    group: Retreat
    ways: Mask

    verb, names = "fall back", (UNIT, HEX)
    when, rule = RETREATING, "12.3a"

    def bars(self, war: War, pos: Table) -> Bars:
        lead = self.group.units & -self.group.units
        yield lead, "{unit} does not lead the retreat", "12.3a"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        beside = war.lattice.cross(1 << pos.hex[first], war.ground.open)
        yield beside, "{hex} is not the next hex of a retreat", "12.3a"
        yield theatre(war, pos).area, "{hex} is outside the playing area", "SC.b"
        yield ~there(war, pos, 1 - self.group.side).closed, "The enemy is in {hex}", "12.3a"
        yield self.ways, "A retreat leads towards supply, and out of enemy zones if it can", "12.3d"


@dataclass(slots=True)
class SplitOff(Order[War, Table]):
    """12.3b: a unit of the stack takes another path."""

    group: Retreat

    verb, names = "split off", (UNIT,)
    when, rule = RETREATING, "12.3b"

    def bars(self, war: War, pos: Table) -> Bars:
        yield from in_the_field(war, pos, self.group.side)
        yield self.group.units, "{unit} does not retreat with these", "12.3b"


STAND = Plain("stand", RETREATING, "12.3a")
