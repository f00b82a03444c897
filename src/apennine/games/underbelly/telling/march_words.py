"""Why not? The sentences behind refusals of units on the move."""

from __future__ import annotations

from apennine.hexes import bits
from apennine.kernel.decision import Option
from apennine.kernel.game import Refusal
from apennine.kernel.ledger import rule
from apennine.mechanics.phrases import counted

from ..rules import c12_movement as movement
from ..rules.c06_stacking import full_for, strangers
from ..rules.c07_zones import crowd, next_to, port_hexes
from ..rules.c10_entry import is_army_entering, is_bound
from ..rules.c13_battle import attackable
from ..table.phrases import names, place
from ..table.position import ALLIED, COLUMN, GERMAN, MOVE, MOVE_FIGHT, NO_ORDER, Table
from ..table.war import GB, War
from .reasons import Reason

STACK = "three divisions and one corps support unit are all that one hex holds"


def _movers(war: War, pos: Table) -> str:
    return names(war, bits(pos.movers))


def _has(war: War, pos: Table) -> str:
    """The moving units as a subject: "16 Pz has", "16 Pz and HG have"."""
    return f"{_movers(war, pos)} {'has' if pos.movers.bit_count() == 1 else 'have'}"


def _nobody(pos: Table) -> Refusal:
    """Why nothing moves: no order, or nobody has been picked."""
    if pos.order == NO_ORDER:
        return Refusal("Nobody is moving: order a stack to move first.", rule("9.4a"))
    if pos.order not in (MOVE, COLUMN, MOVE_FIGHT) and not pos.fought:
        return Refusal("The stack was ordered to attack, not to move.", rule("9.5a"))
    if not pos.waiting:
        return Refusal("The move of this command is over.", rule("9.4b"))
    return Refusal("First say which units of the stack move.", rule("9.4b"))


def _take(war: War, pos: Table, option: Option) -> Refusal:
    unit, name = option.unit, war.names[option.unit]
    if pos.order == NO_ORDER:
        return Refusal(f"Order the stack of {name} to move first.", rule("9.4a"))
    if pos.under_way:
        what = f"{_has(war, pos)} set out, and a force picks up nobody on its way"
        return Refusal(f"{what}.", rule("9.4b"))
    if pos.movers >> unit & 1:
        return Refusal(f"{name} is moving already.", rule("9.4b"))
    if not pos.waiting >> unit & 1:
        return _elsewhere(war, pos, unit)
    if pos.order == COLUMN and war.grouped[GB] >> unit & 1 and movement.is_hesitant(war, pos):
        return Refusal(
            f"{name} is British: caution still keeps it from going in column.", rule("5.5b")
        )
    if not war.stack_fits(pos.force | 1 << unit):
        return Refusal(f"{name} is too much for one command: {STACK}.", rule("9.4c"))
    if is_army_entering(war, pos):
        return Refusal(f"No hex of row 10xx has room for {name} besides.", rule("8.8a"))
    others = pos.force & ~pos.waiting & ~(1 << unit)
    if war.bit[pos.origin] or not others:
        way = f"take {name} along" if pos.movers else f"take {name} by itself"
        return Refusal(f"The order is to {way} now.", rule("9.4b"))
    return Refusal(
        f"{name} is not of the same organisation as {names(war, bits(others))}.", rule("6.6b")
    )


def _elsewhere(war: War, pos: Table, unit: int) -> Refusal:
    """Why a unit is not among those that a command can pick."""
    name, origin = war.names[unit], place(war, pos.origin)
    if pos.force >> unit & 1:
        return Refusal(f"{name} has moved by this command already.", rule("9.4b"))
    if pos.hex[unit] == pos.origin:
        return Refusal(f"{name} has had its action in this turn.", rule("9.18"))
    where = f"in {place(war, pos.hex[unit])}" if pos.hex[unit] >= 0 else "not in play"
    return Refusal(f"{name} is {where}; the command is for {origin}.", rule("9.4b"))


def _take_all(war: War, pos: Table, option: Option) -> Refusal:
    del option
    if pos.movers:
        return Refusal(
            f"{_has(war, pos)} begun to move: take others along one by one.", rule("9.4b")
        )
    if pos.order == NO_ORDER:
        return Refusal("Order a stack to move before you take all of it.", rule("9.4b"))
    if not war.stack_fits(pos.waiting):
        return Refusal(
            f"One command cannot move all of {place(war, pos.origin)}: {STACK}.",
            rule("9.4c"),
        )
    return Refusal("There are not two units left that could go together.", rule("9.4b"))


