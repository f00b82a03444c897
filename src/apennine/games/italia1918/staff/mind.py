"""What a bot knows: before the first turn, and of the position at one decision."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import NamedTuple

from apennine.bots.staff.ground import Field, Ground, Ways, ways_back
from apennine.bots.staff.judge import Kept, Shelf, taste
from apennine.bots.staff.posts import Goals
from apennine.bots.staff.scene import Places, Scene
from apennine.hexes import Mask, bits, first_bit, mask_of
from apennine.mechanics.odds import Odds

from ..rules.c02_pieces import attached, full_strength, theatre, there, unready
from ..rules.c05_zones import zone
from ..rules.c09_supply import command
from ..rules.c11_markers import in_range
from ..rules.c12_coordination import ATTACKING, DEFENDING, modifiers
from ..rules.c12_declaration import eligible
from ..rules.c12_odds import defenders, doctrine, odds
from ..rules.c15_bombardment import column, shelling
from ..rules.c16_victory import held
from ..table.position import ENTENTE, Table
from ..table.war import War
from ..telling.default_play import best_lead
from .chances import Chances
from .weights import Weights

LEADERLESS = (1.0, 0.5, 0.3, 0.05)
"""How likely a bombardment leaves nobody to lead, by how many could."""
WHOLE = 6
"""Movement points that a step counts for which all that a unit has is needed."""


class Staff:
    """What a bot knows before the first turn: the war, its ground, and what things weigh."""

    def __init__(self, war: War, weights: Weights) -> None:
        self.war, self.weights = war, weights
        self.chances = Chances(war)
        terrain = war.ground
        paces = "ordinary", "mountain", "staff", "wheels"
        ways: dict[Hashable, Ways] = {
            pace: ways_back(
                war.lattice, war.costs(pace, False, True, 0, 0).crossings, WHOLE * war.scale
            )
            for pace in paces
        }
        self.ground = Ground(war.lattice, terrain.land, terrain.open, ways)
        assert self.ground.links  # looked at beforehand, so that no decision is slow


@lru_cache(16)
def staff_of(war: War, weights: Weights) -> Staff:
    """One staff for all bots of a war that weigh things alike."""
    return Staff(war, weights)


class Movement(NamedTuple):
    """What was decided for a movement phase."""

    goals: Goals
    kept: Mask
    """Units that go into reserve instead of moving."""
    relieved: Mask = 0
    """Units that others relieve."""


class Assault(NamedTuple):
    """An attack that is meant: on what, by whom, and with which assault troops."""

    target: int
    attackers: Mask
    shock: Mask


class Plan:
    """What a bot keeps between two decisions."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        """By which two bots differ in taste."""
        self.movement = Kept[Movement]()
        self.assault: Assault | None = None
        self.shelf = Shelf(2048)
        """Attacks that were thought of."""


class Mind(Scene):
    """One decision of one side."""

    def __init__(self, staff: Staff, pos: Table, side: int, plan: Plan | None = None) -> None:
        self.staff, self.pos, self.side = staff, pos, side
        self.war, self.weights, self.plan = staff.war, staff.weights, plan or Plan()
        self.own, self.foe = there(self.war, pos, side), there(self.war, pos, 1 - side)
        self.enemy = self.foe.combat
        self.zone = zone(self.war, pos, 1 - side)
        self.here = theatre(self.war, pos)
        self.leads = self.here.initiative == side
        """Whether the side has the initiative, and must win ground."""
        super().__init__(
            staff.ground,
            Places(self.own.combat, zone(self.war, pos, side)),
            Places(self.enemy, self.zone),
        )

    # Places.

    def points(self, hex: int) -> float:
        """What a hex is worth to whoever has it, in hit points."""
        weights, here = self.weights, self.here
        value = weights.prize * self.score(hex) + weights.ground
        if here.trench_hexes >> hex & 1:
            counts = here.scenario.trenches and here.trenches[1 - here.initiative] >> hex & 1
            value += weights.prize if counts else weights.trench
        return value

    def score(self, hex: int) -> int:
        """The points of a hex, and what a capital counts besides for the level (S5.V4)."""
        found = self.here.prizes.get(hex, 0)
        return found + self.weights.capital if hex == self.here.capital else found

    @cached_property
    def lacking(self) -> Mask:
        """The hexes that score and that the enemy controls."""
        here, found = self.here, mask_of(self.here.prizes)
        if here.scenario.trenches:
            found |= here.trenches[1 - here.initiative]
        if here.goal:
            found |= here.goal
        return found & held(self.war, self.pos, 1 - self.side)

    @cached_property
    def kept(self) -> Mask:
        """The hexes that score and that the side controls."""
        here, found = self.here, mask_of(self.here.prizes) | self.here.goal
        if here.scenario.trenches:
            found |= here.trenches[1 - here.initiative]
        return found & held(self.war, self.pos, self.side)

    @cached_property
    def draw(self) -> list[float]:
        """By hex, how far the places are that the side lacks."""
        rate = self.weights.rate
        goals = [(1 << hex, float(self.score(hex) or 1)) for hex in bits(self.lacking)]
        if not goals:
            goals = [(self.enemy, 1.0)]
        return self.ground.pull(goals, rate)

    @cached_property
    def flees(self) -> bool:
        """Whether the side goes back to the edge as fast as it can."""
        if self.side != ENTENTE or not self.here.scenario.retreat:
            return False
        return self.pos.ordered or self.pos.turn >= self.weights.withdraw

    @cached_property
    def home(self) -> Field:
        """By hex, how far the gates are by which the map is left."""
        return self.ground.marches("ordinary", self.here.gates)

    @cached_property
    def commanded(self) -> Mask:
        """The hexes within the radius of own headquarters."""
        return command(self.war, self.pos, self.side)

    @cached_property
    def beyond(self) -> Mask:
        """The hexes behind the enemy's trenches where units in supply score (S3.V3)."""
        here = self.here
        return here.behind & self.commanded if here.scenario.behind and self.leads else 0

    @cached_property
    def fresh(self) -> Mask:
        """The units of the side at full strength."""
        return full_strength(self.war, self.pos, self.own.units)

    @cached_property
    def offensive(self) -> Mask:
        """The hexes in reach of own guns in Offensive mode."""
        return in_range(self.war, self.pos) if self.pos.offensive and self.leads else 0

    # Units.

    def strength(self, unit: int) -> int:
        """The attack factor of a unit."""
        return self.war.faces[unit][self.pos.steps[unit]][0]

    def guard(self, unit: int) -> int:
        """Its defence factor."""
        return self.war.faces[unit][self.pos.steps[unit]][1]

    def cost(self, units: Mask) -> int:
        """The hit points that destroy some units."""
        price, steps = self.war.price, self.pos.steps
        return sum([price[unit] * steps[unit] for unit in bits(units & self.war.combat)])

    # Combats.

    def assess(self, table: Table) -> float:
        """What a combat is worth to its attacker, in hit points; -99 if it cannot be fought.

        `table` has its target, attackers, guns and assault troops.
        """
        war, chances, weights = self.war, self.staff.chances, self.weights
        leaders, foes = eligible(war, table, table.attackers), defenders(war, table)
        if not leaders or not foes:
            return -99.0
        table.leads = [best_lead(war, table, leaders), best_lead(war, table, foes)]
        found = odds(war, table)
        if found.shifted < 0:
            return -99.0
        added = [
            sum([shift.columns for shift in modifiers(war, table, role)])
            for role in (ATTACKING, DEFENDING)
        ]
        shaken = sum([shift.columns for shift in shelling(war, table)])
        shelled = chances.shells(column(war, table, 0), shaken)
        answered = chances.shells(column(war, table, 1), 0)
        whole = max(self.cost(foes) - round(shelled), 1)
        taught = doctrine(war, table, table.leads[1])
        hampered = bool((taught and taught.retreat < 0) or foes & unready(table))
        promise = chances.combat(found.column, *added, whole, hampered)
        extra = doctrine(war, table, table.leads[0])
        owed = promise.attacker + answered + (extra.losses if extra else 0)
        own = weights.own[table.side != self.here.initiative]
        taken = promise.taken * self._freshness(table)
        prize = self.points(table.target) + self._headway(table.target)
        worth = promise.defender + min(shelled, whole) + taken * prize
        if table.guns[1]:
            worth -= weights.risk * self.chance_of_repulse(table, found, answered)
        return worth - own * owed - weights.storm * bool(table.shock)

    def chance_of_repulse(self, table: Table, found: Odds, answered: float) -> float:
        """How likely bombardment cancels an attack, which costs three steps (12.2.3e, 12.2.4d).

        It takes strength away, and disorganizes the lead units first: of few none may be left who
        could lead.
        """
        if not answered:
            return 0.0
        leaders = eligible(self.war, table, table.attackers).bit_count()
        fired = min((answered + 1.0) / max(self.cost(table.attackers), 1), 1.0)
        left = found.ladder.column(found.attack * Fraction(1.0 - fired), found.defence)
        poor = left - found.raw + found.shifted < 0
        return max(0.6 * poor, LEADERLESS[min(leaders, len(LEADERLESS) - 1)])

    def _headway(self, target: int) -> float:
        """What a hex is worth besides for who must get on: more, the nearer to what it lacks."""
        weights = self.weights
        return max(0.0, weights.way - weights.far * self.draw[target]) if self.leads else 0.0

    def _freshness(self, table: Table) -> float:
        """How likely somebody is left to advance, who must have lost nothing (12.4a)."""
        fresh = full_strength(self.war, table, table.attackers) & ~(1 << table.leads[0])
        lead = full_strength(self.war, table, 1 << table.leads[0])
        return 1.0 if fresh & fresh - 1 else 0.8 if fresh else 0.3 if lead else 0.0

    def liked(self, target: int) -> float:
        """What this bot thinks of a target besides its worth: no two are alike."""
        return self.weights.whim * (taste(self.plan.seed, target, self.pos.turn) - 0.5)

    def best_shock(self, table: Table) -> Mask:
        """The assault troops that an attack would use: the first of its lead or of any unit."""
        troops = attached(self.war, table, table.attackers)
        return 1 << first_bit(troops) if troops else 0
