"""Chapter 9: replacements (9.16, 9.17)."""

from __future__ import annotations

from collections.abc import Sequence

from apennine.hexes import Mask
from apennine.kernel.decision import Among, Event, Option
from apennine.kernel.game import Procedure
from apennine.kernel.ledger import rule

from ..table.position import ALLIED, GERMAN, LOST, Table
from ..table.war import War
from .c07_zones import on_map, put
from .c11_supply import net

VERBS = ("replenish", "reclaim")


def has_begun(war: War, pos: Table) -> bool:
    """9.16a: from Game Turn 2 on, for both sides (9.17e)."""
    return pos.turn >= war.book.replacements.first_turn


def cost(war: War, unit: int, verb: str) -> int:
    """What a step for a unit costs (9.16b, 9.16c, 9.17b)."""
    prices = war.book.prices
    if war.side_of[unit] == ALLIED:
        return prices.allied_step if verb == "replenish" else prices.allied_return
    dear = (war.mechanised | war.supports) >> unit & 1
    return prices.german_mechanised if dear else prices.german_foot


def allied_options(war: War, pos: Table, points: int) -> list[Sequence[Option]]:
    """Reduced divisions in regular supply, and the dead who may come back (9.16)."""
    if not has_begun(war, pos) or is_whole(war, pos, ALLIED):
        return []
    prices = war.book.prices
    parts: list[Sequence[Option]] = []
    if points >= prices.allied_step:
        parts.append(Among("replenish", reduced(war, pos, ALLIED)))
    if points >= prices.allied_return:
        parts.append(Among("reclaim", reclaimable(war, pos, ALLIED)))
    return parts


def german_options(war: War, pos: Table, points: int) -> list[Sequence[Option]]:
    """The same for the Germans: one mechanised and one other step a turn (9.17a)."""
    if not has_begun(war, pos) or is_whole(war, pos, GERMAN):
        return []
    parts: list[Sequence[Option]] = []
    for verb, units in (
        ("replenish", reduced(war, pos, GERMAN)),
        ("reclaim", reclaimable(war, pos, GERMAN)),
    ):
        fit = [u for u in units if is_rationed(war, pos, u) and cost(war, u, verb) <= points]
        parts.append(Among(verb, fit))
    return parts


def is_whole(war: War, pos: Table, side: int) -> bool:
    """Whether no unit of a side has lost a step."""
    start, stop = war.spans[side]
    return pos.steps[start:stop] == war.whole[side]


def is_rationed(war: War, pos: Table, unit: int) -> bool:
    """Whether a step of the unit's class is left in this turn (9.17a, 9.17c)."""
    ration = war.book.replacements
    if war.mechanised >> unit & 1:
        return pos.mechanised_steps < ration.german_mechanised
    return pos.foot_steps < ration.german_foot


def reduced(war: War, pos: Table, side: int) -> list[int]:
    """The reduced divisions that may be replenished: not acted, in overland supply (9.16g)."""
    members, steps, full = war.members[side], pos.steps, war.full
    fed = net(war, pos, side) | war.boxes & ~(1 << war.end_run)
    spent = used_up(pos, side)
    return [
        unit
        for unit, place in zip(members, pos.hex[members.start : members.stop])
        if 0 < steps[unit] < full[unit]
        and place >= 0
        and fed >> place & 1
        and not spent >> unit & 1
    ]


def used_up(pos: Table, side: int) -> Mask:
    """The units that can get no step: 9.18; a German's regular move does not count (9.17d)."""
    acted = pos.acted & ~pos.marched if side == GERMAN else pos.acted
    return acted | pos.rebuilt


def reclaimable(war: War, pos: Table, side: int) -> list[int]:
    """The dead who fell in overland supply (9.16h); the 82nd has jumped its only time (12.9h)."""
    members = war.members[side]
    dropped = pos.dropped and 1 << war.airborne
    return [
        unit
        for unit, place in zip(members, pos.hex[members.start : members.stop])
        if place == LOST and not (pos.barred | dropped) >> unit & 1
    ]


def replace(war: War, pos: Table, chosen: Option) -> Procedure:
    """A step for a unit on the map or in its box, or a unit from the dead pile."""
    unit, side = chosen.unit, pos.side
    pos.points -= cost(war, unit, chosen.verb)
    if side == GERMAN:
        pos.drop_asked = False
        if war.mechanised >> unit & 1:
            pos.mechanised_steps += 1
        else:
            pos.foot_steps += 1
    if chosen.verb == "replenish":
        pos.steps[unit] += 1
        pos.rebuilt |= 1 << unit
        if side == ALLIED or not on_map(war, pos, unit):
            pos.acted |= 1 << unit  # 9.16e; Germans on the map may still move (9.17d)
        by = rule("9.16b") if side == ALLIED else rule("9.17b")
        yield Event("is replenished", unit, pos.hex[unit], rule=by)
        return
    pos.steps[unit] = 1
    pos.acted |= 1 << unit  # 9.16d, 9.16f, 9.17e
    put(war, pos, 1 << unit, war.box_of[unit])
    by = rule("9.16c") if side == ALLIED else rule("9.17e")
    yield Event("comes back", unit, rule=by)
