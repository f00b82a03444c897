"""Why not? The sentences behind refusals on the end-run (8.9 to 8.18)."""

from __future__ import annotations

from collections.abc import Callable

from apennine.kernel.decision import Option
from apennine.kernel.game import Refusal
from apennine.kernel.ledger import rule

from .budget import is_open, roll_due
from .position import GERMAN, TIBER, Table
from .war import TENTH, War
from .zones import on_map, port_hexes, zone

Reason = Callable[[War, Table, Option], Refusal]


def _name(war: War, unit: int) -> str:
    return war.names[unit]


def _plan(war: War, pos: Table, option: Option) -> Refusal:
    if pos.scenario != TIBER:
        return Refusal("The end-run belongs to Watch on the Tiber.", rule("8.9"))
    if pos.plot >= 0:
        return Refusal("Your note is written, and is never changed.", rule("8.12b"))
    del option
    plan = war.book.end_run
    span = f"{plan.first_turn} to {plan.last_turn}"
    return Refusal(f"An end-run comes in one of the turns {span}.", rule("8.10a"))


def _launch(war: War, pos: Table, option: Option) -> Refusal:
    """Nothing here may tell what the note says (8.12a)."""
    del option
    if pos.scenario != TIBER:
        return Refusal("The end-run belongs to Watch on the Tiber.", rule("8.9"))
    if pos.launched:
        return Refusal("The end-run has been launched already.", rule("8.12b"))
    plan = war.book.end_run
    return Refusal(
        "An end-run is launched in the turn of its note, as the first act of the phase, "
        f"with {plan.divisions} full divisions and a corps support unit ready.",
        rule("8.13a"),
    )


def _embark(war: War, pos: Table, option: Option) -> Refusal:
    unit, name = option.unit, _name(war, option.unit)
    if not is_open(pos):
        return Refusal("No end-run is under way.", rule("8.13a"))
    if option.verb == "reinforce the end-run" and pos.launched == pos.turn:
        return Refusal("Reinforcements follow the first wave from the next turn on.", rule("8.15a"))
    if pos.steps[unit] < war.full[unit]:
        return Refusal(f"{name} is not at full strength, as the end-run needs it.", rule("8.15b"))
    if on_map(war, pos, unit):
        if not port_hexes(war, pos) >> pos.hex[unit] & 1:
            return Refusal(f"{name} sails only from a port or the Available box.", rule("8.13b"))
        if zone(war, pos, GERMAN) >> pos.hex[unit] & 1:
            return Refusal(f"A German zone of control reaches {name}.", rule("8.13d"))
        if pos.sealed >> pos.hex[unit] & 1:
            return Refusal(f"{name} began the turn in a German zone of control.", rule("8.15c"))
        if unit == war.airborne:
            return Refusal(f"{name} never leaves the map.", rule("12.9g"))
    elif pos.hex[unit] != war.available:
        return Refusal(f"{name} is not at hand.", rule("8.13b"))
    if (pos.acted | pos.rebuilt) >> unit & 1:
        return Refusal(f"{name} has acted in this turn already.", rule("9.18"))
    if option.verb == "embark":
        return Refusal(
            "The first wave is four divisions and one corps support unit.", rule("8.13a")
        )
    if war.supports >> unit & 1:
        return Refusal("Only divisions reinforce the end-run.", rule("8.15a"))
    if pos.reinforced >= war.book.end_run.reinforcements:
        return Refusal(
            "Two divisions have followed the first wave, and no more may.", rule("8.15a")
        )
    return Refusal("You have no command point left for that.", rule("9.1b"))


def _roll(war: War, pos: Table, option: Option) -> Refusal:
    del war, option
    if not is_open(pos):
        return Refusal("No end-run waits for its result.", rule("8.18a"))
    if not roll_due(pos):
        return Refusal(
            "The end-run is rolled for once a turn, from the turn after its launch.", rule("8.17a")
        )
    return Refusal("The end-run is rolled for between two commands.", rule("8.17a"))


def _send(war: War, pos: Table, option: Option) -> Refusal:
    unit, name = option.unit, _name(war, option.unit)
    if not is_open(pos):
        return Refusal("No end-run is under way.", rule("8.16a"))
    if war.group[unit] != TENTH:
        return Refusal(
            f"Only 10th Army reacts to the end-run, and {name} is not of it.", rule("8.16a")
        )
    if pos.hex[unit] != war.tenth:
        return Refusal(
            f"{name} is not in the box of 10th Army, from where units are sent.", rule("8.16b")
        )
    if pos.acted >> unit & 1:
        return Refusal(f"{name} has acted in this turn already.", rule("9.18"))
    return Refusal(f"The stack has no room for {name}, or no command point is left.", rule("8.16b"))


def _no_more(war: War, pos: Table, option: Option) -> Refusal:
    del war, pos, option
    return Refusal("Nobody is being sent against the end-run.", rule("8.15e"))


REASONS: dict[str, tuple[tuple[str, ...], str, Reason]] = {
    "plan no end-run": (("plot",), "", _plan),
    "plan the end-run": (("plot",), "", _plan),
    "launch the end-run": (("orders",), "", _launch),
    "embark": (("orders",), "u", _embark),
    "reinforce the end-run": (("command",), "u", _embark),
    "roll for the end-run": (("command",), "", _roll),
    "send against the end-run": (("command",), "u", _send),
    "send no more": (("command",), "", _no_more),
}
"""By verb: the phases in which it can come, what it names (unit), and why it may not."""
