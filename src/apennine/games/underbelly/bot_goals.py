"""What each side wants: the posts of its line, the places it must hold, the hexes to attack."""

from __future__ import annotations

from functools import lru_cache

from apennine.hexes import Mask, bits, mask_of

from .bot_ground import FAR, MECHANISED, best_line, distances, marches
from .bot_mind import Goal, Mind
from .bot_posts import Posts
from .budget import is_open
from .position import ALLIED, GERMAN
from .war import FIFTH_PANZER, SECOND_SS, TENTH, War

RAID = 5
"""So many hexes ahead of all others, one Allied stack is a raid and no front."""
AXES = 8
"""The enemy stacks that are attacked at once."""
BACK = (0, 2, 4, 7)
"""How much farther back than it could be a line is thought of."""
GROUND = 0.25
"""What a hex of ground given up costs."""
NAPLES = 2.0
"""What it is worth that the line keeps the port of Naples shut."""
TOO_LATE = 2.5
"""What a post costs that the enemy gets to before its garrison."""
UNMANNED = 4.0
"""What a post costs for which there is nobody."""
HUNTERS = 2
"""The divisions sent against each raider."""
GARRISON = 1.6
"""The most that a garrison needs, in hits of a volley."""
REACTION = 6
"""The steps that are sent against an end-run."""
DUTY = 12.0
"""What it is worth to leave the map when that is due."""
RUN = 3.0
"""A way out of the map that is no longer than so many turns is taken."""


def goals(mind: Mind) -> dict[int, Goal]:
    """The goal of every unit that has one."""
    return allied_goals(mind) if mind.side == ALLIED else german_goals(mind)


def ready(mind: Mind) -> list[int]:
    """The side's units that are in play and can be moved about."""
    war, pos = mind.war, mind.pos
    closed = {war.end_run} if pos.army_entered or pos.army_due else {war.end_run, war.fifth}
    start, stop = war.spans[mind.side]
    units = [u for u in range(start, stop) if pos.hex[u] >= 0 and pos.hex[u] not in closed]
    return [u for u in units if u != war.airborne or war.bit[pos.hex[u]]]


# The German


def front(mind: Mind) -> Mask:
    """The Allied stacks that a line must shut out; not a raid far ahead of the others."""
    home = distances(mind.war, mind.war.north)
    stacks = sorted(mind.enemies, key=lambda hex: home[hex])
    if len(stacks) > 1 and home[stacks[1]] - home[stacks[0]] > RAID:
        stacks = stacks[1:]
    return mask_of(stacks)


def german_line(mind: Mind) -> tuple[int, ...]:
    """The posts of the line from sea to sea: as far forward as it can be manned in time."""
    return chosen_line(mind.war, front(mind), mind.pos.forts, mind.ring, mind.manned)


@lru_cache(32)
def chosen_line(
    war: War,
    enemy: Mask,
    forts: Mask,
    ring: Mask,
    manned: tuple[tuple[int, int], ...],
) -> tuple[int, ...]:
    """Of several lines, one behind the other, the one that costs least to hold."""
    best: tuple[int, ...] = ()
    least = 999.0
    here = tuple(man for man in manned if war.bit[man[0]])
    for back in BACK:
        line = best_line(war, enemy, forts, ring, here, back)
        if not line:
            continue
        cost = holding(war, enemy, line, manned) + GROUND * back
        cost -= NAPLES * bool(ring & mask_of(line))
        if cost < least:
            best, least = line, cost
    return best


def holding(
    war: War, enemy: Mask, line: tuple[int, ...], manned: tuple[tuple[int, int], ...]
) -> float:
    """What is wrong with a line: posts that nobody gets to before the enemy does."""
    away = distances(war, enemy)
    pairs: list[tuple[float, int, int]] = []
    for man, (start, mobility) in enumerate(manned):
        points = 2 * (8 if mobility == MECHANISED else 4)
        for post in line:
            field = marches(war, mobility, 1 << post)
            steps = field[start] if war.bit[start] else 1 + min(field[h] for h in bits(war.north))
            pairs.append((steps / points, man, post))
    free, open_posts, cost, orders = set(range(len(manned))), set(line), 0.0, 0
    for turns, man, post in sorted(pairs):
        if man in free and post in open_posts:
            free.remove(man)
            open_posts.remove(post)
            late = turns - 1 - max(0, away[post] - 2) / 12
            cost += 0.3 * turns + (TOO_LATE + late if late > 0 else 0.0)
            orders += turns > 0
    spare = max(0, orders - war.book.command.german)
    return cost + UNMANNED * len(open_posts) + spare


