"""The game as the kernel sees it: what it is called, what it reads, and who answers for what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from random import Random

from apennine.bots.staff.levels import levels
from apennine.kernel.game import Game, Outcome, Scenario, Switch, of_war
from apennine.kernel.order import orders_in
from apennine.kernel.pack import Pack

from . import rules
from .rules import c03_setup, c11_operations, c12_reserve, c13_victory
from .rules.c03_sequence import play
from .rules.c04_zones import controlled
from .staff.bot import StaffBot
from .staff.tempers import TEMPERS
from .table.data import SIDES
from .table.position import ALLIED, Table
from .table.war import War
from .telling import view
from .telling.check import check
from .telling.clues import CLUES
from .telling.numbers import ENCODING
from .telling.overlays import OVERLAYS
from .telling.previews import PREVIEWS
from .telling.sandtable import SAND_TABLE
from .telling.schedule import schedule
from .telling.story import TALES, VOCABULARY, standing
from .telling.warnings import warnings


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
    orders, vocabulary, tales = orders_in(rules), VOCABULARY, TALES
    sand_table = SAND_TABLE
    on_trial = ("hard",)
    encoding, clues = ENCODING, CLUES
    overlays, previews = OVERLAYS, PREVIEWS

    def __init__(self, packs: Sequence[Pack] = ()) -> None:
        super().__init__(packs)
        self.board = self.read_map()
        files = ("units.toml", "charts.toml", "scenarios.toml")
        self.war = War(self.board, *map(self.read_file, files))
        self.units = self.war.names
        self.bots = levels(partial(StaffBot, self.war), TEMPERS)
        self.scenarios = [Scenario(s.key, s.title, s.summary, s.turns) for s in self.war.starts]

    def setup(self, scenario: str, options: Mapping[str, bool]) -> Table:
        number = [start.key for start in self.war.starts].index(scenario)
        return c03_setup.set_up(self.war, number, options["centre"], options["long_lines"])

    def outcome(self, pos: Table) -> Outcome | None:
        return c13_victory.judgement(self.war, pos) if pos.phase == "over" else None  # 13h

    def imagine(self, pos: Table, side: int, random: Random, seen: Table) -> Table:
        other = pos.copy()
        if side != ALLIED:
            c11_operations.imagine_notes(self.war, other, random, seen)
            c12_reserve.imagine_reserve(self.war, other, random, seen)
        return other

    phase = of_war(play)
    control = of_war(controlled)
    score = of_war(c13_victory.score)
    unseen = of_war(view.unseen)
    view = of_war(view.view)
    warnings = of_war(warnings)
    standing = of_war(standing)
    schedule = of_war(schedule)
    check = of_war(check)
