"""D6A and D6B: forts are built."""

from __future__ import annotations

from apennine.kernel.decision import Event, Option, Procedure
from apennine.kernel.order import HEX, Bars, Order

from ..table.position import ALLIED, Table
from ..table.war import War
from .b4e_zones import zone
from .e2_calendar import fort_turn


class BuildFort(Order[War, Table]):
    """D6B2: the Germans build a fort in their movement phase, and may use it at once."""

    verb, names, link = "build fort", (HEX,), "in"
    when, rule = "The Germans build forts in their movement phase", "D6B2"
    needs, opens = "forts", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.forts, "Forts are not used in this match", "D1"
        allowed = fort_turn(war, pos) and not pos.built
        yield allowed, "No fort may be built in this turn any more", "D6B1"
        few = pos.works.bit_count() < war.book.limits.forts
        yield few, "There is no fort counter left", "D6B1"
        ground = war.ground
        yield ground.stands, "{hex} is not playable", "D6B3"
        yield ~ground.major_cities, "{hex} is a major city", "D6B4"
        yield ~pos.works, "A fort is there already", "D6B7"
        mine = pos.held & ~pos.friendly
        yield mine, "{hex} was not German when the Allied turn ended", "D6B3"
        yield ~zone(war, pos, ALLIED), "{hex} is in an Allied zone of control", "D6B3"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.works |= 1 << option.hex
        pos.built = True
        yield Event("fort built", hex=option.hex, rule="D6B2")


BUILD_FORT = BuildFort()
