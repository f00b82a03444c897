"""Why not? The sentence and the rule behind every refusal."""

from __future__ import annotations

from collections.abc import Callable

from apennine.kernel.decision import Option
from apennine.kernel.game import Refusal
from apennine.kernel.ledger import rule

from . import logistics, movement, operations, rrw, setup
from .position import ALLIED, AWAY, GONE, LOST, NOWHERE, Table
from .stacking import full
from .war import War
from .zones import next_to, occupied, on_map, zone

Reason = Callable[[War, Table, Option], Refusal]


def why_not(war: War, pos: Table, option: Option) -> Refusal:
    """The first thing that stands against an option, in the order of the rules."""
    if option.verb not in REASONS:
        return Refusal(f"There is no order {option.verb!r} in this game.", rule("3a"))
    phases, names, reason = REASONS[option.verb]
    if pos.phase not in phases:
        when = " or ".join(phases)
        return Refusal(f"One may {option.verb} only in the phase {when}.", rule("3a"))
    if "u" in names and not 0 <= option.unit < len(war.names):
        return Refusal("The order names no unit of this game.", rule("3a"))
    if "u" in names and war.side_of[option.unit] != pos.side and option.verb not in BY_EITHER:
        return Refusal(f"{war.names[option.unit]} belongs to the other side.", rule("3a"))
    if "h" in names and option.hex not in war.lattice:
        return Refusal("The order names no hex of the map.", rule("3a"))
    return reason(war, pos, option)


def _always(sentence: str, by: str) -> Reason:
    def reason(war: War, pos: Table, option: Option) -> Refusal:
        del war, pos, option
        return Refusal(sentence, by)

    return reason


def _code(war: War, hex: int) -> str:
    return war.board.code(hex)


def _absent(war: War, pos: Table, unit: int) -> Refusal | None:
    """A unit that is not in a hex can do nothing there."""
    if on_map(war, pos, unit):
        return None
    name = war.names[unit]
    if pos.hex[unit] == AWAY:
        return Refusal(f"{name} has not arrived yet.", rule("7.2a"))
    if pos.hex[unit] == LOST:
        return Refusal(f"{name} is eliminated.", rule("9.1d"))
    if pos.hex[unit] == GONE:
        return Refusal(f"{name} has been withdrawn.", rule("7.3a"))
    return Refusal(f"{name} is in the strategic reserve.", rule("12d"))


def _deploy(war: War, pos: Table, option: Option) -> Refusal:
    name = war.names[option.unit]
    if not war.at_start >> option.unit & 1:
        turn = war.roster[option.unit].arrives
        return Refusal(f"{name} arrives in turn {turn}.", rule("7.2a"))
    if option.verb == "deploy" or pos.hex[option.unit] != AWAY:
        return Refusal(f"{name} has its place already.", rule("3Sa"))
    if not war.home[pos.side] >> option.hex & 1:
        code = _code(war, option.hex)
        return Refusal(f"{code} is not on your side of the front line.", rule("3Sc"))
    if full(war, pos, pos.side) >> option.hex & 1:
        return Refusal(f"{_code(war, option.hex)} holds four units already.", rule("3Se"))
    return Refusal(f"Pick {name} before you say where it stands.", rule("3Sa"))


def _place_centre(war: War, pos: Table, option: Option) -> Refusal:
    del pos
    return Refusal(f"{_code(war, option.hex)} is no start hex of your centre.", rule("3Sd"))


def _return_centre(war: War, pos: Table, option: Option) -> Refusal:
    del pos
    code = _code(war, option.hex)
    if not war.road_hexes >> option.hex & 1:
        return Refusal(f"No road leads through {code}.", rule("9.6d"))
    return Refusal(f"{code} has no line of at most 10 hexes to a supply source.", rule("9.6d"))


def _replace(war: War, pos: Table, option: Option) -> Refusal:
    unit, name = option.unit, war.names[option.unit]
    if pos.hex[unit] == war.reserve:
        return Refusal(f"{name} is in the reserve, far from the centre.", rule("12g"))
    absent = _absent(war, pos, unit)
    if absent:
        return absent
    if pos.steps[unit] == war.full[unit]:
        return Refusal(f"{name} is at full strength.", rule("7.1b"))
    if rrw.points_left(war, pos, unit) <= 0:
        return Refusal(f"No points of the nation of {name} are left.", rule("7.1g"))
    return Refusal(f"{name} has no line of at most 8 hexes to its centre.", rule("7.1c"))


