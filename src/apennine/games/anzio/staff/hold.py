"""The German way: strike at what is weak, else a line from sea to sea on the best ground."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from apennine.bots.staff.line import Manned, best_plug
from apennine.bots.staff.posts import draw_near, relieve
from apennine.hexes import Mask, bits, mask_of

from ..table.position import GERMAN
from .force import Force
from .lines import Front, man_fronts, need, ring_ends
from .mind import Mind

PLUGS = 3
"""Hexes from the posts of a line within which its gaps are shut."""


def hold(force: Force) -> None:
    """Rest the worn, strike where it pays, man the best line, shut what is open, reinforce."""
    mind = force.mind
    force.rest()
    strike(force)
    manned = man(force)
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
    posts = len(man(force))
    force.budget = max(0, len(firm) - posts) + weights.daring * bold
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


def man(force: Force) -> dict[int, int]:
    """The posts of the best line and who goes there: one before all enemies, or one for each."""
    mind = force.mind
    plans = [man_fronts(force, fronts) for fronts in plans_of(mind)]
    worths = {number: value for number, (value, _) in enumerate(plans)}
    chosen = mind.plan.memory.aim("plan", mind.pos.turn, worths, mind.weights.stay)
    return plans[chosen][1]


def plans_of(mind: Mind) -> list[list[Front]]:
    """The fronts that could be held: all enemies before one line; or those in the south, and rings.

    A ring goes round a beachhead behind the line.
    """
    body, lattice = main_body(mind), mind.war.lattice
    plans = [[german_front(mind, "line", body, walkers(mind))]]
    parts = [part & body for part in lattice.components(lattice.dilate(body, mind.weights.apart))]
    if len(parts) < 2:
        return plans
    walking = walkers(mind)

    def strength(part: Mask) -> int:
        return sum([factor for hex, factor in mind.strikers if part >> hex & 1])

    main = max(parts, key=strength)
    landed = [part for part in parts if part != main and strength(part)]
    south = sum(parts) - sum(landed)  # with ports where nobody is
    fronts = [german_front(mind, "south", south, walking & south)]
    for number, part in enumerate(landed):
        ends = ring_ends(mind, part)
        ring = german_front(mind, f"ring {number}", part, walking & part)
        fronts.append(ring._replace(ends=ends, backs=mind.weights.closeness))
    return [*plans, fronts] if landed else plans


def german_front(mind: Mind, name: str, body: Mask, walking: Mask) -> Front:
    """From sea to sea, north of every Allied unit near the shores, before the northern edges."""
    home = mind.staff.home
    near = mind.war.lattice.dilate(body, 2)

    def north(shore: Mask) -> Mask:
        limit = min((home[hex] for hex in bits(shore & near)), default=inf)
        return mask_of(hex for hex in bits(shore) if home[hex] < limit)

    west, east = mind.staff.shores
    return Front(
        name,
        body=body,
        walkers=walking,
        ends=(north(west), north(east)),
        exits=mind.staff.exits,
        keys=mind.prizes & ~mind.pos.friendly,
        kept=[hexes for hexes in mind.places.values() if not hexes & mind.pos.friendly],
        backs=mind.weights.backs,
    )


def behind(force: Force, unit: int, away: Sequence[int]) -> int:
    """Who cannot get to the line comes nearer, out of the enemy's zone."""
    here = force.mind.pos.hex[unit]
    ends = [h for h in bits(force.safe_ends(unit)) if force.room(unit, h)]
    return min(ends, key=lambda h: (away[h], h != here, h), default=-1)
