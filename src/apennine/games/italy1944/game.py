"""The game as the kernel sees it: what it is called, what it reads, and who answers for what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from random import Random
from types import MappingProxyType
from typing import Any

from apennine.kernel import game as kernel
from apennine.kernel.decision import Option, Procedure
from apennine.kernel.game import Game, Scenario, Switch
from apennine.kernel.pack import Pack

from .rules import c03_setup, c11_operations, c12_reserve, c13_victory
from .rules.c03_sequence import ORDERS, play
from .rules.c04_zones import controlled
from .staff.bot import StaffBot
from .table.data import SIDES
from .table.position import ALLIED, Table
from .table.war import War
from .telling import check, overlays, previews, view, warnings
from .telling.schedule import schedule
from .telling.story import TALES, VOCABULARY, standing


class Italy1944(Game[Table]):
    """Italy 1944."""

    key = "italy1944"
    title = "Italy 1944"
    summary = "From the Gustav Line to the Gothic Line: the Italian campaign in nine monthly turns."
    sides = SIDES
    length = "3 hours"
    difficulty = "medium"
    position_type = Table
    switches = (
        Switch("centre", "No supply while the logistic centre is cut off", "6.1d", True),
        Switch("long_lines", "Lines of more than 8 hexes put units out of supply", "6.1e"),
    )
    overlays = overlays.OVERLAYS
    orders, vocabulary, tales = ORDERS, VOCABULARY, TALES

    def __init__(self, packs: Sequence[Pack] = ()) -> None:
        super().__init__(packs)
        self.board = self.read_map()
        files = ("units.toml", "charts.toml", "scenarios.toml")
        self.war = War(self.board, *map(self.read_file, files))
        self.units = self.war.names
        self.bots = MappingProxyType({"staff": partial(StaffBot, self.war)})
        self.scenarios = [Scenario(s.key, s.title, s.summary, s.turns) for s in self.war.starts]

    def setup(self, scenario: str, options: Mapping[str, bool]) -> Table:
        number = [start.key for start in self.war.starts].index(scenario)
        return c03_setup.set_up(self.war, number, options["centre"], options["long_lines"])

    def phase(self, pos: Table) -> Procedure:
        return play(self.war, pos)

    def outcome(self, pos: Table) -> kernel.Outcome | None:
        return c13_victory.judgement(self.war, pos) if pos.phase == "over" else None  # 13h

    def view(self, pos: Table, side: int) -> dict[str, Any]:
        return view.view(self.war, pos, side)

    def preview(self, pos: Table, option: Option) -> kernel.Preview | None:
        return previews.preview(self.war, pos, option)

    def warnings(self, pos: Table, side: int) -> list[kernel.Warning]:
        return warnings.warnings(self.war, pos, side)

    def overlay(self, pos: Table, name: str, side: int, unit: int = -1) -> int:
        found = overlays.overlay(self.war, pos, name, side, unit)
        return super().overlay(pos, name, side, unit) if found is None else found

    def imagine(self, pos: Table, side: int, random: Random, seen: Table) -> Table:
        other = pos.copy()
        if side != ALLIED:
            c11_operations.imagine_notes(self.war, other, random, seen)
            c12_reserve.imagine_reserve(self.war, other, random, seen)
        return other

    def unseen(self, pos: Table, side: int) -> int:
        return view.unseen(self.war, pos, side)

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
        return c13_victory.score(self.war, pos, side)
