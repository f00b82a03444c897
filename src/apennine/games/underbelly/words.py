"""Why not? The sentence and the rule behind every refusal."""

from __future__ import annotations

from collections.abc import Callable

from apennine.hexes import bits
from apennine.kernel.decision import Option
from apennine.kernel.game import Refusal
from apennine.kernel.ledger import rule

from . import replacements
from .battle_words import EITHER_SIDE as IN_BATTLE
from .battle_words import REASONS as BATTLE
from .budget import kept
from .data import SIDES
from .endrun_words import REASONS as END_RUN
from .entry import is_corps_due
from .fog import hidden
from .march_words import REASONS as MARCH
from .position import (
    AERIAL,
    ALLIED,
    AWAY,
    GERMAN,
    HISTORICAL,
    LOST,
    NO_ORDER,
    ORDERS,
    OVERLAND,
    Table,
)
from .supply import net, status
from .war import War
from .zones import force_in, next_to, on_map, zone

Reason = Callable[[War, Table, Option], Refusal]


def why_not(war: War, pos: Table, option: Option) -> Refusal:
    """The first thing that stands against an option, in the order of the rules."""
    if option.verb not in REASONS:
        return Refusal(f"There is no order {option.verb!r} in this game.", rule("5.2"))
    phases, names, reason = REASONS[option.verb]
    if pos.phase not in phases:
        when = BATTLES if option.verb in BATTLE and phases == COMMAND else WHEN[phases]
        return Refusal(f"{when}; {now(pos)}.", rule("5.2"))
    if "u" in names and not 0 <= option.unit < len(war.names):
        return Refusal("This order must name a unit.", rule("9.4a"))
    if "u" in names and war.side_of[option.unit] != pos.side and option.verb not in EITHER_SIDE:
        return Refusal(f"{war.names[option.unit]} belongs to the other side.", rule("9.4a"))
    if "h" in names and option.hex not in war.lattice:
        box = "b" in names and 0 <= option.hex < war.board.size and war.boxes >> option.hex & 1
        if not box:
            return Refusal("This order must name a hex of the map.", rule("2.3"))
    return reason(war, pos, option)


def now(pos: Table) -> str:
    """What is going on, to be told after what is not."""
    if pos.verdict:
        return "the game is over"
    if pos.phase in BETWEEN_TURNS:
        return BETWEEN_TURNS[pos.phase]
    return f"now it is the {SIDES[pos.side]} {STEPS[pos.phase]}"


def _always(sentence: str, by: str) -> Reason:
    def reason(war: War, pos: Table, option: Option) -> Refusal:
        del war, pos, option
        return Refusal(sentence, by)

    return reason


def _too_dear(war: War, pos: Table, price: int) -> Refusal:
    spare = pos.points - kept(war, pos)
    points = "command point" if price == 1 else "command points"
    return Refusal(f"That takes {price} {points}, and you have {spare} to spare.", rule("9.1b"))


def _code(war: War, hex: int) -> str:
    return war.board.code(hex)


def _place(war: War, pos: Table, option: Option) -> Refusal:
    name, code = war.names[option.unit], _code(war, option.hex)
    if not war.free_setup >> option.unit & 1:
        return Refusal(f"{name} starts where the rules put it.", rule("3.2c"))
    if pos.hex[option.unit] != AWAY:
        return Refusal(f"{name} has its place already.", rule("3.2d"))
    if not war.setup_hexes >> option.hex & 1:
        return Refusal(
            f"{name} starts at most two hexes from 5322, and {code} is farther.", rule("3.2d")
        )
    return Refusal(f"There is no room for {name} in {code}.", rule("3.2f"))


def _assemble(war: War, pos: Table, option: Option) -> Refusal:
    name = war.names[option.unit]
    if pos.hex[option.unit] == war.fifth:
        return Refusal(f"{name} has assembled already.", rule("8.7a"))
    return Refusal(f"{name} is not one of the units that 5th Panzer Army waits for.", rule("8.7a"))


