"""What players are shown before they decide: previews, warnings, overlays."""

from __future__ import annotations

from collections.abc import Iterator

from apennine.hexes import Mask, bits
from apennine.kernel.decision import Option
from apennine.kernel.game import Line, Preview, Warning
from apennine.kernel.ledger import rule

from . import airpower, battle_advice
from .entry import is_corps_due
from .fog import hidden
from .forts import fort_sites
from .movement import allowance, is_hesitant, march
from .position import (
    AERIAL,
    ALLIED,
    COASTAL,
    COLUMN,
    GERMAN,
    MOVE,
    ORDERS,
    OVERLAND,
    TIBER,
    UNSUPPLIED,
    Table,
)
from .replacements import cost
from .show import SUPPLY_NAMES
from .supply import crossed_groups, net, status
from .turn_end import line
from .war import GB, War
from .zones import crowd, force_in, is_mixed, on_map, port_hexes, zone

OVERLAYS = (
    *("zone", "supply", "reach", "control", "threats"),
    *("column", "fort sites", "drop zone", "line of communications"),
)


def preview(war: War, pos: Table, option: Option) -> Preview | None:
    """The way and cost of a move, the price of a command, or the chances of a battle."""
    verb, unit, hex = option.verb, option.unit, option.hex
    prices = war.book.prices
    if verb == "go":
        found = march(war, pos)
        return Preview(path=tuple(found.path(hex)), cost=moves_text(found.cost(hex)))
    if verb == "enter":
        return Preview(cost=moves_text(war.entry_cost(war.paces(pos.movers), hex)))
    if verb == "come ashore":
        left = pos.moves_left // war.book.march.landing
        return Preview(cost=moves_text(pos.moves_left - left), lines=(NO_ROADS,))
    if verb == "sail":
        return Preview(cost="the whole allowance", lines=(SHIPPED,))
    if verb == "exit":
        return Preview(cost=moves_text(war.book.march.exit))
    if verb in ORDERS:
        return preview_order(war, pos, ORDERS[verb], hex)
    if verb in ("replenish", "reclaim"):
        return Preview(cost=points_text(cost(war, unit, verb)))
    if verb == "build fort":
        change = war.book.modifiers["fort"]
        lines = (Line("Allied fire into the hex", f"{change.attack:+d}", change.rule),)
        return Preview(cost=points_text(prices.fort), lines=lines)
    if verb == "activate air":
        lines = (Line("tactical air units", str(airpower.available(war, pos)), rule("9.9b")),)
        return Preview(cost=points_text(prices.tac), lines=lines)
    if verb == "no air" and pos.launched:
        return Preview(lines=(Line("the end-run", "is lost, and the game", rule("8.14")),))
    if verb in ("airlift", "ready the drop"):
        return Preview(cost=points_text(prices.aerial_supply if verb == "airlift" else prices.drop))
    return battle_advice.preview(war, pos, option)


NO_ROADS = Line("roads and column movement", "none after landing", rule("10.3c"))
SHIPPED = Line("port to port", "ends the move", rule("12.5b"))


def moves_text(points: int) -> str:
    """Movement points in words."""
    return "1 movement point" if points == 1 else f"{points} movement points"


def points_text(points: int) -> str:
    """Command points in words."""
    return "1 command point" if points == 1 else f"{points} command points"


def preview_order(war: War, pos: Table, order: int, hex: int) -> Preview:
    """What a command costs, and what slows the stack down."""
    lines: list[Line] = []
    if war.bit[hex]:
        state = status(war, pos, hex, pos.side)
        if state != OVERLAND:
            lines.append(Line("supply", SUPPLY_NAMES[state], SUPPLY_RULES[state]))
        if pos.side == ALLIED:
            lines += muddles(war, pos, hex)
    if order == COLUMN:
        lines.append(Line("movement factors", "x2, and no enemy zone", rule("12.7a")))
    return Preview(cost=points_text(war.price[order]), lines=tuple(lines))


SUPPLY_RULES = {
    COASTAL: rule("11.6b"),
    AERIAL: rule("11.7b"),
    UNSUPPLIED: rule("11.1a"),
}


def muddles(war: War, pos: Table, hex: int) -> Iterator[Line]:
    """What the two Allied groups cost each other in a hex, and the British their caution."""
    marching = war.book.march
    if is_mixed(war, pos, hex):
        yield Line("US and British units in one hex", f"{marching.mixed:+d}", rule("6.4a"))
    crossed = crossed_groups(war, pos, hex)
    for group in bits(crossed):
        if force_in(war, pos, hex, ALLIED) & war.grouped[group]:
            name = f"{war.group_names[group]} units on the other grouping's port"
            yield Line(name, f"{marching.cross_supplied:+d}", rule("11.3b"))
    if is_hesitant(war, pos) and force_in(war, pos, hex, ALLIED) & war.grouped[GB]:
        yield Line("British movement factors", "halved", rule("5.5a"))


def warnings(war: War, pos: Table, side: int) -> list[Warning]:
    """What a player will want to know before it hurts."""
    if pos.phase == "setup":
        return []
    duties = allied_duties(war, pos) if side == ALLIED else german_duties(war, pos)
    return [*duties, *hungry(war, pos, side)]


