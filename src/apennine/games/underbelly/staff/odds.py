"""What a battle promises, reckoned quickly: chances and losses, and what they are worth."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from apennine.hexes import Mask, bits

from ..rules.c07_zones import force_in, is_mixed
from ..rules.c11_supply import crossed_groups, status
from ..rules.c13_battle import is_city, may_retreat
from ..rules.c13_fire import attack_edge, defence_edge, is_silent
from ..rules.c13_retreat import can_retreat
from ..table.position import Table
from ..table.war import War

TENTH = 0.1

Numbers = tuple[int, int, int]
"""What a division must roll with two steps and with one, and the steps that it has."""


class Odds(NamedTuple):
    """What is to be expected of a battle."""

    taken: float
    """The chance that the hex is free for an advance."""
    own: float
    enemy: float
    """The steps that the attacker and the defender lose on average."""


class Side(NamedTuple):
    """A force as the dice see it."""

    divisions: tuple[Numbers, ...]
    guns: tuple[int, ...]
    """What its corps support must roll."""


def _less(divisions: tuple[Numbers, ...]) -> tuple[Numbers, ...]:
    """The divisions after a hit on the one whose loss of a step costs most fire."""
    best, most = -1, -1
    for place, (full, reduced, steps) in enumerate(divisions):
        cost = 2 * full - reduced if steps > 1 else reduced
        if steps and cost > most:
            best, most = place, cost
    if best < 0:
        return divisions
    full, reduced, steps = divisions[best]
    return (*divisions[:best], (full, reduced, steps - 1), *divisions[best + 1 :])


def _shots(divisions: tuple[Numbers, ...]) -> list[float]:
    return [
        min(1.0, TENTH * number)
        for full, reduced, steps in divisions
        for number in [full if steps > 1 else reduced] * steps
        if number > 0
    ]


@lru_cache(8192)
def hits(shots: tuple[float, ...]) -> list[float]:
    """The chance of each number of hits."""
    chances = [1.0]
    for shot in shots:
        chances = [
            (chances[n] * (1 - shot) if n < len(chances) else 0.0)
            + (chances[n - 1] * shot if n else 0.0)
            for n in range(len(chances) + 1)
        ]
    return chances


@lru_cache(16384)
def odds(
    attacker: Side, defender: Side, bombs: bool, city: bool, retreats: bool, prize: float
) -> Odds:
    """The chances of a battle if the attacker breaks off whenever that pays better.

    `prize` is what the hex is worth in steps.
    """
    barrage = [TENTH * gun for gun in attacker.guns if gun > 0] + [0.5] * bombs
    taken = own = enemy = 0.0
    divisions = defender.divisions
    for count, chance in enumerate(hits(tuple(barrage))):
        if count:
            divisions = _less(divisions)
        found = _fight(attacker.divisions, divisions, defender.guns, city, retreats, prize)
        taken += chance * found.taken
        own += chance * found.own
        enemy += chance * (found.enemy + count)
    return Odds(taken, own, enemy)


def _fight(
    ours: tuple[Numbers, ...],
    theirs: tuple[Numbers, ...],
    guns: tuple[int, ...],
    city: bool,
    retreats: bool,
    prize: float,
) -> Odds:
    """Steps three to six."""
    left = sum(steps for _, _, steps in theirs) + len(guns)
    if not left:
        return Odds(1.0, 0.0, 0.0)
    volley = _shots(theirs) + [min(1.0, TENTH * gun) for gun in guns if gun > 0]
    taken = own = enemy = 0.0
    strength = sum(steps for _, _, steps in ours)
    for lost, chance in enumerate(hits(tuple(volley))):
        if lost:
            ours = _less(ours)
        lost = min(lost, strength)
        win, kills = assault(tuple(_shots(ours)), left, retreats and not city)
        if lost and not city and (lost >= strength or win * prize + kills < 1.0):
            own += chance * (lost - 1)
            continue
        taken += chance * win
        own += chance * lost
        enemy += chance * kills
    return Odds(taken, own, enemy)


@lru_cache(8192)
def assault(shots: tuple[float, ...], left: int, retreats: bool) -> tuple[float, float]:
    """The chance that some shots kill all, and the steps that they kill on average."""
    win = kills = 0.0
    for count, chance in enumerate(hits(shots)):
        if count >= left:
            win += chance
            kills += chance * (left - (retreats and count == left))
        else:
            kills += chance * count
    return win, kills


def battle(
    war: War, pos: Table, origin: int, target: int, units: Mask, *, air: bool, cover: bool
) -> tuple[Side, Side, bool, bool]:
    """Both forces of an attack that might be ordered, with `air` for it and `cover` against it.

    And whether it is on a city, and whether the defenders have somewhere to go.
    """
    there = pos.copy()
    side = war.side_of[next(bits(units))]
    there.side, there.origin, there.target = side, origin, target
    there.attackers = there.force = units
    there.defenders = force_in(war, pos, target, 1 - side)
    there.supply = status(war, pos, origin, side)
    there.defence_supply = status(war, pos, target, 1 - side)
    if side:
        there.defence_mixed = is_mixed(war, pos, target)
    else:
        there.mixed = is_mixed(war, pos, origin)
        there.crossed = crossed_groups(war, pos, origin)
    there.air_support = side if air else 1 - side if cover else -1
    city = is_city(war, there)
    defenders = there.defenders
    room = bool(defenders) and may_retreat(war, there)
    retreats = room and can_retreat(war, there, defenders & -defenders)
    return forces(war, there, attacking=True), forces(war, there, attacking=False), city, retreats


def forces(war: War, pos: Table, *, attacking: bool) -> Side:
    """One side of the battle that is laid out."""
    edge = attack_edge if attacking else defence_edge
    supply = pos.supply if attacking else pos.defence_supply
    divisions: list[Numbers] = []
    guns: list[int] = []
    edges: dict[tuple[int, int], int] = {}
    for unit in bits(pos.attackers if attacking else pos.defenders):
        steps = pos.steps[unit]
        if not steps:
            continue
        support = war.supports >> unit & 1
        key = war.group[unit], support
        if key not in edges:
            edges[key] = edge(war, pos, unit)
        more, numbers = edges[key], war.fire[unit]
        if support:
            guns.append(0 if is_silent(war, unit, supply) else numbers[1] + more)
        else:
            divisions.append((max(numbers[-1] + more, 0), max(numbers[1] + more, 0), steps))
    return Side(tuple(divisions), tuple(guns))
