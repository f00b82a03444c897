"""What learners are given of the table."""

from __future__ import annotations

from apennine.kernel.encoding import Encoding

from ..rules.c03_sequence import PHASES
from ..rules.c07_rrw import beachheads
from ..table.position import Table
from ..table.war import War
from .view import unseen


def landed_at(_war: War, pos: Table, _side: int) -> int:
    """The hexes with a beachhead, which most positions do without."""
    return beachheads(pos) if pos.beaches else 0


def waiting(_war: War, pos: Table, _side: int) -> int:
    """The notes that were not shown: how many, not what they say (11Pb)."""
    return sum([not note[4] for note in pos.notes]) if pos.notes else 0


ENCODING = Encoding(
    planes={
        "Allied control": "control",
        "Gothic line entered": "gothic",
        "beachheads": landed_at,
    },
    marks={
        "out of supply": "cut",
        "moved": "moved",
        "moving": "movers",
        "attacked": "attacked",
        "attacking": "attackers while target",
        "just landed": "landed",
    },
    numbers={
        "last turn": "last_turn",
        "Allied centre": "centre[0]",
        "German centre": "centre[1]",
        "centres moving": "moving_centres",
        "offensive": "offensive",
        "ticks left": "points if movers",
        "ticks of operational movement": "extra if movers",
        "target": "target",
        "attacker's support": "support[0] while target",
        "defender's support": "support[1] while target",
        "breakthrough": "breakthrough while target",
        "Allied air used": "air[0]",
        "German air used": "air[1]",
        "naval used": "naval",
        "beachheads destroyed": "destroyed",
        "notes waiting": waiting,
    },
    phases=tuple(PHASES),
    unseen=unseen,
)
