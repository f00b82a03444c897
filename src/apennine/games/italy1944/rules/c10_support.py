"""Chapter 10: air and naval support."""

from __future__ import annotations

from collections.abc import Iterable

from apennine.hexes import bits
from apennine.kernel.decision import Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, Bars, Order, Plain
from apennine.mechanics.asking import while_possible
from apennine.mechanics.odds import Shift

from ..table.position import ALLIED, Table
from ..table.war import War
from .c06_logistics import is_moving_away

NOBODY, ATTACKER, DEFENDER = -1, 0, 1
AIR_WHILE_MOVING = 2
"""Air markers that the Allies may use in a turn in which their centre moves away (6.6g)."""

SUPPORTING = "Aircraft and ships support battles"
ENOUGH = Plain("no more support", SUPPORTING, "10.1c")


def declare_support(war: War, pos: Table) -> Procedure:
    """10.1c: the attacker declares his markers first, then the defender; nobody adds any later."""
    for role, side in ((ATTACKER, pos.side), (DEFENDER, 1 - pos.side)):
        pos.supporting = role
        prompt = "Support your " + ("attack" if role == ATTACKER else "defence") + "?"
        yield from while_possible(ENOUGH, war, pos, prompt, rule("10.1c"), AIR, NAVAL, side=side)
    pos.supporting = NOBODY


def supporter(pos: Table) -> int:
    """The side that declares its markers now."""
    return pos.side if pos.supporting == ATTACKER else 1 - pos.side


class BattleOrder(Order[War, Table]):
    """An order in the battle under way, which names its hex."""

    names = (HEX,)

    def bars(self, war: War, pos: Table) -> Bars:
        yield 1 << pos.target, "The battle is for {target}, not for {hex}", self.rule


class AirSupport(BattleOrder):
    """10a: both sides have aircraft, each used once in a turn (10.1b)."""

    verb, when, rule = "air support", SUPPORTING, "10.1b"

    def bars(self, war: War, pos: Table) -> Bars:
        yield from super().bars(war, pos)
        side = supporter(pos)
        left = pos.air[side] < war.air_markers[side]
        yield left, "All your aircraft have flown in this turn", "10.1b"
        few = "Two air markers have flown, and no more do while the logistic centre moves away"
        yield pos.air[side] < air_limit(war, pos, side), few, "6.6g"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.air[supporter(pos)] += 1
        pos.support[pos.supporting] += 1


class NavalSupport(BattleOrder):
    """10.1.1: Allied ships, off the coast."""

    verb, when, rule = "naval support", SUPPORTING, "10.1b"

    def bars(self, war: War, pos: Table) -> Bars:
        yield from super().bars(war, pos)
        yield supporter(pos) == ALLIED, "Only the Allies have ships", "10.1.1a"
        yield is_off_the_coast(war, pos), "Ships support only units in coastal hexes", "10.1.1a"
        left = pos.naval < war.naval_markers
        yield left, "All naval markers have been used in this turn", "10.1b"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.naval += 1
        pos.support[pos.supporting] += 1


AIR, NAVAL = AirSupport(), NavalSupport()


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
        yield modifier.shift(min(abs(surplus), modifier.most))
