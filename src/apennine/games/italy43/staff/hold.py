"""The German way: a line from the sea to the mountains, on the best ground that can be manned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf

from apennine.bots.staff.ground import FAR, best_hex, chain
from apennine.bots.staff.line import Line, Manned, closed_by, manned_lines, prices, shut
from apennine.bots.staff.posts import draw_near, garrison, match, relieve
from apennine.hexes import Mask, bits, mask_of

from .duties import bring_guns, rest
from .force import Force
from .mind import Mind

SHATTERED = 6
"""A defence below this may be shattered while the enemy moves (8.7), and others drive through."""


def hold(force: Force) -> None:
    """Man the best line, shut what is open, strike back, hold the places, bring up the guns."""
    mind = force.mind
    manned = choose_line(force)
    for hex, unit in manned.items():
        if unit in force.free:
            force.send(unit, hex)
    shut_by = shut(mind.ground, force, mind.enemy, mind.staff.exits, force.fit)
    line = [*manned, *shut_by]
    line += [hex for hex in hold_places(force, open_places(force)) if hex not in line]
    rest(force)
    strike(force, mask_of(line))
    wanted = {hex: need(mind, hex) for hex in line}
    behind_it = laid_open(mind, mask_of(line))
    keep_back(force, behind_it)

    def lack(hex: int) -> float:
        there = sum(map(mind.defence, bits(force.held.get(hex, 0) & ~mind.war.artillery)))
        frail = mind.weights.frail if there * doubled(mind, hex) < SHATTERED else 0.0
        return (wanted[hex] - there + frail) * (
            1.0 + 0.3 * mind.points(hex) + mind.weights.breach * behind_it[hex]
        )

    relieve(force, line, lack, lambda hex: force.best(hex, force.fit), lambda _, lacking: lacking)
    hold_places(force, mind.war.lattice.dilate(mind.enemy, mind.weights.guarded))
    away = mind.ground.distances(mask_of(line) or mind.staff.exits)
    draw_near(force, lambda unit: behind(force, unit, away))
    bring_guns(force)


def open_places(force: Force) -> Mask:
    """Where the enemy could drive to in a turn, past all who stand by now."""
    ground, pace = force.mind.ground, force.mind.weights.dash
    posts = mask_of(h for h, units in force.held.items() if units and h >= 0) & ground.land
    return ground.spread(force.mind.enemy, pace, ground.land & ~closed_by(ground, posts))


def hold_places(force: Force, within: Mask) -> list[int]:
    """Somebody in each of some places with points, the best that is free; where."""
    mind = force.mind
    towns = list(bits(mind.staff.prizes & ~mind.pos.control & within))
    towns.sort(key=lambda hex: (-mind.points(hex), mind.from_foe[hex], hex))
    garrison(force, towns, force.fit)
    return [hex for hex in towns if force.count(hex)]


def laid_open(mind: Mind, posts: Mask) -> dict[int, int]:
    """By post, the points in places that the enemy could drive to if it fell."""
    ground, pace = mind.ground, mind.weights.dash
    places, found = mind.staff.prizes & ~mind.pos.control & ~posts, dict[int, int]()
    for post in bits(posts):
        left = posts & ~(1 << post)
        reached = ground.spread(mind.enemy, pace, ground.land & ~closed_by(ground, left))
        found[post] = sum(mind.points(hex) for hex in bits(reached & places))
    return found


def keep_back(force: Force, behind_it: Mapping[int, int]) -> None:
    """A reserve on wheels a few hexes behind the post whose fall would lay most open.

    From there it gets to any breach near it, which who stands in the line does not (6.2).
    """
    mind = force.mind
    ground, weights = mind.ground, mind.weights
    able = [u for u in force.free if mind.war.bonding >> u & 1 and not mind.is_tired(u)]
    wheels = [u for u in able if mind.war.mechanised >> u & 1]
    post = max(behind_it, key=lambda hex: (behind_it[hex], hex), default=-1)
    if len(able) <= weights.spare or not wheels or not behind_it[post]:
        return
    away, shut = ground.distances(1 << post), closed_by(ground, mask_of(behind_it))
    room = mind.supplied & ~(mind.zone | ground.spread(mind.enemy, FAR, ground.land & ~shut))
    near = mask_of(h for h in bits(ground.land & room) if 1 < away[h] <= weights.reserve)
    for unit in sorted(wheels, key=lambda u: (-mind.defence(u), u)):
        hex = best_hex(force.reach[unit] & near, lambda hex: -float(away[hex]))
        if hex >= 0 and force.room(unit, hex):
            force.send(unit, hex)
            return


def strike(force: Force, posts: Mask) -> None:
    """Counterattacks from the line, with those who are free besides."""
    mind = force.mind
    near = mind.enemy & mind.ground.around(posts)
    force.prepare(near, mind.weights.good_enough[mind.side])


def choose_line(force: Force) -> dict[int, int]:
    """The posts of the best line that can be manned, each with its unit.

    Lines are looked for at several distances from the enemy: what is farther back must be worth it.
    """
    mind = force.mind
    pos, ground, weights = mind.pos, mind.ground, mind.weights
    able = [u for u in force.units if mind.war.bonding >> u & 1 and not mind.is_tired(u)]
    able = [u for u in able if u not in force.goals]
    within = mask_of(hex for unit in able for hex in bits(force.reach[unit]))
    keys = mind.staff.prizes & ~pos.control
    ends = shores(mind)
    stand = mask_of(pos.hex[unit] for unit in able)
    soon = [0.0 if stand >> hex & 1 else 1.0 for hex in range(mind.war.lattice.size)]
    found: dict[int, tuple[float, dict[int, int]]] = {}

    def man(line: Line) -> dict[int, int]:
        return match(line, able, force.fit, at_most=12)

    for back in weights.backs:
        hexes = band(mind, back) & mind.supplied & ~mind.enemy
        lost = [max(0, away - 1 - back) for away in mind.from_foe]

        def draw(shunned: Mask, hexes: Mask = hexes, lost: Sequence[int] = lost) -> list[int]:
            terms, spared = weights.line, ~within | shunned
            price = prices(
                ground, hexes, terms, mind.strong, lost, soon=soon, keys=keys, spared=spared
            )
            return chain(ground, price, ends, terms.gaps, terms.offshore, mind.enemy)

        for line, manned in manned_lines(draw, man, weights.tries):
            value = judge(mind, able, line, manned)
            if back not in found or value > found[back][0]:
                found[back] = value, dict(manned)
    worths = {back: value for back, (value, _) in found.items()}
    return found[mind.plan.memory.aim("line", pos.turn, worths, weights.stay)][1]


def band(mind: Mind, back: int) -> Mask:
    """The hexes that are farther than so many from the enemy, but not much."""
    most = back + mind.weights.depth
    return mask_of(h for h in bits(mind.ground.land) if back < mind.from_foe[h] <= most)


def shores(mind: Mind) -> tuple[Mask, Mask]:
    """Where a line may end: by the sea and the mountains, north of every Allied unit there."""
    pixel = mind.war.lattice.pixel
    near = mind.war.lattice.dilate(mind.enemy)

    def north(shore: Mask) -> Mask:
        limit = min((pixel(hex)[1] for hex in bits(shore & near)), default=inf)
        return mask_of(hex for hex in bits(shore) if pixel(hex)[1] < limit)

    west, east = mind.staff.shores
    return north(west), north(east)


def judge(mind: Mind, able: Sequence[int], line: Line, manned: Manned) -> float:
    """How good a line is: what it covers, whether it is shut and can be held, what it gives up."""
    weights, posts = mind.weights, mask_of(manned)
    if not line:
        return -1000.0
    free = mind.ground.land & ~closed_by(mind.ground, posts)
    left = mind.pos.last_turn - mind.pos.turn + 1
    reached = mind.ground.spread(mind.enemy, min(weights.pace * left, FAR), free) & ~posts
    points = sum(mind.points(hex) for hex in bits(mind.staff.prizes & ~reached & ~mind.pos.control))
    wanted = sum(max(need(mind, hex), weights.usual / doubled(mind, hex)) for hex in line)
    short = max(0.0, wanted - sum(map(mind.defence, able)))
    back = sum(mind.from_foe[hex] for hex in line) / len(line)
    value = weights.town * points - weights.short * short - weights.back * back
    return value - weights.leak * bool(reached & mind.staff.exits)


def doubled(mind: Mind, hex: int) -> float:
    """By how much the ground raises a defence, on average of the sides."""
    return min(2.0, 1.0 + mind.strong[hex])


def need(mind: Mind, hex: int) -> float:
    """The defence that keeps an attack in which all take part who are near to even odds."""
    pos, near = mind.pos, mind.weights.threat
    away = mind.ground.distances(1 << hex)
    factors = [
        mind.attack(unit) / (1 if away[pos.hex[unit]] < near else 2)
        for unit in bits(mind.foe.units)
        if away[pos.hex[unit]] <= near
    ]
    strength = min(sum(factors), mind.war.book.limits.strength)
    return (strength / 2 + 1) / doubled(mind, hex) + mind.weights.watch


def behind(force: Force, unit: int, away: Sequence[int]) -> int:
    """Who cannot get to the line comes nearer, out of the enemy's zone."""
    mind, here = force.mind, force.mind.pos.hex[unit]
    if mind.war.artillery >> unit & 1:
        return -1
    ends = force.ends(unit)
    safe = [hex for hex in ends if not mind.zone >> hex & 1 and mind.supplied >> hex & 1]
    return min(safe or ends, key=lambda h: (away[h], h != here, h), default=-1)
