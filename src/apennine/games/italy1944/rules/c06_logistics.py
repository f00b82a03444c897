"""Chapter 6: lines of communication, supply, logistic centres and beachheads."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from apennine.hexes import Mask, mask_of
from apennine.kernel.decision import Choice, Event, Option, Procedure, Roll
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, Bars, Order, Plain, ask
from apennine.mechanics.reach import Costs, Reach, reach
from apennine.mechanics.trace import Trace, assign, feeders

from ..table.position import ALLIED, GERMAN, LOST, Table
from ..table.war import War
from .c04_zones import controlled, in_the_field, occupied, those_among, units_on_map

LONG, LONGEST = 8, 12
"""Lines of more hexes than this are over-extended (6.4)."""
BEACH_LINE = 2
"""The longest line to a beachhead (6.7f)."""
BEACH_FEEDS = 10
"""Half divisions that a beachhead feeds (6.7c)."""
CENTRE_MOVES = 8
"""Movement points of a logistic centre (6.6h)."""
CENTRE_PACE = 2
"""Points of armoured and mechanised units while their centre moves away (6.6d)."""
CENTRE_RETURNS = 10
"""How far from a source an eliminated centre may come back (9.6d)."""

EXPOSED = "{hex} is next to an enemy, with no unit of yours there"
Feeding = Generator[Choice | Roll | Event, Any, list[int]]


def lines_to(war: War, pos: Table, side: int, sources: Mask) -> Trace:
    """Lines of communication of a side to some hexes.

    Free of enemies, and of their zones but where a friend stands (4.2, 6a, 6b); not over lakes
    (8.4a). The length counts every hex but the first, the last included (6d).
    """
    return war.trace(closed(war, pos, side), sources)


def closed(war: War, pos: Table, side: int) -> Mask:
    """The hexes that no line of a side may enter."""
    enemy = occupied(war, pos, 1 - side)
    return enemy | war.zone(enemy) & ~occupied(war, pos, side)


def centre_in_supply(war: War, pos: Table, side: int) -> bool:
    """6.1c: the centre traces a line of any length to a source of its side."""
    centre = pos.centre[side]
    if centre < 0:
        return False
    return bool(war.net(closed(war, pos, side), war.sources[side]) >> centre & 1)


def lines(war: War, pos: Table, side: int) -> Trace:
    """6.1, 6.2: lines to the centre or to a source hex, whichever is nearer (6.4d).

    If the centre is cut off there are none at all (6.1d); where that ruling is switched off, the
    sources still serve.
    """
    if centre_in_supply(war, pos, side):
        return lines_to(war, pos, side, war.sources[side] | 1 << pos.centre[side])
    return lines_to(war, pos, side, 0 if pos.tied else war.sources[side])


def supplied(war: War, pos: Table, side: int) -> Mask:
    """The hexes from which units of a side are in supply, beachheads left aside."""
    found = lines(war, pos, side)
    return found.within(LONG) if pos.starving else found.mask  # 6.1e


def beach_lines(war: War, pos: Table) -> list[Mask]:
    """6.7f: for each beachhead, the hexes with a line of at most 2 hexes to it.

    A beachhead itself is always in supply, by sea (6.7g).
    """
    return [
        lines_to(war, pos, ALLIED, 1 << beach).within(BEACH_LINE) if beach >= 0 else 0
        for beach in pos.beaches
    ]


def by_beaches(war: War, pos: Table, side: int) -> Mask:
    """The hexes from which a line leads to some beachhead."""
    mask = 0
    for near in beach_lines(war, pos) if side == ALLIED else ():
        mask |= near
    return mask


def overextended(war: War, pos: Table, side: int, hexes: Iterable[int]) -> int:
    """6.4: 2 if a line from one of these hexes is longer than 12, 1 if longer than 8, else 0.

    Measured at the moment, the worst counts (6.4c). Who traces to a beachhead is never
    over-extended (6.7g), and who has no line at all is not either: he will be marked (6.3a).
    """
    found = lines(war, pos, side)
    near = found.within(LONG) | by_beaches(war, pos, side)
    far = [hex for hex in hexes if not near >> hex & 1 and found.mask >> hex & 1]
    if not far:
        return 0
    within = found.within(LONGEST)
    return 1 + any(not within >> hex & 1 for hex in far)


def supply_check(war: War, pos: Table) -> Procedure:
    """6.5: at the end of the turn markers are given and taken; nobody dies of it (6.3e)."""
    cut = 0
    for side in (ALLIED, GERMAN):
        fed = supplied(war, pos, side)
        hungry = [u for u in units_on_map(war, pos, side) if not fed >> pos.hex[u] & 1]
        if side == ALLIED and hungry and pos.beaches:
            hungry = yield from feed(war, pos, hungry)
        for unit in hungry:
            cut |= 1 << unit
            if not pos.cut >> unit & 1:
                yield Event("is out of supply", unit, pos.hex[unit], rule=rule("6.5a"))
    for unit, hex in enumerate(pos.hex):
        if pos.cut >> unit & 1 and not cut >> unit & 1 and hex >= 0:
            yield Event("is in supply again", unit, hex, rule=rule("6.5b"))
    pos.cut = cut


def feed(war: War, pos: Table, hungry: Sequence[int]) -> Feeding:
    """6.2c, 6.7: units at beachheads draw on them; the Allied player says who if not all can.

    Returns those that remain without supply.
    """
    near = by_beaches(war, pos, ALLIED)
    able = [u for u in hungry if near >> pos.hex[u] & 1]
    if _fed_together(war, pos, able):
        return [u for u in hungry if u not in able]
    fed: list[int] = []
    while (order := Feed(able, tuple(fed))).menu(war, pos):
        prompt = "The beachheads cannot feed everybody: name a unit that is fed"
        chosen = yield from ask(war, pos, prompt, rule("6.7d"), order, side=ALLIED)
        fed.append(chosen.unit)
    return [u for u in hungry if u not in fed]


@dataclass(slots=True)
class Feed(Order[War, Table]):
    """6.7c, 6.7d: one of those who trace to a beachhead is fed by it."""

    able: Sequence[int]
    fed: Sequence[int]

    verb, names = "feed", (UNIT,)
    when, rule = "Beachheads feed units in the supply check", "6.7d"

    def bars(self, war: War, pos: Table) -> Bars:
        yield from in_the_field(war, pos, ALLIED)
        able, fed = self.able, self.fed
        yield mask_of(able), self._no_need(war, pos)
        yield ~mask_of(fed), "{unit} is fed already", "6.7d"
        more = (u for u in able if u not in fed and _fed_together(war, pos, (*fed, u)))
        yield mask_of(more), "The beachheads cannot feed {unit} besides those named before", "6.7c"

    def _no_need(self, war: War, pos: Table) -> Bars:
        fed = those_among(war, pos, supplied(war, pos, ALLIED), ALLIED)
        yield ~fed, "{unit} is in supply without a beachhead", "6.2a"
        yield 0, "{unit} has no line of at most 2 hexes to a beachhead", "6.7f"


def _fed_together(war: War, pos: Table, units: Sequence[int]) -> bool:
    """Whether the beachheads can feed all these units (6.7c)."""
    near = beach_lines(war, pos)
    wants = [war.halves[u] for u in units]
    given = assign(wants, feeders(near, [pos.hex[u] for u in units]), [BEACH_FEEDS] * len(near))
    return given.supplied == sum(wants)


def centre_phase(war: War, pos: Table) -> Procedure:
    """6.6: before his units move, a player may move his centre along roads (6.6i)."""
    if pos.centre[pos.side] >= 0:
        prompt = "Move your logistic centre along roads before your units move, or leave it"
        yield from ask(war, pos, prompt, rule("6.6i"), MoveTheCentre(), LEAVE, checkpoint=True)


BEFORE_MOVING = "A logistic centre moves before the units of its side do"
LEAVE = Plain("leave the centre", BEFORE_MOVING, "6.6i")


class MoveTheCentre(Order[War, Table]):
    """6.6i: the move is announced, then its end is named."""

    verb = "move the centre"
    when, rule, opens = BEFORE_MOVING, "6.6i", True

    def bars(self, war: War, pos: Table) -> Bars:
        side = pos.side  # whatever the first step costs, 8 points will do
        roads = war.lattice.cross(1 << pos.centre[side], war.roads) & ~closed(war, pos, side)
        yield roads > 0, "No road is open to the logistic centre", "6.6b"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        prompt = "Where does the logistic centre go? Away from its sources all your units suffer"
        yield from ask(war, pos, prompt, rule("6.6b"), CentreTo())


class CentreTo(Order[War, Table]):
    """6.6b, 6.6h, 6.6m: along roads, not up to the enemy."""

    verb, names = "centre to", (HEX,)
    when, rule = BEFORE_MOVING, "6.6i"

    def bars(self, war: War, pos: Table) -> Bars:
        yield centre_reach(war, pos, pos.side).ends, self._beyond(war, pos)

    def _beyond(self, war: War, pos: Table) -> Bars:
        side, start = pos.side, pos.centre[pos.side]
        yield war.road_hexes, "A logistic centre keeps to roads, and {hex} has none", "6.6b"
        yield ~(1 << start), "The logistic centre is in {hex} already", "6.6b"
        enemy, own = occupied(war, pos, 1 - side), occupied(war, pos, side)
        yield ~enemy, "The enemy holds {hex}", "6.6m"
        yield ~war.zone(enemy) | own, EXPOSED, "6.6m"
        points = CENTRE_MOVES * war.scale
        by_road = reach(war.centre_costs(war.bridge_hexes), start, points).ends
        yield by_road, "{hex} is more than 8 points away by road", "6.6h"
        bridged = reach(centre_costs(war, pos, side), start, points).ends
        yield bridged, "Without a bridge of yours {hex} is more than 8 points away by road", "8.1a"
        yield 0, "The enemy bars every road to {hex} within 8 points", "6.6m"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        side, hex = pos.side, option.hex
        start, pos.centre[side] = pos.centre[side], hex
        if away(war, side, start, hex):
            pos.moving_centres |= 1 << side
            yield Event("logistic centre moves away", hex=hex, value=side, rule=rule("6.6d"))


def centre_reach(war: War, pos: Table, side: int) -> Reach:
    """Where the centre can go with 8 points along roads (6.6b, 6.6h, 6.6j).

    Next to enemies only into a friend's hex, and there it stops (6.6m).
    """
    zone = war.zone(occupied(war, pos, 1 - side))
    costs, points = centre_costs(war, pos, side), CENTRE_MOVES * war.scale
    return reach(costs, pos.centre[side], points, blocked=closed(war, pos, side), stops=zone)


def centre_costs(war: War, pos: Table, side: int) -> Costs:
    """What the roads cost the centre of a side, with the bridges that are its own (8.3f)."""
    return war.centre_costs(controlled(war, pos, side) & war.bridge_hexes)


def away(war: War, side: int, start: int, end: int) -> bool:
    """6.6j: whether a centre ends farther by road from its side's sources than it started."""
    return war.way_home[side][end] > war.way_home[side][start]


