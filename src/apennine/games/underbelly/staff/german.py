"""What the German wants: a line from sea to sea, no raiders behind it, and attacks that win."""

from __future__ import annotations

from apennine.bots.staff.posts import Goals
from apennine.hexes import Mask, bits, mask_of

from ..table.war import FIFTH_PANZER, SECOND_SS
from .endrun import leave, stand_by
from .force import Force, ready, staging
from .mind import Mind, Staff


def german_goals(mind: Mind) -> Goals:
    """10th Army hunts raiders and holds the line; the armies that Hitler sends attack."""
    war, weights = mind.war, mind.weights
    force = Force(mind, ready(mind))
    leave(force)
    stand_by(force)
    storm = Force(mind, [u for u in force.free if war.group[u] in (SECOND_SS, FIFTH_PANZER)])
    if storm.free:
        prizes = mind.beaches or war.prizes & mind.pos.control
        storm.prepare(sorted({*mind.enemies, *bits(prizes)}))
        force.take_over(storm)
    line, front, shut = german_line(mind), mind.staff.front, mind.front
    if front.leak(shut, front.tonight(line, mind.manned)):
        shut = 0
    hunt(force, mind.raiders & ~shut)
    needs = {hex: 0.3 + mind.threat(hex) + (mind.ring >> hex & 1) for hex in line}
    urgent = weights.shut if shut and mind.leaking else 0.0
    for _, man, hex in front.share_out(line, mind.manned):
        if man.unit in force.free and force.room(man.unit, hex):
            force.send(man.unit, hex, 1.0 + 0.4 * needs[hex] + urgent)
    force.reinforce(needs)
    return force.goals


def hunt(force: Force, raiders: Mask) -> None:
    """Divisions from near by against each raider in the rear."""
    for raider in bits(raiders):
        stage = staging(force.mind, raider)
        for _ in range(force.mind.weights.hunters):
            unit = force.nearest(stage, 1.5) if stage >= 0 else -1
            if unit >= 0:
                force.send(unit, stage, 3.0)


def german_line(mind: Mind) -> tuple[int, ...]:
    """The posts of the line from sea to sea: of several, one behind the other, the cheapest."""
    weights, staff, men = mind.weights, mind.staff, mind.manned
    naples = weights.naples * max(0.0, 1 - mind.pos.turn / weights.naples_until[mind.tiber])
    enemy, forts, ring, tiber = mind.front, mind.pos.forts, mind.ring, mind.tiber

    def more(line: tuple[int, ...], back: int) -> float:
        return weights.ground[tiber] * back - naples * bool(ring & mask_of(line))

    def choose() -> tuple[int, ...]:
        strong = staff.front.shelf.get(("strong", forts), lambda: strong_ground(staff, forts))
        return staff.front.best(enemy, men, strong, ring, more)

    return staff.front.shelf.get((enemy, forts, ring, men, naples, tiber), choose)


def strong_ground(staff: Staff, forts: Mask) -> list[int]:
    """By hex, by how much the ground lowers the fire of attackers (13.13a, 9.8i)."""
    war, modifiers = staff.war, staff.war.book.modifiers
    found = [0] * war.lattice.size
    masks = {name: war.terrain[name] for name in ("mountain", "marsh")}
    for name, mask in (masks | {"city": war.cities, "fort": forts}).items():
        for hex in bits(mask):
            found[hex] -= modifiers[name].attack
    return found
