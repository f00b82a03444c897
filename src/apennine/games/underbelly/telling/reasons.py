"""What the refusals of this game share."""

from __future__ import annotations

from collections.abc import Callable

from apennine.kernel.decision import Option
from apennine.kernel.game import Refusal
from apennine.kernel.ledger import rule
from apennine.mechanics.phrases import counted

from ..rules.c09_points import kept
from ..table.position import Table
from ..table.war import War

Reason = Callable[[War, Table, Option], Refusal]
"""What stands against an option that is not in the menu."""


def too_dear(war: War, pos: Table, price: int, what: str = "That") -> Refusal:
    """9.1b: the points that are left do not do; some may be kept for the end-run (8.17c)."""
    reserved = kept(war, pos)
    has = f"you have {pos.points or 'none'} left"
    if reserved:
        has = f"{reserved} of your {pos.points} are kept for the end-run roll"
    return Refusal(f"{what} takes {counted(price, 'command point')}, and {has}.", rule("9.1b"))