def german_goals(mind: Mind) -> dict[int, Goal]:
    """10th Army hunts raiders and holds the line; the armies that Hitler sends attack."""
    war = mind.war
    posts = Posts(mind, ready(mind))
    leave(posts)
    storm = [u for u in posts.free if war.group[u] in (SECOND_SS, FIFTH_PANZER)]
    if storm:
        assault = Posts(mind, storm)
        man_axes(assault, german_targets(mind))
        posts.free -= set(assault.goals)
        posts.goals |= assault.goals
        for hex, units in assault.held.items():
            posts.held[hex] = units
    hunt(posts)
    line = german_line(mind)
    needs = {hex: 0.3 + mind.threat(hex) for hex in line}
    for hex in line:
        if mind.ring >> hex & 1:
            needs[hex] += 1.0
    posts.man(needs)
    return posts.goals


def wants_exit(mind: Mind) -> bool:
    """Whether Germans should leave the map: they owe steps, or an invasion must be met (8.16)."""
    war, pos = mind.war, mind.pos
    if mind.side != GERMAN or not is_open(pos):
        return mind.side == GERMAN and pos.owed > 0
    sent = sum(pos.steps[u] for u in war.members[GERMAN] if pos.hex[u] == war.end_run)
    return sent < REACTION


def leave(posts: Posts) -> None:
    """Those nearest to the north go, as many as the end-run demands."""
    mind = posts.mind
    if not wants_exit(mind):
        return
    war, pos = mind.war, mind.pos
    wanted = pos.owed or REACTION
    fields = [marches(war, mobility, war.north) for mobility in range(len(war.moving_as))]
    able = [u for u in posts.free if war.bit[pos.hex[u]] and (pos.owed or war.group[u] == TENTH)]
    for unit in sorted(able, key=lambda u: (fields[war.mobility[u]][pos.hex[u]], u)):
        if wanted <= 0:
            return
        here = pos.hex[unit]
        door = min(bits(war.north), key=lambda h: (war.lattice.distance(here, h), h))
        posts.goals[unit] = Goal(door, DUTY)
        posts.free.discard(unit)
        wanted -= pos.steps[unit]


def hunt(posts: Posts) -> None:
    """Two divisions, from near by, against each raider in the rear."""
    mind = posts.mind
    for raider in bits(mind.raiders):
        stage = staging(mind, raider)
        for _ in range(HUNTERS):
            unit = posts.best(stage, latest=1.5) if stage >= 0 else -1
            if unit >= 0:
                posts.send(unit, stage, 3.0)


def german_targets(mind: Mind) -> dict[int, float]:
    """What the armies that came to attack should take, with its worth."""
    war, pos = mind.war, mind.pos
    prizes = mind.beaches or war.prizes & pos.control
    home = distances(war, prizes)
    targets: dict[int, float] = {}
    for hex in mind.enemies:
        targets[hex] = 3.0 - 0.4 * home[hex]
    for hex in bits(prizes):
        targets[hex] = 5.0
    return targets


# The Allies


def allied_goals(mind: Mind) -> dict[int, Goal]:
    """Garrisons, a run for the north, towns that nobody holds, then attacks."""
    posts = Posts(mind, ready(mind))
    run_north(posts, latest=1.0)
    garrisons(posts)
    run_north(posts)
    seize_towns(posts)
    man_axes(posts, allied_targets(mind))
    return posts.goals


def run_north(posts: Posts, *, latest: float = RUN) -> None:
    """A unit that can get off the map before the enemy shuts the way goes."""
    mind = posts.mind
    war, pos = mind.war, mind.pos
    closed = mind.foe.occupied | mind.foe.zone
    best: tuple[float, int] | None = None
    for unit in sorted(posts.free):
        hex = pos.hex[unit]
        if war.supports >> unit & 1 or not war.bit[hex]:
            continue
        if pos.dropped and unit == war.airborne:
            continue
        away = marches(war, mind.pace(unit), war.north & ~closed, closed)[hex]
        turns = (away + 1) / war.printed[unit]
        if turns <= latest and (best is None or turns < best[0]):
            best = turns, unit
    if best:
        turns, unit = best
        field = marches(war, mind.pace(unit), war.north & ~closed, closed)
        exits = [hex for hex in bits(war.north) if field[hex] == 0]
        there = min(exits, key=lambda h: war.lattice.distance(h, pos.hex[unit]))
        posts.send(unit, there, 8.0 / max(turns, 0.5))


