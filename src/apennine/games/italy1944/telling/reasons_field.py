"""Why not now? Orders in the field: logistic centres, movement and combat."""

from __future__ import annotations

from apennine.kernel.decision import Option
from apennine.kernel.game import Refusal
from apennine.kernel.ledger import rule
from apennine.mechanics.phrases import counted

from ..rules import c06_logistics as logistics
from ..rules import c08_movement as movement
from ..rules import c09_combat as combat
from ..rules import c10_support as support
from ..rules.c04_zones import next_to, occupied, zone
from ..rules.c05_stacking import full
from ..table.position import ALLIED, NOWHERE, Table
from ..table.war import War
from .reasons import absent_from_map, code_of

# Movement


def centre_to(war: War, pos: Table, option: Option) -> Refusal:
    """Why a logistic centre does not go there (6.6)."""
    hex, code = option.hex, code_of(war, option.hex)
    if not war.road_hexes >> hex & 1:
        return Refusal(f"A logistic centre keeps to roads, and {code} has none.", rule("6.6b"))
    own = occupied(war, pos, pos.side) >> hex & 1
    if not own and zone(war, pos, 1 - pos.side) >> hex & 1:
        return Refusal(f"{code} is next to an enemy, with no unit of yours there.", rule("6.6m"))
    if pos.centre[pos.side] >= 0 and logistics.centre_reach(war, pos, pos.side).ends >> hex & 1:
        return Refusal("Say first that the logistic centre is to move.", rule("6.6i"))
    return Refusal(f"{code} is more than 8 points away by road.", rule("6.6h"))


def move(war: War, pos: Table, option: Option) -> Refusal:
    """Why a unit does not move, or does not join a stack (8)."""
    unit, name = option.unit, war.names[option.unit]
    absent = absent_from_map(war, pos, unit)
    if absent:
        return absent
    if option.verb == "take along":
        if not pos.movers:
            return Refusal(f"No stack is on the move that could take {name} along.", rule("8d"))
        if pos.under_way:
            return Refusal("The stack is on its way already.", rule("8d"))
        if pos.hex[unit] != movement.stack_hex(pos):
            return Refusal(f"{name} is not in the hex of the moving stack.", rule("8d"))
        if not pos.moved >> unit & 1:
            return Refusal("No more than four units move as a stack.", rule("5a"))
    elif pos.movers:
        return end_movement(war, pos, option)
    return Refusal(f"{name} has moved in this turn.", rule("8a"))


def end_movement(war: War, pos: Table, option: Option) -> Refusal:
    """Why the movement is not over (8a)."""
    del option
    if not pos.movers:
        return Refusal("This order names neither a unit nor a hex.", rule("8a"))
    return Refusal(f"{movement.stack_name(war, pos)} must finish moving first.", rule("8a"))


def halt(war: War, pos: Table, option: Option) -> Refusal:
    """Why nobody halts (8a)."""
    del pos
    if 0 <= option.unit < len(war.names):
        return Refusal(f"{war.names[option.unit]} leads no stack on the move.", rule("8a"))
    return Refusal("Name the unit that is to halt.", rule("8a"))


def go(war: War, pos: Table, option: Option) -> Refusal:
    """Why a stack does not go there (4.1, 8)."""
    hex, code = option.hex, code_of(war, option.hex)
    if not pos.movers >> option.unit & 1:
        return Refusal(f"Pick {war.names[option.unit]} before you say where it goes.", rule("8a"))
    name, here = movement.stack_name(war, pos), movement.stack_hex(pos)
    if hex == here:
        return Refusal(f"{name} is in {code} already; it may halt.", rule("8a"))
    if pos.stopped:
        return Refusal(f"{name} has entered an enemy zone of control and stops.", rule("4.1a"))
    if not war.land >> hex & 1:
        return Refusal(f"{code} is no ground of this campaign.", rule("8e"))
    if occupied(war, pos, 1 - pos.side) >> hex & 1:
        return Refusal(f"The enemy holds {code}.", rule("8e"))
    if full(war, pos, pos.side, pos.movers.bit_count()) >> hex & 1:
        return Refusal(f"{code} would hold more than four units.", rule("5a"))
    adjacent = war.lattice.distance(here, hex) == 1
    if adjacent and not next_to(war, here) >> hex & 1:
        return Refusal(f"Water lies between {code_of(war, here)} and {code}.", rule("8.4b"))
    felt = zone(war, pos, 1 - pos.side)
    if adjacent and felt >> hex & 1 and felt >> here & 1:
        both = f"Both {code_of(war, here)} and {code} are in enemy zones of control"
        return Refusal(f"{both}, and no step leads from one to another.", rule("4.1c"))
    if felt >> hex & 1 and pos.extra:
        return Refusal(
            f"{code} is next to an enemy, and only operational movement leads that far.",
            rule("8.3a"),
        )
    return Refusal(f"{code} is too far, or lies behind enemy zones of control.", rule("8a"))


