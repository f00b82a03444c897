"""Why not now? Orders behind the front: set-up, chapters 7, 11 and 12.

Each function names the first rule that stands against an order that its phase knows.
"""

from __future__ import annotations

from collections.abc import Callable

from apennine.hexes import HexSet
from apennine.kernel.decision import Option
from apennine.kernel.game import Refusal
from apennine.kernel.ledger import rule
from apennine.mechanics.phrases import counted

from ..rules import c06_logistics as logistics
from ..rules import c07_rrw as rrw
from ..rules import c11_operations as operations
from ..rules import c12_reserve as reserve
from ..rules.c04_zones import occupied, on_map, zone
from ..rules.c05_stacking import full
from ..table.position import ALLIED, AWAY, GONE, LOST, NOWHERE, Table
from ..table.war import War

Reason = Callable[[War, Table, Option], Refusal]


def code_of(war: War, hex: int) -> str:
    """A hex as it is printed on the map."""
    return war.board.code(hex)


def _nation(war: War, unit: int) -> str:
    return war.nations[war.roster[unit].nation].title


def _to_come(war: War, pos: Table, unit: int) -> Refusal:
    turn = war.roster[unit].arrives
    if turn <= pos.turn:
        return Refusal(f"{war.names[unit]} is still waiting to arrive.", rule("7.2a"))
    return Refusal(f"{war.names[unit]} arrives only in turn {turn}.", rule("7.2a"))


def absent_from_map(war: War, pos: Table, unit: int) -> Refusal | None:
    """A unit that is not in a hex can do nothing there."""
    if on_map(war, pos, unit):
        return None
    name = war.names[unit]
    if pos.hex[unit] == AWAY:
        return _to_come(war, pos, unit)
    if pos.hex[unit] == LOST:
        return Refusal(f"{name} is eliminated.", rule("9.1d"))
    if pos.hex[unit] == GONE:
        return Refusal(f"{name} has been withdrawn.", rule("7.3a"))
    return Refusal(f"{name} is in the strategic reserve.", rule("12d"))


# Set-up


def deploy(war: War, pos: Table, option: Option) -> Refusal:
    """Why a unit is not deployed, or not there (3S)."""
    unit, name = option.unit, war.names[option.unit]
    if not war.at_start >> unit & 1:
        return _to_come(war, pos, unit)
    if pos.hex[unit] != AWAY:
        return Refusal(f"{name} has its place already.", rule("3Sa"))
    if option.verb == "deploy":
        return Refusal("Say first where the unit that you picked stands.", rule("3Sa"))
    code = code_of(war, option.hex)
    if not war.home[pos.side] >> option.hex & 1:
        return Refusal(f"{code} is not on your side of the front line.", rule("3Sc"))
    if full(war, pos, pos.side) >> option.hex & 1:
        return Refusal(f"{code} holds four units already.", rule("3Se"))
    return Refusal(f"Pick {name} before you say where it stands.", rule("3Sa"))


def place_centre(war: War, pos: Table, option: Option) -> Refusal:
    """Why a logistic centre does not start there (3Sd)."""
    *some, last = HexSet(war.lattice, war.centre_hexes(pos.scenario, pos.side))
    starts = f"{', '.join(some)} or {last}" if some else last
    code = code_of(war, option.hex)
    return Refusal(f"Your logistic centre starts in {starts}, not in {code}.", rule("3Sd"))


# Replacements, reinforcements, withdrawals


def return_centre(war: War, pos: Table, option: Option) -> Refusal:
    """Why a lost logistic centre does not come back there (9.6d)."""
    del pos
    code = code_of(war, option.hex)
    if not war.road_hexes >> option.hex & 1:
        return Refusal(f"A logistic centre needs a road, and {code} has none.", rule("9.6d"))
    return Refusal(
        f"No free line of at most 10 hexes leads from {code} to a supply source.", rule("9.6d")
    )


def replace(war: War, pos: Table, option: Option) -> Refusal:
    """Why a unit gets no step (7.1)."""
    unit, name = option.unit, war.names[option.unit]
    if pos.hex[unit] == war.reserve:
        return Refusal(f"No replacements reach {name} in the reserve.", rule("12g"))
    absent = absent_from_map(war, pos, unit)
    if absent:
        return absent
    if pos.steps[unit] == war.full[unit]:
        return Refusal(f"{name} is at full strength.", rule("7.1b"))
    if rrw.points_left(war, pos, unit) <= 0:
        return _no_points(war, unit)
    return Refusal(f"{name} has no line of at most 8 hexes to its logistic centre.", rule("7.1c"))


def _no_points(war: War, unit: int) -> Refusal:
    return Refusal(f"No {_nation(war, unit)} replacement points are left.", rule("7.1g"))