def _rebuild(war: War, pos: Table, option: Option) -> Refusal:
    unit, name = option.unit, war.names[option.unit]
    if pos.hex[unit] != LOST:
        return Refusal(f"{name} is not eliminated.", rule("7.1b"))
    left = rrw.points_left(war, pos, unit)
    if left < max(option.value, 1):
        return Refusal(f"{name} would need more points than the {left} left.", rule("7.1g"))
    if not 1 <= option.value <= war.full[unit]:
        return Refusal(f"{name} comes back with one step or with all.", rule("7.1i"))
    return Refusal(f"There is no place where {name} could come back.", rule("7.1k"))


def _place(war: War, pos: Table, option: Option) -> Refusal:
    hex, code = option.hex, _code(war, option.hex)
    by = {
        "replacements": rule("7.1d"),
        "reserve": rule("12d"),
        "operations": rule("11Gc"),
    }[pos.phase]
    crowding = rule("7.1k") if pos.phase == "replacements" else rule("5a")
    if occupied(war, pos, 1 - pos.side) >> hex & 1:
        return Refusal(f"An enemy is in {code}.", crowding)
    if full(war, pos, pos.side) >> hex & 1:
        return Refusal(f"{code} holds four units already.", crowding)
    if pos.phase == "replacements" and zone(war, pos, 1 - pos.side) >> hex & 1:
        return Refusal(f"{code} is in an enemy zone of control.", crowding)
    return Refusal(f"{war.names[option.unit]} cannot be placed in {code} now.", by)


def _bring_on(war: War, pos: Table, option: Option) -> Refusal:
    unit, name = option.unit, war.names[option.unit]
    if unit in rrw.due(war, pos, pos.side):
        code = _code(war, option.hex)
        if full(war, pos, pos.side) >> option.hex & 1:
            return Refusal(f"There is no room for {name} in {code}.", rule("7.2c"))
        return Refusal(f"{code} is no supply hex where {name} may arrive.", rule("7.2a"))
    return Refusal(f"{name} does not arrive now.", rule("7.2a"))


def _withdraw(war: War, pos: Table, option: Option) -> Refusal:
    name = war.names[option.unit]
    if pos.hex[option.unit] < 0:
        return Refusal(f"{name} is not there to be withdrawn.", rule("7.3b"))
    if on_map(war, pos, option.unit):
        free = logistics.lines_to(war, pos, pos.side, war.sources[pos.side]).mask
        if not free >> pos.hex[option.unit] & 1:
            return Refusal(f"{name} has no line to a supply hex.", rule("7.3b"))
    return Refusal(f"{name} is not of the kind that must leave.", rule("7.3c"))


def _send(war: War, pos: Table, option: Option) -> Refusal:
    unit, name = option.unit, war.names[option.unit]
    absent = _absent(war, pos, unit)
    if absent:
        return absent
    if pos.transferred >> unit & 1:
        return Refusal(f"{name} came out of the reserve in this phase.", rule("12f"))
    if zone(war, pos, 1 - pos.side) >> pos.hex[unit] & 1:
        return Refusal(f"{name} is next to an enemy.", rule("12c"))
    return Refusal(f"{name} has no line to the centre or to a supply hex.", rule("12c"))


def _release(war: War, pos: Table, option: Option) -> Refusal:
    unit, name = option.unit, war.names[option.unit]
    if pos.hex[unit] != war.reserve:
        return Refusal(f"{name} is not in the reserve.", rule("12d"))
    if pos.transferred >> unit & 1:
        return Refusal(f"{name} went into the reserve in this phase.", rule("12f"))
    return Refusal(f"There is no place for {name}.", rule("12d"))


