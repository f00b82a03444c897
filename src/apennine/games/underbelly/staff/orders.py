"""The commands that a staff can think of, each with what it is worth for its points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from apennine.hexes import Mask, bits, first_bit, mask_of
from apennine.kernel.decision import Option

from ..rules.c06_stacking import full_for
from ..rules.c09_points import kept
from ..rules.c13_battle import attackable
from ..table.position import ALLIED, ATTACK, GERMAN, MOVE, MOVE_FIGHT, ORDERS
from ..table.war import TENTH
from .ground import marches
from .march import drawn, landfall, reach, reach_from
from .mind import Goal, Mind
from .retreat import DUTY, wants_exit
from .worth import BOMBS, WIN, attack_gain, prize

LEAST = 0.03
"""What a command point must bring at least, in steps."""
GOOD = 1.5
"""An attack that is worth so many steps is not marched away from."""
CUT_OFF = 6
"""Points of marching that a hex out of supply counts as."""
EXPOSED = 5
"""The same for a hex in an enemy zone where the unit has no business."""
MUDDLE = 12
"""The same for a hex with units of the other Allied group."""
BOLD, BOLDER, LATE = 0.6, 0.4, 11
"""The share of the enemy's volley that a stack needs to move up to him, before this turn and from
it on."""
STROLL = 6
"""A march of so many points is worth its goal in full; a shorter one changes less."""
SAMPLE, PLUGS = 6, 18
"""The hexes along an open way that are tried to bar it with one unit, and of all those tried."""
SEIZED = 14
"""How far off a place that nobody guards is looked for, in hexes."""
STRIKE = 6
"""How far a move-fight goes at most, in hexes."""


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


def attacks(mind: Mind, hexes: Mask) -> Iterator[Order]:
    """The attacks of stacks on their neighbours."""
    war, pos = mind.war, mind.pos
    for origin in bits(hexes):
        units = mind.stacks[origin] & ~pos.acted & ~pos.rebuilt
        if not units & ~war.supports:
            continue
        for target in bits(attackable(war, pos, origin, mind.side)):
            force = joined(mind, origin, units)
            option, cost = Option("attack", hex=origin), war.price[ATTACK]
            gain = attack_gain(mind, origin, target, force)
            yield Order(option, gain, cost, {}, target, force)
            if mind.side == ALLIED and can_bomb(mind, cost):
                more = attack_gain(mind, origin, target, force, bombs=True)
                if more - gain >= BOMBS:
                    yield Order(option, more, cost + war.book.prices.bombers, {}, target, force)


def can_bomb(mind: Mind, price: int) -> bool:
    """Whether heavy bombers could join an attack of a price (13.6)."""
    war, pos = mind.war, mind.pos
    spare = pos.points - kept(war, pos) - price
    return pos.tac_active and not pos.bombed and spare >= war.book.prices.bombers


def joined(mind: Mind, origin: int, units: Mask) -> Mask:
    """Those of a stack who may attack together: of a mixed one the stronger group (6.5d)."""
    war = mind.war
    if mind.side == GERMAN or origin in mind.pos.ports or not units & ~mind.pos.corps:
        return units
    parts = [units & group for group in war.grouped[:TENTH] if units & group & ~war.supports]
    return max(parts, key=mind.power)


def moves(mind: Mind, goals: dict[int, Goal], verb: str, hexes: Mask) -> Iterator[Order]:
    """The moves that bring units nearer to their goals."""
    order = ORDERS[verb]
    for origin in bits(hexes):
        units = mind.stacks.get(origin, 0) & ~mind.pos.acted
        if any(u in goals and goals[u].hex != origin for u in bits(units)):
            if mind.war.bit[origin]:
                yield march_order(mind, goals, verb, order, origin, units)
            else:
                yield from entry_orders(mind, goals, verb, order, origin, units)


def rushes(mind: Mind, verb: str, hexes: Mask) -> Iterator[Order]:
    """The moves that go before any plan: off the map, or into what nobody guards."""
    if verb == "move" and (mind.side == ALLIED or wants_exit(mind)):
        yield from exits(mind, hexes)
    if mind.side == GERMAN:
        yield from seizures(mind, verb, hexes)


def exits(mind: Mind, hexes: Mask) -> Iterator[Order]:
    """Units in row 10xx leave the map: the Allies to win, Germans as the end-run demands."""
    war, pos = mind.war, mind.pos
    for origin in bits(hexes & war.north):
        units = mind.stacks[origin] & ~pos.acted
        if pos.dropped:
            units &= ~(1 << war.airborne)
        if mind.side == GERMAN and not pos.owed:
            units &= war.grouped[TENTH]
        if units:
            ends = dict.fromkeys(bits(units), origin)
            yield Order(Option("move", hex=origin), WIN, war.price[MOVE], ends)


def seizures(mind: Mind, verb: str, hexes: Mask) -> Iterator[Order]:
    """Germans who can walk into a beach, a prize or a port that nobody guards."""
    war, pos = mind.war, mind.pos
    prizes = mind.beaches | (war.prizes & pos.control if mind.tiber else 0)
    if not mind.leaking:  # first things first
        prizes |= mind.ports
    for target in bits(prizes & ~mind.foe.occupied):
        for origin in bits(hexes & war.lattice.disc(target, SEIZED)):
            ordered = drawn(mind, ORDERS[verb], origin)
            for unit in bits(ordered.waiting & ~war.supports):
                if reach(mind, ordered, unit).ends >> target & 1:
                    gain = prize(mind, target) + closing(mind, origin, {unit: target})
                    yield Order(Option(verb, hex=origin), gain, war.price[MOVE], {unit: target})
                    break


def march_order(
    mind: Mind, goals: dict[int, Goal], verb: str, order: int, origin: int, units: Mask
) -> Order:
    """One stack on the map, everybody to his goal."""
    war = mind.war
    ordered = drawn(mind, order, origin)
    ends: dict[int, int] = {}
    gain = 0.0
    units &= ordered.waiting
    for hex, party in parties(mind, goals, units, origin):
        reached = reach_from(mind, ordered, party).ends
        if verb == "move" and mind.side == ALLIED and origin in mind.pos.ports:
            reached |= mind.ports & ~full_for(war, mind.pos, party)
        if not party & ~war.supports and not mind.haunted >> origin & 1:
            alone = mind.haunted & ~mind.far_behind
            reached &= ~alone | mind.own.divisions[1] | mask_of(ends.values())
        if mind.side == ALLIED and is_rash(mind, goals, units, hex):
            reached &= ~mind.foe.zone
        end, left = best_end(mind, first_bit(party), hex, origin, reached)
        if end >= 0:
            ends |= dict.fromkeys(bits(party), end)
            weight = sum(goals[unit].weight for unit in bits(party))
            gain += weight * progress(mind, first_bit(party), hex, origin, left)
    if mind.side == GERMAN:
        gain += closing(mind, origin, ends)
        if mind.pos.owed:
            gain += DUTY * sum(war.north >> end & 1 for end in ends.values())
    return Order(Option(verb, hex=origin), gain, war.price[order], ends)


def parties(mind: Mind, goals: dict[int, Goal], units: Mask, origin: int) -> list[tuple[int, Mask]]:
    """Those of a stack who go to the same hex at the same pace, corps support by itself last."""
    war = mind.war
    found: dict[tuple[int, int, int], Mask] = {}
    for unit in bits(units):
        goal = goals.get(unit)
        if goal is not None and goal.hex != origin:
            key = goal.hex, war.mobility[unit], war.printed[unit]
            found[key] = found.get(key, 0) | 1 << unit
    listed = [(not party & ~war.supports, hex, party) for (hex, _, _), party in found.items()]
    return [(hex, party) for _, hex, party in sorted(listed)]


def closing(mind: Mind, origin: int, ends: dict[int, int]) -> float:
    """How much better a move of Germans bars the way to the north."""
    war = mind.war
    there = mind.own.divisions[1]
    leaving = [unit for unit in ends if not war.supports >> unit & 1]
    if len(leaving) == (mind.stacks[origin] & ~war.supports).bit_count():
        there &= ~(1 << origin)
    for unit in leaving:
        there |= 1 << ends[unit]
    return mind.leaking - mind.leak(there)


def barriers(mind: Mind, verb: str, hexes: Mask) -> Iterator[Order]:
    """German divisions that could bar an open way to the north, each by itself."""
    if mind.side != GERMAN or not mind.leaking:
        return
    war, order = mind.war, ORDERS[verb]
    doors = war.lattice.dilate(mind.doors, 1)
    way = war.lattice.dilate(mind.open_way, 1)
    for origin in bits(hexes):
        units = mind.stacks.get(origin, 0) & ~mind.pos.acted & ~war.supports
        if not war.bit[origin] or not units:
            continue
        ordered = drawn(mind, order, origin)
        for unit in bits(units & ordered.waiting):
            ends = reach(mind, ordered, unit).ends
            tried = list(bits(ends & way & ~doors))
            tried = [*bits(ends & doors), *tried[:: max(1, len(tried) // SAMPLE)]]
            for hex in tried[:PLUGS]:
                gain = closing(mind, origin, {unit: hex})
                if gain > 0:
                    yield Order(Option(verb, hex=origin), gain, war.price[order], {unit: hex})


def is_rash(mind: Mind, goals: dict[int, Goal], units: Mask, hex: int) -> bool:
    """Whether those who would come to a hex together, and who is there, are too weak to stay."""
    if not mind.foe.zone >> hex & 1:
        return False
    together = mind.stacks.get(hex, 0)
    for unit in bits(units):
        if unit in goals and goals[unit].hex == hex:
            together |= 1 << unit
    bold = BOLD if mind.pos.turn < LATE else BOLDER
    return mind.power(together) < bold * mind.threat(hex)


def best_end(mind: Mind, unit: int, goal: int, origin: int, ends: Mask) -> tuple[int, float]:
    """The best hex to stop in on the way to a goal, and the points that are then still to go."""
    war = mind.war
    if ends >> goal & 1:
        return goal, 0.0
    field = marches(war, war.mobility[unit], 1 << goal)
    zone = mind.foe.zone
    net = mind.net if mind.net >> origin & 1 else mind.war.land
    strangers = mind.strangers(unit)
    best, least = -1, field[origin] - 0.5
    for hex in bits(ends):
        cost = field[hex]
        if cost >= least:
            continue
        if zone >> hex & 1:
            cost += EXPOSED
        if not net >> hex & 1:
            cost += CUT_OFF
        if strangers >> hex & 1:
            cost += MUDDLE
        if cost < least:
            best, least = hex, cost
    return best, least


def progress(mind: Mind, unit: int, goal: int, origin: int, left: float) -> float:
    """How much of a turn's march a move saves, and that it ends at the goal."""
    war = mind.war
    away = marches(war, war.mobility[unit], 1 << goal)[origin]
    saved = 0.5 * min(1.5, (away - left) / (war.printed[unit] or 5))
    return saved if left else saved + min(1.0, 0.3 + away / STROLL)


