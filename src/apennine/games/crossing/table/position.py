"""What lies on the table."""

from __future__ import annotations

from dataclasses import dataclass

from apennine.kernel.position import Position

ALLIED, GERMAN = 0, 1
LOST = -1
"""Where units are that have left the game."""
NOBODY = -1
WEST, EAST, UNLAID, SPENT = 0, 1, -1, -2
"""Where the charge is: at a bridge, not laid yet, or blown."""


@dataclass(slots=True, eq=False, kw_only=True)
class Table(Position):
    """A position of The Crossing. Sets of units and of hexes are bitboards."""

    hex: list[int]
    steps: list[int]
    cut: int = 0
    """Units that their last supply phase found out of supply."""
    moved: int = 0
    mover: int = NOBODY
    """The unit that is moving now."""
    left: int = 0
    """The ticks that it has left."""
    charge: int = UNLAID
    blown: int = 0
    """Bridges that are gone: bit 0 the west one, bit 1 the east one."""
    waved: bool = False
    """The Germans let everything pass until the phase ends."""
    fought: int = 0
    attacked: int = 0
    """Hexes that were attacked in this phase."""
    target: int = NOBODY
    """The hex of the battle under way."""
    attackers: int = 0
    held: int = 0
    """Towns that the Allies hold."""
    last_turn: int
    towns_to_win: int
    boats: bool = False
