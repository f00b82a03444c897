"""Lines: the best one that can be manned against an enemy, from one shore to another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from apennine.bots.staff.ground import Field, chain
from apennine.bots.staff.line import Line, Manned, closed_by, manned_lines, prices, walked
from apennine.bots.staff.posts import match
from apennine.hexes import Mask, bits, mask_of

from .force import Force
from .mind import Mind


class Front(NamedTuple):
    """What a line is drawn against, between which shores, and what it is to shut off."""

    name: str
    body: Mask
    """The enemies from whom its distance is counted."""
    walkers: Mask
    """Where enemies could set out from to get past it."""
    ends: tuple[Mask, Mask]
    exits: Mask
    """Where nobody may get past it."""
    keys: Mask
    """Hexes that are better in the line than behind it."""
    kept: Sequence[Mask]
    """Places that should be behind it, or in it."""
    backs: tuple[int, ...]
    """How far from the enemy it is looked for."""


def man_fronts(force: Force, fronts: Sequence[Front]) -> tuple[float, dict[int, int]]:
    """Lines on several fronts, one after the other, and what they are worth together."""
    mind, found, value = force.mind, dict[int, int](), 0.0
    for front in fronts:
        manned = choose_line(force, front, found)
        found |= manned
        value += standing(mind, front, manned)
    posts, walking, exits = mask_of(found), 0, 0
    for front in fronts:
        walking |= front.walkers
        exits |= front.exits
    return value + cover(mind, fronts[0].kept, walking, exits, posts), found


def choose_line(force: Force, front: Front, others: Manned | None = None) -> dict[int, int]:
    """The posts of the best line that can be manned, each with its unit.

    Lines are looked for at several distances from the enemy: what is farther back must be worth it.
    """
    mind = force.mind
    ground, weights = mind.ground, mind.weights
    able = [u for u in force.units if mind.defence(u) and not mind.is_worn(u)]
    busy = {*force.goals, *(others or {}).values()}
    able = [u for u in able if u not in busy]
    within = mask_of(hex for unit in able for hex in bits(force.reach[unit]))
    away = from_body(mind, front)
    found: dict[int, tuple[float, dict[int, int]]] = {}

    def man(line: Line) -> dict[int, int]:
        return match(line, able, force.fit, at_most=12)

    for back in front.backs:
        hexes = band(mind, front, back) & ~mind.zone & ~mind.enemy
        lost = [max(0, hexes_away - 1 - back) for hexes_away in away]

        def draw(shunned: Mask, hexes: Mask = hexes, lost: Sequence[int] = lost) -> list[int]:
            terms, spared = weights.line, ~within | shunned
            price = prices(ground, hexes, terms, mind.strong, lost, keys=front.keys, spared=spared)
            return chain(ground, price, front.ends, terms.gaps, terms.offshore, mind.enemy)

        for line, manned in manned_lines(draw, man, weights.tries):
            value = judge(mind, front, line, manned)
            if back not in found or value > found[back][0]:
                found[back] = value, dict(manned)
    worths = {back: value for back, (value, _) in found.items()}
    return found[mind.plan.memory.aim(front.name, mind.pos.turn, worths, weights.stay)][1]


def band(mind: Mind, front: Front, back: int) -> Mask:
    """The hexes that are farther than so many from the enemy, but not much."""
    most, away = back + mind.weights.depth, from_body(mind, front)
    return mask_of(h for h in bits(mind.ground.land) if back < away[h] <= most)


def from_body(mind: Mind, front: Front) -> Field:
    """By hex, how far the enemy's main body is."""
    return mind.ground.distances(front.body & mind.ground.land)


def judge(mind: Mind, front: Front, line: Line, manned: Manned) -> float:
    """How good a line is: the ground it stands on, what it covers, and whether it is shut."""
    if not line:
        return -1000.0
    value = standing(mind, front, manned) - mind.weights.flimsy * (len(line) - len(manned))
    return value + cover(mind, front.kept, front.walkers, front.exits, mask_of(manned))


def standing(mind: Mind, front: Front, manned: Manned) -> float:
    """How well its posts stand: few, on firm ground, not far back, with somebody who can fight."""
    weights, count = mind.weights, max(1, len(manned))
    ground = sum(mind.strong[hex] for hex in manned) / count
    back = sum(from_body(mind, front)[hex] for hex in manned) / count
    flimsy = sum(mind.defence(unit) <= weights.flimsy_guard for unit in manned.values())
    value = weights.firm * ground - weights.length * len(manned) - weights.flimsy * flimsy
    return value - weights.back * back


def cover(mind: Mind, kept: Sequence[Mask], walking: Mask, exits: Mask, posts: Mask) -> float:
    """What posts shut off: the places behind them, and the way out."""
    reached = walked(mind.ground, walking, closed_by(mind.ground, posts)) & ~posts
    held = [hexes for hexes in kept if not hexes & reached]
    return mind.weights.town * len(held) - mind.weights.leak * bool(reached & exits)


def ring_ends(mind: Mind, part: Mask) -> tuple[Mask, Mask]:
    """Where a line round a beachhead begins and ends: its shore on both sides of it."""
    home, (west, east) = mind.staff.home, mind.staff.shores
    shore = west if (part & west).bit_count() >= (part & east).bit_count() else east
    those = list(bits(part & shore)) or list(bits(part & mind.ground.land))
    low, high = min(home[hex] for hex in those), max(home[hex] for hex in those)
    return (
        mask_of(hex for hex in bits(shore & ~part) if home[hex] <= low),
        mask_of(hex for hex in bits(shore & ~part) if home[hex] >= high),
    )


def need(mind: Mind, hex: int) -> float:
    """The defence that keeps an attack in which all take part who are near below 2-1."""
    doubled = 1.0 + min(mind.strong[hex], 2.0)
    return (mind.threat(hex) / 2 + 1) / doubled + mind.weights.watch
