"""Who comes and goes by the record sheet (10.2 to 10.4), which lies open for both sides."""

from __future__ import annotations

from collections.abc import Iterator

from apennine.kernel.game import Posting
from apennine.kernel.ledger import rule
from apennine.mechanics.showing import arrivals

from ..table.position import ALLIED, Table
from ..table.war import War


def schedule(war: War, pos: Table, _side: int) -> list[Posting]:
    """As the scenario has it; before the die decides, for the one that was agreed or for both."""
    scenario = pos.scenario or pos.agreed
    come = arrivals(war.due, (rule("10.3a"), rule("10.2a")), but=war.left_out[scenario])
    return sorted([*come, *_withdrawals(war, scenario)])


def _withdrawals(war: War, scenario: int) -> Iterator[Posting]:
    outcome = war.outcomes[scenario]
    if outcome is None or outcome.withdrawals:
        doubt = "in the Historical Scenario; " if outcome is None else ""
        for row in war.book.withdrawals:
            unit = war.names.index(row.unit)
            group = war.book.groups[war.roster[unit].group].title
            text = f"{doubt}if it cannot leave, another {group} unit that the Germans name"
            yield Posting(row.turn, ALLIED, False, (unit,), text, "10.4a")
