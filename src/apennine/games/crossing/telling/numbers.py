"""What learners are given of the table."""

from __future__ import annotations

from apennine.kernel.encoding import Encoding

from ..rules.c01_sequence import PHASES
from ..table.position import EAST, GERMAN, WEST, Table
from ..table.war import War

HIDDEN = -3


def charge(_war: War, pos: Table, side: int) -> int:
    """5.1: at which bridge it lies only the Germans know."""
    return HIDDEN if side != GERMAN and pos.charge in (WEST, EAST) else pos.charge


ENCODING = Encoding(
    planes={"towns held": "held"},
    marks={
        "out of supply": "cut",
        "moved": "moved",
        "fought": "fought",
        "attackers": "attackers while target",
    },
    numbers={
        "mover": "mover",
        "ticks left": "left while mover",
        "charge": charge,
        "bridges blown": "blown",
        "target": "target",
        "last turn": "last_turn",
    },
    phases=tuple(PHASES),
)
