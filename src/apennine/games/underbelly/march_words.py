"""Why not? The sentences behind refusals of units on the move."""

from __future__ import annotations

from collections.abc import Callable

from apennine.kernel.decision import Option
from apennine.kernel.game import Refusal
from apennine.kernel.ledger import rule

from . import movement
from .entry import is_enough
from .position import ALLIED, COLUMN, GERMAN, MOVE, NO_ORDER, Table
from .stacking import full_for, strangers
from .war import GB, War
from .zones import crowd, port_hexes

Reason = Callable[[War, Table, Option], Refusal]


def _always(sentence: str, by: str) -> Reason:
    def reason(war: War, pos: Table, option: Option) -> Refusal:
        del war, pos, option
        return Refusal(sentence, by)

    return reason


def _code(war: War, hex: int) -> str:
    return war.board.code(hex)


def _take(war: War, pos: Table, option: Option) -> Refusal:
    unit, name = option.unit, war.names[option.unit]
    if pos.order == NO_ORDER:
        return Refusal("Order a stack to move before you pick its units.", rule("9.4a"))
    if pos.under_way:
        return Refusal("A moving force picks nobody up on the way.", rule("9.4b"))
    if not pos.waiting >> unit & 1:
        return Refusal(f"{name} is not in the stack, or it has moved.", rule("9.4b"))
    if pos.order == COLUMN and war.grouped[GB] >> unit & 1 and movement.is_hesitant(war, pos):
        return Refusal(f"{name} may not go in column yet.", rule("5.5b"))
    if not war.stack_fits(pos.force | 1 << unit):
        return Refusal(f"{name} would be too much for one stack.", rule("9.4c"))
    return Refusal(f"{name} cannot join those that are moving.", rule("6.6b"))


def _go(war: War, pos: Table, option: Option) -> Refusal:
    """Why the moving units cannot go to a hex."""
    hex, code, side = option.hex, _code(war, option.hex), pos.side
    if not pos.movers:
        return Refusal("Nobody is moving.", rule("9.4a"))
    enemy = crowd(war, pos, 1 - side)
    if not war.land >> hex & 1:
        return Refusal(f"{code} is at sea.", rule("12.3b"))
    if enemy.occupied >> hex & 1:
        return Refusal(f"Enemies are in {code}.", rule("12.3a"))
    if side == GERMAN and pos.special_forces and hex == war.special_forces:
        return Refusal(f"The special forces keep Germans out of {code}.", rule("3.6d"))
    if full_for(war, pos, pos.movers) >> hex & 1:
        return Refusal(f"There is no room in {code}.", rule("6.3a"))
    if strangers(war, pos, pos.movers) >> hex & 1:
        return Refusal(f"Units of another organisation are in {code}.", rule("6.6b"))
    in_zone = enemy.zone >> hex & 1
    if pos.order == COLUMN and in_zone:
        return Refusal(f"{code} is in an enemy zone; a column may not enter it.", rule("12.7b"))
    here = movement.here(pos)
    if not war.bit[here]:
        return Refusal("These units must come onto the map first.", rule("10.2a"))
    if in_zone and enemy.zone >> here & 1 and war.lattice.distance(here, hex) == 1:
        return Refusal(
            f"{code} is in an enemy zone, and so is the hex that the units leave.", rule("7.5b")
        )
    return Refusal(f"{code} is out of reach with {pos.moves_left} points.", rule("12.1a"))


def _enter(war: War, pos: Table, option: Option) -> Refusal:
    hex, code = option.hex, _code(war, option.hex)
    if not pos.movers or war.bit[movement.here(pos)]:
        return Refusal("Nobody is waiting to come onto the map.", rule("10.2a"))
    if pos.side == ALLIED:
        if not port_hexes(war, pos) >> hex & 1:
            return Refusal(f"{code} is no Allied port.", rule("12.6b"))
        return Refusal(f"There is no room in {code}.", rule("6.3a"))
    if not war.north >> hex & 1:
        return Refusal(f"{code} is not in row 10xx.", rule("10.2a"))
    if not is_enough(war, pos):
        return Refusal("Take more units, or the rest cannot enter in this turn.", rule("8.8a"))
    return Refusal(f"These units cannot enter in {code}.", rule("10.2b"))


def _sail(war: War, pos: Table, option: Option) -> Refusal:
    if pos.side == GERMAN:
        return Refusal("Germans do not sail.", rule("12.5b"))
    ports = port_hexes(war, pos)
    if not pos.movers or pos.under_way or pos.order != MOVE:
        return Refusal("Only a force that has not moved yet is shipped.", rule("12.5a"))
    if not ports >> movement.here(pos) & 1 or not ports >> option.hex & 1:
        return Refusal("Ships go from an Allied port to another.", rule("12.5a"))
    return Refusal(f"There is no room in {_code(war, option.hex)}.", rule("12.5b"))


def _exit(war: War, pos: Table, option: Option) -> Refusal:
    del option
    if not pos.movers or not war.north >> movement.here(pos) & 1:
        return Refusal("The map is left from row 10xx.", rule("4.1c"))
    if pos.side == GERMAN:
        return Refusal("These units have no reason to leave the map.", rule("10.5"))
    if pos.order != MOVE:
        return Refusal("A column may not leave the map.", rule("4.1c"))
    if pos.dropped and pos.movers >> war.airborne & 1:
        return Refusal("The 82nd may never leave the map.", rule("12.9g"))
    return Refusal("Leaving the map costs a movement point.", rule("4.1c"))


def _strike(war: War, pos: Table, option: Option) -> Refusal:
    if pos.order == NO_ORDER or pos.waiting or pos.movers:
        return Refusal("Only a move-fight that is over strikes.", rule("9.6c"))
    if pos.attacked >> option.hex & 1:
        return Refusal(f"{_code(war, option.hex)} has been attacked.", rule("13.1b"))
    return Refusal("The units that moved are not next to an enemy there.", rule("9.6e"))


COMMAND = ("command",)
REASONS: dict[str, tuple[tuple[str, ...], str, Reason]] = {
    "take": (COMMAND, "u", _take),
    "take along": (COMMAND, "u", _take),
    "take all": (COMMAND, "", _always("There is no whole stack to take.", rule("9.4b"))),
    "done": (COMMAND, "", _always("Nobody is being picked up.", rule("9.4b"))),
    "go": (COMMAND, "h", _go),
    "enter": (COMMAND, "h", _enter),
    "come ashore": (COMMAND, "h", _enter),
    "sail": (COMMAND, "h", _sail),
    "exit": (COMMAND, "", _exit),
    "halt": (COMMAND, "", _always("Nobody is moving, or it must enter.", rule("9.4a"))),
    "strike": (COMMAND, "h", _strike),
    "no strike": (COMMAND, "", _always("There is no strike to forgo.", rule("9.6c"))),
}
"""By verb: the phases that know it, what it names (unit, hex), and why it may not be."""
