"""What the German wants: a line from sea to sea, no raiders behind it, and attacks that win."""

from __future__ import annotations

from functools import lru_cache

from apennine.hexes import Mask, bits, mask_of

from ..table.war import FIFTH_PANZER, SECOND_SS, War
from .axes import prepare, staging
from .ground import Man, best_line, distances, leak, marches
from .mind import Goal, Mind
from .posts import Posts, ready
from .retreat import leave, stand_by

RAID = 5
"""So many hexes ahead of all others, one Allied stack is a raid and no front."""
BACK = (0, 2, 4, 7, 10)
"""How much farther back than it could be a line is thought of."""
GROUND = 0.2
"""What a hex of ground given up costs."""
NAPLES, UNTIL = 6.0, 10
"""What it is worth at first that the line keeps the port of Naples shut; it sinks every turn, and
to nothing on this one."""
TOO_LATE = 2.5
"""What a post costs that the enemy gets to before its garrison."""
UNMANNED = 4.0
"""What a post costs for which there is nobody."""
LENGTH = 0.5
"""What each post costs: the fewer there are, the more divisions are left to back them."""
OPEN = 0.4
"""What it costs, against what the enemy gains by it, that a line lets him pass on the first day."""
SHUT = 3.0
"""What it is worth besides that a division gets to its post when the line is shut by that."""
HUNTERS = 2
"""The divisions sent against each raider."""


def front(mind: Mind) -> Mask:
    """The Allied stacks that a line must shut out; not a raid far ahead of the others."""
    home = distances(mind.war, mind.war.north)
    stacks = sorted(mind.enemies, key=lambda hex: home[hex])
    if len(stacks) > 1 and home[stacks[1]] - home[stacks[0]] > RAID:
        stacks = stacks[1:]
    return mask_of(stacks)


def german_line(mind: Mind) -> tuple[int, ...]:
    """The posts of the line from sea to sea: as far forward as it can be manned in time."""
    naples = NAPLES * max(0.0, 1 - mind.pos.turn / UNTIL)
    return chosen_line(mind.war, front(mind), mind.pos.forts, mind.ring, mind.manned, naples)


@lru_cache(32)
def chosen_line(
    war: War,
    enemy: Mask,
    forts: Mask,
    ring: Mask,
    manned: tuple[Man, ...],
    naples: float,
) -> tuple[int, ...]:
    """Of several lines, one behind the other, the one that costs least to hold."""
    best: tuple[int, ...] = ()
    least = 999.0
    here = tuple(man for man in manned if war.bit[man.hex])
    for back in BACK:
        line = best_line(war, enemy, forts, ring, here, back)
        if not line:
            continue
        cost = holding(war, enemy, line, manned) + GROUND * back
        cost += OPEN * leak(war, enemy, evening(war, line, manned))
        cost -= naples * bool(ring & mask_of(line))
        if cost < least:
            best, least = line, cost
    return best


def holding(war: War, enemy: Mask, line: tuple[int, ...], manned: tuple[Man, ...]) -> float:
    """What is wrong with a line: posts that nobody gets to before the enemy does."""
    away = distances(war, enemy)
    cost, orders = 0.0, 0
    shared = share_out(war, line, manned)
    for turns, _, post in shared:
        late = turns - 1 - max(0, away[post] - 2) / 12
        cost += 0.3 * turns + (TOO_LATE + late if late > 0 else 0.0)
        orders += turns > 0
    spare = max(0, orders - war.book.command.german)
    return cost + UNMANNED * (len(line) - len(shared)) + spare + LENGTH * len(line)


@lru_cache(64)
def share_out(
    war: War, line: tuple[int, ...], manned: tuple[Man, ...]
) -> list[tuple[float, Man, int]]:
    """Who goes to which post, the shortest marches first: the turns, the man, the post."""
    pairs: list[tuple[float, Man, int]] = []
    for man in manned:
        for post in line:
            field = marches(war, man.pace, 1 << post)
            inside = bool(war.bit[man.hex])
            away = field[man.hex] if inside else 1 + min(field[h] for h in bits(war.north))
            pairs.append((away / (16 if man.pace == 2 else 8), man, post))
    free, open_posts = set(manned), set(line)
    found: list[tuple[float, Man, int]] = []
    for turns, man, post in sorted(pairs):
        if man in free and post in open_posts:
            free.remove(man)
            open_posts.remove(post)
            found.append((turns, man, post))
    return found


def evening(war: War, line: tuple[int, ...], manned: tuple[Man, ...]) -> Mask:
    """Where divisions will be once as many have gone to their posts as the points allow."""
    places = {man: man.hex for man in manned}
    points = war.book.command.german
    for turns, man, post in share_out(war, line, manned):
        if 0 < turns * (16 if man.pace == 2 else 8) <= man.points and points:
            points -= 1
            places[man] = post
    return mask_of(hex for hex in places.values() if war.bit[hex])


def german_goals(mind: Mind) -> dict[int, Goal]:
    """10th Army hunts raiders and holds the line; the armies that Hitler sends attack."""
    war = mind.war
    posts = Posts(mind, ready(mind))
    leave(posts)
    stand_by(posts)
    storm = [u for u in posts.free if war.group[u] in (SECOND_SS, FIFTH_PANZER)]
    if storm:
        assault = Posts(mind, storm)
        prizes = mind.beaches or war.prizes & mind.pos.control
        prepare(assault, sorted({*mind.enemies, *bits(prizes)}))
        posts.free -= set(assault.goals)
        posts.goals |= assault.goals
        for hex, units in assault.held.items():
            posts.held[hex] = units
    line = german_line(mind)
    shut = front(mind)
    if leak(war, shut, evening(war, line, mind.manned)):
        shut = 0
    hunt(posts, mind.raiders & ~shut)
    needs = {hex: 0.3 + mind.threat(hex) for hex in line}
    for hex in line:
        if mind.ring >> hex & 1:
            needs[hex] += 1.0
    urgent = SHUT if shut and mind.leaking else 0.0
    for _, man, hex in share_out(war, line, mind.manned):
        if man.unit in posts.free and posts.room(man.unit, hex):
            posts.send(man.unit, hex, 1.0 + 0.4 * needs[hex] + urgent)
    posts.man(needs)
    return posts.goals


def hunt(posts: Posts, raiders: Mask) -> None:
    """Two divisions, from near by, against each raider in the rear."""
    mind = posts.mind
    for raider in bits(raiders):
        stage = staging(mind, raider)
        for _ in range(HUNTERS):
            unit = posts.best(stage, latest=1.5) if stage >= 0 else -1
            if unit >= 0:
                posts.send(unit, stage, 3.0)
