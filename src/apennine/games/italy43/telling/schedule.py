"""Who comes and goes, turn by turn (21, 22). All of it is printed for both sides to see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from apennine.kernel.game import Posting
from apennine.kernel.ledger import rule

from ..table.data import SIDES, Group
from ..table.position import Table
from ..table.war import War


def schedule(war: War, pos: Table, _side: int) -> list[Posting]:
    """Arrivals, withdrawals with their returns, and removals, of the turns of the scenario."""
    book = war.book
    first = book.scenarios[pos.scenario].first
    listed = [
        *_comers(war, book.arrivals),
        *_leavers(war, book.withdrawals, "", rule("22.1a")),
        *_leavers(war, book.removals, "for good", rule("22.2.1")),
    ]
    return sorted(line for line in listed if first <= line.turn <= pos.last_turn)


def _comers(war: War, groups: Iterable[Group]) -> Iterator[Posting]:
    for group in groups:
        units = _numbers(war, group)
        yield Posting(group.turn, SIDES.index(group.side), True, units, group.at, rule("21.1.1"))


def _leavers(war: War, groups: Iterable[Group], text: str, by: str) -> Iterator[Posting]:
    for group in groups:
        side, units = SIDES.index(group.side), _numbers(war, group)
        names = war.book.calendar.names
        back = (
            f"back in turn {group.returns}, {names[group.returns - 1]}" if group.returns else text
        )
        yield Posting(group.turn, side, False, units, back, by)
        if group.returns:
            yield Posting(group.returns, side, True, units, group.at, rule("22.1b"))


def _numbers(war: War, group: Group) -> tuple[int, ...]:
    return tuple(war.number[name] for name in group.units)
