"""The units that can still move, where each can go, and the attacks that they could make."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

from apennine.bots.staff.mass import Attack, mass
from apennine.bots.staff.posts import NEVER, Movers
from apennine.hexes import Mask, bits, mask_of

from ..rules.b4c_march import find_march, gait, pace_of, reach
from ..rules.b4c_movement import strategic
from ..rules.b4d_stacking import limit, load
from ..rules.c5_invasion import landing_reach, lift_of
from ..rules.c7_sea import can_put_to_sea, entry_at, landings
from ..rules.c8_edges import crossing_price, entry_edge
from ..table.position import ALLIED, DUE, NOWHERE, Table
from ..table.rivers import FREE
from ..table.war import SCALE
from .mind import Mind


class Lineup(NamedTuple):
    """An attack, who goes where for it, and what it is worth."""

    worth: float
    force: Mask
    places: dict[int, int]
    covered: Mask
    """The enemies that are attacked by it."""


class Force(Movers):
    """The units that can still move, where each can go, and who goes where."""

    def __init__(self, mind: Mind) -> None:
        self.mind = mind
        war, pos = mind.war, mind.pos
        mine = war.army[mind.side]
        aside = [pos.hex[u] >= war.lattice.size or pos.hex[u] == DUE for u in bits(mine)]
        waiting = mask_of(u for u, out in zip(bits(mine), aside) if out)
        self.units = list(bits(mind.own.units | waiting))
        moving = pos.phase == "movement" and pos.side == mind.side
        free = mask_of(self.units) & ~pos.moved if moving else 0
        self._known: dict[Hashable, Mask] = {}
        self.lift = self._lift(free)
        super().__init__(bits(free), self._fits, {u: self._reach(u, free) for u in self.units})
        for unit in self.units:
            if not free >> unit & 1 and pos.hex[unit] >= 0:
                self.settle(unit, pos.hex[unit])
        self.fighters = [u for u in self.units if mind.attack(u) and not pos.soft >> u & 1]
        self.budget = 99
        """Units that attacks may still take."""
        self.covered: Mask = 0
        """Enemies that are to be attacked."""

    def _fits(self, unit: int, hex: int, there: Mask) -> bool:
        war, pos = self.mind.war, self.mind.pos
        if hex >= war.lattice.size or hex < 0:
            return True
        units = there | 1 << unit
        return load(war, units) <= limit(war, pos, self.mind.side, units)

    def _reach(self, unit: int, free: Mask) -> Mask:
        """Where a unit may be after this movement, where it is included if it is on the map."""
        war, pos, here = self.mind.war, self.mind.pos, self.mind.pos.hex[unit]
        on_map = 0 <= here < war.lattice.size
        if not free >> unit & 1:
            return 1 << here if on_map else 0
        if self.lift >> unit & 1:
            return landing_reach(war, pos, unit).ends & war.ground.stands
        how, far = gait(war, pos, unit), strategic(pos, unit)
        size = 0 if on_map else war.stacking[unit]
        bound = pos.bank[unit]
        key = here, bound, how, far, size
        if key not in self._known:
            self._known[key] = self._march(unit) if on_map else self._inland(unit)
        return self._known[key] | (1 << here if on_map else 0)

    def _lift(self, free: Mask) -> Mask:
        """The units that land in the invasion under way: the best that there is room for."""
        mind = self.mind
        war, pos = mind.war, mind.pos
        if pos.zone == NOWHERE or mind.side != ALLIED:
            return 0
        left, found = lift_of(war, pos) - pos.lifted, 0
        able = free & war.invaders & can_put_to_sea(war, pos) & ~(war.replacements | pos.soft)
        for unit in sorted(bits(able), key=lambda u: (-mind.landing_value(u), u)):
            if war.stacking[unit] <= left:
                left -= war.stacking[unit]
                found |= 1 << unit
        return found

    def _march(self, unit: int) -> Mask:
        war, pos = self.mind.war, self.mind.pos
        how = gait(war, pos, unit)
        node = war.node[pos.hex[unit], pos.bank[unit]]
        extra = how.allowance * (war.book.limits.strategic - 1) if strategic(pos, unit) else 0
        return find_march(war, pos, how, node, how.allowance, extra, True, 1 << unit).ends

    def _inland(self, unit: int) -> Mask:
        """Where a unit beside the map may get to: over an edge, or from a port or a beach."""
        mind = self.mind
        war, pos, here = mind.war, mind.pos, mind.pos.hex[unit]
        how, pace = gait(war, pos, unit), pace_of(mind.war, mind.pos)
        entry, points = entry_at(war, here), how.allowance
        if here == DUE or entry:
            edge = entry_edge(war, pos, entry) if entry else war.german_edge(pos)
            doors = edge & ~(mind.zone | mind.strong_foe)
            prices = [(h, crossing_price(war, pos, h, how.climbs)) for h in bits(doors)]
            starts = [(war.node[h, FREE], p if p >= 0 else points) for h, p in prices]
            points *= 1 if entry else war.book.limits.strategic
        else:
            shores = landings(war, pos, 1 << unit, transfer=False)
            starts = [(war.node[h, FREE], SCALE) for h in bits(shores)]
        if not starts:
            return 0
        shut = mind.strong_foe | (mind.zone if how.soft or here == DUE else 0)
        return reach(war, starts, points, pace, how.climbs, shut, mind.zone, 0).ends

    def place(self, unit: int) -> int:
        """Where a unit will be."""
        return self.goals[unit].hex if unit in self.goals else self.mind.pos.hex[unit]

    def fit(self, unit: int, hex: int) -> float:
        """How gladly a unit takes a post: strong ones, and those that are there already."""
        mind = self.mind
        if not self.reach[unit] >> hex & 1 or mind.pos.soft >> unit & 1:
            return NEVER
        here, value = mind.pos.hex[unit], float(mind.defence(unit))
        if mind.is_worn(unit):
            value -= 3.0
        if hex == here and mind.zone >> here & 1:
            return NEVER  # to stay there is to attack
        return value + 1.0 if here == hex else value

    # Attacks.

    def prepare(self, targets: Mask, least: float) -> list[Attack]:
        """Choose the attacks that pay best, one after the other, and send who is needed."""
        lineups: dict[int, Lineup] = {}

        def think(target: int) -> Attack | None:
            found = self.lineup(target)
            if found is None:
                return None
            lineups[target] = found
            goals = tuple((u, h) for u, h in found.places.items() if u in self.free)
            return Attack(found.worth, target, found.force, goals)

        def took(attack: Attack) -> None:
            self.covered |= lineups[attack.target].covered
            self.budget -= attack.force.bit_count()

        def stale(one: Attack, chosen: Attack) -> bool:
            near = self.mind.war.lattice.distance(one.target, chosen.target) <= 2
            few = self.budget < one.force.bit_count()
            return near or few or bool(one.force & chosen.force)

        return mass(self, list(bits(targets)), think, least=least, took=took, stale=stale)

    def lineup(self, target: int) -> Lineup | None:
        """The best attack on a hex that could be made after this movement."""
        clean = self._line_up(target, soak=False)
        mixed = self._line_up(target, soak=True)
        found = [each for each in (clean, mixed) if each]
        return max(found, key=lambda lineup: lineup.worth, default=None)

    def extras(self, hex: int, target: int) -> Mask:
        """The other enemies who must be attacked by who stands in a hex."""
        mind = self.mind
        return mind.war.ground.beside[hex] & mind.strong_foe & ~(self.covered | 1 << target)

    def _line_up(self, target: int, soak: bool) -> Lineup | None:
        mind = self.mind
        war, near = mind.war, mind.war.ground.beside[target]
        hexes = mask_of(h for h in bits(near) if soak or not self.extras(h, target))
        placed, coming = dict[int, int](), dict[int, Mask]()
        imagined = mind.pos.copy()
        able = [u for u in self.fighters if u in self.free and self.reach[u] & hexes]
        for unit in sorted(able, key=lambda u: (-mind.attack(u), u)):
            hex = self._best_place(unit, target, hexes, coming)
            if hex >= 0 and len(placed) < self.budget:
                placed[unit] = imagined.hex[unit] = hex
                coming[hex] = coming.get(hex, 0) | 1 << unit
        if not placed:
            return None
        others = 0
        for hex in coming:
            others |= self.extras(hex, target)
        if not others:
            return self._trimmed(imagined, placed, target, 0.0, 0, 0) if not soak else None
        busy, price = 0, 0.0
        for other in bits(others):
            beside = war.ground.beside[other]
            near_by = [u for u, h in placed.items() if beside >> h & 1 and not busy >> u & 1]
            for unit in sorted(near_by, key=lambda u: (mind.attack(u), u)):
                if mind.weigh_up(imagined, 1 << unit, 1 << other)[0] >= 0:
                    busy |= 1 << unit
                    price += mind.worth(imagined, 1 << unit, 1 << other)
                    break
            else:
                return None
        return self._trimmed(imagined, placed, target, price, busy, others)

    def _trimmed(
        self,
        imagined: Table,
        placed: dict[int, int],
        target: int,
        price: float,
        busy: Mask,
        others: Mask,
    ) -> Lineup | None:
        """Without those who do not change the column."""
        mind = self.mind
        attackers = mask_of(placed) & ~busy
        if not attackers:
            return None
        if mind.weigh_up(imagined, attackers, 1 << target)[0] < 0:
            return None
        worth = mind.worth(imagined, attackers, 1 << target)
        for unit in sorted(placed, key=lambda u: (mind.attack(u), u)):
            fewer = attackers & ~(1 << unit)
            if busy >> unit & 1 or not fewer or not attackers >> unit & 1:
                continue
            if others and self.extras(placed[unit], target):
                continue  # who draws others into the fight is needed there
            imagined.hex[unit] = mind.pos.hex[unit]  # nor does he bar a way out
            less = mind.worth(imagined, fewer, 1 << target)
            if less >= worth - mind.weights.usage * (1 + mind.attack(unit)):
                attackers, worth = fewer, less
            else:
                imagined.hex[unit] = placed[unit]
        force = attackers | busy
        places = {u: h for u, h in placed.items() if force >> u & 1}
        worth += price - self._overreach(places)
        return Lineup(worth, force, places, 1 << target | others)

    def _overreach(self, places: dict[int, int]) -> float:
        """What it costs that those who attack can be struck where they stand then."""
        mind, stacks = self.mind, dict[int, Mask]()
        for unit, hex in places.items():
            stacks[hex] = stacks.get(hex, self.held.get(hex, 0)) | 1 << unit
        weights = mind.weights
        risks = [min(mind.risk(units, hex), 8.0) for hex, units in stacks.items()]
        return weights.overreach[mind.side] * sum(
            [max(0.0, risk - weights.bearable) for risk in risks]
        )

    def _best_place(self, unit: int, target: int, near: Mask, coming: dict[int, Mask]) -> int:
        """The hex from which a unit attacks best; -1 if there is none."""
        mind, best, most = self.mind, -1, -99.0
        war, here = mind.war, mind.pos.hex[unit]
        rivers, beside = war.ground.rivers, war.ground.beside
        shut = mask_of(coming)
        for other in coming:
            shut |= beside[other]
        out = beside[target] & ~shut
        for hex in bits(self.reach[unit] & near):
            if not self.room(unit, hex, coming.get(hex, 0)):
                continue
            value = 0.3 * (hex == here) + 0.4 * bool(coming.get(hex)) + 0.3 * mind.strong[hex]
            value -= 2.0 * (war.ground.high[war.lattice.direction(hex, target)] >> hex & 1)
            value -= 1.0 * (rivers.hexes >> hex & 1 and not rivers.at[hex] <= rivers.at[target])
            value += mind.weights.surround * (out & (beside[hex] | 1 << hex)).bit_count()
            value -= 2.0 * self.extras(hex, target).bit_count()
            if not mind.fed >> hex & 1:
                value -= 0.5
            if value > most:
                best, most = hex, value
        return best

    # Rest and replacements.

    def safe_ends(self, unit: int) -> Mask:
        """Where a unit can go and be neither next to the enemy nor out of supply."""
        mind = self.mind
        ends = self.reach[unit] & ~mind.zone
        return ends & mind.fed or ends

    def rest(self) -> None:
        """Who has no defence, or is worn out, goes where the enemy is far."""
        mind = self.mind
        far = mind.weights.rest
        for unit in tuple(self.free):
            here = mind.pos.hex[unit]
            soft = bool(mind.pos.soft >> unit & 1)
            if not (soft or mind.is_worn(unit)) or mind.war.replacements >> unit & 1:
                continue
            if not 0 <= here < mind.war.lattice.size or (not soft and mind.from_foe[here] >= far):
                continue
            ends = [h for h in bits(self.safe_ends(unit)) if self.room(unit, h)]
            depots = mind.bases or mind.staff.exits
            away = mind.ground.distances(depots)
            hex = max(
                ends,
                key=lambda h: (min(mind.from_foe[h], far + 1), -away[h], h == here, -h),
                default=-1,
            )
            if hex >= 0:
                self.send(unit, hex)

    def rebuild(self) -> None:
        """Replacements go to those who need them, where no enemy is near."""
        mind = self.mind
        war, pos = mind.war, mind.pos
        helpers = [u for u in self.free if war.replacements >> u & 1]
        worn = [
            u for u in self.units if pos.steps[u] < war.full[u] and not war.replacements >> u & 1
        ]
        gain = {u: mind.value(u, pos.steps[u] + 1) - mind.value(u, pos.steps[u]) for u in worn}
        for unit in sorted(worn, key=lambda u: (-gain[u] - 2.0 * mind.is_worn(u), u)):
            place = self.place(unit)
            if not 0 <= place < war.lattice.size or mind.from_foe[place] < mind.weights.rest:
                continue
            armor = war.armor >> unit & 1
            able = [u for u in helpers if self.reach[u] >> place & 1 and self.room(u, place)]
            able = [u for u in able if war.rebuild_all >> u & 1 or not armor]
            if able:
                helper = min(able, key=lambda u: (bool(war.rebuild_all >> u & 1), u))
                self.send(helper, place)
                helpers.remove(helper)

    def tuck_in(self, homes: Sequence[int]) -> None:
        """Replacements who are not needed wait with others who defend them."""
        mind = self.mind
        for unit in tuple(self.free):
            if not mind.war.replacements >> unit & 1:
                continue
            here = mind.pos.hex[unit]
            on_map = 0 <= here < mind.war.lattice.size
            if not on_map and mind.side == ALLIED:
                continue
            ends = [h for h in bits(self.safe_ends(unit)) if self.room(unit, h)]
            away = mind.ground.distances(mask_of(homes) or mind.staff.exits)
            hex = min(
                ends,
                key=lambda h: (mind.from_foe[h] < mind.weights.rest, away[h], h != here, h),
                default=-1,
            )
            if hex >= 0:
                self.send(unit, hex)


def divide(mind: Mind, able: Iterable[int], targets: Mask) -> dict[int, int]:
    """Who attacks whom, so that everybody who is next to an enemy fights and all are attacked.

    From a first division units change over one by one as long as that is worth more.
    """
    war, pos = mind.war, mind.pos
    near = {u: war.ground.beside[pos.hex[u]] & targets for u in able}
    near = {u: hexes for u, hexes in near.items() if hexes}
    chosen: dict[int, int] = {}
    force: dict[int, Mask] = dict.fromkeys(bits(targets), 0)

    def worth(hex: int, units: Mask) -> float:
        if not units:
            return -50.0
        return mind.once(("battle", hex, units), lambda: mind.worth(pos, units, 1 << hex))

    for unit in sorted(near, key=lambda u: (near[u].bit_count(), -mind.attack(u), u)):
        bit = 1 << unit
        best = max(
            bits(near[unit]),
            key=lambda h: (worth(h, force[h] | bit) - worth(h, force[h]), -h),
        )
        chosen[unit] = best
        force[best] |= bit
    for _ in range(3):
        changed = False
        for unit in near:
            bit, here = 1 << unit, chosen[unit]
            kept = worth(here, force[here])
            left = worth(here, force[here] & ~bit)
            for there in bits(near[unit] & ~(1 << here)):
                gain = left + worth(there, force[there] | bit) - kept - worth(there, force[there])
                if gain > 1e-9:
                    force[here] &= ~bit
                    force[there] |= bit
                    chosen[unit], changed = there, True
                    break
        if not changed:
            break
    return chosen
