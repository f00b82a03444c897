"""C8 and C2A: over the edges of the board, from Messina and Taranto or as reinforcements."""

from __future__ import annotations

from functools import lru_cache

from apennine.hexes import Mask, bits, first_bit
from apennine.kernel.decision import Option, Procedure
from apennine.kernel.order import HEX, UNIT, Bars, Order

from ..table.position import ALLIED, DUE, Table
from ..table.rivers import FREE
from ..table.terrain import Entry
from ..table.war import SCALE, War
from .b4c_march import gait, pace_of, stack_place
from .b4d_stacking import full_hexes
from .b4e_zones import occupied, zone
from .c4_friendly import come_into
from .c7_sea import entry_at, into_box
from .e8_commands import COMMANDS, command_edge

COMING = "Units come onto the map in their movement phase"
SEPT_III, SEPT_IV = 2, 3
"""Turns (C8D3)."""


def entry_edge(war: War, pos: Table, entry: Entry) -> Mask:
    """C8D: the hexes over which units enter from Messina or Taranto in this turn."""
    regions = war.board.regions
    if entry.name != "Taranto" or pos.turn > SEPT_IV:
        return entry.edge
    if pos.turn < SEPT_III:
        return 0
    return entry.edge & regions["taranto-sept-iii" if pos.turn == SEPT_III else "taranto-sept-iv"]


def exit_edge(pos: Table, entry: Entry) -> Mask:
    """C8F, C8I: those over which they leave: that of Taranto whole from Sept III."""
    return 0 if entry.name == "Taranto" and pos.turn < SEPT_III else entry.edge


def crossing_price(war: War, pos: Table, hex: int, climbs: bool) -> int:
    """C2A2: what it costs to come over the edge into a hex: as its ground, or along a road.

    High Apennine takes all: -1.
    """
    return _edge_price(war, hex, climbs, pace_of(war, pos))


@lru_cache(1024)
def _edge_price(war: War, hex: int, climbs: bool, pace: str) -> int:
    chart = (war.book.mountain if climbs else war.book.movement)[pace]
    road = war.ground.exit_road(hex)
    if road:
        return int(chart.price(road) * SCALE)
    ground = war.board.terrain_of(hex)
    if ground in ("high", "swamp"):
        return -1
    name = "plain" if ground == "plain" else "rough"
    return int(chart.price(name) * SCALE)


def edge_of(war: War, pos: Table) -> Mask:
    """Where the stack that moves may come on."""
    here = stack_place(pos)
    if here == DUE:
        return war.german_edge(pos)
    if here in COMMANDS:
        return command_edge(war, pos, here)
    entry = entry_at(war, here)
    return entry_edge(war, pos, entry) if entry else 0


class ComeOn(Order[War, Table]):
    """C2A2, C8D: the stack comes onto the map over an edge of the board."""

    verb, names = "come on", (UNIT, HEX)
    implied = (UNIT,)
    when, rule = COMING, "C2A2"

    def bars(self, war: War, pos: Table) -> Bars:
        lead = first_bit(pos.movers)
        yield 1 << lead, f"{war.names[lead]} leads the stack that moves, not {{unit}}", "B4C3"
        yield edge_of(war, pos) != 0, "No edge of the board is open to {unit} now", "C8D1"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        edge, by = edge_of(war, pos), "C8D2" if pos.side == ALLIED else "C2A2"
        yield edge, "{hex} is on no edge over which {unit} may come", by
        enemy = 1 - pos.side
        yield ~occupied(war, pos, enemy), "The enemy is in {hex}", "B4D4"
        banned = "C8K" if pos.side == ALLIED else "C2A5a"
        yield ~zone(war, pos, enemy), "{hex} is in an enemy zone of control", banned
        climbs = gait(war, pos, first).climbs
        dear = [
            hex
            for hex in bits(edge)
            if crossing_price(war, pos, hex, climbs) > pos.points + pos.extra
        ]
        yield ~sum([1 << hex for hex in dear]), "{unit} has too few points for {hex}", "C2A2"
        crowded = full_hexes(war, pos, pos.side, pos.movers)
        yield ~crowded, "There is no room in {hex}", "B4D1"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        return come_on(war, pos, option.hex)


def come_on(war: War, pos: Table, hex: int) -> Procedure:
    """The first hex counts; Germans may go on strategically (C2A5b), Allies not (C8E)."""
    units, lead = pos.movers, first_bit(pos.movers)
    price = crossing_price(war, pos, hex, gait(war, pos, lead).climbs)
    if pos.side == ALLIED:
        pos.shipped |= units
        pos.extra = 0
    if price < 0:
        price = pos.points + pos.extra
    pos.extra -= max(price - pos.points, 0)
    pos.points = max(pos.points - price, 0)
    pos.under_way = True
    for unit in bits(units):
        pos.hex[unit], pos.bank[unit] = hex, FREE
    yield from come_into(war, pos, lead, hex)
    if pos.points + pos.extra <= 0:
        pos.movers = 0
        pos.under_way = False


class Leave(Order[War, Table]):
    """C8F: an Allied stack leaves the map to Messina or Taranto, and ends its turn there (C8G)."""

    verb, names = "leave", (UNIT, HEX)
    implied = (UNIT,)
    when, rule = "Allied units leave the map in their movement phase", "C8F"

    def bars(self, war: War, pos: Table) -> Bars:
        lead, here = first_bit(pos.movers), stack_place(pos)
        yield 1 << lead, f"{war.names[lead]} leads the stack that moves, not {{unit}}", "B4C3"
        yield bool(open_boxes(war, pos, here)), "No edge of the board is open here", "C8F"
        price = crossing_price(war, pos, here, gait(war, pos, lead).climbs)
        enough = price <= pos.points + pos.extra and (price >= 0 or not pos.under_way)
        yield enough, "{unit} has too few points to leave the map", "C8F"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        yield open_boxes(war, pos, stack_place(pos)), "{hex} is not beyond this edge", "C8F"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        yield from depart(war, pos, pos.movers, option.hex)
        pos.movers = pos.points = pos.extra = 0
        pos.under_way = False


def open_boxes(war: War, pos: Table, hex: int) -> Mask:
    """The boxes into which Allied units may leave the map from a hex, as bits of their places."""
    found = 0
    for entry in war.ground.entries:
        if exit_edge(pos, entry) >> hex & 1:
            found |= 1 << entry.place
    return found


def depart(war: War, pos: Table, units: Mask, place: int) -> Procedure:
    """Units leave the map; that takes none of what comes in by sea."""
    before = pos.landed[:]
    opened = pos.opened
    yield from into_box(war, pos, units, place)
    pos.landed[:] = before
    pos.opened = opened
    pos.moved |= units


COME_ON, LEAVE = ComeOn(), Leave()
