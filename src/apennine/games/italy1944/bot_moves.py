"""Where the bot wants its units: the Allies to mass and advance, the Germans to hold a line."""

from __future__ import annotations

from apennine.hexes import Mask, bits, mask_of

from .bot_ground import (
    best_line,
    closest_line,
    distances,
    front,
    objectives,
    pull,
    strength_of_ground,
)
from .bot_odds import MOST_SUPPORT, markers_left, prize, worth
from .combat import attack_factor, defence_factor, ground, is_concentric, is_moving_away
from .data import STACK
from .logistics import LONG, LONGEST, allowance, by_beaches, lines
from .movement import find_march, may_march, unmoved
from .position import ALLIED, GERMAN, Table
from .stacking import fighting
from .war import War
from .zones import bridges, next_to, occupied, units_on_map, zone_of

ENOUGH = 6
"""The column from which more attackers would be wasted."""
BEACH_GUARD = 2
"""Units that stay at a beachhead which the enemy is near."""
NEAR_BEACH = 6
"""How near the enemy must be for that, in hexes."""
LINE_STACK = 3
"""The most units that the bot puts into one hex of a German line."""
THREAT = 3
"""How near Allied units must be to a hex to count as a threat to it."""

Goals = dict[int, int]
"""Where each unit should go; who has none stays."""


class Force:
    """The units that can still move, where each can go, and what has been decided so far."""

    def __init__(self, war: War, pos: Table) -> None:
        self.war, self.pos, self.side = war, pos, pos.side
        self.enemy = occupied(war, pos, 1 - pos.side)
        self.zone = zone_of(war, self.enemy)
        self.free = unmoved(war, pos)
        self.reach = {unit: self._reach(unit) for unit in self.free}
        self.goals: Goals = {}
        self.busy: Mask = 0
        """Units that are to attack."""
        self.held = [0] * (war.board.size + 1)
        """Units that will be in each hex: those that cannot move, and those with a goal."""
        movable = set(self.free)
        for unit in units_on_map(war, pos, pos.side):
            if unit not in movable:
                self.held[pos.hex[unit]] += 1

    def _reach(self, unit: int) -> Mask:
        war, pos = self.war, self.pos
        points = allowance(war, pos, unit)
        asked = pos.copy()
        asked.movers = 1 << unit
        found = find_march(
            war,
            war.pace[unit],
            bridges(war, pos, self.side),
            pos.hex[unit],
            points,
            points if may_march(war, asked) else 0,
            True,
            self.enemy,
            0,
        )
        return found.ends | 1 << pos.hex[unit]

    def send(self, unit: int, hex: int) -> None:
        """A unit gets its goal."""
        self.goals[unit] = hex
        self.free.remove(unit)
        self.held[hex] += 1

    def has_room(self, hex: int, limit: int = STACK) -> bool:
        return self.held[hex] < limit

    def all_reach(self) -> Mask:
        """The hexes that somebody can get to."""
        mask = 0
        for reached in self.reach.values():
            mask |= reached
        return mask

    def take_towns(self, *, deep: bool) -> None:
        """Whoever can walk into an enemy town worth points does so; the Germans not too far."""
        war, pos = self.war, self.pos
        for hexes, _ in objectives(war, pos, self.side):
            open_towns = hexes & ~self.enemy
            for unit in self.free:
                town = self.reach[unit] & open_towns
                if town and (deep or zone_of(war, town) & ~pos.control):
                    self.send(unit, next(bits(town)))
                    break


def plan(war: War, pos: Table) -> Goals:
    """Where the units of the active side should go from here."""
    force = Force(war, pos)
    if pos.side == ALLIED:
        _advance(force)
    else:
        _hold(force)
    return force.goals


def _advance(force: Force) -> None:
    """The Allied way: guard the beaches, take open towns, mass against the weak, then close up."""
    _guard_beaches(force)
    force.take_towns(deep=True)
    _form_line(force)
    if not is_moving_away(force.pos, ALLIED):
        _mass(force)
    _close_up(force)


def _guard_beaches(force: Force) -> None:
    war, pos = force.war, force.pos
    away = distances(war, force.enemy)
    for beach in pos.beaches:
        if beach < 0 or away[beach] > NEAR_BEACH:
            continue
        linked = front(war, pos) >> beach & 1
        guards = [u for u in force.free if pos.hex[u] == beach]
        guards.sort(key=lambda u: -defence_factor(war, pos, u))
        for unit in guards[: 1 if linked else BEACH_GUARD]:
            force.send(unit, beach)


