"""Positions of Anzio from a few counters, and procedures of its rules as matches of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from apennine.games import board
from apennine.games.anzio.rules import b4c_march, b4e_zones
from apennine.games.anzio.table.position import ALLIED, AWAY, Table
from apennine.games.anzio.table.war import SCALE, War
from apennine.kernel.data import DataFile
from apennine.kernel.decision import Procedure
from apennine.kernel.game import Game, Outcome, Scenario
from apennine.kernel.match import Match
from apennine.testing import Shorthand, arrange

FILES = ("units.toml", "charts.toml", "scenarios.toml")
Scenery = Callable[[War, Table], Procedure]


class Field(Game[Table]):
    """The map and the units of Anzio; a match is one procedure of the rules."""

    key, title, summary, sides = "anzio", "Anzio", "For tests.", ("Allied", "German")
    position_type = Table
    scenarios = (Scenario("field", "A field", "An empty map.", 1),)

    def __init__(self, scene: Scenery | None = None, war: War | None = None) -> None:
        super().__init__()
        self.board = board("anzio")
        self.war = war or War(self.board, *(DataFile.open(data(name)) for name in FILES))
        self.units = self.war.names
        self.scene = scene

    def setup(self, scenario: str, options: Mapping[str, bool]) -> Table:
        war = self.war
        size, count = len(war.ground.bases), len(war.units)
        return Table(
            hex=[AWAY] * count,
            steps=list(war.full),
            bank=[0] * count,
            bases=[0] * size,
            landed=[0] * (size + 2),
            sailed=[0] * (size + 2),
            saved=[0] * size,
            soft=war.helpless,
        )

    def phase(self, pos: Table) -> Procedure:
        assert self.scene
        yield from self.scene(self.war, pos)
        pos.phase = "over"

    def outcome(self, pos: Table) -> Outcome | None:
        return Outcome(-1, "The scene is over.") if pos.phase == "over" else None

    def view(self, pos: Table, side: int) -> dict[str, Any]:
        return {}


def data(name: str) -> Any:
    from importlib import resources

    return resources.files("apennine.games.anzio") / "data" / name


GAME = Field()
WAR = GAME.war
SHORT = Shorthand(GAME, ("end movement", "halt"))
at, mask, codes, number, units = SHORT.at, SHORT.mask, SHORT.codes, SHORT.number, SHORT.units
do, verbs, hexes, names = SHORT.do, SHORT.verbs, SHORT.hexes, SHORT.names
refused, steps, told, events = SHORT.refused, SHORT.steps, SHORT.told, SHORT.events
rolls, found = SHORT.rolls, SHORT.found


def base(name: str, port: bool = False) -> int:
    """The number of a port or of an invasion zone."""
    bases = WAR.ground.bases
    return next(n for n, b in enumerate(bases) if b.name == name and b.is_port == port)


def table(counters: str = "", phase: str = "movement", side: int = ALLIED, **fields: Any) -> Table:
    """A position with these counters alone; steps=1 makes an inverted counter."""
    given: dict[str, Any] = {"turn": 3}
    pos = arrange(GAME, counters, others=AWAY, phase=phase, side=side, **given | fields)
    for unit in range(len(pos.steps)):
        b4e_zones.soften(WAR, pos, unit)
    return pos


def play(pos: Table, scene: Scenery) -> Match[Table]:
    """A match that is one procedure of the rules."""
    return Match(Field(scene, WAR), position=pos, seed=1)


def march(counters: str, unit: str, side: int = ALLIED, sm: bool = False, **fields: Any) -> Any:
    """Where a unit may go; with `sm` by Strategic Movement too."""
    pos = table(counters, side=side, **fields)
    who = number(unit)
    how = b4c_march.gait(WAR, pos, who)
    node = WAR.node[pos.hex[who], pos.bank[who]]
    extra = how.allowance if sm else 0
    return b4c_march.find_march(WAR, pos, how, node, how.allowance, extra, True, 1 << who)


def price(counters: str, unit: str, hex: str, **fields: Any) -> float:
    """The points to a hex; -1 if it is out of reach."""
    found = march(counters, unit, **fields)
    prices = [each.cost(at(hex)) for each in (found.near, found.far) if each]
    return min([p for p in prices if p >= 0], default=-SCALE) / SCALE
