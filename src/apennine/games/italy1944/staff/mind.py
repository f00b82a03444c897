"""What a bot knows: before the first turn, and of the position at one decision."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import cached_property, lru_cache, partial

from apennine.bots.staff.chances import Result, attack_worth
from apennine.bots.staff.ground import Field, Ground, rims
from apennine.bots.staff.judge import taste
from apennine.bots.staff.mass import Memory
from apennine.bots.staff.posts import Goals
from apennine.bots.staff.scene import Places, Scene
from apennine.hexes import Mask, Sides, bits, first_bit, mask_of

from ..rules.c04_zones import controlled, occupied, units_in, units_on_map
from ..rules.c09_combat import attack_factor, defence_factor
from ..rules.c11_operations import MOST
from ..table.position import ALLIED, GERMAN, LANDING, Table
from ..table.war import War
from .weights import Weights


class Staff:
    """What a bot knows before the first turn: the war, its ground, and what things weigh."""

    def __init__(self, war: War, weights: Weights) -> None:
        self.war, self.weights = war, weights
        self.ground = Ground(war.lattice, war.land, war.open)
        ends = war.sources[ALLIED] | war.sources[GERMAN]
        self.coasts = rims(self.ground, self.ground.rim & ~ends, 0)
        """West and east, where a line may begin and end."""
        self.pull = lru_cache(64)(self._pull)
        self.strong = lru_cache(4)(self._strong)
        self.results = lru_cache(64)(self._results)
        self.worth = lru_cache(4096)(self._worth)

    def _pull(self, goals: tuple[tuple[Mask, float], ...]) -> list[float]:
        return self.ground.pull(goals, 0.2)

    def _strong(self, works: Sides) -> list[int]:
        """By hex, the columns by which terrain and works help a German defender (9.4, 9.1b)."""
        war = self.war
        fortified = war.lattice.cross(war.land, works)
        found = [0] * war.lattice.size
        for hex in bits(war.land):
            keys = [war.board.terrain_of(hex)]
            keys += ["city"] * (war.cities >> hex & 1) + ["cassino"] * (war.cassino >> hex & 1)
            keys += ["fortified"] * (fortified >> hex & 1)
            found[hex] = -sum(war.modifiers[key].columns for key in keys if key in war.modifiers)
        return found

    def _results(self, column: int) -> tuple[Result, ...]:
        """A column of the chart: each chance with the losses of attacker and defender."""
        chances = self.war.combat.chances(column, self.war.dice)
        return tuple(Result(float(p), cell.attacker, cell.defender) for cell, p in chances.items())

    def _worth(self, side: int, column: int, steps: int, prize: float) -> float:
        """An attack by a side on so many steps, in enemy steps."""
        results = self.results(self.war.ladder.clamp(column))
        return attack_worth(results, steps, prize, self.weights.own_step[side])


@lru_cache(16)
def staff_of(war: War, weights: Weights) -> Staff:
    """One staff for all bots of a war that weigh things alike."""
    return Staff(war, weights)


class Mind(Scene):
    """One decision: the position as the side knows it, and what follows from it."""

    def __init__(
        self,
        staff: Staff,
        pos: Table,
        side: int,
        planned: Callable[[Mind], Goals],
        memory: Memory,
        seed: int = 0,
        tired: Mask = 0,
    ) -> None:
        self.staff, self.pos, self.side, self.memory, self.seed = staff, pos, side, memory, seed
        self.war, self.weights = staff.war, staff.weights
        self._planned = planned
        self.tired = tired
        """Units that were picked up in this phase and let go again."""
        own, self.enemy = (occupied(staff.war, pos, one) for one in (side, 1 - side))
        self.zone = staff.ground.around(self.enemy)
        """The hexes next to enemies."""
        near = staff.ground.around(own)
        super().__init__(staff.ground, Places(own, near), Places(self.enemy, self.zone))

    @cached_property
    def goals(self) -> Goals:
        return self._planned(self)

    def goal(self, unit: int) -> int:
        """Where a unit should go; -1: nowhere."""
        return self.goals[unit].hex if unit in self.goals else -1

    @cached_property
    def objectives(self) -> tuple[tuple[Mask, float], ...]:
        """The towns worth points that the enemy controls; if none is left, his sources."""
        held = controlled(self.war, self.pos, 1 - self.side)
        towns = {hexes: float(vp) for hexes, vp in self.war.prizes_on_map if hexes & held}
        if self.side == ALLIED and towns:
            towns[self._thrust(towns)] += self.weights.thrust
        return tuple(towns.items()) or ((self.war.sources[1 - self.side], 0),)

    def _thrust(self, towns: Mapping[Mask, float]) -> Mask:
        """The town that the Allies make for, until it is theirs: rich, and near the front."""
        worths = {
            first_bit(hexes): 0.4 * vp - 0.5 * min(self.from_front[hex] for hex in bits(hexes))
            for hexes, vp in towns.items()
        }
        like = partial(taste, self.seed, "thrust")
        town = self.memory.aim("thrust", self.pos.turn, worths, self.weights.aim, like)
        return next(hexes for hexes in towns if town == first_bit(hexes))

    @cached_property
    def draw(self) -> list[float]:
        """By hex, how far the objectives are."""
        return self.staff.pull(self.objectives)

    @cached_property
    def lacking(self) -> Mask:
        """The towns worth points that the enemy controls."""
        held = controlled(self.war, self.pos, 1 - self.side)
        return held & mask_of(h for hexes, _ in self.war.prizes_on_map for h in bits(hexes))

    @cached_property
    def front(self) -> Mask:
        """What the Allies control in one piece with their sources: a beachhead is no part of it."""
        control = self.pos.control
        return self.ground.flood(self.war.sources[ALLIED] & control, control)

    @cached_property
    def from_front(self) -> Field:
        return self.ground.distances(self.front)

    @cached_property
    def landing_planned(self) -> bool:
        """Whether a landing is written down for this turn or a later one, and may be made."""
        pos = self.pos
        return len(pos.launched) < MOST and any(
            kind == LANDING and turn >= pos.turn and turn not in pos.launched
            for kind, _, turn, _, _ in pos.notes
        )

    def whim(self, *what: Hashable) -> float:
        """What the bot's own taste adds to plans of nearly equal worth."""
        return self.weights.whim * taste(self.seed, *what)

    @cached_property
    def season(self) -> tuple[int, int]:
        """From when on this bot plans its second operation: a landing, and else an offensive."""
        seasons = self.weights.seasons
        return seasons[int(taste(self.seed, "season") * len(seasons))]

    @cached_property
    def kept(self) -> Mask:
        """The divisions of the reserve that wait for a landing."""
        if not self.landing_planned:
            return 0
        waiting = units_in(self.war, self.pos, self.war.reserve, ALLIED)
        divisions = [u for u in waiting if self.war.halves[u] == 2]
        best = sorted(divisions, key=lambda u: (-self.strength(u), u))
        return mask_of(best[: self.weights.waves])

    @cached_property
    def at_the_front(self) -> list[int]:
        """The hexes of the side's units that are near the enemy."""
        units = units_on_map(self.war, self.pos, self.side)
        hexes = [self.pos.hex[u] for u in units]
        return [hex for hex in hexes if self.from_foe[hex] <= 3] or hexes

    def count(self, hex: int) -> int:
        """The side's units in a hex."""
        return len(units_in(self.war, self.pos, hex, self.side))

    def factors(self, unit: int, steps: int) -> int:
        """The attack and defence factors of a unit with so many steps."""
        return self.war.attack[unit][steps] + self.war.defence[unit][steps]

    def strength(self, unit: int) -> int:
        """The same at full strength."""
        return self.factors(unit, self.war.full[unit])

    def attack(self, unit: int) -> int:
        return attack_factor(self.war, self.pos, unit)

    def defence(self, unit: int) -> int:
        return defence_factor(self.war, self.pos, unit)
