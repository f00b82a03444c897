"""What players are shown before they decide: previews, warnings, overlays."""

from __future__ import annotations

from collections.abc import Iterator

from apennine.hexes import Mask, bits
from apennine.kernel.decision import Option
from apennine.kernel.game import Line, Preview, Warning
from apennine.kernel.ledger import rule
from apennine.kernel.order import what_stays
from apennine.mechanics.phrases import counted

from ..rules import c09_air as airpower
from ..rules.c05_turn_end import line
from ..rules.c06_fog import hidden
from ..rules.c07_zones import crowd, force_in, is_mixed, on_map, port_hexes, zone
from ..rules.c09_rear import cost, fort_sites
from ..rules.c10_entry import is_corps_due
from ..rules.c11_supply import crossed_groups, net, status
from ..rules.c12_movement import is_hesitant, march
from ..table.phrases import place
from ..table.position import (
    AERIAL,
    ALLIED,
    ATTACK,
    COASTAL,
    COLUMN,
    FIGHT_MOVE,
    MOVE,
    MOVE_FIGHT,
    ORDERS,
    OVERLAND,
    UNSUPPLIED,
    Table,
)
from ..table.war import GB, War
from . import battle_advice
from .outlook import reach_of
from .view import SUPPLY_NOUNS
from .warnings import alarms

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
        return Preview(path=tuple(found.path(hex)), cost=counted(found.cost(hex), "movement point"))
    if verb == "enter":
        return Preview(cost=counted(war.entry_cost(war.paces(pos.movers), hex), "movement point"))
    if verb == "come ashore":
        left = pos.moves_left // war.book.march.landing
        return Preview(cost=counted(pos.moves_left - left, "movement point"), lines=(NO_ROADS,))
    if verb == "sail":
        return Preview(cost="the whole allowance", lines=(SHIPPED,))
    if verb == "exit":
        return Preview(cost=counted(war.book.march.exit, "movement point"))
    if verb in ORDERS:
        return preview_order(war, pos, ORDERS[verb], hex)
    if verb in ("replenish", "reclaim"):
        return Preview(cost=counted(cost(war, unit, verb), "command point"))
    if verb == "build fort":
        change = war.book.modifiers["fort"]
        lines = (Line("Allied fire into the hex", f"{change.attack:+d}", change.rule),)
        return Preview(cost=counted(prices.fort, "command point"), lines=lines)
    if verb == "activate air":
        lines = (Line("tactical air units", str(airpower.available(war, pos)), rule("9.9b")),)
        return Preview(cost=counted(prices.tac, "command point"), lines=lines)
    if verb == "no air" and pos.launched:
        return Preview(lines=(Line("the end-run", "is lost, and the game", rule("8.14")),))
    if verb in DUTIES:
        price, lines = DUTIES[verb]
        return Preview(cost=counted(getattr(prices, price), "command point"), lines=lines)
    if verb == "drop":
        return Preview(lines=DROP)
    if verb in SENDINGS:
        change = war.book.end_run_modifiers[SENDINGS[verb]]
        line = Line(f"the roll: {change.title}", f"{change.value:+d}", change.rule)
        price = counted(prices.move, "command point")
        return Preview(cost=f"{price} for a stack", lines=(line,))
    return battle_advice.preview(war, pos, option)


DUTIES: dict[str, tuple[str, tuple[Line, ...]]] = {
    "airlift": (
        "aerial_supply",
        (
            Line("penalties for supply", "none till your next commands", rule("11.7b")),
            Line("the units there", "may not move", rule("11.7c")),
        ),
    ),
    "ready the drop": (
        "drop",
        (Line("in this turn", "also between two German commands", rule("12.9d")),),
    ),
    "launch the end-run": (
        "launch",
        (
            Line("tactical air in this turn", "included", rule("8.13c")),
            Line("tactical air in every later turn", "or the game is lost", rule("8.14")),
        ),
    ),
}
"""By verb, the price of a command and what goes with it."""
SENDINGS = {"reinforce the end-run": "reinforced", "send against the end-run": "reaction"}
"""By verb, the line of the End-Run table that it counts for."""
DROP = (
    Line("the only drop of the game", "always succeeds", rule("12.9f")),
    Line("supply", "from the air in this turn", rule("11.7d")),
    Line("the 82nd in this turn", "neither moves nor retreats", rule("12.9j")),
)
NO_ROADS = Line("roads and column movement", "none after landing", rule("10.3c"))
SHIPPED = Line("port to port", "ends the move", rule("12.5b"))


def preview_order(war: War, pos: Table, order: int, hex: int) -> Preview:
    """What a command costs, and what slows the stack down, or the chances of its attack."""
    price = counted(war.price[order], "command point")
    if order in (ATTACK, FIGHT_MOVE):
        return battle_advice.preview_order(war, pos, hex)._replace(cost=price)
    lines: list[Line] = []
    if war.bit[hex]:
        state = status(war, pos, hex, pos.side)
        if state != OVERLAND:
            lines.append(Line("supply", SUPPLY_NOUNS[state], SUPPLY_RULES[state]))
        if pos.side == ALLIED:
            lines += muddles(war, pos, hex)
    if order == COLUMN:
        lines.append(Line("movement factors", "doubled", rule("12.7a")))
        lines.append(Line("enemy zones of control", "may not be entered", rule("12.7b")))
    if order == MOVE_FIGHT:
        lines.append(Line("after the move", "one attack at once", rule("9.6c")))
    return Preview(cost=price, lines=tuple(lines))


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
    """What a player will want to know before it hurts; first what could end the game."""
    if pos.phase == "setup":
        return []
    duties = allied_duties(war, pos) if side == ALLIED else german_duties(war, pos)
    return [*alarms(war, pos, side), *duties, *hungry(war, pos, side)]


def hungry(war: War, pos: Table, side: int) -> Iterator[Warning]:
    """Stacks that are not in overland supply."""
    for hex in bits(crowd(war, pos, side).occupied & ~net(war, pos, side)):
        state = status(war, pos, hex, side)
        what = "are out of supply" if state == UNSUPPLIED else f"have only {SUPPLY_NOUNS[state]}"
        yield Warning(f"The units in {place(war, hex)} {what}.", SUPPLY_RULES[state], hex=hex)


def allied_duties(war: War, pos: Table) -> Iterator[Warning]:
    """What the Allied player may have left undone: ports without a garrison."""
    for hex in bits(port_hexes(war, pos) & ~crowd(war, pos, ALLIED).occupied):
        sentence = f"Nobody guards the port of {place(war, hex)}: a German who enters destroys it."
        yield Warning(sentence, rule("7.7d"), hex=hex)


def german_duties(war: War, pos: Table) -> Iterator[Warning]:
    """What the German player must do before all else."""
    if is_corps_due(war, pos):
        yield Warning("II SS Panzer Corps must enter the map first of all.", rule("8.6a"))
    if pos.army_due:
        yield Warning("All of 5th Panzer Army must enter the map in this turn.", rule("8.8a"))


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
            begun = pos.forts_left and pos.turn >= war.book.forts.first_turn
            return what_stays(fort_sites(war, pos)) if begun else 0
        case "drop zone":
            return airpower.drop_sites(war, pos) if side == ALLIED else 0
        case "line of communications":
            return line(war, pos)
        case _:
            return None


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
