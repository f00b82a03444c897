"""The game as the kernel sees it: what it is called, what it reads, and who answers for what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from apennine.kernel import game as kernel
from apennine.kernel.decision import Option, Procedure
from apennine.kernel.game import Game, Scenario, Switch
from apennine.kernel.order import orders_in
from apennine.kernel.pack import Pack

from . import rules
from .rules import c24_victory
from .rules.c03_sequence import play
from .rules.c05_control import controlled
from .rules.c26_setup import set_up
from .table.data import SIDES
from .table.position import ALLIED, Table
from .table.war import War
from .telling import check, previews, view, warnings
from .telling.overlays import OVERLAYS
from .telling.schedule import schedule
from .telling.story import TALES, standing


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
    overlays = OVERLAYS
    orders, tales = orders_in(rules), TALES

    def __init__(self, packs: Sequence[Pack] = ()) -> None:
        super().__init__(packs)
        self.board = self.read_map()
        files = ("units.toml", "charts.toml", "scenarios.toml")
        self.war = War(self.board, *map(self.read_file, files))
        self.units = self.war.names
        scenarios = self.war.book.scenarios
        self.scenarios = [
            Scenario(s.key, s.title, s.summary, s.last - s.first + 1) for s in scenarios
        ]

    def setup(self, scenario: str, options: Mapping[str, bool]) -> Table:
        number = [each.key for each in self.war.book.scenarios].index(scenario)
        return set_up(self.war, number, options)

    def phase(self, pos: Table) -> Procedure:
        return play(self.war, pos)

    def outcome(self, pos: Table) -> kernel.Outcome | None:
        if pos.phase != "over":
            return None
        judged = c24_victory.judgement(self.war, pos)
        return kernel.Outcome(*judged, "24.2.1a") if judged else None

    def view(self, pos: Table, side: int) -> dict[str, Any]:
        del side
        return view.view(self.war, pos)

    def preview(self, pos: Table, option: Option) -> kernel.Preview | None:
        return previews.preview(self.war, pos, option)

    def warnings(self, pos: Table, side: int) -> list[kernel.Warning]:
        return warnings.warnings(self.war, pos, side)

    def standing(self, pos: Table, side: int) -> kernel.Standing:
        del side
        return standing(self.war, pos)

    def schedule(self, pos: Table, side: int) -> list[kernel.Posting]:
        del side
        return schedule(self.war, pos)

    def control(self, pos: Table, side: int) -> int:
        return controlled(self.war, pos, side)

    def check(self, pos: Table) -> list[kernel.Fault]:
        return check.check(self.war, pos)

    def score(self, pos: Table, side: int) -> float:
        points = c24_victory.score(self.war, pos) - c24_victory.benchmark(self.war, pos.turn)
        return float(points if side == ALLIED else -points)
