"""What the German wants: a line from sea to sea, no raiders behind it, and attacks that win."""

from __future__ import annotations

from apennine.bots.staff.ground import FAR, arrivals, chain
from apennine.bots.staff.line import prices
from apennine.hexes import Mask, bits, mask_of

from ..table.war import FIFTH_PANZER, SECOND_SS
from .endrun import leave, stand_by
from .force import Force, ready, staging
from .mind import Goals, Man, Mind, Staff

Manned = tuple[Man, ...]
Line = tuple[int, ...]


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
    line = german_line(mind)
    shut = front(mind)
    if mind.staff.leak(shut, tonight(mind.staff, line, mind.manned)):
        shut = 0
    hunt(force, mind.raiders & ~shut)
    needs = {hex: 0.3 + mind.threat(hex) + (mind.ring >> hex & 1) for hex in line}
    urgent = weights.shut if shut and mind.leaking else 0.0
    for _, man, hex in share_out(mind.staff, line, mind.manned):
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


def front(mind: Mind) -> Mask:
    """The Allied stacks that a line must shut out; not a raid far ahead of the others."""
    home = mind.staff.home
    stacks = sorted(mind.enemies, key=lambda hex: (home[hex], hex))
    if len(stacks) > 1 and home[stacks[1]] - home[stacks[0]] > mind.weights.raid:
        stacks = stacks[1:]
    return mask_of(stacks)


def german_line(mind: Mind) -> Line:
    """The posts of the line from sea to sea: of several, one behind the other, the cheapest."""
    weights, staff, manned = mind.weights, mind.staff, mind.manned
    naples = weights.naples * max(0.0, 1 - mind.pos.turn / weights.naples_until[mind.tiber])
    enemy, forts, ring, tiber = front(mind), mind.pos.forts, mind.ring, mind.tiber

    def cost(line: Line, back: int) -> float:
        held = naples * bool(ring & mask_of(line))
        leak = staff.leak(enemy, tonight(staff, line, manned))
        open_tonight = weights.open * leak
        lost = weights.ground[tiber] * back
        return holding(staff, enemy, line, manned) + lost + open_tonight - held

    def choose() -> Line:
        lines = [(best_line(staff, enemy, forts, ring, manned, b), b) for b in weights.backs]
        costs = [(cost(line, back), line) for line, back in lines if line]
        return min(costs, key=lambda pair: pair[0])[1] if costs else ()

    return staff.kept((enemy, forts, ring, manned, naples, tiber), choose)


def best_line(
    staff: Staff, enemy: Mask, forts: Mask, keys: Mask, manned: Manned, back: int = 0
) -> Line:
    """The cheapest posts between the enemy and the north, so much farther back than can be."""
    war, ground, home, weights = staff.war, staff.ground, staff.home, staff.weights
    away = ground.distances(enemy)
    most = min((home[hex] for hex in bits(enemy)), default=FAR) - 1
    hexes = mask_of(
        hex
        for hex in bits(war.land & ~enemy)
        if most + away[hex] - back >= home[hex] >= most - back - weights.depth
    )
    here = [(man.hex, man.pace, man.column) for man in manned if war.bit[man.hex]]
    soon = staff.kept(("soon", manned), lambda: arrivals(ground, here))
    strong = staff.kept(("strong", forts), lambda: strong_ground(staff, forts))
    lost = [most + 4 - away for away in home]
    price = prices(ground, hexes, weights.line, strong, lost, soon=soon, enemy=enemy, keys=keys)
    return tuple(chain(ground, price, staff.shores, weights.line.gaps, weights.line.offshore))


def strong_ground(staff: Staff, forts: Mask) -> list[int]:
    """By hex, by how much the ground lowers the fire of attackers (13.13a, 9.8i)."""
    war, modifiers = staff.war, staff.war.book.modifiers
    found = [0] * war.lattice.size
    masks = {name: war.terrain[name] for name in ("mountain", "marsh")}
    for name, mask in (masks | {"city": war.cities, "fort": forts}).items():
        for hex in bits(mask):
            found[hex] -= modifiers[name].attack
    return found


def holding(staff: Staff, enemy: Mask, line: Line, manned: Manned) -> float:
    """What is wrong with a line: posts that nobody gets to before the enemy does."""
    weights, away = staff.weights, staff.ground.distances(enemy)
    shared = share_out(staff, line, manned)
    cost = weights.length * len(line) + weights.unmanned * (len(line) - len(shared))
    for turns, _, post in shared:
        late = turns - 1 - max(0, away[post] - 2) / 12
        cost += 0.3 * turns + (weights.too_late + late if late > 0 else 0.0)
    orders = sum(turns > 0 for turns, _, _ in shared)
    return cost + max(0, orders - staff.war.book.command.german)


def share_out(staff: Staff, line: Line, manned: Manned) -> list[tuple[float, Man, int]]:
    """Who goes to which post, the shortest marches first: turns in column, man, post."""
    war, marches = staff.war, staff.ground.marches

    def share() -> list[tuple[float, Man, int]]:
        pairs: list[tuple[float, Man, int]] = []
        for man in manned:
            for post in line:
                field = marches(man.pace, 1 << post)
                inside = bool(war.bit[man.hex])
                away = field[man.hex] if inside else 1 + min(field[h] for h in bits(war.north))
                pairs.append((away / man.column, man, post))
        free, posts, found = set(manned), set(line), list[tuple[float, Man, int]]()
        for turns, man, post in sorted(pairs):
            if man in free and post in posts:
                free.remove(man)
                posts.remove(post)
                found.append((turns, man, post))
        return found

    return staff.kept(("shared", line, manned), share)


def tonight(staff: Staff, line: Line, manned: Manned) -> Mask:
    """Where divisions will be once as many have gone to their posts as the points allow."""
    places = {man: man.hex for man in manned}
    points = staff.war.book.command.german
    for turns, man, post in share_out(staff, line, manned):
        if 0 < turns * man.column <= man.tonight and points:
            points -= 1
            places[man] = post
    return mask_of(hex for hex in places.values() if staff.war.bit[hex])
