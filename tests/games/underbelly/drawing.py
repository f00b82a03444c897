"""Positions of Soft Underbelly from a few counters, and short ways to play on from them.

The table, the orders and the battles are those of `skirmish`; here are marches, turns and views.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from apennine.games.underbelly.rules.c07_zones import there
from apennine.games.underbelly.rules.c07_zones import zone as zone_of
from apennine.games.underbelly.table.position import (
    ALLIED,
    AWAY,
    GERMAN,
    HISTORICAL,
    LOST,
    NOWHERE,
    TIBER,
    Table,
)
from apennine.kernel.decision import Option
from apennine.kernel.match import Match
from tests.games.underbelly.skirmish import (
    GAME,
    SHORT,
    WAR,
    asked,
    at,
    attack,
    begin,
    commands,
    deploy,
    dice_rolled,
    do,
    events,
    hexes,
    mask,
    named,
    number,
    options,
    preview,
    refusal,
    shoot_out,
    steps,
    table,
    units,
    values,
    verbs,
    where,
)

__all__ = [
    "ALLIED",
    "AWAY",
    "GAME",
    "GERMAN",
    "HISTORICAL",
    "LOST",
    "NOWHERE",
    "TIBER",
    "WAR",
    "Table",
    "asked",
    "at",
    "attack",
    "begin",
    "commands",
    "deploy",
    "dice_rolled",
    "do",
    "events",
    "hexes",
    "mask",
    "named",
    "number",
    "options",
    "preview",
    "refusal",
    "shoot_out",
    "steps",
    "table",
    "units",
    "values",
    "verbs",
    "where",
]

NO_PORTS = [LOST] * len(WAR.ports)
"""Every port supply marker is gone."""
codes, refused, told, rolls = SHORT.codes, SHORT.refused, SHORT.events, SHORT.rolls
idle, pass_on, next_turn = SHORT.idle, SHORT.pass_on, SHORT.next_turn


def fresh(scenario: str = "campaign", **given: Any) -> Match[Table]:
    """A match from the very beginning."""
    return Match(GAME, scenario, seed=1, **given)


def order(match: Match[Table], verb: str, hex: str, *units: str) -> None:
    """Give a command to a hex or box, and pick up these units (who is alone is never asked for).

    With no units named the whole stack is picked up.
    """
    match.choose(Option(verb, hex=at(hex)))
    if not units and "take all" in verbs(match):
        do(match, "take all")
    for unit in units:
        if match.position.movers >> number(unit) & 1:
            continue
        do(match, "take along" if "take along" in verbs(match) else "take", unit)


def reach(match: Match[Table], hex: str, *units: str, verb: str = "move") -> set[str]:
    """Where units of a hex may go if they are commanded to."""
    fork = match.fork()
    order(fork, verb, hex, *units)
    return hexes(fork, "go")


def allowance(match: Match[Table], hex: str, *units: str, verb: str = "move", die: int = 0) -> int:
    """The movement points of units of a hex if they are commanded to move; `die` is rolled."""
    fork = match.fork()
    if die:
        fork.force(die)
    order(fork, verb, hex, *units)
    return fork.position.moves_left


def price(match: Match[Table], hex: str, to: str, *units: str) -> int:
    """The movement points that a march from one hex to another costs; some must be left."""
    fork = match.fork()
    order(fork, "move", hex, *units)
    before = fork.position.moves_left
    do(fork, "go", hex=to)
    after = fork.position.moves_left
    assert after, "no points are left to tell"
    return before - after


def march(match: Match[Table], hex: str, *stops: str, units: Iterable[str] = ()) -> None:
    """Command units of a hex, all unless some are named, to march from stop to stop, and halt."""
    order(match, "move", hex, *units)
    for stop in stops:
        do(match, "go", hex=stop)
    halt(match)


def halt(match: Match[Table]) -> None:
    """End the move under way and the command, unless they are over anyway."""
    for verb in ("halt", "done", "no strike"):
        if verb in verbs(match):
            do(match, verb)


def towns(match: Match[Table]) -> set[str]:
    """The towns and cities that the Allies control."""
    return codes(match.position.control)


def all_towns(but: str = "") -> int:
    """Every town and city, but for some."""
    return WAR.towns & ~mask(but)


def zone(match: Match[Table], side: int) -> set[str]:
    """The zone of control of a side."""
    return codes(zone_of(WAR, match.position, side))


def stack(match: Match[Table], hex: str) -> set[str]:
    """The units in a hex or box."""
    place = at(hex)
    return {GAME.units[unit] for unit, here in enumerate(match.position.hex) if here == place}


def is_supplied(match: Match[Table], unit: str) -> bool:
    """Whether all see that a unit has overland supply."""
    words = {"coastal supply", "supplied from the air", "out of supply"}
    return not words & set(seen(match, ALLIED, unit)["status"])


def seen(match: Match[Table], side: int, unit: str) -> dict[str, Any]:
    """A unit as a side sees it."""
    [found] = [shown for shown in match.view(side)["units"] if shown["name"] == unit]
    return found


def faces(match: Match[Table], side: int, hex: str) -> list[str]:
    """What a side sees of the Allied stack in a hex: names and question marks."""
    shown = match.view(side)["units"]
    return sorted(unit["name"] for unit in shown if unit["hex"] == hex)


def markers(match: Match[Table], name: str) -> set[str]:
    """The hexes with markers of this name: PORT, SF, AIR, FORT."""
    shown = match.view(GERMAN)["markers"]
    return {marker["hex"] for marker in shown if marker["name"] == name}


def is_crowded(match: Match[Table]) -> set[str]:
    """The hexes with stacks that are not allowed."""
    pos = match.position
    return codes(there(WAR, pos, ALLIED).illegal | there(WAR, pos, GERMAN).illegal)


def fight_out(match: Match[Table], *preferred: str) -> None:
    """Fire every shot, at the preferred units first, and end the battle: no retreat, no advance."""
    while match.decision is not None and match.position.target != NOWHERE:
        if "fire at" in verbs(match):
            shoot_out(match, *preferred)
        else:
            idle(match)


def bury(counters: str, dead: str, side: int = ALLIED, barred: str = "", **fields: Any) -> Table:
    """A position with these counters, and others in the dead pile, some of them for good."""
    pos = table(counters, side, **fields)
    for name in dead.split(", "):
        pos.hex[number(name)] = LOST
        pos.steps[number(name)] = 0
    pos.barred = units(barred) if barred else 0
    return pos


def given(match: Match[Table], hex: str) -> set[str]:
    """What can be chosen now for a hex or box."""
    place = at(hex)
    return {option.verb for option in options(match) if option.hex == place}


def aims(match: Match[Table]) -> dict[str, int]:
    """By unit that has fired in this match, what its last shot had to roll."""
    found = [re.fullmatch(r"(.+) at (.+), (\d+) or less", roll.purpose) for roll in rolls(match)]
    return {shot[1]: int(shot[3]) for shot in found if shot}


def fight_in_vain(match: Match[Table], origin: str, target: str, *attackers: str) -> dict[str, int]:
    """An attack in which every shot misses; what each unit had to roll."""
    fork = match.fork()
    fork.force(*(10,) * 40)
    attack(fork, origin, target, *attackers)
    fight_out(fork)
    return aims(fork)