def is_moving_away(pos: Table, side: int) -> bool:
    """6.6l: whether the penalties of a moving centre bind a side in this turn."""
    return bool(pos.moving_centres >> side & 1)


def allowance(war: War, pos: Table, unit: int) -> int:
    """The movement points of a unit in this turn (8a), in ticks.

    Want of supply, a centre on the move and a landing take of them, all halves rounded down.
    """
    points = war.moves[unit][pos.steps[unit]]
    tracks = war.tracks >> unit & 1
    if tracks and pos.cut >> unit & 1:
        points //= 2  # 6.3c
    if is_moving_away(pos, war.side_of[unit]):
        points = min(points, CENTRE_PACE) if tracks else points // 2  # 6.6d, 6.6e
    if pos.landed >> unit & 1:
        points //= 2  # 11Lf
    return points * war.scale


def return_phase(war: War, pos: Table) -> Procedure:
    """9.6d, 9.6e: an eliminated centre may come back, free of charge, in its owner's RRW phase."""
    if pos.centre[pos.side] == LOST:
        prompt = "Your logistic centre may come back on a road near a supply source"
        yield from ask(war, pos, prompt, rule("9.6d"), ReturnTheCentre(), WAIT, checkpoint=True)


RETURN = "A lost logistic centre comes back as its owner's replacement step begins"
WAIT = Plain("wait for the centre", RETURN, "9.6e")


class ReturnTheCentre(Order[War, Table]):
    """9.6d: to a road hex clear of enemies, with a line of at most 10 hexes to a source."""

    verb, names = "return the centre", (HEX,)
    when, rule, opens = RETURN, "9.6d", True

    def bars(self, war: War, pos: Table) -> Bars:
        side = pos.side
        yield war.road_hexes, "A logistic centre needs a road, and {hex} has none", "9.6d"
        enemy, own = occupied(war, pos, 1 - side), occupied(war, pos, side)
        yield ~enemy, "The enemy holds {hex}", "9.6d"
        yield ~war.zone(enemy) | own, EXPOSED, "6b"
        near = lines_to(war, pos, side, war.sources[side]).within(CENTRE_RETURNS)
        yield near, "No free line of at most 10 hexes leads from {hex} to a supply source", "9.6d"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.centre[pos.side] = option.hex
