"""Who comes and goes, turn by turn (7.2, 7.3). All of it is printed for both sides to see."""

from __future__ import annotations

from collections.abc import Iterator

from apennine.kernel.game import Posting
from apennine.kernel.ledger import rule
from apennine.mechanics.showing import arrivals

from ..table.data import SIDES
from ..table.position import Table
from ..table.war import War


def schedule(war: War, pos: Table, _side: int) -> list[Posting]:
    """Arrivals and withdrawals up to the last turn."""
    listed = [*arrivals(war.due, (rule("7.2a"), rule("7.2a"))), *_withdrawals(war)]
    return sorted(line for line in listed if line.turn <= pos.last_turn)


def _withdrawals(war: War) -> Iterator[Posting]:
    for row in war.withdrawals:
        nation = war.nations[row.nation]
        side, unit = SIDES.index(nation.side), war.names.index(row.unit)
        back = f", back in {war.months[row.returns - 1]}" if row.returns else ""
        kind = f"{nation.title}, {row.counts_as} {row.size}: this one or another{back}"
        yield Posting(row.turn, side, False, (unit,), kind, rule("7.3a"))
        if row.returns:
            text = "or who was withdrawn in its place"
            yield Posting(row.returns, side, True, (unit,), text, rule("7.2a"))