def _withdraw(war: War, pos: Table, option: Option) -> Refusal:
    name = war.names[option.unit]
    if hidden(war, pos, GERMAN) >> option.unit & 1:
        return Refusal(f"You cannot see where {name} is.", rule("6.9b"))
    if not on_map(war, pos, option.unit):
        return Refusal(f"{name} is not on the map.", rule("10.4b"))
    return Refusal(
        f"The unit that leaves is of the grouping named and in overland supply, and {name} is not.",
        rule("10.4b"),
    )


def _orders(war: War, pos: Table, option: Option) -> Refusal:
    """Why a stack cannot be given a command of some kind."""
    order, hex = ORDERS[option.verb], option.hex
    code, side = _code(war, hex), pos.side
    if pos.order != NO_ORDER:
        return Refusal("Finish first the command that is under way.", rule("9.19"))
    if is_corps_due(war, pos) and side == GERMAN:
        return Refusal(
            "II SS Panzer Corps must enter the map before anybody else acts.", rule("8.6a")
        )
    if pos.army_due and side == GERMAN:
        return Refusal("5th Panzer Army must enter the map before anybody else acts.", rule("8.8a"))
    price = war.price[order]
    if pos.points - kept(war, pos) < price:
        return _too_dear(war, pos, price)
    units = force_in(war, pos, hex, side)
    if not units:
        return Refusal(f"You have no units in {code}.", rule("9.4a"))
    if hex == war.end_run:
        return Refusal("Units that have sailed on the end-run do not come back.", rule("8.15d"))
    if not units & ~pos.acted:
        return Refusal(f"The units in {code} have acted in this turn already.", rule("9.18"))
    if units == 1 << war.airborne and hex == war.available:
        return Refusal("The 82nd comes by air: it enters only by its drop.", rule("12.9a"))
    if hex == war.fifth and not pos.army_entered:
        return Refusal("5th Panzer Army waits until all of it has assembled.", rule("8.8d"))
    if option.verb in ("move-fight", "fight-move"):
        return _assault(war, pos, option)
    if option.verb == "attack":
        return _attack(war, pos, option)
    return _march(war, pos, option)


def _march(war: War, pos: Table, option: Option) -> Refusal:
    hex, code, side = option.hex, _code(war, option.hex), pos.side
    state = status(war, pos, hex, side)
    if state == AERIAL:
        return Refusal("Units that live on supply from the air do not move.", rule("11.7c"))
    if hex == war.available:
        if option.verb == "column":
            return Refusal("Units that come ashore do not go in column.", rule("10.3c"))
        return Refusal("You have no port to come ashore in.", rule("12.6b"))
    if state != OVERLAND:
        return Refusal(f"A column starts in overland supply, and {code} has none.", rule("12.7a"))
    if zone(war, pos, 1 - side) >> hex & 1:
        return Refusal(
            f"A column does not start in an enemy zone of control, as {code} is.", rule("12.7a")
        )
    return Refusal("Caution still keeps the British from going in column.", rule("5.5b"))


def _attack(war: War, pos: Table, option: Option) -> Refusal:
    code = _code(war, option.hex)
    if not war.bit[option.hex]:
        return Refusal("Units in a box have nobody to attack.", rule("7.7a"))
    ready = force_in(war, pos, option.hex, pos.side) & ~(pos.acted | pos.rebuilt)
    if not ready:
        return Refusal(
            f"The units in {code} have had replacements, and do not attack in this turn.",
            rule("9.17d"),
        )
    if not ready & ~war.supports:
        return Refusal("Corps support never attacks alone.", rule("13.5b"))
    if pos.attacked & next_to(war, option.hex):
        return Refusal(f"All enemies next to {code} have been attacked already.", rule("13.1b"))
    return Refusal(f"No enemy is next to {code}.", rule("13.1a"))


def _assault(war: War, pos: Table, option: Option) -> Refusal:
    code, side = _code(war, option.hex), pos.side
    fights_first = option.verb == "fight-move"
    by = rule("9.7a") if fights_first else rule("9.6a")
    if side == ALLIED:
        return Refusal(f"Only the German player gives {option.verb} commands.", by)
    if pos.assaulted:
        return Refusal(
            "You have given your one move-fight or fight-move command of this phase.", rule("9.6d")
        )
    starting = rule("9.7b") if fights_first else rule("9.6b")
    if war.bit[option.hex]:
        if status(war, pos, option.hex, side) != OVERLAND:
            return Refusal(
                f"A {option.verb} starts in overland supply, and {code} has none.", starting
            )
        in_zone = bool(zone(war, pos, ALLIED) >> option.hex & 1)
        if in_zone != fights_first:
            where = "in an" if fights_first else "outside every"
            return Refusal(f"A {option.verb} starts {where} Allied zone of control.", starting)
    return _attack(war, pos, option)


