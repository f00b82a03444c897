"""The game as the kernel knows it: rules, views, explanations, checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from apennine.bots.staff.levels import levels
from apennine.kernel.game import Game, Outcome, Scenario, of_war
from apennine.kernel.order import orders_in
from apennine.kernel.pack import Pack

from . import rules
from .rules import c03_setup, c04_victory, c06_fog
from .rules.c05_sequence import play
from .staff.bot import StaffBot
from .staff.tempers import TEMPERS
from .table.book import read_book
from .table.data import SIDES
from .table.position import Table
from .table.war import War
from .telling.check import faults
from .telling.clues import CLUES
from .telling.numbers import ENCODING
from .telling.overlays import OVERLAYS
from .telling.previews import PREVIEWS
from .telling.sandtable import SAND_TABLE
from .telling.schedule import schedule
from .telling.story import TALES, VOCABULARY, standing
from .telling.view import view
from .telling.warnings import warnings


class Underbelly(Game[Table]):
    """Soft Underbelly."""

    key = "underbelly"
    title = "Soft Underbelly"
    summary = "The war in southern Italy, 1943: command points, a battle board, and Hitler's die."
    sides = SIDES
    length = "5 hours"
    difficulty = "medium"
    position_type = Table
    orders, vocabulary, tales = orders_in(rules), VOCABULARY, TALES
    sand_table = SAND_TABLE
    on_trial = ("hard",)
    encoding, clues = ENCODING, CLUES
    overlays, previews = OVERLAYS, PREVIEWS

    def __init__(self, packs: Sequence[Pack] = ()) -> None:
        super().__init__(packs)
        self.board = self.read_map()
        files = ("units.toml", "charts.toml", "scenarios.toml")
        book = read_book(self.board, *map(self.read_file, files))
        self.war = War(self.board, book)
        self.bots = levels(partial(StaffBot, self.war), TEMPERS)
        self.units = self.war.names
        self.scenarios = [Scenario(s.key, s.title, s.summary, book.turns) for s in book.scenarios]

    def setup(self, scenario: str, options: Mapping[str, bool]) -> Table:
        del options
        number = [known.key for known in self.scenarios].index(scenario)
        return c03_setup.set_up(self.war, number)

    def outcome(self, pos: Table) -> Outcome | None:
        return c04_victory.outcome(pos) if pos.verdict else None

    phase = of_war(play)
    imagine = of_war(c06_fog.imagine)
    unseen = of_war(c06_fog.hidden)
    score = of_war(c04_victory.score)
    control = of_war(c04_victory.controlled)
    view = of_war(view)
    warnings = of_war(warnings)
    standing = of_war(standing)
    schedule = of_war(schedule)
    check = of_war(faults)
