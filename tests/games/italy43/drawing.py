"""Positions of Italy '43 from a few counters, and short ways to play on from them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from apennine.games.italy43.game import Italy43
from apennine.games.italy43.rules import c05_march, c06_zones, c07_bonds
from apennine.games.italy43.table.position import ALLIED, AWAY, LOST, Table
from apennine.games.italy43.table.war import War
from apennine.hexes import bits
from apennine.kernel.decision import Procedure
from apennine.kernel.game import Outcome
from apennine.kernel.match import Match
from apennine.testing import Shorthand, arrange

CLEAR, CLOUDY, RAIN, MUD = 0, 2, 4, 5
"""Spaces of the weather track."""


GAME = Italy43()
WAR = GAME.war
IDLE = (
    *("end movement", "halt", "end combat", "end the initial phase", "end the supply phase"),
    *("keep a remnant", "hold fire", "set out", "stop", "stay"),
)
SHORT = Shorthand(GAME, IDLE)
at, mask, codes, number, units = SHORT.at, SHORT.mask, SHORT.codes, SHORT.number, SHORT.units
do, offers, asked, verbs, hexes = SHORT.do, SHORT.offers, SHORT.asked, SHORT.verbs, SHORT.hexes
names, refused, steps, told, events = (
    SHORT.names,
    SHORT.refused,
    SHORT.steps,
    SHORT.told,
    SHORT.events,
)


def table(
    counters: str = "",
    phase: str = "movement",
    side: int = ALLIED,
    *,
    scenario: str = "campaign",
    lost: str = "",
    **fields: Any,
) -> Table:
    """A position with these counters, in turn 2 and clear weather unless told otherwise.

    Nobody else is on the map, nobody is frozen or on garrison; the units in `lost` are eliminated.
    """
    given: dict[str, Any] = {"turn": 2, "weather": CLEAR, "frozen": 0, "posted": 0, "ready": 0}
    pos = arrange(
        GAME,
        counters,
        scenario=scenario,
        others=AWAY,
        phase=phase,
        side=side,
        check=False,  # a few counters need not add up to a war
        **given | fields,
    )
    for name in filter(None, map(str.strip, lost.split(","))):
        pos.hex[number(name)], pos.steps[number(name)] = LOST, 0
    for unit in range(len(pos.steps)):
        if WAR.full[unit] == 3 and pos.steps[unit] == 1:
            pos.remnants |= 1 << unit
    return pos


def begin(counters: str, phase: str, side: int = ALLIED, **fields: Any) -> Match[Table]:
    """A match that begins with these counters alone, in a phase."""
    return Match(GAME, position=table(counters, phase, side, **fields), seed=1)


class Scene(Italy43):
    """One procedure of the rules as a match of its own; the phase it is in says nothing."""

    def __init__(self, scene: Callable[[War, Table], Procedure]) -> None:
        vars(self).update(vars(GAME))
        self.scene = scene

    def phase(self, pos: Table) -> Procedure:
        yield from self.scene(self.war, pos)
        pos.phase = "over"

    def outcome(self, pos: Table) -> Outcome | None:
        return Outcome(-1, "The scene is over.") if pos.phase == "over" else None


def play(pos: Table, scene: Callable[[War, Table], Procedure]) -> Match[Table]:
    """A match that is one procedure of the rules; its dice are thrown by hand."""
    return Match(Scene(scene), position=pos, dice_by_hand=True)


def zone(counters: str, side: int, **fields: Any) -> set[str]:
    """The zone of control of a side."""
    return codes(c06_zones.zone(WAR, table(counters, **fields), side))


def hex_bonds(counters: str, side: int, **fields: Any) -> set[str]:
    """The hexes of the Hex Bonds of a side."""
    return codes(c07_bonds.bonds(WAR, table(counters, **fields), side).hexes)


def hexside_bonds(counters: str, side: int, **fields: Any) -> set[str]:
    """The sides of the Hexside Bonds of a side, each as "2310/2410", the lower number first."""
    sides = c07_bonds.bonds(WAR, table(counters, **fields), side).sides
    found: set[str] = set()
    for d in range(6):
        for hex in bits(sides[d]):
            pair = sorted((WAR.lattice.code(hex), WAR.lattice.code(WAR.lattice.neighbour(hex, d))))
            found.add("/".join(pair))
    return found


def march(
    counters: str, *movers: str, side: int = ALLIED, fresh: bool = True, **fields: Any
) -> c05_march.March:
    """Where units that are together may go, by every kind of movement."""
    pos = table(counters, side=side, **fields)
    stack = [number(name) for name in movers]
    points = [c05_march.allowance(WAR, pos, unit) for unit in stack]
    most = [p + c05_march.extension(WAR, pos, unit) for p, unit in zip(points, stack)]
    return c05_march.find_march(
        WAR,
        pos,
        sum(1 << unit for unit in stack),
        pos.hex[stack[0]],
        min(points),
        min(most) - min(points),
        WAR.book.march.tactical,
        fresh,
    )


def price(counters: str, unit: str, hex: str, **fields: Any) -> float:
    """The movement points to a hex by ordinary or Extended Movement; -1 if out of reach."""
    found = march(counters, unit, **fields).cost(at(hex))
    return found / WAR.scale if found >= 0 else -1


def tactical(counters: str, *movers: str, **fields: Any) -> set[str]:
    """Where units may go by Tactical Movement."""
    found = march(counters, *movers, **fields).near
    return codes(found.ends) if found else set()