def _fort(war: War, pos: Table, option: Option) -> Refusal:
    hex, code = option.hex, _code(war, option.hex)
    if pos.side == ALLIED:
        return Refusal("The Allies build no forts.", rule("9.8g"))
    if pos.scenario != HISTORICAL:
        return Refusal("There are no forts in this scenario.", rule("8.4a"))
    if pos.turn < war.book.forts.first_turn:
        return Refusal(f"Forts are built from turn {war.book.forts.first_turn} on.", rule("9.8a"))
    if not pos.forts_left:
        return Refusal(f"All {war.book.forts.counters} forts have been built.", rule("9.8h"))
    if pos.points < war.book.prices.fort:
        return Refusal("You have no command point left for a fort.", rule("9.1b"))
    if pos.forts >> hex & 1:
        return Refusal(f"{code} has a fort already.", rule("9.8h"))
    if not war.fort_sites >> hex & 1:
        return Refusal(f"No fort can be built in {code}.", rule("9.8b"))
    if not net(war, pos, GERMAN) >> hex & 1:
        return Refusal(f"No German supply line leads to {code}.", rule("9.8d"))
    if zone(war, pos, ALLIED) >> hex & 1:
        return Refusal(
            f"{code} is in an Allied zone of control, and no German is there.", rule("9.8c")
        )
    return Refusal(f"No fort can be built in {code} now.", rule("9.8a"))


def _replenish(war: War, pos: Table, option: Option) -> Refusal:
    unit, name = option.unit, war.names[option.unit]
    refused = _no_replacement(war, pos, option)
    if refused:
        return refused
    if pos.hex[unit] == LOST:
        return Refusal(f"{name} is eliminated: reclaim it instead.", rule("9.16c"))
    if pos.hex[unit] < 0:
        return Refusal(f"{name} is not in play.", rule("9.16b"))
    if pos.steps[unit] == war.full[unit]:
        return Refusal(f"{name} is at full strength.", rule("9.16b"))
    if replacements.used_up(pos, pos.side) >> unit & 1:
        return Refusal(f"{name} has acted in this turn already.", rule("9.18"))
    return Refusal(f"{name} has no overland supply to bring replacements.", rule("9.16g"))


def _reclaim(war: War, pos: Table, option: Option) -> Refusal:
    unit, name = option.unit, war.names[option.unit]
    refused = _no_replacement(war, pos, option)
    if refused:
        return refused
    if pos.hex[unit] != LOST:
        return Refusal(f"{name} has not been eliminated.", rule("9.16c"))
    if pos.barred >> unit & 1:
        return Refusal(f"{name} fell without overland supply, and is gone for good.", rule("9.16h"))
    return Refusal(f"{name} has made its only drop, and does not come back.", rule("12.9h"))


def _no_replacement(war: War, pos: Table, option: Option) -> Refusal | None:
    """What stands against any replacement for a unit."""
    unit, verb = option.unit, option.verb
    if pos.order != NO_ORDER:
        return Refusal("Finish first the command that is under way.", rule("9.19"))
    if not replacements.has_begun(war, pos):
        first = war.book.replacements.first_turn
        return Refusal(f"Replacements come only from turn {first} on.", rule("9.16a"))
    price = replacements.cost(war, unit, verb)
    if pos.points - kept(war, pos) < price:
        return _too_dear(war, pos, price)
    if pos.side == GERMAN and not replacements.is_rationed(war, pos, unit):
        return Refusal("Your replacement step of this kind is used up in this turn.", rule("9.17a"))
    return None