def rebuild(war: War, pos: Table, option: Option) -> Refusal:
    """Why a unit does not come back, or not with so many steps (7.1)."""
    unit, name = option.unit, war.names[option.unit]
    if pos.hex[unit] != LOST:
        return Refusal(f"{name} is not eliminated, so it needs no rebuilding.", rule("7.1b"))
    left = rrw.points_left(war, pos, unit)
    if left <= 0:
        return _no_points(war, unit)
    if option.value < 1:
        return Refusal(f"{name} comes back with one step or more.", rule("7.1i"))
    if option.value > war.full[unit]:
        steps = counted(war.full[unit], "step")
        return Refusal(f"{name} has only {steps} at full strength.", rule("7.1i"))
    if option.value > left:
        points = counted(option.value, f"{_nation(war, unit)} point")
        return Refusal(
            f"{name} would cost {points} at such strength, more than the {left} left.", rule("7.1g")
        )
    return Refusal(f"No hex where {name} could come back has room.", rule("7.1k"))


def place(war: War, pos: Table, option: Option) -> Refusal:
    """Why a unit is not placed there (7.1k, 11Gc, 12d)."""
    unit, hex = option.unit, option.hex
    name, code = war.names[unit], code_of(war, hex)
    crowding = rule("7.1k") if pos.phase == "replacements" else rule("5a")
    if occupied(war, pos, 1 - pos.side) >> hex & 1:
        return Refusal(f"The enemy holds {code}.", crowding)
    if full(war, pos, pos.side) >> hex & 1:
        return Refusal(f"{code} holds four units already.", crowding)
    if pos.phase == "replacements":
        felt = zone(war, pos, 1 - pos.side) & ~occupied(war, pos, pos.side)
        if felt >> hex & 1:
            return Refusal(f"{code} is in an enemy zone, with no friend there.", crowding)
        sites, by = rrw.rebuilding_sites(war, pos, pos.side), rule("7.1d")
        where = "Units come back at or next to a supply source or the logistic centre"
    elif pos.phase == "reserve":
        sites, by = reserve.release_sites(war, pos, unit), rule("12d")
        where = "Units leave the reserve for a town in the rear or a beachhead with room"
    else:
        sites = operations.commitment_sites(war, pos) if pos.offensive != NOWHERE else 0
        where, by = "The reserve is committed at the marker of a general offensive", rule("11Gc")
    if sites >> hex & 1:
        return Refusal(f"{name} is not the unit that is to be placed now.", by)
    return Refusal(f"{where}, and {code} is no such place.", by)


def bring_on(war: War, pos: Table, option: Option) -> Refusal:
    """Why a reinforcement does not arrive, or not there (7.2)."""
    unit, name = option.unit, war.names[option.unit]
    if unit not in rrw.due(war, pos, pos.side):
        if pos.hex[unit] == AWAY:
            return _to_come(war, pos, unit)
        return Refusal(f"{name} is not among your reinforcements now.", rule("7.2a"))
    code = code_of(war, option.hex)
    if full(war, pos, pos.side) >> option.hex & 1:
        return Refusal(f"There is no room for {name} in {code}.", rule("7.2c"))
    return Refusal(f"{code} is no supply hex where {name} may arrive.", rule("7.2a"))


def withdraw(war: War, pos: Table, option: Option) -> Refusal:
    """Why it is not this unit that leaves (7.3)."""
    unit, name = option.unit, war.names[option.unit]
    if pos.hex[unit] < 0:
        return Refusal(f"{name} is not there to be withdrawn.", rule("7.3b"))
    if on_map(war, pos, unit):
        free = logistics.lines_to(war, pos, pos.side, war.sources[pos.side]).mask
        if not free >> pos.hex[unit] & 1:
            return Refusal(f"No free line leads from {name} to a supply hex.", rule("7.3b"))
    return Refusal(f"{name} is not of the nation, size and kind that must leave.", rule("7.3c"))


# The reserve


def send(war: War, pos: Table, option: Option) -> Refusal:
    """Why a unit does not go into the reserve (12c)."""
    unit, name = option.unit, war.names[option.unit]
    absent = absent_from_map(war, pos, unit)
    if absent:
        return absent
    if pos.transferred >> unit & 1:
        return Refusal(f"{name} has only just come out of the reserve.", rule("12f"))
    if zone(war, pos, 1 - pos.side) >> pos.hex[unit] & 1:
        return Refusal(f"{name} is next to an enemy.", rule("12c"))
    if unit in reserve.sendable(war, pos):
        return Refusal("Place first the unit that you released.", rule("12d"))
    return Refusal(f"{name} has no line to the logistic centre or a supply hex.", rule("12c"))


def release(war: War, pos: Table, option: Option) -> Refusal:
    """Why a unit does not come out of the reserve (12d)."""
    unit, name = option.unit, war.names[option.unit]
    if pos.hex[unit] != war.reserve:
        return Refusal(f"{name} is not in the reserve.", rule("12d"))
    if pos.transferred >> unit & 1:
        return Refusal(f"{name} has only just gone into the reserve.", rule("12f"))
    if unit in reserve.releasable(war, pos):
        return Refusal("Place first the unit that you released.", rule("12d"))
    return Refusal(f"No town in the rear and no beachhead has room for {name}.", rule("12d"))


