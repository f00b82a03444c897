"""What a player will want to know before it hurts."""

from __future__ import annotations

from collections.abc import Iterator

from apennine.hexes import bits
from apennine.kernel.game import Warning
from apennine.kernel.ledger import rule

from ..rules.c04_zones import occupied, units_in, units_on_map
from ..rules.c05_stacking import overstacked
from ..rules.c06_logistics import by_beaches, centre_in_supply, supplied
from ..rules.c11_operations import MOST
from ..table.position import ALLIED, GERMAN, Table
from ..table.war import War
from .overlays import threats


def warnings(war: War, pos: Table, side: int) -> list[Warning]:
    """What a player will want to know before it hurts."""
    own = *hungry(war, pos, side), *exposed(war, pos, side), *crowded(war, pos, side)
    return [*own, *turned_by_sea(war, pos, side)]


def hungry(war: War, pos: Table, side: int) -> Iterator[Warning]:
    """A centre cut off, and units without supply (6.1c, 6.3a)."""
    if pos.phase in ("deploy", "centres"):
        return
    if pos.centre[side] >= 0 and not centre_in_supply(war, pos, side):
        hex = pos.centre[side]
        yield Warning("Your logistic centre is cut off from its sources.", rule("6.1c"), hex=hex)
    fed = supplied(war, pos, side) | by_beaches(war, pos, side)
    for unit in units_on_map(war, pos, side):
        if not fed >> pos.hex[unit] & 1:
            sentence = f"{war.names[unit]} would be out of supply now."
            yield Warning(sentence, rule("6.3a"), unit, pos.hex[unit])


def exposed(war: War, pos: Table, side: int) -> Iterator[Warning]:
    """Markers without an escort (9.6b)."""
    centre = pos.centre[side]
    alone = centre >= 0 and not units_in(war, pos, centre, side)
    if alone and threats(war, pos, 1 - side) >> centre & 1:
        yield Warning("Your logistic centre has no escort.", rule("9.6b"), hex=centre)
    if side == ALLIED:
        for beach in pos.beaches:
            if beach >= 0 and not units_in(war, pos, beach, ALLIED):
                yield Warning("The beachhead has no escort.", rule("9.6b"), hex=beach)


def crowded(war: War, pos: Table, side: int) -> Iterator[Warning]:
    """Stacks that are too high (5.1a)."""
    for hex in bits(overstacked(war, pos, side)):
        sentence = f"More than four units are in {war.board.code(hex)}."
        yield Warning(sentence, rule("5.1a"), hex=hex)


def turned_by_sea(war: War, pos: Table, side: int) -> Iterator[Warning]:
    """Ports in the Gothic line: one unit that lands there before it works undoes it (9.4d)."""
    line = pos.turn < war.gothic_turn and not pos.gothic
    if side == GERMAN and line and len(pos.launched) < MOST:
        for hex in bits(war.ports & war.gothic & ~pos.control & ~occupied(war, pos, GERMAN)):
            town, month = war.board.places_at(hex)[0].name, war.months[war.gothic_turn - 1]
            sentence = f"A landing at {town} before {month} would undo the whole Gothic Line."
            yield Warning(sentence, rule("9.4h"), hex=hex)
