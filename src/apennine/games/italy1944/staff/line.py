"""The German way: a line from coast to coast that nobody walks through, rings round beaches."""

from __future__ import annotations

from apennine.hexes import Mask, bits, mask_of

from ..rules.c04_zones import units_on_map, zone_of
from ..rules.c06_logistics import lines_to
from ..rules.c09_combat import attack_factor, defence_factor, works
from ..rules.c11_operations import MOST
from ..table.data import STACK
from ..table.position import ALLIED, GERMAN, Table
from ..table.war import War
from .force import Force, fit
from .ground import best_line, distances, front, strong_ground
from .mass import mass

LOSSES = (0.15, 0.5, 1.2)
"""What a hex of ground may be worth: lines far back and lines near the enemy are compared."""
TRIES = 5
"""Lines that are looked for until one can be manned."""
LEAK = 8.0
"""What it costs a line that the enemy can walk through it."""
CENTRE_OPEN = 3.0
"""What it costs a line that the enemy can walk to the logistic centre."""
TOWN = 0.15
"""What a point of the towns behind a line is worth."""
STRIKE = 0.6
"""What an attack on loose enemies must be worth to leave the line for it."""
LINE_STACK = 3
"""The most units that the bot puts into one hex of a German line."""
THREAT = 3
"""How near Allied units must be to a hex to count as a threat to it."""


def hold(force: Force) -> None:
    """Escort the centre, man the best line, shut what is open, strike at the loose, reinforce."""
    war, pos = force.war, force.pos
    if pos.turn == pos.last_turn:
        force.take_towns(deep=True)
    centre = pos.centre[GERMAN]
    _garrison(force, 1 << centre if centre >= 0 else 0)
    manned = choose_line(force)
    for hex, unit in manned.items():
        if unit in force.free:
            force.send(unit, hex)
    posts = [*manned, *_shut(force)]
    mass(force, force.enemy & ~front(war, pos), STRIKE)
    _garrison(force, _ports(war, pos) & ~mask_of(posts))
    _man(force, {hex: _need(force, hex) for hex in posts})
    _draw_near(force, posts)


def open_ground(war: War, allied: Mask, german: Mask) -> Mask:
    """Where Allied units could walk, however far, past German units and their zones (4.1)."""
    free = war.land & ~(german | zone_of(war, german))
    return war.lattice.flood_sides(allied, free | allied, war.open)


def is_open(war: War, allied: Mask, german: Mask) -> bool:
    """Whether some Allied unit could walk to a German supply hex past all German units."""
    return bool(open_ground(war, allied, german) & war.sources[GERMAN] & ~allied)


def choose_line(force: Force) -> dict[int, int]:
    """The posts of the best line that can be manned, each with its unit."""
    war, pos = force.war, force.pos
    free = lines_to(war, pos, GERMAN, war.sources[GERMAN]).mask & war.land & ~force.enemy
    main = front(war, pos)
    away = distances(war, main)
    within = force.all_reach() | mask_of(pos.hex[u] for u in force.settled)
    walled = free & ~_walls(war, force.enemy & ~main, main)
    best: dict[int, int] = {}
    score = float("-inf")
    for ground in {free, walled}:
        for loss in LOSSES:
            spared = ~within
            for _ in range(TRIES):
                line = best_line(war, pos, ground, loss, spared, away)
                manned = _match(force, line)
                value = _judge(force, line, manned, main)
                if value > score:
                    best, score = manned, value
                missing = mask_of(hex for hex in line if hex not in manned)
                if not missing:
                    break
                spared |= missing
    return best


def _walls(war: War, loose: Mask, main: Mask) -> Mask:
    """Hexes from the enemy's loose units to his front, so that a line must go round both."""
    wall = 0
    away = distances(war, main)
    for hex in bits(loose):
        if away[hex] < len(away):
            near = min(bits(main), key=lambda h: (war.lattice.distance(h, hex), h))
            wall |= mask_of(war.lattice.line(hex, near))
    return wall | zone_of(war, wall)


def _judge(force: Force, line: list[int], manned: dict[int, int], main: Mask) -> float:
    """How good a line is: the ground it stands on, what it covers, and whether it is shut."""
    war, pos = force.war, force.pos
    if not line:
        return -1000.0
    strong = strong_ground(war, works(war, pos))
    posts = mask_of(manned)
    reached = open_ground(war, force.enemy & main, posts)
    points = sum(worth for hexes, worth in war.prizes_on_map if not hexes & (reached | pos.control))
    value = TOWN * points - 0.5 * len(line) + 0.3 * sum(strong[hex] for hex in manned)
    value -= LEAK * bool(reached & war.sources[GERMAN])
    if pos.centre[GERMAN] >= 0 and zone_of(war, reached) >> pos.centre[GERMAN] & 1:
        value -= CENTRE_OPEN
    if is_open(war, force.enemy & ~main, posts):
        value -= 0.5 * LEAK
    return value


