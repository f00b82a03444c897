"""What the bot thinks of landings, offensives, bluffs and the reserve that they need."""

from __future__ import annotations

from apennine.kernel.decision import Option

from ..rules.c04_zones import units_in, units_on_map
from ..rules.c11_operations import LEAD, MOST
from ..table.position import ALLIED, BLUFF, GERMAN
from .mind import Mind


def left(mind: Mind) -> int:
    """The operations that may still be planned, besides those made and those written down."""
    pos = mind.pos
    due = {turn for kind, _, turn, _, _ in pos.notes if kind != BLUFF and turn >= pos.turn}
    return MOST - len(due.union(pos.launched))


def write_note(mind: Mind) -> float:
    """While an operation may still come, no turn goes by without a note that says so."""
    pos = mind.pos
    written = any(note[3] == pos.turn for note in pos.notes)
    return 1.0 if len(pos.launched) < MOST and not written else -1.0


def plan_landing(mind: Mind, option: Option) -> float:
    """A port behind the German front that nobody holds now, two turns ahead."""
    turn = mind.pos.turn
    if not left(mind) or turn < mind.season[0] or option.value != turn + LEAD:
        return -1.0
    if mind.enemy >> option.hex & 1:
        return -1.0
    points = sum(vp for hexes, vp in mind.war.prizes_on_map if hexes >> option.hex & 1)
    depth = abs(mind.from_front[option.hex] - mind.weights.in_the_rear)
    return 0.6 * points - 0.8 * depth + 0.25 * mind.whim("landing", option.hex)


def plan_offensive(mind: Mind, option: Option) -> float:
    """When it is time and there is nowhere to land, two turns ahead."""
    turn = mind.pos.turn
    timely = turn >= mind.season[1] and option.value == turn + LEAD
    return 0.3 if timely and left(mind) else -1.0


def plan_bluff(mind: Mind, option: Option) -> float:
    """For the turn that a plan would be for."""
    return 0.1 if option.value == mind.pos.turn + LEAD else -1.0


def land(mind: Mind, option: Option) -> float:
    """Where the enemy is weak and the front near; with nobody to land there is no landing."""
    war, pos = mind.war, mind.pos
    waiting = [u for u in units_in(war, pos, war.reserve, ALLIED) if war.halves[u] == 2]
    if len(waiting) < 2:
        return -1.0
    near = war.beside[option.hex]
    german = [u for u in units_on_map(war, pos, GERMAN) if near >> pos.hex[u] & 1]
    against = 0.05 * sum(map(mind.attack, german)) + 0.5 * mind.from_front[option.hex]
    return 20.0 - against - mind.draw[option.hex] + mind.whim("land", option.hex)


def land_with(mind: Mind, option: Option) -> float:
    """Divisions first, the strongest of them."""
    return float(mind.war.halves[option.unit] * 50 + mind.strength(option.unit))


def offensive(mind: Mind, option: Option) -> float:
    """Where most units and most enemies are."""
    war, pos = mind.war, mind.pos
    near = war.beside[option.hex] | 1 << option.hex
    if not near & mind.enemy:
        return 0.1
    units = [u for u in units_on_map(war, pos, ALLIED) if near >> pos.hex[u] & 1]
    own = sum(map(mind.attack, units))
    return 1.0 + (own - 5 * mind.draw[option.hex]) * (1.0 + 0.1 * mind.whim("push", option.hex))


def commit(mind: Mind, option: Option) -> float:
    """All that the reserve has, the strongest first."""
    return 1.0 + mind.strength(option.unit)


def release(mind: Mind, option: Option) -> float:
    """Everybody comes out of the reserve but who is kept for a landing."""
    return -1.0 if mind.kept >> option.unit & 1 else 1.0 + mind.strength(option.unit)


def send_to_reserve(mind: Mind, option: Option) -> float:
    """Divisions far from the front, if a landing is planned and not enough are waiting for it."""
    unit, weights = option.unit, mind.weights
    enough = mind.kept.bit_count() >= weights.waves
    if not mind.landing_planned or enough or mind.war.halves[unit] < 2:
        return -1.0
    away = mind.from_foe[mind.pos.hex[unit]]
    return 0.01 * mind.strength(unit) if away >= weights.rest else -1.0
