"""C7C5a: evacuation in the movement phase."""

from __future__ import annotations

from apennine.kernel.decision import Option, Procedure
from apennine.kernel.order import UNIT, Bars, Order

from ..table.position import ALLIED, Table
from ..table.war import War
from .b4e_zones import there
from .c7_sea import can_evacuate, evacuate
from .c12_automatic import must_hold

EVACUATING = "Allied units are evacuated in their movement phase, when no stack is on the move"


class Evacuate(Order[War, Table]):
    """C7C5a: a unit is evacuated in the Allied movement phase."""

    verb, names = "evacuate", (UNIT,)
    when, rule, opens = (
        EVACUATING,
        "C7C2",
        True,
    )
    by_name = True

    def bars(self, war: War, pos: Table) -> Bars:
        yield war.army[ALLIED], "{unit} is no Allied unit, and never moves by sea", "B4C13"
        present = there(war, pos, ALLIED)
        yield present.units, "{unit} is not on the map", "C7C2"
        yield war.inverts, "{unit} has no inverted counter", "C7C6"
        yield ~pos.shipped, "{unit} has been at sea in this turn", "C7B4"
        yield from must_hold(war, pos)
        able = can_evacuate(war, pos, present.units)
        yield able, "{unit} is not where it could be evacuated", "C7C3"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        return evacuate(war, pos, option.unit)


EVACUATE = Evacuate()