def _match(force: Force, line: list[int]) -> dict[int, int]:
    """A unit for each post, if all can be manned at once; else for as many as possible."""
    pos = force.pos
    able: dict[int, list[int]] = {}
    for hex in line:
        able[hex] = [u for u in force.free if force.reach[u] >> hex & 1]
        able[hex] += [u for u in force.settled if pos.hex[u] == hex]
        able[hex].sort(key=lambda u: (-fit(force, u, hex), u))
    taken: dict[int, int] = {}

    def find(hex: int, tried: set[int]) -> bool:
        for unit in able[hex]:
            if unit not in tried:
                tried.add(unit)
                if unit not in taken or find(taken[unit], tried):
                    taken[unit] = hex
                    return True
        return False

    for hex in sorted(line, key=lambda h: (len(able[h]), h)):
        find(hex, set())
    return {hex: unit for unit, hex in taken.items()}


def _shut(force: Force) -> list[int]:
    """Posts in whatever gaps are left, as long as anybody is free to go there."""
    war = force.war
    posts: list[int] = []
    while force.free:
        held = mask_of(hex for hex in range(war.lattice.size) if force.held[hex])
        reached = open_ground(war, force.enemy, held)
        if not reached & war.sources[GERMAN]:
            break
        sites = force.all_reach() & zone_of(war, reached) & ~held
        ranked = [
            (open_ground(war, force.enemy, held | 1 << h).bit_count(), h) for h in bits(sites)
        ]
        if not ranked or min(ranked)[0] >= reached.bit_count() - 3:
            break
        hex = min(ranked)[1]
        able = [u for u in force.free if force.reach[u] >> hex & 1]
        if not able:
            break
        force.send(max(able, key=lambda u: (fit(force, u, hex), -u)), hex)
        posts.append(hex)
    return posts


def _need(force: Force, hex: int) -> float:
    """How strong the Allies could come against a hex, less for good ground."""
    war, pos = force.war, force.pos
    away = distances(war, 1 << hex)
    factors = sorted(
        (
            attack_factor(war, pos, unit) / (1 if away[pos.hex[unit]] < THREAT else 2)
            for unit in units_on_map(war, pos, ALLIED)
            if away[pos.hex[unit]] <= THREAT
        ),
        reverse=True,
    )
    strength = sum(factors[: 2 * STACK]) + 10
    return strength * 0.8 ** strong_ground(war, works(war, pos))[hex]


def _garrison(force: Force, posts: Mask) -> None:
    """One unit, the weakest that can be had, in each of some hexes."""
    pos = force.pos
    for hex in bits(posts):
        able = [u for u in force.free if force.reach[u] >> hex & 1]
        able = [u for u in able if pos.hex[u] == hex or not force.zone >> pos.hex[u] & 1] or able
        if able and not force.held[hex]:
            force.send(min(able, key=lambda u: (_cost(force, u, hex), u)), hex)


def _cost(force: Force, unit: int, hex: int) -> int:
    """What a unit is missed elsewhere; who is there already is missed less."""
    value = defence_factor(force.war, force.pos, unit)
    return value - 4 if force.pos.hex[unit] == hex else value


def _ports(war: War, pos: Table) -> Mask:
    """The ports worth points where a landing may still come."""
    if len(pos.launched) == MOST:
        return 0
    towns = mask_of(hex for hexes, _ in war.prizes_on_map for hex in bits(hexes))
    return towns & war.ports & ~pos.control


def _man(force: Force, need: dict[int, float]) -> None:
    """Unit by unit to the hex of the line that lacks most, from who can get there."""
    war, pos = force.war, force.pos
    strength = dict.fromkeys(need, 0.0)
    for unit in units_on_map(war, pos, GERMAN):
        if unit not in force.free and pos.hex[unit] in strength:
            hex = force.goals.get(unit, pos.hex[unit])
            if hex in strength:
                strength[hex] += defence_factor(war, pos, unit)
    open_posts = set(need)
    while force.free and open_posts:
        hex = max(open_posts, key=lambda h: (need[h] / (strength[h] + 4), h))
        able = [u for u in force.free if force.reach[u] >> hex & 1]
        if not able or not force.has_room(hex, LINE_STACK):
            open_posts.remove(hex)
            continue
        unit = max(able, key=lambda u: (fit(force, u, hex), -u))
        strength[hex] += defence_factor(war, pos, unit)
        force.send(unit, hex)


def _draw_near(force: Force, posts: list[int]) -> None:
    """Who cannot get to the line comes nearer, out of the enemy's zone."""
    war, pos = force.war, force.pos
    away = distances(war, mask_of(posts) or war.sources[GERMAN])
    for unit in tuple(force.free):
        ends = [hex for hex in bits(force.reach[unit]) if force.has_room(hex)]
        safe = [hex for hex in ends if not force.zone >> hex & 1]
        if ends:
            best = min(safe or ends, key=lambda h: (away[h], h != pos.hex[unit], h))
            force.send(unit, best)
