"""Who comes, turn by turn (C1A2, C2A2); nobody leaves in the Basic Game."""

from __future__ import annotations

from apennine.kernel.game import Posting
from apennine.kernel.ledger import rule

from ..table.data import SIDES
from ..table.position import ALLIED, GERMAN, Table
from ..table.war import War


def schedule(war: War, pos: Table, _side: int) -> list[Posting]:
    """Arrivals of the turns of the scenario; those of the second invasion under its turn."""
    book = war.book
    scenario = book.scenarios[pos.scenario]
    at_start = {start.unit for start in book.setups[scenario.setup].units}
    found: list[Posting] = []
    for group in book.arrivals:
        names = [name for name in group.units if name not in at_start]
        if names and scenario.first <= group.turn <= scenario.last:
            side = SIDES.index(group.side)
            by = rule("C1A2") if side == ALLIED else rule("C2A2")
            text = "in Sicilia" if side == ALLIED else "over the northern edges"
            found.append(Posting(group.turn, side, True, _numbers(war, names), text, by))
    second = next((i for i in scenario.invasions if i.key == "second"), None)
    if second is not None and not scenario.invaded:
        for reaction in book.reactions:
            names = [name for name in reaction.units if name not in at_start]
            when = "at once" if not reaction.delay else "a turn later"
            text = f"{when} if the Allies invade a second time"
            turn = min(second.first + reaction.delay, scenario.last)
            if names:
                units = _numbers(war, names)
                found.append(Posting(turn, GERMAN, True, units, text, rule("C2A3")))
    return sorted(found)


def _numbers(war: War, names: list[str]) -> tuple[int, ...]:
    return tuple(war.number[name] for name in names)
