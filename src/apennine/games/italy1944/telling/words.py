"""Why not? The sentence and the rule behind every refusal."""

from __future__ import annotations

from typing import NamedTuple

from apennine.kernel.decision import Option
from apennine.kernel.game import Refusal
from apennine.kernel.ledger import rule
from apennine.mechanics.phrases import always

from ..table.data import SIDES
from ..table.position import Table
from ..table.war import War
from . import reasons_field
from .reasons import Reason


class Known(NamedTuple):
    """An order in a phase that knows it."""

    reason: Reason
    """What stands against it there."""
    names: str = ""
    """Whether it names a unit (u) and a hex (h)."""


class Order(NamedTuple):
    """An order in any phase."""

    phases: tuple[str, ...]
    """The phases that know it."""
    when: str
    """What is said in all others: a sentence without its end."""
    known: Known


def why_not(war: War, pos: Table, option: Option) -> Refusal:
    """The first thing that stands against an option, in the order of the rules."""
    order = ORDERS.get(option.verb)
    if order is None:
        return Refusal(f"There is no order {option.verb!r} in this game.", rule("3a"))
    if pos.phase not in order.phases:
        return Refusal(f"{order.when}; {now(pos)}.", rule("3a"))
    reason, names = order.known
    if "u" in names:
        if not 0 <= option.unit < len(war.names):
            return Refusal("This order must name a unit.", rule("3a"))
        if war.side_of[option.unit] != pos.side:
            return Refusal(f"{war.names[option.unit]} belongs to the other side.", rule("3a"))
    if "h" in names and option.hex not in war.lattice:
        return Refusal("This order must name a hex of the map.", rule("3a"))
    return reason(war, pos, option)


def now(pos: Table) -> str:
    """What is going on, to be told after what is not."""
    if pos.phase == "over":
        return "the game is over"
    if pos.phase == "centres":
        return "now the logistic centres are placed"
    if pos.phase == "end":
        return "now it is the supply check"
    return f"now it is the {SIDES[pos.side]} {STEPS[pos.phase]}"


STEPS = {
    "deploy": "set-up",
    "disclosure": "planning step",
    "return": "replacement step",
    "replacements": "replacement step",
    "reinforcements": "reinforcement step",
    "withdrawals": "withdrawal step",
    "reserve": "reserve step",
    "plans": "planning step",
    "operations": "operations step",
    "centre": "logistics step",
    "movement": "movement phase",
    "combat": "combat phase",
}
"""The phases as players call them."""

BATTLE = ("movement", "combat")
ELSEWHERE = always("That is not one of the options.", rule("3a"))
"""For orders that have their own bars."""

