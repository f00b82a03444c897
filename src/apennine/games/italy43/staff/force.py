"""The units that can still move, where each can go, and the attacks that they could make."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from apennine.bots.staff.ground import FAR
from apennine.bots.staff.mass import Attack, mass
from apennine.bots.staff.posts import NEVER, Movers
from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.order import what_stays

from ..rules.c02_pieces import formation_of, unready
from ..rules.c04_stacking import fits
from ..rules.c05_areas import closed_land
from ..rules.c05_march import find_march, means
from ..rules.c05_movement import may_move
from ..rules.c07_bonds import bonds
from ..rules.c08_odds import REGULAR, Assault, attack_strength, beside_replaced, reaches, weigh
from ..table.position import Table
from .chances import Stack
from .guns import Batteries
from .mind import Mind

INLAND = 3
"""Hexes that a unit is thought to go from the edge by which it comes."""


class Lineup(NamedTuple):
    """An attack, who goes where for it, and what it is worth."""

    worth: float
    assault: Assault
    places: dict[int, int]


class Force(Movers):
    """The units that can still move, where each can go, and who goes where."""

    def __init__(self, mind: Mind) -> None:
        self.mind = mind
        war, pos = mind.war, mind.pos
        moving = pos.phase == "movement" and pos.side == mind.side
        free = what_stays(may_move(war, pos)) if moving else 0
        self.units = list(bits(mind.own.units | mind.own.in_areas))
        self.trucks = self._carried(free)
        """Units that trucks should carry (5.7)."""
        super().__init__(bits(free), self._fits, {u: self._reach(u, free) for u in self.units})
        for unit in self.units:
            if not free >> unit & 1:
                self.settle(unit, pos.hex[unit])
        self.busy: Mask = 0
        """Units that are to attack."""
        self.batteries = Batteries(mind)
        unable = war.artillery | unready(pos) | pos.trucked | pos.replaced | pos.attacked
        unable |= self.trucks
        unable |= beside_replaced(war, pos)
        self.fighters = [u for u in self.units if not unable >> u & 1]

    def _fits(self, unit: int, hex: int, there: Mask) -> bool:
        return fits(self.mind.war, self.mind.pos, there | 1 << unit)

    def _carried(self, free: Mask) -> Mask:
        """Of the units that trucks may carry, those who are farthest behind."""
        mind = self.mind
        war, pos = mind.war, mind.pos
        left = war.book.march.trucks - (pos.trucked & war.army[mind.side]).bit_count()
        fit = free & pos.supplied & mind.own.units & ~(war.mechanised | pos.trucked | unready(pos))
        away = {unit: mind.from_foe[pos.hex[unit]] for unit in bits(fit & ~pos.replaced)}
        far = [unit for unit, hexes in away.items() if FAR > hexes > mind.weights.truck]
        return mask_of(sorted(far, key=lambda unit: (-away[unit], unit))[:left])

    def _reach(self, unit: int, free: Mask) -> Mask:
        war, pos, here = self.mind.war, self.mind.pos, self.mind.pos.hex[unit]
        if here >= war.lattice.size:
            return self._inland(here) if free >> unit & 1 else 0
        if not free >> unit & 1:
            return 1 << here
        movers = 1 << unit
        if self.trucks & movers:
            pos = pos.copy()
            pos.trucked |= movers
        return find_march(war, pos, movers, here, *means(war, pos, movers), True).ends | 1 << here

    def _inland(self, area: int) -> Mask:
        """Where who comes on to the map from an area may get to, roughly."""
        mind = self.mind
        war, pos = mind.war, mind.pos

        def find() -> Mask:
            closed = closed_land(war, pos, mind.side) | mind.enemy
            closed |= bonds(war, pos, 1 - mind.side).hexes
            edge = war.ground.edge[war.ground.area_names[area]] & ~closed
            return mind.ground.spread(edge, INLAND, mind.ground.land & ~(closed | mind.zone))

        return mind.once(("inland", area), find) & ~mind.enemy & mind.ground.land

    def place(self, unit: int) -> int:
        """Where a unit will be."""
        return self.goals[unit].hex if unit in self.goals else self.mind.pos.hex[unit]

    def fit(self, unit: int, hex: int) -> float:
        """How gladly a unit takes a post: strong ones, and those that are there already."""
        mind = self.mind
        if not self.reach[unit] >> hex & 1 or mind.war.artillery >> unit & 1:
            return NEVER
        here, value = mind.pos.hex[unit], float(mind.defence(unit))
        if mind.is_tired(unit):
            value -= 3.0
        return value + 3.0 if here == hex else value

    # Attacks.

    def prepare(self, targets: Mask, least: float) -> list[Attack]:
        """Choose the attacks that pay best, one after the other, and send who is needed."""
        lineups: dict[int, Lineup] = {}

        def think(target: int) -> Attack | None:
            found = self.lineup(target)
            if found is None:
                return None
            lineups[target] = found
            force = found.assault.attackers
            goals = tuple((u, h) for u, h in found.places.items() if u in self.free)
            return Attack(found.worth, target, force, goals)

        def took(attack: Attack) -> None:
            self.busy |= attack.force
            self.batteries.spend(lineups[attack.target].assault)

        return mass(self, list(bits(targets)), think, least=least, took=took, stale=self._stale)

    def _stale(self, one: Attack, chosen: Attack) -> bool:
        return bool(one.force & chosen.force) or self.batteries.shared(one.target, chosen.target)

    def lineup(self, target: int, kind: int = REGULAR) -> Lineup | None:
        """The best attack on a hex that could be made after this movement."""
        war, near = self.mind.war, self.mind.war.ground.beside[target]
        if closed_land(war, self.mind.pos, self.mind.side) >> target & 1:
            return None
        best: Lineup | None = None
        for army in war.armies:
            able = [u for u in self.fighters if army >> u & 1 and self._comes(u, near)]
            for main in self._mains(able):
                found = self._line_up(target, near, able, main, kind)
                if found and (best is None or found.worth > best.worth):
                    best = found
        return best

    def _comes(self, unit: int, near: Mask) -> bool:
        if unit in self.free:
            return bool(self.reach[unit] & near)
        return not self.busy >> unit & 1 and bool(self.mind.war.ground.bit[self.place(unit)] & near)

    def _mains(self, able: list[int]) -> Iterator[int]:
        """A unit of each formation that could lead, the strongest three."""
        mind, groups = self.mind, dict[int, list[int]]()
        for unit in able:
            own = formation_of(mind.war, mind.pos, unit)
            groups.setdefault(own if own >= 0 else -unit - 2, []).append(unit)
        ranked = sorted(groups.values(), key=lambda us: (-sum(map(mind.attack, us)), us[0]))
        for units in ranked[:3]:
            yield units[0]

    def _line_up(
        self, target: int, near: Mask, able: list[int], main: int, kind: int
    ) -> Lineup | None:
        mind = self.mind
        war, pos = mind.war, mind.pos
        imagined = pos.copy()
        own = formation_of(war, pos, main)
        core = [u for u in able if u == main or (own >= 0 and formation_of(war, pos, u) == own)]
        others = [u for u in able if u not in core]
        placed: dict[int, int] = {}
        coming: dict[int, Mask] = {}
        total = 0

        def put(units: Iterable[int], within: Mask, force: Mask, most: int) -> Mask:
            """As many of some units as are needed into hexes near the target."""
            nonlocal total
            found = 0
            for unit in units:
                if total >= war.book.limits.strength or not most:
                    break
                hex = self._best_place(unit, target, near & within, coming)
                if hex < 0 or unit in placed:
                    continue
                placed[unit] = imagined.hex[unit] = hex
                coming[hex] = coming.get(hex, 0) | 1 << unit
                total += attack_strength(war, imagined, unit, target, force)
                found |= 1 << unit
                most -= 1
            return found

        core.sort(key=lambda u: (-mind.attack(u), u))
        force = put(core, -1, -1, 99)
        if not force:
            return None
        beside = mask_of(placed.values())
        tanks = [u for u in others if war.silhouettes >> u & 1]
        tanks.sort(key=lambda u: (-war.rating[u][0], -mind.attack(u), u))
        foot = [u for u in others if (war.infantry | war.recon) >> u & 1]
        foot.sort(key=lambda u: (-(war.elite[0] >> u & 1), -mind.attack(u), u))
        if not force & war.tanks:
            force |= put(tanks, beside, -1, 1)
        force |= put(foot, beside, -1, 1)
        put(sorted(others, key=lambda u: (-mind.attack(u), u)), -1, 0, 99)
        attackers = mask_of(placed)
        odds = weigh(war, imagined, kind, Assault(target, attackers, force))
        for unit in reversed(placed):
            fewer = attackers & ~(1 << unit)
            if not fewer & force:
                break
            leaner = weigh(war, imagined, kind, Assault(target, fewer, force & fewer))
            if leaner.shifted >= odds.shifted and leaner.raw >= 0:
                attackers, force, odds = fewer, force & fewer, leaner
        if not reaches(war, kind, odds):
            return None
        assault = Assault(target, attackers, force)
        gain, risk = self.batteries.hoped(assault)
        stack = self._seen_after(target, imagined, placed)
        sure, doubt = (
            mind.worth_against(stack, target, odds.shifted + shift, mind.side)
            for shift in (gain - 1, gain)
        )
        worth = doubt + risk * (sure - doubt)
        return Lineup(worth, assault, {u: h for u, h in placed.items() if attackers >> u & 1})

    def _seen_after(self, target: int, imagined: Table, placed: dict[int, int]) -> Stack:
        """The defenders once the attackers stand where they will: perhaps with no way out."""
        mind, side = self.mind, 1 - self.mind.side
        if len(set(placed.values())) < 2:
            return mind.once(("stack", target, mind.side), lambda: mind.stack(target, side))
        where = tuple(sorted(set(placed.values())))
        return mind.once(("stack", target, where), lambda: mind.stack(target, side, pos=imagined))

    def _best_place(self, unit: int, target: int, near: Mask, coming: dict[int, Mask]) -> int:
        """The hex from which a unit attacks best; -1 if there is none."""
        war, here = self.mind.war, self.mind.pos.hex[unit]
        if unit not in self.free:
            hex = self.place(unit)
            return hex if war.ground.bit[hex] & near and self._crosses(unit, hex, target) else -1
        best, most = -1, -99.0
        for hex in bits(self.reach[unit] & near):
            if not self.room(unit, hex, coming.get(hex, 0)) or not self._crosses(unit, hex, target):
                continue
            value = (
                0.5 * (hex == here)
                + (0.3 if coming.get(hex) else self._opposite(hex, coming))
                - self._hindered(unit, hex, target)
            )
            if value > most:
                best, most = hex, value
        return best

    def _opposite(self, hex: int, coming: dict[int, Mask]) -> float:
        """Whether a hex is far from where the others attack: so a retreat is cut off."""
        distance = self.mind.war.lattice.distance
        return 0.4 if coming and min(distance(hex, other) for other in coming) > 1 else 0.0

    def _crosses(self, unit: int, hex: int, target: int) -> bool:
        war, d = self.mind.war, self.mind.war.lattice.direction(hex, target)
        if not war.vehicles >> unit & 1:
            return True
        wet = war.skies[self.mind.pos.weather] in ("rain", "mud")
        sides = war.ground.wet_vehicle_sides if wet else war.ground.vehicle_sides
        return bool(sides[d] >> hex & 1)

    def _hindered(self, unit: int, hex: int, target: int) -> float:
        """How much the ground between is against an attack."""
        war, d = self.mind.war, self.mind.war.lattice.direction(hex, target)
        ground = war.ground
        value = 1.0 * ((ground.rivers[d] | ground.marsh) >> hex & 1)
        return value + 1.5 * ((ground.major_rivers[d] | ground.mountains[d]) >> hex & 1)