def hungry(war: War, pos: Table, side: int) -> Iterator[Warning]:
    """Stacks that are not in overland supply."""
    for hex in bits(crowd(war, pos, side).occupied & ~net(war, pos, side)):
        state = status(war, pos, hex, side)
        sentence = f"The units in {war.board.code(hex)} have only {SUPPLY_NAMES[state]}."
        if state == UNSUPPLIED:
            sentence = f"The units in {war.board.code(hex)} are out of supply."
        yield Warning(sentence, SUPPLY_RULES[state], hex=hex)


def allied_duties(war: War, pos: Table) -> Iterator[Warning]:
    """How the Allied player could lose at once."""
    german = crowd(war, pos, GERMAN)
    if not pos.switched:
        last = war.book.supply.last_turn
        if pos.turn > last - 5:
            sentence = f"Naples must be open as a port by the end of Game Turn {last}."
            yield Warning(sentence, rule("11.9c"), hex=war.ports[war.naples])
        for hex in bits(war.beaches & ~crowd(war, pos, ALLIED).occupied):
            sentence = f"Nobody guards {war.board.code(hex)}; its loss would end the game."
            yield Warning(sentence, rule("4.1g"), hex=hex)
    if pos.scenario == TIBER and (war.prizes & pos.control).bit_count() == 1:
        for hex in bits(war.prizes & pos.control & german.zone):
            sentence = f"The loss of {war.board.code(hex)} would end the game."
            yield Warning(sentence, rule("4.2a"), hex=hex)
    if pos.launched and not pos.air_asked and pos.turn > pos.launched:
        yield Warning("Without tactical air the end-run is lost, and the game.", rule("8.14"))
    for hex in bits(port_hexes(war, pos) & ~crowd(war, pos, ALLIED).occupied):
        if pos.switched or not war.beaches >> hex & 1:
            sentence = f"Nobody guards the port in {war.board.code(hex)}."
            yield Warning(sentence, rule("7.7d"), hex=hex)


def german_duties(war: War, pos: Table) -> Iterator[Warning]:
    """What the German player must do on pain of losing."""
    if is_corps_due(war, pos):
        yield Warning("II SS Panzer Corps must enter the map first of all.", rule("8.6a"))
    if pos.army_due:
        yield Warning("All of 5th Panzer Army must enter the map in this turn.", rule("8.8a"))
    if pos.owed:
        sentence = f"{pos.owed} steps must leave the map by the end of turn {pos.owed_by}."
        yield Warning(sentence, rule("8.18b"))
    if pos.scenario != TIBER and (war.towns & ~pos.control).bit_count() <= 3:
        left = (war.towns & ~pos.control).bit_count()
        yield Warning(f"Only {left} towns are still German.", rule("4.1a"))
    for hex in bits(crowd(war, pos, ALLIED).occupied & war.north):
        sentence = f"Allied units in {war.board.code(hex)} are about to leave the map and win."
        yield Warning(sentence, rule("4.1b"), hex=hex)


def overlay(war: War, pos: Table, name: str, side: int, unit: int) -> Mask | None:
    """A set of hexes to show over the map; None if there is no such overlay."""
    match name:
        case "zone":
            return zone(war, pos, side)
        case "supply":
            return net(war, pos, side) & war.land
        case "control":
            return pos.control if side == ALLIED else war.towns & ~pos.control
        case "threats":
            return threats(war, pos, 1 - side, hidden(war, pos, side))
        case "reach" | "column":
            if unit < 0 or not on_map(war, pos, unit) or hidden(war, pos, side) >> unit & 1:
                return 0
            return reach_of(war, pos, unit, MOVE if name == "reach" else COLUMN)
        case "fort sites":
            return fort_sites(war, pos)
        case "drop zone":
            return airpower.drop_sites(war, pos) if side == ALLIED else 0
        case "line of communications":
            return line(war, pos)
        case _:
            return None


def reach_of(war: War, pos: Table, unit: int, order: int = MOVE, *, alone: bool = False) -> Mask:
    """Where a unit could go if it were ordered to move now; a question mark rolls its best.

    `alone` leaves aside who else is in its hex.
    """
    hex, side = pos.hex[unit], war.side_of[unit]
    asked = pos.copy()
    asked.side, asked.order, asked.movers = side, order, 1 << unit
    asked.under_way = asked.stopped = asked.landed = False
    asked.supply = status(war, pos, hex, side)
    asked.mixed = side == ALLIED and not alone and is_mixed(war, pos, hex)
    asked.crossed = crossed_groups(war, pos, hex) if side == ALLIED else 0
    if asked.supply == AERIAL:
        return 0  # 11.7c
    if order == COLUMN:
        slow = war.group[unit] == GB and is_hesitant(war, pos)
        if asked.supply != OVERLAND or zone(war, pos, 1 - side) >> hex & 1 or slow:
            return 0
    asked.moves_left = allowance(war, asked, unit, war.book.march.question_most)
    return march(war, asked).ends


def threats(war: War, pos: Table, side: int, unseen: Mask) -> Mask:
    """The hexes that units of a side could be next to after a regular move.

    Of units that the other side cannot see, only where they are is counted.
    """
    there = crowd(war, pos, side)
    mask = there.divisions[1]
    for unit in war.members[side]:
        if on_map(war, pos, unit) and not (unseen | war.supports) >> unit & 1:
            mask |= reach_of(war, pos, unit, alone=bool(unseen))
    return war.lattice.cross(mask, war.open)