def _form_line(force: Force) -> None:
    """One unit for each hex of the line, so that nobody slips through."""
    war, pos = force.war, force.pos
    for hex in closest_line(war, pos, force.all_reach()):
        if force.held[hex]:
            continue
        able = [u for u in force.free if force.reach[u] >> hex & 1]
        if able:
            force.send(max(able, key=lambda u: (_fit(force, u, hex), -u)), hex)


def _mass(force: Force) -> None:
    """Choose the attacks that pay best, one after the other, and send who is needed."""
    war, pos = force.war, force.pos
    targets = list(bits(force.enemy))
    markers = markers_left(war, pos, ALLIED, coast=False)
    while targets:
        hope = min(MOST_SUPPORT, markers)
        markers -= hope
        found = [Attack(force, target, hope) for target in targets]
        best = max(found, key=lambda attack: (attack.value, -attack.target))
        if best.value <= 0:
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


def _close_up(force: Force) -> None:
    """Everybody else goes on towards the objectives, in supply and not alone among enemies."""
    war, pos = force.war, force.pos
    draw = pull(war, objectives(war, pos, force.side))
    found = lines(war, pos, force.side)
    near = found.within(LONG) | by_beaches(war, pos, force.side)
    far = found.within(LONGEST)
    ahead = distances(war, force.enemy)
    beach_fed = by_beaches(war, pos, ALLIED) & ~found.mask
    for unit in sorted(force.free, key=lambda u: draw[pos.hex[u]]):
        best, score = pos.hex[unit], -1000.0
        at_beach = beach_fed >> pos.hex[unit] & 1
        for hex in bits(force.reach[unit]):
            if not force.has_room(hex):
                continue
            value = -0.4 * draw[hex] - 0.6 * ahead[hex]
            if not near >> hex & 1:
                value -= 1.0 if far >> hex & 1 else 2.5 if found.mask >> hex & 1 else 8.0
            if at_beach and not beach_fed >> hex & 1:
                value -= 4.0
            if force.zone >> hex & 1:
                value -= max(0.0, 1.5 - 0.75 * force.held[hex])
            if hex == pos.hex[unit]:
                value += 0.2
            if value > score:
                best, score = hex, value
        force.send(unit, best)


def _hold(force: Force) -> None:
    """The German way: garrisons in the rear, a line from coast to coast, a ring round beaches."""
    war, pos = force.war, force.pos
    if pos.turn == pos.last_turn:
        force.take_towns(deep=True)
    line = best_line(war, pos, force.all_reach())
    posts = [*line, *_rings(force, line)]
    need = {hex: _need(force, hex) for hex in posts}
    _garrison(force, mask_of(posts))
    _man(force, need)
    _draw_near(force, posts)


def _rings(force: Force, line: list[int]) -> list[int]:
    """The hexes round Allied units that are cut off from their main body."""
    war, pos = force.war, force.pos
    main = front(war, pos)
    loose = force.enemy & ~main
    ring = zone_of(war, loose) & ~pos.control & ~mask_of(line)
    return list(bits(ring & ~zone_of(war, main)))


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
    return strength * 0.8 ** strength_of_ground(war, pos, hex)


def _garrison(force: Force, line: Mask) -> None:
    """One unit in each port worth points behind the line, and one with the centre."""
    war, pos = force.war, force.pos
    towns = mask_of(hex for hexes, _ in war.prizes_on_map for hex in bits(hexes))
    posts = towns & war.ports & ~pos.control & ~line
    if pos.centre[GERMAN] >= 0:
        posts |= 1 << pos.centre[GERMAN]
    for hex in bits(posts & ~line):
        able = [u for u in force.free if force.reach[u] >> hex & 1]
        able = [
            u for u in able if pos.hex[u] == hex or not zone_of(war, force.enemy) >> pos.hex[u] & 1
        ]
        if able:
            unit = min(able, key=lambda u: (pos.hex[u] != hex, defence_factor(war, pos, u), u))
            force.send(unit, hex)


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
        unit = max(able, key=lambda u: (_fit(force, u, hex), -u))
        strength[hex] += defence_factor(war, pos, unit)
        force.send(unit, hex)


def _fit(force: Force, unit: int, hex: int) -> float:
    """How gladly a unit takes a post: strong ones, and those that are there already."""
    here = force.pos.hex[unit]
    value = float(defence_factor(force.war, force.pos, unit))
    return value + 8 if here == hex else value - force.war.lattice.distance(here, hex)


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