def garrisons(posts: Posts) -> None:
    """Who must not leave: the beaches before Naples is open, then the prizes."""
    mind = posts.mind
    war, pos = mind.war, mind.pos
    places: dict[int, float] = {}
    guarded = mind.beaches | (war.prizes & pos.control if mind.tiber else 0)
    for hex in bits(guarded):
        places[hex] = 0.3 + min(GARRISON, 0.5 * mind.threat(hex))
    order = sorted(places, key=lambda h: -places[h])
    for hex in order:  # somebody everywhere before anybody is doubled
        unit = posts.best(hex, latest=4.0)
        if unit >= 0:
            posts.send(unit, hex, 2.0 + places[hex])
    for hex in order:
        while posts.strength(hex) < places[hex]:
            unit = posts.best(hex, latest=4.0)
            if unit < 0:
                break
            posts.send(unit, hex, 2.0 + places[hex])
        unit = posts.best(hex, support=True, latest=2.0)
        if unit >= 0 and places[hex] > 1.0 and mind.pos.hex[unit] == hex:
            posts.send(unit, hex, 0.5)


def seize_towns(posts: Posts) -> None:
    """German towns with no German about: one division for each, if it is near."""
    mind = posts.mind
    war, pos = mind.war, mind.pos
    for hex in bits(war.towns & ~pos.control & mind.within & ~mind.foe.zone):
        able = [
            u
            for u in posts.free
            if not war.supports >> u & 1 and war.bit[pos.hex[u]] and mind.turns(u, hex) <= 2.5
        ]
        if able:
            posts.send(min(able, key=lambda u: (mind.turns(u, hex), u)), hex, 1.2)


def allied_targets(mind: Mind) -> dict[int, float]:
    """The German stacks, with what it is worth to be rid of them there."""
    war, pos = mind.war, mind.pos
    home = distances(war, war.north)
    nearest = min((home[hex] for hex in mind.enemies), default=FAR)
    targets: dict[int, float] = {}
    for hex, units in mind.enemies.items():
        value = 2.0 - 0.35 * mind.power(units) - 0.08 * (home[hex] - nearest)
        if mind.ring >> hex & 1:
            value += 2.5 + 0.1 * pos.turn
        if war.towns >> hex & 1:
            value += 0.7
        targets[hex] = value
    naples = war.ports[war.naples]
    if not pos.control >> naples & 1:
        targets[naples] = max(targets.get(naples, 0.0), 3.5)
    return targets


def man_axes(posts: Posts, targets: dict[int, float]) -> None:
    """Full stacks beside the targets that are worth most, from who is near."""
    mind = posts.mind
    war = mind.war
    movable = [u for u in posts.free if not war.supports >> u & 1]
    if not movable or not targets:
        return
    worth: dict[int, tuple[float, int]] = {}
    for target, value in targets.items():
        stage = staging(mind, target)
        if stage < 0:
            continue
        near = sorted(mind.turns(u, stage) for u in movable)[:3]
        worth[target] = value - 0.5 * sum(near) / len(near), stage
    axes = sorted(worth, key=lambda t: (-worth[t][0], t))[:AXES]
    stages: dict[int, float] = {}
    for target in axes:
        stages.setdefault(worth[target][1], max(0.3, 1.0 + 0.5 * targets[target]))
    for stage, weight in stages.items():
        fill(posts, stage, weight)
    for unit in sorted(posts.free):
        if stages:
            near = min(stages, key=lambda s: (mind.turns(unit, s), s))
            posts.goals[unit] = Goal(near, 0.4)


def fill(posts: Posts, hex: int, weight: float) -> None:
    """A stack of three divisions and a corps support unit for one hex."""
    for _ in range(3):
        unit = posts.best(hex, latest=6.0)
        if unit < 0:
            break
        posts.send(unit, hex, weight)
    unit = posts.best(hex, support=True, latest=6.0)
    if unit >= 0 and posts.held.get(hex):
        posts.send(unit, hex, 0.6 * weight)


def staging(mind: Mind, target: int) -> int:
    """The hex from which a target is best attacked; -1 if there is none."""
    war, pos = mind.war, mind.pos
    best, most = -1, -99.0
    free = war.around[target] & ~mind.foe.occupied
    free &= mind.within | war.lattice.cross(mind.within, war.open)
    if mind.side == GERMAN and pos.special_forces:
        free &= ~(1 << war.special_forces)
    river_free = mind.side == GERMAN and pos.turn <= war.book.river_grace
    for hex in bits(free):
        value = 0.5 * mind.power(mind.stacks.get(hex, 0))
        if not mind.net >> hex & 1:
            value -= 1.0
        if not river_free and war.river[war.lattice.direction(hex, target)] >> hex & 1:
            value -= 0.7
        value -= 0.3 * (war.around[hex] & mind.foe.divisions[1]).bit_count()
        if mind.side == ALLIED and mind.beaches >> hex & 1:
            value += 0.5
        if value > most:
            best, most = hex, value
    return best
