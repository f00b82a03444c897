"""The German way: a line from coast to coast that nobody walks through, rings round beaches."""

from __future__ import annotations

from collections.abc import Sequence

from apennine.bots.staff.ground import chain
from apennine.bots.staff.line import (
    Line,
    Manned,
    closed_by,
    leaks,
    manned_lines,
    prices,
    shut,
    walked,
    wall,
)
from apennine.bots.staff.posts import NEVER, draw_near, garrison, match, strengthen
from apennine.bots.staff.weights import LineWeights, changed
from apennine.hexes import Mask, bits, mask_of

from ..rules.c04_zones import units_on_map
from ..rules.c06_logistics import lines_to
from ..rules.c09_combat import works
from ..rules.c11_operations import MOST
from ..table.data import STACK
from ..table.position import ALLIED, GERMAN
from .force import Force
from .mind import Mind


def hold(force: Force) -> None:
    """Escort the centre, man the best line, shut what is open, strike at the loose, reinforce."""
    mind = force.mind
    if mind.pos.turn == mind.pos.last_turn:
        force.take_towns()
    _guard(force, [hex for hex in (mind.pos.centre[GERMAN],) if hex >= 0])
    manned = choose_line(force)
    for hex, unit in manned.items():
        if unit in force.free:
            force.send(unit, hex)
    line = [*manned, *shut(mind.ground, force, mind.enemy, mind.war.sources[GERMAN], force.fit)]
    force.prepare(mind.enemy & ~mind.front, mind.weights.strike)
    _guard(force, [port for port in bits(_ports(mind)) if port not in line])
    needs = {hex: _need(mind, hex) for hex in line}
    strengthen(force, needs, force.fit, mind.defence, most=mind.weights.stack, floor=4)
    away = mind.ground.distances(mask_of(line) or mind.war.sources[GERMAN])
    draw_near(force, lambda unit: _behind(force, unit, away))


def is_open(mind: Mind, allied: Mask, german: Mask) -> bool:
    """Whether some Allied unit could walk to a German supply hex past all German units (4.1)."""
    ground = mind.ground
    return bool(leaks(ground, allied, closed_by(ground, german), mind.war.sources[GERMAN]))


def choose_line(force: Force) -> dict[int, int]:
    """The posts of the best line that can be manned, each with its unit."""
    mind = force.mind
    war, pos, ground, weights = mind.war, mind.pos, mind.ground, mind.weights
    free = lines_to(war, pos, GERMAN, war.sources[GERMAN]).mask & war.land & ~mind.enemy
    within = mask_of(hex for unit in force.units for hex in bits(force.reach[unit]))
    strong = mind.staff.strong(works(war, pos))
    lost = [max(0, away - 1) for away in mind.from_front]
    found: dict[int, tuple[float, dict[int, int]]] = {}
    for hexes in {free, free & ~wall(ground, mind.enemy & ~mind.front, mind.front)}:
        for depth, loss in enumerate(weights.losses):
            terms = changed(weights.line, {"loss": loss})

            def draw(shunned: Mask, hexes: Mask = hexes, terms: LineWeights = terms) -> list[int]:
                price = prices(ground, hexes, terms, strong, lost, spared=~within | shunned)
                ends, enemy = mind.staff.coasts, mind.enemy
                return chain(ground, price, ends, terms.gaps, terms.offshore, enemy)

            for line, manned in manned_lines(draw, lambda line: _man(force, line), weights.tries):
                value = _judge(mind, line, manned, strong)
                if depth not in found or value > found[depth][0]:
                    found[depth] = value, dict(manned)
    worths = {depth: value for depth, (value, _) in found.items()}
    return found[mind.memory.aim("line", pos.turn, worths, weights.stand)][1]


def _man(force: Force, line: Sequence[int]) -> dict[int, int]:
    return match(line, force.units, force.fit)


def _judge(mind: Mind, line: Line, manned: Manned, strong: Sequence[int]) -> float:
    """How good a line is: the ground it stands on, what it covers, and whether it is shut."""
    war, pos, weights, posts = mind.war, mind.pos, mind.weights, mask_of(manned)
    if not line:
        return -1000.0
    reached = walked(mind.ground, mind.enemy & mind.front, closed_by(mind.ground, posts))
    points = sum(vp for hexes, vp in war.prizes_on_map if not hexes & (reached | pos.control))
    value = weights.town * points - 0.5 * len(line) + 0.3 * sum(strong[hex] for hex in manned)
    value -= weights.leak * bool(reached & war.sources[GERMAN])
    centre = pos.centre[GERMAN]
    if centre >= 0 and mind.ground.around(reached) >> centre & 1:
        value -= weights.centre_open
    if is_open(mind, mind.enemy & ~mind.front, posts):
        value -= 0.5 * weights.leak
    return value


def _need(mind: Mind, hex: int) -> float:
    """How strong the Allies could come against a hex, less for good ground."""
    pos, near = mind.pos, mind.weights.threat
    away = mind.ground.distances(1 << hex)
    factors = [
        mind.attack(unit) / (1 if away[pos.hex[unit]] < near else 2)
        for unit in units_on_map(mind.war, pos, ALLIED)
        if away[pos.hex[unit]] <= near
    ]
    strength = sum(sorted(factors, reverse=True)[: 2 * STACK]) + 10
    return strength * 0.8 ** mind.staff.strong(works(mind.war, pos))[hex]


def _guard(force: Force, hexes: Sequence[int]) -> None:
    """One unit, the one that is missed least elsewhere, in each of some hexes."""
    mind = force.mind

    def fit(unit: int, hex: int) -> float:
        here = mind.pos.hex[unit]
        if not force.reach[unit] >> hex & 1:
            return NEVER
        pinned = here != hex and mind.zone >> here & 1
        return (4.0 if here == hex else 0.0) - mind.defence(unit) - (99.0 if pinned else 0.0)

    garrison(force, hexes, fit)


def _ports(mind: Mind) -> Mask:
    """The ports worth points where a landing may still come."""
    war, pos = mind.war, mind.pos
    if len(pos.launched) == MOST:
        return 0
    towns = mask_of(hex for hexes, _ in war.prizes_on_map for hex in bits(hexes))
    return towns & war.ports & ~pos.control


def _behind(force: Force, unit: int, away: Sequence[int]) -> int:
    """Who cannot get to the line comes nearer, out of the enemy's zone."""
    mind, here = force.mind, force.mind.pos.hex[unit]
    ends = force.ends(unit)
    safe = [hex for hex in ends if not mind.zone >> hex & 1]
    return min(safe or ends, key=lambda h: (away[h], h != here, h), default=-1)
