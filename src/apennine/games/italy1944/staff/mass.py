"""Where the bot masses: attacks that could be made after a movement, and who must go where."""

from __future__ import annotations

from apennine.hexes import Mask, bits, mask_of

from ..rules.c04_zones import next_to, units_on_map
from ..rules.c05_stacking import fighting
from ..rules.c09_combat import attack_factor, defence_factor, ground, is_concentric
from ..table.data import STACK
from .force import Force
from .odds import MOST_SUPPORT, markers_left, prize, worth

ENOUGH = 6
"""The column from which more attackers would be wasted."""


def mass(force: Force, enemies: Mask, least: float) -> None:
    """Choose the attacks that pay best, one after the other, and send who is needed."""
    targets = list(bits(enemies))
    markers = markers_left(force.war, force.pos, force.side, coast=False)
    while targets:
        hope = min(MOST_SUPPORT, markers)
        markers -= hope
        found = [Attack(force, target, hope) for target in targets]
        best = max(found, key=lambda attack: (attack.value, -attack.target))
        if best.value <= least:
            return
        for unit, hex in best.called:
            force.send(unit, hex)
        force.busy |= mask_of(best.units)
        targets.remove(best.target)


class Attack:
    """An attack that could be made after this movement: by whom, from where, and its worth."""

    def __init__(self, force: Force, target: int, support: int) -> None:
        self.target = target
        self.value = 0.0
        self.units: list[int] = []
        self.called: list[tuple[int, int]] = []
        """Who would have to go where for it."""
        war, pos = force.war, force.pos
        near = next_to(war, target) & ~force.enemy
        able = [u for u in force.free if force.reach[u] & near]
        able.sort(key=lambda u: (-attack_factor(war, pos, u), u))
        there = [
            u
            for u in units_on_map(war, pos, force.side)
            if u not in force.free
            and not force.busy >> u & 1
            and near >> force.goals.get(u, pos.hex[u]) & 1
        ]
        if not able and not there:
            return
        room = {hex: STACK - force.held[hex] for hex in bits(near)}
        defenders = fighting(war, pos, target, 1 - force.side)
        defence = sum(defence_factor(war, pos, u) for u in defenders)
        steps = sum(pos.steps[u] for u in defenders)
        imagined = pos.copy()
        attack = column = 0
        used = 0
        for unit in (*there, *able):
            if unit in force.free:
                place = _place(force, unit, near, room, target, used)
                if place < 0:
                    continue
                room[place] -= 1
                self.called.append((unit, place))
            else:
                place = force.goals.get(unit, pos.hex[unit])
            used |= 1 << place
            self.units.append(unit)
            imagined.hex[unit] = place
            attack += attack_factor(war, pos, unit)
            shifts = sum(shift.columns for shift in ground(war, imagined, target, self.units))
            shifts += is_concentric(war, target, list(bits(used)))
            column = war.ladder.column(attack, defence) + shifts + support
            if column >= ENOUGH:
                break
        if self.units:
            prized = prize(war, pos, target, force.side)
            self.value = worth(war, force.side, war.ladder.clamp(column), steps, prized)


def _place(
    force: Force, unit: int, near: Mask, room: dict[int, int], target: int, used: Mask
) -> int:
    """From which hex a unit attacks: opposite to others, else with others, else where it is."""
    war, here = force.war, force.pos.hex[unit]
    best, score = -1, -1.0
    for hex in bits(force.reach[unit] & near):
        if room[hex] <= 0:
            continue
        value = 1.0 + (used >> hex & 1) + (2.0 if hex == here else 0.0)
        if used and is_concentric(war, target, [*bits(used), hex]):
            value += 1.5
        if value > score:
            best, score = hex, value
    return best
