"""The position as a staff looks at it: who stands where, how strong, what threatens whom."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import cached_property, lru_cache
from typing import TypeVar

from apennine.bots.staff.command import Command
from apennine.bots.staff.front import Front, Man
from apennine.bots.staff.ground import FAR, Ground, Ways, rims, ways_back
from apennine.bots.staff.judge import Kept
from apennine.bots.staff.line import closed_by
from apennine.bots.staff.mass import Memory
from apennine.bots.staff.posts import Goals
from apennine.hexes import Mask, bits, mask_of

from ..rules.c07_zones import crowd, port_hexes
from ..rules.c11_supply import net
from ..table.data import DIVISIONS
from ..table.position import ALLIED, GERMAN, TIBER, Table
from ..table.war import GB, TENTH, US, War
from .odds import Odds, battle, odds
from .weights import USUAL, Weights

T = TypeVar("T")
ROLL, SWIFT = 5, 8
"""The movement that is expected of a question mark, and the most that it can be."""
NEAR, COLUMN = 8, 16
"""How far an enemy stack is felt, and how far a column on a road goes, in hexes."""
RAIDED = 14
"""How near to the north an enemy with a free way is hunted, in hexes."""


class Staff:
    """What is known before the first turn: the war, its ground, and what things weigh."""

    def __init__(self, war: War, weights: Weights) -> None:
        self.war, self.weights = war, weights
        paces = range(len(war.moving_as))
        steps = [war.costs(1 << pace, True, False).crossings for pace in paces]
        ways: dict[Hashable, Ways] = {pace: ways_back(war.lattice, steps[pace]) for pace in paces}
        self.ground = Ground(war.lattice, war.land, war.open, ways)
        self.shores = rims(self.ground, war.coast, 1)
        """The coasts where a line may begin and end: Adriatic and Tyrrhenian."""
        self.front = Front(
            self.ground, war.north, self.shores, weights.front, war.book.command.german
        )
        assert self.ground.links  # looked at beforehand, so that no decision is slow

    def points(self, unit: int) -> int:
        """The movement of a unit."""
        return self.war.printed[unit] or ROLL


@lru_cache(4)
def staff_of(war: War, weights: Weights = USUAL) -> Staff:
    """One staff for all bots of a war that weigh things alike."""
    return Staff(war, weights)


class Plan:
    """What a bot keeps between two decisions."""

    def __init__(self, note: int = 0) -> None:
        self.note = note
        """The turn that it names for an end-run."""
        self.manned = Kept[tuple[Man, ...]]()
        self.goals = Kept[Goals]()
        self.memory = Memory()
        self.order: Command | None = None
        """The command that is being carried out."""


class Mind:
    """One decision of one side."""

    def __init__(self, staff: Staff, pos: Table, side: int, plan: Plan | None = None) -> None:
        self.staff, self.pos, self.side = staff, pos, side
        self.war, self.weights, self.ground = staff.war, staff.weights, staff.ground
        self.plan = plan or Plan()
        self.own, self.foe = crowd(self.war, pos, side), crowd(self.war, pos, 1 - side)
        self.stacks = {place: units for place, units in self.own.stacks.items() if place >= 0}
        """The side's units by hex or box."""
        self.enemies = {hex: units for hex, units in self.foe.stacks.items() if self.war.bit[hex]}
        """The enemy's by hex."""
        self._odds: dict[tuple[int, int, Mask, bool], Odds] = {}
        self._leaks: dict[Mask, float] = {}
        self._perils: dict[tuple[int, Mask], float] = {}

    @cached_property
    def manned(self) -> tuple[Man, ...]:
        """The divisions of 10th Army, who hold the line, as they were when the phase began."""
        return self.plan.manned.get((self.pos.turn, self.pos.side), self._manpower)

    def _manpower(self) -> tuple[Man, ...]:
        war, pos, found = self.war, self.pos, list[Man]()
        zone = crowd(war, pos, ALLIED).zone
        for unit in bits(war.grouped[TENTH] & ~war.supports):
            hex, points = pos.hex[unit], self.staff.points(unit)
            if hex >= 0 and (war.bit[hex] or hex == war.tenth):
                column = (war.printed[unit] or SWIFT) * war.book.march.column
                tonight = points if zone & war.bit[hex] else column
                found.append(Man(unit, hex, war.mobility[unit], column, tonight))
        return tuple(found)

    @cached_property
    def net(self) -> Mask:
        """The hexes in supply."""
        return net(self.war, self.pos, self.side)

    @cached_property
    def ports(self) -> Mask:
        return port_hexes(self.war, self.pos)

    @cached_property
    def beaches(self) -> Mask:
        """Salerno and Paestum as long as their loss loses the game."""
        return 0 if self.pos.switched else self.war.beaches

    @cached_property
    def tiber(self) -> bool:
        return self.pos.scenario == TIBER

    @cached_property
    def prizes(self) -> Mask:
        """Naples and Taranto, as far as they are Allied and count (4.2)."""
        return self.war.prizes & self.pos.control if self.tiber else 0

    @cached_property
    def vital(self) -> Mask:
        """What the Allies must not lose: the beaches, and a prize whose fellow is lost."""
        return self.beaches | (self.prizes if self.prizes.bit_count() == 1 else 0)

    @cached_property
    def ring(self) -> Mask:
        """The hexes from which a German keeps the port of Naples shut."""
        war = self.war
        if self.pos.switched:
            return 0
        return war.lattice.disc(war.ports[war.naples], war.book.supply.clear) & war.land

    def power(self, units: Mask) -> float:
        """The hits that units can be expected to score in one volley on plain ground."""
        steps, fire = self.pos.steps, self.war.fire
        return sum(0.1 * steps[u] * fire[u][steps[u]] for u in bits(units))

    def room(self, unit: int, hex: int, held: Mask) -> bool:
        """Whether a unit fits in a hex beside others: by numbers, and by its group (6.4, 6.6)."""
        war = self.war
        kind = war.supports if war.supports >> unit & 1 else ~war.supports
        if (held & kind).bit_count() >= (1 if kind == war.supports else DIVISIONS):
            return False
        if held and (self.side == GERMAN or not self.ports >> hex & 1):
            return war.group[next(bits(held))] == war.group[unit]
        return True

    def turns(self, unit: int, goal: int) -> float:
        """The turns of marching between a unit and a hex, overland or by sea."""
        return self.away(unit, goal) / self.staff.points(unit)

    def away(self, unit: int, goal: int) -> int:
        """The points between them; to sail takes all that a turn has, to land half of it."""
        war, here, pace = self.war, self.pos.hex[unit], self.war.mobility[unit]
        field = self.ground.marches(pace, 1 << goal)
        inside = bool(war.bit[here])
        if self.side == GERMAN:
            return field[here] if inside else 1 + min(field[hex] for hex in bits(war.north))
        landed = min((field[port] for port in bits(self.ports)), default=FAR)
        points = self.staff.points(unit)
        if not inside:
            return points // 2 + landed
        return min(field[here], self.ground.marches(pace, self.ports)[here] + points + landed)

    @cached_property
    def from_foe(self) -> list[int]:
        """By hex, how far the nearest enemy is."""
        return list(self.ground.distances(self.foe.occupied))

    @cached_property
    def within(self) -> Mask:
        """The hexes that the side can get to without passing the enemy or his zones."""
        friends = self.own.occupied
        doors = self.ports if self.side == ALLIED else self.war.north
        free = self.war.land & ~(self.foe.occupied | self.foe.zone)
        start = friends | doors | self.ground.around(friends) & free
        return self.ground.flood(start, free | friends)

    def strangers(self, unit: int) -> Mask:
        """The hexes with Allied units of the other group, which a unit had better shun (6.4)."""
        if self.side == GERMAN:
            return 0
        other = GB if self.war.group[unit] == US else US
        return self.own.groups[other] & ~self.ports

    def threat(self, hex: int) -> float:
        """The volley of the strongest stack that could soon attack a hex."""
        return self.looming(hex) if self.war.around[hex] & self.haunted else 0.0

    def looming(self, hex: int) -> float:
        """The same, if those in its way were gone."""
        worst, distance = 0.0, self.war.lattice.distance
        for there, units in self.enemies.items():
            away = distance(hex, there)
            if away <= NEAR and units & ~self.war.supports:
                worst = max(worst, self.power(units) * (1.0 if away < 2 else 1.1 - 0.1 * away))
        return worst

    @cached_property
    def haunted(self) -> Mask:
        """The hexes that the enemy could fight in a turn from now: our zones stop him."""
        return self._roamed(NEAR) & ~self.own.occupied

    @cached_property
    def roamed(self) -> Mask:
        """The hexes that an enemy column could drive to in a turn if nobody were in its way."""
        return self._roamed(COLUMN)

    def _roamed(self, hexes: int) -> Mask:
        free = self.war.land & ~(self.own.zone | self.own.occupied)
        return self.ground.spread(self.foe.occupied, hexes, free)

    @cached_property
    def lonely(self) -> Mask:
        """The hexes where guns had better not be alone."""
        near = self.war.lattice.dilate(self.foe.occupied | self.foe.zone, 3)
        return self.haunted & near & ~self.own.divisions[1]

    @cached_property
    def air(self) -> tuple[bool, bool]:
        """Whether the side's aircraft could fly in an attack, and the enemy's meet it."""
        allied, german = self.pos.tac > 0, self.pos.german_tac > 0
        return (german, allied) if self.side else (allied or not self.pos.air_asked, german)

    def odds(self, origin: int, target: int, units: Mask, *, bombs: bool = False) -> Odds:
        """What an attack of the side's units promises."""
        key, (air, cover) = (origin, target, units, bombs), self.air
        if key not in self._odds:
            fight = battle(
                self.war, self.pos, origin, target, units, air=air, cover=cover, bombs=bombs
            )
            self._odds[key] = odds(fight)
        return self._odds[key]

    def danger(self, hex: int, units: Mask) -> float:
        """The chance that the enemy takes a hex with these units by one of his stacks beside it."""
        near = self.war.around[hex] & self.foe.divisions[1]
        return self._worst(hex, units, [(self.enemies[origin], origin) for origin in bits(near)])

    def peril(self, hex: int, units: Mask) -> float:
        """The same by one of those who could march up to it in a turn, or nearly."""
        if (hex, units) not in self._perils:
            self._perils[hex, units] = self._peril(hex, units)
        return self._perils[hex, units]

    def _peril(self, hex: int, units: Mask) -> float:
        war, distance = self.war, self.war.lattice.distance
        free = war.around[hex] & ~self.own.occupied
        open_now = free & (self.haunted | self.foe.occupied)
        near = [at for at in self.enemies if distance(at, hex) <= NEAR]
        near = [at for at in near if self.enemies[at] & ~war.supports]
        near.sort(key=lambda at: (-self.power(self.enemies[at]), at))
        stacks = [self.enemies[at] for at in near[: self.weights.feared]]
        attacks = [(stack, origin) for stack in stacks for origin in bits(open_now or free)]
        return self._worst(hex, units, attacks) * (1.0 if open_now else self.weights.shielded)

    def _worst(self, hex: int, units: Mask, attacks: list[tuple[Mask, int]]) -> float:
        """The best chance of some enemy stacks, each from a hex, against units in a hex."""
        if not units & ~self.war.supports:
            return float(bool(attacks))
        there, worst, (cover, air) = self.pos.copy(), 0.0, self.air
        for unit in bits(units):
            there.hex[unit] = hex
        for stack, origin in attacks:
            for unit in bits(stack):
                there.hex[unit] = origin
            fight = battle(self.war, there, origin, hex, stack, air=air, cover=cover)
            worst = max(worst, odds(fight).taken)
        return worst

    def leak(self, divisions: Mask) -> float:
        """What it costs the German, with divisions in these hexes, that the north lies open."""
        if divisions not in self._leaks:
            runners = (self.foe if self.side == GERMAN else self.own).occupied
            self._leaks[divisions] = self.staff.front.leak(runners, divisions)
        return self._leaks[divisions]

    @cached_property
    def leaking(self) -> float:
        return self.leak(self.own.divisions[1])

    def closing(self, origin: int, ends: Mapping[int, int]) -> float:
        """How much better a move of Germans from a hex bars the way to the north."""
        there = self.own.divisions[1]
        leaving = [unit for unit in ends if not self.war.supports >> unit & 1]
        if len(leaving) == (self.stacks[origin] & ~self.war.supports).bit_count():
            there &= ~(1 << origin)
        for unit in leaving:
            there |= 1 << ends[unit]
        return self.leaking - self.leak(there)

    def baring(self, origin: int, ends: Mapping[int, int]) -> float:
        """How much likelier the Allies lose what they must not lose by a move from a hex."""
        changed = {hex for hex in (origin, *ends.values()) if self.vital >> hex & 1}
        total = 0.0
        for hex in changed:
            before = self.stacks.get(hex, 0)
            coming = mask_of(unit for unit, end in ends.items() if end == hex)
            leaving = mask_of(unit for unit, end in ends.items() if end != hex)
            after = before & ~leaving | coming
            total += self.peril(hex, after) - self.peril(hex, before)
        return total

    @cached_property
    def unbarred(self) -> Mask:
        """The hexes that no German division bars."""
        german = self.own if self.side == GERMAN else self.foe
        return self.war.land & ~(german.divisions[1] | german.zone)

    @cached_property
    def doors(self) -> Mask:
        """Where the enemy steps on an open way to the north."""
        behind = self.ground.flood(self.war.north, self.unbarred)
        return self.ground.around(self.foe.occupied) & behind

    @cached_property
    def raiders(self) -> Mask:
        """Enemies that are near the north, with no line between them and it."""
        near = self.ground.spread(self.war.north & self.unbarred, RAIDED, self.unbarred)
        return (closed_by(self.ground, near & self.unbarred) | self.war.north) & self.foe.occupied

    @cached_property
    def front(self) -> Mask:
        """The Allied stacks that a German line must shut out."""
        return self.staff.front.main_body(self.enemies)