def _on_top(war: War, pos: Table, option: Option) -> Refusal:
    if not pos.shuffled:
        return Refusal("No stack has changed, so none shows a new top.", rule("6.9e"))
    if war.supports >> option.unit & 1:
        return Refusal("A division goes on top, since all feel its zone of control.", rule("6.9e"))
    return Refusal(f"{war.names[option.unit]} is not in that stack.", rule("6.9e"))


def _corps(war: War, pos: Table, option: Option) -> Refusal:
    if pos.corps_named:
        return Refusal("The corps is named before the first command of the phase.", rule("6.5b"))
    del option
    names = " and ".join(war.group_names[group] for group in bits(3))
    return Refusal(f"Only a stack of {names} units can be the corps.", rule("6.5b"))


def _end(war: War, pos: Table, option: Option) -> Refusal:
    del war, option
    if pos.order != NO_ORDER:
        return Refusal("Finish first the command that is under way.", rule("9.19"))
    if pos.side == ALLIED:
        return Refusal("Roll for the end-run before you end your turn.", rule("8.17a"))
    return Refusal("Bring on the units that must enter before you end your turn.", rule("8.6a"))


COMMAND = ("command",)
BATTLES = "Battles, air raids and drops belong to the command phase"
WHEN: dict[tuple[str, ...], str] = {
    ("setup",): "Units are set up before the first turn",
    ("assembly",): "5th Panzer Army assembles between two game turns",
    ("plot",): "The note of the end-run is written once Watch on the Tiber is known",
    ("arrivals",): "Units are withdrawn when the new ones arrive",
    ("orders",): "Tactical air and the end-run come before the first Allied command",
    COMMAND: "Commands are given in the command phase",
    (*COMMAND, "setup", "arrivals"): "A stack shows a new top when its units have changed",
    ("end",): "Bari is opened at the end of a turn",
}
"""By the phases that know an order: what is said in all others, a sentence without its end."""
STEPS = {
    "setup": "set-up",
    "arrivals": "reinforcement phase",
    "orders": "air decision",
    "command": "command phase",
}
"""The phases of a side as players call them."""
BETWEEN_TURNS = {
    "interlude": "now the next game turn is beginning",
    "assembly": "now 5th Panzer Army is assembling",
    "plot": "now the Allied note is being written",
    "end": "now the turn is ending",
}
EITHER_SIDE = IN_BATTLE | {"withdraw", "on top", "shed", "assemble"}

REASONS: dict[str, tuple[tuple[str, ...], str, Reason]] = {
    "place": (("setup",), "uh", _place),
    "historical set-up": (
        ("setup",),
        "",
        _always("You have begun to place your units yourself.", rule("3.2d")),
    ),
    "assemble": (("assembly",), "u", _assemble),
    "assemble aircraft": (
        ("assembly",),
        "",
        _always("The aircraft have assembled already.", rule("8.7b")),
    ),
    "withdraw": (("arrivals",), "u", _withdraw),
    "activate air": (
        ("orders",),
        "",
        _always("Your tactical air is decided on for this turn.", rule("9.9a")),
    ),
    "no air": (
        ("orders",),
        "",
        _always("Your tactical air is decided on for this turn.", rule("9.9a")),
    ),
    "name corps": (COMMAND, "h", _corps),
    "move": (COMMAND, "hb", _orders),
    "column": (COMMAND, "hb", _orders),
    "attack": (COMMAND, "hb", _orders),
    "move-fight": (COMMAND, "hb", _orders),
    "fight-move": (COMMAND, "hb", _orders),
    "build fort": (COMMAND, "h", _fort),
    "replenish": (COMMAND, "u", _replenish),
    "reclaim": (COMMAND, "u", _reclaim),
    "on top": ((*COMMAND, "setup", "arrivals"), "u", _on_top),
    "shed": (
        COMMAND,
        "u",
        _always("No stack is too large, or that unit is not the one to go.", rule("6.8")),
    ),
    "end": (COMMAND, "", _end),
    "open Bari": (("end",), "", _always("The port of Bari cannot be opened now.", rule("11.10"))),
    "no port": (("end",), "", _always("Nobody asks for a port to be opened.", rule("11.10"))),
    **MARCH,
    **BATTLE,
    **END_RUN,
}
"""By verb: the phases that know it, what it names (unit, hex, box), and why it may not be."""
