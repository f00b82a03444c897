"""What learners are given of the table: all of it, for the game has no secrets."""

from __future__ import annotations

from apennine.kernel.encoding import Encoding

from ..rules.b4b_sequence import PHASES
from ..table.position import NOWHERE, Table
from ..table.war import War


def lifted(_war: War, pos: Table, _side: int) -> int:
    """The stacking points that have landed, of an invasion in this turn."""
    return pos.lifted if pos.zone != NOWHERE else 0


ENCODING = Encoding(
    planes={
        "forts": "works",
        "interdicted": "watched",
        "targets": "targets",
        "vacated": "vacated",
        "entries open": "entries",
    },
    marks={
        "over capacity": "over",
        "without supply": "hungry",
        "guarded": "guarded",
        "half movement": "slowed",
        "no strategic movement": "tied",
        "moving": "movers",
        "attacked": "fought",
        "attacking": "attackers",
        "advanced": "forward",
        "losing": "losers",
        "retreating": "retreating",
        "advancing": "advancing",
    },
    numbers={
        "ports in hand": "ports",
        "zone of the invasion": "zone",
        "lifted": lifted,
        "Allied replacements": "credit[0]",
        "German infantry replacements": "credit[1]",
        "German armor replacements": "credit[2]",
        "half points left": "points",
        "half points of strategic movement": "extra",
        "round": "round",
        "steps to lose": "loss",
        "half points of breakthrough": "surge",
        "supported": "backed",
    },
    phases=tuple(PHASES),
)
