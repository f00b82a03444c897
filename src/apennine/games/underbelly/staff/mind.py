"""The position as a staff looks at it: who stands where, how strong, what threatens whom."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import cached_property, lru_cache, partial
from typing import NamedTuple

from apennine.bots.staff.command import Command
from apennine.bots.staff.front import Front, Man
from apennine.bots.staff.ground import FAR, Field, Ground, Lane, Ways, rims, ways_back
from apennine.bots.staff.judge import Kept
from apennine.bots.staff.mass import Memory
from apennine.bots.staff.posts import Goals
from apennine.bots.staff.scene import Scene, moved
from apennine.hexes import Mask, bits
from apennine.mechanics.reach import Reach
from apennine.mechanics.showing import imagined

from ..rules.c07_zones import is_mixed, port_hexes, there, those_in
from ..rules.c09_commands import begin
from ..rules.c11_supply import crossed_groups, net, status
from ..rules.c12_movement import allowance, march
from ..table.position import ALLIED, GERMAN, ORDERS, TIBER, Table
from ..table.war import TENTH, War
from ..telling.battle_chances import TAKEN, Lineup, average_losses, forecast, summary
from ..telling.lineup import lineup
from .weights import USUAL, Weights

ROLL, SWIFT = 5, 8
"""The movement that is expected of a question mark, and the most that it can be."""
NEAR, COLUMN = 8, 16
"""How far an enemy stack is felt, and how far a column on a road goes, in hexes."""
AFAR = 3
"""So many hexes are a march that is to no purpose if the way back comes next."""


class Odds(NamedTuple):
    """What is to be expected of a battle."""

    taken: float
    """The chance that the hex is free for an advance."""
    own: float
    enemy: float
    """The steps that the attacker and the defender lose on average."""


@lru_cache(4096)
def odds(fight: Lineup) -> Odds:
    """The exact chances of a battle, as numbers that are quick to reckon with."""
    ends = forecast(fight)
    own, enemy = average_losses(ends)
    return Odds(float(summary(ends).get(TAKEN, 0)), float(own), float(enemy))


def battle(
    war: War, pos: Table, origin: int, target: int, units: Mask, flies: int, *, bombs: bool = False
) -> Lineup:
    """An attack that might be ordered, with aircraft of the side that `flies` (-1: none)."""
    there = pos.copy()
    side = war.side_of[next(bits(units))]
    there.side, there.origin, there.target, there.bomber = side, origin, target, bombs
    there.attackers = there.force = units
    there.defenders = those_in(war, pos, target, 1 - side)
    there.supply = status(war, pos, origin, side)
    there.defence_supply = status(war, pos, target, 1 - side)
    there.air_support = flies
    if side == GERMAN:
        there.defence_mixed = is_mixed(war, pos, target)
    else:
        there.mixed = is_mixed(war, pos, origin)
        there.crossed = crossed_groups(war, pos, origin)
    return lineup(war, there)


class Staff:
    """What is known before the first turn: the war, its ground, and what things weigh."""

    def __init__(self, war: War, weights: Weights) -> None:
        self.war, self.weights = war, weights
        ways: dict[Hashable, Ways] = {
            pace: ways_back(war.lattice, war.costs(1 << pace, True, False).crossings)
            for pace in range(len(war.moving_as))
        }
        self.ground = ground = Ground(war.lattice, war.land, war.open, ways)
        self.shores = rims(ground, war.coast, 1)
        """The coasts where a line may begin and end: Adriatic and Tyrrhenian."""
        orders = war.book.command.german
        self.front = Front(ground, war.north, self.shores, weights.front, orders)
        assert ground.links  # looked at beforehand, so that no decision is slow

    def points(self, unit: int) -> int:
        """The movement of a unit."""
        return self.war.printed[unit] or ROLL


@lru_cache(16)
def staff_of(war: War, weights: Weights = USUAL) -> Staff:
    """One staff for all bots of a war that weigh things alike."""
    return Staff(war, weights)


class Plan:
    """What a bot keeps between two decisions."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        """By which two bots differ in taste."""
        self.manned = Kept[tuple[Man, ...]]()
        self.stood = Kept[Mapping[int, int]]()
        self.goals = Kept[Goals]()
        self.memory = Memory()
        self.order: Command | None = None
        """The command that is being carried out."""


class Mind(Scene):
    """One decision of one side."""

    def __init__(self, staff: Staff, pos: Table, side: int, plan: Plan | None = None) -> None:
        self.staff, self.pos, self.side = staff, pos, side
        self.war, self.weights = staff.war, staff.weights
        self.plan = plan or Plan()
        self.own, self.foe = there(self.war, pos, side), there(self.war, pos, 1 - side)
        self.ports = port_hexes(self.war, pos)
        entries = self.war.north if side == GERMAN else self.ports
        super().__init__(staff.ground, self.own, self.foe, entries)
        self.stacks = {place: units for place, units in self.own.stacks.items() if place >= 0}
        """The side's units by hex or box."""
        self.enemies = {hex: units for hex, units in self.foe.stacks.items() if self.war.bit[hex]}
        """The enemy's by hex."""
        self.tiber = pos.scenario == TIBER
        self.lines = staff.front
        self.beaches = 0 if pos.switched else self.war.beaches
        """Salerno and Paestum as long as their loss loses the game."""
        self.prizes = self.war.prizes & pos.control if self.tiber else 0
        """Naples and Taranto, as far as they are Allied and count (4.2)."""
        self.vital = self.beaches | (self.prizes if self.prizes.bit_count() == 1 else 0)
        """What the Allies must not lose: the beaches, and a prize whose fellow is lost."""

    @cached_property
    def manned(self) -> tuple[Man, ...]:
        """The divisions of 10th Army, who hold the line, as they were when the phase began."""
        return self.plan.manned.get((self.pos.turn, self.pos.side), self._manpower)

    def _manpower(self) -> tuple[Man, ...]:
        war, pos, found = self.war, self.pos, list[Man]()
        for unit in bits(war.grouped[TENTH] & ~war.supports):
            hex = pos.hex[unit]
            if hex >= 0 and (war.bit[hex] or hex == war.tenth):
                column = (war.printed[unit] or SWIFT) * war.book.march.column
                tonight = self._tonight(unit) if war.bit[hex] else 0
                found.append(Man(unit, hex, war.mobility[unit], column, tonight))
        return tuple(found)

    def _tonight(self, unit: int) -> Mask:
        """Where a unit of the side could march in this turn, past the enemy and his zones."""
        tables = (self.ordered(verb, self.pos.hex[unit]) for verb in ("move", "column"))
        near, far = (self.reach(table, 1 << unit).ends for table in tables)
        return near | far

    def ordered(self, verb: str, origin: int) -> Table:
        """The position once a stack of the side has been given an order."""
        there, order = self.pos.copy(), ORDERS[verb]
        there.side, there.points = self.side, max(there.points, self.war.price[order])
        begin(self.war, there, order, origin)
        return there

    def reach(self, table: Table, units: Mask) -> Reach:
        """Where some units of the stack that has its order could go together."""
        points = min(allowance(self.war, table, unit, ROLL) for unit in bits(units))
        return march(self.war, imagined(table, movers=units, moves_left=points))

    @cached_property
    def came_from(self) -> Mapping[int, int]:
        """Where the side's units stood before they marched last, a turn ago."""

        def noted() -> Mapping[int, int]:
            memory, turn, hex = self.plan.memory, self.pos.turn, self.pos.hex
            memory.note("stood", turn, {unit: hex[unit] for unit in self.war.members[self.side]})
            return memory.noted("stood", turn)

        return self.plan.stood.get((self.pos.turn, self.side), noted)

    def retraced(self, units: Mask, end: int) -> int:
        """How many of some units would only march back to where they came from a turn ago."""
        away, here, old = self.war.lattice.distance, self.pos.hex, self.came_from
        before = [(old.get(unit, -1), here[unit]) for unit in bits(units)]
        return sum(
            self.war.bit[was] and away(was, now) >= AFAR and away(was, end) <= 1
            for was, now in before
            if was >= 0
        )

    @cached_property
    def net(self) -> Mask:
        """The hexes in supply."""
        return net(self.war, self.pos, self.side)

    @cached_property
    def ring(self) -> Mask:
        """The hexes from which a German keeps the port of Naples shut."""
        war, near = self.war, self.war.book.supply.clear
        disc = war.lattice.disc(war.ports[war.naples], near)
        return 0 if self.pos.switched else disc & war.land

    def power(self, units: Mask) -> float:
        """The hits that units can be expected to score in one volley on plain ground."""
        steps, fire = self.pos.steps, self.war.fire
        return sum(0.1 * steps[u] * fire[u][steps[u]] for u in bits(units))

    def room(self, unit: int, hex: int, held: Mask) -> bool:
        """Whether a unit fits in a hex beside others: by numbers, and by its group (6.4, 6.6)."""
        war = self.war
        mixed = held & ~war.grouped[war.group[unit]]
        if mixed and (self.side == GERMAN or not self.ports >> hex & 1):
            return False
        return war.stack_fits(held | 1 << unit)

    def way(self, unit: int, goals: Mask) -> Field:
        """By hex, the points to the nearest goal, overland or by sea; to sail takes a turn's.

        The Allies go round the enemy and his zones, the Germans where an enemy may be gone by then.
        """
        pace, here = self.war.mobility[unit], self.pos.hex[unit]
        if self.side == GERMAN:
            return self.ground.marches(pace, goals)
        lanes = (Lane(self.ports, self.staff.points(unit)),)
        field = self.ground.marches(pace, goals, self.foe.occupied | self.foe.zone, lanes)
        if self.war.bit[here] and field[here] == FAR:  # in an enemy zone, which it may leave
            field = field[:]
            field[here] = 1 + min(field[hex] for hex in (here, *bits(self.war.around[here])))
        return field

    def turns(self, unit: int, goal: int) -> float:
        """The turns of marching between a unit and a hex; to land takes half of one."""
        field, points, here = self.way(unit, 1 << goal), self.staff.points(unit), self.pos.hex[unit]
        if self.war.bit[here]:
            return field[here] / points
        first = points // 2 if self.side == ALLIED else 1
        return (first + min((field[hex] for hex in bits(self.entries)), default=FAR)) / points

    def threat(self, hex: int) -> float:
        """The volley of the strongest stack that could soon attack a hex."""
        worst, distance = 0.0, self.war.lattice.distance
        for place, units in self.enemies.items() if self.war.around[hex] & self.haunted else ():
            away = distance(hex, place)
            if away <= NEAR and units & ~self.war.supports:
                worst = max(worst, self.power(units) * (1.0 if away < 2 else 1.1 - 0.1 * away))
        return worst

    @cached_property
    def haunted(self) -> Mask:
        """The hexes that the enemy could fight in a turn from now."""
        return self.roamed(NEAR) & ~self.own.occupied

    @cached_property
    def lonely(self) -> Mask:
        """The hexes where guns had better not be alone."""
        near = self.war.lattice.dilate(self.foe.occupied | self.foe.zone, 3)
        return self.haunted & near & ~self.own.divisions[1]

    def flies(self, side: int) -> int:
        """The side whose aircraft would fly in a battle that a side begins; -1 for none."""
        pos = self.pos
        able = (pos.tac > 0 or (self.side == ALLIED and not pos.air_asked), pos.german_tac > 0)
        return side if able[side] else 1 - side if able[1 - side] else -1

    def odds(self, origin: int, target: int, units: Mask, *, bombs: bool = False) -> Odds:
        """What an attack of the side's units promises."""
        given, flies = (origin, target, units), self.flies(self.side)
        reckon = partial(battle, self.war, self.pos, *given, flies, bombs=bombs)
        return self.once(("odds", *given, bombs), lambda: odds(reckon()))

    def peril(self, hex: int, units: Mask) -> float:
        """The chance that the enemy takes a hex with these units in it in a turn, or nearly."""
        return self.once(("peril", hex, units), lambda: self._peril(hex, units))

    def _peril(self, hex: int, units: Mask) -> float:
        war, distance = self.war, self.war.lattice.distance
        free = war.around[hex] & ~self.own.occupied
        open_now = free & (self.haunted | self.foe.occupied)
        near = [at for at in self.enemies if distance(at, hex) <= NEAR]
        stacks = [self.enemies[at] for at in near if self.enemies[at] & ~war.supports]
        stacks.sort(key=lambda stack: (-self.power(stack), stack))
        origins = list(bits(open_now or free)) if stacks else []
        if not units & ~war.supports:
            return float(bool(origins)) * (1.0 if open_now else self.weights.shielded)
        there, worst, flies = self.pos.copy(), 0.0, self.flies(1 - self.side)
        for unit in bits(units):
            there.hex[unit] = hex
        for stack in stacks[: self.weights.feared]:
            for origin in origins:
                for unit in bits(stack):
                    there.hex[unit] = origin
                worst = max(worst, odds(battle(war, there, origin, hex, stack, flies)).taken)
        return worst * (1.0 if open_now else self.weights.shielded)

    def leak(self, divisions: Mask, occupied: Mask) -> float:
        """What it costs the German, with divisions and guns there, that the north lies open."""
        runners = (self.foe if self.side == GERMAN else self.own).occupied
        key = "leak", divisions, occupied
        return self.once(key, lambda: self.lines.leak(runners, divisions, occupied))

    @cached_property
    def leaking(self) -> float:
        return self.leak(self.own.divisions[1], self.own.occupied)

    def closing(self, origin: int, ends: Mapping[int, int]) -> float:
        """How much better a move of Germans from a hex bars the way to the north."""
        posts, held = self.own.divisions[1], self.own.occupied
        for hex, units in moved(self.stacks, origin, ends).items():
            posts = posts & ~(1 << hex) | bool(units & ~self.war.supports) << hex
            held = held & ~(1 << hex) | bool(units) << hex
        return self.leaking - self.leak(posts, held)

    def baring(self, origin: int, ends: Mapping[int, int]) -> float:
        """How much likelier the Allies lose what they must not lose by a move from a hex."""
        changed = moved(self.stacks, origin, ends).items()
        vital = [(hex, units) for hex, units in changed if self.vital >> hex & 1]
        return sum(
            self.peril(h, units) - self.peril(h, self.stacks.get(h, 0)) for h, units in vital
        )

    @cached_property
    def raiders(self) -> Mask:
        """Allies that are near the north, with no German line between them and it."""
        return self.lines.raiders(self.foe.occupied, self.own.divisions[1])

    @cached_property
    def front(self) -> Mask:
        """The Allied stacks that a German line must shut out."""
        return self.lines.main_body(self.enemies)

    def urgency(self) -> float:
        """How near the Allies are to running out of time, from 0 to 1."""
        last = self.war.book.turns
        hurried = self.side == ALLIED and (not self.tiber or not self.pos.switched)
        return max(0.0, 1 - (last - self.pos.turn) / self.weights.hurry) if hurried else 0.0

    def prize(self, hex: int) -> float:
        """What it is worth to take a hex from the enemy, in steps."""
        war, pos, bit, value = self.war, self.pos, 1 << hex, 0.6
        if self.side == GERMAN:
            if self.beaches & bit:
                return self.weights.win
            if self.tiber and war.prizes & bit:
                return 6.0 if self.prizes & ~bit else self.weights.win
            if self.ports & bit:
                value += 3.0
            if self.raiders & bit:
                value += self.weights.win if war.north & bit else 3.0
            return value + 0.3 if war.towns & pos.control & bit else value
        if self.ring & bit:
            value += 2.5 + 0.2 * max(0, pos.turn - 6)
        if self.foe.divisions[1] & bit:
            opened = self.leak(self.foe.divisions[1] & ~bit, self.foe.occupied & ~bit)
            value += self.weights.breach * (1 + self.urgency()) * opened
        return value + 0.8 if war.towns & ~pos.control & bit else value

    def step_cost(self) -> float:
        """What a step lost costs; less while there are points to buy it back."""
        war, pos, weights = self.war, self.pos, self.weights
        dear = weights.tiber_step if self.tiber and self.side else weights.own_step[self.side]
        cost = dear * (1 - 0.6 * self.urgency())
        there = [unit for unit in war.members[self.side] if war.bit[pos.hex[unit]]]
        lacking = sum(war.full[unit] - pos.steps[unit] for unit in there)
        return cost * weights.bought_back if lacking < weights.spare_steps else cost

    def attack_gain(self, origin: int, target: int, force: Mask, *, bombs: bool = False) -> float:
        """What an attack is worth in steps, with or without heavy bombers."""
        worth = self.prize(target)
        if target not in self.enemies:
            return worth
        found = self.odds(origin, target, force, bombs=bombs)
        now_or_never = self.side == GERMAN and self.war.north >> target & 1
        if found.taken < self.weights.gamble and not now_or_never:
            worth = min(worth, 3.0)
        own = self.step_cost() + (0.4 if self.beaches >> origin & 1 else 0.0)
        return found.taken * worth + found.enemy - own * found.own