def _plan(war: War, pos: Table, option: Option) -> Refusal:
    turn = option.value
    if not pos.turn + operations.LEAD <= turn <= pos.last_turn:
        return Refusal("A plan is for a turn at least two turns ahead.", rule("11Pa"))
    if option.verb == "plan a landing" and not (
        option.hex in war.lattice and operations.beaches(war, pos) >> option.hex & 1
    ):
        return Refusal("One lands at a town on the coast that the Germans hold.", rule("11Lb"))
    if not operations.turns_for(pos):
        return Refusal("Two operations are made or planned already.", rule("11a"))
    if turn not in operations.turns_for(pos):
        return Refusal("Operations are two turns apart.", rule("11b"))
    return Refusal("A plan names a turn and, for a landing, a hex.", rule("11Pd"))


def _land(war: War, pos: Table, option: Option) -> Refusal:
    code = _code(war, option.hex)
    if not operations.may_launch(pos):
        return Refusal("Two operations in all, two turns apart.", rule("11b"))
    if pos.turn > 1 and operations.due_note(pos) is None:
        return Refusal("No landing is planned for this turn.", rule("11Pa"))
    if not operations.beaches(war, pos) >> option.hex & 1:
        return Refusal(f"{code} is no town on the coast that the Germans hold.", rule("11Lb"))
    if occupied(war, pos, 1 - ALLIED) >> option.hex & 1:
        return Refusal(f"German units are in {code}.", rule("11Lh"))
    return Refusal(f"{code} is not the hex of the plan.", rule("11La"))


def _land_with(war: War, pos: Table, option: Option) -> Refusal:
    unit, name = option.unit, war.names[option.unit]
    if pos.hex[unit] != war.reserve:
        return Refusal(f"{name} is not in the reserve.", rule("11Lc"))
    return Refusal(f"{name} is more than may still land.", rule("11Lc"))


def _offensive(war: War, pos: Table, option: Option) -> Refusal:
    code = _code(war, option.hex)
    if not operations.may_launch(pos):
        return Refusal("Two operations in all, two turns apart.", rule("11b"))
    if pos.turn == 1 or operations.due_note(pos) is None:
        return Refusal("No offensive is planned for this turn.", rule("11Pa"))
    if not pos.control >> option.hex & 1:
        return Refusal(f"{code} is not under Allied control.", rule("11Ga"))
    return Refusal(f"{code} is more than 8 hexes from centre and supply.", rule("11Gb"))


def _commit(war: War, pos: Table, option: Option) -> Refusal:
    name = war.names[option.unit]
    if pos.hex[option.unit] != war.reserve:
        return Refusal(f"{name} is not in the reserve.", rule("11Gc"))
    return Refusal(f"There is no offensive with room for {name}.", rule("11Gc"))


def _centre_to(war: War, pos: Table, option: Option) -> Refusal:
    hex, code = option.hex, _code(war, option.hex)
    if not war.road_hexes >> hex & 1:
        return Refusal(f"No road leads through {code}.", rule("6.6b"))
    own = occupied(war, pos, pos.side) >> hex & 1
    if not own and zone(war, pos, 1 - pos.side) >> hex & 1:
        return Refusal(f"{code} is next to an enemy and has no escort.", rule("6.6m"))
    return Refusal(f"{code} is too far by road, or not asked for.", rule("6.6h"))


def _move(war: War, pos: Table, option: Option) -> Refusal:
    unit, name = option.unit, war.names[option.unit]
    absent = _absent(war, pos, unit)
    if absent:
        return absent
    if option.verb == "take along" and pos.movers:
        if pos.under_way:
            return Refusal("The stack is on its way already.", rule("8d"))
        if pos.hex[unit] != movement.stack_hex(pos):
            return Refusal(f"{name} is not in the same hex.", rule("8d"))
    if pos.movers and option.verb == "move":
        return Refusal(f"{movement.stack_name(war, pos)} must finish first.", rule("8a"))
    return Refusal(f"{name} has moved in this turn.", rule("8a"))


