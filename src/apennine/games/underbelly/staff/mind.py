"""The position as a staff looks at it: who stands where, how strong, what threatens whom."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from apennine.bots.staff.ground import FAR, Ground, Ways, rims, ways_back
from apennine.bots.staff.judge import Kept
from apennine.bots.staff.line import closed_by, leak_length
from apennine.bots.staff.posts import Goal
from apennine.hexes import Mask, bits
from apennine.kernel.decision import Option

from ..rules.c07_zones import crowd, port_hexes
from ..rules.c11_supply import net
from ..table.data import DIVISIONS
from ..table.position import ALLIED, GERMAN, TIBER, Table
from ..table.war import GB, US, War
from .odds import Odds, battle, odds
from .weights import USUAL, Weights

T = TypeVar("T")
Goals = dict[int, Goal]
"""Where units should go, and what that is worth."""
ROLL, SWIFT = 5, 8
"""The movement that is expected of a question mark, and the most that it can be."""
NEAR, COLUMN = 8, 16
"""How far an enemy stack is felt, and how far a column on a road goes, in hexes."""
RAIDED = 14
"""How near to the north an enemy with a free way is hunted, in hexes."""


class Man(NamedTuple):
    """A division that can hold a line."""

    unit: int
    hex: int
    pace: int
    column: int
    """The points of a march in column."""
    tonight: int
    """The points that it can go now: no column sets out from an enemy zone (12.7)."""


class Order(NamedTuple):
    """A command with its purpose."""

    option: Option
    gain: float
    """What it is worth, in steps."""
    cost: int
    goals: Mapping[int, int] = MappingProxyType({})
    """Where the units go."""
    target: int = -1
    """The hex that they attack."""
    force: Mask = 0
    """Those who attack it."""

    @property
    def rate(self) -> float:
        """What a point brings."""
        return self.gain / self.cost


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
        self.home = self.ground.distances(war.north)
        assert self.ground.links  # looked at beforehand, so that no decision is slow
        self._kept: dict[Hashable, Any] = {}

    def kept(self, key: Hashable, make: Callable[[], T]) -> T:
        """What was worked out for a key, or is now."""
        if key not in self._kept:
            if len(self._kept) > 512:
                self._kept.clear()
            self._kept[key] = make()
        return self._kept[key]

    def points(self, unit: int) -> int:
        """The movement of a unit."""
        return self.war.printed[unit] or ROLL

    def leak(self, runners: Mask, divisions: Mask) -> float:
        """What it costs the German, with divisions in these hexes, that the north lies open."""
        closed = closed_by(self.ground, divisions)
        hexes = leak_length(self.ground, runners, closed, self.war.north)
        if hexes >= FAR:
            return 0.0
        return max(4.0, 16.0 - 0.5 * hexes) if hexes else 20.0


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
        self.aims: tuple[int, Mask, Mask] = 0, 0, 0
        """The turn, what was to be attacked then, and what the turn before."""
        self.order: Order | None = None
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

    @cached_property
    def manned(self) -> tuple[Man, ...]:
        """The German divisions as they were when the phase began."""
        return self.plan.manned.get((self.pos.turn, self.pos.side), self._manpower)

    def _manpower(self) -> tuple[Man, ...]:
        war, pos, found = self.war, self.pos, list[Man]()
        zone = crowd(war, pos, ALLIED).zone
        for unit in bits(war.units_of[GERMAN] & ~war.supports):
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
        wave = seen = self.foe.occupied
        for _ in range(hexes):
            wave = self.ground.around(wave) & ~seen
            seen |= wave
            wave &= free
        return seen

    @cached_property
    def lonely(self) -> Mask:
        """The hexes where guns had better not be alone."""
        near = self.foe.occupied | self.foe.zone
        for _ in range(3):
            near = self.war.lattice.dilate(near)
        return self.haunted & near & ~self.own.divisions[1]

    @cached_property
    def air(self) -> tuple[bool, bool]:
        """Whether the side's aircraft could fly in an attack, and the enemy's meet it."""
        allied, german = self.pos.tac > 0, self.pos.german_tac > 0
        return (german, allied) if self.side else (allied or not self.pos.air_asked, german)

    def odds(
        self, origin: int, target: int, units: Mask, prize: float, *, bombs: bool = False
    ) -> Odds:
        """What an attack of the side's units promises."""
        key, (air, cover) = (origin, target, units, bombs), self.air
        if key not in self._odds:
            fight = battle(self.war, self.pos, origin, target, units, air=air, cover=cover)
            ours, theirs, city, retreats = fight
            self._odds[key] = odds(ours, theirs, bombs, city, retreats, round(prize, 1))
        return self._odds[key]

    def danger(self, hex: int, units: Mask) -> float:
        """The chance that the enemy takes a hex with these units by one of his stacks nearby."""
        war, there = self.war, self.pos.copy()
        for unit in bits(units):
            there.hex[unit] = hex
        worst, (cover, air) = 0.0, self.air
        for origin in bits(war.around[hex] & self.foe.divisions[1]):
            fight = battle(war, there, origin, hex, self.enemies[origin], air=air, cover=cover)
            ours, theirs, city, retreats = fight
            worst = max(worst, odds(ours, theirs, False, city, retreats, 5.0).taken)
        return worst

    def leak(self, divisions: Mask) -> float:
        """What it costs the German, with divisions in these hexes, that the north lies open."""
        if divisions not in self._leaks:
            runners = (self.foe if self.side == GERMAN else self.own).occupied
            self._leaks[divisions] = self.staff.leak(runners, divisions)
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
        wave = seen = self.war.north & self.unbarred
        for _ in range(RAIDED):
            wave = self.ground.around(wave) & self.unbarred & ~seen
            seen |= wave
        return (closed_by(self.ground, seen) | self.war.north) & self.foe.occupied
