"""Chapter 14.3: the markers of both sides are adjusted."""

from __future__ import annotations

from apennine.hexes import Mask, bits
from apennine.kernel.decision import Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import Plain
from apennine.mechanics.asking import while_possible

from ..table.position import Table
from ..table.war import War
from .c02_pieces import there
from .c05_zones import zone
from .c11_engineers import TAKE_UP


def in_enemy_zone(war: War, pos: Table, units: Mask) -> Mask:
    """Those of some units that stand in an enemy zone, friends beside them or not (14.3c)."""
    found = 0
    for side in (0, 1):
        against = zone(war, pos, 1 - side)
        for unit in bits(units & there(war, pos, side).units):
            found |= (against >> pos.hex[unit] & 1) << unit
    return found


def adjustment_phase(war: War, pos: Table) -> Procedure:
    """14.3a, 11.2.4j: markers are adjusted, and own pontoon bridges may be taken up."""
    adjust_markers(war, pos)
    if pos.sequence == 1:
        pos.silent = 0  # S1.S6b
    prompt = "Take up pontoon bridges, or leave them where they are"
    yield from while_possible(LIE, war, pos, prompt, rule("11.2.4j"), TAKE_UP)


LIE = Plain("leave the bridges", "Pontoon bridges are taken up as markers are adjusted", "11.2.4j")


def adjust_markers(war: War, pos: Table) -> None:
    """In this order, for the units of both sides (14.3a): who rallies now was not tired just now.

    The High Command's reserves are no markers of players, and stay (11.2.10e).
    """
    pos.reorganizing &= in_enemy_zone(war, pos, pos.reorganizing)
    pos.reorganizing |= pos.disorganized  # 14.3b
    pos.disorganized = 0
    pos.exploits = []
    pos.reserves = []
    pos.slipping = 0
    pos.pinned = 0