def mobile_attack(war: War, pos: Table, option: Option) -> Refusal:
    """Why a stack does not attack on the move (8.2)."""
    hex, code = option.hex, code_of(war, option.hex)
    if not pos.movers >> option.unit & 1:
        return Refusal(f"Pick {war.names[option.unit]} before it attacks.", rule("8.2b"))
    if pos.movers & ~war.tracks:
        return Refusal("Only armoured and mechanised units attack on the move.", rule("8.2a"))
    if pos.movers & pos.cut:
        return Refusal("Units out of supply do not attack on the move.", rule("6.3d"))
    if not occupied(war, pos, 1 - pos.side) >> hex & 1:
        return Refusal(f"There is no enemy in {code}.", rule("8.2c"))
    if not next_to(war, movement.stack_hex(pos)) >> hex & 1:
        return Refusal(f"{code} is not next to the moving stack.", rule("8.2c"))
    cost = counted(movement.mobile_price(war, pos, hex) / war.scale, "point")
    left = max(pos.points, 0) / war.scale
    return Refusal(
        f"An attack on {code} costs {cost}, and the stack has {left:g} left.", rule("8.2c")
    )


# Combat


def attack(war: War, pos: Table, option: Option) -> Refusal:
    """Why a hex is not attacked (9)."""
    code = code_of(war, option.hex)
    if pos.target != NOWHERE:
        return _unfought(war, pos)
    if not occupied(war, pos, 1 - pos.side) >> option.hex & 1:
        return Refusal(f"There is no enemy in {code}.", rule("9a"))
    return Refusal(f"No unit that may still attack is next to {code}.", rule("9b"))


def _unfought(war: War, pos: Table) -> Refusal:
    return Refusal(f"The battle for {code_of(war, pos.target)} must be fought first.", rule("9d"))


def end_combat(war: War, pos: Table, option: Option) -> Refusal:
    """Why the combat is not over (9d)."""
    del option
    if pos.target == NOWHERE:
        return Refusal("This order names neither a unit nor a hex.", rule("9d"))
    return _unfought(war, pos)


def attack_with(war: War, pos: Table, option: Option) -> Refusal:
    """Why a unit does not join an attack (9)."""
    unit, name = option.unit, war.names[option.unit]
    absent = absent_from_map(war, pos, unit)
    if absent:
        return absent
    if pos.target == NOWHERE:
        return Refusal(f"Pick the hex that {name} is to attack first.", rule("9d"))
    if pos.attackers >> unit & 1:
        return Refusal(f"{name} is in this attack already.", rule("9b"))
    if pos.attacked >> unit & 1:
        return Refusal(f"{name} has attacked in this turn.", rule("9b"))
    target = code_of(war, pos.target)
    near = war.lattice.distance(pos.hex[unit], pos.target) == 1
    if near and not next_to(war, pos.target) >> pos.hex[unit] & 1:
        return Refusal(f"Water lies between {name} and {target}.", rule("9f"))
    if not near:
        return Refusal(f"{name} is not next to {target}.", rule("9a"))
    if unit not in combat.ready(war, pos, pos.target) or option.hex == pos.target:
        return Refusal("The attackers have been named, and the battle is on.", rule("9e"))
    return Refusal(f"The attack is on {target}.", rule("9e"))


def air_support(war: War, pos: Table, option: Option) -> Refusal:
    """Why no aircraft come (10.1)."""
    if pos.supporting == support.NOBODY or option.hex != pos.target:
        return Refusal("No battle asks for support there.", rule("10.1b"))
    del war
    return Refusal("All your aircraft have flown in this turn.", rule("10.1b"))


def naval_support(war: War, pos: Table, option: Option) -> Refusal:
    """Why no ships come (10.1.1)."""
    if pos.supporting == support.NOBODY or option.hex != pos.target:
        return Refusal("No battle asks for support there.", rule("10.1b"))
    if (pos.side if pos.supporting == support.ATTACKER else 1 - pos.side) != ALLIED:
        return Refusal("Only the Allies have ships.", rule("10.1.1a"))
    if not support.is_off_the_coast(war, pos):
        return Refusal("Ships support only units in coastal hexes.", rule("10.1.1a"))
    return Refusal("Both naval markers have been used in this turn.", rule("10.1b"))