# Operations


def plan(war: War, pos: Table, option: Option) -> Refusal:
    """Why a note is not written (11P)."""
    turn, soonest = option.value, pos.turn + operations.LEAD
    if turn < soonest:
        return Refusal(f"A plan looks two turns ahead: to turn {soonest} or later.", rule("11Pa"))
    if turn > pos.last_turn:
        return Refusal(f"The game ends with turn {pos.last_turn}.", rule("11Pa"))
    if option.verb == "plan a landing" and not (
        option.hex in war.lattice and operations.beaches(war, pos) >> option.hex & 1
    ):
        return Refusal("A landing needs a town on the coast that the Germans hold.", rule("11Lb"))
    possible = operations.turns_for(pos)
    if not possible:
        return Refusal("Two operations are made or planned, and there is no third.", rule("11a"))
    if turn not in possible:
        return Refusal(f"Turn {turn} is less than two turns from another one.", rule("11b"))
    return Refusal("A plan names its turn, and a landing its hex; nothing more.", rule("11Pd"))


def _may_not_launch(pos: Table) -> Refusal:
    if pos.launched[-1] == pos.turn:
        return Refusal("This turn has its operation already.", rule("11b"))
    if len(pos.launched) >= operations.MOST:
        return Refusal("Both operations of the game have been made.", rule("11a"))
    return Refusal(f"The last operation was in turn {pos.launched[-1]}, too recently.", rule("11b"))


def land(war: War, pos: Table, option: Option) -> Refusal:
    """Why there is no landing, or not there (11L)."""
    code = code_of(war, option.hex)
    if not operations.may_launch(pos):
        return _may_not_launch(pos)
    if pos.turn > 1 and operations.due_note(pos) is None:
        return Refusal("No landing is planned for this turn.", rule("11Pa"))
    if not operations.beaches(war, pos) >> option.hex & 1:
        return Refusal(f"{code} is no town on the coast that the Germans hold.", rule("11Lb"))
    if occupied(war, pos, 1 - ALLIED) >> option.hex & 1:
        return Refusal(f"German units stand in {code}.", rule("11Lh"))
    return Refusal(f"{code} is not the hex of the plan.", rule("11La"))


def land_with(war: War, pos: Table, option: Option) -> Refusal:
    """Why a unit is not in the first wave (11Lc)."""
    unit, name = option.unit, war.names[option.unit]
    if pos.hex[unit] != war.reserve:
        return Refusal(f"{name} is not in the reserve.", rule("11Lc"))
    if not pos.quota:
        return Refusal("No first wave is going ashore now.", rule("11Lc"))
    if unit in operations.first_wave(war, pos):
        beach = code_of(war, pos.beaches[-1])
        return Refusal(f"The first wave goes ashore in {beach}.", rule("11Lc"))
    return Refusal(f"{name} is more than may still land with the first wave.", rule("11Lc"))


def open_offensive(war: War, pos: Table, option: Option) -> Refusal:
    """Why there is no general offensive, or not there (11G)."""
    code = code_of(war, option.hex)
    if not operations.may_launch(pos):
        return _may_not_launch(pos)
    if pos.turn == 1 or operations.due_note(pos) is None:
        return Refusal("No general offensive is planned for this turn.", rule("11Pa"))
    if not pos.control >> option.hex & 1:
        return Refusal(f"{code} is not under Allied control.", rule("11Ga"))
    return Refusal(
        f"{code} is more than 8 hexes from the logistic centre and every supply hex.", rule("11Gb")
    )


def commit(war: War, pos: Table, option: Option) -> Refusal:
    """Why a unit is not committed to an offensive (11Gc)."""
    name = war.names[option.unit]
    if pos.hex[option.unit] != war.reserve:
        return Refusal(f"{name} is not in the reserve.", rule("11Gc"))
    if pos.offensive == NOWHERE:
        return Refusal("No general offensive is under way.", rule("11Gc"))
    if operations.commitment_sites(war, pos):
        return Refusal("Place first the unit that you committed.", rule("11Gc"))
    return Refusal(f"The offensive has no room for {name}.", rule("11Gc"))


def no_operation(war: War, pos: Table, option: Option) -> Refusal:
    """Why an operation cannot be called off (11Pe)."""
    del war, option
    if pos.turn in pos.launched:
        return Refusal("The operation has begun and cannot be called off.", rule("11Pe"))
    return Refusal("No operation is due in this turn.", rule("11Pe"))


def end_commitment(war: War, pos: Table, option: Option) -> Refusal:
    """Why the commitment is not over (11Gc)."""
    del war, option
    if pos.offensive == NOWHERE:
        return Refusal("No general offensive is under way.", rule("11Gc"))
    return Refusal("Place first the unit that you committed.", rule("11Gc"))
