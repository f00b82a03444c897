"""D5C: raids of commandos; how they land in invasions is in `c5_invasion`."""

from __future__ import annotations

from apennine.kernel.decision import Option, Procedure
from apennine.kernel.order import HEX, UNIT, Bars, Order

from ..table.position import ALLIED, Table
from ..table.war import War
from .b4d_stacking import full_hexes
from .c5_invasion import disembark, landing_reach, owes_invasion
from .c7_sea import can_put_to_sea, charge_departure
from .e18_seas import within_a_voyage


class Raid(Order[War, Table]):
    """D5C2: a commando lands where it likes, in a turn without an invasion."""

    verb, names = "raid", (UNIT, HEX)
    ranges = ((UNIT, lambda war: war.commandos),)
    when, rule = "Commandos raid in the Allied movement phase", "D5C2"
    needs, opens = "commandos", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.commandos, "The rule on commandos is not used in this match", "D1"
        yield not owes_invasion(war, pos), "The Allies open the game with an invasion", "C5A1"
        yield pos.invaded != pos.turn, "An invasion is under way in this turn", "D5C2"
        most = war.book.landing.raids
        yield pos.raids < most, "Commandos have raided in this turn", "D5C2"
        yield war.commandos & war.army[ALLIED], "{unit} is no commando", "D5A"
        yield ~pos.moved, "{unit} has moved in this turn", "B4C3"
        yield can_put_to_sea(war, pos), "{unit} is not where it could put to sea", "D5C6"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        yield ~war.ground.sea, "Nobody can be at sea", "C5D2"
        found = landing_reach(war, pos, first, raid=True).ends & ~war.ground.passing
        yield found, "{hex} cannot be reached from a shore south of the middle fold", "D5C1"
        near = within_a_voyage(war, pos, pos.hex[first])
        yield near, "{hex} is too far by sea for one turn", "E18B"
        crowded = full_hexes(war, pos, ALLIED, 1 << first)
        yield ~crowded, "There is no room for {unit} in {hex}", "B4D1"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        unit = option.unit
        path = landing_reach(war, pos, unit, raid=True).path(option.hex)
        charge_departure(war, pos, 1 << unit)
        pos.raids += 1
        yield from disembark(war, pos, unit, path)


RAID = Raid()