def _done(war: War, pos: Table, option: Option) -> Refusal:
    del option
    if pos.movers:
        return Refusal(f"First move {_movers(war, pos)}, or halt.", rule("9.4b"))
    if pos.order == NO_ORDER:
        return Refusal("No command is under way that could be done.", rule("9.4b"))
    return Refusal(
        "Take more units: the points left would not bring the rest of 5th Panzer Army onto the "
        "map.",
        rule("8.8a"),
    )


def _go(war: War, pos: Table, option: Option) -> Refusal:
    """Why the moving units cannot go to a hex."""
    hex, code, side = option.hex, place(war, option.hex), pos.side
    if not pos.movers:
        return _nobody(pos)
    here = movement.here(pos)
    if hex == here:
        return Refusal(f"{_has(war, pos)} got to {code} already: halt there.", rule("12.1a"))
    if not war.land >> hex & 1:
        return Refusal(f"{code} is at sea.", rule("12.3b"))
    if not war.bit[here]:
        way = "land in a port" if side == ALLIED else "enter by row 10xx"
        return Refusal(f"{_has(war, pos)} to {way} first.", rule("10.2a"))
    enemy = crowd(war, pos, 1 - side)
    if enemy.occupied >> hex & 1:
        return Refusal(
            f"Enemies are in {code}: it can only be attacked, from a hex beside it.", rule("12.3a")
        )
    if side == GERMAN and pos.special_forces and hex == war.special_forces:
        return Refusal(f"The special forces keep Germans out of {code}.", rule("3.6d"))
    if full_for(war, pos, pos.movers) >> hex & 1:
        return Refusal(f"There is no room for {_movers(war, pos)} in {code}.", rule("6.3a"))
    if strangers(war, pos, pos.movers) >> hex & 1:
        return Refusal(
            f"Another German organisation is in {code}: {_movers(war, pos)} may pass there, and "
            "not stop.",
            rule("6.6b"),
        )
    if pos.order == COLUMN and enemy.zone >> hex & 1:
        return Refusal(
            f"{code} is in an enemy zone of control, which a column may not enter.", rule("12.7b")
        )
    return _step(war, pos, hex, here)


def _step(war: War, pos: Table, hex: int, here: int) -> Refusal:
    """Why units cannot get to a hex in which they could be."""
    code, start = place(war, hex), place(war, here)
    zone = crowd(war, pos, 1 - pos.side).zone
    if war.lattice.distance(here, hex) == 1:
        if not next_to(war, here) >> hex & 1:
            return Refusal(f"Water lies between {start} and {code}.", rule("12.3b"))
        if zone >> here & zone >> hex & 1:
            return Refusal(
                f"{start} and {code} are both in an enemy zone of control, and nobody goes "
                "straight from one to the other.",
                rule("7.5b"),
            )
        if war.blocked[war.lattice.direction(here, hex)] >> here & 1:
            return Refusal(
                f"The hexside between {start} and {code} is blocked: mountain units alone cross "
                "it, as the first step of their move.",
                rule("12.10a"),
            )
    points = counted(pos.moves_left, "movement point")
    return Refusal(
        f"{code} is out of reach: {_has(war, pos)} {points} left.",
        rule("12.1a"),
    )


def _enter(war: War, pos: Table, option: Option) -> Refusal:
    hex, code = option.hex, place(war, option.hex)
    if not pos.movers:
        return _nobody(pos)
    if war.bit[movement.here(pos)]:
        return Refusal(f"{_has(war, pos)} come onto the map already.", rule("10.2a"))
    who = _movers(war, pos)
    if pos.side == ALLIED:
        if option.verb == "enter":
            return Refusal("The Allies come ashore in a port.", rule("12.6b"))
        if not port_hexes(war, pos) >> hex & 1:
            return Refusal(f"There is no Allied port marker in {code}.", rule("12.6b"))
        return Refusal(f"There is no room for {who} in {code}.", rule("6.3a"))
    if not war.north >> hex & 1:
        return Refusal(f"Germans enter by row 10xx, and {code} is not in it.", rule("10.2a"))
    if crowd(war, pos, ALLIED).occupied >> hex & 1:
        return Refusal(f"Allied units are in {code}.", rule("12.3a"))
    if full_for(war, pos, pos.movers) >> hex & 1:
        return Refusal(f"There is no room for {who} in {code}.", rule("6.3a"))
    if pos.order == COLUMN and crowd(war, pos, ALLIED).zone >> hex & 1:
        return Refusal(
            f"{code} is in an Allied zone of control, which a column may not enter.", rule("12.7b")
        )
    if strangers(war, pos, pos.movers) >> hex & 1:
        return Refusal(
            f"Another German organisation is in {code}, and {who} could not go on from there.",
            rule("6.6b"),
        )
    points = counted(pos.moves_left, "movement point")
    return Refusal(f"{_has(war, pos)} only {points}, too few to enter {code}.", rule("10.2b"))


