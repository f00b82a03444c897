"""Why not? The sentences behind refusals on the end-run (8.9 to 8.18)."""

from __future__ import annotations

from apennine.kernel.decision import Option
from apennine.kernel.game import Refusal
from apennine.kernel.ledger import rule

from ..rules.c07_zones import on_map, port_hexes, zone
from ..rules.c09_points import is_open, roll_due
from ..table.phrases import place, spelt
from ..table.position import ALLIED, GERMAN, TIBER, Table
from ..table.war import TENTH, War
from .reasons import Reason, too_dear


def _plan(war: War, pos: Table, option: Option) -> Refusal:
    if pos.scenario != TIBER:
        return Refusal("The end-run belongs to Watch on the Tiber.", rule("8.9"))
    if pos.plot >= 0:
        return Refusal("Your note is written, and it is never changed.", rule("8.12b"))
    del option
    plan = war.book.end_run
    span = f"{plan.first_turn} to {plan.last_turn}"
    return Refusal(f"An end-run is planned for one of the turns {span}.", rule("8.10a"))


def _launch(war: War, pos: Table, option: Option) -> Refusal:
    """Nothing here may tell what the note says (8.12a)."""
    del option
    if pos.scenario != TIBER:
        return Refusal("The end-run belongs to Watch on the Tiber.", rule("8.9"))
    if pos.launched:
        return Refusal("The end-run has been launched already.", rule("8.12b"))
    plan = war.book.end_run
    return Refusal(
        "An end-run is launched in the turn that the note names, before any command, if "
        f"{spelt(plan.divisions)} full-strength divisions and a corps support unit can sail.",
        rule("8.13a"),
    )


def _embark(war: War, pos: Table, option: Option) -> Refusal:
    unit, name = option.unit, war.names[option.unit]
    if not is_open(pos):
        return Refusal("No end-run is under way.", rule("8.13a"))
    if option.verb == "reinforce the end-run" and pos.launched == pos.turn:
        return Refusal("Reinforcements follow the first wave from the next turn on.", rule("8.15a"))
    if pos.steps[unit] < war.full[unit]:
        return Refusal(f"{name} is not at full strength, which the end-run demands.", rule("8.15b"))
    if on_map(war, pos, unit):
        if not port_hexes(war, pos) >> pos.hex[unit] & 1:
            return Refusal(
                f"{name} is in {place(war, pos.hex[unit])}: units sail from a port or the "
                "Available box.",
                rule("8.13b"),
            )
        if zone(war, pos, GERMAN) >> pos.hex[unit] & 1:
            return Refusal(
                f"A German zone of control closes {place(war, pos.hex[unit])} to {name}.",
                rule("8.13d"),
            )
        if pos.sealed >> pos.hex[unit] & 1:
            return Refusal(
                f"A German zone of control reached {place(war, pos.hex[unit])} when the turn "
                "began.",
                rule("8.15c"),
            )
        if unit == war.airborne:
            return Refusal(f"{name} never leaves the map.", rule("12.9g"))
    elif pos.hex[unit] != war.available:
        return Refusal(f"{name} is neither in a port nor in the Available box.", rule("8.13b"))
    if (pos.acted | pos.rebuilt) >> unit & 1:
        return Refusal(f"{name} has had its action in this turn.", rule("9.18"))
    if option.verb == "embark":
        kind = "corps support" if war.supports >> unit & 1 else "divisions"
        return Refusal(f"The first wave needs no more {kind}.", rule("8.13a"))
    if war.supports >> unit & 1:
        return Refusal("Only divisions reinforce the end-run.", rule("8.15a"))
    if unit in war.due[ALLIED][pos.turn]:
        return Refusal(
            f"{name} has only arrived in this turn, and waits for the next.", rule("8.15c")
        )
    if pos.reinforced >= war.book.end_run.reinforcements:
        return Refusal(
            "Two divisions have followed the first wave, and no more may.", rule("8.15a")
        )
    return too_dear(war, pos, war.book.prices.move, "A reinforcement")


def _roll(war: War, pos: Table, option: Option) -> Refusal:
    del war, option
    if not is_open(pos):
        return Refusal("No end-run is under way that could be rolled for.", rule("8.18a"))
    if not roll_due(pos):
        return Refusal(
            "The end-run is rolled for once a turn, from the turn after its launch.", rule("8.17a")
        )
    return Refusal("The end-run is rolled for between two commands.", rule("8.17a"))


def _send(war: War, pos: Table, option: Option) -> Refusal:
    unit, name = option.unit, war.names[option.unit]
    if not is_open(pos):
        return Refusal("No end-run is under way.", rule("8.16a"))
    if war.group[unit] != TENTH:
        return Refusal(
            f"Only 10th Army reacts to the end-run, and {name} is not of it.", rule("8.16a")
        )
    if pos.hex[unit] != war.tenth:
        where = f"in {place(war, pos.hex[unit])}" if pos.hex[unit] >= 0 else "not in play"
        return Refusal(
            f"{name} is {where}: units are sent from the box of 10th Army, or leave by row 10xx.",
            rule("8.16b"),
        )
    if pos.acted >> unit & 1:
        return Refusal(f"{name} has had its action in this turn.", rule("9.18"))
    if pos.points < war.book.prices.move:
        return too_dear(war, pos, war.book.prices.move, "Sending a stack")
    return Refusal(f"{name} is too much for one stack.", rule("8.16b"))


def _no_more(war: War, pos: Table, option: Option) -> Refusal:
    del war, pos, option
    return Refusal("Nobody is being sent to the End-Run box.", rule("8.15e"))


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
