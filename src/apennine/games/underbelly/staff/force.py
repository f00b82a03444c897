"""The units of a side that are shared out among posts, and the attacks that they prepare."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from apennine.bots.staff.ground import best_hex
from apennine.bots.staff.judge import taste
from apennine.bots.staff.mass import Attack, mass, sharing
from apennine.bots.staff.posts import NEVER, Posts, draw_near, strengthen
from apennine.hexes import Mask, bits, mask_of

from ..table.data import DIVISIONS
from ..table.position import ALLIED, GERMAN
from .mind import Mind


def ready(mind: Mind) -> list[int]:
    """The side's units that are in play and can be moved about."""
    war, pos = mind.war, mind.pos
    closed = {war.end_run} if pos.army_entered or pos.army_due else {war.end_run, war.fifth}
    units = [u for hex, stack in mind.stacks.items() if hex not in closed for u in bits(stack)]
    return [u for u in units if u != war.airborne or war.bit[pos.hex[u]]]


class Force(Posts):
    """Units that are still free, and the posts that the others were sent to."""

    def __init__(self, mind: Mind, units: Iterable[int]) -> None:
        super().__init__(units, mind.room)
        self.mind = mind

    def fit(self, unit: int, hex: int, *, support: bool = False, latest: float = 9.0) -> float:
        """How well a unit serves a post: strong, and soon there."""
        mind, weights = self.mind, self.mind.weights
        turns, here = mind.turns(unit, hex), mind.pos.hex[unit]
        if turns > latest or bool(mind.war.supports >> unit & 1) != support:
            return NEVER
        value = mind.power(1 << unit) - weights.slow * turns + (here == hex)
        fellows = {mind.pos.hex[other] for other in bits(self.held.get(hex, 0))}
        return value + weights.together * (mind.side == ALLIED and here in fellows)

    def nearest(self, hex: int, latest: float, *, support: bool = False) -> int:
        """Who serves a post best of those who get there in some turns; -1 if nobody."""
        return self.best(hex, lambda unit, at: self.fit(unit, at, support=support, latest=latest))

    def relief(self, hex: int) -> int:
        """The next unit for a place that needs one, from as near as can be; -1 if nobody."""
        unit = self.nearest(hex, 1.0)
        return self.nearest(hex, 4.0) if unit < 0 else unit

    def reinforce(self, needs: dict[int, float]) -> None:
        """Divisions where most is lacking, then the guns, and nobody stays behind."""
        mind = self.mind

        def weight(hex: int) -> float:
            return 0.5 + 0.3 * needs[hex] if self.count(hex) else 1.0 + 0.4 * needs[hex]

        strengthen(self, needs, self.fit, lambda u: mind.power(1 << u), floor=0.5, weight=weight)
        for hex in sorted(needs, key=lambda h: -needs[h]):
            gun = self.nearest(hex, inf, support=True)
            if gun >= 0 and mind.own.divisions[1] >> hex & 1:
                self.send(gun, hex, 0.4 + 0.1 * needs[hex])
        draw_near(self, lambda u: self.closest(u, needs), mind.weights.straggler)

    def closest(self, unit: int, hexes: Iterable[int]) -> int:
        """The hex of some that a unit gets to first; -1 if there is none."""
        return min(sorted(hexes), key=lambda hex: self.mind.turns(unit, hex), default=-1)

    def prepare(self, targets: Iterable[int]) -> None:
        """Full stacks beside the targets that promise most; who is left comes up behind them."""
        mind, weights = self.mind, self.mind.weights
        assault = Force(mind, self.free)
        groups = sorted({mind.war.group[unit] for unit in self.free})

        def think(target: int) -> Attack | None:
            found = [assault.attack(target, group) for group in groups]
            return max((a for a in found if a), key=lambda a: a.worth, default=None)

        def stale(one: Attack, chosen: Attack) -> bool:
            return sharing(one, chosen) or one.goals[0][1] == chosen.goals[0][1]

        chosen = mass(
            assault, targets, think, least=-inf, most=weights.axes, stale=stale,
            weight=lambda attack: max(0.3, 0.6 + 0.3 * attack.worth),
        )  # fmt: skip
        going = {unit: hex for attack in chosen for unit, hex in attack.goals}
        mind.plan.memory.note("attacks", mind.pos.turn, going)
        stages = {g: {hex for u, hex in going.items() if mind.war.group[u] == g} for g in groups}

        def behind(unit: int) -> int:
            return assault.closest(unit, stages[mind.war.group[unit]] or going.values())

        draw_near(assault, behind, weights.reserve)
        self.take_over(assault)

    def attack(self, target: int, group: int) -> Attack | None:
        """The best attack on a target that the free units of a group could make."""
        mind, weights = self.mind, self.mind.weights
        war, supports = mind.war, mind.war.supports
        units = [unit for unit in self.free if war.group[unit] == group]
        stage = staging(mind, target, group, mask_of(g.hex for g in self.goals.values()))
        if stage < 0 or not mask_of(units) & ~supports:
            return None
        turns = {unit: mind.turns(unit, stage) for unit in units}
        before, away = mind.plan.memory.noted("attacks", mind.pos.turn), war.lattice.distance
        near = {u: u in before and away(before[u], stage) <= weights.same for u in units}
        late = {u: weights.pace * turns[u] - weights.kept * near[u] for u in units}
        units.sort(key=lambda u: (late[u] - mind.power(1 << u), u))
        alone = not mind.enemies.get(target, 0) & ~supports
        divisions = [u for u in units if not supports >> u & 1][: 1 if alone else DIVISIONS]
        latest = max(turns[unit] for unit in divisions)
        guns = [u for u in units if supports >> u & 1 and not alone][:1]
        force = divisions + [gun for gun in guns if turns[gun] <= latest + 2]
        worth = mind.attack_gain(stage, target, mask_of(force))
        if worth > 0:  # who is seen to come from afar finds the place guarded
            worth *= weights.surprise ** max(0.0, latest - 1)
        worth -= weights.far_off * latest
        worth += weights.loyalty * sum(near[unit] for unit in force) / len(force)
        sector = war.lattice.pixel(target)[1] // weights.sector  # across the peninsula
        worth += weights.whim * taste(mind.plan.seed, sector)
        return Attack(worth, target, mask_of(force), tuple((unit, stage) for unit in force))


def staging(mind: Mind, target: int, group: int = -1, taken: Mask = 0) -> int:
    """The hex from which a target is best attacked, by a group; -1 if there is none."""
    war, pos = mind.war, mind.pos
    free = war.around[target] & ~mind.foe.occupied & ~taken
    # From one enemy zone nobody goes straight into another (7.5).
    free &= mind.own.occupied | mind.ground.around(mind.within & ~mind.foe.zone)
    if mind.side == GERMAN and pos.special_forces:
        free &= ~(1 << war.special_forces)
    if group >= 0:
        others = war.units_of[mind.side] & ~war.grouped[group]
        foreign = mask_of(hex for hex, units in mind.stacks.items() if units & others)
        free &= ~(foreign & ~mind.ports) if mind.side == ALLIED else ~foreign
    river_free = mind.side == GERMAN and pos.turn <= war.book.river_grace

    def value(hex: int) -> float:
        found = 0.5 * mind.power(mind.stacks.get(hex, 0)) - (not mind.net >> hex & 1)
        if not river_free and war.river[war.lattice.direction(hex, target)] >> hex & 1:
            found -= 0.7
        found -= 0.3 * (war.around[hex] & mind.foe.divisions[1]).bit_count()
        return found + 0.5 * (mind.side == ALLIED and mind.beaches >> hex & 1)

    return best_hex(free, value)
