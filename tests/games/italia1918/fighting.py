"""Combats of Italia 1917-1918 in a few words."""

from __future__ import annotations

from typing import Any

from apennine.games.italia1918.rules.c12_odds import defenders, odds
from apennine.games.italia1918.table.position import CENTRAL, Table
from apennine.mechanics.odds import Odds
from tests.games.italia1918.drawing import WAR, at, number, table, units


def battle(
    counters: str,
    target: str,
    attackers: str,
    leads: tuple[str, str] | None = None,
    side: int = CENTRAL,
    guns: tuple[str, str] = ("", ""),
    **fields: Any,
) -> Table:
    """A combat under way; unless named, the first of the attackers leads, and of the defenders."""
    pos = table(counters, side, phase="combat", **fields)
    pos.target, pos.attackers = at(target), units(attackers)
    held = defenders(WAR, pos)
    first = number(attackers.split(",")[0].strip())
    pos.leads = (
        [number(unit) for unit in leads] if leads else [first, (held & -held).bit_length() - 1]
    )
    pos.guns = [units(named) if named else 0 for named in guns]
    return pos


def found(*args: Any, **fields: Any) -> Odds:
    """The odds of such a combat."""
    return odds(WAR, battle(*args, **fields))


def reasons(result: Odds) -> dict[str, int]:
    """The shifts by the rule that makes them."""
    return {shift.rule: shift.columns for shift in result.shifts}
