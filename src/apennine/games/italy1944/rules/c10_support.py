"""Chapter 10: air and naval support."""

from __future__ import annotations

from collections.abc import Iterable

from apennine.hexes import bits
from apennine.kernel.decision import Choice, Option, done
from apennine.kernel.game import Procedure
from apennine.kernel.ledger import rule
from apennine.mechanics.odds import Shift

from ..table.position import ALLIED, Table
from ..table.war import War
from .c06_logistics import is_moving_away

NOBODY, ATTACKER, DEFENDER = -1, 0, 1
AIR_WHILE_MOVING = 2
"""Air markers that the Allies may use in a turn in which their centre moves away (6.6g)."""

ENOUGH = done("no more support")


def declare_support(war: War, pos: Table) -> Procedure:
    """10.1c: the attacker declares his markers first, then the defender; nobody adds any later."""
    for role, side in ((ATTACKER, pos.side), (DEFENDER, 1 - pos.side)):
        pos.supporting = role
        while True:
            offers = markers(war, pos, side)
            if not offers:
                break
            chosen = yield Choice(
                side,
                [*offers, *ENOUGH],
                "Support your " + ("attack" if role == ATTACKER else "defence") + "?",
                rule("10.1c"),
            )
            if chosen.verb == "no more support":
                break
            if chosen.verb == "air support":
                pos.air[side] += 1
            else:
                pos.naval += 1
            pos.support[role] += 1
    pos.supporting = NOBODY


def markers(war: War, pos: Table, side: int) -> list[Option]:
    """The kinds of markers that a side can still use in this battle (10.1b)."""
    offers: list[Option] = []
    if pos.air[side] < air_limit(war, pos, side):
        offers.append(Option("air support", hex=pos.target))
    if side == ALLIED and pos.naval < war.naval_markers and is_off_the_coast(war, pos):
        offers.append(Option("naval support", hex=pos.target))
    return offers


def air_limit(war: War, pos: Table, side: int) -> int:
    """The air markers of a side in this turn (10a, 6.6g)."""
    limit = war.air_markers[side]
    if side == ALLIED and is_moving_away(pos, side):
        return min(limit, AIR_WHILE_MOVING)
    return limit


def is_off_the_coast(war: War, pos: Table) -> bool:
    """10.1.1: Allied attackers, at least one, or defenders are in a coastal hex."""
    if pos.side == ALLIED:
        return any(war.coast >> pos.hex[u] & 1 for u in bits(pos.attackers))
    return bool(war.coast >> pos.target & 1)


def net_support(war: War, pos: Table) -> Iterable[Shift]:
    """10.1d to 10.1f: markers cancel one for one, and at most two of the rest count."""
    surplus = pos.support[ATTACKER] - pos.support[DEFENDER]
    if surplus:
        key = "support_attack" if surplus > 0 else "support_defence"
        modifier = war.modifiers[key]
        count = min(abs(surplus), modifier.most)
        yield Shift(modifier.title, modifier.columns * count, modifier.rule)
