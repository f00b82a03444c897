"""What learners are given of the table, and what its outlook is read off."""

from __future__ import annotations

from apennine.hexes import bits
from apennine.kernel.encoding import Encoding
from apennine.kernel.outlook import Clues

from ..rules.c01_sequence import PHASES
from ..table.position import EAST, GERMAN, LOST, WEST, Table
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

CLUED = (
    *("over", "towns to take", "towns held", "out of supply", "bridges blown"),
    *("Allied units", "German units", "Allied steps", "German steps"),
    *("Allies from a town", "Germans from a town"),
)


def clues(war: War, pos: Table) -> list[float]:
    """What all can see of how the game will end; where the charge lies is no part of it."""
    sides = [[unit for unit in units if pos.hex[unit] != LOST] for units in war.members]
    distance, lacking = war.lattice.distance, list(bits(war.towns & ~pos.held))
    return [
        (pos.turn - 1 + 0.5 * pos.side) / pos.last_turn,
        pos.towns_to_win - pos.held.bit_count(),
        pos.held.bit_count(),
        pos.cut.bit_count(),
        pos.blown.bit_count(),
        *[len(units) for units in sides],
        *[sum([pos.steps[unit] for unit in units]) for units in sides],
        *[
            min([distance(pos.hex[unit], town) for unit in units for town in lacking], default=0)
            for units in sides
        ],
    ]


def scenario(war: War, pos: Table) -> str:
    """Each has a fit of its own: they differ in how long they last."""
    return next((start.key for start in war.starts if start.turns == pos.last_turn), "")


CLUES = Clues(CLUED, clues, scenario)
