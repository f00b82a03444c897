"""Why not? The sentence and the rule behind every refusal."""

from __future__ import annotations

from apennine.hexes import bits, first_bit
from apennine.kernel.decision import Option
from apennine.kernel.game import Refusal
from apennine.kernel.ledger import rule
from apennine.kernel.order import Order
from apennine.mechanics.phrases import always

from ..rules import c08_endrun
from ..rules.c06_fog import hidden
from ..rules.c06_stacking import overstacked
from ..rules.c07_zones import force_in, next_to, occupied, on_map, zone
from ..rules.c08_endrun import EMBARK, LAUNCH, PLAN
from ..rules.c09_air import ALLIED_ORDERS as AIR
from ..rules.c09_points import kept
from ..rules.c09_rear import GERMAN_ORDERS as REAR
from ..rules.c10_entry import is_corps_due
from ..rules.c11_supply import status
from ..table.data import SIDES
from ..table.phrases import listed, place, spelt
from ..table.position import (
    AERIAL,
    ALLIED,
    AWAY,
    GERMAN,
    ORDERS,
    OVERLAND,
    Table,
)
from ..table.war import War
from . import pending
from .battle_words import EITHER_SIDE as IN_BATTLE
from .battle_words import REASONS as BATTLE
from .march_words import REASONS as MARCH
from .reasons import Reason, too_dear
from .vocabulary import VOCABULARY


def why_not(war: War, pos: Table, option: Option) -> Refusal:
    """The first thing that stands against an option, in the order of the rules."""
    if option.verb not in REASONS:
        return Refusal(f"There is no order {option.verb!r} in this game.", rule("5.2"))
    phases, names, reason = REASONS[option.verb]
    if pos.phase not in phases:
        when = BATTLES if option.verb in BATTLE and phases == COMMAND else WHEN[phases]
        return Refusal(f"{when}; {now(pos)}.", rule("5.2"))
    if asked := pending.first(war, pos, option.verb):
        return asked
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


def _place(war: War, pos: Table, option: Option) -> Refusal:
    name, code = war.names[option.unit], place(war, option.hex)
    if not war.free_setup >> option.unit & 1:
        return Refusal(f"{name} starts where the book puts it: you have no choice.", rule("3.2c"))
    if pos.hex[option.unit] != AWAY:
        return Refusal(f"{name} is in {place(war, pos.hex[option.unit])} already.", rule("3.2d"))
    if not war.land >> option.hex & 1:
        return Refusal(f"{code} is at sea.", rule("3.2f"))
    if not war.setup_hexes >> option.hex & 1:
        start, most = war.book.setup.british, war.book.setup.range
        return Refusal(
            f"{name} starts at most {spelt(most)} hexes from {start}, and {code} is farther.",
            rule("3.2d"),
        )
    if force_in(war, pos, option.hex, GERMAN):
        return Refusal(f"Germans are in {code}.", rule("3.2f"))
    return Refusal(f"There is no room for {name} in {code}.", rule("3.2f"))


def _assemble(war: War, pos: Table, option: Option) -> Refusal:
    name = war.names[option.unit]
    if pos.hex[option.unit] == war.fifth:
        return Refusal(f"{name} has assembled already.", rule("8.7a"))
    return Refusal(f"{name} is not a unit of 5th Panzer Army.", rule("8.7a"))


def _withdraw(war: War, pos: Table, option: Option) -> Refusal:
    name = war.names[option.unit]
    if hidden(war, pos, GERMAN) >> option.unit & 1:
        return Refusal(f"You cannot see where {name} is.", rule("6.9b"))
    if not on_map(war, pos, option.unit):
        return Refusal(f"{name} is not on the map.", rule("10.4b"))
    due = [order.unit for order in war.book.withdrawals if order.turn == pos.turn]
    if pos.left < len(due):
        group = war.group[war.names.index(due[pos.left])]
        if war.group[option.unit] != group:
            title = war.book.groups[war.group_names[group]].title
            return Refusal(
                f"A {title} unit must leave, and {name} is none.",
                rule("10.4b"),
            )
    return Refusal(
        f"{name} in {place(war, pos.hex[option.unit])} has no overland supply, and cannot leave.",
        rule("10.4b"),
    )


def _orders(war: War, pos: Table, option: Option) -> Refusal:
    """Why a stack cannot be given a command of some kind."""
    order, hex = ORDERS[option.verb], option.hex
    code, side = place(war, hex), pos.side
    if side == GERMAN and (pos.army_due or is_corps_due(war, pos)):
        return _summoned(war, pos, option)
    price = war.price[order]
    if pos.points - kept(war, pos) < price:
        return too_dear(war, pos, price, CALLED[option.verb])
    units = force_in(war, pos, hex, side)
    if not units:
        return Refusal(f"You have no units in {code}.", rule("9.4a"))
    if hex == war.end_run:
        return Refusal("Units that have sailed on the end-run do not come back.", rule("8.15d"))
    if not units & ~pos.acted:
        return Refusal(f"The units in {code} have had their action in this turn.", rule("9.18"))
    if units == 1 << war.airborne and hex == war.available:
        return Refusal("The 82nd comes by air: it enters only by its drop.", rule("12.9a"))
    if hex == war.fifth and not pos.army_entered:
        return Refusal("5th Panzer Army waits until all of it has assembled.", rule("8.8d"))
    if option.verb in ("move-fight", "fight-move"):
        return _assault(war, pos, option)
    if option.verb == "attack":
        return _attack(war, pos, option)
    return _march(war, pos, option)


