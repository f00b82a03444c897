"""What learners are given of the table."""

from __future__ import annotations

from apennine.hexes import bits
from apennine.kernel.encoding import Encoding

from ..rules.c05_sequence import PHASES
from ..rules.c06_fog import hidden
from ..table.position import ALLIED, UNDECIDED, Table
from ..table.war import War

FACE_DOWN = -2


def note(_war: War, pos: Table, side: int) -> int:
    """8.10b: both see that there is a note; what it says only its writer, until the launch."""
    if pos.scenario == UNDECIDED or pos.plot < 0:
        return -1
    known = side == ALLIED or pos.launched or pos.verdict
    return pos.plot if known else FACE_DOWN


def scenario(_war: War, pos: Table, _side: int) -> int:
    """The one that is played, or that was agreed on."""
    return pos.scenario or pos.agreed


def moves_left(_war: War, pos: Table, side: int) -> int:
    """6.4a: how far Allied units can still go tells with whom they were."""
    return pos.moves_left if pos.order and (pos.side != ALLIED or side == ALLIED) else -1


def unknown(war: War, pos: Table, side: int) -> int:
    """The hexes with somebody of whom the side knows nothing else."""
    found = 0
    for unit in bits(hidden(war, pos, side)):
        place = pos.hex[unit]
        if 0 <= place < war.lattice.size:
            found |= 1 << place
    return found


ENCODING = Encoding(
    planes={"Allied towns": "control", "forts": "forts", "unknown units": unknown},
    marks={
        "on top": "tops",
        "has acted": "acted",
        "replenished": "rebuilt",
        "multi-national corps": "corps",
        "moving": "movers if order",
        "attacking": "attackers while target",
        "defending": "defenders while target",
        "retreating": "retreating while target",
        "advanced": "advanced while target",
    },
    numbers={
        "scenario": scenario,
        "command points": "points",
        "note": note,
        "launched": "launched",
        "steps owed": "owed",
        "Allied tactical air": "tac",
        "German tactical air": "german_tac",
        "Allied air activated": "tac_active",
        "aerial supply": "airlift",
        "drop ready": "drop_ready",
        "dropped": "dropped",
        "forts left": "forts_left",
        "order": "order",
        "from": "origin if order",
        "points left": moves_left,
        "target": "target",
        "air support": "air_support while target",
        "heavy bombers": "bomber while target",
        "in rubble": "rubble while target",
    },
    phases=tuple(PHASES),
    unseen=hidden,
)
