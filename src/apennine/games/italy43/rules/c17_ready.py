"""Chapter 17.5: artillery is readied for supply points, or by the weather (19.1, 19.4)."""

from __future__ import annotations

from dataclasses import dataclass

from apennine.hexes import Mask
from apennine.kernel.decision import Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import UNIT, Bars, Order, Plain, ask
from apennine.mechanics.asking import until

from ..table.position import ALLIED, Table
from ..table.war import War
from .c02_pieces import off_the_map, there, unready
from .c16_supply import supplied_units

READYING = "Artillery is readied in the initial phase and in the supply phase"
END = Plain("end the supply phase", "Supply points are spent in the supply phase", "3.0B5")


def resupply_phase(war: War, pos: Table) -> Procedure:
    """3.0B5: the last step of the supply phase, after markers and attrition."""
    prompt = "Ready artillery for supply points, or end the supply phase"
    yield from until(END, war, pos, prompt, rule("17.5b"), READY, checkpoint=True)


def fired(war: War, pos: Table, side: int) -> Bars:
    """The bars on artillery that is to be readied: fired, in Good Order and in supply."""
    yield war.army[side], "{unit} belongs to the other side", "1.0"
    yield war.artillery, "{unit} is no artillery", "17.5b"
    present = there(war, pos, side)
    yield present.units | present.in_areas, off_the_map(war, pos, side)
    yield ~pos.ready, "{unit} is ready", "17.5b"
    yield ~unready(pos), "{unit} is not in Good Order", "13.2.1c"
    yield ~pos.hungry, "{unit} has an Out of Supply marker", "16.4d"
    yield supplied_units(war, pos, side), "{unit} has no Line of Supply", "17.5b"


class Ready(Order[War, Table]):
    """17.5b: a supply point readies a unit of artillery."""

    verb, names, opens = "ready", (UNIT,), True
    when, rule = READYING, "17.5b"

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.supply[pos.side] > 0, "No supply points are left", "17.5b"
        yield ~war.howitzers, "{unit} is never readied for supply points", "19.4d"
        yield from fired(war, pos, pos.side)

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.supply[pos.side] -= 1
        pos.ready |= 1 << option.unit


@dataclass(slots=True)
class Flip(Order[War, Table]):
    """23.3.3: the weather readies one Nebelwerfer, or the heavy howitzers."""

    guns: Mask

    verb, names = "flip", (UNIT,)
    when, rule = "A weather roll of 2 to 4 readies a Nebelwerfer and the heavy howitzers", "23.3.3"

    def bars(self, war: War, pos: Table) -> Bars:
        yield self.guns, "The weather readies only a Nebelwerfer and the heavy howitzers", "23.3.3"
        yield from fired(war, pos, pos.side)

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.ready |= 1 << option.unit


READY = Ready()
LEAVE = Plain("leave it", "A weather roll of 2 to 4 readies artillery", "23.3.3")


def flips_phase(war: War, pos: Table) -> Procedure:
    """23.3.3: one free flip for each side, lost if nothing can take it."""
    flip = Flip(war.howitzers if pos.side == ALLIED else war.nebelwerfers)  # 19.1b, 19.4d
    if pos.flips and flip.menu(war, pos):
        yield from ask(war, pos, "Ready artillery for free?", rule("23.3.3"), flip, LEAVE)
