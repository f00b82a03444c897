"""What players are told: why not, what then, what is wrong, what threatens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from apennine.kernel.decision import Option
from apennine.kernel.game import Chance, Fault, Line, Preview, Refusal, Warning
from apennine.kernel.ledger import rule

from .combat import hits_on, joinable
from .field import BLUE, BLUFF, PLANS_BEFORE, RED, SIDES, STACK, STEPS, Field, Table
from .movement import OVERWHELM, overwhelmed
from .sequence import PHASES

MID_PHASE = ("startled", "fled", "battles", "to_fire")
"""What is empty between two top-level menus."""


def view(field: Field, pos: Table, side: int) -> dict[str, Any]:
    """Everything but what is written on the hidden side of the other's slips."""
    code = field.board.code
    return {
        "turn": pos.turn,
        "phase": pos.phase,
        "side": SIDES[pos.side],
        "units": [
            {
                "name": name,
                "at": code(pos.hex[unit]) if pos.hex[unit] >= 0 else None,
                "steps": pos.steps[unit],
                "routed": bool(pos.routed >> unit & 1),
                "moved": bool(pos.moved >> unit & 1),
                "reacted": bool(pos.reacted >> unit & 1),
                "fought": bool(pos.fought >> unit & 1),
            }
            for unit, name in enumerate(field.names)
        ],
        "slips": [
            {"side": SIDES[owner], "written": written}
            | ({"at": code(hex) if hex != BLUFF else None, "turn": due} if may_see else {})
            for owner, written, hex, due, shown in pos.slips
            for may_see in [shown or owner == side]
        ],
        "mover": {"unit": field.names[pos.mover], "left": pos.left} if pos.mover >= 0 else None,
        "silent": pos.silent,
        "startled": [field.names[unit] for unit, _ in pos.startled],
        "advances": [{"unit": field.names[u], "to": code(hex)} for u, hex in pos.advances],
        "battles": [
            {
                "at": code(hex),
                "attackers": [n for u, n in enumerate(field.names) if joined >> u & 1],
            }
            for hex, joined in pos.battles
        ],
        "to_fire": [name for unit, name in enumerate(field.names) if pos.to_fire >> unit & 1],
        "firing": field.names[pos.firing] if pos.firing >= 0 else None,
    }


def why_not(field: Field, pos: Table, option: Option) -> Refusal:
    """The first rule that stands against an option."""
    if option.verb not in REASONS:
        return Refusal(f"{option.verb!r} is not something that one can do here.")
    phases, needs_unit, reason = REASONS[option.verb]
    if pos.phase not in phases:
        return Refusal(f"This is not the time to {option.verb}.", rule("1.1"))
    if not needs_unit:
        return reason(field, pos, option) or Refusal(f"One cannot {option.verb} now.")
    if not 0 <= option.unit < len(field.names):
        return Refusal(f"There is no unit number {option.unit}.")
    if pos.hex[option.unit] < 0:
        return Refusal(f"{field.names[option.unit]} is lost.", rule("1.3"))
    return reason(field, pos, option) or Refusal(
        f"{field.names[option.unit]} cannot {option.verb} now."
    )


Reason = Callable[[Field, Table, Option], Refusal | None]


def _nothing(field: Field, pos: Table, option: Option) -> Refusal | None:
    return None


def _not_ours(field: Field, pos: Table, unit: int) -> Refusal | None:
    if field.owner[unit] != pos.side:
        return Refusal(f"{field.names[unit]} is not {SIDES[pos.side]}'s.", rule("1.1"))
    return None


def _not_steady(field: Field, pos: Table, unit: int, id: str) -> Refusal | None:
    if pos.routed >> unit & 1:
        return Refusal(f"{field.names[unit]} is in rout.", id)
    return None


def _activate(field: Field, pos: Table, option: Option) -> Refusal | None:
    unit = option.unit
    if pos.moved >> unit & 1:
        return Refusal(f"{field.names[unit]} has moved already.", rule("4.1"))
    if field.arrives[unit] > pos.turn:
        turn = field.arrives[unit]
        return Refusal(f"{field.names[unit]} arrives in turn {turn}.", rule("4.5"))
    return _not_ours(field, pos, unit) or _not_steady(field, pos, unit, rule("4.1"))


