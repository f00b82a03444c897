"""Who is ahead (13)."""

from __future__ import annotations

from apennine.kernel.game import Standing
from apennine.kernel.ledger import rule

from ..rules.c13_victory import points
from ..table.position import ALLIED, GERMAN, Table
from ..table.war import War


def standing(war: War, pos: Table) -> Standing:
    """13d, 13e: the Allies must lead by so much at the end; nothing of it is secret."""
    allied, german = points(war, pos, ALLIED), points(war, pos, GERMAN)
    goals = german + war.prizes.win, max(0, allied - war.prizes.win + 1)
    score = f"Victory points: Allied {allied}, German {german}"
    lack = goals[ALLIED] - allied
    if lack > 0:
        return Standing(
            f"{score}. The Allies must lead by {war.prizes.win} at the end and lack {lack}.",
            (allied, german),
            goals,
            GERMAN,
            rule("13d"),
        )
    more = german + war.prizes.strategic - allied
    strategic = f"{more} more win strategically" if more > 0 else "strategically"
    return Standing(
        f"{score}. The Allies would win, {strategic}; the Germans lack {-lack + 1}.",
        (allied, german),
        goals,
        ALLIED,
        rule("13e") if more <= 0 else rule("13d"),
    )
