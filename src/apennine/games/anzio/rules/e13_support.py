"""E13: supporting fire in the Advanced Game, and E14: the Air Strikes."""

from __future__ import annotations

from apennine.hexes import Mask
from apennine.kernel.decision import Event, Option, Procedure
from apennine.kernel.order import Bars, Order

from ..table.position import ALLIED, Table
from ..table.war import War
from .d2_air import allied_sky
from .e15_invasions import latest

AIR, LUFTWAFFE = 1, 2
"""Kinds of factors, as in `Table.fire`."""
MONTHLY_TO, YEAR_ENDS = 38, 63
"""June III and Dec IV 1944: to the first the Germans have a factor a month, then one to the second,
and one for all of 1945 (E13C)."""
STRIKES = ((28, 35), (76, 79))
"""The turns of April and May 1944, and of April 1945, for an Air Strike each (E14A)."""
STRIKE_COLUMNS, STRIKE_ROUNDS, MANY = 3, 4, 1000
"""What a strike adds to Allied odds (E14D), and the combats that there are (E14E)."""


def sorties_of_turn(war: War, pos: Table) -> int:
    """E13C: what is left of the month, or of the year; and more in the turn of an invasion.

    Only the first invasion and the second bring more (E13C5).
    """
    first_of_month = war.week(pos.turn).split()[1] == "I" or pos.turn == 1
    if (pos.turn <= MONTHLY_TO and first_of_month) or pos.turn in (MONTHLY_TO + 1, YEAR_ENDS + 1):
        pos.sorties = war.book.support.german
    return pos.sorties + _extra(war, pos)


def _extra(war: War, pos: Table) -> int:
    support = war.book.support
    if pos.invaded != pos.turn:
        return 0
    if latest(war, pos).key == "first":
        return support.german_first
    return support.german_second if pos.second == pos.turn else 0


def keep_sorties(war: War, pos: Table) -> None:
    """E13C4: what has not been used by the end of a German turn is kept; extras go first."""
    if not war.in_mud(pos):
        pos.sorties = min(pos.sorties, pos.fire[LUFTWAFFE])


# Air Strikes.


def strike_period(pos: Table) -> tuple[int, int] | None:
    """E14A: the period of the turn, if a strike may still be made in it."""
    for first, last in STRIKES:
        if first <= pos.turn <= last and pos.strike < first:
            return first, last
    return None


def striking(pos: Table) -> bool:
    """Whether this is the game-turn of a strike."""
    return pos.strike == pos.turn


def forts_count(pos: Table) -> bool:
    """D6, E14C: whether forts help the Germans now: not in the game-turn of a strike."""
    return pos.forts and not striking(pos)


def most_rounds(pos: Table) -> int:
    """E14E: the combats that there may be one after the other."""
    return STRIKE_ROUNDS if striking(pos) and pos.side == ALLIED else MANY


def strikes_on(war: War, pos: Table, targets: Mask) -> bool:
    """E14D, E14F: whether a strike supports an attack: everywhere with an air base (E14F).

    Without one, only on hexes where the Allies have air superiority.
    """
    return striking(pos) and pos.side == ALLIED and not targets & ~allied_sky(war, pos)


class Strike(Order[War, Table]):
    """E14A: the Allies mount a major air strike for this turn, instead of air support (E14B)."""

    verb, names = "air strike", ()
    when, rule, opens = "An Air Strike is called in the Allied movement phase", "E14A", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield war.is_advanced(pos), "Air Strikes are of the Advanced Game", "E14A"
        yield strike_period(pos) is not None, "No Air Strike may be made in this turn", "E14A"
        yield not war.in_mud(pos), "There is no Air Strike in mud", "E14A"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.strike = pos.turn
        pos.fire[AIR] = 0
        pos.guarded &= ~war.army[ALLIED] | pos.naval_guarded
        yield Event("air strike", rule="E14A")


STRIKE = Strike()