def _sail(war: War, pos: Table, option: Option) -> Refusal:
    if pos.side == GERMAN:
        return Refusal("Germans do not go by sea.", rule("12.5b"))
    if not pos.movers:
        return _nobody(pos)
    if pos.under_way:
        return Refusal(
            f"{_has(war, pos)} moved by land already, and a move by sea is a move of its own.",
            rule("12.5a"),
        )
    if pos.order != MOVE:
        return Refusal("A column does not go by sea: order a plain move.", rule("12.5a"))
    ports = port_hexes(war, pos)
    for end in (movement.here(pos), option.hex):
        if not ports >> end & 1:
            return Refusal(
                f"Ships go from one Allied port to another, and {place(war, end)} is none.",
                rule("12.5a"),
            )
    if option.hex == movement.here(pos):
        return Refusal(
            f"The ships would take {_movers(war, pos)} to a port other than "
            f"{place(war, option.hex)}.",
            rule("12.5a"),
        )
    return Refusal(
        f"There is no room for {_movers(war, pos)} in {place(war, option.hex)}.", rule("12.5b")
    )


def _exit(war: War, pos: Table, option: Option) -> Refusal:
    del option
    if not pos.movers:
        return _nobody(pos)
    if not war.bit[movement.here(pos)]:
        return Refusal(f"{_has(war, pos)} not come onto the map yet.", rule("4.1c"))
    if not war.north >> movement.here(pos) & 1:
        where = place(war, movement.here(pos))
        return Refusal(
            f"The map is left from row 10xx, and {_has(war, pos)} only come to {where}.",
            rule("4.1c"),
        )
    if pos.side == GERMAN:
        return Refusal(
            "Germans leave the map only to meet an end-run, or because they must after it.",
            rule("10.5"),
        )
    if pos.order != MOVE:
        return Refusal("A column may not leave the map: order a plain move.", rule("4.1c"))
    if pos.dropped and pos.movers >> war.airborne & 1:
        return Refusal("Once it has dropped the 82nd never leaves the map.", rule("12.9g"))
    return Refusal(
        f"Leaving the map takes a movement point, and {_has(war, pos)} none left.", rule("4.1c")
    )


def _halt(war: War, pos: Table, option: Option) -> Refusal:
    del option
    if not pos.movers:
        return _nobody(pos)
    if is_bound(war, pos):
        by = rule("8.8a") if is_army_entering(war, pos) else rule("8.6a")
        return Refusal(f"{_has(war, pos)} to enter the map, and may not halt.", by)
    return Refusal(f"{_has(war, pos)} to go on: another German organisation is here.", rule("6.6b"))


def _strike(war: War, pos: Table, option: Option) -> Refusal:
    code = place(war, option.hex)
    if pos.order != MOVE_FIGHT:
        return Refusal("Only a move-fight ends with a strike.", rule("9.6c"))
    if pos.waiting or pos.movers:
        return Refusal("Finish the move of the move-fight before it strikes.", rule("9.6c"))
    if pos.attacked >> option.hex & 1:
        return Refusal(f"{code} has been attacked in this phase already.", rule("13.1b"))
    name = war.names[option.unit]
    if not pos.force >> option.unit & 1:
        return Refusal(f"{name} has not moved by this command.", rule("9.6e"))
    if war.supports >> option.unit & 1:
        return Refusal(f"{name} is corps support: a division leads the strike.", rule("13.5b"))
    if attackable(war, pos, pos.hex[option.unit], pos.side) >> option.hex & 1:
        return Refusal(f"Another division of the stack of {name} names it.", rule("9.6e"))
    return Refusal(f"No enemy next to {name} is in {code}.", rule("9.6e"))


def _no_strike(war: War, pos: Table, option: Option) -> Refusal:
    del war, option
    if pos.order == MOVE_FIGHT:
        return Refusal("Finish the move of the move-fight first.", rule("9.6c"))
    return Refusal("No move-fight is under way that could forgo its strike.", rule("9.6c"))


COMMAND = ("command",)
REASONS: dict[str, tuple[tuple[str, ...], str, Reason]] = {
    "take": (COMMAND, "u", _take),
    "take along": (COMMAND, "u", _take),
    "take all": (COMMAND, "", _take_all),
    "done": (COMMAND, "", _done),
    "go": (COMMAND, "h", _go),
    "enter": (COMMAND, "h", _enter),
    "come ashore": (COMMAND, "h", _enter),
    "sail": (COMMAND, "h", _sail),
    "exit": (COMMAND, "", _exit),
    "halt": (COMMAND, "", _halt),
    "strike with": (COMMAND, "uh", _strike),
    "no strike": (COMMAND, "", _no_strike),
}
"""By verb: the phases that know it, what it names (unit, hex), and why it may not be."""
