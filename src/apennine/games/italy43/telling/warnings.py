"""What a player will want to know before it hurts."""

from __future__ import annotations

from collections.abc import Iterator

from apennine.hexes import bits
from apennine.kernel.game import Warning
from apennine.kernel.ledger import rule

from ..rules.c02_pieces import there
from ..rules.c04_stacking import overstacked
from ..rules.c12_retreat import is_trapped
from ..rules.c13_disorder import beset, exposed
from ..rules.c16_supply import supplied_units
from ..table.position import Table
from ..table.war import War

PUSHED = 2
"""The hexes of the usual retreat, by which it is judged who is trapped."""


def warnings(war: War, pos: Table, side: int) -> list[Warning]:
    """What a player will want to know before it hurts."""
    return [
        *crowded(war, pos, side),
        *fleeing(war, pos, side),
        *hungry(war, pos, side),
        *trapped(war, pos, side),
    ]


def crowded(war: War, pos: Table, side: int) -> Iterator[Warning]:
    """Stacks that are too high (4.4b)."""
    for hex in bits(overstacked(war, pos, side)):
        sentence = f"More than {war.book.limits.stack} points are in {war.board.code(hex)}."
        yield Warning(sentence, rule("4.4b"), hex=hex)


def fleeing(war: War, pos: Table, side: int) -> Iterator[Warning]:
    """Units in Full Retreat that the enemy's next phase would destroy (13.3.2f)."""
    near = beset(war, pos, side)
    for unit in bits(exposed(war, pos, side)):
        if near >> pos.hex[unit] & 1:
            sentence = f"{war.names[unit]} is in Full Retreat next to the enemy."
            yield Warning(sentence, rule("13.3.2f"), unit, pos.hex[unit])


def hungry(war: War, pos: Table, side: int) -> Iterator[Warning]:
    """Units that would be marked out of supply (16.1a)."""
    present = there(war, pos, side).units
    for unit in bits(present & ~supplied_units(war, pos, side)):
        sentence = f"{war.names[unit]} would be out of supply now."
        yield Warning(sentence, rule("16.1a"), unit, pos.hex[unit])


def trapped(war: War, pos: Table, side: int) -> Iterator[Warning]:
    """Units next to the enemy that no retreat would save (12.2a)."""
    near = beset(war, pos, side)
    for unit in bits(there(war, pos, side).among(near) & ~war.artillery):
        if is_trapped(war, pos, unit, PUSHED):
            sentence = f"{war.names[unit]} could not survive a retreat."
            yield Warning(sentence, rule("12.2a"), unit, pos.hex[unit])
