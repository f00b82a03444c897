"""Chapter 7: supply."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apennine.kernel.decision import Event
from apennine.kernel.game import Procedure
from apennine.kernel.ledger import rule
from apennine.mechanics.trace import Line, trace
from apennine.mechanics.zoc import negated

from .position import LOST, Table

if TYPE_CHECKING:
    from .game import Crossing


def supplied(game: Crossing, pos: Table, side: int) -> int:
    """The hexes from which a line leads to the side's own map edge (7.1)."""
    free = game.board.lattice.all & ~closed(game, pos, side)
    return game.board.lattice.flood_sides(game.edge[side] & free, free, game.passable(pos))


def closed(game: Crossing, pos: Table, side: int) -> int:
    """The hexes that no line of a side enters (7.1)."""
    zone = negated(game.zone(pos, 1 - side), by=game.occupied(pos, side))
    return game.occupied(pos, 1 - side) | zone


def line(game: Crossing, pos: Table, unit: int) -> list[int]:
    """The shortest line of supply of a unit, from its hex to the edge; empty if there is none."""
    if pos.hex[unit] == LOST or not supplied(game, pos, game.side_of[unit]) >> pos.hex[unit] & 1:
        return []
    side = game.side_of[unit]
    rules = Line(over=game.passable(pos), blocked=closed(game, pos, side))
    return trace(game.board.lattice, game.edge[side] & ~rules.blocked, rules).line(pos.hex[unit])


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
