"""The units that can still move, where each can go, and the attacks that they could make."""

from __future__ import annotations

from collections.abc import Iterable

from apennine.bots.staff.mass import Attack, leanest, mass
from apennine.bots.staff.posts import NEVER, Movers
from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.order import what_stays
from apennine.mechanics.showing import imagined

from ..rules.c02_pieces import frozen, is_elite, marked, unready
from ..rules.c04_stacking import fits
from ..rules.c11_march import (
    PURSUIT,
    allowance,
    destinations,
    find_reach,
    held_back,
    with_troops,
)
from ..rules.c11_movement import may_move
from ..rules.c12_declaration import EXPLOITATION
from ..rules.c15_bombardment import ready_guns
from ..table.position import NOBODY, Table
from .mind import Assault, Mind

MOVING = ("movement", PURSUIT)


class Force(Movers):
    """The units that can still move, where each can go, and who goes where."""

    def __init__(self, mind: Mind) -> None:
        self.mind = mind
        war, pos = mind.war, mind.pos
        moving = pos.phase in MOVING and pos.side == mind.side
        free = what_stays(may_move(war, pos)) & ~pos.movers if moving else 0
        reach: dict[int, Mask] = {}
        self.units = list(bits(mind.own.units & ~(war.assault | war.aircraft)))
        for unit in self.units:
            here = pos.hex[unit]
            reach[unit] = self._reach(unit) if free >> unit & 1 else 1 << here
            if reach[unit] == 1 << here:
                free &= ~(1 << unit)
        super().__init__(bits(free), self._fits, reach)
        for unit in self.units:
            if not free >> unit & 1:
                self.settle(unit, pos.hex[unit])
        self.spent: Mask = 0
        """Guns that are wanted for an attack."""
        unable = unready(pos) | pos.hungry | pos.slipping | frozen(pos) | pos.loaded | pos.attacked
        if pos.phase == EXPLOITATION:
            unable |= ~marked(pos.exploits)
        self.fighters = [u for u in self.units if war.combat >> u & 1 and not unable >> u & 1]
        self.busy: Mask = 0
        """Units that are to attack."""

    def _fits(self, unit: int, hex: int, there: Mask) -> bool:
        """Whether a unit fits in beside those who will be there, or have not been sent away."""
        pos = self.mind.pos
        for other in bits(self.mind.own.stack(hex)):
            if other not in self.goals or self.goals[other].hex == hex:
                there |= 1 << other
        return fits(self.mind.war, pos, there | with_troops(self.mind.war, pos, unit))

    def _reach(self, unit: int) -> Mask:
        war, pos = self.mind.war, self.mind.pos
        here, stack = pos.hex[unit], with_troops(war, pos, unit)
        if any(held_back(war, pos, stack, here)):
            return 1 << here
        found = find_reach(war, pos, stack, here, allowance(war, pos, unit), True)
        return destinations(war, pos, stack, found) | 1 << here

    def place(self, unit: int) -> int:
        """Where a unit will be."""
        return self.goals[unit].hex if unit in self.goals else self.mind.pos.hex[unit]

    def fit(self, unit: int, hex: int) -> float:
        """How gladly a unit takes a post: strong ones, and those that are there already."""
        mind = self.mind
        if not self.reach[unit] >> hex & 1 or not mind.war.combat >> unit & 1:
            return NEVER
        value = float(mind.guard(unit))
        if unready(mind.pos) >> unit & 1:
            value -= 2.0
        return value + 3.0 if mind.pos.hex[unit] == hex else value

    # Attacks.

    def prepare(self, targets: Iterable[int], least: float) -> list[Attack]:
        """Choose the attacks that pay best, one after the other, and send who is needed."""
        found: dict[int, tuple[Attack, Mask]] = {}

        def think(target: int) -> Attack | None:
            thought = self.lineup(target)
            if thought is None:
                return None
            assault, worth, places, guns = thought
            goals = tuple((u, h) for u, h in places.items() if u in self.free)
            attack = Attack(worth, target, assault.attackers, goals)
            found[target] = attack, guns
            return attack

        def took(attack: Attack) -> None:
            self.busy |= attack.force
            self.spent |= found[attack.target][1]

        return mass(self, targets, think, least=least, took=took)

    def lineup(self, target: int) -> tuple[Assault, float, dict[int, int], Mask] | None:
        """The best attack on a hex after this movement: its worth, who goes where, its guns."""
        mind = self.mind
        war, pos = mind.war, mind.pos
        near = war.lattice.dilate(1 << target) & mind.here.area & ~mind.foe.closed
        able = [unit for unit in self.fighters if self._comes(unit, near)]
        able.sort(key=lambda unit: (-mind.strength(unit), unit))
        table = imagined(pos, target=target, shock=0, counter=0, rommel=False)
        table.leads, table.hex = [NOBODY, NOBODY], list(pos.hex)
        placed: dict[int, int] = {}
        coming: dict[int, Mask] = {}
        for unit in able:
            hex = self._best_place(unit, target, near, coming)
            if hex >= 0:
                placed[unit] = hex
                coming[hex] = coming.get(hex, 0) | 1 << unit
                for each in bits(with_troops(war, pos, unit)):
                    table.hex[each] = hex
            if len(placed) >= mind.weights.most:
                break
        if not placed:
            return None
        table.guns = self.guns(table)

        def worth(units: Iterable[int]) -> float:
            table.attackers = mask_of(units)
            table.shock = mind.best_shock(table)
            return mind.assess(table) - SPARED * table.attackers.bit_count()

        order = sorted(placed, key=lambda unit: (mind.strength(unit), -unit))
        leads = [u for u in placed if is_elite(war, pos, u)]
        kept = leanest(order, worth, mask_of(leads[:1]))
        value = worth(kept)
        if value <= -50.0:
            return None
        assault = Assault(target, table.attackers, table.shock)
        places = {unit: placed[unit] for unit in kept}
        return assault, value + mind.liked(target), places, table.guns[0]

    def guns(self, table: Table) -> list[Mask]:
        """The guns of both sides that an attack is thought of with."""
        war, pos = self.mind.war, self.mind.pos
        ours = ready_guns(war, table, table.side) & ~(self.spent & ~pos.firing)
        if pos.phase == EXPLOITATION:
            ours = 0
        offensive = ours & pos.firing
        ours = ours & ~offensive | offensive & -offensive
        theirs = ready_guns(war, table, 1 - table.side)
        answer = list(bits(theirs))[: self.mind.weights.answer]
        return [ours, mask_of(answer)]

    def _comes(self, unit: int, near: Mask) -> bool:
        if self.busy >> unit & 1:
            return False
        if unit in self.free:
            return bool(self.reach[unit] & near)
        return bool(near >> self.place(unit) & 1)

    def _best_place(self, unit: int, target: int, near: Mask, coming: dict[int, Mask]) -> int:
        """The hex from which a unit attacks best; -1 if there is none."""
        here = self.mind.pos.hex[unit]
        if unit not in self.free:
            return self.place(unit)
        best, most = -1, -99.0
        for hex in bits(self.reach[unit] & near):
            if not self.room(unit, hex, coming.get(hex, 0)):
                continue
            value = 0.5 * (hex == here) - self._hindered(hex, target)
            value += self.mind.points(hex) * 0.05 * (hex == here)
            if value > most:
                best, most = hex, value
        return best

    def _hindered(self, hex: int, target: int) -> float:
        """How much the ground between is against an attack."""
        ground, d = self.mind.war.ground, self.mind.war.lattice.direction(hex, target)
        value = 2.0 * ((ground.major[d] | ground.uphill[d]) >> hex & 1)
        return value + 0.7 * (ground.minor[d] >> hex & 1)


SPARED = 0.05
"""What each unit that takes part counts against an attack: who adds nothing stays out."""
