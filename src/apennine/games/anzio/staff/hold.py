"""The German way: strike at what is weak, else a line from sea to sea on the best ground."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from apennine.bots.staff.ground import Field, chain
from apennine.bots.staff.line import (
    Line,
    Manned,
    best_plug,
    closed_by,
    manned_lines,
    prices,
    walked,
)
from apennine.bots.staff.posts import draw_near, match, relieve
from apennine.hexes import Mask, bits, mask_of

from ..table.position import GERMAN
from .force import Force
from .mind import Mind

PLUGS = 3
"""Hexes from the posts of a line within which its gaps are shut."""


def hold(force: Force) -> None:
    """Rest the worn, strike where it pays, man the best line, shut what is open, reinforce."""
    mind = force.mind
    force.rest()
    strike(force)
    manned = choose_line(force)
    for hex, unit in manned.items():
        if unit in force.free:
            force.send(unit, hex)
    line = [*manned, *plug(force, manned)]
    force.prepare(mind.strong_foe, mind.weights.good_enough[GERMAN])
    retake(force)
    force.rebuild()
    wanted = {hex: need(mind, hex) for hex in line}

    def lack(hex: int) -> float:
        there = mind.guard(force.held.get(hex, 0))
        return (wanted[hex] - there) * (1.3 if mind.prizes >> hex & 1 else 1.0)

    relieve(force, line, lack, lambda hex: force.best(hex, force.fit), lambda _, lacking: lacking)
    force.tuck_in(line)
    away = mind.ground.distances(mask_of(line) or mind.staff.exits)
    draw_near(force, lambda unit: behind(force, unit, away))


def strike(force: Force) -> None:
    """Attacks that come before the line: with who is not needed in it, more while we are strong."""
    mind, weights = force.mind, force.mind.weights
    ours = sum([mind.attack(unit) for unit in bits(mind.own.units)])
    theirs = sum([factor for _, factor in mind.strikers])
    stronger, least = weights.bold
    bold = ours > stronger * theirs
    firm = [u for u in force.free if mind.defence(u) > weights.flimsy_guard]
    force.budget = max(0, len(firm) - len(choose_line(force))) + weights.daring * bold
    force.prepare(mind.strong_foe, least if bold else weights.strike)
    force.budget = 99


def plug(force: Force, manned: Manned) -> list[int]:
    """Send units into the gaps of a line as long as anybody can go there; their hexes.

    In the last turns it is the ways from the ports that count, wherever they can be shut (C15C).
    """
    mind, found = force.mind, list[int]()
    last = mind.war.book.scenarios[mind.pos.scenario].last
    late = mind.pos.turn + 1 >= last
    near = mind.war.lattice.dilate(mask_of(manned), PLUGS)
    near = mind.war.lattice.dilate(near, PLUGS * late) & ~mind.zone
    out = mind.bases if late and mind.bases else walkers(mind)
    while True:
        sites, held = force.within() & near, force.occupied() & mind.ground.land
        hex = best_plug(mind.ground, out, held, mind.staff.exits, sites, 0 if late else 3)
        unit = force.best(hex, force.fit) if hex >= 0 else -1
        if unit < 0:
            return found
        force.send(unit, hex)
        found.append(hex)


def retake(force: Force) -> None:
    """Places and beaches that the enemy has left are taken back by who is free and safe there."""
    mind = force.mind
    ports = 0
    for base, state in zip(mind.war.ground.bases, mind.pos.bases):
        ports |= base.hexes & mind.pos.friendly if state else 0
    for hex in bits((mind.lacking | ports) & ~(mind.enemy | mind.zone)):
        able = [u for u in force.free if force.reach[u] >> hex & 1 and mind.attack(u)]
        able = [u for u in able if mind.risk(1 << u, hex) <= mind.weights.bearable]
        unit = min(able, key=lambda u: (mind.defence(u), u), default=-1)
        if unit >= 0 and force.room(unit, hex):
            force.send(unit, hex)


def main_body(mind: Mind) -> Mask:
    """The enemies with a port behind them, and the ports: who is loose ahead is hunted instead."""

    def look() -> Mask:
        found = mind.bases
        for base, state in zip(mind.war.ground.bases, mind.pos.bases):
            found |= base.hexes & mind.pos.friendly if state else 0
        while more := mind.war.lattice.dilate(found, mind.weights.ring) & mind.strong_foe & ~found:
            found |= more
        return found or mind.strong_foe

    return mind.once("main body", look)


def walkers(mind: Mind) -> Mask:
    """Where the Allies could set out from: their main body, and the ports that operate (C15C)."""
    return (main_body(mind) | mind.bases) & mind.ground.land


def choose_line(force: Force) -> dict[int, int]:
    """The posts of the best line that can be manned, each with its unit.

    Lines are looked for at several distances from the enemy: what is farther back must be worth it.
    """
    mind = force.mind
    pos, ground, weights = mind.pos, mind.ground, mind.weights
    able = [u for u in force.units if mind.defence(u) and not mind.is_worn(u)]
    able = [u for u in able if u not in force.goals]
    within = mask_of(hex for unit in able for hex in bits(force.reach[unit]))
    keys = mind.prizes & ~pos.friendly
    ends = shores(mind)
    found: dict[int, tuple[float, dict[int, int]]] = {}

    def man(line: Line) -> dict[int, int]:
        return match(line, able, force.fit, at_most=12)

    for back in weights.backs:
        hexes = band(mind, back) & ~mind.zone & ~mind.enemy
        lost = [max(0, away - 1 - back) for away in from_main(mind)]

        def draw(shunned: Mask, hexes: Mask = hexes, lost: Sequence[int] = lost) -> list[int]:
            terms, spared = weights.line, ~within | shunned
            price = prices(ground, hexes, terms, mind.strong, lost, keys=keys, spared=spared)
            return chain(ground, price, ends, terms.gaps, terms.offshore, mind.enemy)

        for line, manned in manned_lines(draw, man, weights.tries):
            value = judge(mind, line, manned)
            if back not in found or value > found[back][0]:
                found[back] = value, dict(manned)
    worths = {back: value for back, (value, _) in found.items()}
    return found[mind.plan.memory.aim("line", pos.turn, worths, weights.stay)][1]


def band(mind: Mind, back: int) -> Mask:
    """The hexes that are farther than so many from the enemy, but not much."""
    most, away = back + mind.weights.depth, from_main(mind)
    return mask_of(h for h in bits(mind.ground.land) if back < away[h] <= most)


def from_main(mind: Mind) -> Field:
    """By hex, how far the enemy's main body is."""
    return mind.ground.distances(main_body(mind) & mind.ground.land)


