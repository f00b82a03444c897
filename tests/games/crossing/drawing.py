"""Positions from a few counters, and short ways to play on from them."""

from __future__ import annotations

from importlib import resources
from importlib.resources.abc import Traversable
from importlib.resources.readers import MultiplexedPath
from pathlib import Path
from typing import Any

import pytest

from apennine.games.crossing.game import Crossing
from apennine.games.crossing.rules.c03_zones import on_map
from apennine.games.crossing.table.position import ALLIED, EAST, GERMAN, LOST, Table
from apennine.hexes import HexSet, mask_of
from apennine.kernel.decision import Choice, Event, Option
from apennine.kernel.game import Preview
from apennine.kernel.log import Chosen
from apennine.kernel.match import IllegalChoice, Match
from apennine.kernel.order import Refusal
from apennine.testing import arrange


class Drill(Crossing):
    """The Crossing with counters and charts of its own, so that no story hangs on the balance."""

    @property
    def data(self) -> Traversable:
        real = resources.files("apennine.games.crossing") / "data"
        return MultiplexedPath(Path(__file__).parent / "drill", real)


GAME = Drill()
CORNERS = {ALLIED: ("4 Inf", "0908"), GERMAN: ("III Gren", "0901")}


def at(code: str) -> int:
    return GAME.board.parse(code)


def mask(codes: str) -> int:
    """A set of hexes: mask("0303 0502")."""
    return mask_of(map(at, codes.split()))


def codes(mask: int) -> set[str]:
    return set(HexSet(GAME.board.lattice, mask))


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


def option(verb: str, unit: str = "", hex: str = "") -> Option:
    return Option(verb, GAME.unit(unit) if unit else -1, at(hex) if hex else -1)


def do(match: Match[Table], verb: str, unit: str = "", hex: str = "") -> None:
    match.choose(option(verb, unit, hex))


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


def asked(match: Match[Table]) -> Choice:
    assert isinstance(match.decision, Choice), f"nothing is asked: {match.outcome}"
    return match.decision


def offers(match: Match[Table]) -> list[Option]:
    return list(match.decision.options) if isinstance(match.decision, Choice) else []


def verbs(match: Match[Table]) -> set[str]:
    return {offer.verb for offer in offers(match)}


def hexes(match: Match[Table], verb: str) -> set[str]:
    """The hexes that the menu offers with a verb."""
    return {GAME.board.code(offer.hex) for offer in offers(match) if offer.verb == verb}


def names(match: Match[Table], verb: str) -> set[str]:
    """The units that the menu offers with a verb."""
    return {GAME.units[offer.unit] for offer in offers(match) if offer.verb == verb}


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


def preview(match: Match[Table], verb: str, unit: str = "", hex: str = "") -> Preview:
    order = option(verb, unit, hex)
    assert order in offers(match)
    shown = match.preview(order)
    assert shown is not None
    return shown


def refused(match: Match[Table], verb: str, unit: str = "", hex: str = "") -> Refusal:
    """Why an order is refused; nothing changes by it."""
    before = match.digest
    with pytest.raises(IllegalChoice) as error:
        do(match, verb, unit, hex)
    assert match.digest == before
    return error.value.refusal


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


def told(match: Match[Table], verb: str) -> list[str]:
    """The units of which the log tells this."""
    return [GAME.units[e.unit] for e in match.log if isinstance(e, Event) and e.verb == verb]
