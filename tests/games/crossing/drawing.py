"""Positions from a few counters, and short ways to play on from them."""

from __future__ import annotations

from importlib import resources
from importlib.resources.abc import Traversable
from importlib.resources.readers import MultiplexedPath
from pathlib import Path
from typing import Any

from apennine.games.crossing.game import Crossing
from apennine.games.crossing.rules.c03_zones import on_map
from apennine.games.crossing.table.position import ALLIED, EAST, GERMAN, LOST, Table
from apennine.kernel.log import Chosen
from apennine.kernel.match import Match
from apennine.testing import Shorthand, arrange


class Drill(Crossing):
    """The Crossing with counters and charts of its own, so that no story hangs on the balance."""

    @property
    def data(self) -> Traversable:
        real = resources.files("apennine.games.crossing") / "data"
        return MultiplexedPath(Path(__file__).parent / "drill", real)


GAME = Drill()
SHORT = Shorthand(GAME)
at, mask, codes, option, told = SHORT.at, SHORT.mask, SHORT.codes, SHORT.option, SHORT.told
do, asked, offers, verbs = SHORT.do, SHORT.asked, SHORT.offers, SHORT.verbs
hexes, names, preview, refused = SHORT.hexes, SHORT.names, SHORT.preview, SHORT.refused
CORNERS = {ALLIED: ("4 Inf", "0908"), GERMAN: ("III Gren", "0901")}


def table(phase: str, side: int, counters: str, **fields: Any) -> Table:
    """A position with these counters, the charge at the east bridge unless told otherwise.

    A side that is not drawn has one unit in a far corner, since a side without any has lost (8.4).
    """
    pos = arrange(GAME, counters, phase=phase, side=side, **{"charge": EAST} | fields)
    for owner, (name, code) in CORNERS.items():
        if not on_map(GAME.war, pos, owner):
            pos.hex[GAME.unit(name)] = at(code)
    return pos


def begin(
    phase: str, side: int, counters: str, *, game: Crossing = GAME, **fields: Any
) -> Match[Table]:
    """A match that begins with these counters alone."""
    return Match(game, position=table(phase, side, counters, **fields), seed=1)


def movement(counters: str, side: int = ALLIED, **fields: Any) -> Match[Table]:
    return begin("movement", side, counters, **fields)


def combat(counters: str, side: int = ALLIED, **fields: Any) -> Match[Table]:
    return begin("combat", side, counters, **fields)


def supply(counters: str, side: int = ALLIED, **fields: Any) -> Match[Table]:
    return begin("supply", side, counters, **fields)


def go(match: Match[Table], unit: str, hex: str) -> None:
    """Move a unit: pick it, and say where it goes."""
    do(match, "move", unit)
    do(match, "go", unit, hex)


def pass_by(match: Match[Table], halves: int = 1) -> None:
    """Do nothing more in this half, and nothing in those that follow, from a movement phase on."""
    for _ in range(halves):
        do(match, "end movement")
        if option("end combat") in offers(match):
            do(match, "end combat")


def attack(match: Match[Table], hex: str, *names: str, die: int) -> None:
    """Attack a hex with just these units; who alone can attack is never asked for."""
    match.force(die)
    before = len(match.log)
    do(match, "attack", hex=hex)
    for order in (*(option("attack with", name, hex) for name in names), option("fight", hex=hex)):
        if match.position.target == at(hex) and order in offers(match):
            match.choose(order)
    took_part = {
        GAME.units[entry.option.unit]
        for entry in match.log[before:]
        if isinstance(entry, Chosen) and entry.option.verb == "attack with"
    }
    assert took_part == set(names)


def picked(match: Match[Table], unit: str) -> Match[Table]:
    """A fork in which this unit was picked to move."""
    fork = match.fork()
    do(fork, "move", unit)
    return fork


def reach(match: Match[Table], unit: str) -> set[str]:
    """Where a unit may go."""
    return hexes(picked(match, unit), "go")


def price(match: Match[Table], unit: str, hex: str) -> float:
    """What a unit would pay to go there."""
    return float(preview(picked(match, unit), "go", unit, hex).cost.split()[0])


def where(match: Match[Table], unit: str) -> str:
    hex = match.position.hex[GAME.unit(unit)]
    return "lost" if hex == LOST else GAME.board.code(hex)


def steps(match: Match[Table], unit: str) -> int:
    """How many steps a unit has left; none if it is lost."""
    number = GAME.unit(unit)
    return 0 if match.position.hex[number] == LOST else match.position.steps[number]


def held(match: Match[Table]) -> set[str]:
    """The towns that the Allies hold."""
    return codes(match.position.held)
