"""The units that can still move, where each can go, and the attacks that they could make."""

from __future__ import annotations

from collections.abc import Mapping

from apennine.bots.staff.mass import Attack, converge, mass
from apennine.bots.staff.posts import NEVER, Movers
from apennine.hexes import Mask, bits, mask_of

from ..rules.c04_zones import units_on_map
from ..rules.c05_stacking import fighting
from ..rules.c08_movement import march_of, unmoved
from ..rules.c09_combat import ground, is_concentric
from ..table.data import STACK
from .mind import Mind
from .odds import MOST_SUPPORT, markers_left, prize


class Force(Movers):
    """The units that can still move, where each can go, and who goes where."""

    def __init__(self, mind: Mind) -> None:
        self.mind = mind
        war, pos = mind.war, mind.pos
        free = list(bits(unmoved(war, pos)))
        self.units = units_on_map(war, pos, mind.side)
        reach = {unit: 1 << pos.hex[unit] for unit in self.units}
        for unit in free:
            reach[unit] |= march_of(war, pos, unit).ends
        super().__init__(free, lambda _unit, _hex, there: there.bit_count() < STACK, reach)
        for unit in set(self.units) - set(free):
            self.settle(unit, pos.hex[unit])
        self.busy: Mask = 0
        """Units that are to attack."""

    def fit(self, unit: int, hex: int) -> float:
        """How gladly a unit takes a post: strong ones, and those that are there already."""
        if not self.reach[unit] >> hex & 1:
            return NEVER
        here, value = self.mind.pos.hex[unit], float(self.mind.defence(unit))
        return value + 8 if here == hex else value - self.mind.war.lattice.distance(here, hex)

    def take_towns(self) -> None:
        """Whoever can walk into an enemy town worth points does so."""
        self.walk_in(hexes & ~self.mind.enemy for hexes, _ in self.mind.objectives)

    def place(self, unit: int) -> int:
        """Where a unit will be."""
        return self.goals[unit].hex if unit in self.goals else self.mind.pos.hex[unit]

    def prepare(self, enemies: Mask, least: float) -> None:
        """Choose the attacks that pay best, one after the other, and send who is needed."""
        markers = markers_left(self.mind, self.mind.side, coast=False)

        def think(target: int) -> Attack | None:
            return self._attack(target, min(MOST_SUPPORT, markers))

        def took(attack: Attack) -> None:
            nonlocal markers
            self.busy |= attack.force
            markers -= min(MOST_SUPPORT, markers)

        # Every attack takes markers from all others.
        mass(self, list(bits(enemies)), think, least=least, took=took, stale=lambda _a, _b: True)

    def _attack(self, target: int, support: int) -> Attack | None:
        """The best attack on a hex that could be made after this movement."""
        mind = self.mind
        war, pos, side = mind.war, mind.pos, mind.side
        near = war.beside[target] & ~mind.enemy
        bound = set(self.units).difference(self.free, bits(self.busy))
        there = sorted(unit for unit in bound if near >> self.place(unit) & 1)
        able = [unit for unit in self.free if self.reach[unit] & near]
        able.sort(key=lambda unit: (-mind.attack(unit), unit))
        defenders = fighting(war, pos, target, 1 - side)
        defence = sum(mind.defence(unit) for unit in defenders)
        imagined = pos.copy()

        def column(placed: Mapping[int, int]) -> int:
            for unit, hex in placed.items():
                imagined.hex[unit] = hex
            found = war.ladder.column(sum(map(mind.attack, placed)), defence) + support
            found += sum(shift.columns for shift in ground(war, imagined, target, list(placed)))
            return found + is_concentric(war, target, list(bits(mask_of(placed.values()))))

        def opposite(used: Mask, hex: int) -> bool:
            return is_concentric(war, target, [*bits(used), hex])

        enough = mind.weights.enough
        placed, best = converge(self, (*there, *able), near, self.place, column, enough, opposite)
        if not placed:
            return None
        steps = sum(pos.steps[unit] for unit in defenders)
        worth = mind.staff.worth(side, int(best), steps, prize(mind, target, side))
        called = tuple((unit, hex) for unit, hex in placed.items() if unit in self.free)
        return Attack(worth, target, mask_of(placed), called)
