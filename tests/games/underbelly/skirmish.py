"""Battles of Soft Underbelly from a few counters, and short ways to fight them."""

from __future__ import annotations

from typing import Any

from apennine.games.underbelly.game import Underbelly
from apennine.games.underbelly.rules.c07_zones import occupied, restack
from apennine.games.underbelly.rules.c09_commands import ALLIED_ORDERS, GERMAN_ORDERS
from apennine.games.underbelly.table.position import ALLIED, AWAY, GERMAN, HISTORICAL, LOST, Table
from apennine.hexes import bits
from apennine.kernel.decision import Choice
from apennine.kernel.game import Preview
from apennine.kernel.match import Match
from apennine.kernel.order import Offer, Refusal
from apennine.testing import Shorthand, arrange

GAME = Underbelly()
WAR = GAME.war
IDLE = (
    *("historical set-up", "no air", "no drop this turn", "plan no end-run", "send no more"),
    *("halt", "no strike", "done", "no air support", "cease fire", "fight on", "stand", "stay"),
    *("no port", "end"),
)
"""How to do nothing, whatever is asked."""
SHORT = Shorthand(GAME, IDLE)
at, mask, number, units, steps = SHORT.at, SHORT.mask, SHORT.number, SHORT.units, SHORT.steps
do, options, verbs, hexes, named = SHORT.do, SHORT.offers, SHORT.verbs, SHORT.hexes, SHORT.names
preview, events = SHORT.preview, SHORT.events


def table(
    counters: str,
    side: int = ALLIED,
    phase: str = "command",
    scenario: int = HISTORICAL,
    **fields: Any,
) -> Table:
    """A position with these counters alone, in turn 10 of the Historical Scenario unless told.

    The ports are those of the beginning, and the side to act has all its command points. Who
    stands in a town holds it; the other towns belong to whom they belonged at the start.
    """
    given: dict[str, Any] = {
        "turn": 10,
        "points": 7 if side == ALLIED else 6,
        "special_forces": False,
        "tac_active": False,
        "tac": 0,
        "drop_ready": False,
    }
    pos = arrange(
        GAME, counters, others=AWAY, check=False, phase=phase, side=side, **given | fields
    )
    pos.scenario = scenario
    pos.control |= WAR.towns & occupied(WAR, pos, ALLIED)
    pos.control &= ~occupied(WAR, pos, GERMAN)
    pos.tops = pos.shuffled = pos.restacked = 0
    for hex in bits(occupied(WAR, pos, ALLIED)):
        restack(WAR, pos, hex)
    pos.shuffled = pos.restacked = 0
    for unit, hex in enumerate(pos.hex):
        if hex == LOST:
            pos.steps[unit] = 0
    faults = [fault.sentence for fault in GAME.check(pos)]
    assert not faults, faults
    return pos


def begin(counters: str, side: int = ALLIED, phase: str = "command", **fields: Any) -> Match[Table]:
    return Match(GAME, position=table(counters, side, phase, **fields), seed=1)


def commands(pos: Table) -> Offer:
    """What the side to act can do in its command phase, were it asked for a command now."""
    return Offer(WAR, pos, ALLIED_ORDERS if pos.side == ALLIED else GERMAN_ORDERS)


def asked(match: Match[Table]) -> int:
    """The side that must choose now."""
    assert isinstance(match.decision, Choice)
    return match.decision.side


def values(match: Match[Table], verb: str, unit: str = "") -> list[int]:
    """The values of a verb: what a shot must roll."""
    wanted = number(unit) if unit else -1
    found = [o for o in options(match) if o.verb == verb and (not unit or o.unit == wanted)]
    return [option.value for option in found]


def attack(
    match: Match[Table],
    origin: str,
    target: str,
    *attackers: str,
    bombers: bool = False,
    air: str = "",
    dice: tuple[int, ...] = (),
) -> None:
    """Order an attack by these units (all, if none are named); `air` is whose aircraft help."""
    if dice:
        match.force(*dice)  # a lone unit that attacks another is asked for nothing
    do(match, "attack", hex=origin)
    if "target" in verbs(match):
        do(match, "target", hex=target)
    deploy(match, *attackers, bombers=bombers, air=air)


def deploy(
    match: Match[Table],
    *attackers: str,
    bombers: bool = False,
    air: str = "",
    dice: tuple[int, ...] = (),
) -> None:
    """Name the attackers, the bombers and the aircraft, and fight."""
    if dice:
        match.force(*dice)
    for unit in attackers:
        if "attack with" in verbs(match) and unit in named(match, "attack with"):
            do(match, "attack with", unit)
    while not attackers and "attack with" in verbs(match):
        do(match, "attack with")
    if bombers:
        do(match, "send bombers")
    if "fight" in verbs(match):
        do(match, "fight")
    while "air support" in verbs(match):
        wanted = air and GAME.side(air) == asked(match)
        do(match, "air support" if wanted else "no air support")


def fire(match: Match[Table], *targets: str) -> None:
    """Fire shot after shot at these units, with the best number each time."""
    for target in targets:
        do(match, "fire at", target)


def shoot_out(match: Match[Table], *preferred: str) -> None:
    """Fire every shot that is asked for, at the first of the preferred units that can be hit."""
    while "fire at" in verbs(match):
        able = named(match, "fire at")
        do(match, "fire at", next((unit for unit in preferred if unit in able), ""))


def where(match: Match[Table], unit: str) -> str | None:
    """The hex or box of a unit; None if it is in none."""
    hex = match.position.hex[number(unit)]
    return GAME.board.code(hex) if hex >= 0 else None


def dice_rolled(match: Match[Table]) -> int:
    """How many dice the match has seen."""
    return sum(type(entry).__name__ == "Rolled" for entry in match.log)


def lines(found: Preview) -> dict[str, str]:
    """The lines of a preview: what it says by what it is about."""
    return {line.text: line.value for line in found.lines}


def refusal(
    match: Match[Table], verb: str, unit: str = "", hex: str = "", value: int = 0
) -> Refusal:
    """Why an option is not in the menu."""
    found = match.why_not(SHORT.option(verb, unit, hex, value))
    assert found
    return found