def _closed(field: Field, pos: Table, unit: int, location: int, id: str) -> Refusal | None:
    """Why a unit may not end in a place."""
    if location not in field.lattice:
        return Refusal("This is not a hex of the map.", id)
    code = field.board.code(location)
    if field.lake >> location & 1:
        return Refusal(f"Hex {code} is a lake.", id)
    side = field.owner[unit]
    if field.held(pos, 1 - side) >> location & 1:
        return Refusal(f"Hex {code} is held by the enemy.", id)
    if field.full(pos, side) >> location & 1:
        return Refusal(f"Hex {code} has {STACK} units already.", rule("4.6"))
    return None


def _move(field: Field, pos: Table, option: Option) -> Refusal | None:
    unit = option.unit
    if unit != pos.mover:
        return Refusal(f"{field.names[unit]} is not the unit that moves now.", rule("4.2"))
    closed = _closed(field, pos, unit, option.hex, rule("4.2"))
    if closed:
        return closed
    code = field.board.code(option.hex)
    return Refusal(f"{code} is too far for {pos.left} points.", rule("4.2"))


def _enter(field: Field, pos: Table, option: Option) -> Refusal | None:
    closed = _closed(field, pos, option.unit, option.hex, rule("4.5"))
    if closed:
        return closed
    return Refusal(f"{field.board.code(option.hex)} is not next to the camp.", rule("4.5"))


def _overwhelm(field: Field, pos: Table, option: Option) -> Refusal | None:
    unit = option.unit
    if unit != pos.mover or option.hex not in field.lattice:
        return Refusal("Only the unit that moves can overwhelm, and only a hex.", rule("4.3"))
    if not overwhelmed(field, pos, unit) >> option.hex & 1:
        code = field.board.code(option.hex)
        return Refusal(f"{code} is not outnumbered {OVERWHELM} to 1 next to it.", rule("4.3"))
    return None


def _react(field: Field, pos: Table, option: Option) -> Refusal | None:
    unit = option.unit
    if not field.reacts[unit]:
        return Refusal(f"{field.names[unit]} is of no kind that reacts.", rule("4.4"))
    if pos.reacted >> unit & 1:
        return Refusal(f"{field.names[unit]} has reacted in this phase.", rule("4.4"))
    return _not_steady(field, pos, unit, rule("4.4")) or Refusal(
        f"No enemy that has moved is in range of {field.names[unit]}.", rule("4.4")
    )


def _flee(field: Field, pos: Table, option: Option) -> Refusal | None:
    unit = option.unit
    where = f"{field.names[unit]} cannot go there"
    if not field.refuges(pos, unit) >> max(option.hex, 0) & 1:
        reason = "it goes to the next hex that is free, or to a camp that is near"
        return Refusal(f"{where}: {reason}.", rule("3.2"))
    return Refusal(f"{where} now: it is not asked to.", rule("3.2"))


def _attack(field: Field, pos: Table, option: Option) -> Refusal | None:
    if option.hex not in field.lattice:
        return Refusal("This is not a hex of the map.", rule("5.1"))
    code = field.board.code(option.hex)
    if not field.held(pos, 1 - pos.side) >> option.hex & 1:
        return Refusal(f"There is no enemy in {code}.", rule("5.1"))
    return Refusal(f"No steady unit that has not fought is next to {code}.", rule("5.1"))


def _join(field: Field, pos: Table, option: Option) -> Refusal | None:
    unit = option.unit
    ours = _not_ours(field, pos, unit) or _not_steady(field, pos, unit, rule("5.2"))
    if ours:
        return ours
    if pos.battles and unit not in joinable(field, pos):
        return Refusal(f"{field.names[unit]} is not next to the hex, or has fought.", rule("5.2"))
    return None


