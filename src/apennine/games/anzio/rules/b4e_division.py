"""B4E9 and C14D: how an attacker may divide his units among the enemies next to them.

Every attacker is next to every hex that his battle attacks (B4E7). A division is found before a
battle is declared, so that nobody who must fight and no enemy who must be attacked is left over:
after every order, the rest can still be divided.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from apennine.hexes import Mask, bits, mask_of

from ..table.position import Table
from ..table.war import War
from .b4e_zones import attack_of, defence_of, there
from .b4h_odds import is_allowed


class Duty:
    """Who may attack, who must, which hexes may be attacked, and which must be."""

    __slots__ = (
        "_allowed",
        "_kinds",
        "_known",
        "_spreads",
        "_tied",
        "_war",
        "due",
        "free",
        "must",
        "near",
        "open",
        "pos",
    )

    def __init__(
        self,
        war: War,
        pos: Table,
        free: Mask,
        must: Mask,
        open: Mask,
        due: Mask,
        spreads: bool,
        tied: Mask = 0,
    ) -> None:
        self._war, self.pos = war, pos
        self.free, self.must, self.open, self.due = free, must, open, due
        self._tied = tied
        """Who need not fight, but if he does all next to him must be attacked (E10B4a)."""
        self._spreads = spreads
        """In later rounds, all who are next to a hex that is attacked must fight (C14D1)."""
        beside, places = war.ground.beside, pos.hex
        self.near = {unit: beside[places[unit]] & open for unit in bits(free)}
        """By unit, the hexes that it may attack."""
        self._allowed: dict[tuple[Mask, Mask], bool] = {}
        self._known: dict[tuple[Mask, Mask, Mask, Mask], bool] = {}
        self._kinds: dict[int, tuple[int, int, int]] = {}

    # Questions.

    def can_divide(self) -> bool:
        """Whether everybody who must can fight, and every hex that must can be attacked."""
        return self._holds(self.free, self.must, self.open, self.due)

    def fits(self, attackers: Mask, targets: Mask) -> bool:
        """Whether a battle may be fought as it is: 1-4 or better, and the rest can be divided."""
        return self.allowed(attackers, targets) and self._rest(
            attackers, targets, self.free, self.must, self.open, self.due
        )

    def can_complete(self, attackers: Mask, targets: Mask) -> bool:
        """Whether more attackers and hexes can make such a battle of this one."""
        state = self.free, self.must, self.open, self.due
        return any(
            self.allowed(*group) and self._rest(*group, *state)
            for group in self._groups(attackers, targets, *state[:3])
        )

    def can_leave(self, unit: int) -> bool:
        """Whether the rest can be divided if a unit takes part in none of these battles."""
        bit = 1 << unit
        return self._holds(self.free & ~bit, self.must & ~bit, self.open, self.due)

    def without(self, units: Mask) -> bool:
        """Whether there is a division if some units were not there, nor enemies only they meet."""
        free = self.free & ~units
        met = 0
        for unit in bits(free):
            met |= self.near[unit]
        return self._holds(free, self.must & free, self.open & met, self.due & met)

    def beyond_all(self) -> Mask:
        """The units next to a hex that must be attacked, and that all of them cannot at 1-4."""
        found = 0
        for hex in bits(self.due):
            units = self._next_to(self.free, 1 << hex)
            if self.allowed(units, 1 << hex):
                continue
            mixed = self.pos.works or self.pos.air_superiority  # fewer may be better then
            if not mixed or not any(self.allowed(a, 1 << hex) for a in self._choices(units)):
                found |= units
        return found

    def growing(self) -> Iterator[Duty]:
        """Stretches of the front, each a hex longer than the last, to all that hangs together.

        In a stretch only those must fight who meet no enemy outside it: if it cannot be divided,
        neither can the whole.
        """
        hexes, left = 0, self.due
        while left:
            near = 0
            for unit in bits(self._next_to(self.free, hexes)):
                near |= self.near[unit]
            more = left & near
            if not more:  # what touches the stretch is divided: another one begins
                hexes, more = 0, left
            hexes |= more & -more
            left &= ~hexes
            units = self._next_to(self.free, hexes)
            must = mask_of(u for u in bits(units & self.must) if not self.near[u] & ~hexes)
            yield Duty(self._war, self.pos, units, must, hexes, hexes, self._spreads)

    def allowed(self, attackers: Mask, targets: Mask) -> bool:
        """B4E12a: whether the odds are good enough."""
        key = attackers, targets
        found = self._allowed.get(key)
        if found is None:
            found = self._allowed[key] = bool(attackers) and is_allowed(
                self._war, self.pos, attackers, targets
            )
        return found

    # The search.

    def _rest(
        self,
        attackers: Mask,
        targets: Mask,
        free: Mask,
        must: Mask,
        open: Mask,
        due: Mask,
    ) -> bool:
        """Whether what a battle leaves can be divided."""
        free &= ~attackers
        if self._spreads:
            must |= self._next_to(free, targets)
        for unit in bits(attackers & self._tied):
            due |= self.near[unit] & open
        return self._holds(free, must & free, open & ~targets, due & ~targets)

    def _holds(self, free: Mask, must: Mask, open: Mask, due: Mask) -> bool:
        """Whether there is a division; parts that do not touch are looked at one by one."""
        while must or due:
            units, hexes = self._part(free, open, must & -must, 0 if must else due & -due)
            key = units, must & units, hexes, due & hexes
            found = self._known.get(key)
            if found is None:
                found = self._known[key] = self._search(*key)
            if not found:
                return False
            must &= ~units
            due &= ~hexes
        return True

    def _part(self, free: Mask, open: Mask, units: Mask, hexes: Mask) -> tuple[Mask, Mask]:
        """The units and hexes that hang together with some."""
        near, size = self.near, -1
        while size != (size := units.bit_count() + hexes.bit_count()):
            for unit in bits(free):
                if units >> unit & 1 or near[unit] & hexes:
                    units |= 1 << unit
                    hexes |= near[unit] & open
        return units, hexes

    def _search(self, free: Mask, must: Mask, open: Mask, due: Mask) -> bool:
        near = self.near
        if any(not near[unit] & open for unit in bits(must)):
            return False
        if due:
            counts = [(self._next_to(free, 1 << hex).bit_count(), hex) for hex in bits(due)]
            seeds = [(0, 1 << min(counts)[1])]
        else:
            unit = min(bits(must), key=lambda unit: (near[unit] & open).bit_count())
            seeds = [(1 << unit, 1 << hex) for hex in bits(near[unit] & open)]
        for seed in seeds:
            for attackers, targets in self._groups(*seed, free, must, open):
                if self.allowed(attackers, targets) and self._rest(
                    attackers, targets, free, must, open, due
                ):
                    return True
        return False

    def _groups(
        self, attackers: Mask, targets: Mask, free: Mask, must: Mask, open: Mask
    ) -> Iterator[tuple[Mask, Mask]]:
        """The battles that some attackers and hexes may grow to, small ones first."""
        for hexes in self._spans(attackers, targets, free, open):
            able = self._all_next_to(free, hexes)
            left = open & ~hexes
            bound = must | self._next_to(free, hexes) if self._spreads else must
            tied = mask_of(u for u in bits(bound & free) if not self.near[u] & left)
            if tied & ~able or not self._hopeful(able, hexes):
                continue
            base = attackers | tied
            for more in self._choices(able & ~base):
                if base | more:
                    yield base | more, hexes

    def _spans(self, attackers: Mask, targets: Mask, free: Mask, open: Mask) -> list[Mask]:
        """The sets of hexes that a battle may attack, which all its attackers are next to."""
        common = open
        for unit in bits(attackers):
            common &= self.near[unit]
        found: set[Mask] = set()
        for unit in bits(self._all_next_to(free, targets)):
            others = self.near[unit] & common & ~targets
            part = others
            while True:
                found.add(targets | part)
                if not part:
                    break
                part = part - 1 & others
        return sorted(found, key=lambda hexes: (hexes.bit_count(), hexes))

    def _choices(self, units: Mask) -> list[Mask]:
        """The sets of units, few first; of units that are alike only their number counts."""
        kinds: dict[tuple[int, int, int], list[int]] = {}
        for unit in bits(units):
            kinds.setdefault(self._kind(unit), []).append(unit)
        lists = [[mask_of(alike[:n]) for n in range(len(alike) + 1)] for alike in kinds.values()]
        return sorted([sum(parts) for parts in product(*lists)], key=int.bit_count)

    def _kind(self, unit: int) -> tuple[int, int, int]:
        """Units of a kind are alike in every attack."""
        found = self._kinds.get(unit)
        if found is None:
            war, pos = self._war, self.pos
            special = (war.armor >> unit & 1) | (war.mountaineers >> unit & 1) << 1
            special |= (pos.backed == unit) << 2
            found = self._kinds[unit] = pos.hex[unit], attack_of(war, pos, unit), special
        return found

    def _hopeful(self, units: Mask, hexes: Mask) -> bool:
        """Whether the odds could be good enough at all: most need not be tried."""
        if self.pos.works or self.pos.air_superiority or self.pos.supporting_fire:
            return True
        war, pos = self._war, self.pos
        enemies = there(war, pos, 1 - pos.side).among(hexes)
        attack = sum([attack_of(war, pos, unit) for unit in bits(units)])
        defence = sum([defence_of(war, pos, unit) for unit in bits(enemies)])
        return war.ladder.column(attack, defence) >= war.ladder.index(war.book.limits.least)

    def _next_to(self, units: Mask, hexes: Mask) -> Mask:
        near = self.near
        return sum([1 << unit for unit in bits(units) if near[unit] & hexes])

    def _all_next_to(self, units: Mask, hexes: Mask) -> Mask:
        near = self.near
        return sum([1 << unit for unit in bits(units) if near[unit] & hexes == hexes])
