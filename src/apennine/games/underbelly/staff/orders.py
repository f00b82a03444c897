"""The commands that a staff can think of, each with what it is worth for its points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from apennine.bots.staff.command import Command
from apennine.bots.staff.march import best_end, parties
from apennine.bots.staff.posts import Goals
from apennine.hexes import Mask, bits, first_bit, mask_of
from apennine.kernel.decision import Option

from ..rules.c06_stacking import full_for
from ..rules.c09_points import kept
from ..rules.c10_arrivals import gates
from ..rules.c13_battle import attackable
from ..table.position import ALLIED, ATTACK, GERMAN, MOVE, MOVE_FIGHT, ORDERS, Table
from ..table.war import TENTH
from .endrun import wants_exit
from .mind import Mind
from .rear import rear_orders

SAMPLE, PLUGS = 6, 18
"""The hexes along an open way that are tried to bar it with one unit, and of all those tried."""
SEIZED, STRIKE, CHASE = 14, 6, 10
"""How far off a place that nobody guards is looked for, and how far a move-fight goes, in hexes;
the last against whoever is about to leave the map."""


def thought_of(mind: Mind, options: Sequence[Option], goals: Goals) -> Iterator[Command]:
    """All commands of a menu that are worth a thought."""
    places = Counter[str]()
    for option in options:
        if option.verb in ORDERS:
            places[option.verb] |= 1 << option.hex
    poised = 0
    for order in chain(attacks(mind, places["attack"]), strikes(mind, places["move-fight"])):
        poised |= (order.gain >= mind.weights.good) << order.option.hex
        yield order
    if mind.side == ALLIED or wants_exit(mind):
        yield from exits(mind, places["move"])
    for verb in ("move", "column"):
        for origin in bits(places[verb] & ~poised):
            units = mind.stacks.get(origin, 0) & ~mind.pos.acted
            if any(u in goals and goals[u].hex != origin for u in bits(units)):
                go = marching if mind.war.bit[origin] else entering
                yield from go(mind, goals, verb, origin, units)
        if mind.side == GERMAN:
            yield from forays(mind, verb, places[verb])
    yield from rear_orders(mind, options)


def entries(mind: Mind, table: Table, units: Mask) -> Mask:
    """The ports, or the hexes of row 10xx, by which units from a box could come on to the map."""
    if mind.side == ALLIED:
        return mind.ports & ~full_for(mind.war, mind.pos, units)
    return gates(mind.war, mind.pos, units, table.order)


def attacks(mind: Mind, hexes: Mask) -> Iterator[Command]:
    """The attacks of stacks on their neighbours."""
    war, pos, cost = mind.war, mind.pos, mind.war.price[ATTACK]
    for origin in bits(hexes):
        units = mind.stacks[origin] & ~pos.acted & ~pos.rebuilt
        if not units & ~war.supports:
            continue
        for target in bits(attackable(war, pos, origin, mind.side)):
            force = joined(mind, origin, units)
            option = Option("attack", hex=origin)
            gain = mind.attack_gain(origin, target, force)
            yield Command(option, gain, cost, {}, target, force)
            spare = pos.points - kept(war, pos) - cost - war.book.prices.bombers
            if mind.side == ALLIED and pos.tac_active and not pos.bombed and spare >= 0:  # 13.6
                more = mind.attack_gain(origin, target, force, bombs=True)
                if more - gain >= mind.weights.bombs:
                    yield Command(option, more, cost + war.book.prices.bombers, {}, target, force)


def joined(mind: Mind, origin: int, units: Mask) -> Mask:
    """Those of a stack who may attack together: of a mixed one the stronger group (6.5d)."""
    war = mind.war
    if mind.side == GERMAN or origin in mind.pos.ports or not units & ~mind.pos.corps:
        return units
    parts = [units & group for group in war.grouped[:TENTH] if units & group & ~war.supports]
    return max(parts, key=mind.power)


def strikes(mind: Mind, hexes: Mask) -> Iterator[Command]:
    """German stacks that move up, or come on to the map, and attack at once (9.6)."""
    war, pos, verb = mind.war, mind.pos, "move-fight"
    for origin in bits(hexes):
        units = mind.stacks.get(origin, 0) & ~pos.acted & ~pos.rebuilt
        targets = [t for t in mind.enemies if not pos.attacked >> t & 1 and within(mind, origin, t)]
        if not units & ~war.supports or not targets:
            continue
        table = mind.ordered(verb, origin)
        waiting = sorted(bits(units & table.waiting), key=lambda u: -mind.power(1 << u))
        force = stacked(mind, waiting)
        inside = war.bit[origin]
        ends = mind.reach(table, force).ends if inside else entries(mind, table, force)
        for target in targets:
            for hex in bits(war.around[target] & ends):
                stack = dict.fromkeys(bits(force), hex)
                gain = mind.attack_gain(hex, target, force)
                gain += mind.closing(origin, stack) if inside else 0.0
                option, price = Option(verb, hex=origin), war.price[MOVE_FIGHT]
                yield Command(option, gain, price, stack, target, force)


def within(mind: Mind, origin: int, target: int) -> bool:
    """Whether a move-fight from a hex or a box may get to a target."""
    war = mind.war
    if not war.bit[origin]:
        return bool(war.around[target] & war.north)
    return war.lattice.distance(origin, target) <= (CHASE if war.north >> target & 1 else STRIKE)


def stacked(mind: Mind, units: Iterable[int]) -> Mask:
    """A stack of as many of some units as fit into it, in their order."""
    stack = 0
    for unit in units:
        if mind.war.stack_fits(stack | 1 << unit):
            stack |= 1 << unit
    return stack


def exits(mind: Mind, hexes: Mask) -> Iterator[Command]:
    """Units in row 10xx leave the map: the Allies to win, Germans as the end-run demands."""
    war, pos = mind.war, mind.pos
    for origin in bits(hexes & war.north):
        units = mind.stacks[origin] & ~pos.acted & ~(bool(pos.dropped) << war.airborne)
        if mind.side == GERMAN and not pos.owed:
            units &= war.grouped[TENTH]
        ends = dict.fromkeys(bits(units), origin)
        if ends:
            yield Command(Option("move", hex=origin), mind.weights.win, war.price[MOVE], ends)


def forays(mind: Mind, verb: str, hexes: Mask) -> Iterator[Command]:
    """One German into a beach, prize or port without a guard, or into an open way to the north."""
    war, doors, way = mind.war, 0, 0
    prizes = mind.beaches | mind.prizes | (0 if mind.leaking else mind.ports)  # first things first
    prizes &= ~mind.foe.occupied
    near = war.lattice.dilate(prizes, SEIZED) & war.land
    if mind.leaking:
        front, posts, near = mind.lines, mind.own.divisions[1], war.land
        doors = front.doors(mind.foe.occupied, posts)
        way = mind.ground.flood(doors, front.free(posts)) & ~doors
    for origin in bits(hexes & near):
        table = mind.ordered(verb, origin)
        for unit in bits(table.waiting & ~war.supports):
            ends = mind.reach(table, 1 << unit).ends
            along = list(bits(ends & way))
            plugs = [*bits(ends & doors), *along[:: max(1, len(along) // SAMPLE)]][:PLUGS]
            for hex in (*bits(ends & prizes), *plugs):
                gain = mind.closing(origin, {unit: hex})
                gain += mind.prize(hex) if prizes >> hex & 1 else 0.0
                if gain > 0:
                    price = war.price[ORDERS[verb]]
                    yield Command(Option(verb, hex=origin), gain, price, {unit: hex})


def marching(mind: Mind, goals: Goals, verb: str, origin: int, units: Mask) -> Iterator[Command]:
    """One stack on the map, everybody to his goal, corps support by itself last."""
    war, weights = mind.war, mind.weights
    table = mind.ordered(verb, origin)
    ends: dict[int, int] = {}
    gain = 0.0
    units &= table.waiting
    listed = parties(goals, bits(units), origin, lambda u: (war.mobility[u], war.printed[u]))
    for hex, party in sorted(listed, key=lambda p: (not p[1] & ~war.supports, p)):
        for some in together(mind, origin, party):
            if mask_of(ends) & some:
                continue
            lead = first_bit(some)
            reached = mind.reach(table, some).ends
            if verb == "move" and mind.side == ALLIED and origin in mind.pos.ports:
                reached |= harbours(mind, some, ends)
            if not some & ~war.supports and not mind.haunted >> origin & 1:
                reached &= ~mind.lonely | mask_of(ends.values())
            if mind.side == ALLIED and is_rash(mind, goals, units, hex):
                reached &= ~mind.foe.zone
            strangers = mind.own.occupied & ~mind.own.groups[war.group[lead]] & ~mind.ports
            shunned = [(mind.foe.zone, weights.exposed), (strangers, weights.muddle)]
            if mind.net >> origin & 1:
                shunned.append((~mind.net, weights.cut_off))
            field = mind.way(lead, 1 << hex)
            end, left = best_end(field, origin, hex, reached, weights.march, shunned)
            if end >= 0:
                ends |= dict.fromkeys(bits(some), end)
                saved = 0.5 * min(1.5, (field[origin] - left) / mind.staff.points(lead))
                arrived = 0.0 if left else min(1.0, 0.3 + field[origin] / weights.stroll)
                gain += sum(goals[unit].weight for unit in bits(some)) * (saved + arrived)
                gain -= weights.retraced * mind.retraced(some, end)
    if mind.side == ALLIED:
        gain -= weights.alarm * mind.baring(origin, ends)
    else:
        gain += mind.closing(origin, ends)
        if mind.pos.owed:
            gain += weights.duty * sum(war.north >> end & 1 for end in ends.values())
    yield Command(Option(verb, hex=origin), gain, war.price[ORDERS[verb]], ends)


def together(mind: Mind, origin: int, party: Mask) -> Iterable[Mask]:
    """Those who march as one; if that cannot be, from a port one by one, as there is room."""
    in_port = mind.side == ALLIED and origin in mind.pos.ports
    return (party, *(1 << unit for unit in bits(party))) if in_port else (party,)


def harbours(mind: Mind, units: Mask, ends: Mapping[int, int]) -> Mask:
    """The ports with room for units beside those who go there, too."""
    found = mind.ports & ~full_for(mind.war, mind.pos, units)
    for hex in set(ends.values()):
        there = mind.stacks.get(hex, 0) | mask_of(u for u, end in ends.items() if end == hex)
        if not mind.war.stack_fits(there | units):
            found &= ~(1 << hex)
    return found


def is_rash(mind: Mind, goals: Goals, units: Mask, hex: int) -> bool:
    """Whether those who would come to a hex together, and who is there, are too weak to stay."""
    if not (mind.foe.zone & ~mind.vital) >> hex & 1:
        return False
    coming = mask_of(u for u in bits(units) if u in goals and goals[u].hex == hex)
    bold = mind.weights.bold[mind.pos.turn >= mind.weights.bolder_from]
    return mind.power(mind.stacks.get(hex, 0) | coming) < bold * mind.threat(hex)


def entering(mind: Mind, goals: Goals, verb: str, origin: int, units: Mask) -> Iterator[Command]:
    """Stacks from a box, each for a goal that some have in common, filled up with others."""
    war, table = mind.war, mind.ordered(verb, origin)
    kin = {u: war.group[u] * mind.side for u in bits(units & table.waiting)}
    bound = [u for u in kin if u in goals]
    for goal, group in dict.fromkeys((goals[u].hex, kin[u]) for u in bound):
        party = [u for u in bound if (goals[u].hex, kin[u]) == (goal, group)]
        others = [u for u in kin if u not in party and kin[u] == group]
        stacks = (stacked(mind, (*party, *others)), 1 << party[0])
        stack = next((units for units in stacks if entries(mind, table, units)), 0)
        gain = sum(0.8 + 0.4 * goals[u].weight for u in bits(stack) if u in goals)
        if (verb == "column") == (mind.turns(party[0], goal) > 1):
            gain *= 1.1  # on the road as far as it takes, but no column stops near the enemy
        ends = {u: goals[u].hex if u in goals else goal for u in bits(stack)}
        if stack:
            yield Command(Option(verb, hex=origin), gain, war.price[ORDERS[verb]], ends)