def _fire_with(field: Field, pos: Table, option: Option) -> Refusal | None:
    if not pos.to_fire >> option.unit & 1:
        name = field.names[option.unit]
        return Refusal(f"{name} is not in this battle, or has fired.", rule("5.3"))
    return _not_steady(field, pos, option.unit, rule("5.3"))


def _at(field: Field, pos: Table, option: Option) -> Refusal | None:
    return Refusal(f"{field.names[option.unit]} cannot be fired at now.", rule("5.3"))


def _bleed(field: Field, pos: Table, option: Option) -> Refusal | None:
    return Refusal(f"{field.names[option.unit]} did not lose this melee.", rule("5.5"))


def _advance(field: Field, pos: Table, option: Option) -> Refusal | None:
    return Refusal(f"{field.names[option.unit]} has no advance to make there.", rule("5.6"))


def _press_on(field: Field, pos: Table, option: Option) -> Refusal | None:
    return Refusal("Only an enemy next to the hex just taken can be pursued.", rule("5.7"))


def _aim(field: Field, pos: Table, option: Option) -> Refusal | None:
    return Refusal("A barrage is aimed at a hex of dry land.", rule("2.1"))


def _time(field: Field, pos: Table, option: Option) -> Refusal | None:
    first = pos.turn + PLANS_BEFORE
    return Refusal(f"The plan is for turn {first} or {first + 1}.", rule("2.1"))


ANY = tuple(PHASES)
BATTLES = ("fight", "advance")
REASONS: dict[str, tuple[tuple[str, ...], bool, Reason]] = {
    "aim": (("plan",), False, _aim),
    "bluff": (("plan",), False, _nothing),
    "time": (("plan",), False, _time),
    "activate": (("move",), True, _activate),
    "move": (("move",), True, _move),
    "enter": (("move",), True, _enter),
    "overwhelm": (("move",), True, _overwhelm),
    "halt": (("move",), False, _nothing),
    "react": (("move",), True, _react),
    "pass": (("move",), False, _nothing),
    "flee": (ANY, True, _flee),
    "break off": (ANY, True, _flee),
    "stand": (ANY, False, _nothing),
    "attack": (("fight",), False, _attack),
    "join": (BATTLES, True, _join),
    "go": (BATTLES, False, _nothing),
    "fire with": (BATTLES, True, _fire_with),
    "at": (("move", *BATTLES), True, _at),
    "bleed": (BATTLES, True, _bleed),
    "advance": (BATTLES, True, _advance),
    "stay": (BATTLES, False, _nothing),
    "press on": (BATTLES, False, _press_on),
    "hold": (BATTLES, False, _nothing),
    "done": (("move", "fight"), False, _nothing),
}


def preview(field: Field, pos: Table, option: Option) -> Preview | None:
    """The way of a move, or the chances of a shot."""
    if option.verb == "move":
        found = field.reach(pos, option.unit)
        return Preview(path=tuple(found.path(option.hex)), cost=str(found.cost(option.hex)))
    if option.verb != "at":
        return None
    shooter, target = pos.firing, option.unit
    highest = hits_on(field, pos, shooter, target)
    lines = [Line("steps of the shooter, and one", f"+{pos.steps[shooter] + 1}", rule("5.3"))]
    if field.range[shooter] > 1:
        lines.append(Line("guns", "+1", rule("5.3")))
    if field.hill >> pos.hex[target] & 1:
        lines.append(Line("on a hill", "-1", rule("5.3")))
    hit = Fraction(highest, 6)
    result = "lost" if pos.steps[target] == 1 else "loses a step"
    chances = (Chance(result, hit), Chance("misses", 1 - hit))
    return Preview(lines=tuple(lines), column=f"{highest} or less", chances=chances)


def check(field: Field, pos: Table) -> list[Fault]:
    """Everything that cannot be so between two top-level menus."""
    count = len(field.names)
    if len(pos.hex) != count or len(pos.steps) != count:
        return [Fault(f"There are {len(pos.hex)} places and {len(pos.steps)} steps, not {count}.")]
    return [*_unit_faults(field, pos), *_hex_faults(field, pos), *_order_faults(field, pos)]


