"""Why not? The sentence and the rule behind every refusal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apennine.hexes import bits
from apennine.kernel.decision import Option
from apennine.kernel.game import Refusal
from apennine.kernel.ledger import rule

from .combat import odds, ready
from .movement import reach_of
from .position import LOST, NOBODY, Table

if TYPE_CHECKING:
    from .game import Crossing


def why_not(game: Crossing, pos: Table, option: Option) -> Refusal:
    """The first thing that stands against an option, in the order of the rules."""
    unit, hex = option.unit, option.hex
    if unit >= len(game.units):
        return Refusal(f"There is no unit number {unit}", rule("4.1"))
    if option.verb in ("move", "go", "halt", "end movement"):
        return _why_not_move(game, pos, option)
    if option.verb in ("attack", "attack with", "fight", "end combat"):
        return _why_not_attack(game, pos, option)
    if option.verb in ("blow", "let pass", "let pass this phase"):
        return Refusal("The charge can be blown only when the Allies cross its bridge", rule("5.2"))
    if option.verb == "lay the charge":
        return Refusal("The charge is laid at a bridge, before the first turn", rule("5.1"))
    if option.verb == "retreat":
        return Refusal(f"{game.place(hex)} is no way out for this unit", rule("6.7"))
    if option.verb in ("advance", "stay"):
        return Refusal("Only attackers may advance, into the hex they emptied", rule("6.9"))
    if option.verb == "lose a step":
        return Refusal("Steps are lost only by units in the battle", rule("6.6"))
    return Refusal(f"There is no order {option.verb!r} in this game", rule("1.1"))


def _why_not_move(game: Crossing, pos: Table, option: Option) -> Refusal:
    unit, hex = option.unit, option.hex
    if pos.phase != "movement":
        return Refusal("Units move only in the movement phase", rule("1.1"))
    if option.verb == "end movement":
        return Refusal("The unit that is moving must finish its move first", rule("4.1"))
    if unit < 0 or pos.hex[unit] == LOST:
        return Refusal("No unit of yours that could move is named", rule("4.1"))
    name = game.units[unit]
    if game.side_of[unit] != pos.side:
        return Refusal(f"{name} belongs to the other side", rule("4.1"))
    if pos.mover not in (NOBODY, unit):
        return Refusal(f"{game.units[pos.mover]} must finish its move first", rule("4.1"))
    if option.verb == "move" or pos.mover != unit:
        if pos.moved >> unit & 1:
            return Refusal(f"{name} has moved in this phase", rule("4.1"))
        return Refusal(f"Pick {name} before you say where it goes", rule("4.1"))
    if hex not in game.board.lattice:
        return Refusal("No hex of the map is named", rule("4.2"))
    code = game.place(hex)
    if game.occupied(pos, 1 - pos.side) >> hex & 1:
        return Refusal(f"An enemy is in {code}", rule("4.5"))
    if hex == pos.hex[unit]:
        return Refusal(f"{name} is in {code} already; it may halt", rule("4.2"))
    found = reach_of(game, pos, unit, pos.left)
    if found.reached >> hex & 1:
        return Refusal(f"{code} is full: two units are there", rule("2.1"))
    zone = game.zone(pos, 1 - pos.side)
    near = game.board.lattice.distance(pos.hex[unit], hex) == 1
    if near and zone >> hex & 1 and zone >> pos.hex[unit] & 1:
        return Refusal(
            f"{code} is in an enemy zone of control, and {name} starts in one", rule("3.3")
        )
    if near and game.board.lattice.cross(1 << pos.hex[unit], game.unbridged(pos)) >> hex & 1:
        return Refusal(f"{name} cannot cross the river to {code} without a bridge", rule("4.4"))
    return Refusal(f"{code} is too far for {name}, or behind an enemy zone of control", rule("4.2"))


def _why_not_attack(game: Crossing, pos: Table, option: Option) -> Refusal:
    unit, hex = option.unit, option.hex
    if pos.phase != "combat":
        return Refusal("Units fight only in the combat phase", rule("1.1"))
    if pos.target != NOBODY and option.verb in ("attack", "end combat"):
        return Refusal("The attack under way must be fought first", rule("6.1"))
    if option.verb == "attack with":
        if unit >= 0 and unit in game.on_map(pos, pos.side):
            name = game.units[unit]
            if pos.target == NOBODY:
                return Refusal(f"Pick the hex that {name} is to attack first", rule("6.1"))
            if (pos.fought | pos.attackers) >> unit & 1:
                return Refusal(f"{name} attacks only once in a phase", rule("6.1"))
            return Refusal(f"{name} cannot attack into {game.place(pos.target)}", rule("6.2"))
        return Refusal("No unit of yours is named", rule("6.1"))
    if hex not in game.board.lattice or not game.units_in(pos, hex, 1 - pos.side):
        return Refusal("There is no enemy to attack in that hex", rule("6.1"))
    code = game.place(hex)
    if pos.attacked >> hex & 1:
        return Refusal(f"{code} has been attacked in this phase", rule("6.1"))
    if option.verb == "fight" and hex != pos.target:
        return Refusal(f"No attack on {code} is under way", rule("6.1"))
    units = list(bits(pos.attackers)) if option.verb == "fight" else ready(game, pos, hex)
    if option.verb == "attack" and not units:
        return Refusal(f"No unit that could attack is next to {code}", rule("6.2"))
    found = odds(game, pos, hex, units)
    if found.raw >= 0:
        return Refusal(f"The battle for {code} is being fought", rule("6.1"))
    return Refusal(
        f"{found.attack} against {found.defence} in {code} is less than 1-2", rule("6.3")
    )
