"""Positions of Italia 1917-1918 from a few counters, and procedures of its rules as matches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import resources
from typing import Any

from apennine import games
from apennine.games.italia1918.rules import c11_march
from apennine.games.italia1918.rules.c18_setup import set_up
from apennine.games.italia1918.table.position import AWAY, CENTRAL, FAIR, NOBODY, Table
from apennine.games.italia1918.table.war import War
from apennine.hexes import mask_of
from apennine.kernel.data import DataFile
from apennine.kernel.decision import Procedure
from apennine.kernel.game import Game, Outcome, Scenario
from apennine.kernel.match import Match
from apennine.testing import Shorthand, arrange

KEY = "italia1918"
FILES = ("units", "charts", "scenarios")
SCENARIOS = ("grappa", "caporetto", "radetzky", "albrecht", "solstice", "vittorio")
DATA = resources.files(games) / KEY / "data"
Scenery = Callable[[War, Table], Procedure]


def read_file(name: str) -> DataFile:
    """One of the data files as it stands."""
    return DataFile.open(DATA / f"{name}.toml")


class Field(Game[Table]):
    """The map and the units; a match is one procedure of the rules."""

    key, title, summary = KEY, "Italia 1917-1918", "For tests."
    sides = ("Central Powers", "Entente")
    position_type = Table
    scenarios = tuple(Scenario(key, key, "For tests.", 1) for key in SCENARIOS)

    def __init__(self, scene: Scenery | None = None, war: War | None = None) -> None:
        super().__init__()
        self.board = games.board(KEY)
        self.war = war or War(self.board, *map(read_file, FILES))
        self.units = self.war.names
        self.scene = scene

    def setup(self, scenario: str, options: Mapping[str, bool]) -> Table:
        return set_up(self.war, SCENARIOS.index(scenario), options)

    def phase(self, pos: Table) -> Procedure:
        assert self.scene
        yield from self.scene(self.war, pos)
        pos.phase = "over"

    def outcome(self, pos: Table) -> Outcome | None:
        return Outcome(-1, "The scene is over.") if pos.phase == "over" else None

    def view(self, pos: Table, side: int) -> dict[str, Any]:
        return {}


GAME = Field()
WAR = GAME.war
SHORT = Shorthand(GAME, ("end movement", "halt", "go on to combat"))
at, mask, codes, number, units = SHORT.at, SHORT.mask, SHORT.codes, SHORT.number, SHORT.units
do, verbs, hexes, names, asked = SHORT.do, SHORT.verbs, SHORT.hexes, SHORT.names, SHORT.asked
refused, steps, told, events = SHORT.refused, SHORT.steps, SHORT.told, SHORT.events


def table(
    counters: str = "",
    side: int = CENTRAL,
    *,
    scenario: str = "vittorio",
    hosts: Mapping[str, str] | None = None,
    phase: str = "movement",
    **fields: Any,
) -> Table:
    """A position with these counters alone, in fair weather; `hosts` have assault troops."""
    given: dict[str, Any] = {"weather": FAIR, "frozen": [], "broken": 0, "disorganized": 0}
    given |= {
        "silent": 0,
        "displayed": 0,
        "turn": WAR.theatres[SCENARIOS.index(scenario)].scenario.first,
    }
    pos = arrange(
        GAME,
        counters,
        scenario=scenario,
        others=AWAY,
        phase=phase,
        side=side,
        host=[NOBODY] * len(WAR.roster),
        shots=[0] * len(WAR.roster),
        steps=list(WAR.full),
        check=False,
        **given | fields,
    )
    for support, host in (hosts or {}).items():
        pos.host[number(support)] = number(host)
    return pos


def begin(scenario: str) -> Table:
    """The position with which a scenario begins."""
    return GAME.setup(scenario, {})


def play(pos: Table, *scenes: Scenery) -> Match[Table]:
    """A match of some procedures of the rules; its dice are thrown by hand."""

    def all_of_them(war: War, pos: Table) -> Procedure:
        for scene in scenes:
            yield from scene(war, pos)

    return Match(Field(all_of_them, WAR), position=pos, dice_by_hand=True)


def reach(pos: Table, *movers: str) -> Any:
    """Where units that are together can go."""
    stack = mask_of(number(name) for name in movers)
    least = min(c11_march.allowance(WAR, pos, number(name)) for name in movers)
    here = pos.hex[number(movers[0])]
    return c11_march.find_reach(WAR, pos, stack, here, least, True)


def price(counters: str, unit: str, hex: str, **fields: Any) -> float:
    """The movement points to a hex; -1 if it is out of reach."""
    cost = reach(table(counters, **fields), unit).cost(at(hex))
    return cost / WAR.scale if cost >= 0 else -1
