"""Battles of Anzio: the plain of Foggia, where no terrain matters, and ways to fight there.

Around W52, with no river and no mountain within two hexes, lie W51 (N), X51 (NE), X52 (SE), W53
(S), V53 (SW) and V52 (NW), all behind sides with plain.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from apennine.games.anzio.rules.b4e_combat import combat_phase
from apennine.games.anzio.table.position import ALLIED, Table
from apennine.kernel.match import Match
from tests.games.anzio.drawing import at, do, names, number, play, table, verbs

HERE = "W52"
AROUND = ("W51", "X51", "X52", "W53", "V53", "V52")
COLUMNS = ("1-4", "1-3", "1-2", "1-1", "2-1", "3-1", "4-1", "5-1", "6-1", "7-1", "8-1", "9-1")


def combat(counters: str, side: int = ALLIED, **fields: Any) -> Match[Table]:
    """The combat phase of a side, at its first question."""
    return play(table(counters, "combat", side, **fields), combat_phase)


def declare(match: Match[Table], hex: str, *attackers: str) -> None:
    """A battle against a hex with some units; what is the only thing to do is done already."""
    if "attack" in verbs(match):
        do(match, "attack", hex=hex)
    for name in attackers:
        if not match.position.attackers >> number(name) & 1:
            do(match, "attack with", name)


def attack(match: Match[Table], hex: str, *attackers: str, dice: Sequence[int] = ()) -> None:
    """Declare a battle and fight it; the dice are those of the battle and what follows from it."""
    match.force(*dice)
    declare(match, hex, *attackers)
    if "fight" in verbs(match):  # else it was the only thing to do
        do(match, "fight")


def battle(
    counters: str, attackers: str, die: int, target: str = HERE, side: int = ALLIED, **fields: Any
) -> Match[Table]:
    """A combat phase in which a battle has been fought with a die, to the next question."""
    match = combat(counters, side, **fields)
    attack(match, target, *[name.strip() for name in attackers.split(",")], dice=[die])
    return match


def where(match: Match[Table], unit: str) -> int:
    """The place of a unit."""
    return match.position.hex[number(unit)]


def is_in(match: Match[Table], unit: str, hex: str) -> bool:
    return where(match, unit) == at(hex)


def joinable(match: Match[Table]) -> set[str]:
    """The units that may still join the battle."""
    return names(match, "attack with")
