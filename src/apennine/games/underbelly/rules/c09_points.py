"""Command points (9.1), and those that are spoken for by an end-run invasion (8.17)."""

from __future__ import annotations

from functools import partial

from apennine.kernel.order import Bar, Bars
from apennine.mechanics.phrases import counted

from ..table.position import ALLIED, Table
from ..table.war import War


def is_open(pos: Table) -> bool:
    """Whether the invasion has been launched and not settled."""
    return bool(pos.launched) and not pos.settled


def roll_due(pos: Table) -> bool:
    """8.17a, 8.17c: whether the Allied player must still roll in this phase."""
    return is_open(pos) and pos.launched < pos.turn and pos.rolled < pos.turn


def roll_price(war: War, pos: Table) -> int:
    """The first roll is free, every other one costs (8.17d)."""
    return war.book.prices.resolve if pos.rolled else 0


def kept(war: War, pos: Table) -> int:
    """The command points that the Allied player must keep for a roll that is due (8.17c)."""
    return roll_price(war, pos) if pos.side == ALLIED and roll_due(pos) else 0


def may_end(pos: Table) -> bool:
    """Whether the side to act may end its command phase: not before a roll that is due (8.17a)."""
    return not pos.launched or pos.side != ALLIED or not roll_due(pos)


def spendable(war: War, pos: Table) -> int:
    """The points that may be spent freely."""
    return pos.points - kept(war, pos) if pos.launched else pos.points


PAID: Bar = (True, ())
"""No bar at all."""


def afford(war: War, pos: Table, price: int, what: str) -> Bar:
    """9.1b: the bar on what the points that may be spent do not pay for."""
    points = pos.points - kept(war, pos) if pos.launched else pos.points
    return PAID if points >= price else (False, partial(too_dear, price, what))


def too_dear(price: int, what: str, war: War, pos: Table) -> Bars:
    """9.1b: why the points that are left do not do."""
    reserved = kept(war, pos)
    has = f"you have {pos.points or 'none'} left"
    if reserved:
        has = f"{reserved} of your {pos.points} are kept for the end-run roll"
    yield 0, f"{what} takes {counted(price, 'command point')}, and {has}", "9.1b"
