"""What players are shown before they give an order: the way, the price, the chances."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from types import MappingProxyType

from apennine.hexes import bits
from apennine.kernel.decision import Option
from apennine.kernel.game import Line, Preview
from apennine.mechanics.phrases import counted

from ..rules.c07_zones import is_mixed, those_in
from ..rules.c09_air import available
from ..rules.c09_rear import cost
from ..rules.c11_supply import crossed_groups, status
from ..rules.c12_movement import is_hesitant, march
from ..table.phrases import SUPPLY_NOUNS, SUPPLY_RULES
from ..table.position import (
    ALLIED,
    ATTACK,
    COLUMN,
    FIGHT_MOVE,
    MOVE_FIGHT,
    ORDERS,
    OVERLAND,
    Table,
)
from ..table.war import GB, War
from . import battle_previews

# Moves


def _steps(cost: int, path: Iterable[int] = ()) -> Preview:
    return Preview(path=tuple(path), cost=counted(cost, "movement point"))


def _go(war: War, pos: Table, option: Option) -> Preview:
    found, hex = march(war, pos), option.hex
    return _steps(found.cost(hex), found.path(hex))


def _come_ashore(war: War, pos: Table, _: Option) -> Preview:
    roads = Line("roads and column movement", "none after landing", "10.3c")
    cost = pos.moves_left - pos.moves_left // war.book.march.landing
    return _steps(cost)._replace(lines=(roads,))


# Commands


def _command(war: War, pos: Table, option: Option) -> Preview:
    """What a command costs, and what slows the stack down, or the chances of its attack."""
    order, hex = ORDERS[option.verb], option.hex
    price = counted(war.price[order], "command point")
    if order in (ATTACK, FIGHT_MOVE):
        return battle_previews.of_command(war, pos, hex)._replace(cost=price)
    lines: list[Line] = []
    if war.bit[hex]:
        state = status(war, pos, hex, pos.side)
        if state != OVERLAND:
            lines.append(Line("supply", SUPPLY_NOUNS[state], SUPPLY_RULES[state]))
        if pos.side == ALLIED:
            lines += muddles(war, pos, hex)
    if order == COLUMN:
        lines.append(Line("movement factors", "doubled", "12.7a"))
        lines.append(Line("enemy zones of control", "may not be entered", "12.7b"))
    if order == MOVE_FIGHT:
        lines.append(Line("after the move", "one attack at once", "9.6c"))
    return Preview(cost=price, lines=tuple(lines))


def muddles(war: War, pos: Table, hex: int) -> Iterator[Line]:
    """What the two Allied groups cost each other in a hex, and the British their caution."""
    marching = war.book.march
    if is_mixed(war, pos, hex):
        yield Line("US and British units in one hex", f"{marching.mixed:+d}", "6.4a")
    for group in bits(crossed_groups(war, pos, hex)):
        if those_in(war, pos, hex, ALLIED) & war.grouped[group]:
            name = f"{war.group_names[group]} units on the other grouping's port"
            yield Line(name, f"{marching.cross_supplied:+d}", "11.3b")
    if is_hesitant(war, pos) and those_in(war, pos, hex, ALLIED) & war.grouped[GB]:
        yield Line("British movement factors", "halved", "5.5a")


# Behind the front, in the air, at sea


def _price(points: int, *lines: Line) -> Preview:
    return Preview(cost=counted(points, "command point"), lines=lines)


def _build_fort(war: War, *_: object) -> Preview:
    change = war.book.modifiers["fort"]
    line = Line("Allied fire into the hex", f"{change.attack:+d}", change.rule)
    return _price(war.book.prices.fort, line)


def _activate_air(war: War, pos: Table, _: Option) -> Preview:
    line = Line("tactical air units", str(available(war, pos)), "9.9b")
    return _price(war.book.prices.tac, line)


def _send(key: str, war: War, *_: object) -> Preview:
    """Units for the end-run or against it, and what they do to its roll."""
    change = war.book.end_run_modifiers[key]
    line = Line(f"the roll: {change.title}", f"{change.value:+d}", change.rule)
    price = counted(war.book.prices.move, "command point")
    return Preview(cost=f"{price} for a stack", lines=(line,))


SAIL = Preview(cost="the whole allowance", lines=(Line("port to port", "ends the move", "12.5b"),))
NO_AIR = Preview(lines=(Line("the end-run", "is lost, and the game", "8.14"),))
AIRLIFT = (
    Line("penalties for supply", "none till your next commands", "11.7b"),
    Line("the units there", "may not move", "11.7c"),
)
READY = Line("in this turn", "also between two German commands", "12.9d")
DROP = (
    Line("the only drop of the game", "always succeeds", "12.9f"),
    Line("supply", "from the air in this turn", "11.7d"),
    Line("the 82nd in this turn", "neither moves nor retreats", "12.9j"),
)
LAUNCH = (
    Line("tactical air in this turn", "included", "8.13c"),
    Line("tactical air in every later turn", "or the game is lost", "8.14"),
)
Look = Callable[[War, Table, Option], Preview | None]
PREVIEWS: Mapping[str, Look] = MappingProxyType(
    {
        "go": _go,
        "enter": lambda war, pos, o: _steps(war.entry_cost(war.paces(pos.movers), o.hex)),
        "come ashore": _come_ashore,
        "sail": lambda _, __, ___: SAIL,
        "exit": lambda war, _, __: _steps(war.book.march.exit),
        **dict.fromkeys(ORDERS, _command),
        **dict.fromkeys(
            ("replenish", "reclaim"), lambda war, _, o: _price(cost(war, o.unit, o.verb))
        ),
        "build fort": _build_fort,
        "activate air": _activate_air,
        "no air": lambda _, pos, __: NO_AIR if pos.launched else None,
        "airlift": lambda war, _, __: _price(war.book.prices.aerial_supply, *AIRLIFT),
        "ready the drop": lambda war, _, __: _price(war.book.prices.drop, READY),
        "drop": lambda _, __, ___: Preview(lines=DROP),
        "launch the end-run": lambda war, _, __: _price(war.book.prices.launch, *LAUNCH),
        "reinforce the end-run": partial(_send, "reinforced"),
        "send against the end-run": partial(_send, "reaction"),
        **battle_previews.PREVIEWS,
    }
)
"""By verb, all that has something to say."""
