"""The end-run invasion: when it pays, who sails, and what the commands for it are worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from apennine.hexes import bits
from apennine.kernel.decision import Option

from ..rules.c08_endrun import embarkable
from ..table.position import GERMAN
from ..table.war import TENTH
from .ground import distances, marches
from .mind import Mind
from .orders import Order
from .posts import Posts
from .retreat import wants_exit

NOTES = (15, 16, 17)
"""The turns that the note may name: late enough to have divisions to spare, with time to win."""
AHEAD = 2
"""So many turns before the launch the wave begins to gather."""
OUTLOOK = 0.1
"""By how much the chance to win an end-run must be above that to lose it, or above none."""
FOLLOWERS = 2
"""The steps that the Germans are expected to send besides those who could go at once."""
DESPERATE = 0.6
"""How much of the chance to lose an end-run the chance to win must be when all is lost."""
LOST_CAUSE = 14
"""From this turn on, a war without the port of Naples is taken to be lost."""
OUGHT = 30.0
"""For what must be done."""


def chances(mind: Mind, steps: int) -> tuple[float, float]:
    """That an invasion wins in the end, and that it is thrown into the sea, against some steps."""
    table, listed = mind.war.book.end_run_table, mind.war.book.end_run_modifiers
    full = mind.war.book.end_run.reinforcements
    best = mind.bases == max(mind.war.book.tactical)
    more = listed["reinforced"].worth(full) + listed["air"].worth(int(best))
    more += listed["reaction"].worth(steps) + listed["winter"].worth(mind.pos.turn + 1)
    cells = [table.cell(face + more) for face in range(1, 11)]
    won, lost, open_still = (cells.count(c) for c in ("breakthrough", "defeat", "undecided"))
    settled = len(cells) - open_still
    return (won / settled, lost / settled) if settled else (0.0, 0.0)


def is_promising(mind: Mind) -> bool:
    """Whether the Allies should sail: the odds are good, or they are losing and have a chance."""
    pos = mind.pos
    won, lost = chances(mind, reaction(mind) + FOLLOWERS)
    losing = pos.turn >= LOST_CAUSE and not pos.switched
    if losing or mind.war.prizes & ~pos.control:
        return won >= max(OUTLOOK, DESPERATE * lost)
    return won > lost + OUTLOOK


def reaction(mind: Mind) -> int:
    """The steps of 10th Army that could march against an invasion at once and be spared."""
    war, pos = mind.war, mind.pos
    near = distances(war, mind.own.occupied)
    steps = 0
    for unit in bits(war.grouped[TENTH]):
        hex = pos.hex[unit]
        if hex == war.tenth:
            steps += pos.steps[unit]
        elif hex >= 0 and war.bit[hex] and near[hex] > 2:
            points = 2 * (war.printed[unit] or 5)
            if marches(war, war.mobility[unit], war.north)[hex] < points:
                steps += pos.steps[unit]
    return steps


def gather(posts: Posts) -> None:
    """The wave waits in the box and in ports; who lacks comes from the nearest ground."""
    mind = posts.mind
    war, pos = mind.war, mind.pos
    due = mind.tiber and not pos.launched and 0 <= pos.plot - pos.turn <= AHEAD
    if not due or not is_promising(mind):
        return
    plan = war.book.end_run
    ports = mind.ports & ~mind.foe.zone
    lacking = [plan.divisions, plan.supports]
    ready = embarkable(war, pos)
    held = mind.beaches | (war.prizes & pos.control)
    able = [u for u in posts.free if pos.steps[u] == war.full[u]]
    able = [u for u in able if not war.bit[pos.hex[u]] & held]
    away = {unit: _to_port(mind, unit, ready) for unit in able}
    for unit in sorted(able, key=lambda u: (away[u][0], mind.power(1 << u), u)):
        kind = war.supports >> unit & 1
        if not lacking[kind] or not ports:
            continue
        lacking[kind] -= 1
        if ready >> unit & 1:
            posts.free.discard(unit)
        else:
            posts.send(unit, away[unit][1], 2.0)


def _to_port(mind: Mind, unit: int, ready: int) -> tuple[float, int]:
    """The turns to the nearest port without Germans, and that port; those in the box are first."""
    if ready >> unit & 1:
        return -2.0 if mind.pos.hex[unit] == mind.war.available else -1.0, mind.pos.hex[unit]
    ports = bits(mind.ports & ~mind.foe.zone)
    return min(((mind.turns(unit, port), port) for port in ports), default=(9.0, -1))


def launch(mind: Mind, option: Option) -> float:
    """What it is worth to sail now."""
    del option
    return 5.0 if is_promising(mind) else -1.0


def embark(mind: Mind, option: Option) -> float:
    """Those in the box first, then the weakest; the last defender of a place that counts stays."""
    war, hex = mind.war, mind.pos.hex[option.unit]
    value = 5.0 * (hex == war.available) - mind.power(1 << option.unit)
    others = mind.stacks.get(hex, 0) & ~(1 << option.unit) & ~war.supports
    if war.bit[hex] and not others and mind.threat(hex):
        value -= 8.0
    return value


def end_run_orders(mind: Mind, options: Sequence[Option]) -> Iterator[Order]:
    """The commands that an invasion calls for: the reinforcements go before the die is rolled."""
    prices = mind.war.book.prices
    for option in options:
        if option.verb == "roll for the end-run":
            yield Order(option, OUGHT, 1)
        elif option.verb == "reinforce the end-run":
            liking = embark(mind, option)
            if liking > -5.0:
                yield Order(option, OUGHT + 6.0 + liking, prices.move)
        elif option.verb == "send against the end-run" and wants_exit(mind):
            yield Order(option, OUGHT, prices.move)


def send_more(mind: Mind, option: Option) -> float:
    """Another unit with the same command, as long as more are wanted."""
    if mind.side == GERMAN:
        return 1.0 if wants_exit(mind) else -10.0
    return embark(mind, option)
