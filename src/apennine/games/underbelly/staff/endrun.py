"""The end-run invasion: when it pays, who sails, and the Germans who leave the map to meet it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from apennine.bots.staff.ground import FAR
from apennine.hexes import bits, mask_of
from apennine.kernel.decision import Option

from ..rules.c07_zones import there
from ..rules.c08_endrun import embarkable
from ..rules.c09_air import available
from ..rules.c09_points import is_open
from ..table.position import GERMAN
from ..table.war import TENTH
from .force import Force
from .mind import Mind

SURE = 4
"""The roll that is reckoned with for a question mark where too little would lose the game."""


def chances(mind: Mind, steps: int) -> tuple[float, float]:
    """That an invasion wins in the end, and that it is thrown into the sea, against some steps."""
    table, listed = mind.war.book.end_run_table, mind.war.book.end_run_modifiers
    full = mind.war.book.end_run.reinforcements
    best = available(mind.war, mind.pos) == max(mind.war.book.tactical)
    more = listed["reinforced"].worth(full) + listed["air"].worth(int(best))
    more += listed["reaction"].worth(steps) + listed["winter"].worth(mind.pos.turn + 1)
    cells = [table.cell(face + more) for face in range(1, 11)]
    won, lost, open_still = (cells.count(c) for c in ("breakthrough", "defeat", "undecided"))
    settled = len(cells) - open_still
    return (won / settled, lost / settled) if settled else (0.0, 0.0)


def is_promising(mind: Mind) -> bool:
    """Whether the Allies should sail: the odds are good, or they are losing and have a chance."""
    pos, weights = mind.pos, mind.weights
    won, lost = chances(mind, reaction(mind) + weights.followers)
    losing = pos.turn >= weights.lost_cause and not pos.switched
    if losing or mind.war.prizes & ~pos.control:
        return won >= max(weights.outlook, weights.desperate * lost)
    return won > lost + weights.outlook


def reaction(mind: Mind) -> int:
    """The steps of 10th Army that could march against an invasion at once and be spared."""
    war, pos, steps = mind.war, mind.pos, 0
    near = mind.ground.distances(mind.own.occupied)
    for unit in bits(war.grouped[TENTH]):
        hex = pos.hex[unit]
        away = mind.ground.marches(war.mobility[unit], war.north)
        spared = hex >= 0 and war.bit[hex] and near[hex] > 2
        if hex == war.tenth or (spared and away[hex] < 2 * mind.staff.points(unit)):
            steps += pos.steps[unit]
    return steps


def gather(force: Force) -> None:
    """The wave waits in the box and in ports; who lacks comes from the nearest ground."""
    mind = force.mind
    war, pos, sailing = mind.war, mind.pos, embarkable(mind.war, mind.pos)
    due = mind.tiber and not pos.launched and 0 <= pos.plot - pos.turn <= mind.weights.gathering
    ports = list(bits(mind.ports & ~mind.foe.zone))
    if not due or not ports or not is_promising(mind):
        return

    held = mind.beaches | (war.prizes & pos.control)
    able = [u for u in force.free if pos.steps[u] == war.full[u]]
    port = {u: force.closest(u, ports) for u in able if not war.bit[pos.hex[u]] & held}

    def rank(unit: int) -> tuple[float, ...]:
        away = mind.turns(unit, port[unit])
        return (pos.hex[unit] != war.available, away, mind.power(1 << unit), unit)

    lacking = [war.book.end_run.divisions, war.book.end_run.supports]
    for unit in sorted(port, key=rank):
        kind = war.supports >> unit & 1
        if lacking[kind]:
            lacking[kind] -= 1
            if sailing >> unit & 1:
                force.free.remove(unit)
            else:
                force.send(unit, port[unit], 2.0)


def embark(mind: Mind, option: Option) -> float:
    """Those in the box first, then the weakest; the last defender of a place that counts stays."""
    war, hex = mind.war, mind.pos.hex[option.unit]
    value = 5.0 * (hex == war.available) - mind.power(1 << option.unit)
    others = mind.stacks.get(hex, 0) & ~(1 << option.unit) & ~war.supports
    return value - 8.0 if war.bit[hex] and not others and mind.threat(hex) else value


def reaction_due(mind: Mind) -> int:
    """The steps that should still march against the invasion (8.16)."""
    war, pos, stacks = mind.war, mind.pos, there(mind.war, mind.pos, GERMAN).stacks
    if not is_open(pos):
        return 0
    playing = [u for hex, u in stacks.items() if war.bit[hex] or hex in (war.tenth, war.end_run)]
    count = sum((units & ~war.supports).bit_count() for units in playing)
    wanted = next(steps for least, steps in mind.weights.reaction if count >= least)
    return wanted - sum(pos.steps[unit] for unit in bits(stacks.get(war.end_run, 0)))


def wants_exit(mind: Mind) -> bool:
    """Whether Germans should leave the map: they owe steps, or an invasion must be met."""
    return mind.side == GERMAN and (mind.pos.owed > 0 or reaction_due(mind) > 0)


def way_out(mind: Mind, unit: int) -> tuple[int, int]:
    """The points to the nearest hex of row 10xx round the enemy, and that hex; -1 if there is none.

    From a box, or if there is no way, it is too far.
    """
    war, here = mind.war, mind.pos.hex[unit]
    if not war.bit[here]:
        return FAR, -1
    barred = (mind.foe.occupied | mind.foe.zone) & ~(1 << here)
    return mind.ground.door(war.mobility[unit], here, war.north, barred)


def can_leave(mind: Mind, unit: int) -> bool:
    """Whether a German can be off the map with one command: in column, if he may."""
    war, free = mind.war, not mind.foe.zone & mind.war.bit[mind.pos.hex[unit]]
    points = (war.printed[unit] or SURE) * (war.book.march.column if free else 1)
    return way_out(mind, unit)[0] < points


def leave(force: Force) -> None:
    """As many go as the end-run demands: of those who can leave at once, whole stacks first."""
    mind = force.mind
    war, pos, home = mind.war, mind.pos, mind.staff.front.home
    if not wants_exit(mind):
        return
    waiting = sum(pos.steps[u] for u in bits(war.grouped[TENTH]) if pos.hex[u] == war.tenth)
    wanted = pos.owed or reaction_due(mind) - waiting
    able = [u for u in force.free if war.bit[pos.hex[u]] and (pos.owed or war.group[u] == TENTH)]
    prompt = mask_of(unit for unit in able if pos.owed and can_leave(mind, unit))
    stacks = Counter[int]()  # a command for each stack: the largest, none that comes too late
    for unit in bits(prompt):
        stacks[pos.hex[unit]] += pos.steps[unit]

    def rank(unit: int) -> tuple[int, ...]:
        hex = pos.hex[unit]
        late = not prompt >> unit & 1
        return (late, -stacks[hex], hex * bool(pos.owed), home[hex], unit)

    send_off(force, sorted(able, key=rank), wanted, mind.weights.duty)


def stand_by(force: Force) -> None:
    """While an invasion is open, so many stay near the north that its demands can be met (8.18)."""
    mind = force.mind
    pos, home = mind.pos, mind.staff.front.home
    if not is_open(pos) or pos.owed:
        return
    on_map = [unit for unit in mind.war.members[GERMAN] if mind.war.bit[pos.hex[unit]]]
    near = {unit for unit in on_map if can_leave(mind, unit)}
    free = [unit for unit in force.free if unit in on_map and unit not in near]
    free.sort(key=lambda u: (-mind.war.printed[u], home[pos.hex[u]], u))
    lacking = mind.weights.stand_by - sum(pos.steps[unit] for unit in near)
    send_off(force, free, lacking, mind.weights.on_call)


def send_off(force: Force, units: Iterable[int], steps: int, weight: float) -> None:
    """Units make for the north, one after the other, until so many steps are on their way."""
    for unit in units:
        if steps <= 0:
            return
        steps -= force.mind.pos.steps[unit]
        _, door = way_out(force.mind, unit)
        if door >= 0:
            force.send(unit, door, weight)
