"""Who comes, turn by turn (11.1.5): it is printed for both sides to see."""

from __future__ import annotations

from apennine.kernel.game import Posting
from apennine.kernel.ledger import rule

from ..rules.c02_pieces import theatre
from ..table.position import Table
from ..table.war import War


def schedule(war: War, pos: Table, _side: int) -> list[Posting]:
    """The reinforcements of the scenario, each group with its sequence and headquarters."""
    found: list[Posting] = []
    for group in theatre(war, pos).arrivals:
        units = tuple(war.number[name] for name in group.units)
        place = group.at or "any headquarters"
        text = f"sequence {group.sequence}, at {place}"
        posting = Posting(group.turn, war.side_of[units[0]], True, units, text, rule("11.1.5a"))
        found.append(posting)
    return sorted(found)