def shores(mind: Mind) -> tuple[Mask, Mask]:
    """Where a line may end: by the sea, north of every Allied unit near there."""
    home = mind.staff.home
    near = mind.war.lattice.dilate(main_body(mind), 2)

    def north(shore: Mask) -> Mask:
        limit = min((home[hex] for hex in bits(shore & near)), default=inf)
        return mask_of(hex for hex in bits(shore) if home[hex] < limit)

    west, east = mind.staff.shores
    return north(west), north(east)


def judge(mind: Mind, line: Line, manned: Manned) -> float:
    """How good a line is: the ground it stands on, what it covers, and whether it is shut."""
    weights, posts = mind.weights, mask_of(manned)
    if not line:
        return -1000.0
    reached = walked(mind.ground, walkers(mind), closed_by(mind.ground, posts)) & ~posts
    held = [h for h in mind.places.values() if not h & mind.pos.friendly and not h & reached]
    ground = sum(mind.strong[hex] for hex in manned) / len(line)
    back = sum(from_main(mind)[hex] for hex in line) / len(line)
    flimsy = sum(mind.defence(unit) <= weights.flimsy_guard for unit in manned.values())
    value = weights.town * len(held) - weights.length * len(line) + weights.firm * ground
    value -= weights.flimsy * (flimsy + len(line) - len(manned))
    return value - weights.back * back - weights.leak * bool(reached & mind.staff.exits)


def need(mind: Mind, hex: int) -> float:
    """The defence that keeps an attack in which all take part who are near below 2-1."""
    doubled = 1.0 + min(mind.strong[hex], 2.0)
    return (mind.threat(hex) / 2 + 1) / doubled + mind.weights.watch


def behind(force: Force, unit: int, away: Sequence[int]) -> int:
    """Who cannot get to the line comes nearer, out of the enemy's zone."""
    here = force.mind.pos.hex[unit]
    ends = [h for h in bits(force.safe_ends(unit)) if force.room(unit, h)]
    return min(ends, key=lambda h: (away[h], h != here, h), default=-1)
