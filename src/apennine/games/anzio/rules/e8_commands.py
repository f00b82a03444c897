"""E8G: the Ligurian and the Adriatic Command, beside the map."""

from __future__ import annotations

from apennine.hexes import Mask, bits, first_bit
from apennine.kernel.decision import Event, Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import UNIT, Bars, Order

from ..table.position import ADRIATIC, ALLIED, GERMAN, LIGURIAN, Table
from ..table.war import SCALE, War
from .b4d_stacking import load
from .b4e_zones import occupied, soften, there, those_in, zone
from .b4f_steps import destroy

COMMANDS = (LIGURIAN, ADRIATIC)
SINCE = 48
"""Sept I 1944 (E8G2)."""
LEAST, SHUT = 8, 2
"""Stacking points that stay in a Command (E8G7); German turns that close it (E8G6)."""
MOVING = "Units of the Commands move in the German movement phase"


def exists(war: War, pos: Table, place: int) -> bool:
    """Whether a Command is there: from Sept I 1944, until it is sealed off."""
    in_time = war.is_advanced(pos) and pos.turn >= SINCE
    return in_time and pos.commands[COMMANDS.index(place)] < SHUT


def command_edge(war: War, pos: Table, place: int) -> Mask:
    """E8G3, E8G5: where units of a Command enter: the nearest edge hex free of Allies."""
    barred = zone(war, pos, ALLIED) | occupied(war, pos, ALLIED)
    for hex in war.command_edges[COMMANDS.index(place)]:
        if not barred >> hex & 1:
            return 1 << hex
    return 0


def counted(war: War, pos: Table, units: Mask) -> int:
    """E8G7: the stacking points that count: units with a defence factor."""
    return load(war, units & ~pos.soft)


def posted(war: War, pos: Table) -> Mask:
    """The units in the Commands that may leave them: enough must stay (E8G7)."""
    if pos.side != GERMAN or not war.is_advanced(pos) or pos.turn < SINCE:
        return 0
    found = 0
    for place in COMMANDS:
        units = those_in(war, pos, place, GERMAN) & ~pos.movers
        for unit in bits(units):
            rest = counted(war, pos, units & ~(1 << unit))
            if rest >= LEAST or not counted(war, pos, 1 << unit):
                found |= 1 << unit
    return found


def commanded(war: War, pos: Table) -> Mask:
    """All units in the Commands."""
    there_now = there(war, pos, GERMAN)
    return there_now.stack(LIGURIAN) | there_now.stack(ADRIATIC)


class JoinCommand(Order[War, Table]):
    """E8G2: a stack at the edge of the map joins the Command beyond it."""

    verb, names = "join the Command", (UNIT,)
    implied = (UNIT,)
    when, rule = MOVING, "E8G2"

    def bars(self, war: War, pos: Table) -> Bars:
        lead = first_bit(pos.movers)
        yield 1 << lead, f"{war.names[lead]} leads the stack that moves, not {{unit}}", "B4C3"
        place = beyond(war, pos, pos.hex[lead])
        yield place != 0, "There is no Command beyond this hex", "E8G3"
        yield not pos.frozen & pos.movers, "{unit} is on garrison duty", "E6B1"
        free = not zone(war, pos, ALLIED) >> pos.hex[lead] & 1
        yield free, "{unit} is in an Allied zone of control", "E8G5"
        yield pos.points + pos.extra >= SCALE, "{unit} has too few points left", "E8G2"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        place = beyond(war, pos, pos.hex[option.unit])
        for unit in bits(pos.movers):
            pos.hex[unit] = place
            yield Event("joins a Command", unit, rule=rule("E8G2"))
        pos.movers = pos.points = pos.extra = 0
        pos.under_way = False


def beyond(war: War, pos: Table, hex: int) -> int:
    """The Command beyond a hex of the edge; 0 if there is none."""
    for place, edge in zip(COMMANDS, war.command_edges):
        if hex in edge and exists(war, pos, place):
            return place
    return 0


def watch_entries(war: War, pos: Table) -> Procedure:
    """E8G6: a Command whose entries are all shut for two German turns in a row is destroyed."""
    if not war.is_advanced(pos) or pos.turn < SINCE:
        return
    for number, place in enumerate(COMMANDS):
        if pos.commands[number] >= SHUT:
            continue
        pos.commands[number] = 0 if command_edge(war, pos, place) else pos.commands[number] + 1
        if pos.commands[number] == SHUT:
            for unit in bits(those_in(war, pos, place, GERMAN)):
                yield from destroy(war, pos, unit, rule("E8G6"))


class RefitInCommand(Order[War, Table]):
    """E8G8: a unit in a Command gains a step without a counter, from what the calendar gave."""

    verb, names = "refit", (UNIT,)
    when, rule, opens = "Units in the Commands are rebuilt as movement ends", "E8G8", True

    def bars(self, war: War, pos: Table) -> Bars:
        units = commanded(war, pos) if pos.side == GERMAN else 0
        yield units, "{unit} is in no Command", "E8G8"
        yield ~(war.italians | war.replacements), "{unit} is never rebuilt", "E10A2b"
        yield ~pos.rebuilt, "{unit} has gained a step in this turn", "C11A3"
        worn = [u for u in bits(units) if pos.steps[u] < war.full[u]]
        yield sum([1 << u for u in worn]), "{unit} has no stronger counter", "C11A9"
        able = [u for u in worn if pos.credit[1 + (war.armor >> u & 1)]]
        yield sum([1 << u for u in able]), "There is no replacement for {unit}", "E8G8"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        unit = option.unit
        pos.credit[1 + (war.armor >> unit & 1)] -= 1
        pos.steps[unit] += 1
        pos.rebuilt |= 1 << unit
        soften(war, pos, unit)
        yield Event("gains a step", unit, rule="E8G8")


JOIN_COMMAND, REFIT = JoinCommand(), RefitInCommand()