def _unit_faults(field: Field, pos: Table) -> Iterator[Fault]:
    for unit, name in enumerate(field.names):
        hex, steps = pos.hex[unit], pos.steps[unit]
        if not 0 <= steps <= STEPS:
            yield Fault(f"{name} has {steps} steps.", rule("5.4"), unit)
        if (hex < 0) != (steps <= 0):
            yield Fault(f"{name} is lost but not both off the table and out of steps.", "", unit)
        if hex < 0:
            if pos.routed >> unit & 1:
                yield Fault(f"{name} is lost and in rout.", rule("3.1"), unit)
        elif hex not in field.lattice and hex != field.camp[field.owner[unit]]:
            yield Fault(f"{name} is neither on the map nor in its camp.", rule("4.5"), unit)
        elif field.lake >> hex & 1:
            yield Fault(f"{name} is in a lake.", rule("4.2"), unit, hex)


def _hex_faults(field: Field, pos: Table) -> Iterator[Fault]:
    for hex in field.lattice:
        units = field.units_in(pos, hex)
        if len({field.owner[unit] for unit in units}) > 1:
            code = field.board.code(hex)
            yield Fault(f"Both sides have units in {code}.", rule("4.2"), hex=hex)
        if len(units) > STACK:
            code = field.board.code(hex)
            yield Fault(f"There are {len(units)} units in {code}.", rule("4.6"), hex=hex)


def _order_faults(field: Field, pos: Table) -> Iterator[Fault]:
    if pos.phase not in PHASES:
        yield Fault(f"There is no phase {pos.phase!r}.", rule("1.1"))
    if pos.side not in (RED, BLUE):
        yield Fault(f"There is no side {pos.side}.", rule("1.1"))
    if not 1 <= pos.turn <= pos.last_turn:
        yield Fault(f"There is no turn {pos.turn}.", rule("1.1"))
    for name in MID_PHASE:
        if getattr(pos, name):
            yield Fault(f"Something is unfinished: {name}.", rule("1.1"))
    if pos.mover >= 0 or pos.firing >= 0:
        yield Fault("A unit is moving or firing.", rule("1.1"))
    if pos.advances and pos.phase not in ("move", "fight", "advance"):
        yield Fault(f"Advances are owed in phase {pos.phase!r}.", rule("5.8"))
    written = [slip[:2] for slip in pos.slips]
    if len(set(written)) < len(written):
        yield Fault("A side has written two plans in one turn.", rule("2.1"))
    for _, turn, hex, due, shown in pos.slips:
        if hex != BLUFF and not (hex >= 0 and field.land >> hex & 1):
            yield Fault("A plan is aimed at no hex of dry land.", rule("2.1"), hex=hex)
        if due - turn - PLANS_BEFORE not in (0, 1):
            yield Fault(f"A plan of turn {turn} is for turn {due}.", rule("2.1"))
        if shown and turn + PLANS_BEFORE > pos.turn:
            yield Fault(f"A plan of turn {turn} is turned up too early.", rule("2.2"))


def warnings(field: Field, pos: Table, side: int) -> list[Warning]:
    """Units that will run when an enemy comes, and units forgotten in the camp."""
    found: list[Warning] = []
    for unit in field.of_side[side]:
        hex, name = pos.hex[unit], field.names[unit]
        if field.on_map(pos, unit) and pos.routed >> unit & 1:
            found.append(Warning(f"{name} will flee from the next enemy.", rule("3.1"), unit, hex))
        elif hex == field.camp[side] and field.arrives[unit] <= pos.turn:
            found.append(Warning(f"{name} waits in the camp.", rule("4.5"), unit))
    return found


def score(field: Field, pos: Table, side: int) -> float:
    """Strength and towns against the enemy's."""

    def worth(one: int) -> int:
        units = (u for u in field.of_side[one] if pos.hex[u] >= 0)
        return sum(field.strength(pos, u) for u in units) + 3 * field.points(pos, one)

    return float(worth(side) - worth(1 - side))