def entry_orders(
    mind: Mind, goals: dict[int, Goal], verb: str, order: int, origin: int, units: Mask
) -> Iterator[Order]:
    """A stack from a box, for the goal that most of them have in common."""
    war = mind.war
    ordered = drawn(mind, order, origin)
    units &= ordered.waiting
    parties: dict[tuple[int, int], Mask] = {}
    for unit in bits(units):
        if unit in goals:
            key = goals[unit].hex, war.group[unit] if mind.side == GERMAN else 0
            parties[key] = parties.get(key, 0) | 1 << unit
    for (goal, group), party in parties.items():
        stack = 0
        others = units & ~party
        if mind.side == GERMAN:
            others &= war.grouped[group]
        for unit in (*bits(party), *bits(others)):
            if war.stack_fits(stack | 1 << unit):
                stack |= 1 << unit
        door = landfall(mind, ordered, stack, goal)
        if door < 0:
            stack = 1 << first_bit(party)
            door = landfall(mind, ordered, stack, goal)
        if door < 0:
            continue
        gain = sum(0.8 + 0.4 * goals[u].weight for u in bits(stack) if u in goals)
        ends = {u: goals[u].hex if u in goals else goal for u in bits(stack)}
        yield Order(Option(verb, hex=origin), gain, war.price[order], ends)


def strikes(mind: Mind, hexes: Mask) -> Iterator[Order]:
    """German stacks that move up and attack at once (9.6)."""
    war, pos = mind.war, mind.pos
    for origin in bits(hexes):
        units = mind.stacks.get(origin, 0) & ~pos.acted & ~pos.rebuilt
        if not war.bit[origin] or not units & ~war.supports:
            continue
        targets = [t for t in mind.enemies if war.lattice.distance(origin, t) <= STRIKE]
        if not targets:
            continue
        ordered = drawn(mind, MOVE_FIGHT, origin)
        force = units & ordered.waiting
        ends = reach_from(mind, ordered, force).ends
        for target in targets:
            for hex in bits(war.around[target] & ends):
                if pos.attacked >> target & 1:
                    continue
                stack = dict.fromkeys(bits(force), hex)
                gain = attack_gain(mind, hex, target, force) + closing(mind, origin, stack)
                yield Order(
                    Option("move-fight", hex=origin),
                    gain,
                    war.price[MOVE_FIGHT],
                    stack,
                    target,
                    force,
                )
