"""What the bot thinks of landings, offensives, bluffs and the reserve that they need."""

from __future__ import annotations

from apennine.kernel.decision import Option

from ..rules.c04_zones import next_to, units_in, units_on_map
from ..rules.c09_combat import attack_factor
from ..rules.c11_operations import LEAD, MOST, offensive_sites
from ..table.position import ALLIED, GERMAN
from .mind import Mind


def plan_landing(mind: Mind, option: Option) -> float:
    """A port behind the German front that nobody holds now, two turns ahead."""
    pos = mind.pos
    if pos.turn < mind.weights.first_plan or option.value != pos.turn + LEAD:
        return -1.0
    return _landing_value(mind, option.hex)


def _landing_value(mind: Mind, hex: int) -> float:
    """What a beachhead would be worth: points taken, and near enough to be reached by land."""
    war = mind.war
    if mind.enemy >> hex & 1:
        return -1.0
    points = sum(worth for hexes, worth in war.prizes_on_map if hexes >> hex & 1)
    return 0.6 * points - 0.8 * abs(mind.from_front[hex] - mind.weights.in_the_rear)


def plan_offensive(mind: Mind, option: Option) -> float:
    """When there was nowhere to land, two turns ahead."""
    turn = mind.pos.turn
    return 0.3 if turn >= mind.weights.last_landing and option.value == turn + LEAD else -1.0


def plan_bluff(mind: Mind, option: Option) -> float:
    """While an operation may still come, no turn goes by without a note that says so."""
    pos = mind.pos
    return 0.1 if len(pos.launched) < MOST and option.value == pos.turn + LEAD else -1.0


def land(mind: Mind, option: Option) -> float:
    """Where the enemy is weak and the front near; with nobody to land there is no landing."""
    war, pos = mind.war, mind.pos
    waiting = [u for u in units_in(war, pos, war.reserve, ALLIED) if war.halves[u] == 2]
    if len(waiting) < 2:
        return -1.0
    near = mind.from_front[option.hex]
    against = sum(
        attack_factor(war, pos, u)
        for u in units_on_map(war, pos, GERMAN)
        if mind.war.lattice.distance(pos.hex[u], option.hex) <= 1
    )
    return 20.0 - 0.5 * near - 0.05 * against - mind.draw[option.hex]


def land_with(mind: Mind, option: Option) -> float:
    """Divisions first, the strongest of them."""
    return float(mind.war.halves[option.unit] * 50 + mind.strength(option.unit))


def offensive(mind: Mind, option: Option) -> float:
    """Where most units and most enemies are."""
    war, pos = mind.war, mind.pos
    near = next_to(war, option.hex) | 1 << option.hex
    if not near & mind.enemy:
        return 0.1 if offensive_sites(war, pos) else -1.0
    own = sum(
        attack_factor(war, pos, u) for u in units_on_map(war, pos, ALLIED) if near >> pos.hex[u] & 1
    )
    return 1.0 + own - 5 * mind.draw[option.hex]


def commit(mind: Mind, option: Option) -> float:
    """All that the reserve has, the strongest first."""
    return 1.0 + mind.strength(option.unit)


def release(mind: Mind, option: Option) -> float:
    """Everybody comes out of the reserve but who is kept for a landing."""
    if mind.kept >> option.unit & 1:
        return -1.0
    return 1.0 + mind.strength(option.unit)


def send_to_reserve(mind: Mind, option: Option) -> float:
    """Divisions far from the front, if a landing is planned and not enough are waiting for it."""
    war, pos, unit = mind.war, mind.pos, option.unit
    if (
        not mind.landing_planned
        or mind.kept.bit_count() >= mind.weights.waves
        or war.halves[unit] < 2
    ):
        return -1.0
    away = mind.from_enemy[pos.hex[unit]]
    return 0.01 * mind.strength(unit) if away >= mind.weights.rest else -1.0
