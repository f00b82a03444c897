"""The position as a staff looks at it: who stands where, how strong, what threatens whom."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from apennine.hexes import Mask, bits

from ..rules.c07_zones import crowd, port_hexes
from ..rules.c09_air import available
from ..rules.c11_supply import net
from ..table.position import ALLIED, GERMAN, TIBER, Table
from ..table.war import GB, US, War
from .ground import FAR, Man, distances, leak, marches
from .odds import Odds, battle, odds

USUAL = 5
"""The roll that is expected for a question mark."""
NEAR = 8
"""How far an enemy stack is felt, in hexes."""
COLUMN = 16
"""How far a column on a road goes."""
RAIDED = 14
"""How near to the north an enemy with a free way is hunted, in hexes."""


class Goal(NamedTuple):
    """Where a unit should go, and what it is worth that it gets there, in steps."""

    hex: int
    weight: float


def manpower(war: War, pos: Table) -> tuple[Man, ...]:
    """The German divisions that can hold a line."""
    found: list[Man] = []
    zone = crowd(war, pos, ALLIED).zone
    for unit in bits(war.units_of[GERMAN] & ~war.supports):
        hex = pos.hex[unit]
        if hex >= 0 and (war.bit[hex] or hex == war.tenth):
            points = war.printed[unit] or USUAL
            if not zone & war.bit[hex]:
                points *= war.book.march.column
            found.append(Man(unit, hex, war.mobility[unit], points))
    return tuple(found)


class Mind:
    """One decision of one side."""

    def __init__(self, war: War, pos: Table, side: int, manned: tuple[Man, ...] = ()) -> None:
        self.war, self.pos, self.side = war, pos, side
        self.manned = manned or manpower(war, pos)
        """Where the German divisions were when the phase began, and how they move."""
        self.own, self.foe = crowd(war, pos, side), crowd(war, pos, 1 - side)
        self._odds: dict[tuple[int, int, Mask, bool, bool], Odds] = {}
        self._leaks: dict[Mask, float] = {}

    @cached_property
    def stacks(self) -> dict[int, Mask]:
        """The side's units by hex or box."""
        return self._gather(self.side)

    @cached_property
    def enemies(self) -> dict[int, Mask]:
        """The enemy's units by hex."""
        found = self._gather(1 - self.side)
        return {hex: units for hex, units in found.items() if self.war.bit[hex]}

    def _gather(self, side: int) -> dict[int, Mask]:
        found: dict[int, Mask] = {}
        start, stop = self.war.spans[side]
        for unit, hex in enumerate(self.pos.hex[start:stop], start):
            if hex >= 0:
                found[hex] = found.get(hex, 0) | 1 << unit
        return found

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
    def vital(self) -> Mask:
        """Where the Allies must not lose: the beaches; a prize whose fellow is lost (4.2)."""
        prizes = self.war.prizes & self.pos.control if self.tiber else 0
        return self.beaches | (prizes if prizes.bit_count() == 1 else 0)

    @cached_property
    def tiber(self) -> bool:
        return self.pos.scenario == TIBER

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

    def pace(self, unit: int) -> int:
        return self.war.mobility[unit]

    def turns(self, unit: int, goal: int, start: int = -1) -> float:
        """The turns of marching between a unit and a hex."""
        here = self.pos.hex[unit] if start < 0 else start
        points = self.war.printed[unit] or USUAL
        if not self.war.bit[here]:
            return self.from_box(unit, goal) / points
        overland = marches(self.war, self.pace(unit), 1 << goal)[here]
        return min(overland, self.by_sea(unit, here, goal)) / points

    def by_sea(self, unit: int, here: int, goal: int) -> int:
        """The points to a hex by way of two ports: the voyage takes all that a turn has."""
        if self.side == GERMAN or not self.ports:
            return FAR
        war, pace = self.war, self.pace(unit)
        out = marches(war, pace, self.ports)[here]
        field = marches(war, pace, 1 << goal)
        on = min(field[port] for port in bits(self.ports))
        return out + on + (war.printed[unit] or USUAL)

    def from_box(self, unit: int, goal: int) -> int:
        """The points from a box to a hex, by the best gate."""
        field = marches(self.war, self.pace(unit), 1 << goal)
        if self.side == ALLIED:
            half = (self.war.printed[unit] or USUAL) // 2
            return half + min((field[hex] for hex in bits(self.ports)), default=FAR)
        return 1 + min(field[hex] for hex in bits(self.war.north))

    @cached_property
    def from_foe(self) -> bytes:
        """By hex, how far the nearest enemy is."""
        return distances(self.war, self.foe.occupied)

    @cached_property
    def far_behind(self) -> Mask:
        """The hexes where nobody need fear to be caught alone."""
        return self.war.land & ~self.war.lattice.dilate(
            self.war.lattice.dilate(self.war.lattice.dilate(self.foe.occupied | self.foe.zone))
        )

    @cached_property
    def within(self) -> Mask:
        """The hexes that the side can get to without passing the enemy or his zones."""
        war, friends = self.war, self.own.occupied
        doors = self.ports if self.side == ALLIED else war.north
        free = war.land & ~(self.foe.occupied | self.foe.zone)
        start = friends | doors | war.lattice.cross(friends, war.open) & free
        return war.lattice.flood_sides(start, free | friends, war.open)

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
        worst = 0.0
        distance = self.war.lattice.distance
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
        cross, sides = self.war.lattice.cross, self.war.open
        free = self.war.land & ~(self.own.zone | self.own.occupied)
        wave = seen = self.foe.occupied
        for _ in range(hexes):
            wave = cross(wave, sides) & ~seen
            seen |= wave
            wave &= free
        return seen

    @cached_property
    def air(self) -> bool:
        """Whether the side's aircraft could fly in an attack."""
        pos = self.pos
        if self.side == GERMAN:
            return pos.german_tac > 0
        return pos.tac > 0 or not pos.air_asked

    @cached_property
    def foe_air(self) -> bool:
        """Whether the enemy's aircraft may meet an attack."""
        return self.pos.tac > 0 if self.side == GERMAN else self.pos.german_tac > 0

    @cached_property
    def bases(self) -> int:
        return available(self.war, self.pos)

    def odds(
        self, origin: int, target: int, units: Mask, prize: float, *, bombs: bool = False
    ) -> Odds:
        """What an attack of the side's units promises."""
        key = origin, target, units, bombs, self.air
        if key not in self._odds:
            fight = battle(
                self.war, self.pos, origin, target, units, air=self.air, cover=self.foe_air
            )
            ours, theirs, city, retreats = fight
            self._odds[key] = odds(ours, theirs, bombs, city, retreats, round(prize, 1))
        return self._odds[key]

    def danger(self, hex: int, units: Mask) -> float:
        """The chance that the enemy takes a hex with these units by one of his stacks nearby."""
        war, pos = self.war, self.pos
        there = pos.copy()
        for unit in bits(units):
            there.hex[unit] = hex
        worst = 0.0
        for origin in bits(war.around[hex] & self.foe.divisions[1]):
            foes = self.enemies[origin]
            ours, theirs, city, retreats = battle(
                war, there, origin, hex, foes, air=pos.german_tac > 0, cover=pos.tac > 0
            )
            worst = max(worst, odds(ours, theirs, False, city, retreats, 5.0).taken)
        return worst

    def leak(self, divisions: Mask) -> float:
        """What it costs the German, with divisions in these hexes, that the north lies open."""
        if divisions not in self._leaks:
            runners = self.foe.occupied if self.side == GERMAN else self.own.occupied
            self._leaks[divisions] = leak(self.war, runners, divisions)
        return self._leaks[divisions]

    @cached_property
    def leaking(self) -> float:
        return self.leak(self.own.divisions[1])

    @cached_property
    def open_way(self) -> Mask:
        """The hexes of an open way between the enemy and the north."""
        war = self.war
        free = war.land & ~(self.own.divisions[1] | self.own.zone)
        return war.lattice.flood_sides(self.doors, free, war.open)

    @cached_property
    def doors(self) -> Mask:
        """Where the enemy steps on an open way to the north."""
        war = self.war
        free = war.land & ~(self.own.divisions[1] | self.own.zone)
        behind = war.lattice.flood_sides(war.north & free, free, war.open)
        return war.lattice.cross(self.foe.occupied, war.open) & behind

    @cached_property
    def raiders(self) -> Mask:
        """Enemies that are near the north, with no line between them and it."""
        war = self.war
        closed = self.own.divisions[1] | self.own.zone
        free = war.land & ~closed
        wave = seen = war.north & free
        for _ in range(RAIDED):
            wave = war.lattice.cross(wave, war.open) & free & ~seen
            seen |= wave
        return (war.lattice.cross(seen, war.open) | seen | war.north) & self.foe.occupied
