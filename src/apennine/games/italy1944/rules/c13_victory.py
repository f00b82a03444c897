"""Chapter 13: how to win."""

from __future__ import annotations

from apennine.kernel.game import Outcome
from apennine.kernel.ledger import rule

from ..table.position import ALLIED, GERMAN, Table
from ..table.war import War
from .c04_zones import controlled, units_on_map


def points(war: War, pos: Table, side: int) -> int:
    """The victory points of a side as things stand (13a, 13f)."""
    held = controlled(war, pos, side)
    total = sum(worth for hexes, worth in war.prizes_on_map if hexes & held)
    if side == GERMAN:
        return total + war.prizes.beachhead * pos.destroyed  # 9.6c, 13b
    # 13c, 13g: three different hexes of the Gothic line entered before turn 7
    bonus = pos.gothic.bit_count() >= war.prizes.gothic_hexes
    return total + (war.prizes.gothic_points if bonus else 0)


def judgement(war: War, pos: Table) -> Outcome:
    """13d, 13e: who would win as things stand; it counts after the last turn alone (13h)."""
    allied, german = points(war, pos, ALLIED), points(war, pos, GERMAN)
    lead = allied - german
    score = f"{allied} points against {german}"
    if lead >= war.prizes.strategic:
        reason = f"A strategic victory: the Allies lead by {lead}, with {score}."
        return Outcome(ALLIED, reason, rule("13e"))
    if lead >= war.prizes.win:
        return Outcome(ALLIED, f"The Allies lead by {lead}, with {score}.", rule("13d"))
    short = f"the Allies have {score}, and must lead by {war.prizes.win}"
    return Outcome(GERMAN, f"Germany holds out: {short}.", rule("13d"))


def alarms(war: War, pos: Table) -> list[str]:
    """What the end of the game would bring, in the last two turns; nothing ends it before."""
    left = pos.last_turn - pos.turn
    if left > 1 or pos.phase == "over":
        return []
    when = "the next turn" if left else "this turn"
    found = judgement(war, pos)
    return [f"The game ends with {when}. As things stand: {found.reason} [{found.rule}]"]


def score(war: War, pos: Table, side: int) -> float:
    """How good a position looks to a side: points, then the strength on the map."""
    attack = sum(war.attack[u][pos.steps[u]] for u in units_on_map(war, pos, ALLIED))
    defence = sum(war.defence[u][pos.steps[u]] for u in units_on_map(war, pos, GERMAN))
    worth = points(war, pos, ALLIED) - points(war, pos, GERMAN) + 0.1 * (attack - defence)
    return worth if side == ALLIED else -worth
