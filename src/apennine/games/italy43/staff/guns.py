"""Artillery, aircraft and ships: what they promise to an attack, and who is readied."""

from __future__ import annotations

from functools import cached_property

from apennine.hexes import Mask, bits
from apennine.kernel.decision import Option

from ..rules.c02_pieces import formation_of, there, unready
from ..rules.c08_odds import Assault
from ..table.position import ALLIED, Table
from ..table.war import War
from .mind import Mind


def in_reach(war: War, pos: Table, side: int, target: int) -> Mask:
    """The artillery of a side that is ready, in order, and in range of a hex."""
    guns = pos.ready & war.artillery & there(war, pos, side).units & ~unready(pos)
    distance, found = war.lattice.distance, 0
    for unit in bits(guns & ~war.howitzers):
        if distance(pos.hex[unit], target) <= war.roster[unit].range:
            found |= 1 << unit
    return found


class Batteries:
    """What is left to support the attacks of a turn."""

    def __init__(self, mind: Mind) -> None:
        self.mind = mind
        self.spent: Mask = 0
        self.air, self.naval = mind.pos.air, mind.pos.naval

    def helpers(self, assault: Assault) -> tuple[int, int, bool, bool]:
        """The guns of a division and of a corps that would fire; whether ships and planes do."""
        mind = self.mind
        war, pos, side = mind.war, mind.pos, mind.side
        guns = in_reach(war, pos, side, assault.target) & ~self.spent
        if side == ALLIED:
            guns &= war.armies[war.army_of[next(bits(assault.attackers))]]
        own = {formation_of(war, pos, unit) for unit in bits(assault.attackers)}
        division = next(
            (u for u in bits(guns & war.divisional) if formation_of(war, pos, u) in own), -1
        )
        corps = next(bits(guns & ~war.divisional), -1)
        army = war.army_of[next(bits(assault.attackers))]
        flies = side == ALLIED and bool(self.air >> army & 1)
        sails = side == ALLIED and self.naval and bool(war.ground.naval >> assault.target & 1)
        return division, corps, sails, flies

    def hoped(self, assault: Assault) -> tuple[int, float]:
        """The columns that support shifts an attack, and how likely the defender answers it."""
        mind = self.mind
        division, corps, sails, flies = self.helpers(assault)
        shifts = (division >= 0) + (corps >= 0 or sails) + flies
        answer = in_reach(mind.war, mind.pos, 1 - mind.side, assault.target)
        return shifts, mind.weights.answer if answer else 0.0

    def spend(self, assault: Assault) -> None:
        """An attack will be made, and has its support."""
        division, corps, sails, flies = self.helpers(assault)
        if division >= 0:
            self.spent |= 1 << division
        if sails:
            self.naval = False
        elif corps >= 0:
            self.spent |= 1 << corps
        if flies:
            self.air &= ~(1 << self.mind.war.army_of[next(bits(assault.attackers))])

    def shared(self, one: int, other: int) -> bool:
        """Whether two targets are so near that guns reach both."""
        return self.mind.war.lattice.distance(one, other) <= self.reach

    @cached_property
    def reach(self) -> int:
        return 8


def ready(mind: Mind, option: Option) -> float:
    """Guns with enemies in range first: the more of them the better."""
    war, pos, unit = mind.war, mind.pos, option.unit
    here = pos.hex[unit]
    if not war.ground.bit[here]:
        return -1.0
    near = mind.enemy & war.lattice.disc(here, war.roster[unit].range)
    if not near:
        return -1.0
    kin = 1.0 if war.divisional >> unit & 1 else 1.5
    return kin + 0.05 * near.bit_count()