GROUPS: tuple[tuple[tuple[str, ...], str, dict[str, Known]], ...] = (
    (
        ("deploy",),
        "Units are deployed in the set-up, before the first turn",
        {
            "deploy": Known(ELSEWHERE),
            "set up": Known(ELSEWHERE),
            "historical deployment": Known(
                always("You have begun to deploy your units yourself.", rule("3Sa"))
            ),
            "hold the rest in reserve": Known(
                always("Only the Allied player has a reserve.", rule("3Sb"))
            ),
        },
    ),
    (
        ("centres",),
        "Logistic centres are placed at the end of the set-up",
        {"place the centre": Known(ELSEWHERE)},
    ),
    (
        ("return",),
        "A lost logistic centre comes back as its owner's replacement step begins",
        {
            "return the centre": Known(ELSEWHERE),
            "wait for the centre": Known(always("No logistic centre is lost.", rule("9.6d"))),
        },
    ),
    (
        ("replacements",),
        "Units are replenished and rebuilt in the replacement step",
        {
            "replace": Known(ELSEWHERE),
            "rebuild": Known(ELSEWHERE),
            "end replacements": Known(
                always("Place first the unit that you are rebuilding.", rule("7.1d"))
            ),
        },
    ),
    (
        ("replacements", "reserve", "operations"),
        "Units are placed when they are rebuilt, released or committed",
        {"place": Known(ELSEWHERE)},
    ),
    (
        ("reinforcements",),
        "Reinforcements arrive in the reinforcement step",
        {"bring on": Known(ELSEWHERE)},
    ),
    (
        ("withdrawals",),
        "Units are withdrawn in the withdrawal step",
        {"withdraw": Known(ELSEWHERE)},
    ),
    (
        ("reserve",),
        "Units go into the reserve and come out of it in the reserve step",
        {
            "send to reserve": Known(ELSEWHERE),
            "release": Known(ELSEWHERE),
            "end transfers": Known(always("Place first the unit that you released.", rule("12d"))),
        },
    ),
    (
        ("plans",),
        "Plans are written in the planning step",
        {
            "plan a landing": Known(ELSEWHERE),
            "plan an offensive": Known(ELSEWHERE),
            "plan a bluff": Known(ELSEWHERE),
            "plan nothing": Known(always("The plan of this turn is written.", rule("11Pa"))),
        },
    ),
    (
        ("operations",),
        "Landings and general offensives begin before the Allied units move",
        {
            "land": Known(ELSEWHERE),
            "land with": Known(ELSEWHERE),
            "end landing": Known(always("No first wave is going ashore now.", rule("11Lc"))),
            "offensive": Known(ELSEWHERE),
            "commit": Known(ELSEWHERE),
            "end commitment": Known(ELSEWHERE),
            "no operation": Known(ELSEWHERE),
        },
    ),
    (
        ("centre",),
        "A logistic centre moves before the units of its side do",
        {
            "move the centre": Known(
                always("No road is open to the logistic centre.", rule("6.6b"))
            ),
            "leave the centre": Known(
                always("The logistic centre is to move: say where it goes.", rule("6.6i"))
            ),
            "centre to": Known(reasons_field.centre_to, "h"),
        },
    ),
    (
        ("movement",),
        "Units move in the movement phase",
        {
            "move": Known(reasons_field.move, "u"),
            "take along": Known(reasons_field.move, "u"),
            "go": Known(reasons_field.go, "uh"),
            "halt": Known(
                reasons_field.halt,
            ),
            "end movement": Known(
                reasons_field.end_movement,
            ),
        },
    ),
    (
        ("movement",),
        "Mobile attacks are made in the movement phase",
        {"mobile attack": Known(reasons_field.mobile_attack, "uh")},
    ),
    (
        ("combat",),
        "Attacks are made in the combat phase",
        {
            "attack": Known(reasons_field.attack, "h"),
            "attack with": Known(reasons_field.attack_with, "u"),
            "fight": Known(always("Pick a hex and name its attackers first.", rule("9e"))),
            "end combat": Known(
                reasons_field.end_combat,
            ),
        },
    ),
    (
        BATTLE,
        "Aircraft and ships support battles",
        {
            "air support": Known(
                reasons_field.air_support,
            ),
            "naval support": Known(
                reasons_field.naval_support,
            ),
            "no more support": Known(always("No battle asks for support now.", rule("10.1c"))),
        },
    ),
    (
        BATTLE,
        "Steps are lost in battle",
        {
            "lose a step": Known(
                always("Nobody asks for a step of that unit in this battle.", rule("9.1f"))
            )
        },
    ),
    (
        BATTLE,
        "Units in excess of a stack go when their hex is attacked",
        {
            "excess": Known(always("That unit is in no overfull hex under attack.", rule("5.1c"))),
            "retreat": Known(
                always("Units in excess retreat to the nearest room behind them.", rule("5.1b"))
            ),
        },
    ),
    (
        ("combat",),
        "Units advance, break through and exploit after an attack of the combat phase",
        {
            "advance": Known(
                always(
                    "Only attackers go into a hex, and when they have emptied it.", rule("9.2a")
                ),
            ),
            "stay": Known(always("There is no hex to advance into now.", rule("9.2a"))),
            "break through": Known(
                always(
                    "Only armoured and mechanised attackers break through, and only with steps "
                    "to spare.",
                    rule("9.3b"),
                ),
            ),
            "break to": Known(always("The breakthrough has no points to go there.", rule("9.3c"))),
            "exploit": Known(
                always(
                    "Only armoured and mechanised units that have not fought and are next to no "
                    "enemy exploit a breakthrough.",
                    rule("9.3f"),
                ),
            ),
            "exploit to": Known(
                always("No way through the gap leads there within half the points.", rule("9.3i"))
            ),
            "end exploitation": Known(always("No breakthrough is being exploited.", rule("9.3g"))),
        },
    ),
    (
        ("end",),
        "Beachheads feed units in the supply check",
        {"feed": Known(always("No beachhead can feed that unit.", rule("6.7d")))},
    ),
)

ORDERS = {
    verb: Order(phases, when, known)
    for phases, when, verbs in GROUPS
    for verb, known in verbs.items()
}
"""All that players may order, by verb."""