def _go(war: War, pos: Table, option: Option) -> Refusal:
    hex, code = option.hex, _code(war, option.hex)
    if not pos.movers >> option.unit & 1:
        return Refusal("Pick the unit that is to move first.", rule("8a"))
    name, here = movement.stack_name(war, pos), movement.stack_hex(pos)
    if hex == here:
        return Refusal(f"{name} is in {code} already; it may halt.", rule("8a"))
    if pos.stopped:
        return Refusal(f"{name} has entered an enemy zone of control.", rule("4.1a"))
    if not war.land >> hex & 1:
        return Refusal(f"{code} is no ground of this campaign.", rule("8e"))
    if occupied(war, pos, 1 - pos.side) >> hex & 1:
        return Refusal(f"An enemy is in {code}.", rule("8e"))
    if full(war, pos, pos.side, pos.movers.bit_count()) >> hex & 1:
        return Refusal(f"There is no room for so many in {code}.", rule("5a"))
    adjacent = war.lattice.distance(here, hex) == 1
    if adjacent and not next_to(war, here) >> hex & 1:
        return Refusal(f"Only water leads to {code}.", rule("8.4b"))
    felt = zone(war, pos, 1 - pos.side)
    if adjacent and felt >> hex & 1 and felt >> here & 1:
        return Refusal(f"Both {_code(war, here)} and {code} are in enemy zones.", rule("4.1c"))
    if felt >> hex & 1 and pos.extra:
        return Refusal(f"{code} is next to an enemy and too far.", rule("8.3a"))
    return Refusal(f"{code} is too far, or lies behind enemy zones.", rule("8a"))


def _mobile(war: War, pos: Table, option: Option) -> Refusal:
    hex, code = option.hex, _code(war, option.hex)
    if not pos.movers >> option.unit & 1:
        return Refusal("Pick the stack that is to attack first.", rule("8.2b"))
    if pos.movers & ~war.tracks:
        return Refusal("Only armoured and mechanised units attack on the move.", rule("8.2a"))
    if pos.movers & pos.cut:
        return Refusal("Units out of supply do not attack on the move.", rule("6.3d"))
    if not occupied(war, pos, 1 - pos.side) >> hex & 1:
        return Refusal(f"There is no enemy in {code}.", rule("8.2c"))
    if not next_to(war, movement.stack_hex(pos)) >> hex & 1:
        return Refusal(f"{code} is not next to the stack.", rule("8.2c"))
    return Refusal(f"The stack has not the points to attack {code}.", rule("8.2c"))


def _attack(war: War, pos: Table, option: Option) -> Refusal:
    code = _code(war, option.hex)
    if pos.target != NOWHERE:
        return Refusal("The attack under way must be fought first.", rule("9d"))
    if not occupied(war, pos, 1 - pos.side) >> option.hex & 1:
        return Refusal(f"There is no enemy in {code}.", rule("9a"))
    return Refusal(f"Nobody who has not attacked yet is next to {code}.", rule("9b"))


def _attack_with(war: War, pos: Table, option: Option) -> Refusal:
    unit, name = option.unit, war.names[option.unit]
    absent = _absent(war, pos, unit)
    if absent:
        return absent
    if pos.target == NOWHERE:
        return Refusal(f"Pick the hex that {name} is to attack first.", rule("9d"))
    if (pos.attacked | pos.attackers) >> unit & 1:
        return Refusal(f"{name} attacks only once in a turn.", rule("9b"))
    near = war.lattice.distance(pos.hex[unit], pos.target) == 1
    if near and not next_to(war, pos.target) >> pos.hex[unit] & 1:
        return Refusal(f"Water lies between {name} and its target.", rule("9f"))
    if near:
        return Refusal(f"The attack is on {_code(war, pos.target)}.", rule("9e"))
    return Refusal(f"{name} is not next to {_code(war, pos.target)}.", rule("9a"))


def _support(war: War, pos: Table, option: Option) -> Refusal:
    del war, pos
    if option.verb == "naval support":
        return Refusal("Ships support only Allied units on the coast, once.", rule("10.1.1a"))
    return Refusal("No air marker is left, or no battle asks for one.", rule("10.1b"))


def _unless_done(by: str) -> Reason:
    return _always("Something must be finished before.", by)


BY_EITHER = ("lose a step", "excess", "retreat", "feed", "withdraw", "bring on")
BATTLE = ("movement", "combat")
PLACING = ("replacements", "reserve", "operations")

