"""Chapter 9: German fortifications (9.8)."""

from __future__ import annotations

from apennine.hexes import Mask
from apennine.kernel.decision import Event
from apennine.kernel.game import Procedure
from apennine.kernel.ledger import rule

from ..table.position import ALLIED, GERMAN, Table
from ..table.war import War
from .c07_zones import crowd
from .c11_supply import net


def fort_sites(war: War, pos: Table) -> Mask:
    """9.8: supplied hexes without a fort, not in an Allied zone unless Germans are there."""
    if not pos.forts_left or pos.turn < war.book.forts.first_turn:
        return 0
    allied, german = crowd(war, pos, ALLIED), crowd(war, pos, GERMAN)
    sites = war.fort_sites & net(war, pos, GERMAN) & ~pos.forts & ~allied.occupied
    if pos.special_forces:
        sites &= ~(1 << war.special_forces)
    return sites & ~(allied.zone & ~german.occupied)


def build_fort(war: War, pos: Table, hex: int) -> Procedure:
    """A fort is built for a command point; it is no action of the units there (9.8j)."""
    pos.points -= war.book.prices.fort
    pos.forts |= 1 << hex
    pos.forts_left -= 1
    pos.drop_asked = False
    yield Event("fort is built", hex=hex, rule=rule("9.8a"))
