"""The game as the kernel sees it: what it is called, what it reads, and who answers for what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from apennine.bots.staff.levels import levels
from apennine.kernel.decision import Procedure
from apennine.kernel.game import Game, Outcome, Scenario, Switch, of_war
from apennine.kernel.order import orders_in
from apennine.kernel.pack import Pack

from . import rules
from .rules import c24_victory
from .rules.c03_sequence import play
from .rules.c05_control import controlled
from .rules.c26_setup import set_up
from .staff.bot import StaffBot
from .table.data import SIDES
from .table.position import ALLIED, Table
from .table.war import War
from .telling.check import check
from .telling.clues import CLUES
from .telling.numbers import ENCODING
from .telling.overlays import OVERLAYS
from .telling.previews import PREVIEWS
from .telling.sandtable import SAND_TABLE
from .telling.schedule import schedule
from .telling.story import TALES, standing
from .telling.view import view
from .telling.warnings import warnings


class Italy43(Game[Table]):
    """Italy '43."""

    key = "italy43"
    title = "Italy '43"
    summary = "From the Volturno to the Gustav Line: the advance of the Fifth Army in late 1943."
    sides = SIDES
    length = "4 hours, the campaign 15"
    difficulty = "hard"
    position_type = Table
    switches = (
        Switch("major_assaults", "Major Assaults", "25.1.1"),
        Switch("half_effects", "Half Effectiveness", "25.2a"),
        Switch("pontoons", "Pontoon Bridges", "25.3a"),
        Switch("disengagements", "Disengagement", "25.4.3a"),
    )
    orders, tales = orders_in(rules), TALES
    sand_table = SAND_TABLE
    encoding, clues = ENCODING, CLUES
    overlays, previews = OVERLAYS, PREVIEWS

    def __init__(self, packs: Sequence[Pack] = ()) -> None:
        super().__init__(packs)
        self.board = self.read_map()
        files = ("units.toml", "charts.toml", "scenarios.toml")
        self.war = War(self.board, *map(self.read_file, files))
        self.units = self.war.names
        nations = self.war.book.nations
        pools = [f"{nations[nation].title} {kind}" for nation, kind in self.war.pools]
        armies = [nations[army].title for army in self.war.army_names]
        self.value_names = {
            "is taken": SIDES,
            "result": [f"{key}, {each.title}" for key, each in self.war.book.results.items()],
            **dict.fromkeys(("fly", "aircraft support"), armies),
            **dict.fromkeys(("replace", "forfeit"), pools),
        }
        self.bots = levels(partial(StaffBot, self.war))
        scenarios = self.war.book.scenarios
        self.scenarios = [
            Scenario(s.key, s.title, s.summary, s.last - s.first + 1) for s in scenarios
        ]

    def setup(self, scenario: str, options: Mapping[str, bool]) -> Table:
        number = [each.key for each in self.war.book.scenarios].index(scenario)
        return set_up(self.war, number, options)

    def phase(self, pos: Table) -> Procedure:
        return play(self.war, pos)

    def outcome(self, pos: Table) -> Outcome | None:
        if pos.phase != "over":
            return None
        judged = c24_victory.judgement(self.war, pos)
        return Outcome(*judged, "24.2.1a") if judged else None

    control = of_war(controlled)
    view = of_war(view)
    warnings = of_war(warnings)
    standing = of_war(standing)
    schedule = of_war(schedule)
    check = of_war(check)

    def score(self, pos: Table, side: int) -> float:
        points = c24_victory.score(self.war, pos) - c24_victory.benchmark(self.war, pos.turn)
        return float(points if side == ALLIED else -points)
