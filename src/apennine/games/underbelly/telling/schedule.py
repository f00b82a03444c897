"""Who comes and goes by the record sheet (10.2 to 10.4), which lies open for both sides."""

from __future__ import annotations

from collections.abc import Iterator

from apennine.kernel.game import Posting
from apennine.kernel.ledger import rule

from ..table.data import SIDES
from ..table.position import ALLIED, Table
from ..table.war import War


def schedule(war: War, pos: Table, _side: int) -> list[Posting]:
    """As the scenario has it; before the die decides, for the one that was agreed or for both."""
    return sorted([*_arrivals(war, pos), *_withdrawals(war, pos)])


def _arrivals(war: War, pos: Table) -> Iterator[Posting]:
    out = war.left_out[pos.scenario or pos.agreed]
    for side in range(len(SIDES)):
        by = rule("10.2a") if side else rule("10.3a")
        for turn, due in war.due[side].items():
            units = tuple(unit for unit in due if not out >> unit & 1)
            if units:
                yield Posting(turn, side, True, units, rule=by)


def _withdrawals(war: War, pos: Table) -> Iterator[Posting]:
    outcome = war.outcome(pos.scenario or pos.agreed)
    if outcome is None or outcome.withdrawals:
        doubt = "in the Historical Scenario; " if outcome is None else ""
        for row in war.book.withdrawals:
            group = war.book.groups[war.roster[war.names.index(row.unit)].group].title
            text = f"{doubt}if it cannot leave, another {group} unit that the Germans name"
            unit = war.names.index(row.unit)
            yield Posting(row.turn, ALLIED, False, (unit,), text, "10.4a")
