"""What a bot knows: before the first turn, and of the position at one decision."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property, lru_cache, partial
from typing import NamedTuple

from apennine.bots.staff.ground import Field, Ground, Ways, rims, ways_back
from apennine.bots.staff.judge import Kept, taste
from apennine.bots.staff.mass import Memory
from apennine.bots.staff.posts import Goals
from apennine.bots.staff.scene import Places, Scene
from apennine.hexes import Mask, bits, mask_of
from apennine.mechanics.ground import common, union
from apennine.mechanics.reach import Crossing

from ..rules.c02_pieces import elite, formation_of, low, there, unready
from ..rules.c05_control import controlled
from ..rules.c06_zones import zone
from ..rules.c07_bonds import breakers
from ..rules.c08_odds import Assault
from ..rules.c11_determined import capacity, column, taken
from ..rules.c12_retreat import is_trapped
from ..rules.c16_supply import supplied_hexes
from ..table.position import Table
from ..table.war import LEG, MECHANISED, VEHICLE, War
from .chances import NO_LEAD, Chances, Stack
from .weights import Weights

CLIMB = 3
"""Movement points that a step counts for which only Tactical Movement makes."""
PUSHED = 2
"""Hexes of the usual retreat."""


class Staff:
    """What a bot knows before the first turn: the war, its ground, and what things weigh."""

    def __init__(self, war: War, weights: Weights) -> None:
        self.war, self.weights = war, weights
        self.chances = Chances(war)
        terrain = war.ground
        land = terrain.land & ~terrain.eighth_army  # where both sides may go
        ways: dict[Hashable, Ways] = {pace: self._ways(pace) for pace in (LEG, MECHANISED, VEHICLE)}
        self.ground = Ground(war.lattice, land, terrain.open, ways)
        names = terrain.areas
        north, south = (
            mask_of(h for n in names if n[0] == key for h in bits(terrain.edge[n])) & land
            for key in "NS"
        )
        self.exits = north
        """Where the Germans come from."""
        self.shores = rims(self.ground, self.ground.rim & ~(north | south), 0)
        """West and east, where a line may begin and end."""
        self.prizes = mask_of(terrain.prizes)
        self.from_naples = self.ground.distances(terrain.naples | south)
        self.strong = lru_cache(16)(self._strong)
        self.pull = lru_cache(64)(partial(self.ground.pull, rate=weights.rate))
        self.sites = mask_of(
            war.board.parse(site.hex) for setup in war.book.setups.values() for site in setup.forts
        )
        """Where history fortified."""
        assert self.ground.links  # looked at beforehand, so that no decision is slow

    def _ways(self, pace: int) -> Ways:
        war, terrain = self.war, self.war.ground
        known = war.costs(1 << pace, False).crossings
        crossings = [way._replace(sides=union((way.sides, way.outside))) for way in known]
        if pace != VEHICLE:
            climbs = union((terrain.trackless, common(terrain.major_rivers, terrain.unbridged)))
            crossings.append(Crossing(climbs, ((CLIMB * war.scale, terrain.land),)))
        return ways_back(war.lattice, crossings)

    def _strong(self, forts: Mask, strongholds: Mask) -> list[float]:
        """By hex, how well the ground serves a German defender: doubled, or behind something."""
        terrain = self.war.ground
        found = [0.0] * self.war.lattice.size
        for hex in bits(self.ground.land):
            facing = [h for h in bits(terrain.beside[hex]) if self._is_before(h, hex)]
            count = max(1, len(facing))
            behind = sum(self._is_obstructed(h, hex) for h in facing) / count
            halved = sum(self._is_halved(h, hex) for h in facing) / count
            doubled = 1.0 if terrain.rough >> hex & 1 else behind**2  # it takes but one open side
            found[hex] = doubled + 0.6 * halved + (forts >> hex & 1) + (strongholds >> hex & 1)
        return found

    def _is_before(self, one: int, hex: int) -> bool:
        return self.from_naples[one] <= self.from_naples[hex]

    def _is_obstructed(self, one: int, hex: int) -> bool:
        terrain, d = self.war.ground, self.war.lattice.direction(one, hex)
        return bool((terrain.rivers[d] | terrain.mountains[d] | terrain.marsh) >> one & 1)

    def _is_halved(self, one: int, hex: int) -> bool:
        terrain, d = self.war.ground, self.war.lattice.direction(one, hex)
        return bool((terrain.major_rivers[d] | terrain.mountains[d]) >> one & 1)


@lru_cache(16)
def staff_of(war: War, weights: Weights) -> Staff:
    """One staff for all bots of a war that weigh things alike."""
    return Staff(war, weights)


class Movement(NamedTuple):
    """What was decided for a movement phase."""

    goals: Goals
    trucks: Mask
    """Units that ride to theirs."""


class Plan:
    """What a bot keeps between two decisions."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        """By which two bots differ in taste."""
        self.movement = Kept[Movement]()
        self.memory = Memory()
        self.assault: Assault | None = None
        """The attack that is being declared."""


class Mind(Scene):
    """One decision of one side."""

    def __init__(self, staff: Staff, pos: Table, side: int, plan: Plan | None = None) -> None:
        self.staff, self.pos, self.side = staff, pos, side
        self.war, self.weights, self.plan = staff.war, staff.weights, plan or Plan()
        self.own, self.foe = there(self.war, pos, side), there(self.war, pos, 1 - side)
        self.enemy = self.foe.occupied
        self.zone = zone(self.war, pos, 1 - side)
        near = staff.ground.around(self.own.occupied)
        super().__init__(
            staff.ground, Places(self.own.occupied, near), Places(self.enemy, self.zone)
        )

    # Units.

    def attack(self, unit: int) -> int:
        return self.war.attack[unit][self.pos.steps[unit]]

    def defence(self, unit: int) -> int:
        return self.war.strength[unit][self.pos.steps[unit]]

    def value(self, unit: int, steps: int) -> float:
        """What a unit with so many steps is worth: both factors, and more if it is elite."""
        war = self.war
        kept = 1.5 if war.elite[0] >> unit & 1 else 0.0
        return war.attack[unit][steps] + war.strength[unit][steps] + kept * bool(steps)

    def is_tired(self, unit: int) -> bool:
        """Whether a unit should rest: in disorder, or down to its last step of several."""
        if unready(self.pos) >> unit & 1:
            return True
        return self.pos.steps[unit] == 1 and self.war.full[unit] == 3

    def way(self, unit: int, goals: Mask) -> Field:
        """By hex, the ticks to the nearest goal."""
        ridden = self.pos.trucked >> unit & 1
        return self.ground.marches(MECHANISED if ridden else self.war.class_of[unit], goals)

    # Places.

    def points(self, hex: int) -> int:
        """The victory points in a hex."""
        return self.war.ground.prizes.get(hex, 0)

    @cached_property
    def lacking(self) -> Mask:
        """The places with points that the enemy controls."""
        return self.staff.prizes & controlled(self.war, self.pos, 1 - self.side)

    @cached_property
    def strong(self) -> list[float]:
        return self.staff.strong(self.pos.forts, self.pos.strongholds)

    @cached_property
    def supplied(self) -> Mask:
        return supplied_hexes(self.war, self.pos, self.side)

    def draw(self, unit: int) -> list[float]:
        """By hex, how far the places are that the side lacks, for a unit and its formation.

        The place that the formation makes for counts much more, so that each has its own road.
        """
        group = formation_of(self.war, self.pos, unit)
        return self.once(("draw", group), lambda: self._pull(self.aims.get(group, -1)))

    def _pull(self, aim: int) -> list[float]:
        goals = {hex: float(self.points(hex)) for hex in bits(self.wanted)}
        if not goals:
            return [float(away) for away in self.ground.distances(self.staff.exits)]
        if aim >= 0:
            goals[aim] += self.weights.thrust
        return self.staff.pull(tuple((1 << hex, vp) for hex, vp in goals.items()))

    @cached_property
    def breaks(self) -> Mask:
        """Where a unit would break a bond of the enemy, for others to go through."""
        return breakers(self.war, self.pos, 1 - self.side)

    @cached_property
    def wanted(self) -> Mask:
        return self.lacking & self.ground.land

    @cached_property
    def aims(self) -> dict[int, int]:
        """The place that each formation makes for over the turns, not all for the same one."""
        war, weights, found = self.war, self.weights, dict[int, int]()
        places: dict[int, list[int]] = {}
        for unit in bits(self.own.units & ~war.artillery):
            group = formation_of(war, self.pos, unit)
            if group >= 0:
                places.setdefault(group, []).append(self.pos.hex[unit])
        crowd: dict[int, float] = {}
        for group in sorted(places, key=lambda g: (-len(places[g]), g)):
            worths = {
                hex: self.points(hex) - 0.5 * self._away(hex, places[group]) - crowd.get(hex, 0.0)
                for hex in bits(self.wanted)
            }
            like = partial(taste, self.plan.seed, "thrust", group)
            name = f"thrust {group}"
            aim = self.plan.memory.aim(name, self.pos.turn, worths, weights.aim, like)
            if aim >= 0:
                found[group] = aim
                for hex in bits(self.wanted & war.lattice.disc(aim, 3)):
                    crowd[hex] = crowd.get(hex, 0.0) + weights.crowd * len(places[group])
        return found

    def _away(self, hex: int, places: list[int]) -> float:
        """How far the nearer half of some units is from a place."""
        away = self.ground.distances(1 << hex)
        near = sorted(away[place] for place in places)[: (len(places) + 1) // 2]
        return sum(near) / len(near)

    # Battles.

    def stack(self, hex: int, side: int, pos: Table | None = None) -> Stack:
        """The defenders of a hex as the charts see them, now or in a position that is imagined."""
        war, pos = self.war, self.pos if pos is None else pos
        units = there(war, pos, side).stack(hex) & ~pos.routed
        leads = units & ~(war.artillery | unready(pos))
        lead = NO_LEAD
        if leads:
            lead = bool(leads & elite(war, pos)) - (not leads & ~low(war, pos))
        counted = units & ~war.artillery or units
        steps = sum([pos.steps[unit] for unit in bits(counted)])
        borne = 0
        if (war.ground.cities | pos.forts) >> hex & 1:
            borne = capacity(war, pos, hex) - taken(pos, hex)
        trapped = bool(units) and all(is_trapped(war, pos, unit, PUSHED) for unit in bits(units))
        return Stack(column(war, pos, hex), lead, min(steps, 6), borne, trapped)

    def prize(self, hex: int, side: int) -> float:
        """What it is worth to a side to drive its enemies from a hex."""
        points = self.points(hex) if controlled(self.war, self.pos, 1 - side) >> hex & 1 else 0
        return self.weights.hex[side] + self.weights.point * points

    def worth(self, hex: int, column: int, side: int) -> float:
        """An attack of a side on a hex in a column, in enemy steps."""
        stack = self.once(("stack", hex, side), lambda: self.stack(hex, 1 - side))
        return self.worth_against(stack, hex, column, side)

    def worth_against(self, stack: Stack, hex: int, column: int, side: int) -> float:
        """The same against defenders as they will stand."""
        promise = self.staff.chances.attack(column, stack)
        gain = promise.falls * self.prize(hex, side) + promise.defender
        return gain - self.step(side) * promise.attacker

    def step(self, side: int) -> float:
        """What a lost step of its own counts to a side: less when less is left to do with it."""
        left = self.pos.last_turn - self.pos.turn + 1
        return self.weights.own_step[side] * (0.5 + 0.5 * min(left / self.weights.season, 1.0))
