"""Asking again: one order after the other, until a player has done or nothing is left to do.

Steps only add, and the order that ends them is always named: "end movement", "stay", "fight". So
most phases ask the same question until that answer comes; some are over as soon as it would be the
only one.
"""

from __future__ import annotations

from typing import Any, TypeVar

from apennine.kernel.decision import Procedure
from apennine.kernel.order import Order, ask
from apennine.kernel.position import Position

P = TypeVar("P", bound=Position)
W = TypeVar("W")


def until(
    end: Order[Any, Any],
    war: W,
    pos: P,
    prompt: str,
    rule: str,
    *orders: Order[W, P],
    checkpoint: bool = False,
    side: int = -1,
) -> Procedure:
    """Ask for one of some orders again and again, until `end` is given, the last on the menu."""
    verb = ""
    while verb != end.verb:
        asked = ask(war, pos, prompt, rule, *orders, end, checkpoint=checkpoint, side=side)
        verb = (yield from asked).verb


def while_possible(
    end: Order[Any, Any],
    war: W,
    pos: P,
    prompt: str,
    rule: str,
    *orders: Order[W, P],
    checkpoint: bool = False,
    side: int = -1,
) -> Procedure:
    """The same as long as any of the orders can be given: `end` alone is never asked for."""
    verb = ""
    # Only what it takes to know is looked at: nobody reads the menus of recorded answers.
    while verb != end.verb and any(order.is_open(war, pos) for order in orders):
        asked = ask(war, pos, prompt, rule, *orders, end, checkpoint=checkpoint, side=side)
        verb = (yield from asked).verb
