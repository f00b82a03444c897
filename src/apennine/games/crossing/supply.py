"""Chapter 7: supply."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apennine.kernel.decision import Event
from apennine.kernel.game import Procedure
from apennine.kernel.ledger import rule
from apennine.mechanics.zoc import negated

from .position import Table

if TYPE_CHECKING:
    from .game import Crossing


def supplied(game: Crossing, pos: Table, side: int) -> int:
    """The hexes from which a line leads to the side's own map edge (7.1)."""
    enemies = game.occupied(pos, 1 - side)
    zone = negated(game.zone(pos, 1 - side), by=game.occupied(pos, side))
    free = game.board.lattice.all & ~(enemies | zone)
    return game.board.lattice.flood_sides(game.edge[side] & free, free, game.passable(pos))


def supply_phase(game: Crossing, pos: Table) -> Procedure:
    """7.2: judged once, for the active side; it holds until that side's next supply phase."""
    before, lines = pos.cut, supplied(game, pos, pos.side)
    for unit in game.on_map(pos, pos.side):
        if lines >> pos.hex[unit] & 1:
            pos.cut &= ~(1 << unit)
            continue
        pos.cut |= 1 << unit
        yield Event("out of supply", unit, pos.hex[unit], rule=rule("7.2"))
        if before >> unit & 1:  # 7.3
            yield Event("starves", unit, pos.hex[unit], rule=rule("7.3"))
            game.lose_step(pos, unit)
    pos.phase = "movement"