def _summoned(war: War, pos: Table, option: Option) -> Refusal:
    """While Hitler's orders to enter the map stand, nothing else is done (8.6, 8.8)."""
    corps = is_corps_due(war, pos)
    name = "II SS Panzer Corps" if corps else "5th Panzer Army"
    by = rule("8.6a") if corps else rule("8.8a")
    if option.hex == (war.tenth if corps else war.fifth):
        return Refusal(f"{name} has not the points or the room to enter by {option.verb}.", by)
    return Refusal(f"{name} must enter the map before anybody else acts.", by)


def _march(war: War, pos: Table, option: Option) -> Refusal:
    hex, code, side = option.hex, place(war, option.hex), pos.side
    state = status(war, pos, hex, side)
    if state == AERIAL:
        return Refusal(
            f"The units in {code} live on supply from the air, and may not move.", rule("11.7c")
        )
    if hex == war.available:
        if option.verb == "column":
            return Refusal("Units that come ashore may not go in column.", rule("10.3c"))
        return Refusal("You have no port left to come ashore in.", rule("12.6b"))
    if state != OVERLAND:
        return Refusal(
            f"A column must start in overland supply, and {code} has none.", rule("12.7a")
        )
    if zone(war, pos, 1 - side) >> hex & 1:
        return Refusal(
            f"{code} is in an enemy zone of control, where no column starts.", rule("12.7a")
        )
    return Refusal(
        f"The units in {code} are British: caution still keeps them from going in column.",
        rule("5.5b"),
    )


def _attack(war: War, pos: Table, option: Option) -> Refusal:
    code = place(war, option.hex)
    ready = force_in(war, pos, option.hex, pos.side) & ~(pos.acted | pos.rebuilt)
    if not ready:
        return Refusal(
            f"The units in {code} have had replacements, and do not attack in this turn.",
            rule("9.17d"),
        )
    if not ready & ~war.supports:
        return Refusal(
            f"Only corps support is ready in {code}, and it never attacks alone.", rule("13.5b")
        )
    if not war.bit[option.hex]:
        return Refusal(f"The units in {code} are not on the map.", rule("7.7a"))
    near = occupied(war, pos, 1 - pos.side) & next_to(war, option.hex)
    if near & pos.attacked:
        where = listed([place(war, hex) for hex in bits(near & pos.attacked)])
        return Refusal(f"{where} cannot be attacked twice in a phase.", rule("13.1b"))
    if near:
        where = place(war, war.special_forces)
        return Refusal(f"The special forces keep Germans out of {where}.", rule("3.6d"))
    return Refusal(f"No enemy is next to {code}.", rule("13.1a"))


def _assault(war: War, pos: Table, option: Option) -> Refusal:
    code, side = place(war, option.hex), pos.side
    fights_first = option.verb == "fight-move"
    by = rule("9.7a") if fights_first else rule("9.6a")
    if side == ALLIED:
        return Refusal(f"Only the Germans have the {option.verb} command.", by)
    if pos.assaulted:
        return Refusal(
            "You have given your one move-fight or fight-move of this phase.", rule("9.6d")
        )
    starting = rule("9.7b") if fights_first else rule("9.6b")
    if war.bit[option.hex]:
        if status(war, pos, option.hex, side) != OVERLAND:
            return Refusal(
                f"A {option.verb} must start in overland supply, and {code} has none.", starting
            )
        in_zone = bool(zone(war, pos, ALLIED) >> option.hex & 1)
        if in_zone != fights_first:
            where = "in an" if fights_first else "outside every"
            itself = "is in none" if fights_first else "is in one"
            return Refusal(
                f"A {option.verb} must start {where} Allied zone of control, and {code} {itself}.",
                starting,
            )
    return _attack(war, pos, option)


def _on_top(war: War, pos: Table, option: Option) -> Refusal:
    name = war.names[option.unit]
    where = pos.hex[option.unit]
    if pos.shuffled and where != first_bit(pos.shuffled):
        asked = place(war, first_bit(pos.shuffled))
        return Refusal(
            f"The question is who lies on top in {asked}, and {name} is not there.", rule("6.9e")
        )
    if pos.tops >> option.unit & 1:
        return Refusal(f"{name} lies on top already.", rule("6.9e"))
    if not on_map(war, pos, option.unit) or not (pos.shuffled | pos.restacked) >> where & 1:
        return Refusal(
            f"The stack of {name} has not changed since its top was chosen.", rule("6.9e")
        )
    if war.supports >> option.unit & 1:
        return Refusal(
            f"{name} is corps support: a division lies on top where there is one.", rule("6.9e")
        )
    return Refusal(f"This is not the moment to lay {name} on top.", rule("6.9e"))


