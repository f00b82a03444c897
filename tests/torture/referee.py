"""What players are told: why not, what then, what is wrong, what threatens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from apennine.kernel.decision import Option
from apennine.kernel.game import Chance, Fault, Line, Preview, Warning
from apennine.kernel.ledger import rule

from .combat import hits_on
from .field import BLUE, BLUFF, PLANS_BEFORE, RED, SIDES, STACK, STEPS, Field, Table
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


VOCABULARY: dict[str, Callable[[Field, Table, Option], str]] = {
    "side": lambda _field, pos, _option: SIDES[pos.side],
    "left": lambda _field, pos, _option: str(pos.left),
    "arrival": lambda field, _pos, option: str(field.arrives[option.unit]),
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
