"""What a bot knows: before the first turn, and of the position at one decision."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import cached_property, lru_cache, partial

from apennine.bots.staff.ground import Field, Ground, Ways, rims
from apennine.bots.staff.judge import Kept, taste
from apennine.bots.staff.mass import Memory
from apennine.bots.staff.posts import Goals
from apennine.bots.staff.scene import Places, Scene
from apennine.hexes import Mask, bits, first_bit, mask_of

from ..rules.b4e_zones import attack_of, defence_of, strong_hexes, there, zone
from ..rules.b4g_retreat import ways
from ..rules.b4h_odds import Weight, weigh
from ..rules.c15_victory import places_of
from ..table.position import ALLIED, GERMAN, OPEN, Table
from ..table.war import GOOD, MUD, War
from ..telling.overlays import fed
from .chances import Chances, Promise, Stack
from .weights import Weights

WHOLE = 24
"""Half points that a step counts that takes all movement."""


class Staff:
    """What a bot knows before the first turn: the war, its ground, and what things weigh."""

    def __init__(self, war: War, weights: Weights) -> None:
        self.war, self.weights = war, weights
        self.chances = Chances(war)
        terrain = war.ground
        kinds = [(pace, climbs) for pace in (GOOD, MUD) for climbs in (False, True)]
        paces: dict[Hashable, Ways] = {kind: self._ways(*kind) for kind in kinds}
        self.ground = Ground(war.lattice, terrain.stands, terrain.open, paces)
        self.exits = terrain.german_edge
        """Where the Germans come from."""
        self.home = self.ground.distances(self.exits)
        south = mask_of(hex for entry in terrain.entries for hex in bits(entry.edge))
        self.shores = rims(self.ground, self.ground.rim & ~(self.exits | south), 0)
        """West and east, where a line may begin and end."""
        self.strong = self._strong()
        assert self.ground.links  # looked at beforehand, so that no decision is slow

    def _ways(self, pace: str, climbs: bool) -> Ways:
        """The net of hexes: from where each can be entered, banks of rivers left aside."""
        war = self.war
        paths = war.paths(pace, climbs)
        best: list[dict[int, int]] = [{} for _ in range(war.lattice.size)]
        for node, hex in enumerate(war.node_hex):
            steps = [*paths.edges[node], *((target, WHOLE) for target in paths.climbs[node])]
            for target, price in steps:
                known = best[war.node_hex[target]]
                known[hex] = min(price, known.get(hex, WHOLE))
        return [list(steps.items()) for steps in best]

    def _strong(self) -> list[float]:
        """By hex, how well the ground serves a German defender: slopes, rivers, high ridges."""
        terrain = self.war.ground
        rivers, found = terrain.rivers, [0.0] * self.war.lattice.size
        for hex in bits(terrain.stands):
            facing = [h for h in bits(terrain.beside[hex]) if self.home[h] >= self.home[hex]]
            count = max(1, len(facing))
            wet = [rivers.hexes >> h & 1 and not rivers.at[h] <= rivers.at[hex] for h in facing]
            steep = [self._is_high(h, hex) for h in facing]
            behind = (sum(wet) / count) ** 2  # it takes but one attacker who is on no river
            found[hex] = (terrain.mountains >> hex & 1) + behind + 0.6 * sum(steep) / count
        return found

    def _is_high(self, one: int, hex: int) -> bool:
        return bool(self.war.ground.high[self.war.lattice.direction(one, hex)] >> one & 1)


@lru_cache(16)
def staff_of(war: War, weights: Weights) -> Staff:
    """One staff for all bots of a war that weigh things alike."""
    return Staff(war, weights)


class Plan:
    """What a bot keeps between two decisions."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        """By which two bots differ in taste."""
        self.goals = Kept[Goals]()
        self.battles = Kept[Mapping[int, int]]()
        """By attacker, the hex that it attacks."""
        self.memory = Memory()
        self.tired = Kept[set[int]]()
        """Units that were picked up in this phase and put down again."""
        self.tried = Kept[set[tuple[int, Mask]]]()
        """Automatic victories that were tried in this phase: over which hex, with whom."""


class Mind(Scene):
    """One decision of one side."""

    def __init__(
        self,
        staff: Staff,
        pos: Table,
        side: int,
        plan: Plan | None = None,
        planned: Callable[[Mind], Goals] = lambda _: {},
    ) -> None:
        self.staff, self.pos, self.side, self.planned = staff, pos, side, planned
        self.war, self.weights, self.plan = staff.war, staff.weights, plan or Plan()
        self.own, self.foe = there(self.war, pos, side), there(self.war, pos, 1 - side)
        self.enemy = self.foe.occupied
        self.strong_foe = strong_hexes(self.war, pos, 1 - side)
        """The enemies who have a zone of control."""
        self.zone = zone(self.war, pos, 1 - side)
        near = staff.ground.around(self.own.occupied)
        super().__init__(
            staff.ground, Places(self.own.occupied, near), Places(self.enemy, self.zone)
        )

    def goal(self, unit: int) -> int:
        """Where a unit should go: a hex or a box; -1: nowhere."""
        found = self.goals.get(unit)
        return found.hex if found else -1

    @cached_property
    def goals(self) -> Goals:
        return self.planned(self)

    # Units.

    def attack(self, unit: int) -> int:
        return attack_of(self.war, self.pos, unit)

    def defence(self, unit: int) -> int:
        return defence_of(self.war, self.pos, unit)

    def value(self, unit: int, steps: int) -> float:
        """What a unit with so many steps is worth: both factors, and that it is there."""
        attack, defence = self.war.faces[unit][steps]
        return attack + 0.7 * defence + 1.0 * bool(steps)

    def landing_value(self, unit: int) -> float:
        """How gladly a unit is taken aboard: what it brings for its room, and by taste."""
        whim = taste(self.plan.seed, "aboard", unit)
        return self.value(unit, self.pos.steps[unit]) / max(1, self.war.stacking[unit]) + whim

    def is_worn(self, unit: int) -> bool:
        """Whether a unit should rest and be rebuilt."""
        return self.pos.steps[unit] <= max(1, self.war.full[unit] // 3)

    def pace(self, unit: int) -> Hashable:
        """The class of a unit in the ways of the ground."""
        climbs = self.pos.mountain and bool(self.war.mountaineers >> unit & 1)
        return (MUD if self.war.in_mud(self.pos) else GOOD), climbs

    def way(self, unit: int, goals: Mask) -> Field:
        """By hex, the half points to the nearest goal."""
        return self.ground.marches(self.pace(unit), goals)

    def guard(self, units: Mask) -> int:
        """The defence factors of some units."""
        return sum([self.defence(unit) for unit in bits(units)])

    # Places.

    @cached_property
    def late(self) -> bool:
        """Whether the end is near: then it is places that count, and no longer steps."""
        last = self.war.book.scenarios[self.pos.scenario].last
        return last - self.pos.turn < self.weights.last_turns

    @cached_property
    def places(self) -> Mapping[str, Mask]:
        """The places that win, each with its hexes."""
        return places_of(self.war, self.pos)

    @cached_property
    def prizes(self) -> Mask:
        """All hexes of places that win."""
        found = 0
        for hexes in self.places.values():
            found |= hexes
        return found

    @cached_property
    def lacking(self) -> Mask:
        """The hexes of places that the side does not have."""
        allied = [hexes for hexes in self.places.values() if hexes & self.pos.friendly]
        german = [hexes for hexes in self.places.values() if not hexes & self.pos.friendly]
        found = 0
        for hexes in german if self.side == ALLIED else allied:
            found |= hexes if self.side == ALLIED else hexes & self.pos.friendly
        return found

    @cached_property
    def bases(self) -> Mask:
        """The friendly hexes of ports and beachheads that operate."""
        found = 0
        for base, state in zip(self.war.ground.bases, self.pos.bases):
            found |= base.hexes & self.pos.friendly if state == OPEN else 0
        return found

    @cached_property
    def fed(self) -> Mask:
        """Where units of the side are supplied."""
        return fed(self.war, self.pos, self.side)

    @cached_property
    def strong(self) -> list[float]:
        return self.staff.strong

    @cached_property
    def draw(self) -> list[float]:
        """By hex, how far the places are that the side lacks; the one it makes for counts more."""
        lacking = {
            first_bit(hexes & self.lacking): hexes & self.lacking
            for hexes in self.places.values()
            if hexes & self.lacking
        }
        if not lacking:
            return [float(away) for away in self.staff.home]
        goals = dict.fromkeys(lacking, 1.0)
        worths = {hex: -0.5 * self._away(hexes) for hex, hexes in lacking.items()}
        like = partial(taste, self.plan.seed, "thrust")
        turn, weights = self.pos.turn, self.weights
        goals[self.plan.memory.aim("thrust", turn, worths, weights.aim, like)] += weights.thrust
        return self.ground.pull(((lacking[h], vp) for h, vp in goals.items()), weights.rate)

    def _away(self, hexes: Mask) -> int:
        field = self.ground.distances(self.own.occupied or self.bases)
        return min(field[hex] for hex in bits(hexes))

    @cached_property
    def strikers(self) -> list[tuple[int, int]]:
        """The enemy units that can attack: where they are, and their factors."""
        return [
            (self.pos.hex[unit], attack)
            for unit in bits(self.foe.units)
            if (attack := self.attack(unit))
        ]

    def threat(self, hex: int) -> float:
        """The attack factors that the enemy could bring against a hex in his next turn."""
        return self.threats[hex]

    def risk(self, units: Mask, hex: int) -> float:
        """How many times their defence the enemy could bring against units in a hex."""
        guard = self.guard(units) * (1.0 + min(self.strong[hex], 2.0))
        return self.threats[hex] / (guard + 0.5)

    @cached_property
    def threats(self) -> list[float]:
        """By hex, the attack factors that get next to it past our zones in a turn."""
        found, stacks = [0.0] * self.war.lattice.size, dict[int, int]()
        for here, factor in self.strikers:
            stacks[here] = stacks.get(here, 0) + factor
        closed = zone(self.war, self.pos, self.side) | self.own.occupied
        pace = MUD if self.war.in_mud(self.pos) else GOOD
        for here, factor in stacks.items():
            field = self.ground.marches((pace, False), 1 << here, closed & ~(1 << here))
            near = mask_of(h for h in bits(self.ground.land) if field[h] <= WHOLE - 2)
            for hex in bits(self.war.lattice.dilate(near, 2)):
                found[hex] += factor
        return found

    # Battles.

    def prize(self, hex: int, side: int) -> float:
        """What it is worth to a side to drive its enemies from a hex."""
        weights, value = self.weights, self.weights.hex[side]
        if self.prizes >> hex & 1:
            held = bool(self.pos.friendly >> hex & 1)
            worth = weights.place[side] + (weights.late if side == ALLIED and self.late else 0.0)
            value += worth if held == (side == GERMAN) else 0.0
        if side == GERMAN and self.war.ground.base_at.get(hex):
            value += weights.beach
        return value

    def weigh_up(self, pos: Table, attackers: Mask, targets: Mask) -> tuple[int, Weight]:
        """The column of an attack and what it is fought with; below 0 it is not allowed."""
        found = weigh(self.war, pos, attackers, targets)
        if not found.defence:
            return 99, found
        return self.war.ladder.odds(found.attack, found.defence).shifted, found

    def worth(self, pos: Table, attackers: Mask, targets: Mask) -> float:
        """An attack of some units, as they stand in a position, on some hexes, in enemy steps."""
        column, found = self.weigh_up(pos, attackers, targets)
        side = self.war.side_of[first_bit(attackers)]
        if column < 0:
            return -self.weights.hopeless - attackers.bit_count()
        worst = max(bits(targets), key=lambda hex: self._steps(hex, side))
        steps = sum([self._steps(hex, side) for hex in bits(targets)])
        fort = bool(pos.forts and pos.works >> worst & 1) and side == ALLIED
        trapped = self._is_trapped(pos, worst, side)
        stack = Stack(min(steps, 12), found.doubled, trapped, fort)
        promise = self.staff.chances.attack(min(column, 20), stack)
        total = max([self.prize(hex, side) for hex in bits(targets)])
        return self.weigh(promise, total, side)

    def _steps(self, hex: int, side: int) -> int:
        stack = there(self.war, self.pos, 1 - side).stack(hex)
        return sum([self.pos.steps[unit] for unit in bits(stack)])

    def _is_trapped(self, pos: Table, hex: int, side: int) -> bool:
        """Whether nobody could retreat from a hex, our units being where they are thought of."""

        def look() -> bool:
            stack = there(self.war, self.pos, 1 - side).stack(hex)
            return not any(ways(self.war, pos, unit) for unit in bits(stack))

        near = self.war.lattice.disc(hex, 3)
        around = there(self.war, pos, side).occupied & near
        return self.once(("trapped", hex, around), look)

    def weigh(self, promise: Promise, prize: float, side: int) -> float:
        """What a battle promises to the attacker."""
        weights = self.weights
        gain = promise.falls * prize + promise.defender + weights.surge * promise.surge
        cost = weights.own_step[side] * promise.attacker
        return gain - cost - weights.thrown_back * promise.thrown_back