def _shed(war: War, pos: Table, option: Option) -> Refusal:
    name, crowded = war.names[option.unit], overstacked(war, pos)
    if not crowded:
        return Refusal("No hex has too many units.", rule("6.8"))
    where = first_bit(crowded)
    if pos.hex[option.unit] != where:
        return Refusal(f"{name} is not in {place(war, where)}, which is too full.", rule("6.8"))
    return Refusal(
        f"More units than needed would have to go if {name} went: eliminate another.", rule("6.8")
    )


def _corps(war: War, pos: Table, option: Option) -> Refusal:
    if pos.side == GERMAN:
        return Refusal("Only the Allies have a multi-national corps.", rule("6.5b"))
    if pos.corps_named:
        return Refusal(
            "The multi-national corps is named before the first command of the phase.", rule("6.5b")
        )
    return Refusal(
        f"US and British units must be together in {place(war, option.hex)} to be the "
        "multi-national corps.",
        rule("6.5b"),
    )


def _end(war: War, pos: Table, option: Option) -> Refusal:
    del war, option
    if pos.side == ALLIED:
        return Refusal("Roll for the end-run before you end your turn.", rule("8.17a"))
    if pos.army_due:
        return Refusal("Bring all of 5th Panzer Army onto the map before you end.", rule("8.8a"))
    return Refusal("Bring II SS Panzer Corps onto the map before you end.", rule("8.6a"))


def _barred(war: War, pos: Table, option: Option) -> Refusal:
    """What an order says that a question will offer as soon as it is asked by orders."""
    order = next(order for order in (PLAN, LAUNCH, EMBARK, *GIVEN) if order.verb == option.verb)
    german = ("build fort", "send against the end-run")
    other = pos.side == GERMAN and order in (*AIR, *c08_endrun.ALLIED_ORDERS)
    other |= pos.side == ALLIED and order.verb in german
    found = None if other else order.refusal(war, pos, option)
    if found is None:
        return Refusal(f"{order.when}.", order.rule)
    said = found.sentence
    for word, phrase in VOCABULARY.items():
        if f"{{{word}}}" in said:
            said = said.replace(f"{{{word}}}", phrase(war, pos, option))
    said = said.replace("{unit}", war.names[option.unit])
    return Refusal(f"{said}.", found.rule)


def _named(order: Order[War, Table]) -> str:
    return "".join(name[0] for name in order.names)


GIVEN = (*(*REAR, *AIR, *c08_endrun.ALLIED_ORDERS, *c08_endrun.GERMAN_ORDERS),)
COMMAND = ("command",)
CALLED = {
    "move": "A move",
    "column": "A move in column",
    "attack": "An attack",
    "move-fight": "A move-fight",
    "fight-move": "A fight-move",
}
"""The commands as the subject of a sentence."""
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
        always("You have begun to place your units yourself.", rule("3.2d")),
    ),
    "assemble": (("assembly",), "u", _assemble),
    "assemble aircraft": (
        ("assembly",),
        "",
        always("The aircraft have assembled already.", rule("8.7b")),
    ),
    "withdraw": (("arrivals",), "u", _withdraw),
    "activate air": (
        ("orders",),
        "",
        always("You have decided on your tactical air for this turn.", rule("9.9a")),
    ),
    "no air": (
        ("orders",),
        "",
        always("You have decided on your tactical air for this turn.", rule("9.9a")),
    ),
    "name corps": (COMMAND, "h", _corps),
    "move": (COMMAND, "hb", _orders),
    "column": (COMMAND, "hb", _orders),
    "attack": (COMMAND, "hb", _orders),
    "move-fight": (COMMAND, "hb", _orders),
    "fight-move": (COMMAND, "hb", _orders),
    "on top": ((*COMMAND, "setup", "arrivals"), "u", _on_top),
    "shed": (COMMAND, "u", _shed),
    "end": (COMMAND, "", _end),
    "open Bari": (("end",), "", always("The port of Bari cannot be opened now.", rule("11.10"))),
    "no port": (("end",), "", always("Nobody asks for a port to be opened.", rule("11.10"))),
    **MARCH,
    **BATTLE,
    **dict.fromkeys(("plan no end-run", "plan the end-run"), (("plot",), "", _barred)),
    "launch the end-run": (("orders",), "", _barred),
    "embark": (("orders",), "u", _barred),
    "send no more": (COMMAND, "", always("Nobody is being sent to the End-Run box.", "8.15e")),
    **{order.verb: (COMMAND, _named(order), _barred) for order in GIVEN},
}
"""By verb: the phases that know it, what it names (unit, hex, box), and why it may not be."""
