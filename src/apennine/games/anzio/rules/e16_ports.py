"""E16A: port counters are dismantled, to be built elsewhere when the calendar brings one."""

from __future__ import annotations

from apennine.kernel.decision import Option, Procedure
from apennine.kernel.order import HEX, Bars, Order

from ..table.position import CLOSED, Table
from ..table.war import War
from .c4_friendly import close_base


class Dismantle(Order[War, Table]):
    """E16A: a port or beachhead is given up; its counter may be received again, not kept."""

    verb, names = "dismantle", (HEX,)
    when, rule, opens = "Ports are dismantled at the end of the Allied turn", "E16A", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield war.is_advanced(pos), "Ports are dismantled in the Advanced Game", "E16A"
        found = 0
        for base, state in zip(war.ground.bases, pos.bases):
            found |= 0 if state == CLOSED else base.hexes
        yield found & pos.friendly, "There is no port counter in {hex}", "E16A"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        number = next(n for n in war.ground.base_at[option.hex] if pos.bases[n] != CLOSED)
        yield from close_base(war, pos, number)


DISMANTLE = Dismantle()