REASONS: dict[str, tuple[tuple[str, ...], str, Reason]] = {
    "deploy": (("deploy",), "u", _deploy),
    "set up": (("deploy",), "uh", _deploy),
    setup.HISTORICAL[0].verb: (
        ("deploy",),
        "",
        _always("Some units have been deployed otherwise.", rule("3Sa")),
    ),
    setup.HOLD[0].verb: (
        ("deploy",),
        "",
        _always("Only the Allied player has a reserve.", rule("3Sb")),
    ),
    "place the centre": (("centres",), "h", _place_centre),
    "return the centre": (("return",), "h", _return_centre),
    "wait for the centre": (("return",), "", _unless_done(rule("9.6d"))),
    "replace": (("replacements",), "u", _replace),
    "rebuild": (("replacements",), "u", _rebuild),
    "end replacements": (("replacements",), "", _unless_done(rule("7.1d"))),
    "place": (PLACING, "uh", _place),
    "bring on": (("reinforcements",), "uh", _bring_on),
    "withdraw": (("withdrawals",), "u", _withdraw),
    "send to reserve": (("reserve",), "u", _send),
    "release": (("reserve",), "u", _release),
    "end transfers": (("reserve",), "", _unless_done(rule("12d"))),
    "plan a landing": (("plans",), "", _plan),
    "plan an offensive": (("plans",), "", _plan),
    "plan a bluff": (("plans",), "", _plan),
    "plan nothing": (("plans",), "", _unless_done(rule("11Pa"))),
    "land": (("operations",), "h", _land),
    "land with": (("operations",), "u", _land_with),
    "end landing": (("operations",), "", _unless_done(rule("11Lc"))),
    "offensive": (("operations",), "h", _offensive),
    "commit": (("operations",), "u", _commit),
    "end commitment": (("operations",), "", _unless_done(rule("11Gc"))),
    "no operation": (("operations",), "", _unless_done(rule("11Pe"))),
    "move the centre": (
        ("centre",),
        "",
        _always("The centre cannot move along any road.", rule("6.6b")),
    ),
    "leave the centre": (("centre",), "", _unless_done(rule("6.6i"))),
    "centre to": (("centre",), "h", _centre_to),
    "move": (("movement",), "u", _move),
    "take along": (("movement",), "u", _move),
    "go": (("movement",), "uh", _go),
    "halt": (("movement",), "", _always("No stack of this unit is moving.", rule("8a"))),
    "mobile attack": (("movement",), "uh", _mobile),
    "end movement": (("movement",), "", _unless_done(rule("8a"))),
    "attack": (("combat",), "h", _attack),
    "attack with": (("combat",), "u", _attack_with),
    "fight": (("combat",), "", _always("Name a target and attackers first.", rule("9e"))),
    "end combat": (("combat",), "", _unless_done(rule("9d"))),
    "air support": (BATTLE, "", _support),
    "naval support": (BATTLE, "", _support),
    "no more support": (BATTLE, "", _unless_done(rule("10.1c"))),
    "lose a step": (BATTLE, "", _always("Only units in the battle lose steps.", rule("9.1f"))),
    "excess": (BATTLE, "", _always("Only units of an overfull hex are excess.", rule("5.1c"))),
    "retreat": (BATTLE, "", _always("Excess units retreat to the nearest room.", rule("5.1b"))),
    "advance": (("combat",), "", _always("Only attackers go into the empty hex.", rule("9.2a"))),
    "stay": (("combat",), "", _unless_done(rule("9.2a"))),
    "break through": (
        ("combat",),
        "",
        _always("Only armoured and mechanised attackers break through.", rule("9.3b")),
    ),
    "break to": (("combat",), "", _always("That is too far for the breakthrough.", rule("9.3c"))),
    "exploit": (
        ("combat",),
        "",
        _always("Only fresh armour and mechanised infantry exploits.", rule("9.3f")),
    ),
    "exploit to": (("combat",), "", _always("That is too far, or not by the gap.", rule("9.3i"))),
    "end exploitation": (("combat",), "", _unless_done(rule("9.3g"))),
    "feed": (("end",), "", _always("The beachheads cannot feed that unit.", rule("6.7d"))),
}
"""By verb: the phases that know it, whether it names a unit (u) or a hex (h), and the reason."""
