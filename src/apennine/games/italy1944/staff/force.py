"""The units that can still move, where each can go, and the attacks that they could make."""

from __future__ import annotations

from apennine.bots.staff.mass import Attack, mass
from apennine.bots.staff.posts import NEVER, Posts
from apennine.hexes import Mask, bits, mask_of

from ..rules.c04_zones import bridges, next_to, units_on_map
from ..rules.c05_stacking import fighting
from ..rules.c06_logistics import allowance
from ..rules.c08_movement import find_march, may_march, unmoved
from ..rules.c09_combat import ground, is_concentric
from ..table.data import STACK
from .mind import Mind
from .odds import MOST_SUPPORT, markers_left, prize


class Force:
    """The units that can still move, where each can go, and who goes where."""

    def __init__(self, mind: Mind) -> None:
        self.mind = mind
        war, pos = mind.war, mind.pos
        free = unmoved(war, pos)
        self.posts = Posts(free, lambda _unit, _hex, there: there.bit_count() < STACK)
        self.units = units_on_map(war, pos, mind.side)
        self.reach = {unit: 1 << pos.hex[unit] for unit in self.units}
        for unit in set(self.units) - set(free):
            self.posts.settle(unit, pos.hex[unit])
        for unit in free:
            self.reach[unit] |= self._reach(unit)
        self.busy: Mask = 0
        """Units that are to attack."""

    def _reach(self, unit: int) -> Mask:
        mind = self.mind
        war, pos = mind.war, mind.pos
        points, here = allowance(war, pos, unit), pos.hex[unit]
        asked = pos.copy()
        asked.movers = 1 << unit
        extra, over = points if may_march(war, asked) else 0, bridges(war, pos, mind.side)
        return find_march(war, war.pace[unit], over, here, points, extra, True, mind.enemy, 0).ends

    def all_reach(self) -> Mask:
        """The hexes that somebody can get to."""
        mask = 0
        for unit in self.posts.free:
            mask |= self.reach[unit]
        return mask

    def fit(self, unit: int, hex: int) -> float:
        """How gladly a unit takes a post: strong ones, and those that are there already."""
        if not self.reach[unit] >> hex & 1:
            return NEVER
        here, value = self.mind.pos.hex[unit], float(self.mind.defence(unit))
        return value + 8 if here == hex else value - self.mind.war.lattice.distance(here, hex)

    def take_towns(self) -> None:
        """Whoever can walk into an enemy town worth points does so."""
        for hexes, _ in self.mind.objectives:
            for unit in self.posts.free:
                town = self.reach[unit] & hexes & ~self.mind.enemy
                if town:
                    self.posts.send(unit, next(bits(town)))
                    break


def prepare(force: Force, enemies: Mask, least: float) -> None:
    """Choose the attacks that pay best, one after the other, and send who is needed."""
    mind = force.mind
    markers = markers_left(mind, mind.side, coast=False)

    def think(target: int) -> Attack | None:
        return _attack(force, target, min(MOST_SUPPORT, markers))

    def took(attack: Attack) -> None:
        nonlocal markers
        force.busy |= attack.force
        markers -= min(MOST_SUPPORT, markers)

    # Every attack takes markers from all others.
    mass(force.posts, list(bits(enemies)), think, least=least, took=took, stale=lambda _a, _b: True)


def _attack(force: Force, target: int, support: int) -> Attack | None:
    """The best attack on a hex that could be made after this movement."""
    mind, posts = force.mind, force.posts
    war, pos, side = mind.war, mind.pos, mind.side
    near = next_to(war, target) & ~mind.enemy
    able = [u for u in posts.free if force.reach[u] & near]
    able.sort(key=lambda u: (-mind.attack(u), u))
    placed = {u: posts.goals[u].hex if u in posts.goals else pos.hex[u] for u in force.units}
    there = [
        u
        for u in set(force.units).difference(posts.free)
        if not force.busy >> u & 1 and near >> placed[u] & 1
    ]
    room = {hex: STACK - posts.count(hex) for hex in bits(near)}
    defenders = fighting(war, pos, target, 1 - side)
    defence = sum(mind.defence(u) for u in defenders)
    imagined = pos.copy()
    units: list[int] = []
    called: list[tuple[int, int]] = []
    attack = column = used = 0
    for unit in (*sorted(there), *able):
        place = placed[unit]
        if unit in posts.free:
            place = _place(force, unit, near, room, target, used)
            if place < 0:
                continue
            room[place] -= 1
            called.append((unit, place))
        used |= 1 << place
        units.append(unit)
        imagined.hex[unit] = place
        attack += mind.attack(unit)
        column = war.ladder.column(attack, defence) + support
        column += sum(shift.columns for shift in ground(war, imagined, target, units))
        column += is_concentric(war, target, list(bits(used)))
        if column >= mind.weights.enough:
            break
    if not units:
        return None
    steps = sum(pos.steps[u] for u in defenders)
    worth = mind.staff.worth(side, column, steps, prize(mind, target, side))
    return Attack(worth, target, mask_of(units), tuple(called))


def _place(
    force: Force, unit: int, near: Mask, room: dict[int, int], target: int, used: Mask
) -> int:
    """From which hex a unit attacks: opposite to others, else with others, else where it is."""
    here = force.mind.pos.hex[unit]
    best, score = -1, -1.0
    for hex in bits(force.reach[unit] & near):
        if room[hex] <= 0:
            continue
        value = 1.0 + (used >> hex & 1) + (2.0 if hex == here else 0.0)
        if used and is_concentric(force.mind.war, target, [*bits(used), hex]):
            value += 1.5
        if value > score:
            best, score = hex, value
    return best
