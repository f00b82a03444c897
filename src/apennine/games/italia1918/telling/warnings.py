"""What a player will want to know before it hurts."""

from __future__ import annotations

from collections.abc import Iterator

from apennine.hexes import bits
from apennine.kernel.game import Warning
from apennine.kernel.ledger import rule

from ..rules.c02_pieces import there
from ..rules.c04_stacking import overstacked
from ..rules.c05_zones import zone
from ..rules.c09_supply import linked, supplied
from ..table.position import Table
from ..table.war import War


def warnings(war: War, pos: Table, side: int) -> list[Warning]:
    """What a player will want to know before it hurts."""
    return [
        *crowded(war, pos, side),
        *hungry(war, pos, side),
        *cut_staffs(war, pos, side),
        *exposed(war, pos, side),
        *depots(war, pos, side),
    ]


def crowded(war: War, pos: Table, side: int) -> Iterator[Warning]:
    """Stacks of which something would be eliminated at the end of the phase (4.0f)."""
    for hex in bits(overstacked(war, pos, side)):
        sentence = f"Too many units are in {war.board.code(hex)}: the surplus will be eliminated."
        yield Warning(sentence, rule("4.0f"), hex=hex)


def hungry(war: War, pos: Table, side: int) -> Iterator[Warning]:
    """Units that the next Supply Phase would mark, or eliminate (9.1o, 9.2d, 9.3a)."""
    present = there(war, pos, side)
    starving = present.units & ~present.among(supplied(war, pos, side))
    spared = war.headquarters | war.depots | war.aircraft | war.assault
    for unit in bits(starving & ~spared):
        name, hex = war.names[unit], pos.hex[unit]
        if war.supports >> unit & 1:
            sentence = f"{name} would be eliminated in the next Supply Phase."
            yield Warning(sentence, rule("9.3a"), unit, hex)
        elif pos.hungry >> unit & 1:
            sentence = f"{name} would be eliminated in the next Supply Phase."
            yield Warning(sentence, rule("9.2d"), unit, hex)
        else:
            sentence = f"{name} would be out of supply in the next Supply Phase."
            yield Warning(sentence, rule("9.1o"), unit, hex)


def cut_staffs(war: War, pos: Table, side: int) -> Iterator[Warning]:
    """Headquarters without a line to a source, which would be displaced (9.1e)."""
    present = there(war, pos, side)
    for unit in bits(present.units & war.headquarters & ~present.among(linked(war, pos, side))):
        sentence = f"{war.names[unit]} has no line to a source and would be displaced."
        yield Warning(sentence, rule("9.1e"), unit, pos.hex[unit])


def exposed(war: War, pos: Table, side: int) -> Iterator[Warning]:
    """Supports with no combat unit beside whom the enemy could come (11.3.1b)."""
    present = there(war, pos, side)
    near = war.lattice.dilate(zone(war, pos, 1 - side)) & present.ground & ~present.combat
    spared = war.depots | war.assault | war.aircraft | war.barges
    for unit in bits(present.among(near) & ~spared):
        sentence = f"{war.names[unit]} is alone near the enemy."
        yield Warning(sentence, rule("11.3.1b"), unit, pos.hex[unit])


def depots(war: War, pos: Table, side: int) -> Iterator[Warning]:
    """Depots alone that the enemy could capture (15.5.2a)."""
    present = there(war, pos, side)
    near = war.lattice.dilate(there(war, pos, 1 - side).combat, NEAR)
    for unit in bits(present.among(near & ~present.closed) & war.depots):
        sentence = f"{war.names[unit]} lies open to the enemy."
        yield Warning(sentence, rule("15.5.2a"), unit, pos.hex[unit])


NEAR = 3
"""Hexes within which the enemy is near to a depot."""
